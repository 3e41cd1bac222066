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
    game: HouseGame,
    /// The chips that the player won in the games before.
    won_before: i64,
}

struct HouseGame {
    table: TableGame,
    seat: Seat,
    house: Vec<HousePlayer>,
}

impl HouseGame {
    fn new(terms: &HouseGameTerms, number: usize, seed: &Seed) -> HouseGame {
        let bots = terms.bots.iter().filter_map(|name| Some(HouseBot::named(name)?.seated(name, seed)));
        let house: Vec<HousePlayer> = bots.collect();
        let players = house.len() + 1;
        let table = TableGame::new(TableSettings::default(), seed, players, terms.stack, terms.rounds);
        HouseGame { table, seat: Seat::new(number % players), house }
    }

    /// Deals the next round, unless the game is over for the player.
    fn deal(&mut self) -> bool {
        self.table.table().seated().contains(self.seat) && self.table.deal()
    }
}

impl<S: Fn(usize) -> Seed> HouseGames<S> {
    pub(crate) fn new(terms: HouseGameTerms, seed: S) -> HouseGames<S> {
        let game = HouseGame::new(&terms, 0, &seed(0));
        HouseGames { terms, seed, number: 0, game, won_before: 0 }
    }

    /// Plays the next round with the player, and returns its foul, if any.
    pub(crate) fn play_round<P: AwaitedPlayer>(&mut self, player: &mut P) -> Result<Option<Foul>, P::Stop> {
        if !self.game.deal() {
            self.won_before = self.won();
            self.number += 1;
            self.game = HouseGame::new(&self.terms, self.number, &(self.seed)(self.number));
            assert!(self.game.deal(), "a new game has a round");
        }
        let HouseGame { table, seat, house } = &mut self.game;
        let seat = *seat;
        let others = |other: Seat, question: &Question<'_>, _: SubjectProgress| {
            house[other.index() - usize::from(other > seat)].decide(question)
        };
        play_round(table, &mut SubjectAndOthers::new(seat, player, others))?;
        Ok(table.table().foul_of(seat).cloned())
    }

    /// The chips that the player has won in all games.
    pub(crate) fn won(&self) -> i64 {
        let stack = self.game.table.table().stacks()[self.game.seat.index()];
        self.won_before + i64::from(stack) - i64::from(self.terms.stack)
    }
}
