//! The load factor, and how the residual changes with it.

use nalgebra::Vector3;

use super::{Equilibrium, FIXED};
use crate::discretisation::assembly::{Blocks, CURRENT, GRAVITY, GroundTravel, Instant, Order};
use crate::nlp::{EvalFailure, FollowedSystem, ParametricSystem, SquareSystem};

impl Equilibrium<'_> {
    /// The part of [`Self::tangent`] that the loads make where they are in equilibrium with the rest: unsymmetric if they
    /// have no potential.
    ///
    /// Moments −Q of forces without potential are balanced by those of the potential, which add ½ × of themselves.
    pub fn load_stiffness(&mut self, x: &[f64]) -> Result<&Blocks, EvalFailure> {
        self.place(x)?;
        let instant = self.instant();
        self.assembly.wrenches(instant, &mut self.wrenches)?;
        let loads = Some((self.wrenches.as_slice(), self.weight_factor()));
        self.assembly.evaluate(&self.q, Order::Hessian, |_| false, |_| None, &[], loads, &mut self.forces)?;
        self.add_drag(self.drag_factor(), Order::Hessian)?;
        for (gradient, other) in self.forces.gradient.iter_mut().zip(&self.forces.other) {
            *gradient = -other;
        }
        self.complete_rotations();
        Ok(&self.forces.stiffness)
    }

    /// Derivative of the residual by the factor where supports rest: weights, loads and the motion of joints to the ground
    /// are proportional to it.
    fn load_derivative(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        self.place(x)?;
        let [none, whole] = [0.0, 1.0].map(|factor| Instant { t: self.time, factor });
        self.assembly.wrenches(whole, &mut self.wrenches)?;
        self.assembly.motions(whole, &mut self.motions)?;
        let mut weight = 1.0;
        if !self.assembly.growth.is_empty() {
            // What is there from the beginning does not grow.
            let (mut wrenches, mut motions) = (Vec::new(), Vec::new());
            self.assembly.wrenches(none, &mut wrenches)?;
            self.assembly.motions(none, &mut motions)?;
            for (whole, none) in self.wrenches.iter_mut().zip(&wrenches) {
                whole.force -= none.force;
                whole.torque -= none.torque;
            }
            self.motions.iter_mut().zip(&motions).for_each(|(whole, none)| whole.0 -= none.0);
            let own = |factor: f64| self.assembly.own_factor(GRAVITY, factor);
            weight = own(1.0) - own(0.0);
        }
        let loads = Some((self.wrenches.as_slice(), weight));
        self.assembly.evaluate(&self.q, Order::Gradient, |_| false, |_| None, &[], loads, &mut self.forces)?;
        let own = |factor: f64| self.assembly.own_factor(CURRENT, factor);
        self.add_drag(own(1.0) - own(0.0), Order::Gradient)?;
        out.fill(0.0);
        for (dof, &row) in self.row.iter().enumerate() {
            if row != FIXED {
                out[row] = self.forces.gradient[dof] + self.forces.other[dof];
            }
        }
        let layout = &self.assembly.layout;
        let mut index = self.size;
        for (joint, motion) in self.assembly.constraints.iter().zip(&self.motions) {
            for row in 0..joint.rows.len() {
                let [there, here] =
                    [*motion, GroundTravel(Vector3::zeros())].map(|m| joint.value(layout, &self.q, &m, row));
                out[index] = there - here;
                index += 1;
            }
        }
        Ok(())
    }
}

impl ParametricSystem for Equilibrium<'_> {
    fn set_parameter(&mut self, parameter: f64) {
        self.factor = parameter;
        if let Some(grip) = &mut self.grip {
            grip.left = 1.0 - parameter;
            self.factor = 0.0;
        }
        if let Some(springs) = &mut self.springs {
            springs.left = 1.0 - parameter;
            self.factor = springs.target * parameter;
        }
    }
}

impl FollowedSystem for Equilibrium<'_> {
    fn parameter_derivative(&mut self, x: &[f64], out: &mut [f64]) -> Result<(), EvalFailure> {
        let moving = |f: &crate::kernel::Function| !f.is_constant() || f.value(self.time).is_ok_and(|v| v != 0.0);
        let moves = self.assembly.prescribed.iter().any(|support| {
            support.displacement.iter().flatten().any(moving) || support.rotation.iter().flatten().any(moving)
        });
        if let Some(grip) = &self.grip {
            out.fill(0.0);
            out.iter_mut().zip(&grip.forces).for_each(|(out, force)| *out = *force);
            return Ok(());
        }
        if !moves && self.springs.is_none() {
            return self.load_derivative(x, out);
        }
        // Moving supports make the residual nonlinear in the factor.
        let step = 1e-5;
        let here = self.springs.map_or(self.factor, |springs| 1.0 - springs.left);
        let mut below = vec![0.0; out.len()];
        self.set_parameter(here - step);
        let low = self.residual(x, &mut below);
        self.set_parameter(here + step);
        let high = self.residual(x, out);
        self.set_parameter(here);
        low?;
        high?;
        out.iter_mut().zip(&below).for_each(|(high, low)| *high = (*high - low) / (2.0 * step));
        Ok(())
    }

    fn parameter_name(&self) -> String {
        "load factor".to_owned()
    }
}
