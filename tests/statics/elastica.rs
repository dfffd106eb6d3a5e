//! Plane cantilevers: dead and follower tip forces, own weight.

use lariat::mechanism::Mechanism;

use crate::solve::{state, states};
use crate::structures::*;

/// EI = 1, EA = GA = `stiff`, ρA = 1.
fn slender(stiff: f64, elements: usize, order: usize) -> Mechanism {
    cantilever(2, round(stiff, stiff, 1.0, 1.0, 1.0, 0.0), elements, order)
}

/// x, y and angle of the tip at the load factors for an inextensible rod without shear: what stretch and shear add is
/// a series in 1/EA, whose first two terms three stiffnesses remove.
fn inextensible(factors: &[f64], load: impl Fn(&mut Mechanism)) -> Vec<[f64; 3]> {
    let tips = [1e5, 2e5, 4e5].map(|stiff| {
        let mut mechanism = slender(stiff, 16, 5);
        load(&mut mechanism);
        let found = states(&mechanism, factors);
        found.iter().map(|at| [at.tip()[0], at.tip()[1], at.tip_angle()]).collect::<Vec<_>>()
    });
    let limit = |k: usize, c: usize| (tips[0][k][c] - 6.0 * tips[1][k][c] + 8.0 * tips[2][k][c]) / 3.0;
    (0..factors.len()).map(|k| std::array::from_fn(|c| limit(k, c))).collect()
}

fn assert_close(found: [f64; 3], wanted: [f64; 3], tolerance: f64, what: &str) {
    for (found, wanted) in found.into_iter().zip(wanted) {
        assert!((found - wanted).abs() < tolerance, "{what}: {found} instead of {wanted}");
    }
}

/// Section A2 of the reference values: elliptic integrals in 30-digit arithmetic. P L²/EI, tip slope, v/L, 1 − x/L.
#[test]
fn dead_tip_force() {
    let table = [
        [1.0, 0.46135194971188, 0.30172077379981, 0.056433236283377],
        [2.0, 0.78174983155654, 0.49345748039671, 0.16064172082517],
        [5.0, 1.2153681176117, 0.71379152361191, 0.38762836072443],
        [10.0, 1.4302855388039, 0.8106090248803, 0.55499559775375],
    ];
    let factors = table.map(|[p, ..]| p / 10.0);
    let found = inextensible(&factors, |mechanism| {
        mechanism.loads.push(dead_load(end(0, 16), [0.0, 10.0, 0.0], [0.0; 3]));
    });
    for (found, [p, slope, v, shortening]) in found.into_iter().zip(table) {
        println!("P = {p}: {:.1e} {:.1e}", found[0] - 1.0 + shortening, found[1] - v);
        assert_close(found, [1.0 - shortening, v, slope], 1e-9, &format!("P = {p}"));
    }
}

/// Section A2: force across the tip that turns with it.
#[test]
fn follower_tip_force() {
    let table = [
        (1.0, [0.935645669480, 0.320641994676, 0.495884642423]),
        (10.0, [-0.092123181191, 0.546983264584, 2.992714816235]),
    ];
    let found = inextensible(&[0.1, 1.0], |mechanism| {
        mechanism.loads.push(follower(end(0, 16), [10.0, 0.0, 0.0], [0.0; 3]));
    });
    for (found, (p, wanted)) in found.into_iter().zip(table) {
        println!("follower {p}: {:.1e} {:.1e}", found[0] - wanted[0], found[1] - wanted[1]);
        assert_close(found, wanted, 1e-9, &format!("P = {p}"));
    }
}

/// Section A3: inextensible, own weight q; q L³/EI, tip slope, v/L, 1 − x/L (12 digits).
#[test]
fn heavy_elastica() {
    let table = [
        [1.0, 0.165115560502, 0.123471401983, 0.008753604653],
        [4.0, 0.588592372104, 0.425159284202, 0.109889253315],
        [10.0, 1.052643117197, 0.700199715514, 0.343646238761],
        [100.0, 1.564107320575, 0.937523935396, 0.840776617372],
    ];
    let factors = table.map(|[q, ..]| q / 100.0);
    let found = inextensible(&factors, |mechanism| mechanism.gravity = v(0.0, -100.0, 0.0));
    for (found, [q, slope, sag, shortening]) in found.into_iter().zip(table) {
        println!("q = {q}: {:.1e} {:.1e}", found[0] - 1.0 + shortening, found[1] + sag);
        assert_close(found, [1.0 - shortening, -sag, -slope], 1e-8, &format!("q = {q}"));
    }
}

/// Section A3: round rods with stretch and shear (two solvers that agree to 10 digits). The first has q L³/EI = 345 and
/// other equilibria, one with tip y = −0.351; the branch from the unloaded state is the hanging one.
#[test]
fn rods_under_own_weight() {
    let table = [
        (0.005, 5e6, 0.5, [0.0799938743, -0.9686948757, -1.5707715896], -6.3376366075e-2),
        (0.02, 5e6, 0.5, [0.4241855488, -0.8411083280, -1.3628106505], -3.7785858777),
        (0.05, 5e7, 0.3, [0.9989319647, -0.0433798309, -0.0574866171], -42.344369223),
    ];
    for (r, youngs, poisson, tip, moment) in table {
        let mut mechanism = cantilever(2, circle(r, youngs, poisson, 1100.0), 32, 5);
        mechanism.gravity = v(0.0, -9.81, 0.0);
        let at = state(&mechanism);
        println!("r = {r}: {:.1e}", at.tip()[1] - tip[1]);
        assert_close([at.tip()[0], at.tip()[1], at.tip_angle()], tip, 1e-9, &format!("r = {r}"));
        // The listed moment is that of the stress at the root; the clamp bears its opposite.
        let found = -at.reaction("clamp.torque_z");
        assert!((found / moment - 1.0).abs() < 1e-8, "r = {r}: {found} instead of {moment}");
        assert_eq!(at.stability(), (0, 0), "the hanging branch is stable");
    }
}

/// The order of convergence does not suffer from weight and large rotations: 2p for elements of order p.
#[test]
fn own_weight_converges_with_twice_the_order() {
    for (order, meshes) in [(1, [32, 64]), (2, [16, 32]), (3, [8, 16])] {
        let errors = meshes.map(|elements| {
            let mut mechanism = cantilever(2, circle(0.02, 5e6, 0.5, 1100.0), elements, order);
            mechanism.gravity = v(0.0, -9.81, 0.0);
            (state(&mechanism).tip() - v(0.4241855488, -0.8411083280, 0.0)).norm()
        });
        let measured = orders(&errors)[0];
        println!("order {order}: {errors:?} {measured:.2}");
        assert!((measured - 2.0 * order as f64).abs() < 0.15 * order as f64, "{errors:?}: {measured}");
    }
}
