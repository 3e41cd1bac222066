//! The program `casino`: a tournament day from beginning to end, its page and console, its reports and its command
//! line. It is built on the packages below `crates/`, which are also the libraries for other programs: `casino-stud`
//! for tables, bots and ratings, `casino-host` for an event over the network, `casino-judge` for judging programs.
//!
//! ```toml
//! [dependencies]
//! casino-day = "0.1"
//! ```

mod chart;
mod cli;
#[allow(unreachable_pub)] // `pub` says what the rest of the crate may use.
mod ladder;
#[allow(unreachable_pub)] // `pub` says what the rest of the crate may use.
mod report;
pub mod session;
#[allow(unreachable_pub)] // `pub` says what the rest of the crate may use.
mod show;
#[cfg(test)]
#[path = "../tests/support/typescript.rs"]
mod typescript;
#[allow(unreachable_pub)] // `pub` says what the rest of the crate may use.
mod web;

use std::error::Error;

use session::{Opening, Showing};

/// Opens the page and the console of a day, for an implementation of [`session::DayNotices::open`].
pub fn open_page(opening: Opening) -> Result<Box<dyn Showing>, Box<dyn Error + Send + Sync>> {
    Ok(Box::new(web::Room::open(opening)?))
}

/// The whole `casino` program.
#[doc(hidden)]
pub use cli::run;

/// Access for the benchmark of the page's viewers, the simulator and the fuzz targets; not part of the library's
/// interface.
#[doc(hidden)]
pub mod driven {
    pub use crate::web::{Address, MemoryConsole, Room, SecretTournament, answer};
    pub use casino_show::state::leave_chances_out;
}

#[cfg(test)]
#[test]
fn typescript_declares_the_types_of_the_pages() {
    let mut types = typescript::Declarations::default();
    crate::show::declare(&mut types);
    crate::ladder::declare(&mut types);
    let imports = "{ BoardRow, CardCode, Ceremony, HoleCards, LadderFoul, LadderSettings, Programme, QrCode, \
        Race, ReplayShot, TableView, TournamentInfo } from \"./data.d.ts\"";
    types.compare(concat!(env!("CARGO_MANIFEST_DIR"), "/src/web/assets/served.d.ts"), imports);
}
