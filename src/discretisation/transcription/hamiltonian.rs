//! The Hamiltonian of optimal control, interval by interval.
//!
//! With the multipliers of the rows the Lagrange function of the program is a sum over the intervals, and its derivative by the
//! length of one of them, everything else kept, is
//!
//! H_k = ∂/∂h [h C + ψ_k · (D₁L_d + f⁻) + ψ_{k+1} · (D₂L_d + f⁺) − h/2 (ψ_k · G_kᵀλ_k + ψ_{k+1} · G_{k+1}ᵀλ_{k+1}) + π · c],
//!
//! with the costates ψ, the running cost C (the weight of the duration included) and the constraints along the way c with their
//! multipliers π. It is by how much the least cost grows if the interval becomes longer: C + ψ · ṗ + μ · q̇ of Pontryagin's principle in
//! continuous time. If nothing depends on time it is the same for all intervals up to order h², equal to ∂J/∂T, and zero
//! where the duration is free and not at a bound.

use super::action::Action;
use super::parts::{Inputs, Node, power};
use super::places::Places;
use super::trajectory::Trajectory;
use super::{ControlProblem, Reduction, Rule};
use crate::nlp::graph::{Expr, Graph, Program};
use crate::nlp::{EvalFailure, Nlp};

/// Inputs q₀, q₁, λ₀, λ₁, u, slacks of magnitudes, ψ₀, ψ₁, multipliers of the path constraints and of the rows of magnitudes, h,
/// t. Rows: the part ℒ of the Lagrange function, ∂ℒ/∂h.
fn program(problem: &ControlProblem, p: Places) -> Program {
    let kept = kept(problem);
    // Costates are those of the coordinates, also where the unknowns are local ones: P ψ for costates ψ of these.
    let problem = &ControlProblem { reduction: Reduction::Multipliers, ..problem.clone() };
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let list = |name: &str, count: usize| (0..count).map(|i| inputs.one(&format!("{name} {i}"))).collect::<Vec<_>>();
    let (q0, q1) = (inputs.coordinates(" before"), inputs.coordinates(" after"));
    let forces = [list("force before", p.constraints), list("force after", p.constraints)];
    let (u, slacks) = (inputs.controls(), list("slack", p.magnitudes));
    let costates = [list("costate before", q0.len()), list("costate after", q0.len())];
    let (path, rows) = (list("path", p.path), list("row", 2 * p.magnitudes));
    let (h, t) = (inputs.one("step"), inputs.one("time"));
    let nodes = [&q0, &q1].map(|q| Node::plain(q.clone()));
    let Action { middle, sides, .. } = Action::new(&inputs, [&nodes[0], &nodes[1]], &[], &u, h, t);
    let mut terms: Vec<Expr<'_>> = vec![problem.cost.time * h];
    terms.extend(problem.cost.running.iter().map(|(weight, formula)| *weight * h * formula(&middle)));
    for ((costates, side), (q, forces)) in costates.iter().zip(sides).zip([&q0, &q1].into_iter().zip(&forces)) {
        terms.extend(costates.iter().zip(side).map(|(costate, row)| *costate * row));
        if !forces.is_empty() {
            let constraints = inputs.constraints(q, t).into_iter().enumerate().filter(|(i, _)| kept(*i));
            let pull = inputs.constraint_forces(constraints.map(|(_, row)| row).collect(), q, forces);
            terms.extend(costates.iter().zip(pull).map(|(costate, pull)| -0.5 * h * *costate * pull));
        }
    }
    terms.extend(problem.path.iter().zip(&path).map(|(path, multiplier)| *multiplier * (path.formula)(&middle)));
    let weights = problem.cost.fuel.iter().chain(&problem.cost.energy);
    terms.extend(weights.zip(&slacks).map(|((_, weight), slack)| *weight * h * *slack));
    for (j, &(control, _)) in problem.cost.energy.iter().enumerate() {
        let multiplier = rows[2 * (problem.cost.fuel.len() + j)];
        terms.push(-1.0 * multiplier * power(problem, &middle, control));
    }
    let whole = graph.sum(terms);
    graph.subject_to("part of the Lagrange function", whole, 0.0, 0.0);
    graph.subject_to("hamiltonian", graph.gradient(whole, &[h])[0], 0.0, 0.0);
    graph.build()
}

/// Which constraints have multipliers: those that no chart satisfies.
fn kept(problem: &ControlProblem) -> impl Fn(usize) -> bool {
    let satisfied = problem.chart().map_or_else(Vec::new, |chart| chart.satisfied().to_vec());
    move |i| !satisfied.contains(&i)
}

/// The Hamiltonian of the intervals; none if something depends on time, the multipliers of the rows are not known or
/// the rule is of higher order.
pub(super) fn hamiltonian(
    problem: &ControlProblem,
    p: Places,
    found: &Trajectory,
    x: &[f64],
    rows: &[f64],
) -> Result<Option<Vec<f64>>, EvalFailure> {
    // Polynomials of a higher degree have further rows within the interval.
    if rows.len() != p.rows() || matches!(problem.rule, Rule::Galerkin { .. }) {
        return Ok(None);
    }
    let mut program = program(problem, p);
    let last = program.bounds().variables() - 1;
    if !program.jacobian_pattern().column(last).is_empty() {
        return Ok(None);
    }
    let (mut inputs, mut values) = (Vec::new(), [0.0; 2]);
    let mut out = Vec::with_capacity(p.intervals);
    for k in 0..p.intervals {
        inputs.clear();
        for part in [
            &found.q[k],
            &found.q[k + 1],
            &found.multipliers[k],
            &found.multipliers[k + 1],
            &found.u[k],
            &x[p.magnitude(k)..p.magnitude(k) + p.magnitudes],
            &found.costates[k],
            &found.costates[k + 1],
            &rows[p.path_row(k)..p.path_row(k) + p.path],
            &rows[p.magnitude_row(k)..p.magnitude_row(k) + 2 * p.magnitudes],
            &[found.step(), (k as f64 + 0.5) * found.step()],
        ] {
            inputs.extend_from_slice(part);
        }
        program.constraints(&inputs, &mut values)?;
        out.push(values[1]);
    }
    Ok(Some(out))
}
