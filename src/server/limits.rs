//! The system's limits on this process.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Allows this process as many open files as the system lets it have, and says how many those are: each player
/// takes one. Where that fails, the host takes fewer connections.
pub fn raise_file_limit() -> u64 {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else { return CAUTIOUS };
    match setrlimit(Resource::RLIMIT_NOFILE, hard, hard) {
        Ok(()) => hard,
        Err(_) => soft,
    }
}

/// The number of files taken for allowed where the system does not say.
const CAUTIOUS: u64 = 256;
