//! Functions of one variable as piecewise polynomials, to nearly rounding.
//!
//! Each piece interpolates at 17 Chebyshev points; pieces are halved until the last coefficients of the Chebyshev series
//! vanish. Tabulating once means that evaluating later is quick and cannot fail.

use std::f64::consts::PI;

use super::CurveError;

/// Chebyshev points of a piece; the degree is one less.
pub(super) const POINTS: usize = 17;
const DEGREE: usize = POINTS - 1;

/// A piece is resolved when its last coefficients, relative to the size of the function, are below this.
const RESOLVED: f64 = 1e-14;
/// A piece that does not improve when halved is left if it is below this (rounding in the expression itself); otherwise
/// it holds a jump.
const TOLERATED: f64 = 1e-9;
/// Pieces at the beginning, so that narrow features are seen.
const FIRST_PIECES: usize = 16;
/// Halvings after which a piece is a point.
const DEEPEST: u32 = 42;
/// Pieces after which the function counts as noise.
const MOST_PIECES: usize = 1 << 14;

/// x_j = −cos(πj/16) ∈ [−1, 1], increasing.
pub(super) fn points() -> [f64; POINTS] {
    std::array::from_fn(|j| -(PI * j as f64 / DEGREE as f64).cos())
}

/// ∫ of the j-th Lagrange polynomial from −1 to x_i, as a matrix (row i, column j).
pub(super) fn integration() -> [[f64; POINTS]; POINTS] {
    let mut matrix = [[0.0; POINTS]; POINTS];
    for column in 0..POINTS {
        let mut unit = [0.0; POINTS];
        unit[column] = 1.0;
        let a = coefficients(&unit);
        for (row, x) in points().into_iter().enumerate() {
            // ∫T₀ = T₁, ∫T₁ = T₂/4, ∫T_k = T_{k+1}/2(k+1) − T_{k−1}/2(k−1), each minus its value at −1.
            let chebyshev = |k: usize, x: f64| (k as f64 * x.acos()).cos();
            let primitive = |k: usize, x: f64| match k {
                0 => x,
                1 => 0.5 * x * x,
                _ => chebyshev(k + 1, x) / (2 * (k + 1)) as f64 - chebyshev(k - 1, x) / (2 * (k - 1)) as f64,
            };
            matrix[row][column] = (0..POINTS).map(|k| a[k] * (primitive(k, x) - primitive(k, -1.0))).sum();
        }
    }
    matrix
}

/// Coefficients of the Chebyshev series through values at the points.
pub(super) fn coefficients(values: &[f64; POINTS]) -> [f64; POINTS] {
    std::array::from_fn(|k| {
        let end = |j: usize| if j == 0 || j == DEGREE { 0.5 } else { 1.0 };
        // T_k(x_j) = (−1)ᵏ cos(πkj/16), since x_j = −cos(πj/16).
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        let sum: f64 = (0..POINTS)
            .map(|j| values[j] * end(j) * sign * (PI * (k * j % (2 * DEGREE)) as f64 / DEGREE as f64).cos())
            .sum();
        sum * end(k) * 2.0 / DEGREE as f64
    })
}

/// Largest of the last three coefficients: what is missing from the series.
pub(super) fn tail(values: &[f64; POINTS]) -> f64 {
    coefficients(values)[POINTS - 3..].iter().fold(0.0, |most, c| most.max(c.abs()))
}

/// The polynomial through values at the points, by the barycentric formula.
pub(super) fn interpolate<const M: usize>(points: &[f64; POINTS], values: &[[f64; M]; POINTS], x: f64) -> [f64; M] {
    let (mut sum, mut total) = ([0.0; M], 0.0);
    for j in 0..POINTS {
        let distance = x - points[j];
        if distance == 0.0 {
            return values[j];
        }
        let end = if j == 0 || j == DEGREE { 0.5 } else { 1.0 };
        let weight = if j % 2 == 0 { end } else { -end } / distance;
        total += weight;
        for (sum, value) in sum.iter_mut().zip(&values[j]) {
            *sum += weight * value;
        }
    }
    sum.map(|sum| sum / total)
}

/// Divides [0, range] until `sample` resolves the function on each piece.
///
/// `sample(a, b)` returns what the piece stores and the relative size of what it misses; `jump` makes the error of a
/// piece that no halving resolves.
pub(super) fn pieces<P>(
    range: f64,
    mut sample: impl FnMut(f64, f64) -> Result<(P, f64), CurveError>,
    jump: impl Fn(f64) -> CurveError,
) -> Result<Vec<(f64, f64, P)>, CurveError> {
    struct Task {
        ends: [f64; 2],
        depth: u32,
        missed: f64,
        /// How often in a row halving did not help.
        stuck: u32,
    }
    let end = |k: usize| range * k as f64 / FIRST_PIECES as f64;
    let first = |k: usize| Task { ends: [end(k), end(k + 1)], depth: 0, missed: f64::INFINITY, stuck: 0 };
    let mut tasks: Vec<Task> = (0..FIRST_PIECES).rev().map(first).collect();
    let mut pieces = Vec::new();
    while let Some(Task { ends: [a, b], depth, missed: before, stuck }) = tasks.pop() {
        let (piece, missed) = sample(a, b)?;
        let stuck = if missed < 0.9 * before { 0 } else { stuck + 1 };
        let middle = 0.5 * (a + b);
        if missed <= RESOLVED || (missed <= TOLERATED && (stuck >= 3 || depth >= DEEPEST)) {
            pieces.push((a, b, piece));
        } else if depth >= DEEPEST {
            return Err(jump(middle));
        } else if pieces.len() + tasks.len() > MOST_PIECES {
            return Err(CurveError::TooRough { pieces: MOST_PIECES, s: middle });
        } else {
            for ends in [[middle, b], [a, middle]] {
                tasks.push(Task { ends, depth: depth + 1, missed, stuck });
            }
        }
    }
    Ok(pieces)
}

/// The point of [a, b] that corresponds to x ∈ [−1, 1], exact at both ends.
pub(super) fn place(a: f64, b: f64, x: f64) -> f64 {
    0.5 * ((1.0 - x) * a + (1.0 + x) * b)
}

/// A continuous function on [0, range] with M components.
#[derive(Debug, Clone)]
pub(super) struct Interpolant<const M: usize> {
    points: [f64; POINTS],
    pieces: Vec<(f64, f64, [[f64; M]; POINTS])>,
}

impl<const M: usize> Interpolant<M> {
    /// Tabulates `f`; `jump` makes the error of a discontinuity. What is missed is relative to max(1, |f|).
    pub(super) fn new(
        range: f64,
        f: impl Fn(f64) -> Result<[f64; M], CurveError>,
        jump: impl Fn(f64) -> CurveError,
    ) -> Result<Self, CurveError> {
        let points = points();
        let sample = |a: f64, b: f64| {
            let mut values = [[0.0; M]; POINTS];
            for (value, x) in values.iter_mut().zip(points) {
                *value = f(place(a, b, x))?;
            }
            let missed = |component: usize| {
                let values = values.map(|value| value[component]);
                tail(&values) / values.iter().fold(1.0, |most: f64, v| most.max(v.abs()))
            };
            Ok((values, (0..M).map(missed).fold(0.0, f64::max)))
        };
        Ok(Self { points, pieces: pieces(range, sample, jump)? })
    }

    /// The value; outside the range that of its end.
    pub(super) fn at(&self, s: f64) -> [f64; M] {
        let after = self.pieces.partition_point(|piece| piece.0 <= s);
        let (a, b, values) = &self.pieces[after.saturating_sub(1)];
        let x = ((2.0 * s - (a + b)) / (b - a)).clamp(-1.0, 1.0);
        interpolate(&self.points, values, x)
    }
}
