//! Invariants of an analysis.

use casino_stud::cards::{Card, Deck, Seed};
use casino_stud::strategies::{HouseBot, HousePlayer};
use casino_stud::stud::MAX_SEATS;
use casino_stud::table::{TableSettings, play_round};
use casino_stud::tournament::TableGame;

use super::luck::luck;
use super::manner::HeldCard;
use super::*;

fn played(rounds: u64) -> (Vec<String>, Vec<NotedRound>) {
    let bots = ["odds", "bold", "caller", "reader"];
    let seed = Seed::chosen("coach");
    let seated = |name: &str| HouseBot::named(name).expect("a house bot").seated(name, &seed);
    let mut players: Vec<HousePlayer> = bots.map(seated).into();
    let mut game = TableGame::new(TableSettings::default(), &seed, bots.len(), 300, rounds);
    let mut noted = Vec::new();
    while game.deal() {
        let Ok(()) = play_round(&mut game, &mut players[..]);
        noted.push(NotedRound::of(&game));
    }
    (bots.map(String::from).into(), noted)
}

/// A verdict must not change with cards that the player could not see.
#[test]
fn estimates_do_not_depend_on_hidden_cards() {
    let (names, rounds) = played(12);
    let (counting, asking) = (Coach::new(names.clone(), &rounds), asking(&names, &rounds));
    let mut compared = 0;
    for (round, coach) in rounds.iter().flat_map(|round| [(round, &counting), (round, &asking)]) {
        let manners = coach.manners(round);
        for made in round.turns() {
            let spot = &made.spot;
            let dealt: Vec<_> = round.seats().into_iter().collect();
            let known = |card: &Card| {
                *card == spot.round.hole(made.seat)
                    || dealt.iter().any(|seat| spot.shown(*seat).contains(card))
            };
            let mut hidden: Vec<Card> = Card::ALL.into_iter().filter(|card| !known(card)).collect();
            let mut cards = Vec::new();
            for at in 0..3 {
                for seat in &dealt {
                    let card = spot.round.hand(*seat)[at];
                    cards.push(if known(&card) { card } else { hidden.pop().expect("cards are left") });
                }
            }
            let mut other = spot.clone();
            other.round.redeal(&Deck::beginning_with(&cards).unwrap());
            let (equities, ranges) = (Board::of(spot).equities(), Ranges::any());
            let [one, two] = [spot, &other].map(|spot| {
                let (seat, key, caution) = (made.seat, [1, 2, 3], Caution::default());
                let (manners, equities, ranges) = (&manners, &equities, &ranges);
                CoachRollout { spot, seat, manners, equities, ranges, key, caution }.judge(made.action)
            });
            assert_eq!((one.best, one.cost.to_bits()), (two.best, two.cost.to_bits()));
            compared += 1;
        }
    }
    assert!(compared > 80);
}

/// The luck of all players sums to zero.
#[test]
fn the_luck_of_a_round_adds_up_to_nothing() {
    let (_, rounds) = played(20);
    let mut greatest: f64 = 0.0;
    for round in &rounds {
        let luck = luck(round, 40.0);
        assert!(luck.iter().sum::<f64>().abs() < 1e-9, "{luck:?}");
        greatest = luck.iter().copied().fold(greatest, f64::max);
    }
    assert!(greatest > 5.0);
}

/// The coach of these rounds, which asks all house bots.
fn asking(names: &[String], rounds: &[NotedRound]) -> Coach {
    let bots: Vec<_> = names.iter().map(|name| HouseBot::named(name)).collect();
    Coach::new(names.to_vec(), rounds).asking(&bots)
}

/// A house bot that is asked is predicted exactly: cards with which it never acts so are excluded.
#[test]
fn a_bot_that_is_asked_is_believed_about_its_cards() {
    let (names, rounds) = played(40);
    let (asked, counted) = (asking(&names, &rounds), Coach::new(names.clone(), &rounds));
    let reader = names.iter().position(|name| name == "reader").expect("it plays");
    let mut looked_at = 0;
    for round in &rounds {
        let [asked, counted] = [asked.manners(round), counted.manners(round)];
        for made in round.turns().filter(|made| round.player_at(made.seat) == reader) {
            let (seat, action) = (made.seat, made.action);
            let equities = Board::of(&made.spot).equities();
            let hole = made.spot.round.hole(seat);
            let chance = |manners: &[PlayModel], card: Card| {
                let equity = equities[seat.index()][card.index()];
                manners[seat.index()].chance(
                    &made.spot,
                    SeatAction { seat, action },
                    HeldCard { card, equity },
                    7,
                )
            };
            // It does not randomize: its recorded action has probability 1, and all others 0.
            assert_eq!(chance(&asked, hole), 1.0);
            assert!(Card::ALL.iter().all(|card| [0.0, 1.0].contains(&chance(&asked, *card))));
            assert!(chance(&counted, hole) < 1.0);
            looked_at += 1;
        }
    }
    assert!(looked_at > 30, "{looked_at}");
}

/// A bot that throws dice is as probable to do something as it does it; one that remembers is not asked.
#[test]
fn randomizing_bots_are_sampled_and_stateful_bots_never_asked() {
    let (names, rounds) = played(40);
    let coach = asking(&names, &rounds);
    let bold = names.iter().position(|name| name == "bold").expect("it plays");
    let mut between = 0;
    for round in &rounds {
        let manners = coach.manners(round);
        for made in round.turns().filter(|made| round.player_at(made.seat) == bold) {
            let equities = Board::of(&made.spot).equities();
            for card in Card::ALL {
                let equity = equities[made.seat.index()][card.index()];
                let manner = &manners[made.seat.index()];
                let taken = SeatAction { seat: made.seat, action: made.action };
                let chance = manner.chance(&made.spot, taken, HeldCard { card, equity }, 7);
                assert!((0.0..=1.0).contains(&chance));
                between += u32::from(chance > 0.0 && chance < 1.0);
            }
        }
    }
    assert!(between > 0);
    assert!(AskedBot::new(HouseBot::named("solver").expect("a house bot")).is_none());
    assert!(AskedBot::new(HouseBot::named("odds").expect("a house bot")).is_some());
}

fn numbered(round: &NotedRound, number: u64) -> NotedRound {
    let mut round = round.clone();
    round.round = number;
    round
}

/// The number of valued decisions has a ceiling that does not grow with the rounds, and no round is preferred.
#[test]
fn valued_decisions_have_a_ceiling() {
    let (names, rounds) = played(30);
    let decisions = |rounds: &[NotedRound]| rounds.iter().map(|round| round.acted().count()).sum::<usize>();
    for times in [1, 10, 100, 1_000] {
        let many: Vec<NotedRound> =
            (0..30 * times).map(|at| numbered(&rounds[at % 30], 1 + at as u64)).collect();
        let drawn = Coach::new(names.clone(), &rounds).valuing(500).draw(&many);
        let valued: Vec<NotedRound> =
            many.iter().zip(&drawn).filter(|(_, drawn)| **drawn).map(|(round, _)| round.clone()).collect();
        if times == 1 {
            assert!(decisions(&many) < 500 && valued.len() == many.len());
        } else {
            assert!((400..600).contains(&decisions(&valued)), "{}", decisions(&valued));
            // They are spread over all thirds.
            let third = many.len() as u64 / 3;
            for part in 0..3 {
                let of_part = valued.iter().filter(|round| (round.round - 1) / third == part).count();
                assert!(6 * of_part > valued.len(), "{of_part} of {}", valued.len());
            }
        }
    }
}

/// What is given away by the drawn rounds is that of all rounds on average, and its interval is the draw's; chips and
/// luck are of all rounds.
#[test]
fn drawn_rounds_speak_for_all() {
    let (names, rounds) = played(160);
    let coach = Coach::new(names.clone(), &rounds);
    let one = NonZero::<usize>::MIN;
    let all = coach.analyse_all(&rounds, one, |_, _| ());
    assert_eq!((all.drawn, all.rounds), (160, 160));
    let coach = coach.valuing(all.decisions.len() as u64 / 3);
    let partly = coach.analyse_all(&rounds, one, |_, _| ());
    assert!((40..65).contains(&partly.drawn), "{}", partly.drawn);
    let mut decisions: BTreeMap<u64, Vec<AnalysedDecision>> = BTreeMap::new();
    for decision in &all.decisions {
        decisions.entry(decision.round).or_default().push(decision.clone());
    }
    let (mut means, mut spread) = (vec![0.0; names.len()], vec![0.0; names.len()]);
    let (mut inside, mut given) = (0.0, 0.0);
    const DRAWS: u64 = 200;
    // A population with enough mistakes for an interval.
    const COPIES: u64 = 8;
    let repeated = || (0..COPIES).flat_map(|copy| rounds.iter().map(move |round| (round, copy)));
    let coach = coach.valuing(COPIES * all.decisions.len() as u64 / 3);
    for draw in 1..=DRAWS {
        let renumbered: Vec<NotedRound> =
            repeated().map(|(round, copy)| numbered(round, draw << 32 | copy << 20 | round.round)).collect();
        let mut analysis = Analysis::new(&names);
        for ((round, _), is_drawn) in repeated().zip(coach.draw(&renumbered)) {
            let found = decisions.get(&round.round).cloned().unwrap_or_default();
            analysis.add(round, [0.0; MAX_SEATS], is_drawn.then_some(found));
        }
        let analysis = analysis.closed();
        for (player, all) in analysis.players.iter().zip(&all.players) {
            let (ChipMean { chips, .. }, truth) = (player.given_away, all.given_away.chips);
            means[player.player] += chips / DRAWS as f64;
            spread[player.player] += (chips - truth).powi(2) / DRAWS as f64;
            if !player.given_away_in_words().ends_with('?') {
                given += 1.0;
                inside += f64::from(u8::from((chips - truth).abs() <= player.given_away.half_interval()));
            }
            assert_eq!((player.chips, player.decisions), (8 * all.chips, COPIES * all.decisions));
        }
    }
    for (((mean, spread), all), partly) in means.iter().zip(spread).zip(&all.players).zip(&partly.players) {
        let truth = all.given_away;
        let error = (spread / DRAWS as f64).sqrt();
        assert!(error > 0.0 && (mean - truth.chips).abs() < 4.0 * error, "{mean} ± {error}: {truth:?}");
        assert_eq!(truth.standard_error, 0.0);
        assert_eq!((partly.chips, partly.luck, partly.decisions), (all.chips, all.luck, all.decisions));
        assert!(partly.valued < all.valued);
    }
    let share = inside / given;
    assert!(given > 300.0 && (0.9..0.99).contains(&share), "{share} of {given}");
}
