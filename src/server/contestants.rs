//! The players that are named in advance: house bots and programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use crate::strategies::{HOUSE, HouseBot};
use crate::tournament::{Entrant, harmless};

/// One `--bot`: a house bot or several of a kind (`cautious*3`), or a program (`NAME=COMMAND LINE`).
#[derive(Clone, Debug)]
pub enum Spec {
    /// House bots of one kind.
    House {
        /// Which house bot it is.
        bot: &'static HouseBot,
        /// The number of bots, at least 1.
        count: usize,
    },
    /// A program that is started when the tournament begins.
    Program {
        /// The name it plays under.
        name: String,
        /// The command line, with `{host}` and `{port}`.
        command: String,
    },
}

/// A `--bot` that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError(String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        match text.split_once('=') {
            Some((name, command)) => program(name, command),
            None => house(text),
        }
    }
}

fn program(name: &str, command: &str) -> Result<Spec, SpecError> {
    let plain = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(plain) || harmless(name).as_deref() != Some(name) {
        return Err(SpecError(format!(
            "\"{}\" cannot be a program's name: use up to 40 letters, digits, - and _, as in mybot=COMMAND",
            name.escape_debug()
        )));
    }
    for blank in ["{host}", "{port}"] {
        if !command.contains(blank) {
            return Err(SpecError(format!(
                "the command line of {name} has no {blank}: write where the program gets the dealer's address, \
                 as in {name}=java Poker {{host}} {{port}}"
            )));
        }
    }
    Ok(Spec::Program { name: name.to_string(), command: command.to_string() })
}

fn house(text: &str) -> Result<Spec, SpecError> {
    let (name, count) = match text.split_once('*') {
        None => (text, 1),
        Some((name, count)) => match count.parse() {
            Ok(count) if count >= 1 => (name, count),
            _ => {
                let count = count.escape_debug();
                return Err(SpecError(format!("\"{count}\" is no number of bots: write, say, {name}*3")));
            }
        },
    };
    let bot = HouseBot::named(name).ok_or_else(|| {
        let names: Vec<&str> = HOUSE.iter().map(|bot| bot.name).collect();
        SpecError(format!(
            "there is no house bot \"{}\"; there are {}. A program is given as NAME=COMMAND LINE",
            name.escape_debug(),
            names.join(", ")
        ))
    })?;
    Ok(Spec::House { bot, count })
}

/// The house bots and programs of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Contestants {
    house: Vec<(Entrant, &'static HouseBot)>,
    programs: Vec<(String, String)>,
}

impl Contestants {
    /// Collects the players of these specs. House bots of a kind are numbered if there are several.
    ///
    /// # Errors
    /// If two programs have the same name.
    pub fn new(specs: &[Spec]) -> Result<Contestants, SpecError> {
        let mut totals: BTreeMap<&str, usize> = BTreeMap::new();
        for spec in specs {
            if let Spec::House { bot, count } = spec {
                *totals.entry(bot.name).or_default() += count;
            }
        }
        let mut contestants = Contestants::default();
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
                        // A colon, which no login can contain: nobody can pass for a house bot.
                        let entrant = Entrant { github_id: format!("house:{name}"), name };
                        contestants.house.push((entrant, bot));
                    }
                }
                Spec::Program { name, command } => {
                    if !names.insert(name) {
                        return Err(SpecError(format!(
                            "two programs are named {name}: give each a name of its own"
                        )));
                    }
                    contestants.programs.push((name.clone(), command.clone()));
                }
            }
        }
        Ok(contestants)
    }

    /// Returns how many players there are.
    pub fn len(&self) -> usize {
        self.house.len() + self.programs.len()
    }

    /// Returns whether there are no players.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether all players are house bots.
    pub fn are_house_bots(&self) -> bool {
        self.programs.is_empty()
    }

    /// Returns the house bots: the entrant and the kind of each.
    pub fn house_bots(&self) -> &[(Entrant, &'static HouseBot)] {
        &self.house
    }

    /// Returns the names and command lines of the programs.
    pub fn programs(&self) -> &[(String, String)] {
        &self.programs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Spec, String> {
        text.parse::<Spec>().map_err(|error| error.to_string())
    }

    #[test]
    fn specs() {
        assert!(matches!(read("cautious"), Ok(Spec::House { bot, count: 1 }) if bot.name == "cautious"));
        assert!(matches!(read("random*3"), Ok(Spec::House { count: 3, .. })));
        let program = read("me=java -cp out Poker {host} {port} a=b").unwrap();
        assert!(
            matches!(program, Spec::Program { name, command } if name == "me" && command.ends_with("a=b"))
        );
        for (text, words) in [
            ("nobody", "there is no house bot \"nobody\""),
            ("random*0", "is no number of bots"),
            ("random*x", "is no number of bots"),
            ("=java {host} {port}", "cannot be a program's name"),
            ("a/b=java {host} {port}", "cannot be a program's name"),
            ("me=java Poker", "has no {host}"),
            ("me=java Poker {host}", "has no {port}"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn house_bots_of_a_kind_are_numbered_and_programs_have_names_of_their_own() {
        let specs: Vec<Spec> = ["random*2", "bold", "random"].map(|text| text.parse().unwrap()).to_vec();
        let contestants = Contestants::new(&specs).unwrap();
        let names: Vec<&str> =
            contestants.house_bots().iter().map(|(entrant, _)| entrant.github_id.as_str()).collect();
        assert_eq!(names, ["house:random-1", "house:random-2", "house:bold", "house:random-3"]);
        let twice: Vec<Spec> =
            ["a=x {host} {port}", "a=y {host} {port}"].map(|t| t.parse().unwrap()).to_vec();
        assert!(Contestants::new(&twice).unwrap_err().to_string().contains("two programs are named a"));
    }
}
