//! Rods in a row solved by finite elements over all of space and time at once, and the equilibrium this begins in.

use nalgebra::{Vector3, Vector6};

use super::layers::{Layered, at_layer, fits, mobility, momentum, no_inertia, velocity};
use super::sampling::hanging;
use super::{SpaceMotion, function};
use crate::discretisation::Window;
use crate::discretisation::at_once::{AtOnce, Course, Net, Resting};
use crate::discretisation::chain::RodChain;
use crate::discretisation::galerkin::TimeElements;
use crate::discretisation::galerkin::space::{between, join};
use crate::discretisation::march::space::SpaceState;
use crate::mechanism::Pose;
use crate::nlp::SquareSystem;
use crate::results::Iteration;
use crate::solver::linear::{SparseLu, dissection};
use crate::solver::{ContinuationOptions, Newton, NewtonError, NewtonOptions, continue_to_one};
use crate::tasks::{Observer, TaskError};

/// Solves on the window's grid with `substeps` layers per element.
pub fn run(
    chain: &RodChain,
    substeps: usize,
    window: &Window,
    observer: &mut dyn Observer,
) -> Result<Layered, TaskError> {
    chain.legs.iter().try_for_each(|leg| fits(chain.rod(leg)))?;
    let net = Net::new(chain, substeps).map_err(|_| no_inertia())?;
    let time = TimeElements { dt: window.dt(), steps: window.count() - 1 };
    let (rest, forces) = equilibrium(&net, substeps, window.time(0), &|| observer.interrupted())?;
    let targets = (0..chain.guides.len()).map(|guide| weak_path(chain, guide, time, window));
    let targets = targets.collect::<Result<Vec<_>, _>>()?;
    let (guess, start) = carried(&net, &rest, &forces, &targets, time)?;
    let course = Course { start: window.time(0), targets, rest, forces };
    let mut system = AtOnce::new(&net, time, course, guess);
    let order = elimination_order(&net, &system);
    let mut newton = Newton::new(Box::new(SparseLu::with_order(order)), NewtonOptions::default());
    observer.phase("galerkin, sparse Newton", 0);
    let mut table = Vec::new();
    let phase = "Newton over the whole space-time domain";
    let continued =
        continue_to_one(&mut newton, &mut system, &start, &ContinuationOptions::default(), &mut |parameter, record| {
            if record.iter == 0 && parameter < 1.0 {
                observer.note(&format!("at {:.0} % of the manoeuvre", 100.0 * parameter));
            }
            let row = Iteration {
                iter: table.len(),
                inf_pr: record.residual,
                step: record.step,
                alpha: record.alpha,
                ls: record.trials,
                ..Iteration::default()
            };
            observer.iteration(&row);
            table.push(row);
            !observer.interrupted()
        })
        .map_err(|source| TaskError::newton(phase, &chain.name(), source))?;
    if observer.interrupted() {
        return Err(TaskError::Interrupted);
    }
    if let Some(stuck) = continued.stuck {
        let reached = 100.0 * continued.reached.unwrap_or(0.0);
        let reason = format!("solved up to {reached:.0} % of the manoeuvre, then: {}", stuck.reason);
        return Err(TaskError::NotConverged { phase: phase.into(), rod: chain.name(), reason });
    }
    let (motion, applied) = read(&net, &system, window, &continued.solution.x)?;
    Ok(Layered { motion, iterations: table, unknowns: system.size(), applied: Some(applied) })
}

/// Unknowns of a global solve beyond which its factors do not fit: about 2 kB each.
const MOST_UNKNOWNS: f64 = 6e6;

/// Refuses grids that a global solve cannot take.
pub fn affordable(chain: &RodChain, steps: usize) -> Result<(), TaskError> {
    let elements = chain.elements();
    let unknowns = elements as f64 * steps as f64 * 2.0 * chain.components().len() as f64;
    match unknowns > MOST_UNKNOWNS {
        true => Err(TaskError::TooManyUnknowns { rod: chain.name(), unknowns, elements, steps, most: MOST_UNKNOWNS }),
        false => Ok(()),
    }
}

/// Equilibrium at time t: all sections by number.
pub fn resting(chain: &RodChain, t: f64) -> Result<Vec<SpaceState>, TaskError> {
    if chain.is_complete() {
        return hanging(chain, t);
    }
    chain.legs.iter().try_for_each(|leg| fits(chain.rod(leg)))?;
    let net = Net::new(chain, 1).map_err(|_| no_inertia())?;
    let (poses, _) = equilibrium(&net, 1, t, &|| false)?;
    let zero = Vector3::zeros();
    let mut states = vec![SpaceState { pose: Pose::IDENTITY, n: zero, m: zero }; chain.sections()];
    for (leg, stress) in stresses(&net, &|node| poses[node], t)?.into_iter().enumerate() {
        let own = net.nodes.iter().zip(&poses).filter(|(node, _)| node.leg == leg);
        for (step, (node, pose)) in own.enumerate() {
            let Some(section) = node.section else { continue };
            let found = at_layer(&stress, step);
            let [n, m] = [0, 3].map(|row| found.fixed_rows::<3>(row).into_owned());
            states[section] = SpaceState { pose: *pose, n, m };
        }
    }
    Ok(states)
}

/// Stresses in the middles of the strips, rod by rod.
fn stresses(net: &Net<'_>, pose: &dyn Fn(usize) -> Pose, t: f64) -> Result<Vec<Vec<Vector6<f64>>>, TaskError> {
    let mut out = vec![Vec::new(); net.chain.legs.len()];
    for span in &net.spans {
        let [left, right] = span.ends.map(pose);
        let found = span.strip.taut(&left, &right).and_then(|()| span.strip.forces(&left, &right));
        let rod = || net.chain.rod(&net.chain.legs[span.leg]).name.clone();
        let found = found.map_err(|cause| TaskError::Breakdown { rod: rod(), s: span.middle, t, cause })?;
        out[span.leg].push(found.stress);
    }
    Ok(out)
}

/// Poses of all layers in equilibrium at time t, and the forces that keep them there; `is_stopped` says when to give up.
fn equilibrium(
    net: &Net<'_>,
    substeps: usize,
    t: f64,
    is_stopped: &dyn Fn() -> bool,
) -> Result<(Vec<Pose>, Vec<f64>), TaskError> {
    let chain = net.chain;
    let targets = chain.guides.iter().map(|guide| guide.path.at(t).map(|jet| jet.pose));
    let targets = targets.collect::<Result<Vec<Pose>, _>>().map_err(|bad| function(chain, bad))?;
    let sections: Vec<Pose> = match chain.is_complete() {
        true => hanging(chain, t)?.into_iter().map(|state| state.pose).collect(),
        false => moved_reference(chain, &targets),
    };
    let guess = chain.legs.iter().flat_map(|leg| {
        let (rod, sections) = (chain.rod(leg), &sections);
        (0..=rod.elements * substeps).map(move |step| {
            let at = |element: usize| sections[leg.first + leg.boundary(element, rod.elements)];
            match step % substeps {
                0 => at(step / substeps),
                sub => between(&at(step / substeps), &at(step / substeps + 1), sub as f64 / substeps as f64),
            }
        })
    });
    let mut system = Resting::new(net, guess.collect(), targets, t);
    let start = system.start();
    let mut newton = Newton::new(Box::new(SparseLu::new()), NewtonOptions::default());
    let phase = "the rest configuration";
    let continued =
        continue_to_one(&mut newton, &mut system, &start, &ContinuationOptions::default(), &mut |_, _| !is_stopped());
    if is_stopped() {
        return Err(TaskError::Interrupted);
    }
    let continued = continued.map_err(|source| match source {
        NewtonError::Singular { unknown, .. } => TaskError::NotApplicable {
            method: "galerkin",
            reason: format!(
                "begins at rest, but at t = {t} nothing determines {unknown}: the servo paths and supports let the rods move without a force; prescribe or hold one more coordinate, for example an orientation"
            ),
        },
        source => TaskError::Singular { phase: phase.into(), rod: chain.name(), source: Box::new(source) },
    })?;
    if let Some(stuck) = continued.stuck {
        return Err(TaskError::NotConverged { phase: phase.into(), rod: chain.name(), reason: stuck.reason });
    }
    let x = &continued.solution.x;
    Ok((system.poses(x), system.forces(x)))
}

/// The guide that says most of the motion.
fn leading(chain: &RodChain) -> usize {
    let say = |guide: &usize| (chain.guides[*guide].holds.len(), !chain.guides[*guide].is_support);
    (0..chain.guides.len()).max_by_key(say).unwrap_or(0)
}

/// The rigid motion that takes a frame to its target as far as it is guided.
fn rigid(chain: &RodChain, guide: usize, from: &Pose, target: &Pose) -> impl Fn(&Pose) -> Pose + use<> {
    let holds = &chain.guides[guide].holds;
    let turn = match holds.iter().any(|component| *component > 2) {
        true => target.orientation * from.orientation.conjugate(),
        false => crate::mechanism::Quaternion::IDENTITY,
    };
    let to = Vector3::from_fn(|c, _| if holds.contains(&c) { target.position[c] } else { from.position[c] });
    let from = from.position;
    move |pose| Pose {
        position: to + turn.rotate(pose.position - from),
        orientation: (turn * pose.orientation).normalised(),
    }
}

/// The reference configuration, moved rigidly to where a guide begins.
fn moved_reference(chain: &RodChain, targets: &[Pose]) -> Vec<Pose> {
    let guide = leading(chain);
    let reference = chain.reference();
    let place = chain.guide_place(guide);
    let section = &reference[place.section];
    let from = Pose {
        position: section.point(place.lever.position),
        orientation: section.orientation * place.lever.orientation,
    };
    let carry = rigid(chain, guide, &from, &targets[guide]);
    reference.iter().map(carry).collect()
}

/// The path imposed weakly: poses at the instants with ∫φ (x − γ) = 0 and ∫φ log(R R_γᵀ) = 0.
fn weak_path(chain: &RodChain, guide: usize, time: TimeElements, window: &Window) -> Result<Vec<Pose>, TaskError> {
    let wanted = |t: f64| chain.guides[guide].path.at(t).map(|jet| jet.pose).map_err(|bad| function(chain, bad));
    super::layers::weakly(&wanted, time, window.time(0), chain.length())
}

/// The rest configuration carried along rigidly by the leading guide: poses of all layers at all instants, and the unknowns.
fn carried(
    net: &Net<'_>,
    rest: &[Pose],
    forces: &[f64],
    targets: &[Vec<Pose>],
    time: TimeElements,
) -> Result<(Vec<Pose>, Vec<f64>), TaskError> {
    let chain = net.chain;
    let guide = leading(chain);
    let from = net.guided(guide, &rest[net.node_of(chain.guide_place(guide).section)]);
    let count = net.components.len();
    let (instants, steps) = (time.steps + 1, time.steps);
    let mut poses = Vec::with_capacity(rest.len() * instants);
    let carry: Vec<_> = targets[guide].iter().map(|target| rigid(chain, guide, &from, target)).collect();
    for pose in rest {
        poses.push(*pose);
        poses.extend((1..instants).map(|k| carry[k](pose)));
    }
    let mut x = Vec::with_capacity(rest.len() * steps * 2 * count + forces.len() * steps);
    for (node, layer) in net.nodes.iter().zip(poses.chunks(instants)) {
        let v = velocity(time, layer);
        let spin = momentum(time, layer, &node.per_inertia).map_err(|reason| TaskError::NotConverged {
            phase: "the first guess".into(),
            rod: chain.name(),
            reason,
        })?;
        for k in 1..instants {
            let place = |c: &usize| if *c < 3 { layer[k].position[*c] } else { 0.0 };
            let rate = |c: &usize| if *c < 3 { v[k][*c] } else { spin[k][*c - 3] / node.unit };
            x.extend(net.components.iter().map(place));
            x.extend(net.components.iter().map(rate));
        }
    }
    for force in forces {
        x.extend(std::iter::repeat_n(*force, steps));
    }
    Ok((poses, x))
}

/// Nested dissection of the space-time rectangle; a force is eliminated with a layer it acts on.
fn elimination_order(net: &Net<'_>, system: &AtOnce<'_, '_>) -> Vec<usize> {
    let numbers = system.numbers();
    let mut of_node: Vec<Vec<usize>> = (0..numbers.nodes)
        .flat_map(|i| (1..=numbers.steps).map(move |k| (i, k)))
        .map(|(i, k)| (0..2 * numbers.count).map(|c| numbers.place(i, k, c)).collect())
        .collect();
    for (f, force) in net.forces.iter().enumerate() {
        let Some(i) = net.nodes_of_force(*force).first().copied() else { continue };
        for k in 1..=numbers.steps {
            of_node[i * numbers.steps + k - 1].push(numbers.force(f, k));
        }
    }
    dissection::expand(&dissection::order(numbers.nodes, numbers.steps), &of_node, system.size())
}

/// The motion on the user's grid, and what each drive applies.
fn read(
    net: &Net<'_>,
    system: &AtOnce<'_, '_>,
    window: &Window,
    x: &[f64],
) -> Result<(SpaceMotion, Vec<Vec<f64>>), TaskError> {
    let (chain, fields) = (net.chain, system.fields(x));
    let mut motion = SpaceMotion::resting(chain.sections(), window.grid.steps + 1);
    for k in 0..motion.instants {
        let j = window.index(k);
        let stress = stresses(net, &|node| *fields.pose(node, j), window.time(j))?;
        let mut layers = vec![0; chain.legs.len()];
        for (i, node) in net.nodes.iter().enumerate() {
            let layer = layers[node.leg];
            layers[node.leg] += 1;
            let Some(section) = node.section else { continue };
            let (place, at) = (motion.at(section, k), i * fields.instants + j);
            let pose = fields.poses[at];
            motion.poses[place] = pose;
            let spin = mobility(&node.per_inertia, pose.orientation) * fields.spin[at];
            motion.v[place] = join(fields.v[at], spin);
            motion.n[place] = at_layer(&stress[node.leg], layer);
        }
        for drive in 0..chain.drives.len() {
            let section = chain.drive_place(drive).section;
            let unit = chain.unit(drive, &motion.poses[motion.at(section, k)]);
            motion.driven[k] += unit * fields.forces[drive][j];
        }
    }
    let applied = (0..chain.drives.len())
        .map(|drive| (0..motion.instants).map(|k| fields.forces[drive][window.index(k)]).collect())
        .collect();
    Ok((motion, applied))
}
