//! The messages between the grader, the supervisor of a sandbox and the process that becomes the program.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::filter::FilterRules;
use super::landlock_rules::LandlockRules;
use crate::sandbox::{ResourceLimits, Termination};

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Instructions {
    /// The program and its arguments; `{host}` and `{port}` are still in them.
    pub(super) words: Vec<String>,
    pub(super) environment: Vec<(String, String)>,
    /// A folder to copy into `folder`, up to this many bytes; a larger one is used in place, read-only.
    pub(super) copy: Option<(PathBuf, u64)>,
    pub(super) folder: PathBuf,
    pub(super) measured: Vec<PathBuf>,
    /// The places of file systems in memory, which limit the bytes themselves; their entries are counted.
    pub(super) in_memory: Vec<PathBuf>,
    /// The port on which the dealer listens; the supervisor fills it in.
    pub(super) port: u16,
    pub(super) landlock: Option<LandlockRules>,
    pub(super) filter: Option<FilterRules>,
    pub(super) gives_up_rights: bool,
    /// The user the program becomes, if the supervisor may change users.
    pub(super) user: Option<u32>,
    /// Whether the sandbox has its own process numbers, the supervisor being number 1.
    pub(super) own_processes: bool,
    /// How many processes and threads the user has besides: the system's limit counts them too.
    pub(super) tasks_before: u64,
    pub(super) limits: ResourceLimits,
}

/// A report of the supervisor to the grader, after it has handed over the listening socket.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SupervisorMessage {
    Started,
    /// The program cannot be started: the error number of the system.
    NotStarted(i32),
    /// The program has ended with all its processes.
    Ended(Termination),
}

/// Writes a message as one line of JSON.
pub(super) fn write_message(mut to: impl Write, message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    to.write_all(&line)
}

/// Reads one message and not a byte more; `None` at the end.
pub(super) fn read_message<T: DeserializeOwned>(mut from: impl Read) -> io::Result<Option<T>> {
    let mut line = Vec::new();
    let mut byte = [0];
    loop {
        match from.read(&mut byte) {
            Ok(0) => return Ok(None),
            Ok(_) if byte[0] == b'\n' => return Ok(Some(serde_json::from_slice(&line)?)),
            Ok(_) => line.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
