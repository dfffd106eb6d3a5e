//! Marching along s on successively finer grids, with an estimate of the error.

use super::sampling::{Activity, end_data, window};
use super::{Motion, Stage, TaskError};
use crate::discretisation::march::{Cut, Layer, Lowpass, Sideways, SidewaysError, march};
use crate::discretisation::{TimeGrid, Window, characteristics};
use crate::models::{Rod, Side, Vector};
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
/// A wave this much slower than the slowest at rest counts as standing still.
const STANDING: f64 = 0.02;

/// No grid promises less than this.
const LEAST_PROMISE: f64 = 0.02;

/// Relative error of the forces that a grid promises.
pub fn promise(grid: TimeGrid) -> f64 {
    (PROMISE / (grid.steps as f64).powi(2)).min(LEAST_PROMISE)
}

/// What a march found and how.
#[derive(Debug)]
pub struct Marched<const D: usize, Q = Vector<D>> {
    /// The answer on the finest grid.
    pub motion: Motion<D, Q>,
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

/// March from `side` to the other end.
pub fn run<C: Sideways<D>, const D: usize>(
    rod: &Rod<C, D>,
    side: Side,
    scheme: Scheme,
    grid: TimeGrid,
    activity: &Activity,
    stage: &Stage<'_>,
    observer: &mut dyn Observer,
) -> Result<Marched<D>, TaskError> {
    let job = Job { rod, side, scheme, grid, stage };
    let slowest = stage.slowest_at_rest;
    let course =
        Course { rod: &rod.name, length: rod.length, elements: rod.elements, scheme, grid, activity, stage, slowest };
    let mut attempt =
        |window: &Window, substeps: usize, observer: &mut dyn Observer| job.attempt(window, substeps, observer);
    course.run(&mut attempt, Motion::error_estimate, observer)
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
}

/// One march on a window with a number of steps per element.
pub type Attempt<'a, const D: usize, Q> =
    dyn FnMut(&Window, usize, &mut dyn Observer) -> Result<Level<D, Q>, Interruption> + 'a;

/// The relative error of the first motion, from a second one with twice the step.
pub type Estimate<const D: usize, Q> = fn(&Motion<D, Q>, &Motion<D, Q>) -> f64;

impl Course<'_> {
    /// March on successively finer grids until the estimated error keeps what the user's grid promises.
    pub fn run<const D: usize, Q: Copy>(
        mut self,
        attempt: &mut Attempt<'_, D, Q>,
        estimate: Estimate<D, Q>,
        observer: &mut dyn Observer,
    ) -> Result<Marched<D, Q>, TaskError> {
        let promised = promise(self.grid);
        let mut coarse = self.level(1, attempt, observer)?;
        let mut refine = 2;
        let mut last: Option<Marched<D, Q>> = None;
        loop {
            let fine = self.level(refine, attempt, observer)?;
            if fine.substeps != 2 * coarse.substeps {
                // A slower wave shortened the step along s: the estimate needs exactly half the step.
                coarse = self.level(refine / 2, attempt, observer)?;
            }
            let error = estimate(&fine.motion, &coarse.motion);
            let affordable = refine < MAX_REFINE && 4 * fine.nodes <= self.scheme.budget();
            // Refinement that makes things worse amplifies noise: the finer grid carries frequencies that grow faster.
            if let Some(last) = last.take_if(|last| error > last.error) {
                observer
                    .note(&format!("refining made the estimate worse ({:.1e} to {error:.1e}): stopped", last.error));
                return Ok(Marched { noisy: true, ..last });
            }
            let marched = Marched {
                motion: fine.motion.clone(),
                error,
                promised,
                refine,
                substeps: fine.substeps,
                slowest: fine.slowest,
                nodes: fine.nodes,
                noisy: error > promised && !(self.stage.allows)(2 * refine)?,
            };
            if error <= promised || marched.noisy || !affordable {
                return Ok(marched);
            }
            last = Some(marched);
            observer.note(&format!(
                "estimated error {error:.1e} above {promised:.1e}: refining to {} fine steps per time step",
                2 * refine
            ));
            coarse = fine;
            refine *= 2;
        }
    }

    /// One march; restarted with more substeps as often as slower waves are met.
    fn level<const D: usize, Q: Copy>(
        &mut self,
        refine: usize,
        attempt: &mut Attempt<'_, D, Q>,
        observer: &mut dyn Observer,
    ) -> Result<Level<D, Q>, TaskError> {
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
            let window = window(self.grid, refine, self.activity, self.length, self.slowest, cells);
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

struct Job<'a, C, const D: usize> {
    rod: &'a Rod<C, D>,
    side: Side,
    scheme: Scheme,
    grid: TimeGrid,
    stage: &'a Stage<'a>,
}

/// What one march found.
pub struct Level<const D: usize, Q = Vector<D>> {
    /// On the user's grid.
    pub motion: Motion<D, Q>,
    /// Steps along s per element.
    pub substeps: usize,
    /// Space-time nodes.
    pub nodes: usize,
    /// Slowest wave met, m/s.
    pub slowest: f64,
}

impl<C: Sideways<D>, const D: usize> Job<'_, C, D> {
    fn attempt(&self, window: &Window, substeps: usize, observer: &mut dyn Observer) -> Result<Level<D>, Interruption> {
        let (rod, side) = (self.rod, self.side);
        let cut = Cut { length: rod.length, elements: rod.elements, substeps, direction: -side.sign() };
        let data = end_data(rod, side, window)?;
        let lowpass = self.stage.bandwidth.and_then(|corner| Lowpass::new(corner, window.dt()));
        let mut motion = Motion::zeros(rod.elements + 1, self.grid.steps + 1);
        let far = side.other();
        let known = (0..=self.grid.steps)
            .map(|k| rod.end(far).known_force(self.grid.time(k)).map_err(|bad| TaskError::function(rod, far, bad)))
            .collect::<Result<Vec<_>, _>>()?;
        let name = match self.scheme {
            Scheme::Verlet => "space-march",
            Scheme::Characteristics => "characteristics",
        };
        observer.phase(&format!("{name} (1/{} step)", window.refine), rod.elements);
        let mut sink = |element: usize, layer: &Layer<D>| {
            let i = if side == Side::End { rod.elements - element } else { element };
            record(&mut motion, window, i, layer);
            if element == rod.elements {
                record_forces(&mut motion, window, rod, far, &known, layer);
            }
            observer.progress(element);
            !observer.interrupted()
        };
        let slowest = match self.scheme {
            Scheme::Verlet => march(&rod.model, &data, cut, lowpass, &mut sink),
            Scheme::Characteristics => characteristics::integrate(&rod.model, &data, cut, &mut sink),
        };
        match slowest {
            Ok(slowest) => Ok(Level { motion, substeps, nodes: window.count() * rod.elements * substeps, slowest }),
            Err(error) => Err(Interruption::of(error, &rod.name, window)),
        }
    }
}

/// Why one march stopped.
pub enum Interruption {
    /// The step along s was too long for a wave of this speed, m/s.
    TooLong(f64),
    /// Another march would not help.
    Task(TaskError),
}

impl Interruption {
    /// What the end of a march means for a rod.
    pub fn of(error: SidewaysError, rod: &str, window: &Window) -> Self {
        let rod = rod.to_owned();
        match error {
            SidewaysError::StepLimit { slowest } => Interruption::TooLong(slowest),
            SidewaysError::Interrupted => TaskError::Interrupted.into(),
            SidewaysError::Breakdown { s, index, cause } => {
                TaskError::Breakdown { rod, s, t: window.time(index), cause }.into()
            }
            SidewaysError::NotFinite { s, index } => TaskError::NotFinite { rod, s, t: window.time(index) }.into(),
        }
    }
}

impl From<TaskError> for Interruption {
    fn from(error: TaskError) -> Self {
        Interruption::Task(error)
    }
}

/// Copy a layer to node i of the answer, velocities by central differences on the fine grid.
fn record<const D: usize>(motion: &mut Motion<D>, window: &Window, i: usize, layer: &Layer<D>) {
    for k in 0..motion.instants {
        let place = motion.at(i, k);
        let j = window.index(k);
        motion.q[place] = layer.q_at(j);
        motion.n[place] = layer.n_at(j);
        motion.v[place] = central(window, layer, j);
    }
}

fn central<const D: usize>(window: &Window, layer: &Layer<D>, j: usize) -> Vector<D> {
    let last = layer.len() - 1;
    let (a, b) = (j.saturating_sub(1), (j + 1).min(last));
    (layer.q_at(b) - layer.q_at(a)) / (2.0 * window.dt())
}

/// Force of the actuator: what the rod receives (±n), what the body there needs, less what acts on it anyway.
fn record_forces<C, const D: usize>(
    motion: &mut Motion<D>,
    window: &Window,
    rod: &Rod<C, D>,
    side: Side,
    known: &[Vector<D>],
    layer: &Layer<D>,
) where
    C: Sideways<D>,
{
    let end = rod.end(side);
    let last = layer.len() - 1;
    let per_dt2 = 1.0 / (window.dt() * window.dt());
    for (k, known) in known.iter().enumerate() {
        let j = window.index(k);
        let q = |j: usize| layer.q_at(j);
        let acceleration =
            if j == 0 || j == last { Vector::zeros() } else { (q(j - 1) - q(j) * 2.0 + q(j + 1)) * per_dt2 };
        let force = layer.n_at(j) * side.sign() + acceleration.component_mul(&end.mass) - known;
        motion.forces[side.index()][k] = force;
    }
}
