//! Players over the network: the lobby, connections and their deadlines, programs that are started, and the tables
//! they play at.
//!
//! # Hosting with a journal
//! A [`Lobby`] gathers programs, an [`EventHost`] plays with them and with bots of this process, and a [`JournalFile`]
//! writes every event to disk before any player receives it. Two programs play against two house bots:
//!
//! ```
//! use std::net::SocketAddr;
//! use std::path::Path;
//!
//! use casino_host::{Admission, ConnectionLimits, EventHost, JournalFile, Lobby, SeatedPlayer, block_on};
//! use casino_stud::cards::Seed;
//! use casino_stud::journal::{Durability, Header, PlayerSource, Terms};
//! use casino_stud::strategies::HouseBot;
//! use casino_stud::tournament::{Entrant, Roster};
//!
//! type Outcome = Result<(), Box<dyn std::error::Error>>;
//!
//! async fn host(address: SocketAddr, programs: usize, journal: &Path) -> Outcome {
//!     let limits = ConnectionLimits::default();
//!     let mut lobby = Lobby::bind(address, limits).await?;
//!     let mut guests = lobby.gather(programs, |_, _| Admission::Welcome, |_news| {}).await;
//!
//!     let came = guests.iter().map(|guest| Entrant::new(&guest.login.github_id, &guest.login.avatar));
//!     let house = [Entrant::new("house:odds", "odds"), Entrant::new("house:bold", "bold")];
//!     let seed = Seed::chosen("monday");
//!     // The seed draws the seats; names become unique and free of terminal control characters.
//!     let roster = Roster::new(&came.chain(house).collect::<Vec<_>>(), &seed);
//!     let (mut seats, mut sources) = (Vec::new(), Vec::new());
//!     for player in roster.players() {
//!         if let Some(at) = guests.iter().position(|guest| guest.login.github_id == player.github_id) {
//!             seats.push(SeatedPlayer::Remote(guests.remove(at).connection));
//!             sources.push(PlayerSource::Remote);
//!         } else {
//!             let bot = HouseBot::named(&player.name).expect("only house bots are no guests");
//!             seats.push(SeatedPlayer::House(Box::new(bot.seated(&player.github_id, &seed))));
//!             sources.push(PlayerSource::House(player.name.clone()));
//!         }
//!     }
//!
//!     let terms = Terms::single_table(500, 1_000);
//!     let header = Header::new(terms, &seed, roster.players().iter().cloned().zip(sources));
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
//! [`Control`] pauses and paces such an event from elsewhere, [`ProgramStarter`] starts programs rather than waiting
//! for them, and [`open_to_resume`] opens the journal of a host that died.

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
mod socket;
mod spec;
mod strangers;
mod table_host;
mod time_bank;
#[cfg(test)]
mod time_bank_tests;

pub use casino_system::sockets::raise_file_limit;
pub use chair::{Chair, ChairHandle, ChairState, OpenQuestion, ReplyRejection};
pub use connection::{Connection, ReadMode};
pub use control::{Control, ControlHandle};
pub use deadline::pass_time;
pub use event_host::EventHost;
pub use frame::{FrameCodec, FrameError};
pub use interrupt::{EXIT_INTERRUPTED, on_interrupt, on_interrupt_but};
pub use journal_file::{JournalFile, open_journal, open_replay, open_to_resume, sync_to_resume};
pub use late_door::LateDoor;
pub use lobby::{Admission, BAN_DURATION, ClosedLobby, Guest, Lobby};
pub use lobby_orders::LobbyOrders;
pub use local_players::LocalPlayers;
pub use log_in::read_login;
pub use memory_socket::{MemoryConnector, MemoryListener, MemorySocket};
pub use program::{
    CONNECT_TIMEOUT, LaunchError, LaunchedProgram, ONCE_VARIABLE, POLL_INTERVAL, ProgramExit, ProgramOutputs,
    ProgramPlayer, ProgramProcess, ProgramStartError, ProgramStarter, RestartError, RestartRule,
    ShellCommand, StartCount, StartFailure, StartedProgram, machine_is_quiet,
};
pub use refusal::{LobbyNews, Refusal};
pub use runtime::{block_on, block_on_threads};
pub use socket::{Listener, Socket};
pub use spec::{Spec, SpecError, WrittenSpec, no_house_bot};
pub use strangers::{ConnectionLimits, machine, oldest_of_crowd};
pub use table_host::SeatedPlayer;
