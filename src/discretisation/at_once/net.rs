//! A row of rods as layers of nodes: strips between them, what joins rods, what is prescribed, and what is to be found.

use nalgebra::{Matrix3, RowVector6, Vector3, Vector6};

use crate::discretisation::chain::{Moving, RodChain, SectionPlace};
use crate::discretisation::galerkin::space::{SpaceStrip, cross_matrix, join};
use crate::discretisation::march::space::turning::logarithm;
use crate::geometry::Pose;
use crate::mechanism::BadFunction;

/// A layer of nodes.
#[derive(Debug, Clone)]
pub struct Node {
    /// Its rod, by the place of the leg.
    pub leg: usize,
    /// Arc length, metre.
    pub s: f64,
    /// The section there, if it is a boundary of elements of the user's grid.
    pub section: Option<usize>,
    /// J⁻¹ of the section.
    pub per_inertia: Matrix3<f64>,
    /// Unit of angular momenta per length, of the size of J: unknowns are then angular velocities, kg m.
    pub unit: f64,
}

/// The strip between two neighbouring layers.
#[derive(Debug, Clone)]
pub struct Span {
    /// Layers of smaller and larger s.
    pub ends: [usize; 2],
    /// What resists there.
    pub strip: SpaceStrip,
    /// Place of the leg.
    pub leg: usize,
    /// Its middle, metre.
    pub middle: f64,
}

/// The last layer of a rod and the first one of the next, which move together.
#[derive(Debug, Clone, Copy)]
pub struct Junction {
    /// The layers.
    pub nodes: [usize; 2],
    /// The second relative to the first.
    pub passage: Pose,
}

/// A force or torque that is to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// Of an actuator.
    Drive(usize),
    /// Of a support.
    Reaction {
        /// Its guide.
        guide: usize,
        /// Force or torque along an axis of space.
        component: usize,
    },
    /// On the first section of a rod from the last one of the rod before.
    Inner {
        /// Place among the junctions.
        junction: usize,
        /// Force or torque along an axis of space, about the first section.
        component: usize,
    },
}

/// An equation without a balance: a prescribed coordinate, or two sections that move together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// A component of a guided frame.
    Guide {
        /// The guide.
        guide: usize,
        /// The component.
        component: usize,
    },
    /// A component at a junction.
    Joined {
        /// The junction.
        junction: usize,
        /// The component.
        component: usize,
    },
}

/// Rods in a row, cut into layers.
#[derive(Debug, Clone)]
pub struct Net<'a> {
    /// The rods.
    pub chain: &'a RodChain,
    /// Components of motion that there are: positions 0, 1, 2 and rotations 3, 4, 5.
    pub components: &'static [usize],
    /// Layers.
    pub nodes: Vec<Node>,
    /// Strips.
    pub spans: Vec<Span>,
    /// Where rods meet.
    pub junctions: Vec<Junction>,
    /// What is to be found.
    pub forces: Vec<Force>,
    /// As many conditions.
    pub conditions: Vec<Condition>,
}

impl<'a> Net<'a> {
    /// `substeps` layers for each element; the name of a rod without rotary inertia if there is one.
    pub fn new(chain: &'a RodChain, substeps: usize) -> Result<Self, String> {
        let (mut nodes, mut spans, mut junctions) = (Vec::new(), Vec::new(), Vec::<Junction>::new());
        for (index, leg) in chain.legs.iter().enumerate() {
            let rod = chain.rod(leg);
            if index > 0 {
                let passage = chain.passage(&chain.legs[index - 1], leg);
                junctions.push(Junction { nodes: [nodes.len() - 1, nodes.len()], passage });
            }
            for step in 0..=rod.elements * substeps {
                let s = leg.layer(rod, substeps, step);
                let per_inertia = match rod.kind.is_limp() {
                    true => Matrix3::identity(),
                    false => (rod.section)(s).inertia.try_inverse().ok_or_else(|| rod.name.clone())?,
                };
                let boundary = leg.boundary(step / substeps, rod.elements);
                let section = (step % substeps == 0).then_some(leg.first + boundary);
                if step > 0 {
                    let before = leg.layer(rod, substeps, step - 1);
                    let (here, last) = (nodes.len(), nodes.len() - 1);
                    let ends = if before < s { [last, here] } else { [here, last] };
                    let strip = SpaceStrip::new(rod, before.min(s), before.max(s));
                    spans.push(Span { ends, strip, leg: index, middle: 0.5 * (before + s) });
                }
                let unit = 3.0 / per_inertia.trace();
                nodes.push(Node { leg: index, s, section, per_inertia, unit });
            }
        }
        let components = chain.components();
        let mut forces: Vec<Force> = (0..chain.drives.len()).map(Force::Drive).collect();
        let mut conditions = Vec::new();
        for (guide, held) in chain.guides.iter().enumerate() {
            for &component in &held.holds {
                conditions.push(Condition::Guide { guide, component });
                if held.is_support {
                    forces.push(Force::Reaction { guide, component });
                }
            }
        }
        for junction in 0..junctions.len() {
            for &component in components {
                forces.push(Force::Inner { junction, component });
                conditions.push(Condition::Joined { junction, component });
            }
        }
        Ok(Self { chain, components, nodes, spans, junctions, forces, conditions })
    }

    /// The layer of a section.
    pub fn node_of(&self, section: usize) -> usize {
        self.nodes.iter().position(|node| node.section == Some(section)).unwrap_or(0)
    }

    fn place_of(&self, force: Force) -> Option<SectionPlace> {
        match force {
            Force::Drive(drive) => Some(self.chain.drive_place(drive)),
            Force::Reaction { guide, .. } => Some(self.chain.guide_place(guide)),
            Force::Inner { .. } => None,
        }
    }

    /// The layers a force acts on.
    pub fn nodes_of_force(&self, force: Force) -> Vec<usize> {
        match (force, self.place_of(force)) {
            (Force::Inner { junction, .. }, _) => self.junctions[junction].nodes.to_vec(),
            (_, Some(place)) => vec![self.node_of(place.section)],
            _ => Vec::new(),
        }
    }

    /// The layers a condition is about.
    pub fn nodes_of_condition(&self, condition: Condition) -> Vec<usize> {
        match condition {
            Condition::Guide { guide, .. } => vec![self.node_of(self.chain.guide_place(guide).section)],
            Condition::Joined { junction, .. } => self.junctions[junction].nodes.to_vec(),
        }
    }

    /// The unit of a force about the section of a layer at a pose.
    pub fn unit(&self, force: Force, node: usize, pose: &Pose) -> Vector6<f64> {
        let along = |component: usize, arm: Vector3<f64>| {
            let axis = Vector3::ith(component % 3, 1.0);
            let torque = arm.cross(&axis);
            match component < 3 {
                true => Vector6::new(axis[0], axis[1], axis[2], torque[0], torque[1], torque[2]),
                false => Vector6::new(0.0, 0.0, 0.0, axis[0], axis[1], axis[2]),
            }
        };
        match force {
            Force::Drive(drive) => self.chain.unit(drive, pose),
            Force::Reaction { guide, component } => {
                along(component, pose.orientation.rotate(self.chain.guide_place(guide).lever.position))
            }
            Force::Inner { junction, component } => {
                let Junction { nodes, passage } = self.junctions[junction];
                match node == nodes[1] {
                    true => along(component, Vector3::zeros()),
                    false => -along(component, pose.orientation.rotate(passage.position)),
                }
            }
        }
    }

    /// Layers on which stations or forces act, with those forces.
    pub fn attached(&self) -> Vec<(usize, Vec<usize>)> {
        let places: Vec<Vec<usize>> = self.forces.iter().map(|force| self.nodes_of_force(*force)).collect();
        let acts = |node: usize| -> Vec<usize> { (0..places.len()).filter(|f| places[*f].contains(&node)).collect() };
        let is_heavy = |node: &Node| node.section.is_some_and(|section| self.chain.station(section).is_some());
        let all = self.nodes.iter().enumerate().map(|(i, node)| (i, is_heavy(node), acts(i)));
        all.filter(|(_, heavy, forces)| *heavy || !forces.is_empty()).map(|(i, _, forces)| (i, forces)).collect()
    }

    /// Known forces on the station of a layer.
    pub fn known(&self, node: usize, t: f64, moving: &Moving) -> Result<Vector6<f64>, BadFunction> {
        let station = self.nodes[node].section.and_then(|section| self.chain.station(section));
        let Some(station) = station else { return Ok(Vector6::zeros()) };
        let known = self.chain.known(station, t, moving)?;
        let (f, m) = (known.force, known.torque);
        Ok(Vector6::new(f[0], f[1], f[2], m[0], m[1], m[2]))
    }

    /// A guided frame with its layer at a pose.
    pub fn guided(&self, guide: usize, pose: &Pose) -> Pose {
        let lever = self.chain.guide_place(guide).lever;
        Pose { position: pose.point(lever.position), orientation: pose.orientation * lever.orientation }
    }

    /// The value of a condition and its derivatives by positions and rotations of its layers; `target` is where a guided frame
    /// is to be.
    pub fn condition(&self, condition: Condition, poses: &[Pose], target: &Pose) -> (f64, [RowVector6<f64>; 2]) {
        let (found, wanted, component, arm) = match condition {
            Condition::Guide { guide, component } => {
                let found = self.guided(guide, &poses[0]);
                (found, *target, component, found.position - poses[0].position)
            }
            Condition::Joined { junction, component } => {
                let passage = self.junctions[junction].passage;
                let first = &poses[0];
                let wanted = Pose {
                    position: first.point(passage.position),
                    orientation: first.orientation * passage.orientation,
                };
                (poses[1], wanted, component, first.position - wanted.position)
            }
        };
        let mut slopes = [RowVector6::zeros(); 2];
        let own = if matches!(condition, Condition::Guide { .. }) { 0 } else { 1 };
        slopes[own][component] = 1.0;
        let value = match component.checked_sub(3) {
            None => found.position[component] - wanted.position[component],
            Some(axis) => {
                let turn = wanted.orientation.rotate(logarithm(wanted.orientation, found.orientation));
                turn[axis]
            }
        };
        // δ(x + R a) = δx − [R a]× δφ; at a junction the other way round for the layer before.
        let other = if own == 1 { 0 } else { own };
        if own == 1 {
            slopes[0][component] = -1.0;
        }
        if component < 3 {
            let lever = -cross_matrix(arm).row(component).into_owned();
            slopes[other].fixed_columns_mut::<3>(3).copy_from(&lever);
        }
        (value, slopes)
    }

    /// Load of half a strip on one of its layers, in space.
    pub fn line(&self, span: &Span, pose: &Pose, t: f64) -> Result<Vector6<f64>, BadFunction> {
        let loads = self.chain.loads_along(&self.chain.legs[span.leg]);
        let [force, torque] = loads.in_space(span.middle, t, pose.orientation)?;
        Ok(join(force, torque) * (0.5 * span.strip.length))
    }

    /// A layer in the user's words.
    pub fn place_name(&self, node: usize) -> String {
        let Node { leg, s, .. } = &self.nodes[node];
        format!("rod `{}` at s = {s:.4}", self.chain.rod(&self.chain.legs[*leg]).name)
    }

    /// A force in the user's words.
    pub fn force_name(&self, force: Force) -> String {
        match force {
            Force::Drive(drive) => {
                let point = &self.chain.drives[drive];
                let frame = self.chain.mechanism.frame_name(point.frame);
                format!("{} on `{frame}`", FORCES[point.component])
            }
            Force::Reaction { guide, component } => {
                format!("{} of support `{}`", FORCES[component], self.chain.guides[guide].name)
            }
            Force::Inner { junction, component } => {
                format!("{} between rods on {}", FORCES[component], self.place_name(self.junctions[junction].nodes[1]))
            }
        }
    }

    /// A condition in the user's words.
    pub fn condition_name(&self, condition: Condition) -> String {
        match condition {
            Condition::Guide { guide, component } => {
                format!("prescribed {} of `{}`", COORDINATES[component], self.chain.guides[guide].name)
            }
            Condition::Joined { junction, component } => {
                let node = self.junctions[junction].nodes[1];
                format!("common {} of rods on {}", COORDINATES[component], self.place_name(node))
            }
        }
    }
}

/// Names of components of motion.
pub const COORDINATES: [&str; 6] = ["x", "y", "z", "rotation about x", "rotation about y", "rotation about z"];
const FORCES: [&str; 6] = ["force_x", "force_y", "force_z", "torque about x", "torque about y", "torque about z"];
