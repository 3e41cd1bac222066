//! The lines of a transcript as values.

use std::collections::{HashMap, HashSet};
use std::mem::discriminant;

use casino_stud::cards::{Card, Rank, Suit};

use crate::blackjack::BlackjackLine;

/// Reads a line leniently, and returns whether its text is exact. `None` if the document has no such line.
fn read_line(line: &str) -> (Option<BlackjackLine>, bool) {
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
    let said = line_of(&words);
    (said, said.is_some_and(|said| said.to_string() == line))
}

/// Whether the line names a card.
fn names_card(line: BlackjackLine) -> bool {
    line.card().is_some() || matches!(line, BlackjackLine::HoleCard(_))
}

/// Whether two lines are the same in the game: over 21 any total may be printed (Blackjack document, III.2), and a card
/// face up is the same card in whichever words it is dealt.
pub(super) fn is_same_play(one: BlackjackLine, other: BlackjackLine) -> bool {
    match (one, other) {
        (BlackjackLine::PlayerTotal(22..), BlackjackLine::PlayerTotal(22..))
        | (BlackjackLine::DealerTotal(22..), BlackjackLine::DealerTotal(22..)) => true,
        _ if one.card().is_some() => one.card() == other.card(),
        _ => one == other,
    }
}

/// The line with these words, by those that matter in it.
fn line_of(words: &[&str]) -> Option<BlackjackLine> {
    let has = |stem: &str| words.iter().any(|word| word.starts_with(stem));
    let numbers: Vec<i64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let is_player = words.first() == Some(&"player");
    let is_dealer = words.first() == Some(&"dealer");
    if let Some(at) = words.iter().position(|word| *word == "of") {
        let card = card(words.get(at.checked_sub(1)?)?, words.get(at + 1)?)?;
        return match (has("hole"), is_player, is_dealer) {
            (true, ..) => Some(BlackjackLine::HoleCard(card)),
            (_, true, _) => Some(BlackjackLine::PlayerDealt(card)),
            (_, _, true) => Some(BlackjackLine::DealerDealt(card)),
            _ => None,
        };
    }
    Some(match numbers[..] {
        [] if has("shuffl") => BlackjackLine::Shuffling,
        [cut] if has("cut") => BlackjackLine::Cut(cut),
        [_] | [] if is_player && has("natural") => BlackjackLine::Natural,
        [bankroll, hands] if is_player && has("after") => BlackjackLine::Over { bankroll, hands },
        [number, bankroll] if has("hand") => BlackjackLine::Hand { number, bankroll },
        [bet] if is_player && has("bet") => BlackjackLine::Bet(bet),
        [total] if is_player && has("total") => BlackjackLine::PlayerTotal(total),
        [total] if is_dealer && has("total") => BlackjackLine::DealerTotal(total),
        [] if is_player && has("bust") => BlackjackLine::PlayerBusts,
        [] if is_dealer && has("bust") => BlackjackLine::DealerBusts,
        [] if is_player && has("win") => BlackjackLine::PlayerWins,
        [] if is_dealer && has("win") => BlackjackLine::DealerWins,
        [] if has("push") || words == ["tie"] => BlackjackLine::Push,
        _ => return None,
    })
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
    pub(super) said: BlackjackLine,
}

/// Reads a transcript: the lines that the document has, and the first line whose text is not exactly the document's.
pub(super) fn read_lines(text: &str) -> (Vec<ReadLine>, Option<usize>) {
    // Most lines are there again and again.
    let mut known = HashMap::new();
    let mut exact_kinds = HashSet::new();
    let mut all = Vec::new();
    for (line, words) in text.split_terminator('\n').enumerate() {
        let (said, is_exact) = *known.entry(words).or_insert_with(|| read_line(words));
        if let Some(said) = said.filter(|said| is_exact && !names_card(*said)) {
            exact_kinds.insert(discriminant(&said));
        }
        all.push((ReadLine { line, said: said.unwrap_or(BlackjackLine::Push) }, said.is_some(), is_exact));
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
    let mut of_hand: HashSet<BlackjackLine> = HashSet::new();
    for (at, run) in runs.iter().enumerate() {
        let said = run[0].said;
        let begins = matches!(said, BlackjackLine::Hand { .. }) && !of_hand.contains(&said);
        if begins {
            of_hand.clear();
        }
        let is_new = !of_hand.contains(&said);
        let cards = of_hand.iter().filter(|line| line.card().is_some()).count();
        let stays = match (said, runs.get(at + 1).map(|next| next[0].said)) {
            (
                BlackjackLine::PlayerTotal(_),
                Some(BlackjackLine::PlayerDealt(_) | BlackjackLine::PlayerTotal(_) | BlackjackLine::Natural),
            ) => 0,
            (BlackjackLine::PlayerTotal(_), Some(BlackjackLine::DealerDealt(_))) if cards < 2 => 0,
            (BlackjackLine::DealerTotal(_), Some(BlackjackLine::DealerDealt(_))) => 0,
            (BlackjackLine::Shuffling, _) => 1,
            // Two equal cuts may follow each other, and a card that is dealt again is a fault: but not if all are doubled.
            _ if names_card(said) || matches!(said, BlackjackLine::Cut(_)) => {
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
            let lines: String = lines.iter().map(|read| format!("{}\n", read.said)).collect();
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
        let two = Some(BlackjackLine::PlayerDealt(Card::new(Rank::Deuce, Suit::Hearts)));
        assert_eq!(read_line("Player dealt Two of Hearts"), (two, true));
        for line in [
            "Player dealt Two of Hearts\r",
            "Player dealt  Two of Hearts ",
            "player dealt two of hearts",
            "Player dealt 2 of Hearts",
            "Palyer dealt Two of Hearts",
            "Player is deal Two of Hearts",
        ] {
            assert_eq!(read_line(line), (two, false), "{line}");
        }
        let over = Some(BlackjackLine::Over { bankroll: 105, hands: 3 });
        assert_eq!(read_line("lPayer has 105 after 3 hands"), (over, false));
        assert_eq!(read_line("Player has105 after 3hands"), (over, false));
        assert_eq!(read_line("Player busts!"), (Some(BlackjackLine::PlayerBusts), false));
        assert_eq!(read_line("count = 3"), (None, false));
        assert_eq!(read_line("Player's total is 12"), (Some(BlackjackLine::PlayerTotal(12)), true));
        assert_eq!(
            read_line("Player has -3 after 2 hands").0,
            Some(BlackjackLine::Over { bankroll: -3, hands: 2 })
        );
        assert_eq!(read_line("").0, None);
    }
}
