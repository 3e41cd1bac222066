//! What people have been told already: a warning that comes every day is read by nobody.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use casino_stud::hex::hex;
use sha2::{Digest, Sha256};

/// Whether this user has not seen this text; from now on it has. Without a memory it is always news.
pub(super) fn is_news(text: &str) -> bool {
    memory().is_none_or(|folder| is_news_in(&folder, text))
}

fn is_news_in(folder: &Path, text: &str) -> bool {
    let name = hex(&Sha256::digest(text.as_bytes())[..8]);
    let made =
        fs::create_dir_all(folder).and_then(|()| File::create_new(folder.join(format!("told-{name}"))));
    made.is_ok() || made.is_err_and(|error| error.kind() != io::ErrorKind::AlreadyExists)
}

fn memory() -> Option<PathBuf> {
    let named = |name| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let place = named("XDG_STATE_HOME").or_else(|| named("LOCALAPPDATA"));
    let place = place.or_else(|| env::home_dir().map(|home| home.join(".local/state")));
    place.map(|place| place.join("casino-day"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::scratch::{remove_folder, scratch_folder};

    #[test]
    fn everything_is_told_once_and_always_where_nothing_can_be_remembered() {
        let folder = scratch_folder().unwrap();
        let memory = folder.join("of/mine");
        assert!(is_news_in(&memory, "one"));
        assert!(!is_news_in(&memory, "one"));
        assert!(is_news_in(&memory, "another"));
        fs::write(folder.join("file"), "").unwrap();
        let nowhere = folder.join("file/inner");
        assert!(is_news_in(&nowhere, "one") && is_news_in(&nowhere, "one"));
        remove_folder(Some(&folder));
    }
}
