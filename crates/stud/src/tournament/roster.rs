//! The players and their seats.

use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;

use crate::cards::Seed;
use crate::table::ExitReason;

use super::names::{SecretIds, folded, harmless, reveals_one_of};

/// The origin of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedBy {
    /// The program sent it as its avatar: it is not shown if it tells a GitHubId.
    Program,
    /// The teacher wrote it, in a roster, on the command line or at the console: it is shown unchanged.
    Teacher,
}

/// A prospective player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// The GitHubId. House bots have ids with a colon, which no login can contain.
    pub github_id: String,
    /// The name as it came: an avatar a program sent, or the name of a house bot or a started program.
    pub name: String,
    /// The origin of the name.
    pub named_by: NamedBy,
    /// The n of "Player n", which replaces an unusable name; by default the place among all entrants by GitHubId. It
    /// must be unique.
    pub number: Option<usize>,
}

impl Entrant {
    /// An entrant with the name that its program sent.
    pub fn new(github_id: impl Into<String>, name: impl Into<String>) -> Entrant {
        Entrant { github_id: github_id.into(), name: name.into(), named_by: NamedBy::Program, number: None }
    }

    /// The same under a name of the teacher's.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Entrant {
        Entrant { name: name.into(), named_by: NamedBy::Teacher, ..self }
    }
}

/// A player who is seated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The GitHubId: for the instructor only.
    pub github_id: String,
    /// The public name: harmless, unique at the table, and no GitHubId unless the teacher wrote it.
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
    /// The newcomer with this login among these players, whose names stay: its name is harmless, unlike theirs, and
    /// reveals no GitHubId unless the teacher wrote it.
    pub fn among(players: &[Player], entrant: &Entrant, from: IpAddr) -> Newcomer {
        let ids = players.iter().map(|player| &player.github_id).chain([&entrant.github_id]);
        let secrets = SecretIds::new(ids.filter(|id| !is_house(id)));
        let mut taken: BTreeSet<String> = players.iter().map(|player| folded(&player.name)).collect();
        let (_, wanted) = wanted_name(entrant, players.len(), &secrets);
        let name = unlike_others(&wanted, &mut 0, &mut taken);
        Newcomer { player: Player { github_id: entrant.github_id.clone(), name }, from }
    }
}

/// The public form of a player's last message: quoted text that reveals a GitHubId is left out.
pub fn in_public(exit_reason: &ExitReason, players: &[Player]) -> ExitReason {
    let mut secrets = players.iter().map(|player| &player.github_id).filter(|id| !is_house(id));
    exit_reason.with_fault(|fault| fault.hiding(|sent| reveals_one_of(sent, secrets.by_ref())))
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
    /// The entrants who are called "Player n".
    unnamed: BTreeSet<usize>,
}

impl Roster {
    /// Seats the entrants by the seed (R2): sorted by GitHubId, equal ids by name, then shuffled. The order in
    /// which they came does not count, nor for the names that have to be changed.
    pub fn new(entrants: &[Entrant], seed: &Seed) -> Roster {
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        order.sort_by_key(|&index| (&entrants[index].github_id, &entrants[index].name));
        let (names, unnamed) = shown_names(order.iter().map(|&index| &entrants[index]));
        let unnamed = unnamed.into_iter().map(|place| order[place]).collect();
        let mut seated: Vec<(usize, String)> = order.into_iter().zip(names).collect();
        seed.stream("seats").shuffle(&mut seated);
        let player = |(index, name): &(usize, String)| Player {
            github_id: entrants[*index].github_id.clone(),
            name: name.clone(),
        };
        Roster {
            players: seated.iter().map(player).collect(),
            entrants: seated.into_iter().map(|(index, _)| index).collect(),
            unnamed,
        }
    }

    /// Seats the entrants by the seed, as [`Roster::new`]. What came with each is returned in seat order.
    pub fn seat<T>(coming: impl IntoIterator<Item = (Entrant, T)>, seed: &Seed) -> (Roster, Vec<T>) {
        let (entrants, coming): (Vec<Entrant>, Vec<_>) =
            coming.into_iter().map(|(entrant, its)| (entrant, Some(its))).unzip();
        let (roster, mut coming) = (Roster::new(&entrants, seed), coming);
        let seated = roster.entrants.iter().map(|index| coming[*index].take().expect("each has one seat"));
        let seated = seated.collect();
        (roster, seated)
    }

    /// The players in seat order.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Whether this one of the entrants is called "Player n", because the name that it sent cannot be shown.
    pub fn is_unnamed(&self, entrant: usize) -> bool {
        self.unnamed.contains(&entrant)
    }

    /// For each seat, which of the entrants took it.
    pub fn entrants(&self) -> &[usize] {
        &self.entrants
    }
}

/// In which order names are given out.
const NAMED_BY_TEACHER: u8 = 0;
const UNNAMED: u8 = 1;
const NAMED_BY_PROGRAM: u8 = 2;

/// The public names: made harmless, replaced by "Player n" where nothing is left or a program would reveal a GitHubId,
/// and numbered where they look alike. The teacher's names are assigned first, then those of "Player n", so that no
/// program's name changes one of them. Also returns the owner of each name.
fn shown_names<'a>(entrants: impl Iterator<Item = &'a Entrant> + Clone) -> (Vec<String>, Vec<usize>) {
    let ids = entrants.clone().map(|entrant| &entrant.github_id).filter(|id| !is_house(id));
    let secrets = SecretIds::new(ids);
    let wanted = entrants.enumerate().map(|(index, entrant)| wanted_name(entrant, index, &secrets));
    let wanted: Vec<(u8, String)> = wanted.collect();
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|index| wanted[*index].0);
    let mut taken = BTreeSet::new();
    // How many have each wanted name, or are called as if they had.
    let mut copies: HashMap<&str, usize> = HashMap::new();
    let mut names = vec![String::new(); wanted.len()];
    for index in order {
        let wanted = wanted[index].1.as_str();
        let copy = copies.entry(wanted).or_default();
        names[index] = unlike_others(wanted, copy, &mut taken);
    }
    let unnamed = (0..wanted.len()).filter(|index| wanted[*index].0 == UNNAMED).collect();
    (names, unnamed)
}

/// An entrant's desired name, made harmless, and the order in which it is assigned; "Player n" where nothing is left or
/// a program would reveal a GitHubId.
fn wanted_name(entrant: &Entrant, index: usize, secrets: &SecretIds) -> (u8, String) {
    let is_told = |text: &str| secrets.are_revealed_by(text);
    match (entrant.named_by, harmless(&entrant.name)) {
        (NamedBy::Teacher, Some(name)) => (NAMED_BY_TEACHER, name),
        (NamedBy::Program, Some(name)) if !is_told(&name) && !is_told(&entrant.name) => {
            (NAMED_BY_PROGRAM, name)
        }
        _ => (UNNAMED, format!("Player {}", entrant.number.unwrap_or(index + 1))),
    }
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
        Entrant::new(github_id, name)
    }

    /// The names by GitHubId.
    fn names(entrants: &[Entrant]) -> HashMap<String, String> {
        let roster = Roster::new(entrants, &Seed::chosen("names"));
        roster.players().iter().map(|player| (player.github_id.clone(), player.name.clone())).collect()
    }

    #[test]
    fn names_written_by_the_teacher_are_shown_unchanged() {
        let names = names(&[
            entrant("ada-lovelace", "ada-lovelace").named("Ada-Lovelace (3b)"),
            entrant("bob", "Steph"),
            entrant("cyd", "cyd").named("Steph"),
            entrant("dee", "dee").named("\u{1b}Dee\u{202e}"),
            entrant("eve", "x").named("\u{200b}"),
            entrant("zoe", "ada-lovelace"),
        ]);
        assert_eq!(names["ada-lovelace"], "Ada-Lovelace (3b)");
        assert_eq!(names["cyd"], "Steph", "the teacher's name stays whole");
        assert_eq!(names["bob"], "Steph 2", "and the program's gets the number");
        assert_eq!(names["dee"], "Dee", "it is made harmless");
        assert_eq!((names["eve"].as_str(), names["zoe"].as_str()), ("Player 5", "Player 6"));
    }

    #[test]
    fn a_number_stays_with_its_player() {
        let numbered = |id: &str, number| Entrant { number: Some(number), ..entrant(id, id) };
        let first = names(&[numbered("mia", 1)]);
        let all =
            [numbered("mia", 1), numbered("ada", 2), entrant("abe", "Player 1"), entrant("bo", "Player 2")];
        let later = names(&all);
        assert_eq!((first["mia"].as_str(), later["mia"].as_str()), ("Player 1", "Player 1"));
        assert_eq!(later["ada"], "Player 2");
        assert_eq!((later["abe"].as_str(), later["bo"].as_str()), ("Player 1 2", "Player 2 2"));
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
        let (seated, ids) =
            Roster::seat(entrants.iter().map(|entrant| (entrant.clone(), &entrant.github_id)), &seed);
        assert_eq!(seated, Roster::new(&entrants, &seed));
        assert!(seated.players().iter().zip(ids).all(|(player, id)| player.github_id == *id));
    }

    #[test]
    fn newcomers_get_a_unique_name_without_an_id() {
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
    fn names_sent_by_programs_are_shown_unless_they_reveal_an_id() {
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
