//! The rigid body of a node: its kinetic energy and its weight.

use nalgebra::{Matrix3, Vector3};

use super::mass::NodeMass;
use super::nodes::{MovingNodes, Nodes};
use crate::geometry::algebra::{cross, dot, lifted, times};
use crate::scalar::Scalar;

/// ½ m |v + R(Ω × c)|² + ½ Ω·JΩ with the mass centre c and the inertia J about it, joule.
pub fn kinetic<T: Scalar>(moving: &MovingNodes<'_, T>, node: usize, mass: &NodeMass) -> T {
    let v = moving.velocity(node);
    let mut energy = dot(v, v) * (0.5 * mass.mass);
    if !moving.nodes.layout.kind(node).turns() {
        return energy;
    }
    let spin = moving.spin(node);
    let about_node = mass.about_node();
    if about_node != Matrix3::zeros() {
        energy = energy + dot(spin, times(&about_node, spin)) * 0.5;
    }
    if mass.centre != Vector3::zeros() {
        let moment = lifted(v[0], &(mass.centre * mass.mass));
        energy = energy + dot(v, moving.nodes.rotation(node).rotate(cross(spin, moment)));
    }
    energy
}

/// −m g·(x + R c), joule.
pub fn weight<T: Scalar>(nodes: &Nodes<'_, T>, node: usize, mass: &NodeMass, gravity: &Vector3<f64>) -> T {
    let pull = lifted(nodes.q[0], &(gravity * -mass.mass));
    let mut energy = dot(pull, nodes.position(node));
    if mass.centre != Vector3::zeros() {
        energy = energy + dot(pull, nodes.direction(node, &mass.centre));
    }
    energy
}
