//! Marches along rods in a fluid against independent references: Fourier series in time, Runge-Kutta along s; another scheme and a
//! forward simulation agree to 2e-7 and better. See tests/data/SOURCES.md.

use crate::{Outcome, outcome, solved};

/// Distance of the samples of the references, second.
const APART: f64 = 0.04;

/// Largest difference of each column from the reference, over its largest value.
fn errors(found: &Outcome, reference: &str, columns: &[&str]) -> Vec<f64> {
    let rows: Vec<Vec<f64>> =
        reference.lines().skip(1).map(|line| line.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    let table = &found.actuation;
    let every = (APART / (table.t[1] - table.t[0])).round() as usize;
    let mut errors = Vec::new();
    for (column, name) in columns.iter().enumerate() {
        let values = table.column(name).or_else(|| found.motion.column(name)).unwrap_or_else(|| panic!("no {name}"));
        let largest = rows.iter().map(|row| row[1 + column].abs()).fold(0.0, f64::max);
        let worst =
            rows.iter().enumerate().map(|(k, row)| (values[k * every] - row[1 + column]).abs()).fold(0.0, f64::max);
        errors.push(worst / largest);
    }
    errors
}

/// Errors on two grids, one of which has dt = 0.01: small there, and falling with the second order.
fn check(text: &str, steps: [usize; 2], reference: &str, columns: &[&str]) {
    let [coarse, fine] = steps.map(|steps| {
        let found = solved(text, &[&format!("time.steps={steps}")]);
        errors(&found, reference, columns)
    });
    for (column, (coarse, fine)) in columns.iter().zip(coarse.iter().zip(&fine)) {
        println!("{column}: {coarse:.2e} {fine:.2e} order {:.2}", (coarse / fine).log2());
        assert!(*coarse < 2e-4, "{column}: {coarse:e}");
        assert!((coarse / fine).log2() > 1.9, "{column}: {coarse:e} {fine:e}");
    }
}

fn gallery(name: &str) -> &'static str {
    lariat::problem::gallery().iter().find(|(known, _)| *known == name).unwrap().1
}

const BEAM: [&str; 6] =
    ["base.force_x", "base.force_y", "base.torque", "beam.start.x", "beam.start.y", "beam.start.angle"];

#[test]
fn a_beam_with_linear_drag() {
    let text = gallery("beam-in-fluid");
    check(text, [800, 1600], include_str!("../data/beam_drag_lin.csv"), &BEAM);
}

#[test]
fn a_beam_with_quadratic_drag() {
    let text = gallery("beam-in-fluid")
        .replace("{ normal = 0.5, tangential = 0.1 }", "{ normal-quadratic = 1.0, tangential-quadratic = 0.2 }");
    check(&text, [800, 1600], include_str!("../data/beam_drag_quad.csv"), &BEAM);
}

#[test]
fn a_cable_in_a_current() {
    let columns =
        ["winch.force_x", "winch.force_y", "winch.force_z", "cable.start.x", "cable.start.y", "cable.start.z"];
    check(gallery("cable-in-current"), [300, 600], include_str!("../data/string3d_fluid.csv"), &columns);
}

/// The same plane motion by the kernel of rods in space.
#[test]
fn a_plane_motion_in_space_is_that_of_the_plane() {
    let plane = solved(gallery("beam-in-fluid"), &["time.steps=200"]);
    let text = gallery("beam-in-fluid")
        .replace("dimension = 2", "dimension = 3")
        .replace("model = \"beam\"", "model = \"rod\"")
        .replace("from = [0.0, 0.0]", "from = [0.0, 0.0, 0.0]")
        .replace("to = [1.0, 0.0]", "to = [1.0, 0.0, 0.0]")
        .replace("bending = 1.0", "bending = 1.0, torsion = 1.0")
        .replace(
            "acts = [\"force_x\", \"force_y\", \"torque\"]",
            "acts = [\"force_x\", \"force_y\", \"force_z\", \"torque_x\", \"torque_y\", \"torque_z\"]",
        )
        .replace("angle = \"pi/2*sigma\"", "z = 0.0\nrotation = [0.0, 0.0, \"pi/2*sigma\"]");
    let text = text.split("[expect]").next().unwrap();
    let space = solved(text, &["time.steps=200"]);
    for (a, b) in [("force_x", "force_x"), ("force_y", "force_y"), ("torque", "torque_z")] {
        let [a, b] =
            [(&plane, a), (&space, b)].map(|(found, name)| found.actuation.column(&format!("base.{name}")).unwrap());
        let off = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{off:e}");
    }
}

/// Space-time elements, layer by layer, agree with the reference as well.
#[test]
fn layers_of_finite_elements_take_drag() {
    let text = gallery("beam-in-fluid").replace("method = \"space-march\"", "method = \"galerkin\"");
    let [coarse, fine] = [200, 400].map(|steps| {
        let found = solved(&text, &[&format!("time.steps={steps}")]);
        errors(&found, include_str!("../data/beam_drag_lin.csv"), &BEAM).into_iter().fold(0.0, f64::max)
    });
    println!("galerkin: {coarse:.2e} {fine:.2e}");
    assert!(fine < 3e-3 && coarse / fine > 3.5, "{coarse:e} {fine:e}");
}

/// Elements of space-time all at once and characteristic lines say that they know no fluid along rods.
#[test]
fn other_methods_say_that_they_know_no_fluid() {
    for method in ["method = \"galerkin\"\nsweep = \"global\"", "method = \"characteristics\""] {
        let text = gallery("beam-in-fluid").replace("method = \"space-march\"", method);
        let told = lariat::problem::load("x.toml", &text, &[]).err().map(|found| found.to_string()).unwrap_or_default();
        assert!(told.contains("drag"), "{method}: {told}");
    }
    let text = gallery("cable-in-current").replace("method = \"space-march\"", "method = \"galerkin\"");
    let found = outcome(&text, &["time.steps=100"]);
    assert!(found.report.message.as_ref().is_some_and(|told| told.contains("drag")), "{:?}", found.report.message);
}

/// A current that changes while the path rests is in the books of the march: forces before the path begins, and a proof.
#[test]
fn a_current_may_change() {
    let text = gallery("beam-in-fluid")
        .replace("[rod.beam]", "[current]\nvelocity = [0.0, \"0.2*rest(t, 1, 3, 4)\"]\n[rod.beam]");
    let text = text.split("[expect]").next().unwrap();
    let found = solved(text, &["time.steps=400"]);
    let force = found.actuation.column("base.force_y").unwrap();
    // At the end the beam stands along the current, which drags it along by c_t U L.
    assert!((force.last().unwrap() + 0.1 * 0.2).abs() < 1e-4, "{:?}", force.last());
}
