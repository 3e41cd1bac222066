//! Builds programs of the sister games from submissions.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use super::program::shell_line;
use super::report::{Item, Report};
use super::submission::{Aim, Assignment, BuildHints, GivenFile, NoSubmission, Submission};
use super::{FailureKind, GradingFailure};
use crate::sandbox::{ResourceLimits, Sandbox};

/// The names and arguments of a Blackjack program.
pub const BLACKJACK: Aim = Aim::Answers {
    names: &["Blackjack", "BlackJack", "blackjack", "Main", "main"],
    arguments: "{bankroll} {hands} {player}",
};

/// The names and arguments of a program that scores Cribbage hands.
pub const HAND_VALUE: Aim =
    Aim::Answers { names: &["HandValue", "handvalue", "hand_value"], arguments: "{cards}" };

/// The names and arguments of a program that chooses the cards to keep.
pub const SELECT_HAND: Aim =
    Aim::Answers { names: &["SelectHand", "selecthand", "select_hand"], arguments: "{cards}" };

/// The predicates of the Prolog document, in one file.
pub const PREDICATES: Aim = Aim::Predicates(&["hand_value", "select_hand"]);

/// A program that was built. Its files are removed with it.
#[derive(Debug)]
pub struct BuiltProgram {
    submission: Submission,
    /// The command line, with the places of its files and with names in braces.
    command: String,
}

impl BuiltProgram {
    /// Finds and builds the program, with files of the course.
    pub fn build(
        handed_in: &Path,
        project: Option<&str>,
        aim: &Aim,
        given: &[GivenFile],
        sandbox: &Sandbox,
    ) -> Result<BuiltProgram, GradingFailure> {
        let hints = BuildHints { project: project.map(str::to_string), ..BuildHints::default() };
        let submission = Submission::of_assignment(handed_in, &hints, Assignment { aim, given }, sandbox)
            .map_err(|why: NoSubmission| why.failure())?;
        if let Some(why) = submission.why_not_built() {
            return Err(GradingFailure::new(FailureKind::NotBuilt, why));
        }
        let folder = submission.folder_of_copy().unwrap_or_else(|| PathBuf::from("."));
        let words = submission.task(ResourceLimits::BOT).words;
        let words: Vec<String> = words.iter().map(|word| in_folder(&folder, word)).collect();
        Ok(BuiltProgram { command: shell_line(&words), submission })
    }

    /// The command line that runs it, with names in braces for its task.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The report with a word on an unusual build, and without the path of the build.
    pub fn reported(&self, mut report: Report, subject: &str) -> Report {
        let Some(folder) = self.submission.folder_of_copy() else { return report };
        let folder = folder.display().to_string();
        report.subject = subject.to_string();
        if let Some(reason) = self.submission.note() {
            let item = Item::new("builds", "How it was built", super::Points::ZERO);
            let items = vec![Item { reason, ..item.passed() }];
            report.parts.insert(0, super::Part { title: "Program".into(), items });
        }
        let clean = |text: &mut String| *text = text.replace(&folder, ".");
        for item in report.parts.iter_mut().flat_map(|part| &mut part.items) {
            let Item { reason, command, got, context, stderr, .. } = item;
            let texts = [Some(reason), command.as_mut(), got.as_mut(), Some(stderr)].into_iter().flatten();
            texts.chain(context).for_each(clean);
        }
        report
    }
}

/// The separator of Java's class path.
const CLASS_PATH: char = if MAIN_SEPARATOR == '/' { ':' } else { ';' };

/// A word of a command line as it is from outside of the folder: files of the folder by their whole paths.
fn in_folder(folder: &Path, word: &str) -> String {
    let pieces: Vec<&str> = word.split(CLASS_PATH).collect();
    // A class path: its folders and libraries.
    if pieces.len() > 1 && pieces.iter().all(|piece| !piece.is_empty() && folder.join(piece).exists()) {
        let whole: Vec<String> = pieces.into_iter().map(|piece| in_folder(folder, piece)).collect();
        return whole.join(&CLASS_PATH.to_string());
    }
    match word.strip_prefix("./") {
        Some(file) => folder.join(file).display().to_string(),
        None if word == "." => folder.display().to_string(),
        None if !word.starts_with('{') && folder.join(word).is_file() => {
            folder.join(word).display().to_string()
        }
        None => word.to_string(),
    }
}

/// The report of a submission without a program to judge; `untried` has everything that could be got.
pub fn unbuilt(untried: Report, subject: &str, failure: GradingFailure) -> Report {
    if failure.kind == FailureKind::NotJudged {
        return Report { failure: Some(failure), ..Report::not_judged(&untried.title, subject, "") };
    }
    Report { subject: subject.to_string(), failure: Some(failure), ..untried }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::ScratchFolder;

    #[test]
    fn the_files_of_a_folder_are_named_by_their_whole_paths() {
        let folder = std::env::temp_dir();
        let place = folder.display().to_string();
        assert_eq!(in_folder(&folder, "."), place);
        assert_eq!(in_folder(&folder, "./casino-bot"), folder.join("casino-bot").display().to_string());
        assert_eq!(in_folder(&folder, "{cards}"), "{cards}");
        assert_eq!(in_folder(&folder, "HandValue"), "HandValue");
        assert_eq!(in_folder(&folder, "http://x"), "http://x");
    }

    #[test]
    fn a_class_path_with_libraries_is_named_by_its_whole_paths() {
        let folder = ScratchFolder::with(&[("lib/cards.jar", "")]);
        let (place, library) = (folder.display(), folder.join("lib/cards.jar"));
        let whole = format!("{place}{CLASS_PATH}{}", library.display());
        assert_eq!(in_folder(&folder, &format!(".{CLASS_PATH}lib/cards.jar")), whole);
        let unknown = format!(".{CLASS_PATH}lib/none.jar");
        assert_eq!(in_folder(&folder, &unknown), unknown);
    }
}
