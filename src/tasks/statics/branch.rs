//! The branch of equilibria that begins in the unloaded state.

use thiserror::Error;

use super::growth::{grown, is_stressed};
use super::soft::softest;
use super::stability::unstable_directions;
use crate::discretisation::assembly::{Assembly, support_forces};
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::{EvalFailure, FollowedSystem, ParametricSystem, SquareSystem};
use crate::solver::linear::best_general_solver;
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
    /// Whether equilibria held by loads will do that some motion leaves indifferent, as the spin of a hanging body.
    pub indifferent: bool,
    /// A load factor that counts as a large one; the largest wanted unless stated.
    pub scale: Option<f64>,
    /// Where the branch begins; in the unloaded state unless stated.
    pub start: Option<Start>,
}

/// An equilibrium from which a branch is followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// The unknowns.
    pub x: Vec<f64>,
    /// The load factor.
    pub parameter: f64,
    /// Whether the load factor grows first; towards the wanted ones unless stated.
    pub increasing: Option<bool>,
}

/// What an observer sees of the way to equilibria.
#[derive(Debug, Clone, Copy)]
pub enum Seen<'a> {
    /// The next point of the branch.
    Point(&'a PathPoint),
    /// A state on the way to the beginning of the branch.
    Aside,
    /// The branch could not be followed and is begun anew by other means.
    Again,
}

/// Called with what happens on the way; returning false ends it.
pub type BranchObserver<'a> = &'a mut dyn FnMut(Seen<'_>) -> bool;

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
        Self {
            factors: factors.to_vec(),
            range,
            limit_points: 20,
            max_steps: 1000,
            indifferent: false,
            scale: None,
            start: None,
        }
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
    observe: BranchObserver<'_>,
) -> Result<Path, BranchError> {
    if equilibrium.size() == 0 {
        return Err(BranchError::Held);
    }
    let mut newton = solver(equilibrium);
    let stated = equilibrium.start();
    let largest = wanted.factors.iter().chain(wanted.range.iter().filter(|bound| bound.is_finite()));
    let scale = largest.fold(0.0_f64, |m, factor| m.max(factor.abs()));
    let scale = wanted.scale.unwrap_or(scale);
    let scale = if scale > 0.0 { scale } else { 1.0 };
    let increasing = wanted.start.as_ref().and_then(|start| start.increasing);
    let upward = wanted.factors.iter().any(|factor| *factor > 0.0) || wanted.factors.iter().all(|f| *f == 0.0);
    let options = ArcLengthOptions {
        increasing: increasing.unwrap_or(upward),
        range: wanted.range,
        targets: wanted.factors.iter().copied().filter(|factor| *factor != 0.0).collect(),
        parameter_scale: scale,
        first_step: 0.1,
        max_steps: wanted.max_steps,
        max_limit_points: wanted.limit_points,
        ..ArcLengthOptions::default()
    };
    if let Some(start) = &wanted.start {
        let seen = &mut |point: &PathPoint| observe(Seen::Point(point));
        return Ok(follow(&mut newton, equilibrium, &start.x, start.parameter, &options, seen)?);
    }
    let start = first_guess(equilibrium, newton.options);
    let loose = loose_freedom(equilibrium, &stated)?;
    let seen = &mut |point: &PathPoint| observe(Seen::Point(point));
    let mut followed = follow(&mut newton, equilibrium, &start, 0.0, &options, seen);
    if let (Err(ArcLengthError::Start { .. }), None) = (&followed, &loose)
        && let Some(relaxed) = relaxed(&mut newton, equilibrium, observe)
    {
        let seen = &mut |point: &PathPoint| observe(Seen::Point(point));
        followed = follow(&mut newton, equilibrium, &relaxed, 0.0, &options, seen);
    }
    // Loads may hold what nothing else does, and the path may be clear all the same.
    match followed {
        Ok(path)
            if loose.is_none()
                || wanted.factors.iter().all(|f| path.points.iter().any(|point| point.parameter == *f)) =>
        {
            Ok(path)
        }
        Ok(path) if matches!(path.end, PathEnd::Interrupted { .. }) => Ok(path),
        followed => {
            held_by_loads(&mut newton, equilibrium, wanted, observe).map_err(|reason| match (loose, followed) {
                (Some(freedom), _) => BranchError::Loose { freedom, reason },
                (None, Err(error)) => error.into(),
                (None, Ok(path)) => {
                    BranchError::Loose { freedom: "some coordinate".into(), reason: path.end.to_string() }
                }
            })
        }
    }
}

fn solver(equilibrium: &Equilibrium<'_>) -> Newton {
    let options = NewtonOptions { residual: 1e-10, step: 1e-8, ..NewtonOptions::default() };
    Newton::new(best_general_solver(equilibrium.pattern()), options)
}

/// Where the unloaded state is looked for. A prestrain is followed from nothing, as loads are; where that ends on the way, one
/// solve from the stated shape is all there is.
fn first_guess(equilibrium: &Equilibrium<'_>, options: NewtonOptions) -> Vec<f64> {
    let grown = is_stressed(equilibrium.assembly).then(|| grown(equilibrium, options)).flatten();
    grown.unwrap_or_else(|| equilibrium.start())
}

/// The unloaded state, if one solve finds it.
pub(super) fn unloaded(equilibrium: &mut Equilibrium<'_>) -> Option<Vec<f64>> {
    let mut newton = solver(equilibrium);
    let start = first_guess(equilibrium, newton.options);
    equilibrium.set_parameter(0.0);
    let solution = newton.solve(equilibrium, &start, &mut |_| true).ok()?;
    (solution.status == Status::Solved).then_some(solution.x)
}

/// A degree of freedom of a motion that the unloaded mechanism does not resist, if there is one.
pub(super) fn loose_freedom(equilibrium: &mut Equilibrium<'_>, start: &[f64]) -> Result<Option<String>, EvalFailure> {
    equilibrium.set_parameter(0.0);
    let linearised = Linearised::new(equilibrium, start)?;
    // None is too close to singular to tell.
    let loose = unstable_directions(&linearised).is_none_or(|(_, indifferent)| indifferent > 0);
    Ok(loose.then(|| softest_freedom(equilibrium, &linearised)))
}

/// The degree of freedom that takes most part in the softest motion, every degree of freedom counting alike.
fn softest_freedom(equilibrium: &Equilibrium<'_>, linearised: &Linearised) -> String {
    let modes = softest(linearised, equilibrium.assembly, 1);
    let shape = modes.ok().and_then(|modes| modes.shapes.into_iter().next());
    let moved = shape.and_then(|shape| (0..shape.len()).max_by(|a, b| shape[*a].abs().total_cmp(&shape[*b].abs())));
    moved.map_or_else(
        || "some coordinate".to_owned(),
        |unknown| equilibrium.assembly.freedom_name(linearised.free[unknown]),
    )
}

/// The unloaded state of a mechanism whose stated shape is not in equilibrium, by letting go of it.
fn relaxed(newton: &mut Newton, equilibrium: &mut Equilibrium<'_>, observe: BranchObserver<'_>) -> Option<Vec<f64>> {
    let start = equilibrium.start();
    equilibrium.grip().ok()?;
    let path = follow(newton, equilibrium, &start, 0.0, &to_one(), &mut |_| observe(Seen::Aside));
    equilibrium.release();
    equilibrium.set_parameter(0.0);
    path.ok()?.of_kind(PointKind::Target).next().map(|point| point.x.clone())
}

/// From parameter 0 to 1.
fn to_one() -> ArcLengthOptions {
    ArcLengthOptions {
        increasing: true,
        range: [-0.5, 1.0],
        targets: vec![1.0],
        parameter_scale: 1.0,
        first_step: 0.1,
        max_steps: 1000,
        max_limit_points: 20,
        ..ArcLengthOptions::default()
    }
}

/// Equilibria of a mechanism that only its loads hold: from the stated shape, held by springs that vanish as the loads
/// reach each wanted factor.
fn held_by_loads(
    newton: &mut Newton,
    equilibrium: &mut Equilibrium<'_>,
    wanted: &Wanted,
    observe: BranchObserver<'_>,
) -> Result<Path, String> {
    observe(Seen::Again);
    let mut factors: Vec<f64> = wanted.factors.iter().copied().filter(|factor| *factor != 0.0).collect();
    factors.sort_by(f64::total_cmp);
    let mut points = Vec::new();
    let name = equilibrium.parameter_name();
    for parameter in factors {
        let found = released(newton, equilibrium, parameter, observe);
        equilibrium.release();
        equilibrium.set_parameter(parameter);
        let x = found?;
        let linearised = Linearised::new(equilibrium, &x).map_err(|failure| format!(": {failure}"))?;
        if !wanted.indifferent && unstable_directions(&linearised).is_none_or(|(_, indifferent)| indifferent > 0) {
            let softest = softest_freedom(equilibrium, &linearised);
            return Err(format!("; the loads hold it, but nothing resists a change of {softest} there"));
        }
        let point = PathPoint { kind: PointKind::Target, parameter, x, rate: 1.0, arc: 0.0, iterations: 0 };
        let wanted = observe(Seen::Point(&point));
        points.push(point);
        if !wanted {
            return Ok(Path { points, rejected: 0, end: PathEnd::Interrupted { name, parameter } });
        }
    }
    let bound = points.last().map_or(0.0, |point| point.parameter);
    Ok(Path { points, rejected: 0, end: PathEnd::Range { name, bound } })
}

/// The state in which the loads times `factor` have taken over from the springs.
fn released(
    newton: &mut Newton,
    equilibrium: &mut Equilibrium<'_>,
    factor: f64,
    observe: BranchObserver<'_>,
) -> Result<Vec<f64>, String> {
    if !equilibrium.hold_by_springs(factor).map_err(|failure| format!(": {failure}"))? {
        return Err(", and there are no loads to hold it".into());
    }
    let start = equilibrium.start();
    let lost = |why: String| format!(", and no equilibrium held by the loads was found from the stated shape: {why}");
    let path = follow(newton, equilibrium, &start, 0.0, &to_one(), &mut |_| observe(Seen::Aside))
        .map_err(|e| lost(e.to_string()))?;
    match path.of_kind(PointKind::Target).next() {
        Some(point) => Ok(point.x.clone()),
        None => Err(lost(path.end.to_string())),
    }
}

/// Forces and torques that supports apply, in space, by name and component.
pub fn reactions(
    assembly: &Assembly,
    equilibrium: &mut Equilibrium<'_>,
    x: &[f64],
) -> Result<Vec<(String, f64)>, EvalFailure> {
    let [held, rows] = holding(assembly, equilibrium, x)?;
    let q = equilibrium.configuration(x)?;
    Ok(support_forces(assembly, &q, &held, &rows))
}

/// Forces that held degrees of freedom need, and those along the equations of joints and supports.
pub fn holding(
    assembly: &Assembly,
    equilibrium: &mut Equilibrium<'_>,
    x: &[f64],
) -> Result<[Vec<f64>; 2], EvalFailure> {
    let unbalanced = equilibrium.unbalanced(x)?;
    // Multipliers pull at the mechanism with −λ ∂g.
    let rows = x[x.len() - assembly.rows..].iter().map(|lambda| -lambda).collect();
    Ok([unbalanced, rows])
}
