//! Whether a structure is a mechanism does not depend on its mesh.

use super::outcome;

/// A mast of 60 m whose shear is a million times stiffer than its bending makes it.
fn mast(held: &str) -> String {
    format!(
        "dimension = 3\n[rod.mast]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [0.0, 0.0, 60.0]\nnormal = [1.0, 0.0, 0.0]\nelements = 8\norder = 6\nstiffness = {{ axial = 1e4, shear = 1e9, bending = 1000.0, torsion = 1000.0 }}\n[support.root]\nat = \"mast.start\"\ntype = \"{held}\"\n[load.tip]\nat = \"mast.end\"\nforce = [1e-4, 1e-4, 0.0]\n[task.statics]\n"
    )
}

/// Its softest motion has 1e-13 of the stiffness of its parts, which a fine mesh resolves all the same: the deflection F L³/3EI
/// is met to 1e-7.
#[test]
fn a_fine_mesh_makes_no_mechanism() {
    for elements in [8, 32] {
        let found = outcome("mast", &mast("clamp"), &[&format!("rod.mast.elements={elements}")]);
        assert_eq!(found.report.status, "solved", "{elements} elements: {:?}", found.report.message);
        assert_eq!(found.report.scalars["stability.indifferent_directions"], 0.0);
        let (tip, wanted) = (found.report.scalars["equilibrium.mast.end.x"], 1e-4 * 60f64.powi(3) / 3000.0);
        assert!((tip / wanted - 1.0).abs() < 1e-7, "{elements} elements: {tip} {wanted}");
    }
}

/// On a hinge it is one, whatever the mesh.
#[test]
fn a_mast_on_a_hinge_is_a_mechanism() {
    for elements in [8, 32] {
        let found = outcome("mast", &mast("hinge"), &[&format!("rod.mast.elements={elements}")]);
        assert_eq!(found.report.status, "mechanism", "{elements} elements: {:?}", found.report.message);
    }
}

/// At a limit point one motion meets no resistance; rounding decides by the mesh whether its stiffness is above or below zero, and
/// it is not counted among the unstable ones. The second limit point of Lee's frame is where it becomes stable again.
#[test]
fn the_motion_of_a_limit_point_is_not_counted_twice() {
    let frame = lariat::problem::gallery().iter().find(|(name, _)| *name == "lee-frame").unwrap().1;
    for elements in ["10", "20"] {
        let softer = "rod.beam.stiffness.bending=\"(0.10330736767551293)*(E*I)\"".to_owned();
        let settings = ["expect={}".to_owned(), softer, format!("rod.beam.elements={elements}")];
        let problem = lariat::load("lee-frame", frame, &settings).unwrap_or_else(|found| panic!("{found}"));
        let report = lariat::solve(&problem).report;
        assert_eq!(report.status, "solved", "{:?}", report.message);
        let count = |what: &str| report.scalars[&format!("stability.{what}_directions")];
        assert_eq!([count("unstable"), count("indifferent")], [0.0, 1.0], "{elements}");
        assert!(!report.warnings.iter().any(|warning| warning.contains("is unstable")), "{:?}", report.warnings);
    }
}

fn gallery(name: &str, changes: &[(&str, &str)]) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("problems/{name}.toml"));
    let mut text = std::fs::read_to_string(path).unwrap();
    text.truncate(text.find("[expect]").unwrap());
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    text
}

/// Linear buckling of a column that shortens and shears: with forces linear in the load the shear follows the turn,
/// γ = θ P (1 − GA/EA)/GA, and what is left is EI (nπ/L)² = P + P² (1 − GA/EA)²/GA. It is not the load at which the deformed column
/// buckles, P (1 − P/EA + P/GA) = EI (nπ/L)².
#[test]
fn linear_buckling_of_a_column_in_closed_form() {
    let text = gallery("euler-column", &[("branch-points = 3", "method = \"linear-buckling\"\ncount = 3")]);
    let found = outcome("column", &text, &[]);
    let (axial, shear) = (1e4, 4e3);
    let square = (1.0 - shear / axial) * (1.0 - shear / axial) / shear;
    for n in 1..=3 {
        let euler = (f64::from(n) * std::f64::consts::PI).powi(2);
        let wanted = ((1.0 + 4.0 * square * euler).sqrt() - 1.0) / (2.0 * square);
        let factor = found.report.scalars[&format!("linear_buckling.{n}.factor")];
        assert!((factor / wanted - 1.0).abs() < 1e-7, "{n}: {factor} {wanted}");
    }
}

/// Modes over the load of a column with hinged ends: it begins to move away at the load at which it buckles, without swinging.
#[test]
fn divergence_begins_at_the_critical_load() {
    let heavy = ("bending = 1.0 }", "bending = 1.0 }\ninertia = { mass = 1.0, rotary = 1e-4 }");
    let modes = ("branch-points = 3", "count = 2\nfactors = [0.0, 5.0, 9.0, 12.0]");
    let text = gallery("euler-column", &[heavy, ("[task.statics]", "[task.modes]"), modes]);
    let scalars = outcome("column", &text, &[]).report.scalars;
    let off = (scalars["onset.factor"] - 9.855036140489954).abs();
    assert!(off < 1e-7 && off <= scalars["onset.error"], "{off:e} {:e}", scalars["onset.error"]);
    assert_eq!(scalars["onset.omega"], 0.0);
}

/// A little damping of the material takes Beck's column from 20.05 to 10.94 EI/L², where it flutters at 5.4 √(EI/ρA)/L²
/// (Bolotin 1963).
#[test]
fn a_little_damping_makes_flutter_begin_earlier() {
    let damped = ("rotary = 1e-7 }", "rotary = 1e-7 }\ndamping = { time = 1e-4 }");
    let scalars = outcome("beck", &gallery("beck-column", &[damped]), &[]).report.scalars;
    assert!((scalars["onset.factor"] - 10.94).abs() < 5e-3, "{}", scalars["onset.factor"]);
    assert!((scalars["onset.omega"] - 5.40).abs() < 1e-2, "{}", scalars["onset.omega"]);
}
