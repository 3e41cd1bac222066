//! A folder of submissions, graded in parallel. Verdicts are stored at once, so that a run can be resumed.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::flat_export;
use super::gradebook::folder_name;
use super::report::Report;
use super::submission::archive_stem;
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

/// The folders in a folder of results.
const OUTPUTS: [&str; 2] = ["reports", "verdicts"];

/// Submissions to grade.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The names and places of the submissions, in order.
    pub submissions: Vec<(String, PathBuf)>,
    /// The names of the links in the folder, in order, which are not graded.
    pub links: Vec<String>,
    /// The names of all entries that are neither folders nor archives, and so no submissions, in order.
    pub files: Vec<String>,
    verdicts: PathBuf,
    terms: String,
    /// The folder of a submission to judge, by the submission's name, where given.
    projects: BTreeMap<String, String>,
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
    /// The name of its folder.
    pub folder: String,
    /// The fingerprint of the submission's files.
    pub fingerprint: String,
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
    /// Lists the submissions: folders and archives, named without the extension. `terms` decide about the points.
    pub fn new(folder: &Path, verdicts: &Path, terms: &str) -> Result<Batch, BatchError> {
        let wrong = |why: String| BatchError(format!("{}: {why}", folder.display()));
        let unreadable = |error: io::Error| wrong(format!("it cannot be read: {error}"));
        let own = verdicts.parent().and_then(|out| out.canonicalize().ok());
        let (mut folders, mut archives, mut links, mut files) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            // Links are not followed: a submission must be in this folder.
            let (kind, path) = (entry.file_type().map_err(unreadable)?, entry.path());
            // The folder of --out is no submission, nor is an earlier run's.
            let is_output = |folder: &Path| OUTPUTS.iter().all(|inside| folder.join(inside).is_dir());
            let around =
                || fs::read_dir(&path).is_ok_and(|all| all.flatten().any(|file| is_output(&file.path())));
            let has_own = || {
                own.as_ref().zip(path.canonicalize().ok()).is_some_and(|(own, path)| own.starts_with(path))
            };
            if kind.is_dir() && (is_output(&path) || around() || has_own()) {
                continue;
            }
            if !hidden && kind.is_dir() {
                folders.push((folder_name(&path), path));
            } else if !hidden && kind.is_file() && archive_stem(&folder_name(&path)).is_some() {
                archives.push(path);
            } else if !hidden && kind.is_symlink() {
                links.push(folder_name(&path));
            } else if !hidden {
                files.push(folder_name(&path));
            }
        }
        // The text that a student typed in Moodle beside the submitted files.
        let typed = |path: &Path| {
            let files = folder_name(path).strip_suffix("_onlinetext_").map(|name| format!("{name}_file_"));
            files.is_some_and(|files| folder.join(files).is_dir())
        };
        folders.retain(|(_, path)| !typed(path));
        flat_export::gather(
            folder,
            &mut files,
            &mut archives,
            &verdicts.with_file_name("flat"),
            &mut folders,
        )
        .map_err(unreadable)?;
        let submissions = named(folders, archives);
        if submissions.is_empty() {
            let why = "there is no submission in it: each submission is a folder, a zip or a tar.gz";
            return Err(wrong(why.to_string()));
        }
        fs::create_dir_all(verdicts).map_err(|error| BatchError::verdict(verdicts, &error))?;
        links.sort();
        files.sort();
        let (verdicts, terms) = (verdicts.to_path_buf(), terms.to_string());
        Ok(Batch { submissions, links, files, verdicts, terms, projects: BTreeMap::new() })
    }

    /// The same with the folders that are meant in some submissions, by the names of these.
    pub fn with_projects(self, projects: BTreeMap<String, String>) -> Batch {
        Batch { projects, ..self }
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
        let count = self.submissions.len();
        let one = |at: usize| {
            if failed.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let (name, folder) = &self.submissions[at];
            let verdict = self.grade_one(name, folder, judge);
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
        // A machine that was too busy for some is not when the others are done.
        for verdict in
            verdicts.iter_mut().filter(|verdict: &&mut SubmissionVerdict| !verdict.report.is_judged())
        {
            let submission = self.submissions.iter().find(|(name, _)| *name == verdict.folder);
            if let Some((name, folder)) = submission.filter(|_| !stop.load(Ordering::Relaxed)) {
                *verdict = self.grade_one(name, folder, judge)?;
            }
            done(verdict);
        }
        Ok(verdicts)
    }

    fn grade_one(
        &self,
        name: &str,
        folder: &Path,
        judge: &JudgeSubmission<'_>,
    ) -> Result<SubmissionVerdict, BatchError> {
        let project = self.projects.get(name).map(String::as_str);
        let name = name.to_string();
        let fingerprint = fingerprint(folder);
        let version = env!("CARGO_PKG_VERSION");
        let told = project.map_or_else(String::new, |project| format!(" project {project:?}"));
        let key = hex(Sha256::digest(format!("{version}\n{}{told}\n{fingerprint}", self.terms)));
        let file = self.verdicts.join(file_name(&name, "json"));
        if let Some(kept) = kept(&file).filter(|kept| kept.key == key) {
            return Ok(SubmissionVerdict { folder: name, fingerprint, report: kept.report, known: true });
        }
        let report = judge(folder, project);
        // A submission that the machine could not judge is judged again the next time.
        if !report.is_judged() {
            let _ = fs::remove_file(&file);
            return Ok(SubmissionVerdict { folder: name, fingerprint, report, known: false });
        }
        let kept = CachedVerdict { key, report };
        let mut text = serde_json::to_string_pretty(&kept).expect("numbers and texts are JSON") + "\n";
        text += &seal(&text);
        write_atomically(&file, text.as_bytes(), Readers::Everyone)
            .map_err(|error| BatchError::verdict(&file, &error))?;
        Ok(SubmissionVerdict { folder: name, fingerprint, report: kept.report, known: false })
    }
}

fn named(folders: Vec<(String, PathBuf)>, archives: Vec<PathBuf>) -> Vec<(String, PathBuf)> {
    let mut submissions = folders;
    let stem = |path: &Path| archive_stem(&folder_name(path)).unwrap_or_default().to_string();
    let stems: Vec<String> = archives.iter().map(|path| stem(path)).collect();
    let folders: Vec<String> = submissions.iter().map(|(name, _)| name.clone()).collect();
    for path in archives {
        let short = stem(&path);
        let is_free = !folders.contains(&short) && stems.iter().filter(|stem| **stem == short).count() == 1;
        submissions.push((if is_free { short } else { folder_name(&path) }, path));
    }
    submissions.sort_by(|(_, one), (_, other)| one.cmp(other));
    submissions
}

/// A verdict of an earlier run. One that cannot be read is as good as none: it is graded again.
fn kept(file: &Path) -> Option<CachedVerdict> {
    serde_json::from_str(unsealed(&files::read_text(file).ok()?).ok()?).ok()
}

/// A valid file name for a submission, whatever its folder's name.
pub fn file_name(folder: &str, ending: &str) -> String {
    const MAX_NAME_CHARS: usize = 120;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.@".contains(c);
    if folder.len() <= MAX_NAME_CHARS && folder.chars().all(plain) {
        return format!("{folder}.{ending}");
    }
    let start: String = folder.chars().filter(|c| plain(*c)).take(40).collect();
    let digest = hex(Sha256::digest(folder.as_bytes()));
    format!("{start}~{}.{ending}", &digest[..12])
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
        // Names are parted in the same way on every system.
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

    fn known(verdicts: &[SubmissionVerdict]) -> Vec<(&str, bool)> {
        verdicts.iter().map(|verdict| (verdict.folder.as_str(), verdict.known)).collect()
    }

    #[test]
    fn only_changed_submissions_are_graded_again() {
        let folder = folder("known");
        let batch = |terms: &str| Batch::new(&folder.join("in"), &folder.join("out"), terms).unwrap();
        let go = |terms: &str| batch(terms).grade(2, &AtomicBool::new(false), &judge, &|_| {}).unwrap();
        let first = go("one");
        assert_eq!(known(&first), [("ada", false), ("bob", false), ("c y", false)]);
        let second = go("one");
        assert_eq!(known(&second), [("ada", true), ("bob", true), ("c y", true)]);
        assert!(first.iter().zip(&second).all(|(one, other)| one.report == other.report));
        fs::write(folder.join("in/bob/bot.py"), "Bob").unwrap();
        fs::write(folder.join("out/ada.json"), "{\"torn").unwrap();
        assert_eq!(known(&go("one")), [("ada", false), ("bob", false), ("c y", true)]);
        assert!(known(&go("two")).iter().all(|(_, known)| !known), "other terms, other verdicts");
        let projects = BTreeMap::from([("ada".to_string(), " in Project02".to_string())]);
        let told = batch("two").with_projects(projects);
        let told = told.grade(2, &AtomicBool::new(false), &judge, &|_| {}).unwrap();
        assert_eq!(known(&told), [("ada", false), ("bob", true), ("c y", true)], "what was said of one");
        assert!(told[0].report.parts[0].items[0].title.ends_with(" in Project02"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_kept_verdict_that_has_changed_is_given_again() {
        let folder = folder("changed");
        let batch = Batch::new(&folder.join("in"), &folder.join("out"), "one").unwrap();
        let go = || batch.grade(1, &AtomicBool::new(false), &judge, &|_| {}).unwrap();
        let first = go();
        let file = folder.join("out/bob.json");
        let kept = fs::read_to_string(&file).unwrap();
        assert!(kept.contains("\"why\""), "{kept}");
        fs::write(&file, kept.replace("\"why\"", "\"who\"")).unwrap();
        let second = go();
        assert_eq!(known(&second), [("ada", true), ("bob", false), ("c y", true)]);
        assert_eq!(second[1].report, first[1].report);
        assert_eq!(fs::read_to_string(&file).unwrap(), kept);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn other_files_are_named() {
        let folder = folder("files");
        for name in ["eve.pl", "roster.csv", ".hidden"] {
            fs::write(folder.join("in").join(name), "x").unwrap();
        }
        let batch = Batch::new(&folder.join("in"), &folder.join("out"), "").unwrap();
        assert_eq!(batch.files, ["eve.pl", "notes.txt", "roster.csv"]);
        assert_eq!(batch.submissions.len(), 3);
        for name in [
            "E_1_assignsubmission_file_",
            "E_1_assignsubmission_onlinetext_",
            "F_2_assignsubmission_onlinetext_",
        ] {
            fs::create_dir(folder.join("in").join(name)).unwrap();
        }
        fs::create_dir_all(folder.join("in/last/week/reports")).unwrap();
        fs::create_dir_all(folder.join("in/last/week/verdicts")).unwrap();
        let out = folder.join("in/this/week");
        fs::create_dir_all(&out).unwrap();
        let batch = Batch::new(&folder.join("in"), &out.join("verdicts"), "").unwrap();
        assert_eq!(batch.submissions.len(), 5, "a typed text is no second submission, nor are results");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn similar_programs_are_found() {
        let folder = folder("similar");
        fs::write(folder.join("in/ada/bot.py"), "x = 1\n").unwrap();
        fs::remove_file(folder.join("in/bob/bot.py")).unwrap();
        fs::write(folder.join("in/bob/poker.py"), "y  =  1 # one\r\n").unwrap();
        let batch = Batch::new(&folder.join("in"), &folder.join("out"), "").unwrap();
        assert_eq!(similar(&batch.submissions), [["ada", "bob"]]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_stopped_batch_is_resumed() {
        let folder = folder("stopped");
        let batch = Batch::new(&folder.join("in"), &folder.join("out"), "one").unwrap();
        let stop = AtomicBool::new(false);
        let some = batch.grade(1, &stop, &judge, &|_| stop.store(true, Ordering::Relaxed)).unwrap();
        assert_eq!(known(&some), [("ada", false)]);
        let all = batch.grade(1, &AtomicBool::new(false), &judge, &|_| {}).unwrap();
        assert_eq!(known(&all), [("ada", true), ("bob", false), ("c y", false)]);
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

    #[test]
    fn every_folder_has_a_file_name_of_its_own() {
        assert_eq!(file_name("ada-l", "json"), "ada-l.json");
        let odd = file_name("../x\n", "html");
        assert!(odd.starts_with("..x~") && !odd.contains('/'), "{odd}");
        assert_ne!(file_name("a b", "json"), file_name("ab", "json"));
        assert!(file_name(&"x".repeat(250), "json").len() < 100);
    }

    #[test]
    fn an_empty_folder_is_no_batch() {
        let folder = folder("empty");
        let error = Batch::new(&folder.join("in/ada"), &folder.join("out"), "").unwrap_err().to_string();
        assert!(error.contains("each submission is a folder"), "{error}");
        fs::write(folder.join("in/ada/eve.zip"), "").unwrap();
        let batch = Batch::new(&folder.join("in/ada"), &folder.join("out"), "").unwrap();
        assert_eq!(batch.submissions[0].0, "eve");
        assert!(Batch::new(&folder.join("nowhere"), &folder.join("out"), "").is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
