//! Why a day of tournaments cannot begin, or cannot go on.

use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use thiserror::Error;

use casino_stud::shown::{self, one_line};
use casino_stud::tournament::MAX_PLAYERS;

/// Why a day of tournaments cannot begin, or cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// One table has too few players for a game.
    #[error("a game takes at least two players, and there is {}", if *players == 0 { "nobody" } else { "one" })]
    TooFewPlayers {
        /// How many players there are: none or one.
        players: usize,
    },
    /// One table has too many players.
    #[error("{players} players do not fit at one table, which has {seats} seats")]
    TooManyPlayers {
        /// How many players there are.
        players: usize,
        /// How many of them can sit there.
        seats: usize,
    },
    /// An event has too few or too many players.
    #[error("there are {players} players, where an event has {fewest} to {MAX_PLAYERS}")]
    EventPlayers {
        /// How many players there are.
        players: usize,
        /// How many players this event has at least.
        fewest: usize,
    },
    /// The chips of all players together are too many.
    #[error("{players} stacks are {chips} chips, more than can be counted")]
    TooManyChips {
        /// How many players there are.
        players: usize,
        /// The sum of their stacks, in chips.
        chips: u64,
    },
    /// The system's limit on open files is too low for so many players.
    #[error(
        "{players} players take {needed} open files, and the system allows this process {allowed}: raise the limit \
         first, as by ulimit -n {needed}"
    )]
    TooFewFiles {
        /// How many players connect.
        players: usize,
        /// How many open files they take.
        needed: u64,
        /// How many open files this process may have.
        allowed: u64,
    },
    /// There is a journal at that path already.
    #[error("{} is there already; a journal is never overwritten", path.display())]
    JournalExists {
        /// Where the journal was to go.
        path: PathBuf,
    },
    /// It is said how long the page stays, and there is none.
    #[error("there is no page that could stay")]
    NoPageToStay,
    /// A new journal cannot be written.
    #[error("the journal {} cannot be written: {source}", shown::path(path))]
    NewJournal {
        /// Where the journal was to go.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There is no folder where a new journal was to go.
    #[error("the journal {} cannot be written: there is no folder {}", path.display(), folder.display())]
    NoJournalFolder {
        /// Where the journal was to go.
        path: PathBuf,
        /// The folder that is missing.
        folder: PathBuf,
    },
    /// The results could not be written at the end of a tournament.
    #[error("the results cannot be written to {}: {source}", path.display())]
    Results {
        /// The folder, or the file in it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A recorded tournament cannot be gone on with.
    #[error("{} cannot be resumed: {source}", shown::path(path))]
    NotResumable {
        /// The path of the journal.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The journal names programs to be started, and nobody has said that they may be.
    #[error("{} names {}, and nobody has said that {} may be started", shown::path(path), command_lines(commands), if commands.len() == 1 { "it" } else { "they" })]
    ProgramsNotAllowed {
        /// The path of the journal.
        path: PathBuf,
        /// The command lines. Not harmless, but in the error's own sentence.
        commands: Vec<String>,
    },
    /// There is no tournament to go on with.
    #[error("there is no journal of a tournament that is not over in {}{}", folder.display(), still(running.as_deref()))]
    NothingUnfinished {
        /// The folder that was looked in.
        folder: PathBuf,
        /// A journal that a running host writes to.
        running: Option<PathBuf>,
    },
    /// A folder cannot be looked into.
    #[error("the folder {} cannot be listed: {source}", path.display())]
    Unlisted {
        /// The path of the folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Players of a recorded tournament connect, and no address to listen at was given.
    #[error("{players} of the players connect over the network")]
    NoAddress {
        /// How many of them connect.
        players: usize,
    },
    /// A folder cannot be made.
    #[error("the folder {} cannot be made: {source}", path.display())]
    Folder {
        /// The path of the folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The page or the console cannot be opened.
    #[error(transparent)]
    Page(Box<dyn Error + Send + Sync>),
    /// The address for the players cannot be listened on.
    #[error("{address} cannot be listened on: {source}")]
    Listen {
        /// The address that was asked for.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The journal cannot be used for a report.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The path of the journal.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The system gives no random bytes.
    #[error("the system gives no random numbers: {0}")]
    Random(#[source] getrandom::Error),
    /// A program does not come to play.
    #[error("{0}")]
    Program(Box<dyn Error + Send + Sync>),
    /// The journal says something about the tournament that cannot be.
    #[error(transparent)]
    Header(Box<dyn Error + Send + Sync>),
    /// A journal that was to be gone on with cannot be written.
    #[error("the journal {} cannot be written: {source}", shown::path(path))]
    OldJournal {
        /// The path of the journal.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// What happened could not be recorded any more, and so it was not announced.
    #[error(
        "the tournament was stopped, because what happened could not be recorded any more{}: {source}. Nothing was \
         announced that is not in the journal", in_journal(journal.as_deref())
    )]
    Recording {
        /// The path of the journal, if one is written.
        journal: Option<PathBuf>,
        /// How to go on, if there is a journal.
        resume: Option<String>,
        /// What the system says.
        source: io::Error,
    },
    /// A file of results cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// The path of the file.
        path: PathBuf,
        /// What is wrong.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A notice could not be shown.
    #[error(transparent)]
    DayNotice(io::Error),
    /// The system does not give what a server needs: sockets, signals or threads.
    #[error(transparent)]
    System(io::Error),
}

impl SessionError {
    /// Whether nothing was begun, because what was asked for cannot be done: other options or other files are needed.
    pub fn is_usage(&self) -> bool {
        use SessionError as E;
        match self {
            E::TooFewPlayers { .. } | E::TooManyPlayers { .. } | E::EventPlayers { .. } => true,
            E::TooManyChips { .. } | E::TooFewFiles { .. } => true,
            E::JournalExists { .. } | E::NewJournal { .. } | E::NotResumable { .. } => true,
            E::NoJournalFolder { .. } | E::Results { .. } => true,
            E::NothingUnfinished { .. } | E::Unlisted { .. } | E::ProgramsNotAllowed { .. } => true,
            E::NoAddress { .. } | E::Folder { .. } | E::Page(_) | E::Listen { .. } => true,
            E::Unreadable { .. } | E::NoPageToStay => true,
            E::Random(_) | E::Program(_) | E::Header(_) | E::OldJournal { .. } => false,
            E::Recording { .. } | E::Write { .. } | E::DayNotice(_) | E::System(_) => false,
        }
    }

    /// Whether the only thing that failed is that nobody reads any more what is shown.
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

/// Command lines, each on a line of its own and whole: what is not shown could be what does the harm.
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
