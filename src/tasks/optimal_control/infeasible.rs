//! Why no motion was found, and what would let there be one.
//!
//! The point of smallest violation tells which equation fails most, when, and which bounds hold there. Then the problem is solved
//! with something relaxed, on a mesh of moderate size: controls without bounds whose largest magnitudes are as small as
//! possible, a free end time that is as early as possible, and no bounds of coordinates and no constraints along the way.

use std::sync::Arc;

use super::meshes::{Beginning, Meshes};
use super::{OptimalControlOptions, is_solved};
use crate::discretisation::transcription::{
    ControlProblem, Cost, Given, Guess, Spot, Trajectory, Transcription, unreached,
};
use crate::nlp::Nlp;
use crate::results::{Conflicts, Misplaced, Violated};
use crate::solver::constrained::{Options, Status};
use crate::solver::mesh::{MeshOptions, MeshSolution, solve_on_meshes};
use crate::tasks::Observer;

/// Steps of the meshes of relaxed problems.
const STEPS: usize = 50;
/// Iterations of one of them.
const MAX_ITERATIONS: usize = 200;
/// Starts of each: the guess, then detours.
const STARTS: usize = 3;
/// How many times longer a motion may become.
const LONGER: [f64; 4] = [1.5, 2.25, 3.4, 5.0];
/// Rows that are told.
const MOST_ROWS: usize = 4;
/// Distance to a bound, relative to 1 + |bound|, that counts as none.
const AT_BOUND: f64 = 1e-4;

/// What stands against a motion.
#[derive(Debug, Clone, PartialEq)]
pub struct Infeasibility {
    /// In words.
    pub message: String,
    /// As data.
    pub conflicts: Conflicts,
}

/// Explains an infeasible end.
pub(super) fn explain(
    meshes: &Meshes<'_>,
    found: &MeshSolution,
    options: &OptimalControlOptions,
    observer: &mut dyn Observer,
) -> Infeasibility {
    let problem = meshes.problem;
    let mut words = vec!["no motion was found that satisfies the equations within all bounds".to_owned()];
    let (violated, place) = violations(meshes, found, options);
    let mut conflicts = Conflicts { violated, bounds: Vec::new() };
    if let Some(worst) = conflicts.violated.first() {
        let off = (worst.value - worst.allowed).abs();
        words.push(format!("nearest to one, violated most is {} (by {off:.3e})", worst.row));
    }
    words.extend(held(meshes, found, place));
    let names = problem.mechanics.coordinates();
    let still: Vec<String> = unreached(problem).into_iter().map(|i| format!("`{}`", names[i])).collect();
    if !still.is_empty() {
        words.push(format!("no control acts on {}, neither directly nor through other coordinates", still.join(", ")));
    }
    let relaxations = [weaker_controls, longer_time, without_walls];
    observer.phase("explaining", relaxations.len());
    let mut helped = false;
    for (done, relax) in relaxations.into_iter().enumerate() {
        observer.progress(done);
        if observer.interrupted() {
            break;
        }
        let Some((text, mut moved)) = relax(problem, options, observer) else { continue };
        helped = true;
        words.push(text);
        conflicts.bounds.append(&mut moved);
    }
    if !helped && still.is_empty() && !observer.interrupted() {
        words.push("neither stronger controls, more time nor wider bounds of coordinates led to one".to_owned());
    }
    Infeasibility { message: words.join("; "), conflicts }
}

/// Rows that are violated, worst first, and where the worst is, as a share of the duration.
fn violations(
    meshes: &Meshes<'_>,
    found: &MeshSolution,
    options: &OptimalControlOptions,
) -> (Vec<Violated>, Option<f64>) {
    let mesh = meshes.stated(found.intervals);
    let Ok(program) = mesh.program() else { return (Vec::new(), None) };
    let (bounds, spots) = (program.bounds(), mesh.rows());
    let mut violated = Vec::new();
    for (k, value) in found.solution.rows.iter().enumerate() {
        let allowed = value.max(bounds.c_lower[k]).min(bounds.c_upper[k]);
        if (value - allowed).abs() > options.solver.violation {
            violated.push((k, Violated { row: program.row_name(k), value: *value, allowed }));
        }
    }
    let off = |(_, row): &(usize, Violated)| (row.value - row.allowed).abs();
    violated.sort_by(|a, b| off(b).total_cmp(&off(a)));
    let place = violated.first().and_then(|(k, _)| match spots[*k] {
        Spot::At { share, .. } => Some(share),
        Spot::Global(_) => None,
    });
    (violated.into_iter().take(MOST_ROWS).map(|(_, row)| row).collect(), place)
}

/// Controls and coordinates that are at a bound: at the place of the worst row, and for which part of the time.
fn held(meshes: &Meshes<'_>, found: &MeshSolution, place: Option<f64>) -> Option<String> {
    let mesh = meshes.stated(found.intervals);
    let program = mesh.program().ok()?;
    let (bounds, spots) = (program.bounds(), mesh.variables());
    let nodal = spots.iter().filter(|spot| matches!(spot, Spot::At { share, .. } if *share == 0.0)).count();
    let mechanics = &meshes.problem.mechanics;
    let controls = mechanics.controls().into_iter().enumerate().map(|(i, name)| (nodal + i, name));
    let mut parts = Vec::new();
    for (function, name) in mechanics.coordinates().into_iter().enumerate().chain(controls) {
        let share = |k: usize| match spots[k] {
            // What is given is no bound that holds.
            Spot::At { function: other, share, .. } if other == function && bounds.x_lower[k] < bounds.x_upper[k] => {
                Some(share)
            }
            _ => None,
        };
        let places: Vec<(usize, f64)> = (0..spots.len()).filter_map(|k| Some((k, share(k)?))).collect();
        let bound = |k: usize| {
            let near = |bound: &f64| {
                bound.is_finite() && (found.solution.iterate.x[k] - bound).abs() <= AT_BOUND * (1.0 + bound.abs())
            };
            [bounds.x_lower[k], bounds.x_upper[k]].into_iter().find(near)
        };
        let count = places.iter().filter(|(k, _)| bound(*k).is_some()).count();
        if count == 0 {
            continue;
        }
        let percent = 100.0 * count as f64 / places.len() as f64;
        let nearest = place.and_then(|at| places.iter().min_by(|a, b| (a.1 - at).abs().total_cmp(&(b.1 - at).abs())));
        parts.push(match nearest.and_then(|(k, _)| bound(*k)) {
            Some(bound) => format!("{name} is at its bound {bound} there, and at one in {percent:.0} % of the time"),
            None => format!("{name} is at a bound in {percent:.0} % of the time"),
        });
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// A relaxed problem, solved from the guess or from a detour.
fn relaxed(
    problem: &ControlProblem,
    starts: usize,
    options: &OptimalControlOptions,
    observer: &dyn Observer,
) -> Option<Trajectory> {
    let transcription = Transcription::new(problem, STEPS).ok()?;
    let mut meshes = Meshes::new(problem, transcription, Beginning::Guess);
    let solve = Options { explain: false, retries: 0, test_derivatives: false, ..options.solver.clone() };
    let on_mesh = MeshOptions { coarsest: STEPS, max_iterations: MAX_ITERATIONS, solve, ..MeshOptions::to(STEPS) };
    for number in 0..starts {
        if number > 0 {
            meshes.beginning = Beginning::Detour(number);
        }
        // The iterations of other problems are none of this one.
        let found = solve_on_meshes(&meshes, &on_mesh, &mut |_, _| !observer.interrupted()).ok()?;
        if found.status == Status::Interrupted {
            return None;
        }
        if is_solved(found.status) {
            let iterate = &found.solution.iterate;
            return meshes.transcription.trajectory(&iterate.x, &iterate.lambda).ok();
        }
    }
    None
}

/// What a relaxation showed: words, and bounds with the values they would need.
type Remedy = Option<(String, Vec<Misplaced>)>;

/// Controls as weak as possible, instead of bounded.
fn weaker_controls(problem: &ControlProblem, options: &OptimalControlOptions, observer: &dyn Observer) -> Remedy {
    let names = problem.mechanics.controls();
    let size = |(lower, upper): (f64, f64)| lower.abs().max(upper.abs());
    let bounded = |i: &usize| size(problem.control_bounds[*i]).is_finite() && size(problem.control_bounds[*i]) > 0.0;
    let bounded: Vec<usize> = (0..names.len()).filter(bounded).collect();
    if bounded.is_empty() {
        return None;
    }
    let mut free = problem.clone();
    for &i in &bounded {
        let (lower, upper) = problem.control_bounds[i];
        // A control that only pushes still does.
        free.control_bounds[i] = match (lower >= 0.0, upper <= 0.0) {
            (true, _) => (lower, f64::INFINITY),
            (_, true) => (f64::NEG_INFINITY, upper),
            _ => Given::FREE.bounds(),
        };
    }
    free.cost =
        Cost { peak: bounded.iter().map(|&i| (i, 1.0 / size(problem.control_bounds[i]))).collect(), ..Cost::default() };
    let motion = relaxed(&free, STARTS, options, observer)?;
    let (mut parts, mut moved) = (Vec::new(), Vec::new());
    for &i in &bounded {
        let (now, name) = (size(problem.control_bounds[i]), &names[i]);
        let needed = motion.u.iter().map(|u| u[i].abs()).fold(0.0, f64::max);
        if needed > now {
            parts.push(format!("|{name}| ≤ {} (now {now})", above(needed)));
            moved.push(Misplaced { bound: format!("|{name}| ≤ {now}"), value: now, needed });
        }
    }
    (!parts.is_empty()).then(|| (format!("there is one with {}", parts.join(" and ")), moved))
}

/// As much time as needed: longer and longer times until there is a motion, from which the least is sought.
fn longer_time(problem: &ControlProblem, options: &OptimalControlOptions, observer: &dyn Observer) -> Remedy {
    let (least, most) = problem.duration.bounds();
    let longer = LONGER.iter().find_map(|factor| {
        let mut slow = problem.clone();
        slow.duration = Given::Fixed(factor * most);
        relaxed(&slow, STARTS - 1, options, observer)
    });
    let longer = longer?;
    let mut free = problem.clone();
    free.duration = Given::Between(least, 2.0 * longer.duration);
    free.guess = guess(&longer);
    free.cost = Cost { time: 1.0, ..Cost::default() };
    let needed = relaxed(&free, 1, options, observer).map_or(longer.duration, |fast| fast.duration);
    let moved = Misplaced { bound: format!("end time ≤ {most}"), value: most, needed };
    let words = format!("there is one with an end time of {} s (now {most} s)", above(needed));
    (needed > most).then(|| (words, vec![moved]))
}

/// A motion as a guess.
fn guess(motion: &Trajectory) -> Guess {
    let (q, u, count) = (motion.q.clone(), motion.u.clone(), motion.u.len());
    let step = move |share: f64| ((share * count as f64) as usize).min(count - 1);
    let position = move |share: f64| {
        let k = step(share);
        let part = share * count as f64 - k as f64;
        q[k].iter().zip(&q[k + 1]).map(|(a, b)| a + part * (b - a)).collect()
    };
    Guess {
        position: Arc::new(position),
        control: Arc::new(move |share| u[step(share)].clone()),
        duration: motion.duration,
    }
}

/// No bounds of coordinates, no constraints along the way.
fn without_walls(problem: &ControlProblem, options: &OptimalControlOptions, observer: &dyn Observer) -> Remedy {
    let names = problem.mechanics.coordinates();
    let is_bounded = |(lower, upper): &(f64, f64)| lower.is_finite() || upper.is_finite();
    if !problem.coordinate_bounds.iter().any(is_bounded) && problem.path.is_empty() {
        return None;
    }
    let mut free = problem.clone();
    free.coordinate_bounds.fill(Given::FREE.bounds());
    free.path.clear();
    let motion = relaxed(&free, STARTS, options, observer)?;
    let mut moved = Vec::new();
    for (i, &(lower, upper)) in problem.coordinate_bounds.iter().enumerate() {
        let reach = |pick: fn(f64, f64) -> f64, from: f64| motion.q.iter().map(|q| q[i]).fold(from, pick);
        let (low, high) = (reach(f64::min, f64::INFINITY), reach(f64::max, f64::NEG_INFINITY));
        if high > upper {
            moved.push(Misplaced { bound: format!("{} ≤ {upper}", names[i]), value: upper, needed: high });
        }
        if low < lower {
            moved.push(Misplaced { bound: format!("{} ≥ {lower}", names[i]), value: lower, needed: low });
        }
    }
    let path: Vec<String> = problem.path.iter().map(|path| format!("`{}`", path.name)).collect();
    let paths = if path.is_empty() { String::new() } else { format!(" and the constraints {}", path.join(", ")) };
    let reached: Vec<String> = moved.iter().map(|moved| format!("{:.4} where {}", moved.needed, moved.bound)).collect();
    let reached = if reached.is_empty() { String::new() } else { format!(", which reaches {}", reached.join(" and ")) };
    Some((format!("there is one without the bounds of coordinates{paths}{reached}"), moved))
}

/// Four digits, rounded up, so that what is told is enough.
fn above(value: f64) -> String {
    let unit = 10f64.powf(value.abs().log10().floor() - 3.0);
    let rounded = (value / unit * (1.0 - 1e-9)).ceil() * unit;
    format!("{rounded:.*}", (-unit.log10().round()).max(0.0) as usize)
}
