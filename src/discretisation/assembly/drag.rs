//! Forces of the fluid: the drag of all parts at one motion.

use nalgebra::{Matrix6, Vector3};

use super::{Assembly, Blocks, Instant};
use crate::nlp::EvalFailure;
use crate::terms::{MovingNodes, Nodes, TakeSlopes};

/// What the current is called among loads that grow.
pub const CURRENT: &str = "current";

/// A motion of all nodes through the fluid at an instant.
#[derive(Debug, Clone, Copy)]
pub struct Stream<'a> {
    /// Coordinates.
    pub q: &'a [f64],
    /// Their rates.
    pub rates: &'a [f64],
    /// Velocity of the current, m/s.
    pub current: Vector3<f64>,
    /// Factor of the forces.
    pub factor: f64,
}

impl Assembly {
    /// The current at an instant, and the factor of the forces of the fluid.
    pub fn current(&self, at: Instant) -> Result<(Vector3<f64>, f64), EvalFailure> {
        let failure = |error: crate::kernel::EvalError| EvalFailure {
            place: format!("the current at t = {} s", at.t),
            reason: error.to_string(),
        };
        let mut current = Vector3::zeros();
        for (out, component) in current.iter_mut().zip(&self.current) {
            *out = component.value(at.t).map_err(failure)?;
        }
        Ok((current, self.own_factor(CURRENT, at.factor)))
    }

    /// Whether small motions about one at rest are resisted: of drag by the square of the velocity only in a current.
    pub fn resists(&self, stream: &Stream<'_>) -> bool {
        let flows = stream.current != Vector3::zeros();
        self.drags.iter().any(|drag| drag.resists(flows))
    }

    fn moving<'a>(&'a self, stream: &Stream<'a>) -> MovingNodes<'a, f64> {
        MovingNodes { nodes: Nodes { layout: &self.layout, q: stream.q }, v: stream.rates }
    }

    /// Adds minus the forces of the fluid, which have no potential, to `other`.
    pub fn add_drag(&self, stream: &Stream<'_>, other: &mut [f64]) {
        let moving = self.moving(stream);
        let resisting = -stream.factor;
        self.drags.iter().for_each(|drag| drag.add(&moving, &stream.current, resisting, other));
    }

    /// Adds minus their derivative by the freedoms. `by_place` says how the velocity of a node changes with its own freedoms, if it
    /// does.
    pub fn add_drag_stiffness(
        &self,
        stream: &Stream<'_>,
        by_place: Option<&dyn Fn(usize) -> Matrix6<f64>>,
        out: &mut Blocks,
    ) {
        self.drag_slopes(stream, &mut |row, col, place, rate| {
            let mut block = *place;
            if let Some(by_place) = by_place.filter(|_| row == col) {
                block += rate * by_place(row);
            }
            self.put(row, col, &block, out);
        });
    }

    /// Adds minus their derivative by the velocities (ẋ, Ω or θ̇) of the nodes.
    pub fn add_drag_damping(&self, stream: &Stream<'_>, out: &mut Blocks) {
        self.drag_slopes(stream, &mut |row, col, _, rate| self.put(row, col, rate, out));
    }

    fn drag_slopes(&self, stream: &Stream<'_>, take: &mut TakeSlopes<'_>) {
        let moving = self.moving(stream);
        self.drags.iter().for_each(|drag| drag.slopes(&moving, &stream.current, -stream.factor, take));
    }

    fn put(&self, row: usize, col: usize, block: &Matrix6<f64>, out: &mut Blocks) {
        let Some(start) = out.find(row, col) else { return };
        let (rows, cols) = (self.layout.kind(row).freedoms(), self.layout.kind(col).freedoms());
        for c in 0..cols {
            for r in 0..rows {
                out.values[start + r + rows * c] += block[(r, c)];
            }
        }
    }

    /// Power that the fluid takes, watt.
    pub fn drag_power(&self, stream: &Stream<'_>) -> f64 {
        let moving = self.moving(stream);
        self.drags.iter().map(|drag| drag.power(&moving, &stream.current, stream.factor)).sum()
    }
}
