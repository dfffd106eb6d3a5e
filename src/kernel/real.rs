//! The scalar a formula is written over.

use num_dual::DualNum;

/// A real number or a dual (hyper-dual, …) number over `f64`.
///
/// Writing an energy once over `Real` gives its value with `f64` and its exact derivatives with dual numbers.
pub trait Real: DualNum<Primitive = f64> + Copy + Send + Sync {}

impl<T: DualNum<Primitive = f64> + Copy + Send + Sync> Real for T {}
