//! Rods in motion and at rest, measured by CPU time on one thread: `cargo bench --bench rods`.
//!
//! The swinging rubber rod in plane and space, and the 45-degree bend, each at the cheapest setting whose error is at most
//! 1e-3 (metres, and units of length of the bend); then the cost of a step over the number of elements, which must be
//! linear. Times are the least of several runs and include building the equations.
//!
//! Arguments: `scan` measures all settings tried and so shows why those were chosen; `race REPETITIONS` prints one line per
//! case for `benches/peers/rods`: name, setting, error, least seconds, median seconds.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a failure ends the measurement")]

#[path = "../tests/rods/mechanisms.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod mechanisms;

use lariat::discretisation::assembly::build;
use lariat::discretisation::equilibrium::Equilibrium;
use lariat::material::Section;
use lariat::models::curve::Curve;
use lariat::models::structure::Structure;
use lariat::solver::PointKind;
use lariat::tasks::simulation::march::{Marcher, initial_state};
use lariat::tasks::statics::{Wanted, branch};
use mechanisms::{clamp, dead_load, empty, end, rod_of, swinging_rod, v};

/// Largest error allowed.
const GOAL: f64 = 1e-3;

/// Tip (x, y) of the swinging rod every 0.05 s: own semi-discrete rod with RK4 and Richardson extrapolation, estimated
/// errors below 1e-6.
const TIPS: [(f64, f64); 20] = [
    (0.999579568, -0.012265738),
    (0.993597472, -0.048893811),
    (0.976073245, -0.109766593),
    (0.941895795, -0.198113001),
    (0.885161597, -0.309615066),
    (0.797986214, -0.424497624),
    (0.668988053, -0.589097648),
    (0.476230233, -0.841868802),
    (0.103366990, -0.989507118),
    (-0.233117482, -0.919442895),
    (-0.475364858, -0.810314544),
    (-0.655352800, -0.697113351),
    (-0.787118608, -0.600173158),
    (-0.862638524, -0.502102851),
    (-0.916133204, -0.372759380),
    (-0.930965903, -0.285104998),
    (-0.921164128, -0.239781093),
    (-0.913579640, -0.189084160),
    (-0.920643402, -0.145842779),
    (-0.940095111, -0.099102048),
];

/// Tip of the 45-degree bend under 600: shooting with a Runge-Kutta method of order 8, nine digits.
const BEND: [f64; 3] = [15.684800534, 47.150438574, 53.474858792];

/// Elements, their order and the number of steps.
type Setting = (usize, usize, usize);

fn main() {
    // `cargo bench` adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["scan"] => scan(),
        ["one", dimension, elements, order, steps, repetitions] => {
            let n = |s: &str| -> usize { s.parse().unwrap() };
            let (mut error, mut time) = (0.0, f64::INFINITY);
            for _ in 0..n(repetitions) {
                let (e, t) = swing(n(dimension), (n(elements), n(order), n(steps)));
                error = e;
                time = time.min(t);
            }
            println!("{error:.3e} {:.3} ms", 1e3 * time);
        }
        ["bend", elements, order, repetitions] => {
            let n = |s: &str| -> usize { s.parse().unwrap() };
            let (mut error, mut time) = (0.0, f64::INFINITY);
            for _ in 0..n(repetitions) {
                let (e, t) = bend((n(elements), n(order)));
                error = e;
                time = time.min(t);
            }
            println!("{error:.3e} {:.3} ms", 1e3 * time);
        }
        _ => {}
    }
}

/// CPU seconds of this thread.
#[cfg(unix)]
fn cpu() -> f64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// Error and CPU seconds of the swinging rod.
fn swing(dimension: usize, (elements, order, steps): Setting) -> (f64, f64) {
    let start = cpu();
    let structure = swinging_rod(dimension, elements, order);
    let assembly = build(&structure);
    let state = initial_state(&structure, &assembly, assembly.reference.clone(), 0.0).unwrap();
    let h = 1.0 / steps as f64;
    let mut marcher = Marcher::new(&assembly, state, h);
    let tip = assembly.sections[0].last().unwrap().1;
    let mut error = 0.0_f64;
    for step in 1..=steps {
        if let Err(failure) = marcher.advance(h) {
            eprintln!("{failure}");
            return (f64::NAN, f64::NAN);
        }
        if (step * 20) % steps == 0 {
            let (x, y) = TIPS[step * 20 / steps - 1];
            let at = tip.position(&assembly.layout, &marcher.state().q);
            error = error.max((at[0] - x).hypot(at[1] - y));
        }
    }
    eprintln!("iterations {}", marcher.iterations);
    (error, cpu() - start)
}

/// A1: E = 1e7, R = 100, unit square section, GJ = G (I₁ + I₂).
fn bend_structure(elements: usize, order: usize) -> Structure {
    let (e, i) = (1e7, 1.0 / 12.0);
    let section = Section::principal(e, [0.5 * e; 2], [e * i; 2], 0.5 * e * 2.0 * i, 1.0, [1.0; 3]);
    let arc =
        Curve::arc(v(0.0, 0.0, 0.0), v(0.0, 1.0, 0.0), v(100.0, 0.0, 0.0), std::f64::consts::FRAC_PI_4, None).unwrap();
    let mut structure = empty(3);
    structure.rods.push(rod_of(arc, section, elements, order));
    structure.supports.push(clamp(end(0, 0)));
    structure.loads.push(dead_load(end(0, elements), [0.0, 0.0, 600.0], [0.0; 3]));
    structure
}

fn bend((elements, order): (usize, usize)) -> (f64, f64) {
    let start = cpu();
    let structure = bend_structure(elements, order);
    let assembly = build(&structure);
    let mut equilibrium = Equilibrium::new(&assembly, 0.0);
    let mut points = 0;
    let mut iterations = 0;
    let path = branch(&mut equilibrium, &Wanted::at(&[1.0]), &mut |p| {
        points += 1;
        iterations += p.iterations;
        true
    })
    .unwrap();
    let point = path.of_kind(PointKind::Target).next().unwrap();
    let q = equilibrium.configuration(&point.x).unwrap();
    let tip = assembly.sections[0].last().unwrap().1.position(&assembly.layout, &q);
    let time = cpu() - start;
    eprintln!("points {points} iterations {iterations} rejected {}", path.rejected);
    ((tip - v(BEND[0], BEND[1], BEND[2])).norm(), time)
}

fn scan() {
    for dimension in [2, 3] {
        for order in 1..=4 {
            for nodes in [8, 12, 16, 20, 24, 32, 40, 48, 64] {
                if nodes % order != 0 {
                    continue;
                }
                for steps in [40, 60, 80, 100, 120, 160, 200, 240, 300, 400, 500, 800] {
                    let setting = (nodes / order, order, steps);
                    let (error, time) = swing(dimension, setting);
                    println!("{dimension} {} x {order} x {steps} {error:.3e} {:.3}", nodes / order, 1e3 * time);
                }
            }
        }
    }
    for order in 1..=4 {
        for elements in [1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 80] {
            let (error, time) = bend((elements, order));
            println!("bend {elements} x {order} {error:.3e} {:.3}", 1e3 * time);
        }
    }
}
