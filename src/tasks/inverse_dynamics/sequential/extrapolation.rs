//! The limit of many elements, from a few meshes of few.
//!
//! A rod that is cut into n elements of order 1 before time is has an index that grows by 2 with n, so that paths of finite
//! smoothness allow only a few. Its forces differ from those of the continuous rod by a series in h² = 1/n² (the midpoint rule is
//! symmetric), and the polynomial in 1/n² through those of several meshes gives them at h = 0 (Richardson 1911).
//!
//! That needs elements of equal length between places where something acts or the mesh changes. Where such places divide a rod,
//! each piece has a length of its elements of its own, the series is one in all 1/nᵢ², and the polynomial of degree m in these
//! through the meshes of up to m more elements than the coarsest in all pieces together gives its value at zero (splitting
//! extrapolation, Lin and Lü 1983).

use super::ServoSystem;
use super::outcome::{judge, read_off, simulate};
use super::reverify::stored_states;
use crate::mechanism::{Frame, RodPart};
use crate::results::{Outcome, RunStatus};
use crate::tasks::Observer;
use crate::tasks::piece::Piece;

/// Difference of lengths of elements, relative to the rod, that is rounding.
const EQUAL: f64 = 1e-9;

/// The pieces of the rods that deform.
pub fn pieces(system: &ServoSystem) -> Option<Vec<Piece>> {
    let body = system.multibody.as_ref()?;
    let rods = body.mechanism().rods.iter().enumerate().filter(|(_, rod)| !rod.kind.is_rigid());
    let mut found = Vec::new();
    for (index, rod) in rods {
        let acts = |boundary: usize| {
            let here = Frame::Section { rod: index, boundary };
            body.frames().iter().any(|(_, frame)| *frame == here)
        };
        found.extend(pieces_of(rod, &acts));
    }
    Some(found)
}

/// The runs of equal elements between boundaries at which something acts or the rod has a kink.
fn pieces_of(rod: &RodPart, acts: &dyn Fn(usize) -> bool) -> Vec<Piece> {
    let near = |a: f64, b: f64| (a - b).abs() <= EQUAL * rod.length;
    let divides = |boundary: usize| {
        let s = rod.boundary(boundary);
        let changes = || !near(rod.span(boundary - 1).1, rod.span(boundary).1);
        acts(boundary) || rod.mesh.kinks.iter().any(|kink| near(*kink, s)) || changes()
    };
    let inner = (1..rod.elements).filter(|boundary| divides(*boundary));
    let ends: Vec<usize> = std::iter::once(0).chain(inner).chain([rod.elements]).collect();
    let piece = |pair: &[usize]| {
        let [from, to] = [pair[0], pair[1]].map(|boundary| rod.boundary(boundary) / rod.length);
        Piece { rod: rod.name.clone(), from, to, elements: pair[1] - pair[0], order: rod.order }
    };
    ends.windows(2).map(piece).collect()
}

/// The answer at h = 0. `meshes` are the numbers of elements of the pieces that are refined apart, with the answers on them,
/// `system` is that of the one at `finest`. The forces are proved like any other; the motion stays that of this mesh.
pub fn extrapolated(
    system: &ServoSystem,
    meshes: &[(Vec<usize>, Outcome)],
    finest: usize,
    observer: &mut dyn Observer,
) -> Option<Outcome> {
    let (counts, carrier) = meshes.get(finest)?;
    let states = stored_states(system, carrier).ok()?;
    let weights = weights(&meshes.iter().map(|(counts, _)| counts.as_slice()).collect::<Vec<_>>());
    let sum = |of: &dyn Fn(&Outcome) -> Option<f64>| -> Option<f64> {
        meshes.iter().zip(&weights).map(|((_, answer), weight)| Some(weight * of(answer)?)).sum()
    };
    let mut outcome = carrier.clone();
    for (name, values) in &mut outcome.actuation.columns {
        for (k, value) in values.iter_mut().enumerate() {
            *value = sum(&|answer| answer.actuation.column(name)?.get(k).copied())?;
        }
    }
    let told = |counts: &[usize]| counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" + ");
    let all: Vec<String> = meshes.iter().map(|(counts, _)| told(counts)).collect();
    let place = if counts.len() == 1 { "each rod" } else { "the pieces of rods" };
    let report = &mut outcome.report;
    (report.status, report.message, report.verification) = (RunStatus::Solved, None, None);
    report.method_reason = format!(
        "forces extrapolated to many elements from meshes of {} in {place}; {}",
        all.join(", "),
        report.method_reason
    );
    report.warnings.push(format!(
        "the forces are those of many elements, by extrapolation; the motion that is stored is that of {} elements in {place}",
        told(counts)
    ));
    let work = "energy.actuator_work";
    if let Some(value) = sum(&|answer| answer.report.scalars.get(work).copied()) {
        report.scalars.insert(work.into(), value);
    }
    read_off(system, &mut outcome);
    simulate(system, &states, observer, &mut outcome);
    judge(system, &mut outcome);
    Some(outcome)
}

/// Weights of the polynomial in xᵢ = 1/nᵢ² through the values at these numbers of elements, at x = 0. With each mesh there are
/// all that are coarser in any piece; by Newton's divided differences in each xᵢ
///
/// w(l) = Σ_{k ≥ l} Πᵢ cᵢ(kᵢ, lᵢ), c(k, l) = Π_{j<k} (−xⱼ) / Π_{j≤k, j≠l} (x_l − xⱼ).
fn weights(meshes: &[&[usize]]) -> Vec<f64> {
    let pieces = meshes.first().map_or(0, |counts| counts.len());
    let coarsest: Vec<usize> = (0..pieces).map(|i| meshes.iter().map(|counts| counts[i]).min().unwrap_or(1)).collect();
    let coefficient = |i: usize, k: usize, l: usize| {
        let x = |n: usize| 1.0 / (n as f64).powi(2);
        let below: f64 = (coarsest[i]..k).map(|j| -x(j)).product();
        below / (coarsest[i]..=k).filter(|j| *j != l).map(|j| x(l) - x(j)).product::<f64>()
    };
    let weight = |l: &&[usize]| {
        let finer = meshes.iter().filter(|k| k.iter().zip(l.iter()).all(|(k, l)| k >= l));
        finer.map(|k| (0..pieces).map(|i| coefficient(i, k[i], l[i])).product::<f64>()).sum()
    };
    meshes.iter().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::weights;

    fn x(n: usize) -> f64 {
        1.0 / (n * n) as f64
    }

    /// Three meshes reproduce the constant of a polynomial of degree 2 in 1/n².
    #[test]
    fn a_series_in_squares_is_extrapolated_exactly() {
        let meshes = [2, 3, 4];
        let value = |n: usize| 7.0 - 3.0 * x(n) + 11.0 * x(n) * x(n);
        let weights = weights(&[&[2], &[3], &[4]]);
        let limit: f64 = weights.iter().zip(meshes).map(|(weight, n)| weight * value(n)).sum();
        assert!((limit - 7.0).abs() < 1e-12, "{limit}");
    }

    /// Six meshes of two pieces, of no more than four elements, those of degree 2 in both.
    #[test]
    fn a_series_in_two_lengths_is_extrapolated_exactly() {
        let meshes: [&[usize]; 6] = [&[1, 1], &[2, 1], &[1, 2], &[3, 1], &[2, 2], &[1, 3]];
        let value = |[n, m]: [usize; 2]| {
            let (x, y) = (x(n), x(m));
            7.0 - 3.0 * x + 2.0 * y + 11.0 * x * x - 5.0 * x * y + 4.0 * y * y
        };
        let limit: f64 = weights(&meshes).iter().zip(meshes).map(|(weight, n)| weight * value([n[0], n[1]])).sum();
        assert!((limit - 7.0).abs() < 1e-12, "{limit}");
    }
}
