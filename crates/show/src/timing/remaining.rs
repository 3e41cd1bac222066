//! The remaining part of an event.

use casino_stud::tournament::Event;

/// The length of an event by its plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Remaining {
    /// The tournaments of the series that follow this one.
    pub tournaments_left: u32,
    /// The most rounds that are left in this tournament, this level's included; `None` if there is no limit.
    pub rounds_left: Option<u64>,
    /// The levels of this tournament, including this one, if their number is fixed and busted players play on in the
    /// next; `None` if players are eliminated one by one.
    pub levels_left: Option<u64>,
    /// The most players at a table when the level in play began; 0 if that is not known.
    pub at_table: usize,
}

impl Remaining {
    /// The way to the end from the level that has just been seated.
    pub fn of(event: &Event) -> Remaining {
        let Some(level) = event.level() else { return Remaining::default() };
        let plan = event.plan();
        let format = plan.format.rules();
        // Tables may be balanced in the middle of a level.
        let played = event.next_round().saturating_sub(level.first_round);
        let limit = event.rounds_left().map(|rounds| rounds.saturating_sub(played));
        let levels_left = match (format.levels)(event.players()) {
            Some(levels) => Some((levels + 1).saturating_sub(event.levels_begun() as u64).max(1)),
            None if format.forgives => {
                limit.map(|rounds| rounds.div_ceil(plan.level_rounds.unwrap_or(rounds).max(1)).max(1))
            }
            None => None,
        };
        let by_levels = levels_left.map(|levels| levels.saturating_mul(level.rounds));
        let rounds_left = limit.into_iter().chain(by_levels).min();
        let tournaments_left = plan.series.saturating_sub(level.tournament);
        let at_table = event.tables().iter().map(|table| table.players().len()).max().unwrap_or(0);
        Remaining { tournaments_left, rounds_left, levels_left, at_table }
    }
}
