//! Estimates the opponents' cards from their bets.

use crate::cards::Card;
use crate::odds::HoleRange;
use crate::stud::Street;
use crate::table::Question;

use super::apparent_strength::{ApparentStrengths, apparent_strengths};
use super::observed_round::ObservedRound;

/// The price at which every second player looks at its cards.
const MEDIAN_CALL_PRICE: f64 = 1.5;

/// The constants that differ with the number of players dealt in: among few, pots are won by small bets more often.
pub(super) struct Knobs {
    /// The probability that a player stays in with any cards, and that a player who raises does so with any cards.
    loose: f64,
    maniac: f64,
    /// The chips that each player who stays puts in later, on the first street and on the second, ahead or behind.
    pub(super) later: [f64; 2],
    /// The part of its price that a reply has to earn more than nothing, because the model may be wrong.
    pub(super) min_edge: f64,
}

/// The constants for this number of players dealt in.
fn knobs(players: usize) -> &'static Knobs {
    match players {
        0..=4 => &Knobs { loose: 0.15, maniac: 0.1, later: [3.0, 1.0], min_edge: 0.3 },
        _ => &Knobs { loose: 0.3, maniac: 0.01, later: [32.0, 1.0], min_edge: 0.2 },
    }
}

/// The looks with which every second player pays, and raises, among so many players.
fn middles(players: usize) -> [f64; 2] {
    [0.15, 0.3].map(|power| libm::pow(players as f64, power))
}

/// Another player whose cards are on the board.
pub(super) struct Other<'a> {
    pub(super) up: &'a [Card],
    /// The value of its hand to itself.
    pub(super) apparent: ApparentStrengths,
    pub(super) range: HoleRange,
    /// The probability that it is still in.
    pub(super) is_in: f64,
    /// Whether it had matched the bet before the question.
    pub(super) has_paid: bool,
    /// The chips it has put in on this street, if it is still in.
    pub(super) paid: f64,
}

pub(super) struct Others<'a> {
    pub(super) all: Vec<Other<'a>>,
    /// The look with which every second player pays.
    stays: f64,
    pub(super) knobs: &'static Knobs,
}

/// From 0 for worthless cards to 1 for the best: one half at the middle.
pub(super) fn rises(share: f64, middle: f64) -> f64 {
    let ratio = share / middle;
    let sixth = ratio * ratio * ratio * ratio * ratio * ratio;
    sixth / (1.0 + sixth)
}

impl Knobs {
    /// The probability that a player pays so many chips with a hand of this look.
    fn pays(&self, strength: f64, chips: f64, middle: f64) -> f64 {
        let strict = (1.0 - self.loose) * chips / (chips + MEDIAN_CALL_PRICE);
        1.0 - strict + strict * rises(strength, middle)
    }
}

impl<'a> Others<'a> {
    /// The probability that a player pays this many more chips with this hole card. An earlier payment makes it likelier: of
    /// the cards with which it paid the first part, the share with which it would have paid both.
    pub(super) fn pays_more(&self, other: &Other<'_>, hole: Card, chips: f64) -> f64 {
        let pays = |chips: f64| self.knobs.pays(other.apparent[hole.index()], chips, self.stays);
        pays(other.paid + chips) / pays(other.paid)
    }

    pub(super) fn new(question: &Question<'a>, round: &ObservedRound) -> Others<'a> {
        let ups: Vec<&[Card]> = question.board.chunks(question.street.up_cards()).collect();
        let me = ups.iter().position(|up| *up == question.up).unwrap_or(0);
        let now = apparent_strengths(&ups);
        let [stays, raises] = middles(ups.len());
        let [before, _] = middles(round.board.len());
        let knobs = knobs(round.board.len());
        let opener = (0..ups.len()).max_by_key(|player| ups[*player].iter().max()).unwrap_or(0);
        let count = ups.len();
        let turn = |player: usize| (player + count - opener) % count;
        let has_acted = |player: usize| round.last.is_some() || turn(player) < turn(me);
        let acted = (0..count).filter(|player| *player != me && has_acted(*player)).count() as f64;
        let to_call = f64::from(question.bounds.to_call);
        // The number of players who paid, estimated from the growth of the pot.
        let paid = match round.last {
            Some((pot, raise)) => {
                f64::from(question.pot.saturating_sub(pot)) / (f64::from(raise) + to_call).max(1.0)
            }
            None if question.street == Street::First => {
                f64::from(question.pot.saturating_sub(round.pot)) / to_call.max(1.0)
            }
            None => 1.0 + 0.4 * (acted - 1.0),
        };
        let paid = if acted > 0.0 { paid.clamp(1.0, acted) } else { 1.0 };
        let mut others = Vec::with_capacity(count);
        for at in (0..count).filter(|at| *at != me) {
            let first = round.board.iter().position(|card| *card == ups[at][0]).unwrap_or(at);
            let has_paid = to_call > 0.0 && has_acted(at);
            let weigh = |card: Card| {
                let mut weight = 1.0;
                if question.street == Street::Second {
                    weight *= knobs.pays(
                        round.apparent_strengths[first][card.index()],
                        f64::from(round.paid_first),
                        before,
                    );
                }
                let strength = now[at][card.index()];
                if has_paid {
                    let mut raised = 1.0;
                    for _ in 0..round.raises {
                        raised *= rises(strength, raises);
                    }
                    raised = knobs.maniac + (1.0 - knobs.maniac) * raised;
                    let stayed = knobs.pays(strength, f64::from(round.level), stays);
                    weight *= (raised + (paid - 1.0) * stayed) / paid;
                } else if has_acted(at) {
                    weight *= 1.0 - 0.5 * (1.0 - knobs.loose) * rises(strength, raises);
                }
                weight
            };
            let range = HoleRange::new(weigh);
            let is_in = if has_paid { paid / acted } else { 1.0 };
            let paid = match round.last {
                _ if has_paid => f64::from(round.level),
                // It had matched all bets before the raise.
                Some(_) => f64::from(round.level) - to_call,
                None => 0.0,
            };
            others.push(Other { up: ups[at], apparent: now[at], range, is_in, has_paid, paid });
        }
        Others { all: others, stays, knobs }
    }
}
