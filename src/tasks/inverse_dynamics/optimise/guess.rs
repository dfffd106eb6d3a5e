//! Rests along the paths: where the motion begins and ends, where the search begins, and how large the controls will be.

use std::sync::Arc;

use super::{TrackingError, TrackingSystem, deviation};
use crate::discretisation::transcription::{
    ControlProblem, Demand, Formula, Given, Guess, RestWish, kinetic_energy, rest_program, values_at,
};
use crate::kernel::linear;
use crate::solver::constrained::{Iterate, Options, Status, solve};

/// Instants at which rests are sought.
const MOST: usize = 60;
/// Weight of the squared controls of a rest, which only chooses among equal ones.
const EFFORT: f64 = 1e-9;
/// Weight of the squared distance from the rest before.
const STAY: f64 = 1e-6;
/// Iterations after which there is no rest to be found: where there is one, a few dozen do.
const PATIENCE: usize = 300;
/// Largest violation of a state of rest.
const NEAR: f64 = 1e-7;
/// Where a control is hardly needed, its scale is this share of the largest one: what rests tell leaves out how rods give
/// way, so that a moment at a held end may be needed although no rest tells so.
const LEAST: f64 = 0.1;

/// States of rest at equal distances of time, and what motion along them needs.
pub(super) struct Way {
    /// Configurations.
    pub q: Vec<Vec<f64>>,
    /// Controls that the motion through them needs.
    pub u: Vec<Vec<f64>>,
    /// The largest kinetic energy of that motion, joule.
    pub kinetic: f64,
    /// Start or end, if the actuators cannot hold the mechanism there, second.
    pub unbalanced: Option<f64>,
}

impl Way {
    pub fn new(system: &TrackingSystem, sizes: &[f64]) -> Result<Self, TrackingError> {
        // Whether the actuators are strong enough shows in the motion; where it can rest does not depend on that.
        let free = vec![Given::FREE.bounds(); system.control_bounds.len()];
        let problem = ControlProblem { control_bounds: free, ..system.plain() };
        let deviations: Vec<(Formula, f64)> =
            system.outputs().iter().zip(sizes).map(|(output, size)| (deviation(output), *size)).collect();
        let count = system.servo.grid.steps.clamp(2, MOST);
        let mut way = Self { q: Vec::with_capacity(count + 1), u: Vec::new(), kinetic: 0.0, unbalanced: None };
        let mut from = system.servo.problem.reference.clone();
        for k in 0..=count {
            let time = system.duration() * k as f64 / count as f64;
            let wish = RestWish { deviations: &deviations, effort: EFFORT, stay: STAY, balanced: true };
            // What the actuators cannot hold at the start they will not hold on the way.
            let balanced = match way.unbalanced {
                Some(_) => None,
                None => rest(&problem, &wish, time, &from).ok(),
            };
            let found = match balanced {
                Some(found) => Ok(found),
                None => {
                    if k == 0 || k == count {
                        way.unbalanced.get_or_insert(time);
                    }
                    rest(&problem, &RestWish { balanced: false, ..wish }, time, &from)
                }
            };
            from = found.map_err(|reason| TrackingError::NoConfiguration { time, reason })?;
            way.q.push(from.clone());
        }
        way.u = way.needed(&problem, system.duration())?;
        let (h, still) = (system.duration() / count as f64, vec![0.0; from.len()]);
        let rates: Vec<Vec<f64>> =
            way.q.windows(2).map(|q| q[0].iter().zip(&q[1]).map(|(a, b)| (b - a) / h).collect()).collect();
        let states = way.q.iter().zip(rates.iter().chain([&still])).enumerate();
        let energies =
            values_at(&problem, &[kinetic_energy(&problem)], states.map(|(k, (q, v))| (&q[..], &v[..], k as f64 * h)))?;
        way.kinetic = energies.iter().flatten().copied().fold(0.0, f64::max);
        Ok(way)
    }

    /// Controls that motion through the rests needs.
    fn needed(&self, problem: &ControlProblem, duration: f64) -> Result<Vec<Vec<f64>>, TrackingError> {
        let (last, mut demand) = (self.q.len() - 1, Demand::new(problem));
        let h = duration / last as f64;
        let mut found = Vec::with_capacity(last + 1);
        for k in 0..=last {
            let (before, here, after) = (&self.q[k.saturating_sub(1)], &self.q[k], &self.q[(k + 1).min(last)]);
            let v: Vec<f64> = before.iter().zip(after).map(|(a, b)| (b - a) / (2.0 * h)).collect();
            let a = before.iter().zip(here).zip(after).map(|((a, b), c)| (a - 2.0 * b + c) / (h * h));
            // At the ends the motion rests.
            let (v, a): (Vec<f64>, Vec<f64>) = match k == 0 || k == last {
                true => (vec![0.0; v.len()], vec![0.0; v.len()]),
                false => (v, a.collect()),
            };
            found.push(demand.controls([here, &v, &a], h * k as f64)?);
        }
        Ok(found)
    }

    /// How large each control will be: half the width of its bounds where these are finite, else the largest that is needed.
    pub fn scales(&self, bounds: &[(f64, f64)]) -> Vec<f64> {
        let largest = |i: usize| self.u.iter().map(|u| u[i].abs()).fold(0.0, f64::max);
        let scales: Vec<f64> = (0..bounds.len()).map(largest).collect();
        let most = scales.iter().copied().fold(0.0, f64::max);
        let of = |(scale, (lower, upper)): (f64, &(f64, f64))| {
            let width = 0.5 * (upper - lower);
            let scale = if width.is_finite() && width > 0.0 { width } else { scale.max(LEAST * most) };
            if scale > 0.0 { scale } else { 1.0 }
        };
        scales.into_iter().zip(bounds).map(of).collect()
    }

    /// The way as a guess of the motion.
    pub fn guess(&self, duration: f64) -> Guess {
        let (q, u) = (self.q.clone(), self.u.clone());
        Guess {
            position: Arc::new(move |share| linear(&q, share)),
            control: Arc::new(move |share| linear(&u, share)),
            duration,
        }
    }
}

/// A state of rest near a configuration.
fn rest(problem: &ControlProblem, wish: &RestWish<'_>, time: f64, from: &[f64]) -> Result<Vec<f64>, String> {
    let mut program = rest_program(problem, wish, time, from);
    let options = Options {
        violation: 1e-9,
        max_iterations: PATIENCE,
        test_derivatives: false,
        explain: false,
        scale_rows: false,
        ..Options::default()
    };
    let start = Iterate::at(program.start());
    let found = solve(&mut program, &start, &options, &mut |_| true).map_err(|error| error.to_string())?;
    // A search that stalls at a state of rest has found one, if not the nearest.
    let ends = matches!(found.status, Status::Infeasible | Status::RestorationFailed | Status::Diverging);
    match !ends && found.violation <= NEAR {
        true => Ok(found.iterate.x[..from.len()].to_vec()),
        false => Err(found.message.unwrap_or_else(|| found.status.name().to_owned())),
    }
}
