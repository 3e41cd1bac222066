//! What was bet on the first street of a round.

use crate::stud::Street;
use crate::table::{Answer, Question, Reply, Table, TableEvent};

/// The replies of a first street, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstStreet {
    replies: Vec<Reply>,
    passed: bool,
}

impl FirstStreet {
    /// Begins a round.
    pub(super) fn clear(&mut self) {
        self.replies.clear();
        self.passed = false;
    }

    /// Takes the answer to a question. A foul counts as a fold, which it is at the table of a rating.
    pub(super) fn note(&mut self, question: &Question<'_>, answer: &Answer) {
        if question.street == Street::First {
            let legal = answer.as_ref().ok().filter(|reply| reply.legalise(&question.bounds).is_ok());
            self.replies.push(legal.copied().unwrap_or(Reply::Fold));
        }
    }

    /// Says how the round ended.
    pub(super) fn end(&mut self, table: &Table) {
        let second = |event: &TableEvent| matches!(event, TableEvent::Opened { street: Street::Second, .. });
        self.passed = table.events().iter().any(second);
    }

    /// Whether the round went on to the second street. It does not depend on the second up cards.
    pub(super) fn is_passed(&self) -> bool {
        self.passed
    }

    /// The replies, in order.
    pub(super) fn replies(&self) -> &[Reply] {
        &self.replies
    }
}
