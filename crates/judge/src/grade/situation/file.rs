//! Reads the file of a situation. `scenarios/rubric/README.md` describes it.

use crate::scenario::file::{
    BOT, DealtCard, only_once, read_cards, read_name, read_rules, read_stack, seat_nodes,
};
use crate::scenario::json::{Fields, Node};
use crate::scenario::scripted_table::{
    AfterFold, PlacedCard, Script, ScriptedReply, ScriptedTable, SubjectRound,
};
use crate::scenario::{FileError, Location};
use casino_stud::stud::{Chips, Seat, Street};
use casino_stud::table::OnFoul;

use super::expect::{self, Expectation};
use super::play::{self, Decision, SituationRound};
use super::player::JudgedPlayer;

/// A scripted table with a seat for a bot, the decision it has to make, and what is expected of it.
#[derive(Clone, Debug)]
pub struct Situation {
    id: String,
    title: String,
    reason: String,
    says: Option<String>,
    rules: Vec<String>,
    weight: u32,
    here: Variant,
    instead: Option<Variant>,
    pub(super) decision: Decision,
    pub(super) expect: Vec<Expectation>,
}

/// One of the two tables of a comparison.
#[derive(Clone, Debug)]
struct Variant {
    round: SubjectRound,
    /// What it takes to call where the subject is to decide, in chips.
    facing: Chips,
    /// What is different here, in words; empty for the situation as written.
    title: String,
}

/// Which of the two tables of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The situation as written.
    Here,
    /// The one it is compared with.
    Instead,
}

impl Situation {
    /// Reads the text of a file. `id` is what the situation is called by: its file's name.
    ///
    /// # Errors
    /// The first mistake in it, with its line, column and field.
    pub fn read(id: &str, text: &str) -> Result<Situation, FileError> {
        let root = Node::read(text)?;
        let fields = root.fields(&[
            "title", "rule", "says", "reason", "weight", "settings", "seats", "instead", "decision", "expect",
        ])?;
        let title = fields.need("title")?.text()?.to_string();
        let reason = fields.need("reason")?.text()?.to_string();
        let says = fields.maybe_text("says")?;
        let rules = read_rules(fields.maybe("rule"))?;
        let weight = fields.maybe("weight").map_or(Ok(1), |node| node.number(1, 10))? as u32;
        let decision_node = fields.need("decision")?;
        let (decision, facing) = read_decision(decision_node)?;
        let seats = read_seats(fields.need("seats")?)?;
        let settings = expect::settings(fields.maybe("settings"))?;
        let mut conduct = settings.conduct;
        // A foul folds the subject and is kept (R19): the round goes on.
        conduct.on_foul = OnFoul::Fold;
        let round = SubjectRound {
            table: ScriptedTable {
                settings: conduct,
                seed: settings.seed,
                rounds: 1,
                stacks: seats.stacks(|_| settings.stack)?,
                cards: seats.cards()?,
            },
            subject: Seat::new(seats.subject),
            scripts: seats.scripts()?,
            after_fold: AfterFold::KeepToScript,
            others_leave_after: None,
        };
        let here = Variant { round, facing, title: String::new() };
        let instead = fields.maybe("instead").map(|node| read_instead(node, &seats, &here)).transpose()?;
        let expect_node = fields.need("expect")?;
        let bot = expect_node.fields(&[BOT])?.need(BOT)?;
        let expect: Vec<Expectation> =
            bot.one_or_many().iter().map(Expectation::read).collect::<Result<_, _>>()?;
        if expect.is_empty() {
            return Err(bot.mistake("nothing is expected: write \"legal\" if every legal reply will do"));
        }
        if expect.iter().any(|expected| expected.compares()) != instead.is_some() {
            return Err(bot.mistake("a comparison needs \"instead\", and \"instead\" needs a comparison"));
        }
        Ok(Situation {
            id: id.to_string(),
            title,
            reason,
            says,
            rules,
            weight,
            here,
            instead,
            decision,
            expect,
        })
    }

    /// The name of the situation.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The title: what it shows, in a line.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Why a bot should do what is expected.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The sentence of the document behind it.
    pub fn says(&self) -> Option<&str> {
        self.says.as_deref()
    }

    /// The R-numbers behind it.
    pub fn rules(&self) -> &[String] {
        &self.rules
    }

    /// Its weight among the situations of its part of the rubric.
    pub fn weight(&self) -> u32 {
        self.weight
    }

    /// What is expected of the bot.
    pub fn expectations(&self) -> &[Expectation] {
        &self.expect
    }

    /// What is different in the situation it is compared with, in words; `None` if it stands alone.
    pub fn instead(&self) -> Option<&str> {
        self.instead.as_ref().map(|variant| variant.title.as_str())
    }

    /// The street of the decision.
    pub fn street(&self) -> Street {
        self.decision.street
    }

    /// The chips it takes to call where the bot is to decide; `None` on a side that is not there.
    pub fn facing(&self, side: Side) -> Option<Chips> {
        self.variant(side).map(|variant| variant.facing)
    }

    /// Plays one of its tables once; `None` if there is no such side.
    pub fn play(&self, side: Side, bot: &mut JudgedPlayer<'_>) -> Option<SituationRound> {
        self.variant(side).map(|variant| play::play(&variant.round, &self.decision, bot))
    }

    fn variant(&self, side: Side) -> Option<&Variant> {
        match side {
            Side::Here => Some(&self.here),
            Side::Instead => self.instead.as_ref(),
        }
    }
}

fn read_decision(node: &Node) -> Result<(Decision, Chips), FileError> {
    let fields = node.fields(&["at", "asked", "facing"])?;
    let street = fields.need("at")?.word(&[("bet1", Street::First), ("bet2", Street::Second)])?;
    let asked = fields.maybe("asked").map_or(Ok(1), |node| node.number(1, 20))? as usize;
    Ok((Decision { street, asked }, read_facing(fields.need("facing")?)?))
}

fn read_facing(node: &Node) -> Result<Chips, FileError> {
    node.chips(0, 1_000_000)
}

/// The seats as the file has them; those of `instead` replace single fields of them.
struct SeatList<'n> {
    place: Location,
    /// Name and fields, in seat order. A field of an earlier list hides the same field of a later one.
    rows: Vec<(String, Vec<Fields<'n>>)>,
    /// The row of the judged bot.
    subject: usize,
}

fn read_seats(node: &Node) -> Result<SeatList<'_>, FileError> {
    let mut rows: Vec<(String, Vec<Fields<'_>>)> = Vec::new();
    let mut bots = Vec::new();
    for node in seat_nodes(node)? {
        let fields = node.fields(&["name", "stack", "cards", "plays", BET[0], BET[1]])?;
        let name = read_name(fields.need("name")?)?;
        if rows.iter().any(|(other, _)| *other == name) {
            return Err(node.mistake(format!("two players are named {name}: give each a name of its own")));
        }
        if let Some(plays) = fields.maybe("plays") {
            plays.word(&[(BOT, ())])?;
            if let Some(moves) = BET.iter().find_map(|street| fields.maybe(street)) {
                return Err(moves.mistake("the bot decides for itself"));
            }
            bots.push(rows.len());
        }
        rows.push((name, vec![fields]));
    }
    let [subject] = bots[..] else {
        return Err(node.mistake(format!(
            "one seat has to be the judged bot's, with \"plays\": \"bot\"; here are {}",
            bots.len()
        )));
    };
    Ok(SeatList { place: node.place.clone(), rows, subject })
}

/// The fields with what players do on each street.
const BET: [&str; 2] = ["bet1", "bet2"];

impl<'n> SeatList<'n> {
    fn field(fields: &[Fields<'n>], name: &str) -> Option<&'n Node> {
        fields.iter().find_map(|fields| fields.maybe(name))
    }

    /// The stacks in seat order; `usual` is the stack of a seat that names none.
    fn stacks(&self, usual: impl Fn(usize) -> Chips) -> Result<Vec<Chips>, FileError> {
        let rows = self.rows.iter().enumerate();
        rows.map(|(seat, (_, fields))| read_stack(SeatList::field(fields, "stack"), usual(seat))).collect()
    }

    fn scripts(&self) -> Result<Vec<Script>, FileError> {
        let replies = |fields: &[Fields<'n>], street: &str| match SeatList::field(fields, street) {
            None => Ok(Vec::new()),
            Some(node) => node.one_or_many().iter().map(read_reply).collect::<Result<_, _>>(),
        };
        let script = |(_, fields): &(String, Vec<Fields<'n>>)| {
            Ok(Script::then_call([replies(fields, BET[0])?, replies(fields, BET[1])?]))
        };
        self.rows.iter().map(script).collect()
    }

    fn cards(&self) -> Result<Vec<PlacedCard>, FileError> {
        let mut cards: Vec<DealtCard> = Vec::new();
        for (player, (_, fields)) in self.rows.iter().enumerate() {
            cards.extend(read_cards(SeatList::field(fields, "cards"), player)?);
        }
        if let Some(card) = cards.iter().find(|card| card.round > 1) {
            let message = "a situation is a single round".to_string();
            return Err(FileError { place: card.place.clone(), message });
        }
        if cards.iter().filter(|card| card.player == self.subject).count() < 3 {
            let message = "give the bot all three cards: what is expected of it depends on them".to_string();
            return Err(FileError { place: self.place.clone(), message });
        }
        let names: Vec<&str> = self.rows.iter().map(|(name, _)| name.as_str()).collect();
        only_once(&cards, &names)?;
        Ok(cards.iter().map(|card| card.at(Seat::new(card.player))).collect())
    }
}

/// `call`, `fold` or `raise 5`.
fn read_reply(node: &Node) -> Result<ScriptedReply, FileError> {
    let text = node.text()?;
    let raise = |digits: &str| digits.parse().ok().filter(|chips| (1..=1_000_000).contains(chips));
    match text {
        "call" => Ok(ScriptedReply::Call),
        "fold" => Ok(ScriptedReply::Fold),
        _ => text.strip_prefix("raise ").and_then(raise).map(ScriptedReply::Raise).ok_or_else(|| {
            node.mistake(format!("\"{}\" is not possible: write call, fold or raise 5", text.escape_debug()))
        }),
    }
}

fn read_instead(node: &Node, seats: &SeatList<'_>, here: &Variant) -> Result<Variant, FileError> {
    let fields = node.fields(&["title", "facing", "seats"])?;
    let mut rows = seats.rows.clone();
    let list = fields.need("seats")?;
    for node in list.list()? {
        let changed = node.fields(&["name", "stack", "cards", BET[0], BET[1]])?;
        let name = read_name(changed.need("name")?)?;
        let row = rows.iter_mut().find(|(other, _)| *other == name);
        let Some((_, fields)) = row else {
            return Err(node
                .mistake(format!("nobody is named {name} above: \"instead\" changes those who sit there")));
        };
        fields.insert(0, changed);
    }
    let changed = SeatList { place: list.place.clone(), rows, subject: seats.subject };
    let stacks = changed.stacks(|seat| here.round.table.stacks[seat])?;
    let scripts = changed.scripts()?;
    let table = ScriptedTable { stacks, cards: changed.cards()?, ..here.round.table.clone() };
    Ok(Variant {
        round: SubjectRound { table, scripts, ..here.round.clone() },
        facing: fields.maybe("facing").map_or(Ok(here.facing), read_facing)?,
        title: fields.need("title")?.text()?.to_string(),
    })
}
