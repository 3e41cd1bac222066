//! The log of a show: a small file beside its journal, to which the show appends a line with its SHA-256 for each item
//! shown. The results do not depend on it; it restores the page after a crash.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use casino_show::plan::ShownRounds;
use casino_stud::sealed::{seal, unsealed};
use casino_system::files;

const SHOWN_SUFFIX: &str = ".shown";

/// The intact part of a show log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct History {
    lines: Vec<ShownRounds>,
    /// Where the next round is looked for: they are asked for in their order.
    at: usize,
    /// The last round that was shown, 0 if none was.
    last: u64,
}

impl History {
    /// Reads the file beside this journal; `None` if there is none or nothing in it is readable. From the first damaged
    /// line on, nothing counts as shown.
    pub(crate) fn read(journal: &Path) -> Option<History> {
        let mut whole = WholeLines::of(files::open(&beside(journal)).ok()?);
        let lines: Vec<ShownRounds> = whole.by_ref().collect();
        (!lines.is_empty()).then(|| History::of(lines))
    }

    fn of(lines: Vec<ShownRounds>) -> History {
        let last = lines.iter().filter_map(ShownRounds::last_round).max().unwrap_or(0);
        History { lines, at: 0, last }
    }

    /// Without a log: every round up to this one counts as shown.
    pub(crate) fn assumed(rounds: u64) -> History {
        let passed = |round| ShownRounds::Montage { round, table: 0, in_step: true, gap: false };
        History::of((1..=rounds).map(passed).collect())
    }

    /// The last round that was shown, 0 if none was.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// How this round was shown, if it was.
    pub(crate) fn of_round(&mut self, round: u64) -> Option<&ShownRounds> {
        let is_before = |shown: &ShownRounds| shown.last_round().is_none_or(|last| last < round);
        while self.lines.get(self.at).is_some_and(is_before) {
            self.at += 1;
        }
        self.lines.get(self.at).filter(|shown| shown.last_round() == Some(round))
    }

    /// Whether all exits of this round have been announced.
    pub(crate) fn has_announced(&self, round: u64) -> bool {
        self.last > round || self.lines.contains(&ShownRounds::Exits { round })
    }

    /// Whether the level that began after so many rounds has been shown.
    pub(crate) fn has_level(&self, after: u64) -> bool {
        self.lines.contains(&ShownRounds::Level { after })
    }

    /// The item on show at the end, if it was of this round.
    pub(crate) fn begun(&self, number: u64) -> Option<&ShownRounds> {
        self.lines
            .last()
            .filter(|shown| matches!(shown, ShownRounds::Began { round, .. } if *round == number))
    }

    /// How long the show was to last when something was last shown, if it is known.
    pub(crate) fn left(&self) -> Option<Duration> {
        let left = |shown: &ShownRounds| match shown {
            ShownRounds::Clock { left } => Some(Duration::from_secs(*left)),
            _ => None,
        };
        self.lines.iter().rev().find_map(left)
    }

    /// Whether the ceremony has been shown to its end.
    pub(crate) fn has_podium(&self) -> bool {
        self.lines.last() == Some(&ShownRounds::Podium)
    }
}

fn beside(journal: &Path) -> PathBuf {
    let mut path = journal.as_os_str().to_owned();
    path.push(SHOWN_SUFFIX);
    PathBuf::from(path)
}

/// When something was last shown of this journal, if it is known.
pub(crate) fn last_shown(journal: &Path) -> Option<SystemTime> {
    beside(journal).metadata().and_then(|about| about.modified()).ok()
}

/// The file during the show. A write error does not change the show; the item is only unknown afterwards.
#[derive(Debug, Default)]
pub(crate) struct ShownLog {
    file: Option<File>,
    /// The seconds that the last line of the clock says.
    left: Option<u64>,
}

impl ShownLog {
    /// The file beside this journal, emptied if the tournament begins.
    pub(crate) fn open(journal: &Path, anew: bool) -> io::Result<ShownLog> {
        let path = beside(journal);
        let file = files::append_beside(&path, &files::open(journal)?)?;
        if !is_ours(&file)? {
            let what = format!("{} is there and holds something else", path.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
        }
        // A line behind an unreadable one would be unreadable too.
        file.set_len(if anew { 0 } else { whole_length(&file)? })?;
        Ok(ShownLog { file: Some(file), left: None })
    }

    /// Appends an item shown, preceded by the remaining length of the show, if there is one. After an error nothing
    /// more is written.
    pub(crate) fn add(&mut self, shown: &ShownRounds, left: Option<Duration>) -> io::Result<()> {
        if let Some(left) = left.map(|left| left.as_secs()).filter(|left| self.left != Some(*left)) {
            self.left = Some(left);
            self.write(&ShownRounds::Clock { left })?;
        }
        self.write(shown)
    }

    fn write(&mut self, line: &ShownRounds) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let written = file.write_all(sealed_line(line).as_bytes());
        if written.is_err() {
            self.file = None;
        }
        written
    }
}

/// A line of the file: the item, a space and its seal.
pub(super) fn sealed_line(shown: &ShownRounds) -> String {
    let line = serde_json::to_string(shown).expect("numbers and words can be written as JSON");
    format!("{line} {}", seal(format!("{line}\n")))
}

/// The content of an intact line.
fn read_line(line: &str) -> Option<ShownRounds> {
    let (shown, seal) = line.split_once(' ')?;
    serde_json::from_str(unsealed(&format!("{shown}\n{seal}")).ok()?).ok()
}

/// The lines from the beginning of a file on that are as they were written.
struct WholeLines<R> {
    reader: R,
    /// How many bytes they have.
    length: u64,
}

impl<R: io::Read> WholeLines<BufReader<R>> {
    fn of(file: R) -> WholeLines<BufReader<R>> {
        WholeLines { reader: BufReader::new(file), length: 0 }
    }
}

impl<R: BufRead> Iterator for WholeLines<R> {
    type Item = ShownRounds;

    fn next(&mut self) -> Option<ShownRounds> {
        let mut line = String::new();
        let length = self.reader.read_line(&mut line).ok()?;
        let shown = read_line(&line)?;
        self.length += length as u64;
        Some(shown)
    }
}

/// Length of the part of the file that can be continued.
fn whole_length(mut file: &File) -> io::Result<u64> {
    file.rewind()?;
    let mut whole = WholeLines::of(file);
    whole.by_ref().for_each(drop);
    Ok(whole.length)
}

/// Whether this is a show log, perhaps damaged: its first line is torn, or it contains an item or a seal.
fn is_ours(mut file: &File) -> io::Result<bool> {
    file.rewind()?;
    let mut first = Vec::new();
    BufReader::new(file).read_until(b'\n', &mut first)?;
    let first = String::from_utf8_lossy(&first);
    let what = first.split(' ').next().unwrap_or_default();
    Ok(!first.ends_with('\n')
        || first.contains(" SHA-256 ")
        || serde_json::from_str::<ShownRounds>(what).is_ok())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn detail(round: u64) -> ShownRounds {
        ShownRounds::Detail { round, tables: vec![2, 3], in_step: true, gap: false }
    }

    #[test]
    fn shown_rounds_are_read_back_without_a_torn_line() {
        let folder = std::env::temp_dir().join(format!("casino-shown-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let journal = folder.join("day.jsonl");
        fs::write(&journal, "journal").unwrap();
        assert_eq!(History::read(&journal), None);
        let montage = ShownRounds::Montage { round: 3, table: 0, in_step: true, gap: false };
        let mut log = ShownLog::open(&journal, true).unwrap();
        let began = |round| ShownRounds::Began { round, tables: vec![3], in_step: true, gap: true };
        for shown in [began(1), detail(1), ShownRounds::Exits { round: 1 }, montage.clone(), began(5)] {
            log.add(&shown, None).unwrap();
        }
        let path = folder.join("day.jsonl.shown");
        let torn = fs::read_to_string(&path).unwrap() + "{\"detail\":{\"rou";
        fs::write(&path, torn).unwrap();
        let mut history = History::read(&journal).unwrap();
        assert_eq!((history.last(), history.has_announced(1), history.has_podium()), (3, true, false));
        assert_eq!(history.of_round(1), Some(&detail(1)));
        assert_eq!(history.of_round(3), Some(&montage));
        assert_eq!(history.of_round(5), None);
        assert_eq!((history.begun(5), history.begun(1)), (Some(&began(5)), None));
        let left = Some(Duration::from_millis(65_900));
        ShownLog::open(&journal, false).unwrap().add(&ShownRounds::Podium, left).unwrap();
        assert_eq!(
            (history.left(), History::read(&journal).unwrap().left()),
            (None, Some(Duration::from_secs(65)))
        );
        assert!(History::read(&journal).unwrap().has_podium(), "the torn line is cut off");
        ShownLog::open(&journal, true).unwrap();
        assert_eq!(History::read(&journal), None, "a new tournament has been shown to nobody");
        fs::write(&path, "something else\n").unwrap();
        assert!(ShownLog::open(&journal, true).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "something else\n");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_changed_bit_invalidates_a_line_of_the_shown_log() {
        let lines = [
            detail(1),
            ShownRounds::Exits { round: 1 },
            ShownRounds::Clock { left: 65 },
            ShownRounds::Podium,
        ];
        let text: String = lines.iter().map(sealed_line).collect();
        let read = |bytes: &[u8]| WholeLines::of(bytes).collect::<Vec<_>>();
        assert_eq!(read(text.as_bytes()), lines);
        for bit in 0..8 * text.len() {
            let mut flipped = text.clone().into_bytes();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let whole = text[..bit / 8].matches('\n').count();
            assert_eq!(read(&flipped), lines[..whole], "{bit}");
        }
    }

    #[test]
    fn lines_after_a_damaged_one_are_read_back() {
        let folder = std::env::temp_dir().join(format!("casino-shown-damaged-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (journal, path) = (folder.join("day.jsonl"), folder.join("day.jsonl.shown"));
        fs::write(&journal, "journal").unwrap();
        let text: String = [detail(1), detail(2), detail(3)].iter().map(sealed_line).collect();
        let line = text.find('\n').unwrap() + 1;
        for (at, is_read) in [(4, 0), (line - 20, 0), (line - 1, 0), (line + 4, 1), (2 * line + 4, 2)] {
            let mut damaged = text.clone().into_bytes();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            ShownLog::open(&journal, false).unwrap().add(&ShownRounds::Podium, None).unwrap();
            let history = History::read(&journal).unwrap();
            assert!(history.has_podium() && history.lines.len() == is_read + 1, "{at}: {history:?}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
