//! The flags, words and exit codes of `casino scenario`.

use casino_system::sockets::raise_file_limit;
use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::json;

use casino_judge::junit::{TestCase, TestResult, junit};
use casino_judge::scenario::{Scenario, Unexpected};
use casino_stud::shown;
use casino_system::files::read_text;

use super::findings::{FindingObject, FindingsObject};
use super::grade::formats::{JUNIT_MARKS, try_file, write};
use super::{Failure, Output};

#[derive(Args)]
#[command(after_help = "Examples:
  casino scenario run scenarios")]
pub(crate) struct ScenarioCommand {
    #[command(subcommand)]
    command: What,
}

#[derive(Subcommand)]
enum What {
    /// Play scenario files and compare the results with the expected ones
    Run(Run),
}

#[derive(Args)]
#[command(
    after_help = "A scenario is a JSON file with seats, cards, scripted replies and expected results. \
        scenarios/README.md describes the format.\n\n\
        Exit codes: 0 all passed, 1 some failed, 2 unreadable file.\n\n\
        Examples:
  casino scenario run scenarios
  casino scenario run scenarios/R10 my-case.json --tcp
  casino scenario run scenarios --quiet --junit results.xml"
)]
struct Run {
    /// Scenario files, and folders with scenario files in them at any depth
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Play each over real sockets too, on a virtual clock: the transcripts must be the same
    #[arg(long)]
    tcp: bool,
    /// Print only failures
    #[arg(long)]
    quiet: bool,
    /// Print one JSON object: scenarios/README.md
    #[arg(long)]
    json: bool,
    /// Write JUnit's XML, which a CI shows
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// As many as a full table needs at both ends, and the program itself.
const FILES_FOR_TCP: u64 = 64;

impl ScenarioCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            What::Run(run) => run.run(),
        }
    }
}

impl Run {
    fn run(self) -> Result<(), Failure> {
        // With fewer open files than sockets, a scenario would wait forever for a connection that cannot be opened.
        if self.tcp && raise_file_limit() < FILES_FOR_TCP {
            return Err(Failure::Runtime(format!(
                "with --tcp this process needs {FILES_FOR_TCP} open files, two for each player, and may not have so many: allow \
                 them (ulimit -n {FILES_FOR_TCP})"
            )));
        }
        let mut files = Vec::new();
        for path in &self.paths {
            find(path, &mut files)?;
        }
        // All files are read before the first is played: a typing error shows at once.
        let mut scenarios = Vec::new();
        let mut mistakes = Vec::new();
        for file in files {
            match read(&file) {
                Ok(scenario) => scenarios.push((file, scenario)),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if !mistakes.is_empty() {
            return Err(Failure::Usage(mistakes.join("\n")));
        }
        if let Some(file) = &self.junit {
            try_file(file, JUNIT_MARKS)?;
        }
        let mut output = Output::stdout();
        let mut played = Vec::new();
        for (file, scenario) in &scenarios {
            let findings = self.play(file, scenario)?;
            if !self.json {
                self.print(file, scenario, &findings, &mut output)?;
            }
            played.push((with_slashes(file), scenario.title.as_str(), findings));
        }
        let failed = played.iter().filter(|(.., findings)| !findings.is_empty()).count();
        if let Some(file) = &self.junit {
            let cases = played.iter().map(|(group, name, findings)| TestCase {
                group,
                name,
                result: match findings[..] {
                    [] => TestResult::Passed,
                    _ => TestResult::Failed(differences(findings)),
                },
            });
            write(file, &junit("scenarios", &cases.collect::<Vec<_>>()), JUNIT_MARKS)?;
        }
        if self.json {
            let findings = played.into_iter().flat_map(|(place, _, findings)| {
                findings.into_iter().map(move |Unexpected { field: what, expected, got }| FindingObject {
                    place: place.clone(),
                    what,
                    expected: Some(expected),
                    got: Some(got),
                })
            });
            let result = json!({"scenarios": scenarios.len(), "failed": failed});
            output.json(&FindingsObject { passed: failed == 0, result, findings: findings.collect() })?;
        } else {
            output.line(format_args!("{}, {failed} failed", shown::count(scenarios.len(), "scenario")))?;
        }
        output.flush()?;
        if failed > 0 { Err(Failure::Verdict(1)) } else { Ok(()) }
    }

    fn play(&self, file: &Path, scenario: &Scenario) -> Result<Vec<Unexpected>, Failure> {
        let played = scenario.play();
        let mut findings = scenario.check(&played);
        if self.tcp {
            let over_tcp = scenario.play_over_tcp().map_err(|error| {
                Failure::Runtime(format!("{} cannot be played over TCP: {error}", file.display()))
            })?;
            findings.extend(scenario.compare(&played, &over_tcp));
        }
        Ok(findings)
    }

    fn print(
        &self,
        file: &Path,
        scenario: &Scenario,
        findings: &[Unexpected],
        output: &mut Output,
    ) -> Result<(), Failure> {
        let file = with_slashes(file);
        let (file, title) = (shown::one_line(&file), shown::one_line(&scenario.title));
        if findings.is_empty() {
            if !self.quiet {
                let ok = output.paint("32", "ok    ");
                output.line(format_args!("{ok}{file}: {title}"))?;
            }
            return Ok(());
        }
        let failed = output.paint("31", "FAILED");
        output.line(format_args!("{failed} {file}: {title}"))?;
        output.text(differences(findings))
    }
}

/// The differences of a scenario from what it expects.
fn differences(findings: &[Unexpected]) -> String {
    let lines = findings.iter().map(|Unexpected { field, expected, got }| {
        let [field, expected, got] = [field, expected, got].map(|text| shown::one_line(text));
        format!("  {field}\n    expected: {expected}\n         got: {got}\n")
    });
    lines.collect()
}

/// The path of a file as reports write it: the same on every system.
fn with_slashes(file: &Path) -> String {
    let shown = file.display().to_string();
    if MAIN_SEPARATOR == '/' { shown } else { shown.replace(MAIN_SEPARATOR, "/") }
}

fn read(file: &Path) -> Result<Scenario, String> {
    let shown = shown::path(file);
    let text = read_text(file).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    Scenario::read(&text).map_err(|mistake| mistake.in_file(shown))
}

/// The file, or all scenario files in the folder, in order.
fn find(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let unreadable =
        |error: std::io::Error| Failure::Usage(format!("{} cannot be read: {error}", path.display()));
    if !fs::metadata(path).map_err(unreadable)?.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let before = files.len();
    walk(path, files).map_err(unreadable)?;
    files[before..].sort();
    if files.len() == before {
        return Err(Failure::Usage(format!("there is no scenario file (*.json) in {}", path.display())));
    }
    Ok(())
}

/// A folder with a rubric is left out: its situations need a bot.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if folder.join("rubric.json").is_file() {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            walk(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(())
}
