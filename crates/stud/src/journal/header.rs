//! The first line of a journal, from which the rest follows.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::cards::Seed;
use crate::shown::one_line;
use crate::strategies::HouseBot;
use crate::stud::Chips;
use crate::table::TableSettings;
use crate::tournament::{
    Entrant, Event, EventPlan, FEWEST_PLAYERS, MAX_ROUNDS, Newcomer, Placing, PlanError, Player, Roster,
    SecretIds, is_program_name,
};

use super::Occasion;

/// The most letters of a player's name: those of a roster have 40, and a number where two are alike.
const MAX_NAME_CHARS: usize = 64;

/// The version of the format. Readers refuse any other.
pub(super) const JOURNAL_VERSION: u32 = 3;

/// The seed and settings from which the rest of the journal follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format: 3.
    pub version: u32,
    /// The text of the seed.
    pub seed: String,
    /// The SHA-256 shown before the first deal, if the seed was drawn.
    pub promise: Option<String>,
    /// Title, place and date.
    #[serde(default, skip_serializing_if = "Occasion::is_empty")]
    pub occasion: Occasion,
    /// How it is played.
    pub terms: Terms,
    /// The players in the order the seed draws: at a single table that is their seat order.
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
    /// The GitHubId of the player.
    pub github_id: String,
    /// The bot or program that plays there.
    pub plays: PlayerSource,
    /// The address a program connected from. On resume the teacher confirms a login under the same GitHubId from
    /// another address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<IpAddr>,
}

/// The bot or program that plays in a seat, with enough to start it again.
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
    /// A person, at a chair of the host (R23).
    Person,
}

impl PlayerSource {
    /// Whether a house bot plays there.
    pub fn is_house(&self) -> bool {
        matches!(self, PlayerSource::House(_))
    }

    /// Whether a program plays there that this host starts.
    pub fn is_program(&self) -> bool {
        matches!(self, PlayerSource::Program { .. })
    }
}

/// How a tournament is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// The tables and their players.
    pub plan: EventPlan,
    /// How a table is run.
    pub conduct: TableSettings,
    /// The chips everyone starts with.
    pub stack: Chips,
    /// The most rounds that are played in a tournament, if there is a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u64>,
    /// How long a reply may take, in milliseconds (R17).
    pub reply_ms: u64,
    /// Whether `login` is asked a second time (R16).
    pub relogin: bool,
    /// Whether house bots have places among others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub house_counts: bool,
}

impl Terms {
    /// The usual terms of a tournament at one table.
    pub fn single_table(stack: Chips, rounds: u64) -> Terms {
        let (plan, conduct) = (EventPlan::single_table(), TableSettings::default());
        Terms {
            plan,
            conduct,
            stack,
            rounds: Some(rounds),
            reply_ms: 1_000,
            relogin: false,
            house_counts: false,
        }
    }
}

/// Why a header describes no tournament, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct HeaderError(String);

impl From<PlanError> for HeaderError {
    fn from(error: PlanError) -> HeaderError {
        HeaderError(error.to_string())
    }
}

fn refuse(why: String) -> Result<(), HeaderError> {
    Err(HeaderError(why))
}

impl HeaderPlayer {
    /// A player who comes in late and has this number, from 1.
    pub(super) fn late(seat: usize, newcomer: Newcomer) -> HeaderPlayer {
        let Newcomer { player: Player { name, github_id }, from } = newcomer;
        HeaderPlayer { seat, name, github_id, plays: PlayerSource::Remote, from: Some(from) }
    }

    /// Whether the name is one that a roster can show.
    pub(crate) fn check_name(&self) -> Result<(), HeaderError> {
        match self.name.chars().count() {
            letters if letters > MAX_NAME_CHARS => refuse(format!(
                "the name of seat {} has {letters} letters, and no name has more than {MAX_NAME_CHARS}",
                self.seat
            )),
            _ => Ok(()),
        }
    }
}

impl Header {
    /// The header of a tournament with these players in seat order.
    pub fn new(
        terms: Terms,
        seed: &Seed,
        players: impl IntoIterator<Item = (Player, PlayerSource)>,
    ) -> Header {
        Header {
            version: JOURNAL_VERSION,
            seed: seed.text().to_string(),
            promise: seed.promise(),
            occasion: Occasion::default(),
            terms,
            players: players
                .into_iter()
                .zip(1..)
                .map(|((player, plays), seat)| HeaderPlayer {
                    seat,
                    name: player.name,
                    github_id: player.github_id,
                    plays,
                    from: None,
                })
                .collect(),
        }
    }

    /// This header with another title and venue.
    #[must_use]
    pub fn on(self, occasion: Occasion) -> Header {
        Header { occasion, ..self }
    }

    /// The same players with these addresses, in the same order.
    #[must_use]
    pub fn with_addresses(mut self, addresses: impl IntoIterator<Item = Option<IpAddr>>) -> Header {
        for (player, from) in self.players.iter_mut().zip(addresses) {
            player.from = from;
        }
        self
    }

    /// Adds a player who has come in late after all others.
    pub fn enter(&mut self, newcomer: Newcomer) {
        self.players.push(HeaderPlayer::late(self.players.len() + 1, newcomer));
    }

    /// Checks that a tournament can be played by this header; the error is its first fault.
    pub fn check(&self) -> Result<(), HeaderError> {
        let players = self.players.len();
        self.check_plan()?;
        let (stack, ante) = (self.terms.stack, self.terms.conduct.rules.ante);
        if ante == 0 || stack < ante {
            return refuse(format!("a stack of {stack} cannot pay an ante of {ante}"));
        }
        if u64::from(stack) * players as u64 >= 1 << 31 {
            return refuse(format!("{players} stacks of {stack} are too many chips to count"));
        }
        for (player, seat) in self.players.iter().zip(1..) {
            if player.seat != seat {
                return refuse(format!("seat {} is listed where seat {seat} belongs", player.seat));
            }
            player.check_name()?;
            match &player.plays {
                PlayerSource::House(name) if HouseBot::named(name).is_none() => {
                    return refuse(format!("a house bot is \"{}\"", name.escape_debug()));
                }
                // Its output goes to files of this name.
                PlayerSource::Program { name, .. } if !is_program_name(name) => {
                    let name = name.escape_debug();
                    return refuse(format!(
                        "seat {seat} is played by a program named \"{name}\", which is no name of a program"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_plan(&self) -> Result<(), HeaderError> {
        let Terms { plan, stack, rounds, .. } = &self.terms;
        plan.check()?;
        let (players, most) = (self.players.len(), plan.max_players());
        if !(FEWEST_PLAYERS..=most).contains(&players) {
            let name = plan.format.rules().name;
            return refuse(format!(
                "there are {players} players, where a {name} has {FEWEST_PLAYERS} to {most}"
            ));
        }
        if let Some(rounds) = rounds.filter(|rounds| *rounds > MAX_ROUNDS) {
            return refuse(format!("{rounds} rounds are more than a tournament can have"));
        }
        Ok(plan.check_stack(*stack)?)
    }

    /// The seed.
    pub fn seed(&self) -> Result<Seed, HeaderError> {
        let Some(promise) = &self.promise else { return Ok(Seed::chosen(&self.seed)) };
        let not_drawn = "a seed was promised, and the one in the header is none that is drawn";
        let seed = Seed::revealed(&self.seed).ok_or_else(|| HeaderError(not_drawn.to_string()))?;
        match seed.fingerprint() {
            fingerprint if fingerprint == *promise => Ok(seed),
            fingerprint => {
                let why = format!("the SHA-256 of the seed is {fingerprint}, where {promise} was promised");
                Err(HeaderError(why))
            }
        }
    }

    /// Whether the players sit where the seed puts them (R2).
    pub fn check_seats(&self, seed: &Seed) -> Result<(), HeaderError> {
        let entrants: Vec<Entrant> =
            self.players.iter().map(|player| Entrant::new(&player.github_id, &player.name)).collect();
        let roster = Roster::new(&entrants, seed);
        for (player, seated) in self.players.iter().zip(roster.players()) {
            if player.github_id != seated.github_id {
                let (drawn, listed) = (one_line(&seated.github_id), one_line(&player.github_id));
                let seat = player.seat;
                return refuse(format!(
                    "seat {seat} belongs to {drawn}, by the seed, and {listed} sits there"
                ));
            }
        }
        Ok(())
    }

    /// The players in seat order.
    pub fn roster(&self) -> Vec<Player> {
        let player =
            |player: &HeaderPlayer| Player { github_id: player.github_id.clone(), name: player.name.clone() };
        self.players.iter().map(player).collect()
    }

    /// The GitHubIds of the players who are no house bots.
    pub fn secret_ids(&self) -> SecretIds {
        let secret = self.players.iter().filter(|player| !player.plays.is_house());
        SecretIds::new(secret.map(|player| &player.github_id))
    }

    /// The players who are ranked in the standings.
    pub fn placing(&self) -> Placing {
        let house = self.players.iter().map(|player| player.plays.is_house());
        Placing::new(house, self.terms.house_counts)
    }

    /// The event before its first round.
    pub fn event(&self) -> Result<Event, HeaderError> {
        self.check()?;
        let Terms { plan, conduct, stack, rounds, .. } = self.terms.clone();
        let event = Event::new(plan, conduct, &self.seed()?, self.players.len(), stack, rounds);
        Ok(event.placed_by(self.placing()))
    }
}
