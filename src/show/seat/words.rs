//! Sentences for a person: the turn, the cost of staying, and the reasons for a payout.

use casino_host::ChairState;
use casino_show::rounds::{SeatView, TableView};
use casino_stud::cards::notation::pretty;
use casino_stud::cards::{Card, Seed};
use casino_stud::odds::{chance_of_high_spade, equity};
use casino_stud::protocol::{Command, OwnedQuestion};
use casino_stud::stud::{Half, Strength};
use casino_stud::table::Question;

/// How many random deals the share of the pot is worked out from.
const SAMPLES: u32 = 20_000;

/// Cards for people to read, as `10♠ A♦`.
pub(crate) fn cards(cards: impl IntoIterator<Item = Card>) -> String {
    cards.into_iter().map(pretty).collect::<Vec<_>>().join(" ")
}

/// The winners of the parts of the pot with reasons, and the person's own hand. `own` are the person's known cards,
/// hole card first.
pub(crate) fn ending(table: &TableView, names: &[String], me: usize, own: Option<Card>) -> Vec<String> {
    let Some(result) = &table.result else { return Vec::new() };
    let name = |number: usize| match number == me {
        true => "you",
        false => names.get(number - 1).map_or("", String::as_str),
    };
    let with = |half: &[Half]| -> Vec<&str> {
        let has = |seat: &&SeatView| seat.halves.iter().any(|it| half.contains(it));
        table.seats.iter().filter(has).map(|seat| name(seat.seat)).collect()
    };
    let best = with(&[Half::Hand, Half::Whole]).join(" and ");
    let pot = result.hand_chips + result.spade_chips;
    let mut lines = Vec::new();
    match (result.showdown, result.spade) {
        (false, _) => {
            lines.push(format!("Everyone else folded: the whole pot of {pot} goes to {best}, spade or not."))
        }
        (true, None) => lines.push(format!(
            "Best hand: {best}, {}. No spade is in the hole, so it takes the whole pot of {pot}.",
            result.words
        )),
        (true, Some(spade)) => {
            let odd = if result.hand_chips > result.spade_chips { ", with the odd chip" } else { "" };
            lines.push(format!("Best hand: {best}, {}: {} of {pot}{odd}.", result.words, result.hand_chips));
            let holder = result.spade_seat.map_or("", name);
            let scoop = if result.scoop { " That is a scoop." } else { "" };
            lines.push(format!(
                "Highest spade in the hole: {holder}, {}: {} of {pot}.{scoop}",
                pretty(spade),
                result.spade_chips
            ));
        }
    }
    lines.extend(own_worth(table, me, own));
    lines
}

fn own_worth(table: &TableView, me: usize, own: Option<Card>) -> Option<String> {
    let seat = table.seats.iter().find(|seat| seat.seat == me)?;
    let Some(hole) = own else { return Some("You were not asked in this round.".to_string()) };
    let all = [hole].into_iter().chain(seat.up.iter().copied()).collect::<Vec<_>>();
    let worth = match all[..] {
        [a, b, c] => format!(": {}", Strength::of([a, b, c])),
        _ => String::new(),
    };
    let how = if seat.live { "You had" } else { "You folded" };
    Some(format!("{how} {}{worth}. You have {} chips.", cards(all), seat.stack))
}

/// The hand of a player whose hole card is shown after the round.
pub(crate) fn held(name: &str, seat: &SeatView, hole: Card) -> String {
    let all: Vec<Card> = [hole].into_iter().chain(seat.up.iter().copied()).collect();
    let worth = match all[..] {
        [a, b, c] => format!(": {}", Strength::of([a, b, c])),
        _ => String::new(),
    };
    format!("{name} held {}{worth}.", cards(all))
}

/// The last question that was asked in this round.
pub(crate) fn last_question(state: &ChairState) -> Option<OwnedQuestion> {
    let cap = state.asked.map_or(0, |asked| asked.bounds.raise_cap);
    state.messages.iter().rev().find_map(|text| match Command::read(text, cap) {
        Ok(Command::Question(question)) => Some(question),
        _ => None,
    })
}

/// The reason of the person's exit, once it has received it.
pub(crate) fn last_word(state: &ChairState) -> Option<String> {
    match state.messages.last().map(|text| Command::read(text, 0)) {
        Some(Ok(Command::Done(reason))) => Some(reason),
        _ => None,
    }
}

/// The text of a question, with the seconds left.
pub(crate) fn your_turn(seconds: Option<u64>, question: &Question<'_>) -> String {
    let bounds = question.bounds;
    let cost = match bounds.to_call {
        0 => "staying is free".to_string(),
        chips => format!("staying costs {chips}"),
    };
    let clock = seconds.map_or_else(String::new, |seconds| format!(", {seconds} s"));
    format!(
        "Your turn{clock}: you hold {} and show {}; {cost}, the pot is {}, you have {}.",
        cards([question.hole]),
        cards(question.up.iter().copied()),
        question.pot,
        bounds.stack
    )
}

/// The chances that the person could compute from this question.
pub(crate) fn odds(question: &Question<'_>) -> String {
    let mut dice = Seed::chosen(format!("{question:?}")).stream("hint");
    let share = equity(question, SAMPLES, &mut dice) * 100.0;
    let spade = chance_of_high_spade(question) * 100.0;
    let price = match f64::from(question.bounds.to_call) {
        0.0 => "staying is free".to_string(),
        cost => format!(
            "staying pays from a share of {:.0} % on",
            100.0 * cost / (f64::from(question.pot) + cost)
        ),
    };
    format!(
        "Odds if all stay in: about {share:.0} % of the pot, the highest spade with {spade:.0} %; {price}."
    )
}
