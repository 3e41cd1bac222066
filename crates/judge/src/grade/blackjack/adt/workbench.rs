//! The compiler and its folders. A submission is compiled with no other foreign files than the course's headers; the
//! grader's objects join its objects only for linking.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::course_files::CourseFiles;
use crate::grade::machine;
use crate::grade::submission::{BuildRun, open_up, run_build};
use crate::sandbox::{
    CopyError, MAX_SUBMISSION_BYTES, ResourceLimits, Sandbox, ScratchFolder, Termination, copy_folder,
};
use casino_system::command_line::{LINKING, find_program, join};
use casino_system::foreign_files::let_all_read;

const MAX_SHOWN_LINES: usize = 30;

/// The folder with the course's headers beside the submission.
const HEADERS: &str = "casino-course-headers";

const COMPILERS: [&str; 3] = ["g++", "c++", "clang++"];

/// Why this machine, or a given file, does not let abstract data types be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CannotJudge(pub(super) String);

impl CannotJudge {
    fn io(what: &str, error: &io::Error) -> CannotJudge {
        CannotJudge(format!("{what}: {error}. Make room or give the rights, and grade again."))
    }
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
    ) -> Result<Option<Workbench<'a>>, CannotJudge> {
        let failed = |error: io::Error| CannotJudge::io("The sources cannot be copied", &error);
        let compiler = COMPILERS.into_iter().find(|name| find_program(name).is_some());
        let compiler = compiler.ok_or_else(|| {
            CannotJudge(machine::lacks("g++").unwrap_or_else(|| "g++ is not found.".into()))
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
    pub(super) fn build_tools(&self) -> Result<(), CannotJudge> {
        let failed = |error: io::Error| CannotJudge::io("Our sources cannot be written", &error);
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

    /// Compiles our own sources: that this fails is nothing that a submission can do.
    fn build_ours(&self, lines: &[String]) -> Result<(), CannotJudge> {
        self.build(&self.ours(), &lines.join(" && "))?.map_err(|output| {
            let files = if self.course.were_given() { "with the files of --given " } else { "" };
            CannotJudge(format!("The abstract data types cannot be judged {files}on this machine:\n{output}"))
        })
    }

    /// Compiles a submitted file to an object of this name, or returns the compiler's error.
    pub(super) fn compile(&self, source: &Path, object: &str) -> Result<Result<(), String>, CannotJudge> {
        let source = format!("./{}", source.to_string_lossy().replace('\\', "/"));
        let line = self.compile_line(&source, object, &["-I", HEADERS]);
        self.build(&self.theirs(), &line)
    }

    /// Links programs (name, submitted object, our objects) in a new folder; `Err` is the linker's message.
    pub(super) fn link(
        &self,
        folder: &str,
        programs: &[(String, &str, Vec<String>)],
    ) -> Result<Result<PathBuf, String>, CannotJudge> {
        let failed = |error: io::Error| CannotJudge::io("Programs cannot be linked", &error);
        let place = self.scratch.join(folder);
        if !place.is_dir() {
            make_folder(&place).map_err(failed)?;
        }
        let put = |from: PathBuf| {
            let to = place.join(from.file_name().unwrap_or_default());
            fs::copy(from, &to).and_then(|_| let_all_read(&to, false))
        };
        let mut lines = Vec::new();
        for (program, theirs, ours) in programs {
            put(self.theirs().join(theirs)).map_err(failed)?;
            ours.iter().try_for_each(|object| put(self.ours().join(object))).map_err(failed)?;
            let mut words = vec![self.compiler, "-o", program.as_str(), *theirs];
            words.extend(ours.iter().map(String::as_str));
            lines.push(format!("{}{LINKING}", join(words)));
        }
        Ok(self.build(&place, &lines.join(" && "))?.map(|()| place))
    }

    /// The compiler's command line. Without optimizing, memory that was not set holds garbage.
    fn compile_line(&self, source: &str, object: &str, more: &[&str]) -> String {
        let words = [self.compiler, "-std=c++17", "-O0", "-w", "-fdiagnostics-color=never"];
        join(words.into_iter().chain(more.iter().copied()).chain(["-c", source, "-o", object]))
    }

    /// Runs a build command; returns its output if it fails.
    fn build(&self, folder: &Path, line: &str) -> Result<Result<(), String>, CannotJudge> {
        let BuildRun { end, output, .. } = run_build(line, self.sandbox, folder, ResourceLimits::BUILD)
            .map_err(|why| CannotJudge(why.failure().reason))?;
        open_up(folder).map_err(|error| CannotJudge::io("The build's result cannot be read", &error))?;
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
