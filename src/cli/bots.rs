//! The command `casino bots`, which lists the house bots.

use clap::Args;

use crate::strategies::HOUSE;

use super::{Failure, Output};

#[derive(Args)]
#[command(after_help = "Examples:\n  casino bots\n  casino play --bot cautious --bot random*3")]
pub(crate) struct Bots {
    /// Print one JSON array instead of a table
    #[arg(long)]
    json: bool,
}

impl Bots {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut output = Output::stdout();
        if self.json {
            let bots: Vec<_> =
                HOUSE.iter().map(|bot| serde_json::json!({ "name": bot.name, "line": bot.line })).collect();
            output.line(serde_json::Value::Array(bots))?;
        } else {
            for bot in &HOUSE {
                output.line(format_args!("{:<10}{}", bot.name, bot.line))?;
            }
        }
        output.flush()
    }
}
