//! The layouts of a folder of submissions: what the names in it say. Only the parts that a learning platform writes identify a
//! student; the name of the student's own file, which ends the name of an export's file, says nothing.

use std::fmt;

use super::{Kind, Listed, archive_stem};

/// How the names in a folder of submissions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layout {
    /// Canvas: `lovelaceada_LATE_4711_815_Poker.java`, with the numbers of the user and of the file.
    Canvas,
    /// Moodle: `Ada Lovelace_4711_assignsubmission_file_Poker.java`, or a folder whose name ends with `file_`.
    Moodle,
    /// Blackboard: `Project 1_adal_attempt_2026-11-20-10-15-30_Poker.java`, with the user name and the time.
    Blackboard,
    /// GitHub Classroom: a folder `project1-ada-l` for each student or group.
    Classroom,
    /// A folder or an archive for each submission, named as the roster names it.
    Folders,
}

impl Layout {
    /// All layouts, those of exports first.
    pub const ALL: [Layout; 5] =
        [Layout::Canvas, Layout::Moodle, Layout::Blackboard, Layout::Classroom, Layout::Folders];

    /// The name of the layout.
    pub fn name(self) -> &'static str {
        match self {
            Layout::Canvas => "canvas",
            Layout::Moodle => "moodle",
            Layout::Blackboard => "blackboard",
            Layout::Classroom => "classroom",
            Layout::Folders => "folders",
        }
    }

    /// Whether names are made by a learning platform's export.
    pub(super) fn is_export(self) -> bool {
        matches!(self, Layout::Canvas | Layout::Moodle | Layout::Blackboard)
    }

    /// Reads a name; `None` if it is not of this layout.
    pub(super) fn read(self, entry: &Listed) -> Option<Name<'_>> {
        match self {
            Layout::Canvas => canvas(&entry.name),
            Layout::Moodle => moodle(&entry.name),
            Layout::Blackboard => blackboard(&entry.name),
            Layout::Classroom | Layout::Folders => {
                let stem = archive_stem(&entry.name).filter(|_| entry.kind == Kind::File);
                let key = stem.or((entry.kind == Kind::Folder).then_some(entry.name.as_str()))?;
                Some(Name { student: "", key, attempt: "", own: Own::Whole })
            }
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The parts of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Name<'a> {
    /// The student's name as the platform writes it, or nothing.
    pub(super) student: &'a str,
    /// The part that identifies the student.
    pub(super) key: &'a str,
    /// The time of the attempt, in an order of texts.
    pub(super) attempt: &'a str,
    pub(super) own: Own<'a>,
}

impl Name<'_> {
    /// The part of the name that the platform or the teacher wrote.
    pub(super) fn label(&self) -> String {
        if self.student.is_empty() { self.key.to_string() } else { format!("{}_{}", self.student, self.key) }
    }

    /// Whether a number follows the one of the file, so that the student's name may end with the first of the numbers.
    pub(super) fn has_a_number_more(&self) -> bool {
        match self.own {
            Own::File(file, number) => {
                number > 0 && file.split_once('_').is_some_and(|(more, _)| is_number(more))
            }
            Own::Whole | Own::Text => false,
        }
    }
}

/// The content of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Own<'a> {
    /// The whole submission.
    Whole,
    /// A file of the submission, by the student's name for it and the platform's number for it.
    File(&'a str, u64),
    /// A text that was typed on the platform, or describes the attempt.
    Text,
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reads from the left: the student's name, the user's number, the file's number, the file.
fn canvas(name: &str) -> Option<Name<'_>> {
    // The name of a student may have a `_` in it, but no number between two of them.
    let ends: Vec<usize> = name.match_indices('_').map(|(at, _)| at).collect();
    ends.windows(2).find_map(|window| {
        let (before, key, rest) =
            (&name[..window[0]], &name[window[0] + 1..window[1]], &name[window[1] + 1..]);
        let own = match rest.split_once('_').filter(|(number, _)| is_number(number)) {
            Some((number, file)) if !file.is_empty() => Own::File(file, number.parse().unwrap_or(u64::MAX)),
            _ if ["text.html", "link.html"].contains(&rest) => Own::Text,
            _ => return None,
        };
        let student = before.strip_suffix("_LATE").or(before.strip_suffix("_late")).unwrap_or(before);
        let is_named = !["LATE", "late", ""].contains(&student);
        (is_number(key) && is_named).then_some(Name { student, key, attempt: "", own })
    })
}

/// Reads from the left: the student's full name, the number of the participant, the file.
fn moodle(name: &str) -> Option<Name<'_>> {
    name.match_indices("_assignsubmission_").find_map(|(at, mark)| {
        let (student, key) = name[..at].rsplit_once('_')?;
        let own = match &name[at + mark.len()..] {
            "file" | "file_" => Own::Whole,
            rest => match rest.strip_prefix("file_") {
                Some(file) => Own::File(file, 0),
                None => rest.starts_with("onlinetext").then_some(Own::Text)?,
            },
        };
        (is_number(key) && !student.is_empty()).then_some(Name { student, key, attempt: "", own })
    })
}

/// Reads from the left: the assignment and the user name, which cannot be told apart without a roster, the time, the file.
fn blackboard(name: &str) -> Option<Name<'_>> {
    name.match_indices("_attempt_").find_map(|(at, mark)| {
        const TIME: &str = "2026-11-20-10-15-30";
        let rest = &name[at + mark.len()..];
        let attempt = rest.get(..TIME.len()).filter(|time| {
            time.split('-').map(str::len).eq(TIME.split('-').map(str::len)) && time.split('-').all(is_number)
        })?;
        let own = match &rest[TIME.len()..] {
            "" | ".txt" => Own::Text,
            rest => Own::File(rest.strip_prefix('_').filter(|file| !file.is_empty())?, 0),
        };
        let key = &name[..at];
        key.contains('_').then_some(Name { student: "", key, attempt, own })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(layout: Layout, name: &'static str) -> Option<(&'static str, &'static str, Own<'static>)> {
        let entry = Box::leak(Box::new(Listed::file(name)));
        layout.read(entry).map(|name| (name.key, name.attempt, name.own))
    }

    #[test]
    fn names_of_exports_are_read_from_the_left() {
        let file = |key, attempt, file, number| Some((key, attempt, Own::File(file, number)));
        for (layout, name, wanted) in [
            (Layout::Canvas, "lovelaceada_4711_815_Poker.java", file("4711", "", "Poker.java", 815)),
            (Layout::Canvas, "hoppergrace_LATE_4712_816_P-1.java", file("4712", "", "P-1.java", 816)),
            (Layout::Canvas, "van_dyke_4713_817_1_2_x.py", file("4713", "", "1_2_x.py", 817)),
            (
                Layout::Canvas,
                "lovelaceada_4711_815_zoe_attempt_2026-11-20-10-15-30_poker.py",
                file("4711", "", "zoe_attempt_2026-11-20-10-15-30_poker.py", 815),
            ),
            (Layout::Canvas, "lovelaceada_4711_text.html", Some(("4711", "", Own::Text))),
            (
                Layout::Moodle,
                "Ada L_4711_assignsubmission_file_Poker.java",
                file("4711", "", "Poker.java", 0),
            ),
            (Layout::Moodle, "Ada L_4711_assignsubmission_file_", Some(("4711", "", Own::Whole))),
            (
                Layout::Moodle,
                "Ada L_4711_assignsubmission_file_Z_12_assignsubmission_file_x.py",
                file("4711", "", "Z_12_assignsubmission_file_x.py", 0),
            ),
            (Layout::Moodle, "Ada L_4711_assignsubmission_onlinetext_", Some(("4711", "", Own::Text))),
            (
                Layout::Blackboard,
                "P 1_a_turing_attempt_2026-11-20-10-15-30_my_bot.py",
                file("P 1_a_turing", "2026-11-20-10-15-30", "my_bot.py", 0),
            ),
            (
                Layout::Blackboard,
                "P 1_aturing_attempt_2026-11-20-10-15-30.txt",
                Some(("P 1_aturing", "2026-11-20-10-15-30", Own::Text)),
            ),
            (Layout::Canvas, "ada_4713_Project01.zip", None),
            (Layout::Canvas, "LATE_1_2_x.py", None),
            (Layout::Canvas, "a_b_c_d", None),
            (Layout::Moodle, "Ada_assignsubmission_file_x.py", None),
            (Layout::Blackboard, "P_ada_attempt_now_x.py", None),
            (Layout::Folders, "poker.py", None),
            (Layout::Folders, "ada-l.tar.gz", Some(("ada-l", "", Own::Whole))),
        ] {
            assert_eq!(read(layout, name), wanted, "{layout} {name}");
        }
    }
}
