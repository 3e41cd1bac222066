//! The data of a report, gathered round by round.

use std::collections::BTreeMap;
use std::time::Duration;

use casino_analysis::coach::{AnalysedDecision, Analysis, PlayerAnalysis};
use casino_show::rounds::{BoardRow, TournamentInfo};
use casino_stud::cards::Card;
use casino_stud::replay::{PublicEvent, RoundSummary};
use casino_stud::stud::{Category, Chips, Half, Seat, Street, Strength};
use casino_stud::tournament::{Point, Race, Standings};

const BIGGEST_POTS: usize = 10;

const COSTLIEST_ROUNDS: usize = 3;

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

    fn showdown(strength: Strength) -> RoundOutcome {
        match strength.category() {
            Category::HighCard => RoundOutcome::ShowdownHighCard,
            Category::Pair => RoundOutcome::ShowdownPair,
            Category::Trips => RoundOutcome::ShowdownTrips,
        }
    }

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

/// A number of rounds, and the chips they brought in all.
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

/// The best hand with which a player came to a showdown, and the first round in which it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BestHand {
    pub(super) strength: Strength,
    pub(super) cards: [Card; 3],
    /// The number of the round.
    pub(super) round: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReportedFoul {
    /// The round, by its place among all.
    pub(super) round: u64,
    /// The player's action, in public words.
    pub(super) what: String,
    pub(super) fix: &'static str,
}

#[derive(Clone, Debug, Default)]
pub(super) struct PlayerReport {
    pub(super) outcomes: [Sum; RoundOutcome::ALL.len()],
    /// Halves of pots won for the high spade in the hole.
    pub(super) spades: Sum,
    pub(super) opened: Sum,
    pub(super) fouls: Vec<ReportedFoul>,
    pub(super) costliest: Vec<Loss>,
    pub(super) best_hand: Option<BestHand>,
    /// Microseconds, in ascending order.
    pub(super) replies: Vec<u64>,
    /// The coach's verdict, if it analysed a round of this player.
    pub(super) coach: Option<CoachReport>,
}

/// The coach's analysis of a player.
#[derive(Clone, Debug)]
pub(super) struct CoachReport {
    pub(super) player: PlayerAnalysis,
    /// The dearest decisions, the dearest first, each with its round by its place among all.
    pub(super) dearest: Vec<(u64, AnalysedDecision)>,
}

/// The data of a tournament.
#[derive(Clone, Debug)]
pub struct ReportData {
    pub(super) info: TournamentInfo,
    pub(super) players: Vec<PlayerReport>,
    pub(super) race: Race,
    /// The biggest pots: chips, round, and winners.
    pub(super) pots: Vec<(Chips, u64, String)>,
    /// How many rounds there are at all tables together: a round is known by its place among all of them.
    pub(super) rounds: u64,
    /// The number of the last round: as many rounds were played, each at all tables at the same time.
    pub(super) last_round: u64,
    /// Table and number of each round, where there are several tables.
    pub(super) deals: Vec<(u32, u64)>,
    /// The chips of all players, in the order of their numbers.
    chips: Vec<Chips>,
    /// The round in which each player left, by its place among all.
    pub(super) exits: BTreeMap<usize, u64>,
    pub(super) standings: Vec<BoardRow>,
    pub(super) finished: bool,
}

impl ReportData {
    /// The data of a tournament before its first round.
    pub fn new(info: TournamentInfo) -> ReportData {
        let chips = vec![info.stack; info.players.len()];
        let mut race = Race::of(chips.len());
        race.push(Point { round: 0, stacks: chips.clone() });
        ReportData {
            players: vec![PlayerReport::default(); info.players.len()],
            info,
            race,
            pots: Vec::new(),
            rounds: 0,
            last_round: 0,
            deals: Vec::new(),
            chips,
            exits: BTreeMap::new(),
            standings: Vec::new(),
            finished: false,
        }
    }

    /// Adds a finished round.
    pub fn add_round(&mut self, round: &RoundSummary) {
        self.rounds += 1;
        let is_new = round.round > self.last_round;
        self.last_round = self.last_round.max(round.round);
        if round.table_number() != 1 || !self.deals.is_empty() {
            // Until now all rounds were at the first table.
            for before in self.deals.len() as u64 + 1..self.rounds {
                self.deals.push((1, before));
            }
            self.deals.push((round.table_number(), round.round));
        }
        self.add_outcomes(round);
        self.add_pot(round);
        for (event, note) in round.noted_events() {
            match event {
                PublicEvent::Foul { seat, why, .. } => {
                    let (at, fix) = (self.rounds, note.map_or("", |note| note.fix));
                    if let Some(player) = self.player_at(round, *seat) {
                        player.fouls.push(ReportedFoul { round: at, what: why.clone(), fix });
                    }
                }
                PublicEvent::Left { exit, .. } => {
                    self.exits.insert(exit.player, self.rounds);
                }
                _ => {}
            }
        }
        for (player, stack) in round.final_stacks() {
            if let Some(chips) = self.chips.get_mut(player.player) {
                *chips = stack;
            }
        }
        // The tables that play a round later complete its point.
        if !is_new || self.race.wants(self.last_round) {
            self.race.push(Point { round: self.last_round, stacks: self.chips.clone() });
        }
    }

    fn player_at(&mut self, round: &RoundSummary, seat: Seat) -> Option<&mut PlayerReport> {
        self.players.get_mut(round.player_at(seat)?.player)
    }

    /// Adds each player's winnings or losses in the round, by the way it ended for them.
    fn add_outcomes(&mut self, round: &RoundSummary) {
        let opener = round.events.iter().find_map(|event| match event {
            PublicEvent::Opened { opener, .. } => Some(opener.index() + 1),
            _ => None,
        });
        let out = out_before_the_end(round);
        let live = round.players.len() - out.len();
        for (dealt, stack) in round.final_stacks() {
            let chips = i64::from(stack) - i64::from(dealt.stack);
            let shown = match dealt.cards()[..] {
                [a, b, c] if live > 1 && !out.contains_key(&dealt.seat) => Some([a, b, c]),
                _ => None,
            };
            let shown =
                shown.map(|cards| BestHand { strength: Strength::of(cards), cards, round: round.round });
            let outcome = out.get(&dealt.seat).copied().unwrap_or(match &shown {
                Some(hand) => RoundOutcome::showdown(hand.strength),
                None => RoundOutcome::EveryoneElseFolded,
            });
            let Some(player) = self.players.get_mut(dealt.player) else { continue };
            if shown.as_ref().map(|hand| hand.strength) > player.best_hand.as_ref().map(|hand| hand.strength)
            {
                player.best_hand = shown;
            }
            player.outcomes[outcome as usize].add(chips);
            if opener == Some(dealt.seat) {
                player.opened.add(chips);
            }
            if chips < 0 {
                player.costliest.push(Loss { round: self.rounds, chips, how: outcome });
                player.costliest.sort_by_key(|loss| (loss.chips, loss.round));
                player.costliest.truncate(COSTLIEST_ROUNDS);
            }
        }
    }

    /// Adds the pot and its winners.
    fn add_pot(&mut self, round: &RoundSummary) {
        let Some(end) = round.end() else { return };
        let mut takers = Vec::new();
        for (seat, half, chips) in &end.payouts {
            let player = round.player_at(*seat).map_or(usize::MAX, |player| player.player);
            let name = self.info.players.get(player).map_or("the house", String::as_str);
            takers.push(match half {
                Half::Spade => {
                    if let Some(player) = self.players.get_mut(player) {
                        player.spades.add((*chips).into());
                    }
                    format!("{name} {chips} for the high spade")
                }
                Half::Whole => name.to_string(),
                Half::Hand => format!("{name} {chips}"),
            });
        }
        let takers = match &end.payouts[..] {
            // A winner of both halves is named once.
            [(hand, ..), (spade, ..)] if hand == spade => {
                let player = round.player_at(*hand).map_or(usize::MAX, |player| player.player);
                let name = self.info.players.get(player).map_or("the house", String::as_str);
                format!("{name}, with the best hand and the high spade")
            }
            _ => takers.join(", "),
        };
        self.pots.push((end.pot(), self.rounds, takers));
        self.pots.sort_by_key(|(chips, round, _)| (std::cmp::Reverse(*chips), *round));
        self.pots.truncate(BIGGEST_POTS);
    }

    /// Adds a measured reply time.
    pub fn add_reply(&mut self, seat: usize, took: Duration) {
        if let Some(player) = self.players.get_mut(seat) {
            player.replies.push(took.as_micros() as u64);
        }
    }

    /// Adds the coach's analysis, after all rounds. Only for a finished tournament.
    pub fn coached(&mut self, analysis: &Analysis) {
        let deals: BTreeMap<(u32, u64), u64> = self.deals.iter().copied().zip(1..).collect();
        let place = |table: u32, round: u64| deals.get(&(table, round)).copied().unwrap_or(round);
        for player in &analysis.players {
            let Some(report) = self.players.get_mut(player.player).filter(|_| player.decisions > 0) else {
                continue;
            };
            let dearest = analysis.dearest(player);
            let dearest = dearest.map(|decision| (place(decision.table, decision.round), decision.clone()));
            report.coach = Some(CoachReport { player: player.clone(), dearest: dearest.collect() });
        }
    }

    /// No more rounds. The seed is included if the tournament is finished.
    pub fn close(&mut self, standings: &Standings, finished: bool, seed: &str) {
        self.standings = BoardRow::all(standings);
        self.race.push(Point { round: self.last_round, stacks: self.chips.clone() });
        self.finished = finished;
        if finished {
            self.info.seed = Some(seed.to_string());
        }
        for player in &mut self.players {
            player.replies.sort_unstable();
        }
    }

    /// The names in seat order.
    pub fn players(&self) -> &[String] {
        &self.info.players
    }
}

/// How the round ended for those who were not in at its end, by seat from 1.
fn out_before_the_end(round: &RoundSummary) -> BTreeMap<usize, RoundOutcome> {
    let mut out = BTreeMap::new();
    let mut street = Street::First;
    for event in &round.events {
        let (seat, outcome) = match *event {
            PublicEvent::Opened { street: opened, .. } => {
                street = opened;
                continue;
            }
            PublicEvent::Fold { seat, .. } if street == Street::First => (seat, RoundOutcome::FoldedFirst),
            PublicEvent::Fold { seat, .. } => (seat, RoundOutcome::FoldedSecond),
            PublicEvent::ForcedFold(seat) => (seat, RoundOutcome::CouldNotCall),
            PublicEvent::Foul { seat, .. } => (seat, RoundOutcome::Fouled),
            _ => continue,
        };
        out.entry(seat.index() + 1).or_insert(outcome);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::Seed;
    use casino_stud::replay::{Observer, SummaryBuilder};
    use casino_stud::strategies::{Bot, HOUSE};
    use casino_stud::table::{TableEvent, TableSettings};
    use casino_stud::tournament::{
        Event, EventBots, EventPlan, SharedRecorder, TableGame, TableRecorder, play,
    };
    use std::io;

    struct Keeper {
        builder: SummaryBuilder,
        report: ReportData,
    }

    impl TableRecorder for Keeper {
        fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
            self.builder.event(game, event);
            if *event == TableEvent::Ended {
                self.report.add_round(self.builder.round());
            }
            Ok(())
        }
    }

    /// Every chip a player has at the end, or lost, is in exactly one of its outcomes.
    #[test]
    fn the_outcomes_of_a_player_add_up_to_its_chips() {
        let seed = Seed::chosen("report");
        let names: Vec<String> = HOUSE.iter().map(|bot| bot.name.to_string()).collect();
        let info = TournamentInfo { players: names.clone(), stack: 300, ..TournamentInfo::default() };
        let keeper = Keeper { builder: SummaryBuilder::named(names, false), report: ReportData::new(info) };
        let mut keeper = SharedRecorder::new(keeper);
        let bots: Vec<Box<dyn Bot>> =
            HOUSE.iter().map(|bot| -> Box<dyn Bot> { Box::new(bot.player(seed.stream(bot.name))) }).collect();
        let (plan, settings) = (EventPlan::single_table(), TableSettings::default());
        let mut event = Event::new(plan, settings, &seed, HOUSE.len(), 300, Some(60));
        play(&mut event, &mut EventBots::new(bots), &mut keeper).unwrap();
        let keeper = keeper.lock();
        assert!(keeper.report.rounds > 20, "{}", keeper.report.rounds);
        for (player, stack) in keeper.report.players.iter().zip(event.tables()[0].table().stacks()) {
            let sum: i64 = player.outcomes.iter().map(|sum| sum.chips).sum();
            assert_eq!(300 + sum, i64::from(*stack));
            assert!(player.costliest.is_sorted_by_key(|loss| loss.chips));
        }
    }
}
