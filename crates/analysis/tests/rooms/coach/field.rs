//! Bots unknown to the rest of the program. Each gives the probability of every reply, so that the posterior of its
//! cards can be computed exactly.

use casino_stud::strategies::Bot;
use casino_stud::table;

use super::engine::{Card, Dice, Reply, SPADES, View};

/// The parameters of a bot: its estimate of its cards decides, with some randomness.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    pub(super) name: &'static str,
    /// How many fair shares of the pot make it raise, and stay in where that costs as much as is in the pot.
    raises_from: f64,
    stays_from: f64,
    /// The chips it raises by.
    raise: u32,
    /// How often it raises with anything, and does something else than it thinks best.
    bluffs: f64,
    errs: f64,
    /// The pot for each player above which it only calls.
    enough: u32,
}

pub(super) const fn habits(
    name: &'static str,
    (raises_from, stays_from): (f64, f64),
    raise: u32,
    (bluffs, errs): (f64, f64),
    enough: u32,
) -> Habits {
    Habits { name, raises_from, stays_from, raise, bluffs, errs, enough }
}

/// Bots that play like a person who understands the game.
pub(super) const SENSIBLE: [Habits; 8] = [
    habits("even", (1.4, 1.0), 6, (0.03, 0.02), 20),
    habits("slow", (1.9, 0.9), 3, (0.01, 0.02), 15),
    habits("quick", (1.2, 1.1), 10, (0.06, 0.02), 25),
    habits("tight", (1.6, 1.4), 8, (0.01, 0.01), 20),
    habits("loose", (1.5, 0.7), 5, (0.05, 0.03), 20),
    habits("small", (1.3, 1.0), 1, (0.05, 0.02), 12),
    habits("sly", (2.2, 0.8), 10, (0.10, 0.02), 30),
    habits("calm", (1.7, 1.1), 4, (0.02, 0.02), 18),
];

/// Bots that have some great fault.
pub(super) const FAULTY: [Habits; 8] = [
    habits("calls", (9.0, 0.0), 1, (0.00, 0.02), 10),
    habits("charges", (0.0, 0.0), 10, (0.50, 0.05), 500),
    habits("fears", (2.5, 2.6), 5, (0.00, 0.02), 10),
    habits("guesses", (1.5, 1.0), 7, (0.20, 0.60), 60),
    habits("bluffs", (1.5, 1.2), 10, (0.40, 0.05), 40),
    habits("wars", (1.1, 0.4), 9, (0.05, 0.02), 400),
    habits("sleeps", (6.0, 1.2), 3, (0.00, 0.05), 10),
    habits("hopes", (1.8, 0.3), 4, (0.05, 0.10), 20),
];

/// How many fair shares of the pot a player may think its cards worth, by a rule of thumb: 1 is usual.
fn worth(view: &View) -> f64 {
    let mut ranks: Vec<u8> = view.up.iter().chain([&view.hole]).map(|card| card.rank).collect();
    ranks.sort_unstable();
    let high = f64::from(*ranks.last().unwrap_or(&0)) / 12.0;
    let pair = ranks.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).max();
    let is_trips = ranks.len() == 3 && ranks[0] == ranks[2];
    let others: Vec<&Vec<Card>> = view.board.iter().filter(|up| **up != view.up).collect();
    let shown = others.iter().flat_map(|up| up.iter()).map(|card| card.rank).max().unwrap_or(0);
    let pair_shown =
        others.iter().filter(|up| up.len() == 2 && up[0].rank == up[1].rank).map(|up| up[0].rank).max();
    let players = view.board.len() as f64;
    let hand = match (is_trips, pair) {
        (true, _) => 0.95,
        (_, Some(pair)) => match pair_shown {
            Some(other) if other > pair => 0.15,
            _ => 0.55 + 0.25 * f64::from(pair) / 12.0,
        },
        _ if pair_shown.is_some() => 0.05,
        _ if ranks.last().copied().unwrap_or(0) >= shown => 0.2 + 0.25 * high,
        _ => 0.12 * high,
    };
    let spade = if view.hole.suit == SPADES {
        let seen =
            |rank: u8| view.board.iter().flatten().any(|card| card.suit == SPADES && card.rank == rank);
        let above = (view.hole.rank + 1..13).filter(|rank| !seen(*rank)).count() as f64;
        (1.0 - above / 46.0).powf(players - 1.0)
    } else {
        0.0
    };
    (hand + spade) / 2.0 * players.max(1.0)
}

impl Habits {
    /// The possible replies with their probabilities, which add up to 1.
    pub(super) fn replies(&self, view: &View) -> Vec<(Reply, f64)> {
        let View { stack, pot, to_call, cap, .. } = *view;
        if stack < to_call {
            return vec![(None, 1.0)];
        }
        let most = (to_call + cap).min(stack);
        let raise = (to_call + self.raise.min(cap)).min(most);
        let worth = worth(view);
        let price = f64::from(to_call);
        let is_enough = pot > self.enough * view.board.len() as u32;
        // A price that is as much as the pot needs the whole of `stays_from`; a smaller one needs less.
        let needed = self.stays_from * (0.3 + 1.4 * price / (price + f64::from(pot)));
        let best = if worth >= self.raises_from && !is_enough {
            Some(raise)
        } else if to_call == 0 || worth >= needed {
            Some(to_call)
        } else {
            None
        };
        let mut replies = vec![(best, 1.0 - self.bluffs - self.errs)];
        let mut add = |reply: Reply, chance: f64| match replies.iter_mut().find(|(other, _)| *other == reply)
        {
            Some((_, sum)) => *sum += chance,
            None => replies.push((reply, chance)),
        };
        add(Some(if is_enough { to_call } else { most }), self.bluffs);
        let stays = if to_call == 0 { Some(to_call) } else { None };
        add(stays, self.errs / 3.0);
        add(Some(to_call), self.errs / 3.0);
        add(Some(raise), self.errs / 3.0);
        replies
    }

    pub(super) fn reply(&self, view: &View, dice: &mut Dice) -> Reply {
        let replies = self.replies(view);
        let mut left = dice.unit();
        for (reply, chance) in &replies {
            left -= chance;
            if left < 0.0 {
                return *reply;
            }
        }
        replies[0].0
    }
}

/// One of these bots at a table of the program.
pub(super) struct Seated {
    pub(super) habits: Habits,
    pub(super) dice: Dice,
}

pub(super) fn card(card: casino_stud::cards::Card) -> Card {
    Card::read(&card.to_string())
}

impl Bot for Seated {
    fn decide(&mut self, question: &table::Question<'_>) -> table::Reply {
        let ups = question.up.len();
        let cards = |cards: &[casino_stud::cards::Card]| cards.iter().map(|other| card(*other)).collect();
        let view = View {
            second_street: ups == 2,
            stack: question.bounds.stack,
            pot: question.pot,
            to_call: question.bounds.to_call,
            cap: question.bounds.raise_cap,
            hole: card(question.hole),
            up: cards(question.up),
            board: question.board.chunks(ups).map(cards).collect(),
        };
        self.habits.reply(&view, &mut self.dice).map_or(table::Reply::Fold, table::Reply::Bet)
    }
}
