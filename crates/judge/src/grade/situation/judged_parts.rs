//! Judges the situations of all parts of a rubric with one player, and shares out the points.

use crate::grade::plays_well::{EQUAL_DEALS, EqualDealScore, plays_well};
use crate::grade::rubric::divide;
use crate::grade::stays::{Survival, stays};
use crate::grade::stud::NoPlayer;
use crate::grade::{Item, Points};
use casino_stud::cards::Seed;
use casino_stud::table::{Fault, Foul};

use super::file::RubricSituation;
use super::judge::{JudgedSituation, Ruling, judge};
use super::player::JudgedPlayer;

/// Consecutive situations without a reply in time after which a part is given up.
const MAX_CONSECUTIVE_HANGS: usize = 3;

/// One player who is put into situations, part after part.
pub(in crate::grade) struct SituationJudge<'p, P> {
    player: Result<&'p mut P, NoPlayer>,
    /// The seed of the decks.
    seed: Seed,
    /// Whether the last part was given up, so that the program has to be restarted for the next.
    gave_up: bool,
    faults: Vec<SeenFault>,
    staying: Survival,
    /// Its winnings in this many rounds of equal deals, or why they are unknown, once played.
    strength: Option<Result<EqualDealScore, String>>,
}

/// A fault, with the reason of the first item that shows it. Every item of the fault has this reason.
struct SeenFault {
    kind: String,
    reason: String,
}

impl<'p, P: JudgedPlayer> SituationJudge<'p, P> {
    /// A judge of this player. With `Err`, no situation is tried and the reason is reported.
    pub(in crate::grade) fn new(player: Result<&'p mut P, NoPlayer>, seed: Seed) -> SituationJudge<'p, P> {
        SituationJudge {
            player,
            seed,
            gave_up: false,
            faults: Vec::new(),
            staying: Survival::default(),
            strength: None,
        }
    }

    /// A foul that the check has explained: every foul of its kind has this reason.
    pub(in crate::grade) fn know(&mut self, foul: &Foul, reason: &str) {
        self.faults.push(SeenFault { kind: kind_of(foul), reason: reason.to_string() });
    }

    /// Plays games with the player; its later earnings are scaled by how long it stays in them.
    pub(in crate::grade) fn measure_survival(&mut self) {
        if let (Ok(()), Ok(bot)) = (self.begin_part(), &mut self.player) {
            self.staying = stays(&mut **bot, &self.seed);
            // The last game may have ejected the program without a restart.
            self.gave_up = self.is_program() && self.staying.share().0 < self.staying.share().1;
        }
    }

    /// Judges the situations of a part. Each keeps its share of the points: mending a fault never costs a point. With
    /// `by_cards` those that are met without a look at a card in the equal deals played before earn less.
    pub(in crate::grade) fn part(
        &mut self,
        points: Points,
        situations: &[RubricSituation],
        by_cards: bool,
        mut tick: impl FnMut(),
    ) -> Vec<Item> {
        let mut stopped = self.begin_part().err();
        let (mut items, mut rulings, mut hangs) = (Vec::new(), Vec::new(), 0);
        for situation in situations {
            let judged = match (&stopped, &mut self.player) {
                (Some(why), _) => Err(why.clone()),
                (None, Err(NoPlayer(why))) => Err(why.clone()),
                (None, Ok(bot)) => judge(situation, &mut **bot).map_err(|gave_up| gave_up.to_string()),
            };
            tick();
            match judged {
                Ok(JudgedSituation { item, ruling }) => {
                    let is_late =
                        matches!(ruling, Ruling::Fouled(Foul::Fault { fault: Fault::Late { .. }, .. }));
                    hangs = if is_late { hangs + 1 } else { 0 };
                    if hangs == MAX_CONSECUTIVE_HANGS && self.is_program() {
                        stopped = Some(format!(
                            "The program gave no reply in time in {MAX_CONSECUTIVE_HANGS} situations one after the other, so it was \
                             given up for this part."
                        ));
                        self.gave_up = true;
                    }
                    let (item, met) = self.note(item, ruling);
                    items.push(item);
                    rulings.push(met);
                }
                Err(why) => {
                    self.gave_up |= self.player.is_ok();
                    items.push(Item::new(&situation.id, &situation.title, Points::ZERO).not_run(&why));
                    rulings.push(None);
                    stopped = Some(why);
                }
            }
        }
        let weights: Vec<u64> = situations.iter().map(|situation| u64::from(situation.weight)).collect();
        let worth = divide(points, &weights);
        let given = items.into_iter().zip(rulings).zip(worth);
        let known = self.known_reason();
        let strength =
            self.strength.as_ref().filter(|_| by_cards).and_then(|strength| strength.as_ref().ok());
        let given = given.map(|((item, met), max)| give(item, met, max));
        let seen = given.map(|item| strength.map_or(item.clone(), |strength| strength.counted(item)));
        seen.map(|item| self.staying.counted(item, known)).collect()
    }

    /// The item for the player's winnings in equal deals, which are played once: see [`plays_well`].
    pub(in crate::grade) fn equal_deals(&mut self, points: Points) -> Item {
        let strength = self.strength.take().unwrap_or_else(|| self.play_equal_deals());
        let item = match &strength {
            Ok(strength) => self.staying.counted(strength.item(points), self.known_reason()),
            Err(why) => Item::new("equal-deals", "Wins chips in equal deals", points).not_run(why.clone()),
        };
        self.strength = Some(strength);
        item
    }

    fn play_equal_deals(&mut self) -> Result<EqualDealScore, String> {
        self.begin_part()?;
        let bot = self.player.as_mut().map_err(|why| why.to_string())?;
        plays_well(&mut **bot, EQUAL_DEALS, &self.seed).map_err(|why| {
            self.gave_up = true;
            why.to_string()
        })
    }

    /// The reason of a situation for the fault that ejects the player from games, if one shows it.
    fn known_reason(&self) -> Option<&String> {
        let kind = kind_of(self.staying.last_foul()?);
        self.faults.iter().find(|seen| seen.kind == kind).map(|seen| &seen.reason)
    }

    fn is_program(&self) -> bool {
        P::IS_PROGRAM && self.player.is_ok()
    }

    /// A new allowance of restarts, and a new start after a part that was given up.
    fn begin_part(&mut self) -> Result<(), String> {
        let Ok(bot) = &mut self.player else { return Ok(()) };
        bot.begin_part(std::mem::take(&mut self.gave_up)).map_err(|why| {
            self.gave_up = true;
            why.to_string()
        })
    }

    /// The item, and the number of expectations met; `None` if the bot did not reach its decision.
    fn note(&mut self, item: Item, ruling: Ruling) -> (Item, Option<(usize, usize)>) {
        match ruling {
            Ruling::Decided { met, of } => (item, Some((met, of))),
            Ruling::NotReached => {
                let why = item.reason.clone();
                (item.not_run(why), None)
            }
            Ruling::Fouled(foul) => {
                let kind = kind_of(&foul);
                let Some(seen) = self.faults.iter().find(|seen| seen.kind == kind) else {
                    self.faults.push(SeenFault { kind, reason: item.reason.clone() });
                    return (item, Some((0, 1)));
                };
                let got = Some(format!("The program {foul}"));
                (Item { reason: seen.reason.clone(), got, ..item }, Some((0, 1)))
            }
        }
    }
}

/// The kind of a foul, without its numbers: two fouls of one kind are the same fault of a program.
fn kind_of(foul: &Foul) -> String {
    match foul {
        Foul::Illegal { problem, .. } => problem.to_string(),
        Foul::Fault { .. } => foul.name().to_string(),
    }
}

fn give(item: Item, met: Option<(usize, usize)>, max: Points) -> Item {
    let item = Item { max_points: max, ..item };
    match met {
        None => item,
        Some((met, of)) if met == of => item.passed(),
        Some((met, of)) => {
            let reason = item.reason.clone();
            item.partial(max.share(met, of), reason)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Outcome;
    use casino_stud::table::{Question, Reply};

    fn situations() -> Vec<RubricSituation> {
        let one = |(id, at, weight): (&str, &str, u32)| {
            let text = format!(
                r#"{{"title": "The {id}", "reason": "It is so.", "weight": {weight},
                    "seats": [{{"name": "Ann", "cards": "4H AD 9C", "{at}": "raise 5"}},
                              {{"name": "You", "plays": "bot", "cards": "KH KD 5C"}}],
                    "decision": {{"at": "{at}", "facing": 5}}, "expect": {{"bot": "must not fold"}}}}"#
            );
            RubricSituation::read(id, &text).unwrap()
        };
        [("first", "bet1", 1), ("second", "bet2", 1), ("third", "bet1", 2), ("fourth", "bet2", 2)]
            .map(one)
            .into()
    }

    fn judged(bot: impl FnMut(&Question<'_>) -> Reply + Send) -> Vec<Item> {
        let mut bot = bot;
        let mut judge = SituationJudge::new(Ok(&mut bot), Seed::chosen("x"));
        let items = judge.part(Points::whole(6), &situations(), false, || {});
        let most: Points = items.iter().map(|item| item.max_points).sum();
        assert_eq!(most, Points::whole(6), "whatever is decided, the part is worth the same");
        items
    }

    fn points(items: &[Item]) -> Vec<(Outcome, Points, Points)> {
        items.iter().map(|item| (item.outcome, item.points, item.max_points)).collect()
    }

    #[test]
    fn an_unreached_situation_earns_nothing() {
        let free = |question: &Question<'_>| question.up.len() == 1 && question.bounds.to_call == 0;
        // It folds when checking is free, so it never sees the second street of "second" and "fourth".
        let items = judged(move |question: &Question<'_>| match free(question) {
            true => Reply::Fold,
            false => Reply::Bet(question.bounds.to_call),
        });
        let passed = |points: u32| (Outcome::Passed, Points::whole(points), Points::whole(points));
        let nothing = |points: u32| (Outcome::NotRun, Points::ZERO, Points::whole(points));
        assert_eq!(points(&items), [passed(1), nothing(1), passed(2), nothing(2)]);
        assert!(items[1].reason.contains("Not reached"), "{}", items[1].reason);
    }

    #[test]
    fn a_fault_costs_wherever_it_shows_and_has_one_reason() {
        let items = judged(|question: &Question<'_>| match question.bounds.to_call {
            5 => Reply::Bet(16),
            to_call => Reply::Bet(to_call),
        });
        let lost = |item: &Item| (item.outcome, item.points) == (Outcome::Failed, Points::ZERO);
        assert!(items.iter().all(lost), "{items:?}");
        assert!(items.iter().all(|item| item.reason == items[0].reason), "{items:?}");
        assert!(items[3].got.as_ref().is_some_and(|got| got.contains("16")), "{:?}", items[3].got);
    }

    #[test]
    fn different_faults_cost_each() {
        let mut number = 0;
        let items = judged(move |question: &Question<'_>| {
            if question.bounds.to_call != 5 {
                return Reply::Bet(question.bounds.to_call);
            }
            number += 1;
            Reply::Bet(if number % 2 == 1 { 16 } else { 4 })
        });
        let reasons: std::collections::BTreeSet<&String> = items.iter().map(|item| &item.reason).collect();
        assert_eq!(reasons.len(), 2, "{items:?}");
    }
}
