//! What keeps a mechanism from being a net of straight, uniform, unstressed members.

use std::fmt;

use nalgebra::Vector3;

use crate::material::Section;
use crate::mechanism::{Mechanism, RodPart};

/// What counts of a mechanism that is asked for its modes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Circumstances {
    /// Whether gravity, loads and displacements of supports act: the mechanism vibrates about its equilibrium.
    pub loaded: bool,
    /// Whether damping counts.
    pub damped: bool,
    /// The instant for which loads are taken, second.
    pub instant: f64,
}

/// Where an obstacle is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Culprit {
    /// The mechanism as a whole.
    Mechanism,
    /// Gravity.
    Gravity,
    /// A rod, by its place in [`Mechanism::rods`].
    Rod(usize),
    /// A load on a frame.
    Load(usize),
    /// A load along a rod.
    LineLoad(usize),
    /// A support.
    Support(usize),
}

/// Why exact member matrices do not exist, or are not known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// There is no rod.
    NoRod,
    /// Strings resist across only under tension.
    String,
    /// The axis is curved.
    Curved,
    /// The directors turn about the axis.
    Twisted,
    /// The section changes along the rod.
    Tapered,
    /// The rod is stressed in its reference shape.
    Prestrained,
    /// Damping makes the frequencies complex.
    Damped,
    /// Mass or elastic centre lie beside the axis.
    Offset,
    /// The section couples stretch, twist and bending in two planes.
    Coupled,
    /// A stiffness or inertia is missing.
    Deficient,
    /// Forces of a fluid, or of loads by the motion of their frames.
    Resisted,
    /// Loads change the frequencies.
    Loaded,
    /// A support is moved away from the reference.
    Displaced,
    /// The rod is a rigid part.
    Rigid,
    /// There are springs or dampers.
    Sprung,
    /// The frame turns.
    Turning,
}

/// One obstacle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Obstacle {
    /// Where.
    pub culprit: Culprit,
    /// What.
    pub trouble: Trouble,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trouble::NoRod => "has no rod",
            Trouble::Rigid => "is a rigid part",
            Trouble::Sprung => "has springs or dampers",
            Trouble::Turning => "turns steadily ([spin])",
            Trouble::String => "is a string, which resists across only under tension",
            Trouble::Curved => "is curved",
            Trouble::Twisted => "is twisted about its axis",
            Trouble::Tapered => "has a section that changes along it",
            Trouble::Prestrained => "is stressed by its prestrain",
            Trouble::Damped => "is damped",
            Trouble::Offset => "has its mass or elastic centre beside its axis",
            Trouble::Coupled => "has a section that couples stretch, shear, bending and twist with each other",
            Trouble::Deficient => "lacks a stiffness or an inertia",
            Trouble::Resisted => "has forces by velocity, of a fluid or of loads",
            Trouble::Loaded => "loads the mechanism",
            Trouble::Displaced => "moves the mechanism out of its reference shape",
        })
    }
}

impl Obstacle {
    /// The obstacle in the user's words.
    pub fn describe(&self, mechanism: &Mechanism) -> String {
        let who = match self.culprit {
            Culprit::Mechanism => "the mechanism".to_owned(),
            Culprit::Gravity => "gravity".to_owned(),
            Culprit::Rod(rod) => format!("rod `{}`", mechanism.rods[rod].name),
            Culprit::Load(load) => format!("load `{}`", mechanism.loads[load].name),
            Culprit::LineLoad(load) => format!("load `{}`", mechanism.line_loads[load].name),
            Culprit::Support(support) => format!("support `{}`", mechanism.supports[support].name),
        };
        format!("{who} {}", self.trouble)
    }
}

/// Everything in the way of exact member matrices.
pub fn obstacles(mechanism: &Mechanism, at: Circumstances) -> Vec<Obstacle> {
    let mut found = Vec::new();
    let mut tell = |culprit, trouble| found.push(Obstacle { culprit, trouble });
    if mechanism.rods.is_empty() {
        tell(Culprit::Mechanism, Trouble::NoRod);
    }
    if mechanism.spin.is_some() {
        tell(Culprit::Mechanism, Trouble::Turning);
    }
    if at.damped && mechanism.fluid.is_there() {
        tell(Culprit::Mechanism, Trouble::Resisted);
    }
    if !mechanism.springs.is_empty() {
        tell(Culprit::Mechanism, Trouble::Sprung);
    }
    for (index, rod) in mechanism.rods.iter().enumerate() {
        for trouble in of_rod(rod, mechanism.dimension, at.damped) {
            tell(Culprit::Rod(index), trouble);
        }
    }
    if at.loaded {
        if mechanism.gravity != Vector3::zeros() {
            tell(Culprit::Gravity, Trouble::Loaded);
        }
        (0..mechanism.loads.len()).for_each(|load| tell(Culprit::Load(load), Trouble::Loaded));
        (0..mechanism.line_loads.len()).for_each(|load| tell(Culprit::LineLoad(load), Trouble::Loaded));
        for (index, support) in mechanism.supports.iter().enumerate() {
            let functions = support.displacement.iter().flatten().chain(support.rotation.iter().flatten());
            if functions.into_iter().any(|function| function.value(at.instant) != Ok(0.0)) {
                tell(Culprit::Support(index), Trouble::Displaced);
            }
        }
    }
    found
}

/// Places along a rod where its shape and section are looked at: ends and middles of elements, at least 32 of them.
fn places(rod: &RodPart) -> impl Iterator<Item = f64> + '_ {
    let count = 2 * rod.elements.clamp(16, 1000);
    (0..=count).map(move |i| rod.length * i as f64 / count as f64)
}

fn of_rod(rod: &RodPart, dimension: usize, damping: bool) -> Vec<Trouble> {
    if rod.kind.is_limp() {
        return vec![Trouble::String];
    }
    if rod.kind.is_rigid() {
        return vec![Trouble::Rigid];
    }
    let mut found = Vec::new();
    let start = (rod.reference)(0.0);
    let [d1, d3] = [Vector3::x(), Vector3::z()].map(|axis| start.orientation.rotate(axis));
    let poses = || places(rod).map(|s| (s, (rod.reference)(s)));
    let bent = |s: f64, position: Vector3<f64>| (position - start.position - d3 * s).norm() > 1e-8 * rod.length;
    if poses().any(|(s, pose)| bent(s, pose.position)) {
        found.push(Trouble::Curved);
    } else if poses().any(|(_, pose)| (pose.orientation.rotate(Vector3::x()) - d1).norm() > 1e-8) {
        found.push(Trouble::Twisted);
    }
    let section = (rod.section)(0.0);
    if places(rod).any(|s| differ(&section, &(rod.section)(s))) {
        found.push(Trouble::Tapered);
    }
    if rod.prestrain.as_ref().is_some_and(|strain| places(rod).any(|s| strain(s).amax() != 0.0)) {
        found.push(Trouble::Prestrained);
    }
    if damping && places(rod).any(|s| (rod.section)(s).damping.amax() > 0.0) {
        found.push(Trouble::Damped);
    }
    if section.mass_offset != [0.0; 2] || section.elastic_offset != [0.0; 2] {
        found.push(Trouble::Offset);
    }
    // In the plane only shear 1, stretch and bending about d₂ occur.
    let rows: &[usize] = if dimension == 2 { &[0, 2, 4] } else { &[0, 1, 2, 3, 4, 5] };
    let turns: &[usize] = if dimension == 2 { &[1] } else { &[0, 1, 2] };
    let c = &section.stiffness;
    let off_diagonal = |i: usize, j: usize| i != j && c[(i, j)].abs() > 1e-12 * (c[(i, i)] * c[(j, j)]).abs().sqrt();
    let turning = |i: usize, j: usize| i != j && section.inertia[(i, j)].abs() > 1e-12 * section.inertia.amax();
    if rows.iter().any(|&i| rows.iter().any(|&j| off_diagonal(i, j)))
        || turns.iter().any(|&i| turns.iter().any(|&j| turning(i, j)))
    {
        found.push(Trouble::Coupled);
    }
    let needed = rows.iter().filter(|&&i| i > 1 || !rod.kind.is_unsheared());
    // Beams may do without rotary inertia, but nothing else would resist to twist faster and faster.
    let twists = dimension == 2 || section.inertia[(2, 2)] > 0.0;
    if !(needed.into_iter().all(|&i| c[(i, i)] > 0.0) && section.mass > 0.0 && twists) {
        found.push(Trouble::Deficient);
    }
    found
}

/// Whether two sections differ by more than rounding.
fn differ(a: &Section, b: &Section) -> bool {
    let stiffness = (a.stiffness - b.stiffness).amax() > 1e-12 * a.stiffness.amax();
    let entries = (0..6).any(|i| (a.stiffness[(i, i)] / b.stiffness[(i, i)] - 1.0).abs() > 1e-12);
    let mass = (a.mass - b.mass).abs() > 1e-12 * a.mass;
    let inertia = (a.inertia - b.inertia).amax() > 1e-12 * a.inertia.amax();
    stiffness || entries || mass || inertia || a.mass_offset != b.mass_offset || a.elastic_offset != b.elastic_offset
}
