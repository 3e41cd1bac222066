//! The outcome of a tournament.

use serde::Serialize;

use casino_stud::cards::Seed;
use casino_stud::journal::StandingLine;
use casino_stud::stud::Chips;
use casino_stud::tournament::{Ending, Event, Level, Placing, Player, Standings, TableResult};

/// The outcome of a tournament that is over or was stopped.
#[derive(Clone, Debug)]
pub struct Conclusion {
    /// Whether it was played to its end.
    pub ending: Ending,
    /// How many rounds were played.
    pub rounds: u64,
    /// The chips that players who were sent out left behind.
    pub forfeited: u64,
    /// All players, in the order of the tournament.
    pub players: Vec<Player>,
    /// The places of all players, best first.
    pub standings: Standings,
    /// The ranked players, and the house bots among the others.
    pub placing: Placing,
    /// The seed. It stays a secret while the tournament can go on.
    pub seed: Seed,
    /// How to resume, if the tournament was stopped and is recorded.
    pub resume: Option<String>,
    /// All of this as a JSON object.
    pub json: String,
}

impl Conclusion {
    /// The seed's text, if the tournament cannot go on.
    pub fn revealed_seed(&self) -> Option<&str> {
        self.resume.is_none().then(|| self.seed.text())
    }

    /// Puts everything into JSON; `event` has the levels of an event of many tables.
    pub(super) fn with_json(mut self, event: Option<&Event>) -> Conclusion {
        let object = ConclusionJson {
            seed: self.revealed_seed(),
            promise: self.seed.promise(),
            rounds: self.rounds,
            ended: match self.ending {
                Ending::Played => "played",
                Ending::Stopped => "stopped",
            },
            resume: self.resume.as_deref(),
            forfeited: self.forfeited,
            standings: StandingLine::all(&self.standings, &self.players),
            levels: event.map(|event| levels(event, &self.players)),
        };
        self.json = serde_json::to_string(&object).expect("names and numbers can be written as JSON");
        self
    }
}

/// The object of `result.json`.
#[derive(Serialize)]
struct ConclusionJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promise: Option<String>,
    rounds: u64,
    ended: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    resume: Option<&'a str>,
    forfeited: u64,
    standings: Vec<StandingLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    levels: Option<Vec<LevelJson<'a>>>,
}

#[derive(Serialize)]
struct LevelJson<'a> {
    level: u64,
    tournament: u32,
    /// The number of the seating in the level, if it is not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    seating: Option<u32>,
    round: u64,
    rounds: u64,
    ante: Chips,
    tables: Vec<TableJson<'a>>,
}

/// A table's result in a level.
#[derive(Serialize)]
struct TableJson<'a> {
    table: u32,
    players: Vec<&'a str>,
    began_with: &'a [Chips],
    ended_with: &'a [Chips],
}

fn levels<'a>(event: &'a Event, players: &'a [Player]) -> Vec<LevelJson<'a>> {
    let table = |table: &'a TableResult| TableJson {
        table: table.table,
        players: table.players.iter().map(|player| players[*player].name.as_str()).collect(),
        began_with: &table.began_with,
        ended_with: &table.ended_with,
    };
    let level = |(level, tables): &'a (Level, Vec<TableResult>)| LevelJson {
        level: level.number,
        tournament: level.tournament,
        seating: (level.seating > 1).then_some(level.seating),
        round: level.first_round,
        rounds: level.rounds,
        ante: level.ante,
        tables: tables.iter().map(table).collect(),
    };
    event.history().iter().map(level).collect()
}
