//! How long a player stays in games before a foul ejects it: its play earns that share. Games are freeze-outs with
//! small stacks against the field of [`super::plays_well`]; a busted player sits down at the next table.

use super::plays_well::OPPONENTS;
use super::report::{Item, Outcome, Points};
use crate::scenario::house_games::{HouseGameTerms, HouseGames};
use casino_stud::cards::Seed;
use casino_stud::strategies::AwaitedPlayer;
use casino_stud::table::Foul;

/// Mean number of rounds before a foul that keeps all earned points.
pub(super) const FULL_POINTS_ROUNDS_PER_FOUL: usize = 100;

/// The rounds of a player without a foul.
const ROUNDS: usize = 300;

/// The rounds of a player with a foul: its share of the points is a mean of a few waiting times, which needs more of them.
const ROUNDS_AFTER_FOUL: usize = 1_000;

/// The ejections within [`ROUNDS`] after which more rounds would not help: the points are few anyhow.
const MAX_EJECTIONS: usize = 10;

const GAMES: HouseGameTerms =
    HouseGameTerms { bots: &OPPONENTS, stack: 100, rounds: FULL_POINTS_ROUNDS_PER_FOUL as u64 };

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Survival {
    rounds: usize,
    outs: usize,
    last_foul: Option<Foul>,
}

impl Survival {
    /// The last foul that ejected the player.
    pub(super) fn last_foul(&self) -> Option<&Foul> {
        self.last_foul.as_ref()
    }

    /// The share of the points: the mean number of rounds before a foul, of [`FULL_POINTS_ROUNDS_PER_FOUL`].
    pub(super) fn share(&self) -> (usize, usize) {
        let of = FULL_POINTS_ROUNDS_PER_FOUL * self.outs.max(1);
        if self.outs == 0 { (of, of) } else { (self.rounds.min(of), of) }
    }

    /// The item with its share of the points. `known` is the reason of the same fault in a situation, which is then the reason of
    /// what it costs here, too.
    pub(super) fn counted(&self, item: Item, known: Option<&String>) -> Item {
        let is_tried = item.max_points > Points::ZERO && item.outcome != Outcome::NotRun;
        let is_short = is_tried && self.share().0 < self.share().1;
        let Some(foul) = self.last_foul.as_ref().filter(|_| is_short) else { return item };
        let (parts, of) = self.share();
        let points = item.points.share(parts, of);
        let why = format!(
            "A foul ejects the program after {:.1} rounds on average, so the points for its play count {} of \
             {FULL_POINTS_ROUNDS_PER_FOUL}. The last time it {foul}",
            self.rounds as f64 / self.outs as f64,
            parts * FULL_POINTS_ROUNDS_PER_FOUL / of,
        );
        let (reason, got) = match known {
            Some(known) if item.reason.is_empty() || item.reason == *known => (known.clone(), Some(why)),
            _ => (format!("{} {why}", item.reason).trim_start().to_string(), item.got.clone()),
        };
        Item { got, ..item }.partial(points, reason)
    }
}

/// Plays games with the player until it is known how long it stays in them.
pub(super) fn stays(player: &mut impl AwaitedPlayer, seed: &Seed) -> Survival {
    let mut staying = Survival::default();
    let mut games = HouseGames::new(GAMES, |number| Seed::chosen(format!("stays {number} {}", seed.text())));
    while staying.rounds < ROUNDS || staying.outs > 0 && staying.rounds < ROUNDS_AFTER_FOUL {
        staying.rounds += 1;
        // A player that cannot play on needs no more games: the rounds so far show how long it stays.
        let Ok(foul) = games.play_round(player) else { break };
        if let Some(foul) = foul {
            staying.outs += 1;
            let goes_on = player.fouled(&foul).is_ok();
            staying.last_foul = Some(foul);
            if !goes_on || staying.rounds <= ROUNDS && staying.outs == MAX_EJECTIONS {
                break;
            }
        }
    }
    staying
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::{Outcome, Points};
    use casino_stud::strategies::{Bot, HouseBot};
    use casino_stud::table::{Question, Reply};

    fn staying(bot: impl FnMut(&Question<'_>) -> Reply + Send) -> Survival {
        stays(&mut { bot }, &Seed::chosen("x"))
    }

    fn full() -> Item {
        Item::new("i", "an item", Points::whole(10)).passed()
    }

    #[test]
    fn bad_play_without_fouls_stays_in() {
        for name in ["folder", "caller", "raiser", "random", "odds"] {
            let bot = HouseBot::named(name).unwrap().player(Seed::chosen("x").stream(name));
            let staying = stays(&mut { bot }, &Seed::chosen("x"));
            assert_eq!((staying.rounds, staying.outs), (ROUNDS, 0), "{name}");
            assert_eq!(staying.counted(full(), None), full());
        }
    }

    #[test]
    fn an_exit_within_ten_rounds_leaves_a_tenth_at_most() {
        let at_once = staying(|question: &Question<'_>| Reply::Bet(question.bounds.to_call + 11));
        assert_eq!((at_once.rounds, at_once.outs), (MAX_EJECTIONS, MAX_EJECTIONS));
        let item = at_once.counted(full(), None);
        assert_eq!((item.outcome, item.points), (Outcome::Partial, Points::hundredths(10)));
        assert!(item.reason.contains("after 1.0 rounds on average"), "{}", item.reason);
        assert_eq!(Survival { rounds: 100, outs: 10, ..at_once }.share(), (100, 1_000));
    }

    /// Three hundred rounds alone have 0 to 8 ejections of this bot, by luck.
    #[test]
    fn a_rare_foul_costs_about_the_same_with_any_decks() {
        for number in [0, 7, 15, 20] {
            let seed = Seed::chosen(format!("try {number}"));
            let mut odds = HouseBot::named("odds").unwrap().player(seed.stream("odds"));
            let mut bot = |question: &Question<'_>| match odds.decide(question) {
                Reply::Bet(chips) if chips == question.bounds.stack => Reply::Bet(chips + 1),
                reply => reply,
            };
            let (parts, of) = stays(&mut bot, &seed).share();
            assert!(parts * 4 >= of * 3, "{number}: {parts} of {of}");
        }
    }

    /// Such a bot bets chips that it does not have as soon as its stack is small.
    #[test]
    fn a_bot_that_ignores_its_stack_is_detected() {
        let forgets = staying(|question: &Question<'_>| Reply::Bet(question.bounds.to_call + 10));
        assert!(forgets.outs > 0, "{forgets:?}");
        let (parts, of) = forgets.share();
        assert!(parts < of, "{parts} of {of}");
    }
}
