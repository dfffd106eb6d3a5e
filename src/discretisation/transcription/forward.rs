//! The motion that given controls produce, by the same discrete equations, step by step.

use thiserror::Error;

use super::interpolation::Interpolation;
use super::small::{Failure, Small};
use super::{ControlProblem, parts};
use crate::nlp::{EvalFailure, Nlp};

/// Why a motion ends early.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ForwardError {
    /// A list has the wrong length.
    #[error("{what}: {given} given, {expected} expected")]
    Length {
        /// What is listed.
        what: &'static str,
        /// Its length.
        given: usize,
        /// That of the system.
        expected: usize,
    },
    /// The duration is not usable, or a step would have no length.
    #[error("the duration must be positive, with at least one interval and one step in each; it is {0} s")]
    Duration(f64),
    /// The equations of a step determine no motion.
    #[error(
        "the motion cannot be continued from t = {time:.6} s: its equations are singular there; mass may be missing"
    )]
    Singular {
        /// Where the step begins, second.
        time: f64,
    },
    /// Newton's method did not converge.
    #[error(
        "the motion cannot be continued from t = {time:.6} s: {row} is still violated by {left:.2e}; shorter steps may help"
    )]
    NotConverged {
        /// Where the step begins, second.
        time: f64,
        /// The equation that is violated most.
        row: String,
        /// By how much.
        left: f64,
    },
    /// The system has no value.
    #[error("the motion cannot be continued from t = {time:.6} s: {failure}")]
    Evaluation {
        /// Where the step begins, second.
        time: f64,
        /// Where and why.
        failure: EvalFailure,
    },
}

impl ForwardError {
    pub(super) fn at(time: f64, failure: Failure) -> Self {
        match failure {
            Failure::Singular => Self::Singular { time },
            Failure::NotConverged(row, left) => Self::NotConverged { time, row, left },
            Failure::Evaluation(failure) => Self::Evaluation { time, failure },
        }
    }
}

/// A motion.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SteppedMotion {
    /// Times of the nodes, second.
    pub times: Vec<f64>,
    /// Coordinates at the nodes.
    pub q: Vec<Vec<f64>>,
    /// Multipliers of the constraints at the nodes.
    pub multipliers: Vec<Vec<f64>>,
    /// Velocities at the end.
    pub end_velocity: Vec<f64>,
}

/// Marches the discrete equations of a system forward in time.
pub struct Forward<'p> {
    problem: &'p ControlProblem,
    coordinates: usize,
    /// Unknowns of the points between the ends of a step.
    inner: usize,
    constraints: usize,
    step: Small,
    arrival: Small,
}

impl<'p> Forward<'p> {
    /// Prepares the equations of a step. Of the problem only system and rule matter.
    pub fn new(problem: &'p ControlProblem) -> Self {
        let coordinates = problem.mechanics.coordinates().len();
        let constraints = parts::constraint_names(problem).len();
        let inner = coordinates * Interpolation::new(problem.rule).inner();
        Self {
            problem,
            coordinates,
            inner,
            constraints,
            step: Small::new(parts::step(problem), coordinates + inner + constraints, coordinates + inner),
            arrival: Small::new(parts::arrival(problem), coordinates + constraints, coordinates),
        }
    }

    /// The motion from (q, v) with controls that are constant in equal intervals, each divided into `refine` steps.
    pub fn march(
        &mut self,
        duration: f64,
        start: (&[f64], &[f64]),
        controls: &[Vec<f64>],
        refine: usize,
    ) -> Result<SteppedMotion, ForwardError> {
        self.march_from(0.0, duration, start, controls, refine)
    }

    /// The same from a time `begin` on.
    pub fn march_from(
        &mut self,
        begin: f64,
        duration: f64,
        start: (&[f64], &[f64]),
        controls: &[Vec<f64>],
        refine: usize,
    ) -> Result<SteppedMotion, ForwardError> {
        let (n, c, inner) = (self.coordinates, self.constraints, self.inner);
        let unknowns = n + inner + c;
        let inputs = self.problem.mechanics.controls().len();
        let lengths = [("start positions", start.0.len(), n), ("start velocities", start.1.len(), n)];
        let controlled = controls.iter().map(|u| ("controls", u.len(), inputs));
        for (what, given, expected) in lengths.into_iter().chain(controlled) {
            if given != expected {
                return Err(ForwardError::Length { what, given, expected });
            }
        }
        let steps = controls.len() * refine;
        if !(duration > 0.0 && duration.is_finite()) || steps == 0 {
            return Err(ForwardError::Duration(duration));
        }
        let h = duration / steps as f64;
        let mut motion = SteppedMotion { times: vec![begin], q: vec![start.0.to_vec()], ..SteppedMotion::default() };
        let mut momentum = self.momentum_at(start, begin)?;
        // The unknowns begin where the velocity leads.
        for i in 0..n {
            self.step.x[i] = start.0[i] + h * start.1[i];
        }
        self.step.x[n + inner..unknowns].fill(0.0);
        for k in 0..steps {
            let time = begin + k as f64 * h;
            let q = &motion.q[k];
            self.guess_between(q);
            let fixed = self.step.x[unknowns..].iter_mut();
            let known = q.iter().chain(&momentum).chain(&controls[k / refine]);
            let weight = if k == 0 { 0.5 } else { 1.0 };
            fixed.zip(known.chain(&[h, time + 0.5 * h, weight])).for_each(|(to, from)| *to = *from);
            self.step.solve().map_err(|failure| ForwardError::at(time, failure))?;
            momentum.copy_from_slice(&self.step.rows[unknowns..]);
            let next = self.step.x[..n].to_vec();
            motion.multipliers.push(self.step.x[n + inner..unknowns].to_vec());
            for i in 0..n {
                self.step.x[i] = 2.0 * next[i] - motion.q[k][i];
            }
            motion.q.push(next);
            motion.times.push(begin + (k + 1) as f64 * h);
        }
        let (last, before) = (&motion.q[steps], &motion.q[steps - 1]);
        for i in 0..n {
            self.arrival.x[i] = (last[i] - before[i]) / h;
        }
        self.arrival.x[n..n + c].fill(0.0);
        let span = [h, begin + duration];
        let known = last.iter().chain(&momentum).chain(&span);
        self.arrival.x[n + c..].iter_mut().zip(known).for_each(|(to, from)| *to = *from);
        self.arrival.solve().map_err(|failure| ForwardError::at(begin + duration, failure))?;
        motion.end_velocity = self.arrival.x[..n].to_vec();
        motion.multipliers.push(self.arrival.x[n..n + c].to_vec());
        Ok(motion)
    }

    /// Lets the search for the points between the ends of a step begin on the straight line from q.
    fn guess_between(&mut self, q: &[f64]) {
        let (n, shares) = (self.coordinates, Interpolation::new(self.problem.rule));
        for (j, share) in shares.points()[1..=shares.inner()].iter().enumerate() {
            for i in 0..n {
                self.step.x[(j + 1) * n + i] = q[i] + share * (self.step.x[i] - q[i]);
            }
        }
    }

    /// The velocity with a momentum in a configuration: v of ∂L/∂v(q, v, t) = p, as near to a guess as Newton's method leads.
    pub fn velocity(&mut self, q: &[f64], p: &[f64], t: f64, guess: &[f64]) -> Result<Vec<f64>, ForwardError> {
        let (n, c) = (self.coordinates, self.constraints);
        let x = &mut self.arrival.x;
        x.fill(0.0);
        x[..n].copy_from_slice(guess);
        x[n + c..].iter_mut().zip(q.iter().chain(p).chain(&[1.0, t])).for_each(|(to, from)| *to = *from);
        self.arrival.solve().map_err(|failure| ForwardError::at(t, failure))?;
        Ok(self.arrival.x[..n].to_vec())
    }

    /// Coordinates, then velocities, at the end of an interval that begins at `time` with coordinates q and momenta p, under
    /// constant controls, in `refine` equal steps. Constraint forces at its start count by half, as p does at a node of a motion;
    /// `near` are coordinates at the end from which the search begins.
    pub fn across(
        &mut self,
        (q, p): (&[f64], &[f64]),
        near: &[f64],
        u: &[f64],
        (time, length): (f64, f64),
        refine: usize,
    ) -> Result<Vec<f64>, ForwardError> {
        let (n, c, inner) = (self.coordinates, self.constraints, self.inner);
        let unknowns = n + inner + c;
        let h = length / refine.max(1) as f64;
        let (mut q, mut p) = (q.to_vec(), p.to_vec());
        for i in 0..n {
            self.step.x[i] = q[i] + (near[i] - q[i]) / refine.max(1) as f64;
        }
        self.step.x[n + inner..unknowns].fill(0.0);
        for k in 0..refine.max(1) {
            let begin = time + k as f64 * h;
            let weight = if k == 0 { 0.5 } else { 1.0 };
            self.guess_between(&q);
            let known = q.iter().chain(&p).chain(u).chain(&[h, begin + 0.5 * h, weight]).copied().collect::<Vec<_>>();
            self.step.x[unknowns..].iter_mut().zip(known).for_each(|(to, from)| *to = from);
            self.step.solve().map_err(|failure| ForwardError::at(begin, failure))?;
            p.copy_from_slice(&self.step.rows[unknowns..]);
            for i in 0..n {
                let next = self.step.x[i];
                self.arrival.x[i] = (next - q[i]) / h;
                self.step.x[i] = 2.0 * next - q[i];
                q[i] = next;
            }
        }
        let known = q.iter().chain(&p).chain(&[h, time + length]).copied().collect::<Vec<_>>();
        self.arrival.x[n..n + c].fill(0.0);
        self.arrival.x[n + c..].iter_mut().zip(known).for_each(|(to, from)| *to = from);
        self.arrival.solve().map_err(|failure| ForwardError::at(time + length, failure))?;
        q.extend_from_slice(&self.arrival.x[..n]);
        Ok(q)
    }

    /// ∂L/∂v at a time: what is missing in the equation p − ∂L/∂v = 0 where p = 0.
    pub fn momentum_at(&mut self, (q, v): (&[f64], &[f64]), t: f64) -> Result<Vec<f64>, ForwardError> {
        let n = self.coordinates;
        let x = &mut self.arrival.x;
        x.fill(0.0);
        x[..n].copy_from_slice(v);
        x[n + self.constraints..2 * n + self.constraints].copy_from_slice(q);
        // Inputs are v, λ, q, p, h and t.
        x[3 * n + self.constraints + 1] = t;
        let evaluated = self.arrival.program.constraints(&self.arrival.x, &mut self.arrival.rows);
        evaluated.map_err(|failure| ForwardError::Evaluation { time: t, failure })?;
        Ok(self.arrival.rows[..n].iter().map(|row| -row).collect())
    }
}
