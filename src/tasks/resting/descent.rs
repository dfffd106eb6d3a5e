//! The least potential energy near a configuration: min −L(q, 0) under the constraints, which forces without potential do not
//! enter. It brings Newton's method near a stable rest.

use crate::discretisation::transcription::{At, Mechanics};
use crate::nlp::graph::{Expr, Graph};
use crate::solver::constrained::{Iterate, Options, solve};

/// Coordinates of least energy near a start; none if the search does not get anywhere.
pub(super) fn least_energy(mechanics: &dyn Mechanics, t: f64, start: &[f64]) -> Option<Vec<f64>> {
    /// Searches of few coordinates end long before.
    const PATIENCE: usize = 300;
    /// Constraints may be missed by this: the equations of rest are solved afterwards.
    const NEAR: f64 = 1e-3;
    let graph = Graph::new();
    let free = |(name, at): (String, &f64)| graph.variable(name, *at, f64::NEG_INFINITY, f64::INFINITY);
    let q: Vec<Expr<'_>> = mechanics.coordinates().into_iter().zip(start).map(free).collect();
    let v = vec![graph.constant(0.0); q.len()];
    let u = vec![graph.constant(0.0); mechanics.controls().len()];
    let at = At { graph: &graph, q, v, u, t: graph.constant(t) };
    graph.minimise(-mechanics.lagrangian(&at));
    mechanics.constraints(&at).into_iter().for_each(|(name, g)| graph.subject_to(name, g, 0.0, 0.0));
    let mut program = graph.build();
    let options = Options { max_iterations: PATIENCE, test_derivatives: false, explain: false, ..Options::default() };
    let found = solve(&mut program, &Iterate::at(start), &options, &mut |_| true).ok()?;
    (found.violation <= NEAR).then_some(found.iterate.x)
}
