//! The flags and words of `casino learn`: dealt hands that teach the game, one after the other.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Args;
use serde::Deserialize;
use serde_json::value::RawValue;

use casino_host::{Chair, block_on};
use casino_judge::scenario::Scenario;
use casino_system::interrupts::Interrupts;

use super::canvas::Canvas;
use super::sit::{Help, Keys, LessonWords, Seen, SeenRecorder, Sitting};
use super::values::whole;
use super::{Failure, Output};

/// The seat of the person in every lesson.
const YOU: &str = "You";

/// Nobody hurries a person who learns.
const NO_HURRY: Duration = Duration::from_secs(24 * 3_600);

/// The files of the lessons, in their order.
const FILES: [&str; 10] = [
    include_str!("../../lessons/01-ante-and-opener.json"),
    include_str!("../../lessons/02-staying-and-raising.json"),
    include_str!("../../lessons/03-cards-of-the-others.json"),
    include_str!("../../lessons/04-high-spade.json"),
    include_str!("../../lessons/05-split.json"),
    include_str!("../../lessons/06-scoop.json"),
    include_str!("../../lessons/07-cap.json"),
    include_str!("../../lessons/08-being-out.json"),
    include_str!("../../lessons/09-short-of-chips.json"),
    include_str!("../../lessons/10-a-whole-round-alone.json"),
];

#[derive(Args)]
#[command(
    after_help = "Each lesson says what to look for, lets you play a dealt hand against two bots, and says why it came as it came. Keys: f
folds, c stays for what it costs, 1 to 9 raise by so much and 0 by 10, Enter goes on, Ctrl-C stops.

Examples:
  casino learn
  casino learn 4"
)]
pub(crate) struct Learn {
    /// The lesson to begin with
    #[arg(value_name = "LESSON", default_value_t = 1, value_parser = whole::<usize>(1..=FILES.len() as u64))]
    lesson: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonFile<'a> {
    look: String,
    /// Why it comes as it comes.
    why: String,
    /// The cards and the bots; the script of the person's seat is the line that the lesson advises.
    #[serde(borrow)]
    scenario: &'a RawValue,
}

/// A dealt hand that teaches something.
struct Lesson {
    look: String,
    why: String,
    scenario: Scenario,
}

impl Lesson {
    fn read(text: &str) -> Result<Lesson, String> {
        let LessonFile { look, why, scenario } =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        let scenario = Scenario::read(scenario.get()).map_err(|error| error.to_string())?;
        Ok(Lesson { look, why, scenario })
    }

    /// Lets a person play it on this canvas with these keys, which are given back; `None` if the person stopped.
    async fn play(
        self,
        number: usize,
        (canvas, keys): (Canvas, Keys),
        interrupts: &mut Interrupts,
    ) -> Result<Option<(Canvas, Keys)>, Failure> {
        let names = self.scenario.names();
        let me = names.iter().position(|name| name == YOU).expect("a lesson has a seat for the person");
        let chair = Chair::new(NO_HURRY);
        let seen = Arc::new(Mutex::new(Seen::new(names, me)));
        let heading = format!("Lesson {number} of {}: {}", FILES.len(), self.scenario.title());
        let words = LessonWords { heading, look: self.look, why: self.why };
        let help = Help { odds: false, lesson: Some(words) };
        let sitting = Sitting::start(canvas, keys, chair.handle(), Arc::clone(&seen), help);
        let sitting = sitting.map_err(Failure::broke)?;
        let mut watch = SeenRecorder(seen);
        let played = tokio::select! {
            played = self.scenario.play_by_hand(YOU, chair, &mut watch) => played.map(|()| true),
            _ = interrupts.next() => Ok(false),
        };
        let terminal = sitting.stop();
        let is_whole = played.map_err(Failure::broke)?;
        Ok(terminal.filter(|_| is_whole))
    }
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
        let mut terminal = Some((canvas, keys));
        for (number, text) in (1..).zip(FILES).skip(self.lesson - 1) {
            let lesson = Lesson::read(text).expect("a test reads the lessons");
            let drawn = terminal.take().expect("each lesson gives the terminal back");
            let Some(drawn) = lesson.play(number, drawn, &mut interrupts).await? else {
                super::canvas::leave();
                let mut output = Output::stdout();
                output.line(format_args!("`casino learn {number}` goes on with this lesson."))?;
                return output.flush();
            };
            terminal = Some(drawn);
        }
        drop(terminal);
        let mut output = Output::stdout();
        output.line(
            "These were all lessons. `casino sit` seats you at a table, `casino sit --hints` with the odds.",
        )?;
        output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each lesson says of its hand comes so at a real table, if its advice is followed, in memory and over TCP.
    #[test]
    fn every_lesson_comes_as_it_says_at_the_table() {
        for text in FILES {
            let lesson = Lesson::read(text).unwrap_or_else(|error| panic!("{error}: {text}"));
            let title = lesson.scenario.title();
            for run in [lesson.scenario.play(), lesson.scenario.play_over_tcp().expect("there are sockets")] {
                let unexpected = lesson.scenario.check(&run);
                assert!(unexpected.is_empty(), "{title}: {unexpected:?}");
                assert!(!run.rounds.is_empty() && run.fouls.is_empty(), "{title}");
            }
            assert!(lesson.scenario.names().iter().any(|name| name == YOU), "{title}");
        }
    }

    /// The numbers in a lesson's words are those of its table: chips that are paid, and stacks.
    #[test]
    fn the_numbers_of_a_lesson_are_those_of_its_table() {
        for text in FILES {
            let lesson = Lesson::read(text).expect("it can be read");
            let run = lesson.scenario.play();
            let mut known: Vec<String> = ["0", "1", "2", "10"].map(str::to_string).to_vec();
            // The antes.
            known.push(run.names.len().to_string());
            for round in &run.rounds {
                known.push(round.payouts.iter().map(|(_, _, chips)| chips).sum::<u32>().to_string());
                known.extend(round.payouts.iter().map(|(_, _, chips)| chips.to_string()));
                known.extend(round.stacks.iter().map(ToString::to_string));
            }
            known.extend(run.events.iter().flat_map(|event| numbers(event)));
            for number in numbers(&lesson.look).into_iter().chain(numbers(&lesson.why)) {
                assert!(known.contains(&number), "{}: {number} in {known:?}", lesson.scenario.title());
            }
        }
    }

    fn numbers(text: &str) -> Vec<String> {
        let parts = text.split(|c: char| !c.is_ascii_digit());
        parts.filter(|part| !part.is_empty()).map(str::to_string).collect()
    }

    #[test]
    fn what_is_no_lesson_is_told() {
        let extra = FILES[0].replacen("\"look\"", "\"hint\": 1, \"look\"", 1);
        assert!(Lesson::read(&extra).err().is_some_and(|error| error.contains("hint")));
        let bad = FILES[0].replace("KC AH 3D", "KC KC 3D");
        assert!(Lesson::read(&bad).is_err());
    }
}
