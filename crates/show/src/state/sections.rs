//! Sections of the page about the show itself: its clock, exits, the ceremony, and the view of one player.

use std::collections::VecDeque;

use serde::Serialize;

use casino_stud::replay::ExitKind;
use casino_stud::stud::Chips;
use casino_stud::tournament::HoleCards;

use super::FinishedTournament;
use crate::rounds::{Award, BoardRow, TournamentInfo};

const MAX_KEPT_ROUNDS: usize = 10;

/// How rounds are being shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ShowMode {
    /// One round, step by step.
    Detail,
    /// Many rounds, as a montage of stacks.
    Montage,
    /// The players of the last of several tables, before its first round.
    LastTable,
    /// The dealer has not played the next round yet.
    #[default]
    Waiting,
}

/// How the tournament is shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShowView {
    /// How long the tournament is shown, in minutes; `None` if the dealer never waits.
    pub minutes: Option<u32>,
    /// How long the show still takes, in seconds.
    pub seconds_left: Option<u64>,
    /// How rounds are being shown.
    pub mode: ShowMode,
    /// Why this round is shown, in a few words.
    pub headline: Option<String>,
    /// How long phones may still predict, in seconds, while they may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closes_in: Option<u64>,
    /// The person whom the table waits for, once nothing has come for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub awaited: Option<String>,
    /// How many rounds are left before the time is over, once that is known: then the places count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_rounds: Option<u64>,
    /// How many rounds pass in a second.
    pub rounds_per_second: f64,
    /// The duration of an interruption after which the tournament resumes, in seconds, while the notice is shown.
    pub interrupted: Option<u64>,
}

/// The terms of the tournament, and the settings of the show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Programme {
    /// The terms of the tournament.
    #[serde(flatten)]
    pub info: TournamentInfo,
    /// When the room sees hole cards.
    #[cfg_attr(test, ts(type = "HoleCards"))]
    pub holes: HoleCards,
    /// Whether the page has sounds.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sounds: bool,
}

/// A player who left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExitView {
    /// The player's number, from 1.
    pub seat: usize,
    /// The place, from 1; `None` for a house bot that has none among others, and where all play again in the next level.
    pub place: Option<usize>,
    /// How many players have places.
    pub players: usize,
    /// The round in which the player left.
    pub round: u64,
    /// The reason in plain words.
    pub why: String,
    /// The kind of reason.
    #[cfg_attr(test, ts(type = "ExitKind"))]
    pub kind: ExitKind,
    /// The chips the player had at the beginning of the round.
    pub chips: Chips,
    /// The winners of the pot of that round and their chips.
    pub took: Vec<Taker>,
    /// Those who left in the same round, if they are announced together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<ExitView>,
}

/// The winners of a pot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Taker {
    /// The player's number, from 1.
    pub seat: usize,
    /// The chips from the pot.
    pub chips: Chips,
}

/// A stage of the ceremony.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// The winners of a tournament of a series, before the next one.
    Tournament,
    /// The standings after a tournament of a series, before the next one.
    Standings,
    /// The awards.
    Awards,
    /// The hand that decided the tournament, shown again at its table.
    Hand,
    /// Everything at once, after the ceremony.
    Done,
    /// The players of this place are announced: 3, 2 or 1.
    #[serde(untagged)]
    Place(usize),
}

/// The ceremony so far, or the scene between two tournaments of a series.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Ceremony {
    /// How far it is.
    #[cfg_attr(test, ts(type = r#"3 | 2 | 1 | "awards" | "hand" | "done" | "tournament" | "standings""#))]
    pub stage: Stage,
    /// The places announced so far, third place first; or the winners of a tournament of a series, or the standings
    /// after it.
    pub rows: Vec<BoardRow>,
    /// The awards given so far.
    pub awards: Vec<Award>,
    /// The finished tournament of the series that the scene is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<SeriesPart>,
}

/// A tournament of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SeriesPart {
    /// Its number, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl Ceremony {
    /// The scene after a tournament of a series: its winner, or the standings after it.
    pub fn of_tournament(stage: Stage, rows: Vec<BoardRow>, tournament: SeriesPart) -> Ceremony {
        Ceremony { stage, rows, awards: Vec::new(), tournament: Some(tournament) }
    }

    /// The whole ceremony: the winner of the last tournament of a series, the awards one after the other, the hand that
    /// decided the tournament, and the third, second and first place.
    pub fn stages(
        rows: &[BoardRow],
        awards: &[Award],
        finished: Option<&FinishedTournament>,
    ) -> Vec<Ceremony> {
        let won = |finished: &FinishedTournament| {
            Ceremony::of_tournament(Stage::Tournament, finished.winners.clone(), finished.part)
        };
        let mut stages: Vec<Ceremony> = finished.map(won).into_iter().collect();
        let scene = |stage, rows, awards| Ceremony { stage, rows, awards, tournament: None };
        let first = |given| scene(Stage::Awards, Vec::new(), awards[..given].to_vec());
        stages.extend((1..=awards.len()).map(first));
        stages.push(scene(Stage::Hand, Vec::new(), Vec::new()));
        let mut announced: Vec<BoardRow> = Vec::new();
        for place in [3, 2, 1] {
            let before = announced.len();
            announced.extend(rows.iter().filter(|row| row.place == Some(place)).cloned());
            if announced.len() > before {
                stages.push(scene(Stage::Place(place), announced.clone(), Vec::new()));
            }
        }
        stages
    }
}

/// A round that a player was dealt in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FollowedRound {
    /// The number of the round, from 1.
    pub round: u64,
    /// The chips won or lost.
    pub change: i64,
    /// The chips after it.
    pub chips: Chips,
    /// The player's achievement, in a few words.
    pub text: String,
}

/// The last rounds of every player that have been shown.
#[derive(Clone, Debug, Default)]
pub struct Followed(Vec<VecDeque<FollowedRound>>);

impl Followed {
    /// No rounds yet, for so many players.
    pub fn of(players: usize) -> Followed {
        Followed(vec![VecDeque::new(); players])
    }

    /// A player comes in late, after all others.
    pub fn enter(&mut self) {
        self.0.push(VecDeque::new());
    }

    /// Adds a round of a player, from 0.
    pub fn push(&mut self, player: usize, round: FollowedRound) {
        let Some(rounds) = self.0.get_mut(player) else { return };
        if rounds.len() == MAX_KEPT_ROUNDS {
            rounds.pop_back();
        }
        rounds.push_front(round);
    }

    /// The rounds of a player, from 0, the newest first.
    pub fn of_player(&self, player: usize) -> Vec<FollowedRound> {
        self.0.get(player).map(|rounds| rounds.iter().cloned().collect()).unwrap_or_default()
    }
}

/// The view for a player's followers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerPage {
    /// The player's number, from 1.
    pub seat: usize,
    /// The name everyone sees.
    pub name: String,
    /// The table at which it sits.
    pub table: Option<u32>,
    /// The chips of the player.
    pub chips: Chips,
    /// Its place, from 1; `None` for a house bot that has none among others.
    pub place: Option<usize>,
    /// How many players have places.
    pub players: usize,
    /// How it left.
    pub exit: Option<PlayerExit>,
    /// The last rounds it was dealt in, the newest first.
    pub rounds: Vec<FollowedRound>,
}

/// How a player left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayerExit {
    /// The round in which the player left.
    pub round: u64,
    /// The reason in plain words.
    pub why: String,
    /// The place, from 1; `None` for a house bot that has none among others.
    pub place: Option<usize>,
}
