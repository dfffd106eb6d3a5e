//! From an optimal-control problem and a number of intervals to a nonlinear program, and back.

use nalgebra::DVector;

use super::chart::Evaluated;
use super::checks::{TranscriptionError, check};
use super::hamiltonian::hamiltonian;
use super::interpolation::Interpolation;
use super::places::{Places, Spot};
use super::reference::Reference;
use super::trajectory::Trajectory;
use super::{ControlProblem, Given, families};
use crate::kernel::linear;
use crate::nlp::EvalFailure;
use crate::nlp::families::Families;

/// A problem on a mesh.
///
/// ```
/// use std::sync::Arc;
/// use lariat::discretisation::transcription::{At, ControlProblem, Cost, End, Given, Guess, Mechanics, Reduction, Rule, Transcription};
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
///     begins: Given::Fixed(0.0),
///     start: End::at_rest(&[0.0]),
///     end: End::at_rest(&[1.0]),
///     periodic: Vec::new(),
///     coordinate_bounds: vec![free],
///     control_bounds: vec![free],
///     cost: Cost { running: vec![(0.5, Arc::new(|at| at.u[0].square()))], ..Cost::default() },
///     path: Vec::new(),
///     rates: Vec::new(),
///     servo: Vec::new(),
///     rule: Rule::Midpoint,
///     reduction: Reduction::Multipliers,
///     mixed: false,
///     guess: Guess::straight(vec![0.0], vec![1.0], 1, 1.0),
/// };
/// let transcription = Transcription::new(&problem, 10)?;
/// let program = transcription.program()?;
/// assert_eq!((program.bounds().variables(), program.bounds().rows()), (11 + 10 + 2, 11));
/// assert_eq!(program.row_name(3), "motion of x at t = 0.300000 s");
/// # Ok::<(), lariat::discretisation::transcription::TranscriptionError>(())
/// ```
pub struct Transcription<'p> {
    problem: &'p ControlProblem,
    places: Places,
    reference: Reference,
}

impl<'p> Transcription<'p> {
    /// The problem on equal intervals.
    pub fn new(problem: &'p ControlProblem, intervals: usize) -> Result<Self, TranscriptionError> {
        check(problem, intervals)?;
        Ok(Self::unchecked(problem, intervals))
    }

    /// The same problem on other intervals, at least one.
    pub fn on(&self, intervals: usize) -> Self {
        let intervals = intervals.max(1);
        let reference = self.reference.clone().on(self.problem, intervals);
        Self { problem: self.problem, places: Places { intervals, ..self.places }, reference }
    }

    fn unchecked(problem: &'p ControlProblem, intervals: usize) -> Self {
        let reference = Reference::new(problem, intervals);
        Self { problem, places: Places::new(problem, intervals, &reference), reference }
    }

    /// The program.
    pub fn program(&self) -> Result<Families, TranscriptionError> {
        Ok(self.pieces().assemble()?)
    }

    pub(super) fn pieces(&self) -> families::Pieces {
        let limits = |node: usize, i: usize| self.position_bounds(node, i);
        families::pieces(self.problem, self.places, &self.reference, self.variable_bounds(), limits)
    }

    pub(super) fn places(&self) -> Places {
        self.places
    }

    /// The same where the start continues another motion, whose positions satisfy the constraints already. The velocities do so
    /// by impulses of the constraints.
    pub(super) fn continuing(mut self) -> Self {
        let constraints = self.places.velocity_constraints;
        (self.places.positions[0], self.places.velocities[0]) = (false, constraints > 0);
        self.places.impulses = constraints;
        self
    }

    /// Number of unknown positions of a node, coordinates or local ones; their positions are the first functions of time among the variables.
    pub fn coordinates(&self) -> usize {
        self.places.coordinates
    }

    /// What the variables are in time.
    pub fn variables(&self) -> Vec<Spot> {
        self.places.variable_spots(&self.points())
    }

    /// What the rows are in time.
    pub fn rows(&self) -> Vec<Spot> {
        self.places.row_spots(&self.points(), &self.reference.limits)
    }

    /// Shares of an interval of the points between its ends.
    fn points(&self) -> Vec<f64> {
        let along = Interpolation::new(self.problem.rule);
        along.points()[1..=along.inner()].to_vec()
    }

    /// Bounds of a coordinate at a node.
    fn position_bounds(&self, node: usize, i: usize) -> (f64, f64) {
        let along = self.problem.coordinate_bounds[i];
        let (lower, upper) = match node {
            0 => self.problem.start.position[i].bounds(),
            node if node == self.places.intervals => self.problem.end.position[i].bounds(),
            _ => along,
        };
        (lower.max(along.0), upper.min(along.1))
    }

    /// Writes the bounds of the unknown positions of a node.
    fn bound_positions(&self, node: usize, bounds: &mut [(f64, f64)]) {
        let Some(chart) = &self.reference.chart else {
            bounds.iter_mut().enumerate().for_each(|(i, bounds)| *bounds = self.position_bounds(node, i));
            return;
        };
        let end = if node == 0 { Some(0) } else { (node == self.places.intervals).then_some(1) };
        let known = end.map_or(&[][..], |end| &self.reference.known[end]);
        let mut first = 0;
        for (group, known) in chart.groups().iter().zip(known) {
            if *known {
                bounds[first..first + group.freedoms()].fill((0.0, 0.0));
            }
            first += group.freedoms();
        }
        for (bounds, i) in bounds[chart.turning()..].iter_mut().zip(chart.free()) {
            *bounds = self.position_bounds(node, *i);
        }
    }

    fn variable_bounds(&self) -> (Vec<f64>, Vec<f64>) {
        let (problem, p) = (self.problem, self.places);
        let mut bounds = vec![Given::FREE.bounds(); p.variables()];
        if let Some(place) = p.duration() {
            bounds[place] = problem.duration.bounds();
        }
        if let Some(place) = p.begins() {
            bounds[place] = problem.begins.bounds();
        }
        for i in 0..p.rates {
            bounds[p.start_velocity() + i] = problem.start.velocity[i].bounds();
            bounds[p.end_velocity() + i] = problem.end.velocity[i].bounds();
        }
        for node in 0..=p.intervals {
            self.bound_positions(node, &mut bounds[p.position(node)..p.position(node) + p.coordinates]);
        }
        for interval in 0..p.intervals {
            let inner = bounds[p.point(interval)..p.point(interval) + p.within()].chunks_exact_mut(p.rates.max(1));
            inner.for_each(|point| point.copy_from_slice(&problem.coordinate_bounds));
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
            let q = self.reference.local(q);
            x[p.position(node)..p.position(node) + p.coordinates].copy_from_slice(&q);
            if node < p.intervals {
                for (j, point) in self.points().iter().enumerate() {
                    let q = (problem.guess.position)((node as f64 + point) / p.intervals as f64);
                    x[p.point(node) + j * p.coordinates..][..p.coordinates].copy_from_slice(&q);
                }
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
        let guess = |node: usize| (problem.guess.position)(p.share(node));
        for (first, before) in [(p.start_velocity(), 0), (p.end_velocity(), p.intervals - 1)] {
            let pairs = guess(before).into_iter().zip(guess(before + 1));
            x[first..first + p.rates].iter_mut().zip(pairs).for_each(|(x, (a, b))| *x = (b - a) / h);
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
        Trajectory::new(self.problem, self.places, &self.reference, x, row_multipliers)
    }

    /// The Hamiltonian of the intervals of a motion from [`Transcription::trajectory`]; none if something depends on time or the
    /// rule is of higher order.
    pub fn hamiltonian(
        &self,
        found: &Trajectory,
        x: &[f64],
        row_multipliers: &[f64],
    ) -> Result<Option<Vec<f64>>, EvalFailure> {
        hamiltonian(self.problem, self.places, found, x, row_multipliers)
    }

    /// Whether the unknowns are local coordinates of a chart.
    pub fn is_reduced(&self) -> bool {
        self.reference.chart.is_some()
    }

    /// The same with reference points along a path, given at equal shares of the duration.
    pub fn along(&self, path: Vec<Vec<f64>>) -> Self {
        let reference = self.reference.clone().along(self.problem, path);
        Self { problem: self.problem, places: self.places, reference }
    }

    /// Makes a point that was interpolated between meshes one of this mesh: its configurations are the reference points, and
    /// of its row multipliers those of motion are made from costates, which are functions of the coordinates.
    pub fn settle(&self, costates: &[Vec<f64>], x: &mut [f64], row_multipliers: &mut [f64]) -> Result<(), EvalFailure> {
        let p = self.places;
        let Some(chart) = &self.reference.chart else { return Ok(()) };
        let mut evaluated = Evaluated::new(chart);
        for node in 0..=p.intervals {
            let f = &mut x[p.position(node)..p.position(node) + p.coordinates];
            f[..chart.turning()].fill(0.0);
            let tangents = evaluated.null_space(f, &self.reference.numbers[node])?;
            let costate = DVector::from_vec(linear(costates, p.share(node)));
            let normal = (tangents.transpose() * &tangents).cholesky();
            if let Some(normal) = normal.filter(|_| costate.len() == tangents.nrows()) {
                let local = normal.solve(&(tangents.transpose() * costate));
                row_multipliers[p.motion(node)..p.motion(node) + p.coordinates].copy_from_slice(local.as_slice());
            }
        }
        Ok(())
    }
}
