//! The procedure around the decisions: shuffles and cuts, naturals, the lines of a hand, and how a game ends.

use crate::blackjack::CourseCuts;
use casino_stud::cards::{Card, Rank};

use super::faulty_hand::{HandFault, is_natural};
use super::findings::{ObservedRule, TranscriptFindings};
use super::followed::FollowedGames;
use super::said::Said;
use super::transcript::{HandSaid, ShufflePlace};
use crate::misreadings::evidence::{Flaw, OutputPlace, Reading, Theme};

const CUTS: usize = 7;

const NATURALS: [Reading; 3] = [
    Reading { code: "natural-not-known", says: "A natural 21 is never announced." },
    Reading {
        code: "natural-without-ten",
        says: "An ace and a ten are no natural 21 for it; a ten is worth ten too.",
    },
    Reading {
        code: "natural-only-ten",
        says: "An ace and a picture are no natural 21 for it; a picture is worth ten.",
    },
];

const NATURALS_THEME: Theme = Theme {
    code: "naturals",
    what: "naturals",
    rule: "An ace and a card worth ten as the first two cards are a natural 21, and one line says so.",
};

impl FollowedGames<'_> {
    /// When the deck is shuffled, and where that is said.
    pub(super) fn shuffles(&self) -> TranscriptFindings {
        let mut findings = TranscriptFindings::default();
        let games = self.games;
        let (mut wrong, mut seen, mut first) = (0, 0, None);
        let (mut most_shuffled, mut least_kept) = (None, None);
        for (game, run) in games.iter().enumerate() {
            let transcript = &run.transcript;
            if transcript.lines > 0 && !transcript.shuffles.iter().any(|s| s.place == ShufflePlace::Opening) {
                let says = "The game does not begin with a shuffle.";
                findings.plain("no-opening-shuffle", says, OutputPlace { game, line: 0 }, 0);
            }
            for shuffle in &transcript.shuffles {
                let at = OutputPlace { game, line: shuffle.line };
                match shuffle.place {
                    ShufflePlace::BeforeHandLine => findings.plain(
                        "reshuffle-before-hand-line",
                        "A reshuffle is announced before the line of the hand; it comes after it.",
                        at,
                        shuffle.hand + 1,
                    ),
                    ShufflePlace::InHand => findings.plain(
                        "reshuffle-in-hand",
                        "The deck is shuffled within a hand; it is only at its beginning, before the bet.",
                        at,
                        shuffle.hand + 1,
                    ),
                    ShufflePlace::Opening | ShufflePlace::AfterHandLine => {}
                }
            }
            let mut left: i64 = 52;
            for (hand, said) in transcript.hands.iter().enumerate() {
                let shuffled = transcript.shuffles_of(hand).next().is_some();
                if hand > 0 {
                    seen += 1;
                    let extreme = if shuffled { &mut most_shuffled } else { &mut least_kept };
                    let old = extreme.unwrap_or(left);
                    *extreme = Some(if shuffled { left.max(old) } else { left.min(old) });
                    if shuffled != (left < 20) {
                        wrong += 1;
                        let at = OutputPlace { game, line: said.line + 1 };
                        first.get_or_insert(at);
                        findings.differs(at, hand + 1);
                    }
                }
                left = if shuffled { 52 } else { left } - cards_of(said);
            }
        }
        findings.found(first.map(|first| reshuffled(wrong, seen, first, most_shuffled, least_kept)));
        findings
    }

    /// The cuts of each shuffle, which are those of the course's generator.
    pub(super) fn cuts(&self) -> TranscriptFindings {
        let mut findings = TranscriptFindings::default();
        const SAYS: &str = "The cuts are not those of the course's generator: MT19937 seeded once with 0, 13 + output \
                            modulo 27, which is never begun anew.";
        let mut numbers: Vec<usize> = Vec::new();
        let mut first = None;
        let (mut other, mut again) = (false, true);
        for (game, run) in self.games.iter().enumerate() {
            let mut course = CourseCuts::new().map(|cut| cut.left() as i64);
            let begin: Vec<i64> = CourseCuts::new().map(|cut| cut.left() as i64).take(CUTS).collect();
            let last = run.transcript.shuffles.len().saturating_sub(1);
            for (number, shuffle) in run.transcript.shuffles.iter().enumerate() {
                // An output that stops in a shuffle has another fault.
                if number == last && run.transcript.over.is_none() && shuffle.cuts.len() < CUTS {
                    continue;
                }
                let differs = shuffle.cuts.iter().any(|cut| course.next() != Some(*cut));
                numbers.push(shuffle.cuts.len());
                again &= shuffle.cuts == begin;
                other |= differs;
                if differs || shuffle.cuts.len() != CUTS {
                    let at = OutputPlace { game, line: shuffle.line + 1 };
                    first.get_or_insert(at);
                    let part = if shuffle.place == ShufflePlace::Opening { 0 } else { shuffle.hand + 1 };
                    findings.differs(at, part);
                }
            }
        }
        let Some(first) = first else { return findings };
        let (code, says) = if again && other {
            let says =
                "Each shuffle begins the generator of the cuts anew; it is seeded once, before the game.";
            ("generator-seeded-again", says.to_string())
        } else if numbers.iter().any(|number| *number != CUTS) {
            let (least, most) = (numbers.iter().min(), numbers.iter().max());
            let number = match (least, most) {
                (Some(least), Some(most)) if least != most => format!("{least} to {most}"),
                (Some(least), _) => least.to_string(),
                _ => "no".into(),
            };
            ("number-of-cuts", format!("A shuffle has {number} cuts; it takes seven, each announced."))
        } else {
            ("other-cuts", SAYS.to_string())
        };
        findings.found(Some(Flaw { codes: vec![code.to_string()], says, first }));
        findings
    }

    /// Naturals: whether they are announced, and what comes after.
    pub(super) fn naturals(&self) -> TranscriptFindings {
        let mut observed = ObservedRule::new(NATURALS.len());
        for (game, hand, said) in self.hands() {
            let cards: Vec<(usize, Card)> = said.player();
            let (Some((_, first)), Some((line, second))) = (cards.first(), cards.get(1)) else { continue };
            let at = OutputPlace { game, line: line + 1 };
            let announced = said.first(|said| matches!(said, Said::Natural));
            let real = is_natural(*first, *second);
            // Who never counts an ace 11 has no natural, and that is the fault.
            if real && said.player_is_done() && self.counted != Some(HandFault::AceAlways1) {
                let ten = first.rank() == Rank::Ten || second.rank() == Rank::Ten;
                let is = announced.is_some();
                observed.see(at, hand + 1, is, |reading| [!is, is != ten, is == ten][reading]);
            }
            let Some(line) = announced else { continue };
            let at = OutputPlace { game, line };
            if real {
                if let Some((line, code, says)) = after_natural(said) {
                    observed.findings.plain(code, says, OutputPlace { game, line }, hand + 1);
                }
            } else if cards.len() > 2 {
                let says =
                    "A 21 of three or more cards is announced as a natural 21; only two cards are one.";
                observed.findings.plain("three-cards-natural", says, at, hand + 1);
            } else {
                let says = "A natural 21 is announced that is none: it is an ace and a card worth ten.";
                observed.findings.plain("natural-unfounded", says, at, hand + 1);
            }
        }
        observed.conclude(NATURALS_THEME, &NATURALS)
    }

    /// Which lines a hand has, and in which order.
    pub(super) fn lines(&self) -> TranscriptFindings {
        let mut findings = TranscriptFindings::default();
        for (game, hand, said) in self.hands() {
            let transcript = &self.games[game].transcript;
            let unfinished = transcript.over.is_none() && hand + 1 == transcript.hands.len();
            let problem = self.line_problem(said, unfinished);
            if let Some((line, code, says)) = problem {
                findings.plain(code, says, OutputPlace { game, line }, hand + 1);
            }
        }
        findings
    }

    fn line_problem(&self, said: &HandSaid, unfinished: bool) -> Option<(usize, &'static str, &'static str)> {
        let first = |kind: fn(&Said) -> bool| said.first(kind);
        let end = said.end();
        if said.bet.is_none() && !unfinished {
            return Some((said.line + 1, "bet-not-said", "The bet is not announced."));
        }
        let dealt: Vec<bool> =
            said.said.iter().take(3).map(|(_, said)| matches!(said, Said::Player(_))).collect();
        if dealt.len() == 3 && dealt != [true, false, true] {
            let says = "The first cards are not dealt to player, dealer, player, dealer.";
            return Some((said.said[1].0, "deal-order", says));
        }
        if first(|said| matches!(said, Said::Natural)).is_some() || unfinished {
            return None;
        }
        let total = self.player_total(said);
        let player_total = first(|said| matches!(said, Said::PlayerTotal(_)));
        let busts = first(|said| matches!(said, Said::PlayerBusts));
        let hole = first(|said| matches!(said, Said::Hole(_)));
        let dealer_total = first(|said| matches!(said, Said::DealerTotal(_)));
        if total > 21 {
            return match (player_total, busts) {
                (None, Some(line)) => {
                    Some((line, "bust-without-total", "The total is not printed when the player busts."))
                }
                (Some(total), Some(line)) if line < total => Some((
                    line,
                    "bust-before-total",
                    "\"Player busts\" comes before the total; it comes after it.",
                )),
                (_, None) => Some((end, "bust-not-said", "The player busts, and it is not said.")),
                _ if dealer_total.is_some() || said.dealer().len() > 1 => {
                    let says = "The dealer plays after the player has busted; the hand is over then.";
                    Some((hole.unwrap_or(end), "dealer-plays-after-bust", says))
                }
                _ => hole.map(|line| {
                    (
                        line,
                        "hole-shown-after-bust",
                        "The hole card is shown after a bust; it stays hidden then.",
                    )
                }),
            };
        }
        let result = first(Said::is_result);
        let problem = if let Some(line) = busts {
            Some((line, "bust-unfounded", "\"Player busts\" is said with a total of 21 or less."))
        } else if player_total.is_none() {
            Some((end, "total-not-said", "The player's total is not printed."))
        } else if hole.is_none() {
            Some((end, "hole-not-shown", "The dealer's hole card is not shown when the dealer plays."))
        } else if dealer_total.is_none() {
            Some((end, "dealers-total-not-said", "The dealer's total is not printed."))
        } else if result.is_none() {
            Some((end, "result-not-said", "It is not said who wins the hand."))
        } else {
            None
        };
        problem.or_else(|| out_of_order(said))
    }

    /// How hands are numbered, and how a game ends.
    pub(super) fn ends(&self) -> TranscriptFindings {
        let mut findings = TranscriptFindings::default();
        let games = self.games;
        for (game, run) in games.iter().enumerate() {
            let transcript = &run.transcript;
            let from_zero = transcript.hands.iter().enumerate().all(|(at, hand)| hand.number == at as i64)
                && !transcript.hands.is_empty();
            for (at, hand) in transcript.hands.iter().enumerate() {
                let place = OutputPlace { game, line: hand.line };
                if from_zero {
                    findings.plain(
                        "hand-from-zero",
                        "Hands are numbered from 0; they are from 1.",
                        place,
                        at + 1,
                    );
                } else if hand.number != at as i64 + 1 {
                    findings.plain("hand-numbers", "Hands are not numbered 1, 2, 3.", place, at + 1);
                }
                if at == 0 && hand.bankroll != i64::from(run.asked.bankroll) {
                    let says = "The first hand does not begin with the bankroll that was given.";
                    findings.plain("first-bankroll", says, place, 1);
                }
                if hand.bankroll < 5 {
                    let says = "A hand is played with a bankroll below 5, the minimum bet.";
                    findings.plain("plays-when-poor", says, place, at + 1);
                } else if at as u32 >= run.asked.hands {
                    let says = "More hands are played than were asked for.";
                    findings.plain("one-hand-too-many", says, place, at + 1);
                }
            }
            let closing = transcript.hands.len() + 1;
            let line = transcript.lines.saturating_sub(1);
            let problem = match transcript.over {
                Some(over) => self.closing_problem(game).map(|problem| (over.line, problem)),
                None if run.is_cut_off => None,
                None => self.missing_end(game).map(|problem| (line, problem)),
            };
            if let Some((line, (code, says))) = problem {
                findings.plain(code, says, OutputPlace { game, line }, closing);
            }
            if let Some(line) = transcript.after_the_end {
                findings.plain(
                    "after-the-end",
                    "Something comes after the closing line.",
                    OutputPlace { game, line },
                    closing,
                );
            }
        }
        findings
    }

    /// What is wrong with a closing line.
    fn closing_problem(&self, game: usize) -> Option<(&'static str, &'static str)> {
        let run = &self.games[game];
        let transcript = &run.transcript;
        let over = transcript.over?;
        let played = transcript.hands.len() as i64;
        let from_zero = transcript.hands.first().is_some_and(|hand| hand.number == 0);
        if played == 0 && over.bankroll != i64::from(run.asked.bankroll) {
            return Some(("closing-bankroll", "The closing line has another bankroll than the player."));
        }
        if run.stops_early() {
            return Some(if over.bankroll == 5 {
                ("stops-at-5", "The game ends with a bankroll of 5, which is enough for another hand.")
            } else if over.bankroll < 10 {
                (
                    "stops-below-10",
                    "The game ends with a bankroll of 5 to 9, which is enough for another hand.",
                )
            } else {
                ("stops-early", "The game ends though the bankroll is 5 or more and hands are left.")
            });
        }
        match over.hands - played {
            0 => None,
            // One too many after other games as well is one fault, and has the name of that.
            1 if played == 0 && !self.counts_one_too_many() => Some((
                "poor-player-played-one",
                "With a bankroll below 5 from the start no hand was played, and the closing line says 0.",
            )),
            -1 if from_zero => None,
            1 => Some(("hands-plus-one", "The closing line says one hand too many.")),
            _ => Some(("hands-miscounted", "The closing line does not say how many hands were played.")),
        }
    }

    /// Whether the closing line of a game in which hands were played names one too many.
    fn counts_one_too_many(&self) -> bool {
        self.games.iter().any(|run| {
            let played = run.transcript.hands.len() as i64;
            played > 0 && run.transcript.over.is_some_and(|over| over.hands == played + 1)
        })
    }

    /// What is wrong with a transcript without a closing line.
    fn missing_end(&self, game: usize) -> Option<(&'static str, &'static str)> {
        let run = &self.games[game];
        let transcript = &run.transcript;
        if transcript.lines == 0 {
            return Some(("prints-nothing", "The program printed nothing."));
        }
        let Some(last) = transcript.hands.last() else {
            let poor = run.asked.bankroll < 5 && !transcript.shuffles.is_empty();
            return Some(if poor { NO_CLOSING } else { UNREADABLE });
        };
        let bet = last.bet.map_or(5, |(_, bet)| bet);
        let left = last.said.iter().rev().find_map(|(_, said)| match said {
            Said::PlayerBusts | Said::DealerWins => Some(last.bankroll - bet),
            Said::Natural | Said::DealerBusts | Said::PlayerWins | Said::Push => Some(last.bankroll),
            _ => None,
        });
        if left.is_some_and(|left| left < 5 || transcript.hands.len() as u32 >= run.asked.hands) {
            return Some(NO_CLOSING);
        }
        // Without a card left nothing could be dealt: that the deck was not shuffled is the fault.
        let since = transcript.shuffles.last().map_or(0, |shuffle| shuffle.hand);
        let dealt: i64 = transcript.hands[since..].iter().map(cards_of).sum();
        if dealt >= 52 {
            return None;
        }
        Some(("ends-in-hand", ends_after(last)))
    }
}

const NO_CLOSING: (&str, &str) = ("no-closing-line", "The closing line is missing.");
const UNREADABLE: (&str, &str) =
    ("no-hands", "There is no line that begins a hand, like \"Hand 1 bankroll 100\".");

/// After which line of a hand the output stops.
fn ends_after(hand: &HandSaid) -> &'static str {
    match hand.said.last().map(|(_, said)| said) {
        None => "The output ends at the beginning of a hand.",
        Some(Said::Player(_) | Said::Dealer(_)) => "The output ends within a hand, after a card was dealt.",
        Some(Said::PlayerTotal(_)) => "The output ends within a hand, after the player's total.",
        Some(Said::Hole(_)) => "The output ends within a hand, after the hole card.",
        Some(Said::DealerTotal(_)) => "The output ends within a hand, after the dealer's total.",
        Some(_) => "The output ends after a hand, though another one has to be played.",
    }
}

/// How many cards a hand has taken from the deck: those that were shown, and the hole card.
fn cards_of(hand: &HandSaid) -> i64 {
    let shown =
        hand.said.iter().filter(|(_, said)| matches!(said, Said::Player(_) | Said::Dealer(_))).count();
    shown as i64 + i64::from(shown >= 3)
}

/// The first thing that comes after a natural 21 and should not.
fn after_natural(said: &HandSaid) -> Option<(usize, &'static str, &'static str)> {
    let line = |kind: fn(&Said) -> bool| said.first(kind);
    if let Some(line) = line(Said::is_result) {
        let says = "The hand is played on after a natural 21, which is paid at once.";
        Some((line, "natural-plays-on", says))
    } else if let Some(line) = line(|said| matches!(said, Said::DealerTotal(_))) {
        Some((
            line,
            "natural-plays-dealer",
            "The dealer plays after the player's natural 21; it is paid at once.",
        ))
    } else if let Some((line, _)) = said.player().get(2) {
        Some((*line, "natural-draws", "The player draws after a natural 21."))
    } else if let Some(line) = line(|said| matches!(said, Said::Hole(_))) {
        let says = "The hole card is shown after a natural 21; it stays hidden then.";
        Some((line, "natural-shows-hole", says))
    } else {
        let says = "The player's total is printed after a natural 21, which one line alone announces.";
        line(|said| matches!(said, Said::PlayerTotal(_))).map(|line| (line, "natural-prints-total", says))
    }
}

/// The first line of a finished hand that comes too late or too early.
fn out_of_order(said: &HandSaid) -> Option<(usize, &'static str, &'static str)> {
    let (mut phase, mut dealt) = (0, 0);
    for (line, said) in &said.said {
        let now = match said {
            Said::Player(_) | Said::Dealer(_) if dealt < 3 => {
                dealt += 1;
                0
            }
            Said::Player(_) => 1,
            Said::PlayerTotal(_) => 2,
            Said::Hole(_) => 3,
            Said::Dealer(_) => 4,
            Said::DealerTotal(_) => 5,
            _ => 6,
        };
        if now < phase {
            return Some((*line, "line-order", "The lines of a hand do not come in the document's order."));
        }
        phase = now;
    }
    None
}

/// What is wrong with the moment of a shuffle.
fn reshuffled(
    wrong: usize,
    seen: usize,
    first: OutputPlace,
    shuffled: Option<i64>,
    kept: Option<i64>,
) -> Flaw {
    const RULE: &str =
        "With strictly fewer than 20 cards left the deck is shuffled at the beginning of a hand.";
    let (code, says) = match (shuffled, kept) {
        (None, _) => ("never-reshuffles", "The deck is never shuffled again.".to_string()),
        (Some(_), None) => ("reshuffle-each-hand", "The deck is shuffled before each hand.".to_string()),
        (Some(20), Some(kept)) if kept > 20 => {
            ("reshuffle-at-20", "The deck is shuffled with 20 cards left too.".to_string())
        }
        (Some(shuffled), Some(kept)) if shuffled < kept => {
            let code = if shuffled > 20 { "reshuffle-earlier" } else { "reshuffle-later" };
            (code, format!("The deck is shuffled with {shuffled} cards left and not with {kept}."))
        }
        (Some(_), Some(_)) => ("reshuffle-other", "It does not depend on the cards left alone.".to_string()),
    };
    Flaw {
        codes: vec![code.to_string()],
        says: format!("{RULE} {says} Wrong at {wrong} of {seen} hands."),
        first,
    }
}
