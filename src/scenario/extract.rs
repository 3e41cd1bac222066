//! A scenario cut out of a journal.

use std::fmt;
use std::io::BufRead;

use crate::cards::{Card, notation};
use crate::protocol::REPLY_CAP;
use crate::replay::{Observer, Replay, ReplayError, Segment, names};
use crate::stud::{Chips, Half, Rules, Seat, SeatSet, ShortStack};
use crate::table::{Answer, Fault, Foul, FrameFault, OnFoul, TableEvent, TableSettings};
use crate::tournament::TableGame;

use super::expect::half_word;
use super::file::Scenario;
use super::run::{ScenarioRun, Spoken};

/// Why a round cannot be made a scenario.
#[derive(Debug)]
pub enum CutError {
    /// The journal cannot be played again.
    Journal(ReplayError),
    /// There is no such round in it, or it was not played to its end.
    NoRound {
        /// The round that was wanted.
        round: u64,
        /// The last that was played to its end.
        last: u64,
    },
    /// Something happened in it that no script can do.
    Unscriptable {
        /// Who did it.
        name: String,
        /// What.
        what: String,
    },
    /// Played again, the scenario comes to something else.
    Differs {
        /// The round.
        round: u64,
    },
}

impl fmt::Display for CutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CutError::Journal(error) => error.fmt(f),
            CutError::NoRound { round, last } => {
                write!(f, "round {round} was not played to its end; the last one that was is round {last}")
            }
            CutError::Unscriptable { name, what } => {
                write!(f, "{name} {what} in this round, which no script can do: choose another round")
            }
            CutError::Differs { round } => {
                write!(f, "round {round} comes to something else when it is played by itself")
            }
        }
    }
}

impl std::error::Error for CutError {}

impl From<ReplayError> for CutError {
    fn from(error: ReplayError) -> CutError {
        CutError::Journal(error)
    }
}

/// The text of a scenario file with a round of a journal: all its cards, stacks and replies, and everything
/// that came of them. `from` says where it comes from. Neither the seed nor any GitHubId is in it.
///
/// # Errors
/// If there is no such round, or it cannot be scripted.
pub fn cut(
    mut journal: Replay<impl BufRead>,
    table: u32,
    round: u64,
    from: &str,
) -> Result<String, CutError> {
    let mut taken = Taken::default();
    let mut last = 0;
    loop {
        match journal.next(&mut taken)? {
            Some(Segment::Round { round: number, finished }) => {
                let here = journal.tournament().number() == table;
                if finished && here {
                    last = number;
                }
                if number == round && finished && here {
                    break;
                }
            }
            Some(_) => {}
            None => return Err(CutError::NoRound { round, last }),
        }
    }
    let names = names(journal.header());
    let name = |seat: Seat| names[journal.tournament().player_at(seat)].as_str();
    if let Some((seat, what)) = taken.unscriptable {
        return Err(CutError::Unscriptable { name: name(seat).to_string(), what });
    }
    let mut conduct = journal.header().terms().map(|terms| terms.conduct).unwrap_or_default();
    if let Some(level) = journal.event().level() {
        conduct.rules.ante = level.ante;
    }
    let mut seats = Vec::new();
    for seat in taken.seats {
        let mut replies = Vec::new();
        for (_, answer) in taken.answers.iter().filter(|(other, _)| *other == seat) {
            replies.push(script(answer));
        }
        let cards = taken.cards[seat.index()];
        seats.push(Json::object([
            ("name", Json::text(name(seat))),
            ("stack", Json::raw(taken.began_with[seat.index()])),
            ("cards", Json::text(&notation::list(&cards))),
            ("replies", Json::List(replies)),
        ]));
    }
    let file = |expect: Json| {
        let mut fields = vec![
            ("title", Json::text(&format!("What happened in round {round}"))),
            ("from", Json::text(&format!("round {round} of {from}"))),
        ];
        if let Some(settings) = settings(conduct) {
            fields.push(("settings", settings));
        }
        fields.extend([("seats", Json::List(seats.clone())), ("expect", expect)]);
        Json::object(fields)
    };
    let draft = file(Json::object([("rounds", Json::raw(1))])).to_string();
    let differs = CutError::Differs { round };
    let Ok(scenario) = Scenario::read(&draft) else { return Err(differs) };
    let played = scenario.play();
    let seat_of = |player: usize| taken.seats.into_iter().nth(player);
    let payouts = |round: &super::PlayedRound| -> Vec<(Option<Seat>, Half, Chips)> {
        round.payouts.iter().map(|(player, half, chips)| (seat_of(*player), *half, *chips)).collect()
    };
    let stacks: Vec<Chips> =
        taken.seats.into_iter().map(|seat| journal.tournament().table().stacks()[seat.index()]).collect();
    let same = played.rounds.first().is_some_and(|round| {
        round.stacks == stacks
            && payouts(round).into_iter().eq(taken.payouts.iter().map(|(s, h, c)| (Some(*s), *h, *c)))
    });
    if !same || !scenario.check(&played).is_empty() {
        return Err(differs);
    }
    Ok(format!("{}\n", file(expectations(&scenario, &played))))
}

/// A round while it is played again.
#[derive(Default)]
struct Taken {
    seats: SeatSet,
    began_with: Vec<Chips>,
    cards: Vec<[Card; 3]>,
    answers: Vec<(Seat, Answer)>,
    payouts: Vec<(Seat, Half, Chips)>,
    unscriptable: Option<(Seat, String)>,
}

impl Observer for Taken {
    fn answered(&mut self, _: &TableGame, seat: Seat, answer: &Answer) {
        if let Err(fault @ (Fault::Deaf | Fault::Removed { .. })) = answer {
            self.unscriptable = Some((seat, fault.to_string()));
        }
        self.answers.push((seat, answer.clone()));
    }

    fn event(&mut self, tournament: &TableGame, event: &TableEvent) {
        match *event {
            TableEvent::Dealt { seats } => {
                let round = tournament.table().round();
                *self = Taken {
                    seats,
                    began_with: tournament.began_with().to_vec(),
                    cards: (0..tournament.table().stacks().len())
                        .map(|seat| round.hand(Seat::new(seat)))
                        .collect(),
                    ..Taken::default()
                };
            }
            TableEvent::Won { seat, half, chips } => self.payouts.push((seat, half, chips)),
            TableEvent::Fouled { seat } => {
                if let Some(Foul::Fault { fault, allowed: None }) = tournament.table().foul_of(seat) {
                    self.unscriptable = Some((seat, format!("{fault} without having been asked")));
                }
            }
            _ => {}
        }
    }
}

/// What a player did, as a script does it again.
fn script(answer: &Answer) -> Json {
    let fault = |words: &str| Json::object([("fault", Json::text(words))]);
    let bytes = |bytes: &str| Json::object([("bytes", Json::text(bytes))]);
    match answer {
        Ok(reply) => Json::text(&reply.to_string()),
        Err(Fault::Malformed { sent }) => Json::text(sent),
        Err(Fault::Late { partial: false, .. }) => fault("silence"),
        Err(Fault::Late { partial: true, .. }) => bytes("00 05 62"),
        Err(Fault::HungUp { partial: true }) => {
            Json::object([("bytes", Json::text("00 05 62")), ("then", Json::text("hang up"))])
        }
        Err(Fault::Frame(FrameFault::TooLong { length, .. })) => {
            let [high, low] = (*length).max(REPLY_CAP + 1).to_be_bytes();
            bytes(&format!("{high:02x} {low:02x}"))
        }
        Err(Fault::Frame(FrameFault::BadText)) => bytes("00 01 ff"),
        Err(Fault::Stray { sent }) if sent.is_empty() => Json::object([("unasked", bytes("00 05 62"))]),
        Err(Fault::Stray { sent }) => Json::object([("unasked", Json::text(sent))]),
        Err(Fault::HungUp { partial: false } | Fault::Deaf | Fault::Removed { .. }) => fault("hang up"),
    }
}

/// What is not as it is by default.
fn settings(conduct: TableSettings) -> Option<Json> {
    let Rules { ante, raise_cap, short_stack } = conduct.rules;
    let usual = Rules::default();
    let mut fields = Vec::new();
    if ante != usual.ante {
        fields.push(("ante", Json::raw(ante)));
    }
    if raise_cap != usual.raise_cap {
        fields.push(("raise_cap", Json::raw(raise_cap)));
    }
    if short_stack == ShortStack::Ask {
        fields.push(("short_stack", Json::text("ask")));
    }
    if conduct.on_foul == OnFoul::Fold {
        fields.push(("on_foul", Json::text("fold")));
    }
    (!fields.is_empty()).then(|| Json::object(fields))
}

fn expectations(scenario: &Scenario, played: &ScenarioRun) -> Json {
    let name = |player: usize| scenario.players[player].name.as_str();
    let everyone = 0..scenario.players.len();
    let told = |lines: &[Spoken]| {
        let texts = lines.iter().filter_map(|line| match line {
            Spoken::Told(text) => Some(Json::text(text)),
            Spoken::Said(_) => None,
        });
        Json::List(texts.collect())
    };
    let mut payouts: Vec<(&str, Vec<(&str, Json)>)> = Vec::new();
    let mut stacks = Vec::new();
    if let Some(round) = played.rounds.first() {
        for (player, half, chips) in &round.payouts {
            let part = (half_word(*half), Json::raw(chips));
            match payouts.iter_mut().find(|(other, _)| *other == name(*player)) {
                Some((_, parts)) => parts.push(part),
                None => payouts.push((name(*player), vec![part])),
            }
        }
        stacks
            .extend(round.stacks.iter().enumerate().map(|(player, chips)| (name(player), Json::raw(chips))));
    }
    let fouls = played.fouls.iter().map(|foul| (name(foul.player), Json::text(foul.kind)));
    Json::object([
        ("events", Json::List(played.events.iter().map(|event| Json::text(event)).collect())),
        ("commands", Json::object(everyone.map(|player| (name(player), told(&played.lines[player]))))),
        ("payouts", Json::object(payouts.into_iter().map(|(name, parts)| (name, Json::object(parts))))),
        ("fouls", Json::object(fouls)),
        ("stacks", Json::object(stacks)),
    ])
}

/// JSON that people like to read: in the order it is made, and on one line where it fits.
#[derive(Clone)]
enum Json {
    Value(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// The longest line, in characters.
const WIDTH: usize = 110;

impl Json {
    fn text(text: &str) -> Json {
        Json::Value(serde_json::Value::from(text).to_string())
    }

    fn raw(number: impl fmt::Display) -> Json {
        Json::Value(number.to_string())
    }

    fn object<'a>(fields: impl IntoIterator<Item = (&'a str, Json)>) -> Json {
        Json::Object(fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
    }

    fn on_one_line(&self) -> String {
        let key = |key: &String| serde_json::Value::from(key.as_str()).to_string();
        match self {
            Json::Value(text) => text.clone(),
            Json::List(list) => {
                format!("[{}]", list.iter().map(Json::on_one_line).collect::<Vec<_>>().join(", "))
            }
            Json::Object(fields) => {
                let field =
                    |(name, value): &(String, Json)| format!("{}: {}", key(name), value.on_one_line());
                format!("{{{}}}", fields.iter().map(field).collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let line = self.on_one_line();
        let fits = depth > 0 && 2 * depth + line.chars().count() <= WIDTH;
        let indent = "  ".repeat(depth + 1);
        match self {
            Json::List(list) if !fits && !list.is_empty() => {
                for (index, value) in list.iter().enumerate() {
                    write!(f, "{}\n{indent}", if index == 0 { "[" } else { "," })?;
                    value.write(f, depth + 1)?;
                }
                write!(f, "\n{}]", "  ".repeat(depth))
            }
            Json::Object(fields) if !fits && !fields.is_empty() => {
                for (index, (key, value)) in fields.iter().enumerate() {
                    let key = serde_json::Value::from(key.as_str());
                    write!(f, "{}\n{indent}{key}: ", if index == 0 { "{" } else { "," })?;
                    value.write(f, depth + 1)?;
                }
                write!(f, "\n{}}}", "  ".repeat(depth))
            }
            _ => f.write_str(&line),
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}
