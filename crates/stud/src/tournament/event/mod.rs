//! An event, as pure as its tables: from the seed and the results of a level follows the next. A tournament at one
//! table is an event with one level and one table.

mod late_entry;
mod plan;
mod play;
mod remaining;
mod reseating;

use crate::cards::Seed;
use crate::stud::{Chips, Rules};
use crate::table::{ExitReason, FoulTally, TableSettings};

pub use late_entry::{EntryError, LateEntry};
pub use plan::{EventPlan, FEWEST_PLAYERS, MAX_PLAYERS, MAX_ROUNDS, PlanError};
pub use play::{Ending, EventBots, play, play_until};
pub use reseating::Reseating;

use super::formats::Scheduler;
use super::progress::{EventProgress, Level, PlayerState};
use super::{Decks, Placing, Standing, Standings, TableGame};

/// A table's result in a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableResult {
    /// The table's number, from 1.
    pub table: u32,
    /// The players who sat there, seat by seat, numbered from 0.
    pub players: Vec<usize>,
    /// The chips they began with.
    pub began_with: Vec<Chips>,
    /// The chips they ended with.
    pub ended_with: Vec<Chips>,
}

/// An event. Its driver asks for the next level, plays the tables in any order, and asks again.
///
/// Players are numbered from 0 in the order the seed draws (R2).
///
/// ```
/// use casino_stud::cards::Seed;
/// use casino_stud::strategies::{Bot, HOUSE};
/// use casino_stud::table::TableSettings;
/// use casino_stud::tournament::{Event, EventBots, EventPlan, NoRecorder, play};
///
/// let seed = Seed::chosen("monday");
/// let bots = HOUSE[5..9].iter().map(|bot| Box::new(bot.seated(bot.name, &seed)) as Box<dyn Bot>).collect();
/// let mut event = Event::new(EventPlan::single_table(), TableSettings::default(), &seed, 4, 50, Some(200));
/// play(&mut event, &mut EventBots::new(bots), &mut NoRecorder)?;
/// assert_eq!(event.standings().places().len(), 4);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Event {
    progress: EventProgress,
    placing: Placing,
    scheduler: Box<dyn Scheduler>,
    round_limit: Option<u64>,
    /// The rounds before the tournament in play.
    rounds_before: u64,
    /// The tables of the level in play, or of the last one.
    tables: Vec<TableGame>,
    /// The chips everyone sat down with at the tables of the level.
    sat_down_with: Vec<Vec<Chips>>,
    /// Whether the results of the tables have been counted.
    is_level_closed: bool,
    /// The last round that was played in the levels that are over.
    rounds_played: u64,
    history: Vec<(Level, Vec<TableResult>)>,
    /// The tournament of a series that was over last, and the places in it.
    scored: Option<(u32, Standings)>,
    /// The players who have come in late and sit nowhere yet.
    entering: Vec<usize>,
    is_over: bool,
}

impl Event {
    /// An event before its first level: this many players with `stack` chips each, and at most `round_limit` rounds in
    /// each tournament, if there is a limit.
    ///
    /// # Panics
    /// If the plan cannot be played by so many players, or all stacks together are 2^31 chips or more.
    pub fn new(
        plan: EventPlan,
        settings: TableSettings,
        seed: &Seed,
        players: usize,
        stack: Chips,
        round_limit: Option<u64>,
    ) -> Event {
        assert_eq!(plan.check(), Ok(()), "a plan is checked before it is played");
        let possible = FEWEST_PLAYERS..=plan.max_players();
        assert!(possible.contains(&players), "a plan is played by as many players as it takes");
        assert!(u64::from(stack) * (players as u64) < 1 << 31, "all chips stay below 2^31");
        let plays = plan.format.rules().deck_plays.map_or(1, |plays| plays(players));
        let mut event = Event {
            scheduler: plan.format.rules().scheduler(),
            progress: EventProgress {
                plan,
                settings,
                seed: seed.clone(),
                stack,
                players: vec![PlayerState::default(); players],
                level: None,
                levels: 0,
                decks: round_limit.map_or(u64::MAX, |limit| limit.div_ceil(plays).max(1)),
                tournament: 0,
                leaving: Vec::new(),
                forfeited: 0,
            },
            placing: Placing::default(),
            round_limit,
            rounds_before: 0,
            tables: Vec::new(),
            sat_down_with: Vec::new(),
            is_level_closed: true,
            rounds_played: 0,
            history: Vec::new(),
            scored: None,
            entering: Vec::new(),
            is_over: false,
        };
        event.begin_tournament();
        event
    }

    /// The same event, with only these players ranked.
    #[must_use]
    pub fn placed_by(self, placing: Placing) -> Event {
        Event { placing, ..self }
    }

    /// The ranked players.
    pub fn placing(&self) -> &Placing {
        &self.placing
    }

    /// The plan of the event.
    pub fn plan(&self) -> &EventPlan {
        &self.progress.plan
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.progress.players.len()
    }

    /// The level in play, or the last one; `None` before the first.
    pub fn level(&self) -> Option<&Level> {
        self.progress.level.as_ref()
    }

    /// The tables of the level in play, or of the last one.
    pub fn tables(&self) -> &[TableGame] {
        &self.tables
    }

    /// The tables of the level in play, to be played in any order, one by one or all at once.
    pub fn tables_mut(&mut self) -> &mut Vec<TableGame> {
        &mut self.tables
    }

    /// The tables whose results are not in the state of the players yet.
    fn open_tables(&self) -> &[TableGame] {
        if self.is_level_closed { &[] } else { &self.tables }
    }

    /// The index of the table that deals next in the order of the record: the lowest round, then the lowest number.
    /// `None` if the level is over, or players have to be seated before the next round.
    pub fn due(&self) -> Option<usize> {
        let tables = self.open_tables();
        if !self.entering.is_empty() || self.reseating().is_some_and(|reseating| reseating.is_due(tables)) {
            return None;
        }
        let playing = (0..tables.len()).filter(|table| !tables[*table].is_over());
        playing.min_by_key(|table| tables[*table].next_round())
    }

    /// The numbers of the tables that play the round which is dealt next, in the order of the record.
    pub(crate) fn due_tables(&self) -> Vec<u32> {
        let Some(due) = self.due() else { return Vec::new() };
        let round = self.tables[due].next_round();
        let playing = self.tables.iter().filter(|table| !table.is_over() && table.next_round() == round);
        playing.map(TableGame::number).collect()
    }

    /// When the tables have to be balanced during a level; `None` if that is not done.
    pub fn reseating(&self) -> Option<Reseating> {
        self.progress.plan.format.rules().balances.then_some(Reseating { seats: self.progress.plan.seats })
    }

    /// The round that is dealt next; the one after the last if the level is over.
    pub fn next_round(&self) -> u64 {
        self.due().map_or(self.rounds_played() + 1, |table| self.tables[table].next_round())
    }

    /// The last round that was dealt at any table; 0 before the first.
    pub fn rounds_played(&self) -> u64 {
        let at_tables = self.open_tables().iter().map(|table| table.table().round_number()).max();
        at_tables.unwrap_or(0).max(self.rounds_played)
    }

    /// Whether the event has been ended by [`Event::next_level`] or [`Event::end_now`].
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether nothing is left to play, so that [`Event::next_level`] would end the event.
    pub fn is_played_out(&self) -> bool {
        self.is_over || self.due().is_none() && !self.clone().next_level()
    }

    /// The finished levels, and the results of their tables.
    pub fn history(&self) -> &[(Level, Vec<TableResult>)] {
        &self.history
    }

    /// Ends the level whose tables have been played, and seats the next one; or balances the tables or seats newcomers in
    /// the middle of the level, which then goes on. False if the event is over.
    ///
    /// # Panics
    /// If a table is still being played.
    pub fn next_level(&mut self) -> bool {
        if self.is_over {
            return false;
        }
        assert!(self.due().is_none(), "a level ends with its last table");
        if !self.is_level_closed {
            self.close_level();
        }
        let entering = std::mem::take(&mut self.entering);
        let seating = match entering.is_empty() {
            false => Some(self.seat_newcomers(&entering)),
            true if self.level_continues() => self.scheduler.reseat(&mut self.progress),
            true => None,
        };
        if let Some(seating) = seating {
            self.go_on_with_level(&seating);
            return true;
        }
        loop {
            if let Some(seating) = self.seating() {
                self.begin_level(&seating);
                return true;
            }
            let series = self.plan().series;
            if series > 1 {
                self.score();
            }
            if self.progress.tournament >= series {
                self.is_over = true;
                return false;
            }
            self.begin_tournament();
        }
    }

    /// Ends the event between two rounds: the places are those so far. Players whose removal was ordered leave first.
    pub fn end_now<'a>(&mut self, removals: impl IntoIterator<Item = (usize, &'a str)>) {
        if self.is_played_out() {
            self.next_level();
            return;
        }
        let level_began = self.progress.level.is_some_and(|level| level.first_round <= self.rounds_played());
        if !self.is_level_closed && level_began {
            self.close_level();
        }
        self.is_level_closed = true;
        for (player, reason) in removals {
            self.progress.remove(player, reason, self.rounds_played);
        }
        if self.plan().series > 1 {
            self.score();
        }
        self.is_over = true;
    }

    /// Plays the rest of the level with another seating.
    fn go_on_with_level(&mut self, seating: &[Vec<usize>]) {
        let level = self.progress.level.expect("a level that goes on has begun");
        let first_round = self.rounds_played + 1;
        let rounds = level.last_round() - self.rounds_played;
        self.sit_down(Level { seating: level.seating + 1, first_round, rounds, ..level }, seating);
    }

    /// Whether rounds of the level are left to those who are seated anew.
    fn level_continues(&self) -> bool {
        let goes_on = |level: &Level| {
            level.tournament == self.progress.tournament && self.rounds_played < level.last_round()
        };
        self.progress.plan.format.rules().balances && self.progress.level.as_ref().is_some_and(goes_on)
    }

    fn begin_tournament(&mut self) {
        let progress = &mut self.progress;
        for player in progress.players.iter_mut().filter(|player| !player.gone) {
            let PlayerState { points, fouls, .. } = *player;
            *player = PlayerState { chips: progress.stack, points, fouls, ..PlayerState::default() };
        }
        progress.tournament += 1;
        progress.levels = 0;
        self.scheduler = progress.plan.format.rules().scheduler();
        self.rounds_before = progress.last_round();
    }

    /// The rounds of the tournament in play that its levels have used up.
    fn rounds_used(&self) -> u64 {
        self.progress.last_round() - self.rounds_before
    }

    /// The players at each table in the next level of the tournament; `None` if it is over.
    fn seating(&mut self) -> Option<Vec<Vec<usize>>> {
        if self.round_limit.is_some_and(|limit| self.rounds_used() >= limit) {
            return None;
        }
        self.scheduler.next_level(&mut self.progress)
    }

    fn begin_level(&mut self, seating: &[Vec<usize>]) {
        let progress = &self.progress;
        let left = self.round_limit.map(|limit| limit - self.rounds_used());
        let level = Level {
            number: progress.next_number(),
            tournament: progress.tournament,
            seating: 1,
            first_round: progress.last_round() + 1,
            rounds: self.progress.plan.level_rounds.into_iter().chain(left).min().unwrap_or(MAX_ROUNDS),
            ante: progress.next_ante(),
        };
        self.sit_down(level, seating);
        self.progress.levels += 1;
    }

    /// Everyone sits down at the tables of a level, or of the rest of one.
    fn sit_down(&mut self, level: Level, seating: &[Vec<usize>]) {
        let progress = &self.progress;
        let rules = Rules { ante: level.ante, ..progress.settings.rules };
        let settings = TableSettings { rules, ..progress.settings };
        let format = self.progress.plan.format.rules();
        self.tables.clear();
        self.sat_down_with.clear();
        for (players, number) in seating.iter().zip(1u32..) {
            if players.is_empty() {
                continue;
            }
            let stack = |player: &usize| match format.forgives {
                true => progress.stack,
                false => progress.players[*player].chips,
            };
            let stacks: Vec<Chips> = players.iter().map(stack).collect();
            let decks = Decks::shuffled(&progress.seed, number);
            let decks = match format.deck_plays {
                Some(_) => decks.always(level.first_round - progress.levels as u64 + progress.deck()),
                None => decks,
            };
            let rounds = level.first_round..=level.last_round();
            let fouls = players.iter().map(|player| progress.players[*player].fouls).collect();
            let table = TableGame::at_table(settings, decks, number, players.clone(), &stacks, rounds);
            self.tables.push(table.after_fouls(fouls));
            self.sat_down_with.push(stacks);
        }
        self.is_level_closed = false;
        self.progress.level = Some(level);
    }

    fn players_now(&self) -> Vec<PlayerState> {
        self.progress.players_with(self.open_tables())
    }

    fn close_level(&mut self) {
        self.rounds_played = self.rounds_played();
        self.progress.forfeited = self.forfeited();
        let now = self.players_now();
        let before = std::mem::replace(&mut self.progress.players, now);
        self.is_level_closed = true;
        self.scheduler.level_over(&mut self.progress, &before, &self.tables);
        let results = self.tables.iter().zip(std::mem::take(&mut self.sat_down_with));
        let results = results.map(|(table, began_with)| TableResult {
            table: table.number(),
            players: table.players().to_vec(),
            began_with,
            ended_with: table.table().stacks().to_vec(),
        });
        let level = self.progress.level.expect("a level is closed that was begun");
        self.history.push((level, results.collect()));
    }

    /// Gives the points of the tournament that is over.
    fn score(&mut self) {
        let standings = self.scheduler.standings(&self.progress.players).placed_by(&self.placing);
        let places = standings.places();
        for standing in places {
            let Some(place) = standing.place else { continue };
            // A player who was not there to play it has no points from it.
            let before = self.rounds_before;
            let player = &mut self.progress.players[standing.player];
            if player.exit.as_ref().is_some_and(|exit| exit.round <= before && before > 0) {
                continue;
            }
            player.points += places.iter().filter(|other| other.place > Some(place)).count() as i64;
        }
        self.scored = Some((self.progress.tournament, standings));
    }

    /// The tournament of a series that was over last, from 1, and the places in it; `None` before, and where there is no
    /// series.
    pub fn last_tournament(&self) -> Option<(u32, &Standings)> {
        self.scored.as_ref().map(|(number, standings)| (*number, standings))
    }

    /// The current places. `docs/tournaments.md` describes their order in each format; in a series it is the points of
    /// the finished tournaments.
    pub fn standings(&self) -> Standings {
        let players = self.players_now();
        let standings = if self.plan().series == 1 {
            self.scheduler.standings(&players)
        } else {
            let points = players.iter().map(|player| (player.points, 0));
            Standings::by_points(players.iter().map(PlayerState::chips_and_exit), points)
        };
        standings.placed_by(&self.placing).with_fouls(|player| players[player].fouls)
    }

    /// The fouls that a player was forgiven so far (R19).
    pub fn forgiven(&self, player: usize) -> FoulTally {
        let here = self
            .open_tables()
            .iter()
            .filter_map(|table| Some(table.table().forgiven(table.seat_of(player)?)));
        let before = self.progress.players.get(player).map(|player| player.fouls).unwrap_or_default();
        here.fold(before, FoulTally::and_later)
    }

    /// The chips that left play.
    pub fn forfeited(&self) -> u64 {
        let at_tables = self.open_tables().iter().map(|table| u64::from(table.table().forfeited()));
        self.progress.forfeited + at_tables.sum::<u64>()
    }

    /// Whether a player who leaves its table for this reason plays again in this event, and is not notified.
    pub fn returns(&self, why: &ExitReason) -> bool {
        self.progress.returns(why)
    }

    /// The players who are out by the rule of the event since [`Event::take_leaving`], and the last word to each.
    pub fn leaving(&self) -> &[(usize, ExitReason)] {
        &self.progress.leaving
    }

    /// The same players, to be notified.
    pub fn take_leaving(&mut self) -> Vec<(usize, ExitReason)> {
        std::mem::take(&mut self.progress.leaving)
    }

    /// Whether a player in this state is still needed: it plays, waits for the next level, or comes back in the next
    /// tournament.
    fn is_needed(&self, player: &PlayerState) -> bool {
        player.exit.as_ref().is_none_or(|exit| !player.gone && self.returns(&exit.why))
    }

    /// The players who are still needed.
    pub fn playing_on(&self) -> Vec<usize> {
        let players = self.players_now();
        (0..players.len()).filter(|player| self.is_needed(&players[*player])).collect()
    }

    /// The last words to the players who are still there when the event is over.
    pub fn exit_reasons(&self) -> Vec<(usize, ExitReason)> {
        let players = self.players_now();
        let left = players.iter().filter(|player| player.exit.is_none()).count();
        let placed = self.placing.placed(players.len());
        let exit_reason = |standing: &Standing| {
            // An unranked house bot receives no messages.
            let place = standing.place?;
            let why = match standing.points.is_none() && left == 1 {
                true => ExitReason::Champion { chips: standing.chips },
                false => {
                    let rounds = self.rounds_played();
                    self.scheduler.exit_reason_at_the_end(standing.chips, (place, placed), rounds)
                }
            };
            self.is_needed(&players[standing.player]).then_some((standing.player, why))
        };
        self.standings().places().iter().filter_map(exit_reason).collect()
    }
}

#[cfg(test)]
mod late_entry_tests;
#[cfg(test)]
mod tests;
