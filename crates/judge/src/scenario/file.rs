//! Reads the file of a scenario. `scenarios/README.md` describes it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use casino_stud::cards::{Card, Notation, Seed};
use casino_stud::protocol::{Login, modified_utf8};
use casino_stud::strategies::{HOUSE, HouseBot};
use casino_stud::stud::{Chips, MAX_SEATS, Rules, Seat, ShortStack};
use casino_stud::table::{OnFoul, TableSettings};
use casino_stud::tournament::{Entrant, Slot, harmless};

use super::expect::{ExpectFile, Expectations};
use super::json::{self, FileError, OneOrMany, Whole};
use super::script::{ScriptAction, ScriptEntry};
use super::scripted_table::PlacedCard;

/// A scripted table: its players, their cards and replies, and the expected outcome.
///
/// ```
/// use casino_judge::scenario::Scenario;
///
/// let scenario = Scenario::read(
///     r#"{
///       "title": "No straights and no flushes: the highest card wins",
///       "rule": "R10",
///       "seats": [
///         {"name": "Flush", "cards": "2D 3D 4D", "replies": ["bet:0", "bet:0"]},
///         {"name": "High", "cards": "5C 7H 8H", "replies": ["bet:0", "bet:0"]}
///       ],
///       "expect": {"payouts": {"High": {"whole": 2}}}
///     }"#,
/// )?;
/// assert!(scenario.check(&scenario.play()).is_empty());
/// assert!(scenario.check(&scenario.play_over_tcp()?).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The title of the scenario, one line.
    pub title: String,
    /// The R-numbers of the rules it shows.
    pub rules: Vec<String>,
    /// The sentence of the document it shows.
    pub says: Option<String>,
    pub(super) settings: ScenarioSettings,
    pub(super) players: Vec<ScenarioPlayer>,
    pub(super) cards: Vec<DealtCard>,
    pub(super) visitors: Vec<RefusedVisitor>,
    pub(super) expect: Expectations,
}

#[derive(Clone, Debug)]
pub(crate) struct ScenarioSettings {
    pub(crate) conduct: TableSettings,
    pub(super) rounds: u64,
    /// The stack of a seat that names none, in chips.
    pub(crate) stack: Chips,
    pub(crate) seed: Seed,
    /// Whether the seats are drawn (R2) instead of taken as written.
    pub(super) drawn: bool,
    pub(super) relogin: bool,
}

/// A player as the file has it. Where seats are drawn, the order in the file is only that of arrival.
#[derive(Clone, Debug)]
pub(super) struct ScenarioPlayer {
    pub(super) name: String,
    pub(super) stack: Chips,
    pub(super) plays: SeatController,
}

#[derive(Clone, Debug)]
pub(super) enum SeatController {
    Script {
        login: Login,
        script: Vec<ScriptEntry>,
        /// The field of the script, or of the seat that has none.
        field: String,
    },
    House(&'static HouseBot),
}

#[derive(Clone, Debug)]
pub(crate) struct DealtCard {
    pub(crate) field: String,
    pub(crate) round: u64,
    pub(crate) player: usize,
    pub(crate) slot: Slot,
    pub(crate) card: Card,
}

impl DealtCard {
    pub(crate) fn at(&self, seat: Seat) -> PlacedCard {
        PlacedCard { round: self.round, seat, slot: self.slot, card: self.card }
    }
}

#[derive(Clone, Debug)]
pub(super) struct RefusedVisitor {
    pub(super) action: ScriptAction,
    /// Words that have to be in its `done`.
    pub(super) refused: Vec<(String, String)>,
}

impl ScenarioPlayer {
    pub(super) fn entrant(&self) -> Entrant {
        match &self.plays {
            SeatController::Script { login, .. } => Entrant::new(&login.github_id, &login.avatar),
            SeatController::House(_) => Entrant::new(format!("house:{}", self.name), &self.name),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioFile {
    title: String,
    #[serde(default)]
    rule: OneOrMany<RuleNumber>,
    says: Option<String>,
    from: Option<String>,
    #[serde(default)]
    settings: SettingsFile,
    #[serde(deserialize_with = "seats")]
    seats: Vec<ScenarioSeatObject>,
    #[serde(default)]
    visitors: Vec<VisitorFile>,
    expect: ExpectFile,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SettingsFile {
    ante: Option<BuyIn>,
    raise_cap: Option<BuyIn>,
    short_stack: Option<ShortStack>,
    on_foul: Option<OnFoul>,
    rounds: Option<Whole<1, 1_000>>,
    stack: Option<BuyIn>,
    seed: Option<String>,
    seating: Option<Seating>,
    relogin: Option<bool>,
}

/// An amount of chips that a player brings or pays.
pub(crate) type BuyIn = Whole<1, 1_000_000>;

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Seating {
    #[serde(rename = "as written")]
    AsWritten,
    Drawn,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScenarioSeatObject {
    name: PlayerName,
    stack: Option<BuyIn>,
    login: Option<ScriptedLogin>,
    #[serde(default)]
    cards: OneOrMany<CardsOfRound>,
    plays: Option<Plays>,
    replies: Option<Vec<ScriptAction>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VisitorFile {
    does: ScriptAction,
    #[serde(default)]
    refused: OneOrMany<String>,
}

/// The seats of a table, as many as are allowed (R1).
pub(crate) fn seats<'de, T: Deserialize<'de>, D: Deserializer<'de>>(file: D) -> Result<Vec<T>, D::Error> {
    let seats = Vec::deserialize(file)?;
    match seats.len() {
        2..=MAX_SEATS => Ok(seats),
        count => Err(Error::custom(format!("a table has 2 to {MAX_SEATS} seats (R1), and here are {count}"))),
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct RuleNumber(pub(crate) String);

impl TryFrom<String> for RuleNumber {
    type Error = String;

    fn try_from(text: String) -> Result<RuleNumber, String> {
        match text.strip_prefix('R').and_then(|digits| digits.parse().ok()) {
            Some(1..=23u32) => Ok(RuleNumber(text)),
            _ => Err(format!("\"{text}\" is no rule: write R1 to R23")),
        }
    }
}

/// A name that is shown as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct PlayerName(pub(crate) String);

impl TryFrom<String> for PlayerName {
    type Error = &'static str;

    fn try_from(name: String) -> Result<PlayerName, &'static str> {
        match harmless(&name).as_deref() == Some(&name) {
            true => Ok(PlayerName(name)),
            false => Err("a name has up to 40 letters, digits, signs and emoji; the name in a login goes \
                          into \"login\""),
        }
    }
}

/// The placed cards of a player in a round: `"KS 10D 2C"`, with `-` for any card.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct CardsOfRound(Vec<(Slot, Card)>);

impl TryFrom<String> for CardsOfRound {
    type Error = String;

    fn try_from(text: String) -> Result<CardsOfRound, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() > Slot::ALL.len() {
            return Err("a player gets three cards a round: hole, up and second".to_string());
        }
        let placed = Slot::ALL.into_iter().zip(words).filter(|(_, word)| *word != "-");
        let card = |(slot, word)| {
            let card = Notation::Wire.parse(word).map_err(|error| format!("{error}; or - for any card"))?;
            Ok((slot, card))
        };
        placed.map(card).collect::<Result<_, _>>().map(CardsOfRound)
    }
}

#[derive(Deserialize)]
#[serde(try_from = "String")]
struct ScriptedLogin(Login);

impl TryFrom<String> for ScriptedLogin {
    type Error = String;

    fn try_from(text: String) -> Result<ScriptedLogin, String> {
        Login::read(&modified_utf8::encode(&text))
            .map(ScriptedLogin)
            .map_err(|error| format!("this login is refused: {error}. Declare a refused player as a visitor"))
    }
}

#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
enum Plays {
    Script,
    House(&'static HouseBot),
}

impl TryFrom<String> for Plays {
    type Error = String;

    fn try_from(text: String) -> Result<Plays, String> {
        if text == "bot" {
            return Err("this is a situation to judge a bot in: `casino grade stud` plays it, with a bot in this seat"
                .to_string());
        }
        let house = HOUSE.iter().find(|bot| bot.name == text).map(Plays::House);
        house.or((text == "script").then_some(Plays::Script)).ok_or_else(|| {
            let names: Vec<&str> = HOUSE.iter().map(|bot| bot.name).collect();
            format!("\"{text}\" is not possible: write script or {}", names.join(" or "))
        })
    }
}

impl Scenario {
    /// Reads a scenario from the text of its file.
    pub fn read(text: &str) -> Result<Scenario, FileError> {
        let file: ScenarioFile = json::read(text)?;
        if file.rule.values.is_empty() && file.says.is_none() && file.from.is_none() {
            return Err(FileError::of(
                "",
                "give the source of this scenario: \"rule\" with an R-number, \"says\" with a sentence of the document, or \
                 \"from\" with where it happened",
            ));
        }
        let rounds_dealt = file.seats.iter().map(|seat| seat.cards.values.len() as u64).fold(1, u64::max);
        let settings = file.settings.with_rounds(rounds_dealt);
        if settings.rounds < rounds_dealt {
            let message = format!("cards are given for {rounds_dealt} rounds: play as many");
            return Err(FileError::of("settings.rounds", message));
        }
        let mut players: Vec<ScenarioPlayer> = Vec::new();
        let mut cards = Vec::new();
        for (index, seat) in file.seats.into_iter().enumerate() {
            let field = format!("seats[{index}]");
            cards.extend(dealt_cards(&seat.cards, &format!("{field}.cards"), index));
            let player = seat.player(settings.stack, &field)?;
            if players.iter().any(|other| other.name == player.name) {
                let message = format!("two players are named {}: give each a name of its own", player.name);
                return Err(FileError::of(&field, message));
            }
            let id = player.entrant().github_id;
            if let Some(other) = players.iter().find(|other| other.entrant().github_id == id) {
                let message = format!("{} has the GitHubId of {} too", player.name, other.name);
                return Err(FileError::of(&field, message));
            }
            if player.stack < settings.conduct.rules.ante {
                let message = format!("a stack of {} is less than the ante", player.stack);
                return Err(FileError::of(&field, message));
            }
            players.push(player);
        }
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        only_once(&cards, &names)?;
        let mut visitors = Vec::new();
        for (index, visitor) in file.visitors.into_iter().enumerate() {
            visitors.push(visitor.refusal(&players, &format!("visitors[{index}]"))?);
        }
        let has_house_bot = players.iter().any(|player| matches!(player.plays, SeatController::House(_)));
        if !visitors.is_empty() && has_house_bot {
            return Err(FileError::of("visitors", "where there are visitors, every seat has to be scripted"));
        }
        let expect = Expectations::new(file.expect, &names)?;
        let rules = file.rule.values.into_iter().map(|rule| rule.0).collect();
        let (title, says) = (file.title, file.says);
        Ok(Scenario { title, rules, says, settings, players, cards, visitors, expect })
    }
}

impl SettingsFile {
    /// The first of the settings here that have no meaning in a single round.
    pub(crate) fn of_many_rounds(&self) -> Option<&'static str> {
        let fields = [
            ("on_foul", self.on_foul.is_some()),
            ("rounds", self.rounds.is_some()),
            ("seating", self.seating.is_some()),
            ("relogin", self.relogin.is_some()),
        ];
        fields.into_iter().find(|(_, is_there)| *is_there).map(|(field, _)| field)
    }

    pub(crate) fn with_rounds(self, rounds_dealt: u64) -> ScenarioSettings {
        let usual = Rules::default();
        let rules = Rules {
            ante: self.ante.map_or(usual.ante, |ante| ante.0),
            raise_cap: self.raise_cap.map_or(usual.raise_cap, |cap| cap.0),
            short_stack: self.short_stack.unwrap_or_default(),
        };
        ScenarioSettings {
            conduct: TableSettings { rules, on_foul: self.on_foul.unwrap_or_default() },
            rounds: self.rounds.map_or(rounds_dealt, |rounds| rounds.0.into()),
            stack: self.stack.map_or(500, |stack| stack.0),
            seed: Seed::chosen(self.seed.as_deref().unwrap_or("scenario")),
            drawn: matches!(self.seating, Some(Seating::Drawn)),
            relogin: self.relogin.unwrap_or(false),
        }
    }
}

impl ScenarioSeatObject {
    fn player(self, stack: Chips, field: &str) -> Result<ScenarioPlayer, FileError> {
        let PlayerName(name) = self.name;
        let plays = match self.plays {
            Some(Plays::House(bot)) => {
                let extra = match (&self.replies, &self.login) {
                    (Some(_), _) => Some("replies"),
                    (None, Some(_)) => Some("login"),
                    (None, None) => None,
                };
                if let Some(extra) = extra {
                    let message = "a house bot needs no script and no login";
                    return Err(FileError::of(&format!("{field}.{extra}"), message));
                }
                SeatController::House(bot)
            }
            Some(Plays::Script) | None => {
                let list = format!("{field}.replies");
                let has_list = self.replies.is_some();
                let replies = self.replies.unwrap_or_default().into_iter().enumerate();
                let entry = |(index, action)| ScriptEntry { field: format!("{list}[{index}]"), action };
                let own_name = || Login { github_id: format!("id-{name}"), avatar: name.clone(), key: None };
                let login = self.login.map_or_else(own_name, |login| login.0);
                SeatController::Script {
                    login,
                    script: replies.map(entry).collect(),
                    field: if has_list { list } else { field.to_string() },
                }
            }
        };
        Ok(ScenarioPlayer { name, stack: self.stack.map_or(stack, |stack| stack.0), plays })
    }
}

pub(crate) fn dealt_cards(cards: &OneOrMany<CardsOfRound>, field: &str, player: usize) -> Vec<DealtCard> {
    let mut dealt = Vec::new();
    for (round, (field, CardsOfRound(cards))) in (1..).zip(cards.each(field)) {
        let card = |(slot, card): &(Slot, Card)| DealtCard {
            field: field.clone(),
            round,
            player,
            slot: *slot,
            card: *card,
        };
        dealt.extend(cards.iter().map(card));
    }
    dealt
}

pub(crate) fn only_once(cards: &[DealtCard], names: &[&str]) -> Result<(), FileError> {
    let mut taken: BTreeMap<(u64, Card), usize> = BTreeMap::new();
    for DealtCard { field, round, player, card, .. } in cards {
        if let Some(other) = taken.insert((*round, *card), *player) {
            let message = format!(
                "{card} is dealt twice in round {round}, to {} and to {}: give one of them another card",
                names[other], names[*player]
            );
            return Err(FileError::of(field, message));
        }
    }
    Ok(())
}

impl VisitorFile {
    fn refusal(self, players: &[ScenarioPlayer], field: &str) -> Result<RefusedVisitor, FileError> {
        if let ScriptAction::Answer(message) | ScriptAction::Unasked(message) = &self.does
            && let (Some(said), Some(last)) = (message.login(), players.last())
            && said.github_id == last.entrant().github_id
        {
            let message = format!(
                "visitors come before {}, whose place is the last, so they cannot have its GitHubId",
                last.name
            );
            return Err(FileError::of(field, message));
        }
        let field = format!("{field}.refused");
        let refused = self.refused.each(&field).map(|(field, words)| (field, words.clone())).collect();
        Ok(RefusedVisitor { action: self.does, refused })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SAMPLES: [&str; 4] = [
        include_str!("../../../../scenarios/R16/refused.json"),
        include_str!("../../../../scenarios/R18/reset.json"),
        include_str!("../../../../scenarios/R19/who-hangs-up-is-out.json"),
        include_str!("../../../../scenarios/R1/seventeen-players.json"),
    ];

    proptest! {
        /// Files that are nearly right are refused with a place inside them, or played: nothing panics.
        #[test]
        fn no_file_causes_a_panic(
            sample in 0..SAMPLES.len(), edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4usize, ".{0,3}|[0-9]{1,7}|[\"{}\\[\\],:-]"), 1..4),
        ) {
            let mut text: Vec<char> = SAMPLES[sample].chars().collect();
            for (at, taken, put) in edits {
                let at = at.index(text.len());
                let end = (at + taken).min(text.len());
                text.splice(at..end, put.chars());
            }
            let text: String = text.into_iter().collect();
            match Scenario::read(&text) {
                Err(FileError { position, message, .. }) => {
                    let lines = 1..=text.lines().count().max(1) + 1;
                    prop_assert!(position.is_none_or(|(line, _)| lines.contains(&line)), "{position:?} {message}");
                    prop_assert!(!message.is_empty());
                }
                Ok(scenario) => {
                    let played = scenario.play();
                    scenario.check(&played);
                }
            }
        }
    }
}
