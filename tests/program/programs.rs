//! Programs started by the host: starter bots of every language, crashes, and leftover processes.

use super::*;

#[test]
fn the_last_words_of_a_program_are_in_its_file_when_it_is_gone() {
    let folder = scratch("last-words");
    // As much as a pipe holds, so that there is something left to read when the program has ended.
    let starter = ShellCommand::new("head -c 65000 /dev/zero; echo the end");
    for go in 0..20 {
        let name = format!("go-{go}");
        let mut launched = starter.clone().with_output_files(&folder, &name).launch().expect("it starts");
        let start = Instant::now();
        while launched.process().exit().is_none() {
            assert!(start.elapsed() < PATIENCE, "it ends by itself");
            std::thread::yield_now();
        }
        drop(launched);
        let printed = fs::read(folder.join(format!("{name}.stdout"))).expect("its output");
        assert!(printed.ends_with(b"the end\n"), "{} bytes of 65,008", printed.len());
    }
}

/// Whether a process still runs; a zombie does not.
fn runs(pid: &str) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        Ok(stat) => !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X']),
        Err(_) => Command::new("kill")
            .args(["-0", pid])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success() && !Path::new("/proc/self").exists()),
    }
}

fn assert_ends(pid: &str) {
    let start = Instant::now();
    while runs(pid) {
        assert!(start.elapsed() < PATIENCE, "process {pid} was left running");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nothing_a_program_started_is_left_running() {
    let folder = scratch("children");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/rust/main.rs");
    let rust = build(&source, &folder.join("poker")).display().to_string();
    let pids = ["child", "grandchild", "stubborn"].map(|name| folder.join(name));
    // Leaves children behind and does not exit at `done`.
    let script = format!(
        "sleep 1000 & echo $! > {}; (sleep 1000 & echo $! > {}); {rust} {{host}} {{port}}; trap '' TERM HUP; \
         echo $$ > {}; sleep 1000",
        path(&pids[0]),
        path(&pids[1]),
        path(&pids[2]),
    );
    let spec = format!("messy={script}");
    let words = "play --bot caller --rounds 3 --seed x --json --reply-ms 60000".split(' ');
    let result = run_json(&words.chain(["--bot", &spec]).collect::<Vec<_>>());
    assert_nobody_ejected(&result);
    for file in pids {
        let pid = fs::read_to_string(&file).expect("it started");
        assert_ends(pid.trim());
    }
}

#[test]
fn a_crash_at_the_start_is_reported_with_its_output() {
    let folder = scratch("crash");
    let waiting = folder.join("waiting");
    let crash = "broken=echo one; echo 'cannot find strategy.txt' >&2; exit 3 # {host} {port}";
    let other = format!("other=echo $$ > {}; sleep 1000 # {{host}} {{port}}", path(&waiting));
    let crash = format!(
        "{}{}",
        "broken=while [ ! -s ",
        crash.replacen("broken=", &format!("{} ]; do sleep 0.01; done; ", path(&waiting)), 1)
    );
    let output = run(&["play", "--bot", "caller", "--bot", &crash, "--bot", &other]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    for words in [
        "casino: the program broken ended before it connected (exit status: 3)",
        "its error output ends with",
        "    cannot find strategy.txt",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
    assert_ends(fs::read_to_string(&waiting).expect("the other one started").trim());
}

/// Logs in, and crashes on its first question.
const CRASHER: &str = r#"
    use std::io::{Read, Write};
    fn main() {
        let words: Vec<String> = std::env::args().collect();
        let mut dealer = std::net::TcpStream::connect(format!("{}:{}", words[1], words[2])).unwrap();
        dealer.read_exact(&mut [0; 7]).unwrap();
        dealer.write_all(b"\0\x05me:Me").unwrap();
        dealer.read_exact(&mut [0; 2]).unwrap();
        panic!("index out of bounds");
    }
"#;

#[test]
fn a_crash_in_the_game_ejects_and_keeps_the_output() {
    let folder = scratch("crash-later");
    let (source, results) = (folder.join("crasher.rs"), folder.join("results"));
    fs::write(&source, CRASHER).expect("a file");
    let crasher = build(&source, &folder.join("crasher"));
    let spec = format!("crasher={} {{host}} {{port}}", path(&crasher));
    let words = "play --bot caller*2 --rounds 5 --seed x --json --reply-ms 60000".split(' ');
    let result = run_json(&words.chain(["--bot", &spec, "--out", path(&results)]).collect::<Vec<_>>());
    let standing = &result["standings"][2];
    assert_eq!(standing["name"], "crasher");
    assert_eq!((&standing["how"], &standing["left_in_round"]), (&"connection closed".into(), &1.into()));
    let why = standing["why"].as_str().expect("a reason");
    assert!(why.contains("It ended, or closed the connection itself, in the middle of the game: look at its last output and the end of its loop."), "{why}");
    let errors = fs::read_to_string(results.join("crasher.stderr")).expect("its errors");
    assert!(errors.contains("index out of bounds"), "{errors}");
    assert_eq!(result["rounds"], 5, "the others play on");
}
