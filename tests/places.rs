//! Checks the places of random events of every format with a second implementation, which reads only the journal's
//! lines and follows only `docs/tournaments.md`.

use casino_stud::cards::{Seed, Stream};
use casino_stud::journal::Header;
use casino_stud::stud::MAX_SEATS;
use casino_stud::tournament::{EventPlan, Format};
use serde_json::Value;

use crate::support::{house_event, journal_of_house};

/// Quick bots of every temper, so that players leave in all kinds of ways.
const BOTS: [&str; 7] = ["random", "raiser", "bold", "caller", "simple", "reader", "folder"];

/// How many events of each format are played.
const EVENTS: u64 = 1_000;

/// An event of this format, with numbers drawn at random.
fn header(format: Format, dice: &mut Stream, number: u64) -> Header {
    let mut from = |low: u32, high: u32| low + dice.below(high - low + 1);
    let players = from(2, 14) as usize;
    let series = if from(0, 3) == 0 { 2 } else { 1 };
    let antes = (0..from(0, 6)).map(|level| 1 + level * from(0, 4)).collect();
    let one_table = format.rules().one_table();
    let plan = EventPlan {
        format,
        seats: if one_table { MAX_SEATS } else { from(2, 6) as usize },
        level_rounds: format.rules().usual_level_rounds(u64::from(from(1, 12))),
        antes,
        series,
        late_entry: None,
    };
    let stack = from(30, 80);
    let bots: Vec<&str> = (0..players).map(|_| BOTS[from(0, 6) as usize]).collect();
    house_event(plan, &Seed::chosen(format!("places {number}")), &bots, stack, 60)
}

#[test]
fn places_follow_the_document() {
    let events = std::env::var("EVENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(EVENTS / 20);
    let (mut unable, mut shared) = (0, 0);
    for format in Format::all() {
        let mut dice = Seed::chosen("random events").stream(format.rules().name);
        for number in 0..events {
            let journal = journal_of_house(&header(format, &mut dice, number), 1);
            let journal = String::from_utf8(journal).unwrap();
            let lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            let mut checker = Checker::new(&lines[0]);
            lines[1..].iter().for_each(|line| checker.read(line));
            let (ours, theirs) = (checker.places(), said(lines.last().unwrap(), checker.now.len()));
            assert_eq!(ours, theirs, "{format:?} {number}: {}", lines[0]);
            unable += checker.unable;
            shared += ours.len() - ours.iter().collect::<std::collections::BTreeSet<_>>().len();
        }
    }
    assert!(unable > 0 && shared > 0, "the hard cases came up: {unable} {shared}");
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(number).collect()
}

/// The places of the journal's last line, by the number of the player.
fn said(over: &Value, players: usize) -> Vec<i64> {
    let mut places = vec![0; players];
    for standing in over["standings"].as_array().unwrap() {
        let id = standing["github_id"].as_str().unwrap();
        places[id.trim_start_matches("house:").parse::<usize>().unwrap()] = number(&standing["place"]);
    }
    places
}

/// How far a player is in the tournament in play.
#[derive(Clone, Default)]
struct Player {
    chips: i64,
    /// When it left: the round, whether after all who left in it, and the chips it began with.
    left: Option<(i64, bool, i64)>,
    net: i64,
    matches: i64,
    /// Its opponents at each of its tables, in a Swiss event.
    met: Vec<Vec<usize>>,
    points: i64,
}

/// A table of the level in play.
struct Seats {
    players: Vec<usize>,
    stacks: Vec<i64>,
}

/// Reads a journal line by line and keeps the places as the document has them.
struct Checker {
    format: String,
    stack: i64,
    antes: Vec<i64>,
    series: i64,
    ids: Vec<usize>,
    now: Vec<Player>,
    tables: Vec<Seats>,
    table: usize,
    round: i64,
    /// The number of the level in its tournament, the tournament, and the level's last round.
    level: (usize, i64, i64),
    /// The first round of the tournament, and the most it has.
    first: i64,
    most: i64,
    /// How many could not pay a raised ante.
    unable: usize,
}

impl Checker {
    fn new(header: &Value) -> Checker {
        let event = &header["terms"]["plan"];
        let list = |value: &Value| if value.is_array() { numbers(value) } else { Vec::new() };
        let id = |player: &Value| {
            player["github_id"].as_str().unwrap().trim_start_matches("house:").parse::<usize>().unwrap()
        };
        let ids: Vec<usize> = header["players"].as_array().unwrap().iter().map(id).collect();
        let stack = number(&header["terms"]["stack"]);
        Checker {
            format: event["format"].as_str().unwrap().to_string(),
            stack,
            antes: list(&event["antes"]),
            series: event["series"].as_i64().unwrap_or(1),
            now: vec![Player { chips: stack, ..Player::default() }; ids.len()],
            ids,
            tables: Vec::new(),
            table: 0,
            round: 0,
            level: (0, 1, 0),
            first: 1,
            most: number(&header["terms"]["rounds"]),
            unable: 0,
        }
    }

    fn read(&mut self, line: &Value) {
        match line["type"].as_str().unwrap() {
            "level" => self.seat(line),
            "deal" => {
                self.table = number(&line["table"]) as usize - 1;
                self.round = number(&line["round"]);
            }
            "left" => {
                let seats = &self.tables[self.table];
                let at = number(&line["seat"]) as usize - 1;
                let (player, began) = (seats.players[at], seats.stacks[at]);
                if player < self.now.len() {
                    self.now[player].left = Some((self.round, false, began));
                }
            }
            "end" => self.tables[self.table].stacks = numbers(&line["stacks"]),
            "over" => {
                self.end_level();
                if self.series > 1 {
                    self.score();
                }
            }
            _ => {}
        }
    }

    fn seat(&mut self, line: &Value) {
        let again = line["seating"].as_i64().unwrap_or(1) > 1;
        let (begun, tournament, _) = self.level;
        let next = number(&line["tournament"]);
        if again {
            self.keep_stacks();
        } else if begun > 0 {
            self.end_level();
            if next > tournament {
                self.score();
                for player in &mut self.now {
                    *player = Player { chips: self.stack, points: player.points, ..Player::default() };
                }
                self.level.0 = 0;
                self.first = number(&line["round"]);
            }
        }
        let last = number(&line["round"]) + number(&line["rounds"]) - 1;
        self.level = (self.level.0 + usize::from(!again), next, last);
        let table = |table: &Value| Seats {
            players: numbers(&table["players"]).iter().map(|player| *player as usize - 1).collect(),
            stacks: numbers(&table["stacks"]),
        };
        self.tables = line["tables"].as_array().unwrap().iter().map(table).collect();
    }

    /// Stacks are kept from level to level.
    fn keep_stacks(&mut self) {
        for seats in &self.tables {
            for (player, chips) in seats.players.iter().zip(&seats.stacks) {
                if let Some(player) = self.now.get_mut(*player) {
                    player.chips = *chips;
                }
            }
        }
    }

    fn end_level(&mut self) {
        self.keep_stacks();
        let (levels, _, last) = self.level;
        let in_play: Vec<Vec<usize>> = self.tables.iter().map(|seats| seats.players.clone()).collect();
        match self.format.as_str() {
            "freezeout" | "single-table" => {
                let ante = self.antes.get(levels).or(self.antes.last()).copied().unwrap_or(1);
                let alive = |player: &Player| player.left.is_none();
                // If no player can pay the ante, the tournament ends there. The limit of rounds ends it before the next
                // ante.
                let over = last >= self.first + self.most - 1;
                if over || self.now.iter().filter(|player| alive(player)).all(|player| player.chips < ante) {
                    return;
                }
                for player in self.now.iter_mut().filter(|player| alive(player) && player.chips < ante) {
                    player.left = Some((last, true, player.chips));
                    self.unable += 1;
                }
            }
            "swiss" => {
                for players in &in_play {
                    let here: Vec<_> =
                        players.iter().map(|player| Checker::last_in(&self.now[*player])).collect();
                    let others = players.len() as i64 - 1;
                    for (player, mine) in players.iter().zip(&here) {
                        let beaten = here.iter().filter(|other| *other < mine).count() as i64;
                        let tied = here.iter().filter(|other| *other == mine).count() as i64 - 1;
                        let won = if others == 0 { 100 } else { 100 * (2 * beaten + tied) / (2 * others) };
                        let met = players.iter().copied().filter(|other| other != player).collect();
                        self.now[*player].matches += won;
                        self.now[*player].met.push(met);
                    }
                }
            }
            _ => {}
        }
        if !matches!(self.format.as_str(), "freezeout" | "single-table") {
            for player in in_play.iter().flatten().filter(|player| **player < self.ids.len()) {
                let player = &mut self.now[*player];
                player.net += player.chips - self.stack;
                player.left = None;
            }
        }
    }

    /// The criteria of a player's place in one tournament: the greater, the better.
    fn merit(&self, player: &Player) -> (i64, i64, i64) {
        match self.format.as_str() {
            "equal-deals" | "fresh-deals" => (player.net, 0, 0),
            "swiss" => {
                let mean = |others: &Vec<usize>| {
                    let points = others.iter().map(|other| self.now[*other].matches).sum::<i64>();
                    1_000 * points / others.len() as i64
                };
                let strength = player.met.iter().filter(|others| !others.is_empty()).map(mean).sum();
                (player.matches, strength, player.net)
            }
            _ => Checker::last_in(player),
        }
    }

    /// The last one in is first (R20).
    fn last_in(player: &Player) -> (i64, i64, i64) {
        match player.left {
            None => (i64::MAX, 0, player.chips),
            Some((round, after, began)) => (round, i64::from(after), began),
        }
    }

    fn ranks<M: Ord>(merits: &[M]) -> Vec<i64> {
        merits.iter().map(|mine| 1 + merits.iter().filter(|other| *other > mine).count() as i64).collect()
    }

    fn score(&mut self) {
        let merits: Vec<_> = self.now.iter().map(|player| self.merit(player)).collect();
        let places = Checker::ranks(&merits);
        for (at, place) in places.iter().enumerate() {
            self.now[at].points += places.iter().filter(|other| *other > place).count() as i64;
        }
    }

    /// The places, by the number in the players' ids.
    fn places(&self) -> Vec<i64> {
        let ranks = match self.series {
            1 => Checker::ranks(&self.now.iter().map(|player| self.merit(player)).collect::<Vec<_>>()),
            _ => Checker::ranks(&self.now.iter().map(|player| player.points).collect::<Vec<_>>()),
        };
        let mut places = vec![0; ranks.len()];
        for (id, rank) in self.ids.iter().zip(ranks) {
            places[*id] = rank;
        }
        places
    }
}
