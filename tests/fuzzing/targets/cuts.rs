//! Any text as a file of cuts for Blackjack, and the game that is played with them.

use std::collections::BTreeSet;

use casino_sisters::blackjack::{BlackjackLine, BlackjackPlayer, Counting, Cut, Simple, play, read_cuts};

use super::check;
use super::dice::Dice;

const WHITE: fn(char) -> bool = char::is_whitespace;

/// The cuts of a text letter by letter, or the line of the first word that is none. `None` if there are none.
fn expected(text: &str) -> Result<Vec<usize>, Option<usize>> {
    let (mut cuts, mut word, mut line, mut in_comment) = (Vec::new(), String::new(), 1, false);
    for letter in text.chars().chain(['\n']) {
        if !in_comment && !WHITE(letter) && letter != '#' {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            let digits = word.trim_start_matches('+').trim_start_matches('0');
            let plain = word.bytes().all(|byte| byte.is_ascii_digit());
            let signed = word.starts_with('+') && word[1..].bytes().all(|byte| byte.is_ascii_digit());
            let cut = (13..=39).find(|cut: &usize| (plain || signed) && cut.to_string() == digits);
            cuts.push(cut.ok_or(Some(line))?);
            word.clear();
        }
        in_comment = letter != '\n' && (in_comment || letter == '#');
        line += usize::from(letter == '\n');
    }
    if cuts.is_empty() { Err(None) } else { Ok(cuts) }
}

pub fn body(input: &[u8]) {
    let mut dice = Dice::of(input);
    let (bankroll, hands) = (1 + dice.below(10_000) as u32, dice.below(64) as u32);
    let text = String::from_utf8_lossy(dice.rest());
    match (read_cuts(&text), expected(&text)) {
        (Ok(cuts), Ok(numbers)) => {
            assert!(cuts.iter().map(|cut| cut.left()).eq(numbers));
            game(bankroll, hands, Simple, &cuts);
            game(bankroll, hands, Counting::default(), &cuts);
        }
        (Err(error), Err(line)) => {
            let words = error.to_string();
            check::sentence(&words);
            if let Some(line) = line {
                assert!(words.starts_with(&format!("line {line}:")), "line {line}, not: {words}");
            }
        }
        (found, wanted) => panic!("{found:?}, not {wanted:?}"),
    }
}

/// Plays and follows the transcript: no card is there twice between two shuffles, and every chip is accounted for.
fn game(bankroll: u32, hands: u32, player: impl BlackjackPlayer, cuts: &[Cut]) {
    let (mut seen, mut used, mut played, mut chips, mut wager) = (BTreeSet::new(), 0, 0, bankroll, 0);
    let closing = play(bankroll, hands, player, cuts.iter().copied(), |line| match line {
        BlackjackLine::Shuffling => seen.clear(),
        BlackjackLine::Cut(cut) => {
            assert_eq!(cut, cuts[used], "the cuts are used in their order");
            used += 1;
        }
        BlackjackLine::Hand { number, bankroll } => {
            played += 1;
            assert_eq!((number, bankroll), (played, chips));
        }
        BlackjackLine::Bet(bet) => {
            assert!((5..=chips).contains(&bet), "bet {bet} of {chips}");
            wager = bet;
        }
        BlackjackLine::PlayerDealt(card)
        | BlackjackLine::DealerDealt(card)
        | BlackjackLine::HoleCard(card) => {
            assert!(seen.insert(card.index()), "{card} twice in one deck");
        }
        BlackjackLine::Natural => chips += wager + wager / 2,
        BlackjackLine::PlayerBusts | BlackjackLine::DealerWins => chips -= wager,
        BlackjackLine::DealerBusts | BlackjackLine::PlayerWins => chips += wager,
        BlackjackLine::PlayerTotal(total) | BlackjackLine::DealerTotal(total) => {
            assert!((4..=31).contains(&total))
        }
        BlackjackLine::Push => {}
        BlackjackLine::Over { bankroll, hands } => assert_eq!((bankroll, hands), (chips, played)),
    });
    match closing {
        Ok(closing) => {
            assert_eq!((closing.bankroll, closing.hands), (chips, played));
            assert!(closing.hands == hands || chips < 5, "stopped after {played} of {hands} hands");
        }
        Err(error) => {
            assert_eq!(used, cuts.len(), "not all cuts were used");
            check::sentence(&error.to_string());
        }
    }
}
