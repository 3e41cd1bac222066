//! Player specifications on the command line, the same in every command.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use casino_stud::strategies::{HOUSE, HouseBot};
use casino_stud::tournament::is_program_name;

/// How alike a misspelt name and a house bot have to be for the question whether it was meant, from 0 to 1.
const MIN_NAME_SIMILARITY: f64 = 0.8;

/// A player as it is named in advance: a house bot or several of a kind (`cautious*3`), a command line with `{host}` and
/// `{port}`, or a folder or file with a program. Programs may be given a name: `NAME=COMMAND LINE`, `NAME=FOLDER`.
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
    /// A folder or a file with a program, from which a command line has to be made before it can be started.
    Place {
        /// The name it plays under.
        name: String,
        /// Where it is.
        path: PathBuf,
    },
}

/// A parsed player specification, before the disk is searched for a folder or file.
#[derive(Clone, Debug)]
pub(crate) enum WrittenSpec {
    /// A house bot or a command line, complete without the disk.
    Known(Spec),
    /// A folder or a file, if one is there.
    Place {
        /// The name that it was given.
        name: Option<String>,
        /// Where it would be.
        path: PathBuf,
        /// The error if nothing is there.
        otherwise: SpecError,
    },
}

/// A player that cannot be read, or is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(String);

impl SpecError {
    pub(super) fn new(why: String) -> SpecError {
        SpecError(why)
    }
}

impl Spec {
    /// Parses a player and looks on the disk for its folder or file.
    pub fn find(text: &str) -> Result<Spec, SpecError> {
        match text.parse()? {
            WrittenSpec::Known(spec) => Ok(spec),
            WrittenSpec::Place { name: Some(name), path, .. } if path.exists() => {
                Ok(Spec::Place { name, path })
            }
            WrittenSpec::Place { name, path, otherwise } => match path.canonicalize() {
                Ok(full) if name.is_none() => Ok(Spec::Place { name: name_of(&full), path }),
                _ => Err(otherwise),
            },
        }
    }
}

impl FromStr for WrittenSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<WrittenSpec, SpecError> {
        if text.trim().is_empty() {
            let words = "the player is missing: write a house bot (`casino bots` lists them), a folder or a file with a program, or \
                         a command line with {host} and {port}";
            return Err(SpecError(words.to_string()));
        }
        match text.split_once('=') {
            // The equals sign of an option, as in `java -Dkey=value Poker {host} {port}`, introduces no name.
            Some((before, _)) if before.split_whitespace().skip(1).any(|word| word.starts_with('-')) => {
                program(&name_in(text), text)
            }
            Some((name, rest)) => named(name, rest),
            None if has_blank(text) => program(&name_in(text), text),
            None => match house(text) {
                Ok(found) => Ok(WrittenSpec::Known(found)),
                Err(why) => {
                    let is_command = text.contains(char::is_whitespace);
                    let otherwise = if is_command { no_blank(&name_in(text), text) } else { why };
                    Ok(WrittenSpec::Place { name: None, path: PathBuf::from(text), otherwise })
                }
            },
        }
    }
}

const ADDRESS_PLACEHOLDERS: [&str; 2] = ["{host}", "{port}"];

fn has_blank(text: &str) -> bool {
    ADDRESS_PLACEHOLDERS.iter().any(|blank| text.contains(blank))
}

fn named(name: &str, rest: &str) -> Result<WrittenSpec, SpecError> {
    if !is_program_name(name) {
        return Err(SpecError(format!(
            "\"{}\" cannot be a program's name: use up to 40 letters, digits, - and _, as in mybot=COMMAND",
            name.escape_debug()
        )));
    }
    if has_blank(rest) {
        return program(name, rest);
    }
    let otherwise = match house(rest) {
        Ok(_) => {
            SpecError(format!("a house bot plays under its own name: write {rest} and not {name}={rest}"))
        }
        Err(_) => no_blank(name, rest),
    };
    Ok(WrittenSpec::Place { name: Some(name.to_string()), path: PathBuf::from(rest), otherwise })
}

fn program(name: &str, command: &str) -> Result<WrittenSpec, SpecError> {
    if ADDRESS_PLACEHOLDERS.iter().all(|blank| command.contains(blank)) {
        let (name, command) = (name.to_string(), command.to_string());
        return Ok(WrittenSpec::Known(Spec::Program { name, command }));
    }
    Err(no_blank(name, command))
}

fn no_blank(name: &str, command: &str) -> SpecError {
    let blank = ADDRESS_PLACEHOLDERS.into_iter().find(|blank| !command.contains(blank)).unwrap_or_default();
    SpecError(format!(
        "the command line \"{}\" has no {blank}: write where the program gets the dealer's address, as in {name}=java \
         Poker {{host}} {{port}}",
        command.escape_debug()
    ))
}

/// The player name of a folder or file, by its full path: `.` has a name too.
fn name_of(full: &Path) -> String {
    let stem = if full.is_dir() { full.file_name() } else { full.file_stem() };
    let name = stem.map(|stem| plain_name(&stem.to_string_lossy())).filter(|name| is_program_name(name));
    name.unwrap_or_else(|| DEFAULT_PROGRAM_NAME.to_string())
}

const DEFAULT_PROGRAM_NAME: &str = "bot";

/// A name for a command line without one: that of the program, the last word before the address that is not an option.
fn name_in(command: &str) -> String {
    let before = command.split_whitespace().take_while(|word| !has_blank(word));
    let word = before.filter(|word| !word.starts_with('-')).last().unwrap_or_default();
    let word = word.trim_matches(['"', '\'']);
    let file = word.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = plain_name(file.split('.').next().unwrap_or_default());
    let is_number = name.bytes().all(|byte| byte.is_ascii_digit());
    if is_program_name(&name) && !is_number { name } else { DEFAULT_PROGRAM_NAME.to_string() }
}

fn plain_name(text: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
    text.chars().take(40).map(plain).collect::<String>().trim_matches('-').to_string()
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
    let bot = HouseBot::named(name).ok_or_else(|| SpecError(no_house_bot(name)))?;
    Ok(Spec::House { bot, count })
}

/// The error for an unknown house bot, with the nearest name, all names and the alternatives.
fn no_house_bot(name: &str) -> String {
    let names: Vec<&str> = HOUSE.iter().map(|bot| bot.name).collect();
    let shown = name.escape_debug();
    let all = names.join(", ");
    if name.contains(['/', '\\']) || name.starts_with('.') {
        return format!("there is no folder or file \"{shown}\", and the house bots are {all}");
    }
    let likeness = |bot: &&str| strsim::jaro_winkler(&name.to_lowercase(), bot);
    let nearest = names.iter().copied().max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    let meant = match nearest.filter(|bot| likeness(bot) >= MIN_NAME_SIMILARITY) {
        Some(bot) => format!("; did you mean {bot}?"),
        None => ";".to_string(),
    };
    format!(
        "there is no house bot \"{shown}\"{meant} there are {all}. A program is given as NAME=COMMAND LINE, or as the \
         folder or file it is in"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Spec, String> {
        Spec::find(text).map_err(|error| error.to_string())
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
            ("cautius", "did you mean cautious?"),
            ("Readers", "did you mean reader?"),
            ("./nowhere", "there is no folder or file \"./nowhere\""),
            ("random*0", "is no number of bots"),
            ("random*x", "is no number of bots"),
            ("=java {host} {port}", "cannot be a program's name"),
            ("a/b=java {host} {port}", "cannot be a program's name"),
            ("me=java Poker", "has no {host}"),
            ("me=java Poker {host}", "has no {port}"),
            ("java Poker {host}", "has no {port}"),
            ("java Poker", "the command line \"java Poker\" has no {host}"),
            ("sleep 1", "the command line \"sleep 1\" has no {host}"),
            ("", "the player is missing"),
            (" ", "the player is missing"),
            ("a=cautious", "write cautious and not a=cautious"),
            ("a=random*2", "write random*2 and not a=random*2"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
        assert!(!read("zzz").unwrap_err().contains("did you mean"));
    }

    #[test]
    fn specs_are_parsed_without_the_disk() {
        for text in [".", "mine=.", "src", "nobody"] {
            assert!(matches!(text.parse(), Ok(WrittenSpec::Place { .. })), "{text}");
        }
        for text in ["cautious", "random*3", "java Poker {host} {port}"] {
            assert!(matches!(text.parse(), Ok(WrittenSpec::Known(_))), "{text}");
        }
    }

    #[test]
    fn a_command_line_alone_is_called_by_its_program() {
        for (text, wanted) in [
            ("java -cp out Poker {host} {port}", "Poker"),
            ("java -Dkey=value Poker {host} {port}", "Poker"),
            ("python3 bots/first-try.py {host} {port}", "first-try"),
            ("./mine {host} {port}", "mine"),
            ("'{host}' {port}", "bot"),
        ] {
            let Spec::Program { name, command } = read(text).unwrap() else { panic!("{text}") };
            assert_eq!((name.as_str(), command.as_str()), (wanted, text));
        }
    }

    #[test]
    fn folders_and_files_are_called_by_their_names() {
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        for (text, wanted) in [
            (format!("{here}/bots/python"), "python"),
            (format!("{here}/bots/python/poker.py"), "poker"),
            (format!("mine={here}/bots/python"), "mine"),
        ] {
            let Spec::Place { name, path } = read(&text).unwrap() else { panic!("{text}") };
            assert_eq!(name, wanted);
            assert!(path.exists() && text.ends_with(&path.to_string_lossy().into_owned()));
        }
        assert!(matches!(read("."), Ok(Spec::Place { .. })), "this folder");
    }
}
