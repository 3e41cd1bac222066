//! A disk that fails once, in a way that is chosen.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use casino_stud::journal::Store;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    NothingWritten,
    PartWritten,
    /// A write reports an error although everything is written.
    AllWritten,
    /// A write finds the disk full: the part that fits is written.
    NoRoom,
    SyncFails,
    /// A sync succeeds without an effect, and the power fails before the disk is used again.
    SyncLiesAndPowerFails,
    /// A sync succeeds but loses its data. Everything later is kept.
    SyncLies,
}

impl Failure {
    pub(super) const ALL: [Failure; 7] = [
        Failure::NothingWritten,
        Failure::PartWritten,
        Failure::AllWritten,
        Failure::NoRoom,
        Failure::SyncFails,
        Failure::SyncLiesAndPowerFails,
        Failure::SyncLies,
    ];

    /// Whether it is a sync that fails, and not a write.
    fn is_of_a_sync(self) -> bool {
        matches!(self, Failure::SyncFails | Failure::SyncLiesAndPowerFails | Failure::SyncLies)
    }

    /// Whether the disk reports success.
    pub(super) fn is_a_lie(self) -> bool {
        matches!(self, Failure::SyncLiesAndPowerFails | Failure::SyncLies)
    }
}

/// A disk in memory whose `call`-th write or sync, from 1, goes wrong.
#[derive(Clone, Debug)]
pub(super) struct Platter(Arc<Mutex<Inside>>);

#[derive(Debug, Default)]
pub(super) struct Inside {
    pub(super) bytes: Vec<u8>,
    /// How much of it is sure to be on the disk.
    pub(super) synced: usize,
    /// The length that a sync reported as durable.
    pub(super) claimed: usize,
    /// The range that a lying sync has lost permanently.
    pub(super) lost: Option<Range<usize>>,
    plan: Option<(Failure, usize)>,
    writes: usize,
    syncs: usize,
    pub(super) has_failed: bool,
    is_off: bool,
    /// Uses of the disk after it reported a failure.
    pub(super) used_after: usize,
}

impl Platter {
    /// With these bytes on it, all of them sure.
    pub(super) fn holding(bytes: &[u8], plan: Option<(Failure, usize)>) -> Platter {
        let (bytes, synced) = (bytes.to_vec(), bytes.len());
        let inside = Inside { bytes, synced, claimed: synced, plan, ..Inside::default() };
        Platter(Arc::new(Mutex::new(inside)))
    }

    pub(super) fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap()
    }
}

impl Inside {
    /// The possible contents after a power failure: the synced part alone, and all that was written.
    pub(super) fn left(&self) -> Vec<Vec<u8>> {
        let mut all = self.bytes.clone();
        if let Some(lost) = &self.lost {
            all[lost.clone()].fill(0);
        }
        vec![self.bytes[..self.synced].to_vec(), all]
    }

    /// How this call goes wrong, if it does.
    fn failure(&mut self, is_sync: bool) -> io::Result<Option<Failure>> {
        if self.is_off {
            return Err(io::Error::other("the power is off"));
        }
        if self.has_failed && !self.plan.is_some_and(|(failure, _)| failure.is_a_lie()) {
            self.used_after += 1;
            return Err(io::Error::other("used after it had failed"));
        }
        let calls = if is_sync { &mut self.syncs } else { &mut self.writes };
        *calls += 1;
        let calls = *calls;
        let now = self.plan.filter(|(failure, call)| failure.is_of_a_sync() == is_sync && *call == calls);
        self.has_failed |= now.is_some();
        Ok(now.map(|(failure, _)| failure))
    }
}

impl Store for Platter {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut inside = self.inside();
        let (written, result) = match inside.failure(false)? {
            None => (bytes.len(), Ok(())),
            Some(Failure::NothingWritten) => (0, Err(io::Error::other("not written"))),
            Some(Failure::AllWritten) => (bytes.len(), Err(io::Error::other("written or not"))),
            Some(Failure::NoRoom) => (bytes.len() * 3 / 4, Err(io::ErrorKind::StorageFull.into())),
            Some(_) => (bytes.len() / 3, Err(io::Error::other("written in part"))),
        };
        inside.bytes.extend_from_slice(&bytes[..written]);
        result
    }

    fn sync(&mut self) -> io::Result<()> {
        let mut inside = self.inside();
        let failure = inside.failure(true)?;
        if failure == Some(Failure::SyncFails) {
            return Err(io::Error::other("not synced"));
        }
        inside.claimed = inside.bytes.len();
        match failure {
            None => inside.synced = inside.claimed,
            Some(Failure::SyncLiesAndPowerFails) => inside.is_off = true,
            Some(_) => inside.lost = Some(inside.synced..inside.claimed),
        }
        Ok(())
    }
}
