//! The players that are named in advance: house bots and programs.

use std::collections::{BTreeMap, BTreeSet};

use casino_stud::strategies::HouseBot;
use casino_stud::tournament::Entrant;

use super::{Spec, SpecError};

/// The house bots and programs of a tournament.
#[derive(Clone, Debug, Default)]
pub struct LocalPlayers {
    house: Vec<(Entrant, &'static HouseBot)>,
    programs: Vec<(String, String)>,
    people: Vec<Entrant>,
}

impl LocalPlayers {
    /// Collects the players of these specs. House bots of a kind are numbered if there are several.
    pub fn new(specs: &[Spec]) -> Result<LocalPlayers, SpecError> {
        let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
        for spec in specs {
            if let Spec::House { bot, count } = spec {
                *totals.entry(bot.name).or_default() += count;
            }
        }
        let mut local_players = LocalPlayers::default();
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        let mut names = BTreeSet::new();
        for spec in specs {
            match spec {
                Spec::House { bot, count } => {
                    for _ in 0..*count {
                        let number = numbers.entry(bot.name).or_default();
                        *number += 1;
                        let name = match totals[bot.name] {
                            1 => bot.name.to_string(),
                            _ => format!("{}-{number}", bot.name),
                        };
                        // No login can contain a colon, so no player can impersonate a house bot.
                        let entrant = Entrant::new(format!("house:{name}"), "").named(name);
                        local_players.house.push((entrant, bot));
                    }
                }
                Spec::Program { name, command } => {
                    if !names.insert(name) {
                        return Err(SpecError::new(format!(
                            "two programs are named {name}: give each a name of its own"
                        )));
                    }
                    local_players.programs.push((name.clone(), command.clone()));
                }
                Spec::Place { name, path } => {
                    return Err(SpecError::new(format!(
                        "{name} is the folder or file {}, which has to be made into a command line first",
                        path.display()
                    )));
                }
            }
        }
        Ok(local_players)
    }

    /// The same, and a person of this name at a chair.
    #[must_use]
    pub fn with_person(mut self, name: &str) -> LocalPlayers {
        // A colon, which no login can contain.
        self.people.push(Entrant::new(format!("person:{name}"), "").named(name));
        self
    }

    /// Returns how many players there are.
    pub fn len(&self) -> usize {
        self.house.len() + self.programs.len() + self.people.len()
    }

    /// Returns whether there are no players.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether all players are house bots.
    pub fn are_house_bots(&self) -> bool {
        self.programs.is_empty() && self.people.is_empty()
    }

    /// Returns the house bots: the entrant and the kind of each.
    pub fn house_bots(&self) -> &[(Entrant, &'static HouseBot)] {
        &self.house
    }

    /// Returns the names and command lines of the programs.
    pub fn programs(&self) -> &[(String, String)] {
        &self.programs
    }

    /// Returns the people.
    pub fn people(&self) -> &[Entrant] {
        &self.people
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn house_bots_are_numbered_and_programs_keep_their_names() {
        let specs: Vec<Spec> = ["random*2", "bold", "random"].map(|text| Spec::find(text).unwrap()).to_vec();
        let local_players = LocalPlayers::new(&specs).unwrap();
        let names: Vec<&str> =
            local_players.house_bots().iter().map(|(entrant, _)| entrant.github_id.as_str()).collect();
        assert_eq!(names, ["house:random-1", "house:random-2", "house:bold", "house:random-3"]);
        let twice: Vec<Spec> =
            ["a=x {host} {port}", "a=y {host} {port}"].map(|text| Spec::find(text).unwrap()).to_vec();
        assert!(LocalPlayers::new(&twice).unwrap_err().to_string().contains("two programs are named a"));
    }
}
