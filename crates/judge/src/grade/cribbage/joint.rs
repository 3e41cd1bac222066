//! Both predicates of the Prolog document in one report, with the document's weights.

use std::path::Path;

use super::{LEAST_CARDS_PROLOG, Student, grade_select, grade_value, untried_select, untried_value};
use crate::grade::cases::{CAUSES_PART_TITLE, CaseSettings};
use crate::grade::report::{ManualPart, Points, Report};
use crate::sandbox::Sandbox;

/// The document's weights: the value, the selection, and the quality that people judge.
const WEIGHTS: [u32; 3] = [50, 20, 30];

/// Judges both predicates of a file: 50 and 20 points, and 30 for people to give. `done` gets the progress.
pub fn grade_prolog(
    file: &Path,
    sandbox: &Sandbox,
    settings: &CaseSettings,
    mut done: impl FnMut(usize, usize),
) -> Report {
    let student = Student::Prolog(file.to_path_buf());
    let value = grade_value(&student, sandbox, settings, &mut done);
    let select = grade_select(&student, sandbox, settings, &mut done);
    join(value, select)
}

/// The report on a submission without a file of predicates.
pub fn untried_prolog(settings: &CaseSettings) -> Report {
    join(untried_value(settings), untried_select(settings, LEAST_CARDS_PROLOG))
}

fn join(value: Report, select: Report) -> Report {
    let [of_value, of_select, of_quality] = WEIGHTS.map(Points::whole);
    let value = weighted(value, of_value, "hand_value/3");
    let select = weighted(select, of_select, "select_hand/3");
    let whole = Report::joined("Cribbage in Prolog", vec![value, select]);
    let quality = ManualPart { title: "Quality of code and documentation".into(), max_points: of_quality };
    Report { by_hand: vec![quality], ..whole }
}

/// The report rescaled to these points, shared evenly among the items that have any.
fn weighted(mut report: Report, points: Points, name: &str) -> Report {
    let items = report.items().filter(|item| item.max_points > Points::ZERO).count();
    let mut number = 0;
    for part in report.parts.iter_mut().filter(|part| part.title != CAUSES_PART_TITLE) {
        part.title = format!("{name}: {}", part.title.to_lowercase());
        for item in part.items.iter_mut().filter(|item| item.max_points > Points::ZERO) {
            // Later items get the rounding remainders, so that the points add up.
            let most = points.share(number + 1, items) - points.share(number, items);
            number += 1;
            let hundredths = (item.points.as_f64() * 100.0).round() as usize;
            item.points = if item.points == item.max_points { most } else { most.share(hundredths, 100) };
            item.max_points = most;
        }
    }
    report
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::{Item, Part};

    #[test]
    fn points_do_not_depend_on_the_number_of_cases() {
        let report = |cases: usize, right: usize| {
            let items = (0..cases).map(|at| {
                let item = Item::new(at.to_string(), "x", Points::ONE);
                if at < right { item.passed() } else { item.failed("no") }
            });
            let parts = vec![Part { title: "Hard cases".into(), items: items.collect() }];
            Report { parts, ..Report::default() }
        };
        let all = join(report(70, 70), report(29, 29));
        assert_eq!((all.summary().points, all.summary().max_points), (Points::whole(70), Points::whole(70)));
        assert_eq!(all.by_hand[0].max_points, Points::whole(30));
        let half = join(report(50, 25), report(20, 0));
        assert_eq!(
            (half.summary().points, half.summary().max_points),
            (Points::whole(25), Points::whole(70))
        );
        assert_eq!(half.parts[0].title, "hand_value/3: hard cases");
    }
}
