//! Reads the file of a situation. `crates/judge/rubric/README.md` describes it.

use serde::Deserialize;

use crate::scenario::FileError;
use crate::scenario::file::{
    BuyIn, CardsOfRound, PlayerName, RuleNumber, SettingsFile, dealt_cards, only_once, seats,
};
use crate::scenario::json::{self, OneOrMany, Whole};
use crate::scenario::scripted_table::{
    AfterFold, PlacedCard, Script, ScriptedReply, ScriptedTable, SubjectRound,
};
use casino_stud::strategies::AwaitedPlayer;
use casino_stud::stud::{Chips, Seat, Street};
use casino_stud::table::{OnFoul, TableSettings};

use super::expect::Expectation;
use super::play::{self, Decision, SituationRound};

/// A scripted table with a seat for a bot, the decision it has to make, and the expected reply.
#[derive(Clone, Debug)]
pub(crate) struct RubricSituation {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) reason: String,
    #[allow(dead_code, reason = "a test asks it of the situations that are built in")]
    pub(crate) is_founded: bool,
    pub(super) weight: u32,
    here: Variant,
    instead: Option<Variant>,
    pub(super) decision: Decision,
    pub(crate) expect: Vec<Expectation>,
}

#[derive(Clone, Debug)]
struct Variant {
    round: SubjectRound,
    /// The amount to call at the subject's decision, in chips.
    facing: Chips,
    /// The title of this variant; empty for the situation as written.
    title: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The situation as written.
    Here,
    /// The one it is compared with.
    Instead,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SituationFile {
    title: String,
    #[serde(default)]
    rule: OneOrMany<RuleNumber>,
    says: Option<String>,
    reason: String,
    weight: Option<Whole<1, 10>>,
    #[serde(default)]
    settings: SettingsFile,
    #[serde(deserialize_with = "seats")]
    seats: Vec<SituationSeatObject>,
    instead: Option<InsteadFile>,
    decision: DecisionFile,
    expect: SituationExpectObject,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct SituationSeatObject {
    name: PlayerName,
    stack: Option<BuyIn>,
    cards: Option<OneOrMany<CardsOfRound>>,
    plays: Option<JudgedWord>,
    bet1: Option<OneOrMany<ScriptedReply>>,
    bet2: Option<OneOrMany<ScriptedReply>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JudgedWord {
    Bot,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InsteadFile {
    title: String,
    facing: Option<Facing>,
    seats: Vec<SituationSeatObject>,
}

type Facing = Whole<0, 1_000_000>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecisionFile {
    at: Street,
    asked: Option<Whole<1, 20>>,
    facing: Facing,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SituationExpectObject {
    bot: OneOrMany<Expectation>,
}

impl TryFrom<String> for ScriptedReply {
    type Error = String;

    fn try_from(text: String) -> Result<ScriptedReply, String> {
        let raise = |digits: &str| digits.parse().ok().filter(|chips| (1..=1_000_000).contains(chips));
        match text.as_str() {
            "call" => Ok(ScriptedReply::Call),
            "fold" => Ok(ScriptedReply::Fold),
            other => other
                .strip_prefix("raise ")
                .and_then(raise)
                .map(ScriptedReply::Raise)
                .ok_or_else(|| format!("\"{text}\" is not possible: write call, fold or raise 5")),
        }
    }
}

impl RubricSituation {
    pub(crate) fn read(id: &str, text: &str) -> Result<RubricSituation, FileError> {
        let file: SituationFile = json::read(text)?;
        if let Some(field) = file.settings.of_many_rounds() {
            let message =
                "a situation is a single round: it has stack, ante, raise_cap, short_stack and seed";
            return Err(FileError::of(&format!("settings.{field}"), message));
        }
        let settings = file.settings.with_rounds(1);
        let seats = SeatList::new(file.seats)?;
        let round = SubjectRound {
            table: ScriptedTable {
                // A foul folds the subject and is recorded (R19): the round continues.
                settings: TableSettings { on_foul: OnFoul::Fold, ..settings.conduct },
                seed: settings.seed,
                rounds: 1,
                stacks: seats.stacks(|_| settings.stack),
                cards: seats.cards("seats")?,
            },
            subject: Seat::new(seats.subject),
            scripts: seats.scripts(),
            after_fold: AfterFold::KeepToScript,
            others_leave_after: None,
        };
        let here = Variant { round, facing: file.decision.facing.0, title: String::new() };
        let instead = file.instead.map(|instead| seats.variant(instead, &here)).transpose()?;
        let expect = file.expect.bot.values;
        if expect.is_empty() {
            let message = "nothing is expected: write \"legal\" if every legal reply will do";
            return Err(FileError::of("expect.bot", message));
        }
        if expect.iter().any(|expected| expected.compares()) != instead.is_some() {
            let message = "a comparison needs \"instead\", and \"instead\" needs a comparison";
            return Err(FileError::of("expect.bot", message));
        }
        Ok(RubricSituation {
            id: id.to_string(),
            title: file.title,
            reason: file.reason,
            is_founded: file.says.is_some() || !file.rule.values.is_empty(),
            weight: file.weight.map_or(1, |weight| weight.0),
            here,
            instead,
            decision: Decision {
                street: file.decision.at,
                asked: file.decision.asked.map_or(1, |asked| asked.0) as usize,
            },
            expect,
        })
    }

    /// The title of the situation it is compared with; `None` if it stands alone.
    pub(crate) fn instead(&self) -> Option<&str> {
        self.instead.as_ref().map(|variant| variant.title.as_str())
    }

    #[cfg(test)]
    pub(crate) fn facing(&self, side: Side) -> Option<Chips> {
        self.variant(side).map(|variant| variant.facing)
    }

    /// Plays a round at one of the tables; `None` if there is no such table.
    pub(crate) fn play<P: AwaitedPlayer>(
        &self,
        side: Side,
        bot: &mut P,
    ) -> Result<Option<SituationRound>, P::Stop> {
        let play = |variant: &Variant| play::play(&variant.round, &self.decision, bot);
        self.variant(side).map(play).transpose()
    }

    fn variant(&self, side: Side) -> Option<&Variant> {
        match side {
            Side::Here => Some(&self.here),
            Side::Instead => self.instead.as_ref(),
        }
    }
}

struct SeatList {
    /// Each seat, and the field with its cards.
    rows: Vec<(String, SituationSeatObject)>,
    subject: usize,
}

impl SeatList {
    fn new(seats: Vec<SituationSeatObject>) -> Result<SeatList, FileError> {
        let mut rows: Vec<(String, SituationSeatObject)> = Vec::new();
        let mut bots = Vec::new();
        for (index, seat) in seats.into_iter().enumerate() {
            let field = format!("seats[{index}]");
            let name = &seat.name.0;
            if rows.iter().any(|(_, other)| other.name.0 == *name) {
                let message = format!("two players are named {name}: give each a name of its own");
                return Err(FileError::of(&field, message));
            }
            if seat.plays == Some(JudgedWord::Bot) {
                for (street, moves) in [("bet1", &seat.bet1), ("bet2", &seat.bet2)] {
                    if moves.is_some() {
                        let message = "the bot decides for itself";
                        return Err(FileError::of(&format!("{field}.{street}"), message));
                    }
                }
                bots.push(index);
            }
            rows.push((format!("{field}.cards"), seat));
        }
        let [subject] = bots[..] else {
            let message = format!(
                "one seat has to be the judged bot's, with \"plays\": \"bot\"; here are {}",
                bots.len()
            );
            return Err(FileError::of("seats", message));
        };
        Ok(SeatList { rows, subject })
    }

    /// The stacks in seat order; `usual` is the stack of a seat that names none.
    fn stacks(&self, usual: impl Fn(usize) -> Chips) -> Vec<Chips> {
        let stack = |(index, (_, seat)): (usize, &(String, SituationSeatObject))| {
            seat.stack.map_or_else(|| usual(index), |stack| stack.0)
        };
        self.rows.iter().enumerate().map(stack).collect()
    }

    fn scripts(&self) -> Vec<Script> {
        let replies = |moves: &Option<OneOrMany<ScriptedReply>>| {
            moves.as_ref().map_or_else(Vec::new, |moves| moves.values.clone())
        };
        let script = |(_, seat): &(String, SituationSeatObject)| {
            Script::then_call([replies(&seat.bet1), replies(&seat.bet2)])
        };
        self.rows.iter().map(script).collect()
    }

    /// The cards of all seats from the field `list`.
    fn cards(&self, list: &str) -> Result<Vec<PlacedCard>, FileError> {
        let mut cards = Vec::new();
        for (player, (field, seat)) in self.rows.iter().enumerate() {
            if let Some(of_seat) = &seat.cards {
                cards.extend(dealt_cards(of_seat, field, player));
            }
        }
        if let Some(card) = cards.iter().find(|card| card.round > 1) {
            return Err(FileError::of(&card.field, "a situation is a single round"));
        }
        if cards.iter().filter(|card| card.player == self.subject).count() < 3 {
            let message = "give the bot all three cards: the expected reply depends on them";
            return Err(FileError::of(list, message));
        }
        let names: Vec<&str> = self.rows.iter().map(|(_, seat)| seat.name.0.as_str()).collect();
        only_once(&cards, &names)?;
        Ok(cards.iter().map(|card| card.at(Seat::new(card.player))).collect())
    }

    fn variant(&self, instead: InsteadFile, here: &Variant) -> Result<Variant, FileError> {
        let list = "instead.seats";
        let mut rows = self.rows.clone();
        for (index, changed) in instead.seats.into_iter().enumerate() {
            let field = format!("{list}[{index}]");
            let name = &changed.name.0;
            let Some((cards_field, seat)) = rows.iter_mut().find(|(_, seat)| seat.name.0 == *name) else {
                let message = format!("there is no {name} above: \"instead\" changes those who sit there");
                return Err(FileError::of(&field, message));
            };
            if changed.plays.is_some() {
                let message = "the judged bot keeps its seat: leave \"plays\" out";
                return Err(FileError::of(&format!("{field}.plays"), message));
            }
            if changed.cards.is_some() {
                *cards_field = format!("{field}.cards");
            }
            seat.stack = changed.stack.or(seat.stack);
            seat.cards = changed.cards.or_else(|| seat.cards.take());
            seat.bet1 = changed.bet1.or_else(|| seat.bet1.take());
            seat.bet2 = changed.bet2.or_else(|| seat.bet2.take());
        }
        let seats = SeatList { rows, subject: self.subject };
        let table = ScriptedTable {
            stacks: seats.stacks(|seat| here.round.table.stacks[seat]),
            cards: seats.cards(list)?,
            ..here.round.table.clone()
        };
        Ok(Variant {
            round: SubjectRound { table, scripts: seats.scripts(), ..here.round.clone() },
            facing: instead.facing.map_or(here.facing, |facing| facing.0),
            title: instead.title,
        })
    }
}
