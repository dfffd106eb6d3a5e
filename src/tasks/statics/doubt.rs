//! Motions whose stiffness is so small beside that of their parts that shifts of the matrix do not tell it from nothing.

use crate::discretisation::linearised::Linearised;
use crate::solver::eigen::{Pencil, lowest_modes};

/// Rounding errors of an entry of the stiffness, in units of the last place.
const ULPS: f64 = 16.0;
/// Motions looked at one by one, at most.
const MOST: usize = 6;

/// Numbers of unstable and of indifferent directions, where `negative` and `doubtful` ones were counted: the work vᵀKv of
/// each of the softest motions v is told from nothing where it is above its rounding error, 16 ε |v|ᵀ|K||v|. That of a fine mesh is far
/// below what a shift of the matrix can tell, because the rounding errors of its many entries do not add up in one direction.
pub fn told_apart(linearised: &Linearised, [negative, doubtful]: [usize; 2]) -> [usize; 2] {
    let count = negative + doubtful;
    if doubtful == 0 || count > MOST {
        return [negative, doubtful];
    }
    // Every degree of freedom counts by its own stiffness, as in the equilibrated matrix.
    let (pattern, stiffness) = (&linearised.pattern, &linearised.stiffness);
    let mut own = vec![0.0; pattern.nnz()];
    for col in 0..pattern.ncols() {
        let diagonal = pattern.column(col).find(|&entry| pattern.row_idx()[entry] == col);
        diagonal.into_iter().for_each(|entry| own[entry] = stiffness[entry].abs());
    }
    if own.iter().all(|value| *value == 0.0) {
        return [negative, doubtful];
    }
    let joints = &linearised.joints;
    let constraints = (joints.nrows() > 0).then_some((joints, linearised.joint_values.as_slice()));
    let pencil =
        Pencil { pattern, stiffness, mass: &own, damping: None, constraints, compliance: Some(&linearised.compliance) };
    let Ok(modes) = lowest_modes(pencil, count, &mut || false) else { return [negative, doubtful] };
    if modes.shapes.len() < count {
        return [negative, doubtful];
    }
    let mut found = [0; 2];
    for shape in modes.shapes.iter().take(count) {
        let (mut work, mut rounding) = (0.0, 0.0);
        for col in 0..pattern.ncols() {
            for entry in pattern.column(col) {
                let term = shape[pattern.row_idx()[entry]] * stiffness[entry] * shape[col];
                work += term;
                rounding += term.abs();
            }
        }
        rounding *= ULPS * f64::EPSILON;
        found[0] += usize::from(work < -rounding);
        found[1] += usize::from(work.abs() <= rounding);
    }
    found
}
