//! Ratings: equal deals for everyone, and what they say with which certainty. `docs/rate.md` describes it all.
//!
//! A [`Plan`] says what is played. [`Dealer`]s play its blocks and tournaments, in any order and on any number
//! of threads or machines, with the players of a [`Field`]. What comes of it is kept in whole numbers,
//! [`Played`], and put together in order, so that a [`Report`] is the same to the byte
//! however the work was shared out.

mod bootstrap;
mod crew;
mod dealer;
mod field;
mod fouls;
mod plan;
mod played;
mod regression;
mod report;
mod shard;
mod sure;
mod tally;

pub use crew::in_order;
pub use dealer::{Dealer, Finish};
pub use field::{Field, HouseField, Impossible};
pub use fouls::{FoulBook, Fouls};
pub use plan::{Contestant, Deals, Plan, PlanError};
pub use played::{End, Played, play};
pub use regression::{Change, Regression, RegressionError};
pub use report::{Estimate, PairLine, Rating, Report, Separation, Sure, Verdict};
pub use shard::{Shard, ShardError};
pub use sure::SequentialTest;
pub use tally::Tally;
