//! Connected clients that have not logged in, of which there is a maximum.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;

use tokio::sync::oneshot;

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
    /// Adds a stranger of this address. Returns its number and a receiver notified when it is displaced.
    pub(super) fn add(&mut self, address: IpAddr) -> (u64, oneshot::Receiver<()>) {
        let (displaced, when) = oneshot::channel();
        self.came += 1;
        self.by_address.entry(address).or_default().push_back(Stranger { number: self.came, displaced });
        (self.came, when)
    }

    /// Removes the stranger of this number. Does nothing if it was displaced before.
    pub(super) fn remove(&mut self, address: IpAddr, number: u64) {
        let Some(strangers) = self.by_address.get_mut(&address) else { return };
        strangers.retain(|stranger| stranger.number != number);
        self.forget_if_empty(address);
    }

    fn forget_if_empty(&mut self, address: IpAddr) {
        if self.count_from(address) == 0 {
            self.by_address.remove(&address);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.by_address.values().map(VecDeque::len).sum()
    }

    pub(super) fn count_from(&self, address: IpAddr) -> usize {
        self.by_address.get(&address).map_or(0, VecDeque::len)
    }

    /// The oldest stranger of this address makes room.
    pub(super) fn displace_from(&mut self, address: IpAddr) {
        let Some(oldest) = self.by_address.get_mut(&address).and_then(VecDeque::pop_front) else { return };
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

    /// All strangers of this address make room.
    pub(super) fn displace_all_from(&mut self, address: IpAddr) {
        for stranger in self.by_address.remove(&address).unwrap_or_default() {
            // The send fails if the login has just ended.
            let _ = stranger.displaced.send(());
        }
    }
}

/// Which of the machines that hold places, the oldest first, gives one up to a newcomer: the oldest place of the machine
/// with the most, if it keeps at least as many as the newcomer gets.
pub fn oldest_of_crowd(machines: &[IpAddr], newcomer: IpAddr) -> Option<usize> {
    let mut counts: HashMap<IpAddr, usize> = HashMap::new();
    machines.iter().for_each(|machine| *counts.entry(*machine).or_default() += 1);
    let most = machines.iter().map(|machine| counts[machine]).max()?;
    let oldest = machines.iter().position(|machine| counts[machine] == most);
    oldest.filter(|_| most > counts.get(&newcomer).copied().unwrap_or_default() + 1)
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
        strangers.displace_all_from(address(3));
        assert_eq!(gone(&strangers), [5]);
        strangers.remove(address(2), 3);
        assert_eq!((strangers.count(), strangers.by_address.len()), (0, 0));
        strangers.displace();
    }
}
