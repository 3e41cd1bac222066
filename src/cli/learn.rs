//! The flags and words of `casino learn`: dealt hands that teach the game, one after the other.

use std::sync::{Arc, Mutex};

use clap::Args;

use casino_host::{Chair, block_on};
use casino_system::interrupts::Interrupts;

use crate::web::{LESSONS, Lesson, NO_HURRY, Seen, SeenRecorder, YOU};

use super::canvas::Canvas;
use super::sit::{Help, Keys, Sitting};
use super::values::whole;
use super::{Failure, Output};

#[derive(Args)]
#[command(
    after_help = "Each lesson says what to look for, lets you play a dealt hand against two bots, and says why it came as it came. Keys: f
folds, c stays for what it costs, 1 to 9 raise by so much and 0 by 10, Enter goes on, r plays a lesson again,
Ctrl-C stops.

Examples:
  casino learn
  casino learn 4"
)]
pub(crate) struct Learn {
    /// The lesson to begin with
    #[arg(value_name = "LESSON", default_value_t = 1, value_parser = whole::<usize>(1..=LESSONS as u64))]
    lesson: usize,
}

enum LessonEnd {
    Whole,
    /// The person wants to play it again.
    Again,
    Stopped,
}

/// Lets a person play a lesson on this canvas with these keys, which are given back.
async fn play(
    lesson: Lesson,
    (canvas, keys): (Canvas, Keys),
    interrupts: &mut Interrupts,
) -> Result<(LessonEnd, Option<(Canvas, Keys)>), Failure> {
    let chair = Chair::new(NO_HURRY);
    let seen = Arc::new(Mutex::new(Seen::lesson(lesson.scenario.names(), lesson.seat())));
    let help = Help { odds: false, lesson: Some(lesson.words) };
    let sitting = Sitting::start(canvas, keys, chair.handle(), Arc::clone(&seen), help);
    let sitting = sitting.map_err(Failure::broke)?;
    let mut watch = SeenRecorder(seen);
    let played = tokio::select! {
        played = lesson.scenario.play_by_hand(YOU, chair, &mut watch) => played.map(|()| LessonEnd::Whole),
        () = sitting.wants_again() => Ok(LessonEnd::Again),
        _ = interrupts.next() => Ok(LessonEnd::Stopped),
    };
    let terminal = sitting.stop();
    Ok((played.map_err(Failure::broke)?, terminal))
}

impl Learn {
    pub(crate) fn run(self) -> Result<(), Failure> {
        block_on(self.teach()).map_err(Failure::broke)?
    }

    async fn teach(self) -> Result<(), Failure> {
        // Before the terminal is changed, and for as long as it is: Ctrl-C at any moment gives it back.
        let mut interrupts = Interrupts::handle().map_err(Failure::broke)?;
        let canvas = Canvas::new().ok_or_else(|| {
            Failure::Usage(
                "the lessons are played in a terminal that can be drawn on: standard output must not be redirected, nor \
                 TERM be \"dumb\""
                    .to_string(),
            )
        })?;
        let keys = Keys::listen()
            .map_err(|error| Failure::Usage(format!("the lessons need a keyboard: {error}")))?;
        let mut terminal = (canvas, keys);
        let mut number = self.lesson;
        while let Some(lesson) = Lesson::numbered(number) {
            let (end, drawn) = play(lesson, terminal, &mut interrupts).await?;
            terminal = match (end, drawn) {
                (LessonEnd::Whole, Some(drawn)) => {
                    number += 1;
                    drawn
                }
                (LessonEnd::Again, Some(drawn)) => drawn,
                (LessonEnd::Stopped, _) | (_, None) => {
                    super::canvas::leave();
                    let mut output = Output::stdout();
                    output.line(format_args!("`casino learn {number}` goes on with this lesson."))?;
                    return output.flush();
                }
            };
        }
        drop(terminal);
        let mut output = Output::stdout();
        output.line(
            "These were all lessons. `casino sit` seats you at a table, `casino sit --hints` with the odds.",
        )?;
        output.flush()
    }
}
