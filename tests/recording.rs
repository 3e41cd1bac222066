//! What a host records, over real sockets: a disk that fails at any call stops it before anybody hears of what is
//! not on it, and whoever is sent out at any moment, the record says enough to play it again.
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::io;
use std::thread;
use std::time::Duration;

use casino_day::cards::Seed;
use casino_day::journal::{Durability, Header, Journal, JournalLine, PlayerSource, Terms};
use casino_day::replay::{JournalEnd, verify};
use casino_day::server::{
    Admission, ConnectionLimits, ControlHandle, EventHost, Lobby, SeatedPlayer, block_on,
};
use casino_day::strategies::HouseBot;
use casino_day::stud::Seat;
use casino_day::table::{OnFoul, TableEvent, TableSettings};
use casino_day::tournament::{Entrant, Recorder, Roster, TableGame};

use crate::support::client::{Told, visit};
use crate::support::{Memory, come_in, outcome, recorded};

const PLAYERS: [(&str, bool); 3] = [("ada", false), ("bob", true), ("cyd", true)];

/// Sends a player out in the moment in which the dealer has its answer.
struct Harsh {
    controls: ControlHandle,
    /// After how many more answers.
    after: usize,
}

impl Recorder for Harsh {
    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn reply_time(&mut self, _: u64, seat: Seat, _: Duration) {
        self.after = self.after.wrapping_sub(1);
        if self.after == 0 {
            self.controls.remove(seat.index(), "enough");
        }
    }
}

/// A short tournament on a disk whose `fails_at`-th call fails: how it ended, and what everyone was told.
fn host(fails_at: Option<usize>) -> (io::Result<()>, Memory, Vec<Told>) {
    host_with(fails_at, OnFoul::Eject, 0)
}

/// The same, where whoever gives the `harsh_after`-th answer is sent out.
fn host_with(
    fails_at: Option<usize>,
    on_foul: OnFoul,
    harsh_after: usize,
) -> (io::Result<()>, Memory, Vec<Told>) {
    let memory = Memory::default();
    memory.0.lock().unwrap().fails_at = fails_at;
    let store = memory.clone();
    let mut clients = Vec::new();
    let played = block_on(async {
        let mut lobby = Lobby::bind(([127, 0, 0, 1], 0).into(), ConnectionLimits::default()).await.unwrap();
        let address = lobby.address().unwrap();
        for (id, careless) in PLAYERS {
            clients.push(thread::spawn(move || {
                let mut told = Vec::new();
                // The host may close the connection without a word.
                let _ = visit(address, id, careless, &mut told);
                told
            }));
        }
        let guests = lobby.gather(PLAYERS.len(), |_, _| Admission::Welcome, |_| {}).await;
        let _doors = lobby.close(|_| {});
        let seed = Seed::chosen("disk 2");
        let mut entrants = vec![Entrant { github_id: "house:random".into(), name: "random".into() }];
        let bot = HouseBot::named("random").unwrap().seated("house:random", &seed);
        let mut players =
            vec![Some((PlayerSource::House("random".to_string()), SeatedPlayer::House(Box::new(bot))))];
        for guest in guests {
            entrants.push(Entrant { github_id: guest.login.github_id, name: guest.login.avatar });
            players.push(Some((PlayerSource::Remote, SeatedPlayer::Remote(guest.connection))));
        }
        let roster = Roster::new(&entrants, &seed);
        let seated = roster.entrants().iter().map(|index| players[*index].take().unwrap());
        let (plays, seated): (Vec<PlayerSource>, Vec<SeatedPlayer>) = seated.unzip();
        let limits = ConnectionLimits { reply: Duration::from_secs(60), ..ConnectionLimits::default() };
        let conduct = TableSettings { on_foul, ..TableSettings::default() };
        let terms = Terms { conduct, stack: 80, rounds: 8, reply_ms: 60_000, relogin: false };
        let header = Header::new(terms, &seed, roster.players().iter().cloned().zip(plays));
        let journal = Journal::begin(Box::new(store), header.clone(), Durability::EveryRound)?;
        let controls = ControlHandle::default();
        let host = EventHost::new(seated, limits).under(controls.control());
        let mut record: Vec<Box<dyn Recorder>> =
            vec![Box::new(journal), Box::new(Harsh { controls, after: harsh_after })];
        let mut event = header.event().unwrap();
        host.play(&mut event, &mut record, || false).await.map(|_| ())
    });
    let told = clients.into_iter().map(|client| client.join().unwrap()).collect();
    (played.unwrap(), memory, told)
}

#[test]
fn nobody_hears_of_anything_that_is_not_on_the_disk() {
    let (played, memory, told) = host(None);
    played.unwrap();
    let reference = memory.bytes();
    let words = |told: &[Told]| told.iter().map(Vec::len).sum::<usize>();
    let everything = recorded(&reference);
    for ((id, _), told) in PLAYERS.iter().zip(&told) {
        assert_eq!(*told, everything[*id], "undisturbed, everyone hears everything");
    }
    let all = words(&told);
    let fouls = outcome(&reference).iter().filter(|line| matches!(line, JournalLine::Foul { .. })).count();
    assert!(fouls > 0, "somebody is thrown out in the middle of a round");
    let calls = memory.0.lock().unwrap().calls;
    let mut heard = Vec::new();
    for call in 1..=calls {
        let (played, memory, told) = host(Some(call));
        assert_eq!(played.unwrap_err().kind(), io::ErrorKind::StorageFull, "call {call}");
        let inside = memory.0.lock().unwrap();
        assert_eq!(inside.after, 0, "call {call}: the disk was asked again after it had failed");
        let on_disk = recorded(&inside.bytes[..inside.synced]);
        for ((id, _), told) in PLAYERS.iter().zip(&told) {
            let known = on_disk.get(*id).cloned().unwrap_or_default();
            assert!(come_in(told, &known), "call {call}: {id} heard {told:?}, and the disk has {known:?}");
        }
        heard.push(words(&told));
    }
    // The later the disk fails, the more was said; and up to the last call something was still to be said.
    assert!(heard.first() == Some(&0) && heard.last().is_some_and(|most| *most > all / 2), "{heard:?}");
    assert!(heard.iter().all(|words| *words < all), "{heard:?}");
}

/// A player breaks a rule, and is sent out before anything else happens: two fouls, one after the other.
#[test]
fn whoever_is_sent_out_in_the_moment_of_its_foul_has_both_in_the_record() {
    let mut both = 0;
    for answer in 1..=60 {
        let (played, memory, _) = host_with(None, OnFoul::Fold, answer);
        played.unwrap();
        let journal = memory.bytes();
        let verified =
            verify(&journal[..], |_| {}).unwrap_or_else(|error| panic!("answer {answer}: {error}"));
        assert_eq!(verified.end, JournalEnd::Over);
        let fouls = outcome(&journal).into_iter().filter_map(|line| match line {
            JournalLine::Foul { seat, asked, .. } => Some((seat, asked)),
            _ => None,
        });
        let fouls: Vec<(usize, bool)> = fouls.collect();
        both += fouls.windows(2).filter(|pair| pair[0] == (pair[1].0, true) && !pair[1].1).count();
    }
    assert!(both > 0, "somebody is sent out in the moment of its foul");
}
