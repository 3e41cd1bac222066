//! A program, which can be asked only what really happens: an adversary plays with it and watches first, and takes what it can
//! then.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::cards::{Card, Deck, Stream};
use crate::rating::Players;
use crate::strategies::{Kind, Range};
use crate::stud::{Action, Chips, Rules, Seat, Street};
use crate::table::{Answer, Fault, Foul, Question, Reply, Status};

use super::RoundEnd;
use super::asked_bot::Memories;
use super::deal::{boards, evenly};
use super::learned::Learned;
use super::line::{Line, Next, SEATS, other};
use super::search::{Belief, Searcher, Source};
use super::view::{View, worths};

/// On how many boards the adversary looks into the second street from the first.
const BOARDS: usize = 2;

/// The bets with which the adversary finds out what the program does.
const PROBES: [Chips; 5] = [0, 0, 1, 4, 10];

/// A program and the adversary that plays with it, as the players of a rating.
#[derive(Debug)]
pub(super) struct AgainstProgram<P> {
    /// Plays for the program, as the only player.
    program: P,
    number: usize,
    rules: Rules,
    stack: Chips,
    /// What is known of the program, once that is made use of.
    known: Option<Arc<Learned>>,
    pub(super) seen: Learned,
    /// What was done in the round in play, the street of the last question, and whether the program broke a rule.
    acts: Vec<(Seat, Action)>,
    street: Street,
    is_fouled: bool,
    /// The seat of the program in the round in play, once somebody was asked.
    seat: Option<Seat>,
    /// For each end ([`RoundEnd`]) how many of the rounds that count ended so, and the chips that the adversary won in them; of those
    /// that were shown only how many.
    pub(super) ends: [(f64, f64); RoundEnd::ALL.len()],
    /// What hole cards are worth on the first street, by the kinds of the two up cards: who holds them first.
    worths: BTreeMap<[usize; 2], Range>,
}

impl<P: Players> AgainstProgram<P> {
    pub(super) fn new(program: P, number: usize, rules: Rules, stack: Chips) -> AgainstProgram<P> {
        AgainstProgram {
            program,
            number,
            rules,
            stack,
            known: None,
            seen: Learned::default(),
            acts: Vec::new(),
            street: Street::First,
            is_fouled: false,
            seat: None,
            ends: Default::default(),
            worths: BTreeMap::new(),
        }
    }

    /// Makes use of what is known from now on.
    pub(super) fn use_it(&mut self, known: Arc<Learned>) {
        self.known = Some(known);
    }

    /// Counts how the round that is over ended.
    fn count(&mut self) {
        let folded = match (self.is_fouled, self.acts.last()) {
            // Both sit in these two seats, and who broke a rule has not acted any more.
            (true, _) => self.seat,
            (false, Some((seat, action))) if *action == Action::FOLD => Some(*seat),
            _ => None,
        };
        let paid = |seat: Seat| {
            let chips = self
                .acts
                .iter()
                .filter(|(acting, _)| *acting == seat)
                .filter_map(|(_, action)| action.chips());
            f64::from(self.rules.ante + chips.sum::<Chips>())
        };
        let (end, chips) = match folded {
            None => (RoundEnd::Shown, 0.0),
            Some(seat) if Some(seat) != self.seat => (RoundEnd::AdversaryFolded, -paid(seat)),
            Some(seat) if self.street == Street::First => (RoundEnd::FoldedOnFirst, paid(seat)),
            Some(seat) => (RoundEnd::FoldedOnSecond, paid(seat)),
        };
        let counted = &mut self.ends[end as usize];
        *counted = (counted.0 + 1.0, counted.1 + chips);
    }

    /// Bets anything, so that the program has to show what it does, and folds now and then where that costs much.
    fn probe(question: &Question<'_>, rng: &mut Stream) -> Reply {
        let bounds = &question.bounds;
        let more = PROBES[rng.below(PROBES.len() as u32) as usize];
        if bounds.most() < bounds.to_call || (question.pot > 60 && bounds.to_call > 0 && rng.one_in(2)) {
            return Reply::Fold;
        }
        Reply::Bet(bounds.to_call.saturating_add(more).min(bounds.most()))
    }

    /// What hole cards are worth to who shows the cards `own`.
    fn worths(&mut self, own: &[Card], others: &[Card]) -> Range {
        match (own, others) {
            ([mine], [other]) => {
                let kinds = [mine, other].map(|card| Kind::of(*card).index());
                *self.worths.entry(kinds).or_insert_with(|| worths(own, others))
            }
            _ => worths(own, others),
        }
    }

    /// The reply that wins most, if the program goes on as it was seen to play.
    fn best(&mut self, question: &Question<'_>, known: &Arc<Learned>, rng: &mut Stream) -> Action {
        let seat = seat_of(question);
        let Some(deck) = deck_of(question, seat) else { return Action::FOLD };
        let up = |seat: Seat| deck.cards()[2 + seat.index()];
        let first = View { worths: self.worths(&[up(other(seat))], &[up(seat)]), ..View::first(&deck, seat) };
        let on_second = |deck: &Deck| {
            let ups = |seat: Seat| [2, 4].map(|first| deck.cards()[first + seat.index()]);
            View { worths: worths(&ups(other(seat)), &ups(seat)), ..View::second(deck, seat) }
        };
        let second = on_second(&deck);
        let later = boards(&deck, seat, BOARDS, rng).into_iter().map(|deck| {
            let view = on_second(&deck);
            (deck, view)
        });
        let mut belief = Belief { mass: evenly(&first), memory: Memories::default() };
        let searcher = Searcher::new(seat, Source::Learned(Arc::clone(known)), first, later.collect());
        let mut line = Line::new(self.rules, self.stack, &deck);
        for (acting, action) in &self.acts {
            open_if_due(&mut line, &mut belief, &second);
            if *acting != seat {
                let view = if line.round().street() == Street::First { searcher.first() } else { &second };
                let asked = line.question(*acting, question.hole);
                let likelier = belief.after(&known.chances(&asked, &view.worths, *action), &belief.memory);
                // What was never seen with any card says nothing.
                if likelier.total() > 0.0 {
                    belief = likelier;
                }
            }
            line.act(*acting, *action);
        }
        open_if_due(&mut line, &mut belief, &second);
        let view = if question.street == Street::First { searcher.first() } else { &second };
        searcher.choose(&line, view, &belief)
    }
}

fn open_if_due(line: &mut Line, belief: &mut Belief, second: &View) {
    if line.next() == Next::SecondStreet {
        line.open_second();
        *belief = belief.shown(second);
    }
}

/// The seat of the player who is asked.
fn seat_of(question: &Question<'_>) -> Seat {
    let place = question.board.chunks(question.street.up_cards()).position(|up| up == question.up);
    SEATS[place.unwrap_or(0)]
}

/// A deck that deals what the player in this seat sees; what it does not see comes in any order.
fn deck_of(question: &Question<'_>, seat: Seat) -> Option<Deck> {
    let mut cards: [Option<Card>; 52] = [None; 52];
    cards[seat.index()] = Some(question.hole);
    for (seat, ups) in question.board.chunks(question.street.up_cards()).enumerate() {
        for (street, up) in ups.iter().enumerate() {
            cards[2 * (street + 1) + seat] = Some(*up);
        }
    }
    let mut rest = Card::ALL.into_iter().filter(|card| !cards.contains(&Some(*card))).collect::<Vec<_>>();
    let dealt = cards.map(|card| card.or_else(|| rest.pop()).unwrap_or(question.hole));
    Deck::stacked(dealt).ok()
}

impl<P: Players> Players for AgainstProgram<P> {
    type Error = P::Error;

    fn begin(&mut self) {
        self.acts.clear();
        self.is_fouled = false;
        self.program.begin();
    }

    fn answer(&mut self, bot: usize, question: &Question<'_>, rng: &mut Stream) -> Answer {
        let seat = seat_of(question);
        self.street = question.street;
        self.seat = Some(if bot == self.number { seat } else { other(seat) });
        if bot != self.number {
            let action = match self.known.clone() {
                Some(known) => self.best(question, &known, rng),
                None => Self::probe(question, rng).legalise(&question.bounds).unwrap_or(Action::FOLD),
            };
            self.acts.push((seat, action));
            return Ok(Reply::from(action));
        }
        let answer = self.program.answer(0, question, rng);
        let Ok(reply) = &answer else { return answer };
        let Ok(action) = reply.legalise(&question.bounds) else { return answer };
        self.acts.push((seat, action));
        if self.known.is_none() {
            let others: Vec<Card> = question.others().flatten().copied().collect();
            let worth = self.worths(question.up, &others)[Kind::of(question.hole).index()];
            self.seen.see(question, worth, action);
        }
        answer
    }

    fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault> {
        if bot == self.number {
            return self.program.hear(0, status);
        }
        if self.known.is_some() {
            self.count();
        }
        Ok(())
    }

    fn fouled(&mut self, bot: usize, foul: &Foul, left: bool) -> Result<(), P::Error> {
        if bot != self.number {
            return Ok(());
        }
        self.is_fouled = true;
        self.program.fouled(0, foul, left)
    }
}
