//! Everything the console shows, as JSON.

use serde::Serialize;

use casino_show::rounds::BoardRow;
use casino_show::state::{HallView, Scoreboard};
use casino_stud::tournament::{DaySettings, HoleCards};

use crate::session::{
    AwaitingPlayer, ChairLink, ChairRow, ConsoleDay, ConsoleState, DayPhase, LatePlayer, Member,
    MissingPlayer, PlayerReplyTimes, RefusedClient, State,
};

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Overview {
    #[serde(rename = "hour")]
    phase: DayPhase,
    number: u32,
    /// Whether the tournament ends after this round, or its winners are being announced.
    ending: bool,
    wanted: usize,
    fewest: usize,
    paused: bool,
    pace_ms: u64,
    tempo: u32,
    featured: u32,
    rehearsal: bool,
    /// The length of the show; `None` if the dealer does not wait for it.
    minutes: Option<u32>,
    seconds_left: Option<u32>,
    #[cfg_attr(test, ts(type = "HoleCards"))]
    holes: HoleCards,
    predictions: bool,
    sounds: bool,
    round: u64,
    rate: f64,
    members: Vec<MemberRow>,
    /// Whether only those on a roster may log in.
    roster: bool,
    resumed: bool,
    late_entry: Option<u64>,
    missing: Vec<MissingPlayer>,
    refused: Vec<RefusedClient>,
    /// Whether somebody who is added to the roster can come in, now or to the next tournament.
    may_enter: bool,
    awaiting_approval: Vec<AwaitingPlayer>,
    notices: Vec<String>,
    /// The player that costs the show most time, while it is late.
    late: Option<LatePlayer>,
    actions: Vec<String>,
    revealed: bool,
    viewers: usize,
    /// The chairs for people, and the link that invites to them.
    chairs: Vec<ChairRow>,
    chair_link: Option<ChairLink>,
    tables: usize,
    table_numbers: Vec<u32>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct MemberRow {
    #[serde(flatten)]
    member: Member,
    seat: Option<usize>,
    /// The table of an event at which the player sits in this level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    table: Option<u32>,
    renamed: Option<String>,
    last_reply: Option<String>,
    /// Why the player is removed, if that was ordered.
    removing: Option<String>,
    /// Whether its hands are folded without a question.
    set_aside: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    times: Option<PlayerReplyTimes>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "BoardRow"))]
    row: Option<BoardRow>,
}

/// The numbers of the tables that are in play.
pub(crate) fn tables_in_play(hall: Option<&HallView>) -> Vec<u32> {
    let in_play =
        |hall: &HallView| hall.tables.iter().filter(|table| !table.done).map(|table| table.table).collect();
    hall.map_or_else(|| vec![1], in_play)
}

impl Overview {
    pub(crate) fn of(
        console: &ConsoleState,
        board: &Scoreboard,
        hall: Option<&HallView>,
        is_ceremony: bool,
        viewers: usize,
    ) -> Overview {
        // The settings of a next tournament are there before its lobby is.
        let state = console.state();
        let settings = console.controls().read(DaySettings::clone);
        let phase = state.day.phase();
        let given_up = |player: &MissingPlayer| MissingPlayer {
            given_up: state.given_up.contains(&player.github_id),
            ..player.clone()
        };
        Overview {
            phase,
            number: state.number,
            ending: phase != DayPhase::Lobby && (is_ceremony || settings.is_ended),
            wanted: state.lobby.wanted,
            fewest: state.lobby.fewest(),
            paused: settings.is_paused,
            pace_ms: settings.pace.as_millis() as u64,
            tempo: settings.tempo_percent,
            featured: state.featured,
            rehearsal: state.rehearsal,
            minutes: console.minutes().of_a_show(),
            seconds_left: state.seconds_left,
            holes: settings.holes,
            predictions: settings.predictions,
            sounds: settings.sounds,
            round: board.round,
            rate: board.rate,
            members: member_rows(&state, &settings, board, hall),
            roster: state.lobby.has_roster,
            resumed: state.lobby.resumed,
            late_entry: state.lobby.late_entry,
            missing: state.missing.iter().map(given_up).collect(),
            refused: state.refusals.rows_beside(&state.missing),
            may_enter: state.may_enter(board.round),
            awaiting_approval: state.awaiting.clone(),
            notices: state.notices.sentences(),
            late: state.late,
            actions: state.actions.clone(),
            revealed: matches!(state.day, ConsoleDay::Over { revealed: true, .. }),
            viewers,
            chairs: console.chairs().rows(),
            chair_link: console.chairs().link(),
            tables: hall.map_or(1, |hall| hall.tables.len()),
            table_numbers: tables_in_play(hall),
        }
    }
}

/// The players with everything that is known about each.
fn member_rows(
    state: &State,
    settings: &DaySettings,
    board: &Scoreboard,
    hall: Option<&HallView>,
) -> Vec<MemberRow> {
    let playing = state.day.phase() != DayPhase::Lobby;
    let member = |(index, member): (usize, &Member)| MemberRow {
        member: member.clone(),
        seat: playing.then_some(index + 1),
        table: hall.filter(|_| playing).and_then(|hall| {
            let its = hall.tables.iter().find(|table| table.players.contains(&(index + 1)));
            its.map(|table| table.table)
        }),
        renamed: state.renames.get(&member.github_id).cloned(),
        last_reply: state.last_replies.get(index).cloned().flatten(),
        removing: settings.removals.get(&index).cloned(),
        set_aside: settings.set_aside.contains(&index),
        times: playing.then(|| state.replies.of(index)),
        row: playing.then(|| board.rows.iter().find(|row| row.seat == index + 1).cloned()).flatten(),
    };
    state.members.iter().enumerate().map(member).collect()
}
