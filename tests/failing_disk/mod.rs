//! A failing disk, at any write or sync and in any way: each message is on disk before it is sent, and the journal can
//! be resumed. Real dealers and real sockets; the disk alone is in memory.
//!
//! The suite tries each call in one of the ways. `make failing-disk`, which is
//!
//!     DISK=all cargo test --release --test together failing_disk:: -- --nocapture
//!
//! tries all of them.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "nothing here is outside a test")]

mod platter;

use std::collections::BTreeMap;
use std::io;
use std::thread;
use std::time::Duration;

use casino_host::{Admission, ConnectionLimits, EventHost, Lobby, SeatedPlayer, block_on};
use casino_stud::cards::Seed;
use casino_stud::journal::{Durability, Header, Journal, JournalLine, PlayerSource, Reader};
use casino_stud::replay::{HouseBotStates, HouseBots, JournalEnd, RebuiltTournament, Replay, verify};
use casino_stud::stud::MAX_SEATS;
use casino_stud::table::OnFoul;
use casino_stud::tournament::{Balance, EventPlan, Format};

use crate::support::client::{Told, visit};
use crate::support::{come_in, header, outcome, recorded, whole};

use platter::{Failure, Platter};

/// Of the players who connect, these sooner or later break a rule.
const CARELESS: [&str; 2] = ["hub-1", "hub-2"];

/// A tournament, from its beginning or from the middle.
struct Shape {
    name: String,
    header: Header,
    /// The journal of a host that died.
    left: Vec<u8>,
}

struct Played {
    ended: io::Result<()>,
    told: BTreeMap<String, Told>,
}

impl Shape {
    fn new(name: &str, header: Header) -> Shape {
        Shape { name: name.to_string(), header, left: Vec::new() }
    }

    /// The same tournament, resumed from the remaining part of its journal.
    fn resumed(&self, left: &[u8]) -> Shape {
        let name = format!("{}, resumed after {} bytes", self.name, left.len());
        Shape { name, header: self.header.clone(), left: left.to_vec() }
    }

    /// The tournament rebuilt from a journal that has its first line.
    fn rebuilt(left: &[u8]) -> Option<RebuiltTournament> {
        let lines = Reader::new(left).ok()?;
        Some(Replay::new(lines, HouseBots::Recomputed).unwrap().rebuild().unwrap())
    }

    /// The disk before anything is played: a torn last line has been cut off.
    fn disk(&self, failure: Option<(Failure, usize)>) -> Platter {
        let left = Shape::rebuilt(&self.left).map_or(&[][..], |rebuilt| whole(&self.left, &rebuilt));
        Platter::holding(left, failure)
    }

    /// Plays it to its end or to the failure of this disk, with players on sockets.
    fn play(&self, disk: &Platter) -> Played {
        let store = Box::new(disk.clone());
        let rebuilt = Shape::rebuilt(&self.left);
        if rebuilt.as_ref().is_some_and(|rebuilt| rebuilt.is_finished) {
            return Played { ended: Ok(()), told: BTreeMap::new() };
        }
        let begun = match &rebuilt {
            None => Journal::begin(store, self.header.clone(), Durability::EveryRound),
            Some(rebuilt) => Journal::go_on(store, &rebuilt.resume_point(), Durability::EveryRound),
        };
        let seed = self.header.seed().unwrap();
        let (mut event, house) = match rebuilt {
            None => (self.header.event().unwrap(), HouseBotStates::new(&self.header, &seed)),
            Some(rebuilt) => (rebuilt.event, rebuilt.house),
        };
        let mut journal = match begun {
            Ok(journal) => journal,
            Err(error) => return Played { ended: Err(error), told: BTreeMap::new() },
        };
        let limits = ConnectionLimits { reply: Duration::from_secs(60), ..ConnectionLimits::default() };
        let mut clients = Vec::new();
        let ended = block_on(async {
            let mut seated: Vec<SeatedPlayer> = house
                .players
                .into_iter()
                .map(|bot| bot.map_or(SeatedPlayer::Gone, |bot| SeatedPlayer::House(Box::new(bot))))
                .collect();
            let is_remote = |player: &usize| self.header.players[*player].plays == PlayerSource::Remote;
            let playing = if event.is_played_out() { Vec::new() } else { event.playing_on() };
            let remote: Vec<usize> = playing.into_iter().filter(is_remote).collect();
            let mut lobby = Lobby::bind(([127, 0, 0, 1], 0).into(), limits).await?;
            let address = lobby.address()?;
            for player in &remote {
                let id = self.header.players[*player].github_id.clone();
                let careless = CARELESS.contains(&&*id);
                let life = move || {
                    let mut told = Vec::new();
                    // The host may close the connection without a message.
                    let _ = visit(address, &id, careless, &mut told);
                    (id, told)
                };
                clients.push(thread::Builder::new().stack_size(256 * 1024).spawn(life)?);
            }
            let guests = lobby.gather(remote.len(), |_, _| Admission::Welcome, |_| {}).await;
            let _doors = lobby.close(|_| {});
            for guest in guests {
                let mut players = self.header.players.iter();
                let seat = players.position(|player| player.github_id == guest.login.github_id).unwrap();
                seated[seat] = SeatedPlayer::Remote(guest.connection);
            }
            let host = EventHost::new(seated, limits);
            host.play(&mut event, &mut journal, || false).await.map(|_| ())
        });
        let told = clients.into_iter().map(|client| client.join().unwrap()).collect();
        Played { ended: ended.unwrap(), told }
    }

    /// Checks that all received messages are recorded there.
    fn assert_recorded(&self, told: &BTreeMap<String, Told>, journal: &[u8], when: &str) {
        let recorded = recorded(journal);
        for (id, told) in told {
            let known = recorded.get(id).cloned().unwrap_or_default();
            let name = &self.name;
            assert!(come_in(told, &known), "{name}, {when}: {id} heard {told:?}; the disk has {known:?}");
        }
    }

    /// Plays it on a disk with this failure and checks all promises. `None` if the failure is not reached.
    fn fail(&self, failure: Failure, call: usize, expected: &[JournalLine], go_on: bool) -> Option<usize> {
        let when = format!("{failure:?} {call}");
        let disk = self.disk(Some((failure, call)));
        let Played { ended, told } = self.play(&disk);
        let inside = disk.inside();
        let words = told.values().map(Vec::len).sum();
        if !inside.has_failed {
            ended.unwrap();
            assert!(outcome(&inside.bytes) == expected, "{}, {when}: another outcome", self.name);
            return None;
        }
        if !failure.is_a_lie() {
            let error = ended.expect_err("a host whose disk fails does not end well");
            assert_eq!(error.kind() == io::ErrorKind::StorageFull, failure == Failure::NoRoom, "{error}");
            assert_eq!(inside.used_after, 0, "{}, {when}: the disk was used again", self.name);
        }
        // A host cannot detect a lying disk: it relies on the successful syncs.
        let sure = if failure.is_a_lie() { inside.claimed } else { inside.synced };
        self.assert_recorded(&told, &inside.bytes[..sure], &when);
        for (way, left) in inside.left().into_iter().enumerate() {
            if way == 1 && inside.lost.is_some() {
                // A journal with missing lines in the middle is damaged and is not resumed.
                let hole = inside.lost.as_ref().is_some_and(|lost| lost.end < left.len());
                let read = verify(&left[..], |_| {});
                assert!(
                    !hole || read.is_err(),
                    "{}, {when}: lines are missing and nobody notices",
                    self.name
                );
                continue;
            }
            let Some(rebuilt) = Shape::rebuilt(&left) else { continue };
            verify(&left[..], |_| {}).unwrap_or_else(|error| panic!("{}, {when}: {error}", self.name));
            if go_on && !rebuilt.is_finished {
                let shape = self.resumed(&left);
                let disk = shape.disk(None);
                shape.play(&disk).ended.unwrap();
                assert!(outcome(&disk.inside().bytes) == expected, "{}: another outcome", shape.name);
            }
        }
        Some(words)
    }
}

fn one_table() -> Shape {
    let seed = Seed::chosen("disk 2");
    Shape::new("one table", header(&seed, &["random"], 3, 8, 80, OnFoul::Eject))
}

/// Eight players at tables of four: levels end, tables are balanced, players leave or change tables.
fn event(format: Format) -> Shape {
    let seed = Seed::chosen("disk 4");
    let one_table = format.rules().one_table();
    let plan = EventPlan {
        format,
        seats: if one_table { MAX_SEATS } else { format.rules().seats.unwrap_or(4) },
        level_rounds: format.rules().usual_level_rounds(4),
        balance: Balance::usual(format),
        antes: vec![5, 8],
        series: 1,
        points: Vec::new(),
        late_entry: None,
    };
    let mut header = header(&seed, &["random", "caller", "odds"], 5, 8, 200, OnFoul::Eject);
    header.terms.plan = plan;
    Shape::new(&format!("an event, {format:?}"), header)
}

#[derive(Default)]
struct Tally {
    shapes: usize,
    failures: usize,
}

/// Tries every call of this shape, each in all ways or in one.
fn try_all(shape: &Shape, all: bool, tally: &mut Tally) -> Vec<u8> {
    let disk = shape.disk(None);
    let Played { ended, told } = shape.play(&disk);
    ended.unwrap();
    let journal = disk.inside().bytes.clone();
    assert_eq!(verify(&journal[..], |_| {}).unwrap().end, JournalEnd::Over);
    shape.assert_recorded(&told, &journal, "undisturbed");
    let everything: usize = told.values().map(Vec::len).sum();
    let expected = outcome(&journal);
    tally.shapes += 1;
    let ways: Vec<usize> = (0..Failure::ALL.len()).collect();
    // The number of writes depends on who is waited for: a failure is done when its call is no longer reached.
    let mut over = vec![false; ways.len()];
    let (mut call, mut fewest, mut most) = (0, usize::MAX, 0);
    while over.contains(&false) {
        call += 1;
        for way in ways.iter().copied().filter(|way| all || (call + tally.shapes) % ways.len() == *way) {
            let go_on = all || call.is_multiple_of(3);
            match shape.fail(Failure::ALL[way], call, &expected, go_on) {
                Some(words) => {
                    tally.failures += 1;
                    (fewest, most) = (fewest.min(words), most.max(words));
                }
                None => over[way] = true,
            }
        }
    }
    // The later the disk fails, the more messages were sent; none if no connected player is in any more.
    assert!(
        (fewest < most || everything == 0) && most <= everything,
        "{}: {fewest}, {most} of {everything}",
        shape.name
    );
    journal
}

/// The places at which this journal is cut: in the middle of a round after a player left it, in the middle, and before
/// the last lines; one of them in the middle of a line.
fn cuts(journal: &[u8]) -> Vec<&[u8]> {
    let entries: Vec<_> = Reader::new(journal).unwrap().map(Result::unwrap).collect();
    let left = entries.iter().position(|entry| matches!(entry.line, JournalLine::Left { .. }));
    let left = left.unwrap_or(entries.len() / 3);
    let after = |index: usize| entries[index].offset as usize + entries[index].bytes.len();
    let cuts = [after(left), after(entries.len() / 2) + 9, after(entries.len() - 4)];
    cuts.into_iter().map(|cut| &journal[..cut]).collect()
}

fn count_fouls(journal: &[u8]) -> usize {
    outcome(journal).iter().filter(|line| matches!(line, JournalLine::Foul { .. })).count()
}

/// Tries these tournaments, and resumes each from where a host may have died.
fn try_shapes(shapes: &[Shape], all: bool) {
    let mut tally = Tally::default();
    let mut fouls = 0;
    for shape in shapes {
        let journal = try_all(shape, all, &mut tally);
        fouls += count_fouls(&journal);
        let cuts = cuts(&journal);
        for cut in cuts.iter().take(if all { cuts.len() } else { 1 }) {
            try_all(&shape.resumed(cut), all, &mut tally);
        }
    }
    assert!(fouls > 0, "somebody is thrown out in the middle of a round");
    println!(
        "{} failures in {} tournaments, of them {} resumed ones: nobody heard of what was not on the disk",
        tally.failures,
        tally.shapes,
        tally.shapes - shapes.len()
    );
}

fn in_all_ways() -> bool {
    std::env::var("DISK").is_ok_and(|disk| disk == "all")
}

#[test]
fn a_failing_disk_precedes_no_message_at_a_table() {
    try_shapes(&[one_table()], in_all_ways());
}

#[test]
fn a_failing_disk_precedes_no_message_in_an_event() {
    let formats = if in_all_ways() { Format::all().count() } else { 1 };
    let shapes: Vec<Shape> = Format::all().take(formats).map(event).collect();
    try_shapes(&shapes, in_all_ways());
}
