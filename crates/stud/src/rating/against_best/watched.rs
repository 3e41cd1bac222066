//! Rounds with a program: some in which it is watched, and then those that count.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::cards::Seed;
use crate::rating::{
    Contestant, Estimate, PartTerms, Plan, PlanTerms, PlayedPart, Players, RatingPlanError, RatingReport,
    Shard, play_on,
};
use crate::stud::Chips;

use super::learned::Learned;
use super::program::AgainstProgram;
use super::{AgainstBestReport, EndLine, RoundEnd};

/// What the adversary is called in the plans. No program can be called so.
const ADVERSARY: &str = "the adversary";

/// Rounds between a program and an adversary that first watches how it plays, and then takes what it can: half of them each.
/// Only the second half counts.
#[derive(Clone, Debug)]
pub struct AgainstWatched {
    name: String,
    watching: Plan,
    taking: Plan,
}

impl AgainstWatched {
    /// So many rounds with the program of this name and command line, with this many chips in each stack at the beginning of
    /// every round.
    ///
    /// # Errors
    /// [`RatingPlanError`] if they cannot be played.
    pub fn new(
        name: &str,
        command: &str,
        seed: &Seed,
        rounds: u64,
        stack: Chips,
    ) -> Result<AgainstWatched, RatingPlanError> {
        let plan = |seed: &Seed| {
            let bots = vec![Contestant::program(name, command), Contestant::in_process(ADVERSARY)];
            Plan::new(
                bots,
                PlanTerms {
                    seats: 2,
                    stack,
                    seed: seed.clone(),
                    rounds: rounds.div_ceil(2),
                    ..PlanTerms::default()
                },
            )
        };
        let watching = plan(&Seed::chosen(format!("{} watched", seed.text())))?;
        Ok(AgainstWatched { name: name.to_string(), watching, taking: plan(seed)? })
    }

    /// How many rounds are played, those in which the program is watched among them.
    pub fn rounds(&self) -> u64 {
        [&self.watching, &self.taking].iter().map(|plan| plan.blocks() * plan.rounds_per_block()).sum()
    }

    /// Plays with a thread for each of these, in each of which the program is the only player. `watch` is told how many rounds
    /// have been played, and may stop it. `None` if it was stopped before there were two deals that count.
    ///
    /// # Errors
    /// The error of the players.
    pub fn play<P: Players + Send>(
        &self,
        programs: &mut [P],
        mut watch: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<AgainstBestReport>, P::Error> {
        let (rules, stack) = (self.taking.table_settings().rules, self.taking.stack());
        let number = self.taking.bots().iter().position(|bot| bot.name == self.name).unwrap_or(0);
        let mut fields: Vec<AgainstProgram<&mut P>> =
            programs.iter_mut().map(|program| AgainstProgram::new(program, number, rules, stack)).collect();
        let mut watched = PlayedPart::new(&self.watching, Shard::WHOLE);
        let each = self.watching.rounds_per_block();
        let tell = |played: &PlayedPart| watch(played.tally().blocks() * each);
        let terms = PartTerms { watch: Box::new(tell), ..PartTerms::default() };
        play_on(&self.watching, &mut fields, &mut watched, terms)?;
        let mut known = Learned::default();
        fields.iter().for_each(|field| known.add(&field.seen));
        let known = Arc::new(known);
        fields.iter_mut().for_each(|field| field.use_it(Arc::clone(&known)));
        let mut played = PlayedPart::new(&self.taking, Shard::WHOLE);
        let before = watched.tally().blocks() * each;
        if watched.tally().blocks() == self.watching.blocks() {
            let tell = |played: &PlayedPart| watch(before + played.tally().blocks() * each);
            let terms = PartTerms { watch: Box::new(tell), ..PartTerms::default() };
            play_on(&self.taking, &mut fields, &mut played, terms)?;
        }
        let mut ends: [(f64, f64); RoundEnd::ALL.len()] = Default::default();
        for field in &fields {
            for (sum, more) in ends.iter_mut().zip(field.ends) {
                *sum = (sum.0 + more.0, sum.1 + more.1);
            }
        }
        Ok((played.tally().blocks() >= 2).then(|| self.report(&played, before, ends)))
    }

    fn report(
        &self,
        played: &PlayedPart,
        watched: u64,
        ends: [(f64, f64); RoundEnd::ALL.len()],
    ) -> AgainstBestReport {
        let report = RatingReport::new(&self.taking, played, None);
        let line = |name: &str| report.standings.iter().find(|line| line.name == name);
        let taken = line(ADVERSARY).expect("the adversary has played").chips_per_round;
        let hundred = |chips: f64| 100.0 * chips;
        let hundreds = report.rounds as f64 / 100.0;
        let folded: f64 = ends.iter().map(|(_, chips)| chips / hundreds).sum();
        let end_line = |end: &RoundEnd| {
            let (rounds, chips) = ends[*end as usize];
            // What was not won by folds was won where the cards were shown.
            let chips =
                if *end == RoundEnd::Shown { hundred(taken.value) - folded } else { chips / hundreds };
            EndLine { end: *end, of_100: rounds / hundreds, chips }
        };
        AgainstBestReport {
            casino: env!("CARGO_PKG_VERSION").to_string(),
            bot: self.name.clone(),
            seed: self.taking.seed().text().to_string(),
            rounds: report.rounds,
            watched,
            stack: self.taking.stack(),
            chips_per_100: Estimate {
                value: hundred(taken.value),
                low: taken.low.map(hundred),
                high: taken.high.map(hundred),
                error: hundred(taken.error),
                ..taken
            },
            ends: RoundEnd::ALL.iter().map(end_line).collect(),
            fouls: line(&self.name).map_or(0, |line| line.fouls.count()),
        }
    }
}
