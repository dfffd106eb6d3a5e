//! Cost per space-time node of the sweeps, single thread: `cargo bench --bench cost_per_node`.
//!
//! The space march must be linear in the number of nodes over 10⁴ … 10⁷. Times are processor times, the least of several
//! runs; the ratio between sizes is what matters, the nanoseconds depend on the machine.

#![allow(clippy::expect_used)]

use std::sync::Arc;

use cpu_time::ProcessTime;
use lariat::discretisation::TimeGrid;
use lariat::discretisation::march::space::{Piece, SpaceMarch, SpaceState};
use lariat::discretisation::march::{Cut, EndData, march};
use lariat::discretisation::{characteristics, variational::Chain};
use lariat::material::{Law, LawSpec, RodLaw, Section, SectionConstants};
use lariat::models::structure::{Quadrature, RodKind, RodPart};
use lariat::models::{Beam, FlexibleString, Pose, Quaternion, Vector};
use lariat::tasks::{EndDrive, Silent, State, simulate};
use nalgebra::Vector3;

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
    for nodes in [10_000, 1_000_000] {
        forward_simulation(nodes);
    }
}

fn beam() -> Beam {
    let section = SectionConstants { axial: 1.0, shear: 1.0, bending: 1.0, mass: 1.0, rotary: 1.0 };
    Beam::new(Law::build(LawSpec::Logarithmic), section, [0.0, 0.0])
}

/// Times : layers = 6 : 1 as in the quarter turn, steps along s at 0.8 of the step limit.
fn grid(nodes: usize) -> (usize, usize) {
    let layers = ((nodes as f64 / 6.0).sqrt().round() as usize).max(1);
    (layers, nodes / layers)
}

/// A smooth turn of the tip over the middle third.
fn turn(count: usize, dt: f64) -> EndData<3> {
    let mut data = EndData { dt, q: Vec::new(), v: Vec::new(), n: vec![Vector::zeros(); count] };
    for k in 0..count {
        let u = (3.0 * k as f64 / count as f64 - 1.0).clamp(0.0, 1.0);
        let angle = 0.5 * u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
        let rate = 15.0 * u * u * (1.0 - u) * (1.0 - u) * 3.0 / (count as f64 * dt);
        data.q.push(Vector::from([angle.cos(), angle.sin(), angle]));
        data.v.push(Vector::from([-angle.sin() * rate, angle.cos() * rate, rate]));
    }
    data
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
    let data = turn(times, dt);
    let cut = Cut { length: 1.0, elements: layers, substeps: 1, direction: -1.0 };
    report("space-march, plane beam", layers * times, || {
        march(&beam(), &data, cut, None, &mut |_, _| true).expect("the step limit is kept");
    });
}

fn space_march_string(nodes: usize) {
    let (layers, times) = grid(nodes);
    let law = Law::build(LawSpec::Quadratic);
    let string = FlexibleString::<3> { law, axial: 100.0, mass: 0.5, gravity: [0.0, 0.0, -9.81] };
    let plane = turn(times, 1.0 / (2.0 * layers as f64));
    let q = plane.q.iter().map(|q| Vector::from([0.2 * q[2], 0.1 * q[2], 0.0])).collect();
    let n = vec![Vector::from([0.0, 0.0, -9.81]); times];
    let data = EndData { dt: plane.dt, q, v: vec![Vector::zeros(); times], n };
    let cut = Cut { length: 1.0, elements: layers, substeps: 1, direction: -1.0 };
    report("space-march, string in space", layers * times, || {
        march(&string, &data, cut, None, &mut |_, _| true).expect("the step limit is kept");
    });
}

/// A rod with different stiffnesses in all directions; the tip turns about a skew axis.
fn space_march_rod(nodes: usize) {
    let (layers, times) = grid(nodes);
    let section = Section::principal(1.5, [1.0, 1.2], [1.0, 0.8], 0.9, 1.0, [0.7, 0.6, 0.5]);
    let law = RodLaw { axial: Law::build(LawSpec::Logarithmic), stiffening: 0.0 };
    let rod = RodPart {
        name: "rod".into(),
        kind: RodKind::Cosserat,
        length: 1.0,
        elements: layers,
        mesh: Default::default(),
        order: 1,
        quadrature: Quadrature::Midpoint,
        reference: Arc::new(|s| Pose { position: Vector3::new(0.0, 0.0, s), orientation: Quaternion::IDENTITY }),
        section: Arc::new(move |_| section),
        law,
        prestrain: None,
        velocity: None,
    };
    let plane = turn(times, 1.0 / (0.8 * 0.75 * layers as f64));
    let state = |q: &Vector<3>| {
        let orientation = Quaternion::from_rotation_vector(Vector3::new(0.6, 0.8, 0.3) * q[2]);
        let pose = Pose { position: Vector3::new(0.1 * q[1], 0.1 * q[2], 1.0), orientation };
        SpaceState { pose, n: Vector3::zeros(), m: Vector3::zeros() }
    };
    let states: Vec<SpaceState> = plane.q.iter().map(state).collect();
    report("space-march, rod in space", layers * times, || {
        let gravity = Vector3::new(0.0, 0.0, -0.1);
        let instant = |k: usize| k as f64 * plane.dt;
        let mut march = SpaceMarch::new(&states, false, plane.dt, gravity, None, &instant);
        let piece = Piece { span: [1.0, 0.0], substeps: layers };
        march.advance(&rod, &[], piece).expect("the step limit is kept");
    });
}

fn characteristics_beam(nodes: usize) {
    let (layers, times) = grid(nodes);
    let data = turn(times, 1.0 / (0.8 * 0.75 * layers as f64));
    let cut = Cut { length: 1.0, elements: layers, substeps: 1, direction: -1.0 };
    report("characteristics, plane beam", layers * times, || {
        characteristics::integrate(&beam(), &data, cut, &mut |_, _| true).expect("the step limit is kept");
    });
}

fn forward_simulation(nodes: usize) {
    let (elements, steps) = grid(nodes);
    let model = beam();
    let chain = Chain::new(&model, 1.0, elements, [Vector::zeros(); 2], [Vector::zeros(); 2]);
    let grid = TimeGrid::new(0.0, 6.0, steps);
    let q: Vec<_> = (0..=elements).map(|i| Vector::from([i as f64 / elements as f64, 0.0, 0.0])).collect();
    report("forward simulation, beam", elements * steps, || {
        let mut force = |t: f64| [Vector::from([0.0, 0.1 * t.sin(), 0.2 * t.sin()]), Vector::zeros()];
        let drive = EndDrive { force: &mut force, held: [[false; 3]; 2] };
        let state = State { q: q.clone(), v: vec![Vector::zeros(); q.len()] };
        simulate(&chain, grid, state, drive, &mut Silent, &mut |_, _| {}).expect("the motion is gentle");
    });
}
