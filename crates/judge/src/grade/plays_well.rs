//! Chips that a player wins in equal deals against a fixed field: every deck is played six times, so that everyone
//! plays each hand from each seat once (see [`casino_analysis::rating`]).

use std::ops::ControlFlow;

use super::report::{Item, Points};
use super::situation::{JudgedPlayer, PlayerGivenUp};
use casino_analysis::rating::{
    BotPlayers, Estimate, PartTerms, PlanTerms, PlayedPart, RatedBot, RatingPlan, RatingReport, play_on,
};
use casino_stud::cards::{Rank, Seed, Suit};
use casino_stud::strategies::{AwaitedPlayer, HouseBot};
use casino_stud::stud::{Chips, Street};
use casino_stud::table::{Answer, Fault, Foul, Question, Reply, Status};

/// The house bots at the table: all play by their cards, each in its own way.
pub(super) const OPPONENTS: [&str; 5] = ["simple", "bold", "reader", "odds", "spades"];

/// Mean winnings per round, in chips, that earn no points. First bots of students win between this and
/// [`ALL_POINTS_CHIPS_PER_ROUND`].
const NO_POINTS_CHIPS_PER_ROUND: f64 = -10.0;

/// Mean winnings per round, in chips, that earn all points.
const ALL_POINTS_CHIPS_PER_ROUND: f64 = 2.0;

/// The part of the points for one that looks at its card face up and not at its hole card.
const PART_BY_UP_CARD: f64 = 0.6;

/// The part of the points for one that looks at no card: one that always folds loses little.
const PART_WITHOUT_CARDS: f64 = 0.15;

/// The statistic of the test whether replies depend on a card from which on they do: by chance once in 20,000 times.
const MIN_CHI_SQUARE: f64 = 20.0;

/// The name of the player in the plan. No house bot has it.
const PLAYER: &str = "the player";

const STACK: Chips = 500;

/// The strength of a player: the chips it won in equal deals, as a sentence and as a share of the points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EqualDealScore {
    title: String,
    /// The cards that the player does not look at, as a sentence, or nothing.
    unseen: String,
    /// Its fouls, as a sentence.
    fouls: Option<String>,
    /// How many ten thousandths of the points it has earned.
    earned: usize,
    /// Whether its replies depend on a card.
    looks_at_cards: bool,
}

impl EqualDealScore {
    /// The chips as an item worth these points.
    pub(super) fn item(&self, points: Points) -> Item {
        let scale = format!(
            "{ALL_POINTS_CHIPS_PER_ROUND:+.0} chips a round for all points; {NO_POINTS_CHIPS_PER_ROUND:+.0} earn none"
        );
        let item = Item {
            expected: Some(scale),
            got: self.fouls.clone(),
            ..Item::new("equal-deals", self.title.clone(), points)
        };
        item.partial(points.share(self.earned, FULL_SCORE_UNITS), self.unseen.clone())
    }

    /// The item with its share of the points: a player that looks at no card meets a situation by luck.
    pub(super) fn counted(&self, item: Item) -> Item {
        if self.looks_at_cards || item.points == Points::ZERO {
            return item;
        }
        let kept = (PART_WITHOUT_CARDS * FULL_SCORE_UNITS as f64) as usize;
        let points = item.points.share(kept, FULL_SCORE_UNITS);
        item.partial(
            points,
            "Met by luck: the program's replies on the first street do not depend on a card.",
        )
    }
}

/// The unit of [`EqualDealScore`].
const FULL_SCORE_UNITS: usize = 10_000;

/// The rounds of equal deals of a graded bot.
pub(super) const EQUAL_DEALS: u64 = 1_200;

/// Plays this many rounds of equal deals, so that the same replies have the same points.
pub(super) fn plays_well<P: JudgedPlayer>(
    player: &mut P,
    rounds: u64,
    seed: &Seed,
) -> Result<EqualDealScore, PlayerGivenUp> {
    let plan = plan(rounds, seed.clone());
    let mut player = Some(PlayerInDeals {
        player,
        replies_by_hole: [[0; 3]; 2],
        replies_by_up_card: [[0; 3]; 2],
        fouls: 0,
        last_foul: None,
    });
    let mut players = [BotPlayers::new(&plan, |_| player.take().expect("one player is no house bot"))];
    let mut played = PlayedPart::open_ended(&plan);
    let blocks = plan.blocks();
    let watch = |played: &PlayedPart| match played.tally().blocks() >= blocks {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let terms = PartTerms { watch: Box::new(watch), ..PartTerms::default() };
    play_on(&plan, &mut players, &mut played, terms).map_err(Into::into)?;
    let report = RatingReport::new(&plan, &played, None);
    let verdict = report.standings.iter().find(|verdict| verdict.name == PLAYER);
    let chips = verdict.expect("the player is one of the bots").chips_per_round;
    let [players] = players;
    let player = players.into_own().next().expect("one player is no house bot");
    Ok(strength(&report, &chips, &player))
}

fn plan(rounds: u64, seed: Seed) -> RatingPlan {
    let field =
        OPPONENTS.iter().filter_map(|name| HouseBot::named(name)).map(|bot| RatedBot::house(bot.name, bot));
    let bots: Vec<RatedBot> = field.chain([RatedBot::in_process(PLAYER)]).collect();
    let seats = bots.len();
    // Everyone plays every round, so that rounds are blocks times seats; a block at least.
    let rounds = rounds.max(seats as u64);
    RatingPlan::new(bots, PlanTerms { seats, stack: STACK, seed, rounds, ..PlanTerms::default() })
        .expect("a table of the field and a player can be played")
}

fn strength<P>(report: &RatingReport, chips: &Estimate, player: &PlayerInDeals<'_, P>) -> EqualDealScore {
    let interval = match chips.interval() {
        Some((low, high)) => format!("between {low:+.2} and {high:+.2} with 95 % certainty"),
        None => "too few deals decided to say how certain that is".to_string(),
    };
    let title = format!(
        "{} {:.2} chips a round in {} rounds of equal deals against {} ({interval})",
        if chips.value < 0.0 { "Loses" } else { "Wins" },
        chips.value.abs(),
        report.rounds_each,
        OPPONENTS.join(", ")
    );
    let fouls = player.last_foul.as_ref().map(|foul| {
        let times = if player.fouls == 1 { "once".to_string() } else { format!("{} times", player.fouls) };
        format!("a rule broken {times}, which cost the program the round. The last time it {foul}")
    });
    let [by_hole, by_up_card] = [player.replies_by_hole, player.replies_by_up_card]
        .map(|counts| chi_square(&counts) >= MIN_CHI_SQUARE);
    let (part, unseen) = match (by_hole, by_up_card) {
        (true, _) => (1.0, None),
        (false, true) => (PART_BY_UP_CARD, Some("its hole card")),
        (false, false) => (PART_WITHOUT_CARDS, Some("a card")),
    };
    let unseen = unseen.map(|card| {
        let percent = 100.0 * part;
        format!("The program's replies on the first street do not depend on {card}, which leaves {percent:.0} % of the points.")
    });
    // In chips a foul costs no more than a fold, so each round with a foul also takes its share of the points.
    let kept = 1.0 - f64::from(player.fouls) / report.rounds_each as f64;
    let part = part * kept.max(0.0);
    let share = ((chips.value - NO_POINTS_CHIPS_PER_ROUND)
        / (ALL_POINTS_CHIPS_PER_ROUND - NO_POINTS_CHIPS_PER_ROUND))
        .clamp(0.0, 1.0);
    EqualDealScore {
        title,
        unseen: unseen.unwrap_or_default(),
        fouls,
        earned: (part * share * FULL_SCORE_UNITS as f64).round() as usize,
        looks_at_cards: by_hole || by_up_card,
    }
}

/// The statistic of independence of two rows of counts.
fn chi_square(counts: &[[u32; 3]; 2]) -> f64 {
    let rows = counts.map(|row| f64::from(row.iter().sum::<u32>()));
    let all = rows[0] + rows[1];
    let cells = (0..2).flat_map(|row| (0..3).map(move |column| (row, column)));
    let part = |(row, column): (usize, usize)| {
        let expected = rows[row] * f64::from(counts[0][column] + counts[1][column]) / all;
        if expected > 0.0 { (f64::from(counts[row][column]) - expected).powi(2) / expected } else { 0.0 }
    };
    cells.map(part).sum()
}

/// Whether a hole card is worth chips by itself or with the card face up, which the others do not see.
fn has_good_hole(question: &Question<'_>) -> bool {
    let (hole, rank) = (question.hole, question.hole.rank());
    let is_high_spade = hole.suit() == Suit::Spades && rank >= Rank::Jack;
    is_high_spade || rank >= Rank::King || question.up.iter().any(|card| card.rank() == rank)
}

/// Whether the card face up is a high one.
fn has_good_up_card(question: &Question<'_>) -> bool {
    question.up.iter().any(|card| card.rank() >= Rank::Queen)
}

/// The player, whose replies and fouls are counted.
struct PlayerInDeals<'a, P> {
    player: &'a mut P,
    /// Folds, calls and raises on the first street, without and with a good hole card.
    replies_by_hole: [[u32; 3]; 2],
    /// The same without and with a good card face up.
    replies_by_up_card: [[u32; 3]; 2],
    fouls: u32,
    last_foul: Option<Foul>,
}

impl<P: AwaitedPlayer> AwaitedPlayer for PlayerInDeals<'_, P> {
    type Stop = P::Stop;

    fn answer(&mut self, question: &Question<'_>) -> Result<Answer, P::Stop> {
        let answer = self.player.answer(question)?;
        if let (Ok(reply), Street::First) = (&answer, question.street) {
            let kind = match reply {
                Reply::Fold => 0,
                Reply::Bet(chips) => 1 + usize::from(*chips > question.bounds.to_call),
            };
            self.replies_by_hole[usize::from(has_good_hole(question))][kind] += 1;
            self.replies_by_up_card[usize::from(has_good_up_card(question))][kind] += 1;
        }
        Ok(answer)
    }

    fn hear(&mut self, status: &Status) -> Result<(), Fault> {
        self.player.hear(status)
    }

    fn fouled(&mut self, foul: &Foul) -> Result<(), P::Stop> {
        self.fouls += 1;
        self.last_foul = Some(foul.clone());
        self.player.fouled(foul)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Outcome;
    use casino_stud::cards::Card;
    use casino_stud::strategies::{Bot, HousePlayer};

    fn house(name: &str) -> HousePlayer {
        HouseBot::named(name).unwrap().player(Seed::chosen("x").stream(name))
    }

    fn decks() -> Seed {
        Seed::chosen("plays well")
    }

    /// A bot that knows the decks of one seed knows nothing of another's: its points are those of a bot without a book.
    #[test]
    fn every_seed_has_its_own_decks_and_the_same_scale() {
        let seen = |seed: &str| {
            let mut hands = std::collections::BTreeSet::new();
            let mut bot = |question: &Question<'_>| {
                let others: Vec<_> = question.others().collect();
                hands.insert(format!("{:?} {:?} {others:?}", question.hole, question.up));
                Reply::Bet(question.bounds.to_call)
            };
            plays_well(&mut bot, 600, &Seed::chosen(seed)).unwrap();
            hands
        };
        let (one, other) = (seen("one"), seen("other"));
        assert!(one == seen("one") && one.intersection(&other).count() * 100 < one.len());
        let points = ["one", "other"].map(|seed| {
            let mut bot = house("simple");
            plays_well(&mut bot, EQUAL_DEALS, &Seed::chosen(seed)).unwrap().item(Points::whole(45)).points
        });
        assert!(
            points[0].as_f64().max(points[1].as_f64()) - points[0].as_f64().min(points[1].as_f64()) < 6.0,
            "{points:?}"
        );
    }

    /// A bot that raises whatever it has, unless its book says that the hand loses.
    #[derive(Default)]
    struct BookBot {
        /// Whether each hand wins, by the cards that the player sees on the first street.
        book: std::collections::HashMap<Vec<Card>, bool>,
        hand: Vec<Card>,
        writes: bool,
    }

    impl Bot for BookBot {
        fn decide(&mut self, question: &Question<'_>) -> Reply {
            if question.street == Street::First {
                self.hand = [&[question.hole][..], question.up, question.board].concat();
            }
            let (to_call, most) = (question.bounds.to_call, question.bounds.most());
            match self.book.get(&self.hand) {
                _ if self.writes => Reply::Bet(to_call),
                Some(false) if to_call > 0 => Reply::Fold,
                Some(false) => Reply::Bet(0),
                Some(true) | None => Reply::Bet(most),
            }
        }

        fn hear(&mut self, status: &Status) {
            if self.writes {
                self.book.insert(std::mem::take(&mut self.hand), status.won);
            }
        }
    }

    /// The decks that another class drew, even if it was a year ago, are worth nothing for this one.
    #[test]
    fn a_book_of_one_seeds_decks_earns_with_that_seed_alone() {
        let mut bot = BookBot { writes: true, ..BookBot::default() };
        plays_well(&mut bot, EQUAL_DEALS, &Seed::chosen("last year")).unwrap();
        let book = std::mem::take(&mut bot.book);
        let earned = |book: &std::collections::HashMap<Vec<Card>, bool>, seed: &str| {
            let mut bot = BookBot { book: book.clone(), ..BookBot::default() };
            let score = plays_well(&mut bot, EQUAL_DEALS, &Seed::chosen(seed)).unwrap();
            score.item(Points::whole(45)).points
        };
        let without = std::collections::HashMap::new();
        for (book, seed, least, most) in [
            (&without, "last year", 0.0, 0.0),
            (&book, "last year", 45.0, 45.0),
            (&book, "this year", 0.0, 0.0),
            (&without, "this year", 0.0, 0.0),
        ] {
            let points = earned(book, seed).as_f64();
            assert!(least <= points && points <= most, "{seed} with {} hands: {points}", book.len());
        }
    }

    fn graded(name: &str) -> Item {
        plays_well(&mut house(name), 600, &decks()).unwrap().item(Points::whole(30))
    }

    fn points(name: &str) -> Points {
        graded(name).points
    }

    #[test]
    fn always_folding_earns_little() {
        let item = graded("folder");
        assert_eq!((item.points, item.outcome), (Points::hundredths(337), Outcome::Partial));
        assert!(item.title.starts_with("Loses 1.00 chips a round in 600 rounds"), "{}", item.title);
        assert!(item.reason.contains("depend on a card"), "{}", item.reason);
    }

    #[test]
    fn a_bot_that_looks_at_its_up_card_only_is_between() {
        let mut by_up_card = |question: &Question<'_>| {
            let is_good = question.up.iter().any(|card| card.rank() >= Rank::Jack);
            if is_good || question.bounds.to_call == 0 {
                Reply::Bet(question.bounds.to_call)
            } else {
                Reply::Fold
            }
        };
        let item = plays_well(&mut by_up_card, 600, &decks()).unwrap().item(Points::whole(30));
        assert!(item.reason.contains("depend on its hole card"), "{}", item.reason);
        assert!(item.points > points("folder") && item.points < points("simple"), "{}", item.points);
    }

    #[test]
    fn a_foul_costs_the_round_and_is_reported() {
        let mut bot = |question: &Question<'_>| Reply::Bet(question.bounds.to_call + 11);
        let item = plays_well(&mut bot, 120, &decks()).unwrap().item(Points::whole(30));
        assert_eq!(item.points, Points::ZERO);
        assert!(item.got.as_ref().is_some_and(|got| got.contains("broken 120 times")), "{:?}", item.got);
    }
}
