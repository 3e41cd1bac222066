//! The texts of a report.

use casino_analysis::rating::{DayWinner, Deals, Estimate, HALF_INTERVAL, MIN_GROUPS, RatingReport};

/// A probability for people.
pub(super) fn share(probability: f64) -> String {
    match probability {
        p if p < 0.001 => "<0.1%".to_string(),
        p if p > 0.999 => ">99.9%".to_string(),
        p => format!("{:.1}%", 100.0 * p),
    }
}

/// The probability of an order for people. The frequency of errors rarer than one in a hundred is unknown, so higher
/// probabilities are not stated.
pub(super) fn likelihood(probability: f64) -> String {
    match 100.0 * probability {
        percent if percent < 1.05 => "<1%".to_string(),
        percent if percent > 98.95 => ">99%".to_string(),
        percent => format!("{percent:.1}%"),
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

/// The winner of most freeze-outs, if it is not the first by chips, in a sentence.
pub(super) fn day(report: &RatingReport) -> Option<String> {
    let day = report.day.as_ref()?;
    let DayWinner { first_by_chips, winner, players, sure } = day;
    Some(if *sure {
        format!(
            "By chips {first_by_chips} comes first; on a Casino Day of {players} with these antes {winner} wins more often (95%), \
             and places decide a day."
        )
    } else {
        format!(
            "By chips {first_by_chips} comes first; of the freeze-outs {winner} won most, but too few were played to say who \
             wins more often on a Casino Day of {players} with these antes, where places decide."
        )
    })
}

/// Why the freeze-outs have no intervals, in a sentence.
pub(super) fn too_few_days(report: &RatingReport) -> Option<String> {
    let ratings = || report.standings.iter().filter_map(|verdict| verdict.rating);
    let enough = MIN_GROUPS * report.standings.len();
    ratings().any(|rating| rating.win_interval.is_none()).then(|| {
        format!(
            "Too few freeze-outs for intervals: play {enough} or more with --tournaments, {MIN_GROUPS} groups with a deck of \
             their own."
        )
    })
}

/// Maximum standard error of the logarithm of the gain of equal deals for which the gain is stated.
const MAX_LOG_GAIN_ERROR: f64 = 0.35;

/// The gain of equal deals, in a sentence, if it is known well enough.
pub(super) fn deals_gain(report: &RatingReport) -> Option<String> {
    let (gain, off) =
        report.plain_deals_need.zip(report.plain_deals_error).filter(|(_, off)| *off < MAX_LOG_GAIN_ERROR)?;
    let dealt = match report.plan.deals() {
        Deals::Plain => {
            return Some(
                "These are plain random deals; without --plain everyone plays the same cards.".to_string(),
            );
        }
        Deals::Equal if report.plan.control_variates().count() > 0 => "Equal deals and control variates",
        Deals::Equal => "Equal deals",
    };
    let [low, high] = [-HALF_INTERVAL, HALF_INTERVAL].map(|errors: f64| gain * (errors * off).exp());
    let width = |gain: f64| 100.0 / gain.sqrt();
    Some(format!(
        "{dealt} made the intervals {:.0}% [{:.0}, {:.0}] of those of plain random deals, which would need {gain:.2} [{low:.2}, \
         {high:.2}] times the rounds.",
        width(gain),
        width(high),
        width(low)
    ))
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
pub(in crate::cli) const TOO_FEW: &str = "[too few deciding deals]";

/// Why there are results without intervals, in a sentence.
pub(super) fn too_few(report: &RatingReport) -> Option<String> {
    let none = |estimate: &Estimate| estimate.interval().is_none();
    let is_missing = report.standings.iter().any(|verdict| none(&verdict.chips_per_round))
        || report.pairs.iter().any(|pair| none(&pair.difference));
    is_missing.then(|| {
        "Not enough deciding deals: where no interval is given, a handful of deals or none made all the difference, and \
         nothing honest can be said of the rest. Play more rounds."
            .to_string()
    })
}

/// The probability that one bot is better than another, where one is given.
pub(super) fn better(report: &RatingReport, one: &str, other: &str) -> Option<f64> {
    report.pairs.iter().find_map(|pair| match (pair.first.as_str(), pair.second.as_str()) {
        (first, second) if (first, second) == (one, other) => pair.first_is_better,
        (first, second) if (first, second) == (other, one) => pair.first_is_better.map(|p| 1.0 - p),
        _ => None,
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
        assert_eq!(["<1%", "2.5%", ">99%"], [1.0 - 0.99, 0.025, 0.99].map(likelihood));
        assert_eq!(["1", "25", "1300", "4500000"], [0.3, 24.2, 1_234.0, 4_440_000.0].map(rounded));
        assert_eq!(rounded(f64::INFINITY), "endless");
    }
}
