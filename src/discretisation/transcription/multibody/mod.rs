//! Mechanisms of bodies, rods, joints, springs and drives as systems of optimal control.
//!
//! The nodes, energies, masses, joints and loads are those of the [`Assembly`], evaluated over expressions of a graph. A node
//! has (x, y, θ) in the plane and (x, y, z; p) with a unit quaternion in space, where the length of p is a constraint like
//! those of the joints. Nodes that supports hold completely have no coordinates: they are where the supports put them.

mod chart;
mod configuration;
mod error;
mod held;
mod motion;
mod names;
mod quantities;
mod rods;
mod rows;
mod transfer;
mod turning;
mod view;

use std::sync::Arc;

use super::{At, Chart, Mechanics};
use crate::discretisation::assembly::{Assembly, build, effects};
use crate::mechanism::{Frame, Mechanism};
use crate::nlp::graph::Expr;
use crate::terms::{Effect, inertia};
pub use configuration::{Configuration, ConfigurationError, Wish};
pub use error::MultibodyError;
pub use motion::Track;
pub use quantities::JointMotion;
use quantities::Quantity;
use rods::Stressed;
use rows::Row;
pub use turning::TurnOutputs;
use view::View;

/// A mechanism with its drives as controls.
#[derive(Debug, Clone)]
pub struct Multibody {
    dimension: usize,
    mechanism: Arc<Mechanism>,
    assembly: Assembly,
    /// Whether supports hold a node completely.
    held: Vec<bool>,
    /// Place among the coordinates of each coordinate of the assembly; none of nodes that are held.
    places: Vec<Option<usize>>,
    /// The coordinates of the assembly that are coordinates here, with their names.
    coordinates: Vec<(usize, String)>,
    /// A frame that coincides with each node.
    node_names: Vec<String>,
    rows: Vec<(String, Row)>,
    effects: Vec<Effect>,
    controls: Vec<String>,
    quantities: Vec<(String, Quantity)>,
    /// Frames by name.
    frames: Vec<(String, Frame)>,
    /// Rods and bodies by name, as they are drawn.
    tracks: Vec<Track>,
    /// Frames with an orientation, by name; space.
    orientations: Vec<(String, crate::terms::Attachment)>,
    /// Names of the rods.
    rods: Vec<String>,
    /// Elements of rods, as far as stresses can be unknowns.
    stressed: Vec<Stressed>,
}

impl Multibody {
    /// Takes a machine apart into nodes, energies, forces and constraints. Named places of rods, besides their ends, get
    /// quantities of their own.
    pub fn new(mechanism: &Mechanism, mentioned: &[(String, Frame)]) -> Result<Self, MultibodyError> {
        let assembly = build(mechanism);
        let held = held::held_nodes(&assembly);
        if held.iter().all(|held| *held) {
            return Err(MultibodyError::NothingMoves);
        }
        error::check_joints(mechanism, &assembly)?;
        let node_names = names::node_names(mechanism, &assembly);
        error::check_masses(&assembly, &held, &node_names)?;
        let (places, coordinates) = names::coordinates(&assembly, &held, &node_names);
        let rows = rows::rows(&assembly, &held, &node_names);
        let (controls, effects) = effects(mechanism, &assembly).into_iter().unzip();
        let frames = quantities::frames(mechanism, mentioned);
        let mut made = Self {
            dimension: mechanism.dimension,
            mechanism: Arc::new(mechanism.clone()),
            quantities: quantities::quantities(mechanism, &assembly, &held, &node_names, &frames),
            orientations: quantities::orientations(&assembly, &held, &frames),
            frames,
            tracks: motion::tracks(mechanism, &assembly),
            rods: mechanism.rods.iter().map(|rod| rod.name.clone()).collect(),
            stressed: Vec::new(),
            assembly,
            held,
            places,
            coordinates,
            node_names,
            rows,
            effects,
            controls,
        };
        made.stressed = rods::stressed(&made);
        made.check_rows()?;
        Ok(made)
    }

    /// The reference configuration.
    pub fn reference(&self) -> Vec<f64> {
        self.coordinates.iter().map(|(place, _)| self.assembly.reference[*place]).collect()
    }

    /// What the user should know of joints that follow from others.
    pub fn redundancy(&self) -> Option<String> {
        self.assembly.repetition()
    }

    /// What it is made of.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// Frames that are told, by name.
    pub fn frames(&self) -> &[(String, Frame)] {
        &self.frames
    }

    /// The nodes, elements and joints it is made of.
    pub fn assembly(&self) -> &Assembly {
        &self.assembly
    }

    /// Kinetic energies less potentials of weight and of the elements that `stored` does not take.
    fn without<'g>(&self, view: &View<'_, 'g>, stored: impl Fn(usize) -> bool) -> Expr<'g> {
        let (nodes, moving) = (view.nodes(), view.moving());
        let gravity = self.assembly.gravity;
        let mut terms = Vec::new();
        for (node, mass) in self.assembly.masses.iter().enumerate().filter(|(node, _)| !self.held[*node]) {
            terms.push(inertia::kinetic(&moving, node, mass));
            if gravity != nalgebra::Vector3::zeros() {
                terms.push(-inertia::weight(&nodes, node, mass, &gravity));
            }
        }
        let elements = self.assembly.elements.iter().enumerate().filter(|(index, _)| !stored(*index));
        terms.extend(elements.map(|(_, element)| -element.energy_over(&nodes)));
        view.at.graph.sum(terms)
    }

    /// Whether joints or supports tie coordinates to each other.
    pub fn has_joints(&self) -> bool {
        self.rows.iter().any(|(_, row)| !matches!(row, Row::Unit(_)))
    }

    /// Number of ways in which it can move.
    pub fn freedoms(&self) -> usize {
        self.coordinates.len() - self.rows.len()
    }
}

impl Mechanics for Multibody {
    fn coordinates(&self) -> Vec<String> {
        self.coordinates.iter().map(|(_, name)| name.clone()).collect()
    }

    fn controls(&self) -> Vec<String> {
        self.controls.clone()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        self.without(&View::new(self, at), |_| false)
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        View::new(self, at).forces()
    }

    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        let view = View::new(self, at);
        self.rows.iter().map(|(name, row)| (name.clone(), row.value(&view))).collect()
    }

    fn chart(&self) -> Option<Chart> {
        chart::chart(self)
    }

    fn stresses(&self) -> Vec<String> {
        self.stressed.iter().flat_map(|part| part.names(self)).collect()
    }

    fn mixed_lagrangian<'g>(&self, at: &At<'g>, stresses: &[Expr<'g>]) -> Expr<'g> {
        let view = View::new(self, at);
        let mut first = 0;
        let mixed = self.stressed.iter().map(|part| {
            first += part.count();
            -part.energy(&view, &stresses[first - part.count()..first])
        });
        let mixed: Vec<Expr<'g>> = mixed.collect();
        let own = |index: usize| self.stressed.iter().any(|part| part.element == index);
        self.without(&view, own) + at.graph.sum(mixed)
    }
}
