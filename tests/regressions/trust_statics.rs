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
