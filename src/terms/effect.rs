//! What an actuator does: a force or torque of unknown size, or of one given over time.

use nalgebra::Vector3;

use super::constraint::Anchor;
use super::nodes::{Nodes, Works};
use crate::geometry::algebra::{Vector, cross, lifted, scale, sub};
use crate::kernel::{EvalError, Function, cubic, cubic_between};
use crate::scalar::Scalar;

/// A unit force or torque on one side and its opposite on the other, in a direction of space or of a frame.
#[derive(Debug, Clone)]
pub struct Effect {
    /// Where it acts, and before that where its opposite does.
    pub on: [Anchor; 2],
    /// Whether it is a torque.
    pub torque: bool,
    /// Its direction: in space, or in the frame of the side that carries it.
    pub direction: Vector3<f64>,
    /// The side that carries the direction.
    pub carrier: Option<usize>,
}

/// The size of an actuator's force over time.
#[derive(Debug, Clone)]
pub enum History {
    /// A function.
    Function(Function),
    /// Values at instants `dt` apart from `start`, with cubics between them that do not reach across jumps.
    Sampled {
        /// First instant, second.
        start: f64,
        /// Distance of the instants, second.
        dt: f64,
        /// Values.
        values: Vec<f64>,
        /// Where it may jump, in multiples of `dt` from the start.
        jumps: Vec<f64>,
    },
    /// Values that hold from their instant to the next.
    Stepped {
        /// Instants, second.
        t: Vec<f64>,
        /// Values.
        values: Vec<f64>,
    },
}

impl History {
    /// The value at a time.
    pub fn value(&self, t: f64) -> Result<f64, EvalError> {
        match self {
            History::Function(function) => function.value(t),
            History::Sampled { start, dt, values, jumps } if jumps.is_empty() => Ok(cubic(values, (t - start) / dt)),
            History::Sampled { start, dt, values, jumps } => Ok(cubic_between(values, (t - start) / dt, jumps)),
            History::Stepped { t: instants, values } => {
                let after = instants.partition_point(|instant| *instant <= t);
                Ok(values[after.saturating_sub(1).min(values.len() - 1)])
            }
        }
    }
}

/// An actuator whose force is known.
#[derive(Debug, Clone)]
pub struct Drive {
    /// `<actuator>.<component>`.
    pub name: String,
    /// What it does.
    pub effect: Effect,
    /// How much of it.
    pub history: History,
}

impl Effect {
    /// The nodes it acts on.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.on.iter().filter_map(Anchor::node)
    }

    /// Adds the forces of a control of size u.
    pub fn act<T: Scalar>(&self, works: &mut Works<'_, T>, u: T) {
        let own = lifted(u, &self.direction);
        let direction = match self.carrier {
            Some(side) => self.on[side].rotation_over(&works.nodes).rotate(own),
            None => own,
        };
        let pull = scale(u, direction);
        let [a, b] = &self.on;
        if self.torque {
            twist(works, b, pull);
            twist(works, a, pull.map(|x| -x));
            return;
        }
        // The opposite acts at the same point on the first side.
        let zero = works.nodes.zero();
        push(works, b, pull);
        push(works, a, pull.map(|x| -x));
        if a.node().is_some() {
            let arm = arm(&works.nodes, [a, b], zero);
            twist(works, a, cross(arm, pull).map(|x| -x));
        }
    }
}

fn arm<T: Scalar>(nodes: &Nodes<'_, T>, [a, b]: [&Anchor; 2], still: Vector<T>) -> Vector<T> {
    sub(b.point_over(nodes, still), a.point_over(nodes, still))
}

fn push<T: Scalar>(works: &mut Works<'_, T>, side: &Anchor, force: Vector<T>) {
    if let Anchor::Node(at) = side {
        works.force(at, force);
    }
}

fn twist<T: Scalar>(works: &mut Works<'_, T>, side: &Anchor, torque: Vector<T>) {
    if let Anchor::Node(at) = side {
        works.torque(at.node, torque);
    }
}
