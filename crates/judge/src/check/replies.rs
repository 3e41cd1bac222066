//! The replies of a program on one connection.

use std::time::Duration;

use casino_stud::table::Reply;

#[derive(Default)]
pub(super) struct OwnReplies {
    /// What it has sent as its login.
    pub(super) name: Option<String>,
    pub(super) answers: usize,
    pub(super) folds: usize,
    pub(super) times: Vec<Duration>,
}

impl OwnReplies {
    pub(super) fn add(&mut self, reply: Reply) {
        self.answers += 1;
        self.folds += usize::from(reply == Reply::Fold);
    }
}
