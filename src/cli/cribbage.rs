//! `casino cribbage`: the value of a hand, and the best cards to keep.

use clap::Subcommand;

use super::{Failure, Output};
use casino_sisters::cribbage::{
    Breakdown, CardsError, DealtCards, Totals, check_distinct, check_number, choices, hand_value,
    select_hand, split_cards,
};
use casino_stud::cards::{Card, Notation};

#[derive(clap::Args)]
#[command(after_help = "Write cards like TH, like 10H or like 'card(10,hearts)'; a Prolog list \
        '[card(10,hearts),card(ace,spades)]' works too.\n\n\
        Exit codes: 0 answered, 2 unusable cards.\n\n\
        Examples:\n  \
        casino cribbage value 5H 5S 5C JD 5D\n  \
        casino cribbage select 5H KC 5S 9D 5C JD --explain\n  \
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
            casino cribbage value --explain 7H 9S 8C 7C 8H")]
    Value {
        /// The four cards in hand and then the start card
        #[arg(value_name = "CARD", required = true)]
        cards: Vec<String>,
        /// Show the combinations or choices and their points
        #[arg(long)]
        explain: bool,
    },
    /// Select the four cards to keep out of four to six
    #[command(
        after_help = "Keeps the cards with the greatest average value over all start cards that were not dealt, and \
        the first of equal choices in the given order.\n\n\
        Examples:\n  \
            casino cribbage select 5H KC 5S 9D 5C JD\n  \
            casino cribbage select 'card(5,hearts)' TH 6D 7S 8C --explain"
    )]
    Select {
        /// The four to six cards dealt
        #[arg(value_name = "CARD", required = true)]
        cards: Vec<String>,
        /// Show the combinations or choices and their points
        #[arg(long)]
        explain: bool,
    },
}

impl Args {
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut out = Output::stdout();
        let given = |cards: &[String]| Given::read(&cards.join(" ")).map_err(Failure::usage);
        match &self.command {
            Sub::Value { cards, explain } => value(&mut out, &given(cards)?, *explain)?,
            Sub::Select { cards, explain } => select(&mut out, &given(cards)?, *explain)?,
        }
        out.flush()
    }
}

fn value(out: &mut Output, given: &Given, explain: bool) -> Result<(), Failure> {
    let (hand, start) = given.hand_and_start().map_err(Failure::usage)?;
    if !explain {
        return out.line(hand_value(hand, start));
    }
    let found = Breakdown::of(hand, start);
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

fn select(out: &mut Output, given: &Given, explain: bool) -> Result<(), Failure> {
    let dealt = given.dealt().map_err(Failure::usage)?;
    let best = select_hand(&dealt);
    out.line(given.write(&best.kept()))?;
    if !explain {
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
    fn read(text: &str) -> Result<Given, CardsError> {
        let mut given = Given { cards: Vec::new(), notations: [None; 52] };
        for (place, word) in (1..).zip(split_cards(text)) {
            let (card, notation) =
                Notation::read(word).map_err(|error| CardsError::NoCard { place, error })?;
            given.cards.push(card);
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
