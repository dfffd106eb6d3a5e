//! Where a system that is stated by its Lagrangian rests, and how it vibrates about that.
//!
//! At rest ∂L/∂q + Q + Gᵀλ = 0 and g = 0 with all velocities zero. Small motions about that obey M ü + D u̇ + K u = 0 in the
//! directions that the constraints leave, with M = ∂²L/∂v², D = ∂²L/∂v∂q − ∂²L/∂q∂v − ∂Q/∂v and K = −∂(∂L/∂q + Q + Gᵀλ)/∂q.

mod descent;
mod linear;
mod modes;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use nalgebra::DVector;

use super::{KnownAnswer, Observer};
use crate::discretisation::transcription::Mechanics;
use crate::nlp::EvalFailure;
use crate::results::{Outcome, Report, RunStatus, SCHEMA_VERSION, Timing};
use linear::{Equations, Linear};

/// What is asked of a system at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Asked {
    /// The equilibrium itself.
    Equilibrium,
    /// Vibrations about it.
    Modes {
        /// How many.
        count: usize,
        /// Whether damping counts.
        damped: bool,
    },
}

/// A system that rests somewhere.
#[derive(Clone)]
pub struct RestingSystem {
    /// Title of the problem.
    pub title: String,
    /// Its energies and forces; controls are zero.
    pub mechanics: Arc<dyn Mechanics>,
    /// Coordinates near which it is looked for.
    pub start: Vec<f64>,
    /// Time at which forces and energies that depend on it are taken, second.
    pub t: f64,
    /// What is asked.
    pub asked: Asked,
    /// Units of the coordinates.
    pub units: BTreeMap<String, String>,
    /// Known answers.
    pub expect: Vec<KnownAnswer>,
}

impl std::fmt::Debug for RestingSystem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RestingSystem").field("title", &self.title).field("start", &self.start).finish_non_exhaustive()
    }
}

impl RestingSystem {
    /// The task in problem files.
    pub fn task(&self) -> &'static str {
        match self.asked {
            Asked::Equilibrium => "statics",
            Asked::Modes { .. } => "modes",
        }
    }

    /// Names of the scalars of its result.
    pub fn scalar_names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.mechanics.coordinates().iter().map(|name| format!("equilibrium.{name}")).collect();
        names.extend(["stability.unstable_directions", "stability.indifferent_directions"].map(str::to_owned));
        if let Asked::Modes { count, .. } = self.asked {
            names.push("modes.zero".into());
            let of_mode =
                |k: usize| ["omega", "frequency", "real", "damping_ratio"].map(|what| format!("modes.{k}.{what}"));
            names.extend((1..=count).flat_map(of_mode));
        }
        names
    }
}

/// Why there is no answer.
struct Failure {
    status: RunStatus,
    message: String,
}

impl From<EvalFailure> for Failure {
    fn from(failure: EvalFailure) -> Self {
        Self { status: RunStatus::Undefined, message: failure.to_string() }
    }
}

/// Finds the equilibrium and tells what is asked of it.
pub fn run(system: &RestingSystem, observer: &mut dyn Observer) -> Outcome {
    let clock = Instant::now();
    observer.phase("equilibrium", 1);
    let report = Report {
        schema: SCHEMA_VERSION,
        program: format!("lariat {}", env!("CARGO_PKG_VERSION")),
        title: system.title.clone(),
        task: system.task().into(),
        method: "Newton's method on the stationary Lagrangian".into(),
        status: RunStatus::Solved,
        ..Report::default()
    };
    let mut outcome = Outcome { report, ..Outcome::default() };
    if let Err(failure) = answer(system, &mut outcome.report) {
        outcome.report.status = failure.status;
        outcome.report.message = Some(failure.message);
    }
    outcome.report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    let scalars = &outcome.report.scalars;
    outcome.report.expectations = system.expect.iter().map(|known| known.judge(scalars)).collect();
    outcome
}

fn answer(system: &RestingSystem, report: &mut Report) -> Result<(), Failure> {
    let names = system.mechanics.coordinates();
    let mut equations = Equations::new(&*system.mechanics, system.t);
    report.sizes.insert("coordinates".into(), names.len() as f64);
    report.sizes.insert("constraints".into(), equations.constraints() as f64);
    let (x, iterations) = equilibrium(&mut equations, &system.start, &names).or_else(|failure| {
        // Far from a rest, or where constraints have no slope, Newton's method has no direction: the energy has.
        match descent::least_energy(&*system.mechanics, system.t, &system.start) {
            Some(start) => equilibrium(&mut equations, &start, &names),
            None => Err(failure),
        }
    })?;
    report.scalars.extend(names.iter().zip(x.iter()).map(|(name, value)| (format!("equilibrium.{name}"), *value)));
    report.scalars.insert("newton_iterations".into(), iterations as f64);
    report.units.extend(system.units.iter().map(|(name, unit)| (name.clone(), unit.clone())));
    let linear = equations.linear(&x)?;
    stability(&linear, report);
    match system.asked {
        Asked::Equilibrium => {
            if report.scalars.get("stability.unstable_directions").is_some_and(|count| *count > 0.0) {
                report.status = RunStatus::Unstable;
            }
            Ok(())
        }
        Asked::Modes { count, damped } => modes::tell(&linear, count, damped, report),
    }
}

/// Newton's method with steps that are halved until the residual falls. Conditions that repeat each other do no harm: steps are the
/// shortest that satisfy the equations.
fn equilibrium(equations: &mut Equations, start: &[f64], names: &[String]) -> Result<(DVector<f64>, usize), Failure> {
    /// Steps, relative to the coordinates, below which nothing is left to gain.
    const CONVERGED: f64 = 1e-12;
    const MOST: usize = 200;
    /// Singular values below this, against the largest, tell nothing.
    const SINGULAR: f64 = 1e-13;
    let mut x = DVector::zeros(start.len() + equations.constraints());
    x.rows_mut(0, start.len()).copy_from_slice(start);
    let mut residual = equations.residual(&x)?;
    for iteration in 0..MOST {
        let svd = equations.jacobian(&x)?.svd(true, true);
        let largest = svd.singular_values.max();
        let step = svd.solve(&-&residual, SINGULAR * largest).map_err(|reason| Failure {
            status: RunStatus::Singular,
            message: format!("the equations of rest cannot be solved: {reason}"),
        })?;
        let mut share = 1.0;
        loop {
            let next = &x + &step * share;
            // Where the energy does not exist the step is too long.
            let moved = equations.residual(&next).ok().filter(|found| found.iter().all(|value| value.is_finite()));
            let small = step.amax() * share <= CONVERGED * (1.0 + x.amax());
            if let Some(found) = moved.filter(|found| found.norm() < residual.norm() || small) {
                (x, residual) = (next, found);
                break;
            }
            share *= 0.5;
            if small || share < 1e-10 {
                return Err(not_found(&residual, names));
            }
        }
        if step.amax() * share <= CONVERGED * (1.0 + x.amax()) {
            // A step of nothing is no equilibrium where the equations contradict each other.
            let scale = largest * (1.0 + x.amax());
            let at_rest = residual.amax() <= 1e-8 * scale.max(f64::MIN_POSITIVE);
            return if at_rest { Ok((x, iteration + 1)) } else { Err(not_found(&residual, names)) };
        }
    }
    Err(not_found(&residual, names))
}

fn not_found(residual: &DVector<f64>, names: &[String]) -> Failure {
    let worst = residual.iamax();
    let what = match names.get(worst) {
        Some(name) => format!("the force on `{name}` is still {:.3e}", residual[worst]),
        None => format!("a constraint is still missed by {:.3e}", residual[worst]),
    };
    let message = format!(
        "no equilibrium was found near the start: {what}; state coordinates nearer to it in `start`, or there is none"
    );
    Failure { status: RunStatus::NotConverged, message }
}

/// Counts directions in which the energy falls, and those in which it does not change.
fn stability(linear: &Linear, report: &mut Report) {
    /// Stiffness, against the largest, that rounding errors leave.
    const NOTHING: f64 = 1e-10;
    let stiffness = linear.reduced(&linear.stiffness);
    let symmetric = (&stiffness + stiffness.transpose()) * 0.5;
    let size = symmetric.amax();
    let values = symmetric.symmetric_eigenvalues();
    let unstable = values.iter().filter(|value| **value < -NOTHING * size).count();
    let indifferent = values.iter().filter(|value| value.abs() <= NOTHING * size).count();
    report.scalars.insert("stability.unstable_directions".into(), unstable as f64);
    report.scalars.insert("stability.indifferent_directions".into(), indifferent as f64);
    if unstable > 0 {
        report.warnings.push(format!(
            "this equilibrium is unstable: the energy falls in {unstable} directions, and the system would leave it"
        ));
    }
    if indifferent > 0 {
        report.warnings.push(format!("{indifferent} motions meet no resistance at this equilibrium"));
    }
}
