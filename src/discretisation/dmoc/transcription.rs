//! From an optimal-control problem and a number of intervals to a nonlinear program, and back.

use super::checks::{TranscriptionError, check};
use super::places::{Places, Spot};
use super::trajectory::Trajectory;
use super::{ControlProblem, Given, families, parts};
use crate::nlp::EvalFailure;
use crate::nlp::families::Families;

/// A problem on a mesh.
///
/// ```
/// use std::sync::Arc;
/// use lariat::discretisation::dmoc::{At, ControlProblem, Cost, End, Given, Guess, Mechanics, Rule, Transcription};
/// use lariat::nlp::{Nlp, graph::Expr};
///
/// struct Point;
///
/// impl Mechanics for Point {
///     fn coordinates(&self) -> Vec<String> {
///         vec!["x".into()]
///     }
///     fn controls(&self) -> Vec<String> {
///         vec!["u".into()]
///     }
///     fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
///         0.5 * at.v[0].square()
///     }
///     fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
///         vec![at.u[0]]
///     }
/// }
///
/// let free = (f64::NEG_INFINITY, f64::INFINITY);
/// let problem = ControlProblem {
///     mechanics: Arc::new(Point),
///     duration: Given::Fixed(1.0),
///     start: End::at_rest(&[0.0]),
///     end: End::at_rest(&[1.0]),
///     periodic: Vec::new(),
///     coordinate_bounds: vec![free],
///     control_bounds: vec![free],
///     cost: Cost { running: vec![(0.5, Arc::new(|at| at.u[0].square()))], ..Cost::default() },
///     path: Vec::new(),
///     rule: Rule::Midpoint,
///     guess: Guess::straight(vec![0.0], vec![1.0], 1, 1.0),
/// };
/// let transcription = Transcription::new(&problem, 10)?;
/// let program = transcription.program()?;
/// assert_eq!((program.bounds().variables(), program.bounds().rows()), (11 + 10 + 2, 11));
/// assert_eq!(program.row_name(3), "motion of x at t = 0.300000 s");
/// # Ok::<(), lariat::discretisation::dmoc::TranscriptionError>(())
/// ```
pub struct Transcription<'p> {
    problem: &'p ControlProblem,
    places: Places,
    constraints: Vec<String>,
}

impl<'p> Transcription<'p> {
    /// The problem on equal intervals.
    pub fn new(problem: &'p ControlProblem, intervals: usize) -> Result<Self, TranscriptionError> {
        check(problem, intervals)?;
        Ok(Self::unchecked(problem, intervals))
    }

    /// The same problem on other intervals, at least one.
    pub fn on(&self, intervals: usize) -> Self {
        Self {
            problem: self.problem,
            places: Places { intervals: intervals.max(1), ..self.places },
            constraints: self.constraints.clone(),
        }
    }

    fn unchecked(problem: &'p ControlProblem, intervals: usize) -> Self {
        let constraints = parts::constraint_names(problem);
        Self { problem, places: Places::new(problem, intervals, constraints.len()), constraints }
    }

    /// The program.
    pub fn program(&self) -> Result<Families, TranscriptionError> {
        Ok(families::program(self.problem, self.places, &self.constraints, self.variable_bounds())?)
    }

    /// Number of coordinates; their positions are the first functions of time among the variables.
    pub fn coordinates(&self) -> usize {
        self.places.coordinates
    }

    /// What the variables are in time.
    pub fn variables(&self) -> Vec<Spot> {
        self.places.variable_spots()
    }

    /// What the rows are in time.
    pub fn rows(&self) -> Vec<Spot> {
        self.places.row_spots()
    }

    fn variable_bounds(&self) -> (Vec<f64>, Vec<f64>) {
        let (problem, p) = (self.problem, self.places);
        let mut bounds = vec![Given::FREE.bounds(); p.variables()];
        if let Some(place) = p.duration() {
            bounds[place] = problem.duration.bounds();
        }
        for i in 0..p.coordinates {
            bounds[p.start_velocity() + i] = problem.start.velocity[i].bounds();
            bounds[p.end_velocity() + i] = problem.end.velocity[i].bounds();
            for node in 0..=p.intervals {
                let along = problem.coordinate_bounds[i];
                let (lower, upper) = match node {
                    0 => problem.start.position[i].bounds(),
                    node if node == p.intervals => problem.end.position[i].bounds(),
                    _ => along,
                };
                bounds[p.position(node) + i] = (lower.max(along.0), upper.min(along.1));
            }
        }
        for interval in 0..p.intervals {
            bounds[p.control(interval)..p.control(interval) + p.controls].copy_from_slice(&problem.control_bounds);
        }
        bounds.into_iter().unzip()
    }

    /// The start of the search: the guess, and of the velocities what its ends suggest.
    pub fn start(&self) -> Vec<f64> {
        let (problem, p) = (self.problem, self.places);
        let (lower, upper) = self.variable_bounds();
        let mut x = vec![0.0; lower.len()];
        let duration = problem.duration.value().unwrap_or(problem.guess.duration);
        if let Some(place) = p.duration() {
            x[place] = duration;
        }
        let mut peaks = vec![0.0f64; p.peaks];
        for node in 0..=p.intervals {
            let q = (problem.guess.position)(p.share(node));
            x[p.position(node)..p.position(node) + p.coordinates].copy_from_slice(&q);
            if node < p.intervals {
                let u = (problem.guess.control)(p.middle(node));
                x[p.control(node)..p.control(node) + p.controls].copy_from_slice(&u);
                for (j, (i, _)) in problem.cost.fuel.iter().enumerate() {
                    x[p.magnitude(node) + j] = u[*i].abs();
                }
                x[p.magnitude(node) + problem.cost.fuel.len()..p.magnitude(node) + p.magnitudes].fill(1.0);
                for (peak, (i, _)) in peaks.iter_mut().zip(&problem.cost.peak) {
                    *peak = peak.max(u[*i].abs());
                }
            }
        }
        x[p.peak(0)..p.peak(0) + p.peaks].copy_from_slice(&peaks);
        let h = duration / p.intervals as f64;
        for i in 0..p.coordinates {
            let slope = |node: usize| (x[p.position(node + 1) + i] - x[p.position(node) + i]) / h;
            (x[p.start_velocity() + i], x[p.end_velocity() + i]) = (slope(0), slope(p.intervals - 1));
        }
        // What is given is not guessed.
        for ((x, lower), upper) in x.iter_mut().zip(&lower).zip(&upper) {
            if lower == upper {
                *x = *lower;
            }
        }
        x
    }

    /// Motion and controls of a point of the program, with the multipliers of its rows.
    pub fn trajectory(&self, x: &[f64], row_multipliers: &[f64]) -> Result<Trajectory, EvalFailure> {
        Trajectory::new(self.problem, self.places, x, row_multipliers)
    }
}
