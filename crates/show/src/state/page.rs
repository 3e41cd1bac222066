//! The state of the page: plain data, changed freely by the show. It contains no secret: no type of this file has a
//! field for a GitHubId, and the seed is set only when it is revealed.

use serde::Serialize;

use casino_stud::stud::Chips;
use casino_stud::tournament::{Point, Race};

use super::{
    Ceremony, ExitView, Followed, LobbyView, PlayerExit, PlayerPage, PredictionsView, Programme, ShowView,
    TableTally, ToldNews,
};
use crate::rounds::{BoardRow, TableView, TournamentInfo};

const MAX_NEWS: usize = 200;

/// The phase of the day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Players gather.
    #[default]
    Lobby,
    /// Rounds are played and shown.
    Playing,
    /// The dealer waits for the teacher.
    Paused,
    /// The tournament is decided, and its last round is being shown.
    Finale,
    /// The winners are announced, one after the other.
    Ceremony,
    /// The winners have been announced.
    Over,
}

/// The tables of an event, as they stand in its level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HallView {
    /// The level, from 1.
    pub level: u64,
    /// The number of the tournament in a series, from 1.
    pub tournament: u32,
    /// How many tournaments the series has.
    #[serde(default, skip_serializing_if = "is_one")]
    pub series: u32,
    /// The first round of the level.
    pub first_round: u64,
    /// The ante in chips.
    pub ante: Chips,
    /// Whether who is out of chips plays again in the next level.
    #[serde(skip)]
    pub forgives: bool,
    /// All tables, by number.
    pub tables: Vec<HallTable>,
    /// The table that is shown round by round.
    pub featured: Option<u32>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_one(series: &u32) -> bool {
    *series == 1
}

/// A table of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HallTable {
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
    /// Whether its level is over.
    pub done: bool,
}

/// The standings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Scoreboard {
    /// Rounds played so far.
    pub round: u64,
    /// Rounds a second, at present.
    pub rate: f64,
    /// The players, best first.
    pub rows: Vec<BoardRow>,
}

/// A sentence of the news.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewsItem {
    /// The kind: `round`, `exit`, `foul`, `level` or `day`.
    pub kind: &'static str,
    /// The sentence that is shown.
    pub text: String,
}

/// The latest news, the oldest first.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct News {
    items: Vec<NewsItem>,
    #[serde(skip)]
    count: usize,
}

impl News {
    /// Adds a sentence of this kind, and drops the oldest where there are too many.
    pub fn add(&mut self, kind: &'static str, text: String) {
        if self.items.len() == MAX_NEWS {
            self.items.remove(0);
        }
        self.items.push(NewsItem { kind, text });
        self.count += 1;
    }

    /// Counts as many as the other has, and returns those of its items that were not counted before.
    pub fn follow<'a>(&mut self, newer: &'a News) -> &'a [NewsItem] {
        let added = newer.count.saturating_sub(self.count).min(newer.items.len());
        self.count = newer.count;
        &newer.items[newer.items.len() - added..]
    }
}

/// The whole page. [`PublishedPage`](super::PublishedPage) finds the changes and sends them to viewers.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Page {
    /// The phase of the day.
    pub phase: Phase,
    /// The players who gather.
    pub lobby: LobbyView,
    /// How the tournament is shown.
    pub show: ShowView,
    /// The tournament.
    pub programme: Programme,
    /// The table on show.
    pub table: Option<TableView>,
    /// The tables of the event, where there can be several.
    pub hall: Option<HallView>,
    /// The standings.
    pub board: Scoreboard,
    /// The chips of all players over the rounds.
    #[cfg_attr(test, ts(type = "Race"))]
    pub race: Race,
    /// The latest news.
    #[cfg_attr(test, ts(type = "NewsItem[]"))]
    pub news: News,
    /// The final standings, best first.
    pub podium: Vec<BoardRow>,
    /// The exit that is being looked at.
    pub exit: Option<ExitView>,
    /// The stage of the ceremony on show.
    pub ceremony: Option<Ceremony>,
    /// The predictions of the audience.
    pub predictions: PredictionsView,
    /// The last rounds of each player that have been shown.
    #[serde(skip)]
    pub followed: Followed,
    /// What the news of the tournament have told.
    #[serde(skip)]
    pub(super) told: ToldNews,
}

impl Page {
    /// A page on which one table is played.
    pub fn at_table(info: TournamentInfo) -> Page {
        let mut page = Page::default();
        page.begin(info);
        page
    }

    /// A new tournament begins: everything of the last one goes but the news.
    pub fn begin(&mut self, info: TournamentInfo) {
        let stacks = vec![info.stack; info.players.len()];
        let row = |(index, chips): (usize, &Chips)| BoardRow {
            seat: index + 1,
            place: info.placing.has_place(index).then_some(1),
            chips: *chips,
            points: None,
            left_in_round: None,
            why: None,
            fouls: None,
        };
        self.board = Scoreboard { round: 0, rate: 0.0, rows: stacks.iter().enumerate().map(row).collect() };
        self.race = Race::from_start(stacks);
        self.followed = Followed::of(info.players.len());
        self.programme.info = info;
        self.told = ToldNews::default();
        (self.table, self.hall, self.exit, self.ceremony) = (None, None, None, None);
        self.podium.clear();
        self.phase = Phase::Playing;
    }

    /// A player comes in late, after all others.
    pub fn enter(&mut self, name: String) {
        self.programme.info.enter(name);
        self.followed.enter();
    }

    /// Whether several tables are played.
    pub fn has_tables(&self) -> bool {
        self.hall.as_ref().is_some_and(|hall| hall.tables.len() > 1)
    }

    /// The tournament on show.
    pub fn info(&self) -> &TournamentInfo {
        &self.programme.info
    }

    /// How many players have places.
    pub fn placed(&self) -> usize {
        self.info().placing.placed(self.info().players.len())
    }

    fn name_of(&self, row: &BoardRow) -> &str {
        self.info().players.get(row.seat - 1).map(String::as_str).unwrap_or_default()
    }

    /// The sentence about a player without chips who plays again in the next level.
    pub fn level_exit_sentence(&self, row: &BoardRow) -> String {
        let round = row.left_in_round.unwrap_or(0);
        format!("{} has lost its chips of this level in round {round}.", self.name_of(row))
    }

    /// The sentence about a player who left.
    pub fn exit_sentence(&self, row: &BoardRow) -> String {
        let name = self.name_of(row);
        let (round, why) = (row.left_in_round.unwrap_or(0), row.why.as_deref().unwrap_or_default());
        format!("{name} is out in round {round}: {why}.")
    }

    /// Adds the chips of all players on the board to the race, as of this round.
    pub fn add_board_to_race(&mut self, round: u64) {
        let stacks = stacks_of(&self.board.rows, self.info().players.len());
        self.race.push(Point { round, stacks });
    }

    /// Adds the stacks after this round to the race: those of all players if all tables are known round by round, and
    /// otherwise those of the only table.
    pub fn add_to_race<'a>(
        &mut self,
        round: u64,
        in_step: bool,
        tallies: impl IntoIterator<Item = &'a TableTally>,
    ) {
        if in_step || self.hall.is_some() {
            self.add_board_to_race(round);
        } else {
            tallies
                .into_iter()
                .flat_map(|tally| &tally.points)
                .for_each(|point| self.race.push(point.clone()));
        }
    }

    /// The view for followers of this player, 1-based; `None` if there is no such player.
    pub fn player_page(&self, seat: usize) -> Option<PlayerPage> {
        let index = seat.checked_sub(1)?;
        let name = self.info().players.get(index)?.clone();
        let row = self.board.rows.iter().find(|row| row.seat == seat)?;
        let exit = row.left_in_round.map(|round| PlayerExit {
            round,
            why: row.why.clone().unwrap_or_default(),
            place: row.place,
        });
        let table = match &self.hall {
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
            players: self.placed(),
            exit,
            rounds: self.followed.of_player(index),
        })
    }
}

/// The chips of all players of the board, in the order of their numbers.
fn stacks_of(rows: &[BoardRow], players: usize) -> Vec<Chips> {
    let mut stacks = vec![0; players];
    for row in rows {
        if let Some(stack) = stacks.get_mut(row.seat - 1) {
            *stack = row.chips;
        }
    }
    stacks
}
