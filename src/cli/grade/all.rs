//! `casino grade --all`: a folder of submissions.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread::available_parallelism;

use indicatif::{ProgressBar, ProgressStyle};

use super::super::output::remark;
use super::super::values::whole;
use super::super::{Failure, Output};
use super::formats::{Formats, ReportFormat, write};
use crate::grade::Report;
use crate::grade::batch::{Batch, SubmissionVerdict, file_name};
use crate::grade::gradebook::{Graded, SubmissionRoster, gradebook, verdict};
use crate::server::on_interrupt;

/// Many submissions instead of one
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Many submissions")]
pub(super) struct All {
    /// Grade every folder in this folder
    #[arg(long, value_name = "FOLDER")]
    all: Option<PathBuf>,
    /// A CSV file with the columns folder and github_id; others are copied into the gradebook
    #[arg(long, value_name = "FILE", requires = "all")]
    roster: Option<PathBuf>,
    /// Where gradebook, reports and verdicts go
    #[arg(long, value_name = "FOLDER", default_value = "grades", requires = "all")]
    out: PathBuf,
    /// The gradebook, instead of gradebook.csv in --out
    #[arg(long, value_name = "FILE", requires = "all")]
    gradebook: Option<PathBuf>,
    /// The forms of each one's report
    #[arg(long, value_enum, value_delimiter = ',', default_value = "html", requires = "all")]
    reports: Vec<ReportFormat>,
    /// How many at a time; without it as many as there are processors
    #[arg(short, long, value_name = "N", requires = "all", value_parser = whole::<u16>(1..=1_024))]
    jobs: Option<u16>,
}

impl All {
    /// The folder of submissions, if many are to be graded.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.all.as_deref()
    }

    /// Grades them. `terms` is everything that decides about the points besides the submission.
    pub(super) fn run(
        &self,
        formats: &Formats,
        terms: &str,
        judge: &(dyn Fn(&Path) -> Report + Sync),
    ) -> Result<(), Failure> {
        let folder = self.folder().expect("there is a folder where many are graded");
        if let Some(flag) = formats.single() {
            return Err(Failure::usage(format!(
                "{flag} is for one report: with --all write, say, --reports html,junit,gradescope"
            )));
        }
        let roster = self.roster()?;
        let batch = Batch::new(folder, &self.out.join("verdicts"), terms).map_err(Failure::usage)?;
        let reports = self.out.join("reports");
        fs::create_dir_all(&reports)
            .map_err(|error| Failure::usage(format!("{}: {error}", reports.display())))?;
        let jobs = self.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
        let bar = ProgressBar::new(batch.len() as u64).with_style(
            ProgressStyle::with_template("{bar:30} {pos}/{len} submissions, {eta} left  {wide_msg}")
                .expect("the template is well formed"),
        );
        let stop = on_interrupt(|| remark("What has begun is finished; once more ends at once."), || {})
            .map_err(Failure::broke)?;
        let verdicts = batch
            .grade(jobs, &stop, judge, &|verdict: &SubmissionVerdict| {
                bar.set_message(verdict.folder.escape_debug().to_string());
                bar.inc(1);
            })
            .map_err(Failure::broke)?;
        bar.finish_and_clear();
        for verdict in &verdicts {
            for format in &self.reports {
                let content = format.of(&verdict.report, formats.visibility(), Some(&verdict.fingerprint))?;
                write(&reports.join(file_name(&verdict.folder, format.ending())), &content)?;
            }
        }
        if stop.load(Ordering::Relaxed) && verdicts.len() < batch.len() {
            remark(&format!(
                "Stopped: {} of {} are graded. The same command goes on from here.",
                verdicts.len(),
                batch.len()
            ));
            return Err(Failure::Verdict(1));
        }
        self.finish(&batch, &verdicts, &roster)
    }

    fn finish(
        &self,
        batch: &Batch,
        verdicts: &[SubmissionVerdict],
        roster: &SubmissionRoster,
    ) -> Result<(), Failure> {
        let handed_in: BTreeSet<String> = batch.names().into_iter().collect();
        let missing: Vec<&str> = roster.folders().filter(|folder| !handed_in.contains(*folder)).collect();
        let mut rows: Vec<Graded<'_>> = verdicts
            .iter()
            .map(|verdict| Graded { folder: &verdict.folder, report: Some(&verdict.report) })
            .collect();
        rows.extend(missing.iter().map(|folder| Graded { folder, report: None }));
        let book = gradebook(&rows, roster).map_err(Failure::broke)?;
        let file = self.gradebook.clone().unwrap_or_else(|| self.out.join("gradebook.csv"));
        write(&file, &String::from_utf8_lossy(&book))?;
        let mut out = Output::stdout();
        for SubmissionVerdict { folder, report, .. } in verdicts {
            let summary = report.summary();
            let points = format!("{}/{}", summary.points, summary.max_points);
            out.line(format_args!("{points:>12}  {:<16} {}", verdict(report), folder.escape_debug()))?;
        }
        let known = verdicts.iter().filter(|verdict| verdict.known).count();
        out.line(format_args!(
            "{} submissions, {known} of them known from before; gradebook: {}",
            verdicts.len(),
            file.display()
        ))?;
        out.flush()?;
        if self.roster.is_some() {
            let strangers: Vec<&String> =
                handed_in.iter().filter(|folder| roster.github_id(folder).is_none()).collect();
            for folder in strangers {
                remark(&format!("The roster does not say whose the folder {} is.", folder.escape_debug()));
            }
            for folder in missing {
                remark(&format!("There is no folder {}: nothing was handed in.", folder.escape_debug()));
            }
        }
        Ok(())
    }

    fn roster(&self) -> Result<SubmissionRoster, Failure> {
        let Some(file) = &self.roster else { return Ok(SubmissionRoster::default()) };
        let wrong = |error: &dyn std::fmt::Display| Failure::usage(format!("{}: {error}", file.display()));
        let text = fs::read(file).map_err(|error| wrong(&error))?;
        SubmissionRoster::read(&text).map_err(|error| wrong(&error))
    }
}
