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

/// Lessons have no deadline.
pub(crate) const NO_HURRY: Duration = Duration::from_secs(24 * 3_600);

pub(crate) const LESSONS: usize = FILES.len();

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonFile<'a> {
    rounds: Vec<LessonRound>,
    /// Whether the person plays as it likes: no keys are advised.
    #[serde(default)]
    alone: bool,
    /// The cards and the bots; the script of the person's seat is the line that the lesson advises.
    #[serde(borrow)]
    scenario: &'a RawValue,
}

/// The texts of a round of a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonRound {
    /// The points to notice, and the keys to press.
    look: String,
    /// Why it comes as it comes, if those keys are pressed.
    why: String,
}

/// The fields of a scenario's seats that a lesson reads: the person's script.
#[derive(Deserialize)]
struct AdvisedSeats {
    seats: Vec<AdvisedSeat>,
}

#[derive(Deserialize)]
struct AdvisedSeat {
    name: String,
    #[serde(default)]
    replies: Vec<String>,
}

/// The texts of a lesson.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LessonWords {
    heading: String,
    rounds: Vec<LessonRound>,
    /// The replies that are advised, as they are sent; none if the person plays as it likes.
    advised: Option<Vec<String>>,
}

/// The texts of a lesson at this moment.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LessonSaid {
    pub(crate) heading: String,
    pub(crate) look: String,
    /// Why it came as it came, or comes if the advice is followed.
    pub(crate) why: String,
    /// Whether the lesson ends with this round.
    pub(crate) is_last: bool,
}

/// The first sentence of the reasons if the person did not follow the advice.
const OTHERWISE: &str = "You played otherwise than advised. As advised it comes like this:";

impl LessonWords {
    /// The texts for a person with these replies since the beginning, in the round of this number, from 1.
    pub(crate) fn said(&self, round: u64, replied: &[String]) -> LessonSaid {
        let at = usize::try_from(round).unwrap_or(usize::MAX).clamp(1, self.rounds.len()) - 1;
        let LessonRound { look, why } = &self.rounds[at];
        let followed = self.advised.as_ref().is_none_or(|advised| advised.starts_with(replied));
        let why = if followed { why.clone() } else { format!("{OTHERWISE} {why}") };
        LessonSaid {
            heading: self.heading.clone(),
            look: look.clone(),
            why,
            is_last: at + 1 == self.rounds.len(),
        }
    }
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
        let told = |error: serde_json::Error| error.to_string();
        let LessonFile { rounds, alone, scenario } = serde_json::from_str(text).map_err(told)?;
        let AdvisedSeats { seats } = serde_json::from_str(scenario.get()).map_err(told)?;
        let scenario = Scenario::read(scenario.get()).map_err(|error| error.to_string())?;
        let person = seats.into_iter().find(|seat| seat.name == YOU);
        let replies = person.ok_or_else(|| format!("there is no seat {YOU}"))?.replies;
        if rounds.is_empty() {
            return Err("a lesson has a round".to_string());
        }
        let heading = format!("Lesson {number} of {LESSONS}: {}", scenario.title);
        let advised = (!alone).then_some(replies);
        Ok(Lesson { words: LessonWords { heading, rounds, advised }, scenario })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of each lesson come true at a real table, if its advice is followed, in memory and over TCP.
    #[test]
    fn every_lesson_plays_out_as_described() {
        for text in FILES {
            let lesson = Lesson::read(1, text).unwrap_or_else(|error| panic!("{error}: {text}"));
            let title = &lesson.scenario.title;
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
            for LessonRound { look, why } in &lesson.words.rounds {
                for number in numbers(look).into_iter().chain(numbers(why)) {
                    assert!(known.contains(&number), "{}: {number} in {known:?}", lesson.scenario.title);
                }
            }
        }
    }

    fn numbers(text: &str) -> Vec<String> {
        let parts = text.split(|c: char| !c.is_ascii_digit());
        parts.filter(|part| !part.is_empty()).map(str::to_string).collect()
    }

    /// The keys of a lesson are the replies of its script; other replies get another text.
    #[test]
    fn deviating_players_see_the_advised_line() {
        for (number, text) in (1..).zip(FILES) {
            let Lesson { words, scenario } = Lesson::read(number, text).expect("it can be read");
            assert_eq!(words.rounds.len(), scenario.play().rounds.len(), "{}", words.heading);
            let Some(advised) = &words.advised else {
                assert_eq!(number, 10);
                continue;
            };
            let last = words.rounds.len() as u64;
            let why = &words.rounds[words.rounds.len() - 1].why;
            for played in 0..=advised.len() {
                assert_eq!(words.said(last, &advised[..played]).why, *why);
            }
            let folded = [&advised[..advised.len() - 1], &["bet:9".to_string()]].concat();
            assert_eq!(words.said(last, &folded).why, format!("{OTHERWISE} {why}"));
            assert_eq!(words.said(1, &folded).look, words.rounds[0].look);
        }
    }

    #[test]
    fn unknown_lessons_are_reported() {
        let extra = FILES[0].replacen("\"look\"", "\"hint\": 1, \"look\"", 1);
        assert!(Lesson::read(1, &extra).err().is_some_and(|error| error.contains("hint")));
        let bad = FILES[0].replace("KC AH 3D", "KC KC 3D");
        assert!(Lesson::read(1, &bad).is_err());
    }
}
