//! Rest in a current, and small motions about it.

use std::f64::consts::PI;

use crate::{scalar, solved};

/// A beam of one metre up from the origin, clamped, that hardly stretches or shears, in a flow along x.
fn reed(q: f64, more: &str) -> String {
    format!(
        "dimension = 2\n[rod.reed]\nmodel = \"beam\"\nfrom = [0.0, 0.0]\nto = [0.0, 1.0]\nelements = 20\norder = 3\nstiffness = {{ axial = 1e7, shear = 1e7, bending = 1.0 }}\ninertia = {{ mass = 1.0, rotary = 1e-4 }}\ndrag = {{ normal-quadratic = {} }}\n[support.root]\nat = \"reed.start\"\ntype = \"clamp\"\n[current]\nvelocity = [2.0, 0.0]\n{more}",
        q / 4.0
    )
}

/// Large bending across a uniform flow: the normal drag per length is q cos² of the slope. Independent reference by shooting.
#[test]
fn a_reed_bends_in_a_flow() {
    for (q, x, y) in [(1.0, 0.12153331, 0.99151848), (10.0, 0.56829453, 0.79062371), (100.0, 0.82416734, 0.45346061)] {
        let found = solved(&reed(q, "[task.statics]\n"), &[]);
        let [at_x, at_y] = ["x", "y"].map(|c| scalar(&found, &format!("equilibrium.reed.end.{c}")));
        assert!((at_x - x).abs() < 5e-6 && (at_y - y).abs() < 5e-6, "{q}: {at_x} {at_y}");
    }
    // Half the load factor is half the drag.
    let half = solved(&reed(20.0, "[task.statics]\nfactors = [0.25, 0.5]\n"), &[]);
    assert!((scalar(&half, "equilibrium.reed.end.x") - 0.56829453).abs() < 5e-6);
    let staged = reed(20.0, "[task.statics]\n[[task.statics.stage]]\nloads = { current = 0.5 }\n");
    assert!((scalar(&solved(&staged, &[]), "equilibrium.reed.end.x") - 0.56829453).abs() < 5e-6);
}

/// A stiff rod in space, bent a little by linear drag: as by a line load, c U across and c_t U along.
#[test]
fn a_standing_rod_carries_drag_as_a_line_load() {
    let rod = "dimension = 3\n[rod.mast]\nmodel = \"rod\"\nfrom = [0.0, 0.0, 0.0]\nto = [0.0, 0.0, 2.0]\nelements = 8\norder = 2\nstiffness = { axial = 1e5, shear = 4e4, bending = 900.0, torsion = 700.0 }\ninertia = { mass = 1.0, rotary = 0.1 }\n[support.root]\nat = \"mast.start\"\ntype = \"clamp\"\n";
    let drag =
        "[rod.mast.drag]\nnormal = \"0.5*(1 + s)\"\ntangential = 0.3\n[current]\nvelocity = [0.02, -0.03, 0.05]\n";
    let load = "[load.wind]\nalong = \"mast\"\nforce = [\"0.02*0.5*(1 + s)\", \"-0.03*0.5*(1 + s)\", 0.015]\n";
    let [a, b] = [drag, load].map(|more| solved(&format!("{rod}{more}[task.statics]\n"), &[]));
    for axis in ["x", "y", "z"] {
        let [a, b] = [&a, &b]
            .map(|found| scalar(found, &format!("equilibrium.mast.end.{axis}")) - if axis == "z" { 2.0 } else { 0.0 });
        // Apart by the slope, 4e-5, which turns the normal into the current along the rod.
        assert!((a - b).abs() < 2e-4 * b.abs(), "{axis}: {a} {b}");
        assert!(b.abs() > 1e-8, "{axis}: {b}");
    }
}

/// A rope between two points with uniform drag: λ = −c/2ρA ± i √(ω² − (c/2ρA)²), the damping ratio is c/(2ρA ω).
#[test]
fn a_string_in_a_fluid_is_damped() {
    let text = |drag: &str| {
        format!(
            "dimension = 2\n[rod.rope]\nmodel = \"string\"\nfrom = [0.0, 0.0]\nto = [1.0, 0.0]\nelements = 40\nstiffness = {{ axial = 400.0 }}\ninertia = {{ mass = 0.5 }}\nprestrain = {{ strain = -0.2 }}\n{drag}[support.a]\nat = \"rope.start\"\ntype = \"hinge\"\n[support.b]\nat = \"rope.end\"\ntype = \"hinge\"\n[task.modes]\ncount = 4\nabout = \"equilibrium\"\n"
        )
    };
    let (free, fluid) = (
        solved(&text(""), &[]),
        solved(&text("drag = { normal = 0.6, tangential = 0.6, normal-quadratic = 3.0 }\n"), &[]),
    );
    for k in 1..=4 {
        let omega = scalar(&free, &format!("modes.{k}.omega"));
        if k == 1 {
            // Tension 80 N over 0.5 kg/m.
            assert!((omega / (PI * 160.0_f64.sqrt()) - 1.0).abs() < 1e-3, "{omega}");
        }
        let [re, im] = ["real", "omega"].map(|part| scalar(&fluid, &format!("modes.{k}.{part}")));
        let rate = 0.6 / (2.0 * 0.5);
        assert!((re + rate).abs() < 1e-7, "{k}: {re}");
        assert!((im - (omega * omega - rate * rate).sqrt()).abs() < 1e-7 * omega, "{k}: {im} {omega}");
        let ratio = scalar(&fluid, &format!("modes.{k}.damping_ratio"));
        assert!((ratio - rate / omega).abs() < 1e-8, "{k}: {ratio}");
    }
    // By the square alone nothing is damped at rest; along a current of 1.5 m/s it is c_t2 2 U along and c_n2 … 0 across.
    let still = solved(&text("drag = { normal-quadratic = 3.0, tangential-quadratic = 3.0 }\n"), &[]);
    for k in 1..=4 {
        assert_eq!(scalar(&still, &format!("modes.{k}.real")), 0.0);
    }
}

/// A body on a bushing in a current along x: drag by the square, linearised, has the slope 2 c U along and c U across, and shifts the rest.
#[test]
fn quadratic_drag_damps_in_a_current() {
    let text = "dimension = 2\n[body.buoy]\nmass = 2.0\ninertia = 0.5\nposition = [1.0, 0.0]\ndrag = { quadratic = 0.7 }\n[spring.mooring]\nbetween = [\"ground\", \"buoy\"]\npoints = [[1.0, 0.0], [1.0, 0.0]]\nbushing = { stiffness = [50.0, 80.0, 1000.0], damping = [0.0, 0.0, 0.0] }\n[current]\nvelocity = [1.5, 0.0]\n";
    let rest = solved(&format!("{text}[task.statics]\n"), &[]);
    let expected = 1.0 + 0.7 * 2.25 / 50.0;
    assert!((scalar(&rest, "equilibrium.buoy.x") - expected).abs() < 1e-10);
    let found = solved(&format!("{text}[task.modes]\ncount = 3\nabout = \"equilibrium\"\n"), &[]);
    for (k, stiffness, slope) in [(1, 50.0, 2.0 * 0.7 * 1.5), (2, 80.0, 0.7 * 1.5)] {
        let rate: f64 = slope / (2.0 * 2.0);
        let [re, im] = ["real", "omega"].map(|part| scalar(&found, &format!("modes.{k}.{part}")));
        assert!((re + rate).abs() < 1e-9, "{k}: {re} {rate}");
        assert!((im - (stiffness / 2.0 - rate * rate).sqrt()).abs() < 1e-8, "{k}: {im}");
    }
}
