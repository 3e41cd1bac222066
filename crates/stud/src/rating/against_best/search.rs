//! The adversary: which reply wins most from a bot whose replies it knows.
//!
//! It looks at all that may follow: each of its own replies (fold, call, raises of 1, 4 and 10 chips, so many of them, and then
//! raises of 10 as long as chips last), and what the bot does then with every hole card that it may hold. Where it stops looking, nobody bets any more and the cards
//! are shown. On the second street that is exact but for its sizes and number of raises. On the first street it looks into the
//! second on a few boards, and takes all the others by what both hands are worth.

use std::sync::Arc;

use crate::cards::Deck;
use crate::strategies::Range;
use crate::stud::{Action, Chips, Seat};

use super::asked_bot::{AskedBot, Memories};
use super::learned::Learned;
use super::line::{Line, Next, other};
use super::view::View;

/// The raises that the adversary thinks about when it has to reply, in chips.
const RAISES: [Chips; 3] = [1, 4, 10];

const LATER_RAISES: [Chips; 2] = [1, 10];

/// By how much it thinks of raising again and again, as long as chips last.
const WAR_RAISES: [Chips; 1] = [10];

/// How often the adversary thinks of raising on the boards that are looked into.
const RAISES_ON_BOARDS: usize = 1;

/// Calls, and raises of the bot up to each of these sizes in chips, are taken for alike where it makes many of them.
const ALIKE: [Chips; 4] = [0, 2, 6, 10];

/// A part of the bot's cards, of what the adversary began to look with, that is not worth looking at: there the cards are
/// shown at once.
const TRIFLE: f64 = 1e-3;

/// A part that is only looked at without raising again.
const SMALL_PART: f64 = 0.1;

/// What the adversary believes of the bot.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    /// How many cards of each kind the bot may hold, each counted with the probability that it did with it all it did.
    pub(super) mass: Range,
    pub(super) memory: Memories,
}

/// From where the adversary knows what the bot does.
#[derive(Debug)]
pub(super) enum Source {
    Asked(Box<AskedBot>),
    Learned(Arc<Learned>),
}

impl Source {
    /// Whether it is known what the bot does in a war of raises: of a program too few are seen.
    fn knows_wars(&self) -> bool {
        matches!(self, Source::Asked(_))
    }

    /// How often the adversary thinks of raising on the street in play.
    fn raises(&self) -> usize {
        match self {
            Source::Asked(bot) => bot.effort().raises,
            Source::Learned(_) => 1,
        }
    }
}

/// The adversary in a deal, in one of the two seats.
#[derive(Debug)]
pub(super) struct Searcher {
    seat: Seat,
    bot: Source,
    first: View,
    /// Second streets that may come: the deck, and how the cards are then.
    boards: Vec<(Deck, View)>,
}

/// How far the adversary looks.
#[derive(Clone, Copy)]
struct Ahead {
    /// How many more raises of its own it thinks of on this street with all its sizes.
    raises: usize,
    /// Whether it thinks of going on with the highest raise after these, as long as chips last.
    wars: bool,
    sizes: &'static [Chips],
    /// The part of the bot's cards below which it does not look any more.
    trifle: f64,
}

impl Belief {
    /// What is left of it when the bot has done this.
    pub(super) fn after(&self, shares: &Range, memory: &Memories) -> Belief {
        Belief { mass: std::array::from_fn(|kind| self.mass[kind] * shares[kind]), memory: memory.clone() }
    }

    /// What is left of it when these up cards are shown.
    pub(super) fn shown(&self, view: &View) -> Belief {
        self.after(&view.left, &self.memory)
    }

    pub(super) fn total(&self) -> f64 {
        self.mass.iter().sum()
    }
}

impl Searcher {
    /// The adversary in this seat of a deal, and how it sees the first street. `boards` are decks with the same cards as far as it
    /// knows them there, and how it would see the second street with them.
    pub(super) fn new(seat: Seat, bot: Source, first: View, boards: Vec<(Deck, View)>) -> Searcher {
        Searcher { seat, bot, first, boards }
    }

    pub(super) fn first(&self) -> &View {
        &self.first
    }

    /// What the bot is believed to do next with the cards that it may hold.
    pub(super) fn expected(&self, line: &Line, view: &View, belief: &Belief) -> Vec<(Action, Belief)> {
        match &self.bot {
            Source::Asked(bot) => {
                let branches = bot.aside(line, &view.cards_of(&belief.mass), &belief.memory).into_iter();
                branches.map(|branch| (branch.action, belief.after(&branch.shares, &branch.memory))).collect()
            }
            Source::Learned(learned) => {
                // What it holds does not matter for what is open to it.
                let question = line.question(other(self.seat), line.round().hole(self.seat));
                let replies = learned.replies(&question, &view.worths).into_iter();
                replies.map(|(action, shares)| (action, belief.after(&shares, &belief.memory))).collect()
            }
        }
    }

    pub(super) fn choose(&self, line: &Line, view: &View, belief: &Belief) -> Action {
        let trifle = TRIFLE * belief.total();
        let ahead = Ahead { raises: self.bot.raises(), wars: self.bot.knows_wars(), sizes: &RAISES, trifle };
        let options = self
            .options(line, ahead)
            .into_iter()
            .map(|(action, ahead)| (action, self.value(&line.after(self.seat, action), view, belief, ahead)));
        // Of equals the first, which costs least.
        let best = options.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map_or(Action::FOLD, |(action, _)| action)
    }

    /// What the adversary may do, and how far it looks then.
    fn options(&self, line: &Line, ahead: Ahead) -> Vec<(Action, Ahead)> {
        let bounds = line.round().bounds(self.seat);
        let later = Ahead { sizes: &LATER_RAISES, ..ahead };
        let mut options = Vec::with_capacity(2 + ahead.sizes.len());
        if bounds.to_call > 0 {
            options.push((Action::FOLD, later));
        }
        options.extend(bounds.bet(bounds.to_call).ok().map(|call| (call, later)));
        let sizes = match (ahead.raises, ahead.wars) {
            (0, false) => &[],
            (0, true) => &WAR_RAISES[..],
            _ => ahead.sizes,
        };
        let later = Ahead { raises: ahead.raises.saturating_sub(1), ..later };
        let raise = |more: &Chips| bounds.bet(bounds.to_call + more).ok();
        options.extend(sizes.iter().filter_map(raise).map(|raise| (raise, later)));
        options
    }

    /// What the adversary wins from here on, in chips times the mass of the bot's cards.
    fn value(&self, line: &Line, view: &View, belief: &Belief, ahead: Ahead) -> f64 {
        match line.next() {
            Next::Folded(seat) if seat == self.seat => -f64::from(line.paid(seat)) * belief.total(),
            Next::Folded(seat) => f64::from(line.paid(seat)) * belief.total(),
            Next::Shown => self.shown(line, view, belief),
            Next::SecondStreet => self.second_street(line, view, belief, ahead),
            Next::Ask(seat) if seat == self.seat => {
                let options = self.options(line, ahead).into_iter();
                let values = options
                    .map(|(action, ahead)| self.value(&line.after(self.seat, action), view, belief, ahead));
                values.fold(f64::NEG_INFINITY, f64::max)
            }
            Next::Ask(seat) => {
                let whole = belief.total();
                let bounds = line.round().bounds(seat);
                let branches = gathered(self.expected(line, view, belief), bounds.to_call).into_iter();
                let values = branches.map(|(action, belief)| {
                    let part = belief.total();
                    let next = line.after(seat, action);
                    if action != Action::FOLD && part < ahead.trifle {
                        return self.shown(&next, view, &belief);
                    }
                    let ahead = match part < SMALL_PART * whole {
                        true => Ahead { raises: 0, wars: false, ..ahead },
                        false => ahead,
                    };
                    self.value(&next, view, &belief, ahead)
                });
                values.sum()
            }
        }
    }

    /// What it wins if nobody bets any more. Who has something to call is taken to call it.
    fn shown(&self, line: &Line, view: &View, belief: &Belief) -> f64 {
        let paid = line.paid(self.seat).max(line.paid(other(self.seat)));
        let won: f64 = belief.mass.iter().zip(&view.shares).map(|(mass, share)| mass * share).sum();
        f64::from(paid) * won
    }

    /// What it wins when the second up cards are dealt: what the hands are worth on all boards, and on some of them what bets
    /// add to that.
    fn second_street(&self, line: &Line, view: &View, belief: &Belief, ahead: Ahead) -> f64 {
        let shown = self.shown(line, view, belief);
        if belief.total() < ahead.trifle || self.boards.is_empty() {
            return shown;
        }
        let added = self.boards.iter().map(|(deck, view)| {
            let mut line = line.with_deck(deck);
            line.open_second();
            let belief = belief.shown(view);
            let ahead = Ahead { raises: RAISES_ON_BOARDS, wars: false, ..ahead };
            self.value(&line, view, &belief, ahead) - self.shown(&line, view, &belief)
        });
        shown + added.sum::<f64>() / self.boards.len() as f64
    }
}

/// The same with raises of nearly the same size taken together, as if all of them were the likeliest of them.
fn gathered(mut branches: Vec<(Action, Belief)>, to_call: Chips) -> Vec<(Action, Belief)> {
    if branches.len() <= 1 + ALIKE.len() {
        return branches;
    }
    branches.sort_by(|one, other| other.1.total().total_cmp(&one.1.total()));
    let class = |action: Action| {
        let more = action.chips()? - to_call;
        ALIKE.iter().position(|most| more <= *most)
    };
    let mut all: Vec<(Action, Belief)> = Vec::new();
    for (action, belief) in branches {
        match all.iter_mut().find(|(known, _)| class(*known) == class(action)) {
            None => all.push((action, belief)),
            Some((_, known)) => {
                known.mass.iter_mut().zip(&belief.mass).for_each(|(known, mass)| *known += mass);
            }
        }
    }
    all
}
