//! The flags for the formats of a report; several can be written in one run.

use std::path::{Path, PathBuf};

use super::super::{Failure, Output, judging};
use casino_judge::Verdict;
use casino_judge::figures::PAGE_MARK;
use casino_judge::grade::Report;
use casino_judge::grade::formats::{gradescope, html, junit, text};
use casino_system::files::{check_output, write_output};

// In which forms a report is wanted
#[derive(clap::Args, Debug)]
pub(super) struct Formats {
    /// Print the report as one JSON object, or write it to FILE and print text
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Write Gradescope's results.json
    #[arg(long, value_name = "FILE")]
    gradescope: Option<PathBuf>,
    /// When students see their results on Gradescope
    #[arg(long, value_parser = ["visible", "after_due_date", "after_published", "hidden"], default_value = "visible")]
    visibility: String,
    /// Write one HTML page that needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write JUnit's XML, which a CI shows
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Exit with 0 also if something failed
    #[arg(long)]
    exit_zero: bool,
}

/// A text by which JUnit's XML is recognised.
pub(in crate::cli) const JUNIT_MARKS: &[&str] = &["<testsuites>"];

/// A format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ReportFormat {
    Text,
    Json,
    Gradescope,
    Html,
    Junit,
}

impl ReportFormat {
    /// The ending of a file of this format, and texts by which an earlier report is recognised.
    fn file(self) -> (&'static str, &'static [&'static str]) {
        match self {
            ReportFormat::Text => ("txt", &["  ok ", "  partial ", "  FAILED ", "  not run ", "Not judged"]),
            ReportFormat::Json => ("json", &["\"max_points\""]),
            ReportFormat::Gradescope => ("results.json", &["\"score\":", "\"output\":"]),
            ReportFormat::Html => ("html", &[PAGE_MARK]),
            ReportFormat::Junit => ("junit.xml", JUNIT_MARKS),
        }
    }

    pub(super) fn ending(self) -> &'static str {
        self.file().0
    }

    pub(super) fn marks(self) -> &'static [&'static str] {
        self.file().1
    }

    pub(super) fn of(self, report: &Report, visibility: &str) -> Result<String, Failure> {
        Ok(match self {
            ReportFormat::Text => text(report, false),
            ReportFormat::Json => serde_json::to_string_pretty(report).map_err(Failure::runtime)? + "\n",
            ReportFormat::Gradescope => gradescope(report, visibility),
            ReportFormat::Html => html(report),
            ReportFormat::Junit => junit(report),
        })
    }
}

impl Formats {
    /// When students see their results on Gradescope.
    pub(super) fn visibility(&self) -> &str {
        &self.visibility
    }

    /// The flags that name a file for a single report.
    fn single_files(&self) -> impl Iterator<Item = (&'static str, ReportFormat, &Path)> {
        let files = [
            ("--json", ReportFormat::Json, &self.json),
            ("--gradescope", ReportFormat::Gradescope, &self.gradescope),
            ("--html", ReportFormat::Html, &self.html),
            ("--junit", ReportFormat::Junit, &self.junit),
        ];
        files.into_iter().filter_map(|(flag, format, file)| Some((flag, format, file.as_deref()?)))
    }

    /// The first flag that names a file for a single report.
    pub(super) fn single(&self) -> Option<&'static str> {
        self.single_files().next().map(|(flag, ..)| flag)
    }

    /// The files that are to be written, with their formats.
    fn files(&self) -> impl Iterator<Item = (ReportFormat, &Path)> {
        self.single_files()
            .map(|(_, format, file)| (format, file))
            .filter(|(_, file)| *file != Path::new("-"))
    }

    /// Tries all files that are to be written, before anything is started.
    pub(super) fn try_files(&self) -> Result<(), Failure> {
        self.files().try_for_each(|(format, file)| try_file(file, format.marks()))
    }

    /// Writes the report in every form that is wanted, prints it, and turns it into the exit code.
    pub(super) fn show(&self, report: &Report) -> Result<(), Failure> {
        for (format, file) in self.files() {
            write(file, &format.of(report, self.visibility())?, format.marks())?;
        }
        let verdict = report.verdict();
        let no_program = match (&report.failure, verdict) {
            (Some(failure), Verdict::NeverStarted) if !self.exit_zero => {
                Some(failure).filter(|failure| failure.kind.is_no_program())
            }
            _ => None,
        };
        let mut out = Output::stdout();
        if self.json.as_deref() == Some(Path::new("-")) {
            out.text(ReportFormat::Json.of(report, self.visibility())?)?;
        } else if no_program.is_none() {
            let colour = out.colour();
            out.text(text(report, colour))?;
        }
        out.flush()?;
        if let Some(failure) = no_program {
            let said = format!("{}. {}", failure.reason.trim_end_matches('.'), failure.hint);
            return Err(Failure::usage(said.trim_end()));
        }
        match verdict {
            // An inconclusive result must not look like a verdict.
            Verdict::Failed | Verdict::NeverStarted if self.exit_zero => Ok(()),
            verdict => judging::exit(verdict),
        }
    }
}

/// Tries whether a file can be written, which may replace one with these marks.
pub(in crate::cli) fn try_file(file: &Path, marks: &[&str]) -> Result<(), Failure> {
    check_output(file, marks).map_err(|error| {
        Failure::usage(format!("{} cannot be written: {error}. Nothing was started", file.display()))
    })
}

/// Writes a file completely or not at all; it may replace one with these marks.
pub(in crate::cli) fn write(file: &Path, content: &str, marks: &[&str]) -> Result<(), Failure> {
    write_output(file, content.as_bytes(), marks)
        .map_err(|error| Failure::runtime(format!("{} cannot be written: {error}", file.display())))
}
