//! The limits for connecting clients, and those that have not logged in, of which there is a maximum.

use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

use tokio::sync::oneshot;

use super::time_bank::DEFAULT_MAX_TIME_BANK;

/// How long the machine of a player may be silent at least, in the lobby too.
const LOST_AFTER: Duration = Duration::from_secs(30);

/// Limits for connecting clients.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Time limit of a reply to a question (R17).
    pub reply: Duration,
    /// The maximum of a player's time bank (R17); zero turns time banks off.
    pub time_bank: Duration,
    /// How long a player's machine may acknowledge nothing until it counts as gone: asleep, or without a network. Its
    /// place is free then. A late reply may take as long in any case.
    pub lost_after: Duration,
    /// Time limit of the reply to `login`: longer than others, because the program may still be starting.
    pub login: Duration,
    /// The most connected clients that have not logged in.
    pub strangers: usize,
    /// The most of those from one IP address.
    pub strangers_per_address: usize,
    /// Whether `login` is asked a second time (R16).
    pub relogin: bool,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            reply: Duration::from_millis(1_000),
            time_bank: DEFAULT_MAX_TIME_BANK,
            lost_after: LOST_AFTER,
            login: Duration::from_secs(10),
            strangers: 1_024,
            strangers_per_address: 256,
            relogin: false,
        }
    }
}

impl ConnectionLimits {
    /// How long the kernel waits for an acknowledgement.
    pub(super) fn lost_after(&self) -> Duration {
        self.lost_after.max(self.reply + self.time_bank)
    }

    /// The same limits for a process that may have this many files open: clients that have not logged in never take the
    /// files needed by the `players` who connect, the `programs` that are started and the journal.
    #[must_use]
    pub fn within_files(self, files: u64, players: usize, programs: usize) -> ConnectionLimits {
        let needed = 64 + players as u64 + 8 * programs as u64;
        let left = usize::try_from(files.saturating_sub(needed)).unwrap_or(usize::MAX);
        ConnectionLimits {
            // All players may connect at the same moment, from one address.
            strangers: self.strangers.max(players).min(left).max(8),
            strangers_per_address: self.strangers_per_address.max(players),
            ..self
        }
    }
}

/// The strangers of each address, the oldest first.
///
/// A client in excess displaces the oldest stranger of the address with the most: an honest program answers as soon as
/// it is asked, and so has left long before its turn, however many others connect.
#[derive(Debug, Default)]
pub(super) struct Strangers {
    by_address: HashMap<IpAddr, VecDeque<Stranger>>,
    came: u64,
}

#[derive(Debug)]
struct Stranger {
    number: u64,
    /// Notifies the login of this client that another one takes its place.
    displaced: oneshot::Sender<()>,
}

impl Strangers {
    /// Adds a stranger of this machine. Returns its number and a receiver notified when it is displaced.
    pub(super) fn add(&mut self, address: IpAddr) -> (u64, oneshot::Receiver<()>) {
        let (displaced, when) = oneshot::channel();
        self.came += 1;
        let stranger = Stranger { number: self.came, displaced };
        self.by_address.entry(machine(address)).or_default().push_back(stranger);
        (self.came, when)
    }

    /// Removes the stranger of this number. Does nothing if it was displaced before.
    pub(super) fn remove(&mut self, address: IpAddr, number: u64) {
        let Some(strangers) = self.by_address.get_mut(&machine(address)) else { return };
        strangers.retain(|stranger| stranger.number != number);
        self.forget_if_empty(address);
    }

    fn forget_if_empty(&mut self, address: IpAddr) {
        if self.count_from(address) == 0 {
            self.by_address.remove(&machine(address));
        }
    }

    pub(super) fn count(&self) -> usize {
        self.by_address.values().map(VecDeque::len).sum()
    }

    pub(super) fn count_from(&self, address: IpAddr) -> usize {
        self.by_address.get(&machine(address)).map_or(0, VecDeque::len)
    }

    /// The oldest stranger of this address makes room.
    pub(super) fn displace_from(&mut self, address: IpAddr) {
        let Some(oldest) = self.by_address.get_mut(&machine(address)).and_then(VecDeque::pop_front) else {
            return;
        };
        // The send fails if the login has just ended.
        let _ = oldest.displaced.send(());
        self.forget_if_empty(address);
    }

    /// The oldest stranger of the address that has the most makes room; of several such addresses that of the oldest.
    pub(super) fn displace(&mut self) {
        let oldest = |strangers: &VecDeque<Stranger>| strangers.front().map_or(0, |first| first.number);
        let crowded = self
            .by_address
            .iter()
            .max_by_key(|(_, strangers)| (strangers.len(), std::cmp::Reverse(oldest(strangers))));
        if let Some(address) = crowded.map(|(address, _)| *address) {
            self.displace_from(address);
        }
    }
}

/// The address that stands for a machine: in IPv6 its network of 64 bits, from which it takes addresses as it likes.
pub fn machine(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
        v4 => v4,
    }
}

/// Which of the machines that hold places, the oldest first, gives one up to a newcomer: the oldest place of the machine
/// with the most, if it keeps at least as many as the newcomer gets.
pub fn oldest_of_crowd(addresses: &[IpAddr], newcomer: IpAddr) -> Option<usize> {
    let machines: Vec<IpAddr> = addresses.iter().copied().map(machine).collect();
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    machines.iter().for_each(|machine| *counts.entry(*machine).or_default() += 1);
    let most = machines.iter().map(|machine| counts[machine]).max()?;
    let oldest = machines.iter().position(|machine| counts[machine] == most);
    oldest.filter(|_| most > counts.get(&machine(newcomer)).copied().unwrap_or_default() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        [10, 0, 0, last].into()
    }

    #[test]
    fn only_a_crowd_gives_up_places() {
        for (places, newcomer, goes) in [
            (&[][..], 1, None),
            (&[1], 2, None),
            (&[1, 1], 2, Some(0)),
            (&[2, 1, 1], 2, None),
            (&[2, 1, 1, 1], 2, Some(1)),
            (&[2, 1, 1, 1], 1, None),
            (&[3, 2, 2, 1, 1], 4, Some(1)),
        ] {
            let machines: Vec<IpAddr> = places.iter().map(|last| address(*last)).collect();
            assert_eq!(oldest_of_crowd(&machines, address(newcomer)), goes, "{places:?} {newcomer}");
        }
    }

    #[test]
    fn the_oldest_of_the_address_with_the_most_makes_room() {
        let mut strangers = Strangers::default();
        let mut came = Vec::from([1, 2, 2, 3, 3].map(|last| strangers.add(address(last))));
        let mut gone = |strangers: &Strangers| -> Vec<u64> {
            let count = strangers.count();
            let gone: Vec<u64> = came
                .extract_if(.., |(_, displaced)| displaced.try_recv().is_ok())
                .map(|gone| gone.0)
                .collect();
            assert_eq!(count, came.len());
            gone
        };
        strangers.displace();
        assert_eq!(gone(&strangers), [2], "of two addresses with two the one that has waited longest");
        strangers.displace();
        assert_eq!(gone(&strangers), [4]);
        strangers.displace();
        assert_eq!(gone(&strangers), [1], "all have one");
        for last in [3, 5] {
            strangers.displace();
            assert_eq!(gone(&strangers), [last]);
        }
        assert_eq!((strangers.count(), strangers.by_address.len()), (0, 0));
        strangers.displace();
    }

    #[test]
    fn machines_are_identified_by_ipv4_address_or_ipv6_prefix() {
        let of = |text: &str| machine(text.parse().unwrap());
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
    }
}
