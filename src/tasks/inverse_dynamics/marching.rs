//! Marching along s on successively finer grids, with an estimate of the error.

use super::activity::{Activity, window};
use super::{SpaceMotion, Stage, TaskError};
use crate::discretisation::{TimeGrid, Window};
use crate::tasks::Observer;

/// Which sideways scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// Störmer-Verlet in s.
    Verlet,
    /// Along the characteristic lines.
    Characteristics,
}

impl Scheme {
    /// Time steps by which one step along s spreads a disturbance.
    fn stencil(self) -> usize {
        match self {
            Scheme::Verlet => 1,
            Scheme::Characteristics => 2,
        }
    }

    /// Whether two grids are enough where they keep the promise even if halving the steps only halves the error.
    fn is_costly(self) -> bool {
        self == Scheme::Characteristics
    }

    /// Nodes after which no further refinement is begun: seconds of work.
    fn budget(self) -> usize {
        match self {
            Scheme::Verlet => 100_000_000,
            Scheme::Characteristics => 40_000_000,
        }
    }
}

/// The step along s is kept below this fraction of the stability limit c dt of the slowest wave met. At the limit itself
/// the highest frequency of the grid is only marginally stable, and couplings between waves make it grow.
const SAFETY: f64 = 0.9;
/// Time steps per step along s at most: fast waves would allow longer steps than accuracy does.
const PACE: f64 = 10.0;
/// Nodes of one march that would take minutes and gigabytes.
const MOST_NODES: f64 = 2e9;
/// Finest internal grid, in steps per step of the user's grid.
const MAX_REFINE: usize = 32;
/// N time steps promise a relative error of `PROMISE`/N² in the forces, as second order gives for a motion well resolved
/// by the grid; where steep fronts form, the march refines itself until the estimate keeps the promise.
const PROMISE: f64 = 1000.0;
/// Rates at which halving the steps may be believed to reduce what it changes: from half an order to order 2.
const RATES: [f64; 2] = [1.5, 4.0];
/// A wave this much slower than the slowest at rest counts as standing still.
const STANDING: f64 = 0.02;

/// Widths of diffusion after which nothing is left of a disturbance.
const SPREAD: f64 = 6.0;

/// No grid promises less than this.
const LEAST_PROMISE: f64 = 0.02;

/// Relative error of the forces that a grid promises.
pub fn promise(grid: TimeGrid) -> f64 {
    (PROMISE / (grid.steps as f64).powi(2)).min(LEAST_PROMISE)
}

/// What a march found and how.
#[derive(Debug)]
pub struct Marched {
    /// The answer on the finest grid.
    pub motion: SpaceMotion,
    /// Estimated relative error of the forces on the finest grid.
    pub error: f64,
    /// The error the grid promises.
    pub promised: f64,
    /// Fine time steps per step of the user's grid.
    pub refine: usize,
    /// Steps along s per element on the finest grid.
    pub substeps: usize,
    /// Slowest wave met, m/s.
    pub slowest: f64,
    /// Space-time nodes of the finest grid.
    pub nodes: usize,
    /// Further refinement would have amplified noise.
    pub noisy: bool,
}

/// What the refinement of a march needs to know of it.
pub struct Course<'a> {
    /// Name of the rod.
    pub rod: &'a str,
    /// Its length, metre.
    pub length: f64,
    /// Its elements.
    pub elements: usize,
    /// The scheme.
    pub scheme: Scheme,
    /// The user's grid.
    pub grid: TimeGrid,
    /// When the data change.
    pub activity: &'a Activity,
    /// Settings.
    pub stage: &'a Stage<'a>,
    /// Slowest wave known of, m/s.
    pub slowest: f64,
    /// Longest retardation time of the rods, second.
    pub retardation: f64,
}

/// One march on a window with a number of steps per element.
pub type Attempt<'a> = dyn FnMut(&Window, usize, &mut dyn Observer) -> Result<Level, Interruption> + 'a;

/// The relative difference of the forces of a motion and one with twice the step.
pub type Estimate = fn(&SpaceMotion, &SpaceMotion) -> f64;

impl Course<'_> {
    /// March on three grids, and on finer ones until the estimated error keeps what the user's grid promises.
    ///
    /// Where the last two halvings of the steps changed the forces by Δ₁ and Δ₂ they are off by Δ₂/(r − 1) with the rate
    /// r = Δ₁/Δ₂ that is observed: 4 where the motion is smooth, less where fronts form.
    pub fn run(
        mut self,
        attempt: &mut Attempt<'_>,
        difference: Estimate,
        observer: &mut dyn Observer,
    ) -> Result<Marched, TaskError> {
        let promised = promise(self.grid);
        let mut coarse = self.level(1, attempt, observer)?;
        let mut refine = 2;
        let mut last: Option<Marched> = None;
        // What the halving before changed.
        let mut before: Option<f64> = None;
        loop {
            let fine = self.level(refine, attempt, observer)?;
            if fine.substeps != 2 * coarse.substeps {
                // A slower wave shortened the step along s: the estimate needs exactly half the step.
                coarse = self.level(refine / 2, attempt, observer)?;
                before = None;
            }
            let changed = difference(&fine.motion, &coarse.motion);
            let affordable = refine < MAX_REFINE && 4 * fine.nodes <= self.scheme.budget();
            // Refinement that makes things worse amplifies noise: the finer grid carries frequencies that grow faster.
            if let Some(last) = last.take_if(|_| before.is_some_and(|before| changed > before)) {
                observer.note(&format!("refining changed the forces by {changed:.1e}, more than before: stopped"));
                // The answer before is off by what this refinement changed at least.
                return Ok(Marched { noisy: true, error: last.error.max(changed), ..last });
            }
            // Of two grids alone order 1 is believed.
            let rate = before.map_or(2.0, |before| (before / changed.max(f64::MIN_POSITIVE)).clamp(RATES[0], RATES[1]));
            let error = changed / (rate - 1.0);
            let allowed = (self.stage.allows)(2 * refine)?;
            let marched = Marched {
                motion: fine.motion.clone(),
                error,
                promised,
                refine,
                substeps: fine.substeps,
                slowest: fine.slowest,
                nodes: fine.nodes,
                noisy: error > promised && !allowed,
            };
            let enough = error <= promised && (before.is_some() || self.scheme.is_costly());
            if enough || !allowed || !affordable {
                return Ok(marched);
            }
            last = Some(marched);
            if error > promised {
                observer.note(&format!(
                    "estimated error {error:.1e} above {promised:.1e}: refining to {} fine steps per time step",
                    2 * refine
                ));
            }
            before = Some(changed);
            coarse = fine;
            refine *= 2;
        }
    }

    /// One march; restarted with more substeps as often as slower waves are met.
    pub fn level(
        &mut self,
        refine: usize,
        attempt: &mut Attempt<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Level, TaskError> {
        loop {
            let ds = self.length / self.elements as f64;
            // The step limit, and a step along s that keeps pace with the resolution in time.
            let least = self.grid.steps as f64 / (PACE * self.elements as f64);
            let per_step = (ds / (SAFETY * self.slowest * self.grid.dt)).max(least).ceil().max(1.0);
            let nodes = per_step * refine as f64 * self.elements as f64 * (self.grid.steps * refine) as f64;
            if !(nodes <= MOST_NODES) {
                let (rod, dt) = (self.rod.to_owned(), self.grid.dt);
                return Err(TaskError::TooLarge { rod, speed: self.slowest, dt, nodes });
            }
            if self.slowest < STANDING * self.stage.slowest_at_rest {
                return Err(TaskError::StandingWave { rod: self.rod.to_owned(), speed: self.slowest });
            }
            let substeps = per_step as usize * refine;
            let cells = self.scheme.stencil() * self.elements * substeps + 2;
            // Damping spreads disturbances beyond what waves reach, by diffusion: √(τT) over a transit T.
            let transit = self.length / self.slowest;
            let spread = transit + SPREAD * ((self.retardation * transit).sqrt() + self.retardation);
            let window = window(self.grid, refine, self.activity, self.length, self.length / spread, cells);
            match attempt(&window, substeps, observer) {
                // Well below what was met, because the wave will slow down further along the rod.
                Err(Interruption::TooLong(slowest)) => {
                    self.slowest = (0.98 * slowest).min(0.9 * self.slowest);
                }
                Err(Interruption::Task(error)) => return Err(error),
                Ok(level) => return Ok(level),
            }
        }
    }
}

/// What one march found.
pub struct Level {
    /// On the user's grid.
    pub motion: SpaceMotion,
    /// Steps along s per element.
    pub substeps: usize,
    /// Space-time nodes.
    pub nodes: usize,
    /// Slowest wave met, m/s.
    pub slowest: f64,
}

/// Why one march stopped.
pub enum Interruption {
    /// The step along s was too long for a wave of this speed, m/s.
    TooLong(f64),
    /// Another march would not help.
    Task(TaskError),
}

impl From<TaskError> for Interruption {
    fn from(error: TaskError) -> Self {
        Interruption::Task(error)
    }
}
