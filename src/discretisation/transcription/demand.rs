//! What a motion demands of the controls, instant by instant, and where a system can rest.

use std::sync::Arc;

use super::parts::Inputs;
use super::{At, ControlProblem, Formula};
use crate::nlp::graph::{Expr, Graph, Program};
use crate::nlp::{EvalFailure, Nlp};

/// What a motion needs of the controls, by virtual work along its velocities: P = v · (d/dt ∂L/∂v − ∂L/∂q − Q(q, v, 0, t)), to which
/// conditions that the motion keeps add nothing, and the power w = ∂(v · Q)/∂u that a unit of each control has. P = w · u in the
/// motion itself.
pub struct Demand {
    controls: usize,
    program: Program,
    inputs: Vec<f64>,
    rows: Vec<f64>,
}

impl Demand {
    /// Prepares the equations of the system; of the problem nothing else matters.
    pub fn new(problem: &ControlProblem) -> Self {
        let graph = Graph::new();
        let inputs = Inputs { graph: &graph, problem };
        let (q, v, a) = (inputs.coordinates(""), inputs.coordinates(" rate"), inputs.coordinates(" acceleration"));
        let (u, t, shift) = (inputs.controls(), inputs.one("time"), inputs.one("shift"));
        let needed = power(&graph, motion_rows(&inputs, [&q, &v, &a], &u, t, shift), &v);
        let at = At { graph: &graph, q: q.clone(), v: v.clone(), u: u.clone(), t };
        let given = power(&graph, problem.mechanics.forces(&at), &v);
        graph.subject_to("power", needed, 0.0, 0.0);
        graph.gradient(given, &u).into_iter().for_each(|unit| graph.subject_to("power of a unit", unit, 0.0, 0.0));
        let controls = u.len();
        let program = graph.build();
        let bounds = program.bounds();
        let (variables, rows) = (bounds.variables(), bounds.rows());
        Self { controls, inputs: vec![0.0; variables], rows: vec![0.0; rows], program }
    }

    /// The controls nearest to others, those at rest, that have the power needed at a state with an acceleration; `still` is the
    /// square of the power of a unit below which nothing can be told.
    pub fn controls(&mut self, state: [&[f64]; 3], t: f64, rest: &[f64], still: f64) -> Result<Vec<f64>, EvalFailure> {
        let (needed, units) = self.powers(state, t)?;
        let size = units.iter().map(|unit| unit * unit).sum::<f64>();
        let missing = needed - units.iter().zip(rest).map(|(unit, u)| unit * u).sum::<f64>();
        let factor = if size > still { missing / size } else { 0.0 };
        Ok(rest.iter().zip(&units).map(|(u, unit)| u + factor * unit).collect())
    }

    /// The power needed, and that of a unit of each control, watt.
    pub fn powers(&mut self, state: [&[f64]; 3], t: f64) -> Result<(f64, Vec<f64>), EvalFailure> {
        let n = state[0].len();
        self.inputs.fill(0.0);
        for (part, values) in state.into_iter().enumerate() {
            self.inputs[part * n..(part + 1) * n].copy_from_slice(values);
        }
        self.inputs[3 * n + self.controls] = t;
        self.program.constraints(&self.inputs, &mut self.rows)?;
        Ok((self.rows[0], self.rows[1..].to_vec()))
    }
}

/// Power of forces at velocities.
fn power<'g>(graph: &'g Graph, forces: Vec<Expr<'g>>, v: &[Expr<'g>]) -> Expr<'g> {
    let powers: Vec<Expr<'g>> = forces.into_iter().zip(v).map(|(force, v)| force * *v).collect();
    graph.sum(powers)
}

/// d/dt ∂L/∂v − ∂L/∂q − Q. The derivative by time is the one by the `shift` s, which is to be zero, of ∂L/∂v at q + s v and v + s a.
fn motion_rows<'g>(
    inputs: &Inputs<'g, '_>,
    [q, v, a]: [&[Expr<'g>]; 3],
    u: &[Expr<'g>],
    t: Expr<'g>,
    shift: Expr<'g>,
) -> Vec<Expr<'g>> {
    let (graph, mechanics) = (inputs.graph, &inputs.problem.mechanics);
    let along = |x: &[Expr<'g>], rate: &[Expr<'g>]| -> Vec<Expr<'g>> {
        x.iter().zip(rate).map(|(x, rate)| *x + shift * *rate).collect()
    };
    let at = |q: Vec<Expr<'g>>, v: Vec<Expr<'g>>, u: Vec<Expr<'g>>, t: Expr<'g>| At { graph, q, v, u, t };
    let moved = at(along(q, v), along(v, a), u.to_vec(), t + shift);
    let momenta = graph.gradient(mechanics.lagrangian(&moved), &moved.v);
    let here = at(q.to_vec(), v.to_vec(), u.to_vec(), t);
    let slopes = graph.gradient(mechanics.lagrangian(&here), q);
    let forces = mechanics.forces(&here);
    let rates = momenta.into_iter().map(|p| graph.gradient(p, &[shift])[0]);
    rates.zip(slopes).zip(forces).map(|((rate, slope), force)| rate - slope - force).collect()
}

/// What a state of rest is asked for.
pub struct RestWish<'a> {
    /// Deviations that are to be small, each with the size that counts as 1.
    pub deviations: &'a [(Formula, f64)],
    /// Weight of the squared controls.
    pub effort: f64,
    /// Weight of the squared distance from the configuration where the search begins.
    pub stay: f64,
    /// Whether the controls hold the system in balance; else it only keeps its constraints.
    pub balanced: bool,
}

/// The program of a state at rest at an instant: variables q, u, the multipliers λ of the constraints and the stresses that are unknowns;
/// rows −∂L/∂q − Q(q, 0, u, t) + Gᵀλ = 0, the strains of these stresses, and g = 0; the objective is the sum of squares of what is
/// wished for.
pub fn rest_program(problem: &ControlProblem, wish: &RestWish<'_>, t: f64, from: &[f64]) -> Program {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let mechanics = &problem.mechanics;
    let (coordinates, controls) = (mechanics.coordinates(), mechanics.controls());
    let list = |names: &[String], start: &[f64], bounds: &[(f64, f64)]| -> Vec<Expr<'_>> {
        let each = names.iter().zip(start).zip(bounds);
        each.map(|((name, start), (lower, upper))| graph.variable(name.clone(), *start, *lower, *upper)).collect()
    };
    let q = list(&coordinates, from, &problem.coordinate_bounds);
    let u = list(&controls, &vec![0.0; controls.len()], &problem.control_bounds);
    let still = vec![graph.constant(0.0); q.len()];
    let at = At { graph: &graph, q: q.clone(), v: still, u: u.clone(), t: graph.constant(t) };
    let constraints = inputs.constraints(&q, at.t);
    if wish.balanced {
        let multipliers: Vec<Expr<'_>> = constraints.iter().map(|(name, _)| inputs.one(name)).collect();
        let names = problem.stresses();
        let stresses: Vec<Expr<'_>> = names.iter().map(|name| inputs.one(name)).collect();
        let lagrangian = match stresses.is_empty() {
            true => mechanics.lagrangian(&at),
            false => mechanics.mixed_lagrangian(&at, &stresses),
        };
        let slopes = graph.gradient(lagrangian, &q);
        for (strain, name) in graph.gradient(lagrangian, &stresses).into_iter().zip(&names) {
            graph.subject_to(format!("strain of {name}"), strain, 0.0, 0.0);
        }
        let pull = inputs.constraint_forces(constraints.clone(), &q, &multipliers);
        let rows = slopes.into_iter().zip(mechanics.forces(&at)).zip(pull);
        for (((slope, force), pull), name) in rows.zip(&coordinates) {
            graph.subject_to(format!("balance of {name}"), pull - slope - force, 0.0, 0.0);
        }
    }
    constraints.into_iter().for_each(|(name, g)| graph.subject_to(name, g, 0.0, 0.0));
    let misses = wish.deviations.iter().map(|(formula, size)| (formula(&at) / *size).square());
    let efforts = u.iter().map(|u| wish.effort * u.square());
    let ways = q.iter().zip(from).map(|(q, from)| wish.stay * (*q - *from).square());
    graph.minimise(graph.sum(misses.chain(efforts).chain(ways).collect::<Vec<_>>()));
    graph.build()
}

/// Values of expressions of the coordinates and the time along a motion.
pub fn values_along(
    problem: &ControlProblem,
    formulas: &[Formula],
    times: &[f64],
    q: &[Vec<f64>],
) -> Result<Vec<Vec<f64>>, EvalFailure> {
    let still = vec![0.0; problem.mechanics.coordinates().len()];
    values_at(problem, formulas, q.iter().zip(times).map(|(q, t)| (&q[..], &still[..], *t)))
}

/// Expressions of a system, ready to be evaluated at states without controls.
pub struct Evaluator {
    program: Program,
    rows: Vec<f64>,
}

impl Evaluator {
    /// For expressions of the system of a problem.
    pub fn new(problem: &ControlProblem, formulas: &[Formula]) -> Self {
        let graph = Graph::new();
        let inputs = Inputs { graph: &graph, problem };
        let (q, v, t) = (inputs.coordinates(""), inputs.coordinates(" rate"), inputs.one("time"));
        let u = vec![graph.constant(0.0); problem.mechanics.controls().len()];
        let at = At { graph: &graph, q, v, u, t };
        formulas.iter().for_each(|formula| graph.subject_to("value", formula(&at), 0.0, 0.0));
        Self { program: graph.build(), rows: vec![0.0; formulas.len()] }
    }

    /// Their values at a state.
    pub fn values(&mut self, q: &[f64], v: &[f64], t: f64) -> Result<Vec<f64>, EvalFailure> {
        self.program.constraints(&[q, v, &[t]].concat(), &mut self.rows)?;
        Ok(self.rows.clone())
    }
}

/// Values of expressions at states (q, v, t) without controls.
pub fn values_at<'s>(
    problem: &ControlProblem,
    formulas: &[Formula],
    states: impl Iterator<Item = (&'s [f64], &'s [f64], f64)>,
) -> Result<Vec<Vec<f64>>, EvalFailure> {
    let mut evaluator = Evaluator::new(problem, formulas);
    let mut found = vec![Vec::new(); formulas.len()];
    for (q, v, t) in states {
        let values = evaluator.values(q, v, t)?;
        found.iter_mut().zip(values).for_each(|(list, value)| list.push(value));
    }
    Ok(found)
}

/// Kinetic energy ½ v · ∂L/∂v of a system.
pub fn kinetic_energy(problem: &ControlProblem) -> Formula {
    let mechanics = Arc::clone(&problem.mechanics);
    Arc::new(move |at| {
        let momenta = at.graph.gradient(mechanics.lagrangian(at), &at.v);
        0.5 * at.graph.sum(momenta.into_iter().zip(&at.v).map(|(p, v)| p * *v).collect::<Vec<_>>())
    })
}
