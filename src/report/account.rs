//! What a report tells, gathered round by round.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::stud::{Category, Chips, Half, Seat, SeatSet, Street, Strength};
use crate::table::TableEvent;
use crate::tournament::{Standings, TableGame};

use crate::replay::{BoardRow, TournamentInfo};
use crate::table::foul_in_public;
use crate::tournament::{Point, Race};

/// How many of the biggest pots are told.
const POTS: usize = 10;

/// How many of a player's costliest rounds are told.
const COSTLIEST: usize = 3;

/// How a round ended for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RoundOutcome {
    FoldedFirst,
    FoldedSecond,
    CouldNotCall,
    Fouled,
    EveryoneElseFolded,
    ShowdownHighCard,
    ShowdownPair,
    ShowdownTrips,
}

impl RoundOutcome {
    pub(super) const ALL: [RoundOutcome; 8] = [
        RoundOutcome::FoldedFirst,
        RoundOutcome::FoldedSecond,
        RoundOutcome::CouldNotCall,
        RoundOutcome::Fouled,
        RoundOutcome::EveryoneElseFolded,
        RoundOutcome::ShowdownHighCard,
        RoundOutcome::ShowdownPair,
        RoundOutcome::ShowdownTrips,
    ];

    pub(super) fn words(self) -> &'static str {
        match self {
            RoundOutcome::FoldedFirst => "folded on the first street",
            RoundOutcome::FoldedSecond => "folded on the second street",
            RoundOutcome::CouldNotCall => "could not call",
            RoundOutcome::Fouled => "broke a rule",
            RoundOutcome::EveryoneElseFolded => "everyone else folded",
            RoundOutcome::ShowdownHighCard => "showdown with a high card",
            RoundOutcome::ShowdownPair => "showdown with a pair",
            RoundOutcome::ShowdownTrips => "showdown with three of a kind",
        }
    }
}

/// Rounds and chips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) rounds: u64,
    pub(super) chips: i64,
}

impl Sum {
    fn add(&mut self, chips: i64) {
        self.rounds += 1;
        self.chips += chips;
    }
}

/// A round that cost a player chips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loss {
    pub(super) round: u64,
    pub(super) chips: i64,
    pub(super) how: RoundOutcome,
}

/// What is known of a player.
#[derive(Clone, Debug, Default)]
pub(super) struct PlayerReport {
    pub(super) situations: [Sum; RoundOutcome::ALL.len()],
    /// Halves of pots won for the high spade in the hole.
    pub(super) spades: Sum,
    /// Rounds opened.
    pub(super) opened: Sum,
    /// Round and words.
    pub(super) fouls: Vec<(u64, String)>,
    pub(super) costliest: Vec<Loss>,
    /// Microseconds, in ascending order.
    pub(super) replies: Vec<u64>,
}

/// The accounts of a tournament.
#[derive(Clone, Debug)]
pub struct ReportData {
    pub(super) programme: TournamentInfo,
    pub(super) players: Vec<PlayerReport>,
    pub(super) race: Race,
    /// Chips, round, who took them.
    pub(super) pots: Vec<(Chips, u64, String)>,
    /// How many rounds there are: a round is known by its place among all of them.
    pub(super) rounds: u64,
    /// Table and number of each round, where there are several tables.
    pub(super) deals: Vec<(u32, u64)>,
    /// Everybody's chips.
    chips: Vec<Chips>,
    /// The round in which each player left, by its place among all.
    pub(super) exits: BTreeMap<usize, u64>,
    pub(super) standings: Vec<BoardRow>,
    pub(super) finished: bool,
}

impl ReportData {
    /// Nothing played yet.
    pub fn new(programme: TournamentInfo) -> ReportData {
        let chips = vec![programme.stack; programme.players.len()];
        let mut race = Race::of(chips.len());
        race.push(Point { round: 0, stacks: chips.clone() });
        ReportData {
            players: vec![PlayerReport::default(); programme.players.len()],
            programme,
            race,
            pots: Vec::new(),
            rounds: 0,
            deals: Vec::new(),
            chips,
            exits: BTreeMap::new(),
            standings: Vec::new(),
            finished: false,
        }
    }

    /// Adds the round that is just over at this table. The house's own bots of an event are no players of it.
    pub fn add_round(&mut self, tournament: &TableGame) {
        let table = tournament.table();
        let round = table.round();
        self.rounds += 1;
        if tournament.number() != 1 || !self.deals.is_empty() {
            // Until now all were at the first table.
            for before in self.deals.len() as u64 + 1..self.rounds {
                self.deals.push((1, before));
            }
            self.deals.push((tournament.number(), table.round_number()));
        }
        let mut live = round.dealt();
        let mut how = vec![None; tournament.players().len()];
        let (mut street, mut opener) = (Street::First, None);
        let mut takers = Vec::new();
        let mut pot = 0;
        let fold = |live: &mut SeatSet, how: &mut Vec<Option<RoundOutcome>>, seat: Seat, situation| {
            *live = live.without(seat);
            how[seat.index()].get_or_insert(situation);
        };
        for event in table.events() {
            match *event {
                TableEvent::Opened { street: opened, opener: by } => {
                    street = opened;
                    opener.get_or_insert(by);
                }
                TableEvent::Acted { seat, action } if action.chips().is_none() => {
                    let situation = match street {
                        Street::First => RoundOutcome::FoldedFirst,
                        Street::Second => RoundOutcome::FoldedSecond,
                    };
                    fold(&mut live, &mut how, seat, situation);
                }
                TableEvent::ForcedFold { seat } => {
                    fold(&mut live, &mut how, seat, RoundOutcome::CouldNotCall)
                }
                TableEvent::Fouled { seat } => {
                    fold(&mut live, &mut how, seat, RoundOutcome::Fouled);
                    let foul = table.foul_of(seat).expect("a foul was kept when it happened");
                    if let Some(player) = self.players.get_mut(tournament.player_at(seat)) {
                        player.fouls.push((self.rounds, foul_in_public(foul)));
                    }
                }
                TableEvent::Won { seat, half, chips } => {
                    pot += chips;
                    let at = tournament.player_at(seat);
                    let name = self.programme.players.get(at).map_or("the house", String::as_str);
                    takers.push(match half {
                        Half::Spade => {
                            if let Some(player) = self.players.get_mut(at) {
                                player.spades.add(chips.into());
                            }
                            format!("{name} {chips} for the high spade")
                        }
                        Half::Whole | Half::Hand => format!("{name} {chips}"),
                    });
                }
                TableEvent::Left { seat, .. } => {
                    self.exits.insert(tournament.player_at(seat), self.rounds);
                }
                _ => {}
            }
        }
        for seat in round.dealt() {
            let at = seat.index();
            let player = tournament.player_at(seat);
            let chips = i64::from(table.stacks()[at]) - i64::from(tournament.began_with()[at]);
            let [a, b, c] = round.hand(seat);
            let situation = how[at].unwrap_or(match Strength::of([a, b, c]).category() {
                _ if live.len() == 1 => RoundOutcome::EveryoneElseFolded,
                Category::HighCard => RoundOutcome::ShowdownHighCard,
                Category::Pair => RoundOutcome::ShowdownPair,
                Category::Trips => RoundOutcome::ShowdownTrips,
            });
            let Some(player) = self.players.get_mut(player) else { continue };
            player.situations[situation as usize].add(chips);
            if opener == Some(seat) {
                player.opened.add(chips);
            }
            if chips < 0 {
                player.costliest.push(Loss { round: self.rounds, chips, how: situation });
                player.costliest.sort_by_key(|loss| (loss.chips, loss.round));
                player.costliest.truncate(COSTLIEST);
            }
        }
        self.pots.push((pot, self.rounds, takers.join(", ")));
        self.pots.sort_by_key(|(chips, round, _)| (std::cmp::Reverse(*chips), *round));
        self.pots.truncate(POTS);
        for (player, stack) in tournament.players().iter().zip(table.stacks()) {
            if let Some(chips) = self.chips.get_mut(*player) {
                *chips = *stack;
            }
        }
        if self.race.wants(self.rounds) {
            self.race.push(Point { round: self.rounds, stacks: self.chips.clone() });
        }
    }

    /// Adds a measured reply time.
    pub fn add_reply(&mut self, seat: usize, took: Duration) {
        if let Some(player) = self.players.get_mut(seat) {
            player.replies.push(took.as_micros() as u64);
        }
    }

    /// No more rounds. The seed is told if the tournament is finished.
    pub fn close(&mut self, standings: &Standings, finished: bool, seed: &str) {
        self.standings = BoardRow::all(standings);
        self.race.push(Point { round: self.rounds, stacks: self.chips.clone() });
        self.finished = finished;
        if finished {
            self.programme.seed = Some(seed.to_string());
        }
        for player in &mut self.players {
            player.replies.sort_unstable();
        }
    }

    /// The names in seat order.
    pub fn players(&self) -> &[String] {
        &self.programme.players
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Seed;
    use crate::strategies::{Bot, HOUSE};
    use crate::table::TableSettings;
    use crate::tournament::{Event, EventBots, Recorder, play};
    use std::io;

    struct Keeper(ReportData);

    impl Recorder for Keeper {
        fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
            Ok(())
        }

        fn commit(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn over(&mut self, event: &Event) -> io::Result<()> {
            self.0.close(&event.standings(), true, "seed");
            Ok(())
        }
    }

    /// Every chip a player has at the end, or lost, is in exactly one of its situations.
    #[test]
    fn the_situations_of_a_player_add_up_to_its_chips() {
        let seed = Seed::chosen("report");
        let players = HOUSE.len();
        let names = HOUSE.iter().map(|bot| bot.name.to_string()).collect();
        let mut keeper = Keeper(ReportData::new(TournamentInfo {
            players: names,
            stack: 300,
            ..TournamentInfo::default()
        }));
        let mut tournament = TableGame::new(TableSettings::default(), &seed, players, 300, 1);
        for rounds in 1..=60 {
            let next = TableGame::new(TableSettings::default(), &seed, players, 300, rounds);
            let mut next = Event::from(next);
            let bots: Vec<Box<dyn Bot>> = HOUSE
                .iter()
                .map(|bot| -> Box<dyn Bot> { Box::new(bot.player(seed.stream(bot.name))) })
                .collect();
            play(&mut next, &mut EventBots::new(bots), &mut keeper).unwrap();
            if next.rounds_played() < rounds {
                break;
            }
            keeper.0.add_round(&next.tables()[0]);
            tournament = next.tables()[0].clone();
        }
        for (seat, player) in keeper.0.players.iter().enumerate() {
            let sum: i64 = player.situations.iter().map(|sum| sum.chips).sum();
            assert_eq!(300 + sum, i64::from(tournament.table().stacks()[seat]));
            assert!(player.costliest.is_sorted_by_key(|loss| loss.chips));
        }
    }
}
