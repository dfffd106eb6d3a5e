//! From an energy written once over [`Real`](crate::scalar::Real) to its exact derivatives.
//!
//! Automatic differentiation serves new models and is the oracle for the hand-written derivatives of hot code.

use nalgebra::{Const, OVector, SMatrix, SVector};
use num_dual::{Dual2Vec, hessian};

/// Scalar that carries a gradient and a Hessian with respect to `N` variables.
pub type Hyper<const N: usize> = Dual2Vec<f64, Const<N>>;

/// Value, gradient and Hessian of a scalar function of `N` variables.
///
/// ```
/// use lariat::kernel::derivative::second_order;
/// let (v, g, h) = second_order(|[x, y]| x * x * y, [3.0, 2.0]);
/// assert_eq!((v, g[0], g[1], h[(0, 1)]), (18.0, 12.0, 9.0, 6.0));
/// ```
pub fn second_order<const N: usize>(
    f: impl Fn([Hyper<N>; N]) -> Hyper<N>,
    x: [f64; N],
) -> (f64, SVector<f64, N>, SMatrix<f64, N, N>) {
    hessian(|v: OVector<Hyper<N>, Const<N>>| f(v.into()), &SVector::from(x))
}
