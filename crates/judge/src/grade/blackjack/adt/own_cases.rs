//! The student's test cases (Blackjack document, VI): each has to accept a right implementation and reject wrong ones.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::kind::{AdtFault, AdtKind};
use super::observing::command_of;
use super::workbench::{CannotJudge, Workbench, make_folder};
use crate::grade::CaseSettings;
use crate::grade::program::{last_words, limits, run_in};
use crate::grade::report::{Item, Points};
use crate::sandbox::{Ended, Sandbox, Termination};

/// Output limit of a test case in bytes; its output is free text.
const MAX_OUTPUT_BYTES: usize = 1 << 20;

const MAX_SHOWN_CHARS: usize = 400;

/// Timeouts with faulty implementations after which a test case is not run any more.
const MAX_TIMEOUTS: usize = 2;

/// Runs that are repeated, in no alternating order: one of a hundred coin tossers passes.
const REPEATED_RUNS: [CaseResult; 6] = [
    CaseResult::Right,
    CaseResult::Right,
    CaseResult::Wrong,
    CaseResult::Right,
    CaseResult::Wrong,
    CaseResult::Wrong,
];

/// The name of every program when it runs, and of the folder in which it does.
const PROGRAM_NAME: &str = "case";

fn program_file(number: usize) -> String {
    program_file_named(&format!("case-{number}"))
}

fn program_file_named(name: &str) -> String {
    format!("{name}{}", std::env::consts::EXE_SUFFIX)
}

const NOT_DETERMINISTIC: &str = "It does not give one implementation the same result each time: its exit code has to depend on what the implementation \
                      does, and not from chance or the time.";

pub(super) struct OwnCase {
    pub(super) source: PathBuf,
    /// The compiled object, or the compiler's error.
    pub(super) object: Result<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CaseResult {
    Right,
    Wrong,
    Nothing,
}

impl CaseResult {
    /// Only the exit code counts. A crash is not 0 either.
    fn of(end: Termination) -> CaseResult {
        match end {
            Termination::Exited(0) => CaseResult::Right,
            Termination::Exited(_) | Termination::Crashed(_) => CaseResult::Wrong,
            Termination::Over(_) | Termination::Stopped | Termination::Fled => CaseResult::Nothing,
        }
    }
}

pub(super) fn judge(
    kind: &AdtKind,
    cases: &[OwnCase],
    bench: &Workbench<'_>,
    sandbox: &Sandbox,
    settings: &CaseSettings,
) -> Result<Vec<Item>, CannotJudge> {
    if cases.is_empty() {
        return Ok(Vec::new());
    }
    let faults = kind.faults();
    bench.build_faults(kind.key, faults.len())?;
    let mut found = vec![false; faults.len()];
    let mut items = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let name = case.source.file_name().unwrap_or_default().to_string_lossy();
        let title = format!("{} accepts a right {} and rejects a wrong one", case.source.display(), kind.key);
        let item = Item::new(format!("case-{}", name.trim_end_matches(".cpp")), title, Points::ONE);
        let object = match &case.object {
            Ok(object) => object,
            Err(said) => {
                items.push(not_built(item, said));
                continue;
            }
        };
        let folder = format!("{}-case-{number}", kind.key);
        let judging = Judging { kind, faults: &faults, bench, sandbox, settings, folder };
        let (item, finds) = judging.case(object, item)?;
        finds.iter().for_each(|fault| found[*fault] = true);
        items.push(item);
    }
    items.extend(missed(kind, &faults, &found));
    Ok(items)
}

fn not_built(item: Item, said: &str) -> Item {
    let context = said.lines().map(str::to_string).collect();
    Item { context, ..item }.failed("It does not compile or link with the course's files.")
}

fn missed(kind: &AdtKind, faults: &[AdtFault], found: &[bool]) -> Option<Item> {
    let missed: Vec<&AdtFault> =
        faults.iter().zip(found).filter(|(_, found)| !**found).map(|(fault, _)| fault).collect();
    let item = Item::new(
        format!("case-{}-missed", kind.key),
        format!("Faults of a {} that no case finds", kind.key),
        Points::ZERO,
    );
    if missed.is_empty() {
        return None;
    }
    let context = missed.iter().map(|fault| format!("{}: {}", fault.code, fault.says)).collect();
    let reason = format!("{} of {} faults are found by no test case.", missed.len(), found.len());
    Some(Item { context, ..item }.failed(reason))
}

struct Judging<'a> {
    kind: &'a AdtKind,
    faults: &'a [AdtFault],
    bench: &'a Workbench<'a>,
    sandbox: &'a Sandbox,
    settings: &'a CaseSettings,
    folder: String,
}

impl Judging<'_> {
    fn case(&self, object: &str, item: Item) -> Result<(Item, Vec<usize>), CannotJudge> {
        let right = self.program(0, object);
        let place = match self.bench.link(&self.folder, &[right])? {
            Err(said) => return Ok((not_built(item, &said), Vec::new())),
            Ok(place) => place,
        };
        let wrong: Vec<_> = (1..=self.faults.len()).map(|number| self.program(number, object)).collect();
        // The same objects were linked with the right implementation, so that a failure is not the student's.
        self.bench.link(&self.folder, &wrong)?.map_err(CannotJudge)?;
        self.equalize_sizes(&place).map_err(|error| CannotJudge(format!("{}: {error}.", place.display())))?;
        let ended = self.run(&place, 0)?;
        if CaseResult::of(ended.end) != CaseResult::Right {
            return Ok((self.rejects_right(&ended, item), Vec::new()));
        }
        let (mut finds, mut late) = (Vec::new(), 0);
        for fault in 0..self.faults.len() {
            if late >= MAX_TIMEOUTS {
                break;
            }
            match CaseResult::of(self.run(&place, fault + 1)?.end) {
                CaseResult::Right => {}
                CaseResult::Wrong => finds.push(fault),
                CaseResult::Nothing => late += 1,
            }
        }
        let mut is_sure = true;
        if let Some(first) = finds.first() {
            for said in REPEATED_RUNS {
                let number = if said == CaseResult::Right { 0 } else { first + 1 };
                is_sure = is_sure && CaseResult::of(self.run(&place, number)?.end) == said;
            }
        }
        let _ = fs::remove_dir_all(&place);
        if !is_sure {
            return Ok((item.failed(NOT_DETERMINISTIC), Vec::new()));
        }
        let names: Vec<&str> = finds.iter().map(|fault| self.faults[*fault].code).collect();
        let slow = if late > 0 { " With some of them it does not end." } else { "" };
        let item = if finds.is_empty() {
            item.failed(format!(
                "It finds nothing: it returns 0 for a right {noun} and for all {} wrong ones.{slow}",
                self.faults.len(),
                noun = self.kind.key
            ))
        } else {
            let title = format!("{}; finds: {}", item.title, names.join(", "));
            Item { title, ..item }.passed()
        };
        Ok((item, finds))
    }

    /// The program of this number: linked with the right implementation, 0, or with a faulty one.
    fn program<'b>(&self, number: usize, object: &'b str) -> (String, &'b str, Vec<String>) {
        let mut ours = vec![format!("{}-{number}.o", self.kind.key)];
        ours.extend(self.kind.needs.iter().map(|name| format!("{name}.o")));
        (program_file(number), object, ours)
    }

    /// Gives all programs the same size: a test case must recognize its implementation by tests only.
    fn equalize_sizes(&self, place: &Path) -> io::Result<()> {
        let programs = || (0..=self.faults.len()).map(|number| place.join(program_file(number)));
        let sizes = programs().map(|program| fs::metadata(program).map(|about| about.len()));
        let largest = sizes.collect::<io::Result<Vec<u64>>>()?.into_iter().max().unwrap_or_default();
        for program in programs() {
            fs::File::options().write(true).open(program)?.set_len(largest)?;
        }
        Ok(())
    }

    /// Runs a program as a fresh copy, alone in its folder and under the name of all others.
    fn run(&self, place: &Path, number: usize) -> Result<Ended, CannotJudge> {
        let (program, alone) = (place.join(program_file(number)), place.join(PROGRAM_NAME));
        let moved = alone.join(program_file_named(PROGRAM_NAME));
        let io = |error: io::Error| CannotJudge(format!("{}: {error}.", place.display()));
        let copied = || {
            make_folder(&alone)?;
            fs::copy(&program, &moved)?;
            fs::File::options().write(true).open(&moved)?.set_modified(SystemTime::UNIX_EPOCH)
        };
        copied().map_err(io)?;
        let limits = limits(MAX_OUTPUT_BYTES, self.settings.time.unwrap_or(super::super::CASE_TIME_LIMIT));
        let ended = run_in(self.sandbox, &alone, &[command_of(PROGRAM_NAME)], &limits)
            .map_err(|error| CannotJudge::of_start(&error).unwrap_or_else(|| CannotJudge(error.to_string())));
        fs::remove_dir_all(&alone).map_err(io)?;
        ended
    }

    fn rejects_right(&self, ended: &Ended, item: Item) -> Item {
        let limits = limits(MAX_OUTPUT_BYTES, self.settings.time.unwrap_or(super::super::CASE_TIME_LIMIT));
        let printed = String::from_utf8_lossy(&ended.stdout);
        let from = printed.char_indices().rev().nth(MAX_SHOWN_CHARS).map_or(0, |(at, _)| at);
        let printed = printed[from..].trim().to_string();
        let how = match ended.end {
            Termination::Exited(code) => format!("it returns {code}."),
            end => end.sentence(&limits),
        };
        let item = Item {
            expected: Some("exit code 0".into()),
            got: Some(how.clone()),
            context: printed.lines().map(str::to_string).collect(),
            stderr: last_words(ended),
            ..item
        };
        item.failed(format!("It rejects a right implementation: {how}"))
    }
}
