//! Taylor series of expressions along a curve of the variables.
//!
//! If every variable is a series x(t₀ + τ) = Σ xₖ τᵏ, so is every node of the tape, and its coefficients follow from those of
//! its operands by recurrences (Griewank and Walther 2008, section 13.2): products are convolutions, and a function y = φ(a)
//! with φ' known obeys k yₖ = Σ j aⱼ wₖ₋ⱼ, w = φ'(a). A degree of n costs n² operations per node.
//!
//! Where an expression chooses between branches the choice is that of the instants just after (or just before) t₀: series are
//! compared by their first coefficient that differs. So derivatives at a kink are those of one side.

use super::op::{Arity, Op};
use super::program::Program;
use super::tape::Tape;
use crate::kernel::Side as Beside;
use crate::scalar::{atan_root_series, erf_derivative};

/// Which side of an instant a series describes, where an expression has a kink there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The instants before.
    Before,
    /// The instants after.
    After,
}

/// Evaluates the rows of a program as Taylor series.
#[derive(Debug, Clone)]
pub struct Taylor {
    tape: Tape,
    roots: Vec<u32>,
    /// Coefficients of a node: as many as its degree and one.
    stride: usize,
    values: Vec<f64>,
    scratch: [Vec<f64>; 3],
    branches: Vec<u32>,
}

impl Taylor {
    /// Prepares series of degrees up to `degree`.
    pub fn new(program: &Program, degree: usize) -> Self {
        let (tape, roots) = program.tape();
        let stride = degree + 1;
        let mut values = vec![0.0; tape.len() * stride];
        for node in 0..tape.len() {
            if let Some(number) = tape.number(node) {
                values[node * stride] = number;
            }
        }
        let scratch = [(); 3].map(|()| vec![0.0; stride]);
        Self { tape: tape.clone(), roots: roots.to_vec(), stride, values, scratch, branches: Vec::new() }
    }

    /// The largest degree.
    pub fn degree(&self) -> usize {
        self.stride - 1
    }

    /// The coefficients of a variable, to be written before an evaluation.
    pub fn variable(&mut self, variable: usize) -> &mut [f64] {
        &mut self.values[variable * self.stride..(variable + 1) * self.stride]
    }

    /// Computes all coefficients up to a degree, at most [`Taylor::degree`].
    pub fn evaluate(&mut self, degree: usize, side: Side) {
        let n = degree.min(self.degree()) + 1;
        self.branches.clear();
        for node in self.tape.variables()..self.tape.len() {
            let op = self.tape.op(node);
            if op.arity() == Arity::Leaf {
                if op == Op::Foreign {
                    self.values[node * self.stride..][..n].fill(f64::NAN);
                }
                continue;
            }
            let mut operands = [0usize; 3];
            let (before, rest) = self.values.split_at_mut(node * self.stride);
            let y = &mut rest[..n];
            if op.arity() == Arity::Sum {
                y.fill(0.0);
                self.tape.operands(node, |operand| {
                    let a = &before[operand as usize * self.stride..][..n];
                    y.iter_mut().zip(a).for_each(|(y, a)| *y += a);
                });
                continue;
            }
            let mut count = 0;
            self.tape.operands(node, |operand| {
                operands[count] = operand as usize;
                count += 1;
            });
            let [a, b, c] = operands.map(|operand| &before[operand * self.stride..][..n]);
            if op == Op::Choose {
                let yes = a[0] != 0.0;
                self.branches.push(yes.into());
                y.copy_from_slice(if yes { b } else { c });
                continue;
            }
            if matches!(op, Op::Min | Op::Max | Op::Abs) {
                let first = match op {
                    Op::Abs => sign(a.iter().copied(), side) >= 0.0,
                    Op::Min => compare(a, b, side) <= 0.0,
                    _ => compare(a, b, side) >= 0.0,
                };
                self.branches.push(first.into());
                match (op, first) {
                    (_, true) => y.copy_from_slice(a),
                    (Op::Abs, false) => y.iter_mut().zip(a).for_each(|(y, a)| *y = -a),
                    (_, false) => y.copy_from_slice(b),
                }
                if op != Op::Abs && (a[0].is_nan() || b[0].is_nan()) {
                    y.fill(f64::NAN);
                }
                continue;
            }
            if op.is_logical() {
                y.fill(0.0);
                y[0] = answer(op, a, b, side);
                continue;
            }
            if let Some((spline, order)) = self.tape.table(op) {
                let way = sign(std::iter::once(0.0).chain(a[1..].iter().copied()), side);
                let beside = if way < 0.0 { Beside::Below } else { Beside::Above };
                self.branches.push(spline.part(a[0], order + n - 1, beside));
                spline.series(a[0], order, beside, &mut self.scratch[2][..n]);
                compose(a, y, &mut self.scratch);
                continue;
            }
            smooth(op, a, b, y, &mut self.scratch);
        }
    }

    /// The coefficients of a row after an evaluation; those above its degree are not meaningful.
    pub fn row(&self, row: usize) -> &[f64] {
        let node = self.roots[row] as usize;
        &self.values[node * self.stride..(node + 1) * self.stride]
    }

    /// The branches that were taken, in the order of the tape; of functions given by samples, the pieces between which a
    /// derivative that was computed may jump.
    pub fn branches(&self) -> &[u32] {
        &self.branches
    }
}

/// The sign that a series has beside its instant.
fn sign(series: impl Iterator<Item = f64>, side: Side) -> f64 {
    for (k, x) in series.enumerate() {
        if x != 0.0 {
            return if side == Side::Before && k % 2 == 1 { -x } else { x };
        }
    }
    0.0
}

fn compare(a: &[f64], b: &[f64], side: Side) -> f64 {
    sign(a.iter().zip(b).map(|(a, b)| a - b), side)
}

/// What a question answers beside the instant, 1 or 0.
fn answer(op: Op, a: &[f64], b: &[f64], side: Side) -> f64 {
    let yes = match op {
        Op::Not => a[0] == 0.0,
        Op::And => a[0] != 0.0 && b[0] != 0.0,
        Op::Or => a[0] != 0.0 || b[0] != 0.0,
        Op::Less => compare(a, b, side) < 0.0,
        Op::AtMost => compare(a, b, side) <= 0.0,
        _ => compare(a, b, side) == 0.0,
    };
    if yes { 1.0 } else { 0.0 }
}

/// The series of a smooth operation.
fn smooth(op: Op, a: &[f64], b: &[f64], y: &mut [f64], scratch: &mut [Vec<f64>; 3]) {
    let n = y.len();
    let [w, z, _] = scratch.each_mut().map(|s| &mut s[..n]);
    match op {
        Op::Neg => y.iter_mut().zip(a).for_each(|(y, a)| *y = -a),
        Op::Add => (0..n).for_each(|k| y[k] = a[k] + b[k]),
        Op::Sub => (0..n).for_each(|k| y[k] = a[k] - b[k]),
        Op::Mul => multiply(a, b, y),
        Op::Square => multiply(a, a, y),
        Op::Div => divide(a, b, y),
        Op::Sqrt => root(a, y),
        Op::Exp => exponential(a, y),
        Op::Ln | Op::Log10 => {
            logarithm(a, y);
            if op == Op::Log10 {
                y.iter_mut().for_each(|y| *y *= std::f64::consts::LOG10_E);
                y[0] = a[0].log10();
            }
        }
        Op::Sin => pair(a, [f64::sin, f64::cos], -1.0, y, w),
        Op::Cos => pair(a, [f64::sin, f64::cos], -1.0, w, y),
        Op::Sinh => pair(a, [f64::sinh, f64::cosh], 1.0, y, w),
        Op::Cosh => pair(a, [f64::sinh, f64::cosh], 1.0, w, y),
        Op::Tan | Op::Tanh => {
            // y' = w a', w = 1 ± y².
            let plus = if op == Op::Tan { 1.0 } else { -1.0 };
            y[0] = op.value(a[0], 0.0);
            w[0] = 1.0 + plus * y[0] * y[0];
            for k in 1..n {
                y[k] = (1..=k).map(|j| j as f64 * a[j] * w[k - j]).sum::<f64>() / k as f64;
                w[k] = plus * (0..=k).map(|j| y[j] * y[k - j]).sum::<f64>();
            }
        }
        Op::Asin | Op::Acos | Op::Atan | Op::Asinh | Op::Acosh | Op::Atanh => {
            // w y' = ± a' with w = 1 ∓ a² or its root.
            multiply(a, a, z);
            let (offset, factor) = match op {
                Op::Asin | Op::Acos | Op::Atanh => (1.0, -1.0),
                Op::Atan | Op::Asinh => (1.0, 1.0),
                _ => (-1.0, 1.0),
            };
            z.iter_mut().for_each(|z| *z *= factor);
            z[0] += offset;
            if matches!(op, Op::Atan | Op::Atanh) {
                w.copy_from_slice(z)
            } else {
                root(z, w)
            }
            integrate(|k| k as f64 * a[k], w, y);
            if op == Op::Acos {
                y.iter_mut().for_each(|y| *y = -*y);
            }
            y[0] = op.value(a[0], 0.0);
        }
        Op::Atan2 => {
            // (a² + b²) y' = b a' − a b'.
            multiply(a, a, w);
            multiply(b, b, z);
            (0..n).for_each(|k| w[k] += z[k]);
            let turned = |k: usize| (1..=k).map(|j| j as f64 * (b[k - j] * a[j] - a[k - j] * b[j])).sum::<f64>();
            integrate(turned, w, y);
            y[0] = op.value(a[0], b[0]);
        }
        Op::AtanRoot(order) => {
            let order = usize::from(order);
            let mut series = vec![0.0; n + order];
            atan_root_series(a[0], &mut series);
            let outer = &mut scratch[2][..n];
            for (k, outer) in outer.iter_mut().enumerate() {
                let falling: f64 = (k + 1..=k + order).map(|factor| factor as f64).product();
                *outer = falling * series[k + order];
            }
            compose(a, y, scratch);
        }
        Op::Erf(order) => {
            let mut factorial = 1.0;
            for (k, outer) in scratch[2][..n].iter_mut().enumerate() {
                factorial *= k.max(1) as f64;
                *outer = erf_derivative(a[0], usize::from(order) + k) / factorial;
            }
            compose(a, y, scratch);
        }
        Op::Power => power(a, b[0], y, scratch),
        Op::Pow if b[1..].iter().all(|b| *b == 0.0) => power(a, b[0], y, scratch),
        Op::Pow => {
            let [w, z, _] = scratch.each_mut().map(|s| &mut s[..n]);
            logarithm(a, w);
            multiply(w, b, z);
            exponential(z, y);
        }
        _ => y.fill(f64::NAN),
    }
}

/// Σ cₙ (a − a₀)ⁿ by Horner's scheme, with the Taylor coefficients cₙ of the outer function at a₀ in the last scratch.
fn compose(a: &[f64], y: &mut [f64], scratch: &mut [Vec<f64>; 3]) {
    let n = y.len();
    let [inner, sum, outer] = scratch.each_mut().map(|s| &mut s[..n]);
    inner.copy_from_slice(a);
    inner[0] = 0.0;
    y.fill(0.0);
    for k in (0..n).rev() {
        multiply(y, inner, sum);
        y.copy_from_slice(sum);
        y[0] += outer[k];
    }
}

/// y' = y a'.
fn exponential(a: &[f64], y: &mut [f64]) {
    y[0] = a[0].exp();
    for k in 1..y.len() {
        y[k] = (1..=k).map(|j| j as f64 * a[j] * y[k - j]).sum::<f64>() / k as f64;
    }
}

fn multiply(a: &[f64], b: &[f64], y: &mut [f64]) {
    for k in 0..y.len() {
        y[k] = (0..=k).map(|j| a[j] * b[k - j]).sum();
    }
}

fn divide(a: &[f64], b: &[f64], y: &mut [f64]) {
    for k in 0..y.len() {
        let known: f64 = (0..k).map(|j| y[j] * b[k - j]).sum();
        y[k] = (a[k] - known) / b[0];
    }
}

/// The square root; that of what is zero and stays zero is zero.
fn root(a: &[f64], y: &mut [f64]) {
    if a[..y.len()].iter().all(|a| *a == 0.0) {
        y.fill(0.0);
        return;
    }
    y[0] = a[0].sqrt();
    for k in 1..y.len() {
        let known: f64 = (1..k).map(|j| y[j] * y[k - j]).sum();
        y[k] = (a[k] - known) / (2.0 * y[0]);
    }
}

/// a y' = a'.
fn logarithm(a: &[f64], y: &mut [f64]) {
    integrate(|k| k as f64 * a[k], a, y);
    y[0] = a[0].ln();
}

/// y with w y' = f', where `slope(k)` is k fₖ; y₀ is left to the caller.
fn integrate(slope: impl Fn(usize) -> f64, w: &[f64], y: &mut [f64]) {
    for k in 1..y.len() {
        let known: f64 = (1..k).map(|j| j as f64 * y[j] * w[k - j]).sum();
        y[k] = (slope(k) - known) / (k as f64 * w[0]);
    }
}

/// Sine and cosine (`sign` = −1), hyperbolic (`sign` = 1): s' = c a', c' = ± s a'.
fn pair(a: &[f64], of: [fn(f64) -> f64; 2], sign: f64, s: &mut [f64], c: &mut [f64]) {
    (s[0], c[0]) = (of[0](a[0]), of[1](a[0]));
    for k in 1..s.len() {
        let (mut up, mut down) = (0.0, 0.0);
        for j in 1..=k {
            let slope = j as f64 * a[j];
            up += slope * c[k - j];
            down += slope * s[k - j];
        }
        (s[k], c[k]) = (up / k as f64, sign * down / k as f64);
    }
}

/// aᵖ: by multiplication where p is a whole number that is not large, so that a may vanish.
fn power(a: &[f64], p: f64, y: &mut [f64], scratch: &mut [Vec<f64>; 3]) {
    let n = y.len();
    if p.fract() == 0.0 && p.abs() <= 64.0 {
        let [base, product, sum] = scratch.each_mut().map(|s| &mut s[..n]);
        base.copy_from_slice(&a[..n]);
        product.fill(0.0);
        product[0] = 1.0;
        let mut left = p.abs() as u32;
        while left > 0 {
            if left % 2 == 1 {
                multiply(product, base, sum);
                product.copy_from_slice(sum);
            }
            left /= 2;
            if left > 0 {
                multiply(base, base, sum);
                base.copy_from_slice(sum);
            }
        }
        if p < 0.0 {
            base.fill(0.0);
            base[0] = 1.0;
            divide(base, product, y);
        } else {
            y.copy_from_slice(product);
        }
        return;
    }
    // a y' = p y a'.
    y[0] = a[0].powf(p);
    for k in 1..n {
        let sum: f64 = (1..=k).map(|j| (p * j as f64 - (k - j) as f64) * a[j] * y[k - j]).sum();
        y[k] = sum / (k as f64 * a[0]);
    }
}
