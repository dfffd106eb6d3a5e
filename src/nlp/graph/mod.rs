//! Nonlinear programs written as expression graphs, with exact sparse first and second derivatives.
//!
//! A [`Graph`] collects expressions; [`Graph::build`] turns them into a [`Program`], which is an
//! [`Nlp`](super::Nlp). All symbolic work is done in that step: the expressions become a flat tape, the Jacobian a list
//! of products found by eliminating the intermediate nodes, and the Hessian of the Lagrangian another such list found
//! by edge pushing (Gower and Mello, 2012). An evaluation then only executes these lists.
//!
//! ```
//! use lariat::nlp::{Nlp, graph::Graph};
//! let g = Graph::new();
//! let x = g.variable("x", 3.0, 0.0, f64::INFINITY);
//! let y = g.variable("y", 2.0, 0.0, f64::INFINITY);
//! g.minimise(x.square() * y);
//! g.subject_to("circle", x.square() + y.square(), 1.0, 1.0);
//! let mut program = g.build();
//! let start = program.start().to_vec();
//! let mut hessian = vec![0.0; program.hessian_pattern().nnz()];
//! program.hessian(&start, 1.0, &[0.5], &mut hessian)?;
//! assert_eq!(hessian, [5.0, 6.0, 1.0]);
//! # Ok::<(), lariat::nlp::EvalFailure>(())
//! ```

mod arena;
mod elimination;
mod expr;
mod failure;
mod formula;
mod gradient;
mod op;
mod products;
mod program;
mod pushing;
mod tape;
mod taylor;
#[cfg(test)]
mod tests;

pub use expr::{Expr, Graph};
pub use program::Program;
pub use taylor::{Side, Taylor};

pub(super) use failure::shown;
pub(super) use op::Op;
pub(super) use tape::Tape;
