//! Plays a part of a rating, or the rest of it.

use std::ops::{ControlFlow, Range};

use serde::{Deserialize, Serialize};

use super::{BlockTally, Dealer, Finish, FoulBook, FoulCounts, Players, RatingPlan, Shard, StoppingRule};
use casino_stud::parallel::in_order;

/// The results of a part as far as it has been played: first its blocks, then its tournaments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedPart {
    tally: BlockTally,
    finishes: Vec<Finish>,
    /// The fouls in tournaments; those in blocks are in the tally.
    tournament_fouls: FoulBook,
}

/// How playing a part ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartEnd {
    /// Everything has been played, or as many blocks as it took to settle the ranking.
    Played,
    /// Playing was stopped before its end.
    Stopped,
}

impl PlayedPart {
    /// Makes the empty result of this part.
    pub fn new(plan: &RatingPlan, shard: Shard) -> PlayedPart {
        let batch_len = RatingPlan::batch_len(plan.blocks());
        PlayedPart::from(plan, shard.blocks(plan).start, batch_len)
    }

    /// Makes the empty result of a whole plan that may be settled early. Blocks are put into batches as they become many.
    pub fn open_ended(plan: &RatingPlan) -> PlayedPart {
        PlayedPart::from(plan, 0, 1)
    }

    fn from(plan: &RatingPlan, block: u64, batch_len: u64) -> PlayedPart {
        PlayedPart {
            tally: plan.tally(block, batch_len),
            finishes: Vec::new(),
            tournament_fouls: FoulBook::new(plan.bot_count()),
        }
    }

    /// The result of blocks and tournaments that were played one by one, from the first of each on.
    pub fn of(tally: BlockTally, finishes: Vec<Finish>) -> PlayedPart {
        let tournament_fouls = FoulBook::new(tally.fouls().bots());
        PlayedPart { tally, finishes, tournament_fouls }
    }

    /// The results of the blocks.
    pub fn tally(&self) -> &BlockTally {
        &self.tally
    }

    /// The results of the tournaments.
    pub fn finishes(&self) -> &[Finish] {
        &self.finishes
    }

    /// All fouls of a bot.
    pub fn fouls(&self, bot: usize) -> FoulCounts {
        let mut fouls = self.tally.fouls().of(bot).clone();
        fouls.append(self.tournament_fouls.of(bot));
        fouls
    }

    /// The blocks of this part that are still to be played.
    pub fn blocks_left(&self, plan: &RatingPlan, shard: Shard) -> Range<u64> {
        self.tally.to()..shard.blocks(plan).end
    }

    /// The tournaments of this part that are still to be played, counted from 0.
    pub fn tournaments_left(&self, plan: &RatingPlan, shard: Shard) -> Range<u64> {
        let all = shard.tournaments(plan);
        all.start + self.finishes.len() as u64..all.end
    }

    /// Whether nothing of this part is left to be played.
    pub fn is_complete(&self, plan: &RatingPlan, shard: Shard) -> bool {
        self.blocks_left(plan, shard).is_empty() && self.tournaments_left(plan, shard).is_empty()
    }

    /// Whether the result belongs to this part of this plan and is consistent. It is for results that were read from a file.
    pub fn is_sound(&self, plan: &RatingPlan, shard: Shard) -> bool {
        let (blocks, tournaments) = (shard.blocks(plan), shard.tournaments(plan));
        self.tally.is_sound(plan, RatingPlan::batch_len(plan.blocks()))
            && self.tally.from() == blocks.start
            && self.tally.to() <= blocks.end
            && self.finishes.len() as u64 <= tournaments.end - tournaments.start
            && (self.finishes.is_empty() || self.tally.to() == blocks.end)
            && self.finishes.iter().all(|finish| finish.is_sound(plan))
            && self.tournament_fouls.bots() == plan.bot_count()
    }

    /// Appends the result of the next part.
    ///
    /// # Panics
    /// If the next part does not begin where this one ends.
    pub fn append(&mut self, next: &PlayedPart) {
        self.tally.append(&next.tally);
        self.finishes.extend_from_slice(&next.finishes);
        self.tournament_fouls.append(&next.tournament_fouls);
    }
}

/// Called after every piece of work with the results so far. Playing stops when it breaks.
pub type Watch<'a> = Box<dyn FnMut(&PlayedPart) -> ControlFlow<()> + 'a>;

/// Which part of a plan is played, and when it ends before its time: nothing said, the whole plan to its end.
pub struct PartTerms<'a> {
    /// The part.
    pub shard: Shard,
    /// Playing also stops when this test has decided the ranking. The part must then be [`PlayedPart::open_ended`].
    pub sure: Option<&'a StoppingRule>,
    /// Looks on.
    pub watch: Watch<'a>,
}

impl Default for PartTerms<'_> {
    fn default() -> Self {
        PartTerms { shard: Shard::WHOLE, sure: None, watch: Box::new(|_| ControlFlow::Continue(())) }
    }
}

/// Plays a whole plan to its end, with a thread for each item of `players`.
pub fn play<F: Players + Send>(plan: &RatingPlan, players: &mut [F]) -> Result<PlayedPart, F::Error> {
    let mut played = PlayedPart::new(plan, Shard::WHOLE);
    play_on(plan, players, &mut played, PartTerms::default())?;
    Ok(played)
}

/// Plays the rest of a part, with a thread for each item of `players`. The result does not depend on the number of
/// threads as long as the players answer alike.
pub fn play_on<F: Players + Send>(
    plan: &RatingPlan,
    players: &mut [F],
    played: &mut PlayedPart,
    terms: PartTerms<'_>,
) -> Result<PartEnd, F::Error> {
    let mut terms = terms;
    if play_blocks(plan, players, played, &mut terms)? == PartEnd::Stopped {
        return Ok(PartEnd::Stopped);
    }
    let PartTerms { shard, mut watch, .. } = terms;
    let mut workers = with_dealers(players);
    let mut stopped = false;
    in_order(
        &mut workers,
        played.tournaments_left(plan, shard),
        1,
        |(dealer, players), tournaments| {
            let mut fouls = FoulBook::new(plan.bot_count());
            let dealer = dealer.get_or_insert_with(|| Box::new(Dealer::new(plan)));
            let mut play = |tournament: u64| dealer.tournament(tournament + 1, *players, &mut fouls);
            let finishes: Result<Vec<Finish>, F::Error> = tournaments.map(&mut play).collect();
            finishes.map(|finishes| (finishes, fouls))
        },
        |_, (finishes, fouls)| {
            played.finishes.extend(finishes);
            played.tournament_fouls.append(&fouls);
            stopped = watch(played).is_break();
            if stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )?;
    Ok(if stopped { PartEnd::Stopped } else { PartEnd::Played })
}

/// The players of each thread, and its dealer, which the thread makes itself: dealers that lie side by side in memory slow each
/// other down.
fn with_dealers<'a, F>(players: &mut [F]) -> Vec<(Option<Box<Dealer<'a>>>, &mut F)> {
    players.iter_mut().map(|players| (None, players)).collect()
}

/// Plays the remaining blocks.
fn play_blocks<F: Players + Send>(
    plan: &RatingPlan,
    players: &mut [F],
    played: &mut PlayedPart,
    terms: &mut PartTerms<'_>,
) -> Result<PartEnd, F::Error> {
    let PartTerms { shard, sure, watch } = terms;
    let (left, batch_len) = (played.blocks_left(plan, *shard), played.tally.batch_len());
    let (mut settled, mut stopped) = (false, false);
    in_order(
        &mut with_dealers(players),
        left,
        plan.blocks_at_once(),
        |(dealer, players), blocks| {
            let mut tally = plan.tally(blocks.start, batch_len);
            let dealer = dealer.get_or_insert_with(|| Box::new(Dealer::new(plan)));
            let together = plan.blocks_together();
            for first in blocks.clone().step_by(together as usize) {
                dealer.blocks(first..blocks.end.min(first + together), *players, &mut tally)?;
            }
            Ok(tally)
        },
        |_, tally| {
            played.tally.append(&tally);
            if let Some(sure) = sure {
                played.tally.coarsen();
                settled = sure.is_settled(&played.tally, plan);
            }
            stopped = watch(played).is_break();
            if settled || stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        },
    )?;
    Ok(if stopped { PartEnd::Stopped } else { PartEnd::Played })
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::plan;
    use super::super::{BotPlayers, RatingReport};
    use super::*;

    fn fields(plan: &RatingPlan, count: usize) -> Vec<BotPlayers> {
        let bots = || plan.bots().iter().map(|bot| bot.house_bot().unwrap()).collect();
        (0..count).map(|_| BotPlayers::house(bots())).collect()
    }

    fn played(plan: &RatingPlan, shard: Shard, jobs: usize) -> PlayedPart {
        let mut played = PlayedPart::new(plan, shard);
        let terms = PartTerms { shard, ..PartTerms::default() };
        assert_eq!(play_on(plan, &mut fields(plan, jobs), &mut played, terms), Ok(PartEnd::Played));
        assert!(played.is_complete(plan, shard) && played.is_sound(plan, shard));
        played
    }

    /// Threads, parts, stops on the way: the whole is the same.
    #[test]
    fn results_do_not_depend_on_the_division_of_work() {
        // More blocks than batches, so that parts meet in the middle of a batch.
        let plan = plan(&["bold", "cautious", "random", "simple"], 3, 20_003, 31);
        let whole = played(&plan, Shard::WHOLE, 1);
        assert_eq!(played(&plan, Shard::WHOLE, 3), whole);
        for of in [2, 3, 7] {
            let mut joined: Option<PlayedPart> = None;
            for number in 1..=of {
                let shard: Shard = format!("{number}/{of}").parse().unwrap();
                let mut part = PlayedPart::new(&plan, shard);
                let mut pieces = 0;
                // Stopped again and again, written down and read back.
                while !part.is_complete(&plan, shard) {
                    let mut left = 1 + pieces % 5;
                    let stop = |_: &PlayedPart| {
                        left -= 1;
                        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    };
                    let terms = PartTerms { shard, watch: Box::new(stop), ..PartTerms::default() };
                    play_on(&plan, &mut fields(&plan, 2), &mut part, terms).unwrap();
                    part = serde_json::from_str(&serde_json::to_string(&part).unwrap()).unwrap();
                    assert!(part.is_sound(&plan, shard));
                    pieces += 1;
                }
                match &mut joined {
                    None => joined = Some(part),
                    Some(joined) => joined.append(&part),
                }
            }
            assert_eq!(joined.unwrap(), whole);
        }
    }

    #[test]
    fn sequential_stopping_does_not_depend_on_the_thread_count() {
        let plan = plan(&["bold", "caller", "cautious", "simple"], 4, 4_000_000, 0);
        let outcomes = [1, 2, 3].map(|jobs| {
            let mut played = PlayedPart::open_ended(&plan);
            let sure = StoppingRule::new(0.05, 0.1);
            let terms = PartTerms { sure: Some(&sure), ..PartTerms::default() };
            play_on(&plan, &mut fields(&plan, jobs), &mut played, terms).unwrap();
            let report = RatingReport::new(&plan, &played, Some(&sure));
            assert!(report.sure.as_ref().unwrap().settled);
            assert!(report.blocks < plan.blocks());
            assert!(played.tally().batches().count() <= 4_096);
            report
        });
        assert_eq!(outcomes[0], outcomes[1]);
        assert_eq!(outcomes[0], outcomes[2]);
    }
}
