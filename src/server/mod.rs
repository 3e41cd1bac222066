//! Players over the network: the lobby, connections and their deadlines, programs that are started. The only
//! place that knows tokio.

mod connection;
mod contestants;
mod control;
mod limits;
mod lobby;
mod program;
mod seats;

pub use connection::Connection;
pub use contestants::{Contestants, Spec, SpecError};
pub use control::{Control, Helm};
pub use limits::raise_file_limit;
pub use lobby::{Guest, Limits, Lobby, LobbyNews};
pub use program::Program;
pub use seats::{Ending, Player, Seats};
