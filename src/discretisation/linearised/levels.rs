//! Strains that resist far more than others.
//!
//! Rounding of an assembled stiffness goes with its largest entries, so that motions in which a stiff strain takes no part
//! lose digits to it: all of them where it is 1e16 times stiffer. A strain ε = g·u of energy ½ w d ε² therefore leaves only
//! ½ w d₀ ε² in the stiffness, and its remaining stress resultant s becomes an unknown: g·u − s/(w (d − d₀)) = 0. As d grows
//! this turns into the condition of a rigid part, and no digit depends on d.

use nalgebra::{Matrix6, SymmetricEigen, Vector6};

use crate::discretisation::assembly::{Assembly, Element};
use crate::terms::Fabric;
use crate::terms::shape::MAX_NODES;

/// Strains smaller than this many roundings of their terms are none.
const ROUNDINGS: f64 = 16.0 * f64::EPSILON;

/// A principal direction of the stiffness of a section, or what a spring measures.
struct Direction {
    /// Its strain is this combination of (Γ, K).
    row: Vector6<f64>,
    /// Its stress is this multiple of its strain.
    stiffness: f64,
    /// The stiffness as the force that displacements by the size of the mechanism meet, newton: comparable for all.
    level: f64,
}

/// An equation g·u − c s = 0.
pub(super) struct Excess {
    pub element: usize,
    pub point: usize,
    pub row: Vector6<f64>,
    pub compliance: f64,
}

/// 1 for Γ and 1/ℓ for K: strains over the size ℓ of the mechanism are those times lengths.
fn scales(length: f64) -> Vector6<f64> {
    let turn = 1.0 / length;
    Vector6::new(1.0, 1.0, 1.0, turn, turn, turn)
}

/// D = Σ d r rᵀ over the directions r with a stiffness d, orthonormal in (Γ, ℓK).
fn directions(assembly: &Assembly, length: f64, q: &[f64], element: &Element, point: usize) -> Vec<Direction> {
    let scales = scales(length);
    let mut stiffness = match &element.fabric {
        // A spring that is not linear resists by its tangent.
        Fabric::Spring(spring) => spring.elastic(&(spring.value(&assembly.layout, q) - spring.rest)).tangent,
        _ => element.stiffness(point),
    };
    if matches!(element.fabric, Fabric::Plane(_)) {
        // In the plane only Γ₁, Γ₃ and K₂ count.
        [1, 3, 5].into_iter().for_each(|out| {
            stiffness.row_mut(out).fill(0.0);
            stiffness.column_mut(out).fill(0.0);
        });
    }
    let scaled = Matrix6::from_fn(|r, c| scales[r] * stiffness[(r, c)] * scales[c]);
    let diagonal = (0..6).all(|r| (0..6).all(|c| r == c || scaled[(r, c)] == 0.0));
    let (values, vectors, least) = match diagonal {
        true => (scaled.diagonal(), Matrix6::identity(), 0.0),
        false => {
            let eigen = SymmetricEigen::new(scaled);
            let least = 8.0 * f64::EPSILON * eigen.eigenvalues.amax();
            (eigen.eigenvalues, eigen.eigenvectors, least)
        }
    };
    let per_level = match element.rod {
        Some(_) => 1.0,
        None => spring_level(assembly, q, element, length),
    };
    let direction = |i: usize| Direction {
        row: vectors.column(i).component_div(&scales),
        stiffness: values[i],
        level: values[i] * per_level,
    };
    (0..6).filter(|&i| values[i] > least).map(direction).collect()
}

/// Force for a stiffness 1 of a spring: ℓ times the squared slope of what it measures by displacements, or by turns over ℓ.
fn spring_level(assembly: &Assembly, q: &[f64], element: &Element, length: f64) -> f64 {
    let mut b = [Matrix6::zeros(); MAX_NODES];
    element.strain_matrices(&assembly.layout, q, 0, &mut b);
    let mut steepest = 0.0_f64;
    for (end, b) in element.ends.iter().zip(&b) {
        let kind = assembly.layout.kind(end.node);
        for freedom in 0..kind.freedoms() {
            let slope = b.column(freedom).amax();
            steepest = steepest.max(if freedom < kind.positions() { slope } else { slope / length });
        }
    }
    length * steepest * steepest
}

/// Strain beyond the unstressed one at a point; exactly zero where it is rounding.
fn elastic(assembly: &Assembly, length: f64, q: &[f64], element: &Element, point: usize) -> Vector6<f64> {
    let (strain, rest) = (element.strain(&assembly.layout, q, point), element.rest(point));
    let short = element.weight(point).max(f64::MIN_POSITIVE);
    let reach = [length / short, 4.0 / short];
    Vector6::from_fn(|i, _| {
        let terms = 1.0 + strain[i].abs() + rest[i].abs() + reach[i / 3];
        let found = strain[i] - rest[i];
        if found.abs() <= ROUNDINGS * terms { 0.0 } else { found }
    })
}

/// Whether nothing is stressed.
pub(super) fn unstressed(assembly: &Assembly, q: &[f64]) -> bool {
    let length = assembly.size();
    let none = |element: &Element| {
        (0..element.points()).all(|point| {
            let strain = elastic(assembly, length, q, element, point);
            directions(assembly, length, q, element, point).iter().all(|direction| direction.row.dot(&strain) == 0.0)
        })
    };
    assembly.elements.iter().all(none)
}

/// A mechanism whose strains resist by other levels, under the same stresses.
fn changed(assembly: &Assembly, q: &[f64], level: impl Fn(&Element, f64) -> f64, stressed: bool) -> Assembly {
    let mut changed = assembly.clone();
    let length = assembly.size();
    let squares = scales(length).map(|s| s * s);
    for (element, old) in changed.elements.iter_mut().zip(&assembly.elements) {
        for point in 0..old.points() {
            let strain = match stressed {
                true => elastic(assembly, length, q, old, point),
                false => Vector6::zeros(),
            };
            let (mut stiffness, mut own) = (Matrix6::zeros(), strain);
            let mut other = false;
            for direction in directions(assembly, length, q, old, point) {
                let factor = level(old, direction.level) / direction.level;
                other |= factor != 1.0;
                stiffness += direction.row * direction.row.transpose() * (direction.stiffness * factor);
                let along = direction.row.dot(&strain) * (1.0 / factor - 1.0);
                own += direction.row.component_mul(&squares) * along;
            }
            if other || !stressed {
                let rest = old.strain(&assembly.layout, q, point) - own;
                element.replace_stiffness(point, &stiffness, &rest);
            }
        }
    }
    changed
}

/// The mechanism with no strain above a level, newton, and the equations of what exceeds it.
pub(super) fn limited(assembly: &Assembly, q: &[f64], most: f64) -> (Assembly, Vec<Excess>) {
    let mut rows = Vec::new();
    let length = assembly.size();
    for (index, element) in assembly.elements.iter().enumerate().filter(|(_, element)| element.is_linear()) {
        for point in 0..element.points() {
            for direction in directions(assembly, length, q, element, point).into_iter().filter(|d| d.level > most) {
                let beyond = direction.stiffness * (1.0 - most / direction.level);
                let compliance = 1.0 / (element.weight(point) * beyond);
                rows.push(Excess { element: index, point, row: direction.row, compliance });
            }
        }
    }
    let level = |element: &Element, level: f64| if element.is_linear() { level.min(most) } else { level };
    (changed(assembly, q, level, true), rows)
}

/// The mechanism without stresses whose strains all resist by 1 newton: what deforms nothing is the same, without the rounding
/// of unequal stiffnesses.
pub(super) fn levelled(assembly: &Assembly, q: &[f64]) -> Assembly {
    changed(assembly, q, |_, _| 1.0, false)
}

/// How stiff a part is in its softest and its stiffest strain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Level of the softest strain, newton: the force that displacements by the size of the mechanism meet.
    pub softest: f64,
    /// Level of the stiffest strain.
    pub stiffest: f64,
    /// Place of the softest among (Γ, K).
    pub soft: usize,
    /// Place of the stiffest.
    pub stiff: usize,
}

/// Levels of the elements that are chosen, at a configuration; none if nothing resists.
pub fn span(assembly: &Assembly, q: &[f64], which: impl Fn(&Element) -> bool) -> Option<Span> {
    let length = assembly.size();
    let mut span: Option<Span> = None;
    for element in assembly.elements.iter().filter(|element| which(element)) {
        for direction in (0..element.points()).flat_map(|point| directions(assembly, length, q, element, point)) {
            let place = direction.row.component_mul(&scales(length)).iamax();
            let level = direction.level;
            let own = Span { softest: level, stiffest: level, soft: place, stiff: place };
            let span = span.get_or_insert(own);
            if level < span.softest {
                (span.softest, span.soft) = (level, place);
            }
            if level > span.stiffest {
                (span.stiffest, span.stiff) = (level, place);
            }
        }
    }
    span
}
