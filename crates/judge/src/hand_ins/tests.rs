use super::*;
use crate::roster::Identity;

const CANVAS: &str = "Student,ID,SIS Login ID,Project 1 (4711)\n\"Lovelace, Ada\",11,ada-l,\n\"Turing, Alan\",13,alan-t,\n\"Hopper, Grace\",12,grace-h,\n\"_12, Ada\",14,ada-12,\n";

fn roster(text: &str) -> Roster {
    Roster::read(text.as_bytes(), Identity::Any).unwrap()
}

fn planned(names: &[&str], roster: &Roster) -> Plan {
    let listed: Vec<Listed> = names.iter().map(|name| entry(name)).collect();
    plan(&listed, Some(roster), None).unwrap()
}

/// A folder if the name ends with `/`; behind a `@` is the time of its last change.
fn entry(name: &str) -> Listed {
    let (name, time) = name.split_once('@').unwrap_or((name, "0"));
    let entry = name.strip_suffix('/').map_or_else(|| Listed::file(name), Listed::folder);
    Listed { modified_ms: time.parse().unwrap(), ..entry }
}

/// The students of each submission, by its label.
fn owners(plan: &Plan, roster: &Roster) -> Vec<String> {
    let ids = |rows: &[RowId]| {
        rows.iter().map(|row| roster.student(*row).id.as_str()).collect::<Vec<_>>().join("+")
    };
    plan.hand_ins.iter().map(|hand_in| format!("{} {}", hand_in.label, ids(&hand_in.rows))).collect()
}

fn error(names: &[&str], roster: Option<&Roster>) -> String {
    let listed: Vec<Listed> = names.iter().map(|name| entry(name)).collect();
    plan(&listed, roster, None).unwrap_err().to_string()
}

#[test]
fn only_the_number_of_the_user_counts_in_canvas_names() {
    let roster = roster(CANVAS);
    let names = [
        "hoppergrace_12_13_Project01.zip",
        "turingalan_13_14_Project01.zip",
        "lovelaceada_11_12_P.zip",
        "grades.csv",
    ];
    let plan = planned(&names, &roster);
    assert_eq!(plan.layout, Layout::Canvas);
    assert_eq!(
        owners(&plan, &roster),
        ["hoppergrace_12 grace-h", "lovelaceada_11 ada-l", "turingalan_13 alan-t"]
    );
    assert_eq!((plan.missing, plan.set_aside.len()), (vec![RowId(3)], 1));
}

#[test]
fn a_students_own_file_name_identifies_nobody() {
    let roster = roster("github_id,identifier\nada-l,4711\nzoe,4712\n");
    let names = [
        "lovelaceada_4711_815_zoe_attempt_2026-11-20-10-15-30_poker.py",
        "lovelaceada_4711_816__.._attempt_2026-11-20-10-15-30_Poker.py",
        "lovelaceada_4711_817_..",
        "lovelaceada_4711_818_gradebook.csv.py",
        "zoe_4712_900_poker.py",
    ];
    let plan = planned(&names, &roster);
    assert_eq!(owners(&plan, &roster), ["lovelaceada_4711 ada-l", "zoe_4712 zoe"]);
    let own: Vec<&str> = plan.hand_ins[0].files.iter().map(|file| file.own.as_str()).collect();
    assert_eq!(own.len(), 3);
    assert!(own.iter().all(|own| *own != ".." && !own.contains('/')), "{own:?}");
    assert_eq!(plan.hand_ins[0].output.file("html"), "ada-l.html");
    assert_eq!(plan.set_aside.len(), 1);
}

#[test]
fn a_name_that_ends_with_a_number_takes_nobodys_place() {
    let roster = roster(CANVAS);
    // Ada _12 is called `ada_12`: her file looks like one of user 12.
    let plan = planned(&["ada_12_14_900_1_poker.py", "hoppergrace_12_901_poker.py"], &roster);
    assert_eq!(owners(&plan, &roster), ["hoppergrace_12 grace-h"]);
    assert_eq!(plan.conflicts.len(), 1);
    assert_eq!(plan.conflicts[0].rows, [RowId(2), RowId(3)]);
    assert_eq!(plan.missing, [RowId(0), RowId(1)], "she did not hand in nothing");
    // A number at the beginning of a file's name does no harm where the roster has the name.
    let plan = planned(&["hoppergrace_12_13_2_poker.py"], &roster);
    assert_eq!(owners(&plan, &roster), ["hoppergrace_12 grace-h"]);
}

#[test]
fn blackboards_user_names_are_exact_ends() {
    let roster = roster("username,github_id\nada,ada-1\nL_Ada,ada-2\nzoe,zoe-1\n");
    let time = "attempt_2026-11-20-10-15-30";
    let names = [
        format!("P 1_zoe_{time}_poker.py"),
        "P 1_zoe_attempt_2026-11-21-10-15-30_poker.py".to_string(),
        format!("P 1_zoe_{time}.txt"),
        format!("P 1_l_ada_{time}_poker.py"),
        format!("P 1_mallory_{time}_my_zoe"),
    ];
    let plan = planned(&names.each_ref().map(String::as_str), &roster);
    assert_eq!(plan.layout, Layout::Blackboard);
    assert_eq!(owners(&plan, &roster), ["P 1_mallory ", "P 1_zoe zoe-1"]);
    assert_eq!(plan.hand_ins[1].files[0].path, PathBuf::from(&names[1]), "the last attempt");
    assert!(plan.conflicts[0].why.contains("ada of line 2 and user name L_Ada of line 3"), "{plan:?}");
    assert!(plan.missing.is_empty(), "whoever is in a conflict is not missing");
    assert_eq!(plan.set_aside.len(), 2);
}

#[test]
fn a_stranger_whose_user_name_ends_as_a_students_is_nobody() {
    let roster = roster("github_id,username\nada-l,ada\nbob,bob\n");
    for names in [
        ["project1-x-ada-l/", "project1-bob/", "old/"],
        [
            "P 1_x_ada_attempt_2026-11-20-10-15-30_p.py",
            "P 1_bob_attempt_2026-11-20-10-15-30_p.py",
            "P 1_ad_attempt_2026-11-20-10-15-30_p.py",
        ],
    ] {
        let plan = planned(&names, &roster);
        let known: Vec<&HandIn> = plan.hand_ins.iter().filter(|hand_in| !hand_in.rows.is_empty()).collect();
        assert_eq!((known.len(), known[0].rows.as_slice()), (1, &[RowId(1)][..]), "{plan:#?}");
        assert_eq!(plan.missing, [RowId(0)]);
    }
}

#[test]
fn moodle_classroom_and_folders_are_matched_by_their_own_column() {
    let moodle = roster("Identifier,folder,github_id,project\nParticipant 14,edsger,edsger-d,Project01\n");
    let plan = planned(
        &["Edsger D_14_assignsubmission_file_/", "Edsger D_14_assignsubmission_onlinetext_/"],
        &moodle,
    );
    assert_eq!(
        (owners(&plan, &moodle), plan.layout),
        (vec!["Edsger D_14 edsger-d".to_string()], Layout::Moodle)
    );
    assert_eq!(plan.hand_ins[0].project.as_deref(), Some("Project01"));
    let classroom = roster("identifier,github_username,github_id,name\ns1,ada-l,1,Ada\ns2,grace-h,2,Grace\n");
    let plan = planned(&["project1-ADA-L/", "project1-zoe/"], &classroom);
    assert_eq!(owners(&plan, &classroom), ["project1-ADA-L ada-l", "project1-zoe "]);
    assert_eq!((plan.layout, plan.missing), (Layout::Classroom, vec![RowId(1)]));
    let folders = roster("folder,github_id\nJ\u{f6}rg,joerg-m\nada,ada-l\n102,a\n101,102\n");
    let plan = planned(&["Jo\u{308}rg/", "ADA.tar.gz", "102/", "ada-l/"], &folders);
    assert_eq!(owners(&plan, &folders), ["102 a", "ADA ada-l", "Jo\u{308}rg joerg-m", "ada-l "]);
    // A stranger's folder that is called as a student never has the student's outputs.
    let outputs = [1, 3].map(|at: usize| plan.hand_ins[at].output.file("html"));
    assert!(outputs[0] == "ada-l.html" && outputs[1].starts_with("ada-l~"), "{outputs:?}");
}

#[test]
fn the_newest_submission_of_a_student_counts() {
    let roster = roster("github_id,name\nada-l,Ada\n");
    let plan = planned(&["ada-l/@1", "ada-l.tar.gz@1", "ada-l.zip@2"], &roster);
    assert_eq!(plan.hand_ins[0].files[0].path, PathBuf::from("ada-l.zip"));
    assert_eq!(plan.set_aside.len(), 2, "{plan:?}");
    let tied = planned(&["ada-l/@2", "ada-l.tar.gz@1", "ada-l.zip@2"], &roster);
    assert!(tied.hand_ins.is_empty() && tied.missing.is_empty());
    assert_eq!(tied.conflicts[0].labels, ["ada-l.tar.gz", "ada-l", "ada-l.zip"]);
}

#[test]
fn a_pair_hands_in_together() {
    for text in [
        "folder,github_id\nteam1,ada-l\nteam1,grace-h\nzoe,zoe\n",
        "github_id,group\nada-l,team1\ngrace-h,team1\nzoe,\n",
    ] {
        let roster = roster(text);
        let plan = planned(&["team1/"], &roster);
        assert_eq!(owners(&plan, &roster), ["team1 ada-l+grace-h"]);
        assert_eq!(plan.hand_ins[0].output.file("json"), "ada-l+grace-h.json");
        assert_eq!(plan.missing, [RowId(2)]);
    }
    let roster = roster("github_id,group\nada-l,t\ngrace-h,t\n");
    let plan = planned(&["p-ada-l/@1", "p-grace-h/@2"], &roster);
    assert_eq!(owners(&plan, &roster), ["p-grace-h ada-l+grace-h"]);
}

#[test]
fn a_folder_has_one_layout() {
    let roster = roster("github_id,identifier\nada-l,11\n");
    let mixed = error(&["lovelaceada_11_900_poker.py", "README.md", "ada-l/"], Some(&roster));
    assert!(
        mixed.contains(
            "  canvas (1): lovelaceada_11_900_poker.py\n  folders (1): ada-l\n  no other (1): README.md\n"
        ),
        "{mixed}"
    );
    let ambiguous = error(&["a_1_2_zoe_attempt_2026-11-20-10-15-30_x.py"], None);
    assert!(ambiguous.contains("fit canvas and blackboard"), "{ambiguous}");
    assert!(error(&["notes.txt"], None).contains("no submission"));
    let no_number = self::roster("github_id\nada-l\n");
    assert!(error(&["a_1_2_x.py"], Some(&no_number)).contains("the roster needs a column id or identifier"));
    let listed = ["a_1_2_x.py", "b"].map(Listed::file);
    let named = plan(&listed, None, Some(Layout::Canvas)).unwrap();
    assert_eq!((named.hand_ins.len(), named.set_aside.len()), (1, 1));
}

#[test]
fn entries_that_nobody_handed_in_are_set_aside() {
    let link = Listed { kind: Kind::Link, ..Listed::file("link") };
    let listed = [
        Listed::folder("__MACOSX"),
        link,
        Listed::file("roster.CSV"),
        Listed::file("a.py"),
        Listed::folder("ada"),
    ];
    let plan = plan(&listed, None, None).unwrap();
    assert_eq!(plan.hand_ins.len(), 1);
    let names: Vec<&str> = plan.set_aside.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["__MACOSX", "a.py", "link", "roster.CSV"]);
}

#[test]
fn labels_and_outputs_differ() {
    let listed: Vec<Listed> = ["ada/", "ada.zip", "ada.zip.zip", "Ada.tar"].map(entry).into();
    let plan = plan(&listed, None, None).unwrap();
    let labels: BTreeSet<&str> = plan.hand_ins.iter().map(|hand_in| hand_in.label.as_str()).collect();
    let outputs: BTreeSet<String> =
        plan.hand_ins.iter().map(|hand_in| hand_in.output.file("x").to_lowercase()).collect();
    assert_eq!((labels.len(), outputs.len()), (4, 4), "{plan:?}");
}
