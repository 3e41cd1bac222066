//! `casino ladder submit`: handing a program in, over the network or where the ladder is.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use casino_judge::grade::submission::{archive_stem, pack};
use casino_ladder::HandedInBy;
use casino_system::files;

use super::super::output::remark;
use super::super::{Failure, Output};
use super::{failure, now_ms, open};
use crate::ladder::{RemoteError, RemoteLadder, RemoteVersion, address_and_key, check_archive_name};

/// Where the key is looked for that no flag and no link has.
const KEY: &str = "CASINO_LADDER_KEY";

/// How long until it is asked again what the check came to.
const ASK_AGAIN: Duration = Duration::from_secs(2);

/// Hand a program in, with the key of a personal link
#[derive(Args)]
#[command(
    after_help = "A folder is packed without links, caches and what begins with a dot. Over the network it is waited for what the check says.

Exit codes: 0 handed in, 1 it did not pass the check or nobody answers, 2 it was refused or the flags cannot be used.

Examples:
  casino ladder submit 'http://192.168.0.7:8080/#key=0123456789abcdef0123456789abcdef' my-bot/
  CASINO_LADDER_KEY=0123456789abcdef0123456789abcdef casino ladder submit https://ladder.example.org/ my-bot/ --json
  casino ladder submit spring my-bot/ --key 0123456789abcdef0123456789abcdef"
)]
pub(super) struct Submit {
    /// Where the ladder's page is, or the whole personal link; on the ladder's own machine also its folder
    #[arg(value_name = "URL|DIR")]
    at: String,
    /// The folder or archive of the program
    #[arg(value_name = "PROGRAM")]
    program: PathBuf,
    /// The key, as the teacher gave it [default: that of the link, or the environment's CASINO_LADDER_KEY, which others on this
    /// machine do not see]
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// How long it is waited for what the check says; 0 not at all
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    wait: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Submit {
    pub(super) fn run(self) -> Result<(), Failure> {
        let (address, of_link) = address_and_key(&self.at);
        let of_environment = || std::env::var(KEY).ok();
        let key = self.key.clone().or(of_link.map(str::to_string)).or_else(of_environment);
        let key = key.ok_or_else(|| {
            Failure::Usage(format!(
                "there is no key: name the whole personal link, or give its key by --key or in {KEY}"
            ))
        })?;
        let is_remote = ["http://", "https://"].iter().any(|scheme| address.starts_with(scheme));
        let version = if is_remote {
            self.over_the_network(address, key.trim())?
        } else {
            self.in_the_folder(Path::new(&self.at), key.trim())?
        };
        self.tell(&version)
    }

    fn in_the_folder(&self, folder: &Path, key: &str) -> Result<RemoteVersion, Failure> {
        let mut ladder = open(folder)?;
        let player = ladder
            .player_of_key(key)
            .map_err(failure)?
            .ok_or_else(|| Failure::Usage("this key is nobody's: ask for a new one".to_string()))?;
        let id = ladder.take_in(player.id, &self.program, HandedInBy::Player, now_ms()).map_err(failure)?;
        let version = ladder.version(id).map_err(failure)?;
        let state = version.state.word().to_string();
        let (reason, diagnosis) = (version.reason, version.diagnosis);
        Ok(RemoteVersion { label: version.label, state, reason, diagnosis })
    }

    fn over_the_network(&self, address: &str, key: &str) -> Result<RemoteVersion, Failure> {
        let ladder = RemoteLadder::new(address, key).map_err(remote)?;
        // Whose key is wrong hears it before anything is sent.
        let most = ladder.place().map_err(remote)?.most_bytes;
        let (name, archive) = self.archive()?;
        if archive.len() as u64 > most {
            return Err(Failure::Usage(format!(
                "{name} has {} bytes and may have {most}: hand in the sources alone",
                archive.len()
            )));
        }
        let label = ladder.hand_in(&name, &archive).map_err(remote)?;
        remark(&format!("{label} has come, and is being built and checked."));
        let until = Instant::now() + Duration::from_secs(self.wait);
        loop {
            let versions = ladder.place().map_err(remote)?.versions;
            let found = versions.into_iter().find(|version| version.label == label);
            let found = found.ok_or_else(|| Failure::Broke(format!("the ladder does not know {label}")))?;
            if found.state != "waiting" || Instant::now() >= until {
                return Ok(found);
            }
            std::thread::sleep(ASK_AGAIN);
        }
    }

    /// What is sent, and what it is called.
    fn archive(&self) -> Result<(String, Vec<u8>), Failure> {
        let unusable = |error| Failure::Usage(format!("{}: {error}", self.program.display()));
        let whole = self.program.canonicalize().map_err(unusable)?;
        let called = whole.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !whole.is_dir() {
            if archive_stem(&called).is_none() {
                return Err(Failure::Usage(format!(
                    "{} is no folder and no archive: name the folder of the sources",
                    self.program.display()
                )));
            }
            check_archive_name(&called).map_err(failure)?;
            return Ok((called, files::read(&whole).map_err(unusable)?));
        }
        let packed = pack(&whole).map_err(Failure::usage)?;
        if !packed.left_out.is_empty() {
            let names: Vec<_> =
                packed.left_out.iter().take(10).map(|path| path.display().to_string()).collect();
            let more = packed.left_out.len().saturating_sub(names.len());
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            remark(&format!("Left out: {}{more}", names.join(", ")));
        }
        Ok((archive_name(&called), packed.bytes))
    }

    fn tell(&self, version: &RemoteVersion) -> Result<(), Failure> {
        let RemoteVersion { label, state, reason, diagnosis } = version;
        let mut output = Output::stdout();
        if self.json {
            let told = serde_json::json!({ "version": label, "state": state, "reason": reason, "diagnosis": diagnosis });
            output.line(told)?;
        } else {
            output.line(match state.as_str() {
                "ready" => format!("{label} passed the check and plays."),
                "waiting" => format!(
                    "{label} waits to be built and checked; its place on the page says what came of it."
                ),
                _ => format!("{label} does not play."),
            })?;
            match (state.as_str(), diagnosis, reason) {
                ("refused" | "set_aside", Some(said), _) | ("refused" | "set_aside", None, Some(said)) => {
                    output.line(said)?;
                }
                _ => {}
            }
        }
        output.flush()?;
        if matches!(state.as_str(), "ready" | "waiting") { Ok(()) } else { Err(Failure::Verdict(1)) }
    }
}

/// What the other side refuses is told as a mistake in how it was asked, and what is lost as a failure.
fn remote(error: RemoteError) -> Failure {
    match error {
        RemoteError::Address(_) | RemoteError::Refused(_) => Failure::usage(error),
        RemoteError::Lost(_) => Failure::broke(error),
    }
}

/// What the archive of a folder is called: as the folder, with what an archive's name may have.
fn archive_name(folder: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let name: String = folder.chars().map(plain).take(60).collect();
    let name = name.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
    format!("{}.tar.gz", if name.is_empty() { "program" } else { name })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_gets_a_name_that_the_ladder_takes() {
        for folder in ["bot", "my bot", "-rf", "..", "\u{e9}t\u{e9}", "", &"x".repeat(300)] {
            let name = archive_name(folder);
            check_archive_name(&name).unwrap();
        }
        assert_eq!(archive_name("my bot"), "my-bot.tar.gz");
    }
}
