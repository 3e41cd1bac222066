//! How far it still is to the end of an event, as far as its plan says.

use casino_stud::tournament::Event;

/// What the plan of an event says about its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Course {
    /// The tournaments of the series that follow this one.
    pub(super) tournaments_left: u32,
    /// The most rounds that are left in this tournament, this level's included; `None` if there is no limit.
    pub(super) rounds_left: Option<u64>,
    /// The levels of this tournament, this one included, where their number is fixed and players who lose their
    /// chips play on in the next; `None` where one player after the other is out.
    pub(super) levels_left: Option<u64>,
}

impl Course {
    /// The way to the end from the level that has just been seated.
    pub(super) fn of(event: &Event) -> Course {
        let Some(level) = event.level() else { return Course::default() };
        let plan = event.plan();
        let format = plan.format.rules();
        // Tables may be balanced in the middle of a level.
        let played = event.next_round().saturating_sub(level.first_round);
        let limit = event.rounds_left().map(|rounds| rounds.saturating_sub(played));
        let levels_left = match (format.levels)(plan, event.players()) {
            Some(levels) => Some((levels + 1).saturating_sub(event.levels_begun() as u64).max(1)),
            None if format.forgives => limit.map(|rounds| rounds.div_ceil(plan.level_rounds.max(1)).max(1)),
            None => None,
        };
        let by_levels = levels_left.map(|levels| levels.saturating_mul(level.rounds));
        let rounds_left = limit.into_iter().chain(by_levels).min();
        Course { tournaments_left: plan.series.saturating_sub(level.tournament), rounds_left, levels_left }
    }
}
