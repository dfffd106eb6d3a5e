//! Closed loops whose joints repeat each other: left out where that is sound, kept where it is not.

use super::*;

/// Parallel links of 1 m and 1 kg on hinges about z, with bars across their ends: `loops` four-bar linkages in a row.
fn four_bars(loops: usize, task: &str) -> String {
    let mut text = "dimension = 3\ngravity = [0, -9.81, 0]\n".to_owned();
    let mut rod = |name: &str, from: [usize; 2], to: [usize; 2], velocity: &str| {
        let place = |p: [usize; 2]| format!("[{}, {}, 0]", p[0], p[1]);
        text += &format!(
            "[rod.{name}]\nmodel = \"rod\"\nrigid = true\nfrom = {}\nto = {}\nelements = 1\ninertia = {{ mass = 1.0 }}\nvelocity = [\"{velocity}\", \"0\", \"0\"]\n",
            place(from),
            place(to)
        );
    };
    for k in 0..=loops {
        rod(&format!("link{k}"), [k, 0], [k, 1], "s");
    }
    for k in 0..loops {
        rod(&format!("bar{k}"), [k, 1], [k + 1, 1], "1");
    }
    let mut hinge = |name: String, a: String, b: String| {
        text += &format!("[joint.{name}]\nbetween = [\"{a}\", \"{b}\"]\ntype.revolute = {{ axis = [0, 0, 1] }}\n");
    };
    for k in 0..=loops {
        hinge(format!("foot{k}"), "ground".into(), format!("link{k}.start"));
    }
    for k in 0..loops {
        hinge(format!("left{k}"), format!("link{k}.end"), format!("bar{k}.start"));
        hinge(format!("right{k}"), format!("link{}.end", k + 1), format!("bar{k}.end"));
    }
    text + task
}

/// ((N + 1)/3 + N) φ'' = g ((N + 1)/2 + N) sin φ from φ = 0, φ' = 1 (D7), by Runge-Kutta.
fn four_bar_angle(loops: usize, end: f64) -> f64 {
    let n = loops as f64;
    let factor = 9.81 * ((n + 1.0) / 2.0 + n) / ((n + 1.0) / 3.0 + n);
    let (mut y, steps) = ([0.0_f64, 1.0], 20_000);
    let h = end / f64::from(steps);
    let f = |y: [f64; 2]| [y[1], factor * y[0].sin()];
    let shifted = |y: [f64; 2], k: [f64; 2], by: f64| [y[0] + by * k[0], y[1] + by * k[1]];
    for _ in 0..steps {
        let a = f(y);
        let b = f(shifted(y, a, 0.5 * h));
        let c = f(shifted(y, b, 0.5 * h));
        let d = f(shifted(y, c, h));
        y = [0, 1].map(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    y[0]
}

/// The closed form itself against the value of D7 at t = 10.
#[test]
fn the_equation_of_the_four_bars_is_that_of_the_reference() {
    let phi = four_bar_angle(2, 10.0);
    assert!((phi.sin() - 0.328458111540815).abs() < 1e-8 && (phi.cos() - 0.944518538178601).abs() < 1e-8, "{phi}");
}

#[test]
fn four_bars_in_space_move_as_in_the_plane() {
    for loops in [1, 3] {
        let phi = four_bar_angle(loops, 1.0);
        let errors = [250, 500].map(|steps| {
            let task = format!("[time]\nend = 1.0\nsteps = {steps}\n[task.simulate]\n");
            let found = solved(&four_bars(loops, &task), &[]);
            let warned =
                found.report.warnings.iter().any(|warning| warning.contains("redundant conditions are left out"));
            assert!(warned, "{:?}", found.report.warnings);
            // The joint that lost conditions is closed all the same.
            let gap = ["x", "y", "z"]
                .map(|c| last(&found, &format!("bar0.end.{c}")) - last(&found, &format!("link1.end.{c}")));
            assert!(gap.iter().all(|gap| gap.abs() < 1e-10), "{gap:?}");
            (last(&found, "link0.end.x") - phi.sin()).hypot(last(&found, "link0.end.y") - phi.cos())
        });
        assert!(errors[1] < 1e-4, "{errors:?}");
        assert_order(2.0, &errors, 0.1, 2.0);
    }
}

/// Hanging down, parallel links swing with ω² = g ((N + 1)/2 + N)/((N + 1)/3 + N); the loops hold in modes too.
#[test]
fn hanging_four_bars_swing() {
    let text = four_bars(2, "[task.modes]\ncount = 1\nabout = \"equilibrium\"\n").replace("-9.81", "9.81");
    let expected = (9.81 * 3.5_f64 / 3.0).sqrt();
    let omega = scalar(&solved(&text, &[]), "modes.1.omega");
    assert!((omega / expected - 1.0).abs() < 1e-8, "{omega} {expected}");
}

/// Bennett's linkage: four links with sin α/a = sin β/b, opposite ones alike, skew hinges; it moves although its joints
/// have two conditions more than there are coordinates. In its reference configuration the angles θ of the hinges satisfy
/// tan(θ₁/2) tan(θ₂/2) = sin((α + β)/2)/sin((β − α)/2).
#[test]
fn bennetts_linkage_moves() {
    use nalgebra::{Rotation3, Unit, Vector3};
    let (a, alpha, beta) = (1.0_f64, 0.5_f64, 1.1_f64);
    let b = a * beta.sin() / alpha.sin();
    let first = 1.2_f64;
    let ratio = (0.5 * (alpha + beta)).sin() / (0.5 * (beta - alpha)).sin();
    let second = 2.0 * (ratio / (0.5 * first).tan()).atan();
    // Denavit and Hartenberg: turn about the axis, walk along the link, twist about it.
    let (mut place, mut axis, mut along) = (Vector3::zeros(), Vector3::z(), Vector3::x());
    let mut hinges = Vec::new();
    for (theta, length, twist) in [(first, a, alpha), (second, b, beta), (-first, a, alpha), (-second, b, beta)] {
        hinges.push((place, axis));
        along = Rotation3::from_axis_angle(&Unit::new_normalize(axis), theta) * along;
        place += along * length;
        axis = Rotation3::from_axis_angle(&Unit::new_normalize(along), twist) * axis;
    }
    assert!(place.norm() < 1e-12 && (axis - Vector3::z()).norm() < 1e-12, "open: {place} {axis}");
    let mut text = "dimension = 3\ngravity = [0.3, -9.81, 1.0]\ntime = { end = 0.3, steps = 60 }\n".to_owned();
    let list = |v: &Vector3<f64>| format!("[{:e}, {:e}, {:e}]", v[0], v[1], v[2]);
    for k in 0..3 {
        let (from, to) = (hinges[k].0, hinges[k + 1].0);
        text += &format!(
            "[body.link{k}]\nmass = 1.0\ninertia = [0.1, 0.2, 0.3]\nposition = {}\n",
            list(&((from + to) * 0.5))
        );
    }
    let names = ["ground", "link0", "link1", "link2", "ground"];
    for (k, (place, axis)) in hinges.iter().enumerate() {
        text += &format!(
            "[joint.h{k}]\nbetween = [\"{}\", \"{}\"]\nat = {}\ntype.revolute = {{ axis = {} }}\n",
            names[k],
            names[k + 1],
            list(place),
            list(axis)
        );
    }
    let found = solved(&(text.clone() + "[task.simulate]\n"), &[]);
    assert!(found.report.warnings.iter().any(|warning| warning.contains("h3")), "{:?}", found.report.warnings);
    let moved = last(&found, "link1.x") - 0.5 * (hinges[1].0 + hinges[2].0)[0];
    assert!(moved.abs() > 0.02, "moved by {moved} m");
    // With a wrong angle the loop would be rigid: another reference configuration of the same links.
    let twisted = text.replace(&list(&hinges[3].1), &list(&(hinges[3].1 + Vector3::new(0.05, 0.0, 0.0)).normalize()));
    let stuck = outcome(&(twisted + "[task.simulate]\n"), &[]);
    let way = if stuck.report.status == "solved" {
        last(&stuck, "link1.x") - 0.5 * (hinges[1].0 + hinges[2].0)[0]
    } else {
        0.0
    };
    assert!(way.abs() < 1e-6, "a linkage that cannot move moved by {way} m");
}

/// Three hinges on one line depend on each other there and nowhere else: nothing is left out, the step is singular.
#[test]
fn dead_centres_are_no_repetitions() {
    let text = r#"
dimension = 2
gravity = [0, -9.81]
time = { end = 0.1, steps = 10 }
[rod.a]
model = "beam"
rigid = true
from = [0, 0]
to = [1, 0]
elements = 1
inertia = { mass = 1.0 }
[rod.b]
model = "beam"
rigid = true
from = [1, 0]
to = [2, 0]
elements = 1
inertia = { mass = 1.0 }
[joint.left]
between = ["ground", "a.start"]
type = "revolute"
[joint.middle]
between = ["a.end", "b.start"]
type = "revolute"
[joint.right]
between = ["ground", "b.end"]
type = "revolute"
[task.simulate]
"#;
    let found = outcome(text, &[]);
    assert_ne!(found.report.status, "solved");
    assert!(!found.report.warnings.iter().any(|warning| warning.contains("redundant")), "{:?}", found.report.warnings);
}

/// A rigid bar on three hinged supports is held too often, and rests.
#[test]
fn a_rigid_bar_on_too_many_supports_rests() {
    let text = r#"
dimension = 2
gravity = [0, -9.81]
[rod.bar]
model = "beam"
rigid = true
from = [0, 0]
to = [2, 0]
elements = 2
inertia = { mass = 1.0 }
[support.a]
at = "bar.start"
type = "hinge"
[support.b]
at = "bar.end"
type = "hinge"
[support.c]
at = "bar@0.5"
type = "hinge"
[task.statics]
"#;
    let found = solved(text, &[]);
    assert!(found.report.warnings.iter().any(|warning| warning.contains("redundant")), "{:?}", found.report.warnings);
    assert!(scalar(&found, "equilibrium.bar.end.y").abs() < 1e-12);
}
