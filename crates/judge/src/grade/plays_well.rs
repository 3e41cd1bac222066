//! How well a player plays: the chips it wins in equal deals against a field that is always the same.
//!
//! Six sit at a table: the player and the bots of [`FIELD`]. Every deck is played six times, so that everyone plays each
//! hand from each seat once and luck falls out of the comparison (see [`casino_stud::rating`]). Decks, seats and what the house
//! bots leave to chance come from a seed that never changes.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::report::{Item, Points};
use super::situation::{GaveUp, JudgedPlayer};
use casino_stud::cards::{Seed, Stream};
use casino_stud::rating::{
    Contestant, Estimate, PartTerms, Plan, PlanTerms, PlayedPart, Players, RatingReport, play_on,
};
use casino_stud::strategies::{HouseBot, Memory};
use casino_stud::stud::Chips;
use casino_stud::table::{Answer, Fault, Foul, Question, Status};

/// The house bots at the table: one that pays for everything, and four that play by their cards, each in its own way.
pub const FIELD: [&str; 5] = ["caller", "simple", "bold", "reader", "odds"];

/// What a player wins on average in each round who gets no points, in chips: one that always folds loses its ante.
pub const NO_POINTS: f64 = -1.0;

/// What a player wins on average in each round who gets all points, in chips: better than any bot of the field.
pub const ALL_POINTS: f64 = 4.0;

/// The name of the player in the plan. No house bot has it.
const PLAYER: &str = "the player";

/// Everybody's chips at the beginning of every round.
const STACK: Chips = 500;

/// The fewest blocks that are played, after which it is seen how long the player takes for one.
const FIRST_BLOCKS: u64 = 20;

/// How many blocks are played with a player who takes longer than this for a block, the slowest last. A block has some
/// ten questions.
const FEWER_BLOCKS: [(Duration, u64); 2] =
    [(Duration::from_millis(250), 100), (Duration::from_millis(2_500), FIRST_BLOCKS)];

/// Plays so many rounds and gives points for the chips. The item's title says how many chips these were.
///
/// # Errors
/// If the player cannot go on.
pub fn plays_well(player: &mut JudgedPlayer<'_>, rounds: u64, points: Points) -> Result<Item, GaveUp> {
    let started = Instant::now();
    equal_deals(player, rounds, points, || started.elapsed())
}

/// As [`plays_well`], with a clock that says how long it has been going on.
fn equal_deals(
    player: &mut JudgedPlayer<'_>,
    rounds: u64,
    points: Points,
    clock: impl Fn() -> Duration,
) -> Result<Item, GaveUp> {
    let plan = plan(rounds);
    let bots = plan.bots().iter().map(Contestant::house_bot).collect();
    let mut players = [PlayerAndField { player, bots, fouls: 0, last_foul: None }];
    let mut played = PlayedPart::open_ended(&plan);
    let mut blocks = plan.blocks();
    let watch = |played: &PlayedPart| {
        let so_far = played.tally().blocks();
        if so_far == FIRST_BLOCKS {
            let each = clock() / FIRST_BLOCKS as u32;
            let slow = FEWER_BLOCKS.iter().rev().find(|(time, _)| each > *time);
            blocks = slow.map_or(blocks, |(_, fewer)| blocks.min(*fewer));
        }
        if so_far >= blocks { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let terms = PartTerms { watch: Box::new(watch), ..PartTerms::default() };
    play_on(&plan, &mut players, &mut played, terms)?;
    let report = RatingReport::new(&plan, &played, None);
    let verdict = report.standings.iter().find(|verdict| verdict.name == PLAYER);
    let chips = verdict.expect("the player is one of the bots").chips_per_round;
    let [players] = players;
    Ok(item(&report, &chips, &players, points))
}

fn plan(rounds: u64) -> Plan {
    let field =
        FIELD.iter().filter_map(|name| HouseBot::named(name)).map(|bot| Contestant::house(bot.name, bot));
    let bots: Vec<Contestant> = field.chain([Contestant::in_process(PLAYER)]).collect();
    let seats = bots.len();
    // Everyone plays every round, so that rounds are blocks times seats; at least those that show how fast it plays.
    let rounds = rounds.max(FIRST_BLOCKS * seats as u64);
    Plan::new(
        bots,
        PlanTerms { seats, stack: STACK, seed: Seed::chosen("plays well"), rounds, ..PlanTerms::default() },
    )
    .expect("a table of the field and a player can be played")
}

fn item(report: &RatingReport, chips: &Estimate, players: &PlayerAndField<'_, '_>, points: Points) -> Item {
    let interval = match chips.interval() {
        Some((low, high)) => format!("between {low:+.2} and {high:+.2} with 95 % certainty"),
        None => "too few deals decided to say how certain that is".to_string(),
    };
    let title = format!(
        "Wins {:+.2} chips a round in {} rounds of equal deals against {} ({interval})",
        chips.value,
        report.rounds_each,
        FIELD.join(", ")
    );
    let item = Item::new("equal-deals", title, points);
    let mut reason = format!("All points are for {ALL_POINTS:+.0} chips a round, none for {NO_POINTS:+.0}.");
    if report.blocks < report.plan.blocks() {
        reason += &format!(
            " The program thinks for long, so only {} of {} rounds were played.",
            report.rounds_each,
            report.plan.blocks() * report.plan.seats() as u64
        );
    }
    if let Some(foul) = &players.last_foul {
        let times = if players.fouls == 1 { "once".to_string() } else { format!("{} times", players.fouls) };
        reason += &format!(" It broke a rule {times}, which cost it the round. The last time it {foul}");
    }
    let share = ((chips.value - NO_POINTS) / (ALL_POINTS - NO_POINTS)).clamp(0.0, 1.0);
    match points {
        Points::ZERO => Item { reason: "Measured, and not counted.".to_string(), ..item.passed() },
        points => item.partial(points.share((share * 10_000.0).round() as usize, 10_000), reason),
    }
}

/// The player among the bots of the field, in the order of the plan; the player's place is empty.
struct PlayerAndField<'a, 'b> {
    player: &'a mut JudgedPlayer<'b>,
    bots: Vec<Option<&'static HouseBot>>,
    fouls: u32,
    last_foul: Option<Foul>,
}

impl Players for PlayerAndField<'_, '_> {
    type Error = GaveUp;

    fn answer(&mut self, bot: usize, question: &Question<'_>, rng: &mut Stream) -> Answer {
        match self.bots[bot] {
            // None of the field remembers anything.
            Some(house) => Ok(house.decide(question, &mut Memory::default(), rng)),
            None => self.player.answer(question),
        }
    }

    fn hear(&mut self, bot: usize, status: &Status) -> Result<(), Fault> {
        if self.bots[bot].is_none() { self.player.hear(status) } else { Ok(()) }
    }

    fn fouled(&mut self, bot: usize, foul: &Foul, _: bool) -> Result<(), GaveUp> {
        assert!(self.bots[bot].is_none(), "a house bot keeps to the rules, but one {foul}");
        self.fouls += 1;
        self.last_foul = Some(foul.clone());
        self.player.recover(foul)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Outcome;
    use casino_stud::table::Reply;

    fn house(name: &str) -> JudgedPlayer<'static> {
        JudgedPlayer::in_process(HouseBot::named(name).unwrap().player(Seed::chosen("x").stream(name)))
    }

    fn points(name: &str) -> Points {
        plays_well(&mut house(name), 600, Points::whole(30)).unwrap().points
    }

    #[test]
    fn points_follow_the_chips() {
        let ladder = ["caller", "passive", "simple", "spades"].map(points);
        assert_eq!(ladder[0], Points::ZERO, "always calling loses more than always folding");
        assert!(ladder.is_sorted_by(|one, other| one < other), "{ladder:?}");
        assert_eq!(points("simple"), points("simple"), "and are the same again");
    }

    #[test]
    fn always_folding_is_the_end_of_the_scale() {
        let item = plays_well(&mut house("folder"), 600, Points::whole(30)).unwrap();
        assert_eq!((item.points, item.outcome), (Points::ZERO, Outcome::Failed));
        assert!(item.title.starts_with("Wins -1.00 chips a round in 600 rounds"), "{}", item.title);
        let measured = plays_well(&mut house("folder"), 600, Points::ZERO).unwrap();
        assert_eq!(
            (measured.outcome, measured.reason.as_str()),
            (Outcome::Passed, "Measured, and not counted.")
        );
    }

    #[test]
    fn a_slow_player_plays_fewer_rounds_and_the_report_says_so() {
        let rounds = |millis: u64| {
            let clock = || Duration::from_millis(millis * FIRST_BLOCKS);
            equal_deals(&mut house("simple"), 1_200, Points::ONE, clock).unwrap()
        };
        assert!(rounds(100).title.contains("in 1200 rounds") && !rounds(100).reason.contains("only"));
        assert!(rounds(300).reason.contains("only 600 of 1200 rounds"), "{}", rounds(300).reason);
        assert!(rounds(3_000).reason.contains("only 120 of 1200 rounds"), "{}", rounds(3_000).reason);
    }

    #[test]
    fn a_foul_costs_the_round_and_is_said() {
        let mut bot =
            JudgedPlayer::in_process(|question: &Question<'_>| Reply::Bet(question.bounds.to_call + 11));
        let item = plays_well(&mut bot, 120, Points::whole(30)).unwrap();
        assert_eq!(item.points, Points::ZERO);
        assert!(item.reason.contains("It broke a rule 120 times"), "{}", item.reason);
    }
}
