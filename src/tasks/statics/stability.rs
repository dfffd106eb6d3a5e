//! Stability of an equilibrium: the signs of the stiffness among the motions that the joints allow.

use nalgebra::DMatrix;

use super::doubt::told_apart;
use crate::discretisation::linearised::Linearised;
use crate::nlp::{Pattern, PatternBuilder};
use crate::solver::linear::{LinearSolver, SparseLdl, SymmetricSolver};

/// Degrees of freedom up to which motions that joints allow are found one by one.
const SMALL: usize = 300;

/// Number of directions in which an equilibrium is unstable, and of those in which it is indifferent: negative and zero
/// eigenvalues of the tangent stiffness among the motions that the joints allow.
///
/// By the inertia of [[K, Gᵀ], [G, 0]]: each independent joint equation adds one positive and one negative eigenvalue.
///
/// `None` if the matrix is too close to singular to tell.
pub fn unstable_directions(linearised: &Linearised) -> Option<(usize, usize)> {
    if linearised.joints.nrows() > 0 && linearised.free.len() <= SMALL {
        return by_null_space(linearised);
    }
    let (pattern, values) = saddle(linearised);
    let joints = linearised.joints.nrows();
    let free = linearised.free.len();
    let mut ldl = SparseLdl::new();
    ldl.analyse(&pattern).ok()?;
    // Of the equilibrated matrix. Slender rods on fine grids have eigenvalues of 1e-12.
    let rounding = 1e-14 * (free as f64).sqrt();
    let count = |shift: f64, ldl: &mut SparseLdl| {
        let mut shifts = vec![shift; free];
        shifts.resize(free + joints, -1e-8);
        ldl.factor_shifted(&values, &shifts).ok().filter(|inertia| inertia.zero == 0)
    };
    // Eigenvalues within rounding of zero change sign between a shift up and a shift down.
    let (up, down) = (count(rounding, &mut ldl)?, count(-rounding, &mut ldl)?);
    let negative = up.negative.saturating_sub(joints);
    let doubtful = down.negative.saturating_sub(joints).saturating_sub(negative);
    let [negative, indifferent] = told_apart(linearised, [negative, doubtful]);
    Some((negative, indifferent))
}

/// As [`unstable_directions`], from ZᵀKZ with the motions Z that the joints allow; exact also where joints repeat each
/// other, and where a few bodies have next to no stiffness of their own.
fn by_null_space(linearised: &Linearised) -> Option<(usize, usize)> {
    let (free, joints) = (linearised.free.len(), linearised.joints.nrows());
    let mut k = DMatrix::<f64>::zeros(free, free);
    let mut g = DMatrix::<f64>::zeros(free.max(joints), free);
    for col in 0..free {
        linearised
            .pattern
            .column(col)
            .for_each(|e| k[(linearised.pattern.row_idx()[e], col)] = linearised.stiffness[e]);
        linearised
            .joints
            .column(col)
            .for_each(|e| g[(linearised.joints.row_idx()[e], col)] = linearised.joint_values[e]);
    }
    // Forces and moments, soft and stiff parts on one scale.
    let largest = k.amax();
    if !largest.is_finite() || !g.amax().is_finite() {
        return None;
    }
    if largest > 0.0 {
        let scale: Vec<f64> = (0..free).map(|c| 1.0 / k.column(c).amax().max(1e-12 * largest).sqrt()).collect();
        for c in 0..free {
            for r in 0..free {
                k[(r, c)] *= scale[r] * scale[c];
            }
            g.column_mut(c).scale_mut(scale[c]);
        }
    }
    for mut row in g.row_iter_mut() {
        let norm = row.norm();
        if norm > 0.0 {
            row /= norm;
        }
    }
    let svd = g.svd(false, true);
    let v = svd.v_t?;
    let allowed: Vec<usize> = (0..free).filter(|&i| svd.singular_values[i] <= 1e-10).collect();
    if allowed.is_empty() {
        return Some((0, 0));
    }
    let z = DMatrix::from_fn(free, allowed.len(), |r, c| v[(allowed[c], r)]);
    let reduced = z.tr_mul(&(k * &z));
    let values = (0.5 * (&reduced + reduced.transpose())).symmetric_eigenvalues();
    let rounding = 4.0 * f64::EPSILON * free as f64;
    let negative = values.iter().filter(|value| **value < -rounding).count();
    Some((negative, values.iter().filter(|value| value.abs() <= rounding).count()))
}

/// The lower triangle of [[K, Gᵀ], [G, 0]].
fn saddle(linearised: &Linearised) -> (Pattern, Vec<f64>) {
    let lower = linearised.lower();
    let values = lower.values(&linearised.stiffness);
    let (free, joints) = (linearised.free.len(), linearised.joints.nrows());
    if joints == 0 {
        return (lower.pattern, values);
    }
    let mut builder = PatternBuilder::new(free + joints, free + joints);
    let mut out = Vec::new();
    for col in 0..free {
        let mut rows: Vec<usize> = lower.pattern.column(col).map(|entry| lower.pattern.row_idx()[entry]).collect();
        out.extend(lower.pattern.column(col).map(|entry| values[entry]));
        for entry in linearised.joints.column(col) {
            rows.push(free + linearised.joints.row_idx()[entry]);
            out.push(linearised.joint_values[entry]);
        }
        // Indices are within the matrix by construction.
        let _ = builder.add(&rows, &[col]);
    }
    for row in free..free + joints {
        let _ = builder.add(&[row], &[row]);
        out.push(0.0);
    }
    (builder.build().0, out)
}
