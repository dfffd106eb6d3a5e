//! Strings and ropes in a row.

use crate::{apart, refused, solved, task};

const ROPE: &str = r#"
dimension = 2
gravity = [0.0, -9.81]
[time]
end = 6.0
steps = 240
[let]
sigma = "rest(t, 2, 4, 8)"
[body.load]
mass = 1.0
[actuator.trolley]
at = "upper.start"
acts = ["force_x", "force_y"]
[servo.load]
at = "load"
x = "0.5*sigma"
y = "0.1*sigma"
"#;

fn piece(name: &str, from: f64, to: f64, elements: usize) -> String {
    format!(
        "[rod.{name}]\nmodel = \"string\"\nfrom = [0.0, {from:?}]\nto = [0.0, {to:?}]\nelements = {elements}\nstiffness = {{ axial = 100.0 }}\ninertia = {{ mass = 0.5 }}\n"
    )
}

fn hook(at: &str) -> String {
    format!("[joint.hook]\nbetween = [\"load\", \"{at}\"]\ntype = \"rigid\"\n")
}

fn whole(method: &str) -> String {
    format!("{ROPE}{}{}{}", piece("upper", 1.0, 0.0, 16), hook("upper.end"), task(method))
}

fn halves(more: &str, method: &str) -> String {
    let rods = piece("upper", 1.0, 0.5, 8) + &piece("lower", 0.5, 0.0, 8);
    let knot = "[joint.knot]\nbetween = [\"upper.end\", \"lower.start\"]\ntype = \"rigid\"\n";
    format!("{ROPE}{rods}{knot}{}{more}{}", hook("lower.end"), task(method))
}

/// Two halves tied together are the rope, for every method.
#[test]
fn halves_are_the_rope() {
    for method in ["space-march", "characteristics", "galerkin"] {
        let found = apart(&solved(&whole(method)), &solved(&halves("", method)));
        assert!(found < 1e-8, "{method}: {found:e}");
    }
}

/// A mass on the knot: marches and finite elements agree to their own errors, and it is not without effect.
#[test]
fn a_mass_on_the_way_is_carried() {
    let mass = "[body.block]\nmass = 0.4\n[joint.block]\nbetween = [\"block\", \"upper.end\"]\ntype = \"rigid\"\n";
    let march = solved(&halves(mass, "space-march"));
    for method in ["characteristics", "galerkin"] {
        let found = apart(&march, &solved(&halves(mass, method)));
        assert!(found < 3e-2, "{method}: {found:e}");
    }
    assert!(apart(&march, &solved(&halves("", "space-march"))) > 0.1);
    // At rest the trolley carries everything: (1 + 0.4 + 0.5) g.
    let carried = march.report.scalars["actuation.trolley.force_y.initial"];
    assert!((carried - 1.9 * 9.81).abs() < 1e-9, "{carried}");
}

/// A string does not tell how a beam beyond it is turned.
#[test]
fn strings_and_beams_do_not_mix() {
    let beam = "[rod.lower]\nmodel = \"beam\"\nfrom = [0.0, 0.5]\nto = [0.0, 0.0]\nelements = 8\nstiffness = { axial = 100.0, shear = 40.0, bending = 1.0 }\ninertia = { mass = 0.5, rotary = 0.01 }\n";
    let knot = "[joint.knot]\nbetween = [\"upper.end\", \"lower.start\"]\ntype = \"rigid\"\n";
    let rods = piece("upper", 1.0, 0.5, 8) + beam;
    let told = refused(&format!(
        "{}{rods}{knot}{}{}",
        ROPE.replace("y = \"0.1*sigma\"", "y = \"0.1*sigma\"\nangle = \"-pi/2\"")
            .replace("\"force_y\"]", "\"force_y\", \"torque\"]"),
        hook("lower.end"),
        task("space-march")
    ));
    assert!(told.contains("`upper` is a string"), "{told}");
}
