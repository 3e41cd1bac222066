//! The lobby for the page and the console.

use std::collections::BTreeSet;

use casino_show::state::{GuestView, LobbyView, RosterView};
use casino_stud::journal::PlayerSource;
use casino_stud::protocol::Login;
use casino_stud::tournament::{Entrant, NamedBy, Roster, SecretIds, harmless};

use super::NewDay;
use super::console::{LobbyFeed, LobbyTerms, Member, MissingPlayer};
use super::gather::LobbyCrowd;
use super::substitutes::{has_substitute, substitutes_for};

/// A player who is in the lobby or is expected there.
struct LobbyGuest {
    entrant: Entrant,
    /// The name as it was sent, or named on the command line.
    avatar: String,
    plays: PlayerSource,
    is_connected: bool,
}

impl NewDay {
    /// Shows who is in the lobby: the named players and those who have come, out of so many.
    pub(super) fn show_lobby(&self, crowd: &LobbyCrowd, wanted: usize) {
        let room = wanted + self.context.console.chairs().count() - self.chairs_of_the_named();
        let wanted = if self.context.options.is_open { 0 } else { room };
        let coming = self.coming(&crowd.logins);
        let entrants: Vec<Entrant> = coming.iter().map(|coming| coming.entrant.clone()).collect();
        let seats = Roster::new(&entrants, &self.seed);
        let mut names = vec![String::new(); entrants.len()];
        for (player, &index) in seats.players().iter().zip(seats.entrants()) {
            // Numbers are assigned with the seats: before, they would change with each arrival.
            let has_none = seats.is_unnamed(index) && entrants[index].number.is_none();
            names[index] = if has_none { "Player ?".to_string() } else { player.name.clone() };
        }
        let secrets = self.secrets(&crowd.logins);
        let mut members = Vec::new();
        let mut guests = Vec::new();
        let is_full = entrants.len() >= room;
        let mut known = self.context.console.known_players();
        let roster = self.context.console.roster();
        let listed = roster.as_deref();
        for (LobbyGuest { entrant, avatar, plays, is_connected }, name) in coming.into_iter().zip(names) {
            // A name might be the GitHubId of a player who is not in yet: that can only be known when all are, or
            // by a roster. Until then the page shows enough of it for its owner to know it, and all of a name that
            // it has shown in the tournament before. Where nobody is expected, nobody is missing.
            let seen_before = known.remove(&entrant.github_id).is_some_and(|before| before == name);
            let is_safe = match listed {
                Some(roster) => !roster.is_revealed_by(&name),
                None => is_full || seen_before || self.context.options.is_open,
            };
            let is_teachers = entrant.named_by == NamedBy::Teacher;
            let seen = if is_safe || is_teachers { name.clone() } else { beginning(&name) };
            let rank = self.new.ladder.iter().find(|player| player.github_id == entrant.github_id);
            guests.push(GuestView {
                name: seen,
                connected: is_connected,
                house: plays.is_house(),
                rank: rank.and_then(|player| player.rank),
            });
            let avatar = harmless(&avatar).unwrap_or_default();
            let tells_id = secrets.are_revealed_by(&name);
            members.push(Member { github_id: entrant.github_id, name, avatar, plays, tells_id });
        }
        let missing = self.missing(&crowd.logins);
        let awaited = if is_full || listed.is_some() { Vec::new() } else { known.into_values().collect() };
        let link = self.context.link();
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
            occasion: self.new.occasion.clone(),
            next_steps: self.new.next_steps.clone(),
        };
        let terms = LobbyTerms {
            wanted,
            room,
            has_roster: listed.is_some(),
            resumed: false,
            late_entry: self.new.terms.plan.late_entry,
        };
        self.context.show_lobby(view, LobbyFeed { terms, members, missing, awaiting: Vec::new() });
    }

    /// How many chairs are those of people who were named from the beginning.
    fn chairs_of_the_named(&self) -> usize {
        self.new.local_players.people().len()
    }

    /// The GitHubIds of those who are in and of those who may come in.
    fn secrets(&self, logins: &[Login]) -> SecretIds {
        let roster = self.context.console.roster();
        let listed = roster.iter().flat_map(|roster| roster.players().map(|(id, _)| id));
        let mut secrets = SecretIds::default();
        listed.chain(logins.iter().map(|login| login.github_id.as_str())).for_each(|id| secrets.add(id));
        secrets
    }

    fn missing(&self, logins: &[Login]) -> Vec<MissingPlayer> {
        let Some(roster) = self.context.console.roster() else { return Vec::new() };
        let inside: BTreeSet<&str> = logins.iter().map(|login| login.github_id.as_str()).collect();
        let is_missing =
            |github_id: &str| !inside.contains(github_id) && !has_substitute(&self.new.ladder, github_id);
        let missing = roster.players().filter(|(github_id, _)| is_missing(github_id));
        missing
            .map(|(github_id, name)| MissingPlayer {
                github_id: github_id.to_string(),
                name: name.unwrap_or_default().to_string(),
                given_up: false,
                tells_id: name.is_some_and(|name| roster.is_revealed_by(name)),
            })
            .collect()
    }

    /// A connecting player, with the roster's name or the avatar, and the number of its GitHubId.
    pub(super) fn guest(&self, login: &Login) -> Entrant {
        let id = login.github_id.as_str();
        let came = Entrant { number: self.context.console.number_of(id), ..Entrant::new(id, &login.avatar) };
        match self.context.console.roster().as_ref().and_then(|roster| roster.name(id)) {
            Some(name) => came.named(name),
            None => came,
        }
    }

    /// All players, those whose programs have not been started among them.
    fn coming(&self, guests: &[Login]) -> Vec<LobbyGuest> {
        let house = self.new.local_players.house_bots().iter().map(|(entrant, bot)| {
            (entrant.clone(), entrant.name.clone(), PlayerSource::House(bot.name.to_string()), true)
        });
        // The program's player is unknown until it logs in.
        let named = |name: &String| Entrant::new(format!("program:{name}"), "").named(name);
        let programs = self.new.local_players.programs().iter();
        let started = |entrant: Entrant, name: &str, command: &str| {
            let plays = PlayerSource::Program { name: name.to_string(), command: command.to_string() };
            (entrant, name.to_string(), plays, false)
        };
        let programs = programs.map(|(name, command)| started(named(name), name, command));
        let substitutes = substitutes_for(&self.new.ladder, guests)
            .map(|(player, substitute)| started(player.entrant(), &substitute.program, &substitute.command));
        let people = self.new.local_players.people().iter().cloned();
        let people = people.chain(self.context.console.chairs().people());
        let people = people.map(|entrant| (entrant.clone(), entrant.name, PlayerSource::Person, true));
        let guests =
            guests.iter().map(|login| (self.guest(login), login.avatar.clone(), PlayerSource::Remote, true));
        let all = house.chain(programs).chain(substitutes).chain(people).chain(guests);
        all.map(|(mut entrant, avatar, plays, is_connected)| {
            self.rename(&mut entrant);
            LobbyGuest { entrant, avatar, plays, is_connected }
        })
        .collect()
    }
}

/// The names of missing players, as far as they are public. Players without one are counted, not listed.
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
    fn missing_player_counts_name_no_player() {
        let missing = |name: &str| MissingPlayer {
            github_id: "somebody".to_string(),
            name: name.to_string(),
            given_up: false,
            tells_id: false,
        };
        assert_eq!(names_of(&[missing(""), missing("Ada"), missing("")]), ["Ada"]);
        assert!(names_of(&[missing(""), missing("")]).is_empty());
    }
}
