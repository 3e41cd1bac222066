//! The steps of a protocol check as items of a report.

use crate::check::{ExchangeLine, StepOutcome, StepResult};

use super::report::{Item, Points};

/// The step as an item of a report, worth one point.
pub(super) fn step_item(result: &StepResult) -> Item {
    let item = Item::new(result.step.id(), result.title, Points::ONE);
    match (&result.diagnosis, result.outcome) {
        (Some(diagnosis), StepOutcome::Failed) => Item {
            expected: result.expected.map(|expected| match &diagnosis.allowed {
                Some(allowed) => format!("{expected}; allowed was: {allowed}"),
                None => expected.to_string(),
            }),
            got: Some(diagnosis.observed.clone()),
            context: result.exchange.iter().map(ExchangeLine::to_string).collect(),
            stderr: result.stderr.clone(),
            ..item.failed(diagnosis.to_string())
        },
        (_, StepOutcome::Passed) => item.passed(),
        _ => item.not_run(result.note.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckStep, Evidence, LastMessage, diagnose};
    use casino_host::ProgramOutputs;

    #[test]
    fn a_step_becomes_an_item_worth_a_point() {
        let passed = step_item(&StepResult::passed(CheckStep::Bet1, String::new()));
        assert_eq!((passed.points, passed.max_points), (Points::ONE, Points::ONE));
        let evidence =
            Evidence::Stray { sent: "ok".to_string(), after: LastMessage::Status, raw: b"\0\x02ok".to_vec() };
        let diagnosis = diagnose(&evidence, CheckStep::Status, &ProgramOutputs::default());
        let exchange =
            vec![ExchangeLine::Dealer("status:win:KS:KD:none".into()), ExchangeLine::Program("ok".into())];
        let failed =
            step_item(&StepResult::failed(CheckStep::Status, diagnosis, exchange, ProgramOutputs::default()));
        assert_eq!(failed.points, Points::ZERO);
        assert_eq!(failed.context, ["dealer:  status:win:KS:KD:none", "program: ok"]);
        assert!(failed.got.is_some_and(|got| got.contains("nobody had asked for")));
    }
}
