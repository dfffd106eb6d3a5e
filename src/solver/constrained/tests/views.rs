//! Programs made from programs keep exact derivatives.

use super::*;
use crate::solver::constrained::extremal::{Extremal, Side, Target};
use crate::solver::constrained::hessian::kkt::Kkt;
use crate::solver::constrained::inequality::barrier::{barrier, barrier_slope, longest_primal};
use crate::solver::constrained::relaxation::elastic::{Elastic, WEIGHT, best_elastics};
use crate::solver::constrained::scaling::Scaling;
use crate::solver::constrained::staged::Staged;
use crate::solver::constrained::standard::Standard;

#[test]
fn relaxations_scalings_and_targets_have_exact_derivatives() {
    let mut program = hs71();
    let x = [1.3, 4.0, 3.5, 1.2];
    for (target, side) in
        [(Target::Row(0), Side::Lower), (Target::Row(1), Side::Upper), (Target::Variable(2), Side::Upper)]
    {
        test_derivatives(&mut Extremal::new(&mut program, target, side), &x, 1).unwrap();
    }
    let (mut gradient, mut jacobian) = (vec![0.0; 4], vec![0.0; program.jacobian_pattern().nnz()]);
    program.gradient(&x, &mut gradient).unwrap();
    program.jacobian(&x, &mut jacobian).unwrap();
    jacobian.iter_mut().for_each(|value| *value *= 1e3);
    let mut scaling = Scaling::from_derivatives(&program, &gradient, &jacobian);
    assert!(scaling.rows[0] < 1.0);
    let mut scaled = scaling.view(&mut program);
    test_derivatives(&mut scaled, &x, 1).unwrap();
    let mut elastic = Elastic::new(&scaled).unwrap();
    elastic.refer_to(&[1.0, 2.0, 30.0, 4.0]);
    let mut relaxed = elastic.view(&mut scaled);
    relaxed.follow(0.3);
    let point: Vec<f64> = x.iter().copied().chain([0.1, 0.2, 0.3, 0.4]).collect();
    test_derivatives(&mut relaxed, &point, 1).unwrap();
}

#[test]
fn elastics_minimise_their_barrier_problem() {
    for (residual, mu) in [(3.0, 0.1), (-2.0, 1e-3), (0.0, 1e-2), (1e-9, 1.0), (1e4, 1e-8)] {
        let (p, q) = best_elastics(residual, mu);
        assert!(p > 0.0 && q > 0.0);
        assert!((p - q - residual).abs() <= 1e-12 * residual.abs().max(1.0), "{residual} {mu}");
        // ρ − μ/p = λ = −(ρ − μ/q)
        assert!((2.0 * WEIGHT - mu / p - mu / q).abs() < 1e-6 * WEIGHT, "{residual} {mu}");
    }
}

#[test]
fn barrier_slopes_agree_with_differences_and_steps_stay_inside() {
    let standard = Standard::exact(&hs71());
    let v = [1.3, 4.9, 3.5, 1.0001, 30.0, 40.0];
    for i in 0..5 {
        let (mut ahead, mut behind, step) = (v, v, 1e-7);
        ahead[i] += step;
        behind[i] -= step;
        let quotient = (barrier(&standard, &ahead, 0.7) - barrier(&standard, &behind, 0.7)) / (2.0 * step);
        let slope = barrier_slope(&standard, &v, 0.7, i);
        assert!((slope - quotient).abs() < 2e-2 * slope.abs().max(1e-3), "{i}: {slope} {quotient}");
    }
    let direction = [-1.0, 0.2, 10.0, 0.0, -1.0, 0.0];
    let alpha = longest_primal(&standard, &v, &direction, 0.9);
    // x2 may use up 0.9 of its 1.5 towards 5, x0 0.9 of its 0.3 towards 1.
    assert!((alpha - 0.9 * 1.5 / 10.0).abs() < 1e-15);
}

/// The shift found gives n positive and m negative eigenvalues, and is remembered.
#[test]
fn curvature_is_corrected_until_the_inertia_is_right() {
    let program = stated(|g| {
        let (x, y, z) =
            (g.variable("x", 0.0, -NONE, NONE), g.variable("y", 0.0, -NONE, NONE), g.variable("z", 0.0, 1.0, 1.0));
        g.minimise(-3.0 * x.square() - 0.1 * y.square() + z.square());
        g.subject_to("line", x + 0.0 * y + z, 0.0, 0.0);
    });
    let standard = Standard::exact(&program);
    let mut kkt = Kkt::new(&program, &standard).unwrap();
    let mut program = program;
    let (mut hessian, mut jacobian) =
        (vec![0.0; program.hessian_pattern().nnz()], vec![0.0; program.jacobian_pattern().nnz()]);
    program.hessian(&[0.0; 3], 1.0, &[0.0], &mut hessian).unwrap();
    program.jacobian(&[0.0; 3], &mut jacobian).unwrap();
    kkt.assemble(&standard, &hessian, &jacobian, &[0.0; 4]);
    kkt.factorise(&standard).unwrap();
    // x is held by the row and z fixed, so only the curvature −0.2 of y has to be overcome.
    assert!(kkt.primal > 0.2 && kkt.primal <= 0.2 * 100.0, "{}", kkt.primal);
    assert!(kkt.curves_down(&standard, 0.1) && !kkt.curves_down(&standard, 0.3));
    let mut rhs = [1.0, 1.0, 0.0, 2.0];
    kkt.solve(&mut rhs).unwrap();
    assert!((rhs[0] - 2.0).abs() < 1e-12 && rhs[2] == 0.0, "{rhs:?}");
    assert!((rhs[1] - 1.0 / (kkt.primal - 0.2)).abs() < 1e-9 * rhs[1].abs());
}
