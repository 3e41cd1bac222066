//! How much time each round of a show may take, so that the tournament ends when the teacher wants it to.
//!
//! Pure: it is told how much time has passed and never looks at a clock.

use std::time::Duration;

use casino_stud::tournament::Event;

/// What is kept back for the last hand and the ceremony.
const RESERVE: Duration = Duration::from_secs(60);

/// The part of a show that may be kept back at most: short shows have short ceremonies.
const RESERVE_PART: f64 = 0.2;

/// The part of the time that the last two players have to themselves, where many began.
const HEADS_UP: f64 = 0.07;

/// How many rounds pass from one exit to the next, before any has been seen.
const ROUNDS_PER_EXIT: f64 = 10.0;

/// The part of the time from one exit to the next that is kept for the rounds that have to be seen.
const FOR_EXIT: f64 = 0.25;

/// How much the latest exits count in what is expected of the next.
const NEWEST: f64 = 0.35;

/// The largest part of the show in which phones may predict before the start, and again before the last table.
const PREDICTING_PART: f64 = 0.06;

/// What a phone's owner needs to predict: to read the question and type a name, and a moment for each player to be chosen
/// from.
const PREDICTING: Duration = Duration::from_secs(20);
const PREDICTING_PER_PLAYER: Duration = Duration::from_millis(600);

/// The shortest time for it, however short the show is.
const PREDICTING_LEAST: Duration = Duration::from_secs(8);

/// The part of the show, and the shortest and the longest time, in which the room sees who has reached the last table.
const LAST_TABLE_PART: f64 = 0.02;
const LAST_TABLE_LEAST: Duration = Duration::from_millis(2_500);
const LAST_TABLE_MOST: Duration = Duration::from_secs(6);

/// What the plan of an event says about its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Remaining {
    /// The tournaments of the series that follow this one.
    pub(super) tournaments_left: u32,
    /// The most rounds that are left in this tournament, this level's included; `None` if there is no limit.
    pub(super) rounds_left: Option<u64>,
    /// The levels of this tournament, this one included, where their number is fixed and players who lose their
    /// chips play on in the next; `None` where one player after the other is out.
    pub(super) levels_left: Option<u64>,
}

impl Remaining {
    /// The way to the end from the level that has just been seated.
    pub(super) fn of(event: &Event) -> Remaining {
        let Some(level) = event.level() else { return Remaining::default() };
        let plan = event.plan();
        let format = plan.format.rules();
        // Tables may be balanced in the middle of a level.
        let played = event.next_round().saturating_sub(level.first_round);
        let limit = event.rounds_left().map(|rounds| rounds.saturating_sub(played));
        let levels_left = match (format.levels)(plan, event.players()) {
            Some(levels) => Some((levels + 1).saturating_sub(event.levels_begun() as u64).max(1)),
            None if format.forgives => {
                limit.map(|rounds| rounds.div_ceil(plan.level_rounds.unwrap_or(rounds).max(1)).max(1))
            }
            None => None,
        };
        let by_levels = levels_left.map(|levels| levels.saturating_mul(level.rounds));
        let rounds_left = limit.into_iter().chain(by_levels).min();
        Remaining { tournaments_left: plan.series.saturating_sub(level.tournament), rounds_left, levels_left }
    }
}

/// How much time each round may take.
#[derive(Clone, Debug)]
pub(super) struct TimeBudget {
    total: Duration,
    /// Whether a ceremony follows the last round.
    has_ceremony: bool,
    remaining: Remaining,
    /// How many players began the tournament in play.
    field: usize,
    alive: usize,
    /// The time that had passed when the tournament in play began.
    began: Duration,
    rounds_in_level: u64,
    /// Rounds since the last exit.
    rounds_in_stage: u64,
    /// How many rounds are expected from one exit to the next.
    rounds_per_exit: f64,
    /// The time for rounds that is left to those who stay in, and what the rounds until the next exit had when the last
    /// one was, in seconds; `None` until it has been worked out.
    stage: Option<(f64, f64)>,
    /// How many rounds the levels before took on average, where their number is fixed.
    rounds_per_level: Option<f64>,
}

impl TimeBudget {
    /// The budget of a show of `players` players that takes `total`.
    pub(super) fn new(total: Duration, players: usize, remaining: Remaining) -> TimeBudget {
        TimeBudget {
            total,
            has_ceremony: true,
            remaining,
            field: players,
            alive: players,
            began: Duration::ZERO,
            rounds_in_level: 0,
            rounds_in_stage: 0,
            rounds_per_exit: ROUNDS_PER_EXIT,
            stage: None,
            rounds_per_level: None,
        }
    }

    /// The budget of a recorded tournament, which has no ceremony.
    pub(super) fn of_recording(total: Duration, remaining: Remaining) -> TimeBudget {
        TimeBudget { has_ceremony: false, ..TimeBudget::new(total, 2, remaining) }
    }

    /// The teacher wants the whole show to take this long.
    pub(super) fn set_total(&mut self, total: Duration) {
        if self.total != total {
            (self.total, self.stage) = (total, None);
        }
    }

    /// A level begins with so many players in, `elapsed` after the beginning of the show.
    pub(super) fn begin_level(&mut self, elapsed: Duration, alive: usize, remaining: Remaining) {
        if self.rounds_in_level > 0 {
            let rounds = self.rounds_in_level as f64;
            self.rounds_per_level =
                Some(self.rounds_per_level.map_or(rounds, |before| (before + rounds) / 2.0));
        }
        self.rounds_in_level = 0;
        if remaining.tournaments_left < self.remaining.tournaments_left {
            (self.began, self.field, self.alive) = (elapsed, alive, alive);
            self.rounds_in_stage = 0;
        }
        self.remaining = remaining;
        self.note_alive(elapsed, alive);
    }

    /// A round is over `elapsed` after the beginning of the show, and so many players are in.
    pub(super) fn note_round(&mut self, elapsed: Duration, alive: usize) {
        self.rounds_in_level += 1;
        self.rounds_in_stage += 1;
        self.note_alive(elapsed, alive);
    }

    fn note_alive(&mut self, elapsed: Duration, alive: usize) {
        if alive != self.alive {
            self.stage = None;
        }
        if alive < self.alive {
            let each = self.rounds_in_stage as f64 / (self.alive - alive) as f64;
            self.rounds_per_exit = (1.0 - NEWEST) * self.rounds_per_exit + NEWEST * each;
            self.rounds_in_stage = 0;
        }
        self.alive = alive;
        self.field = self.field.max(alive);
        if self.stage.is_none() {
            self.stage = Some(self.begin_stage(elapsed));
        }
    }

    /// The time until the end of the show.
    pub(super) fn left(&self, elapsed: Duration) -> Duration {
        self.total.saturating_sub(elapsed)
    }

    /// What is kept back for the last hand and the ceremony.
    fn reserve(&self) -> Duration {
        if !self.has_ceremony {
            return Duration::ZERO;
        }
        RESERVE.min(self.total.mul_f64(RESERVE_PART))
    }

    /// The time for the rounds of the tournament in play.
    fn time_for_rounds(&self, elapsed: Duration) -> f64 {
        let left = self.total.saturating_sub(self.reserve()).saturating_sub(elapsed);
        left.as_secs_f64() / f64::from(self.remaining.tournaments_left + 1)
    }

    /// The part of the time for rounds that is to be left when so many players are in.
    fn part_left_with(&self, alive: usize) -> f64 {
        if alive < 2 {
            return 0.0;
        }
        let stages = self.field.saturating_sub(1).max(1) as f64;
        let heads_up = HEADS_UP.max(1.0 / stages).min(1.0);
        let before = self.field.saturating_sub(2).max(1) as f64;
        heads_up + (1.0 - heads_up) * ((alive - 2) as f64 / before).min(1.0)
    }

    /// What is kept for the stages after this one, and what this one has, in seconds.
    fn begin_stage(&self, elapsed: Duration) -> (f64, f64) {
        let left = self.time_for_rounds(elapsed);
        // What a tournament of the series had when it began.
        let whole = left + elapsed.saturating_sub(self.began).as_secs_f64();
        let (now, then) =
            (self.part_left_with(self.alive), self.part_left_with(self.alive.saturating_sub(1)));
        let keep = (whole * then).min(if now > 0.0 { left * then / now } else { 0.0 });
        (keep, (left - keep).max(0.0))
    }

    /// The time that is left for the rounds until somebody else is out, that one included.
    pub(super) fn stage_left(&self, elapsed: Duration) -> Duration {
        let left = self.time_for_rounds(elapsed);
        if self.remaining.levels_left.is_some() {
            return Duration::from_secs_f64(left);
        }
        let (keep, _) = self.stage.unwrap_or_else(|| self.begin_stage(elapsed));
        Duration::from_secs_f64((left - keep).max(0.0))
    }

    /// How long the next round may take.
    pub(super) fn share(&self, elapsed: Duration) -> Duration {
        let left = self.time_for_rounds(elapsed);
        let at_most =
            self.remaining.rounds_left.map(|rounds| rounds.saturating_sub(self.rounds_in_level).max(1));
        let least = at_most.map_or(0.0, |rounds| left / rounds as f64);
        let expected = match self.remaining.levels_left {
            Some(levels) => {
                let all = at_most.unwrap_or(u64::MAX) as f64;
                let later = self.rounds_per_level.map(|rounds| {
                    rounds * (levels - 1) as f64 + (rounds - self.rounds_in_level as f64).max(1.0)
                });
                left / later.unwrap_or(all).min(all).max(1.0)
            }
            None => {
                let (_, all) = self.stage.unwrap_or_else(|| self.begin_stage(elapsed));
                let left = self.stage_left(elapsed).as_secs_f64() - all * FOR_EXIT;
                left.max(0.0) / self.rounds_per_exit.max(1.0)
            }
        };
        Duration::from_secs_f64(expected.max(least))
    }

    /// Whether no level follows, and no round if this one is the last of its level.
    pub(super) fn is_last_level(&self) -> bool {
        let by_rounds = self.remaining.rounds_left.is_some_and(|rounds| rounds <= self.rounds_in_level + 1);
        self.remaining.tournaments_left == 0 && (by_rounds || self.remaining.levels_left == Some(1))
    }

    /// How long phones may predict which of so many players.
    pub(super) fn for_predicting(&self, players: usize) -> Duration {
        let needed = PREDICTING + PREDICTING_PER_PLAYER * players as u32;
        needed.min(self.total.mul_f64(PREDICTING_PART)).max(PREDICTING_LEAST)
    }

    /// How long the room sees who has reached the last table.
    pub(super) fn for_last_table(&self) -> Duration {
        self.total.mul_f64(LAST_TABLE_PART).clamp(LAST_TABLE_LEAST, LAST_TABLE_MOST)
    }

    /// How long the whole show takes.
    pub(super) fn total(&self) -> Duration {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn the_stages_share_the_time_and_never_spend_more() {
        let mut budget = TimeBudget::new(secs(2_400), 30, Remaining::default());
        let mut elapsed = Duration::ZERO;
        for alive in (1..30).rev() {
            budget.note_round(elapsed, alive + 1);
            let end = elapsed + budget.stage_left(elapsed) + Duration::from_millis(1);
            for _ in 0..200 {
                elapsed += budget.share(elapsed);
                budget.note_round(elapsed, alive + 1);
            }
            assert!(elapsed <= end, "{alive}: {elapsed:?} of {end:?}");
            // Somebody is out in a round that has to be seen.
            elapsed += budget.stage_left(elapsed);
            budget.note_round(elapsed, alive);
        }
        assert!(elapsed <= secs(2_341) && elapsed > secs(2_339), "{elapsed:?}");
    }

    #[test]
    fn what_a_stage_does_not_use_the_later_ones_have() {
        let mut budget = TimeBudget::new(secs(2_400), 30, Remaining::default());
        let first = budget.stage_left(secs(0));
        budget.note_round(secs(1), 29);
        assert!(budget.stage_left(secs(1)) > first.mul_f64(1.9));
        for alive in (2..29).rev() {
            budget.note_round(secs(30), alive);
        }
        assert_eq!(budget.stage_left(secs(30)), secs(2_400 - 60 - 30), "all of it is for the last two");
    }

    #[test]
    fn a_limit_to_the_rounds_and_a_fixed_number_of_levels_are_kept_to() {
        let remaining = Remaining { rounds_left: Some(10), ..Remaining::default() };
        let budget = TimeBudget::new(secs(600), 4, remaining);
        assert!(budget.share(secs(0)) >= secs(54));
        let remaining = Remaining { rounds_left: Some(200), levels_left: Some(2), tournaments_left: 0 };
        let mut budget = TimeBudget::new(secs(600), 8, remaining);
        assert_eq!(budget.share(secs(0)), Duration::from_millis(2_700));
        (0..50).for_each(|_| budget.note_round(secs(270), 8));
        budget.begin_level(
            secs(270),
            8,
            Remaining { rounds_left: Some(100), levels_left: Some(1), ..remaining },
        );
        assert_eq!(budget.share(secs(270)), Duration::from_millis(5_400), "the level before took 50 rounds");
    }

    #[test]
    fn phones_have_time_for_every_name_and_short_shows_stay_short() {
        let predicting = |minutes: u64, players: usize| {
            TimeBudget::new(secs(60 * minutes), players, Remaining::default()).for_predicting(players)
        };
        assert_eq!(predicting(40, 29), Duration::from_millis(37_400));
        assert_eq!(predicting(40, 2), Duration::from_millis(21_200));
        assert_eq!((predicting(8, 29), predicting(1, 29)), (Duration::from_millis(28_800), secs(8)));
        let moment =
            |minutes: u64| TimeBudget::new(secs(60 * minutes), 9, Remaining::default()).for_last_table();
        assert_eq!(
            (moment(1), moment(4), moment(40)),
            (Duration::from_millis(2_500), Duration::from_millis(4_800), secs(6))
        );
    }

    #[test]
    fn a_series_gives_each_tournament_its_part() {
        let remaining = Remaining { tournaments_left: 2, ..Remaining::default() };
        let mut budget = TimeBudget::new(secs(660), 2, remaining);
        assert_eq!(budget.stage_left(secs(0)), secs(200));
        budget.note_round(secs(100), 1);
        budget.begin_level(secs(100), 2, Remaining { tournaments_left: 1, ..Remaining::default() });
        assert_eq!(budget.stage_left(secs(100)), secs(250));
        budget.set_total(secs(360));
        budget.note_round(secs(100), 2);
        assert_eq!((budget.stage_left(secs(100)), budget.left(secs(100))), (secs(100), secs(260)));
    }
}
