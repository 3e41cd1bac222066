//! Judges the situations of all parts of a rubric with one player, and shares out the points.

use crate::grade::plays_well::plays_well;
use crate::grade::rubric::divide;
use crate::grade::stud::NoPlayer;
use crate::grade::{Item, Part, Points};
use casino_stud::table::{Fault, Foul};

use super::file::RubricSituation;
use super::judge::{Judged, Ruling, judge};
use super::player::JudgedPlayer;

/// After so many situations one after the other in which no reply came in time, a part is given up: a program that hangs
/// has shown it.
const HANGS: usize = 3;

/// One player who is put into situations, part after part.
pub(in crate::grade) struct SituationJudge<'p, 'b> {
    player: Result<&'p mut JudgedPlayer<'b>, NoPlayer>,
    /// Whether the last part was given up, so that the program has to be started again for the next.
    gave_up: bool,
    faults: Vec<SeenFault>,
}

/// A fault of the program and where it showed. It costs the points of the first place and no others.
struct SeenFault {
    kind: String,
    /// The name of the situation where it showed first.
    first: String,
    title: String,
    /// The names of the situations where it showed again.
    again: Vec<String>,
}

impl<'p, 'b> SituationJudge<'p, 'b> {
    /// A judge of this player. Where there is none, `Err` says why, and no situation is tried.
    pub(in crate::grade) fn new(
        player: Result<&'p mut JudgedPlayer<'b>, NoPlayer>,
    ) -> SituationJudge<'p, 'b> {
        SituationJudge { player, gave_up: false, faults: Vec::new() }
    }

    /// Judges the situations of a part that is worth so many points, and calls `tick` after each of them. Restarts are
    /// counted for each part, so that what goes wrong in one leaves the others their chance.
    pub(in crate::grade) fn part(
        &mut self,
        points: Points,
        situations: &[RubricSituation],
        mut tick: impl FnMut(),
    ) -> Vec<Item> {
        let mut stopped = self.begin_part().err();
        let (mut items, mut rulings, mut hangs) = (Vec::new(), Vec::new(), 0);
        for situation in situations {
            let judged = match (&stopped, &mut self.player) {
                (Some(why), _) => Err(why.clone()),
                (None, Err(NoPlayer(why))) => Err(why.clone()),
                (None, Ok(bot)) => judge(situation, bot).map_err(|gave_up| gave_up.to_string()),
            };
            tick();
            match judged {
                Ok(Judged { item, ruling }) => {
                    let is_late =
                        matches!(ruling, Ruling::Fouled(Foul::Fault { fault: Fault::Late { .. }, .. }));
                    hangs = if is_late { hangs + 1 } else { 0 };
                    if hangs == HANGS && self.is_program() {
                        stopped = Some(format!(
                            "The program gave no reply in time in {HANGS} situations one after the other, so it was \
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
                    items.push(Item::new(situation.id(), situation.title(), Points::ZERO).not_run(&why));
                    rulings.push(None);
                    stopped = Some(why);
                }
            }
        }
        let weights: Vec<u32> = situations.iter().map(RubricSituation::weight).collect();
        share_out(points, &weights, &rulings, items)
    }

    /// Plays equal deals: see [`plays_well`].
    pub(in crate::grade) fn equal_deals(&mut self, points: Points, rounds: u64) -> Item {
        let begun = self.begin_part();
        let why = match (begun, &mut self.player) {
            (Err(why), _) => why,
            (Ok(()), Err(NoPlayer(why))) => why.clone(),
            (Ok(()), Ok(bot)) => match plays_well(bot, rounds, points) {
                Ok(item) => return item,
                Err(why) => {
                    self.gave_up = true;
                    why.to_string()
                }
            },
        };
        Item::new("equal-deals", "Wins chips in equal deals", points).not_run(why)
    }

    fn is_program(&self) -> bool {
        matches!(self.player, Ok(JudgedPlayer::Program(..)))
    }

    /// A new allowance of restarts, and a new start after a part that was given up.
    fn begin_part(&mut self) -> Result<(), String> {
        let Ok(bot) = &mut self.player else { return Ok(()) };
        bot.begin_part(std::mem::take(&mut self.gave_up)).map_err(|why| {
            self.gave_up = true;
            why.to_string()
        })
    }

    /// The item, and how many of the expectations were met; `None` if nothing was decided that counts.
    fn note(&mut self, item: Item, ruling: Ruling) -> (Item, Option<(usize, usize)>) {
        match ruling {
            Ruling::Decided { met, of } => (item, Some((met, of))),
            Ruling::NotReached => {
                let why = item.reason.clone();
                (item.not_run(why), None)
            }
            Ruling::Fouled(foul) => {
                let kind = kind_of(&foul);
                let Some(seen) = self.faults.iter_mut().find(|seen| seen.kind == kind) else {
                    let (first, title) = (item.id.clone(), item.title.clone());
                    self.faults.push(SeenFault { kind, first, title, again: Vec::new() });
                    return (item, Some((0, 1)));
                };
                seen.again.push(item.id.clone());
                let why = format!(
                    "The fault of \"{}\" again ({kind}), which costs points once. Here the program {foul}",
                    seen.title
                );
                (item.not_run(why), None)
            }
        }
    }

    /// Writes beside each fault where else it showed. Call it when all parts have been judged.
    pub(in crate::grade) fn name_places(&self, parts: &mut [Part]) {
        for seen in self.faults.iter().filter(|seen| !seen.again.is_empty()) {
            let mut items = parts.iter_mut().flat_map(|part| &mut part.items);
            if let Some(item) = items.find(|item| item.id == seen.first) {
                let places = seen.again.join(", ");
                item.reason =
                    format!("{} The same showed in: {places}. It costs points here only.", item.reason);
            }
        }
    }
}

/// What makes two fouls the same fault of a program: not the numbers in them.
fn kind_of(foul: &Foul) -> String {
    match foul {
        Foul::Illegal { problem, .. } => problem.to_string(),
        Foul::Fault { .. } => foul.name().to_string(),
    }
}

/// Gives the items their points. What was not decided has no share in the points of the part, as long as half of its
/// weight was decided; with less, the rest of that half is lost, so that nobody gets a part for hardly playing it.
fn share_out(
    points: Points,
    weights: &[u32],
    rulings: &[Option<(usize, usize)>],
    items: Vec<Item>,
) -> Vec<Item> {
    let sum = |decided: bool| -> u64 {
        let counted = weights.iter().zip(rulings).filter(|(_, ruling)| ruling.is_some() == decided);
        counted.map(|(weight, _)| u64::from(*weight)).sum()
    };
    let (decided, open) = (sum(true), sum(false));
    let share = |(weight, ruling): (&u32, &Option<(usize, usize)>)| match (ruling, open > decided) {
        (Some(_), false) => u64::from(*weight),
        (None, false) => 0,
        (Some(_), true) => u64::from(*weight) * 2 * open,
        (None, true) => u64::from(*weight) * (open - decided),
    };
    let shares: Vec<u64> = weights.iter().zip(rulings).map(share).collect();
    let worth = divide(points, &shares);
    let give = |item: Item, ruling: &Option<(usize, usize)>, max: Points| {
        let item = Item { max_points: max, ..item };
        match ruling {
            None => item,
            Some((met, of)) if met == of => item.passed(),
            Some((met, of)) => {
                let reason = item.reason.clone();
                item.partial(max.share(*met, *of), reason)
            }
        }
    };
    items.into_iter().zip(rulings).zip(worth).map(|((item, ruling), max)| give(item, ruling, max)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::Outcome;
    use casino_stud::stud::IllegalBet;
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
        let mut bot = JudgedPlayer::in_process(bot);
        let mut judge = SituationJudge::new(Ok(&mut bot));
        let items = judge.part(Points::whole(6), &situations(), || {});
        let mut parts = [Part { title: "all".to_string(), items }];
        judge.name_places(&mut parts);
        let [part] = parts;
        let most: Points = part.items.iter().map(|item| item.max_points).sum();
        assert_eq!(most, Points::whole(6), "whatever is decided, the part is worth the same");
        part.items
    }

    fn points(items: &[Item]) -> Vec<(Outcome, Points, Points)> {
        items.iter().map(|item| (item.outcome, item.points, item.max_points)).collect()
    }

    const NOTHING: (Outcome, Points, Points) = (Outcome::NotRun, Points::ZERO, Points::ZERO);

    #[test]
    fn what_is_not_reached_leaves_its_points_to_what_was_decided() {
        let free = |question: &Question<'_>| question.up.len() == 1 && question.bounds.to_call == 0;
        // It folds what is free, so it never sees the second street of "second" and "fourth".
        let items = judged(move |question: &Question<'_>| match free(question) {
            true => Reply::Fold,
            false => Reply::Bet(question.bounds.to_call),
        });
        let passed = |points: u32| (Outcome::Passed, Points::whole(points), Points::whole(points));
        assert_eq!(points(&items), [passed(2), NOTHING, passed(4), NOTHING]);
        assert!(items[1].reason.contains("Not reached"), "{}", items[1].reason);
    }

    #[test]
    fn who_hardly_ever_decides_does_not_get_the_whole_part() {
        let rulings = [Some((1, 1)), None, None, None];
        let items = (0..4).map(|number| Item::new(number.to_string(), "x", Points::ZERO)).collect();
        let items = share_out(Points::whole(8), &[1, 1, 1, 1], &rulings, items);
        assert_eq!(items.iter().map(|item| item.points).sum::<Points>(), Points::whole(4));
        assert_eq!(items.iter().map(|item| item.max_points).sum::<Points>(), Points::hundredths(800));
        let none = share_out(Points::whole(8), &[1, 3], &[None, None], items[..2].to_vec());
        assert_eq!(none[1].max_points, Points::whole(6));
    }

    #[test]
    fn a_fault_costs_once_and_its_places_are_named() {
        let items = judged(|question: &Question<'_>| match question.bounds.to_call {
            5 => Reply::Bet(16),
            to_call => Reply::Bet(to_call),
        });
        assert!(items[1..].iter().all(|item| item.outcome == Outcome::NotRun), "{items:?}");
        assert_eq!((items[0].outcome, items[0].points), (Outcome::Failed, Points::ZERO));
        let reason = &items[0].reason;
        assert!(
            reason.ends_with("The same showed in: second, third, fourth. It costs points here only."),
            "{reason}"
        );
        assert!(items[3].reason.contains("The fault of \"The first\" again"), "{}", items[3].reason);
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
        let failed = items.iter().filter(|item| item.outcome == Outcome::Failed).count();
        assert_eq!(failed, 2, "{items:?}");
        let below = Foul::Illegal {
            chips: 4,
            problem: IllegalBet::BelowCall,
            allowed: casino_stud::stud::Bounds { to_call: 5, raise_cap: 10, stack: 400 },
        };
        assert_ne!(kind_of(&below), kind_of(&Foul::Fault { fault: Fault::Deaf, allowed: None }));
    }
}
