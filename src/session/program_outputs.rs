//! The outcome of the started programs of a tournament: output and fouls.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use casino_stud::journal::{Header, PlayerSource};
use casino_stud::table::ExitReason;
use casino_stud::tournament::Standing;
use casino_system::files;

use super::Conclusion;

const OUTPUT_TAIL_BYTES: u64 = 4_000;

/// A program that was started, after its last round.
#[derive(Clone, Debug)]
pub struct PlayedProgram {
    /// The name that was given to it.
    pub name: String,
    /// Its command line, with `{host}` and `{port}`.
    pub command: String,
    /// Its foul, as words that follow "it": the one that ejected it, or the forgiven ones.
    pub foul: Option<String>,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl PlayedProgram {
    /// The programs of a tournament that is over, whose outputs are in this folder.
    pub(super) fn all(header: &Header, conclusion: &Conclusion, folder: &Path) -> Vec<PlayedProgram> {
        let places = conclusion.standings.places();
        let program = |(player, source): (usize, &PlayerSource)| {
            let PlayerSource::Program { name, command } = source else { return None };
            let file = |ending: &str| folder.join(format!("{name}.{ending}"));
            Some(PlayedProgram {
                name: name.clone(),
                command: command.clone(),
                foul: places.iter().find(|standing| standing.player == player).and_then(foul_of),
                stdout: file("stdout"),
                stderr: file("stderr"),
            })
        };
        header.players.iter().map(|player| &player.plays).enumerate().filter_map(program).collect()
    }

    /// Whether it has printed anything.
    pub fn has_printed(&self) -> bool {
        let size = |path: &Path| path.metadata().map_or(0, |data| data.len());
        size(&self.stdout) + size(&self.stderr) > 0
    }

    /// The end of its standard output and of its standard error, at most 4,000 bytes of each. Unreadable output is
    /// empty.
    pub fn outputs(&self) -> [String; 2] {
        let text = |path: &PathBuf| {
            let bytes = tail(path, OUTPUT_TAIL_BYTES).unwrap_or_default();
            String::from_utf8_lossy(&bytes).trim_end().to_string()
        };
        [&self.stdout, &self.stderr].map(text)
    }
}

fn foul_of(standing: &Standing) -> Option<String> {
    let left = standing.exit.as_ref().and_then(|exit| match &exit.why {
        ExitReason::Foul(foul) => Some(format!("left in round {}: it {foul}", exit.round)),
        _ => None,
    });
    let forgiven = (!standing.fouls.is_empty()).then(|| format!("was forgiven {}.", standing.fouls));
    match (left, forgiven) {
        (Some(left), Some(forgiven)) => Some(format!("{forgiven} Then it {left}")),
        (left, forgiven) => left.or(forgiven),
    }
}

/// The last bytes of a file, at most this many.
pub(super) fn tail(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let mut file = files::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}
