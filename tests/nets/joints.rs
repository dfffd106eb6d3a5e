//! Universal, cylindrical, prismatic, planar and distance joints in motion and in modes.

use super::*;

/// Two shafts at 45 degrees, the second in a bearing that lets it slide, which it does not.
const CARDAN: &str = r#"
dimension = 3
[time]
end = 2.0
steps = 100
[body.first]
mass = 1.0
inertia = [0.1, 0.1, 0.2]
position = [0, 0, -0.5]
spin = [0, 0, 2.0]
[body.second]
mass = 1.0
inertia = [0.1, 0.1, 0.3]
position = [0.35355339059327373, 0, 0.35355339059327373]
orientation = [0, 0.7853981633974483, 0]
[joint.bearing]
between = ["ground", "first"]
type.revolute = { axis = [0, 0, 1] }
[joint.cross]
between = ["first", "second"]
at = [0, 0, 0]
type.universal = { axes = [[0, 1, 0], [1, 0, -1]] }
[joint.sleeve]
between = ["ground", "second"]
type.cylindrical = { axis = [1, 0, 1] }
[task.simulate]
"#;

/// Angle a of the first shaft and b of the second with tan b = tan a cos 45°; ḃ = f(a) ȧ.
fn transmission(a: f64) -> f64 {
    let cos = std::f64::consts::FRAC_1_SQRT_2;
    cos / (a.cos().powi(2) + (cos * a.sin()).powi(2))
}

/// The relation of the angles holds to rounding; the time to reach an angle follows from the energy
/// ½ (J₁ + J₂ f²) ȧ² = const by quadrature, from ȧ = 2 J₁/(J₁ + J₂ f²) after the impulse that sets the second shaft going.
#[test]
fn a_cardan_joint_transmits_as_it_must() {
    let inertia = |a: f64| 0.2 + 0.3 * transmission(a).powi(2);
    let errors = [100, 200, 400].map(|steps: usize| {
        let found = solved(CARDAN, &[&format!("time.steps={steps}")]);
        let [a, x, z] =
            ["first.turn_z", "second.turn_x", "second.turn_z"].map(|name| found.motion.column(name).unwrap());
        for k in 0..=steps {
            let b = (x[k] + z[k]) * std::f64::consts::FRAC_1_SQRT_2;
            let gap = b.sin() * a[k].cos() - a[k].sin() * b.cos() * std::f64::consts::FRAC_1_SQRT_2;
            assert!(gap.abs() < 1e-12, "{gap:e} in step {k}");
        }
        let end = a[steps];
        assert!(end > 0.5 && end < std::f64::consts::PI, "{end}");
        let rate = 0.4 / inertia(0.0);
        let simpson = |n: usize| {
            let weight = |i: usize| if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * (i % 2) as f64 };
            let time = |a: f64| (inertia(a) / inertia(0.0)).sqrt() / rate;
            (0..=n).map(|i| weight(i) * time(end * i as f64 / n as f64)).sum::<f64>() * end / (3 * n) as f64
        };
        (simpson(400) - 2.0).abs()
    });
    assert!(errors[2] < 1e-4, "{errors:?}");
    assert_order(2.0, &errors, 0.1, 2.0);
}

/// A mass on a massless link of 1 m is the spherical pendulum D3; its value at t = 1 has 12 digits.
#[test]
fn a_distance_makes_a_spherical_pendulum() {
    let text = r#"
dimension = 3
gravity = [0, 0, -9.81]
time = { end = 1.0, steps = 500 }
[body.m]
mass = 1.0
position = [1, 0, 0]
velocity = [0, 1, 0]
[joint.link]
between = ["ground", "m"]
at = [0, 0, 0]
type = "distance"
[task.simulate]
"#;
    let expected = [-0.90612889042745, -0.394581468797061, -0.152433258886216];
    let found = [500, 1000].map(|steps| {
        let outcome = solved(text, &[&format!("time.steps={steps}")]);
        ["m.x", "m.y", "m.z"].map(|name| last(&outcome, name))
    });
    for c in 0..3 {
        let limit = found[1][c] + (found[1][c] - found[0][c]) / 3.0;
        assert!((limit - expected[c]).abs() < 2e-9, "{limit} {}", expected[c]);
    }
}

/// One block in space that a joint lets slide down a slope of 45 degrees, ½ g t²/√2 whatever else it may do, and spin.
fn block(joint: &str, spin: &str) -> Outcome {
    let text = format!(
        r#"
dimension = 3
gravity = [0, 0, -9.81]
time = {{ end = 1.0, steps = 20 }}
[body.block]
mass = 3.0
inertia = [0.1, 0.2, 0.2]
position = [0.3, 0.1, 2.0]
orientation = [0, 0.7853981633974483, 0]
spin = {spin}
[joint.slope]
between = ["ground", "block"]
{joint}
[task.simulate]
"#
    );
    solved(&text, &[])
}

#[test]
fn blocks_slide_and_turn_as_their_joints_let_them() {
    let way = 9.81 / 4.0;
    // The block's first axis is along the slope; the impulse at the start takes away what the joint forbids.
    let cases = [
        ("type.prismatic = { axis = [1, 0, -1] }", "[0.0, 0.0, 0.0]", 0.0),
        ("type.cylindrical = { axis = [1, 0, -1] }", "[0.7, 0.0, 0.0]", 0.7),
        ("at = [0.5, 0.1, 1.8]\ntype.cylindrical = { axis = [1, 0, -1] }", "[0.7, 0.0, 0.0]", 0.7),
        ("type.planar = { normal = [0, 1, 0] }", "[0.0, 0.0, 0.0]", 0.0),
    ];
    for (joint, spin, turned) in cases {
        let found = block(joint, spin);
        let planar = joint.contains("planar");
        // In an upright plane it falls freely.
        let expected = if planar { [0.3, 0.1, 2.0 - 9.81 / 2.0] } else { [0.3 + way, 0.1, 2.0 - way] };
        for (name, expected) in ["block.x", "block.y", "block.z"].iter().zip(expected) {
            assert!((last(&found, name) - expected).abs() < 1e-9, "{joint}: {name} {}", last(&found, name));
        }
        let along = (last(&found, "block.turn_x") - last(&found, "block.turn_z")) * std::f64::consts::FRAC_1_SQRT_2;
        // The step takes J sin(h Ω/2) for J h Ω/2: third order in one step.
        assert!((along - turned).abs() < 1e-3 * turned + 1e-12, "{joint}: {along}");
        assert!(last(&found, "block.turn_y").abs() < 1e-12, "{joint}");
    }
}

/// On a slope with the normal (1, 0, 1) a planar joint lets a block slide down and turn about the normal.
#[test]
fn a_block_on_a_slope_turns_about_its_normal() {
    let found = block("type.planar = { normal = [1, 0, 1] }", "[0.0, 0.0, 0.6]");
    let way = 9.81 / 4.0;
    assert!((last(&found, "block.x") - 0.3 - way).abs() < 1e-9 && (last(&found, "block.z") - 2.0 + way).abs() < 1e-9);
    let about = (last(&found, "block.turn_x") + last(&found, "block.turn_z")) * std::f64::consts::FRAC_1_SQRT_2;
    assert!((about - 0.6).abs() < 1e-3, "{about}");
}

/// A bead on a rail that turns freely, in the plane and in space: (J + m r²) ω = const and the energy
/// ½ (J + m r²) ω² + ½ m ṙ² = const give the time to reach a radius, ∫ dr/ṙ.
#[test]
fn a_bead_runs_out_on_a_turning_rail() {
    let text = |space: bool| {
        let [zero, inertia, spin, axis] = if space {
            [", 0", "[1.0, 1.0, 2.0]", "[0, 0, 3.0]", "type.revolute = { axis = [0, 0, 1] }"]
        } else {
            ["", "2.0", "3.0", "type = \"revolute\""]
        };
        format!(
            r#"
dimension = {}
time = {{ end = 1.0, steps = 100 }}
[body.rail]
mass = 1.0
inertia = {inertia}
position = [0, 0{zero}]
spin = {spin}
[body.bead]
mass = 0.5
position = [0.4, 0{zero}]
velocity = [0, 1.2{zero}]
[joint.pivot]
between = ["ground", "rail"]
{axis}
[joint.slide]
between = ["rail", "bead"]
at = [0.4, 0{zero}]
type.prismatic = {{ axis = [1, 0{zero}] }}
[task.simulate]
"#,
            if space { 3 } else { 2 }
        )
    };
    let inertia = |r: f64| 2.0 + 0.5 * r * r;
    let momentum = inertia(0.4) * 3.0;
    let rate = |r: f64| (2.0 * (0.5 * momentum * 3.0 - 0.5 * momentum * momentum / inertia(r)) / 0.5).max(0.0).sqrt();
    for space in [false, true] {
        let errors = [100, 200].map(|steps| {
            let found = solved(&text(space), &[&format!("time.steps={steps}")]);
            let r = last(&found, "bead.x").hypot(last(&found, "bead.y"));
            // The integrand is infinite at the start: r = 0.4 + u².
            let (n, end) = (2000, (r - 0.4_f64).sqrt());
            let time =
                (0..n).map(|i| end * (i as f64 + 0.5) / n as f64).map(|u| 2.0 * u / rate(0.4 + u * u)).sum::<f64>();
            (time * end / n as f64 - 1.0).abs()
        });
        assert!(errors[1] < 1e-3, "{errors:?}");
        assert_order(2.0, &errors, 0.1, 2.0);
    }
}

/// A beam clamped at its start whose end slides across it without turning, βL = 2.36502037243135 (Blevins, clamped-guided;
/// tan βL + tanh βL = 0), and one with its end on a universal joint, which is clamped-pinned: βL = 3.92660231204792.
#[test]
fn modes_of_beams_on_joints() {
    let text = |joint: &str| {
        format!(
            r#"
dimension = 3
[rod.beam]
model = "rod"
from = [0, 0, 0]
to = [1, 0, 0]
elements = 4
order = 4
stiffness = {{ axial = 1e6, shear = 1e6, bending = [1.0, 4.0], torsion = 1e4 }}
inertia = {{ mass = 1.0, rotary = 1e-7 }}
[support.clamp]
at = "beam.start"
type = "clamp"
[joint.end]
between = ["ground", "beam.end"]
{joint}
[task.modes]
count = 2
"#
        )
    };
    // Director d₁ is along z, d₂ along −y (or the reverse): bending about d₁ has 1, about d₂ 4.
    let free_both = "type.planar = { normal = [1, 0, 0] }";
    let pinned = "type.universal = { axes = [[0, 1, 0], [0, 0, 1]] }";
    for (joint, beta) in [(free_both, 2.36502037243135_f64), (pinned, 3.92660231204792)] {
        let found = solved(&text(joint), &[]);
        for (k, bending) in [(1, 1.0_f64), (2, 4.0)] {
            let omega = beta * beta * bending.sqrt();
            let ratio = scalar(&found, &format!("modes.{k}.omega")) / omega;
            // Shear and rotary inertia lower the frequencies by about 1e-5.
            assert!((ratio - 1.0).abs() < 1e-4, "{joint} {k}: {ratio}");
        }
    }
}
