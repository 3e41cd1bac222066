//! Recognises why nothing came: no connection, silence, or a connection that was closed.

use crate::check::evidence::{AskedQuestion, LastMessage, LoginForm, SilenceProbe};
use crate::check::step::CheckStep;
use casino_host::{ProgramExit, ProgramOutputs};
use casino_stud::protocol::{Login, read_reply};

use super::Cause;
use super::complaint::{Complaint, ComplaintKind, network};
use super::framing::framing;

pub(super) type Found = (Cause, Vec<Cause>);

/// The numbers of the signals.
const SIGFPE: i32 = 8;
const SIGKILL: i32 = 9;
const SIGALRM: i32 = 14;

fn alone(cause: Cause) -> Found {
    (cause, Vec::new())
}

/// The cause an exception proves on its own, wherever it is thrown.
fn exception_cause(complaint: Option<&Complaint>, outputs: &ProgramOutputs) -> Option<Cause> {
    if Complaint::shows_recursion(outputs) {
        return Some(Cause::EndlessRecursion);
    }
    match complaint?.kind {
        ComplaintKind::Keyboard => Some(Cause::Keyboard),
        ComplaintKind::Scanner => asks_somebody(outputs).then_some(Cause::Keyboard),
        ComplaintKind::Display => Some(Cause::Display),
        ComplaintKind::Syntax => Some(Cause::Syntax),
        ComplaintKind::NoMain => Some(Cause::NoMain),
        ComplaintKind::Import => Some(Cause::Import),
        ComplaintKind::Memory => Some(Cause::OutOfMemory),
        ComplaintKind::Recursion => Some(Cause::EndlessRecursion),
        ComplaintKind::Zero => Some(Cause::DividesByZero),
        ComplaintKind::Timeout => Some(Cause::OwnTimeout),
        ComplaintKind::Network | ComplaintKind::Arguments | ComplaintKind::Other => None,
    }
}

/// Whether its standard output ends with a prompt for keyboard input.
pub(super) fn asks_somebody(outputs: &ProgramOutputs) -> bool {
    outputs.stdout.ends_with(['?', ':', '>'])
}

pub(super) fn no_connection(exit: Option<ProgramExit>, outputs: &ProgramOutputs) -> Found {
    let printed = format!("{}\n{}", outputs.stdout, outputs.stderr);
    let small = printed.to_lowercase();
    let not_there = ["could not find or load main class", "is not recognized as an internal or external"];
    let complaint = Complaint::last(outputs);
    // The shells' own codes for a command that is not there or not executable; the last one is that of Windows.
    if matches!(exit, Some(ProgramExit::Code(126 | 127 | 9009)))
        && !matches!(complaint.as_ref().map(|said| said.kind), Some(ComplaintKind::Import))
        || not_there.iter().any(|words| small.contains(words))
    {
        return alone(Cause::NoStart);
    }
    // A program without a connection does not wait for the dealer's messages.
    if let Some(cause) =
        exception_cause(complaint.as_ref(), outputs).filter(|cause| *cause != Cause::OwnTimeout)
    {
        return alone(cause);
    }
    let kind = complaint.as_ref().map(|said| said.kind);
    // The dealer was listening all the time, so a connection that failed was to another address.
    if kind == Some(ComplaintKind::Network) || (kind.is_none() && small.lines().any(|line| network(line, "")))
    {
        return alone(Cause::WrongAddress);
    }
    match exit {
        Some(ProgramExit::Signal(SIGKILL)) => alone(Cause::Killed),
        Some(_) if kind == Some(ComplaintKind::Scanner) => (Cause::Keyboard, vec![Cause::CrashStart]),
        Some(_) if kind == Some(ComplaintKind::Arguments) => alone(Cause::Arguments),
        Some(_) if kind.is_some() => alone(Cause::CrashStart),
        Some(_) if asks_somebody(outputs) => alone(Cause::Keyboard),
        Some(exit) if exit != ProgramExit::Code(0) => alone(Cause::CrashStart),
        _ => alone(Cause::NoConnection),
    }
}

#[derive(Clone, Copy)]
pub(super) struct Silence<'a> {
    pub(super) partial: &'a [u8],
    pub(super) probe: &'a SilenceProbe,
    pub(super) question: Option<&'a AskedQuestion>,
    pub(super) answered: usize,
}

pub(super) fn silence(silence: Silence<'_>, step: CheckStep, outputs: &ProgramOutputs) -> Found {
    let Silence { partial, probe, question, answered } = silence;
    if !partial.is_empty() {
        return alone(framing(partial).unwrap_or(Cause::HalfMessage));
    }
    if let Some(form) = probe.answers_form {
        return alone(match form {
            LoginForm::Bare => Cause::ReadsNoLength,
            LoginForm::Line => Cause::ReadsLines,
            LoginForm::LittleEndian => Cause::ReadsLittleEndian,
            LoginForm::LongLength => Cause::ReadsLongLength,
        });
    }
    if probe.late.is_some() {
        return alone(Cause::TooSlow);
    }
    if probe.answered_repeat {
        return alone(if probe.answers_every_second { Cause::OneBehind } else { Cause::Missed });
    }
    if probe.reads_lines {
        return alone(Cause::ReadsLines);
    }
    if probe.answers_later_messages {
        return alone(Cause::ReadsAhead);
    }
    if probe.came_in_bulk || probe.spoke_at_end {
        return alone(Cause::NoFlush);
    }
    let is_reply = |line: &&str| match question {
        Some(_) => read_reply(line.trim().as_bytes()).is_ok(),
        None => !line.contains(char::is_whitespace) && Login::read(line.as_bytes()).is_ok(),
    };
    // A program that logs its replies has printed no more of them than have arrived.
    if outputs.stdout.lines().filter(is_reply).count() > answered {
        return alone(Cause::Stdout);
    }
    let complaint = Complaint::last(outputs);
    if let Some(cause) = exception_cause(complaint.as_ref(), outputs) {
        return alone(cause);
    }
    if complaint.is_some() || (answered == 0 && Complaint::mentions(outputs) > 0 && question.is_some()) {
        return alone(Cause::Caught);
    }
    if Complaint::last(&probe.last_words).is_some_and(|said| said.kind == ComplaintKind::Memory) {
        return alone(Cause::OutOfMemory);
    }
    without_a_word(&silence, step)
}

/// The cause of a silence without any output: only the program's behavior at the end is left as evidence.
fn without_a_word(silence: &Silence<'_>, step: CheckStep) -> Found {
    let Silence { probe, question, answered, .. } = *silence;
    let reads_on =
        [probe.closed_at_done, probe.answered_done, probe.ended_at_close, probe.came_back].contains(&true);
    let said = |words: &[&str]| words.iter().any(|word| probe.last_words.stderr.contains(word));
    match (step, question) {
        (CheckStep::LoginAgain, None) if probe.silent_after_login => alone(Cause::OnlyFirst),
        (CheckStep::LoginAgain, None) => alone(Cause::LoginOnce),
        (CheckStep::Status, Some(_)) if !reads_on => alone(Cause::HangsAtStatus),
        _ if !reads_on => alone(Cause::Stuck),
        _ if probe.closed_at_done || probe.answered_done => alone(Cause::Silent),
        (_, None) if said(&["java.util.Scanner", "BufferedReader.readLine"]) => alone(Cause::ReadsLines),
        (_, None) if said(&["readUTF"]) => alone(Cause::Equals),
        // It reached the end of the input and may have misread it in any way.
        (_, None) => (Cause::Equals, vec![Cause::ReadsLines]),
        (_, Some(_)) if answered == 0 => alone(Cause::Equals),
        (_, Some(_)) => alone(Cause::Silent),
    }
}

pub(super) fn closed(
    exit: Option<ProgramExit>,
    is_asked: bool,
    after: LastMessage,
    step: CheckStep,
    outputs: &ProgramOutputs,
) -> Found {
    let complaint = Complaint::last(outputs);
    if let Some(cause) = exception_cause(complaint.as_ref(), outputs) {
        return alone(cause);
    }
    match exit {
        Some(ProgramExit::Signal(SIGKILL)) => return alone(Cause::Killed),
        Some(ProgramExit::Signal(SIGFPE)) => return alone(Cause::DividesByZero),
        _ => {}
    }
    // It wrote to a connection that it had closed.
    let own_end = ["Broken pipe", "Socket is closed", "Socket closed", "Bad file descriptor"];
    if complaint.as_ref().is_some_and(|said| own_end.iter().any(|words| said.line.contains(words))) {
        return alone(Cause::HangsUp);
    }
    let failed = !matches!(exit, None | Some(ProgramExit::Code(0)));
    let at_status = !is_asked && after == LastMessage::Status;
    let is_killed = matches!(exit, Some(ProgramExit::Signal(signal)) if signal != SIGALRM);
    let is_waiting = matches!(after, LastMessage::Waiting(_)) && !is_killed;
    if complaint.is_none() && (at_status || !failed || is_waiting) {
        return alone(match exit {
            _ if is_waiting => Cause::OwnTimeout,
            Some(ProgramExit::Signal(_)) => Cause::CrashStatus,
            _ if at_status => Cause::LeavesAtStatus,
            _ => Cause::HangsUp,
        });
    }
    let place = match step {
        _ if is_asked => Cause::Crash,
        _ if at_status => Cause::CrashStatus,
        CheckStep::Login => Cause::CrashLogin,
        CheckStep::LoginAgain => Cause::LoginOnce,
        _ => Cause::Crash,
    };
    match complaint.map(|said| said.kind) {
        Some(ComplaintKind::Scanner) => (place, vec![Cause::Keyboard]),
        _ => alone(place),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::diagnosis::diagnose;
    use crate::check::evidence::Evidence;
    use std::time::Duration;

    fn ended(
        left: Option<ProgramExit>,
        question: Option<AskedQuestion>,
        after: LastMessage,
        step: CheckStep,
        stderr: &str,
    ) -> Found {
        let outputs = ProgramOutputs { stdout: String::new(), stderr: stderr.to_string() };
        let evidence =
            Evidence::Closed { partial: Vec::new(), left, question: question.map(Box::new), after };
        let found = diagnose(&evidence, step, &outputs);
        (found.cause, found.or.iter().map(|possible| possible.cause).collect())
    }

    #[test]
    fn a_write_after_its_own_end_is_no_crash() {
        let printed = "BrokenPipeError: [Errno 32] Broken pipe";
        let found =
            ended(Some(ProgramExit::Code(1)), None, LastMessage::Login, CheckStep::LoginAgain, printed);
        assert_eq!(found, alone(Cause::HangsUp));
        for exit in [ProgramExit::Code(3), ProgramExit::Signal(14)] {
            let after = LastMessage::Waiting(Duration::from_secs(4));
            assert_eq!(ended(Some(exit), None, after, CheckStep::Refused, ""), alone(Cause::OwnTimeout));
        }
    }

    #[test]
    fn a_program_that_never_connects_is_diagnosed() {
        let left = |left, stderr: &str| {
            let outputs = ProgramOutputs { stdout: String::new(), stderr: stderr.to_string() };
            let found = diagnose(&Evidence::NoConnection { left }, CheckStep::Login, &outputs);
            assert_eq!(found.late, left.is_none(), "who has ended was not too slow");
            found.cause
        };
        let code = |code| Some(ProgramExit::Code(code));
        for (exit, stderr, cause) in [
            (code(1), "connect: Connection refused", Cause::WrongAddress),
            (code(0), "", Cause::NoConnection),
            (None, "", Cause::NoConnection),
            (code(127), "sh: 1: jva: not found", Cause::NoStart),
            (
                code(1),
                "'jva' is not recognized as an internal or external command,\r\noperable",
                Cause::NoStart,
            ),
            (code(1), "Error: Could not find or load main class Poker", Cause::NoStart),
            (code(1), "java.io.FileNotFoundException: odds.csv", Cause::CrashStart),
            (code(1), "TimeoutError: timed out", Cause::CrashStart),
            (code(3), "", Cause::CrashStart),
            (Some(ProgramExit::Signal(9)), "", Cause::Killed),
            (Some(ProgramExit::Signal(11)), "", Cause::CrashStart),
        ] {
            assert_eq!(left(exit, stderr), cause, "{stderr}");
        }
    }
}
