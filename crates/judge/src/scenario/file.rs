//! Reads the file of a scenario. `scenarios/README.md` describes it.

use std::collections::BTreeMap;

use casino_stud::cards::{Card, Notation, Seed};
use casino_stud::protocol::{Login, modified_utf8};
use casino_stud::strategies::{HOUSE, HouseBot};
use casino_stud::stud::{Chips, MAX_SEATS, Rules, Seat, ShortStack};
use casino_stud::table::{OnFoul, TableSettings};
use casino_stud::tournament::{Entrant, Slot, harmless};

use super::expect::Expectations;
use super::json::{FileError, Location, Node, Value};
use super::script::{ScriptAction, ScriptEntry};
use super::scripted_table::PlacedCard;

/// A scripted table: its players, their cards and replies, and what must come of them.
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
    pub(super) title: String,
    pub(super) rules: Vec<String>,
    pub(super) says: Option<String>,
    pub(super) from: Option<String>,
    pub(super) settings: ScenarioSettings,
    pub(super) players: Vec<ScenarioPlayer>,
    pub(super) cards: Vec<DealtCard>,
    pub(super) visitors: Vec<Visitor>,
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
    /// A script, played over a connection of its own.
    Script {
        /// The player's reply to `login`.
        login: Login,
        script: Vec<ScriptEntry>,
        /// Where the script is in the file, or the seat that has none.
        place: Location,
    },
    House(&'static HouseBot),
}

#[derive(Clone, Debug)]
pub(crate) struct DealtCard {
    pub(crate) place: Location,
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

/// A client that connects and must be refused.
#[derive(Clone, Debug)]
pub(super) struct Visitor {
    pub(super) entry: ScriptEntry,
    /// Words that have to be in its `done`.
    pub(super) refused: Vec<(Location, String)>,
}

impl ScenarioPlayer {
    /// The player as the roster knows it.
    pub(super) fn entrant(&self) -> Entrant {
        match &self.plays {
            SeatController::Script { login, .. } => {
                Entrant { github_id: login.github_id.clone(), name: login.avatar.clone() }
            }
            SeatController::House(_) => {
                Entrant { github_id: format!("house:{}", self.name), name: self.name.clone() }
            }
        }
    }
}

impl Scenario {
    /// Reads a scenario from the text of its file.
    ///
    /// # Errors
    /// The first mistake in it, with its line, column and field.
    pub fn read(text: &str) -> Result<Scenario, FileError> {
        let root = Node::read(text)?;
        let fields =
            root.fields(&["title", "rule", "says", "from", "settings", "seats", "visitors", "expect"])?;
        let title = fields.need("title")?.text()?.to_string();
        let rules = read_rules(fields.maybe("rule"))?;
        let (says, from) = (fields.maybe_text("says")?, fields.maybe_text("from")?);
        if rules.is_empty() && says.is_none() && from.is_none() {
            return Err(root.mistake(
                "say what this scenario shows: \"rule\" with an R-number, \"says\" with a sentence of the document, or \
                 \"from\" with where it happened",
            ));
        }
        let seats = seat_nodes(fields.need("seats")?)?;
        let settings = ScenarioSettings::read(fields.maybe("settings"), most_rounds(seats))?;
        let mut players: Vec<ScenarioPlayer> = Vec::new();
        let mut cards = Vec::new();
        for node in seats {
            let (player, dealt) = read_seat(node, settings.stack, players.len())?;
            if players.iter().any(|other| other.name == player.name) {
                return Err(node
                    .mistake(format!("two players are named {}: give each a name of its own", player.name)));
            }
            let id = player.entrant().github_id;
            if let Some(other) = players.iter().find(|other| other.entrant().github_id == id) {
                return Err(node.mistake(format!("{} has the GitHubId of {} too", player.name, other.name)));
            }
            if player.stack < settings.conduct.rules.ante {
                return Err(node.mistake(format!("a stack of {} is less than the ante", player.stack)));
            }
            players.push(player);
            cards.extend(dealt);
        }
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        only_once(&cards, &names)?;
        let visitors = match fields.maybe("visitors") {
            None => Vec::new(),
            Some(node) => {
                node.list()?.iter().map(|node| read_visitor(node, &players)).collect::<Result<_, _>>()?
            }
        };
        if !visitors.is_empty()
            && players.iter().any(|player| matches!(player.plays, SeatController::House(_)))
        {
            let node = fields.need("visitors")?;
            return Err(node.mistake("where there are visitors, every seat has to be scripted"));
        }
        let expect = Expectations::read(fields.need("expect")?, &names)?;
        Ok(Scenario { title, rules, says, from, settings, players, cards, visitors, expect })
    }

    /// The title: what the scenario shows, in a line.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The R-numbers of the rules it shows.
    pub fn rules(&self) -> &[String] {
        &self.rules
    }

    /// The sentence of the document it shows.
    pub fn says(&self) -> Option<&str> {
        self.says.as_deref()
    }

    /// Where it was recorded.
    pub fn from(&self) -> Option<&str> {
        self.from.as_deref()
    }
}

/// The R-numbers of the field `rule`: one, a list of them, or none.
pub(crate) fn read_rules(node: Option<&Node>) -> Result<Vec<String>, FileError> {
    let rule = |node: &Node| {
        let text = node.text()?;
        let number: Option<u32> = text.strip_prefix('R').and_then(|digits| digits.parse().ok());
        match number {
            Some(1..=22) => Ok(text.to_string()),
            _ => Err(node.mistake(format!("\"{}\" is no rule: write R1 to R22", text.escape_debug()))),
        }
    };
    node.map_or(&[][..], Node::one_or_many).iter().map(rule).collect()
}

/// The seats of a table, as many as are allowed (R1).
pub(crate) fn seat_nodes(node: &Node) -> Result<&[Node], FileError> {
    let seats = node.list()?;
    if !(2..=MAX_SEATS).contains(&seats.len()) {
        let count = seats.len();
        return Err(node.mistake(format!("a table has 2 to {MAX_SEATS} seats (R1), and here are {count}")));
    }
    Ok(seats)
}

/// The number of rounds with placed cards.
fn most_rounds(seats: &[Node]) -> u64 {
    let rounds = |node: &Node| match &node.value {
        Value::Object(entries) => entries
            .iter()
            .find(|(key, _)| key == "cards")
            .map_or(1, |(_, cards)| cards.one_or_many().len() as u64),
        _ => 1,
    };
    seats.iter().map(rounds).max().unwrap_or(1).max(1)
}

impl ScenarioSettings {
    pub(crate) fn read(node: Option<&Node>, rounds_dealt: u64) -> Result<ScenarioSettings, FileError> {
        let mut settings = ScenarioSettings {
            conduct: TableSettings::default(),
            rounds: rounds_dealt,
            stack: 500,
            seed: Seed::chosen("scenario"),
            drawn: false,
            relogin: false,
        };
        let Some(node) = node else { return Ok(settings) };
        let fields = node.fields(&[
            "ante",
            "raise_cap",
            "short_stack",
            "on_foul",
            "rounds",
            "stack",
            "seed",
            "seating",
            "relogin",
        ])?;
        let chips = |name: &str, default: Chips| {
            fields.maybe(name).map_or(Ok(default), |node| node.chips(1, 1_000_000))
        };
        let Rules { ante, raise_cap, .. } = Rules::default();
        let rules = &mut settings.conduct.rules;
        rules.ante = chips("ante", ante)?;
        rules.raise_cap = chips("raise_cap", raise_cap)?;
        settings.stack = chips("stack", settings.stack)?;
        if let Some(node) = fields.maybe("short_stack") {
            rules.short_stack = node.word(&[("fold", ShortStack::Fold), ("ask", ShortStack::Ask)])?;
        }
        if let Some(node) = fields.maybe("on_foul") {
            settings.conduct.on_foul = node.word(&[("eject", OnFoul::Eject), ("fold", OnFoul::Fold)])?;
        }
        if let Some(node) = fields.maybe("rounds") {
            settings.rounds = node.number(1, 1_000)?;
            if settings.rounds < rounds_dealt {
                return Err(node.mistake(format!("cards are given for {rounds_dealt} rounds: play as many")));
            }
        }
        if let Some(node) = fields.maybe("seed") {
            settings.seed = Seed::chosen(node.text()?);
        }
        if let Some(node) = fields.maybe("seating") {
            settings.drawn = node.word(&[("as written", false), ("drawn", true)])?;
        }
        if let Some(node) = fields.maybe("relogin") {
            settings.relogin = node.truth()?;
        }
        Ok(settings)
    }
}

fn read_seat(
    node: &Node,
    stack: Chips,
    player: usize,
) -> Result<(ScenarioPlayer, Vec<DealtCard>), FileError> {
    let fields = node.fields(&["name", "stack", "login", "cards", "plays", "replies"])?;
    let name = read_name(fields.need("name")?)?;
    let stack = read_stack(fields.maybe("stack"), stack)?;
    let house = match fields.maybe("plays") {
        None => None,
        Some(node) => {
            let mut words: Vec<(&str, Option<&'static HouseBot>)> =
                HOUSE.iter().map(|bot| (bot.name, Some(bot))).collect();
            words.insert(0, ("script", None));
            if matches!(&node.value, Value::Text(text) if text == BOT) {
                return Err(node.mistake(
                    "this is a situation to judge a bot in: `casino grade stud` plays it, with a bot in this seat",
                ));
            }
            node.word(&words)?
        }
    };
    let plays = match house {
        Some(bot) => {
            if let Some(extra) = fields.maybe("replies").or(fields.maybe("login")) {
                return Err(extra.mistake("a house bot needs no script and no login"));
            }
            SeatController::House(bot)
        }
        None => {
            let script = match fields.maybe("replies") {
                None => Vec::new(),
                Some(node) => node.list()?.iter().map(ScriptEntry::read).collect::<Result<_, _>>()?,
            };
            let login = match fields.maybe("login") {
                None => Login { github_id: format!("id-{name}"), avatar: name.clone() },
                Some(node) => Login::read(&modified_utf8::encode(node.text()?)).map_err(|error| {
                    node.mistake(format!(
                        "nobody gets a seat with this: {error}. Who is refused is a visitor"
                    ))
                })?,
            };
            let place = fields.maybe("replies").unwrap_or(node).place.clone();
            SeatController::Script { login, script, place }
        }
    };
    let dealt = read_cards(fields.maybe("cards"), player)?;
    Ok((ScenarioPlayer { name, stack, plays }, dealt))
}

/// The value of `plays` for the seat of a bot that is judged.
pub(crate) const BOT: &str = "bot";

pub(crate) fn read_name(node: &Node) -> Result<String, FileError> {
    let name = node.text()?.to_string();
    if harmless(&name).as_deref() != Some(&name) {
        return Err(node.mistake(
            "a name has up to 40 letters, digits, signs and emoji; what a player calls itself goes into \"login\"",
        ));
    }
    Ok(name)
}

pub(crate) fn read_stack(node: Option<&Node>, usual: Chips) -> Result<Chips, FileError> {
    node.map_or(Ok(usual), |node| node.chips(1, 1_000_000))
}

/// The cards of a seat: `"KS 10D 2C"`, or a list of them with an entry for each round.
pub(crate) fn read_cards(node: Option<&Node>, player: usize) -> Result<Vec<DealtCard>, FileError> {
    let mut dealt = Vec::new();
    for (round, node) in node.map_or(&[][..], Node::one_or_many).iter().enumerate() {
        let words: Vec<&str> = node.text()?.split_whitespace().collect();
        if words.len() > 3 {
            return Err(node.mistake("a player gets three cards a round: hole, up and second"));
        }
        for (slot, word) in Slot::ALL.into_iter().zip(words).filter(|(_, word)| *word != "-") {
            let card = Notation::Wire
                .parse(word)
                .map_err(|error| node.mistake(format!("{error}; or - for any card")))?;
            let (place, round) = (node.place.clone(), round as u64 + 1);
            dealt.push(DealtCard { place, round, player, slot, card });
        }
    }
    Ok(dealt)
}

/// Checks that no card is dealt twice in a round.
pub(crate) fn only_once(cards: &[DealtCard], names: &[&str]) -> Result<(), FileError> {
    let mut taken: BTreeMap<(u64, Card), usize> = BTreeMap::new();
    for DealtCard { place, round, player, card, .. } in cards {
        if let Some(other) = taken.insert((*round, *card), *player) {
            let message = format!(
                "{card} is dealt twice in round {round}, to {} and to {}: give one of them another card",
                names[other], names[*player]
            );
            return Err(FileError { place: place.clone(), message });
        }
    }
    Ok(())
}

fn read_visitor(node: &Node, players: &[ScenarioPlayer]) -> Result<Visitor, FileError> {
    let fields = node.fields(&["does", "refused"])?;
    let entry = ScriptEntry::read(fields.need("does")?)?;
    if let ScriptAction::Answer(message) | ScriptAction::Unasked(message) = &entry.action
        && let (Some(said), Some(last)) = (message.login(), players.last())
        && said.github_id == last.entrant().github_id
    {
        return Err(node.mistake(format!(
            "visitors come before {}, whose place is the last, so they cannot have its GitHubId",
            last.name
        )));
    }
    let refused = match fields.maybe("refused") {
        None => Vec::new(),
        Some(node) => node
            .one_or_many()
            .iter()
            .map(|node| Ok((node.place.clone(), node.text()?.to_string())))
            .collect::<Result<_, FileError>>()?,
    };
    Ok(Visitor { entry, refused })
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
                Err(FileError { place, message }) => {
                    prop_assert!((1..=text.lines().count().max(1) + 1).contains(&place.line), "{} {}", place.line, message);
                    prop_assert!(place.column >= 1 && !message.is_empty());
                }
                Ok(scenario) => {
                    let played = scenario.play();
                    scenario.check(&played);
                }
            }
        }
    }

    #[test]
    fn a_visitor_cannot_take_the_last_players_place() {
        let with = |action: &str| {
            let text = SAMPLES[0].replace("\"Steph\"", action);
            Scenario::read(&text).map(|_| ()).map_err(|mistake| mistake.message)
        };
        for does in
            ["\"id-Bob:Bob\"", "{\"unasked\": \"id-Bob:x\"}", "{\"bytes\": \"00 08 69642d426f623a78\"}"]
        {
            assert!(with(does).unwrap_err().contains("visitors come before Bob"), "{does}");
        }
        assert_eq!(with("\"id-Ada:Impostor\""), Ok(()));
    }
}
