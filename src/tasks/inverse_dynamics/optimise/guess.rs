//! Rests along the paths: where the motion begins and ends, where the search begins, and how large the controls will be.

use std::sync::Arc;

use super::rests::{Rest, Rests};
use super::{TrackingError, TrackingSystem, deviation};
use crate::discretisation::transcription::{
    ControlProblem, Demand, Formula, Given, Guess, RestWish, kinetic_energy, values_at,
};
use crate::kernel::linear;
use crate::tasks::inverse_dynamics::boundary_value;

/// Instants at which rests are sought.
const MOST: usize = 60;
/// Weight of the squared controls of a rest, which only chooses among equal ones.
const EFFORT: f64 = 1e-9;
/// Weight of the squared distance from the rest before.
const STAY: f64 = 1e-6;
/// Where a control is hardly needed, its scale is this share of the largest one: what rests tell leaves out how rods give
/// way, so that a moment at a held end may be needed although no rest tells so.
const LEAST: f64 = 0.1;

/// Share of the size of the paths up to which the next rest is near.
const CLOSE: f64 = 0.25;
/// Share of the fastest motion below which nothing is said of what the motion needs.
const SLOW: f64 = 0.05;

/// States of rest at equal distances of time, and what motion along them needs.
pub(super) struct Way {
    /// Configurations.
    pub q: Vec<Vec<f64>>,
    /// Controls that the motion through them needs, estimated by virtual work along it.
    pub u: Vec<Vec<f64>>,
    /// The largest kinetic energy of that motion, joule.
    pub kinetic: f64,
    /// Start or end where the mechanism cannot rest, and why.
    pub unrested: Option<Unrested>,
}

/// Why a mechanism cannot rest at an end of its paths.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unrested {
    /// When, second.
    pub time: f64,
    /// Controls that would hold it, where there are any.
    pub held_by: Option<Vec<f64>>,
}

impl Way {
    /// Rests along the paths. Between the ends, and where limits of the actuators are all that is in the way, those are left aside:
    /// whether the actuators are strong enough on the way shows in the motion. `go` is asked whether to go on.
    pub fn new(system: &TrackingSystem, sizes: &[f64], go: &dyn Fn() -> bool) -> Result<Self, TrackingError> {
        let free = vec![Given::FREE.bounds(); system.control_bounds.len()];
        let problem = ControlProblem { control_bounds: free, ..system.plain() };
        let deviations: Vec<(Formula, f64)> =
            system.outputs().iter().zip(sizes).map(|(output, size)| (deviation(output), *size)).collect();
        let count = system.servo.grid.steps.clamp(2, MOST);
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let near = CLOSE * largest;
        let mut way = Self { q: Vec::with_capacity(count + 1), u: Vec::new(), kinetic: 0.0, unrested: None };
        let mut holding: Vec<Option<Vec<f64>>> = Vec::with_capacity(count + 1);
        let mut from = system.servo.problem.reference.clone();
        let wish = RestWish { deviations: &deviations, effort: EFFORT, stay: STAY, balanced: true };
        let mut rests = Rests::new(&problem, near, go);
        for k in 0..=count {
            if !go() {
                return Err(TrackingError::Interrupted);
            }
            let time = system.duration() * k as f64 / count as f64;
            let end = k == 0 || k == count;
            // Where there is no rest at the start there is hardly one on the way.
            let balanced = match way.unrested.as_ref().is_some_and(|unrested| unrested.held_by.is_none()) {
                true => None,
                false => rests.next(&wish, time, &from).ok(),
            };
            if let (true, Some(rest)) = (end && way.unrested.is_none(), &balanced) {
                let bounds = &system.control_bounds;
                let beyond = rest.u.iter().zip(bounds).any(|(u, (lower, upper))| u < lower || u > upper);
                let close = system.servo.verify.tolerance * largest;
                let elsewhere = |found: &Rest| found.away(&rest.q) > close;
                if beyond && rests.within(bounds, &wish, time, &rest.q).as_ref().map_or(true, elsewhere) {
                    way.unrested = Some(Unrested { time, held_by: Some(rest.u.clone()) });
                }
            }
            let (q, u) = match balanced {
                Some(rest) => (rest.q, Some(rest.u)),
                None => {
                    if end {
                        way.unrested.get_or_insert(Unrested { time, held_by: None });
                    }
                    let found = rests.unbalanced(&wish, time, &from);
                    (found.map_err(|reason| TrackingError::NoConfiguration { time, reason })?.q, None)
                }
            };
            from.clone_from(&q);
            way.q.push(q);
            holding.push(u);
        }
        way.move_along(&problem, &holding, system.duration())?;
        Ok(way)
    }

    /// Kinetic energy of the motion through the rests, and the controls that it needs beyond those that hold it.
    fn move_along(
        &mut self,
        problem: &ControlProblem,
        holding: &[Option<Vec<f64>>],
        duration: f64,
    ) -> Result<(), TrackingError> {
        let last = self.q.len() - 1;
        let h = duration / last as f64;
        let rates = |k: usize| -> [Vec<f64>; 2] {
            let (before, here, after) = (&self.q[k.saturating_sub(1)], &self.q[k], &self.q[(k + 1).min(last)]);
            let v: Vec<f64> = before.iter().zip(after).map(|(a, b)| (b - a) / (2.0 * h)).collect();
            let a = before.iter().zip(here).zip(after).map(|((a, b), c)| (a - 2.0 * b + c) / (h * h));
            // At the ends the motion rests.
            if k == 0 || k == last { [vec![0.0; v.len()], vec![0.0; v.len()]] } else { [v, a.collect()] }
        };
        let states: Vec<[Vec<f64>; 2]> = (0..=last).map(rates).collect();
        let along = states.iter().enumerate().map(|(k, [v, _])| (&self.q[k][..], &v[..], k as f64 * h));
        let energies = values_at(problem, &[kinetic_energy(problem)], along)?;
        self.kinetic = energies.iter().flatten().copied().fold(0.0, f64::max);
        let mut demand = Demand::new(problem);
        let mut fastest = 0.0f64;
        for (k, [v, a]) in states.iter().enumerate() {
            let (_, units) = demand.powers([&self.q[k], v, a], h * k as f64)?;
            fastest = fastest.max(units.iter().map(|unit| unit * unit).sum());
        }
        let none = vec![0.0; problem.control_bounds.len()];
        for (k, [v, a]) in states.iter().enumerate() {
            let rest = holding[k].as_ref().unwrap_or(&none);
            let u = demand.controls([&self.q[k], v, a], h * k as f64, rest, SLOW * SLOW * fastest)?;
            self.u.push(u);
        }
        Ok(())
    }

    /// How large each control becomes on the way.
    pub fn largest(&self) -> Vec<f64> {
        let controls = self.u.first().map_or(0, Vec::len);
        (0..controls).map(|i| self.u.iter().map(|u| u[i].abs()).fold(0.0, f64::max)).collect()
    }

    /// How large each control will be: half the width of its bounds where these are finite, else the largest that is needed.
    pub fn scales(&self, bounds: &[(f64, f64)]) -> Vec<f64> {
        let scales = self.largest();
        let most = scales.iter().copied().fold(0.0, f64::max);
        let of = |(scale, (lower, upper)): (f64, &(f64, f64))| {
            let width = 0.5 * (upper - lower);
            let scale = if width.is_finite() && width > 0.0 { width } else { scale.max(LEAST * most) };
            if scale > 0.0 { scale } else { 1.0 }
        };
        scales.into_iter().zip(bounds).map(of).collect()
    }

    /// The way as a guess of the motion.
    fn guess(&self, duration: f64) -> Guess {
        let (q, u) = (self.q.clone(), self.u.clone());
        Guess {
            position: Arc::new(move |share| linear(&q, share)),
            control: Arc::new(move |share| linear(&u, share)),
            duration,
        }
    }

    /// Where the search begins: where nothing deforms, at the motion that follows the paths exactly, if there is one, else at rests along
    /// them. From rests, a load of many times the mass of its trolley leads the search elsewhere; of rods that deform, the
    /// stresses of an exact motion on another grid do.
    pub fn begin(&self, system: &TrackingSystem, go: &dyn Fn() -> bool) -> Guess {
        let rods = system.servo.multibody.iter().flat_map(|body| &body.mechanism().rods);
        let deforms = rods.into_iter().any(|rod| !rod.kind.is_rigid());
        let exact = if deforms { None } else { exact(system, go) };
        exact.unwrap_or_else(|| self.guess(system.duration()))
    }
}

/// The motion that follows the paths exactly, if it is found quickly and asks no more of the actuators than they can do: the best
/// motion but for the effort.
pub(super) fn exact(system: &TrackingSystem, go: &dyn Fn() -> bool) -> Option<Guess> {
    let grid = system.servo.grid;
    let found = boundary_value::quickly(&system.servo.problem, grid, go)?;
    // It begins before the paths do, and ends after them.
    let near = 0.5 * grid.dt;
    let within = |t: f64| t > grid.start - near && t < grid.end() + near;
    let instants = found.instants.into_iter().filter(|instant| within(instant.t));
    let (q, u): (Vec<_>, Vec<_>) = instants.map(|instant| (instant.q, instant.u)).unzip();
    let allowed =
        |u: &Vec<f64>| u.iter().zip(&system.control_bounds).all(|(u, (lower, upper))| (lower..=upper).contains(&u));
    if !u.iter().all(allowed) {
        return None;
    }
    Some(Guess {
        position: Arc::new(move |share| linear(&q, share)),
        control: Arc::new(move |share| linear(&u, share)),
        duration: system.duration(),
    })
}
