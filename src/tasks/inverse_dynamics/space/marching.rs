//! Marching along a rod in space.

use nalgebra::{Vector3, Vector6};

use super::sampling::end_data;
use super::{SpaceMotion, unfit};
use crate::discretisation::march::space::turning::{logarithm, momentum};
use crate::discretisation::march::space::{SpaceError, SpaceLayer, march_space};
use crate::discretisation::march::{Cut, Lowpass};
use crate::discretisation::{TimeGrid, Window};
use crate::models::{Couple, DrivenRod, Pose, Side};
use crate::tasks::inverse_dynamics::marching::{Course, Interruption, Level, Marched};
use crate::tasks::inverse_dynamics::{Analysis, Motion, Scheme, Stage};
use crate::tasks::{Observer, TaskError};

/// Two vectors of space in one.
pub fn six(a: Vector3<f64>, b: Vector3<f64>) -> Vector6<f64> {
    Vector6::new(a[0], a[1], a[2], b[0], b[1], b[2])
}

/// March from the end that follows the path to the other one.
pub fn run(
    rod: &DrivenRod,
    grid: TimeGrid,
    analysis: &Analysis,
    stage: &Stage<'_>,
    observer: &mut dyn Observer,
) -> Result<Marched<6, Pose>, TaskError> {
    let part = rod.rod();
    let course = Course {
        rod: &part.name,
        length: part.length,
        elements: part.elements,
        scheme: Scheme::Verlet,
        grid,
        activity: &analysis.activity,
        stage,
        slowest: stage.slowest_at_rest,
    };
    let mut march =
        |window: &Window, substeps: usize, observer: &mut dyn Observer| attempt(rod, stage, window, substeps, observer);
    course.run(&mut march, error_estimate, observer)
}

/// Estimated error of `fine` from a solution with twice the step: largest |fine − coarse|/3 of force and of torque, each
/// relative to its largest deviation from its first value. It does not depend on the directions of the axes.
pub fn error_estimate(fine: &SpaceMotion, coarse: &SpaceMotion) -> f64 {
    let mut worst = 0.0_f64;
    for (fine, coarse) in fine.forces.iter().zip(&coarse.forces) {
        let Some(first) = fine.first() else { continue };
        let (mut scale, mut difference) = ([0.0_f64; 2], [0.0_f64; 2]);
        for (f, c) in fine.iter().zip(coarse) {
            for (part, row) in [0, 3].into_iter().enumerate() {
                let size = |v: Vector6<f64>| v.fixed_rows::<3>(row).norm();
                scale[part] = scale[part].max(size(f - first));
                difference[part] = difference[part].max(size(f - c));
            }
        }
        let largest = scale[0].max(scale[1]);
        for (scale, difference) in scale.into_iter().zip(difference) {
            // A part that hardly acts is measured against the other.
            let size = scale.max(1e-6 * largest);
            if difference > 0.0 && size > 0.0 {
                worst = worst.max(difference / (3.0 * size));
            }
        }
    }
    worst
}

/// One march, which stops at the first wave that is too slow for the step.
fn attempt(
    rod: &DrivenRod,
    stage: &Stage<'_>,
    window: &Window,
    substeps: usize,
    observer: &mut dyn Observer,
) -> Result<Level<6, Pose>, Interruption> {
    let part = rod.rod();
    let cut = Cut { length: part.length, elements: part.elements, substeps, direction: -rod.side.sign() };
    let data = end_data(rod, window)?;
    let lowpass = stage.bandwidth.and_then(|corner| Lowpass::new(corner, window.dt()));
    let mut motion = Motion::resting(part.elements + 1, window.grid.steps + 1, Pose::IDENTITY);
    observer.phase(&format!("space-march (1/{} step)", window.refine), part.elements);
    let mut failed = None;
    let mut sink = |element: usize, layer: &SpaceLayer| {
        let i = if rod.side == Side::End { part.elements - element } else { element };
        record(&mut motion, window, i, layer);
        if element == part.elements {
            failed = record_forces(&mut motion, window, rod, layer).err();
        }
        observer.progress(element);
        !observer.interrupted()
    };
    let marched = march_space(part, rod.structure.gravity, &data, cut, lowpass, &mut sink);
    if let Some(error) = failed {
        return Err(error.into());
    }
    match marched {
        Ok(slowest) => Ok(Level { motion, substeps, nodes: window.count() * part.elements * substeps, slowest }),
        Err(SpaceError::Unfit(why)) => Err(unfit(&part.name, why).into()),
        Err(SpaceError::Sideways(error)) => Err(Interruption::of(error, &part.name, window)),
    }
}

/// Copies a layer to node i of the answer, velocities by central differences on the fine grid.
fn record(motion: &mut SpaceMotion, window: &Window, i: usize, layer: &SpaceLayer) {
    let last = layer.len() - 1;
    for k in 0..motion.instants {
        let (place, j) = (motion.at(i, k), window.index(k));
        let state = layer.state(j);
        let [before, after] = [j.saturating_sub(1), (j + 1).min(last)].map(|j| layer.state(j).pose);
        let per_time = 1.0 / (2.0 * window.dt());
        let velocity = (after.position - before.position) * per_time;
        // The rotation vector is the same in the frames before and after.
        let spin = before.orientation.rotate(logarithm(before.orientation, after.orientation)) * per_time;
        motion.q[place] = state.pose;
        motion.v[place] = six(velocity, spin);
        motion.n[place] = six(state.n, state.m);
    }
}

/// Force and torque at the driven end, about it: what the rod receives, what the bodies there need, less what acts on them
/// anyway.
fn record_forces(
    motion: &mut SpaceMotion,
    window: &Window,
    rod: &DrivenRod,
    layer: &SpaceLayer,
) -> Result<(), TaskError> {
    let side = rod.side.other();
    let last = layer.len() - 1;
    for k in 0..motion.instants {
        let j = window.index(k);
        let here = layer.state(j);
        let mut needed = Couple { force: here.n * side.sign(), torque: here.m * side.sign() };
        if j > 0 && j < last {
            let poses = [j - 1, j, j + 1].map(|j| layer.state(j).pose);
            add_bodies(rod, poses, window.dt(), &mut needed);
        }
        let known = rod.known(side, window.grid.time(k), &here.pose);
        let known = known.map_err(|bad| TaskError::pose_function(&rod.rod().name, side, bad))?;
        motion.forces[side.index()][k] = six(needed.force - known.force, needed.torque - known.torque);
    }
    Ok(())
}

/// Adds what the bodies at the driven end need to go through three poses in steps of `dt`: second differences of their mass
/// centres, and differences of their angular momenta.
pub fn add_bodies(rod: &DrivenRod, [before, here, after]: [Pose; 3], dt: f64, needed: &mut Couple) {
    let per_dt = 1.0 / dt;
    for body in rod.bodies(rod.side.other()) {
        let second = before.point(body.arm) - here.point(body.arm) * 2.0 + after.point(body.arm);
        let spin = |a: &Pose, b: &Pose| momentum(a.orientation, b.orientation, &body.inertia, per_dt);
        let rate = (spin(&here, &after) - spin(&before, &here)) * per_dt;
        needed.add(second * (body.mass * per_dt * per_dt), here.orientation.rotate(body.arm), rate);
    }
}
