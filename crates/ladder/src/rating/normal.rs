//! The equations whose solution the values are.

use super::{FIRST_VERSION_SPREAD, NEXT_VERSION_SPREAD};

/// Up to this many versions the full covariance is computed; in a larger ladder that of the active ones, as if the
/// others were known.
const MAX_FULL_COVARIANCE_VERSIONS: usize = 700;

/// The relative change below which the solution is accepted.
const RELATIVE_TOLERANCE: f64 = 1e-13;

const MAX_SOLVER_STEPS: usize = 3_000;

/// A match: its rounds, and for each seat the version and its chips a round.
#[derive(Clone, Debug)]
pub(super) struct MatchRow {
    pub(super) rounds: f64,
    pub(super) seats: Vec<(usize, f64)>,
}

#[derive(Clone, Debug)]
pub(super) struct Equations {
    tables: Vec<MatchRow>,
    /// The predecessor of each version.
    before: Vec<Option<usize>>,
    /// The version whose value is 0.
    zero: Option<usize>,
    /// The variance of a round's chips, by version.
    variances: Vec<f64>,
    /// The same as it is measured within matches.
    within: Vec<f64>,
    values: Vec<f64>,
}

impl Equations {
    pub(super) fn new(
        tables: Vec<MatchRow>,
        before: Vec<Option<usize>>,
        zero: Option<usize>,
        within: Vec<f64>,
    ) -> Equations {
        let versions = before.len();
        let values = vec![0.0; versions];
        Equations { tables, before, zero, variances: within.clone(), within, values }
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(super) fn noise_of(&self, version: usize) -> f64 {
        self.variances[version]
    }

    /// The weight of a seat: how many rounds, by how noisy its version is.
    fn weight(&self, table: &MatchRow, version: usize) -> f64 {
        table.rounds / self.variances[version]
    }

    /// The level of a table that fits these values best.
    fn level(&self, table: &MatchRow, of: impl Fn(&(usize, f64)) -> f64) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for seat in &table.seats {
            let weight = self.weight(table, seat.0);
            sum += weight * of(seat);
            weights += weight;
        }
        sum / weights
    }

    /// The precision of a version's prior around 0 or around its predecessor.
    fn hold(&self, version: usize) -> f64 {
        let spread = if self.before[version].is_some() { NEXT_VERSION_SPREAD } else { FIRST_VERSION_SPREAD };
        1.0 / (spread * spread)
    }

    /// The left side of the equations with these values.
    fn times(&self, values: &[f64], product: &mut [f64]) {
        product.fill(0.0);
        for table in &self.tables {
            let level = self.level(table, |seat| values[seat.0]);
            for (version, _) in &table.seats {
                product[*version] += self.weight(table, *version) * (values[*version] - level);
            }
        }
        for version in 0..values.len() {
            let hold = self.hold(version);
            match self.before[version] {
                None => product[version] += hold * values[version],
                Some(before) => {
                    let pull = hold * (values[version] - values[before]);
                    product[version] += pull;
                    product[before] -= pull;
                }
            }
        }
        if let Some(zero) = self.zero {
            product[zero] = values[zero];
        }
    }

    /// Clears the entry of the zero of the scale, which has no equation because its value is fixed.
    fn clear_zero(&self, vector: &mut [f64]) {
        if let Some(zero) = self.zero {
            vector[zero] = 0.0;
        }
    }

    fn right_side(&self) -> Vec<f64> {
        let mut right = vec![0.0; self.values.len()];
        for table in &self.tables {
            let level = self.level(table, |seat| seat.1);
            for (version, won) in &table.seats {
                right[*version] += self.weight(table, *version) * (won - level);
            }
        }
        self.clear_zero(&mut right);
        right
    }

    fn diagonal(&self) -> Vec<f64> {
        let mut diagonal = vec![0.0; self.values.len()];
        for table in &self.tables {
            let all: f64 = table.seats.iter().map(|seat| self.weight(table, seat.0)).sum();
            for (version, _) in &table.seats {
                let weight = self.weight(table, *version);
                diagonal[*version] += weight * (1.0 - weight / all);
            }
        }
        for version in 0..diagonal.len() {
            diagonal[version] += self.hold(version);
            if let Some(before) = self.before[version] {
                diagonal[before] += self.hold(version);
            }
        }
        if let Some(zero) = self.zero {
            diagonal[zero] = 1.0;
        }
        diagonal
    }

    /// Solves for the values by conjugate gradients, starting from the last solution.
    pub(super) fn solve(&mut self) {
        let size = self.values.len();
        let diagonal = self.diagonal();
        let mut values = self.values.clone();
        self.clear_zero(&mut values);
        let mut product = vec![0.0; size];
        self.times(&values, &mut product);
        let mut rest: Vec<f64> =
            self.right_side().iter().zip(&product).map(|(right, product)| right - product).collect();
        self.clear_zero(&mut rest);
        let mut scaled: Vec<f64> =
            rest.iter().zip(&diagonal).map(|(rest, diagonal)| rest / diagonal).collect();
        let mut direction = scaled.clone();
        let mut length = dot(&rest, &scaled);
        let enough = length * RELATIVE_TOLERANCE * RELATIVE_TOLERANCE;
        for _ in 0..MAX_SOLVER_STEPS {
            if length <= enough || length <= f64::MIN_POSITIVE {
                break;
            }
            self.times(&direction, &mut product);
            self.clear_zero(&mut product);
            let step = length / dot(&direction, &product);
            for at in 0..size {
                values[at] += step * direction[at];
                rest[at] -= step * product[at];
                scaled[at] = rest[at] / diagonal[at];
            }
            let next = dot(&rest, &scaled);
            let turn = next / length;
            direction
                .iter_mut()
                .zip(&scaled)
                .for_each(|(direction, scaled)| *direction = scaled + turn * *direction);
            length = next;
        }
        self.values = values;
    }

    /// Estimates the noise of each version from the residuals of its matches and from the differences between decks
    /// within matches, which count for `within_matches` matches of a version and for `within_all` of all together.
    pub(super) fn fit_variances(&mut self, within_matches: f64, within_all: f64) {
        let versions = self.values.len();
        let (mut squares, mut matches) = (vec![0.0; versions], vec![0.0; versions]);
        for table in &self.tables {
            let all: f64 = table.seats.iter().map(|seat| self.weight(table, seat.0)).sum();
            let level = self.level(table, |seat| self.values[seat.0] - seat.1);
            for (version, won) in &table.seats {
                // The fitted level of the table absorbs a part of each seat's noise.
                let kept = 1.0 - self.weight(table, *version) / all;
                let miss = won - self.values[*version] + level;
                squares[*version] += table.rounds * miss * miss;
                matches[*version] += kept;
            }
        }
        // The part of the noise absorbed by a version's own value, counting the data and not the prior.
        let diagonal = self.diagonal();
        let (mut all_squares, mut all_matches) = (within_all, within_all);
        for version in 0..versions {
            if matches[version] > 0.0 && Some(version) != self.zero {
                let held = self.hold(version) / diagonal[version];
                matches[version] = (matches[version] - (1.0 - held)).max(0.0);
            }
            all_squares += squares[version] / self.within[version];
            all_matches += matches[version];
        }
        // Matches vary more than their decks imply, because of the opponents.
        let more = all_squares / all_matches;
        for version in 0..versions {
            let within = self.within[version] * more;
            self.variances[version] =
                (within * within_matches + squares[version]) / (within_matches + matches[version]);
        }
    }

    /// The covariance of the values: the row of each version that has one, and the matrix.
    pub(super) fn covariance(&self, active: &[bool]) -> (Vec<Option<usize>>, Vec<f64>, usize) {
        let all = self.values.len() <= MAX_FULL_COVARIANCE_VERSIONS;
        let mut rows = vec![None; self.values.len()];
        let mut size = 0;
        for version in 0..rows.len() {
            if all || active[version] {
                rows[version] = Some(size);
                size += 1;
            }
        }
        let mut matrix = vec![0.0; size * size];
        for table in &self.tables {
            let all: f64 = table.seats.iter().map(|seat| self.weight(table, seat.0)).sum();
            for (one, _) in &table.seats {
                let Some(row) = rows[*one] else { continue };
                let weight = self.weight(table, *one);
                matrix[row * size + row] += weight;
                for (other, _) in &table.seats {
                    let Some(column) = rows[*other] else { continue };
                    matrix[row * size + column] -= weight * self.weight(table, *other) / all;
                }
            }
        }
        for version in 0..rows.len() {
            let hold = self.hold(version);
            let before = self.before[version];
            if let Some(row) = rows[version] {
                matrix[row * size + row] += hold;
                if let Some(column) = before.and_then(|before| rows[before]) {
                    matrix[row * size + column] -= hold;
                    matrix[column * size + row] -= hold;
                    matrix[column * size + column] += hold;
                }
            }
        }
        if let Some(row) = self.zero.and_then(|zero| rows[zero]) {
            for at in 0..size {
                matrix[row * size + at] = 0.0;
                matrix[at * size + row] = 0.0;
            }
            matrix[row * size + row] = 1.0;
        }
        invert(&mut matrix, size);
        if let Some(row) = self.zero.and_then(|zero| rows[zero]) {
            matrix[row * size + row] = 0.0;
        }
        (rows, matrix, size)
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// Inverts a positive definite matrix by its Cholesky factor.
fn invert(matrix: &mut [f64], size: usize) {
    // The factor, in the lower triangle.
    for column in 0..size {
        let (above, below) = matrix.split_at_mut((column + 1) * size);
        let pivot_row = &mut above[column * size..];
        let squares: f64 = pivot_row[..column].iter().map(|value| value * value).sum();
        let pivot = (pivot_row[column] - squares).max(f64::MIN_POSITIVE).sqrt();
        pivot_row[column] = pivot;
        for row in below.chunks_exact_mut(size) {
            let sum = dot(&row[..column], &pivot_row[..column]);
            row[column] = (row[column] - sum) / pivot;
        }
    }
    // The inverse of the factor, transposed into its own rows: row `r` has column `r` of it.
    let mut inverse = vec![0.0; size * size];
    for start in 0..size {
        let solved = &mut inverse[start * size..(start + 1) * size];
        solved[start] = 1.0 / matrix[start * size + start];
        for row in start + 1..size {
            let sum = dot(&matrix[row * size + start..row * size + row], &solved[start..row]);
            solved[row] = -sum / matrix[row * size + row];
        }
    }
    for row in 0..size {
        for column in row..size {
            let value = dot(
                &inverse[row * size + column..(row + 1) * size],
                &inverse[column * size + column..(column + 1) * size],
            );
            matrix[row * size + column] = value;
            matrix[column * size + row] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let size = 5;
        let mut matrix: Vec<f64> = (0..25)
            .map(|at| {
                if at / 5 == at % 5 { 7.0 + (at / 5) as f64 } else { 1.0 / (1.0 + (at / 5 + at % 5) as f64) }
            })
            .collect();
        let before = matrix.clone();
        invert(&mut matrix, size);
        for row in 0..size {
            for column in 0..size {
                let product: f64 =
                    (0..size).map(|at| before[row * size + at] * matrix[at * size + column]).sum();
                let wanted = if row == column { 1.0 } else { 0.0 };
                assert!((product - wanted).abs() < 1e-12, "{row} {column}: {product}");
            }
        }
    }
}
