//! `casino grade --all`: a folder of submissions.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::SystemTime;

use super::super::output::remark;
use super::super::progress::ShownProgress;
use super::super::values::{drawn_seed, whole};
use super::super::{Failure, Output, judging};
use super::formats::{Formats, ReportFormat, try_file, write};
use casino_host::on_interrupt;
use casino_judge::Verdict;
use casino_judge::grade::batch::{Batch, JudgeSubmission, SubmissionVerdict, file_name};
use casino_judge::grade::gradebook::{GRADEBOOK_MARK, Graded, SubmissionRoster, gradebook, verdict};
use casino_judge::grade::lms::Lms;
use casino_judge::grade::similar::similar;
use casino_stud::cards::Seed;
use casino_stud::parallel::cores;
use casino_stud::sealed::{seal, unsealed};
use casino_stud::shown::short_line;
use casino_system::files;

// Many submissions instead of one
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Many submissions")]
pub(super) struct All {
    /// Grade every folder, zip and tar.gz in this folder
    #[arg(long, value_name = "FOLDER")]
    all: Option<PathBuf>,
    /// CSV file with the columns folder, github_id and, optionally, project
    #[arg(long, value_name = "FILE", requires = "all")]
    roster: Option<PathBuf>,
    /// Where gradebook, reports and verdicts go
    #[arg(long, value_name = "FOLDER", default_value = "grades", requires = "all")]
    out: PathBuf,
    /// Also write the grades for this learning platform, whose export is the roster
    #[arg(long, value_name = "PLATFORM", value_parser = ["canvas", "moodle"], requires = "roster")]
    lms: Option<String>,
    /// The assignment in Canvas' export, such as "Project 1 (4711)"
    #[arg(long, value_name = "COLUMN", requires = "lms")]
    assignment: Option<String>,
    /// The forms of each one's report
    #[arg(long, value_enum, value_delimiter = ',', default_value = "html", requires = "all")]
    reports: Vec<ReportFormat>,
    /// Submissions graded at a time [default: four per processor for bots, otherwise one]
    #[arg(short, long, value_name = "N", requires = "all", value_parser = whole::<u16>(1..=1_024))]
    jobs: Option<u16>,
}

/// The file in `--out` with the seed that was drawn for the class.
const SEED: &str = "seed.txt";

impl All {
    /// The folder of submissions, if many are to be graded.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.all.as_deref()
    }

    /// The default seed of cases: the one of the class, if it was drawn before. It is saved before any grading with it.
    pub(super) fn class_seed(&self) -> Result<Seed, Failure> {
        if self.all.is_none() {
            return drawn_seed();
        }
        let file = self.out.join(SEED);
        let wrong = |why: &dyn std::fmt::Display| {
            Failure::usage(format!(
                "{}: {why}. It holds the seed of the cases that this class is graded with: put it back, name another --out, or \
                 give --seed",
                file.display()
            ))
        };
        match files::read_text(&file) {
            Ok(text) => {
                let text = unsealed(&text).map_err(|error| wrong(&error))?;
                Seed::revealed(text.trim()).ok_or_else(|| wrong(&"no drawn seed is in it"))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let seed = drawn_seed()?;
                fs::create_dir_all(&self.out).map_err(|error| wrong(&error))?;
                let text = format!("{}\n", seed.text());
                write(&file, &format!("{text}{}", seal(&text)), &[])?;
                Ok(seed)
            }
            Err(error) => Err(wrong(&error)),
        }
    }

    fn gradebook(&self) -> PathBuf {
        self.out.join("gradebook.csv")
    }

    /// Grades them, so many at a time a processor unless a number was given. `terms` is everything that decides about the
    /// points besides the submission.
    pub(super) fn run(
        &self,
        formats: &Formats,
        terms: &str,
        a_processor: usize,
        judge: &JudgeSubmission<'_>,
    ) -> Result<(), Failure> {
        let folder = self.folder().expect("there is a folder where many are graded");
        if let Some(flag) = formats.single() {
            return Err(Failure::usage(format!(
                "{flag} is for one report: with --all write, say, --reports html,gradescope"
            )));
        }
        let roster = self.roster()?;
        let reports = self.out.join("reports");
        fs::create_dir_all(&reports)
            .map_err(|error| Failure::usage(format!("{}: {error}", reports.display())))?;
        try_file(&self.gradebook(), &[GRADEBOOK_MARK])?;
        let batch = Batch::new(folder, &self.out.join("verdicts"), terms).map_err(Failure::usage)?;
        let batch = batch.with_projects(roster.projects());
        let jobs = self.jobs.map_or_else(|| cores().get() * a_processor, usize::from);
        let bar = ShownProgress::of("submissions", batch.submissions.len() as u64);
        let first = || remark("Programs in progress are finished; press Ctrl-C again to end at once.");
        let stop = on_interrupt(first).map_err(Failure::broke)?;
        let unwritten = Mutex::new(None);
        let done = |verdict: &SubmissionVerdict| {
            bar.say(verdict.folder.escape_debug().to_string());
            bar.more(1);
            if let Err(failure) = self.write_reports(formats, &reports, verdict) {
                // An output that cannot be written is detected before the grading.
                stop.store(true, Ordering::Relaxed);
                unwritten.lock().expect("no thread panics here").get_or_insert(failure);
            }
        };
        let verdicts = batch.grade(jobs, &stop, judge, &done).map_err(Failure::broke)?;
        drop(bar);
        if let Some(failure) = unwritten.into_inner().expect("no thread panics here") {
            return Err(failure);
        }
        if stop.load(Ordering::Relaxed) && verdicts.len() < batch.submissions.len() {
            remark(&format!(
                "Stopped: {} of {} are graded. The same command continues from here.",
                verdicts.len(),
                batch.submissions.len()
            ));
            return Err(Failure::Verdict(1));
        }
        self.finish(&batch, &verdicts, &roster)
    }

    fn write_reports(
        &self,
        formats: &Formats,
        folder: &Path,
        verdict: &SubmissionVerdict,
    ) -> Result<(), Failure> {
        for format in &self.reports {
            let content = format.of(&verdict.report, formats.visibility())?;
            write(&folder.join(file_name(&verdict.folder, format.ending())), &content, format.marks())?;
        }
        Ok(())
    }

    fn finish(
        &self,
        batch: &Batch,
        verdicts: &[SubmissionVerdict],
        roster: &SubmissionRoster,
    ) -> Result<(), Failure> {
        let names = || batch.submissions.iter().map(|(name, _)| name.as_str());
        let missing = roster.missing(names());
        let older = older_of_one_student(batch, roster);
        let similar = similar(&batch.submissions);
        let alike =
            |folder| similar.iter().find(|group| group.contains(folder)).map_or(&[][..], Vec::as_slice);
        let counted = verdicts.iter().filter(|verdict| !older.contains_key(verdict.folder.as_str()));
        let mut rows: Vec<Graded<'_>> =
            counted.map(|verdict| self.row(verdict, alike(&verdict.folder))).collect();
        rows.extend(missing.iter().map(|folder| Graded {
            folder,
            report: None,
            file: String::new(),
            same_as: &[],
        }));
        let book = gradebook(&rows, roster).map_err(Failure::broke)?;
        write(&self.gradebook(), &String::from_utf8_lossy(&book), &[GRADEBOOK_MARK])?;
        self.write_lms(verdicts, roster, &older)?;
        let mut out = Output::stdout();
        for SubmissionVerdict { folder, report, .. } in verdicts {
            let summary = report.summary();
            let points = match report.is_judged() {
                true => format!("{}/{}", summary.points, summary.max_points),
                false => "no points".to_string(),
            };
            out.line(format_args!("{points:>12}  {:<18} {}", verdict(report), folder.escape_debug()))?;
        }
        let known = verdicts.iter().filter(|verdict| verdict.known).count();
        out.line(format_args!(
            "{} submissions, {known} of them cached; gradebook: {}",
            verdicts.len(),
            self.gradebook().display()
        ))?;
        out.flush()?;
        if self.roster.is_some() {
            about_roster(batch, roster, &missing, &older);
        }
        let names = |names: &[String]| {
            names.iter().map(|name| name.escape_debug().to_string()).collect::<Vec<_>>().join(", ")
        };
        for group in &similar {
            remark(&format!(
                "{} programs are similar: {}. They differ at most in names, comments and spaces.",
                group.len(),
                names(group)
            ));
        }
        if !batch.links.is_empty() {
            remark(&format!(
                "Not graded, because links are not followed: {}. Put the folder or the archive itself there.",
                names(&batch.links)
            ));
        }
        if !batch.files.is_empty() {
            remark(&format!(
                "Not graded, because a submission is a folder or an archive: {}. Put a program of one file into a folder.",
                names(&batch.files)
            ));
        }
        not_judged(verdicts)
    }

    /// The grades for a learning platform.
    fn write_lms(
        &self,
        verdicts: &[SubmissionVerdict],
        roster: &SubmissionRoster,
        older: &BTreeMap<&str, (&str, &str)>,
    ) -> Result<(), Failure> {
        let Some(lms) = self.lms.as_deref().and_then(Lms::named) else { return Ok(()) };
        let report_of = |row: usize| {
            let is_it = |verdict: &&SubmissionVerdict| {
                !older.contains_key(verdict.folder.as_str())
                    && roster.row_number(&verdict.folder) == Some(row)
            };
            verdicts.iter().find(is_it).map(|verdict| &verdict.report)
        };
        let grades =
            lms.grades(&roster.file, self.assignment.as_deref(), report_of).map_err(Failure::usage)?;
        let grades = String::from_utf8_lossy(&grades);
        let first = grades.lines().next().unwrap_or_default();
        write(&self.out.join(format!("{}.csv", lms.name())), &grades, &[first])
    }

    fn row<'a>(&self, verdict: &'a SubmissionVerdict, same_as: &'a [String]) -> Graded<'a> {
        let file = self.reports.first().map(|format| file_name(&verdict.folder, format.ending()));
        let file = file.map_or_else(String::new, |file| format!("reports/{file}"));
        Graded { folder: &verdict.folder, report: Some(&verdict.report), file, same_as }
    }

    fn roster(&self) -> Result<SubmissionRoster, Failure> {
        let Some(file) = &self.roster else { return Ok(SubmissionRoster::default()) };
        let wrong = |error: &dyn std::fmt::Display| Failure::usage(format!("{}: {error}", file.display()));
        let text = files::read(file).map_err(|error| wrong(&error))?;
        SubmissionRoster::read(&text).map_err(|error| wrong(&error))
    }
}

/// Prints how the roster and the folder differ.
fn about_roster(
    batch: &Batch,
    roster: &SubmissionRoster,
    missing: &[&str],
    older: &BTreeMap<&str, (&str, &str)>,
) {
    let names = || batch.submissions.iter().map(|(name, _)| name.as_str());
    for folder in names().filter(|folder| roster.github_id(folder).is_none()) {
        remark(&format!("The roster has no row for the folder {}.", folder.escape_debug()));
    }
    for (folder, named) in names().filter_map(|folder| Some((folder, roster.other_spelling(folder)?))) {
        remark(&format!(
            "The folder {} is the roster's {}, in other capitals or another Unicode form.",
            folder.escape_debug(),
            named.escape_debug()
        ));
    }
    for folder in missing {
        remark(&format!(
            "There is no folder {}: it gets 0 points, nothing handed in.",
            folder.escape_debug()
        ));
    }
    for (folder, (newest, github_id)) in older {
        remark(&format!(
            "{} is an earlier submission of {github_id}: {} is newer and counts.",
            folder.escape_debug(),
            newest.escape_debug()
        ));
    }
}

/// The submissions of students of whom the roster names several, each with the one that counts, which is the newest, and the
/// GitHubId.
fn older_of_one_student<'a>(
    batch: &'a Batch,
    roster: &'a SubmissionRoster,
) -> BTreeMap<&'a str, (&'a str, &'a str)> {
    // GitHub does not tell capitals apart.
    let mut newest: BTreeMap<String, (&str, Option<SystemTime>)> = BTreeMap::new();
    let mut older = BTreeMap::new();
    for (name, path) in &batch.submissions {
        let Some(github_id) = roster.github_id(name) else { continue };
        let changed = fs::metadata(path).and_then(|about| about.modified()).ok();
        match newest.insert(github_id.to_lowercase(), (name, changed)) {
            None => {}
            // Of equal times the one with the later name is the newer.
            Some((other, time)) if time <= changed => _ = older.insert(other, github_id),
            Some(kept) => {
                newest.insert(github_id.to_lowercase(), kept);
                older.insert(name.as_str(), github_id);
            }
        }
    }
    older
        .into_iter()
        .map(|(name, github_id)| (name, (newest[&github_id.to_lowercase()].0, github_id)))
        .collect()
}

/// Prints the reasons for inconclusive results, each once.
fn not_judged(verdicts: &[SubmissionVerdict]) -> Result<(), Failure> {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for verdict in verdicts.iter().filter(|verdict| !verdict.report.is_judged()) {
        let reason = verdict.report.failure.as_ref().map_or("", |failure| failure.reason.as_str());
        reasons.entry(reason).or_default().push(verdict.folder.escape_debug().to_string());
    }
    if reasons.is_empty() {
        return Ok(());
    }
    for (reason, folders) in &reasons {
        remark(&format!("Not judged: {}. {}", folders.join(", "), short_line(reason)));
    }
    remark("They have no row in the gradebook. Correct this, and the same command grades only them.");
    judging::exit(Verdict::NotJudged)
}
