//! Stable inversion: which bounded motion of a flexible mechanism follows its paths exactly, and by which controls?
//!
//! Outputs h(q) that are apart from the actuators leave a zero dynamics whose modes grow as fast as others decay: no march in
//! time can follow it. The bounded motion is that of a boundary value problem over all time (Devasia, Chen and Paden 1996,
//! Bastos, Seifried and Brüls 2017): it begins before the path does and ends after it. Newton's method begins from the equilibria
//! along the paths.

mod error;
mod rests;

pub use error::BoundaryError;

use crate::discretisation::TimeGrid;
use crate::discretisation::boundary_value::{Differences, Horizon, Local, Sizes, State, Zero, zeros};
use crate::discretisation::index::{Instant, ServoProblem};
use crate::nlp::SquareSystem;
use crate::solver::linear::best_general_solver;
use crate::solver::{ContinuationOptions, IterationRecord, Newton, continue_to_one};

/// Logarithm of how much of a mode may be cut off at an end of the time.
const FADED: f64 = 15.0;
/// What counts as rest of a path, relative to its way.
const RESTING: f64 = 1e-8;
/// The time is not extended at either end by more than its own length.
const LONGEST: f64 = 1.0;
/// What may be left of the controls at the ends, relative to the largest: more asks for a longer time. The same share of the acceleration
/// of the paths makes vibrations that matter.
const SETTLED: f64 = 1e-5;
/// Part of the steps by which the time is then extended, and how often.
const LONGER: f64 = 0.25;
const EXTENSIONS: usize = 2;
/// Zeros are looked for up to this angle per time step, radian.
const FASTEST: f64 = 3.0;

/// Unknowns of an instant up to which the zero dynamics is found in no time.
const FEW: usize = 200;

/// Smallest step from the slow manoeuvre to the wanted one.
const LEAST_STEP: f64 = 0.02;
/// The same where the paths excite a vibration.
const RINGING_STEP: f64 = 0.3;

/// The vibration that the paths excite most, if it is enough to matter.
fn worst(zeros: &[Zero]) -> Option<&Zero> {
    let ringing = zeros.iter().filter(|zero| zero.rings() && zero.excited > SETTLED);
    ringing.max_by(|a, b| a.excited.total_cmp(&b.excited))
}

/// A bounded motion.
#[derive(Debug, Clone)]
pub struct Bounded {
    /// Its time, which begins and ends as far beyond that of the question as the mechanism must move before and after its path.
    pub grid: TimeGrid,
    /// The motion.
    pub instants: Vec<Instant>,
    /// The zero dynamics at the first rest.
    pub zeros: Vec<Zero>,
    /// What is left of the motion at the ends: velocities, and differences of the controls from those of rest, relative to the
    /// largest on the way.
    pub unrest: f64,
    /// The same of the controls alone: what modes that grow and decay leave there. A longer time cures it; vibrations remain.
    pub tails: f64,
    /// Controls in the equilibria along the paths, instant by instant.
    pub holding: Vec<Vec<f64>>,
    /// Steps of Newton's method.
    pub iterations: Vec<IterationRecord>,
    /// Equations and entries of their matrix.
    pub sizes: [usize; 2],
}

/// Hears which phase has begun, of how many pieces, and how many are done; may stop.
pub type Progress<'a> = &'a mut dyn FnMut(&str, usize, usize) -> bool;

/// There must be as many inputs as outputs.
pub fn counted(problem: &ServoProblem) -> Result<(), BoundaryError> {
    let (inputs, outputs) = (problem.mechanics.controls().len(), problem.outputs.len());
    if inputs == outputs { Ok(()) } else { Err(BoundaryError::Counts { inputs, outputs }) }
}

/// What can be told before the motion is sought.
#[derive(Debug, Clone)]
pub struct Prospects {
    /// What each control must be to hold the mechanism at rest at the first and at the last instant.
    pub holding: Vec<[f64; 2]>,
    /// The zero dynamics at the first rest.
    pub zeros: Vec<Zero>,
}

/// Where the mechanism rests, and its zero dynamics there.
pub fn prospects(problem: &ServoProblem, grid: TimeGrid) -> Result<Prospects, BoundaryError> {
    let mut search = Search::new(problem, grid)?;
    search.moves()?;
    let first = search.rest(grid.start)?;
    let zeros = search.zeros(&first)?;
    let way = rests::along(&mut search.local, &grid.times(), &first, search.size, &mut |_| true);
    let way = way.map_err(unrested)?;
    let last = search.controls(&way[way.len() - first.len()..]);
    let holding = search.controls(&first).into_iter().zip(last).map(|(first, last)| [first, last]).collect();
    Ok(Prospects { holding, zeros })
}

/// How long before its paths begin, and after they end, a mechanism moves by more than a share of its motion, second: as long as the
/// slowest mode of its zero dynamics takes to grow or decay so far. None where that is not known, or takes long to find out.
pub fn lead(problem: &ServoProblem, grid: TimeGrid, share: f64) -> Option<f64> {
    let mut search = Search::new(problem, grid).ok()?;
    if search.local.sizes.unknowns() > FEW {
        return None;
    }
    let first = search.rest(grid.start).ok()?;
    let zeros = search.zeros(&first).ok()?;
    let slowest = zeros.iter().map(|zero| zero.growth).filter(|growth| *growth > 0.0).fold(f64::INFINITY, f64::min);
    slowest.is_finite().then(|| -share.ln() / slowest)
}

/// The bounded motion where it is found in no time: an exact motion along the paths to begin other searches at.
pub fn quickly(problem: &ServoProblem, grid: TimeGrid, go: &dyn Fn() -> bool) -> Option<Bounded> {
    let few = Search::new(problem, grid).ok()?.local.sizes.unknowns() <= FEW;
    few.then(|| solve(problem, grid, &mut |_, _, _| go()).ok()).flatten()
}

fn unrested((time, reason): (f64, Option<String>)) -> BoundaryError {
    match reason {
        Some(reason) => BoundaryError::NoRest { time, reason },
        None => BoundaryError::Interrupted,
    }
}

/// Solves the boundary value problem.
pub fn solve(problem: &ServoProblem, grid: TimeGrid, progress: Progress<'_>) -> Result<Bounded, BoundaryError> {
    let mut search = Search::new(problem, grid)?;
    let moves = search.moves()?;
    let first = search.rest(grid.start)?;
    let zeros = search.zeros(&first)?;
    let slowest = zeros.iter().filter(|zero| zero.growth > 0.0).map(|zero| zero.growth).fold(f64::INFINITY, f64::min);
    let most = (LONGEST * grid.steps as f64).ceil();
    let lacking = |margin: f64| ((FADED / slowest - margin) / grid.dt).ceil().clamp(0.0, most) as usize;
    let mut extra = [lacking(moves[0] - grid.start), lacking(grid.end() - moves[1])];
    let mut tries = 0;
    loop {
        let longer =
            TimeGrid { start: grid.start - extra[0] as f64 * grid.dt, steps: grid.steps + extra[0] + extra[1], ..grid };
        let found = search.solve(longer, &first, &zeros, progress)?;
        if found.tails <= SETTLED || tries == EXTENSIONS || worst(&zeros).is_some() {
            return Ok(found);
        }
        tries += 1;
        let more = (LONGER * grid.steps as f64).ceil() as usize;
        extra = extra.map(|extra| extra + more);
    }
}

/// What all steps of the search share.
struct Search<'p> {
    problem: &'p ServoProblem,
    grid: TimeGrid,
    local: Local,
    /// Of coordinates that counts, metre or radian.
    size: f64,
}

impl<'p> Search<'p> {
    fn new(problem: &'p ServoProblem, grid: TimeGrid) -> Result<Self, BoundaryError> {
        counted(problem)?;
        let local = Local::new(problem).map_err(BoundaryError::Evaluation)?;
        let size = problem.reference.iter().fold(0.1, |size: f64, q| size.max(q.abs()));
        Ok(Self { problem, grid, local, size })
    }

    fn controls(&self, x: &[f64]) -> Vec<f64> {
        let Sizes { coordinates, multipliers, .. } = self.local.sizes;
        x[coordinates + multipliers..].to_vec()
    }

    /// Unknowns of the reference configuration.
    fn reference(&self) -> Vec<f64> {
        let mut x = self.problem.reference.clone();
        x.resize(self.local.sizes.unknowns(), 0.0);
        x
    }

    fn rest(&mut self, t: f64) -> Result<Vec<f64>, BoundaryError> {
        let start = self.reference();
        let found = rests::rest(&mut self.local, t, &start, self.grid.dt, self.size);
        found.map_err(|reason| BoundaryError::NoRest { time: t, reason })
    }

    /// h − γ of a fixed configuration at instants: minus the paths, but for constants.
    fn paths(&mut self, times: &[f64]) -> Result<Vec<Vec<f64>>, BoundaryError> {
        let (x, still) = (self.reference(), vec![0.0; self.local.sizes.coordinates]);
        let first = self.local.sizes.coordinates + self.local.sizes.multipliers;
        let mut rows = vec![0.0; self.local.sizes.unknowns()];
        let mut found = Vec::with_capacity(times.len());
        for t in times {
            let state = State { t: *t, v: &still, a: &still, x: &x };
            self.local.residual(state, &mut rows).map_err(BoundaryError::Evaluation)?;
            found.push(rows[first..].to_vec());
        }
        Ok(found)
    }

    /// When the paths begin to move and when they have arrived; they must rest before and after.
    fn moves(&mut self) -> Result<[f64; 2], BoundaryError> {
        let grid = self.grid;
        let at = |k: isize| grid.start + k as f64 * grid.dt;
        let times: Vec<f64> = (-2..=grid.steps as isize + 2).map(at).collect();
        let paths = self.paths(&times)?;
        let last = paths.len() - 1;
        let mut found = [grid.end(), grid.start];
        for (output, outputs) in self.problem.outputs.iter().enumerate() {
            let values: Vec<f64> = paths.iter().map(|values| values[output]).collect();
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let way = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
            let differs = |k: usize, from: usize| (values[k] - values[from]).abs() > RESTING * way;
            for (k, end) in [(2, 0), (last - 2, last)] {
                if differs(k, end) {
                    return Err(BoundaryError::PathMoves { output: outputs.name.clone(), time: times[k] });
                }
            }
            if let Some(k) = (0..=last).find(|k| differs(*k, 0)) {
                found[0] = found[0].min(times[k - 1]);
            }
            if let Some(k) = (0..=last).rev().find(|k| differs(*k, last)) {
                found[1] = found[1].max(times[k + 1]);
            }
        }
        Ok(found)
    }

    /// The zero dynamics, and how much of it the paths excite.
    fn zeros(&mut self, rest: &[f64]) -> Result<Vec<Zero>, BoundaryError> {
        let grid = self.grid;
        let duration = grid.dt * grid.steps as f64;
        let found = zeros(&mut self.local, rest, grid.start, duration, FASTEST / grid.dt);
        let mut found = found.map_err(BoundaryError::Evaluation)?;
        let times = grid.times();
        let paths = self.paths(&times)?;
        for zero in found.iter_mut().filter(|zero| zero.rings()) {
            for output in 0..self.problem.outputs.len() {
                let (mut sum, mut all) = ([0.0; 2], 0.0);
                for (three, t) in paths.windows(3).zip(&times[1..]) {
                    let bend = three[0][output] - 2.0 * three[1][output] + three[2][output];
                    let (sin, cos) = (zero.frequency * t).sin_cos();
                    sum = [sum[0] + bend * cos, sum[1] + bend * sin];
                    all += bend.abs();
                }
                if all > 0.0 {
                    zero.excited = zero.excited.max(sum[0].hypot(sum[1]) / all);
                }
            }
        }
        Ok(found)
    }

    fn solve(
        &mut self,
        grid: TimeGrid,
        first: &[f64],
        zeros: &[Zero],
        progress: Progress<'_>,
    ) -> Result<Bounded, BoundaryError> {
        let times = grid.times();
        let (instants, block) = (times.len(), self.local.sizes.unknowns());
        let mut heard = |done: usize| progress("equilibria along the paths", instants, done);
        let start = rests::along(&mut self.local, &times, first, self.size, &mut heard);
        let start = start.map_err(unrested)?;
        let Sizes { coordinates: n, multipliers: m, .. } = self.local.sizes;
        let ends = [&start[..n], &start[(instants - 1) * block..(instants - 1) * block + n]].map(<[f64]>::to_vec);
        let differences = Differences::central(grid.dt);
        let mut horizon = Horizon::new(&mut self.local, times.clone(), differences, ends, self.size, Vec::new());
        let sizes = [horizon.size(), horizon.pattern().nnz()];
        let mut newton = Newton::new(best_general_solver(horizon.pattern()), rests::options());
        let (mut iterations, mut stopped) = (Vec::new(), false);
        let most = newton.options.max_iterations;
        let mut heard = |record: &IterationRecord| {
            iterations.push(*record);
            stopped |= !progress("motion over all time", most, record.iter);
            !stopped
        };
        let unsolved = |share: f64, reason: String| match worst(zeros) {
            Some(zero) => BoundaryError::Rings { zero: Box::new(zero.clone()), reason },
            None => BoundaryError::NotConverged { share, reason },
        };
        // A slow manoeuvre excites vibrations less, but leads not far if they are what stands in the way.
        let smallest_step = if worst(zeros).is_some() { RINGING_STEP } else { LEAST_STEP };
        let options = ContinuationOptions { smallest_step, ..ContinuationOptions::default() };
        let continued = continue_to_one(&mut newton, &mut horizon, &start, &options, &mut |_, record| heard(record));
        let continued = continued.map_err(|error| unsolved(0.0, error.to_string()))?;
        if stopped {
            return Err(BoundaryError::Interrupted);
        }
        if let Some(stuck) = continued.stuck {
            return Err(unsolved(continued.reached.unwrap_or(0.0), stuck.reason));
        }
        let x = continued.solution.x;
        let mut found = Vec::with_capacity(instants);
        for (k, t) in times.iter().enumerate() {
            let v = horizon.rates(&x, k).0.to_vec();
            let own = &x[k * block..(k + 1) * block];
            let [q, multipliers, u] = [&own[..n], &own[n..n + m], &own[n + m..]].map(<[f64]>::to_vec);
            found.push(Instant { t: *t, q, v, multipliers, u });
        }
        let holding: Vec<Vec<f64>> =
            (0..instants).map(|k| start[k * block + n + m..(k + 1) * block].to_vec()).collect();
        let [speeds, tails] = left_at_ends(&found, &holding);
        let unrest = speeds.max(tails);
        Ok(Bounded { grid, instants: found, zeros: zeros.to_vec(), unrest, tails, holding, iterations, sizes })
    }
}

/// Velocities at the ends, and differences of the controls there from those of rest, each relative to the largest on the way.
fn left_at_ends(found: &[Instant], holding: &[Vec<f64>]) -> [f64; 2] {
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, |most: f64, value| most.max(value.abs()));
    let speeds: Vec<f64> = found.iter().map(|instant| largest(&mut instant.v.iter().copied())).collect();
    let pairs = found.iter().zip(holding);
    let efforts = pairs.map(|(instant, rest)| largest(&mut instant.u.iter().zip(rest).map(|(u, rest)| u - rest)));
    let efforts: Vec<f64> = efforts.collect();
    let left = |list: &[f64]| {
        let most = list.iter().copied().fold(0.0, f64::max);
        let ends = list.first().copied().unwrap_or(0.0).max(list.last().copied().unwrap_or(0.0));
        if most > 0.0 { ends / most } else { 0.0 }
    };
    [left(&speeds), left(&efforts)]
}
