//! A report as Gradescope's `results.json`.

use serde::Serialize;

use super::super::report::{Outcome, Points, Report};
use super::document::text_of_items;
use super::how_built;
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

/// The most tests of a report: more of them, for a hundredth of a point each, invite haggling.
const MAX_TESTS: usize = 25;

/// A test for each item, or for all items of a part where there are too many.
fn tests<'a>(report: &'a Report, visibility: &'a str) -> Vec<Test<'a>> {
    let mut counts: Vec<usize> = report.parts.iter().map(|part| part.items.len()).collect();
    while counts.iter().sum::<usize>() > MAX_TESTS && counts.iter().any(|count| *count > 1) {
        let largest = counts.iter_mut().max().expect("there are parts");
        *largest = 1;
    }
    // The tenths of all points so far, so that they add up.
    let tenths = |points: Points| (points.as_f64() * 10.0).round();
    let (mut score, mut most) = (Points::ZERO, Points::ZERO);
    let mut tests = Vec::new();
    for (part_number, (part, count)) in report.parts.iter().zip(counts).enumerate() {
        let size = part.items.len().div_ceil(count.max(1)).max(1);
        for (number, items) in part.items.chunks(size).enumerate() {
            let before = [score, most].map(tenths);
            score = score + items.iter().map(|item| item.points).sum();
            most = most + items.iter().map(|item| item.max_points).sum();
            let title = if size > 1 { format!("{} tests", items.len()) } else { items[0].title.clone() };
            tests.push(Test {
                score: (tenths(score) - before[0]) / 10.0,
                max_score: (tenths(most) - before[1]) / 10.0,
                status: if items.iter().all(|item| item.outcome == Outcome::Passed) {
                    "passed"
                } else {
                    "failed"
                },
                name: format!("{}: {}", part.title, short_text(&title)),
                number: format!("{}.{}", part_number + 1, number + 1),
                output: text_of_items(&part.title, items),
                visibility,
            });
        }
    }
    tests
}

/// The report as `results.json`; `visibility` is Gradescope's word for when students see it.
pub fn gradescope(report: &Report, visibility: &str) -> String {
    let tests = tests(report, visibility);
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
    let score = (summary.points.as_f64() * 10.0).round() / 10.0;
    let column = |name, value| GradescopeColumn { name, value, order: "desc" };
    let leaderboard = match report.is_judged() {
        true => {
            vec![column("Points", score.into()), column("Passed", summary.passed.into())]
        }
        false => Vec::new(),
    };
    let results = Results {
        score: report.is_judged().then_some(score),
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
    use crate::grade::{Item, ManualPart, Part};

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
    #[test]
    fn a_long_report_has_few_tests_whose_tenths_add_up() {
        let items = (0..109).map(|at| Item::new(at.to_string(), "x", Points::hundredths(17)));
        let half = |at, item: Item| if at % 2 == 0 { item.passed() } else { item.failed("why") };
        let items: Vec<Item> = items.enumerate().map(|(at, item)| half(at, item)).collect();
        let part = |items: &[Item]| Part { title: "p".into(), items: items.to_vec() };
        let parts = [&items[..7], &items[7..40], &items[40..]].map(part).into();
        let json = gradescope(&Report { parts, ..report() }, "visible");
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        let tests = value["tests"].as_array().unwrap();
        assert_eq!(tests.len(), 9);
        for field in ["score", "max_score"] {
            let numbers = tests.iter().map(|test| test[field].as_f64().unwrap() * 10.0);
            assert!(numbers.clone().all(|tenths| (tenths - tenths.round()).abs() < 1e-6), "{field}: {json}");
            let wanted = if field == "score" { 94.0 } else { 185.0 };
            assert_eq!(numbers.sum::<f64>().round(), wanted, "{field}");
        }
        assert_eq!(value["score"], 9.4);
        assert_eq!(tests[8]["output"].as_str().unwrap().matches("why").count(), 1);
    }
}
