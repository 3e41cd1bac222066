//! Rubrics: parts with points, read from a file; the course's own is built in.

use std::io;
use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::report::{ManualPart, Points};
use super::situation::RubricSituation;
use crate::scenario::FileError;
use crate::scenario::json::{self, Whole};
use casino_stud::cards::Seed;
use casino_stud::hex::hex;
use casino_stud::shown;
use casino_system::files::read_text;

static BUILT_IN: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/rubric");

const FILE: &str = "rubric.json";

/// A rubric: parts with points, and where the points come from.
///
/// A house bot, graded by the rubric that is built in:
///
/// ```no_run
/// use casino_stud::cards::Seed;
/// use casino_judge::grade::rubric::Rubric;
/// use casino_judge::grade::stud::{Conformance, grade};
/// use casino_stud::strategies::HouseBot;
///
/// let mut odds = HouseBot::named("odds").expect("there is one").player(Seed::chosen("monday").stream("odds"));
/// let report = grade(&Rubric::built_in(), "odds", &Conformance::InProcess, Ok(&mut odds), |_, _| {});
/// println!("{} of {} points", report.summary().points, report.summary().max_points);
/// ```
#[derive(Clone, Debug)]
pub struct Rubric {
    pub(crate) title: String,
    /// The parts that are counted by the program, in order.
    pub(crate) parts: Vec<RubricPart>,
    /// The parts that people judge.
    pub(crate) by_hand: Vec<ManualPart>,
    /// A fingerprint of all its files: a submission graded by another rubric is graded again.
    pub digest: String,
    /// The seed of the decks in equal deals and in games. Situations have their own cards.
    pub seed: Seed,
}

#[derive(Clone, Debug)]
pub(crate) struct RubricPart {
    pub(crate) title: String,
    pub(crate) points: Points,
    pub(crate) source: PointsSource,
}

#[derive(Clone, Debug)]
pub(crate) enum PointsSource {
    Connects,
    Replies,
    Situations {
        situations: Vec<RubricSituation>,
        /// The points of the part that are for the chips won in equal deals: see [`super::plays_well`].
        by_chips: Points,
    },
}

/// A rubric that cannot be used: the file, the place in it, and the mistake.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct RubricError(String);

impl RubricError {
    fn unreadable(file: &Path, error: &io::Error) -> RubricError {
        RubricError(format!("{} cannot be read: {error}", shown::path(file)))
    }

    fn mistake(file: &Path, mistake: &FileError) -> RubricError {
        RubricError(mistake.in_file(shown::path(file)))
    }
}

impl Rubric {
    /// The course's rubric, which is built into the program.
    pub fn built_in() -> Rubric {
        Rubric::read(Path::new(FILE), &BuiltIn).expect("a test reads the rubric that is built in")
    }

    /// The rubric of a file. Its situations are in folders beside it.
    pub fn open(file: &Path) -> Result<Rubric, RubricError> {
        Rubric::read(file, &OnDisk)
    }

    fn read(file: &Path, files: &dyn Files) -> Result<Rubric, RubricError> {
        let mut digest = Sha256::new();
        let text = files.text(file)?;
        digest.update(text.as_bytes());
        let wrong = |mistake: FileError| RubricError::mistake(file, &mistake);
        let rubric: RubricFile = json::read(&text).map_err(wrong)?;
        let (mut parts, mut by_hand) = (Vec::new(), Vec::new());
        for (index, part) in rubric.parts.into_iter().enumerate() {
            let mistake = |message: &str| Err(wrong(FileError::of(&format!("parts[{index}]"), message)));
            let PartFile { title, points, conformance, situations, chips, judged_by } = part;
            let points = Points::whole(points.0);
            let by_chips = Points::whole(chips.map_or(0, |chips| chips.0));
            if chips.is_some() && (situations.is_none() || by_chips >= points) {
                return mistake(
                    "`chips` are some of the points of a part with situations, and fewer than all",
                );
            }
            let source = match (conformance, situations, judged_by) {
                (Some(Steps::Connects), None, None) => PointsSource::Connects,
                (Some(Steps::Replies), None, None) => PointsSource::Replies,
                (None, Some(folder), None) => {
                    let folder = file.parent().unwrap_or(Path::new("")).join(folder);
                    let mut situations = Vec::new();
                    let mut listed = files.list(&folder)?;
                    listed.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
                    listed.sort();
                    for file in listed {
                        let text = files.text(&file)?;
                        digest.update(text.as_bytes());
                        let id =
                            file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
                        let situation = RubricSituation::read(&id, &text)
                            .map_err(|mistake| RubricError::mistake(&file, &mistake))?;
                        situations.push(situation);
                    }
                    if situations.is_empty() {
                        return mistake(&format!("there is no situation (*.json) in {}", folder.display()));
                    }
                    PointsSource::Situations { situations, by_chips }
                }
                (None, None, Some(Judges::People)) => {
                    by_hand.push(ManualPart { title, max_points: points });
                    continue;
                }
                _ => {
                    return mistake(
                        "a part has exactly one of the fields conformance, situations, judged_by",
                    );
                }
            };
            parts.push(RubricPart { title, points, source });
        }
        if parts.is_empty() {
            return Err(wrong(FileError::of("", "no part is counted by the program")));
        }
        let digest = hex(digest.finalize());
        Ok(Rubric { title: rubric.title, parts, by_hand, digest, seed: Seed::chosen("plays well") })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RubricFile {
    title: String,
    parts: Vec<PartFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PartFile {
    title: String,
    points: Whole<1, 1_000>,
    conformance: Option<Steps>,
    situations: Option<String>,
    chips: Option<Whole<1, 1_000>>,
    judged_by: Option<Judges>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Steps {
    Connects,
    Replies,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Judges {
    People,
}

trait Files {
    fn text(&self, file: &Path) -> Result<String, RubricError>;

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, RubricError>;
}

struct OnDisk;

impl Files for OnDisk {
    fn text(&self, file: &Path) -> Result<String, RubricError> {
        read_text(file).map_err(|error| RubricError::unreadable(file, &error))
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, RubricError> {
        let unreadable = |error: io::Error| RubricError::unreadable(folder, &error);
        let entries = std::fs::read_dir(folder).map_err(unreadable)?;
        entries.map(|entry| Ok(entry.map_err(unreadable)?.path())).collect()
    }
}

struct BuiltIn;

impl Files for BuiltIn {
    fn text(&self, file: &Path) -> Result<String, RubricError> {
        let text = BUILT_IN.get_file(file).and_then(|file| file.contents_utf8());
        text.map(str::to_string).ok_or_else(|| RubricError::unreadable(file, &io::ErrorKind::NotFound.into()))
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>, RubricError> {
        let files = BUILT_IN.get_dir(folder).into_iter().flat_map(Dir::files);
        Ok(files.map(|file| file.path().to_path_buf()).collect())
    }
}

/// Divides points by weights, exactly: the parts add up to the whole.
pub(super) fn divide(points: Points, weights: &[u64]) -> Vec<Points> {
    let all: u64 = weights.iter().sum();
    let mut taken = 0;
    let mut given = Points::ZERO;
    weights
        .iter()
        .map(|weight| {
            taken += weight;
            let so_far = points.share(taken as usize, all as usize);
            let part = so_far - given;
            given = so_far;
            part
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::situation::file::Side;
    use casino_stud::cards::{Card, Rank};
    use casino_stud::strategies::HouseBot;
    use casino_stud::table::Reply;

    #[test]
    fn the_rubric_that_is_built_in_is_the_course_s() {
        let rubric = Rubric::built_in();
        let counted: Vec<f64> = rubric.parts.iter().map(|part| part.points.as_f64()).collect();
        assert_eq!(counted, [15.0, 35.0, 70.0, 40.0, 20.0]);
        let by_hand: Vec<f64> = rubric.by_hand.iter().map(|part| part.max_points.as_f64()).collect();
        assert_eq!(by_hand, [30.0, 40.0]);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("rubric").join(FILE);
        assert_eq!(Rubric::open(&folder).unwrap().digest, rubric.digest, "build it again");
        assert!(situations(&rubric).count() >= 60);
        let papers =
            [include_str!("../../../../docs/grading.md"), include_str!("../../../../README.md")].concat();
        assert!(papers.contains(&format!("{} situations", situations(&rubric).count())));
        for part in &rubric.parts {
            if let PointsSource::Situations { situations, .. } = &part.source {
                assert!(papers.contains(&format!("{} situations", situations.len())), "{}", part.title);
            }
        }
    }

    fn situations(rubric: &Rubric) -> impl Iterator<Item = &RubricSituation> {
        rubric.parts.iter().flat_map(|part| match &part.source {
            PointsSource::Situations { situations, .. } => situations.as_slice(),
            PointsSource::Connects | PointsSource::Replies => &[],
        })
    }

    /// A bot that stays in reaches every decision, with the amount to call of the file.
    #[test]
    fn every_situation_comes_to_its_decision() {
        let rubric = Rubric::built_in();
        let mut missed = Vec::new();
        for situation in situations(&rubric) {
            for name in ["caller", "raiser", "odds", "simple", "reader"] {
                for side in [Side::Here, Side::Instead] {
                    let dice = Seed::chosen("reach").stream(name);
                    let mut bot = HouseBot::named(name).unwrap().player(dice);
                    let Ok(hand) = situation.play(side, &mut bot);
                    let Some(hand) = hand else { continue };
                    assert!(hand.foul.is_none(), "{} {name}", &situation.id);
                    match hand.decision {
                        Some(at) => {
                            let asked = &hand.asked[at];
                            if Some(asked.to_call) != situation.facing(side) {
                                missed.push(format!("{} {side:?} {name}: {}", &situation.id, asked.text));
                            }
                        }
                        None if hand.asked.iter().any(|asked| asked.answer == Ok(Reply::Fold)) => {
                            assert_ne!(name, "caller", "{} {side:?}", &situation.id);
                        }
                        // Its own raises took the chips that the decision would have been about.
                        None if name != "caller"
                            && hand.asked.last().is_some_and(|asked| asked.text.contains(":0:")) => {}
                        None => missed.push(format!(
                            "{} {side:?} {name}: {:?}",
                            &situation.id,
                            hand.question().map(|asked| &asked.text)
                        )),
                    }
                }
            }
        }
        assert!(missed.is_empty(), "\n{}", missed.join("\n"));
    }

    /// A bot that takes the first or the last cards of the list for its own must be found out.
    #[test]
    fn the_bot_sits_in_every_seat() {
        let rubric = Rubric::built_in();
        let (mut first, mut last, mut all) = (0, 0, 0);
        for situation in situations(&rubric) {
            let mut bot = HouseBot::named("caller").unwrap().player(Seed::chosen("places").stream("caller"));
            let Ok(hand) = situation.play(Side::Here, &mut bot);
            let hand = hand.unwrap();
            let Some(asked) = hand.question() else { continue };
            let fields: Vec<&str> = asked.text.split(':').collect();
            let up = fields.iter().position(|field| *field == "up").unwrap();
            let own = fields[5];
            first += usize::from(fields[up + 1] == own);
            last += usize::from(fields[fields.len() - (up - 5)] == own);
            all += 1;
        }
        assert!(all > 80 && first * 5 < all * 2 && last * 5 < all * 2, "{first} first, {last} last of {all}");
    }

    #[test]
    fn every_situation_has_a_reason_and_a_name_of_its_own() {
        let rubric = Rubric::built_in();
        let mut ids = std::collections::BTreeSet::new();
        for situation in situations(&rubric) {
            assert!(ids.insert(situation.id.clone()), "{} is there twice", &situation.id);
            assert!(situation.reason.len() > 60 && situation.reason.ends_with('.'), "{}", &situation.id);
            assert!((10..90).contains(&situation.title.len()), "{}", &situation.id);
            assert!(situation.is_founded, "{}", &situation.id);
        }
    }

    #[test]
    fn points_are_divided_without_a_rest() {
        let parts = divide(Points::whole(70), &[1; 31]);
        assert_eq!(parts.iter().copied().sum::<Points>(), Points::whole(70));
        assert!(parts.iter().all(|part| (225..=226).any(|cents| *part == Points::hundredths(cents))));
        assert_eq!(divide(Points::ONE, &[1, 2, 1]), [25, 50, 25].map(Points::hundredths));
    }

    #[test]
    fn mistakes_name_the_file_and_the_place() {
        let folder = std::env::temp_dir().join(format!("casino-rubric-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("mine")).unwrap();
        let file = folder.join("mine.json");
        let wrong = |rubric: &str, situation: &str| {
            std::fs::write(&file, rubric).unwrap();
            std::fs::write(folder.join("mine/a.json"), situation).unwrap();
            Rubric::open(&file).unwrap_err().to_string()
        };
        let part =
            |from: &str| format!(r#"{{"title": "t", "parts": [{{"title": "p", "points": 5, {from}}}]}}"#);
        for (rubric, situation, words) in [
            ("{}".to_string(), "", "the field `title` is missing"),
            (part(r#""conformance": "connects", "judged_by": "people""#), "", "exactly one of the fields"),
            (part(r#""judged_by": "people""#), "", "no part is counted by the program"),
            (part(r#""situations": "nowhere""#), "", "nowhere cannot be read"),
            (part(r#""situations": "mine", "chips": 5"#), "", "fewer than all"),
            (part(r#""conformance": "connects", "chips": 1"#), "", "fewer than all"),
            (part(r#""situations": "mine""#), "{}", "a.json:1:2: the field `title` is missing"),
        ] {
            let error = wrong(&rubric, situation);
            assert!(error.contains(words), "{words}: {error}");
        }
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// Words of a sentence that name a rank that no player shows, or a number that is none of the question's: each is right
    /// for another reason.
    const HYPOTHETICAL: [(&str, &str); 3] = [
        ("high-spade-stays-in", "ace"),
        ("small-trips-stay-in", "aces"),
        ("trips-against-a-shown-pair", "45"),
    ];

    /// Ranks and numbers that a sentence names are those of the situation at its decision.
    #[test]
    fn sentences_name_the_cards_and_chips_of_their_situation() {
        let mut wrong = Vec::new();
        for situation in situations(&Rubric::built_in()) {
            let caller = || HouseBot::named("caller").unwrap().player(Seed::chosen("x").stream("x"));
            let asked = [Side::Here, Side::Instead].map(|side| {
                let Ok(played) = situation.play(side, &mut caller());
                played.and_then(|round| Some(round.question()?.text.clone())).unwrap_or_default()
            });
            let words: Vec<&str> = asked.iter().flat_map(|text| text.split(':')).collect();
            let cards: Vec<Card> = words.iter().filter_map(|word| word.parse().ok()).collect();
            let to_call = situation.facing(Side::Here).unwrap();
            let mut numbers: Vec<u32> = words.iter().filter_map(|word| word.parse().ok()).collect();
            let listed = asked[0].split(":up:").nth(1).map_or(0, |list| list.split(':').count());
            numbers.extend([0, 10, to_call + 10, listed as u32]);
            let text = situation.reason.replace("bet1", "").replace("bet2", "").to_lowercase();
            for word in text.split(|letter: char| !letter.is_alphanumeric()) {
                // "Five chips" are no cards, but "fives" and "ace" are.
                let is_rank = |rank: &Rank| {
                    rank.plural() == word || *rank >= Rank::Jack && rank.word().eq_ignore_ascii_case(word)
                };
                let rank = Rank::ALL.into_iter().find(is_rank);
                let is_named = rank.is_none_or(|rank| cards.iter().any(|card| card.rank() == rank));
                let number = word.parse::<u32>().ok();
                let is_there = number.is_none_or(|number| numbers.contains(&number));
                let is_right = is_named && is_there || HYPOTHETICAL.contains(&(situation.id.as_str(), word));
                if !is_right {
                    wrong.push(format!("{}: {word} in {:?} ({asked:?})", situation.id, situation.reason));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
