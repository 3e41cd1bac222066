//! The Windows implementation.

pub(super) mod command_line;
pub(super) mod files;
pub(super) mod folders;
pub(super) mod foreign_files;
pub(super) mod interrupts;
pub(super) mod output;
pub(super) mod processes;
pub(super) mod sockets;
