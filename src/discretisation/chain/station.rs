//! What moves rigidly with a section: one body, loads, and springs to the ground.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::{Couple, Leg};
use crate::discretisation::assembly::{Assembly, Attachment, Fabric, NodeKind, SpringElement};
use crate::discretisation::march::space::turning::momentum;
use crate::geometry::{Pose, PoseJet};
use crate::mechanism::{BadFunction, Frame, Mechanism};
use crate::terms::{MovingNodes, Nodes, plane_angle, write_rates};

/// A moving section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moving {
    /// Where it is.
    pub pose: Pose,
    /// Velocity, m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity in space, rad/s.
    pub spin: Vector3<f64>,
}

impl Moving {
    /// A section at rest.
    pub fn resting(pose: Pose) -> Self {
        Self { pose, velocity: Vector3::zeros(), spin: Vector3::zeros() }
    }
}

/// Everything that moves with a section.
#[derive(Debug, Clone)]
pub struct Station {
    /// The section on its node.
    at: Attachment,
    /// Mass, kg.
    mass: f64,
    /// Mass centre from the section, in its frame, metre.
    arm: Vector3<f64>,
    /// Inertia about the mass centre in the frame of the section, kg m².
    inertia: Matrix3<f64>,
    /// Places in [`Assembly::loads`].
    loads: Vec<usize>,
    springs: Vec<SpringElement>,
    /// Places in [`Assembly::drags`].
    drags: Vec<usize>,
}

/// The stations of all sections of a chain; none where nothing is attached.
pub(super) fn along(mechanism: &Mechanism, legs: &[Leg], bare: &Assembly) -> Vec<Option<Station>> {
    let mut stations = Vec::new();
    let mut on_nodes = on_nodes(bare);
    for leg in legs {
        let elements = mechanism.rods[leg.rod].elements;
        let mut of_leg = vec![None; elements + 1];
        // In the order of the march: what is on a junction belongs to the rod before it.
        for step in 0..=elements {
            let boundary = leg.boundary(step, elements);
            let Some(at) = bare.frame(Frame::Section { rod: leg.rod, boundary }) else { continue };
            if let Some(found) = on_nodes[at.node].take() {
                of_leg[boundary] = Station::new(bare, at, found);
            }
        }
        stations.extend(of_leg);
    }
    stations
}

/// Loads, by their place in [`Assembly::loads`], springs, and drag, by its place in [`Assembly::drags`], of one node.
type Acting = (Vec<usize>, Vec<SpringElement>, Vec<usize>);

/// What acts on each node alone; springs to other nodes belong to branches.
fn on_nodes(bare: &Assembly) -> Vec<Option<Acting>> {
    let mut out: Vec<Acting> = vec![Acting::default(); bare.layout.nodes()];
    for (place, load) in bare.loads.iter().enumerate() {
        out[load.at.node].0.push(place);
    }
    for (place, drag) in bare.drags.iter().enumerate() {
        out[drag.at.node].2.push(place);
    }
    for element in &bare.elements {
        let (Fabric::Spring(spring), Some(end)) = (&element.fabric, element.ends.first()) else { continue };
        if element.ends.iter().all(|other| other.node == end.node) {
            out[end.node].1.push((**spring).clone());
        }
    }
    out.into_iter().map(Some).collect()
}

/// Force of a spring from its elongations and their rates.
type SpringForce<'a> = dyn Fn(&SpringElement, &Vector6<f64>, &Vector6<f64>) -> Vector6<f64> + 'a;

impl Station {
    fn new(bare: &Assembly, at: Attachment, (loads, springs, drags): Acting) -> Option<Self> {
        let body = &bare.masses[at.node];
        let idle = loads.is_empty() && springs.is_empty() && drags.is_empty();
        if body.mass == 0.0 && body.inertia == Matrix3::zeros() && idle {
            return None;
        }
        let away = body.centre - at.offset;
        let (arm, inertia) = match bare.layout.kind(at.node) {
            NodeKind::SpaceFrame => {
                let turn = at.turn.matrix();
                (turn.tr_mul(&away), turn.transpose() * body.inertia * turn)
            }
            NodeKind::PlaneFrame => {
                // Axes of a plane node, (first, second, normal), are the directors (d₃, d₁, d₂) of the section.
                let (sin, cos) = at.angle.sin_cos();
                let (along, across) = (cos * away[0] + sin * away[1], cos * away[1] - sin * away[0]);
                let about = Vector3::new(0.0, body.inertia[(2, 2)], 0.0);
                (Vector3::new(across, 0.0, along), Matrix3::from_diagonal(&about))
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => (away, Matrix3::zeros()),
        };
        Some(Self { at, mass: body.mass, arm, inertia, loads, springs, drags })
    }

    /// Whether it has mass.
    pub fn is_heavy(&self) -> bool {
        self.mass != 0.0 || self.inertia != Matrix3::zeros()
    }

    /// What the body needs to move with the section: m a and J ω̇ + ω × Jω, about the section.
    pub fn inertia(&self, section: &PoseJet) -> Couple {
        let mut out = Couple::default();
        let p = section.pose.orientation;
        let arm = p.rotate(self.arm);
        let times = |v: Vector3<f64>| p.rotate(self.inertia * p.to_material(v));
        let torque = times(section.spin_rate) + section.spin.cross(&times(section.spin));
        out.add(section.acceleration_at(arm) * self.mass, arm, torque);
        out
    }

    /// The same to go through three poses in steps of `dt`: the second difference of the mass centre, and the difference of
    /// angular momenta.
    pub fn inertia_of_steps(&self, [before, here, after]: [Pose; 3], dt: f64) -> Couple {
        let per_dt = 1.0 / dt;
        let second = before.point(self.arm) - here.point(self.arm) * 2.0 + after.point(self.arm);
        let spin = |a: &Pose, b: &Pose| momentum(a.orientation, b.orientation, &self.inertia, per_dt);
        let rate = (spin(&here, &after) - spin(&before, &here)) * per_dt;
        let mut out = Couple::default();
        out.add(second * (self.mass * per_dt * per_dt), here.orientation.rotate(self.arm), rate);
        out
    }

    /// Loads, drag, weight and springs, about the section.
    pub(super) fn known(
        &self,
        bare: &Assembly,
        gravity: Vector3<f64>,
        t: f64,
        moving: &Moving,
    ) -> Result<Couple, BadFunction> {
        let mut out = self.loads(bare, t, moving)?;
        self.add_drag(bare, t, moving, &mut out)?;
        out.add(gravity * self.mass, moving.pose.orientation.rotate(self.arm), Vector3::zeros());
        let pulled = self.pulled(bare, moving, &|spring, x, v| spring.elastic(x).force + spring.viscous(x, v));
        out.add(pulled.force, Vector3::zeros(), pulled.torque);
        Ok(out)
    }

    /// Loads, drag and dampers: what has no potential.
    pub(super) fn without_potential(&self, bare: &Assembly, t: f64, moving: &Moving) -> Result<Couple, BadFunction> {
        let mut out = self.loads(bare, t, moving)?;
        self.add_drag(bare, t, moving, &mut out)?;
        let pulled = self.pulled(bare, moving, &|spring, x, v| spring.viscous(x, v));
        out.add(pulled.force, Vector3::zeros(), pulled.torque);
        Ok(out)
    }

    /// Loads alone.
    pub(super) fn loads(&self, bare: &Assembly, t: f64, moving: &Moving) -> Result<Couple, BadFunction> {
        if self.loads.is_empty() {
            return Ok(Couple::default());
        }
        let (q, _) = self.place(bare, &moving.pose);
        let layout = &bare.layout;
        let count = layout.freedom_count();
        let (mut gradient, mut other) = (vec![0.0; count], vec![0.0; count]);
        for load in self.loads.iter().map(|load| &bare.loads[*load]) {
            let wrench = load.wrench(t).map_err(|error| BadFunction { coordinate: 0, is_load: true, error })?;
            load.add(layout, &q, &wrench, &mut gradient, &mut other, None);
        }
        let first = layout.freedom(self.at.node);
        let freedoms = layout.kind(self.at.node).freedoms();
        let mut forces = Vector6::zeros();
        (0..freedoms).for_each(|c| forces[c] = -gradient[first + c] - other[first + c]);
        Ok(self.about_section(bare, &q, &forces))
    }

    /// Springs: −f(m − m₀, ṁ) ∂m with their force f.
    fn pulled(&self, bare: &Assembly, moving: &Moving, force: &SpringForce<'_>) -> Couple {
        if self.springs.is_empty() {
            return Couple::default();
        }
        let (q, arm) = self.place(bare, &moving.pose);
        let layout = &bare.layout;
        let rates = self.rates(bare, &q, &arm, moving);
        let mut forces = Vector6::zeros();
        for spring in &self.springs {
            let own = |side: &usize| spring.measure.sides[*side].node() == Some(self.at.node);
            // Columns ∂m_i.
            let mut slopes = Matrix6::zeros();
            for i in 0..spring.measures() {
                let slope = spring.measure.derivative(layout, &q, i);
                let sum = (0..2).filter(own).map(|side| slope[side].transpose()).sum::<Vector6<f64>>();
                slopes.set_column(i, &sum);
            }
            forces -= slopes * force(spring, &(spring.value(layout, &q) - spring.rest), &slopes.tr_mul(&rates));
        }
        self.about_section(bare, &q, &forces)
    }

    /// Velocity (ẋ, Ω or θ̇) of the node, from which `arm` leads to the section.
    fn rates(&self, bare: &Assembly, q: &[f64], arm: &Vector3<f64>, moving: &Moving) -> Vector6<f64> {
        let layout = &bare.layout;
        let velocity = moving.velocity - moving.spin.cross(arm);
        let mut rates = Vector6::zeros();
        let kind = layout.kind(self.at.node);
        (0..kind.positions()).for_each(|c| rates[c] = velocity[c]);
        match kind {
            NodeKind::SpaceFrame => {
                let spin = layout.orientation(q, self.at.node).to_material(moving.spin);
                rates.fixed_rows_mut::<3>(3).copy_from(&spin);
            }
            NodeKind::PlaneFrame => rates[2] = moving.spin[2],
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
        rates
    }

    /// Adds the forces of the fluid.
    fn add_drag(&self, bare: &Assembly, t: f64, moving: &Moving, out: &mut Couple) -> Result<(), BadFunction> {
        if self.drags.is_empty() {
            return Ok(());
        }
        let bad = |error| BadFunction { coordinate: 0, is_load: true, error };
        let mut current = Vector3::zeros();
        for (out, component) in current.iter_mut().zip(&bare.current) {
            *out = component.value(t).map_err(bad)?;
        }
        let (q, arm) = self.place(bare, &moving.pose);
        let layout = &bare.layout;
        let (mut rates, mut list) = (vec![0.0; q.len()], vec![0.0; layout.freedom_count()]);
        let velocity = self.rates(bare, &q, &arm, moving);
        write_rates(layout, self.at.node, &q, velocity.as_slice(), &mut rates);
        let moving = MovingNodes { nodes: Nodes { layout, q: &q }, v: &rates };
        self.drags.iter().for_each(|drag| bare.drags[*drag].add(&moving, &current, 1.0, &mut list));
        let (first, freedoms) = (layout.freedom(self.at.node), layout.kind(self.at.node).freedoms());
        let forces = Vector6::from_fn(|c, _| if c < freedoms { list[first + c] } else { 0.0 });
        let found = self.about_section(bare, &q, &forces);
        out.add(found.force, Vector3::zeros(), found.torque);
        Ok(())
    }

    /// Coordinates with the section at a pose, and the vector from its node to it.
    fn place(&self, bare: &Assembly, pose: &Pose) -> (Vec<f64>, Vector3<f64>) {
        let mut q = bare.reference.clone();
        let angle = match bare.layout.kind(self.at.node) {
            NodeKind::PlaneFrame => plane_angle(pose.orientation, 0.0),
            _ => 0.0,
        };
        let arm = self.at.place(&bare.layout, pose, angle, &mut q);
        (q, arm)
    }

    /// Forces on the degrees of freedom of the node as force and torque about the section.
    fn about_section(&self, bare: &Assembly, q: &[f64], forces: &Vector6<f64>) -> Couple {
        let wrench = self.at.wrench_of(&bare.layout, q, forces);
        Couple { force: wrench.force, torque: wrench.torque }
    }
}
