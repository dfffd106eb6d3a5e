//! The small programs that link phases: where two of them meet, what ends one, and how their times follow each other.

use super::super::parts::{Inputs, constraint_names};
use super::super::{ControlProblem, Formula};
use crate::nlp::graph::{Graph, Program};

/// Inputs q, v, T and the beginning if they are free of the end of one phase, then of the start of the next, and impulses μ of the constraints there.
/// Rows: changes of q and of ∂L/∂v, the latter with Gᵀμ.
pub fn junction(before: &ControlProblem, after: &ControlProblem) -> Program {
    let graph = Graph::new();
    let sides = [(before, 1.0, " before"), (after, 0.0, " after")].map(|(problem, share, mark)| {
        let inputs = Inputs { graph: &graph, problem };
        let (q, v) = (inputs.coordinates(mark), inputs.coordinates(&format!(" rate{mark}")));
        let t = inputs.times().since_zero(graph.constant(share));
        let lagrangian = problem.mechanics.lagrangian(&inputs.state(&q, &v, t));
        let momenta = graph.gradient(lagrangian, &v);
        (inputs, q, momenta, t)
    });
    let [(_, q_before, p_before, _), (inputs, q_after, p_after, t)] = &sides;
    let names = constraint_names(after);
    let impulses: Vec<_> = names.iter().map(|name| inputs.one(&format!("impulse of {name}"))).collect();
    let reactions = inputs.constraint_forces(inputs.constraints(q_after, *t), q_after, &impulses);
    for (row, (a, b)) in q_before.iter().zip(q_after).enumerate() {
        graph.subject_to(format!("change {row}"), *b - *a, 0.0, 0.0);
    }
    for (row, ((a, b), reaction)) in p_before.iter().zip(p_after).zip(reactions).enumerate() {
        graph.subject_to(format!("change of momentum {row}"), *b - *a + reaction, 0.0, 0.0);
    }
    graph.build()
}

/// Inputs q, v and T if it is free, at the end. Rows: what ends a phase.
pub fn switching(problem: &ControlProblem, until: &[(String, Formula)]) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let (q, v, duration) = (inputs.coordinates(""), inputs.coordinates(" rate"), inputs.duration());
    let at = inputs.state(&q, &v, duration);
    until.iter().for_each(|(name, formula)| graph.subject_to(name.clone(), formula(&at), 0.0, 0.0));
    graph.build()
}

/// Inputs: beginnings of a phase and of the one before it, and the duration of that. Row: what they miss to follow each other.
pub fn succession() -> Program {
    let graph = Graph::new();
    let one = |name: &str| graph.variable(name, 0.0, f64::NEG_INFINITY, f64::INFINITY);
    let (begins, before, duration) = (one("begins"), one("begins before"), one("duration before"));
    graph.subject_to("succession", begins - before - duration, 0.0, 0.0);
    graph.build()
}

/// Inputs: durations. Row: their sum.
pub fn sum_of_durations(count: usize) -> Program {
    let graph = Graph::new();
    let all: Vec<_> =
        (0..count).map(|k| graph.variable(format!("duration {k}"), 0.0, f64::NEG_INFINITY, f64::INFINITY)).collect();
    graph.subject_to("whole duration", graph.sum(all), 0.0, 0.0);
    graph.build()
}
