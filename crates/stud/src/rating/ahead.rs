//! Decks that stand-ins choose ahead, on a processor of their own, while programs are waited for.

use std::ops::Range;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, Scope};

use crate::cards::{Starts, Stream};

use super::Plan;
use super::stand_ins::{ChosenDeck, StandIns};

/// How many blocks they are ahead at most: enough that one long wait for a program does not stop them, and little work that is
/// done for nothing where a rating is settled early.
const AHEAD: usize = 8;

/// Draws the circle of bots of a block, numbered from 0. Its beginning follows again at its end, so that every arc is a slice.
/// What the block leaves to chance goes on from there in `rng`, whose starts these are.
#[inline]
pub(super) fn draw_circle(
    plan: &Plan,
    block: u64,
    rng: &mut Stream,
    starts: &mut Starts,
    circle: &mut Vec<usize>,
) {
    rng.seek_next(block + 1, starts);
    circle.clear();
    circle.extend(0..plan.bot_count());
    rng.shuffle(circle);
    circle.extend_from_within(..plan.seats());
}

/// Has another thread choose the decks of these blocks, one after the other; `None` if the plan has no stand-ins or the system no
/// thread. The thread ends when the receiver is dropped.
pub(super) fn choose_ahead<'scope, 'plan>(
    scope: &'scope Scope<'scope, '_>,
    plan: &'plan Plan,
    blocks: Range<u64>,
) -> Option<Receiver<ChosenDeck>>
where
    'plan: 'scope,
{
    let mut stand_ins = StandIns::new(plan)?;
    let (sender, choices) = sync_channel(AHEAD);
    let choose = move || {
        let mut shuffler = plan.seed().shuffler(1);
        let mut rng = plan.seed().stream("rate");
        let (mut starts, mut circle) = (rng.starts(), Vec::new());
        for block in blocks {
            draw_circle(plan, block, &mut rng, &mut starts, &mut circle);
            if sender.send(stand_ins.choose(block, &circle, &mut shuffler)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().spawn_scoped(scope, choose).ok().map(|_| choices)
}
