//! The table and the tournament by the rules: every worked example of the document, every decision with a
//! number, and random play of every size.

mod fouls;
mod random;

use std::collections::BTreeSet;

use casino_stud::cards::{Card, Deck, Rank, Seed, Suit};
use casino_stud::strategies::{Bot, HouseBot};
use casino_stud::stud::{
    Action, Bounds, Chips, Half, MAX_SEATS, Rules, Seat, SeatSet, ShortStack, Street, Strength,
};
use casino_stud::table::{
    ExitReason, Fault, Foul, FrameFault, Notice, OnFoul, Reply, Status, Step, Table, TableEvent,
    TableSettings,
};
use casino_stud::tournament::TableGame;

fn seat(index: usize) -> Seat {
    Seat::new(index)
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
}

/// A deck in which each player gets the cards of its hand, hole card first (R4).
fn deck_for(hands: &[&str]) -> Deck {
    let hands: Vec<Vec<Card>> = hands.iter().map(|hand| cards(hand)).collect();
    let order: Vec<Card> = (0..3).flat_map(|place| hands.iter().map(move |hand| hand[place])).collect();
    Deck::beginning_with(&order).expect("no card twice")
}

/// The events at a table, as the players saw them.
#[derive(Debug, Default)]
struct Seen {
    /// The questions: seat and command fields.
    asked: Vec<(usize, Asked)>,
    /// The statuses at the end of the round.
    told: Vec<(usize, Status)>,
    /// The seats that received `done`.
    left: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Asked {
    street: Street,
    bounds: Bounds,
    pot: Chips,
    hole: Card,
    up: Vec<Card>,
    board: Vec<Card>,
}

/// Plays a round in which the players answer in turn with these words, then with a call.
fn play(table: &mut Table, deck: &Deck, replies: &[&str]) -> Seen {
    table.deal(table.round_number() + 1, deck);
    let mut seen = Seen::default();
    let mut replies = replies.iter();
    loop {
        match table.step() {
            Step::Ask(seat) => {
                let question = table.question(seat);
                seen.asked.push((
                    seat.index(),
                    Asked {
                        street: question.street,
                        bounds: question.bounds,
                        pot: question.pot,
                        hole: question.hole,
                        up: question.up.to_vec(),
                        board: question.board.to_vec(),
                    },
                ));
                let reply = match replies.next() {
                    None => Reply::Bet(question.bounds.to_call),
                    Some(&"fold") => Reply::Fold,
                    Some(chips) => Reply::Bet(chips.parse().expect("a number")),
                };
                table.answer(Ok(reply));
            }
            Step::Tell(seat, Notice::Status(status)) => seen.told.push((seat.index(), status)),
            Step::Tell(seat, Notice::Done) => seen.left.push(seat.index()),
            Step::Over => return seen,
        }
    }
}

fn won(table: &Table) -> Vec<(usize, Half, Chips)> {
    let won = |event: &TableEvent| match *event {
        TableEvent::Won { seat, half, chips } => Some((seat.index(), half, chips)),
        _ => None,
    };
    table.events().iter().filter_map(won).collect()
}

/// Four players of whom the first one opens, no spade in the hole, and the second one has the best hand.
const FOUR: [&str; 4] = ["2H AS 3D", "KH KD KC", "4H 6D 8C", "5H 7D 9C"];

/// The document's example: the first opens with 10, the second raises to 15, the third folds, the fourth calls, the first raises
/// to 25, the second calls, and the fourth folds.
#[test]
fn the_documents_four_players() {
    let mut table = Table::new(TableSettings::default(), &[500; 4]);
    let seen = play(&mut table, &deck_for(&FOUR), &["10", "15", "fold", "15", "15", "10", "fold"]);
    let first: Vec<(usize, Chips, Chips, Chips)> = seen
        .asked
        .iter()
        .filter(|(_, asked)| asked.street == Street::First)
        .map(|(seat, asked)| (*seat, asked.bounds.stack, asked.pot, asked.bounds.to_call))
        .collect();
    assert_eq!(
        first,
        [
            (0, 499, 4, 0),
            (1, 499, 14, 10),
            (2, 499, 29, 15),
            (3, 499, 29, 15),
            (0, 489, 44, 5),
            (1, 484, 59, 10),
            (3, 484, 69, 10),
        ]
    );
    // All bets are matched: the second street begins, and the first, who still shows the highest card, opens it.
    let second: Vec<usize> = seen
        .asked
        .iter()
        .filter(|(_, asked)| asked.street == Street::Second)
        .map(|(seat, _)| *seat)
        .collect();
    assert_eq!(second, [0, 1]);
    assert_eq!(won(&table), [(1, Half::Whole, 69)]);
    assert_eq!(table.stacks(), [474, 543, 499, 484]);
    assert_eq!(table.round().put_in()[..4], [26, 26, 1, 16]);
    // R14: all players, folded or not, receive the status with the winning hand, hole card first.
    let hand = cards("KH KD KC").into_iter().map(Some).collect::<Vec<_>>();
    assert_eq!(seen.told.iter().map(|(seat, _)| *seat).collect::<Vec<_>>(), [0, 1, 2, 3]);
    for (seat, status) in seen.told {
        assert_eq!((status.hand.to_vec(), status.won), (hand.clone(), seat == 1));
    }
}

/// R7: each of the example's bets could be ten above the call, and no more.
#[test]
fn no_bet_or_raise_of_the_example_may_be_larger_than_ten() {
    let legal: [&[&str]; 4] = [&["10"], &["10", "20"], &["10", "15", "25"], &["10", "15", "fold", "25"]];
    for replies in legal {
        for (more, is_legal) in [(0, true), (1, false)] {
            let mut table = Table::new(TableSettings::default(), &[500; 4]);
            let (last, before) = replies.split_last().expect("not empty");
            let mut replies: Vec<String> = before.iter().map(ToString::to_string).collect();
            replies.push((last.parse::<Chips>().expect("a number") + more).to_string());
            let words: Vec<&str> = replies.iter().map(String::as_str).collect();
            let seen = play(&mut table, &deck_for(&FOUR), &words);
            assert_eq!(seen.left.is_empty(), is_legal, "{words:?}");
        }
    }
}

/// The document's commands: 208 - 20 = 188 (the bet of 20 answers 12 to call), and 5 to call after a raise.
#[test]
fn the_documents_stack_falls_by_what_is_added() {
    let mut table = Table::new(TableSettings::default(), &[209, 400, 400]);
    // The second one opens.
    let hands = ["KS 10D 10S", "3C AS 4D", "5C 2C 6H"];
    let seen = play(&mut table, &deck_for(&hands), &["7", "12", "20", "18"]);
    let mine: Vec<(Chips, Chips)> = seen
        .asked
        .iter()
        .filter(|(seat, _)| *seat == 0)
        .map(|(_, asked)| (asked.bounds.stack, asked.bounds.to_call))
        .collect();
    assert_eq!(mine[..2], [(208, 12), (188, 5)]);
    // The player's own up card is on the board, and nothing changes in the second question but the numbers.
    let (_, first) = seen.asked.iter().find(|(seat, _)| *seat == 0).expect("asked");
    assert_eq!((first.hole, first.up.clone()), (cards("KS")[0], cards("10D")));
    assert_eq!(first.board, cards("10D AS 2C"));
    let (_, again) = seen.asked.iter().filter(|(seat, _)| *seat == 0).nth(1).expect("asked again");
    assert_eq!((again.hole, &again.up, &again.board), (first.hole, &first.up, &first.board));
}

/// Bets of zero on both streets: the winner takes the antes.
#[test]
fn everyone_may_bet_zero_and_the_antes_are_won() {
    let mut table = Table::new(TableSettings::default(), &[500; 4]);
    let seen = play(&mut table, &deck_for(&FOUR), &["0"; 8]);
    assert_eq!(seen.asked.len(), 8);
    assert_eq!(won(&table), [(1, Half::Whole, 4)]);
    assert_eq!(table.stacks(), [499, 503, 499, 499]);
}

/// A player who cannot call has to fold.
#[test]
fn a_player_that_cannot_call_is_folded_without_a_question() {
    let mut table = Table::new(TableSettings::default(), &[500, 4, 500]);
    let seen = play(&mut table, &deck_for(&["2H AS 3D", "KH KD KC", "4H 6D 8C"]), &["10"]);
    assert!(table.events().contains(&TableEvent::ForcedFold { seat: seat(1) }));
    assert!(seen.asked.iter().all(|(seat, _)| *seat != 1), "nobody is asked what it cannot pay");
    assert_eq!(table.stacks()[1], 3);
    assert_eq!(seen.told.len(), 3, "it is told how the round ended");
    // R8, the other setting: the player is asked, and only folding is legal.
    let asking = TableSettings {
        rules: Rules { short_stack: ShortStack::Ask, ..Rules::default() },
        ..TableSettings::default()
    };
    let mut table = Table::new(asking, &[500, 4, 500]);
    let seen = play(&mut table, &deck_for(&["2H AS 3D", "KH KD KC", "4H 6D 8C"]), &["10", "fold"]);
    let (_, asked) = seen.asked.iter().find(|(seat, _)| *seat == 1).expect("it is asked");
    assert_eq!(asked.bounds.to_string(), "only fold (10 to call, 3 in the stack)");
    assert!(seen.left.is_empty() && table.seated().contains(seat(1)));
    let mut table = Table::new(asking, &[500, 4, 500]);
    let seen = play(&mut table, &deck_for(&["2H AS 3D", "KH KD KC", "4H 6D 8C"]), &["10", "3"]);
    assert_eq!(seen.left, [1], "a bet it cannot pay is a foul");
}

/// R8: a player with no chips and nothing to call is not asked, and stays in to the showdown; with chips to call it is
/// folded.
#[test]
fn a_player_without_chips_stays_in_unasked_while_that_is_free() {
    for short_stack in [ShortStack::Fold, ShortStack::Ask] {
        let conduct =
            TableSettings { rules: Rules { short_stack, ..Rules::default() }, ..TableSettings::default() };
        let mut table = Table::new(conduct, &[500, 1, 500]);
        let seen = play(&mut table, &deck_for(&["2H AS 3D", "KH KD KC", "4H 6D 8C"]), &["0"; 4]);
        let passed =
            table.events().iter().filter(|event| **event == TableEvent::Passed { seat: seat(1) }).count();
        assert_eq!(passed, 2);
        assert!(seen.asked.iter().all(|(seat, _)| *seat != 1));
        assert_eq!((won(&table), table.stacks()[1]), (vec![(1, Half::Whole, 3)], 3));
    }
    let mut table = Table::new(TableSettings::default(), &[500, 1, 500]);
    let seen = play(&mut table, &deck_for(&["2H 6S 3D", "KH AD KC", "4H 5D 8C"]), &["4"]);
    assert!(table.events().contains(&TableEvent::Passed { seat: seat(1) }), "it opens and passes");
    assert!(
        table.events().contains(&TableEvent::ForcedFold { seat: seat(1) }),
        "and cannot call the 4 after that"
    );
    // R18: no chips for the next ante.
    assert_eq!(seen.left, [1]);
    assert_eq!(table.exit_reason(seat(1)), Some(&ExitReason::Busted { chips: 0, ante: 1 }));
}

/// The document's "Card Play": which hand wins the hand half.
#[test]
fn the_documents_hands() {
    for (better, worse) in [
        // Three of a kind, the higher rank first.
        ("2C 2D 2H", "AC AD KH"),
        ("3C 3D 3H", "2C 2D 2H"),
        // A pair, the higher rank first, then the third card.
        ("2C 2D 3H", "AC KD QH"),
        ("KC KD 2H", "QC QD AH"),
        ("KC KD 4H", "KH KS 3H"),
        // High cards, then the second and third.
        ("AC 3D 2H", "KC QD JH"),
        ("AC KD 2H", "AD QC JH"),
        ("AC KD 4H", "AD KC 3H"),
    ] {
        let strength = |hand: &str| Strength::of(cards(hand).try_into().expect("three cards"));
        assert!(strength(better) > strength(worse), "{better} against {worse}");
        let (mut table, hands) = (Table::new(TableSettings::default(), &[500; 2]), [better, worse]);
        play(&mut table, &deck_for(&hands), &[]);
        assert_eq!(won(&table).iter().filter(|(_, half, _)| *half != Half::Spade).count(), 1);
        assert_eq!(won(&table)[0].0, 0, "{better} against {worse}");
    }
}

/// Equal hands share the half.
#[test]
fn tied_hands_split() {
    let mut table = Table::new(TableSettings::default(), &[500; 3]);
    let seen = play(&mut table, &deck_for(&["KH KD 9C", "KC KS 9D", "2H 3C 4H"]), &["10", "10", "10"]);
    // R11: the two share 33, and the odd chip is the first one's in action order. The second one opened.
    assert_eq!(won(&table), [(1, Half::Whole, 17), (0, Half::Whole, 16)]);
    let winners: Vec<usize> = seen.told.iter().filter(|(_, s)| s.won).map(|(seat, _)| *seat).collect();
    assert_eq!(winners, [0, 1]);
    assert_eq!(seen.told[2].1.hand.to_vec(), cards("KC KS 9D").into_iter().map(Some).collect::<Vec<_>>());
}

/// Half of the pot is for the best hand and half for the highest spade in the hole.
#[test]
fn the_high_spade_in_the_hole_takes_half() {
    for (hands, wanted) in [
        // Two winners; the chip that cannot be halved stays with the hand (R11).
        (["KH KD KC", "2S 3D 5C", "4H 6D 8C"], vec![(0, Half::Hand, 2), (1, Half::Spade, 1)]),
        (["KH KD KC", "2S 3D 5C", "4S 6D 8C"], vec![(0, Half::Hand, 2), (2, Half::Spade, 1)]),
        // Without a spade in a hole the best hand takes the whole pot: spades face up do not count.
        (["KH KD KC", "2H AS QS", "4H 6D 8C"], vec![(0, Half::Whole, 3)]),
        // One player with both halves takes the whole pot.
        (["KS KD KC", "2S 3D 5C", "4H 6D 8C"], vec![(0, Half::Hand, 2), (0, Half::Spade, 1)]),
    ] {
        let mut table = Table::new(TableSettings::default(), &[500; 3]);
        let seen = play(&mut table, &deck_for(&hands), &[]);
        assert_eq!(won(&table), wanted, "{hands:?}");
        for (seat, status) in seen.told {
            assert_eq!(status.won, wanted.iter().any(|(winner, ..)| *winner == seat), "{hands:?} {seat}");
        }
    }
}

/// R9, and the document: "If you are the only player not to fold after the bet1 round, you simply will receive a
/// status command, without a bet2 command". The pot is the last one's, spade or not.
#[test]
fn the_last_one_in_takes_the_whole_pot_at_once() {
    let hands = ["AS 2H 3D", "KS KD KC", "QH JD 8C"];
    let mut table = Table::new(TableSettings::default(), &[500; 3]);
    // The second one opens, and the third, with the worst hand, remains and wins.
    let seen = play(&mut table, &deck_for(&hands), &["fold", "10", "fold"]);
    assert_eq!(seen.asked.iter().map(|(seat, _)| *seat).collect::<Vec<_>>(), [1, 2, 0]);
    assert_eq!(won(&table), [(2, Half::Whole, 13)]);
    assert_eq!(table.shown(), [Some(cards("QH")[0]), Some(cards("JD")[0]), None], "the rest was never dealt");
    // With a spade in the hole it is one payout all the same.
    let mut table = Table::new(TableSettings::default(), &[500; 3]);
    play(&mut table, &deck_for(&hands), &["fold", "fold"]);
    assert_eq!(won(&table), [(0, Half::Whole, 3)]);
    // On the second street the hand is complete.
    let mut table = Table::new(TableSettings::default(), &[500; 3]);
    play(&mut table, &deck_for(&hands), &["0", "0", "0", "fold", "0", "fold"]);
    assert_eq!(table.shown().to_vec(), cards("QH JD 8C").into_iter().map(Some).collect::<Vec<_>>());
}

/// R6 over every pair of up cards: the higher rank, then spades over hearts over diamonds over clubs.
#[test]
fn the_highest_up_card_opens_whatever_it_ties_with() {
    let suits = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];
    let worth = |card: Card| {
        let suit = suits.iter().position(|suit| *suit == card.suit()).expect("one of four");
        (card.rank().index(), suit)
    };
    for first in Card::ALL {
        for second in Card::ALL.into_iter().filter(|card| *card != first) {
            let mut fill = Card::ALL.into_iter().filter(|card| ![first, second].contains(card));
            let mut next = || fill.next().expect("fifty are left").to_string();
            let hands = [format!("{} {first} {}", next(), next()), format!("{} {second} {}", next(), next())];
            let deck = deck_for(&[hands[0].as_str(), hands[1].as_str()]);
            let mut table = Table::new(TableSettings::default(), &[500; 2]);
            table.deal(1, &deck);
            let opener = usize::from(worth(second) > worth(first));
            let opened = TableEvent::Opened { street: Street::First, opener: seat(opener) };
            assert_eq!(table.events()[1], opened, "{first} {second}");
        }
    }
}

/// R6: the second street is opened by the single highest card of both, among those still in.
#[test]
fn both_up_cards_count_for_the_opener_of_the_second_street() {
    let opener = |table: &Table| {
        let opened = |event: &TableEvent| match *event {
            TableEvent::Opened { street: Street::Second, opener } => Some(opener.index()),
            _ => None,
        };
        table.events().iter().find_map(opened).expect("it was opened")
    };
    for (hands, first_folds, wanted) in [
        (["2C 3D KH", "4C AC 5D", "6C 7D AS"], false, 2),
        (["2C 3D KH", "4C AC 5D", "6C 7D QS"], false, 1),
        // A pair of kings shows no higher single card than a king.
        (["2C KD KH", "4C AC 5D", "6C 7D QS"], false, 1),
        // A folded player does not open.
        (["2C 3D KH", "4C AC 5D", "6C 7D QS"], true, 0),
    ] {
        let mut table = Table::new(TableSettings::default(), &[500; 3]);
        play(&mut table, &deck_for(&hands), if first_folds { &["fold"] } else { &[] });
        assert_eq!(opener(&table), wanted, "{hands:?}");
    }
}

/// R13: `bet1` lists everyone dealt in all street; `bet2` leaves out who folded before it, and is then unchanged.
#[test]
fn the_lists_of_up_cards() {
    let mut table = Table::new(TableSettings::default(), &[500; 4]);
    let seen = play(
        &mut table,
        &deck_for(&FOUR),
        // Street 1: 0 bets, 1 raises, 2 folds, 3 and 0 call. Street 2: 0 bets, 1 raises, 3 folds, 0 calls.
        &["5", "10", "fold", "10", "5", "5", "10", "fold", "5"],
    );
    for (_, asked) in &seen.asked {
        match asked.street {
            Street::First => assert_eq!(asked.board, cards("AS KD 6D 7D")),
            Street::Second => assert_eq!(asked.board, cards("AS 3D KD KC 7D 9C")),
        }
    }
    let streets: Vec<Street> = seen.asked.iter().map(|(_, asked)| asked.street).collect();
    assert_eq!(streets.iter().filter(|street| **street == Street::First).count(), 5);
    assert_eq!(streets.iter().filter(|street| **street == Street::Second).count(), 4);
}

/// R4: the cards of a player do not depend on the folds of others.
#[test]
fn a_folded_players_slot_stays_unused() {
    let hands: Vec<String> =
        (0..5).map(|p| format!("{} {} {}", Card::ALL[p], Card::ALL[10 + p], Card::ALL[20 + p])).collect();
    let hands: Vec<&str> = hands.iter().map(String::as_str).collect();
    for folding in 0..5 {
        let mut table = Table::new(TableSettings::default(), &[500; 5]);
        // The last one opens: its card is the highest.
        let order = [4, 0, 1, 2, 3];
        let replies: Vec<&str> =
            order.iter().map(|seat| if *seat == folding { "fold" } else { "0" }).collect();
        let seen = play(&mut table, &deck_for(&hands), &replies);
        for (seat, asked) in seen.asked {
            assert_eq!(asked.hole, Card::ALL[seat]);
            assert_eq!(asked.up[0], Card::ALL[10 + seat]);
            assert!(asked.up.get(1).is_none_or(|card| *card == Card::ALL[20 + seat]));
        }
    }
}
