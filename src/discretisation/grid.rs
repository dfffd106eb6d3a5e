//! Uniform time grids.

/// `steps` equal steps from `start`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeGrid {
    /// First instant, second.
    pub start: f64,
    /// Step, second.
    pub dt: f64,
    /// Number of steps.
    pub steps: usize,
}

impl TimeGrid {
    /// From the first to the last instant.
    pub fn new(start: f64, end: f64, steps: usize) -> Self {
        Self { start, dt: (end - start) / steps as f64, steps }
    }

    /// Instant k.
    pub fn time(&self, k: usize) -> f64 {
        self.start + k as f64 * self.dt
    }

    /// Last instant.
    pub fn end(&self) -> f64 {
        self.time(self.steps)
    }

    /// All instants.
    pub fn times(&self) -> Vec<f64> {
        (0..=self.steps).map(|k| self.time(k)).collect()
    }
}

/// A time grid refined and extended beyond its ends, on which waves on their way into or out of it can be followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// The user's grid.
    pub grid: TimeGrid,
    /// Fine steps per step of the grid.
    pub refine: usize,
    /// Fine steps before the first instant.
    pub before: usize,
    /// Fine steps after the last instant.
    pub after: usize,
}

impl Window {
    /// Fine time step.
    pub fn dt(&self) -> f64 {
        self.grid.dt / self.refine as f64
    }

    /// Number of fine instants.
    pub fn count(&self) -> usize {
        self.before + self.grid.steps * self.refine + self.after + 1
    }

    /// Fine instant j. Instants of the user's grid are met exactly.
    pub fn time(&self, j: usize) -> f64 {
        let fine = j as f64 - self.before as f64;
        self.grid.start + fine / self.refine as f64 * self.grid.dt
    }

    /// Fine index of instant k of the user's grid.
    pub fn index(&self, k: usize) -> usize {
        self.before + k * self.refine
    }
}
