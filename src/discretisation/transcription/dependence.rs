//! What the parts of a problem depend on: time, or the motion.

use super::parts::Inputs;
use super::{At, ControlProblem};
use crate::nlp::Nlp;
use crate::nlp::graph::{Expr, Graph};

impl ControlProblem {
    /// Whether its cost depends on coordinates or velocities, not on controls and durations alone.
    pub fn pays_for_motion(&self) -> bool {
        let cost = &self.cost;
        let others = cost.energy.len() + cost.first.len() + cost.last.len();
        let moving = 0..2 * self.mechanics.coordinates().len();
        others > 0 || any_depends_on(self, moving, |at| cost.running.iter().map(|(_, formula)| formula(at)).collect())
    }
}

/// Whether the equations of motion of a problem depend on time.
pub(super) fn moves_by_time(problem: &ControlProblem) -> bool {
    any_depends_on_time(problem, |at| {
        let mechanics = &problem.mechanics;
        let constraints = mechanics.constraints(at).into_iter().map(|(_, g)| g);
        [mechanics.lagrangian(at)].into_iter().chain(mechanics.forces(at)).chain(constraints).collect()
    })
}

/// Whether its path constraints or its running cost do.
pub(super) fn is_judged_by_time(problem: &ControlProblem) -> bool {
    any_depends_on_time(problem, |at| {
        let paths = problem.path.iter().map(|path| (path.formula)(at));
        paths.chain(problem.cost.running.iter().map(|(_, formula)| formula(at))).collect()
    })
}

fn any_depends_on_time(problem: &ControlProblem, rows: impl for<'g> Fn(&At<'g>) -> Vec<Expr<'g>>) -> bool {
    let time = 2 * problem.mechanics.coordinates().len() + problem.mechanics.controls().len();
    any_depends_on(problem, time..time + 1, rows)
}

/// Whether rows depend on some of (q, v, u, t).
fn any_depends_on(
    problem: &ControlProblem,
    mut variables: std::ops::Range<usize>,
    rows: impl for<'g> Fn(&At<'g>) -> Vec<Expr<'g>>,
) -> bool {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q, v, u) = (inputs.coordinates(""), inputs.coordinates(" rate"), inputs.controls());
    let at = At { graph: &graph, q, v, u, t: inputs.one("time") };
    rows(&at).into_iter().for_each(|row| graph.subject_to("row", row, 0.0, 0.0));
    let program = graph.build();
    variables.any(|variable| !program.jacobian_pattern().column(variable).is_empty())
}
