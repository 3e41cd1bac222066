//! The room watches: the page for the projector and the teacher's console.
//!
//! The dealer tells a [`Window`], which never waits. A thread of its own shows one round at a time at a pace
//! people can follow, and hands numbered changes to everyone who watches. Two addresses, two routers: what is
//! served on the audience's address knows only the hub, whose page has no room for a secret; the
//! [`desk::Desk`], which knows who is who, is behind the console's token.

mod audience;
mod beat;
mod console;
mod desk;
mod follower;
mod gallery;
mod hub;
mod listen;
mod page;
mod replay;
mod replies;
mod room;
mod stage;
mod table_view;
mod tidings;
mod window;

pub use desk::{Desk, Kind, Member};
pub use follower::Follower;
pub use gallery::Gallery;
pub use page::{BoardRow, GuestView, LobbyView, Programme};
pub use replay::Album;
pub use room::{Room, RoomError};
pub use table_view::{ResultView, SeatView, TableView};
pub use window::Window;
