//! Fouls and faults at any moment of a round (R18, R19).

use super::*;

/// R18 and R19: the price of each kind of foul.
#[test]
fn fouls_cost_the_game_or_in_a_rehearsal_the_hand() {
    let too_long = Fault::Frame(FrameFault::TooLong { length: 2_000, cap: 1_024 });
    for (fault, is_final) in [
        (Fault::Malformed { sent: "x".to_string() }, false),
        (Fault::Late { limit_ms: 1_000, bank_ms: 0, partial: false }, false),
        (Fault::Stray { sent: "x".to_string() }, false),
        (Fault::Frame(FrameFault::BadText), false),
        (too_long, true),
        (Fault::HungUp { partial: false }, true),
        (Fault::NotReading, true),
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
    let faults = [Fault::NotReading, Fault::Stray { sent: "x".to_string() }];
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

/// All others leave while a player thinks: the pot belongs to the player with any answer.
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
            table.report(seat(other), Fault::NotReading);
        }
        table.answer(answer.clone());
        while table.step() != Step::Over {}
        assert_eq!(won(&table), [(1, Half::Whole, 10)], "{answer:?}");
        let stays = answer.is_ok();
        assert_eq!(table.stacks(), [0, if stays { 509 } else { 0 }, 0], "{answer:?}");
        assert_eq!(table.seated().contains(seat(1)), stays);
    }
}

/// Plays three rounds and reports the fault before the step of this number. Returns the kind of moment, or `None` if
/// there is no such step.
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
        let deck = Seed::chosen("moments").shuffler(1).deck(round, 52).clone();
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
        // A driver receives the notice before it continues, so that it can send `done` to the leaving player.
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

/// R19: a rehearsal counts forgiven fouls, separately at each table; an ejected player has none forgiven.
#[test]
fn what_is_forgiven_is_counted() {
    let late = || Fault::Late { limit_ms: 1_000, bank_ms: 0, partial: false };
    for on_foul in [OnFoul::Fold, OnFoul::Eject] {
        let mut table = Table::new(TableSettings { on_foul, ..TableSettings::default() }, &[500; 3]);
        for round in 1..=2 {
            table.deal(round, &deck_for(&["2H AS 3D", "KH KD KC", "4H 6D 8C"][..table.seated().len()]));
            assert_eq!(table.fouled(), SeatSet::EMPTY);
            assert_eq!(table.step(), Step::Ask(seat(0)));
            table.answer(Err(late()));
            assert_eq!(table.fouled(), SeatSet::only(seat(0)));
            if on_foul == OnFoul::Eject {
                break;
            }
            play_out(&mut table);
        }
        let (count, first) = if on_foul == OnFoul::Fold { (2, Some(1)) } else { (0, None) };
        assert_eq!((table.forgiven(seat(0)).count(), table.forgiven(seat(0)).first_round()), (count, first));
        assert!(table.forgiven(seat(1)).is_empty());
    }
}

/// Plays a round to its end with calls.
fn play_out(table: &mut Table) {
    loop {
        match table.step() {
            Step::Ask(seat) => table.answer(Ok(Reply::Bet(table.question(seat).bounds.to_call))),
            Step::Tell(..) => {}
            Step::Over => return,
        }
    }
}
