//! Follows a program's games hand by hand: the hole cards, and how the program counts its hands.

use casino_stud::cards::Card;

use super::transcript::{HandLines, Transcript};
use super::transcript_line::GameLine;
use super::ways::{DeckWay, FollowedDeck, HandWay, WRONG_DECKS, WRONG_HANDS};
use super::written::WrittenGame;
use crate::blackjack::HandValue;
use crate::misreadings::{Explanation, Misreading, ObservedRule, OutputPlace, known};

const LEFT_FIRST: Misreading = known(
    "left-first",
    "A cut begins with the first card of the left part; it is the first card of the right part, then the first of the left.",
);

const SOFT_ACE_STAYS: Misreading = known(
    "soft-ace-stays",
    "An ace that once counted 11 keeps counting 11; it counts 1 as soon as the hand would be over 21.",
);

/// The wrong parts of games, and the misreadings that explain them.
#[derive(Debug, Default)]
pub(super) struct MisreadingFindings {
    pub(super) wrong: Vec<(usize, usize)>,
    pub(super) explained: Vec<Explanation>,
}

impl MisreadingFindings {
    /// Adds a rule. The names belong to its first ways.
    pub(super) fn add(&mut self, rule: ObservedRule, names: &[Misreading]) {
        self.explained.extend(rule.explanations(names));
        self.wrong.extend(rule.wrong);
    }

    /// Adds a wrong part of a game.
    pub(super) fn differs(&mut self, game: usize, part: usize) {
        self.wrong.push((game, part));
    }
}

/// Games with the hole cards and the way in which the program counts.
#[derive(Debug)]
pub(super) struct FollowedGames<'a> {
    pub(super) games: &'a [WrittenGame],
    pub(super) counted: HandWay,
    /// The hole card of each hand of each game.
    pub(super) holes: Vec<Vec<Option<Card>>>,
}

impl<'a> FollowedGames<'a> {
    /// Follows the deck and then, with the hole cards, the totals.
    pub(super) fn new(games: &'a [WrittenGame], findings: &mut MisreadingFindings) -> FollowedGames<'a> {
        let followed = FollowedGames { games, counted: HandWay::Right, holes: holes(games, findings) };
        FollowedGames { counted: followed.totals(findings), ..followed }
    }

    /// Every hand of every game, with the numbers of both.
    pub(super) fn hands(&self) -> impl Iterator<Item = (usize, usize, &'a HandLines)> + use<'a> {
        let games = self.games.iter().enumerate();
        games.flat_map(|(game, run)| {
            run.transcript.hands.iter().enumerate().map(move |(hand, said)| (game, hand, said))
        })
    }

    /// The dealer's cards of a hand that it has played: the up card, the hole card and the cards drawn.
    pub(super) fn dealers_cards(&self, game: usize, hand: usize, said: &HandLines) -> Option<Vec<Card>> {
        let shown: Vec<Card> = said.dealer().into_iter().map(|(_, card)| card).collect();
        let hole = said.hole().or_else(|| {
            said.first(|said| matches!(said, GameLine::DealerTotal(_)))?;
            self.holes[game][hand]
        })?;
        let (up, drawn) = shown.split_first()?;
        Some([&[*up, hole], drawn].concat())
    }

    /// The value of cards as the program counts them.
    pub(super) fn value(&self, cards: &[Card]) -> HandValue {
        self.counted.value(cards)
    }

    /// The total of the player's cards as the program counts them.
    pub(super) fn player_total(&self, said: &HandLines) -> u32 {
        self.value(&said.players_cards()).count
    }

    /// Checks the totals, and returns how the program counts.
    fn totals(&self, findings: &mut MisreadingFindings) -> HandWay {
        let mut rule = ObservedRule::new(WRONG_HANDS.len());
        for (game, hand, said) in self.hands() {
            for (line, line_said) in &said.said {
                let (total, cards) = match line_said {
                    GameLine::PlayerTotal(total) => (*total, said.players_cards()),
                    GameLine::DealerTotal(total) => match self.dealers_cards(game, hand, said) {
                        Some(cards) => (*total, cards),
                        None => continue,
                    },
                    _ => continue,
                };
                let right = HandWay::Right.agrees(total, &cards);
                let at = OutputPlace { game, line: *line };
                rule.see(at, hand + 1, right, |way| WRONG_HANDS[way].agrees(total, &cards));
            }
        }
        let counted = rule.way().map_or(HandWay::Right, |way| WRONG_HANDS[way]);
        findings.add(rule, &[SOFT_ACE_STAYS]);
        counted
    }

    /// The cards of a hand that are turned up, and whether each is the hole card.
    pub(super) fn exposed(&self, game: usize, hand: usize, said: &HandLines) -> Vec<(bool, Card)> {
        let mut all = Vec::new();
        for (_, line) in &said.said {
            match line {
                GameLine::Player(card) | GameLine::Dealer(card) => all.push((false, *card)),
                GameLine::Hole(card) => all.push((true, *card)),
                _ => {}
            }
        }
        let played = said.first(|said| matches!(said, GameLine::DealerTotal(_))).is_some();
        if said.hole().is_none() && played {
            all.extend(self.holes[game][hand].map(|hole| (true, hole)));
        }
        all
    }
}

/// Checks the cards that come, and returns the hole cards.
fn holes(games: &[WrittenGame], findings: &mut MisreadingFindings) -> Vec<Vec<Option<Card>>> {
    let followed =
        |way: DeckWay| -> Vec<Dealt> { games.iter().map(|run| follow(way, &run.transcript)).collect() };
    let right = followed(DeckWay::Right);
    let mut rule = ObservedRule::new(WRONG_DECKS.len());
    let mut known = right;
    if known.iter().any(|game| game.cards.iter().any(|(_, right)| !right)) {
        let mut others: Vec<Vec<Dealt>> = WRONG_DECKS.map(followed).into();
        for (game, dealt) in known.iter().enumerate() {
            for (at, (line, right)) in dealt.cards.iter().enumerate() {
                let part = games[game].transcript.part_of(*line);
                let explains = |way: usize| others[way][game].cards.get(at).is_some_and(|card| card.1);
                rule.see(OutputPlace { game, line: *line }, part, *right, explains);
            }
        }
        if let Some(way) = rule.way() {
            known = others.swap_remove(way);
        }
    }
    findings.add(rule, &[LEFT_FIRST]);
    known.into_iter().map(|game| game.holes).collect()
}

/// The cards of a transcript as a deck deals them.
struct Dealt {
    /// For each card that was shown, its line and whether it is the right one.
    cards: Vec<(usize, bool)>,
    /// The hole card of each hand, shown or not, if it was dealt.
    holes: Vec<Option<Card>>,
}

fn follow(way: DeckWay, transcript: &Transcript) -> Dealt {
    let mut deck = FollowedDeck::new(way);
    let mut dealt = Dealt { cards: Vec::new(), holes: Vec::new() };
    let mut shuffles = transcript.shuffles.iter().peekable();
    for hand in &transcript.hands {
        let mut shown = 0;
        let mut hole = None;
        for (line, said) in &hand.said {
            while let Some(shuffle) = shuffles.next_if(|shuffle| shuffle.line < *line) {
                deck.take_back();
                shuffle.cuts.iter().for_each(|cut| deck.cut((*cut).clamp(0, 52) as usize));
            }
            match said {
                GameLine::Player(card) | GameLine::Dealer(card) => {
                    dealt.cards.push((*line, deck.deals(*card)));
                    shown += 1;
                    if shown == 3 && way != DeckWay::HoleDealtLate {
                        hole = deck.deal_unseen();
                    }
                }
                GameLine::Hole(card) if way == DeckWay::HoleDealtLate => {
                    dealt.cards.push((*line, deck.deals(*card)));
                    hole = Some(*card);
                }
                GameLine::Hole(card) => dealt.cards.push((*line, hole == Some(*card))),
                _ => {}
            }
        }
        dealt.holes.push(hole);
    }
    dealt
}
