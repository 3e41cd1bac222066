//! Refused logins for the teacher, bounded in number.

use std::net::IpAddr;

use serde::Serialize;

use casino_stud::tournament::as_typed;

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

    /// The rows, the latest first.
    pub(crate) fn rows(&self) -> &[RefusedClient] {
        &self.0
    }
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
