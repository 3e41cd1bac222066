//! Whose submission is this, from outside: the marks of random classes, and real exports through the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use casino_judge::grade::batch::SubmissionVerdict;
use casino_judge::grade::gradebook::{Graded, gradebook};
use casino_judge::grade::lms::{Lms, Mark};
use casino_judge::grade::{Item, Part, Points, Report};
use casino_judge::hand_ins::{Layout, Listed, Plan, plan};
use casino_judge::roster::{Identity, Roster};

use crate::tools::has;

/// Numbers drawn from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

const CLASS: usize = 40;

/// The rosters that teachers have.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Canvas' gradebook.
    Canvas,
    /// Moodle's worksheet.
    Moodle,
    /// GitHub Classroom's roster.
    Classroom,
    /// A table of a teacher, with folders.
    Teacher,
    /// User names of Blackboard.
    Blackboard,
}

/// A student: numbers, names that contain each other, and folders called as other students.
struct Student {
    id: String,
    login: String,
    number: usize,
    name: String,
    points: u32,
}

/// A student's own file name, made to look like a platform's or another student's.
fn hostile_file(dice: &mut Dice, class: &[Student]) -> String {
    let other = &class[dice.below(class.len())];
    match dice.below(8) {
        0 => format!("{}_attempt_2026-11-20-10-15-30_poker.py", other.login),
        1 => format!("{}_{}_poker.py", other.number, dice.below(900)),
        2 => format!("{}_{}_assignsubmission_file_x.py", other.name, other.number),
        3 => format!("x-{}.zip", other.id),
        4 => "..".to_string(),
        5 => "gradebook.csv.py".to_string(),
        6 => format!("_{}", other.login),
        _ => "poker.py".to_string(),
    }
}

fn class(dice: &mut Dice) -> Vec<Student> {
    let base = 1 + dice.below(50);
    (0..CLASS)
        .map(|at| {
            let stem = dice.one(&["ada", "l", "Zoe", "grace", "b_", "J\u{f6}rg"]);
            Student {
                id: format!("{}-{at}", dice.one(&["ada-l", "grace", "Zoe", "l"])),
                login: format!("{}{at}", dice.one(&["ada", "x_ada", "l_", "grace"])),
                // Small numbers, which are also the numbers of files.
                number: base + at,
                name: format!("{stem} {at}"),
                points: 1 + at as u32,
            }
        })
        .collect()
}

fn roster(kind: Kind, class: &[Student]) -> String {
    let mut text = match kind {
        Kind::Canvas => {
            "\u{feff}Student,ID,SIS User ID,SIS Login ID,Section,P (1)\r\n\"    Points Possible\",,,,,180\r\n"
        }
        Kind::Moodle => "Identifier,Full name,Grade,Feedback comments\n",
        Kind::Classroom => "\"identifier\",\"github_username\",\"github_id\",\"name\"\n",
        Kind::Teacher => "folder;github_id;name\n",
        Kind::Blackboard => "username,github_id\n",
    }
    .to_string();
    for student in class {
        let Student { id, login, number, name, .. } = student;
        text.push_str(&match kind {
            // Every tenth student is excused, every seventh has an earlier mark that is another one's number.
            Kind::Canvas if number % 10 == 0 => format!("\"{name}\",{number},s{number},{id},A,EX\r\n"),
            Kind::Canvas if number % 7 == 0 => {
                format!("\"{name}\",{number},s{number},{id},A,{}\r\n", number + 1)
            }
            Kind::Canvas => format!("\"{name}\",{number},{},{id},A,\r\n", number + 3),
            Kind::Moodle => format!("Participant {number},{name},,keep {number}\n"),
            Kind::Classroom => format!("\"{login}\",\"{id}\",\"{number}\",\"{name}\"\n"),
            Kind::Teacher => format!("{login};{id};{name}\n"),
            Kind::Blackboard => format!("{login},{id}\n"),
        });
    }
    text
}

/// What stands before the student's own file name, or a whole name.
fn entry(layout: Layout, kind: Kind, student: &Student, number: usize, own: &str) -> Listed {
    let Student { id, login, name, number: user, .. } = student;
    let letters: String =
        name.chars().filter(|c| c.is_alphanumeric() || *c == '_').flat_map(char::to_lowercase).collect();
    match layout {
        Layout::Canvas if number.is_multiple_of(3) => {
            Listed::file(&format!("{letters}_LATE_{user}_{number}_{own}"))
        }
        Layout::Canvas => Listed::file(&format!("{letters}_{user}_{number}_{own}")),
        Layout::Moodle => Listed::file(&format!("{name}_{user}_assignsubmission_file_{own}")),
        Layout::Blackboard => Listed::file(&format!("P_1_{login}_attempt_2026-11-20-10-15-30_{own}")),
        Layout::Classroom => Listed::folder(&format!("project1-{id}")),
        Layout::Folders if kind == Kind::Teacher => Listed::folder(login),
        Layout::Folders => Listed::folder(id),
    }
}

/// The rosters that identify the students of a layout.
fn fits(layout: Layout, kind: Kind) -> bool {
    match layout {
        Layout::Canvas | Layout::Moodle => matches!(kind, Kind::Canvas | Kind::Moodle),
        Layout::Blackboard => kind == Kind::Blackboard,
        Layout::Classroom => kind != Kind::Moodle,
        Layout::Folders => kind != Kind::Moodle && kind != Kind::Blackboard,
    }
}

fn verdicts(plan: &Plan, owners: &BTreeMap<PathBuf, u32>) -> Vec<SubmissionVerdict> {
    let verdict = |(submission, hand_in): (usize, &casino_judge::hand_ins::HandIn)| {
        // Files of several students in one submission are the fault that is looked for.
        let points: BTreeSet<u32> = hand_in.files.iter().map(|file| owners[&file.path]).collect();
        assert!(points.len() <= 1, "{hand_in:?} is of several students");
        let points = Points::whole(points.into_iter().next().unwrap_or(0));
        let item = Item::new("a", "a", Points::whole(180)).partial(points, "why");
        let report =
            Report { parts: vec![Part { title: "p".into(), items: vec![item] }], ..Report::default() };
        SubmissionVerdict { submission, report, known: false }
    };
    plan.hand_ins.iter().enumerate().map(verdict).collect()
}

fn cells(text: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    reader.records().map(|row| row.unwrap().iter().map(str::to_string).collect()).collect()
}

/// The submissions of a class, most of whose students hand in one or two files, and the points of each file's owner.
fn hand_in(
    dice: &mut Dice,
    class: &[Student],
    layout: Layout,
    kind: Kind,
) -> (Vec<Listed>, BTreeMap<PathBuf, u32>) {
    let (mut listed, mut owners) = (Vec::new(), BTreeMap::new());
    for student in class {
        for _ in 0..[0, 1, 1, 1, 1, 2, 2, 2][dice.below(8)] {
            let own = hostile_file(dice, class);
            let entry = entry(layout, kind, student, class[dice.below(CLASS)].number, &own);
            if owners.insert(entry.path.clone(), student.points).is_none() {
                listed.push(entry);
            }
        }
    }
    (listed, owners)
}

/// A class whose submissions were planned and graded.
struct GradedClass {
    kind: Kind,
    class: Vec<Student>,
    text: String,
    roster: Roster,
    plan: Plan,
    verdicts: Vec<SubmissionVerdict>,
    /// The points of the students who handed in something.
    handed_in: BTreeSet<u32>,
}

impl GradedClass {
    fn new(dice: &mut Dice, layout: Layout, kind: Kind) -> GradedClass {
        let class = class(dice);
        let text = roster(kind, &class);
        let roster = Roster::read(text.as_bytes(), Identity::Any).unwrap();
        let (listed, owners) = hand_in(dice, &class, layout, kind);
        let plan = plan(&listed, Some(&roster), Some(layout)).unwrap();
        let verdicts = verdicts(&plan, &owners);
        GradedClass { kind, class, text, roster, plan, verdicts, handed_in: owners.into_values().collect() }
    }

    /// Checks that a mark is the student's own: its points, or none if its files have no usable name.
    fn check(&self, student: &Student, points: &str) {
        let wanted = [student.points, 0].map(|points| points.to_string());
        assert!(wanted.contains(&points.to_string()), "{} has {points} in {:#?}", student.id, self.plan);
        assert!(
            points == "0" || self.handed_in.contains(&student.points),
            "{} handed in nothing",
            student.id
        );
    }

    /// Checks the marks. Returns how many there are.
    fn check_marks(&self) -> usize {
        let mut seen = 0;
        for (student, row) in self.class.iter().zip(self.roster.rows()) {
            match Mark::of(row, &self.plan, &self.verdicts) {
                Mark::Graded(verdict) => {
                    self.check(student, &verdict.report.summary().points.to_string());
                    seen += 1;
                }
                Mark::Nothing => {
                    assert!(!self.handed_in.contains(&student.points), "{} did hand in", student.id)
                }
                Mark::Open => {}
            }
        }
        seen
    }

    fn check_gradebook(&self) {
        let rows = self.verdicts.iter().flat_map(|verdict| {
            let rows = self.plan.hand_ins[verdict.submission].rows.iter();
            rows.map(|row| Graded {
                student: Some(*row),
                folder: "",
                report: Some(&verdict.report),
                is_excused: false,
                file: String::new(),
                same_as: &[],
            })
        });
        let book = cells(&gradebook(&rows.collect::<Vec<_>>(), &self.roster).unwrap());
        let points_at = book[0].iter().position(|name| name == "points").unwrap();
        for row in &book[1..] {
            let is_row = |student: &&Student| match self.kind {
                Kind::Moodle => row[0] == format!("Participant {}", student.number),
                _ => row[0] == student.id,
            };
            self.check(self.class.iter().find(is_row).unwrap(), &row[points_at]);
        }
    }

    /// Checks that nothing but marks has changed in the platform's export.
    fn check_export(&self) {
        let (lms, mark_at) = match self.kind {
            Kind::Canvas => (Lms::Canvas, 5),
            Kind::Moodle => (Lms::Moodle, 2),
            _ => return,
        };
        let mark_of = |row| Mark::of(row, &self.plan, &self.verdicts);
        let filled = lms.filled(&self.roster.table, None, false, mark_of).unwrap();
        let (before, after) = (cells(self.text.as_bytes()), cells(&filled.text));
        assert_eq!(before.len(), after.len());
        let heads = before.len() - self.class.len();
        for (at, (mut old, new)) in before.into_iter().zip(after).enumerate() {
            if old[mark_at] != new[mark_at] {
                assert_ne!(old[mark_at], "EX", "an excused student stays excused");
                self.check(&self.class[at - heads], &new[mark_at]);
                old[mark_at].clone_from(&new[mark_at]);
            }
            assert_eq!(old, new, "only the column of the mark changes");
        }
    }
}

#[test]
fn every_mark_stands_in_the_row_of_its_student() {
    let mut dice = Dice(1);
    let kinds = [Kind::Canvas, Kind::Moodle, Kind::Classroom, Kind::Teacher, Kind::Blackboard];
    for layout in Layout::ALL {
        for kind in kinds.into_iter().filter(|kind| fits(layout, *kind)) {
            let (mut seen, mut conflicts) = (0, 0);
            for _ in 0..60 {
                let class = GradedClass::new(&mut dice, layout, kind);
                (seen, conflicts) = (seen + class.check_marks(), conflicts + class.plan.conflicts.len());
                class.check_gradebook();
                class.check_export();
            }
            assert!(seen > 60 * CLASS / 2, "{layout} {kind:?}: {seen} marks, {conflicts} conflicts");
        }
    }
}

fn casino(folder: &Path, words: &str) -> Output {
    let casino =
        Command::new(env!("CARGO_BIN_EXE_casino")).args(words.split(' ')).current_dir(folder).output();
    casino.unwrap()
}

/// An empty folder of a test's own, which stays.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hand-ins-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("in")).unwrap();
    folder
}

const GRADE: &str = "grade blackjack --all in --cases 0 --sandbox off -j 2 --even-if-busy --exit-zero";

/// A program with full marks: it asks `casino` itself.
fn right() -> String {
    let casino = env!("CARGO_BIN_EXE_casino");
    format!(
        "import subprocess, sys\nsys.stdout.write(subprocess.run([{casino:?}, 'blackjack', *sys.argv[1:]], capture_output=True, text=True).stdout)\n"
    )
}

/// How many students the class on a roster has, beside two who are on none.
const LISTED: usize = 11;

/// Whether a student's program has full marks.
fn is_right(at: usize) -> bool {
    at == 8
}

/// The export of a class: three without work, two unknown, a pair, one excused. Returns the names of its files.
fn export(layout: Layout, at: usize) -> Option<String> {
    let login = if at == 7 { "x_user7".to_string() } else { format!("user{at}") };
    let file = if is_right(at) { "blackjack.py" } else { "essay.txt" };
    (![3, 4, 5].contains(&at)).then(|| match layout {
        Layout::Canvas => format!("student{at}_{at}_9{at}_{file}"),
        Layout::Moodle => format!("Student {at}_{at}_assignsubmission_file_{file}"),
        Layout::Blackboard => format!("P 1_{login}_attempt_2026-11-20-10-15-30_{file}"),
        Layout::Classroom => format!("project1-git{at}/{file}"),
        Layout::Folders => format!("git{at}/{file}"),
    })
}

#[test]
fn exports_of_five_platforms_get_their_marks() {
    if !has("python3", "a class in Python") {
        return;
    }
    for layout in Layout::ALL {
        let folder = folder(layout.name());
        // The last two are on no roster; 8 works with 9, who hands in nothing.
        for at in (0..LISTED + 2).filter(|at| *at != 9) {
            let Some(name) = export(layout, at) else { continue };
            let path = folder.join("in").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, if is_right(at) { right() } else { "The dog ate it.".to_string() }).unwrap();
        }
        let mut roster = String::from("Student,ID,github_id,username,group,Points (1)\n");
        if layout == Layout::Moodle {
            roster = "Identifier,Full name,github_id,username,group,Grade\n".to_string();
        }
        for at in 0..LISTED {
            let (group, mark) =
                (if [8, 9].contains(&at) { "pair" } else { "" }, if at == 5 { "EX" } else { "" });
            let login = if at == 7 { "x_user7".to_string() } else { format!("user{at}") };
            roster.push_str(&match layout {
                Layout::Moodle => format!("Participant {at},Student {at},git{at},{login},{group},{mark}\n"),
                _ => format!("\"{at}, Student\",{at},git{at},{login},{group},{mark}\n"),
            });
        }
        fs::write(folder.join("roster.csv"), &roster).unwrap();
        let lms = if layout == Layout::Moodle { "moodle" } else { "canvas" };
        let plan = casino(&folder, &format!("{GRADE} --roster roster.csv --out out --dry-run"));
        let table = String::from_utf8_lossy(&plan.stdout).into_owned();
        assert!(plan.status.success() && !folder.join("out").exists(), "{table}");
        let sums =
            format!("Layout {layout}: 9 submissions, 0 in conflict, 0 entries set aside, 3 students without");
        assert!(table.contains(&sums), "{table}");
        assert_eq!(table.matches("unknown").count(), 2, "{table}");
        // The second run finds everything cached, and the same marks.
        for cached in [0, 9] {
            let graded = casino(&folder, &format!("{GRADE} --roster roster.csv --out out --lms {lms}"));
            let (out, err) =
                (String::from_utf8_lossy(&graded.stdout), String::from_utf8_lossy(&graded.stderr));
            assert!(graded.status.success(), "{out}{err}");
            assert!(out.contains(&format!("9 submissions, {cached} of them cached")), "{out}");
            assert!(
                err.contains("Excused, and still so in the export, whatever was handed in: git5."),
                "{err}"
            );
            let filled = fs::read_to_string(folder.join(format!("out/{lms}.csv"))).unwrap();
            for (at, (before, after)) in roster.lines().zip(filled.lines()).enumerate() {
                let wanted = match at.checked_sub(1) {
                    None | Some(5) => before.to_string(),
                    Some(3 | 4) => format!("{before}0"),
                    Some(at) if is_right(at) || at == 9 => format!("{before}17"),
                    Some(_) => format!("{before}0"),
                };
                assert_eq!(after, wanted, "{layout}");
            }
        }
        assert!(folder.join("out/reports/git8+git9.html").is_file());
    }
}

#[test]
fn a_mixed_folder_is_refused_before_anything_is_written() {
    let folder = folder("mixed");
    fs::write(folder.join("in/ada_1_2_poker.py"), "").unwrap();
    fs::create_dir(folder.join("in/grace")).unwrap();
    for command in [format!("{GRADE} --out out"), "ladder import lad in".to_string()] {
        let refused = casino(&folder, &command);
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{error}");
        assert!(
            error.contains("canvas (1): ada_1_2_poker.py") && error.contains("no other (1): grace"),
            "{error}"
        );
        assert!(!folder.join("out").exists() && !folder.join("lad").exists());
    }
    let alone = casino(&folder, "grade stud reader --dry-run");
    assert_eq!(alone.status.code(), Some(2));
}

#[test]
fn a_ladder_takes_in_what_is_graded() {
    let folder = folder("ladder");
    let roster = "identifier,github_username,github_id,name,group\n11,ada-l,1001,Ada,t\n12,grace-h,1002,Grace,t\n13,alan-t,1003,Alan,\n";
    fs::write(folder.join("roster.csv"), roster).unwrap();
    for name in ["Ada_11_assignsubmission_file_", "Zoe_99_assignsubmission_file_"] {
        fs::create_dir(folder.join("in").join(name)).unwrap();
        fs::write(folder.join("in").join(name).join("poker.py"), "print(1)\n").unwrap();
    }
    for _ in 0..2 {
        let ran = casino(&folder, "ladder import lad in --roster roster.csv");
        let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert_eq!(ran.status.code(), Some(1), "one is of nobody: {out}{err}");
        assert!(out.contains("Ada_11: Ada/1, ") && out.contains("Ada_11: Grace/1, "), "{out}");
        assert!(err.contains("Zoe_99: no row of the roster fits"), "{err}");
    }
}
