//! Judging what programs do: scenarios, and a recorded game put to another player.

pub mod scenario;
