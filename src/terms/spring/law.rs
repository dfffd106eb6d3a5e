//! How the force of a spring follows from its elongations x and their rates v: K x + D v, U'(x) + D v or f(x, v).

use nalgebra::{Matrix6, Vector6};
use num_dual::{Dual2_64, Dual64};

use super::{Pull, SpringElement};
use crate::kernel::{Formula, FormulaScalar};
use crate::material::SpringLaw;
use crate::terms::shape::gauss;

impl SpringElement {
    /// What elongations store and pull, without their rates. A value that does not exist is not a number.
    pub fn elastic(&self, x: &Vector6<f64>) -> Pull {
        let one = |energy: f64, force: f64, tangent: f64| Pull {
            energy,
            force: Vector6::ith(0, force),
            tangent: only(tangent),
        };
        match &self.law {
            SpringLaw::Linear => {
                let force = self.stiffness * x;
                Pull { energy: 0.5 * x.dot(&force), force, tangent: self.stiffness }
            }
            SpringLaw::Energy(energy) => {
                let Dual2_64 { re, v1, v2 } = Dual2_64::formula(energy, &[Dual2_64::from_re(x[0]).derivative()]);
                one(re, v1, v2)
            }
            SpringLaw::Force(force) => {
                let Dual64 { re, eps, .. } =
                    Dual64::formula(force, &[Dual64::from_re(x[0]).derivative(), Dual64::from_re(0.0)]);
                one(integral(force, 0.0, x[0]), re, eps)
            }
        }
    }

    /// What rates add to the forces.
    pub fn viscous(&self, x: &Vector6<f64>, v: &Vector6<f64>) -> Vector6<f64> {
        match &self.law {
            SpringLaw::Force(force) => {
                let [with, without] = [v[0], 0.0].map(|v| f64::formula(force, &[x[0], v]));
                Vector6::ith(0, with - without)
            }
            SpringLaw::Linear | SpringLaw::Energy(_) => self.damping * v,
        }
    }

    /// Derivatives of [`SpringElement::viscous`] by the elongations and by the rates.
    pub fn viscous_slopes(&self, x: &Vector6<f64>, v: &Vector6<f64>) -> [Matrix6<f64>; 2] {
        match &self.law {
            SpringLaw::Force(force) => {
                let (plain, varied) = (Dual64::from_re, |value: f64| Dual64::from_re(value).derivative());
                let slope = |x: Dual64, v: Dual64| Dual64::formula(force, &[x, v]).eps;
                let by_x = slope(varied(x[0]), plain(v[0])) - slope(varied(x[0]), plain(0.0));
                [only(by_x), only(slope(plain(x[0]), varied(v[0])))]
            }
            SpringLaw::Linear | SpringLaw::Energy(_) => [Matrix6::zeros(), self.damping],
        }
    }

    /// The energy of elongations over any scalar; none of a spring stated by its force, which acts by [`SpringElement::force_over`].
    pub fn energy_over<T: FormulaScalar>(&self, x: &[T; 6]) -> Option<T> {
        let zero = x[0].lift(0.0);
        match &self.law {
            SpringLaw::Linear => {
                let mut twice = zero;
                for i in 0..self.measures() {
                    for j in (0..self.measures()).filter(|j| self.stiffness[(i, *j)] != 0.0) {
                        twice = twice + x[i] * x[j] * self.stiffness[(i, j)];
                    }
                }
                Some(twice * 0.5)
            }
            SpringLaw::Energy(energy) => Some(T::formula(energy, &x[..1])),
            SpringLaw::Force(_) => None,
        }
    }

    /// The forces without potential over any scalar: D v, or all of f(x, v).
    pub fn force_over<T: FormulaScalar>(&self, x: &[T; 6], v: &[T; 6]) -> [T; 6] {
        let zero = x[0].lift(0.0);
        let mut out = [zero; 6];
        match &self.law {
            SpringLaw::Force(force) => out[0] = T::formula(force, &[x[0], v[0]]),
            SpringLaw::Linear | SpringLaw::Energy(_) => {
                for i in 0..self.measures() {
                    for j in (0..self.measures()).filter(|j| self.damping[(i, *j)] != 0.0) {
                        out[i] = out[i] + v[j] * self.damping[(i, j)];
                    }
                }
            }
        }
        out
    }
}

fn only(value: f64) -> Matrix6<f64> {
    let mut matrix = Matrix6::zeros();
    matrix[(0, 0)] = value;
    matrix
}

/// ∫ f(x, 0) dx by Gauss's rule on intervals that are halved until both halves agree with the whole.
fn integral(force: &Formula, from: f64, to: f64) -> f64 {
    /// Relative error of an interval.
    const CLOSE: f64 = 1e-13;
    /// Halvings that still tell apart what jumps or has kinks.
    const DEEPEST: usize = 40;
    let points = gauss(7);
    let over = |a: f64, b: f64| -> f64 {
        let value = |x: f64| f64::formula(force, &[x, 0.0]);
        points.iter().map(|(x, weight)| weight * value(a + (b - a) * x)).sum::<f64>() * (b - a)
    };
    let whole = over(from, to);
    let (mut sum, mut left) = (0.0_f64, vec![(from, to, whole, 0)]);
    while let Some((a, b, whole, depth)) = left.pop() {
        let middle = 0.5 * (a + b);
        let halves = [over(a, middle), over(middle, b)];
        let both = halves[0] + halves[1];
        if depth >= DEEPEST || !((both - whole).abs() > CLOSE * (both.abs() + sum.abs())) {
            sum += both;
        } else {
            left.extend([(a, middle, halves[0], depth + 1), (middle, b, halves[1], depth + 1)]);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Expression, Scope};

    /// A gap that closes at x = 0.3: zero before, ½ k (x − 0.3)² after.
    #[test]
    fn energies_of_forces_with_kinks_are_exact() {
        let names = ["x", "v"].map(String::from);
        let text = Expression::Text("5*max(x - 0.3, 0) + v*x".into());
        let force = Formula::compile(&text, &Scope::empty(), &names).unwrap();
        for x in [-1.0, 0.2, 0.3, 0.7, 2.0_f64] {
            let known = 2.5 * (x - 0.3).max(0.0).powi(2);
            assert!((integral(&force, 0.0, x) - known).abs() < 1e-12, "{x}");
        }
    }
}
