//! Mechanisms of bodies, rods, joints, springs and drives as systems of optimal control.
//!
//! Frames that are rigidly joined share a node: (x, y, θ) in the plane, (x, y, z; p) with a unit quaternion in space, where the
//! length of p is a constraint like those of the joints. Everything follows from energies and forces on frames.

mod algebra;
mod chart;
mod configuration;
mod forces;
mod motion;
mod nodes;
mod quantities;
mod rods;
mod rows;
mod view;

use nalgebra::Vector3;
use thiserror::Error;

use super::{At, Chart, Mechanics};
use crate::kernel::Function;
use crate::models::Machine;
use crate::models::machine::{Component, DrivePlace, SpringPlace};
use crate::models::structure::Frame;
use crate::nlp::graph::Expr;
pub use configuration::{Configuration, ConfigurationError, Wish};
use forces::{Effect, Load, Measure, Pull, Sums};
pub use motion::Track;
use nodes::{Node, Placed, Placement};
pub use quantities::JointMotion;
use quantities::Quantity;
use rods::Element;
use rows::Row;
use view::View;

/// Why a mechanism is not one.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MechanismError {
    /// No part is free.
    #[error("nothing can move: every body and rod is fixed to the ground")]
    NothingMoves,
    /// A rod of a kind that is not possible.
    #[error(
        "rod `{rod}` {what}; optimal control takes strings, beams and rods with elements of order 1 and strains at their middle"
    )]
    Rod {
        /// The rod.
        rod: String,
        /// What it is.
        what: String,
    },
    /// A joint within one rigid body.
    #[error("joint `{0}` connects frames that are rigidly joined to each other already")]
    SameBody(String),
    /// A joint that needs an orientation.
    #[error("joint `{joint}` holds directions, but \"{frame}\" is a point without orientation")]
    NoOrientation {
        /// The joint.
        joint: String,
        /// The frame.
        frame: String,
    },
    /// A support that moves.
    #[error(
        "support `{0}` moves, or holds away from the reference position; optimal control takes supports that stand still there"
    )]
    MovingSupport(String),
    /// A load along a rod.
    #[error("load `{0}` acts along a rod; optimal control takes loads on frames")]
    LineLoad(String),
    /// A node that moves without mass.
    #[error("\"{frame}\" can {how}, but has no {what} there")]
    Massless {
        /// The frame.
        frame: String,
        /// `move` or `turn`.
        how: &'static str,
        /// `mass` or `inertia`.
        what: &'static str,
    },
    /// An equation that follows from others.
    #[error("the mechanism is over-constrained: the {0} is already fixed by the other joints and supports")]
    Redundant(String),
    /// As many equations as coordinates.
    #[error("the joints and supports leave nothing that can move")]
    Rigid,
    /// It cannot be evaluated.
    #[error("the joints cannot be evaluated: {0}")]
    Evaluation(String),
}

/// Whether a function is always zero.
fn is_still(function: &Function) -> bool {
    function.is_constant() && function.value(0.0) == Ok(0.0)
}

/// A mechanism with its drives as controls.
#[derive(Debug, Clone)]
pub struct Multibody {
    dimension: usize,
    gravity: Vector3<f64>,
    nodes: Vec<Node>,
    elements: Vec<Element>,
    rows: Vec<(String, Row)>,
    loads: Vec<Load>,
    pulls: Vec<Pull>,
    effects: Vec<Effect>,
    controls: Vec<String>,
    quantities: Vec<(String, Quantity)>,
    /// Rods and bodies by name, as they are drawn.
    tracks: Vec<Track>,
    /// Frames with an orientation, by name; space.
    orientations: Vec<(String, Placed)>,
    /// Elements of the rods by name: first, end.
    rods: Vec<(String, std::ops::Range<usize>)>,
}

impl Multibody {
    /// Takes a machine apart into nodes, energies, forces and constraints. Named places of rods, besides their ends, get
    /// quantities of their own.
    pub fn new(machine: &Machine, mentioned: &[(String, Frame)]) -> Result<Self, MechanismError> {
        let structure = &machine.structure;
        structure.supports.iter().try_for_each(rows::check_support)?;
        if let Some(load) = structure.line_loads.first() {
            return Err(MechanismError::LineLoad(load.name.clone()));
        }
        let clamped = structure.supports.iter().filter(|support| rows::clamps(structure, support));
        let clamped: Vec<Frame> = clamped.map(|support| support.at).collect();
        let mut places = Placement::new(machine, &clamped)?;
        let elements = rods::elements(structure, &mut places)?;
        for (body, part) in structure.bodies.iter().enumerate() {
            let Placed { node, pose, .. } = places.bodies[body];
            if let Some(node) = node {
                let turn = pose.orientation.matrix();
                places.nodes[node].add_mass(part.mass, pose.position, &(turn * part.inertia * turn.transpose()));
            }
        }
        check_masses(structure.dimension, &places.nodes)?;
        let rows = rows::rows(machine, &places)?;
        let loads = structure.loads.iter().map(|load| Load {
            at: places.of(load.at),
            force: load.force.clone(),
            torque: load.torque.clone(),
            follows: load.follows,
        });
        let loads = loads.collect();
        let pulls = machine.structure.springs.iter().map(|spring| pull(machine, &places, spring)).collect();
        let (controls, effects) = effects(machine, &places).into_iter().unzip();
        let quantities = quantities::quantities(machine, &places, mentioned);
        let orientations = quantities::orientations(machine, &places, mentioned);
        let tracks = motion::tracks(machine, &places);
        let mut rods: Vec<_> = structure.rods.iter().map(|rod| (rod.name.clone(), 0..0)).collect();
        for (index, element) in elements.iter().enumerate() {
            let range = &mut rods[element.rod].1;
            *range = if range.end == 0 { index..index + 1 } else { range.start..index + 1 };
        }
        let (dimension, gravity) = (structure.dimension, structure.gravity);
        let nodes = places.nodes;
        let mut made = Self {
            dimension,
            gravity,
            nodes,
            elements,
            rows,
            loads,
            pulls,
            effects,
            controls,
            quantities,
            tracks,
            orientations,
            rods,
        };
        made.unstrained();
        made.check_rows()?;
        Ok(made)
    }

    /// Springs without a stated rest are without force in the reference configuration.
    fn unstrained(&mut self) {
        let reference = self.reference();
        let measures: Vec<Measure> = self.pulls.iter().map(|pull| pull.measure).collect();
        let values = self.evaluate(&reference, |view| measures.iter().map(|measure| measure.value(view)).collect());
        for (pull, value) in self.pulls.iter_mut().zip(values.unwrap_or_default()) {
            if pull.rest.is_nan() {
                pull.rest = value;
            }
        }
    }

    /// The reference configuration.
    pub fn reference(&self) -> Vec<f64> {
        let mut q = Vec::new();
        for node in &self.nodes {
            q.extend(node.pose.position.iter().take(self.dimension));
            match (node.turns, self.dimension) {
                (false, _) => {}
                (true, 2) => q.push(node.angle),
                (true, _) => q.extend(node.pose.orientation.to_array()),
            }
        }
        q
    }

    /// The Lagrangian without the energies of rods.
    fn without_rods<'g>(&self, view: &View<'_, 'g>) -> Expr<'g> {
        let masses = (0..self.nodes.len()).map(|node| forces::inertia(view, node));
        let springs = self.pulls.iter().filter(|pull| pull.stiffness != 0.0);
        let springs = springs.map(|pull| (-0.5 * pull.stiffness) * (pull.measure.value(view) - pull.rest).square());
        view.at.graph.sum(masses.chain(springs).collect::<Vec<_>>())
    }

    /// Whether joints or supports tie coordinates to each other.
    pub fn has_joints(&self) -> bool {
        self.rows.iter().any(|(_, row)| !matches!(row, Row::Unit(_)))
    }

    /// Number of ways in which it can move.
    pub fn freedoms(&self) -> usize {
        self.reference().len() - self.rows.len()
    }
}

/// What moves must have mass, what turns inertia.
fn check_masses(dimension: usize, nodes: &[Node]) -> Result<(), MechanismError> {
    for node in nodes {
        let least = if dimension == 2 { node.inertia[(2, 2)] } else { node.inertia.symmetric_eigenvalues().min() };
        let (how, what) = match (node.mass > 0.0, node.turns && !(least > 0.0)) {
            (false, _) => ("move", "mass"),
            (true, true) => ("turn", "inertia"),
            (true, false) => continue,
        };
        return Err(MechanismError::Massless { frame: node.name.clone(), how, what });
    }
    Ok(())
}

fn pull(machine: &Machine, places: &Placement, spring: &crate::models::machine::Spring) -> Pull {
    let measure = match spring.place {
        SpringPlace::Between(frames, points) => {
            let [a, b] = [0, 1].map(|side| places.point(frames[side], points[side]));
            Measure::Distance(a, b)
        }
        SpringPlace::Joint(joint) => {
            let [a, b] = machine.structure.sides(joint).map(|(frame, point)| places.point(frame, point));
            match (machine.structure.turning_axis(joint), machine.structure.sliding_axis(joint)) {
                (_, Some(axis)) => Measure::Way(a, b, axis),
                (Some(axis), None) => Measure::Angle(a, b, axis),
                (None, None) => Measure::Distance(a, b),
            }
        }
    };
    Pull { measure, stiffness: spring.stiffness, damping: spring.damping, rest: spring.rest.unwrap_or(f64::NAN) }
}

fn effects(machine: &Machine, places: &Placement) -> Vec<(String, Effect)> {
    let mut effects = Vec::new();
    for drive in &machine.drives {
        let (on, joint) = match drive.place {
            DrivePlace::Frame(frame) => ([Placed::fixed(Vector3::zeros()), places.of(frame)], None),
            DrivePlace::Joint(joint) => {
                (machine.structure.sides(joint).map(|(frame, point)| places.point(frame, point)), Some(joint))
            }
        };
        for (name, component) in &drive.components {
            let axis = joint.and_then(|joint| match component {
                Component::AlongAxis => machine.structure.sliding_axis(joint),
                _ => machine.structure.turning_axis(joint),
            });
            let axis = axis.unwrap_or_else(Vector3::z);
            let name = format!("{}.{name}", drive.name);
            effects.push((name, Effect { on, component: *component, axis, follows: drive.follows }));
        }
    }
    effects
}

impl Mechanics for Multibody {
    fn coordinates(&self) -> Vec<String> {
        let components: &[&str] =
            if self.dimension == 2 { &["x", "y", "angle"] } else { &["x", "y", "z", "p0", "p1", "p2", "p3"] };
        let count = |node: &Node| if node.turns { components.len() } else { self.dimension };
        let of =
            |node: &Node| components[..count(node)].iter().map(|c| format!("{}.{c}", node.name)).collect::<Vec<_>>();
        self.nodes.iter().flat_map(of).collect()
    }

    fn controls(&self) -> Vec<String> {
        self.controls.clone()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let view = View { body: self, at };
        let strains = self.elements.iter().map(|element| -element.energy(&view)).collect::<Vec<_>>();
        self.without_rods(&view) + at.graph.sum(strains)
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        let view = View { body: self, at };
        let mut sums = Sums::new(&view);
        self.effects.iter().zip(&at.u).for_each(|(effect, u)| sums.control(effect, *u));
        self.loads.iter().for_each(|load| sums.load(load));
        self.pulls.iter().for_each(|pull| sums.damper(pull));
        self.elements.iter().filter_map(|element| element.damping(&view)).for_each(|forces| sums.add(forces));
        sums.finish()
    }

    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        let view = View { body: self, at };
        self.rows.iter().map(|(name, row)| (name.clone(), row.value(&view))).collect()
    }

    fn chart(&self) -> Option<Chart> {
        chart::chart(self)
    }

    fn stresses(&self) -> Vec<String> {
        let of = |(number, element): (usize, &Element)| {
            let (rod, range) = &self.rods[element.rod];
            let place = number - range.start + 1;
            element
                .stresses(self.dimension)
                .iter()
                .map(|i| format!("{} in element {place} of {rod}", rods::STRAINS[*i]))
                .collect::<Vec<_>>()
        };
        self.elements.iter().enumerate().flat_map(of).collect()
    }

    fn mixed_lagrangian<'g>(&self, at: &At<'g>, stresses: &[Expr<'g>]) -> Expr<'g> {
        let view = View { body: self, at };
        let mut first = 0;
        let strains = self.elements.iter().map(|element| {
            let count = element.stresses(self.dimension).len();
            first += count;
            -element.mixed_energy(&view, &stresses[first - count..first])
        });
        let strains: Vec<Expr<'g>> = strains.collect();
        self.without_rods(&view) + at.graph.sum(strains)
    }
}
