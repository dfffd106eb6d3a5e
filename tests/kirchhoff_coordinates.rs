//! The three coordinate sets of the example `kirchhoff_coordinates` describe one motion, which is that of the program.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../examples/kirchhoff_coordinates/coordinates.rs"]
mod coordinates;
#[path = "../examples/kirchhoff_coordinates/elimination.rs"]
mod elimination;
#[path = "../examples/kirchhoff_coordinates/rod.rs"]
mod rod;

use coordinates::{Absolute, Formulation, Joint, Mixed, integrate};
use lariat::problem::{Question, load};
use lariat::tasks::{Silent, simulation};
use rod::Rod;

/// Tip after `end` seconds, energy gained, and violation of the constraints.
fn fall(of: &mut dyn Formulation, rod: &Rod, end: f64, steps: usize) -> ([f64; 2], f64, f64) {
    let [p, v] = of.absolute(&of.start());
    let first = rod.energy(&p, &v);
    let last = integrate(of, end, steps, |_| {}).unwrap();
    let [p, v] = of.absolute(&last);
    (rod.x(&p, rod.segments), rod.energy(&p, &v) - first, rod.violation(&p))
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// Joint and mixed coordinates integrate the same equations, so they agree to rounding; the absolute ones agree to the
/// fourth order of the integrator, by which they also leave their constraints.
#[test]
fn all_coordinates_give_the_same_motion() {
    let rod = Rod::rubber(10);
    let mut apart = Vec::new();
    for steps in [400, 800] {
        let (absolute, _, off) = fall(&mut Absolute::new(rod), &rod, 0.4, steps);
        let (joint, gained, still_off) = fall(&mut Joint::new(rod), &rod, 0.4, steps);
        let mut of = Mixed::new(rod);
        let (mixed, ..) = fall(&mut of, &rod, 0.4, steps);
        assert!(distance(joint, mixed) < 1e-12, "{joint:?} {mixed:?}");
        // η vanishes in exact arithmetic; forces are of the size of the weight, 0.85 N.
        assert!(of.artificial < 1e-10, "{}", of.artificial);
        assert!(joint[1] < -0.5, "the rod has fallen: {joint:?}");
        // Energies are of the size of the weight times the fall.
        assert!(gained.abs() < 1e-4 && still_off < 1e-14, "{gained:.1e} {still_off:.1e}");
        apart.push((distance(absolute, joint), off, gained.abs()));
    }
    let [(far, off, gained), (near, less_off, less_gained)] = apart[..] else { panic!() };
    assert!(near < 1e-6, "{near:.1e}");
    // Fourth order: 16 times less with half the step, measured 13 to 20.
    for (coarse, fine) in [(far, near), (off, less_off), (gained, less_gained)] {
        assert!((10.0..24.0).contains(&(coarse / fine)), "{coarse:.1e} {fine:.1e}");
    }
}

/// Bandwidths: 6 as published by Lang, Laube and Leyendecker for absolute coordinates; for mixed ones 16 there, but the
/// best order within segments has 10. Work grows linearly with band matrices, with the cube for the full one.
#[test]
fn bandwidths_and_work_are_those_of_the_study() {
    let mut works = Vec::new();
    for segments in [12, 24] {
        let rod = Rod::rubber(segments);
        let all: [Box<dyn Formulation>; 3] =
            [Box::new(Absolute::new(rod)), Box::new(Joint::new(rod)), Box::new(Mixed::new(rod))];
        let expected = [(6 * segments, Some(6)), (2 * segments, None), (10 * segments, Some(10))];
        for (mut of, expected) in all.into_iter().zip(expected) {
            assert_eq!(of.sizes(), expected);
            let y = of.start();
            let mut rate = vec![0.0; y.len()];
            assert!(of.rate(&y, &mut rate));
            works.push(of.work() as f64);
        }
    }
    let growth: Vec<f64> = (0..3).map(|k| works[3 + k] / works[k]).collect();
    assert!(growth[0] < 2.3 && growth[2] < 2.3, "{growth:?}");
    assert!(growth[1] > 5.0, "{growth:?}");
}

/// The rod of problem files has its angles at the nodes, this one along the segments: both tend to the same motion, and
/// to each other with the square of the length of the segments.
#[test]
fn the_motion_is_that_of_the_program() {
    let apart = [16, 32, 64].map(|segments| {
        let text = format!(
            "dimension = 2\ngravity = [0.0, -9.81]\n[time]\nend = 0.1\nsteps = 1600\n[rod.r]\nmodel = \"kirchhoff\"\n\
             from = [0.0, 0.0]\nto = [1.0, 0.0]\nelements = {segments}\nsection.circle = {{ radius = 0.005 }}\n\
             material = {{ youngs = 5e6, poisson = 0.5, density = 1100.0 }}\n[support.s]\nat = \"r.start\"\n\
             type = \"clamp\"\n[task.simulate]\n"
        );
        let problem = load("rod", &text, &[]).unwrap_or_else(|found| panic!("{found}"));
        let Question::Simulate(system, spec) = &problem.question else { panic!() };
        let outcome = simulation::run(system, spec, &mut Silent);
        assert_eq!(outcome.report.status, "solved", "{:?}", outcome.report.message);
        let tip = ["x", "y"].map(|c| outcome.report.scalars[&format!("motion.r.end.{c}.final")]);
        let rod = Rod::rubber(segments);
        let (other, ..) = fall(&mut Absolute::new(rod), &rod, 0.1, 20 * segments);
        distance(tip, other)
    });
    println!("{apart:?}");
    assert!(apart[2] < 1e-3, "{apart:?}");
    for pair in apart.windows(2) {
        assert!((3.0..5.5).contains(&(pair[0] / pair[1])), "{apart:?}");
    }
}
