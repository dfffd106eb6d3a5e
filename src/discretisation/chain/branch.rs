//! What hangs on a section without being on the way: bodies on joints, side rods, springs between them.
//!
//! The motion of the section is known, so a branch is an ordinary forward problem with a moving root; the force and torque that
//! the root applies to it are added to what the section needs.

use nalgebra::{Matrix3, Vector3};

use super::Leg;
use crate::discretisation::assembly::Assembly;
use crate::kernel::Function;
use crate::mechanism::spring::{Spring, SpringPlace};
use crate::mechanism::{
    BodyDrag, BodyPart, Fluid, Frame, JointPart, LineDrag, LineLoad, LoadPart, Mechanism, MotionLoad, SupportPart,
};

/// A mechanism whose root moves with a section.
#[derive(Debug, Clone)]
pub struct Branch {
    /// Number of the section among those of the chain.
    pub section: usize,
    /// Its parts, with a root without mass as the last body, held by the only support.
    pub mechanism: Mechanism,
    /// The names of its parts in the user's words.
    pub names: Vec<String>,
    /// Its rods and bodies, by their places in the whole mechanism.
    pub parts: [Vec<usize>; 2],
}

/// Sets of nodes that are connected without the way.
pub(super) struct Components {
    root: Vec<usize>,
}

impl Components {
    fn find(&self, mut node: usize) -> usize {
        while self.root[node] != node {
            node = self.root[node];
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.root[a.max(b)] = a.min(b);
    }

    /// Joins everything off the way that joints, rods and springs connect. Nodes on the way stay alone.
    pub(super) fn new(mechanism: &Mechanism, bare: &Assembly, on_the_way: &[usize], legs: &[Leg]) -> Self {
        let mut components = Self { root: (0..bare.layout.nodes()).collect() };
        for pair in connections(mechanism, bare, legs) {
            if pair.iter().all(|node| !on_the_way.contains(node)) {
                components.join(pair[0], pair[1]);
            }
        }
        components
    }

    /// Whether a node belongs to a component.
    pub(super) fn has(&self, component: usize, node: usize) -> bool {
        self.find(node) == component
    }

    /// The component of a node.
    pub(super) fn of(&self, node: usize) -> usize {
        self.find(node)
    }
}

/// Pairs of nodes that something off the way connects.
pub(super) fn connections(mechanism: &Mechanism, bare: &Assembly, legs: &[Leg]) -> Vec<[usize; 2]> {
    let node = |frame: Frame| bare.frame(frame).map(|at| at.node);
    let mut pairs = Vec::new();
    let mut connect = |frames: [Frame; 2]| {
        if let [Some(a), Some(b)] = frames.map(node) {
            pairs.push([a, b]);
        }
    };
    mechanism.joints.iter().for_each(|joint| connect(joint.between));
    for spring in &mechanism.springs {
        if let Some(frames) = spring.place.frames() {
            connect(frames);
        }
    }
    for (rod, part) in mechanism.rods.iter().enumerate() {
        if !legs.iter().any(|leg| leg.rod == rod) {
            (1..=part.elements).for_each(|boundary| {
                connect([boundary - 1, boundary].map(|boundary| Frame::Section { rod, boundary }));
            });
        }
    }
    pairs
}

impl Branch {
    /// The parts of a component that hangs on a section of a node.
    pub(super) fn new(
        mechanism: &Mechanism,
        bare: &Assembly,
        legs: &[Leg],
        belongs: &dyn Fn(usize) -> bool,
        (leg, boundary): (&Leg, usize),
    ) -> Self {
        let node = |frame: Frame| bare.frame(frame).map(|at| at.node);
        let own = |frame: Frame| node(frame).is_some_and(belongs);
        let bodies: Vec<usize> = (0..mechanism.bodies.len()).filter(|body| own(Frame::Body(*body))).collect();
        let inner =
            |rod: usize| (0..=mechanism.rods[rod].elements).any(|boundary| own(Frame::Section { rod, boundary }));
        let on_way = |rod: usize| legs.iter().any(|leg| leg.rod == rod);
        let rods: Vec<usize> = (0..mechanism.rods.len()).filter(|rod| !on_way(*rod) && inner(*rod)).collect();
        let root = Frame::Body(bodies.len());
        let section = Frame::Section { rod: leg.rod, boundary };
        let at_root = node(section);
        // Frames of the way move with the root; frames of the branch get their new places.
        let moved = |frame: Frame| -> Option<Frame> {
            match frame {
                Frame::Ground => Some(Frame::Ground),
                Frame::Body(body) => match bodies.iter().position(|own| *own == body) {
                    Some(place) => Some(Frame::Body(place)),
                    None => (node(frame) == at_root).then_some(root),
                },
                Frame::Section { rod, boundary } => match rods.iter().position(|own| *own == rod) {
                    Some(place) => Some(Frame::Section { rod: place, boundary }),
                    None => (node(frame) == at_root).then_some(root),
                },
            }
        };
        let touches = |frames: [Frame; 2]| frames.iter().any(|frame| own(*frame) || is_of(*frame, &rods));
        let both = |frames: [Frame; 2]| -> Option<[Frame; 2]> {
            let [a, b] = frames.map(moved);
            touches(frames).then_some([a?, b?])
        };
        let pose = mechanism.reference_pose(section);
        let mut out = Mechanism { spin: None, ..mechanism.clone() };
        out.rods = rods.iter().map(|rod| mechanism.rods[*rod].clone()).collect();
        out.bodies = bodies.iter().map(|body| mechanism.bodies[*body].clone()).collect();
        let names = out.rods.iter().map(|rod| rod.name.clone()).chain(out.bodies.iter().map(|body| body.name.clone()));
        let names = names.collect();
        out.bodies.push(BodyPart {
            name: "the section it hangs on".into(),
            mass: 0.0,
            inertia: Matrix3::zeros(),
            pose,
            velocity: Vector3::zeros(),
            spin: Vector3::zeros(),
        });
        let mut kept = Vec::new();
        out.joints = Vec::new();
        for (index, joint) in mechanism.joints.iter().enumerate() {
            if let Some(between) = both(joint.between) {
                kept.push(index);
                out.joints.push(JointPart { between, ..joint.clone() });
            }
        }
        // Sections of side rods that are welded to the way.
        for (place, rod) in rods.iter().enumerate() {
            for boundary in 0..=mechanism.rods[*rod].elements {
                let frame = Frame::Section { rod: *rod, boundary };
                if node(frame) == at_root {
                    let between = [root, Frame::Section { rod: place, boundary }];
                    let at = mechanism.reference_pose(frame).position;
                    out.joints.push(JointPart::rigid("", between, at));
                }
            }
        }
        let springs = mechanism.springs.iter().filter_map(|spring| {
            let place = match (spring.place, spring.place.frames()) {
                (SpringPlace::Joint(joint), _) => SpringPlace::Joint(kept.iter().position(|other| *other == joint)?),
                (place, frames) => place.between(both(frames?)?),
            };
            Some(Spring { place, ..spring.clone() })
        });
        out.springs = springs.collect();
        let loads = mechanism.loads.iter().filter(|load| own(load.at));
        out.loads = loads.filter_map(|load| Some(LoadPart { at: moved(load.at)?, ..load.clone() })).collect();
        let lines = mechanism.line_loads.iter().filter_map(|load| {
            let rod = rods.iter().position(|rod| *rod == load.rod)?;
            Some(LineLoad { rod, ..load.clone() })
        });
        out.line_loads = lines.collect();
        let fluid = &mechanism.fluid;
        let along = fluid.rods.iter().filter_map(|drag| {
            let rod = rods.iter().position(|rod| *rod == drag.rod)?;
            Some(LineDrag { rod, ..drag.clone() })
        });
        let on = fluid.bodies.iter().filter_map(|drag| {
            let body = bodies.iter().position(|body| *body == drag.body)?;
            Some(BodyDrag { body, ..*drag })
        });
        let by_motion = fluid.loads.iter().filter(|load| own(load.at));
        let by_motion = by_motion.filter_map(|load| Some(MotionLoad { at: moved(load.at)?, ..load.clone() }));
        let (current, loads) = (fluid.current.clone(), by_motion.collect());
        out.fluid = Fluid { current, rods: along.collect(), bodies: on.collect(), loads };
        let supports = mechanism.supports.iter().filter(|support| own(support.at));
        out.supports =
            supports.filter_map(|support| Some(SupportPart { at: moved(support.at)?, ..support.clone() })).collect();
        let still = || std::array::from_fn(|_| Function::constant(0.0));
        out.supports.push(SupportPart {
            name: "the section it hangs on".into(),
            at: root,
            displacement: still().map(Some),
            rotation: Some(still()),
        });
        Self { section: leg.first + boundary, mechanism: out, names, parts: [rods.clone(), bodies.clone()] }
    }

    /// The branch with its root moved: displacements and rotation vectors from the reference pose at instants `dt` apart.
    pub fn moved(&self, start: f64, dt: f64, displacement: [Vec<f64>; 3], rotation: [Vec<f64>; 3]) -> Mechanism {
        let mut mechanism = self.mechanism.clone();
        let functions = |values: [Vec<f64>; 3]| values.map(|values| Function::sampled(start, dt, values));
        if let Some(root) = mechanism.supports.last_mut() {
            root.displacement = functions(displacement).map(Some);
            root.rotation = Some(functions(rotation));
        }
        mechanism
    }

    /// Bodies and ends of rods, by their names in the problem file.
    pub fn frames(&self) -> Vec<(String, Frame)> {
        let rods = self.mechanism.rods.iter().enumerate();
        let ends = rods.flat_map(|(rod, part)| [0, part.elements].map(|boundary| Frame::Section { rod, boundary }));
        let bodies = (0..self.mechanism.bodies.len() - 1).map(Frame::Body);
        ends.chain(bodies).map(|frame| (self.mechanism.frame_name(frame), frame)).collect()
    }

    /// The frame that moves with the section.
    pub fn root(&self) -> Frame {
        Frame::Body(self.mechanism.bodies.len() - 1)
    }
}

/// Whether a frame is a section of one of these rods.
fn is_of(frame: Frame, rods: &[usize]) -> bool {
    matches!(frame, Frame::Section { rod, .. } if rods.contains(&rod))
}
