//! Players that are folders or files, made into command lines.

use std::path::Path;

use casino_host::Spec;
use casino_judge::grade::submission::{Aim, Recipe, recognise};
use casino_stud::shown::short_line;
use casino_system::command_line::{find_program, in_folder, quote, run_line};

use super::Failure;
use super::output::remark;

/// The ways to name a player, for the help of a command.
pub(super) const SPECS: &str = "A SPEC is the same everywhere:
  cautious, random*3              a house bot, or several of a kind (see `casino bots`)
  'java Poker {host} {port}'      a command line
  my-bot/                         a folder, in which the program is built and run as its files suggest
  poker.py                        a file: Python, JavaScript, Java, a jar, or a program
  NAME=...                        any of these but house bots, under this name";

const MAX_COMPILER_LINES: usize = 20;

/// The same players, those that are folders or files as command lines. A folder is built where it is.
pub(super) fn startable(specs: &[Spec]) -> Result<Vec<Spec>, Failure> {
    specs.iter().map(one_startable).collect()
}

/// As [`startable`], for one player.
pub(super) fn one_startable(spec: &Spec) -> Result<Spec, Failure> {
    let Spec::Place { name, path } = spec else { return Ok(spec.clone()) };
    let command = if path.is_dir() { command_of_folder(path)? } else { command_of_file(path)? };
    Ok(Spec::Program { name: name.clone(), command })
}

/// The command line that runs a program which is one file.
pub(super) fn command_of_file(path: &Path) -> Result<String, Failure> {
    let runner = match path.extension().and_then(|ending| ending.to_str()) {
        Some("py") => "python3 ",
        Some("js" | "mjs" | "cjs") => "node ",
        Some("java") => "java ",
        Some("jar") => "java -jar ",
        _ if find_program(&path.to_string_lossy()).is_some() => "",
        _ => {
            return Err(Failure::Usage(format!(
                "{} cannot be started by itself: give its folder, which is built, or the command line that runs it, as \
                 in 'mybot=./mybot {{host}} {{port}}'",
                path.display()
            )));
        }
    };
    let file = std::path::absolute(path).map_err(|error| Failure::of_path(path, error))?;
    let file = quote(&file.to_string_lossy()).ok_or_else(|| unwritable(path))?;
    Ok(format!("{runner}{file} {{host}} {{port}}"))
}

/// Builds the program of a folder there, and gives the command line that runs it.
fn command_of_folder(folder: &Path) -> Result<String, Failure> {
    let (inside, recipe) = recognise(folder, None, &Aim::Player).map_err(Failure::usage)?;
    let inside = std::path::absolute(inside).map_err(|error| Failure::of_path(folder, error))?;
    for line in &recipe.build {
        build(&inside, line)?;
    }
    in_folder(&inside.to_string_lossy(), &run(&recipe, &inside)).ok_or_else(|| unwritable(folder))
}

fn build(folder: &Path, line: &str) -> Result<(), Failure> {
    remark(&format!("Building in {}: {line}", folder.display()));
    let done =
        run_line(line).current_dir(folder).output().map_err(|error| Failure::of_path(folder, error))?;
    if done.status.success() {
        return Ok(());
    }
    let said = [done.stdout, done.stderr].map(|said| String::from_utf8_lossy(&said).into_owned()).concat();
    let lines: Vec<&str> = said.trim_end().lines().collect();
    let last = lines[lines.len().saturating_sub(MAX_COMPILER_LINES)..].iter();
    let last: String = last.map(|line| format!("\n    {}", short_line(line))).collect();
    Err(Failure::Usage(format!("{} cannot be built: {line} failed{last}", folder.display())))
}

/// The command that runs the built program: for some languages only the build reveals its name.
fn run(recipe: &Recipe, folder: &Path) -> String {
    let is_there = |name: &&&str| find_program(&folder.join(name).to_string_lossy()).is_some();
    match recipe.makes.iter().find(is_there) {
        Some(program) => recipe.run.replace("{program}", program),
        None => recipe.run.clone(),
    }
}

fn unwritable(path: &Path) -> Failure {
    Failure::Usage(format!("{} cannot be written in a command line: give it another name", path.display()))
}
