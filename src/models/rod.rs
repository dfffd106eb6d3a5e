//! A rod with its two ends: what is known there and what is to be found.

use super::{Continuum, Straight, Vector};
use crate::kernel::{EvalError, Function, Jet};

/// One of the two ends of a rod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// s = 0.
    Start,
    /// s = L.
    End,
}

impl Side {
    /// Both, in order of s.
    pub const BOTH: [Side; 2] = [Side::Start, Side::End];

    /// 0 for the start, 1 for the end: place in arrays of both.
    pub fn index(self) -> usize {
        match self {
            Side::Start => 0,
            Side::End => 1,
        }
    }

    /// Its node in a rod of `elements` elements.
    pub fn node(self, elements: usize) -> usize {
        match self {
            Side::Start => 0,
            Side::End => elements,
        }
    }

    /// The other end.
    pub fn other(self) -> Side {
        match self {
            Side::Start => Side::End,
            Side::End => Side::Start,
        }
    }

    /// The stress n acts from larger s on smaller s, so the force on the rod's end is −n at s = 0 and +n at s = L.
    pub fn sign(self) -> f64 {
        match self {
            Side::Start => -1.0,
            Side::End => 1.0,
        }
    }

    /// As in the frame names `beam.start`, `beam.end`.
    pub fn name(self) -> &'static str {
        match self {
            Side::Start => "start",
            Side::End => "end",
        }
    }
}

/// What is attached to an end of a rod and what is known of its motion.
#[derive(Debug, Clone)]
pub struct End<const D: usize> {
    /// Inertia of the body there (mass per position coordinate, rotary inertia for the angle).
    pub mass: Vector<D>,
    /// Gravity on that body.
    pub weight: Vector<D>,
    /// Known dead loads.
    pub load: [Function; D],
    /// Prescribed motion (servo outputs).
    pub path: [Option<Function>; D],
    /// Coordinates held by a support.
    pub held: [Option<f64>; D],
    /// Components an actuator applies: the unknowns.
    pub actuated: [bool; D],
}

impl<const D: usize> End<D> {
    /// A free end.
    pub fn free() -> Self {
        Self {
            mass: Vector::zeros(),
            weight: Vector::zeros(),
            load: std::array::from_fn(|_| Function::constant(0.0)),
            path: std::array::from_fn(|_| None),
            held: [None; D],
            actuated: [false; D],
        }
    }

    /// Known forces at time t: loads and the body's weight.
    pub fn known_force(&self, t: f64) -> Result<Vector<D>, BadFunction> {
        let mut force = self.weight;
        for (c, load) in self.load.iter().enumerate() {
            force[c] += load.value(t).map_err(|error| BadFunction { coordinate: c, is_load: true, error })?;
        }
        Ok(force)
    }

    /// Whether the motion of every coordinate is prescribed and every force known: complete data to march from.
    pub fn is_complete(&self) -> bool {
        self.path.iter().all(Option::is_some)
            && self.held.iter().all(Option::is_none)
            && !self.actuated.iter().any(|&a| a)
    }

    /// Whether nothing but the actuator acts on any coordinate here.
    pub fn is_fully_actuated(&self) -> bool {
        self.actuated.iter().all(|&a| a)
            && self.path.iter().all(Option::is_none)
            && self.held.iter().all(Option::is_none)
    }

    /// Prescribed value, velocity and acceleration of a coordinate, by servo path or support; `None` if free.
    pub fn prescribed(&self, coordinate: usize, t: f64) -> Result<Option<Jet>, BadFunction> {
        if let Some(value) = self.held[coordinate] {
            return Ok(Some(Jet { value, first: 0.0, second: 0.0 }));
        }
        match &self.path[coordinate] {
            None => Ok(None),
            Some(path) => {
                let jet = path.jet(t).map_err(|error| BadFunction { coordinate, is_load: false, error })?;
                Ok(Some(jet))
            }
        }
    }
}

/// A servo path or load that cannot be evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct BadFunction {
    /// Coordinate index.
    pub coordinate: usize,
    /// A load (else a servo path).
    pub is_load: bool,
    /// What went wrong, where in the text and at which time.
    pub error: EvalError,
}

/// A rod ready for every task.
#[derive(Debug, Clone)]
pub struct Rod<C, const D: usize> {
    /// Name in the problem file.
    pub name: String,
    /// The continuum.
    pub model: C,
    /// Reference length, metre.
    pub length: f64,
    /// Elements of the space grid.
    pub elements: usize,
    /// Reference configuration.
    pub straight: Straight<D>,
    /// The ends s = 0 and s = L.
    pub ends: [End<D>; 2],
}

impl<C: Continuum<D>, const D: usize> Rod<C, D> {
    /// The end on that side.
    pub fn end(&self, side: Side) -> &End<D> {
        &self.ends[side.index()]
    }

    /// The side with complete data if the other is fully actuated: then the rod can be marched along s.
    pub fn marching_side(&self) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.end(side).is_complete() && self.end(side.other()).is_fully_actuated())
    }
}
