//! The plan of a match: everything needed to play it on any machine.

use casino_stud::cards::Seed;
use casino_stud::journal::{Header, PlayerSource, Terms};
use casino_stud::stud::MAX_SEATS;
use casino_stud::table::{OnFoul, TableSettings};
use casino_stud::tournament::{Entrant, EventPlan, Format, Roster};

use super::keys::sha256;
use super::{LadderError, MatchKind, SeatResult};

/// How many hexadecimal digits of a digest name a match.
const NAME_DIGITS: usize = 16;

/// The budget of a match for its starts, and for each round: so much that quick programs need a small part of it.
const START_BUDGET_MS: i64 = 20_000;
const ROUND_BUDGET_MS: i64 = 500;

/// The prefix of a version's label in a journal. No login can contain a colon, so no player can impersonate another,
/// and a match's journal contains no GitHubId.
const ID: &str = "ladder:";

/// The same of the house bots.
const HOUSE_ID: &str = "house:";

/// A seat of a planned match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedSeat {
    /// The label of the version, such as `Ada/3`.
    pub(crate) label: String,
    pub(crate) plays: SeatSource,
}

/// The player in a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SeatSource {
    /// A house bot of this name.
    House(String),
    /// A submission of this SHA-256.
    Submission(String),
    Connection,
}

/// The plan of a match. Its name follows from the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchPlan {
    /// Sixteen hexadecimal digits of the SHA-256 of everything else.
    pub(crate) name: String,
    pub(crate) terms: MatchTerms,
    /// The text of the seed: 64 hexadecimal digits that were drawn.
    pub(crate) seed: String,
    pub(crate) seats: Vec<PlannedSeat>,
}

/// The terms of a match, beside its seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchTerms {
    /// The purpose of the match.
    pub kind: MatchKind,
    /// How many decks are played from all seats. In fresh deals it is the rounds for each seat.
    pub decks: u64,
    /// The chips that everyone has at the beginning of a round.
    pub stack: u32,
    /// How long a reply may take, in milliseconds.
    pub reply_ms: u64,
}

impl MatchPlan {
    /// A match on these terms with a seed that was drawn.
    pub(crate) fn new(terms: MatchTerms, seed: &Seed, seats: Vec<PlannedSeat>) -> MatchPlan {
        let plan = MatchPlan { name: String::new(), terms, seed: seed.text().to_string(), seats };
        MatchPlan { name: plan.name_by_content(), ..plan }
    }

    fn name_by_content(&self) -> String {
        let MatchTerms { kind, decks, stack, reply_ms } = self.terms;
        let mut text = format!("{}\n{}\n{decks}\n{stack}\n{reply_ms}", kind.word(), self.seed);
        for PlannedSeat { label, plays } in &self.seats {
            let plays = match plays {
                SeatSource::House(name) => format!("house {name}"),
                SeatSource::Submission(sha256) => format!("submission {sha256}"),
                SeatSource::Connection => "connection".to_string(),
            };
            text += &format!("\n{label}\t{plays}");
        }
        let mut name = sha256(text);
        name.truncate(NAME_DIGITS);
        name
    }

    /// Checks that it can be played and that its name matches its content.
    pub(crate) fn check(&self) -> Result<(), LadderError> {
        if self.name != self.name_by_content() {
            return Err(LadderError::Refused(format!(
                "the match is called {}, and its contents give {}: it was changed",
                self.name.escape_debug(),
                self.name_by_content()
            )));
        }
        let mut labels: Vec<&str> = self.seats.iter().map(|seat| seat.label.as_str()).collect();
        labels.sort_unstable();
        labels.dedup();
        if labels.len() < self.seats.len() {
            return Err(LadderError::Refused("a player has two seats in the match".to_string()));
        }
        self.header().map(drop)
    }

    /// The same match with its seats in the order of the labels, in which matches are planned, if that gives it this name.
    pub(crate) fn named(mut self, name: &str) -> Option<MatchPlan> {
        name.clone_into(&mut self.name);
        self.seats.sort_by(|one, other| one.label.cmp(&other.label));
        (self.name == self.name_by_content()).then_some(self)
    }

    /// How many decks are dealt. A program that connects on its own may store cards: with one at the table, each round has a
    /// fresh deck.
    pub(crate) fn decks(&self) -> u64 {
        let has_connection = self.seats.iter().any(|seat| seat.plays == SeatSource::Connection);
        if has_connection { self.rounds() } else { self.terms.decks }
    }

    /// How long the match may last.
    pub(crate) fn budget_ms(&self) -> i64 {
        START_BUDGET_MS
            + ROUND_BUDGET_MS * i64::try_from(self.rounds()).unwrap_or(i64::MAX / ROUND_BUDGET_MS / 2)
    }

    pub(crate) fn rounds(&self) -> u64 {
        self.terms.decks.saturating_mul(self.seats.len() as u64)
    }

    fn entrants(&self) -> Vec<Entrant> {
        // The label is chosen by the ladder and contains no GitHubId, so it is shown unchanged.
        self.seats
            .iter()
            .map(|seat| {
                // A public record identifies house bots by their ids, and keeps the order of all players.
                let kind = if matches!(seat.plays, SeatSource::House(_)) { HOUSE_ID } else { ID };
                Entrant::new(format!("{kind}{}", seat.label), "").named(&seat.label)
            })
            .collect()
    }

    /// The seat of the plan of each player of the event, both from 0.
    pub(crate) fn seating(&self) -> Result<Vec<usize>, LadderError> {
        Ok(Roster::new(&self.entrants(), &self.drawn_seed()?).entrants().to_vec())
    }

    pub(crate) fn drawn_seed(&self) -> Result<Seed, LadderError> {
        Seed::revealed(&self.seed)
            .ok_or_else(|| LadderError::Refused("the seed of the match is none that is drawn".to_string()))
    }

    /// The first line of its journal.
    pub(crate) fn header(&self) -> Result<Header, LadderError> {
        let seed = self.drawn_seed()?;
        let source = |seat: &PlannedSeat| match &seat.plays {
            SeatSource::House(name) => PlayerSource::House(name.clone()),
            SeatSource::Submission(_) | SeatSource::Connection => PlayerSource::Remote,
        };
        let (roster, sources) =
            Roster::seat(self.entrants().into_iter().zip(self.seats.iter().map(source)), &seed);
        let terms = Terms {
            plan: EventPlan {
                seats: MAX_SEATS,
                format: if self.decks() == self.rounds() { Format::FRESH_DEALS } else { Format::EQUAL_DEALS },
                level_rounds: Some(1),
                ..EventPlan::single_table()
            },
            conduct: TableSettings { on_foul: OnFoul::Fold, ..TableSettings::default() },
            stack: self.terms.stack,
            rounds: Some(self.rounds()),
            reply_ms: self.terms.reply_ms,
            relogin: false,
            house_counts: true,
        };
        let header = Header::new(terms, &seed, roster.players().iter().cloned().zip(sources));
        header.check().map_err(|why| LadderError::Refused(format!("the match cannot be played: {why}")))?;
        Ok(header)
    }
}

/// The result of a match, as its journal proves it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMatch {
    /// The result of each seat of the plan.
    pub results: Vec<SeatResult>,
    /// The fouls, in the order in which they happened.
    pub fouls: Vec<super::MatchFoul>,
    /// The rounds that were played.
    pub rounds: u64,
    /// The SHA-256 of the journal.
    pub journal_sha256: String,
    /// The bytes of the journal.
    pub journal_bytes: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(labels: &[&str]) -> MatchPlan {
        let seat = |label: &&str| PlannedSeat { label: label.to_string(), plays: SeatSource::Connection };
        let terms = MatchTerms { kind: MatchKind::Rated, decks: 3, stack: 500, reply_ms: 100 };
        MatchPlan::new(terms, &Seed::drawn([7; 32]), labels.iter().map(seat).collect())
    }

    #[test]
    fn seats_are_found_in_the_order_of_their_labels() {
        let ordered: Vec<String> = (10..27).map(|number| format!("p/{number}")).collect();
        let ordered: Vec<&str> = ordered.iter().map(String::as_str).collect();
        for planned in [plan(&ordered), plan(&ordered[..8])] {
            let mut recorded = planned.clone();
            recorded.seats.reverse();
            recorded.name.clear();
            assert_eq!(recorded.clone().named("0123456789abcdef"), None);
            assert_eq!(recorded.named(&planned.name), Some(planned));
        }
    }
}
