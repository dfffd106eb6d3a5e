//! Winches: a node for the length each has paid out, what holds or drives it, and the elements of its ropes.

use nalgebra::Vector3;

use super::super::{Drive, Prescribed, Winch};
use super::Builder;
use crate::kernel::Function;
use crate::mechanism::{RodPart, WinchDrive, WinchPart};
use crate::terms::{Attachment, Element, Fabric, History, NodeKind, Reel, ReevedElement};

impl Builder<'_> {
    /// A node for every winch; w = 0 in the reference configuration.
    pub(super) fn place_reels(&mut self) {
        for _ in &self.mechanism.winches {
            let kind = if self.mechanism.dimension == 2 { NodeKind::PlanePoint } else { NodeKind::SpacePoint };
            self.reels.push(self.layout.push(kind));
            self.reference.resize(self.layout.coordinate_count(), 0.0);
        }
    }

    /// The winch a rod runs over, and the sign by which paying out lengthens it.
    pub(super) fn winch_of(&self, rod: usize) -> Option<(usize, f64)> {
        let of = |(index, winch): (usize, &WinchPart)| {
            winch.ropes().find(|(rope, _)| *rope == rod).map(|(_, sign)| (index, sign))
        };
        self.mechanism.winches.iter().enumerate().find_map(of)
    }

    /// A piece of a rope over a winch.
    pub(super) fn reeved(&self, index: usize, rod: &RodPart, span: (f64, f64), sections: &[Attachment]) -> Element {
        let (winch, sign) = self.winch_of(index).unwrap_or_default();
        let middle = span.0 + 0.5 * span.1;
        let section = (rod.section)(middle);
        let fraction = |s: f64| s / rod.length;
        let mut piece = ReevedElement {
            span: [fraction(span.0), fraction(span.0 + span.1)],
            free: rod.length,
            sign,
            mass: section.mass,
            rest: 1.0,
            axial: section.stiffness[(2, 2)],
            law: rod.law.axial,
        };
        // The reference shape is unstressed to the last digit, but for the prestrain.
        let places = [0, 1].map(|i| sections[i].position(&self.layout, &self.reference));
        let prestrain = rod.prestrain.as_ref().map_or(0.0, |prestrain| prestrain(middle)[2]);
        piece.rest = piece.stretch(places, 0.0).0 + prestrain;
        let mut ends = sections.to_vec();
        ends.push(self.reel(winch));
        Element {
            rod: Some(index),
            middle,
            ends,
            fabric: Fabric::Reeved(Box::new(piece)),
            damped: false,
            at_instants: false,
        }
    }

    fn reel(&self, winch: usize) -> Attachment {
        let node = self.reels[winch];
        Attachment {
            node,
            offset: Vector3::zeros(),
            turn: crate::geometry::Quaternion::IDENTITY,
            angle: 0.0,
            plain: true,
        }
    }

    /// What is held of the nodes of the winches: their idle coordinates, and w where it is given over time.
    pub(super) fn held_reels(&self) -> impl Iterator<Item = Prescribed> + '_ {
        self.mechanism.winches.iter().zip(&self.reels).map(|(winch, node)| {
            let still = || Some(Function::constant(0.0));
            let length = match &winch.drive {
                WinchDrive::Length(length) => Some(length.clone()),
                WinchDrive::Force(_) | WinchDrive::Sought => None,
            };
            Prescribed {
                name: winch.name.clone(),
                node: *node,
                displacement: [length, still(), still()],
                rotation: None,
            }
        })
    }

    /// Forces by which winches haul in.
    pub(super) fn hauling(&self, winches: &[Winch]) -> Vec<Drive> {
        let of_winch = |(part, winch): (&WinchPart, &Winch)| match &part.drive {
            WinchDrive::Force(force) => Some(Drive {
                name: format!("{}.force", part.name),
                effect: winch.hauling(None),
                history: History::Function(force.clone()),
            }),
            WinchDrive::Length(_) | WinchDrive::Sought => None,
        };
        self.mechanism.winches.iter().zip(winches).filter_map(of_winch).collect()
    }

    /// The winches with the elements of their ropes.
    pub(super) fn winches(&self, elements: &[Element]) -> Vec<Winch> {
        let of_winch = |(winch, node): (&WinchPart, &usize)| {
            let of_rope = |(rope, _): (usize, f64)| {
                let own = elements.iter().enumerate().filter(|(_, element)| element.rod == Some(rope));
                own.map(|(index, _)| index).collect()
            };
            let stores = winch.counter.is_none();
            let mass = if stores { (self.mechanism.rods[winch.rope].section)(0.0).mass } else { 0.0 };
            Winch {
                name: winch.name.clone(),
                node: *node,
                reel: Reel { inertia: winch.mass(), stored: winch.stored, mass },
                stores,
                elements: winch.ropes().map(of_rope).collect(),
            }
        };
        self.mechanism.winches.iter().zip(&self.reels).map(of_winch).collect()
    }
}
