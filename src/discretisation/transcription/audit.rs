//! A motion with its controls, judged by the problem alone: what it costs and which bounds it exceeds.

use super::{ControlProblem, Given, Reduction, Rule, parts};
use crate::nlp::{EvalFailure, Nlp};

/// What a motion is worth.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Audit {
    /// The cost; not known where polynomials of a higher degree go between the nodes.
    pub objective: Option<f64>,
    /// Bounds that it exceeds, for each quantity where the excess is largest.
    pub overruns: Vec<Overrun>,
}

/// A bound that is exceeded.
#[derive(Debug, Clone, PartialEq)]
pub struct Overrun {
    /// Coordinate, control or path constraint.
    pub name: String,
    /// When, second.
    pub time: f64,
    /// Its value.
    pub value: f64,
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
}

/// Keeps the largest excess of a quantity.
struct Watch {
    allowed: f64,
    found: Option<Overrun>,
    name: String,
    bounds: (f64, f64),
}

impl Watch {
    fn new(name: &str, bounds: (f64, f64), allowed: f64) -> Self {
        Self { allowed, found: None, name: name.to_owned(), bounds }
    }

    fn see(&mut self, time: f64, value: f64) {
        let (lower, upper) = self.bounds;
        let excess = |value: f64| (lower - value).max(value - upper);
        let size = 1.0 + if value > upper { upper.abs() } else { lower.abs() };
        let known = self.found.as_ref().map_or(self.allowed * size, |known| excess(known.value));
        if excess(value) > known {
            self.found = Some(Overrun { name: self.name.clone(), time, value, lower, upper });
        }
    }
}

/// Judges coordinates at the nodes and controls of equal intervals. Excesses of bounds relative to 1 + |bound| up to `allowed`
/// count as none.
pub fn audit(
    problem: &ControlProblem,
    duration: f64,
    q: &[Vec<f64>],
    u: &[Vec<f64>],
    end_velocity: &[f64],
    allowed: f64,
) -> Result<Audit, EvalFailure> {
    let (n, intervals) = (problem.coordinate_bounds.len(), u.len());
    let h = duration / intervals.max(1) as f64;
    // The duration is the one of the motion, not the one that the problem gives. Costs and constraints count from the beginning.
    let known = !matches!(problem.rule, Rule::Galerkin { .. });
    let rule = if known { problem.rule } else { Rule::Midpoint };
    let reduction = Reduction::Multipliers;
    let problem = &ControlProblem {
        duration: Given::Fixed(duration),
        begins: Given::Fixed(0.0),
        rule,
        reduction,
        ..problem.clone()
    };
    let (coordinates, controls) = (problem.mechanics.coordinates(), problem.mechanics.controls());
    let watches = |names: &[String], bounds: &[(f64, f64)]| -> Vec<Watch> {
        names.iter().zip(bounds).map(|(name, bounds)| Watch::new(name, *bounds, allowed)).collect()
    };
    let mut at_nodes = watches(&coordinates, &problem.coordinate_bounds);
    let mut of_controls = watches(&controls, &problem.control_bounds);
    let path = problem.path.iter().map(|path| Watch::new(&path.name, (path.lower, path.upper), allowed));
    let mut of_path: Vec<Watch> = path.collect();
    let rate = |(i, rate): &(usize, f64)| Watch::new(&format!("rate of {}", controls[*i]), (-rate, *rate), allowed);
    let mut of_rates: Vec<Watch> = problem.rates.iter().map(rate).collect();
    let mut of_servo: Vec<Watch> =
        problem.servo.iter().map(|(name, _)| Watch::new(name, (0.0, 0.0), allowed)).collect();
    let mut servo = parts::servo(problem);
    let mut misses = vec![0.0; of_servo.len()];
    for (k, q) in q.iter().enumerate() {
        at_nodes.iter_mut().zip(q).for_each(|(watch, q)| watch.see(k as f64 * h, *q));
        if k > 0 && k < intervals {
            let changes = problem.rates.iter().map(|&(i, _)| (u[k][i] - u[k - 1][i]) / h);
            of_rates.iter_mut().zip(changes).for_each(|(watch, rate)| watch.see(k as f64 * h, rate));
            servo.constraints(&[q, &[k as f64 / intervals as f64][..]].concat(), &mut misses)?;
            of_servo.iter_mut().zip(&misses).for_each(|(watch, miss)| watch.see(k as f64 * h, *miss));
        }
    }
    let mut program = parts::interval(&ControlProblem { mixed: false, ..problem.clone() }, intervals);
    let mut energy = parts::energy(problem);
    let (mut rows, mut powers) = (vec![0.0; program.bounds().rows()], vec![0.0; energy.bounds().rows()]);
    let mut objective = 0.0;
    for (k, u) in u.iter().enumerate() {
        let time = (k as f64 + 0.5) * h;
        of_controls.iter_mut().zip(u).for_each(|(watch, u)| watch.see(time, *u));
        let share = (k as f64 + 0.5) / intervals as f64;
        let at = [&q[k][..], &q[k + 1], u, &[share]].concat();
        objective += program.objective(&at)?;
        program.constraints(&at, &mut rows)?;
        of_path.iter_mut().zip(&rows[2 * n..]).for_each(|(watch, value)| watch.see(time, *value));
        objective += problem.cost.fuel.iter().map(|(i, weight)| weight * h * u[*i].abs()).sum::<f64>();
        if !problem.cost.energy.is_empty() {
            let middle = q[k].iter().zip(&q[k + 1]).map(|(a, b)| 0.5 * (a + b));
            let rate = q[k].iter().zip(&q[k + 1]).map(|(a, b)| (b - a) / h);
            let at: Vec<f64> = middle.chain(rate).chain(u.iter().copied()).chain([time]).collect();
            energy.constraints(&at, &mut powers)?;
            let spent = |(i, weight): &(usize, f64)| weight * h * powers[2 + n + i].max(0.0);
            objective += problem.cost.energy.iter().map(spent).sum::<f64>();
        }
    }
    let largest = |i: usize| u.iter().fold(0.0f64, |largest, u| largest.max(u[i].abs()));
    objective += problem.cost.peak.iter().map(|(i, weight)| weight * largest(*i)).sum::<f64>();
    if let Some(last) = q.last() {
        objective += parts::last(problem).objective(&[last, end_velocity].concat())?;
    }
    let watches = at_nodes.into_iter().chain(of_controls).chain(of_path).chain(of_rates).chain(of_servo);
    let overruns = watches.filter_map(|watch| watch.found).collect();
    Ok(Audit { objective: known.then_some(objective), overruns })
}
