//! The table of known faults. A new one needs an entry here, a rule beside this file that recognises it, and its line in
//! `docs/check.md`.

use serde::Serialize;

use casino_stud::stud::Chips;

/// Defines [`Cause`] from a table: name, key, description and remedy of each known fault.
macro_rules! causes {
    ($($name:ident $key:literal: $what:literal, $fix:literal;)*) => {
        /// A known fault of a program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Cause {
            $(#[doc = $what] $name,)*
        }

        impl Cause {
            /// All known faults, in the order of the table.
            pub const ALL: &[Cause] = &[$(Cause::$name,)*];

            /// A short name that is the same from version to version.
            pub fn key(self) -> &'static str {
                match self { $(Cause::$name => $key,)* }
            }

            /// What the fault is, as words after "your program", where a raise may be of so many chips.
            pub fn what(self, raise_cap: Chips) -> String {
                with_cap(match self { $(Cause::$name => $what,)* }, raise_cap)
            }

            /// Whether only time tells that the program has this fault.
            pub(crate) fn is_a_matter_of_time(self) -> bool {
                matches!(
                    self,
                    Cause::Silent
                        | Cause::Stuck
                        | Cause::Equals
                        | Cause::HangsAtStatus
                        | Cause::TooSlow
                        | Cause::LoginOnce
                )
            }

            /// What the student can do about it, where a raise may be of so many chips.
            pub fn fix(self, raise_cap: Chips) -> String {
                with_cap(match self { $(Cause::$name => $fix,)* }, raise_cap)
            }
        }
    };
}

causes! {
    NoStart "no-start": "could not be started",
        "Try the command line by hand in the same folder: is the program built, is the path right?";
    NotBuilt "not-built": "cannot be built",
        "Read the first error that the compiler names; the others often follow from it.";
    Syntax "syntax-error": "has a syntax error",
        "Correct the line that the error output names, or the one before it. Running the program by hand shows the same message.";
    Import "missing-module": "needs a module, a class or a library that is not there",
        "Hand in all files, start the program in their folder, and use only what every computer has: the language and its standard library.";
    Arguments "arguments": "does not understand the arguments that it is given",
        "The command line decides what the program gets: usually the host first and then the port, nothing else.";
    Keyboard "keyboard": "reads from the keyboard, where nobody types",
        "Take host and port from the arguments and put the names into the program. Nothing may wait for input from System.in, input() or cin.";
    Display "display": "wants to open a window, and there is no display",
        "The player has no window: take JFrame, JOptionPane, tkinter and the like out of it.";
    CrashStart "crash-start": "ends with an error before it connects",
        "The end of its output says where. Start it by hand in an empty folder: it may use nothing but its two arguments.";
    OutOfMemory "out-of-memory": "needs more memory than it may have",
        "Look for a list or a loop that grows without end, and build large tables once, not for every question.";
    Killed "killed": "was killed (SIGKILL)",
        "A limit on memory, on time or on processes ends programs in this way. Look at what it collects or starts while it plays.";
    NoConnection "no-connection": "did not connect to the dealer",
        "Connect to the host and the port that the program is given as arguments, before anything else.";
    WrongAddress "wrong-address": "tried to connect somewhere else: the dealer was waiting and was never called",
        "Use the two arguments of main as host and port. Do not write an address or a port into the program.";
    SecondConnection "second-connection": "connected twice",
        "Open one socket at the start and use it for everything.";
    ComesBack "comes-back": "connects again after it was told done",
        "After done close the socket and end the program. Connect again only where a connection breaks without done.";
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
    OnlyFirst "only-first": "answers the first message and none after it",
        "Every message has to be read like the first: two bytes of length, and then that many bytes. Print each message as it was read, and see that what has been used is taken from what is still to be read.";
    ReadsAhead "reads-ahead": "answers only when more has come than the message",
        "Read exactly two bytes of length, and then exactly that many bytes. It takes the length from the wrong place, or reads a block of fixed size.";
    LoginOnce "login-once": "answers login only once",
        "Treat login like every other message in the main loop, so that it can be asked at any time.";
    Println "println": "writes lines of text instead of messages",
        "Do not use println or a PrintWriter: write with DataOutputStream.writeUTF, in other languages two bytes of length and then the text.";
    ReadsLines "reads-lines": "waits for a line break, which the dealer never sends",
        "Do not use readLine or a Scanner: read with DataInputStream.readUTF, in other languages two bytes of length and then that many bytes.";
    ReadsNoLength "reads-no-length": "takes the two bytes of length for a part of the text",
        "Read two bytes of length first, high byte first, and then that many bytes, which are the text. In Java readUTF does both.";
    ReadsLittleEndian "reads-little-endian": "reads the length low byte first",
        "The length comes with the high byte first (big endian): in Python struct.unpack('>H', …), in C ntohs.";
    ReadsLongLength "reads-long-length": "reads a length of four bytes",
        "The length in front of a message has two bytes: read an unsigned 16-bit number, or use readUTF.";
    Equals "equals": "reads the messages of the dealer but recognises none of them",
        "In Java compare texts with equals, never with ==. The words are login, bet1, bet2, status and done in small letters, with a colon after them where something follows.";
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
    LengthTwice "length-twice": "sends the length twice",
        "writeUTF writes the length itself: do not write another one before it.";
    ExtraBytes "extra-bytes": "sends more bytes than the length in front says",
        "Send two bytes of length and then exactly that many bytes: the bytes of the text, not a whole buffer.";
    OtherEncoding "other-encoding": "writes its text in another encoding than UTF-8",
        "Encode the text as UTF-8, or use plain letters in your names.";
    ZeroByte "zero-byte": "ends its text with a zero byte",
        "The zero at the end of a C string does not belong to the message: send strlen bytes, not one more.";
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
        "A reply is fold or bet: and the amount, with nothing before or after it.";
    BareNumber "bare-number": "sends a number without bet: before it",
        "Write bet:5, not 5.";
    Separator "separator": "does not put a colon between bet and the amount",
        "Write bet:5, with a colon.";
    OtherGame "other-game": "answers with a word of another game",
        "This is three-card stud, whose replies are fold and bet:n. Start the program that was written for it.";
    OtherWord "other-word": "answers with a word the game does not have",
        "There are only fold and bet:n. To check is bet:0, to call is to bet exactly what is to call, to raise is to bet more.";
    Echo "echo": "sends the question back",
        "Answer a question with fold or bet:n.";
    NameForReply "name-for-reply": "answers a question with its name",
        "Give the name only when the message is login. If login was asked only once, your program answers one message too late.";
    StreetInReply "street-in-reply": "writes the name of the street into its reply",
        "The reply to bet1 and to bet2 is the same: bet:5, without a digit behind bet.";
    Quoted "quoted": "puts other characters around its reply",
        "Send the text alone. In Python str() of bytes or of a list adds characters: use encode() and the element.";
    NullReply "null-reply": "puts null, None, undefined or NaN in the place of a reply or of its chips",
        "A variable had no value when the reply was put together: see that every path through the program sets it.";
    NoReply "no-reply": "sent a text that is no reply",
        "A reply is exactly fold, or bet: and the digits of an amount.";
    Total "total": "sends the total it has bet on this street instead of the chips it adds now",
        "The amount of bet:n is what you add now: subtract what you have put in before. What is to call is already a difference.";
    OverStack "over-stack": "bets more chips than it has",
        "Cut every amount to the stack, the first number of the question. If what is to call is more than that, fold.";
    CannotCall "cannot-call": "bets although its chips do not cover what is to call",
        "If what is to call is more than your stack, the only reply is fold.";
    OverCap "over-cap": "raises by more than {raise_cap}",
        "A bet may be at most {raise_cap} over what is to call. Cut every amount to that.";
    ZeroFacing "zero-facing-bet": "bets 0 although there is something to call",
        "bet:0 is possible only when nothing is to call. Read the third number of the question, and fold or bet at least that.";
    UnderCall "under-call": "bets less than what is to call",
        "Read what is to call, the third number of the question, each time: an amount has to cover it. A raise comes on top: to raise by 3 with 5 to call, write bet:8.";
    AnswersStatus "answers-status": "answers status",
        "Do not write anything for status: it only tells how the round ended.";
    AnswersDone "answers-done": "says something after done",
        "done is the last message of the game: do not answer it, close the socket and end.";
    TwoReplies "two-replies": "sends more than one message for one question",
        "Write exactly one reply for each login, bet1 and bet2, in one call of writeUTF. In Java a case without break goes on into the next one.";
    OneBehind "one-behind": "reads a message after its reply and throws it away",
        "Read only in the main loop, once for each turn of it. Do not read after you have written: a bet is not acknowledged.";
    Missed "missed": "gave no answer to a message, and answered the same message when it came again",
        "Every message has to be read by the main loop and to be answered on every path through the program: look for a second place that reads, and for messages that are thrown away.";
    NoFlush "no-flush": "sends its replies only when it ends: it does not flush",
        "Call flush() on the stream after each writeUTF, or leave the BufferedOutputStream away.";
    Stdout "stdout": "prints its reply to standard output instead of sending it to the dealer",
        "Write replies to the socket's output stream, not to System.out or with print.";
    TooSlow "too-slow": "answers too late",
        "A reply has to be there within the limit. Calculate less, or with a time limit of your own.";
    SlowReplies "slow-replies": "needs more than half of the time there is for too many of its replies",
        "On a busier machine these would be too late. Calculate less.";
    Silent "silent": "reads on but writes no answer",
        "See that every login, bet1 and bet2 gets a reply on every path through the program, and that each reply is sent with flush().";
    Stuck "stuck": "does not come back from its work on a message",
        "A loop does not end, or it waits for something that does not come. Let it print where it is, and look at the condition of each loop.";
    HangsAtStatus "hangs-at-status": "does not go on after a status",
        "A status wants no answer, and nothing follows it until the next round: return to the main loop and read.";
    Caught "caught": "catches an error and then gives no answer",
        "The end of its output says which error. Correct it, and answer fold where you catch one, so that the game goes on.";
    ThrowsAndFolds "throws-and-folds": "throws exceptions, catches them and folds",
        "It looks sound from outside and never plays its hand. The end of its output says where: correct that, and catch only what you expect.";
    SplitMessages "split-messages": "does not put together a message that comes in pieces",
        "One call of read or recv may return a part of a message. Read until you have the two bytes of length and then that many bytes: readUTF, readFully, or a loop.";
    JoinedMessages "joined-messages": "loses a message that comes together with another",
        "One call of read or recv may return more than a message. Take exactly the bytes that the length says, and keep the rest for the next one.";
    CrashLogin "crash-login": "ends with an error when it logs in",
        "The end of its output says where. The message is exactly login, without anything after it.";
    DividesByZero "divides-by-zero": "divides by zero",
        "What is to call may be 0, and so may a number that you have calculated: test it before you divide by it.";
    EndlessRecursion "endless-recursion": "calls itself without end",
        "A function that calls itself needs a case in which it does not.";
    CrashStatus "crash-status": "ends with an error on a status",
        "A status has win or lose and three fields. A card that was never dealt is the word none. It also comes when you have not been asked in that round.";
    Crash "crash": "ends with an error",
        "The end of its output says where. Look at the message that it was sent last: how many players, which cards, what is to call.";
    OwnTimeout "own-timeout": "stops waiting for the dealer after a time of its own",
        "Rounds and other players take as long as they take: leave setSoTimeout, settimeout and the like away, or wait again.";
    HangsUp "hangs-up": "closes its connection in the middle of the game",
        "Keep the connection open until the message done, and close it only then.";
    LeavesAtStatus "leaves-at-status": "ends at a status",
        "A status ends the round, not the game: go on and wait for the next message. Only done is the end.";
    StaysConnected "stays-connected": "keeps its connection open after done",
        "When a message begins with done, close the socket and end.";
    NeverExits "never-exits": "does not end after done",
        "After done leave the main loop and end the program. In Java a thread that still runs or a Scanner that waits keeps it alive: call System.exit(0).";
}

fn with_cap(words: &str, raise_cap: Chips) -> String {
    words.replace("{raise_cap}", &raise_cap.to_string())
}

/// A cause is serialized as its [`Cause::key`].
impl Serialize for Cause {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::CheckStep;
    use std::collections::BTreeSet;

    #[test]
    fn keys_are_unlike_and_remedies_are_whole_sentences() {
        let keys: BTreeSet<&str> = Cause::ALL.iter().map(|cause| cause.key()).collect();
        assert_eq!(keys.len(), Cause::ALL.len());
        for cause in Cause::ALL {
            let (what, fix) = (cause.what(10), cause.fix(10));
            assert!(what.starts_with(char::is_lowercase) && !what.ends_with('.'), "{what}");
            assert!(fix.starts_with(char::is_alphabetic) && fix.ends_with(['.', '?']), "{fix}");
        }
    }

    /// The page lists all steps and diagnoses, word for word.
    #[test]
    fn every_diagnosis_and_every_step_is_in_the_page() {
        let page = include_str!("../../../../../docs/check.md");
        for cause in Cause::ALL {
            let line = format!("| `{}` | {} | {} |", cause.key(), cause.what(10), cause.fix(10));
            assert!(page.contains(&line), "docs/check.md lacks\n{line}");
        }
        for step in CheckStep::ALL {
            let line = format!("| {} | `{}` | {} |", step.number(), step.id(), step.title());
            assert!(page.contains(&line), "docs/check.md lacks\n{line}");
        }
    }
}
