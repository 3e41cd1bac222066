//! Tests of the table.

use super::*;
use crate::cards::Seed;
use crate::stud::Rules;

/// Everyone raises as long as it can, so that stacks end and players leave.
fn play(table: &mut Table, round: u64) -> Vec<TableEvent> {
    let deck = Seed::chosen("again").shuffler(1).deck(round, table.cards_needed()).clone();
    table.deal(round, &deck);
    loop {
        match table.step() {
            Step::Ask(seat) if seat.index() == 2 => table.answer(Err(Fault::HungUp { partial: false })),
            Step::Ask(seat) => {
                let reply = Reply::Bet(table.question(seat).bounds.most());
                table.answer(Ok(reply));
            }
            Step::Tell(..) => {}
            Step::Over => return table.events().to_vec(),
        }
    }
}

#[test]
fn a_table_that_is_restarted_is_as_good_as_a_new_one() {
    let fresh = || Table::new(TableSettings::default(), &[40; 5]);
    let mut used = fresh();
    for round in 1..=20 {
        used.restart(40);
        let mut new = fresh();
        assert_eq!(play(&mut used, round), play(&mut new, round));
        assert_eq!(used.stacks(), new.stacks());
        assert_eq!(used.forfeited(), new.forfeited());
        assert_eq!((used.seated(), used.fouled()), (new.seated(), new.fouled()));
        for seat in SeatSet::first_seats(5) {
            assert_eq!(used.exit_reason(seat), new.exit_reason(seat));
            assert_eq!(used.foul_of(seat), new.foul_of(seat));
        }
        assert!(new.seated().len() < 5, "somebody has to leave for this to be a test");
    }
}

fn dealt(stacks: &[Chips]) -> Table {
    let mut table = Table::new(TableSettings::default(), stacks);
    table.deal(1, Seed::chosen("table").shuffler(1).deck(1, table.cards_needed()));
    table
}

fn finish(table: &mut Table) {
    loop {
        match table.step() {
            Step::Ask(_) => table.answer(Ok(Reply::Fold)),
            Step::Tell(..) => {}
            Step::Over => return,
        }
    }
}

/// All others leave while a player is asked: it wins the pot with any answer, even none.
#[test]
fn a_player_left_alone_while_it_is_asked_has_won() {
    let answers = [
        Ok(Reply::Fold),
        Ok(Reply::Bet(7)),
        Ok(Reply::Bet(900)),
        Err(Fault::Late { limit_ms: 1, bank_ms: 0, partial: false }),
    ];
    for answer in answers {
        let mut table = dealt(&[100, 100, 100]);
        let Step::Ask(asked) = table.step() else { panic!("somebody opens") };
        for other in (0..3).map(Seat::new).filter(|seat| *seat != asked) {
            table.report(other, Fault::HungUp { partial: false });
        }
        table.answer(answer.clone());
        finish(&mut table);
        let won = table.events().iter().filter_map(|event| match event {
            TableEvent::Won { seat, chips, .. } => Some((*seat, *chips)),
            _ => None,
        });
        assert_eq!(won.collect::<Vec<_>>(), [(asked, 3)]);
        let (stack, forfeited) = if answer.is_err() { (0, 300) } else { (102, 198) };
        assert_eq!((table.stacks()[asked.index()], table.forfeited()), (stack, forfeited));
    }
}

/// A table plays by its own rules, also after a restart: players who can pay the ante are seated.
#[test]
fn players_who_can_pay_the_ante_stay_seated() {
    let rules = Rules { ante: 5, raise_cap: 3, ..Rules::default() };
    let mut table = Table::new(TableSettings { rules, ..TableSettings::default() }, &[5, 4, 30, 14]);
    let seats = |seated: &[usize]| -> SeatSet { seated.iter().map(|index| Seat::new(*index)).collect() };
    assert_eq!((table.seated(), table.round().rules()), (seats(&[0, 2, 3]), rules));
    assert_eq!(table.cards_needed(), 9, "three for each of them");
    for (stack, seated) in [(4, &[][..]), (5, &[0, 1, 2, 3]), (0, &[]), (6, &[0, 1, 2, 3])] {
        table.restart(stack);
        assert_eq!(table.seated(), seats(seated), "{stack} chips");
    }
    // A player with exactly the next ante plays it; with one chip less it busts.
    for (left, stays) in [(5, true), (4, false)] {
        let mut table = Table::new(TableSettings { rules, ..TableSettings::default() }, &[50, 50, 5 + left]);
        table.deal(1, Seed::chosen("antes").shuffler(1).deck(1, table.cards_needed()));
        loop {
            match table.step() {
                Step::Ask(seat) if seat.index() == 2 => table.answer(Ok(Reply::Fold)),
                Step::Ask(_) => table.answer(Ok(Reply::Bet(0))),
                Step::Tell(..) => {}
                Step::Over => break,
            }
        }
        assert_eq!(table.seated().contains(Seat::new(2)), stays, "{left} chips left");
        let broke = ExitReason::Busted { chips: 4, ante: 5 };
        assert_eq!(table.exit_reason(Seat::new(2)), (!stays).then_some(&broke));
    }
}
