//! Rods cut into elements before time: the index grows with their number.

use super::*;

/// The beam of the gallery with few elements, by the sequential method; `sigma` is its path.
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
stiffness = {{ axial = 1.0, shear = 1.0, bending = 1.0 }}
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
const SMOOTH: &str = "(1 + tanh(3*(t - 3)))/2";

/// Index 2N + 3 for N elements; the seed's path, whose fourth derivative jumps, serves one element only.
#[test]
fn the_index_grows_with_the_elements() {
    for elements in [1, 2, 4] {
        let text = beam(elements, SEED);
        let degree = 2 * elements + 2;
        assert_eq!(structure(&text), (degree + 1, 0, vec![degree; 3], "tangent"), "{elements}");
        if elements > 1 {
            let told = refused(&text, "not-smooth");
            assert!(told.contains("derivative of order 4 jumps") && told.contains("t = 2.000000 s"), "{told}");
            let advised = told.contains("method = \"space-march\" or \"galerkin\"");
            assert_eq!(advised, degree + 1 > 7, "{told}");
        }
    }
    let outcome = solved(&beam(1, SEED));
    assert!(outcome.report.warnings.iter().any(|w| w.contains("the actuation jumps at t = 2.000000 s")));
}

/// With a smooth path the torque approaches that of the continuous beam as elements are added.
#[test]
fn few_elements_follow_a_smooth_path() {
    let peak = |elements: usize| {
        let outcome = outcome(&beam(elements, SMOOTH));
        assert_eq!(outcome.report.status, "solved", "{elements}: {:?}", outcome.report.message);
        outcome.report.scalars["actuation.base.torque.max"]
    };
    let [one, two, four] = [1, 2, 4].map(peak);
    // Masses at the nodes and strains at the middles: errors shrink with the square of the length of an element.
    let ratio = (one - two) / (two - four);
    assert!(ratio > 2.0, "{one} {two} {four}");
}
