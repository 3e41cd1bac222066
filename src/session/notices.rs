//! Messages to the people around a day of tournaments.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use casino_host::ProgramStartError;
use casino_stud::cards::Seed;
use casino_stud::journal::Tail;
use casino_stud::tournament::{EventPlan, Player, Recorder, TimeBankUse};

use super::{Conclusion, MorePlay, Opening, PlayedProgram, Showing};

/// Prints messages and shows the tournaments: on a terminal, or nowhere in a test.
pub trait DayNotices: Send + Sync {
    /// Tells people something.
    fn notify(&self, notice: &DayNotice<'_>) -> io::Result<()>;

    /// Announces the beginning or the continuation of a tournament, and makes its display if there is one.
    fn begin(&self, start: &TournamentStart<'_>) -> io::Result<Option<Box<dyn Recorder>>>;

    /// Opens the displays of the day. It is called once, and only if [`Options`](super::Options) ask for a page or a
    /// console.
    fn open(&self, _opening: Opening) -> Result<Box<dyn Showing>, Box<dyn Error + Send + Sync>> {
        Err("nothing here can show a day".into())
    }

    /// Asks whether these programs of a journal may be started, before any of them is. The default is no.
    fn allows_programs(&self, _programs: &[RecordedProgram<'_>]) -> io::Result<bool> {
        Ok(false)
    }

    /// How to resume a stopped tournament, as part of the result.
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
    /// The link with which people take chairs in a browser.
    Chairs { url: &'a str },
    /// Players can connect to this address.
    Listening(SocketAddr),
    /// The addresses of the dealer's port: at the start, and whenever the machine's addresses have changed.
    Addresses(SocketAddr),
    /// A player came to the lobby or left it, or was refused.
    Lobby(LobbyNotice),
    /// The default number of rounds.
    RoundLimit(u64),
    /// The minutes are many for the players, so that more is played.
    MorePlay(MorePlay),
    /// Reply times are not written beside the journal, because the host does not own the file there.
    NoTimes { why: &'a io::Error },
    /// The end of the journal does not count and is cut off.
    TornJournal { journal: &'a Path, tail: Tail },
    /// The tournament in the journal is over: only its result can be shown.
    AlreadyOver { journal: &'a Path },
    /// The tournament continues with the round of this number.
    GoesOn(u64),
    /// A player used its time bank (R17).
    TimeBank { name: &'a str, round: u64, bank: TimeBankUse },
    /// A player's ladder version does not start, and stays out of the tournament.
    StaysOut { name: &'a str, why: &'a ProgramStartError },
    /// The tournament ends after this round, with places by chips.
    Ending,
    /// The round is played to its end; then the tournament stops.
    Stopping,
    /// The tournament is over, or it was stopped.
    Concluded(&'a Conclusion),
    /// The page stays until the process is interrupted.
    PageStays,
    /// The outcome of the started programs, and the folder with their output; `None` if there was no output and nothing
    /// is kept.
    ProgramOutputs { folder: Option<&'a Path>, programs: &'a [PlayedProgram] },
}

/// A change in the lobby, without anything that has to stay secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LobbyNotice {
    /// A change in the lobby.
    pub what: LobbyChange,
    /// How many players are in now.
    pub inside: usize,
    /// How many there are to be; 0 if that is open.
    pub wanted: usize,
}

/// An event in a lobby.
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
    /// The origin of every deck. If it was drawn, only its promise is public.
    pub seed: &'a Seed,
    /// All players of the tournament, in its order.
    pub players: &'a [Player],
    /// The players who have not left, in seat order: indices of `players`.
    pub playing: &'a [usize],
    /// The most rounds that are played in a tournament, if there is a limit.
    pub rounds: Option<u64>,
    /// The event: format and tables.
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
