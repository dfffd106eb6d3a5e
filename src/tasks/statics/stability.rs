//! Stability of an equilibrium: the signs of the stiffness among the motions that the joints allow.

use nalgebra::DMatrix;

use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::{EvalFailure, Pattern, PatternBuilder};
use crate::solver::eigen::{EigenError, Modes, Pencil, lowest_modes};
use crate::solver::linear::{LinearSolver, SparseLdl, SymmetricSolver};

/// Degrees of freedom up to which motions that joints allow are found one by one.
const SMALL: usize = 300;
/// Most soft motions that are looked at one by one.
const MOST: usize = 12;
/// Relative error of the energy of a motion: what loads and stiffness have in common beyond this is critical.
const CRITICAL: f64 = 1e-9;

/// As [`unstable_directions`], of a mechanism that resists every motion without its loads.
///
/// The inertia of the stiffness decides where it can. On fine meshes of slender rods its rounding errors exceed the
/// stiffness of bending: then the softest motions are found, and the energy of each is computed from its strains.
pub fn unstable_if_held(
    equilibrium: &mut Equilibrium<'_>,
    x: &[f64],
    linearised: &Linearised,
) -> Result<Option<(usize, usize)>, EvalFailure> {
    let counted = unstable_directions(linearised);
    if let Some((_, 0)) = counted {
        return Ok(counted);
    }
    let there = linearised.free.len().saturating_sub(linearised.joints.nrows());
    let wanted = counted.map_or(4, |(unstable, indifferent)| unstable + indifferent + 2).min(there);
    if wanted == 0 || wanted > MOST {
        return Ok(counted);
    }
    let Ok(modes) = softest(linearised, wanted, |_| 1.0) else { return Ok(counted) };
    let free = &linearised.free;
    let energies = equilibrium.second_variation(x, free, &modes.shapes)?.symmetric_eigen();
    let (mut unstable, mut indifferent) = (0, 0);
    for (energy, shares) in energies.eigenvalues.iter().zip(energies.eigenvectors.column_iter()) {
        let mut motion = vec![0.0; free.len()];
        for (share, shape) in shares.iter().zip(&modes.shapes) {
            motion.iter_mut().zip(shape).for_each(|(sum, part)| *sum += share * part);
        }
        let strain = equilibrium.strain_energy_of(x, free, &motion)?;
        // What the strains make and what the loads make of it.
        let size = strain + (energy - strain).abs();
        if energy.abs() <= CRITICAL * size {
            indifferent += 1;
        } else if *energy < 0.0 {
            unstable += 1;
        }
    }
    Ok(Some((unstable, indifferent)))
}

/// The softest motions that the joints allow, where degrees of freedom weigh as `weight` says of each.
pub fn softest(linearised: &Linearised, count: usize, weight: impl Fn(usize) -> f64) -> Result<Modes, EigenError> {
    let mut unit = vec![0.0; linearised.pattern.nnz()];
    for col in 0..linearised.pattern.ncols() {
        let diagonal = linearised.pattern.column(col).find(|&entry| linearised.pattern.row_idx()[entry] == col);
        diagonal.into_iter().for_each(|entry| unit[entry] = weight(linearised.free[col]));
    }
    let stiffness = linearised.symmetric(&linearised.stiffness);
    let pencil = Pencil {
        pattern: &linearised.pattern,
        stiffness: &stiffness,
        mass: &unit,
        damping: None,
        constraints: linearised.constraints(),
    };
    lowest_modes(pencil, count, &mut || false)
}

/// Negative eigenvalues of the stiffness among the motions that the joints allow, as the pivots of one factorisation tell.
pub fn negative_directions(linearised: &Linearised) -> Option<usize> {
    let (pattern, values) = saddle(linearised);
    let (joints, free) = (linearised.joints.nrows(), linearised.free.len());
    let mut ldl = SparseLdl::new();
    ldl.analyse(&pattern).ok()?;
    let mut shifts = vec![0.0; free];
    shifts.resize(free + joints, -1e-8);
    ldl.factor_shifted(&values, &shifts).ok().map(|inertia| inertia.negative.saturating_sub(joints))
}

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
    Some((negative, down.negative.saturating_sub(joints).saturating_sub(negative)))
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
