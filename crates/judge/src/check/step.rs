//! The steps of a check, in the order in which they are taken.

use serde::Serialize;

/// Defines [`CheckStep`] from a table: name, id and title of each step, in order.
macro_rules! steps {
    ($($name:ident $id:literal: $title:literal;)*) => {
        /// One step of a check: one ability that a program needs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub enum CheckStep {
            $(#[doc = $title] #[serde(rename = $id)] $name,)*
        }

        impl CheckStep {
            /// All steps in order.
            pub const ALL: [CheckStep; [$($id),*].len()] = [$(CheckStep::$name,)*];

            /// A short name that is the same from version to version.
            pub fn id(self) -> &'static str {
                match self { $(CheckStep::$name => $id,)* }
            }

            /// A one-line description of the task.
            pub fn title(self) -> &'static str {
                match self { $(CheckStep::$name => $title,)* }
            }
        }
    };
}

steps! {
    Login "login": "connects and logs in";
    LoginAgain "login-again": "says the same when it is asked a second time";
    Bet1 "bet1": "answers a bet1";
    Status "status": "listens to every shape of status and does not answer";
    AskedAgain "asked-again": "is raised after its bet and asked again";
    Bet2 "bet2": "answers a bet2";
    EndsAfterBet1 "ends-after-bet1": "continues after rounds that end with bet1";
    OpeningZero "opening-zero": "opens with nothing to call";
    Limits "limits": "keeps to the exact limits of stack, call and raise";
    ShortStack "short-stack": "bets no more than a short stack holds";
    ZeroStack "zero-stack": "stays, without being asked, when it has no chips left";
    Places "places": "finds its own card first, in the middle and last in the list";
    ManyPlayers "many-players": "reads a bet1 with 17 players";
    LongLists "long-lists": "reads a bet2 with 34 cards";
    Split "split": "puts together a message that comes in pieces";
    Joined "joined": "takes apart two messages that come in one piece";
    Folding "folding": "is raised until it folds, and then waits for the next round";
    Rounds "rounds": "plays against house bots without a foul";
    Times "reply-times": "answers well within the time";
    Refused "refused": "leaves when it is refused at the door";
    SuddenDone "sudden-done": "closes its connection at a sudden done";
    Exits "exits": "ends by itself after done";
}

impl CheckStep {
    /// The step's number for people, from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// The correct behavior in this step, in a sentence.
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
