//! `casino grade stud` as a grader uses it: a program, Gradescope, and the price of faults and hangs. Formats and a class
//! are among the golden commands.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{CALLS, casino, folder, items, root, small_player};
use crate::tools::has;

fn points(report: &Value) -> f64 {
    report["summary"]["points"].as_f64().unwrap()
}

/// A submission: a bot in Python that decides by these lines.
fn small_bot(folder: &Path, decide: &str) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("poker.py"), small_player(decide)).unwrap();
}

#[test]
fn a_program_is_graded_like_the_same_bot_in_this_process() {
    if !has("python3", "a program beside the same bot of the house") {
        return;
    }
    let folder = folder("program");
    small_bot(&folder.join("calls"), CALLS);
    let calls = folder.join("calls").display().to_string();
    let patient = ["--rounds", "50", "--reply-ms", "10000", "--even-if-busy", "--seed", "monday"];
    let program = casino(&[&["grade", "stud", &calls, "--json"], &patient[..]].concat()).json();
    let house = casino(&["grade", "stud", "caller", "--json", "--seed", "monday"]).json();
    assert_eq!(points(&program), points(&house), "{program}");
    assert_eq!(program["parts"][3], house["parts"][3], "situation by situation, in the same words");
}

/// The lines that a step of a workflow runs.
fn step(workflow: &str, name: &str) -> String {
    let (_, step) = workflow.split_once(&format!("      - name: {name}\n")).expect("the step is there");
    let (_, lines) = step.split_once("        run: |\n").expect("it runs something");
    let lines = lines.lines().map_while(|line| line.strip_prefix("          "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The workflow for a class, its steps run as GitHub runs them.
#[test]
fn the_workflow_shows_each_failure_of_a_students_bot() {
    if !has("python3", "the workflow for a class") {
        return;
    }
    let folder = folder("workflow");
    let workflow = fs::read_to_string(root().join("docs/autograde.yml")).unwrap();
    for (from, to) in [("legal/tens.json", "legal"), ("up-cards/beaten-on-the-table.json", "up-cards")] {
        fs::create_dir_all(folder.join("cases").join(to)).unwrap();
        let situation = fs::read(root().join("crates/judge/rubric").join(from)).unwrap();
        fs::write(folder.join("cases").join(from), situation).unwrap();
    }
    let rubric = r#"{"title": "Two situations", "parts": [
        {"title": "Legal", "points": 10, "situations": "legal"},
        {"title": "Up cards", "points": 10, "situations": "up-cards"}]}"#;
    fs::write(folder.join("cases/rubric.json"), rubric).unwrap();
    // A raise of all chips is no legal one.
    small_bot(&folder.join("Project01"), "say(f\"bet:{stack}\")");
    let program = Path::new(env!("CARGO_BIN_EXE_casino")).parent().unwrap().display().to_string();
    let path = format!("{program}:{}", std::env::var("PATH").unwrap());
    let run = |name: &str| {
        let mut bash = Command::new("bash");
        bash.args(["-e", "-o", "pipefail", "-c", &step(&workflow, name)]).current_dir(&folder);
        let ran =
            bash.env("PATH", &path).env("GITHUB_STEP_SUMMARY", folder.join("summary.md")).output().unwrap();
        (ran.status.code(), String::from_utf8(ran.stdout).unwrap(), String::from_utf8(ran.stderr).unwrap())
    };
    let (code, _, errors) = run("Grade");
    assert_eq!(code, Some(1), "{errors}");
    assert!(fs::read_to_string(folder.join("summary.md")).unwrap().contains("Two situations"));
    let (code, shown, errors) = run("Show failures");
    assert_eq!(code, Some(0), "{errors}");
    let shown: Vec<&str> = shown.lines().collect();
    assert!(shown.iter().all(|line| line.starts_with("::error::")), "{shown:?}");
    assert!(
        shown.iter().any(|line| line.contains("Legal: ") && line.contains("raises by more than")),
        "{shown:?}"
    );
}

/// The zip, unpacked and run as Gradescope does it: scripts and binary in `source`, files in `submission`, the
/// verdict in `results`.
#[test]
#[ignore = "long: the scripts in the zip; the formats' unit tests"]
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
    let tests = good["tests"].as_array().unwrap();
    assert!((5..=25).contains(&tests.len()), "{good}");
    assert_eq!(good["leaderboard"][0]["value"], good["score"]);
    let empty = run("empty", &|_| {});
    assert_eq!(empty["score"], 0.0);
    assert!(empty["output"].as_str().unwrap().contains("holds no bot"), "{empty}");
    assert_eq!(empty.to_string().matches("holds no bot").count(), 1, "its reason once");
}

fn graded(spec: &str, more: &[&str]) -> Value {
    let words =
        ["grade", "stud", spec, "--json", "--exit-zero", "--rounds", "20", "--even-if-busy", "--seed", "x"];
    casino(&[&words[..], more].concat()).json()
}

/// A Python bot that calls, with this code before its reply.
fn bot(name: &str, before: &str) -> String {
    let folder = folder(name);
    small_bot(&folder, &format!("{before}\n{CALLS}"));
    folder.to_str().unwrap().to_string()
}

fn count(report: &Value, part: usize, outcome: &str) -> usize {
    items(report, part).iter().filter(|item| item["outcome"] == outcome).count()
}

fn points_of(report: &Value, part: usize) -> f64 {
    items(report, part).iter().map(|item| item["points"].as_f64().unwrap()).sum()
}

/// Items that earn more for the faulty program than for the sound one.
fn gains(faulty: &Value, sound: &Value) -> Vec<String> {
    let mut gains = Vec::new();
    for part in 0..sound["parts"].as_array().unwrap().len() {
        for item in items(faulty, part) {
            let same = items(sound, part).iter().find(|other| other["id"] == item["id"]);
            let same = same.unwrap_or_else(|| panic!("{} is in no other report", item["id"]));
            if item["points"].as_f64() > same["points"].as_f64() {
                gains.push(format!("{} has {} and not {}", item["id"], item["points"], same["points"]));
            }
        }
    }
    gains
}

/// It ends whenever a stack is short, which is so in more situations than it would be started for once and for all.
#[test]
fn a_crash_costs_wherever_it_shows_and_earns_nothing() {
    if !has("python3", "a program that crashes") {
        return;
    }
    let patient = ["--reply-ms", "10000"];
    let crashes = graded(&bot("crashes", "if stack < 100: sys.exit(1)"), &patient);
    let sound = graded(&bot("sound", ""), &patient);
    assert!(count(&crashes, 2, "failed") > 3, "{}", crashes["parts"][2]);
    assert_eq!(gains(&crashes, &sound), Vec::<String>::new());
    // A game begins with 100 chips, so it is out with the first ante.
    let play = |report: &Value| (2..5).map(|part| points_of(report, part)).sum::<f64>();
    assert!(play(&crashes) < 0.1 * 130.0 && play(&sound) > 70.0, "{}", play(&crashes));
    let says = |text: &Value| text.as_str().is_some_and(|text| text.contains("ejects the program"));
    let mut partial = items(&crashes, 2).iter().filter(|item| item["outcome"] == "partial");
    assert!(partial.any(|item| says(&item["reason"]) || says(&item["got"])), "{}", crashes["parts"][2]);
}

#[test]
#[ignore = "long: a part that waits for a hanging program; graders::stud::a_crash_costs_wherever_it_shows_and_earns_nothing"]
fn a_program_that_hangs_is_given_up_for_each_part() {
    if !has("python3", "a program that hangs") {
        return;
    }
    let report = graded(&bot("hangs", "while to_call == 0: time.sleep(1)"), &["--reply-ms", "300"]);
    // It hangs at most questions, so the parts end soon; its earlier answers still count.
    for part in [2, 3, 4] {
        let reasons: String =
            items(&report, part).iter().map(|item| item["reason"].as_str().unwrap_or("")).collect();
        assert!(reasons.contains("in 3 situations one after the other"), "{part}: {reasons}");
    }
}

/// The seed of a class is drawn once and kept; the kit is named, and with `--starter 0` its play is worth nothing.
#[test]
fn a_class_has_decks_of_its_own_and_a_kit_is_named() {
    if !has("python3", "a starter kit that is handed in") {
        return;
    }
    let place = folder("kit");
    let kit = casino(&["new-bot", "python", place.join("in/kit").to_str().unwrap()]);
    kit.exits_with(0);
    let strategy = fs::read_to_string(place.join("in/kit/strategy.py")).unwrap();
    fs::write(place.join("in/kit/strategy.py"), format!("# mine\n{strategy}")).unwrap();
    small_bot(&place.join("in/own"), CALLS);
    let words =
        "grade stud --all in --rounds 20 --reply-ms 10000 --even-if-busy --starter 0 --reports json --out";
    let grade = |out: &str, more: &[&str]| {
        let ran =
            super::casino_in(&place, &[&words.split(' ').collect::<Vec<_>>()[..], &[out], more].concat());
        ran.exits_with(0);
        let of = |path: &str| fs::read_to_string(place.join(out).join(path)).unwrap();
        let reports = ["kit", "own"]
            .map(|name| serde_json::from_str::<Value>(&of(&format!("reports/{name}.json"))).unwrap());
        (of("gradebook.csv"), reports, ran.stdout)
    };
    let (book, [kit, own], _) = grade("one", &[]);
    let row = |name: &str| book.lines().find(|line| line.contains(name)).unwrap().to_string();
    assert!(row(",kit,").contains(",starter kit,") && !row(",own,").contains("starter"), "{book}");
    assert!(kit["parts"][0]["items"][0]["reason"].as_str().unwrap().starts_with("This is the starter kit"));
    assert_eq!([0, 1, 2, 3, 4].map(|part| points_of(&kit, part) > 0.0), [true, true, false, false, false]);
    let seed = fs::read_to_string(place.join("one/seed.txt")).unwrap();
    assert_eq!(seed.lines().next(), own["seed"].as_str());
    let (_, [_, again], said) = grade("one", &[]);
    assert!(again == own && said.contains("2 of them cached"), "{said}");
    let (_, [_, other], _) = grade("other", &["--seed", "chosen"]);
    let deals =
        |report: &Value| report["parts"][3]["items"].as_array().unwrap().last().unwrap()["title"].clone();
    assert_ne!(deals(&other), deals(&own));
    assert_eq!(other["seed"], "chosen");
}
