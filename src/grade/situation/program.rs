//! A program that is put into situations: started once, and again only where it is gone or out of step.

use std::io::ErrorKind;
use std::time::{Duration, Instant};

use tokio::net::TcpStream;
use tokio::runtime::Runtime;

use crate::check::{RunningProgram, Starter};
use crate::server::{Connection, ConnectionLimits, log_in};
use crate::table::{Answer, Fault, Foul, Question, Status};

use super::play::{GaveUp, JudgedPlayer};

/// A program that had to be started so many times is given up.
const MOST_STARTS: u32 = 12;

/// How often the door is looked at while a program starts.
const LOOK: Duration = Duration::from_millis(5);

/// The last word to a program.
const FAREWELL: &str = "All situations have been played. Thank you for playing.";

/// A program with a connection of its own.
pub struct ProgramUnderTest<'a> {
    starter: &'a dyn Starter,
    runtime: Runtime,
    limits: ConnectionLimits,
    /// How long it may take to connect.
    patience: Duration,
    playing: Option<(Connection, Box<dyn RunningProgram>)>,
    starts: u32,
}

impl<'a> ProgramUnderTest<'a> {
    /// Starts the program and lets it log in.
    ///
    /// # Errors
    /// Why it does not play, in words.
    pub fn start(
        starter: &'a dyn Starter,
        limits: ConnectionLimits,
        patience: Duration,
    ) -> Result<ProgramUnderTest<'a>, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        let mut program = ProgramUnderTest { starter, runtime, limits, patience, playing: None, starts: 0 };
        program.begin()?;
        Ok(program)
    }

    fn begin(&mut self) -> Result<(), String> {
        // Ends the old process with everything it started.
        self.playing = None;
        self.starts += 1;
        let (door, mut process) = self.starter.start()?;
        let failed = |error: std::io::Error| format!("this machine has no socket: {error}");
        door.set_nonblocking(true).map_err(failed)?;
        let deadline = Instant::now() + self.patience;
        let (stream, peer) = loop {
            let left = process.left();
            match door.accept() {
                Ok(arrived) => break arrived,
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(failed(error)),
            }
            if left.is_some() {
                return Err("the program ended before it connected".to_string());
            }
            if Instant::now() > deadline {
                return Err(format!("the program did not connect within {} s", self.patience.as_secs()));
            }
            std::thread::sleep(LOOK);
        };
        stream.set_nonblocking(true).map_err(failed)?;
        let limits = self.limits;
        let guest = self.runtime.block_on(async {
            let stream = TcpStream::from_std(stream).map_err(failed)?;
            log_in(stream, peer, limits).await.map_err(|why| format!("the program was not let in: {why}"))
        })?;
        self.playing = Some((guest.connection, process));
        Ok(())
    }

    /// Says goodbye. The process ends with this, whatever it does.
    pub fn dismiss(mut self) {
        if let Some((connection, process)) = self.playing.take() {
            self.runtime.block_on(connection.done(FAREWELL));
            drop(process);
        }
    }
}

impl JudgedPlayer for ProgramUnderTest<'_> {
    fn answer(&mut self, question: &Question<'_>) -> Answer {
        match &mut self.playing {
            Some((connection, _)) => self.runtime.block_on(connection.ask(question, self.limits.reply)),
            None => Err(Fault::HungUp { partial: false }),
        }
    }

    /// The status leaves with the next question, in one write.
    fn hear(&mut self, status: &Status) -> Result<(), Fault> {
        let Some((connection, _)) = &mut self.playing else { return Ok(()) };
        connection.tell(status);
        if connection.is_deaf() { Err(Fault::Deaf) } else { Ok(()) }
    }

    fn recover(&mut self, foul: &Foul) -> Result<(), GaveUp> {
        let in_step = match foul {
            // It has answered the question it was asked, and waits for the next word.
            Foul::Illegal { .. } | Foul::Fault { fault: Fault::Malformed { .. }, .. } => true,
            Foul::Fault { .. } => false,
        };
        if in_step {
            return Ok(());
        }
        if self.starts == MOST_STARTS {
            return Err(GaveUp(format!(
                "The program had been started {MOST_STARTS} times by then, and was not started again. The last \
                 time it {foul}"
            )));
        }
        self.begin().map_err(|why| GaveUp(format!("The program was to be started again, but {why}.")))
    }
}
