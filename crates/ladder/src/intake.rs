//! Taking submissions in.

use std::fs;
use std::io;
use std::path::Path;

use casino_judge::sandbox::copy_handed_in;
use casino_stud::tournament::is_program_name;
use casino_system::files;

use super::workshop::content_digest;
use super::{Ladder, LadderError, NewVersion, PlayerId, VersionId, VersionKind, VersionState};

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
    /// version again returns that version, unless it was refused or set aside: this machine may have been busy.
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
            && matches!(last.state, VersionState::Waiting | VersionState::Ready)
        {
            return Ok(last.id);
        }
        let source = shown_name(handed_in);
        let new = self.submissions().join("new");
        let most = self.settings()?.quotas.submission_bytes.max(bytes);
        let version = NewVersion {
            player,
            kind: VersionKind::Submission,
            source: source.clone(),
            content_sha256: Some(content_sha256.clone()),
            bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
        };
        let folder = self.submissions();
        // Within the transaction, which excludes the other processes that take submissions in.
        self.add_version(&version, now_ms, |id| {
            // A process that died before it wrote its row has left the files.
            let place = folder.join(id.to_string());
            for left in [&new, &place] {
                remove(left).map_err(LadderError::file(left))?;
            }
            let copied = casino_system::folders::create_private(&new)
                .and_then(|()| copy_handed_in(handed_in, &new.join(&source), most))
                .and_then(|()| content_digest(&new.join(&source)));
            if copied.map_err(LadderError::file(handed_in))?.0 != content_sha256 {
                let why = "it changed while it was copied: hand it in again";
                return Err(LadderError::Refused(format!("{}: {why}", handed_in.display())));
            }
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
        let since = self.recent_submissions(player, HOUR_MS, now_ms)?;
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

pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use crate::folder::tests::Scratch;

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
        // One that this machine refused when it was busy can be handed in again.
        ladder.set_checked(first, VersionState::Refused, Some("busy"), Some("busy")).unwrap();
        let second = ladder.take_in(ada, &bot, HandedInBy::Player, 12).unwrap();
        assert_eq!(ladder.version(second).unwrap().label, "Ada/2");
        assert_eq!(fs::read_dir(ladder.submissions()).unwrap().count(), 2, "nothing else is left");
        for number in 0..10 {
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

    /// Two processes take submissions in at the same time.
    #[test]
    fn submissions_of_two_processes_are_not_mixed() {
        let scratch = Scratch::new("intakes");
        let mut ladder = scratch.ladder();
        let ada = ladder.add_player("Ada", Some("ada"), 1).unwrap();
        std::thread::scope(|scope| {
            for process in 0..2 {
                let (folder, bot) = (ladder.folder(), scratch.path().join(format!("bot-{process}")));
                scope.spawn(move || {
                    let mut ladder = Ladder::open(folder).unwrap();
                    for number in 0..20 {
                        fs::create_dir_all(&bot).unwrap();
                        fs::write(bot.join("poker.py"), format!("print({process}{number})")).unwrap();
                        ladder.take_in(ada, &bot, HandedInBy::Teacher, 2).unwrap();
                    }
                });
            }
        });
        let versions = ladder.versions_of(ada).unwrap();
        assert_eq!(versions.len(), 40);
        for version in versions {
            let content = content_digest(&ladder.submission_file(&version)).unwrap().0;
            assert_eq!(Some(content), version.content_sha256);
        }
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
