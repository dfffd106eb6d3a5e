//! Marching a system of slow and fast coordinates, one macro step after the other.

use super::super::march::StepFailure;
use crate::discretisation::multirate::{Energy, Legendre, MacroStep, Multirate, MultirateError, State};
use crate::nlp::SquareSystem;
use crate::solver::linear::best_general_solver;
use crate::solver::{Newton, NewtonError, NewtonOptions, Reuse, Solution, Status};

/// Contraction of simplified Newton steps and the error that may be left, relative to the size of coordinates. Momenta are kept
/// to that over the length of a micro step, hence the last digits.
const REUSE: Reuse = Reuse::WhileFast { slowest: 0.1, remaining: 5, error: 2e-15, alike: true };

/// A motion in progress.
pub struct MultirateMarcher {
    step: MacroStep,
    newton: Newton,
    x: Vec<f64>,
    legendre: Legendre,
    projection: Newton,
    /// Velocities, then impulses of constraints.
    rates: Vec<f64>,
    coordinates: usize,
    /// Whether the velocities are those of the present state.
    current: bool,
    /// Newton iterations so far.
    pub iterations: usize,
    /// How often a matrix was factorised.
    pub factorisations: usize,
}

impl MultirateMarcher {
    /// A motion that begins at time t with coordinates q and velocities v, in macro steps of a length.
    pub fn new(system: &Multirate, step: f64, t: f64, q: &[f64], v: &[f64]) -> Result<Self, MultirateError> {
        let coordinates = system.mechanics.coordinates().len();
        for (what, given) in [("coordinates", q.len()), ("velocities", v.len())] {
            if given != coordinates {
                return Err(MultirateError::Length { what, given, expected: coordinates });
            }
        }
        let mut legendre = Legendre::new(system)?;
        let p = legendre.momenta(q, v, t)?.to_vec();
        let step = MacroStep::new(system, step, State { t, q: q.to_vec(), p })?;
        let options = NewtonOptions {
            residual: 1e-12,
            step: 1e-8,
            max_iterations: 30,
            min_alpha: 1e-4,
            reuse: REUSE,
            ..NewtonOptions::default()
        };
        let newton = Newton::new(best_general_solver(step.pattern()), options);
        let projection = Newton::new(best_general_solver(legendre.pattern()), options);
        let mut rates = vec![0.0; legendre.size()];
        rates[..coordinates].copy_from_slice(v);
        let mut x = vec![0.0; step.size()];
        step.guess(v, &mut x);
        Ok(Self {
            step,
            newton,
            x,
            legendre,
            projection,
            rates,
            coordinates,
            current: true,
            iterations: 0,
            factorisations: 0,
        })
    }

    /// The present state.
    pub fn state(&self) -> &State {
        self.step.state()
    }

    /// The equations of a step, with the micro nodes of the last one.
    pub fn step(&self) -> &MacroStep {
        &self.step
    }

    /// Sets the time, which sums of steps miss by rounding.
    pub fn arrive(&mut self, t: f64) {
        self.step.arrive(t);
    }

    /// Makes a macro step; the state is unchanged if it fails.
    pub fn advance(&mut self) -> Result<(), StepFailure> {
        let (t, end) = (self.state().t, self.state().t + self.step.length());
        let solution = solve(&mut self.newton, &mut self.step, &self.x, t, end)?;
        self.iterations += solution.iterations.len().saturating_sub(1);
        self.factorisations += solution.iterations.iter().filter(|record| record.factorised).count();
        self.step.finish(&solution.x)?;
        self.current = false;
        self.step.guess(&self.rates, &mut self.x);
        Ok(())
    }

    /// Velocities of the present momenta that constraints allow.
    pub fn velocities(&mut self) -> Result<&[f64], StepFailure> {
        if !self.current {
            let State { t, q, p } = self.step.state();
            self.legendre.set(q, p, *t);
            let solution = solve(&mut self.projection, &mut self.legendre, &self.rates, *t, *t)?;
            self.rates.copy_from_slice(&solution.x);
            self.current = true;
        }
        Ok(&self.rates[..self.coordinates])
    }

    /// Energies of the present state.
    pub fn energy(&mut self) -> Result<Energy, StepFailure> {
        self.velocities()?;
        let State { t, q, .. } = self.step.state();
        Ok(self.legendre.energy(q, &self.rates[..self.coordinates], *t)?)
    }
}

fn solve(
    newton: &mut Newton,
    system: &mut dyn SquareSystem,
    start: &[f64],
    t: f64,
    end: f64,
) -> Result<Solution, StepFailure> {
    match newton.solve(system, start, &mut |_| true) {
        Ok(solution) if solution.status == Status::Solved => Ok(solution),
        Ok(solution) => {
            let reason = solution.message.unwrap_or_else(|| "Newton's method did not converge".into());
            Err(StepFailure::NotConverged { t, end, reason })
        }
        Err(NewtonError::Evaluation { source, .. }) => {
            Err(StepFailure::NotConverged { t, end, reason: format!("{}: {}", source.place, source.reason) })
        }
        Err(error) => Err(StepFailure::Singular(Box::new(error))),
    }
}
