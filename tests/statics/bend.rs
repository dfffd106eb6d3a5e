//! The 45-degree bend in space: an arc of radius 100 with a unit square section, loaded out of its plane.

use lariat::mechanism::Mechanism;
use lariat::mechanism::curve::Curve;
use nalgebra::Vector3;

use crate::solve::states;
use crate::structures::*;

/// E = 1e7, ν = 0: clamp at the origin with tangent +y, centre (100, 0, 0), dead load 600 along z.
fn bend(shear: f64, torsion: f64, elements: usize, order: usize) -> Mechanism {
    let mut mechanism = empty(3);
    let arc = Curve::arc(v(0.0, 0.0, 0.0), v(0.0, 1.0, 0.0), v(100.0, 0.0, 0.0), std::f64::consts::FRAC_PI_4, None);
    let section = round(1e7, shear, 1e7 / 12.0, torsion, 1.0, 1.0);
    mechanism.rods.push(rod_of(&arc.unwrap(), section, elements, order));
    mechanism.supports.push(clamp(end(0, 0)));
    mechanism.loads.push(dead_load(end(0, elements), [0.0, 0.0, 600.0], [0.0; 3]));
    mechanism
}

/// Tips at P = 300, 450, 600 for three pairs of shear and torsional stiffness: section A1 of the reference values
/// (shooting with an 8th-order Runge-Kutta method, 9 digits).
fn variants() -> [(f64, f64, [Vector3<f64>; 3]); 3] {
    let polar = 5e6 / 6.0;
    [
        (
            5e6,
            polar,
            [
                v(22.244780945, 58.779122490, 40.191891670),
                v(18.508178925, 52.238558011, 48.502927344),
                v(15.684800534, 47.150438574, 53.474858792),
            ],
        ),
        (
            5e6,
            7.03e5,
            [
                v(22.112757785, 58.536182324, 40.479963555),
                v(18.369426645, 51.969992347, 48.704580303),
                v(15.557924403, 46.892188848, 53.607232386),
            ],
        ),
        (
            5e6 * 5.0 / 6.0,
            polar,
            [
                v(22.244679427, 58.778897330, 40.192392332),
                v(18.508064876, 52.238261847, 48.503491532),
                v(15.684689479, 47.150096240, 53.475477998),
            ],
        ),
    ]
}

/// One call from the unloaded state, no settings. Errors are those of the tip relative to the length of the rod.
#[test]
fn eight_elements_are_enough() {
    for (shear, torsion, tips) in variants() {
        for (order, tolerance) in [(2, 5e-5), (3, 5e-7)] {
            let found = states(&bend(shear, torsion, 8, order), &[0.5, 0.75, 1.0]);
            for (state, tip) in found.iter().zip(&tips) {
                let error = (state.tip() - tip).norm() / (25.0 * std::f64::consts::PI);
                println!("GA {shear:.3e} GJ {torsion:.3e} order {order} P {}: {error:.2e}", 600.0 * state.factor);
                assert!(error < tolerance, "order {order}, P = {}: {error:e}", 600.0 * state.factor);
            }
        }
    }
}

/// Elements of order p converge at their nodes with order 2p, down to the digits of the reference.
#[test]
fn the_tip_converges_with_twice_the_order_of_the_elements() {
    let (shear, torsion, tips) = variants()[0];
    for (order, meshes) in [(1, vec![8, 16, 32, 64]), (2, vec![4, 8, 16]), (3, vec![2, 4, 8])] {
        let error =
            |elements: &usize| (states(&bend(shear, torsion, *elements, order), &[1.0])[0].tip() - tips[2]).norm();
        let errors: Vec<f64> = meshes.iter().map(error).collect();
        let measured = orders(&errors);
        println!("order {order}: {errors:.2?} {measured:.2?}");
        let last = *measured.last().unwrap();
        assert!((last - 2.0 * order as f64).abs() < 0.15 * order as f64, "{errors:?}, {measured:?}");
    }
}
