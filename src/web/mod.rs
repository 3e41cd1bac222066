//! The page of the audience, the teacher's console, the seats of people and replays over HTTP.
//!
//! Two addresses, two routers: the audience's address knows only the [`Hub`](crate::show::Hub), whose page has no field for a
//! secret; the `ConsoleState` of the session is behind the console's token.

mod audience;
mod console;
mod in_memory;
mod listen;
mod replay;
mod replay_file;
mod room;
mod seat;
mod sent;

pub(crate) use audience::{PageFile, guarded, key_of, routed};
pub use in_memory::{Address, MemoryConsole, SecretTournament, answer};
#[cfg(test)]
pub(crate) use listen::answer_in_memory;
pub(crate) use listen::{RemoteMachine, ServingLimits, bound, serve};
pub(crate) use replay::serve_replay;
pub use room::Room;
pub(crate) use sent::Sent;
