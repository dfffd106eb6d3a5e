//! Modes over the rate of rotation, followed from rate to rate by their shapes.

use std::f64::consts::TAU;

use nalgebra::Complex;

use super::vibration::Vibration;
use crate::nlp::Pattern;
use crate::results::{Branch, Campbell, Outcome};

/// Least likeness, from 0 to 1, of shapes at neighbouring rates that belong to one branch.
const ALIKE: f64 = 0.25;

/// Branches so far.
#[derive(Default)]
pub struct Branches {
    rates: Vec<f64>,
    branches: Vec<Branch>,
    /// Shapes at the last rate, of mass 1, each with its branch.
    last: Vec<(usize, Vec<Complex<f64>>)>,
}

/// φᴴMψ.
fn product(mass: (&Pattern, &[f64]), a: &[Complex<f64>], b: &[Complex<f64>]) -> Complex<f64> {
    let (pattern, values) = mass;
    let mut sum = Complex::new(0.0, 0.0);
    for (col, b) in b.iter().enumerate() {
        for entry in pattern.column(col) {
            sum += a[pattern.row_idx()[entry]].conj() * b * values[entry];
        }
    }
    sum
}

impl Branches {
    /// Adds the modes at the next rate, rad/s.
    pub fn add(&mut self, rate: f64, found: &Vibration) {
        let mass = (&found.linearised.pattern, found.linearised.mass.as_slice());
        let normalised = |shape: &Vec<Complex<f64>>| -> Vec<Complex<f64>> {
            let size = product(mass, shape, shape).re.max(f64::MIN_POSITIVE).sqrt();
            shape.iter().map(|s| s / size).collect()
        };
        let shapes: Vec<Vec<Complex<f64>>> = found.modes.iter().map(|mode| normalised(&mode.shape)).collect();
        let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
        for (old, (_, before)) in self.last.iter().enumerate() {
            for (new, shape) in shapes.iter().enumerate() {
                // A mode and its conjugate are one motion.
                let turned: Vec<Complex<f64>> = before.iter().map(|s| s.conj()).collect();
                let alike = product(mass, before, shape).norm_sqr().max(product(mass, &turned, shape).norm_sqr());
                pairs.push((alike, old, new));
            }
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut branch_of = vec![None; shapes.len()];
        let mut taken = vec![false; self.last.len()];
        for (alike, old, new) in pairs {
            if alike >= ALIKE && !taken[old] && branch_of[new].is_none() {
                taken[old] = true;
                branch_of[new] = Some(self.last[old].0);
            }
        }
        let index = self.rates.len();
        self.rates.push(rate);
        self.last.clear();
        for ((mode, shape), branch) in found.modes.iter().zip(shapes).zip(branch_of) {
            let branch = branch.unwrap_or_else(|| {
                self.branches.push(Branch { first: index, omega: Vec::new(), real: Vec::new() });
                self.branches.len() - 1
            });
            self.branches[branch].omega.push(mode.value.im);
            self.branches[branch].real.push(mode.value.re);
            self.last.push((branch, shape));
        }
    }

    /// The finished diagram with lines of these multiples of the rate.
    pub fn diagram(self, orders: &[f64]) -> Campbell {
        let mut diagram =
            Campbell { rates: self.rates, orders: orders.to_vec(), branches: self.branches, crossings: Vec::new() };
        diagram.find_crossings();
        diagram
    }
}

/// The frequencies at the rate number `k`, by their size.
pub fn tell(k: usize, found: &Vibration, outcome: &mut Outcome) {
    for (index, mode) in found.modes.iter().enumerate() {
        let scalars = &mut outcome.report.scalars;
        scalars.insert(format!("campbell.{k}.{}.omega", index + 1), mode.value.im);
        scalars.insert(format!("campbell.{k}.{}.frequency", index + 1), mode.value.im / TAU);
    }
}
