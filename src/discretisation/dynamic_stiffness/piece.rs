//! Uniform pieces of rods between the places where something is joined or held, divided into equal parts.

use nalgebra::Matrix3;

use super::bar::{Bar, BarShapes};
use super::bending::{Bending, BendingShapes};
use super::motion::MemberMotion;
use super::series::{POINTS, Parity};
use crate::mechanism::RodPart;

/// Parts are so short that with both ends held they vibrate above the highest frequency by this factor at least (of ω²).
const CLEARANCE: f64 = 1.7;

/// Most families of motions: stretch, two bendings and twist, each even and odd.
pub(super) const FAMILIES: usize = 8;

/// What resists and what moves in a rod.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Fabric {
    stretch: Bar,
    /// Along d₁ and d₂.
    bending: [Bending; 2],
    twist: Bar,
    /// In the plane there is neither twist nor bending along d₂; they stand for nothing then.
    plane: bool,
}

/// A stretch of a rod between two junctions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    /// Place of its rod.
    pub rod: usize,
    /// Where it begins along the rod, metre.
    pub start: f64,
    /// Length, metre.
    pub length: f64,
    /// Number of parts of equal length.
    pub parts: usize,
    /// Directors d₁, d₂, d₃ in space, as columns.
    pub directors: Matrix3<f64>,
    /// What it is made of.
    pub fabric: Fabric,
}

/// The shape functions of the parts of a piece at one frequency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PartShapes {
    stretch: BarShapes,
    bending: [BendingShapes; 2],
    twist: BarShapes,
}

/// Displacement and rotation along the directors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Moved {
    /// Along d₁, d₂, d₃.
    pub displacement: [f64; 3],
    /// About d₁, d₂, d₃.
    pub rotation: [f64; 3],
}

/// No net has so many parts: their matrices take some gigabytes.
pub(super) const MOST_PARTS: usize = 200_000;

impl Fabric {
    /// Of a rod whose section is the same all along.
    pub fn of(rod: &RodPart, dimension: usize) -> Self {
        let section = (rod.section)(0.0);
        let c = &section.stiffness;
        let bending = |shear: usize, about: usize| Bending {
            flexural: c[(3 + about, 3 + about)],
            shear_compliance: if rod.kind.is_unsheared() { 0.0 } else { 1.0 / c[(shear, shear)] },
            mass: section.mass,
            rotary: section.inertia[(about, about)],
        };
        let stretch = Bar { stiffness: c[(2, 2)], mass: section.mass };
        // Along d₁ the section turns about d₂, and the other way round.
        let first = bending(0, 1);
        // What does not occur in the plane need not be stated there.
        match dimension {
            2 => Self { stretch, bending: [first; 2], twist: stretch, plane: true },
            _ => {
                let twist = Bar { stiffness: c[(5, 5)], mass: section.inertia[(2, 2)] };
                Self { stretch, bending: [first, bending(1, 0)], twist, plane: false }
            }
        }
    }

    /// Number of families of motions.
    pub fn families(&self) -> usize {
        if self.plane { FAMILIES / 2 } else { FAMILIES }
    }

    /// About the least ω² of a length with its ends held: that of bending without shear and rotary inertia.
    pub fn first_clamped(&self, length: f64) -> f64 {
        let beams = &self.bending[..if self.plane { 1 } else { 2 }];
        let of_beam = |beam: &Bending| beam.flexural / beam.mass * (4.73 / length).powi(4);
        beams.iter().map(of_beam).fold(f64::INFINITY, f64::min)
    }

    /// The least number of equal parts of a length whose motions with held ends lie above λ, with clearance; where there is none
    /// below it, [`MOST_PARTS`] or a few more.
    fn parts(&self, length: f64, lambda: f64) -> usize {
        let lambda = CLEARANCE * lambda;
        let bars = [self.stretch, self.twist];
        let bars = &bars[..if self.plane { 1 } else { 2 }];
        let beams = &self.bending[..if self.plane { 1 } else { 2 }];
        let shorter = |longest: f64, other: f64| if other < longest { other } else { longest };
        let longest = beams.iter().map(|beam| beam.longest(lambda)).fold(length, shorter);
        let mut parts = ((length / longest).ceil().max(1.0) as usize).min(MOST_PARTS);
        // At a frequency of the part on hinges rounding decides about the count; not at two of them.
        let nearby = [lambda, lambda * (1.0 + 1e-6)];
        let clear = |parts: usize| {
            let each = length / parts as f64;
            let none = |beam: &Bending| nearby.iter().all(|at| beam.clamped_below(0.5 * each, *at) == 0);
            bars.iter().all(|bar| bar.first_clamped(each) > lambda) && beams.iter().all(none)
        };
        while parts < MOST_PARTS && !clear(parts) {
            parts += 1 + parts / 64;
        }
        parts
    }
}

impl Piece {
    /// Divides it for frequencies up to √λ.
    pub fn divide(&mut self, lambda: f64) {
        self.parts = self.fabric.parts(self.length, lambda);
    }

    /// Half length of a part, metre.
    pub fn half(&self) -> f64 {
        0.5 * self.length / self.parts as f64
    }

    /// Shape functions of its parts.
    pub fn shapes(&self, lambda: f64) -> PartShapes {
        let (half, Fabric { stretch, bending, twist, .. }) = (self.half(), self.fabric);
        PartShapes {
            stretch: stretch.shapes(half, lambda),
            bending: bending.map(|bending| bending.shapes(half, lambda)),
            twist: twist.shapes(half, lambda),
        }
    }

    /// What the ends of each of its parts feel.
    pub fn motions(&self, lambda: f64, rule: &[(f64, f64); POINTS], out: &mut [MemberMotion; FAMILIES]) {
        let (half, Fabric { stretch, bending, twist, plane }) = (self.half(), self.fabric);
        [out[0], out[1]] = stretch.motions(half, &stretch.shapes(half, lambda), rule);
        [out[2], out[3]] = bending[0].motions(half, &bending[0].shapes(half, lambda), rule);
        if !plane {
            [out[4], out[5]] = bending[1].motions(half, &bending[1].shapes(half, lambda), rule);
            [out[6], out[7]] = twist.motions(half, &twist.shapes(half, lambda), rule);
        }
    }
}

/// The coordinates of the families of motions from the motions of both ends of a part.
pub(super) fn coordinates([a, b]: [&Moved; 2]) -> [[f64; 2]; FAMILIES] {
    let mean = |a: f64, b: f64| 0.5 * (a + b);
    let half_difference = |a: f64, b: f64| 0.5 * (b - a);
    let bar = |a: f64, b: f64| [[mean(a, b), 0.0], [half_difference(a, b), 0.0]];
    let beam = |w: [f64; 2], phi: [f64; 2]| {
        [[mean(w[0], w[1]), half_difference(phi[0], phi[1])], [half_difference(w[0], w[1]), mean(phi[0], phi[1])]]
    };
    // γ₁ = u₁' − θ₂ and γ₂ = u₂' + θ₁.
    let [along_1, along_2] = [0, 1].map(|i: usize| [a.displacement[i], b.displacement[i]]);
    let (about_2, about_1) = ([a.rotation[1], b.rotation[1]], [-a.rotation[0], -b.rotation[0]]);
    let stretch = bar(a.displacement[2], b.displacement[2]);
    let twist = bar(a.rotation[2], b.rotation[2]);
    let (first, second) = (beam(along_1, about_2), beam(along_2, about_1));
    [stretch[0], stretch[1], first[0], first[1], second[0], second[1], twist[0], twist[1]]
}

impl PartShapes {
    /// The motion at x ∈ [−1, 1] of a part with these coordinates of its families.
    pub fn at(&self, x: f64, coordinates: &[[f64; 2]; FAMILIES]) -> Moved {
        let parities = [Parity::Even, Parity::Odd];
        let bar = |shapes: &BarShapes, first: usize| {
            parities.iter().zip(first..).map(|(parity, k)| coordinates[k][0] * shapes.value(*parity, x)).sum::<f64>()
        };
        let beam = |shapes: &BendingShapes, first: usize| {
            let (mut w, mut phi) = (0.0, 0.0);
            for (parity, k) in parities.iter().zip(first..) {
                let values = shapes.values(*parity, x);
                for (value, coordinate) in values.iter().zip(&coordinates[k]) {
                    w += value[0] * coordinate;
                    phi += value[1] * coordinate;
                }
            }
            [w, phi]
        };
        let ([w1, phi1], [w2, phi2]) = (beam(&self.bending[0], 2), beam(&self.bending[1], 4));
        Moved { displacement: [w1, w2, bar(&self.stretch, 0)], rotation: [-phi2, phi1, bar(&self.twist, 6)] }
    }
}
