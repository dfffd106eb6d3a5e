//! Springs and dampers between points and on joints.

use super::*;

/// A mass on a rail between a spring and a damper: x = e^{−δt} (cos ωt + δ/ω sin ωt)/2 about the rest.
#[test]
fn a_damped_mass_on_a_rail() {
    let text = r#"
dimension = 2
time = { end = 3.0, steps = 300 }
[body.a]
mass = 2.0
position = [0.5, 0]
[joint.rail]
between = ["ground", "a"]
type.prismatic = { axis = [1, 0] }
[spring.s]
between = ["ground", "a"]
points = [[-1, 0], [0.5, 0]]
stiffness = 8.0
damping = 0.8
rest = 1.0
[task.simulate]
"#;
    let (delta, t) = (0.8 / 4.0, 3.0_f64);
    let omega = (4.0_f64 - delta * delta).sqrt();
    let expected = 0.5 * (-delta * t).exp() * ((omega * t).cos() + delta / omega * (omega * t).sin());
    let errors =
        [300, 600].map(|steps| (last(&solved(text, &[&format!("time.steps={steps}")]), "a.x") - expected).abs());
    assert!(errors[1] < 1e-4, "{errors:?}");
    assert_order(2.0, &errors, 0.05, 2.0);
    let modes = solved(&text.replace("[task.simulate]", "[task.modes]\ncount = 1\nabout = \"equilibrium\""), &[]);
    assert!((scalar(&modes, "modes.1.omega") - omega).abs() < 1e-9, "{:?}", modes.report.scalars);
    assert!((scalar(&modes, "modes.1.real") + delta).abs() < 1e-9);
}

/// A spring on the angle of a hinge, in the plane, in space about a skew axis, and on the way of a sliding joint:
/// ω² = k/J about the axis or k/m. The equilibrium under a torque is at M/k.
#[test]
fn springs_on_joints_hold_angles_and_ways() {
    let text = |body: &str, joint: &str, load: &str, task: &str| {
        format!(
            r#"
{body}
[joint.j]
between = ["ground", "wheel"]
{joint}
[spring.s]
at = "j"
stiffness = 3.0
[load.l]
at = "wheel"
{load}
{task}
"#
        )
    };
    let plane = "dimension = 2\n[body.wheel]\nmass = 2.0\ninertia = 0.5\nposition = [0, 0]";
    let space = "dimension = 3\n[body.wheel]\nmass = 2.0\ninertia = [0.5, 0.5, 0.5]\nposition = [0, 0, 0]\norientation = [0.3, -0.4, 0.9]";
    let hinge = "type.revolute = { axis = [1, 2, 2] }";
    let rail = "type.prismatic = { axis = [1, 2, 2] }";
    let modes = "[task.modes]\ncount = 1";
    for (body, joint, omega) in [
        (plane, "type = \"revolute\"", 6.0_f64.sqrt()),
        (space, hinge, 6.0_f64.sqrt()),
        (space, rail, 1.5_f64.sqrt()),
        (plane, "type.prismatic = { axis = [3, 4] }", 1.5_f64.sqrt()),
    ] {
        let load = if body == plane { "force = [0, 0]" } else { "force = [0, 0, 0]" };
        let found = solved(&text(body, joint, load, modes), &[]);
        let ratio = scalar(&found, "modes.1.omega") / omega;
        assert!((ratio - 1.0).abs() < 1e-10, "{joint}: {ratio}");
    }
    // Torque 2 about (1, 2, 2)/3, force 2 along it: 2/3 rad, 2/3 m. More than half a turn: 4 rad by 12 N m.
    let third = 1.0 / 3.0;
    let [x, y, z] = [third, 2.0 * third, 2.0 * third];
    let turned = |torque: f64| {
        let load = format!("torque = [{}, {}, {}]", torque * x, torque * y, torque * z);
        let found = solved(&text(space, hinge, &load, "[task.statics]"), &[]);
        ["turn_x", "turn_y", "turn_z"].map(|c| scalar(&found, &format!("equilibrium.wheel.{c}")))
    };
    let angle = turned(2.0);
    assert!((angle[0] * x + angle[1] * y + angle[2] * z - 2.0 / 3.0).abs() < 1e-9, "{angle:?}");
    // The rotation vector of 3.6 rad is told as that of 3.6 − 2π.
    let angle = turned(10.8);
    assert!((angle[0] * x + angle[1] * y + angle[2] * z - 3.6 + std::f64::consts::TAU).abs() < 1e-9, "{angle:?}");
    let load = format!("force = [{}, {}, {}]", 2.0 * x, 2.0 * y, 2.0 * z);
    let found = solved(&text(space, rail, &load, "[task.statics]"), &[]);
    assert!((scalar(&found, "equilibrium.wheel.y") - 2.0 / 3.0 * y).abs() < 1e-10);
}

/// A damper on a hinge in space slows a wheel: ω = ω₀ exp(−c t/J), the angle (ω₀ J/c) (1 − exp(−c t/J)).
#[test]
fn a_damper_on_a_hinge_slows_a_wheel() {
    let text = r#"
dimension = 3
time = { end = 1.0, steps = 200 }
[body.wheel]
mass = 2.0
inertia = [0.5, 0.7, 0.9]
position = [0, 0, 0]
spin = [0, 0, 1.5]
[joint.j]
between = ["ground", "wheel"]
type.revolute = { axis = [0, 0, 1] }
[spring.brake]
at = "j"
damping = 1.2
[task.simulate]
"#;
    let expected = 1.5 * 0.9 / 1.2 * (1.0 - (-1.2_f64 / 0.9).exp());
    let errors = [200, 400]
        .map(|steps| (last(&solved(text, &[&format!("time.steps={steps}")]), "wheel.turn_z") - expected).abs());
    assert!(errors[1] < 1e-5, "{errors:?}");
    assert_order(2.0, &errors, 0.1, 2.0);
}

/// Andrews' squeezing mechanism: seven bodies, three loops, a spring and a motor (IVP test set). Angles at t = 0.03 from D6,
/// recomputed there to 12 digits.
#[test]
fn andrews_squeezer() {
    let (beta, gamma, phi, delta, epsilon) = (
        -0.061_713_890_014_276_45_f64,
        0.455_279_819_163_070_4_f64,
        0.222_668_390_165_885_88_f64,
        0.487_364_979_543_842_55_f64,
        1.230_547_444_549_821_2_f64,
    );
    let at = |length: f64, angle: f64| [length * angle.cos(), length * angle.sin()];
    let plus = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
    let (a, b, c) = ([-0.06934, -0.00227], [-0.03635, 0.03273], [0.014, 0.072]);
    let quarter = std::f64::consts::FRAC_PI_2;
    // Angles are those of the test set: Θ = 0, Ω = −Φ.
    let f = at(7e-3, beta);
    let e = plus(f, at(-28e-3, beta));
    let g = plus(a, at(4e-2, delta));
    let h = plus(a, at(4e-2, epsilon - quarter));
    let spring_end = plus(b, plus(at(2e-2, gamma), at(18e-3, gamma - quarter)));
    let closed = plus(b, at(35e-3, gamma - quarter));
    assert!((closed[0] - e[0]).hypot(closed[1] - e[1]) < 1e-15, "the loop is closed");
    let distance = |x: f64, y: f64| x.hypot(y);
    let bodies = [
        (0.04325, 2.194e-6, at(92e-5, beta)),
        (0.00365, 4.410e-7, plus(f, at(-115e-4, beta))),
        (0.02373, 5.255e-6, plus(b, at(distance(1874e-5, 1043e-5), gamma))),
        (0.00706, 5.667e-7, plus(g, at(2e-2 - 1421e-5, phi + delta - quarter))),
        (0.07050, 1.169e-5, plus(a, at(distance(2308e-5, 916e-5), delta))),
        (0.00706, 5.667e-7, plus(h, at(2e-2 - 1421e-5, epsilon - phi))),
        (0.05498, 1.912e-5, plus(a, at(distance(1228e-5, 449e-5), epsilon))),
    ];
    let mut text = "dimension = 2\ntime = { end = 0.03, steps = 1500 }\n".to_owned();
    for (k, (mass, inertia, place)) in bodies.iter().enumerate() {
        text += &format!("[body.k{}]\nmass = {mass}\ninertia = {inertia:e}\nposition = {place:?}\n", k + 1);
    }
    let ground = "ground";
    let joints = [
        (ground, "k1", [0.0, 0.0]),
        ("k1", "k2", f),
        ("k2", "k3", e),
        (ground, "k3", b),
        ("k2", "k4", e),
        ("k4", "k5", g),
        (ground, "k5", a),
        ("k2", "k6", e),
        ("k6", "k7", h),
        (ground, "k7", a),
    ];
    for (k, (first, second, place)) in joints.iter().enumerate() {
        text += &format!("[joint.j{k}]\nbetween = [\"{first}\", \"{second}\"]\ntype = \"revolute\"\nat = {place:?}\n");
    }
    text += &format!("[spring.s]\nbetween = [\"ground\", \"k3\"]\npoints = [{c:?}, {spring_end:?}]\n");
    text += "stiffness = 4530.0\nrest = 0.07785\n[load.motor]\nat = \"k1\"\ntorque = 0.033\n[task.simulate]\n";
    let found = [1500, 3000, 6000].map(|steps| {
        let outcome = solved(&text, &[&format!("time.steps={steps}")]);
        assert!(!outcome.report.warnings.iter().any(|warning| warning.contains("repeat")));
        ["k1", "k3", "k5", "k7"].map(|body| last(&outcome, &format!("{body}.angle")))
    });
    let expected =
        [15.8107711951539 - beta, 0.0408222401196 - gamma, 0.5244099658799 - delta, 1.0480807410419 - epsilon];
    for k in 0..4 {
        let errors = [0, 1, 2].map(|i: usize| (found[i][k] - expected[k]).abs());
        assert_order(2.0, &errors[1..], 0.15, 2.0);
        let limit = found[2][k] + (found[2][k] - found[1][k]) / 3.0;
        assert!((limit - expected[k]).abs() < 2e-2 * errors[2] + 1e-9, "{k}: {limit} {} {errors:?}", expected[k]);
    }
}
