//! The flags and words of `casino report`.

use std::path::PathBuf;

use clap::Args;

use crate::session::{ReportWishes, write_report};
use casino_stud::journal::{Occasion, OccasionText};

use super::progress::ShownProgress;
use super::terminal::quoted;
use super::{Failure, Output};

#[derive(Args)]
#[command(
    after_help = "Writes report.html, a public page, and cards/NN-NAME.html, a report card for each player. Each \
        file is self-contained and contains no GitHubId. Reply times come from the file beside the \
        journal. For a finished tournament, each card lists the player's costliest decisions \
        (docs/coach.md).\n\n\
        Examples:
  casino report casino-day.jsonl --out report
  casino report casino-day.jsonl --out report --certificates --title 'Casino Day 2026' --venue 'Room 101, 24 November'"
)]
pub(crate) struct ReportCommand {
    /// Journal of the tournament
    #[arg(value_name = "FILE")]
    journal: PathBuf,
    /// The folder to write to
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Write certificates.html too, with a certificate for each player
    #[arg(long)]
    certificates: bool,
    /// The title of the day, in place of that in the journal
    #[arg(long, value_name = "TEXT")]
    title: Option<OccasionText>,
    /// Place and date, in place of those in the journal
    #[arg(long, value_name = "TEXT")]
    venue: Option<OccasionText>,
}

impl ReportCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let bar = ShownProgress::rounds();
        let progress = |done, all| bar.at_of(done, all);
        let wishes = ReportWishes {
            number: 1,
            certificates: self.certificates,
            occasion: Occasion { title: self.title, venue: self.venue },
        };
        let written = write_report(&self.journal, &self.out, &wishes, progress)?;
        drop(bar);
        let mut output = Output::stdout();
        for path in written.files {
            output.line(path.display())?;
        }
        let journal = quoted(&self.journal.to_string_lossy());
        if written.is_coached {
            output.line(format_args!("Next: casino analyse {journal} --player NAME"))?;
        } else {
            output.line(format_args!(
                "The tournament is not over: the places are those so far, and no decisions are coached. \
                 casino resume {journal} continues it."
            ))?;
        }
        output.flush()
    }
}
