//! Optimal control and inverse dynamics of ropes, beams, rods and rigid bodies: which forces make a mechanism move as wanted?
//!
//! A problem is read from a file by [`load`] or built by [`MechanismBuilder`]; [`solve`] answers it, [`verify`] proves a stored
//! answer by a forward simulation on another mesh that is driven by the computed actuation alone. [`results::store`] writes an
//! [`Outcome`], and `plots::draw` pictures it.
//!
//! # Inverse dynamics
//!
//! The tip of a beam follows a path: which forces at the other end? The stiff beam is nearly a rigid one, whose force is m ẍ.
//!
//! ```
//! use lariat::{MechanismBuilder, Part};
//!
//! let beam = Part::beam([0.0, 0.0], [1.0, 0.0], 10)
//!     .set("stiffness", Part::new().set("axial", 100.0).set("shear", 100.0).set("bending", 10.0))
//!     .set("inertia", Part::new().set("mass", 1.0).set("rotary", 0.1));
//! let problem = MechanismBuilder::plane()
//!     .time(6.0, 120)
//!     .rod("beam", beam)
//!     .actuator("base", Part::at("beam.start").set("acts", ["force_x", "force_y", "torque"]))
//!     .servo("tip", Part::at("beam.end").set("x", "1 + 0.2*rest(t, 1, 5, 6)").set("y", 0.0).set("angle", 0.0))
//!     .task("inverse-dynamics", Part::new())?;
//! let outcome = lariat::solve(&problem);
//! assert!(outcome.report.status.is_solved());
//! assert!(outcome.report.verification.as_ref().is_some_and(|proof| proof.passed));
//! let force = outcome.actuation.column("base.force_x").unwrap();
//! let path = outcome.servo.column("tip.x").unwrap();
//! let dt = 6.0 / 120.0;
//! for k in 1..120 {
//!     let acceleration = (path[k - 1] - 2.0 * path[k] + path[k + 1]) / (dt * dt);
//!     assert!((force[k] - acceleration).abs() < 0.01);
//! }
//! assert!(lariat::verify(&problem, &outcome).unwrap().unwrap().passed);
//! # Ok::<(), lariat::Diagnostics>(())
//! ```
//!
//! # Optimal control
//!
//! A cart of one kilogram moves by one metre in one second with the least effort ½∫u²: it costs 6.
//!
//! ```
//! use lariat::{MechanismBuilder, Part};
//!
//! let cart = Part::new()
//!     .set("coordinates", ["x"])
//!     .set("controls", ["u"])
//!     .set("lagrangian", "0.5*x_dot^2")
//!     .set("forces.x", "u");
//! let problem = MechanismBuilder::system(cart).time(1.0, 50).task(
//!     "optimal-control",
//!     Part::new().set("objective.effort", 1.0).set("start.x", 0.0).set("end.x", 1.0),
//! )?;
//! let outcome = lariat::solve(&problem);
//! assert!(outcome.report.status.is_solved());
//! assert!((outcome.report.scalars["objective"] - 6.0).abs() < 0.01);
//! # Ok::<(), lariat::Diagnostics>(())
//! ```
//!
//! # Simulation and modes
//!
//! A clamped beam swings freely, at its lowest frequency 3.516 √(EI/ρA L⁴).
//!
//! ```
//! use lariat::{MechanismBuilder, Part};
//!
//! let clamped = || {
//!     let beam = Part::beam([0.0, 0.0], [1.0, 0.0], 20)
//!         .set("stiffness", Part::new().set("axial", 1e5).set("shear", 1e5).set("bending", 1.0))
//!         .set("inertia", Part::new().set("mass", 1.0).set("rotary", 1e-5));
//!     MechanismBuilder::plane().rod("beam", beam).support("root", Part::at("beam.start").set("type", "clamp"))
//! };
//! let modes = lariat::solve(&clamped().task("modes", Part::new().set("count", 2))?);
//! assert!((modes.report.scalars["modes.1.omega"] - 3.516).abs() < 0.01);
//!
//! let pushed = clamped().load("tip", Part::at("beam.end").set("force", [0.0, 0.1])).time(2.0, 100);
//! let motion = lariat::solve(&pushed.task("simulate", Part::new())?);
//! let tip = motion.motion.column("beam.end.y").unwrap();
//! // A load that comes at once swings to twice the static sag, F L³/3EI.
//! let highest = tip.iter().copied().fold(0.0, f64::max);
//! assert!((highest - 2.0 * 0.1 / 3.0).abs() < 0.005);
//! # Ok::<(), lariat::Diagnostics>(())
//! ```
//!
//! Statics is the example of [`MechanismBuilder`]. The library alone, without command line and pictures, is built with
//! `default-features = false`. [`nlp`] and [`solver`] know no mechanics and serve on their own: see [`solver::constrained`].
//!
//! Inside, `terms` defines each energy, inertia, work and condition once, over any `scalar`; `discretisation` makes equations of
//! them, marched in time or in space or solved at once. Imports go downward only; `docs/architecture.md` has the picture.

mod answer;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod discretisation;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod geometry;
#[doc(hidden)]
pub mod kernel;
#[doc(hidden)]
pub mod material;
#[doc(hidden)]
pub mod mechanism;
pub mod nlp;
#[cfg(feature = "plots")]
pub mod plots;
pub mod problem;
pub mod results;
#[doc(hidden)]
pub mod scalar;
pub mod solver;
pub mod tasks;
#[doc(hidden)]
pub mod terms;

pub use problem::{Diagnostic, Diagnostics, MechanismBuilder, Part, Problem, Question, Setting, load};
pub use results::{Outcome, Report, RodField, RunStatus, Table, Verification};
pub use tasks::{Observer, Silent, TASKS, Task, TaskError};

/// Answers a problem. The outcome always has a status; what was found before a failure is in it.
pub fn solve(problem: &Problem) -> Outcome {
    solve_with(problem, &mut Silent)
}

/// As [`solve`], with an observer that is told of progress and may interrupt.
pub fn solve_with(problem: &Problem, observer: &mut dyn Observer) -> Outcome {
    problem.solve(observer)
}

/// Proves a stored answer again by a forward simulation from its actuation alone. None of a task without an actuation, whose
/// answer can only be reproduced by solving again.
pub fn verify(problem: &Problem, stored: &Outcome) -> Option<Result<Verification, TaskError>> {
    let finer =
        Some(problem).filter(|_| !stored.report.adapted.is_empty()).and_then(|problem| problem.as_answered(stored));
    finer.as_ref().unwrap_or(problem).question.task().verify(stored, &mut Silent)
}

/// The examples of the README, compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
