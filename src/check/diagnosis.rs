//! What is the matter with a program, from what was seen of it, and what to do about it.

use std::fmt;

use serde::Serialize;

use crate::protocol::{Login, LoginError, read_reply};
use crate::server::{ProgramExit, ProgramOutputs};
use crate::stud::{Chips, IllegalBet, Street};
use crate::table::escape;

use super::evidence::{AskedQuestion, Evidence, LastMessage, LastTurn, Probe};
use super::step::CheckStep;

/// A fault that is known, each with a key, a description and a remedy.
macro_rules! causes {
    ($($name:ident $key:literal: $what:literal, $fix:literal;)*) => {
        /// A known fault of a program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Cause {
            $(#[doc = $what] $name,)*
        }

        impl Cause {
            /// All of them.
            pub const ALL: &[Cause] = &[$(Cause::$name,)*];

            /// A short name that is the same from version to version.
            pub fn key(self) -> &'static str {
                match self { $(Cause::$name => $key,)* }
            }

            /// What it is, as words after "your program".
            pub fn what(self) -> &'static str {
                match self { $(Cause::$name => $what,)* }
            }

            /// Whether nothing but time tells it.
            pub(super) fn is_a_matter_of_time(self) -> bool {
                matches!(self, Cause::Silent | Cause::HangsLongList | Cause::TooSlow | Cause::LoginOnce)
            }

            /// What to do about it.
            pub fn fix(self) -> &'static str {
                match self { $(Cause::$name => $fix,)* }
            }
        }
    };
}

causes! {
    NoStart "no-start": "could not be started",
        "Try the command line by hand in the same folder: is the program built, is the path right?";
    NotBuilt "not-built": "cannot be built",
        "Read the first error that the compiler names; the others often follow from it.";
    NoConnection "no-connection": "did not connect to the dealer",
        "Connect to the host and the port that the program is given as arguments, before anything else.";
    WrongAddress "wrong-address": "tried to connect somewhere else: the dealer was waiting and was never called",
        "Use the two arguments of main as host and port. Do not write an address or a port into the program.";
    SecondConnection "second-connection": "connected twice",
        "Open one socket at the start and use it for everything.";
    SpeaksFirst "speaks-first": "spoke before it was asked anything",
        "Only the dealer begins a conversation: wait for the message login, then answer it.";
    LoginNoColon "login-no-colon": "gave a name without a colon",
        "Answer login with your GitHubId, a colon and your avatar's name: StephenCurry:Steph.";
    LoginColons "login-colons": "gave a name with more than one colon",
        "Only one colon may be in the answer to login, between the two names. Choose names without one.";
    LoginEmpty "login-empty": "left one of the two names empty",
        "Answer login with your GitHubId, a colon and your avatar's name, neither of them empty.";
    LoginTooLong "login-too-long": "gave a name that is too long",
        "No name may have more than 64 characters.";
    LoginChanges "login-changes": "gave another name when it was asked again",
        "Answer every login with the same two names.";
    LoginOnce "login-once": "answers login only once",
        "Treat login like every other message in the main loop, so that it can be asked at any time.";
    Println "println": "writes lines of text instead of messages",
        "Do not use println or a PrintWriter: write with DataOutputStream.writeUTF, in other languages two bytes of length and then the text.";
    ReadsLines "reads-lines": "waits for a line break, which the dealer never sends",
        "Do not use readLine or a Scanner: read with DataInputStream.readUTF, in other languages two bytes of length and then that many bytes.";
    NoLength "no-length": "sends its text without the length in front",
        "Send two bytes of length, high byte first, and then the text. In Java writeUTF does both.";
    LongLength "long-length": "sends the length in four bytes",
        "The length in front of a message has two bytes: use writeUTF, or pack it as an unsigned 16-bit number.";
    ShortLength "short-length": "sends the length in one byte",
        "The length in front of a message has two bytes, high byte first.";
    LittleEndian "little-endian": "sends the length low byte first",
        "The length goes over the network with the high byte first (big endian).";
    LengthCountsItself "length-counts-itself": "counts the two bytes of the length itself",
        "The length is that of the text alone, without the two bytes in front.";
    LengthInCharacters "length-in-characters": "sends the length in characters where it must be in bytes",
        "Encode the text first, then send the number of its bytes: a letter like é has two.";
    PlainUtf8 "plain-utf8": "writes a character beyond U+FFFF in four bytes, which readUTF does not accept",
        "In modified UTF-8 such a character is written as its two surrogates, three bytes each. A name in plain letters avoids it.";
    WideText "wide-text": "writes two bytes for each character",
        "Do not use writeChars or UTF-16: use writeUTF.";
    ObjectStream "object-stream": "writes with an ObjectOutputStream",
        "Use DataOutputStream.writeUTF: the dealer reads text, not Java objects.";
    BadFrame "bad-frame": "sent bytes that are no message",
        "A message is two bytes of length, high byte first, and that many bytes of text. In Java use writeUTF and nothing else.";
    HalfMessage "half-message": "sent only a part of a message",
        "Send as many bytes as the length in front says, and flush.";
    EmptyReply "empty-reply": "sent an empty message",
        "Send exactly one message for each question: fold, or bet: and an amount.";
    NewLine "newline": "ends its reply with a line break",
        "Take the line break (\\n) away: the length tells where a message ends.";
    WhiteSpace "white-space": "has white space in its reply",
        "Write fold or bet:5, without a space anywhere.";
    OtherDigits "other-digits": "writes digits other than 0 to 9",
        "String.format uses the digits of the country: use String.format(Locale.ROOT, …), or put the reply together with \"bet:\" + n.";
    Capitals "capitals": "uses capital letters",
        "Write fold and bet in small letters.";
    Negative "negative": "bets a negative amount",
        "An amount is at least what is to call, never below 0. If your calculation comes out negative, fold or call.";
    Sign "sign": "writes a sign before the amount",
        "Write the amount as plain digits: bet:5.";
    LeadingZero "leading-zero": "writes an amount with a leading zero",
        "Write the amount as plain digits without zeros in front: bet:5.";
    Decimal "decimal": "bets an amount that is no whole number",
        "Chips are whole: keep amounts in an int, or round them before you send them.";
    ExtraFields "extra-fields": "sends more fields than a reply has",
        "A reply is fold or bet: and the amount, with nothing after it.";
    BareNumber "bare-number": "sends a number without bet: before it",
        "Write bet:5, not 5.";
    Separator "separator": "does not put a colon between bet and the amount",
        "Write bet:5, with a colon.";
    OtherWord "other-word": "answers with a word the game does not have",
        "There are only fold and bet:n. To check is bet:0, to call is to bet exactly what is to call, to raise is to bet more.";
    Echo "echo": "sends the question back",
        "Answer a question with fold or bet:n.";
    NameForReply "name-for-reply": "answers a question with its name",
        "Give the name only when the message is login. If login was asked only once, your program answers one message too late.";
    NoReply "no-reply": "sent a text that is no reply",
        "A reply is exactly fold, or bet: and the digits of an amount.";
    Total "total": "sends the total it has bet on this street instead of the chips it adds now",
        "The amount of bet:n is what you add now: subtract what you have put in before. What is to call is already a difference.";
    OverStack "over-stack": "bets more chips than it has",
        "Cut every amount to the stack, the first number of the question. If what is to call is more than that, fold.";
    OverCap "over-cap": "raises by more than 10",
        "A bet may be at most 10 over what is to call. Cut every amount to that.";
    ZeroFacing "zero-facing-bet": "bets 0 although there is something to call",
        "bet:0 is possible only when nothing is to call. Read the third number of the question, and fold or bet at least that.";
    UnderCall "under-call": "bets less than what is to call",
        "The amount includes what is to call: to raise by 3 with 5 to call, write bet:8.";
    AnswersStatus "answers-status": "answers status",
        "Do not write anything for status: it only tells how the round ended.";
    AnswersDone "answers-done": "says something after done",
        "done is the last message of the game: do not answer it, close the socket and end.";
    TwoReplies "two-replies": "sends more than one message for one question",
        "Write exactly one reply for each login, bet1 and bet2, in one call of writeUTF.";
    OneBehind "one-behind": "read a message after its bet and threw it away",
        "Read only in the main loop, once for each turn of it. Do not read after you have written: a bet is not acknowledged.";
    NoFlush "no-flush": "sends its replies only when it ends: it does not flush",
        "Call flush() on the stream after each writeUTF, or leave the BufferedOutputStream away.";
    Stdout "stdout": "prints its reply to standard output instead of sending it to the dealer",
        "Write replies to the socket's output stream, not to System.out or with print.";
    TooSlow "too-slow": "answers too late",
        "A reply has to be there within the limit. Calculate less, or with a time limit of your own.";
    SlowReplies "slow-replies": "needs more than half of the time there is for too many of its replies",
        "On a busier machine these would be too late. Calculate less.";
    SlowRounds "slow-rounds": "is too slow to play all rounds in the time of the check",
        "Calculate less, or give the check more time with --total-secs.";
    HangsLongList "hangs-long-list": "gives no answer when there are many players",
        "Check loops over the list of up cards, and how your calculation grows with the number of players: with 17 it must still end in time.";
    Silent "silent": "gives no answer",
        "See that every login, bet1 and bet2 gets a reply on every path through the program, that it is sent with flush(), and that no loop waits for something else.";
    SplitMessages "split-messages": "does not put together a message that comes in pieces",
        "One call of read or recv may return a part of a message. Read until you have the two bytes of length and then that many bytes: readUTF, readFully, or a loop.";
    JoinedMessages "joined-messages": "loses a message that comes together with another",
        "One call of read or recv may return more than a message. Take exactly the bytes that the length says, and keep the rest for the next one.";
    CrashLogin "crash-login": "crashes when it logs in",
        "The end of its output says where. The message is exactly login, without anything after it.";
    CrashBet1 "crash-bet1": "crashes on a bet1",
        "The end of its output says where. A bet1 has your stack, the pot, what is to call, two cards, the word up, and then everybody's up card.";
    CrashBet2 "crash-bet2": "crashes on a bet2",
        "The end of its output says where. In a bet2 the word up is field 7, and every player has two cards after it.";
    CrashOwnFirst "crash-own-card-first": "crashes when its own card stands first in the list",
        "Look for your own up card at every place of the list, the first and the last too, and do not count on a card before or after it.";
    CrashLongList "crash-long-list": "crashes on a list of many players",
        "There may be 17 players: do not put the up cards into an array of fixed size.";
    CrashStatus "crash-status": "crashes on a status",
        "A status has win or lose and three fields. A card that was never dealt is the word none. It also comes when you have not been asked in that round.";
    Crash "crash": "crashes",
        "The end of its output says where.";
    HangsUp "hangs-up": "closes its connection in the middle of the game",
        "Keep the connection open until the message done, and close it only then.";
    LeavesBroke "leaves-broke": "leaves when it has no chips left",
        "Without chips you may still win the pot: wait for done, and leave only then.";
    LeavesFolded "leaves-folded": "leaves after it has folded",
        "Folding ends the round for you, not the game: wait for status and go on.";
    StaysConnected "stays-connected": "keeps its connection open after done",
        "When a message begins with done, close the socket and end.";
    NeverExits "never-exits": "does not end after done",
        "After done leave the main loop and end the program. In Java a thread that still runs or a Scanner that waits keeps it alive: call System.exit(0).";
}

/// As its [`Cause::key`].
impl Serialize for Cause {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

/// A cause, and the evidence for it in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Diagnosis {
    /// The cause.
    pub cause: Cause,
    /// What the program does, in a sentence.
    pub what: String,
    /// What to do about it.
    pub fix: &'static str,
    /// What came, or what happened.
    pub came: String,
    /// What was allowed at that moment, if the program was asked to bet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed: Option<String>,
}

/// "Your program …" and what to do.
impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, self.fix)
    }
}

/// What is the matter: from what went wrong in which step, and from what the program printed.
pub fn diagnose(trouble: &Evidence, step: CheckStep, outputs: &ProgramOutputs) -> Diagnosis {
    let cause = in_pieces(trouble, step).unwrap_or_else(|| cause(trouble, step, outputs));
    let allowed = asked(trouble).map(|asked| asked.bounds.to_string());
    let what = format!("Your program {}.", cause.what());
    Diagnosis { cause, what, fix: cause.fix(), came: came(trouble), allowed }
}

/// A program that fails only where messages come split or joined fails because of that.
fn in_pieces(trouble: &Evidence, step: CheckStep) -> Option<Cause> {
    if matches!(trouble, Evidence::NoStart(_) | Evidence::NoConnection { .. } | Evidence::Stays { .. }) {
        return None;
    }
    match step {
        CheckStep::Split => Some(Cause::SplitMessages),
        CheckStep::Joined => Some(Cause::JoinedMessages),
        _ => None,
    }
}

fn cause(trouble: &Evidence, step: CheckStep, outputs: &ProgramOutputs) -> Cause {
    match trouble {
        Evidence::NotBuilt { .. } => Cause::NotBuilt,
        Evidence::NoStart(_) => Cause::NoStart,
        Evidence::NoConnection { left } => no_connection(*left, outputs),
        Evidence::SecondConnection => Cause::SecondConnection,
        Evidence::Login { sent, .. }
            if step == CheckStep::LoginAgain && read_reply(sent.as_bytes()).is_ok() =>
        {
            Cause::LoginOnce
        }
        Evidence::SpokeFirst { raw } => framing(raw).unwrap_or(Cause::SpeaksFirst),
        Evidence::Login { error, raw, .. } => framing(raw).unwrap_or(match error {
            LoginError::BadText => Cause::BadFrame,
            LoginError::NoColon => Cause::LoginNoColon,
            LoginError::ManyColons => Cause::LoginColons,
            LoginError::EmptyPart => Cause::LoginEmpty,
            LoginError::TooLong => Cause::LoginTooLong,
        }),
        Evidence::LoginChanged { .. } => Cause::LoginChanges,
        Evidence::Frame { raw, .. } => framing(raw).unwrap_or(Cause::BadFrame),
        Evidence::Reply { sent, raw, .. } => framing(raw).unwrap_or_else(|| wording(sent)),
        Evidence::Amount { chips, problem, asked } => amount(*chips, *problem, asked),
        Evidence::Stray { after: LastMessage::Status, .. } => Cause::AnswersStatus,
        Evidence::Stray { after: LastMessage::Done, .. } => Cause::AnswersDone,
        Evidence::Stray { .. } => Cause::TwoReplies,
        Evidence::Silence { partial, probe, asked, .. } => {
            silence(partial, *probe, asked.as_ref(), step, outputs)
        }
        Evidence::Closed { partial, left, asked, last_turn } => {
            framing(partial).unwrap_or_else(|| closed(*left, asked.as_ref(), *last_turn, step, outputs))
        }
        Evidence::Stays { closed: false, .. } => Cause::StaysConnected,
        Evidence::Stays { closed: true, .. } => Cause::NeverExits,
        Evidence::Slow { .. } => Cause::SlowReplies,
        Evidence::TimeIsOver { .. } => Cause::SlowRounds,
    }
}

fn asked(trouble: &Evidence) -> Option<&AskedQuestion> {
    match trouble {
        Evidence::Reply { asked, .. } | Evidence::Amount { asked, .. } => Some(asked),
        Evidence::Silence { asked, .. } | Evidence::Closed { asked, .. } => asked.as_ref(),
        _ => None,
    }
}

fn no_connection(left: Option<ProgramExit>, outputs: &ProgramOutputs) -> Cause {
    let said = format!("{}\n{}", outputs.stdout, outputs.stderr).to_lowercase();
    let called_in_vain = ["refused", "unreachable", "unknownhost", "not known", "timed out"];
    match left {
        // The shell's own codes for a command that is not there or not executable.
        Some(ProgramExit::Code(126 | 127)) => Cause::NoStart,
        _ if said.contains("could not find or load main class") => Cause::NoStart,
        // The dealer was listening all the time: nobody who called here was refused.
        _ if called_in_vain.iter().any(|words| said.contains(words)) => Cause::WrongAddress,
        _ => Cause::NoConnection,
    }
}

/// What bytes look like that are no message, or no message that says anything.
fn framing(raw: &[u8]) -> Option<Cause> {
    let plain = |bytes: &[u8]| {
        !bytes.is_empty()
            && std::str::from_utf8(bytes).is_ok_and(|text| !text.trim_end().contains(char::is_control))
    };
    let [first, second, rest @ ..] = raw else { return None };
    let big = usize::from(u16::from_be_bytes([*first, *second]));
    let little = usize::from(u16::from_le_bytes([*first, *second]));
    if let [0, 0, third, fourth, text @ ..] = raw
        && plain(text)
        && usize::from(u16::from_be_bytes([*third, *fourth])) <= text.len()
    {
        return Some(Cause::LongLength);
    }
    if raw.starts_with(&[0xAC, 0xED]) {
        return Some(Cause::ObjectStream);
    }
    if *first == 0
        && raw.len() >= 4
        && raw.chunks(2).all(|pair| pair[0] == 0 && pair.get(1).is_none_or(|c| *c >= b' '))
    {
        return Some(Cause::WideText);
    }
    if big == rest.len() {
        let utf8 = std::str::from_utf8(rest).ok()?;
        return utf8.chars().any(|c| c.len_utf8() == 4).then_some(Cause::PlainUtf8);
    }
    if !plain(rest) {
        return None;
    }
    if little == rest.len() {
        return Some(Cause::LittleEndian);
    }
    if big == raw.len() {
        return Some(Cause::LengthCountsItself);
    }
    if std::str::from_utf8(rest).is_ok_and(|text| text.chars().count() == big && text.len() > big) {
        return Some(Cause::LengthInCharacters);
    }
    if plain(raw) && *first >= b' ' {
        return Some(if raw.ends_with(b"\n") { Cause::Println } else { Cause::NoLength });
    }
    if usize::from(*first) == raw.len() - 1 {
        return Some(Cause::ShortLength);
    }
    None
}

/// What is wrong with a text that is no reply.
fn wording(sent: &str) -> Cause {
    let small = sent.to_lowercase();
    let amount = sent.strip_prefix("bet:").unwrap_or(sent);
    let number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    let reads = |text: &str| read_reply(text.as_bytes()).is_ok();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if sent.is_empty() {
        Cause::EmptyReply
    } else if sent.chars().any(|c| !c.is_ascii() && c.is_numeric()) {
        Cause::OtherDigits
    } else if sent.ends_with('\n') {
        Cause::NewLine
    } else if sent.split_whitespace().count() == 2 && small.starts_with("bet ") {
        Cause::Separator
    } else if sent.contains(char::is_whitespace) && reads(&sent.split_whitespace().collect::<String>()) {
        Cause::WhiteSpace
    } else if sent != small && reads(&small) {
        Cause::Capitals
    } else if small.starts_with("bet1") || small.starts_with("bet2") || small == "login" {
        Cause::Echo
    } else if amount.starts_with('-') && number(amount) {
        Cause::Negative
    } else if amount.starts_with('+') && number(&amount[1..]) {
        Cause::Sign
    } else if sent.starts_with("bet:") && digits(amount) && amount.starts_with('0') {
        Cause::LeadingZero
    } else if digits(sent) {
        Cause::BareNumber
    } else if sent.starts_with("bet:")
        && (number(amount) || number(&amount.replace(',', ".")))
        && !digits(amount)
    {
        Cause::Decimal
    } else if small.starts_with("bet")
        && small[3..].trim_start_matches(['=', ',', ';', '-']).parse::<Chips>().is_ok()
    {
        Cause::Separator
    } else if ["check", "call", "raise", "pass", "allin", "all-in"].iter().any(|word| small.starts_with(word))
    {
        Cause::OtherWord
    } else if small.starts_with("fold") || (small.starts_with("bet:") && small.matches(':').count() > 1) {
        Cause::ExtraFields
    } else if Login::read(sent.as_bytes()).is_ok() && !small.starts_with("bet") {
        Cause::NameForReply
    } else {
        Cause::NoReply
    }
}

fn amount(chips: Chips, problem: IllegalBet, asked: &AskedQuestion) -> Cause {
    let added = chips.checked_sub(asked.put_in).filter(|_| asked.put_in > 0);
    let is_total = added.is_some_and(|added| asked.bounds.bet(added).is_ok());
    match problem {
        IllegalBet::AboveStack | IllegalBet::AboveCap if is_total => Cause::Total,
        IllegalBet::AboveStack => Cause::OverStack,
        // Whoever bets more than it has is cut short by the stack first, whatever else is wrong.
        IllegalBet::AboveCap if chips > asked.bounds.stack => Cause::OverStack,
        IllegalBet::AboveCap => Cause::OverCap,
        IllegalBet::BelowCall if chips == 0 => Cause::ZeroFacing,
        IllegalBet::BelowCall => Cause::UnderCall,
    }
}

fn silence(
    partial: &[u8],
    probe: Probe,
    asked: Option<&AskedQuestion>,
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
    let printed = |line: &str| match asked {
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

fn closed(
    left: Option<ProgramExit>,
    asked: Option<&AskedQuestion>,
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
    let crashed = complains || !matches!(left, None | Some(ProgramExit::Code(0)));
    if !crashed {
        return match last_turn {
            LastTurn::AllIn => Cause::LeavesBroke,
            LastTurn::Folded => Cause::LeavesFolded,
            LastTurn::Other => Cause::HangsUp,
        };
    }
    match (step, asked) {
        (CheckStep::Login, None) => Cause::CrashLogin,
        (CheckStep::Status, _) => Cause::CrashStatus,
        (CheckStep::ManyPlayers | CheckStep::LongLists, _) => Cause::CrashLongList,
        (CheckStep::Places, Some(asked)) if asked.own_first => Cause::CrashOwnFirst,
        (CheckStep::Bet1, _) => Cause::CrashBet1,
        (CheckStep::Bet2, Some(asked)) if asked.street == Street::Second => Cause::CrashBet2,
        _ => Cause::Crash,
    }
}

/// What came instead of what should have come, in words.
fn came(trouble: &Evidence) -> String {
    let ended = |left: &Option<ProgramExit>| match left {
        None => "it still runs".to_string(),
        Some(ProgramExit::Code(code)) => format!("it ended with exit code {code}"),
        Some(ProgramExit::Signal(signal)) => format!("it was ended by signal {signal}"),
    };
    match trouble {
        Evidence::NotBuilt { command } => format!("{} failed", escape(command)),
        Evidence::NoStart(why) => why.clone(),
        Evidence::NoConnection { left } => format!("no connection; {}", ended(left)),
        Evidence::SecondConnection => "a second connection".to_string(),
        Evidence::SpokeFirst { raw } | Evidence::Frame { raw, .. } => super::wire::bytes_in_words(raw),
        Evidence::Login { sent, error, .. } => format!("{}: {error}", escape(sent)),
        Evidence::LoginChanged { first, second } => format!("{}, then {}", escape(first), escape(second)),
        Evidence::Reply { sent, .. } => escape(sent),
        Evidence::Amount { chips, .. } => format!("bet:{chips}"),
        Evidence::Stray { sent, .. } => format!("{}, which nobody had asked for", escape(sent)),
        Evidence::Silence { partial, probe, limit, .. } => match probe.late {
            Some(late) => {
                format!("an answer after {} ms, where {} are allowed", late.as_millis(), limit.as_millis())
            }
            None if !partial.is_empty() => format!("only {}", super::wire::bytes_in_words(partial)),
            None if probe.answered_repeat => {
                format!(
                    "nothing within {} ms; an answer when the question was sent once more",
                    limit.as_millis()
                )
            }
            None if probe.reads_lines => {
                format!("nothing within {} ms; something when a line break was sent", limit.as_millis())
            }
            None if probe.spoke_at_end => {
                format!("nothing within {} ms; the answer when the program was told done", limit.as_millis())
            }
            None => format!("nothing within {} ms", limit.as_millis()),
        },
        Evidence::Closed { partial, left, .. } if partial.is_empty() => {
            format!("the connection was closed; {}", ended(left))
        }
        Evidence::Closed { left, .. } => {
            format!("the connection was closed in the middle of a message; {}", ended(left))
        }
        Evidence::Stays { closed: false, limit } => {
            format!("the connection was still open {} ms after done", limit.as_millis())
        }
        Evidence::Stays { closed: true, limit } => {
            format!(
                "the connection was closed, but the program still ran {} ms after done",
                limit.as_millis()
            )
        }
        Evidence::TimeIsOver { played, wanted } => {
            format!("{played} of {wanted} rounds until the time was over")
        }
        Evidence::Slow { p99, limit } => {
            format!(
                "99 of 100 replies within {} ms, where {} are allowed",
                p99.as_millis(),
                limit.as_millis()
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::time::Duration;

    use crate::protocol::modified_utf8;
    use crate::stud::Bounds;
    use crate::table::FrameFault;

    fn framed(text: &str) -> Vec<u8> {
        let payload = modified_utf8::encode(text);
        let mut raw = u16::try_from(payload.len()).unwrap().to_be_bytes().to_vec();
        raw.extend(payload);
        raw
    }

    fn question(to_call: Chips, stack: Chips, put_in: Chips) -> AskedQuestion {
        AskedQuestion {
            street: Street::First,
            bounds: Bounds { to_call, raise_cap: 10, stack },
            put_in,
            own_first: false,
            players: 5,
        }
    }

    fn found(trouble: &Evidence, step: CheckStep) -> Cause {
        diagnose(trouble, step, &ProgramOutputs::default()).cause
    }

    #[test]
    fn keys_are_unlike_and_remedies_are_whole_sentences() {
        let keys: BTreeSet<&str> = Cause::ALL.iter().map(|cause| cause.key()).collect();
        assert_eq!(keys.len(), Cause::ALL.len());
        for cause in Cause::ALL {
            let (what, fix) = (cause.what(), cause.fix());
            assert!(what.starts_with(char::is_lowercase) && !what.ends_with('.'), "{what}");
            assert!(fix.starts_with(char::is_alphabetic) && fix.ends_with(['.', '?']), "{fix}");
        }
    }

    /// The page lists what there is, word for word.
    #[test]
    fn every_diagnosis_and_every_step_is_in_the_page() {
        let page = include_str!("../../docs/check.md");
        for cause in Cause::ALL {
            let line = format!("| `{}` | {} | {} |", cause.key(), cause.what(), cause.fix());
            assert!(page.contains(&line), "docs/check.md lacks\n{line}");
        }
        for step in CheckStep::ALL {
            let line = format!("| {} | `{}` | {} |", step.number(), step.id(), step.title());
            assert!(page.contains(&line), "docs/check.md lacks\n{line}");
        }
    }

    #[test]
    fn bytes_that_are_no_message_are_recognised() {
        let with = |header: &[u8], text: &[u8]| [header, text].concat();
        for (raw, cause) in [
            (b"bet:5\n".to_vec(), Some(Cause::Println)),
            (b"fold\r\n".to_vec(), Some(Cause::Println)),
            (b"fold".to_vec(), Some(Cause::NoLength)),
            (with(&[0, 0, 0, 5], b"bet:5"), Some(Cause::LongLength)),
            (with(&[5, 0], b"bet:5"), Some(Cause::LittleEndian)),
            (with(&[0, 7], b"bet:5"), Some(Cause::LengthCountsItself)),
            (with(&[5], b"bet:5"), Some(Cause::ShortLength)),
            (with(&[0, 5], "a:Zoë".as_bytes()), Some(Cause::LengthInCharacters)),
            (with(&[0, 6], "a:😀".as_bytes()), Some(Cause::PlainUtf8)),
            (b"\0b\0e\0t\0:\x005".to_vec(), Some(Cause::WideText)),
            (b"\xac\xed\0\x05t\0\x04fold".to_vec(), Some(Cause::ObjectStream)),
            (framed("bet:5"), None),
            (framed("bet:-5"), None),
            (framed("a:😀"), None),
            (framed(""), None),
            (b"\xff\xfe\xfd".to_vec(), None),
            (Vec::new(), None),
        ] {
            assert_eq!(framing(&raw), cause, "{raw:?}");
        }
        let fault = FrameFault::BadText;
        assert_eq!(
            found(&Evidence::Frame { fault, raw: vec![0, 1, 0xFF] }, CheckStep::Bet1),
            Cause::BadFrame
        );
    }

    #[test]
    fn texts_that_are_no_reply_are_recognised() {
        for (sent, cause) in [
            ("", Cause::EmptyReply),
            ("bet:5\n", Cause::NewLine),
            ("bet: 5", Cause::WhiteSpace),
            (" fold", Cause::WhiteSpace),
            ("bet:٥", Cause::OtherDigits),
            ("bet:५", Cause::OtherDigits),
            ("BET:5", Cause::Capitals),
            ("Fold", Cause::Capitals),
            ("bet:-5", Cause::Negative),
            ("bet:+5", Cause::Sign),
            ("bet:05", Cause::LeadingZero),
            ("bet:5.0", Cause::Decimal),
            ("bet:5,5", Cause::Decimal),
            ("bet:5:KS", Cause::ExtraFields),
            ("fold:0", Cause::ExtraFields),
            ("5", Cause::BareNumber),
            ("bet 5", Cause::Separator),
            ("bet=5", Cause::Separator),
            ("bet5", Cause::Separator),
            ("call", Cause::OtherWord),
            ("raise:5", Cause::OtherWord),
            ("bet1:500:5:0:KS:10D:up:10D", Cause::Echo),
            ("StephenCurry:Steph", Cause::NameForReply),
            ("hello", Cause::NoReply),
            ("bet:99999999999999999999", Cause::NoReply),
            ("bet:", Cause::NoReply),
        ] {
            let raw = framed(sent);
            let trouble = Evidence::Reply { sent: sent.to_string(), raw, asked: question(5, 500, 0) };
            assert_eq!(found(&trouble, CheckStep::Bet1), cause, "{sent:?}");
        }
    }

    #[test]
    fn amounts_tell_what_was_forgotten() {
        for (chips, (to_call, stack, put_in), cause) in [
            (35, (10, 400, 20), Cause::Total),
            (30, (10, 400, 20), Cause::Total),
            (45, (10, 400, 20), Cause::OverCap),
            (21, (10, 400, 0), Cause::OverCap),
            (20, (10, 15, 0), Cause::OverStack),
            (40, (10, 15, 0), Cause::OverStack),
            (0, (10, 400, 0), Cause::ZeroFacing),
            (3, (10, 400, 0), Cause::UnderCall),
        ] {
            let asked = question(to_call, stack, put_in);
            let problem = asked.bounds.bet(chips).unwrap_err();
            let trouble = Evidence::Amount { chips, problem, asked };
            assert_eq!(found(&trouble, CheckStep::AskedAgain), cause, "{trouble:?}");
            let allowed =
                diagnose(&trouble, CheckStep::AskedAgain, &ProgramOutputs::default()).allowed.unwrap();
            assert!(allowed.contains("in the stack"), "{allowed}");
        }
    }

    #[test]
    fn silence_is_told_apart_by_what_ends_it() {
        let silent = |probe, asked, step, stdout: &str| {
            let outputs = ProgramOutputs { stdout: stdout.to_string(), stderr: String::new() };
            let limit = Duration::from_secs(1);
            diagnose(&Evidence::Silence { partial: Vec::new(), probe, asked, limit }, step, &outputs).cause
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
            let trouble =
                Evidence::Silence { partial: partial.to_vec(), probe: nothing, asked: asked(), limit };
            found(&trouble, CheckStep::Bet1)
        };
        assert_eq!(half(b"\0\x05bet:"), Cause::HalfMessage);
        assert_eq!(half(b"\0\x07bet:5"), Cause::LengthCountsItself);
    }

    #[test]
    fn a_closed_connection_is_a_crash_or_a_farewell() {
        let closed = |left, own_first, last_turn, step, stderr: &str| {
            let outputs = ProgramOutputs { stdout: String::new(), stderr: stderr.to_string() };
            let asked = Some(AskedQuestion { own_first, ..question(5, 500, 0) });
            diagnose(&Evidence::Closed { partial: Vec::new(), left, asked, last_turn }, step, &outputs).cause
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
    fn whoever_calls_in_vain_calls_elsewhere() {
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
        let class = "Error: Could not find or load main class Poker";
        assert_eq!(left(Some(ProgramExit::Code(1)), class), Cause::NoStart);
    }

    #[test]
    fn a_message_too_many_belongs_to_what_it_follows() {
        let stray = |after| found(&Evidence::Stray { sent: "fold".into(), after }, CheckStep::Status);
        assert_eq!(stray(LastMessage::Status), Cause::AnswersStatus);
        assert_eq!(stray(LastMessage::Done), Cause::AnswersDone);
        assert_eq!(stray(LastMessage::Question), Cause::TwoReplies);
        assert_eq!(stray(LastMessage::Login), Cause::TwoReplies);
    }
}
