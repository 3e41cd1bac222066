//! What is shown in which order, and who gets how much time: rounds in detail or in a montage, exits, the ceremony.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use casino_stud::replay::{Award, BoardRow, DisplayStep, DisplaySteps, Drama, RaiseWar};

use super::director::{Director, FRAME, Scene, Shot};
use super::messages::{FinishedTournament, LevelView, TableRound};
use super::page::Page;
use super::page_changes::{players_in, time_of};
use super::sections::{Ceremony, ExitView, ShowMode, Stage};
use super::show_queue::RoundAtTables;
use super::time_budget::TimeBudget;

/// How long people look at an exit.
const EXIT: Duration = Duration::from_millis(2_600);

/// How long a place or an award is looked at, at most.
const LONGEST_LOOK: Duration = Duration::from_secs(15);

/// How long an award is looked at: with less time than this for each, all of them are given at once.
const SHORTEST_LOOK: Duration = Duration::from_millis(2_500);

/// How long a ceremony takes where no end is promised.
const USUAL_CEREMONY: Duration = Duration::from_secs(20);

/// Something that is shown, and how long.
pub(super) enum Cue {
    /// A step of a round, this many times as slowly as usual.
    Step(Arc<TableRound>, DisplayStep, f64),
    /// A round has been shown: everything on the page stands as after it. Its exits follow.
    Over(RoundAtTables),
    /// These rounds pass in a montage, in this time.
    Montage(Vec<RoundAtTables>, Duration),
    Exit(Option<Box<ExitView>>, Duration),
    /// Why the next round is shown.
    Mode(ShowMode, Option<String>),
    Ceremony(Ceremony, Duration),
    /// A level begins.
    Level(Box<LevelView>),
    /// What was shown between two tournaments is over.
    NextTournament,
    Podium,
}

/// A round at one table as the director sees it, and its drama.
pub(super) type DramaticScene = (Scene, Drama);

/// Rounds that pass in one picture of a montage, and how long it takes.
#[derive(Default)]
pub(super) struct Montage {
    rounds: Vec<RoundAtTables>,
    takes: Duration,
}

impl Montage {
    /// Adds rounds, which take so long. False if nothing more passes in the same picture.
    pub(super) fn add(&mut self, rounds: RoundAtTables, takes: Duration) -> bool {
        self.takes += takes;
        let goes_on = self.takes < FRAME && rounds.iter().all(|round| round.after.exits.is_empty());
        self.rounds.push(rounds);
        goes_on
    }
}

/// The cues that are planned, and what decides about the next.
pub(super) struct ShowPlan {
    cues: VecDeque<Cue>,
    director: Director,
    pub(super) budget: TimeBudget,
}

impl ShowPlan {
    /// A plan without a cue.
    pub(super) fn new(budget: TimeBudget) -> ShowPlan {
        ShowPlan { cues: VecDeque::new(), director: Director::default(), budget }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.cues.is_empty()
    }

    pub(super) fn pop(&mut self) -> Option<Cue> {
        self.cues.pop_front()
    }

    pub(super) fn clear(&mut self) {
        self.cues.clear();
    }

    /// Whether a round is being shown in detail.
    pub(super) fn is_in_round(&self) -> bool {
        self.cues.iter().any(|cue| matches!(cue, Cue::Over(_)))
    }

    /// How the director shoots these scenes where the dealer keeps in step with the show. `chosen` is the teacher's table.
    pub(super) fn shoot(&mut self, scenes: &[DramaticScene], chosen: u32, elapsed: Duration) -> Shot {
        self.director.shoot(&shots(scenes), chosen, &self.budget, elapsed)
    }

    /// The table that is shown of these scenes where nobody waits for the show.
    pub(super) fn choose(&mut self, scenes: &[DramaticScene], chosen: u32, elapsed: Duration) -> u32 {
        self.director.choose(&shots(scenes), chosen, elapsed).unwrap_or(1)
    }

    /// For how many rounds the dealer gets leave at once.
    pub(super) fn rounds_at_once(&self, elapsed: Duration) -> u64 {
        Director::rounds_at_once(&self.budget, elapsed)
    }

    pub(super) fn push_montage(&mut self, Montage { rounds, takes }: Montage) {
        if !rounds.is_empty() {
            self.cues.push_back(Cue::Mode(ShowMode::Montage, None));
            self.cues.push_back(Cue::Montage(rounds, takes));
        }
    }

    /// Plans rounds step by step at these tables. `names` are those of all players.
    pub(super) fn push_detail(
        &mut self,
        rounds: RoundAtTables,
        scenes: &[DramaticScene],
        (tables, pace): (&[u32], f64),
        names: &[String],
    ) {
        for table in tables {
            let Some(at) = rounds.iter().position(|round| round.table == *table) else { continue };
            let (scene, drama) = &scenes[at];
            let reason = match scene.is_last {
                true => Some("The last hand".to_string()),
                false => drama.reason(names),
            };
            self.cues.push_back(Cue::Mode(ShowMode::Detail, reason));
            for step in steps_of(&rounds[at]) {
                self.cues.push_back(Cue::Step(Arc::clone(&rounds[at]), step, pace));
            }
        }
        self.cues.push_back(Cue::Over(rounds));
    }

    /// Everybody who is gone is shown next, one after the other.
    pub(super) fn show_exits_next(&mut self, mut gone: Vec<ExitView>, elapsed: Duration) {
        if gone.is_empty() {
            return;
        }
        gone.sort_by_key(|exit| (Reverse(exit.place), exit.seat));
        let stage = self.budget.stage_left(elapsed);
        let each = EXIT.min(stage / gone.len() as u32).max(EXIT / 3);
        let mut cues: Vec<Cue> = gone.into_iter().map(|exit| Cue::Exit(Some(Box::new(exit)), each)).collect();
        cues.push(Cue::Exit(None, Duration::ZERO));
        for cue in cues.into_iter().rev() {
            self.cues.push_front(cue);
        }
    }

    /// Plans what is shown before this level: who won the tournament that is over, and then how everybody stands.
    pub(super) fn push_between(&mut self, finished: FinishedTournament, level: LevelView) {
        let FinishedTournament { part, winners } = finished;
        let each = self.budget.between_tournaments() / 2;
        let stage = |stage: Stage, rows: Vec<BoardRow>| {
            Cue::Ceremony(Ceremony { stage, rows, awards: Vec::new(), tournament: Some(part) }, each)
        };
        let standings = stage(Stage::Standings, level.rows.clone());
        self.cues.push_back(stage(Stage::Tournament, winners));
        self.cues.push_back(Cue::Level(Box::new(level)));
        self.cues.push_back(standings);
        self.cues.push_back(Cue::NextTournament);
    }

    /// Plans the ceremony: the winners one after the other, the awards, the podium. `left` is the time until the promised
    /// end, if one is promised.
    pub(super) fn push_ceremony(
        &mut self,
        rows: &[BoardRow],
        awards: &[Award],
        left: Option<Duration>,
        tempo: f64,
    ) {
        let mut stages: Vec<Ceremony> = Vec::new();
        let mut announced: Vec<BoardRow> = Vec::new();
        for place in [3, 2, 1] {
            let here: Vec<BoardRow> = rows.iter().filter(|row| row.place == Some(place)).cloned().collect();
            if !here.is_empty() {
                announced.extend(here);
                let rows = announced.clone();
                stages.push(Ceremony {
                    stage: Stage::Place(place),
                    rows,
                    awards: Vec::new(),
                    tournament: None,
                });
            }
        }
        let all = left.map_or(USUAL_CEREMONY.div_f64(tempo), |left| self.budget.for_ceremony(left));
        let one_by_one = all >= SHORTEST_LOOK.div_f64(tempo.max(1.0)) * (stages.len() + awards.len()) as u32;
        let first = if one_by_one { 1 } else { awards.len().max(1) };
        for given in first..=awards.len() {
            let awards = awards[..given].to_vec();
            stages.push(Ceremony { stage: Stage::Awards, rows: announced.clone(), awards, tournament: None });
        }
        let each = (all / stages.len().max(1) as u32).min(LONGEST_LOOK);
        self.cues.extend(stages.into_iter().map(|ceremony| Cue::Ceremony(ceremony, each)));
        self.cues.push_back(Cue::Podium);
    }

    /// Whether this round may be the last of the tournament, as far as the page can know.
    pub(super) fn may_be_last(&self, page: &Page, rounds: &[Arc<TableRound>]) -> bool {
        let is_done = |table: u32| rounds.iter().any(|round| round.table == table && round.after.done);
        let is_open = page.event.as_ref().is_some_and(|event| {
            event.tables.iter().any(|table| !table.done && table.playing > 1 && !is_done(table.table))
        });
        let exits: usize = rounds.iter().map(|round| round.after.exits.len()).sum();
        let alive = players_in(page).saturating_sub(exits);
        let is_last = alive < 2 && self.budget.is_last_tournament() || self.budget.is_last_level();
        !is_open && is_done(rounds[0].table) && is_last
    }
}

fn shots(scenes: &[DramaticScene]) -> Vec<Scene> {
    scenes.iter().map(|(scene, _)| *scene).collect()
}

/// The drama of a round at each table, and how long it would be shown at this tempo.
pub(super) fn scenes(
    page: &Page,
    rounds: &[Arc<TableRound>],
    tempo: f64,
    is_last: bool,
) -> Vec<DramaticScene> {
    let best_of = |round: &TableRound| round.before.chips.iter().map(|(_, chips)| *chips).max().unwrap_or(0);
    let best_chips: Vec<_> = rounds.iter().map(|round| best_of(round)).collect();
    let is_first = page.event.as_ref().map_or(page.board.round == 0, |event| {
        event.tables.len() == 1 && event.tables.iter().all(|table| table.round < event.first_round)
    });
    let scene = |(at, round): (usize, &Arc<TableRound>)| {
        let elsewhere = best_chips.iter().enumerate().filter(|(other, _)| *other != at);
        let elsewhere = elsewhere.map(|(_, chips)| *chips).max().unwrap_or(0);
        let drama = Drama::of(&round.events, elsewhere);
        let must = is_first || !round.after.exits.is_empty() || drama.score >= Drama::ALL_IN;
        (Scene { table: round.table, takes: takes(round, tempo), score: drama.score, must, is_last }, drama)
    };
    rounds.iter().enumerate().map(scene).collect()
}

/// How long this round would have taken at this tempo.
pub(super) fn takes(round: &TableRound, tempo: f64) -> Duration {
    time_of(&steps_of(round)).div_f64(tempo)
}

fn steps_of(round: &TableRound) -> Vec<DisplayStep> {
    RaiseWar::shorten(DisplaySteps::of_round(round.events.iter().cloned()))
}

#[cfg(test)]
mod tests {
    use super::super::time_budget::Remaining;
    use super::*;

    #[test]
    fn house_bots_among_others_are_not_announced() {
        let row = |seat, place| BoardRow {
            seat,
            place,
            chips: 9,
            points: None,
            left_in_round: None,
            why: None,
            fouls: None,
        };
        let rows = [row(1, None), row(2, Some(1)), row(3, None), row(4, Some(2))];
        let mut plan = ShowPlan::new(TimeBudget::new(Duration::from_secs(60), 4, Remaining::default()));
        plan.push_ceremony(&rows, &[], None, 1.0);
        let announced = |cue| match cue {
            Cue::Ceremony(ceremony, _) => Some(ceremony.rows.iter().map(|row| row.seat).collect()),
            _ => None,
        };
        let stages: Vec<Vec<usize>> = std::iter::from_fn(|| plan.pop()).filter_map(announced).collect();
        assert_eq!(stages, [vec![4], vec![4, 2]]);
    }
}
