//! Commands as text: writing them for a player, and reading them as a player does.

use bytes::{BufMut, BytesMut};

use crate::cards::notation::{WIRE, excerpt};
use crate::cards::{Card, Notation};
use crate::stud::{Bounds, Chips, Street};
use crate::table::{Question, Status};

use super::modified_utf8;

/// Appends a `login` frame.
pub fn write_login(to: &mut BytesMut) {
    framed(to, |draft| draft.put(b"login"));
}

/// Appends a `bet1` or `bet2` frame (R13).
pub fn write_question(question: &Question<'_>, to: &mut BytesMut) {
    framed(to, |draft| {
        draft.put(if question.street == Street::First { b"bet1" } else { b"bet2" });
        for chips in [question.bounds.stack, question.pot, question.bounds.to_call] {
            draft.put(b":");
            draft.put_number(chips);
        }
        draft.put_card(question.hole);
        for card in question.up {
            draft.put_card(*card);
        }
        draft.put(b":up");
        for card in question.board {
            draft.put_card(*card);
        }
    });
}

/// Appends a `status` frame (R14).
pub fn write_status(status: &Status, to: &mut BytesMut) {
    framed(to, |draft| {
        draft.put(if status.won { b"status:win" } else { b"status:lose" });
        for card in status.hand {
            match card {
                Some(card) => draft.put_card(card),
                None => draft.put(b":none"),
            }
        }
    });
}

/// Appends a `done` frame (R15). A reason too long for a frame is cut.
pub fn write_done(reason: &str, to: &mut BytesMut) {
    framed(to, |draft| {
        draft.put(b"done:");
        let cut = reason.char_indices().nth(4_000).map_or(reason, |(end, _)| &reason[..end]);
        draft.put(&modified_utf8::encode(cut));
    });
}

/// A `bet1` or `bet2` as text, without a frame.
pub fn question_text(question: &Question<'_>) -> String {
    text(|to| write_question(question, to))
}

/// A `status` as text, without a frame.
pub fn status_text(status: &Status) -> String {
    text(|to| write_status(status, to))
}

/// A `done` as text, without a frame.
pub fn done_text(reason: &str) -> String {
    text(|to| write_done(reason, to))
}

fn text(write: impl FnOnce(&mut BytesMut)) -> String {
    let mut frame = BytesMut::new();
    write(&mut frame);
    modified_utf8::decode(&frame[2..]).expect("the dealer writes modified UTF-8")
}

fn framed(to: &mut BytesMut, write: impl FnOnce(&mut Draft<'_>)) {
    let header = to.len();
    let mut draft = Draft { to, bytes: [0; DRAFT_CAPACITY_BYTES], len: 2 };
    write(&mut draft);
    draft.flush();
    let length =
        u16::try_from(to.len() - header - 2).expect("every command is far shorter than 65,535 bytes");
    to[header..header + 2].copy_from_slice(&length.to_be_bytes());
}

/// Enough for a `bet2` at a full table.
const DRAFT_CAPACITY_BYTES: usize = 256;

/// Gathers the parts of a frame, most of which have two or three bytes. A buffer on the heap takes one piece in a fraction
/// of the time that many would need, and this is done for every question.
struct Draft<'a> {
    to: &'a mut BytesMut,
    bytes: [u8; DRAFT_CAPACITY_BYTES],
    len: usize,
}

impl Draft<'_> {
    #[inline]
    fn put(&mut self, part: &[u8]) {
        if part.len() > DRAFT_CAPACITY_BYTES - self.len {
            return self.put_past_the_end(part);
        }
        self.bytes[self.len..][..part.len()].copy_from_slice(part);
        self.len += part.len();
    }

    #[cold]
    fn put_past_the_end(&mut self, part: &[u8]) {
        self.flush();
        self.to.put_slice(part);
    }

    fn put_card(&mut self, card: Card) {
        const LONGEST: usize = 4;
        if DRAFT_CAPACITY_BYTES - self.len < LONGEST {
            self.flush();
        }
        // As many bytes for each card, so that nothing is called to copy them.
        let (field, length) = CARD_FIELDS[card.index()];
        self.bytes[self.len..][..LONGEST].copy_from_slice(&field);
        self.len += length;
    }

    /// Formatted without `write!`, which takes several times as long.
    fn put_number(&mut self, number: Chips) {
        let mut digits = [0; 10];
        let (mut at, mut rest) = (digits.len(), number);
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break self.put(&digits[at..]);
            }
        }
    }

    fn flush(&mut self) {
        self.to.put_slice(&self.bytes[..self.len]);
        self.len = 0;
    }
}

/// Each card as a field of a command, and how many bytes that is.
const CARD_FIELDS: [([u8; 4], usize); 52] = {
    let mut fields = [([b':', 0, 0, 0], 1); 52];
    let mut card = 0;
    while card < 52 {
        let text = WIRE[card].as_bytes();
        let (field, length) = &mut fields[card];
        while *length <= text.len() {
            field[*length] = text[*length - 1];
            *length += 1;
        }
        card += 1;
    }
    fields
};

/// A command as a player reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The player is asked who it is.
    Login,
    /// The player is asked to fold or to bet.
    Question(OwnedQuestion),
    /// A round has ended.
    Status(Status),
    /// The player is out of the game; the text says why.
    Done(String),
}

/// A [`Question`] that owns its cards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedQuestion {
    street: Street,
    bounds: Bounds,
    pot: Chips,
    hole: Card,
    up: Vec<Card>,
    board: Vec<Card>,
}

impl OwnedQuestion {
    /// Borrows it as a question.
    pub fn as_question(&self) -> Question<'_> {
        let OwnedQuestion { street, bounds, pot, hole, .. } = *self;
        Question { street, bounds, pot, hole, up: &self.up, board: &self.board }
    }
}

impl From<Question<'_>> for OwnedQuestion {
    fn from(question: Question<'_>) -> OwnedQuestion {
        let Question { street, bounds, pot, hole, up, board } = question;
        OwnedQuestion { street, bounds, pot, hole, up: up.to_vec(), board: board.to_vec() }
    }
}

/// The error of a text that is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{}\" is no command of this game", excerpt(text))]
pub struct ParseCommandError {
    text: String,
}

impl Command {
    /// Reads a command. The protocol does not contain the maximum raise, so `raise_cap` supplies it, in chips.
    pub fn read(text: &str, raise_cap: Chips) -> Result<Command, ParseCommandError> {
        let read = || match text.split_once(':') {
            None if text == "login" => Some(Command::Login),
            Some(("done", reason)) => Some(Command::Done(reason.to_string())),
            Some(("status", fields)) => read_status(fields).map(Command::Status),
            Some(("bet1", fields)) => read_question(Street::First, fields, raise_cap).map(Command::Question),
            Some(("bet2", fields)) => read_question(Street::Second, fields, raise_cap).map(Command::Question),
            _ => None,
        };
        read().ok_or_else(|| ParseCommandError { text: text.to_string() })
    }
}

fn read_status(fields: &str) -> Option<Status> {
    let mut fields = fields.split(':');
    let won = match fields.next()? {
        "win" => true,
        "lose" => false,
        _ => return None,
    };
    let mut hand = [None; 3];
    for card in &mut hand {
        *card = match fields.next()? {
            "none" => None,
            text => Some(Notation::Wire.parse(text).ok()?),
        };
    }
    fields.next().is_none().then_some(Status { won, hand })
}

fn read_question(street: Street, fields: &str, raise_cap: Chips) -> Option<OwnedQuestion> {
    let mut fields = fields.split(':');
    let mut number = || fields.next()?.parse::<Chips>().ok();
    let (stack, pot, to_call) = (number()?, number()?, number()?);
    let mut card = || Notation::Wire.parse(fields.next()?).ok();
    let hole = card()?;
    let up = (0..street.up_cards()).map(|_| card()).collect::<Option<Vec<Card>>>()?;
    (fields.next()? == "up").then_some(())?;
    let board = fields.map(|text| Notation::Wire.parse(text).ok()).collect::<Option<Vec<Card>>>()?;
    let whole = !board.is_empty() && board.len() % street.up_cards() == 0;
    whole.then_some(OwnedQuestion {
        street,
        bounds: Bounds { to_call, raise_cap, stack },
        pot,
        hole,
        up,
        board,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cards(text: &str) -> Vec<Card> {
        text.split(':').map(|card| card.parse().unwrap()).collect()
    }

    fn text_of(frame: &[u8]) -> &str {
        assert_eq!(usize::from(u16::from_be_bytes([frame[0], frame[1]])), frame.len() - 2);
        std::str::from_utf8(&frame[2..]).unwrap()
    }

    fn written(question: &Question<'_>) -> String {
        let mut to = BytesMut::new();
        write_question(question, &mut to);
        text_of(&to).to_string()
    }

    /// The document's three commands; its `bet2` has a card `AQ` that does not exist, here `AD`.
    #[test]
    fn the_documents_commands() {
        for text in [
            "bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C",
            "bet1:188:68:5:KS:10D:up:AS:8H:10D:QD:2C",
            "bet2:183:66:0:KS:10D:10S:up:AS:AD:8H:6D:10D:4S:QD:JC:2C:4H",
        ] {
            let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!("{text}") };
            assert_eq!(written(&question.as_question()), text);
            assert_eq!(question_text(&question.as_question()), text);
        }
        let Ok(Command::Question(first)) = Command::read("bet1:208:24:12:KS:10D:up:AS:8H:10D:QD:2C", 10)
        else {
            panic!("a question")
        };
        let question = first.as_question();
        assert_eq!((question.bounds.stack, question.pot, question.bounds.to_call), (208, 24, 12));
        assert_eq!((question.bounds.most(), question.players_shown()), (22, 5));
        assert_eq!(question.board, cards("AS:8H:10D:QD:2C"));
        assert_eq!(question.others().count(), 4);
        // Two cards for each of them on the second street.
        let second = "bet2:183:66:0:KS:10D:10S:up:AS:AD:8H:6D:10D:4S:QD:JC:2C:4H";
        let Ok(Command::Question(second)) = Command::read(second, 10) else { panic!("a question") };
        assert_eq!((second.as_question().players_shown(), second.as_question().others().count()), (5, 5));
    }

    #[test]
    fn status_always_has_three_card_fields() {
        let hand = cards("KS:10D:2C");
        for (won, last, text) in
            [(true, Some(hand[2]), "status:win:KS:10D:2C"), (false, None, "status:lose:KS:10D:none")]
        {
            let status = Status { won, hand: [Some(hand[0]), Some(hand[1]), last] };
            assert_eq!(status_text(&status), text);
            assert_eq!(Command::read(text, 10), Ok(Command::Status(status)));
        }
        for text in
            ["status:draw:KS:10D:2C", "status:win:KS:10D", "status:win:KS:10D:2C:3C", "status:win:KS:10D:"]
        {
            assert!(Command::read(text, 10).is_err(), "{text}");
        }
    }

    /// R13: each player on the board shows one up card in `bet1` and two in `bet2`, and the board is not empty.
    #[test]
    fn a_question_shows_whole_players() {
        for (text, is_one) in [
            ("bet1:9:3:0:KS:10D:up:10D", true),
            ("bet1:9:3:0:KS:10D:up", false),
            ("bet2:9:3:0:KS:10D:2C:up:10D:2C", true),
            ("bet2:9:3:0:KS:10D:2C:up:10D:2C:3C", false),
            ("bet2:9:3:0:KS:10D:2C:up", false),
        ] {
            assert_eq!(Command::read(text, 10).is_ok(), is_one, "{text}");
        }
    }

    #[test]
    fn invalid_commands_are_quoted() {
        assert_eq!(Command::read("login", 10), Ok(Command::Login));
        for text in ["", "logout", "Login", "bet3:9:3:0:KS:10D:up:10D"] {
            let error = Command::read(text, 10).unwrap_err().to_string();
            assert_eq!(error, format!("\"{text}\" is no command of this game"));
        }
    }

    /// Several commands can wait for one write, and each has its own length prefix.
    #[test]
    fn commands_stand_one_after_the_other() {
        let hand = cards("KS:10D:2C");
        let (status, done) = (Status { won: false, hand: [Some(hand[0]), None, None] }, "Bye: é.");
        let mut to = BytesMut::new();
        write_login(&mut to);
        write_status(&status, &mut to);
        write_done(done, &mut to);
        let mut texts = Vec::new();
        while !to.is_empty() {
            let length = usize::from(u16::from_be_bytes([to[0], to[1]]));
            texts.push(modified_utf8::decode(&to.split_to(2 + length)[2..]).unwrap());
        }
        assert_eq!(texts, ["login", "status:lose:KS:none:none", "done:Bye: é."]);
        assert_eq!(texts[1..], [status_text(&status), done_text(done)]);
    }

    #[test]
    fn a_long_reason_is_cut() {
        assert_eq!(Command::read("done:a:b", 10), Ok(Command::Done("a:b".to_string())));
        let mut to = BytesMut::new();
        write_done(&"ü".repeat(70_000), &mut to);
        assert_eq!(to.len(), 2 + 5 + 8_000);
    }

    proptest! {
        #[test]
        fn numbers_are_written_as_display_writes_them(number in any::<Chips>()) {
            let mut to = BytesMut::new();
            framed(&mut to, |draft| draft.put_number(number));
            prop_assert_eq!(text_of(&to), number.to_string());
        }

        /// Also where they do not fit into the space they are gathered in.
        #[test]
        fn parts_of_any_length_get_into_the_frame_in_order(
            parts in prop::collection::vec((0..300usize, prop::option::of(0..52usize)), 0..90),
        ) {
            let (mut to, mut expected) = (BytesMut::new(), String::new());
            framed(&mut to, |draft| {
                for (length, card) in parts {
                    let part = "x".repeat(length);
                    draft.put(part.as_bytes());
                    expected += &part;
                    if let Some(card) = card.map(|index| Card::ALL[index]) {
                        draft.put_card(card);
                        expected += &format!(":{}", Notation::Wire.write(card));
                    }
                }
            });
            prop_assert_eq!(text_of(&to), expected);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "(bet[12]|status|done|login)?(:(up|[0-9]{0,11}|10[SHDC]|[2-9JQKA][SHDC]|win|none)){0,14}|.{0,40}") {
            if let Ok(Command::Question(question)) = Command::read(&text, 10) {
                let again = Command::read(&written(&question.as_question()), 10);
                prop_assert_eq!(again, Ok(Command::Question(question)));
            }
        }
    }
}
