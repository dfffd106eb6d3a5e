//! Rods cut where something is joined to them or holds them.

use std::sync::Arc;

use nalgebra::Matrix3;

use super::piece::{Fabric, Piece};
use crate::geometry::Pose;
use crate::material::Section;
use crate::mechanism::{Frame, JointPart, Mechanism, RodKind, RodPart};

/// The pieces, and the structure in which each piece is a rod without mass that has an element per part.
pub(super) struct Split {
    pub pieces: Vec<Piece>,
    pub mechanism: Mechanism,
}

/// Where a rod is cut, and its first piece.
struct Cuts {
    boundaries: Vec<usize>,
    first: usize,
}

/// Cuts all rods and divides the pieces.
pub(super) fn split(mechanism: &Mechanism, divide: impl Fn(&mut Piece)) -> Split {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut rods = Vec::new();
    let mut joints = Vec::new();
    let mut cuts = Vec::new();
    for (index, rod) in mechanism.rods.iter().enumerate() {
        let own = Cuts { boundaries: boundaries(mechanism, index), first: pieces.len() };
        let fabric = Fabric::of(rod, mechanism.dimension);
        let at = |boundary: usize| rod.length * boundary as f64 / rod.elements as f64;
        for ends in own.boundaries.windows(2) {
            let (start, length) = (at(ends[0]), at(ends[1]) - at(ends[0]));
            let directors = (rod.reference)(start).orientation.matrix();
            let mut piece = Piece { rod: index, start, length, parts: 1, directors, fabric };
            divide(&mut piece);
            if rods.len() > own.first {
                joints.push(joined(rods.len(), &piece, rods.last(), rod));
            }
            rods.push(massless(rod, &piece));
            pieces.push(piece);
        }
        cuts.push(own);
    }
    let frame = |frame: Frame| match frame {
        Frame::Section { rod, boundary } => {
            let Cuts { boundaries, first } = &cuts[rod];
            let place = boundaries.partition_point(|&cut| cut < boundary);
            // The start of the piece after the cut; at the end of the rod that of the last piece.
            match place + 1 < boundaries.len() {
                true => Frame::Section { rod: first + place, boundary: 0 },
                false => Frame::Section { rod: first + place - 1, boundary: pieces[first + place - 1].parts },
            }
        }
        other => other,
    };
    let moved = mechanism.joints.iter().map(|joint| JointPart { between: joint.between.map(frame), ..joint.clone() });
    joints.extend(moved);
    let mut supports = mechanism.supports.clone();
    supports.iter_mut().for_each(|support| support.at = frame(support.at));
    let mechanism =
        Mechanism { rods, bodies: mechanism.bodies.clone(), joints, supports, ..Mechanism::empty(mechanism.dimension) };
    Split { pieces, mechanism }
}

/// Both ends of a rod and all places where something is joined to it or holds it, in order.
fn boundaries(mechanism: &Mechanism, index: usize) -> Vec<usize> {
    let of_joints = mechanism.joints.iter().flat_map(|joint| joint.between);
    let of_supports = mechanism.supports.iter().map(|support| support.at);
    let own = of_joints.chain(of_supports).filter_map(|frame| match frame {
        Frame::Section { rod, boundary } if rod == index => Some(boundary),
        _ => None,
    });
    let mut found: Vec<usize> = own.chain([0, mechanism.rods[index].elements]).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The rigid joint between a piece and the one before it.
fn joined(number: usize, piece: &Piece, before: Option<&RodPart>, rod: &RodPart) -> JointPart {
    let between = [
        Frame::Section { rod: number - 1, boundary: before.map_or(0, |before| before.elements) },
        Frame::Section { rod: number, boundary: 0 },
    ];
    JointPart::rigid(&rod.name, between, (rod.reference)(piece.start).position)
}

fn massless(rod: &RodPart, piece: &Piece) -> RodPart {
    let reference = rod.reference.clone();
    let start = piece.start;
    let section = Section { mass: 0.0, inertia: Matrix3::zeros(), ..(rod.section)(0.0) };
    RodPart {
        // Conditions of no shear belong to elements; parts know themselves whether they shear.
        kind: RodKind::default(),
        length: piece.length,
        elements: piece.parts,
        order: 1,
        reference: Arc::new(move |s: f64| -> Pose { reference(start + s) }),
        section: Arc::new(move |_| section),
        prestrain: None,
        velocity: None,
        ..rod.clone()
    }
}
