//! The rounds of one table: the document's tournament, and the part of a greater event that is played at one of
//! its tables.

use std::ops::RangeInclusive;

use crate::cards::Seed;
use crate::stud::{Chips, Seat, SeatSet};
use crate::table::{FoulTally, Table, TableSettings};

use super::{Decks, Exit, Standings};

/// A freeze-out at one table, as pure as the table itself: a whole tournament, or one table of an event during one
/// level.
#[derive(Clone, Debug)]
pub struct TableGame {
    /// Apart, so that a game is handed on without the table being copied.
    table: Box<Table>,
    /// The table's number, from 1.
    number: u32,
    /// Which player of the event sits in each seat.
    players: Vec<usize>,
    decks: Decks,
    rounds_before: u64,
    round_limit: u64,
    began_with: Vec<Chips>,
    /// How players left, by seat; empty as long as everyone is there.
    exits: Vec<Option<Exit>>,
    /// The players who were at the table when exits were last looked for.
    present: SeatSet,
    /// The fouls that each player was forgiven before it came to this table.
    fouls_before: Vec<FoulTally>,
}

impl AsRef<Table> for TableGame {
    fn as_ref(&self) -> &Table {
        self.table()
    }
}

impl AsMut<Table> for TableGame {
    fn as_mut(&mut self) -> &mut Table {
        self.table_mut()
    }
}

impl TableGame {
    /// `players` seats with `stack` chips each, at table 1, for at most `round_limit` rounds.
    ///
    /// # Panics
    /// As [`Table::new`].
    pub fn new(
        settings: TableSettings,
        seed: &Seed,
        players: usize,
        stack: Chips,
        round_limit: u64,
    ) -> TableGame {
        TableGame::with_decks(settings, Decks::shuffled(seed, 1), &vec![stack; players], round_limit)
    }

    /// A freeze-out with these decks and these stacks, in chips, in seat order.
    ///
    /// # Panics
    /// As [`Table::new`].
    pub fn with_decks(
        settings: TableSettings,
        decks: Decks,
        stacks: &[Chips],
        round_limit: u64,
    ) -> TableGame {
        TableGame::at_table(settings, decks, 1, (0..stacks.len()).collect(), stacks, 1..=round_limit)
    }

    /// The game at this 1-based table number in these rounds: `players` maps seats to players of the event.
    ///
    /// # Panics
    /// As [`Table::new`], and if there are not as many players as stacks, or the first round is 0.
    pub fn at_table(
        settings: TableSettings,
        decks: Decks,
        number: u32,
        players: Vec<usize>,
        stacks: &[Chips],
        rounds: RangeInclusive<u64>,
    ) -> TableGame {
        assert!(players.len() == stacks.len() && *rounds.start() > 0, "a stack a player, and rounds from 1");
        let table = Box::new(Table::new(settings, stacks));
        TableGame {
            present: table.seated(),
            table,
            number,
            players,
            decks,
            rounds_before: rounds.start() - 1,
            round_limit: *rounds.end(),
            began_with: stacks.to_vec(),
            exits: Vec::new(),
            fouls_before: Vec::new(),
        }
    }

    /// The same table with the players' earlier forgiven fouls, in seat order.
    #[must_use]
    pub(super) fn after_fouls(self, fouls_before: Vec<FoulTally>) -> TableGame {
        TableGame { fouls_before, ..self }
    }

    /// The fouls that the player in this seat was forgiven so far, at this table and before (R19).
    pub fn forgiven(&self, seat: Seat) -> FoulTally {
        let before = self.fouls_before.get(seat.index()).copied().unwrap_or_default();
        before.and_later(self.table.forgiven(seat))
    }

    /// Deals the next round. False if the tournament is over: one player is left, or the limit is reached.
    pub fn deal(&mut self) -> bool {
        self.note_exits();
        if self.is_over() {
            return false;
        }
        self.began_with.copy_from_slice(self.table.stacks());
        let round = self.next_round();
        let deck = self.decks.deck(round, self.table.seated());
        self.table.deal(round, deck);
        true
    }

    /// Whether no further round is dealt: one player is left, or the limit is reached.
    pub fn is_over(&self) -> bool {
        self.table.seated().len() < 2 || self.next_round() > self.round_limit
    }

    /// The number of the round that is dealt next, if there is one.
    pub fn next_round(&self) -> u64 {
        self.table.round_number().max(self.rounds_before) + 1
    }

    /// The table's number, from 1: the only one of a tournament has 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Which player of the event sits in each seat, from 0. In a tournament at one table that is the seat's own
    /// number.
    pub fn players(&self) -> &[usize] {
        &self.players
    }

    /// Which player of the event sits in this seat, from 0.
    ///
    /// # Panics
    /// If there is no such seat.
    pub fn player_at(&self, seat: Seat) -> usize {
        self.players[seat.index()]
    }

    /// Where a player of the event sits, if at this table.
    pub fn seat_of(&self, player: usize) -> Option<Seat> {
        self.players.iter().position(|other| *other == player).map(Seat::new)
    }

    fn note_exits(&mut self) {
        if self.table.seated() == self.present {
            return;
        }
        self.exits.resize_with(self.players.len(), || None);
        for seat in self.present {
            let exit = self.exit_of(seat);
            self.exits[seat.index()] = exit;
        }
        self.present = self.table.seated();
    }

    /// How a player left, also if it left in the round in play.
    pub(super) fn exit_of(&self, seat: Seat) -> Option<Exit> {
        if self.table.seated().contains(seat) || !self.present.contains(seat) {
            return self.exits.get(seat.index())?.clone();
        }
        let why = self.table.exit_reason(seat).expect("who left was told why").clone();
        let (round, began_with) = (self.table.round_number(), self.began_with[seat.index()]);
        Some(Exit { round, began_with, why, after_round: false })
    }

    /// The table that is played at.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The table, to be driven.
    pub fn table_mut(&mut self) -> &mut Table {
        &mut self.table
    }

    /// The chips everyone had when the round in play was dealt.
    pub fn began_with(&self) -> &[Chips] {
        &self.began_with
    }

    /// The places as they are now (R20).
    pub fn standings(&self) -> Standings {
        let player = |index: usize| (self.table.stacks()[index], self.exit_of(Seat::new(index)));
        let forgiven = |index| self.forgiven(Seat::new(index));
        Standings::new((0..self.began_with.len()).map(player)).with_fouls(forgiven)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Fault, Reply, Step};
    use crate::tournament::{Event, EventPlan};

    /// A tournament may be stopped after any round: a player who left in the last one has left.
    #[test]
    fn players_who_left_in_the_last_round_are_ranked_as_exits() {
        let mut tournament = TableGame::new(TableSettings::default(), &Seed::chosen("stopped"), 3, 100, 50);
        tournament.deal();
        let mut out = None;
        loop {
            match tournament.table_mut().step() {
                Step::Ask(seat) if *out.get_or_insert(seat) == seat => {
                    tournament.table_mut().answer(Err(Fault::HungUp { partial: false }));
                }
                Step::Ask(_) => tournament.table_mut().answer(Ok(Reply::Fold)),
                Step::Tell(..) => {}
                Step::Over => break,
            }
        }
        let out = out.expect("somebody was asked");
        let standings = tournament.standings();
        let last = standings.places().last().expect("three players");
        assert_eq!((last.player, last.place), (out.index(), Some(3)));
        assert_eq!(last.exit.as_ref().map(|exit| (exit.round, exit.began_with)), Some((1, 100)));
        let mut event = Event::new(
            EventPlan::single_table(),
            TableSettings::default(),
            &Seed::chosen("stopped"),
            3,
            100,
            Some(50),
        );
        event.next_level();
        event.tables_mut()[0] = tournament;
        assert!(event.exit_reasons().iter().all(|(player, _)| *player != out.index()), "it has been told");
    }
}
