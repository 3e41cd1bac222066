//! `casino ladder DIR`: plays due matches, for weeks.

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

use casino_host::on_interrupt;
use casino_judge::check::CheckSettings;
use casino_judge::grade::similar::StarterKits;
use casino_judge::sandbox::Policy;
use casino_ladder::{
    JobNews, Jobs, Ladder, LadderError, Lane, MatchEnd, Version, VersionKind, VersionState, Workshop,
};
use casino_system::sockets::raise_file_limit;

use crate::ladder::ServedLadder;
use crate::session::{open_page, open_to, page_url, typed_addresses};

use super::super::new_bot::kit_files;
use super::super::output::remark;
use super::super::values::{ALL_INTERFACES, address, positive, threads};
use super::super::{Failure, judging};
use super::{import, now_ms};

#[derive(Args)]
pub(super) struct Serve {
    /// Folder of the ladder, created if necessary
    #[arg(value_name = "DIR", required = true)]
    folder: Option<PathBuf>,
    /// Serve the pages and the teacher's console at this port or address [default: no page]
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(ALL_INTERFACES))]
    web: Option<SocketAddr>,
    /// Port or address where bots connect and wait for their matches [default: none]
    #[arg(long, value_name = "ADDR:PORT", value_parser = address(ALL_INTERFACES))]
    bind: Option<SocketAddr>,
    /// A CSV file with the columns github_id and name: new players in it join
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
    /// Matches played at a time, at most one per core [default: 1]
    #[arg(short, long, value_name = "N", value_parser = threads)]
    jobs: Option<NonZero<usize>>,
    /// Number of matches to play [default: until Ctrl-C]
    #[arg(long, value_name = "N", value_parser = positive::<u64>())]
    matches: Option<u64>,
    /// Sandbox: auto (bubblewrap where it works), require, plain (without bubblewrap) or off
    #[arg(long, default_value = "auto")]
    sandbox: Policy,
}

impl Serve {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Some(folder) = self.folder else { return Ok(()) };
        let mut ladder = Ladder::create(&folder)?;
        ladder.add_house_bots(now_ms())?;
        let unknown = ladder.serve()?;
        if !unknown.is_empty() {
            remark(&format!(
                "Journals in matches/ that the database does not know and that cannot be taken in again, as their versions are \
                 missing: {}. They are kept and do not count.",
                unknown.join(", ")
            ));
        }
        if let Some(roster) = &self.roster {
            import::add_roster(&mut ladder, roster)?;
        }
        raise_file_limit();
        let sandbox = judging::sandbox(self.sandbox, false)?;
        let kits = StarterKits::of(kit_files());
        let workshop = Workshop::new(sandbox, CheckSettings::default()).naming(kits);
        let first = || {
            remark(
                "The matches in progress are void; finished ones are kept. Press Ctrl-C again to end at once.",
            )
        };
        let interrupted = on_interrupt(first).map_err(Failure::runtime)?;
        let failed = AtomicBool::new(false);
        let stop = || interrupted.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
        let shown = Mutex::new(Ladder::open(&folder)?);
        let served = ServedLadder::open(&folder, self.web, self.bind).map_err(Failure::usage)?;
        print_addresses(&served);
        remark(&current_match(&ladder)?);
        let news = |news: &JobNews| {
            served.publish(news);
            if let Ok(ladder) = shown.lock() {
                in_words(&ladder, news).inspect(|words| remark(words));
            }
        };
        let jobs = Jobs::new(&workshop, &now_ms, &news, &stop, self.matches).seating(&served);
        let count = self.jobs.map_or(1, NonZero::get);
        let mut why = Vec::new();
        std::thread::scope(|scope| {
            let work = |lane| jobs.work(&folder, lane).inspect_err(|_| failed.store(true, Ordering::Relaxed));
            let lanes = std::iter::once(Lane::Checks).chain(std::iter::repeat_n(Lane::Matches, count));
            let working: Vec<_> = lanes.map(|lane| scope.spawn(move || work(lane))).collect();
            for job in working {
                match job.join() {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => why.push(error),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        if let Some(error) = why.pop() {
            return Err(error.into());
        }
        Ok(())
    }
}

/// Says where the page, the console and the door are.
fn print_addresses(served: &ServedLadder) {
    if let Some(page) = served.page {
        remark(&open_page("The ladder's page", page));
        let url = page_url(page);
        let url = url.trim_end_matches('/');
        remark(&format!("The teacher's console, keep this link secret: {url}/console.html#{}", served.token));
    }
    if let Some(door) = served.door {
        remark(&format!(
            "Bots connect at {}, which is {}.",
            typed_addresses(door).join(" or "),
            open_to(door)
        ));
    }
}

/// The current match, or the reason for waiting.
fn current_match(ladder: &Ladder) -> Result<String, LadderError> {
    let plays = |version: &&Version| version.kind != VersionKind::House;
    let playing = ladder.active_versions()?.iter().filter(plays).count();
    let waiting = ladder.waiting_versions()?.len();
    Ok(match (playing, waiting) {
        (0, 0) => "There is no player yet, and house bots do not play among themselves: the ladder waits for submissions \
                   (`casino ladder import --help`) or connections."
            .to_string(),
        (playing, 0) => format!("Programs that play: {playing}."),
        (playing, waiting) => format!("Programs that play: {playing}; to be checked first: {waiting}."),
    })
}

/// The event, in a line; `None` for new ratings, which the page shows.
fn in_words(ladder: &Ladder, news: &JobNews) -> Option<String> {
    Some(match news {
        JobNews::Rated(_) => return None,
        JobNews::Checked { version } => {
            let plays = match version.state {
                VersionState::Ready => "passed the check and plays.",
                _ => "does not play:",
            };
            format!("{} {plays} {}", version.label, version.remark().unwrap_or_default())
                .trim_end()
                .to_string()
        }
        JobNews::Ended { id, end: MatchEnd::Played } => match result(ladder, *id) {
            Ok(line) => line,
            Err(error) => format!("A match is over: {error}"),
        },
        JobNews::Ended { end: MatchEnd::Void(why) | MatchEnd::Machine(why), .. } => {
            format!("A match is void: {why}")
        }
        JobNews::Resting(why) => format!("Waiting for ten seconds: {why}"),
    })
}

fn result(ladder: &Ladder, id: casino_ladder::MatchId) -> Result<String, LadderError> {
    let found = ladder.match_of(id)?;
    let mut seats = Vec::new();
    for seat in &found.seats {
        let chips = seat.result.map(|result| result.chips).unwrap_or_default();
        seats.push(format!("{} {chips:+}", ladder.version(seat.version)?.label));
    }
    Ok(format!("{}: {}", found.name, seats.join(", ")))
}

#[cfg(test)]
mod tests {
    use casino_ladder::NewVersion;

    use super::*;

    #[test]
    fn a_ladder_reports_why_it_waits() {
        let folder = std::env::temp_dir().join(format!("casino-ladder-waits-{}", std::process::id()));
        let mut ladder = Ladder::create(&folder).unwrap();
        ladder.add_house_bots(1).unwrap();
        assert!(current_match(&ladder).unwrap().contains("the ladder waits"));
        let player = ladder.add_player("Ada", None, 1).unwrap();
        let new = NewVersion {
            player,
            kind: VersionKind::Submission,
            source: "bot".to_string(),
            content_sha256: None,
            bytes: 1,
        };
        let version = ladder.add_version(&new, 1, |_| Ok(())).unwrap();
        assert_eq!(current_match(&ladder).unwrap(), "Programs that play: 0; to be checked first: 1.");
        ladder.set_checked(version, VersionState::Ready, None, None).unwrap();
        assert_eq!(current_match(&ladder).unwrap(), "Programs that play: 1.");
        drop(ladder);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
