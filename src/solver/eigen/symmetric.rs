//! The lowest eigenvalues of K φ = μ M φ with G φ = 0, K symmetric, by Lanczos with (K − σM)⁻¹ M in the M-product.
//!
//! Every vector is orthogonalised against all others, so that none comes twice by rounding; eigenvalues of a higher
//! multiplicity than there are start vectors come only partly, so the count is certified: by Sylvester's law the negative
//! eigenvalues of K − τM (bordered by G) number the eigenvalues below τ. While some are missing, Lanczos starts again
//! orthogonally to all that was found.

use nalgebra::DMatrix;

use super::lanczos::{self, Ritz};
use super::pencil::{Accuracy, ENTRIES, EigenError, FAINT, Pencil, Start, dot, largest, size_of_terms};
use super::shifted::{Basis, Shifted};

/// The lowest modes of a symmetric pencil.
#[derive(Debug, Clone)]
pub struct Modes {
    /// μ = ω² in increasing order; negative for unstable directions; exactly 0 for motions that meet no resistance.
    pub values: Vec<f64>,
    /// Shapes φ with φᵀMφ = 1.
    pub shapes: Vec<Vec<f64>>,
    /// How far each μ can be trusted.
    pub accuracies: Vec<Accuracy>,
    /// Whether the inertia of K − τM confirms that no lower one is missing.
    pub certified: bool,
}

/// What is known of motions that meet no resistance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Still {
    /// There are as many as this.
    Known(usize),
    /// There are up to as many as this; others are so where their eigenvalues cannot be told from zero.
    AtMost(usize),
}

/// The `count` lowest modes, of which nothing is known.
///
/// `stop` is asked now and then whether to give up.
pub fn lowest_modes(pencil: Pencil<'_>, count: usize, stop: &mut dyn FnMut() -> bool) -> Result<Modes, EigenError> {
    lowest_modes_beside(pencil, count, Still::AtMost(usize::MAX), stop)
}

/// The `count` lowest modes, with what is known of those at zero.
pub fn lowest_modes_beside(
    pencil: Pencil<'_>,
    count: usize,
    still: Still,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Modes, EigenError> {
    let there = pencil.motions();
    if count > there {
        return Err(EigenError::TooMany { asked: count, there });
    }
    if count == 0 {
        return Ok(Modes { values: Vec::new(), shapes: Vec::new(), accuracies: Vec::new(), certified: true });
    }
    let mut shifted = Shifted::new(pencil)?;
    let (sigma, size) = shifted.choose_shift(count)?;
    let mut found = Basis::default();
    let mut values: Vec<f64> = Vec::new();
    let mut start = Start::new();
    let mut residual = f64::INFINITY;
    for _round in 0..12 {
        shifted.factor(sigma)?;
        let wanted = (count + 2).max(8).min(there - found.v.len());
        let run = lanczos::run(&mut shifted, &found, wanted, &mut start, stop)?;
        residual = run.residual;
        let none = run.vectors.is_empty();
        for vector in run.vectors {
            found.admit(&shifted, &Basis::default(), vector, None);
        }
        if !none {
            values = improve(&mut shifted, sigma, &mut found)?;
        }
        if values.len() < count {
            if none {
                break;
            }
            continue;
        }
        let known = |tau: f64| values.iter().filter(|value| **value < tau).count();
        let tau = above(&values, count, size, sigma);
        let counted = shifted.factor(tau)?;
        if counted.is_none_or(|counted| counted <= known(tau)) || none {
            shifted.factor(sigma)?;
            found.v.truncate(count);
            return finish(&mut shifted, sigma, &values, found, still, counted == Some(known(tau)));
        }
    }
    Err(EigenError::NotConverged { asked: count, found: values.len().min(count), residual })
}

/// A value above the last wanted one of increasing values and all that equal it, but below the next. Rounding of values
/// that should be equal goes with the shift.
fn above(values: &[f64], count: usize, size: f64, sigma: f64) -> f64 {
    let close = |last: f64| (1e-6 * last.abs()).max(1e-9 * size).max(1e-5 * sigma.abs());
    let mut last = values[count - 1];
    for &next in &values[count..] {
        if next - last > close(last) {
            return 0.5 * (last + next);
        }
        last = next;
    }
    last + close(last).max(1e-6 * size)
}

/// Inverse iteration of all vectors together, with Ritz values of the inverse: these keep digits that differences of
/// large stiffnesses in φᵀKφ lose. Returns the eigenvalues in increasing order, the basis in the same.
fn improve(shifted: &mut Shifted<'_>, sigma: f64, found: &mut Basis) -> Result<Vec<f64>, EigenError> {
    let size = shifted.pencil.size();
    let mut values = Vec::new();
    for _ in 0..2 {
        let mut moved = Basis::default();
        let mut w = vec![0.0; size];
        for mv in &found.mv {
            shifted.solve(mv, &mut w)?;
            moved.admit(shifted, &Basis::default(), w.clone(), None);
        }
        let n = moved.v.len();
        let mut projection = DMatrix::zeros(n, n);
        for col in 0..n {
            shifted.solve(&moved.mv[col], &mut w)?;
            for row in 0..n {
                projection[(row, col)] = dot(&moved.mv[row], &w);
            }
        }
        let ritz = Ritz::of(&projection);
        *found = Basis::default();
        values.clear();
        for (index, value) in ritz.values.iter().enumerate() {
            if found.admit(shifted, &Basis::default(), ritz.vector(&moved, index), None) > 0.0 {
                values.push(sigma + 1.0 / value);
            }
        }
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    found.v = order.iter().map(|&i| std::mem::take(&mut found.v[i])).collect();
    found.mv = order.iter().map(|&i| std::mem::take(&mut found.mv[i])).collect();
    Ok(order.iter().map(|&i| values[i]).collect())
}

fn finish(
    shifted: &mut Shifted<'_>,
    sigma: f64,
    values: &[f64],
    mut found: Basis,
    still: Still,
    certified: bool,
) -> Result<Modes, EigenError> {
    let mut accuracies = Vec::new();
    let mut energies = Vec::new();
    for ((value, v), mv) in values.iter().zip(&mut found.v).zip(&found.mv) {
        // (K − σM) φ + Gᵀs = (μ − σ) M φ: the forces of the constraints belong to the vector.
        let load: Vec<f64> = mv.iter().map(|mv| (value - sigma) * mv).collect();
        let forces = shifted.solve_with_forces(&load, v)?;
        let (accuracy, energy) = judged(&shifted.pencil, *value, v, &forces);
        accuracies.push(accuracy);
        energies.push(energy);
    }
    let mut values = values[..accuracies.len()].to_vec();
    clear_rounding(&mut values, &accuracies, &energies, still, 1e-9 * sigma.abs());
    Ok(Modes { values, shapes: found.v, accuracies, certified })
}

/// The accuracy of μ with φ and the forces s, and the size of the terms of φᵀKφ over φᵀMφ.
fn judged(pencil: &Pencil<'_>, value: f64, v: &[f64], forces: &[f64]) -> (Accuracy, f64) {
    let norm = |x: &[f64]| dot(x, x).sqrt();
    let magnitudes = |x: &[f64]| x.iter().map(|x| x.abs()).collect::<Vec<_>>();
    let (sizes, pulls) = (magnitudes(v), magnitudes(forces));
    let mut mv = vec![0.0; v.len()];
    pencil.pattern.multiply(pencil.mass, v, &mut mv);
    let mut residual = vec![0.0; v.len()];
    pencil.pattern.multiply(pencil.stiffness, v, &mut residual);
    residual.iter_mut().zip(&mv).for_each(|(r, m)| *r -= value * m);
    let mut terms = size_of_terms(pencil.pattern, pencil.stiffness, sizes.iter().copied());
    let mass_terms = size_of_terms(pencil.pattern, pencil.mass, sizes.iter().copied());
    terms.iter_mut().zip(&mass_terms).for_each(|(t, m)| *t += value.abs() * m);
    let mass = dot(v, &mv).max(f64::MIN_POSITIVE);
    let energy = dot(&terms, &sizes) / mass;
    let (mut gaps, mut gap_terms) = (vec![0.0; forces.len()], vec![0.0; forces.len()]);
    if let Some((pattern, g)) = pencil.constraints {
        pattern.add_transposed(g, forces, &mut residual);
        let absolute = magnitudes(g);
        pattern.add_transposed(&absolute, &pulls, &mut terms);
        pattern.multiply(g, v, &mut gaps);
        pattern.multiply(&absolute, &sizes, &mut gap_terms);
        for (row, compliance) in pencil.compliance.into_iter().flatten().enumerate() {
            gaps[row] -= compliance * forces[row];
            gap_terms[row] += compliance * pulls[row];
        }
    }
    // A row of nodes that stand still in this motion has terms of rounding only: the largest displacement is its measure.
    let furthest = largest(v);
    let reach = pencil.constraints.map_or(0.0, |(_, g)| largest(g)) * furthest;
    let least = (FAINT * largest(pencil.stiffness) * furthest).max(f64::MIN_POSITIVE);
    let backward_error = (norm(&residual) / norm(&terms).max(least))
        .max(norm(&gaps) / norm(&gap_terms).max(reach).max(f64::MIN_POSITIVE));
    let off = dot(v, &residual).abs() + dot(forces, &gaps).abs();
    let rounding = ENTRIES * (dot(&sizes, &terms) + dot(&pulls, &gap_terms));
    (Accuracy { backward_error, uncertainty: (off + rounding) / mass }, energy)
}

/// Sets eigenvalues to zero that are so: those of motions known to be still, or those that cannot be told from zero.
fn clear_rounding(values: &mut [f64], accuracies: &[Accuracy], energies: &[f64], still: Still, rounding: f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs()));
    match still {
        Still::Known(count) => order.iter().take(count).for_each(|&i| values[i] = 0.0),
        Still::AtMost(count) => {
            let resisted = |i: usize| values[i].abs() > 1e-12 * energies[i];
            let weakest =
                order.iter().filter(|&&i| resisted(i)).map(|&i| values[i].abs()).fold(f64::INFINITY, f64::min);
            let zero = |(rank, &i): (usize, &usize)| {
                let size = values[i].abs();
                let by_rounding = rank < count && (size <= rounding || (!resisted(i) && size <= 1e-6 * weakest));
                (by_rounding || size <= accuracies[i].uncertainty).then_some(i)
            };
            let zeros: Vec<usize> = order.iter().enumerate().filter_map(zero).collect();
            zeros.into_iter().for_each(|i| values[i] = 0.0);
        }
    }
}

impl Pencil<'_> {
    /// Number of negative eigenvalues, by the inertia of K bordered by G. None where rounding leaves nothing of it.
    pub fn negative(self) -> Option<usize> {
        Shifted::new(self).ok()?.factor(0.0).ok()?
    }

    /// Number of eigenvalues that are zero but for rounding, where K is positive semidefinite and others are of the size
    /// `usual` or some decades below.
    ///
    /// Rounding makes zeros anything up to some size, from which on their number stays the same until the least of the others
    /// is reached: the number that holds over most decades, of those where nothing is negative, is told.
    pub fn nullity(self, usual: f64) -> Option<usize> {
        let mut shifted = Shifted::new(self).ok()?;
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for decade in -13..-3 {
            let tau = usual * 10f64.powi(decade);
            let below = shifted.factor(-tau).ok()?;
            let Some(count) = shifted.factor(tau).ok()?.filter(|_| below == Some(0)) else { continue };
            match runs.last_mut() {
                Some((last, decades)) if *last == count => *decades += 1,
                _ => runs.push((count, 1)),
            }
        }
        runs.into_iter().max_by_key(|(_, decades)| *decades).map(|(count, _)| count)
    }
}
