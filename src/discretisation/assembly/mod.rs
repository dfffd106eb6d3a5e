//! Mechanisms of rods, bodies and joints as nodes and elements.
//!
//! [`Assembly`] is what statics, simulation and modes work with: the potential energy of all elements, weights and dead
//! loads with its derivatives, the masses of the nodes, the constraints of the joints. It knows no task.

mod blocks;
mod build;
mod carried;
mod drag;
mod driving;
mod effects;
mod given;
mod measures;
mod repeated;
mod spin;
mod winch;

use std::collections::BTreeMap;

use nalgebra::{Vector3, Vector6};

pub use blocks::Blocks;
pub use build::{build, rigid_points, row_of};
pub use carried::{JointLoad, support_forces};
pub use drag::{CURRENT, Stream};
pub use effects::effects;
pub use spin::TurningFrame;
pub use winch::Winch;

pub use crate::terms::{
    Anchor, Attachment, ConditionRow, Constraint, Drag, Drive, Element, Fabric, GroundTravel, Layout, Load, LoadSource,
    Local, NodeKind, NodeMass, Order, RowDerivative, SpringElement, Turn, Wrench, node_rotation, plane_angle,
    plane_orientation, shape,
};

use crate::geometry::Quaternion;
use crate::kernel::Function;
use crate::mechanism::{Frame, Mechanism};
use crate::nlp::EvalFailure;

/// Least |P|² of interpolated orientations: neighbouring sections turned apart by nearly a full turn interpolate to
/// nothing.
const COHERENT: f64 = 0.05;

/// Coordinates of a node that are given.
#[derive(Debug, Clone)]
pub struct Prescribed {
    /// Name of the support.
    pub name: String,
    /// The node.
    pub node: usize,
    /// Displacement from the reference position, where it is given.
    pub displacement: [Option<Function>; 3],
    /// Rotation vector in space from the reference orientation, where it is given.
    pub rotation: Option<[Function; 3]>,
}

impl Prescribed {
    /// Whether it moves in time.
    pub fn moves(&self) -> bool {
        let rotation = self.rotation.iter().flatten();
        self.displacement.iter().flatten().chain(rotation).any(|function| !function.is_constant())
    }
}

/// A mechanism as nodes and elements.
#[derive(Debug, Clone)]
pub struct Assembly {
    /// Nodes.
    pub layout: Layout,
    /// Coordinates in the reference configuration.
    pub reference: Vec<f64>,
    /// Elements of the rods, rod by rod, then springs.
    pub elements: Vec<Element>,
    /// What moves with each node.
    pub masses: Vec<NodeMass>,
    /// m/s².
    pub gravity: Vector3<f64>,
    /// Known loads.
    pub loads: Vec<Load>,
    /// Forces of the fluid.
    pub drags: Vec<Drag>,
    /// Velocity of the current, m/s.
    pub current: [Function; 3],
    /// Actuators whose forces are known.
    pub drives: Vec<Drive>,
    /// Winches.
    pub winches: Vec<Winch>,
    /// Joints.
    pub constraints: Vec<Constraint>,
    /// Supports.
    pub prescribed: Vec<Prescribed>,
    /// Every section of every rod with its arc length.
    pub sections: Vec<Vec<(f64, Attachment)>>,
    /// The bodies.
    pub bodies: Vec<Attachment>,
    /// A name for every node.
    pub names: Vec<String>,
    /// Order of the elements of each rod.
    orders: Vec<usize>,
    /// Which degrees of freedom are given.
    pub fixed: Vec<bool>,
    /// Number of constraint equations.
    pub rows: usize,
    /// Equations of joints that follow from others and are left out, in the user's words.
    pub repeated: Vec<String>,
    /// By name of a load or support, or [`GRAVITY`]: its own factors where the common one is 0 and 1, unless these too are 0 and 1.
    pub growth: BTreeMap<String, [f64; 2]>,
    /// How the frame turns in which all this is stated; it rests unless set.
    pub turning: Option<TurningFrame>,
    /// Places of the blocks of each element.
    places: Vec<Vec<usize>>,
    /// Places of the (node, node) blocks.
    diagonal: Vec<usize>,
    pattern: Blocks,
}

/// Forces and stiffness of all degrees of freedom.
#[derive(Debug, Clone)]
pub struct Forces {
    /// Potential energy, joule.
    pub energy: f64,
    /// Its gradient.
    pub gradient: Vec<f64>,
    /// Minus the forces without potential.
    pub other: Vec<f64>,
    /// Symmetric second derivative of the potential, plus the derivative of `other`.
    pub stiffness: Blocks,
    local: Local,
}

/// Which part of the loads acts, and when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Instant {
    /// Time, second.
    pub t: f64,
    /// Factor of gravity, loads and support displacements.
    pub factor: f64,
}

/// What gravity is called among loads.
pub const GRAVITY: &str = "gravity";

impl Assembly {
    #[allow(clippy::too_many_arguments)]
    fn new(
        layout: Layout,
        reference: Vec<f64>,
        elements: Vec<Element>,
        masses: Vec<NodeMass>,
        gravity: Vector3<f64>,
        loads: Vec<Load>,
        constraints: Vec<Constraint>,
        prescribed: Vec<Prescribed>,
        sections: Vec<Vec<(f64, Attachment)>>,
        bodies: Vec<Attachment>,
        names: Vec<String>,
        orders: Vec<usize>,
    ) -> Self {
        let of_elements = elements.iter().map(|element| element.ends.iter().map(|end| end.node).collect());
        let of_joints = constraints.iter().map(|joint| joint.nodes().collect());
        let groups: Vec<Vec<usize>> = of_elements.chain(of_joints).collect();
        let pattern = Blocks::new(&layout, groups.iter().map(Vec::as_slice));
        let place = |row, col| pattern.find(row, col).unwrap_or_default();
        let places = elements
            .iter()
            .map(|element| {
                let nodes = || element.ends.iter().map(|end| end.node);
                nodes().flat_map(|col| nodes().map(move |row| (row, col))).map(|(row, col)| place(row, col)).collect()
            })
            .collect();
        let diagonal = (0..layout.nodes()).map(|node| place(node, node)).collect();
        let mut fixed = vec![false; layout.freedom_count()];
        for support in &prescribed {
            let (kind, dof) = (layout.kind(support.node), layout.freedom(support.node));
            for c in 0..kind.positions() {
                fixed[dof + c] |= support.displacement[c].is_some();
            }
            if support.rotation.is_some() {
                fixed[dof + kind.positions()..dof + kind.freedoms()].fill(true);
            }
        }
        let rows = constraints.iter().map(|joint| joint.rows.len()).sum();
        let mut assembly = Self {
            layout,
            reference,
            elements,
            masses,
            gravity,
            loads,
            drags: Vec::new(),
            current: std::array::from_fn(|_| Function::constant(0.0)),
            drives: Vec::new(),
            winches: Vec::new(),
            constraints,
            prescribed,
            sections,
            bodies,
            names,
            orders,
            fixed,
            rows,
            repeated: Vec::new(),
            growth: BTreeMap::new(),
            turning: None,
            places,
            diagonal,
            pattern,
        };
        assembly.repeated = assembly.leave_out_repeated();
        assembly
    }

    /// Adds a condition, as far as it does not follow from others.
    pub fn hold(&mut self, condition: Constraint) {
        self.constraints.push(condition);
        let repeated = self.leave_out_repeated();
        self.repeated.extend(repeated);
    }

    /// Where a frame is attached; the ground is not.
    pub fn frame(&self, frame: Frame) -> Option<Attachment> {
        match frame {
            Frame::Ground => None,
            Frame::Body(body) => self.bodies.get(body).copied(),
            Frame::Section { rod, boundary } => {
                let place = boundary * self.orders.get(rod)?;
                self.sections.get(rod)?.get(place).map(|(_, at)| *at)
            }
        }
    }

    /// A frame as a side of a joint.
    pub fn anchor_of(&self, frame: Frame) -> Anchor {
        match self.frame(frame) {
            Some(at) => Anchor::Node(at),
            None => Anchor::Ground(Vector3::zeros(), [None, None, None]),
        }
    }

    /// A point of the reference configuration on a frame.
    pub fn anchor(&self, frame: Frame, point: Vector3<f64>) -> Anchor {
        match self.frame(frame) {
            Some(at) => Anchor::at(at, &self.layout, &self.reference, point),
            None => Anchor::Ground(point, [None, None, None]),
        }
    }

    /// A vector of the reference configuration in the frame of a side.
    pub fn in_frame(&self, side: &Anchor, vector: Vector3<f64>) -> Vector3<f64> {
        side.in_frame(&self.layout, &self.reference, vector)
    }

    /// What the angle of a joint is, if it turns about an axis and both of its frames have an orientation.
    pub fn joint_angle(&self, mechanism: &Mechanism, joint: usize) -> Option<Constraint> {
        measures::angle(mechanism, joint, &self.sides(mechanism, joint), &self.layout, &self.reference)
    }

    /// What the travel of a joint is, if it slides along an axis.
    pub fn joint_travel(&self, mechanism: &Mechanism, joint: usize) -> Option<Constraint> {
        measures::travel(mechanism, joint, &self.sides(mechanism, joint), &self.layout, &self.reference)
    }

    fn sides(&self, mechanism: &Mechanism, joint: usize) -> [Anchor; 2] {
        mechanism.joints[joint].sides().map(|(frame, point)| self.anchor(frame, point))
    }

    /// What to tell of equations that are left out.
    pub fn repetition(&self) -> Option<String> {
        let repeated = (!self.repeated.is_empty()).then(|| self.repeated.join(", "))?;
        Some(format!(
            "redundant conditions are left out: {repeated}; the motion is the same, but how forces share out among these joints and supports cannot be known"
        ))
    }

    /// Buffers for forces.
    pub fn forces(&self) -> Forces {
        let zeros = || vec![0.0; self.layout.freedom_count()];
        Forces {
            energy: 0.0,
            gradient: zeros(),
            other: zeros(),
            stiffness: self.pattern.clone(),
            local: Local::default(),
        }
    }

    /// First value of the (node, node) block.
    pub fn diagonal_block(&self, node: usize) -> usize {
        self.diagonal[node]
    }

    /// Places of the blocks of an element, column by column.
    pub fn element_blocks(&self, element: usize) -> &[usize] {
        &self.places[element]
    }

    /// Potential, forces and (with [`Order::Hessian`]) stiffness at a configuration.
    ///
    /// `which` selects elements; weights, centrifugal forces and loads are added if `loads` holds their present values.
    #[allow(clippy::too_many_arguments)]
    pub fn evaluate(
        &self,
        q: &[f64],
        order: Order,
        which: impl Fn(&Element) -> bool,
        viscous: impl Fn(usize) -> Option<std::ops::Range<usize>>,
        viscous_stress: &[Vector6<f64>],
        loads: Option<(&[Wrench], f64)>,
        out: &mut Forces,
    ) -> Result<(), EvalFailure> {
        out.energy = 0.0;
        if order >= Order::Gradient {
            out.gradient.fill(0.0);
            out.other.fill(0.0);
        }
        if order >= Order::Hessian {
            out.stiffness.values.fill(0.0);
        }
        for (index, element) in self.elements.iter().enumerate().filter(|(_, element)| which(element)) {
            let stress = viscous(index).map(|range| &viscous_stress[range]);
            element.evaluate(&self.layout, q, stress, order, &mut out.local);
            if out.local.coherence < COHERENT {
                return Err(self.incoherent(element));
            }
            out.energy += out.local.energy;
            if order >= Order::Gradient {
                self.scatter(index, element, order, out);
            }
        }
        if let Some((wrenches, factor)) = loads {
            self.add_weights(q, order, factor, out);
            self.add_rope_weights(q, order, factor, out);
            self.add_kept(q, order, out);
            self.add_centrifugal(q, order, factor, out);
            for (load, wrench) in self.loads.iter().zip(wrenches) {
                out.energy += load.potential(&self.layout, q, wrench);
                if order == Order::Energy {
                    continue;
                }
                let size = self.layout.kind(load.at.node).freedoms();
                let start = self.diagonal[load.at.node];
                let block = (order == Order::Hessian).then(|| &mut out.stiffness.values[start..start + size * size]);
                load.add(&self.layout, q, wrench, &mut out.gradient, &mut out.other, block);
            }
            self.add_drives(q, order, &wrenches[self.loads.len()..], out);
        }
        if !out.energy.is_finite() || out.gradient.iter().any(|g| !g.is_finite()) {
            return Err(self.not_finite(q));
        }
        Ok(())
    }

    /// Strain energy of all elements, joule.
    pub fn strain_energy(&self, q: &[f64]) -> Result<f64, EvalFailure> {
        let mut local = Local::default();
        let mut sum = 0.0;
        for element in &self.elements {
            element.evaluate(&self.layout, q, None, Order::Energy, &mut local);
            if local.coherence < COHERENT {
                return Err(self.incoherent(element));
            }
            sum += local.energy;
        }
        if sum.is_finite() { Ok(sum) } else { Err(self.not_finite(q)) }
    }

    fn scatter(&self, index: usize, element: &Element, order: Order, out: &mut Forces) {
        let local = &out.local;
        let mut row = 0;
        for end in &element.ends {
            let size = self.layout.kind(end.node).freedoms();
            let dof = self.layout.freedom(end.node);
            for r in 0..size {
                out.gradient[dof + r] += local.gradient[row + r];
            }
            row += size;
        }
        if order < Order::Hessian {
            return;
        }
        let count = element.ends.len();
        let mut col = 0;
        for (j, col_end) in element.ends.iter().enumerate() {
            let cols = self.layout.kind(col_end.node).freedoms();
            let mut row = 0;
            for (i, row_end) in element.ends.iter().enumerate() {
                let rows = self.layout.kind(row_end.node).freedoms();
                let start = self.places[index][count * j + i];
                for c in 0..cols {
                    let from = row + local.size * (col + c);
                    let to = start + rows * c;
                    for r in 0..rows {
                        out.stiffness.values[to + r] += local.hessian[from + r];
                    }
                }
                row += rows;
            }
            col += cols;
        }
    }

    /// Weights as potential −m g·(x + R c).
    fn add_weights(&self, q: &[f64], order: Order, factor: f64, out: &mut Forces) {
        if self.gravity == Vector3::zeros() || factor == 0.0 {
            return;
        }
        for (node, mass) in self.masses.iter().enumerate().filter(|(_, mass)| mass.mass > 0.0) {
            let weight = self.gravity * (mass.mass * factor);
            let centred = mass.centre == Vector3::zeros();
            let kind = self.layout.kind(node);
            let dof = self.layout.freedom(node);
            if order >= Order::Gradient {
                for c in 0..kind.positions() {
                    out.gradient[dof + c] -= weight[c];
                }
            }
            if centred {
                out.energy -= weight.dot(&self.layout.position(q, node));
                continue;
            }
            let at = Attachment { node, offset: mass.centre, turn: Quaternion::IDENTITY, angle: 0.0, plain: false };
            out.energy -= weight.dot(&at.position(&self.layout, q));
            if order == Order::Energy {
                continue;
            }
            let pulled = at.position_derivative(&self.layout, q).tr_mul(&weight);
            for c in kind.positions()..kind.freedoms() {
                out.gradient[dof + c] -= pulled[c];
            }
            if order == Order::Hessian {
                let curvature = at.position_curvature(&self.layout, q, &-weight);
                let (size, first) = (kind.freedoms(), kind.positions());
                for c in first..size {
                    for r in first..size {
                        out.stiffness.values[self.diagonal[node] + r + size * c] += curvature[(r - first, c - first)];
                    }
                }
            }
        }
    }

    fn incoherent(&self, element: &Element) -> EvalFailure {
        let place = element.ends.first().map_or("the mechanism", |end| &self.names[end.node]);
        let reason = "neighbouring sections are turned apart too far; more elements are needed";
        EvalFailure { place: format!("near {place}"), reason: reason.into() }
    }

    /// The place where an element cannot be evaluated.
    fn not_finite(&self, q: &[f64]) -> EvalFailure {
        let mut local = Local::default();
        let bad = self.elements.iter().find(|element| {
            element.evaluate(&self.layout, q, None, Order::Gradient, &mut local);
            !local.energy.is_finite() || local.gradient.iter().any(|g| !g.is_finite())
        });
        let place = bad.and_then(|element| element.ends.first()).map_or("the mechanism", |end| &self.names[end.node]);
        EvalFailure { place: format!("near {place}"), reason: "forces are not finite".into() }
    }

    /// A degree of freedom in the user's words.
    pub fn freedom_name(&self, freedom: usize) -> String {
        let (node, which) = self.layout.node_of_freedom(freedom);
        if self.is_reel(node) {
            return format!("length of {}", self.names[node]);
        }
        format!("{} of {}", self.layout.kind(node).freedom_names()[which], self.names[node])
    }

    /// Largest distance between reference positions: the size of the mechanism, metre; 1 if all coincide.
    pub fn size(&self) -> f64 {
        let mut low = Vector3::repeat(f64::INFINITY);
        let mut high = -low;
        let points = (0..self.layout.nodes())
            .filter(|node| !self.is_reel(*node))
            .map(|node| self.layout.position(&self.reference, node))
            .chain(self.bodies.iter().map(|body| body.position(&self.layout, &self.reference)));
        for x in points {
            low = low.inf(&x);
            high = high.sup(&x);
        }
        let size = (high - low).norm();
        if size > 0.0 && size.is_finite() { size } else { 1.0 }
    }
}
