//! The system's limits on this process.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Allows this process as many open files as the system lets it have: each player takes one. Where that fails,
/// the host takes fewer connections and says so when it runs out.
pub fn raise_file_limit() {
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < hard
    {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, hard, hard);
    }
}
