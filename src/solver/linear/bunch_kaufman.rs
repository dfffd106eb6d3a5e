//! Dense symmetric indefinite elimination with pivots of size one and two.
//!
//! A panel holds the first n columns of a symmetric matrix [[A, Rᵀ], [R, S]], column by column: A (its lower triangle) on
//! top, r rows R below. It becomes P A Pᵀ = L B Lᵀ and R Pᵀ L⁻ᵀ B⁻¹, so that S − R A⁻¹ Rᵀ is a product of what is there.
//! Pivots are chosen inside A (J. R. Bunch and L. Kaufman, "Some stable methods for calculating inertia and solving
//! symmetric linear systems", Math. Comp. 31, 1977); B is block-diagonal with blocks of size one and two.

/// Balances the growth of entries after pivots of either size: (1 + √17)/8.
const ALPHA: f64 = 0.640_388_203_202_208;

/// Where a factorised panel keeps what is not in its columns.
pub(super) struct Pivots<'a> {
    /// Row exchanged with row k in step k.
    pub exchanged: &'a mut [usize],
    /// B⁻¹: diagonal, and the entry below it (zero except in the first column of a block of size two).
    pub inverse: &'a mut [[f64; 2]],
}

/// Numbers of positive and negative eigenvalues.
pub(super) type Signs = (usize, usize);

/// Factorises a panel of n = `pivots.inverse.len()` columns with `height` rows each and writes R Pᵀ L⁻ᵀ, column by column,
/// to `reduced`. The error is the column (of A as given) without a usable pivot.
pub(super) fn factor_panel(
    panel: &mut [f64],
    height: usize,
    pivots: &mut Pivots,
    reduced: &mut [f64],
) -> Result<Signs, usize> {
    let n = pivots.inverse.len();
    let below = height - n;
    let (mut positive, mut negative) = (0, 0);
    let mut step = 0;
    while step < n {
        let Choice { pivot, pair } = choose(panel, height, n, step);
        let last = if pair { step + 1 } else { step };
        pivots.exchanged[step] = step;
        pivots.exchanged[last] = pivot;
        exchange(panel, height, last, pivot);
        let (done, open) = panel.split_at_mut((last + 1) * height);
        let columns = &mut done[step * height..];
        if pair {
            let (first, second) = columns.split_at_mut(height);
            let inverse = invert_pair(first[step], first[last], second[last]);
            if !inverse.iter().all(|entry| entry.is_finite()) {
                return Err(original(pivots.exchanged, step));
            }
            // A pair [[a, b], [b, c]] is chosen where |a c| < α² b²: its determinant is negative.
            (positive, negative) = (positive + 1, negative + 1);
            pivots.inverse[step] = [inverse[0], inverse[1]];
            pivots.inverse[last] = [inverse[2], 0.0];
            reduced[step * below..last * below].copy_from_slice(&first[n..]);
            reduced[last * below..(last + 1) * below].copy_from_slice(&second[n..]);
            for (column, target) in (last + 1..n).zip(open.chunks_exact_mut(height)) {
                let (a, b) = (first[column], second[column]);
                if a == 0.0 && b == 0.0 {
                    continue;
                }
                let factors = [inverse[0] * a + inverse[1] * b, inverse[1] * a + inverse[2] * b];
                let sources = first[column..].iter().zip(&second[column..]);
                for (target, (first, second)) in target[column..].iter_mut().zip(sources) {
                    *target -= first * factors[0] + second * factors[1];
                }
            }
            for (a, b) in first[last + 1..].iter_mut().zip(&mut second[last + 1..]) {
                (*a, *b) = (inverse[0] * *a + inverse[1] * *b, inverse[1] * *a + inverse[2] * *b);
            }
            // L is the identity inside a block of B.
            first[last] = 0.0;
        } else {
            let inverse = 1.0 / columns[step];
            if !inverse.is_finite() || inverse == 0.0 {
                return Err(original(pivots.exchanged, step));
            }
            if inverse > 0.0 {
                positive += 1;
            } else {
                negative += 1;
            }
            pivots.inverse[step] = [inverse, 0.0];
            reduced[step * below..(step + 1) * below].copy_from_slice(&columns[n..]);
            for (column, target) in (step + 1..n).zip(open.chunks_exact_mut(height)) {
                let factor = inverse * columns[column];
                if factor != 0.0 {
                    for (target, source) in target[column..].iter_mut().zip(&columns[column..]) {
                        *target -= source * factor;
                    }
                }
            }
            columns[step + 1..].iter_mut().for_each(|entry| *entry *= inverse);
        }
        step = last + 1;
    }
    Ok((positive, negative))
}

/// Adds −R A⁻¹ Rᵀ to the lower triangle of `target`, r × r by columns, from a factorised panel.
pub(super) fn subtract_from_complement(panel: &[f64], height: usize, reduced: &[f64], target: &mut [f64]) {
    let n = panel.len() / height.max(1);
    let below = height - n;
    for column in 0..below {
        let target = &mut target[column * below + column..(column + 1) * below];
        let mut step = 0;
        while step + 4 <= n {
            let source = |k: usize| &panel[(step + k) * height + n + column..(step + k + 1) * height];
            let factor = |k: usize| reduced[(step + k) * below + column];
            let (f0, f1, f2, f3) = (factor(0), factor(1), factor(2), factor(3));
            let sources = source(0).iter().zip(source(1)).zip(source(2).iter().zip(source(3)));
            for (target, ((a, b), (c, d))) in target.iter_mut().zip(sources) {
                *target -= (a * f0 + b * f1) + (c * f2 + d * f3);
            }
            step += 4;
        }
        for step in step..n {
            let factor = reduced[step * below + column];
            for (target, source) in target.iter_mut().zip(&panel[step * height + n + column..(step + 1) * height]) {
                *target -= source * factor;
            }
        }
    }
}

/// First half of a solve: `x` is the part of the n columns, followed by that of the rows below.
pub(super) fn substitute_forward(panel: &[f64], height: usize, exchanged: &[usize], x: &mut [f64]) {
    for (step, &other) in exchanged.iter().enumerate() {
        x.swap(step, other);
    }
    for (step, column) in panel.chunks_exact(height.max(1)).enumerate() {
        let factor = x[step];
        for (x, entry) in x[step + 1..].iter_mut().zip(&column[step + 1..]) {
            *x -= entry * factor;
        }
    }
}

/// `x = B⁻¹ x`.
pub(super) fn apply_inverse(inverse: &[[f64; 2]], x: &mut [f64]) {
    let mut step = 0;
    while step < inverse.len() {
        let [diagonal, off] = inverse[step];
        if off != 0.0 {
            let (a, b) = (x[step], x[step + 1]);
            x[step] = diagonal * a + off * b;
            x[step + 1] = off * a + inverse[step + 1][0] * b;
            step += 2;
        } else {
            x[step] *= diagonal;
            step += 1;
        }
    }
}

/// Second half of a solve: `x` holds the solution of the rows below already.
pub(super) fn substitute_backward(panel: &[f64], height: usize, exchanged: &[usize], x: &mut [f64]) {
    for (step, column) in panel.chunks_exact(height.max(1)).enumerate().rev() {
        let product: f64 = x[step + 1..].iter().zip(&column[step + 1..]).map(|(x, entry)| x * entry).sum();
        x[step] -= product;
    }
    for (step, &other) in exchanged.iter().enumerate().rev() {
        x.swap(step, other);
    }
}

/// The pivot of a step: row and column `pivot` come to its last place; `pair` tells a block of size two.
struct Choice {
    pivot: usize,
    pair: bool,
}

fn choose(panel: &[f64], height: usize, n: usize, step: usize) -> Choice {
    let at = |row: usize, column: usize| panel[column * height + row].abs();
    let (mut partner, mut column_max) = (step, 0.0);
    for row in step + 1..n {
        if at(row, step) > column_max {
            (partner, column_max) = (row, at(row, step));
        }
    }
    let alone = Choice { pivot: step, pair: false };
    if at(step, step) >= ALPHA * column_max {
        return alone;
    }
    let left = (step..partner).map(|column| at(partner, column));
    let row_max = left.chain((partner + 1..n).map(|row| at(row, partner))).fold(0.0, f64::max);
    if at(step, step) * row_max >= ALPHA * column_max * column_max {
        alone
    } else {
        Choice { pivot: partner, pair: at(partner, partner) < ALPHA * row_max }
    }
}

/// Exchanges rows and columns `a` ≤ `b` of A, and with them the rows of L found so far.
fn exchange(panel: &mut [f64], height: usize, a: usize, b: usize) {
    if a == b {
        return;
    }
    for column in 0..a {
        panel.swap(column * height + a, column * height + b);
    }
    panel.swap(a * height + a, b * height + b);
    for between in a + 1..b {
        panel.swap(a * height + between, between * height + b);
    }
    let (left, right) = panel.split_at_mut(b * height);
    left[a * height + b + 1..(a + 1) * height].swap_with_slice(&mut right[b + 1..height]);
}

/// Inverse of [[a, b], [b, c]] as its entries (1,1), (2,1), (2,2); not finite where it does not exist.
fn invert_pair(a: f64, b: f64, c: f64) -> [f64; 3] {
    // Scaled by b, which dominates in a pair chosen for its pivot.
    let (p, q) = (a / b, c / b);
    let scale = 1.0 / (b * (p * q - 1.0));
    [q * scale, -scale, p * scale]
}

/// The column that exchanges brought to `place`.
fn original(exchanged: &[usize], place: usize) -> usize {
    (0..=place).rev().fold(place, |place, step| match exchanged[step] {
        other if step == place => other,
        other if other == place => step,
        _ => place,
    })
}

#[cfg(test)]
mod tests;
