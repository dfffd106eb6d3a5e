//! Motions of high order: polynomials in each step.

use crate::discretisation::multirate::{Energy, Legendre, Multirate, MultirateError};
use crate::discretisation::transcription::{ControlProblem, Forward, ForwardError};

/// A motion in progress, by the rule of a problem; for systems without constraints and controls.
pub struct Polynomials<'p> {
    forward: Forward<'p>,
    legendre: Legendre,
    /// Time, second.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    near: Vec<f64>,
    step: f64,
}

impl<'p> Polynomials<'p> {
    /// A motion that begins at time t with coordinates q and velocities v.
    pub fn new(
        problem: &'p ControlProblem,
        system: &Multirate,
        step: f64,
        t: f64,
        (q, v): (&[f64], &[f64]),
    ) -> Result<Self, MultirateError> {
        let legendre = Legendre::new(system)?;
        let near = q.iter().zip(v).map(|(q, v)| q + step * v).collect();
        Ok(Self { forward: Forward::new(problem), legendre, t, q: q.to_vec(), v: v.to_vec(), near, step })
    }

    /// Makes a step.
    pub fn advance(&mut self) -> Result<(), ForwardError> {
        let p = self.forward.momentum_at((&self.q, &self.v), self.t)?;
        let end = self.forward.across((&self.q, &p), &self.near, &[], (self.t, self.step), 1)?;
        let (q, v) = end.split_at(self.q.len());
        for i in 0..q.len() {
            self.near[i] = 2.0 * q[i] - self.q[i];
        }
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.t += self.step;
        Ok(())
    }

    /// Energies.
    pub fn energy(&mut self) -> Result<Energy, ForwardError> {
        let told = self.legendre.energy(&self.q, &self.v, self.t);
        told.map_err(|failure| ForwardError::Evaluation { time: self.t, failure })
    }
}
