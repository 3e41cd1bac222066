//! The console's events on Windows.

use std::io;

use tokio::signal::windows::{
    CtrlBreak, CtrlC, CtrlClose, CtrlLogoff, CtrlShutdown, ctrl_break, ctrl_c, ctrl_close, ctrl_logoff,
    ctrl_shutdown,
};

use crate::interrupts::Interrupt;

/// Ctrl-C and Ctrl-Break, the end of the console's window and of the user's session.
#[derive(Debug)]
pub(crate) struct Signals {
    pressed: CtrlC,
    broken: CtrlBreak,
    closed: CtrlClose,
    logged_off: CtrlLogoff,
    shut_down: CtrlShutdown,
}

impl Signals {
    pub(crate) fn new() -> io::Result<Signals> {
        Ok(Signals {
            pressed: ctrl_c()?,
            broken: ctrl_break()?,
            closed: ctrl_close()?,
            logged_off: ctrl_logoff()?,
            shut_down: ctrl_shutdown()?,
        })
    }

    pub(crate) async fn next(&mut self) -> Interrupt {
        tokio::select! {
            _ = self.pressed.recv() => Interrupt::CtrlC,
            _ = self.broken.recv() => Interrupt::Terminate,
            _ = self.closed.recv() => Interrupt::TerminalGone,
            _ = self.logged_off.recv() => Interrupt::TerminalGone,
            _ = self.shut_down.recv() => Interrupt::TerminalGone,
        }
    }
}

pub(crate) fn room_for_runtime() -> io::Result<()> {
    Ok(())
}

pub(crate) fn outlive_file_size_limit() -> io::Result<()> {
    Ok(())
}
