//! Accelerations of a system in continuous time, and its motion by an adaptive method of higher order.
//!
//! d/dt ∂L/∂v = ∂L/∂q + Q(q, v, u, t) + Gᵀλ with g̈ = 0 is linear in the accelerations and the multipliers. The motion is
//! integrated by the embedded pair of orders 5 and 4 of Dormand and Prince (1980), so it shares nothing with the discrete
//! equations but the system itself.

use super::parts::Inputs;
use super::small::Small;
use super::{At, ControlProblem, ForwardError};
use crate::nlp::graph::{Expr, Graph, Program};

/// Error of a step, relative to the largest coordinate or velocity met so far.
const TOLERANCE: f64 = 1e-9;
/// Most steps in an interval of constant controls.
const MOST_STEPS: usize = 20_000;
/// A step is made at most so many times longer, or shorter, than the last.
const GROWTH: [f64; 2] = [0.2, 5.0];
/// Share of the step that the error estimate would allow.
const SAFETY: f64 = 0.9;

/// Nodes and weights of the pair; the last row is the solution of order 5.
const C: [f64; 6] = [0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];
const A: [&[f64]; 6] = [
    &[0.2],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];
/// Difference of the solutions of orders 5 and 4.
const E: [f64; 7] =
    [71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339_200.0, 22.0 / 525.0, -1.0 / 40.0];

/// A system in continuous time.
pub struct Continuous {
    coordinates: usize,
    constraints: usize,
    equations: Small,
    /// Largest coordinate and velocity met.
    sizes: [f64; 2],
}

impl Continuous {
    /// Prepares the equations of motion of the system of a problem.
    pub fn new(problem: &ControlProblem) -> Self {
        let (program, constraints) = equations(problem);
        let coordinates = problem.mechanics.coordinates().len();
        let unknowns = coordinates + constraints;
        Self { coordinates, constraints, equations: Small::new(program, unknowns, coordinates), sizes: [0.0; 2] }
    }

    /// States (q, v) at the ends of equal intervals of a duration with constant controls, and at their beginning `begun`.
    pub fn course(
        &mut self,
        (begun, duration): (f64, f64),
        start: (&[f64], &[f64]),
        controls: &[Vec<f64>],
    ) -> Result<Vec<Vec<f64>>, ForwardError> {
        let length = duration / controls.len().max(1) as f64;
        let mut h = 0.1 * length;
        let mut states = vec![[start.0, start.1].concat()];
        for (k, u) in controls.iter().enumerate() {
            let (begin, end) = (begun + k as f64 * length, begun + (k + 1) as f64 * length);
            let next = self.across(states[k].clone(), u, (begin, end), &mut h)?;
            states.push(next);
        }
        Ok(states)
    }

    /// The last of these states, from time 0 on.
    pub fn drive(
        &mut self,
        duration: f64,
        start: (&[f64], &[f64]),
        controls: &[Vec<f64>],
    ) -> Result<Vec<f64>, ForwardError> {
        Ok(self.course((0.0, duration), start, controls)?.pop().unwrap_or_default())
    }

    /// Across one interval; `h` is the step to try, and the one that was found to do.
    fn across(
        &mut self,
        mut y: Vec<f64>,
        u: &[f64],
        (begin, end): (f64, f64),
        h: &mut f64,
    ) -> Result<Vec<f64>, ForwardError> {
        let mut t = begin;
        let mut slopes = vec![self.slope(&y, u, t)?];
        for _ in 0..MOST_STEPS {
            let rest = end - t;
            if rest <= 1e-12 * (end - begin) {
                return Ok(y);
            }
            let step = h.min(rest);
            let mut next = y.clone();
            for (a, c) in A.iter().zip(C) {
                next.clone_from(&y);
                for (slope, weight) in slopes.iter().zip(*a) {
                    next.iter_mut().zip(slope).for_each(|(y, k)| *y += step * weight * k);
                }
                let slope = self.slope(&next, u, t + c * step)?;
                slopes.push(slope);
            }
            let error = self.error(&slopes, &y, &next, step);
            let factor = (SAFETY * error.max(1e-12).powf(-0.2)).clamp(GROWTH[0], GROWTH[1]);
            if error <= 1.0 {
                t += step;
                y = next;
                self.meet(&y);
                slopes.swap_remove(0);
                slopes.truncate(1);
                // The last step to the end of the interval says nothing of a longer one.
                *h = if step < *h { *h } else { factor * step };
            } else {
                slopes.truncate(1);
                *h = factor.min(1.0) * step;
            }
        }
        let row = "the length of a step of the adaptive integration".to_owned();
        Err(ForwardError::NotConverged { time: t, row, left: *h })
    }

    /// The estimated error relative to the tolerance.
    fn error(&self, slopes: &[Vec<f64>], y: &[f64], next: &[f64], step: f64) -> f64 {
        let n = self.coordinates;
        let one = |i: usize| {
            let off: f64 = slopes.iter().zip(E).map(|(slope, weight)| weight * slope[i]).sum();
            let size = self.sizes[usize::from(i >= n)].max(y[i].abs()).max(next[i].abs());
            step * off.abs() / (TOLERANCE * size + f64::MIN_POSITIVE)
        };
        let worst =
            (0..2 * n).map(one).fold(0.0_f64, |worst, error| if error.is_nan() { f64::NAN } else { worst.max(error) });
        if worst.is_nan() { f64::INFINITY } else { worst }
    }

    fn meet(&mut self, y: &[f64]) {
        let halves = y.split_at(self.coordinates);
        for (size, half) in self.sizes.iter_mut().zip([halves.0, halves.1]) {
            *size = half.iter().fold(*size, |most, value| most.max(value.abs()));
        }
    }

    /// (v, a) at a state.
    fn slope(&mut self, y: &[f64], u: &[f64], t: f64) -> Result<Vec<f64>, ForwardError> {
        let n = self.coordinates;
        let known = y.iter().chain(u).chain([&t]);
        self.equations.x[n + self.constraints..].iter_mut().zip(known).for_each(|(to, from)| *to = *from);
        self.equations.solve().map_err(|failure| ForwardError::at(t, failure))?;
        Ok([&y[n..], &self.equations.x[..n]].concat())
    }
}

/// The equations by accelerations and multipliers, of q, v, u and t; and the number of constraints.
fn equations(problem: &ControlProblem) -> (Program, usize) {
    let graph = Graph::new();
    let inputs = Inputs { graph: &graph, problem };
    let a = inputs.coordinates(" acceleration");
    let names = super::parts::constraint_names(problem);
    let multipliers: Vec<Expr<'_>> = names.iter().map(|name| inputs.one(&format!("force of {name}"))).collect();
    let (q, v) = (inputs.coordinates(""), inputs.coordinates(" rate"));
    let (u, t) = (inputs.controls(), inputs.one("time"));
    // The derivative of f(q, v, t) along the motion.
    let along = |f: Expr<'_>| {
        let by = [q.as_slice(), v.as_slice(), &[t]].concat();
        let rates = v.iter().chain(&a).copied().chain([graph.constant(1.0)]);
        graph.sum(graph.gradient(f, &by).into_iter().zip(rates).map(|(slope, rate)| slope * rate))
    };
    let at = At { graph: &graph, q: q.clone(), v: v.clone(), u, t };
    let lagrangian = problem.mechanics.lagrangian(&at);
    let momenta = graph.gradient(lagrangian, &v);
    let slopes = graph.gradient(lagrangian, &q);
    let constraints = inputs.constraints(&q, t);
    let rates: Vec<Expr<'_>> = constraints.iter().map(|(_, g)| along(*g)).collect();
    let pulls = inputs.constraint_forces(constraints, &q, &multipliers);
    let forces = problem.mechanics.forces(&at);
    let coordinates = problem.mechanics.coordinates();
    let rows = momenta.into_iter().zip(slopes).zip(forces).zip(pulls);
    for (name, (((momentum, slope), force), pull)) in coordinates.iter().zip(rows) {
        graph.subject_to(format!("motion of {name}"), along(momentum) - slope - force - pull, 0.0, 0.0);
    }
    for (name, rate) in names.iter().zip(rates) {
        graph.subject_to(format!("acceleration of {name}"), along(rate), 0.0, 0.0);
    }
    (graph.build(), names.len())
}
