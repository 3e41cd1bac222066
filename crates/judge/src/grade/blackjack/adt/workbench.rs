//! The compiler and its folders. A submission is compiled with no other foreign files than the course's headers; the
//! grader's objects join its objects only for linking.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::course_files::CourseFiles;
use crate::grade::submission::{BuildRun, open_up, run_build};
use crate::grade::{GradingFailure, machine};
use crate::sandbox::{
    CopyError, MAX_SUBMISSION_BYTES, ResourceLimits, Sandbox, ScratchFolder, Termination, copy_folder,
};
use casino_system::command_line::{LINKING, find_program, join};
use casino_system::foreign_files::let_all_read;

const MAX_SHOWN_LINES: usize = 30;

/// The folder with the course's headers beside the submission.
const HEADERS: &str = "casino-course-headers";

const COMPILERS: [&str; 3] = ["g++", "c++", "clang++"];

/// The error of a file that keeps abstract data types from being judged.
fn unjudged(what: &str, error: &io::Error) -> GradingFailure {
    GradingFailure::not_judged(format!("{what}: {error}. Make room or give the rights, and grade again."))
}

pub(super) struct Workbench<'a> {
    scratch: ScratchFolder,
    sandbox: &'a Sandbox,
    compiler: &'static str,
    course: CourseFiles,
    /// Whether the submission has files with the course's names but other contents.
    pub(super) differs: bool,
}

impl<'a> Workbench<'a> {
    /// Copies the submission and replaces its files of the course's names by the course's own.
    pub(super) fn new(
        handed_in: &Path,
        course: CourseFiles,
        sandbox: &'a Sandbox,
    ) -> Result<Option<Workbench<'a>>, GradingFailure> {
        let failed = |error: io::Error| unjudged("The sources cannot be copied", &error);
        let compiler = COMPILERS.into_iter().find(|name| find_program(name).is_some());
        let compiler = compiler.ok_or_else(|| {
            GradingFailure::not_judged(machine::lacks("g++").unwrap_or_else(|| "g++ is not found.".into()))
        })?;
        let scratch = ScratchFolder::new().map_err(failed)?;
        let mut bench = Workbench { scratch, sandbox, compiler, course, differs: false };
        for folder in [bench.ours(), bench.theirs()] {
            make_folder(&folder).map_err(failed)?;
        }
        match copy_folder(handed_in, &bench.theirs(), MAX_SUBMISSION_BYTES) {
            Err(CopyError::TooMuch(_)) => return Ok(None),
            copied => copied.map_err(|error| failed(error.into()))?,
        }
        bench.differs = bench.course.replace(&bench.theirs()).map_err(failed)?;
        let headers = bench.theirs().join(HEADERS);
        make_folder(&headers).and_then(|()| bench.course.write(&headers)).map_err(failed)?;
        Ok(Some(bench))
    }

    /// Builds our objects, after the submission was compiled, so that it cannot include our sources.
    pub(super) fn build_tools(&self) -> Result<(), GradingFailure> {
        let failed = |error: io::Error| unjudged("Our sources cannot be written", &error);
        self.course.write_all(&self.ours()).map_err(failed)?;
        let lines = ["card", "hand", "deck_driver", "hand_driver", "player_driver"]
            .map(|name| self.compile_line(&format!("{name}.cpp"), &format!("{name}.o"), &[]));
        self.build_ours(&lines)
    }

    fn ours(&self) -> PathBuf {
        self.scratch.join("ours")
    }

    fn theirs(&self) -> PathBuf {
        self.scratch.join("theirs")
    }

    /// Compiles our own sources. A submission cannot cause a failure here.
    fn build_ours(&self, lines: &[String]) -> Result<(), GradingFailure> {
        self.build(&self.ours(), &lines.join(" && "))?.map_err(|output| {
            let files = if self.course.were_given() { "with the files of --given " } else { "" };
            GradingFailure::not_judged(format!(
                "The abstract data types cannot be judged {files}on this machine:\n{output}"
            ))
        })
    }

    /// Compiles a submitted file to an object of this name, or returns the compiler's error.
    pub(super) fn compile(&self, source: &Path, object: &str) -> Result<Result<(), String>, GradingFailure> {
        let source = format!("./{}", source.to_string_lossy().replace('\\', "/"));
        let line = self.compile_line(&source, object, &["-I", HEADERS]);
        self.build(&self.theirs(), &line)
    }

    /// Links a program of a submitted object and our objects, in a new folder of its name; `Err` is the linker's message.
    pub(super) fn link(
        &self,
        name: &str,
        theirs: &str,
        ours: &[String],
    ) -> Result<Result<PathBuf, String>, GradingFailure> {
        let failed = |error: io::Error| unjudged("Programs cannot be linked", &error);
        let place = self.scratch.join(name);
        make_folder(&place).map_err(failed)?;
        let objects = ours.iter().map(|object| self.ours().join(object));
        for from in std::iter::once(self.theirs().join(theirs)).chain(objects) {
            let to = place.join(from.file_name().unwrap_or_default());
            fs::copy(from, &to).and_then(|_| let_all_read(&to, false)).map_err(failed)?;
        }
        let program = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        let words = [self.compiler, "-o", &program, theirs].into_iter();
        let line = join(words.chain(ours.iter().map(String::as_str)));
        Ok(self.build(&place, &format!("{line}{LINKING}"))?.map(|()| place))
    }

    /// The compiler's command line. Without optimizing, memory that was not set holds garbage.
    fn compile_line(&self, source: &str, object: &str, more: &[&str]) -> String {
        let words = [self.compiler, "-std=c++17", "-O0", "-w", "-fdiagnostics-color=never"];
        join(words.into_iter().chain(more.iter().copied()).chain(["-c", source, "-o", object]))
    }

    /// Runs a build command; returns its output if it fails.
    fn build(&self, folder: &Path, line: &str) -> Result<Result<(), String>, GradingFailure> {
        let BuildRun { end, output, .. } = run_build(line, self.sandbox, folder, ResourceLimits::BUILD)
            .map_err(|why| GradingFailure::not_judged(why.failure().reason))?;
        open_up(folder).map_err(|error| unjudged("The build's result cannot be read", &error))?;
        Ok(if end == Some(Termination::Exited(0)) { Ok(()) } else { Err(shortened(&output)) })
    }
}

pub(super) fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir(folder).and_then(|()| let_all_read(folder, true))
}

/// The first lines of a compiler's output: the first error is the one to fix.
fn shortened(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let shown = lines[..lines.len().min(MAX_SHOWN_LINES)].join("\n");
    if lines.len() > MAX_SHOWN_LINES {
        format!("{shown}\n... and {} lines more", lines.len() - MAX_SHOWN_LINES)
    } else {
        shown
    }
}
