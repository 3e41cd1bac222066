//! A deal that is played: the adversary in each of the two seats, against every hole card that the bot may hold.

use crate::cards::{Card, Deck, Stream};
use crate::strategies::Range;
use crate::stud::{Action, Seat, Street};

use super::asked_bot::AskedBot;
use super::line::{Line, Next, SEATS, other};
use super::search::{Belief, Searcher, Source};
use super::view::View;
use super::{AgainstBest, RoundEnd};
use crate::rating::stand_ins::UNITS;

/// What the adversary won in some rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Won {
    pub(super) chips: f64,
    pub(super) at_stake: f64,
    /// For each end ([`RoundEnd`]) how many rounds ended so, and the chips won in them.
    pub(super) ends: [(f64, f64); RoundEnd::ALL.len()],
}

impl Won {
    pub(super) fn add(&mut self, more: &Won) {
        self.chips += more.chips;
        self.at_stake += more.at_stake;
        for (end, more) in self.ends.iter_mut().zip(&more.ends) {
            *end = (end.0 + more.0, end.1 + more.1);
        }
    }
}

/// A round that is played with every hole card that the bot may hold at once. The adversary sees none of them and does the same
/// wherever all that it sees is the same.
pub(super) struct Play<'a> {
    seat: Seat,
    deck: &'a Deck,
    pub(super) searcher: Searcher,
    bot: AskedBot,
    pub(super) second: View,
    won: Won,
}

/// Plays the deal of this number, the adversary once in each seat.
pub(super) fn play(contest: &AgainstBest, number: u64) -> Won {
    let mut won = Won::default();
    SEATS.into_iter().for_each(|seat| won.add(&play_in(contest, number, seat)));
    // Parts of 47 cards do not add up to the last digit, and results are to be the same where all rounds are.
    won.chips = (won.chips * UNITS).round() / UNITS;
    won
}

pub(super) fn play_in(contest: &AgainstBest, number: u64, seat: Seat) -> Won {
    let deck = contest.seed.shuffler(1).deck(number + 1, 3 * SEATS.len()).clone();
    let line = Line::new(contest.rules, contest.stack, &deck);
    let mut play = Play::new(contest, number, &deck, &line, seat);
    let (real, belief) = (play.real(&line), play.belief(&line));
    play.on(&line, &real, &belief);
    play.won
}

/// Each card that nobody is known to have, with the same probability.
pub(super) fn evenly(view: &View) -> Range {
    let all: f64 = view.counts.iter().sum();
    view.counts.map(|count| count / all)
}

/// So many decks with the same cards as this one, as far as who sits in this seat sees them on the first street.
pub(super) fn boards(deck: &Deck, seat: Seat, count: usize, rng: &mut Stream) -> Vec<Deck> {
    let cards = deck.cards();
    let known = [cards[seat.index()], cards[2], cards[3]];
    let mut unseen: Vec<Card> = cards.iter().copied().filter(|card| !known.contains(card)).collect();
    let board = |_| {
        rng.shuffle(&mut unseen);
        let mut rest = unseen.iter().copied();
        let at = |place: usize| match place {
            2 | 3 => cards[place],
            place if place == seat.index() => cards[place],
            _ => rest.next().expect("there are as many cards as places"),
        };
        Deck::stacked(std::array::from_fn(at)).expect("each card is put in one place")
    };
    (0..count).map(board).collect()
}

impl<'a> Play<'a> {
    pub(super) fn new(
        contest: &AgainstBest,
        number: u64,
        deck: &'a Deck,
        line: &Line,
        seat: Seat,
    ) -> Play<'a> {
        let (cards, first) = (deck.cards(), View::first(deck, seat));
        let may_hold = first.cards_of(&first.counts);
        let bot = AskedBot::new(contest, number, line, other(seat), &may_hold, cards[seat.index()]);
        let mut rng = contest.seed.stream("against best: boards");
        rng.seek(SEATS.len() as u64 * number + seat.index() as u64);
        let boards = boards(deck, seat, bot.effort().boards, &mut rng).into_iter().map(|deck| {
            let view = View::second(&deck, seat);
            (deck, view)
        });
        let searcher = Searcher::new(seat, Source::Asked(Box::new(bot.clone())), first, boards.collect());
        Play { seat, deck, searcher, bot, second: View::second(deck, seat), won: Won::default() }
    }

    /// The cards that the bot may have been dealt, as the deck leaves them.
    fn real(&self, line: &Line) -> Belief {
        Belief { mass: evenly(&self.second), memory: self.bot.fresh(line) }
    }

    /// What the adversary believes of them when the round begins.
    pub(super) fn belief(&self, line: &Line) -> Belief {
        Belief { mass: evenly(self.searcher.first()), memory: self.bot.fresh(line) }
    }

    /// Plays on from here. `real` are the cards with which the bot has come here, in parts of one, and `belief` is what the
    /// adversary believes of them.
    fn on(&mut self, line: &Line, real: &Belief, belief: &Belief) {
        match line.next() {
            Next::Ask(seat) if seat == self.seat => {
                let action = self.searcher.choose(line, self.view(line.round().street()), belief);
                self.on(&line.after(seat, action), real, belief);
            }
            Next::Ask(seat) => {
                let view = self.view(line.round().street());
                let expected = self.searcher.expected(line, view, belief);
                let cards = self.second.cards_of(&real.mass);
                let played = self.bot.play(line, &cards, &real.memory).into_iter();
                let mut played: Vec<(Action, Belief)> = played
                    .map(|branch| (branch.action, real.after(&branch.shares, &branch.memory)))
                    .collect();
                let masses: Vec<f64> = played.iter().map(|(_, real)| real.total()).collect();
                if let Some(way) = self.bot.one_way(&masses) {
                    let (action, mut real) = played.swap_remove(way);
                    let whole: f64 = masses.iter().sum();
                    real.mass.iter_mut().for_each(|mass| *mass *= whole / masses[way]);
                    played = vec![(action, real)];
                }
                for (action, real) in played.iter().filter(|(_, real)| real.total() > 0.0) {
                    // What was never expected says nothing.
                    let known = expected.iter().find(|(known, _)| known == action);
                    let believed = known.map(|(_, belief)| belief).filter(|belief| belief.total() > 0.0);
                    self.on(&line.after(seat, *action), real, believed.unwrap_or(belief));
                }
            }
            Next::SecondStreet => {
                let mut line = line.clone();
                line.open_second();
                self.on(&line, real, &belief.shown(&self.second));
            }
            Next::Folded(seat) => {
                let end = match (seat == self.seat, line.round().street()) {
                    (true, _) => RoundEnd::AdversaryFolded,
                    (false, Street::First) => RoundEnd::FoldedOnFirst,
                    (false, Street::Second) => RoundEnd::FoldedOnSecond,
                };
                self.count(end, line, real.total());
            }
            Next::Shown => {
                let cards = self.second.cards_of(&real.mass);
                for (hole, part) in cards.iter().zip(&real.mass) {
                    if let Some(hole) = hole {
                        self.count(RoundEnd::Shown, &line.with_deck(&self.deck_with(*hole)), *part);
                    }
                }
            }
        }
    }

    pub(super) fn view(&self, street: Street) -> &View {
        match street {
            Street::First => self.searcher.first(),
            Street::Second => &self.second,
        }
    }

    /// The same deck, but the bot's hole card is this one.
    pub(super) fn deck_with(&self, hole: Card) -> Deck {
        let mut cards = *self.deck.cards();
        let place = cards.iter().position(|card| *card == hole).expect("every card is in the deck");
        cards.swap(place, other(self.seat).index());
        Deck::stacked(cards).expect("no card comes or goes")
    }

    /// Counts a part of the round that has come to its end.
    fn count(&mut self, end: RoundEnd, line: &Line, part: f64) {
        let won = part * line.won(self.seat) as f64;
        let at_stake = line.paid(self.seat).min(line.paid(other(self.seat)));
        self.won.chips += won;
        self.won.at_stake += part * f64::from(at_stake);
        let counted = &mut self.won.ends[end as usize];
        *counted = (counted.0 + part, counted.1 + won);
    }
}
