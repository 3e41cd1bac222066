//! What is measured and is no part of the suite: how soon the ratings know the house bots' order.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "nothing here is outside a test")]

use casino_stud::cards::Seed;
use casino_stud::strategies::HOUSE;

use crate::folder::tests::Scratch;
use crate::play::play_house_match;
use crate::{
    MatchKind, MatchPlan, MatchTerms, PlannedSeat, RatedMatch, RatedSeat, RatedVersion, SeatSource, rate,
};

/// The values of these labels in their order, from so many matches.
fn values(labels: &[String], matches: &[RatedMatch]) -> Vec<f64> {
    let version = |label: &String| RatedVersion {
        label: label.clone(),
        predecessor: None,
        is_house: true,
        is_active: true,
    };
    let versions: Vec<RatedVersion> = labels.iter().map(version).collect();
    let ratings = rate(&versions, matches);
    labels.iter().map(|label| ratings.of(label).unwrap().value).collect()
}

/// Spearman's rank correlation, where no two are equal.
fn rank_correlation(one: &[f64], other: &[f64]) -> f64 {
    let ranks = |values: &[f64]| -> Vec<f64> {
        values.iter().map(|value| values.iter().filter(|less| *less < value).count() as f64).collect()
    };
    let squares: f64 = ranks(one).iter().zip(ranks(other)).map(|(one, other)| (one - other).powi(2)).sum();
    let count = one.len() as f64;
    1.0 - 6.0 * squares / (count * (count * count - 1.0))
}

/// House bots in real matches of the usual terms: what all matches tell is taken to be the truth, and compared with what the
/// first 25, 50, 100 and 200 matches of each tell.
#[test]
#[ignore = "plays some thousand matches, in minutes"]
fn the_order_of_the_house_bots_is_known_within_200_matches_each() {
    let scratch = Scratch::new("order");
    let bots: Vec<&str> = HOUSE.iter().map(|bot| bot.name).filter(|name| *name != "shark").collect();
    let labels: Vec<String> = bots.iter().map(|name| format!("{name}/1")).collect();
    let (seats, most) = (6, 2_000);
    let mut dice = Seed::chosen("the house bots' order").stream("tables");
    let total = most * labels.len() / seats;
    let mut matches = Vec::new();
    let mut played = vec![0usize; labels.len()];
    let mut known = Vec::new();
    while matches.len() < total {
        // Those who have played least, and by chance among them.
        let mut order: Vec<(usize, u32, usize)> =
            (0..labels.len()).map(|at| (played[at], dice.below(1 << 30), at)).collect();
        order.sort_unstable();
        let table: Vec<usize> = order.iter().take(seats).map(|(.., at)| *at).collect();
        table.iter().for_each(|at| played[*at] += 1);
        matches.push(house_match(&scratch, &labels, &bots, &table));
        let least = played.iter().min().copied().unwrap();
        if [25, 50, 100, 200].contains(&least) && known.last().is_none_or(|(before, _)| *before < least) {
            known.push((least, values(&labels, &matches)));
        }
    }
    let truth = values(&labels, &matches);
    println!(
        "{}",
        labels.iter().zip(&truth).map(|(label, value)| format!("{label} {value:+.2}  ")).collect::<String>()
    );
    let mut last = 0.0;
    for (each, values) in &known {
        last = rank_correlation(values, &truth);
        println!("{each} matches each: rank correlation {last:.3} with what {most} matches each tell");
    }
    assert!(last >= 0.95, "{last}");
}

fn house_match(scratch: &Scratch, labels: &[String], bots: &[&str], table: &[usize]) -> RatedMatch {
    let seat = |at: &usize| PlannedSeat {
        label: labels[*at].clone(),
        plays: SeatSource::House(bots[*at].to_string()),
    };
    let terms = MatchTerms { kind: MatchKind::Rated, decks: 20, stack: 500, reply_ms: 1_000 };
    let plan =
        MatchPlan::new(terms, &crate::matches::drawn_seed().unwrap(), table.iter().map(seat).collect());
    let journal = scratch.path().join("match.jsonl");
    let played = play_house_match(&plan, &journal);
    std::fs::remove_file(&journal).unwrap();
    let seats = plan.seats.iter().zip(&played.results).map(|(seat, result)| RatedSeat {
        label: seat.label.clone(),
        chips: result.chips,
        decks: result.decks,
        squares: result.squares,
    });
    RatedMatch { name: plan.name.clone(), rounds: played.rounds as i64, seats: seats.collect() }
}
