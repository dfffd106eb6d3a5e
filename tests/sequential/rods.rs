//! Rods cut into elements before time: the index grows with their number.

use super::*;

/// The beam of the gallery, a hundred times stiffer, with few elements by the sequential method; `sigma` is its path.
fn beam(elements: usize, sigma: &str) -> String {
    format!(
        r#"
dimension = 2
[time]
end = 6.0
steps = 120
[let]
sigma = "{sigma}"
[rod.beam]
model = "beam"
from = [0.0, 0.0]
to = [1.0, 0.0]
elements = {elements}
stiffness = {{ axial = 100.0, shear = 100.0, bending = 100.0 }}
inertia = {{ mass = 1.0, rotary = 1.0 }}
law = "logarithmic"
[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "torque"]
[servo.tip]
at = "beam.end"
x = "cos(pi/2*sigma)"
y = "sin(pi/2*sigma)"
angle = "pi/2*sigma"
[task.inverse-dynamics]
method = "sequential"
"#
    )
}

const SEED: &str = "1 - (cos(pi/2*(sin(pi*clamp((t - 2)/2, 0, 1) - pi/2) + 1)) + 1)/2";
/// A step with derivatives of every order.
const SMOOTH: &str = "(1 + tanh(2*(t - 3)))/2";

/// Index 2N + 3 for N elements; the seed's path, whose fourth derivative jumps, serves one element only.
#[test]
fn the_index_grows_with_the_elements() {
    for elements in [1, 2, 4] {
        let text = beam(elements, SEED);
        let degree = 2 * elements + 2;
        assert_eq!(mechanism(&text), (degree + 1, 0, vec![degree; 3], "tangent"), "{elements}");
        if elements > 1 {
            let told = refused(&text, "not-smooth");
            assert!(told.contains("derivative of order 4 jumps") && told.contains("t = 2.000000 s"), "{told}");
            let advised = told.contains("method = \"space-march\" or \"galerkin\"");
            assert_eq!(advised, degree + 1 > 7, "{told}");
        }
    }
    let outcome = outcome(&beam(1, SEED));
    assert_eq!(outcome.report.status, "not-verified", "one element is coarse");
    assert!(outcome.report.warnings.iter().any(|w| w.contains("the actuation jumps at t = 2.000000 s")));
}

/// With a smooth path the torque approaches that of the continuous beam as elements are added. So few elements miss the path of
/// the finer mesh by more than is allowed, ever less.
#[test]
fn few_elements_follow_a_smooth_path() {
    let peak = |elements: usize| {
        let outcome = outcome(&beam(elements, SMOOTH));
        assert_eq!(outcome.report.status, "not-verified", "{elements}: {:?}", outcome.report.message);
        let missed = outcome.report.verification.as_ref().unwrap().max_error["tip.angle"];
        (outcome.report.scalars["actuation.base.torque.max"], missed)
    };
    let [(one, first), (two, second), (four, third)] = [1, 2, 4].map(peak);
    assert!(((first / second).log2() - 2.0).abs() < 0.1 && ((second / third).log2() - 2.0).abs() < 0.1, "{third}");
    // Masses at the nodes and strains at the middles: errors shrink with the square of the length of an element.
    let order = ((one - two) / (two - four)).log2();
    assert!((order - 2.0).abs() < 0.2, "{one} {two} {four}");
    // Extrapolated it is the torque of the continuous beam, which space-march finds on 60 elements and 1200 steps.
    let continuous = 3.137601;
    assert!((four - (two - four) / 3.0 - continuous).abs() < 2e-3 * continuous, "{one} {two} {four}");
}
