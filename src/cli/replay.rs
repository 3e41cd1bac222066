//! `casino replay`

use std::fs::File;
use std::io::{BufReader, IsTerminal};
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use console::{Key, Term};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::cards::notation::pretty;
use crate::cards::{Card, Suit};
use crate::protocol::done_text;
use crate::replay::{
    ChangedDecision, Comparison, DealtPlayer, HouseBots, Observer, PlayerView, Recording, Replay,
    ReplayError, RoundEvent, RoundSummary, Segment, SummaryBuilder, TournamentInfo, WireMessage, names, phh,
};
use crate::server::{CONNECT, ProgramPlayer, RestartRule, ShellCommand, Spec, block_on, put_recording};
use crate::session::{ProgramFolder, limits};
use crate::stud::{Chips, Rules, Seat};
use crate::table::{Answer, Notice, TableEvent};
use crate::tournament::TableGame;
use crate::web::ReplayPage;

use super::{Failure, Output, output};

/// The exit code of a ghost that decides differently somewhere.
const DIFFERENT: u8 = 1;

/// The exit code of a ghost that never came to play.
const NEVER_STARTED: u8 = 3;

/// How many differences are shown to people.
const DIFFERENCES_SHOWN: usize = 20;

#[derive(Args)]
#[command(after_help = "Names are those everyone sees; nobody's GitHubId is ever printed.

With --against the recorded view of one seat is put to a house bot or a program, and every decision is compared
with the recorded one. Exit codes then: 0 all decisions the same, 1 some differ, 2 the command line or the journal
cannot be used, 3 the program never came to play.

Examples:
  casino replay casino-day.jsonl
  casino replay casino-day.jsonl --round 12
  casino replay casino-day.jsonl --step
  casino replay casino-day.jsonl --web 127.0.0.1:8080
  casino replay casino-day.jsonl --player Steph --hide
  casino replay casino-day.jsonl --format csv > stacks.csv
  casino replay casino-day.jsonl --format phh > casino-day.phhs
  casino replay casino-day.jsonl --against 'mine=java -cp out Poker {host} {port}' --as Steph")]
pub(crate) struct ReplayCommand {
    /// The journal
    #[arg(value_name = "FILE")]
    journal: PathBuf,
    /// Only this round
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "against")]
    round: Option<u64>,
    /// Only this table of an event
    #[arg(long, value_name = "TABLE")]
    table: Option<u32>,
    /// Only rounds this player was dealt in
    #[arg(long, value_name = "NAME", conflicts_with = "against")]
    player: Option<String>,
    /// Only what that player was told and replied: nothing it could not see
    #[arg(long, requires = "player", conflicts_with = "format")]
    hide: bool,
    /// Wait for a key after each round; q ends
    #[arg(long, conflicts_with_all = ["json", "format", "against"])]
    step: bool,
    /// Print one JSON object
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Print it in another format
    #[arg(long, value_enum, conflicts_with = "against")]
    format: Option<Format>,
    /// Show it on a page at this address instead; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT", conflicts_with_all = ["round", "table", "player", "step", "json", "format", "against"])]
    web: Option<SocketAddr>,
    /// Put the recorded view of --as to this house bot or program (as in --bot) and compare its decisions
    #[arg(long, value_name = "SPEC", requires = "seat")]
    against: Option<Spec>,
    /// Whose seat the other bot takes
    #[arg(id = "seat", long = "as", value_name = "NAME", requires = "against")]
    seat: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The open poker hand history format: parses as TOML, but only this program knows the variant
    Phh,
    /// The stacks after each round, a column for each player
    Csv,
}

/// The object `--json` prints.
#[derive(Serialize)]
struct Everything {
    players: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rounds: Vec<RoundSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seen: Vec<SeenRound>,
    finished: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    standings: Vec<Place>,
}

/// What one player saw of a round.
#[derive(Serialize)]
struct SeenRound {
    round: u64,
    messages: Vec<WireMessage>,
}

#[derive(Serialize)]
struct Place {
    place: usize,
    name: String,
    chips: Chips,
    left_in_round: Option<u64>,
    why: Option<String>,
}

/// The object `--json` prints of a ghost.
#[derive(Serialize)]
struct GhostReport<'a> {
    player: &'a str,
    #[serde(flatten)]
    comparison: &'a Comparison,
}

/// Looks on with both: the teller of the whole story and the eyes of one player.
struct Audience {
    teller: SummaryBuilder,
    eyes: Option<PlayerView>,
}

impl Observer for Audience {
    fn answered(&mut self, tournament: &TableGame, seat: Seat, answer: &Answer) {
        self.teller.answered(tournament, seat, answer);
        if let Some(eyes) = &mut self.eyes {
            eyes.answered(tournament, seat, answer);
        }
    }

    fn event(&mut self, tournament: &TableGame, event: &TableEvent) {
        self.teller.event(tournament, event);
        if let Some(eyes) = &mut self.eyes {
            eyes.event(tournament, event);
        }
    }

    fn notice(&mut self, tournament: &TableGame, seat: Seat, notice: &Notice) {
        if let Some(eyes) = &mut self.eyes {
            eyes.notice(tournament, seat, notice);
        }
    }
}

impl ReplayCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let journal =
            Replay::open(&self.journal, HouseBots::Believed).map_err(|error| self.unusable(&error))?;
        match (&self.against, self.web) {
            (Some(spec), _) => self.ghost(journal, spec),
            (None, Some(address)) => self.serve(journal, address),
            (None, None) => self.show(journal),
        }
    }

    /// Shows the whole journal on a page until the process ends.
    fn serve(&self, mut journal: Replay<BufReader<File>>, address: SocketAddr) -> Result<(), Failure> {
        let header = journal.header();
        let seed = header.seed().map_err(|why| self.unusable(&why))?;
        let mut album = ReplayPage::new(TournamentInfo {
            players: names(header),
            ..TournamentInfo::new(header, &seed, 1)
        });
        while let Some(part) = journal.next(&mut ()).map_err(|error| self.differs(error))? {
            if let Segment::Round { finished: true, .. } = part {
                album.add_round(journal.tournament());
            }
        }
        if journal.is_finished() {
            album.finish(&journal.event().standings(), seed.text());
        }
        let ready = |address| {
            output::remark(&format!("The replay is http://{address}/ until Ctrl-C is pressed."));
        };
        let served = block_on(album.serve(address, ready)).map_err(Failure::broke)?;
        served.map_err(|error| Failure::Usage(format!("{address} cannot be listened on: {error}")))
    }

    fn unusable(&self, error: &dyn std::fmt::Display) -> Failure {
        Failure::Usage(format!("{}: {error}", self.journal.display()))
    }

    fn show(&self, mut journal: Replay<BufReader<File>>) -> Result<(), Failure> {
        let names = names(journal.header());
        let players = journal.header().players.len();
        let is_event = journal.header().plan.is_some();
        if self.table.is_some_and(|table| table > 1) && !is_event {
            return Err(self.unusable(&"there is one table in it: leave --table out"));
        }
        let player = match &self.player {
            None => None,
            Some(name) => match names.iter().position(|other| other == name) {
                Some(index) => Some(index),
                None => {
                    let name = name.escape_debug();
                    return Err(self.unusable(&format!(
                        "nobody named \"{name}\" plays in it; there are {}",
                        names.join(", ")
                    )));
                }
            },
        };
        let pager = if self.step { Some(Pager::new()?) } else { None };
        let rules = journal.header().terms().map(|terms| terms.conduct.rules).unwrap_or_default();
        let eyes = if self.hide { player.map(PlayerView::new) } else { None };
        let mut audience = Audience { teller: SummaryBuilder::new(journal.header()), eyes };
        let mut printer = Printer { output: Output::stdout(), rules };
        let mut everything = Everything {
            players: names.clone(),
            rounds: Vec::new(),
            seen: Vec::new(),
            finished: false,
            standings: Vec::new(),
        };
        if self.format == Some(Format::Csv) {
            let table = is_event.then(|| "table".to_string());
            printer.csv("round", table.into_iter().chain(names[..players].iter().map(|name| cell(name))))?;
        }
        let mut stacks = vec![journal.header().stack; names.len()];
        if self.format == Some(Format::Csv) {
            let table = is_event.then(String::new);
            printer.csv(0, table.into_iter().chain(stacks[..players].iter().map(ToString::to_string)))?;
        }
        let mut shown = 0;
        while let Some(part) = journal.next(&mut audience).map_err(|error| self.differs(error))? {
            let Segment::Round { round, finished } = part else { continue };
            let table = journal.tournament();
            for (player, chips) in table.players().iter().zip(table.table().stacks()) {
                stacks[*player] = *chips;
            }
            let wanted = self.round.is_none_or(|wanted| wanted == round)
                && self.table.is_none_or(|wanted| wanted == table.number());
            let dealt_in = |player: usize| {
                table.seat_of(player).is_some_and(|seat| table.table().round().dealt().contains(seat))
            };
            if !wanted || !player.is_none_or(dealt_in) {
                continue;
            }
            shown += 1;
            let story = audience.teller.story();
            match (self.format, self.json, &audience.eyes) {
                (Some(Format::Csv), ..) if !finished => {}
                (Some(Format::Csv), ..) => {
                    let table = is_event.then(|| table.number().to_string());
                    let stacks = stacks[..players].iter().map(ToString::to_string);
                    printer.csv(round, table.into_iter().chain(stacks))?;
                }
                (Some(Format::Phh), ..) if !finished => {}
                (Some(Format::Phh), ..) => {
                    let number = if is_event { shown } else { round };
                    printer.output.line(phh(number, story, &printer.rules))?;
                }
                (None, true, Some(eyes)) => {
                    everything.seen.push(SeenRound { round, messages: eyes.messages().to_vec() })
                }
                (None, true, None) => everything.rounds.push(story.clone()),
                (None, false, Some(eyes)) => printer.seen(round, eyes.messages())?,
                (None, false, None) => printer.story(story)?,
            }
            if let Some(pager) = &pager {
                printer.output.flush()?;
                if !pager.go_on()? {
                    return Ok(());
                }
            }
        }
        if let (Some(round), 0) = (self.round, shown) {
            let last = journal.event().rounds_played();
            let who = self.player.as_ref().map(|name| format!(" with {name} in it")).unwrap_or_default();
            return Err(
                self.unusable(&format!("there is no round {round}{who}; the last one is round {last}"))
            );
        }
        everything.finished = journal.is_finished();
        if let (true, Some(name)) = (self.hide, &self.player) {
            everything.players = vec![name.clone()];
        } else {
            everything.standings = places(&journal, &names);
        }
        if self.json {
            printer.output.line(serde_json::to_string(&everything).map_err(Failure::broke)?)?;
        } else if self.format.is_none() && self.round.is_none() {
            match player {
                Some(player) if self.hide => printer.last_word(&journal, player)?,
                _ => printer.end(&journal, &everything)?,
            }
        }
        printer.output.flush()
    }

    /// What was shown so far stays shown: the journal goes wrong only here.
    fn differs(&self, error: ReplayError) -> Failure {
        let hint = match error {
            ReplayError::Differs(_) => "\nIt was changed, or written by another program.",
            ReplayError::Read(_) => "",
        };
        self.unusable(&format!("{error}{hint}"))
    }

    fn ghost(&self, journal: Replay<BufReader<File>>, spec: &Spec) -> Result<(), Failure> {
        let name = self.seat.as_deref().unwrap_or_default();
        let terms = journal.header().terms().map_err(|error| self.unusable(&error))?;
        let recording = Recording::new(journal, name).map_err(|error| self.unusable(&error))?;
        let (comparison, folder) = match spec {
            Spec::House { count: 2.., .. } => {
                return Err(Failure::Usage(
                    "one seat takes one bot: leave the * out of --against".to_string(),
                ));
            }
            Spec::House { bot, .. } => (recording.against_house_bot(bot), None),
            Spec::Program { name, command } => {
                let folder = ProgramFolder::new(None, true)?;
                let bar = ProgressBar::new(recording.questions());
                if let Ok(style) =
                    ProgressStyle::with_template("{bar:40} {pos} of {len} questions  {eta} left")
                {
                    bar.set_style(style);
                }
                let progress = |asked| bar.set_position(asked);
                let command = ShellCommand::new(command).with_output_files(folder.path(), name);
                let started =
                    ProgramPlayer::start(name, command, limits(&terms), CONNECT, RestartRule::NEVER);
                let mut player = match started {
                    Ok(player) => player,
                    Err(why) => {
                        output::complain(&why.to_string());
                        return Err(Failure::Verdict(NEVER_STARTED));
                    }
                };
                let comparison = put_recording(&recording, &mut player, progress);
                player.dismiss("The recorded game is over. Thank you for playing.");
                bar.finish_and_clear();
                (comparison, Some(folder))
            }
        };
        let mut output = Output::stdout();
        if self.json {
            let report = GhostReport { player: &recording.name, comparison: &comparison };
            output.line(serde_json::to_string(&report).map_err(Failure::broke)?)?;
        } else {
            for line in report(&recording.name, &comparison) {
                output.line(line)?;
            }
        }
        if let Some(folder) = folder {
            if comparison.fouls == 0 {
                // A few log files in the system's folder for such things that cannot be removed do no harm.
                let _ = std::fs::remove_dir_all(folder.path());
            } else if !self.json {
                output.line(format_args!("What the program printed is in {}.", folder.path().display()))?;
            }
        }
        output.flush()?;
        if comparison.differences.is_empty() && comparison.ended_early.is_none() {
            Ok(())
        } else {
            Err(Failure::Verdict(DIFFERENT))
        }
    }
}

/// A ghost's decisions for people.
fn report(name: &str, comparison: &Comparison) -> Vec<String> {
    let Comparison { questions, differences, fouls, ended_early } = comparison;
    let mut lines = Vec::new();
    for ChangedDecision { round, street, question, recorded, new, foul } in
        differences.iter().take(DIFFERENCES_SHOWN)
    {
        lines.push(format!("round {round}, bet{street}: {name} decided {recorded}, the new bot {new}"));
        lines.push(format!("    {question}"));
        if let Some(foul) = foul {
            lines.push(format!("    Its program {foul}"));
        }
    }
    if differences.len() > DIFFERENCES_SHOWN {
        lines.push(format!("… and {} more; --json has them all", differences.len() - DIFFERENCES_SHOWN));
    }
    if let Some(why) = ended_early {
        lines.push(format!("It could not be asked to the end: its program {why}."));
    }
    lines.push(format!(
        "{questions} questions, {} decided differently, {fouls} against the rules.",
        differences.len()
    ));
    lines
}

fn places(journal: &Replay<BufReader<File>>, names: &[String]) -> Vec<Place> {
    let standings = journal.event().standings();
    let place = |standing: &crate::tournament::Standing| Place {
        place: standing.place,
        name: names[standing.player].clone(),
        chips: standing.chips,
        left_in_round: standing.exit.as_ref().map(|exit| exit.round),
        why: standing.exit.as_ref().map(|exit| exit.why.to_string()),
    };
    standings.places().iter().map(place).collect()
}

/// A cell of a CSV file. A name that a spreadsheet would take for a formula begins with an apostrophe.
fn cell(name: &str) -> String {
    if name.starts_with(['+', '-', '@', '=']) { format!("'{name}") } else { name.to_string() }
}

/// Waits for a key after each round.
struct Pager(Term);

impl Pager {
    fn new() -> Result<Pager, Failure> {
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            return Err(Failure::Usage("--step waits for keys, which only a terminal has".to_string()));
        }
        Ok(Pager(Term::stdout()))
    }

    fn go_on(&self) -> Result<bool, Failure> {
        Ok(!matches!(self.0.read_key().map_err(Failure::broke)?, Key::Char('q' | 'Q') | Key::Escape))
    }
}

/// Prints rounds for people.
struct Printer {
    output: Output,
    rules: Rules,
}

impl Printer {
    fn csv(
        &mut self,
        first: impl std::fmt::Display,
        rest: impl Iterator<Item = String>,
    ) -> Result<(), Failure> {
        let rest: Vec<String> = rest.collect();
        self.output.line(format_args!("{first},{}", rest.join(",")))
    }

    fn cards(&self, cards: &[Card]) -> String {
        let colour = |card: &Card| match card.suit() {
            Suit::Spades => "1",
            Suit::Hearts => "31",
            Suit::Diamonds => "34",
            Suit::Clubs => "32",
        };
        let shown = |card: &Card| self.output.paint(colour(card), &format!("{:>3}", pretty(*card)));
        cards.iter().map(shown).collect::<Vec<_>>().join(" ")
    }

    fn story(&mut self, story: &RoundSummary) -> Result<(), Failure> {
        let table = story.table.map(|table| format!(", table {table}")).unwrap_or_default();
        let title = format!("round {}{table}, pot {}", story.round, story.pot);
        let title = self.output.paint("1", &title);
        let unfinished = if story.finished { "" } else { ", not played to its end" };
        self.output.line(format_args!("{title}{unfinished}"))?;
        let width = story.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0);
        for player in &story.players {
            let DealtPlayer { name, stack, hole, up, second, .. } = player;
            let hand: Vec<Card> = [Some(*hole), Some(*up), *second].into_iter().flatten().collect();
            let cards = self.cards(&hand);
            let gap = if second.is_some() { "" } else { "    " };
            self.output.line(format_args!("  {name:<width$}  {cards}{gap}  {stack:>6}"))?;
        }
        for happening in &story.happenings {
            self.happening(happening, width)?;
        }
        if story.finished {
            let hand = match &story.hand {
                Some(hand) => format!("{} ({hand})", self.cards(&story.shown)),
                None => format!("{}, everyone else out", self.cards(&story.shown)),
            };
            self.output.line(format_args!("  shown: {hand}"))?;
            let mut stacks = Vec::new();
            for (player, chips) in story.players.iter().zip(&story.stacks) {
                stacks.push(format!("{} {chips}", player.name));
            }
            self.output.line(format_args!("  stacks: {}", stacks.join(", ")))?;
        }
        self.output.line("")
    }

    fn happening(&mut self, happening: &RoundEvent, width: usize) -> Result<(), Failure> {
        let line = match happening {
            RoundEvent::Street { street, player, pot } => {
                return self.output.line(format_args!("  bet{street}, pot {pot}, {player} opens"));
            }
            RoundEvent::Bet { player, to_call, chips, pot, .. } => {
                let what = match (*to_call, chips - to_call) {
                    (0, chips) => format!("bets {chips}"),
                    (to_call, 0) => format!("calls {to_call}"),
                    (to_call, more) => format!("calls {to_call} and raises {more}"),
                };
                format!("    {player:<width$}  {what:<26} pot {pot}")
            }
            RoundEvent::Fold { player, to_call: 0 } => format!("    {player:<width$}  folds"),
            RoundEvent::Fold { player, to_call } => format!("    {player:<width$}  folds, {to_call} to call"),
            RoundEvent::StaysIn { player } => {
                format!("    {player:<width$}  has no chips and stays in")
            }
            RoundEvent::ForcedFold { player } => {
                format!("    {player:<width$}  cannot call and is folded")
            }
            RoundEvent::Foul { player, foul, .. } => {
                let line = format!("    {player:<width$}  {foul}");
                self.output.paint("31", &line)
            }
            RoundEvent::Wins { player, half, chips } => {
                let what = match *half {
                    "spade" => " for the highest spade in the hole",
                    "hand" => " for the best hand",
                    _ => ", the whole pot",
                };
                format!("  {player} wins {chips}{what}")
            }
            RoundEvent::Leaves { player, forfeited, why } => {
                let chips =
                    if *forfeited > 0 { format!(" ({forfeited} chips leave play)") } else { String::new() };
                let line = format!("  {player} is out: {why}{chips}");
                self.output.paint("31", &line)
            }
        };
        self.output.line(line.trim_end())
    }

    fn seen(&mut self, round: u64, messages: &[WireMessage]) -> Result<(), Failure> {
        let title = self.output.paint("1", &format!("round {round}"));
        self.output.line(title)?;
        for message in messages {
            match message {
                WireMessage::Told(text) => self.output.line(format_args!("  < {text}"))?,
                WireMessage::Replied(text) => self.output.line(format_args!("  > {text}"))?,
                WireMessage::Did(text) => self.output.line(format_args!("  * {text}"))?,
            }
        }
        self.output.line("")
    }

    /// The `done` of somebody who was in until the end.
    fn last_word(&mut self, journal: &Replay<BufReader<File>>, player: usize) -> Result<(), Failure> {
        if !journal.is_finished() {
            return Ok(());
        }
        match journal.event().exit_reasons().into_iter().find(|(other, _)| *other == player) {
            Some((_, exit_reason)) => {
                self.output.line(format_args!("  < {}", done_text(&exit_reason.to_string())))
            }
            None => Ok(()),
        }
    }

    fn end(&mut self, journal: &Replay<BufReader<File>>, everything: &Everything) -> Result<(), Failure> {
        let rounds = journal.event().rounds_played();
        if everything.finished {
            self.output.line(format_args!("After {rounds} rounds:"))?;
        } else {
            self.output.line(format_args!(
                "The journal ends in or after round {rounds}; the tournament is not over:"
            ))?;
        }
        let width = everything.standings.iter().map(|place| place.name.chars().count()).max().unwrap_or(0);
        for Place { place, name, chips, left_in_round, .. } in &everything.standings {
            let left = left_in_round.map_or(String::new(), |round| format!("  left in round {round}"));
            self.output.line(format_args!("{place:>3}. {name:<width$} {chips:>8}{left}"))?;
        }
        Ok(())
    }
}
