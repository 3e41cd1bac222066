//! The known faults: `diagnoses.md` has words and remedy of each by its key, and a rule beside this file recognizes it.

use serde::Serialize;

use casino_stud::stud::Chips;

/// The table with a row for each fault: key, words after "your program", remedy, example.
const TABLE: &str = include_str!("diagnoses.md");

/// Defines [`Cause`] from a table of names and keys.
macro_rules! causes {
    ($($name:ident $key:literal;)*) => {
        /// A known fault of a program.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub enum Cause {
            $(#[doc = $key] #[serde(rename = $key)] $name,)*
        }

        impl Cause {
            /// All known faults, in the order of the table.
            pub const ALL: &[Cause] = &[$(Cause::$name,)*];

            /// A short name that is the same from version to version.
            pub fn key(self) -> &'static str {
                match self { $(Cause::$name => $key,)* }
            }
        }
    };
}

causes! {
    // Building, starting and connecting.
    NoStart "no-start"; NotBuilt "not-built"; Syntax "syntax-error"; NoMain "no-main";
    Import "missing-module"; Arguments "arguments"; Keyboard "keyboard"; Display "display";
    CrashStart "crash-start"; OutOfMemory "out-of-memory"; Killed "killed"; NoConnection "no-connection";
    WrongAddress "wrong-address"; SecondConnection "second-connection"; ComesBack "comes-back";
    SpeaksFirst "speaks-first";
    // The login.
    LoginNoColon "login-no-colon"; LoginColons "login-colons"; LoginEmpty "login-empty";
    LoginTooLong "login-too-long"; LoginChanges "login-changes";
    // Reading messages.
    OnlyFirst "only-first"; ReadsAhead "reads-ahead"; LoginOnce "login-once"; Println "println";
    ReadsLines "reads-lines"; ReadsNoLength "reads-no-length"; ReadsLittleEndian "reads-little-endian";
    ReadsLongLength "reads-long-length"; Equals "equals";
    // The frame of a reply.
    NoLength "no-length"; LongLength "long-length"; ShortLength "short-length";
    LittleEndian "little-endian"; LengthCountsItself "length-counts-itself";
    LengthInCharacters "length-in-characters"; LengthTwice "length-twice"; ExtraBytes "extra-bytes";
    OtherEncoding "other-encoding"; ZeroByte "zero-byte"; PlainUtf8 "plain-utf8"; WideText "wide-text";
    ObjectStream "object-stream"; BadFrame "bad-frame"; HalfMessage "half-message";
    // The words of a reply.
    EmptyReply "empty-reply"; NewLine "newline"; WhiteSpace "white-space"; OtherDigits "other-digits";
    Capitals "capitals"; Negative "negative"; Sign "sign"; LeadingZero "leading-zero"; Decimal "decimal";
    ExtraFields "extra-fields"; BareNumber "bare-number"; Separator "separator"; OtherGame "other-game";
    OtherWord "other-word"; Echo "echo"; NameForReply "name-for-reply"; StreetInReply "street-in-reply";
    Quoted "quoted"; NullReply "null-reply"; NoReply "no-reply";
    // The amount of a bet.
    Total "total"; StaleAmount "stale-amount"; OverStack "over-stack"; CannotCall "cannot-call";
    OverCap "over-cap"; ZeroFacing "zero-facing-bet"; UnderCall "under-call";
    // The order of messages.
    AnswersStatus "answers-status"; AnswersDone "answers-done"; TwoReplies "two-replies";
    OneBehind "one-behind"; Missed "missed"; NoFlush "no-flush"; Stdout "stdout";
    // Time.
    TooSlow "too-slow"; SlowReplies "slow-replies"; Silent "silent"; Stuck "stuck";
    HangsAtStatus "hangs-at-status"; Caught "caught"; ThrowsAndFolds "throws-and-folds";
    // Messages in pieces.
    SplitMessages "split-messages"; JoinedMessages "joined-messages";
    // Errors in play, and the end.
    CrashLogin "crash-login"; DividesByZero "divides-by-zero"; EndlessRecursion "endless-recursion";
    CrashStatus "crash-status"; Crash "crash"; OwnTimeout "own-timeout"; HangsUp "hangs-up";
    LeavesAtStatus "leaves-at-status"; StaysConnected "stays-connected"; NeverExits "never-exits";
}

impl Cause {
    /// The fault as words after "your program", with this raise cap.
    pub fn what(self, raise_cap: Chips) -> String {
        self.with_cap(self.row()[0], raise_cap)
    }

    /// The remedy, with this raise cap.
    pub fn fix(self, raise_cap: Chips) -> String {
        self.with_cap(self.row()[1], raise_cap)
    }

    /// The fault, its remedy and an example, each on a line, with the usual raise cap.
    pub fn explained(self) -> String {
        let [what, fix, example] = self.row();
        format!("{}: your program {what}.\n{fix}\nExample: {example}\n", self.key())
    }

    /// Whether the fault shows only in time.
    pub(crate) fn is_a_matter_of_time(self) -> bool {
        use Cause::{Equals, HangsAtStatus, LoginOnce, Silent, Stuck, TooSlow};
        matches!(self, Silent | Stuck | Equals | HangsAtStatus | TooSlow | LoginOnce)
    }

    fn row(self) -> [&'static str; 3] {
        let key = format!("| `{}` | ", self.key());
        let cells = |line: &'static str| {
            let cells = line.strip_prefix(&key)?.strip_suffix(" |")?.split(" | ");
            cells.collect::<Vec<_>>().try_into().ok()
        };
        TABLE.lines().find_map(cells).expect("a test finds every fault in the table")
    }

    /// The page's words, with the usual cap in them.
    fn with_cap(self, words: &str, raise_cap: Chips) -> String {
        match self {
            Cause::OverCap => words.replace("10", &raise_cap.to_string()),
            _ => words.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::CheckStep;
    use std::collections::BTreeSet;

    #[test]
    fn keys_are_unlike_and_each_has_words_a_remedy_and_an_example() {
        let keys: BTreeSet<&str> = Cause::ALL.iter().map(|cause| cause.key()).collect();
        assert_eq!(keys.len(), Cause::ALL.len());
        let mut examples = BTreeSet::new();
        for cause in Cause::ALL {
            let [what, fix, example] = cause.row();
            let explained = format!("{}: your program {what}.\n{fix}\nExample: {example}\n", cause.key());
            assert_eq!(cause.explained(), explained);
            assert!(
                example.len() > 5 && examples.insert(example),
                "{example}: two faults have the same example"
            );
            assert!(what.starts_with(char::is_lowercase) && !what.ends_with('.'), "{what}");
            assert!(fix.starts_with(char::is_alphabetic) && fix.ends_with(['.', '?']), "{fix}");
        }
        let rows = TABLE.lines().filter(|line| line.starts_with("| `"));
        assert_eq!(rows.count(), Cause::ALL.len(), "the table has no other row");
    }

    #[test]
    fn every_step_is_in_the_page() {
        let page = include_str!("../../../../../docs/check.md");
        for step in CheckStep::ALL {
            let line = format!("| {} | `{}` | {} |", step.number(), step.id(), step.title());
            assert!(page.contains(&line), "docs/check.md lacks\n{line}");
        }
    }
}
