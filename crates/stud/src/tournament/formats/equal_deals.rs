//! Everyone plays each deck once from every seat, so that luck falls out of the comparison.

use crate::tournament::progress::{EventProgress, PlayerState};
use crate::tournament::{Standings, TableGame};

use super::in_words::tables_and_always;
use super::scheduler::{FormatRules, Scheduler};

/// The invariants of equal deals.
pub(super) const RULES: FormatRules = FormatRules {
    equal_deals: true,
    ends_by_itself: false,
    in_words: |plan, players| tables_and_always(plan, players, "; each deck is played once from every seat"),
    ..FormatRules::new("equal-deals", || Box::new(EqualDeals))
};

#[derive(Clone, Debug)]
struct EqualDeals;

impl Scheduler for EqualDeals {
    /// For each deck a rotation of seats is drawn, which moves by one seat per round. An exit breaks the equality and
    /// ends the event.
    fn next_level(&mut self, progress: &mut EventProgress) -> Option<Vec<Vec<usize>>> {
        let mut cycle = progress.alive();
        if cycle.len() < progress.players.len() {
            return None;
        }
        let (deck, turn) = (progress.levels / cycle.len(), progress.levels % cycle.len());
        progress.seed.stream(&format!("circle {}", deck + 1)).shuffle(&mut cycle);
        cycle.rotate_left(turn);
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

    /// Each player holds each hand of each deck once, from the full stack, and among callers the totals are equal.
    #[test]
    fn each_deck_is_played_once_from_every_seat() {
        let format = Format::named("equal-deals").expect("there is the format");
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
                    let deck = (game.table().round_number() - 1) / players as u64;
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
            for results in event.history().chunks(players) {
                let mut sums = vec![0; players];
                for (_, tables) in results {
                    for (player, chips) in tables[0].players.iter().zip(&tables[0].ended_with) {
                        sums[*player] += i64::from(*chips) - 200;
                    }
                }
                assert!(sums.iter().all(|sum| *sum == 0), "{sums:?}");
            }
        }
    }
}
