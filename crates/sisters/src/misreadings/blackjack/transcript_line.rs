//! The lines of a transcript as values.

use std::collections::{HashMap, HashSet};
use std::mem::discriminant;

use casino_stud::cards::{Card, Rank, Suit};

/// A line of a transcript. Amounts are chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum GameLine {
    Shuffling,
    Cut(i64),
    Hand { number: i64, bankroll: i64 },
    Bet(i64),
    Player(Card),
    Dealer(Card),
    Natural,
    PlayerTotal(i64),
    PlayerBusts,
    Hole(Card),
    DealerTotal(i64),
    DealerBusts,
    DealerWins,
    PlayerWins,
    Push,
    Over { bankroll: i64, hands: i64 },
}

impl GameLine {
    /// The line as the document prints it.
    pub(super) fn line(self) -> String {
        let dealt =
            |what: &str, card: Card| format!("{what} {} of {}", card.rank().word(), card.suit().word());
        match self {
            GameLine::Shuffling => "Shuffling the deck".into(),
            GameLine::Cut(cut) => format!("cut at {cut}"),
            GameLine::Hand { number, bankroll } => {
                format!("Hand {number} bankroll {bankroll}")
            }
            GameLine::Bet(bet) => format!("Player bets {bet}"),
            GameLine::Player(card) => dealt("Player dealt", card),
            GameLine::Dealer(card) => dealt("Dealer dealt", card),
            GameLine::Natural => "Player dealt natural 21".into(),
            GameLine::PlayerTotal(total) => format!("Player's total is {total}"),
            GameLine::PlayerBusts => "Player busts".into(),
            GameLine::Hole(card) => dealt("Dealer's hole card is", card),
            GameLine::DealerTotal(total) => format!("Dealer's total is {total}"),
            GameLine::DealerBusts => "Dealer busts".into(),
            GameLine::DealerWins => "Dealer wins".into(),
            GameLine::PlayerWins => "Player wins".into(),
            GameLine::Push => "Push".into(),
            GameLine::Over { bankroll, hands } => {
                format!("Player has {bankroll} after {hands} hands")
            }
        }
    }

    /// Reads a line leniently, and returns whether its text is exact. `None` if the document has no such line.
    pub(super) fn read(line: &str) -> (Option<GameLine>, bool) {
        let lower = line.to_lowercase();
        // A number and a word without a space between them are two words.
        let words: Vec<&str> = lower
            .split(|letter: char| !letter.is_alphanumeric() && letter != '-')
            .flat_map(|word| {
                let is_digit = |letter: char| letter.is_ascii_digit();
                let place = match word.find(is_digit) {
                    Some(0) => word.find(|letter| !is_digit(letter)),
                    first => first.filter(|at| !word[..*at].ends_with('-')),
                };
                let (one, other) = word.split_at(place.unwrap_or(word.len()));
                [one, other]
            })
            .filter(|word| !word.is_empty() && *word != "s")
            .map(spelled)
            .collect();
        let said = GameLine::of(&words);
        (said, said.is_some_and(|said| said.line() == line))
    }

    /// Whether the line names a card.
    fn names_card(self) -> bool {
        self.card().is_some() || matches!(self, GameLine::Hole(_))
    }

    /// The card that is dealt face up.
    pub(super) fn card(self) -> Option<Card> {
        match self {
            GameLine::Player(card) | GameLine::Dealer(card) => Some(card),
            _ => None,
        }
    }

    /// Whether two lines are the same in the game: over 21 any total may be printed (Blackjack document, III.2), and a card
    /// face up is the same card in whichever words it is dealt.
    pub(super) fn is_same_play(self, other: GameLine) -> bool {
        match (self, other) {
            (GameLine::PlayerTotal(22..), GameLine::PlayerTotal(22..))
            | (GameLine::DealerTotal(22..), GameLine::DealerTotal(22..)) => true,
            _ if self.card().is_some() => self.card() == other.card(),
            _ => self == other,
        }
    }

    /// The result of a hand with these totals, of which the player's is at most 21, and how often the bet is won.
    pub(super) fn result(player: u32, dealer: u32) -> (GameLine, i64) {
        match dealer {
            22.. => (GameLine::DealerBusts, 1),
            _ if dealer > player => (GameLine::DealerWins, -1),
            _ if dealer < player => (GameLine::PlayerWins, 1),
            _ => (GameLine::Push, 0),
        }
    }

    /// The line with these words, by those that matter in it.
    fn of(words: &[&str]) -> Option<GameLine> {
        let has = |stem: &str| words.iter().any(|word| word.starts_with(stem));
        let numbers: Vec<i64> = words.iter().filter_map(|word| word.parse().ok()).collect();
        let is_player = words.first() == Some(&"player");
        let is_dealer = words.first() == Some(&"dealer");
        if let Some(at) = words.iter().position(|word| *word == "of") {
            let card = card(words.get(at.checked_sub(1)?)?, words.get(at + 1)?)?;
            return match (has("hole"), is_player, is_dealer) {
                (true, ..) => Some(GameLine::Hole(card)),
                (_, true, _) => Some(GameLine::Player(card)),
                (_, _, true) => Some(GameLine::Dealer(card)),
                _ => None,
            };
        }
        Some(match numbers[..] {
            [] if has("shuffl") => GameLine::Shuffling,
            [cut] if has("cut") => GameLine::Cut(cut),
            [_] | [] if is_player && has("natural") => GameLine::Natural,
            [bankroll, hands] if is_player && has("after") => GameLine::Over { bankroll, hands },
            [number, bankroll] if has("hand") => GameLine::Hand { number, bankroll },
            [bet] if is_player && has("bet") => GameLine::Bet(bet),
            [total] if is_player && has("total") => GameLine::PlayerTotal(total),
            [total] if is_dealer && has("total") => GameLine::DealerTotal(total),
            [] if is_player && has("bust") => GameLine::PlayerBusts,
            [] if is_dealer && has("bust") => GameLine::DealerBusts,
            [] if is_player && has("win") => GameLine::PlayerWins,
            [] if is_dealer && has("win") => GameLine::DealerWins,
            [] if has("push") || words == ["tie"] => GameLine::Push,
            _ => return None,
        })
    }
}

/// The words that decide about a line.
const WORDS: &str =
    "player dealer dealt shuffling cut hand bankroll natural total busts wins push hole after bets";

/// A word of the document that has the same letters but one or two, or the word itself.
fn spelled(word: &str) -> &str {
    let letters = |word: &str| -> [i32; 26] {
        let mut counts = [0; 26];
        word.bytes()
            .filter(u8::is_ascii_lowercase)
            .for_each(|letter| counts[usize::from(letter - b'a')] += 1);
        counts
    };
    let known = |known: &&str| {
        let differences: i32 =
            letters(word).iter().zip(letters(known)).map(|(one, other)| (one - other).abs()).sum();
        differences <= if known.len() < 6 { 1 } else { 2 }
    };
    WORDS.split(' ').find(known).unwrap_or(word)
}

/// A line of a transcript that the document has, with its number from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadLine {
    pub(super) line: usize,
    pub(super) said: GameLine,
}

/// Reads a transcript: the lines that the document has, and the first line whose text is not exactly the document's.
pub(super) fn read_lines(text: &str) -> (Vec<ReadLine>, Option<usize>) {
    // Most lines are there again and again.
    let mut known = HashMap::new();
    let mut exact_kinds = HashSet::new();
    let mut all = Vec::new();
    for (line, words) in text.split_terminator('\n').enumerate() {
        let (said, is_exact) = *known.entry(words).or_insert_with(|| GameLine::read(words));
        if let Some(said) = said.filter(|said| is_exact && !said.names_card()) {
            exact_kinds.insert(discriminant(&said));
        }
        all.push((ReadLine { line, said: said.unwrap_or(GameLine::Push) }, said.is_some(), is_exact));
    }
    // An incomplete last line is not a misspelled one.
    if !text.ends_with('\n') && all.last().is_some_and(|(.., is_exact)| !is_exact) {
        all.pop();
    }
    let first_inexact = all.iter().find(|(.., is_exact)| !is_exact).map(|(read, ..)| read.line);
    // Beside exact lines of its kind, an inexact one is an additional line.
    let lines = all.into_iter().filter(|(read, is_known, is_exact)| {
        *is_exact || *is_known && !exact_kinds.contains(&discriminant(&read.said))
    });
    let (lines, doubled) = without_doubles(lines.map(|(read, ..)| read).collect());
    (lines, first_inexact.into_iter().chain(doubled).min())
}

/// The lines without those that are printed a second time in a hand and totals before further cards, and the first of these.
fn without_doubles(lines: Vec<ReadLine>) -> (Vec<ReadLine>, Option<usize>) {
    let runs: Vec<&[ReadLine]> = lines.chunk_by(|one, other| one.said == other.said).collect();
    let single = runs.iter().filter(|run| run.len() % 2 == 1).map(|run| discriminant(&run[0].said));
    let single: HashSet<_> = single.collect();
    let (mut kept, mut doubled): (Vec<ReadLine>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut of_hand: HashSet<GameLine> = HashSet::new();
    for (at, run) in runs.iter().enumerate() {
        let said = run[0].said;
        let begins = matches!(said, GameLine::Hand { .. }) && !of_hand.contains(&said);
        if begins {
            of_hand.clear();
        }
        let is_new = !of_hand.contains(&said);
        let cards = of_hand.iter().filter(|line| line.card().is_some()).count();
        let stays = match (said, runs.get(at + 1).map(|next| next[0].said)) {
            (
                GameLine::PlayerTotal(_),
                Some(GameLine::Player(_) | GameLine::PlayerTotal(_) | GameLine::Natural),
            ) => 0,
            (GameLine::PlayerTotal(_), Some(GameLine::Dealer(_))) if cards < 2 => 0,
            (GameLine::DealerTotal(_), Some(GameLine::Dealer(_))) => 0,
            (GameLine::Shuffling, _) => 1,
            // Two equal cuts may follow each other, and a card that is dealt again is a fault: but not if all are doubled.
            _ if said.names_card() || matches!(said, GameLine::Cut(_)) => {
                if single.contains(&discriminant(&said)) { run.len() } else { run.len() / 2 }
            }
            _ => usize::from(is_new),
        };
        // Without a line that begins a hand, only lines that follow each other are doubled.
        of_hand.extend(Some(said).filter(|_| stays > 0 && (begins || !of_hand.is_empty())));
        kept.extend(&run[..stays]);
        doubled.extend(run[stays..].iter().map(|line| line.line));
    }
    (kept, doubled.into_iter().min())
}

fn card(spot: &str, suit: &str) -> Option<Card> {
    let rank = Rank::ALL.into_iter().enumerate().find(|(at, rank)| {
        rank.word().eq_ignore_ascii_case(spot)
            || (at + 2).to_string() == spot && *at < 9
            || *at >= 8 && spot.len() == 1 && rank.word().to_lowercase().starts_with(spot)
    });
    let suit = Suit::ALL.into_iter().find(|known| known.word().eq_ignore_ascii_case(suit));
    Some(Card::new(rank?.1, suit?))
}

#[cfg(test)]
mod tests {
    use super::super::written::AskedGame;
    use super::*;

    #[test]
    fn lines_that_are_printed_twice_are_read_once() {
        let right = AskedGame::simple(100, 40).transcript();
        let kinds =
            "Shuffling|cut|Hand|Player bets|Player dealt|Dealer dealt|Player's|Dealer wins".split('|');
        let doubled = kinds.map(|kind| {
            let line = |line: &str| line.repeat(1 + usize::from(line.starts_with(kind)));
            (right.split_inclusive('\n').map(line).collect::<String>(), right.find(kind))
        });
        let is_card = |line: &str| line.starts_with("Player dealt") && !line.contains("natural");
        let total = |line| if is_card(line) { format!("{line}Player's total is 12\n") } else { line.into() };
        let after_each_card = right.split_inclusive('\n').map(total).collect::<String>();
        let soft = "Hand 1 bankroll 9\nPlayer's total is 12\nPlayer dealt Ten of Clubs\nPlayer's total is 12\nPush\n";
        assert_eq!(read_lines(soft).0.len(), 4);
        let again = right.replace("Dealer wins\n", "Dealer wins\nPlayer bets 5\n");
        for (text, first) in doubled.chain([(after_each_card, None), (again, None)]) {
            let (lines, inexact) = read_lines(&text);
            let lines: String = lines.iter().map(|read| format!("{}\n", read.said.line())).collect();
            assert!(lines == right, "{text}");
            let line = |at: usize| right[..at].matches('\n').count() + 1;
            assert!(inexact.is_some() && (first.is_none() || inexact == first.map(line)), "{text}");
        }
        // One card that is dealt again is no additional line.
        let again = "Player dealt Two of Hearts\n".repeat(2) + "Player dealt Ace of Clubs\n";
        assert_eq!(read_lines(&again).0.len(), 3);
        assert_eq!(read_lines("cut at 5\ncut at 5\ncut at 6\n").0.len(), 3);
    }

    #[test]
    fn lines_are_read_leniently_and_their_text_is_judged() {
        let two = Some(GameLine::Player(Card::new(Rank::Deuce, Suit::Hearts)));
        assert_eq!(GameLine::read("Player dealt Two of Hearts"), (two, true));
        for line in [
            "Player dealt Two of Hearts\r",
            "Player dealt  Two of Hearts ",
            "player dealt two of hearts",
            "Player dealt 2 of Hearts",
            "Palyer dealt Two of Hearts",
            "Player is deal Two of Hearts",
        ] {
            assert_eq!(GameLine::read(line), (two, false), "{line}");
        }
        let over = Some(GameLine::Over { bankroll: 105, hands: 3 });
        assert_eq!(GameLine::read("lPayer has 105 after 3 hands"), (over, false));
        assert_eq!(GameLine::read("Player has105 after 3hands"), (over, false));
        assert_eq!(GameLine::read("Player busts!"), (Some(GameLine::PlayerBusts), false));
        assert_eq!(GameLine::read("count = 3"), (None, false));
        assert_eq!(GameLine::read("Player's total is 12"), (Some(GameLine::PlayerTotal(12)), true));
        assert_eq!(
            GameLine::read("Player has -3 after 2 hands").0,
            Some(GameLine::Over { bankroll: -3, hands: 2 })
        );
        assert_eq!(GameLine::read("").0, None);
    }
}
