//! A pendulum on a rope that is hauled in, and a heavy rope over a smooth peg.

use super::{outcome, scalar, solved};

const PENDULUM: &str = r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 4.0
steps = 1600
[let]
axial = 1e6
mass = 1e-6
[rod.rope]
model = "string"
from = [0.0, 0.0]
to = [0.5910404133226791, -1.910672978251212]
elements = 1
stiffness = { axial = "axial" }
inertia = { mass = "mass" }
[body.bob]
mass = 1.0
[joint.hook]
between = ["rope.end", "bob"]
type = "rigid"
[winch.hoist]
rope = "rope"
at = "ground"
length = "2 - 0.6*rest(t, 0.5, 2.5, 4)"
[task.simulate]
"#;

/// θ at 1, 2, 3 and 4 s of l = 2 − 0.6 rest(t, 0.5, 2.5, 4), θ(0) = 0.3, from an independent integration to eight digits.
const ANGLES: [f64; 4] = [-0.18019576, -0.03071015, 0.21587700, -0.33818306];

/// Largest deviation from them.
fn off(settings: &[&str]) -> f64 {
    let found = solved(PENDULUM, settings);
    let column = |name: &str| found.motion.column(name).unwrap();
    let (x, y) = (column("bob.x"), column("bob.y"));
    let steps = found.motion.t.len() - 1;
    let angle = |k: usize| x[k * steps / 4].atan2(-y[k * steps / 4]);
    ANGLES.iter().enumerate().map(|(k, wanted)| (angle(k + 1) - wanted).abs()).fold(0.0, f64::max)
}

#[test]
fn hoisted_pendulum_is_that_of_a_light_stiff_rope() {
    assert!(off(&["let.axial=1e7", "time.steps=6400"]) < 3e-6);
    // The deviation is that of the compliance, 1/EA, and of the mass of the rope, each of order one.
    let soft = ["let.axial=1e4", "let.axial=1e5"].map(|axial| off(&[axial, "time.steps=6400"]));
    assert!((soft[0] / soft[1] / 10.0 - 1.0).abs() < 0.1, "{soft:?}");
    let heavy = ["let.mass=0.04", "let.mass=0.02"].map(|mass| off(&[mass, "rod.rope.elements=10"]));
    assert!((heavy[0] / heavy[1] / 2.0 - 1.0).abs() < 0.05, "{heavy:?}");
}

/// The same in space, where it swings in the plane x = y.
#[test]
fn hoisted_pendulum_in_space_swings_alike() {
    let space = PENDULUM
        .replace("dimension = 2", "dimension = 3")
        .replace("[0.0, -9.81]", "[0.0, 0.0, -9.81]")
        .replace("[0.0, 0.0]", "[0.0, 0.0, 0.0]")
        .replace("[0.5910404133226791, -1.910672978251212]", "[0.41792868485, 0.41792868485, -1.910672978251212]");
    let (plane, space) = (solved(PENDULUM, &[]), solved(&space, &[]));
    for (a, b) in plane.motion.column("bob.x").unwrap().iter().zip(space.motion.column("bob.y").unwrap()) {
        assert!((a - b * 2.0_f64.sqrt()).abs() < 1e-7, "{a} {b}");
    }
    let [x, y] = ["bob.x", "bob.y"].map(|name| space.motion.column(name).unwrap().to_vec());
    assert!(x.iter().zip(&y).all(|(x, y)| (x - y).abs() < 1e-10));
}

const PEG: &str = r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 0.5
steps = 200
[rod.right]
model = "string"
from = [0.0, 0.0]
to = [0.0, -1.1]
elements = 8
stiffness = { axial = 1e7 }
inertia = { mass = 1.0 }
[rod.left]
model = "string"
from = [0.0, 0.0]
to = [0.0, -0.9]
elements = 8
stiffness = { axial = 1e7 }
inertia = { mass = 1.0 }
[winch.peg]
rope = "right"
counter = "left"
at = "ground"
force = 0
[task.simulate]
"#;

/// x'' = (2g/L) x of a rope of length L, so that x = 0.1 cosh(√(2g/L) t) hangs over on one side.
#[test]
fn heavy_rope_slides_over_a_smooth_peg() {
    let wanted = 1.0 + 0.249827477;
    let off = |steps: &str| (scalar(&solved(PEG, &[steps]), "motion.peg.length.final") - wanted).abs();
    let [coarse, fine] = [off("time.steps=50"), off("time.steps=100")];
    assert!((coarse / fine / 4.0 - 1.0).abs() < 0.1, "order two in time: {coarse} {fine}");
    let stiff = ["time.steps=1600", "rod.right.stiffness.axial=1e8", "rod.left.stiffness.axial=1e8"];
    let limit = scalar(&solved(PEG, &stiff), "motion.peg.length.final");
    assert!((limit - wanted).abs() < 1e-8, "{limit}");
    let found = solved(PEG, &[]);
    assert!(scalar(&found, "energy.total.drift") < 1e-6 && (scalar(&found, "mass") - 2.0).abs() < 1e-12);
    // It has left the other side at x = L/2, after 0.955662507 s.
    let left = outcome(PEG, &["time.end=1.0", "time.steps=1000"]);
    let message = left.report.message.unwrap();
    assert!(message.contains("winch `peg`") && message.contains("no free length is left"), "{message}");
    let last = left.motion.t.last().unwrap();
    assert!((last - 0.9556).abs() < 1.5e-3, "{last}");
}
