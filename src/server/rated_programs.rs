//! Programs and house bots that play round after round for a rating.

use std::path::{Path, PathBuf};

use tokio::runtime::Runtime;
use tokio::task::JoinSet;

use crate::cards::Stream;
use crate::rating::{Contestant, Players};
use crate::strategies::HouseBot;
use crate::table::{Answer, Fault, Foul, Question, Status};

use super::{Connection, ConnectionLimits, StartedProgram};

/// A program that has been late so many times without an answer in between is started anew.
const MOST_LATE: u32 = 3;

/// A program that was started so many times without an answer in between is given up.
const MOST_STARTS: u32 = 5;

/// The last word to a program.
const FAREWELL: &str = "All rounds of the rating have been played. Thank you for playing.";

/// A field of programs, each a process of its own with a connection of its own, and house bots. A program that
/// hangs up or goes silent is started anew.
#[derive(Debug)]
pub struct RatedPrograms {
    runtime: Runtime,
    players: Vec<RatedPlayer>,
    limits: ConnectionLimits,
    folder: PathBuf,
}

#[derive(Debug)]
enum RatedPlayer {
    House(&'static HouseBot),
    Program(Box<RatedProgram>),
}

#[derive(Debug)]
struct RatedProgram {
    name: String,
    command: String,
    playing: Option<(Connection, StartedProgram)>,
    /// How many times in a row it was late, and was started, since it last answered.
    late: u32,
    starts: u32,
}

impl RatedPrograms {
    /// Starts the programs among these contestants, all at once. Their outputs go to the folder, which must be
    /// there.
    ///
    /// # Errors
    /// Why one of them does not play.
    pub fn start(
        contestants: &[Contestant],
        limits: ConnectionLimits,
        folder: &Path,
    ) -> Result<RatedPrograms, String> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        let players = contestants.iter().map(|contestant| match contestant.house_bot() {
            Some(bot) => RatedPlayer::House(bot),
            None => RatedPlayer::Program(Box::new(RatedProgram {
                name: contestant.name.clone(),
                command: contestant.player.clone(),
                playing: None,
                late: 0,
                starts: 1,
            })),
        });
        let players = players.collect();
        let mut field = RatedPrograms { runtime, players, limits, folder: folder.to_path_buf() };
        field.start_all()?;
        Ok(field)
    }

    fn start_all(&mut self) -> Result<(), String> {
        let mut starting = JoinSet::new();
        for (index, player) in self.players.iter().enumerate() {
            if let RatedPlayer::Program(hired) = player {
                let (name, command) = (hired.name.clone(), hired.command.clone());
                let (folder, limits) = (self.folder.clone(), self.limits);
                starting.spawn_on(
                    async move { (index, StartedProgram::start(&name, &command, &folder, limits).await) },
                    self.runtime.handle(),
                );
            }
        }
        while let Some(joined) = self.runtime.block_on(starting.join_next()) {
            let (index, started) = joined.map_err(|error| error.to_string())?;
            let (guest, program) = started?;
            if let RatedPlayer::Program(hired) = &mut self.players[index] {
                hired.playing = Some((guest.connection, program));
            }
        }
        Ok(())
    }

    /// Says goodbye to the programs and waits until they have ended.
    pub fn dismiss(mut self) {
        let playing = self.players.iter_mut().filter_map(|player| match player {
            RatedPlayer::House(_) => None,
            RatedPlayer::Program(hired) => hired.playing.take(),
        });
        let mut leaving = JoinSet::new();
        for (connection, program) in playing {
            let goodbye = async move {
                connection.done(FAREWELL).await;
                program.end().await;
            };
            leaving.spawn_on(goodbye, self.runtime.handle());
        }
        self.runtime.block_on(async { while leaving.join_next().await.is_some() {} });
    }
}

impl Players for RatedPrograms {
    type Error = String;

    fn answer(&mut self, bot: usize, question: &Question<'_>, dice: &mut Stream) -> Answer {
        let hired = match &mut self.players[bot] {
            RatedPlayer::House(house) => return Ok(house.decide(question, dice)),
            RatedPlayer::Program(hired) => hired,
        };
        let Some((connection, _)) = &mut hired.playing else { return Err(Fault::HungUp { partial: false }) };
        let answer = self.runtime.block_on(connection.ask(question, self.limits.reply));
        match &answer {
            Ok(_) => (hired.late, hired.starts) = (0, 0),
            Err(Fault::Late { .. }) => hired.late += 1,
            Err(_) => {}
        }
        answer
    }

    /// The status leaves with the program's next question, in one write.
    fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault> {
        if let RatedPlayer::Program(hired) = &mut self.players[bot]
            && let Some((connection, _)) = &mut hired.playing
        {
            connection.tell(status);
            if connection.is_deaf() {
                return Err(Fault::Deaf);
            }
        }
        Ok(())
    }

    fn fouled(&mut self, bot: usize, foul: &Foul, left: bool) -> Result<(), String> {
        let RatedPlayer::Program(hired) = &mut self.players[bot] else {
            panic!("a house bot keeps to the rules, but one {foul}");
        };
        if !left && hired.late < MOST_LATE {
            return Ok(());
        }
        if hired.starts == MOST_STARTS {
            return Err(format!(
                "the program {} was started {MOST_STARTS} times without answering once. The last time it {foul}",
                hired.name
            ));
        }
        // Ends the old process with everything it started.
        hired.playing = None;
        hired.late = 0;
        hired.starts += 1;
        let start = StartedProgram::start(&hired.name, &hired.command, &self.folder, self.limits);
        let (guest, program) = self.runtime.block_on(start)?;
        hired.playing = Some((guest.connection, program));
        Ok(())
    }
}
