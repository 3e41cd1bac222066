//! `casino grade stud` as a grader uses it: one bot, all formats, a folder of submissions, Gradescope.

#![allow(clippy::unwrap_used, reason = "nothing here is outside a test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::grading::{self, CALLS, Ran, small_player};
use crate::tools::{has, python, skip};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("grade-stud-{name}"));
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn casino(words: &[&str]) -> Ran {
    grading::grade(words, &root())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

fn points(report: &Value) -> f64 {
    report["summary"]["points"].as_f64().unwrap()
}

/// A submission: a bot in Python that decides by these lines.
fn small_bot(folder: &Path, decide: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("poker.py"), small_player(decide)).unwrap();
}

const FORGETS_ITS_STACK: &str = r#"say("bet:%d" % (to_call + 10))"#;

#[test]
fn all_formats_in_one_run() {
    let folder = folder("formats");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let ran = casino(&[
        "stud",
        "simple",
        &format!("--json={}", file("r.json")),
        "--gradescope",
        &file("results.json"),
        "--markdown",
        &file("r.md"),
        "--html",
        &file("r.html"),
        "--visibility",
        "after_published",
    ]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(ran.stdout.contains("Judged by people"), "{}", ran.stdout);
    let report: Value = serde_json::from_str(&fs::read_to_string(file("r.json")).unwrap()).unwrap();
    let results: Value = serde_json::from_str(&fs::read_to_string(file("results.json")).unwrap()).unwrap();
    assert_eq!(results["score"].as_f64().unwrap(), points(&report));
    assert_eq!(results["visibility"], "after_published");
    let page = fs::read_to_string(file("r.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("judged by people"));
    assert!(fs::read_to_string(file("r.md")).unwrap().contains("| Intelligent rules |"));
    let ran = casino(&["stud", "simple", "--exit-zero", "--json"]);
    assert_eq!(ran.code, Some(0));
    assert_eq!(serde_json::from_str::<Value>(&ran.stdout).unwrap(), report, "the same points again");
}

#[test]
fn exit_codes() {
    let folder = folder("codes");
    assert_eq!(casino(&["stud", "nobody"]).code, Some(2));
    assert!(casino(&["stud", "nobody"]).stderr.contains("is no folder, no house bot and no command line"));
    assert_eq!(casino(&["stud", "simple", "--rubric", "nowhere.json"]).code, Some(2));
    assert_eq!(casino(&["stud"]).code, Some(2));
    assert_eq!(casino(&["stud", "--all", folder.to_str().unwrap(), "--json"]).code, Some(2));
    // Nothing in it that could be started.
    let html = folder.with_extension("html");
    let ran = casino(&["stud", folder.to_str().unwrap(), "--html", html.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""));
    assert!(ran.stderr.contains("holds no bot") && ran.stderr.contains("write a bot.json"), "{}", ran.stderr);
    assert!(
        fs::read_to_string(html).unwrap().contains("Nothing recognised"),
        "the report is written all the same"
    );
    if has("g++", "a bot that does not compile") {
        fs::write(folder.join("poker.cpp"), "int main( {").unwrap();
        let ran = casino(&["stud", folder.to_str().unwrap()]);
        assert_eq!(ran.code, Some(3), "{}", ran.stderr);
        assert!(ran.stdout.contains("Cannot be built.") && ran.stdout.contains("error:"), "{}", ran.stdout);
        assert!(ran.stdout.contains("0 of 180 points"), "{}", ran.stdout);
    }
}

#[test]
fn a_program_is_graded_like_the_same_bot_in_this_process() {
    if !has("python3", "a program beside the same bot of the house") {
        return;
    }
    let folder = folder("program");
    small_bot(&folder.join("calls"), CALLS);
    let ran = casino(&["stud", folder.join("calls").to_str().unwrap(), "--json", "--rounds", "50"]);
    let program: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    let house: Value = serde_json::from_str(&casino(&["stud", "caller", "--json"]).stdout).unwrap();
    assert_eq!(points(&program), points(&house), "{}", ran.stdout);
    assert_eq!(program["parts"][3], house["parts"][3], "situation by situation, in the same words");
}

#[test]
fn a_fault_costs_each_situation_in_which_it_shows_and_is_named_once() {
    if !has("python3", "a program that fouls") {
        return;
    }
    let folder = folder("foul");
    small_bot(&folder.join("bot"), FORGETS_ITS_STACK);
    let ran = casino(&["stud", folder.join("bot").to_str().unwrap(), "--json", "--rounds", "20"]);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
    let items = report["parts"][2]["items"].as_array().unwrap();
    let reason = |item: &Value| item["reason"].as_str().unwrap().to_string();
    let named: Vec<String> =
        items.iter().map(reason).filter(|reason| reason.contains("The same showed in: ")).collect();
    let [named] = &named[..] else { panic!("one fault is named once: {named:?}") };
    assert!(named.contains(" chips in its stack") && named.contains("exactly-enough-to-call"), "{named}");
    let again = items.iter().find(|item| item["id"] == "exactly-enough-to-call").unwrap();
    assert_eq!((again["outcome"].as_str(), again["points"].as_f64()), (Some("failed"), Some(0.0)));
    assert!(again["max_points"].as_f64().unwrap() > 2.0, "{again}");
    // What it does well counts as long as it would stay in a game.
    let four = items.iter().find(|item| item["id"] == "four-raises").unwrap();
    assert_eq!(four["outcome"], "partial");
    assert!(reason(four).contains("throws the program out of a game after"), "{}", reason(four));
}

/// A class: sound bots, faulty ones, one that does not compile, one that is no program, one that nobody handed in.
fn class(folder: &Path) {
    let merge = folder.join("in");
    copy(&root().join("bots/python"), &merge.join("ada-python"));
    small_bot(&merge.join("bob-calls"), CALLS);
    small_bot(&merge.join("cyd-stack"), FORGETS_ITS_STACK);
    fs::create_dir_all(merge.join("dee-empty")).unwrap();
    fs::create_dir_all(merge.join("eve-broken")).unwrap();
    fs::write(merge.join("eve-broken/poker.cpp"), "int main( {").unwrap();
    let roster = "folder,github_id,section\nada-python,ada-l,=1+1\nbob-calls,bobby,B\ncyd-stack,cyd9,B\ndee-empty,dee,A\n\
                  eve-broken,eve,A\nfay-absent,fay,A\n";
    fs::write(folder.join("roster.csv"), roster).unwrap();
}

fn grade_class(folder: &Path, out: &str, more: &[&str]) -> Ran {
    let text = |path: PathBuf| path.to_str().unwrap().to_string();
    let (merge, roster, out) =
        (text(folder.join("in")), text(folder.join("roster.csv")), text(folder.join(out)));
    let words = ["stud", "--all", &merge, "--roster", &roster, "--out", &out, "--rounds", "20", "-j", "4"];
    casino(&[&words, more].concat())
}

/// The rows of a gradebook: GitHubId, folder, points, verdict.
fn book(file: &Path) -> Vec<[String; 4]> {
    let mut reader = csv::Reader::from_path(file).unwrap();
    let head: Vec<String> = reader.headers().unwrap().iter().map(str::to_string).collect();
    let at = |name: &str| head.iter().position(|other| other == name).unwrap();
    let columns = [at("github_id"), at("folder"), at("points"), at("verdict")];
    reader.records().map(|row| columns.map(|at| row.as_ref().unwrap()[at].to_string())).collect()
}

#[test]
fn a_class_is_graded_with_one_command_and_comes_out_the_same_again() {
    if !has("python3", "a folder of submissions") || !has("g++", "a folder of submissions") {
        return;
    }
    let folder = folder("class");
    class(&folder);
    let ran = grade_class(&folder, "one", &["--reports", "html,json,gradescope,markdown,text"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("There is no folder fay-absent"), "{}", ran.stderr);
    let rows = book(&folder.join("one/gradebook.csv"));
    let verdicts: Vec<(&str, &str)> = rows.iter().map(|row| (row[0].as_str(), row[3].as_str())).collect();
    assert_eq!(
        verdicts,
        [
            ("ada-l", "graded"),
            ("bobby", "graded"),
            ("cyd9", "graded"),
            ("dee", "nothing recognised"),
            ("eve", "cannot be built"),
            ("fay", "nothing handed in"),
        ]
    );
    assert!(fs::read_to_string(folder.join("one/gradebook.csv")).unwrap().contains(",'=1+1,"));
    for ending in ["html", "json", "results.json", "md", "txt"] {
        assert!(folder.join(format!("one/reports/ada-python.{ending}")).is_file(), "{ending}");
    }
    for entry in fs::read_dir(folder.join("one/reports")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains("ada-l") && !text.contains("bobby"), "no GitHubId is in a report");
    }
    // Known from before: nothing is run again, and the book is the same.
    let again = grade_class(&folder, "one", &[]);
    assert!(again.stdout.contains("5 submissions, 5 of them known from before"), "{}", again.stdout);
    assert_eq!(book(&folder.join("one/gradebook.csv")), rows);
    // What has changed is graded again, and only that.
    small_bot(&folder.join("in/cyd-stack"), CALLS);
    let changed = grade_class(&folder, "one", &[]);
    assert!(changed.stdout.contains("5 submissions, 4 of them known from before"), "{}", changed.stdout);
    assert_eq!(book(&folder.join("one/gradebook.csv"))[2][2], rows[1][2], "now it calls too");
    // From nothing: the same points.
    small_bot(&folder.join("in/cyd-stack"), FORGETS_ITS_STACK);
    let fresh = grade_class(&folder, "two", &[]);
    assert!(fresh.stdout.contains("0 of them known"), "{}", fresh.stdout);
    assert_eq!(book(&folder.join("two/gradebook.csv")), rows);
}

#[test]
fn an_interrupted_class_goes_on() {
    if !has("python3", "grading that is interrupted") {
        return;
    }
    let folder = folder("interrupted");
    for number in 0..6 {
        small_bot(&folder.join(format!("in/bot-{number}")), CALLS);
    }
    let merge = folder.join("in");
    let out = folder.join("out");
    let mut child = Command::new(env!("CARGO_BIN_EXE_casino"))
        .args(["grade", "stud", "--rounds", "20", "-j", "1", "--all"])
        .arg(&merge)
        .arg("--out")
        .arg(&out)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // As soon as the first verdict is there.
    let verdicts = out.join("verdicts");
    let count = || {
        fs::read_dir(&verdicts).map_or(0, |list| {
            list.flatten().filter(|e| !e.file_name().to_string_lossy().starts_with('.')).count()
        })
    };
    while count() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let pid = nix::unistd::Pid::from_raw(child.id() as i32);
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("The same command goes on from here"));
    let known = count();
    assert!((1..6).contains(&known), "{known}");
    assert_eq!(fs::read_dir(out.join("reports")).unwrap().count(), known, "who is judged has a report");
    let words = ["stud", "--rounds", "20", "--all", merge.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let ran = casino(&words);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(
        ran.stdout.contains(&format!("6 submissions, {known} of them known from before")),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_sister_graders_have_the_same_formats_and_a_gradebook() {
    let Some(python) = python() else {
        skip("python3", "the graders of the sister games", "there is no python3 here");
        return;
    };
    let folder = folder("sisters");
    let right = format!("exec {} ${{0%/*}}/value.py value \"$@\"\n", python.display());
    for (student, script) in [("right", right.as_str()), ("wrong", "exec echo 0\n")] {
        let merge = folder.join("in").join(student);
        fs::create_dir_all(&merge).unwrap();
        fs::write(merge.join("value.sh"), script).unwrap();
        fs::copy(root().join("tests/students/cribbage.py"), merge.join("value.py")).unwrap();
    }
    let program = "sh {folder}/value.sh {cards}";
    let (merge, out) = (folder.join("in"), folder.join("out"));
    let ran = casino(&[
        "cribbage",
        "value",
        "--cases",
        "2",
        "--time-limit",
        "60",
        "--program",
        program,
        "--all",
        merge.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
        "--reports",
        "html,gradescope",
    ]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    let rows = book(&out.join("gradebook.csv"));
    assert_eq!(rows.len(), 2);
    assert_eq!((rows[0][3].as_str(), rows[1][3].as_str()), ("full marks", "graded"));
    assert!(out.join("reports/right.html").is_file() && out.join("reports/wrong.results.json").is_file());
    let single = format!("sh {} {{cards}}", folder.join("in/wrong/value.sh").display());
    let file = folder.join("one.md");
    let ran = casino(&[
        "cribbage",
        "value",
        "--cases",
        "0",
        "--time-limit",
        "60",
        "--program",
        &single,
        "--markdown",
        file.to_str().unwrap(),
        "--exit-zero",
    ]);
    assert_eq!(ran.code, Some(0));
    assert!(fs::read_to_string(file).unwrap().contains("| Hard cases |"));
}

/// The zip, unpacked and run as Gradescope does it: scripts and binary in `source`, files in `submission`, the
/// verdict in `results`.
#[test]
fn the_zip_runs_as_on_gradescope() {
    if !has("python3", "Gradescope's zip")
        || !has("zip", "Gradescope's zip")
        || !has("unzip", "Gradescope's zip")
    {
        return;
    }
    let folder = folder("gradescope");
    let zip = folder.join("autograder.zip");
    let made = Command::new(root().join("scripts/gradescope.sh"))
        .args([zip.as_os_str(), env!("CARGO_BIN_EXE_casino").as_ref()])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let run = |student: &str, fill: &dyn Fn(&Path)| -> Value {
        let autograder = folder.join(student);
        fs::create_dir_all(autograder.join("results")).unwrap();
        fs::create_dir_all(autograder.join("submission")).unwrap();
        let unzip =
            Command::new("unzip").arg("-q").arg(&zip).arg("-d").arg(autograder.join("source")).status();
        assert!(unzip.unwrap().success());
        fill(&autograder.join("submission"));
        // Gradescope copies the script to the top and runs it there, as root and without arguments.
        fs::copy(autograder.join("source/run_autograder"), autograder.join("run_autograder")).unwrap();
        let ran = Command::new(autograder.join("run_autograder"))
            .env("AUTOGRADER", &autograder)
            .current_dir(&autograder)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let text = fs::read_to_string(autograder.join("results/results.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let good = run("good", &|submission| small_bot(&submission.join("Project01"), CALLS));
    assert!(good["score"].as_f64().unwrap() > 120.0, "{good}");
    assert!(good["tests"].as_array().unwrap().len() > 60);
    assert!(good["leaderboard"][0]["value"].as_str().unwrap().contains(' '));
    let empty = run("empty", &|_| {});
    assert_eq!(empty["score"], 0.0);
    assert!(empty["output"].as_str().unwrap().contains("holds no bot"), "{empty}");
    assert_eq!(empty.to_string().matches("holds no bot").count(), 1, "its reason once");
}
