//! Judging a program of a sister game case by case.

use std::time::Duration;

use super::machine;
use super::report::{Item, Part, Points, Report};
use super::setback::{Setback, SetbackKind};
use crate::cards::Seed;
use crate::sandbox::NeverStarted;

/// Which cases are judged, and how long each may take.
#[derive(Clone, Debug)]
pub struct CaseSettings {
    /// The seed of the drawn cases.
    pub seed: Seed,
    /// How many cases are drawn besides the hard ones.
    pub cases: usize,
    /// Real time for each case; without it the limit of the game's document.
    pub time: Option<Duration>,
}

/// One question to a program, and why it is asked.
pub(super) struct Case<Q> {
    pub(super) id: String,
    pub(super) title: String,
    pub(super) question: Q,
}

/// The cases of one game: hard ones chosen by hand, the others drawn from a seed.
pub(super) struct Cases<Q> {
    pub(super) hard: Vec<Case<Q>>,
    pub(super) drawn: Vec<Case<Q>>,
}

impl<Q> Cases<Q> {
    /// Judges every case, each worth a point, and reports on this subject. `done` is called after each case with how many
    /// are done and of how many. A program that cannot be started is not started again for the other cases.
    pub(super) fn judge(
        self,
        title: &str,
        subject: String,
        seed: &Seed,
        mut done: impl FnMut(usize, usize),
        mut judge: impl FnMut(&Q, Item) -> Result<Item, NeverStarted>,
    ) -> Report {
        let all = self.hard.len() + self.drawn.len();
        let mut not_started: Option<NeverStarted> = None;
        let mut judged = 0;
        let mut part = |title: &str, cases: Vec<Case<Q>>| {
            let mut items = Vec::new();
            for case in cases {
                let item = Item::new(case.id, case.title, Points::ONE);
                let verdict = match &not_started {
                    Some(_) => Ok(item.clone().not_run("")),
                    None => judge(&case.question, item.clone()),
                };
                items.push(verdict.unwrap_or_else(|error| {
                    not_started = Some(error);
                    item.not_run("")
                }));
                judged += 1;
                done(judged, all);
            }
            Part { title: title.into(), items }
        };
        let parts = vec![part("Hard cases", self.hard), part("Drawn cases", self.drawn)];
        let report = Report {
            title: title.into(),
            subject,
            seed: Some(seed.text().into()),
            parts,
            ..Report::default()
        };
        let Some(error) = not_started else { return report };
        if let Some(why) = machine::is_behind_start(&error) {
            return Report::not_judged(title, &report.subject, why);
        }
        let setback = Setback::new(SetbackKind::NeverConnected, error.to_string());
        Report { never_started: true, setback: Some(setback), ..report }
    }
}
