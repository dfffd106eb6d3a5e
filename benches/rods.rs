//! Rods in motion and at rest, measured by CPU time on one thread: `cargo bench --bench rods`.
//!
//! The swinging rubber rod in plane and space and the 45-degree bend, each at one of the cheapest settings found whose error
//! is at most 1e-3 of the unit of length, beside the time aimed at; then the cost of a step over the number of elements.
//! Times are the least of several runs and include building the equations.
//!
//! Arguments: `scan` measures many settings, and so shows which is the cheapest; `race REPETITIONS` prints one line per case
//! for `benches/peers/rods`: name, setting, error, least and median CPU seconds, with semicolons between.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a failure ends the measurement")]

#[path = "../tests/common/structures.rs"]
mod structures;

use lariat::discretisation::assembly::build;
use lariat::discretisation::equilibrium::Equilibrium;
use lariat::mechanism::Mechanism;
use lariat::mechanism::curve::Curve;
use lariat::solver::PointKind;
use lariat::tasks::simulation::march::{Marcher, StepFailure, initial_state};
use lariat::tasks::statics::{Wanted, branch};
use structures::{circle, clamp, dead_load, empty, end, hinge, rod_of, round, unit_rod, v};

/// Largest error allowed.
const GOAL: f64 = 1e-3;
/// Error left in the solution of each step, 1e-11 unless asked for: without an effect on the errors of the motion. The peers solve
/// their steps to 1e-3, beside a usual 1e-8.
const ACCURACY: f64 = 1e-6;

/// Tip (x, y) of the swinging rod every 0.05 s: another semi-discrete rod, integrated by a Runge-Kutta method of order 4
/// and extrapolated over meshes; estimated errors below 1e-6.
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

/// Elements, their order and the number of steps; a bend has no steps.
type Setting = (usize, usize, usize);

/// Error and CPU seconds of a run.
type Measured = Result<(f64, f64), StepFailure>;

type Run = fn(Setting) -> Measured;

/// Name, cheapest setting, target of CPU milliseconds and what is run.
const CASES: [(&str, Setting, f64, Run); 3] = [
    ("rod in the plane", (8, 2, 440), 20.0, |setting| swing(2, setting)),
    ("rod in space", (8, 2, 400), 150.0, |setting| swing(3, setting)),
    ("bend by 45°", (2, 4, 0), 5.0, bend),
];

fn main() {
    // `cargo bench` adds `--bench`.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["scan"] => scan(),
        ["race", repetitions] => race(repetitions.parse().expect("a number of repetitions")),
        _ => {
            cases(10);
            cost_of_steps(3);
        }
    }
}

/// CPU seconds of this thread.
fn cpu() -> f64 {
    cpu_time::ThreadTime::now().as_duration().as_secs_f64()
}

/// C4 of the reference values: a rubber rod of 1 m and 5 mm radius, hinged, horizontal at rest.
fn swinging_rod(dimension: usize, elements: usize, order: usize) -> Mechanism {
    let mut mechanism = unit_rod(dimension, circle(0.005, 5e6, 0.5, 1100.0), elements, order);
    mechanism.gravity = v(0.0, -9.81, 0.0);
    mechanism.supports.push(hinge(end(0, 0)));
    mechanism
}

fn swing(dimension: usize, (elements, order, steps): Setting) -> Measured {
    let start = cpu();
    let mechanism = swinging_rod(dimension, elements, order);
    let assembly = build(&mechanism);
    let state = initial_state(&mechanism, &assembly, assembly.reference.clone(), 0.0)?;
    let h = 1.0 / steps as f64;
    let mut marcher = Marcher::new(&assembly, state, h).solved_to(ACCURACY);
    let tip = assembly.sections[0].last().expect("a rod has sections").1;
    let mut error = 0.0_f64;
    for step in 1..=steps {
        marcher.advance(h)?;
        if (step * TIPS.len()).is_multiple_of(steps) {
            let (x, y) = TIPS[step * TIPS.len() / steps - 1];
            let at = tip.position(&assembly.layout, &marcher.state().q);
            error = error.max((at[0] - x).hypot(at[1] - y));
        }
    }
    Ok((error, cpu() - start))
}

/// A1 of the reference values: E = 1e7, R = 100, unit square section, GA = 5e6, GJ = G (I₁ + I₂).
fn bend_structure(elements: usize, order: usize) -> Mechanism {
    let arc = Curve::arc(v(0.0, 0.0, 0.0), v(0.0, 1.0, 0.0), v(100.0, 0.0, 0.0), std::f64::consts::FRAC_PI_4, None);
    let mut mechanism = empty(3);
    let section = round(1e7, 5e6, 1e7 / 12.0, 5e6 / 6.0, 1.0, 1.0);
    mechanism.rods.push(rod_of(&arc.expect("an arc"), section, elements, order));
    mechanism.supports.push(clamp(end(0, 0)));
    mechanism.loads.push(dead_load(end(0, elements), [0.0, 0.0, 600.0], [0.0; 3]));
    mechanism
}

fn bend((elements, order, _): Setting) -> Measured {
    let start = cpu();
    let mechanism = bend_structure(elements, order);
    let assembly = build(&mechanism);
    let mut equilibrium = Equilibrium::new(&assembly, 0.0);
    let path = branch(&mut equilibrium, &Wanted::at(&[1.0]), &mut |_| true).expect("the bend is stable");
    let point = path.of_kind(PointKind::Target).next().expect("the whole load is reached");
    let q = equilibrium.configuration(&point.x)?;
    let tip = assembly.sections[0].last().expect("a rod has sections").1.position(&assembly.layout, &q);
    let error = (tip - v(BEND[0], BEND[1], BEND[2])).norm();
    Ok((error, cpu() - start))
}

/// Error, least and median seconds of several runs.
fn several(run: Run, setting: Setting, repetitions: usize) -> [f64; 3] {
    let runs: Vec<(f64, f64)> = (0..repetitions.max(1)).map(|_| run(setting).expect("the setting is tried")).collect();
    let mut seconds: Vec<f64> = runs.iter().map(|run| run.1).collect();
    seconds.sort_by(f64::total_cmp);
    [runs[0].0, seconds[0], seconds[seconds.len() / 2]]
}

fn words((elements, order, steps): Setting) -> String {
    let grid = format!("{elements}x{order}");
    if steps == 0 { grid } else { format!("{grid}x{steps}") }
}

fn sentence((elements, order, steps): Setting) -> String {
    let grid = format!("{elements} elements of order {order}");
    if steps == 0 { grid } else { format!("{grid}, {steps} steps") }
}

fn cases(repetitions: usize) {
    println!("{:<16} {:>10} {:>10} {:>12} {:>10}", "case", "setting", "error", "least time", "target");
    for (name, setting, target, run) in CASES {
        let [error, least, _] = several(run, setting, repetitions);
        assert!(error <= GOAL, "{name}: error {error:.2e}");
        println!("{name:<16} {:>10} {error:>10.2e} {:>9.2} ms {target:>7.0} ms", words(setting), 1e3 * least);
    }
}

fn race(repetitions: usize) {
    for (name, setting, _, run) in CASES {
        let [error, least, median] = several(run, setting, repetitions);
        println!("{name};{};{error:.3e};{least:.6e};{median:.6e}", sentence(setting));
    }
}

/// Time of an element and step: constant as long as the cost is linear in the elements. The last column is its ratio to
/// that of 40 elements, from where on what a step costs whatever its size no longer counts.
fn cost_of_steps(repetitions: usize) {
    const STEPS: usize = 20;
    println!("\n{:>9} {:>8} {:>12} {:>18} {:>10}", "dimension", "elements", "least time", "µs/element/step", "ratio");
    for dimension in [2, 3] {
        // Short steps, so that all meshes need about as many iterations.
        let each = |elements: usize| {
            let least = (0..repetitions).map(|_| stepping(dimension, elements, STEPS)).fold(f64::INFINITY, f64::min);
            (least, 1e6 * least / (elements * STEPS) as f64)
        };
        let reference = each(40).1;
        for elements in [10, 20, 40, 80, 160, 320, 640] {
            let (least, each) = each(elements);
            let ratio = each / reference;
            println!("{dimension:>9} {elements:>8} {:>9.2} ms {each:>18.3} {ratio:>10.2}", 1e3 * least);
        }
    }
}

/// CPU seconds of the first steps of 0.1 ms of the swinging rod, without building it.
fn stepping(dimension: usize, elements: usize, steps: usize) -> f64 {
    let mechanism = swinging_rod(dimension, elements, 1);
    let assembly = build(&mechanism);
    let state = initial_state(&mechanism, &assembly, assembly.reference.clone(), 0.0).expect("the rod rests");
    let h = 1e-4;
    let mut marcher = Marcher::new(&assembly, state, h);
    let start = cpu();
    for _ in 0..steps {
        marcher.advance(h).expect("the motion is gentle");
    }
    cpu() - start
}

fn scan() {
    println!("{:<16} {:>10} {:>10} {:>12}", "case", "setting", "error", "time");
    let show = |name: &str, setting: Setting, run: Run| match run(setting) {
        Ok((error, time)) => println!("{name:<16} {:>10} {error:>10.2e} {:>9.2} ms", words(setting), 1e3 * time),
        Err(failure) => println!("{name:<16} {:>10} {failure}", words(setting)),
    };
    for (name, _, _, run) in &CASES[..2] {
        for (order, counts) in [(1, 32..=80), (2, 7..=12), (3, 4..=8), (4, 3..=6)] {
            for elements in counts.step_by(if order == 1 { 16 } else { 1 }) {
                for steps in (200..=600).step_by(20) {
                    show(name, (elements, order, steps), *run);
                }
            }
        }
    }
    for order in 1..=6 {
        for elements in [1, 2, 3, 4, 6, 8, 12, 16, 24, 32] {
            show(CASES[2].0, (elements, order, 0), bend);
        }
    }
}
