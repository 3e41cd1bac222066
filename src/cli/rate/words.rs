//! The texts of a report.

use casino_analysis::rating::{MIN_GROUPS, RatingReport};

/// A probability for people.
pub(super) fn share(probability: f64) -> String {
    match probability {
        p if p < 0.001 => "<0.1%".to_string(),
        p if p > 0.999 => ">99.9%".to_string(),
        p => format!("{:.1}%", 100.0 * p),
    }
}

/// The amount of play. It mentions when fewer freeze-outs were played than requested, as after Ctrl-C.
pub(super) fn headline(report: &RatingReport) -> String {
    let plan = &report.plan;
    let seats = plan.seats();
    let freeze_outs = match (report.freeze_outs, plan.tournaments()) {
        (played, wanted) if played < wanted => format!("{played} of {wanted}"),
        (played, _) => played.to_string(),
    };
    format!(
        "{} rounds of {seats} seats, {} for each bot, in {} blocks, and {freeze_outs} freeze-outs; seed {:?}; in brackets the \
         95% interval",
        report.rounds,
        report.rounds_each,
        report.blocks,
        plan.seed().text(),
    )
}

/// Why the freeze-outs have no intervals, in a sentence.
pub(super) fn too_few_days(report: &RatingReport) -> Option<String> {
    let records = || report.standings.iter().filter_map(|verdict| verdict.freeze_outs);
    let enough = MIN_GROUPS * report.standings.len();
    records().any(|record| record.win_interval.is_none()).then(|| {
        format!(
            "Too few freeze-outs for intervals: play {enough} or more with --tournaments, {MIN_GROUPS} groups with a deck of \
             their own."
        )
    })
}

/// The result of the sequential test, in a sentence.
pub(super) fn settled(report: &RatingReport) -> Option<String> {
    let sure = report.sure.as_ref()?;
    let error = share(sure.error);
    let equal: Vec<String> = sure
        .equal
        .iter()
        .map(|pair| {
            format!(
                " {} and {} are equal within {:.3} chips a round.",
                pair.bots[0], pair.bots[1], pair.within
            )
        })
        .collect();
    let equal = equal.concat();
    Some(if sure.settled {
        format!(
            "The ranking is settled; the probability that anything in it is wrong is at most {error}.{equal}"
        )
    } else {
        let open: Vec<String> = sure.open.iter().map(|[one, other]| format!("{one} and {other}")).collect();
        format!(
            "The ranking is not settled at an error rate of {error}: {} are open.{equal}",
            open.join(", ")
        )
    })
}

/// Stands in the place of an interval.
pub(super) const TOO_FEW: &str = "[too few deciding deals]";

/// Stands in the place of an interval where more rounds do not help.
pub(super) const SAME: &str = "[the same in every deal]";

/// Why there are results without intervals, in a sentence.
pub(super) fn too_few(report: &RatingReport) -> Option<String> {
    let chips = report.standings.iter().map(|verdict| verdict.chips_per_round);
    let mut estimates = chips.chain(report.pairs.iter().map(|pair| pair.difference));
    let is_missing = estimates.any(|estimate| estimate.interval().is_none() && !estimate.is_nothing());
    is_missing.then(|| {
        "Too few deciding deals: where no interval is given, a few deals decided the result. Play more rounds."
            .to_string()
    })
}

/// A number of rounds of which two digits mean something.
pub(super) fn rounded(rounds: f64) -> String {
    if !rounds.is_finite() || rounds > 1e15 {
        return "endless".to_string();
    }
    let step = 10f64.powi((rounds.max(1.0).log10().floor() as i32 - 1).max(0));
    format!("{:.0}", (rounds / step).ceil() * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_for_people() {
        assert_eq!(["<0.1%", "2.5%", ">99.9%"], [0.0002, 0.025, 0.99999].map(share));
        assert_eq!(["1", "25", "1300", "4500000"], [0.3, 24.2, 1_234.0, 4_440_000.0].map(rounded));
        assert_eq!(rounded(f64::INFINITY), "endless");
    }
}
