//! How steps of a round and tallies of tables change the page.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::replay::{BoardRow, DisplayStep, PublicDeal, PublicEvent, TableView, rank};
use crate::stud::Chips;
use crate::tournament::Point;

use super::messages::TableTally;
use super::page::{Board, EventView, Page};

/// How long people look at a step before the next.
pub(super) fn pause_after(step: &DisplayStep, players: usize) -> Duration {
    let DisplayStep::Event(event) = step else { return Duration::ZERO };
    Duration::from_millis(match event {
        PublicEvent::Dealt(_) => 1_200,
        PublicEvent::Opened { .. } => 900,
        PublicEvent::Won { .. } => 0,
        // A full table takes longer than two players, but not as many times as it has seats.
        PublicEvent::Bet { .. }
        | PublicEvent::Fold { .. }
        | PublicEvent::StaysIn(_)
        | PublicEvent::ForcedFold(_) => 6_000 / (players as u64 + 5),
        PublicEvent::Foul { .. } | PublicEvent::Left { .. } => 1_200,
        PublicEvent::Ended(_) => 4_000,
    })
}

/// Shows a step and returns how many players the table has.
pub(super) fn show_step(page: &mut Page, step: &DisplayStep, finale: bool) -> usize {
    if let DisplayStep::Event(PublicEvent::Dealt(deal)) = step {
        show_deal(page, deal, finale);
    }
    let Some((table, names)) = page.table_mut() else { return 0 };
    match step {
        DisplayStep::Event(event) => table.show(event, names),
        DisplayStep::War(war) => war.bets.iter().for_each(|event| table.show(event, names)),
        DisplayStep::Turn(seat) => table.wait_for(*seat),
        DisplayStep::Rest => {}
    }
    let (number, players) = (table.table, table.seats.len());
    if let (DisplayStep::Event(PublicEvent::Ended(_)), Some(result)) = (step, &table.result) {
        let sentence = result.sentence.clone();
        let several = page.event_mut().is_some_and(|event| {
            if let Some(table) = event.tables.iter_mut().find(|table| table.table == number) {
                table.last = Some(sentence.clone());
            }
            event.tables.len() > 1
        });
        let sentence = if several { format!("Table {number}. {sentence}") } else { sentence };
        page.add_news("round", sentence);
    }
    players
}

fn show_deal(page: &mut Page, deal: &PublicDeal, finale: bool) {
    page.show_table(TableView::dealt(deal, finale));
    if page.event().is_some_and(|event| event.featured != Some(deal.table))
        && let Some(event) = page.event_mut()
    {
        event.featured = Some(deal.table);
    }
}

/// Shows how a table stands and what happened there since its last tally.
pub(super) fn show_tally(page: &mut Page, tally: TableTally, began_with: &mut BTreeMap<usize, Chips>) {
    let Board { round, rate, mut rows } = page.board().clone();
    let told = tally.fouls.len() as u64;
    for (player, chips) in &tally.chips {
        if let Some(row) = rows.iter_mut().find(|row| row.seat == player + 1) {
            row.chips = *chips;
        }
    }
    let mut news = Vec::new();
    for gone in tally.exits {
        if let Some(row) = rows.iter_mut().find(|row| row.seat == gone.player + 1) {
            row.left_in_round = Some(gone.round);
            row.why = Some(gone.why);
            began_with.insert(gone.player, gone.began_with);
            news.push(page.exit(row));
        }
    }
    news.into_iter().for_each(|sentence| page.add_news("exit", sentence));
    rank(&mut rows, began_with);
    for (player, round, why) in tally.fouls {
        let name = page.info().players.get(player).cloned().unwrap_or_default();
        page.add_news("foul", format!("Foul in round {round}: {name} {why}."));
    }
    if tally.foul_count > told {
        page.add_news("foul", format!("There were {} more fouls.", tally.foul_count - told));
    }
    let mut last = tally.round;
    let is_event = page.event().is_some();
    if let Some(event) = page.event_mut() {
        if let Some(table) = event.tables.iter_mut().find(|table| table.table == tally.table) {
            table.round = tally.round;
            table.done = tally.done;
            table.chips = tally.chips.iter().map(|(_, chips)| *chips).collect();
            table.playing = table.chips.iter().filter(|chips| **chips > 0).count();
        }
        last = last.max(round);
    }
    if is_event {
        let stacks = stacks_of(&rows, page.info().players.len());
        page.add_points(vec![Point { round: last, stacks }]);
    } else {
        page.add_points(tally.points);
    }
    page.show_board(Board { round: last, rate, rows });
}

/// The rounds played at all tables of a level.
pub(super) fn played(event: &EventView) -> u64 {
    event.tables.iter().map(|table| (table.round + 1).saturating_sub(event.first_round)).sum()
}

/// The chips of all players of the board, in the order of their numbers.
pub(super) fn stacks_of(rows: &[BoardRow], players: usize) -> Vec<Chips> {
    let mut stacks = vec![0; players];
    for row in rows {
        if let Some(stack) = stacks.get_mut(row.seat - 1) {
            *stack = row.chips;
        }
    }
    stacks
}
