//! What goes over the wire: commands and replies as text with colons, in frames of Java's modified UTF-8.

mod command;
mod frame;
mod login;
pub mod modified_utf8;
mod reply;

pub use command::{
    Command, OwnedQuestion, ParseCommandError, done_text, question_text, status_text, write_done,
    write_login, write_question, write_status,
};
pub use frame::{FrameCodec, FrameError, REPLY_CAP};
pub use login::{Login, LoginError, MAX_NAME};
pub use reply::{read_reply, read_stray};
