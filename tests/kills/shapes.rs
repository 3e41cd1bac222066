//! The tournaments that are killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::client::Told;
use crate::support::host::{Folder, casino};

pub(crate) struct Shape {
    pub(crate) name: &'static str,
    /// Players who connect, and whether they sooner or later break a rule.
    pub(crate) players: &'static [(&'static str, bool)],
    /// Players that the host starts.
    programs: &'static [&'static str],
    /// The arguments of `casino host`.
    terms: &'static str,
    /// Additional arguments when it is resumed.
    again: &'static str,
    pub(crate) has_page: bool,
}

const PAGE: [&str; 8] = ["--web", "127.0.0.1:0", "--console", "127.0.0.1:0", "--minutes", "0", "--stay", "0"];

/// House bots among them throw dice, which must be where they were.
pub(crate) const SHAPES: [Shape; 5] = [
    Shape {
        name: "one table",
        players: &[("ada", false), ("bob", false), ("cyd", true), ("dee", true)],
        programs: &[],
        terms: "--players 7 --rounds 120 --stack 4000 --bot random*1 --bot bluffer --bot cautious",
        again: "",
        has_page: false,
    },
    Shape {
        name: "an event of many tables",
        players: &[
            ("ada", false),
            ("bob", false),
            ("cyd", true),
            ("dee", true),
            ("eve", false),
            ("fay", false),
            ("gil", true),
            ("hal", false),
        ],
        programs: &[],
        terms: "--players 10 --format swiss --seats 4 --level-rounds 10 --stack 400 --bot odds --bot random*1 -j 2",
        again: "-j 2",
        has_page: false,
    },
    Shape {
        name: "a freeze-out",
        players: &[
            ("ada", false),
            ("bob", false),
            ("cyd", true),
            ("dee", false),
            ("eve", true),
            ("fay", false),
        ],
        programs: &[],
        terms: "--players 9 --seats 4 --level-rounds 8 --stack 120 --ante-schedule 1,1,2,3,5,8,12,20,30,50,80 --bot bluffer --bot random*2",
        again: "",
        has_page: false,
    },
    Shape {
        name: "started programs",
        players: &[("ada", false), ("cyd", true)],
        programs: &["pip", "pat"],
        terms: "--players 5 --rounds 80 --stack 4000 --bot random*1",
        again: "--run-programs",
        has_page: false,
    },
    Shape {
        name: "page and console",
        players: &[("ada", false), ("bob", false), ("cyd", true), ("dee", false)],
        programs: &[],
        terms: "--players 6 --rounds 80 --stack 4000 --bot bluffer --bot random*1",
        again: "",
        has_page: true,
    },
];

/// Environment variables of a started program: its name, the file for its messages, and the host.
pub(crate) const PROGRAM: [&str; 3] = ["KILLS_NAME", "KILLS_TOLD", "KILLS_HOST"];

/// The environment variable with the milliseconds that a started program takes for a reply.
pub(crate) const THINKS: &str = "KILLS_THINKS";

/// The values of these variables, if this process is a started program.
pub(crate) fn as_program() -> Option<[String; 3]> {
    let values: Option<Vec<String>> = PROGRAM.iter().map(|name| std::env::var(name).ok()).collect();
    values?.try_into().ok()
}

impl Shape {
    /// The command of the first host; `makes_a_folder` if the journal's folder may be missing.
    pub(crate) fn begin(&self, folder: &Folder, journal: &str, makes_a_folder: bool, seed: &str) -> Command {
        let mut command = casino();
        command.args(["host", "--bind", "127.0.0.1:0", "--seed", seed, "--reply-ms", "60000", "--quiet"]);
        match Path::new(journal).parent().filter(|_| makes_a_folder) {
            Some(results) => command.arg("--out").arg(results),
            None => command.args(["--journal", journal]),
        };
        command.args(self.terms.split(' '));
        let program = std::env::current_exe().expect("a test program has a path");
        for name in self.programs {
            let told = folder.path(&format!("{name}.told"));
            let [name_is, told_is, host_is] = PROGRAM;
            let run = format!("{} --exact a_program_that_the_host_starts --ignored", program.display());
            let words =
                format!("{name}={name_is}={name} {told_is}={told} {host_is}={{host}}:{{port}} exec {run}");
            command.args(["--bot", &words]);
        }
        self.with_page(&mut command);
        command
    }

    pub(crate) fn resume(&self, journal: &str) -> Command {
        let mut command = casino();
        command
            .args(["resume", journal, "--bind", "127.0.0.1:0", "--quiet"])
            .args(self.again.split_whitespace());
        self.with_page(&mut command);
        command
    }

    fn with_page(&self, command: &mut Command) {
        if self.has_page {
            command.args(PAGE);
        }
    }

    /// The messages of the started programs so far.
    pub(crate) fn told_to_programs(&self, folder: &Folder) -> BTreeMap<String, Told> {
        let told = |name: &&str| {
            let text = fs::read_to_string(folder.file(&format!("{name}.told"))).unwrap_or_default();
            // A killed one may have written half a line.
            let whole = text.rfind('\n').map_or("", |end| &text[..end]);
            ((*name).to_string(), whole.lines().map(str::to_string).collect())
        };
        self.programs.iter().map(told).collect()
    }
}
