//! The terminal's output of a day of tournaments.

use std::error::Error;
use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::session::{
    Conclusion, DayNotice, DayNotices, LobbyChange, LobbyNotice, Opening, PlayedProgram, RecordedProgram,
    Showing, StoppedTournament, TournamentStart, open_page, open_to, terminal_code, typed_addresses,
};
use crate::web::Room;
use casino_stud::shown::{count, one_line, short_line};
use casino_stud::tournament::{Ending, Player, Recorder, Standing, in_public};
use casino_system::command_line::quote;

use super::event_lines::EventLines;
use super::line_limit::LineLimit;
use super::output::remark;
use super::{Failure, Output};

const MAX_ERROR_LINES: usize = 6;

const MAX_OUTPUT_LINES: usize = 30;

/// Standard output and standard error, for people or for a program that wants JSON.
pub(super) struct Terminal {
    /// Whether one JSON object is printed at the end, and nothing for people.
    json: bool,
    /// Whether only the final table is printed.
    quiet: bool,
    /// Whether the end of the started programs' output is shown.
    show_output: bool,
    /// Whether the rounds of all tables are printed.
    all_rounds: bool,
    /// Whether a page shows the rounds.
    has_page: AtomicBool,
    /// Lines about refused connections, of which a flood makes thousands, and about players who come and go.
    refusals: Mutex<LineLimit>,
    arrivals: Mutex<LineLimit>,
}

/// A class comes in at once, and goes at once.
const ARRIVALS_AT_ONCE: u32 = 500;

impl Terminal {
    pub(super) fn new(json: bool, quiet: bool, show_output: bool) -> Terminal {
        Terminal {
            json,
            quiet,
            show_output,
            all_rounds: false,
            has_page: AtomicBool::new(false),
            refusals: Mutex::new(LineLimit::new(1)),
            arrivals: Mutex::new(LineLimit::new(ARRIVALS_AT_ONCE)),
        }
    }

    /// The same, which prints the rounds of all tables.
    pub(super) fn with_all_rounds(self) -> Terminal {
        Terminal { all_rounds: true, ..self }
    }

    /// Whether text for people is wanted.
    pub(super) fn is_chatty(&self) -> bool {
        !self.json && !self.quiet
    }

    /// Prints messages that matter only at the terminal.
    fn remark_if_chatty(&self, text: &str) {
        if self.is_chatty() {
            remark(text);
        }
    }
    /// Prints a change in the lobby, unless there have been too many of its kind.
    fn lobby(&self, notice: &LobbyNotice) {
        let limit = match notice.what {
            LobbyChange::Refused { .. } | LobbyChange::Waits { .. } => &self.refusals,
            LobbyChange::Entered(_) | LobbyChange::Left { .. } => &self.arrivals,
        };
        // Plain numbers.
        let passes = limit.lock().unwrap_or_else(PoisonError::into_inner).pass(Instant::now());
        let Some(left_out) = passes else { return };
        let more =
            if left_out == 0 { String::new() } else { format!(" ({left_out} more such lines are left out)") };
        self.remark_if_chatty(&format!("{}{more}", sentence(notice)));
    }
}

impl DayNotices for Terminal {
    fn notify(&self, notice: &DayNotice<'_>) -> io::Result<()> {
        match notice {
            DayNotice::Page(address) => {
                remark(&open_page("The page for the room", *address));
                if let Some(code) = terminal_code(*address).filter(|_| io::stderr().is_terminal()) {
                    eprintln!("{code}");
                }
            }
            DayNotice::Console { address, token } => {
                remark(&format!("{}#{token}", open_page("The teacher's console", *address)));
            }
            DayNotice::Chairs { url } => remark(&format!("Sit here: {url}")),
            DayNotice::Listening(address) => return print(format_args!("listening on {address}")),
            DayNotice::Addresses(address) => {
                let typed = typed_addresses(*address).join(" or ");
                remark(&format!("Players connect to {typed}, {}.", open_to(*address)));
            }
            DayNotice::Lobby(notice) => self.lobby(notice),
            DayNotice::RoundLimit(rounds) => self.remark_if_chatty(&format!(
                "At most {rounds} rounds are played; --rounds sets another number."
            )),
            DayNotice::MorePlay(more) => self.remark_if_chatty(&more.to_string()),
            DayNotice::NoTimes { why } => remark(&format!("No reply times are kept: {why}.")),
            DayNotice::TornJournal { journal, tail } => {
                remark(&format!("{}: {tail}; it was never announced and is cut off", journal.display()));
            }
            DayNotice::AlreadyOver { journal } => {
                remark(&format!("{}: this tournament is finished.", journal.display()));
            }
            DayNotice::GoesOn(round) => {
                self.remark_if_chatty(&format!("The tournament continues with round {round}."));
            }
            DayNotice::TimeBank { name, round, bank } => self.remark_if_chatty(&format!(
                "{name} used {} ms of its time bank in round {round}; {} ms are left.",
                bank.used.as_millis(),
                bank.left.as_millis()
            )),
            DayNotice::StaysOut { name, why } => remark(&format!("{name} stays out: {why}.")),
            DayNotice::Ending => remark(
                "The tournament ends after this round, with places by chips. Press Ctrl-C again to stop at once; then \
                 `casino resume` continues a journal.",
            ),
            DayNotice::Stopping => {
                remark("The round is played to its end; press Ctrl-C again to stop at once.");
            }
            DayNotice::Concluded(conclusion) if self.json => return print(&conclusion.json),
            DayNotice::Concluded(conclusion) => return final_table(conclusion).map_err(Failure::into_io),
            DayNotice::PageStays => remark("The page stays until Ctrl-C is pressed."),
            DayNotice::ProgramOutputs { folder, programs } => {
                let text = about_programs(programs, *folder, self.show_output);
                if self.json { remark(&text) } else { return print(format_args!("\n{text}")) }
            }
        }
        Ok(())
    }

    fn open(&self, opening: Opening) -> Result<Box<dyn Showing>, Box<dyn Error + Send + Sync>> {
        self.has_page.store(opening.page.is_some(), Ordering::Relaxed);
        Ok(Box::new(Room::open(opening)?))
    }

    fn begin(&self, start: &TournamentStart<'_>) -> io::Result<Option<Box<dyn Recorder>>> {
        if !self.is_chatty() {
            if let Some(promise) = start.seed.promise() {
                remark(&format!("SHA-256 of the seed: {promise}"));
            }
            return Ok(None);
        }
        let mut output = Output::of_a_day();
        introduce(start, &mut output).map_err(Failure::into_io)?;
        if self.has_page.load(Ordering::Relaxed) && io::stdout().is_terminal() {
            return Ok(None);
        }
        let lines = EventLines::new(output, start.players, start.plan);
        Ok(Some(Box::new(if self.all_rounds { lines.with_all_rounds() } else { lines })))
    }

    fn allows_programs(&self, programs: &[RecordedProgram<'_>]) -> io::Result<bool> {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return Ok(false);
        }
        remark("The journal names these programs. Each of them would run on this machine as you:");
        for RecordedProgram { name, command } in programs {
            remark(&format!("    {}: {}", one_line(name), one_line(command)));
        }
        remark("Type y and Enter to start them:");
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }

    fn how_to_resume(&self, stopped: &StoppedTournament<'_>) -> String {
        let mut words = vec!["casino resume".to_string(), quoted(&stopped.journal.to_string_lossy())];
        if let Some(address) = stopped.address {
            words.push(format!("--bind {address}"));
        }
        if stopped.has_programs {
            words.push("--run-programs".to_string());
        }
        if let Some(folder) = stopped.out {
            words.push(format!("--out {}", quoted(&folder.to_string_lossy())));
        }
        words.join(" ")
    }
}

/// Prints a line on standard output at once.
fn print(line: impl std::fmt::Display) -> io::Result<()> {
    Output::of_a_day().show(format_args!("{line}\n"))
}

/// Prints the notices before the first deal.
fn introduce(start: &TournamentStart<'_>, output: &mut Output) -> Result<(), Failure> {
    match start.seed.promise() {
        Some(promise) => {
            output.line(format_args!("The seed is drawn; its SHA-256 is {promise}."))?;
            output.line("The seed itself is shown at the end, so that every deck can be checked.")?;
        }
        None => output.line(format_args!("The seed is {:?}.", start.seed.text()))?,
    }
    let names: Vec<&str> = start.playing.iter().map(|player| start.players[*player].name.as_str()).collect();
    let names = match start.plan.numbers_tables() {
        false => format!("At the table, in seat order: {}.", names.join(", ")),
        true => format!("{} players: {}.", names.len(), names.join(", ")),
    };
    output.line(names)?;
    output.line("")?;
    output.flush()
}

/// Prints the places of all players.
fn final_table(conclusion: &Conclusion) -> Result<(), Failure> {
    let mut output = Output::of_a_day();
    let is_stopped = conclusion.ending == Ending::Stopped;
    let how = if is_stopped { ", stopped early" } else { "" };
    let forfeited = match conclusion.forfeited {
        0 => String::new(),
        chips => format!(", {} forfeited", count(chips, "chip")),
    };
    let players = &conclusion.players;
    output.line(format_args!("\nAfter {}{how}{forfeited}:", count(conclusion.rounds, "round")))?;
    let marked = players.iter().enumerate();
    let marked = marked.map(|(player, Player { name, .. })| conclusion.placing.marked(player, name));
    let names: Vec<String> = marked.collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for standing in conclusion.standings.places() {
        let Standing { player, chips, exit, points, fouls, .. } = standing;
        let mut left = match exit {
            Some(exit) => format!("left in round {}: {}", exit.round, in_public(&exit.why, players)),
            None if is_stopped => "still in".to_string(),
            None => "in until the end".to_string(),
        };
        if !fouls.is_empty() {
            left = match left.ends_with('.') {
                true => format!("{left} Forgiven {fouls}."),
                false => format!("{left}; forgiven {fouls}"),
            };
        }
        let name = &names[*player];
        let place = standing.place_in_words();
        match points {
            Some(points) => output.line(format_args!("{place} {name:<width$} {points:>8} points  {left}"))?,
            None => output.line(format_args!("{place} {name:<width$} {chips:>8}  {left}"))?,
        }
    }
    match (&conclusion.resume, conclusion.revealed_seed()) {
        (Some(command), _) => {
            output.line(format_args!("\nEverything is recorded. Continue with\n  {command}"))?;
        }
        (None, Some(seed)) if conclusion.seed.is_drawn() => {
            output.line(format_args!("\nThe seed was {seed}."))?;
        }
        _ => {}
    }
    output.flush()
}

/// Prints the outcome of the started programs: their fouls with a pointer to the cause, the end of their output if
/// `shown`, and the folder with all of it.
fn about_programs(programs: &[PlayedProgram], folder: Option<&Path>, shown: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    for program in programs {
        let [stdout, stderr] = program.outputs();
        if let Some(foul) = &program.foul {
            lines.push(format!("{} {foul}", program.name));
            if !stderr.is_empty() && !shown {
                lines.push("  The last that it wrote to standard error:".to_string());
                lines.extend(last_lines(&stderr, MAX_ERROR_LINES));
            }
            if ["TimeoutError", "SocketTimeoutException", "timed out"]
                .iter()
                .any(|words| stderr.contains(words))
            {
                let cause = "It stopped waiting for the dealer: a round takes as long as the others take. Remove \
                             setSoTimeout, settimeout and the like.";
                lines.push(format!("  {cause}"));
            }
            let spec = quoted(&format!("{}={}", program.name, program.command));
            lines.push("  To find the cause, run".to_string());
            lines.push(format!("    casino check {spec}\n"));
        }
        for (what, output) in [("standard output", stdout), ("standard error", stderr)] {
            if shown && !output.is_empty() {
                lines.push(format!("{}, the end of its {what}:", program.name));
                lines.extend(last_lines(&output, MAX_OUTPUT_LINES));
            }
        }
    }
    lines.push(match folder {
        Some(folder) => format!("The programs' output is in {}.", folder.display()),
        None => "The programs printed nothing.".to_string(),
    });
    lines.join("\n")
}

/// The last lines of an output; of a stack trace the exception first, its cause, and then frames of the program's own files.
fn last_lines(output: &str, most: usize) -> Vec<String> {
    const MAX_TRACE_LINES: usize = 60;
    const LIBRARIES: [&str; 7] = ["at java.", "at jdk.", "at javax.", "at sun.", "node:", "/rustc/", "... "];
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let recent = &lines[lines.len().saturating_sub(MAX_TRACE_LINES)..];
    let begins = |line: &str, words: &[&str]| words.iter().any(|word| line.trim_start().starts_with(word));
    let is_exception = |line: &&str| {
        ["Exception", "Error", "panicked"].iter().any(|word| line.contains(word))
            && !begins(line, &["at ", "Caused by", "Suppressed"])
    };
    let shown = match recent.iter().rposition(is_exception).filter(|at| at + 1 < recent.len()) {
        None => lines[lines.len().saturating_sub(most)..].to_vec(),
        Some(at) => {
            let cause =
                recent.iter().rposition(|line| begins(line, &["Caused by"])).filter(|cause| *cause > at);
            let below = &recent[cause.unwrap_or(at + 1)..];
            let is_own = |line: &&&str| !LIBRARIES.iter().any(|library| line.contains(library));
            let own: Vec<&str> = below.iter().filter(is_own).copied().collect();
            let below = if own.is_empty() { below } else { &own };
            [&recent[at..=at], &below[..below.len().min(most - 1)]].concat()
        }
    };
    shown.iter().map(|line| format!("    {}", short_line(&line.replace('\t', "    ")))).collect()
}

fn sentence(notice: &LobbyNotice) -> String {
    let LobbyNotice { what, inside, wanted } = notice;
    let inside = match wanted {
        0 => format!("{inside} in"),
        wanted => format!("{inside} of {wanted}"),
    };
    match what {
        LobbyChange::Entered(name) => format!("{name} is in: {inside}"),
        LobbyChange::Waits { from } => {
            format!("a player from {from} played from another address before: approve it on the console")
        }
        LobbyChange::Refused { from, why } => format!("refused a connection from {from}: {why}"),
        LobbyChange::Left { name, why } => format!("{name} is gone: {why}; {inside}"),
    }
}

/// A word of a command line as a shell takes it.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_string(),
        // No shell takes a word with a zero byte or, on Windows, a line feed, and no file has such a name.
        false => quote(word).unwrap_or_else(|| word.escape_debug().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_trace_begins_with_its_exception() {
        let frames = |name: &str| format!("\tat {name}(X.java:1)\n").repeat(9);
        let trace = format!(
            "x\nException in thread \"main\" Boom: no card\n{}{}",
            frames("java.util.A"),
            frames("Poker.play")
        );
        let shown = last_lines(&trace, 4);
        assert_eq!(shown[0], "    Exception in thread \"main\" Boom: no card");
        assert!(
            shown.len() == 4 && shown[1..].iter().all(|line| line == "        at Poker.play(X.java:1)"),
            "{shown:?}"
        );
        let node = "x.js:7\nReferenceError: hand\n    at x.js:7\n    at emit (node:events:5)\nNode.js v20\n";
        assert_eq!(last_lines(node, 2), ["    ReferenceError: hand", "        at x.js:7"]);
        let caused = format!("{trace}Caused by: Bang\n\tat Poker.hand(X.java:2)\n\t... 9 more\n");
        assert_eq!(last_lines(&caused, 4)[1..], ["    Caused by: Bang", "        at Poker.hand(X.java:2)"]);
        assert_eq!(last_lines("a\nb\n\nc\n", 2), ["    b", "    c"]);
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(quoted("runs/day-1.jsonl"), "runs/day-1.jsonl");
        assert_eq!(quoted("casino day.jsonl"), "'casino day.jsonl'");
        assert_eq!(quoted("it's"), "\"it's\"");
        assert_eq!(quoted("$(x)"), "'$(x)'");
        assert_eq!(quoted(""), "''");
    }
}
