//! Forward simulation: the discrete action marched in time.

use nalgebra::SVector;
use thiserror::Error;

use super::Observer;
use crate::discretisation::TimeGrid;
use crate::discretisation::variational::{BadElement, Chain};
use crate::models::{Continuum, Vector};
use crate::solver::linear::{BlockTridiagonal, LinearError};

/// Configuration and velocity of all nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct State<const D: usize> {
    /// Configuration per node.
    pub q: Vec<Vector<D>>,
    /// Velocity per node.
    pub v: Vec<Vector<D>>,
}

/// What drives and holds the two ends of the chain.
pub struct EndDrive<'f, const D: usize> {
    /// Forces at the ends s = 0 and s = L at time t, gravity excluded.
    pub force: &'f mut dyn FnMut(f64) -> [Vector<D>; 2],
    /// Coordinates held where they are at the start.
    pub held: [[bool; D]; 2],
}

/// How a simulation went.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SimulationCount {
    /// Steps that were halved because Newton did not converge.
    pub halved: usize,
    /// Newton iterations in all.
    pub iterations: usize,
}

/// Why a simulation stopped.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum SimulationError {
    /// Newton failed even with the smallest step.
    #[error("the forward simulation found no solution at t = {t:.6} even with a step of {step:.1e} s ({reason})")]
    NoConvergence {
        /// Time, second.
        t: f64,
        /// Smallest step tried, second.
        step: f64,
        /// What failed last.
        reason: String,
    },
    /// The user asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Newton iterations before a step is halved.
const MAX_ITERATIONS: usize = 12;
/// Halvings of one step before giving up.
const MAX_HALVINGS: u32 = 10;
/// A correction below this fraction of the size of the configuration ends the iteration: the next would be its square.
const SETTLED: f64 = 1e-8;

/// Simulate on `grid`; `sink` receives (k, configuration) at every instant k = 0 … steps.
pub fn simulate<const D: usize, C: Continuum<D>>(
    chain: &Chain<'_, C, D>,
    grid: TimeGrid,
    initial: State<D>,
    drive: EndDrive<'_, D>,
    observer: &mut dyn Observer,
    sink: &mut dyn FnMut(usize, &[Vector<D>]),
) -> Result<SimulationCount, SimulationError> {
    let nodes = initial.q.len();
    let span = (initial.q[0] - initial.q[nodes - 1]).norm().max(f64::MIN_POSITIVE);
    let momentum = initial.v.iter().zip(&chain.mass).map(|(v, m)| v.component_mul(m)).collect();
    let mut stepper = Stepper {
        chain,
        drive,
        span,
        q: initial.q,
        momentum,
        next: vec![Vector::zeros(); nodes],
        mean: vec![Vector::zeros(); nodes],
        forces: vec![Vector::zeros(); nodes],
        residual: vec![Vector::zeros(); nodes],
        matrix: BlockTridiagonal::new(nodes),
        count: SimulationCount::default(),
    };
    sink(0, &stepper.q);
    for k in 0..grid.steps {
        if observer.interrupted() {
            return Err(SimulationError::Interrupted);
        }
        stepper.advance(grid.time(k), grid.dt, 0)?;
        sink(k + 1, &stepper.q);
        observer.progress(k + 1);
    }
    Ok(stepper.count)
}

struct Stepper<'a, 'm, 'f, C, const D: usize> {
    chain: &'a Chain<'m, C, D>,
    drive: EndDrive<'f, D>,
    span: f64,
    q: Vec<Vector<D>>,
    momentum: Vec<Vector<D>>,
    next: Vec<Vector<D>>,
    mean: Vec<Vector<D>>,
    forces: Vec<Vector<D>>,
    residual: Vec<SVector<f64, D>>,
    matrix: BlockTridiagonal<D>,
    count: SimulationCount,
}

enum Failure {
    Element(BadElement),
    Linear(LinearError),
    Slow,
}

impl<C: Continuum<D>, const D: usize> Stepper<'_, '_, '_, C, D> {
    fn advance(&mut self, t: f64, h: f64, depth: u32) -> Result<(), SimulationError> {
        match self.attempt(t, h) {
            Ok(()) => Ok(()),
            Err(failure) if depth == MAX_HALVINGS => {
                let reason = match failure {
                    Failure::Element(bad) => format!("element {}: {}", bad.element + 1, bad.cause),
                    Failure::Linear(error) => error.to_string(),
                    Failure::Slow => format!("no convergence in {MAX_ITERATIONS} Newton iterations"),
                };
                Err(SimulationError::NoConvergence { t, step: h, reason })
            }
            Err(_) => {
                self.count.halved += 1;
                self.advance(t, 0.5 * h, depth + 1)?;
                self.advance(t + 0.5 * h, 0.5 * h, depth + 1)
            }
        }
    }

    /// One step of the midpoint rule: Newton for M (q⁺ − q)/h − p − h/2 (F − f(q̄)) = 0, matrix M/h + h/4 f'(q̄).
    fn attempt(&mut self, t: f64, h: f64) -> Result<(), Failure> {
        let last = self.q.len() - 1;
        let external = (self.drive.force)(t + 0.5 * h);
        for (i, next) in self.next.iter_mut().enumerate() {
            *next = self.q[i] + self.momentum[i].component_div(&self.chain.mass[i]) * h;
        }
        self.hold_next();
        let mut settled = false;
        for _ in 0..MAX_ITERATIONS {
            for ((mean, q), next) in self.mean.iter_mut().zip(&self.q).zip(&self.next) {
                *mean = (q + next) * 0.5;
            }
            if settled {
                self.chain.internal_forces(&self.mean, &mut self.forces).map_err(Failure::Element)?;
            } else {
                self.matrix.clear();
                let matrix = &mut self.matrix;
                let mut sink = |row: usize, column: usize, block: &nalgebra::SMatrix<f64, D, D>| {
                    let place = match column.cmp(&row) {
                        std::cmp::Ordering::Less => matrix.lower(row),
                        std::cmp::Ordering::Equal => matrix.diagonal(row),
                        std::cmp::Ordering::Greater => matrix.upper(row),
                    };
                    *place += block * (0.25 * h);
                };
                self.chain.internal_tangent(&self.mean, &mut self.forces, &mut sink).map_err(Failure::Element)?;
            }
            for (i, force) in self.forces.iter_mut().enumerate() {
                *force = self.chain.weight[i] - *force;
            }
            self.forces[0] += external[0];
            self.forces[last] += external[1];
            if settled {
                return self.finish(h);
            }
            for i in 0..=last {
                let inertia = self.chain.mass[i] / h;
                self.residual[i] =
                    self.momentum[i] + self.forces[i] * (0.5 * h) - (self.next[i] - self.q[i]).component_mul(&inertia);
                for c in 0..D {
                    self.matrix.diagonal(i)[(c, c)] += inertia[c];
                }
            }
            self.hold_rows();
            self.count.iterations += 1;
            self.matrix.factor().map_err(Failure::Linear)?;
            self.matrix.solve(&mut self.residual).map_err(Failure::Linear)?;
            let mut largest = 0.0_f64;
            for (next, correction) in self.next.iter_mut().zip(&self.residual) {
                *next += correction;
                largest = largest.max(correction.amax());
            }
            settled = largest <= SETTLED * self.span;
        }
        Err(Failure::Slow)
    }

    /// Accept the step: p⁺ = p + h (F − f(q̄)).
    fn finish(&mut self, h: f64) -> Result<(), Failure> {
        for (momentum, force) in self.momentum.iter_mut().zip(&self.forces) {
            *momentum += force * h;
        }
        let last = self.q.len() - 1;
        for (held, node) in self.drive.held.iter().zip([0, last]) {
            for c in (0..D).filter(|&c| held[c]) {
                self.momentum[node][c] = 0.0;
            }
        }
        std::mem::swap(&mut self.q, &mut self.next);
        Ok(())
    }

    fn hold_next(&mut self) {
        let last = self.q.len() - 1;
        for (held, node) in self.drive.held.iter().zip([0, last]) {
            for c in (0..D).filter(|&c| held[c]) {
                self.next[node][c] = self.q[node][c];
            }
        }
    }

    /// Held coordinates do not change: unit row, zero right-hand side.
    fn hold_rows(&mut self) {
        let last = self.q.len() - 1;
        for (held, node) in self.drive.held.iter().zip([0, last]) {
            for c in (0..D).filter(|&c| held[c]) {
                self.residual[node][c] = 0.0;
                for block in [0, 1, 2] {
                    let place = match block {
                        0 => self.matrix.lower(node),
                        1 => self.matrix.diagonal(node),
                        _ => self.matrix.upper(node),
                    };
                    place.row_mut(c).fill(0.0);
                }
                self.matrix.diagonal(node)[(c, c)] = 1.0;
            }
        }
    }
}
