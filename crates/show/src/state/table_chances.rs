//! The chances of the players left at the table on show.

use std::cell::Cell;

use casino_stud::cards::Card;
use casino_stud::odds::{PublicChances, PublicHand};

use crate::rounds::TableView;

/// The input of the chances: the players still in, and the number of visible cards of each.
fn known(table: &TableView) -> Vec<(bool, usize, Option<Card>)> {
    table.seats.iter().map(|seat| (seat.live, seat.up.len(), seat.hole)).collect()
}

/// Changes the table, and works out the chances again if the change makes others of them. This takes a few
/// milliseconds at a full table; the same cards always give the same chances.
pub(super) fn with_chances(table: &mut TableView, change: &mut dyn FnMut(&mut TableView)) {
    let before = known(table);
    change(table);
    if table.result.is_some() {
        for seat in &mut table.seats {
            (seat.hand_chance, seat.spade_chance) = (None, None);
        }
    } else if table.seats.iter().all(|seat| seat.hand_chance.is_none()) || known(table) != before {
        work_out(table);
    }
}

thread_local! {
    static CHANCES_DISABLED: Cell<bool> = const { Cell::new(false) };
}

/// Disables the chances on this thread: tests of long days would spend most of their time on them.
pub fn leave_chances_out() {
    CHANCES_DISABLED.set(true);
}

fn work_out(table: &mut TableView) {
    if CHANCES_DISABLED.get() {
        return;
    }
    let hands: Vec<PublicHand<'_>> = table
        .seats
        .iter()
        .map(|seat| PublicHand { up: &seat.up, hole: seat.hole, is_in: seat.live })
        .collect();
    if hands.iter().any(|hand| hand.up.is_empty() || hand.up.len() > 2) {
        return;
    }
    let chances = PublicChances::of(&hands).players;
    for (seat, chance) in table.seats.iter_mut().zip(chances) {
        // Four digits are more than a bar can show.
        let digits = |chance: f64| seat.live.then_some((chance * 10_000.0).round() / 10_000.0);
        (seat.hand_chance, seat.spade_chance) = (digits(chance.hand), digits(chance.spade));
    }
}
