//! The steps of a check, in the order in which they are taken.

use serde::{Serialize, Serializer};

/// One step of a check: a thing a program has to be able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// It connects, once, and says who it is when it is asked (R16, R21).
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
    /// A second copy, beside the first, is refused at the door.
    Refused,
    /// `done` in the middle of a round: it closes its connection and says nothing (R15).
    SuddenDone,
    /// It ends by itself after `done`.
    Exits,
}

impl Step {
    /// All of them in order.
    pub const ALL: [Step; 22] = [
        Step::Login,
        Step::LoginAgain,
        Step::Bet1,
        Step::Status,
        Step::AskedAgain,
        Step::Bet2,
        Step::EndsAfterBet1,
        Step::OpeningZero,
        Step::Limits,
        Step::ShortStack,
        Step::ZeroStack,
        Step::Places,
        Step::ManyPlayers,
        Step::LongLists,
        Step::Split,
        Step::Joined,
        Step::Folding,
        Step::Rounds,
        Step::Times,
        Step::Refused,
        Step::SuddenDone,
        Step::Exits,
    ];

    /// The step's number for people, from 1.
    pub fn number(self) -> usize {
        self as usize + 1
    }

    /// A short name that is the same from version to version.
    pub fn id(self) -> &'static str {
        match self {
            Step::Login => "login",
            Step::LoginAgain => "login-again",
            Step::Bet1 => "bet1",
            Step::Status => "status",
            Step::AskedAgain => "asked-again",
            Step::Bet2 => "bet2",
            Step::EndsAfterBet1 => "ends-after-bet1",
            Step::OpeningZero => "opening-zero",
            Step::Limits => "limits",
            Step::ShortStack => "short-stack",
            Step::ZeroStack => "zero-stack",
            Step::Places => "places",
            Step::ManyPlayers => "many-players",
            Step::LongLists => "long-lists",
            Step::Split => "split",
            Step::Joined => "joined",
            Step::Folding => "folding",
            Step::Rounds => "rounds",
            Step::Times => "reply-times",
            Step::Refused => "refused",
            Step::SuddenDone => "sudden-done",
            Step::Exits => "exits",
        }
    }

    /// What is tried, in a line.
    pub fn title(self) -> &'static str {
        match self {
            Step::Login => "connects and says who it is",
            Step::LoginAgain => "says the same when it is asked a second time",
            Step::Bet1 => "answers a bet1",
            Step::Status => "listens to every shape of status and does not answer",
            Step::AskedAgain => "is raised after its bet and asked again",
            Step::Bet2 => "answers a bet2",
            Step::EndsAfterBet1 => "goes on after rounds that end with bet1",
            Step::OpeningZero => "opens with nothing to call",
            Step::Limits => "keeps to the exact limits of stack, call and raise",
            Step::ShortStack => "bets no more than a short stack holds",
            Step::ZeroStack => "stays, without being asked, when it has no chips left",
            Step::Places => "finds its own card first, in the middle and last in the list",
            Step::ManyPlayers => "reads a bet1 with 17 players",
            Step::LongLists => "reads a bet2 with 34 cards",
            Step::Split => "puts together a message that comes in pieces",
            Step::Joined => "takes apart two messages that come in one piece",
            Step::Folding => "is raised until it folds, and then waits for the next round",
            Step::Rounds => "plays against house bots without a foul",
            Step::Times => "answers well within the time",
            Step::Refused => "leaves when it is refused at the door",
            Step::SuddenDone => "closes its connection at a sudden done",
            Step::Exits => "ends by itself after done",
        }
    }

    /// What a sound program does here, in a sentence.
    pub fn expects(self) -> &'static str {
        match self {
            Step::Login | Step::LoginAgain => {
                "one message: your GitHubId, one colon and your avatar's name, such as StephenCurry:Steph"
            }
            Step::Status => "nothing: a status wants no answer",
            Step::Times => "99 of 100 replies within half of the time a reply may take",
            Step::Refused => "after done no more messages, and the program ends",
            Step::SuddenDone => "after done no more messages, and the connection is closed",
            Step::Exits => "after done the program ends by itself",
            _ => "one reply to each question and nothing else: fold, or bet: and an allowed amount",
        }
    }

    /// Without these there is no sense in trying this one.
    pub fn needs(self) -> &'static [Step] {
        match self {
            Step::Login => &[],
            Step::LoginAgain | Step::Bet1 | Step::Refused => &[Step::Login],
            Step::LongLists => &[Step::Login, Step::Bet1, Step::Bet2, Step::ManyPlayers],
            Step::Rounds => &[Step::Login, Step::Bet1, Step::Bet2, Step::Status, Step::Joined],
            Step::Times => &[Step::Login, Step::Bet1],
            Step::SuddenDone | Step::Exits => &[Step::Login],
            _ => &[Step::Login, Step::Bet1],
        }
    }

    /// Whether it is about the connection rather than about replies to questions.
    pub fn is_about_connecting(self) -> bool {
        matches!(self, Step::Login | Step::LoginAgain | Step::Refused | Step::SuddenDone | Step::Exits)
    }
}

/// As its [`Step::id`].
impl Serialize for Step {
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
        let ids: BTreeSet<&str> = Step::ALL.iter().map(|step| step.id()).collect();
        assert_eq!(ids.len(), Step::ALL.len());
        for (at, step) in Step::ALL.into_iter().enumerate() {
            assert_eq!(step.number(), at + 1);
            assert!(step.needs().iter().all(|needed| *needed < step), "{step:?}");
        }
    }
}
