//! Who is in the lobby, as the page and the console show it.

use crate::protocol::Login;
use crate::tournament::{Entrant, Roster, harmless};
use crate::web::{ConsoleState, GuestView, Kind, LobbyView, Member};

use super::NewDay;

/// A player who is in the lobby or is expected there.
struct Coming {
    entrant: Entrant,
    /// The name as it was before the teacher gave another one.
    avatar: String,
    kind: Kind,
    is_connected: bool,
}

impl NewDay {
    /// Shows who is in the lobby: the named players and these guests, out of so many.
    pub(super) fn show_lobby(&self, guests: &[Login], wanted: usize) {
        let Some(room) = &self.context.room else { return };
        let coming = self.coming(guests);
        let entrants: Vec<Entrant> = coming.iter().map(|coming| coming.entrant.clone()).collect();
        let roster = Roster::new(&entrants, &self.seed);
        let mut names = vec![String::new(); entrants.len()];
        for (player, index) in roster.players().iter().zip(roster.entrants()) {
            names[*index] = player.name.clone();
        }
        let mut members = Vec::new();
        let mut shown = Vec::new();
        let is_full = entrants.len() >= wanted;
        let mut known = self.console_state().map(ConsoleState::known).unwrap_or_default();
        for (Coming { entrant, avatar, kind, is_connected }, name) in coming.into_iter().zip(names) {
            // A name might be the GitHubId of a player who is not in yet: that can only be known when all are.
            // Until then the page shows enough of it for its owner to know it, and all of a name that it has shown
            // in the tournament before.
            let seen_before = known.remove(&entrant.github_id).is_some_and(|before| before == name);
            let is_safe = is_full || seen_before || kind != Kind::Remote;
            let seen = if is_safe { name.clone() } else { beginning(&name) };
            shown.push(GuestView { name: seen, connected: is_connected, house: kind == Kind::House });
            let avatar = harmless(&avatar).unwrap_or_default();
            members.push(Member { github_id: entrant.github_id, name, avatar, kind });
        }
        let awaited = if is_full { Vec::new() } else { known.into_values().collect() };
        room.show_lobby(LobbyView { wanted, guests: shown, awaited }, members);
    }

    /// All players, those whose programs have not been started among them.
    fn coming(&self, guests: &[Login]) -> Vec<Coming> {
        let house = self
            .new
            .contestants
            .house_bots()
            .iter()
            .map(|(entrant, _)| (entrant.github_id.clone(), entrant.name.clone(), Kind::House, true));
        // Whose program it is will be known when it has logged in.
        let programs = self.new.contestants.programs().iter();
        let programs =
            programs.map(|(name, _)| (format!("program:{name}"), name.clone(), Kind::Started, false));
        let guests = guests.iter();
        let guests = guests.map(|login| (login.github_id.clone(), login.avatar.clone(), Kind::Remote, true));
        let all = house.chain(programs).chain(guests);
        all.map(|(github_id, avatar, kind, is_connected)| {
            let mut entrant = Entrant { github_id, name: avatar.clone() };
            self.rename(&mut entrant);
            Coming { entrant, avatar, kind, is_connected }
        })
        .collect()
    }
}

/// The first half of a name.
fn beginning(name: &str) -> String {
    let length = name.chars().count();
    name.chars().take(length.div_ceil(2).min(6)).chain(['…']).collect()
}
