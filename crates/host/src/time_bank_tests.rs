//! Time banks on a virtual clock, also over an emulated network.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use bytes::BytesMut;
use tokio::time::{Instant, sleep};

use casino_stud::cards::{Seed, Stream};
use casino_stud::stud::Seat;
use casino_stud::table::{Fault, Foul, TableEvent, TableSettings};
use casino_stud::tournament::{
    Event, EventPlan, Format, SharedRecorder, TableGame, TableRecorder, TimeBankUse,
};

use crate::memory_socket::MemorySocket;
use crate::{Connection, ConnectionLimits, EventHost, SeatedPlayer, Socket};

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// The fouls and uses of time banks of a tournament.
#[derive(Debug, Default)]
struct Record {
    fouls: Vec<(usize, Fault)>,
    uses: Vec<(usize, TimeBankUse)>,
    replies: u64,
}

impl TableRecorder for Record {
    fn event(&mut self, game: &TableGame, event: &TableEvent) -> io::Result<()> {
        if let TableEvent::Fouled { seat, .. } = event
            && let Some(Foul::Fault { fault, .. }) = game.table().foul_of(*seat)
        {
            self.fouls.push((game.player_at(*seat), fault.clone()));
        }
        Ok(())
    }

    fn time_bank(&mut self, _: u64, seat: Seat, bank: TimeBankUse) -> io::Result<()> {
        self.uses.push((seat.index(), bank));
        Ok(())
    }

    fn reply_time(&mut self, _: u64, _: Seat, _: Duration, _: Duration) {
        self.replies += 1;
    }
}

/// Reads whole messages and checks when asked; awaits `delay` before each reply.
async fn checking_bot(near: MemorySocket, mut delay: impl AsyncFnMut(u64)) {
    let (mut inbox, mut asked) = (BytesMut::new(), 0);
    while near.read(&mut inbox).await.is_ok_and(|count| count > 0) {
        while inbox.len() >= 2 && inbox.len() >= 2 + usize::from(inbox[1]) {
            let length = 2 + usize::from(inbox[1]);
            let message = inbox.split_to(length);
            if message[2..].starts_with(b"bet") {
                delay(asked).await;
                asked += 1;
                // The host has closed the connection of an ejected bot.
                let _ = near.try_write(b"\0\x05bet:0");
            }
        }
    }
}

fn seat_at(address: &str) -> (SeatedPlayer, MemorySocket) {
    let (near, far) = MemorySocket::pair(1 << 12);
    let peer: SocketAddr = format!("{address}:7").parse().unwrap();
    (SeatedPlayer::Remote(Box::new(Connection::new(Socket::Memory(far), peer).unwrap())), near)
}

/// Plays one round of two bots: the first needs this long for its first reply, the second none.
async fn round(limits: ConnectionLimits, address: &str, first_reply: Option<u64>) -> (Record, Duration) {
    let (slow, near) = seat_at(address);
    tokio::spawn(checking_bot(near, async move |asked| match first_reply {
        Some(time) if asked == 0 => sleep(ms(time)).await,
        Some(_) => {}
        None => std::future::pending().await,
    }));
    let (quick, near) = seat_at("10.0.0.2");
    tokio::spawn(checking_bot(near, async |_| {}));
    let seed = Seed::chosen("time bank");
    let mut event = Event::new(EventPlan::single_table(), TableSettings::default(), &seed, 2, 100, Some(1));
    let mut record: SharedRecorder<Record> = SharedRecorder::default();
    let begun = Instant::now();
    EventHost::new(vec![slow, quick], limits).play(&mut event, &mut record, || false).await.unwrap();
    let took = begun.elapsed();
    let record = std::mem::take(&mut *record.lock());
    (record, took)
}

#[tokio::test(start_paused = true)]
async fn late_reply_uses_the_time_bank() {
    let (record, _) = round(ConnectionLimits::default(), "10.0.0.1", Some(2_200)).await;
    assert_eq!(record.fouls, []);
    let [(_, bank)] = record.uses[..] else { panic!("{record:?}") };
    assert!((ms(1_200)..ms(1_210)).contains(&bank.used), "{bank:?}");
    assert_eq!(bank.used + bank.left, ms(2_000));
}

#[tokio::test(start_paused = true)]
async fn silence_ejects_after_the_limit_and_the_bank() {
    for (most, address, bank_ms) in [
        (10_000, "10.0.0.1", 2_000),
        (700, "10.0.0.1", 700),
        (0, "10.0.0.1", 0),
        (10_000, "127.0.0.1", 2_000),
    ] {
        let limits = ConnectionLimits { time_bank: ms(most), ..ConnectionLimits::default() };
        let (record, took) = round(limits, address, None).await;
        let late = Fault::Late { limit_ms: 1_000, bank_ms, partial: false };
        assert!(matches!(&record.fouls[..], [(_, fault)] if *fault == late), "{most} {address}: {record:?}");
        // At the end a player has a second to take its `done`.
        let least = ms(1_000 + bank_ms);
        assert!((least..least + ms(1_300)).contains(&took), "{most} {address}: {took:?}");
    }
}

/// A network on which a segment is repeated after 200 ms, 400 ms, … until it arrives.
struct Network {
    dice: Stream,
    begun: Instant,
    /// Beginning and end of each outage, in order.
    outages: Vec<(Duration, Duration)>,
}

/// One outage of 0.3 to 3 s in each minute of an hour.
fn outages(mut dice: Stream) -> Vec<(Duration, Duration)> {
    let mut outage = |minute: u64| {
        let start = ms(60_000 * minute + u64::from(dice.below(57_000)));
        (start, start + ms(300 + u64::from(dice.below(2_701))))
    };
    (0..61).map(&mut outage).collect()
}

impl Network {
    /// The time until a segment sent now arrives: 5 ms to 25 ms, and the repetitions of a lost one.
    fn transit(&mut self) -> Duration {
        let sent = self.begun.elapsed();
        let (mut attempt, mut pause) = (sent, ms(200));
        while self.outages.iter().any(|(start, end)| (*start..*end).contains(&attempt))
            || self.dice.below(50) == 0
        {
            attempt += pause;
            pause *= 2;
        }
        attempt - sent + ms(5 + u64::from(self.dice.below(21)))
    }
}

/// 24 bots at two tables for an hour: 2 % of the segments are lost, and the network is out once a minute.
#[tokio::test(start_paused = true)]
async fn an_unreliable_network_ejects_no_honest_bot() {
    const HOUR: Duration = Duration::from_secs(3_600);
    let seed = Seed::chosen("network");
    let begun = Instant::now();
    let outages = outages(seed.stream("outages"));
    let mut players = Vec::new();
    for bot in 0..24 {
        let (player, near) = seat_at(&format!("10.0.0.{}", bot + 1));
        players.push(player);
        let dice = seed.stream(&format!("bot {bot}"));
        let mut network = Network { dice, begun, outages: outages.clone() };
        tokio::spawn(checking_bot(near, async move |_| {
            // The question travels, the bot thinks, and the reply travels.
            sleep(network.transit()).await;
            sleep(ms(20)).await;
            sleep(network.transit()).await;
        }));
    }
    let plan = EventPlan {
        format: Format::default(),
        seats: 12,
        level_rounds: Some(1_000_000),
        ..EventPlan::single_table()
    };
    let mut event = Event::new(plan, TableSettings::default(), &seed, 24, 1_000_000, None);
    let mut record: SharedRecorder<Record> = SharedRecorder::default();
    let host = EventHost::new(players, ConnectionLimits::default());
    host.play(&mut event, &mut record, || begun.elapsed() >= HOUR).await.unwrap();
    let record = std::mem::take(&mut *record.lock());
    assert_eq!(record.fouls, []);
    assert!(record.replies > 30_000, "{} replies", record.replies);
    assert!(record.uses.len() > 60, "{} uses of a time bank", record.uses.len());
}
