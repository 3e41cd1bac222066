//! The report of a tournament: a public page, and a report card for each player.

mod certificates;
mod coach;
mod data;
mod pages;

pub use certificates::certificates;
pub(crate) use coach::class_table;
pub use data::ReportData;
pub use pages::{card, overview};
