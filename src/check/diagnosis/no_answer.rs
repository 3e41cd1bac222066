//! Recognises why nothing came: no connection, silence, or a connection that was closed.

use crate::check::evidence::{AskedQuestion, LastTurn, Probe};
use crate::check::step::CheckStep;
use crate::protocol::{Login, read_reply};
use crate::server::{ProgramExit, ProgramOutputs};
use crate::stud::Street;

use super::Cause;
use super::framing::framing;

/// Why a program did not connect. `exit` is how it ended, if it did.
pub(super) fn no_connection(exit: Option<ProgramExit>, outputs: &ProgramOutputs) -> Cause {
    let printed = format!("{}\n{}", outputs.stdout, outputs.stderr).to_lowercase();
    let network_errors = [
        "refused",
        "unreachable",
        "unknownhost",
        "not known",
        "timed out",
        "no such host",
        "getaddrinfo failed",
    ];
    let not_there = ["could not find or load main class", "is not recognized as an internal or external"];
    match exit {
        // The shells' own codes for a command that is not there or not executable; the last one is that of Windows.
        Some(ProgramExit::Code(126 | 127 | 9009)) => Cause::NoStart,
        _ if not_there.iter().any(|words| printed.contains(words)) => Cause::NoStart,
        // The dealer was listening all the time, so a connection that failed was to another address.
        _ if network_errors.iter().any(|words| printed.contains(words)) => Cause::WrongAddress,
        _ => Cause::NoConnection,
    }
}

/// Why a program was silent, from what it did when it was given more chances.
pub(super) fn silence(
    partial: &[u8],
    probe: Probe,
    question: Option<&AskedQuestion>,
    step: CheckStep,
    outputs: &ProgramOutputs,
) -> Cause {
    if !partial.is_empty() {
        return framing(partial).unwrap_or(Cause::HalfMessage);
    }
    if probe.late.is_some() {
        return Cause::TooSlow;
    }
    if probe.reads_lines {
        return Cause::ReadsLines;
    }
    if probe.spoke_at_end {
        return Cause::NoFlush;
    }
    let printed = |line: &str| match question {
        Some(_) => read_reply(line.trim().as_bytes()).is_ok(),
        None => !line.contains(char::is_whitespace) && Login::read(line.as_bytes()).is_ok(),
    };
    if outputs.stdout.lines().any(printed) {
        return Cause::Stdout;
    }
    match step {
        _ if probe.answered_repeat => Cause::OneBehind,
        CheckStep::LoginAgain => Cause::LoginOnce,
        CheckStep::ManyPlayers | CheckStep::LongLists => Cause::HangsLongList,
        _ => Cause::Silent,
    }
}

/// Why a program closed its connection. `exit` is how it ended, if it did.
pub(super) fn closed(
    exit: Option<ProgramExit>,
    question: Option<&AskedQuestion>,
    last_turn: LastTurn,
    step: CheckStep,
    outputs: &ProgramOutputs,
) -> Cause {
    let traces = ["Exception", "Traceback", "panicked", "Error:", "rror: ", "Segmentation"];
    let complains =
        traces.iter().any(|trace| outputs.stderr.contains(trace) || outputs.stdout.contains(trace));
    if step == CheckStep::LoginAgain {
        return Cause::LoginOnce;
    }
    let crashed = complains || !matches!(exit, None | Some(ProgramExit::Code(0)));
    if !crashed {
        return match last_turn {
            LastTurn::AllIn => Cause::LeavesBroke,
            LastTurn::Folded => Cause::LeavesFolded,
            LastTurn::Other => Cause::HangsUp,
        };
    }
    match (step, question) {
        (CheckStep::Login, None) => Cause::CrashLogin,
        (CheckStep::Status, _) => Cause::CrashStatus,
        (CheckStep::ManyPlayers | CheckStep::LongLists, _) => Cause::CrashLongList,
        (CheckStep::Places, Some(question)) if question.own_first => Cause::CrashOwnFirst,
        (CheckStep::Bet1, _) => Cause::CrashBet1,
        (CheckStep::Bet2, Some(question)) if question.street == Street::Second => Cause::CrashBet2,
        _ => Cause::Crash,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::diagnosis::tests::{found, question};
    use crate::check::{Evidence, diagnose};
    use std::time::Duration;

    #[test]
    fn silence_is_told_apart_by_what_ends_it() {
        let silent = |probe, question, step, stdout: &str| {
            let outputs = ProgramOutputs { stdout: stdout.to_string(), stderr: String::new() };
            let limit = Duration::from_secs(1);
            diagnose(&Evidence::Silence { partial: Vec::new(), probe, question, limit }, step, &outputs).cause
        };
        let nothing = Probe::default();
        let repeat = Probe { answered_repeat: true, ..nothing };
        let asked = || Some(question(5, 500, 0));
        assert_eq!(silent(repeat, asked(), CheckStep::AskedAgain, ""), Cause::OneBehind);
        assert_eq!(silent(repeat, None, CheckStep::LoginAgain, ""), Cause::OneBehind);
        assert_eq!(silent(repeat, asked(), CheckStep::Joined, ""), Cause::JoinedMessages);
        assert_eq!(silent(repeat, asked(), CheckStep::Split, ""), Cause::SplitMessages);
        let late = Probe { late: Some(Duration::from_millis(1500)), ..nothing };
        assert_eq!(silent(late, asked(), CheckStep::Bet1, ""), Cause::TooSlow);
        let at_end = Probe { spoke_at_end: true, ..nothing };
        assert_eq!(silent(at_end, None, CheckStep::Login, ""), Cause::NoFlush);
        let lines = Probe { reads_lines: true, ..nothing };
        assert_eq!(silent(lines, None, CheckStep::Login, ""), Cause::ReadsLines);
        assert_eq!(silent(nothing, asked(), CheckStep::Bet1, "thinking\nbet:5\n"), Cause::Stdout);
        assert_eq!(silent(nothing, None, CheckStep::Login, "steph:Steph"), Cause::Stdout);
        assert_eq!(silent(nothing, None, CheckStep::Login, "connected to 127.0.0.1:5000"), Cause::Silent);
        assert_eq!(silent(nothing, asked(), CheckStep::LongLists, ""), Cause::HangsLongList);
        assert_eq!(silent(nothing, None, CheckStep::LoginAgain, ""), Cause::LoginOnce);
        assert_eq!(silent(nothing, asked(), CheckStep::Bet2, ""), Cause::Silent);
        let half = |partial: &[u8]| {
            let limit = Duration::from_secs(1);
            let evidence =
                Evidence::Silence { partial: partial.to_vec(), probe: nothing, question: asked(), limit };
            found(&evidence, CheckStep::Bet1)
        };
        assert_eq!(half(b"\0\x05bet:"), Cause::HalfMessage);
        assert_eq!(half(b"\0\x07bet:5"), Cause::LengthCountsItself);
    }

    #[test]
    fn a_closed_connection_is_a_crash_or_a_departure() {
        let closed = |left, own_first, last_turn, step, stderr: &str| {
            let outputs = ProgramOutputs { stdout: String::new(), stderr: stderr.to_string() };
            let question = Some(AskedQuestion { own_first, ..question(5, 500, 0) });
            diagnose(&Evidence::Closed { partial: Vec::new(), left, question, last_turn }, step, &outputs)
                .cause
        };
        let trace = "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException";
        let (ended, failed) = (Some(ProgramExit::Code(0)), Some(ProgramExit::Code(1)));
        let other = LastTurn::Other;
        assert_eq!(closed(failed, true, other, CheckStep::Places, trace), Cause::CrashOwnFirst);
        assert_eq!(closed(failed, false, other, CheckStep::Places, trace), Cause::Crash);
        assert_eq!(closed(failed, false, other, CheckStep::ManyPlayers, trace), Cause::CrashLongList);
        assert_eq!(closed(failed, false, other, CheckStep::Bet1, ""), Cause::CrashBet1);
        assert_eq!(closed(ended, false, other, CheckStep::Bet1, trace), Cause::CrashBet1);
        assert_eq!(closed(failed, false, other, CheckStep::Status, trace), Cause::CrashStatus);
        assert_eq!(closed(Some(ProgramExit::Signal(11)), false, other, CheckStep::Limits, ""), Cause::Crash);
        assert_eq!(closed(ended, false, other, CheckStep::Limits, ""), Cause::HangsUp);
        assert_eq!(closed(None, false, other, CheckStep::Limits, ""), Cause::HangsUp);
        assert_eq!(closed(ended, false, LastTurn::AllIn, CheckStep::Limits, ""), Cause::LeavesBroke);
        assert_eq!(closed(ended, false, LastTurn::Folded, CheckStep::Bet2, ""), Cause::LeavesFolded);
        assert_eq!(closed(failed, false, other, CheckStep::LoginAgain, trace), Cause::LoginOnce);
    }

    #[test]
    fn a_failed_connection_is_one_to_another_address() {
        let left = |left, stderr: &str| {
            let outputs = ProgramOutputs { stdout: String::new(), stderr: stderr.to_string() };
            diagnose(&Evidence::NoConnection { left }, CheckStep::Login, &outputs).cause
        };
        assert_eq!(
            left(Some(ProgramExit::Code(1)), "java.net.ConnectException: Connection refused"),
            Cause::WrongAddress
        );
        assert_eq!(left(Some(ProgramExit::Code(0)), ""), Cause::NoConnection);
        assert_eq!(left(None, ""), Cause::NoConnection);
        assert_eq!(left(Some(ProgramExit::Code(127)), "sh: 1: jva: not found"), Cause::NoStart);
        let windows =
            "'jva' is not recognized as an internal or external command,\r\noperable program or batch file.";
        assert_eq!(left(Some(ProgramExit::Code(1)), windows), Cause::NoStart);
        let class = "Error: Could not find or load main class Poker";
        assert_eq!(left(Some(ProgramExit::Code(1)), class), Cause::NoStart);
    }
}
