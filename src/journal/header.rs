//! The first line of a journal: what everything else follows from.

use serde::{Deserialize, Serialize};

use crate::cards::Seed;
use crate::strategies::HouseBot;
use crate::stud::{Chips, MAX_SEATS, Rules, ShortStack};
use crate::table::{OnFoul, TableSettings};
use crate::tournament::{Entrant, Event, EventPlan, Floor, Format, MAX_PLAYERS, Player, Roster, TableGame};

/// The version of the format. Readers refuse any other.
pub(super) const VERSION: u32 = 1;

/// What everything else follows from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format: 1.
    pub version: u32,
    /// The seed's text.
    pub seed: String,
    /// The SHA-256 shown before the first deal, if the seed was drawn.
    pub promise: Option<String>,
    /// Chips at the start.
    pub stack: Chips,
    /// The most rounds.
    pub rounds: u64,
    /// The ante in chips.
    pub ante: Chips,
    /// The largest raise in chips.
    pub raise_cap: Chips,
    /// `fold` or `ask` (R8).
    pub short_stack: String,
    /// `eject` or `fold` (R18, R19).
    pub on_foul: String,
    /// How long a reply may take, in milliseconds (R17).
    pub reply_ms: u64,
    /// Whether `login` is asked a second time (R16).
    pub relogin: bool,
    /// What is played at many tables; nothing for a freeze-out at one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<EventPlan>,
    /// The players in seat order; those of an event in the order the seed draws.
    pub players: Vec<HeaderPlayer>,
}

/// A player in the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeaderPlayer {
    /// The seat, from 1.
    pub seat: usize,
    /// The name everyone sees.
    pub name: String,
    /// The GitHubId.
    pub github_id: String,
    /// What plays there.
    pub plays: PlayerSource,
}

/// What plays in a seat: enough to put it there again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum PlayerSource {
    /// A house bot: its name.
    House(String),
    /// A program that is started.
    Program {
        /// The name it was given.
        name: String,
        /// The command line, with `{host}` and `{port}`.
        command: String,
    },
    /// A program that connects.
    Remote,
}

/// How a tournament is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// How the table is run.
    pub conduct: TableSettings,
    /// Chips everyone starts with.
    pub stack: Chips,
    /// The most rounds.
    pub rounds: u64,
    /// How long a reply may take, in milliseconds (R17).
    pub reply_ms: u64,
    /// Whether `login` is asked a second time (R16).
    pub relogin: bool,
}

impl Header {
    /// The header of a tournament with these players in seat order.
    pub fn new(
        terms: Terms,
        seed: &Seed,
        players: impl IntoIterator<Item = (Player, PlayerSource)>,
    ) -> Header {
        let rules = terms.conduct.rules;
        Header {
            version: VERSION,
            seed: seed.text().to_string(),
            promise: seed.promise(),
            stack: terms.stack,
            rounds: terms.rounds,
            ante: rules.ante,
            raise_cap: rules.raise_cap,
            short_stack: match rules.short_stack {
                ShortStack::Fold => "fold".to_string(),
                ShortStack::Ask => "ask".to_string(),
            },
            on_foul: match terms.conduct.on_foul {
                OnFoul::Eject => "eject".to_string(),
                OnFoul::Fold => "fold".to_string(),
            },
            reply_ms: terms.reply_ms,
            relogin: terms.relogin,
            event: None,
            players: players
                .into_iter()
                .zip(1..)
                .map(|((player, plays), seat)| HeaderPlayer {
                    seat,
                    name: player.name,
                    github_id: player.github_id,
                    plays,
                })
                .collect(),
        }
    }

    /// The same players in an event.
    #[must_use]
    pub fn with_event(self, plan: EventPlan) -> Header {
        Header { event: Some(plan), ..self }
    }

    /// How the tournament is played.
    ///
    /// # Errors
    /// The first thing in the header that no tournament can have, in words.
    pub fn terms(&self) -> Result<Terms, String> {
        let unknown = |field: &str, value: &str| Err(format!("{field} is \"{}\"", value.escape_debug()));
        let short_stack = match self.short_stack.as_str() {
            "fold" => ShortStack::Fold,
            "ask" => ShortStack::Ask,
            other => return unknown("short_stack", other),
        };
        let on_foul = match self.on_foul.as_str() {
            "eject" => OnFoul::Eject,
            "fold" => OnFoul::Fold,
            other => return unknown("on_foul", other),
        };
        let players = self.players.len();
        match &self.event {
            None if !(2..=MAX_SEATS).contains(&players) => {
                return Err(format!("there are {players} players, where a table seats 2 to {MAX_SEATS}"));
            }
            Some(plan) => self.check_event(plan)?,
            None => {}
        }
        if self.ante == 0 || self.stack < self.ante {
            return Err(format!("a stack of {} cannot pay an ante of {}", self.stack, self.ante));
        }
        if u64::from(self.stack) * players as u64 >= 1 << 31 {
            return Err(format!("{players} stacks of {} are too many chips to count", self.stack));
        }
        for (player, seat) in self.players.iter().zip(1..) {
            if player.seat != seat {
                return Err(format!("seat {} is listed where seat {seat} belongs", player.seat));
            }
            if let PlayerSource::House(name) = &player.plays
                && HouseBot::named(name).is_none()
            {
                return unknown("a house bot", name);
            }
        }
        let rules = Rules { ante: self.ante, raise_cap: self.raise_cap, short_stack };
        Ok(Terms {
            conduct: TableSettings { rules, on_foul },
            stack: self.stack,
            rounds: self.rounds,
            reply_ms: self.reply_ms,
            relogin: self.relogin,
        })
    }

    fn check_event(&self, plan: &EventPlan) -> Result<(), String> {
        plan.check()?;
        let players = self.players.len();
        let fewest = if plan.format == Format::Gauntlet { 1 } else { 2 };
        if !(fewest..=MAX_PLAYERS).contains(&players) {
            return Err(format!("there are {players} players, where an event has {fewest} to {MAX_PLAYERS}"));
        }
        if let Some(name) = plan.against.iter().find(|name| HouseBot::named(name).is_none()) {
            return Err(format!("against names \"{}\", which is no house bot", name.escape_debug()));
        }
        if self.rounds > 1_000_000_000 {
            return Err(format!("{} rounds are more than an event can have", self.rounds));
        }
        plan.check_stack(self.stack)
    }

    /// The seed.
    ///
    /// # Errors
    /// If it is not the one that was promised, in words.
    pub fn seed(&self) -> Result<Seed, String> {
        let Some(promise) = &self.promise else { return Ok(Seed::chosen(&self.seed)) };
        let seed = Seed::revealed(&self.seed)
            .ok_or("a seed was promised, and the one in the header is none that is drawn")?;
        match seed.fingerprint() {
            fingerprint if fingerprint == *promise => Ok(seed),
            fingerprint => {
                Err(format!("the SHA-256 of the seed is {fingerprint}, where {promise} was promised"))
            }
        }
    }

    /// Whether the players sit where the seed puts them (R2).
    ///
    /// # Errors
    /// If not, in words.
    pub fn check_seats(&self, seed: &Seed) -> Result<(), String> {
        let entrants: Vec<Entrant> = self
            .players
            .iter()
            .map(|player| Entrant { github_id: player.github_id.clone(), name: player.name.clone() })
            .collect();
        let roster = Roster::new(&entrants, seed);
        for (player, seated) in self.players.iter().zip(roster.players()) {
            if player.github_id != seated.github_id {
                return Err(format!(
                    "seat {} belongs to {}, by the seed, and {} sits there",
                    player.seat, seated.github_id, player.github_id
                ));
            }
        }
        Ok(())
    }

    /// The players in seat order, and the house's own of a gauntlet after them.
    pub fn roster(&self) -> Vec<Player> {
        let player =
            |player: &HeaderPlayer| Player { github_id: player.github_id.clone(), name: player.name.clone() };
        self.players.iter().map(player).chain(self.house_own()).collect()
    }

    /// The house's own bots of a gauntlet.
    pub fn house_own(&self) -> Vec<Player> {
        let own =
            |name: &String| Player { github_id: format!("house:{name}"), name: format!("{name} (house)") };
        self.event.iter().flat_map(|plan| plan.against.iter().map(own)).collect()
    }

    /// The tournament at one table, before its first round.
    ///
    /// # Errors
    /// As [`Header::terms`] and [`Header::seed`], and if it is an event.
    pub fn tournament(&self) -> Result<TableGame, String> {
        match self.floor()? {
            Floor::One(tournament) => Ok(*tournament),
            Floor::Many { .. } => Err("it is an event of many tables".to_string()),
        }
    }

    /// What is played, before its first round.
    ///
    /// # Errors
    /// As [`Header::terms`] and [`Header::seed`].
    pub fn floor(&self) -> Result<Floor, String> {
        let Terms { conduct, stack, rounds, .. } = self.terms()?;
        let (seed, players) = (self.seed()?, self.players.len());
        Ok(match &self.event {
            None => Floor::One(Box::new(TableGame::new(conduct, &seed, players, stack, rounds))),
            Some(plan) => Floor::many(Event::new(plan.clone(), conduct, &seed, players, stack, rounds)),
        })
    }
}
