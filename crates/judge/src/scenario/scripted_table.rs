//! A table with placed cards and scripted players, for scenarios, situations of the rubric and the protocol check.

use serde::Deserialize;

use casino_stud::cards::{Card, Seed};
use casino_stud::strategies::AwaitedPlayer;
use casino_stud::stud::{Bounds, Chips, Seat, Street};
use casino_stud::table::{
    Answer, Fault, Foul, Notice, Participants, Question, Reply, TableSettings, play_round,
};
use casino_stud::tournament::{Decks, Slot, TableGame};

#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedCard {
    /// The round, from 1.
    pub(crate) round: u64,
    pub(crate) seat: Seat,
    pub(crate) slot: Slot,
    pub(crate) card: Card,
}

#[derive(Clone, Debug)]
pub(crate) struct ScriptedTable {
    pub(crate) settings: TableSettings,
    pub(crate) seed: Seed,
    pub(crate) rounds: u64,
    /// The stacks before the first ante in seat order, in chips.
    pub(crate) stacks: Vec<Chips>,
    /// The placed cards. Each swaps with the card that was shuffled there, so their order matters.
    pub(crate) cards: Vec<PlacedCard>,
}

impl ScriptedTable {
    /// The game before its first round. Panics if a card or a place is named twice in a round.
    pub(crate) fn game(&self) -> TableGame {
        let mut decks = Decks::shuffled(&self.seed, 1);
        for placed in &self.cards {
            decks
                .place(placed.round, placed.seat, placed.slot, placed.card)
                .expect("no card and no place is named twice");
        }
        TableGame::with_decks(self.settings, decks, &self.stacks, self.rounds)
    }
}

/// The reply of a scripted player. An amount is clamped to the legal range; a call that cannot be paid is a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(crate) enum ScriptedReply {
    Fold,
    Call,
    /// Calls and adds this many chips.
    Raise(Chips),
    /// Bets this many chips, or calls where more is to call.
    BetAtLeast(Chips),
    /// Raises by this many chips until the subject has answered this many questions, then calls.
    RaiseUntilAnswered {
        chips: Chips,
        answers: usize,
    },
}

/// Answers of the subject in a round after which a scripted minimum bet no longer raises.
const MAX_SCRIPTED_RAISES: usize = 12;

impl ScriptedReply {
    fn reply(self, bounds: &Bounds, subject: SubjectProgress) -> Reply {
        let to_call = bounds.to_call;
        let chips = match self {
            ScriptedReply::Fold => return Reply::Fold,
            ScriptedReply::Call => to_call,
            ScriptedReply::Raise(chips) => to_call.saturating_add(chips),
            ScriptedReply::BetAtLeast(chips) if subject.answers < MAX_SCRIPTED_RAISES => chips,
            // Without this limit a subject that always raises would be raised until the chips are gone.
            ScriptedReply::BetAtLeast(_) => to_call,
            ScriptedReply::RaiseUntilAnswered { chips, answers } if subject.answers < answers => {
                to_call.saturating_add(chips)
            }
            ScriptedReply::RaiseUntilAnswered { .. } => to_call,
        };
        if bounds.most() < to_call { Reply::Fold } else { Reply::Bet(chips.clamp(to_call, bounds.most())) }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Script([StreetScript; 2]);

/// The replies on one street: those of the list, then always `afterwards`.
#[derive(Clone, Debug)]
struct StreetScript {
    replies: Vec<ScriptedReply>,
    afterwards: ScriptedReply,
}

impl Script {
    /// The same reply every time, one for each street.
    pub(crate) fn always(first: ScriptedReply, second: ScriptedReply) -> Script {
        Script([first, second].map(|afterwards| StreetScript { replies: Vec::new(), afterwards }))
    }

    /// The replies of each street in order; afterwards the player calls.
    pub(crate) fn then_call(streets: [Vec<ScriptedReply>; 2]) -> Script {
        Script(streets.map(|replies| StreetScript { replies, afterwards: ScriptedReply::Call }))
    }

    fn reply(&self, street: Street, asked_before: usize) -> ScriptedReply {
        let script = &self.0[street_index(street)];
        script.replies.get(asked_before).copied().unwrap_or(script.afterwards)
    }
}

fn street_index(street: Street) -> usize {
    usize::from(street == Street::Second)
}

/// The behavior of the scripted players after the subject has folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterFold {
    KeepToScript,
    Call,
}

/// The progress of the subject, which is the player under test, in a round.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SubjectProgress {
    pub(crate) answers: usize,
    pub(crate) folded: bool,
}

/// A round with one player under test among players who follow scripts.
#[derive(Clone, Debug)]
pub(crate) struct SubjectRound {
    pub(crate) table: ScriptedTable,
    pub(crate) subject: Seat,
    /// The scripts in seat order; that of the subject's seat is not used.
    pub(crate) scripts: Vec<Script>,
    pub(crate) after_fold: AfterFold,
    /// All others leave after this many answers of the subject, so that the round ends on this street.
    pub(crate) others_leave_after: Option<usize>,
}

impl SubjectRound {
    /// Places cards of a seat, in wire notation: hole, up and second card, with `-` for any.
    pub(crate) fn with_cards(mut self, seat: usize, cards: &str) -> SubjectRound {
        for (slot, text) in Slot::ALL.into_iter().zip(cards.split(' ')).filter(|(_, text)| *text != "-") {
            let card = text.parse().expect("scripted rounds are written with real cards");
            self.table.cards.push(PlacedCard { round: 1, seat: Seat::new(seat), slot, card });
        }
        self
    }

    pub(crate) fn with_stack(mut self, chips: Chips) -> SubjectRound {
        self.table.stacks[self.subject.index()] = chips;
        self
    }

    pub(crate) fn with_stacks(mut self, chips: Chips) -> SubjectRound {
        self.table.stacks.fill(chips);
        self
    }

    pub(crate) fn others_leave_after(mut self, answers: usize) -> SubjectRound {
        self.others_leave_after = Some(answers);
        self
    }

    /// Plays the round once and returns the subject's reply and its foul, if any.
    pub(crate) fn play<S: AwaitedPlayer>(
        &self,
        subject: &mut S,
    ) -> Result<(SubjectProgress, Option<Foul>), S::Stop> {
        let mut game = self.table.game();
        game.deal();
        let mut asked = vec![[0; 2]; self.scripts.len()];
        let others = |seat: Seat, question: &Question<'_>, progress: SubjectProgress| {
            let count = &mut asked[seat.index()][street_index(question.street)];
            let scripted = match self.after_fold {
                AfterFold::Call if progress.folded => ScriptedReply::Call,
                _ => self.scripts[seat.index()].reply(question.street, *count),
            };
            *count += 1;
            scripted.reply(&question.bounds, progress)
        };
        let mut players = SubjectAndOthers {
            others_leave_after: self.others_leave_after,
            ..SubjectAndOthers::new(self.subject, subject, others)
        };
        play_round(&mut game, &mut players)?;
        Ok((players.progress, game.table().foul_of(self.subject).cloned()))
    }
}

pub(crate) struct SubjectAndOthers<'a, S, O> {
    seat: Seat,
    subject: &'a mut S,
    others: O,
    others_leave_after: Option<usize>,
    progress: SubjectProgress,
}

impl<'a, S, O> SubjectAndOthers<'a, S, O>
where
    S: AwaitedPlayer,
    O: FnMut(Seat, &Question<'_>, SubjectProgress) -> Reply,
{
    pub(crate) fn new(seat: Seat, subject: &'a mut S, others: O) -> SubjectAndOthers<'a, S, O> {
        SubjectAndOthers {
            seat,
            subject,
            others,
            others_leave_after: None,
            progress: SubjectProgress::default(),
        }
    }
}

impl<S, O> Participants<TableGame> for SubjectAndOthers<'_, S, O>
where
    S: AwaitedPlayer,
    O: FnMut(Seat, &Question<'_>, SubjectProgress) -> Reply,
{
    type Stop = S::Stop;

    fn before_step(&mut self, game: &mut TableGame) {
        let answers = self.progress.answers;
        if self.others_leave_after.is_some_and(|after| answers >= after) && !self.progress.folded {
            for seat in game.table().seated().without(self.seat) {
                game.table_mut().report(seat, Fault::HungUp { partial: false });
            }
        }
    }

    fn answer(&mut self, game: &TableGame, seat: Seat) -> Result<Answer, S::Stop> {
        if seat != self.seat {
            return Ok(Ok((self.others)(seat, &game.table().question(seat), self.progress)));
        }
        let answer = self.subject.answer(&game.table().question(seat))?;
        self.progress.answers += 1;
        self.progress.folded = answer == Ok(Reply::Fold);
        Ok(answer)
    }

    fn notify(&mut self, _: &TableGame, seat: Seat, notice: &Notice) -> Result<Result<(), Fault>, S::Stop> {
        Ok(match notice {
            Notice::Status(status) if seat == self.seat => self.subject.hear(status),
            _ => Ok(()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripted_amounts_are_clamped_to_the_legal_range() {
        let bounds = |to_call, stack| Bounds { to_call, raise_cap: 10, stack };
        let answered = |answers| SubjectProgress { answers, folded: false };
        let reply = |scripted: ScriptedReply, bounds| scripted.reply(&bounds, answered(3));
        let until = |answers| ScriptedReply::RaiseUntilAnswered { chips: 10, answers };
        for (scripted, bounds, expected) in [
            (ScriptedReply::Fold, bounds(0, 50), Reply::Fold),
            (ScriptedReply::Call, bounds(5, 50), Reply::Bet(5)),
            (ScriptedReply::Call, bounds(5, 4), Reply::Fold),
            (ScriptedReply::Raise(5), bounds(5, 50), Reply::Bet(10)),
            (ScriptedReply::Raise(5), bounds(5, 7), Reply::Bet(7)),
            (ScriptedReply::Raise(99), bounds(5, 50), Reply::Bet(15)),
            (ScriptedReply::BetAtLeast(8), bounds(5, 50), Reply::Bet(8)),
            (ScriptedReply::BetAtLeast(8), bounds(9, 50), Reply::Bet(9)),
            (until(4), bounds(5, 50), Reply::Bet(15)),
            (until(3), bounds(5, 50), Reply::Bet(5)),
        ] {
            assert_eq!(reply(scripted, bounds), expected, "{scripted:?} {bounds:?}");
        }
        // Raising ends even if the subject raises each time.
        let raised_on =
            ScriptedReply::BetAtLeast(8).reply(&bounds(1, 1_000_000), answered(MAX_SCRIPTED_RAISES));
        assert_eq!(raised_on, Reply::Bet(1));
    }
}
