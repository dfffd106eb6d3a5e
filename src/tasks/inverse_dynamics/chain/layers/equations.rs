//! The equations of one layer of finite elements: residuals, their derivatives, and what is carried on to the next layer.

use nalgebra::{Matrix3, SVector, Vector3, Vector6};

use super::{Field, Sweep, block};
use crate::discretisation::galerkin::GAUSS;
use crate::discretisation::galerkin::space::{SpaceStrip, between, cross_matrix, join};
use crate::discretisation::march::space::turning::curvature;
use crate::tasks::TaskError;

impl Sweep<'_> {
    /// Balance of momentum that the motion of a layer and half an element of gravity give, for one strip.
    fn own_terms(&self, strip: &SpaceStrip, field: &Field, k: usize) -> Vector6<f64> {
        self.inertia(strip, field, k, strip.length / 3.0) - self.weight(strip) * self.time.weight(k)
    }

    fn inertia(&self, strip: &SpaceStrip, field: &Field, k: usize, share: f64) -> Vector6<f64> {
        let (time, rate) = (self.time, self.time.rate(k));
        let linear: Vector3<f64> = time.apply(rate, k, &field.v);
        let angular: Vector3<f64> = if strip.turns() { time.apply(rate, k, &field.spin) } else { Vector3::zeros() };
        join(linear * strip.mass, angular) * share
    }

    /// Fills matrix and right-hand side; returns the largest residual. Rows: momentum, angular momentum, ẋ − v,
    /// ω − R J⁻¹Rᵀπ; columns: position, rotation, v, π.
    pub(super) fn assemble(
        &mut self,
        strip: &SpaceStrip,
        known: &Field,
        balance: &[Vector6<f64>],
        next: &Field,
        step: usize,
    ) -> Result<f64, TaskError> {
        let (time, side) = (self.time, self.leg.side);
        let sixth = strip.length / 6.0;
        let mut residual = vec![SVector::<f64, 12>::zeros(); time.steps + 1];
        self.matrix.clear();
        for k in 1..=time.steps {
            let own = self.inertia(strip, next, k, sixth) + self.own_terms(strip, known, k) + balance[k];
            let (rate, mass) = (time.rate(k), time.mass(k));
            let x = |k: usize| next.poses[k].position;
            let mut linear = x(k - 1) * rate[0] + x(k) * rate[1];
            if k < time.steps {
                linear += x(k + 1) * rate[2];
            }
            let velocity: Vector3<f64> = time.apply(mass, k, &next.v);
            residual[k].fixed_rows_mut::<6>(0).copy_from(&own);
            residual[k].fixed_rows_mut::<3>(6).copy_from(&(linear - velocity));
            for (column, weight) in [(k - 1, 0), (k, 1), (k + 1, 2)] {
                if column == 0 || column > time.steps {
                    continue;
                }
                let block = block(&mut self.matrix, k, column);
                for c in 0..3 {
                    block[(c, 6 + c)] += sixth * strip.mass * rate[weight];
                    if strip.turns() {
                        block[(3 + c, 9 + c)] += sixth * rate[weight];
                    }
                    block[(6 + c, c)] += rate[weight];
                    block[(6 + c, 6 + c)] -= mass[weight];
                }
            }
        }
        for k in 0..time.steps {
            let shapes = |u: f64| [(k, 1.0 - u), (k + 1, u)];
            // ∫φ ω is half the rotation of the step on either side.
            let turn = Self::turn(next, k);
            let cross = cross_matrix(turn);
            let square = cross * cross * curvature(turn.norm_squared());
            let by = [-(Matrix3::identity() + cross * 0.5 + square), Matrix3::identity() - cross * 0.5 + square];
            for row in [k, k + 1].into_iter().filter(|row| *row > 0) {
                let mut part = residual[row].fixed_rows_mut::<3>(9);
                part += turn * 0.5;
                for (column, by) in [k, k + 1].into_iter().zip(by).filter(|(column, _)| *column > 0) {
                    let mut corner = block(&mut self.matrix, row, column).fixed_view_mut::<3, 3>(9, 3);
                    corner += by * 0.5;
                }
            }
            for u in GAUSS {
                let weight = 0.5 * time.dt;
                let here = between(&next.poses[k], &next.poses[k + 1], u);
                let there = between(&known.poses[k], &known.poses[k + 1], u);
                let [left, right] = self.ordered(&there, &here);
                let forces = strip.forces(left, right).map_err(|cause| self.breakdown(cause, step, k))?;
                let tangent = strip.tangent(left, right, side, side.other());
                let spin = next.spin[k] * (1.0 - u) + next.spin[k + 1] * u;
                let mobility = next.mobility(here.orientation);
                let rate = mobility * spin;
                // δ(R J⁻¹Rᵀπ) = φ × rate − R J⁻¹Rᵀ(φ × π).
                let by_turn = mobility * cross_matrix(spin) - cross_matrix(rate);
                for (row, test) in shapes(u).into_iter().filter(|(row, _)| *row > 0) {
                    let mut part = residual[row].fixed_rows_mut::<6>(0);
                    part += forces.on[side.index()] * (weight * test);
                    let mut part = residual[row].fixed_rows_mut::<3>(9);
                    part -= rate * (weight * test);
                    for (column, trial) in shapes(u).into_iter().filter(|(column, _)| *column > 0) {
                        let share = weight * test * trial;
                        let block = block(&mut self.matrix, row, column);
                        let mut corner = block.fixed_view_mut::<6, 6>(0, 0);
                        corner += tangent * share;
                        let mut corner = block.fixed_view_mut::<3, 3>(9, 3);
                        corner -= by_turn * share;
                        let mut corner = block.fixed_view_mut::<3, 3>(9, 9);
                        corner -= mobility * share;
                    }
                }
            }
        }
        let mut largest = 0.0_f64;
        for (rhs, residual) in self.rhs.iter_mut().zip(&residual[1..]) {
            *rhs = -residual;
            largest = largest.max(residual.amax());
        }
        Ok(largest)
    }

    /// The balance the next layer starts from: what the strip behind it and the inertia of the known layer contribute.
    pub(super) fn carry(
        &self,
        strip: &SpaceStrip,
        known: &Field,
        next: &Field,
        step: usize,
    ) -> Result<Vec<Vector6<f64>>, TaskError> {
        let time = self.time;
        let other = self.leg.side.other().index();
        let mut balance = vec![Vector6::zeros(); time.steps + 1];
        for k in 0..time.steps {
            for u in GAUSS {
                let here = between(&next.poses[k], &next.poses[k + 1], u);
                let there = between(&known.poses[k], &known.poses[k + 1], u);
                let [left, right] = self.ordered(&there, &here);
                let forces = strip.forces(left, right).map_err(|cause| self.breakdown(cause, step, k))?;
                for (row, test) in [(k, 1.0 - u), (k + 1, u)] {
                    balance[row] += forces.on[other] * (0.5 * time.dt * test);
                }
            }
        }
        let line = self.line(strip, next, step)?;
        for (k, balance) in balance.iter_mut().enumerate().skip(1) {
            *balance += self.inertia(strip, known, k, strip.length / 6.0) + self.own_terms(strip, next, k) - line[k];
        }
        let [left, right] = self.ordered(&known.poses[0], &next.poses[0]);
        let forces = strip.forces(left, right).map_err(|cause| self.breakdown(cause, step, 0))?;
        balance[0] = forces.on[other] - self.weight(strip) - line[0];
        Ok(balance)
    }
}
