//! Players over the network: the lobby, connections and their deadlines, programs that are started, and the tables
//! they play at.

mod air;
mod connection;
mod contestants;
mod control;
mod deadline;
mod event_host;
mod goodbye;
mod interrupt;
mod journal_file;
mod late_replies;
mod lobby;
mod lobby_orders;
mod log_in;
mod memory_socket;
mod patience;
mod program;
mod rated_programs;
mod refusal;
mod runtime;
mod socket;
mod spec;
mod table_host;

pub use casino_system::sockets::raise_file_limit;
pub use connection::{Connection, ReadMode};
pub use contestants::Contestants;
pub use control::{Control, ControlHandle};
pub use deadline::pass_time;
pub use event_host::EventHost;
pub use interrupt::on_interrupt;
pub use journal_file::{JournalFile, open_journal, open_replay, open_to_resume};
pub use lobby::{Admission, BARRED, ClosedLobby, ConnectionLimits, Guest, Lobby};
pub use lobby_orders::LobbyOrders;
pub use log_in::read_login;
pub use memory_socket::{MemoryConnector, MemoryListener, MemorySocket};
pub use program::{
    CONNECT, LOOK, LaunchError, LaunchedProgram, ProgramExit, ProgramOutputs, ProgramPlayer, ProgramProcess,
    ProgramStartError, ProgramStarter, RestartError, RestartRule, ShellCommand, StartCount, StartFailure,
    StartedProgram, put_recording,
};
pub use rated_programs::{RatedPrograms, RatedProgramsError};
pub use refusal::{LobbyNews, Refusal};
pub use runtime::{block_on, block_on_threads};
pub use socket::{Listener, Socket};
pub use spec::{Spec, SpecError, WrittenSpec, no_house_bot};
pub use table_host::SeatedPlayer;
