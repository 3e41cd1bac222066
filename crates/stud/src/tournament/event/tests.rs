//! Events played with players who decide at random.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::cards::Stream;
use crate::stud::Seat;
use crate::table::{Fault, Reply, Step};
use crate::tournament::Format;

/// One in so many replies is a foul; 0 for none.
type Fouls = u32;

pub(super) fn plan(format: &str, seats: usize, level_rounds: u64) -> EventPlan {
    let format = Format::named(format).unwrap();
    EventPlan {
        format,
        seats,
        level_rounds: format.rules().usual_level_rounds(level_rounds),
        antes: Vec::new(),
        series: 1,
        late_entry: None,
    }
}

pub(super) fn play_round(table: &mut TableGame, dice: &mut Stream, fouls: Fouls) {
    loop {
        match table.table_mut().step() {
            Step::Ask(seat) => {
                let bounds = table.table().question(seat).bounds;
                let answer = match dice.below(4) {
                    _ if fouls > 0 && dice.one_in(fouls) => Err(Fault::HungUp { partial: false }),
                    0 => Ok(Reply::Fold),
                    1 => Ok(Reply::Bet(bounds.most())),
                    _ => Ok(Reply::Bet(bounds.to_call)),
                };
                table.table_mut().answer(answer);
            }
            Step::Tell(..) => {}
            Step::Over => return,
        }
    }
}

/// Plays the tables until the next seating: hand for hand where they may be balanced during the level, and otherwise one
/// after the other.
fn play_tables(event: &mut Event, fouls: Fouls, backwards: bool) {
    let level = *event.level().unwrap();
    let seed = event.progress.seed.text().to_string();
    let dice = |table: &TableGame| {
        let purpose = format!("dice {} {} {}", level.number, level.seating, table.number());
        Seed::chosen(&seed).stream(&purpose)
    };
    let mut dice: Vec<Stream> = event.tables().iter().map(dice).collect();
    let hand_for_hand = event.reseating().is_some();
    while event.due().is_some() {
        let round = event.next_round();
        assert!(event.max_rounds_left().is_none_or(|left| left > 0));
        if hand_for_hand {
            balanced(event);
        }
        let mut order: Vec<usize> = (0..dice.len()).collect();
        if backwards {
            order.reverse();
        }
        for table in order {
            let (table, dice) = (&mut event.tables_mut()[table], &mut dice[table]);
            while (!hand_for_hand || table.next_round() == round) && table.deal() {
                play_round(table, dice, fouls);
            }
        }
        assert_eq!(event.players_left(), event.playing_on_in_this_tournament().len());
    }
}

/// No round is dealt at more tables than are needed, or at tables of which one has two players more than another.
fn balanced(event: &Event) {
    let sizes: Vec<usize> = event.tables().iter().map(|table| table.table().seated().len()).collect();
    let players: usize = sizes.iter().sum();
    assert_eq!(sizes.len(), players.div_ceil(event.plan().seats), "{sizes:?}");
    assert!(sizes.iter().max() <= sizes.iter().min().map(|size| size + 1).as_ref(), "{sizes:?}");
}

/// Plays a whole event, its tables in the order of `backwards`, and checks the invariants after each level.
fn play(mut event: Event, fouls: Fouls, backwards: bool) -> Event {
    let players = event.players();
    let all_chips = u64::from(event.progress.stack) * players as u64;
    let mut before: Option<Level> = None;
    let mut told = BTreeSet::new();
    while event.next_level() {
        let level = *event.level().unwrap();
        match before {
            Some(before) if level.seating > 1 => {
                let seating = before.seating + 1;
                let first_round = event.rounds_played() + 1;
                let rounds = before.last_round() - event.rounds_played();
                assert_eq!(level, Level { seating, first_round, rounds, ..before }, "the level goes on");
                assert!(level.rounds > 0);
            }
            _ => {
                assert_eq!((level.number, level.seating), (before.map_or(1, |level| level.number + 1), 1));
                assert_eq!(level.first_round, before.map_or(1, |level| level.last_round() + 1));
            }
        }
        before = Some(level);
        let mut seated: Vec<usize> = event
            .tables()
            .iter()
            .flat_map(|table| table.players())
            .copied()
            .filter(|p| *p < players)
            .collect();
        let all = seated.len();
        seated.sort_unstable();
        seated.dedup();
        assert_eq!(seated.len(), all, "nobody sits at two tables");
        assert!(seated.iter().all(|player| event.playing_on().contains(player)));
        if event.plan().format == Format::default() {
            assert_eq!(seated, event.playing_on_in_this_tournament());
            balanced(&event);
            assert!(event.tables().iter().all(|table| table.players().len() <= event.plan().seats));
        }
        for (player, _) in event.take_leaving() {
            assert!(told.insert(player), "told once");
        }
        play_tables(&mut event, fouls, backwards);
        for table in event.tables() {
            assert!(table.table().round_number() <= level.last_round());
            for (seat, player) in table.players().iter().enumerate() {
                if let (Some(exit), true) = (table.exit_of(Seat::new(seat)), *player < players)
                    && !event.returns(&exit.why)
                {
                    assert!(told.insert(*player), "told once");
                }
            }
        }
        if event.plan().format == Format::default() && event.plan().series == 1 {
            let chips: u64 = event.players_now().iter().map(|player| u64::from(player.chips)).sum();
            assert_eq!(chips + event.forfeited(), all_chips);
        }
    }
    for (player, _) in event.take_leaving().into_iter().chain(event.exit_reasons()) {
        assert!(told.insert(player), "told once");
    }
    assert_eq!(told.len(), players, "everyone is told the last word");
    let standings = event.standings();
    let placed: BTreeSet<usize> = standings.places().iter().map(|standing| standing.player).collect();
    assert_eq!(placed.len(), players, "everyone has a place");
    assert!(!event.next_level() && event.is_over());
    event
}

impl Event {
    fn playing_on_in_this_tournament(&self) -> Vec<usize> {
        let players = self.players_now();
        (0..players.len()).filter(|player| players[*player].exit.is_none()).collect()
    }
}

pub(super) fn event(
    plan: EventPlan,
    seed: &str,
    players: usize,
    stack: Chips,
    rounds: impl Into<Option<u64>>,
) -> Event {
    let rounds = rounds.into();
    Event::new(plan, TableSettings::default(), &Seed::chosen(seed), players, stack, rounds)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Every format, with any numbers and with players who commit fouls, keeps the invariants, and the order of the
    /// tables does not matter.
    #[test]
    fn every_event_comes_to_its_end(
        seed in any::<u32>(), format in 0..Format::all().count(), players in 2..60usize, seats in 2..=17usize, level_rounds in 1..30u64,
        stack in 5..120u32, fouls in prop_oneof![Just(0), Just(40u32), Just(400)], series in 1..4u32,
        antes in prop::collection::vec(1..9u32, 0..4),
    ) {
        let mut antes = antes;
        antes.sort_unstable();
        antes.iter_mut().for_each(|ante| *ante = (*ante).min(stack));
        let plan = EventPlan { antes, series, ..plan(Format::all().nth(format).unwrap().rules().name, seats, level_rounds) };
        let players = players.min(plan.max_players());
        let begin = || event(plan.clone(), &seed.to_string(), players, stack, 200);
        let (one, other) = (play(begin(), fouls, false), play(begin(), fouls, true));
        prop_assert_eq!(one.standings(), other.standings());
        prop_assert_eq!(one.history(), other.history());
        prop_assert_eq!(one.rounds_played(), other.rounds_played());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Freeze-outs alone, which are balanced during their levels: long levels, many tables.
    #[test]
    fn tables_are_balanced_during_a_level(
        seed in any::<u32>(), players in 2..90usize, seats in 2..=17usize, level_rounds in prop_oneof![1..10u64, 50..400u64],
        stack in 5..120u32, fouls in prop_oneof![Just(0), Just(40u32), Just(400)], rounds in prop_oneof![Just(200), Just(5_000)],
        antes in prop::collection::vec(1..40u32, 3..6),
    ) {
        let mut antes = antes;
        antes.sort_unstable();
        antes.iter_mut().for_each(|ante| *ante = (*ante).min(stack));
        let plan = EventPlan { antes, ..plan("freezeout", seats, level_rounds) };
        let begin = || event(plan.clone(), &seed.to_string(), players, stack, rounds);
        let (one, other) = (play(begin(), fouls, false), play(begin(), fouls, true));
        prop_assert_eq!(one.standings(), other.standings());
        prop_assert_eq!(one.history(), other.history());
        // Those who are left at a table that is not too large stay, in their order, and others come after them.
        for pair in one.history().windows(2).filter(|pair| pair[1].0.seating > 1 && pair[1].1.len() > 1) {
            let most = pair[1].1.iter().map(|table| table.players.len()).max().unwrap_or(0);
            for (before, after) in pair[0].1.iter().zip(&pair[1].1) {
                let is_left = |player: &&usize| pair[1].1.iter().any(|table| table.players.contains(*player));
                let left: Vec<usize> = before.players.iter().filter(is_left).copied().collect();
                prop_assert!(left.len() >= most || after.players.starts_with(&left));
            }
        }
    }
}

#[test]
fn breaking_tables_keeps_the_ante_and_last_round_of_the_level() {
    let rising = EventPlan { antes: vec![1, 2, 4], ..plan("freezeout", 6, 30) };
    let event = play(event(rising, "rising", 30, 60, 400), 0, false);
    let levels: Vec<Level> = event.history().iter().map(|(level, _)| *level).collect();
    assert!(levels.iter().any(|level| level.seating > 2), "{levels:?}");
    for level in &levels {
        assert_eq!(level.ante, [1, 2, 4][usize::try_from(level.number - 1).unwrap().min(2)]);
        assert_eq!(level.last_round(), 30 * level.number.min(13) + 10 * level.number.saturating_sub(13));
    }
}

#[test]
fn a_lone_player_waits_only_if_no_opponent_is_available() {
    let game = |number, seats: usize, rounds| {
        let decks = Decks::shuffled(&Seed::chosen("alone"), number);
        let players = (0..seats).collect();
        TableGame::at_table(TableSettings::default(), decks, number, players, &vec![9; seats], 1..=rounds)
    };
    let due = |seats, sizes: &[usize]| {
        let tables: Vec<TableGame> =
            sizes.iter().zip(1..).map(|(size, number)| game(number, *size, 9)).collect();
        Reseating { seats }.is_due(&tables)
    };
    // Three at tables of two: one has to wait, and nothing is better.
    assert!(!due(2, &[2, 2, 1]));
    for (seats, sizes) in [(3, vec![2, 1]), (9, vec![8, 1]), (4, vec![4, 2, 4]), (6, vec![5, 5, 5, 3])] {
        assert!(due(seats, &sizes), "{sizes:?}");
    }
    for (seats, sizes) in [(6, vec![5, 5, 5, 4]), (6, vec![6]), (4, vec![3, 2]), (17, vec![2])] {
        assert!(!due(seats, &sizes), "{sizes:?}");
    }
    // One of two tables has played its round: it is early to say.
    let mut tables = vec![game(1, 2, 9), game(2, 2, 9)];
    assert!(Reseating { seats: 4 }.is_due(&tables));
    tables[0].deal();
    play_round(&mut tables[0], &mut Seed::chosen("early").stream("dice"), 0);
    assert!(!Reseating { seats: 4 }.is_due(&tables));
}

#[test]
fn an_event_knows_how_long_it_can_last() {
    let mut event = event(EventPlan { series: 3, ..plan("freezeout", 4, 25) }, "left", 9, 50, 60);
    assert_eq!((event.max_rounds_left(), event.players_left(), event.players()), (Some(180), 9, 9));
    event.next_level();
    assert_eq!(event.max_rounds_left(), Some(180));
    for table in event.tables_mut() {
        table.deal();
        play_round(table, &mut Seed::chosen("a round").stream("dice"), 0);
    }
    assert_eq!(event.max_rounds_left(), Some(179));
    let begin = || self::event(EventPlan { series: 2, ..plan("freezeout", 4, 25) }, "left", 9, 50, 60);
    assert_eq!(play(begin(), 0, false).max_rounds_left(), Some(0));
    let endless = self::event(plan("freezeout", 4, 25), "left", 9, 50, None);
    assert_eq!(endless.max_rounds_left(), None);
    let single = self::event(EventPlan::single_table(), "one", 3, 100, 50);
    assert_eq!(single.max_rounds_left(), Some(50));
}

#[test]
fn a_freezeout_ends_with_a_final_table_and_a_champion() {
    let event = play(event(plan("freezeout", 6, 20), "final", 40, 60, 100_000), 0, false);
    let tables: Vec<usize> = event.history().iter().map(|(_, tables)| tables.len()).collect();
    assert_eq!(tables[0], 7);
    assert!(tables.is_sorted_by(|one, other| one >= other), "{tables:?}");
    assert_eq!(tables.last(), Some(&1));
    let standings = event.standings();
    assert_eq!((standings.places()[0].place, standings.places()[0].chips), (Some(1), 40 * 60));
    assert!(matches!(event.exit_reasons()[..], [(_, ExitReason::Champion { chips: 2400 })]));
}

#[test]
fn a_series_gives_points_for_those_who_come_after() {
    let series = EventPlan { series: 3, ..plan("freezeout", 4, 25) };
    let event = play(event(series, "series", 9, 50, 100_000), 0, false);
    let points: i64 = event.standings().places().iter().filter_map(|standing| standing.points).sum();
    let (last, _) = event.history().last().unwrap();
    assert_eq!(last.tournament, 3);
    assert!(
        points <= 3 * 36 && points > 3 * 30,
        "{points}: a point for each pair, but of those who share a place"
    );
}

#[test]
fn rising_antes_eliminate_players_who_cannot_pay() {
    let rising = EventPlan { antes: vec![1, 40, 2_000], ..plan("freezeout", 4, 10) };
    let event = play(event(rising, "antes", 12, 100, 100_000), 0, false);
    let levels = event.history().iter().filter(|(level, _)| level.seating == 1);
    let antes: Vec<Chips> = levels.map(|(level, _)| level.ante).collect();
    assert_eq!(antes[..2], [1, 40]);
    let standings = event.standings();
    let poor = standings.places().iter().filter(|standing| {
        standing
            .exit
            .as_ref()
            .is_some_and(|exit| matches!(exit.why, ExitReason::Busted { chips: 1.., ante: 40 }))
    });
    assert!(poor.count() > 0, "{standings:?}");
    assert!(antes.len() == 2, "nobody could pay 2,000: {antes:?}");
}

#[test]
fn house_bots_among_others_take_no_points_and_no_places() {
    let series = EventPlan { series: 2, ..plan("freezeout", 4, 25) };
    let placing = Placing::new((0..9).map(|player| player % 3 == 0), false);
    let mut event = event(series, "house", 9, 50, 60).placed_by(placing);
    while event.next_level() {
        event.take_leaving();
        play_tables(&mut event, 0, false);
    }
    let standings = event.standings();
    let mut points = 0;
    for standing in standings.places() {
        let is_house = standing.player % 3 == 0;
        assert_eq!(standing.place.is_none(), is_house, "{standing:?}");
        assert!(!is_house || standing.points == Some(0), "{standing:?}");
        points += standing.points.unwrap_or(0);
    }
    assert!(points <= 2 * (5 + 4 + 3 + 2 + 1), "{points}");
    assert_eq!(standings.places().iter().filter_map(|standing| standing.place).min(), Some(1));
    for (player, why) in event.exit_reasons() {
        assert!(player % 3 != 0 && matches!(why, ExitReason::EventOver { players: 6, .. }), "{why:?}");
    }
}
