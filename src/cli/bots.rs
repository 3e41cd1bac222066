//! The command `casino bots`, which lists the house bots by their strength.

use clap::Args;

use casino_stud::strategies::{LADDER_SEATS, LadderRow, ladder};

use super::{Failure, Output};

#[derive(Args)]
#[command(
    after_help = "The weakest comes first, by its chips per round against the other house bots at tables of 6. \
        docs/bots.md describes the measurement and its intervals.\n\n\
        Examples:
  casino bots
  casino play --bot cautious --bot random*3"
)]
pub(crate) struct Bots {}

impl Bots {
    pub(super) fn run(self) -> Result<(), Failure> {
        let mut output = Output::stdout();
        output.line(format_args!(
            "The weakest first, at tables of 6. Chips a round at tables of\n{:<10}{:>8}{:>8}{:>8}",
            "", LADDER_SEATS[0], LADDER_SEATS[1], LADDER_SEATS[2]
        ))?;
        for LadderRow { bot, figures } in ladder() {
            let [two, six, seventeen] = figures.map(|figure| figure.chips);
            output.line(format_args!(
                "{:<10}{two:>+8.2}{six:>+8.2}{seventeen:>+8.2}  {}",
                bot.name, bot.line
            ))?;
        }
        output.flush()
    }
}
