//! A chain that is pinned on the axis and held straight by its own centrifugal force alone.

use lariat::material::Section;
use lariat::mechanism::{Mechanism, RodKind};

use crate::solve::{frequencies, spinning};
use crate::structures::*;

/// A chain of 2 m along x, with an EA that stretches it by about 1e-5.
fn chain(elements: usize, rate: f64) -> Mechanism {
    let mut mechanism = empty(3);
    let mass = 0.7;
    let axial = mass * (rate * 2.0_f64).powi(2) * 1e5;
    let section = Section::principal(axial, [1.0; 2], [1.0; 2], 1.0, mass, [0.0; 3]);
    let mut rod = straight(v(0.0, 0.0, 0.0), v(2.0, 0.0, 0.0), section, elements, 1);
    rod.kind = RodKind::String;
    mechanism.rods.push(rod);
    mechanism.supports.push(hinge(end(0, 0)));
    spinning(mechanism, rate)
}

/// The tension is ½ρAΩ²(L² − x²), and shapes are Legendre's polynomials of odd degree n = 2k − 1: ω² = ½n(n + 1) Ω² = k(2k − 1) Ω²
/// out of the plane of rotation, Ω² less in it. The error of two-node elements falls with the square of their length; what
/// is left after extrapolation is mostly the stretch.
#[test]
fn frequencies_are_those_of_legendre() {
    let rate = 3.0;
    // In the plane k = 1 is the rotation itself, without frequency.
    let wanted: Vec<f64> = [0.0_f64, 1.0, 5.0, 6.0, 14.0, 15.0].map(|square| square.sqrt() * rate).into();
    let [coarse, middle, fine] = [16, 32, 64].map(|elements| frequencies(&chain(elements, rate), wanted.len()));
    assert_eq!((coarse[0], middle[0], fine[0]), (0.0, 0.0, 0.0));
    for k in 1..wanted.len() {
        let error = |found: &[f64]| (found[k] / wanted[k] - 1.0).abs();
        // Rigid motions of the chain are exact on any mesh.
        if error(&coarse) < 5e-5 {
            assert!(error(&fine) < 5e-5, "mode {}: {:.1e}", k + 1, error(&fine));
            continue;
        }
        let order = (error(&coarse) / error(&middle)).log2();
        assert!((order - 2.0).abs() < 0.2, "mode {}: order {order}", k + 1);
        let limit = (4.0 * fine[k] - middle[k]) / 3.0;
        assert!((limit / wanted[k] - 1.0).abs() < 5e-5, "mode {}: {limit} instead of {}", k + 1, wanted[k]);
    }
}

/// The rate is the only frequency there is: all are proportional to it.
#[test]
fn frequencies_scale_with_the_rate() {
    let [slow, fast] = [0.1, 20.0].map(|rate| frequencies(&chain(8, rate), 6).into_iter().map(move |w| w / rate));
    for (slow, fast) in slow.zip(fast) {
        assert!((slow - fast).abs() < 1e-7 * fast.max(1.0), "{slow} {fast}");
    }
}
