//! The small programs of a transcription: an interval, a node with constraints, the ends.

use super::{At, ControlProblem, Rule};
use crate::nlp::graph::{Expr, Graph, Program};

const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Inputs of the parts in their order.
struct Inputs<'g> {
    graph: &'g Graph,
}

impl<'g> Inputs<'g> {
    fn list(&self, names: &[String], mark: &str) -> Vec<Expr<'g>> {
        names.iter().map(|name| self.one(&format!("{name}{mark}"))).collect()
    }

    fn one(&self, name: &str) -> Expr<'g> {
        self.graph.variable(name, 0.0, ANY.0, ANY.1)
    }
}

/// Number of rows of an interval: momenta at both nodes, then path constraints.
pub(super) fn interval_rows(problem: &ControlProblem) -> usize {
    2 * problem.mechanics.coordinates().len() + problem.path.len()
}

/// Inputs q₀, q₁, u, T and the share of the duration at the middle. Objective h C; rows D₁L_d + f⁻, D₂L_d + f⁺ and the path
/// constraints.
pub(super) fn interval(problem: &ControlProblem, intervals: usize) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph };
    let mechanics = &problem.mechanics;
    let (names, controls) = (mechanics.coordinates(), mechanics.controls());
    let (q0, q1) = (inputs.list(&names, " before"), inputs.list(&names, " after"));
    let u = inputs.list(&controls, "");
    let (duration, share) = (inputs.one("duration"), inputs.one("share"));
    let h = duration * (1.0 / intervals as f64);
    let t = duration * share;
    let v: Vec<Expr<'_>> = q0.iter().zip(&q1).map(|(a, b)| (*b - *a) / h).collect();
    let at = |q: Vec<Expr<'_>>| At { graph: &graph, q, v: v.clone(), u: u.clone(), t };
    let middle = at(q0.iter().zip(&q1).map(|(a, b)| 0.5 * (*a + *b)).collect());
    let (before, after) = (at(q0.clone()), at(q1.clone()));
    let action = match problem.rule {
        Rule::Midpoint => h * mechanics.lagrangian(&middle),
        Rule::Trapezoidal => 0.5 * h * (mechanics.lagrangian(&before) + mechanics.lagrangian(&after)),
    };
    for (what, q, at) in [("before", &q0, &before), ("after", &q1, &after)] {
        let slopes = graph.gradient(action, q);
        for ((slope, force), name) in slopes.into_iter().zip(mechanics.forces(at)).zip(&names) {
            graph.subject_to(format!("motion of {name} {what}"), slope + 0.5 * h * force, 0.0, 0.0);
        }
    }
    for path in &problem.path {
        graph.subject_to(path.name.clone(), (path.formula)(&middle), path.lower, path.upper);
    }
    let running = problem.cost.running.iter().map(|(weight, formula)| *weight * formula(&middle));
    graph.minimise(h * graph.sum(running.collect::<Vec<_>>()));
    graph.build()
}

/// Inputs q, λ, T, the share of the duration and the weight of the node, 1 or ½. Rows −w h Gᵀλ and g.
pub(super) fn node(problem: &ControlProblem, intervals: usize) -> Option<Program> {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph };
    let names = problem.mechanics.coordinates();
    let q = inputs.list(&names, "");
    let zeros = |n: usize| vec![graph.constant(0.0); n];
    let controls = problem.mechanics.controls().len();
    let at = At { graph: &graph, v: zeros(q.len()), u: zeros(controls), t: graph.constant(0.0), q: q.clone() };
    let constraints = problem.mechanics.constraints(&at);
    if constraints.is_empty() {
        return None;
    }
    let multipliers: Vec<Expr<'_>> = constraints.iter().map(|(name, _)| inputs.one(&format!("force of {name}"))).collect();
    let (duration, weight) = (inputs.one("duration"), inputs.one("weight"));
    let work = graph.sum(constraints.iter().zip(&multipliers).map(|((_, g), m)| *g * *m));
    let factor = duration * weight * (-1.0 / intervals as f64);
    for (force, name) in graph.gradient(work, &q).into_iter().zip(&names) {
        graph.subject_to(format!("motion of {name}"), factor * force, 0.0, 0.0);
    }
    for (name, g) in constraints {
        graph.subject_to(name, g, 0.0, 0.0);
    }
    Some(graph.build())
}

/// Inputs q, v, t and a sign. Rows sign · ∂L/∂v.
pub(super) fn momentum(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph };
    let names = problem.mechanics.coordinates();
    let (q, v) = (inputs.list(&names, ""), inputs.list(&names, " rate"));
    let (t, sign) = (inputs.one("time"), inputs.one("sign"));
    let controls = problem.mechanics.controls().len();
    let at = At { graph: &graph, q, v: v.clone(), u: vec![graph.constant(0.0); controls], t };
    let lagrangian = problem.mechanics.lagrangian(&at);
    for (momentum, name) in graph.gradient(lagrangian, &v).into_iter().zip(&names) {
        graph.subject_to(format!("momentum of {name}"), sign * momentum, 0.0, 0.0);
    }
    graph.build()
}

/// Inputs q, v, T. Objective: the cost of the end and of the duration.
pub(super) fn last(problem: &ControlProblem) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph };
    let names = problem.mechanics.coordinates();
    let (q, v) = (inputs.list(&names, ""), inputs.list(&names, " rate"));
    let duration = inputs.one("duration");
    let controls = problem.mechanics.controls().len();
    let at = At { graph: &graph, q, v, u: vec![graph.constant(0.0); controls], t: duration };
    let terms = problem.cost.last.iter().map(|(weight, formula)| *weight * formula(&at));
    let mut terms: Vec<Expr<'_>> = terms.collect();
    terms.push(problem.cost.time * duration);
    graph.minimise(graph.sum(terms));
    graph.build()
}

/// Inputs u, a bound w of its magnitude, T. Objective weight · h w; rows w − u ≥ 0 and w + u ≥ 0.
pub(super) fn magnitude(intervals: usize) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph };
    let (u, w, duration, weight) = (inputs.one("u"), inputs.one("|u|"), inputs.one("duration"), inputs.one("weight"));
    graph.subject_to("above", w - u, 0.0, f64::INFINITY);
    graph.subject_to("below", w + u, 0.0, f64::INFINITY);
    graph.minimise(weight * w * duration * (1.0 / intervals as f64));
    graph.build()
}

/// Inputs u and the largest magnitude p. Rows p − u ≥ 0 and p + u ≥ 0.
pub(super) fn peak() -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph };
    let (u, p) = (inputs.one("u"), inputs.one("peak"));
    graph.subject_to("above", p - u, 0.0, f64::INFINITY);
    graph.subject_to("below", p + u, 0.0, f64::INFINITY);
    graph.build()
}

/// Inputs a and b. Row b − a.
pub(super) fn difference() -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph };
    let (a, b) = (inputs.one("first"), inputs.one("last"));
    graph.subject_to("change over a period", b - a, 0.0, 0.0);
    graph.build()
}

/// Input p with its weight. Objective weight · p.
pub(super) fn weighted() -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph };
    graph.minimise(inputs.one("value") * inputs.one("weight"));
    graph.build()
}
