use std::ops::ControlFlow;

use super::deal::{Play, play_in};
use super::line::{Line, Next, SEATS, other};
use super::*;
use crate::rating::HousePlayers;
use crate::strategies::{KINDS, Memory};
use crate::stud::{Seat, Street};
use crate::table::{OnFoul, Question, Reply, Step, Table, TableSettings};

fn contest(bot: &str, rounds: u64) -> AgainstBest {
    AgainstBest::new(HouseBot::named(bot).unwrap(), &Seed::chosen("against best tests"), rounds)
}

fn report(bot: &str, rounds: u64, threads: usize) -> AgainstBestReport {
    contest(bot, rounds).play(threads, |_| ControlFlow::Continue(())).unwrap()
}

fn any(question: &Question<'_>, rng: &mut crate::cards::Stream) -> Reply {
    let bounds = &question.bounds;
    match rng.below(8) {
        _ if bounds.most() < bounds.to_call => Reply::Fold,
        0 if bounds.to_call > 0 => Reply::Fold,
        1..=3 => Reply::Bet(bounds.to_call),
        _ => Reply::Bet(bounds.to_call + rng.below(bounds.most() - bounds.to_call + 1)),
    }
}

/// Two who do anything at all, with short stacks and long ones: a line asks whom the table asks, the same question, and pays
/// the same.
#[test]
fn a_line_is_a_round_of_the_table() {
    let seed = Seed::chosen("lines");
    let (mut rng, mut shuffler) = (seed.stream("test"), seed.shuffler(1));
    let settings = TableSettings { rules: Rules::default(), on_foul: OnFoul::Fold };
    let mut seconds = 0;
    for round in 1..=600 {
        let (deck, stack) = (shuffler.deck(round, 6), if round % 2 == 0 { 12 } else { 500 });
        let mut table = Table::new(settings, &[stack; 2]);
        table.deal(round, deck);
        let mut line = Line::new(settings.rules, stack, deck);
        loop {
            match table.step() {
                Step::Ask(seat) => {
                    if line.next() == Next::SecondStreet {
                        line.open_second();
                        seconds += 1;
                    }
                    let question = table.question(seat);
                    assert_eq!(line.next(), Next::Ask(seat));
                    assert_eq!(line.question(seat, question.hole), question);
                    let reply = any(&question, &mut rng);
                    line.act(seat, reply.legalise(&question.bounds).unwrap());
                    table.answer(Ok(reply));
                }
                Step::Tell(..) => {}
                Step::Over => break,
            }
        }
        // Who has no chips left is not asked any more.
        if line.next() == Next::SecondStreet {
            line.open_second();
        }
        assert!(matches!(line.next(), Next::Shown | Next::Folded(_)));
        for seat in SEATS {
            let won = i64::from(table.stacks()[seat.index()]) - i64::from(stack);
            assert_eq!(line.won(seat), won);
            assert_eq!(line.with_deck(deck).won(seat), won);
        }
    }
    assert!(seconds > 200);
}

/// What the adversary wins at a real table if the bot's hole card is this one.
fn won_at_a_table(contest: &AgainstBest, number: u64, seat: Seat, hole: crate::cards::Card) -> i64 {
    let dealt = contest.seed.shuffler(1).deck(number + 1, 6).clone();
    let mut line = Line::new(contest.rules, contest.stack, &dealt);
    let play = Play::new(contest, number, &dealt, &line, seat);
    let mut belief = play.belief(&line);
    let settings = TableSettings { rules: contest.rules, on_foul: OnFoul::Fold };
    let mut table = Table::new(settings, &[contest.stack; 2]);
    table.deal(1, &play.deck_with(hole));
    let (mut memory, mut dice) = (Memory::default(), contest.seed.stream("no dice"));
    loop {
        let asked = match table.step() {
            Step::Ask(asked) => asked,
            Step::Tell(..) => continue,
            Step::Over => break,
        };
        if line.next() == Next::SecondStreet {
            line.open_second();
            belief = belief.shown(&play.second);
        }
        let view = play.view(line.round().street());
        let question = table.question(asked);
        let action = if asked == seat {
            play.searcher.choose(&line, view, &belief)
        } else {
            let reply = contest.bot.decide(&question, &mut memory, &mut dice);
            let action = reply.legalise(&question.bounds).unwrap();
            let expected = play.searcher.expected(&line, view, &belief);
            belief = expected.into_iter().find(|(known, _)| *known == action).unwrap().1;
            action
        };
        table.answer(Ok(Reply::from(action)));
        line.act(asked, action);
    }
    i64::from(table.stacks()[seat.index()]) - i64::from(contest.stack)
}

/// What is counted is what the same adversary wins at the table, on average of all hole cards that the bot may hold.
#[test]
fn the_figure_is_what_is_won_at_the_table() {
    for bot in ["reader", "simple"] {
        let contest = contest(bot, 8);
        for (number, seat) in [(0, SEATS[0]), (1, SEATS[1]), (2, SEATS[0])] {
            let deck = contest.seed.shuffler(1).deck(number + 1, 6).clone();
            let cards = deck.cards();
            let unknown = cards.iter().enumerate().filter(|(place, card)| {
                (*place > 5 || *place == other(seat).index()) && !cards[2..6].contains(card)
            });
            let won: Vec<i64> =
                unknown.map(|(_, hole)| won_at_a_table(&contest, number, seat, *hole)).collect();
            assert_eq!(won.len(), 47);
            let mean = won.iter().sum::<i64>() as f64 / 47.0;
            let counted = play_in(&contest, number, seat).chips;
            assert!((mean - counted).abs() < 1e-9, "{bot}, deal {number}: {mean} {counted}");
        }
    }
}

#[test]
fn who_always_folds_loses_the_ante_and_nothing_else() {
    for bot in ["folder", "passive"] {
        let report = report(bot, 300, 2);
        assert_eq!((report.rounds, report.chips_per_100.value), (300, 100.0));
        assert_eq!(report.chips_per_100.interval(), Some((100.0, 100.0)));
        let folded: f64 = report.ends[..2].iter().map(|line| line.of_100).sum();
        assert!((folded - 100.0).abs() < 1e-9, "{report:?}");
    }
}

/// Against somebody who calls everything the best bet is known: the highest with the better half of hands, else none.
#[test]
fn a_caller_is_bet_at_with_the_better_hand_and_not_with_the_worse() {
    let contest = contest("caller", 2);
    let (mut bets, mut checks) = (0, 0);
    for number in 0..60 {
        let deck = contest.seed.shuffler(1).deck(number + 1, 6).clone();
        let mut line = Line::new(contest.rules, contest.stack, &deck);
        let play = Play::new(&contest, number, &deck, &line, SEATS[0]);
        let belief = play.belief(&line).shown(&play.second);
        while line.round().street() == Street::First {
            match line.next() {
                Next::Ask(seat) => line.act(seat, line.round().bounds(seat).bet(0).unwrap()),
                _ => line.open_second(),
            }
        }
        let Next::Ask(opener) = line.next() else { panic!("somebody opens") };
        if opener != SEATS[0] {
            line.act(opener, line.round().bounds(opener).bet(0).unwrap());
        }
        let share: f64 = (0..KINDS).map(|kind| belief.mass[kind] * play.second.shares[kind]).sum();
        let chips = play.searcher.choose(&line, &play.second, &belief).chips();
        assert_eq!(chips, Some(if share > 0.0 { 10 } else { 0 }), "a share of {share} in deal {number}");
        *(if share > 0.0 { &mut bets } else { &mut checks }) += 1;
    }
    assert!(bets > 10 && checks > 10);
    // Two bets of 10 chips and the ante are the most that can be won of a caller.
    let taken = report("caller", 200, 2).chips_per_100.value;
    assert!((300.0..2_100.0).contains(&taken), "{taken}");
}

#[test]
fn more_is_taken_from_weak_bots_than_they_lose_by_folding() {
    for (bot, least) in [("reader", 200.0), ("raiser", 1_000.0), ("bold", 200.0)] {
        let taken = report(bot, 60, 2).chips_per_100;
        assert!(taken.value > least, "{bot}: {taken}");
    }
}

#[test]
fn the_solver_is_not_paid_for_being_looked_through() {
    let taken = report("solver", 24, 2).chips_per_100;
    assert!(taken.value > -3.0 * taken.error, "{taken}");
}

#[test]
fn threads_do_not_change_a_digit() {
    for bot in ["bold", "odds"] {
        assert_eq!(report(bot, 12, 1), report(bot, 12, 3), "{bot}");
    }
}

#[test]
fn who_is_stopped_tells_what_was_played() {
    let stop = |played: u64| if played >= 40 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let stopped = contest("simple", 400).play(1, stop).unwrap();
    assert_eq!(stopped.rounds, 40);
    let mut whole = report("simple", 40, 1);
    whole.chips_per_100 = stopped.chips_per_100;
    assert_eq!(stopped, whole);
    let json = serde_json::to_string(&stopped).unwrap();
    assert_eq!(serde_json::from_str::<AgainstBestReport>(&json).unwrap(), stopped);
}

/// A house bot as if it were a program, of which nothing is known but what it does.
fn watched(bot: &str, rounds: u64, threads: usize) -> AgainstBestReport {
    let contest =
        AgainstWatched::new("mine", "./mine {host} {port}", &Seed::chosen("watched"), rounds, 500).unwrap();
    let mut programs = vec![HousePlayers::new(vec![HouseBot::named(bot).unwrap()]); threads];
    let report = contest.play(&mut programs, |_| ControlFlow::Continue(())).unwrap().unwrap();
    assert_eq!((report.rounds, report.watched, report.fouls), (rounds / 2, rounds / 2, 0));
    let [rounds, chips] = [|end: &EndLine| end.of_100, |end: &EndLine| end.chips]
        .map(|part| report.ends.iter().map(part).sum::<f64>());
    assert!((rounds - 100.0).abs() < 1e-9, "{report:?}");
    assert!((chips - report.chips_per_100.value).abs() < 1e-9, "{report:?}");
    report
}

/// What is learned by watching is worth chips, and the same on any number of threads.
#[test]
fn a_program_that_is_watched_is_seen_through() {
    let folded = watched("folder", 400, 1);
    let ends: Vec<f64> = folded.ends.iter().map(|end| end.of_100).collect();
    assert_eq!(ends, [100.0, 0.0, 0.0, 0.0]);
    let folder = folded.chips_per_100;
    assert_eq!((folder.value, folder.interval()), (100.0, Some((100.0, 100.0))));
    for (bot, least) in [("reader", 80.0), ("caller", 150.0), ("passive", 95.0)] {
        let taken = watched(bot, 800, 2);
        assert!(taken.chips_per_100.value > least, "{bot}: {}", taken.chips_per_100);
        if bot == "reader" {
            assert_eq!(watched(bot, 800, 1), taken);
        }
    }
}

#[test]
fn a_program_that_is_stopped_while_it_is_watched_has_no_figure() {
    let contest =
        AgainstWatched::new("mine", "./mine {host} {port}", &Seed::chosen("watched"), 400, 500).unwrap();
    assert_eq!(contest.rounds(), 400);
    let mut programs = [HousePlayers::new(vec![HouseBot::named("bold").unwrap()])];
    let stop = |_: u64| ControlFlow::Break(());
    assert_eq!(contest.play(&mut programs, stop), Ok(None));
}
