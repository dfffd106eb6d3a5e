//! Forces and torques on frames as generalised forces of the coordinates.
//!
//! A force F at ρ of a node and a torque τ, both in space, do the work F·(v + R(Ω × ρ)) + τ·RΩ per time. So the position gets
//! F, the angle of a plane node (RᵀF at ρ and τ) about z, and a quaternion, with m = ρ × RᵀF + Rᵀτ, 2 p ∘ (0; m).

use super::Multibody;
use super::algebra::{Vector, constant, cross, dot, imaginary, relative, scale, sub, times, times_imaginary};
use super::nodes::Placed;
use super::view::View;
use crate::kernel::Function;
use crate::models::machine::Component;
use crate::nlp::graph::Expr;
use nalgebra::Vector3;

/// A known load.
#[derive(Debug, Clone)]
pub(super) struct Load {
    pub at: Placed,
    pub force: [Function; 3],
    pub torque: [Function; 3],
    pub follows: bool,
}

/// What pulls at two frames against each other.
#[derive(Debug, Clone)]
pub(super) struct Pull {
    pub measure: Measure,
    pub stiffness: f64,
    pub damping: f64,
    /// Measure without force.
    pub rest: f64,
}

/// A distance or an angle of two frames.
#[derive(Debug, Clone, Copy)]
pub(super) enum Measure {
    /// Distance of two points.
    Distance(Placed, Placed),
    /// Way of the second frame along an axis of the first.
    Way(Placed, Placed, Vector3<f64>),
    /// Angle of the second frame about an axis of the first, both parallel in the reference configuration.
    Angle(Placed, Placed, Vector3<f64>),
}

impl Measure {
    pub fn value<'g>(&self, view: &View<'_, 'g>) -> Expr<'g> {
        match self {
            Measure::Distance(a, b) => {
                let between = sub(view.point(b), view.point(a));
                dot(between, between).sqrt()
            }
            Measure::Way(a, b, axis) => dot(sub(view.point(b), view.point(a)), view.direction(a, *axis)),
            Measure::Angle(a, b, _) if view.body.dimension == 2 => {
                view.angle(b) - view.angle(a) - (b.angle_now(view.body) - a.angle_now(view.body))
            }
            Measure::Angle(a, b, axis) => {
                let between = relative(view.turn(a), view.turn(b));
                let along = dot(imaginary(between), constant(view.at.graph, *axis));
                2.0 * along.atan2(between[0])
            }
        }
    }

    /// Rate of change, by the velocities of the frames.
    fn rate<'g>(&self, view: &View<'_, 'g>) -> Expr<'g> {
        let velocities = |a: &Placed, b: &Placed| sub(view.point_velocity(b), view.point_velocity(a));
        match self {
            Measure::Distance(a, b) => {
                let between = sub(view.point(b), view.point(a));
                dot(between, velocities(a, b)) / dot(between, between).sqrt()
            }
            Measure::Way(a, b, axis) => {
                let direction = view.direction(a, *axis);
                let turned = cross(view.turning(a), direction);
                dot(velocities(a, b), direction) + dot(sub(view.point(b), view.point(a)), turned)
            }
            Measure::Angle(a, b, axis) => dot(sub(view.turning(b), view.turning(a)), view.direction(a, *axis)),
        }
    }
}

impl Placed {
    /// Reference angle; plane.
    fn angle_now(&self, body: &Multibody) -> f64 {
        self.angle + self.node.map_or(0.0, |node| body.nodes[node].angle)
    }
}

/// A control and what it does.
#[derive(Debug, Clone)]
pub(super) struct Effect {
    /// Where it acts, and where its opposite does.
    pub on: [Placed; 2],
    pub component: Component,
    /// Axis of a joint, in the axes of the first frame.
    pub axis: Vector3<f64>,
    /// Whether x, y and z are those of the first frame, or of the frame itself where there is but one.
    pub follows: bool,
}

/// Generalised forces, by coordinate.
pub(super) struct Sums<'a, 'g> {
    view: &'a View<'a, 'g>,
    terms: Vec<Vec<Expr<'g>>>,
}

impl<'a, 'g> Sums<'a, 'g> {
    pub fn new(view: &'a View<'a, 'g>) -> Self {
        Self { view, terms: vec![Vec::new(); view.at.q.len()] }
    }

    pub fn finish(self) -> Vec<Expr<'g>> {
        let graph = self.view.at.graph;
        self.terms.into_iter().map(|terms| graph.sum(terms)).collect()
    }

    /// Generalised forces that are known already.
    pub fn add(&mut self, forces: Vec<Expr<'g>>) {
        self.terms.iter_mut().zip(forces).for_each(|(terms, force)| terms.push(force));
    }

    /// A force at the origin of a frame, in space.
    pub fn force(&mut self, at: &Placed, force: Vector<'g>) {
        let Some(node) = at.node else { return };
        let first = self.view.body.nodes[node].first;
        (0..self.view.body.dimension).for_each(|i| self.terms[first + i].push(force[i]));
        if at.pose.position != Vector3::zeros() {
            let arm = constant(self.view.at.graph, at.pose.position);
            self.material_torque(node, cross(arm, self.view.to_node(node, force)));
        }
    }

    /// A torque on a frame, in space.
    pub fn torque(&mut self, at: &Placed, torque: Vector<'g>) {
        if let Some(node) = at.node {
            self.material_torque(node, self.view.to_node(node, torque));
        }
    }

    fn material_torque(&mut self, node: usize, torque: Vector<'g>) {
        let known = &self.view.body.nodes[node];
        match (known.turns, self.view.body.dimension) {
            (false, _) => {}
            (true, 2) => self.terms[known.first + 2].push(torque[2]),
            (true, _) => {
                let forces = times_imaginary(self.view.quaternion(node), torque);
                (0..4).for_each(|i| self.terms[known.first + 3 + i].push(2.0 * forces[i]));
            }
        }
    }

    pub fn load(&mut self, load: &Load) {
        let at = self.view.at;
        let [force, torque] = [&load.force, &load.torque].map(|list| list.each_ref().map(|f| f.lower(at.graph, at.t)));
        let [force, torque] = [force, torque].map(|v| if load.follows { self.in_space(&load.at, v) } else { v });
        self.force(&load.at, force);
        self.torque(&load.at, torque);
    }

    /// Components in the axes of a frame, in space.
    fn in_space(&self, frame: &Placed, v: Vector<'g>) -> Vector<'g> {
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| self.view.direction(frame, axis));
        [0, 1, 2].map(|i| v[0] * axes[0][i] + v[1] * axes[1][i] + v[2] * axes[2][i])
    }

    /// Damping of a spring; its stiffness is in the Lagrangian.
    pub fn damper(&mut self, pull: &Pull) {
        if pull.damping == 0.0 {
            return;
        }
        let view = self.view;
        let size = -(pull.damping * pull.measure.rate(view));
        match &pull.measure {
            Measure::Distance(a, b) => {
                let between = sub(view.point(b), view.point(a));
                let force = scale(size / dot(between, between).sqrt(), between);
                self.opposed(a, b, force);
            }
            Measure::Way(a, b, axis) => self.along(a, b, scale(size, view.direction(a, *axis))),
            Measure::Angle(a, b, axis) => self.twist(a, b, scale(size, view.direction(a, *axis))),
        }
    }

    /// A force on the second frame and its opposite on the first, on one line.
    fn opposed(&mut self, a: &Placed, b: &Placed, force: Vector<'g>) {
        self.force(b, force);
        self.force(a, force.map(|x| -x));
    }

    /// A force at the origin of the second frame, its opposite at the same point on the first.
    fn along(&mut self, a: &Placed, b: &Placed, force: Vector<'g>) {
        self.opposed(a, b, force);
        let arm = sub(self.view.point(b), self.view.point(a));
        self.torque(a, cross(arm, force).map(|x| -x));
    }

    fn twist(&mut self, a: &Placed, b: &Placed, torque: Vector<'g>) {
        self.torque(b, torque);
        self.torque(a, torque.map(|x| -x));
    }

    /// A control.
    pub fn control(&mut self, effect: &Effect, u: Expr<'g>) {
        let [a, b] = &effect.on;
        let unit = |axis: usize| Vector3::from_fn(|i, _| if i == axis { 1.0 } else { 0.0 });
        let along = |sums: &Self, axis: usize| {
            let frame = if a.node.is_none() { b } else { a };
            let direction = match effect.follows {
                true => sums.view.direction(frame, unit(axis)),
                false => constant(sums.view.at.graph, unit(axis)),
            };
            scale(u, direction)
        };
        match effect.component {
            Component::Force(axis) => {
                let force = along(self, axis);
                self.along(a, b, force);
            }
            Component::Torque(axis) => {
                let torque = along(self, axis);
                self.twist(a, b, torque);
            }
            Component::AlongAxis => {
                let force = scale(u, self.view.direction(a, effect.axis));
                self.along(a, b, force);
            }
            Component::AboutAxis => {
                let torque = scale(u, self.view.direction(a, effect.axis));
                self.twist(a, b, torque);
            }
        }
    }
}

/// Kinetic energy of a node and its potential in gravity: ½ m |v|² + v·R(Ω × s) + ½ Ω·JΩ + g·(m x + R s), s = Σ m ρ.
pub(super) fn inertia<'g>(view: &View<'_, 'g>, node: usize) -> Expr<'g> {
    let known = &view.body.nodes[node];
    let (v, graph) = (view.velocity(node), view.at.graph);
    let mut energy = (0.5 * known.mass) * dot(v, v);
    let gravity = constant(graph, view.body.gravity);
    energy = energy + known.mass * dot(gravity, view.position(node));
    if known.turns {
        let spin = view.spin(node);
        energy = energy + 0.5 * dot(spin, times(&known.inertia, spin));
        if known.moment != Vector3::zeros() {
            let moment = constant(graph, known.moment);
            let rotation = view.rotation(node);
            energy = energy + dot(v, rotation.rotate(cross(spin, moment))) + dot(gravity, rotation.rotate(moment));
        }
    }
    energy
}
