//! Events of a lobby and reasons of refusal.

use std::fmt;
use std::net::SocketAddr;

use casino_stud::protocol::{Login, LoginError};
use casino_stud::table::{Fault, escape};
use casino_stud::tournament::{EntryError, as_typed};

/// A change in a lobby.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LobbyNews {
    /// A client has logged in.
    Entered(Login),
    /// A client has logged in, and waits until the host has decided about it.
    Waits {
        /// The login it gave.
        login: Login,
        /// The address the client connected from.
        peer: SocketAddr,
    },
    /// A connection was refused.
    Refused {
        /// The address the client connected from.
        peer: SocketAddr,
        /// The login it gave, as far as it could be read.
        login: Option<Login>,
        /// The reason for it.
        why: Refusal,
    },
    /// A client that had logged in disconnected or was sent away.
    Left {
        /// The login it had given.
        login: Login,
        /// The address the client connected from.
        peer: SocketAddr,
        /// The reason for it.
        why: Refusal,
    },
}

/// Why a client is refused or removed. Displayed as the words after "you are not in the game:" for the client;
/// [`Refusal::in_public`] has the text for all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There was no reply to `login`.
    NoLogin(Fault),
    /// The reply to `login` cannot be used.
    BadLogin {
        /// The reply as text, or its first bytes in hexadecimal if it is not text.
        sent: String,
        /// The error in the login.
        error: LoginError,
    },
    /// The second reply to `login` was not the first (R16).
    Changed,
    /// Another client with the same GitHubId is in.
    Inside,
    /// The host refuses this login, in its own words, without any of the program's.
    Unwanted(String),
    /// The host has a roster, and this GitHubId is not on it.
    NotOnRoster {
        /// The GitHubId that was sent.
        sent: String,
        /// The GitHubId of the list that was probably meant.
        near: Option<String>,
    },
    /// The GitHubId has left the game, with the reason sent then, or due when the host died.
    Out(String),
    /// Another address played under this GitHubId before, and the teacher is not there to confirm that it is the same
    /// player.
    Stranger,
    /// The teacher sent it out of the lobby, for this reason.
    SentAway(String),
    /// The teacher sent this GitHubId away from this address; it may come back after this many seconds.
    Barred {
        /// How many seconds are left.
        seconds: u64,
    },
    /// A client that had logged in wrote something or disconnected while it waited.
    Restless(Fault),
    /// Too many clients are connected without having logged in.
    Crowded,
    /// The last place was taken while the client logged in.
    Full,
    /// The game has begun and late entry has ended, for this reason.
    TooLate(EntryError),
}

impl Refusal {
    /// The text of the `done` message for the client that is refused.
    pub fn last_word(&self) -> String {
        match self {
            Refusal::Out(sentence) => sentence.clone(),
            other => format!("You are not in the game: {other}."),
        }
    }

    /// The text without any of the program's words, which may contain a GitHubId.
    pub fn in_public(&self) -> String {
        match self {
            Refusal::BadLogin { error, .. } => format!("its answer to login: {error}"),
            Refusal::NotOnRoster { .. } => "it is not on the roster of this game".to_string(),
            Refusal::Restless(Fault::Stray { .. }) => {
                Refusal::Restless(Fault::Stray { sent: String::new() }).to_string()
            }
            other => other.to_string(),
        }
    }

    /// The text for the teacher's terminal, which also shows the program's words.
    pub fn for_teacher(&self) -> String {
        match self {
            Refusal::NotOnRoster { near: Some(near), .. } => {
                format!("not on the roster, which has {}: it has to be sent exactly so", as_typed(near))
            }
            Refusal::NotOnRoster { near: None, .. } => "not on the roster".to_string(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NoLogin(fault) => write!(f, "your program {fault}"),
            Refusal::BadLogin { sent, error: error @ LoginError::BadText } => {
                write!(f, "your program answered login with the bytes {sent}, but {error}")
            }
            Refusal::BadLogin { sent, error } => {
                write!(f, "your program said it was {}, but {error}", escape(sent))
            }
            Refusal::Changed => write!(f, "the second answer to the same question was another one"),
            Refusal::Inside => write!(f, "a player with this GitHubId has already connected"),
            Refusal::Unwanted(why) => write!(f, "{why}"),
            Refusal::NotOnRoster { sent, near: Some(near) } => write!(
                f,
                "your program sent the GitHubId {}, and the roster of this game has {}: send it exactly as on the \
                 roster",
                escape(sent),
                escape(near)
            ),
            Refusal::NotOnRoster { sent, near: None } => write!(
                f,
                "your program sent the GitHubId {}, which is not on the roster of this game: correct it in your program, \
                 or ask the teacher to add you to the roster",
                escape(sent)
            ),
            Refusal::Out(_) => write!(f, "it has left this game"),
            Refusal::Stranger => write!(
                f,
                "this GitHubId played from another address before the interruption: connect from there, or ask the \
                 teacher to resume with the console, where a new address can be approved, or with --trust-addresses"
            ),
            Refusal::SentAway(why) => write!(f, "the teacher sent you out of the lobby: {}", escape(why)),
            Refusal::Barred { seconds } => write!(
                f,
                "the teacher sent you out of the lobby; this GitHubId may come back from this address in {seconds} s"
            ),
            Refusal::Restless(fault) => {
                write!(f, "your program {fault} while it waited for the game to begin")
            }
            Refusal::Crowded => write!(
                f,
                "too many connected programs have not logged in; connect again in a few seconds, and only once"
            ),
            Refusal::Full => write!(f, "all places are taken"),
            Refusal::TooLate(why) => write!(f, "{why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_clients_words_stay_private() {
        let error = LoginError::NoColon;
        let bad = Refusal::BadLogin { sent: "StephenCurry".to_string(), error };
        assert!(bad.to_string().contains("StephenCurry") && !bad.in_public().contains("StephenCurry"));
        let restless = Refusal::Restless(Fault::Stray { sent: "StephenCurry:Steph".to_string() });
        assert!(restless.to_string().contains("Steph") && !restless.in_public().contains("Steph"));
        let late = Refusal::TooLate(EntryError::TooLate { last_round: 12 });
        assert_eq!(
            late.last_word(),
            "You are not in the game: the game has begun, and its round 12 was the last for late entry."
        );
        assert_eq!(late.in_public(), late.to_string());
    }

    #[test]
    fn a_login_outside_the_roster_gets_a_remedy() {
        let refusal = |near: Option<&str>| Refusal::NotOnRoster {
            sent: "stephencurry".to_string(),
            near: near.map(str::to_string),
        };
        let told = refusal(Some("StephenCurry")).last_word();
        assert!(told.contains("\"stephencurry\"") && told.contains("has \"StephenCurry\": send it exactly"));
        assert!(refusal(None).last_word().contains("ask the teacher to add you to the roster"));
        assert_eq!(refusal(None).for_teacher(), "not on the roster");
        let near = refusal(Some("zoë")).for_teacher();
        assert_eq!(near, "not on the roster, which has zoë: it has to be sent exactly so");
        assert!(!refusal(Some("StephenCurry")).in_public().to_lowercase().contains("curry"));
    }
}
