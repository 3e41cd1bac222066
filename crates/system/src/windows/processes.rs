//! Processes on Windows: each tree is a job.

use std::io;
use std::process::{ChildStderr, ChildStdout, Command, ExitStatus};
use std::time::Duration;

use process_wrap::std::{ChildWrapper, CommandWrap, CreationFlags, JobObject};
use windows::Win32::System::Threading::CREATE_NO_WINDOW;

use crate::processes::ProgramExit;

/// A job and its first process.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    leader: Box<dyn ChildWrapper>,
}

impl ProcessTree {
    pub(crate) fn start(command: Command) -> io::Result<ProcessTree> {
        // With a hidden console of its own, it does not receive the Ctrl-C of ours.
        let mut command = CommandWrap::from(command);
        command.wrap(CreationFlags(CREATE_NO_WINDOW)).wrap(JobObject);
        Ok(ProcessTree { leader: command.spawn()? })
    }

    pub(crate) fn id(&self) -> u32 {
        self.leader.id()
    }

    pub(crate) fn stdout(&mut self) -> &mut Option<ChildStdout> {
        self.leader.stdout()
    }

    pub(crate) fn stderr(&mut self) -> &mut Option<ChildStderr> {
        self.leader.stderr()
    }

    // Asks the first process only: the job's own events are useless here, and waiting for them could block.
    pub(crate) fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        self.leader.inner_mut().try_wait()
    }

    pub(crate) fn wait(&mut self) -> io::Result<ExitStatus> {
        self.leader.inner_mut().wait()
    }

    pub(crate) fn kill(&mut self) {
        // The job may have ended already.
        let _ = self.leader.start_kill();
    }
}

pub(crate) fn end(status: ExitStatus) -> ProgramExit {
    ProgramExit::Code(status.code().unwrap_or_default())
}

/// Only a job has such a limit, and it is not this process that would be asked.
pub(crate) fn processor_time_limit() -> Option<u64> {
    None
}

pub(crate) fn processor_time() -> Option<Duration> {
    None
}

pub(crate) fn thread_time() -> Option<Duration> {
    None
}

pub(crate) fn load() -> Option<f64> {
    None
}

/// The stack of the main thread in bytes, as the linker sets it.
pub(crate) fn main_stack() -> u64 {
    1 << 20
}

pub(crate) fn signal_name(_: i32) -> Option<&'static str> {
    None
}

pub(crate) fn crash_name(code: i32) -> Option<&'static str> {
    Some(match code.cast_unsigned() {
        0xC000_0005 => "access violation",
        0xC000_0017 => "no memory left",
        0xC000_001D => "illegal instruction",
        0xC000_008C => "index out of bounds",
        0xC000_0094 => "integer division by zero",
        0xC000_00FD => "stack overflow",
        0xC000_0135 => "a DLL was not found",
        0xC000_013A => "ended by Ctrl-C",
        0xC000_0139 => "a function of a DLL was not found",
        0xC000_0142 => "a DLL could not be started",
        0xC000_0374 => "heap corruption",
        0xC000_0409 => "abort",
        _ => return None,
    })
}
