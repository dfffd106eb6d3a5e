//! The bridge to argmin, both ways.
//!
//! [`ConstrainedSolver`] is the constrained solver as a solver of argmin, to be run by its `Executor` with observers and
//! checkpoints ([`JsonCheckpoint`]). The other way, [`minimise_smooth`] and [`minimise_without_derivatives`] put argmin's
//! methods behind plain closures, for small outer problems whose values come from a solve inside.
//!
//! ```
//! use argmin::core::{Executor, State};
//! use lariat::nlp::graph::Graph;
//! use lariat::solver::argmin_bridge::ConstrainedSolver;
//! use lariat::solver::constrained::{Iterate, Options};
//! let g = Graph::new();
//! let x = g.variable("x", 3.0, 1.0, 5.0);
//! g.minimise(x.square());
//! let program = g.build();
//! let start = Iterate::at(program.start());
//! let solver = ConstrainedSolver::new(&Options::default());
//! let result = Executor::new(program, solver).configure(|state| state.start(start)).run()?;
//! assert!((result.state().get_best_cost() - 1.0).abs() < 1e-6);
//! # Ok::<(), argmin::core::Error>(())
//! ```

mod checkpoint;
mod executor;
mod outer;
mod simplex;
mod smooth;
mod state;
mod wolfe;

pub use checkpoint::JsonCheckpoint;
pub use executor::{ConstrainedSolver, termination};
pub use outer::{OuterError, OuterObserver, OuterOptions, OuterRecord, OuterSolution, SmoothFunction};
pub use simplex::minimise_without_derivatives;
pub use smooth::minimise_smooth;
pub use state::ConstrainedState;
