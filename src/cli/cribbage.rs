//! `casino cribbage`: the value of a hand, and the best cards to keep.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use serde::Serialize;

use super::{Failure, Output};
use casino_sisters::cribbage::{
    Breakdown, CardsError, DealtCards, Selection, Totals, check_distinct, check_number, choices, hand_value,
    select_hand, split_cards,
};
use casino_stud::cards::{Card, Notation};
use casino_system::files;

#[derive(clap::Args)]
#[command(after_help = "Write cards like TH, like 10H or like 'card(10,hearts)'; a Prolog list \
        '[card(10,hearts),card(ace,spades)]' works too.\n\n\
        Exit codes: 0 answered, 2 unusable cards.\n\n\
        Examples:\n  \
        casino cribbage value 5H 5S 5C JD 5D\n  \
        casino cribbage select 5H KC 5S 9D 5C JD --explain\n  \
        casino cribbage value --batch hands.txt\n  \
        casino grade cribbage value ./handed-in      judges a student's program")]
pub(super) struct Args {
    #[command(subcommand)]
    command: Sub,
}

#[derive(Subcommand)]
enum Sub {
    /// Print the value of four cards in hand and a start card
    #[command(after_help = "Examples:\n  \
            casino cribbage value 5H 5S 5C JD 5D\n  \
            casino cribbage value --explain 7H 9S 8C 7C 8H\n  \
            echo 'AS 3H KH 7H 2D' | casino cribbage value --batch -")]
    Value {
        /// The four cards in hand and then the start card
        #[arg(value_name = "CARD", required_unless_present = "batch", conflicts_with = "batch")]
        cards: Vec<String>,
        #[command(flatten)]
        how: CribbageOptions,
    },
    /// Select the four cards to keep out of four to six
    #[command(
        after_help = "Keeps the cards with the greatest average value over all start cards that were not dealt, and \
        the first of equal choices in the given order.\n\n\
        Examples:\n  \
            casino cribbage select 5H KC 5S 9D 5C JD\n  \
            casino cribbage select 'card(5,hearts)' TH 6D 7S 8C --notation prolog --explain"
    )]
    Select {
        /// The four to six cards dealt
        #[arg(value_name = "CARD", required_unless_present = "batch", conflicts_with = "batch")]
        cards: Vec<String>,
        #[command(flatten)]
        how: CribbageOptions,
    },
}

#[derive(clap::Args)]
struct CribbageOptions {
    /// Show which combinations scored
    #[arg(long, conflicts_with = "batch")]
    explain: bool,
    /// Print the output of --explain as one JSON object
    #[arg(long, conflicts_with_all = ["batch", "explain", "notation"])]
    json: bool,
    /// How to write cards; each as it was given if not said
    #[arg(long, value_enum)]
    notation: Option<Written>,
    /// Answer each line of a file, or of standard input for `-`, with a line
    #[arg(long, value_name = "FILE|-")]
    batch: Option<PathBuf>,
}

/// A notation for `--notation`.
#[derive(Clone, Copy, ValueEnum)]
enum Written {
    /// One letter for every rank: TH
    Short,
    /// As on the wire: 10H
    Wire,
    /// A Prolog term: card(10,hearts)
    Prolog,
    /// In words: Ten of Hearts
    Words,
}

impl Written {
    fn notation(self) -> Notation {
        match self {
            Written::Short => Notation::Short,
            Written::Wire => Notation::Wire,
            Written::Prolog => Notation::Prolog,
            Written::Words => Notation::Words,
        }
    }
}

/// The longest line of a batch that is read, in bytes: six cards in any notation are far shorter.
const MAX_LINE_BYTES: u64 = 4096;

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut out = Output::stdout();
    match &args.command {
        Sub::Value { how: CribbageOptions { batch: Some(file), .. }, .. } => batch(&mut out, file, |line| {
            let (hand, start) = Given::read(line, None)?.hand_and_start()?;
            Ok(hand_value(hand, start).to_string())
        })?,
        Sub::Select { how: CribbageOptions { batch: Some(file), notation, .. }, .. } => {
            batch(&mut out, file, |line| {
                let given = Given::read(line, *notation)?;
                let choice = select_hand(&given.dealt()?);
                Ok(given.write(&choice.kept()))
            })?;
        }
        Sub::Value { cards, how } => value(&mut out, &given(cards, how)?, how)?,
        Sub::Select { cards, how } => select(&mut out, &given(cards, how)?, how)?,
    }
    out.flush()
}

fn given(cards: &[String], how: &CribbageOptions) -> Result<Given, Failure> {
    Given::read(&cards.join(" "), how.notation).map_err(Failure::usage)
}

fn value(out: &mut Output, given: &Given, how: &CribbageOptions) -> Result<(), Failure> {
    let (hand, start) = given.hand_and_start().map_err(Failure::usage)?;
    if !how.explain && !how.json {
        return out.line(hand_value(hand, start));
    }
    let found = Breakdown::of(hand, start);
    if how.json {
        #[derive(Serialize)]
        struct ExplainedHand {
            value: u32,
            #[serde(flatten)]
            found: Breakdown,
        }
        let explained = ExplainedHand { value: found.value(), found };
        return out.line(serde_json::to_string_pretty(&explained).map_err(Failure::broke)?);
    }
    out.line(found.value())?;
    let kinds = [("fifteen", &found.fifteens, 2), ("pair", &found.pairs, 2)];
    for (name, combinations, points) in kinds {
        for cards in combinations {
            scored(out, name, points, &given.write(cards))?;
        }
    }
    for run in &found.runs {
        scored(out, "run", run.len(), &given.write(run))?;
    }
    if !found.flush.is_empty() {
        scored(out, "flush", found.flush.len(), &given.write(&found.flush))?;
    }
    match found.nob {
        Some(jack) => scored(out, "his nob", 1, &given.write(&[jack])),
        None => Ok(()),
    }
}

fn scored(out: &mut Output, what: &str, points: usize, cards: &str) -> Result<(), Failure> {
    out.line(format_args!("{what:<8} {points:>2}  {cards}"))
}

fn select(out: &mut Output, given: &Given, how: &CribbageOptions) -> Result<(), Failure> {
    let dealt = given.dealt().map_err(Failure::usage)?;
    let best = select_hand(&dealt);
    if how.json {
        #[derive(Serialize)]
        struct ExplainedChoice {
            kept: [Card; 4],
            crib: Vec<Card>,
            total: u32,
            starts: u32,
            scored: Totals,
        }
        let explained = |choice: &Selection| ExplainedChoice {
            kept: choice.kept(),
            crib: choice.crib().to_vec(),
            total: choice.total(),
            starts: choice.starts(),
            scored: choice.totals(),
        };
        let all: Vec<ExplainedChoice> = choices(&dealt).iter().map(explained).collect();
        let object = serde_json::json!({ "kept": best.kept(), "choices": all });
        return out.line(serde_json::to_string_pretty(&object).map_err(Failure::broke)?);
    }
    out.line(given.write(&best.kept()))?;
    if !how.explain {
        return Ok(());
    }
    let mut all = choices(&dealt);
    // The sort keeps the order given among equals, so the choice kept is the first line.
    all.sort_by_key(|choice| std::cmp::Reverse(choice.total()));
    let starts = best.starts();
    out.line(format_args!(
        "\nPoints summed over the {starts} start cards that were not dealt; divide by {starts} for the average."
    ))?;
    let width = all.iter().map(|choice| given.write(&choice.kept()).len()).max().unwrap_or(0).max(4);
    out.line(format_args!("{:<width$}  average   total = fifteens + pairs + runs + flush + nob", "keep"))?;
    for choice in &all {
        let Totals { fifteens, pairs, runs, flush, nob } = choice.totals();
        out.line(format_args!(
            "{:<width$}  {:>7.3}  {:>4}/{starts} = {fifteens} + {pairs} + {runs} + {flush} + {nob}",
            given.write(&choice.kept()),
            choice.average(),
            choice.total(),
        ))?;
    }
    Ok(())
}

/// The cards given and how to write each.
struct Given {
    cards: Vec<Card>,
    notations: [Option<Notation>; 52],
}

impl Given {
    fn read(text: &str, written: Option<Written>) -> Result<Given, CardsError> {
        let mut given = Given { cards: Vec::new(), notations: [None; 52] };
        for (place, word) in (1..).zip(split_cards(text)) {
            let (card, notation) =
                Notation::read(word).map_err(|error| CardsError::NoCard { place, error })?;
            given.cards.push(card);
            let notation = written.map_or(notation, Written::notation);
            given.notations[card.index()] = Some(notation);
        }
        Ok(given)
    }

    fn hand_and_start(&self) -> Result<([Card; 4], Card), CardsError> {
        check_number(&self.cards, 5, 5)?;
        check_distinct(&self.cards)?;
        Ok(([self.cards[0], self.cards[1], self.cards[2], self.cards[3]], self.cards[4]))
    }

    fn dealt(&self) -> Result<DealtCards, CardsError> {
        DealtCards::new(&self.cards)
    }

    /// The cards, all of them given ones, separated by spaces.
    fn write(&self, cards: &[Card]) -> String {
        let one = |card: &Card| self.notations[card.index()].unwrap_or(Notation::Short).write(*card);
        cards.iter().map(one).collect::<Vec<_>>().join(" ")
    }
}

/// Answers line by line. Answers are flushed before a read that could block, so that a program behind a pipe can ask
/// and listen in turns.
fn batch(
    out: &mut Output,
    file: &Path,
    answer: impl Fn(&str) -> Result<String, CardsError>,
) -> Result<(), Failure> {
    let (name, source): (String, Box<dyn Read>) = if file.as_os_str() == "-" {
        ("standard input".into(), Box::new(io::stdin()))
    } else {
        let name = format!("--batch {}", file.display());
        let open = files::open(file).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
        (name, Box::new(open))
    };
    let mut source = BufReader::with_capacity(1 << 16, source);
    let mut line = String::new();
    for number in 1u64.. {
        if !source.buffer().contains(&b'\n') {
            out.flush()?;
        }
        line.clear();
        let refuse = |why: &dyn std::fmt::Display| Failure::usage(format!("{name}, line {number}: {why}"));
        let read = (&mut source).take(MAX_LINE_BYTES).read_line(&mut line).map_err(|error| refuse(&error));
        if read.inspect_err(|_| drop(out.flush()))? == 0 {
            break;
        }
        if line.len() as u64 == MAX_LINE_BYTES && !line.ends_with('\n') {
            out.flush()?;
            return Err(refuse(&format_args!("longer than {MAX_LINE_BYTES} bytes: give one hand a line")));
        }
        if line.trim().is_empty() {
            out.line("")?;
            continue;
        }
        // Some editors put a mark before the first letter of a text.
        match answer(line.trim_start_matches('\u{feff}')) {
            Ok(answer) => out.line(answer)?,
            Err(error) => {
                out.flush()?;
                return Err(refuse(&error));
            }
        }
    }
    Ok(())
}
