//! Damped and non-conservative modes: (λ²M + λC + K) φ = 0 with G φ = 0.
//!
//! With v = λφ the pencil is linear, and about a real shift σ its inverse costs one factorisation of σ²M + σC + K:
//! (A − σB)⁻¹B maps (φ, v) to (x, y) with (σ²M + σC + K) x = −(C φ + M v + σ M φ), y = σx + φ. Arnoldi's method finds the
//! eigenvalues nearest to σ; each is refined by Newton's method on its own equation.

use nalgebra::{Complex, DMatrix, DVector};

use super::pencil::{EigenError, Pencil, Start, dot, size_of_terms};
use crate::nlp::Pattern;
use crate::solver::linear::{LinearSolver, SparseLu};

/// A mode with complex frequency; its conjugate is one as well.
#[derive(Debug, Clone)]
pub struct ComplexMode {
    /// λ with non-negative imaginary part, 1/s.
    pub value: Complex<f64>,
    /// Shape.
    pub shape: Vec<Complex<f64>>,
    /// ‖(λ²M + λC + K)φ‖ relative to the size of its terms, without the part that constraints carry: a backward error.
    pub residual: f64,
}

struct Inverse<'a> {
    pencil: Pencil<'a>,
    damping: Vec<f64>,
    lu: SparseLu,
    sigma: f64,
    work: Vec<f64>,
    product: Vec<f64>,
}

impl<'a> Inverse<'a> {
    fn new(pencil: Pencil<'a>, sigma: f64) -> Result<Self, EigenError> {
        let damping = pencil.damping.map_or_else(|| vec![0.0; pencil.mass.len()], <[f64]>::to_vec);
        let combine = |e: usize| pencil.stiffness[e] + sigma * damping[e] + sigma * sigma * pencil.mass[e];
        let (pattern, values) = pencil.full(combine);
        let mut lu = SparseLu::new();
        lu.analyse(&pattern)?;
        lu.factor(&values)?;
        let total = pencil.size() + pencil.rows();
        let product = vec![0.0; pencil.size()];
        Ok(Self { pencil, damping, lu, sigma, work: vec![0.0; total], product })
    }

    /// (x, y) = (A − σB)⁻¹ B (φ, v).
    fn apply(&mut self, from: &[f64], to: &mut [f64]) -> Result<(), EigenError> {
        let n = self.pencil.size();
        let (phi, v) = from.split_at(n);
        self.work.fill(0.0);
        let pattern = self.pencil.pattern;
        let mut add = |values: &[f64], x: &[f64], factor: f64, work: &mut [f64]| {
            pattern.multiply(values, x, &mut self.product);
            work.iter_mut().zip(&self.product).for_each(|(w, p)| *w -= factor * p);
        };
        add(&self.damping, phi, 1.0, &mut self.work);
        add(self.pencil.mass, v, 1.0, &mut self.work);
        add(self.pencil.mass, phi, self.sigma, &mut self.work);
        self.lu.solve(&mut self.work)?;
        for i in 0..n {
            to[i] = self.work[i];
            to[n + i] = self.sigma * self.work[i] + phi[i];
        }
        Ok(())
    }
}

/// The `count` modes nearest to the shift `sigma` (1/s), complex pairs counted once, by increasing |λ|; fewer if there are
/// no more.
///
/// `free` holds motions of mass 1, orthogonal to each other, that meet neither stiffness nor damping. All other modes of
/// symmetric matrices are orthogonal to them with the mass matrix, and only those are sought.
pub fn damped_modes(
    pencil: Pencil<'_>,
    free: &[Vec<f64>],
    count: usize,
    sigma: f64,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Vec<ComplexMode>, EigenError> {
    let n = pencil.size();
    let mut inverse = Inverse::new(pencil, sigma)?;
    let product = |v: &Vec<f64>| {
        let mut mv = vec![0.0; n];
        pencil.pattern.multiply(pencil.mass, v, &mut mv);
        mv
    };
    let masses: Vec<Vec<f64>> = free.iter().map(product).collect();
    let deflate = |w: &mut [f64]| {
        for half in w.chunks_mut(n) {
            for (v, mv) in free.iter().zip(&masses) {
                let along = dot(mv, half);
                half.iter_mut().zip(v).for_each(|(w, v)| *w -= along * v);
            }
        }
    };
    // Unknowns φ and v/ω have the same size at the frequencies sought; without that, one half drowns the other.
    let steps = (2 * (n - pencil.rows().min(n))).min((8 * count + 60).max(120));
    let mut start = Start::new();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut h = DMatrix::<f64>::zeros(steps + 1, steps);
    let mut w: Vec<f64> = (0..2 * n).map(|_| start.next()).collect();
    let mut image = vec![0.0; 2 * n];
    // Once for φ and once more for v to obey the constraints.
    for _ in 0..2 {
        inverse.apply(&w, &mut image)?;
        std::mem::swap(&mut w, &mut image);
    }
    deflate(&mut w);
    normalise(&mut w);
    let mut made = 0;
    while made < steps {
        if made % 10 == 0 && stop() {
            return Err(EigenError::Interrupted);
        }
        inverse.apply(&w, &mut image)?;
        deflate(&mut image);
        basis.push(w.clone());
        let before = dot(&image, &image).sqrt();
        for _ in 0..2 {
            for (k, member) in basis.iter().enumerate() {
                let along = dot(member, &image);
                h[(k, made)] += along;
                image.iter_mut().zip(member).for_each(|(x, m)| *x -= along * m);
            }
        }
        let norm = dot(&image, &image).sqrt();
        h[(made + 1, made)] = norm;
        made += 1;
        if norm <= 1e-13 * before {
            break;
        }
        w.iter_mut().zip(&image).for_each(|(w, x)| *w = x / norm);
    }
    let candidates = projected(&h.view((0, 0), (made, made)).into_owned())?;
    let mut modes: Vec<ComplexMode> = Vec::new();
    let mut lu = SparseLu::new();
    lu.analyse(&real_form(&pencil, &inverse.damping, Complex::new(sigma, 0.0)).0)?;
    for (theta, weights) in candidates {
        if !(theta.norm() > 0.0 && theta.norm().is_finite()) {
            continue;
        }
        let value = Complex::new(sigma, 0.0) + theta.inv();
        // Of a pair the one with positive imaginary part; that of a real eigenvalue is rounding of any sign.
        if value.im < -1e-4 * value.norm() {
            continue;
        }
        let mut shape = vec![Complex::new(0.0, 0.0); n];
        for (k, member) in basis.iter().enumerate() {
            shape.iter_mut().zip(member).for_each(|(s, m)| *s += weights[k] * m);
        }
        let Some(mode) = refine(&mut lu, &pencil, &inverse.damping, value, &shape) else { continue };
        if !modes.iter().any(|other| same(&pencil, other, &mode)) {
            modes.push(mode);
        }
        if modes.len() >= count + 4 {
            break;
        }
    }
    modes.sort_by(|a, b| a.value.norm().total_cmp(&b.value.norm()));
    modes.truncate(count);
    let all = made >= 2 * (n - pencil.rows().min(n)).saturating_sub(free.len()) && !modes.is_empty();
    if modes.len() < count && !all {
        let residual = modes.iter().fold(0.0, |m: f64, mode| m.max(mode.residual));
        return Err(EigenError::NotConverged { asked: count, found: modes.len(), residual });
    }
    Ok(modes)
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

fn normalise(w: &mut [f64]) {
    let size = norm(w).max(f64::MIN_POSITIVE);
    w.iter_mut().for_each(|w| *w /= size);
}

/// An eigenvalue and its right eigenvector.
type Pair = (Complex<f64>, DVector<Complex<f64>>);

/// Eigenvalues of a small matrix with right eigenvectors, by decreasing magnitude.
fn projected(h: &DMatrix<f64>) -> Result<Vec<Pair>, EigenError> {
    let n = h.nrows();
    // Bounded: the iteration without a bound need not end. Eigenvalues are refined later, so that fewer digits will do.
    let complex = h.map(|x| Complex::new(x, 0.0));
    let schur = [f64::EPSILON, 1e-14, 1e-12, 1e-10]
        .into_iter()
        .find_map(|small| nalgebra::Schur::try_new(complex.clone(), small, 60 * n.max(10)))
        .ok_or(EigenError::Projection)?;
    let (q, t) = schur.unpack();
    let scale = t.iter().fold(0.0_f64, |m, x| m.max(x.norm()));
    let mut out = Vec::with_capacity(n);
    for i in 0..n {
        let value = t[(i, i)];
        // Back substitution in the triangle.
        let mut y = DVector::from_element(n, Complex::new(0.0, 0.0));
        y[i] = Complex::new(1.0, 0.0);
        for r in (0..i).rev() {
            let sum: Complex<f64> = (r + 1..=i).map(|c| t[(r, c)] * y[c]).sum();
            let mut pivot = t[(r, r)] - value;
            if pivot.norm() < 1e-15 * scale {
                pivot = Complex::new(1e-15 * scale, 0.0);
            }
            y[r] = -sum / pivot;
        }
        let v = &q * y;
        let norm = v.norm();
        out.push((value, v / Complex::new(norm, 0.0)));
    }
    out.sort_by(|a, b| b.0.norm().total_cmp(&a.0.norm()));
    Ok(out)
}

fn multiply(pattern: &Pattern, values: &[f64], x: &[Complex<f64>], out: &mut [Complex<f64>]) {
    out.fill(Complex::new(0.0, 0.0));
    for (col, x) in x.iter().enumerate() {
        for entry in pattern.column(col) {
            out[pattern.row_idx()[entry]] += x * values[entry];
        }
    }
}

/// Whether two modes are the same: equal values and parallel shapes.
fn same(pencil: &Pencil<'_>, a: &ComplexMode, b: &ComplexMode) -> bool {
    if (a.value - b.value).norm() > 1e-7 * a.value.norm().max(b.value.norm()) {
        return false;
    }
    let n = pencil.size();
    let product = |x: &[Complex<f64>], y: &[Complex<f64>]| -> Complex<f64> { (0..n).map(|i| x[i].conj() * y[i]).sum() };
    let cosine = product(&a.shape, &b.shape).norm();
    cosine * cosine > 0.999 * product(&a.shape, &a.shape).re * product(&b.shape, &b.shape).re
}

/// Newton's method on (λ²M + λC + K)φ + Gᵀμ = 0, Gφ = 0, with a normalisation, in real arithmetic of twice the size.
/// None if the candidate does not converge. `lu` has analysed the pattern.
fn refine(
    lu: &mut SparseLu,
    pencil: &Pencil<'_>,
    damping: &[f64],
    value: Complex<f64>,
    shape: &[Complex<f64>],
) -> Option<ComplexMode> {
    let n = pencil.size();
    let total = n + pencil.rows();
    let size = shape.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
    if !(size > 0.0 && size.is_finite()) {
        return None;
    }
    let mut mode = ComplexMode { value, shape: shape.iter().map(|s| s / size).collect(), residual: f64::INFINITY };
    let mut parts = vec![Complex::new(0.0, 0.0); n];
    for _ in 0..6 {
        // Inverse iteration: x = (λ²M + λC + K)⁻¹ (2λM + C) φ, then λ ← λ − (φᴴφ)/(φᴴx).
        let old = mode.residual;
        let residual = residual(pencil, damping, mode.value, &mode.shape);
        mode.residual = residual;
        if residual <= 1e-17 || residual >= 0.5 * old {
            break;
        }
        // At an eigenvalue known to rounding the matrix is singular; a little beside it is as good.
        let beside = [0.0, 1e-9, 1e-7, 1e-5].map(|step| mode.value * (1.0 + step));
        let regular = |value: &Complex<f64>| lu.factor(&real_form(pencil, damping, *value).1).is_ok();
        let Some(lambda) = beside.into_iter().find(regular) else { break };
        let slope: Vec<f64> = (0..damping.len()).map(|e| damping[e] + 2.0 * lambda.re * pencil.mass[e]).collect();
        multiply(pencil.pattern, &slope, &mode.shape, &mut parts);
        let mut turned = vec![Complex::new(0.0, 0.0); n];
        multiply(pencil.pattern, pencil.mass, &mode.shape, &mut turned);
        let mut rhs = vec![0.0; 2 * total];
        for i in 0..n {
            let b = parts[i] + Complex::new(0.0, 2.0 * lambda.im) * turned[i];
            rhs[i] = b.re;
            rhs[total + i] = b.im;
        }
        if lu.solve(&mut rhs).is_err() {
            break;
        }
        let x: Vec<Complex<f64>> = (0..n).map(|i| Complex::new(rhs[i], rhs[total + i])).collect();
        let along: Complex<f64> = mode.shape.iter().zip(&x).map(|(p, x)| p.conj() * x).sum();
        let norm = x.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
        if !(along.norm() > 0.0 && norm.is_finite()) {
            break;
        }
        mode.value = lambda - along.inv();
        mode.shape = x.iter().map(|x| x / norm).collect();
    }
    mode.residual = residual(pencil, damping, mode.value, &mode.shape);
    // Rounding leaves a real eigenvalue a trifle of an imaginary part.
    if mode.value.im.abs() <= 1e-9 * mode.value.norm() {
        mode.value.im = 0.0;
    }
    if mode.value.im < 0.0 {
        mode.value = mode.value.conj();
        mode.shape.iter_mut().for_each(|s| *s = s.conj());
    }
    (mode.residual <= 1e-12).then_some(mode)
}

fn residual(pencil: &Pencil<'_>, damping: &[f64], value: Complex<f64>, shape: &[Complex<f64>]) -> f64 {
    let n = pencil.size();
    let mut sum = vec![Complex::new(0.0, 0.0); n];
    let mut part = sum.clone();
    let mut whole = 0.0;
    for (values, factor) in [(pencil.stiffness, Complex::new(1.0, 0.0)), (damping, value), (pencil.mass, value * value)]
    {
        multiply(pencil.pattern, values, shape, &mut part);
        whole += factor.norm() * norm(&size_of_terms(pencil.pattern, values, shape.iter().map(|s| s.norm())));
        sum.iter_mut().zip(&part).for_each(|(s, p)| *s += factor * p);
    }
    for pick in [|z: &Complex<f64>| z.re, |z: &Complex<f64>| z.im] {
        let mut real: Vec<f64> = sum.iter().map(pick).collect();
        super::symmetric::remove_constraint_forces(pencil, &mut real);
        whole = whole.max(f64::MIN_POSITIVE);
        let is_re = pick(&Complex::new(1.0, 0.0)) == 1.0;
        for (s, r) in sum.iter_mut().zip(real) {
            if is_re {
                s.re = r;
            } else {
                s.im = r;
            }
        }
    }
    sum.iter().map(Complex::norm_sqr).sum::<f64>().sqrt() / whole
}

/// [[Re, −Im], [Im, Re]] of λ²M + λC + K bordered by G.
fn real_form(pencil: &Pencil<'_>, damping: &[f64], value: Complex<f64>) -> (Pattern, Vec<f64>) {
    let square = value * value;
    let (pattern, re) = pencil.full(|e| pencil.stiffness[e] + value.re * damping[e] + square.re * pencil.mass[e]);
    let im_block = Pencil { constraints: None, ..*pencil };
    let im = |e: usize| value.im * damping[e] + square.im * pencil.mass[e];
    let total = pattern.ncols();
    let mut builder = crate::nlp::PatternBuilder::new(2 * total, 2 * total);
    let mut values = Vec::new();
    for (first, sign) in [(0, 1.0), (total, -1.0)] {
        for col in 0..total {
            let own: Vec<(usize, f64)> = pattern.column(col).map(|e| (first + pattern.row_idx()[e], re[e])).collect();
            let other: Vec<(usize, f64)> = if col < pencil.size() {
                let block = im_block.pattern;
                block.column(col).map(|e| (total - first + block.row_idx()[e], sign * im(e))).collect()
            } else {
                Vec::new()
            };
            let (low, high) = if first == 0 { (own, other) } else { (other, own) };
            let rows: Vec<usize> = low.iter().chain(&high).map(|(row, _)| *row).collect();
            values.extend(low.iter().chain(&high).map(|(_, value)| *value));
            // Indices are within the matrix by construction.
            let _ = builder.add(&rows, &[first + col]);
        }
    }
    (builder.build().0, values)
}
