//! A sandboxed program as the grader sees it.

use std::fmt;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use super::limits::{Limit, ResourceLimits, Termination};
use super::outputs::WatchedProgram;
use super::scratch::ScratchFolder;
use casino_host::{ProgramExit, ProgramOutputs, ProgramProcess};
use casino_system::processes::crash_name;

/// The longest wait for the last output of a program that is gone. On a busy machine the reading threads are late.
const LAST_OUTPUT_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) trait Hold: fmt::Debug + Send + Sync {
    /// Kills the rest of the program and waits until it is gone.
    fn end(&self, shared: &WatchedProgram);

    /// The id of the started process: the program, or the supervisor between it and the grader.
    fn pid(&self) -> i32;

    /// The separate user of the program, if there is one.
    fn user(&self) -> Option<u32> {
        None
    }
}

/// A program that runs, or ran, in the sandbox. Everything of it is killed when this is dropped.
#[derive(Debug)]
pub struct SandboxedProgram {
    pub(super) limits: ResourceLimits,
    pub(super) listener: TcpListener,
    pub(super) shared: Arc<WatchedProgram>,
    pub(super) hold: Box<dyn Hold>,
    #[expect(dead_code, reason = "dropping it removes the folder")]
    pub(super) scratch: Option<ScratchFolder>,
}

/// How a program ended, and its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How it ended.
    pub end: Termination,
    /// The end of its standard output.
    pub stdout: Vec<u8>,
    /// The end of its standard error.
    pub stderr: Vec<u8>,
}

impl Ended {
    /// Whether it was ended because its time was over.
    pub(crate) fn is_late(&self) -> bool {
        self.end == Termination::Over(Limit::Wall)
    }
}

impl SandboxedProgram {
    /// The process number of bubblewrap or of the supervisor; of the program itself where there is neither.
    pub fn pid(&self) -> i32 {
        self.hold.pid()
    }

    /// The separate user of the program, if there is one.
    pub fn user(&self) -> Option<u32> {
        self.hold.user()
    }

    /// The listener for the program's connection: the only way out of a sandbox with an isolated network.
    pub fn listener(&self) -> &TcpListener {
        &self.listener
    }

    /// How it ended, if it has.
    pub fn ended(&self) -> Option<Termination> {
        self.shared.observed().end()
    }

    /// Waits for its end, at most this long.
    pub fn wait(&self, time: Duration) -> Option<Termination> {
        self.shared.wait(time, |observed| observed.end().is_some());
        self.ended()
    }

    /// Its standard output and standard error so far, or their ends.
    pub fn printed(&self) -> (Vec<u8>, Vec<u8>) {
        let observed = self.shared.observed();
        (observed.stdout.bytes.clone(), observed.stderr.bytes.clone())
    }

    /// Kills the rest of it and returns how it ended. Afterwards none of its processes runs.
    pub fn finish(self) -> Ended {
        self.kill();
        let mut observed = self.shared.observed();
        let end = observed.termination();
        Ended {
            end,
            stdout: std::mem::take(&mut observed.stdout.bytes),
            stderr: std::mem::take(&mut observed.stderr.bytes),
        }
    }

    fn kill(&self) {
        self.hold.end(&self.shared);
        self.shared.wait(LAST_OUTPUT_TIMEOUT, |observed| observed.open_outputs == 0);
    }
}

impl ProgramProcess for SandboxedProgram {
    fn exit(&mut self) -> Option<ProgramExit> {
        const KILLED: i32 = 9;
        self.ended().map(|end| match end {
            Termination::Exited(code) => ProgramExit::Code(code),
            Termination::Crashed(code) if crash_name(code).is_some() => ProgramExit::Code(code),
            Termination::Crashed(signal) => ProgramExit::Signal(signal),
            Termination::Over(_) | Termination::Stopped | Termination::Fled => ProgramExit::Signal(KILLED),
        })
    }

    fn outputs(&mut self) -> ProgramOutputs {
        let (stdout, mut stderr) = {
            let observed = self.shared.observed();
            (observed.stdout.text(), observed.stderr.text())
        };
        if let Some(Termination::Over(limit)) = self.ended() {
            stderr = format!("{stderr}\n{}", limit.sentence(&self.limits)).trim_start().to_string();
        }
        ProgramOutputs { stdout, stderr }
    }

    fn stop(&mut self) {
        self.kill();
    }
}

impl Drop for SandboxedProgram {
    fn drop(&mut self) {
        if !self.shared.observed().gone {
            self.kill();
        }
    }
}
