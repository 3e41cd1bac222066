//! Tournaments of drawn bots, and what the replays of reported mistakes gain in them.

#![allow(clippy::print_stdout, reason = "what is measured is printed")]

use std::collections::BTreeMap;
use std::fmt::Write;

use casino_analysis::coach::{AnalysedDecision, Caution, Coach, Judgement, NotedRound};
use casino_stud::cards::Seed;
use casino_stud::table::{TableSettings, play_round};
use casino_stud::tournament::TableGame;

use super::engine::Dice;
use super::field::{Habits, Seated};
use super::played_again::{Gain, PlayedAgain};

/// A tournament of bots that are drawn from these.
pub(crate) fn tournament(bots: &[Habits], number: u64, rounds: u64) -> (Vec<Habits>, Vec<NotedRound>) {
    let mut dice = Dice(number);
    let seats = 3 + dice.below(5);
    let stack = [80, 200, 500][dice.below(3)];
    let table: Vec<Habits> = (0..seats).map(|_| bots[dice.below(bots.len())]).collect();
    let mut players: Vec<Seated> = table
        .iter()
        .zip(1..)
        .map(|(habits, at)| Seated { habits: *habits, dice: Dice(number * 100 + at) })
        .collect();
    let seed = Seed::chosen(format!("played again {number}"));
    let mut game = TableGame::new(TableSettings::default(), &seed, seats, stack, rounds);
    let mut noted = Vec::new();
    while game.deal() {
        let Ok(()) = play_round(&mut game, &mut players[..]);
        noted.push(NotedRound::of(&game));
    }
    (table, noted)
}

pub(crate) fn coach_of(table: &[Habits], rounds: &[NotedRound]) -> Coach {
    let names = table.iter().zip(1..).map(|(habits, at)| format!("{}-{at}", habits.name)).collect();
    Coach::new(names, rounds)
}

/// Sums of the reported prices and of the actual gains, if `odds` continues and if the bot itself does.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sums {
    count: f64,
    told: f64,
    gained: [f64; 2],
    squares: [f64; 2],
    harmful: [f64; 3],
}

impl Sums {
    fn add(&mut self, told: f64, gains: [Gain; 2]) {
        self.count += 1.0;
        self.told += told;
        for (at, gain) in gains.iter().enumerate() {
            self.gained[at] += gain.mean;
            self.squares[at] += gain.mean * gain.mean;
            self.harmful[at] += f64::from(u8::from(gain.mean < 0.0));
        }
        let surely = gains.iter().any(|gain| gain.mean < -2.0 * gain.error);
        self.harmful[2] += f64::from(u8::from(surely));
    }

    pub(crate) fn gain(&self, at: usize) -> Gain {
        let mean = self.gained[at] / self.count;
        let variance = (self.squares[at] - self.gained[at] * mean) / (self.count - 1.0).max(1.0);
        Gain { mean, error: (variance.max(0.0) / self.count).sqrt() }
    }

    pub(crate) fn line(&self, what: &str) -> String {
        let [odds, itself] = [self.gain(0), self.gain(1)];
        let percent = |part: f64| 100.0 * part / self.count;
        format!(
            "| {what} | {:.0} | {:.2} | {:.2} ± {:.2} | {:.2} ± {:.2} | {:.1} % | {:.1} % | {:.1} % |\n",
            self.count,
            self.told / self.count,
            odds.mean,
            1.96 * odds.error,
            itself.mean,
            1.96 * itself.error,
            percent(self.harmful[0]),
            percent(self.harmful[1]),
            percent(self.harmful[2]),
        )
    }
}

fn size(cost: f64) -> &'static str {
    match cost {
        cost if cost < 1.0 => "size 1: below 1 chip",
        cost if cost < 2.0 => "size 2: 1 to 2",
        cost if cost < 4.0 => "size 3: 2 to 4",
        cost if cost < 8.0 => "size 4: 4 to 8",
        _ => "size 5: 8 and more",
    }
}

/// Which reported mistakes are replayed.
#[derive(Clone, Default)]
pub(crate) struct Replay {
    pub(crate) caution: Caution,
    /// The number of the first tournament.
    pub(crate) from: u64,
    /// How many mistakes are replayed.
    pub(crate) wanted: usize,
    /// How often each of them is.
    pub(crate) deals: u32,
    /// The only kind of reply that is replayed, if not all are.
    pub(crate) reply: Option<String>,
}

impl Replay {
    /// Replays reported mistakes in tournaments of these bots; returns the reported prices and the actual gains.
    pub(crate) fn play_again(&self, bots: &[Habits]) -> BTreeMap<String, Sums> {
        let Replay { caution, from, wanted, deals, ref reply } = *self;
        let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
        let (mut called, mut decisions, mut shown) = (0, 0, 0);
        for number in from.. {
            let (table, rounds) = tournament(bots, number, 100);
            let mut coach = coach_of(&table, &rounds);
            coach.caution = caution;
            // Not all of one tournament, so that they come from many.
            let mut left = 30;
            for round in &rounds {
                let analysed = coach.analyse(round);
                decisions += analysed.len();
                let mistakes = analysed.iter().filter(|decision| decision.judgement == Judgement::Mistake);
                let is_meant = |decision: &&AnalysedDecision| {
                    reply.as_ref().is_none_or(|reply| *reply == format!("{:?}", decision.kinds()[0]))
                };
                for decision in mistakes.filter(is_meant) {
                    if left == 0 || called == wanted {
                        break;
                    }
                    (left, called) = (left - 1, called + 1);
                    let habits: Vec<Habits> = round.players.iter().map(|player| table[*player]).collect();
                    let mut again = PlayedAgain::new(round, &habits, decision);
                    let gains = again.gains(deals, number * 1_000 + called as u64);
                    let [replied, better] = decision.kinds();
                    let of_bot = &decision.name[..decision.name.find('-').unwrap_or(0)];
                    let keys = [
                        "all".to_string(),
                        size(decision.cost).to_string(),
                        format!("kind {replied:?}, better {better:?}"),
                        format!("street {}", decision.class.street),
                        format!("bot {of_bot}"),
                    ];
                    for key in keys {
                        sums.entry(key).or_default().add(decision.cost, gains);
                    }
                }
                if left == 0 || called == wanted {
                    break;
                }
            }
            if called == wanted {
                break;
            }
            if called >= shown + 100 {
                shown = called;
                println!("{called} mistakes so far\n{}", text_of(&sums));
            }
        }
        println!("{called} mistakes of {decisions} decisions");
        sums
    }
}

pub(crate) fn text_of(sums: &BTreeMap<String, Sums>) -> String {
    let mut text = String::from(
        "| | mistakes | told | gained, odds goes on | gained, the bot itself | odds: harmful | itself | either, surely |\n",
    );
    for (what, sums) in sums {
        write!(text, "{}", sums.line(what)).expect("a text takes all");
    }
    text
}
