//! Ladders of house bots and their variants, whose tables are drawn by the schedule and played: how often intervals hold the
//! true differences, and how often identical versions are told apart.

use std::collections::BTreeMap;

use casino_stud::cards::{Seed, Stream};
use casino_stud::strategies::{Bot, HouseBot, HousePlayer};
use casino_stud::stud::Chips;
use casino_stud::table::{Question, Reply, Status, TableSettings};
use casino_stud::tournament::{Event, EventBots, EventPlan, Format, NoRecorder, play};

use super::*;
use crate::{Candidate, SeatResult, VersionId, next_table};

const ANCHORS: [&str; 5] = ["simple", "caller", "cautious", "bold", "reader"];
const BASES: [&str; 7] = ["simple", "cautious", "bold", "reader", "spades", "caller", "random"];
const WILD: [&str; 3] = ["raiser", "random", "bold"];
const STACK: Chips = 500;
const DECKS: u64 = 20;
const SEATS: usize = 6;
const MATCHES_EACH: usize = 94;

/// How a simulated student plays: like one house bot, and with this many of a hundred decisions like another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Style {
    base: &'static str,
    other: &'static str,
    percent: u32,
}

struct Player {
    bots: [HousePlayer; 2],
    percent: u32,
    dice: Stream,
}

impl Bot for Player {
    fn decide(&mut self, question: &Question<'_>) -> Reply {
        let other = usize::from(self.dice.below(100) < self.percent);
        self.bots[other].decide(question)
    }

    fn hear(&mut self, status: &Status) {
        self.bots.iter_mut().for_each(|bot| bot.hear(status));
    }
}

/// A class in which each style is played by two students. A third of the class is wild.
struct Class {
    styles: Vec<Style>,
    labels: Vec<String>,
}

impl Class {
    fn new(students: usize) -> Class {
        let mut styles: Vec<Style> =
            ANCHORS.iter().map(|base| Style { base, other: base, percent: 0 }).collect();
        let mut labels: Vec<String> = ANCHORS.iter().map(|name| format!("{name}/1")).collect();
        let mut dice = Seed::chosen("class").stream("styles");
        let mut draw = |from: &[&'static str]| from[dice.below(from.len() as u32) as usize];
        for student in 0..students {
            let style = match student % 2 {
                1 => styles[styles.len() - 1],
                _ if student % 6 == 0 => Style { base: draw(&BASES), other: draw(&WILD), percent: 40 },
                _ => Style { base: draw(&BASES), other: draw(&BASES), percent: 30 },
            };
            styles.push(style);
            labels.push(format!("student {student:02}/1"));
        }
        Class { styles, labels }
    }

    fn versions(&self) -> Vec<RatedVersion> {
        let version = |(at, label): (usize, &String)| RatedVersion {
            label: label.clone(),
            predecessor: None,
            is_house: at < ANCHORS.len(),
            is_active: true,
        };
        self.labels.iter().enumerate().map(version).collect()
    }

    /// Plays a match of equal deals.
    fn play(&self, seated: &[usize], name: &str) -> RatedMatch {
        let seed = Seed::chosen(name);
        let plan =
            EventPlan { format: Format::EQUAL_DEALS, level_rounds: Some(1), ..EventPlan::single_table() };
        let rounds = DECKS * seated.len() as u64;
        let mut event = Event::new(plan, TableSettings::default(), &seed, seated.len(), STACK, Some(rounds));
        let bot = |(seat, at): (usize, &usize)| {
            let Style { base, other, percent } = self.styles[*at];
            let bots = [base, other]
                .map(|bot| HouseBot::named(bot).unwrap().seated(&format!("{seat} {bot}"), &seed));
            let dice = seed.stream(&format!("mix {seat}"));
            Box::new(Player { bots, percent, dice }) as Box<dyn Bot>
        };
        let bots = seated.iter().enumerate().map(bot).collect();
        play(&mut event, &mut EventBots::new(bots), &mut NoRecorder).unwrap();
        let mut decks = vec![vec![0i64; seated.len()]; DECKS as usize];
        for (round, (_, tables)) in event.history().iter().enumerate() {
            for (player, chips) in tables[0].players.iter().zip(&tables[0].ended_with) {
                decks[round % DECKS as usize][*player] += i64::from(*chips) - i64::from(STACK);
            }
        }
        let seat = |(seat, at): (usize, &usize)| RatedSeat {
            label: self.labels[*at].clone(),
            chips: decks.iter().map(|deck| deck[seat]).sum(),
            decks: DECKS as i64,
            squares: decks.iter().map(|deck| deck[seat] * deck[seat]).sum(),
        };
        RatedMatch {
            name: name.to_string(),
            rounds: rounds as i64,
            seats: seated.iter().enumerate().map(seat).collect(),
        }
    }

    /// Draws and plays this many matches, so many at a time. Without jobs tables are drawn by chance alone.
    fn ladder(&self, jobs: usize, matches: usize, name: &str) -> Vec<RatedMatch> {
        let mut dice = Seed::chosen(name).stream("tables");
        let mut last = vec![0i64; self.styles.len()];
        let mut playing: Vec<(i64, Vec<usize>)> = Vec::new();
        let (mut now, mut played, mut is_idle) = (0, Vec::new(), false);
        let mut number = 0;
        while number < matches {
            if playing.len() == jobs.max(1) || is_idle {
                let first = (0..playing.len()).min_by_key(|at| playing[*at].0).unwrap();
                now = playing.remove(first).0;
            }
            let busy: Vec<usize> = playing.iter().flat_map(|(_, table)| table.iter().copied()).collect();
            let is_house = |at: usize| at < ANCHORS.len();
            let free = (0..last.len()).filter(|at| is_house(*at) || !busy.contains(at));
            let candidate = |at: usize| Candidate {
                version: VersionId(at as i64),
                is_house: is_house(at),
                waited: if jobs == 0 { 0 } else { number as i64 - last[at] },
            };
            let free: Vec<Candidate> = free.map(candidate).collect();
            // All students may sit at tables.
            let table = next_table(&free, SEATS, !playing.is_empty(), &mut dice);
            is_idle = table.is_none();
            let Some(table) = table else { continue };
            number += 1;
            let table: Vec<usize> = table.iter().map(|version| version.0 as usize).collect();
            table.iter().for_each(|at| last[*at] = number as i64);
            played.push(self.play(&table, &format!("{name} {number:06}")));
            // A match lasts 20 to 60 seconds: each player has its own speed.
            let takes: i64 = 20_000 + table.iter().map(|at| (*at as i64 * 7 % 9) * 1_000).sum::<i64>();
            playing.push((now + takes, table));
        }
        played
    }
}

/// The counts over some ladders.
#[derive(Debug, Default)]
struct Counts {
    differences: usize,
    covered: usize,
    twins: usize,
    false_claims: usize,
    /// The variance of the meetings of a pair, divided by their mean, and the matches of the busiest and idlest student.
    dispersion: Vec<f64>,
    most: usize,
    fewest: usize,
}

fn measure(class: &Class, truth: &Ratings, jobs: usize, ladders: usize) -> Counts {
    let students = class.labels.len() - ANCHORS.len();
    let versions = class.versions();
    let matches = MATCHES_EACH * students / (SEATS - 1);
    let mut counts = Counts { fewest: usize::MAX, ..Counts::default() };
    for number in 0..ladders {
        let played = class.ladder(jobs, matches, &format!("ladder {students} {jobs} {number}"));
        let ratings = rate(&versions, &played);
        let students: Vec<&String> = class.labels.iter().skip(ANCHORS.len()).collect();
        let mut meetings: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for one in 0..students.len() {
            let of = ratings.of(students[one]).unwrap().matches as usize;
            (counts.most, counts.fewest) = (counts.most.max(of), counts.fewest.min(of));
            for other in 0..one {
                let (difference, error) = ratings.difference(students[one], students[other]).unwrap();
                let (truth, _) = truth.difference(students[one], students[other]).unwrap();
                let are_twins = class.styles[one + ANCHORS.len()] == class.styles[other + ANCHORS.len()];
                let truth = if are_twins { 0.0 } else { truth };
                counts.differences += 1;
                counts.covered += usize::from((difference - truth).abs() <= HALF_INTERVAL_ERRORS * error);
                if are_twins {
                    counts.twins += 1;
                    let claim = compare(&ratings, students[one], students[other]).unwrap();
                    counts.false_claims += usize::from(claim != Comparison::NotToldApart);
                }
                meetings.insert((other, one), 0.0);
            }
        }
        for found in &played {
            let seat = |seat: &RatedSeat| students.iter().position(|label| **label == seat.label);
            let mut sat: Vec<usize> = found.seats.iter().filter_map(seat).collect();
            sat.sort_unstable();
            for (at, other) in sat.iter().enumerate() {
                sat[..at].iter().for_each(|one| *meetings.get_mut(&(*one, *other)).unwrap() += 1.0);
            }
        }
        let mean = meetings.values().sum::<f64>() / meetings.len() as f64;
        let variance = meetings.values().map(|count| (count - mean).powi(2)).sum::<f64>();
        counts.dispersion.push(variance / (meetings.len() - 1) as f64 / mean);
    }
    counts
}

/// The share of duels of a style with itself that tell the two apart, as the ladder plays them when a version is handed in.
fn false_claims_in_duels(duels: usize) -> f64 {
    let class = Class::new(24);
    let claims = (0..duels).filter(|number| {
        let at = ANCHORS.len() + number % 24;
        let results: Vec<SeatResult> = (0..5)
            .map(|part| {
                let RatedMatch { rounds, seats, .. } =
                    class.play(&[at, at], &format!("duel {number} {part}"));
                let RatedSeat { chips, decks, squares, .. } = seats[0];
                SeatResult { chips, rounds, decks, squares }
            })
            .collect();
        compare_in_duels(&results) != Some(Comparison::NotToldApart)
    });
    claims.count() as f64 / duels as f64
}

#[test]
fn the_same_program_again_is_told_apart_in_one_of_twenty() {
    let claims = false_claims_in_duels(400);
    println!("{:.1} % of the same programs are told apart", 100.0 * claims);
    assert!(claims <= 0.05, "{claims}");
}

/// Tables drawn by the schedule, beside the truth: many tables drawn by chance alone.
#[test]
#[ignore = "alone: some minutes"]
fn real_ladders_cover_their_nominal_level() {
    for students in [12, 16, 32, 60] {
        let class = Class::new(students);
        let matches = 20 * MATCHES_EACH * students / (SEATS - 1);
        let truth = rate(&class.versions(), &class.ladder(0, matches, "truth"));
        for jobs in [1, 2, 4] {
            let counts = measure(&class, &truth, jobs, (960 / students).max(20));
            let share = |part: usize, all: usize| part as f64 / all as f64;
            let covered = share(counts.covered, counts.differences);
            let claims = share(counts.false_claims, counts.twins);
            let dispersion = counts.dispersion.iter().sum::<f64>() / counts.dispersion.len() as f64;
            println!(
                "{students} students, {jobs} jobs, {} ladders: covered {:.1} %, false claims {:.1} % of {}, variance/mean of \
                 meetings {dispersion:.2}, matches {} to {}",
                counts.dispersion.len(),
                100.0 * covered,
                100.0 * claims,
                counts.twins,
                counts.fewest,
                counts.most,
            );
            assert!((0.93..=0.97).contains(&covered), "{covered}");
            assert!(claims <= 0.05 && dispersion <= 1.2, "{claims} {dispersion}");
        }
    }
}
