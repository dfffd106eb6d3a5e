//! Drums with inertia and rope on them: closed forms of what they let fall, and what is conserved.

use super::{scalar, solved};

const DRUM: &str = r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 1.0
steps = 400
[rod.rope]
model = "string"
from = [0.0, 0.0]
to = [0.0, -1.0]
elements = 8
stiffness = { axial = 1e7 }
inertia = { mass = 0.8 }
[body.load]
mass = 2.0
[joint.hook]
between = ["rope.end", "load"]
type = "rigid"
[winch.hoist]
rope = "rope"
at = "ground"
force = 0
radius = 0.5
inertia = 0.75
stored = 4.0
[task.simulate]
"#;

/// All that moves is M = m + J/R² + ρA (ℓ₀ + S), what hangs is m + ρA (ℓ₀ + w): w'' = (g ρA/M)(w + m/ρA + ℓ₀), a hyperbolic cosine.
#[test]
fn load_unwinds_a_heavy_rope_from_a_drum() {
    let (mass, line, free, stored, drum) = (2.0, 0.8, 1.0, 4.0, 0.75 / 0.25);
    let all: f64 = mass + drum + line * (free + stored);
    let reach = mass / line + free;
    let wanted = free + reach * ((9.81 * line / all).sqrt().cosh() - 1.0);
    let off = |settings: &[&str]| (scalar(&solved(DRUM, settings), "motion.hoist.length.final") - wanted).abs();
    let [coarse, fine] = [off(&["time.steps=50"]), off(&["time.steps=100"])];
    assert!((coarse / fine / 4.0 - 1.0).abs() < 0.1, "order two in time: {coarse} {fine}");
    assert!(off(&["time.steps=1600"]) < 2e-6, "{}", off(&["time.steps=1600"]));
}

/// A drum that is held by the torque R n neither hauls in nor pays out: n is the weight of load and rope.
#[test]
fn torque_of_a_resting_drum_is_radius_times_tension() {
    let weight = 9.81 * (2.0 + 0.8);
    let torque = format!("winch.hoist.torque={}", 0.5 * weight);
    let text = DRUM.replace("force = 0\n", "torque = 0\n");
    // A rope that stretches by half a percent tells n from n ν − ψ.
    let found = solved(
        &text,
        &[&torque, "rod.rope.stiffness.axial=5e3", "rod.rope.elements=64", "task.simulate.start=\"equilibrium\""],
    );
    let column = found.motion.column("hoist.length").unwrap();
    let largest = column.iter().map(|length| (length - column[0]).abs()).fold(0.0, f64::max);
    assert!(largest < 1e-9, "{largest}");
    let held = DRUM.replace("force = 0\n", "length = 1.0\n");
    let found =
        solved(&held, &["rod.rope.stiffness.axial=5e3", "rod.rope.elements=64", "task.simulate.start=\"equilibrium\""]);
    let force = scalar(&found, "reaction.hoist.force.max");
    assert!((force / weight - 1.0).abs() < 1e-5, "{force} {weight}");
}

const CRANE: &str = r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 2.5
steps = 250
[rod.rope]
model = "string"
from = [0.0, 0.0]
to = [1.2, -1.6]
elements = 12
stiffness = { axial = 2e4 }
inertia = { mass = 0.9 }
[body.trolley]
mass = 3.0
position = [0.0, 0.0]
[body.load]
mass = 2.0
[joint.hook]
between = ["rope.end", "load"]
type = "rigid"
[support.rail]
at = "trolley"
fixes = ["y"]
[winch.hoist]
rope = "rope"
at = "trolley"
torque = "5*(1 + 0.5*sin(3*t))"
radius = 0.2
inertia = 0.1
stored = 6.0
[task.simulate]
"#;

/// Nothing outside pulls along the rail, whatever runs over the sheave and however it swings: the momentum of trolley, load, free
/// and stored rope together does not change. Only the right jump at the sheave does this.
#[test]
fn momentum_along_the_rail_is_kept_while_rope_runs_through_the_sheave() {
    let found = solved(CRANE, &[]);
    assert!(scalar(&found, "motion.hoist.length.final") > 3.0, "rope is paid out");
    assert!(scalar(&found, "motion.trolley.x.max") > 0.2, "the trolley moves");
    assert!(scalar(&found, "momentum.linear_x.drift") < 1e-9, "{}", scalar(&found, "momentum.linear_x.drift"));
    assert!((scalar(&found, "mass") - (3.0 + 2.0 + 0.9 * 8.0)).abs() < 1e-12);
}

/// What is stored and moves is what the winch puts in, to the order of the steps; a prescribed length does the same.
#[test]
fn energy_is_balanced() {
    let imbalance = |text: &str, steps: &str| scalar(&solved(text, &[steps]), "energy.imbalance");
    let led = CRANE.replace("torque = \"5*(1 + 0.5*sin(3*t))\"", "length = \"2 + rest(t, 0.5, 2.5, 4)\"");
    for (text, exchanged) in [(CRANE, 50.0), (led.as_str(), 20.0)] {
        let [coarse, fine] = [imbalance(text, "time.steps=1500"), imbalance(text, "time.steps=3000")];
        assert!(fine < 1e-3 * exchanged && coarse / fine > 3.0, "{coarse} {fine}");
    }
}
