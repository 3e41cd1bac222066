//! The report of a tournament: one page for everybody, and a report card for each player.

mod account;
mod pages;

pub use account::ReportData;
pub use pages::{card, overview};
