//! Predictions from phones: the winner, and the first player out. Play points only; no money, and no names except the
//! one chosen on a phone.
//!
//! They may predict before the first round and again before the last table. Every answer puts play points into a pot of
//! its question, and those who are right share the pot, as at the races: a right answer that few gave earns more. An
//! answer before the start puts in twice as much as one before the last table, so that an earlier one earns more.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use casino_stud::tournament::harmless;

use crate::rounds::BoardRow;

/// As many phones may predict: a full lecture hall and some more.
const MAX_PHONES: usize = 1_000;

/// The longest id of a phone, in bytes. The page draws 32 letters.
const MAX_ID_BYTES: usize = 64;

/// Maximum length of a name that is read, in bytes; the displayed form is shorter.
const MAX_NAME_BYTES: usize = 200;

/// When predictions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PredictionStage {
    /// Before the first round.
    Start,
    /// Before the last table begins.
    LastTable,
}

impl PredictionStage {
    /// The play points that an answer puts into the pot of its question.
    fn stake(self) -> u64 {
        match self {
            PredictionStage::Start => 100,
            PredictionStage::LastTable => 50,
        }
    }

    fn words(self) -> &'static str {
        match self {
            PredictionStage::Start => "before the start",
            PredictionStage::LastTable => "before the last table",
        }
    }
}

/// A prediction as a phone sends it. Players are numbered from 1.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PredictionForm {
    /// The phone's identifier, drawn by itself.
    pub id: String,
    /// The name that stands on the podium if it is the best prophet.
    pub name: String,
    /// The number of the predicted winner, from 1.
    pub champion: usize,
    /// The number of the player who is predicted to leave first, from 1.
    pub first_out: usize,
}

/// Why a prediction is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PredictionError {
    /// No predictions are accepted now.
    Closed,
    /// There is no such player, or it is out already.
    NoSuchPlayer,
    /// The same player was chosen twice.
    TheSame,
    /// Nothing of the name can be shown.
    NoName,
    /// The id is empty or too long.
    BadId,
    /// The phone with this id predicted from another address.
    AnotherAddress,
    /// There are too many phones, or too many at this address.
    TooMany,
}

impl fmt::Display for PredictionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PredictionError::Closed => {
                "The predictions are closed. They open before the start and before the last table."
            }
            PredictionError::NoSuchPlayer => "That player is not in play. Choose another one.",
            PredictionError::TheSame => "The winner cannot be the first player out. Choose two players.",
            PredictionError::NoName => "Choose a name with at least one letter or digit.",
            PredictionError::BadId => "This phone has no identifier. Load the page again.",
            PredictionError::AnotherAddress => {
                "This phone has predicted from another address of the network. Go back to the network it was in."
            }
            PredictionError::TooMany => "There are too many predictions already.",
        })
    }
}

impl std::error::Error for PredictionError {}

/// The answers of a phone to the questions of one stage.
#[derive(Clone, Copy, Debug)]
struct PhoneAnswers {
    champion: usize,
    first_out: usize,
}

#[derive(Clone, Debug)]
struct Phone {
    name: String,
    address: IpAddr,
    guesses: BTreeMap<PredictionStage, PhoneAnswers>,
    /// When it predicted last, counted over all predictions.
    at: u64,
}

/// A question that phones answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum PredictedEvent {
    /// The winner.
    Champion,
    /// The player who leaves first.
    FirstOut,
}

impl PredictedEvent {
    const ALL: [PredictedEvent; 2] = [PredictedEvent::Champion, PredictedEvent::FirstOut];

    fn words(self) -> &'static str {
        match self {
            PredictedEvent::Champion => "the winner",
            PredictedEvent::FirstOut => "the first one out",
        }
    }
}

impl PhoneAnswers {
    fn of(self, event: PredictedEvent) -> usize {
        match event {
            PredictedEvent::Champion => self.champion,
            PredictedEvent::FirstOut => self.first_out,
        }
    }
}

/// An answer of a phone, and whether it came true. Players are numbered from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JudgedAnswer {
    /// When it was predicted.
    pub stage: PredictionStage,
    /// The prediction.
    pub event: PredictedEvent,
    /// The number of the predicted player, from 1.
    pub player: usize,
    /// Whether it came true.
    pub is_right: bool,
}

/// How the predictions of a phone came out: told to that phone alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProphetResult {
    /// The play points that it earned.
    pub points: u64,
    /// Its place among all who predicted, from 1.
    pub place: usize,
    /// How many predicted.
    pub prophets: usize,
    /// Its answers, those before the start first.
    pub answers: Vec<JudgedAnswer>,
}

/// The outcome. Players are numbered from 1; several share a place or leave in the same round.
#[derive(Clone, Debug, Default)]
pub struct TrueAnswers {
    /// Those who shared the first place.
    pub champions: BTreeSet<usize>,
    /// Those who left first.
    pub first_out: BTreeSet<usize>,
    /// Those who left the last table first.
    pub first_out_of_last_table: BTreeSet<usize>,
}

impl TrueAnswers {
    fn to(&self, event: PredictedEvent, stage: PredictionStage) -> &BTreeSet<usize> {
        match (event, stage) {
            (PredictedEvent::Champion, _) => &self.champions,
            (PredictedEvent::FirstOut, PredictionStage::Start) => &self.first_out,
            (PredictedEvent::FirstOut, PredictionStage::LastTable) => &self.first_out_of_last_table,
        }
    }

    /// The final standings of a tournament, and the players of the last of several tables.
    pub fn of(rows: &[BoardRow], last_table: &BTreeSet<usize>) -> TrueAnswers {
        let first = |among: &dyn Fn(&BoardRow) -> bool| {
            // Of house bots among others nothing can be predicted.
            let gone =
                || rows.iter().filter(|row| row.place.is_some() && among(row) && row.left_in_round.is_some());
            let round = gone().filter_map(|row| row.left_in_round).min();
            gone().filter(|row| row.left_in_round == round).map(|row| row.seat).collect()
        };
        TrueAnswers {
            champions: rows.iter().filter(|row| row.place == Some(1)).map(|row| row.seat).collect(),
            first_out: first(&|_| true),
            first_out_of_last_table: first(&|row| last_table.contains(&row.seat)),
        }
    }
}

/// The best prophet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Prophet {
    /// The name that the phone has chosen, harmless.
    pub name: String,
    /// The points of its predictions.
    pub points: u64,
    /// Its correct predictions, in words.
    pub text: String,
}

impl Prophet {
    /// The prophet that this phone is, if anything that it said came true.
    fn of(phone: &Phone, result: &ProphetResult) -> Option<Prophet> {
        let right = result.answers.iter().filter(|answer| answer.is_right);
        let foreseen: Vec<String> =
            right.map(|answer| format!("{} {}", answer.event.words(), answer.stage.words())).collect();
        (!foreseen.is_empty()).then(|| Prophet {
            name: phone.name.clone(),
            points: result.points,
            text: format!("foresaw {}", foreseen.join(" and ")),
        })
    }
}

/// The public view of a tournament's predictions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PredictionsView {
    /// Whether the teacher allows predictions.
    pub enabled: bool,
    /// Whether predictions are accepted now.
    pub open: bool,
    /// The deadline of the open predictions.
    pub stage: Option<PredictionStage>,
    /// How many phones have predicted.
    pub count: usize,
    /// How many phones named the winner, once everything is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub believers: Option<usize>,
    /// The best prophet, once everything is over.
    pub prophet: Option<Prophet>,
}

/// The predictions of all phones.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    enabled: bool,
    stage: Option<PredictionStage>,
    /// The players that can be chosen in this stage.
    players: BTreeSet<usize>,
    phones: BTreeMap<String, Phone>,
    made: u64,
    prophet: Option<Prophet>,
    /// How those of each phone came out, by its id, once everything is over.
    results: BTreeMap<String, ProphetResult>,
}

impl Predictions {
    /// A tournament begins: nothing has been predicted.
    pub fn begin(&mut self, enabled: bool) {
        *self = Predictions { enabled, ..Predictions::default() };
    }

    /// The teacher allows predictions or not.
    pub fn enable(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    /// From now on these players, by their numbers, may be predicted.
    pub fn open(&mut self, stage: PredictionStage, players: impl IntoIterator<Item = usize>) {
        self.stage = Some(stage);
        self.players = players.into_iter().collect();
    }

    /// Play goes on: nothing more may be predicted.
    pub fn close(&mut self) {
        self.stage = None;
    }

    /// Takes the prediction of a phone at this address, in place of its last one in the same stage.
    pub fn take(&mut self, form: &PredictionForm, address: IpAddr) -> Result<(), PredictionError> {
        let stage = self.stage.filter(|_| self.enabled).ok_or(PredictionError::Closed)?;
        if form.id.is_empty() || form.id.len() > MAX_ID_BYTES {
            return Err(PredictionError::BadId);
        }
        if !self.players.contains(&form.champion) || !self.players.contains(&form.first_out) {
            return Err(PredictionError::NoSuchPlayer);
        }
        if form.champion == form.first_out {
            return Err(PredictionError::TheSame);
        }
        let name =
            Some(&form.name).filter(|name| name.len() <= MAX_NAME_BYTES).and_then(|name| harmless(name));
        let name = name.ok_or(PredictionError::NoName)?;
        match self.phones.get(&form.id).map(|phone| phone.address == address) {
            Some(true) => {}
            Some(false) => return Err(PredictionError::AnotherAddress),
            None if self.make_room_for(address) => {}
            None => return Err(PredictionError::TooMany),
        }
        self.made += 1;
        let phone = self.phones.entry(form.id.clone()).or_insert_with(|| Phone {
            name: String::new(),
            address,
            guesses: BTreeMap::new(),
            at: 0,
        });
        (phone.name, phone.at) = (name, self.made);
        phone.guesses.insert(stage, PhoneAnswers { champion: form.champion, first_out: form.first_out });
        Ok(())
    }

    /// Makes room for another phone of this address. If all places are taken, the address with the most gives up the
    /// one of its last phone, unless this address would then have as many: the places of a few addresses never exclude
    /// the others. Returns `false` without room.
    fn make_room_for(&mut self, address: IpAddr) -> bool {
        if self.phones.len() < MAX_PHONES {
            return true;
        }
        let mut taken: BTreeMap<IpAddr, usize> = BTreeMap::new();
        for phone in self.phones.values() {
            *taken.entry(phone.address).or_default() += 1;
        }
        let here = taken.get(&address).copied().unwrap_or_default();
        let Some((crowded, _)) = taken.into_iter().filter(|(_, most)| *most > here + 1).max_by_key(|at| at.1)
        else {
            return false;
        };
        let of_crowded = self.phones.iter().filter(|(_, phone)| phone.address == crowded);
        let last = of_crowded.max_by_key(|(_, phone)| phone.at).map(|(id, _)| id.clone());
        last.is_some_and(|id| self.phones.remove(&id).is_some())
    }

    /// Everything is over: scores each phone's predictions and finds the best prophet. Among equal points the earliest
    /// prediction wins; without any correct prediction there is no winner.
    pub fn resolve(&mut self, outcome: &TrueAnswers) {
        self.close();
        let mut results: BTreeMap<&str, ProphetResult> =
            self.phones.keys().map(|id| (id.as_str(), ProphetResult::default())).collect();
        for stage in [PredictionStage::Start, PredictionStage::LastTable] {
            let guesses: Vec<(&str, PhoneAnswers)> = self
                .phones
                .iter()
                .filter_map(|(id, phone)| Some((id.as_str(), *phone.guesses.get(&stage)?)))
                .collect();
            let pot = stage.stake() * guesses.len() as u64;
            for event in PredictedEvent::ALL {
                let truth = outcome.to(event, stage);
                let right = guesses.iter().filter(|(_, guess)| truth.contains(&guess.of(event))).count();
                for (id, guess) in &guesses {
                    let player = guess.of(event);
                    let is_right = truth.contains(&player);
                    let result = results.entry(id).or_default();
                    result.points += if is_right { pot / right as u64 } else { 0 };
                    result.answers.push(JudgedAnswer { stage, event, player, is_right });
                }
            }
        }
        let mut ranked: Vec<(&str, &Phone)> =
            self.phones.iter().map(|(id, phone)| (id.as_str(), phone)).collect();
        ranked.sort_by_key(|(id, phone)| (std::cmp::Reverse(results[id].points), phone.at));
        for (place, (id, _)) in (1..).zip(&ranked) {
            let result = results.entry(id).or_default();
            (result.place, result.prophets) = (place, ranked.len());
        }
        self.prophet = ranked.first().and_then(|(id, phone)| Prophet::of(phone, &results[id]));
        self.results = results.into_iter().map(|(id, result)| (id.to_string(), result)).collect();
    }

    /// How the predictions of the phone with this id came out, once everything is over.
    pub fn result_of(&self, id: &str) -> Option<&ProphetResult> {
        self.results.get(id)
    }

    /// The predictions as the page shows them.
    pub fn view(&self) -> PredictionsView {
        let stage = self.stage.filter(|_| self.enabled);
        let believes = |answer: &JudgedAnswer| answer.is_right && answer.event == PredictedEvent::Champion;
        let believe = |result: &&ProphetResult| result.answers.iter().any(believes);
        PredictionsView {
            enabled: self.enabled,
            open: stage.is_some(),
            stage,
            count: self.phones.len(),
            believers: (self.enabled && !self.results.is_empty())
                .then(|| self.results.values().filter(believe).count()),
            prophet: self.prophet.clone().filter(|_| self.enabled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn form(id: &str, champion: usize, first_out: usize) -> PredictionForm {
        PredictionForm { id: id.to_string(), name: format!("Phone {id}"), champion, first_out }
    }

    fn open() -> Predictions {
        let mut predictions = Predictions::default();
        predictions.begin(true);
        predictions.open(PredictionStage::Start, 1..=4);
        predictions
    }

    fn outcome() -> TrueAnswers {
        TrueAnswers { champions: [1].into(), first_out: [4].into(), first_out_of_last_table: [3].into() }
    }

    #[test]
    fn rarer_and_earlier_right_answers_earn_more() {
        let mut predictions = open();
        // Three say that player 1 wins, one that player 4 is out first.
        for (id, champion, first_out) in [("a", 1, 2), ("b", 1, 2), ("c", 1, 2), ("d", 2, 4)] {
            predictions.take(&form(id, champion, first_out), HERE).unwrap();
        }
        predictions.resolve(&outcome());
        let view = predictions.view();
        let prophet = view.prophet.unwrap();
        assert_eq!((prophet.name.as_str(), prophet.points), ("Phone d", 400));
        assert_eq!(prophet.text, "foresaw the first one out before the start");
        assert!(!view.open && view.count == 4);
        assert_eq!(view.believers, Some(3), "phones that named the winner");

        // The same answer counts half as much before the last table.
        let mut predictions = open();
        predictions.take(&form("early", 1, 2), HERE).unwrap();
        predictions.open(PredictionStage::LastTable, [1, 2, 3]);
        predictions.take(&form("late", 1, 2), HERE).unwrap();
        predictions.resolve(&outcome());
        let prophet = predictions.view().prophet.unwrap();
        assert_eq!((prophet.name.as_str(), prophet.points), ("Phone early", 100));
    }

    #[test]
    fn each_phone_receives_its_result_and_place() {
        let mut predictions = open();
        for (id, champion, first_out) in [("a", 2, 3), ("b", 1, 2), ("c", 1, 4)] {
            predictions.take(&form(id, champion, first_out), HERE).unwrap();
        }
        assert_eq!(predictions.result_of("c"), None, "nothing is known before the end");
        assert_eq!(predictions.view().believers, None, "nor how many were right");
        predictions.resolve(&outcome());
        let told = |id: &str| {
            let ProphetResult { points, place, prophets, answers } = predictions.result_of(id).unwrap();
            (*points, *place, *prophets, answers.iter().map(|answer| answer.is_right).collect::<Vec<_>>())
        };
        assert_eq!(told("c"), (150 + 300, 1, 3, vec![true, true]));
        assert_eq!(told("b"), (150, 2, 3, vec![true, false]));
        assert_eq!(told("a"), (0, 3, 3, vec![false, false]));
        assert_eq!(predictions.result_of("nobody"), None);
        predictions.begin(true);
        assert_eq!(predictions.result_of("c"), None, "the next tournament begins with nothing");
    }

    #[test]
    fn earlier_prediction_wins_ties_and_wrong_ones_win_nothing() {
        let mut predictions = open();
        predictions.take(&form("z", 1, 2), HERE).unwrap();
        predictions.take(&form("a", 1, 2), HERE).unwrap();
        predictions.resolve(&outcome());
        assert_eq!(predictions.view().prophet.unwrap().name, "Phone z");
        let mut predictions = open();
        predictions.take(&form("a", 2, 3), HERE).unwrap();
        predictions.resolve(&outcome());
        assert_eq!(predictions.view().prophet, None);
    }

    #[test]
    fn a_phone_changes_its_mind_and_is_counted_once() {
        let mut predictions = open();
        predictions.take(&form("a", 2, 3), HERE).unwrap();
        predictions.take(&form("a", 1, 4), HERE).unwrap();
        assert_eq!(predictions.view().count, 1);
        predictions.resolve(&outcome());
        let prophet = predictions.view().prophet.unwrap();
        assert_eq!(prophet.points, 200);
        assert_eq!(
            prophet.text,
            "foresaw the winner before the start and the first one out before the start"
        );
    }

    #[test]
    fn the_outcome_is_that_of_the_final_table() {
        let row = |seat, place, left_in_round| BoardRow {
            seat,
            place: Some(place),
            chips: 0,
            points: None,
            left_in_round,
            why: None,
            fouls: None,
        };
        let rows = [
            row(2, 1, None),
            row(1, 2, Some(90)),
            row(4, 3, Some(40)),
            row(3, 4, Some(7)),
            row(5, 4, Some(7)),
        ];
        let outcome = TrueAnswers::of(&rows, &[1, 2, 4].into());
        assert_eq!(outcome.champions, [2].into());
        assert_eq!(outcome.first_out, [3, 5].into());
        assert_eq!(outcome.first_out_of_last_table, [4].into());
        assert!(TrueAnswers::of(&rows[..1], &BTreeSet::new()).first_out.is_empty());
        // A ranked house bot cannot be chosen.
        let house = BoardRow { place: None, ..row(6, 1, Some(2)) };
        let outcome = TrueAnswers::of(&[&rows[..], &[house]].concat(), &BTreeSet::new());
        assert_eq!((outcome.champions, outcome.first_out), ([2].into(), [3, 5].into()));
    }

    #[test]
    fn invalid_and_late_predictions_are_refused() {
        let mut predictions = open();
        let refused = |predictions: &mut Predictions, form: &PredictionForm| predictions.take(form, HERE);
        assert_eq!(refused(&mut predictions, &form("a", 5, 1)), Err(PredictionError::NoSuchPlayer));
        assert_eq!(refused(&mut predictions, &form("a", 0, 1)), Err(PredictionError::NoSuchPlayer));
        assert_eq!(refused(&mut predictions, &form("a", 1, 1)), Err(PredictionError::TheSame));
        assert_eq!(refused(&mut predictions, &form("", 1, 2)), Err(PredictionError::BadId));
        assert_eq!(refused(&mut predictions, &form(&"x".repeat(65), 1, 2)), Err(PredictionError::BadId));
        for name in ["", "\u{202e}\u{200b}", &"x".repeat(201)] {
            let nameless = PredictionForm { name: name.to_string(), ..form("a", 1, 2) };
            assert_eq!(refused(&mut predictions, &nameless), Err(PredictionError::NoName));
        }
        assert_eq!(predictions.view().count, 0);
        predictions.close();
        assert_eq!(refused(&mut predictions, &form("a", 1, 2)), Err(PredictionError::Closed));
        predictions.open(PredictionStage::LastTable, [1, 2]);
        predictions.enable(false);
        assert_eq!(refused(&mut predictions, &form("a", 1, 2)), Err(PredictionError::Closed));
        assert_eq!(predictions.view(), PredictionsView::default());
    }

    #[test]
    fn names_are_harmless_and_memory_is_bounded() {
        let mut predictions = open();
        let evil = PredictionForm { name: "<b>\u{1b}[31mEve\u{202e}</b>".to_string(), ..form("evil", 1, 4) };
        predictions.take(&evil, HERE).unwrap();
        predictions.resolve(&outcome());
        let name = predictions.view().prophet.unwrap().name;
        assert_eq!(harmless(&name).as_deref(), Some(name.as_str()));

        let mut predictions = open();
        for number in 0..MAX_PHONES + 100 {
            let address = IpAddr::V4(std::net::Ipv4Addr::from_bits((number % 700) as u32));
            // Some are refused: the test compares the refusals.
            let _ = predictions.take(&form(&number.to_string(), 1, 2), address);
            assert!(predictions.phones.len() <= MAX_PHONES);
        }
        let mut predictions = open();
        let crowd = (0..MAX_PHONES + 5)
            .filter(|number| predictions.take(&form(&number.to_string(), 1, 2), HERE).is_ok());
        assert_eq!(crowd.count(), MAX_PHONES, "a great hall behind one address");
        // A phone with a place may still change its prediction.
        assert_eq!(predictions.take(&form("0", 2, 1), HERE), Ok(()));
    }

    #[test]
    fn greedy_addresses_leave_room_for_others() {
        let address = |last: u8| IpAddr::from([10, 0, 0, last]);
        for (greedy, phones) in [(1, MAX_PHONES), (6, 250), (250, 5)] {
            let mut predictions = open();
            for last in 1..=greedy {
                for number in 0..phones {
                    // Some are refused: it is greedy.
                    let _ = predictions.take(&form(&format!("{last}-{number}"), 1, 2), address(last));
                }
            }
            assert_eq!(predictions.take(&form("honest", 1, 2), address(255)), Ok(()), "{greedy} are greedy");
            assert_eq!(predictions.take(&form("more", 1, 2), address(1)), Err(PredictionError::TooMany));
            assert!(predictions.phones.contains_key("honest"));
        }
    }

    #[test]
    fn predictions_cannot_be_changed_from_another_address() {
        let mut predictions = open();
        predictions.take(&form("a", 1, 2), HERE).unwrap();
        let elsewhere = predictions.take(&form("a", 2, 1), [10, 0, 0, 7].into());
        assert_eq!(elsewhere, Err(PredictionError::AnotherAddress));
        predictions.resolve(&outcome());
        assert!(predictions.result_of("a").unwrap().answers[0].is_right);
    }
}
