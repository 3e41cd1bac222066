//! The players and their seats.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;

use crate::cards::Seed;
use crate::table::ExitReason;

use super::names::{SecretIds, folded, harmless, tells_one_of};

/// Somebody who wants to play, as they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// The GitHubId. House bots have ids with a colon, which no login can contain.
    pub github_id: String,
    /// The name as it came: an avatar a program sent, or the name of a house bot or a started program.
    pub name: String,
}

/// A player who is seated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The GitHubId: for the instructor only.
    pub github_id: String,
    /// The name everyone sees: harmless, unlike any other at the table, and nobody's GitHubId.
    pub name: String,
}

/// A player who comes in after the beginning, as a program that connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Newcomer {
    /// The player.
    pub player: Player,
    /// The address its program connected from.
    pub from: IpAddr,
}

impl Newcomer {
    /// The newcomer of this login among these players, none of whom changes: its name is harmless, unlike theirs, and tells
    /// nobody's GitHubId.
    pub fn among(players: &[Player], entrant: &Entrant, from: IpAddr) -> Newcomer {
        let ids = players.iter().map(|player| &player.github_id).chain([&entrant.github_id]);
        let secrets = SecretIds::new(ids.filter(|id| !is_house(id)));
        let mut taken: BTreeSet<String> = players.iter().map(|player| folded(&player.name)).collect();
        let wanted = wanted_name(entrant, players.len(), &secrets);
        let name = unlike_others(&wanted, &mut 0, &mut taken);
        Newcomer { player: Player { github_id: entrant.github_id.clone(), name }, from }
    }
}

/// The last word to a player as everybody may read it: what a program sent stays out of it where it tells a
/// GitHubId.
pub fn in_public(exit_reason: &ExitReason, players: &[Player]) -> ExitReason {
    let mut secrets = players.iter().map(|player| &player.github_id).filter(|id| !is_house(id));
    exit_reason.hiding(|sent| tells_one_of(sent, secrets.by_ref()))
}

/// House bots have ids with a colon, which no login can contain, and which are no secret.
fn is_house(github_id: &str) -> bool {
    github_id.contains(':')
}

/// The players of a tournament in seat order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roster {
    players: Vec<Player>,
    /// For each seat, which of the entrants took it.
    entrants: Vec<usize>,
}

impl Roster {
    /// Seats the entrants by the seed (R2): sorted by GitHubId, equal ids by name, then shuffled. The order in
    /// which they came does not count, nor for the names that have to be changed.
    pub fn new(entrants: &[Entrant], seed: &Seed) -> Roster {
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        order.sort_by_key(|&index| (&entrants[index].github_id, &entrants[index].name));
        let names = shown_names(order.iter().map(|&index| &entrants[index]));
        let mut seated: Vec<(usize, String)> = order.into_iter().zip(names).collect();
        seed.stream("seats").shuffle(&mut seated);
        let player = |(index, name): &(usize, String)| Player {
            github_id: entrants[*index].github_id.clone(),
            name: name.clone(),
        };
        Roster {
            players: seated.iter().map(player).collect(),
            entrants: seated.into_iter().map(|(index, _)| index).collect(),
        }
    }

    /// The players in seat order.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// For each seat, which of the entrants took it.
    pub fn entrants(&self) -> &[usize] {
        &self.entrants
    }
}

/// The names to show: made harmless, replaced by "Player n" where nothing is left or somebody's GitHubId would
/// be told, and numbered where people could take one for another.
fn shown_names<'a>(entrants: impl Iterator<Item = &'a Entrant> + Clone) -> Vec<String> {
    let ids = entrants.clone().map(|entrant| &entrant.github_id).filter(|id| !is_house(id));
    let secrets = SecretIds::new(ids);
    let mut taken = BTreeSet::new();
    // How many have each wanted name, or are called as if they had.
    let mut copies: HashMap<String, usize> = HashMap::new();
    let mut names = Vec::new();
    for (index, entrant) in entrants.enumerate() {
        let wanted = wanted_name(entrant, index, &secrets);
        let copy = copies.entry(wanted.clone()).or_default();
        names.push(unlike_others(&wanted, copy, &mut taken));
    }
    names
}

/// The name an entrant wants, made harmless; "Player n" where nothing is left or somebody's GitHubId would be told.
fn wanted_name(entrant: &Entrant, index: usize, secrets: &SecretIds) -> String {
    harmless(&entrant.name)
        .filter(|name| !secrets.are_told_by(name) && !secrets.are_told_by(&entrant.name))
        .unwrap_or_else(|| format!("Player {}", index + 1))
}

/// The name, numbered if it or one like it is taken; so many copies of it have been given.
fn unlike_others(wanted: &str, copy: &mut usize, taken: &mut BTreeSet<String>) -> String {
    loop {
        *copy += 1;
        let name = if *copy == 1 { wanted.to_string() } else { format!("{wanted} {copy}") };
        if taken.insert(folded(&name)) {
            return name;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Fault, Foul};

    fn entrant(github_id: &str, name: &str) -> Entrant {
        Entrant { github_id: github_id.to_string(), name: name.to_string() }
    }

    #[test]
    fn seats_and_names_do_not_depend_on_the_order_of_arrival() {
        let mut entrants: Vec<Entrant> =
            ["ada", "bob", "cyd", "dee", "eve", "fay"].map(|id| entrant(id, "Steph")).to_vec();
        let seed = Seed::chosen("seats");
        let first = Roster::new(&entrants, &seed);
        for turn in 0..6 {
            entrants.rotate_left(turn);
            let again = Roster::new(&entrants, &seed);
            assert_eq!(again.players(), first.players());
            for (seat, index) in again.entrants().iter().enumerate() {
                assert_eq!(entrants[*index].github_id, again.players()[seat].github_id);
            }
        }
        let names: BTreeSet<&str> = first.players().iter().map(|player| player.name.as_str()).collect();
        assert_eq!(
            names.into_iter().collect::<Vec<_>>(),
            ["Steph", "Steph 2", "Steph 3", "Steph 4", "Steph 5", "Steph 6"]
        );
        assert_ne!(Roster::new(&entrants, &Seed::chosen("other")).players(), first.players());
    }

    #[test]
    fn a_newcomer_has_a_name_of_its_own_that_tells_no_id() {
        let players = ["Steph", "STEPH 2", "Player 4"]
            .map(|name| Player { github_id: format!("id-{name}"), name: name.to_string() });
        let from = IpAddr::from([192, 0, 2, 7]);
        let name = |id: &str, name: &str| Newcomer::among(&players, &entrant(id, name), from).player.name;
        assert_eq!(name("late", "Ada"), "Ada");
        assert_eq!(name("late", "Steph"), "Steph 3");
        assert_eq!(name("late-comer", "Late Comer"), "Player 4 2");
        assert_eq!(name("late", "id-steph!"), "Player 4 2");
    }

    #[test]
    fn no_github_id_is_shown() {
        let entrants = [
            entrant("StephenCurry", "Steph"),
            entrant("octo-cat", "stephencurry"),
            entrant("own", "OWN"),
            entrant("blank", "\u{200b}"),
            entrant("house:bold", "bold"),
            entrant("tattler", "it is Stephen-Curry!"),
            entrant("thirty-nine-letters-are-a-whole-githubid", "whole"),
            entrant("zealous", "thirty-nine letters are a whole GitHubId"),
        ];
        let roster = Roster::new(&entrants, &Seed::chosen("x"));
        let name_of = |id: &str| roster.players().iter().find(|p| p.github_id == id).unwrap().name.clone();
        assert_eq!(name_of("StephenCurry"), "Steph");
        assert_eq!(name_of("tattler"), "Player 6");
        assert_eq!(name_of("zealous"), "Player 8");
        assert_eq!(name_of("octo-cat"), "Player 4");
        assert_eq!(name_of("own"), "Player 5");
        assert_eq!(name_of("blank"), "Player 2");
        assert_eq!(name_of("house:bold"), "bold");
    }

    #[test]
    fn what_a_program_sent_is_shown_unless_it_tells_an_id() {
        let players = ["house:bold", "StephenCurry"]
            .map(|id| Player { github_id: id.to_string(), name: "x".to_string() });
        let shown = |sent: &str| {
            let fault = Fault::Malformed { sent: sent.to_string() };
            in_public(&ExitReason::Foul(Foul::Fault { fault, allowed: None }), &players).to_string()
        };
        assert!(shown("house:bold").contains("\"house:bold\""));
        let hidden = shown("stephencurry:Steph");
        assert!(!hidden.to_lowercase().contains("stephen") && hidden.contains("not shown"), "{hidden}");
    }
}
