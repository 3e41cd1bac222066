//! The steps of a check, in the order in which they are taken.

use serde::{Serialize, Serializer};

/// One step of a check: one ability that a program needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckStep {
    /// It connects once and answers `login` (R16, R21).
    Login,
    /// Asked again, it gives the same answer (R16).
    LoginAgain,
    /// One legal reply to a `bet1` (R7, R22).
    Bet1,
    /// Every shape of `status`, and no answer to any (R14).
    Status,
    /// Somebody raises after its bet, and it is asked again (R9).
    AskedAgain,
    /// A legal reply to a `bet2`.
    Bet2,
    /// Rounds that end on the first street, and rounds in which it is not asked at all.
    EndsAfterBet1,
    /// It opens, with nothing to call (R6, R7).
    OpeningZero,
    /// Stack, call and raise at their exact limits (R7).
    Limits,
    /// A stack smaller than the largest raise, and one smaller than the call (R7, R8).
    ShortStack,
    /// No chips at all (R8).
    ZeroStack,
    /// Its own card first, in the middle and last in the list; two players (R13).
    Places,
    /// Seventeen players on the first street (R1).
    ManyPlayers,
    /// Seventeen players on the second street: 34 cards.
    LongLists,
    /// A message that comes in pieces (R21).
    Split,
    /// Two messages that come in one piece (R21).
    Joined,
    /// Raised until it folds, it waits quietly for the round to end.
    Folding,
    /// A thousand rounds against house bots.
    Rounds,
    /// How long its replies took.
    Times,
    /// A second copy beside the first is refused after its login.
    Refused,
    /// `done` in the middle of a round: it closes its connection and sends nothing (R15).
    SuddenDone,
    /// It ends by itself after `done`.
    Exits,
}

impl CheckStep {
    /// All steps in order.
    pub const ALL: [CheckStep; 22] = [
        CheckStep::Login,
        CheckStep::LoginAgain,
        CheckStep::Bet1,
        CheckStep::Status,
        CheckStep::AskedAgain,
        CheckStep::Bet2,
        CheckStep::EndsAfterBet1,
        CheckStep::OpeningZero,
        CheckStep::Limits,
        CheckStep::ShortStack,
        CheckStep::ZeroStack,
        CheckStep::Places,
        CheckStep::ManyPlayers,
        CheckStep::LongLists,
        CheckStep::Split,
        CheckStep::Joined,
        CheckStep::Folding,
        CheckStep::Rounds,
        CheckStep::Times,
        CheckStep::Refused,
        CheckStep::SuddenDone,
        CheckStep::Exits,
    ];

    /// The step's number for people, from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// A short name that is the same from version to version.
    pub fn id(self) -> &'static str {
        match self {
            CheckStep::Login => "login",
            CheckStep::LoginAgain => "login-again",
            CheckStep::Bet1 => "bet1",
            CheckStep::Status => "status",
            CheckStep::AskedAgain => "asked-again",
            CheckStep::Bet2 => "bet2",
            CheckStep::EndsAfterBet1 => "ends-after-bet1",
            CheckStep::OpeningZero => "opening-zero",
            CheckStep::Limits => "limits",
            CheckStep::ShortStack => "short-stack",
            CheckStep::ZeroStack => "zero-stack",
            CheckStep::Places => "places",
            CheckStep::ManyPlayers => "many-players",
            CheckStep::LongLists => "long-lists",
            CheckStep::Split => "split",
            CheckStep::Joined => "joined",
            CheckStep::Folding => "folding",
            CheckStep::Rounds => "rounds",
            CheckStep::Times => "reply-times",
            CheckStep::Refused => "refused",
            CheckStep::SuddenDone => "sudden-done",
            CheckStep::Exits => "exits",
        }
    }

    /// What the program has to do, in a line.
    pub fn title(self) -> &'static str {
        match self {
            CheckStep::Login => "connects and says who it is",
            CheckStep::LoginAgain => "says the same when it is asked a second time",
            CheckStep::Bet1 => "answers a bet1",
            CheckStep::Status => "listens to every shape of status and does not answer",
            CheckStep::AskedAgain => "is raised after its bet and asked again",
            CheckStep::Bet2 => "answers a bet2",
            CheckStep::EndsAfterBet1 => "goes on after rounds that end with bet1",
            CheckStep::OpeningZero => "opens with nothing to call",
            CheckStep::Limits => "keeps to the exact limits of stack, call and raise",
            CheckStep::ShortStack => "bets no more than a short stack holds",
            CheckStep::ZeroStack => "stays, without being asked, when it has no chips left",
            CheckStep::Places => "finds its own card first, in the middle and last in the list",
            CheckStep::ManyPlayers => "reads a bet1 with 17 players",
            CheckStep::LongLists => "reads a bet2 with 34 cards",
            CheckStep::Split => "puts together a message that comes in pieces",
            CheckStep::Joined => "takes apart two messages that come in one piece",
            CheckStep::Folding => "is raised until it folds, and then waits for the next round",
            CheckStep::Rounds => "plays against house bots without a foul",
            CheckStep::Times => "answers well within the time",
            CheckStep::Refused => "leaves when it is refused at the door",
            CheckStep::SuddenDone => "closes its connection at a sudden done",
            CheckStep::Exits => "ends by itself after done",
        }
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
            CheckStep::LoginAgain | CheckStep::Bet1 | CheckStep::Refused => &[CheckStep::Login],
            CheckStep::LongLists => {
                &[CheckStep::Login, CheckStep::Bet1, CheckStep::Bet2, CheckStep::ManyPlayers]
            }
            CheckStep::Rounds => {
                &[CheckStep::Login, CheckStep::Bet1, CheckStep::Bet2, CheckStep::Status, CheckStep::Joined]
            }
            CheckStep::Times => &[CheckStep::Login, CheckStep::Bet1],
            CheckStep::SuddenDone | CheckStep::Exits => &[CheckStep::Login],
            _ => &[CheckStep::Login, CheckStep::Bet1],
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
