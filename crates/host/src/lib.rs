//! Players over the network: the lobby, connections and their deadlines, programs that are started, and the tables
//! they play at.
//!
//! ```toml
//! [dependencies]
//! casino-host = "0.1"
//! casino-stud = "0.1"
//! ```
//!
//! # Hosting with a journal
//! A [`Lobby`] gathers programs, an [`EventHost`] plays with them and with bots of this process, and a [`JournalFile`]
//! writes every event to disk before any player receives it. Two programs play against two house bots:
//!
//! ```
//! use std::net::SocketAddr;
//! use std::path::Path;
//!
//! use casino_host::{Admission, ConnectionLimits, EventHost, JournalFile, Lobby, block_on, seat};
//! use casino_stud::cards::Seed;
//! use casino_stud::journal::{Durability, Header, Terms};
//! use casino_stud::strategies::HouseBot;
//!
//! type Outcome = Result<(), Box<dyn std::error::Error>>;
//!
//! async fn host(address: SocketAddr, programs: usize, journal: &Path) -> Outcome {
//!     let limits = ConnectionLimits::default();
//!     let mut lobby = Lobby::bind(address, limits).await?;
//!     let guests = lobby.gather(programs, |_, _| Admission::Welcome, |_news| {}).await;
//!
//!     let bots = ["odds", "bold"].map(|name| HouseBot::named(name).expect("a house bot"));
//!     let seed = Seed::chosen("monday");
//!     // The seed draws the seats; names become unique and free of terminal control characters.
//!     let (players, seats) = seat(guests, &bots, &seed);
//!
//!     let terms = Terms::single_table(500, 1_000);
//!     let header = Header::new(terms, &seed, players);
//!     let mut event = header.event()?;
//!     let mut file = JournalFile::create(journal, header, Durability::EveryRound)?;
//!     EventHost::new(seats, limits).play(&mut event, &mut file.journal, || false).await?;
//!     Ok(())
//! }
//!
//! # let folder = std::env::temp_dir().join(format!("casino-host-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let journal = folder.join("monday.jsonl");
//! # let _ = std::fs::remove_file(&journal);
//! # block_on(host(([127, 0, 0, 1], 0).into(), 0, &journal))??;
//! # let written = std::io::BufReader::new(std::fs::File::open(&journal)?);
//! # assert!(casino_stud::replay::verify(written, |_| {})?.rounds > 0);
//! # std::fs::remove_dir_all(&folder)?;
//! # Outcome::Ok(())
//! # /*
//! block_on(host(([0, 0, 0, 0], 9000).into(), 2, "monday.jsonl".as_ref()))??;
//! # */
//! ```
//!
//! # The parts
//!
//! | for | there are |
//! |---|---|
//! | programs that connect | [`Lobby`], [`Admission`], [`Guest`], [`Refusal`], and later [`LateDoor`] and [`ClosedLobby`] |
//! | programs that are started | [`Spec`] and [`LocalPlayers`] name them, a [`ProgramStarter`] starts them: [`StartedProgram`] sits at a table, [`ProgramPlayer`] is asked alone |
//! | people | [`Chair`], and its other end [`ChairHandle`] |
//! | play | [`seat`], [`EventHost`]; [`Control`] pauses and paces it from elsewhere |
//! | the record | [`JournalFile`]; [`open_to_resume`] opens the journal of a host that died, [`open_replay`] reads one |

mod chair;
#[cfg(test)]
mod chair_tests;
mod connection;
mod control;
mod deadline;
mod event_host;
mod frame;
mod goodbye;
mod interrupt;
mod journal_file;
mod late_door;
mod late_replies;
mod lobby;
mod lobby_orders;
mod local_players;
mod log_in;
mod memory_socket;
mod people_time;
mod program;
mod refusal;
#[cfg(test)]
mod removal_tests;
mod runtime;
mod seating;
mod socket;
mod spec;
mod strangers;
mod table_host;
mod time_bank;
#[cfg(test)]
mod time_bank_tests;

pub use chair::{Chair, ChairHandle, ChairState, OpenQuestion, ReplyRejection};
pub use connection::{Connection, ReadMode};
pub use control::{Control, ControlHandle};
pub use event_host::EventHost;
pub use frame::{FrameCodec, FrameError};
pub use interrupt::on_interrupt;
pub use journal_file::{JournalFile, open_journal, open_replay, open_to_resume};
pub use late_door::LateDoor;
pub use lobby::{Admission, ClosedLobby, Guest, Lobby};
pub use lobby_orders::LobbyOrders;
pub use local_players::LocalPlayers;
pub use program::{
    LaunchError, LaunchedProgram, ProgramExit, ProgramOutputs, ProgramPlayer, ProgramProcess,
    ProgramStartError, ProgramStarter, RestartError, RestartRule, ShellCommand, StartCount, StartFailure,
    StartedProgram,
};
pub use refusal::{LobbyNews, Refusal};
pub use runtime::{block_on, block_on_threads};
pub use seating::seat;
pub use socket::{Listener, Socket};
pub use spec::{Spec, SpecError};
pub use strangers::ConnectionLimits;
pub use table_host::SeatedPlayer;

/// Parts for the other packages of this project and for tests, on a clock and on sockets of their own; not part of the
/// library's interface.
#[doc(hidden)]
pub mod driven {
    pub use crate::deadline::pass_time;
    pub use crate::interrupt::{EXIT_INTERRUPTED, on_interrupt_but};
    pub use crate::journal_file::sync_to_resume;
    pub use crate::memory_socket::{MemoryConnector, MemoryListener, MemorySocket};
    pub use crate::program::{ONCE_VARIABLE, POLL_INTERVAL, machine_is_quiet};
    pub use crate::strangers::{machine, oldest_of_crowd};
}
