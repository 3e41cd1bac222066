//! `casino ladder bot`: runs a version anywhere, and the versions of absent players on the day.

use std::collections::BTreeSet;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;

use casino_host::driven::POLL_INTERVAL;
use casino_host::{LaunchedProgram, ProgramStarter};
use casino_judge::check::CheckSettings;
use casino_judge::sandbox::Policy;
use casino_ladder::{Ladder, Version, VersionKind, Workshop};
use casino_system::command_line::join;
use casino_system::processes::thread_named;

use super::super::output::remark;
use super::super::{Failure, Output, judging};
use super::Folder;
use crate::session::{LadderPlayer, Substitute};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

const EXIT_TIMEOUT: Duration = Duration::from_secs(3);

/// Start a version in the sandbox and connect it to this address
#[derive(Args)]
#[command(
    after_help = "Builds the version, starts it in the sandbox, and connects it to the host at the address. \
        `casino host --ladder` starts the versions of absent players this way.\n\n\
        Exit codes: 0 it has played, 1 it does not build or connect, or the host does not answer, 2 \
        there is no such version.\n\n\
        Examples:
  casino ladder bot spring Ada/3 127.0.0.1 9000"
)]
pub(super) struct BotArgs {
    #[command(flatten)]
    at: Folder,
    /// The version, as `status` shows it
    #[arg(value_name = "VERSION")]
    version: String,
    /// Where the game is
    #[arg(value_name = "HOST")]
    host: String,
    /// Its port
    #[arg(value_name = "PORT")]
    port: u16,
    /// Sandbox: auto (bubblewrap where it works), require, plain (without bubblewrap) or off
    #[arg(long, default_value = "auto")]
    sandbox: Policy,
}

impl BotArgs {
    pub(super) fn run(self) -> Result<(), Failure> {
        let ladder = Ladder::open(&self.at.folder)?;
        let version = ladder.version_labelled(&self.version)?;
        let Some(sha256) = &version.content_sha256 else {
            return Err(Failure::Usage(format!("{} was not submitted: it cannot be started", version.label)));
        };
        let workshop = Workshop::new(judging::sandbox(self.sandbox, false)?, CheckSettings::default());
        let built = workshop
            .build(&ladder.submission_file(&version), sha256)
            .map_err(|why| Failure::Runtime(format!("{} could not be built: {why}", version.label)))?;
        let mut program = workshop.starter(&built).launch().map_err(Failure::runtime)?;
        let theirs = connected(&mut program, &version)?;
        let game = TcpStream::connect((self.host.as_str(), self.port))
            .map_err(|error| Failure::Runtime(format!("{} port {}: {error}", self.host, self.port)))?;
        joined(&theirs, &game).map_err(Failure::runtime)?;
        let began = Instant::now();
        while program.process().exit().is_none() && began.elapsed() < EXIT_TIMEOUT {
            std::thread::sleep(POLL_INTERVAL);
        }
        let said = program.process().outputs();
        remark(said.stderr.trim_end());
        let mut output = Output::stdout();
        output.text(said.stdout)?;
        output.flush()
    }
}

fn connected(program: &mut LaunchedProgram, version: &Version) -> Result<TcpStream, Failure> {
    let absent = |program: &mut LaunchedProgram, why: &str| {
        let said = program.process().outputs().stderr;
        Failure::Runtime(format!("{} does not come to play: it {why}\n{said}", version.label))
    };
    let began = Instant::now();
    loop {
        match program.poll_connection() {
            Ok(Some((stream, _))) => return Ok(stream),
            Ok(None) if began.elapsed() > CONNECT_TIMEOUT => {
                return Err(absent(program, "did not connect within 60 s"));
            }
            Ok(None) => std::thread::sleep(POLL_INTERVAL),
            Err(why) => return Err(absent(program, &why.to_string())),
        }
    }
}

/// Copies bytes in both directions until both ends have closed or one has failed.
fn joined(one: &TcpStream, other: &TcpStream) -> io::Result<()> {
    for stream in [one, other] {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
    }
    let (from, to) = (one.try_clone()?, other.try_clone()?);
    let back = thread_named("ladder-bot", move || handed_on(&from, &to))?;
    handed_on(other, one);
    // It has ended when its socket has; a panic there has printed its message.
    let _ = back.join();
    Ok(())
}

fn handed_on(mut from: &TcpStream, mut to: &TcpStream) {
    // In any case the other side is told that no more bytes follow.
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

/// All active ladder players for the day: a player's active version is started unless a connection with its GitHubId
/// comes.
pub(in super::super) fn players(folder: &Path) -> Result<Vec<LadderPlayer>, Failure> {
    let ladder = Ladder::open(folder)?;
    let folder = std::path::absolute(folder).map_err(|error| Failure::of_path(folder, error))?;
    let here = std::env::current_exe().map_err(|error| {
        Failure::Runtime(format!("where this program is, the system does not say: {error}"))
    })?;
    let ranks = ladder.ranks(&ladder.ratings()?)?;
    let mut active = ladder.active_versions()?;
    active.retain(|version| version.kind == VersionKind::Submission);
    let mut names = BTreeSet::new();
    let mut players = Vec::new();
    for player in ladder.players()? {
        if player.is_house || player.is_stranger() || player.retired_ms.is_some() {
            continue;
        }
        let version = active.iter().find(|version| version.player == player.id);
        players.push(LadderPlayer {
            rank: ranks.get(&player.id).copied(),
            substitute: version.map(|version| substitute(version, &here, &folder, &mut names)),
            github_id: player.github_id.unwrap_or_else(|| format!("ladder:{}", player.name)),
            name: player.name,
        });
    }
    Ok(players)
}

fn substitute(version: &Version, here: &Path, folder: &Path, names: &mut BTreeSet<String>) -> Substitute {
    let plain: String = version.label.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let plain: String = plain.trim_matches('-').chars().take(30).collect();
    // Two names may become equal once their signs are removed.
    let mut program = plain.clone();
    let mut number = 1;
    while !names.insert(program.to_lowercase()) {
        number += 1;
        program = format!("{plain}-{number}");
    }
    let (here, folder) = (here.to_string_lossy(), folder.to_string_lossy());
    let words = join([&here, "ladder", "bot", &folder, version.label.as_str()]);
    Substitute { program, command: format!("{words} {{host}} {{port}}") }
}
