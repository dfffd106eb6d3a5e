//! From instant to instant.

use super::ServoProblem;
use super::array::Array;
use super::equations::Equations;
use super::explain::ServoError;
use super::internal::{Mode, modes};
use super::series::Series;
use super::smoothness::{self, Break};
use super::stages::{REGULAR, Scale, Stages, When, open_names, smallest};
use super::structure::IndexStructure;
use crate::nlp::graph::Side;

/// Stages beyond those that determine the unknowns, where the internal dynamics is integrated.
const ORDER: usize = 18;
/// Growth over the duration above which an unstable internal dynamics is refused.
const GROWTH: f64 = 1e3;
/// Real parts of eigenvalues this small, relative to their size, are rounding.
const MARGINAL: f64 = 1e-6;
/// The way between two instants is halved at most so often where Newton's method fails.
const MAX_HALVINGS: usize = 10;
/// Shortest step of the integration relative to the duration.
const SHORTEST: f64 = 1e-9;

/// What was found at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Instant {
    /// Time, second.
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Multipliers of the constraints.
    pub multipliers: Vec<f64>,
    /// Controls.
    pub u: Vec<f64>,
}

/// A motion that follows the paths, and what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Marched {
    /// At the times asked for.
    pub instants: Vec<Instant>,
    /// Modes of the internal dynamics at the first instant.
    pub modes: Vec<Mode>,
    /// Instants at which the controls jump.
    pub jumps: Vec<Break>,
    /// Smallest relative singular value of the system's Jacobian on the way, and when.
    pub conditioning: (f64, f64),
    /// Instants that were solved.
    pub solved: usize,
}

/// Follows the paths at increasing times; `go_on` hears how many are done and may stop.
pub fn march(
    problem: &ServoProblem,
    equations: &mut Equations,
    structure: &IndexStructure,
    times: &[f64],
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Result<Marched, ServoError> {
    let (jumps, changes) = smoothness::breaks(problem, structure, times)?;
    smoothness::refuse(problem, structure, &jumps)?;
    let extra = if structure.freedoms > 0 { ORDER } else { 0 };
    let mut way = Way::begin(problem, equations, structure, times, extra)?;
    let modes = way.internal()?;
    let mut instants = Vec::with_capacity(times.len());
    for (k, t) in times.iter().enumerate() {
        if !go_on(k) {
            return Err(ServoError::Interrupted { time: *t });
        }
        if k > 0 {
            let stops = changes.iter().filter(|change| **change > way.t && **change < *t);
            for stop in stops.copied().filter(|_| extra > 0).collect::<Vec<_>>() {
                way.reach(stop)?;
            }
            way.reach(*t)?;
        }
        way.check()?;
        instants.push(way.instant());
    }
    Ok(Marched { instants, modes, jumps, conditioning: way.conditioning, solved: way.solved })
}

/// Second derivatives of the coordinates at the first of these times.
pub fn accelerations(
    problem: &ServoProblem,
    equations: &mut Equations,
    structure: &IndexStructure,
    times: &[f64],
) -> Result<Vec<f64>, ServoError> {
    let [coordinates, ..] = equations.sizes();
    let way = Way::begin(problem, equations, structure, times, 0)?;
    Ok((0..coordinates).map(|i| 2.0 * way.series.of(i)[2]).collect())
}

/// Where the march is.
struct Way<'a> {
    stages: Stages<'a>,
    /// All derivatives at once, where the structure hides the index.
    array: Option<Array>,
    series: Series,
    t: f64,
    extra: usize,
    duration: f64,
    conditioning: (f64, f64),
    solved: usize,
}

impl<'a> Way<'a> {
    /// The first instant, solved with so many stages beyond those that determine the unknowns.
    fn begin(
        problem: &ServoProblem,
        equations: &'a mut Equations,
        structure: &'a IndexStructure,
        times: &[f64],
        extra: usize,
    ) -> Result<Self, ServoError> {
        equations.set_degree(structure.degree(extra));
        let duration = times.last().zip(times.first()).map_or(0.0, |(end, begin)| end - begin);
        let size = problem.reference.iter().fold(0.0, |size: f64, q| size.max(q.abs())).max(0.1);
        let scale = Scale { size, time: (0.1 * duration).max(f64::MIN_POSITIVE) };
        let unknowns = equations.unknowns();
        let mut series = Series::zero(unknowns, structure.degree(extra) + 2);
        problem.reference.iter().enumerate().for_each(|(i, q)| series.of_mut(i)[0] = *q);
        let array = (structure.hidden > 0).then(|| {
            let (c, d) = structure.orders();
            Array::new(problem, equations, (&c, &d), scale.time)
        });
        let mut way = Self {
            stages: Stages { equations, structure, scale },
            array,
            series,
            t: times.first().copied().unwrap_or(0.0),
            extra,
            duration,
            conditioning: (f64::INFINITY, 0.0),
            solved: 0,
        };
        way.settle()?;
        Ok(way)
    }

    /// Solves the instant from what is there.
    fn settle(&mut self) -> Result<(), ServoError> {
        let structure = self.stages.structure;
        let offsets = &structure.unknowns;
        offsets.iter().enumerate().for_each(|(j, d)| self.series.truncate(j, d + structure.hidden + self.extra + 1));
        self.solved += 1;
        let when = When { t: self.t, side: Side::After };
        match &mut self.array {
            Some(array) => array.solve(self.stages.equations, &mut self.series, when),
            None => self.stages.solve(&mut self.series, when, self.extra),
        }
    }

    /// The internal dynamics at the first instant; refused if it grows.
    fn internal(&mut self) -> Result<Vec<Mode>, ServoError> {
        let structure = self.stages.structure;
        if structure.freedoms == 0 {
            return Ok(Vec::new());
        }
        let time = self.stages.scale.time;
        let found = modes(self.stages.equations, structure, &self.series, self.t, time).unwrap_or_default();
        let grows = |mode: &&Mode| mode.growth > MARGINAL * (mode.frequency + mode.growth.abs() + 1.0 / self.duration);
        let fastest = found.iter().filter(grows).map(|mode| mode.growth).fold(0.0, f64::max);
        let growth = (fastest * self.duration).exp();
        if growth > GROWTH {
            return Err(ServoError::Unstable {
                freedoms: structure.freedoms,
                time_constant: 1.0 / fastest,
                duration: self.duration,
                growth,
            });
        }
        Ok(found)
    }

    /// Goes to a later instant.
    fn reach(&mut self, t: f64) -> Result<(), ServoError> {
        if self.extra > 0 { self.integrate(t) } else { self.jump(t, 0) }
    }

    /// Solves a later instant with the series of this one for a guess, half-way first if that fails.
    fn jump(&mut self, t: f64, halved: usize) -> Result<(), ServoError> {
        let (kept, from) = (self.series.clone(), self.t);
        let mut failed = None;
        // The series may be useless over a long step: without its higher terms it cannot go far astray.
        for terms in [usize::MAX, 2, 1] {
            self.series.clone_from(&kept);
            (0..self.stages.structure.unknowns.len()).for_each(|j| self.series.truncate(j, terms));
            self.series = self.series.shifted(t - from);
            self.t = t;
            match self.settle() {
                Ok(()) => return Ok(()),
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        let Some(error) = failed else { return Ok(()) };
        (self.series, self.t) = (kept, from);
        if halved >= MAX_HALVINGS {
            return Err(error);
        }
        self.jump(0.5 * (from + t), halved + 1).map_err(|_| error.clone())?;
        self.jump(t, halved + 1).map_err(|_| error)
    }

    /// Integrates the internal dynamics by its Taylor series to a later instant.
    fn integrate(&mut self, t: f64) -> Result<(), ServoError> {
        while self.t < t {
            let step = self.step();
            if !(step > SHORTEST * self.duration) {
                return Err(ServoError::Stuck { time: self.t, step });
            }
            let next = if self.t + 1.01 * step >= t { t } else { self.t + step };
            self.series = self.series.shifted(next - self.t);
            self.t = next;
            self.settle()?;
        }
        Ok(())
    }

    /// A step after which the series still has full accuracy: e⁻² of the radius of convergence that its last terms show
    /// (Jorba and Zou 2005).
    fn step(&self) -> f64 {
        let n = self.stages.equations.sizes()[0];
        let size = (0..n).fold(self.stages.scale.size, |size, i| size.max(self.series.of(i)[0].abs()));
        let mut radius = self.duration;
        for i in 0..n {
            let last = self.stages.structure.unknowns[i] + self.extra;
            for k in [last - 1, last] {
                let coefficient = self.series.of(i)[k].abs();
                if coefficient > 0.0 {
                    radius = radius.min((size / coefficient).powf(1.0 / k as f64));
                }
            }
        }
        radius * (-2.0f64).exp()
    }

    /// The matrix must be regular.
    fn check(&mut self) -> Result<(), ServoError> {
        if let Some(array) = &mut self.array {
            let when = When { t: self.t, side: Side::After };
            let fullness = array.fullness(self.stages.equations, &self.series, when);
            if fullness.is_full() {
                return Ok(());
            }
            let unknowns = self.stages.equations.unknown_name(fullness.open.1).to_owned();
            return Err(ServoError::SingularAt { time: self.t, smallest: 0.0, unknowns });
        }
        let jacobian = self.stages.jacobian(&self.series, self.t)?;
        let (least, open) = smallest(&jacobian);
        if least < self.conditioning.0 {
            self.conditioning = (least, self.t);
        }
        if least < REGULAR {
            let unknowns = open_names(self.stages.equations, &open);
            return Err(ServoError::SingularAt { time: self.t, smallest: least, unknowns });
        }
        Ok(())
    }

    fn instant(&self) -> Instant {
        let [n, m, p] = self.stages.equations.sizes();
        let values = |from: usize, count: usize, k: usize| -> Vec<f64> {
            (from..from + count).map(|j| self.series.of(j)[k]).collect()
        };
        Instant {
            t: self.t,
            q: values(0, n, 0),
            v: values(0, n, 1),
            multipliers: values(n, m, 0),
            u: values(n + m, p, 0),
        }
    }
}
