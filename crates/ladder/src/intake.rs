//! Taking submissions in.

use std::fs;
use std::io;
use std::path::Path;

use casino_judge::sandbox::copy_handed_in;
use casino_stud::tournament::is_program_name;
use casino_system::files;

use super::workshop::content_digest;
use super::{Ladder, LadderError, NewVersion, PlayerId, VersionId, VersionKind};

const HOUR_MS: i64 = 3_600_000;

/// The submitter of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandedInBy {
    /// The player: the quotas count.
    Player,
    /// The teacher: they do not.
    Teacher,
}

impl Ladder {
    /// Accepts a submission at this path, a folder or an archive, as the newest version of a player. It waits to be
    /// checked. Links in a folder stay links, and nothing follows them outside the sandbox. Submitting the newest
    /// version again returns that version.
    pub fn take_in(
        &mut self,
        player: PlayerId,
        handed_in: &Path,
        by: HandedInBy,
        now_ms: i64,
    ) -> Result<VersionId, LadderError> {
        let (content_sha256, bytes) = content_digest(handed_in).map_err(LadderError::file(handed_in))?;
        self.may_hand_in(player, bytes, by, now_ms)?;
        if let Some(last) = self.versions_of(player)?.pop()
            && last.content_sha256.as_ref() == Some(&content_sha256)
        {
            return Ok(last.id);
        }
        let source = shown_name(handed_in);
        let new = self.submissions().join("new");
        remove(&new).map_err(LadderError::file(&new))?;
        let most = self.settings()?.quotas.submission_bytes;
        let copied = casino_system::folders::create_private(&new)
            .and_then(|()| copy_handed_in(handed_in, &new.join(&source), most.max(bytes)))
            .and_then(|()| content_digest(&new.join(&source)));
        let copied = copied.map_err(LadderError::file(handed_in)).and_then(|(sha256, _)| {
            let changed = || {
                let why = "it changed while it was copied: hand it in again";
                LadderError::Refused(format!("{}: {why}", handed_in.display()))
            };
            (sha256 == content_sha256).then_some(()).ok_or_else(changed)
        });
        if let Err(error) = copied {
            // A leftover does no harm and is removed with the next submission.
            let _ = remove(&new);
            return Err(error);
        }
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let kind = VersionKind::Submission;
        let version = NewVersion { player, kind, source, content_sha256: Some(content_sha256), bytes };
        let folder = self.submissions();
        self.add_version(&version, now_ms, |id| {
            let place = folder.join(id.to_string());
            // A process that died before it wrote its row has left the files.
            remove(&place).map_err(LadderError::file(&place))?;
            fs::rename(&new, &place).map_err(LadderError::file(&place))?;
            files::sync_names(&place).map_err(LadderError::file(&place))
        })
    }

    /// Whether a submission of so many bytes may come in.
    pub fn may_hand_in(
        &self,
        player: PlayerId,
        bytes: u64,
        by: HandedInBy,
        now_ms: i64,
    ) -> Result<(), LadderError> {
        let settings = self.settings()?;
        self.check_room(&settings)?;
        if by == HandedInBy::Teacher {
            return Ok(());
        }
        let refused = |why: String| Err(LadderError::Refused(why));
        if self.player(player)?.retired_ms.is_some() {
            return refused("this player is retired: ask the teacher".to_string());
        }
        if settings.is_frozen {
            return refused("the ladder is frozen: nothing is taken any more".to_string());
        }
        let quotas = settings.quotas;
        if bytes > quotas.submission_bytes {
            return refused(format!(
                "it has {bytes} bytes and may have {}: hand in the sources alone",
                quotas.submission_bytes
            ));
        }
        let since = self.submissions_since(player, now_ms - HOUR_MS)?;
        if since >= quotas.submissions_an_hour {
            return refused(format!(
                "{since} submissions came in the last hour, and {} are allowed: try again later",
                quotas.submissions_an_hour
            ));
        }
        Ok(())
    }
}

/// The name of a submission, made safe as a file name.
fn shown_name(handed_in: &Path) -> String {
    let name = handed_in.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_harmless = |name: &str| is_program_name(&name.replace('.', "-")) && !name.starts_with(['.', '-']);
    if is_harmless(name) { name.to_string() } else { "submission".to_string() }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::tests::Scratch;
    use crate::{Settings, VersionState};

    #[test]
    fn submissions_are_stored_unchanged_within_the_quotas() {
        let scratch = Scratch::new("intake");
        let mut ladder = scratch.ladder();
        let ada = ladder.add_player("Ada", Some("ada"), 1).unwrap();
        let bot = scratch.path().join("my bot");
        fs::create_dir_all(bot.join("src")).unwrap();
        fs::write(bot.join("src/poker.py"), "print(1)").unwrap();
        let first = ladder.take_in(ada, &bot, HandedInBy::Player, 10).unwrap();
        assert_eq!(ladder.take_in(ada, &bot, HandedInBy::Player, 11).unwrap(), first, "nothing has changed");
        let version = ladder.version(first).unwrap();
        assert_eq!((version.state, version.source.as_str()), (VersionState::Waiting, "submission"));
        let kept = ladder.submission_file(&version).join("src/poker.py");
        assert_eq!(fs::read_to_string(kept).unwrap(), "print(1)");
        assert_eq!(
            content_digest(&ladder.submission_file(&version)).unwrap().0,
            version.content_sha256.unwrap()
        );
        for number in 0..11 {
            fs::write(bot.join("src/poker.py"), format!("print({number}0)")).unwrap();
            ladder.take_in(ada, &bot, HandedInBy::Player, 20 + number).unwrap();
        }
        fs::write(bot.join("src/poker.py"), "print(99)").unwrap();
        let refused = ladder.take_in(ada, &bot, HandedInBy::Player, 50).unwrap_err().to_string();
        assert!(refused.contains("12 submissions"), "{refused}");
        ladder.take_in(ada, &bot, HandedInBy::Teacher, 50).unwrap();
        fs::write(bot.join("src/poker.py"), "print(100)").unwrap();
        ladder.take_in(ada, &bot, HandedInBy::Player, 50 + HOUR_MS).unwrap();
        ladder.set_settings(&Settings { is_frozen: true, ..Settings::default() }).unwrap();
        fs::write(bot.join("src/poker.py"), "print(101)").unwrap();
        assert!(ladder.take_in(ada, &bot, HandedInBy::Player, 3 * HOUR_MS).is_err());
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for name in ["../../x", "..", ".", ".ssh", "a\u{202e}b", "-rf", ""] {
            let shown = shown_name(Path::new(name));
            assert!(
                !shown.starts_with('.') && !shown.starts_with('-') && !shown.contains('/'),
                "{name}: {shown}"
            );
        }
        assert_eq!(shown_name(Path::new("/x/bot-1.tar.gz")), "bot-1.tar.gz");
    }
}
