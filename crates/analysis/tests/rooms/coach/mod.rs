//! Replays the mistakes reported by the coach with an independent engine and with bots unknown to the coach.

#![allow(clippy::print_stdout, reason = "what is measured is printed")]

mod engine;
mod field;
mod played_again;
mod twins;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::num::NonZero;

use casino_stud::cards::Seed;

use casino_analysis::coach::{
    Addressee, AnalysedDecision, Analysis, Caution, Coach, Judgement, NotedRound, ReplyKind,
};
use casino_stud::odds::Situation;
use casino_stud::protocol::Command;
use casino_stud::strategies::{HOUSE, HouseBot, HousePlayer, ladder};
use casino_stud::table::{Reply, TableSettings, play_round};
use casino_stud::tournament::TableGame;

use engine::Dice;
use field::{FAULTY, Habits, SENSIBLE, Seated, drawn};
use played_again::{Gain, PlayedAgain, script};

/// A tournament of bots that are drawn from these.
fn tournament(bots: &[Habits], number: u64, rounds: u64) -> (Vec<Habits>, Vec<NotedRound>) {
    let mut dice = Dice(number);
    let seats = 3 + dice.below(5);
    let stack = [80, 200, 500][dice.below(3)];
    let table: Vec<Habits> = (0..seats).map(|_| bots[dice.below(bots.len())]).collect();
    let mut players: Vec<Seated> = table
        .iter()
        .zip(1..)
        .map(|(habits, at)| Seated { habits: *habits, dice: Dice(number * 100 + at) })
        .collect();
    let seed = Seed::chosen(format!("played again {number}"));
    let mut game = TableGame::new(TableSettings::default(), &seed, seats, stack, rounds);
    let mut noted = Vec::new();
    while game.deal() {
        let Ok(()) = play_round(&mut game, &mut players[..]);
        noted.push(NotedRound::of(&game));
    }
    (table, noted)
}

fn coach_of(table: &[Habits], rounds: &[NotedRound]) -> Coach {
    let names = table.iter().zip(1..).map(|(habits, at)| format!("{}-{at}", habits.name)).collect();
    Coach::new(names, rounds)
}

/// Both implementations of the rules agree about questions and payouts.
#[test]
fn the_engine_of_these_tests_plays_every_round_as_the_table_does() {
    let both: Vec<Habits> = SENSIBLE.into_iter().chain(FAULTY).collect();
    let mut asked = 0;
    for number in 0..12 {
        let (_, rounds) = tournament(&both, number, 40);
        for round in &rounds {
            let (mut game, replies) = script(round);
            let begun: Vec<u32> = game.stacks.clone();
            for made in &replies {
                assert_eq!(game.next(), Some(made.seat));
                assert_eq!(game.view(made.seat).to_call, made.to_call);
                game.act(made.reply);
                asked += 1;
            }
            assert_eq!(game.next(), None);
            for (place, seat) in round.seats().into_iter().enumerate() {
                let ante = i64::from(round.stack(seat)) - i64::from(begun[place]);
                let gain = i64::from(game.stacks[place] + game.takes(place)) - i64::from(begun[place]) - ante;
                assert_eq!(gain, round.gain(seat), "{round:?}");
            }
        }
    }
    assert!(asked > 2_000, "{asked}");
}

#[test]
fn analysis_is_reproducible_and_sums_its_decisions() {
    let (table, rounds) = tournament(&FAULTY, 3, 20);
    let of = || coach_of(&table, &rounds).analyse_all(&rounds, usize::MAX, NonZero::<usize>::MIN, |_, _| ());
    let analysis = of();
    assert_eq!(analysis, of());
    let decisions: u64 = analysis.players.iter().map(|player| player.decisions).sum();
    assert_eq!(decisions, analysis.decisions.len() as u64);
    for player in &analysis.players {
        let dearest: Vec<f64> = analysis.dearest(player).map(|decision| decision.cost).collect();
        assert!(dearest.is_sorted_by(|one, other| one >= other), "{dearest:?}");
        let rounds: BTreeSet<u64> = analysis.dearest(player).map(|decision| decision.round).collect();
        assert_eq!(rounds.len(), dearest.len(), "the dearest are of different rounds");
        let in_classes: u64 = player.classes.iter().map(|class| class.mistakes).sum();
        assert_eq!(in_classes, player.proven_mistakes + player.estimated_mistakes);
        let of_player = analysis.decisions.iter().filter(|decision| decision.player == player.player);
        let cost: f64 =
            of_player.filter(|decision| decision.judgement.is_mistake()).map(|decision| decision.cost).sum();
        let in_classes: f64 = player.classes.iter().map(|class| class.cost).sum();
        assert!((cost - in_classes).abs() < 1e-9);
    }
    for decision in &analysis.decisions {
        let sentence = decision.sentence(Addressee::Everybody);
        assert_eq!(sentence.is_some(), decision.judgement.is_mistake());
        // Only the player whose card it is is called you.
        if let Some((all, own)) = sentence.zip(decision.sentence(Addressee::Player)) {
            assert!(all.starts_with(&decision.name) && !all.to_lowercase().contains("you"), "{all}");
            assert!(own.contains("You") && !own.contains(&decision.name), "{own}");
        }
    }
}

/// Checks the reported decisions: no advice to fold when checking is free, no price above the chips put in where a fold
/// was better (or above the value of `casino odds` where that settles it), no price above the possible winnings, and
/// one line for a series of raises.
fn prices_are_possible(from: u64, least: usize) {
    let both: Vec<Habits> = SENSIBLE.into_iter().chain(FAULTY).collect();
    let (mut decisions, mut called) = (0, 0);
    for number in from.. {
        println!("{called} of {decisions} decisions called before tournament {number}");
        if decisions >= least {
            break;
        }
        let (table, rounds) = tournament(&both, number, 60);
        let coach = coach_of(&table, &rounds);
        for round in &rounds {
            let mut told = BTreeSet::new();
            for decision in coach.analyse(round) {
                decisions += 1;
                if !decision.judgement.is_mistake() {
                    continue;
                }
                called += 1;
                let AnalysedDecision { to_call, reply, best, cost, .. } = decision;
                assert!(best != Reply::Fold || to_call > 0, "{decision:?}");
                assert!(reply != Reply::Fold || best == Reply::Bet(to_call), "{decision:?}");
                let put_in = match reply {
                    Reply::Fold => 0,
                    Reply::Bet(chips) => chips,
                };
                let stacks: u32 = round.seats().into_iter().map(|seat| round.stack(seat)).sum();
                let at_risk = if best == Reply::Fold { put_in } else { put_in + stacks };
                assert!(cost <= f64::from(at_risk), "{decision:?}");
                if round.players.len() == 2 && best == Reply::Fold && reply == Reply::Bet(to_call) {
                    // The other has bet, so a call closes the street, and `casino odds` gives its value.
                    let Ok(Command::Question(question)) =
                        Command::read(&decision.question, round.rules().raise_cap)
                    else {
                        panic!("{}", decision.question)
                    };
                    let odds = Situation::of(&question.as_question()).expect("it was asked").odds();
                    let call = odds.chips(decision.pot + to_call) - f64::from(to_call);
                    assert!(decision.judgement != Judgement::Mistake || cost <= 1e-9 - call, "{decision:?}");
                }
                let kind = ReplyKind::of(best, to_call);
                let is_first = told.insert((decision.player, kind));
                assert!(is_first || decision.judgement != Judgement::Mistake, "{decision:?}");
            }
        }
    }
    assert!(called > decisions / 500, "{called} of {decisions} called");
}

#[test]
fn no_price_is_above_what_the_reply_put_at_risk() {
    prices_are_possible(1_000, 1_000);
}

#[test]
fn no_price_is_above_what_the_reply_put_at_risk_in_100_000_decisions() {
    prices_are_possible(1_010, 100_000);
}

/// Sums of the reported prices and of the actual gains, if `odds` continues and if the bot itself does.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    told: f64,
    gained: [f64; 2],
    squares: [f64; 2],
    harmful: [f64; 3],
}

impl Sums {
    fn add(&mut self, told: f64, gains: [Gain; 2]) {
        self.count += 1.0;
        self.told += told;
        for (at, gain) in gains.iter().enumerate() {
            self.gained[at] += gain.mean;
            self.squares[at] += gain.mean * gain.mean;
            self.harmful[at] += f64::from(u8::from(gain.mean < 0.0));
        }
        let surely = gains.iter().any(|gain| gain.mean < -2.0 * gain.error);
        self.harmful[2] += f64::from(u8::from(surely));
    }

    fn gain(&self, at: usize) -> Gain {
        let mean = self.gained[at] / self.count;
        let variance = (self.squares[at] - self.gained[at] * mean) / (self.count - 1.0).max(1.0);
        Gain { mean, error: (variance.max(0.0) / self.count).sqrt() }
    }

    fn line(&self, what: &str) -> String {
        let [odds, itself] = [self.gain(0), self.gain(1)];
        let percent = |part: f64| 100.0 * part / self.count;
        format!(
            "| {what} | {:.0} | {:.2} | {:.2} ± {:.2} | {:.2} ± {:.2} | {:.1} % | {:.1} % | {:.1} % |\n",
            self.count,
            self.told / self.count,
            odds.mean,
            1.96 * odds.error,
            itself.mean,
            1.96 * itself.error,
            percent(self.harmful[0]),
            percent(self.harmful[1]),
            percent(self.harmful[2]),
        )
    }
}

fn size(cost: f64) -> &'static str {
    match cost {
        cost if cost < 1.0 => "size 1: below 1 chip",
        cost if cost < 2.0 => "size 2: 1 to 2",
        cost if cost < 4.0 => "size 3: 2 to 4",
        cost if cost < 8.0 => "size 4: 4 to 8",
        _ => "size 5: 8 and more",
    }
}

/// Replays this many reported mistakes in tournaments of these bots; returns the reported prices and the actual gains.
fn play_again(bots: &[Habits], from: u64, wanted: usize, deals: u32) -> BTreeMap<String, Sums> {
    play_again_by(Caution::default(), bots, from, wanted, deals)
}

fn play_again_by(
    caution: Caution,
    bots: &[Habits],
    from: u64,
    wanted: usize,
    deals: u32,
) -> BTreeMap<String, Sums> {
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    let (mut called, mut decisions, mut shown) = (0, 0, 0);
    for number in from.. {
        let (table, rounds) = tournament(bots, number, 100);
        let mut coach = coach_of(&table, &rounds);
        coach.caution = caution;
        // Not all of one tournament, so that they come from many.
        let mut left = 30;
        for round in &rounds {
            let analysed = coach.analyse(round);
            decisions += analysed.len();
            let mistakes = analysed.iter().filter(|decision| decision.judgement == Judgement::Mistake);
            for decision in
                mistakes.filter(|decision| is_wanted("REPLY", &format!("{:?}", decision.kinds()[0])))
            {
                if left == 0 || called == wanted {
                    break;
                }
                (left, called) = (left - 1, called + 1);
                let habits: Vec<Habits> = round.players.iter().map(|player| table[*player]).collect();
                let mut again = PlayedAgain::new(round, &habits, decision);
                let gains = again.gains(deals, number * 1_000 + called as u64);
                let [replied, better] = decision.kinds();
                let of_bot = &decision.name[..decision.name.find('-').unwrap_or(0)];
                let keys = [
                    "all".to_string(),
                    size(decision.cost).to_string(),
                    format!("kind {replied:?}, better {better:?}"),
                    format!("street {}", decision.street),
                    format!("bot {of_bot}"),
                ];
                for key in keys {
                    sums.entry(key).or_default().add(decision.cost, gains);
                }
            }
            if left == 0 || called == wanted {
                break;
            }
        }
        if called == wanted {
            break;
        }
        if called >= shown + 100 {
            shown = called;
            println!("{called} mistakes so far\n{}", text_of(&sums));
        }
    }
    println!("{called} mistakes of {decisions} decisions");
    sums
}

fn text_of(sums: &BTreeMap<String, Sums>) -> String {
    let mut text = String::from(
        "| | mistakes | told | gained, odds goes on | gained, the bot itself | odds: harmful | itself | either, surely |\n",
    );
    for (what, sums) in sums {
        write!(text, "{}", sums.line(what)).expect("a text takes all");
    }
    text
}

/// The share of each house bot's decisions reported as mistakes, in this many tournaments of six of them.
fn called_of_the_house(from: u64, tournaments: u64) {
    let mut called: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for number in from..from + tournaments {
        let (bots, rounds) = house_tournament(number, 100);
        let coach = Coach::new(house_names(&bots), &rounds);
        for decision in rounds.iter().flat_map(|round| coach.analyse(round)) {
            let (mistakes, all) = called.entry(bots[decision.player].name).or_default();
            *mistakes += u32::from(decision.judgement.is_mistake());
            *all += 1;
        }
    }
    for (name, (mistakes, all)) in called {
        println!(
            "{name}: {mistakes} of {all} decisions called, {:.1} %",
            100.0 * f64::from(mistakes) / f64::from(all)
        );
    }
}

/// A tournament of six house bots drawn from all of them.
fn house_tournament(number: u64, most: u64) -> (Vec<&'static HouseBot>, Vec<NotedRound>) {
    let seed = Seed::chosen(format!("the house {number}"));
    let mut bots: Vec<&HouseBot> = HOUSE.iter().collect();
    seed.stream("field").shuffle(&mut bots);
    bots.truncate(6);
    let mut players: Vec<HousePlayer> = bots.iter().map(|bot| bot.seated(bot.name, &seed)).collect();
    let mut game = TableGame::new(TableSettings::default(), &seed, bots.len(), 500, most);
    let mut rounds = Vec::new();
    while game.deal() {
        let Ok(()) = play_round(&mut game, &mut players[..]);
        rounds.push(NotedRound::of(&game));
    }
    (bots, rounds)
}

fn house_names(bots: &[&HouseBot]) -> Vec<String> {
    bots.iter().map(|bot| bot.name.to_string()).collect()
}

/// Whether an environment variable has this value, or is not set.
fn is_wanted(name: &str, value: &str) -> bool {
    !std::env::var(name).is_ok_and(|wanted| wanted != value)
}

/// The number in an environment variable.
fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
}

fn rank_correlation(one: &[f64], other: &[f64]) -> f64 {
    let ranks = |values: &[f64]| -> Vec<f64> {
        let rank = |value: &f64| values.iter().filter(|other| *other < value).count() as f64;
        values.iter().map(rank).collect()
    };
    let squares: f64 = ranks(one).iter().zip(ranks(other)).map(|(one, other)| (one - other).powi(2)).sum();
    let count = one.len() as f64;
    1.0 - 6.0 * squares / (count * (count * count - 1.0))
}

/// Compares three orders of the bots of one tournament with their ratings: by chips, by chips without luck, and by the
/// price of their mistakes.
#[test]
#[ignore = "takes minutes; docs/coach.md says how it is called"]
fn what_orders_the_bots_of_a_tournament() {
    let ratings = ladder();
    for most in [100, 300, 1_000] {
        let mut sums = [[0.0; 2]; 3];
        let count = number("TOURNAMENTS", 40);
        for number in 0..count {
            let (bots, rounds) = house_tournament(500_000 + number, most);
            let coach = Coach::new(house_names(&bots), &rounds);
            // The coach analyzes 40 of the rounds at most, evenly spread; luck is of all.
            let one = NonZero::<usize>::MIN;
            let given = coach.analyse_all(&rounds, 40, one, |_, _| ());
            let all = Analysis::new(&house_names(&bots), &rounds, Vec::new());
            let rated: Vec<f64> = bots
                .iter()
                .filter_map(|bot| ratings.iter().find(|rung| rung.bot.name == bot.name))
                .map(|rung| rung.figures[1].chips)
                .collect();
            let chips: Vec<f64> = all.players.iter().map(|player| player.chips as f64).collect();
            let less_luck: Vec<f64> =
                all.players.iter().map(|player| player.chips as f64 - player.luck).collect();
            let given: Vec<f64> = given.players.iter().map(|player| -player.given_away).collect();
            for (sums, values) in sums.iter_mut().zip([chips, less_luck, given]) {
                let correlation = rank_correlation(&values, &rated);
                sums[0] += correlation;
                sums[1] += correlation * correlation;
            }
        }
        for (what, [sum, squares]) in ["chips", "chips less luck", "given away"].iter().zip(sums) {
            let mean = sum / count as f64;
            let error = ((squares / count as f64 - mean * mean) / (count - 1) as f64).sqrt();
            println!("{count} tournaments of at most {most} rounds, {what}: {mean:.3} ± {:.3}", 1.96 * error);
        }
    }
}

/// The coach's advice gains chips on average, with either bot continuing.
#[test]
fn advice_gains_chips_whoever_goes_on() {
    for bots in [&SENSIBLE[..], &FAULTY[..]] {
        let sums = play_again(bots, 50_000, 30, 100);
        let [odds, itself] = [0, 1].map(|at| sums["all"].gain(at).mean);
        assert!(odds > 0.0 && itself > 0.0, "{}", text_of(&sums));
    }
}

/// The figures of `docs/benchmarks.md`. `CALLED` is the number of mistakes, `FROM` the first tournament, `FIELD` the only field,
/// and `REPLY` the only kind of reply.
#[test]
#[ignore = "takes minutes; docs/coach.md says how it is called"]
fn called_mistakes_played_again() {
    let number =
        |name: &str, usual| std::env::var(name).map_or(usual, |text| text.parse().expect("a number"));
    let (called, from) = (number("CALLED", 500), number("FROM", 100_000));
    if std::env::var_os("TUNING").is_some() {
        let bots: Vec<Habits> = (0..200).map(|number| drawn(&mut Dice(number))).collect();
        let (sensible, faulty): (Vec<Habits>, _) = bots.into_iter().partition(|bot| bot.name == "sensible");
        for (what, bots) in [("sensible", sensible), ("faulty", faulty)] {
            for (standard_errors, shift) in
                [5.0, 10.0, 20.0].map(|errors| [0.25, 0.5, 0.75].map(|shift| (errors, shift))).concat()
            {
                let caution = Caution { standard_errors, shift };
                let all = play_again_by(caution, &bots, from, called as usize, 300)["all"];
                print!("tuning, {caution:?}, {}", all.line(what));
            }
        }
        return;
    }
    called_of_the_house(from, number("HOUSE", 30));
    let mixed: Vec<Habits> = SENSIBLE.into_iter().chain(FAULTY).collect();
    let fields = [("sensible", &SENSIBLE[..]), ("mixed", &mixed[..])];
    for (what, bots) in fields.into_iter().filter(|(what, _)| is_wanted("FIELD", what)) {
        println!("{what} fields\n{}", text_of(&play_again(bots, from, called as usize, 300)));
    }
}
