//! The sandbox: the environment of a program, the report of its end, and its cleanup.

mod missing;

use crate::support::host::scratch;
use crate::tools;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use casino_judge::grade::submission::{BuildHints, Submission};
use casino_judge::sandbox::{
    Ended, Limit, Policy, ResourceLimits, Sandbox, SandboxedProgram, Task, Termination, Workspace,
};

/// No test waits longer than this for something that is sure to come.
const PATIENCE: Duration = Duration::from_secs(120);

fn sandbox(policy: Policy) -> Sandbox {
    Sandbox::supervised_by(Path::new(env!("CARGO_BIN_EXE_casino")), policy).unwrap()
}

/// Under bubblewrap where it works, and as where it does not.
fn both() -> Vec<Sandbox> {
    let tight = sandbox(Policy::Auto);
    let open = sandbox(Policy::Plain);
    match tight.protection.warning.clone() {
        None => vec![tight, open],
        Some(warning) => {
            tools::skip("bubblewrap", "the tight box", &warning);
            vec![open]
        }
    }
}

/// A submitted folder with this recipe.
fn handed_in(name: &str, recipe: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("bot.json"), recipe).unwrap();
    folder
}

/// The submission, built without an error.
fn built(folder: &Path, sandbox: &Sandbox) -> Submission {
    let submission = Submission::folder(folder, &BuildHints::default(), sandbox).unwrap();
    assert_eq!(submission.why_not_built(), None);
    submission
}

fn start(sandbox: &Sandbox, folder: &Path, script: &str, limits: ResourceLimits) -> SandboxedProgram {
    let words = ["/bin/sh", "-c", script].map(String::from).into();
    let place = Workspace::Copy(folder.to_path_buf());
    sandbox.start(&Task { words, place, limits, keep: 4096 }).unwrap()
}

fn run(sandbox: &Sandbox, folder: &Path, script: &str, limits: ResourceLimits) -> Ended {
    let boxed = start(sandbox, folder, script, limits);
    boxed.wait(PATIENCE).expect("it ends");
    boxed.finish()
}

/// A sandbox that cannot be made is an error, without a wait.
#[test]
fn a_supervisor_that_ends_at_once_is_an_error() {
    let folder = scratch("no-supervisor");
    let (ends, ended) = std::sync::mpsc::channel();
    let place = Workspace::Copy(folder.clone());
    std::thread::spawn(move || {
        for policy in [Policy::Plain, Policy::Auto] {
            let sandbox = Sandbox::supervised_by(Path::new("/bin/false"), policy).unwrap();
            let limits = ResourceLimits::BOT;
            let task = Task { words: vec!["/bin/true".into()], place: place.clone(), limits, keep: 4096 };
            let refused = sandbox.start(&task).map(drop).unwrap_err();
            ends.send(refused.to_string()).unwrap();
        }
    });
    for _ in 0..2 {
        let why = ended.recv_timeout(PATIENCE).expect("it is not waited for");
        assert!(why.contains("the supervisor of the sandbox ended at once"), "{why}");
    }
    fs::remove_dir_all(folder).unwrap();
}

fn said(ended: &Ended) -> String {
    String::from_utf8_lossy(&ended.stdout).trim().to_string()
}

#[test]
fn ends_are_distinguished() {
    let folder = scratch("ends");
    for sandbox in both().into_iter().chain([missing::without_box()]) {
        let ended = run(&sandbox, &folder, "echo out; echo err >&2; exit 3", ResourceLimits::BOT);
        let (stdout, stderr) = (b"out\n".to_vec(), b"err\n".to_vec());
        assert_eq!(ended, Ended { end: Termination::Exited(3), stdout, stderr });
        let crashed = run(&sandbox, &folder, "kill -SEGV $$", ResourceLimits::BOT);
        assert_eq!(crashed.end, Termination::Crashed(11));
        let limits = ResourceLimits { wall: Duration::from_millis(300), ..ResourceLimits::BOT };
        assert_eq!(run(&sandbox, &folder, "sleep 1000", limits).end, Termination::Over(Limit::Wall));
        let stopped = start(&sandbox, &folder, "echo here; exec sleep 1000", ResourceLimits::BOT);
        let begun = Instant::now();
        while stopped.printed().0.is_empty() && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        let ended = stopped.finish();
        assert_eq!((ended.end, said(&ended).as_str()), (Termination::Stopped, "here"));
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn processor_time_includes_child_processes() {
    if !tools::has("python3", "processor time of a program in the box") {
        return;
    }
    let folder = scratch("processor");
    let works = "import time\nwhile time.process_time() < 0.5: pass";
    let limits = ResourceLimits { cpu: Duration::from_millis(700), ..ResourceLimits::BOT };
    for sandbox in both() {
        let one = format!("python3 -c '{works}'; exec sleep 0");
        assert_eq!(run(&sandbox, &folder, &one, limits).end, Termination::Exited(0));
        let two = format!("python3 -c '{works}'; python3 -c '{works}'; exec sleep 1000");
        assert_eq!(run(&sandbox, &folder, &two, limits).end, Termination::Over(Limit::Cpu));
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_failed_start_is_reported() {
    let folder = scratch("never");
    fs::write(folder.join("plain"), "no program").unwrap();
    for sandbox in both().into_iter().chain([missing::without_box()]) {
        for (program, words) in [("no-such-program", "install it"), ("./plain", "chmod +x")] {
            let task = Task {
                words: vec![program.into()],
                place: Workspace::Copy(folder.clone()),
                limits: ResourceLimits::BOT,
                keep: 100,
            };
            let error = sandbox.start(&task).unwrap_err().to_string();
            assert!(error.contains("cannot be started") && error.contains(words), "{error}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn every_limit_ends_it() {
    if !tools::has("python3", "limits of a program in the box") {
        return;
    }
    let folder = scratch("limits");
    let limits = ResourceLimits {
        processes: 30,
        memory: 100 << 20,
        files: 10 << 20,
        file: 8 << 20,
        output: 1_000_000,
        errors: 1_000_000,
        cpu: Duration::from_secs(1),
        wall: Duration::from_secs(60),
    };
    for sandbox in both() {
        let memory = run(
            &sandbox,
            &folder,
            "python3 -c 'x = bytearray(1 << 30); import time; time.sleep(99)'",
            limits,
        );
        assert_eq!(memory.end, Termination::Over(Limit::Memory), "{memory:?}");
        let output = run(&sandbox, &folder, "yes", limits);
        assert_eq!(output.end, Termination::Over(Limit::Output));
        assert_eq!(output.stdout.len(), 4096);
        let just = run(&sandbox, &folder, "yes | head -c 1000000", limits);
        assert_eq!(just.end, Termination::Exited(0));
        let errors = run(&sandbox, &folder, "yes | head -c 999000 >&2; echo last >&2", limits);
        assert_eq!(errors.end, Termination::Exited(0));
        assert!(errors.stderr.ends_with(b"last\n") && errors.stderr.len() == 4096);
        let cpu = run(&sandbox, &folder, "while :; do :; done", limits);
        assert_eq!(cpu.end, Termination::Over(Limit::Cpu));
        // A file that grows too large is refused by the system.
        let file = run(&sandbox, &folder, "head -c 9000000 /dev/zero > big; wc -c < big", limits);
        assert_eq!(said(&file), "8388608");
        // Many files are refused by a full file system in the sandbox, and end the program elsewhere.
        let files = run(
            &sandbox,
            &folder,
            "for i in 1 2 3 4 5 6 7 8 9; do head -c 4000000 /dev/zero > f$i || exit 9; done; sleep 99",
            limits,
        );
        assert!(
            if sandbox.protection.is_tight {
                files.end == Termination::Exited(9)
            } else {
                files.end == Termination::Over(Limit::Files)
            },
            "{files:?}"
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
#[ignore = "long: each place where a program may write; sandbox::every_limit_ends_it"]
fn empty_files_are_counted_wherever_they_are() {
    if !tools::has("python3", "many files of a program in the box") {
        return;
    }
    let folder = scratch("empty files");
    for place in [".", "$HOME", "/dev/shm"] {
        let flood = format!(
            "cd {place} && exec python3 -c '
number = 0
while True:
    number += 1
    open(str(number), \"x\").close()
'"
        );
        for sandbox in both().iter().filter(|sandbox| place != "/dev/shm" || sandbox.protection.is_tight) {
            let ended = run(sandbox, &folder, &flood, ResourceLimits::BOT);
            assert_eq!(ended.end, Termination::Over(Limit::Entries), "{place}: {ended:?}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn only_the_dealer_is_reachable() {
    if !tools::has("python3", "the network of a program in the box") {
        return;
    }
    let folder = scratch("network");
    let talk = "python3 -c '
import socket, sys
s = socket.create_connection((sys.argv[1], int(sys.argv[2])))
s.sendall(b\"hello\")
print(s.recv(10).decode())
try:
    socket.create_connection((\"127.0.0.1\", int(sys.argv[3])), 5)
    print(\"out\")
except OSError:
    print(\"in\")
' {host} {port} ";
    let outside = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = outside.local_addr().unwrap().port();
    for sandbox in both() {
        let boxed = start(&sandbox, &folder, &format!("{talk} {port}"), ResourceLimits::BOT);
        let (mut stream, _) = boxed.listener().accept().unwrap();
        let mut word = [0; 5];
        stream.read_exact(&mut word).unwrap();
        assert_eq!(&word, b"hello");
        stream.write_all(b"welcome").unwrap();
        boxed.wait(PATIENCE).unwrap();
        let ended = boxed.finish();
        assert_eq!(
            said(&ended),
            if sandbox.protection.holds_network { "welcome\nin" } else { "welcome\nout" },
            "{ended:?}"
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_copy_is_its_own_and_the_original_stays() {
    let folder = scratch("copy");
    fs::create_dir(folder.join("inner")).unwrap();
    fs::write(folder.join("inner/data"), "data").unwrap();
    for sandbox in both() {
        let ended = run(
            &sandbox,
            &folder,
            "cat inner/data; echo x > inner/data; rm -r inner; ls; pwd",
            ResourceLimits::BOT,
        );
        assert_eq!(ended.end, Termination::Exited(0), "{ended:?}");
        assert!(said(&ended).starts_with("data"));
        assert_eq!(fs::read_to_string(folder.join("inner/data")).unwrap(), "data");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_folder_is_built_and_run() {
    let folder = handed_in(
        "build",
        r#"{"build": ["echo 'echo built' > bot.sh", "chmod +x bot.sh"], "run": "sh bot.sh {host} {port}"}"#,
    );
    for sandbox in both() {
        let submission = built(&folder, &sandbox);
        let boxed = sandbox.start(&submission.task(ResourceLimits::BOT)).unwrap();
        boxed.wait(PATIENCE).unwrap();
        assert_eq!(said(&boxed.finish()), "built");
        let told =
            BuildHints { build: vec!["echo 'line 1: no' >&2; exit 1".into()], ..BuildHints::default() };
        let broken = Submission::folder(&folder, &told, &sandbox).unwrap();
        assert_eq!(broken.why_not_built().as_deref(), Some("echo 'line 1: no' >&2; exit 1\nline 1: no\n"));
        assert!(!folder.join("bot.sh").exists(), "the folder is only read");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn children_that_hold_the_output_do_not_hold_the_grader() {
    let folder = scratch("children");
    for sandbox in both() {
        let begun = Instant::now();
        let ended = run(&sandbox, &folder, "sleep 1000 & setsid sleep 1000 & exit 0", ResourceLimits::BOT);
        assert_eq!(ended.end, Termination::Exited(0));
        let closed = run(&sandbox, &folder, "exec >&- 2>&-; sleep 0.05; exit 4", ResourceLimits::BOT);
        assert_eq!(closed.end, Termination::Exited(4));
        assert!(begun.elapsed() < PATIENCE);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_program_run_in_place_cannot_write_to_its_folder() {
    let folder = scratch("here");
    fs::write(folder.join("data"), "data").unwrap();
    for sandbox in both() {
        let words = ["/bin/sh", "-c", "cat data; echo x > data || echo refused"].map(String::from).into();
        let task =
            Task { words, place: Workspace::Here(folder.clone()), limits: ResourceLimits::BOT, keep: 100 };
        let boxed = sandbox.start(&task).unwrap();
        boxed.wait(PATIENCE).unwrap();
        assert_eq!(
            said(&boxed.finish()),
            if sandbox.protection.fences_files { "datarefused" } else { "data" }
        );
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_grader_itself_is_out_of_reach() {
    let folder = scratch("own-program");
    let program = folder.join("casino");
    fs::copy(env!("CARGO_BIN_EXE_casino"), &program).unwrap();
    fs::write(folder.join("data"), "data").unwrap();
    for (mode, policy) in
        [0o755, 0o700].into_iter().flat_map(|mode| [Policy::Auto, Policy::Plain].map(|policy| (mode, policy)))
    {
        fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        let sandbox = Sandbox::supervised_by(&program, policy).unwrap();
        if !sandbox.protection.fences_files {
            tools::skip("bubblewrap", "hiding the grader's program", "nothing here fences files");
            continue;
        }
        let script =
            "cat data; ./casino --version; test -s casino && head -c 4 casino; wc -c < /run/casino; exit 0";
        let words = ["/bin/sh", "-c", script].map(String::from).into();
        let place = Workspace::Here(folder.clone());
        // The folder is copied for another user, with a program that may be large where nothing was optimised.
        let limits = ResourceLimits { files: 1 << 30, file: 1 << 30, ..ResourceLimits::BOT };
        let boxed = sandbox.start(&Task { words, place, limits, keep: 4096 }).unwrap();
        boxed.wait(PATIENCE).unwrap();
        assert_eq!(said(&boxed.finish()), "data", "{policy:?}, {mode:o}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_program_run_in_place_reads_its_private_folder() {
    let folder = scratch("rights");
    fs::write(folder.join("data"), "data").unwrap();
    let mut closed = fs::metadata(&folder).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut closed, 0o700);
    fs::set_permissions(&folder, closed).unwrap();
    let script = format!(
        "cat {}/data; grep -E '^(CapEff|CapPrm|CapAmb|NoNewPrivs)' /proc/self/status | tr -d '\\n\\t'; id -u",
        folder.display()
    );
    let own = nix::unistd::getuid().as_raw().to_string();
    for sandbox in both() {
        let words = ["/bin/sh", "-c", &script].map(String::from).into();
        let place = Workspace::Here(folder.clone());
        let boxed = sandbox.start(&Task { words, place, limits: ResourceLimits::BOT, keep: 4096 }).unwrap();
        boxed.wait(PATIENCE).unwrap();
        let ended = boxed.finish();
        let text = said(&ended);
        let user = text
            .strip_prefix(
                "dataCapPrm:0000000000000000CapEff:0000000000000000CapAmb:0000000000000000NoNewPrivs:1",
            )
            .unwrap_or_else(|| panic!("{ended:?}"));
        assert!((user == own) != (own == "0"), "{user} is not root: {ended:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_killed_grader_leaves_nothing() {
    // The supervisor notices the end of its socket, which the system closes whenever the grader dies.
    let folder = scratch("killed");
    let mark = format!("casino-killed-{}", std::process::id());
    let script = folder.join("student.sh");
    fs::write(&script, format!("sleep 1000 & setsid sleep 1000 {mark} & sleep 1000")).unwrap();
    for kind in ["auto", "plain"] {
        let program = format!("/bin/sh {} {mark} {{cards}}", script.display());
        let mut grader = std::process::Command::new(env!("CARGO_BIN_EXE_casino"))
            .args(["grade", "cribbage", "value", "--program", &program, "--sandbox", kind])
            .args(["--time-limit", "1000"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let runs = || {
            let carries = |entry: fs::DirEntry| {
                let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                line.starts_with(b"/bin/sh") && line.windows(mark.len()).any(|part| part == mark.as_bytes())
            };
            fs::read_dir("/proc").unwrap().flatten().any(carries)
        };
        let begun = Instant::now();
        while !runs() {
            assert!(begun.elapsed() < PATIENCE, "it never runs");
            std::thread::sleep(Duration::from_millis(5));
        }
        grader.kill().unwrap();
        grader.wait().unwrap();
        let killed = Instant::now();
        while runs() {
            assert!(killed.elapsed() < PATIENCE, "{kind}: it survives its grader");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    fs::remove_dir_all(folder).unwrap();
}
