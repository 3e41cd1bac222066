//! The flags and exit codes of `casino odds`.

mod shown;
mod written_situation;

use clap::Args;

use casino_stud::cards::Card;
use casino_stud::odds::{ImpossibleSituation, Situation};
use casino_stud::stud::Chips;

use super::values::whole;
use super::{Failure, print_result};

use written_situation::{WrittenCards, WrittenPlayers, WrittenSituation};

#[derive(Args)]
#[command(
    after_help = "Write cards as in the protocol: 10S, AD, 2C. A question is the dealer's bet1:... or bet2:... \
        command; the players on its board count as in. The odds assume \
        that no player folds, and ignore the information in other players' bets.\n\n\
        The second street is exact against 1 to 16 others, the first against one or two. Against more, \
        deals are sampled until the standard error of your share is below 0.001.\n\n\
        Exit codes: 0 answered, 2 impossible situation or unusable command line.\n\n\
        Examples:
  casino odds bet2:183:66:0:KS:10D:10S:up:AS:AD:8H:6D:10D:10S:QD:JC:2C:4H
  casino odds --hand 'AS KH' --others '10D, QC, 7H' --folded 9D
  casino odds --hand 'AS KH 2D' --others '10D 4S, QC JD' --pot 24 --json
  casino odds --hand 'QS KH' --others '10D, QC, 7H, 2S'"
)]
pub(crate) struct OddsCommand {
    /// The question that the player was asked: a bet1 or bet2 command
    #[arg(value_name = "QUESTION")]
    question: Option<String>,
    /// Your own cards, the hole card first: two on the first street, three on the second
    #[arg(long, value_name = "CARDS", conflicts_with = "question", requires = "others")]
    hand: Option<WrittenCards>,
    /// The up cards of each other player who is in, players separated by commas
    #[arg(long, value_name = "PLAYERS", requires = "hand")]
    others: Option<WrittenPlayers>,
    /// Up cards of players who folded
    #[arg(long, value_name = "CARDS", requires = "hand")]
    folded: Option<WrittenCards>,
    /// Print the value of a pot of this many chips
    #[arg(long, value_name = "CHIPS", conflicts_with = "question", value_parser = whole::<Chips>(1..=Chips::MAX.into()))]
    pot: Option<Chips>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl OddsCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let asked = self.asked().map_err(Failure::Usage)?;
        let odds = asked.situation.odds();
        print_result(self.json, &shown::object(&asked, &odds), || shown::words(&asked, &odds))
    }

    fn asked(&self) -> Result<WrittenSituation, String> {
        let folded: &[Card] = self.folded.as_ref().map_or(&[], |cards| &cards.0);
        match (&self.question, &self.hand, &self.others) {
            (Some(question), ..) => written_situation::question(question),
            (None, Some(hand), Some(others)) => {
                let situation = Situation::new(&hand.0, &others.0, folded);
                let situation = situation.map_err(|error: ImpossibleSituation| error.to_string())?;
                Ok(WrittenSituation { situation, pot: self.pot, to_call: None })
            }
            _ => Err("give a situation: the question that the player was asked, as in `casino odds bet1:500:3:0:10S:AD:up:AD:KC:2H`, \
                 or cards with --hand and --others"
                .to_string()),
        }
    }
}
