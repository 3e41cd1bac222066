//! The keyboard on Linux and macOS.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};
use nix::unistd::read;

/// How the terminal was before.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

#[derive(Debug)]
pub(crate) struct Keyboard;

impl Keyboard {
    pub(crate) fn take() -> io::Result<Keyboard> {
        let input = io::stdin();
        if !input.is_terminal() {
            return Err(io::Error::new(io::ErrorKind::Unsupported, "standard input is no terminal"));
        }
        let mut settings = tcgetattr(&input)?;
        BEFORE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| settings.clone());
        settings.local_flags.remove(LocalFlags::ICANON | LocalFlags::ECHO);
        tcsetattr(&input, SetArg::TCSANOW, &settings)?;
        Ok(Keyboard)
    }

    pub(crate) fn key(&self, within: Duration) -> io::Result<Option<char>> {
        let input = io::stdin();
        let timeout = PollTimeout::try_from(within).unwrap_or(PollTimeout::MAX);
        match poll(&mut [PollFd::new(input.as_fd(), PollFlags::POLLIN)], timeout) {
            Ok(0) | Err(Errno::EINTR) => return Ok(None),
            ready => ready?,
        };
        let mut bytes = [0; 1];
        // Not through the buffer of standard input, which a wait does not look into.
        match read(&input, &mut bytes)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(bytes[0].is_ascii().then_some(char::from(bytes[0]))),
        }
    }
}

pub(crate) fn give_back() {
    if let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // A terminal that is gone needs no restoring.
        let _ = tcsetattr(io::stdin(), SetArg::TCSANOW, &before);
    }
}
