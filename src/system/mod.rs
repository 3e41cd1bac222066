//! The room for systems: what Linux, macOS and Windows do differently, behind small functions named for what callers
//! want. Only this room may ask which system it is compiled for; `tests/systems.rs` sees to it.
//!
//! One file a theme, and behind it the halves: `unix` for Linux and macOS, `windows` for Windows.

#[cfg(feature = "programs")]
pub mod command_line;
pub mod files;
#[cfg(feature = "programs")]
pub mod folders;
#[cfg(feature = "programs")]
pub mod foreign_files;
#[cfg(feature = "programs")]
pub mod interrupts;
#[cfg(feature = "cli")]
pub mod output;
#[cfg(feature = "programs")]
pub mod processes;
pub mod shown;
#[cfg(feature = "programs")]
pub mod sockets;

#[cfg(all(feature = "programs", any(windows, test)))]
mod windows_words;

#[cfg_attr(windows, path = "windows/mod.rs")]
#[cfg_attr(unix, path = "unix/mod.rs")]
mod native;

/// Compiles the first item on Linux and the second one elsewhere: for what only Linux can do.
#[cfg(feature = "programs")]
#[doc(hidden)]
#[macro_export]
macro_rules! on_linux {
    ({ $($linux:item)* } else { $($elsewhere:item)* }) => {
        $(#[cfg(target_os = "linux")] $linux)*
        $(#[cfg(not(target_os = "linux"))] $elsewhere)*
    };
}
#[cfg(feature = "programs")]
pub use on_linux;
