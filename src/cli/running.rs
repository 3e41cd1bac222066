//! A tournament being played, new or resumed: the show, the journal, the end.

use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use crate::cards::Seed;
use crate::journal::{Header, Journal, Plays, StandingLine, Terms};
use crate::server::{Limits, Player as Sitting, Seats, on_interrupt};
use crate::strategies::{Bot, HousePlayer};
use crate::stud::Chips;
use crate::tournament::{Ending, Freezeout, Player, Record, Standing, Standings, in_public, play_until};

use super::show::Show;
use super::{Failure, Output, output};

/// How a tournament is shown while it is played, and what is kept of it.
#[derive(Args, Clone)]
pub(crate) struct Presentation {
    /// Put the result, the journal and the output of started programs into this folder
    #[arg(long, value_name = "DIR")]
    pub(super) out: Option<PathBuf>,
    /// Print one JSON object at the end, and nothing for people
    #[arg(long)]
    pub(super) json: bool,
    /// Print only the final table
    #[arg(long)]
    quiet: bool,
    /// Wait this long after each round that is shown, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pace: u64,
}

impl Presentation {
    /// Whether text for people is wanted.
    pub(super) fn is_chatty(&self) -> bool {
        !self.json && !self.quiet
    }
}

/// Where the output of started programs goes.
pub(super) struct Folder {
    path: PathBuf,
    /// Whether it is only lent by the system.
    lent: bool,
}

impl Folder {
    /// The folder somebody named, or one in the system's place for such things if one is needed.
    pub(super) fn new(named: Option<&Path>, needed: bool) -> Result<Folder, Failure> {
        let (path, lent) = match named {
            Some(folder) => (folder.to_path_buf(), false),
            None => (std::env::temp_dir().join(format!("casino-day-{}", std::process::id())), true),
        };
        if !lent || needed {
            fs::create_dir_all(&path).map_err(|error| {
                Failure::Usage(format!("the folder {} cannot be made: {error}", path.display()))
            })?;
        }
        Ok(Folder { path, lent })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// The limits a tournament sets to those who connect.
pub(super) fn limits(terms: &Terms) -> Limits {
    Limits { reply: Duration::from_millis(terms.reply_ms), relogin: terms.relogin, ..Limits::default() }
}

/// A tournament that is about to be played, or played on.
pub(super) struct Running {
    pub(super) header: Header,
    pub(super) seed: Seed,
    pub(super) tournament: Freezeout,
    /// The journal and where it is.
    pub(super) journal: Option<(PathBuf, Journal)>,
    pub(super) presentation: Presentation,
    pub(super) folder: Folder,
    /// Where players connect.
    pub(super) address: Option<SocketAddr>,
}

/// The object `--json` prints.
#[derive(Serialize)]
struct Outcome {
    /// Not told while the tournament can still go on.
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promise: Option<String>,
    rounds: u64,
    ended: &'static str,
    /// The command that goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    resume: Option<String>,
    forfeited: Chips,
    standings: Vec<StandingLine>,
}

impl Running {
    /// Plays with house bots only, without any network.
    pub(super) fn in_process(mut self, bots: Vec<HousePlayer>) -> Result<(), Failure> {
        let mut bots: Vec<Box<dyn Bot>> = bots.into_iter().map(|bot| Box::new(bot) as Box<dyn Bot>).collect();
        let resume = self.resume_command();
        let mut record = self.record()?;
        let stop = on_interrupt(round_is_finished).map_err(Failure::broke)?;
        let ending =
            play_until(&mut self.tournament, &mut bots, &mut record, || stop.load(Ordering::Relaxed))
                .map_err(lost)?;
        drop(record);
        self.conclude(ending, resume)
    }

    /// Plays with everybody who sits there.
    pub(super) async fn networked(mut self, seated: Vec<Sitting>, limits: Limits) -> Result<(), Failure> {
        let resume = self.resume_command();
        let mut record = self.record()?;
        let stop = on_interrupt(round_is_finished).map_err(Failure::broke)?;
        let seats = Seats::new(seated, limits);
        let ending = seats
            .play(&mut self.tournament, &mut record, || stop.load(Ordering::Relaxed))
            .await
            .map_err(lost)?;
        drop(record);
        self.conclude(ending, resume)
    }

    /// Opens the show, says what has to be said before the first deal, and gives out who keeps what happens.
    fn record(&mut self) -> Result<Vec<Box<dyn Record>>, Failure> {
        let mut record: Vec<Box<dyn Record>> = Vec::new();
        if let Some((_, journal)) = self.journal.take() {
            record.push(Box::new(journal));
        }
        let mut output = Output::stdout();
        let chatty = self.presentation.is_chatty();
        match (self.seed.promise(), chatty) {
            (Some(promise), true) => {
                output.line(format_args!("The seed is drawn; its SHA-256 is {promise}."))?;
                output.line("The seed itself is shown at the end, so that every deck can be checked.")?;
            }
            (Some(promise), false) => output::remark(&format!("SHA-256 of the seed: {promise}")),
            (None, true) => output.line(format_args!("The seed is {:?}.", self.seed.text()))?,
            (None, false) => {}
        }
        if chatty {
            let players = self.header.roster();
            let playing = self.tournament.playing_on();
            let names: Vec<&str> =
                playing.into_iter().map(|seat| players[seat.index()].name.as_str()).collect();
            output.line(format_args!("At the table, in seat order: {}.", names.join(", ")))?;
            output.line("")?;
            output.flush()?;
            let pace = Duration::from_millis(self.presentation.pace);
            record.push(Box::new(Show::new(output, &players, pace)));
        }
        Ok(record)
    }

    /// The command line that goes on with this tournament, if it is recorded.
    fn resume_command(&self) -> Option<String> {
        let (journal, _) = self.journal.as_ref()?;
        let mut words = vec!["casino resume".to_string(), quoted(&journal.to_string_lossy())];
        let remote = self.header.players.iter().any(|player| player.plays == Plays::Remote);
        if let (Some(address), true) = (self.address, remote) {
            words.push(format!("--bind {address}"));
        }
        if let Some(folder) = &self.presentation.out {
            words.push(format!("--out {}", quoted(&folder.to_string_lossy())));
        }
        Some(words.join(" "))
    }

    /// Says who came where.
    pub(super) fn conclude(self, ending: Ending, resume: Option<String>) -> Result<(), Failure> {
        let players: Vec<Player> = self.header.roster();
        let standings = self.tournament.standings();
        let resume = resume.filter(|_| ending == Ending::Stopped);
        let outcome = Outcome {
            seed: resume.is_none().then(|| self.seed.text().to_string()),
            promise: self.seed.promise(),
            rounds: self.tournament.table().round_number(),
            ended: match ending {
                Ending::Played => "played",
                Ending::Stopped => "stopped",
            },
            resume,
            forfeited: self.tournament.table().forfeited(),
            standings: StandingLine::all(&standings, &players),
        };
        let json = serde_json::to_string(&outcome).map_err(Failure::broke)?;
        if let Some(folder) = &self.presentation.out {
            write_private(&folder.join("result.json"), &json)?;
        }
        let mut output = Output::stdout();
        if self.presentation.json {
            output.line(json)?;
        } else {
            self.final_table(&outcome, &standings, &players, &mut output)?;
        }
        self.tidy(&outcome, &mut output)?;
        output.flush()
    }

    fn final_table(
        &self,
        outcome: &Outcome,
        standings: &Standings,
        players: &[Player],
        output: &mut Output,
    ) -> Result<(), Failure> {
        let how = match outcome.ended {
            "stopped" => ", stopped early",
            _ => "",
        };
        let forfeited = match outcome.forfeited {
            0 => String::new(),
            chips => format!(", {chips} chips forfeited"),
        };
        output.line(format_args!("\nAfter {} rounds{how}{forfeited}:", outcome.rounds))?;
        let width = players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
        for Standing { place, player, chips, exit } in standings.places() {
            let left = match exit {
                Some(exit) => format!("left in round {}: {}", exit.round, in_public(&exit.why, players)),
                None if outcome.ended == "stopped" => "still in".to_string(),
                None => "in until the end".to_string(),
            };
            output.line(format_args!("{place:>3}. {:<width$} {chips:>8}  {left}", players[*player].name))?;
        }
        match (&outcome.resume, &outcome.seed) {
            (Some(command), _) => {
                output.line(format_args!("\nEverything is recorded. To go on:\n  {command}"))?;
            }
            (None, Some(seed)) if self.seed.is_drawn() => {
                output.line(format_args!("\nThe seed was {seed}."))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Throws the outputs of programs away if the folder is only lent and nobody will want to read them.
    fn tidy(&self, outcome: &Outcome, output: &mut Output) -> Result<(), Failure> {
        let programs: Vec<&str> = self
            .header
            .players
            .iter()
            .filter(|player| matches!(player.plays, Plays::Program { .. }))
            .map(|player| player.name.as_str())
            .collect();
        if !self.folder.lent || programs.is_empty() {
            return Ok(());
        }
        let fouled = |standing: &StandingLine| standing.how.as_ref().is_some_and(|how| how != "out of chips");
        let told = outcome
            .standings
            .iter()
            .any(|standing| programs.contains(&standing.name.as_str()) && fouled(standing));
        if told {
            if !self.presentation.json {
                output.line(format_args!(
                    "\nWhat the programs printed is in {}.",
                    self.folder.path.display()
                ))?;
            }
            return Ok(());
        }
        // A folder of a few log files that cannot be removed is no reason to fail.
        let _ = fs::remove_dir_all(&self.folder.path);
        Ok(())
    }
}

/// A word of a command line as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    match !word.is_empty() && !word.starts_with('-') && word.chars().all(plain) {
        true => word.to_string(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn write_private(path: &Path, text: &str) -> Result<(), Failure> {
    use std::io::Write;
    use std::os::unix::fs::OpenOptionsExt;
    let write = || -> io::Result<()> {
        let mut file =
            fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        writeln!(file, "{text}")
    };
    write().map_err(|error| Failure::Broke(format!("{} cannot be written: {error}", path.display())))
}

/// What could not be recorded was not announced: that is all that can be said.
fn lost(error: io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::NobodyReads,
        _ => Failure::Broke(format!(
            "the tournament was stopped, because what happened could not be recorded any more: {error}. Nothing \
             was announced that is not in the journal; once there is room again, casino resume goes on from there"
        )),
    }
}

fn round_is_finished() {
    output::remark("The round is played to its end; press Ctrl-C again to stop at once.");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("runs/day-1.jsonl"), "runs/day-1.jsonl");
        assert_eq!(quoted("casino day.jsonl"), "'casino day.jsonl'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("$(x)"), "'$(x)'");
        assert_eq!(quoted(""), "''");
    }
}
