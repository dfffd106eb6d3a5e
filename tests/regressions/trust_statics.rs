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
