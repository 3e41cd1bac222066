//! Are two samples of choices from the same bot in the same mood? An exact test.

/// How often, at most, a bot that does not react is said to react.
pub const REACTION_ERROR: f64 = 0.001;

/// The probability of a table of counts at least as strange as this one if both samples come from the same
/// distribution: Fisher's exact test for two rows and any number of columns (Freeman and Halton). Exact for
/// samples of any size, and nothing is assumed about how a bot mixes its replies.
///
/// `counts` has for each kind of choice how often it was made in the one sample and in the other.
pub fn independence(counts: &[(u32, u32)]) -> f64 {
    let columns: Vec<u32> = counts.iter().map(|(one, other)| one + other).filter(|sum| *sum > 0).collect();
    let first: u32 = counts.iter().map(|(one, _)| one).sum();
    let all: u32 = columns.iter().sum();
    if columns.len() < 2 || first == 0 || first == all {
        return 1.0;
    }
    let logs = log_factorials(all);
    let choose = |n: u32, k: u32| logs[n as usize] - logs[k as usize] - logs[(n - k) as usize];
    let observed: f64 = counts
        .iter()
        .filter(|(one, other)| one + other > 0)
        .map(|(one, other)| choose(one + other, *one))
        .sum();
    // A hair of room: tables that are equally probable must not be told apart by rounding.
    let most = observed + 1e-9;
    let total = choose(all, first);
    let mut rest = Vec::with_capacity(columns.len());
    let mut after = 0;
    for column in columns.iter().rev() {
        rest.push(after);
        after += column;
    }
    rest.reverse();
    sum(&columns, &rest, first, 0.0, most, total, &choose).min(1.0)
}

/// The probabilities of all ways to fill the columns from here on that make the whole table at most as probable
/// as `most`. `rest` is for each column what the columns after it can take.
fn sum(
    columns: &[u32],
    rest: &[u32],
    left: u32,
    so_far: f64,
    most: f64,
    total: f64,
    choose: &impl Fn(u32, u32) -> f64,
) -> f64 {
    let ([column, columns @ ..], [after, rest @ ..]) = (columns, rest) else {
        return if so_far <= most { libm::exp(so_far - total) } else { 0.0 };
    };
    let mut probability = 0.0;
    for taken in left.saturating_sub(*after)..=left.min(*column) {
        let so_far = so_far + choose(*column, taken);
        probability += sum(columns, rest, left - taken, so_far, most, total, choose);
    }
    probability
}

fn log_factorials(up_to: u32) -> Vec<f64> {
    let mut logs = vec![0.0];
    for number in 1..=up_to {
        logs.push(logs[number as usize - 1] + libm::log(f64::from(number)));
    }
    logs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, wanted: f64) {
        assert!((value - wanted).abs() < 1e-6, "{value} is not {wanted}");
    }

    #[test]
    fn known_tables() {
        // Fisher's tea: eight cups, all right: 2/70 for a test of both sides.
        close(independence(&[(4, 0), (0, 4)]), 2.0 / 70.0);
        close(independence(&[(3, 1), (1, 3)]), 34.0 / 70.0);
        close(independence(&[(2, 2), (2, 2)]), 1.0);
        // Three columns of two: of the 20 ways to choose three, 8 take one of each, and each of the six others has 2.
        close(independence(&[(2, 0), (1, 1), (0, 2)]), 12.0 / 20.0);
        close(independence(&[(1, 1), (1, 1), (1, 1)]), 1.0);
    }

    #[test]
    fn nothing_differs_where_there_is_nothing_to_differ() {
        close(independence(&[]), 1.0);
        close(independence(&[(12, 12)]), 1.0);
        close(independence(&[(12, 0)]), 1.0);
    }

    #[test]
    fn twelve_equal_replies_against_twelve_others_show_a_reaction() {
        assert!(independence(&[(12, 0), (0, 12)]) < REACTION_ERROR / 2.0);
    }
}
