//! The task of simulation as a whole: adaptive steps, books of energy, and failures in words.

use lariat::discretisation::TimeGrid;
use lariat::discretisation::assembly::build;
use lariat::geometry::Quaternion;
use lariat::mechanism::{Frame, JointKind, Mechanism};
use lariat::results::Outcome;
use lariat::tasks::simulation::march::{Marcher, StepFailure};
use lariat::tasks::{ForwardSystem, Silent, SimulateSpec, simulation};

use crate::marching::*;
use crate::mechanisms::*;

pub fn simulate(mechanism: Mechanism, frames: Vec<(String, Frame)>, grid: TimeGrid, tolerance: Option<f64>) -> Outcome {
    let system = ForwardSystem {
        title: String::new(),
        mechanism,
        histories: lariat::tasks::Histories::default(),
        time: Some(grid),
        frames,
        expect: Vec::new(),
    };
    simulation::run(&system, &SimulateSpec { tolerance, ..SimulateSpec::default() }, &mut Silent)
}

/// On the swinging rod of C4 the error after 0.6 s falls with the tolerance of a step: measured 9e-5, 2e-5, 4e-6 m.
#[test]
fn adaptive_steps_keep_their_tolerance() {
    let exact = sampled(&swinging_rod(2, 0.005, 8, 1), 0.6, 9600, &[0.6], |marcher| tip(marcher, 0))[0];
    let mut steps_before = 0.0;
    for tolerance in [1e-4, 1e-5, 1e-6] {
        let frames = vec![("rod.end".to_owned(), end(0, 8))];
        let outcome = simulate(swinging_rod(2, 0.005, 8, 1), frames, TimeGrid::new(0.0, 0.6, 6), Some(tolerance));
        assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
        let last = |c: &str| *outcome.motion.column(&format!("rod.end.{c}")).unwrap().last().unwrap();
        let error = (v(last("x"), last("y"), 0.0) - exact).norm();
        assert!(error < 5.0 * tolerance, "error {error:.1e} at tolerance {tolerance:.0e}");
        let steps = outcome.report.grid["adaptive_steps"];
        // Local errors are of third order: ten times the accuracy takes 10^(1/3) times the steps.
        assert!(steps > 1.8 * steps_before, "{steps} steps at tolerance {tolerance:.0e}, {steps_before} before");
        steps_before = steps;
    }
}

/// D2 sped up a hundredfold, Ω₀ = (100, 0, 100): one step of a whole period would turn it many times. A tolerance finds
/// the steps, with tenfold accuracy for a thousandth of it, as global errors are of second order.
#[test]
fn spinning_start_takes_small_steps() {
    let mut mechanism = empty(3);
    let mut free = body("body", 1.0, [1.0, 2.0, 3.0], v(0.0, 0.0, 0.0));
    free.spin = v(100.0, 0.0, 100.0);
    mechanism.bodies.push(free);
    let frames = vec![("body".to_owned(), Frame::Body(0))];
    let grid = TimeGrid::new(0.0, 0.06, 1);
    let whole = simulate(mechanism.clone(), frames.clone(), grid, None);
    assert_eq!(whole.report.status, "step-failed");
    let message = whole.report.message.unwrap();
    assert!(message.contains("body") && message.contains("half a turn"), "{message}");
    let exact = sampled(&mechanism, 0.06, 6000, &[0.06], orientation)[0];
    for (tolerance, within) in [(1e-4, 2e-2), (1e-6, 1e-3)] {
        let outcome = simulate(mechanism.clone(), frames.clone(), grid, Some(tolerance));
        assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
        assert!(outcome.report.grid["largest_step"] < 2e-3, "{:?}", outcome.report.grid);
        let last = |c: &str| *outcome.motion.column(&format!("body.turn_{c}")).unwrap().last().unwrap();
        let found = Quaternion::from_rotation_vector(v(last("x"), last("y"), last("z")));
        let off = (found.conjugate() * exact).rotation_vector().norm();
        assert!(off < within, "off by {off:.1e} rad at tolerance {tolerance:.0e}");
    }
}

fn orientation(marcher: &Marcher) -> Quaternion {
    marcher.assembly().bodies[0].pose(&marcher.assembly().layout, &marcher.state().q).orientation
}

/// The books of a run: the work of a load is the change of energy, and both are told.
#[test]
fn work_is_told() {
    let mut mechanism = empty(2);
    mechanism.rods.push(straight(v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), square_rubber(0.02), 4, 2));
    mechanism.supports.push(clamp(end(0, 0)));
    let force = [of_time("0"), of_time("0.02*sin(3*t)"), of_time("0")];
    mechanism.loads.push(load(end(0, 4), force, constant([0.0; 3])));
    let frames = vec![("rod.end".to_owned(), end(0, 4))];
    let outcome = simulate(mechanism, frames, TimeGrid::new(0.0, 2.0, 1000), None);
    let books = outcome.report.energy.unwrap();
    assert!(books.actuator_work > 1e-3, "{books:?}");
    assert!((books.energy_change / books.actuator_work - 1.0).abs() < 1e-3, "{books:?}");
    assert!(books.max_imbalance < 1e-3 * books.peak, "{books:?}");
}

/// A step far too long ends in words that name a place, never in numbers that are none.
#[test]
fn too_long_a_step_is_refused_in_words() {
    for dimension in [2, 3] {
        for h in [0.05, 0.2, 1.0] {
            let mechanism = swinging_rod(dimension, 0.005, 8, 2);
            let assembly = build(&mechanism);
            let mut marcher = start(&mechanism, &assembly, h);
            let failure = (0..20).find_map(|_| marcher.advance(h).err());
            assert!(marcher.state().q.iter().chain(&marcher.state().momentum).all(|x| x.is_finite()));
            let Some(StepFailure::NotConverged { t, end, reason }) = failure else {
                panic!("{dimension}D, h = {h}: {failure:?}");
            };
            assert!((end - t - h).abs() < 1e-12 && t == marcher.state().t, "from {t} to {end}");
            assert!(reason.contains("rod"), "{reason}");
        }
    }
}

/// What the equations leave open is named.
#[test]
fn undetermined_parts_are_named() {
    let status = |mechanism: Mechanism, frame: &str| {
        let frames = vec![(frame.to_owned(), Frame::Body(0))];
        let outcome = simulate(mechanism, frames, TimeGrid::new(0.0, 0.1, 10), None);
        assert!(outcome.motion.columns.iter().all(|(_, column)| column.iter().all(|x| x.is_finite())));
        (outcome.report.status, outcome.report.message.unwrap_or_default())
    };
    let mut massless = swinging_rod(2, 0.01, 4, 1);
    massless.bodies.push(body("ghost", 0.0, [0.0; 3], v(3.0, 0.0, 0.0)));
    let (word, message) = status(massless, "ghost");
    assert!(word == "singular" && message.contains("ghost") && message.contains("massless"), "{word}: {message}");

    // A point mass on a link in space: nothing resists a turn about the link.
    let mut hung = empty(3);
    hung.gravity = v(0.0, 0.0, -9.81);
    hung.bodies.push(body("bob", 1.0, [0.0; 3], v(1.0, 0.0, 0.0)));
    let pivot = joint("pivot", [Frame::Ground, Frame::Body(0)], v(0.0, 0.0, 0.0), JointKind::Spherical);
    hung.joints.push(pivot.clone());
    let (word, message) = status(hung.clone(), "bob");
    assert!(word == "singular" && message.contains("bob"), "{word}: {message}");

    // The same joint twice is one joint, with a word about it.
    hung.bodies[0] = body("bob", 1.0, [1.0; 3], v(1.0, 0.0, 0.0));
    hung.joints.push(pivot);
    let frames = vec![("bob".to_owned(), Frame::Body(0))];
    let report = simulate(hung, frames, TimeGrid::new(0.0, 0.1, 10), None).report;
    assert_eq!(report.status, "solved", "{:?}", report.message);
    assert!(report.warnings.iter().any(|warning| warning.contains("joint `pivot` along x")), "{:?}", report.warnings);
}
