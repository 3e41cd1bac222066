//! The rounds that are played in each step, at a real table with scripted players around the program.

use std::iter::repeat_n;

use crate::scenario::scripted_table::{AfterFold, Script, ScriptedReply, ScriptedTable, SubjectRound};
use casino_stud::cards::Seed;
use casino_stud::strategies::AwaitedPlayer;
use casino_stud::stud::{Chips, Seat, ShortStack, Street};
use casino_stud::table::{Answer, Fault, Question, Reply, Status, TableSettings};

use super::evidence::{AskedQuestion, Evidence};
use super::step::CheckStep;
use super::wire::Wire;

use ScriptedReply::{BetAtLeast, Call, Fold, RaiseUntilAnswered};

/// The program that takes the steps, at the other end of a wire.
pub(super) struct ProgramSubject<'a> {
    pub(super) wire: &'a mut Wire,
    /// Whether it receives the ends of rounds.
    statuses: bool,
    /// The chips it has put in on each street of the round, without the ante.
    put_in: [Chips; 2],
    /// Its last bet on each street.
    last_bet: [Chips; 2],
    /// The amount to call of its last question in the round.
    last_call: Chips,
}

impl ProgramSubject<'_> {
    pub(super) fn new(wire: &mut Wire, statuses: bool) -> ProgramSubject<'_> {
        ProgramSubject { wire, statuses, put_in: [0; 2], last_bet: [0; 2], last_call: 0 }
    }
}

impl AwaitedPlayer for ProgramSubject<'_> {
    type Stop = Evidence;

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, Evidence> {
        let street = usize::from(question.street == Street::Second);
        let asked = AskedQuestion {
            bounds: question.bounds,
            put_in: self.put_in[street],
            put_in_before: if street == 0 { 0 } else { self.put_in[0] },
            last_bet: self.last_bet[street],
            last_call: self.last_call,
        };
        self.last_call = question.bounds.to_call;
        let reply = self.wire.ask(question, &asked)?;
        if let Reply::Bet(chips) = reply {
            self.put_in[street] += chips;
            self.last_bet[street] = chips;
        }
        Ok(Ok(reply))
    }

    fn hear(&mut self, status: &Status) -> Result<(), Fault> {
        (self.put_in, self.last_bet, self.last_call) = ([0; 2], [0; 2], 0);
        if self.statuses {
            self.wire.notify(status);
        }
        Ok(())
    }
}

/// The rounds of a step. After a failure at `bet2`, rounds end on the first street if they can.
pub(super) fn of_step(step: CheckStep, plays_bet2: bool) -> Vec<SubjectRound> {
    match step {
        CheckStep::Bet1 => vec![plain()],
        CheckStep::Status => statuses(),
        CheckStep::AskedAgain => {
            let raised = round(3, 1, "KS KD", raises(3)).with_cards(0, "- AH").with_cards(2, "- AC");
            vec![raised.others_leave_after(3)]
        }
        CheckStep::Bet2 => vec![
            round(4, 1, "KS KD KH", bets(0, 4)).with_cards(0, "- AH").with_cards(2, "- AC -"),
            round(4, 2, "2C 7D 10H", bets(5, 4)).with_cards(0, "- AH"),
        ],
        CheckStep::EndsAfterBet1 => vec![
            plain(),
            round(3, 2, "2C 3D", folds()).with_cards(0, "- AH"),
            round(4, 2, "KS AS", folds()),
            plain(),
        ],
        CheckStep::OpeningZero => {
            let first = round(4, 2, "KS AS", calls()).others_leave_after(1);
            let second = plays_bet2.then(|| round(4, 1, "KS AS AD", calls()));
            [first].into_iter().chain(second).collect()
        }
        CheckStep::Limits => limits(),
        CheckStep::ShortStack => {
            let led = |stack| {
                let led = round(3, 1, "KS KD", bets(5, 4)).with_cards(0, "- AH");
                led.with_stack(stack).others_leave_after(1)
            };
            let opens = round(3, 1, "KS AS", calls()).with_stack(4).others_leave_after(1);
            // The last cannot call and is folded unasked (R8).
            let [first, second] = short_of_the_call();
            let asked = [Some(first), plays_bet2.then_some(second)];
            [led(9), led(7), opens, led(3), led(6)].into_iter().chain(asked.into_iter().flatten()).collect()
        }
        CheckStep::ZeroStack => {
            let broke = |stack, cards| round(3, 1, cards, bets(5, 4)).with_cards(0, "- AH").with_stack(stack);
            vec![broke(1, "KS KD KH"), broke(6, "KS KD KH"), broke(6, "QS QD QH"), plain()]
        }
        CheckStep::Places => places(plays_bet2),
        CheckStep::ManyPlayers => {
            let seventeen =
                |place: usize| round(17, place, "KS KD", bets(5, 4)).with_cards((place + 9) % 17, "- AH");
            [8, 16].map(|place| seventeen(place).others_leave_after(1)).to_vec()
        }
        CheckStep::LongLists => {
            let seventeen = |place: usize, stacks| {
                let round = round(17, place, "10S 10D 10H", bets(0, 4));
                round.with_cards((place + 9) % 17, "- AH").with_stacks(stacks)
            };
            vec![seventeen(8, 500), seventeen(16, 1_000_000)]
        }
        CheckStep::Split => {
            let raised = round(3, 1, "KS KD", raises(3)).with_cards(0, "- AH");
            vec![plain(), raised.others_leave_after(1)]
        }
        CheckStep::Joined => repeat_n(plain(), 3).collect(),
        CheckStep::Folding => {
            let raised = round(3, 1, "2C 4D 7H", raises(8)).with_cards(0, "- AH").with_cards(2, "- AC");
            vec![raised.others_leave_after(8)]
        }
        CheckStep::SuddenDone => {
            vec![round(4, 1, "KS KD", bets(5, 4)).with_cards(0, "- AH").others_leave_after(1)]
        }
        CheckStep::Login
        | CheckStep::LoginAgain
        | CheckStep::Rounds
        | CheckStep::Times
        | CheckStep::Refused
        | CheckStep::Exits => Vec::new(),
    }
}

/// A round in which the program is asked once, with something to call.
pub(super) fn plain() -> SubjectRound {
    round(5, 2, "KS 10D", bets(5, 4)).with_cards(0, "- AS").others_leave_after(1)
}

/// It is raised by another amount than in the steps.
pub(super) fn raised_otherwise() -> SubjectRound {
    let raise = RaiseUntilAnswered { chips: 8, answers: 5 };
    let raised =
        round(3, 1, "KS KD", Script::always(raise, raise)).with_cards(0, "- AH").with_cards(2, "- AC");
    raised.others_leave_after(5)
}

/// The program among this many players, at this place of the list counted from 0, with these cards.
fn round(players: usize, place: usize, cards: &str, script: Script) -> SubjectRound {
    let round = SubjectRound {
        table: ScriptedTable {
            settings: TableSettings::default(),
            seed: Seed::chosen("check"),
            rounds: 1,
            stacks: vec![500; players],
            cards: Vec::new(),
        },
        subject: Seat::new(place),
        scripts: vec![script; players],
        after_fold: AfterFold::Call,
        others_leave_after: None,
    };
    round.with_cards(place, cards)
}

/// The program is asked although its chips do not cover the call (R8), on the first and on the second street.
fn short_of_the_call() -> [SubjectRound; 2] {
    let asked = |scripts, cards| {
        let mut round = round(3, 1, cards, scripts).with_cards(0, "- AH").with_stack(7);
        round.table.settings.rules.short_stack = ShortStack::Ask;
        round
    };
    [asked(bets(10, 10), "KS KD").others_leave_after(1), asked(bets(2, 10), "KS KD KH")]
}

/// Bets of at least these chips on the first and on the second street.
fn bets(first: Chips, second: Chips) -> Script {
    Script::always(BetAtLeast(first), BetAtLeast(second))
}

fn calls() -> Script {
    Script::always(Call, Call)
}

fn folds() -> Script {
    Script::always(Fold, Fold)
}

/// Raises by 10 until the program has answered this many times.
fn raises(answers: usize) -> Script {
    let raise = RaiseUntilAnswered { chips: 10, answers };
    Script::always(raise, raise)
}

/// Won and lost at the showdown, lost without one, won without one.
fn statuses() -> Vec<SubjectRound> {
    let unasked = |stack, cards| round(4, 1, cards, bets(10, 10)).with_stack(stack).with_cards(0, "- AH");
    vec![
        unasked(1, "KS KD KH").with_cards(2, "2C 3D 5H").with_cards(3, "4C 6D 8H"),
        unasked(1, "2C 3D 5H").with_cards(2, "KS KD KH"),
        unasked(3, "2C 3D 5H").others_leave_after(0),
        round(3, 1, "2C 3D 5H", folds()).with_cards(0, "- AH"),
    ]
}

fn limits() -> Vec<SubjectRound> {
    let at_most = |players, place, to_call, stack| {
        let round = round(players, place, "KS KD", bets(to_call, to_call)).with_cards(0, "- AH");
        round.with_stack(stack).others_leave_after(1)
    };
    let led = |stack| at_most(3, 1, 10, stack);
    let raised = |stack| at_most(4, 2, 20, stack);
    vec![led(11), led(21), raised(500), raised(31), led(12), led(500)]
}

/// The program's own card first, in the middle and last in the list; then the two places of a table for two.
fn places(plays_bet2: bool) -> Vec<SubjectRound> {
    let four =
        (0..4).map(|place| round(4, place, "KS 9D KH", bets(5, 4)).with_cards((place + 1) % 4, "- AH"));
    let two = (0..2).map(|place| round(2, place, "QS 8D QH", bets(5, 4)).with_cards(1 - place, "- AC"));
    let rounds = four.chain(two);
    rounds.map(|round| if plays_bet2 { round } else { round.others_leave_after(1) }).collect()
}
