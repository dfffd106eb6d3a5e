//! Rods in a row.

use crate::{PATH, ROD, UNIFORM, apart, solved, task};

/// It does not matter which end of a rod is its start, nor in which order rods stand in the file.
#[test]
fn the_sense_of_rods_does_not_matter() {
    let section = |taper: &str| {
        format!(
            "stiffness = {{ axial = 1.0, shear = 1.0, bending = \"{taper}\" }}\ninertia = {{ mass = 1.0, rotary = 1.0 }}\n"
        )
    };
    let rod = |name: &str, from: f64, to: f64, taper: &str| {
        format!(
            "[rod.{name}]\nmodel = \"beam\"\nfrom = [{from:?}, 0.0]\nto = [{to:?}, 0.0]\nelements = 10\n{}",
            section(taper)
        )
    };
    let joint = |a: &str, b: &str| format!("[joint.middle]\nbetween = [\"{a}\", \"{b}\"]\ntype = \"rigid\"\n");
    let path = PATH.replace("\"beam.end\"", "\"far.end\"");
    let along = format!(
        "{path}{}{}{}{}",
        rod("beam", 0.0, 0.5, "1 + 0.4*s"),
        rod("far", 0.5, 1.0, "1.2 - 0.4*s"),
        joint("beam.end", "far.start"),
        task("space-march")
    );
    // The first rod drawn the other way round: its section and its frames change their sense.
    let path = path.replace("\"beam.start\"", "\"beam.end\"");
    let against = format!(
        "{path}{}{}{}{}",
        rod("far", 0.5, 1.0, "1.2 - 0.4*s"),
        rod("beam", 0.5, 0.0, "1.2 - 0.4*s"),
        joint("far.start", "beam.start"),
        task("space-march")
    );
    let found = apart(&solved(&along), &solved(&against));
    assert!(found < 1e-9, "{found:e}");
}

/// Rods at right angles, joined through a body: an L that moves rigidly, if it is stiff, needs the force and torque of a rigid
/// body. Mass 2 at (0.75, 0.25) from the driven end with inertia 2 (l²/12 + d²) + rotary, translated by x = σ(t): F = m ẍ and
/// the torque about the driven end −m ẍ · 0.25.
#[test]
fn a_stiff_corner_moves_like_a_rigid_body() {
    let stiff =
        "stiffness = { axial = 400.0, shear = 400.0, bending = 40.0 }\ninertia = { mass = 1.0, rotary = 0.1 }\n";
    let rod = |name: &str, from: &str, to: &str| {
        format!("[rod.{name}]\nmodel = \"beam\"\nfrom = {from}\nto = {to}\nelements = 20\n{stiff}")
    };
    let text = format!(
        "dimension = 2\n[time]\nend = 6.0\nsteps = 240\n[let]\nsigma = \"0.2*rest(t, 1, 5, 8)\"\n{}{}[body.corner]\nmass = 0.5\ninertia = 0.1\nposition = [1.0, 0.0]\n[joint.a]\nbetween = [\"corner\", \"foot.end\"]\ntype = \"rigid\"\n[joint.b]\nbetween = [\"corner\", \"leg.start\"]\ntype = \"rigid\"\n[actuator.base]\nat = \"foot.start\"\nacts = [\"force_x\", \"force_y\", \"torque\"]\n[servo.tip]\nat = \"leg.end\"\nx = \"1 + sigma\"\ny = 1.0\nangle = \"pi/2\"\n{}",
        rod("foot", "[0.0, 0.0]", "[1.0, 0.0]"),
        rod("leg", "[1.0, 0.0]", "[1.0, 1.0]"),
        task("space-march")
    );
    let outcome = solved(&text);
    let [x, t] = ["base.force_x", "base.torque"].map(|name| outcome.actuation.column(name).unwrap().to_vec());
    // rest() is a smooth step; its second derivative by central differences of the recorded path of the tip.
    let tip = outcome.servo.column("tip.x").unwrap();
    let dt = 6.0 / 240.0;
    let largest = |of: &dyn Fn(usize) -> f64| (2..tip.len() - 2).map(|k| of(k).abs()).fold(0.0, f64::max);
    let acceleration = |k: usize| (tip[k - 1] - 2.0 * tip[k] + tip[k + 1]) / (dt * dt);
    let scale = 2.5 * largest(&acceleration);
    // Waves need 0.05 s along a rod, so the rigid answer is met to a few per cent.
    assert!(largest(&|k| x[k] - 2.5 * acceleration(k)) < 0.05 * scale);
    assert!(largest(&|k| t[k] + 0.5 * acceleration(k)) < 0.05 * scale);
}

/// Bodies joined to bodies, far from the rod, are one body.
#[test]
fn bodies_on_bodies_are_one_body() {
    let beam = |more: &str| solved(&format!("{PATH}{ROD}{UNIFORM}{more}{}", task("space-march")));
    let two = beam(
        "[body.a]\nmass = 0.05\ninertia = 0.02\nposition = [1.1, 0.1]\n[body.b]\nmass = 0.15\ninertia = 0.01\nposition = [1.1, -0.1]\n[joint.a]\nbetween = [\"a\", \"beam.end\"]\ntype = \"rigid\"\nat = [1.0, 0.0]\n[joint.b]\nbetween = [\"a\", \"b\"]\ntype = \"rigid\"\nat = [1.1, 0.0]\n",
    );
    // Mass 0.2 at y = −0.05; inertia 0.03 + 0.05 · 0.15² + 0.15 · 0.05².
    let one = beam(
        "[body.a]\nmass = 0.2\ninertia = 0.0315\nposition = [1.1, -0.05]\n[joint.a]\nbetween = [\"a\", \"beam.end\"]\ntype = \"rigid\"\nat = [1.0, 0.0]\n",
    );
    let found = apart(&two, &one);
    assert!(found < 1e-10, "{found:e}");
}

/// In space, along characteristic lines and by the march: a tapered, curved and twisted rod with a section that couples all
/// strains, whose mass centre is off the axis, and a body on its way.
#[test]
fn two_methods_agree_on_a_general_rod_in_space() {
    let text = |method: &str| {
        format!(
            r#"
dimension = 3
gravity = [0.0, 0.0, -0.05]
[time]
end = 6.0
steps = 120
[let]
sigma = "rest(t, 2, 4, 8)"
[rod.beam]
model = "rod"
curve.arc = {{ from = [0.0, 0.0, 0.0], tangent = [1.0, 0.0, 0.0], centre = [0.0, 0.0, 2.0], angle = 0.5 }}
twist = "0.5*s"
elements = 16
stiffness = {{ axial = "1.5 - 0.3*s", shear = ["1.0 - 0.2*s", 1.2], bending = [1.0, 0.8], torsion = 0.9 }}
inertia = {{ mass = "1.0 - 0.2*s", rotary = [0.7, 0.6, 0.5] }}
offset = {{ mass = [0.05, -0.03], elastic = [0.02, 0.04], shear = [0.05, 0.02] }}
[body.pay]
mass = 0.1
inertia = 0.02
[joint.pay]
between = ["pay", "beam@0.5"]
type = "rigid"
[actuator.base]
at = "beam.start"
acts = ["force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"]
[servo.tip]
at = "beam.end"
x = "2*sin(0.5) + 0.2*sigma"
y = "0.3*sigma"
z = "2*(1 - cos(0.5)) - 0.1*sigma"
turn = {{ axis = [0.3, 0.2, 1.0], angle = "0.5*sigma" }}
{}"#,
            task(method)
        )
    };
    let found = apart(&solved(&text("space-march")), &solved(&text("characteristics")));
    assert!(found < 1e-2, "{found:e}");
}
