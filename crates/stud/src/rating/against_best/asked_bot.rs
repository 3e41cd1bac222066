//! Asking a house bot what it would do with every hole card it may hold.

use crate::cards::{Card, Stream};
use crate::rating::stand_ins::SLOW;
use crate::strategies::{HouseBot, KINDS, Kind, Memory, Range};
use crate::stud::{Action, Bounds, Seat};
use crate::table::Reply;

use super::AgainstBest;
use super::line::Line;

/// A hole card of each kind, `None` where there is none to be had.
pub(super) type Cards = [Option<Card>; KINDS];

/// How much is asked of a bot, so that a round takes milliseconds with each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// How often the bot is asked the same question if it throws dice, to find out how often it does what.
    throws: u64,
    /// How often the adversary thinks of raising on the street in play.
    pub(super) raises: usize,
    /// On how many boards the adversary looks into the second street from the first.
    pub(super) boards: usize,
    /// Whether a round goes one way only, drawn as the bot's cards make it probable, instead of all ways that it may go.
    one_way: bool,
}

/// For bots that always do the same.
const STEADY: Effort = Effort { throws: 1, raises: 2, boards: 6, one_way: false };

const THROWING: Effort = Effort { throws: 12, raises: 1, boards: 2, one_way: false };

/// For bots that think long.
const SLOWLY: Effort = Effort { throws: 6, raises: 1, boards: 0, one_way: false };

/// For a bot that tells at once what it does with all cards, and thinks long about it.
const AT_ONCE: Effort = Effort { one_way: true, ..SLOWLY };

/// One of the things that a bot does in answer to a question, and with which cards.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) action: Action,
    /// For each kind of hole card the probability that it does it.
    pub(super) shares: Range,
    pub(super) memory: Memories,
}

/// What a bot remembers of a round, for each hole card that it may hold: nothing if it never remembers anything, and one
/// memory if that is the same for all cards.
#[derive(Clone, Debug, Default)]
pub(super) struct Memories(Vec<Memory>);

/// A house bot that can be asked anything.
#[derive(Clone, Debug)]
pub(super) struct AskedBot {
    bot: &'static HouseBot,
    seat: Seat,
    /// A card that the bot cannot hold.
    never: Card,
    effort: Effort,
    /// For what it leaves to chance when it is asked aside, a stream for each time.
    aside: Vec<Stream>,
    /// For what it leaves to chance when it plays.
    playing: Stream,
}

impl AskedBot {
    /// The bot in this seat, in a deal of this number which begins like this. It may hold `cards`, and never the card `never`.
    pub(super) fn new(
        contest: &AgainstBest,
        deal: u64,
        line: &Line,
        seat: Seat,
        cards: &Cards,
        never: Card,
    ) -> AskedBot {
        let (bot, seed) = (contest.bot, &contest.seed);
        let (mut playing, dice) = (seed.stream("against best: played"), seed.stream("against best: asked"));
        playing.seek(2 * deal + seat.index() as u64);
        let mut asked = AskedBot { bot, seat, never, effort: STEADY, aside: vec![dice.clone()], playing };
        if matches!(asked.fresh(line).0[..], [_]) {
            asked.effort = AT_ONCE;
        } else if SLOW.contains(&bot.name) {
            asked.effort = SLOWLY;
        } else if asked.once(line, cards, &Memories::default()).is_none() {
            asked.effort = THROWING;
        }
        let throw = |throw| {
            let mut dice = dice.clone();
            dice.seek(throw);
            dice
        };
        asked.aside = (0..asked.effort.throws).map(throw).collect();
        asked
    }

    /// How much may be asked of the bot.
    pub(super) fn effort(&self) -> Effort {
        self.effort
    }

    /// What the bot remembers when a round begins that is its first.
    pub(super) fn fresh(&self, line: &Line) -> Memories {
        if !self.bot.remembers() {
            return Memories::default();
        }
        let question = line.question(self.seat, self.never);
        let at_once = self.bot.range_replies(&question, &mut Memory::default()).is_some();
        Memories(vec![Memory::default(); if at_once { 1 } else { KINDS }])
    }

    /// What the bot does with each of these cards, and how probably, as far as asking tells: one that throws dice is asked
    /// several times, with the same dice for all cards.
    pub(super) fn aside(&self, line: &Line, cards: &Cards, memory: &Memories) -> Vec<Branch> {
        if let Some(branches) = self.at_once(line, memory) {
            return branches;
        }
        if let Some(certain) = self.once(line, cards, memory) {
            return certain;
        }
        let mut all = Vec::new();
        let weight = 1.0 / self.aside.len() as f64;
        for thrown in &self.aside {
            for kind in (0..KINDS).filter(|kind| cards[*kind].is_some()) {
                let mut only = [None; KINDS];
                only[kind] = cards[kind];
                self.throw((line, &only, memory), weight, &mut thrown.clone(), &mut all);
            }
        }
        all
    }

    /// What the bot does with each of these cards if it throws no dice for it.
    fn once(&self, line: &Line, cards: &Cards, memory: &Memories) -> Option<Vec<Branch>> {
        let (mut dice, mut all) = (self.aside[0].clone(), Vec::new());
        let before = dice.position();
        self.throw((line, cards, memory), 1.0, &mut dice, &mut all);
        (dice.position() == before).then_some(all)
    }

    /// What the bot does with each of these cards when it really plays, with the same dice for all of them.
    pub(super) fn play(&mut self, line: &Line, cards: &Cards, memory: &Memories) -> Vec<Branch> {
        if let Some(branches) = self.at_once(line, memory) {
            return branches;
        }
        let (mut all, mut last) = (Vec::new(), self.playing.clone());
        for kind in (0..KINDS).filter(|kind| cards[*kind].is_some()) {
            let (mut dice, mut only) = (self.playing.clone(), [None; KINDS]);
            only[kind] = cards[kind];
            self.throw((line, &only, memory), 1.0, &mut dice, &mut all);
            if dice.position() > last.position() {
                last = dice;
            }
        }
        self.playing = last;
        all
    }

    /// Draws one of the things that the bot may do, each as probable as its mass, if a round with this bot goes one way only.
    pub(super) fn one_way(&mut self, masses: &[f64]) -> Option<usize> {
        if !self.effort.one_way {
            return None;
        }
        const WHOLE: u32 = 1 << 24;
        let whole: f64 = masses.iter().sum();
        let mut point = whole * f64::from(self.playing.below(WHOLE)) / f64::from(WHOLE);
        let drawn = masses.iter().position(|mass| {
            point -= mass;
            point < 0.0
        });
        // What rounding leaves goes to the last that may come.
        drawn.or_else(|| masses.iter().rposition(|mass| *mass > 0.0))
    }

    /// The same of a bot that tells it for all cards at once.
    fn at_once(&self, line: &Line, memory: &Memories) -> Option<Vec<Branch>> {
        let [memory] = &memory.0[..] else { return None };
        let question = line.question(self.seat, self.never);
        let mut asked = memory.clone();
        let replies = self.bot.range_replies(&question, &mut asked)?;
        let branch = |(reply, shares): (Reply, Range)| {
            let mut memory = asked.clone();
            memory.replied(&question, reply);
            Branch { action: legal(reply, &question.bounds), shares, memory: Memories(vec![memory]) }
        };
        Some(
            replies
                .into_iter()
                .filter(|(_, shares)| shares.iter().any(|share| *share > 0.0))
                .map(branch)
                .collect(),
        )
    }

    /// Asks the bot once with each of these cards, and adds what it does then with this weight.
    fn throw(
        &self,
        (line, cards, memory): (&Line, &Cards, &Memories),
        weight: f64,
        rng: &mut Stream,
        all: &mut Vec<Branch>,
    ) {
        for kind in Kind::all() {
            let Some(hole) = cards[kind.index()] else { continue };
            let question = line.question(self.seat, hole);
            let mut own = memory.0.get(kind.index()).cloned().unwrap_or_default();
            let action = legal(self.bot.decide(&question, &mut own, rng), &question.bounds);
            let branch = match all.iter_mut().position(|known| known.action == action) {
                Some(known) => &mut all[known],
                None => {
                    all.push(Branch { action, shares: [0.0; KINDS], memory: memory.clone() });
                    all.last_mut().expect("one was added")
                }
            };
            branch.shares[kind.index()] += weight;
            if let Some(memory) = branch.memory.0.get_mut(kind.index()) {
                *memory = own;
            }
        }
    }
}

/// The action of a reply.
///
/// # Panics
/// If the reply is not legal: house bots keep to the rules.
fn legal(reply: Reply, bounds: &Bounds) -> Action {
    reply.legalise(bounds).expect("a house bot keeps to the rules")
}
