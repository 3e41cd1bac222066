//! From which number a program makes amounts that are not allowed: another copy is asked questions in which no number is near
//! another, and what it bets shows which one it took.

use casino_stud::stud::{Chips, Seat};
use casino_stud::table::{Answer, Fault, Reply, Status};
use casino_stud::tournament::TableGame;

use super::evidence::{AskedQuestion, Evidence, TakenFor};
use super::rounds::{self, ProgramSubject};
use crate::scenario::scripted_table::Subject;

/// So many bets have to be made from a number before that is said.
const ENOUGH: usize = 4;

/// So many of them have to be more than the number that was to be taken, or less.
const WRONG: usize = 3;

/// The numbers of a question that was asked, and the bet that came, if it was one.
#[derive(Clone, Copy, Debug)]
struct AskedNumbers {
    pot: Chips,
    to_call: Chips,
    raise_cap: Chips,
    bet: Option<Chips>,
}

impl AskedNumbers {
    /// Whether the bet is this number, or a raise on it.
    fn is_made_from(&self, number: Chips) -> bool {
        self.bet.is_none_or(|bet| (number..=number.saturating_add(self.raise_cap)).contains(&bet))
    }
}

impl TakenFor {
    const ALL: [TakenFor; 4] =
        [TakenFor::Pot, TakenFor::EarlierQuestion(1), TakenFor::EarlierQuestion(2), TakenFor::FirstQuestion];

    /// The number at that question, if there was one by then.
    fn number(self, asked: &[AskedNumbers], at: usize) -> Option<Chips> {
        let question = match self {
            TakenFor::Pot => return Some(asked[at].pot),
            TakenFor::EarlierQuestion(before) => at.checked_sub(before)?,
            TakenFor::FirstQuestion => Some(0).filter(|_| at > 0)?,
        };
        Some(asked[question].to_call)
    }

    /// Whether an amount may be made in this way. What was asked before is not known of a single one.
    pub(super) fn explains(self, chips: Chips, question: &AskedQuestion) -> bool {
        let made = question.pot..=question.pot.saturating_add(question.bounds.raise_cap);
        self != TakenFor::Pot || made.contains(&chips)
    }
}

/// Asks a program that has logged in, beginning with the question of this number. From which number its bets are made, if it is
/// just one, and not what is to call.
///
/// # Errors
/// What goes wrong with it but for its amounts.
pub(super) fn taken_for_what_is_to_call(
    program: ProgramSubject<'_>,
    first: usize,
) -> Result<Option<TakenFor>, Evidence> {
    let mut recording = RecordingSubject { program, asked: Vec::new() };
    for round in rounds::with_numbers_apart(first) {
        round.play(&mut recording)?;
    }
    Ok(taken(&recording.asked))
}

fn taken(asked: &[AskedNumbers]) -> Option<TakenFor> {
    let fits = |taken: &TakenFor| {
        let known = (0..asked.len()).filter_map(|at| Some((asked[at], taken.number(asked, at)?)));
        let bets: Vec<_> = known.filter(|(question, _)| question.bet.is_some()).collect();
        let wrong = bets.iter().filter(|(question, _)| !question.is_made_from(question.to_call)).count();
        bets.len() >= ENOUGH
            && wrong >= WRONG
            && bets.iter().all(|(question, number)| question.is_made_from(*number))
    };
    let mut fitting = TakenFor::ALL.into_iter().filter(fits);
    let taken = fitting.next()?;
    fitting.next().is_none().then_some(taken)
}

/// The program, whose amounts are written down, and which is taken to have folded where one is not allowed: nobody tells it.
struct RecordingSubject<'a> {
    program: ProgramSubject<'a>,
    asked: Vec<AskedNumbers>,
}

impl Subject for RecordingSubject<'_> {
    type Stop = Evidence;

    fn answer(&mut self, game: &TableGame, seat: Seat) -> Result<Answer, Evidence> {
        let question = game.table().question(seat);
        let (pot, bounds) = (question.pot, question.bounds);
        let (answer, bet) = match self.program.answer(game, seat) {
            Ok(Ok(Reply::Bet(chips))) => (Ok(Reply::Bet(chips)), Some(chips)),
            Ok(other) => (other, None),
            Err(Evidence::Amount { chips, .. }) => (Ok(Reply::Fold), Some(chips)),
            Err(other) => return Err(other),
        };
        let numbers = AskedNumbers { pot, to_call: bounds.to_call, raise_cap: bounds.raise_cap, bet };
        self.asked.push(numbers);
        Ok(answer)
    }

    fn status(&mut self, status: &Status) -> Result<(), Fault> {
        self.program.status(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::scripted_table::Subject;

    /// Bets what a function makes of the questions so far, pots and what was to call.
    struct Bets<F> {
        asked: Vec<AskedNumbers>,
        bet: F,
    }

    impl<F: Fn(&[AskedNumbers]) -> Option<Chips>> Subject for Bets<F> {
        type Stop = Evidence;

        fn answer(&mut self, game: &TableGame, seat: Seat) -> Result<Answer, Evidence> {
            let question = game.table().question(seat);
            let (pot, bounds) = (question.pot, question.bounds);
            let (to_call, raise_cap) = (bounds.to_call, bounds.raise_cap);
            self.asked.push(AskedNumbers { pot, to_call, raise_cap, bet: None });
            let bet = (self.bet)(&self.asked);
            self.asked.last_mut().unwrap().bet = bet;
            Ok(Ok(bet.filter(|bet| bounds.bet(*bet).is_ok()).map_or(Reply::Fold, Reply::Bet)))
        }

        fn status(&mut self, _: &Status) -> Result<(), Fault> {
            Ok(())
        }
    }

    fn shown(bet: impl Fn(&[AskedNumbers]) -> Option<Chips>) -> Option<TakenFor> {
        let [one, other] = [0, 1].map(|first| {
            let mut bets = Bets { asked: Vec::new(), bet: &bet };
            for round in rounds::with_numbers_apart(first) {
                round.play(&mut bets).unwrap();
            }
            taken(&bets.asked)
        });
        one.filter(|_| one == other)
    }

    #[test]
    fn the_number_is_named_that_every_bet_is_made_from() {
        let earlier = |before: usize| {
            move |asked: &[AskedNumbers]| Some(asked[asked.len().saturating_sub(before + 1)].to_call)
        };
        assert_eq!(shown(|asked| Some(asked.last()?.pot)), Some(TakenFor::Pot));
        assert_eq!(shown(|asked| Some(asked.last()?.pot + asked.len() as Chips)), Some(TakenFor::Pot));
        assert_eq!(shown(earlier(1)), Some(TakenFor::EarlierQuestion(1)));
        assert_eq!(shown(earlier(2)), Some(TakenFor::EarlierQuestion(2)));
        assert_eq!(shown(|asked| Some(asked[0].to_call + 3)), Some(TakenFor::FirstQuestion));
    }

    #[test]
    fn nothing_is_named_that_not_every_bet_is_made_from() {
        assert_eq!(shown(|asked| Some(asked.last()?.to_call)), None, "it is right");
        assert_eq!(shown(|asked| Some(asked.last()?.to_call + 20)), None);
        for always in [0, 1, 10, 13, 47] {
            assert_eq!(shown(|_| Some(always)), None, "it always bets {always}");
        }
        assert_eq!(shown(|_| None), None, "it folds");
        let now_and_then = |asked: &[AskedNumbers]| (asked.len() < 4).then_some(asked.last()?.pot);
        assert_eq!(shown(now_and_then), None, "these are too few");
        let once_not = |asked: &[AskedNumbers]| {
            let last = asked.last()?;
            Some(if asked.len() == 5 { last.to_call } else { last.pot })
        };
        assert_eq!(shown(once_not), None);
    }

    /// Otherwise a bet could be made from two of them.
    #[test]
    fn no_number_of_these_questions_is_near_another() {
        for first in [0, 1] {
            let last = |asked: &[AskedNumbers]| Some(asked.last()?.to_call);
            let mut bets = Bets { asked: Vec::new(), bet: last };
            let rounds = rounds::with_numbers_apart(first);
            for round in &rounds {
                round.play(&mut bets).unwrap();
            }
            let far = |one: Chips, other: Chips| one.abs_diff(other) > 10;
            assert_eq!(bets.asked.len(), rounds.len());
            for (at, asked) in bets.asked.iter().enumerate() {
                let before = at.checked_sub(1).map(|before| bets.asked[before].to_call);
                assert!(far(asked.pot, asked.to_call), "{at}: {asked:?}");
                assert!(before.is_none_or(|before| far(before, asked.to_call)), "{at}: {asked:?}");
            }
        }
    }
}
