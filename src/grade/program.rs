//! Running a program that may hang, flood or leave children behind, and saying how it ended.

use std::fmt;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

/// How often a program is looked at that keeps its output open without writing, in real time.
const LOOK: Duration = Duration::from_millis(5);

/// How long the pipes of a program that has ended may stay open: only somebody who fled from the process
/// group still holds them then.
const DRAIN: Duration = Duration::from_millis(300);

/// How much standard error is kept, in bytes: its end says what went wrong.
const STDERR_TAIL: usize = 2_000;

/// A command line with names in braces for what changes from run to run: `java HandValue {cards}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    text: String,
    words: Vec<String>,
}

impl Template {
    /// Splits a command line into words as a shell does, quotes and backslashes included; no shell runs.
    ///
    /// # Errors
    /// [`TemplateError`] if a quote is left open, there is no word, or one of `names` is missing: without
    /// it the program could not know its task.
    pub fn parse(text: &str, names: &[&str]) -> Result<Template, TemplateError> {
        let words = shlex::split(text).ok_or(TemplateError::OpenQuote)?;
        if words.is_empty() {
            return Err(TemplateError::Empty);
        }
        for name in names {
            let placeholder = format!("{{{name}}}");
            if !words.iter().any(|word| word.contains(&placeholder)) {
                return Err(TemplateError::Missing { placeholder });
            }
        }
        Ok(Template { text: text.trim().to_string(), words })
    }

    /// The command line as it was given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The words with every name replaced. A word that is a name alone becomes as many words as its value
    /// has; inside a longer word they are joined by spaces.
    pub fn fill(&self, values: &[(&str, &[String])]) -> Vec<String> {
        let mut filled = Vec::new();
        for word in &self.words {
            let alone = values.iter().find(|(name, _)| *word == format!("{{{name}}}"));
            if let Some((_, value)) = alone {
                filled.extend_from_slice(value);
                continue;
            }
            let mut word = word.clone();
            for (name, value) in values {
                word = word.replace(&format!("{{{name}}}"), &value.join(" "));
            }
            filled.push(word);
        }
        filled
    }
}

/// Why a command line cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateError {
    /// A quote is not closed.
    OpenQuote,
    /// There is no word.
    Empty,
    /// A name in braces is not there.
    Missing {
        /// The name with its braces.
        placeholder: String,
    },
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TemplateError::OpenQuote => f.write_str("a quote is not closed"),
            TemplateError::Empty => f.write_str("there is no program in it"),
            TemplateError::Missing { placeholder } => {
                write!(f, "{placeholder} is missing: write it where the program expects it")
            }
        }
    }
}

impl std::error::Error for TemplateError {}

/// Words as one line that a shell splits into them again.
pub fn shell_line(words: &[String]) -> String {
    words.iter().map(|word| shlex::try_quote(word).unwrap_or("'?'".into())).collect::<Vec<_>>().join(" ")
}

/// What a program may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Real time from its start to its end.
    pub time: Duration,
    /// Bytes of standard output.
    pub output: usize,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal that it did not get from here.
    Crashed(i32),
    /// It was killed when its time was over.
    OutOfTime,
    /// It was killed because it wrote too much.
    TooMuchOutput,
}

/// A program that was run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How it ended.
    pub how: How,
    /// What it wrote to standard output, up to the limit.
    pub stdout: Vec<u8>,
    /// The end of what it wrote to standard error.
    pub stderr: String,
}

impl Ended {
    /// Why there is no answer to judge, in a sentence; `None` if the program ended by itself. An exit code
    /// other than 0 is no such reason: the documents judge what is printed.
    pub fn trouble(&self, limits: &Limits) -> Option<String> {
        match self.how {
            How::Exited(_) => None,
            How::Crashed(signal) => {
                let name = Signal::try_from(signal).map_or("?", Signal::as_str);
                Some(format!("The program crashed: signal {signal} ({name})."))
            }
            How::OutOfTime => {
                Some(format!("The program was stopped: it took longer than {} s.", limits.time.as_secs_f64()))
            }
            How::TooMuchOutput => Some(format!(
                "The program was stopped: it printed more than {} bytes, far more than the answer takes.",
                limits.output
            )),
        }
    }
}

/// The program could not be started at all.
#[derive(Debug)]
pub struct NeverStarted {
    /// The program's name.
    pub program: String,
    /// What the system said.
    pub error: io::Error,
}

impl fmt::Display for NeverStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be started: {}", self.program, self.error)?;
        match self.error.kind() {
            io::ErrorKind::NotFound if self.program.contains('/') => {
                f.write_str(" (is the path right, and the interpreter in its first line installed?)")
            }
            io::ErrorKind::NotFound => {
                f.write_str(" (install it, or write ./NAME for a file in this folder)")
            }
            io::ErrorKind::PermissionDenied => f.write_str(" (make it executable: chmod +x)"),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for NeverStarted {}

/// Runs a program, its name being the first word, without input and in a process group of its own. When it
/// has ended, or is killed at a limit, whatever it left in that group is killed with it.
///
/// # Errors
/// [`NeverStarted`] if the system cannot start it.
pub fn run(words: &[String], limits: &Limits) -> Result<Ended, NeverStarted> {
    let never = |program: &str, error| NeverStarted { program: program.to_string(), error };
    let [program, arguments @ ..] = words else {
        return Err(never("no program", io::ErrorKind::NotFound.into()));
    };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| never(program, error))?;
    // Full channels make the readers wait, and so the program: nothing piles up here.
    let (to, from) = sync_channel(4);
    read_all(child.stdout.take().expect("standard output is a pipe"), to.clone(), Said::Out);
    read_all(child.stderr.take().expect("standard error is a pipe"), to, Said::Err);
    let mut heard = Heard { stdout: Vec::new(), stderr: Vec::new(), limit: limits.output };
    let stopped = listen(&child, &from, &mut heard, Instant::now() + limits.time);
    kill_group(&child);
    let status = child.wait().map_err(|error| never(program, error))?;
    let until = Instant::now() + DRAIN;
    while let Ok(said) = from.recv_timeout(until.saturating_duration_since(Instant::now())) {
        heard.take(said);
    }
    let how = match (stopped, status.code()) {
        (Some(how), _) => how,
        (None, _) if heard.stdout.len() > limits.output => How::TooMuchOutput,
        (None, Some(code)) => How::Exited(code),
        (None, None) => How::Crashed(status.signal().unwrap_or_default()),
    };
    heard.stdout.truncate(limits.output);
    let tail = heard.stderr.len().saturating_sub(STDERR_TAIL);
    let stderr = String::from_utf8_lossy(&heard.stderr[tail..]).trim().to_string();
    Ok(Ended { how, stdout: heard.stdout, stderr })
}

/// Listens until the program has ended, which is `None`, or has to be stopped.
fn listen(child: &Child, from: &Receiver<Said>, heard: &mut Heard, deadline: Instant) -> Option<How> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match from.recv_timeout(left.min(LOOK)) {
            Ok(said) => heard.take(said),
            // Both pipes are closed: mostly it has ended then, or is about to.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(left.min(Duration::from_millis(1))),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if heard.stdout.len() > heard.limit {
            return Some(How::TooMuchOutput);
        }
        if has_ended(child) {
            return None;
        }
        if left.is_zero() {
            return Some(How::OutOfTime);
        }
    }
}

enum Said {
    Out(Vec<u8>),
    Err(Vec<u8>),
}

struct Heard {
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    limit: usize,
}

impl Heard {
    fn take(&mut self, said: Said) {
        match said {
            Said::Out(bytes) if self.stdout.len() <= self.limit => self.stdout.extend(bytes),
            Said::Out(_) => {}
            Said::Err(bytes) => {
                self.stderr.extend(bytes);
                let excess = self.stderr.len().saturating_sub(2 * STDERR_TAIL);
                self.stderr.drain(..excess);
            }
        }
    }
}

/// Reads a pipe to its end in a thread of its own, which ends when nobody listens any more.
fn read_all(mut pipe: impl Read + Send + 'static, to: SyncSender<Said>, said: fn(Vec<u8>) -> Said) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        loop {
            match pipe.read(&mut buffer) {
                Ok(0) => return,
                Ok(read) => {
                    if to.send(said(buffer[..read].to_vec())).is_err() {
                        return;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    });
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(i32::try_from(child.id()).expect("a process number is a small positive number"))
}

/// Whether the program has ended. It is left unburied, so that its number and its group's stay its own.
fn has_ended(child: &Child) -> bool {
    let look = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    match waitid(Id::Pid(pid(child)), look) {
        Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => false,
        Ok(_) => true,
        // Nothing is left to wait for.
        Err(_) => true,
    }
}

fn kill_group(child: &Child) {
    // Fails only if the group is gone, which is as good.
    let _ = killpg(pid(child), Signal::SIGKILL);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str, limits: Limits) -> Ended {
        run(&["sh".into(), "-c".into(), script.into()], &limits).unwrap()
    }

    const PLENTY: Limits = Limits { time: Duration::from_secs(60), output: 1 << 20 };

    #[test]
    fn what_is_said_and_how_it_ended() {
        let ended = sh("echo out; echo err >&2; exit 3", PLENTY);
        assert_eq!(ended, Ended { how: How::Exited(3), stdout: b"out\n".into(), stderr: "err".into() });
        let crashed = sh("kill -SEGV $$", PLENTY);
        assert_eq!(crashed.how, How::Crashed(11));
        assert!(crashed.trouble(&PLENTY).unwrap().contains("SIGSEGV"));
    }

    #[test]
    fn a_program_that_hangs_is_killed_with_its_children() {
        let limits = Limits { time: Duration::from_millis(200), output: 1 << 20 };
        let ended = sh("sleep 1000 & echo $!; wait", limits);
        assert_eq!(ended.how, How::OutOfTime);
        assert!(!alive(&ended.stdout));
    }

    #[test]
    fn children_that_hold_the_pipe_do_not_hold_us() {
        let ended = sh("sleep 1000 & echo $!", PLENTY);
        assert_eq!(ended.how, How::Exited(0));
        assert!(!alive(&ended.stdout));
    }

    #[test]
    fn a_program_that_closes_its_output_may_go_on() {
        assert_eq!(sh("exec >&- 2>&-; sleep 0.05; exit 4", PLENTY).how, How::Exited(4));
    }

    #[test]
    fn a_flood_is_stopped_and_cut() {
        let limits = Limits { output: 100_000, ..PLENTY };
        let ended = sh("yes", limits);
        assert_eq!(ended.how, How::TooMuchOutput);
        assert_eq!(ended.stdout.len(), 100_000);
        let ended = sh("yes | head -c 100001", limits);
        assert_eq!(ended.how, How::TooMuchOutput);
        assert_eq!(sh("yes | head -c 100000", limits).how, How::Exited(0));
    }

    #[test]
    fn a_flood_of_errors_leaves_its_end() {
        let ended = sh("yes | head -c 3000000 >&2; echo last >&2", PLENTY);
        assert_eq!(ended.how, How::Exited(0));
        assert!(ended.stderr.ends_with("last") && ended.stderr.len() <= STDERR_TAIL);
    }

    #[test]
    fn what_cannot_start_says_so() {
        let error = run(&["no-such-program".into()], &PLENTY).unwrap_err();
        assert!(error.to_string().contains("no-such-program cannot be started"), "{error}");
        assert!(run(&[], &PLENTY).is_err());
    }

    #[test]
    fn templates_are_split_and_filled() {
        let template = Template::parse("java -cp 'my dir' HandValue {cards} x{n}y", &["cards"]).unwrap();
        let cards = ["TH".to_string(), "5C".to_string()];
        assert_eq!(
            template.fill(&[("cards", &cards), ("n", &["7".to_string()])]),
            ["java", "-cp", "my dir", "HandValue", "TH", "5C", "x7y"]
        );
        let inside = Template::parse("sh -c \"value {cards}\"", &["cards"]).unwrap();
        assert_eq!(inside.fill(&[("cards", &cards)]), ["sh", "-c", "value TH 5C"]);
        assert_eq!(
            Template::parse("x", &["cards"]),
            Err(TemplateError::Missing { placeholder: "{cards}".into() })
        );
        assert_eq!(Template::parse("x 'y", &[]), Err(TemplateError::OpenQuote));
        assert_eq!(Template::parse("  ", &[]), Err(TemplateError::Empty));
        assert_eq!(shell_line(&["a b".into(), "c".into()]), "'a b' c");
    }

    /// Whether the process whose number was printed still runs. A killed one may lie unburied for a while.
    fn alive(printed: &[u8]) -> bool {
        let pid: i32 = String::from_utf8_lossy(printed).trim().parse().unwrap();
        for _ in 0..1_000 {
            let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            if state.is_empty() || state.contains(") Z ") {
                return false;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        true
    }
}
