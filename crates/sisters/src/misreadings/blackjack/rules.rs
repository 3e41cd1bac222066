//! The rules of a hand and of a game, each checked alone.

use casino_stud::cards::{Card, Rank};

use super::followed::{FollowedGames, MisreadingFindings};
use super::transcript::{HandLines, ShufflePlace};
use super::transcript_line::GameLine;
use super::ways::{BetWay, Bettor, HandWay, WRONG_BETS};
use crate::blackjack::{BlackjackHand, CourseCuts, HandValue, MINIMUM_BET, table_draws};
use crate::misreadings::{Misreading, ObservedRule, OutputPlace, known};

const MINIMUM: i64 = MINIMUM_BET as i64;

const CUTS: usize = 7;

const SOFT_18_STANDS_ON_9: Misreading = known(
    "soft-18-stands-on-9",
    "The player stands on soft 18 against a nine; it stands only against 2, 7 and 8.",
);

const DEALER_HITS_SOFT_17: Misreading =
    known("dealer-hits-soft-17", "The dealer draws on soft 17; it stands on every 17, hard or soft.");

const NATURAL_ROUNDED_UP: Misreading =
    known("natural-rounded-up", "The payout of a natural 21 is rounded up; three halves of 5 are 7.");

const NATURAL_PUSHES: Misreading = known(
    "natural-pushes",
    "A natural 21 wins nothing against a dealer's 21 of two cards; it wins against any dealer's hand.",
);

/// The misreadings of [`WRONG_BETS`].
const BETS: [Misreading; 3] = [
    known(
        "count-kept-at-shuffle",
        "The counting player keeps its count at a shuffle; it begins at 0 after each shuffle.",
    ),
    known(
        "hole-never-counted",
        "The counting player does not count the hole card when it is shown; it counts every card turned up.",
    ),
    known(
        "double-without-bankroll",
        "The counting player doubles with a bankroll below 10; it doubles only if it has twice the minimum.",
    ),
];

const RESHUFFLE_AT_20: Misreading = known(
    "reshuffle-at-20",
    "The deck is shuffled with 20 cards left too; it is shuffled with strictly fewer than 20 cards left.",
);

const HOLE_SHOWN_AFTER_BUST: Misreading = known(
    "hole-shown-after-bust",
    "The hole card is shown after the player busts; it stays hidden, and it is not counted.",
);

const HANDS_PLUS_ONE: Misreading =
    known("hands-plus-one", "The closing line says one hand too many; it says how many hands were played.");

impl FollowedGames<'_> {
    /// Checks every rule.
    pub(super) fn check(&self, findings: &mut MisreadingFindings) {
        self.draws(findings);
        self.dealer(findings);
        self.results(findings);
        self.money(findings);
        self.bets(findings);
        self.shuffles(findings);
        self.cuts(findings);
        self.naturals(findings);
        self.lines(findings);
        self.hand_lines(findings);
        self.closing(findings);
    }

    /// The player's decision after each card.
    fn draws(&self, findings: &mut MisreadingFindings) {
        let mut rule = ObservedRule::new(1);
        for (game, hand, said) in self.hands() {
            let lines = said.player();
            let Some((_, up)) = said.dealer().first().copied() else { continue };
            if said.is_natural() {
                continue;
            }
            let cards = said.players_cards();
            for held in 2..=cards.len() {
                let value = self.value(&cards[..held]);
                let drew = held < cards.len();
                if value.count > 21 || !drew && !said.player_is_done() {
                    break;
                }
                let line = if drew { lines[held].0 } else { lines[held - 1].0 + 1 };
                let draws = table_draws(value, up.rank());
                let is_soft_18 = value == HandValue { count: 18, soft: true };
                let stands_on_9 = draws && !(is_soft_18 && up.rank() == Rank::Nine);
                rule.see(OutputPlace { game, line }, hand + 1, draws == drew, |_| stands_on_9 == drew);
            }
        }
        findings.add(rule, &[SOFT_18_STANDS_ON_9]);
    }

    /// The dealer's decision after each card.
    fn dealer(&self, findings: &mut MisreadingFindings) {
        let mut rule = ObservedRule::new(1);
        for (game, hand, said) in self.hands() {
            let Some(cards) = self.dealers_cards(game, hand, said) else { continue };
            let Some(end) = said.first(|said| matches!(said, GameLine::DealerTotal(_))) else {
                continue;
            };
            if self.player_total(said) > 21 || said.is_natural() {
                continue;
            }
            let lines: Vec<usize> = said.dealer().into_iter().map(|(line, _)| line).collect();
            for held in 2..=cards.len() {
                let HandValue { count, soft } = self.value(&cards[..held]);
                let drew = held < cards.len();
                if count > 21 && !drew {
                    break;
                }
                let at = OutputPlace { game, line: if drew { lines[held - 1] } else { end } };
                let hits_soft_17 = count < 17 || count == 17 && soft;
                rule.see(at, hand + 1, (count < 17) == drew, |_| hits_soft_17 == drew);
            }
        }
        findings.add(rule, &[DEALER_HITS_SOFT_17]);
    }

    /// The result of a hand that both have played.
    fn results(&self, findings: &mut MisreadingFindings) {
        for (game, hand, said) in self.hands() {
            let result = said.said.iter().rev().find(|(_, said)| said.is_result());
            let cards = self.dealers_cards(game, hand, said);
            let (Some((_, result)), Some(cards)) = (result, cards) else { continue };
            let player = self.player_total(said);
            let right = match self.value(&cards).count {
                22.. => GameLine::DealerBusts,
                dealer if dealer > player => GameLine::DealerWins,
                dealer if dealer < player => GameLine::PlayerWins,
                _ => GameLine::Push,
            };
            if player <= 21 && *result != right {
                findings.differs(game, hand + 1);
            }
        }
    }

    /// The bankroll after each hand.
    fn money(&self, findings: &mut MisreadingFindings) {
        let mut rule = ObservedRule::new(2);
        for (game, hand, said) in self.hands() {
            let after = self.games[game].transcript.bankroll_after(hand);
            let (Some((line, after)), Some((_, bet))) = (after, said.bet) else { continue };
            let won = after - said.bankroll;
            let ends = said.said.iter().map(|(_, said)| said);
            let ends: Vec<&GameLine> = ends
                .filter(|said| said.is_result() || matches!(said, GameLine::Natural | GameLine::PlayerBusts))
                .collect();
            // A hand with two results has another fault; it may be paid by either.
            let paid = ends.iter().rev().find(|end| wins(end, bet) == won);
            let Some(end) = paid.or(ends.last()) else { continue };
            let first = said.dealer().first().map(|(_, card)| *card);
            let dealers_21 = first.zip(self.holes[game][hand]).is_some_and(|(up, hole)| natural(up, hole));
            let natural = **end == GameLine::Natural;
            rule.see(OutputPlace { game, line }, hand + 1, wins(end, bet) == won, |way| match way {
                0 if natural => won == (3 * bet + 1) / 2,
                1 if natural && dealers_21 => won == 0,
                _ => won == wins(end, bet),
            });
        }
        findings.add(rule, &[NATURAL_ROUNDED_UP, NATURAL_PUSHES]);
    }

    /// The bets of both players.
    fn bets(&self, findings: &mut MisreadingFindings) {
        let mut rule = ObservedRule::new(WRONG_BETS.len());
        for (game, run) in self.games.iter().enumerate() {
            let mut right = Bettor::new(BetWay::Right);
            let mut wrong = WRONG_BETS.map(Bettor::new);
            for (hand, said) in run.transcript.hands.iter().enumerate() {
                let mut all: Vec<&mut Bettor> = wrong.iter_mut().chain([&mut right]).collect();
                if run.transcript.shuffles_of(hand).next().is_some() {
                    all.iter_mut().for_each(|bettor| bettor.shuffled());
                }
                let exposed = self.exposed(game, hand, said);
                if let Some((line, bet)) = said.bet.filter(|_| said.bankroll >= MINIMUM) {
                    let at = OutputPlace { game, line };
                    if run.asked.counting {
                        let is_right = right.bet(said.bankroll) == bet;
                        rule.see(at, hand + 1, is_right, |way| wrong[way].bet(said.bankroll) == bet);
                    } else if bet != MINIMUM {
                        findings.differs(game, hand + 1);
                    }
                }
                for (is_hole, card) in exposed {
                    let all = wrong.iter_mut().chain([&mut right]);
                    all.for_each(|bettor| bettor.expose(is_hole, card));
                }
            }
        }
        findings.add(rule, &BETS);
    }

    /// When the deck is shuffled, and where that is printed.
    fn shuffles(&self, findings: &mut MisreadingFindings) {
        let mut rule = ObservedRule::new(1);
        for (game, run) in self.games.iter().enumerate() {
            let transcript = &run.transcript;
            if transcript.lines > 0 && !transcript.shuffles.iter().any(|s| s.place == ShufflePlace::Opening) {
                findings.differs(game, 0);
            }
            for shuffle in &transcript.shuffles {
                if matches!(shuffle.place, ShufflePlace::BeforeHandLine | ShufflePlace::InHand) {
                    findings.differs(game, shuffle.hand + 1);
                }
            }
            let mut left: i64 = 52;
            for (hand, said) in transcript.hands.iter().enumerate() {
                let shuffled = transcript.shuffles_of(hand).next().is_some();
                if hand > 0 {
                    let at = OutputPlace { game, line: said.line + 1 };
                    rule.see(at, hand + 1, shuffled == (left < 20), |_| shuffled == (left <= 20));
                }
                left = if shuffled { 52 } else { left } - cards_of(said);
            }
        }
        findings.add(rule, &[RESHUFFLE_AT_20]);
    }

    /// Checks the cuts of each shuffle against the course's generator.
    fn cuts(&self, findings: &mut MisreadingFindings) {
        for (game, run) in self.games.iter().enumerate() {
            let mut course = CourseCuts::new().map(|cut| cut.left() as i64);
            let last = run.transcript.shuffles.len().saturating_sub(1);
            for (number, shuffle) in run.transcript.shuffles.iter().enumerate() {
                // An output that stops in a shuffle has another fault.
                if number == last && run.transcript.over.is_none() && shuffle.cuts.len() < CUTS {
                    continue;
                }
                let differs = shuffle.cuts.iter().any(|cut| course.next() != Some(*cut));
                if differs || shuffle.cuts.len() != CUTS {
                    let is_opening = shuffle.place == ShufflePlace::Opening;
                    findings.differs(game, if is_opening { 0 } else { shuffle.hand + 1 });
                }
            }
        }
    }

    /// Checks the announcement of naturals and the lines after it.
    fn naturals(&self, findings: &mut MisreadingFindings) {
        for (game, hand, said) in self.hands() {
            let cards = said.players_cards();
            let [first, second, ..] = cards[..] else { continue };
            let announced = said.is_natural();
            let real = natural(first, second);
            // A program that never counts an ace 11 has no natural, and that is its fault.
            let missed = real && !announced && said.player_is_done() && self.counted != HandWay::AceAlways1;
            if missed || announced && (!real || continues_after_natural(said)) {
                findings.differs(game, hand + 1);
            }
        }
    }

    /// Which lines a hand has, and in which order.
    fn lines(&self, findings: &mut MisreadingFindings) {
        let mut rule = ObservedRule::new(1);
        for (game, hand, said) in self.hands() {
            let transcript = &self.games[game].transcript;
            let unfinished = transcript.over.is_none() && hand + 1 == transcript.hands.len();
            let problem = self.line_problem(said, unfinished);
            let busts = said.first(|said| matches!(said, GameLine::PlayerBusts));
            let shows_hole = problem == Some(LineProblem::HoleAfterBust);
            let at = OutputPlace { game, line: busts.map_or(said.end(), |line| line + 1) };
            rule.see(at, hand + 1, problem.is_none(), |_| match busts {
                Some(_) if !unfinished => shows_hole,
                _ => problem.is_none(),
            });
        }
        findings.add(rule, &[HOLE_SHOWN_AFTER_BUST]);
    }

    fn line_problem(&self, said: &HandLines, unfinished: bool) -> Option<LineProblem> {
        let first = |kind: fn(&GameLine) -> bool| said.first(kind);
        if said.bet.is_none() && !unfinished {
            return Some(LineProblem::Other);
        }
        let dealt: Vec<bool> =
            said.said.iter().take(3).map(|(_, said)| matches!(said, GameLine::Player(_))).collect();
        if dealt.len() == 3 && dealt != [true, false, true] {
            return Some(LineProblem::Other);
        }
        if said.is_natural() || unfinished {
            return None;
        }
        let player_total = first(|said| matches!(said, GameLine::PlayerTotal(_)));
        let busts = first(|said| matches!(said, GameLine::PlayerBusts));
        let hole = first(|said| matches!(said, GameLine::Hole(_)));
        let dealer_total = first(|said| matches!(said, GameLine::DealerTotal(_)));
        if self.player_total(said) > 21 {
            let announced = player_total.zip(busts).is_some_and(|(total, busts)| total < busts);
            return if !announced || dealer_total.is_some() || said.dealer().len() > 1 {
                Some(LineProblem::Other)
            } else {
                hole.map(|_| LineProblem::HoleAfterBust)
            };
        }
        let complete = [player_total, hole, dealer_total, first(GameLine::is_result)];
        let is_wrong = busts.is_some() || complete.contains(&None) || is_out_of_order(said);
        is_wrong.then_some(LineProblem::Other)
    }

    /// The line that begins each hand.
    fn hand_lines(&self, findings: &mut MisreadingFindings) {
        for (game, hand, said) in self.hands() {
            let asked = self.games[game].asked;
            let is_first = hand == 0 && said.bankroll != i64::from(asked.bankroll);
            let one_too_many = said.bankroll < MINIMUM || hand as u32 >= asked.hands;
            if said.number != hand as i64 + 1 || is_first || one_too_many {
                findings.differs(game, hand + 1);
            }
        }
    }

    /// How a game ends.
    fn closing(&self, findings: &mut MisreadingFindings) {
        let mut rule = ObservedRule::new(1);
        for (game, run) in self.games.iter().enumerate() {
            let transcript = &run.transcript;
            let part = transcript.hands.len() + 1;
            if let Some(over) = transcript.over {
                let played = transcript.hands.len() as i64;
                let bankroll = played > 0 || over.bankroll == i64::from(run.asked.bankroll);
                let from_zero = transcript.hands.first().is_some_and(|hand| hand.number == 0);
                let counted = over.hands == played || from_zero && over.hands == played - 1;
                let right = bankroll && !run.stops_early() && counted;
                let at = OutputPlace { game, line: over.line };
                rule.see(at, part, right, |_| over.hands == played + 1);
            } else if !run.is_cut_off && self.is_end_missing(game) {
                findings.differs(game, part);
            }
            if transcript.after_the_end {
                findings.differs(game, part);
            }
        }
        findings.add(rule, &[HANDS_PLUS_ONE]);
    }

    /// Whether a transcript without a closing line should continue. With all 52 cards dealt it could not, and the
    /// missing shuffle is the fault.
    fn is_end_missing(&self, game: usize) -> bool {
        let run = &self.games[game];
        let transcript = &run.transcript;
        let Some(last) = transcript.hands.last() else { return true };
        let bet = last.bet.map_or(MINIMUM, |(_, bet)| bet);
        let left = last.said.iter().rev().find_map(|(_, said)| match said {
            GameLine::PlayerBusts | GameLine::DealerWins => Some(last.bankroll - bet),
            GameLine::Natural | GameLine::DealerBusts | GameLine::PlayerWins | GameLine::Push => {
                Some(last.bankroll)
            }
            _ => None,
        });
        let is_over = |left| left < MINIMUM || transcript.hands.len() as u32 >= run.asked.hands;
        let since = transcript.shuffles.last().map_or(0, |shuffle| shuffle.hand);
        let dealt: i64 = transcript.hands[since..].iter().map(cards_of).sum();
        left.is_some_and(is_over) || dealt < 52
    }
}

/// An error in the lines of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineProblem {
    HoleAfterBust,
    Other,
}

/// The chips that the document adds to the bankroll after this line.
fn wins(end: &GameLine, bet: i64) -> i64 {
    match end {
        GameLine::Natural => 3 * bet / 2,
        GameLine::PlayerBusts | GameLine::DealerWins => -bet,
        GameLine::DealerBusts | GameLine::PlayerWins => bet,
        _ => 0,
    }
}

/// Whether two cards are a natural 21.
fn natural(first: Card, second: Card) -> bool {
    BlackjackHand::from_iter([first, second]).value().count == 21
}

/// The cards a hand has taken from the deck: the shown ones and the hole card.
fn cards_of(hand: &HandLines) -> i64 {
    let shown = hand
        .said
        .iter()
        .filter(|(_, said)| matches!(said, GameLine::Player(_) | GameLine::Dealer(_)))
        .count();
    shown as i64 + i64::from(shown >= 3)
}

/// Whether a hand continues after a natural 21.
fn continues_after_natural(said: &HandLines) -> bool {
    let more = |said: &GameLine| {
        said.is_result()
            || matches!(said, GameLine::DealerTotal(_) | GameLine::Hole(_) | GameLine::PlayerTotal(_))
    };
    said.first(more).is_some() || said.player().len() > 2
}

/// Whether a line of a finished hand comes too late or too early.
fn is_out_of_order(said: &HandLines) -> bool {
    let mut dealt = 0;
    let phases: Vec<usize> = said
        .said
        .iter()
        .map(|(_, said)| match said {
            GameLine::Player(_) | GameLine::Dealer(_) if dealt < 3 => {
                dealt += 1;
                0
            }
            GameLine::Player(_) => 1,
            GameLine::PlayerTotal(_) => 2,
            GameLine::Hole(_) => 3,
            GameLine::Dealer(_) => 4,
            GameLine::DealerTotal(_) => 5,
            _ => 6,
        })
        .collect();
    !phases.is_sorted()
}
