//! Commands, logins and replies as text with colons, in Java's modified UTF-8.

mod command;
mod login;
pub mod modified_utf8;
mod reply;

pub use command::{
    Command, OwnedQuestion, ParseCommandError, done_text, question_text, status_text, write_done,
    write_login, write_question, write_status,
};
pub use login::{Login, LoginError, LoginKey, MAX_NAME, without_key};
pub use reply::{read_reply, read_stray};

/// The most bytes of a player's message. A reply needs 14, and a login has two names.
pub const MAX_REPLY_BYTES: u16 = 1024;
