//! The first line of a journal: what everything else follows from.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::cards::Seed;
use crate::shown::one_line;
use crate::strategies::HouseBot;
use crate::stud::Chips;
use crate::table::TableSettings;
use crate::tournament::{
    Entrant, Event, EventPlan, Format, MOST_ROUNDS, Newcomer, Placing, PlanError, Player, Roster, SecretIds,
    is_program_name,
};

use super::Occasion;

/// The most letters of a player's name: those of a roster have 40, and a number where two are alike.
const LONGEST_NAME: usize = 64;

/// The version of the format. Readers refuse any other.
pub(super) const VERSION: u32 = 3;

/// What everything else follows from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format: 3.
    pub version: u32,
    /// The text of the seed.
    pub seed: String,
    /// The SHA-256 shown before the first deal, if the seed was drawn.
    pub promise: Option<String>,
    /// What is said of the day.
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
    /// The address a program connected from: whoever goes on with the journal asks the teacher about a login under
    /// the same GitHubId from another one.
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

/// How a tournament is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// Which tables are played at, and by whom.
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

/// Why a header describes no tournament.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HeaderError {
    /// A seat is played by a house bot that there is not.
    #[error("a house bot is \"{}\"", .0.escape_debug())]
    HouseBot(String),
    /// The plan cannot be played by this many players.
    #[error("there are {players} players, where a {} has {fewest} to {most}", .format.rules().name)]
    Players {
        /// How many players there are.
        players: usize,
        /// How few players can play it.
        fewest: usize,
        /// How many players can play it at the most.
        most: usize,
        /// The format of the plan.
        format: Format,
    },
    /// A program's name could lead its output out of the folder for it.
    #[error("seat {seat} is played by a program named \"{}\", which is no name of a program", .name.escape_debug())]
    ProgramName {
        /// The seat, from 1.
        seat: usize,
        /// The name in the journal.
        name: String,
    },
    /// A name is longer than any that a roster shows.
    #[error("the name of seat {seat} has {letters} letters, and no name has more than {LONGEST_NAME}")]
    LongName {
        /// The seat, from 1.
        seat: usize,
        /// How many letters its name has.
        letters: usize,
    },
    /// The starting stack cannot pay the ante.
    #[error("a stack of {stack} cannot pay an ante of {ante}")]
    Stack {
        /// The starting stack, in chips.
        stack: Chips,
        /// The ante, in chips.
        ante: Chips,
    },
    /// All stacks together are 2^31 chips or more.
    #[error("{players} stacks of {stack} are too many chips to count")]
    TooManyChips {
        /// How many players there are.
        players: usize,
        /// The starting stack, in chips.
        stack: Chips,
    },
    /// The players are not listed in seat order.
    #[error("seat {listed} is listed where seat {seat} belongs")]
    SeatListed {
        /// The seat of the player that is listed, from 1.
        listed: usize,
        /// The seat whose player belongs there, from 1.
        seat: usize,
    },
    /// A gauntlet names a house bot that there is not.
    #[error("against names \"{}\", which is no house bot", .0.escape_debug())]
    Opponent(String),
    /// A tournament has no such number of rounds.
    #[error("{0} rounds are more than a tournament can have")]
    Rounds(u64),
    /// The plan of the event cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A seed was promised, and this one cannot have been drawn.
    #[error("a seed was promised, and the one in the header is none that is drawn")]
    SeedNotDrawn,
    /// The seed is not the one that was promised.
    #[error("the SHA-256 of the seed is {fingerprint}, where {promise} was promised")]
    OtherSeed {
        /// The SHA-256 of the seed.
        fingerprint: String,
        /// The SHA-256 that was promised.
        promise: String,
    },
    /// A player does not sit where the seed puts it.
    #[error("seat {seat} belongs to {}, by the seed, and {} sits there", one_line(.drawn), one_line(.listed))]
    WrongSeat {
        /// The seat, from 1.
        seat: usize,
        /// The GitHubId of the player who belongs there.
        drawn: String,
        /// The GitHubId of the player who is listed.
        listed: String,
    },
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
            letters if letters > LONGEST_NAME => Err(HeaderError::LongName { seat: self.seat, letters }),
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
            version: VERSION,
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

    /// The same on this occasion.
    #[must_use]
    pub fn on(self, occasion: Occasion) -> Header {
        Header { occasion, ..self }
    }

    /// The same players, who connected from these addresses, in the same order.
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

    /// Whether a tournament can be played so.
    ///
    /// # Errors
    /// The first thing in the header that no tournament can have.
    pub fn check(&self) -> Result<(), HeaderError> {
        let players = self.players.len();
        self.check_plan()?;
        let (stack, ante) = (self.terms.stack, self.terms.conduct.rules.ante);
        if ante == 0 || stack < ante {
            return Err(HeaderError::Stack { stack, ante });
        }
        if u64::from(stack) * players as u64 >= 1 << 31 {
            return Err(HeaderError::TooManyChips { players, stack });
        }
        for (player, seat) in self.players.iter().zip(1..) {
            if player.seat != seat {
                return Err(HeaderError::SeatListed { listed: player.seat, seat });
            }
            player.check_name()?;
            match &player.plays {
                PlayerSource::House(name) if HouseBot::named(name).is_none() => {
                    return Err(HeaderError::HouseBot(name.clone()));
                }
                // What it prints goes to files of this name.
                PlayerSource::Program { name, .. } if !is_program_name(name) => {
                    return Err(HeaderError::ProgramName { seat, name: name.clone() });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn check_plan(&self) -> Result<(), HeaderError> {
        let Terms { plan, stack, rounds, .. } = &self.terms;
        plan.check()?;
        let (players, format) = (self.players.len(), plan.format);
        let (fewest, most) = (format.rules().fewest_players, plan.most_players());
        if !(fewest..=most).contains(&players) {
            return Err(HeaderError::Players { players, fewest, most, format });
        }
        if let Some(name) = plan.against.iter().find(|name| HouseBot::named(name).is_none()) {
            return Err(HeaderError::Opponent(name.clone()));
        }
        if let Some(rounds) = rounds.filter(|rounds| *rounds > MOST_ROUNDS) {
            return Err(HeaderError::Rounds(rounds));
        }
        Ok(plan.check_stack(*stack)?)
    }

    /// The seed.
    pub fn seed(&self) -> Result<Seed, HeaderError> {
        let Some(promise) = &self.promise else { return Ok(Seed::chosen(&self.seed)) };
        let seed = Seed::revealed(&self.seed).ok_or(HeaderError::SeedNotDrawn)?;
        match seed.fingerprint() {
            fingerprint if fingerprint == *promise => Ok(seed),
            fingerprint => Err(HeaderError::OtherSeed { fingerprint, promise: promise.clone() }),
        }
    }

    /// Whether the players sit where the seed puts them (R2).
    pub fn check_seats(&self, seed: &Seed) -> Result<(), HeaderError> {
        let entrants: Vec<Entrant> =
            self.players.iter().map(|player| Entrant::new(&player.github_id, &player.name)).collect();
        let roster = Roster::new(&entrants, seed);
        for (player, seated) in self.players.iter().zip(roster.players()) {
            if player.github_id != seated.github_id {
                return Err(HeaderError::WrongSeat {
                    seat: player.seat,
                    drawn: seated.github_id.clone(),
                    listed: player.github_id.clone(),
                });
            }
        }
        Ok(())
    }

    /// The players in seat order, and the house bots of a gauntlet after them.
    pub fn roster(&self) -> Vec<Player> {
        let player =
            |player: &HeaderPlayer| Player { github_id: player.github_id.clone(), name: player.name.clone() };
        self.players.iter().map(player).chain(self.opponents()).collect()
    }

    /// The GitHubIds of the players who are no house bots.
    pub fn secret_ids(&self) -> SecretIds {
        let secret = self.players.iter().filter(|player| !matches!(player.plays, PlayerSource::House(_)));
        SecretIds::new(secret.map(|player| &player.github_id))
    }

    /// The house bots of a gauntlet.
    pub fn opponents(&self) -> Vec<Player> {
        let opponent =
            |name: &String| Player { github_id: format!("house:{name}"), name: format!("{name} (house)") };
        self.terms.plan.against.iter().map(opponent).collect()
    }

    /// Who has a place in the standings.
    pub fn placing(&self) -> Placing {
        let house = self.players.iter().map(|player| matches!(player.plays, PlayerSource::House(_)));
        Placing::new(house, self.terms.house_counts)
    }

    /// The event before its first round.
    ///
    /// # Errors
    /// As [`Header::check`] and [`Header::seed`].
    pub fn event(&self) -> Result<Event, HeaderError> {
        self.check()?;
        let Terms { plan, conduct, stack, rounds, .. } = self.terms.clone();
        let event = Event::new(plan, conduct, &self.seed()?, self.players.len(), stack, rounds);
        Ok(event.placed_by(self.placing()))
    }
}
