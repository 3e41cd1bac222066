//! The event and its house bots as they were at the end of a journal.

use crate::cards::Seed;
use crate::journal::{Digest, Header, HeaderPlayer, PlayerSource, RecordedTimeBanks, ResumePoint, Tail};
use crate::strategies::{HouseBot, HousePlayer};
use crate::tournament::{DaySettings, Event, Player};

/// The treatment of house bots while a journal is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HouseBots {
    /// They are asked again and must answer as recorded: their dice come to where they were.
    Recomputed,
    /// Their recorded replies are used, like those of all players.
    AsRecorded,
}

/// The house bots among the players.
#[derive(Clone, Debug)]
pub struct HouseBotStates {
    /// Those among the players, in the header's order.
    pub players: Vec<Option<HousePlayer>>,
}

impl HouseBotStates {
    /// The house bots among the players of this header.
    ///
    /// # Panics
    /// If the header's terms have not been checked.
    pub fn new(header: &Header, seed: &Seed) -> HouseBotStates {
        let player = |player: &HeaderPlayer| match &player.plays {
            PlayerSource::House(name) => {
                let bot = HouseBot::named(name).expect("the terms were checked");
                Some(bot.seated(&player.github_id, seed))
            }
            _ => None,
        };
        HouseBotStates { players: header.players.iter().map(player).collect() }
    }

    /// No house bot plays: all replies are believed.
    pub(super) fn no_house_bots(header: &Header) -> HouseBotStates {
        HouseBotStates { players: header.players.iter().map(|_| None).collect() }
    }

    /// A program comes in late.
    pub(super) fn enter(&mut self) {
        self.players.push(None);
    }

    pub(super) fn at(&mut self, player: usize) -> Option<&mut HousePlayer> {
        self.players.get_mut(player)?.as_mut()
    }
}

/// Where a tournament stands at the end of its journal: all that is needed to go on.
#[derive(Debug)]
pub struct RebuiltTournament {
    /// The header of the journal, with late entrants appended to its players.
    pub header: Header,
    /// The players in seat order.
    pub players: Vec<Player>,
    /// The event, ready to deal the next round.
    pub event: Event,
    /// The house bots with their dice where they were.
    pub house: HouseBotStates,
    /// The time banks of the players.
    pub banks: RecordedTimeBanks,
    /// The teacher's settings. Their removals are those that the host has not carried out.
    pub settings: DaySettings,
    /// Whether the end of the tournament is recorded.
    pub is_finished: bool,
    /// The end of the journal; if it is torn, it is to be cut off.
    pub tail: Tail,
    /// How many bytes the lines have that count.
    pub length: u64,
    /// The SHA-256 of these lines.
    pub(super) digest: Digest,
}

impl RebuiltTournament {
    /// Where the journal is to be continued.
    pub fn resume_point(&self) -> ResumePoint {
        ResumePoint {
            players: self.players.clone(),
            next_round: self.next_round(),
            is_torn: self.tail != Tail::Whole,
            length: self.length,
            digest: self.digest.clone(),
        }
    }

    /// The players who have to come back: those who play on and are not about to be removed. None if nothing is left to
    /// be played.
    pub fn returning(&self) -> Vec<usize> {
        if self.event.is_played_out() {
            return Vec::new();
        }
        let playing_on = self.event.playing_on().into_iter();
        playing_on.filter(|player| !self.settings.removals.contains_key(player)).collect()
    }

    /// The number of the round that is dealt next.
    pub fn next_round(&self) -> u64 {
        self.event.next_round()
    }
}
