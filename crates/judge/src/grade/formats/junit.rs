//! A report as JUnit's XML.

use super::super::report::{Outcome, Report};
use super::document::text_of_items;
use crate::junit::{self, TestCase, TestResult};

/// The report with a test for each item, and one that fails if the program was not judged or never played.
pub fn junit(report: &Report) -> String {
    let failure = report.failure.iter().map(|failure| {
        let text = format!("{}\n{}\n{}", failure.kind.headline(), failure.reason, failure.hint);
        TestCase { group: &report.title, name: "the program plays", result: TestResult::Failed(text) }
    });
    let items = report.parts.iter().flat_map(|part| {
        part.items.iter().map(|item| TestCase {
            group: &part.title,
            name: &item.title,
            result: match item.outcome {
                Outcome::Passed => TestResult::Passed,
                Outcome::NotRun => TestResult::Skipped,
                _ => {
                    // The first line repeats the title.
                    let text = text_of_items(&part.title, std::slice::from_ref(item));
                    TestResult::Failed(
                        text.split_once('\n').map_or(text.as_str(), |(_, rest)| rest).to_string(),
                    )
                }
            },
        })
    });
    junit::junit(&report.title, &failure.chain(items).collect::<Vec<_>>())
}
