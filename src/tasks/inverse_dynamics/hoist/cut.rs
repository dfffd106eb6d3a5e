//! Where a marched rope passes its sheave.

use nalgebra::Vector3;

use super::HoistSystem;
use crate::tasks::TaskError;
use crate::tasks::inverse_dynamics::SpaceMotion;
use crate::tasks::inverse_dynamics::chain::resting;

/// Bisections of an element: to rounding.
const HALVINGS: usize = 60;
/// Instants at which the range of the cut is looked at beforehand.
const LOOKED_AT: usize = 40;

/// The rope at its sheave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Crossing {
    /// Arc length from the drum's end of the rope, metre: the stored length.
    pub s: f64,
    /// Where it is.
    pub x: Vector3<f64>,
    /// Force of the rope, newton.
    pub n: Vector3<f64>,
    /// ν.
    pub stretch: f64,
}

/// The rope at an instant, by the boundaries of its elements.
pub struct Rope<'a> {
    hoist: &'a HoistSystem,
    x: Vec<Vector3<f64>>,
    n: Vec<Vector3<f64>>,
    acceleration: Vec<Vector3<f64>>,
}

/// Differences of order six in time; before the first and after the last instant all is as there.
pub fn rates<T>(values: &[T], dt: f64) -> (Vec<T>, Vec<T>)
where
    T: Copy + std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<f64, Output = T>,
{
    let at = |k: usize, step: isize| values[k.saturating_add_signed(step).min(values.len() - 1)];
    let first = |k: usize| {
        let pair = |step: isize| at(k, step) - at(k, -step);
        (pair(1) * 45.0 - pair(2) * 9.0 + pair(3)) * (1.0 / (60.0 * dt))
    };
    let second = |k: usize| {
        let pair = |step: isize| at(k, step) + at(k, -step) - at(k, 0) * 2.0;
        (pair(1) * 270.0 - pair(2) * 27.0 + pair(3) * 2.0) * (1.0 / (180.0 * dt * dt))
    };
    ((0..values.len()).map(first).collect(), (0..values.len()).map(second).collect())
}

impl<'a> Rope<'a> {
    /// At rest at time t.
    pub fn resting(hoist: &'a HoistSystem, t: f64) -> Result<Self, TaskError> {
        let states = resting(&hoist.system.chain, t)?;
        // The march goes from the load upwards, but sections are numbered from s = 0.
        let (x, n) = states.iter().map(|state| (state.pose.position, state.n)).unzip();
        let acceleration = vec![Vector3::zeros(); states.len()];
        Ok(Self { hoist, x, n, acceleration })
    }

    /// At an instant of a motion, with the accelerations of its sections.
    pub fn moving(hoist: &'a HoistSystem, motion: &SpaceMotion, accelerations: &[Vec<Vector3<f64>>], k: usize) -> Self {
        let sections = || (0..motion.sections).map(|i| motion.at(i, k));
        Self {
            hoist,
            x: sections().map(|place| motion.poses[place].position).collect(),
            n: sections().map(|place| motion.n[place].fixed_rows::<3>(0).into_owned()).collect(),
            acceleration: accelerations.iter().map(|section| section[k]).collect(),
        }
    }

    fn boundary(&self, place: usize) -> f64 {
        let leg = &self.hoist.system.chain.legs[0];
        self.hoist.system.chain.rod(leg).boundary(place)
    }

    /// ν of the rope under a force.
    fn stretch(&self, tension: f64) -> f64 {
        let chain = &self.hoist.system.chain;
        chain.rod(&chain.legs[0]).stretch(0.0, tension)
    }

    /// Position and force at an arc length within an element: cubics with the slopes r' = ν n/|n| and n' = ρA (r̈ − g).
    fn within(&self, element: usize, s: f64) -> (Vector3<f64>, Vector3<f64>) {
        let (from, to) = (self.boundary(element), self.boundary(element + 1));
        let gravity = self.hoist.mechanism.gravity;
        let mass = self.hoist.line_mass();
        let h = to - from;
        let u = (s - from) / h;
        let blend = |values: [Vector3<f64>; 2], slopes: [Vector3<f64>; 2]| {
            let (v, w) = (1.0 - u, u);
            values[0] * (v * v * (1.0 + 2.0 * w))
                + values[1] * (w * w * (1.0 + 2.0 * v))
                + (slopes[0] * (v * v * w) - slopes[1] * (w * w * v)) * h
        };
        let ends = [element, element + 1];
        let tangent = |i: usize| self.n[i] * (self.stretch(self.n[i].norm()) / self.n[i].norm());
        let push = |i: usize| (self.acceleration[i] - gravity) * mass;
        (blend(ends.map(|i| self.x[i]), ends.map(tangent)), blend(ends.map(|i| self.n[i]), ends.map(push)))
    }

    /// Position and force at any arc length.
    pub fn at(&self, s: f64) -> (Vector3<f64>, Vector3<f64>) {
        let last = self.x.len() - 2;
        let element = (0..last).find(|element| s < self.boundary(element + 1)).unwrap_or(last);
        self.within(element, s)
    }

    /// Where it passes the rail, seen from the load; how much rope is missing where it ends below.
    pub fn crossing(&self) -> Result<Crossing, f64> {
        let (axis, height) = self.hoist.rail;
        // The load is on one side of the rail, the drum's end on the other.
        let load = self.x[self.x.len() - 1][axis] - height;
        let beyond = |x: &Vector3<f64>| (x[axis] - height) * load <= 0.0;
        let Some(element) = (0..self.x.len() - 1).rev().find(|i| beyond(&self.x[*i])) else {
            return Err((self.x[0][axis] - height).abs());
        };
        let [mut low, mut high] = [self.boundary(element), self.boundary(element + 1)];
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if beyond(&self.within(element, middle).0) { low = middle } else { high = middle }
        }
        let s = 0.5 * (low + high);
        let (x, n) = self.within(element, s);
        Ok(Crossing { s, x, n, stretch: self.stretch(n.norm()) })
    }
}

/// What to say of a rope that does not reach up to its sheave.
pub fn too_short(hoist: &HoistSystem, t: f64, missing: f64) -> TaskError {
    let winch = hoist.winch();
    let free = hoist.mechanism.rods[winch.rope].length;
    TaskError::NotApplicable {
        method: "space-march",
        reason: format!(
            "finds the rope too short: at t = {t:.4} s about {missing:.4} m are missing between rod `{}` and the sheave, with {free} m of rope in the reference configuration and {} m on the drum; raise `winch.{}.stored` to {:.3} or more",
            hoist.mechanism.rods[winch.rope].name,
            winch.stored,
            winch.name,
            winch.stored + 1.05 * missing
        ),
    }
}

/// The least and the largest arc length at which the rope is cut if the load is carried along its path slowly.
pub fn prospects(hoist: &HoistSystem) -> Result<[f64; 2], TaskError> {
    let grid = hoist.system.grid;
    let mut range = [f64::INFINITY, f64::NEG_INFINITY];
    let mut shortest: Option<(f64, f64)> = None;
    for k in 0..=LOOKED_AT {
        let t = grid.start + (grid.end() - grid.start) * k as f64 / LOOKED_AT as f64;
        match Rope::resting(hoist, t)?.crossing() {
            Ok(found) => range = [range[0].min(found.s), range[1].max(found.s)],
            Err(missing) => {
                let worst = shortest.filter(|(_, other)| *other >= missing);
                shortest = worst.or(Some((t, missing)));
            }
        }
    }
    shortest.map_or(Ok(range), |(t, missing)| Err(too_short(hoist, t, missing)))
}

#[cfg(test)]
mod tests {
    use super::rates;

    /// Of order six: a polynomial of degree six exactly, but near the ends.
    #[test]
    fn differences_are_of_order_six() {
        let (dt, f) = (0.1, |t: f64| t.powi(6) - 2.0 * t.powi(3) + t);
        let values: Vec<f64> = (0..20).map(|k| f(0.1 * f64::from(k))).collect();
        let (first, second) = rates(&values, dt);
        for k in 3..17 {
            let t = dt * k as f64;
            assert!((first[k] - (6.0 * t.powi(5) - 6.0 * t * t + 1.0)).abs() < 1e-11);
            assert!((second[k] - (30.0 * t.powi(4) - 12.0 * t)).abs() < 1e-9);
        }
    }
}
