//! The end of a step: new momenta, and the work of the loads.

use nalgebra::{Vector3, Vector6};

use super::{FIXED, State, Step, gather, node};
use crate::discretisation::assembly::{Element, NodeKind, Order, plane_angle};
use crate::nlp::EvalFailure;

impl Step<'_> {
    /// Ends a solved step: the new state. The impulse of supports and joints at its beginning is kept.
    pub fn finish(&mut self, x: &[f64]) -> Result<State, EvalFailure> {
        self.evaluate(x, Order::Gradient)?;
        let layout = &self.assembly.layout;
        let mut impulse = std::mem::take(&mut self.impulse);
        self.missing(&mut impulse);
        let mut momentum = vec![0.0; layout.freedom_count()];
        for (node, step) in self.nodes.iter().enumerate() {
            let (dof, size) = (layout.freedom(node), layout.kind(node).freedoms());
            let g = gather(&self.forces, dof, size);
            let end = step.end_momentum(layout.kind(node), &g, self.h);
            momentum[dof..dof + size].copy_from_slice(&end.as_slice()[..size]);
        }
        self.add_rope_end(&mut momentum);
        self.impulse = impulse;
        self.carry_over(x, &mut momentum);
        // Joints share the impulse with the supports.
        let mut support = std::mem::take(&mut self.support);
        support.copy_from_slice(&self.impulse);
        self.take_joint_forces(x, |dof, force| support[dof] -= force);
        self.support = support;
        self.work = self.work_of_loads();
        let mut q = self.to.clone();
        node::normalise(layout, &mut q);
        if self.acts_at_instants {
            self.known = None;
            let at_instants = |element: &Element| element.at_instants;
            self.assembly.evaluate(&q, Order::Gradient, at_instants, |_| None, &[], None, &mut self.forces)?;
            for (momentum, g) in momentum.iter_mut().zip(&self.forces.gradient) {
                *momentum -= 0.5 * self.h * g;
            }
        }
        if let Some(bad) = momentum.iter().position(|p| !p.is_finite()) {
            let place = format!("{} at t = {:.6} s", self.assembly.freedom_name(bad), self.from.t);
            return Err(EvalFailure { place, reason: "the motion is no longer finite".into() });
        }
        Ok(State { t: self.from.t + self.h, q, momentum })
    }

    /// Takes what Newton's method left of the equations of the step, r = −D₁L_d − π₀ − Gᵀλ, off the momenta at its end,
    /// so that the next step makes up for it: momenta are kept to rounding, not only to the tolerance of the solver. The
    /// wrench of r stays the same about a fixed point although the node has moved. It is no impulse of the joints.
    fn carry_over(&mut self, x: &[f64], momentum: &mut [f64]) {
        let layout = &self.assembly.layout;
        let mut left = self.impulse.clone();
        self.take_joint_forces(x, |dof, force| left[dof] -= force);
        for (left, unknown) in left.iter_mut().zip(&self.unknown) {
            if *unknown == FIXED {
                *left = 0.0;
            }
        }
        self.impulse.iter_mut().zip(&left).for_each(|(impulse, left)| *impulse -= left);
        for (node, step) in self.nodes.iter().enumerate() {
            let (kind, dof) = (layout.kind(node), layout.freedom(node));
            let places = dof..dof + kind.freedoms();
            let mut r = Vector6::zeros();
            r.as_mut_slice()[..kind.freedoms()].copy_from_slice(&left[places.clone()]);
            let carried = step.carried(layout, node, &self.half[places.clone()], &self.to, &r);
            for (c, place) in places.enumerate().filter(|(_, place)| self.unknown[*place] != FIXED) {
                momentum[place] -= carried[c];
            }
        }
    }

    /// Work of the loads from the beginning to the end of the step: forces at its middle times the way.
    fn work_of_loads(&self) -> f64 {
        let layout = &self.assembly.layout;
        let mut sum = self.assembly.kept_work(&self.from.q, &self.middle, &self.to);
        for (load, wrench) in self.assembly.loads.iter().zip(&self.wrenches) {
            let [before, after] = [&self.from.q, &self.to].map(|q| load.at.pose(layout, q));
            let middle = load.at.pose(layout, &self.middle);
            let (force, torque) = match (load.follows, layout.kind(load.at.node)) {
                (true, NodeKind::PlaneFrame) => {
                    let angle = plane_angle(middle.orientation, 0.0);
                    let (sin, cos) = angle.sin_cos();
                    let f = wrench.force;
                    let turned = Vector3::new(cos * f[0] - sin * f[1], sin * f[0] + cos * f[1], 0.0);
                    (turned, wrench.torque)
                }
                (true, _) => (middle.orientation.rotate(wrench.force), middle.orientation.rotate(wrench.torque)),
                (false, _) => (wrench.force, wrench.torque),
            };
            let turn = (after.orientation * before.orientation.conjugate()).im * 2.0;
            sum += force.dot(&(after.position - before.position)) + torque.dot(&turn);
        }
        for (drive, size) in self.assembly.drives.iter().zip(&self.wrenches[self.assembly.loads.len()..]) {
            self.assembly.drive_forces(drive, &self.middle, size.force[0], &mut |dof, force| {
                let (node, which) = layout.node_of_freedom(dof);
                let half = &self.half[layout.freedom(node)..];
                // 2 Im(p̄₀p₁) = 4 η/(1 + |η|²) of a rotation in space.
                let turn = match layout.kind(node) {
                    NodeKind::SpaceFrame if which > 2 => 4.0 / (1.0 + half[3..6].iter().map(|x| x * x).sum::<f64>()),
                    _ => 2.0,
                };
                sum += force * half[which] * turn;
            });
        }
        sum
    }
}
