//! Programs that try to escape from the sandbox, to stay in it, or to break it: each gets its verdict, none of its
//! processes is left soon after, and nothing outside is changed. `HOSTILE=20` runs each of them twenty times.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

#[path = "support/tools.rs"]
mod tools;

use std::collections::VecDeque;
use std::fs::{self, Permissions};
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use casino_judge::sandbox::{
    Limit, Policy, ResourceLimits, Sandbox, SandboxedProgram, Task, Termination, Workspace,
};
use casino_system::files::write_output;
use serde_json::json;
use tools::{has, skip};

/// Resource limits of each of them, short ones.
const LIMITS: ResourceLimits = ResourceLimits {
    processes: 64,
    memory: 256 << 20,
    files: 32 << 20,
    file: 8 << 20,
    output: 4 << 20,
    errors: 4 << 20,
    cpu: Duration::from_secs(2),
    wall: Duration::from_millis(1200),
};

/// How long a machine that is busy with other things may take for a verdict beyond the limit: starting, killing,
/// and telling.
const SLOW: Duration = Duration::from_secs(120);

/// Time after which no process of a program may be left; on an idle machine it takes less than a second.
const GONE: Duration = Duration::from_secs(60);

/// The interpreter that every user of the machine may run.
const PYTHON: &str = "/usr/bin/python3";

/// The gaps of the sandbox without bubblewrap, as documented in docs/sandbox.md.
const OPEN_WITHOUT_BUBBLEWRAP: [&str; 0] = [];

/// The links of the submission to files outside of it.
const LINKS: [(&str, &str); 4] = [
    ("link_to_a_neighbour", "neighbour/poker.py"),
    ("link_to_a_folder", "neighbour"),
    ("link_to_the_root", "/"),
    ("link_up", ".."),
];

/// The keys of `leaves_shared_memory.py`, as the system lists them.
const SEGMENTS: std::ops::Range<i64> = 0x0CA5_1000..0x0CA5_1100;

/// Programs run at one time, without `HOSTILE_AT_ONCE`: most of them only wait.
const AT_ONCE: usize = 4;

/// The tests of this file run one after the other: each looks for leftovers on the machine.
static ALONE: Mutex<()> = Mutex::new(());

fn runs() -> usize {
    std::env::var("HOSTILE").ok().map_or(1, |runs| runs.parse().expect("HOSTILE is a number of runs"))
}

fn hostile() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")
}

fn programs() -> Vec<(String, Vec<String>)> {
    let mut files: Vec<String> = fs::read_dir(hostile())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut programs = Vec::new();
    for file in files {
        let start: &[&str] = match file.rsplit_once('.') {
            _ if file == "common.py" => continue,
            Some((_, "py")) if Path::new(PYTHON).exists() => &[PYTHON],
            Some((_, "py")) => {
                skip("python3", &file, &format!("there is no {PYTHON} here"));
                continue;
            }
            Some((_, "java")) if has("javac", &file) => &["java"],
            Some((_, "sh")) => &["/bin/sh"],
            _ => continue,
        };
        let words = start.iter().map(ToString::to_string).chain([file.clone()]).collect();
        programs.push((file, words));
    }
    assert!(programs.len() >= 4, "without Python and Java only the shell's are left");
    programs
}

/// Everything outside the sandbox: secrets, neighbors, sockets, and the place of the verdict.
struct Outside {
    folder: PathBuf,
    mark: String,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    hidden: UnixListener,
}

impl Outside {
    fn new(name: &str) -> Outside {
        // A new one each time: a process started by another thread may hold the last one's sockets for a moment.
        static MADE: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = MADE.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mark = format!("casino-escape-{}-{name}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(format!("casino-hostile-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for part in ["submission", "neighbour", "verdicts"] {
            fs::create_dir_all(folder.join(part)).unwrap();
        }
        for file in fs::read_dir(hostile()).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), folder.join("submission").join(file.file_name())).unwrap();
        }
        for (link, target) in LINKS {
            let target = if target == ".." { target.into() } else { folder.join(target) };
            symlink(target, folder.join("submission").join(link)).unwrap();
        }
        fs::write(folder.join("neighbour/poker.py"), &mark).unwrap();
        fs::write(folder.join("verdicts/previous.json"), "previous").unwrap();
        for part in ["neighbour", "verdicts"] {
            fs::set_permissions(folder.join(part), Permissions::from_mode(0o700)).unwrap();
        }
        let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
        let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
        let unix = UnixListener::bind(folder.join("socket")).unwrap();
        let hidden = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&mark).unwrap()).unwrap();
        tcp.set_nonblocking(true).unwrap();
        udp.set_nonblocking(true).unwrap();
        unix.set_nonblocking(true).unwrap();
        hidden.set_nonblocking(true).unwrap();
        let at = |part: &str| folder.join(part).display().to_string();
        let target = json!({
            "mark": mark,
            "read": [at("neighbour/poker.py"), at("verdicts/previous.json")],
            "list": [at("neighbour"), at("verdicts")],
            "write": [at(""), at("neighbour"), at("verdicts"), at("submission")],
            "overwrite": [at("neighbour/poker.py"), at("verdicts/previous.json")],
            "verdict": [at("verdicts/verdict.json"), at("verdicts/previous.json")],
            "tcp": [["127.0.0.1", tcp.local_addr().unwrap().port()], ["127.0.0.1", 22], ["192.0.2.1", 80]],
            "udp": [["127.0.0.1", udp.local_addr().unwrap().port()]],
            "unix": [at("socket")],
            "abstract": [mark],
            "pids": [std::process::id()],
            "secret": mark,
            "root": nix::unistd::geteuid().is_root(),
            "grader": env!("CARGO_BIN_EXE_casino"),
        });
        fs::write(folder.join("submission/target.json"), target.to_string()).unwrap();
        Outside { folder, mark, tcp, udp, unix, hidden }
    }

    /// The forbidden targets that were reached from inside.
    fn reached(&self) -> Vec<&'static str> {
        let mut reached = Vec::new();
        if self.tcp.accept().is_ok() {
            reached.push("tcp");
        }
        if self.udp.recv(&mut [0; 10]).is_ok() {
            reached.push("udp");
        }
        if self.unix.accept().is_ok() {
            reached.push("unix");
        }
        if self.hidden.accept().is_ok() {
            reached.push("abstract");
        }
        reached
    }

    /// Files with the mark outside, and things that were changed.
    fn changed(&self) -> Vec<String> {
        let mut changed = Vec::new();
        let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let places = "/ /etc /usr /usr/bin /usr/local/bin /var/tmp /tmp /dev \
                      /dev/shm /home /root /run /opt /mnt /srv /var/spool/cron";
        let parts = ["", "neighbour", "verdicts", "submission"].map(|part| self.folder.join(part));
        for place in places.split(' ').map(PathBuf::from).chain(parts).chain([home, std::env::temp_dir()]) {
            for entry in fs::read_dir(place).into_iter().flatten().flatten() {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.starts_with(&self.mark) {
                    changed.push(entry.path().display().to_string());
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
        for (file, content) in
            [("neighbour/poker.py", self.mark.as_str()), ("verdicts/previous.json", "previous")]
        {
            if fs::read_to_string(self.folder.join(file)).ok().as_deref() != Some(content) {
                changed.push(format!("{file} has another content"));
            }
        }
        for file in fs::read_dir(hostile()).unwrap().flatten() {
            if fs::read(file.path()).ok()
                != fs::read(self.folder.join("submission").join(file.file_name())).ok()
            {
                changed.push(format!("the submission's {} was changed", file.file_name().display()));
            }
        }
        changed
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Processes of this program that still run: its user's, descendants of its sandbox, or carriers of the test's mark.
fn survivors(mark: &str, user: Option<u32>, before: &[u32]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        if pid == std::process::id() {
            continue;
        }
        let read = |file: &str| fs::read(entry.path().join(file)).unwrap_or_default();
        let stat = String::from_utf8_lossy(&read("stat")).into_owned();
        if stat.rsplit_once(')').is_none_or(|(_, rest)| rest.trim_start().starts_with('Z')) {
            continue;
        }
        let carries = |bytes: Vec<u8>| bytes.windows(mark.len()).any(|window| window == mark.as_bytes());
        let theirs = user.is_some() && entry.metadata().ok().map(|about| about.uid()) == user;
        if theirs || before.contains(&pid) || carries(read("cmdline")) || carries(read("environ")) {
            found.push(stat);
        }
    }
    found
}

/// The numbers of everything below a process.
fn below(ancestor: i32) -> Vec<u32> {
    let mut parents = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let stat = fs::read(entry.path().join("stat")).unwrap_or_default();
        let stat = String::from_utf8_lossy(&stat).into_owned();
        let Some((_, rest)) = stat.rsplit_once(')') else { continue };
        let parent = rest.split_whitespace().nth(1).and_then(|parent| parent.parse::<u32>().ok());
        parents.push((pid, parent.unwrap_or(0)));
    }
    let mut found = vec![u32::try_from(ancestor).unwrap()];
    let mut before = 0;
    while before != found.len() {
        before = found.len();
        let more: Vec<u32> = parents
            .iter()
            .filter(|(pid, parent)| found.contains(parent) && !found.contains(pid))
            .map(|(pid, _)| *pid)
            .collect();
        found.extend(more);
    }
    found
}

fn judge(sandbox: &Sandbox, outside: &Outside, words: &[String]) -> (SandboxedProgram, Instant) {
    let address = ["target.json", "{host}", "{port}"].map(String::from);
    let task = Task {
        words: words.iter().cloned().chain(address).collect(),
        place: Workspace::Copy(outside.folder.join("submission")),
        limits: limits(&words[words.len() - 1]),
        keep: 64 << 10,
    };
    let begun = Instant::now();
    (sandbox.start(&task).expect("it starts"), begun)
}

/// The enforced limits, whose violations count.
struct Walls {
    /// Everything, as under bubblewrap.
    counted: bool,
    tcp: bool,
    signals: bool,
}

impl Walls {
    fn of(sandbox: &Sandbox) -> Walls {
        let signals = sandbox.protection.holds_signals;
        Walls { counted: sandbox.protection.is_tight, tcp: sandbox.protection.holds_network, signals }
    }
}

/// The violations of one run of one program.
fn wrongs(walls: &Walls, sandbox: &Sandbox, file: &str, words: &[String], name: &str) -> Vec<String> {
    let outside = Outside::new(name);
    let verdict = outside.folder.join("verdicts/verdict.json");
    let mut wrongs = Vec::new();
    let (boxed, begun) = judge(sandbox, &outside, words);
    let user = boxed.user();
    std::thread::sleep(Duration::from_millis(100));
    let seen = below(boxed.pid());
    let limits = limits(file);
    if boxed.wait(limits.wall + SLOW).is_none() {
        wrongs.push(format!("no end after {:?}", begun.elapsed()));
    }
    let ended = boxed.finish();
    let report = json!({ "program": file, "end": ended.end, "why": ended.end.sentence(&limits) }).to_string();
    if let Err(error) = write_output(&verdict, report.as_bytes(), &[]) {
        wrongs.push(format!("no verdict: {error}"));
    }
    let over = Instant::now();
    let mut left = survivors(&outside.mark, user, &seen);
    while !left.is_empty() && over.elapsed() < GONE {
        std::thread::sleep(Duration::from_millis(20));
        left = survivors(&outside.mark, user, &seen);
    }
    wrongs.extend(left.into_iter().map(|stat| format!("survives: {stat}")));
    let read = fs::read_to_string(&verdict).unwrap_or_default();
    if read != report {
        wrongs.push(format!("another verdict: {read}"));
    }
    let printed = [String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr)].concat();
    let leaks = printed.lines().filter(|line| line.starts_with("LEAK"));
    let counts =
        |line: &&str| walls.counted || !OPEN_WITHOUT_BUBBLEWRAP.iter().any(|open| line.starts_with(open));
    wrongs.extend(leaks.filter(counts).map(ToString::to_string));
    let changed = outside.changed();
    let reached = outside.reached();
    if walls.counted {
        wrongs.extend(reached.iter().map(|what| format!("reached {what}")));
    }
    if walls.counted || sandbox.protection.fences_files || user.is_some() {
        wrongs.extend(changed);
    }
    if walls.tcp && reached.contains(&"tcp") {
        wrongs.push("reached tcp".into());
    }
    if ended.end == Termination::Fled && (walls.signals || user.is_some()) {
        wrongs.push("it got rid of its supervisor".into());
    }
    // Without a user for each program the kernel's limit counts the processes of all that run at that moment.
    let crowded_out = user.is_none() && printed.contains("Resource temporarily unavailable");
    if !crowded_out && !expected_ends(file).is_none_or(|expected| expected.contains(&ended.end)) {
        wrongs.push(format!("ended by {:?}", ended.end));
    }
    if !wrongs.is_empty() {
        wrongs.push(format!("it printed: {}", printed.lines().take(30).collect::<Vec<_>>().join("\n    ")));
    }
    wrongs
}

/// A program that has to exit normally may start slowly.
fn limits(file: &str) -> ResourceLimits {
    let ends_by_itself = expected_ends(file).is_some_and(|ends| ends == [Termination::Exited(0)]);
    ResourceLimits { wall: if ends_by_itself { SLOW } else { LIMITS.wall }, ..LIMITS }
}

/// How a program may end, where only some ends are right. On a busy machine many are caught by the time.
fn expected_ends(file: &str) -> Option<Vec<Termination>> {
    const WALL: Termination = Termination::Over(Limit::Wall);
    Some(match file {
        "exits_early.sh" | "daemonises.py" | "forks_after_its_end.py" | "adopts_its_orphans.py" => {
            vec![Termination::Exited(0)]
        }
        "forges_messages.py" => vec![Termination::Exited(7), WALL],
        "dumps_core.py" => vec![Termination::Crashed(6), WALL],
        "endless_output.sh" => vec![Termination::Over(Limit::Output), WALL],
        "endless_errors.sh" => vec![Termination::Over(Limit::Errors), WALL],
        "allocates.py" | "makes_itself_unreadable.py" => vec![Termination::Over(Limit::Memory), WALL],
        "sleeps.sh" | "ignores_signals.py" | "closes_everything.py" => vec![WALL],
        _ => return None,
    })
}

/// Runs all programs the configured number of times, some at a time.
fn all(sandbox: &Sandbox, name: &str) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let at_once = std::env::var("HOSTILE_AT_ONCE").ok().map_or(AT_ONCE, |number| number.parse().unwrap());
    let only = std::env::var("HOSTILE_ONLY").ok();
    let walls = Walls::of(sandbox);
    let failures = Mutex::new(Vec::new());
    let is_wanted = |file: &str| only.as_deref().is_none_or(|only| file.contains(only));
    let runs = (0..runs()).flat_map(|run| programs().into_iter().map(move |program| (run, program)));
    let waiting = Mutex::new(runs.filter(|(_, (file, _))| is_wanted(file)).collect::<VecDeque<_>>());
    let work = || {
        loop {
            let next = waiting.lock().unwrap().pop_front();
            let Some((run, (file, words))) = next else { return };
            // It would end this test as well, which is the grader here.
            if file == "kills_everyone.py" && !walls.signals && !nix::unistd::geteuid().is_root() {
                skip("bubblewrap", &file, "without it and without root nothing holds signals");
                continue;
            }
            let begun = Instant::now();
            let wrongs = wrongs(&walls, sandbox, &file, &words, &format!("{name}{run}-{file}"));
            let outcome = if wrongs.is_empty() { "" } else { " FAILED" };
            eprintln!("{name} {run} {file}: {:?}{outcome}", begun.elapsed());
            let named = wrongs.into_iter().map(|wrong| format!("{file}, run {run}: {wrong}"));
            failures.lock().unwrap().extend(named);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(work);
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.extend(left_behind().into_iter().map(|what| format!("left behind: {what}")));
    assert!(failures.is_empty(), "{:?}\n{}", sandbox.protection, failures.join("\n"));
}

/// Leftovers of programs: folders, and system objects that persist until removed.
fn left_behind() -> Vec<String> {
    let start = format!("casino-box-{}-", std::process::id());
    let folders = fs::read_dir(std::env::temp_dir()).unwrap().flatten();
    let names = folders.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut left: Vec<String> = names.filter(|name| name.starts_with(&start)).collect();
    for list in ["shm", "sem", "msg"] {
        let text = fs::read_to_string(Path::new("/proc/sysvipc").join(list)).unwrap_or_default();
        let key = |line: &&str| line.split_whitespace().next().and_then(|key| key.parse::<i64>().ok());
        let is_ours = |line: &&str| key(line).is_some_and(|key| SEGMENTS.contains(&key));
        left.extend(text.lines().filter(is_ours).map(|line| format!("{list} {line}")));
    }
    left
}

fn sandbox(policy: Policy) -> Sandbox {
    Sandbox::supervised_by(Path::new(env!("CARGO_BIN_EXE_casino")), policy).unwrap()
}

#[test]
fn hostile_programs_are_held_by_bubblewrap() {
    let sandbox = sandbox(Policy::Auto);
    if let Some(warning) = sandbox.protection.warning {
        skip("bubblewrap", "hostile programs in the tight box", &warning);
        return;
    }
    all(&sandbox, "tight");
}

#[test]
#[ignore = "long: escapes from the open box; hostile_programs_are_held_by_bubblewrap"]
fn hostile_programs_end_without_bubblewrap_too() {
    all(&sandbox(Policy::Plain), "plain");
}

/// Without the sandbox these programs do harm; otherwise the tests above would prove nothing. The one that stops its
/// grader by ptrace is left out: here that is this test.
#[test]
fn hostile_programs_do_harm_without_a_sandbox() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let open = sandbox(Policy::Off);
    for (file, what) in [
        ("opens_sockets.py", "reached abstract"),
        ("opens_sockets.py", "reached tcp"),
        ("reads_neighbours.py", "LEAK read"),
        ("writes_everywhere.py", "neighbour/poker.py has another content"),
        ("links_the_verdict.py", "no verdict"),
    ] {
        let Some((_, words)) = programs().into_iter().find(|(name, _)| name == file) else { continue };
        let found = wrongs(&Walls { counted: true, ..Walls::of(&open) }, &open, file, &words, "open");
        assert!(found.iter().any(|wrong| wrong.contains(what)), "{file}: no {what} in {found:#?}");
    }
}
