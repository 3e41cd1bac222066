//! What Windows does in its own way.

#[cfg(feature = "programs")]
pub(super) mod command_line;
pub(super) mod files;
#[cfg(feature = "programs")]
pub(super) mod folders;
#[cfg(feature = "programs")]
pub(super) mod foreign_files;
#[cfg(feature = "programs")]
pub(super) mod interrupts;
#[cfg(feature = "cli")]
pub(super) mod output;
#[cfg(feature = "programs")]
pub(super) mod processes;
#[cfg(feature = "programs")]
pub(super) mod sockets;
