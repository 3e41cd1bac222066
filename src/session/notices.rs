//! What the people around a day of tournaments are told.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use casino_host::ProgramStartError;
use casino_stud::cards::Seed;
use casino_stud::tournament::{EventPlan, Player, Recorder, TimeBankUse};

use super::{Conclusion, MorePlay, Opening, PlayedProgram, Showing};

/// Tells people what happens, and shows them the tournaments: on a terminal, or nowhere in a test.
pub trait DayNotices: Send + Sync {
    /// Tells people something.
    fn tell(&self, notice: &DayNotice<'_>) -> io::Result<()>;

    /// Tells people that a tournament begins or goes on, and makes what shows it to them, if anything does.
    fn begin(&self, start: &TournamentStart<'_>) -> io::Result<Option<Box<dyn Recorder>>>;

    /// Opens what shows the day. It is called once, and only if [`Options`](super::Options) want a page or a
    /// console.
    fn open(&self, _opening: Opening) -> Result<Box<dyn Showing>, Box<dyn Error + Send + Sync>> {
        Err("nothing here can show a day".into())
    }

    /// Asks people whether these programs of a journal may be started, before any of them is. No, where nobody can be asked.
    fn allows_programs(&self, _programs: &[RecordedProgram<'_>]) -> io::Result<bool> {
        Ok(false)
    }

    /// What to do to go on with a tournament that is stopped, in words that are part of its result.
    fn how_to_resume(&self, stopped: &StoppedTournament<'_>) -> String;
}

/// Something that happened during a day of tournaments.
#[derive(Debug)]
#[non_exhaustive]
#[allow(missing_docs)] // The fields are named for what they are.
pub enum DayNotice<'a> {
    /// The page is open.
    Page(SocketAddr),
    /// The console is open.
    Console {
        address: SocketAddr,
        /// The secret that lets the teacher in.
        token: &'a str,
    },
    /// Here people sit down who play in a browser: whoever has the link may.
    Chairs { url: &'a str },
    /// Players can connect to this address.
    Listening(SocketAddr),
    /// A player came to the lobby or left it, or was refused.
    Lobby(LobbyNotice),
    /// Nobody said how many rounds are played: it is this many.
    RoundLimit(u64),
    /// The minutes are many for the players, so that more is played.
    MorePlay(MorePlay),
    /// No reply times are written beside the journal: what is there is not the host's to write to.
    NoTimes { why: &'a io::Error },
    /// The last line of the journal was not finished and is cut off.
    TornJournal { journal: &'a Path, torn: &'a str },
    /// The tournament in the journal is over: only its result can be shown.
    AlreadyOver { journal: &'a Path },
    /// The tournament goes on with the round of this number.
    GoesOn(u64),
    /// A player used its time bank (R17).
    TimeBank { name: &'a str, round: u64, bank: TimeBankUse },
    /// The version of somebody on the ladder does not come to play, and stays out of the tournament.
    StaysOut { name: &'a str, why: &'a ProgramStartError },
    /// The round is played to its end; then the tournament stops.
    Stopping,
    /// The tournament is over, or it was stopped.
    Concluded(&'a Conclusion),
    /// The page stays until the process is interrupted.
    PageStays,
    /// What became of the programs that were started, and the folder with what they printed. It is `None` if they printed
    /// nothing and nothing is kept.
    ProgramOutputs { folder: Option<&'a Path>, programs: &'a [PlayedProgram] },
}

/// A change in the lobby, without anything that has to stay secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LobbyNotice {
    /// What changed in the lobby.
    pub what: LobbyChange,
    /// How many players are in now.
    pub inside: usize,
    /// How many there are to be.
    pub wanted: usize,
}

/// What happened in a lobby.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The fields are named for what they are.
pub enum LobbyChange {
    /// A player has logged in, under this name.
    Entered(String),
    /// A player plays from another address than before: the teacher has to approve it at the console.
    Waits { from: IpAddr },
    /// A connection was refused.
    Refused { from: IpAddr, why: String },
    /// A player who had logged in is gone.
    Left { name: String, why: String },
}

/// A tournament that begins or goes on.
#[derive(Debug)]
pub struct TournamentStart<'a> {
    /// What every deck comes from. People may see only its promise if it was drawn.
    pub seed: &'a Seed,
    /// All players of the tournament, in its order.
    pub players: &'a [Player],
    /// The players who have not left, in seat order: indices of `players`.
    pub playing: &'a [usize],
    /// The most rounds that are played in a tournament, if there is a limit.
    pub rounds: Option<u64>,
    /// What is played at which tables.
    pub plan: &'a EventPlan,
}

/// A program that a journal names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedProgram<'a> {
    /// The name it was given.
    pub name: &'a str,
    /// Its command line, with `{host}` and `{port}`. Not harmless.
    pub command: &'a str,
}

/// A recorded tournament that was stopped before its end.
#[derive(Debug)]
pub struct StoppedTournament<'a> {
    /// The path of its journal.
    pub journal: &'a Path,
    /// Where players connect, if some of them do.
    pub address: Option<SocketAddr>,
    /// The folder for its results, if there is one.
    pub out: Option<&'a Path>,
    /// Whether programs are started again when it goes on.
    pub has_programs: bool,
}
