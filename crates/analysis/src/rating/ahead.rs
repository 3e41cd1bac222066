//! Decks chosen ahead on another processor, while programs are thinking.

use std::ops::Range;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, Scope};

use casino_stud::cards::Stream;

use super::RatingPlan;
use super::control_variates::{ChosenDeck, ControlVariates};

/// How many blocks they are ahead at most: enough that one long wait for a program does not stop them, and little work that is
/// done for nothing where a rating is settled early.
const MAX_BLOCKS_AHEAD: usize = 8;

/// Draws the circle of bots of a block, numbered from 0. Its beginning follows again at its end, so that every arc is a slice.
/// The block continues with the words of `rng` that follow.
#[inline]
pub(super) fn draw_cycle(plan: &RatingPlan, block: u64, rng: &mut Stream, cycle: &mut Vec<usize>) {
    rng.seek(block + 1);
    cycle.clear();
    cycle.extend(0..plan.bot_count());
    rng.shuffle(cycle);
    cycle.extend_from_within(..plan.seats());
}

/// Starts a thread that chooses the decks of these blocks one after the other; `None` if the plan has no control
/// variates or the system no thread. The thread ends when the receiver is dropped.
pub(super) fn choose_ahead<'scope, 'plan>(
    scope: &'scope Scope<'scope, '_>,
    plan: &'plan RatingPlan,
    blocks: Range<u64>,
) -> Option<Receiver<ChosenDeck>>
where
    'plan: 'scope,
{
    let mut control_variates = ControlVariates::new(plan)?;
    let (sender, choices) = sync_channel(MAX_BLOCKS_AHEAD);
    let choose = move || {
        let mut shuffler = plan.seed().shuffler(1);
        let mut rng = plan.seed().stream("rate");
        let mut cycle = Vec::new();
        for block in blocks {
            draw_cycle(plan, block, &mut rng, &mut cycle);
            if sender.send(control_variates.choose(block, &cycle, &mut shuffler)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().spawn_scoped(scope, choose).ok().map(|_| choices)
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::plan;
    use super::super::{BlockTally, BotPlayers, Dealer};
    use super::*;

    /// Decks that come from the other thread, from there until it stops, and from the dealer itself are the same ones, and so are
    /// the results.
    #[test]
    fn blocks_chosen_ahead_equal_blocks_chosen_on_demand() {
        let plan = plan(&["bold", "cautious", "random"], 3, 300, 0)
            .with_control_variates(&["reader", "caller"])
            .unwrap();
        let bots: Vec<_> = plan.bots().iter().filter_map(|bot| bot.house_bot()).collect();
        let results = |mut dealer: Dealer<'_>, blocks: Range<u64>| {
            let mut players = BotPlayers::house(bots.clone());
            let (mut tally, mut chips): (BlockTally, Vec<i64>) = (plan.tally(blocks.start, 1), Vec::new());
            for block in blocks {
                chips.extend(dealer.block(block, &mut players, &mut tally).unwrap());
            }
            (tally, chips)
        };
        let alone = results(Dealer::new(&plan), 5..60);
        thread::scope(|scope| {
            let ahead = choose_ahead(scope, &plan, 5..60).unwrap();
            assert_eq!(results(Dealer::new(&plan).with_choices(ahead), 5..60), alone);
            // It stops early, or chooses for other blocks: the dealer goes on by itself.
            for blocks in [5..20, 3..60] {
                let ahead = choose_ahead(scope, &plan, blocks).unwrap();
                assert_eq!(results(Dealer::new(&plan).with_choices(ahead), 5..60), alone);
            }
        });
    }

    #[test]
    fn no_deck_is_chosen_without_control_variates() {
        let plan = plan(&["bold", "cautious"], 2, 100, 0);
        thread::scope(|scope| assert!(choose_ahead(scope, &plan, 0..50).is_none()));
    }
}
