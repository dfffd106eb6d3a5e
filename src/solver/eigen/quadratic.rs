//! Damped and non-conservative modes: (λ²M + λC + K) φ = 0 with G φ = 0.
//!
//! With v = λφ the pencil is linear, and about a shift σ its inverse costs one factorisation of P(σ) = σ²M + σC + K:
//! (A − σB)⁻¹B maps (φ, v) to (x, y) with P(σ) x = −(C φ + M v + σ M φ), y = σx + φ. Arnoldi's method finds the eigenvalues
//! nearest to σ; each is refined by inverse iteration for its right and its left vector. The left one also tells how far
//! rounding may have moved the eigenvalue: by |w|ᵀ|δP||z| / |wᴴP'z| (F. Tisseur, Linear Algebra Appl. 309, 2000).

use nalgebra::Complex;

use super::arnoldi::{Arnoldi, Ritz, norm};
use super::dynamic::Dynamic;
use super::pencil::{Accuracy, ENTRIES, EigenError, FAINT, Pencil, Start, dot};

type Vector = Vec<Complex<f64>>;

/// Approximate eigenvalues with what they are made of.
type Candidates = Vec<(Complex<f64>, Ritz)>;

/// Relative residual of a Ritz vector that refinement takes to the last digit.
const CONVERGED: f64 = 1e-9;
/// Backward error at which a mode needs no further refinement,
const RESIDUAL: f64 = 1e-10;
/// and the largest one with which it is taken.
const TAKEN: f64 = 1e-8;
/// Inverse iteration stays so far from the eigenvalue, relatively, that the matrix is regular: the first of these that does.
const BESIDE: [f64; 4] = [1e-7, 1e-5, 1e-3, 1e-1];
/// The same for double roots at zero, relative to the shift: the first of these with which the vector converges.
const AT_ZERO: [f64; 2] = [1e-6, 1e-3];
/// Among others that are close it is done again, so many times nearer to the value found,
const NEARER: f64 = 1e-3;
/// and this often.
const ROUNDS: i32 = 3;
/// An imaginary part below this is that of a real eigenvalue while vectors are not refined.
const REAL: f64 = 1e-6;

/// A mode with complex frequency; its conjugate is one as well.
#[derive(Debug, Clone)]
pub struct ComplexMode {
    /// λ with non-negative imaginary part, 1/s.
    pub value: Complex<f64>,
    /// Shape.
    pub shape: Vec<Complex<f64>>,
    /// How far λ can be trusted.
    pub accuracy: Accuracy,
}

/// Which modes are sought.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Motions of mass 1, orthogonal to each other, that meet neither stiffness nor damping. All other modes of symmetric
    /// matrices are orthogonal to them with the mass matrix, and only those are sought.
    pub free: &'a [Vec<f64>],
    /// How many, complex pairs counted once.
    pub count: usize,
    /// Near this value, 1/s.
    pub shift: Complex<f64>,
    /// Whether motions that die away without oscillating are left out,
    pub oscillating: bool,
    /// unless they do so slower than this, 1/s.
    pub slow: f64,
    /// Whether K and C are symmetric.
    pub symmetric: bool,
    /// How many eigenvalues may be equal.
    pub band: usize,
}

impl Wanted<'_> {
    fn keeps(&self, value: Complex<f64>, imaginary: f64) -> bool {
        !self.oscillating || value.im > imaginary || value.re > imaginary || value.norm() < self.slow
    }
}

/// The modes nearest to the shift by increasing |λ|; fewer if there are no more.
pub fn damped_modes(
    pencil: Pencil<'_>,
    wanted: &Wanted<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Vec<ComplexMode>, EigenError> {
    // Real ones may come twice, as values above and below the axis, or as λ and −λ close to zero.
    let mut spare = if wanted.oscillating { 0 } else { 2 + wanted.count / 4 };
    let mut dynamic = Dynamic::new(pencil, wanted.symmetric)?;
    loop {
        let (modes, exhausted) = search_and_refine(&pencil, &mut dynamic, wanted, spare, stop)?;
        if modes.len() == wanted.count || exhausted {
            return Ok(modes);
        }
        // Some candidates were no oscillations, or one came twice.
        spare = 2 * spare + wanted.count - modes.len();
    }
}

/// Modes from so many more candidates than are wanted, and whether there are no others.
fn search_and_refine(
    pencil: &Pencil<'_>,
    dynamic: &mut Dynamic<'_>,
    wanted: &Wanted<'_>,
    spare: usize,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(Vec<ComplexMode>, bool), EigenError> {
    let n = pencil.size();
    let (arnoldi, candidates) = search(pencil, dynamic, wanted, spare, stop)?;
    let exhausted = arnoldi.exhausted();
    let mut modes: Vec<ComplexMode> = Vec::new();
    let mut lost = f64::INFINITY;
    for (value, ritz) in candidates {
        if modes.len() == wanted.count {
            break;
        }
        if stop() {
            return Err(EigenError::Interrupted);
        }
        let Some(mode) = refine(dynamic, value, wanted, &arnoldi.vector(&ritz.weights, n)) else {
            if wanted.keeps(value, 1e-3 * value.norm()) {
                lost = lost.min(value.norm());
            }
            continue;
        };
        let kept = wanted.keeps(mode.value, REAL * mode.value.norm());
        if kept && !modes.iter().any(|other| same(other, &mode)) {
            modes.push(mode);
        }
    }
    modes.sort_by(|a, b| a.value.norm().total_cmp(&b.value.norm()));
    // One that converged but could not be refined must not be left out in silence.
    let gap = modes.last().is_some_and(|last| lost < last.value.norm());
    if gap {
        let residual = modes.iter().fold(0.0, |m: f64, mode| m.max(mode.accuracy.backward_error));
        return Err(EigenError::NotConverged { asked: wanted.count, found: modes.len(), residual });
    }
    Ok((modes, exhausted))
}

/// Approximate eigenvalues with their weights, by increasing |λ|: those wanted and a few more.
fn search(
    pencil: &Pencil<'_>,
    dynamic: &mut Dynamic<'_>,
    wanted: &Wanted<'_>,
    spare: usize,
    stop: &mut dyn FnMut() -> bool,
) -> Result<(Arnoldi, Candidates), EigenError> {
    let (n, sigma) = (pencil.size(), wanted.shift);
    // Unknowns φ and v/|σ| have the same size at the frequencies sought; without that, one half drowns the other.
    let pace = sigma.norm();
    dynamic.factor(sigma)?;
    let product = |v: &Vec<f64>| {
        let mut mv = vec![0.0; n];
        pencil.pattern.multiply(pencil.mass, v, &mut mv);
        let mass = dot(v, &mv).max(f64::MIN_POSITIVE);
        mv.iter_mut().for_each(|m| *m /= mass);
        mv
    };
    let masses: Vec<Vec<f64>> = wanted.free.iter().map(product).collect();
    let (mut load, mut part) = (vec![Complex::new(0.0, 0.0); n], vec![Complex::new(0.0, 0.0); n]);
    let mut solution = vec![Complex::new(0.0, 0.0); dynamic.total()];
    let mut apply = |from: &[Complex<f64>]| -> Result<Vector, EigenError> {
        let (phi, v) = from.split_at(n);
        dynamic.rates(-sigma, -1.0, phi, &mut load);
        dynamic.rates(Complex::new(-pace, 0.0), 0.0, v, &mut part);
        load.iter_mut().zip(&part).for_each(|(l, p)| *l += p);
        dynamic.solve_roughly(&load, &mut solution)?;
        let x = &solution[..n];
        let mut to: Vector = x.to_vec();
        to.extend(x.iter().zip(phi).map(|(x, phi)| (sigma * x + phi) / pace));
        for half in to.chunks_mut(n) {
            for (v, mv) in wanted.free.iter().zip(&masses) {
                let along: Complex<f64> = half.iter().zip(mv).map(|(h, m)| h * m).sum();
                half.iter_mut().zip(v).for_each(|(h, v)| *h -= along * v);
            }
        }
        Ok(to)
    };
    let room = 2 * pencil.motions().saturating_sub(wanted.free.len());
    let most = room.min((8 * wanted.count + 60).max(120) + 20 * wanted.band);
    let mut arnoldi = Arnoldi::new(most);
    let mut start = Start::new();
    for _ in 0..wanted.band.min(room) {
        let random: Vector = (0..2 * n).map(|_| Complex::new(start.next(), start.next())).collect();
        // Once for φ and once more for v to obey the constraints.
        let image = apply(&random)?;
        arnoldi.admit(apply(&image)?, None);
    }
    let mut look = (2 * wanted.count + 6 * wanted.band).max(24);
    loop {
        let exhausted = arnoldi.exhausted();
        if exhausted || arnoldi.done >= look {
            if stop() {
                return Err(EigenError::Interrupted);
            }
            look = arnoldi.done + (arnoldi.done / 4).max(6);
            let (complete, candidates) = judge(&arnoldi, wanted, wanted.count.max(1) + spare)?;
            if complete || exhausted {
                return Ok((arnoldi, candidates));
            }
        }
        arnoldi.step(&mut apply)?;
    }
}

/// Converged values by increasing |λ|, and whether they are those wanted: no other that is smaller has yet to converge.
fn judge(arnoldi: &Arnoldi, wanted: &Wanted<'_>, enough: usize) -> Result<(bool, Candidates), EigenError> {
    let (mut good, mut open) = (Vec::new(), f64::INFINITY);
    for ritz in arnoldi.ritz()? {
        if !(ritz.value.norm() > 0.0 && ritz.value.norm().is_finite()) {
            continue;
        }
        let value = wanted.shift + ritz.value.inv();
        // Of a pair the one with positive imaginary part; that of a real eigenvalue is rounding of any sign.
        let size = value.norm();
        if value.im < -1e-4 * size || !wanted.keeps(value, REAL * size) {
            continue;
        }
        match ritz.residual <= CONVERGED {
            true => good.push((value, ritz)),
            false => open = open.min(size),
        }
    }
    good.sort_by(|a, b| a.0.norm().total_cmp(&b.0.norm()));
    let complete = good.len() >= enough && good[enough - 1].0.norm() < open;
    good.truncate(enough + 4);
    Ok((complete, good))
}

/// Whether two modes are the same: equal values and parallel shapes.
fn same(a: &ComplexMode, b: &ComplexMode) -> bool {
    let far = 1e-7 * a.value.norm().max(b.value.norm()) + a.accuracy.uncertainty + b.accuracy.uncertainty;
    if (a.value - b.value).norm() > far {
        return false;
    }
    let product =
        |x: &[Complex<f64>], y: &[Complex<f64>]| -> Complex<f64> { x.iter().zip(y).map(|(x, y)| x.conj() * y).sum() };
    product(&a.shape, &b.shape).norm_sqr() > 0.999 * product(&a.shape, &a.shape).re * product(&b.shape, &b.shape).re
}

/// Refines a candidate by inverse iteration, again from the value found where it stands among others so close that once is
/// not enough. None if it does not converge.
fn refine(
    dynamic: &mut Dynamic<'_>,
    value: Complex<f64>,
    wanted: &Wanted<'_>,
    shape: &[Complex<f64>],
) -> Option<ComplexMode> {
    if value.norm() < wanted.slow {
        return AT_ZERO.into_iter().find_map(|nearness| iterated(dynamic, value, wanted, shape, nearness));
    }
    let mut mode = iterated(dynamic, value, wanted, shape, 1.0)?;
    for round in 1..ROUNDS {
        if mode.accuracy.backward_error <= RESIDUAL {
            break;
        }
        mode = iterated(dynamic, mode.value, wanted, &mode.shape, NEARER.powi(round))?;
    }
    if mode.value.im < 0.0 {
        mode.value = mode.value.conj();
        mode.shape.iter_mut().for_each(|s| *s = s.conj());
    }
    // Where real eigenvalues accumulate, those of a double root are known to the root of the backward error.
    let rounding = mode.accuracy.backward_error.sqrt() * mode.value.norm();
    if mode.value.im <= mode.accuracy.uncertainty.max(rounding) {
        mode.value.im = 0.0;
    }
    (mode.accuracy.backward_error <= TAKEN).then_some(mode)
}

/// Inverse iteration for the right vector z and the left vector w, and λ ← λ − wᴴP(λ)z / wᴴP'(λ)z. None if there is no vector.
/// Rounding of the candidate goes with the size of the shift. Slow ones are double roots at zero, which have no slope to
/// correct them by.
fn iterated(
    dynamic: &mut Dynamic<'_>,
    value: Complex<f64>,
    wanted: &Wanted<'_>,
    shape: &[Complex<f64>],
    nearness: f64,
) -> Option<ComplexMode> {
    let n = shape.len();
    let pace = wanted.shift.norm();
    let zero = Complex::new(0.0, 0.0);
    let slow = value.norm() < wanted.slow;
    let near = BESIDE.into_iter().filter(|_| !slow).map(|step| value * (1.0 + nearness * step));
    // At a double root K z = 0 has a partner K z' = −C z, of which the distance of the shift remains.
    let last = if slow { Complex::new(nearness * pace, 0.0) } else { value + pace * 1e-3 };
    let mut beside = near.chain([last]);
    let near = beside.find(|near| dynamic.factor(*near).is_ok() && dynamic.factor_adjoint(*near).is_ok())?;
    let mut z = shape.to_vec();
    z.resize(dynamic.total(), zero);
    let mut w = z.clone();
    let mut load = vec![zero; n];
    for _ in 0..2 {
        dynamic.rates(2.0 * near, 1.0, &z[..n], &mut load);
        if dynamic.solve(&load, &mut z).is_err() || !scaled(&mut z, n) {
            return None;
        }
    }
    if slow {
        let (residual, terms) = dynamic.multiply(zero, &z);
        let least = FAINT * dynamic.stiffest() * z[..n].iter().fold(f64::MIN_POSITIVE, |m: f64, z| m.max(z.norm()));
        let backward_error = norm(&residual[..n]) / dot(&terms[..n], &terms[..n]).sqrt().max(least);
        let accuracy = Accuracy { backward_error, uncertainty: value.norm() };
        z.truncate(n);
        return Some(ComplexMode { value: zero, shape: z, accuracy });
    }
    // From P'z, so that of several left vectors that belong to one value the one that belongs to z comes.
    dynamic.rates(2.0 * near, 1.0, &z[..n], &mut load);
    if dynamic.solve_adjoint(&load, &mut w).is_err() || !scaled(&mut w, n) {
        return None;
    }
    let mut value = value;
    let mut accuracy = Accuracy { backward_error: f64::INFINITY, uncertainty: f64::INFINITY };
    for pass in 0..5 {
        let (residual, terms) = dynamic.multiply(value, &z);
        dynamic.rates(2.0 * value, 1.0, &z[..n], &mut load);
        let slope: Complex<f64> = w.iter().zip(&load).map(|(w, l)| w.conj() * l).sum();
        let off: Complex<f64> = w.iter().zip(&residual).map(|(w, r)| w.conj() * r).sum();
        if !(slope.norm() > 0.0) {
            return None;
        }
        let furthest = z[..n].iter().fold(0.0, |m: f64, z| m.max(z.norm()));
        let part = |range: std::ops::Range<usize>, least: f64| {
            let sizes = &terms[range.clone()];
            norm(&residual[range]) / dot(sizes, sizes).sqrt().max(least).max(f64::MIN_POSITIVE)
        };
        // Rows of nodes that stand still have terms of rounding only: the largest displacement is their measure.
        let reach = dynamic.border() * furthest;
        let rounding: f64 = w.iter().zip(&terms).map(|(w, t)| w.norm() * t).sum::<f64>() * ENTRIES;
        accuracy.backward_error = part(0..n, FAINT * dynamic.stiffest() * furthest).max(part(n..z.len(), reach));
        accuracy.uncertainty = (off.norm() + rounding) / slope.norm();
        // Corrections far beyond the distance that Arnoldi left are those of another eigenvalue.
        if pass < 4 && off.norm() < (1e-3 * value.norm() + 1e-6 * pace) * slope.norm() {
            value -= off / slope;
        }
    }
    z.truncate(n);
    Some(ComplexMode { value, shape: z, accuracy })
}

/// Scales a vector so that its first n components have length 1; false if they have none.
fn scaled(z: &mut [Complex<f64>], n: usize) -> bool {
    let size = norm(&z[..n]);
    z.iter_mut().for_each(|z| *z /= size);
    size > 0.0 && size.is_finite()
}
