//! Watches a program that runs without a sandbox.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::sandbox::limits::{Limit, ResourceLimits, Termination};
use crate::sandbox::outputs::WatchedProgram;
use crate::sandbox::program::Hold;
use crate::sandbox::scratch::limit_passed;
use casino_system::processes::{ProcessTree, ProgramExit, crash_name};

const POLL_INTERVAL: Duration = Duration::from_millis(4);

const USAGE_CHECK_INTERVAL: Duration = Duration::from_millis(200);

const KILL_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct TreeHold {
    pid: i32,
    stop: Arc<AtomicBool>,
}

#[derive(Debug)]
pub(super) struct WatchOptions {
    pub(super) measured: Vec<PathBuf>,
    pub(super) limits: ResourceLimits,
    /// How many bytes of each output are kept: the last ones.
    pub(super) keep: usize,
}

pub(super) fn watch(
    mut tree: ProcessTree,
    watched: WatchOptions,
) -> io::Result<(Arc<WatchedProgram>, TreeHold)> {
    let pid = i32::try_from(tree.id()).map_err(io::Error::other)?;
    let shared = Arc::new(WatchedProgram::default());
    let stop = Arc::new(AtomicBool::new(false));
    let stops = Arc::clone(&stop);
    let stopping = move || stops.store(true, Ordering::Relaxed);
    let stderr = tree.take_stderr();
    let pipes = (tree.take_stdout(), stderr);
    shared.read_outputs(pipes, &watched.limits, watched.keep, stopping)?;
    let (published, told_to_stop) = (Arc::clone(&shared), Arc::clone(&stop));
    let follow = move || {
        let end = watched.follow(&mut tree, &told_to_stop);
        tree.end();
        published.change(|observed| {
            observed.termination = Some(end);
            observed.gone = true;
        });
    };
    thread::Builder::new().spawn(follow)?;
    Ok((shared, TreeHold { pid, stop }))
}

impl WatchOptions {
    fn follow(&self, tree: &mut ProcessTree, stop: &AtomicBool) -> Termination {
        let begun = Instant::now();
        let mut measured = begun;
        loop {
            match tree.ended() {
                Some(ProgramExit::Signal(signal)) => return Termination::Crashed(signal),
                Some(ProgramExit::Code(code)) if crash_name(code).is_some() => {
                    return Termination::Crashed(code);
                }
                Some(ProgramExit::Code(code)) => return Termination::Exited(code),
                None => {}
            }
            if stop.load(Ordering::Relaxed) {
                return Termination::Stopped;
            }
            if begun.elapsed() > self.limits.wall {
                return Termination::Over(Limit::Wall);
            }
            if measured.elapsed() >= USAGE_CHECK_INTERVAL {
                if let Some(limit) = limit_passed(&self.measured, self.limits.files) {
                    return Termination::Over(limit);
                }
                measured = Instant::now();
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

impl Hold for TreeHold {
    fn end(&self, shared: &WatchedProgram) {
        self.stop.store(true, Ordering::Relaxed);
        shared.wait(KILL_TIMEOUT, |observed| observed.gone);
    }

    fn pid(&self) -> i32 {
        self.pid
    }
}
