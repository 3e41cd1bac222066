//! The command `casino bots`, which lists the house bots by their strength.

use clap::Args;

use casino_stud::strategies::{LADDER_SEATS, LadderFigure, LadderRow, ladder};

use super::{Failure, Output};

#[derive(Args)]
#[command(
    after_help = "The weakest comes first, by its chips per round against the other house bots. docs/bots.md \
        describes the measurement and its intervals.\n\n\
        Examples:
  casino bots
  casino bots --seats 2
  casino play --bot cautious --bot random*3"
)]
pub(crate) struct Bots {
    /// Sort by strength at tables of this size: 2, 6 or 17
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = measured)]
    seats: usize,
    /// Print one JSON array instead of a table
    #[arg(long)]
    json: bool,
}

/// A number of seats for which there is a ladder.
fn measured(text: &str) -> Result<usize, String> {
    let seats = text.parse().ok().filter(|seats| LADDER_SEATS.contains(seats));
    seats
        .ok_or_else(|| "the house bots are measured at tables of 2, 6 and 17: write one of these".to_string())
}

impl Bots {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (mut output, rungs) = (Output::stdout(), ladder(self.seats));
        if self.json {
            let bots: Vec<_> = rungs.iter().map(in_json).collect();
            output.line(serde_json::Value::Array(bots))?;
            return output.flush();
        }
        output.line(format_args!(
            "The weakest first, at tables of {}. Chips a round at tables of\n{:<10}{:>8}{:>8}{:>8}",
            self.seats, "", LADDER_SEATS[0], LADDER_SEATS[1], LADDER_SEATS[2]
        ))?;
        for LadderRow { bot, figures } in &rungs {
            let [two, six, seventeen] = figures.map(|figure| figure.chips);
            output.line(format_args!(
                "{:<10}{two:>+8.2}{six:>+8.2}{seventeen:>+8.2}  {}",
                bot.name, bot.line
            ))?;
        }
        output.flush()
    }
}

fn in_json(rung: &LadderRow) -> serde_json::Value {
    let figure = |seats: usize| {
        let LadderFigure { chips, interval } = rung.at(seats).expect("the ladder has these seats");
        let (low, high) = (interval.map(|ends| ends.0), interval.map(|ends| ends.1));
        serde_json::json!({ "seats": seats, "chips": chips, "low": low, "high": high })
    };
    let figures = LADDER_SEATS.map(figure);
    serde_json::json!({ "name": rung.bot.name, "line": rung.bot.line, "chips_per_round": figures })
}
