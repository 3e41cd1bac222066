//! `casino grade --all`: a folder of submissions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::super::output::remark;
use super::super::progress::ShownProgress;
use super::super::values::{drawn_seed, whole};
use super::super::{Failure, Output, hand_ins, judging};
use super::formats::{Formats, ReportFormat, try_file, write};
use casino_host::on_interrupt;
use casino_judge::Verdict;
use casino_judge::grade::batch::{Batch, JudgeSubmission, SubmissionVerdict};
use casino_judge::grade::gradebook::{GRADEBOOK_MARK, Graded, gradebook, verdict};
use casino_judge::grade::lms::{FilledExport, Lms, Mark};
use casino_judge::grade::similar::similar;
use casino_judge::hand_ins::Plan;
use casino_judge::roster::{Identity, Roster, RowId};
use casino_stud::cards::Seed;
use casino_stud::parallel::cores;
use casino_stud::sealed::{seal, unsealed};
use casino_stud::shown::{count, short_line};
use casino_system::files;

// Many submissions instead of one
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Many submissions")]
pub(super) struct All {
    /// Grade all submissions in this folder: folders, archives, or an LMS's export
    #[arg(long, value_name = "FOLDER")]
    all: Option<PathBuf>,
    /// CSV file with a row for each student: docs/grading.md lists its columns
    #[arg(long, value_name = "FILE", requires = "all")]
    roster: Option<PathBuf>,
    #[command(flatten)]
    layout: hand_ins::LayoutArgs,
    /// Where gradebook, reports and verdicts go
    #[arg(long, value_name = "FOLDER", default_value = "grades", requires = "all")]
    out: PathBuf,
    /// Also fill the grades into the roster, which is this learning platform's export
    #[arg(long, value_name = "PLATFORM", value_parser = ["canvas", "moodle"], requires = "roster")]
    lms: Option<String>,
    /// The assignment in Canvas' export, such as "Project 1 (4711)"
    #[arg(long, value_name = "COLUMN", requires = "lms")]
    assignment: Option<String>,
    /// Replace earlier marks of students without a submission by 0
    #[arg(long, requires = "lms")]
    zero_missing: bool,
    /// The forms of each one's report
    #[arg(long, value_enum, value_delimiter = ',', default_value = "html", requires = "all")]
    reports: Vec<ReportFormat>,
    /// Submissions graded at a time [default: four per processor for bots, otherwise one]
    #[arg(short, long, value_name = "N", requires = "all", value_parser = whole::<u16>(1..=1_024))]
    jobs: Option<u16>,
}

/// How often a line says how far the grading is, where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// The file in `--out` with the seed that was drawn for the class.
const SEED: &str = "seed.txt";

impl All {
    /// The seed that was given, the one of the class, if it was drawn before, or one drawn now. It is saved before any grading with it.
    pub(super) fn seed(&self, given: Option<&str>) -> Result<Seed, Failure> {
        if let Some(text) = given {
            return Ok(Seed::chosen(text));
        }
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
                // A command that is refused leaves no seed behind.
                self.try_outputs()?;
                let seed = drawn_seed()?;
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

    /// Makes the folder of reports, and tries that the gradebook can be written. Returns the folder.
    fn try_outputs(&self) -> Result<PathBuf, Failure> {
        let reports = self.out.join("reports");
        fs::create_dir_all(&reports).map_err(|error| Failure::of_path(&reports, error))?;
        try_file(&self.gradebook(), &[GRADEBOOK_MARK])?;
        Ok(reports)
    }

    /// Plans many submissions before anything is written, if there are many.
    pub(super) fn class(&self) -> Result<Option<Class<'_>>, Failure> {
        let Some(folder) = self.all.as_deref() else {
            return self.layout.of_no_folder("--all").map(|()| None);
        };
        let roster = self.roster.as_deref().map(|file| hand_ins::roster(file, Identity::Any)).transpose()?;
        let plan = self.layout.plan(folder, Some(&self.out), roster.as_ref())?;
        Ok(Some(Class { flags: self, folder, plan, roster }))
    }
}

/// Submissions that are graded together: whose they are, and the flags for all of them.
pub(super) struct Class<'a> {
    flags: &'a All,
    folder: &'a Path,
    plan: Plan,
    roster: Option<Roster>,
}

impl Class<'_> {
    /// Prints the plan if nothing else is asked for. Returns whether it was.
    pub(super) fn dry_run(&self) -> Result<bool, Failure> {
        if self.flags.layout.dry_run {
            hand_ins::print(&self.plan, self.roster.as_ref())?;
        }
        Ok(self.flags.layout.dry_run)
    }

    /// Grades them, so many at a time a processor unless a number was given. `terms` is everything that decides about the
    /// points besides the submission.
    pub(super) fn run(
        &self,
        formats: &Formats,
        terms: &str,
        jobs_per_core: usize,
        judge: &JudgeSubmission<'_>,
    ) -> Result<(), Failure> {
        if let Some(flag) = formats.single() {
            return Err(Failure::usage(format!(
                "{flag} is for one report: with --all write, say, --reports html,gradescope"
            )));
        }
        let Class { flags, folder, plan, roster: _ } = self;
        let reports = flags.try_outputs()?;
        let batch = Batch::new(folder, plan.hand_ins.clone(), &flags.out.join("verdicts"), terms)
            .map_err(Failure::usage)?;
        let jobs = flags.jobs.map_or_else(|| cores().get() * jobs_per_core, usize::from);
        let bar = ShownProgress::of("submissions", batch.submissions().len() as u64)
            .with_lines("submissions", LINE_INTERVAL);
        let first = || remark("Programs in progress are finished; press Ctrl-C again to end at once.");
        let stop = on_interrupt(first).map_err(Failure::runtime)?;
        let unwritten = Mutex::new(None);
        let done = |verdict: &SubmissionVerdict| {
            bar.say(short_line(label(plan, verdict)).into_owned());
            bar.more(1);
            if let Err(failure) = self.write_reports(formats, &reports, verdict) {
                // An output that cannot be written is detected before the grading.
                stop.store(true, Ordering::Relaxed);
                unwritten.lock().expect("no thread panics here").get_or_insert(failure);
            }
        };
        let verdicts = batch.grade(jobs, &stop, judge, &done).map_err(Failure::runtime)?;
        drop(bar);
        if let Some(failure) = unwritten.into_inner().expect("no thread panics here") {
            return Err(failure);
        }
        if stop.load(Ordering::Relaxed) && verdicts.len() < plan.hand_ins.len() {
            remark(&format!(
                "Stopped: {} of {} are graded. The same command continues from here.",
                verdicts.len(),
                plan.hand_ins.len()
            ));
            return Err(Failure::Verdict(1));
        }
        self.finish(&batch, &verdicts)
    }

    fn write_reports(
        &self,
        formats: &Formats,
        folder: &Path,
        verdict: &SubmissionVerdict,
    ) -> Result<(), Failure> {
        let output = &self.plan.hand_ins[verdict.submission].output;
        for format in &self.flags.reports {
            let content = format.of(&verdict.report, formats.visibility())?;
            write(&folder.join(output.file(format.ending())), &content, format.marks())?;
        }
        Ok(())
    }

    fn finish(&self, batch: &Batch, verdicts: &[SubmissionVerdict]) -> Result<(), Failure> {
        let Class { plan, roster, .. } = self;
        let roster = roster.as_ref();
        let similar = similar(batch.submissions());
        let lms = roster.map(|roster| self.write_lms(verdicts, roster)).transpose()?.flatten();
        let excused: BTreeSet<RowId> = lms.iter().flat_map(|filled| filled.excused.iter().copied()).collect();
        let rows = self.rows(verdicts, &similar, &excused);
        let book = gradebook(&rows, roster.unwrap_or(&Roster::default())).map_err(Failure::runtime)?;
        write(&self.flags.gradebook(), &String::from_utf8_lossy(&book), &[GRADEBOOK_MARK])?;
        let mut out = Output::stdout();
        for verdict @ SubmissionVerdict { report, .. } in verdicts {
            let summary = report.summary();
            let points = match report.is_judged() {
                true => format!("{}/{}", summary.points, summary.max_points),
                false => "no points".to_string(),
            };
            let label = short_line(label(plan, verdict));
            out.line(format_args!("{points:>12}  {:<18} {label}", self::verdict(report)))?;
        }
        let known = verdicts.iter().filter(|verdict| verdict.known).count();
        out.line(format_args!(
            "{}, {known} of them cached; gradebook: {}",
            count(verdicts.len(), "submission"),
            self.flags.gradebook().display()
        ))?;
        out.flush()?;
        if let Some(roster) = roster {
            about_roster(plan, lms.as_ref(), roster);
        }
        for group in &similar {
            remark(&format!(
                "{} programs are similar: {}. They differ at most in names, comments and spaces.",
                group.len(),
                names(group)
            ));
        }
        about_set_aside(plan);
        not_judged(plan, verdicts)
    }

    /// The rows of the gradebook: those of the roster, then the submissions of nobody on it.
    fn rows<'a>(
        &'a self,
        verdicts: &'a [SubmissionVerdict],
        similar: &'a [Vec<String>],
        excused: &BTreeSet<RowId>,
    ) -> Vec<Graded<'a>> {
        let plan = &self.plan;
        let graded = |verdict: &'a SubmissionVerdict, student: Option<RowId>| {
            let hand_in = &plan.hand_ins[verdict.submission];
            let file = self.flags.reports.first().map(|format| hand_in.output.file(format.ending()));
            Graded {
                student,
                folder: &hand_in.label,
                report: Some(&verdict.report),
                is_excused: false,
                file: file.map_or_else(String::new, |file| format!("reports/{file}")),
                same_as: similar
                    .iter()
                    .find(|group| group.contains(&hand_in.label))
                    .map_or(&[], Vec::as_slice),
            }
        };
        let of_roster = self.roster.iter().flat_map(|roster| roster.rows().map(move |row| (roster, row)));
        let of_roster = of_roster.filter_map(|(roster, row)| match Mark::of(row, plan, verdicts) {
            Mark::Open => None,
            Mark::Graded(verdict) => Some(graded(verdict, Some(row))),
            Mark::Nothing => Some(Graded {
                student: Some(row),
                folder: &roster.student(row).folder,
                report: None,
                is_excused: excused.contains(&row),
                file: String::new(),
                same_as: &[],
            }),
        });
        let of_nobody = verdicts.iter().filter(|verdict| plan.hand_ins[verdict.submission].rows.is_empty());
        of_roster.chain(of_nobody.map(|verdict| graded(verdict, None))).collect()
    }

    /// Fills the grades into the export of a learning platform.
    fn write_lms(
        &self,
        verdicts: &[SubmissionVerdict],
        roster: &Roster,
    ) -> Result<Option<FilledExport>, Failure> {
        let All { lms, assignment, zero_missing, out, .. } = self.flags;
        let Some(lms) = lms.as_deref().and_then(Lms::named) else { return Ok(None) };
        let mark_of = |row| Mark::of(row, &self.plan, verdicts);
        let filled = lms
            .filled(&roster.table, assignment.as_deref(), *zero_missing, mark_of)
            .map_err(Failure::usage)?;
        let text = String::from_utf8_lossy(&filled.text);
        let first = text.lines().next().unwrap_or_default();
        write(&out.join(format!("{}.csv", lms.name())), &text, &[first])?;
        Ok(Some(filled))
    }
}

fn label<'a>(plan: &'a Plan, verdict: &SubmissionVerdict) -> &'a str {
    &plan.hand_ins[verdict.submission].label
}

fn names(names: &[String]) -> String {
    names.iter().map(|name| short_line(name)).collect::<Vec<_>>().join(", ")
}

/// Prints how the roster and the folder differ, and which cells of the export stayed.
fn about_roster(plan: &Plan, filled: Option<&FilledExport>, roster: &Roster) {
    let ids =
        |rows: &[RowId]| names(&rows.iter().map(|row| roster.student(*row).id.clone()).collect::<Vec<_>>());
    let unknown = plan.hand_ins.iter().filter(|hand_in| hand_in.rows.is_empty());
    let unknown: Vec<String> = unknown.map(|hand_in| hand_in.label.clone()).collect();
    let (excused, kept) = filled.map_or((&[][..], &[][..]), |filled| (&filled.excused, &filled.kept));
    if let Some([students, grades]) = filled.map(|filled| &filled.columns) {
        remark(&format!("In the export, the column {students} has the students, and {grades} the grades."));
    }
    let missing = plan.missing.iter().copied().filter(|row| !excused.contains(row)).collect::<Vec<_>>();
    for (what, listed) in [
        ("The roster has no row for", names(&unknown)),
        ("Nothing was handed in by", ids(&missing)),
        ("Excused, and still so in the export, whatever was handed in:", ids(excused)),
        ("With --zero-missing, 0 replaces the earlier marks in the export of", ids(kept)),
    ] {
        if !listed.is_empty() {
            remark(&format!("{what} {listed}."));
        }
    }
}

/// Prints the entries that are no submission, by their reasons.
fn about_set_aside(plan: &Plan) {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (name, why) in &plan.set_aside {
        reasons.entry(why).or_default().push(name.clone());
    }
    for (why, set_aside) in reasons {
        remark(&format!("Not graded: {}. Reason: {why}.", names(&set_aside)));
    }
}

/// Prints the reasons for inconclusive results, each once.
fn not_judged(plan: &Plan, verdicts: &[SubmissionVerdict]) -> Result<(), Failure> {
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for verdict in verdicts.iter().filter(|verdict| !verdict.report.is_judged()) {
        let reason = verdict.report.failure.as_ref().map_or("", |failure| failure.reason.as_str());
        reasons.entry(reason).or_default().push(label(plan, verdict).to_string());
    }
    // What a grader can do about submissions that were judged.
    for verdict in verdicts {
        let hint = verdict.report.failure.as_ref().map_or("", |failure| failure.hint.as_str());
        if !hint.is_empty() {
            remark(&format!("{}: {}", short_line(label(plan, verdict)), short_line(hint)));
        }
    }
    for conflict in &plan.conflicts {
        reasons.entry(&conflict.why).or_default().extend(conflict.labels.iter().cloned());
    }
    if reasons.is_empty() {
        return Ok(());
    }
    for (reason, labels) in &reasons {
        remark(&format!("Not judged: {}. {}", names(labels), short_line(reason)));
    }
    remark("They have no row in the gradebook. Correct this, and the same command grades only them.");
    judging::exit(Verdict::NotJudged)
}
