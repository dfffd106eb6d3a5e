//! Shear locking: a cantilever under a weight so small that the answer is linear in it.

use lariat::mechanism::Quadrature;

use crate::solve::state;
use crate::structures::*;

const RULES: [(Quadrature, bool); 4] = [
    (Quadrature::Midpoint, false),
    (Quadrature::MidpointInSpace, false),
    (Quadrature::Trapezoidal, true),
    (Quadrature::MidpointInTime, true),
];

/// Section A8: ratio of the tip deflection to the exact one, L/h = 10, 20, 100, for 2, 4, 8, 16 nodes of the two rules
/// that evaluate strains at the nodes (9 digits).
const TABLE: [(usize, [f64; 3]); 4] = [
    (2, [0.0171105759, 0.00431929058, 0.000173310803]),
    (4, [0.0803267170, 0.0212476531, 0.000865983689]),
    (8, [0.304112448, 0.0979315797, 0.00431500145]),
    (16, [0.663929560, 0.329184526, 0.0192120247]),
];

/// A square section, ν = 0.3, κ = 1. Strains at the middle of elements give w(L) = qL⁴/8EI + qL²/2GA for every mesh;
/// strains at the nodes replace EI by EI + GA h²/4 (section A8, closed form).
#[test]
fn two_of_the_four_rules_lock() {
    for dimension in [2, 3] {
        for (nodes, ratios) in TABLE {
            for (slenderness, listed) in [10.0_f64, 20.0, 100.0].into_iter().zip(ratios) {
                let section = rectangle(1.0 / slenderness, 1.0 / slenderness, 1e4, 0.3, 1.0, 1.0);
                let (bending, shear) = (section.stiffness[(4, 4)], section.stiffness[(0, 0)]);
                let elements = nodes - 1;
                // A deflection of about 1e-5: what is not linear is of the order of its square.
                let weight = 8e-5 * bending;
                let exact = weight / (8.0 * bending) + weight / (2.0 * shear);
                for (rule, locks) in RULES {
                    let mut mechanism = cantilever(dimension, section, elements, 1);
                    mechanism.rods[0].quadrature = rule;
                    mechanism.gravity = v(0.0, -weight / section.mass, 0.0);
                    let found = -state(&mechanism).tip()[1];
                    let extra = if locks { shear / (4.0 * (elements * elements) as f64) } else { 0.0 };
                    let formula = weight / (8.0 * (bending + extra)) + weight / (2.0 * shear);
                    let what = format!("{dimension}D, {rule:?}, {nodes} nodes, L/h = {slenderness}");
                    assert!((found / formula - 1.0).abs() < 1e-8, "{what}: {:e}", found / formula - 1.0);
                    let ratio = if locks { listed } else { 1.0 };
                    assert!((found / exact / ratio - 1.0).abs() < 1e-8, "{what}: {}", found / exact);
                }
            }
        }
    }
}
