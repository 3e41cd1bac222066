//! What the page shows, and how it changes. Nothing in here is secret: no type of this file has room for a
//! GitHubId, and a seed comes in only when it is revealed.

use serde::Serialize;

use casino_stud::replay::{BoardRow, TableView, TournamentInfo};
use casino_stud::stud::Chips;
use casino_stud::tournament::{Point, Race};

use super::predictions::PredictionsView;
use super::qr::QrCode;
use super::sections::{
    Ceremony, ExitView, Followed, FollowedRound, PlayerExit, PlayerPage, Programme, ShowView,
};
use super::show_settings::HoleCards;

const NEWS: usize = 200;

/// The phase of the day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    #[default]
    Lobby,
    Playing,
    /// The dealer waits for the teacher.
    Paused,
    /// The tournament is decided, and its last round is being shown.
    Finale,
    /// The winners are announced, one after the other.
    Ceremony,
    Over,
}

/// The players who have come in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LobbyView {
    /// How many players there will be.
    pub wanted: usize,
    /// Everybody who is in.
    pub guests: Vec<GuestView>,
    /// The names of those who played in the tournament before and are not in yet.
    pub awaited: Vec<String>,
    /// Where programs connect, as it is typed: the best line first.
    pub connect: Vec<String>,
    /// The address of the page itself.
    pub page_url: Option<String>,
    /// The same as a picture for phones; nothing if they cannot reach it.
    pub qr: Option<QrCode>,
    /// What is played when it begins, in words.
    pub next: Option<String>,
    /// Who is missing from the roster, if there is one.
    pub roster: Option<RosterView>,
    /// Whether a tournament that was interrupted is gone on with.
    pub resumed: bool,
}

/// The roster as everybody may see it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RosterView {
    /// The names of those who are not in yet.
    pub missing: Vec<String>,
}

/// A player in the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GuestView {
    /// The name everyone sees.
    pub name: String,
    /// Whether the connection stands.
    pub connected: bool,
    /// Whether it is a bot of the house.
    pub house: bool,
}

/// The tables of an event, as they stand in its level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct EventView {
    /// The level, from 1.
    pub level: u64,
    /// The number of the tournament in a series, from 1.
    pub tournament: u32,
    /// The first round of the level.
    pub first_round: u64,
    /// The last round that can be played in it.
    pub last_round: u64,
    /// The ante in chips.
    pub ante: Chips,
    /// All tables, by number.
    pub tables: Vec<EventTable>,
    /// The table that is shown round by round.
    pub featured: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct EventTable {
    /// The number of the table, from 1.
    pub table: u32,
    /// The last round played there; 0 before the first.
    pub round: u64,
    /// How many players are in.
    pub playing: usize,
    /// The players' numbers, from 1, seat by seat.
    pub players: Vec<usize>,
    /// The chips of the players.
    pub chips: Vec<Chips>,
    /// How the round ended that was shown last.
    pub last: Option<String>,
    /// Whether its level is over.
    pub done: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Board {
    /// Rounds played so far.
    pub round: u64,
    /// Rounds a second, at present.
    pub rate: f64,
    /// The players, best first.
    pub rows: Vec<BoardRow>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct NewsItem {
    /// The kind: `round`, `exit`, `foul`, `level` or `day`.
    pub kind: &'static str,
    /// The sentence that is shown.
    pub text: String,
}

/// A part of the page that is sent whole whenever it has changed.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
struct Section<T> {
    value: T,
    #[serde(skip)]
    changed: bool,
}

impl<T: PartialEq> Section<T> {
    /// The value, which is about to be changed.
    fn edit(&mut self) -> &mut T {
        self.changed = true;
        &mut self.value
    }

    /// Takes a value, which may be the same as before.
    fn set(&mut self, value: T) {
        self.changed |= self.value != value;
        self.value = value;
    }

    /// The value if it has changed since the last call.
    fn take_change(&mut self) -> Option<&T> {
        std::mem::take(&mut self.changed).then_some(&self.value)
    }
}

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Page {
    /// The number of the last change.
    n: u64,
    phase: Section<Phase>,
    lobby: Section<LobbyView>,
    show: Section<ShowView>,
    programme: Section<Programme>,
    table: Section<Option<TableView>>,
    #[serde(rename = "hall")]
    event: Section<Option<EventView>>,
    board: Section<Board>,
    race: Section<Race>,
    news: Vec<NewsItem>,
    podium: Section<Vec<BoardRow>>,
    exit: Section<Option<ExitView>>,
    ceremony: Section<Option<Ceremony>>,
    predictions: Section<PredictionsView>,
    /// The last rounds of each player that have been shown.
    #[serde(skip)]
    followed: Followed,
    /// From where on viewers have other points of the race, or none.
    #[serde(skip)]
    race_from: Option<usize>,
    /// News that have not been sent.
    #[serde(skip)]
    added_news: Vec<NewsItem>,
}

/// The points of the race from one of them on, which take the place of those that viewers have from there on.
#[derive(PartialEq, Serialize)]
struct RaceTail {
    from: usize,
    points: Vec<Point>,
}

/// A change as it is sent. Sections that changed come whole; of the race there may come its end alone, and news
/// are added.
#[derive(Default, PartialEq, Serialize)]
struct Delta<'a> {
    n: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<&'a Phase>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lobby: Option<&'a LobbyView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    show: Option<&'a ShowView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    programme: Option<&'a Programme>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'a Option<TableView>>,
    #[serde(rename = "hall", skip_serializing_if = "Option::is_none")]
    event: Option<&'a Option<EventView>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<&'a Board>,
    #[serde(skip_serializing_if = "Option::is_none")]
    race: Option<&'a Race>,
    #[serde(skip_serializing_if = "Option::is_none")]
    podium: Option<&'a Vec<BoardRow>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<&'a Option<ExitView>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ceremony: Option<&'a Option<Ceremony>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predictions: Option<&'a PredictionsView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    race_tail: Option<RaceTail>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    added_news: Vec<NewsItem>,
}

impl Page {
    /// The day goes on to another phase.
    pub(super) fn enter(&mut self, phase: Phase) {
        self.phase.set(phase);
    }

    pub(super) fn number(&self) -> u64 {
        self.n
    }

    pub(crate) fn phase(&self) -> Phase {
        self.phase.value
    }

    pub(super) fn show_lobby(&mut self, lobby: LobbyView) {
        self.lobby.set(lobby);
    }

    /// A new tournament begins: everything of the last one goes but the news.
    pub(super) fn begin(&mut self, info: TournamentInfo) {
        let stacks = vec![info.stack; info.players.len()];
        let row = |(index, chips): (usize, &Chips)| BoardRow {
            seat: index + 1,
            place: 1,
            chips: *chips,
            points: None,
            left_in_round: None,
            why: None,
            fouls: None,
        };
        *self.board.edit() =
            Board { round: 0, rate: 0.0, rows: stacks.iter().enumerate().map(row).collect() };
        *self.race.edit() = Race::from_start(stacks);
        self.followed = Followed::of(info.players.len());
        self.programme.edit().info = info;
        *self.table.edit() = None;
        *self.event.edit() = None;
        self.podium.edit().clear();
        self.exit.set(None);
        self.ceremony.set(None);
        self.race_from = None;
        self.enter(Phase::Playing);
    }

    /// Takes the table from the show: where it stands is not known any more.
    pub(super) fn clear_table(&mut self) {
        self.table.set(None);
    }

    pub(crate) fn info(&self) -> &TournamentInfo {
        &self.programme.value.info
    }

    pub(super) fn reveal(&mut self, seed: &str) {
        self.programme.edit().info.seed = Some(seed.to_string());
    }

    pub(super) fn show_table(&mut self, table: TableView) {
        *self.table.edit() = Some(table);
    }

    /// The table on show, which is about to be changed, and the names of all players.
    pub(super) fn table_mut(&mut self) -> Option<(&mut TableView, &[String])> {
        self.table.changed |= self.table.value.is_some();
        self.table.value.as_mut().map(|table| (table, &self.programme.value.info.players[..]))
    }

    /// Shows the tables of another level.
    pub(super) fn show_event(&mut self, event: EventView) {
        *self.event.edit() = Some(event);
    }

    pub(crate) fn event(&self) -> Option<&EventView> {
        self.event.value.as_ref()
    }

    /// The tables of an event, which are about to be changed.
    pub(super) fn event_mut(&mut self) -> Option<&mut EventView> {
        self.event.changed |= self.event.value.is_some();
        self.event.value.as_mut()
    }

    pub(super) fn show_board(&mut self, board: Board) {
        self.board.set(board);
    }

    pub(crate) fn board(&self) -> &Board {
        &self.board.value
    }

    /// The sentence about a player who left.
    pub(super) fn exit(&self, row: &BoardRow) -> String {
        let name = self.info().players.get(row.seat - 1).map(String::as_str).unwrap_or_default();
        let (round, why) = (row.left_in_round.unwrap_or(0), row.why.as_deref().unwrap_or_default());
        format!("{name} is out in round {round}: {why}.")
    }

    pub(super) fn add_points(&mut self, points: Vec<Point>) {
        for point in points {
            let stride = self.race.value.stride();
            let from = self.race.value.push(point);
            // A race that has been thinned out is sent whole.
            self.race.changed |= self.race.value.stride() != stride;
            self.race_from =
                from.map(|from| self.race_from.map_or(from, |before| before.min(from))).or(self.race_from);
        }
    }

    pub(super) fn add_news(&mut self, kind: &'static str, text: String) {
        let news = NewsItem { kind, text };
        if self.news.len() == NEWS {
            self.news.remove(0);
        }
        self.news.push(news.clone());
        self.added_news.push(news);
    }

    pub(super) fn show_podium(&mut self, podium: Vec<BoardRow>) {
        *self.podium.edit() = podium;
    }

    pub(super) fn show_show(&mut self, show: ShowView) {
        self.show.set(show);
    }

    pub(crate) fn show(&self) -> &ShowView {
        &self.show.value
    }

    /// Says when the room sees hole cards.
    pub(super) fn show_holes(&mut self, holes: HoleCards) {
        self.programme.set(Programme { holes, ..self.programme.value.clone() });
    }

    pub(super) fn holes(&self) -> HoleCards {
        self.programme.value.holes
    }

    /// Shows that somebody is out; `None` when that has been looked at.
    pub(super) fn show_exit(&mut self, exit: Option<ExitView>) {
        self.exit.set(exit);
    }

    pub(super) fn show_predictions(&mut self, predictions: PredictionsView) {
        self.predictions.set(predictions);
    }

    pub(super) fn show_ceremony(&mut self, ceremony: Ceremony) {
        self.ceremony.set(Some(ceremony));
    }

    /// Adds a round that has been shown to what is known of a player, from 0.
    pub(super) fn follow(&mut self, player: usize, round: FollowedRound) {
        self.followed.push(player, round);
    }

    /// What who follows the player of this number, from 1, is told of it; `None` if there is no such player.
    pub(super) fn player_page(&self, seat: usize) -> Option<PlayerPage> {
        let index = seat.checked_sub(1)?;
        let name = self.info().players.get(index)?.clone();
        let row = self.board().rows.iter().find(|row| row.seat == seat)?;
        let exit = row.left_in_round.map(|round| PlayerExit {
            round,
            why: row.why.clone().unwrap_or_default(),
            place: row.place,
        });
        let table = match self.event() {
            Some(event) => {
                event.tables.iter().find(|table| table.players.contains(&seat)).map(|table| table.table)
            }
            None => Some(1),
        };
        Some(PlayerPage {
            seat,
            name,
            table: table.filter(|_| exit.is_none()),
            chips: row.chips,
            place: row.place,
            players: self.info().players.len(),
            exit,
            rounds: self.followed.of_player(index),
        })
    }

    /// The whole page as JSON, numbered.
    pub(super) fn snapshot(&self) -> String {
        serde_json::to_string(self).expect("a page is plain data")
    }

    /// Counts what changed since the last call as a change that nobody is told of.
    pub(super) fn skip_delta(&mut self) {
        let changed = [
            self.phase.take_change().is_some(),
            self.lobby.take_change().is_some(),
            self.show.take_change().is_some(),
            self.programme.take_change().is_some(),
            self.table.take_change().is_some(),
            self.event.take_change().is_some(),
            self.board.take_change().is_some(),
            self.race.take_change().is_some(),
            self.podium.take_change().is_some(),
            self.exit.take_change().is_some(),
            self.ceremony.take_change().is_some(),
            self.predictions.take_change().is_some(),
            self.race_from.take().is_some(),
            !std::mem::take(&mut self.added_news).is_empty(),
        ];
        self.n += u64::from(changed.contains(&true));
    }

    /// What changed since the last call as numbered JSON; `None` if nothing did.
    pub(super) fn delta(&mut self) -> Option<(u64, String)> {
        let from = self.race_from.take().filter(|_| !self.race.changed);
        let delta = Delta {
            n: self.n + 1,
            phase: self.phase.take_change(),
            lobby: self.lobby.take_change(),
            show: self.show.take_change(),
            programme: self.programme.take_change(),
            table: self.table.take_change(),
            event: self.event.take_change(),
            board: self.board.take_change(),
            race_tail: from.map(|from| RaceTail { from, points: self.race.value.points()[from..].to_vec() }),
            race: self.race.take_change(),
            podium: self.podium.take_change(),
            exit: self.exit.take_change(),
            ceremony: self.ceremony.take_change(),
            predictions: self.predictions.take_change(),
            added_news: std::mem::take(&mut self.added_news),
        };
        if delta == (Delta { n: delta.n, ..Delta::default() }) {
            return None;
        }
        let text = serde_json::to_string(&delta).expect("a page is plain data");
        self.n += 1;
        Some((self.n, text))
    }
}

mod looks;
#[cfg(test)]
mod tests;
