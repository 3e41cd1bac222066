//! Ratings: equal deals for all bots, with confidence intervals. `docs/rate.md` describes the method.
//!
//! A [`RatingPlan`] describes the rounds to play. [`Dealer`]s play its blocks and tournaments, in any order and on any number
//! of threads or machines, with the players of a [`Players`]. The results are whole numbers in a [`PlayedPart`] and are
//! merged in order, so that a [`RatingReport`] is the same to the byte for any division of the work.

mod dealer;
mod estimates;
mod fouls;
mod freeze_outs;
mod intervals;
mod places;
mod plan;
mod played;
mod players;
mod report;
mod settled;
mod shard;
mod tally;

pub use dealer::{Dealer, Finish};
pub use fouls::{FoulBook, FoulCounts};
pub use freeze_outs::{MIN_GROUPS, TournamentRecord};
pub use intervals::{HALF_INTERVAL, HALF_INTERVAL_IN_WORDS};
pub use plan::{BotSource, PlanTerms, RatedBot, RatingPlan, RatingPlanError};
pub use played::{PartEnd, PartTerms, PlayedPart, Watch, play, play_on};
pub use players::{BotPlayers, Players};
pub use report::{BotVerdict, Estimate, PairLine, RatingReport};
pub use settled::{EqualPair, SequentialVerdict, StoppingRule};
pub use shard::{Shard, ShardError};
pub use tally::{BlockResult, BlockTally};
