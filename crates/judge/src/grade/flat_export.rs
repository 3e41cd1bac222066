//! Flat exports of learning platforms: the files of all students in one folder, each with its student in its name.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::gradebook::folder_name;

/// The submission and the attempt that a file belongs to, and its own name.
#[derive(Debug, PartialEq, Eq)]
struct ExportedFile<'a> {
    submission: String,
    /// Sorts the attempts of a submission by their time.
    attempt: &'a str,
    name: &'a str,
}

/// Copies the files of flat exports into a folder for each submission below `into`, and takes them from `files` and, where
/// a submission has other files, from `archives`. Of several attempts the last one is taken.
pub(super) fn gather(
    folder: &Path,
    files: &mut Vec<String>,
    archives: &mut Vec<PathBuf>,
    into: &Path,
    folders: &mut Vec<(String, PathBuf)>,
) -> io::Result<()> {
    let mut submissions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in files.iter() {
        if let Some(file) = exported(name) {
            submissions.entry(file.submission).or_default().push(name.clone());
        }
    }
    archives.retain(|path| {
        let name = folder_name(path);
        let submission = exported(&name).and_then(|file| submissions.get_mut(&file.submission));
        submission.map(|names| names.push(name)).is_none()
    });
    // A submission is one folder below `into`: its name, which students choose in part, leads nowhere else.
    submissions.retain(|submission, _| is_one_component(submission));
    for (submission, names) in submissions {
        files.retain(|name| !names.contains(name));
        let last = names.iter().filter_map(|name| exported(name)).map(|file| file.attempt).max();
        let place = into.join(&submission);
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::create_dir_all(&place)?;
        for name in &names {
            let file = exported(name).filter(|file| Some(file.attempt) == last);
            if let Some(file) = file.filter(|file| is_one_component(file.name)) {
                fs::copy(folder.join(name), place.join(file.name))?;
            }
        }
        folders.push((submission, place));
    }
    Ok(())
}

/// Whether a name stays in the folder to which it is joined, as one entry of it.
fn is_one_component(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

/// Reads the name of a file of Canvas (`lovelaceada_LATE_4711_815_Poker.java`), Blackboard
/// (`Project 1_ada_attempt_2026-11-20-10-15-30_Poker.java`) or Moodle (`Ada Lovelace_4711_assignsubmission_file_Poker.java`).
fn exported(name: &str) -> Option<ExportedFile<'_>> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((student, file)) =
        name.split_once("_assignsubmission_file_").filter(|(_, file)| !file.is_empty())
    {
        return Some(ExportedFile { submission: student.to_string(), attempt: "", name: file });
    }
    if let Some((before, after)) = name.split_once("_attempt_") {
        let student = before.rsplit_once('_').map_or(before, |(_, student)| student);
        // A text without a name of its own describes the attempt.
        let (time, file) = after.split_once('_')?;
        let is_time = time.len() == "2026-11-20-10-15-30".len() && time.split('-').all(is_number);
        return is_time.then(|| ExportedFile { submission: student.to_string(), attempt: time, name: file });
    }
    let (student, rest) = name.split_once('_')?;
    let rest = rest.strip_prefix("LATE_").or(rest.strip_prefix("late_")).unwrap_or(rest);
    let (id, rest) = rest.split_once('_')?;
    let (number, file) = rest.split_once('_')?;
    let is_canvas = is_number(id) && is_number(number) && !student.is_empty() && !file.is_empty();
    is_canvas.then(|| ExportedFile { submission: format!("{student}_{id}"), attempt: "", name: file })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::ScratchFolder;

    #[test]
    fn names_of_exports_are_read() {
        let read = |name: &'static str| exported(name).map(|file| (file.submission, file.name));
        let of = |submission: &str, name| Some((submission.to_string(), name));
        assert_eq!(read("lovelaceada_4711_815_Poker.java"), of("lovelaceada_4711", "Poker.java"));
        assert_eq!(read("hoppergrace_LATE_4712_816_Poker-1.java"), of("hoppergrace_4712", "Poker-1.java"));
        assert_eq!(
            read("Project 1_aturing_attempt_2026-11-20-10-15-30_my_bot.py"),
            of("aturing", "my_bot.py")
        );
        assert_eq!(
            read("Ada Lovelace_4711_assignsubmission_file_Poker.java"),
            of("Ada Lovelace_4711", "Poker.java")
        );
        for other in [
            "Project 1_aturing_attempt_2026-11-20-10-15-30.txt",
            "ada_4713_Project01.zip",
            "roster.csv",
            "a_b_c_d",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn a_file_name_never_leads_out_of_the_folder() {
        let name = "lovelaceada_4711_815__.._attempt_2026-11-20-10-15-30_Poker.py";
        let folder = ScratchFolder::with(&[(name, ""), ("grades/gradebook.csv", "points"), ("bobb_1_2_..", "")]);
        let (mut files, mut folders) = (vec![name.to_string(), "bobb_1_2_..".to_string()], Vec::new());
        for _ in 0..2 {
            gather(&folder, &mut files, &mut Vec::new(), &folder.join("grades/flat"), &mut folders).unwrap();
            assert!(folder.join("grades/gradebook.csv").is_file());
        }
        assert_eq!(files, [name]);
        assert_eq!(folders.len(), 1);
    }

    #[test]
    fn the_last_attempt_of_each_student_is_a_submission() {
        let names = [
            "P_ada_attempt_2026-11-20-10-15-30_poker.py",
            "P_ada_attempt_2026-11-21-10-15-30_poker.py",
            "bobb_1_2_poker.py",
            "bobb_1_3_wire.py",
            "notes.txt",
        ];
        let folder = ScratchFolder::with(&names.map(|name| (name, name)));
        let mut files = names.map(String::from).to_vec();
        let mut folders = Vec::new();
        gather(&folder, &mut files, &mut Vec::new(), &folder.join("flat"), &mut folders).unwrap();
        assert_eq!(files, ["notes.txt"]);
        let submissions: Vec<&str> = folders.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(submissions, ["ada", "bobb_1"]);
        assert_eq!(fs::read_to_string(folders[0].1.join("poker.py")).unwrap(), names[1]);
        assert!(folders[1].1.join("wire.py").is_file());
    }
}
