//! Sections that vary, couple their strains, or have centres off the axis.

use crate::{PATH, ROD, UNIFORM, apart, solved, task};

/// Different sections by three methods that share neither elements nor quadrature: they differ by the error of the coarsest,
/// and all are proved by forward simulations on another mesh.
#[test]
fn three_methods_agree_on_every_kind_of_section() {
    let tapered = r#"
stiffness = { axial = "1.2 - 0.4*s", shear = "1.1 - 0.2*s", bending = "1.3 - 0.5*s" }
inertia = { mass = "1.2 - 0.4*s", rotary = "1.1 - 0.3*s" }
"#;
    let sections = [
        ("tapered", tapered.to_owned()),
        ("prestrained", format!("{UNIFORM}prestrain = {{ curvature = \"0.3*(1 - s)\", strain = [0.0, 0.02] }}\n")),
        ("stiffening", format!("{UNIFORM}stiffening = 0.8\n")),
        ("elastic centre off the axis", format!("{UNIFORM}offset = {{ elastic = 0.1 }}\n")),
    ];
    for (name, section) in sections {
        let of = |method: &str| solved(&format!("{PATH}{ROD}{section}{}", task(method)));
        let marched = of("space-march");
        let found = apart(&marched, &of("galerkin"));
        assert!(found < 4e-2, "galerkin, {name}: {found:e}");
        let found = apart(&marched, &of("characteristics"));
        assert!(found < 1e-2, "characteristics, {name}: {found:e}");
    }
}

/// A section whose mass and elastic centres lie 0.1 beside the axis is a rod 0.1 beside it: the same force is applied, and the
/// torque about the other point.
#[test]
fn centres_off_the_axis_are_a_rod_beside_it() {
    let path = format!("gravity = [0.0, -0.05]\n{PATH}");
    let along_lines =
        solved(&format!("{path}{ROD}{UNIFORM}offset = {{ mass = 0.1, elastic = 0.1 }}\n{}", task("characteristics")));
    let aside =
        solved(&format!("{path}{ROD}{UNIFORM}offset = {{ mass = 0.1, elastic = 0.1 }}\n{}", task("space-march")));
    // Points without mass to speak of carry the path and the actuator on the line of the first rod.
    let light = |name: &str, end: &str, x: f64| {
        format!(
            "[body.{name}]\nmass = 1e-12\ninertia = 1e-12\nposition = [{x:?}, 0.0]\n[joint.{name}]\nbetween = [\"{name}\", \"beam.{end}\"]\ntype = \"rigid\"\nat = [{x:?}, 0.1]\n"
        )
    };
    let path = path.replace("\"beam.start\"", "\"hand\"").replace("\"beam.end\"", "\"tip\"");
    let rod = ROD.replace("from = [0.0, 0.0]", "from = [0.0, 0.1]").replace("to = [1.0, 0.0]", "to = [1.0, 0.1]");
    let bodies = format!("{}{}", light("hand", "start", 0.0), light("tip", "end", 1.0));
    let beside = solved(&format!("{path}{rod}{UNIFORM}{bodies}{}", task("space-march")));
    let found = apart(&along_lines, &beside);
    assert!(found < 5e-3, "along characteristic lines: {found:e}");
    let found = apart(&aside, &beside);
    // Both are of order two, with different errors.
    assert!(found < 2e-3, "{found:e}");
}

/// The same halves: the difference of the two descriptions falls by four when all steps are halved.
#[test]
fn the_march_with_eccentric_sections_is_of_order_two() {
    let of = |steps: usize, elements: usize| {
        let path = PATH.replace("steps = 120", &format!("steps = {steps}"));
        let rod = ROD.replace("elements = 20", &format!("elements = {elements}"));
        solved(&format!("{path}{rod}{UNIFORM}offset = {{ mass = 0.2, elastic = 0.1 }}\n{}", task("space-march")))
    };
    let [coarse, middle, fine] = [(60, 10), (120, 20), (240, 40)].map(|(steps, elements)| of(steps, elements));
    let difference = |a: &lariat::results::Outcome, b: &lariat::results::Outcome| {
        let mut largest = 0.0_f64;
        for ((_, a), (_, b)) in a.actuation.columns.iter().zip(&b.actuation.columns) {
            let off = a.iter().zip(b.iter().step_by(2)).map(|(a, b)| (a - b).abs());
            largest = off.fold(largest, f64::max);
        }
        largest
    };
    let order = (difference(&coarse, &middle) / difference(&middle, &fine)).log2();
    assert!((1.7..2.5).contains(&order), "{order}");
}

/// A Kirchhoff rod is the limit of beams whose shear stiffness grows: the difference falls like 1/GA.
#[test]
fn a_kirchhoff_rod_is_the_limit_of_stiff_shear() {
    let kirchhoff = solved(&format!(
        "{PATH}{}stiffness = {{ axial = 1.0, bending = 1.0 }}\ninertia = {{ mass = 1.0, rotary = 1.0 }}\n{}",
        ROD.replace("\"beam\"\nfrom", "\"kirchhoff\"\nfrom"),
        task("space-march")
    ));
    let away = |shear: f64| {
        let section = UNIFORM.replace("shear = 1.0", &format!("shear = {shear:?}"));
        apart(&kirchhoff, &solved(&format!("{PATH}{ROD}{section}{}", task("space-march"))))
    };
    let (coarse, fine) = (away(100.0), away(1000.0));
    assert!(fine < 1e-2 && coarse / fine > 6.0, "{coarse:e} {fine:e}");
}
