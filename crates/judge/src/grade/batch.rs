//! A folder of submissions, graded in parallel. Verdicts are stored at once, so that a run can be resumed.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::report::Report;
use crate::hand_ins::{Gathered, HandIn};
use casino_stud::hex::hex;
use casino_stud::parallel::in_order;
use casino_stud::sealed::{seal, unsealed};
use casino_system::files::{self, Readers, write_atomically};
use casino_system::foreign_files::may_be_executed;

/// How many bytes of one file go into a fingerprint; the length goes into it in any case.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// How many bytes of an archive go into a fingerprint.
const MAX_ARCHIVE_BYTES: u64 = 256 << 20;

const MAX_FOLDER_DEPTH: usize = 32;

/// Submissions to grade.
pub struct Batch {
    submissions: Gathered,
    verdicts: PathBuf,
    terms: String,
}

/// Judges a submission, given its path and the folder in it to judge, if one was named.
pub type JudgeSubmission<'a> = dyn Fn(&Path, Option<&str>) -> Report + Sync + 'a;

/// Why a batch stops: the folder of submissions cannot be used, or a verdict cannot be kept.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct BatchError(String);

impl BatchError {
    fn verdict(file: &Path, error: &io::Error) -> BatchError {
        BatchError(format!("{} cannot be written: {error}", file.display()))
    }
}

/// A submission and its report.
#[derive(Clone, Debug)]
pub struct SubmissionVerdict {
    /// The number of the submission in [`Batch::submissions`].
    pub submission: usize,
    /// The report of its grading.
    pub report: Report,
    /// Whether the verdict is cached from an earlier run.
    pub known: bool,
}

#[derive(Serialize, Deserialize)]
struct CachedVerdict {
    /// A digest of the submission, of the terms it was graded by, and of the version of this program.
    key: String,
    report: Report,
}

impl Batch {
    /// Takes the submissions of a folder as they were planned. `terms` decide about the points.
    pub fn new(
        folder: &Path,
        hand_ins: Vec<HandIn>,
        verdicts: &Path,
        terms: &str,
    ) -> Result<Batch, BatchError> {
        let unreadable = |error| BatchError(format!("{}: it cannot be read: {error}", folder.display()));
        let submissions = Gathered::new(folder, hand_ins).map_err(unreadable)?;
        fs::create_dir_all(verdicts).map_err(|error| BatchError::verdict(verdicts, &error))?;
        Ok(Batch { submissions, verdicts: verdicts.to_path_buf(), terms: terms.to_string() })
    }

    /// The submissions and their folders or archives, in order.
    pub fn submissions(&self) -> &[(HandIn, PathBuf)] {
        &self.submissions.places
    }

    /// Grades all, `jobs` at a time, until `stop`. Returns the verdicts in order; some are missing after a stop.
    pub fn grade(
        &self,
        jobs: usize,
        stop: &AtomicBool,
        judge: &JudgeSubmission<'_>,
        done: &(dyn Fn(&SubmissionVerdict) + Sync),
    ) -> Result<Vec<SubmissionVerdict>, BatchError> {
        let failed = AtomicBool::new(false);
        let count = self.submissions().len();
        let one = |at: usize| {
            if failed.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let verdict = self.grade_one(at, judge);
            match &verdict {
                Ok(verdict) if verdict.report.is_judged() => done(verdict),
                Ok(_) => {}
                Err(_) => failed.store(true, Ordering::Relaxed),
            }
            verdict.map(Some)
        };
        let mut verdicts = Vec::new();
        in_order(
            &mut vec![(); jobs.clamp(1, count.max(1))],
            0..count as u64,
            1,
            |(), at| one(at.start as usize),
            |_, verdict| {
                verdicts.extend(verdict);
                ControlFlow::Continue(())
            },
        )?;
        // The machine may have been too busy to judge some programs: they are judged again now that the others are done.
        for verdict in
            verdicts.iter_mut().filter(|verdict: &&mut SubmissionVerdict| !verdict.report.is_judged())
        {
            if !stop.load(Ordering::Relaxed) {
                *verdict = self.grade_one(verdict.submission, judge)?;
            }
            done(verdict);
        }
        Ok(verdicts)
    }

    fn grade_one(
        &self,
        submission: usize,
        judge: &JudgeSubmission<'_>,
    ) -> Result<SubmissionVerdict, BatchError> {
        let (hand_in, folder) = &self.submissions()[submission];
        let project = hand_in.project.as_deref();
        let fingerprint = fingerprint(folder);
        let version = env!("CARGO_PKG_VERSION");
        let project_part = project.map_or_else(String::new, |project| format!(" project {project:?}"));
        let key = hex(Sha256::digest(format!("{version}\n{}{project_part}\n{fingerprint}", self.terms)));
        let file = self.verdicts.join(hand_in.output.file("json"));
        if let Some(kept) = kept(&file).filter(|kept| kept.key == key) {
            return Ok(SubmissionVerdict { submission, report: kept.report, known: true });
        }
        let report = judge(folder, project);
        // A submission that the machine could not judge is judged again the next time.
        if !report.is_judged() {
            let _ = fs::remove_file(&file);
            return Ok(SubmissionVerdict { submission, report, known: false });
        }
        let kept = CachedVerdict { key, report };
        let mut text = serde_json::to_string_pretty(&kept).expect("numbers and texts are JSON") + "\n";
        text += &seal(&text);
        write_atomically(&file, text.as_bytes(), Readers::Everyone)
            .map_err(|error| BatchError::verdict(&file, &error))?;
        Ok(SubmissionVerdict { submission, report: kept.report, known: false })
    }
}

/// A verdict of an earlier run. `None` if it cannot be read: the submission is then graded again.
fn kept(file: &Path) -> Option<CachedVerdict> {
    serde_json::from_str(unsealed(&files::read_text(file).ok()?).ok()?).ok()
}

/// A fingerprint of an archive or a folder: names, execute permissions and contents.
fn fingerprint(folder: &Path) -> String {
    let mut digest = Sha256::new();
    if folder.is_file() {
        let mut content = Vec::new();
        let read =
            files::open(folder).and_then(|file| file.take(MAX_ARCHIVE_BYTES).read_to_end(&mut content));
        digest.update(read.unwrap_or_default().to_be_bytes());
        digest.update(&content);
    }
    add(folder, "".as_ref(), MAX_FOLDER_DEPTH, &mut digest);
    hex(digest.finalize())
}

fn add(folder: &Path, inside: &OsStr, depth: usize, digest: &mut Sha256) {
    let Some(deeper) = depth.checked_sub(1) else { return };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let (Ok(about), Some(name)) = (fs::symlink_metadata(&path), path.file_name()) else { continue };
        // Every system writes the same separator, so that a fingerprint is the same everywhere.
        let mut path_inside = inside.to_os_string();
        if !inside.is_empty() {
            path_inside.push("/");
        }
        path_inside.push(name);
        let mut note = |kind: &[u8], length: u64, content: &[u8]| {
            digest.update(kind);
            digest.update((path_inside.len() as u64).to_be_bytes());
            digest.update(path_inside.as_encoded_bytes());
            digest.update(length.to_be_bytes());
            digest.update((content.len() as u64).to_be_bytes());
            digest.update(content);
        };
        if about.is_dir() {
            add(&path, &path_inside, deeper, digest);
        } else if about.is_symlink() {
            let target = fs::read_link(&path).unwrap_or_default();
            note(b"link", 0, target.as_os_str().as_encoded_bytes());
        } else if about.is_file() {
            let mut content = Vec::new();
            let read =
                files::open(&path).and_then(|file| file.take(MAX_FILE_BYTES).read_to_end(&mut content));
            if read.is_err() {
                content.clear();
            }
            let runs = may_be_executed(&about);
            note(if runs { b"program" } else { b"file" }, about.len(), &content);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::similar::similar;
    use crate::grade::{Item, Part, Points};
    use crate::hand_ins::{folder_name, list, plan};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("casino-batch-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        for student in ["ada", "bob", "c y"] {
            fs::create_dir_all(folder.join("in").join(student)).unwrap();
            fs::write(folder.join("in").join(student).join("bot.py"), student).unwrap();
        }
        fs::create_dir(folder.join("in/.git")).unwrap();
        fs::write(folder.join("in/notes.txt"), "no folder").unwrap();
        folder
    }

    fn judge(folder: &Path, project: Option<&str>) -> Report {
        let text = fs::read_to_string(folder.join("bot.py")).unwrap() + project.unwrap_or_default();
        let item = Item::new("a", text, Points::whole(3)).partial(Points::hundredths(123), "why");
        let parts = vec![Part { title: "p".into(), items: vec![item] }];
        Report { title: "t".into(), subject: folder_name(folder), parts, ..Report::default() }
    }

    fn hand_ins(folder: &Path) -> Vec<HandIn> {
        plan(&list(folder, None).unwrap(), None, None).unwrap().hand_ins
    }

    fn batch(folder: &Path, terms: &str) -> Batch {
        Batch::new(&folder.join("in"), hand_ins(&folder.join("in")), &folder.join("out"), terms).unwrap()
    }

    /// Of ada, bob and c y: whether the verdict was cached.
    fn known(verdicts: &[SubmissionVerdict]) -> Vec<(usize, bool)> {
        verdicts.iter().map(|verdict| (verdict.submission, verdict.known)).collect()
    }

    #[test]
    fn only_changed_submissions_are_graded_again() {
        let folder = folder("known");
        let graded =
            |terms: &str| batch(&folder, terms).grade(2, &AtomicBool::new(false), &judge, &|_| {}).unwrap();
        let first = graded("one");
        assert_eq!(known(&first), [(0, false), (1, false), (2, false)]);
        let second = graded("one");
        assert_eq!(known(&second), [(0, true), (1, true), (2, true)]);
        assert!(first.iter().zip(&second).all(|(one, other)| one.report == other.report));
        fs::write(folder.join("in/bob/bot.py"), "Bob").unwrap();
        fs::write(folder.join("out/ada.json"), "{\"torn").unwrap();
        assert_eq!(known(&graded("one")), [(0, false), (1, false), (2, true)]);
        assert!(known(&graded("two")).iter().all(|(_, known)| !known), "other terms, other verdicts");
        let mut planned = hand_ins(&folder.join("in"));
        planned[0].project = Some(" in Project02".to_string());
        let other_project = Batch::new(&folder.join("in"), planned, &folder.join("out"), "two").unwrap();
        let other_project = other_project.grade(2, &AtomicBool::new(false), &judge, &|_| {}).unwrap();
        assert_eq!(known(&other_project), [(0, false), (1, true), (2, true)], "what was said of one");
        assert!(other_project[0].report.parts[0].items[0].title.ends_with(" in Project02"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_kept_verdict_that_has_changed_is_given_again() {
        let folder = folder("changed");
        let batch = batch(&folder, "one");
        let graded = || batch.grade(1, &AtomicBool::new(false), &judge, &|_| {}).unwrap();
        let first = graded();
        let file = folder.join("out/bob.json");
        let kept = fs::read_to_string(&file).unwrap();
        assert!(kept.contains("\"why\""), "{kept}");
        fs::write(&file, kept.replace("\"why\"", "\"who\"")).unwrap();
        let second = graded();
        assert_eq!(known(&second), [(0, true), (1, false), (2, true)]);
        assert_eq!(second[1].report, first[1].report);
        assert_eq!(fs::read_to_string(&file).unwrap(), kept);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn results_are_no_submission() {
        let folder = folder("files");
        for name in ["eve.pl", "roster.csv", ".hidden"] {
            fs::write(folder.join("in").join(name), "x").unwrap();
        }
        fs::create_dir_all(folder.join("in/last/week/reports")).unwrap();
        fs::create_dir_all(folder.join("in/last/week/verdicts")).unwrap();
        let out = folder.join("in/this/week");
        fs::create_dir_all(&out).unwrap();
        let listed = list(&folder.join("in"), Some(&out)).unwrap();
        let mut names: Vec<&str> = listed.iter().map(|entry| entry.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["ada", "bob", "c y", "eve.pl", "notes.txt", "roster.csv"]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_files_of_an_export_are_gathered_outside_of_both_folders() {
        let folder = folder("flat");
        let class = folder.join("class");
        fs::create_dir_all(&class).unwrap();
        for name in [
            "bobb_1_2_poker.py",
            "bobb_1_3_wire.py",
            "bobb_1_4_wire.py",
            "ada_2_5__.._attempt_2026-11-20-10-15-30_bot.py",
        ] {
            fs::write(class.join(name), name).unwrap();
        }
        let batch = Batch::new(&class, hand_ins(&class), &folder.join("out"), "").unwrap();
        let [(ada, ada_place), (bob, place)] = batch.submissions() else {
            panic!("{}", batch.submissions().len())
        };
        assert_eq!((ada.label.as_str(), bob.label.as_str()), ("ada_2", "bobb_1"));
        assert!(!place.starts_with(&folder) && folder_name(place) == "bobb_1", "{}", place.display());
        assert!(ada_place.join("_.._attempt_2026-11-20-10-15-30_bot.py").is_file());
        // Of two files of one name the one that was uploaded later.
        assert_eq!(fs::read_to_string(place.join("wire.py")).unwrap(), "bobb_1_4_wire.py");
        assert!(place.join("poker.py").is_file());
        let place = place.clone();
        drop(batch);
        assert!(!place.exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn similar_programs_are_found() {
        let folder = folder("similar");
        fs::write(folder.join("in/ada/bot.py"), "x = 1\n").unwrap();
        fs::remove_file(folder.join("in/bob/bot.py")).unwrap();
        fs::write(folder.join("in/bob/poker.py"), "y  =  1 # one\r\n").unwrap();
        assert_eq!(similar(batch(&folder, "").submissions()), [["ada", "bob"]]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_stopped_batch_is_resumed() {
        let folder = folder("stopped");
        let batch = batch(&folder, "one");
        let stop = AtomicBool::new(false);
        let some = batch.grade(1, &stop, &judge, &|_| stop.store(true, Ordering::Relaxed)).unwrap();
        assert_eq!(known(&some), [(0, false)]);
        let all = batch.grade(1, &AtomicBool::new(false), &judge, &|_| {}).unwrap();
        assert_eq!(known(&all), [(0, true), (1, false), (2, false)]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn fingerprints_see_every_change() {
        let folder = folder("prints");
        let ada = folder.join("in/ada");
        let mut seen = std::collections::BTreeSet::from([fingerprint(&ada)]);
        fs::write(ada.join("bot.py"), "more").unwrap();
        assert!(seen.insert(fingerprint(&ada)));
        fs::rename(ada.join("bot.py"), ada.join("bot2.py")).unwrap();
        assert!(seen.insert(fingerprint(&ada)));
        casino_system::foreign_files::let_all_read(&ada.join("bot2.py"), true).unwrap();
        assert!(seen.insert(fingerprint(&ada)));
        casino_system::foreign_files::link(Path::new("/etc/passwd"), &ada.join("link")).unwrap();
        assert!(seen.insert(fingerprint(&ada)));
        fs::remove_dir_all(&folder).unwrap();
    }
}
