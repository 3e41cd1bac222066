//! Looking at the page from inside this process.

use std::fmt;
use std::sync::Arc;

use super::hub::Hub;
use super::page::Page;

/// The page of a day as its audience sees it, for whoever draws it elsewhere than in a browser.
#[derive(Clone)]
pub struct Viewer(Arc<Hub>);

impl fmt::Debug for Viewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Viewer")
    }
}

impl Viewer {
    pub(super) fn new(hub: Arc<Hub>) -> Viewer {
        Viewer(hub)
    }

    /// Looks at the page. Nothing on it changes meanwhile: the look should be short.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&Page) -> T) -> T {
        self.0.look(look)
    }
}
