//! Refused logins for the teacher, bounded in number.

use std::net::IpAddr;

use serde::Serialize;

use casino_stud::protocol::MAX_NAME;
use casino_stud::tournament::as_typed;

use super::MissingPlayer;

const MAX_REFUSAL_ROWS: usize = 60;

/// Maximum rows of one address. Further ones are counted in one more row.
const MAX_ROWS_PER_ADDRESS: usize = 8;

/// Clients that were refused for the same reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RefusedClient {
    /// The GitHubId that was sent, harmless to look at; nothing if none could be read.
    pub github_id: Option<String>,
    /// The avatar that was sent, harmless to look at; nothing if none could be read.
    pub avatar: Option<String>,
    /// The address it came from.
    pub from: String,
    /// The reason in words.
    pub why: String,
    /// How often it happened.
    pub count: u64,
    /// Whether the roster lacks this GitHubId, and the teacher may let it in.
    pub is_unlisted: bool,
    /// The missing player that this one probably is, if the roster lacks its GitHubId.
    pub near: Option<NearPlayer>,
}

/// A missing player with nearly this GitHubId, or with this name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NearPlayer {
    /// The GitHubId on the roster.
    pub github_id: String,
    /// The name on the roster; the GitHubId if it has none.
    pub name: String,
}

/// The clients that were refused, the latest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct RefusalList(Vec<RefusedClient>);

impl RefusalList {
    pub(crate) fn add(&mut self, login: Option<(&str, &str)>, from: IpAddr, why: &str, is_unlisted: bool) {
        let mut row = RefusedClient {
            github_id: login.map(|(github_id, _)| as_typed(github_id)),
            avatar: login.map(|(_, avatar)| as_typed(avatar)),
            from: from.to_string(),
            why: why.to_string(),
            count: 1,
            // An id with escaped characters cannot be sent back.
            is_unlisted: is_unlisted && login.is_some_and(|(github_id, _)| as_typed(github_id) == github_id),
            near: None,
        };
        let same = |other: &RefusedClient, row: &RefusedClient| {
            (&other.github_id, &other.avatar, &other.from, &other.why)
                == (&row.github_id, &row.avatar, &row.from, &row.why)
        };
        let known = self.0.iter().any(|other| same(other, &row));
        if !known && self.0.iter().filter(|other| other.from == row.from).count() >= MAX_ROWS_PER_ADDRESS {
            let why = "many different clients of this address were refused".to_string();
            row = RefusedClient { github_id: None, avatar: None, why, is_unlisted: false, ..row };
        }
        if let Some(index) = self.0.iter().position(|other| same(other, &row)) {
            row.count += self.0.remove(index).count;
        }
        self.0.insert(0, row);
        self.0.truncate(MAX_REFUSAL_ROWS);
    }

    /// Removes the rows of a player who is let in.
    pub(crate) fn forget(&mut self, github_id: &str) {
        self.0.retain(|row| row.github_id.as_deref() != Some(github_id));
    }

    /// The rows for the teacher: first those that are nearly one of these missing players, then the latest.
    pub(crate) fn rows_beside(&self, missing: &[MissingPlayer]) -> Vec<RefusedClient> {
        let row = |row: &RefusedClient| RefusedClient { near: near(row, missing), ..row.clone() };
        let mut rows: Vec<RefusedClient> = self.0.iter().map(row).collect();
        rows.sort_by_key(|row| row.near.is_none());
        rows
    }

    /// The rows, the latest first.
    #[cfg(test)]
    fn rows(&self) -> &[RefusedClient] {
        &self.0
    }
}

/// The missing player that an unlisted client probably is: the one with the same name, or the only one whose GitHubId
/// differs by a mistake in writing.
fn near(row: &RefusedClient, missing: &[MissingPlayer]) -> Option<NearPlayer> {
    let sent = row.github_id.as_deref().filter(|_| row.is_unlisted)?;
    let plain =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let (id, avatar): (String, String) = (plain(sent), plain(row.avatar.as_deref().unwrap_or_default()));
    let has_name = |player: &&MissingPlayer| !avatar.is_empty() && plain(&player.name) == avatar;
    let only = |mut found: Vec<&MissingPlayer>| found.pop().filter(|_| found.is_empty()).cloned();
    let player = only(missing.iter().filter(has_name).collect()).or_else(|| {
        let mistakes = |player: &MissingPlayer| mistakes_in(&id, &plain(&player.github_id));
        let fewest = missing.iter().filter_map(mistakes).min()?;
        only(missing.iter().filter(|player| mistakes(player) == Some(fewest)).collect())
    })?;
    let name = if player.name.is_empty() { player.github_id.clone() } else { player.name };
    Some(NearPlayer { github_id: player.github_id, name })
}

/// How many letters of one text have to be changed, added or removed for the other: at most two, and at most a third.
fn mistakes_in(one: &str, other: &str) -> Option<usize> {
    const MOST_MISTAKES: usize = 2;
    let (one_length, other_length) = (one.chars().count(), other.chars().count());
    let longest = one_length.max(other_length);
    if one_length.abs_diff(other_length) > MOST_MISTAKES || longest > MAX_NAME {
        return None;
    }
    let mistakes = strsim::levenshtein(one, other);
    (mistakes <= MOST_MISTAKES && longest >= 3 * mistakes).then_some(mistakes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn the_same_refusal_is_counted_and_the_latest_is_first() {
        let mut list = RefusalList::default();
        list.add(Some(("ada", "Ada")), HERE, "no", false);
        list.add(None, HERE, "silent", false);
        list.add(Some(("ada", "Ada")), HERE, "no", false);
        let shown: Vec<(Option<&str>, u64)> =
            list.rows().iter().map(|row| (row.github_id.as_deref(), row.count)).collect();
        assert_eq!(shown, [(Some("ada"), 2), (None, 1)]);
    }

    #[test]
    fn a_flood_from_one_address_does_not_displace_others() {
        let mut list = RefusalList::default();
        list.add(Some(("ada", "Ada")), [10, 0, 0, 7].into(), "no", false);
        for number in 0..1_000 {
            list.add(Some((&format!("id{number}"), "x")), HERE, "no", false);
        }
        assert_eq!(list.rows().len(), MAX_ROWS_PER_ADDRESS + 2);
        assert_eq!(list.rows()[0].count, 1_000 - MAX_ROWS_PER_ADDRESS as u64);
        assert_eq!(list.rows().last().and_then(|row| row.github_id.as_deref()), Some("ada"));
        for number in 0..200u8 {
            list.add(None, [10, 1, 0, number].into(), "no", false);
        }
        assert_eq!(list.rows().len(), MAX_REFUSAL_ROWS);
    }

    #[test]
    fn near_misses_of_missing_players_come_first() {
        let missing = |github_id: &str, name: &str| MissingPlayer {
            github_id: github_id.to_string(),
            name: name.to_string(),
            given_up: false,
            tells_id: false,
        };
        let absent = [
            missing("ada-lovelace", "Ada L"),
            missing("grace-hopper", ""),
            missing("grace-hopper-2", ""),
            missing("li-1", ""),
            missing("li-2", ""),
        ];
        let mut list = RefusalList::default();
        for (github_id, avatar) in [
            ("adalovlace", "x"),
            ("AL-2004", "ada l"),
            ("Grace-Hoper", "x"),
            ("li-3", "both are as near"),
            ("grace-hoppr", "a line that is nearer than another"),
            ("mallory", "nobody is"),
            ("gr", "too short"),
        ] {
            list.add(Some((github_id, avatar)), HERE, "no", true);
        }
        list.add(Some(("ada-lovelace", "x")), HERE, "a second one", false);
        let rows = list.rows_beside(&absent);
        let near: Vec<(&str, &str)> = rows
            .iter()
            .filter_map(|row| Some((row.github_id.as_deref()?, row.near.as_ref()?.github_id.as_str())))
            .collect();
        let expected = [
            ("grace-hoppr", "grace-hopper"),
            ("Grace-Hoper", "grace-hopper"),
            ("AL-2004", "ada-lovelace"),
            ("adalovlace", "ada-lovelace"),
        ];
        assert_eq!(near, expected);
        assert!(rows[..4].iter().all(|row| row.near.is_some()), "they are first");
        assert_eq!(rows[0].near.as_ref().map(|near| near.name.as_str()), Some("grace-hopper"));
        assert_eq!(rows.len(), 8);
    }

    #[test]
    fn refused_logins_are_escaped() {
        let mut list = RefusalList::default();
        list.add(Some(("\u{202e}evil\u{1b}[31m", "<b>\u{0}</b>")), HERE, "no", false);
        let row = &list.rows()[0];
        assert_eq!(row.github_id.as_deref(), Some("\"\\u{202e}evil\\u{1b}[31m\""));
        assert!(row.avatar.as_deref().is_some_and(|avatar| avatar.is_ascii() && !avatar.contains('\0')));
        list.add(Some(("zoë-k", "Zoë 🃏 李明")), HERE, "no", false);
        let row = &list.rows()[0];
        assert_eq!((row.github_id.as_deref(), row.avatar.as_deref()), (Some("zoë-k"), Some("Zoë 🃏 李明")));
        list.forget("zoë-k");
        assert_eq!(list.rows().len(), 1);
    }
}
