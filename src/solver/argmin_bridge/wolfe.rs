//! A line search to the weak Wolfe conditions that gets along with points that cannot be evaluated.
//!
//! The interval between a step that is too short and one that is too long is divided until a step is neither (Lewis and
//! Overton, 2013). The slope condition keeps the curvature of each step positive, on which L-BFGS relies.

use argmin::core::{
    CostFunction, Error, Gradient, IterState, KV, LineSearch, Problem, Solver, State, TerminationReason,
};

/// Share of the decrease promised by the slope that a step must bring.
const DECREASE: f64 = 1e-4;
/// Share of the slope that may be left.
const SLOPE: f64 = 0.9;
/// Rise of the value, relative to it, that rounding may cause.
const ROUNDING: f64 = 1e-14;
/// Part of the interval that is cut off at least.
const CUT: f64 = 0.1;
const MAX_TRIALS: usize = 100;

type Trials = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

/// The search; one iteration is one trial.
#[derive(Debug, Clone, Default)]
pub(super) struct WeakWolfe {
    direction: Vec<f64>,
    origin: Vec<f64>,
    value: f64,
    slope: f64,
    /// The step tried next.
    step: f64,
    /// A step that is too short, with its slope.
    short: (f64, f64),
    /// A step that is too long, with its slope where it has one.
    long: Option<(f64, Option<f64>)>,
    trials: usize,
}

impl WeakWolfe {
    /// The zero of the slope by the secant rule where both ends have one, away from both.
    fn between(&self) -> f64 {
        let (short, slope) = self.short;
        let Some((long, other)) = self.long else { return 2.0 * self.step };
        let secant = other.filter(|other| *other > 0.0).map(|other| -slope / (other - slope));
        short + (long - short) * secant.unwrap_or(0.5).clamp(CUT, 1.0 - CUT)
    }
}

impl LineSearch<Vec<f64>, f64> for WeakWolfe {
    fn search_direction(&mut self, direction: Vec<f64>) {
        self.direction = direction;
    }

    fn initial_step_length(&mut self, step: f64) -> Result<(), Error> {
        self.step = step;
        Ok(())
    }
}

impl<O> Solver<O, Trials> for WeakWolfe
where
    O: CostFunction<Param = Vec<f64>, Output = f64> + Gradient<Param = Vec<f64>, Gradient = Vec<f64>>,
{
    fn name(&self) -> &str {
        "weak Wolfe line search"
    }

    fn init(&mut self, _problem: &mut Problem<O>, mut state: Trials) -> Result<(Trials, Option<KV>), Error> {
        let (Some(origin), Some(gradient)) = (state.take_param(), state.take_gradient()) else {
            return Err(Error::msg("the line search needs a point with its gradient"));
        };
        self.slope = dot(&gradient, &self.direction);
        if !(self.slope < 0.0) {
            return Err(Error::msg(format!("the slope along the direction is {:.1e}, not negative", self.slope)));
        }
        self.value = state.get_cost();
        self.origin = origin;
        self.step = 1.0;
        (self.short, self.long, self.trials) = ((0.0, self.slope), None, 0);
        Ok((state, None))
    }

    fn next_iter(&mut self, problem: &mut Problem<O>, state: Trials) -> Result<(Trials, Option<KV>), Error> {
        self.trials += 1;
        if self.trials > MAX_TRIALS {
            return Err(Error::msg(format!("no step of {MAX_TRIALS} lowers the value as its slope promises")));
        }
        let size = self.origin.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        let length = self.step * self.direction.iter().fold(0.0f64, |length, d| length.max(d.abs()));
        if self.long.is_some() && length <= f64::EPSILON * size {
            return Err(Error::msg("no step that changes the point lowers the value as its slope promises"));
        }
        let x: Vec<f64> = self.origin.iter().zip(&self.direction).map(|(x, d)| x + self.step * d).collect();
        let value = problem.cost(&x)?;
        if !value.is_finite() {
            self.long = Some((self.step, None));
            self.step = self.between();
            return Ok((state, None));
        }
        let gradient = problem.gradient(&x)?;
        let slope = dot(&gradient, &self.direction);
        let lower = value <= self.value + DECREASE * self.step * self.slope;
        // Near a minimum rounding hides the decrease of the value, but not that of the slope.
        let as_low = value <= self.value + ROUNDING * self.value.abs() && slope <= (2.0 * DECREASE - 1.0) * self.slope;
        if !lower && !as_low {
            self.long = Some((self.step, Some(slope)));
        } else if slope < SLOPE * self.slope {
            self.short = (self.step, slope);
        } else {
            let state = state.param(x).cost(value).gradient(gradient);
            return Ok((state.terminate_with(TerminationReason::SolverConverged), None));
        }
        self.step = self.between();
        Ok((state, None))
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
