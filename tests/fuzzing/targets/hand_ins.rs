//! Any names as a folder of submissions, and any bytes as its roster.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use casino_judge::hand_ins::{Kind, Layout, Listed, plan};
use casino_judge::roster::{Identity, Roster};

use super::check;
use super::dice::Dice;

/// Pieces of the names that platforms write, and of those that students do.
const PIECES: [&str; 24] = [
    "_",
    "_",
    "11",
    "12",
    "4711",
    "ada",
    "ada-l",
    "grace-h",
    "LATE",
    "assignsubmission",
    "file",
    "onlinetext",
    "attempt",
    "2026-11-20-10-15-30",
    "text.html",
    "poker.py",
    "..",
    "-",
    ".zip",
    "__MACOSX",
    ".csv",
    "J\u{f6}rg",
    "Jo\u{308}rg",
    "/",
];

const ROSTERS: [&str; 3] = [
    "Student,ID,SIS Login ID,P (1)\n\"Lovelace, Ada\",11,ada-l,\n\"Hopper, Grace\",12,grace-h,\n",
    "folder,github_id,project,group\nada,ada-l,,\nJ\u{f6}rg,grace-h,x,t\nada,12,,\n,11,,t\n",
    "Identifier,username\nParticipant 11,ada\nParticipant 4711,l_ada\n",
];

pub fn body(input: &[u8]) {
    let mut dice = Dice::of(input);
    let layout = Layout::ALL.get(dice.below(9)).copied();
    let names: BTreeSet<String> = (0..dice.below(12))
        .map(|_| (0..1 + dice.below(8)).map(|_| PIECES[dice.below(PIECES.len())]).collect())
        .collect();
    let listed: Vec<Listed> = names
        .iter()
        .map(|name| Listed {
            kind: [Kind::File, Kind::Folder, Kind::Link][dice.below(3)],
            modified_ms: dice.below(4) as u64,
            ..Listed::file(name)
        })
        .collect();
    let roster = match ROSTERS.get(dice.below(5)) {
        Some(text) => Roster::read(text.as_bytes(), Identity::Any).ok(),
        None => Roster::read(dice.rest(), Identity::Any).ok(),
    };
    match plan(&listed, roster.as_ref(), layout) {
        Err(error) => error.to_string().lines().for_each(check::sentence),
        Ok(plan) => {
            let students = roster.as_ref().map_or(0, |roster| roster.students.len());
            // Each row has one submission, or is missing, or is in conflict.
            let handed_in: Vec<_> = plan.hand_ins.iter().flat_map(|hand_in| hand_in.rows.clone()).collect();
            let in_conflict = plan.conflicts.iter().flat_map(|conflict| conflict.rows.clone());
            let all: BTreeSet<_> =
                handed_in.iter().copied().chain(in_conflict).chain(plan.missing.clone()).collect();
            assert_eq!(all.len(), students, "every student is accounted for");
            assert_eq!(
                handed_in.iter().collect::<BTreeSet<_>>().len(),
                handed_in.len(),
                "and has one submission"
            );
            assert!(plan.missing.iter().all(|row| !handed_in.contains(row)));
            // Every entry is used once or set aside, and every output is a file of its own.
            let used: Vec<&Path> = plan
                .hand_ins
                .iter()
                .flat_map(|hand_in| &hand_in.files)
                .map(|file| file.path.as_path())
                .collect();
            assert_eq!(used.iter().collect::<BTreeSet<_>>().len(), used.len(), "no entry is used twice");
            let outputs: BTreeSet<String> =
                plan.hand_ins.iter().map(|hand_in| hand_in.output.file("json").to_lowercase()).collect();
            assert_eq!(outputs.len(), plan.hand_ins.len(), "outputs differ");
            let own = plan.hand_ins.iter().flat_map(|hand_in| &hand_in.files).map(|file| file.own.clone());
            for name in outputs.into_iter().chain(own) {
                let mut parts = Path::new(&name).components();
                let first = parts.next();
                assert!(matches!(first, Some(Component::Normal(part)) if part == name.as_str()), "{name:?}");
                assert_eq!(parts.next(), None, "{name:?}");
            }
        }
    }
}
