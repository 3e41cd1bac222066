//! The order and the durations of the scenes: rounds in detail or in a montage, exits, the ceremony.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::RoundAtTables;
use crate::rounds::{BoardRow, DisplayStep, DisplaySteps, Drama, RaiseWar};
use crate::state::{
    Ceremony, ExitView, FinishedTournament, LevelView, Page, ShowMode, Stage, TableRound, time_of,
};
use crate::timing::{Director, Scene, Shot, TimeBudget, usual_round};

const INTERRUPTION_NOTICE_TIME: Duration = Duration::from_secs(5);

const EXIT_DISPLAY_TIME: Duration = Duration::from_millis(2_600);

/// How long the exits of a round take at most: the next round is played meanwhile, and shown within ten seconds.
const MAX_EXITS_TIME: Duration = Duration::from_secs(6);

/// The most players of a round that are announced one after the other; more have one card together.
const MAX_SINGLE_EXITS: usize = 3;

/// How long the winner is looked at, at most: a third of the ceremony, or as long as the others of fewer than three scenes.
const MAX_CHAMPION_TIME: Duration = Duration::from_secs(30);

/// How long a place or an award is looked at, at most.
const MAX_AWARD_TIME: Duration = Duration::from_secs(15);

/// How long an award is looked at: with less time than this for each, all of them are given at once.
const MIN_AWARD_TIME: Duration = Duration::from_millis(2_500);

const DEFAULT_CEREMONY_TIME: Duration = Duration::from_secs(20);

/// Something that is shown, and how long.
pub enum Cue {
    /// A step of a round, this many times as slowly as usual.
    Step(Arc<TableRound>, DisplayStep, f64),
    /// A round has been shown step by step at these tables: everything on the page stands as after it. Its exits follow.
    Over(RoundAtTables, Vec<u32>),
    /// This round passes in a montage, in this time; its end is seen at this table, or at any if it is 0.
    Montage(RoundAtTables, Duration, u32),
    /// A player who left, and how long people look at it.
    Exit(Box<ExitView>, Duration),
    /// All exits of a round have been announced.
    ExitsOver,
    /// The tournament goes on after an interruption of so many seconds.
    Interrupted(u64, Duration),
    /// It has been said for long enough that there was one.
    InterruptionOver,
    /// How the next rounds are shown.
    Mode(ShowMode),
    /// A stage of the ceremony, and how long people look at it.
    Ceremony(Ceremony, Duration),
    /// A level begins.
    Level(Box<LevelView>),
    /// The scene between two tournaments is over.
    NextTournament,
    /// The winners have been announced.
    Podium,
}

/// The planned cues, and the state that decides the next one.
pub struct ShowPlan {
    cues: VecDeque<Cue>,
    director: Director,
    /// The time that is left.
    pub budget: TimeBudget,
}

impl ShowPlan {
    /// A plan without a cue.
    pub fn new(budget: TimeBudget) -> ShowPlan {
        ShowPlan { cues: VecDeque::new(), director: Director::default(), budget }
    }

    /// Whether no cue is planned.
    pub fn is_empty(&self) -> bool {
        self.cues.is_empty()
    }

    /// Takes the next cue.
    pub fn pop(&mut self) -> Option<Cue> {
        self.cues.pop_front()
    }

    /// Drops all cues.
    pub fn clear(&mut self) {
        self.cues.clear();
    }

    /// How the director shoots these scenes where the dealer keeps in step with the show. `chosen` is the teacher's table.
    pub fn shoot(&mut self, scenes: &[Scene], chosen: u32, elapsed: Duration) -> Shot {
        self.director.shoot(scenes, chosen, &self.budget, elapsed)
    }

    /// The table shown in these scenes when the game does not wait for the show.
    pub fn choose(&mut self, scenes: &[Scene], chosen: u32, elapsed: Duration) -> u32 {
        self.director.choose(scenes, chosen, elapsed).unwrap_or(1)
    }

    /// How many times as slowly as usual these tables are shown: it follows from how many players were dealt in.
    pub fn pace(&self, rounds: &RoundAtTables, tables: &[u32], elapsed: Duration, tempo: f64) -> f64 {
        let usually: Duration = at_tables(rounds, tables).map(|round| usual_round(round.dealt())).sum();
        let is_last = self.budget.is_last_by_plan(rounds[0].round);
        let pace = if is_last { TimeBudget::last_round_pace } else { TimeBudget::pace };
        pace(&self.budget, elapsed, usually.div_f64(tempo))
    }

    /// Plans a picture of a montage, in which this table is seen.
    pub fn push_montage(&mut self, rounds: RoundAtTables, takes: Duration, table: u32) {
        self.cues.push_back(Cue::Mode(ShowMode::Montage));
        self.cues.push_back(Cue::Montage(rounds, takes, table));
    }

    /// Puts a scene first: the tournament continues after an interruption of so many seconds.
    pub fn push_interruption(&mut self, seconds: u64) {
        self.cues.push_front(Cue::InterruptionOver);
        self.cues.push_front(Cue::Interrupted(seconds, INTERRUPTION_NOTICE_TIME));
    }

    /// Plans a round that is shown step by step at these tables.
    pub fn push_detail(&mut self, rounds: RoundAtTables, tables: Vec<u32>, pace: f64) {
        for round in at_tables(&rounds, &tables) {
            self.cues.push_back(Cue::Mode(ShowMode::Detail));
            for step in steps_of(round) {
                self.cues.push_back(Cue::Step(Arc::clone(round), step, pace));
            }
        }
        self.cues.push_back(Cue::Over(rounds, tables));
    }

    /// Announces the exits of a round next, one after the other, or many at once. The last one is looked at twice as long.
    pub fn show_exits_next(&mut self, mut gone: Vec<ExitView>, elapsed: Duration) {
        if gone.is_empty() {
            return;
        }
        gone.sort_by_key(|exit| (Reverse(exit.place), exit.seat));
        if gone.len() > MAX_SINGLE_EXITS {
            gone[0].others = gone.split_off(1);
        }
        let parts = gone.len() as u32 + u32::from(gone.len() > 1 || !gone[0].others.is_empty());
        let stage = self.budget.stage_left(elapsed);
        let each =
            EXIT_DISPLAY_TIME.min(stage / parts).max(EXIT_DISPLAY_TIME / 3).min(MAX_EXITS_TIME / parts);
        self.cues.push_front(Cue::ExitsOver);
        let mut takes = each * (parts - gone.len() as u32 + 1);
        for exit in gone.into_iter().rev() {
            self.cues.push_front(Cue::Exit(Box::new(exit), takes));
            takes = each;
        }
    }

    /// Plans the scenes before this level: the winner of the finished tournament, then the standings.
    pub fn push_between(&mut self, finished: FinishedTournament, level: LevelView) {
        let FinishedTournament { part, winners } = finished;
        let each = self.budget.between_tournaments() / 2;
        let stage = |stage: Stage, rows: Vec<BoardRow>| {
            Cue::Ceremony(Ceremony::of_tournament(stage, rows, part), each)
        };
        let standings = stage(Stage::Standings, level.rows.clone());
        self.cues.push_back(stage(Stage::Tournament, winners));
        self.cues.push_back(Cue::Level(Box::new(level)));
        self.cues.push_back(standings);
        self.cues.push_back(Cue::NextTournament);
    }

    /// Plans the ceremony, of these stages, and the podium. `left` is the time until the promised end, if one is promised.
    pub fn push_ceremony(&mut self, mut stages: Vec<Ceremony>, left: Option<Duration>, tempo: f64) {
        let all = left.map_or(DEFAULT_CEREMONY_TIME.div_f64(tempo), |left| self.budget.for_ceremony(left));
        if all < MIN_AWARD_TIME.div_f64(tempo.max(1.0)) * stages.len() as u32 {
            // There is no time for one award after the other.
            let awards = stages.iter().map(|ceremony| ceremony.awards.len()).max().unwrap_or(0);
            stages.retain(|ceremony| ceremony.stage != Stage::Awards || ceremony.awards.len() == awards);
        }
        let others = stages.len().saturating_sub(1) as u32;
        let champion = (all / 3.min(others + 1)).min(MAX_CHAMPION_TIME);
        let each = ((all - champion) / others.max(1)).min(MAX_AWARD_TIME);
        let takes = |stage| if stage == Stage::Place(1) { champion } else { each };
        let cue = |ceremony: Ceremony| (takes(ceremony.stage), ceremony);
        self.cues.extend(stages.into_iter().map(cue).map(|(takes, stage)| Cue::Ceremony(stage, takes)));
        self.cues.push_back(Cue::Podium);
    }
}

/// The drama of a round at each table, and how long it would be shown at this tempo.
pub fn scenes(page: &Page, rounds: &[Arc<TableRound>], tempo: f64, is_last: bool) -> Vec<Scene> {
    let best_of = |round: &TableRound| round.before.chips.iter().map(|(_, chips)| *chips).max().unwrap_or(0);
    let best_chips: Vec<_> = rounds.iter().map(|round| best_of(round)).collect();
    let is_first = page.hall.as_ref().map_or(page.board.round == 0, |hall| {
        hall.tables.len() == 1 && hall.tables.iter().all(|table| table.round < hall.first_round)
    });
    // The last round is that of the leader's table.
    let leader = page.board.rows.first().filter(|_| is_last).map(|row| row.seat);
    let scene = |(at, round): (usize, &Arc<TableRound>)| {
        let elsewhere = best_chips.iter().enumerate().filter(|(other, _)| *other != at);
        let elsewhere = elsewhere.map(|(_, chips)| *chips).max().unwrap_or(0);
        let drama = Drama::of(&round.events, elsewhere);
        let must = is_first || !round.after.exits.is_empty() || drama.score >= Drama::ALL_IN_POINTS;
        let leads = round.before.chips.iter().any(|(player, _)| Some(player + 1) == leader);
        let score = if leads { u32::MAX } else { drama.score };
        Scene { table: round.table, takes: takes(round, tempo), score, must, is_last }
    };
    rounds.iter().enumerate().map(scene).collect()
}

/// What was played at these tables.
pub fn at_tables<'a>(
    rounds: &'a RoundAtTables,
    tables: &'a [u32],
) -> impl Iterator<Item = &'a Arc<TableRound>> {
    rounds.iter().filter(|round| tables.contains(&round.table))
}

/// How long this round would have taken at this tempo.
pub fn takes(round: &TableRound, tempo: f64) -> Duration {
    time_of(&steps_of(round)).div_f64(tempo)
}

/// The steps of a round, with its raise wars shortened.
pub fn steps_of(round: &TableRound) -> Vec<DisplayStep> {
    RaiseWar::shorten(DisplaySteps::of_round(round.events.iter().cloned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rounds::Award;
    use crate::timing::Remaining;
    use casino_stud::replay::ExitKind;

    fn row(seat: usize, place: Option<usize>) -> BoardRow {
        BoardRow { seat, place, chips: 9, points: None, left_in_round: None, why: None, fouls: None }
    }

    #[test]
    fn awards_and_the_decisive_hand_come_first_and_the_winner_stays() {
        let rows = [1, 2, 3].map(|seat| row(seat, Some(seat)));
        let award = Award { title: "Biggest pot", seats: vec![2], text: "9 chips".to_string() };
        let mut plan = ShowPlan::new(TimeBudget::new(Duration::from_secs(900), 3, Remaining::default()));
        let stages = Ceremony::stages(&rows, &[award.clone(), award], None);
        plan.push_ceremony(stages, Some(Duration::from_secs(90)), 1.0);
        let shown = |cue| match cue {
            Cue::Ceremony(Ceremony { stage, rows, awards, .. }, takes) => {
                Some((stage, rows.len(), awards.len(), takes.as_secs()))
            }
            _ => None,
        };
        let stages: Vec<_> = std::iter::from_fn(|| plan.pop()).filter_map(shown).collect();
        let first = [(Stage::Awards, 0, 1, 12), (Stage::Awards, 0, 2, 12), (Stage::Hand, 0, 0, 12)];
        let places = [(Stage::Place(3), 1, 0, 12), (Stage::Place(2), 2, 0, 12), (Stage::Place(1), 3, 0, 30)];
        assert_eq!(stages, [&first[..], &places].concat());
    }

    #[test]
    fn a_ceremony_of_any_length_keeps_its_time() {
        for (players, awards) in (1..=3).flat_map(|players| (0..=3).map(move |awards| (players, awards))) {
            let rows: Vec<BoardRow> = (1..=players).map(|seat| row(seat, Some(seat))).collect();
            let award = Award { title: "Biggest pot", seats: vec![1], text: "9 chips".to_string() };
            let stages = Ceremony::stages(&rows, &vec![award; awards], None);
            let mut plan = ShowPlan::new(TimeBudget::new(Duration::from_secs(900), 3, Remaining::default()));
            plan.push_ceremony(stages, None, 1.0);
            let takes = |cue| if let Cue::Ceremony(_, takes) = cue { takes } else { Duration::ZERO };
            let all: Duration = std::iter::from_fn(|| plan.pop()).map(takes).sum();
            assert!(all <= DEFAULT_CEREMONY_TIME, "{players} places and {awards} awards take {all:?}");
        }
    }

    #[test]
    fn house_bots_among_others_are_not_announced() {
        let rows = [row(1, None), row(2, Some(1)), row(3, None), row(4, Some(2))];
        let mut plan = ShowPlan::new(TimeBudget::new(Duration::from_secs(60), 4, Remaining::default()));
        plan.push_ceremony(Ceremony::stages(&rows, &[], None), None, 1.0);
        let announced = |cue| match cue {
            Cue::Ceremony(ceremony, _) => Some(ceremony.rows.iter().map(|row| row.seat).collect()),
            _ => None,
        };
        let stages: Vec<Vec<usize>> = std::iter::from_fn(|| plan.pop()).filter_map(announced).collect();
        assert_eq!(stages, [vec![], vec![4], vec![4, 2]], "the hand, and two places");
    }

    #[test]
    fn many_who_leave_in_a_round_have_one_card() {
        let exit = |seat| ExitView {
            seat,
            place: Some(20 - seat),
            players: 20,
            round: 7,
            why: "ran out of chips".to_string(),
            kind: ExitKind::Busted,
            chips: 5,
            took: Vec::new(),
            others: Vec::new(),
        };
        for (count, cards) in [(3, vec![0, 0, 0]), (4, vec![3]), (10, vec![9])] {
            let mut plan = ShowPlan::new(TimeBudget::new(Duration::from_secs(600), 20, Remaining::default()));
            plan.show_exits_next((1..=count).map(exit).collect(), Duration::ZERO);
            let shown = std::iter::from_fn(|| plan.pop()).filter_map(|cue| match cue {
                Cue::Exit(exit, takes) => Some((exit.others.len(), takes)),
                _ => None,
            });
            let (others, times): (Vec<_>, Vec<_>) = shown.unzip();
            assert_eq!(others, cards);
            assert!(times.iter().sum::<Duration>() <= MAX_EXITS_TIME, "{times:?}");
            assert!(times.len() == 1 || times[2] == times[0] * 2, "the last one is held: {times:?}");
        }
    }
}
