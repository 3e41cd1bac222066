//! Who is in the lobby, as the page and the console show it.

use std::collections::BTreeSet;

use serde::Serialize;

use casino_stud::protocol::Login;
use casino_stud::tournament::{Entrant, Roster, harmless};

use super::NewDay;
use super::console::{LobbyDesk, LobbyTerms, Member, MissingPlayer, PlayerKind};
use super::gather::LobbyCrowd;
use super::reachable::QrCode;

/// The players who have come in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LobbyView {
    /// How many players there will be.
    pub wanted: usize,
    /// Everybody who is in.
    pub guests: Vec<GuestView>,
    /// The names of those who played in the tournament before and are not in yet.
    pub awaited: Vec<String>,
    /// Where programs connect, as it is typed: the best line first.
    pub connect: Vec<String>,
    /// The address of the page itself.
    pub page_url: Option<String>,
    /// The same as a picture for phones; nothing if they cannot reach it.
    pub qr: Option<QrCode>,
    /// What is played when it begins, in words.
    pub next: Option<String>,
    /// Who is missing from the roster, if there is one.
    pub roster: Option<RosterView>,
    /// Whether a tournament that was interrupted is gone on with.
    pub resumed: bool,
}

/// The roster as everybody may see it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RosterView {
    /// The names of those who are not in yet, where the room may see them.
    pub missing: Vec<String>,
}

/// A player in the lobby.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GuestView {
    /// The name everyone sees.
    pub name: String,
    /// Whether the connection stands.
    pub connected: bool,
    /// Whether it is a bot of the house.
    pub house: bool,
}

/// A player who is in the lobby or is expected there.
struct LobbyGuest {
    entrant: Entrant,
    /// The name as it was sent, or named on the command line.
    avatar: String,
    kind: PlayerKind,
    is_connected: bool,
}

impl NewDay {
    /// Shows who is in the lobby: the named players and those who have come, out of so many.
    pub(super) fn show_lobby(&self, crowd: &LobbyCrowd, wanted: usize) {
        let coming = self.coming(&crowd.logins);
        let entrants: Vec<Entrant> = coming.iter().map(|coming| coming.entrant.clone()).collect();
        let seats = Roster::new(&entrants, &self.seed);
        let mut names = vec![String::new(); entrants.len()];
        for (player, index) in seats.players().iter().zip(seats.entrants()) {
            names[*index] = player.name.clone();
        }
        let mut members = Vec::new();
        let mut guests = Vec::new();
        let is_full = entrants.len() >= wanted;
        let mut known = self.context.console.known();
        let listed = self.context.options.roster.as_ref();
        for (LobbyGuest { entrant, avatar, kind, is_connected }, name) in coming.into_iter().zip(names) {
            // A name might be the GitHubId of a player who is not in yet: that can only be known when all are, or
            // by a roster. Until then the page shows enough of it for its owner to know it, and all of a name that
            // it has shown in the tournament before.
            let seen_before = known.remove(&entrant.github_id).is_some_and(|before| before == name);
            let is_safe = match listed {
                Some(roster) => !roster.is_told_by(&name),
                None => is_full || seen_before,
            };
            let seen = if is_safe || kind != PlayerKind::Remote { name.clone() } else { beginning(&name) };
            guests.push(GuestView { name: seen, connected: is_connected, house: kind == PlayerKind::House });
            let avatar = harmless(&avatar).unwrap_or_default();
            members.push(Member { github_id: entrant.github_id, name, avatar, kind });
        }
        let missing = self.missing(&crowd.logins);
        let awaited = if is_full || listed.is_some() { Vec::new() } else { known.into_values().collect() };
        let link = self.context.link.clone();
        let view = LobbyView {
            wanted,
            guests,
            awaited,
            connect: crowd.connect.clone(),
            page_url: link.as_ref().map(|link| link.url.clone()),
            qr: link.and_then(|link| link.qr),
            next: self.new.terms.plan.in_words(wanted.max(members.len())),
            roster: listed.map(|_| RosterView { missing: names_of(&missing) }),
            resumed: false,
        };
        let terms = LobbyTerms {
            wanted,
            fewest: self.new.terms.plan.format.rules().fewest_players,
            has_roster: self.context.options.roster.is_some(),
            resumed: false,
        };
        self.context.show_lobby(view, LobbyDesk { terms, members, missing, awaiting: Vec::new() });
    }

    fn missing(&self, logins: &[Login]) -> Vec<MissingPlayer> {
        let Some(roster) = &self.context.options.roster else { return Vec::new() };
        let inside: BTreeSet<&str> = logins.iter().map(|login| login.github_id.as_str()).collect();
        let is_missing = |github_id: &str| !inside.contains(github_id);
        let missing = roster.players().filter(|(github_id, _)| is_missing(github_id));
        missing
            .map(|(github_id, name)| MissingPlayer {
                github_id: github_id.to_string(),
                name: name.unwrap_or_default().to_string(),
                given_up: false,
            })
            .collect()
    }

    /// The name of somebody who connects: the roster's, or the avatar.
    pub(super) fn name_of(&self, login: &Login) -> String {
        let roster = self.context.options.roster.as_ref();
        let listed = roster.and_then(|roster| roster.name(&login.github_id));
        listed.unwrap_or(&login.avatar).to_string()
    }

    /// All players, those whose programs have not been started among them.
    fn coming(&self, guests: &[Login]) -> Vec<LobbyGuest> {
        let house = self
            .new
            .contestants
            .house_bots()
            .iter()
            .map(|(entrant, _)| (entrant.github_id.clone(), [&entrant.name; 2], PlayerKind::House, true));
        // Whose program it is will be known when it has logged in.
        let programs = self.new.contestants.programs().iter();
        let programs =
            programs.map(|(name, _)| (format!("program:{name}"), [name, name], PlayerKind::Started, false));
        let names = guests.iter().map(|login| self.name_of(login)).collect::<Vec<_>>();
        let guests = guests.iter().zip(&names);
        let guests = guests
            .map(|(login, name)| (login.github_id.clone(), [name, &login.avatar], PlayerKind::Remote, true));
        let all = house.chain(programs).chain(guests);
        all.map(|(github_id, [name, avatar], kind, is_connected)| {
            let (name, avatar) = (name.clone(), avatar.clone());
            let mut entrant = Entrant { github_id, name };
            self.rename(&mut entrant);
            LobbyGuest { entrant, avatar, kind, is_connected }
        })
        .collect()
    }
}

/// The names of those who are missing, as far as the room may see them. Nobody is called by a number: how many there are
/// besides follows from how many are wanted.
fn names_of(missing: &[MissingPlayer]) -> Vec<String> {
    missing.iter().map(|player| player.name.clone()).filter(|name| !name.is_empty()).collect()
}

fn beginning(name: &str) -> String {
    let length = name.chars().count();
    name.chars().take(length.div_ceil(2).min(6)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_called_by_how_many_are_missing() {
        let missing = |name: &str| MissingPlayer {
            github_id: "somebody".to_string(),
            name: name.to_string(),
            given_up: false,
        };
        assert_eq!(names_of(&[missing(""), missing("Ada"), missing("")]), ["Ada"]);
        assert!(names_of(&[missing(""), missing("")]).is_empty());
    }
}
