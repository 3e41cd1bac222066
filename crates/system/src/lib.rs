//! The differences between Linux, macOS and Windows, behind small functions named for their purpose. Only this package
//! may ask which system it is compiled for; `tests/systems.rs` checks that.
//!
//! One file a theme, and behind it the halves: `unix` for Linux and macOS, `windows` for Windows.
//!
//! ```toml
//! [dependencies]
//! casino-system = "0.1"
//! ```

pub mod command_line;
pub mod files;
pub mod folders;
pub mod foreign_files;
pub mod interrupts;
pub mod output;
pub mod processes;
pub mod sockets;

#[cfg(not(target_os = "linux"))]
mod unwatched;
#[cfg(any(windows, test))]
mod windows_words;

#[cfg_attr(windows, path = "windows/mod.rs")]
#[cfg_attr(unix, path = "unix/mod.rs")]
mod native;

/// Compiles the first items on Linux and the second ones elsewhere.
#[doc(hidden)]
#[macro_export]
macro_rules! on_linux {
    ({ $($linux:item)* } else { $($elsewhere:item)* }) => {
        $(#[cfg(target_os = "linux")] $linux)*
        $(#[cfg(not(target_os = "linux"))] $elsewhere)*
    };
}
