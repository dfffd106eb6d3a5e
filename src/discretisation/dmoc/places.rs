//! Where the variables and rows of a problem on a mesh are: node by node, so that all matrices are banded.

use super::ControlProblem;

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

/// Variables: duration if it is free, peaks, velocities at the start; q, λ, u, |u| of each node and the interval after it, of
/// the last node q and λ; velocities at the end. Rows: motion, g, G v, path constraints, magnitudes and peaks of each node and
/// the interval after it; periodic ones.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub intervals: usize,
    pub coordinates: usize,
    pub controls: usize,
    pub constraints: usize,
    /// Path constraints.
    pub path: usize,
    /// Controls with a bound of their magnitude in each interval, then those with one of the power they spend.
    pub magnitudes: usize,
    /// Controls with one bound of their magnitude.
    pub peaks: usize,
    pub periodic: usize,
    pub free_duration: bool,
    /// Whether g = 0 is a row at the start and at the end.
    pub positions: [bool; 2],
    /// Whether G v = 0 is.
    pub velocities: [bool; 2],
}

impl Places {
    pub fn new(problem: &ControlProblem, intervals: usize, constraints: usize) -> Self {
        let coordinates = problem.start.position.len();
        let ends = [&problem.start, &problem.end];
        // What is given satisfies the constraints already, and what is periodic at the end does so with the start.
        let repeated = |node: usize| node == 1 && problem.periodic.len() == coordinates;
        let asked = |node: usize, given: bool| constraints > 0 && !given && !repeated(node);
        Self {
            intervals,
            coordinates,
            controls: problem.control_bounds.len(),
            constraints,
            path: problem.path.len(),
            magnitudes: problem.cost.fuel.len() + problem.cost.energy.len(),
            peaks: problem.cost.peak.len(),
            periodic: problem.periodic.len(),
            free_duration: problem.duration.value().is_none(),
            positions: [0, 1].map(|end| asked(end, ends[end].given_position().is_some())),
            velocities: [0, 1].map(|end| asked(end, ends[end].given_velocity().is_some())),
        }
    }

    pub fn duration(self) -> Option<usize> {
        self.free_duration.then_some(0)
    }

    pub fn peak(self, number: usize) -> usize {
        usize::from(self.free_duration) + number
    }

    pub fn start_velocity(self) -> usize {
        usize::from(self.free_duration) + self.peaks
    }

    fn stride(self) -> usize {
        self.coordinates + self.constraints + self.controls + self.magnitudes
    }

    pub fn position(self, node: usize) -> usize {
        self.start_velocity() + self.coordinates + node * self.stride()
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

    pub fn end_velocity(self) -> usize {
        self.multiplier(self.intervals) + self.constraints
    }

    pub fn variables(self) -> usize {
        self.end_velocity() + self.coordinates
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
        let regular = self.coordinates + self.constraints + self.path + 2 * (self.magnitudes + self.peaks);
        let start = match node {
            0 => 0,
            _ => self.constraints * (usize::from(self.velocities[0]) + usize::from(self.positions[0])),
        };
        start + node * regular - if node == 0 { 0 } else { self.constraints }
    }

    /// The rows g of a node.
    pub fn constraint(self, node: usize) -> usize {
        self.motion(node) + self.coordinates
    }

    /// The rows G v of a node.
    pub fn velocity_constraint(self, node: usize) -> usize {
        self.constraint(node) + if self.is_constrained(node) { self.constraints } else { 0 }
    }

    /// The path constraints of the interval after a node.
    pub fn path_row(self, interval: usize) -> usize {
        self.velocity_constraint(interval) + if self.constrains_velocity(interval) { self.constraints } else { 0 }
    }

    /// Two rows for each magnitude.
    pub fn magnitude_row(self, interval: usize) -> usize {
        self.path_row(interval) + self.path
    }

    /// Two rows for each peak.
    pub fn peak_row(self, interval: usize) -> usize {
        self.magnitude_row(interval) + 2 * self.magnitudes
    }

    /// Two rows for each coordinate: position and velocity.
    pub fn periodic_row(self) -> usize {
        self.path_row(self.intervals)
    }

    pub fn rows(self) -> usize {
        self.periodic_row() + 2 * self.periodic
    }

    /// What the variables are.
    pub fn variable_spots(self) -> Vec<Spot> {
        let mut spots = Vec::with_capacity(self.variables());
        spots.extend((0..self.position(0)).map(Spot::Global));
        for node in 0..=self.intervals {
            let (nodal, within) = (self.coordinates + self.constraints, self.controls + self.magnitudes);
            let within = if node < self.intervals { within } else { 0 };
            sample(&mut spots, 0..nodal, self.share(node), false);
            sample(&mut spots, nodal..nodal + within, self.middle(node), false);
        }
        let first = self.position(0);
        spots.extend((first..first + self.coordinates).map(Spot::Global));
        spots
    }

    /// What the rows are.
    pub fn row_spots(self) -> Vec<Spot> {
        let mut spots = Vec::with_capacity(self.rows());
        let first = self.coordinates + 2 * self.constraints;
        let within = self.path + 2 * (self.magnitudes + self.peaks);
        for node in 0..=self.intervals {
            let share = self.share(node);
            sample(&mut spots, 0..self.coordinates, share, false);
            if self.is_constrained(node) {
                sample(&mut spots, self.coordinates..self.coordinates + self.constraints, share, true);
            }
            if self.constrains_velocity(node) {
                sample(&mut spots, self.coordinates + self.constraints..first, share, true);
            }
            if node < self.intervals {
                sample(&mut spots, first..first + within, self.middle(node), true);
            }
        }
        spots.extend((0..2 * self.periodic).map(Spot::Global));
        spots
    }
}

fn sample(spots: &mut Vec<Spot>, functions: std::ops::Range<usize>, share: f64, instant: bool) {
    spots.extend(functions.map(|function| Spot::At { function, share, instant }));
}
