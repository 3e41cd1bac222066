//! A real host in a separate process.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// No test waits longer than this for something that is sure to come.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// No program is silent for longer before it ends.
const END_PATIENCE: Duration = Duration::from_secs(600);

/// A running `casino`.
pub struct Host {
    child: Child,
    /// The lines of its standard output, which a thread reads.
    stdout: Receiver<Vec<u8>>,
    stderr: Option<JoinHandle<()>>,
    /// Its standard error so far.
    said: Arc<Mutex<Vec<u8>>>,
}

/// The exit status and outputs of a `casino`.
pub struct Ended {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
}

/// The program under test.
pub fn casino() -> Command {
    Command::new(env!("CARGO_BIN_EXE_casino"))
}

/// Runs `casino` with these arguments to its end.
pub fn run(arguments: &[&str]) -> Ended {
    Host::start(casino().args(arguments)).wait()
}

impl Host {
    pub fn start(command: &mut Command) -> Host {
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let (sender, stdout) = mpsc::channel();
        thread::spawn(move || {
            loop {
                let mut line = Vec::new();
                // A test that ended does not want the rest.
                if out.read_until(b'\n', &mut line).unwrap() == 0 || sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut stderr = child.stderr.take().unwrap();
        let said: Arc<Mutex<Vec<u8>>> = Arc::default();
        let heard = Arc::clone(&said);
        let stderr = thread::spawn(move || {
            let mut part = [0; 4096];
            loop {
                match stderr.read(&mut part).unwrap() {
                    0 => break,
                    count => heard.lock().unwrap().extend_from_slice(&part[..count]),
                }
            }
        });
        Host { child, stdout, stderr: Some(stderr), said }
    }

    /// Its standard error so far.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&self.said.lock().unwrap()).into_owned()
    }

    /// A line of standard output; empty at its end.
    pub fn line(&mut self) -> String {
        match self.stdout.recv_timeout(PATIENCE) {
            Ok(line) => String::from_utf8(line).unwrap(),
            Err(RecvTimeoutError::Disconnected) => String::new(),
            Err(RecvTimeoutError::Timeout) => panic!("no line in {PATIENCE:?}: {}", self.said()),
        }
    }

    /// Its standard error up to a place where `found` finds something, which is returned.
    pub fn wait_until_said<T>(&mut self, found: impl Fn(&str) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            let over = self.has_ended() || begun.elapsed() > PATIENCE;
            let said = self.said();
            if let Some(found) = found(&said) {
                return found;
            }
            assert!(!over, "it is not said: {said}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Reads standard output up to a line that contains `words`.
    pub fn wait_for_line(&mut self, words: &str) {
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "it ended without {words}: {}", self.said());
            if line.contains(words) {
                return;
            }
        }
    }

    /// The address it listens at, unless it ends before.
    pub fn address(&mut self) -> Option<SocketAddr> {
        self.line().strip_prefix("listening on ")?.trim().parse().ok()
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, signal: Signal) {
        // It may have ended already.
        let _ = kill(Pid::from_raw(self.child.id() as i32), signal);
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub fn wait(mut self) -> Ended {
        let mut stdout = Vec::new();
        loop {
            match self.stdout.recv_timeout(END_PATIENCE) {
                Ok(line) => stdout.extend(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("it does not end: {}", self.said()),
            }
        }
        let status = self.child.wait().unwrap();
        self.stderr.take().unwrap().join().unwrap();
        let stderr = self.said();
        Ended { status, stdout: String::from_utf8_lossy(&stdout).into_owned(), stderr }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One request, such as `GET /state`, and its answer: the head and the body.
pub fn http(
    address: SocketAddr,
    request: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> io::Result<(String, String)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut head = format!("{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Content-Length: {}\r\n\r\n", body.len());
    stream.write_all(&[head.as_bytes(), body].concat())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::UnexpectedEof)?;
    Ok((head.to_string(), body.to_string()))
}

/// An empty folder for one test, which stays.
pub fn scratch(name: &str) -> PathBuf {
    std::mem::ManuallyDrop::new(Folder::new(name)).0.clone()
}

/// A folder for one test, removed at its end unless the test fails.
pub struct Folder(PathBuf);

static FOLDERS: AtomicU32 = AtomicU32::new(0);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = format!("casino-day-{name}-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The same as text for a command line.
    pub fn path(&self, name: &str) -> String {
        self.file(name).to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}
