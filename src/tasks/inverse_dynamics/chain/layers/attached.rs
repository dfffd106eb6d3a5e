//! What acts on a layer from outside: stations, branches, loads along the rod, and the rod before it.

use nalgebra::{Vector3, Vector6};

use super::{Field, Sweep};
use crate::discretisation::chain::{Leg, Moving};
use crate::discretisation::galerkin::space::{SpaceStrip, join};
use crate::discretisation::march::space::turning::logarithm;
use crate::mechanism::Pose;
use crate::tasks::TaskError;
use crate::tasks::inverse_dynamics::chain::hanging::reactions;
use crate::tasks::inverse_dynamics::chain::{function, hung};

impl Sweep<'_> {
    /// The first layer and balance of this leg from the last ones of the leg before, about its own section.
    pub(super) fn pass(
        &self,
        before: &Leg,
        poses: &[Pose],
        mut balance: Vec<Vector6<f64>>,
    ) -> (Vec<Pose>, Vec<Vector6<f64>>) {
        let passage = self.chain.passage(before, &self.leg);
        let next = |pose: &Pose| Pose {
            position: pose.point(passage.position),
            orientation: (pose.orientation * passage.orientation).normalised(),
        };
        let moved: Vec<Pose> = poses.iter().map(next).collect();
        self.time.solve_mass(&mut balance);
        // Strings carry no moment.
        let turning = if self.chain.is_limp() { 0 } else { poses.len() };
        for ((force, old), new) in balance.iter_mut().zip(poses).zip(&moved).take(turning) {
            let lever = (old.position - new.position).cross(&force.fixed_rows::<3>(0));
            let mut moment = force.fixed_rows_mut::<3>(3);
            moment += lever;
        }
        (moved, self.projected(&balance))
    }

    /// ∫φ f of a force with these values at the instants; the entry of the first instant is its value.
    pub(super) fn projected(&self, values: &[Vector6<f64>]) -> Vec<Vector6<f64>> {
        let mut out = values.to_vec();
        for (k, out) in out.iter_mut().enumerate().skip(1) {
            *out = self.time.apply(self.time.mass(k), k, values);
        }
        out
    }

    /// Adds what the station after so many elements needs less what acts on it.
    pub(super) fn jump(&self, element: usize, poses: &[Pose], balance: &mut [Vector6<f64>]) -> Result<(), TaskError> {
        let section = self.leg.first + self.leg.boundary(element, self.rod.elements);
        self.hang(section, poses, balance)?;
        let Some(station) = self.chain.station(section) else { return Ok(()) };
        let (last, dt) = (poses.len() - 1, self.time.dt);
        let mut values = Vec::with_capacity(poses.len());
        for (k, pose) in poses.iter().enumerate() {
            let [before, after] = [k.saturating_sub(1), (k + 1).min(last)].map(|k| poses[k]);
            let spin = before.orientation.rotate(logarithm(before.orientation, after.orientation)) / (2.0 * dt);
            let velocity = (after.position - before.position) / (2.0 * dt);
            let moving = match k {
                0 => Moving::resting(*pose),
                _ => Moving { pose: *pose, velocity, spin },
            };
            let known = self.chain.known(station, self.window.time(k), &moving);
            let known = known.map_err(|bad| function(self.chain, bad))?;
            let mut value = -join(known.force, known.torque);
            if k > 0 && last > 1 {
                // The last instant has no neighbour: the motion goes on as before.
                let middle = k.min(last - 1);
                let needed = station.inertia_of_steps([middle - 1, middle, middle + 1].map(|k| poses[k]), dt);
                value += join(needed.force, needed.torque);
            }
            values.push(value);
        }
        balance.iter_mut().zip(self.projected(&values)).for_each(|(sum, value)| *sum += value);
        Ok(())
    }

    /// Lets values beyond what waves carry into the user's grid go smoothly to those of the first instant: what still moves at
    /// the end of the window would end there with a jump.
    fn fade(&self, values: &mut [Vector6<f64>]) {
        let (last, first) = (values.len() - 1, values[0]);
        let end = self.window.time(last);
        let begin = (self.window.grid.end() + self.transit).min(end);
        for (k, value) in values.iter_mut().enumerate() {
            let t = self.window.time(k);
            if t > begin {
                let share = (t - begin) / (end - begin);
                *value = first + (*value - first) * (0.5 + 0.5 * (std::f64::consts::PI * share).cos());
            }
        }
    }

    /// Adds what hangs on a section.
    pub(super) fn hang(&self, section: usize, poses: &[Pose], balance: &mut [Vector6<f64>]) -> Result<(), TaskError> {
        for branch in self.chain.branches.iter().filter(|branch| branch.section == section) {
            let needed = reactions(self.chain, branch, poses, self.window.time(0), self.time.dt, None);
            let needed = needed.map_err(|reason| hung(self.rod.name.clone(), reason))?;
            let mut values: Vec<Vector6<f64>> = needed.iter().map(|needed| join(needed.force, needed.torque)).collect();
            self.fade(&mut values);
            balance.iter_mut().zip(self.projected(&values)).for_each(|(sum, value)| *sum += value);
        }
        Ok(())
    }

    /// ∫φ of half a strip of loads and drag along the rod on a layer, whose motion is known; the entry of the first instant is the load itself.
    pub(super) fn line(&self, strip: &SpaceStrip, field: &Field, step: usize) -> Result<Vec<Vector6<f64>>, TaskError> {
        let mut values = vec![Vector6::zeros(); field.poses.len()];
        let drag = self.loads.drag();
        if self.loads.is_empty() && drag.is_none() {
            return Ok(values);
        }
        let middle = 0.5 * (self.s(step - 1) + self.s(step));
        let bad = |bad| function(self.chain, bad);
        let law = drag.map(|drag| drag.law(middle)).transpose().map_err(bad)?;
        let (last, per_time) = (field.poses.len() - 1, 0.5 / self.time.dt);
        for (k, (value, pose)) in values.iter_mut().zip(&field.poses).enumerate() {
            let at = self.loads.in_space(middle, self.window.time(k), pose.orientation);
            let [mut force, torque] = at.map_err(bad)?;
            if let (Some(drag), Some(law)) = (drag, law) {
                let [before, after] = [k.saturating_sub(1), (k + 1).min(last)].map(|k| field.poses[k].position);
                let velocity = if k == 0 { Vector3::zeros() } else { (after - before) * per_time };
                let current = drag.current(self.window.time(k)).map_err(bad)?;
                force += law.force(velocity - current, Some(pose.orientation.rotate(Vector3::z())));
            }
            *value = join(force, torque) * (0.5 * strip.length);
        }
        Ok(self.projected(&values))
    }
}
