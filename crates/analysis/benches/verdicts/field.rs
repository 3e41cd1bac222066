//! Fields of bots, and the tables of their results that runs are drawn from.

use casino_analysis::rating::{
    BlockTally, BotPlayers, Dealer, Estimate, Finish, FoulBook, PlanTerms, PlayedPart, Players, RatedBot,
    RatingPlan, RatingReport, play,
};
use casino_stud::cards::{Seed, Stream};
use casino_stud::strategies::{Bot, HouseBot};

use crate::Runs;

/// The ladder: house bots that think fast.
pub(crate) const LADDER: [&str; 7] = ["passive", "caller", "simple", "cautious", "bold", "reader", "spades"];

/// A field of house bots. Hidden ones are played like external programs with unknown code.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) bots: &'a [&'a str],
    pub(crate) seats: usize,
    pub(crate) hidden: bool,
}

impl<'a> Field<'a> {
    /// House bots at tables of so many.
    pub(crate) fn house(bots: &'a [&'a str], seats: usize) -> Field<'a> {
        Field { bots, seats, hidden: false }
    }

    pub(crate) fn name(&self) -> String {
        let kind = if self.hidden { " as programs" } else { "" };
        match self.bots.len() {
            2 => format!("{}{kind}", self.bots.join("–")),
            bots if self.bots[0] == "random" => format!("{bots} wild at {}{kind}", self.seats),
            bots => format!("{bots} at {}{kind}", self.seats),
        }
    }

    pub(crate) fn plan(&self, seed: &str, rounds: u64) -> RatingPlan {
        let rated = |(number, bot): (usize, &&str)| {
            // Names in this order, so that bot and number are the same.
            let name = format!("{number:02}-{bot}");
            if self.hidden { RatedBot::in_process(&name) } else { RatedBot::house(&name, house_bot(bot)) }
        };
        let bots = self.bots.iter().enumerate().map(rated).collect();
        let seed = Seed::chosen(seed);
        let plan = RatingPlan::new(
            bots,
            PlanTerms { seats: self.seats, stack: 500, seed, rounds, ..PlanTerms::default() },
        );
        plan.expect("the plan can be played")
    }

    pub(crate) fn house_players(&self) -> BotPlayers {
        BotPlayers::house(self.bots.iter().map(|name| house_bot(name)).collect())
    }

    fn hidden_players(&self, plan: &RatingPlan) -> BotPlayers {
        let mut bots = self.bots.iter();
        let own = |name: &str| -> Box<dyn Bot> {
            let bot = bots.next().expect("the plan has the bots of the field, in its order");
            Box::new(house_bot(bot).player(plan.seed().stream(name)))
        };
        BotPlayers::new(plan, own)
    }

    pub(crate) fn played(&self, plan: &RatingPlan) -> PlayedPart {
        let played = match self.hidden {
            true => play(plan, &mut [self.hidden_players(plan)]),
            false => play(plan, &mut [self.house_players()]),
        };
        played.expect("in process")
    }

    pub(crate) fn report(&self, seed: &str, rounds: u64) -> RatingReport {
        let plan = self.plan(seed, rounds);
        RatingReport::new(&plan, &self.played(&plan), None)
    }

    /// The chips that each bot wins in a round, on average over so many.
    pub(crate) fn truth(&self, seed: &str, rounds: u64) -> Vec<f64> {
        let plan = self.plan(seed, rounds);
        let played = self.played(&plan);
        let each = (plan.blocks() * plan.seats() as u64) as f64;
        (0..self.bots.len()).map(|bot| played.tally().chips(bot) as f64 / each).collect()
    }

    /// So many blocks, each a tally of its own.
    pub(crate) fn blocks(&self, runs: &Runs, count: u64) -> Pool {
        let plan = self.plan(&runs.seed("pool"), count * self.bots.len() as u64);
        let blocks = match self.hidden {
            true => dealt(&plan, &mut self.hidden_players(&plan), count),
            false => dealt(&plan, &mut self.house_players(), count),
        };
        Pool { plan, blocks }
    }
}

fn dealt<F: Players>(plan: &RatingPlan, players: &mut F, count: u64) -> Vec<BlockTally> {
    let mut dealer = Dealer::new(plan);
    let block = |block| {
        let mut tally = plan.tally(block, 1);
        let dealt = dealer.blocks(block..block + 1, players, &mut tally);
        assert!(dealt.is_ok(), "in process");
        tally
    };
    (0..count).map(block).collect()
}

pub(crate) fn house_bot(name: &str) -> &'static HouseBot {
    HouseBot::named(name).expect("a house bot")
}

/// Blocks that runs are drawn from, with replacement. Blocks do not depend on each other, so a run that is drawn is a run of a
/// field whose truth is the mean of these blocks.
pub(crate) struct Pool {
    plan: RatingPlan,
    blocks: Vec<BlockTally>,
}

impl Pool {
    /// The chips that each bot wins in a round, on average over all blocks.
    pub(crate) fn truth(&self) -> Vec<f64> {
        let rounds = (self.blocks.len() * self.plan.seats()) as f64;
        let chips = |bot| self.blocks.iter().map(|block| block.chips(bot)).sum::<i64>() as f64 / rounds;
        (0..self.plan.bot_count()).map(chips).collect()
    }

    /// The report of a run of so many rounds.
    pub(crate) fn report(&self, rounds: u64, dice: &mut Stream) -> RatingReport {
        let blocks = rounds.div_ceil(self.plan.bot_count() as u64).max(2);
        let mut tally = self.plan.tally(0, 1);
        let bound = u32::try_from(self.blocks.len()).expect("a pool is small");
        (0..blocks).for_each(|_| tally.append_as_next(&self.blocks[dice.below(bound) as usize]));
        RatingReport::new(&self.plan, &PlayedPart::of(tally, Vec::new()), None)
    }
}

/// Groups of freeze-outs that days are drawn from, as blocks are.
pub(crate) struct Days {
    plan: RatingPlan,
    /// Unused here: a report also contains blocks.
    tally: BlockTally,
    groups: Vec<Vec<Finish>>,
}

impl Days {
    /// So many groups of freeze-outs.
    pub(crate) fn new(field: &Field<'_>, runs: &Runs, count: u64) -> Days {
        let plan = field.plan(&runs.seed("days"), 2 * field.bots.len() as u64);
        let bots = plan.bot_count() as u64;
        let groups = runs.each_of(count, &format!("freeze-outs of {}", field.name()), |group| {
            let (mut players, mut fouls) = (field.house_players(), FoulBook::new(field.bots.len()));
            let mut dealer = Dealer::new(&plan);
            let tournaments = group * bots + 1..=(group + 1) * bots;
            let mut finish =
                |number| dealer.tournament(number, &mut players, &mut fouls).unwrap_or_else(|no| match no {});
            tournaments.map(&mut finish).collect::<Vec<Finish>>()
        });
        Days { tally: field.played(&plan).tally().clone(), plan, groups }
    }

    /// The share of the tournaments that each bot wins, and its mean place.
    pub(crate) fn truth(&self) -> Vec<(f64, f64)> {
        let of = |bot: usize| {
            let (mut won, mut places, mut count) = (0.0, 0.0, 0.0);
            for finish in self.groups.iter().flatten() {
                let Some(at) = finish.bots.iter().position(|other| *other == bot) else { continue };
                let place = finish.places[at];
                let shared = finish.places.iter().filter(|other| **other == place).count() as f64;
                won += if place == 1 { 1.0 / shared } else { 0.0 };
                places += place as f64 + (shared - 1.0) / 2.0;
                count += 1.0;
            }
            (won / count, places / count)
        };
        (0..self.plan.bot_count()).map(of).collect()
    }

    /// The report of so many groups.
    pub(crate) fn report(&self, groups: u64, dice: &mut Stream) -> RatingReport {
        let bound = u32::try_from(self.groups.len()).expect("a pool is small");
        let drawn = (0..groups).flat_map(|_| self.groups[dice.below(bound) as usize].clone());
        RatingReport::new(&self.plan, &PlayedPart::of(self.tally.clone(), drawn.collect()), None)
    }
}

/// The chips of each bot of a report, by number.
pub(crate) fn chips(report: &RatingReport) -> Vec<Estimate> {
    let mut standings: Vec<_> = report.standings.iter().collect();
    standings.sort_by(|one, other| one.name.cmp(&other.name));
    standings.iter().map(|verdict| verdict.chips_per_round).collect()
}

/// The number of a bot, with which its name begins.
pub(crate) fn number(name: &str) -> usize {
    name[..2].parse().expect("a name begins with a number")
}

/// The difference of two bots, by number, the first less the second.
pub(crate) fn difference(report: &RatingReport, one: usize, other: usize) -> Estimate {
    for pair in &report.pairs {
        if (number(&pair.first), number(&pair.second)) == (one, other) {
            return pair.difference;
        }
        if (number(&pair.second), number(&pair.first)) == (one, other) {
            let Estimate { value, low, high, .. } = pair.difference;
            let (low, high) = (high.map(|high| -high), low.map(|low| -low));
            return Estimate { value: -value, low, high, ..pair.difference };
        }
    }
    panic!("every pair is there")
}
