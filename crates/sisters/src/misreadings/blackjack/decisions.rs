//! The decisions of a hand: what the player and the dealer draw, who wins, what is paid, and what is bet.

use std::collections::BTreeMap;

use casino_stud::cards::Card;

use super::bets::{self, BetReading, Bettor, COUNTING, SIMPLE, SIMPLE_WRONG, WRONG_BETS};
use super::draws::{self, DealersDecision, DrawDecision};
use super::faulty_hand::is_natural;
use super::findings::{ObservedRule, TranscriptFindings};
use super::followed::FollowedGames;
use super::money::{self, FinalTotals, Settled};
use super::said::Said;
use crate::blackjack::{HandValue, MINIMUM_BET};
use crate::misreadings::evidence::{OutputPlace, Reading};

const MINIMUM: i64 = MINIMUM_BET as i64;

impl FollowedGames<'_> {
    /// What the player decided after each card.
    pub(super) fn draws(&self) -> TranscriptFindings {
        let readings = draws::WRONG.map(|(reading, _)| reading);
        let mut observed = ObservedRule::new(readings.len());
        let mut cells: BTreeMap<String, (usize, bool)> = BTreeMap::new();
        for (game, hand, said) in self.hands() {
            let cards = said.player();
            let Some((_, up)) = said.dealer().first().copied() else { continue };
            if cards.len() < 2 || said.first(|said| matches!(said, Said::Natural)).is_some() {
                continue;
            }
            let plain: Vec<Card> = cards.iter().map(|(_, card)| *card).collect();
            for held in 2..=plain.len() {
                let decision =
                    DrawDecision::counted(self.counted, &plain[..held], up, self.holes[game][hand]);
                let drew = held < plain.len();
                if decision.total > 21 || !drew && !said.player_is_done() {
                    break;
                }
                let line = if drew { cards[held].0 } else { cards[held - 1].0 + 1 };
                let at = OutputPlace { game, line };
                let fits = |other: usize| draws::WRONG[other].1(&decision) == drew;
                if !observed.see(at, hand + 1, decision.draws() == drew, fits) {
                    cells.entry(decision.words()).or_insert((0, drew)).0 += 1;
                }
            }
        }
        let mut findings = observed.conclude(draws::THEME, &readings);
        findings.explain(&most_often(&cells));
        findings
    }

    /// What the dealer decided after each card.
    pub(super) fn dealer(&self) -> TranscriptFindings {
        let readings = draws::DEALER_WRONG.map(|(reading, _)| reading);
        let mut observed = ObservedRule::new(readings.len());
        for (game, hand, said) in self.hands() {
            let Some(cards) = self.dealers_cards(game, hand, said) else { continue };
            let Some(end) = said.first(|said| matches!(said, Said::DealerTotal(_))) else { continue };
            let player = self.player_total(said);
            if player > 21 || said.first(|said| matches!(said, Said::Natural)).is_some() {
                continue;
            }
            let lines: Vec<usize> = said.dealer().into_iter().map(|(line, _)| line).collect();
            for held in 2..=cards.len() {
                let HandValue { count: total, soft } = self.value(&cards[..held]);
                let drew = held < cards.len();
                if total > 21 && !drew {
                    break;
                }
                let at = OutputPlace { game, line: if drew { lines[held - 1] } else { end } };
                let decision = DealersDecision { total, soft, player };
                let right = (total < 17) == drew;
                observed.see(at, hand + 1, right, |other| draws::DEALER_WRONG[other].1(&decision) == drew);
            }
        }
        observed.conclude(draws::DEALER_THEME, &readings)
    }

    /// Who wins a hand that both have played.
    pub(super) fn results(&self) -> TranscriptFindings {
        let readings = money::RESULT_WRONG.map(|(reading, _)| reading);
        let mut observed = ObservedRule::new(readings.len());
        for (game, hand, said) in self.hands() {
            let result = said.said.iter().rev().find(|(_, said)| said.is_result());
            let cards = self.dealers_cards(game, hand, said);
            let (Some((line, result)), Some(cards)) = (result, cards) else { continue };
            let player = self.player_total(said);
            if player > 21 {
                continue;
            }
            let dealer = self.value(&cards).count;
            let totals = FinalTotals { player, dealer, dealers_two: cards.len() == 2 };
            let at = OutputPlace { game, line: *line };
            let fits = |other: usize| money::RESULT_WRONG[other].1(&totals) == *result;
            observed.see(at, hand + 1, totals.result() == *result, fits);
        }
        observed.conclude(money::RESULT_THEME, &readings)
    }

    /// What the bankroll became after each hand.
    pub(super) fn money(&self) -> TranscriptFindings {
        let readings = money::WRONG.map(|(reading, _)| reading);
        let mut observed = ObservedRule::new(readings.len());
        for (game, hand, said) in self.hands() {
            let after = self.games[game].transcript.bankroll_after(hand);
            let (Some((line, after)), Some((_, bet))) = (after, said.bet) else { continue };
            let first = said.dealer().first().map(|(_, card)| *card);
            let dealers_21 = first.zip(self.holes[game][hand]).is_some_and(|(a, b)| is_natural(a, b));
            let ends: Vec<Settled> = said
                .said
                .iter()
                .filter(|(_, said)| said.is_result() || matches!(said, Said::Natural | Said::PlayerBusts))
                .map(|(_, said)| Settled { said: *said, bet, dealers_21 })
                .collect();
            let won = after - said.bankroll;
            let at = OutputPlace { game, line };
            // A hand with two results has a fault of its own; it may be paid by either.
            let Some(end) = ends.iter().rev().find(|end| end.is_right(won)).or(ends.last()) else { continue };
            observed.see(at, hand + 1, end.is_right(won), |other| money::WRONG[other].1(end) == won);
        }
        observed.conclude(money::THEME, &readings)
    }

    /// The bets of the counting or of the simple player.
    pub(super) fn bets(&self, counting: bool) -> TranscriptFindings {
        let (theme, right_way, known, in_games): (_, _, &[BetReading], &[BetReading]) = if counting {
            (bets::THEME, COUNTING, &WRONG_BETS, &bets::WRONG_IN_GAMES)
        } else {
            (bets::SIMPLE_THEME, SIMPLE, &SIMPLE_WRONG, &[])
        };
        let wrong_ways = [known, in_games].concat();
        let readings: Vec<Reading> = wrong_ways.iter().map(|(reading, _)| *reading).collect();
        let mut observed = ObservedRule::new(readings.len());
        for (game, run) in self.games.iter().enumerate().filter(|(_, run)| run.asked.counting == counting) {
            let mut wrong_bettors: Vec<Bettor> =
                wrong_ways.iter().map(|(_, way)| Bettor::new(*way)).collect();
            let mut right_bettor = Bettor::new(right_way);
            for (hand, said) in run.transcript.hands.iter().enumerate() {
                let shuffled = run.transcript.shuffles_of(hand).next().is_some();
                let exposed = self.exposed(game, hand, said);
                let all = wrong_bettors.iter_mut().chain([&mut right_bettor]);
                all.for_each(|bettor| bettor.begin_hand(shuffled));
                if let Some((line, bet)) = said.bet.filter(|_| said.bankroll >= 5) {
                    let right = right_bettor.bet(said.bankroll, MINIMUM);
                    let fits = |way: usize| wrong_bettors[way].bet(said.bankroll, MINIMUM) == bet;
                    let at = OutputPlace { game, line };
                    observed.see(at, hand + 1, bet == right, fits);
                }
                let all = wrong_bettors.iter_mut().chain([&mut right_bettor]);
                all.for_each(|bettor| bettor.end_hand(shuffled, &exposed));
            }
        }
        observed.conclude(theme, &readings)
    }
}

/// The three situations that were decided wrongly most often.
fn most_often(cells: &BTreeMap<String, (usize, bool)>) -> String {
    let mut cells: Vec<_> = cells.iter().collect();
    cells.sort_by_key(|(_, (times, _))| std::cmp::Reverse(*times));
    let some: Vec<String> = cells
        .iter()
        .take(3)
        .map(|(words, (times, drew))| {
            let does = if *drew { "draws" } else { "stands" };
            format!("{words} it {does} ({times} times)")
        })
        .collect();
    let more = if cells.len() > 3 { format!(" and {} more", cells.len() - 3) } else { String::new() };
    format!(" Wrong: {}{more}.", some.join(", "))
}
