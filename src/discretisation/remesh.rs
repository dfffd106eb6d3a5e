//! The same mechanism on another mesh: rods with elements of higher order, so that the error in space shows.
//!
//! Boundaries of elements stay boundaries, and so do the frames on them. Rods that only have two-node elements (strings, and
//! rods that cannot shear) are divided into more of them.

mod transfer;

use crate::mechanism::{DrivePlace, Frame, Mechanism, Mesh, RodPart, SpringPlace};
use crate::terms::shape::MAX_ORDER;

pub use transfer::{Sample, Shape, Transfer};

/// Order of elements that replace two-node ones.
const ORDER: usize = 3;
/// Two-node elements for each of a rod that cannot have a higher order.
const PARTS: usize = 4;

/// The order of the elements of a rod on the other mesh, and how many there are for each of the rod.
fn finer(rod: &RodPart, halvings: u32) -> (usize, usize) {
    let halved = 1 << halvings;
    match (rod.kind.is_rigid(), rod.kind.has_orders(), rod.order) {
        (true, ..) => (rod.order, 1),
        (_, false, _) => (rod.order, PARTS * halved),
        (_, true, 1) => (ORDER, halved),
        (_, true, order) => ((order + 2).min(MAX_ORDER), if order + 2 > MAX_ORDER { 2 * halved } else { halved }),
    }
}

/// The machine with all rods on another mesh, the elements of which are then halved so often.
pub fn remeshed(mechanism: &Mechanism, halvings: u32) -> Mechanism {
    let mut mechanism = mechanism.clone();
    let parts: Vec<usize> = mechanism.rods.iter().map(|rod| finer(rod, halvings).1).collect();
    let moved = |frame: &mut Frame| {
        if let Frame::Section { rod, boundary } = frame {
            *boundary *= parts[*rod];
        }
    };
    frames_of(&mut mechanism, moved);
    for drive in &mut mechanism.drives {
        if let DrivePlace::Frame(frame) = &mut drive.place {
            moved(frame);
        }
    }
    for rod in &mut mechanism.rods {
        let (order, parts) = finer(rod, halvings);
        rod.mesh = divided(rod, parts);
        rod.elements *= parts;
        rod.order = order;
    }
    mechanism
}

fn frames_of(mechanism: &mut Mechanism, moved: impl Fn(&mut Frame)) {
    mechanism.joints.iter_mut().flat_map(|joint| &mut joint.between).for_each(&moved);
    mechanism.supports.iter_mut().for_each(|support| moved(&mut support.at));
    mechanism.loads.iter_mut().for_each(|load| moved(&mut load.at));
    mechanism.fluid.loads.iter_mut().for_each(|load| moved(&mut load.at));
    for spring in &mut mechanism.springs {
        if let SpringPlace::Between(frames, _) | SpringPlace::Bushing(frames, _) = &mut spring.place {
            frames.iter_mut().for_each(&moved);
        }
    }
}

/// The mesh with every element cut into equal parts.
fn divided(rod: &RodPart, parts: usize) -> Mesh {
    if rod.mesh.boundaries.is_empty() || parts == 1 {
        return rod.mesh.clone();
    }
    let mut boundaries = vec![0.0];
    for element in 0..rod.elements {
        let (start, length) = rod.span(element);
        boundaries.extend((1..=parts).map(|k| start + length * k as f64 / parts as f64));
    }
    Mesh { boundaries, kinks: rod.mesh.kinks.clone() }
}
