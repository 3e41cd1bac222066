//! A class: submissions in every shape are found, built and judged, or refused with the true reason.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Ran, casino_in, folder, shapes};
use crate::tools::has;

/// Grades all of `in`. Answers may take long: the machine may be busy.
fn grade(folder: &Path) -> Ran {
    grade_with(folder, &[])
}

fn grade_with(folder: &Path, more: &[&str]) -> Ran {
    let words = "grade stud --all in --out out --rounds 20 --reply-ms 10000 -j 2 --even-if-busy --reports html,json,gradescope,text";
    casino_in(folder, &[&words.split(' ').collect::<Vec<_>>()[..], more].concat())
}

/// The verdict and the points of each row of the gradebook.
fn book(folder: &Path) -> BTreeMap<String, (String, f64, String)> {
    let mut reader = csv::Reader::from_path(folder.join("out/gradebook.csv")).unwrap();
    let head = reader.headers().unwrap().clone();
    let at = |name: &str| head.iter().position(|other| other == name).unwrap();
    let (name, verdict, points, same) = (at("folder"), at("verdict"), at("points"), at("same_as"));
    let rows = reader.records().map(Result::unwrap);
    rows.map(|row| (row[name].into(), (row[verdict].into(), row[points].parse().unwrap(), row[same].into())))
        .collect()
}

/// All files of a folder with their contents.
fn bytes(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(bytes(&path));
        } else {
            found.insert(path.clone(), fs::read(&path).unwrap());
        }
    }
    found
}

/// Checks the verdict of each submission against its shape, and again from the cache.
fn each_gets_what_it_deserves(folder: &Path, expected: &[(&str, &str)]) {
    let ran = grade(folder);
    ran.exits_with(0);
    let rows = book(folder);
    let wrong: Vec<String> = expected
        .iter()
        .filter(|(name, verdict)| {
            let row = rows.get(*name);
            row.is_none_or(|(found, points, _)| match *verdict {
                "plays" => *points < 100.0,
                // It was built, which is worth points.
                "never connected" => found != "never connected" || *points > 3.0,
                other => found != other || *points > 0.0,
            })
        })
        .map(|(name, verdict)| format!("{name} is not \"{verdict}\": {:?}", rows.get(*name)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}\n{}", ran.stdout);
    assert_eq!(rows.len(), expected.len());
    let before = bytes(&folder.join("out"));
    let again = grade(folder);
    let known = format!("{0} submissions, {0} of them cached", expected.len());
    assert!(again.stdout.contains(&known), "{}", again.stdout);
    assert!(bytes(&folder.join("out")) == before, "the same bytes");
}

#[test]
#[ignore = "long: shapes as a whole command sees them; graders::classes::a_missing_tool_is_not_judged"]
fn submissions_of_all_shapes_are_found_and_judged() {
    if !has("python3", "submissions of many shapes") {
        return;
    }
    let folder = folder("some");
    shapes::in_python(&folder.join("in"));
    each_gets_what_it_deserves(&folder, shapes::IN_PYTHON);
    let rows = book(&folder);
    // Archives hold the same program.
    let similar = (rows["copy"].2.as_str(), rows["plain"].2.as_str());
    assert_eq!(similar, ("plain tarred told and 2 more", "copy tarred told and 2 more"));
    // The reason appears once, at the top, in every format.
    for (name, words) in
        [("essay", "holds no bot"), ("two", "Project01, Project02"), ("leads-out", "outside of itself")]
    {
        let report = fs::read(folder.join(format!("out/reports/{name}.json"))).unwrap();
        let report: Value = serde_json::from_slice(&report).unwrap();
        assert!(report["failure"]["reason"].as_str().unwrap().contains(words), "{report}");
        for ending in ["json", "results.json", "html"] {
            let text = fs::read_to_string(folder.join(format!("out/reports/{name}.{ending}"))).unwrap();
            assert_eq!(text.matches(words).count(), 1, "{name}.{ending}");
        }
    }
    let named = "grade stud in/two --project project02 --rounds 20 --reply-ms 10000 --json";
    casino_in(&folder, &named.split(' ').collect::<Vec<_>>()).exits_with(1);
    // For a class the roster names the project, and no other submission is graded again.
    fs::write(folder.join("roster.csv"), "folder,github_id,project\ntwo,two-2,Project02\nplain,p-1,\n")
        .unwrap();
    let said = grade_with(&folder, &["--roster", "roster.csv"]);
    said.exits_with(0);
    let two = &book(&folder)["two"];
    assert!(two.0 == "graded" && two.1 > 0.0, "{two:?}");
}

/// A tool that the grader knows and this machine does not have. `None` if all are installed.
fn a_missing_tool() -> Option<&'static str> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap())
        .chain(["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from))
        .collect();
    let known = ["gprolog", "kotlinc", "nim", "zig", "deno", "bun", "swift"];
    known.into_iter().find(|tool| !folders.iter().any(|folder| folder.join(tool).exists()))
}

#[test]
fn a_missing_tool_is_not_judged() {
    if !has("python3", "submissions for a machine that lacks something") {
        return;
    }
    let folder = folder("lacks");
    let place = folder.join("in/lacks");
    fs::create_dir_all(&place).unwrap();
    let Some(tool) = a_missing_tool() else { return };
    let told = format!(r#"{{"run": "{tool} poker.pl {{host}} {{port}}"}}"#);
    fs::write(place.join("bot.json"), told).unwrap();
    fs::write(place.join("poker.pl"), "% socket argv\n").unwrap();
    fs::create_dir_all(folder.join("in/essay")).unwrap();
    fs::write(folder.join("in/essay/essay.txt"), "the dog ate it").unwrap();
    let ran = grade(&folder);
    ran.exits_with(4);
    assert!(ran.stderr.contains(&format!("{tool} is not installed")), "{}", ran.stderr);
    assert_eq!(book(&folder).keys().collect::<Vec<_>>(), ["essay"], "no row");
    assert!(!folder.join("out/verdicts/lacks.json").exists(), "nothing is kept");
    let results = fs::read_to_string(folder.join("out/reports/lacks.results.json")).unwrap();
    let results: Value = serde_json::from_str(&results).unwrap();
    assert!(results.get("score").is_none() && results["tests"] == Value::Array(Vec::new()), "{results}");
    // Alone, and with --exit-zero: there is no verdict.
    let alone = casino_in(&folder, &["grade", "stud", "in/lacks", "--exit-zero"]);
    alone.exits_with(4);
    assert!(alone.stdout.contains("Not judged") && !alone.stdout.contains("points:"), "{}", alone.stdout);
    // A submission that needs no missing tool is judged.
    shapes::player(&place, "poker.py");
    fs::write(place.join("bot.json"), r#"{"run": "python3 poker.py {host} {port}"}"#).unwrap();
    let ran = grade(&folder);
    ran.exits_with(0);
    assert_eq!(book(&folder).len(), 2);
}
