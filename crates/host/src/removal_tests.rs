//! Removals by the teacher: in the middle of a round, and together with the end of the event.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::BytesMut;
use tokio::time::{Instant, sleep};

use casino_stud::cards::Seed;
use casino_stud::journal::{Durability, Header, Journal, PlayerSource, Store, Terms};
use casino_stud::replay::{JournalEnd, PublicRecord, verify};
use casino_stud::strategies::HOUSE;
use casino_stud::table::{ExitReason, Fault, Foul, TableEvent, TableSettings};
use casino_stud::tournament::{
    ConsoleAction, Entrant, Event, EventPlan, Recorder, Roster, SharedRecorder, TableGame, TableRecorder,
};

use crate::memory_socket::MemorySocket;
use crate::{Connection, ConnectionLimits, ControlHandle, EventHost, SeatedPlayer, Socket};

/// The players that were removed, with the time and the round, and the leader after each round.
#[derive(Debug, Default)]
struct Watch {
    removed: Vec<(usize, Instant, u64)>,
    leader: Option<usize>,
}

impl TableRecorder for Watch {
    fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
        match event {
            TableEvent::Fouled { seat } => {
                let foul = game.table().foul_of(*seat).expect("it is recorded");
                assert!(matches!(foul, Foul::Fault { fault: Fault::Removed { .. }, .. }), "{foul}");
                let round = game.table().round_number();
                self.removed.push((game.player_at(*seat), Instant::now(), round));
            }
            TableEvent::Ended => self.leader = game.standings().places().first().map(|first| first.player),
            _ => {}
        }
        Ok(())
    }
}

/// A journal in memory.
#[derive(Clone, Debug, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Store for Memory {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Raises each bet by one chip, and thinks for nearly as long as a reply may take.
async fn raise_slowly(near: MemorySocket) {
    let mut inbox = BytesMut::new();
    while near.read(&mut inbox).await.is_ok_and(|count| count > 0) {
        while inbox.len() >= 2 && inbox.len() >= 2 + usize::from(inbox[1]) {
            let length = 2 + usize::from(inbox[1]);
            let message = inbox.split_to(length).split_off(2);
            let text = std::str::from_utf8(&message).expect("a message of the dealer");
            if let Some(to_call) = text.starts_with("bet").then(|| text.split(':').nth(3)).flatten() {
                let to_call: u32 = to_call.parse().expect("the chips to call");
                sleep(Duration::from_millis(930)).await;
                let reply = format!("bet:{}", to_call + 1);
                let frame = [&[0, u8::try_from(reply.len()).expect("short")], reply.as_bytes()].concat();
                // The host has closed the connection of a removed player.
                let _ = near.try_write(&frame);
            }
        }
    }
}

fn slow_raiser(last: u8) -> SeatedPlayer {
    let (near, far) = MemorySocket::pair(1 << 12);
    tokio::spawn(raise_slowly(near));
    let peer = ([10, 0, 0, last], 7).into();
    SeatedPlayer::Remote(Box::new(Connection::new(Socket::Memory(far), peer).unwrap()))
}

#[tokio::test(start_paused = true)]
async fn a_removal_acts_at_the_next_question_of_a_round() {
    let (controls, begun) = (ControlHandle::default(), Instant::now());
    let players = (1..=3).map(slow_raiser).collect();
    let host = EventHost::new(players, ConnectionLimits::default()).under(controls.control());
    let seed = Seed::chosen("raises without end");
    let mut event =
        Event::new(EventPlan::single_table(), TableSettings::default(), &seed, 3, 10_000, Some(1));
    let mut watch: SharedRecorder<Watch> = SharedRecorder::default();
    let teacher = async {
        sleep(Duration::from_secs(20)).await;
        controls.remove(1, "it never ends");
        sleep(Duration::from_secs(20)).await;
        controls.remove(0, "it never ends");
    };
    let (played, ()) = tokio::join!(host.play(&mut event, &mut watch, || false), teacher);
    played.unwrap();
    let removed = std::mem::take(&mut *watch.lock()).removed;
    let expected = [(1, 20), (0, 40)];
    assert_eq!(removed.len(), expected.len(), "{removed:?}");
    for ((player, at, round), (meant, ordered)) in removed.into_iter().zip(expected) {
        let waited = (at - begun).saturating_sub(Duration::from_secs(ordered));
        assert_eq!((player, round), (meant, 1));
        assert!(waited < Duration::from_secs(3), "player {player} after {waited:?}");
    }
    assert_eq!(event.standings().places()[0].player, 2);
}

/// Where players wait for a show to tell them the end, the end is recorded already: Ctrl-C loses nothing any more.
#[tokio::test(start_paused = true)]
async fn an_event_is_over_before_its_players_hear_of_it() {
    let seed = Seed::chosen("the end waits");
    let bot = SeatedPlayer::House(Box::new(HOUSE[2].seated("caller", &seed)));
    let mut event = Event::new(EventPlan::single_table(), TableSettings::default(), &seed, 2, 500, Some(3));
    let controls = ControlHandle::default();
    controls.reset_gate(true);
    controls.give_leave(3);
    let limits = ConnectionLimits::default();
    let host = EventHost::new(vec![slow_raiser(1), bot], limits).under(controls.control());
    let mut watch: SharedRecorder<Watch> = SharedRecorder::default();
    let teacher = async {
        assert!(!controls.is_over());
        while !controls.is_over() {
            sleep(Duration::from_secs(1)).await;
        }
        sleep(Duration::from_secs(60)).await;
        controls.open_gate();
        Instant::now()
    };
    let played = async {
        host.play(&mut event, &mut watch, || false).await.unwrap();
        Instant::now()
    };
    let (played, opened) = tokio::join!(played, teacher);
    assert!(played >= opened, "the player has waited for the show");
}

/// Who is set aside is not asked from its next question on, and stays in the game.
#[tokio::test(start_paused = true)]
async fn who_is_set_aside_costs_no_more_time() {
    let (controls, begun) = (ControlHandle::default(), Instant::now());
    let players = (1..=3).map(slow_raiser).collect();
    let host = EventHost::new(players, ConnectionLimits::default()).under(controls.control());
    let seed = Seed::chosen("raises without end");
    let mut event =
        Event::new(EventPlan::single_table(), TableSettings::default(), &seed, 3, 100_000, Some(40));
    let teacher = async {
        sleep(Duration::from_secs(20)).await;
        controls.note(ConsoleAction::set_aside(0));
        controls.note(ConsoleAction::set_aside(1));
        sleep(Duration::from_secs(20)).await;
        assert!(begun.elapsed() >= Duration::from_secs(40));
    };
    let mut watch: SharedRecorder<Watch> = SharedRecorder::default();
    let (played, ()) = tokio::join!(host.play(&mut event, &mut watch, || false), teacher);
    played.unwrap();
    // The last one of the hand is asked at most twice a round.
    assert!(begun.elapsed() < Duration::from_secs(20 + 40 * 2), "{:?}", begun.elapsed());
    assert_eq!((event.rounds_played(), watch.lock().removed.len()), (40, 0));
    assert!(event.standings().places().iter().all(|standing| standing.exit.is_none()));
}

#[tokio::test]
async fn a_leader_removed_with_the_end_is_not_the_winner() {
    let seed = Seed::chosen("the leader cheats");
    let names = ["caller", "cautious", "odds", "random"];
    let roster = Roster::new(&names.map(|name| Entrant::new(name, name)), &seed);
    let bots = roster.players().iter().map(|player| {
        let bot = HOUSE.iter().find(|bot| bot.name == player.github_id).expect("a house bot");
        SeatedPlayer::House(Box::new(bot.seated(&player.github_id, &seed)))
    });
    // Their replies are recorded as those of programs, and all have places.
    let sources = roster.players().iter().map(|player| (player.clone(), PlayerSource::Remote));
    let header = Header::new(Terms::single_table(500, 1_000), &seed, sources);
    let memory = Memory::default();
    let journal = Journal::begin(Box::new(memory.clone()), header.clone(), Durability::EveryRound).unwrap();
    let watch: SharedRecorder<Watch> = SharedRecorder::default();
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(journal), Box::new(watch.clone())];
    let (controls, mut event) = (ControlHandle::default(), header.event().unwrap());
    controls.reset_gate(true);
    controls.give_leave(5);
    let host = EventHost::new(bots.collect(), ConnectionLimits::default()).under(controls.control());
    let teacher = async {
        while !controls.is_at_gate() {
            tokio::task::yield_now().await;
        }
        let leader = watch.lock().leader.expect("rounds have been played");
        controls.remove(leader, "its author sits beside it");
        controls.note(ConsoleAction::EndNow);
        controls.open_gate();
        leader
    };
    let (played, leader) = tokio::join!(host.play(&mut event, &mut recorders, || false), teacher);
    played.unwrap();
    drop(recorders);
    assert_eq!(event.rounds_played(), 5);
    let standings = event.standings();
    let last = standings.places().last().expect("four players");
    assert_eq!((last.player, last.place, last.chips), (leader, Some(4), 0));
    let why = &last.exit.as_ref().expect("it is out").why;
    assert!(matches!(why, ExitReason::Foul(Foul::Fault { fault: Fault::Removed { .. }, .. })), "{why}");
    let chips: u64 = standings.places().iter().map(|standing| u64::from(standing.chips)).sum();
    assert_eq!(chips + event.forfeited(), 4 * 500);
    // The journal and its public record come to the same end.
    let journal = memory.0.lock().unwrap().clone();
    assert_eq!(verify(&journal[..], |_| {}).unwrap().end, JournalEnd::Over);
    let mut record = Vec::new();
    PublicRecord::of(&journal[..]).unwrap().write(&journal[..], &mut record).unwrap();
    assert_eq!(verify(&record[..], |_| {}).unwrap().end, JournalEnd::Over);
}
