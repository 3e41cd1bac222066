//! Fisher's exact test of independence, for two samples of a bot's choices.

/// The significance level: the largest probability that a bot without a reaction is reported as reacting.
pub(crate) const REACTION_SIGNIFICANCE: f64 = 0.001;

/// The probability of a table of counts at least as strange as this one, if both samples have the same distribution:
/// Fisher's exact test for any number of columns (Freeman and Halton). `counts` are pairs for each kind of choice.
pub(crate) fn independence(counts: &[(u32, u32)]) -> f64 {
    let column_sums: Vec<u32> =
        counts.iter().map(|(one, other)| one + other).filter(|sum| *sum > 0).collect();
    let row_sum: u32 = counts.iter().map(|(one, _)| one).sum();
    let grand_total: u32 = column_sums.iter().sum();
    if column_sums.len() < 2 || row_sum == 0 || row_sum == grand_total {
        return 1.0;
    }
    let logs = log_factorials(grand_total);
    let choose = |n: u32, k: u32| logs[n as usize] - logs[k as usize] - logs[(n - k) as usize];
    let observed: f64 = counts
        .iter()
        .filter(|(one, other)| one + other > 0)
        .map(|(one, other)| choose(one + other, *one))
        .sum();
    // A tolerance: rounding must not separate equally probable tables.
    let most = observed + 1e-9;
    let total = choose(grand_total, row_sum);
    let mut remaining = Vec::with_capacity(column_sums.len());
    let mut after = 0;
    for column in column_sums.iter().rev() {
        remaining.push(after);
        after += column;
    }
    remaining.reverse();
    tail_probability(&column_sums, &remaining, row_sum, 0.0, most, total, &choose).min(1.0)
}

/// Sums the probabilities of the tables at most as probable as `most`; `remaining` are sums of later columns.
fn tail_probability(
    columns: &[u32],
    remaining: &[u32],
    left: u32,
    so_far: f64,
    most: f64,
    total: f64,
    choose: &impl Fn(u32, u32) -> f64,
) -> f64 {
    let ([column, columns @ ..], [after, remaining @ ..]) = (columns, remaining) else {
        return if so_far <= most { libm::exp(so_far - total) } else { 0.0 };
    };
    let mut probability = 0.0;
    for count in left.saturating_sub(*after)..=left.min(*column) {
        let so_far = so_far + choose(*column, count);
        probability += tail_probability(columns, remaining, left - count, so_far, most, total, choose);
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
    fn textbook_tables() {
        // Fisher's lady tasting tea: eight cups, all right: 2/70 for the two-sided test.
        close(independence(&[(4, 0), (0, 4)]), 2.0 / 70.0);
        close(independence(&[(3, 1), (1, 3)]), 34.0 / 70.0);
        close(independence(&[(2, 2), (2, 2)]), 1.0);
        // Three columns of two: of the 20 ways to choose three, 8 take one of each, and each of the six others has 2.
        close(independence(&[(2, 0), (1, 1), (0, 2)]), 12.0 / 20.0);
        close(independence(&[(1, 1), (1, 1), (1, 1)]), 1.0);
    }

    #[test]
    fn a_table_with_one_column_or_row_has_probability_one() {
        close(independence(&[]), 1.0);
        close(independence(&[(12, 12)]), 1.0);
        close(independence(&[(12, 0)]), 1.0);
    }

    #[test]
    fn twelve_equal_replies_against_twelve_others_show_a_reaction() {
        assert!(independence(&[(12, 0), (0, 12)]) < REACTION_SIGNIFICANCE / 2.0);
    }
}
