//! Games of a player against house bots.

use casino_stud::cards::Seed;
use casino_stud::strategies::{AwaitedPlayer, Bot, HouseBot, HousePlayer};
use casino_stud::stud::{Chips, Seat};
use casino_stud::table::{Foul, Question, TableSettings, play_round};
use casino_stud::tournament::TableGame;

use super::scripted_table::{SubjectAndOthers, SubjectProgress};

/// The terms of games against house bots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HouseGameTerms {
    /// The names of the house bots.
    pub(crate) bots: &'static [&'static str],
    pub(crate) stack: Chips,
    /// The most rounds of a game.
    pub(crate) rounds: u64,
}

/// Games one after the other, each with its own seed and with the player in the next seat. A game ends after its rounds, or
/// when the player is out.
pub(crate) struct HouseGames<S> {
    terms: HouseGameTerms,
    /// The seed of the game with a number, from 0.
    seed: S,
    number: usize,
    game: TableGame,
    house: Vec<HousePlayer>,
    /// The chips that the player won in the games before.
    won_before: i64,
}

impl<S: Fn(usize) -> Seed> HouseGames<S> {
    pub(crate) fn new(terms: HouseGameTerms, seed: S) -> HouseGames<S> {
        let (game, house) = begin(&terms, &seed(0));
        HouseGames { terms, seed, number: 0, game, house, won_before: 0 }
    }

    /// The player's seat in this game.
    fn seat(&self) -> Seat {
        Seat::new(self.number % (self.house.len() + 1))
    }

    /// Plays the next round with the player, and returns its foul, if any.
    pub(crate) fn play_round<P: AwaitedPlayer>(&mut self, player: &mut P) -> Result<Option<Foul>, P::Stop> {
        if !(self.game.table().seated().contains(self.seat()) && self.game.deal()) {
            self.won_before = self.won();
            self.number += 1;
            (self.game, self.house) = begin(&self.terms, &(self.seed)(self.number));
            assert!(self.game.deal(), "a new game has a round");
        }
        let seat = self.seat();
        let others = |other: Seat, question: &Question<'_>, _: SubjectProgress| {
            self.house[other.index() - usize::from(other > seat)].decide(question)
        };
        play_round(&mut self.game, &mut SubjectAndOthers::new(seat, player, others))?;
        Ok(self.game.table().foul_of(seat).cloned())
    }

    /// The chips that the player has won in all games.
    pub(crate) fn won(&self) -> i64 {
        let stack = self.game.table().stacks()[self.seat().index()];
        self.won_before + i64::from(stack) - i64::from(self.terms.stack)
    }
}

/// A new game with this seed, and its house bots in the order of their seats.
fn begin(terms: &HouseGameTerms, seed: &Seed) -> (TableGame, Vec<HousePlayer>) {
    let bots = terms.bots.iter().filter_map(|name| Some(HouseBot::named(name)?.seated(name, seed)));
    let house: Vec<HousePlayer> = bots.collect();
    (TableGame::new(TableSettings::default(), seed, house.len() + 1, terms.stack, terms.rounds), house)
}
