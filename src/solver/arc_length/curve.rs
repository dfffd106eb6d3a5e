//! The curve r(x, p) = 0: getting onto it, its tangent, lengths and angles.

use super::ArcLengthOptions;
use super::bordered::{Bordered, Factors};
use crate::nlp::{EvalFailure, FollowedSystem};
use crate::solver::linear::LinearError;
use crate::solver::newton::{Newton, Reached, evaluate_finite, with_names};

/// Length of a correction, as a share of the stretch on which a point is looked for, below which it need not shrink.
const HARMLESS: f64 = 0.05;

/// Length of a correction not made, as a share of the tolerance of the step.
const FORESEEN: f64 = 1e-3;

/// How well a point of the curve is to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Accuracy {
    /// The next correction would be far below the tolerance of the step, as the last two foretell.
    Foreseen,
    /// The last correction is within the tolerance of the step: the error is about its square.
    Squared,
}

/// A point (x, p) of the curve, or a direction there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pair {
    pub x: Vec<f64>,
    pub p: f64,
}

impl Pair {
    /// self + factor · other.
    pub fn plus(&self, factor: f64, other: &Self) -> Self {
        let x = self.x.iter().zip(&other.x).map(|(a, b)| a + factor * b).collect();
        Self { x, p: self.p + factor * other.p }
    }

    /// factor · self.
    pub fn times(&self, factor: f64) -> Self {
        Self { x: self.x.iter().map(|x| factor * x).collect(), p: factor * self.p }
    }
}

/// A point of the curve with its unit tangent.
#[derive(Debug, Clone)]
pub(super) struct Station {
    pub at: Pair,
    pub tangent: Pair,
    /// Corrections it took to get onto the curve.
    pub iterations: usize,
}

pub(super) struct Curve<'a> {
    system: &'a mut dyn FollowedSystem,
    bordered: Bordered<'a>,
    options: &'a ArcLengthOptions,
    /// Tolerances of residual and step.
    tolerances: [f64; 2],
    scales: Vec<f64>,
    /// Weights of the squares of x in the squared length: 1 / (n scale²), so that refining a mesh leaves lengths alone.
    metric: Vec<f64>,
    residual: Vec<f64>,
    step: Vec<f64>,
}

impl<'a> Curve<'a> {
    /// `newton` must have analysed the pattern of the system.
    pub fn new(newton: &'a mut Newton, system: &'a mut dyn FollowedSystem, options: &'a ArcLengthOptions) -> Self {
        let size = system.size();
        let scales: Vec<f64> = (0..size).map(|col| system.unknown_scale(col)).collect();
        let metric = scales.iter().map(|scale| 1.0 / (size as f64 * scale * scale)).collect();
        let tolerances = [newton.options.residual, newton.options.step];
        let nnz = system.pattern().nnz();
        Self {
            bordered: Bordered::new(newton.lend(), size, nnz),
            system,
            options,
            tolerances,
            scales,
            metric,
            residual: vec![0.0; size],
            step: vec![0.0; size],
        }
    }

    pub fn parameter_name(&self) -> String {
        self.system.parameter_name()
    }

    /// Scalar product of dimensionless directions.
    pub fn dot(&self, a: &Pair, b: &Pair) -> f64 {
        let x: f64 = a.x.iter().zip(&b.x).zip(&self.metric).map(|((a, b), weight)| a * b * weight).sum();
        x + a.p * b.p / self.options.parameter_scale.powi(2)
    }

    pub fn length(&self, a: &Pair) -> f64 {
        self.dot(a, a).sqrt()
    }

    /// Angle between two directions of any length.
    pub fn angle(&self, a: &Pair, b: &Pair) -> f64 {
        let (a_length, b_length) = (self.length(a), self.length(b));
        // The difference of unit vectors is accurate for small angles, where the scalar product is not.
        let unit = a.times(1.0 / a_length);
        2.0 * (0.5 * self.length(&unit.plus(-1.0 / b_length, b))).min(1.0).asin()
    }

    /// The direction in which only p changes.
    pub fn parameter_axis(&self, sign: f64) -> Pair {
        Pair { x: vec![0.0; self.scales.len()], p: sign * self.options.parameter_scale }
    }

    /// Leads `guess` onto the curve in the plane through it with this normal, and returns the number of corrections.
    ///
    /// Corrections must shrink, unless they are short against the `stretch` of the curve on which the point is looked for
    /// and cannot lead to another branch: a slender rod resists stretching so much more than bending that a second
    /// correction exceeds the first although both are tiny.
    pub fn correct(
        &mut self,
        guess: &mut Pair,
        normal: &Pair,
        stretch: f64,
        accuracy: Accuracy,
    ) -> Result<usize, String> {
        let plane = guess.clone();
        self.border(normal);
        self.evaluate(guess).map_err(|failure| failure.to_string())?;
        let [residual_tolerance, step_tolerance] = self.tolerances;
        let mut previous = f64::INFINITY;
        let mut before: Option<Reached> = None;
        for iteration in 1..=self.options.max_corrections {
            self.linearise(guess).map_err(|failure| failure.to_string())?;
            self.step.iter_mut().zip(&self.residual).for_each(|(step, residual)| *step = -residual);
            let off_plane = self.dot(normal, &guess.plus(-1.0, &plane));
            let pattern = self.system.pattern();
            let solved = self.bordered.solve(pattern, Factors::New, &mut self.step, -off_plane);
            let dp = solved.map_err(|error| self.explain(error))?;
            guess.x.iter_mut().zip(&self.step).for_each(|(x, step)| *x += step);
            guess.p += dp;
            self.evaluate(guess).map_err(|failure| failure.to_string())?;
            let (row, residual) = self.worst();
            let sizes = self.step.iter().zip(&self.bordered.sizes);
            let step = sizes.fold(dp.abs() / self.bordered.last_size, |m, (step, size)| m.max(step.abs() / size));
            // Quadratic convergence squares the ratio of consecutive corrections each time.
            let theta = step / previous;
            let foreseen = accuracy == Accuracy::Foreseen && previous.is_finite() && theta < 1.0;
            let close = step <= step_tolerance || (foreseen && theta * theta * step <= FORESEEN * step_tolerance);
            let reached = Reached { residual, step };
            let exhausted = before.replace(reached).is_some_and(|before| reached.is_all_there_is(before));
            if (residual <= residual_tolerance && close) || exhausted {
                return Ok(iteration);
            }
            if !(step <= self.options.slowest * previous || step <= step_tolerance.max(HARMLESS * stretch)) {
                let name = self.system.row_name(row);
                return Err(format!("corrections do not shrink; largest scaled residual {residual:.2e} in {name}"));
            }
            previous = step;
        }
        let (row, residual) = self.worst();
        let name = self.system.row_name(row);
        let limit = self.options.max_corrections;
        Err(format!("not solved by {limit} corrections; largest scaled residual {residual:.2e} in {name}"))
    }

    /// The unit tangent at a point of the curve, within a right angle of `forward`.
    pub fn tangent(&mut self, at: &Pair, forward: &Pair) -> Result<Pair, String> {
        self.border(forward);
        self.system.set_parameter(at.p);
        self.linearise(at).map_err(|failure| failure.to_string())?;
        let mut x = vec![0.0; at.x.len()];
        let solved = self.bordered.solve(self.system.pattern(), Factors::AtHand, &mut x, 1.0);
        let p = solved.map_err(|error| self.explain(error))?;
        let mut tangent = Pair { x, p };
        let length = self.length(&tangent);
        tangent.x.iter_mut().for_each(|x| *x /= length);
        tangent.p /= length;
        Ok(tangent)
    }

    /// Corrects the guess in the plane with this normal and completes it by its tangent; `stretch` as for
    /// [`Curve::correct`].
    pub fn station(
        &mut self,
        guess: Pair,
        normal: &Pair,
        forward: &Pair,
        stretch: f64,
        accuracy: Accuracy,
    ) -> Result<Station, String> {
        let mut at = guess;
        let iterations = self.correct(&mut at, normal, stretch, accuracy)?;
        let tangent = self.tangent(&at, forward)?;
        Ok(Station { at, tangent, iterations })
    }

    /// Leaves the system at this parameter.
    pub fn leave_at(&mut self, parameter: f64) {
        self.system.set_parameter(parameter);
    }

    /// Borders the Jacobian by the scalar product with `normal`.
    fn border(&mut self, normal: &Pair) {
        for ((c, x), weight) in self.bordered.row.iter_mut().zip(&normal.x).zip(&self.metric) {
            *c = x * weight;
        }
        self.bordered.corner = normal.p / self.options.parameter_scale.powi(2);
    }

    fn evaluate(&mut self, at: &Pair) -> Result<(), EvalFailure> {
        self.system.set_parameter(at.p);
        evaluate_finite(self.system, &at.x, &mut self.residual)
    }

    fn linearise(&mut self, at: &Pair) -> Result<(), EvalFailure> {
        self.system.jacobian(&at.x, &mut self.bordered.jacobian)?;
        self.system.parameter_derivative(&at.x, &mut self.bordered.column)?;
        for ((size, scale), x) in self.bordered.sizes.iter_mut().zip(&self.scales).zip(&at.x) {
            *size = scale.max(x.abs());
        }
        self.bordered.last_size = self.options.parameter_scale.max(at.p.abs());
        self.bordered.weigh(self.system.pattern());
        Ok(())
    }

    fn worst(&self) -> (usize, f64) {
        let scaled = self.residual.iter().zip(&self.bordered.weights).map(|(r, weight)| r.abs() * weight);
        scaled.enumerate().fold((0, 0.0), |worst, (row, size)| if size > worst.1 { (row, size) } else { worst })
    }

    fn explain(&self, error: LinearError) -> String {
        with_names(error, self.system).to_string()
    }
}
