//! Rigid rods: the limit of stiff ones, mass and inertia by their shape.

use super::*;

/// A soft post carries an arm, stiff by a factor or rigid, at whose end a body hangs; all in space or in the plane.
fn post_and_arm(space: bool, arm: &str, task: &str) -> String {
    let (zero, model) = if space { (", 0", "rod") } else { ("", "beam") };
    let torsion = if space { ", torsion = 3.0" } else { "" };
    let (inertia, force) = if space { ("[0.1, 0.2, 0.3]", "[2.0, 1.0, 0.5]") } else { ("0.3", "[2.0, 1.0]") };
    format!(
        r#"
dimension = {}
gravity = [0, -1.0{zero}]
[rod.post]
model = "{model}"
from = [0, 0{zero}]
to = [0, 1{zero}]
elements = 3
order = 2
stiffness = {{ axial = 100, shear = 50, bending = 8{torsion} }}
inertia = {{ mass = 0.5, rotary = 0.01 }}
[rod.arm]
model = "{model}"
from = [0, 1{zero}]
to = [1.5, 1.5{zero}]
elements = 2
order = 2
inertia = {{ mass = 0.8, rotary = 0.02 }}
{arm}
[body.load]
mass = 0.4
inertia = {inertia}
position = [1.6, 1.4{zero}]
[joint.knee]
between = ["post.end", "arm.start"]
type = "rigid"
[joint.grip]
between = ["arm.end", "load"]
type = "rigid"
[support.foot]
at = "post.start"
type = "clamp"
[load.pull]
at = "load"
force = {force}
{task}
"#,
        if space { 3 } else { 2 }
    )
}

fn stiff(space: bool, factor: f64) -> String {
    let torsion = if space { format!(", torsion = {}", 3.0 * factor) } else { String::new() };
    let [axial, shear, bending] = [100.0, 50.0, 8.0].map(|value: f64| value * factor);
    format!("stiffness = {{ axial = {axial}, shear = {shear}, bending = {bending}{torsion} }}")
}

/// Equilibrium and frequencies of ever stiffer arms tend to those of the rigid one with order 1 in the compliance, and
/// extrapolated they are the same (Gratus and Tucker 2003, section 7).
#[test]
fn stiff_rods_tend_to_rigid_ones() {
    let tasks = [
        ("[task.statics]", ["equilibrium.load.x", "equilibrium.load.y"]),
        ("[task.modes]\ncount = 3\nabout = \"equilibrium\"", ["modes.1.omega", "modes.3.omega"]),
    ];
    for space in [false, true] {
        for (task, names) in tasks {
            let rigid = solved(&post_and_arm(space, "rigid = true", task), &[]);
            let factors = [1e3, 1e4, 1e5, 1e6];
            let found = factors.map(|factor| solved(&post_and_arm(space, &stiff(space, factor), task), &[]));
            for name in names {
                let limit = scalar(&rigid, name);
                let errors = found.each_ref().map(|outcome| (scalar(outcome, name) - limit).abs());
                assert_order(1.0, &errors[..3], 0.02, 10.0);
                let value = |i: usize| scalar(&found[i], name);
                let extrapolated = value(2) + (value(2) - value(1)) / 9.0;
                assert!((extrapolated / limit - 1.0).abs() < 1e-7, "{name}: {extrapolated} {limit} {errors:?}");
            }
        }
    }
}

/// In motion the time step makes a difference between one body and a stiff rod, of second order; both have the same limit.
#[test]
fn stiff_rods_move_like_rigid_ones() {
    let end = |arm: &str, steps: usize| {
        let text = post_and_arm(false, arm, &format!("[time]\nend = 1.0\nsteps = {steps}\n[task.simulate]"));
        let found = solved(&text, &[]);
        ["load.x", "load.y", "load.angle", "arm@0.5.y"]
            .map(|name| if name.contains('@') { 0.0 } else { last(&found, name) })
    };
    let limit = |arm: &str| {
        let [coarse, fine] = [200, 400].map(|steps| end(arm, steps));
        [0, 1, 2].map(|k: usize| fine[k] + (fine[k] - coarse[k]) / 3.0)
    };
    let (rigid, stiff) = (limit("rigid = true"), limit(&stiff(false, 1e4)));
    for k in 0..3 {
        // The stiff arm gives way by about 1e-5 and vibrates.
        assert!((rigid[k] - stiff[k]).abs() < 1e-4, "{rigid:?} {stiff:?}");
    }
}

/// A half ring of radius R that hangs from one of its ends: J = 2 m R² about it, mass centre at R √(1 + 4/π²), so that
/// ω² = g √(1 + 4/π²)/(2R) about the equilibrium; in space it swings across its plane with another J.
#[test]
fn a_half_ring_swings_by_its_inertia() {
    let text = |space: bool| {
        let (zero, model) = if space { (", 0", "rod") } else { ("", "beam") };
        let curve = format!(
            "curve.arc = {{ from = [0, 0{zero}], tangent = [0, 1{zero}], centre = [0.5, 0{zero}], angle = 3.141592653589793 }}"
        );
        let joint = if space { "type.revolute = { axis = [0, 0, 1] }" } else { "type = \"revolute\"" };
        format!(
            "dimension = {}\ngravity = [0, -9.81{zero}]\n[rod.ring]\nmodel = \"{model}\"\nrigid = true\n{curve}\nelements = 3\ninertia = {{ mass = 0.7 }}\n[joint.nail]\nbetween = [\"ground\", \"ring.start\"]\n{joint}\n[task.modes]\ncount = 1\nabout = \"equilibrium\"\n",
            if space { 3 } else { 2 }
        )
    };
    let pi = std::f64::consts::PI;
    let expected = (9.81 * (1.0 + 4.0 / (pi * pi)).sqrt() / (2.0 * 0.5)).sqrt();
    for space in [false, true] {
        let omega = scalar(&solved(&text(space), &[]), "modes.1.omega");
        assert!((omega / expected - 1.0).abs() < 1e-8, "{omega} {expected}");
    }
}

/// Velocities stated along a rigid rod are those of the rigid motion with their momentum: a rod of 2 m struck so that its
/// points begin at v = s² has the mean velocity 4/3 and the spin 12/8 ∫ (s − 1) s² ds/… = 2 rad/s.
#[test]
fn a_rigid_rod_takes_the_momentum_of_its_velocities() {
    let text = r#"
dimension = 2
time = { end = 0.1, steps = 10 }
[rod.bar]
model = "beam"
rigid = true
from = [0, 0]
to = [2, 0]
elements = 200
inertia = { mass = 0.7 }
velocity = ["0", "s^2"]
[task.simulate]
"#;
    let found = solved(text, &[]);
    assert!((last(&found, "bar.start.angle") - 0.2).abs() < 1e-5, "{}", last(&found, "bar.start.angle"));
    let middle = 0.5 * (last(&found, "bar.start.y") + last(&found, "bar.end.y"));
    assert!((middle - 0.4 / 3.0).abs() < 1e-5, "{middle}");
}

/// A load along a rigid rod acts where it is: a bar on a hinge and a spring, q s along 2 m, turns by ∫ q s² ds/k.
#[test]
fn loads_along_rigid_rods_have_their_moment() {
    let text = r#"
dimension = 2
[rod.bar]
model = "beam"
rigid = true
from = [0, 0]
to = [2, 0]
elements = 3
[joint.pin]
between = ["ground", "bar.start"]
type = "revolute"
[spring.coil]
at = "pin"
stiffness = 1e6
[load.sand]
along = "bar"
force = ["0", "-3*s"]
[task.statics]
"#;
    let angle = scalar(&solved(text, &[]), "equilibrium.bar.start.angle");
    assert!((angle + 8e-6).abs() < 1e-12, "{angle}");
}
