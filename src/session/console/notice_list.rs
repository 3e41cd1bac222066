//! Notices about the day itself, until they are replaced or no longer true.

const MAX_NOTICES: usize = 20;

/// What a notice is about, if a later one on the same replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NoticeKind {
    /// The file of the roster was read again.
    RosterRead,
    /// The file of the roster cannot be used.
    RosterError,
    /// A substitute of this name does not play.
    StaysOut(String),
    /// What was decided in a lobby that was interrupted holds again.
    Restored,
    /// The length of the tournament that is about to begin.
    Length,
}

/// The notices, the oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoticeList(Vec<(Option<NoticeKind>, String)>);

impl NoticeList {
    /// Adds a notice, in place of the last one of its kind. Without a kind each sentence is there once.
    pub(super) fn add(&mut self, kind: Option<NoticeKind>, sentence: String) {
        match &kind {
            Some(kind) => self.forget(kind),
            None if self.0.iter().any(|(_, other)| *other == sentence) => return,
            None => {}
        }
        if self.0.len() == MAX_NOTICES {
            self.0.remove(0);
        }
        self.0.push((kind, sentence));
    }

    /// The reason for notices of this kind is gone.
    pub(super) fn forget(&mut self, kind: &NoticeKind) {
        self.0.retain(|(other, _)| other.as_ref() != Some(kind));
    }

    /// A tournament begins: the lobby and its roster are read no more.
    pub(super) fn begin(&mut self) {
        self.forget(&NoticeKind::RosterRead);
        self.forget(&NoticeKind::Restored);
    }

    /// Another tournament is next: what was about the players and the length of the last one is no longer true.
    pub(super) fn begin_next(&mut self) {
        self.0.retain(|(kind, _)| !matches!(kind, Some(NoticeKind::StaysOut(_) | NoticeKind::Length)));
    }

    pub(crate) fn sentences(&self) -> Vec<String> {
        self.0.iter().map(|(_, sentence)| sentence.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_replaces_those_of_its_kind_and_goes_with_its_reason() {
        let mut notices = NoticeList::default();
        let mut add = |kind: Option<NoticeKind>, sentence: &str| {
            notices.add(kind, sentence.to_string());
            notices.sentences().join(" ")
        };
        assert_eq!(add(None, "late"), "late");
        assert_eq!(add(None, "late"), "late");
        assert_eq!(add(Some(NoticeKind::RosterError), "line 2"), "late line 2");
        assert_eq!(add(Some(NoticeKind::RosterError), "line 3"), "late line 3");
        assert_eq!(add(Some(NoticeKind::RosterRead), "28"), "late line 3 28");
        notices.forget(&NoticeKind::RosterError);
        notices.add(Some(NoticeKind::StaysOut("ada".to_string())), "ada".to_string());
        notices.add(Some(NoticeKind::StaysOut("bob".to_string())), "bob".to_string());
        assert_eq!(notices.sentences(), ["late", "28", "ada", "bob"]);
        notices.begin();
        assert_eq!(notices.sentences(), ["late", "ada", "bob"]);
        notices.begin_next();
        assert_eq!(notices.sentences(), ["late"]);
        (0..2 * MAX_NOTICES).for_each(|number| notices.add(None, number.to_string()));
        assert_eq!(notices.sentences().len(), MAX_NOTICES);
    }
}
