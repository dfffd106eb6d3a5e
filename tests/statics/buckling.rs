//! Critical loads of columns, strips, frames and rings, each in one run, against closed forms and shooting.

use std::f64::consts::{FRAC_1_SQRT_2, PI, TAU};

use lariat::Outcome;
use lariat::problem::load;
use num_dual::Dual64;

use crate::shooting::{Piece, State, conjugate, critical, product};

fn outcome(text: &str, settings: &[&str]) -> Outcome {
    let settings: Vec<String> = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let problem = load("buckling", text, &settings).unwrap_or_else(|found| panic!("{found}"));
    let found = lariat::solve(&problem);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    found
}

fn near(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance * wanted.abs(), "{found} {wanted} {:e}", found / wanted - 1.0);
}

/// w = (n − P f, m) of a free end under the dead force P f.
fn free_end(ends: &[State], force: [f64; 3], factor: f64) -> Vec<Dual64> {
    let y = ends.last().unwrap();
    vec![y[7] - force[0] * factor, y[8] - force[1] * factor, y[9] - force[2] * factor, y[10], y[11], y[12]]
}

/// A strip along its d₃, d₂ upright, with EI₁ against bending in its plane d₂d₃.
#[test]
fn a_strip_gives_way_sideways_where_shooting_says() {
    let strip = Piece {
        length: 1.0,
        stretch: [1e5, 1e5, 2e5],
        bend: [100.0, 1.0, 0.7],
        natural: [0.0; 3],
        corner: [1.0, 0.0, 0.0, 0.0],
    };
    let down = |ends: &[State], factor: f64| free_end(ends, [0.0, -1.0, 0.0], factor);
    let wanted = critical(&[strip], &down, 3.39, 1, [0.0; 6]);
    let text = include_str!("../../problems/lateral-torsional.toml");
    for elements in [6, 12, 40] {
        let found = outcome(text, &[&format!("rod.strip.elements={elements}")]);
        near(found.report.scalars["branch_point.1.factor"], wanted, 1e-7);
    }
    // Prandtl and Michell 1899, of a strip that is rigid in its plane; this one is 100 times as stiff in it as across.
    near(wanted, 4.0126 * 0.7_f64.sqrt(), 2e-2);
}

/// The frame of Argyris 1979 with a force at its free end.
#[test]
fn a_right_angle_frame_buckles_where_shooting_says() {
    let (stretch, bend) =
        ([489435.1145038167, 489435.1145038167, 1282320.0], [96174000.0, 38469.6, 58732.213740458006]);
    // The first leg along z, its d₂ in the plane of the frame; the second turns by −90° about d₁, towards y or against it.
    let leg = Piece { length: 240.0, stretch, bend, natural: [0.0; 3], corner: [1.0, 0.0, 0.0, 0.0] };
    let other = Piece { corner: [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, 0.0], ..leg };
    let back = |ends: &[State], factor: f64| free_end(ends, [0.0, 0.0, -1.0], factor);
    let wanted = critical(&[leg, other], &back, 0.68, 1, [0.0; 6]);
    let text = include_str!("../../problems/right-angle-frame.toml");
    for elements in [6, 12, 40] {
        let (a, b) = (format!("rod.a.elements={elements}"), format!("rod.b.elements={elements}"));
        let found = outcome(text, &[&a, &b]);
        near(found.report.scalars["branch_point.1.factor"], wanted, 1e-7);
    }
}

/// A straight rod bent to a ring and twisted, GJ = 1.5 EI: it leaves its plane at the twist 2π√3 EI/GJ (Michell 1889; Zajac 1962) if it
/// neither shears nor stretches; two motions, sin 2θ and cos 2θ, at once.
#[test]
fn a_twisted_ring_leaves_its_plane_where_michell_says() {
    let text = include_str!("../../problems/michell-ring.toml");
    let of = |stretch: f64| {
        let half = Piece {
            length: PI,
            stretch: [stretch; 3],
            bend: [1.0, 1.0, 1.5],
            natural: [0.0; 3],
            corner: [1.0, 0.0, 0.0, 0.0],
        };
        let closed = |ends: &[State], twist: f64| {
            let (middle, y) = (ends[0], ends[1]);
            // A full turn about the binormal changes the sign of the quaternion.
            let there = [-(0.5 * twist).cos(), 0.0, 0.0, -(0.5 * twist).sin()].map(Dual64::from_re);
            let off = product(conjugate(there), [y[3], y[4], y[5], y[6]]);
            // Last, the point across stays in its plane: to roll about its own axis costs the ring nothing.
            vec![y[0], y[1], y[2], off[1], off[2], off[3], middle[0]]
        };
        critical(&[half, half], &closed, TAU * 3.0_f64.sqrt() / 1.5, 2, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    };
    near(of(1e8), TAU * 3.0_f64.sqrt() / 1.5, 1e-7);
    for stretch in [1e3, 1e4] {
        let wanted = of(stretch);
        for elements in [8, 24] {
            let found = outcome(
                text,
                &[
                    &format!("rod.ring.elements={elements}"),
                    &format!("rod.ring.stiffness.axial={stretch:?}"),
                    &format!("rod.ring.stiffness.shear={stretch:?}"),
                ],
            );
            near(found.report.scalars["branch_point.1.factor"], wanted, 1e-7);
            assert_eq!(found.report.scalars["branch_point.1.multiplicity"], 2.0);
        }
    }
}

/// A column of length 1 with EI = 1 under an end force.
fn column(foot: &str, head: &str, [axial, shear]: [f64; 2], elements: usize) -> String {
    format!(
        "dimension = 2\n[rod.c]\nmodel = \"beam\"\nfrom = [0, 0]\nto = [0, 1]\nelements = {elements}\norder = 4\nstiffness = {{ axial = {axial:?}, shear = {shear:?}, bending = 1.0 }}\n[support.foot]\nat = \"c.start\"\n{foot}\n{head}[load.push]\nat = \"c.end\"\nforce = [0, -1]\n[task.statics]\nbranch-points = 1\n"
    )
}

/// About the straight column of stretch a = 1 − P/EA the energy ½ EA γ₃² + ½ GA γ₁² + ½ EI θ'² gives GA (v' − aθ) = Pθ and
/// EI θ'' = −P v' where no force acts across, so that P (1 − P/EA + P/GA) = EI k² with k = π/L, π/2L, 2π/L by the supports
/// (Reissner 1972; Haringx 1942 for EA → ∞).
#[test]
fn columns_buckle_at_their_closed_forms() {
    let roller = "[support.head]\nat = \"c.end\"\nfixes = [\"x\"]\n";
    let guided = "[support.head]\nat = \"c.end\"\nfixes = [\"x\", \"angle\"]\n";
    let (clamp, hinge) = ("type = \"clamp\"", "type = \"hinge\"");
    for stiffness in [[1e4, 4e3], [1e7, 1e7]] {
        let c = 1.0 / stiffness[1] - 1.0 / stiffness[0];
        // c P² + P − k² = 0, written without loss of digits.
        let load = |k: f64| 2.0 * k * k / (1.0 + (1.0 + 4.0 * c * k * k).sqrt());
        for (foot, head, wanted) in
            [(hinge, roller, load(PI)), (clamp, "", load(0.5 * PI)), (clamp, guided, load(2.0 * PI))]
        {
            for elements in [10, 100] {
                let found = outcome(&column(foot, head, stiffness, elements), &[]);
                near(found.report.scalars["branch_point.1.factor"], wanted, 1e-7);
            }
        }
    }
}
