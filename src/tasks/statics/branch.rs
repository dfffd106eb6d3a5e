//! The branch of equilibria that begins in the unloaded state.

use crate::discretisation::assembly::Assembly;
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::{EvalFailure, Pattern, PatternBuilder, SquareSystem};
use crate::solver::linear::{LinearSolver, SparseLdl, SymmetricSolver, best_general_solver};
use crate::solver::{ArcLengthError, ArcLengthOptions, Newton, NewtonOptions, Path, PathPoint, follow};

/// Which part of the branch is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Wanted {
    /// Load factors at which states are wanted.
    pub factors: Vec<f64>,
    /// Lowest and highest load factor.
    pub range: [f64; 2],
    /// Limit points after which the branch ends.
    pub limit_points: usize,
    /// Steps after which it ends.
    pub max_steps: usize,
}

impl Wanted {
    /// States at these load factors, through as many limit points as it takes.
    pub fn at(factors: &[f64]) -> Self {
        let high = factors.iter().copied().fold(0.0, f64::max);
        let low = factors.iter().copied().fold(0.0, f64::min);
        Self { factors: factors.to_vec(), range: [low, high], limit_points: 20, max_steps: 1000 }
    }
}

/// Follows the branch from the unloaded state; `observe` sees each point and may end it.
pub fn branch(
    equilibrium: &mut Equilibrium<'_>,
    wanted: &Wanted,
    observe: &mut dyn FnMut(&PathPoint) -> bool,
) -> Result<Path, ArcLengthError> {
    let options = NewtonOptions { residual: 1e-10, step: 1e-8, ..NewtonOptions::default() };
    let mut newton = Newton::new(best_general_solver(equilibrium.pattern()), options);
    let start = equilibrium.start();
    let largest = wanted.factors.iter().chain(wanted.range.iter().filter(|bound| bound.is_finite()));
    let scale = largest.fold(0.0_f64, |m, factor| m.max(factor.abs()));
    let scale = if scale > 0.0 { scale } else { 1.0 };
    let increasing = wanted.range[1] > 0.0;
    let options = ArcLengthOptions {
        increasing,
        range: wanted.range,
        targets: wanted.factors.iter().copied().filter(|factor| *factor != 0.0).collect(),
        parameter_scale: scale,
        first_step: 0.1,
        max_steps: wanted.max_steps,
        max_limit_points: wanted.limit_points,
        ..ArcLengthOptions::default()
    };
    follow(&mut newton, equilibrium, &start, 0.0, &options, observe)
}

/// Number of directions in which an equilibrium is unstable, and of those in which it is indifferent: negative and zero
/// eigenvalues of the tangent stiffness among the motions that the joints allow.
///
/// By the inertia of [[K, Gᵀ], [G, 0]]: each independent joint equation adds one positive and one negative eigenvalue.
///
/// `None` if the matrix is too close to singular to tell.
pub fn unstable_directions(linearised: &Linearised) -> Option<(usize, usize)> {
    let (pattern, values) = saddle(linearised);
    let joints = linearised.joints.nrows();
    let free = linearised.free.len();
    let mut ldl = SparseLdl::new();
    ldl.analyse(&pattern).ok()?;
    let count = |shift: f64, ldl: &mut SparseLdl| {
        let mut shifts = vec![shift; free];
        shifts.resize(free + joints, -1e-8);
        ldl.factor_shifted(&values, &shifts).ok().filter(|inertia| inertia.zero == 0)
    };
    // Eigenvalues within rounding of zero change sign between a shift up and a shift down.
    let (up, down) = (count(1e-11, &mut ldl)?, count(-1e-11, &mut ldl)?);
    let negative = up.negative.saturating_sub(joints);
    Some((negative, down.negative.saturating_sub(joints).saturating_sub(negative)))
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

/// Forces and torques that supports apply, in space, by name and component.
pub fn reactions(
    assembly: &Assembly,
    equilibrium: &mut Equilibrium<'_>,
    x: &[f64],
) -> Result<Vec<(String, f64)>, EvalFailure> {
    let unbalanced = equilibrium.unbalanced(x)?;
    let q = equilibrium.configuration(x)?;
    Ok(support_forces(assembly, &q, &unbalanced))
}

/// As [`reactions`], from the forces that held degrees of freedom need.
pub fn support_forces(assembly: &Assembly, q: &[f64], unbalanced: &[f64]) -> Vec<(String, f64)> {
    let layout = &assembly.layout;
    let mut out = Vec::new();
    for support in &assembly.prescribed {
        let (kind, dof) = (layout.kind(support.node), layout.freedom(support.node));
        for (c, axis) in ["x", "y", "z"].into_iter().enumerate().take(kind.positions()) {
            if support.displacement[c].is_some() {
                out.push((format!("{}.force_{axis}", support.name), unbalanced[dof + c]));
            }
        }
        if support.rotation.is_none() {
            continue;
        }
        let moment = &unbalanced[dof + kind.positions()..dof + kind.freedoms()];
        match moment {
            [about_z] => out.push((format!("{}.torque_z", support.name), *about_z)),
            [a, b, c] => {
                let rotation = crate::discretisation::assembly::node_rotation(layout, q, support.node);
                let torque = rotation * nalgebra::Vector3::new(*a, *b, *c);
                for (c, axis) in ["x", "y", "z"].into_iter().enumerate() {
                    out.push((format!("{}.torque_{axis}", support.name), torque[c]));
                }
            }
            _ => {}
        }
    }
    out
}
