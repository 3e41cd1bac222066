//! A report as Gradescope's `results.json`.

use serde::Serialize;

use super::super::report::{Outcome, Report};
use super::{how_built, lines_of};
use casino_stud::shown::short_text;

/// The fields of `results.json` that Gradescope documents, as far as they are used here.
#[derive(Serialize)]
struct Results<'a> {
    /// Without it Gradescope gives no points: it asks the staff to look.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    output: String,
    output_format: &'static str,
    test_output_format: &'static str,
    test_name_format: &'static str,
    visibility: &'a str,
    stdout_visibility: &'a str,
    tests: Vec<Test<'a>>,
    leaderboard: Vec<GradescopeColumn>,
}

#[derive(Serialize)]
struct Test<'a> {
    score: f64,
    max_score: f64,
    status: &'static str,
    name: String,
    number: String,
    output: String,
    visibility: &'a str,
}

#[derive(Serialize)]
struct GradescopeColumn {
    name: &'static str,
    value: serde_json::Value,
    order: &'static str,
}

/// The report as `results.json`; `visibility` is Gradescope's word for when students see it.
pub fn gradescope(report: &Report, visibility: &str) -> String {
    let mut tests = Vec::new();
    for (part_number, part) in report.parts.iter().enumerate() {
        for (number, item) in part.items.iter().enumerate() {
            let mut output = String::new();
            if item.outcome != Outcome::Passed {
                for (label, text) in lines_of(item) {
                    let label = if label.is_empty() { String::new() } else { format!("{label}: ") };
                    output.push_str(&format!("{label}{text}\n"));
                }
            }
            tests.push(Test {
                score: item.points.as_f64(),
                max_score: item.max_points.as_f64(),
                status: if item.outcome == Outcome::Passed { "passed" } else { "failed" },
                name: format!("{}: {}", part.title, short_text(&item.title)),
                number: format!("{}.{}", part_number + 1, number + 1),
                output: short_text(&output).into_owned(),
                visibility,
            });
        }
    }
    let summary = report.summary();
    let mut output = match report.is_judged() {
        true => format!("{}: {} of {} points.", report.title, summary.points, summary.max_points),
        false => format!("{}: not judged.", report.title),
    };
    if let Some(how) = how_built(report) {
        output.push_str(&format!("\n{}", short_text(how)));
    }
    if let Some(failure) = &report.failure {
        output.push_str(&format!("\n{}\n{}", failure.kind.headline(), short_text(&failure.reason)));
    }
    for part in &report.by_hand {
        output.push_str(&format!("\n{}: up to {} points, judged by people.", part.title, part.max_points));
    }
    let column = |name, value| GradescopeColumn { name, value, order: "desc" };
    let leaderboard = match report.is_judged() {
        true => {
            vec![column("Points", summary.points.as_f64().into()), column("Passed", summary.passed.into())]
        }
        false => Vec::new(),
    };
    let results = Results {
        score: report.is_judged().then(|| summary.points.as_f64()),
        output,
        output_format: "text",
        test_output_format: "text",
        test_name_format: "text",
        visibility,
        stdout_visibility: "hidden",
        tests,
        leaderboard,
    };
    let mut json = serde_json::to_string_pretty(&results).expect("numbers and texts are JSON");
    json.push('\n');
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::{Item, ManualPart, Part, Points};

    /// Output of a program that tries to get into the report as more than text.
    const HOSTILE: &str =
        "</pre><script>alert(1)</script> ]]> <!-- \u{1b}[2J\u{0}\u{202e}\u{fffe} & \"x\" '`` **b** |";

    fn report() -> Report {
        let bad = Item {
            expected: Some("bet 5 to 15".into()),
            got: Some(HOSTILE.into()),
            context: vec![HOSTILE.into(), "asked    bet1:9".into()],
            stderr: HOSTILE.into(),
            command: Some(HOSTILE.into()),
            ..Item::new("bad", HOSTILE, Points::whole(3)).failed(HOSTILE)
        };
        Report {
            title: "Project 01".into(),
            subject: HOSTILE.into(),
            parts: vec![
                Part {
                    title: "Connects".into(),
                    items: vec![Item::new("in", "Logs in", Points::whole(2)).passed(), bad],
                },
                Part {
                    title: "Plays".into(),
                    items: vec![
                        Item::new("half", "A half", Points::whole(1)).partial(Points::hundredths(50), "half"),
                        Item::new("no", "Not tried", Points::whole(1)).not_run("the program was gone"),
                    ],
                },
            ],
            by_hand: vec![ManualPart { title: "Interview".into(), max_points: Points::whole(40) }],
            ..Report::default()
        }
    }

    #[test]
    fn the_fields_are_those_that_gradescope_documents() {
        let json = gradescope(&report(), "after_published");
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let known: Vec<&str> =
            "score execution_time output output_format test_output_format test_name_format \
                                visibility stdout_visibility extra_data tests leaderboard"
                .split(' ')
                .collect();
        assert!(value.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{json}");
        assert_eq!(value["score"], 2.5);
        assert_eq!(value["visibility"], "after_published");
        let tests = value["tests"].as_array().unwrap();
        assert_eq!(tests.len(), 4);
        let sum: f64 = tests.iter().map(|test| test["score"].as_f64().unwrap()).sum();
        assert_eq!(sum, 2.5);
        let known: Vec<&str> =
            "score max_score status name name_format number output output_format tags visibility \
                                extra_data"
                .split(' ')
                .collect();
        for test in tests {
            assert!(test.as_object().unwrap().keys().all(|key| known.contains(&key.as_str())), "{test}");
            assert!(["passed", "failed"].contains(&test["status"].as_str().unwrap()));
            assert!(test["score"].as_f64().unwrap() <= test["max_score"].as_f64().unwrap());
        }
        for column in value["leaderboard"].as_array().unwrap() {
            assert!(column["name"].is_string() && !column["value"].is_null());
        }
        assert_eq!(value["leaderboard"][0]["value"], 2.5);
        // An escaped character is written as a backslash, which JSON doubles.
        assert!(!json.contains('\u{202e}') && !json.replace(r"\\", "").contains(r"\u001b"));
        assert!(value["output"].as_str().unwrap().contains("Interview: up to 40 points"));
    }
}
