//! Who keeps and shows what happens at an event of many tables.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::cards::Seed;
use crate::journal::{Header, Journal, TableJournal};
use crate::replay::TournamentInfo;
use crate::stud::Seat;
use crate::table::TableEvent;
use crate::tournament::{Event, EventRecorder, Player, Recorder, TableGame};
use crate::web::{EventPublisher, Room, TablePublisher};

use super::Output;
use super::tournament_info::members;

/// How many of the leaders are named after a level.
const LEADERS: usize = 5;

/// What the room is told when an event begins.
pub(crate) struct EventStart {
    /// Which tournament of the day this is, from 1.
    pub(crate) number: u32,
    pub(crate) journal: Option<PathBuf>,
    pub(crate) folder: PathBuf,
}

/// The journal, the page and the terminal of an event.
pub(crate) struct DayRecorders {
    players: Vec<Player>,
    journal: Option<Journal>,
    gallery: Option<EventPublisher>,
    show: Option<Output>,
}

/// What is kept and shown of one table.
pub(crate) struct TableRecorders {
    lines: Option<TableJournal>,
    window: Option<TablePublisher>,
}

impl DayRecorders {
    pub(crate) fn new(
        header: &Header,
        seed: &Seed,
        journal: Option<Journal>,
        room: Option<Arc<Room>>,
        beginning: EventStart,
        show: Option<Output>,
    ) -> DayRecorders {
        let gallery = room.map(|room| {
            let programme = TournamentInfo::new(header, seed, beginning.number);
            room.begin_event(programme, members(header), beginning.journal, Some(beginning.folder))
        });
        DayRecorders { players: header.roster(), journal, gallery, show }
    }

    /// What is kept also after the event is over.
    pub(crate) fn close(self) -> Vec<Box<dyn Recorder>> {
        self.journal.into_iter().map(|journal| Box::new(journal) as Box<dyn Recorder>).collect()
    }

    /// Shows the room an event that goes on in the middle.
    pub(crate) fn go_on(&mut self, event: &Event) {
        if let Some(gallery) = &mut self.gallery {
            gallery.level(event);
        }
    }

    /// Says how the last level went and what the next one is.
    fn tell(&mut self, event: &Event) -> io::Result<()> {
        let Some(output) = &mut self.show else { return Ok(()) };
        let mut lines = Vec::new();
        if let Some((level, _)) = event.history().last() {
            let standings = event.standings();
            let leaders = standings.places().iter().take(LEADERS).map(|standing| {
                let name = &self.players[standing.player].name;
                match standing.points {
                    Some(points) => format!("{name} {points} points"),
                    None => format!("{name} {}", standing.chips),
                }
            });
            lines.push(format!(
                "    after level {}: {}",
                level.number,
                leaders.collect::<Vec<_>>().join(", ")
            ));
        }
        if let (Some(level), false) = (event.level(), event.is_over()) {
            let tables = event.tables().len();
            let playing: usize = event.tables().iter().map(|table| table.players().len()).sum();
            let of_series = match event.plan().series {
                1 => String::new(),
                series => format!("tournament {} of {series}, ", level.tournament),
            };
            lines.push(format!(
                "{of_series}level {:>3}, rounds {} to {}: {playing} players at {tables} table{}, the ante is {}",
                level.number,
                level.first_round,
                level.last_round(),
                if tables == 1 { "" } else { "s" },
                level.ante
            ));
        }
        let told = lines.iter().try_for_each(|line| output.line(line)).and_then(|()| output.flush());
        told.map_err(|failure| failure.into_io())
    }
}

impl EventRecorder for DayRecorders {
    type TableRecorder = TableRecorders;

    fn level(&mut self, event: &Event) -> io::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.level(event)?;
        }
        self.go_on(event);
        self.tell(event)
    }

    fn sheet(&mut self, table: &TableGame) -> TableRecorders {
        TableRecorders {
            lines: self.journal.as_ref().map(|_| TableJournal::new(table)),
            window: self.gallery.as_ref().map(|gallery| gallery.table_publisher(table)),
        }
    }

    fn commit(&mut self, sheets: &mut [&mut TableRecorders]) -> io::Result<()> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let mut lines: Vec<&mut TableJournal> =
            sheets.iter_mut().filter_map(|page| page.lines.as_mut()).collect();
        journal.merge(&mut lines)
    }

    fn over(&mut self, event: &Event) -> io::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.event_over(event)?;
        }
        if let Some(gallery) = &mut self.gallery {
            gallery.over();
        }
        self.tell(event)
    }

    fn pause(&mut self) -> io::Result<()> {
        self.journal.as_mut().map_or(Ok(()), Recorder::pause)
    }

    fn console(&mut self, action: &str) -> io::Result<()> {
        self.journal.as_mut().map_or(Ok(()), |journal| journal.console(action))
    }
}

impl Recorder for TableRecorders {
    fn event(&mut self, tournament: &TableGame, event: &TableEvent) -> io::Result<()> {
        self.lines.event(tournament, event)?;
        self.window.event(tournament, event)
    }

    fn commit(&mut self) -> io::Result<()> {
        self.window.commit()
    }

    fn waiting_for(&mut self, seat: Seat) {
        self.window.waiting_for(seat);
    }

    fn resting(&mut self, tournament: &TableGame) {
        self.window.resting(tournament);
    }

    fn reply_time(&mut self, round: u64, seat: Seat, took: Duration) {
        self.lines.reply_time(round, seat, took);
        self.window.reply_time(round, seat, took);
    }
}
