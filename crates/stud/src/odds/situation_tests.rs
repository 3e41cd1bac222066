//! The odds of a player against dealing every card, with a comparison of hands that is not the program's.

use proptest::prelude::*;

use crate::cards::{Card, Rank, Seed, Stream};
use crate::protocol::Command;

use super::sampler::Sampler;
use super::*;

/// The document's words as numbers: trips over pair over high card, then the ranks that count, in order.
fn value(hand: [Card; 3]) -> (u8, [usize; 3]) {
    let mut ranks = hand.map(|card| card.rank().index());
    ranks.sort_unstable();
    let [low, middle, high] = ranks;
    match (low == middle, middle == high) {
        (true, true) => (2, [high, 0, 0]),
        (true, false) => (1, [middle, high, 0]),
        (false, true) => (1, [middle, low, 0]),
        (false, false) => (0, [high, middle, low]),
    }
}

/// The cards of a player left, hole card first, `None` if unknown.
pub(super) type KnownCards = [Option<Card>; 3];

/// The sums of a player over all deals, by the rules.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    pub(super) hand: f64,
    sole: f64,
    tied: f64,
    pub(super) spade: f64,
    share: f64,
}

/// All deals of the unknown cards to at most four players, one by one.
pub(super) struct EveryDeal {
    hands: Vec<KnownCards>,
    unseen: Vec<Card>,
    is_dealt: Vec<bool>,
    pub(super) deals: f64,
    pub(super) no_spade: f64,
    pub(super) taken: Vec<Taken>,
}

impl EveryDeal {
    pub(super) fn of(hands: Vec<KnownCards>, unseen: Vec<Card>) -> EveryDeal {
        let mut every = EveryDeal {
            taken: vec![Taken::default(); hands.len()],
            is_dealt: vec![false; unseen.len()],
            hands,
            unseen,
            deals: 0.0,
            no_spade: 0.0,
        };
        every.deal(0);
        every
    }

    fn deal(&mut self, from: usize) {
        let place = (from..3 * self.hands.len()).find(|place| self.hands[place / 3][place % 3].is_none());
        let Some(place) = place else { return self.look() };
        for at in 0..self.unseen.len() {
            if !self.is_dealt[at] {
                self.is_dealt[at] = true;
                self.hands[place / 3][place % 3] = Some(self.unseen[at]);
                self.deal(place + 1);
                self.is_dealt[at] = false;
            }
        }
        self.hands[place / 3][place % 3] = None;
    }

    fn look(&mut self) {
        let mut values = [(0, [0; 3]); 4];
        for (of_hand, hand) in values.iter_mut().zip(&self.hands) {
            *of_hand = value(hand.map(|card| card.expect("everything is dealt")));
        }
        let values = &values[..self.hands.len()];
        let best = values.iter().max();
        let winners = values.iter().filter(|value| Some(*value) == best).count();
        let spades = self.hands.iter().enumerate().filter(|(_, hand)| hand[0].is_some_and(Card::is_spade));
        let highest = spades.max_by_key(|(_, hand)| hand[0].map(Card::rank)).map(|(player, _)| player);
        let one_if = |is_so| if is_so { 1.0 } else { 0.0 };
        for (player, taken) in self.taken.iter_mut().enumerate() {
            let is_best = Some(&values[player]) == best;
            let (hand, spade) = (one_if(is_best) / winners as f64, one_if(highest == Some(player)));
            taken.hand += hand;
            taken.sole += one_if(is_best && winners == 1);
            taken.tied += one_if(is_best && winners > 1);
            taken.spade += spade;
            taken.share += if highest.is_none() { hand } else { (hand + spade) / 2.0 };
        }
        self.no_spade += one_if(highest.is_none());
        self.deals += 1.0;
    }
}

/// Maximum difference between the exact odds and the plain enumeration.
fn deviation(situation: &Situation) -> f64 {
    let odds = situation.exact_odds().expect("it can be had exactly");
    assert!(odds.exact && odds.standard_error == 0.0 && odds.samples == 0);
    let up = |up: &[Card]| [None, up.first().copied(), up.get(1).copied()];
    let mut own = up(situation.up());
    own[0] = Some(situation.hole());
    let hands = [own].into_iter().chain(situation.others().map(up)).collect();
    let every = EveryDeal::of(hands, situation.unseen().into_iter().collect());
    let own = &every.taken[0];
    [
        (odds.share, own.share),
        (odds.hand, own.hand),
        (odds.sole, own.sole),
        (odds.tied, own.tied),
        (odds.spade, own.spade),
        (odds.no_spade, every.no_spade),
    ]
    .map(|(odds, sum)| (odds - sum / every.deals).abs())
    .into_iter()
    .fold(0.0, f64::max)
}

/// A random situation with so many players in, so many up cards each, and so many unseen cards. Half of them are from the
/// top of the deck, where there are more pairs and ties.
fn random(rng: &mut Stream, players: usize, ups: usize, unseen: usize) -> Situation {
    let mut deck = Card::ALL.to_vec();
    rng.shuffle(&mut deck);
    let known = 1 + players * ups;
    if rng.one_in(2) {
        // Those that are gone are the lowest.
        let kept = known + unseen;
        deck.sort_by_key(|card| std::cmp::Reverse(card.rank()));
        rng.shuffle(&mut deck[..kept]);
    }
    let own: Vec<Card> = deck[..=ups].to_vec();
    let others: Vec<&[Card]> = deck[1 + ups..known].chunks(ups).collect();
    Situation::new(&own, &others, &deck[known + unseen..]).expect("all cards are different")
}

/// The greatest deviation over so many random situations of a street with two to four players. Two play with the whole deck;
/// with more on the first street there are few cards left, as there are too many deals otherwise.
fn greatest_deviation(street: usize, situations: usize, cards: impl Fn(usize) -> usize) -> f64 {
    let mut rng = Seed::chosen(format!("street {street}")).stream("situations");
    let mut greatest: f64 = 0.0;
    for case in 0..situations {
        let players = 2 + case % 3;
        let most = 52 - 1 - players * street;
        let unseen = most.min(cards(players)) - rng.below(3) as usize;
        let situation = random(&mut rng, players, street, unseen);
        let deviation = deviation(&situation);
        assert!(deviation <= 1e-12, "{deviation}: {situation:?}");
        greatest = greatest.max(deviation);
    }
    greatest
}

/// How many cards are unseen on the first street: all between two, and so many that there are some 100,000 deals.
fn first_street_cards(players: usize) -> usize {
    [52, 52, 52, 12, 9][players]
}

#[test]
fn first_street_odds_equal_full_enumeration() {
    greatest_deviation(1, 9, |players| [52, 52, 30, 11, 9][players]);
}

#[test]
fn second_street_situation_odds_equal_full_enumeration() {
    greatest_deviation(2, 120, |players| [52, 52, 52, 52, 18][players]);
}

/// `cargo test --release -p casino-stud --lib all_ten_thousand -- --ignored --nocapture` says how far they are off.
#[test]
#[ignore = "alone: deals some billion cards"]
#[allow(clippy::print_stdout, reason = "a measurement prints")]
fn all_ten_thousand_situations_of_each_street() {
    println!("first street: {:e}", greatest_deviation(1, 10_000, first_street_cards));
    println!("second street: {:e}", greatest_deviation(2, 10_000, |_| 52));
    let mut rng = Seed::chosen("whole decks").stream("situations");
    let whole = (0..3).map(|_| deviation(&random(&mut rng, 3, 1, 48))).fold(0.0, f64::max);
    println!("first street, three players with a whole deck: {whole:e}");
}

fn asked(text: &str) -> Situation {
    let Ok(Command::Question(question)) = Command::read(text, 10) else { panic!("{text}") };
    Situation::of(&question.as_question()).unwrap()
}

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(|card| card.parse().unwrap()).collect()
}

#[test]
fn certain_outcomes_are_exactly_0_or_1() {
    // Three aces with the ace of spades in the hole.
    let all = asked("bet2:9:2:0:AS:AD:AH:up:AD:AH:2C:3C").odds();
    assert_eq!((all.share, all.hand, all.sole, all.tied, all.spade), (1.0, 1.0, 1.0, 0.0, 1.0));
    // A pair of aces beats every hole card, and a heart is no spade.
    let nothing = asked("bet2:9:2:0:2H:3D:4D:up:3D:4D:KS:KC:AS:AC").odds();
    assert_eq!((nothing.share, nothing.hand, nothing.spade), (0.0, 0.0, 0.0));
    // The ace of spades in the hole, on the first street against 16.
    let others: Vec<Vec<Card>> = Card::ALL[..16].iter().map(|card| vec![*card]).collect();
    let half = Situation::new(&cards("AS KH"), &others, &[]).unwrap().odds();
    assert!(!half.exact && half.spade == 1.0 && half.no_spade == 0.0 && half.share > 0.5);
    // The kings are up, so no hole card of the opponent is a higher spade.
    let sure = Situation::new(&cards("QS AD AH"), &[cards("KS KC")], &cards("AS")).unwrap().odds();
    assert_eq!((sure.spade, sure.no_spade), (1.0, 0.0));
}

#[test]
fn chips_are_counted_with_the_odd_one_in_the_hand_half() {
    let odds = |share, hand, spade, whole| Odds {
        share,
        hand,
        sole: hand,
        tied: 0.0,
        spade,
        no_spade: whole,
        whole,
        exact: true,
        standard_error: 0.0,
        samples: 0,
    };
    assert_eq!(odds(0.5, 1.0, 0.0, 0.0).chips(7), 4.0);
    assert_eq!(odds(0.5, 0.0, 1.0, 0.0).chips(7), 3.0);
    assert_eq!(odds(1.0, 1.0, 0.0, 1.0).chips(7), 7.0);
    assert_eq!(odds(1.0, 1.0, 1.0, 0.0).chips(7), 7.0);
}

#[test]
fn the_document_s_situation_against_five_others() {
    let situation = asked("bet2:183:66:0:KS:10D:10S:up:AS:AD:8H:6D:10D:10S:QD:JC:2C:4H");
    let odds = situation.odds();
    let room = situation.chances();
    // Two ways to count: one strength, and all of them.
    assert!((odds.hand - room.players[0].hand).abs() < 1e-12 && odds.exact && room.exact);
    assert!((odds.spade - room.players[0].spade).abs() < 1e-12);
    // No opponent can hold a higher spade: the ace is up.
    assert_eq!(odds.spade, 1.0);
}

#[test]
fn cards_of_folded_players_are_removed_from_the_deck() {
    let situation =
        Situation::new(&cards("9S AD KH"), &[cards("QD JH"), cards("10C 4D")], &cards("AS KS QS")).unwrap();
    let (odds, room) = (situation.odds(), situation.chances());
    assert!((room.players.iter().map(|player| player.hand).sum::<f64>() - 1.0).abs() < 1e-12);
    assert!((odds.hand - room.players[0].hand).abs() < 1e-12);
    assert!((odds.spade - room.players[0].spade).abs() < 1e-12);
    // More of them than a table has players.
    let many: Vec<Card> =
        Card::ALL.into_iter().filter(|card| card.rank() < Rank::Ten && card.index() > 3).collect();
    let situation = Situation::new(&cards("JS AD KH"), &[cards("QD JH")], &many).unwrap();
    assert!((situation.odds().hand - situation.chances().players[0].hand).abs() < 1e-12);
}

#[test]
fn a_sample_comes_as_near_as_it_says() {
    // Of 40 samples with other seeds, about one in three is off by more than its standard error, and hardly any by four times.
    let plain = Situation::new(&cards("QS 10D"), &[cards("AC"), cards("7D")], &[]).unwrap();
    let pair = Situation::new(&cards("QS 10D"), &[cards("10C")], &[]).unwrap();
    for situation in [plain, pair] {
        let exact = situation.exact_odds().unwrap();
        let mut beyond = 0;
        for seed in 0..40 {
            let seed = Seed::chosen(seed.to_string());
            let mut sampler = Sampler::new(&situation, &seed);
            sampler.deal(2_000);
            let sampled = sampler.odds();
            let off = (sampled.share - exact.share).abs() / sampled.standard_error;
            assert!(off < 4.5 && sampled.samples == 2_000, "{off}");
            assert_eq!((sampled.spade, sampled.no_spade), (exact.spade, exact.no_spade));
            beyond += u32::from(off > 1.0);
        }
        assert!((4..=25).contains(&beyond), "{beyond} of 40");
    }
}

#[test]
fn the_usual_sample_is_precise_and_the_same_again() {
    let situation = asked("bet1:9:2:0:QS:10D:up:10D:AC:7D:8D:9D");
    let odds = situation.odds();
    assert!(odds.standard_error <= 0.001 && !odds.exact, "{odds:?}");
    assert_eq!(situation.odds(), odds);
}

#[test]
fn impossible_situations_are_refused_with_their_position() {
    let refused = |own: &str, others: &[&str], gone: &str| {
        let others: Vec<Vec<Card>> = others.iter().map(|other| cards(other)).collect();
        let gone = if gone.is_empty() { Vec::new() } else { cards(gone) };
        Situation::new(&cards(own), &others, &gone).unwrap_err().to_string()
    };
    assert!(refused("AS", &["2C"], "").contains("your own cards are 1"));
    assert!(refused("AS 2C 3C 4C", &["2C"], "").contains("your own cards are 4"));
    assert!(refused("AS 2C", &[], "").contains("0 other players"));
    assert!(refused("AS 2C", &["3C"; 17], "").contains("17 other players"));
    assert!(refused("AS 2C", &["3C", "3D 4D"], "").contains("other player 2 shows 2 cards"));
    let twice = refused("AS 2C", &["3C", "AS"], "");
    assert_eq!(
        twice,
        "the AS is there twice, as your hole card and among the up cards of other player 2: take one of them away"
    );
    assert!(refused("AS 2C", &["3C"], "3C").contains("the folded cards"));
    let many: Vec<String> = Card::ALL[8..48].iter().map(ToString::to_string).collect();
    assert!(refused("AS AC", &["2C", "3C", "2H", "3H"], &many.join(" ")).contains("unseen"));
    let Ok(Command::Question(question)) = Command::read("bet1:9:2:0:AS:2D:up:3D:4D", 10) else { panic!() };
    let not_on_board = Situation::of(&question.as_question()).unwrap_err().to_string();
    assert!(not_on_board.starts_with("your up cards are not among everyone's"), "{not_on_board}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Chances are chances, and their parts add up.
    #[test]
    fn parts_add_up(seed in any::<u64>(), players in 2..=7usize, ups in 1..=2usize) {
        let mut rng = Seed::chosen(seed.to_string()).stream("situations");
        let players = if ups == 1 { 2 } else { players };
        let situation = random(&mut rng, players, ups, 51 - players * ups);
        let odds = situation.exact_odds().expect("few enough");
        for chance in [odds.share, odds.hand, odds.sole, odds.tied, odds.spade, odds.no_spade, odds.whole] {
            prop_assert!((0.0..=1.0).contains(&chance), "{odds:?}");
        }
        prop_assert!(odds.sole + odds.tied <= 1.0 + 1e-12);
        prop_assert!(odds.hand >= odds.sole && odds.hand <= odds.sole + odds.tied / 2.0 + 1e-12);
        prop_assert!(odds.whole <= odds.no_spade + 1e-12 && odds.whole <= odds.hand + 1e-12);
        prop_assert!((odds.chips(1_000) - 1_000.0 * odds.share).abs() < 1e-9);
        // Everyone's together, as this player sees them.
        let room = situation.chances();
        let spade: f64 = room.players.iter().map(|player| player.spade).sum();
        prop_assert!((spade + room.no_spade - 1.0).abs() < 1e-12);
        let hand: f64 = room.players.iter().map(|player| player.hand).sum();
        prop_assert!((hand - 1.0).abs() < 1e-12);
        prop_assert!((room.players[0].hand - odds.hand).abs() < 1e-12);
        prop_assert!((room.no_spade - odds.no_spade).abs() < 1e-12);
    }
}
