//! The way along equilibria: stage after stage, over branch points, to the wanted load factors.

use std::collections::BTreeMap;

use super::branch::{Seen, Start, Wanted, branch, unloaded};
use super::critical::{BranchPoint, Watch};
use super::linear_buckling::linear_buckling;
use super::switch::onto_branch;
use super::telling::not_started;
use crate::discretisation::assembly::Assembly;
use crate::discretisation::equilibrium::Equilibrium;
use crate::results::RunStatus;
use crate::solver::{Path, PathEnd, PathPoint, PointKind};
use crate::tasks::forward::Failure;
use crate::tasks::{Observer, StaticsMethod, StaticsSpec};

/// A path with what is known of the stability of its points.
pub struct Leg {
    /// Number of its stage, from 0.
    pub stage: usize,
    /// Whether it is the way that was asked for, not one to its beginning.
    pub last_stage: bool,
    /// Its points, branch points among them.
    pub path: Path,
    /// Unstable directions of each point; none where energy does not decide.
    pub unstable: Vec<Option<usize>>,
    /// Its branch points, `place` being that among the points.
    pub found: Vec<BranchPoint>,
    /// Load factors between which there are others that were not found.
    pub missed: Vec<[f64; 2]>,
}

/// The mechanism in each stage; the factors of loads go from those at the end of the stage before to its own.
pub fn stages(assembly: Assembly, spec: &StaticsSpec) -> Vec<Assembly> {
    let mut reached: BTreeMap<String, f64> =
        spec.stage.iter().flat_map(|stage| stage.loads.keys()).map(|name| (name.clone(), 0.0)).collect();
    let mut all = Vec::new();
    for stage in &spec.stage {
        let mut staged = assembly.clone();
        for (name, from) in &mut reached {
            let to = stage.loads.get(name).copied().unwrap_or(*from);
            staged.growth.insert(name.clone(), [*from, to]);
            *from = to;
        }
        all.push(staged);
    }
    if all.is_empty() {
        all.push(assembly);
    }
    all
}

/// What is wanted of the branch: load factors of either sign on a way of their own.
fn wanted(spec: &StaticsSpec) -> Vec<Wanted> {
    let of_sign = |negative: bool| -> Vec<f64> {
        let mut factors: Vec<f64> = spec.factors.iter().copied().filter(|f| (*f < 0.0) == negative).collect();
        factors.sort_by(f64::total_cmp);
        factors.dedup();
        factors
    };
    let mut all = Vec::new();
    for factors in [of_sign(false), of_sign(true)].into_iter().filter(|factors| !factors.is_empty()) {
        let mut wanted = Wanted::at(&factors);
        if spec.method == StaticsMethod::LoadSteps {
            wanted.limit_points = 1;
        }
        if spec.needs_arc_length() {
            let everywhere = [f64::NEG_INFINITY, f64::INFINITY];
            let counted = spec.limit_points.is_some() || spec.branch_points.is_some();
            let unless_stated = if counted { everywhere } else { wanted.range };
            wanted.range = spec.range.unwrap_or(unless_stated);
            wanted.limit_points = spec.limit_points.unwrap_or(usize::MAX);
        }
        wanted.max_steps = spec.max_steps.unwrap_or(1000);
        all.push(wanted);
    }
    all
}

/// All paths, in their order.
pub fn route(
    stages: &[Assembly],
    time: f64,
    spec: &StaticsSpec,
    observer: &mut dyn Observer,
) -> Result<Vec<Leg>, Failure> {
    let mut legs: Vec<Leg> = Vec::new();
    let mut start: Option<Start> = None;
    let last = stages.len() - 1;
    for (stage, assembly) in stages[..last].iter().enumerate() {
        let wanted = Wanted { start: start.take(), ..Wanted::at(&[1.0]) };
        let leg = follow(assembly, time, &wanted, usize::MAX, observer).map_err(|failure| in_stage(stage, failure))?;
        let end = leg.path.of_kind(PointKind::Target).last().map(|point| point.x.clone());
        let interrupted = matches!(leg.path.end, PathEnd::Interrupted { .. });
        let why = leg.path.end.to_string();
        legs.push(Leg { stage, ..leg });
        match end {
            Some(x) => start = Some(Start { x, parameter: 0.0, increasing: None }),
            None if interrupted => return Ok(legs),
            None => {
                let message = format!("stage {} does not reach its loads: {why}", stage + 1);
                return Err(Failure { status: RunStatus::NotConverged, message });
            }
        }
    }
    let assembly = &stages[last];
    for mut wanted in wanted(spec) {
        wanted.start.clone_from(&start);
        if spec.branch_points.is_some() && spec.range.is_none() {
            let mut equilibrium = Equilibrium::new(assembly, time);
            let state = start.as_ref().map(|start| start.x.clone()).or_else(|| unloaded(&mut equilibrium));
            let estimate = state.and_then(|x| linear_buckling(&mut equilibrium, &x, 1).ok());
            wanted.scale = estimate.and_then(|(_, modes)| modes.first().map(|mode| mode.factor));
        }
        let switch = spec.branch.map(|branch| branch.unsigned_abs() as usize);
        let most = spec.branch_points.unwrap_or(usize::MAX);
        let leg = follow(assembly, time, &wanted, most.min(switch.unwrap_or(usize::MAX)), observer)
            .map_err(|failure| if last > 0 { in_stage(last, failure) } else { failure })?;
        if spec.branch_points.is_some() && leg.unstable.iter().all(Option::is_none) {
            let message = "some loads have no potential (follower forces or torques in space), so that energy does not decide where the mechanism buckles; [task.modes] tells where motions begin to grow".into();
            return Err(Failure { status: RunStatus::IllPosed, message });
        }
        let from = switch.and_then(|number| leg.found.get(number - 1).cloned());
        let found = leg.found.len();
        legs.push(Leg { stage: last, last_stage: true, ..leg });
        let Some(number) = switch else { continue };
        let Some(from) = from else {
            if matches!(legs.last().map(|leg| &leg.path.end), Some(PathEnd::Interrupted { .. })) {
                return Ok(legs);
            }
            let message =
                format!("there are only {found} branch points on the path, `branch` asks for number {number}");
            return Err(Failure { status: RunStatus::IllPosed, message });
        };
        let start = switched(assembly, time, &from, spec.branch.is_some_and(|branch| branch < 0))?;
        let wanted = Wanted { start: Some(start), ..wanted };
        let leg = follow(assembly, time, &wanted, most.saturating_sub(found).max(1), observer)?;
        legs.push(Leg { stage: last, last_stage: true, ..leg });
    }
    Ok(legs)
}

fn in_stage(stage: usize, failure: Failure) -> Failure {
    Failure { message: format!("stage {}: {}", stage + 1, failure.message), ..failure }
}

/// A state of the branch that begins at a branch point.
fn switched(assembly: &Assembly, time: f64, from: &BranchPoint, other_side: bool) -> Result<Start, Failure> {
    let mut equilibrium = Equilibrium::new(assembly, time);
    let found = onto_branch(&mut equilibrium, from, other_side)?;
    let (x, parameter) = found.ok_or_else(|| {
        let why = match from.shapes.len() {
            1 => "no equilibrium beside the path was found there".to_owned(),
            many => format!(
                "{many} motions meet no resistance there at once; a small load that picks one of them, taken off again in a later [[task.statics.stage]], leads to its branch"
            ),
        };
        let message = format!("the branch at load factor {} cannot be followed: {why}", from.parameter);
        Failure { status: RunStatus::NotConverged, message }
    })?;
    let increasing = Some(parameter >= from.parameter);
    Ok(Start { x, parameter, increasing })
}

/// One path, up to so many branch points.
fn follow(
    assembly: &Assembly,
    time: f64,
    wanted: &Wanted,
    most: usize,
    observer: &mut dyn Observer,
) -> Result<Leg, Failure> {
    let mut equilibrium = Equilibrium::new(assembly, time);
    let mut watch = Watch::new(Equilibrium::new(assembly, time));
    let mut steps = 0;
    observer.phase("load path", wanted.max_steps);
    let followed = branch(&mut equilibrium, wanted, &mut |seen: Seen<'_>| {
        steps += 1;
        observer.progress(steps);
        match seen {
            Seen::Point(point) => watch.see(point),
            Seen::Again => watch.begin(),
            Seen::Aside => {}
        }
        !observer.interrupted() && watch.found.len() < most
    });
    let mut path = followed.map_err(not_started)?;
    let Watch { mut found, mut unstable, missed, .. } = watch;
    let enough = found.len() >= most;
    if enough && !observer.interrupted() {
        found.truncate(most);
        let last = found.last().map_or((0, 0.0), |point| (point.place, point.parameter));
        path.points.truncate(last.0);
        path.end = PathEnd::BranchPoints { name: "load factor".into(), count: found.len(), parameter: last.1 };
    }
    unstable.resize(path.points.len(), None);
    for (before, point) in found.iter_mut().enumerate() {
        point.place += before;
        let beside = path.points.get(point.place.saturating_sub(1));
        let (rate, arc) = beside.map_or((1.0, 0.0), |beside| (beside.rate, beside.arc));
        let (parameter, x) = (point.parameter, point.x.clone());
        let place = point.place.min(path.points.len());
        path.points.insert(place, PathPoint { kind: PointKind::BranchPoint, parameter, x, rate, arc, iterations: 0 });
        unstable.insert(place, unstable.get(place.saturating_sub(1)).copied().flatten());
    }
    Ok(Leg { stage: 0, last_stage: false, path, unstable, found, missed })
}
