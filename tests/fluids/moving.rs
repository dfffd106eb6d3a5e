//! Motions: bodies and rods that fall, are towed and come to rest.

use crate::{Outcome, solved};

/// Largest |a − b| of a column of the motion against a closed form.
fn off(outcome: &Outcome, column: &str, known: impl Fn(f64) -> f64) -> f64 {
    let motion = &outcome.motion;
    let found = motion.column(column).unwrap_or_else(|| panic!("no {column}"));
    motion.t.iter().zip(found).map(|(t, found)| (found - known(*t)).abs()).fold(0.0, f64::max)
}

/// Largest gap in the books: energies less those of the beginning plus what the fluid took; and what it took in all.
fn books(outcome: &Outcome) -> [f64; 2] {
    let [total, taken] = ["total", "dissipated"].map(|name| outcome.energy.column(name).unwrap());
    let gap = total.iter().zip(taken).map(|(here, taken)| (here - total[0] + taken).abs());
    [gap.fold(0.0, f64::max), taken[taken.len() - 1]]
}

const STONE: &str = r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 2.0
steps = 200
[body.stone]
mass = 2.0
inertia = 0.3
position = [0.0, 0.0]
spin = 3.0
drag = DRAG
[task.simulate]
"#;

/// v = v_t tanh(g t/v_t) of drag by the square, v_t = √(m g/c).
#[test]
fn a_stone_falls_with_quadratic_drag() {
    let (g, m, c) = (9.81_f64, 2.0_f64, 0.5_f64);
    let end = (m * g / c).sqrt();
    let text = STONE.replace("DRAG", "{ quadratic = 0.5 }");
    let errors = ["time.steps=100", "time.steps=200"].map(|steps| {
        let found = solved(&text, &[steps]);
        off(&found, "stone.y", |t| -end * end / g * (g * t / end).cosh().ln())
    });
    assert!(errors[1] < 2e-5 && errors[0] / errors[1] > 3.8, "{errors:?}");
    let adapted = solved(&text, &["task.simulate.tolerance=1e-7"]);
    assert!(off(&adapted, "stone.y", |t| -end * end / g * (g * t / end).cosh().ln()) < 1e-5);
}

/// v = v_t (1 − exp(−c t/m)) of linear drag in a current, and a spin that decays with exp(−c_r t/J).
#[test]
fn a_stone_falls_with_linear_drag_in_a_current() {
    let (g, m, c, u) = (9.81_f64, 2.0_f64, 3.0_f64, 0.7_f64);
    let text = STONE.replace("DRAG", "{ linear = 3.0, rotary = 0.4 }\n[current]\nvelocity = [0.7, \"0*t\"]");
    let errors = ["time.steps=100", "time.steps=200"].map(|steps| {
        let found = solved(&text, &[steps]);
        let decay = |t: f64| m / c * (1.0 - (-c * t / m).exp());
        let x = off(&found, "stone.x", |t| u * (t - decay(t)));
        let y = off(&found, "stone.y", |t| -m * g / c * (t - decay(t)));
        let angle = off(&found, "stone.angle", |t| 3.0 * 0.3 / 0.4 * (1.0 - (-0.4 * t / 0.3_f64).exp()));
        [x, y, angle]
    });
    for k in 0..3 {
        assert!(errors[1][k] < 1e-4 && errors[0][k] / errors[1][k] > 3.8, "{errors:?}");
    }
}

/// A straight rod at 0.6 rad that moves without turning: across and along it decay by their own rates, exp(−c t/ρA) linearly and
/// 1/(1 + c v₀ t/ρA) by the square.
#[test]
fn a_towed_rod_slows_down_across_and_along() {
    let (sin, cos) = 0.6_f64.sin_cos();
    let rigid = "rigid = true\n";
    for (model, dimension, more) in [
        ("beam", 2, ""),
        ("kirchhoff", 2, ""),
        ("rod", 3, ""),
        ("beam", 2, rigid),
        ("rod", 3, rigid),
        ("beam", 2, "order = 3\n"),
    ] {
        for square in [false, true] {
            let third = if dimension == 3 { ", 0.0" } else { "" };
            let drag = match square {
                true => "{ normal-quadratic = 0.8, tangential-quadratic = 0.3 }",
                false => "{ normal = 0.8, tangential = 0.3 }",
            };
            let stiffness = match dimension {
                2 => "{ axial = 500.0, shear = 200.0, bending = 20.0 }",
                _ => "{ axial = 500.0, shear = 200.0, bending = 20.0, torsion = 10.0 }",
            };
            let stiffness = if model == "kirchhoff" { "{ axial = 500.0, bending = 20.0 }" } else { stiffness };
            let text = format!(
                "dimension = {dimension}\n[time]\nend = 1.0\nsteps = 100\n[rod.rod]\nmodel = \"{model}\"\nfrom = [0.0, 0.0{third}]\nto = [{}, {}{third}]\nelements = 3\n{more}stiffness = {stiffness}\ninertia = {{ mass = 1.5, rotary = 0.1 }}\nvelocity = [1.0, 1.0{third}]\ndrag = {drag}\n[task.simulate]\n",
                2.0 * cos,
                2.0 * sin
            );
            let found = solved(&text, &[]);
            let way = |c: f64, v: f64, t: f64| match square {
                true => v.signum() * (1.5 / c) * (c * v.abs() * t / 1.5).ln_1p(),
                false => v * 1.5 / c * (1.0 - (-c * t / 1.5).exp()),
            };
            let (along, across) = (cos + sin, cos - sin);
            let x = |t: f64| cos * way(0.3, along, t) - sin * way(0.8, across, t);
            let y = |t: f64| sin * way(0.3, along, t) + cos * way(0.8, across, t);
            let errors = [off(&found, "rod.start.x", x), off(&found, "rod.start.y", y)];
            assert!(errors.iter().all(|error| *error < 1e-5), "{model} {more} {square}: {errors:?}");
        }
    }
}

/// What the fluid takes is missing in the sum of energies, of a chain of a rope, a beam and a body that swings in it.
#[test]
fn energy_goes_into_the_fluid() {
    let text = |dimension: usize| {
        let (third, model, stiffness) = match dimension {
            2 => ("", "beam", "{ axial = 500.0, shear = 200.0, bending = 2.0 }"),
            _ => (", 0.1", "rod", "{ axial = 500.0, shear = 200.0, bending = 2.0, torsion = 1.0 }"),
        };
        let down = if dimension == 2 { "[0.0, -9.81]" } else { "[0.0, -9.81, 0.0]" };
        let flow = if dimension == 2 { "[0.0, 0.0]" } else { "[0.0, 0.0, 0.0]" };
        let drag = "drag = { normal = 0.2, tangential = 0.05, normal-quadratic = 0.4, tangential-quadratic = 0.1 }";
        format!(
            "dimension = {dimension}\ngravity = {down}\n[time]\nend = 1.0\nsteps = 400\n[rod.rope]\nmodel = \"string\"\nfrom = [0.0, 0.0{third}]\nto = [1.0, 0.0{third}]\nelements = 4\nstiffness = {{ axial = 400.0 }}\ninertia = {{ mass = 0.5 }}\n{drag}\n[rod.arm]\nmodel = \"{model}\"\nfrom = [1.0, 0.0{third}]\nto = [1.5, 0.0{third}]\nelements = 3\nstiffness = {stiffness}\ninertia = {{ mass = 0.5, rotary = 0.01 }}\n{drag}\n[body.bob]\nmass = 0.5\ninertia = 0.02\nposition = [1.6, 0.05{third}]\ndrag = {{ linear = 0.3, quadratic = 0.2, rotary = 0.05 }}\n[joint.a]\nbetween = [\"rope.end\", \"arm.start\"]\ntype = \"{}\"\n[joint.b]\nbetween = [\"arm.end\", \"bob\"]\ntype = \"rigid\"\n[support.top]\nat = \"rope.start\"\ntype = \"hinge\"\n[current]\nvelocity = {flow}\n[task.simulate]\n",
            if dimension == 2 { "revolute" } else { "spherical" }
        )
    };
    for dimension in [2, 3] {
        let [gap, taken] = books(&solved(&text(dimension), &[]));
        assert!(taken > 0.5 && gap < 5e-3 * taken, "{dimension}: {gap} of {taken}");
        let [finer, _] = books(&solved(&text(dimension), &["time.steps=800"]));
        assert!(gap / finer > 3.0, "{dimension}: {gap} {finer}");
    }
}

/// With two step lengths: the same motion as with one.
#[test]
fn two_step_lengths_give_the_same_motion() {
    let text = "dimension = 2\ngravity = [0.0, -9.81]\n[time]\nend = 1.0\nsteps = 200\n[body.arm]\nmass = 1.0\ninertia = 0.1\nposition = [0.5, 0.0]\ndrag = { linear = 0.3, quadratic = 0.4, rotary = 0.1 }\n[body.bob]\nmass = 0.5\nposition = [1.5, 0.0]\ndrag = { quadratic = 0.6 }\n[joint.a]\nbetween = [\"ground\", \"arm\"]\nat = [0.0, 0.0]\ntype = \"revolute\"\n[spring.tie]\nbetween = [\"arm\", \"bob\"]\npoints = [[1.0, 0.0], [1.5, 0.0]]\nstiffness = 400.0\nrest = 0.5\n[current]\nvelocity = [0.8, 0.0]\n[task.simulate]\n";
    let one = solved(text, &[]);
    let two = solved(text, &["task.simulate.multirate={ micro = 4, fast = [\"bob\"] }"]);
    for column in ["arm.x", "arm.y", "bob.x", "bob.y"] {
        let [a, b] = [&one, &two].map(|outcome| *outcome.motion.column(column).unwrap().last().unwrap());
        assert!((a - b).abs() < 2e-3, "{column}: {a} {b}");
    }
}

/// A load by the velocities of its own frame is the drag of a body that says the same, in simulations, modes and with two step lengths.
#[test]
fn loads_may_depend_on_the_motion_of_their_frame() {
    let text = |more: &str, load: &str| {
        format!(
            "dimension = 2\ngravity = [0.0, -9.81]\n[time]\nend = 1.0\nsteps = 100\n[body.bob]\nmass = 1.0\ninertia = 0.1\nposition = [1.0, 0.0]\n{more}[joint.a]\nbetween = [\"ground\", \"bob\"]\nat = [0.0, 0.0]\ntype = \"revolute\"\n{load}[task.simulate]\n"
        )
    };
    let load = "[load.drag]\nat = \"bob\"\nforce = [\"-(0.3 + 0.4*hypot(bob.x_dot, bob.y_dot))*bob.x_dot\", \"-(0.3 + 0.4*hypot(bob.x_dot, bob.y_dot))*bob.y_dot\"]\ntorque = \"-0.2*bob.angle_dot\"\n";
    let a = solved(&text("drag = { linear = 0.3, quadratic = 0.4, rotary = 0.2 }\n", ""), &[]);
    let b = solved(&text("", load), &["time.start=0"]);
    for column in ["bob.x", "bob.y", "bob.angle"] {
        let [a, b] = [&a, &b].map(|outcome| *outcome.motion.column(column).unwrap().last().unwrap());
        assert!((a - b).abs() < 1e-9, "{column}: {a} {b}");
    }
    // Component by component, with kinks at rest: it goes on and comes to rest.
    let by_axes = load.replace("-(0.3 + 0.4*hypot(bob.x_dot, bob.y_dot))*bob.x_dot", "-0.5*bob.x_dot*abs(bob.x_dot)");
    let by_axes =
        by_axes.replace("-(0.3 + 0.4*hypot(bob.x_dot, bob.y_dot))*bob.y_dot", "-0.5*bob.y_dot*abs(bob.y_dot)");
    let [gap, taken] = books(&solved(&text("", &by_axes), &[]));
    assert!(taken > 0.5 && gap < 2e-3 * taken, "{gap} of {taken}");
}
