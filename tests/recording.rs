//! The record of a host, over real sockets: after a removal at any moment, it can be replayed.
#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::io;
use std::thread;
use std::time::Duration;

use casino_host::{Admission, ConnectionLimits, ControlHandle, EventHost, Lobby, SeatedPlayer, block_on};
use casino_stud::cards::Seed;
use casino_stud::journal::{Durability, Header, Journal, JournalLine, PlayerSource, Terms};
use casino_stud::replay::{JournalEnd, verify};
use casino_stud::strategies::HouseBot;
use casino_stud::stud::Seat;
use casino_stud::table::{OnFoul, TableEvent, TableSettings};
use casino_stud::tournament::{Entrant, Recorder, Roster, SharedRecorder, TableGame, TableRecorder};

use crate::support::client::visit;
use crate::support::{Memory, outcome};

const PLAYERS: [(&str, bool); 3] = [("ada", false), ("bob", true), ("cyd", true)];

/// Removes a player at the moment the dealer has its answer: before the next round.
struct Harsh {
    controls: ControlHandle,
    after: usize,
}

impl TableRecorder for Harsh {
    fn event(&mut self, _: &TableGame, _: &TableEvent) -> io::Result<()> {
        Ok(())
    }

    fn reply_time(&mut self, _: u64, seat: Seat, _: Duration, _: Duration) {
        self.after = self.after.wrapping_sub(1);
        if self.after == 0 {
            self.controls.remove(seat.index(), "enough");
        }
    }
}

/// The journal of a short tournament in which fouls cost a hand, and the player of the `harsh_after`-th answer is
/// removed.
fn host(harsh_after: usize) -> Vec<u8> {
    let memory = Memory::default();
    let store = memory.clone();
    let mut clients = Vec::new();
    let played: io::Result<()> = block_on(async {
        let mut lobby = Lobby::bind(([127, 0, 0, 1], 0).into(), ConnectionLimits::default()).await.unwrap();
        let address = lobby.address().unwrap();
        for (id, careless) in PLAYERS {
            clients.push(thread::spawn(move || {
                assert!(visit(address, id, careless, &mut Vec::new()).unwrap(), "{id} hears the end");
            }));
        }
        let guests = lobby.gather(PLAYERS.len(), |_, _| Admission::Welcome, |_| {}).await;
        let _doors = lobby.close(|_| {});
        let seed = Seed::chosen("disk h");
        let mut entrants = vec![Entrant::new("house:random", "random")];
        let bot = HouseBot::named("random").unwrap().seated("house:random", &seed);
        let mut players =
            vec![Some((PlayerSource::House("random".to_string()), SeatedPlayer::House(Box::new(bot))))];
        for guest in guests {
            entrants.push(Entrant::new(guest.login.github_id, guest.login.avatar));
            players.push(Some((PlayerSource::Remote, SeatedPlayer::Remote(guest.connection))));
        }
        let roster = Roster::new(&entrants, &seed);
        let seated = roster.entrants().iter().map(|index| players[*index].take().unwrap());
        let (plays, seated): (Vec<PlayerSource>, Vec<SeatedPlayer>) = seated.unzip();
        let limits = ConnectionLimits { reply: Duration::from_secs(60), ..ConnectionLimits::default() };
        let conduct = TableSettings { on_foul: OnFoul::Fold, ..TableSettings::default() };
        let terms = Terms { conduct, reply_ms: 60_000, ..Terms::single_table(80, 8) };
        let header = Header::new(terms, &seed, roster.players().iter().cloned().zip(plays));
        let journal = Journal::begin(Box::new(store), header.clone(), Durability::EveryRound)?;
        let controls = ControlHandle::default();
        let host = EventHost::new(seated, limits).under(controls.control());
        let mut record: Vec<Box<dyn Recorder>> =
            vec![Box::new(journal), Box::new(SharedRecorder::new(Harsh { controls, after: harsh_after }))];
        let mut event = header.event().unwrap();
        host.play(&mut event, &mut record, || false).await.map(|_| ())
    })
    .unwrap();
    clients.into_iter().for_each(|client| client.join().unwrap());
    played.unwrap();
    memory.bytes()
}

/// A player commits a foul and is removed before the next round: two fouls, one after the other.
#[test]
fn a_removal_after_a_foul_records_both() {
    let mut both = 0;
    for answer in 1..=60 {
        let journal = host(answer);
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
    assert!(both > 0, "somebody is sent out after its foul");
}
