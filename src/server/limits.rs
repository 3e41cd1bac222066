//! The limits that the system sets to this process.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Raises the limit on open files as far as the system allows and returns it: each player takes one file. Where it
/// cannot be raised, the host accepts fewer connections.
pub fn raise_file_limit() -> u64 {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return CAUTIOUS };
    match setrlimit(Resource::RLIMIT_NOFILE, hard, hard) {
        Ok(()) => hard,
        Err(_) => soft,
    }
}

/// The number of open files that is assumed where the system does not tell its limit.
const CAUTIOUS: u64 = 256;
