//! Constrained optimisation: min f(x) subject to c_L ≤ c(x) ≤ c_U and x_L ≤ x ≤ x_U.
//!
//! One core and two ways to treat inequalities, `interior-point` and `sqp`. The way of a solve is [`solve()`]: checks, then
//! steps of the engine until it ends, then a solution that says what it is and why. The four ingredients are kept apart, as
//! they are in Uno (C. Vanaret and S. Leyffer, "Unifying nonlinearly constrained nonconvex optimization", 2024):
//!
//! | folder | question |
//! |---|---|
//! | `relaxation` | what if the constraints cannot be met at once? |
//! | `inequality` | how are inequalities turned into linear systems? |
//! | `hessian` | which matrix gives a direction of descent? |
//! | `globalisation` | which step along it makes progress? |
//!
//! Algorithms follow A. Wächter and L. T. Biegler, "On the implementation of an interior-point filter line-search
//! algorithm for large-scale nonlinear programming", Math. Program. 106 (2006), unless a file says otherwise.
//!
//! ```
//! use lariat::nlp::graph::Graph;
//! use lariat::solver::constrained::{Iterate, Options, Status, solve};
//! let g = Graph::new();
//! let x = g.variable("width", 1.0, 0.0, f64::INFINITY);
//! let y = g.variable("height", 1.0, 0.0, 2.0);
//! g.minimise(x + y);
//! g.subject_to("area", x * y, 9.0, f64::INFINITY);
//! let mut program = g.build();
//! let start = Iterate::at(program.start());
//! let solution = solve(&mut program, &start, &Options::default(), &mut |_| true)?;
//! assert_eq!(solution.status, Status::Solved);
//! assert!((solution.iterate.x[0] - 4.5).abs() < 1e-7 && (solution.iterate.x[1] - 2.0).abs() < 1e-7);
//! // One more unit of area costs 1/height, one more unit of height saves 9/height² − 1.
//! assert!((solution.iterate.lambda[0] + 0.5).abs() < 1e-6 && (solution.iterate.z_upper[1] - 1.25).abs() < 1e-6);
//! # Ok::<(), lariat::solver::constrained::SolveError>(())
//! ```

mod checks;
mod derivative_test;
mod direction;
mod engine;
mod explain;
mod extremal;
mod globalisation;
mod hessian;
mod inequality;
mod options;
mod point;
mod relaxation;
mod rounding;
mod scaling;
mod solve;
mod staged;
mod standard;
mod status;
mod termination;

pub use checks::CheckError;
pub use derivative_test::{WrongDerivative, test_derivatives};
pub use engine::Observer;
pub use explain::{Conflict, Explanation, Violation, explain};
pub use options::{BarrierUpdate, DependentRows, Method, Options};
pub use solve::{Constrained, Iterate, Solution, SolveError, solve};
pub use status::{IterationRecord, Status};

#[cfg(test)]
mod tests;
