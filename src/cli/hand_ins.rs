//! Whose submissions are in a folder: the flags, the roster's file, and the plan as a table.

use std::path::Path;

use casino_judge::figures::{Cell, DataTable, Document};
use casino_judge::hand_ins::{Layout, Plan, list, plan};
use casino_judge::roster::{Identity, Roster, RowId};
use casino_stud::shown::one_line;
use casino_system::files;

use super::{Failure, Output};

// How names in a folder of submissions are read
#[derive(clap::Args, Debug)]
pub(super) struct LayoutArgs {
    /// How the names in the folder are made [default: as all of them fit]
    #[arg(long, value_name = "LAYOUT", value_parser = Layout::ALL.map(Layout::name))]
    layout: Option<String>,
    /// Print whose submissions they are, and do nothing else
    #[arg(long)]
    pub(super) dry_run: bool,
}

impl LayoutArgs {
    /// Refuses these flags where no folder of submissions is named by `missing`.
    pub(super) fn of_no_folder(&self, missing: &str) -> Result<(), Failure> {
        match (self.dry_run, &self.layout) {
            (false, None) => Ok(()),
            _ => Err(Failure::usage(format!(
                "--layout and --dry-run go with a folder of submissions: {missing}"
            ))),
        }
    }

    /// The submissions in a folder. Results in `out` are none.
    pub(super) fn plan(
        &self,
        folder: &Path,
        out: Option<&Path>,
        roster: Option<&Roster>,
    ) -> Result<Plan, Failure> {
        let listed = list(folder, out).map_err(|error| Failure::of_path(folder, error))?;
        let layout = Layout::ALL.into_iter().find(|layout| self.layout.as_deref() == Some(layout.name()));
        plan(&listed, roster, layout).map_err(|error| Failure::of_path(folder, error))
    }
}

/// Reads the roster of a class.
pub(super) fn roster(file: &Path, identity: Identity) -> Result<Roster, Failure> {
    let text = files::read(file).map_err(|error| Failure::of_path(file, error))?;
    Roster::read(&text, identity).map_err(|error| Failure::of_path(file, error))
}

/// Prints a plan: a row for each submission, and for each student without one.
pub(super) fn print(plan: &Plan, roster: Option<&Roster>) -> Result<(), Failure> {
    let students = |rows: &[RowId]| {
        let ids = rows.iter().filter_map(|row| Some(one_line(&roster?.student(*row).id).into_owned()));
        ids.collect::<Vec<_>>().join(", ")
    };
    let mut table = DataTable::default().words(["submission", "student", "files", "reason"]);
    let mut row = |name: &str, student: &str, files: usize, why: &str| {
        let files = if files == 0 { String::new() } else { files.to_string() };
        table.row([name, student, &files, why].map(|text| Cell::from(text.to_string())));
    };
    for hand_in in &plan.hand_ins {
        let owner = if roster.is_some() && hand_in.rows.is_empty() {
            "unknown".into()
        } else {
            students(&hand_in.rows)
        };
        row(&one_line(&hand_in.label), &owner, hand_in.files.len(), &hand_in.why);
    }
    for conflict in &plan.conflicts {
        let labels: Vec<_> = conflict.labels.iter().map(|label| one_line(label)).collect();
        row(&labels.join(", "), &format!("conflict: {}", students(&conflict.rows)), 0, &conflict.why);
    }
    for (name, why) in &plan.set_aside {
        row(&one_line(name), "set aside", 0, why);
    }
    for missing in &plan.missing {
        row("", &students(&[*missing]), 0, "nothing handed in");
    }
    let mut document = Document::default();
    document.table(table);
    document.say(format!(
        "Layout {}: {} submissions, {} in conflict, {} entries set aside, {} students without a submission.",
        plan.layout,
        plan.hand_ins.len(),
        plan.conflicts.len(),
        plan.set_aside.len(),
        plan.missing.len()
    ));
    let mut output = Output::stdout();
    output.document(&document)?;
    output.flush()
}
