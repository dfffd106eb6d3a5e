//! Ropes of changing length in an assembly: their kinetic energy, weight and what their drums keep.
//!
//! The length w that a winch has paid out is the first coordinate of a node of its own, its reel, whose other coordinates are held:
//! it is prescribed like that of a support, or driven by a force. All nodes of such ropes are points.

use nalgebra::Vector3;

use super::{Anchor, Assembly, Attachment, Element, Fabric, Forces, Order};
use crate::geometry::Quaternion;
use crate::nlp::EvalFailure;
use crate::terms::{Curvature, Effect, Kinetic, Local, Reel, ReevedElement, Slope};

/// A winch and the ropes over its sheave.
#[derive(Debug, Clone)]
pub struct Winch {
    /// Name in the problem file.
    pub name: String,
    /// The node whose first coordinate is w.
    pub node: usize,
    /// Its drum.
    pub reel: Reel,
    /// Whether its rope comes from a drum, not from the other side of the sheave.
    pub stores: bool,
    /// Elements of its ropes, from the sheave on; the first is the one at the sheave.
    pub elements: Vec<Vec<usize>>,
}

/// Takes row and column by node and component, and the derivatives of T by (q̇, q̇), (q̇, q), (q, q̇), (q, q).
pub type TakeRopeSlopes<'a> = dyn FnMut((usize, usize), (usize, usize), [f64; 4]) + 'a;

/// Slots (x₀, x₁, w) and their rates as nodes and components.
const SLOTS: [(usize, usize); 7] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0)];

impl Winch {
    /// Unstressed length of a free rope, metre.
    fn free(&self, assembly: &Assembly, rope: usize, q: &[f64]) -> f64 {
        let element = self.elements[rope].first().map(|element| &assembly.elements[*element]);
        match element.map(|element| &element.fabric) {
            Some(Fabric::Reeved(piece)) => piece.free + piece.sign * q[assembly.layout.coordinate(self.node)],
            _ => 0.0,
        }
    }

    /// A unit force that hauls in, or a unit torque on a drum of this radius.
    pub fn hauling(&self, radius: Option<f64>) -> Effect {
        let (still, none) = (Vector3::zeros(), Quaternion::IDENTITY);
        let reel = Attachment { node: self.node, offset: still, turn: none, angle: 0.0, plain: true };
        Effect {
            on: [Anchor::Ground(still, [None, None, None]), Anchor::Node(reel)],
            torque: false,
            direction: -Vector3::x() / radius.unwrap_or(1.0),
            carrier: None,
        }
    }

    /// Tension of the first rope at its sheave at a configuration, newton.
    pub fn tension(&self, assembly: &Assembly, q: &[f64]) -> f64 {
        assembly.kept(self, q).map_or(0.0, |[force, ..]| force)
    }

    /// Unstressed length of the rope that hangs free at a configuration, metre.
    pub fn length(&self, assembly: &Assembly, q: &[f64]) -> f64 {
        self.free(assembly, 0, q)
    }
}

impl Assembly {
    /// Whether a node holds the length of a winch, not a place.
    pub fn is_reel(&self, node: usize) -> bool {
        self.winches.iter().any(|winch| winch.node == node)
    }

    /// An element of a rope of changing length, with its ends and w.
    fn reeved(&self, element: usize, q: &[f64]) -> Option<(&Element, &ReevedElement, [Vector3<f64>; 2], f64)> {
        let element = &self.elements[element];
        let Fabric::Reeved(piece) = &element.fabric else { return None };
        Some((element, piece, element.string_ends(&self.layout, q), element.paid_out(&self.layout, q)))
    }

    fn vector(&self, v: &[f64], node: usize) -> Vector3<f64> {
        let (first, count) = (self.layout.freedom(node), self.layout.kind(node).positions());
        Vector3::from_fn(|c, _| if c < count { v[first + c] } else { 0.0 })
    }

    /// The kinetic energies of all pieces of rope and drums at velocities `v` of the degrees of freedom, with the nodes of x₀, x₁, w.
    fn rope_motions(&self, q: &[f64], v: &[f64], take: &mut dyn FnMut([usize; 3], &Kinetic)) {
        for winch in &self.winches {
            let rate = v[self.layout.freedom(winch.node)];
            for element in winch.elements.iter().flatten() {
                let Some((element, piece, ends, w)) = self.reeved(*element, q) else { continue };
                let nodes = [0, 1, 2].map(|i| element.ends[i].node);
                let rates = [0, 1].map(|i| self.vector(v, nodes[i]));
                take(nodes, &piece.kinetic(ends, rates, [w, rate]));
            }
            let first = winch.elements.first().and_then(|elements| elements.first());
            let Some((element, _, _, w)) = first.and_then(|element| self.reeved(*element, q)) else { continue };
            let sheave = element.ends[0].node;
            take([sheave, sheave, winch.node], &winch.reel.kinetic(self.vector(v, sheave), [w, rate]));
        }
    }

    /// The degree of freedom of a slot, where the plane has it.
    fn slot(&self, nodes: [usize; 3], slot: usize) -> Option<(usize, usize)> {
        let (place, component) = SLOTS[slot];
        (component < self.layout.kind(nodes[place]).positions()).then_some((nodes[place], component))
    }

    /// Adds multiples of ∂T/∂q̇ and ∂T/∂q of the ropes by degree of freedom, and returns T, joule.
    pub fn add_rope_momenta(&self, q: &[f64], v: &[f64], by_rate: f64, by_place: f64, out: &mut [f64]) -> f64 {
        let mut energy = 0.0;
        self.rope_motions(q, v, &mut |nodes, kinetic| {
            energy += kinetic.energy;
            for i in 0..7 {
                let Some((node, component)) = self.slot(nodes, i) else { continue };
                let dof = self.layout.freedom(node) + component;
                out[dof] += by_rate * kinetic.gradient[7 + i] + by_place * kinetic.gradient[i];
            }
        });
        energy
    }

    /// Tells entries of the second derivatives of T.
    pub fn rope_slopes(&self, q: &[f64], v: &[f64], take: &mut TakeRopeSlopes<'_>) {
        self.rope_motions(q, v, &mut |nodes, Kinetic { hessian: h, .. }| {
            for i in 0..7 {
                let Some(row) = self.slot(nodes, i) else { continue };
                for j in 0..7 {
                    let Some(col) = self.slot(nodes, j) else { continue };
                    take(row, col, [h[(7 + i, 7 + j)], h[(7 + i, j)], h[(i, 7 + j)], h[(i, j)]]);
                }
            }
        });
    }

    /// Adds potential and forces of the weight of the ropes.
    pub(super) fn add_rope_weights(&self, q: &[f64], order: Order, factor: f64, out: &mut Forces) {
        let gravity = self.gravity * factor;
        for winch in &self.winches {
            for index in winch.elements.iter().flatten() {
                let Some((_, piece, ends, w)) = self.reeved(*index, q) else { continue };
                let (energy, slope, curvature) = piece.weight(ends, w, &gravity);
                self.scatter_rope(*index, order, energy, &slope, &curvature, out);
            }
            let first = winch.elements.first().and_then(|elements| elements.first());
            let Some((index, (_, _, ends, w))) = first.and_then(|index| Some((*index, self.reeved(*index, q)?))) else {
                continue;
            };
            let (energy, slope, curvature) = winch.reel.weight(ends[0], w, &gravity);
            self.scatter_rope(index, order, energy, &slope, &curvature, out);
        }
    }

    fn scatter_rope(&self, index: usize, order: Order, energy: f64, slope: &Slope, bend: &Curvature, out: &mut Forces) {
        let element = &self.elements[index];
        let mut local = Local::default();
        local.reset(element.freedoms(&self.layout), order);
        element.spread(&self.layout, order, slope, bend, &mut local);
        out.energy += energy;
        if order >= Order::Gradient {
            std::mem::swap(&mut out.local, &mut local);
            self.scatter(index, element, order, out);
        }
    }

    /// Potential of the weight of the ropes, joule.
    pub fn rope_weight(&self, q: &[f64]) -> f64 {
        let mut sum = 0.0;
        for winch in &self.winches {
            for index in winch.elements.iter().flatten() {
                let Some((_, piece, ends, w)) = self.reeved(*index, q) else { continue };
                sum += piece.weight(ends, w, &self.gravity).0;
            }
            let first = winch.elements.first().and_then(|elements| elements.first());
            let Some((_, _, ends, w)) = first.and_then(|index| self.reeved(*index, q)) else { continue };
            sum += winch.reel.weight(ends[0], w, &self.gravity).0;
        }
        sum
    }

    /// Mass of free and stored rope, kg.
    pub fn rope_mass(&self) -> f64 {
        let of_piece = |index: &usize| match &self.elements[*index].fabric {
            Fabric::Reeved(piece) => piece.mass * piece.length_over(0.0),
            _ => 0.0,
        };
        let of_winch = |winch: &Winch| {
            winch.elements.iter().flatten().map(of_piece).sum::<f64>() + winch.reel.mass * winch.reel.stored
        };
        self.winches.iter().map(of_winch).sum()
    }

    /// ν at the sheave from those of the first two elements, in whose middles it is exact to order two: the elements with their
    /// weights.
    fn sheave(&self, winch: &Winch) -> Vec<(usize, f64)> {
        match winch.elements.first().map(Vec::as_slice) {
            Some([first, second, ..]) => vec![(*first, 1.5), (*second, -0.5)],
            Some([first]) => vec![(*first, 1.0)],
            _ => Vec::new(),
        }
    }

    /// n, nν − ψ − n and the derivative of the latter by ν at the sheave of a winch.
    fn kept(&self, winch: &Winch, q: &[f64]) -> Option<[f64; 3]> {
        let mut stretch = 0.0;
        let mut piece = None;
        for (element, weight) in self.sheave(winch) {
            let (_, own, ends, w) = self.reeved(element, q)?;
            stretch += weight * own.stretch(ends, w).0;
            piece = Some(own);
        }
        Some(piece?.kept(stretch))
    }

    /// Takes what the stored rope keeps off the pull of the free rope on the drums, which leaves n.
    pub(super) fn add_kept(&self, q: &[f64], order: Order, out: &mut Forces) {
        if order == Order::Energy {
            return;
        }
        for winch in self.winches.iter().filter(|winch| winch.stores) {
            let Some([_, kept, by_stretch]) = self.kept(winch, q) else { continue };
            out.other[self.layout.freedom(winch.node)] += kept;
            if order < Order::Hessian {
                continue;
            }
            for (index, weight) in self.sheave(winch) {
                let Some((element, piece, ends, w)) = self.reeved(index, q) else { continue };
                let slope = piece.stretch(ends, w).1 * (by_stretch * weight);
                let nodes = [0, 1, 2].map(|i| element.ends[i].node);
                for i in 0..7 {
                    let Some((node, component)) = self.slot(nodes, i) else { continue };
                    let Some(start) = out.stiffness.find(winch.node, node) else { continue };
                    let rows = self.layout.kind(winch.node).freedoms();
                    out.stiffness.values[start + rows * component] += slope[i];
                }
            }
        }
    }

    /// Work of what the stored rope keeps, from one configuration to the next, with the forces of their middle, joule.
    pub fn kept_work(&self, from: &[f64], middle: &[f64], to: &[f64]) -> f64 {
        let of_winch = |winch: &Winch| {
            let place = self.layout.coordinate(winch.node);
            Some(-self.kept(winch, middle)?[1] * (to[place] - from[place]))
        };
        self.winches.iter().filter(|winch| winch.stores).filter_map(of_winch).sum()
    }

    /// Whether there is rope on both sides of every sheave.
    pub fn check_ropes(&self, q: &[f64]) -> Result<(), EvalFailure> {
        for winch in &self.winches {
            let failure = |reason: String| Err(EvalFailure { place: format!("winch `{}`", winch.name), reason });
            for rope in 0..winch.elements.len() {
                if !(winch.free(self, rope, q) > 0.0) {
                    return failure("all of the rope is wound up: no free length is left".into());
                }
            }
            let paid_out = q[self.layout.coordinate(winch.node)];
            if winch.stores && paid_out > winch.reel.stored * (1.0 + 1e-9) + 1e-9 * winch.length(self, q) {
                return failure(format!(
                    "{paid_out:.6} m of rope would have to be paid out, but only {} m are on the drum: raise `stored`",
                    winch.reel.stored
                ));
            }
        }
        Ok(())
    }
}
