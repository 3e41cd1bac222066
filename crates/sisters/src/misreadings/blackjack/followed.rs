//! Following every game of a program from hand to hand, so far that a rule can be held against it: which hole cards were
//! dealt and how the program counts. Each decision is judged by what the program itself has shown so far, so that one
//! fault is one fault and does not make everything after it wrong.

use casino_stud::cards::Card;

use super::bets::Exposure;
use super::decks::{self, Dealt, DeckReading, follow};
use super::draws::DrawDecision;
use super::faulty_hand::{self, FaultyHand, HandFault};
use super::findings::{ObservedRule, TranscriptFindings};
use super::said::Said;
use super::transcript::HandSaid;
use super::written::WrittenGame;
use crate::blackjack::HandValue;
use crate::misreadings::evidence::{Flaw, OutputPlace, Reading};

/// Games with what is known of them behind their lines.
#[derive(Debug)]
pub(super) struct FollowedGames<'a> {
    pub(super) games: &'a [WrittenGame],
    /// How the program counts its hands wrongly, as far as that is known.
    pub(super) counted: Option<HandFault>,
    /// The hole card of each hand of each game.
    pub(super) holes: Vec<Vec<Option<Card>>>,
}

impl<'a> FollowedGames<'a> {
    /// Follows the deck and then, with the hole cards known, the totals. Gives what it found wrong with either.
    pub(super) fn new(games: &'a [WrittenGame]) -> (FollowedGames<'a>, Vec<TranscriptFindings>) {
        let (holes, of_deck) = deck(games);
        let followed = FollowedGames { games, counted: None, holes };
        let (counted, of_totals) = followed.totals();
        (FollowedGames { counted, ..followed }, vec![of_deck, of_totals])
    }

    /// Every hand of every game, with its place and its number.
    pub(super) fn hands(&self) -> impl Iterator<Item = (usize, usize, &'a HandSaid)> + use<'a> {
        let games = self.games.iter().enumerate();
        games.flat_map(|(game, run)| {
            run.transcript.hands.iter().enumerate().map(move |(hand, said)| (game, hand, said))
        })
    }

    /// The dealer's cards of a hand that it has played: the one face up, the hole card, and those it drew.
    pub(super) fn dealers_cards(&self, game: usize, hand: usize, said: &HandSaid) -> Option<Vec<Card>> {
        let shown: Vec<Card> = said.dealer().into_iter().map(|(_, card)| card).collect();
        let hole = said.hole().map(|(_, card)| card).or_else(|| {
            said.first(|said| matches!(said, Said::DealerTotal(_)))?;
            self.holes[game][hand]
        })?;
        let (up, drawn) = shown.split_first()?;
        Some([&[*up, hole], drawn].concat())
    }

    /// The value of cards as the program counts them.
    pub(super) fn value(&self, cards: &[Card]) -> HandValue {
        FaultyHand::of(self.counted, cards.iter().copied()).value()
    }

    /// The total of the player's cards as the program counts them.
    pub(super) fn player_total(&self, said: &HandSaid) -> u32 {
        let cards: Vec<Card> = said.player().into_iter().map(|(_, card)| card).collect();
        self.value(&cards).count
    }

    fn totals(&self) -> (Option<HandFault>, TranscriptFindings) {
        let mut observed = ObservedRule::new(faulty_hand::WRONG.len());
        for (game, hand, said) in self.hands() {
            for (line, line_said) in &said.said {
                let (total, cards) = match line_said {
                    Said::PlayerTotal(total) => {
                        (*total, said.player().into_iter().map(|(_, card)| card).collect())
                    }
                    Said::DealerTotal(total) => match self.dealers_cards(game, hand, said) {
                        Some(cards) => (*total, cards),
                        None => continue,
                    },
                    _ => continue,
                };
                let agrees = |counted| FaultyHand::of(counted, cards.iter().copied()).agrees(total);
                let at = OutputPlace { game, line: *line };
                let explains = |other: usize| agrees(Some(faulty_hand::WRONG[other]));
                observed.see(at, hand + 1, agrees(None), explains);
            }
        }
        let fitting: Vec<HandFault> = observed.tally.fitting().map(|fits| faulty_hand::WRONG[fits]).collect();
        if !observed.tally.is_any_wrong() {
            return self.totals_behind_decisions(&fitting);
        }
        let readings = faulty_hand::WRONG.map(HandFault::reading);
        (fitting.first().copied(), observed.conclude(faulty_hand::THEME, &readings))
    }

    /// A hand is never over with a total that another count of its aces could raise. So a wrong count may not show in
    /// any total, but in what is decided by it.
    fn totals_behind_decisions(&self, fitting: &[HandFault]) -> (Option<HandFault>, TranscriptFindings) {
        let mut findings = TranscriptFindings::default();
        let wrong = self.wrong_decisions(None);
        let Some((first, _)) = wrong.first().copied() else { return (None, findings) };
        let explains = |fault: &&HandFault| self.wrong_decisions(Some(**fault)).is_empty();
        let explaining: Vec<HandFault> = fitting.iter().filter(explains).copied().collect();
        if explaining.is_empty() {
            return (None, findings);
        }
        let readings: Vec<Reading> = explaining.iter().map(|fault| fault.reading()).collect();
        let says: Vec<&str> = readings.iter().map(|reading| reading.says).collect();
        findings.found(Some(Flaw {
            codes: readings.iter().map(|reading| reading.code.to_string()).collect(),
            says: format!(
                "{} This explains every decision of player and dealer, of which {} are wrong.",
                says.join(" Or: "),
                wrong.len()
            ),
            first,
        }));
        wrong.into_iter().for_each(|(at, part)| findings.differs(at, part));
        (explaining.first().copied(), findings)
    }

    /// The decisions of player and dealer that are wrong if hands are counted this way, with their parts of the game.
    fn wrong_decisions(&self, counted: Option<HandFault>) -> Vec<(OutputPlace, usize)> {
        let mut wrong = Vec::new();
        for (game, hand, said) in self.hands() {
            if said.first(|said| matches!(said, Said::Natural)).is_some() {
                continue;
            }
            let cards = said.player();
            let plain: Vec<Card> = cards.iter().map(|(_, card)| *card).collect();
            let up = said.dealer().first().map(|(_, card)| *card);
            for held in 2..=plain.len() {
                let Some(up) = up else { break };
                let decision = DrawDecision::counted(counted, &plain[..held], up, None);
                let drew = held < plain.len();
                if (drew || said.player_is_done()) && (decision.total <= 21 && decision.draws()) != drew {
                    wrong.push((OutputPlace { game, line: cards[held - 1].0 + 1 }, hand + 1));
                }
            }
            let Some(end) = said.first(|said| matches!(said, Said::DealerTotal(_))) else { continue };
            let dealers = self.dealers_cards(game, hand, said).unwrap_or_default();
            for held in 2..=dealers.len() {
                let total = FaultyHand::of(counted, dealers[..held].iter().copied()).value().count;
                if (total < 17) != (held < dealers.len()) {
                    wrong.push((OutputPlace { game, line: end }, hand + 1));
                }
            }
        }
        wrong
    }

    /// The cards of a hand as a counting player may see them.
    pub(super) fn exposed(&self, game: usize, hand: usize, said: &HandSaid) -> Vec<(Exposure, Card)> {
        let mut all = Vec::new();
        let (mut players, mut dealers) = (0, 0);
        for (_, line) in &said.said {
            match line {
                Said::Player(card) => {
                    players += 1;
                    let which = match players {
                        1 => Exposure::PlayerFirst,
                        2 => Exposure::PlayerSecond,
                        _ => Exposure::PlayerDrawn,
                    };
                    all.push((which, *card));
                }
                Said::Dealer(card) => {
                    dealers += 1;
                    all.push((if dealers > 1 { Exposure::DealerDrawn } else { Exposure::DealerUp }, *card));
                }
                Said::Hole(card) => all.push((Exposure::HoleShown, *card)),
                _ => {}
            }
        }
        if said.hole().is_none()
            && let Some(hole) = self.holes[game][hand]
        {
            let natural = said.first(|said| matches!(said, Said::Natural)).is_some();
            let played = said.first(|said| matches!(said, Said::DealerTotal(_))).is_some();
            let kind = match (played, natural) {
                (true, _) => Exposure::HoleShown,
                (false, true) => Exposure::HoleAfterNatural,
                (false, false) => Exposure::HoleAfterBust,
            };
            all.push((kind, hole));
        }
        all
    }
}

/// The hole cards, from the deck by which the cards come, and what is wrong with that deck.
fn deck(games: &[WrittenGame]) -> (Vec<Vec<Option<Card>>>, TranscriptFindings) {
    let holes = |dealt: Vec<Dealt>| dealt.into_iter().map(|game| game.holes).collect();
    let kept =
        |kept: DeckReading| -> Vec<Dealt> { games.iter().map(|run| follow(kept, &run.transcript)).collect() };
    let right = kept(DeckReading::Right);
    if right.iter().all(|game| game.cards.iter().all(|(_, right)| *right)) {
        return (holes(right), TranscriptFindings::default());
    }
    let wrong = decks::wrong();
    let mut others: Vec<Vec<Dealt>> = wrong.iter().map(|(_, other)| kept(*other)).collect();
    let mut observed = ObservedRule::new(wrong.len());
    for (game, dealt) in right.iter().enumerate() {
        // A way in which the hole card is not a card of its own shows as many cards all the same.
        for (at, (line, fine)) in dealt.cards.iter().enumerate() {
            let part = games[game].transcript.part_of(*line);
            let explains = |other: usize| others[other][game].cards.get(at).is_some_and(|card| card.1);
            observed.see(OutputPlace { game, line: *line }, part, *fine, explains);
        }
    }
    let known = observed.tally.fitting().next().map_or(right, |fits| others.swap_remove(fits));
    (holes(known), observed.conclude(decks::THEME, &wrong.map(|(reading, _)| reading)))
}
