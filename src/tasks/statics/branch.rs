//! The branch of equilibria that begins in the unloaded state.

use thiserror::Error;

use crate::discretisation::assembly::{Anchor, Assembly, Row};
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::{EvalFailure, FollowedSystem, ParametricSystem, Pattern, PatternBuilder, SquareSystem};
use crate::solver::eigen::{Pencil, lowest_modes};
use crate::solver::linear::{LinearSolver, SparseLdl, SymmetricSolver, best_general_solver};
use crate::solver::{
    ArcLengthError, ArcLengthOptions, Newton, NewtonOptions, Path, PathEnd, PathPoint, PointKind, Status, follow,
};

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
    /// States at these load factors, all of one sign, through as many limit points as it takes. Beyond a limit point the
    /// loads may turn round, so the branch may reach as far on the other side.
    pub fn at(factors: &[f64]) -> Self {
        let high = factors.iter().copied().fold(0.0, f64::max);
        let low = factors.iter().copied().fold(0.0, f64::min);
        let range = match (low < 0.0, high > 0.0) {
            (true, false) => [low, -low],
            // Nothing but the unloaded state.
            (false, false) => [-1e-6, 1e-6],
            _ => [low.min(-high), high],
        };
        Self { factors: factors.to_vec(), range, limit_points: 20, max_steps: 1000 }
    }
}

/// Why there is no branch.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum BranchError {
    /// Nothing resists some motion of the unloaded mechanism, and its loads do not hold it either.
    #[error("nothing resists a change of {freedom} in the unloaded state{reason}")]
    Loose {
        /// A degree of freedom that takes part in the motion.
        freedom: String,
        /// What happened when the loads were to hold it.
        reason: String,
    },
    /// Every coordinate is held.
    #[error("nothing can move: every coordinate is held")]
    Held,
    /// The path cannot be started.
    #[error(transparent)]
    Path(#[from] ArcLengthError),
    /// Something cannot be evaluated.
    #[error("{0}")]
    Evaluation(#[from] EvalFailure),
}

/// Equilibria at the wanted load factors.
///
/// They are followed from the unloaded state; `observe` sees each point and may end it. A mechanism that only its loads
/// hold, such as a hanging pendulum, has no branch from there: its equilibrium is sought from the stated shape.
pub fn branch(
    equilibrium: &mut Equilibrium<'_>,
    wanted: &Wanted,
    observe: &mut dyn FnMut(&PathPoint) -> bool,
) -> Result<Path, BranchError> {
    if equilibrium.size() == 0 {
        return Err(BranchError::Held);
    }
    let options = NewtonOptions { residual: 1e-10, step: 1e-8, ..NewtonOptions::default() };
    let mut newton = Newton::new(best_general_solver(equilibrium.pattern()), options);
    let start = equilibrium.start();
    let largest = wanted.factors.iter().chain(wanted.range.iter().filter(|bound| bound.is_finite()));
    let scale = largest.fold(0.0_f64, |m, factor| m.max(factor.abs()));
    let scale = if scale > 0.0 { scale } else { 1.0 };
    let increasing = wanted.factors.iter().any(|factor| *factor > 0.0) || wanted.factors.iter().all(|f| *f == 0.0);
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
    let loose = loose_freedom(equilibrium, &start)?;
    let followed = follow(&mut newton, equilibrium, &start, 0.0, &options, observe);
    let Some(freedom) = loose else { return Ok(followed?) };
    // Loads may hold what nothing else does, and the path may be clear all the same.
    match followed {
        Ok(path) if wanted.factors.iter().all(|f| path.points.iter().any(|point| point.parameter == *f)) => Ok(path),
        _ => held_by_loads(&mut newton, equilibrium, wanted, observe)
            .map_err(|reason| BranchError::Loose { freedom, reason }),
    }
}

/// A degree of freedom of a motion that the unloaded mechanism does not resist, if there is one.
fn loose_freedom(equilibrium: &mut Equilibrium<'_>, start: &[f64]) -> Result<Option<String>, EvalFailure> {
    equilibrium.set_parameter(0.0);
    let linearised = Linearised::new(equilibrium, start)?;
    let loose = match unstable_directions(&linearised) {
        Some((_, indifferent)) => indifferent > 0,
        // Too close to singular to tell.
        None => true,
    };
    if !loose {
        return Ok(None);
    }
    // The softest motion, every degree of freedom counting alike.
    let mut unit = vec![0.0; linearised.pattern.nnz()];
    for col in 0..linearised.pattern.ncols() {
        let diagonal = linearised.pattern.column(col).find(|&entry| linearised.pattern.row_idx()[entry] == col);
        diagonal.into_iter().for_each(|entry| unit[entry] = 1.0);
    }
    let pencil = Pencil {
        pattern: &linearised.pattern,
        stiffness: &linearised.stiffness,
        mass: &unit,
        damping: None,
        constraints: (linearised.joints.nrows() > 0)
            .then_some((&linearised.joints, linearised.joint_values.as_slice())),
    };
    let softest = lowest_modes(pencil, 1, &mut || false).ok().and_then(|modes| modes.shapes.into_iter().next());
    let moved = softest.and_then(|shape| (0..shape.len()).max_by(|a, b| shape[*a].abs().total_cmp(&shape[*b].abs())));
    let name = moved.map_or_else(
        || "some coordinate".to_owned(),
        |unknown| equilibrium.assembly.freedom_name(linearised.free[unknown]),
    );
    Ok(Some(name))
}

/// Equilibria sought by Newton's method from the stated shape, one load factor after the other.
fn held_by_loads(
    newton: &mut Newton,
    equilibrium: &mut Equilibrium<'_>,
    wanted: &Wanted,
    observe: &mut dyn FnMut(&PathPoint) -> bool,
) -> Result<Path, String> {
    let mut factors: Vec<f64> = wanted.factors.iter().copied().filter(|factor| *factor != 0.0).collect();
    factors.sort_by(f64::total_cmp);
    let mut x = equilibrium.start();
    let mut points = Vec::new();
    let name = equilibrium.parameter_name();
    for parameter in factors {
        equilibrium.set_parameter(parameter);
        let solution = newton.solve(equilibrium, &x, &mut |_| true).map_err(|error| {
            format!(", and no equilibrium held by the loads was found from the stated shape: {error}")
        })?;
        if solution.status != Status::Solved {
            let why = solution.message.unwrap_or_default();
            return Err(format!(", and no equilibrium was found next to the stated shape: {why}"));
        }
        let linearised = Linearised::new(equilibrium, &solution.x).map_err(|failure| format!(": {failure}"))?;
        if unstable_directions(&linearised).is_none_or(|(_, indifferent)| indifferent > 0) {
            return Err(", and next to the stated shape the loads do not resist it either".into());
        }
        x.clone_from(&solution.x);
        let iterations = solution.iterations.len();
        let point = PathPoint { kind: PointKind::Target, parameter, x: solution.x, rate: 1.0, arc: 0.0, iterations };
        let wanted = observe(&point);
        points.push(point);
        if !wanted {
            return Ok(Path { points, rejected: 0, end: PathEnd::Interrupted { name, parameter } });
        }
    }
    let bound = points.last().map_or(0.0, |point| point.parameter);
    Ok(Path { points, rejected: 0, end: PathEnd::Range { name, bound } })
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
    // Multipliers pull at the mechanism with −λ ∂g.
    let rows: Vec<f64> = x[x.len() - assembly.rows..].iter().map(|lambda| -lambda).collect();
    Ok(support_forces(assembly, &q, &unbalanced, &rows))
}

/// As [`reactions`], from the forces that held degrees of freedom need and those along the equations of joints. What two
/// supports hold together is told of the first.
pub fn support_forces(assembly: &Assembly, q: &[f64], unbalanced: &[f64], rows: &[f64]) -> Vec<(String, f64)> {
    let layout = &assembly.layout;
    let mut out = Vec::new();
    let mut left = unbalanced.to_vec();
    let mut take = |dof: usize| std::mem::take(&mut left[dof]);
    for support in &assembly.prescribed {
        let (kind, dof) = (layout.kind(support.node), layout.freedom(support.node));
        for (c, axis) in ["x", "y", "z"].into_iter().enumerate().take(kind.positions()) {
            if support.displacement[c].is_some() {
                out.push((format!("{}.force_{axis}", support.name), take(dof + c)));
            }
        }
        if support.rotation.is_none() {
            continue;
        }
        let moment: Vec<f64> = (dof + kind.positions()..dof + kind.freedoms()).map(&mut take).collect();
        match moment.as_slice() {
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
    // Supports that hold a point beside its node do so by equations.
    let mut index = 0;
    for joint in &assembly.constraints {
        let of_support = joint.sides.iter().any(|side| match side {
            Anchor::Ground(_, displacement) => displacement.iter().any(Option::is_some),
            Anchor::Node(_) => false,
        });
        for row in &joint.rows {
            if let (true, Row::Coordinate(axis)) = (of_support, row) {
                out.push((format!("{}.force_{}", joint.name, ["x", "y", "z"][*axis]), rows[index]));
            }
            index += 1;
        }
    }
    out
}
