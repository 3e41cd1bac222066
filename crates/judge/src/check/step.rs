//! The steps of a check, in the order in which they are taken.

use serde::{Serialize, Serializer};

/// Defines [`CheckStep`] from a table: description, name, id and title of each step, in order.
macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident $id:literal: $title:literal;)*) => {
        /// One step of a check: one ability that a program needs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum CheckStep {
            $($(#[$doc])* $name,)*
        }

        impl CheckStep {
            /// All steps in order.
            pub const ALL: [CheckStep; [$($id),*].len()] = [$(CheckStep::$name,)*];

            /// A short name that is the same from version to version.
            pub fn id(self) -> &'static str {
                match self { $(CheckStep::$name => $id,)* }
            }

            /// What the program has to do, in a line.
            pub fn title(self) -> &'static str {
                match self { $(CheckStep::$name => $title,)* }
            }
        }
    };
}

steps! {
    /// It connects once and answers `login` (R16, R21).
    Login "login": "connects and says who it is";
    /// Asked again, it gives the same answer (R16).
    LoginAgain "login-again": "says the same when it is asked a second time";
    /// One legal reply to a `bet1` (R7, R22).
    Bet1 "bet1": "answers a bet1";
    /// Every shape of `status`, and no answer to any (R14).
    Status "status": "listens to every shape of status and does not answer";
    /// Somebody raises after its bet, and it is asked again (R9).
    AskedAgain "asked-again": "is raised after its bet and asked again";
    /// A legal reply to a `bet2`.
    Bet2 "bet2": "answers a bet2";
    /// Rounds that end on the first street, and rounds in which it is not asked at all.
    EndsAfterBet1 "ends-after-bet1": "goes on after rounds that end with bet1";
    /// It opens, with nothing to call (R6, R7).
    OpeningZero "opening-zero": "opens with nothing to call";
    /// Stack, call and raise at their exact limits (R7).
    Limits "limits": "keeps to the exact limits of stack, call and raise";
    /// A stack smaller than the largest raise, and one smaller than the call (R7, R8).
    ShortStack "short-stack": "bets no more than a short stack holds";
    /// No chips at all (R8).
    ZeroStack "zero-stack": "stays, without being asked, when it has no chips left";
    /// Its own card first, in the middle and last in the list; two players (R13).
    Places "places": "finds its own card first, in the middle and last in the list";
    /// Seventeen players on the first street (R1).
    ManyPlayers "many-players": "reads a bet1 with 17 players";
    /// Seventeen players on the second street: 34 cards.
    LongLists "long-lists": "reads a bet2 with 34 cards";
    /// A message that comes in pieces (R21).
    Split "split": "puts together a message that comes in pieces";
    /// Two messages that come in one piece (R21).
    Joined "joined": "takes apart two messages that come in one piece";
    /// Raised until it folds, it waits quietly for the round to end.
    Folding "folding": "is raised until it folds, and then waits for the next round";
    /// A thousand rounds against house bots.
    Rounds "rounds": "plays against house bots without a foul";
    /// How long its replies took.
    Times "reply-times": "answers well within the time";
    /// A second copy beside the first is refused after its login.
    Refused "refused": "leaves when it is refused at the door";
    /// `done` in the middle of a round: it closes its connection and sends nothing (R15).
    SuddenDone "sudden-done": "closes its connection at a sudden done";
    /// It ends by itself after `done`.
    Exits "exits": "ends by itself after done";
}

impl CheckStep {
    /// The step's number for people, from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// What a correct program does here, in a sentence.
    pub fn expects(self) -> &'static str {
        match self {
            CheckStep::Login | CheckStep::LoginAgain => {
                "one message: your GitHubId, one colon and your avatar's name, such as StephenCurry:Steph"
            }
            CheckStep::Status => "nothing: a status wants no answer",
            CheckStep::Times => "99 of 100 replies within half of the time a reply may take",
            CheckStep::Refused => "after done no more messages, and the program ends",
            CheckStep::SuddenDone => "after done no more messages, and the connection is closed",
            CheckStep::Exits => "after done the program ends by itself",
            _ => "one reply to each question and nothing else: fold, or bet: and an allowed amount",
        }
    }

    /// The steps that have to pass before this one is tried.
    pub fn needs(self) -> &'static [CheckStep] {
        match self {
            CheckStep::Login => &[],
            CheckStep::LongLists => &[CheckStep::Login, CheckStep::Bet2, CheckStep::ManyPlayers],
            CheckStep::Rounds => {
                &[CheckStep::Login, CheckStep::Bet1, CheckStep::Bet2, CheckStep::Status, CheckStep::Joined]
            }
            _ => &[CheckStep::Login],
        }
    }

    /// Whether it is about the connection rather than about replies to questions.
    pub fn is_about_connecting(self) -> bool {
        matches!(
            self,
            CheckStep::Login
                | CheckStep::LoginAgain
                | CheckStep::Refused
                | CheckStep::SuddenDone
                | CheckStep::Exits
        )
    }
}

/// A step is serialized as its [`CheckStep::id`].
impl Serialize for CheckStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn steps_are_numbered_in_order_and_need_only_earlier_ones() {
        let ids: BTreeSet<&str> = CheckStep::ALL.iter().map(|step| step.id()).collect();
        assert_eq!(ids.len(), CheckStep::ALL.len());
        for (at, step) in CheckStep::ALL.into_iter().enumerate() {
            assert_eq!(step.number(), at + 1);
            assert!(step.needs().iter().all(|needed| *needed < step), "{step:?}");
        }
    }
}
