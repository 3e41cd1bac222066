//! The lessons: dealt hands that teach the game, one after the other, as files.

use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use casino_judge::scenario::Scenario;

/// The seat of the person in every lesson.
pub(crate) const YOU: &str = "Ada";

/// The files of the lessons, in their order.
const FILES: [&str; 10] = [
    include_str!("../../../lessons/01-ante-and-opener.json"),
    include_str!("../../../lessons/02-staying-and-raising.json"),
    include_str!("../../../lessons/03-cards-of-the-others.json"),
    include_str!("../../../lessons/04-high-spade.json"),
    include_str!("../../../lessons/05-split.json"),
    include_str!("../../../lessons/06-scoop.json"),
    include_str!("../../../lessons/07-cap.json"),
    include_str!("../../../lessons/08-being-out.json"),
    include_str!("../../../lessons/09-short-of-chips.json"),
    include_str!("../../../lessons/10-a-whole-round-alone.json"),
];

/// Nobody hurries a person who learns.
pub(crate) const NO_HURRY: Duration = Duration::from_secs(24 * 3_600);

pub(crate) const LESSONS: usize = FILES.len();

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

/// What a lesson says.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct LessonWords {
    pub(crate) heading: String,
    pub(crate) look: String,
    /// Why it came as it came.
    pub(crate) why: String,
}

/// A dealt hand that teaches something.
pub(crate) struct Lesson {
    pub(crate) words: LessonWords,
    pub(crate) scenario: Scenario,
}

impl Lesson {
    /// The lesson of this number, from 1; `None` if there is none.
    pub(crate) fn numbered(number: usize) -> Option<Lesson> {
        let text = FILES.get(number.checked_sub(1)?)?;
        Some(Lesson::read(number, text).expect("a test reads the lessons"))
    }

    fn read(number: usize, text: &str) -> Result<Lesson, String> {
        let LessonFile { look, why, scenario } =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        let scenario = Scenario::read(scenario.get()).map_err(|error| error.to_string())?;
        let heading = format!("Lesson {number} of {LESSONS}: {}", scenario.title());
        Ok(Lesson { words: LessonWords { heading, look, why }, scenario })
    }

    /// The place of the person among the players.
    pub(crate) fn seat(&self) -> usize {
        let names = self.scenario.names();
        names.iter().position(|name| name == YOU).expect("a lesson has a seat for the person")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each lesson says of its hand comes so at a real table, if its advice is followed, in memory and over TCP.
    #[test]
    fn every_lesson_comes_as_it_says_at_the_table() {
        for text in FILES {
            let lesson = Lesson::read(1, text).unwrap_or_else(|error| panic!("{error}: {text}"));
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
            let lesson = Lesson::read(1, text).expect("it can be read");
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
            for number in numbers(&lesson.words.look).into_iter().chain(numbers(&lesson.words.why)) {
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
        assert!(Lesson::read(1, &extra).err().is_some_and(|error| error.contains("hint")));
        let bad = FILES[0].replace("KC AH 3D", "KC KC 3D");
        assert!(Lesson::read(1, &bad).is_err());
    }
}
