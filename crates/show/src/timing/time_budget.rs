//! How much time each round of a show may take, so that the tournament ends when the teacher wants it to.
//!
//! Pure: it receives the elapsed time and never reads a clock. Its answer for a round depends only on the rounds before
//! it.

use std::time::Duration;

use casino_stud::stud::MAX_SEATS;

use super::{Remaining, usual_round};

/// The part of a show that is kept back for the ceremony, and the most that is kept.
const CEREMONY_SHARE: f64 = 0.2;
const MAX_RESERVED_CEREMONY: Duration = Duration::from_secs(40);

/// The part of a show that the ceremony takes at least, and with how much it is always long enough.
const MIN_CEREMONY_SHARE: f64 = 0.15;
const SUFFICIENT_CEREMONY: Duration = Duration::from_secs(20);

/// Maximum duration of the ceremony: the rest of a tournament decided early is not filled any further.
const MAX_CEREMONY: Duration = Duration::from_secs(90);

/// How many times as slowly as usual the last round is shown at most and at least.
pub const LAST_ROUND_SLOWEST_FACTOR: f64 = 1.8;
const LAST_ROUND_FASTEST_FACTOR: f64 = 0.8;

/// The part of a show that is kept back for the last round at most.
const LAST_ROUND_SHARE: f64 = 0.25;

/// How long people look at the winner of a tournament of a series and at the standings after it, and the part of the show
/// that this takes at most.
const MAX_BREAK: Duration = Duration::from_secs(10);
const BREAK_SHARE: f64 = 0.03;

/// The part of the time that the last two players have to themselves: if the first of their rounds decides, so much is left
/// over.
const HEADS_UP_SHARE: f64 = 0.06;

/// The fewer are left, the less time each exit has: the exponent of the part of the players that are left.
const EXIT_TIME_EXPONENT: f64 = 1.5;

/// How many rounds pass from one exit to the next, before any has been seen.
const DEFAULT_ROUNDS_PER_EXIT: f64 = 10.0;

/// The part of the time from one exit to the next that is kept for the rounds that have to be seen.
const EXIT_ROUNDS_SHARE: f64 = 0.25;

const LATEST_EXIT_WEIGHT: f64 = 0.35;

/// Weight of the latest round in the estimates of a round's duration and of its replies.
const LATEST_ROUND_WEIGHT: f64 = 0.1;

/// Rounds for which the show has to look late before the teacher is notified, and the delay as a part of it.
const LATE_ROUNDS: u64 = 4;
const LATE_SHARE: f64 = 0.1;

/// The most rounds that are announced as the last ones, and the part of the time for them that is counted on: scenes that have to be
/// shown take some of it.
const MAX_LAST_ROUNDS: u64 = 10;
const LAST_ROUNDS_SHARE: f64 = 0.8;

/// A tournament that comes to its own end so little later, as a part of the show, may do so.
const OVERRUN_SHARE: f64 = 0.02;

const SLOWEST_FACTOR: f64 = 1.5;
/// How much faster than usual a round that has to be shown may pass.
const FASTEST_FACTOR: f64 = 0.4;

/// The largest part of the show in which phones may predict before the start, and again before the last table.
const PREDICTION_SHARE: f64 = 0.06;

/// Time a phone's owner needs to predict: to read the question and type a name, and a moment for each player to choose
/// from.
const PREDICTION_TIME: Duration = Duration::from_secs(20);
const PREDICTION_TIME_PER_PLAYER: Duration = Duration::from_millis(600);

/// The shortest time for it, however short the show is.
const MIN_PREDICTION_TIME: Duration = Duration::from_secs(8);

/// The part of the show, and the minimum and maximum time, for presenting the players of the last table.
const LAST_TABLE_SHARE: f64 = 0.02;
const MIN_LAST_TABLE_TIME: Duration = Duration::from_millis(2_500);
const MAX_LAST_TABLE_TIME: Duration = Duration::from_secs(6);

/// How much time each round may take.
#[derive(Clone, Debug)]
pub struct TimeBudget {
    total: Duration,
    /// Whether a ceremony follows the last round.
    has_ceremony: bool,
    remaining: Remaining,
    /// The last round that the plan has, if it has one.
    last_round: Option<u64>,
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
    /// The time left for rounds, and the time of the rounds until the next exit as of the last one, in seconds; `None`
    /// until it has been computed.
    stage: Option<(f64, f64)>,
    /// How many rounds the levels before took on average, where their number is fixed.
    rounds_per_level: Option<f64>,
    /// The most players at a table.
    at_table: usize,
    /// How long a round is expected to take at the usual pace, in seconds.
    usual: f64,
    replies: ReplyCosts,
    /// For how many rounds it has looked as if the show were late.
    late_rounds: u64,
    /// The rounds that have been announced as the last ones.
    announced: Option<LastRounds>,
}

/// Rounds after which the tournament ends because its time is over.
#[derive(Clone, Copy, Debug)]
struct LastRounds {
    left: u64,
    /// The number of the last one.
    last: u64,
}

/// The overhead of rounds: the players' replies, for which the show waits, and other delays.
#[derive(Clone, Debug, Default)]
struct ReplyCosts {
    /// How long the show had waited in all when the last round was noted.
    waited: Duration,
    /// The waits and the rounds, the latest of which count most.
    seconds: f64,
    weight: f64,
}

impl ReplyCosts {
    /// A round has been shown, and the show has waited so long in all.
    fn note(&mut self, waited: Duration) {
        let cost = waited.saturating_sub(self.waited).as_secs_f64();
        self.waited = waited;
        self.seconds = (1.0 - LATEST_ROUND_WEIGHT) * self.seconds + cost;
        self.weight = (1.0 - LATEST_ROUND_WEIGHT) * self.weight + 1.0;
    }

    /// The time of a round's replies, in seconds.
    fn of_round(&self) -> f64 {
        if self.weight > 0.0 { self.seconds / self.weight } else { 0.0 }
    }
}

impl TimeBudget {
    /// The budget of a show of `players` players that takes `total`.
    pub fn new(total: Duration, players: usize, remaining: Remaining) -> TimeBudget {
        TimeBudget {
            total,
            has_ceremony: true,
            remaining,
            last_round: None,
            field: players,
            alive: players,
            began: Duration::ZERO,
            rounds_in_level: 0,
            rounds_in_stage: 0,
            rounds_per_exit: DEFAULT_ROUNDS_PER_EXIT,
            stage: None,
            rounds_per_level: None,
            at_table: players.min(MAX_SEATS),
            usual: usual_round(players.min(MAX_SEATS)).as_secs_f64(),
            replies: ReplyCosts::default(),
            late_rounds: 0,
            announced: None,
        }
    }

    /// The budget of a recorded tournament, which has no ceremony.
    pub fn of_recording(total: Duration, remaining: Remaining) -> TimeBudget {
        TimeBudget { has_ceremony: false, ..TimeBudget::new(total, 2, remaining) }
    }

    /// The teacher wants the whole show to take this long.
    pub fn set_total(&mut self, total: Duration) {
        if self.total != total {
            (self.total, self.stage, self.announced) = (total, None, None);
        }
    }

    /// A level begins after so many rounds with so many players in, `elapsed` after the beginning of the show.
    pub fn begin_level(&mut self, elapsed: Duration, rounds: u64, alive: usize, remaining: Remaining) {
        let is_last_tournament = remaining.tournaments_left == 0;
        self.last_round = remaining.rounds_left.filter(|_| is_last_tournament).map(|left| rounds + left);
        if self.rounds_in_level > 0 {
            let rounds = self.rounds_in_level as f64;
            self.rounds_per_level =
                Some(self.rounds_per_level.map_or(rounds, |before| (before + rounds) / 2.0));
        }
        self.rounds_in_level = 0;
        if remaining.tournaments_left < self.remaining.tournaments_left {
            (self.began, self.field, self.alive) = (elapsed, alive, alive);
            (self.rounds_in_stage, self.stage) = (0, None);
        }
        self.remaining = remaining;
        if remaining.at_table > 0 {
            self.note_at_table(remaining.at_table);
        }
        self.note_alive(elapsed, alive);
    }

    /// The show of a resumed tournament begins here: the players still in share all of the time.
    pub fn begin_here(&mut self) {
        (self.field, self.stage) = (self.alive, None);
    }

    /// So many players sit at the largest table. With fewer, rounds take less time, and so do their replies.
    fn note_at_table(&mut self, players: usize) {
        self.usual *= usual_round(players).as_secs_f64() / usual_round(self.at_table).as_secs_f64();
        self.replies.seconds *= players as f64 / self.at_table.max(1) as f64;
        self.at_table = players;
    }

    /// A round is over `elapsed` after the beginning of the show, and so many players are in. The show has waited for the
    /// dealer so long in all.
    pub fn note_round(&mut self, elapsed: Duration, alive: usize, waited: Duration) {
        self.rounds_in_level += 1;
        self.rounds_in_stage += 1;
        if let Some(announced) = &mut self.announced {
            announced.left = announced.left.saturating_sub(1);
        }
        self.replies.note(waited);
        self.note_alive(elapsed, alive);
        let is_late = elapsed + self.needed() > self.total.mul_f64(1.0 + LATE_SHARE);
        self.late_rounds = if is_late { self.late_rounds + 1 } else { 0 };
    }

    /// A round would have taken so long at the usual pace.
    pub fn note_usual(&mut self, takes: Duration) {
        self.usual += LATEST_ROUND_WEIGHT * (takes.as_secs_f64() - self.usual);
    }

    fn note_alive(&mut self, elapsed: Duration, alive: usize) {
        if alive != self.alive {
            self.stage = None;
        }
        if alive < self.alive {
            let each = self.rounds_in_stage as f64 / (self.alive - alive) as f64;
            self.rounds_per_exit =
                (1.0 - LATEST_EXIT_WEIGHT) * self.rounds_per_exit + LATEST_EXIT_WEIGHT * each;
            self.rounds_in_stage = 0;
        }
        if alive < self.at_table {
            self.note_at_table(alive.max(1));
        }
        self.alive = alive;
        self.field = self.field.max(alive);
        if self.stage.is_none() {
            self.stage = Some(self.begin_stage(elapsed));
        }
    }

    /// The time until the end of the show: the promised one, or while rounds are shown that of the last round and the ceremony.
    pub fn left(&self, elapsed: Duration, has_rounds: bool) -> Duration {
        let promised = self.total.saturating_sub(elapsed);
        if has_rounds { promised.max(self.reserve()) } else { promised }
    }

    /// The predicted delay of the end of the show, if rounds continue to take as long, once it has lasted for a while.
    pub fn lateness(&self, elapsed: Duration) -> Option<Duration> {
        let late = (elapsed + self.needed()).saturating_sub(self.total);
        (self.late_rounds >= LATE_ROUNDS).then_some(late)
    }

    /// How many rounds there is still time for after this one, if the tournament would not come to its end in its time: they are the
    /// last ones from now on, and then the places count. `None` as long as it is too early to say so, or if it has been said.
    pub fn announce_last_rounds(&mut self, round: u64, elapsed: Duration) -> Option<u64> {
        let latest = self.total.mul_f64(1.0 + OVERRUN_SHARE);
        if self.announced.is_some() || elapsed + self.needed() <= latest {
            return None;
        }
        let left = self.total.saturating_sub(elapsed + self.reserve()).as_secs_f64();
        let fit = left / self.replies.of_round().max(0.001);
        // One slow round does not say how long the next ones take.
        let is_known = self.late_rounds >= LATE_ROUNDS;
        let (rounds, most) = if is_known { (fit * LAST_ROUNDS_SHARE, MAX_LAST_ROUNDS) } else { (fit, 1) };
        let rounds = (rounds as u64).max(1);
        if rounds > most {
            return None;
        }
        self.announced = Some(LastRounds { left: rounds, last: round + rounds });
        Some(rounds)
    }

    /// How many rounds are left, once they have been announced as the last ones.
    pub fn announced(&self) -> Option<u64> {
        self.announced.map(|announced| announced.left)
    }

    /// Minimum time of the rest: the replies, the scenes between tournaments, the last round and the ceremony.
    fn needed(&self) -> Duration {
        let later = self.later_tournaments();
        let cost = self.replies.of_round();
        let each = self.rounds_with(self.field) * cost;
        let rounds = self.rounds_here() * cost + f64::from(later) * each;
        self.reserve() + self.between_tournaments() * later + Duration::from_secs_f64(rounds)
    }

    /// How many tournaments of the series there is time for after this one.
    fn later_tournaments(&self) -> u32 {
        if self.announced.is_some() { 0 } else { self.remaining.tournaments_left }
    }

    /// How many rounds this tournament is expected to have from now on, one at least.
    fn rounds_here(&self) -> f64 {
        let expected = self.remaining.levels_left.and_then(|levels| self.rounds_in_levels(levels));
        let expected = match self.remaining.levels_left {
            Some(_) => expected.unwrap_or(f64::INFINITY),
            None => self.rounds_with(self.alive),
        };
        let most = self.rounds_left().map_or(f64::MAX, |rounds| rounds as f64);
        expected.min(most).max(1.0)
    }

    /// Expected rounds of that many players: the more, the longer the last exit is ago.
    fn rounds_with(&self, players: usize) -> f64 {
        let each = self.rounds_per_exit.max(self.rounds_in_stage as f64);
        let most = self.rounds_left().map_or(f64::MAX, |rounds| rounds as f64);
        (each * players.saturating_sub(1) as f64).min(most)
    }

    /// The most rounds that are left in this tournament, if there is a limit.
    fn rounds_left(&self) -> Option<u64> {
        let by_plan = self.remaining.rounds_left.map(|rounds| rounds.saturating_sub(self.rounds_in_level));
        by_plan.into_iter().chain(self.announced()).min().map(|rounds| rounds.max(1))
    }

    /// How many rounds so many levels take, the one in play included, as far as those before it say.
    fn rounds_in_levels(&self, levels: u64) -> Option<f64> {
        self.rounds_per_level.map(|rounds| {
            rounds * levels.saturating_sub(1) as f64 + (rounds - self.rounds_in_level as f64).max(1.0)
        })
    }

    /// Reserved for the last round and the ceremony.
    fn reserve(&self) -> Duration {
        if !self.has_ceremony {
            return Duration::ZERO;
        }
        let last_round = Duration::from_secs_f64(LAST_ROUND_SLOWEST_FACTOR * self.usual);
        self.ceremony() + last_round.min(self.total.mul_f64(LAST_ROUND_SHARE))
    }

    /// Reserved for the ceremony.
    fn ceremony(&self) -> Duration {
        MAX_RESERVED_CEREMONY.min(self.total.mul_f64(CEREMONY_SHARE))
    }

    /// How long the ceremony takes, if so much is left of the promised time.
    pub fn for_ceremony(&self, left: Duration) -> Duration {
        left.clamp(SUFFICIENT_CEREMONY.min(self.total.mul_f64(MIN_CEREMONY_SHARE)), MAX_CEREMONY)
    }

    /// How many times as slowly as usual the last round is shown, which usually takes so long.
    pub fn last_round_pace(&self, elapsed: Duration, usually: Duration) -> f64 {
        let left = self.total.saturating_sub(self.ceremony()).saturating_sub(elapsed);
        (left.as_secs_f64() / usually.as_secs_f64().max(0.1))
            .clamp(LAST_ROUND_FASTEST_FACTOR, LAST_ROUND_SLOWEST_FACTOR)
    }

    /// Duration of the result of a tournament of a series, before the next one begins.
    pub fn between_tournaments(&self) -> Duration {
        MAX_BREAK.min(self.total.mul_f64(BREAK_SHARE))
    }

    /// The time in which the rounds of the tournament in play can be shown, in seconds: without that of their replies.
    fn time_for_rounds(&self, elapsed: Duration) -> f64 {
        let later = self.later_tournaments();
        let kept = self.reserve() + self.between_tournaments() * later;
        let left = self.total.saturating_sub(kept).saturating_sub(elapsed);
        let replies = self.rounds_here() * self.replies.of_round();
        (left.as_secs_f64() / f64::from(later + 1) - replies).max(0.0)
    }

    /// The part of the time for rounds that is to be left when so many players are in.
    fn part_left_with(&self, alive: usize) -> f64 {
        if alive < 2 {
            return 0.0;
        }
        if alive >= self.field {
            return 1.0;
        }
        let part = (alive - 2) as f64 / (self.field - 2) as f64;
        HEADS_UP_SHARE + (1.0 - HEADS_UP_SHARE) * part.powf(EXIT_TIME_EXPONENT)
    }

    /// The time reserved for later stages, and the time of this one, in seconds.
    fn begin_stage(&self, elapsed: Duration) -> (f64, f64) {
        let left = self.time_for_rounds(elapsed);
        // The time of a tournament of the series at its beginning.
        let whole = left + elapsed.saturating_sub(self.began).as_secs_f64();
        let (now, then) =
            (self.part_left_with(self.alive), self.part_left_with(self.alive.saturating_sub(1)));
        let keep = (whole * then).min(if now > 0.0 { left * then / now } else { 0.0 });
        (keep, (left - keep).max(0.0))
    }

    /// The time left for the rounds up to and including the next exit.
    pub fn stage_left(&self, elapsed: Duration) -> Duration {
        let left = self.time_for_rounds(elapsed);
        if self.remaining.levels_left.is_some() || self.announced.is_some() {
            return Duration::from_secs_f64(left);
        }
        let (keep, _) = self.stage.unwrap_or_else(|| self.begin_stage(elapsed));
        Duration::from_secs_f64((left - keep).max(0.0))
    }

    /// Maximum duration of the next round, without its replies.
    pub fn share(&self, elapsed: Duration) -> Duration {
        let left = self.time_for_rounds(elapsed);
        let at_most = self.rounds_left();
        let least = at_most.map_or(0.0, |rounds| left / rounds as f64);
        let expected = match self.remaining.levels_left {
            Some(levels) => {
                let all = at_most.unwrap_or(u64::MAX) as f64;
                left / self.rounds_in_levels(levels).unwrap_or(all).min(all).max(1.0)
            }
            None => {
                let (_, all) = self.stage.unwrap_or_else(|| self.begin_stage(elapsed));
                let left = self.stage_left(elapsed).as_secs_f64() - all * EXIT_ROUNDS_SHARE;
                left.max(0.0) / self.rounds_per_exit.max(1.0)
            }
        };
        Duration::from_secs_f64(expected.max(least))
    }

    /// How many times as slowly as usual a round is shown that usually takes so long. This is decided when it is dealt: how
    /// long it will take in truth is not known then.
    pub fn pace(&self, elapsed: Duration, usually: Duration) -> f64 {
        let usually = usually.as_secs_f64().max(0.1);
        let share = self.share(elapsed).as_secs_f64() / usually;
        let usable = (self.stage_left(elapsed).as_secs_f64() / usually).max(share);
        if usable < 1.0 { usable.clamp(FASTEST_FACTOR, 1.0) } else { share.clamp(1.0, SLOWEST_FACTOR) }
    }

    /// Whether the plan of the tournament has no round after this one.
    pub fn is_last_by_plan(&self, round: u64) -> bool {
        let announced = self.announced.map(|announced| announced.last);
        announced.or(self.last_round).is_some_and(|last| round >= last)
    }

    /// How long phones may predict which of so many players.
    pub fn for_predicting(&self, players: usize) -> Duration {
        let needed = PREDICTION_TIME + PREDICTION_TIME_PER_PLAYER * players as u32;
        needed.min(self.total.mul_f64(PREDICTION_SHARE)).max(MIN_PREDICTION_TIME)
    }

    /// Duration of the presentation of the last table's players.
    pub fn for_last_table(&self) -> Duration {
        self.total.mul_f64(LAST_TABLE_SHARE).clamp(MIN_LAST_TABLE_TIME, MAX_LAST_TABLE_TIME)
    }

    /// How long the whole show takes.
    pub fn total(&self) -> Duration {
        self.total
    }
}

#[cfg(test)]
#[path = "time_budget_tests.rs"]
mod tests;
