//! `casino blackjack`: the course's transcript.

use clap::ValueEnum;

use super::values::whole;
use super::{Failure, Output};
use casino_sisters::blackjack::{
    BlackjackLine, BlackjackPlayer, Counting, CourseCuts, Cut, SeededCuts, Simple, play,
};
use casino_stud::cards::Seed;

#[derive(clap::Args)]
#[command(after_help = "Without --seed the cuts are those of the course's generator, so that\n\n    \
        casino blackjack 100 3 simple\n\n\
        prints the course's sample.\n\n\
        Exit codes: 0 played, 2 unusable argument.\n\n\
        Examples:\n  \
        casino blackjack 100 3 simple | diff - sample.txt\n  \
        casino blackjack 500 1000 counting --seed monday | tail -1\n  \
        casino grade blackjack ./handed-in      judges a student's program")]
pub(super) struct Args {
    /// Starting bankroll in chips: 1 to 10000
    #[arg(value_parser = whole::<u32>(1..=10_000), allow_negative_numbers = true)]
    bankroll: u32,
    /// Maximum number of hands: 1 to 10000
    #[arg(value_parser = whole::<u32>(1..=10_000), allow_negative_numbers = true)]
    hands: u32,
    /// Player of the document
    player: Who,
    /// Words after these three, which are an error with its own message
    #[arg(hide = true)]
    more: Vec<String>,
    /// Draw the cuts from this seed instead of the course's generator
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
}

/// The two players of the document.
#[derive(Clone, Copy, ValueEnum)]
enum Who {
    /// Bets the minimum and plays by the table
    Simple,
    /// Counts cards and doubles the bet when the deck is good
    Counting,
}

impl Args {
    pub(super) fn run(self) -> Result<(), Failure> {
        if let Some(word) = self.more.first() {
            return Err(Failure::usage(format!(
                "\"{}\" is one word too many: there are three, as in casino blackjack 100 3 simple",
                word.escape_debug()
            )));
        }
        let cuts: Box<dyn Iterator<Item = Cut>> = match self.seed {
            Some(seed) => Box::new(SeededCuts::new(&Seed::chosen(seed))),
            None => Box::new(CourseCuts::new()),
        };
        match self.player {
            Who::Simple => print(self.bankroll, self.hands, Simple, cuts),
            Who::Counting => print(self.bankroll, self.hands, Counting::default(), cuts),
        }
    }
}

fn print(
    bankroll: u32,
    hands: u32,
    player: impl BlackjackPlayer,
    cuts: impl Iterator<Item = Cut>,
) -> Result<(), Failure> {
    let mut out = Output::stdout();
    let mut printed = Ok(());
    let closing = play(bankroll, hands, player, cuts, |event: BlackjackLine| {
        if printed.is_ok() {
            printed = out.line(event);
        }
    });
    printed?;
    out.flush()?;
    closing.map(|_| ()).map_err(Failure::usage)
}
