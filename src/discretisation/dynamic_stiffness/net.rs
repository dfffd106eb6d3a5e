//! The dynamic stiffness of a whole net: parts of members between nodes, rigid bodies at them, joints and supports
//! eliminated.

use nalgebra::Vector3;

use super::attached::{Body, Part};
use super::elimination::Elimination;
use super::motion::MemberMotion;
use super::piece::{FAMILIES, Fabric, MOST_PARTS, PartShapes, Piece};
use super::series::POINTS;
use super::split::{Split, split};
use super::still::still_motions;
use crate::discretisation::assembly::shape::gauss;
use crate::discretisation::assembly::{Assembly, NodeMass, build, node_rotation};
use crate::mechanism::{Mechanism, RodPart};
use crate::nlp::{BlockMap, Pattern, PatternBuilder};

/// A net of members whose dynamic stiffness D(λ) has no poles up to the λ = ω² for which it was made.
///
/// Members are divided into parts whose motions with held ends all lie above. By Wittrick and Williams the number of modes
/// below ω then is the number of negative eigenvalues of D(ω²), and no mode leaves all nodes at rest.
#[derive(Debug, Clone)]
pub struct Net {
    pieces: Vec<Piece>,
    parts: Vec<Part>,
    /// Mass matrices of bodies over some unknowns.
    bodies: Vec<Body>,
    unknowns: usize,
    pattern: Pattern,
    map: BlockMap,
    rule: [(f64, f64); POINTS],
    /// λ of the last evaluation and what the parts of each piece feel there.
    lambda: f64,
    motions: Vec<[MemberMotion; FAMILIES]>,
}

/// A motion on a section of a rod, in space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectionMotion {
    /// Arc length, metre.
    pub s: f64,
    /// Displacement.
    pub displacement: Vector3<f64>,
    /// Rotation vector.
    pub rotation: Vector3<f64>,
}

/// A rod vibrates by itself so slowly that it has too many motions below a frequency of the whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "rod `{rod}` alone has so many modes below those asked for that it would be cut into more than {MOST_PARTS} parts; is its stiffness far too small or its inertia far too large? Otherwise ask for fewer modes"
)]
pub struct Crowded {
    /// The rod with the most parts.
    pub rod: String,
}

impl Net {
    /// The net of a structure without [`obstacles`](super::obstacles), for λ = ω² up to `highest`.
    pub fn new(mechanism: &Mechanism, highest: f64) -> Result<Self, Crowded> {
        let Split { pieces, mechanism: divided } = split(mechanism, |piece| piece.divide(highest));
        let all = pieces.iter().map(|piece| piece.parts).sum::<usize>();
        match pieces.iter().max_by_key(|piece| piece.parts) {
            Some(worst) if all >= MOST_PARTS => Err(Crowded { rod: mechanism.rods[worst.rod].name.clone() }),
            _ => Ok(Self::assemble(pieces, &build(&divided))),
        }
    }

    fn assemble(pieces: Vec<Piece>, assembly: &Assembly) -> Self {
        let elimination = Elimination::new(assembly, assembly.size());
        let layout = &assembly.layout;
        let mut parts = Vec::new();
        for (piece, sections) in assembly.sections.iter().enumerate() {
            for ends in sections.windows(2) {
                let ends = [&ends[0].1, &ends[1].1];
                parts.push(Part::new(assembly, &elimination, piece, &pieces[piece], ends));
            }
        }
        let massive = assembly.masses.iter().enumerate().filter(|(_, mass)| **mass != NodeMass::NONE);
        let bodies: Vec<Body> = massive
            .map(|(node, mass)| {
                let block = mass.matrix(layout.kind(node), &node_rotation(layout, &assembly.reference, node));
                Body::new(assembly, &elimination, node, &block)
            })
            .collect();
        let count = elimination.unknowns.len();
        let mut builder = PatternBuilder::new(count, count);
        // A full diagonal, then the lower triangle of each part and body, column by column.
        for unknown in 0..count {
            let _ = builder.add(&[unknown], &[unknown]);
        }
        for unknowns in parts.iter().map(|part| &part.unknowns).chain(bodies.iter().map(|body| &body.unknowns)) {
            for (i, unknown) in unknowns.iter().enumerate() {
                // Indices are below the number of unknowns.
                let _ = builder.add(&unknowns[i..], &[*unknown]);
            }
        }
        let (pattern, map) = builder.build();
        let points = gauss(POINTS);
        let still = MemberMotion { deformation: [0.0; 2], stiffness: 0.0, inertia: [0.0; 3], mass: [0.0; 3] };
        let mut net = Self {
            motions: vec![[still; FAMILIES]; pieces.len()],
            pieces,
            parts,
            bodies,
            unknowns: count,
            pattern,
            map,
            rule: std::array::from_fn(|i| points[i]),
            lambda: 0.0,
        };
        net.move_to(0.0);
        net
    }

    /// λ = ω² near which the rods of a structure begin to vibrate: the least of them, each with its ends held.
    pub fn scale(mechanism: &Mechanism) -> f64 {
        let of_rod = |rod: &RodPart| Fabric::of(rod, mechanism.dimension).first_clamped(rod.length);
        mechanism.rods.iter().map(of_rod).fold(f64::INFINITY, f64::min)
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.unknowns
    }

    /// Number of members: pieces of rods between junctions.
    pub fn members(&self) -> usize {
        self.pieces.len()
    }

    /// Number of parts into which members are divided.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Pattern of the lower triangle of D.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    fn move_to(&mut self, lambda: f64) {
        self.lambda = lambda;
        for (piece, motions) in self.pieces.iter().zip(&mut self.motions) {
            piece.motions(lambda, &self.rule, motions);
        }
    }

    /// Values of D(λ) and −dD/dλ on the pattern.
    pub fn evaluate(&mut self, lambda: f64, stiffness: &mut [f64], mass: &mut [f64]) {
        self.move_to(lambda);
        stiffness.fill(0.0);
        mass.fill(0.0);
        let mut block = self.unknowns();
        let mut add = |block: usize, entries: &[[f64; 2]]| {
            for (place, [d, m]) in self.map.block(block).iter().zip(entries) {
                stiffness[*place] += d;
                mass[*place] += m;
            }
        };
        let mut column = Vec::with_capacity(2 * FAMILIES);
        for part in &self.parts {
            let motions = &self.motions[part.piece][..self.pieces[part.piece].fabric.families()];
            for i in 0..part.unknowns.len() {
                column.clear();
                column.extend(part.coordinates[i..].iter().map(|row| {
                    let pairs = row.iter().zip(&part.coordinates[i]);
                    motions.iter().zip(pairs).fold([0.0; 2], |[d, m], (motion, (a, b))| {
                        let [of_d, of_m] = motion.forms(lambda, *a, *b);
                        [d + of_d, m + of_m]
                    })
                }));
                add(block, &column);
                block += 1;
            }
        }
        for body in &self.bodies {
            for i in 0..body.unknowns.len() {
                column.clear();
                column.extend((i..body.unknowns.len()).map(|row| {
                    let m = body.mass[(row, i)];
                    [-lambda * m, m]
                }));
                add(block, &column);
                block += 1;
            }
        }
    }

    /// x D(λ) y and −x dD/dλ y at the λ of the last evaluation, summed over the deformations of the parts: the differences
    /// of large forces that make up D y are not formed.
    pub fn forms(&self, x: &[f64], y: &[f64]) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for part in &self.parts {
            let families = self.pieces[part.piece].fabric.families();
            let [a, b] = [x, y].map(|vector| part.coordinates_of(vector));
            for ((motion, a), b) in self.motions[part.piece][..families].iter().zip(&a).zip(&b) {
                let [d, m] = motion.forms(self.lambda, *a, *b);
                sum[0] += d;
                sum[1] += m;
            }
        }
        for body in &self.bodies {
            for (i, &row) in body.unknowns.iter().enumerate() {
                for (j, &col) in body.unknowns.iter().enumerate() {
                    let m = x[row] * body.mass[(i, j)] * y[col];
                    sum[0] -= self.lambda * m;
                    sum[1] += m;
                }
            }
        }
        sum
    }

    /// Number of independent motions that deform no member: the modes of frequency zero. It follows from the geometry
    /// alone.
    pub fn still_motions(mechanism: &Mechanism) -> usize {
        still_motions(&build(&split(mechanism, |piece| piece.parts = 1).mechanism))
    }

    /// A motion x of the nodes, harmonic with λ, along a rod of the structure: at `between` places of each part and its ends,
    /// which neighbours share.
    pub fn along(&self, rod: usize, lambda: f64, x: &[f64], between: usize) -> Vec<SectionMotion> {
        let mut out: Vec<SectionMotion> = Vec::new();
        let mut inside = 0;
        let mut shapes: Option<(usize, PartShapes)> = None;
        for part in self.parts.iter().filter(|part| self.pieces[part.piece].rod == rod) {
            let piece = &self.pieces[part.piece];
            let of_piece = match shapes {
                Some((index, of_piece)) if index == part.piece => of_piece,
                _ => {
                    inside = 0;
                    piece.shapes(lambda)
                }
            };
            shapes = Some((part.piece, of_piece));
            let coordinates = part.coordinates_of(x);
            for k in usize::from(!out.is_empty())..=between + 1 {
                let fraction = k as f64 / (between + 1) as f64;
                let moved = of_piece.at(2.0 * fraction - 1.0, &coordinates);
                out.push(SectionMotion {
                    s: piece.start + piece.length * (inside as f64 + fraction) / piece.parts as f64,
                    displacement: piece.directors * Vector3::from(moved.displacement),
                    rotation: piece.directors * Vector3::from(moved.rotation),
                });
            }
            inside += 1;
        }
        out
    }
}
