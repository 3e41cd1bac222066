//! What is measured and is no part of the suite: a year in the database, and how soon the ratings know the house bots' order.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::collections::BTreeMap;
use std::time::Instant;

use rusqlite::params;

use casino_stud::cards::Seed;
use casino_stud::strategies::HOUSE;

use crate::folder::tests::Scratch;
use crate::rating::tests::{Simulated, simulate};
use crate::{
    Connections, Ladder, MatchFilter, MatchKind, MatchPlan, MatchState, MatchTerms, PlannedSeat, RatedMatch,
    RatedSeat, RatedVersion, SeatSource, play, rate,
};

/// Writes a simulated ladder into the database: all of its players, versions, and played matches.
fn write(ladder: &mut Ladder, simulated: &Simulated) {
    let step = ladder.begin().unwrap();
    let (mut players, mut versions) = (BTreeMap::new(), BTreeMap::new());
    for version in &simulated.versions {
        let (name, number) = version.label.split_once('/').unwrap();
        let player = *players.entry(name).or_insert_with(|| {
            let sql = "INSERT INTO players (name, is_house, created_ms) VALUES (?1, ?2, 0)";
            step.execute(sql, params![name, version.is_house]).unwrap();
            step.last_insert_rowid()
        });
        let kind = if version.is_house { "house" } else { "submission" };
        step.execute(
            "INSERT INTO versions (player, number, kind, source, content_sha256, state, created_ms)
             VALUES (?1, ?2, ?3, 'bot.zip', ?4, 'ready', 0)",
            params![player, number.parse::<i64>().unwrap(), kind, "ab".repeat(32)],
        )
        .unwrap();
        let id = step.last_insert_rowid();
        versions.insert(version.label.as_str(), id);
        step.execute("UPDATE players SET active_version = ?2 WHERE id = ?1", [player, id]).unwrap();
    }
    for (RatedMatch { name, rounds, seats }, number) in simulated.matches.iter().zip(0i64..) {
        step.execute(
            "INSERT INTO matches (name, kind, state, seed, decks, stack, reply_ms, rounds, journal_sha256, journal_bytes,
                 planned_ms, began_ms, ended_ms)
             VALUES (?1, 'rated', 'played', ?2, 20, 500, 1000, ?3, ?2, 30000, ?4, ?4, ?4 + 30000)",
            params![name, "cd".repeat(32), rounds, number * 300_000],
        )
        .unwrap();
        let id = step.last_insert_rowid();
        for (RatedSeat { label, chips, decks, squares }, seat) in seats.iter().zip(0i64..) {
            step.execute(
                "INSERT INTO seats (match, seat, version, chips, rounds, decks, squares) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                params![id, seat, versions[label.as_str()], chips, rounds, decks, squares],
            )
            .unwrap();
        }
    }
    step.commit().unwrap();
}

fn timed<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = work();
    println!("{what}: {:.1} ms", began.elapsed().as_secs_f64() * 1_000.0);
    done
}

/// 100,000 matches of 300 players with four versions a week each.
#[test]
#[ignore = "measures a year, in minutes"]
fn a_year_in_the_database() {
    let scratch = Scratch::new("year");
    let mut ladder = scratch.ladder();
    let number = |name: &str, usual| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
    let (weeks, matches) = (number("WEEKS", 52), number("MATCHES", 100_000));
    let simulated = simulate("a year", 300, 4 * weeks, matches);
    timed("writing it", || write(&mut ladder, &simulated));
    let ratings = timed("ratings from scratch", || ladder.ratings()).unwrap();
    timed("the ratings of a day written down", || ladder.reckon(1)).unwrap();
    let now = 300_000 * matches as i64;
    timed("who plays next", || ladder.plan_next(&ratings, |_| false, now)).unwrap();
    timed("all players", || ladder.players()).unwrap();
    timed("active versions", || ladder.active_versions()).unwrap();
    timed("the last 50 matches", || ladder.matches(MatchFilter { most: 50, ..MatchFilter::default() }))
        .unwrap();
    let player = ladder.player_named("p007").unwrap().id;
    let of = MatchFilter { player: Some(player), most: 50, ..MatchFilter::default() };
    timed("the last 50 matches of a player", || ladder.matches(of)).unwrap();
    let opponent = Some(ladder.player_named("p008").unwrap().id);
    timed("those with one opponent", || ladder.matches(MatchFilter { opponent, ..of })).unwrap();
    timed("the versions of a player", || ladder.versions_of(player)).unwrap();
    timed("how many matches", || ladder.count_matches(MatchState::Played)).unwrap();
    timed("bytes used", || ladder.used_bytes()).unwrap();
    timed("all of the database gone through", || ladder.check_database()).unwrap();
    timed("backup", || ladder.backup(&scratch.path().join("backup.db"))).unwrap();
    let bytes = std::fs::metadata(scratch.path().join("backup.db")).unwrap().len();
    println!("{} versions, {matches} matches, {bytes} bytes", simulated.versions.len());
}

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
    let none = BTreeMap::new();
    let playing = play(&plan, None, &none, Connections::new(), &journal, || false);
    let played = casino_host::block_on(playing).unwrap().unwrap();
    std::fs::remove_file(&journal).unwrap();
    let seats = plan.seats.iter().zip(&played.results).map(|(seat, result)| RatedSeat {
        label: seat.label.clone(),
        chips: result.chips,
        decks: result.decks,
        squares: result.squares,
    });
    RatedMatch { name: plan.name.clone(), rounds: played.rounds as i64, seats: seats.collect() }
}
