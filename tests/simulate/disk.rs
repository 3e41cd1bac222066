//! A disk in memory that can fail, lie, and lose unsynced writes.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use casino_stud::journal::Store;

use super::dice::Dice;
use super::world::{DiskFault, Kill};

#[derive(Debug, Default)]
struct Inside {
    bytes: Vec<u8>,
    /// How many of them outlive the machine.
    durable: usize,
    /// The rounds completed in those bytes.
    durable_rounds: usize,
    calls: u64,
    fault: Option<DiskFault>,
    kill: Option<Kill>,
    /// The host is dead, or the disk has failed: no further writes.
    is_dead: bool,
    was_killed: bool,
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

    /// Whether a call has failed, which it does once.
    pub(crate) fn take_failure(&self) -> bool {
        let mut inside = self.inside();
        match inside.fault {
            Some(DiskFault::Fails(call)) if inside.calls >= call => {
                inside.fault = None;
                true
            }
            _ => false,
        }
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.inside().bytes.clone()
    }

    /// The content that surely outlives the machine.
    pub(crate) fn durable(&self) -> Vec<u8> {
        let inside = self.inside();
        inside.bytes[..inside.durable].to_vec()
    }

    pub(crate) fn durable_rounds(&self) -> usize {
        self.inside().durable_rounds
    }

    /// Cuts the power: of the unsynced writes, the beginning may survive.
    pub(crate) fn lose_power(&self, dice: &mut Dice) {
        let mut inside = self.inside();
        let loose = inside.bytes.len() - inside.durable;
        let kept = if dice.once_in(2) { 0 } else { dice.below(loose as u64 + 1) as usize };
        let length = inside.durable + kept;
        inside.keep(length);
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
        self.durable = length;
        self.durable_rounds = ends(&self.bytes);
    }

    /// Counts a call, and does the work unless something comes between.
    fn call(&mut self, work: impl FnOnce(&mut Inside), part: impl FnOnce(&mut Inside)) -> io::Result<()> {
        self.calls += 1;
        let gone = || io::Error::other("the host is gone");
        if self.is_dead {
            return Err(gone());
        }
        match self.kill {
            Some(Kill::AtDisk { call, is_done }) if call == self.calls => {
                if is_done {
                    work(self)
                } else {
                    part(self)
                }
                (self.is_dead, self.was_killed) = (true, true);
                return Err(gone());
            }
            _ => {}
        }
        if matches!(self.fault, Some(DiskFault::Fails(call)) if call == self.calls) {
            part(self);
            self.is_dead = true;
            return Err(io::ErrorKind::StorageFull.into());
        }
        work(self);
        Ok(())
    }
}

impl Store for Disk {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let write = |inside: &mut Inside, bytes: &[u8]| inside.bytes.extend_from_slice(bytes);
        self.inside().call(|inside| write(inside, bytes), |inside| write(inside, &bytes[..bytes.len() / 2]))
    }

    fn sync(&mut self) -> io::Result<()> {
        let sync = |inside: &mut Inside| {
            if inside.fault != Some(DiskFault::Lies) {
                inside.durable_rounds += ends(&inside.bytes[inside.durable..]);
                inside.durable = inside.bytes.len();
            }
        };
        self.inside().call(sync, |_| {})
    }
}
