//! Odds in words, with bars, and as JSON.

use serde::Serialize;

use casino_judge::figures::{DataTable, Document, Markup};
use casino_stud::cards::{Card, notation};
use casino_stud::odds::Odds;
use casino_stud::stud::{Chips, Street};

use super::WrittenSituation;
use casino_stud::shown::count;

/// The object `--json` prints.
#[derive(Serialize)]
struct AnswerObject<'a> {
    street: u8,
    hole: Card,
    up: &'a [Card],
    others: Vec<OtherAnswer<'a>>,
    folded: &'a [Card],
    #[serde(flatten)]
    odds: &'a Odds,
    /// The pot after the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pot: Option<Chips>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_call: Option<Chips>,
    /// The player's average share of the pot.
    #[serde(skip_serializing_if = "Option::is_none")]
    chips: Option<f64>,
}

#[derive(Serialize)]
struct OtherAnswer<'a> {
    up: &'a [Card],
    hand: f64,
    spade: f64,
}

/// The pot if the player calls.
fn pot_after(asked: &WrittenSituation) -> Option<Chips> {
    asked.pot.map(|pot| pot.saturating_add(asked.to_call.unwrap_or(0)))
}

/// The answer as the object of `--json`.
pub(super) fn object<'a>(asked: &'a WrittenSituation, odds: &'a Odds) -> impl Serialize + 'a {
    let situation = &asked.situation;
    let chances = situation.chances().players;
    let pot = pot_after(asked);
    AnswerObject {
        street: if situation.street() == Street::First { 1 } else { 2 },
        hole: situation.hole(),
        up: situation.up(),
        others: situation
            .others()
            .zip(&chances[1..])
            .map(|(up, chances)| OtherAnswer { up, hand: chances.hand, spade: chances.spade })
            .collect(),
        folded: situation.gone(),
        odds,
        pot,
        to_call: asked.to_call,
        chips: pot.map(|pot| odds.chips(pot)),
    }
}

/// A probability for people. Certain values are distinguished from nearly certain ones.
fn percent(chance: f64) -> String {
    match format!("{:.2}", 100.0 * chance).as_str() {
        "0.00" if chance > 0.0 => "> 0 %".to_string(),
        "100.00" if chance < 1.0 => "< 100 %".to_string(),
        digits => format!("{digits} %"),
    }
}

/// The answer in words.
pub(super) fn words(asked: &WrittenSituation, odds: &Odds) -> Document {
    let mut document = Document::default();
    let situation = &asked.situation;
    let street = if situation.street() == Street::First { "First" } else { "Second" };
    let ups: Vec<String> = situation.others().map(notation::list).collect();
    document.say(format!(
        "{street} street: {} in the hole and {} up, against {}.",
        situation.hole(),
        notation::list(situation.up()),
        count(ups.len(), "other player"),
    ));
    document.section();
    let mut table = DataTable::default().words([""]).figures(["chance"]).words([""]);
    let rows: [(&str, f64); 6] = [
        ("your share of the pot", odds.share),
        ("  of the hand half", odds.hand),
        ("    the best hand alone", odds.sole),
        ("    tied for it", odds.tied),
        ("  of the spade half", odds.spade),
        ("no player has a spade in the hole", odds.no_spade),
    ];
    for (what, chance) in rows {
        table.row([what.into(), percent(chance).into(), Markup::bar(chance, 1.0, percent(chance)).into()]);
    }
    document.table(table);
    let chances = situation.chances();
    let mut others = DataTable::default().words(["other"]).figures(["hand half", "spade half"]);
    for (up, other) in ups.iter().zip(&chances.players[1..]) {
        others.row([up.into(), percent(other.hand).into(), percent(other.spade).into()]);
    }
    document.section();
    document.table(others);
    document.section();
    if let Some(pot) = pot_after(asked) {
        let chips = odds.chips(pot);
        document.say(match asked.to_call {
            None | Some(0) => format!("Of a pot of {pot} chips {chips:.2} are yours on average."),
            Some(to_call) => format!(
                "After a call of {to_call} the pot is {pot} chips, of which {chips:.2} are yours on average: {:+.2} against a fold.",
                chips - f64::from(to_call),
            ),
        });
    }
    document.say(match (odds.exact, chances.exact) {
        (true, true) => "If all others stay in. Every number is exact.".to_string(),
        (true, false) => format!(
            "If all others stay in. Your numbers are exact, the others' hand halves to about {}.",
            percent(2.0 * chances.standard_error)
        ),
        (false, _) => format!(
            "If all others stay in. From {} random deals: your share is within {} in nineteen of twenty cases. The \
             numbers of the spade half are exact.",
            odds.samples,
            percent(2.0 * odds.standard_error)
        ),
    });
    document
}
