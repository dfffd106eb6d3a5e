//! Loads, springs and bodies at the ends and along the way.

use crate::{PATH, ROD, UNIFORM, apart, solved, task};

fn beam(more: &str) -> String {
    format!("{PATH}{ROD}{UNIFORM}{more}{}", task("space-march"))
}

/// The angle of the tip is prescribed, so a load that follows it is a dead load of known components. In a plane section the
/// first component is across the rod, the second along it.
#[test]
fn a_load_that_follows_the_path_is_a_known_dead_load() {
    let follows = beam(
        "[load.tip]\nat = \"beam.end\"\nforce = [\"0.02*sigma\", \"0.006*sigma\"]\ntorque = \"0.002*sigma\"\nfollows = true\n",
    );
    let dead = beam(
        "[load.tip]\nat = \"beam.end\"\nforce = [\"0.006*sigma*cos(0.5*sigma) - 0.02*sigma*sin(0.5*sigma)\", \"0.006*sigma*sin(0.5*sigma) + 0.02*sigma*cos(0.5*sigma)\"]\ntorque = \"0.002*sigma\"\n",
    );
    let found = apart(&solved(&follows), &solved(&dead));
    assert!(found < 1e-6, "{found:e}");
}

/// A spring with a damper between the ground and the tip, whose motion is prescribed, is a load of known components:
/// −(k (l − l₀) + c l̇) along the line from (1, 0.5).
#[test]
fn a_spring_to_the_ground_is_a_known_load() {
    let spring = "[spring.s]\nbetween = [\"ground\", \"beam.end\"]\npoints = [[1.0, 0.5], [1.0, 0.0]]\nstiffness = 0.2\ndamping = 0.3\n";
    let dx = "(cos(0.5*sigma) - 1)";
    let dy = "(sin(0.5*sigma) - 0.5)";
    let length = format!("sqrt({dx}^2 + {dy}^2)");
    // l̇ = (dx ẋ + dy ẏ)/l with the rate of sigma by central differences of the smooth path: small width, error 1e-9.
    let rate = "((rest(t + 1e-4, 2, 4, 8) - rest(t - 1e-4, 2, 4, 8))/2e-4)";
    let speed = format!("(({dx}*(-sin(0.5*sigma)) + {dy}*cos(0.5*sigma))*0.5*{rate}/{length})");
    let pull = format!("(-(0.2*({length} - 0.5) + 0.3*{speed})/{length})");
    let load = format!("[load.s]\nat = \"beam.end\"\nforce = [\"{pull}*{dx}\", \"{pull}*{dy}\"]\n");
    let found = apart(&solved(&beam(spring)), &solved(&beam(&load)));
    assert!(found < 1e-6, "{found:e}");
}

/// A uniform load along the rod is weight.
#[test]
fn a_uniform_line_load_is_gravity() {
    for method in ["space-march", "galerkin"] {
        // A section stated as a profile, though constant, makes both of them rods in a row.
        let section = UNIFORM.replace("bending = 1.0", "bending = \"1 + 0*s\"");
        let gravity = format!("gravity = [0.0, -0.05]\n{PATH}{ROD}{section}{}", task(method));
        let line =
            format!("{PATH}{ROD}{UNIFORM}[load.line]\nalong = \"beam\"\nforce = [\"0*s\", -0.05]\n{}", task(method));
        let found = apart(&solved(&gravity), &solved(&line));
        assert!(found < 1e-8, "{method}: {found:e}");
    }
}

/// A body in the middle of a rod, and on the junction of two halves, by two methods. The halves are the rod.
#[test]
fn a_body_inside_a_rod_is_one_on_the_junction_of_its_halves() {
    let body = |place: &str| {
        format!(
            "[body.pay]\nmass = 0.1\ninertia = 0.02\n[joint.pay]\nbetween = [\"pay\", \"{place}\"]\ntype = \"rigid\"\n"
        )
    };
    let whole = beam(&body("beam@0.5"));
    let halves = |method: &str, more: &str| {
        let path = PATH.replace("\"beam.end\"", "\"far.end\"");
        let first = ROD.replace("to = [1.0, 0.0]", "to = [0.5, 0.0]").replace("elements = 20", "elements = 10");
        let far = first.replace("rod.beam", "rod.far").replace("[0.5, 0.0]", "[1.0, 0.0]");
        let far = far.replace("from = [0.0, 0.0]", "from = [0.5, 0.0]");
        let joint = "[joint.middle]\nbetween = [\"beam.end\", \"far.start\"]\ntype = \"rigid\"\n";
        format!("{path}{first}{UNIFORM}{far}{UNIFORM}{joint}{more}{}", task(method))
    };
    let marched = solved(&halves("space-march", &body("beam.end")));
    let found = apart(&solved(&whole), &marched);
    assert!(found < 1e-10, "{found:e}");
    let elements = solved(&halves("galerkin", &body("far.start")));
    let found = apart(&marched, &elements);
    assert!(found < 4e-2, "{found:e}");
    let found = apart(&solved(&beam("")), &solved(&halves("space-march", "")));
    assert!(found < 1e-10, "{found:e}");
}

/// A rigid rod beyond the tip is a body with its mass, mass centre and inertia about it.
#[test]
fn a_rigid_rod_is_a_body() {
    let rod = beam(
        "[rod.tool]\nmodel = \"beam\"\nrigid = true\nfrom = [1.0, 0.0]\nto = [1.2, 0.0]\nelements = 1\ninertia = { mass = 0.5, rotary = 0.1 }\n[joint.tool]\nbetween = [\"beam.end\", \"tool.start\"]\ntype = \"rigid\"\n",
    );
    // Mass 0.5 · 0.2, inertia 0.1 · 0.2 + m l²/12.
    let inertia = 0.02 + 0.1 * 0.04 / 12.0;
    let body = beam(&format!(
        "[body.tool]\nmass = 0.1\ninertia = {inertia}\nposition = [1.1, 0.0]\n[joint.tool]\nbetween = [\"beam.end\", \"tool\"]\ntype = \"rigid\"\nat = [1.0, 0.0]\n"
    ));
    let found = apart(&solved(&rod), &solved(&body));
    assert!(found < 1e-10, "{found:e}");
}

/// An actuator that follows the driven section applies the same force in its turning axes: across and along the rod.
#[test]
fn an_actuator_that_follows_applies_the_same_force() {
    let (fixed, turned) = (solved(&beam("")), solved(&beam("").replace("acts =", "follows = true\nacts =")));
    let column = |outcome: &lariat::results::Outcome, name: &str| outcome.actuation.column(name).unwrap().to_vec();
    let angle = fixed.motion.column("beam.start.angle").unwrap();
    let [fx, fy] = ["base.force_x", "base.force_y"].map(|name| column(&fixed, name));
    let [across, along] = ["base.force_x", "base.force_y"].map(|name| column(&turned, name));
    for k in 0..angle.len() {
        let (sin, cos) = angle[k].sin_cos();
        assert!((cos * fx[k] + sin * fy[k] - along[k]).abs() < 1e-9, "instant {k}");
        assert!((cos * fy[k] - sin * fx[k] - across[k]).abs() < 1e-9, "instant {k}");
    }
}
