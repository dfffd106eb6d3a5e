//! A motion with its controls, momenta and multipliers.

use nalgebra::DVector;

use super::chart::Evaluated;
use super::interpolation::Interpolation;
use super::places::Places;
use super::reference::Reference;
use super::{ControlProblem, Rule, parts};
use crate::nlp::{EvalFailure, Nlp};

/// Energy against work.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Balance {
    /// Change of the energy v · ∂L/∂v − L from start to end, joule.
    pub energy: f64,
    /// Work of the generalised forces, Σ h Q · v at the middles of the intervals, joule.
    pub work: f64,
}

impl Balance {
    /// What is missing: of order h², for a Lagrangian that does not depend on time.
    pub fn defect(self) -> f64 {
        self.energy - self.work
    }
}

/// A motion of a problem on a mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Trajectory {
    /// Duration T, second.
    pub duration: f64,
    /// When it begins, second; the times of its nodes count from there.
    pub begins: f64,
    /// Times of the nodes, second.
    pub times: Vec<f64>,
    /// Coordinates at the nodes.
    pub q: Vec<Vec<f64>>,
    /// Coordinates at the points between the ends of each interval, point after point.
    pub inner: Vec<Vec<f64>>,
    /// Controls of the intervals.
    pub u: Vec<Vec<f64>>,
    /// Velocities at the start.
    pub start_velocity: Vec<f64>,
    /// Velocities at the end.
    pub end_velocity: Vec<f64>,
    /// Momenta at the nodes: ∂L/∂v at the ends, between them the mean of the discrete Legendre transforms
    /// D₂L_d(q_{k−1}, q_k) + f_{k−1}⁺ and −D₁L_d(q_k, q_{k+1}) − f_k⁻, which differ by the impulse h Gᵀλ of the constraints.
    pub momenta: Vec<Vec<f64>>,
    /// Multipliers λ of the constraints at the nodes, without those that a chart satisfies; the forces on the system are −Gᵀλ.
    pub multipliers: Vec<Vec<f64>>,
    /// Multipliers of the rows of motion at the nodes: the costates ∂J/∂p, that is the change of the least cost by an impulse
    /// that acts on the system at the node. Of local coordinates they are P = ∂q/∂f times the multipliers of the reduced
    /// rows, which is the same.
    pub costates: Vec<Vec<f64>>,
    /// Energy against work.
    pub balance: Balance,
    /// Work of each control, Σ h u ∂Q/∂u · v, joule.
    pub control_work: Vec<f64>,
    /// The Hamiltonian of each interval: by how much the least cost grows if it becomes longer by a second. Constant up to order h²;
    /// none if something depends on time.
    pub hamiltonian: Option<Vec<f64>>,
}

impl Trajectory {
    pub(super) fn new(
        problem: &ControlProblem,
        p: Places,
        reference: &Reference,
        x: &[f64],
        rows: &[f64],
    ) -> Result<Self, EvalFailure> {
        let duration = problem.duration.value().or(p.duration().map(|place| x[place])).unwrap_or_default();
        let begins = problem.begins.value().or(p.begins().map(|place| x[place])).unwrap_or_default();
        let (n, steps) = (p.coordinates, p.intervals);
        let slice = |list: &[f64], first: usize, count: usize| {
            list.get(first..first + count).map_or(Vec::new(), <[f64]>::to_vec)
        };
        let nodes = 0..=steps;
        let mut found = Self {
            duration,
            begins,
            times: nodes.clone().map(|k| p.share(k) * duration).collect(),
            q: nodes.clone().map(|k| slice(x, p.position(k), n)).collect(),
            inner: (0..steps).map(|k| slice(x, p.point(k), p.within())).collect(),
            u: (0..steps).map(|k| slice(x, p.control(k), p.controls)).collect(),
            start_velocity: slice(x, p.start_velocity(), p.rates),
            end_velocity: slice(x, p.end_velocity(), p.rates),
            multipliers: nodes.clone().map(|k| slice(x, p.multiplier(k), p.constraints)).collect(),
            costates: nodes.map(|k| slice(rows, p.motion(k), n)).collect(),
            ..Self::default()
        };
        if let Some(chart) = &reference.chart {
            let mut evaluated = Evaluated::new(chart);
            for ((q, costate), numbers) in found.q.iter_mut().zip(&mut found.costates).zip(&reference.numbers) {
                if costate.len() == n {
                    let lifted = evaluated.null_space(q, numbers)? * DVector::from_column_slice(costate);
                    *costate = lifted.as_slice().to_vec();
                }
                *q = evaluated.configuration(q, numbers)?.to_vec();
            }
        }
        found.fill_momenta(problem)?;
        found.fill_balance(problem)?;
        Ok(found)
    }

    /// Length of an interval, second.
    pub fn step(&self) -> f64 {
        self.duration / self.u.len().max(1) as f64
    }

    fn fill_momenta(&mut self, problem: &ControlProblem) -> Result<(), EvalFailure> {
        let (n, h) = (self.start_velocity.len(), self.step());
        let mut program = parts::step(problem);
        // Multipliers, and points between the ends of the step.
        let others = program.bounds().variables() - 3 * n - problem.mechanics.controls().len() - 3;
        let (mut inputs, mut rows) = (Vec::new(), vec![0.0; program.bounds().rows()]);
        self.momenta = vec![vec![0.0; n]; self.q.len()];
        for (k, u) in self.u.iter().enumerate() {
            // Without momentum and constraint forces at its start the rows of a step are D₁L_d + f⁻, g and D₂L_d + f⁺.
            inputs.clear();
            inputs.extend_from_slice(&self.q[k + 1]);
            inputs.extend_from_slice(&self.inner[k]);
            inputs.resize(n + others, 0.0);
            inputs.extend_from_slice(&self.q[k]);
            inputs.resize(3 * n + others, 0.0);
            inputs.extend_from_slice(u);
            inputs.extend([h, self.begins + (k as f64 + 0.5) * h, 0.0]);
            program.constraints(&inputs, &mut rows)?;
            for i in 0..n {
                self.momenta[k][i] -= 0.5 * rows[i];
                self.momenta[k + 1][i] += 0.5 * rows[n + others + i];
            }
        }
        Ok(())
    }

    /// Writes the balance, and the momenta of the ends.
    fn fill_balance(&mut self, problem: &ControlProblem) -> Result<(), EvalFailure> {
        let mut program = parts::energy(problem);
        let (n, h, last) = (self.start_velocity.len(), self.step(), self.u.len());
        let mut rows = vec![0.0; program.bounds().rows()];
        let mut inputs = Vec::new();
        let mut evaluate = |q: &[f64], v: &[f64], u: &[f64], t: f64| -> Result<Vec<f64>, EvalFailure> {
            inputs.clear();
            for part in [q, v, u, &[t]] {
                inputs.extend_from_slice(part);
            }
            program.constraints(&inputs, &mut rows).map(|()| rows.clone())
        };
        let along = Interpolation::new(problem.rule);
        self.control_work = vec![0.0; problem.mechanics.controls().len()];
        for (k, u) in self.u.iter().enumerate() {
            for &(share, weight) in along.quadrature() {
                let (q, v) = self.state(&along, k, share);
                let at = evaluate(&q, &v, u, self.begins + (k as f64 + share) * h)?;
                self.balance.work += h * weight * at[1];
                let powers = self.control_work.iter_mut().zip(&at[2 + n..]);
                powers.for_each(|(work, power)| *work += h * weight * power);
            }
        }
        if last > 0 {
            let (begins, ends) = (self.begins, self.begins + self.duration);
            let first = evaluate(&self.q[0], &self.start_velocity, &self.u[0], begins)?;
            let end = evaluate(&self.q[last], &self.end_velocity, &self.u[last - 1], ends)?;
            self.balance.energy = end[0] - first[0];
            self.momenta[0].copy_from_slice(&first[2..2 + n]);
            self.momenta[last].copy_from_slice(&end[2..2 + n]);
        }
        Ok(())
    }

    /// Coordinates and velocities at a share of an interval.
    fn state(&self, along: &Interpolation, interval: usize, share: f64) -> (Vec<f64>, Vec<f64>) {
        let (n, h) = (self.start_velocity.len(), self.step());
        let (values, slopes) = along.at(share);
        // A motion that was read back has none: its rule is a straight one.
        let inner = self.inner.get(interval).map_or(&[][..], Vec::as_slice).chunks_exact(n.max(1));
        let points = [&self.q[interval][..]].into_iter().chain(inner).chain([&self.q[interval + 1][..]]);
        let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
        for ((point, value), slope) in points.zip(values).zip(slopes) {
            for i in 0..n {
                q[i] += value * point[i];
                v[i] += slope * point[i] / h;
            }
        }
        (q, v)
    }

    /// Velocities at the nodes: those of the ends, between them the means of the slopes of both intervals that meet.
    pub fn velocities(&self, rule: Rule) -> Vec<Vec<f64>> {
        let (along, last) = (Interpolation::new(rule), self.u.len());
        let mean = |k: usize| {
            let (before, after) = (self.state(&along, k - 1, 1.0).1, self.state(&along, k, 0.0).1);
            before.iter().zip(&after).map(|(a, b)| 0.5 * (a + b)).collect()
        };
        (0..=last)
            .map(|k| match k {
                0 => self.start_velocity.clone(),
                k if k == last => self.end_velocity.clone(),
                k => mean(k),
            })
            .collect()
    }
}
