//! Learning to play one pair of up cards of the first street.
//!
//! With given up cards the rest of the round is a game of its own, and 338 of them are the whole game. The second
//! street is learned along on every board, without abstraction of cards; a few boards are drawn for each iteration.

use casino_stud::cards::Stream;

use super::cfr::{Notes, Pass, StreetOutcome};
use super::kinds::{Kind, LANES, Lanes, Pack, Unseen, times};
use super::showdown::{Payoffs, Showdowns};
use super::tree::{EdgeTarget, Menu, Tree};

/// The subject of a training: cards and bets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lesson<'a> {
    pub(super) pack: Pack,
    /// The up cards of the opener and of the other.
    pub(super) ups: [Kind; 2],
    pub(super) first: &'a Menu,
    pub(super) second: &'a Menu,
}

/// The regrets and average strategies of one pair of up cards.
#[derive(Debug)]
pub(super) struct Trainer {
    pub(super) unseen: Unseen,
    pub(super) first: Tree,
    pub(super) second: Tree,
    pub(super) boards: Vec<DealtBoard>,
    regrets: Vec<Lanes>,
    pub(super) sums: Vec<Lanes>,
    second_regrets: Vec<Lanes>,
    pub(super) second_sums: Vec<Lanes>,
    /// The boards as often as there are pairs of cards that make them, in the order in which they are drawn.
    order: Vec<u16>,
    drawn: usize,
    iterations: u32,
}

#[derive(Clone, Debug)]
pub(super) struct DealtBoard {
    pub(super) ups: [[Kind; 2]; 2],
    pub(super) board: Payoffs,
    /// How many pairs of cards make it.
    pub(super) pairs: f32,
    /// For each kind, the share of its cards that is left on the board.
    left: Lanes,
    visits: u32,
}

/// The opener of the second street with these cards (R6); of two players who show the same highest rank, a spade or
/// else the first.
pub(super) fn opener(ups: [[Kind; 2]; 2]) -> usize {
    let highest = |up: [Kind; 2]| up.map(|kind| (kind.rank(), kind.is_spade())).into_iter().max();
    usize::from(highest(ups[1]) > highest(ups[0]))
}

impl Trainer {
    /// A trainer before the first iteration. `None` if the pack has no such up cards.
    pub(super) fn new(lesson: Lesson<'_>) -> Option<Trainer> {
        let Lesson { pack, ups, first, second } = lesson;
        let unseen = Unseen::without(pack, &ups)?;
        let (first, second) = (Tree::new(first), Tree::new(second));
        let mut boards = Vec::new();
        for mine in Kind::all() {
            for other in Kind::all() {
                let shown = [[ups[0], mine], [ups[1], other]];
                let Some(board) = Payoffs::new(pack, shown, opener(shown)) else { continue };
                let pairs = unseen.counts[mine.index()]
                    * (unseen.counts[other.index()] - if mine == other { 1.0 } else { 0.0 });
                let left = times(&board.unseen.counts, &unseen.inverses);
                boards.push(DealtBoard { ups: shown, board, pairs, left, visits: 0 });
            }
        }
        let of_first = first.edges();
        let of_second = boards.len() * first.closed() * second.edges();
        let order = (0u16..).zip(&boards).flat_map(|(at, board)| vec![at; board.pairs as usize]).collect();
        Some(Trainer {
            unseen,
            first,
            second,
            boards,
            regrets: vec![[0.0; LANES]; of_first],
            sums: vec![[0.0; LANES]; of_first],
            second_regrets: vec![[0.0; LANES]; of_second],
            second_sums: vec![[0.0; LANES]; of_second],
            order,
            drawn: usize::MAX,
            iterations: 0,
        })
    }

    /// One iteration over this many boards drawn with `rng`, or over all of them.
    pub(super) fn iterate(&mut self, boards: Option<usize>, rng: &mut Stream) {
        self.iterations += 1;
        let drawn = match boards {
            Some(count) => {
                let count = count.min(self.order.len());
                if self.drawn.saturating_add(count) > self.order.len() {
                    rng.shuffle(&mut self.order);
                    self.drawn = 0;
                }
                self.drawn += count;
                let mut drawn = self.order[self.drawn - count..self.drawn].to_vec();
                drawn.sort_unstable();
                drawn.chunk_by(|one, other| one == other).map(|same| (same[0], same.len() as f32)).collect()
            }
            None => (0u16..).zip(&self.boards).map(|(at, board)| (at, board.pairs)).collect::<Vec<_>>(),
        };
        for (board, _) in &drawn {
            self.boards[usize::from(*board)].visits += 1;
        }
        let of_drawn: f32 = drawn.iter().map(|(_, pairs)| pairs).sum();
        let total = self.unseen.total;
        let scale = total * (total - 1.0) / ((total - 2.0) * (total - 3.0)) / of_drawn;
        for player in 0..2 {
            let weight = cube(self.iterations);
            let pass = Pass { tree: &self.first, player, opener: 0, weight, thrifty: false };
            let mut notes = Notes { regrets: &mut self.regrets, sums: &mut self.sums };
            let mut ends = Streets {
                unseen: &self.unseen,
                second: &self.second,
                boards: &self.boards,
                drawn: &drawn,
                scale,
                closed: self.first.closed(),
                regrets: &mut self.second_regrets,
                sums: &mut self.second_sums,
            };
            let mut own = [0.0; LANES];
            own[..super::kinds::KINDS].fill(1.0);
            pass.walk(0, &mut notes, &own, &self.unseen.counts, &mut ends);
        }
    }

    /// How much of the second street's notes belongs to a board and an end of the first street.
    pub(super) fn second_notes(&self, board: usize, closed: usize) -> &[Lanes] {
        let length = self.second.edges();
        let from = (board * self.first.closed() + closed) * length;
        &self.second_sums[from..from + length]
    }
}

/// The ends of the first street: folds, and second streets on the boards drawn.
struct Streets<'a> {
    unseen: &'a Unseen,
    second: &'a Tree,
    boards: &'a [DealtBoard],
    drawn: &'a [(u16, f32)],
    scale: f32,
    closed: usize,
    regrets: &'a mut [Lanes],
    sums: &'a mut [Lanes],
}

impl StreetOutcome for Streets<'_> {
    fn value(&mut self, end: EdgeTarget, player: usize, own: &Lanes, met: &Lanes) -> Lanes {
        let mut value = [0.0; LANES];
        match end {
            EdgeTarget::Folded(folded, paid) => {
                let chips = (ANTE + paid) as f32;
                let chips = if folded == player { -chips } else { chips };
                value = self.unseen.met(met);
                value.iter_mut().for_each(|value| *value *= chips);
            }
            // Against a range of nothing there is nothing to be learned.
            EdgeTarget::Closed(..) if met.iter().all(|mass| *mass == 0.0) => {}
            EdgeTarget::Closed(closed, paid) => {
                let length = self.second.edges();
                for (at, pairs) in self.drawn {
                    let at = usize::from(*at);
                    let dealt = &self.boards[at];
                    let from = (at * self.closed + closed) * length;
                    let mut notes = Notes {
                        regrets: &mut self.regrets[from..from + length],
                        sums: &mut self.sums[from..from + length],
                    };
                    let weight = cube(dealt.visits);
                    let pass =
                        Pass { tree: self.second, player, opener: dealt.board.opener, weight, thrifty: true };
                    let mut ends = Showdowns { board: &dealt.board, paid: (ANTE + paid) as f32 };
                    let met = times(met, &dealt.left);
                    let gained = pass.walk(0, &mut notes, own, &met, &mut ends);
                    let scale = self.scale * pairs;
                    for ((value, gained), left) in value.iter_mut().zip(&gained).zip(&dealt.left) {
                        *value += scale * left * gained;
                    }
                }
            }
            EdgeTarget::Node(_) => {}
        }
        value
    }
}

/// Each player's payment at the deal, in antes: the game is learned with an ante of one chip (R5).
pub(super) const ANTE: u32 = 1;

/// How much the strategy of an iteration counts in the average: later ones, which are better, more than
/// earlier ones.
fn cube(iteration: u32) -> f32 {
    let iteration = iteration as f32;
    iteration * iteration * iteration
}
