//! The page shows nothing that is not on the disk, for a failure of any write or sync.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::mpsc::unbounded_channel;

use casino_host::{ConnectionLimits, EventHost, SeatedPlayer};
use casino_show::state::TableTally;
use casino_stud::cards::Seed;
use casino_stud::journal::{Durability, Header, Journal, JournalLine, PlayerSource, Reader, Store, Terms};
use casino_stud::strategies::HOUSE;
use casino_stud::tournament::{Entrant, EventPlan, Format, Recorder, Roster};

use super::messages::{PageMessage, Requests};
use super::publisher::EventPublisher;
use crate::session::Replies;

/// A disk whose `fails_at`-th call fails, from 1.
#[derive(Clone, Default)]
struct Disk(Arc<Mutex<Inside>>);

#[derive(Default)]
struct Inside {
    bytes: Vec<u8>,
    synced: usize,
    calls: usize,
    fails_at: usize,
}

impl Disk {
    fn call(&self) -> io::Result<MutexGuard<'_, Inside>> {
        let mut inside = self.0.lock().unwrap();
        inside.calls += 1;
        if inside.calls == inside.fails_at { Err(io::Error::other("the disk fails")) } else { Ok(inside) }
    }
}

impl Store for Disk {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.call()?.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut inside = self.call()?;
        inside.synced = inside.bytes.len();
        Ok(())
    }
}

#[derive(Debug, Default, PartialEq, Eq)]
struct KnownRounds {
    /// Tables and rounds that were played to their end.
    rounds: BTreeSet<(u32, u64)>,
    /// How often a player left a table.
    exits: usize,
    levels: u64,
    is_over: bool,
}

impl KnownRounds {
    fn of_journal(journal: &[u8]) -> KnownRounds {
        let mut known = KnownRounds::default();
        let mut at = 0;
        let Ok(lines) = Reader::new(journal) else { return known };
        for entry in lines {
            match entry.unwrap().line {
                JournalLine::Deal { table, .. } => at = table,
                JournalLine::End { round, .. } => drop(known.rounds.insert((at, round))),
                JournalLine::Left { .. } => known.exits += 1,
                JournalLine::Level { level, .. } => known.levels = level,
                JournalLine::Over { .. } => known.is_over = true,
                _ => {}
            }
        }
        known
    }

    fn hear(&mut self, message: PageMessage) {
        let tally = |known: &mut KnownRounds, tally: &TableTally| {
            known.exits += tally.exits.len();
            if tally.round > 0 {
                known.rounds.insert((tally.table, tally.round));
            }
        };
        match message {
            PageMessage::Dealer(rounds) => {
                for round in rounds {
                    self.rounds.insert((round.table, round.round));
                    tally(self, &round.before);
                    tally(self, &round.after);
                }
            }
            PageMessage::Level(level) => self.levels = level.hall.map_or(1, |hall| hall.level),
            PageMessage::Decided(_) | PageMessage::End(_) => self.is_over = true,
            other => panic!("a dealer does not say {other:?}"),
        }
    }

    fn comes_from(&self, other: &KnownRounds) -> bool {
        self.rounds.is_subset(&other.rounds)
            && self.exits <= other.exits
            && self.levels <= other.levels
            && self.is_over <= other.is_over
    }
}

/// Plays seven house bots at one table or at tables of three on a disk that fails. Returns the messages to the page and
/// the disk.
async fn play(seats: Option<usize>, fails_at: usize) -> (io::Result<()>, KnownRounds, Disk) {
    let seed = Seed::chosen("a page and a disk");
    let entrant = |number: usize| Entrant::new(format!("id-{number}"), format!("P{number}"));
    let roster = Roster::new(&(0..7).map(entrant).collect::<Vec<_>>(), &seed);
    let plan = seats.map_or_else(EventPlan::single_table, |seats| EventPlan {
        format: Format::default(),
        seats,
        level_rounds: Some(5),
        antes: vec![2, 6],
        series: 1,
        late_entry: None,
    });
    let terms = Terms { plan, ..Terms::single_table(40, 14) };
    let header = Header::new(
        terms,
        &seed,
        roster.players().iter().map(|player| (player.clone(), PlayerSource::Remote)),
    );
    let disk = Disk::default();
    disk.0.lock().unwrap().fails_at = fails_at;
    let (messages, mut received) = unbounded_channel();
    let requests: Arc<Requests> = Arc::default();
    requests.want_every();
    let ended = async {
        let journal = Journal::begin(Box::new(disk.clone()), header.clone(), Durability::EveryRound)?;
        let mut event = header.event().unwrap();
        let replies = Arc::new(Replies::new(7));
        let publisher = EventPublisher::new(messages, requests, replies, Vec::new());
        let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(journal), Box::new(publisher)];
        let bot = |player: usize| HOUSE[player % HOUSE.len()].seated(&format!("P{player}"), &seed);
        let seats = (0..7).map(|player| SeatedPlayer::House(Box::new(bot(player))));
        let host = EventHost::new(seats.collect(), ConnectionLimits::default());
        host.play(&mut event, &mut recorders, || false).await.map(|_| ())
    };
    let ended = ended.await;
    let mut heard = KnownRounds::default();
    while let Ok(message) = received.try_recv() {
        heard.hear(message);
    }
    (ended, heard, disk)
}

#[test]
fn the_page_receives_nothing_that_is_not_on_disk() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build();
    let runtime = runtime.unwrap();
    for seats in [None, Some(3)] {
        let (ended, heard, disk) = runtime.block_on(play(seats, 0));
        ended.unwrap();
        let inside = disk.0.lock().unwrap();
        let everything = KnownRounds::of_journal(&inside.bytes);
        assert_eq!(heard, everything, "undisturbed, the page hears of everything");
        assert!(everything.is_over && everything.exits > 0 && everything.rounds.len() > 10);
        let mut told = BTreeSet::new();
        for call in 1..=inside.calls {
            let (ended, heard, disk) = runtime.block_on(play(seats, call));
            assert_eq!(ended.unwrap_err().to_string(), "the disk fails");
            let inside = disk.0.lock().unwrap();
            let sure = KnownRounds::of_journal(&inside.bytes[..inside.synced]);
            assert!(heard.comes_from(&sure), "call {call}: the page knows {heard:?}, the disk {sure:?}");
            told.insert(heard.rounds.len());
        }
        assert!(told.len() > 5, "the later the disk fails, the more was told: {told:?}");
    }
}
