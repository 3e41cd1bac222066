//! Situations at a real table, with scripted players around the program.

use crate::cards::{Card, Seed};
use crate::stud::{Bounds, Chips, Seat, Street};
use crate::table::{Fault, Notice, Question, Reply, Step, TableEvent, TableSettings};
use crate::tournament::{Decks, Slot, TableGame};

use super::evidence::Evidence;
use super::wire::Wire;

/// What the others at the table know of the program.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// How many questions it has answered.
    pub(super) answers: usize,
    /// Whether it has folded.
    pub(super) folded: bool,
}

/// How the others play.
pub(super) type Others = fn(&Question<'_>, Seen) -> Reply;

/// One round.
#[derive(Clone, Debug)]
pub(super) struct CheckRound {
    stacks: Vec<Chips>,
    bot: Seat,
    cards: Vec<(Seat, [Option<Card>; 3])>,
    others: Others,
    others_go_after: usize,
}

impl CheckRound {
    /// The program among this many players, at this place of the list counted from 0, with these cards: hole, up,
    /// second. Cards at the end can be left out.
    pub(super) fn new(players: usize, place: usize, cards: &str, others: Others) -> CheckRound {
        let situation = CheckRound {
            stacks: vec![500; players],
            bot: Seat::new(place),
            cards: Vec::new(),
            others,
            others_go_after: usize::MAX,
        };
        situation.with(place, cards)
    }

    /// The same with these cards for somebody; `-` is any card.
    pub(super) fn with(mut self, place: usize, cards: &str) -> CheckRound {
        let mut hand = [None; 3];
        for (slot, text) in hand.iter_mut().zip(cards.split(' ')) {
            *slot = (text != "-").then(|| text.parse().expect("situations are written with real cards"));
        }
        self.cards.push((Seat::new(place), hand));
        self
    }

    /// The same with this stack for the program, in chips, before the ante.
    pub(super) fn with_stack(mut self, chips: Chips) -> CheckRound {
        self.stacks[self.bot.index()] = chips;
        self
    }

    /// The same with this stack for everyone.
    pub(super) fn with_stacks(mut self, chips: Chips) -> CheckRound {
        self.stacks.fill(chips);
        self
    }

    /// The same, but everyone else leaves the table when the program has given so many answers: so the round ends on
    /// the street it is on.
    pub(super) fn others_go_after(mut self, answers: usize) -> CheckRound {
        self.others_go_after = answers;
        self
    }

    /// Plays the round with the program at the other end of the wire. `statuses` says whether it is told how the
    /// round ended.
    pub(super) fn play(&self, wire: &mut Wire, statuses: bool) -> Result<Seen, Evidence> {
        let mut decks = Decks::shuffled(&Seed::chosen("check"), 1);
        // Another card lies in the place of one that is put elsewhere, so the open places come last.
        for (seat, hand) in &self.cards {
            for (slot, card) in Slot::ALL.into_iter().zip(hand) {
                if let Some(card) = card {
                    decks.place(1, *seat, slot, *card).expect("situations deal no card twice");
                }
            }
        }
        let mut tournament = TableGame::with_decks(TableSettings::default(), decks, &self.stacks, 1);
        tournament.deal();
        let mut others = |_: Seat, question: &Question<'_>, seen: Seen| match seen.folded {
            true => call(question),
            false => (self.others)(question, seen),
        };
        round(&mut tournament, self.bot, wire, statuses, self.others_go_after, &mut others)
    }
}

/// Drives the round that has been dealt to its end.
pub(super) fn round(
    tournament: &mut TableGame,
    bot: Seat,
    wire: &mut Wire,
    statuses: bool,
    others_go_after: usize,
    others: &mut dyn FnMut(Seat, &Question<'_>, Seen) -> Reply,
) -> Result<Seen, Evidence> {
    let mut seen = Seen::default();
    loop {
        if seen.answers >= others_go_after && !seen.folded {
            for seat in tournament.table().seated().without(bot) {
                tournament.table_mut().report(seat, Fault::HungUp { partial: false });
            }
        }
        match tournament.table_mut().step() {
            Step::Ask(seat) if seat == bot => {
                let put_in = put_in(tournament, seat);
                let reply = wire.ask(&tournament.table().question(seat), put_in)?;
                seen.answers += 1;
                seen.folded = reply == Reply::Fold;
                tournament.table_mut().answer(Ok(reply));
            }
            Step::Ask(seat) => {
                let reply = others(seat, &tournament.table().question(seat), seen);
                tournament.table_mut().answer(Ok(reply));
            }
            Step::Tell(seat, Notice::Status(status)) if seat == bot && statuses => wire.tell(&status),
            Step::Tell(..) => {}
            Step::Over => return Ok(seen),
        }
    }
}

/// What a player has put in on the street in play, in chips.
fn put_in(tournament: &TableGame, seat: Seat) -> Chips {
    let events = tournament.table().events();
    let opened = events.iter().rposition(|event| matches!(event, TableEvent::Opened { .. })).unwrap_or(0);
    let added = events[opened..].iter().filter_map(|event| match event {
        TableEvent::Acted { seat: who, action } if *who == seat => action.chips(),
        _ => None,
    });
    added.sum()
}

fn bet(bounds: &Bounds, chips: Chips) -> Reply {
    if bounds.most() < bounds.to_call {
        return Reply::Fold;
    }
    Reply::Bet(chips.clamp(bounds.to_call, bounds.most()))
}

/// Calls, or folds what cannot be called.
pub(super) fn call(question: &Question<'_>) -> Reply {
    bet(&question.bounds, 0)
}

/// On the first street the first to act bets 5, and everybody calls. On the second it is 4.
pub(super) fn lead(question: &Question<'_>, _: Seen) -> Reply {
    bet(&question.bounds, if question.street == Street::First { 5 } else { 4 })
}

/// Nobody bets anything on the first street; on the second the first to act bets 4.
pub(super) fn lead_late(question: &Question<'_>, _: Seen) -> Reply {
    bet(&question.bounds, if question.street == Street::First { 0 } else { 4 })
}

/// Calls whatever comes, and never bets.
pub(super) fn follow(question: &Question<'_>, _: Seen) -> Reply {
    call(question)
}

/// Gives up at once.
pub(super) fn give_up(_: &Question<'_>, _: Seen) -> Reply {
    Reply::Fold
}

/// Bets and raises 10 until this amount is to call, then calls.
pub(super) fn drive<const TO_CALL: Chips>(question: &Question<'_>, _: Seen) -> Reply {
    let bounds = &question.bounds;
    bet(bounds, if bounds.to_call < TO_CALL { TO_CALL.min(bounds.to_call + 10) } else { 0 })
}

/// Bets 10, raises by 10 before the program's first answer, and again by 10 after each of its first answers.
pub(super) fn raise_thrice(question: &Question<'_>, seen: Seen) -> Reply {
    bet(&question.bounds, if seen.answers < 3 { question.bounds.to_call + 10 } else { 0 })
}

/// Raises as much as it may, as long as the program has not answered many times.
pub(super) fn press(question: &Question<'_>, seen: Seen) -> Reply {
    bet(&question.bounds, if seen.answers < 8 { question.bounds.to_call + 10 } else { 0 })
}
