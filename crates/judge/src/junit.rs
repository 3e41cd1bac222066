//! Results of tests as JUnit's XML, which GitLab, Jenkins and most other CI systems show.

use html_escape::encode_double_quoted_attribute;

use casino_stud::shown::{short_line, short_text};

/// A test and its result.
#[derive(Clone, Debug)]
pub struct TestCase<'a> {
    /// The group of tests that it belongs to.
    pub group: &'a str,
    /// A short description of the test.
    pub name: &'a str,
    /// How it ended.
    pub result: TestResult,
}

/// How a test ended.
#[derive(Clone, Debug)]
pub enum TestResult {
    /// As expected.
    Passed,
    /// Otherwise: the difference as text.
    Failed(String),
    /// It was not run.
    Skipped,
}

/// The document with all tests of a suite. Texts may contain anything that a program printed.
pub fn junit(suite: &str, cases: &[TestCase<'_>]) -> String {
    let line = |text: &str| encode_double_quoted_attribute(&short_text(&short_line(text))).into_owned();
    let (mut failures, mut skipped, mut tests) = (0, 0, String::new());
    for TestCase { group, name, result } in cases {
        let inside = match result {
            TestResult::Passed => String::new(),
            TestResult::Failed(text) => {
                failures += 1;
                let first =
                    line(text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim());
                let text = short_text(text);
                format!("<failure message=\"{first}\">{}</failure>", encode_double_quoted_attribute(&text))
            }
            TestResult::Skipped => {
                skipped += 1;
                "<skipped/>".to_string()
            }
        };
        let (group, name) = (line(group), line(name));
        tests.push_str(&format!("<testcase classname=\"{group}\" name=\"{name}\">{inside}</testcase>\n"));
    }
    let (suite, all) = (line(suite), cases.len());
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{suite}\" tests=\"{all}\" \
         failures=\"{failures}\" skipped=\"{skipped}\">\n{tests}</testsuite>\n</testsuites>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_texts_stay_texts() {
        let case = |name, result| TestCase { group: "a<b", name, result };
        let hostile = "\n </failure>]]>&\u{1b}[31m\u{0}\u{ffff} \"it's\"\nsecond";
        let xml = junit(
            "day",
            &[
                case("\"fine\"\n", TestResult::Passed),
                case("not", TestResult::Failed(hostile.to_string())),
                case("never", TestResult::Skipped),
            ],
        );
        let lines: Vec<&str> = xml.lines().collect();
        assert_eq!(lines[2], "<testsuite name=\"day\" tests=\"3\" failures=\"1\" skipped=\"1\">");
        assert_eq!(lines[3], "<testcase classname=\"a&lt;b\" name=\"&quot;fine&quot;\\u000a\"></testcase>");
        assert_eq!(xml.matches("<failure").count() + xml.matches("</failure>").count(), 2, "{xml}");
        assert!(!xml.contains(['\u{1b}', '\u{0}', '\u{ffff}']), "{xml}");
        assert!(xml.contains("second</failure>") && xml.contains("&amp;"), "{xml}");
        assert_eq!(
            lines[lines.len() - 3],
            "<testcase classname=\"a&lt;b\" name=\"never\"><skipped/></testcase>"
        );
    }
}
