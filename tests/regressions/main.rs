//! Problem files that once ended wrongly, each with what it must give.
#![allow(clippy::unwrap_used, clippy::panic)]

mod conserved;
mod hostile;
mod modes;
mod motion;
mod parts;
mod statics;
mod trust_claims;
mod trust_statics;

use lariat::Outcome;
use lariat::problem::load;

fn outcome(name: &str, text: &str, settings: &[&str]) -> Outcome {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let problem = load(name, text, &settings).unwrap_or_else(|found| panic!("{name}: {found}"));
    lariat::solve(&problem)
}

/// A structure at rest: its equations are so badly conditioned that Newton's steps, made of rounding errors, stay above their limit.
#[test]
fn a_structure_at_rest_stays_there() {
    let found = outcome("at-rest", include_str!("at-rest.toml"), &[]);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    // Loads work by rounding errors of positions only, which is nothing to warn of.
    assert!(!found.report.warnings.iter().any(|warning| warning.contains("balance")), "{:?}", found.report.warnings);
}

/// Corrections of an arc length path that end in rounding errors.
#[test]
fn a_path_goes_on_where_corrections_are_rounding_errors() {
    let found = outcome("rounded-statics", include_str!("rounded-statics.toml"), &[]);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    // The same equilibrium when the loads are laid on in one go.
    let halves = outcome("rounded-statics", include_str!("rounded-statics.toml"), &["task.statics.factors=[0.5, 1.0]"]);
    for (name, value) in found.report.scalars.iter().filter(|(name, _)| name.starts_with("equilibrium.")) {
        let other = halves.report.scalars[name];
        assert!((value - other).abs() < 1e-7, "{name}: {value} {other}");
    }
}

/// An L-frame of which one leg is a hundredth too long: one solve for all of the prestrain found another equilibrium on finer meshes.
#[test]
fn prestrain_is_followed_from_nothing() {
    let leg = |name: &str, from: &str, to: &str, more: &str| {
        format!(
            "[rod.{name}]\nmodel = \"rod\"\nfrom = {from}\nto = {to}\nnormal = [0, 0, 1]\nelements = 4\norder = 3\nstiffness = {{ axial = 2e5, shear = 4e4, bending = 10.0, torsion = 8.0 }}\n{more}"
        )
    };
    let text = format!(
        "dimension = 3\n{}{}[joint.c]\nbetween = [\"a.end\", \"b.start\"]\ntype = \"rigid\"\n[support.s]\nat = \"a.start\"\ntype = \"clamp\"\n[support.e]\nat = \"b.end\"\ntype = \"clamp\"\n[load.f]\nat = \"a.end\"\nforce = [0.0, 0.0, 0.1]\ntorque = [0.0, 0.0, 0.001]\n[task.statics]\n",
        leg("a", "[0.0, 0.0, 0.0]", "[1.0, 0.0, 0.0]", ""),
        leg("b", "[1.0, 0.0, 0.0]", "[1.0, 1.0, 0.0]", "prestrain.strain = [0.0, 0.0, 0.01]\n"),
    );
    let corner = |elements: usize| {
        let both = ["a", "b"].map(|rod| format!("rod.{rod}.elements={elements}"));
        let found = outcome("frame", &text, &[&both[0], &both[1]]);
        assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
        ["x", "y", "z"].map(|axis| found.report.scalars[&format!("equilibrium.a.end.{axis}")])
    };
    let coarse = corner(4);
    // The long leg pushes the corner by its hundredth, which the soft bending of the other leg hardly resists.
    assert!((coarse[1] + 0.01).abs() < 2e-5 && (coarse[0] - 1.0).abs() < 1e-4, "{coarse:?}");
    for elements in [8, 16] {
        let fine = corner(elements);
        assert!(coarse.iter().zip(fine).all(|(a, b)| (a - b).abs() < 1e-7), "{coarse:?} {fine:?}");
    }
}

/// A cantilever that wants to be longer and curved is an arc without stress: its tip is at (1 + ε)(sin κ, 1 − cos κ)/κ.
#[test]
fn a_free_rod_takes_the_shape_of_its_prestrain() {
    for (strain, curvature) in [(0.001_f64, 0.1_f64), (0.02, 1.5), (-0.01, 6.0)] {
        let text = format!(
            "dimension = 3\n[rod.r]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [1.0, 0.0, 0.0]\nnormal = [0.0, 1.0, 0.0]\nelements = 8\norder = 3\nstiffness = {{ axial = 1e5, shear = 1e5, bending = 1.0, torsion = 1.0 }}\nprestrain = {{ strain = [0.0, 0.0, {strain:?}], curvature = [0.0, {curvature:?}, 0.0] }}\n[support.s]\nat = \"r.start\"\ntype = \"clamp\"\n[load.f]\nat = \"r.end\"\nforce = [0.0, 1e-9, 0.0]\n[task.statics]\n"
        );
        let found = outcome("arc", &text, &[]);
        assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
        let radius = (1.0 + strain) / curvature;
        let wanted = [radius * curvature.sin(), radius * (1.0 - curvature.cos())];
        let tip = ["x", "y"].map(|axis| found.report.scalars[&format!("equilibrium.r.end.{axis}")]);
        assert!(tip.iter().zip(wanted).all(|(a, b)| (a.abs() - b.abs()).abs() < 1e-5), "{tip:?} {wanted:?}");
    }
}

/// Everything begins to turn: a clamp that stands still would stop its frame at once, by an impulse of any size.
#[test]
fn standing_supports_are_refused_where_the_mechanism_begins_to_turn() {
    let text = |held: &str| {
        format!(
            "dimension = 3\n[spin]\nrate = 2.0\n[time]\nend = 0.1\nsteps = 10\n[rod.blade]\nmodel = \"rod\"\nfrom = [0.2, 0.0, 0.0]\nto = [1.2, 0.0, 0.0]\nelements = 2\nstiffness = {{ axial = 2e3, shear = 8e2, bending = 1.0, torsion = 0.8 }}\ninertia = {{ mass = 1.0, rotary = 1e-3 }}\n{held}[task.simulate]\n"
        )
    };
    let load = |held: &str| load("spin", &text(held), &[]);
    for held in [
        "[support.root]\nat = \"blade.start\"\ntype = \"clamp\"\n",
        "[support.root]\nat = \"blade.start\"\ntype = \"hinge\"\n",
        "[joint.root]\nbetween = [\"ground\", \"blade.start\"]\ntype = \"rigid\"\n",
    ] {
        let found = load(held).expect_err(held);
        assert!(found.list.iter().any(|one| one.message.contains("turn")), "{found}");
    }
    let turning = "[support.root]\nat = \"blade.start\"\nx = \"0.2*cos(2*t)\"\ny = \"0.2*sin(2*t)\"\nz = 0\nrotation = [0, 0, \"2*t\"]\n";
    assert!(load(turning).is_ok());
    // On the axis a point stands still while everything turns.
    let centred = "[support.pin]\nat = \"blade.start\"\ntype = \"hinge\"\n";
    assert!(lariat::problem::load("spin", &text(centred), &["spin.about=[0.2, 0.0, 0.0]".to_owned()]).is_ok());
}

/// At a limit point and close to a critical load some motion meets no resistance; the structure is no mechanism for that.
#[test]
fn critical_structures_are_no_mechanisms() {
    let frame = lariat::problem::gallery().iter().find(|(name, _)| *name == "lee-frame").unwrap().1;
    let settings = ["expect={}", "task.statics.factors=[2.0]", "task.statics.limit-points=1"];
    let found = outcome("lee-frame", frame, &settings);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    assert_eq!(found.report.scalars["stability.indifferent_directions"], 1.0);
    assert!(found.report.warnings.iter().any(|warning| warning.contains("limit point")), "{:?}", found.report.warnings);
}
