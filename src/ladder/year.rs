//! What the page takes when a year is in the database: 300 players with four versions a week, and 100,000 matches.

use std::fmt::Write as _;
use std::io::BufReader;
use std::time::{Duration, Instant};

use casino_ladder::Ladder;
use casino_stud::cards::Seed;

use super::tests::Served;

const PLAYERS: i64 = 300;
const VERSIONS: i64 = 208;
const MATCHES: i64 = 100_000;
const YEAR_MS: i64 = 365 * 86_400_000;

/// The lines of an export.
struct Lines(String);

impl Lines {
    fn add(&mut self, table: &str, row: &str) {
        let _ = writeln!(self.0, "{{\"table\":\"{table}\",\"row\":{{{row}}}}}");
    }
}

/// The number of a player's version. House bots come first, each with its one version of the same number.
fn version(houses: i64, player: i64, number: i64) -> i64 {
    houses + (player - houses - 1) * VERSIONS + number
}

fn players(lines: &mut Lines, house: &[&str]) {
    let houses = house.len() as i64;
    let player = |id: i64, name: &str, is_house: i64, active: i64| {
        format!(
            "\"id\":{id},\"name\":\"{name}\",\"is_house\":{is_house},\"active_version\":{active},\"created_ms\":0"
        )
    };
    for (name, id) in house.iter().zip(1..) {
        lines.add("players", &player(id, name, 1, id));
    }
    for id in houses + 1..=houses + PLAYERS {
        lines.add("players", &player(id, &format!("Player {id}"), 0, version(houses, id, VERSIONS)));
    }
    for (name, id) in house.iter().zip(1..) {
        let row = "\"number\":1,\"kind\":\"house\",\"state\":\"ready\",\"created_ms\":0";
        lines.add("versions", &format!("\"id\":{id},\"player\":{id},\"source\":\"{name}\",{row}"));
    }
    let said = "passed: a step of the check\\n".repeat(24);
    let rest = format!(
        "\"kind\":\"submission\",\"source\":\"bot.zip\",\"state\":\"ready\",\"diagnosis\":\"{said}\",\"bytes\":9000"
    );
    for player in houses + 1..=houses + PLAYERS {
        for number in 1..=VERSIONS {
            let (id, at) = (version(houses, player, number), YEAR_MS / VERSIONS * (number - 1));
            let row = format!("\"id\":{id},\"player\":{player},\"number\":{number},{rest}");
            lines.add("versions", &format!("{row},\"content_sha256\":\"{id:064}\",\"created_ms\":{at}"));
        }
    }
}

/// Every match has five of the players, each with the version that is theirs by then, and a house bot.
/// They end now.
fn matches(lines: &mut Lines, seats: &mut Lines, houses: i64) {
    let begins = super::now_ms() - YEAR_MS;
    let mut dice = Seed::chosen("a year").stream("matches");
    for id in 1..=MATCHES {
        let since = YEAR_MS / MATCHES * (id - 1);
        let at = begins + since;
        let kind = if id % 10 == 0 { "challenge" } else { "rated" };
        let terms =
            "\"state\":\"played\",\"decks\":20,\"stack\":500,\"reply_ms\":1000,\"is_away\":0,\"rounds\":120";
        let sha = format!("\"seed\":\"{id:064x}\",\"journal_sha256\":\"{id:064x}\",\"journal_bytes\":40000");
        let times = format!("\"planned_ms\":{at},\"began_ms\":{at},\"ended_ms\":{}", at + 20_000);
        let row = format!("\"id\":{id},\"name\":\"{id:016x}\",\"kind\":\"{kind}\",{terms},{sha},{times}");
        lines.add("matches", &row);
        let number = (1 + since / (YEAR_MS / VERSIONS)).min(VERSIONS);
        let first = i64::from(dice.below(PLAYERS as u32));
        for seat in 0..6 {
            // Strides of a prime number: nobody sits twice.
            let player = houses + 1 + (first + seat * 53) % PLAYERS;
            let version = if seat == 5 { 1 + id % houses } else { version(houses, player, number) };
            let chips = (i64::from(dice.below(4_001)) - 2_000) * (seat + 1) / 3;
            let squares = chips * chips / 10 + 90_000;
            let row = format!("\"match\":{id},\"seat\":{seat},\"version\":{version}");
            seats.add(
                "seats",
                &format!("{row},\"chips\":{chips},\"rounds\":120,\"decks\":20,\"squares\":{squares}"),
            );
            let rating = "\"value\":1.5,\"half\":2.5";
            seats.add(
                "ratings",
                &format!("\"version\":{version},\"after_matches\":{id},\"at_ms\":{at},{rating}"),
            );
            if seat == 0 && id % 50 == 0 {
                let foul = "\"round\":3,\"name\":\"illegal bet\",\"why\":\"It bet too much. Bet less.\"";
                seats.add("fouls", &format!("\"match\":{id},\"seat\":0,{foul}"));
            }
        }
    }
}

/// An export of such a ladder.
fn year(house: &[&str]) -> String {
    let (mut lines, mut seats) = (Lines("{\"casino_ladder\":1}\n".to_string()), Lines(String::new()));
    players(&mut lines, house);
    matches(&mut lines, &mut seats, house.len() as i64);
    lines.0 + &seats.0
}

#[test]
#[ignore = "a year of matches"]
fn how_long_each_page_takes_with_a_year_in_the_database() {
    let house: Vec<String> = {
        let ladder = Served::new();
        let players = ladder.desk.ladder().players().unwrap();
        players.into_iter().filter(|player| player.is_house).map(|player| player.name).collect()
    };
    let house: Vec<&str> = house.iter().map(String::as_str).collect();
    let folder = std::env::temp_dir().join(format!("casino-ladder-year-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let mut ladder = Ladder::create(&folder).unwrap();
    let began = Instant::now();
    let text = year(&house);
    ladder.restore(&mut BufReader::new(text.as_bytes())).unwrap();
    println!("restored in {:.1} s", began.elapsed().as_secs_f64());
    let bytes = std::fs::metadata(ladder.database()).unwrap().len();
    println!("ladder.db has {:.1} MB", bytes as f64 / 1e6);
    let began = Instant::now();
    let served = Served::of(folder, ladder);
    println!("rated from scratch, and served, in {:.1} s", began.elapsed().as_secs_f64());
    let key = served.desk.ladder().renew_key(casino_ladder::PlayerId(house.len() as i64 + 7)).unwrap();
    let (player, other, bot) = (house.len() + 7, house.len() + 60, 1);
    for (path, key) in [
        ("/api/overview".to_string(), ""),
        (format!("/api/player/{player}"), ""),
        (format!("/api/player/{bot}"), ""),
        (format!("/api/matches/{player}/0/all/0"), ""),
        (format!("/api/matches/{player}/{other}/rated/50000"), ""),
        (format!("/api/matches/{player}/{bot}/all/0"), ""),
        (format!("/api/matches/{bot}/{player}/all/0"), ""),
        (format!("/api/matches/{bot}/0/challenge/0"), ""),
        ("/api/matches/0/0/all/0".to_string(), ""),
        ("/api/matches/0/0/challenge/60000".to_string(), ""),
        ("/api/match/77777".to_string(), ""),
        (format!("/api/player/{player}/compare/208/207"), ""),
        ("/api/me".to_string(), key.as_str()),
        ("/api/teacher/overview".to_string(), super::tests::TOKEN),
    ] {
        // The best of several: what the machine does beside it is not the page's.
        let mut best = Duration::MAX;
        let mut length = 0;
        for _ in 0..5 {
            served.desk.forget_overview();
            let began = Instant::now();
            let (status, told) = served.ask("GET", &path, key, b"");
            best = best.min(began.elapsed());
            assert_eq!(status, 200, "{path}: {told}");
            length = told.len();
        }
        println!("{:8.1} ms  {length:7} bytes  {path}", best.as_secs_f64() * 1e3);
    }
}
