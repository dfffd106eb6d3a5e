//! Linear elements in time: the matrices D = ∫φ φ̇ and M = ∫φ φ, row by row.

use std::ops::{Add, Mul, Sub};

use crate::kernel::expression::EvalError;

/// `steps` equal elements of length `dt`; rows 1 … steps (row 0 is not tested).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeElements {
    /// Element length, second.
    pub dt: f64,
    /// Number of elements.
    pub steps: usize,
}

/// Gauss points of order four on [0, 1], each with weight 1/2.
pub const GAUSS: [f64; 2] = [0.211_324_865_405_187_1, 0.788_675_134_594_812_9];

impl TimeElements {
    /// Entries of row k of D in the columns k−1, k, k+1.
    pub fn rate(&self, k: usize) -> [f64; 3] {
        if k < self.steps { [-0.5, 0.0, 0.5] } else { [-0.5, 0.5, 0.0] }
    }

    /// Entries of row k of M in the columns k−1, k, k+1.
    pub fn mass(&self, k: usize) -> [f64; 3] {
        let sixth = self.dt / 6.0;
        if k < self.steps { [sixth, 4.0 * sixth, sixth] } else { [sixth, 2.0 * sixth, 0.0] }
    }

    /// ∫φ_k.
    pub fn weight(&self, k: usize) -> f64 {
        if k == 0 || k == self.steps { 0.5 * self.dt } else { self.dt }
    }

    /// Row k of D or M applied to nodal values.
    pub fn apply<T>(&self, row: [f64; 3], k: usize, values: &[T]) -> T
    where
        T: Copy + Add<Output = T> + Mul<f64, Output = T>,
    {
        let sum = values[k - 1] * row[0] + values[k] * row[1];
        if k < self.steps { sum + values[k + 1] * row[2] } else { sum }
    }

    /// The nodal values y₁ … y_N with M y = r for given y₀ (`y[0]`) by the Thomas algorithm; `y[1..]` holds r on entry.
    pub fn solve_mass<T>(&self, y: &mut [T])
    where
        T: Copy + Sub<Output = T> + Mul<f64, Output = T>,
    {
        let mut pivots = vec![0.0; self.steps + 1];
        y[1] = y[1] - y[0] * self.mass(1)[0];
        pivots[1] = self.mass(1)[1];
        for k in 2..=self.steps {
            let [lower, diagonal, _] = self.mass(k);
            let factor = lower / pivots[k - 1];
            pivots[k] = diagonal - factor * self.mass(k - 1)[2];
            y[k] = y[k] - y[k - 1] * factor;
        }
        y[self.steps] = y[self.steps] * (1.0 / pivots[self.steps]);
        for k in (1..self.steps).rev() {
            y[k] = (y[k] - y[k + 1] * self.mass(k)[2]) * (1.0 / pivots[k]);
        }
    }

    /// ∫φ_k f dt for all k, with f given at instants from `start` on, by four-point Gauss on each element (so that the
    /// projection error is that of the elements alone).
    pub fn project<T>(
        &self,
        start: f64,
        zero: T,
        f: &mut dyn FnMut(f64) -> Result<T, EvalError>,
    ) -> Result<Vec<T>, EvalError>
    where
        T: Copy + Add<Output = T> + Mul<f64, Output = T>,
    {
        let mut out = vec![zero; self.steps + 1];
        for k in 0..self.steps {
            for (x, w) in GAUSS4 {
                let value = f(start + (k as f64 + x) * self.dt)? * (w * self.dt);
                out[k] = out[k] + value * (1.0 - x);
                out[k + 1] = out[k + 1] + value * x;
            }
        }
        Ok(out)
    }
}

/// Four-point Gauss rule on [0, 1]: (point, weight).
const GAUSS4: [(f64, f64); 4] = [
    (0.069_431_844_202_973_71, 0.173_927_422_568_726_93),
    (0.330_009_478_207_571_87, 0.326_072_577_431_273_07),
    (0.669_990_521_792_428_1, 0.326_072_577_431_273_07),
    (0.930_568_155_797_026_3, 0.173_927_422_568_726_93),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_of_a_line_is_the_line() {
        let elements = TimeElements { dt: 0.25, steps: 8 };
        let line = |t: f64| 3.0 - 2.0 * t;
        let mut y = elements.project(1.0, 0.0, &mut |t| Ok(line(t))).unwrap();
        let weights: f64 = (0..=8).map(|k| elements.weight(k)).sum();
        assert!((weights - 2.0).abs() < 1e-15);
        y[0] = line(1.0);
        elements.solve_mass(&mut y);
        for (k, v) in y.iter().enumerate() {
            assert!((v - line(1.0 + 0.25 * k as f64)).abs() < 1e-13);
        }
    }

    /// D x = M v recovers the derivative of x to fourth order in the interior (compact difference).
    #[test]
    fn velocity_is_fourth_order_inside() {
        let error = |steps: usize| {
            let elements = TimeElements { dt: 8.0 / steps as f64, steps };
            let x: Vec<f64> = (0..=steps).map(|k| (k as f64 * elements.dt).sin()).collect();
            let mut v: Vec<f64> =
                (0..=steps).map(|k| if k == 0 { 1.0 } else { elements.apply(elements.rate(k), k, &x) }).collect();
            elements.solve_mass(&mut v);
            (v[steps / 2] - 4f64.cos()).abs()
        };
        assert!((error(80) / error(160)).log2() > 3.8);
    }
}
