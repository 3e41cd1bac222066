//! Programs started by a command line: a process tree, and two outputs that are read to their ends.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use casino_system::command_line::run_line;
use casino_system::files;
use casino_system::processes::ProcessTree;

use super::{
    LaunchError, LaunchedProgram, ONCE_VARIABLE, ProgramExit, ProgramOutputs, ProgramProcess, ProgramStarter,
};

const KEPT_OUTPUT_BYTES: usize = 4_000;

/// Bytes of each output that are written to its file; the rest is read and discarded.
const MAX_OUTPUT_FILE_BYTES: u64 = 16 << 20;

/// How long to wait for the last output of a program that has ended. A process outside its tree may keep the output
/// open forever.
const LAST_OUTPUT_TIMEOUT: Duration = Duration::from_secs(1);

/// A command line for the system's shell, with `{host}` and `{port}`, as in `--bot NAME=COMMAND`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellCommand {
    command: String,
    /// The files that standard output and standard error are appended to.
    files: Option<[PathBuf; 2]>,
}

impl ShellCommand {
    /// A command line in which `{host}` and `{port}` stand for the dealer's address.
    pub fn new(command: impl Into<String>) -> ShellCommand {
        ShellCommand { command: command.into(), files: None }
    }

    /// The same command line, its outputs appended to `NAME.stdout` and `NAME.stderr` in a folder, so that a resumed
    /// tournament keeps the earlier output.
    #[must_use]
    pub fn with_output_files(self, folder: &Path, name: &str) -> ShellCommand {
        let file = |ending: &str| folder.join(format!("{name}.{ending}"));
        ShellCommand { files: Some([file("stdout"), file("stderr")]), ..self }
    }

    /// The shell command for this command line, with pipes for both outputs.
    fn command(&self, address: SocketAddr) -> Command {
        let line = self.command.replace("{host}", &address.ip().to_string());
        let line = line.replace("{port}", &address.port().to_string());
        let mut command = run_line(&line);
        command.env(ONCE_VARIABLE.0, ONCE_VARIABLE.1);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

impl ProgramStarter for ShellCommand {
    fn launch(&self) -> Result<LaunchedProgram, LaunchError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(LaunchError::Socket)?;
        let address = listener.local_addr().map_err(LaunchError::Socket)?;
        let open = |path: &PathBuf| files::append_own(path);
        let files = match &self.files {
            None => [None, None],
            Some([stdout, stderr]) => {
                let opened = open(stdout).and_then(|stdout| Ok([Some(stdout), Some(open(stderr)?)]));
                opened.map_err(LaunchError::OutputFiles)?
            }
        };
        let command = self.command(address);
        let program = command.get_program().to_string_lossy().into_owned();
        let tree = ProcessTree::start(command).map_err(|source| LaunchError::Command { program, source })?;
        let process = ReadProcess::new(tree, files).map_err(LaunchError::OutputFiles)?;
        LaunchedProgram::new(listener, Box::new(process))
    }

    fn command_line(&self) -> String {
        self.command.clone()
    }
}

/// A process tree and its two outputs. Dropping it kills the whole tree; its output is in the files then.
#[derive(Debug)]
struct ReadProcess {
    tree: ProcessTree,
    stdout: Arc<Mutex<Vec<u8>>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    /// Disconnected when both outputs have ended.
    outputs_end: Receiver<Infallible>,
}

impl ReadProcess {
    fn new(mut tree: ProcessTree, files: [Option<File>; 2]) -> io::Result<ReadProcess> {
        let (open, outputs_end) = channel();
        let [stdout_file, stderr_file] = files;
        let stdout = tree.take_stdout().expect("standard output is a pipe");
        let stderr = tree.take_stderr().expect("standard error is a pipe");
        let read = read_output(stdout, stdout_file, open.clone())
            .and_then(|stdout| Ok((stdout, read_output(stderr, stderr_file, open)?)));
        match read {
            Ok((stdout, stderr)) => Ok(ReadProcess { tree, stdout, stderr, outputs_end }),
            Err(error) => {
                tree.end();
                Err(error)
            }
        }
    }

    /// Waits until both outputs have been read to their ends, or for [`LAST_OUTPUT_TIMEOUT`].
    fn read_to_the_end(&self) {
        // Always an error, because the channel carries no messages.
        let _ = self.outputs_end.recv_timeout(LAST_OUTPUT_TIMEOUT);
    }
}

impl Drop for ReadProcess {
    fn drop(&mut self) {
        self.tree.end();
        self.read_to_the_end();
    }
}

impl ProgramProcess for ReadProcess {
    fn exit(&mut self) -> Option<ProgramExit> {
        self.tree.ended()
    }

    fn outputs(&mut self) -> ProgramOutputs {
        if self.exit().is_some() {
            self.read_to_the_end();
        }
        let text = |kept: &Mutex<Vec<u8>>| {
            let kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            String::from_utf8_lossy(&kept).trim_end().to_string()
        };
        ProgramOutputs { stdout: text(&self.stdout), stderr: text(&self.stderr) }
    }
}

/// Reads an output to its end in a separate thread, so that the program never waits for a full pipe, and keeps its end.
/// `open` is dropped with the output.
fn read_output(
    mut output: impl Read + Send + 'static,
    file: Option<File>,
    open: Sender<Infallible>,
) -> io::Result<Arc<Mutex<Vec<u8>>>> {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let tail = Arc::clone(&kept);
    let read = move || {
        let mut file = file.map(|file| OutputFile { file, room: MAX_OUTPUT_FILE_BYTES });
        let mut buffer = [0; 8192];
        loop {
            match output.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => {
                    let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
                    tail.extend_from_slice(&buffer[..read]);
                    let excess = tail.len().saturating_sub(KEPT_OUTPUT_BYTES);
                    tail.drain(..excess);
                    drop(tail);
                    // A full disk costs the file, not the game.
                    file = file.take().and_then(|file| file.append(&buffer[..read]).ok().flatten());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        drop((file, open));
    };
    std::thread::Builder::new().spawn(read)?;
    Ok(kept)
}

/// A file that takes an output up to [`MAX_OUTPUT_FILE_BYTES`] bytes.
struct OutputFile {
    file: File,
    /// How many bytes it still takes.
    room: u64,
}

impl OutputFile {
    /// Appends to the file; `None` if it is full now.
    fn append(mut self, bytes: &[u8]) -> io::Result<Option<OutputFile>> {
        let fitting = usize::try_from(self.room).unwrap_or(usize::MAX).min(bytes.len());
        self.file.write_all(&bytes[..fitting])?;
        self.room -= fitting as u64;
        if fitting < bytes.len() {
            writeln!(self.file, "\n[the rest of this output was not kept]")?;
            return Ok(None);
        }
        Ok(Some(self))
    }
}
