//! A disk in memory that can fail, lie, and lose unsynced writes.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use casino_stud::journal::Store;

use super::dice::Dice;
use super::world::{DiskFault, Failure, Kill};

#[derive(Debug, Default)]
struct Inside {
    bytes: Vec<u8>,
    /// How many of them outlive the machine, except those lost by a lying sync.
    durable: usize,
    /// How many of them a sync has reported as durable.
    claimed: usize,
    /// The rounds completed in those bytes.
    claimed_rounds: usize,
    /// The range that a lying sync has lost.
    lost: Option<Range<usize>>,
    /// Where lines are missing in the middle.
    hole: Option<usize>,
    /// The calls of this host.
    calls: u64,
    /// The calls of all hosts of the day.
    all_calls: u64,
    fault: Option<DiskFault>,
    kill: Option<Kill>,
    /// The host is dead, or the disk has failed: no further writes.
    is_dead: bool,
    was_killed: bool,
    failed: Option<Failure>,
    /// The host used the disk after a failure.
    was_used_after: bool,
    /// Bytes are gone that a sync had reported as durable.
    broke_its_word: bool,
}

/// The one file of a simulated machine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk(Arc<Mutex<Inside>>);

/// The beginning of the line that ends a round.
const END: &[u8] = b"{\"type\":\"end\"";

impl Disk {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().expect("nobody panics with the disk in hand")
    }

    pub(crate) fn set_fault(&self, fault: Option<DiskFault>) {
        self.inside().fault = fault;
    }

    /// A host begins to use the disk: it is killed in one of its calls, perhaps.
    pub(crate) fn begin(&self, kill: Option<Kill>) {
        let mut inside = self.inside();
        (inside.is_dead, inside.was_killed, inside.kill) = (false, false, kill);
        inside.calls = 0;
    }

    /// Nothing that the host still does reaches the disk.
    pub(crate) fn cut_off(&self) {
        self.inside().is_dead = true;
    }

    pub(crate) fn was_killed(&self) -> bool {
        self.inside().was_killed
    }

    /// How a call has failed, which it does once, if the host could notice it.
    pub(crate) fn take_failure(&self) -> Option<Failure> {
        let mut inside = self.inside();
        inside.failed.filter(|failure| *failure != Failure::SyncLies && inside.fault.take().is_some())
    }

    /// Whether a call has failed, noticed or not.
    pub(crate) fn has_failed(&self) -> bool {
        self.inside().failed.is_some()
    }

    pub(crate) fn was_used_after_a_failure(&self) -> bool {
        self.inside().was_used_after
    }

    /// Whether bytes are gone that a sync had reported as durable. No host can prevent that.
    pub(crate) fn broke_its_word(&self) -> bool {
        self.inside().broke_its_word
    }

    /// The calls of all hosts.
    pub(crate) fn calls_of_the_day(&self) -> u64 {
        self.inside().all_calls
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.inside().bytes.clone()
    }

    /// The content that a sync has reported as durable.
    pub(crate) fn claimed(&self) -> Vec<u8> {
        let inside = self.inside();
        inside.bytes[..inside.claimed].to_vec()
    }

    pub(crate) fn claimed_rounds(&self) -> usize {
        self.inside().claimed_rounds
    }

    /// Cuts the power: of the unsynced writes, the beginning may survive.
    pub(crate) fn lose_power(&self, dice: &mut Dice) {
        let mut inside = self.inside();
        let loose = inside.bytes.len() - inside.durable;
        let kept = if dice.once_in(2) { 0 } else { (dice.below(2 * loose as u64 + 1) as usize).min(loose) };
        let length = inside.durable + kept;
        let is_lost = inside.lost.take().filter(|lost| lost.start < length);
        inside.broke_its_word |= length < inside.claimed || is_lost.is_some();
        if let Some(lost) = is_lost {
            let end = lost.end.min(length);
            inside.bytes[lost.start..end].fill(0);
            // Otherwise it is a torn last line.
            let is_followed = inside.bytes[end..length].contains(&b'\n');
            inside.hole = is_followed.then_some(lost.start);
        }
        inside.keep(length);
    }

    /// Where lines are missing in the middle, if they are, for the first who asks.
    pub(crate) fn take_hole(&self) -> Option<usize> {
        self.inside().hole.take()
    }

    /// Cuts off a torn last line and syncs the rest.
    pub(crate) fn cut(&self, length: usize) {
        self.inside().keep(length);
    }

    pub(crate) fn clear(&self) {
        self.cut(0);
    }
}

fn ends(bytes: &[u8]) -> usize {
    bytes.windows(END.len()).filter(|part| *part == END).count()
}

impl Inside {
    fn keep(&mut self, length: usize) {
        self.bytes.truncate(length);
        (self.durable, self.claimed) = (length, length);
        self.claimed_rounds = ends(&self.bytes);
        let lost = self.lost.take().filter(|lost| lost.start < length);
        self.lost = lost.map(|lost| lost.start..lost.end.min(length));
    }

    /// Counts a call. Returns the part of it that is done, in quarters, and its result.
    fn call(&mut self, is_sync: bool) -> (usize, io::Result<()>) {
        let gone = || Err(io::Error::other("the host is gone"));
        if self.is_dead {
            self.was_used_after |= self.failed.is_some_and(|failure| failure != Failure::SyncLies);
            return (0, gone());
        }
        self.calls += 1;
        self.all_calls += 1;
        match self.kill {
            Some(Kill::AtDisk { call, is_done }) if call == self.calls => {
                (self.is_dead, self.was_killed) = (true, true);
                return (if is_done { 4 } else { 2 }, gone());
            }
            _ => {}
        }
        match self.fault {
            Some(DiskFault::Fails { call, failure })
                if call == self.all_calls && (is_sync || failure != Failure::SyncLies) =>
            {
                self.failed = Some(failure);
                self.is_dead = failure != Failure::SyncLies;
                let failed = Err(io::Error::other("the disk has failed"));
                match failure {
                    Failure::NothingWritten => (0, failed),
                    Failure::PartWritten => (1, failed),
                    Failure::AllWritten => (4, failed),
                    Failure::NoRoom => (3, Err(io::ErrorKind::StorageFull.into())),
                    Failure::SyncLies => (0, Ok(())),
                }
            }
            Some(DiskFault::Lies) if is_sync => (0, Ok(())),
            _ => (4, Ok(())),
        }
    }
}

impl Store for Disk {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut inside = self.inside();
        let (quarters, result) = inside.call(false);
        inside.bytes.extend_from_slice(&bytes[..bytes.len() * quarters / 4]);
        result
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut inside = self.inside();
        let (quarters, result) = inside.call(true);
        let length = inside.bytes.len();
        if quarters == 4 {
            inside.durable = length;
        } else if inside.failed == Some(Failure::SyncLies) && result.is_ok() {
            inside.lost = Some(inside.durable..length);
        }
        if result.is_ok() {
            inside.claimed_rounds += ends(&inside.bytes[inside.claimed..]);
            inside.claimed = length;
        }
        result
    }
}
