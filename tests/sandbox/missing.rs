//! Missing or forbidden bubblewrap, and systems without a sandbox.

use super::*;

/// The exit code and message of grading with a bubblewrap that fails with this message, or is missing: with `require`,
/// and with `auto`.
fn without_bubblewrap(says: Option<&str>) -> [(Option<i32>, String); 2] {
    let folder = scratch("no-bubblewrap");
    let forbidden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/forbidden");
    let grade = |kind| {
        let graded = std::process::Command::new(env!("CARGO_BIN_EXE_casino"))
            .args(["grade", "cribbage", "value", "--program", "/bin/echo {cards}", "--cases", "1"])
            .args(["--sandbox", kind])
            .env("PATH", says.map_or(&folder, |_| &forbidden))
            .env("BWRAP_SAYS", says.unwrap_or_default())
            .output()
            .unwrap();
        (graded.status.code(), String::from_utf8(graded.stderr).unwrap())
    };
    let said = ["require", "auto"].map(grade);
    fs::remove_dir_all(folder).unwrap();
    said
}

#[test]
fn missing_bubblewrap_is_reported_with_the_remedy() {
    for (says, why, remedy) in [
        (None, "bubblewrap (bwrap) is not installed. ", "Install it (make tools)"),
        // As most containers and as Ubuntu have it.
        (
            Some("Can't set hostname to box: Operation not permitted"),
            "bubblewrap is installed but does not work here: bwrap: Can't set hostname to box: Operation not permitted. ",
            "Allow it (start a container with --privileged; docs/sandbox.md has more)",
        ),
        (
            Some("setting up uid map: Permission denied"),
            "bubblewrap is installed but does not work here: bwrap: setting up uid map: Permission denied. ",
            "Grade as root, or allow it to everyone (docs/sandbox.md says how)",
        ),
    ] {
        let [required, auto] = without_bubblewrap(says);
        let sentence = format!("a sandbox is required, and {why}{remedy}, or run with --sandbox auto");
        assert!(required.0 == Some(2) && required.1.contains(&sentence), "{required:?}");
        let sentence = format!("{remedy}, and use --sandbox require for programs of strangers.");
        assert!(auto.0 == Some(1), "it is judged all the same, and wrong: {auto:?}");
        assert!(auto.1.contains(&format!("Warning: {why}")) && auto.1.contains(&sentence), "{auto:?}");
    }
}

/// A sandbox like that of a system without one.
pub(super) fn without_box() -> Sandbox {
    Sandbox::without_box(Policy::Auto).unwrap()
}

#[test]
fn without_a_box_time_outputs_and_files_are_limited() {
    if !tools::has("python3", "limits without a box") {
        return;
    }
    let folder = scratch("bare-limits");
    let sandbox = without_box();
    let limits =
        ResourceLimits { output: 1_000_000, errors: 1_000_000, files: 10 << 20, ..ResourceLimits::BOT };
    let wall = ResourceLimits { wall: Duration::from_millis(300), ..limits };
    assert_eq!(run(&sandbox, &folder, "sleep 1000", wall).end, Termination::Over(Limit::Wall));
    let output = run(&sandbox, &folder, "yes", limits);
    assert_eq!((output.end, output.stdout.len()), (Termination::Over(Limit::Output), 4096));
    assert_eq!(run(&sandbox, &folder, "yes >&2", limits).end, Termination::Over(Limit::Errors));
    let files = run(&sandbox, &folder, "head -c 20000000 /dev/zero > big; exec sleep 1000", limits);
    assert_eq!(files.end, Termination::Over(Limit::Files));
    let flood = "python3 -c 'for number in range(60000): open(str(number), \"x\").close()'; exec sleep 1000";
    let limits = ResourceLimits { files: 64 << 20, ..limits };
    assert_eq!(run(&sandbox, &folder, flood, limits).end, Termination::Over(Limit::Entries));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_unboxed_program_has_its_folder_and_environment() {
    let folder = scratch("bare-own");
    fs::write(folder.join("data"), "data").unwrap();
    let sandbox = without_box();
    let script = "cat data; echo x > data; echo \" ${CARGO_MANIFEST_DIR-unknown} $HOME\"; ls \"$HOME\"";
    let ended = run(&sandbox, &folder, script, ResourceLimits::BOT);
    let text = said(&ended);
    assert!(text.starts_with("data unknown ") && ended.end == Termination::Exited(0), "{ended:?}");
    let home = text.rsplit(' ').next().unwrap();
    assert!(!Path::new(home).exists(), "{home} is gone with the program");
    assert_eq!(fs::read_to_string(folder.join("data")).unwrap(), "data");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn without_a_box_everything_it_started_is_ended() {
    let folder = scratch("bare-tree");
    let sandbox = without_box();
    // The child writes its number, and would run on.
    let script = "sh -c 'echo $$ > pid; exec sleep 1000' & while ! grep -q . pid; do sleep 0.01; done; cat pid; exit 0";
    let ended = run(&sandbox, &folder, script, ResourceLimits::BOT);
    assert_eq!(ended.end, Termination::Exited(0));
    let child = Path::new("/proc").join(said(&ended)).join("cmdline");
    let begun = Instant::now();
    while fs::read(&child).is_ok_and(|line| line.starts_with(b"sleep")) {
        assert!(begun.elapsed() < PATIENCE, "it survives");
        std::thread::sleep(Duration::from_millis(5));
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn without_a_box_the_dealer_is_reached_and_a_folder_is_built() {
    let folder = handed_in(
        "bare build ü",
        r#"{"build": ["echo 'echo $1 built $2' > bot.sh"], "run": "sh bot.sh {host} {port}"}"#,
    );
    let sandbox = without_box();
    let submission = built(&folder, &sandbox);
    let program = sandbox.start(&submission.task(ResourceLimits::BOT)).unwrap();
    let port = program.listener().local_addr().unwrap().port();
    program.wait(PATIENCE).unwrap();
    assert_eq!(said(&program.finish()), format!("127.0.0.1 built {port}"));
    assert!(!folder.join("bot.sh").exists(), "the folder is only read");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_missing_sandbox_is_not_promised() {
    let refused = Sandbox::without_box(Policy::Require).unwrap_err().to_string();
    assert!(refused.contains("this system has none") && refused.contains("--sandbox auto"), "{refused}");
    let warning = without_box().protection.warning.unwrap();
    assert!(warning.contains("This system has no sandbox: programs run with your rights"), "{warning}");
    assert_eq!(Sandbox::without_box(Policy::Off).unwrap().protection.warning, None);
    let protection = without_box().protection;
    assert!(!protection.is_tight && !protection.fences_files && !protection.holds_network);
}
