//! Players who come in late, at random moments.

use proptest::prelude::*;

use super::tests::{event, plan, play_round};
use super::*;
use crate::cards::Stream;

/// Invariants of an event between two rounds.
fn check(event: &Event, stack: Chips) {
    let chips: u64 = event.players_now().iter().map(|player| u64::from(player.chips)).sum();
    let all = u64::from(stack) * event.players() as u64;
    assert_eq!(
        chips + event.forfeited(),
        all,
        "each newcomer brings a stack, and nothing else comes or goes"
    );
    for table in event.tables() {
        assert!(table.table().seated().len() <= event.plan().seats);
    }
}

/// The players in at each table, in seat order.
fn seated(event: &Event) -> Vec<(u32, Vec<usize>)> {
    let at = |table: &TableGame| {
        let seats = table.table().seated().into_iter();
        (table.number(), seats.map(|seat| table.player_at(seat)).collect())
    };
    event.tables().iter().map(at).filter(|(_, players): &(u32, Vec<usize>)| !players.is_empty()).collect()
}

/// Plays the due round at all tables. The cards depend on the seed, not on the time of entries.
fn play_a_round(event: &mut Event, dice: &mut Stream, fouls: u32) {
    let round = event.next_round();
    while let Some(due) = event.due().filter(|due| event.tables()[*due].next_round() == round) {
        let seed = event.progress.seed.clone();
        let table = &mut event.tables_mut()[due];
        assert!(table.deal());
        let deck = seed.shuffler(table.number()).deck(round, 52).clone();
        for (seat, card) in table.table().seated().into_iter().zip(deck.cards()) {
            assert_eq!(table.table().round().hole(seat), *card);
        }
        play_round(table, dice, fouls);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// For any late entries: chips are conserved, decks are the seed's, all players in stay in, and a newcomer gets the
    /// last seat of the smallest table, with the starting stack.
    #[test]
    fn late_entrants_join_the_smallest_table_and_nothing_else_moves(
        seed in any::<u32>(), single in any::<bool>(), players in 2..40usize, seats in 2..=17usize, level_rounds in 1..30u64,
        stack in 5..120u32, fouls in prop_oneof![Just(0), Just(30u32)], last_round in 1..40u64,
        eagerness in 1..6u32,
    ) {
        let (format, seats) = if single { ("single-table", 17) } else { ("freezeout", seats) };
        let plan = EventPlan { late_entry: Some(last_round), ..plan(format, seats, level_rounds) };
        let players = players.min(plan.max_players());
        let mut event = event(plan, &seed.to_string(), players, stack, 60);
        let mut dice = Seed::chosen(seed.to_string()).stream("guests");
        let mut came = 0;
        while event.next_level() {
            event.take_leaving();
            while event.due().is_some() {
                check(&event, stack);
                let before = seated(&event);
                let newcomer = if dice.one_in(eagerness) { event.enter().ok() } else { None };
                if let Some(newcomer) = newcomer {
                    came += 1;
                    prop_assert!(event.next_round() <= last_round);
                    prop_assert_eq!(newcomer, event.players() - 1);
                    prop_assert!(event.due().is_none() && event.next_level());
                    check(&event, stack);
                    let level = event.level().unwrap();
                    prop_assert!(level.seating > 1 && level.last_round() >= event.next_round());
                    let smallest = before.iter().map(|(_, players)| players.len()).min().unwrap();
                    let changed: Vec<_> = seated(&event).into_iter().filter(|table| !before.contains(table)).collect();
                    let [(number, now)] = &changed[..] else { panic!("one table changes: {changed:?}") };
                    let (_, then) = before.iter().find(|(other, _)| other == number).unwrap();
                    prop_assert_eq!(then.len(), smallest);
                    prop_assert_eq!(now, &[&then[..], &[newcomer]].concat());
                    prop_assert_eq!(event.players_now()[newcomer].chips, stack);
                }
                play_a_round(&mut event, &mut dice, fouls);
            }
        }
        prop_assert_eq!(event.players(), players + came);
        prop_assert_eq!(event.standings().places().len(), players + came);
        prop_assert_eq!(event.enter(), Err(EntryError::NothingDue));
    }
}

#[test]
fn refused_late_entrants_get_a_reason() {
    let dice = &mut Seed::chosen("calls").stream("dice");
    let mut without = event(plan("freezeout", 9, 50), "late", 4, 500, 60);
    without.next_level();
    assert_eq!(without.enter(), Err(EntryError::NotAllowed));

    let until = |round| EventPlan { late_entry: Some(round), ..plan("freezeout", 3, 50) };
    let mut event = self::event(until(2), "late", 5, 500, 60);
    assert_eq!(event.enter(), Err(EntryError::NothingDue), "nobody sits yet");
    event.next_level();
    assert_eq!(event.enter(), Ok(5));
    assert_eq!(event.enter(), Err(EntryError::Full { seats: 3 }), "six at two tables of three");
    event.next_level();
    let sizes: Vec<usize> = event.tables().iter().map(|table| table.players().len()).collect();
    assert_eq!(sizes, [3, 3]);
    event.tables_mut()[0].deal();
    play_round(&mut event.tables_mut()[0], dice, 0);
    assert_eq!(event.enter(), Err(EntryError::InRound), "the other table has not played it");
    event.tables_mut()[1].deal();
    play_round(&mut event.tables_mut()[1], dice, 0);
    assert_eq!(event.enter(), Err(EntryError::Full { seats: 3 }));
    play_a_round(&mut event, dice, 0);
    assert_eq!(event.enter(), Err(EntryError::TooLate { last_round: 2 }));
    assert_eq!(
        event.enter().unwrap_err().to_string(),
        "the game has begun, and its round 2 was the last for late entry"
    );
    for (late_entry, plan, why) in [
        (
            Some(0),
            plan("freezeout", 3, 50),
            "late_entry is 0, where a round has a number from 1 to 1000000000",
        ),
        (
            Some(9),
            plan("swiss", 3, 50),
            "late_entry is for a single-table and a freezeout, and not for a swiss",
        ),
    ] {
        assert_eq!(EventPlan { late_entry, ..plan }.check().unwrap_err().to_string(), why);
    }
}

#[test]
fn house_bots_lose_their_places_once_a_program_enters() {
    let until = EventPlan { late_entry: Some(9), ..EventPlan::single_table() };
    let mut event = event(until, "alone", 3, 500, 60).placed_by(Placing::new([true; 3], false));
    event.next_level();
    let places = |event: &Event| -> Vec<Option<usize>> {
        event.standings().places().iter().map(|standing| standing.place).collect()
    };
    assert_eq!(places(&event), [Some(1); 3]);
    event.enter().unwrap();
    assert_eq!(places(&event), [None, None, None, Some(1)]);
}
