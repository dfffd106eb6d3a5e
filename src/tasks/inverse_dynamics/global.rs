//! Space-time finite elements solved at once by a sparse Newton method: for any end data that determine the motion.

use super::elements::{FieldLayer, Solved, assemble};
use super::{Motion, TaskError};
use crate::discretisation::Window;
use crate::discretisation::galerkin::{EndForces, GalerkinSystem, Prescribed, Strip, TimeElements, UnknownForce};
use crate::discretisation::march::Sideways;
use crate::models::{BadFunction, Rod, Side, Vector};
use crate::nlp::SquareSystem;
use crate::results::Iteration;
use crate::solver::linear::{SparseLu, dissection};
use crate::solver::{ContinuationOptions, Newton, NewtonOptions, continue_to_one};
use crate::tasks::Observer;
use crate::tasks::rest::{Rest, prescribed_coordinates, rest, unknown_forces};

/// Solve on the window's grid.
pub fn run<C: Sideways<D>, const D: usize>(
    rod: &Rod<C, D>,
    window: &Window,
    observer: &mut dyn Observer,
) -> Result<Solved<D>, TaskError> {
    let start = rest(rod, rod.elements, window.time(0))?;
    let time = TimeElements { dt: window.dt(), steps: window.count() - 1 };
    let strip = Strip { model: &rod.model, length: rod.length / rod.elements as f64, time };
    let ends = end_forces(rod, window, time, &start)?;
    let mut system = GalerkinSystem::new(strip, start.q.clone(), ends, window.time(0));
    let guess = rigid_guess(rod, window, &system, &start)?;
    let order = elimination_order(&system);
    let mut newton = Newton::new(Box::new(SparseLu::with_order(order)), NewtonOptions::default());
    observer.phase("galerkin, sparse Newton", 0);
    let mut table = Vec::new();
    let phase = "Newton over the whole space-time domain";
    let continued =
        continue_to_one(&mut newton, &mut system, &guess, &ContinuationOptions::default(), &mut |parameter, record| {
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
        .map_err(|source| TaskError::newton(phase, &rod.name, source))?;
    if observer.interrupted() {
        return Err(TaskError::Interrupted);
    }
    if let Some(stuck) = continued.stuck {
        let reason = format!(
            "solved up to {:.0} % of the manoeuvre, then: {}",
            100.0 * continued.reached.unwrap_or(0.0),
            stuck.reason
        );
        return Err(TaskError::NotConverged { phase: phase.into(), rod: rod.name.clone(), reason });
    }
    let motion = read(rod, window, &system, &continued.solution.x, &start)?;
    Ok(Solved { motion, iterations: table, unknowns: system.size() })
}

/// Known and unknown forces and prescribed motion in weak form.
fn end_forces<C: Sideways<D>, const D: usize>(
    rod: &Rod<C, D>,
    window: &Window,
    time: TimeElements,
    start: &Rest<D>,
) -> Result<EndForces<D>, TaskError> {
    let at = window.time(0);
    let bad = |side: Side, coordinate: usize, is_load: bool| {
        move |error| TaskError::function(rod, side, BadFunction { coordinate, is_load, error })
    };
    let mut known = [vec![Vector::<D>::zeros(); time.steps + 1], vec![Vector::<D>::zeros(); time.steps + 1]];
    let mut known_at_rest = [Vector::zeros(); 2];
    for (index, side) in Side::BOTH.into_iter().enumerate() {
        let end = rod.end(side);
        for c in 0..D {
            let load = time.project(at, 0.0, &mut |t| end.load[c].value(t)).map_err(bad(side, c, true))?;
            for (k, known) in known[index].iter_mut().enumerate() {
                known[c] = load[k] + end.weight[c] * time.weight(k);
            }
        }
        known_at_rest[index] = end.known_force(at).map_err(|bad| TaskError::function(rod, side, bad))?;
    }
    let mut prescribed = Vec::new();
    for (side, coordinate) in prescribed_coordinates(rod) {
        let end = rod.end(side);
        let mut value = |t: f64| match (&end.path[coordinate], end.held[coordinate]) {
            (_, Some(held)) => Ok(held),
            (Some(path), None) => path.value(t),
            (None, None) => Ok(0.0),
        };
        let moments = time.project(at, 0.0, &mut value).map_err(bad(side, coordinate, false))?;
        prescribed.push(Prescribed { side, coordinate, moments });
    }
    let unknown = unknown_forces(rod)
        .into_iter()
        .map(|(side, coordinate)| UnknownForce { side, coordinate, at_rest: start.forces[side.index()][coordinate] })
        .collect();
    let [a, b] = &rod.ends;
    Ok(EndForces { mass: [a.mass, b.mass], known, known_at_rest, prescribed, unknown })
}

/// The rest configuration carried along rigidly by the end whose motion is prescribed.
fn rigid_guess<C: Sideways<D>, const D: usize>(
    rod: &Rod<C, D>,
    window: &Window,
    system: &GalerkinSystem<'_, C, D>,
    start: &Rest<D>,
) -> Result<Vec<f64>, TaskError> {
    let prescribed = prescribed_coordinates(rod);
    let count = |side: Side| prescribed.iter().filter(|(s, _)| *s == side).count();
    let side = if count(Side::End) >= count(Side::Start) { Side::End } else { Side::Start };
    let lead = start.q[system.end_node(side)];
    let angle = rod.model.coordinates().iter().position(|&name| name == "angle");
    let mut unknowns = vec![0.0; system.size()];
    for k in 1..=system.time().steps {
        let t = window.time(k);
        let (mut to, mut speed) = (lead, Vector::<D>::zeros());
        for c in 0..D {
            let jet = rod.end(side).prescribed(c, t).map_err(|bad| TaskError::function(rod, side, bad))?;
            if let Some(jet) = jet {
                (to[c], speed[c]) = (jet.value, jet.first);
            }
        }
        for (i, rest) in start.q.iter().enumerate() {
            let mut arm = rest - lead;
            let mut v = speed;
            if let Some(a) = angle {
                let (sin, cos) = (to[a] - lead[a]).sin_cos();
                let (x, y) = (arm[0] * cos - arm[1] * sin, arm[0] * sin + arm[1] * cos);
                (arm[0], arm[1]) = (x, y);
                v[0] -= speed[a] * y;
                v[1] += speed[a] * x;
            }
            for c in 0..D {
                unknowns[system.index(i, k, c)] = to[c] + arm[c];
                unknowns[system.index(i, k, c) + D] = v[c];
            }
        }
        for (f, force) in system.ends().unknown.iter().enumerate() {
            unknowns[system.force_index(f, k)] = force.at_rest;
        }
    }
    Ok(unknowns)
}

/// Nested dissection of the space-time rectangle; an end force is eliminated with the node it acts on.
fn elimination_order<C: Sideways<D>, const D: usize>(system: &GalerkinSystem<'_, C, D>) -> Vec<usize> {
    let steps = system.time().steps;
    let mut of_node: Vec<Vec<usize>> = (0..system.nodes())
        .flat_map(|i| (1..=steps).map(move |k| (i, k)))
        .map(|(i, k)| (0..2 * D).map(|c| system.index(i, k, c)).collect())
        .collect();
    for (f, force) in system.ends().unknown.iter().enumerate() {
        let i = system.end_node(force.side);
        for k in 1..=steps {
            of_node[i * steps + k - 1].push(system.force_index(f, k));
        }
    }
    dissection::expand(&dissection::order(system.nodes(), steps), &of_node, system.size())
}

fn read<C: Sideways<D>, const D: usize>(
    rod: &Rod<C, D>,
    window: &Window,
    system: &GalerkinSystem<'_, C, D>,
    unknowns: &[f64],
    start: &Rest<D>,
) -> Result<Motion<D>, TaskError> {
    let layers: Vec<FieldLayer<D>> = (0..system.nodes())
        .map(|i| FieldLayer { x: system.positions(unknowns, i), v: system.velocities(unknowns, i) })
        .collect();
    let mut motion = assemble(rod, &window.grid, window, &layers)?;
    for (f, force) in system.ends().unknown.iter().enumerate() {
        let end = force.side.index();
        for k in 0..motion.instants {
            motion.forces[end][k][force.coordinate] = match window.index(k) {
                0 => start.forces[end][force.coordinate],
                j => unknowns[system.force_index(f, j)],
            };
        }
    }
    Ok(motion)
}
