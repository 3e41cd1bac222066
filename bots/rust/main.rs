//! The wire: connects to the dealer, reads its commands and writes the replies.
//!
//! Nothing here needs editing. How to play is in strategy.rs.

mod strategy;
#[cfg(test)]
mod tests;

use std::env;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::process::ExitCode;
use std::thread::sleep;
use std::time::Duration;

use strategy::Strategy;

const MAX_RAISE: u64 = 10;
const LONGEST_FRAME: usize = 0xFFFF;
/// The seconds in which we try to come back after a game, or when the connection is lost.
const PATIENCE: u64 = 600;
/// The seconds between two tries grow up to this.
const LONGEST_PAUSE: u64 = 15;
const RANKS: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SUITS: [char; 4] = ['C', 'D', 'H', 'S'];

/// A card, written as in `10S` or `AD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// 2 to 14: the jack is 11, the ace 14.
    pub rank: u8,
    /// C, D, H or S.
    pub suit: char,
}

impl Card {
    /// All 52 cards.
    pub fn deck() -> impl Iterator<Item = Card> {
        (2..=14).flat_map(|rank| SUITS.map(|suit| Card { rank, suit }))
    }

    fn parse(text: &str) -> Option<Card> {
        let suit = text.chars().last().filter(|suit| SUITS.contains(suit))?;
        let name = text.strip_suffix(suit)?;
        (2..).zip(RANKS).find(|&(_, rank)| rank == name).map(|(rank, _)| Card { rank, suit })
    }
}

/// A legal answer to one question. Only a question makes them.
#[derive(Debug, PartialEq, Eq)]
pub struct Reply(String);

/// One `bet1` or `bet2` from the dealer, and the legal answers to it.
#[derive(Debug)]
pub struct Question {
    /// 1 or 2.
    pub street: usize,
    /// Chips we have left.
    pub stack: u64,
    /// Chips in the middle.
    pub pot: u64,
    /// Chips we still have to add to stay in.
    pub to_call: u64,
    /// Our hidden card.
    pub hole: Card,
    /// Our open cards: one on street 1, two on street 2.
    pub up: Vec<Card>,
    /// The open cards of each other player.
    pub others: Vec<Vec<Card>>,
}

impl Question {
    /// Reads `bet1:stack:pot:to call:hole:up card:up:...` or its `bet2` sister with two up cards.
    ///
    /// Returns `None` when our own part of it cannot be read. In the part about the players, cards that
    /// cannot be read are left out.
    fn parse(text: &str) -> Option<Question> {
        let fields: Vec<&str> = text.split(':').collect();
        let street = if fields[0] == "bet1" { 1 } else { 2 };
        let marker = 6 + fields.iter().skip(6).position(|&field| field == "up")?;
        let hole = Card::parse(fields[4])?;
        let up: Vec<Card> =
            fields[5..marker].iter().map(|field| Card::parse(field)).collect::<Option<_>>()?;
        let others = fields[marker + 1..]
            .chunks(street)
            .map(readable_cards)
            .filter(|hand| !hand.is_empty() && !hand.contains(&up[0]))
            .collect();
        let chips = |field: &str| field.parse().ok();
        Some(Question {
            street,
            stack: chips(fields[1])?,
            pot: chips(fields[2])?,
            to_call: chips(fields[3])?,
            hole,
            up,
            others,
        })
    }

    /// Give up the round.
    pub fn fold(&self) -> Reply {
        Reply("fold".to_string())
    }

    /// Add just the chips to call, which may be 0; fold if we cannot pay them.
    pub fn call(&self) -> Reply {
        self.raise_by(0)
    }

    /// Add the chips to call and up to this many chips more, as far as the rules and our stack allow.
    pub fn raise_by(&self, chips: u64) -> Reply {
        match self.stack.checked_sub(self.to_call) {
            Some(left) => Reply(format!("bet:{}", self.to_call + chips.min(MAX_RAISE).min(left))),
            None => self.fold(),
        }
    }

    /// All cards we cannot see: in the deck, or hole cards of others.
    pub fn unseen(&self) -> Vec<Card> {
        let seen = |card| {
            self.hole == card || self.up.contains(&card) || self.others.iter().flatten().any(|&c| c == card)
        };
        Card::deck().filter(|&card| !seen(card)).collect()
    }
}

fn readable_cards(fields: &[&str]) -> Vec<Card> {
    fields.iter().filter_map(|field| Card::parse(field)).collect()
}

/// Java's modified UTF-8: U+0000 takes two bytes, a character above U+FFFF two surrogates of three.
fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        let continuation = |shift: u32| 0x80 | (unit >> shift & 0x3F) as u8;
        match unit {
            0x01..=0x7F => bytes.push(unit as u8),
            0x00 | 0x80..=0x7FF => bytes.extend([0xC0 | (unit >> 6) as u8, continuation(0)]),
            0x800.. => bytes.extend([0xE0 | (unit >> 12) as u8, continuation(6), continuation(0)]),
        }
    }
    bytes
}

/// The reverse of `encode`, or `None` if the bytes are no modified UTF-8. A surrogate without a partner
/// becomes U+FFFD.
fn decode(bytes: &[u8]) -> Option<String> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes.iter().copied();
    while let Some(first) = rest.next() {
        let mut continuation =
            || rest.next().filter(|byte| byte >> 6 == 0b10).map(|byte| u16::from(byte & 0x3F));
        units.push(match first {
            0x00..=0x7F => u16::from(first),
            0xC0..=0xDF => u16::from(first & 0x1F) << 6 | continuation()?,
            0xE0..=0xEF => u16::from(first & 0x0F) << 12 | continuation()? << 6 | continuation()?,
            _ => return None,
        });
    }
    Some(String::from_utf16_lossy(&units))
}

/// The connection: frames of a two-byte length and that many bytes of text.
struct Dealer {
    stream: BufReader<TcpStream>,
    /// Whether it has asked for a bet.
    has_asked: bool,
}

impl Dealer {
    fn connect(host: &str, port: u16) -> io::Result<Dealer> {
        let stream = TcpStream::connect((host, port))?;
        stream.set_nodelay(true)?;
        Ok(Dealer { stream: BufReader::new(stream), has_asked: false })
    }

    fn read(&mut self) -> io::Result<String> {
        let mut length = [0; 2];
        self.stream.read_exact(&mut length)?;
        let mut bytes = vec![0; usize::from(u16::from_be_bytes(length))];
        self.stream.read_exact(&mut bytes)?;
        decode(&bytes).ok_or_else(|| ErrorKind::InvalidData.into())
    }

    fn write(&mut self, text: &str) {
        let bytes = encode(text);
        let length =
            u16::try_from(bytes.len()).expect("a name is checked at the start, other replies are short");
        let frame = [&length.to_be_bytes()[..], &bytes].concat();
        // If this fails the dealer has closed the connection; the next read gives the reason.
        let _ = self.stream.get_mut().write_all(&frame);
    }
}

/// Our reply to a question. A question or a strategy that fails costs the round, not the game.
fn answer(strategy: &mut Strategy, text: &str) -> Reply {
    let fold = || Reply("fold".to_string());
    let Some(question) = Question::parse(text) else {
        eprintln!("Cannot read this question, so I fold: {text}");
        return fold();
    };
    catch_unwind(AssertUnwindSafe(|| strategy.decide(&question))).unwrap_or_else(|_| {
        eprintln!("The strategy failed, so I fold: {text}");
        fold()
    })
}

/// Hands `status:win or lose:card:card:card` to the strategy. Dealers leave fields out at times.
fn tell_status(strategy: &mut Strategy, text: &str) {
    let mut fields = text.split(':').skip(1);
    let won = fields.next() == Some("win");
    let hand: Vec<Card> = fields.filter_map(Card::parse).collect();
    // If this panics, the panic has printed its message, and the game goes on.
    let _ = catch_unwind(AssertUnwindSafe(|| strategy.round_over(won, &hand)));
}

/// Answers the dealer until it says `done`, and returns its reason.
fn play(dealer: &mut Dealer, name: &str, strategy: &mut Strategy) -> io::Result<String> {
    loop {
        let text = dealer.read()?;
        let (command, rest) = text.split_once(':').unwrap_or((&text, ""));
        match command {
            "login" => dealer.write(name),
            "bet1" | "bet2" => {
                dealer.has_asked = true;
                dealer.write(&answer(strategy, &text).0);
            }
            "status" => tell_status(strategy, &text),
            "done" => return Ok(rest.to_string()),
            _ => {} // a command we do not know is not for us
        }
    }
}

/// Tries to connect: a dealer that died may be started again, and one that said `done` may begin another game. Of our
/// patience so many seconds are used up; gives out also how many are then.
fn come_back(host: &str, port: u16, mut waited: u64) -> Option<(Dealer, u64)> {
    eprintln!("I try to come back for {} seconds. Ctrl-C ends that.", PATIENCE - waited);
    while waited < PATIENCE {
        let pause = LONGEST_PAUSE.min(waited + 1);
        sleep(Duration::from_secs(pause));
        waited += pause;
        if let Ok(dealer) = Dealer::connect(host, port) {
            eprintln!("The dealer is back.");
            return Some((dealer, waited));
        }
    }
    eprintln!("The dealer did not come back.");
    None
}

/// `GitHubId:avatar`, from the environment or from the top of strategy.rs.
fn login_name() -> Result<String, &'static str> {
    let id = from_environment("CASINO_ID", strategy::GITHUB_ID);
    let avatar = from_environment("CASINO_AVATAR", strategy::AVATAR);
    if [&id, &avatar].iter().any(|part| part.is_empty() || part.contains(':')) {
        return Err("the GitHubId and the avatar must not be empty and must not contain a colon");
    }
    let name = format!("{id}:{avatar}");
    if encode(&name).len() > LONGEST_FRAME {
        Err("it is too long")
    } else {
        Ok(name)
    }
}

fn from_environment(variable: &str, otherwise: &str) -> String {
    match env::var_os(variable) {
        Some(value) if !value.is_empty() => value.to_string_lossy().into_owned(),
        _ => otherwise.to_string(),
    }
}

fn say(text: &str) {
    // A closed output is no reason to stop playing.
    let _ = writeln!(io::stdout(), "{text}");
}

fn run(host: &str, port: u16, again: bool, name: &str, key: Option<&str>) -> Result<ExitCode, String> {
    let mut dealer = Dealer::connect(host, port).map_err(|error| match error.kind() {
        ErrorKind::ConnectionRefused => {
            format!("Nobody answers at {host} port {port}. Is the dealer running there?")
        }
        _ => format!("Cannot connect to {host} port {port}: {error}."),
    })?;
    say(&format!("Connected to {host} port {port} as {name}"));
    let name = key.map_or(name.to_string(), |key| format!("{name}#{key}"));
    let mut strategy = Strategy::default();
    let mut waited = 0;
    loop {
        let mut code = ExitCode::FAILURE;
        match play(&mut dealer, &name, &mut strategy) {
            Ok(reason) => {
                say(&format!("done: {reason}"));
                code = ExitCode::SUCCESS;
                if !again {
                    return Ok(code);
                }
                strategy = Strategy::default();
            }
            Err(error) => match error.kind() {
                ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => {
                    eprintln!("The dealer closed the connection without saying why.")
                }
                ErrorKind::InvalidData => {
                    return Err("The dealer sent a frame that is not modified UTF-8.".to_string())
                }
                _ => eprintln!("The connection to the dealer failed: {error}."),
            },
        }
        match come_back(host, port, if dealer.has_asked { 0 } else { waited }) {
            Some(back) => (dealer, waited) = back,
            None => return Ok(code),
        }
    }
}

/// The host, the port, whether to come back after done, and the key for a practice ladder.
fn words(arguments: &[String]) -> Option<(&str, u16, bool, Option<&str>)> {
    let [host, port, more @ ..] = arguments else { return None };
    // A program that was started for one game must end after it.
    let once = more.iter().any(|word| word == "--once") || env::var_os("CASINO_ONCE").is_some();
    let again = more.iter().any(|word| word == "--again") || !once;
    let rest: Vec<&str> =
        more.iter().map(String::as_str).filter(|word| !matches!(*word, "--again" | "--once")).collect();
    let key = match rest[..] {
        [] => None,
        ["--key", key] => Some(key),
        _ => return None,
    };
    let port = port.parse().ok().filter(|&port| port > 0)?;
    Some((host, port, again, key))
}

fn main() -> ExitCode {
    let arguments: Vec<String> =
        env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let Some((host, port, again, key)) = words(&arguments) else {
        eprintln!("usage: poker HOST PORT [--once] [--key KEY]");
        return ExitCode::from(2);
    };
    let name = match login_name() {
        Ok(name) => name,
        Err(error) => {
            eprintln!("Cannot use this name: {error}.");
            return ExitCode::from(2);
        }
    };
    match run(host, port, again, &name, key) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
