//! Multipliers of the rows that fit the optimality conditions best.

use crate::solver::constrained::hessian::kkt::Kkt;
use crate::solver::constrained::hessian::redundancy::LARGE;
use crate::solver::constrained::point::Point;
use crate::solver::constrained::standard::Standard;

/// Sets λ to the minimiser of ‖∇f + Jᵀλ − z_L + z_U‖² with the rows of the slacks, or to zero if that is huge; whether it is not.
///
/// The minimiser solves the system of [`Kkt`] with H = 0 and Σ = 1.
pub fn estimate_multipliers(standard: &Standard, point: &mut Point, kkt: &mut Kkt) -> bool {
    point.lambda.fill(0.0);
    if standard.m == 0 {
        return true;
    }
    let hessian = vec![0.0; kkt.hessian_len()];
    let sigma = vec![1.0; standard.len()];
    kkt.assemble(standard, &hessian, &point.jacobian, &sigma);
    if kkt.factorise(standard).is_err() {
        return false;
    }
    let slope = |point: &Point, i: usize| point.z_upper[i] - point.z_lower[i];
    let mut rhs = vec![0.0; standard.len()];
    for (i, rhs) in rhs.iter_mut().enumerate() {
        *rhs = if standard.fixed[i] {
            0.0
        } else if i < standard.n {
            -(point.gradient[i] + slope(point, i))
        } else if standard.open[i - standard.n] {
            0.0
        } else {
            -slope(point, i)
        };
    }
    let useful = kkt.solve(&mut rhs).is_ok() && rhs[standard.n..].iter().all(|lambda| lambda.abs() <= LARGE);
    if useful {
        point.lambda.copy_from_slice(&rhs[standard.n..]);
    }
    kkt.forget_shift();
    useful
}
