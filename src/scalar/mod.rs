//! The numbers that mechanics is written in.
//!
//! An energy, an inertia, a condition is written once over [`Scalar`]. With `f64` it gives a value, with dual numbers exact
//! derivatives, with expressions of a graph a program for the solvers of space-time problems. Branches on values do not exist
//! over graphs; what needs one is an analytic function of its own, such as `atan_root`.

mod atan_root;
mod error_function;
mod rate;

use std::ops::{Add, Div, Mul, Neg, Sub};

use num_dual::DualNum;

pub use atan_root::{atan_root, atan_root_derivative, atan_root_jet, atan_root_series};
pub use error_function::{erf, erf_derivative};
pub use rate::Rated;

/// A real number or a dual (hyper-dual, …) number over `f64`.
///
/// Its real part may be asked for, so that code over it can choose by value.
pub trait Real: DualNum<Primitive = f64> + Copy + Send + Sync {}

impl<T: DualNum<Primitive = f64> + Copy + Send + Sync> Real for T {}

/// A number, a dual number or an expression of a graph.
pub trait Scalar:
    Copy
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
{
    /// A plain number of the same kind as this one.
    fn lift(self, value: f64) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
    /// The sine.
    fn sin(self) -> Self;
    /// The cosine.
    fn cos(self) -> Self;
    /// e to this power.
    fn exp(self) -> Self;
    /// The natural logarithm.
    fn ln(self) -> Self;
    /// The angle of the point with the abscissa `x` and this ordinate.
    fn atan2(self, x: Self) -> Self;
    /// atan √x / √x: see `atan_root`.
    fn atan_root(self) -> Self;
    /// Its derivative.
    fn atan_root_slope(self) -> Self;

    /// x².
    fn square(self) -> Self {
        self * self
    }
}

impl<T: Real> Scalar for T {
    #[inline]
    fn lift(self, value: f64) -> Self {
        T::from(value)
    }

    #[inline]
    fn sqrt(self) -> Self {
        DualNum::sqrt(&self)
    }

    #[inline]
    fn sin(self) -> Self {
        DualNum::sin(&self)
    }

    #[inline]
    fn cos(self) -> Self {
        DualNum::cos(&self)
    }

    #[inline]
    fn exp(self) -> Self {
        DualNum::exp(&self)
    }

    #[inline]
    fn ln(self) -> Self {
        DualNum::ln(&self)
    }

    #[inline]
    fn atan2(self, x: Self) -> Self {
        // The angle is atan(y/x) or −atan(x/y) up to a constant; the smaller quotient is used.
        let angle = self.re().atan2(x.re());
        let branch = if x.re().abs() >= self.re().abs() { (self / x).atan() } else { -(x / self).atan() };
        branch + (angle - branch.re())
    }

    #[inline]
    fn atan_root(self) -> Self {
        atan_root(self)
    }

    fn atan_root_slope(self) -> Self {
        // From 2 x g' + g = 1/(1 + x), and where x is small from the series.
        if self.re().abs() < 0.05 {
            return atan_root::slope_series(self);
        }
        let over = T::from(1.0) / (self + 1.0);
        (over - atan_root(self)) / (self * 2.0)
    }
}

#[cfg(test)]
mod tests {
    use num_dual::Dual64;

    use super::*;

    fn twice<T: Scalar>(x: T) -> T {
        (x.sin() * x.lift(2.0)).square().sqrt()
    }

    #[test]
    fn numbers_and_dual_numbers_are_scalars() {
        assert!((twice(0.3_f64) - 2.0 * 0.3_f64.sin()).abs() < 1e-15);
        let slope = twice(Dual64::from_re(0.3).derivative());
        assert!((slope.eps - 2.0 * 0.3_f64.cos()).abs() < 1e-15);
        let angle = Scalar::atan2(Dual64::from_re(-1.0).derivative(), Dual64::from_re(-1e-3));
        assert!((angle.re - f64::atan2(-1.0, -1e-3)).abs() < 1e-15 && (angle.eps - -1e-3 / (1.0 + 1e-6)).abs() < 1e-15);
    }
}
