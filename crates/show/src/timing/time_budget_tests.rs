//! The time of rounds in shows of all kinds.

use super::*;

fn reply_cost(budget: &TimeBudget) -> Duration {
    Duration::from_secs_f64(budget.replies.of_round())
}

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn the_stages_share_the_time_and_never_spend_more() {
    let mut budget = TimeBudget::new(secs(2_400), 30, Remaining::default());
    let mut elapsed = Duration::ZERO;
    for alive in (1..30).rev() {
        budget.note_round(elapsed, alive + 1, Duration::ZERO);
        let end = elapsed + budget.stage_left(elapsed) + Duration::from_millis(1);
        for _ in 0..200 {
            elapsed += budget.share(elapsed);
            budget.note_round(elapsed, alive + 1, Duration::ZERO);
        }
        assert!(elapsed <= end, "{alive}: {elapsed:?} of {end:?}");
        // A player is out in a round that has to be shown.
        elapsed += budget.stage_left(elapsed);
        budget.note_round(elapsed, alive, Duration::ZERO);
    }
    // The last round of two players takes less than was kept for one of a whole table.
    let end = elapsed + budget.reserve();
    assert!(end <= secs(2_400) && end > secs(2_385), "{end:?}");
}

#[test]
fn unused_time_goes_to_later_stages() {
    let mut budget = TimeBudget::new(secs(2_400), 30, Remaining::default());
    let first = budget.stage_left(secs(0));
    budget.note_round(secs(1), 29, Duration::ZERO);
    assert!(budget.stage_left(secs(1)) > first.mul_f64(1.9));
    for alive in (2..29).rev() {
        budget.note_round(secs(30), alive, Duration::ZERO);
    }
    let all = secs(2_400 - 30) - budget.reserve();
    assert!(budget.stage_left(secs(30)).abs_diff(all) < secs(1), "all of it is for the last two");
}

#[test]
fn a_short_heads_up_leaves_little_time_unused() {
    for players in [3, 4, 6, 30] {
        let mut budget = TimeBudget::new(secs(2_400), players, Remaining::default());
        let mut elapsed = Duration::ZERO;
        for alive in (2..players).rev() {
            elapsed += budget.stage_left(elapsed);
            budget.note_round(elapsed, alive, Duration::ZERO);
        }
        let over = budget.time_for_rounds(elapsed);
        assert!((0.0..0.065 * 2_400.0).contains(&over), "{players} players: {over} s");
    }
}

#[test]
fn round_limits_and_fixed_level_counts_are_respected() {
    let whole = |budget: &TimeBudget| budget.total - budget.reserve();
    let close = |one: Duration, other: Duration| one.abs_diff(other) < Duration::from_millis(1);
    let remaining = Remaining { rounds_left: Some(10), ..Remaining::default() };
    let budget = TimeBudget::new(secs(600), 4, remaining);
    assert!(budget.share(secs(0)) >= whole(&budget) / 10);
    let remaining = Remaining { rounds_left: Some(200), levels_left: Some(2), ..Remaining::default() };
    let mut budget = TimeBudget::new(secs(600), 8, remaining);
    assert!(close(budget.share(secs(0)), whole(&budget) / 200));
    (0..50).for_each(|_| budget.note_round(secs(270), 8, Duration::ZERO));
    budget.begin_level(
        secs(270),
        50,
        8,
        Remaining { rounds_left: Some(100), levels_left: Some(1), ..remaining },
    );
    let left = whole(&budget) - secs(270);
    assert!(close(budget.share(secs(270)), left / 50), "the level before took 50 rounds");
}

#[test]
fn phones_have_time_for_every_name_and_short_shows_stay_short() {
    let predicting = |minutes: u64, players: usize| {
        TimeBudget::new(secs(60 * minutes), players, Remaining::default()).for_predicting(players)
    };
    assert_eq!(predicting(40, 29), Duration::from_millis(37_400));
    assert_eq!(predicting(40, 2), Duration::from_millis(21_200));
    assert_eq!((predicting(8, 29), predicting(1, 29)), (Duration::from_millis(28_800), secs(8)));
    let moment = |minutes: u64| TimeBudget::new(secs(60 * minutes), 9, Remaining::default()).for_last_table();
    assert_eq!(
        (moment(1), moment(4), moment(40)),
        (Duration::from_millis(2_500), Duration::from_millis(4_800), secs(6))
    );
}

#[test]
fn a_series_divides_its_time_and_keeps_the_breaks() {
    let remaining = Remaining { tournaments_left: 2, ..Remaining::default() };
    let mut budget = TimeBudget::new(secs(660), 2, remaining);
    let all = secs(660) - budget.reserve();
    let close = |one: Duration, other: Duration| one.abs_diff(other) < Duration::from_millis(1);
    let between = budget.between_tournaments();
    assert_eq!(between, secs(10));
    assert!(close(budget.stage_left(secs(0)), (all - 2 * between) / 3));
    budget.note_round(secs(100), 1, Duration::ZERO);
    let second = Remaining { tournaments_left: 1, at_table: 2, ..Remaining::default() };
    budget.begin_level(secs(100), 9, 2, second);
    assert!(close(budget.stage_left(secs(100)), (all - secs(100) - between) / 2));
    budget.set_total(secs(360));
    budget.note_round(secs(100), 2, Duration::ZERO);
    assert_eq!(budget.left(secs(100), false), secs(260));
}

#[test]
fn reply_time_is_reserved_and_the_clock_never_reaches_zero() {
    let remaining = Remaining { rounds_left: Some(100), ..Remaining::default() };
    let mut budget = TimeBudget::new(secs(600), 6, remaining);
    let without = budget.time_for_rounds(secs(0));
    for round in 1..=10 {
        budget.note_round(secs(4 * round), 6, secs(2 * round));
    }
    assert!(reply_cost(&budget).abs_diff(secs(2)) < Duration::from_millis(1));
    let kept = without - 40.0 - budget.time_for_rounds(secs(40));
    assert!((kept - 2.0 * 50.0).abs() < 0.1, "five exits of ten rounds: {kept}");
    assert_eq!(budget.lateness(secs(40)), None);
    for round in 11..=40 {
        budget.note_round(secs(40 + 12 * (round - 10)), 6, secs(20 + 10 * (round - 10)));
    }
    let late = budget.lateness(secs(400)).expect("sixty rounds of nearly ten seconds are too many");
    assert!(late > secs(300) && late < secs(500), "{late:?}");
    assert_eq!(budget.share(secs(400)), Duration::ZERO, "everything else goes by");
    for elapsed in [590, 600, 700] {
        assert!(budget.left(secs(elapsed), true) >= budget.reserve() && budget.reserve() > Duration::ZERO);
    }
    assert_eq!(budget.left(secs(700), false), Duration::ZERO);
}

#[test]
fn no_round_is_slower_than_the_slowest_pace() {
    for rounds_left in [None, Some(3), Some(400)] {
        let remaining = Remaining { rounds_left, ..Remaining::default() };
        let budget = TimeBudget::new(secs(7_200), 6, remaining);
        for usually in [4, 14, 60] {
            let pace = budget.pace(secs(0), secs(usually));
            assert!((1.0..=SLOWEST_FACTOR).contains(&pace) || usually == 60, "{pace}");
            assert!(pace <= SLOWEST_FACTOR, "{pace}");
        }
    }
}

#[test]
fn a_smaller_table_is_expected_to_take_less() {
    let mut budget = TimeBudget::new(secs(600), 12, Remaining::default());
    (1..=5).for_each(|round| budget.note_round(secs(6 * round), 12, secs(6 * round)));
    let (usual, cost) = (budget.usual, reply_cost(&budget));
    let next = Remaining { levels_left: Some(1), rounds_left: Some(20), at_table: 2, ..Remaining::default() };
    budget.begin_level(secs(30), 5, 12, next);
    assert!(budget.usual < 0.7 * usual);
    assert!(reply_cost(&budget).abs_diff(cost / 6) < Duration::from_millis(1));
}

#[test]
fn the_ceremony_keeps_its_time_after_slow_rounds() {
    for (minutes, least) in [(1, 9), (2, 18), (10, 20), (40, 20)] {
        let budget = TimeBudget::new(secs(60 * minutes), 6, Remaining::default());
        assert_eq!(budget.for_ceremony(secs(0)), secs(least), "{minutes} minutes");
        assert!(budget.ceremony() >= secs(least), "more is kept than it takes at least");
        assert_eq!(budget.for_ceremony(secs(35)), secs(35));
        assert_eq!(budget.for_ceremony(secs(5_000)), MAX_CEREMONY);
        assert!((budget.last_round_pace(secs(0), secs(14)) - LAST_ROUND_SLOWEST_FACTOR).abs() < 1e-9);
        assert!(
            (budget.last_round_pace(secs(60 * minutes), secs(14)) - LAST_ROUND_FASTEST_FACTOR).abs() < 1e-9
        );
    }
}

fn is_close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-6
}

#[test]
fn a_short_show_keeps_parts_of_itself_and_a_long_one_what_scenes_need() {
    let budget = |seconds| TimeBudget::new(secs(seconds), 17, Remaining::default());
    assert_eq!((budget(60).ceremony(), budget(600).ceremony()), (secs(12), secs(40)));
    assert_eq!(budget(600).for_ceremony(secs(5_000)), secs(90));
    // The last round of a full table would take more than a quarter of a minute.
    assert_eq!(budget(60).reserve(), secs(12 + 15));
    assert!(budget(600).reserve() < secs(40 + 35), "of a long show it takes no quarter");
    assert_eq!((budget(100).between_tournaments(), budget(600).between_tournaments()), (secs(3), secs(10)));
}

#[test]
fn paces_stay_between_fast_and_slow() {
    let remaining = Remaining { rounds_left: Some(3), ..Remaining::default() };
    let budget = TimeBudget::new(secs(7_200), 6, remaining);
    assert!(is_close(budget.pace(secs(0), secs(14)), 1.5), "there is time for slow rounds");
    assert!(is_close(budget.pace(secs(7_200), secs(14)), 0.4), "no time is left");
    assert!(is_close(budget.last_round_pace(secs(0), secs(14)), 1.8));
    assert!(is_close(budget.last_round_pace(secs(7_200), secs(14)), 0.8));
}

#[test]
fn each_exit_has_less_time_than_the_one_before() {
    let budget = TimeBudget::new(secs(2_400), 30, Remaining::default());
    let parts: Vec<f64> = (2..=30).map(|alive| budget.part_left_with(alive)).collect();
    assert!(is_close(parts[0], 0.06) && is_close(parts[28], 1.0), "{parts:?}");
    // Half of the players have left, and more than half of the time has passed.
    assert!(is_close(parts[14], 0.06 + 0.94 * 0.5_f64.powf(1.5)), "{}", parts[14]);
    let times: Vec<f64> = parts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(times.is_sorted(), "{times:?}");
}

#[test]
fn rounds_to_the_next_exit_are_expected_as_between_the_last_ones() {
    let mut budget = TimeBudget::new(secs(2_400), 6, Remaining::default());
    assert!(is_close(budget.rounds_here(), 50.0), "five exits, ten rounds for each");
    // A quarter of a stage is kept for rounds that have to be seen.
    let stage = budget.stage_left(secs(0)).as_secs_f64();
    assert!(is_close(budget.share(secs(0)).as_secs_f64(), 0.75 * stage / 10.0));
    for _ in 0..29 {
        budget.note_round(secs(0), 6, Duration::ZERO);
    }
    budget.note_round(secs(0), 5, Duration::ZERO);
    assert!(is_close(budget.rounds_per_exit, 0.65 * 10.0 + 0.35 * 30.0), "{}", budget.rounds_per_exit);
}

#[test]
fn a_single_slow_round_changes_an_estimate_by_a_tenth() {
    let mut budget = TimeBudget::new(secs(2_400), 6, Remaining::default());
    let usual = budget.usual;
    budget.note_usual(Duration::from_secs_f64(usual + 10.0));
    assert!(is_close(budget.usual, usual + 1.0));
    let mut costs = ReplyCosts::default();
    (1..=200).for_each(|round| costs.note(secs(round)));
    costs.note(secs(211));
    assert!((costs.of_round() - 2.0).abs() < 0.001, "{}", costs.of_round());
}

/// Rounds of ten seconds of replies do not fit into five minutes: the last ones are announced while there is time for them, and
/// are shown as slowly as the rest of the time allows.
#[test]
fn the_last_rounds_are_announced_while_there_is_time_for_them() {
    let remaining = Remaining { rounds_left: Some(200), ..Remaining::default() };
    let mut budget = TimeBudget::new(secs(300), 6, remaining);
    budget.begin_level(secs(0), 0, 6, remaining);
    let (mut elapsed, mut announced) = (Duration::ZERO, None);
    for round in 1..=40 {
        elapsed += secs(10);
        budget.note_round(elapsed, 6, elapsed);
        let rounds = budget.announce_last_rounds(round, elapsed);
        if let Some(rounds) = rounds {
            assert_eq!(announced.replace((round, rounds)), None, "announced once");
        }
        if budget.announced() == Some(0) {
            break;
        }
    }
    let (round, rounds) = announced.unwrap();
    assert!((4..=10).contains(&rounds), "{rounds}");
    assert!(budget.is_last_by_plan(round + rounds) && !budget.is_last_by_plan(round + rounds - 1));
    assert!(elapsed < secs(300) && budget.left(elapsed, false) >= secs(40), "{elapsed:?}");
    budget.set_total(secs(600));
    assert!(!budget.is_last_by_plan(round + rounds), "with more time it plays on");
}

#[test]
fn lateness_is_reported_after_four_rounds_and_from_a_tenth_on() {
    let remaining = Remaining { rounds_left: Some(1), ..Remaining::default() };
    for (delay, is_reported) in [(59, false), (61, true)] {
        let mut budget = TimeBudget::new(secs(600), 2, remaining);
        let elapsed = secs(600 + delay) - budget.needed();
        for round in 1..=5 {
            budget.note_round(elapsed, 2, Duration::ZERO);
            assert_eq!(budget.lateness(elapsed).is_some(), is_reported && round >= 4, "{delay} {round}");
        }
    }
}
