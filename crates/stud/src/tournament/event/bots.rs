//! The bots of an event that is played in one process.

use crate::strategies::{Bot, HousePlayer};
use crate::tournament::TableGame;

use super::Event;

/// The bots of the players of an event, in the order of the event.
#[derive(Default)]
pub struct EventBots {
    /// Each bot, unless it sits at a table.
    players: Vec<Option<Box<dyn Bot>>>,
    /// The house bots of a gauntlet at the tables of a level that is gone on with.
    pub(super) opponents: Vec<Option<HousePlayer>>,
}

impl EventBots {
    /// These bots, in the order of the event's players.
    pub fn new(players: Vec<Box<dyn Bot>>) -> EventBots {
        EventBots { players: players.into_iter().map(Some).collect(), opponents: Vec::new() }
    }

    /// The same bots in the middle of a level of a gauntlet, in which these house bots sit at its tables.
    #[must_use]
    pub fn in_play(self, opponents: Vec<Option<HousePlayer>>) -> EventBots {
        EventBots { opponents, ..self }
    }

    /// Everybody sits down at the tables of the level: the bots of each table in seat order.
    ///
    /// # Panics
    /// If a player has no bot.
    pub(super) fn sit_down(&mut self, event: &Event) -> Vec<Vec<Box<dyn Bot>>> {
        let mut opponents = std::mem::take(&mut self.opponents);
        if opponents.is_empty() {
            opponents = event.opponents();
        }
        let mut bot = |opponent: &mut Option<HousePlayer>, player: usize| -> Box<dyn Bot> {
            match self.players.get_mut(player) {
                Some(bot) => bot.take().expect("nobody sits at two tables"),
                None => Box::new(opponent.take().expect("one house bot sits at each table of a gauntlet")),
            }
        };
        let tables = event.tables().iter().zip(&mut opponents);
        tables
            .map(|(table, opponent)| table.players().iter().map(|player| bot(opponent, *player)).collect())
            .collect()
    }

    /// The players at this table take their bots back.
    pub(super) fn stand_up(&mut self, table: &TableGame, bots: Vec<Box<dyn Bot>>) {
        for (player, bot) in table.players().iter().zip(bots) {
            if let Some(place) = self.players.get_mut(*player) {
                *place = Some(bot);
            }
        }
    }
}
