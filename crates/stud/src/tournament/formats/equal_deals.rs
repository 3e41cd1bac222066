//! Rounds from the full stack at one table. Everyone plays each deck once from every seat, so that luck falls out of the
//! comparison; or each round has a fresh deck, for programs that could store the cards.

use crate::tournament::progress::{EventProgress, PlayerState};
use crate::tournament::{Standings, TableGame};

use super::in_words::tables_and_always;
use super::scheduler::{FormatRules, Scheduler};

/// The invariants of equal deals.
pub(super) const RULES: FormatRules = FormatRules {
    deck_plays: Some(|players| players as u64),
    ends_by_itself: false,
    in_words: |plan, players| tables_and_always(plan, players, "; each deck is played once from every seat"),
    ..FormatRules::new("equal-deals", || Box::new(EqualDeals))
};

/// The invariants of fresh deals.
pub(super) const FRESH: FormatRules = FormatRules {
    deck_plays: Some(|_| 1),
    in_words: |plan, players| tables_and_always(plan, players, "; each round has a fresh deck"),
    name: "fresh-deals",
    ..RULES
};

#[derive(Clone, Debug)]
struct EqualDeals;

impl Scheduler for EqualDeals {
    /// For each deck a rotation of seats is drawn, which moves by one seat each time the deck is played. An exit breaks the
    /// equality and ends the event.
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        let mut cycle = progress.alive();
        if cycle.len() < progress.players.len() {
            return None;
        }
        progress.seed.stream(&format!("circle {}", progress.deck() + 1)).shuffle(&mut cycle);
        let turn = progress.levels as u64 / progress.decks;
        cycle.rotate_left(turn as usize % progress.players.len());
        Some(vec![cycle])
    }

    fn level_over(&mut self, progress: &mut EventProgress, before: &[PlayerState], tables: &[TableGame]) {
        progress.count_chips(before, tables);
    }

    fn standings(&self, players: &[PlayerState]) -> Standings {
        let points = players.iter().map(|player| (player.net, 0));
        Standings::by_points(players.iter().map(PlayerState::chips_and_exit), points)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::cards::{Card, Seed};
    use crate::stud::Seat;
    use crate::table::Reply;
    use crate::table::{Answer, Fault, Notice, Participants, Table, TableSettings, play_round};
    use crate::tournament::{Event, EventPlan, Format};

    struct Callers;

    impl Participants for Callers {
        type Stop = std::convert::Infallible;

        fn answer(&mut self, table: &Table, seat: Seat) -> Result<Answer, Self::Stop> {
            Ok(Ok(Reply::Bet(table.question(seat).bounds.to_call)))
        }

        fn notify(&mut self, _: &Table, _: Seat, _: &Notice) -> Result<Result<(), Fault>, Self::Stop> {
            Ok(Ok(()))
        }
    }

    /// Each player holds each hand of each deck once, from the full stack, and among callers the totals are equal. All decks
    /// come before one comes again.
    #[test]
    fn each_deck_is_played_once_from_every_seat() {
        let format = Format::EQUAL_DEALS;
        let plan = EventPlan { format, level_rounds: Some(1), ..EventPlan::single_table() };
        for players in [2, 5, 17] {
            let seed = Seed::chosen("equal");
            let rounds = 3 * players as u64;
            let mut event =
                Event::new(plan.clone(), TableSettings::default(), &seed, players, 200, Some(rounds));
            let mut hands: BTreeMap<(u64, [Card; 2]), Vec<usize>> = BTreeMap::new();
            while event.next_level() {
                let game = &mut event.tables_mut()[0];
                let who = game.players().to_vec();
                assert!(game.deal());
                let Ok(()) = play_round(game.table_mut(), &mut Callers);
                let round = game.table().round();
                for (seat, player) in who.iter().enumerate() {
                    let seat = Seat::new(seat);
                    let deck = (game.table().round_number() - 1) % 3;
                    hands.entry((deck, [round.hole(seat), round.up(seat)[0]])).or_default().push(*player);
                }
                assert!(!game.deal(), "a level is one round");
            }
            assert_eq!(event.rounds_played(), rounds);
            assert_eq!(hands.len(), 3 * players);
            for mut who in hands.into_values() {
                who.sort_unstable();
                assert_eq!(who, (0..players).collect::<Vec<_>>());
            }
            for deck in 0..3 {
                let mut sums = vec![0; players];
                for (_, tables) in event.history().iter().skip(deck).step_by(3) {
                    for (player, chips) in tables[0].players.iter().zip(&tables[0].ended_with) {
                        sums[*player] += i64::from(*chips) - 200;
                    }
                }
                assert!(sums.iter().all(|sum| *sum == 0), "{sums:?}");
            }
        }
    }

    #[test]
    fn fresh_deals_have_no_deck_twice() {
        let plan =
            EventPlan { format: Format::FRESH_DEALS, level_rounds: Some(1), ..EventPlan::single_table() };
        let seed = Seed::chosen("fresh");
        let mut event = Event::new(plan, TableSettings::default(), &seed, 4, 200, Some(40));
        let mut decks = std::collections::BTreeSet::new();
        while event.next_level() {
            let game = &mut event.tables_mut()[0];
            assert!(game.deal());
            let Ok(()) = play_round(game.table_mut(), &mut Callers);
            let round = game.table().round();
            decks
                .insert([0, 1, 2, 3].map(|seat| (round.hole(Seat::new(seat)), round.up(Seat::new(seat))[0])));
        }
        assert_eq!((event.rounds_played(), decks.len()), (40, 40));
    }
}
