//! The report of a journal as files in a folder.

use casino_host::open_replay;
use std::error::Error;
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::report::{ReportData, card, certificates, overview};
use casino_analysis::coach::{Coach, Notebook};
use casino_show::rounds::TournamentInfo;
use casino_stud::journal::Occasion;
use casino_stud::parallel::cores;
use casino_stud::replay::{Segment, SummaryBuilder, names};

use casino_judge::figures::PAGE_MARK;
use casino_system::files::{self, write_output};

use super::SessionError;
use super::files::{make_real_folder, numbered};

/// The options of a report.
#[derive(Clone, Debug)]
pub(crate) struct ReportWishes {
    /// Which journal of the day it is, from 1.
    pub(crate) number: u32,
    /// Whether to write the page with all certificates: the tournament must be over.
    pub(crate) certificates: bool,
    /// Title, place and date that replace the journal's.
    pub(crate) occasion: Occasion,
}

/// The files of a report, and whether the coach has looked at the tournament, which must be over for that.
pub(crate) struct WrittenReport {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) is_coached: bool,
}

/// Writes the report of a journal into a folder. Calls `progress` with the numbers of analysed rounds and of rounds to
/// analyse.
pub(crate) fn write_report(
    journal: &Path,
    folder: &Path,
    wishes: &ReportWishes,
    progress: impl FnMut(u64, u64),
) -> Result<WrittenReport, SessionError> {
    let number = wishes.number;
    let mut replay = open_replay(journal).map_err(|error| unreadable(journal, error))?;
    let header = replay.header();
    let seed = header.seed().map_err(|error| unreadable(journal, error))?;
    let info = TournamentInfo::new(header, &seed, number);
    let mut account = ReportData::new(TournamentInfo {
        players: names(header),
        occasion: Occasion {
            title: wishes.occasion.title.clone().or(info.occasion.title),
            venue: wishes.occasion.venue.clone().or(info.occasion.venue),
        },
        ..info
    });
    let names = names(header);
    let mut observers = (SummaryBuilder::new(header), Notebook::default());
    let mut rounds = Vec::new();
    while let Some(part) = replay.next(&mut observers).map_err(|error| unreadable(journal, error))? {
        if let Segment::Round { .. } = part {
            account.add_round(observers.0.round());
            rounds.extend(observers.1.take());
        }
    }
    if wishes.certificates && !replay.is_finished() {
        return Err(unreadable(
            journal,
            "the tournament is not over, and certificates need the places: leave out --certificates",
        ));
    }
    add_replies(journal, &mut account);
    // Until the tournament is over, hole cards and their values are secret.
    let is_coached = replay.is_finished();
    if is_coached {
        let coach = Coach::new(names, &rounds);
        account.coached(&coach.analyse_all(&rounds, cores(), progress));
    }
    account.close(&replay.event().standings(), replay.is_finished(), seed.text());
    let cards = numbered(folder.join("cards"), number);
    make_real_folder(&cards)?;
    let page = numbered(folder.join("report.html"), number);
    let failed = |path: &Path, source| SessionError::Write { path: path.to_path_buf(), source };
    let file_names: Vec<String> = account.players().iter().enumerate().map(card_file).collect();
    let in_folder = |folder: &Path| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let card_paths: Vec<String> =
        file_names.iter().map(|name| format!("{}/{name}", in_folder(&cards))).collect();
    let overview = overview(&account, &card_paths).map_err(|error| failed(&page, error))?;
    let mut files = vec![(page, overview)];
    for (seat, name) in file_names.iter().enumerate() {
        let page = cards.join(name);
        let card = card(&account, seat).map_err(|error| failed(&page, error))?;
        files.push((page, card));
    }
    if wishes.certificates {
        files.push((numbered(folder.join("certificates.html"), number), certificates(&account)));
    }
    for (path, text) in &files {
        write_output(path, text.as_bytes(), &[PAGE_MARK]).map_err(|error| failed(path, error.into()))?;
    }
    Ok(WrittenReport { files: files.into_iter().map(|(path, _)| path).collect(), is_coached })
}

/// The file of the card of the player in this seat, counted from 0. Its name is plain: archives and file systems that a folder
/// is handed on with do not agree about other letters.
fn card_file((seat, name): (usize, &String)) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let words: Vec<&str> = [""].into_iter().chain(plain.split('-').filter(|word| !word.is_empty())).collect();
    format!("{:02}{}.html", seat + 1, words.join("-"))
}

fn unreadable(journal: &Path, source: impl Into<Box<dyn Error + Send + Sync>>) -> SessionError {
    SessionError::Unreadable { path: journal.to_path_buf(), source: source.into() }
}

/// The measured times beside a journal, as far as there are any: nothing depends on them.
fn add_replies(journal: &Path, account: &mut ReportData) {
    let mut name = journal.as_os_str().to_owned();
    name.push(".times.csv");
    let Ok(file) = files::open(&PathBuf::from(name)) else { return };
    for line in std::io::BufReader::new(file).lines().map_while(Result::ok) {
        let mut fields = line.split(',').skip(1).map(str::parse::<u64>);
        if let (Some(Ok(seat @ 1..)), Some(Ok(took))) = (fields.next(), fields.next()) {
            account.add_reply(seat as usize - 1, Duration::from_micros(took));
        }
    }
}
