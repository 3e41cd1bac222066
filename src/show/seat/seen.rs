//! A person's view of its table: the public events as they happen.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use casino_show::rounds::{DisplayStep, DisplaySteps, SeatView, TableView, TournamentInfo};
use casino_show::state::{Page, TableRound};
use casino_stud::cards::Card;
use casino_stud::replay::{PublicEvent, PublicRound};
use casino_stud::stud::Seat;
use casino_stud::table::TableEvent;
use casino_stud::tournament::{Event, Newcomer, NoRecorder, Recorder, TableGame, TableRecorder};
use tokio::sync::watch;

use super::words;

/// The table of a person, and the sentences about it.
pub(crate) struct PersonTable {
    /// The page of that table, as the show's would be.
    pub(crate) page: Page,
    /// The round that is played there, as far as its deal.
    pub(crate) round: TableRound,
    /// The number of the person, from 0.
    pub(crate) me: usize,
    /// The sentences since the person acted.
    pub(crate) said: Vec<String>,
    /// The person's replies since the beginning, as they are sent.
    pub(crate) replied: Vec<String>,
    /// The numbers of players, from 0, whose hole cards the person is shown after the round: its own bots.
    opened: Vec<usize>,
    /// Their hands in the finished round.
    pub(crate) held: Vec<String>,
    /// The end of a round, until it is recorded.
    ending: RoundEnding,
    changed: watch::Sender<()>,
}

/// The end of a round, shown when it is recorded.
#[derive(Default)]
struct RoundEnding {
    events: Vec<PublicEvent>,
    opened: Vec<(Seat, Card)>,
}

impl PersonTable {
    /// The view of the person of this number, from 0, among players of these names.
    pub(crate) fn new(players: Vec<String>, me: usize) -> PersonTable {
        let info = TournamentInfo { players, ..TournamentInfo::default() };
        PersonTable {
            page: Page::at_table(info),
            round: TableRound::default(),
            me,
            said: Vec::new(),
            replied: Vec::new(),
            opened: Vec::new(),
            held: Vec::new(),
            ending: RoundEnding::default(),
            changed: watch::Sender::new(()),
        }
    }

    /// The same view, with the hands of these players, from 0, after each round.
    pub(crate) fn opening(self, opened: Vec<usize>) -> PersonTable {
        PersonTable { opened, ..self }
    }

    /// The view of the person of this number, from 0, in a lesson: with all cards after the round.
    pub(crate) fn lesson(players: Vec<String>, me: usize) -> PersonTable {
        let others = (0..players.len()).filter(|player| *player != me).collect();
        PersonTable::new(players, me).opening(others)
    }

    /// A receiver that is notified of each change of the view.
    pub(crate) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// The table for the person, with its own hole card once it has received it.
    pub(crate) fn own_table(&self, hole: Option<Card>) -> Option<TableView> {
        let mut table = self.page.table.clone()?;
        if let (Some(hole), Some(seat)) = (hole, self.own().map(|seat| seat.at)) {
            table.show_hole(seat, hole);
        }
        Some(table)
    }

    fn open(&mut self, opened: Vec<(Seat, Card)>) {
        let names = self.names().to_vec();
        let Some(table) = self.page.table.as_mut() else { return };
        for (seat, hole) in opened {
            table.show_hole(seat, hole);
            let view = table.seats.iter().find(|view| view.at == seat);
            self.held.extend(view.and_then(|view| Some(words::held(names.get(view.seat - 1)?, view, hole))));
        }
    }

    /// The table, once something has been dealt.
    pub(crate) fn table(&self) -> Option<&TableView> {
        self.page.table.as_ref()
    }

    /// The names of all players, by number.
    pub(crate) fn names(&self) -> &[String] {
        &self.page.info().players
    }

    pub(crate) fn own(&self) -> Option<&SeatView> {
        self.table()?.seats.iter().find(|seat| seat.seat == self.me + 1)
    }

    /// Moves by an event of the table.
    fn step(&mut self, event: PublicEvent) {
        if let PublicEvent::Dealt(deal) = &event {
            self.said.clear();
            self.held.clear();
            self.round =
                TableRound { round: deal.round, events: vec![event.clone()], ..TableRound::default() };
        }
        let names = self.names().to_vec();
        let step = DisplayStep::Event(event);
        let Some(table) = self.page.step(&self.round, &step, false) else { return };
        let DisplayStep::Event(event) = &step else { return };
        let seat = match event {
            PublicEvent::Opened { opener, .. } => {
                let opener = table.seats.iter().find(|view| view.at == *opener).map(|view| view.seat);
                self.said.push(match opener {
                    Some(number) if number == self.me + 1 => "you show the highest card and open".to_string(),
                    number => {
                        let name = number.and_then(|number| names.get(number - 1));
                        format!("{} shows the highest card and opens", name.map_or("", String::as_str))
                    }
                });
                return;
            }
            PublicEvent::Bet { seat, .. }
            | PublicEvent::Fold { seat, .. }
            | PublicEvent::StaysIn(seat)
            | PublicEvent::ForcedFold(seat)
            | PublicEvent::Foul { seat, .. }
            | PublicEvent::Left { seat, .. } => *seat,
            PublicEvent::Dealt(_) | PublicEvent::Won { .. } | PublicEvent::Ended(_) => return,
        };
        let view = table.seats.iter().find(|view| view.at == seat);
        let Some(view) = view else { return };
        if view.seat == self.me + 1 {
            self.said.clear();
            self.replied.extend(match event {
                PublicEvent::Bet { chips, .. } => Some(format!("bet:{chips}")),
                PublicEvent::Fold { .. } => Some("fold".to_string()),
                _ => None,
            });
        } else if let Some(name) = names.get(view.seat - 1) {
            self.said.push(format!("{name} {}", view.word));
        }
    }
}

/// Looks at the table where the person sits.
pub(crate) struct SeenRecorder(pub(crate) Arc<Mutex<PersonTable>>);

/// Looks at the events of that table.
struct PersonTableRecorder {
    seen: Arc<Mutex<PersonTable>>,
    round: PublicRound,
    steps: DisplaySteps,
    /// The end of the round, which is seen when it is recorded.
    ending: RoundEnding,
}

pub(crate) fn lock(seen: &Mutex<PersonTable>) -> MutexGuard<'_, PersonTable> {
    // The view is only drawn: a panic elsewhere spoils at most a picture.
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder for SeenRecorder {
    fn for_table(&mut self, table: &TableGame) -> Box<dyn TableRecorder> {
        if table.seat_of(lock(&self.0).me).is_none() {
            return Box::new(NoRecorder);
        }
        let seen = Arc::clone(&self.0);
        Box::new(PersonTableRecorder {
            seen,
            round: PublicRound::default(),
            steps: DisplaySteps::default(),
            ending: RoundEnding::default(),
        })
    }

    fn commit(&mut self) -> io::Result<()> {
        let mut seen = lock(&self.0);
        let RoundEnding { events, opened } = std::mem::take(&mut seen.ending);
        events.into_iter().for_each(|event| seen.step(event));
        seen.open(opened);
        seen.changed.send_replace(());
        Ok(())
    }

    fn entry(&mut self, _event: &Event, newcomer: &Newcomer) -> io::Result<()> {
        lock(&self.0).page.enter(newcomer.player.name.clone());
        Ok(())
    }
}

impl TableRecorder for PersonTableRecorder {
    fn event(&mut self, table: &TableGame, event: &TableEvent) -> io::Result<()> {
        if matches!(event, TableEvent::Dealt { .. }) {
            self.steps = DisplaySteps::default();
        }
        let is_end = *event == TableEvent::Ended;
        let (seen, ending) = (&self.seen, &mut self.ending);
        self.steps.push(self.round.push(table, event), |step| match step {
            DisplayStep::Event(event) if is_end => ending.events.push(event),
            DisplayStep::Event(event) => {
                let mut seen = lock(seen);
                seen.step(event);
                seen.changed.send_replace(());
            }
            DisplayStep::War(_) | DisplayStep::Rest => {}
        });
        if is_end {
            let round = table.table().round();
            let seats =
                lock(seen).opened.iter().filter_map(|player| table.seat_of(*player)).collect::<Vec<_>>();
            let dealt = seats.into_iter().filter(|seat| round.dealt().contains(*seat));
            ending.opened.extend(dealt.map(|seat| (seat, round.hole(seat))));
        }
        Ok(())
    }

    fn hand_over(&mut self) {
        lock(&self.seen).ending = std::mem::take(&mut self.ending);
    }
}
