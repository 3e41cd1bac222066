//! `casino ladder keys`: the keys of personal links.

use clap::Args;

use casino_ladder::{Ladder, Player};

use super::super::{Failure, Output};
use super::{Folder, failure, open};

/// Print personal keys: of those who have none yet, or new ones of those who are named
#[derive(Args)]
#[command(
    after_help = "A key opens its owner's place on the page: handing in, build logs, fouls. Only its SHA-256 is kept, so a key is printed
once; whoever loses it gets a new one, and the old one opens nothing any more.

Examples:
  casino ladder keys spring --link http://ladder.example.org/
  casino ladder keys spring --csv --link http://ladder.example.org/
  casino ladder keys spring --renew Ada"
)]
pub(super) struct Keys {
    #[command(flatten)]
    at: Folder,
    /// A new key for this player; can be given many times
    #[arg(long, value_name = "NAME")]
    renew: Vec<String>,
    /// Print a table for a mail merge, with the GitHubIds: for the teacher alone
    #[arg(long)]
    csv: bool,
    /// Where the page is: what is printed are whole links
    #[arg(long, value_name = "URL")]
    link: Option<String>,
}

impl Keys {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut ladder = open(&self.at.folder)?;
        let wanted = self.players(&ladder)?;
        let mut output = Output::stdout();
        if self.csv {
            output.line("name,github_id,key")?;
        }
        for player in wanted {
            let key = ladder.renew_key(player.id).map_err(failure)?;
            let shown = match &self.link {
                Some(link) => format!("{}/#key={key}", link.trim_end_matches('/')),
                None => key,
            };
            match self.csv {
                true => {
                    let github_id = player.github_id.unwrap_or_default();
                    output.line([cell(&player.name), cell(&github_id), cell(&shown)].join(","))?;
                }
                false => output.line(format_args!("{}: {shown}", player.name))?,
            }
        }
        output.flush()
    }

    fn players(&self, ladder: &Ladder) -> Result<Vec<Player>, Failure> {
        if !self.renew.is_empty() {
            return self.renew.iter().map(|name| ladder.player_named(name).map_err(failure)).collect();
        }
        let mut without = Vec::new();
        for player in ladder.players().map_err(failure)? {
            if !player.is_house && !ladder.has_key(player.id).map_err(failure)? {
                without.push(player);
            }
        }
        Ok(without)
    }
}

/// A text as a cell of CSV, which no spreadsheet takes for a formula.
fn cell(text: &str) -> String {
    let formula = if text.starts_with(['=', '+', '-', '@']) { "'" } else { "" };
    match text.contains([',', '"', '\n']) || !formula.is_empty() {
        true => format!("\"{formula}{}\"", text.replace('"', "\"\"")),
        false => text.to_string(),
    }
}
