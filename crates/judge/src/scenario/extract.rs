//! Makes a scenario file of a round of a journal.

use std::fmt;
use std::io::BufRead;

use casino_stud::cards::{Card, notation};
use casino_stud::hex;
use casino_stud::protocol::REPLY_CAP;
use casino_stud::replay::{Observer, Replay, ReplayError, Segment, names};
use casino_stud::stud::{Chips, Half, Rules, Seat, SeatSet, ShortStack};
use casino_stud::table::{Answer, Fault, Foul, FrameFault, OnFoul, TableEvent, TableSettings};
use casino_stud::tournament::TableGame;

use super::expect::half_word;
use super::file::Scenario;
use super::pretty_json::Json;
use super::run::{ScenarioRun, TranscriptLine};

/// Why a round cannot be made a scenario.
#[derive(Debug)]
pub enum ExtractError {
    /// The journal cannot be replayed.
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
        /// The shown name of the player who did it.
        name: String,
        /// What the player did, as words after the name.
        what: String,
    },
    /// Played again, the scenario comes to something else.
    Differs {
        /// The number of the round.
        round: u64,
    },
}

impl fmt::Display for ExtractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExtractError::Journal(error) => error.fmt(f),
            ExtractError::NoRound { round, last } => {
                write!(f, "round {round} was not played to its end; the last one that was is round {last}")
            }
            ExtractError::Unscriptable { name, what } => {
                write!(f, "{name} {what} in this round, which no script can do: choose another round")
            }
            ExtractError::Differs { round } => {
                write!(f, "round {round} comes to something else when it is played by itself")
            }
        }
    }
}

impl std::error::Error for ExtractError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ExtractError::Journal(error) => std::error::Error::source(error),
            ExtractError::NoRound { .. }
            | ExtractError::Unscriptable { .. }
            | ExtractError::Differs { .. } => None,
        }
    }
}

impl From<ReplayError> for ExtractError {
    fn from(error: ReplayError) -> ExtractError {
        ExtractError::Journal(error)
    }
}

/// The text of a scenario file with a round of a journal: all its cards, stacks and replies, and everything
/// that came of them. `from` says where it comes from. Neither the seed nor any GitHubId is in it.
///
/// # Errors
/// If there is no such round, or it cannot be scripted.
pub fn extract(
    mut journal: Replay<impl BufRead>,
    table: u32,
    round: u64,
    from: &str,
) -> Result<String, ExtractError> {
    let extracted = find_round(&mut journal, table, round)?;
    let names = names(journal.header());
    let name = |seat: Seat| names[journal.tournament().player_at(seat)].as_str();
    if let Some((seat, what)) = extracted.unscriptable {
        return Err(ExtractError::Unscriptable { name: name(seat).to_string(), what });
    }
    let mut conduct = journal.header().terms.conduct;
    if let Some(level) = journal.event().level() {
        conduct.rules.ante = level.ante;
    }
    let seats: Vec<Json> =
        extracted.seats.into_iter().map(|seat| seat_json(&extracted, seat, name(seat))).collect();
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
    let differs = ExtractError::Differs { round };
    let Ok(scenario) = Scenario::read(&draft) else { return Err(differs) };
    let run = scenario.play();
    if !extracted.is_same(&run, journal.tournament()) || !scenario.check(&run).is_empty() {
        return Err(differs);
    }
    Ok(format!("{}\n", file(expectations(&scenario, &run))))
}

/// Plays the journal again up to the end of the round.
fn find_round(
    journal: &mut Replay<impl BufRead>,
    table: u32,
    round: u64,
) -> Result<RoundToExtract, ExtractError> {
    let mut extracted = RoundToExtract::default();
    let mut last = 0;
    loop {
        match journal.next(&mut extracted)? {
            Some(Segment::Round { round: number, finished }) => {
                if finished && journal.tournament().number() == table {
                    last = number;
                    if number == round {
                        return Ok(extracted);
                    }
                }
            }
            Some(_) => {}
            None => return Err(ExtractError::NoRound { round, last }),
        }
    }
}

/// A seat with its stack, cards and replies.
fn seat_json(extracted: &RoundToExtract, seat: Seat, name: &str) -> Json {
    let answers = extracted.answers.iter().filter(|(other, _)| *other == seat);
    Json::object([
        ("name", Json::text(name)),
        ("stack", Json::raw(extracted.began_with[seat.index()])),
        ("cards", Json::text(&notation::list(&extracted.cards[seat.index()]))),
        ("replies", Json::List(answers.map(|(_, answer)| script(answer)).collect())),
    ])
}

/// What is kept of a round while it is played again.
#[derive(Default)]
struct RoundToExtract {
    seats: SeatSet,
    began_with: Vec<Chips>,
    cards: Vec<[Card; 3]>,
    answers: Vec<(Seat, Answer)>,
    payouts: Vec<(Seat, Half, Chips)>,
    unscriptable: Option<(Seat, String)>,
}

impl RoundToExtract {
    /// Whether a run of the scenario ends with the same payouts and stacks as the round did.
    fn is_same(&self, run: &ScenarioRun, game: &TableGame) -> bool {
        let Some(round) = run.rounds.first() else { return false };
        let player_of = |seat: Seat| self.seats.into_iter().position(|other| other == seat);
        let stacks = self.seats.into_iter().map(|seat| game.table().stacks()[seat.index()]);
        let payouts = self.payouts.iter().map(|(seat, half, chips)| (player_of(*seat), *half, *chips));
        let played = round.payouts.iter().map(|(player, half, chips)| (Some(*player), *half, *chips));
        round.stacks.iter().copied().eq(stacks) && played.eq(payouts)
    }
}

impl Observer for RoundToExtract {
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
                *self = RoundToExtract {
                    seats,
                    began_with: tournament.began_with().to_vec(),
                    cards: (0..tournament.table().stacks().len())
                        .map(|seat| round.hand(Seat::new(seat)))
                        .collect(),
                    ..RoundToExtract::default()
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

/// A script's entry that does what the player did.
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
            bytes(&hex::spaced((*length).max(REPLY_CAP + 1).to_be_bytes()))
        }
        Err(Fault::Frame(FrameFault::BadText)) => bytes("00 01 ff"),
        Err(Fault::Stray { sent }) if sent.is_empty() => Json::object([("unasked", bytes("00 05 62"))]),
        Err(Fault::Stray { sent }) => Json::object([("unasked", Json::text(sent))]),
        Err(Fault::HungUp { partial: false } | Fault::Deaf | Fault::Removed { .. }) => fault("hang up"),
    }
}

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

/// Everything that came of the run, as what is expected.
fn expectations(scenario: &Scenario, run: &ScenarioRun) -> Json {
    let name = |player: usize| scenario.players[player].name.as_str();
    let everyone = 0..scenario.players.len();
    let commands = |lines: &[TranscriptLine]| {
        let texts = lines.iter().filter_map(|line| match line {
            TranscriptLine::ToPlayer(text) => Some(Json::text(text)),
            TranscriptLine::FromPlayer(_) => None,
        });
        Json::List(texts.collect())
    };
    let mut payouts: Vec<(&str, Vec<(&str, Json)>)> = Vec::new();
    let mut stacks = Vec::new();
    if let Some(round) = run.rounds.first() {
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
    let fouls = run.fouls.iter().map(|foul| (name(foul.player), Json::text(foul.kind)));
    Json::object([
        ("events", Json::List(run.events.iter().map(|event| Json::text(event)).collect())),
        ("commands", Json::object(everyone.map(|player| (name(player), commands(&run.transcripts[player]))))),
        ("payouts", Json::object(payouts.into_iter().map(|(name, parts)| (name, Json::object(parts))))),
        ("fouls", Json::object(fouls)),
        ("stacks", Json::object(stacks)),
    ])
}
