//! What every sample of every open folder must satisfy: hand-written derivatives against automatic ones at random states, inverse
//! laws, invariance under rigid motion, balance of forces and moments, round trips of what files say. New samples are tested without
//! a new test.

#![allow(clippy::unwrap_used, clippy::panic)]

mod drag;
mod ropes;
mod samples;
mod terms;
mod works;

use lariat::kernel::derivative::second_order;
use lariat::material::{AxialLaw, Law, MaterialSpec, SectionConstants, Shape};

#[path = "../common/random.rs"]
mod random;

use random::Random;

#[test]
fn laws_are_consistent() {
    let mut random = Random(1);
    for law in Law::samples() {
        // Stress-free at rest, with stiffness EA.
        assert_eq!(law.force(3.0, 1.0), 0.0);
        assert!((law.tangent(3.0, 1.0) - 3.0).abs() < 1e-14);
        assert_eq!(law.energy(3.0, 1.0_f64), 0.0);
        for _ in 0..100 {
            let (ea, stretch) = (2.0 + random.next(), 1.5 + 1.3 * random.next());
            let (_, gradient, hessian) = second_order(|[nu]| law.energy(ea, nu), [stretch]);
            assert!((law.force(ea, stretch) - gradient[0]).abs() < 1e-12, "{law:?}");
            assert!((law.tangent(ea, stretch) - hessian[(0, 0)]).abs() < 1e-12, "{law:?}");
            assert!((law.stretch(ea, law.force(ea, stretch)) - stretch).abs() < 1e-12, "{law:?}");
        }
        // Deep compression keeps its digits.
        let force = law.force(1.0, 1e-5);
        assert!((law.stretch(1.0, force) / 1e-5 - 1.0).abs() < 1e-6, "{law:?}");
    }
}

/// What a problem file says survives a round trip through its data types.
#[test]
fn specs_round_trip() {
    for (name, text) in lariat::problem::gallery() {
        let (spec, _) = lariat::problem::read(name, text, &[]).unwrap();
        let again: lariat::problem::ProblemSpec = toml::from_str(&toml::to_string(&spec).unwrap()).unwrap();
        assert_eq!(spec, again, "{name}");
    }
    let shape = Shape::Rectangle { width: 0.1, height: 0.2 };
    let made = SectionConstants::of_shape(&shape, &MaterialSpec { youngs: 1.0, poisson: 0.0, density: 1.0 });
    // A = 0.02, I = 0.1 · 0.2³/12.
    assert!((made.axial - 0.02).abs() < 1e-15 && (made.rotary - 0.1 * 0.008 / 12.0).abs() < 1e-18);
}
