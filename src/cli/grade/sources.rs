//! Programs of the sister games, built from a submission.

use std::path::{Path, PathBuf};

use super::super::Failure;
use super::super::judging;
use super::{CaseTerms, GradeOptions, Judge, nothing_there};
use casino_judge::grade::from_source::{BLACKJACK, BuiltProgram, unbuilt};
use casino_judge::grade::submission::Aim;
use casino_judge::grade::{CaseSettings, Report, blackjack};
use casino_judge::hand_ins::folder_name;
use casino_judge::sandbox::Sandbox;
use casino_system::files;

// The submission, if no command line is given
#[derive(clap::Args)]
pub(super) struct HandedIn {
    /// A folder, zip or tar.gz with the sources of the program, which is built
    #[arg(value_name = "FOLDER", conflicts_with = "all")]
    folder: Option<PathBuf>,
    /// The folder in it that holds the program, where several do
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// File of the course, such as a header, for submissions without a file of its name
    #[arg(long, value_name = "FILE")]
    given: Vec<PathBuf>,
}

impl HandedIn {
    /// The submission, if it is a single Prolog file.
    pub(super) fn prolog_file(&self) -> Option<&Path> {
        self.folder.as_deref().filter(|path| path.extension().is_some_and(|ending| ending == "pl"))
    }

    /// Everything that decides about the points besides the submission.
    fn terms(&self) -> Result<String, Failure> {
        let mut terms = format!("{:?}", self.project);
        for file in &self.given {
            let content = files::read(file)
                .map_err(|error| Failure::usage(format!("--given {}: {error}", file.display())))?;
            terms.push_str(&format!(" {} {}", file.display(), content.escape_ascii()));
        }
        Ok(terms)
    }
}

impl GradeOptions {
    /// Judges a submission, built from its sources. `ready` makes a student of the command that runs it.
    pub(super) fn run_sources<S>(
        &self,
        game: &str,
        source: &HandedIn,
        terms: &CaseTerms<'_>,
        aim: &Aim,
        ready: &(dyn Fn(&str) -> Result<S, Failure> + Sync),
        judge: &Judge<'_, S>,
    ) -> Result<(), Failure> {
        self.formats.try_files()?;
        let sources = source.terms()?;
        let sandbox = judging::sandbox(self.sandbox, terms.even_if_busy)?;
        let judge_one = |folder: &Path, project: Option<&str>| {
            let project = project.or(source.project.as_deref());
            let subject = folder_name(folder);
            let report = match BuiltProgram::build(folder, project, aim, &source.given, &sandbox) {
                Err(failure) => unbuilt(game, &subject, failure),
                Ok(program) => match ready(program.command()) {
                    Ok(student) => program.reported(judge(&student, &sandbox, &mut |_, _| {}), &subject),
                    Err(failure) => nothing_there(game, folder, &failure),
                },
            };
            if *aim == BLACKJACK {
                with_adts(report, folder, project, source, &sandbox, &terms.cases)
            } else {
                report
            }
        };
        if let Some(class) = &terms.class {
            let key = format!("{game} and ADTs from source {} {sources}", terms.key());
            return class.run(&self.formats, &key, 1, &judge_one);
        }
        let Some(folder) = &source.folder else {
            return Err(Failure::usage(
                "name the submission, a folder or an archive; or use --program, --prolog or --all",
            ));
        };
        if !folder.exists() {
            return Err(Failure::usage(format!("{} is not there", folder.display())));
        }
        self.formats.show(&judge_one(folder, None))
    }
}

/// The report on a Blackjack program with the parts of its deck, hand and players.
fn with_adts(
    report: Report,
    folder: &Path,
    project: Option<&str>,
    source: &HandedIn,
    sandbox: &Sandbox,
    settings: &CaseSettings,
) -> Report {
    let adts = blackjack::judge_adts(folder, project, &source.given, sandbox, settings);
    blackjack::with_adts(report, adts, settings)
}
