//! Where the variables and rows of a problem on a mesh are: node by node, so that all matrices are banded.

use super::interpolation::Interpolation;
use super::reference::Reference;
use super::{Chart, ControlProblem, parts};

/// What a variable or row is in time: one for the whole, or a sample of a function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Spot {
    /// One for the whole, with its number.
    Global(usize),
    /// A sample of a function.
    At {
        /// Number of the function.
        function: usize,
        /// Share of the duration, 0 to 1.
        share: f64,
        /// Whether it is a row that holds at an instant instead of over an interval: its multiplier shrinks with the interval.
        instant: bool,
    },
}

/// Variables: duration and beginning if they are free, peaks, velocities and impulses at the start; q or f, λ, u, |u|, points between and stresses of each node
/// and the interval after it, of the last node q or f and λ; velocities at the end. Rows: motion, g, G v, limits of q(f), path
/// constraints, magnitudes, peaks, points between and strains of each node and the interval after it, at the nodes between the
/// ends also servo constraints and changes of the controls; periodic ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub intervals: usize,
    /// Unknown positions of a node.
    pub coordinates: usize,
    /// Velocities of an end: as many as the system has coordinates.
    pub rates: usize,
    pub controls: usize,
    /// Constraints with multipliers.
    pub constraints: usize,
    /// Constraints that velocities satisfy: all of the system.
    pub velocity_constraints: usize,
    /// Coordinates with bounds that are rows: at the start, between the ends, at the end.
    pub limits: [usize; 3],
    /// Points between the ends of an interval.
    pub inner: usize,
    /// Stresses of an interval that are unknowns.
    pub stresses: usize,
    /// Path constraints.
    pub path: usize,
    /// Servo constraints of a node between the ends.
    pub servo: usize,
    /// Controls with a largest rate.
    pub changes: usize,
    /// Controls with a bound of their magnitude in each interval, then those with one of the power they spend.
    pub magnitudes: usize,
    /// Controls with one bound of their magnitude.
    pub peaks: usize,
    pub periodic: usize,
    pub free_duration: bool,
    /// Whether the instant at which the motion begins is unknown.
    pub free_begin: bool,
    /// Impulses of the constraints at the start, where it continues another motion.
    pub impulses: usize,
    /// Whether g = 0 is a row at the start and at the end.
    pub positions: [bool; 2],
    /// Whether G v = 0 is.
    pub velocities: [bool; 2],
}

impl Places {
    pub fn new(problem: &ControlProblem, intervals: usize, reference: &Reference) -> Self {
        let rates = problem.start.position.len();
        let ends = [&problem.start, &problem.end];
        // What is given satisfies the constraints already, and what is periodic at the end does so with the start.
        let repeated = |node: usize| node == 1 && problem.periodic.len() == rates;
        let asked = |node: usize, given: bool| !given && !repeated(node);
        let limits = [0, 1, 2].map(|at| reference.limits[at].len());
        let (constraints, velocity_constraints) = (reference.kept.len(), parts::constraint_names(problem).len());
        let positions = [0, 1].map(|end| constraints > 0 && asked(end, ends[end].given_position().is_some()));
        let velocities = [0, 1].map(|end| velocity_constraints > 0 && asked(end, ends[end].given_velocity().is_some()));
        Self {
            intervals,
            coordinates: reference.chart.as_ref().map_or(rates, Chart::freedoms),
            rates,
            controls: problem.control_bounds.len(),
            constraints,
            velocity_constraints,
            limits,
            inner: Interpolation::new(problem.rule).inner(),
            stresses: problem.stresses().len(),
            path: problem.path.len(),
            servo: problem.servo.len(),
            changes: problem.rates.len(),
            magnitudes: problem.cost.fuel.len() + problem.cost.energy.len(),
            peaks: problem.cost.peak.len(),
            periodic: problem.periodic.len(),
            free_duration: problem.duration.value().is_none(),
            free_begin: problem.begins.value().is_none(),
            impulses: 0,
            positions,
            velocities,
        }
    }

    pub fn duration(self) -> Option<usize> {
        self.free_duration.then_some(0)
    }

    pub fn begins(self) -> Option<usize> {
        self.free_begin.then_some(usize::from(self.free_duration))
    }

    pub fn peak(self, number: usize) -> usize {
        usize::from(self.free_duration) + usize::from(self.free_begin) + number
    }

    pub fn start_velocity(self) -> usize {
        self.peak(self.peaks)
    }

    /// Impulses of the constraints at the start.
    pub fn impulse(self) -> usize {
        self.start_velocity() + self.rates
    }

    fn stride(self) -> usize {
        self.coordinates + self.constraints + self.controls + self.magnitudes + self.within() + self.stresses
    }

    /// Unknowns of the points between the ends of an interval, and their rows.
    pub fn within(self) -> usize {
        self.inner * self.coordinates
    }

    pub fn position(self, node: usize) -> usize {
        self.impulse() + self.impulses + node * self.stride()
    }

    pub fn multiplier(self, node: usize) -> usize {
        self.position(node) + self.coordinates
    }

    pub fn control(self, interval: usize) -> usize {
        self.multiplier(interval) + self.constraints
    }

    pub fn magnitude(self, interval: usize) -> usize {
        self.control(interval) + self.controls
    }

    /// Points between the ends of an interval.
    pub fn point(self, interval: usize) -> usize {
        self.magnitude(interval) + self.magnitudes
    }

    /// Stresses of an interval.
    pub fn stress(self, interval: usize) -> usize {
        self.point(interval) + self.within()
    }

    pub fn end_velocity(self) -> usize {
        self.multiplier(self.intervals) + self.constraints
    }

    pub fn variables(self) -> usize {
        self.end_velocity() + self.rates
    }

    /// Share of the duration at a node.
    pub fn share(self, node: usize) -> f64 {
        node as f64 / self.intervals as f64
    }

    /// Share of the duration in the middle of an interval.
    pub fn middle(self, interval: usize) -> f64 {
        (interval as f64 + 0.5) / self.intervals as f64
    }

    /// Number of the end that a node is.
    fn end(self, node: usize) -> Option<usize> {
        match node {
            0 => Some(0),
            node if node == self.intervals => Some(1),
            _ => None,
        }
    }

    /// Whether g = 0 is a row at a node.
    pub fn is_constrained(self, node: usize) -> bool {
        self.end(node).map_or(self.constraints > 0, |end| self.positions[end])
    }

    /// Whether G v = 0 is a row at a node.
    pub fn constrains_velocity(self, node: usize) -> bool {
        self.end(node).is_some_and(|end| self.velocities[end])
    }

    /// First row of a node; its motion.
    pub fn motion(self, node: usize) -> usize {
        if node == 0 {
            return 0;
        }
        let within = self.path + 2 * (self.magnitudes + self.peaks) + self.within() + self.stresses;
        let regular = self.coordinates + self.constraints + self.limits[1] + self.servo + self.changes + within;
        self.path_row(0) + within + (node - 1) * regular
    }

    /// The rows g of a node.
    pub fn constraint(self, node: usize) -> usize {
        self.motion(node) + self.coordinates
    }

    /// The rows G v of a node.
    pub fn velocity_constraint(self, node: usize) -> usize {
        self.constraint(node) + if self.is_constrained(node) { self.constraints } else { 0 }
    }

    /// The limits of a node.
    pub fn limit(self, node: usize) -> usize {
        let rates = if self.constrains_velocity(node) { self.velocity_constraints } else { 0 };
        self.velocity_constraint(node) + rates
    }

    /// Number of limits of a node.
    pub fn limit_count(self, node: usize) -> usize {
        self.limits[self.end(node).map_or(1, |end| 2 * end)]
    }

    /// The servo constraints of a node between the ends.
    pub fn servo_row(self, node: usize) -> usize {
        self.limit(node) + self.limit_count(node)
    }

    /// The changes of controls at a node between the ends.
    pub fn change_row(self, node: usize) -> usize {
        self.servo_row(node) + if self.end(node).is_none() { self.servo } else { 0 }
    }

    /// The path constraints of the interval after a node.
    pub fn path_row(self, interval: usize) -> usize {
        self.change_row(interval) + if self.end(interval).is_none() { self.changes } else { 0 }
    }

    /// Two rows for each magnitude.
    pub fn magnitude_row(self, interval: usize) -> usize {
        self.path_row(interval) + self.path
    }

    /// Two rows for each peak.
    pub fn peak_row(self, interval: usize) -> usize {
        self.magnitude_row(interval) + 2 * self.magnitudes
    }

    /// Motion of the points between the ends of an interval, then its strains.
    pub fn point_row(self, interval: usize) -> usize {
        self.peak_row(interval) + 2 * self.peaks
    }

    /// Two rows for each coordinate: position and velocity.
    pub fn periodic_row(self) -> usize {
        self.path_row(self.intervals)
    }

    pub fn rows(self) -> usize {
        self.periodic_row() + 2 * self.periodic
    }

    /// What the variables are. `points` are the shares of an interval of the points between its ends.
    pub fn variable_spots(self, points: &[f64]) -> Vec<Spot> {
        let mut spots = Vec::with_capacity(self.variables());
        spots.extend((0..self.position(0)).map(Spot::Global));
        for node in 0..=self.intervals {
            let (nodal, within) = (self.coordinates + self.constraints, self.controls + self.magnitudes);
            sample(&mut spots, 0..nodal, self.share(node), false);
            if node < self.intervals {
                sample(&mut spots, nodal..nodal + within, self.middle(node), false);
                self.between(&mut spots, node, points);
                let first = nodal + within;
                sample(&mut spots, first..first + self.stresses, self.middle(node), false);
            }
        }
        let first = self.position(0);
        spots.extend((first..first + self.rates).map(Spot::Global));
        spots
    }

    /// What the rows are. `limits` are the coordinates with limits at the start, between the ends and at the end.
    pub fn row_spots(self, points: &[f64], limits: &[Vec<usize>; 3]) -> Vec<Spot> {
        let mut spots = Vec::with_capacity(self.rows());
        let rate = self.coordinates + self.constraints;
        let limit = rate + self.velocity_constraints;
        let first = limit + self.rates;
        let within = self.path + 2 * (self.magnitudes + self.peaks);
        for node in 0..=self.intervals {
            let share = self.share(node);
            sample(&mut spots, 0..self.coordinates, share, false);
            if self.is_constrained(node) {
                sample(&mut spots, self.coordinates..rate, share, true);
            }
            if self.constrains_velocity(node) {
                sample(&mut spots, rate..limit, share, true);
            }
            sample(&mut spots, limits[self.end(node).map_or(1, |end| 2 * end)].iter().map(|i| limit + i), share, true);
            if self.end(node).is_none() {
                sample(&mut spots, first + within..first + within + self.servo + self.changes, share, true);
            }
            if node < self.intervals {
                sample(&mut spots, first..first + within, self.middle(node), true);
                self.between(&mut spots, node, points);
                let strain = first + within + self.servo + self.changes;
                sample(&mut spots, strain..strain + self.stresses, self.middle(node), false);
            }
        }
        spots.extend((0..2 * self.periodic).map(Spot::Global));
        spots
    }

    /// Points between the ends of an interval are further samples of the positions and of their motion.
    fn between(self, spots: &mut Vec<Spot>, interval: usize, points: &[f64]) {
        for point in points {
            let share = (interval as f64 + point) / self.intervals as f64;
            sample(spots, 0..self.coordinates, share, false);
        }
    }
}

fn sample(spots: &mut Vec<Spot>, functions: impl IntoIterator<Item = usize>, share: f64, instant: bool) {
    spots.extend(functions.into_iter().map(|function| Spot::At { function, share, instant }));
}
