//! How long one answer is waited for: its limit, the time in which the host stood still, and what the air adds.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use casino_system::sockets::Way;

use super::Connection;
use super::air::{Air, AirWatch, OtherMachines, is_silent};
use super::deadline::{BEAT, Lived};

/// For how long after something had to be sent again the air is rough.
const ROUGH_FOR: Duration = Duration::from_secs(30);

/// How often one after the other a player is believed that only the air can have made it late. In outages every few seconds an
/// honest one is late in one or two of a hundred replies, a slow one in nearly all.
const BELIEVED: u32 = 3;

/// How many replies in time make good for one that was late.
const MADE_GOOD_BY: u32 = 10;

/// What all tables of an event know of the air: when something was last sent again to each of their players' machines.
#[derive(Clone, Debug, Default)]
pub(super) struct Weather(Arc<Mutex<BTreeMap<IpAddr, Instant>>>);

impl Weather {
    fn note(&self, machine: IpAddr, now: Instant) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(machine, now);
    }

    /// How the air to the players' machines is, seen from this one.
    fn seen_from(&self, machine: Option<IpAddr>, now: Instant) -> Air {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut rough =
            last.iter().filter(|(_, last)| now < **last + ROUGH_FOR).map(|(rough, _)| Some(*rough));
        match rough.next() {
            None => Air::Quiet,
            first if first == Some(machine) && rough.next().is_none() => Air::RoughToOne,
            _ => Air::Rough,
        }
    }
}

/// Whether a player is believed that only the air can have made it late.
#[derive(Debug, Default)]
pub(super) struct Punctuality {
    /// How many replies in time would make good for all that were late.
    owed: u32,
}

impl Punctuality {
    /// A reply came, in time or late.
    pub(super) fn note(&mut self, is_late: bool) {
        self.owed =
            if is_late { self.owed.saturating_add(MADE_GOOD_BY) } else { self.owed.saturating_sub(1) };
    }

    fn is_believed(&self) -> bool {
        self.owed <= (BELIEVED - 1) * MADE_GOOD_BY
    }
}

#[derive(Debug)]
pub(super) struct Patience {
    /// The limit, and the time in which the host stood still.
    pub(super) lived: Lived,
    /// Until when the answer is waited for, as far as is known.
    pub(super) deadline: Instant,
    /// When the question left.
    pub(super) sent: Instant,
    /// What is seen of the air, if the player is on another machine.
    air: Option<AirWatch>,
    weather: Weather,
}

impl Patience {
    /// A question has just been sent through this connection; the air adds at most this much to the limit.
    pub(super) fn new(
        limit: Duration,
        most: Duration,
        sent: Instant,
        connection: &Connection,
        weather: &Weather,
    ) -> Patience {
        let lived = Lived::new(limit, sent);
        let is_believed = connection.punctuality().is_believed();
        let air = connection.machine().filter(|_| !most.is_zero());
        let air = air.map(|_| AirWatch::new(limit, most, is_believed));
        Patience { deadline: lived.deadline, lived, sent, air, weather: weather.clone() }
    }

    /// After a beat without an answer: whether it is too late now. Asks the system for the way to the player, and to the
    /// others at the table when the limit is over.
    pub(super) fn is_over<'a>(
        &mut self,
        asked: &Connection,
        others: impl Iterator<Item = &'a Connection>,
    ) -> bool {
        let now = self.lived.alive;
        let plain = self.lived.deadline;
        self.deadline = plain;
        let is_due = now >= self.sent + BEAT;
        if let Some(air) = self.air.as_mut().filter(|_| is_due)
            && let Some(own) = asked.way()
        {
            let see = |connection: &Connection, way: Way| {
                if let Some(machine) = connection.machine().filter(|_| connection.is_newly_sent_again(way)) {
                    self.weather.note(machine, now);
                }
            };
            see(asked, own);
            let mut others = match now >= plain {
                true => machines(asked, others, see),
                false => OtherMachines::default(),
            };
            others.air = self.weather.seen_from(asked.machine(), now);
            self.deadline = self.sent + air.deadline(now - self.sent, plain - self.sent, own, others);
            if now >= plain {
                asked.knock();
            }
        }
        now >= self.deadline
    }

    pub(super) fn saw_bad_air(&self) -> bool {
        self.air.as_ref().is_some_and(AirWatch::is_bad)
    }

    /// How much longer than its limit the player was waited for because of the network, if it was. `ended` is when the wait
    /// was over. Somebody whose answer never came was waited for in vain where the air was not to blame.
    pub(super) fn given(&self, ended: Instant, is_answered: bool) -> Option<Duration> {
        let air = self.air.as_ref()?;
        let late_by = ended.saturating_duration_since(self.lived.deadline);
        (!late_by.is_zero() && (is_answered || air.is_bad())).then_some(late_by)
    }
}

/// The machines of the others at the table. Several players on one machine count as one, and those on the machine of the
/// player who was asked do not count: only that player would say so.
fn machines<'a>(
    asked: &Connection,
    others: impl Iterator<Item = &'a Connection>,
    see: impl Fn(&Connection, Way),
) -> OtherMachines {
    let mut machines = BTreeMap::new();
    for other in others {
        let Some(machine) = other.machine().filter(|machine| Some(*machine) != asked.machine()) else {
            continue;
        };
        let Some(way) = other.way() else { continue };
        see(other, way);
        let silent = is_silent(way);
        machines.entry(machine).and_modify(|all_silent| *all_silent &= silent).or_insert(silent);
    }
    let silent = machines.values().filter(|silent| **silent).count();
    OtherMachines { count: machines.len(), silent, ..OtherMachines::default() }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::net::SocketAddr;

    use bytes::BytesMut;

    use super::*;
    use crate::{ConnectionLimits, EventHost, MemorySocket, SeatedPlayer, Socket};
    use casino_stud::cards::Seed;
    use casino_stud::stud::Seat;
    use casino_stud::table::{TableEvent, TableSettings};
    use casino_stud::tournament::{Event, EventPlan, Shared, TableGame, TableRecorder};

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn way(is_acknowledged: bool, silent_for: u64) -> Option<Way> {
        Some(Way { is_acknowledged, silent_for: ms(silent_for), round_trip: ms(30), sent_again: 0 })
    }

    #[derive(Debug, Default)]
    struct Told {
        network: Vec<Duration>,
        fouls: usize,
        round_trips: usize,
    }

    impl TableRecorder for Told {
        fn event(&mut self, _: &TableGame, event: &TableEvent) -> io::Result<()> {
            self.fouls += usize::from(matches!(event, TableEvent::Fouled { .. }));
            Ok(())
        }

        fn network(&mut self, _: u64, _: Seat, late_by: Duration) -> io::Result<()> {
            self.network.push(late_by);
            Ok(())
        }

        fn round_trip(&mut self, _: Seat, round_trip: Duration) {
            assert_eq!(round_trip, ms(30));
            self.round_trips += 1;
        }
    }

    /// A program that folds, the first time only after so long; if nothing is said, never.
    async fn program(near: MemorySocket, after: Option<Duration>) {
        let (mut inbox, mut is_first) = (BytesMut::new(), true);
        while near.read(&mut inbox).await.is_ok_and(|count| count > 0) {
            while inbox.len() >= 2 && inbox.len() >= 2 + usize::from(inbox[1]) {
                let length = 2 + usize::from(inbox[1]);
                let message = inbox.split_to(length);
                if !message[2..].starts_with(b"bet") {
                    continue;
                }
                if std::mem::take(&mut is_first) {
                    match after {
                        Some(after) => tokio::time::sleep(after).await,
                        None => std::future::pending().await,
                    }
                }
                // A program that was thrown out writes into a connection that has been closed.
                let _ = near.try_write(b"\0\x04fold");
            }
        }
    }

    /// A player: its address, what is known of the way to it, and how long its first answer takes.
    type Player = (&'static str, Option<Way>, Option<u64>);

    /// Plays a round, and gives out what was recorded and how long it took.
    async fn round(limits: ConnectionLimits, players: &[Player]) -> (Told, Duration) {
        let mut seated = Vec::new();
        for (address, way, after) in players {
            let (near, far) = MemorySocket::pair(1 << 12);
            near.set_way(*way);
            let peer: SocketAddr = format!("{address}:7").parse().unwrap();
            seated.push(SeatedPlayer::Remote(Box::new(Connection::new(Socket::Memory(far), peer).unwrap())));
            tokio::spawn(program(near, after.map(ms)));
        }
        let seed = Seed::chosen("air");
        let (plan, settings) = (EventPlan::single_table(), TableSettings::default());
        let mut event = Event::new(plan, settings, &seed, players.len(), 100, Some(1));
        let mut listener: Shared<Told> = Shared::default();
        let begun = Instant::now();
        EventHost::new(seated, limits).play(&mut event, &mut listener, || false).await.unwrap();
        let took = begun.elapsed();
        let told = std::mem::take(&mut *listener.lock());
        (told, took)
    }

    /// The rest of a round after somebody has been called late: at the end a player has a second to take its `done`.
    const DONE: Duration = Duration::from_millis(1_300);

    #[tokio::test(start_paused = true)]
    async fn an_answer_to_a_question_that_was_not_acknowledged_may_be_late() {
        let players = [("10.0.0.1", way(false, 0), Some(2_200)), ("10.0.0.2", way(true, 0), Some(0))];
        let (told, _) = round(ConnectionLimits::default(), &players).await;
        assert_eq!((told.fouls, told.network.len()), (0, 1));
        assert!((ms(1_200)..ms(1_210)).contains(&told.network[0]), "{told:?}");
        assert_eq!(told.round_trips, 1, "whoever answers at once was not asked: the other had folded");
        // Without the time for the air, and beyond it, it is late.
        let off = ConnectionLimits { air: Duration::ZERO, ..ConnectionLimits::default() };
        let (told, _) = round(off, &players).await;
        assert_eq!((told.fouls, told.network), (1, vec![]));
        let short = ConnectionLimits { air: ms(700), ..ConnectionLimits::default() };
        let (told, _) = round(short, &players).await;
        assert_eq!((told.fouls, told.network.len()), (1, 1));
        assert!((ms(700)..ms(710)).contains(&told.network[0]), "{told:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn where_anything_had_to_be_sent_again_a_late_answer_may_have_been_lost() {
        let sent_again = |sent_again| way(true, 0).map(|way| Way { sent_again, ..way });
        for (of_the_asked, of_the_other, fouls) in [(0, 0, 1), (1, 0, 0), (0, 1, 0)] {
            let players = [
                ("10.0.0.1", sent_again(of_the_asked), Some(3_000)),
                ("10.0.0.2", sent_again(of_the_other), Some(0)),
            ];
            let (told, took) = round(ConnectionLimits::default(), &players).await;
            assert_eq!((told.fouls, told.network.len()), (fouls, 1 - fouls), "{players:?}");
            assert!(fouls == 0 || took < ms(1_150) + DONE, "{took:?}");
        }
    }

    #[test]
    fn whoever_is_late_again_and_again_is_slow_until_it_has_been_in_time_for_a_while() {
        let mut punctuality = Punctuality::default();
        for _ in 0..3 {
            assert!(punctuality.is_believed());
            punctuality.note(true);
        }
        for _ in 0..10 {
            assert!(!punctuality.is_believed());
            punctuality.note(false);
        }
        assert!(punctuality.is_believed());
        // One late reply in eleven is bad air for ever.
        for reply in 0..1_000 {
            assert!(punctuality.is_believed() || reply % 11 != 0);
            punctuality.note(reply % 11 == 0);
        }
    }

    #[test]
    fn the_air_is_rough_for_half_a_minute() {
        let (weather, now) = (Weather::default(), Instant::now());
        let [one, other] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        assert_eq!(weather.seen_from(Some(one), now), Air::Quiet);
        weather.note(one, now);
        assert_eq!(weather.seen_from(Some(one), now), Air::RoughToOne);
        assert_eq!(weather.seen_from(Some(other), now), Air::Rough);
        weather.note(other, now + ms(5_000));
        assert_eq!(weather.seen_from(Some(one), now + ms(29_999)), Air::Rough);
        assert_eq!(weather.seen_from(Some(other), now + ms(30_000)), Air::RoughToOne);
        assert_eq!(weather.seen_from(Some(one), now + ms(35_000)), Air::Quiet);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_is_heard_and_does_not_answer_gets_no_time() {
        for address in ["10.0.0.1", "127.0.0.1", "[::ffff:127.0.0.1]"] {
            // A program on this machine gets none whatever the system tells.
            let known = way(address == "10.0.0.1", 0);
            let players = [(address, known, None), ("10.0.0.2", way(true, 0), Some(0))];
            let (told, took) = round(ConnectionLimits::default(), &players).await;
            assert_eq!((told.fouls, told.network), (1, vec![]), "{address}");
            assert!((ms(1_000)..ms(1_000) + DONE).contains(&took), "{address}: {took:?}");
        }
        // Nothing is known.
        let players = [("10.0.0.1", None, Some(1_001)), ("10.0.0.2", None, Some(0))];
        let (told, _) = round(ConnectionLimits::default(), &players).await;
        assert_eq!((told.fouls, told.network), (1, vec![]));
    }

    #[tokio::test(start_paused = true)]
    async fn silent_machines_of_others_are_the_air_and_silent_players_on_one_machine_are_not() {
        let table = |others: [&'static str; 3]| {
            let silent = |address| (address, way(true, 1_300), Some(0));
            [vec![("10.0.0.1", way(true, 10), Some(1_400))], others.map(silent).to_vec()].concat()
        };
        for (others, fouls) in [
            (["10.0.0.2", "10.0.0.3", "10.0.0.4"], 0),
            (["10.0.0.2", "10.0.0.2", "10.0.0.2"], 1),
            (["10.0.0.1", "10.0.0.1", "10.0.0.2"], 1),
            (["127.0.0.1", "127.0.0.1", "127.0.0.1"], 1),
        ] {
            let (told, _) = round(ConnectionLimits::default(), &table(others)).await;
            assert_eq!((told.fouls, told.network.len()), (fouls, 1 - fouls), "{others:?}");
        }
    }
}
