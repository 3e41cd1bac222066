//! Sockets on Windows.

pub(crate) use crate::unwatched::{acknowledge_at_once, limit_unacknowledged};

/// Windows limits a process's sockets by memory alone. This is more than a day needs.
pub(crate) fn raise_file_limit() -> u64 {
    65_536
}
