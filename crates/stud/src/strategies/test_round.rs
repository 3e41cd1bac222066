//! A round between bots, for the tests of bots that remember.

use super::Bot;
use crate::table::{Notice, Reply, Step, Table};

/// Plays the round that has been dealt, with a bot for each seat, and returns every reply with the seat it came from. Each has to
/// be legal.
pub(super) fn play_round(table: &mut Table, bots: &mut [&mut dyn Bot]) -> Vec<(usize, Reply)> {
    let mut replies = Vec::new();
    loop {
        match table.step() {
            Step::Ask(seat) => {
                let question = table.question(seat);
                let reply = bots[seat.index()].decide(&question);
                assert!(reply.legalise(&question.bounds).is_ok(), "{reply} to {question:?}");
                replies.push((seat.index(), reply));
                table.answer(Ok(reply));
            }
            Step::Tell(seat, Notice::Status(status)) => bots[seat.index()].hear(&status),
            Step::Tell(..) => {}
            Step::Over => return replies,
        }
    }
}
