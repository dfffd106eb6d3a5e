//! C3: the right-angle cantilever of Simo and Vu-Quoc (1988), pushed out of its plane for two seconds.

use lariat::material::Section;
use lariat::mechanism::{JointKind, Mechanism};

use crate::marching::*;
use crate::mechanisms::*;

fn frame(elements: usize, order: usize) -> Mechanism {
    let mut mechanism = empty(3);
    let section = Section::principal(1e6, [1e6; 2], [1e3; 2], 1e3, 1.0, [10.0, 10.0, 20.0]);
    let (elbow, tip) = (v(10.0, 0.0, 0.0), v(10.0, 10.0, 0.0));
    mechanism.rods.push(straight(v(0.0, 0.0, 0.0), elbow, section, elements, order));
    mechanism.rods.push(straight(elbow, tip, section, elements, order));
    mechanism.joints.push(joint("elbow", [end(0, elements), end(1, 0)], elbow, JointKind::Rigid));
    mechanism.supports.push(clamp(end(0, 0)));
    let zero = || of_time("0");
    let force = [zero(), zero(), of_time("50*max(0, 1 - abs(t - 1))")];
    mechanism.loads.push(load(end(0, elements), force, constant([0.0; 3])));
    mechanism
}

/// C3, `c3_right_angle_cantilever.csv`: t, z of the elbow, tip; estimated errors 4e-7, 1e-6, 4e-6, 3e-5.
const REFERENCE: [[f64; 5]; 4] = [
    [2.0, 4.115246, 10.106261, 9.307850, 0.069264],
    [4.0, 4.642066, 10.441985, 9.293758, 3.508933],
    [10.0, -3.095961, 10.004317, 8.029733, 4.463113],
    [20.0, -2.60187, 14.09301, 9.04319, 0.49603],
];

/// Measured errors at the tip, after extrapolation in the step: 2e-5, 1e-4, 2e-4, 3e-4.
#[test]
fn right_angle_cantilever() {
    let instants = REFERENCE.map(|row| row[0]);
    let see = |steps| sampled(&frame(3, 3), 20.0, steps, &instants, |marcher| [tip(marcher, 0), tip(marcher, 1)]);
    let (coarse, fine) = (see(1000), see(2000));
    for (k, within) in [1e-4, 4e-4, 5e-4, 2e-3].into_iter().enumerate() {
        let [elbow, tip] = [0, 1].map(|which| richardson(coarse[k][which], fine[k][which]));
        let row = REFERENCE[k];
        assert!((elbow[2] - row[1]).abs() < within, "elbow at t = {}: {}", row[0], elbow[2]);
        assert_near(&format!("tip at t = {}", row[0]), tip, [row[2], row[3], row[4]], within);
    }
}

/// After the load the energy is 114.880 (C3) and stays. The work of the load equals the energy at all times,
/// with second order.
#[test]
fn energy_after_the_load() {
    let mut energies = Vec::new();
    let errors = [400, 800, 1600].map(|steps| {
        let (mut work, mut last, mut error) = (0.0, 0.0, 0.0_f64);
        run(&frame(3, 3), 4.0, steps, |step, marcher| {
            if step > 0 {
                work += marcher.work();
            }
            last = energy(marcher);
            error = error.max((last - work).abs());
        });
        energies.push(last);
        error
    });
    assert_second_order(&errors, 0.4);
    let limit = energies[2] + (energies[2] - energies[1]) / 3.0;
    assert!((limit - 114.880).abs() < 2e-3, "{limit} J");
}
