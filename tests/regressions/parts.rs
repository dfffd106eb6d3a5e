//! Parts that did nothing, or something else than the file said: follower actuators, springs and bushings, axes, section masses.

use nalgebra::{Matrix6, Vector6};

use super::outcome;

fn solved(name: &str, text: &str) -> std::collections::BTreeMap<String, f64> {
    let found = outcome(name, text, &[]);
    assert_eq!(found.report.status, "solved", "{name}: {:?}", found.report.message);
    found.report.scalars.into_iter().collect()
}

fn close(what: &str, found: f64, known: f64, tolerance: f64) {
    assert!((found - known).abs() <= tolerance * known.abs().max(1.0), "{what}: {found}, expected {known}");
}

/// A beam in a direction of the plane, with a body at its end that carries no forces.
fn turned_beam(angle: f64) -> String {
    let (sin, cos) = angle.sin_cos();
    format!(
        "dimension = 2\n[time]\nend = 1.0\nsteps = 40\n[rod.beam]\nmodel = \"beam\"\nfrom = [0.0, 0.0]\nto = [{cos:?}, {sin:?}]\nelements = 2\nstiffness = {{ axial = 100.0, shear = 40.0, bending = 1.0 }}\ninertia = {{ mass = 1.0, rotary = 0.05 }}\n[body.tip]\nmass = 0.5\ninertia = 0.02\norientation = {angle:?}\n[joint.tip]\nbetween = [\"tip\", \"beam.end\"]\ntype = \"rigid\"\n[actuator.base]\nat = \"beam@0.5\"\nfollows = true\n"
    )
}

/// Forces that turn with a section do not notice how the whole problem lies in the plane: neither what they cost nor what they do.
#[test]
fn follower_actuators_on_sections_turn_with_the_problem() {
    let cost = |angle: f64| {
        let (sin, cos) = angle.sin_cos();
        let [x, y] = [1.0 + 0.1, 0.2].map(f64::from);
        let text = format!(
            "{}acts = [\"force_x\", \"force_y\", \"torque\"]\n[task.optimal-control]\nobjective = {{ effort = 1.0 }}\nstart = {{}}\nend = {{ \"tip.x\" = {:?}, \"tip.y\" = {:?}, \"tip.angle\" = {angle:?}, beam = \"undeformed\" }}\n",
            turned_beam(angle),
            cos * x - sin * y,
            sin * x + cos * y
        );
        // On this coarse mesh, which is kept, the answer may miss the tolerance of its verification.
        let found = outcome("cost", &text, &["task.optimal-control.grid=stated"]);
        found.report.scalars["objective"]
    };
    let straight = cost(0.0);
    assert!(straight > 1e-3, "{straight}");
    for angle in [0.7, std::f64::consts::FRAC_PI_2, -2.0] {
        close("objective", cost(angle), straight, 1e-6);
    }
    let motion = |angle: f64, component: &str, task: &str| {
        let text = format!(
            "{}acts = [\"{component}\"]\n[task.simulate]\ncontrols = {{ \"base.{component}\" = \"0.3*cos(t)\" }}\n{task}",
            turned_beam(angle)
        );
        let found = solved("motion", &text);
        let [x, y, turn] = ["x", "y", "angle"].map(|key| found[&format!("motion.tip.{key}.final")]);
        let (sin, cos) = angle.sin_cos();
        [cos * x + sin * y, cos * y - sin * x, turn - angle]
    };
    for component in ["force_x", "force_y", "torque"] {
        for task in ["", "multirate = { fast = [\"beam\"], micro = 2 }\n"] {
            let straight = motion(0.0, component, task);
            let moved = (straight[0] - 1.0).abs().max(straight[1].abs()).max(straight[2].abs());
            assert!(moved > 1e-3, "{component} {task}: nothing moves, {straight:?}");
            for angle in [0.7, std::f64::consts::FRAC_PI_2] {
                let turned = motion(angle, component, task);
                (0..3).for_each(|i| close(&format!("{component} {task}"), turned[i], straight[i], 1e-7));
            }
        }
    }
}

/// Axes of joints are directions of the file: a slider-crank whose slider is turned in its own frame moves as the closed form says.
/// With crank r, rod l and φ = asin(r sin θ/l): x = r cos θ + l cos φ, and the energy ½ I(θ) θ̇² stays what it is.
#[test]
fn a_slider_crank_slides_along_the_direction_of_the_file() {
    let (r, l, start, rate) = (0.3_f64, 0.8_f64, 0.5_f64, 4.0_f64);
    let (mass, crank, rod) = ([0.6, 0.9, 1.3], 0.6 * 0.09 / 12.0, 0.9 * 0.64 / 12.0);
    // Positions of crank, rod and slider, angle of the rod, and their derivatives by θ.
    let places = |theta: f64| {
        let (sin, cos) = theta.sin_cos();
        let tilt = (r * sin / l).asin();
        let tilted = r * cos / (l * tilt.cos());
        let slider = r * cos + l * tilt.cos();
        let slid = -r * sin - l * tilt.sin() * tilted;
        let middle = [0.5 * (r * cos + slider), 0.5 * r * sin];
        (slider, tilt, [0.5 * (-r * sin + slid), 0.5 * r * cos], slid, tilted, middle)
    };
    let inertia = |theta: f64| {
        let (_, _, [x, y], slid, tilted, _) = places(theta);
        crank + mass[0] * 0.25 * r * r + mass[1] * (x * x + y * y) + rod * tilted * tilted + mass[2] * slid * slid
    };
    let (slider, tilt, [x_rate, y_rate], slid, tilted, middle) = places(start);
    let (sin, cos) = start.sin_cos();
    let body = |name: &str, mass: f64, inertia: f64, at: [f64; 2], angle: f64, velocity: [f64; 2], spin: f64| {
        format!(
            "[body.{name}]\nmass = {mass:?}\ninertia = {inertia:?}\nposition = {at:?}\norientation = {angle:?}\nvelocity = {velocity:?}\nspin = {spin:?}\n"
        )
    };
    let hinge = |name: &str, a: &str, b: &str, at: [f64; 2]| {
        format!("[joint.{name}]\nbetween = [\"{a}\", \"{b}\"]\ntype = \"revolute\"\nat = {at:?}\n")
    };
    let [end, pin] = [[r * cos, r * sin], [slider, 0.0]];
    let text = [
        "dimension = 2\n[time]\nend = 0.6\nsteps = 3000\n".to_owned(),
        body("crank", mass[0], crank, end.map(|x| 0.5 * x), start, [-0.5 * r * sin * rate, 0.5 * r * cos * rate], rate),
        body("rod", mass[1], rod, middle, -tilt, [x_rate * rate, y_rate * rate], -tilted * rate),
        // Turned by an arbitrary angle: its own axes are none of the problem.
        body("slider", mass[2], 0.1, pin, 0.6, [slid * rate, 0.0], 0.0),
        hinge("main", "ground", "crank", [0.0, 0.0]),
        hinge("end", "crank", "rod", end),
        hinge("pin", "rod", "slider", pin),
        "[joint.slide]\nbetween = [\"slider\", \"ground\"]\ntype.prismatic = { axis = [1.0, 0.0] }\n[task.simulate]\n"
            .to_owned(),
    ]
    .concat();
    let found = solved("slider-crank", &text);
    // θ̇ = θ̇₀ √(I(θ₀)/I(θ)) by Runge and Kutta's method of order 4.
    let slope = |theta: f64| rate * (inertia(start) / inertia(theta)).sqrt();
    let (mut theta, h) = (start, 0.6 / 6000.0);
    for _ in 0..6000 {
        let a = slope(theta);
        let b = slope(theta + 0.5 * h * a);
        let c = slope(theta + 0.5 * h * b);
        theta += h * (a + 2.0 * b + 2.0 * c + slope(theta + h * c)) / 6.0;
    }
    close("crank", found["motion.crank.angle.final"], theta, 2e-6);
    close("slider", found["motion.slider.x.final"], places(theta).0, 2e-6);
    close("slider", found["motion.slider.y.final"], 0.0, 1e-9);
}

/// A body on a joint, one metre from it.
fn hung(kind: &str, spring: &str, more: &str) -> String {
    format!(
        "dimension = 3\n[body.b]\nmass = 2.0\ninertia = [0.5, 0.6, 0.7]\nposition = [1.0, 0.0, 0.0]\n[joint.j]\nbetween = [\"ground\", \"b\"]\ntype{kind}\nat = [0.0, 0.0, 0.0]\n[spring.s]\nat = \"j\"\n{spring}\n{more}"
    )
}

/// A torque about any axis turns a spherical joint with one stiffness about it by M/k; frequencies are √(k/J) about the joint.
#[test]
fn springs_on_spherical_joints_resist_the_rotation_vector() {
    let torque = "[load.m]\nat = \"b\"\ntorque = [0.0, 1.2, 2.4]\n[task.statics]\n";
    let found = solved("spherical", &hung(" = \"spherical\"", "stiffness = 2.0", torque));
    let place = nalgebra::Rotation3::new(nalgebra::Vector3::new(0.0, 0.6, 1.2)) * nalgebra::Vector3::x();
    for (c, key) in ["x", "y", "z"].into_iter().enumerate() {
        close(key, found[&format!("equilibrium.b.{key}")], place[c], 1e-8);
    }
    let text = hung(" = \"spherical\"", "stiffness = [3.0, 4.0, 5.0]", "[task.modes]\ncount = 3\n");
    let found = solved("spherical", &text);
    let mut known = [3.0 / 0.5, 4.0 / 2.6, 5.0 / 2.7].map(|square: f64| square.sqrt() / std::f64::consts::TAU);
    known.sort_by(f64::total_cmp);
    (0..3).for_each(|i| close("mode", found[&format!("modes.{}.frequency", i + 1)], known[i], 1e-9));
}

/// Angles φ₁ about x of the ground and φ₂ about y of the body: k₁φ₁ = M_x and k₂φ₂ = M_y cos φ₁ + M_z sin φ₁.
#[test]
fn springs_on_universal_joints_resist_both_angles() {
    let kind = ".universal = { axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] }";
    let more = "[load.m]\nat = \"b\"\ntorque = [1.6, 1.0, 0.5]\n[task.statics]\n";
    let found = solved("universal", &hung(kind, "stiffness = [2.0, 3.0]\nrest = [0.1, -0.2]", more));
    let first: f64 = 0.1 + 0.8;
    let second = -0.2 + (first.cos() + 0.5 * first.sin()) / 3.0;
    let known = [second.cos(), first.sin() * second.sin(), -first.cos() * second.sin()];
    for (c, key) in ["x", "y", "z"].into_iter().enumerate() {
        close(key, found[&format!("equilibrium.b.{key}")], known[c], 1e-8);
    }
}

/// Modes of a body on a bushing whose stiffness couples everything: det(K − ω²M) = 0.
#[test]
fn bushings_hold_by_their_whole_matrix() {
    let stiffness = Matrix6::from_fn(|i, j| match i == j {
        true => 400.0 + 50.0 * i as f64,
        false => 10.0 * ((i * j) as f64 - 4.0),
    });
    let rows = |matrix: &Matrix6<f64>| -> String {
        let row = |i: usize| format!("{:?}", matrix.row(i).iter().copied().collect::<Vec<f64>>());
        (0..6).map(row).collect::<Vec<_>>().join(", ")
    };
    let text = |task: &str, damping: &str| {
        format!(
            "dimension = 3\n[body.b]\nmass = 2.0\ninertia = [0.5, 0.6, 0.7]\nposition = [0.3, 0.1, -0.2]\n[spring.mount]\nbetween = [\"ground\", \"b\"]\nbushing = {{ stiffness-matrix = [{}]{damping} }}\n{task}",
            rows(&stiffness)
        )
    };
    let root = Matrix6::from_diagonal(&Vector6::new(2.0, 2.0, 2.0, 0.5, 0.6, 0.7).map(|m: f64| 1.0 / m.sqrt()));
    let mut known: Vec<f64> = (root * stiffness * root).symmetric_eigenvalues().iter().copied().collect();
    known.sort_by(f64::total_cmp);
    let found = solved("bushing", &text("[task.modes]\ncount = 6\n", ""));
    for (i, square) in known.iter().enumerate() {
        let frequency = found[&format!("modes.{}.frequency", i + 1)];
        close("mode", frequency, square.sqrt() / std::f64::consts::TAU, 1e-9);
    }
    // A small force moves by K⁻¹ f.
    let load = "[load.f]\nat = \"b\"\nforce = [0.001, -0.002, 0.003]\n[task.statics]\n";
    let found = solved("bushing", &text(load, ""));
    let moved = stiffness.try_inverse().unwrap() * Vector6::new(0.001, -0.002, 0.003, 0.0, 0.0, 0.0);
    for (c, (key, at)) in [("x", 0.3), ("y", 0.1), ("z", -0.2)].into_iter().enumerate() {
        close(key, found[&format!("equilibrium.b.{key}")], at + moved[c], 1e-9);
    }
    // Dampings of a body with one stiffness: x = exp(−d t/2m) (cos ω't + d/(2mω') sin ω't) x₀ from rest.
    let plane = "dimension = 2\n[time]\nend = 1.5\nsteps = 3000\n[body.b]\nmass = 2.0\ninertia = 0.5\nposition = [0.0, 0.0]\nspin = 0.4\n[spring.mount]\nbetween = [\"ground\", \"b\"]\nbushing = { stiffness = [50.0, 60.0, 8.0], damping = [1.0, 2.0, 0.3] }\n[task.simulate]\n";
    let found = solved("bushing", plane);
    let (decay, omega) = (0.3 / (2.0 * 0.5), (8.0_f64 / 0.5 - 0.09).sqrt());
    let angle = 0.4 / omega * (-decay * 1.5_f64).exp() * (omega * 1.5).sin();
    close("angle", found["motion.b.angle.final"], angle, 1e-6);
}

/// A mass on a slide with a spring given by an expression.
fn slide(spring: &str, more: &str) -> String {
    format!(
        "dimension = 2\n[time]\nend = 2.0\nsteps = 4000\n[body.b]\nmass = 1.5\ninertia = 0.1\nposition = [1.0, 0.0]\n[joint.rail]\nbetween = [\"ground\", \"b\"]\ntype.prismatic = {{ axis = [1.0, 0.0] }}\n[spring.s]\n{spring}\n{more}"
    )
}

/// 20 x + 300 x³ under 6.4 N stands at x = 0.2 and vibrates with √((20 + 900 x²)/m); a contact behind a gap of 0.1 m resists by (x − 0.1)^1.5.
#[test]
fn springs_by_expressions_stand_and_vibrate_as_they_say() {
    let pull = "[load.f]\nat = \"b\"\nforce = [6.4, 0.0]\n";
    let line = "between = [\"ground\", \"b\"]\npoints = [[0.0, 0.0], [1.0, 0.0]]\n";
    for spring in [
        "at = \"rail\"\nforce = \"20*x + 300*x^3 + 2*v\"".to_owned(),
        "at = \"rail\"\nenergy = \"10*x^2 + 75*x^4\"".to_owned(),
        format!("{line}force = \"20*x + 300*x^3\""),
        format!("{line}energy = \"10*x^2 + 75*x^4\"\ndamping = 1.0"),
    ] {
        let found = solved("nonlinear", &slide(&spring, &format!("{pull}[task.statics]\n")));
        close(&spring, found["equilibrium.b.x"], 1.2, 1e-9);
        let modes = format!("{pull}[task.modes]\ncount = 1\nabout = \"equilibrium\"\ndamped = false\n");
        let found = solved("nonlinear", &slide(&spring, &modes));
        close(&spring, found["modes.1.frequency"], (56.0_f64 / 1.5).sqrt() / std::f64::consts::TAU, 1e-8);
    }
    let gap = "at = \"rail\"\nforce = \"x + 1000*max(x - 0.1, 0)^1.5\"";
    let found = solved("gap", &slide(gap, &format!("{pull}[task.statics]\n")));
    let x = found["equilibrium.b.x"] - 1.0;
    close("gap", x + 1000.0 * (x - 0.1).powf(1.5), 6.4, 1e-9);
}

/// m ẍ + 20 x + 300 x³ + 0.5 v + 2 x² v + 3 v³ = 0 by Runge and Kutta's method, against both engines.
#[test]
fn springs_by_expressions_move_as_their_equation() {
    let acceleration =
        |x: f64, v: f64| -(20.0 * x + 300.0 * x.powi(3) + 0.5 * v + 2.0 * x * x * v + 3.0 * v.powi(3)) / 1.5;
    let (mut x, mut v, h) = (0.0_f64, 1.0_f64, 2.0 / 20000.0);
    for _ in 0..20000 {
        let (x1, v1) = (v, acceleration(x, v));
        let (x2, v2) = (v + 0.5 * h * v1, acceleration(x + 0.5 * h * x1, v + 0.5 * h * v1));
        let (x3, v3) = (v + 0.5 * h * v2, acceleration(x + 0.5 * h * x2, v + 0.5 * h * v2));
        let (x4, v4) = (v + h * v3, acceleration(x + h * x3, v + h * v3));
        x += h * (x1 + 2.0 * x2 + 2.0 * x3 + x4) / 6.0;
        v += h * (v1 + 2.0 * v2 + 2.0 * v3 + v4) / 6.0;
    }
    let spring = "at = \"rail\"\nforce = \"20*x + 300*x^3 + 0.5*v + 2*x^2*v + 3*v^3\"";
    let begun = slide(spring, "[task.simulate]\n").replace("inertia = 0.1\n", "inertia = 0.1\nvelocity = [1.0, 0.0]\n");
    close("simulate", solved("motion", &begun)["motion.b.x.final"], 1.0 + x, 1e-6);
    let rates =
        "[task.simulate]\nstart = { \"b.x\" = 1.0, \"b.x_dot\" = 1.0 }\nmultirate = { fast = [\"b.x\"], micro = 1 }\n";
    close("multirate", solved("motion", &slide(spring, rates))["motion.b.x.final"], 1.0 + x, 1e-6);
}

/// A section by its mass matrix is the section by its mass, mass centre and inertia about that.
#[test]
fn section_mass_matrices_are_masses_centres_and_inertias() {
    let text = |inertia: &str| {
        format!(
            "dimension = 3\n[rod.r]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nnormal = [0.0, 1.0, 0.0]\nelements = 4\nstiffness = {{ axial = 200.0, shear = [90.0, 70.0], bending = [3.0, 5.0], torsion = 2.0 }}\n{inertia}[support.s]\nat = \"r.start\"\ntype = \"clamp\"\n[task.modes]\ncount = 6\n"
        )
    };
    let (m, c, i) = (0.8_f64, [0.05, -0.03], [0.01, 0.02, 0.03]);
    let by_parts = "inertia = { mass = 0.8, rotary = [0.01, 0.02, 0.03] }\noffset = { mass = [0.05, -0.03] }\n";
    let matrix = |product: f64| {
        let [s1, s2] = [m * c[0], m * c[1]];
        let squares = [m * c[1] * c[1], m * c[0] * c[0], m * (c[0] * c[0] + c[1] * c[1])];
        let mixed = product - m * c[0] * c[1];
        format!(
            "inertia.matrix = [[{m}, 0, 0, 0, 0, {}], [0, {m}, 0, 0, 0, {s1}], [0, 0, {m}, {s2}, {}, 0], [0, 0, {s2}, {}, {mixed}, 0], [0, 0, {}, {mixed}, {}, 0], [{}, {s1}, 0, 0, 0, {}]]\n",
            -s2,
            -s1,
            i[0] + squares[0],
            -s1,
            i[1] + squares[1],
            -s2,
            i[2] + squares[2]
        )
    };
    let (parts, whole) = (solved("parts", &text(by_parts)), solved("matrix", &text(&matrix(0.0))));
    let frequency = |found: &std::collections::BTreeMap<String, f64>, i: usize| found[&format!("modes.{i}.frequency")];
    (1..=6).for_each(|i| close("mode", frequency(&whole, i), frequency(&parts, i), 1e-10));
    let coupled = solved("coupled", &text(&matrix(0.008)));
    assert!((1..=6).any(|i| (frequency(&coupled, i) / frequency(&parts, i) - 1.0).abs() > 1e-4));
    let wrong = matrix(0.0).replacen("0.8", "0.9", 1);
    let found = lariat::problem::load("wrong", &text(&wrong), &[]).expect_err("no rigid section");
    assert!(found.list.iter().any(|one| one.message.contains("row 2, column 2")), "{found}");
}

/// Systems stated by their Lagrangian: a double pendulum of unit masses and rods has ω² = g (2 ∓ √2), a pendulum in x and y the one
/// of its angle, a damped one half the damping over its inertia; upside down it grows. Mobility says why it does not apply.
#[test]
fn systems_rest_and_vibrate() {
    let double = "[let]\ng = 9.81\n[system]\ncoordinates = [\"a\", \"b\"]\nlagrangian = \"a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b) + g*(2*cos(a) + cos(b))\"\n";
    let found = solved("double", &format!("{double}[task.statics]\nstart = {{ a = 0.4, b = -0.3 }}\n"));
    close("a", found["equilibrium.a"], 0.0, 1e-12);
    assert_eq!(found["stability.unstable_directions"], 0.0);
    let found = solved("double", &format!("{double}[task.modes]\ncount = 2\n"));
    for (mode, sign) in [(1, -1.0), (2, 1.0)] {
        let square: f64 = 9.81 * (2.0 + sign * 2.0_f64.sqrt());
        close("omega", found[&format!("modes.{mode}.omega")], square.sqrt(), 1e-12);
    }
    let held = "[let]\ng = 9.81\n[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2 - g*y\"\nconstraints = { rod = \"x^2 + y^2 - 4\" }\n";
    for (start, unstable) in [(-1.5, 0.0), (1.5, 1.0)] {
        let text = format!("{held}[task.modes]\ncount = 1\nstart = {{ x = 0.3, y = {start} }}\n");
        let found = solved("held", &text);
        close("y", found["equilibrium.y"], 2.0 * f64::signum(start), 1e-10);
        let root = (9.81_f64 / 2.0).sqrt();
        let key = if unstable > 0.0 { "modes.1.real" } else { "modes.1.omega" };
        close(key, found[key], root, 1e-10);
        assert_eq!(found["stability.unstable_directions"], unstable);
    }
    let damped = "[system]\ncoordinates = [\"x\"]\nlagrangian = \"x_dot^2 - 8*x^2 + x\"\nforces = { x = \"-0.6*x_dot\" }\n[task.modes]\ncount = 1\n";
    let found = solved("damped", damped);
    close("x", found["equilibrium.x"], 1.0 / 16.0, 1e-12);
    close("real", found["modes.1.real"], -0.15, 1e-12);
    close("omega", found["modes.1.omega"], (8.0_f64 - 0.0225).sqrt(), 1e-12);
    let found = lariat::problem::load("mobility", &format!("{double}[task.mobility]\n"), &[]).expect_err("no joints");
    assert!(found.list.iter().any(|one| one.message.contains("coordinates and constraints itself")), "{found}");
}

/// `check` says in which frame an axis is fixed and about which point an inertia is: 0.01 about the mass centre is
/// 0.01 + 0.8 · 0.05² about the axis of the rod.
#[test]
fn check_tells_axes_and_inertias() {
    let text = "dimension = 3\n[rod.r]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nelements = 2\nstiffness = { axial = 200.0, shear = 90.0, bending = 3.0, torsion = 2.0 }\ninertia = { mass = 0.8, rotary = [0.01, 0.02, 0.03] }\noffset = { mass = [0.0, 0.05] }\n[body.b]\nmass = 1.0\ninertia = 0.1\nposition = [1.0, 0.0, 0.0]\norientation = [0.0, 0.0, 0.5]\n[joint.j]\nbetween = [\"b\", \"r.end\"]\ntype.universal = { axes = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] }\n[spring.s]\nat = \"j\"\nstiffness = [2.0, 3.0]\n[support.s]\nat = \"r.start\"\ntype = \"clamp\"\n[task.modes]\ncount = 2\n";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inertia.toml");
    std::fs::write(&file, text).unwrap();
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_lariat")).arg("check").arg(&file).output().unwrap();
    let told = String::from_utf8(ran.stdout).unwrap();
    for part in [
        "universal about (0, 1, 0) fixed in b and (0, 0, 1) fixed in r.end",
        "(0.01, 0.02, 0.03) about d1, d2, d3 kg m about the mass centre, (0.012, 0.02, 0.032) kg m about the axis",
        "stiffness (2, 3), damping (0, 0), on joint j, against both angles",
    ] {
        assert!(told.contains(part), "no \"{part}\" in\n{told}");
    }
}
