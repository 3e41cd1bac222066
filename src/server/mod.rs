//! Players over the network: the lobby, connections and their deadlines, programs that are started. The only
//! place that knows tokio.

mod alarm;
mod connection;
mod contestants;
mod control;
mod hall;
mod interrupt;
mod limits;
mod lobby;
mod program;
mod runtime;
mod seats;
mod sparring;

pub use connection::{Connection, Look};
pub use contestants::{Contestants, Spec, SpecError};
pub use control::{Control, Helm};
pub use hall::Hall;
pub use interrupt::on_interrupt;
pub use limits::raise_file_limit;
pub use lobby::{Doors, Guest, Limits, Lobby, LobbyNews, Refusal};
pub(crate) use lobby::{log_in, read_login};
pub use program::Program;
pub(crate) use program::shell;
pub use runtime::{block_on, block_on_threads};
pub use seats::{Player, Seats};
pub use sparring::SparringField;
