//! The chances against dealing every single case, card by card.

use crate::cards::{Card, Seed, Stream};

use super::public::{shares, unseen};
use super::situation_tests::{EveryDeal, Taken};
use super::tally::falling;
use super::*;

/// The cards of one player, to be looked at.
#[derive(Clone, Debug)]
struct PlayerCards {
    up: Vec<Card>,
    hole: Option<Card>,
    is_in: bool,
}

impl PlayerCards {
    fn hand(&self) -> PublicHand<'_> {
        PublicHand { up: &self.up, hole: self.hole, is_in: self.is_in }
    }
}

fn chances(held: &[PlayerCards]) -> PublicChances {
    let hands: Vec<PublicHand<'_>> = held.iter().map(PlayerCards::hand).collect();
    PublicChances::of(&hands)
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().unwrap()).collect()
}

/// Players who are in and show these cards, and one who has folded and showed the last ones.
fn shown(ups: &[&str], folded: &str) -> Vec<PlayerCards> {
    let held = |(up, is_in): (&str, bool)| PlayerCards { up: cards(up), hole: None, is_in };
    let folded = cards(folded);
    let folded = folded.chunks(2).map(|up| PlayerCards { up: up.to_vec(), hole: None, is_in: false });
    ups.iter().map(|up| held((up, true))).chain(folded).collect()
}

fn assert_close(value: f64, wanted: f64, what: &dyn std::fmt::Debug) {
    assert!((value - wanted).abs() < 1e-12, "{value} is not {wanted}: {what:?}");
}

fn assert_is_by_hand(held: &[PlayerCards]) {
    let chances = chances(held);
    assert!(chances.exact && chances.standard_error == 0.0, "{held:?}");
    let hands: Vec<PublicHand<'_>> = held.iter().map(PlayerCards::hand).collect();
    let cards = |held: &PlayerCards| [held.hole, held.up.first().copied(), held.up.get(1).copied()];
    let left = held.iter().filter(|held| held.is_in).map(cards).collect();
    let every = EveryDeal::of(left, unseen(&hands).into_iter().collect());
    let mut taken = every.taken.iter();
    for (held_by, chances) in held.iter().zip(&chances.players) {
        let nothing = Taken::default();
        let sums =
            if held_by.is_in { taken.next().expect("everyone who is in takes a part") } else { &nothing };
        assert_close(chances.hand, sums.hand / every.deals, &held);
        assert_close(chances.spade, sums.spade / every.deals, &held);
    }
    assert_close(chances.no_spade, every.no_spade / every.deals, &held);
}

/// Random cards of `dealt` players, `left` of them still in, with that many up cards, from a deck of that many ranks
/// from the top: few ranks give more pairs and ties.
fn random(rng: &mut Stream, dealt: usize, left: usize, ups: usize, ranks: usize) -> Vec<PlayerCards> {
    let mut deck: Vec<Card> =
        Card::ALL.into_iter().filter(|card| card.rank().index() >= 13 - ranks).collect();
    let rest = Card::ALL.into_iter().filter(|card| card.rank().index() < 13 - ranks).collect::<Vec<_>>();
    rng.shuffle(&mut deck);
    deck.extend(rest);
    let mut next = deck.into_iter();
    let mut held: Vec<PlayerCards> = (0..dealt)
        .map(|player| PlayerCards { up: next.by_ref().take(ups).collect(), hole: None, is_in: player < left })
        .collect();
    // A player who folded before the second street shows one card, and the hole card of one player may be known.
    for held in &mut held {
        if !held.is_in && rng.one_in(4) {
            held.up.truncate(1);
        }
    }
    rng.shuffle(&mut held);
    held
}

#[test]
fn second_street_odds_equal_full_enumeration() {
    let mut rng = Seed::chosen("second street").stream("test");
    for case in 0..90 {
        let left = 2 + case % 3;
        // The more are in, the more have folded: otherwise there are too many cases to deal.
        let dealt = [2 + rng.below(8), 9 + rng.below(5), 14 + rng.below(3)][case % 3] as usize;
        let ranks = 13.min((2 * dealt).div_ceil(4) + 1 + rng.below(8) as usize);
        let held = random(&mut rng, dealt, left, 2, ranks);
        assert_is_by_hand(&held);
    }
}

#[test]
fn known_hole_cards_are_taken_into_account() {
    let mut rng = Seed::chosen("known holes").stream("test");
    for case in 0..60 {
        let dealt = 4 + rng.below(9) as usize;
        let mut held = random(&mut rng, dealt, 3, 1 + case % 2, 11);
        // On the first street everyone has a hole that is known, on the second one player or all.
        let known = if case % 2 == 0 { dealt } else { 1 + rng.below(dealt as u32) as usize };
        let hands: Vec<PublicHand<'_>> = held.iter().map(PlayerCards::hand).collect();
        let mut heap = unseen(&hands).into_iter().collect::<Vec<Card>>();
        rng.shuffle(&mut heap);
        for held in held.iter_mut().take(known) {
            held.hole = heap.pop();
        }
        assert_is_by_hand(&held);
    }
}

#[test]
fn two_players_on_the_first_street_are_dealt_in_every_way() {
    for folded in [
        "3C 3D 3H 3S 9C 9D 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S",
        "AC AD AH 9S 9D QC QS 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 2C 2D 7H 7S",
    ] {
        let mut held = shown(&["KS", "10D"], folded);
        assert_is_by_hand(&held);
        // The view of one of them.
        held[0].hole = Some(cards("KD")[0]);
        assert_is_by_hand(&held);
        // While the second up cards are dealt.
        held[0].hole = None;
        held[0].up = cards("KS JD");
        assert_is_by_hand(&held);
    }
}

#[test]
fn simple_public_odds_match_manual_results() {
    // Ace king leads queen jack. Of 48 unseen cards the second needs one of three queens and three jacks, and the first then
    // none of three aces and three kings.
    let held = shown(&["AC KD", "QH JS"], "");
    let lost: f64 = 6.0 / 48.0 * (47.0 - 6.0) / 47.0;
    assert_close(chances(&held).players[0].hand, 1.0 - lost, &held);
    // A pair of aces is never beaten by a player who shows no pair and no ace; trips would beat it, but are impossible
    // here.
    let sure = chances(&shown(&["AC AD", "KH QS", "JH 10S"], ""));
    assert_eq!(sure.players.iter().map(|player| player.hand).collect::<Vec<_>>(), [1.0, 0.0, 0.0]);
    // The same ranks: a tie unless the unknown cards differ in rank.
    let even = chances(&shown(&["AC KD", "AD KC"], ""));
    assert_eq!((even.players[0].hand, even.players[1].hand), (0.5, 0.5));
    // 36 of 48 cards are no spades, then 35 of 47.
    let held = shown(&["AS KD", "QH JD"], "");
    assert_close(chances(&held).no_spade, 36.0 * 35.0 / (48.0 * 47.0), &held);
    // Everything is known.
    let known = |up: &str, hole: &str| PlayerCards { up: cards(up), hole: cards(hole).pop(), is_in: true };
    let all_known = chances(&[known("KC KD", "KH"), known("QC 9S", "AS"), known("2C 2D", "KS")]);
    let both: Vec<(f64, f64)> = all_known.players.iter().map(|player| (player.hand, player.spade)).collect();
    assert_eq!((both, all_known.no_spade), (vec![(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)], 0.0));
    // Without a spade in the hole the best hand takes the whole pot.
    let none = chances(&[known("KC KD", "KH"), known("QC 9S", "AD")]);
    assert_eq!((none.no_spade, none.players[0].spade, none.players[1].spade), (1.0, 0.0, 0.0));
    // Three equal hands share.
    let tied = chances(&[known("AC KD", "9H"), known("AD KC", "9S"), known("9C AH", "KH")]);
    assert!(tied.players.iter().all(|player| player.hand == 1.0 / 3.0));
}

#[test]
fn the_last_player_takes_all_and_folded_players_nothing() {
    let mut held = shown(&["2C", "AD"], "KS KC");
    held[1].is_in = false;
    let chances = chances(&held);
    assert_eq!(chances.players[0], PlayerChances { hand: 1.0, spade: 1.0 });
    assert_eq!(chances.players[1..], [PlayerChances::default(); 2]);
    assert!(chances.exact && chances.no_spade == 0.0);
}

/// Two ways to count that share nothing: by choices, and rank by rank.
#[test]
fn five_players_are_counted_as_they_are_dealt() {
    let mut rng = Seed::chosen("five").stream("test");
    for _ in 0..4 {
        let held = random(&mut rng, 17, 5, 2, 13);
        let hands: Vec<PublicHand<'_>> = held.iter().map(PlayerCards::hand).collect();
        let left: Vec<PublicHand<'_>> = hands.iter().filter(|hand| hand.is_in).copied().collect();
        let heap = unseen(&hands);
        let (counted, dealt) = (counting::tally(&left, heap), dealing::tally(&left, heap));
        assert_eq!(counted.cases, dealt.cases);
        assert_eq!(counted.among, dealt.among);
    }
}

#[test]
fn every_deal_is_counted_once_for_any_number_of_players() {
    let mut rng = Seed::chosen("many").stream("test");
    for dealt in 2..=17_usize {
        for ranks in [13, (2 * dealt).div_ceil(4) + 1] {
            let held = random(&mut rng, dealt, dealt, 2, ranks.min(13));
            let hands: Vec<PublicHand<'_>> = held.iter().map(PlayerCards::hand).collect();
            let heap = unseen(&hands);
            let tally = counting::tally(&hands, heap);
            // The possible best strengths are disjoint: together they count all deals.
            assert_eq!(tally.cases, falling(heap.len() as i128, dealt as i128), "{held:?}");
            assert!(tally.among.iter().flatten().all(|cases| *cases >= 0), "{held:?}");
            let chances = chances(&held);
            let hand: f64 = chances.players.iter().map(|player| player.hand).sum();
            let spade: f64 = chances.players.iter().map(|player| player.spade).sum();
            assert_close(hand, 1.0, &held);
            assert_close(spade + chances.no_spade, 1.0, &held);
            // The order of seats does not matter.
            let mut turned = held.clone();
            turned.rotate_left(1);
            let mut again = self::chances(&turned).players;
            again.rotate_right(1);
            assert_eq!(again, chances.players);
        }
    }
}

#[test]
fn samples_report_their_standard_error() {
    let mut rng = Seed::chosen("sample").stream("test");
    for left in [3, 8, 17] {
        let held = random(&mut rng, left, left, 1, 13);
        let sampled = chances(&held);
        assert!(
            !sampled.exact && (1e-4..0.01).contains(&sampled.standard_error),
            "{}",
            sampled.standard_error
        );
        assert_eq!(sampled, chances(&held), "always the same");
        let hand: f64 = sampled.players.iter().map(|player| player.hand).sum();
        assert!((hand - 1.0).abs() < 1e-9, "{hand}");
    }
    // Against every case: on the first street between two, and on the second.
    for held in [shown(&["KS", "10D"], "AC AD"), shown(&["KS 2D", "10D 9C", "AS 4D"], "")] {
        let hands: Vec<PublicHand<'_>> =
            held.iter().map(PlayerCards::hand).filter(|hand| hand.is_in).collect();
        let heap = unseen(&held.iter().map(PlayerCards::hand).collect::<Vec<_>>());
        let (exact, sample) = (shares(&hands, heap), dealing::sample(&hands, heap));
        assert_eq!(exact.standard_error, 0.0);
        for (exact, sampled) in exact.hand.iter().zip(&sample.hand) {
            assert!((exact - sampled).abs() < 4.0 * sample.standard_error, "{exact} {sampled}");
        }
    }
}

#[test]
#[should_panic(expected = "is there twice")]
fn a_card_that_is_there_twice_is_refused() {
    chances(&shown(&["AC KD", "AC QD"], ""));
}
