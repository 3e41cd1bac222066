//! What a viewer in this process looks at.

use casino_stud::replay::TableView;
use casino_stud::tournament::Race;

use super::super::sections::{Ceremony, ExitView};
use super::{NewsItem, Page};

impl Page {
    pub(crate) fn table(&self) -> Option<&TableView> {
        self.table.value.as_ref()
    }

    pub(crate) fn race(&self) -> &Race {
        &self.race.value
    }

    /// The news, the oldest first.
    pub(crate) fn news(&self) -> &[NewsItem] {
        &self.news
    }

    /// The exit that is being looked at.
    pub(crate) fn exit_on_show(&self) -> Option<&ExitView> {
        self.exit.value.as_ref()
    }

    pub(crate) fn ceremony(&self) -> Option<&Ceremony> {
        self.ceremony.value.as_ref()
    }
}
