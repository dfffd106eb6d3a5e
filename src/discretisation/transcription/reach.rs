//! Which coordinates the controls can influence, by the structure of the equations alone.

use super::{At, ControlProblem};
use crate::nlp::Nlp;
use crate::nlp::graph::{Expr, Graph};

/// Coordinates that are not to end where they begin, and on which no control acts, neither directly nor through others: they
/// move as their start makes them.
///
/// The equation of motion of a coordinate depends on others through ∂L/∂q and ∂L/∂v of it, its force and the constraints it is
/// in. What a control or an influenced coordinate enters is influenced.
pub fn unreached(problem: &ControlProblem) -> Vec<usize> {
    let graph = Graph::new();
    let names = problem.mechanics.coordinates();
    let inputs = |count: usize| -> Vec<Expr<'_>> {
        (0..count).map(|i| graph.variable(format!("{i}"), 0.0, f64::NEG_INFINITY, f64::INFINITY)).collect()
    };
    let n = names.len();
    let (q, v, u, t) = (inputs(n), inputs(n), inputs(problem.mechanics.controls().len()), inputs(1)[0]);
    let at = At { graph: &graph, q: q.clone(), v: v.clone(), u, t };
    let lagrangian = problem.mechanics.lagrangian(&at);
    let slopes = graph.gradient(lagrangian, &q).into_iter().zip(graph.gradient(lagrangian, &v));
    let mut owners = Vec::new();
    for (i, ((by_q, by_v), force)) in slopes.zip(problem.mechanics.forces(&at)).enumerate() {
        for row in [by_q, by_v, force] {
            graph.subject_to(names[i].clone(), row, 0.0, 0.0);
            owners.push(Some(i));
        }
    }
    for (name, constraint) in problem.mechanics.constraints(&at) {
        graph.subject_to(name, constraint, 0.0, 0.0);
        owners.push(None);
    }
    let program = graph.build();
    let pattern = program.jacobian_pattern();
    let mut entries: Vec<Vec<usize>> = vec![Vec::new(); owners.len()];
    for column in (0..pattern.ncols()).filter(|column| *column != pattern.ncols() - 1) {
        for entry in pattern.column(column) {
            entries[pattern.row_idx()[entry]].push(column);
        }
    }
    let mut reached = vec![false; n];
    loop {
        let before = reached.clone();
        for (owner, columns) in owners.iter().zip(&entries) {
            let influenced = columns.iter().any(|&column| column >= 2 * n || reached[column % n]);
            match owner {
                Some(i) => reached[*i] |= influenced,
                // A constraint force acts on all coordinates of the constraint.
                None if influenced => columns.iter().for_each(|column| reached[column % n] = true),
                None => {}
            }
        }
        if reached == before {
            return (0..n).filter(|i| !reached[*i] && !stays(problem, *i)).collect();
        }
    }
}

/// Whether a coordinate has the same given value at both ends, as one that a joint holds.
fn stays(problem: &ControlProblem, i: usize) -> bool {
    let [first, last] = [&problem.start, &problem.end].map(|end| end.position[i].value());
    first.zip(last).is_some_and(|(first, last)| (first - last).abs() <= 1e-9 * (1.0 + first.abs()))
}
