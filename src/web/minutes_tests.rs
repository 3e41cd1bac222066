//! How long shows take, on a clock that jumps: as long as the teacher asked.

use std::time::Duration;

use casino_stud::strategies::HOUSE;
use casino_stud::tournament::{Balance, EventPlan, Format};

use super::show_tests::{ShownDay, ShownTournament, jumping, show};

const MINUTES: [u32; 10] = [1, 2, 3, 4, 6, 8, 12, 20, 30, 40];
const PLAYERS: [usize; 8] = [6, 4, 12, 9, 24, 17, 60, 8];
const THINKS_MS: [u64; 4] = [0, 50, 300, 900];

fn plan(format: &str, seats: usize, level_rounds: u64) -> EventPlan {
    let format = Format::named(format).unwrap();
    let plan = EventPlan {
        format,
        seats: format.rules().seats.unwrap_or(seats),
        level_rounds: (!format.rules().one_level).then_some(level_rounds),
        balance: Balance::usual(format),
        ..EventPlan::single_table()
    };
    assert_eq!(plan.check(), Ok(()));
    plan
}

/// The day of this number: its minutes, field, format, bots and machine follow from the number alone, and the rounds are as
/// many as a teacher would set who knows how slow the bots are.
fn day(number: usize) -> ShownDay {
    let minutes = MINUTES[number % MINUTES.len()];
    let players = PLAYERS[(number * 5 + number / 8) % PLAYERS.len()];
    let mut day = ShownDay::new(&format!("minutes {number}"), minutes, players);
    day.bots = match number % 3 {
        0 => (0..HOUSE.len()).collect(),
        kind => vec![(number * 7 + kind) % HOUSE.len(), (number * 3) % HOUSE.len(), number % HOUSE.len()],
    };
    let thinks = Duration::from_millis(THINKS_MS[(number + number / 4) % 4]);
    // One of two is slow, or all are.
    day.thinks = if number % 2 == 0 { vec![thinks, Duration::ZERO] } else { vec![thinks] };
    day.turn = Duration::from_millis(20);
    if number % 5 == 4 {
        // A machine with four times as much to do.
        day.turn *= 4;
        day.thinks.iter_mut().for_each(|thinks| *thinks = (*thinks * 4).min(Duration::from_millis(900)));
    }
    let seats = players.min([17, 8, 6, 2, 17, 9][number / 4 % 6]);
    let rounds = possible_rounds(&day, seats);
    day.rounds = rounds;
    match number / 4 % 6 {
        0 if players <= 17 => {}
        1 => day.plan = plan("rounds", 8, (rounds / 4).max(2)),
        2 => day.plan = plan("shootout", 6, rounds / players.div_ceil(6).min(3) as u64),
        3 => day.plan = plan("knockout", 2, (rounds / u64::from(players.ilog2() + 1)).max(4)),
        4 if players <= 17 => {
            day.plan = EventPlan { series: 3, ..plan("single-table", 17, 0) };
            day.rounds = rounds / 3;
        }
        _ => {
            // The ante grows, so that somebody wins before the last round.
            day.plan = plan("freezeout", 9, (rounds / 20).max(2));
            day.plan.antes = vec![1, 2, 4, 8, 16, 32, 64, 128, 256];
        }
    }
    day
}

/// How many rounds can be played in half of the minutes, where each player replies twice in most rounds.
fn possible_rounds(day: &ShownDay, seats: usize) -> u64 {
    let thinks = day.thinks.iter().sum::<Duration>().as_secs_f64() / day.thinks.len() as f64;
    let round = 2.5 * seats as f64 * thinks + 3.0 * day.turn.as_secs_f64();
    (0.5 * 60.0 * f64::from(day.minutes) / round).clamp(8.0, 1_000.0) as u64
}

fn line(number: usize, day: &ShownDay, shown: &ShownTournament, alone: Duration) -> String {
    let asked = 60.0 * f64::from(day.minutes);
    format!(
        "{number:>2}: {:>3} min, {:>3} players, {:>12} x{}, think {:?}, turn {:?}, {:>4} rounds: asked {asked:>5.0} s, taken {:>6.1} s \
         ({:+.1} %), replies alone {:.1} s {:?}",
        day.minutes,
        day.players,
        day.plan.format.rules().name,
        day.plan.series,
        day.thinks,
        day.turn,
        shown.rounds,
        shown.took.as_secs_f64(),
        100.0 * (shown.took.as_secs_f64() / asked - 1.0),
        alone.as_secs_f64(),
        shown.notices,
    )
}

#[test]
fn forty_days_take_the_minutes_that_were_asked() {
    let days: Vec<usize> = match std::env::var("DAY").ok().and_then(|day| day.parse().ok()) {
        Some(day) => vec![day],
        None => (0..40).collect(),
    };
    for number in days {
        let day = day(number);
        let shown = jumping(show(&day));
        let alone = jumping(day.replies_alone());
        eprintln!("{}", line(number, &day, &shown, alone));
    }
}
