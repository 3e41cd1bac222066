//! Programs of the sister games, built from a submission.

use std::path::{Path, PathBuf};

use super::super::Failure;
use super::super::judging;
use super::{CaseTerms, GradeOptions, Judge};
use casino_judge::grade::from_source::{BuiltProgram, unbuilt};
use casino_judge::grade::submission::{Aim, GivenFile};
use casino_judge::grade::{FailureKind, GradingFailure, Report, blackjack};
use casino_judge::hand_ins::folder_name;
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

/// The program that is searched for, and the report on a submission without one.
pub(super) struct SourceTask<'a> {
    pub(super) aim: &'a Aim,
    pub(super) untried: &'a (dyn Fn() -> Report + Sync),
    /// Whether abstract data types are judged too, and whether every submission needs them.
    pub(super) adts: Option<bool>,
}

impl HandedIn {
    /// The submission, if it is a single Prolog file.
    pub(super) fn prolog_file(&self) -> Option<&Path> {
        self.folder.as_deref().filter(|path| path.extension().is_some_and(|ending| ending == "pl"))
    }

    /// The files of the course.
    fn given(&self) -> Result<Vec<GivenFile>, Failure> {
        let read = |file: &PathBuf| {
            let content = files::read(file)
                .map_err(|error| Failure::usage(format!("--given {}: {error}", file.display())))?;
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            Ok(GivenFile { name, content, replaces: false })
        };
        self.given.iter().map(read).collect()
    }
}

impl GradeOptions {
    /// Judges a submission, built from its sources. `ready` makes a student of the command that runs it.
    pub(super) fn run_sources<S>(
        &self,
        source: &HandedIn,
        terms: &CaseTerms<'_>,
        SourceTask { aim, untried, adts }: &SourceTask<'_>,
        ready: &(dyn Fn(&str) -> Result<S, Failure> + Sync),
        judge: &Judge<'_, S>,
    ) -> Result<(), Failure> {
        self.formats.try_files()?;
        let given = source.given()?;
        let sandbox = judging::sandbox(self.sandbox, terms.even_if_busy)?;
        let judge_one = |folder: &Path, project: Option<&str>| {
            let project = project.or(source.project.as_deref());
            let subject = folder_name(folder);
            let types = adts.map(|required| {
                blackjack::judge_adts(folder, project, &given, &sandbox, &terms.cases, required)
            });
            let built = match &types {
                Some(Ok(types)) => types.build(folder, project, &given, &sandbox),
                _ => BuiltProgram::build(folder, project, aim, &given, &sandbox),
            };
            let report = built.and_then(|program| {
                let unusable = |failure: Failure| {
                    let (Failure::Usage(why) | Failure::Runtime(why)) = failure else { return String::new() };
                    why
                };
                let unusable =
                    |failure| GradingFailure::new(FailureKind::NothingRecognised, unusable(failure));
                let student = ready(program.command()).map_err(unusable)?;
                Ok(program.reported(judge(&student, &sandbox, &mut |_, _| {}), &subject))
            });
            let report = report.unwrap_or_else(|failure| unbuilt(untried(), &subject, failure));
            match types {
                Some(types) => blackjack::with_adts(report, types),
                None => report,
            }
        };
        if let Some(class) = &terms.class {
            let files = given.iter().map(|file| format!("{} {}", file.name, file.content.escape_ascii()));
            let files = files.collect::<Vec<_>>().join(" ");
            let key = format!("{aim:?} {adts:?} from source {} {:?} {files}", terms.key(), source.project);
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
