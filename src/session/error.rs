//! Why a day of tournaments cannot begin, or cannot go on.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use thiserror::Error;

use casino_stud::shown::{self, one_line};
use casino_stud::tournament::{FEWEST_PLAYERS, MAX_PLAYERS};

/// Why a day of tournaments cannot begin, or cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The sentences say what the variants and their fields are.
pub enum SessionError {
    #[error("a game takes at least two players, and there is {}", if *players == 0 { "nobody" } else { "one" })]
    TooFewPlayers { players: usize },
    #[error("{players} players do not fit at one table, which has {seats} seats")]
    TooManyPlayers { players: usize, seats: usize },
    #[error("there are {players} players, where an event has {FEWEST_PLAYERS} to {MAX_PLAYERS}")]
    EventPlayers { players: usize },
    #[error("{players} stacks are {chips} chips, more than can be counted")]
    TooManyChips { players: usize, chips: u64 },
    #[error(
        "{players} players take {needed} open files, and the system allows this process {allowed}: raise the limit \
         first, as by ulimit -n {needed}"
    )]
    TooFewFiles { players: usize, needed: u64, allowed: u64 },
    #[error("{} is there already; a journal is never overwritten", path.display())]
    JournalExists { path: PathBuf },
    #[error("there is no page that could stay")]
    NoPageToStay,
    /// A new journal cannot be written.
    #[error("the journal {} cannot be written: {source}", shown::path(path))]
    NewJournal { path: PathBuf, source: io::Error },
    #[error("the journal {} cannot be written: there is no folder {}", path.display(), folder.display())]
    NoJournalFolder { path: PathBuf, folder: PathBuf },
    #[error(
        "the names and players of a lobby that was interrupted cannot be read: {source}; remove {} to begin without them",
        shown::path(path)
    )]
    Decisions { path: PathBuf, source: Box<dyn Error + Send + Sync> },
    #[error("the results cannot be written to {}: {source}", path.display())]
    Results { path: PathBuf, source: io::Error },
    #[error("{} cannot be resumed: {source}", shown::path(path))]
    NotResumable { path: PathBuf, source: Box<dyn Error + Send + Sync> },
    #[error("{} names {}, and starting {} was not confirmed", shown::path(path), command_lines(commands), if commands.len() == 1 { "it" } else { "they" })]
    ProgramsNotAllowed {
        path: PathBuf,
        /// The command lines. Not harmless, but in the error's own sentence.
        commands: Vec<String>,
    },
    #[error("there is no journal of a tournament that is not over in {}{}", folder.display(), still(running.as_deref()))]
    NothingUnfinished { folder: PathBuf, running: Option<PathBuf>, over: Option<PathBuf> },
    #[error("the folder {} cannot be listed: {source}", path.display())]
    Unlisted { path: PathBuf, source: io::Error },
    #[error("{players} of the players connect over the network")]
    NoAddress { players: usize },
    #[error("the folder {} cannot be made: {source}", path.display())]
    Folder { path: PathBuf, source: io::Error },
    /// The page or the console cannot be opened.
    #[error(transparent)]
    Page(Box<dyn Error + Send + Sync>),
    #[error("{address} cannot be listened on: {source}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("{}: {source}", path.display())]
    Unreadable { path: PathBuf, source: Box<dyn Error + Send + Sync> },
    #[error("the system gives no random numbers: {0}")]
    Random(#[source] getrandom::Error),
    #[error("{0}")]
    Program(Box<dyn Error + Send + Sync>),
    /// The journal says something about the tournament that cannot be.
    #[error(transparent)]
    Header(Box<dyn Error + Send + Sync>),
    /// A resumed journal cannot be written.
    #[error("the journal {} cannot be written: {source}", shown::path(path))]
    OldJournal { path: PathBuf, source: io::Error },
    #[error(
        "the tournament was stopped, because events could not be recorded any more{}: {source}. Nothing was \
         announced that is not in the journal", in_journal(journal.as_deref())
    )]
    Recording { journal: Option<PathBuf>, resume: Option<String>, source: io::Error },
    #[error("{} cannot be written: {source}", path.display())]
    Write { path: PathBuf, source: Box<dyn Error + Send + Sync> },
    /// A notice could not be shown.
    #[error(transparent)]
    DayNotice(io::Error),
    /// The system denies a server's resources: sockets, signals or threads.
    #[error(transparent)]
    System(io::Error),
}

impl SessionError {
    /// Whether the request was rejected before anything began: other options or other files are needed.
    pub fn is_usage(&self) -> bool {
        use SessionError as E;
        match self {
            E::TooFewPlayers { .. } | E::TooManyPlayers { .. } | E::EventPlayers { .. } => true,
            E::TooManyChips { .. } | E::TooFewFiles { .. } => true,
            E::JournalExists { .. } | E::NewJournal { .. } | E::NotResumable { .. } => true,
            E::NoJournalFolder { .. } | E::Decisions { .. } | E::Results { .. } => true,
            E::NothingUnfinished { .. } | E::Unlisted { .. } | E::ProgramsNotAllowed { .. } => true,
            E::NoAddress { .. } | E::Folder { .. } | E::Page(_) | E::Listen { .. } => true,
            E::Unreadable { .. } | E::NoPageToStay => true,
            E::Random(_) | E::Program(_) | E::Header(_) | E::OldJournal { .. } => false,
            E::Recording { .. } | E::Write { .. } | E::DayNotice(_) | E::System(_) => false,
        }
    }

    /// Whether the only failure is a closed output.
    pub fn is_unread(&self) -> bool {
        match self {
            SessionError::DayNotice(error) => error.kind() == io::ErrorKind::BrokenPipe,
            _ => false,
        }
    }

    pub(super) fn new_journal(path: &Path, source: io::Error) -> SessionError {
        let path = path.to_path_buf();
        match source.kind() {
            io::ErrorKind::AlreadyExists => SessionError::JournalExists { path },
            _ => SessionError::NewJournal { path, source },
        }
    }

    pub(super) fn header(error: impl Into<Box<dyn Error + Send + Sync>>) -> SessionError {
        SessionError::Header(error.into())
    }
}

/// Where the record was to go, as part of a sentence.
fn in_journal(journal: Option<&Path>) -> String {
    journal.map(|journal| format!(" in {}", shown::path(journal))).unwrap_or_default()
}

/// Complete command lines, one per line: a hidden part could be the harmful one.
fn command_lines(commands: &[String]) -> String {
    let number =
        if commands.len() == 1 { "a program".to_string() } else { format!("{} programs", commands.len()) };
    let lines: String = commands.iter().map(|command| format!("\n    {}", one_line(command))).collect();
    format!("{number}:{lines}\n")
}

/// The journal that is still being written, as the end of a sentence.
fn still(running: Option<&Path>) -> String {
    let words = |journal: &Path| format!(" ({} is still being written by a host)", shown::path(journal));
    running.map(words).unwrap_or_default()
}
