//! Measures the value of the coach's advice.
//!
//!     cargo bench --no-default-features --bench coach -- ladder 200       does the give-away rank the house bots as their rating does?
//!     cargo bench --no-default-features --bench coach -- proofs 1000      are proven mistakes worse in every continuation that is tried?
//!     cargo bench --no-default-features --bench coach -- speed            how many seconds do 100 rounds of five fields take?
//!
//! Tournaments are of six different house bots drawn from all of them, with 500 chips, over at most 100 rounds. With
//! `ASK=1` the bots are asked for their decisions, otherwise the coach estimates them from counts. A seed may follow
//! the number; `report` produces the figures of the documentation.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::time::Instant;

use casino_analysis::coach::{Analysis, Coach, NotedRound, ProofKind};
use casino_analysis::rating::{BotPlayers, PlanTerms, RatedBot, RatingPlan, RatingReport, play};
use casino_stud::cards::{Card, Deck, Seed, Stream};
use casino_stud::parallel::{cores, in_order};
use casino_stud::strategies::{Bot, HOUSE, HouseBot, HousePlayer};
use casino_stud::stud::{Action, Chips, MAX_SEATS, Round, Seat, SeatSet, Street, Turn};
use casino_stud::table::{TableSettings, play_round};
use casino_stud::tournament::TableGame;

const SEATS: usize = 6;
const STACK: Chips = 500;
const ROUNDS: u64 = 100;

/// The rounds of equal deals that the rating is made of.
const RATED: u64 = 20_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let number = |at: usize, usual| words.get(at).map_or(usual, |word| word.parse().expect("a number"));
    let seed = words.get(2).map_or("report", String::as_str);
    match words.first().map(String::as_str) {
        Some("speed") => speed(words.get(1).map(String::as_str)),
        Some("proofs") => proofs(number(1, 1_000), seed),
        _ => ladder(number(1, 20), seed),
    }
}

/// The players of a tournament, and its rounds.
struct Played {
    bots: Vec<&'static HouseBot>,
    rounds: Vec<NotedRound>,
}

fn names(bots: &[&HouseBot]) -> Vec<String> {
    bots.iter().map(|bot| bot.name.to_string()).collect()
}

fn tournament(seed: &str, number: u64) -> Played {
    let seed = Seed::chosen(format!("coach {seed} {number}"));
    let mut all: Vec<&HouseBot> = HOUSE.iter().collect();
    seed.stream("field").shuffle(&mut all);
    let bots = all[..SEATS].to_vec();
    let mut players: Vec<HousePlayer> = bots.iter().map(|bot| bot.seated(bot.name, &seed)).collect();
    let mut game = TableGame::new(TableSettings::default(), &seed, SEATS, STACK, ROUNDS);
    let mut rounds = Vec::new();
    while game.deal() {
        finish(&mut game, &mut players);
        rounds.push(NotedRound::of(&game));
    }
    Played { bots, rounds }
}

fn finish(game: &mut TableGame, players: &mut [impl Bot]) {
    let Ok(()) = play_round(game, players);
}

/// Plays these tournaments, as many at once as there are processors, and passes them on in their order.
fn tournaments(from: u64, count: u64, seed: &str, mut take: impl FnMut(Played, Analysis) -> ControlFlow<()>) {
    let jobs = std::env::var("JOBS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    let work = |_: &mut (), numbers: Range<u64>| -> Result<(Played, Analysis), ()> {
        let played = tournament(seed, numbers.start);
        let names = names(&played.bots);
        let asked: Vec<Option<&HouseBot>> = played.bots.iter().map(|bot| Some(*bot)).collect();
        let counting = Coach::new(names, &played.rounds).valuing(u64::MAX);
        let coach = if std::env::var_os("ASK").is_some() { counting.asking(&asked) } else { counting };
        let analysis = coach.analyse_all(&played.rounds, NonZero::<usize>::MIN, |_, _| ());
        Ok((played, analysis))
    };
    let taken = in_order(&mut vec![(); jobs], from..from + count, 1, work, |_, (played, analysis)| {
        take(played, analysis)
    });
    taken.expect("nothing can fail");
}

/// Fields of house bots: those that take long to ask, wars of raises, a large table, bots with a memory, and a mixture.
const FIELDS: [(&str, &[&str]); 5] = [
    ("slow", &["odds", "odds", "odds", "bluffer", "bluffer", "bluffer"]),
    ("wars", &["raiser", "raiser", "random", "bold", "odds", "caller"]),
    (
        "large",
        &[
            "caller", "odds", "bold", "reader", "spades", "bluffer", "simple", "caller", "odds", "bold",
            "random", "caller", "cautious", "solver", "raiser", "simple", "reader",
        ],
    ),
    ("solvers", &["solver", "solver", "solver"]),
    ("mixed", &["cautious", "bold", "reader", "spades", "odds", "solver"]),
];

/// Prints the time for an analysis of 100 rounds of each field, or of the one with this name.
fn speed(only: Option<&str>) {
    for (name, bots) in FIELDS.iter().filter(|(name, _)| only.is_none_or(|only| only == *name)) {
        let bots: Vec<&HouseBot> =
            bots.iter().map(|bot| HouseBot::named(bot).expect("a house bot")).collect();
        let mut rounds = Vec::new();
        for number in 0.. {
            let seed = Seed::chosen(format!("speed {name} {number}"));
            let seated = bots.iter().zip(1..).map(|(bot, at)| bot.seated(&format!("{at}"), &seed));
            let mut players: Vec<HousePlayer> = seated.collect();
            let mut game = TableGame::new(TableSettings::default(), &seed, bots.len(), STACK, ROUNDS);
            while rounds.len() < ROUNDS as usize && game.deal() {
                finish(&mut game, &mut players);
                rounds.push(NotedRound::of(&game));
            }
            if rounds.len() == ROUNDS as usize {
                break;
            }
        }
        let asked: Vec<Option<&HouseBot>> = bots.iter().map(|bot| Some(*bot)).collect();
        let begun = Instant::now();
        let coach = Coach::new(names(&bots), &rounds).asking(&asked);
        let analysis = coach.analyse_all(&rounds, cores(), |_, _| ());
        let mistakes: u64 = analysis.players.iter().map(|player| player.estimated_mistakes).sum();
        let given: f64 = analysis.players.iter().map(|player| player.given_away.chips).sum();
        println!(
            "{name}: {:.2} s, {} decisions, {mistakes} estimated mistakes, {given:.2} chips a round",
            begun.elapsed().as_secs_f64(),
            analysis.decisions.len()
        );
    }
}

/// Totals for one house bot.
#[derive(Clone, Copy, Default)]
struct Line {
    rounds: f64,
    decisions: f64,
    cost: f64,
    chips: f64,
    luck: f64,
    luck_squares: f64,
    proven: f64,
    estimated: f64,
    tournaments: f64,
}

fn ladder(count: u64, seed: &str) {
    let mut lines = vec![Line::default(); HOUSE.len()];
    let (mut decisions, start) = (0, Instant::now());
    tournaments(0, count, seed, |played, analysis| {
        decisions += analysis.decisions.len();
        for (bot, player) in played.bots.iter().zip(&analysis.players) {
            let line =
                &mut lines[HOUSE.iter().position(|other| other.name == bot.name).expect("a house bot")];
            let rounds = player.rounds as f64;
            line.rounds += rounds;
            line.decisions += player.decisions as f64;
            line.cost += player.given_away.chips * rounds;
            line.chips += player.chips as f64;
            line.luck += player.luck;
            line.luck_squares += player.luck.powi(2);
            line.proven += player.proven_mistakes as f64;
            line.estimated += player.estimated_mistakes as f64;
            line.tournaments += 1.0;
        }
        ControlFlow::Continue(())
    });
    let took = start.elapsed().as_secs_f64();
    println!(
        "{count} tournaments, seed {seed}: {decisions} decisions in {took:.1} s, {:.2} ms each",
        1e3 * took / decisions as f64
    );
    let ratings = ratings();
    let mut order: Vec<usize> = (0..HOUSE.len()).filter(|bot| lines[*bot].rounds > 0.0).collect();
    order.sort_by(|one, other| ratings[*other].total_cmp(&ratings[*one]));
    println!(
        "{:<10} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "bot", "rating", "given", "proven", "estim.", "chips", "luck", "error"
    );
    for bot in &order {
        let line = &lines[*bot];
        println!(
            "{:<10} {:>9.3} {:>9.3} {:>8.4} {:>8.4} {:>8.2} {:>8.3} {:>8.3}",
            HOUSE[*bot].name,
            ratings[*bot],
            line.cost / line.rounds,
            line.proven / line.decisions,
            line.estimated / line.decisions,
            line.chips / line.rounds,
            line.luck / line.rounds,
            line.luck_squares.sqrt() / line.rounds,
        );
    }
    let given: Vec<f64> = order.iter().map(|bot| -lines[*bot].cost / lines[*bot].rounds).collect();
    let rated: Vec<f64> = order.iter().map(|bot| ratings[*bot]).collect();
    println!("rank correlation of give-away and rating: {:.3}", spearman(&given, &rated));
    let won: Vec<f64> =
        order.iter().map(|bot| (lines[*bot].chips - lines[*bot].luck) / lines[*bot].rounds).collect();
    println!(
        "rank correlation with the chips won a round in these tournaments less luck: give-away {:.3}",
        spearman(&given, &won)
    );
}

/// The chips that each house bot wins in a round of equal deals with six seats.
fn ratings() -> Vec<f64> {
    let bots: Vec<RatedBot> = HOUSE.iter().map(|bot| RatedBot::house(bot.name, bot)).collect();
    let plan = RatingPlan::new(
        bots,
        PlanTerms {
            seats: SEATS,
            stack: STACK,
            seed: Seed::chosen("coach ratings"),
            rounds: RATED,
            ..PlanTerms::default()
        },
    )
    .expect("the plan can be played");
    let bots = plan.bots().iter().map(|bot| bot.house_bot().expect("all are house bots")).collect();
    let played = play(&plan, &mut [BotPlayers::house(bots)]).expect("house bots do not fail");
    let report = RatingReport::new(&plan, &played, None);
    let rating = |bot: &HouseBot| {
        let line = report.standings.iter().find(|line| line.name == bot.name).expect("everyone is rated");
        line.chips_per_round.value
    };
    HOUSE.iter().map(rating).collect()
}

fn spearman(one: &[f64], other: &[f64]) -> f64 {
    let ranks = |values: &[f64]| -> Vec<f64> {
        let rank = |value: &f64| values.iter().filter(|other| *other < value).count() as f64;
        values.iter().map(rank).collect()
    };
    let (one, other) = (ranks(one), ranks(other));
    let count = one.len() as f64;
    let squares: f64 = one.iter().zip(&other).map(|(a, b)| (a - b).powi(2)).sum();
    1.0 - 6.0 * squares / (count * (count * count - 1.0))
}

/// How often the rest of a round is played to refute a proof.
const REFUTATIONS: u32 = 2_000;

/// A table before a decision, and the players who have shown a second up card.
fn before(noted: &NotedRound, turn: usize) -> (Round, SeatSet) {
    let mut stacks = [0; MAX_SEATS];
    noted.seats().into_iter().for_each(|seat| stacks[seat.index()] = noted.stack(seat));
    let mut round = Round::new(noted.rules(), stacks);
    let cards: Vec<Card> =
        (0..3).flat_map(|card| noted.seats().into_iter().map(move |seat| noted.cards(seat)[card])).collect();
    round.deal(noted.seats(), &Deck::beginning_with(&cards).expect("no card is there twice"));
    round.open(Street::First, round.opener_of(Street::First));
    let mut shown = SeatSet::EMPTY;
    for made in noted.replies().take(turn) {
        settle(&mut round, &mut shown);
        round.act(made.seat, made.reply.legalise(&round.bounds(made.seat)).expect("it was legal"));
    }
    settle(&mut round, &mut shown);
    (round, shown)
}

/// Goes on to the next question; its seat, if there is one.
fn settle(round: &mut Round, shown: &mut SeatSet) -> Option<Seat> {
    loop {
        match round.settle() {
            Turn::Ask(seat) => return Some(seat),
            Turn::StreetClosed if round.street() == Street::First => {
                round.open(Street::Second, round.opener_of(Street::Second));
                *shown = round.live();
            }
            _ => return None,
        }
    }
}

/// The player's winnings from the decision on: it acts so, and then calls to the end, or folds as soon as that costs
/// something. Unseen cards are dealt anew, and the opponents act randomly among the legal actions, some of them raising
/// every time.
fn refute(round: &Round, shown: SeatSet, seat: Seat, first: Action, calls: bool, dice: &mut Stream) -> i64 {
    let mut round = round.clone();
    let mut hidden: Vec<Card> = Card::ALL.to_vec();
    let is_known = |card: &Card| {
        *card == round.hole(seat)
            || round.dealt().into_iter().any(|other| {
                let up = round.up(other);
                *card == up[0] || (shown.contains(other) && *card == up[1])
            })
    };
    hidden.retain(|card| !is_known(card));
    dice.shuffle(&mut hidden);
    let seats: Vec<Seat> = round.dealt().into_iter().collect();
    let holes = seats.iter().map(|other| (*other == seat).then(|| round.hole(seat)));
    let firsts = seats.iter().map(|other| Some(round.up(*other)[0]));
    let seconds = seats.iter().map(|other| shown.contains(*other).then(|| round.up(*other)[1]));
    let all: Vec<Option<Card>> = holes.chain(firsts).chain(seconds).collect();
    let cards: Vec<Card> =
        all.into_iter().map(|card| card.unwrap_or_else(|| hidden.pop().expect("52 cards"))).collect();
    round.redeal(&Deck::beginning_with(&cards).expect("no card is there twice"));
    let (had, mut shown) = (round.stacks()[seat.index()], shown);
    let raises_always = dice.one_in(2);
    round.act(seat, first);
    while round.live().contains(seat) {
        let Some(asked) = settle(&mut round, &mut shown) else {
            let has = round.stacks()[seat.index()] + round.showdown().won(seat);
            return i64::from(has) - i64::from(had);
        };
        let bounds = round.bounds(asked);
        let bet = |chips| bounds.bet(chips).expect("it is legal");
        let action = match asked == seat {
            true if !calls && bounds.to_call > 0 => Action::FOLD,
            true => bet(bounds.to_call),
            false if raises_always => bet(bounds.most()),
            false => match dice.below(bounds.most() - bounds.to_call + 2) {
                0 => Action::FOLD,
                more => bet(bounds.to_call + more - 1),
            },
        };
        round.act(asked, action);
    }
    i64::from(round.stacks()[seat.index()]) - i64::from(had)
}

fn proofs(wanted: u64, seed: &str) {
    let mut kinds: std::collections::BTreeMap<String, (u64, u64, u64)> = std::collections::BTreeMap::new();
    let (mut called, each) = (0, 25);
    let mut dice = Seed::chosen(format!("coach {seed}")).stream("refutations");
    tournaments(20_000, 4_000, seed, |played, analysis| {
        let proven =
            analysis.decisions.iter().filter_map(|decision| Some((decision, decision.judgement.proof()?)));
        for (decision, proof) in proven.take(each) {
            if called == wanted {
                return ControlFlow::Break(());
            }
            called += 1;
            let noted = &played.rounds[decision.round as usize - 1];
            let seat = noted.replies().nth(decision.turn).expect("it was decided").seat;
            let (round, shown) = before(noted, decision.turn);
            let bounds = round.bounds(seat);
            let call = bounds.bet(bounds.to_call).expect("a call is legal");
            let line = kinds.entry(format!("{:?}", proof.kind)).or_default();
            line.0 += 1;
            let (mut worse, mut better) = (false, false);
            for _ in 0..REFUTATIONS {
                let calls = proof.kind != ProofKind::FreeFold;
                let earned = refute(&round, shown, seat, call, calls, &mut dice);
                // To fold earns nothing, and a lost call is compared with it.
                let more = if proof.kind == ProofKind::LostCall { -earned } else { earned };
                worse |= more < i64::from(proof.at_least);
                better |= more > 0;
            }
            line.1 += u64::from(worse);
            line.2 += u64::from(!better);
        }
        ControlFlow::Continue(())
    });
    println!("{called} proven mistakes, seed {seed}; the rest of each round played {REFUTATIONS} times");
    for (kind, (count, worse, never_better)) in kinds {
        println!("{kind:<14} {count:>5}, refuted {worse}, never better {never_better}");
    }
}
