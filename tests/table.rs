//! The table and the tournament by the rules: every worked example of the document, every decision with a
//! number, and random play of every size.

use std::collections::BTreeSet;

use casino_day::cards::{Card, Deck, Rank, Seed, Suit};
use casino_day::strategies::{Bot, HouseBot};
use casino_day::stud::{
    Action, Bounds, Chips, Half, MAX_SEATS, Rules, Seat, SeatSet, ShortStack, Street, Strength,
};
use casino_day::table::{
    ExitReason, Fault, Foul, FrameFault, Notice, OnFoul, Reply, Status, Step, Table, TableEvent,
    TableSettings,
};
use casino_day::tournament::TableGame;

fn seat(index: usize) -> Seat {
    Seat::new(index)
}

fn cards(text: &str) -> Vec<Card> {
    text.split_whitespace().map(|card| card.parse().expect("a card")).collect()
}

/// A deck in which each player gets the cards of its hand, hole card first (R4).
fn deck_for(hands: &[&str]) -> Deck {
    let hands: Vec<Vec<Card>> = hands.iter().map(|hand| cards(hand)).collect();
    let mut order: Vec<Card> = (0..3).flat_map(|place| hands.iter().map(move |hand| hand[place])).collect();
    order.extend(Card::ALL.into_iter().filter(|card| !order.contains(card)).collect::<Vec<_>>());
    Deck::stacked(order.try_into().expect("52 cards")).expect("no card twice")
}

/// What was done at a table, as the players saw it.
#[derive(Debug, Default)]
struct Seen {
    /// Who was asked what: seat, command fields.
    asked: Vec<(usize, Asked)>,
    /// Who was told how the round ended.
    told: Vec<(usize, Status)>,
    /// Who was told `done`.
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

/// "Amit bets $10. Brian raises to $15. Carlos folds. Denise sees the $15 bet. Amit adds $5 to match Brian's bet
/// and also adds $10 more, raising the total bet to $25. Brian adds $10, to see the $25 bet. Denise folds."
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
    // "At this point, everyone playing either has folded or has matched the current bet": the second street
    // begins, and Amit, who still shows the highest card, opens it.
    let second: Vec<usize> = seen
        .asked
        .iter()
        .filter(|(_, asked)| asked.street == Street::Second)
        .map(|(seat, _)| *seat)
        .collect();
    assert_eq!(second, [0, 1]);
    assert_eq!(won(&table), [(1, Half::Whole, 69)]);
    assert_eq!(table.stacks(), [474, 543, 499, 484]);
    // R14: everyone is told, folded or not, and shown the winning hand, hole card first.
    let hand = cards("KH KD KC").into_iter().map(Some).collect::<Vec<_>>();
    assert_eq!(seen.told.iter().map(|(seat, _)| *seat).collect::<Vec<_>>(), [0, 1, 2, 3]);
    for (seat, status) in seen.told {
        assert_eq!((status.hand.to_vec(), status.won), (hand.clone(), seat == 1));
    }
}

/// "the maximum bet or raise shall be $10": each of the example's bets could be that much and no more.
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
    // "your up card is in the list of dealt cards", and nothing changes in the second question but the numbers.
    let (_, first) = seen.asked.iter().find(|(seat, _)| *seat == 0).expect("asked");
    assert_eq!((first.hole, first.up.clone()), (cards("KS")[0], cards("10D")));
    assert_eq!(first.board, cards("10D AS 2C"));
    let (_, again) = seen.asked.iter().filter(|(seat, _)| *seat == 0).nth(1).expect("asked again");
    assert_eq!((again.hole, &again.up, &again.board), (first.hole, &first.up, &first.board));
}

/// "A player may bet zero chips on any opening bet. Sometimes, every player in a round will bet $0, and only the
/// ante bets will be claimed by the round's winner."
#[test]
fn everyone_may_bet_zero_and_the_antes_are_won() {
    let mut table = Table::new(TableSettings::default(), &[500; 4]);
    let seen = play(&mut table, &deck_for(&FOUR), &["0"; 8]);
    assert_eq!(seen.asked.len(), 8);
    assert_eq!(won(&table), [(1, Half::Whole, 4)]);
    assert_eq!(table.stacks(), [499, 503, 499, 499]);
}

/// "A player is not permitted to bet more money than remains in her stack, so a player may be forced to fold."
#[test]
fn a_player_that_cannot_call_is_folded_without_a_question() {
    let mut table = Table::new(TableSettings::default(), &[500, 4, 500]);
    let seen = play(&mut table, &deck_for(&["2H AS 3D", "KH KD KC", "4H 6D 8C"]), &["10"]);
    assert!(table.events().contains(&TableEvent::ForcedFold { seat: seat(1) }));
    assert!(seen.asked.iter().all(|(seat, _)| *seat != 1), "nobody is asked what it cannot pay");
    assert_eq!(table.stacks()[1], 3);
    assert_eq!(seen.told.len(), 3, "it is told how the round ended");
    // R8, the other setting: it is asked, and only folding is legal.
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

/// R8: with no chips and nothing to call nobody is asked, and stays in to the showdown; with chips to call it is
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
    assert_eq!(table.exit_reason(seat(1)), Some(&ExitReason::Broke { chips: 0, ante: 1 }));
}

/// The document's "Card Play": which hand wins the hand half.
#[test]
fn the_documents_hands() {
    for (better, worse) in [
        // "Three-of-a-kind beat any other hand", the higher card value first.
        ("2C 2D 2H", "AC AD KH"),
        ("3C 3D 3H", "2C 2D 2H"),
        // "The next highest hand is a pair", the highest pair, then the third card.
        ("2C 2D 3H", "AC KD QH"),
        ("KC KD 2H", "QC QD AH"),
        ("KC KD 4H", "KH KS 3H"),
        // "If no player has a pair, then the player with the highest card wins", then the second and third.
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

/// "If all three cards match, then the two players are both winners and split the winnings."
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

/// "the player who wins the poker hand only wins half the pot! The other half of the pot goes to the player with
/// the highest spade in the hole."
#[test]
fn the_high_spade_in_the_hole_takes_half() {
    for (hands, wanted) in [
        // Two winners; the chip that cannot be halved stays with the hand (R11).
        (["KH KD KC", "2S 3D 5C", "4H 6D 8C"], vec![(0, Half::Hand, 2), (1, Half::Spade, 1)]),
        (["KH KD KC", "2S 3D 5C", "4S 6D 8C"], vec![(0, Half::Hand, 2), (2, Half::Spade, 1)]),
        // "If no player has a Spade in the hole, the winner of the poker round wins the entire pot": spades that
        // lie open count for nothing.
        (["KH KD KC", "2H AS QS", "4H 6D 8C"], vec![(0, Half::Whole, 3)]),
        // "If the same player wins the poker hand and has the highest spade in the hole": the entire pot.
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
    // The second one opens, and the third, who has nothing, is left.
    let seen = play(&mut table, &deck_for(&hands), &["fold", "10", "fold"]);
    assert_eq!(seen.asked.iter().map(|(seat, _)| *seat).collect::<Vec<_>>(), [1, 2, 0]);
    assert_eq!(won(&table), [(2, Half::Whole, 13)]);
    assert_eq!(table.shown(), [Some(cards("QH")[0]), Some(cards("JD")[0]), None], "the rest was never dealt");
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
        // Who has folded opens nothing.
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

/// R4: nobody's cards depend on who folds.
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

/// R18 and R19: what each kind of foul costs.
#[test]
fn fouls_cost_the_game_or_in_a_rehearsal_the_hand() {
    let too_long = Fault::Frame(FrameFault::TooLong { length: 2_000, cap: 1_024 });
    for (fault, is_final) in [
        (Fault::Malformed { sent: "x".to_string() }, false),
        (Fault::Late { limit_ms: 1_000, partial: false }, false),
        (Fault::Stray { sent: "x".to_string() }, false),
        (Fault::Frame(FrameFault::BadText), false),
        (too_long, true),
        (Fault::HungUp { partial: false }, true),
        (Fault::Deaf, true),
        (Fault::Removed { reason: "x".to_string() }, true),
    ] {
        for on_foul in [OnFoul::Eject, OnFoul::Fold] {
            let mut table = Table::new(TableSettings { on_foul, ..TableSettings::default() }, &[500; 3]);
            table.deal(1, &deck_for(&["2H AS 3D", "KH KD KC", "4H 6D 8C"]));
            assert_eq!(table.step(), Step::Ask(seat(0)));
            table.answer(Ok(Reply::Bet(7)));
            assert_eq!(table.step(), Step::Ask(seat(1)));
            let allowed = table.question(seat(1)).bounds;
            table.answer(Err(fault.clone()));
            let out = is_final || on_foul == OnFoul::Eject;
            assert_eq!(table.seated().contains(seat(1)), !out, "{fault:?} {on_foul:?}");
            assert!(!table.round().live().contains(seat(1)), "folded either way");
            assert_eq!(
                table.foul_of(seat(1)),
                Some(&Foul::Fault { fault: fault.clone(), allowed: Some(allowed) })
            );
            assert_eq!((table.forfeited(), table.stacks()[1]), if out { (499, 0) } else { (0, 499) });
            assert_eq!(table.round().pot(), 10, "chips in the pot stay there");
            assert_eq!(table.exit_reason(seat(1)).is_some(), out);
            if out {
                assert_eq!(table.step(), Step::Tell(seat(1), Notice::Done));
            }
            assert_eq!(table.step(), Step::Ask(seat(2)));
        }
    }
}

/// A fault that is reported out of turn, in every phase of a round, of every player, in both settings.
#[test]
fn a_fault_out_of_turn_at_any_moment() {
    let faults = [Fault::Deaf, Fault::Stray { sent: "x".to_string() }];
    let mut moments = BTreeSet::new();
    for on_foul in [OnFoul::Eject, OnFoul::Fold] {
        for fault in &faults {
            for victim in 0..4 {
                for moment in 0..40 {
                    let mut table =
                        Table::new(TableSettings { on_foul, ..TableSettings::default() }, &[30, 20, 11, 500]);
                    if let Some(phase) = report_at(&mut table, moment, seat(victim), fault) {
                        moments.insert(phase);
                    }
                }
            }
        }
    }
    assert_eq!(moments.into_iter().collect::<Vec<_>>(), ["asked", "before the deal", "told", "waiting"]);
}

/// Everyone else leaves while a player thinks: the pot is its own, whatever it answers.
#[test]
fn the_answer_of_the_last_one_in_does_not_count() {
    let hands = ["2H AS 3D", "KH KD KC", "4H 6D 8C"];
    let answers = [
        Ok(Reply::Fold),
        Ok(Reply::Bet(0)),
        Ok(Reply::Bet(77)),
        Err(Fault::Malformed { sent: "x".to_string() }),
        Err(Fault::HungUp { partial: false }),
    ];
    for answer in answers {
        let mut table = Table::new(TableSettings::default(), &[500; 3]);
        table.deal(1, &deck_for(&hands));
        assert_eq!(table.step(), Step::Ask(seat(0)));
        table.answer(Ok(Reply::Bet(7)));
        assert_eq!(table.step(), Step::Ask(seat(1)));
        for other in [0, 2] {
            table.report(seat(other), Fault::Deaf);
        }
        table.answer(answer.clone());
        while table.step() != Step::Over {}
        assert_eq!(won(&table), [(1, Half::Whole, 10)], "{answer:?}");
        let stays = answer.is_ok();
        assert_eq!(table.stacks(), [0, if stays { 509 } else { 0 }, 0], "{answer:?}");
        assert_eq!(table.seated().contains(seat(1)), stays);
    }
}

/// Plays three rounds and reports the fault before the step of this number. Says what that moment was, or
/// nothing if there is no such moment.
fn report_at(table: &mut Table, moment: usize, victim: Seat, fault: &Fault) -> Option<&'static str> {
    let chips: Chips = table.stacks().iter().sum();
    let mut steps = 0;
    let mut phase = None;
    let mut told_after = Vec::new();
    let mut replies = ["5", "10", "fold", "5", "5"].iter().cycle();
    for round in 1..=3 {
        if table.seated().len() < 2 {
            break;
        }
        let deck = Seed::chosen("moments").shuffler(1).deck(round, 52);
        let report = |table: &mut Table, steps: &mut usize, phase: &mut Option<&'static str>, now| {
            *steps += 1;
            if *steps - 1 == moment && table.seated().contains(victim) {
                let was_in = table.stacks()[victim.index()];
                let forfeited = table.forfeited();
                table.report(victim, fault.clone());
                *phase = Some(now);
                assert!(table.foul_of(victim).is_some());
                if !table.seated().contains(victim) {
                    assert!(table.forfeited() >= forfeited && table.stacks()[victim.index()] == 0);
                    assert!(was_in == 0 || table.forfeited() > forfeited, "what it had left play");
                }
            }
        };
        report(table, &mut steps, &mut phase, "before the deal");
        // A driver hears of it before it goes on: whoever is to leave is told.
        while let Step::Tell(seat, Notice::Done) = table.step() {
            told_after.push(seat);
        }
        if table.seated().len() < 2 {
            break;
        }
        table.deal(round, &deck);
        loop {
            match table.step() {
                Step::Ask(seat) => {
                    report(table, &mut steps, &mut phase, if seat == victim { "asked" } else { "waiting" });
                    if table.asked().is_none() {
                        assert_eq!(seat, victim, "who was asked need not answer any more");
                        continue;
                    }
                    let wanted =
                        replies.next().expect("they go round").parse().map_or(Reply::Fold, Reply::Bet);
                    let legal = wanted.legalise(&table.question(seat).bounds).is_ok();
                    table.answer(Ok(if legal { wanted } else { Reply::Fold }));
                }
                Step::Tell(seat, notice) => {
                    if notice == Notice::Done {
                        told_after.push(seat);
                    } else {
                        assert!(!told_after.contains(&seat), "nothing is said after the last word");
                    }
                    report(table, &mut steps, &mut phase, "told");
                }
                Step::Over => break,
            }
        }
        let now: Chips = table.stacks().iter().sum();
        assert_eq!(now + table.forfeited(), chips, "R12");
        assert_eq!(table.round().pot(), 0);
    }
    if phase.is_some() && fault.is_final() {
        assert!(!table.seated().contains(victim));
        assert_eq!(told_after.iter().filter(|seat| **seat == victim).count(), 1, "told once, for good");
    }
    phase
}

/// A table as small as it can be, which knows nothing but events and the cards of the deal.
#[derive(Debug)]
struct Replica {
    stacks: Vec<Chips>,
    put_in: Vec<Chips>,
    pot: Chips,
    forfeited: Chips,
    seated: Vec<bool>,
    live: Vec<bool>,
    street: Option<Street>,
    opener: usize,
}

impl Replica {
    fn new(stacks: &[Chips]) -> Replica {
        Replica {
            stacks: stacks.to_vec(),
            put_in: vec![0; stacks.len()],
            pot: 0,
            forfeited: 0,
            seated: stacks.iter().map(|chips| *chips > 0).collect(),
            live: vec![false; stacks.len()],
            street: None,
            opener: 0,
        }
    }

    fn take(&mut self, event: &TableEvent) {
        match *event {
            TableEvent::Dealt { seats } => {
                for index in 0..self.stacks.len() {
                    self.live[index] = seats.contains(seat(index));
                    if self.live[index] {
                        self.stacks[index] -= 1;
                        self.pot += 1;
                    }
                }
            }
            TableEvent::Opened { street, opener } => {
                self.street = Some(street);
                self.opener = opener.index();
                self.put_in.fill(0);
            }
            TableEvent::Acted { seat, action } => match action.chips() {
                None => self.live[seat.index()] = false,
                Some(chips) => {
                    self.stacks[seat.index()] -= chips;
                    self.put_in[seat.index()] += chips;
                    self.pot += chips;
                }
            },
            TableEvent::Passed { .. } | TableEvent::Ended => {}
            TableEvent::ForcedFold { seat } | TableEvent::Fouled { seat } => self.live[seat.index()] = false,
            TableEvent::Won { seat, chips, .. } => {
                self.pot -= chips;
                self.stacks[seat.index()] += chips;
            }
            TableEvent::Left { seat, forfeited } => {
                assert_eq!(self.stacks[seat.index()], forfeited);
                self.stacks[seat.index()] = 0;
                self.forfeited += forfeited;
                self.seated[seat.index()] = false;
            }
        }
    }

    fn assert_like(&self, table: &Table) {
        assert_eq!(self.stacks, table.stacks());
        assert_eq!(self.forfeited, table.forfeited());
        assert_eq!(self.pot, table.round().pot());
        let seats =
            |flags: &[bool]| -> SeatSet { (0..flags.len()).filter(|i| flags[*i]).map(seat).collect() };
        assert_eq!(seats(&self.seated), table.seated());
        assert_eq!(seats(&self.live), table.round().live());
        assert_eq!(self.street, Some(table.round().street()));
        assert_eq!(seat(self.opener), table.round().opener());
        if let Some((seat, bounds)) = table.asked() {
            let level = self.put_in.iter().copied().max().unwrap_or(0);
            assert_eq!(bounds.to_call, level - self.put_in[seat.index()]);
            assert_eq!(bounds.stack, self.stacks[seat.index()]);
        }
    }
}

/// A slow second opinion on who wins what at a showdown: the document read word by word.
fn shares(table: &Table) -> Vec<(usize, Chips)> {
    let round = table.round();
    let events = table.events();
    let pot: Chips = won(table).iter().map(|(_, _, chips)| chips).sum();
    let paid =
        events.iter().position(|event| matches!(event, TableEvent::Won { .. })).expect("a pot is paid");
    let mut live = Vec::new();
    for event in &events[..paid] {
        match *event {
            TableEvent::Dealt { seats } => live = seats.into_iter().map(Seat::index).collect(),
            TableEvent::Acted { seat, action } if action == Action::FOLD => {
                live.retain(|i| *i != seat.index())
            }
            TableEvent::ForcedFold { seat } | TableEvent::Fouled { seat } => {
                live.retain(|i| *i != seat.index())
            }
            _ => {}
        }
    }
    if let [last] = live[..] {
        return vec![(last, pot)];
    }
    let opener = round.opener().index();
    live.sort_by_key(|index| (index + MAX_SEATS - opener) % MAX_SEATS);
    let groups = |index: usize| {
        let mut ranks: Vec<Rank> = round.hand(seat(index)).iter().map(|card| card.rank()).collect();
        ranks.sort();
        ranks.reverse();
        let count = |rank: &Rank| ranks.iter().filter(|other| *other == rank).count();
        let mut groups: Vec<(usize, Rank)> = ranks.iter().map(|rank| (count(rank), *rank)).collect();
        groups.sort();
        groups.reverse();
        groups
    };
    let best = live.iter().map(|index| groups(*index)).max().expect("somebody is in");
    let tied: Vec<usize> = live.iter().copied().filter(|index| groups(*index) == best).collect();
    let spade = live
        .iter()
        .filter(|index| round.hole(seat(**index)).suit() == Suit::Spades)
        .max_by_key(|index| round.hole(seat(**index)).rank());
    let spade_half = if spade.is_some() { pot / 2 } else { 0 };
    let hand_half = pot - spade_half;
    let mut shares = vec![0; table.stacks().len()];
    for (place, index) in tied.iter().enumerate() {
        let odd = Chips::from((place as Chips) < hand_half % tied.len() as Chips);
        shares[*index] += hand_half / tied.len() as Chips + odd;
    }
    if let Some(index) = spade {
        shares[*index] += spade_half;
    }
    (0..shares.len()).map(|index| (index, shares[index])).filter(|(_, chips)| *chips > 0).collect()
}

/// Twenty thousand rounds of random legal bots at tables of every size: no panic, chips conserved after every
/// event (the table itself checks), every event followed by the replica, every pot shared as the document says,
/// everyone told once.
#[test]
fn random_rounds_at_tables_of_every_size() {
    let random = HouseBot::named("random").expect("there is one");
    let mut rounds = 0;
    for game in 0.. {
        if rounds >= 20_000 {
            break;
        }
        let players = 2 + game % 16;
        let seed = Seed::chosen(format!("random rounds {game}"));
        let conduct = TableSettings {
            rules: Rules {
                short_stack: if game % 3 == 0 { ShortStack::Ask } else { ShortStack::Fold },
                ..Rules::default()
            },
            ..TableSettings::default()
        };
        let stack = [3, 40, 500, 5_000][game / 16 % 4];
        let mut bots: Vec<_> =
            (0..players).map(|bot| random.player(seed.stream(&format!("bot {bot}")))).collect();
        let mut freezeout = TableGame::new(conduct, &seed, players, stack, 60);
        let mut replica = Replica::new(freezeout.table().stacks());
        let all_chips = stack * players as Chips;
        while freezeout.deal() {
            rounds += 1;
            let dealt = freezeout.table().seated();
            let mut told = Vec::new();
            let mut seen = 0;
            loop {
                let step = freezeout.table_mut().step();
                let table = freezeout.table();
                for event in &table.events()[seen..] {
                    replica.take(event);
                }
                seen = table.events().len();
                replica.assert_like(table);
                match step {
                    Step::Ask(asked) => {
                        let question = table.question(asked);
                        let reply = bots[asked.index()].decide(&question);
                        assert!(reply.legalise(&question.bounds).is_ok());
                        freezeout.table_mut().answer(Ok(reply));
                    }
                    Step::Tell(seat, Notice::Status(status)) => {
                        told.push(seat);
                        let took = won(table).iter().any(|(winner, ..)| *winner == seat.index());
                        assert_eq!(status.won, took);
                    }
                    Step::Tell(seat, Notice::Done) => {
                        assert_eq!(table.stacks()[seat.index()], 0);
                        assert!(matches!(
                            table.exit_reason(seat),
                            Some(ExitReason::Broke { chips: 0, ante: 1 })
                        ));
                    }
                    Step::Over => break,
                }
            }
            let table = freezeout.table();
            assert_eq!(told, dealt.into_iter().collect::<Vec<_>>(), "R14: everyone dealt in, once");
            let sum = table.stacks().iter().sum::<Chips>() + table.forfeited();
            assert_eq!((sum, table.round().pot()), (all_chips, 0), "R12");
            let mut paid = vec![0; players];
            for (seat, _, chips) in won(table) {
                paid[seat] += chips;
            }
            let paid: Vec<(usize, Chips)> =
                (0..players).map(|index| (index, paid[index])).filter(|(_, chips)| *chips > 0).collect();
            assert_eq!(paid, shares(table), "R10, R11");
        }
        let standings = freezeout.standings();
        assert_eq!(standings.places().len(), players);
        assert_eq!(standings.places()[0].place, 1);
    }
}

/// Random bots among whom some do not answer, in both settings: still no chip comes or goes.
#[test]
fn random_rounds_with_fouls() {
    for game in 0..600 {
        let players = 2 + game % 16;
        let seed = Seed::chosen(format!("fouls {game}"));
        let on_foul = if game % 2 == 0 { OnFoul::Eject } else { OnFoul::Fold };
        let mut dice = seed.stream("dice");
        let mut table = Table::new(TableSettings { on_foul, ..TableSettings::default() }, &vec![60; players]);
        let mut replica = Replica::new(table.stacks());
        let mut shuffler = seed.shuffler(1);
        for round in 1..=20 {
            if table.seated().len() < 2 {
                break;
            }
            let deck = shuffler.deck(round, table.cards_needed());
            table.deal(round, &deck);
            let mut seen = 0;
            loop {
                let step = table.step();
                for event in &table.events()[seen..] {
                    replica.take(event);
                }
                seen = table.events().len();
                replica.assert_like(&table);
                match step {
                    Step::Ask(_) if dice.one_in(9) => {
                        table.answer(Err(Fault::Late { limit_ms: 1_000, partial: false }));
                    }
                    Step::Ask(_) if dice.one_in(20) => table.answer(Ok(Reply::Bet(dice.below(200)))),
                    Step::Ask(asked) if dice.one_in(20) => {
                        let other = seat(dice.below(players as u32) as usize);
                        table.report(other, Fault::HungUp { partial: false });
                        if other != asked {
                            table.answer(Ok(Reply::Fold));
                        }
                    }
                    Step::Ask(asked) => {
                        let bounds = table.question(asked).bounds;
                        table.answer(Ok(Reply::Bet(
                            bounds.to_call + dice.below(bounds.most() - bounds.to_call + 1),
                        )));
                    }
                    Step::Tell(..) => {}
                    Step::Over => break,
                }
            }
            let sum = table.stacks().iter().sum::<Chips>() + table.forfeited();
            assert_eq!(sum, 60 * players as Chips, "R12");
        }
    }
}
