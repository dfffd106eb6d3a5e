//! What bodies on a layer need less what acts on them and less the forces to be found, at the instants.

use nalgebra::{Matrix6, Vector6};

use super::layout::Fields;
use super::net::Net;
use super::{SMALL, moved};
use crate::discretisation::chain::Moving;
use crate::discretisation::galerkin::space::join;
use crate::discretisation::march::space::turning::logarithm;
use crate::geometry::Pose;
use crate::mechanism::BadFunction;

/// A layer with a station or forces on it.
pub struct Attached<'n, 'a> {
    /// The rods.
    pub net: &'n Net<'a>,
    /// The layer.
    pub node: usize,
    /// Forces on it, by their places.
    pub forces: &'n [usize],
    /// Step of the instants, second.
    pub dt: f64,
    /// Time of the first instant, second.
    pub start: f64,
    /// How far known forces have gone from what they are at first to what they are.
    pub part: f64,
}

/// Derivatives by the poses at three instants, and by each force.
pub type Slopes = ([Matrix6<f64>; 3], Vec<Vector6<f64>>);

impl Attached<'_, '_> {
    /// The three instants whose poses count at instant k: the last has no neighbour, and the motion goes on as before.
    pub fn around(k: usize, last: usize) -> [usize; 3] {
        let middle = k.clamp(1, (last - 1).max(1));
        [middle - 1, middle, (middle + 1).min(last)]
    }

    /// The value at instant k with the layer at three poses; `own` of them is at the instant itself.
    fn value(&self, k: usize, poses: [Pose; 3], own: usize, forces: &[f64]) -> Result<Vector6<f64>, BadFunction> {
        let per_time = 1.0 / (2.0 * self.dt);
        let pose = poses[own];
        let [before, after] = [poses[own.saturating_sub(1)], poses[(own + 1).min(2)]];
        let spin = before.orientation.rotate(logarithm(before.orientation, after.orientation)) * per_time;
        let velocity = (after.position - before.position) * per_time;
        let moving = Moving { pose, velocity, spin };
        let t = self.start + k as f64 * self.dt;
        let (first, now) = (self.net.known(self.node, self.start, &moving)?, self.net.known(self.node, t, &moving)?);
        let mut value = -(first + (now - first) * self.part);
        let station = self.net.nodes[self.node].section.and_then(|section| self.net.chain.station(section));
        if let Some(station) = station.filter(|station| station.is_heavy()) {
            let needed = station.inertia_of_steps(poses, self.dt);
            value += join(needed.force, needed.torque);
        }
        for (f, force) in self.forces.iter().zip(forces) {
            value -= self.net.unit(self.net.forces[*f], self.node, &pose) * *force;
        }
        Ok(value)
    }

    fn poses(&self, fields: &Fields, k: usize) -> ([Pose; 3], usize) {
        let around = Self::around(k, fields.instants - 1);
        let own = around.iter().position(|instant| *instant == k).unwrap_or(1);
        (around.map(|instant| *fields.pose(self.node, instant)), own)
    }

    fn applied(&self, fields: &Fields, k: usize) -> Vec<f64> {
        self.forces.iter().map(|f| fields.forces[*f][k]).collect()
    }

    /// The value at instant k; at the first one all is at rest.
    pub fn at(&self, fields: &Fields, k: usize) -> Result<Vector6<f64>, BadFunction> {
        if k == 0 {
            let pose = *fields.pose(self.node, 0);
            let mut value = -self.net.known(self.node, self.start, &Moving::resting(pose))?;
            for f in self.forces {
                value -= self.net.unit(self.net.forces[*f], self.node, &pose) * fields.forces[*f][0];
            }
            return Ok(value);
        }
        let (poses, own) = self.poses(fields, k);
        self.value(k, poses, own, &self.applied(fields, k))
    }

    /// Its derivatives by positions and rotations of space at the three instants, by central differences, and by the forces.
    pub fn slopes(&self, fields: &Fields, k: usize) -> Result<Slopes, BadFunction> {
        let (poses, own) = self.poses(fields, k);
        let forces = self.applied(fields, k);
        let mut by_pose = [Matrix6::zeros(); 3];
        let alone = self.net.nodes[self.node].section.and_then(|section| self.net.chain.station(section)).is_none();
        for (instant, slope) in by_pose.iter_mut().enumerate() {
            if alone && instant != own {
                continue;
            }
            for &c in self.net.components {
                let at = |h: f64| {
                    let mut poses = poses;
                    poses[instant] = moved(&poses[instant], c, h);
                    self.value(k, poses, own, &forces)
                };
                slope.set_column(c, &((at(SMALL)? - at(-SMALL)?) / (2.0 * SMALL)));
            }
        }
        let unit = |f: &usize| -self.net.unit(self.net.forces[*f], self.node, &poses[own]);
        Ok((by_pose, self.forces.iter().map(unit).collect()))
    }
}
