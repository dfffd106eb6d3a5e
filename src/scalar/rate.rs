//! A number with its rate: the derivative along one direction, of any scalar.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Scalar;

/// x + ε ẋ with ε² = 0. Over expressions of a graph it makes the rate of change an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rated<T> {
    /// x.
    pub value: T,
    /// ẋ.
    pub rate: T,
}

impl<T: Scalar> Rated<T> {
    /// A number with its rate.
    pub fn new(value: T, rate: T) -> Self {
        Self { value, rate }
    }

    fn through(self, value: T, slope: T) -> Self {
        Self { value, rate: slope * self.rate }
    }
}

impl<T: Scalar> Neg for Rated<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, rate: -self.rate }
    }
}

impl<T: Scalar> Add for Rated<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { value: self.value + other.value, rate: self.rate + other.rate }
    }
}

impl<T: Scalar> Sub for Rated<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { value: self.value - other.value, rate: self.rate - other.rate }
    }
}

impl<T: Scalar> Mul for Rated<T> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self { value: self.value * other.value, rate: self.rate * other.value + self.value * other.rate }
    }
}

impl<T: Scalar> Div for Rated<T> {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        Self { value, rate: (self.rate - value * other.rate) / other.value }
    }
}

impl<T: Scalar> Add<f64> for Rated<T> {
    type Output = Self;

    fn add(self, other: f64) -> Self {
        Self { value: self.value + other, ..self }
    }
}

impl<T: Scalar> Sub<f64> for Rated<T> {
    type Output = Self;

    fn sub(self, other: f64) -> Self {
        Self { value: self.value - other, ..self }
    }
}

impl<T: Scalar> Mul<f64> for Rated<T> {
    type Output = Self;

    fn mul(self, other: f64) -> Self {
        Self { value: self.value * other, rate: self.rate * other }
    }
}

impl<T: Scalar> Div<f64> for Rated<T> {
    type Output = Self;

    fn div(self, other: f64) -> Self {
        Self { value: self.value / other, rate: self.rate / other }
    }
}

impl<T: Scalar> Scalar for Rated<T> {
    fn lift(self, value: f64) -> Self {
        Self { value: self.value.lift(value), rate: self.value.lift(0.0) }
    }

    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        self.through(root, root.lift(0.5) / root)
    }

    fn sin(self) -> Self {
        self.through(self.value.sin(), self.value.cos())
    }

    fn cos(self) -> Self {
        self.through(self.value.cos(), -self.value.sin())
    }

    fn exp(self) -> Self {
        let value = self.value.exp();
        self.through(value, value)
    }

    fn ln(self) -> Self {
        self.through(self.value.ln(), self.value.lift(1.0) / self.value)
    }

    fn atan2(self, x: Self) -> Self {
        let square = self.value.square() + x.value.square();
        Self { value: self.value.atan2(x.value), rate: (x.value * self.rate - self.value * x.rate) / square }
    }

    fn atan_root(self) -> Self {
        self.through(self.value.atan_root(), self.value.atan_root_slope())
    }

    fn atan_root_slope(self) -> Self {
        // 2 x g'' + 3 g' = −1/(1 + x)²; only rates of rates need it, and these are not asked for.
        let (x, slope) = (self.value, self.value.atan_root_slope());
        let over = x.lift(1.0) / (x + 1.0);
        self.through(slope, -(over.square() + slope * 3.0) / (x * 2.0))
    }

    fn square(self) -> Self {
        self.through(self.value.square(), self.value * 2.0)
    }
}

#[cfg(test)]
mod tests {
    use num_dual::Dual64;

    use super::*;

    fn along(value: f64, rate: f64) -> Rated<f64> {
        Rated::new(value, rate)
    }

    fn all<T: Scalar>(x: T, y: T) -> T {
        let angle = (x * y + 0.3).sin().atan2(y.cos() - x / y);
        angle * x.sqrt() + (x.ln() - 2.0).square() / 3.0 - (-y).square() * x.lift(0.7) + (x * x).atan_root()
    }

    /// Against dual numbers.
    #[test]
    fn rates_are_derivatives() {
        let found = all(along(0.8, 0.5), along(1.3, -0.4));
        let dual = |value: f64, eps: f64| Dual64::new(value, eps);
        let witness = all(dual(0.8, 0.5), dual(1.3, -0.4));
        assert!((found.value - witness.re).abs() < 1e-15 && (found.rate - witness.eps).abs() < 1e-14);
        let slope = along(0.3, 1.0).atan_root_slope();
        assert!((slope.rate - super::super::atan_root_derivative(0.3, 2)).abs() < 1e-14);
    }
}
