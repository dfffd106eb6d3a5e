//! An element between the nodes of a mechanism: a piece of a rod, or a spring.

use nalgebra::{Matrix6, SMatrix, Vector2, Vector3, Vector6};

use super::attachment::{Attachment, space_attachment};
use super::hot::plane_rod::{PlaneEnd, PlaneRod};
use super::hot::space_rod::{SpaceEnd, SpaceRod};
use super::hot::string_rod::StringElement;
use super::layout::Layout;
use super::local::{Local, Order};
use super::nodes::Nodes;
use super::reeved::{Curvature, ReevedElement, Slope};
use super::shape::MAX_NODES;
use super::spring::SpringElement;
use super::strain;
use crate::geometry::Quaternion;
use crate::kernel::FormulaScalar;
use crate::material::{AxialLaw, RodLaw, SpringLaw};
use crate::scalar::Scalar;

/// What the element is made of.
#[derive(Debug, Clone)]
pub enum Fabric {
    /// Rod in space.
    Space(SpaceRod),
    /// Rod in the plane.
    Plane(PlaneRod),
    /// String.
    String(StringElement),
    /// Rope of changing length; its third node holds the length paid out.
    Reeved(Box<ReevedElement>),
    /// Spring or damper between two frames.
    Spring(Box<SpringElement>),
}

/// An element of a rod, or a spring.
#[derive(Debug, Clone)]
pub struct Element {
    /// Place of its rod in the structure; a spring has none.
    pub rod: Option<usize>,
    /// Arc length of its middle, metre.
    pub middle: f64,
    /// Where its nodes are attached.
    pub ends: Vec<Attachment>,
    /// What it is made of.
    pub fabric: Fabric,
    /// Whether it is damped.
    pub damped: bool,
    /// Whether its forces act at the instants (trapezoidal rule in time), not between them.
    pub at_instants: bool,
}

impl Element {
    /// Degrees of freedom of its nodes together.
    pub fn freedoms(&self, layout: &Layout) -> usize {
        self.ends.iter().map(|end| layout.kind(end.node).freedoms()).sum()
    }

    /// Number of points at which stresses are evaluated.
    pub fn points(&self) -> usize {
        match &self.fabric {
            Fabric::Space(rod) => rod.points.len(),
            Fabric::Plane(rod) => rod.points.len(),
            Fabric::String(_) | Fabric::Reeved(_) | Fabric::Spring(_) => 1,
        }
    }

    #[inline]
    fn space_ends(&self, layout: &Layout, q: &[f64]) -> [SpaceEnd; MAX_NODES] {
        let mut ends = [SpaceEnd { position: Vector3::zeros(), orientation: Quaternion::IDENTITY }; MAX_NODES];
        for (slot, end) in ends.iter_mut().zip(&self.ends) {
            let orientation = layout.orientation(q, end.node).normalised();
            *slot = if end.plain {
                SpaceEnd { position: layout.position(q, end.node), orientation }
            } else {
                let position = layout.position(q, end.node) + orientation.rotate(end.offset);
                SpaceEnd { position, orientation: orientation * end.turn }
            };
        }
        ends
    }

    #[inline]
    fn plane_ends(&self, layout: &Layout, q: &[f64]) -> [PlaneEnd; MAX_NODES] {
        let mut ends = [PlaneEnd { position: Vector2::zeros(), angle: 0.0 }; MAX_NODES];
        for (slot, end) in ends.iter_mut().zip(&self.ends) {
            let position = end.position(layout, q);
            *slot = PlaneEnd { position: position.xy(), angle: layout.angle(q, end.node) + end.angle };
        }
        ends
    }

    /// Where its first two nodes are.
    pub fn string_ends(&self, layout: &Layout, q: &[f64]) -> [Vector3<f64>; 2] {
        [self.ends[0].position(layout, q), self.ends[1].position(layout, q)]
    }

    /// w of a rope of changing length, metre: the first coordinate of its third node.
    pub fn paid_out(&self, layout: &Layout, q: &[f64]) -> f64 {
        self.ends.get(2).map_or(0.0, |reel| q[layout.coordinate(reel.node)])
    }

    /// Strain at a point, not counting the unstressed one, over any scalar; of a string its stretch, third, of a spring what it
    /// measures.
    pub fn strain_over<T: Scalar>(&self, nodes: &Nodes<'_, T>, point: usize) -> [T; 6] {
        match &self.fabric {
            Fabric::Space(rod) => {
                let ends: Vec<_> = self.ends.iter().map(|end| (nodes.point(end), nodes.turn(end))).collect();
                strain::in_space(&rod.points[point], rod.geodesic, &ends)
            }
            Fabric::Plane(rod) => {
                let ends: Vec<_> = self.ends.iter().map(|end| (nodes.point(end), nodes.angle_of(end))).collect();
                strain::in_plane(&rod.points[point], &ends)
            }
            Fabric::String(string) => strain::of_string(string.length, [0, 1].map(|i| nodes.point(&self.ends[i]))),
            Fabric::Reeved(rope) => {
                let stretch = rope.stretch_over([0, 1].map(|i| nodes.point(&self.ends[i])), self.paid_out_over(nodes));
                let zero = nodes.number(0.0);
                [zero, zero, stretch - 1.0, zero, zero, zero]
            }
            Fabric::Spring(spring) => {
                let measured = |i: usize| spring.measure.value_over(nodes, nodes.zero(), i);
                std::array::from_fn(|i| if i < spring.measures() { measured(i) } else { nodes.number(0.0) })
            }
        }
    }

    fn paid_out_over<T: Scalar>(&self, nodes: &Nodes<'_, T>) -> T {
        self.ends.get(2).map_or_else(|| nodes.number(0.0), |reel| nodes.position(reel.node)[0])
    }

    /// Strain of the unstressed state at a point.
    pub fn rest(&self, point: usize) -> Vector6<f64> {
        match &self.fabric {
            Fabric::Space(SpaceRod { points, .. }) | Fabric::Plane(PlaneRod { points, .. }) => points[point].rest,
            Fabric::String(StringElement { rest, .. }) => Vector6::new(0.0, 0.0, rest - 1.0, 0.0, 0.0, 0.0),
            Fabric::Reeved(rope) => Vector6::new(0.0, 0.0, rope.rest - 1.0, 0.0, 0.0, 0.0),
            Fabric::Spring(spring) => spring.rest,
        }
    }

    /// Leaves a share of what is stressed in a configuration: the unstressed strains go from those of it (0) to the own ones (1).
    pub fn grow(&mut self, layout: &Layout, q: &[f64], share: f64) {
        for point in 0..self.points() {
            let rest = self.strain(layout, q, point) * (1.0 - share) + self.rest(point) * share;
            match &mut self.fabric {
                Fabric::Space(SpaceRod { points, .. }) | Fabric::Plane(PlaneRod { points, .. }) => {
                    points[point].rest = rest;
                }
                Fabric::String(string) => string.rest = rest[2] + 1.0,
                Fabric::Reeved(rope) => rope.rest = rest[2] + 1.0,
                Fabric::Spring(spring) => spring.rest = rest,
            }
        }
    }

    /// Replaces the stiffness and the unstressed strain at a point; what follows is linear.
    pub fn replace_stiffness(&mut self, point: usize, stiffness: &Matrix6<f64>, rest: &Vector6<f64>) {
        match &mut self.fabric {
            Fabric::Space(SpaceRod { points, .. }) | Fabric::Plane(PlaneRod { points, .. }) => {
                points[point].stiffness = *stiffness;
                points[point].rest = *rest;
            }
            Fabric::String(string) => (string.axial, string.rest) = (stiffness[(2, 2)], rest[2] + 1.0),
            Fabric::Reeved(rope) => (rope.axial, rope.rest) = (stiffness[(2, 2)], rest[2] + 1.0),
            Fabric::Spring(spring) => {
                (spring.stiffness, spring.rest, spring.law) = (*stiffness, *rest, SpringLaw::Linear);
            }
        }
    }

    /// Whether stresses are linear in the strains.
    pub fn is_linear(&self) -> bool {
        match &self.fabric {
            Fabric::Spring(spring) => matches!(spring.law, SpringLaw::Linear),
            _ => self.law().is_linear(),
        }
    }

    /// Stiffness at a point, of a string in the place of its only strain; of a spring if it is linear.
    pub fn stiffness(&self, point: usize) -> Matrix6<f64> {
        let only = |place: usize, value: f64| {
            let mut matrix = Matrix6::zeros();
            matrix[(place, place)] = value;
            matrix
        };
        match &self.fabric {
            Fabric::Space(SpaceRod { points, .. }) | Fabric::Plane(PlaneRod { points, .. }) => points[point].stiffness,
            Fabric::String(string) => only(2, string.axial),
            Fabric::Reeved(rope) => only(2, rope.axial),
            Fabric::Spring(spring) => spring.stiffness,
        }
    }

    /// How stresses follow from strains.
    pub fn law(&self) -> RodLaw {
        match &self.fabric {
            Fabric::Space(SpaceRod { law, .. }) | Fabric::Plane(PlaneRod { law, .. }) => *law,
            Fabric::String(StringElement { law, .. }) => RodLaw { axial: *law, ..RodLaw::default() },
            Fabric::Reeved(rope) => RodLaw { axial: rope.law, ..RodLaw::default() },
            Fabric::Spring(_) => RodLaw::default(),
        }
    }

    /// Stored energy over any scalar, joule. A spring stated by its force has none; its force acts among those without potential.
    pub fn energy_over<T: FormulaScalar>(&self, nodes: &Nodes<'_, T>) -> T {
        if let Fabric::Spring(spring) = &self.fabric {
            let strain = self.strain_over(nodes, 0);
            let elongations: [T; 6] = std::array::from_fn(|i| strain[i] - spring.rest[i]);
            return spring.energy_over(&elongations).unwrap_or_else(|| nodes.number(0.0));
        }
        if let Fabric::Reeved(rope) = &self.fabric {
            return rope.energy_over([0, 1].map(|i| nodes.point(&self.ends[i])), self.paid_out_over(nodes));
        }
        let law = self.law();
        let mut energy = nodes.number(0.0);
        for point in 0..self.points() {
            let (strain, rest) = (self.strain_over(nodes, point), self.rest(point));
            let elastic: [T; 6] = std::array::from_fn(|i| strain[i] - rest[i]);
            energy = energy + law.energy(&self.stiffness(point), &elastic) * self.weight(point);
        }
        energy
    }

    /// Strain at a point, not counting the unstressed one; of a string its stretch, third.
    pub fn strain(&self, layout: &Layout, q: &[f64], point: usize) -> Vector6<f64> {
        match &self.fabric {
            Fabric::Space(rod) => rod.strain(point, &self.space_ends(layout, q)[..rod.nodes]),
            Fabric::Plane(rod) => rod.strain(point, &self.plane_ends(layout, q)[..rod.nodes]),
            Fabric::String(string) => {
                Vector6::new(0.0, 0.0, string.stretch(self.string_ends(layout, q)) - 1.0, 0.0, 0.0, 0.0)
            }
            Fabric::Reeved(_) => Vector6::from(self.strain_over(&Nodes { layout, q }, point)),
            Fabric::Spring(spring) => spring.value(layout, q),
        }
    }

    /// Stress (n, m) in the section at a point.
    pub fn stress(&self, layout: &Layout, q: &[f64], point: usize) -> Vector6<f64> {
        let strain = self.strain(layout, q, point);
        match &self.fabric {
            Fabric::Space(SpaceRod { law, points, .. }) | Fabric::Plane(PlaneRod { law, points, .. }) => {
                let point = &points[point];
                law.stresses(&point.stiffness, &(strain - point.rest)).stress
            }
            Fabric::String(StringElement { law, axial, rest, .. }) => {
                Vector6::new(0.0, 0.0, law.force(*axial, 2.0 + strain[2] - rest), 0.0, 0.0, 0.0)
            }
            Fabric::Reeved(rope) => {
                let force = rope.law.force(rope.axial, 2.0 + strain[2] - rope.rest);
                Vector6::new(0.0, 0.0, force, 0.0, 0.0, 0.0)
            }
            Fabric::Spring(spring) => spring.elastic(&(strain - spring.rest)).force,
        }
    }

    /// Viscous stress at a point, from strain and rate of strain.
    pub fn viscous(&self, point: usize, strain: &Vector6<f64>, rate: &Vector6<f64>) -> Vector6<f64> {
        match &self.fabric {
            Fabric::Spring(spring) => spring.viscous(&(strain - spring.rest), rate),
            _ => self.damping(point) * rate,
        }
    }

    /// Derivatives of the viscous stress by strain, where it depends on it, and by the rate of strain.
    pub fn viscous_slopes(
        &self,
        point: usize,
        strain: &Vector6<f64>,
        rate: &Vector6<f64>,
    ) -> (Option<Matrix6<f64>>, Matrix6<f64>) {
        match &self.fabric {
            Fabric::Spring(spring) => {
                let [by_strain, by_rate] = spring.viscous_slopes(&(strain - spring.rest), rate);
                (Some(by_strain).filter(|slope| *slope != Matrix6::zeros()), by_rate)
            }
            _ => (None, self.damping(point)),
        }
    }

    /// Damping matrix at a point; of a spring if it is linear.
    pub fn damping(&self, point: usize) -> Matrix6<f64> {
        match &self.fabric {
            Fabric::Space(SpaceRod { points, .. }) | Fabric::Plane(PlaneRod { points, .. }) => points[point].damping,
            Fabric::String(string) => Matrix6::from_diagonal(&Vector6::new(0.0, 0.0, string.damping, 0.0, 0.0, 0.0)),
            Fabric::Reeved(_) => Matrix6::zeros(),
            Fabric::Spring(spring) => spring.damping,
        }
    }

    /// Weight times length of a point, metre, in the reference configuration; 1 of a spring.
    pub fn weight(&self, point: usize) -> f64 {
        match &self.fabric {
            Fabric::Space(SpaceRod { points, .. }) | Fabric::Plane(PlaneRod { points, .. }) => points[point].weight,
            Fabric::String(string) => string.length,
            Fabric::Reeved(rope) => rope.length_over(0.0),
            Fabric::Spring(_) => 1.0,
        }
    }

    /// ∂strain/∂(degrees of freedom of each node) at a point.
    pub fn strain_matrices(&self, layout: &Layout, q: &[f64], point: usize, out: &mut [Matrix6<f64>; MAX_NODES]) {
        match &self.fabric {
            Fabric::Space(rod) => {
                rod.strain_matrices(point, &self.space_ends(layout, q)[..rod.nodes], out);
                for (b, end) in out.iter_mut().zip(&self.ends).filter(|(_, end)| !end.plain) {
                    *b *= space_attachment(end, layout, q);
                }
            }
            Fabric::Plane(rod) => {
                rod.strain_matrices(point, &self.plane_ends(layout, q)[..rod.nodes], out);
                for (b, end) in out.iter_mut().zip(&self.ends).filter(|(_, end)| !end.plain) {
                    let t = plane_attachment(end, layout, q);
                    let old = b.fixed_view::<6, 3>(0, 0).into_owned();
                    b.fixed_view_mut::<6, 3>(0, 0).copy_from(&(old * t));
                }
            }
            Fabric::String(string) => {
                let direction = string.direction(self.string_ends(layout, q));
                for (i, end) in self.ends.iter().enumerate() {
                    let row = direction.transpose() * end.position_derivative(layout, q);
                    out[i].fill(0.0);
                    for c in 0..6 {
                        out[i][(2, c)] = if i == 0 { -row[c] } else { row[c] };
                    }
                }
            }
            Fabric::Reeved(rope) => {
                // ν = |x₁ − x₀|/λ: its slopes are those of the energy over the force.
                let (ends, w) = (self.string_ends(layout, q), self.paid_out(layout, q));
                let (length, chord) = (rope.length_over(w), ends[1] - ends[0]);
                let unit = chord / (chord.norm() * length);
                let by_length = -chord.norm() / (length * length) * (rope.length_over(1.0) - rope.length_over(0.0));
                out.iter_mut().take(3).for_each(|matrix| matrix.fill(0.0));
                for c in 0..layout.kind(self.ends[0].node).positions() {
                    (out[0][(2, c)], out[1][(2, c)]) = (-unit[c], unit[c]);
                }
                out[2][(2, 0)] = by_length;
            }
            Fabric::Spring(spring) => spring.strain_matrices(layout, q, out),
        }
    }

    /// Energy, gradient and Hessian in the degrees of freedom of its nodes.
    pub fn evaluate(
        &self,
        layout: &Layout,
        q: &[f64],
        viscous: Option<&[Vector6<f64>]>,
        order: Order,
        out: &mut Local,
    ) {
        match &self.fabric {
            Fabric::Space(rod) => {
                out.reset(6 * rod.nodes, order);
                rod.evaluate(&self.space_ends(layout, q)[..rod.nodes], viscous, order, out);
                if order == Order::Energy {
                    return;
                }
                for (i, end) in self.ends.iter().enumerate().filter(|(_, end)| !end.plain) {
                    let force = Vector3::from_column_slice(&out.gradient[6 * i..6 * i + 3]);
                    out.transform(6 * i, &space_attachment(end, layout, q));
                    if order == Order::Hessian {
                        out.add_block(6 * i + 3, 6 * i + 3, &end.position_curvature(layout, q, &force));
                    }
                }
            }
            Fabric::Plane(rod) => {
                out.reset(3 * rod.nodes, order);
                rod.evaluate(&self.plane_ends(layout, q)[..rod.nodes], viscous, order, out);
                if order == Order::Energy {
                    return;
                }
                for (i, end) in self.ends.iter().enumerate().filter(|(_, end)| !end.plain) {
                    let force = Vector3::new(out.gradient[3 * i], out.gradient[3 * i + 1], 0.0);
                    out.transform(3 * i, &plane_attachment(end, layout, q));
                    if order == Order::Hessian {
                        out.add(3 * i + 2, 3 * i + 2, end.position_curvature(layout, q, &force)[(0, 0)]);
                    }
                }
            }
            Fabric::String(string) => self.evaluate_string(string, layout, q, viscous, order, out),
            Fabric::Reeved(rope) => {
                out.reset(self.freedoms(layout), order);
                let (energy, slope, curvature) =
                    rope.elastic(self.string_ends(layout, q), self.paid_out(layout, q), order);
                out.energy = energy;
                self.spread(layout, order, &slope, &curvature, out);
            }
            Fabric::Spring(spring) => {
                let viscous = viscous.map_or_else(Vector6::zeros, |stress| stress[0]);
                spring.evaluate(layout, q, viscous, order, out);
            }
        }
    }

    /// Adds derivatives by (x₀, x₁, w) of a rope of changing length; its nodes are points.
    pub fn spread(&self, layout: &Layout, order: Order, slope: &Slope, curvature: &Curvature, out: &mut Local) {
        let size = layout.kind(self.ends[0].node).freedoms();
        let place = |i: usize| if i == 6 { 2 * size } else { i / 3 * size + i % 3 };
        let counts = |i: &usize| *i == 6 || i % 3 < size;
        for i in (0..7).filter(counts).filter(|_| order >= Order::Gradient) {
            out.gradient[place(i)] += slope[i];
            for j in (0..7).filter(counts).filter(|_| order == Order::Hessian) {
                out.add(place(i), place(j), curvature[(i, j)]);
            }
        }
    }

    fn evaluate_string(
        &self,
        string: &StringElement,
        layout: &Layout,
        q: &[f64],
        viscous: Option<&[Vector6<f64>]>,
        order: Order,
        out: &mut Local,
    ) {
        let viscous = viscous.map_or(0.0, |stress| stress[0][2]);
        let pull = string.evaluate(self.string_ends(layout, q), viscous, order);
        out.reset(self.freedoms(layout), order);
        out.energy = pull.energy;
        if order == Order::Energy {
            return;
        }
        let derivatives: [SMatrix<f64, 3, 6>; 2] = [0, 1].map(|i| self.ends[i].position_derivative(layout, q));
        let sizes = [0, 1].map(|i| layout.kind(self.ends[i].node).freedoms());
        let starts = [0, sizes[0]];
        let signs = [-1.0, 1.0];
        for i in 0..2 {
            let force = pull.force * signs[i];
            let pulled = derivatives[i].tr_mul(&force);
            for r in 0..sizes[i] {
                out.gradient[starts[i] + r] += pulled[r];
            }
            if order < Order::Hessian {
                continue;
            }
            let curvature = self.ends[i].position_curvature(layout, q, &force);
            let turns = sizes[i] - layout.kind(self.ends[i].node).positions();
            let first = starts[i] + layout.kind(self.ends[i].node).positions();
            for r in 0..turns {
                for c in 0..turns {
                    out.add(first + r, first + c, curvature[(r, c)]);
                }
            }
            for j in 0..2 {
                let block = derivatives[i].tr_mul(&(pull.stiffness * derivatives[j])) * (signs[i] * signs[j]);
                for r in 0..sizes[i] {
                    for c in 0..sizes[j] {
                        out.add(starts[i] + r, starts[j] + c, block[(r, c)]);
                    }
                }
            }
        }
    }
}

/// (δy, δθ of the section) = T (δx, δθ of the node).
#[inline]
fn plane_attachment(end: &Attachment, layout: &Layout, q: &[f64]) -> nalgebra::Matrix3<f64> {
    let mut t = nalgebra::Matrix3::identity();
    let arm = end.position_derivative(layout, q);
    t[(0, 2)] = arm[(0, 2)];
    t[(1, 2)] = arm[(1, 2)];
    t
}
