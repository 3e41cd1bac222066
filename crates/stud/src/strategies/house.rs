//! The house bots: simple strategies to play against, the simplest first.

use crate::cards::{Rank, Seed, Stream};
use crate::odds::{chance_of_high_spade, equity};
use crate::stud::{Category, Chips, Street, Strength};
use crate::table::{Question, Reply, Status};

use super::Bot;
use super::inference::{self, RoundMemory};
use super::solver::{self, Recall};

/// How many random deals a bot samples to estimate its share of the pot.
const EQUITY_SAMPLES: u32 = 60;

/// The pot, in chips for each player shown, above which most bots do not raise any more.
const MAX_RAISED_POT_PER_PLAYER: Chips = 20;

/// A bot that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct HouseBot {
    /// The bot's name on the command line.
    pub name: &'static str,
    /// The bot's strategy in one line.
    pub line: &'static str,
    strategy: HouseStrategy,
}

/// A house bot's strategy. Only `solver` has a memory, that of the round.
#[derive(Clone, Copy, Debug)]
enum HouseStrategy {
    Simple(fn(&Question<'_>, &mut Stream) -> Reply),
    /// Gets its share of the pot where the caller has an estimate.
    ByShare(fn(&Question<'_>, Option<f64>, &mut Stream) -> Reply),
    Solver,
}

/// All house bots, the simplest first.
#[rustfmt::skip]
pub static HOUSE: [HouseBot; 13] = [
    HouseBot { name: "folder", line: "always folds", strategy: HouseStrategy::Simple(|_, _| Reply::Fold) },
    HouseBot { name: "passive", line: "never bets: stays in while that is free, else folds", strategy: HouseStrategy::Simple(passive) },
    HouseBot { name: "caller", line: "always calls, never raises", strategy: HouseStrategy::Simple(|question, _| add(question, 0)) },
    HouseBot { name: "raiser", line: "always raises as much as it may", strategy: HouseStrategy::Simple(|question, _| add(question, Chips::MAX)) },
    HouseBot { name: "random", line: "picks any legal reply, all equally likely", strategy: HouseStrategy::Simple(random) },
    HouseBot { name: "simple", line: "bets high with a pair or better, else bets nothing or folds", strategy: HouseStrategy::Simple(simple) },
    HouseBot { name: "cautious", line: "folds weak cards, bets a little with good ones, most with trips", strategy: HouseStrategy::Simple(cautious) },
    HouseBot { name: "bold", line: "bets high with any promise and is hard to drive out", strategy: HouseStrategy::Simple(bold) },
    HouseBot { name: "reader", line: "compares its hand with the up cards of the others", strategy: HouseStrategy::Simple(reader) },
    HouseBot { name: "spades", line: "counts the chance that its hole card is the high spade", strategy: HouseStrategy::Simple(spades) },
    HouseBot { name: "odds", line: "weighs the gain of a call against its cost", strategy: HouseStrategy::ByShare(odds) },
    HouseBot { name: "bluffer", line: "plays the odds and now and then bets high on nothing", strategy: HouseStrategy::ByShare(bluffer) },
    HouseBot { name: "solver", line: "plays a trained strategy between two, otherwise infers the hands of the others", strategy: HouseStrategy::Solver },
];

impl HouseBot {
    /// Finds the house bot of this name.
    pub fn named(name: &str) -> Option<&'static HouseBot> {
        HOUSE.iter().find(|bot| bot.name == name)
    }

    /// Answers a question, with `rng` for random choices. `memory` belongs to one player and starts as
    /// `Memory::default()`.
    #[inline]
    pub fn decide(&self, question: &Question<'_>, memory: &mut Memory, rng: &mut Stream) -> Reply {
        match self.strategy {
            HouseStrategy::Simple(decide) => decide(question, rng),
            HouseStrategy::ByShare(decide) => decide(question, None, rng),
            HouseStrategy::Solver => solver(question, memory, rng),
        }
    }

    /// Answers like [`HouseBot::decide`] without a memory. `share` estimates the share of the pot of a bot that would sample
    /// it from this number of deals.
    pub fn decide_by(
        &self,
        question: &Question<'_>,
        share: impl FnOnce(u32, &mut Stream) -> f64,
        rng: &mut Stream,
    ) -> Reply {
        match self.strategy {
            HouseStrategy::ByShare(decide) => decide(question, Some(share(EQUITY_SAMPLES, rng)), rng),
            _ => self.decide(question, &mut Memory::default(), rng),
        }
    }

    /// Whether a reply may depend on earlier questions.
    pub fn remembers(&self) -> bool {
        matches!(self.strategy, HouseStrategy::Solver)
    }

    /// Makes a player under this id, with a random stream of its own from the tournament's seed (`docs/deal.md`).
    pub fn seated(&self, id: &str, seed: &Seed) -> HousePlayer {
        self.player(seed.stream(&format!("bot {id}")))
    }

    /// A player with this random stream.
    pub fn player(&self, rng: Stream) -> HousePlayer {
        HousePlayer { bot: *self, memory: Memory::default(), rng }
    }
}

/// A house bot at a table. Its random stream and memory are its whole state, so a copy continues exactly as the
/// original would.
#[derive(Clone, Debug)]
pub struct HousePlayer {
    bot: HouseBot,
    memory: Memory,
    rng: Stream,
}

impl Bot for HousePlayer {
    #[inline]
    fn decide(&mut self, question: &Question<'_>) -> Reply {
        self.bot.decide(question, &mut self.memory, &mut self.rng)
    }

    fn hear(&mut self, status: &Status) {
        self.memory.hear(status);
    }
}

/// A house bot's memory of a round. Most bots have none.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    between_two: Recall,
    among_more: RoundMemory,
}

impl Memory {
    /// Receives the result of a round and forgets the round.
    #[inline]
    pub fn hear(&mut self, _status: &Status) {
        *self = Memory::default();
    }
}

/// Calls and raises by `more` chips, as far as the rules and the stack allow. Folds if it cannot call.
fn add(question: &Question<'_>, more: Chips) -> Reply {
    question.bounds.raise(more).into()
}

/// Raises by `more` chips, but only calls once a lot has been bet. When players raise in turn there are never more than 10
/// chips to call, so only the pot tells how long that has gone on; and a player who runs out of chips is folded (R8).
fn raise(question: &Question<'_>, more: Chips) -> Reply {
    let enough = MAX_RAISED_POT_PER_PLAYER * question.players_shown() as Chips;
    add(question, if question.pot > enough { 0 } else { more })
}

/// Calls if that costs at most `price` chips, and folds otherwise.
fn stay(question: &Question<'_>, price: Chips) -> Reply {
    if question.bounds.to_call <= price { add(question, 0) } else { Reply::Fold }
}

fn passive(question: &Question<'_>, _: &mut Stream) -> Reply {
    stay(question, 0)
}

fn random(question: &Question<'_>, rng: &mut Stream) -> Reply {
    let bounds = &question.bounds;
    // To fold, to call, and each raise.
    let replies = bounds.max_raise().map_or(1, |most| most + 2);
    match rng.below(replies) {
        0 => Reply::Fold,
        pick => Reply::Bet(bounds.to_call + (pick - 1)),
    }
}

/// The kind of hand so far. On the first street a pair counts as one already.
fn made(question: &Question<'_>) -> Category {
    match (question.street, question.up) {
        (Street::Second, [first, second, ..]) => Strength::of([question.hole, *first, *second]).category(),
        _ if question.hole.rank() == question.up[0].rank() => Category::Pair,
        _ => Category::HighCard,
    }
}

fn simple(question: &Question<'_>, _: &mut Stream) -> Reply {
    match made(question) {
        Category::HighCard => stay(question, 0),
        Category::Pair | Category::Trips => raise(question, 10),
    }
}

fn good_spade(question: &Question<'_>, from: Rank) -> bool {
    question.hole.is_spade() && question.hole.rank() >= from
}

fn cautious(question: &Question<'_>, _: &mut Stream) -> Reply {
    match made(question) {
        Category::Trips => raise(question, 10),
        Category::Pair if question.bounds.to_call <= 10 => raise(question, 2),
        Category::Pair => stay(question, 20),
        Category::HighCard if good_spade(question, Rank::Queen) => stay(question, 10),
        Category::HighCard => stay(question, 0),
    }
}

fn bold(question: &Question<'_>, rng: &mut Stream) -> Reply {
    let promising = question.hole.rank() >= Rank::Queen || question.hole.is_spade();
    match made(question) {
        Category::Trips => raise(question, 10),
        Category::Pair if question.bounds.to_call <= 30 => raise(question, 10),
        Category::Pair => add(question, 0),
        Category::HighCard if promising && question.bounds.to_call <= 10 => raise(question, 3 + rng.below(8)),
        Category::HighCard if promising => stay(question, 25),
        Category::HighCard => stay(question, 4),
    }
}

/// The best hand that another player's up cards show.
fn best_shown(question: &Question<'_>) -> (Category, Rank) {
    question
        .others()
        .map(|up| match up {
            [first, second] if first.rank() == second.rank() => (Category::Pair, first.rank()),
            cards => (Category::HighCard, cards.iter().map(|card| card.rank()).max().unwrap_or(Rank::Deuce)),
        })
        .max()
        .unwrap_or((Category::HighCard, Rank::Deuce))
}

fn reader(question: &Question<'_>, _: &mut Stream) -> Reply {
    let own = question.up.iter().chain([&question.hole]).map(|card| card.rank());
    let (mut pair, mut high) = (None, Rank::Deuce);
    let mut seen = [0u8; 13];
    for rank in own {
        high = high.max(rank);
        seen[rank.index()] += 1;
        if seen[rank.index()] == 2 {
            pair = Some(rank);
        }
    }
    let (shown, shown_rank) = best_shown(question);
    match (made(question), pair, shown) {
        (Category::Trips, ..) => raise(question, 10),
        (_, Some(pair), Category::Pair) if pair > shown_rank => raise(question, 6),
        (_, Some(_), Category::Pair) => stay(question, 3),
        (_, Some(pair), _) if pair >= shown_rank => raise(question, 10),
        (_, Some(_), _) => {
            if question.bounds.to_call <= 10 {
                raise(question, 4)
            } else {
                stay(question, 20)
            }
        }
        (_, None, Category::Pair) => stay(question, if good_spade(question, Rank::King) { 10 } else { 0 }),
        (_, None, _) if high > shown_rank || good_spade(question, Rank::Queen) => stay(question, 8),
        _ => stay(question, 0),
    }
}

fn spades(question: &Question<'_>, rng: &mut Stream) -> Reply {
    let chance = chance_of_high_spade(question);
    if chance > 0.75 {
        raise(question, 10)
    } else if chance > 0.5 {
        if question.bounds.to_call <= 10 { raise(question, 4) } else { stay(question, 20) }
    } else if chance > 0.25 {
        stay(question, 5)
    } else {
        cautious(question, rng)
    }
}

/// Raises, calls or folds with cards that take this share of the pot on average.
fn by_share(question: &Question<'_>, share: f64) -> Reply {
    let Question { bounds, pot, .. } = question;
    let fair = 1.0 / question.players_shown() as f64;
    let price = f64::from(bounds.to_call);
    // A call pays if its share of the pot to come is worth more than it costs. The share assumes random cards, and a
    // player who bets has better ones, so it is trusted less the more there is to call.
    let trusted = share * (1.0 - price / (price + f64::from(*pot) + 40.0));
    let worth = trusted * (f64::from(*pot) + price);
    if share > 1.5 * fair && bounds.to_call <= 20 {
        raise(question, 10)
    } else if share > 1.2 * fair && bounds.to_call <= 5 {
        raise(question, 3)
    } else if worth >= price {
        add(question, 0)
    } else {
        Reply::Fold
    }
}

fn odds(question: &Question<'_>, share: Option<f64>, rng: &mut Stream) -> Reply {
    by_share(question, share.unwrap_or_else(|| equity(question, EQUITY_SAMPLES, rng)))
}

fn bluffer(question: &Question<'_>, share: Option<f64>, rng: &mut Stream) -> Reply {
    if question.bounds.to_call <= 10 && rng.one_in(8) {
        return raise(question, 10);
    }
    odds(question, share, rng)
}

fn solver(question: &Question<'_>, memory: &mut Memory, rng: &mut Stream) -> Reply {
    solver::decide(question, &mut memory.between_two, rng)
        .unwrap_or_else(|| inference::decide(question, &mut memory.among_more, rng))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Command;
    use proptest::prelude::*;

    fn ask(bot: &str, text: &str) -> Reply {
        let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!("{text}") };
        let rng = Seed::chosen("house").stream(bot);
        HouseBot::named(bot).unwrap().player(rng).decide(&question.as_question())
    }

    #[test]
    fn names_and_lines_are_there_and_differ() {
        let names: std::collections::BTreeSet<&str> = HOUSE.iter().map(|bot| bot.name).collect();
        assert_eq!(names.len(), HOUSE.len());
        assert!(
            HOUSE.iter().all(|bot| bot.line.len() > 10 && bot.name.chars().all(|c| c.is_ascii_lowercase()))
        );
        assert!(HouseBot::named("nobody").is_none());
    }

    #[test]
    fn house_bots_match_their_descriptions() {
        let pair = "bet1:100:10:3:KH:KD:up:KD:2C:3C";
        let nothing = "bet1:100:10:3:2H:7D:up:7D:KC:3C";
        let free = "bet1:100:10:0:2H:7D:up:7D:KC:3C";
        let ace = "bet1:100:10:3:AS:7D:up:7D:KC:3C";
        let beaten = "bet2:100:40:8:7H:7D:2C:up:7D:2C:KC:KH";
        let ahead = "bet2:100:40:8:7H:7D:2C:up:7D:2C:5C:KH";
        assert_eq!(ask("folder", free), Reply::Fold);
        assert_eq!((ask("passive", free), ask("passive", pair)), (Reply::Bet(0), Reply::Fold));
        assert_eq!((ask("caller", free), ask("caller", nothing)), (Reply::Bet(0), Reply::Bet(3)));
        assert_eq!((ask("raiser", free), ask("raiser", nothing)), (Reply::Bet(10), Reply::Bet(13)));
        assert_eq!(ask("simple", pair), Reply::Bet(13));
        assert_eq!((ask("simple", nothing), ask("simple", free)), (Reply::Fold, Reply::Bet(0)));
        assert_eq!((ask("cautious", pair), ask("cautious", nothing)), (Reply::Bet(5), Reply::Fold));
        assert_eq!(ask("bold", pair), Reply::Bet(13));
        assert_eq!((ask("reader", beaten), ask("reader", ahead)), (Reply::Fold, Reply::Bet(12)));
        assert_eq!((ask("spades", ace), ask("spades", nothing)), (Reply::Bet(13), Reply::Fold));
        assert_eq!(ask("odds", "bet2:100:4:90:2H:7D:5C:up:7D:5C:KC:KH"), Reply::Fold);
        assert_eq!(ask("odds", "bet2:100:40:3:KH:KD:KC:up:KD:KC:2C:3H"), Reply::Bet(13));
        assert_eq!(ask("raiser", "bet1:7:10:3:2H:7D:up:7D:KC"), Reply::Bet(7));
        assert_eq!(ask("raiser", "bet1:2:10:3:2H:7D:up:7D:KC"), Reply::Fold);
    }

    proptest! {
        /// House bots never commit a foul, for any question.
        #[test]
        fn every_reply_is_legal(
            deal in any::<u64>(), players in 2..=17usize, me in 0..17usize, second in any::<bool>(),
            stack in 0..300u32, to_call in 0..120u32, pot in 2..2_000u32,
        ) {
            let deck = Seed::chosen(deal.to_string()).shuffler(1).deck(1, 51).clone();
            let ups = if second { 2 } else { 1 };
            let board = &deck.cards()[players..players * (1 + ups)];
            let me = me % players;
            let question = Question {
                street: if second { Street::Second } else { Street::First },
                bounds: crate::stud::Bounds { to_call, raise_cap: 10, stack },
                pot,
                hole: deck.cards()[me],
                up: &board[me * ups..(me + 1) * ups],
                board,
            };
            for bot in &HOUSE {
                let reply = bot.player(Seed::chosen("legal").stream(bot.name)).decide(&question);
                prop_assert!(reply.legalise(&question.bounds).is_ok(), "{}: {reply} to {question:?}", bot.name);
            }
        }
    }
}
