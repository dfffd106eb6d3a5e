//! Several starts: random changes of the guess, each solved on the coarsest mesh, and the distinct optima they lead to.
//!
//! A change adds to each coordinate a sum of three smooth modes that vanish where the end is given, with amplitudes drawn
//! evenly from ± spread · range / order; likewise to controls that are bounded or guessed. Start number k of a seed is the
//! same whatever the others do, so that a rerun is identical however many threads share the work.

use std::f64::consts::PI;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::meshes::{Beginning, Meshes};
use super::{OptimalControlOptions, is_solved};
use crate::discretisation::transcription::{ControlProblem, Given, Spot, Transcription};
use crate::results::{LocalOptimum, Optima};
use crate::solver::constrained::{Options, Solution, Status};
use crate::solver::mesh::{MeshOptions, solve_on_meshes};
use crate::tasks::Observer;

/// Modes of a change.
const ORDERS: usize = 3;
/// Largest number of iterations from one start.
const MAX_ITERATIONS: usize = 500;
/// Objectives that differ relatively by less belong to one optimum, if the motions agree as well.
const SAME_OBJECTIVE: f64 = 1e-6;
/// Motions that differ by less, relative to the range of each coordinate, are one.
const SAME_MOTION: f64 = 1e-3;
/// How often the user's wish to stop is looked for.
const PATIENCE: Duration = Duration::from_millis(20);

/// How many starts are tried, and how far they lie from the guess.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Starts {
    /// Number of starts, of which the first is the guess.
    pub count: usize,
    /// Seed of the random changes.
    pub seed: u64,
    /// Size of the changes, relative to the range of coordinates and controls.
    pub spread: f64,
}

/// Random numbers by splitmix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly from −1 to 1.
    fn even(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

impl Starts {
    /// Where start `number`, from 0, begins.
    pub(super) fn beginning(&self, number: usize) -> Beginning {
        match number {
            0 => Beginning::Guess,
            _ => Beginning::Random(Random(self.seed ^ (number as u64) << 32).next(), self.spread),
        }
    }
}

/// A mode that vanishes at the ends that are not free.
fn mode(order: usize, share: f64, free: [bool; 2]) -> f64 {
    let order = order as f64;
    match free {
        [false, false] => (order * PI * share).sin(),
        [true, false] => ((order - 0.5) * PI * share).cos(),
        [false, true] => ((order - 0.5) * PI * share).sin(),
        [true, true] => ((order - 1.0) * PI * share).cos(),
    }
}

/// A function of time to be changed: its number, the size of the change, whether start and end are free, bounds.
type Shift = (usize, f64, [bool; 2], (f64, f64));

/// Changes a start at random.
pub(super) fn perturb(problem: &ControlProblem, spots: &[Spot], x: &mut [f64], seed: u64, spread: f64) {
    let mut random = Random(seed);
    let coordinates = problem.coordinate_bounds.len();
    let constraints = functions_before_controls(problem, spots) - coordinates;
    let along = |function: usize| {
        let of = move |(k, spot): (usize, &Spot)| match *spot {
            Spot::At { function: other, share, .. } if other == function => Some((k, share)),
            _ => None,
        };
        spots.iter().enumerate().filter_map(of)
    };
    let limits = |function: usize, x: &[f64]| {
        along(function).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (k, _)| (x[k].min(low), x[k].max(high)))
    };
    let half = |(lower, upper): (f64, f64)| Some(0.5 * (upper - lower)).filter(|half| half.is_finite());
    let change = |i: usize| {
        let (low, high) = limits(i, x);
        Some(high - low).filter(|change| *change > 0.0)
    };
    let changes: Vec<Option<f64>> = (0..coordinates).map(change).collect();
    let largest = changes.iter().flatten().copied().fold(0.0, f64::max);
    let largest = if largest > 0.0 { largest } else { 1.0 };
    let mut shifts: Vec<Shift> = Vec::new();
    for (i, change) in changes.into_iter().enumerate() {
        let bounds = problem.coordinate_bounds[i];
        let free = [&problem.start, &problem.end].map(|end| end.position[i].value().is_none());
        shifts.push((i, change.or(half(bounds)).unwrap_or(largest), free, bounds));
    }
    for (i, bounds) in problem.control_bounds.iter().enumerate() {
        let function = coordinates + constraints + i;
        let (low, high) = limits(function, x);
        shifts.push((function, half(*bounds).unwrap_or(low.abs().max(high.abs())), [true, true], *bounds));
    }
    for (function, reach, free, (lower, upper)) in shifts {
        let amplitudes: [f64; ORDERS] = std::array::from_fn(|k| spread * reach * random.even() / (k + 1) as f64);
        for (k, share) in along(function) {
            let sum: f64 = (0..ORDERS).map(|order| amplitudes[order] * mode(order + 1, share, free)).sum();
            // What is given stays.
            let fixed = [&problem.start, &problem.end].into_iter().zip([0.0, 1.0]).any(|(end, at)| {
                share == at && function < coordinates && matches!(end.position[function], Given::Fixed(_))
            });
            if !fixed {
                x[k] = (x[k] + sum).max(lower).min(upper);
            }
        }
    }
    if problem.duration.value().is_none() {
        let (least, most) = problem.duration.bounds();
        x[0] = (x[0] * 2f64.powf(spread * random.even())).max(least).min(most);
    }
}

/// Number of functions of time among the variables before the controls.
fn functions_before_controls(problem: &ControlProblem, spots: &[Spot]) -> usize {
    // Controls live in the middles of the intervals, all before them at the nodes.
    let nodal = |spot: &&Spot| matches!(spot, Spot::At { share, .. } if *share == 0.0);
    spots.iter().filter(nodal).count().max(problem.coordinate_bounds.len())
}

/// One start, solved.
#[derive(Debug, Clone)]
struct Trial {
    number: usize,
    solution: Solution,
    iterations: usize,
}

/// What the starts led to: the table, and the optima in the order of their cost with the start they came from.
pub(super) struct Search {
    pub table: Optima,
    pub optima: Vec<(usize, Solution)>,
    pub iterations: usize,
    pub interrupted: bool,
}

/// Solves all starts on the coarsest mesh.
pub(super) fn search(
    problem: &ControlProblem,
    transcription: &Transcription<'_>,
    intervals: usize,
    starts: Starts,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Search {
    observer.phase("starts", starts.count);
    let stop = AtomicBool::new(false);
    let solve = |number: usize| {
        let meshes = Meshes::new(problem, transcription.on(intervals), starts.beginning(number));
        let max_iterations = MAX_ITERATIONS.min(options.solver.max_iterations);
        let solve = Options { explain: false, test_derivatives: number == 0, ..options.solver.clone() };
        let on_mesh = MeshOptions { coarsest: intervals, max_iterations, solve, ..MeshOptions::to(intervals) };
        solve_on_meshes(&meshes, &on_mesh, &mut |_, _| !stop.load(Ordering::Relaxed))
    };
    let mut done: Vec<_> = (0..starts.count).map(|_| None).collect();
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let (send, receive) = channel();
        // As many threads as elsewhere; they are not those of the pool, which may wait for this one.
        for _ in 0..rayon::current_num_threads().min(starts.count) {
            let (send, solve, next) = (send.clone(), &solve, &next);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= starts.count || send.send((number, solve(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut heard = 0;
        loop {
            match receive.recv_timeout(PATIENCE) {
                Ok((number, outcome)) => {
                    done[number] = Some(outcome);
                    heard += 1;
                    observer.progress(heard);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if observer.interrupted() {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    let mut table = Optima {
        starts: starts.count,
        seed: starts.seed,
        spread: starts.spread,
        time_steps: intervals,
        ..Optima::default()
    };
    let mut trials = Vec::new();
    for (number, outcome) in done.into_iter().enumerate() {
        match outcome {
            Some(Ok(found)) if is_solved(found.status) => {
                trials.push(Trial { number, iterations: found.iterations, solution: found.solution });
            }
            Some(Ok(found)) => {
                *table.failures.entry(found.status.name().to_owned()).or_default() += 1;
            }
            _ => *table.failures.entry("undefined".to_owned()).or_default() += 1,
        }
    }
    let iterations = trials.iter().map(|trial| trial.iterations).sum();
    let spots = transcription.on(intervals).variables();
    let optima = distinct(trials, &spots, problem.coordinate_bounds.len(), &mut table);
    for (k, optimum) in table.found.iter().enumerate() {
        observer.note(&format!("optimum {}: objective {:.10}, {} starts", k + 1, optimum.objective, optimum.reached));
    }
    let interrupted = table.failures.contains_key(Status::Interrupted.name());
    Search { table, optima, iterations, interrupted }
}

/// Puts starts that led to the same optimum together; best first.
fn distinct(mut trials: Vec<Trial>, spots: &[Spot], coordinates: usize, table: &mut Optima) -> Vec<(usize, Solution)> {
    // Equal objectives keep the order of the starts.
    trials.sort_by(|a, b| a.solution.objective.total_cmp(&b.solution.objective));
    let mut optima: Vec<(usize, Solution)> = Vec::new();
    for trial in trials {
        let (x, objective) = (&trial.solution.iterate.x, trial.solution.objective);
        let same = optima.iter().position(|(_, other)| {
            let size = objective.abs().max(other.objective.abs());
            let near = (objective - other.objective).abs() <= SAME_OBJECTIVE * size + f64::EPSILON.sqrt();
            near && is_same_motion(x, &other.iterate.x, spots, coordinates)
        });
        match same {
            Some(place) => {
                let known = &mut table.found[place];
                known.reached += 1;
                known.first = known.first.min(trial.number + 1);
                known.least_iterations = known.least_iterations.min(trial.iterations);
                known.most_iterations = known.most_iterations.max(trial.iterations);
            }
            None => {
                table.found.push(LocalOptimum {
                    objective,
                    reached: 1,
                    first: trial.number + 1,
                    least_iterations: trial.iterations,
                    most_iterations: trial.iterations,
                    continued: false,
                });
                optima.push((trial.number, trial.solution));
            }
        }
    }
    optima
}

fn is_same_motion(a: &[f64], b: &[f64], spots: &[Spot], coordinates: usize) -> bool {
    let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY, 0.0f64); coordinates];
    for ((spot, a), b) in spots.iter().zip(a).zip(b) {
        if let Spot::At { function, .. } = spot
            && let Some((low, high, apart)) = ranges.get_mut(*function)
        {
            (*low, *high, *apart) = (a.min(*low), a.max(*high), (a - b).abs().max(*apart));
        }
    }
    let largest = ranges.iter().fold(0.0f64, |largest, (low, high, _)| largest.max(high - low));
    ranges.iter().all(|(low, high, apart)| *apart <= SAME_MOTION * (high - low).max(SAME_MOTION * largest))
}
