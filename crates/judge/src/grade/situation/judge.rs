//! Plays a situation as often as necessary and reports the bot's decision and why it matters.

use crate::grade::{Item, Points};
use casino_stud::table::{Foul, Reply};

use super::expect::{BehaviorTest, Expectation};
use super::file::{RubricSituation, Side};
use super::play::{BotMove, SituationRound, tally};
use super::player::{JudgedPlayer, PlayerGivenUp};
use super::sequential::Sequential;

/// Rounds where only legal replies are expected: fouls in 37 % of rounds are found with 99 % probability.
pub(crate) const LEGAL_RUNS: usize = 10;

/// The runs of each table after which a bot that always does the same is decided.
const CONSTANT_RUNS: usize = 12;

/// The runs of each table in which the choices of any other bot are counted.
const REACTION_RUNS: usize = 40;

/// The differing runs that show a reaction. Without one so many differ in less than 0.1 % of all gradings, whatever
/// the bot leaves to chance.
const REACTION_DIFFERENCES: usize = 18;

/// Consecutive rounds without the decision after which it is given up: reached in a third, once in a hundred.
const MAX_MISSED_RUNS: usize = 12;

/// The result of a situation. The item has everything but the points, which depend on the other decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JudgedSituation {
    pub(crate) item: Item,
    pub(crate) ruling: Ruling,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// The bot decided, and met `met` of `of` expectations.
    Decided { met: usize, of: usize },
    /// The bot committed a foul.
    Fouled(Foul),
    /// The bot's earlier actions prevented the decision.
    NotReached,
}

pub(crate) fn judge<P: JudgedPlayer>(
    situation: &RubricSituation,
    bot: &mut P,
) -> Result<JudgedSituation, PlayerGivenUp> {
    let item = Item::new(&situation.id, &situation.title, Points::ZERO);
    let mut runs = Runs { situation, bot, here: Vec::new(), instead: Vec::new() };
    let mut wrong = Vec::new();
    for expected in &situation.expect {
        match runs.meets(*expected) {
            Ok(None) => {}
            Ok(Some(got)) => wrong.push((*expected, got)),
            Err(Stop::GaveUp(why)) => return Err(why),
            Err(Stop::Fouled(round, foul)) => return Ok(fouled(item, &round, foul)),
            Err(Stop::NotReached(round)) => return Ok(not_reached(item, &round)),
        }
    }
    let of = situation.expect.len();
    let ruling = Ruling::Decided { met: of - wrong.len(), of };
    if wrong.is_empty() {
        return Ok(JudgedSituation { item, ruling });
    }
    let (expected, got): (Vec<String>, Vec<String>) =
        wrong.into_iter().map(|(expected, got)| (expected.to_string(), got)).unzip();
    let item = Item {
        expected: Some(format!("the bot has to {}", expected.join(", and to "))),
        got: Some(got.join("; ")),
        context: runs.context(),
        reason: situation.reason.to_string(),
        ..item
    };
    Ok(JudgedSituation { item, ruling })
}

enum Stop {
    GaveUp(PlayerGivenUp),
    /// The bot committed a foul.
    Fouled(Box<SituationRound>, Foul),
    NotReached(Box<SituationRound>),
}

/// The rounds that reached the decision so far. Expectations share them: each is played once.
struct Runs<'a, P> {
    situation: &'a RubricSituation,
    bot: &'a mut P,
    here: Vec<SituationRound>,
    instead: Vec<SituationRound>,
}

impl<P: JudgedPlayer> Runs<'_, P> {
    fn round(&mut self, side: Side) -> Result<SituationRound, Stop> {
        let round = self.situation.play(side, self.bot).map_err(|stop| Stop::GaveUp(stop.into()))?;
        let round = round.expect("only comparisons look at another table");
        match round.foul.clone() {
            None => Ok(round),
            Some(foul) => Err(match self.bot.fouled(&foul) {
                Ok(()) => Stop::Fouled(Box::new(round), foul),
                Err(gave_up) => Stop::GaveUp(gave_up.into()),
            }),
        }
    }

    fn played(&self, side: Side) -> &[SituationRound] {
        match side {
            Side::Here => &self.here,
            Side::Instead => &self.instead,
        }
    }

    /// The bot's decision in a run of one of the tables. Only rounds that reach the decision count as runs.
    fn decision(&mut self, side: Side, run: usize) -> Result<BotMove, Stop> {
        let mut missed = 0;
        while self.played(side).len() <= run {
            let round = self.round(side)?;
            if round.choice() != BotMove::NotAsked {
                missed = 0;
                match side {
                    Side::Here => self.here.push(round),
                    Side::Instead => self.instead.push(round),
                }
                continue;
            }
            missed += 1;
            if missed == MAX_MISSED_RUNS {
                return Err(Stop::NotReached(Box::new(round)));
            }
        }
        Ok(self.played(side)[run].choice())
    }

    /// Tests one expectation. Returns `None` if the bot meets it, otherwise a description of its behavior.
    fn meets(&mut self, expected: Expectation) -> Result<Option<String>, Stop> {
        match expected {
            // Every reply of the round must be legal, so it does not matter whether it reaches the decision.
            Expectation::Legal => {
                for _ in 0..LEGAL_RUNS {
                    self.round(Side::Here)?;
                }
                Ok(None)
            }
            Expectation::Reacts => self.reacts(),
            _ if expected.compares() => self.compares(expected),
            _ => self.holds(expected),
        }
    }

    fn holds(&mut self, expected: Expectation) -> Result<Option<String>, Stop> {
        let mut test = Sequential::default();
        loop {
            let choice = self.decision(Side::Here, test.runs() as usize)?;
            test.add(expected.holds(choice));
            match test.verdict() {
                None => {}
                Some(true) => return Ok(None),
                Some(false) => return Ok(Some(self.tally_of(Side::Here, test.runs() as usize))),
            }
        }
    }

    fn compares(&mut self, expected: Expectation) -> Result<Option<String>, Stop> {
        let mut test = Sequential::default();
        let mut stayed = false;
        let happens = loop {
            let run = test.runs() as usize;
            let here = self.decision(Side::Here, run)?;
            let instead = self.decision(Side::Instead, run)?;
            stayed |= !here.folds() || !instead.folds();
            test.add(expected.pair(here, instead).0);
            if let Some(verdict) = test.verdict() {
                break verdict;
            }
        };
        let wanted = expected.pair(BotMove::Fold, BotMove::Fold).1 == BehaviorTest::Yes;
        let runs = test.runs() as usize;
        // Bets are compared, so there must be one.
        if !stayed && matches!(expected, Expectation::BetsMore | Expectation::BetsAtLeastAsMuch) {
            return Ok(Some(format!("{}, so there is no bet to compare", self.both(runs))));
        }
        Ok((happens != wanted).then(|| self.both(runs)))
    }

    fn reacts(&mut self) -> Result<Option<String>, Stop> {
        let (mut here, mut instead) = (Vec::new(), Vec::new());
        for run in 0..REACTION_RUNS {
            here.push(self.decision(Side::Here, run)?);
            instead.push(self.decision(Side::Instead, run)?);
            let same = |choices: &[BotMove]| choices.iter().all(|choice| *choice == choices[0]);
            if run + 1 == CONSTANT_RUNS && same(&here) && same(&instead) {
                return Ok((here[0] == instead[0]).then(|| self.both(CONSTANT_RUNS)));
            }
        }
        let reacts = differences(&here, &instead) >= REACTION_DIFFERENCES;
        Ok((!reacts).then(|| self.both(REACTION_RUNS)))
    }

    fn tally_of(&self, side: Side, runs: usize) -> String {
        tally(&self.played(side).iter().take(runs).map(SituationRound::choice).collect::<Vec<BotMove>>())
    }

    fn both(&self, runs: usize) -> String {
        format!(
            "{}, and in the other situation {}",
            self.tally_of(Side::Here, runs),
            self.tally_of(Side::Instead, runs)
        )
    }

    /// The questions, so that a student can try them again.
    fn context(&self) -> Vec<String> {
        let question = |rounds: &[SituationRound]| {
            rounds
                .first()
                .and_then(SituationRound::question)
                .map_or_else(String::new, |asked| asked.text.clone())
        };
        let mut lines = vec![format!("asked    {}", question(&self.here))];
        if let Some(title) = self.situation.instead() {
            lines.push(format!("the other situation: {title}"));
            lines.push(format!("asked    {}", question(&self.instead)));
        }
        lines
    }
}

/// How many choices of as many runs at two tables differ, whatever their order, by their kinds.
fn differences(here: &[BotMove], instead: &[BotMove]) -> usize {
    let count = |choices: &[BotMove], kind| choices.iter().filter(|choice| choice.kind() == kind).count();
    (0..6).map(|kind| count(here, kind).saturating_sub(count(instead, kind))).sum()
}

fn fouled(item: Item, round: &SituationRound, foul: Foul) -> JudgedSituation {
    let context = round.asked.iter().map(|asked| match &asked.answer {
        Ok(reply) => format!("{}  ->  {reply}", asked.text),
        Err(_) => format!("{}  ->  no reply that counts", asked.text),
    });
    let reason = format!("A reply has to be legal. The program {foul}");
    JudgedSituation {
        item: Item { context: context.collect(), reason, ..item },
        ruling: Ruling::Fouled(foul),
    }
}

fn not_reached(item: Item, round: &SituationRound) -> JudgedSituation {
    let context = round.asked.iter().map(|asked| match &asked.answer {
        Ok(reply) => format!("{}  ->  {reply}", asked.text),
        Err(_) => asked.text.clone(),
    });
    let folded = round.asked.iter().any(|asked| asked.answer == Ok(Reply::Fold));
    let reason = match folded {
        true => "Not reached: the bot folded before it came to this decision.",
        false => "Not reached: earlier bets kept the round from this decision.",
    };
    let item = Item { context: context.collect(), reason: reason.to_string(), ..item };
    JudgedSituation { item, ruling: Ruling::NotReached }
}

#[cfg(test)]
mod tests {
    use super::*;
    use casino_stud::cards::Seed;
    use casino_stud::strategies::HouseBot;
    use casino_stud::stud::Chips;
    use casino_stud::table::Question;

    /// A pair in the bot's hand, and an alternative hand.
    fn situation(expect: &str) -> RubricSituation {
        let instead = match expect.contains("bets ") || expect.contains("folds") || expect.contains("reacts")
        {
            true => r#""instead": {"title": "no pair", "seats": [{"name": "You", "cards": "KH 2D 5C"}]},"#,
            false => "",
        };
        let text = format!(
            r#"{{"title": "A pair", "reason": "A pair is good.",
                "seats": [{{"name": "You", "plays": "bot", "cards": "KH KD 5C"}},
                          {{"name": "Ann", "cards": "4H AD 9C", "bet2": "raise 5"}}], {instead}
                "decision": {{"at": "bet2", "facing": 5}}, "expect": {{"bot": {expect}}}}}"#
        );
        RubricSituation::read("a-pair", &text).unwrap()
    }

    fn judged(expect: &str, bot: impl FnMut(&Question<'_>) -> Reply + Send) -> JudgedSituation {
        judge(&situation(expect), &mut { bot }).unwrap()
    }

    fn passes(judged: &JudgedSituation) -> bool {
        matches!(judged.ruling, Ruling::Decided { met, of } if met == of)
    }

    fn call(question: &Question<'_>) -> Reply {
        Reply::Bet(question.bounds.to_call)
    }

    fn with_pair(question: &Question<'_>) -> bool {
        let ranks = question.up.iter().chain([&question.hole]).map(|card| card.rank());
        let mut ranks: Vec<_> = ranks.collect();
        ranks.sort();
        ranks.windows(2).any(|pair| pair[0] == pair[1])
    }

    #[test]
    fn single_expectations() {
        let raise = |question: &Question<'_>| Reply::Bet(question.bounds.to_call + 3);
        let fold = |question: &Question<'_>| match question.up.len() {
            1 => call(question),
            _ => Reply::Fold,
        };
        for (expect, caller, raiser, folder) in [
            ("\"legal\"", true, true, true),
            ("\"must not fold\"", true, true, false),
            ("\"must fold\"", false, false, true),
            ("\"must not raise\"", true, false, true),
            ("\"must raise\"", false, true, false),
            ("{\"bets\": [5, 7]}", true, false, false),
            ("{\"bets\": [6, 8]}", false, true, false),
            ("\"bets at least as much\"", true, true, false),
            ("\"bets more\"", false, false, false),
            ("\"folds no less\"", true, true, true),
            ("\"folds more\"", false, false, false),
            ("\"reacts\"", false, false, false),
        ] {
            assert_eq!(passes(&judged(expect, call)), caller, "caller: {expect}");
            assert_eq!(passes(&judged(expect, raise)), raiser, "raiser: {expect}");
            assert_eq!(passes(&judged(expect, fold)), folder, "folder: {expect}");
        }
    }

    #[test]
    fn comparisons_describe_the_difference() {
        let sensible = |question: &Question<'_>| match (with_pair(question), question.bounds.to_call) {
            (true, to_call) => Reply::Bet(to_call + 10),
            (false, 0) => Reply::Bet(0),
            (false, _) => Reply::Fold,
        };
        let upside_down = |question: &Question<'_>| match (with_pair(question), question.bounds.to_call) {
            (false, to_call) => Reply::Bet(to_call + 1),
            (true, to_call) => Reply::Bet(to_call),
        };
        for (expect, right, wrong) in [
            ("\"bets more\"", true, false),
            ("\"bets at least as much\"", true, false),
            ("\"reacts\"", true, true),
        ] {
            assert_eq!(passes(&judged(expect, sensible)), right, "{expect}");
            assert_eq!(passes(&judged(expect, upside_down)), wrong, "{expect}");
        }
    }

    #[test]
    fn mixed_strategies_are_judged_by_their_majority() {
        let mut dice = Seed::chosen("mix").stream("test");
        let mixes = |one_in: u64| {
            let mut dice = dice.clone();
            dice.seek(one_in);
            judged("\"must not fold\"", move |question: &Question<'_>| {
                let bluff = question.up.len() == 2 && dice.one_in(one_in as u32);
                if bluff { Reply::Fold } else { call(question) }
            })
        };
        assert!(passes(&mixes(12)));
        assert!(!passes(&mixes(2)));
        let random = HouseBot::named("random").unwrap();
        let mut roll = || random.player(Seed::chosen(dice.below(u32::MAX).to_string()).stream("r"));
        for _ in 0..5 {
            let mut player = roll();
            let reacts = judge(&situation("\"reacts\""), &mut player).unwrap();
            assert!(!passes(&reacts), "chance is no reaction");
        }
    }

    #[test]
    fn differing_choices_are_counted_by_kind_and_not_by_order() {
        let [fold, call] = [BotMove::Fold, BotMove::Bet { chips: 5, to_call: 5 }];
        let raise = |raise: Chips| BotMove::Bet { chips: 5 + raise, to_call: 5 };
        for (here, instead, expected) in [
            ([fold, call, call], [call, call, fold], 0),
            ([fold, fold, call], [call, call, fold], 1),
            ([call, call, call], [fold, raise(1), raise(10)], 3),
            ([raise(1), raise(3), call], [raise(2), raise(4), call], 1),
        ] {
            assert_eq!(differences(&here, &instead), expected, "{here:?} {instead:?}");
        }
    }

    #[test]
    fn partly_met_expectations_earn_a_part_of_the_points() {
        let JudgedSituation { item, ruling } = judged("[\"must not fold\", \"must raise\"]", call);
        assert_eq!(ruling, Ruling::Decided { met: 1, of: 2 });
        assert_eq!(item.reason, "A pair is good.");
        assert_eq!(item.expected.as_deref(), Some("the bot has to raise"));
        assert_eq!(item.got.as_deref(), Some("bet:5 in all of 8 runs"));
        assert_eq!(item.context, ["asked    bet2:499:7:5:KH:KD:5C:up:KD:5C:AD:9C"]);
    }

    #[test]
    fn a_foul_costs_all_of_it() {
        let JudgedSituation { item, ruling } =
            judged("\"must not fold\"", |_: &Question<'_>| Reply::Bet(400));
        assert!(matches!(ruling, Ruling::Fouled(Foul::Illegal { chips: 400, .. })), "{ruling:?}");
        assert!(item.reason.contains("\"bet:400\", more than 10 over the 0 to call"), "{}", item.reason);
        assert!(item.context[0].ends_with("->  bet:400"), "{:?}", item.context);
    }

    #[test]
    fn an_early_fold_misses_the_decision() {
        for expect in ["\"must not fold\"", "\"must fold\"", "\"bets more\"", "\"reacts\""] {
            let JudgedSituation { item, ruling } = judged(expect, |_: &Question<'_>| Reply::Fold);
            assert_eq!(ruling, Ruling::NotReached, "{expect}");
            assert!(item.reason.contains("folded before"), "{}", item.reason);
            assert!(item.context[0].ends_with("->  fold"), "{:?}", item.context);
        }
        // It reaches the decision in every second round: those rounds count.
        let mut round = 0;
        let mixes = judged("\"must not fold\"", |question: &Question<'_>| {
            round += u32::from(question.up.len() == 1);
            if question.up.len() == 1 && round % 2 == 0 { Reply::Fold } else { call(question) }
        });
        assert!(passes(&mixes), "{mixes:?}");
    }
}
