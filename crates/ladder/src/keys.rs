//! The keys of personal links.

use sha2::{Digest, Sha256};

use casino_stud::hex::hex;

use super::players::STRANGER;
use super::{Ladder, LadderError, PlayerId, PlayerRecord};

const KEY_BYTES: usize = 16;

pub(crate) fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex(Sha256::digest(bytes))
}

/// A key that the system draws.
pub fn drawn_key() -> Result<String, LadderError> {
    let mut bytes = [0; KEY_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| LadderError::Refused(format!("the system gives no random key: {error}")))?;
    Ok(hex(bytes))
}

impl Ladder {
    /// Gives a player a new key, and returns it: only its SHA-256 is stored. The old key becomes invalid.
    pub fn renew_key(&mut self, player: PlayerId) -> Result<String, LadderError> {
        let key = drawn_key()?;
        self.store_keys(&[(player, key.clone())])?;
        Ok(key)
    }

    /// Stores the SHA-256 of these keys of players, all or none.
    pub fn store_keys(&mut self, keys: &[(PlayerId, String)]) -> Result<(), LadderError> {
        let step = self.begin()?;
        for (player, key) in keys {
            let sql =
                format!("UPDATE players SET key_sha256 = ?2 WHERE id = ?1 AND name NOT LIKE '{STRANGER}%'");
            let changed = step.execute(&sql, (player, sha256(key)))?;
            LadderError::unless_changed(changed, "player", player)?;
        }
        Ok(step.commit()?)
    }

    /// The owner of this key. Digests are compared, so that the time reveals nothing about a key.
    pub fn player_of_key(&self, key: &str) -> Result<Option<PlayerRecord>, LadderError> {
        self.one_player("key_sha256 = ?1", &sha256(key))
    }

    /// Whether a player has a key.
    pub fn has_key(&self, player: PlayerId) -> Result<bool, LadderError> {
        let sql = "SELECT 1 FROM players WHERE id = ?1 AND key_sha256 IS NOT NULL";
        Ok(self.db.prepare(sql)?.exists([player])?)
    }
}

#[cfg(test)]
mod tests {
    use crate::folder::tests::Scratch;

    #[test]
    fn a_key_opens_one_players_place_until_it_is_renewed() {
        let scratch = Scratch::new("keys");
        let mut ladder = scratch.ladder();
        let ada = ladder.add_player("Ada", Some("ada"), 1).unwrap();
        let bob = ladder.add_player("Bob", Some("bob"), 1).unwrap();
        let (first, other) = (ladder.renew_key(ada).unwrap(), ladder.renew_key(bob).unwrap());
        assert_eq!(ladder.player_of_key(&first).unwrap().unwrap().id, ada);
        assert_eq!(ladder.player_of_key(&other).unwrap().unwrap().id, bob);
        let second = ladder.renew_key(ada).unwrap();
        assert!(ladder.player_of_key(&first).unwrap().is_none());
        assert_eq!(ladder.player_of_key(&second).unwrap().unwrap().id, ada);
        let stranger = ladder.free_stranger(|_| false, 2).unwrap().unwrap();
        assert!(ladder.renew_key(stranger).is_err(), "a stranger is whoever comes without a key");
        assert!(ladder.store_keys(&[(ada, "new".to_string()), (stranger, first)]).is_err());
        for key in ["", "0", "new", "' OR 1=1 --"] {
            assert!(ladder.player_of_key(key).unwrap().is_none(), "{key}");
        }
        // The latest writes are in the write-ahead log beside the database.
        let mut files: Vec<_> = std::fs::read_dir(ladder.database().parent().unwrap()).unwrap().collect();
        files.retain(|file| file.as_ref().unwrap().file_type().unwrap().is_file());
        assert!(files.len() > 1, "{files:?}");
        for file in files {
            let raw = std::fs::read(file.unwrap().path()).unwrap();
            assert!(!String::from_utf8_lossy(&raw).contains(&second), "the key itself is kept nowhere");
        }
    }
}
