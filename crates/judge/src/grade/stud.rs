//! Judging a bot for three-card stud by a rubric.

use thiserror::Error;

use super::report::{Item, Outcome, Part, Points, Report};
use super::rubric::{PointsSource, Rubric, RubricPart, divide};
use super::situation::{JudgedPlayer, RubricSituation, SituationJudge};
use casino_stud::table::Foul;

/// How far a program keeps to the protocol.
#[derive(Clone, Debug)]
pub enum Conformance {
    /// A bot in this process has no protocol to keep to.
    InProcess,
    /// The result of the protocol check.
    Checked {
        /// The steps about building, connecting and logging in.
        connects: Vec<Item>,
        /// The steps about replies to questions.
        replies: Vec<Item>,
        /// The fouls that failed these steps, with their reasons.
        fouls: Vec<(Foul, String)>,
    },
}

/// Why there is no player to test, as a sentence for the report.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NoPlayer(pub String);

/// Judges a bot by a rubric, or a missing player with its reason. `progress` is called after each situation.
pub fn grade<P: JudgedPlayer>(
    rubric: &Rubric,
    subject: &str,
    conformance: &Conformance,
    player: Result<&mut P, NoPlayer>,
    mut progress: impl FnMut(usize, usize),
) -> Report {
    let all = rubric.parts.iter().map(|part| situations(part).len()).sum();
    let mut done = 0;
    let mut judge = SituationJudge::new(player, rubric.seed.clone());
    if let Conformance::Checked { fouls, .. } = conformance {
        fouls.iter().for_each(|(foul, reason)| judge.know(foul, reason));
    }
    judge.measure_survival();
    let parts = rubric.parts.iter().map(|part| {
        let items = match &part.source {
            PointsSource::Connects | PointsSource::Replies => conform(part, conformance),
            PointsSource::Situations { situations, by_chips } => {
                let chips = (*by_chips > Points::ZERO).then(|| judge.equal_deals(*by_chips));
                let items = judge.part(part.points - *by_chips, situations, chips.is_some(), || {
                    done += 1;
                    progress(done, all);
                });
                items.into_iter().chain(chips).collect()
            }
        };
        Part { title: part.title.clone(), items }
    });
    Report {
        parts: parts.collect(),
        title: rubric.title.clone(),
        subject: subject.to_string(),
        by_hand: rubric.by_hand.clone(),
        seed: Some(rubric.seed.text().into()),
        ..Report::default()
    }
}

fn situations(part: &RubricPart) -> &[RubricSituation] {
    match &part.source {
        PointsSource::Situations { situations, .. } => situations,
        PointsSource::Connects | PointsSource::Replies => &[],
    }
}

/// The steps of the protocol check, each worth the same part of the points.
fn conform(part: &RubricPart, conformance: &Conformance) -> Vec<Item> {
    let steps = match (conformance, &part.source) {
        (Conformance::InProcess, _) => {
            let title = "A bot of the house, in the same process: there is no protocol to keep to";
            return vec![Item::new("in-process", title, part.points).passed()];
        }
        (Conformance::Checked { connects, .. }, PointsSource::Connects) => connects,
        (Conformance::Checked { replies, .. }, _) => replies,
    };
    let points = divide(part.points, &vec![1; steps.len()]);
    let worth = |(step, points): (&Item, Points)| Item {
        points: if step.outcome == Outcome::Passed { points } else { Points::ZERO },
        max_points: points,
        ..step.clone()
    };
    steps.iter().zip(points).map(worth).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::{Card, Rank, Seed, Suit};
    use casino_stud::strategies::{Bot, HouseBot};
    use casino_stud::table::{Question, Reply};

    fn graded(name: &str, seed: &str) -> Report {
        let mut bot = HouseBot::named(name).unwrap().player(Seed::chosen(seed).stream(name));
        grade(&Rubric::built_in(), name, &Conformance::InProcess, Ok(&mut bot), |_, _| {})
    }

    /// House bots from the weakest to the strongest: each uses more of the visible cards than the one before.
    const LADDER: [&str; 5] = ["random", "caller", "simple", "reader", "odds"];

    #[test]
    fn the_ladder_of_strategies_is_graded_in_its_order() {
        for seed in ["one", "two", "three"] {
            let points = LADDER.map(|name| graded(name, seed).summary().points);
            assert!(points.is_sorted_by(|one, other| one < other), "{seed}: {points:?}");
        }
    }

    /// Programs that never look at a card: their points for intelligence are luck, so they must be few.
    #[test]
    fn blind_play_gets_little_for_intelligence() {
        let intelligent = |name: &str| {
            let parts = graded(name, "one").parts;
            parts[3..5].iter().flat_map(|part| &part.items).map(|item| item.points).sum::<Points>()
        };
        for name in ["folder", "passive", "caller", "raiser", "random"] {
            assert!(intelligent(name) < Points::whole(10), "{name}: {} of 60", intelligent(name));
        }
        for name in ["simple", "cautious", "bold", "reader", "spades", "odds", "bluffer"] {
            assert!(intelligent(name) > Points::whole(20), "{name}: {} of 60", intelligent(name));
        }
    }

    /// Mending a fault never takes a point away, in any item: each of these faults beside the same bot without it.
    #[test]
    fn no_fault_earns_points() {
        type ReplyMutation = fn(&Question<'_>, Reply) -> Reply;
        let faults: [(&str, ReplyMutation); 6] = [
            ("raises above the cap with a ten", |question, reply| match question.hole.rank() {
                Rank::Ten => Reply::Bet(question.bounds.to_call + 50),
                _ => reply,
            }),
            ("forgets its stack", |question, reply| match reply {
                Reply::Bet(chips) if chips == question.bounds.stack => Reply::Bet(chips + 1),
                _ => reply,
            }),
            ("says the total", |question, reply| match reply {
                Reply::Bet(chips) if question.up.len() == 2 => Reply::Bet(chips + question.pot.min(9)),
                _ => reply,
            }),
            ("bets below the call", |question, reply| match question.bounds.to_call {
                6.. => Reply::Bet(5),
                _ => reply,
            }),
            ("calls what it cannot pay", |question, reply| match reply {
                Reply::Fold if question.bounds.stack < question.bounds.to_call => {
                    Reply::Bet(question.bounds.to_call)
                }
                _ => reply,
            }),
            ("sends a large number at the second street", |question, reply| match question.up.len() {
                2 => Reply::Bet(1_000),
                _ => reply,
            }),
        ];
        let items = |fault: Option<ReplyMutation>| -> Vec<Item> {
            let mut simple = HouseBot::named("simple").unwrap().player(Seed::chosen("one").stream("simple"));
            let mut bot = move |question: &Question<'_>| {
                let reply = simple.decide(question);
                fault.map_or(reply, |fault| fault(question, reply))
            };
            let report = grade(&Rubric::built_in(), "", &Conformance::InProcess, Ok(&mut bot), |_, _| {});
            report.items().cloned().collect()
        };
        let sound = items(None);
        for (name, fault) in faults {
            let faulty = items(Some(fault));
            for (with, without) in faulty.iter().zip(&sound) {
                assert_eq!((&with.id, with.max_points), (&without.id, without.max_points), "{name}");
                assert!(with.points <= without.points, "{name}: {with:?}, and without it {without:?}");
            }
        }
    }

    /// A fault of a program: another reply to a question, by the one that it would give without the fault.
    type Fault = fn(&Question<'_>, &mut dyn FnMut(&Question<'_>) -> Reply) -> Reply;

    /// The question with other cards of its own.
    fn seeing(
        question: &Question<'_>,
        see: fn(Card) -> Card,
        decide: &mut dyn FnMut(&Question<'_>) -> Reply,
    ) -> Reply {
        let up: Vec<Card> = question.up.iter().copied().map(see).collect();
        let board: Vec<Card> = question.board.iter().copied().map(see).collect();
        decide(&Question { hole: see(question.hole), up: &up, board: &board, ..*question })
    }

    fn ranked(card: Card, from: Rank, to: Rank) -> Card {
        if card.rank() == from { Card::new(to, card.suit()) } else { card }
    }

    /// The faults of docs/grading.md, with the least and the most that each costs, in hundredths of all points.
    const SHARES: [(&str, f64, f64, Fault); 20] = [
        ("none", 0.0, 0.0, |q, f| f(q)),
        ("reads tens as deuces", 0.5, 6.0, |q, f| seeing(q, |card| ranked(card, Rank::Ten, Rank::Deuce), f)),
        ("reads aces as deuces", 0.5, 6.0, |q, f| seeing(q, |card| ranked(card, Rank::Ace, Rank::Deuce), f)),
        ("reads faces as tens", 0.5, 6.0, |q, f| {
            seeing(
                q,
                |card| {
                    [Rank::Jack, Rank::Queen, Rank::King]
                        .into_iter()
                        .fold(card, |card, face| ranked(card, face, Rank::Ten))
                },
                f,
            )
        }),
        ("reads every suit as hearts", 0.5, 6.0, |q, f| {
            seeing(q, |card| Card::new(card.rank(), Suit::Hearts), f)
        }),
        ("raises above the cap with a ten", 55.0, 75.0, |q, f| match q.hole.rank() {
            Rank::Ten => Reply::Bet(q.bounds.to_call + 50),
            _ => f(q),
        }),
        ("raises by twenty", 55.0, 75.0, |q, f| match f(q) {
            Reply::Bet(chips) if chips > q.bounds.to_call => Reply::Bet(q.bounds.to_call + 20),
            reply => reply,
        }),
        ("forgets its stack", 4.0, 15.0, |q, f| match f(q) {
            Reply::Bet(chips) if chips == q.bounds.stack => Reply::Bet(chips + 1),
            reply => reply,
        }),
        ("says the total on the second street", 55.0, 75.0, |q, f| match f(q) {
            Reply::Bet(chips) if q.up.len() == 2 => Reply::Bet(chips + q.pot.min(9)),
            reply => reply,
        }),
        ("bets five, whatever is to call", 55.0, 75.0, |q, f| match f(q) {
            Reply::Bet(_) => Reply::Bet(5),
            reply => reply,
        }),
        ("calls what it cannot pay", 0.5, 6.0, |q, f| match f(q) {
            Reply::Fold if q.bounds.stack < q.bounds.to_call => Reply::Bet(q.bounds.to_call),
            reply => reply,
        }),
        ("a large number on the second street", 55.0, 75.0, |q, f| {
            if q.up.len() == 2 { Reply::Bet(1_000) } else { f(q) }
        }),
        ("never raises", 4.0, 15.0, |q, f| match f(q) {
            Reply::Bet(_) => Reply::Bet(q.bounds.to_call),
            reply => reply,
        }),
        ("never folds", 20.0, 35.0, |q, f| match f(q) {
            Reply::Fold if q.bounds.stack >= q.bounds.to_call => Reply::Bet(q.bounds.to_call),
            reply => reply,
        }),
        ("folds when raised", 4.0, 15.0, |q, f| if q.bounds.to_call > 0 { Reply::Fold } else { f(q) }),
        ("always folds", 20.0, 35.0, |_, _| Reply::Fold),
        ("always calls", 20.0, 35.0, |q, _| {
            if q.bounds.stack < q.bounds.to_call { Reply::Fold } else { Reply::Bet(q.bounds.to_call) }
        }),
        ("always raises", 20.0, 35.0, |q, _| {
            if q.bounds.stack < q.bounds.to_call { Reply::Fold } else { Reply::Bet(q.bounds.most()) }
        }),
        ("folds on the second street", 20.0, 35.0, |q, f| if q.up.len() == 2 { Reply::Fold } else { f(q) }),
        ("bets one more than it has", 55.0, 75.0, |q, _| Reply::Bet(q.bounds.stack + 1)),
    ];

    /// The mean over the decks of several classes: one class's decks move a share by some hundredths.
    #[test]
    fn faults_cost_their_share() {
        let seeds = ["one", "two", "three", "four", "five", "six"];
        let points = |fault: Fault| -> f64 {
            let of = |seed: &str| {
                let mut odds = HouseBot::named("odds").unwrap().player(Seed::chosen(seed).stream("odds"));
                let mut bot =
                    move |question: &Question<'_>| fault(question, &mut |question| odds.decide(question));
                let rubric = Rubric { seed: Seed::chosen(seed), ..Rubric::built_in() };
                let report = grade(&rubric, "", &Conformance::InProcess, Ok(&mut bot), |_, _| {});
                report.summary().points.as_f64() / report.summary().max_points.as_f64() * 100.0
            };
            seeds.iter().map(|seed| of(seed)).sum::<f64>() / seeds.len() as f64
        };
        let right = points(SHARES[0].3);
        let mut wrong = Vec::new();
        for (name, least, most, fault) in SHARES {
            let lost = right - points(fault);
            println!("{lost:6.2} % of the points  {name}");
            if lost < least - 0.01 || lost > most + 0.01 {
                wrong.push(format!("{name}: {lost:.2} %, not {least} to {most} %"));
            }
        }
        assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    }
}
