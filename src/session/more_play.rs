//! More play for a long day: where the minutes are many for the players, a series of tournaments instead of slow rounds.

use std::fmt;
use std::time::Duration;

use casino_show::timing::usual_round;
use casino_stud::journal::Terms;

use super::ShowMinutes;

/// How long a tournament is shown for each of its players, and how long at least: about eight rounds a player at the usual
/// pace.
const SHOW_TIME_PER_PLAYER: Duration = Duration::from_secs(120);
const MIN_SHOW_TIME: Duration = Duration::from_secs(6 * 60);

/// The minutes are many if they suffice for so many such tournaments.
const MANY_MINUTES_FACTOR: u64 = 4;

/// How many times the rounds that can be shown at the usual pace are played at most: the dull half passes quickly.
const MAX_ROUNDS_FACTOR: u64 = 2;

const MAX_TOURNAMENTS_PER_DAY: u64 = 100;

/// More play for long shows: a series of tournaments that fills the minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MorePlay {
    /// The minutes that were asked.
    pub minutes: ShowMinutes,
    /// How many players there are.
    pub players: usize,
    /// How many tournaments are played for points.
    pub tournaments: u32,
    /// The most rounds of each of them.
    pub rounds: u64,
}

impl MorePlay {
    /// The series for that many minutes, players and seats per table, if one tournament is too short.
    pub(crate) fn of(minutes: ShowMinutes, players: usize, seats: usize) -> Option<MorePlay> {
        let all = minutes.length()?;
        let each = MIN_SHOW_TIME.max(SHOW_TIME_PER_PLAYER * u32::try_from(players).unwrap_or(u32::MAX));
        let tournaments = all.as_secs() / each.as_secs();
        if tournaments < MANY_MINUTES_FACTOR {
            return None;
        }
        let tournaments = tournaments.min(MAX_TOURNAMENTS_PER_DAY);
        let shown = all.as_millis() / u128::from(tournaments) / usual_round(players.min(seats)).as_millis();
        Some(MorePlay {
            minutes,
            players,
            tournaments: u32::try_from(tournaments).expect("there are at most a hundred"),
            rounds: MAX_ROUNDS_FACTOR
                * u64::try_from(shown).expect("a day has fewer milliseconds than that").max(1),
        })
    }

    pub(super) fn apply(self, terms: &mut Terms) {
        terms.plan.series = self.tournaments;
        terms.rounds = Some(self.rounds);
    }
}

impl fmt::Display for MorePlay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MorePlay { minutes, players, tournaments, rounds } = self;
        let minutes = minutes.get();
        write!(
            f,
            "{minutes} minutes are many for {players} players: {tournaments} tournaments of at most {rounds} rounds each are \
             played for points. To choose otherwise, give --series, --rounds (1000 for one tournament as usual), --stack or \
             --ante-schedule."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(minutes: u32, players: usize) -> Option<MorePlay> {
        MorePlay::of(ShowMinutes::clamped(minutes), players, 17)
    }

    #[test]
    fn many_minutes_bring_more_tournaments_and_few_change_nothing() {
        let play = |minutes, players| series(minutes, players).map(|play| (play.tournaments, play.rounds));
        assert_eq!(play(120, 6), Some((10, 100)));
        assert_eq!(play(47, 6), None);
        assert_eq!(play(48, 6), Some((4, 100)));
        assert_eq!(play(40, 12), None);
        assert_eq!(play(23, 2), None);
        assert_eq!(play(24, 2), Some((4, 66)));
        assert_eq!(play(120, 30), None);
        assert_eq!(play(240, 30), Some((4, 418)));
        assert_eq!(play(1_440, 2).map(|(tournaments, _)| tournaments), Some(100));
        for minutes in 0..=1_440 {
            for players in 2..=40 {
                let Some((tournaments, rounds)) = play(minutes, players) else { continue };
                // At the usual pace half of the rounds fill the minutes.
                let shown = usual_round(players.min(17)) * (rounds / 2) as u32 * tournaments;
                let asked = Duration::from_secs(60 * u64::from(minutes));
                assert!(shown <= asked && shown > asked.mul_f64(0.9), "{minutes} minutes, {players} players");
            }
        }
    }

    #[test]
    fn the_notice_names_the_play_and_the_alternative() {
        assert_eq!(
            series(120, 6).expect("many").to_string(),
            "120 minutes are many for 6 players: 10 tournaments of at most 100 rounds each are played for points. To choose \
             otherwise, give --series, --rounds (1000 for one tournament as usual), --stack or --ante-schedule."
        );
    }
}
