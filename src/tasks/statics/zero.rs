//! The load factor at which an eigenvalue μ of the stiffness passes zero, along a path of equilibria.
//!
//! μ is a smooth function of the load factor, and its zero that of the polynomial through values on both sides. (States are no such
//! thing to interpolate: their errors times the stiffness of stretching are stresses that move the zero.)

use super::soft::softest;
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::{EvalFailure, ParametricSystem, SquareSystem};
use crate::solver::eigen::Modes;
use crate::solver::linear::best_general_solver;
use crate::solver::smooth_zero::{AROUND, Value, enclosed, interpolated, shares};
use crate::solver::{Newton, NewtonOptions, Status};

/// How far rounding may push a state along a soft motion, relative to the size of the mechanism; other branches are further away.
const STRAY: f64 = 1e-3;
/// Least size of a critical load factor relative to those of the points between which it lies.
const LEAST: f64 = 1e-3;

/// An equilibrium with its softest motions.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The load factor.
    pub p: f64,
    /// The unknowns.
    pub x: Vec<f64>,
    /// Degrees of freedom of the motions.
    pub free: Vec<usize>,
    /// The motions.
    pub modes: Modes,
}

/// Where an eigenvalue passes zero.
pub struct Crossing {
    /// The load factor.
    pub parameter: f64,
    /// How far it may be off: by rounding of the eigenvalues and by their interpolation.
    pub doubt: f64,
    /// The unknowns.
    pub x: Vec<f64>,
    /// The motion.
    pub shape: Vec<f64>,
}

/// Solves equilibria beside a path.
pub struct Sampler<'a> {
    equilibrium: Equilibrium<'a>,
    newton: Newton,
}

impl<'a> Sampler<'a> {
    /// Of these equations.
    pub fn new(equilibrium: Equilibrium<'a>) -> Self {
        let options = NewtonOptions { residual: 1e-10, step: 1e-8, max_iterations: 12, ..NewtonOptions::default() };
        let newton = Newton::new(best_general_solver(equilibrium.pattern()), options);
        Self { equilibrium, newton }
    }

    /// Something of the equilibrium equations at a load factor.
    pub fn at<T>(
        &mut self,
        p: f64,
        of: impl FnOnce(&mut Equilibrium<'a>) -> Result<Option<T>, EvalFailure>,
    ) -> Option<T> {
        self.equilibrium.set_parameter(p);
        of(&mut self.equilibrium).ok().flatten()
    }

    /// The softest motions about a known equilibrium.
    pub fn known(&mut self, p: f64, x: &[f64], count: usize) -> Option<Sample> {
        self.equilibrium.set_parameter(p);
        let linearised = Linearised::sharp(&mut self.equilibrium, x).ok()?;
        let modes = softest(&linearised, self.equilibrium.assembly, count).ok()?;
        Some(Sample { p, x: x.to_vec(), free: linearised.free, modes })
    }

    /// The equilibrium at this load factor near the line through the two nearest of these; none if it is further away than
    /// `reach`.
    fn beside(&mut self, p: f64, samples: &[Sample], reach: f64) -> Option<Sample> {
        let mut near: Vec<&Sample> = samples.iter().collect();
        near.sort_by(|a, b| (a.p - p).abs().total_cmp(&(b.p - p).abs()));
        let [a, b] = [near.first()?, near.get(1)?];
        let share = if a.p == b.p { 0.0 } else { (p - a.p) / (b.p - a.p) };
        let guess: Vec<f64> = a.x.iter().zip(&b.x).map(|(a, b)| a + share * (b - a)).collect();
        self.equilibrium.set_parameter(p);
        let solution = self.newton.solve(&mut self.equilibrium, &guess, &mut |_| true).ok()?;
        if solution.status != Status::Solved || self.distance(&solution.x, &guess) > reach {
            return None;
        }
        self.known(p, &solution.x, a.modes.values.len())
    }

    /// Largest change of an unknown between two states, relative to its scale.
    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let change = |(col, (a, b)): (usize, (&f64, &f64))| (a - b).abs() / self.equilibrium.unknown_scale(col);
        a.iter().zip(b).enumerate().map(change).fold(0.0, f64::max)
    }

    /// Where the eigenvalue number `k`, from 0, passes zero, if it has opposite signs at the ends.
    pub fn crossing(&mut self, from: &Sample, to: &Sample, k: usize) -> Option<Crossing> {
        let [start, end] = [from, to].map(|end| end.value(k));
        let (start, end) = (start?, end?);
        if start.value * end.value >= 0.0 || [start, end].iter().any(|end| end.value.abs() <= end.doubt) {
            return None;
        }
        let reach = STRAY + 1.5 * self.distance(&from.x, &to.x);
        let mut samples = vec![from.clone(), to.clone()];
        let p = enclosed([(from.p, start.value), (to.p, end.value)], &mut |p| {
            let sample = self.beside(p, &samples, reach)?;
            let value = sample.value(k)?.value;
            samples.push(sample);
            Some(value)
        });
        let mut first: Option<Sample> = None;
        let zero = interpolated(p, LEAST * from.p.abs().max(to.p.abs()), &mut |p| {
            let sample = self.beside(p, &samples, reach)?;
            let value = sample.value(sample.like(first.get_or_insert_with(|| sample.clone()), k))?;
            samples.push(sample);
            Some(value)
        })?;
        let around = &samples[samples.len() - AROUND.len()..];
        let at: Vec<f64> = around.iter().map(|sample| sample.p).collect();
        let mut x = vec![0.0; from.x.len()];
        for (share, sample) in shares(&at, zero.at).into_iter().zip(around) {
            x.iter_mut().zip(&sample.x).for_each(|(x, there)| *x += share * there);
        }
        let mut modes = self.known(zero.at, &x, from.modes.values.len())?.modes;
        let shape = modes.shapes.swap_remove(k);
        Some(Crossing { parameter: zero.at, doubt: zero.doubt, x, shape })
    }
}

impl Sample {
    /// Number of directions in which it is unstable beyond doubt.
    pub fn unstable(&self) -> usize {
        (0..self.modes.values.len()).filter_map(|k| self.value(k)).filter(|mu| mu.value < -mu.doubt).count()
    }

    fn value(&self, k: usize) -> Option<Value> {
        let value = *self.modes.values.get(k)?;
        Some(Value { value, doubt: self.modes.accuracies[k].uncertainty })
    }

    /// Number of the motion that is most like motion `k` of another sample: others may pass it in their order.
    fn like(&self, other: &Sample, k: usize) -> usize {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let wanted = &other.modes.shapes[k];
        let alike = |shape: &Vec<f64>| dot(shape, wanted).abs() / dot(shape, shape).sqrt();
        let shapes = &self.modes.shapes;
        (0..shapes.len()).max_by(|a, b| alike(&shapes[*a]).total_cmp(&alike(&shapes[*b]))).unwrap_or(k)
    }
}
