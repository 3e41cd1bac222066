//! A transcript read into shuffles and hands.

use std::collections::HashMap;

use casino_stud::cards::Card;

use super::transcript_line::GameLine;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ShufflePlace {
    /// Before the first hand.
    Opening,
    BeforeHandLine,
    /// After the line of a hand and before the bet, where it belongs.
    AfterHandLine,
    InHand,
}

/// A shuffle with its cuts. Lines are counted from 0.
#[derive(Clone, Debug)]
pub(super) struct ShuffleLines {
    pub(super) line: usize,
    pub(super) place: ShufflePlace,
    /// The number of hands that had begun before its cards are dealt: the hand it belongs to.
    pub(super) hand: usize,
    pub(super) cuts: Vec<i64>,
}

/// The lines of a hand, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct HandLines {
    pub(super) line: usize,
    pub(super) number: i64,
    pub(super) bankroll: i64,
    pub(super) bet: Option<(usize, i64)>,
    /// Everything from the first card on, with its line.
    pub(super) said: Vec<(usize, GameLine)>,
}

/// The last line of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastLine {
    pub(super) line: usize,
    pub(super) bankroll: i64,
    pub(super) hands: i64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Transcript {
    pub(super) shuffles: Vec<ShuffleLines>,
    pub(super) hands: Vec<HandLines>,
    pub(super) over: Option<LastLine>,
    /// The lines whose text is not exactly the document's.
    pub(super) inexact: Vec<usize>,
    pub(super) lines: usize,
    /// Whether a line that the document has comes after the closing one.
    pub(super) after_the_end: bool,
}

impl Transcript {
    pub(super) fn read(text: &str) -> Transcript {
        let mut all = Transcript::default();
        // Most lines are there again and again.
        let mut known = HashMap::new();
        for (line, words) in text.split_terminator('\n').enumerate() {
            all.lines = line + 1;
            let (said, is_exact) = *known.entry(words).or_insert_with(|| GameLine::read(words));
            if !is_exact {
                all.inexact.push(line);
            }
            if let Some(said) = said {
                all.take(line, said);
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            let last = all.lines - 1;
            match all.over {
                Some(_) => all.inexact.push(last),
                // An incomplete last line is not a misspelled one.
                None => all.inexact.retain(|line| *line != last),
            }
        }
        all
    }

    fn take(&mut self, line: usize, said: GameLine) {
        if self.over.is_some() {
            self.after_the_end = true;
            return;
        }
        match said {
            GameLine::Shuffling => {
                let (place, hand) = match self.hands.last() {
                    None => (ShufflePlace::Opening, 0),
                    Some(hand) if hand.is_finished() => (ShufflePlace::BeforeHandLine, self.hands.len()),
                    Some(hand) if hand.bet.is_none() && hand.said.is_empty() => {
                        (ShufflePlace::AfterHandLine, self.hands.len() - 1)
                    }
                    Some(_) => (ShufflePlace::InHand, self.hands.len() - 1),
                };
                self.shuffles.push(ShuffleLines { line, place, hand, cuts: Vec::new() });
            }
            GameLine::Cut(cut) => {
                if let Some(shuffle) = self.shuffles.last_mut() {
                    shuffle.cuts.push(cut);
                }
            }
            GameLine::Hand { number, bankroll } => {
                self.hands.push(HandLines { line, number, bankroll, ..HandLines::default() });
            }
            GameLine::Over { bankroll, hands } => self.over = Some(LastLine { line, bankroll, hands }),
            GameLine::Bet(bet) => {
                if let Some(hand) = self.hands.last_mut() {
                    hand.bet.get_or_insert((line, bet));
                }
            }
            said => {
                if let Some(hand) = self.hands.last_mut() {
                    hand.said.push((line, said));
                }
            }
        }
    }

    /// The shuffles whose cards a hand is dealt from first.
    pub(super) fn shuffles_of(&self, hand: usize) -> impl Iterator<Item = &ShuffleLines> {
        let from = self.shuffles.partition_point(|shuffle| shuffle.hand < hand);
        self.shuffles[from..].iter().take_while(move |shuffle| shuffle.hand == hand)
    }

    /// The part of the game that a line belongs to: 0 is the opening shuffle, then the hands, then the end.
    pub(super) fn part_of(&self, line: usize) -> usize {
        match self.over {
            Some(over) if line >= over.line => self.hands.len() + 1,
            _ => self.hands.partition_point(|hand| hand.line <= line),
        }
    }

    /// The bankroll after a hand, if the transcript is long enough to contain it.
    pub(super) fn bankroll_after(&self, hand: usize) -> Option<(usize, i64)> {
        let next = self.hands.get(hand + 1).map(|next| (next.line, next.bankroll));
        next.or(self.over.map(|over| (over.line, over.bankroll)))
    }
}

impl HandLines {
    fn is_finished(&self) -> bool {
        self.said.iter().any(|(_, said)| {
            matches!(
                said,
                GameLine::Natural
                    | GameLine::PlayerBusts
                    | GameLine::DealerBusts
                    | GameLine::DealerWins
                    | GameLine::PlayerWins
                    | GameLine::Push
            )
        })
    }

    /// The line of the first thing of a kind.
    pub(super) fn first(&self, kind: impl Fn(&GameLine) -> bool) -> Option<usize> {
        self.said.iter().find(|(_, said)| kind(said)).map(|(line, _)| *line)
    }

    pub(super) fn players_cards(&self) -> Vec<Card> {
        self.player().into_iter().map(|(_, card)| card).collect()
    }

    pub(super) fn player(&self) -> Vec<(usize, Card)> {
        let card = |(line, said): &(usize, GameLine)| match said {
            GameLine::Player(card) => Some((*line, *card)),
            _ => None,
        };
        self.said.iter().filter_map(card).collect()
    }

    /// The dealer's cards that were dealt face up, with their lines.
    pub(super) fn dealer(&self) -> Vec<(usize, Card)> {
        let card = |(line, said): &(usize, GameLine)| match said {
            GameLine::Dealer(card) => Some((*line, *card)),
            _ => None,
        };
        self.said.iter().filter_map(card).collect()
    }

    /// The hole card, if it was shown.
    pub(super) fn hole(&self) -> Option<Card> {
        self.said.iter().find_map(|(_, said)| match said {
            GameLine::Hole(card) => Some(*card),
            _ => None,
        })
    }

    /// Whether a natural 21 is announced.
    pub(super) fn is_natural(&self) -> bool {
        self.first(|said| matches!(said, GameLine::Natural)).is_some()
    }

    /// Whether the player's turn ends in the transcript.
    pub(super) fn player_is_done(&self) -> bool {
        self.first(|said| !matches!(said, GameLine::Player(_) | GameLine::Dealer(_))).is_some()
    }

    /// The last line of the hand.
    pub(super) fn end(&self) -> usize {
        self.said.last().map(|(line, _)| *line).or(self.bet.map(|(line, _)| line)).unwrap_or(self.line)
    }
}
