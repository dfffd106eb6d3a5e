//! Cost per space-time node of the sweeps, single thread: `cargo bench --bench cost_per_node`.
//!
//! The space march must be linear in the number of nodes over 10⁴ … 10⁷. Times are processor times, the least of several
//! runs; the ratio between sizes is what matters, the nanoseconds depend on the machine.

#![allow(clippy::expect_used)]

use std::sync::Arc;

use cpu_time::ProcessTime;
use lariat::discretisation::march::space::{Characteristics, Piece, PlaneMarch, SpaceMarch, SpaceState};
use lariat::material::{Law, LawSpec, RodLaw, Section};
use lariat::mechanism::{Pose, Quadrature, Quaternion, RodKind, RodLoads, RodPart};
use lariat::terms::plane_orientation;
use nalgebra::{Vector3, Vector6};

fn main() {
    // Characteristics use a thread pool; one thread makes the numbers comparable.
    if rayon::ThreadPoolBuilder::new().num_threads(1).build_global().is_err() {
        eprintln!("the thread pool exists already: characteristics are timed on all cores");
    }
    println!("{:<28} {:>9} {:>12} {:>9}", "sweep", "nodes", "least time", "ns/node");
    for nodes in [10_000, 100_000, 1_000_000, 10_000_000] {
        space_march_beam(nodes);
    }
    for nodes in [10_000, 1_000_000] {
        space_march_string(nodes);
    }
    for nodes in [10_000, 100_000, 1_000_000, 10_000_000] {
        space_march_rod(nodes);
    }
    for nodes in [10_000, 1_000_000] {
        characteristics_beam(nodes);
    }
}

/// A straight rod of unit length, unstressed along z, or along x in the plane.
fn rod(kind: RodKind, section: Section, law: LawSpec, layers: usize, plane: bool) -> RodPart {
    let orientation = if plane { plane_orientation(0.0) } else { Quaternion::IDENTITY };
    RodPart {
        name: "rod".into(),
        kind,
        length: 1.0,
        elements: layers,
        mesh: Default::default(),
        order: 1,
        quadrature: Quadrature::Midpoint,
        reference: Arc::new(move |s| Pose { position: orientation.rotate(Vector3::z() * s), orientation }),
        section: Arc::new(move |_| section),
        law: RodLaw { axial: Law::build(law), stiffening: 0.0 },
        prestrain: None,
        velocity: None,
    }
}

fn beam(layers: usize) -> RodPart {
    let section = Section::principal(1.0, [1.0, 1.0], [1.0, 1.0], 1.0, 1.0, [1.0, 1.0, 1.0]);
    rod(RodKind::Cosserat, section, LawSpec::Logarithmic, layers, true)
}

/// Times : layers = 6 : 1 as in the quarter turn, steps along s at 0.8 of the step limit.
fn grid(nodes: usize) -> (usize, usize) {
    let layers = ((nodes as f64 / 6.0).sqrt().round() as usize).max(1);
    (layers, nodes / layers)
}

/// A smooth turn of the tip over the middle third: angles, and their rates.
fn turn(count: usize, dt: f64) -> Vec<[f64; 2]> {
    let at = |k: usize| {
        let u = (3.0 * k as f64 / count as f64 - 1.0).clamp(0.0, 1.0);
        let rate = 15.0 * u * u * (1.0 - u) * (1.0 - u) * 3.0 / (count as f64 * dt);
        [0.5 * u * u * u * (10.0 - 15.0 * u + 6.0 * u * u), rate]
    };
    (0..count).map(at).collect()
}

/// The tip of a beam on a circle, without forces, and its velocities.
fn circle(times: usize, dt: f64) -> (Vec<SpaceState>, Vec<Vector6<f64>>) {
    let state = |[angle, rate]: &[f64; 2]| {
        let (sin, cos) = angle.sin_cos();
        let pose = Pose { position: Vector3::new(cos, sin, 0.0), orientation: plane_orientation(*angle) };
        let velocity = Vector6::new(-sin * rate, cos * rate, 0.0, 0.0, 0.0, *rate);
        (SpaceState { pose, n: Vector3::zeros(), m: Vector3::zeros() }, velocity)
    };
    turn(times, dt).iter().map(state).unzip()
}

fn report(name: &str, nodes: usize, mut run: impl FnMut()) {
    let repetitions = (20_000_000 / nodes).clamp(3, 50);
    let least = (0..repetitions)
        .map(|_| {
            let clock = ProcessTime::now();
            run();
            clock.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    println!("{name:<28} {nodes:>9} {:>9.3} ms {:>9.1}", 1e3 * least, 1e9 * least / nodes as f64);
}

fn space_march_beam(nodes: usize) {
    let (layers, times) = grid(nodes);
    let dt = 1.0 / (0.8 * 0.75 * layers as f64);
    let ((states, _), rod) = (circle(times, dt), beam(layers));
    report("space-march, plane beam", layers * times, || {
        let instant = |k: usize| k as f64 * dt;
        let mut march = PlaneMarch::new(&states, dt, Vector3::zeros(), None, &instant);
        march
            .advance(&rod, &RodLoads::default(), Piece { span: [1.0, 0.0], substeps: layers })
            .expect("the step limit is kept");
    });
}

fn space_march_string(nodes: usize) {
    let (layers, times) = grid(nodes);
    let section = Section::principal(100.0, [0.0, 0.0], [0.0, 0.0], 0.0, 0.5, [0.0, 0.0, 0.0]);
    let rod = rod(RodKind::String, section, LawSpec::Quadratic, layers, false);
    let dt = 1.0 / (2.0 * layers as f64);
    let state = |[angle, _]: &[f64; 2]| {
        let position = Vector3::new(0.2 * angle, 0.1 * angle, 0.0);
        let pose = Pose { position, orientation: Quaternion::IDENTITY };
        SpaceState { pose, n: Vector3::new(0.0, 0.0, -9.81), m: Vector3::zeros() }
    };
    let states: Vec<SpaceState> = turn(times, dt).iter().map(state).collect();
    report("space-march, string in space", layers * times, || {
        let instant = |k: usize| k as f64 * dt;
        let mut march = SpaceMarch::new(&states, false, dt, Vector3::new(0.0, 0.0, -9.81), None, &instant);
        march
            .advance(&rod, &RodLoads::default(), Piece { span: [1.0, 0.0], substeps: layers })
            .expect("the step limit is kept");
    });
}

/// A rod with different stiffnesses in all directions; the tip turns about a skew axis.
fn space_march_rod(nodes: usize) {
    let (layers, times) = grid(nodes);
    let section = Section::principal(1.5, [1.0, 1.2], [1.0, 0.8], 0.9, 1.0, [0.7, 0.6, 0.5]);
    let rod = rod(RodKind::Cosserat, section, LawSpec::Logarithmic, layers, false);
    let dt = 1.0 / (0.8 * 0.75 * layers as f64);
    let state = |[angle, _]: &[f64; 2]| {
        let orientation = Quaternion::from_rotation_vector(Vector3::new(0.6, 0.8, 0.3) * *angle);
        let pose = Pose { position: Vector3::new(0.1 * angle.sin(), 0.1 * angle, 1.0), orientation };
        SpaceState { pose, n: Vector3::zeros(), m: Vector3::zeros() }
    };
    let states: Vec<SpaceState> = turn(times, dt).iter().map(state).collect();
    report("space-march, rod in space", layers * times, || {
        let gravity = Vector3::new(0.0, 0.0, -0.1);
        let instant = |k: usize| k as f64 * dt;
        let mut march = SpaceMarch::new(&states, false, dt, gravity, None, &instant);
        march
            .advance(&rod, &RodLoads::default(), Piece { span: [1.0, 0.0], substeps: layers })
            .expect("the step limit is kept");
    });
}

fn characteristics_beam(nodes: usize) {
    let (layers, times) = grid(nodes);
    let dt = 1.0 / (0.8 * 0.75 * layers as f64);
    let ((states, velocities), rod) = (circle(times, dt), beam(layers));
    report("characteristics, plane beam", layers * times, || {
        let instant = |k: usize| k as f64 * dt;
        let components = [0, 2, 4];
        let mut march = Characteristics::new(&states, &velocities, components, dt, Vector3::zeros(), &instant);
        march
            .advance(&rod, &RodLoads::default(), Piece { span: [1.0, 0.0], substeps: layers })
            .expect("the step limit is kept");
    });
}
