//! What can be told of a mechanism before anything is solved: masses, wave speeds, degrees of freedom.

use nalgebra::{Matrix3, Matrix6};

use super::{Frame, JointPart, Mechanism, RodKind, RodPart, WinchDrive, WinchPart};
use crate::material::Section;

/// Sizes of a mechanism.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// What is told of each rod, in the order of [`Mechanism::rods`].
    pub rods: Vec<RodSurvey>,
    /// Mass of rods and bodies together, kg.
    pub mass: f64,
    /// Coordinates of all nodes and bodies.
    pub unknowns: usize,
    /// Coordinates held or moved by supports.
    pub held: usize,
    /// Conditions of the joints.
    pub joined: usize,
    /// Conditions that sections stay perpendicular to the axis: one per element of a Kirchhoff rod, two in space.
    pub unsheared: usize,
}

/// Sizes of a rod.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RodSurvey {
    /// Nodes.
    pub nodes: usize,
    /// Coordinates of all nodes.
    pub unknowns: usize,
    /// Mass, kg.
    pub mass: f64,
    /// Slowest and fastest wave of the unstressed rod, m/s; none without inertia.
    pub waves: Option<[f64; 2]>,
}

impl Survey {
    /// Degrees of freedom left if no condition repeats another; negative if there are more conditions than unknowns.
    pub fn left(&self) -> i64 {
        self.unknowns as i64 - self.held as i64 - self.joined as i64 - self.unsheared as i64
    }
}

/// Sizes of a mechanism.
pub fn survey(mechanism: &Mechanism) -> Survey {
    let rods: Vec<RodSurvey> = mechanism.rods.iter().map(|rod| of_rod(rod, mechanism.dimension)).collect();
    let of_frame = |turns: bool| mechanism.dimension + if turns { rotations(mechanism.dimension) } else { 0 };
    let bodies: usize = (0..mechanism.bodies.len()).map(|b| of_frame(turns(mechanism, Frame::Body(b)))).sum();
    // What lies on a drum is the same as what hangs from it; its length is one more unknown.
    let stored = |winch: &WinchPart| {
        let rope = winch.counter.is_none().then(|| (mechanism.rods[winch.rope].section)(0.0).mass);
        winch.stored * rope.unwrap_or(0.0)
    };
    let led = |winch: &&WinchPart| matches!(winch.drive, WinchDrive::Length(_));
    let of_joint = |joint: &JointPart| {
        let both_turn = joint.between.iter().all(|frame| turns(mechanism, *frame));
        let conditions = joint.kind.conditions(mechanism.dimension);
        conditions.into_iter().filter(|(_, row)| both_turn || !row.is_of_rotations()).count()
    };
    Survey {
        mass: rods.iter().map(|rod| rod.mass).sum::<f64>()
            + mechanism.bodies.iter().map(|body| body.mass).sum::<f64>()
            + mechanism.winches.iter().map(stored).sum::<f64>(),
        unknowns: rods.iter().map(|rod| rod.unknowns).sum::<usize>() + bodies + mechanism.winches.len(),
        held: mechanism.winches.iter().filter(led).count()
            + (mechanism.supports.iter())
                .map(|support| {
                    let positions = support.displacement.iter().flatten().count();
                    positions + support.rotation.as_ref().map_or(0, |_| rotations(mechanism.dimension))
                })
                .sum::<usize>(),
        joined: mechanism.joints.iter().map(of_joint).sum(),
        unsheared: (mechanism.rods.iter().filter(|rod| rod.kind.is_unsheared()))
            .map(|rod| (mechanism.dimension - 1) * rod.elements)
            .sum(),
        rods,
    }
}

fn rotations(dimension: usize) -> usize {
    if dimension == 2 { 1 } else { 3 }
}

/// Whether a frame has an orientation: points of strings and point masses have none.
fn turns(mechanism: &Mechanism, frame: Frame) -> bool {
    match frame {
        Frame::Ground => true,
        Frame::Body(body) => mechanism.bodies[body].inertia.amax() > 0.0,
        Frame::Section { rod, .. } => mechanism.rods[rod].kind.turns(),
    }
}

fn of_rod(rod: &RodPart, dimension: usize) -> RodSurvey {
    let nodes = rod.elements * rod.order + 1;
    let frame = dimension + rotations(dimension);
    let of_node = if rod.kind.turns() { frame } else { dimension };
    let unknowns = if rod.kind.is_rigid() { frame } else { nodes * of_node };
    // Simpson's rule on each element, between its kinks.
    let mut sections: Vec<Section> = Vec::with_capacity(3 * rod.elements);
    let mut mass = 0.0;
    for element in 0..rod.elements {
        let (start, length) = rod.span(element);
        for (start, length) in rod.mesh.smooth_pieces(start, length) {
            for (place, weight) in [(0.0, 1.0), (0.5, 4.0), (1.0, 1.0)] {
                let section = (rod.section)(start + place * length);
                mass += section.mass * weight * length / 6.0;
                sections.push(section);
            }
        }
    }
    let speeds: Option<Vec<[f64; 2]>> =
        sections.iter().map(|section| wave_speeds(section, rod.kind, dimension)).collect();
    let waves = speeds
        .map(|speeds| speeds.iter().fold([f64::INFINITY, 0.0], |[low, high], [l, h]| [low.min(*l), high.max(*h)]));
    RodSurvey { nodes, unknowns, mass, waves }
}

/// Slowest and fastest wave front of a section, m/s: c² are the eigenvalues of inertia⁻¹ · stiffness in the strains that
/// occur.
fn wave_speeds(section: &Section, kind: RodKind, dimension: usize) -> Option<[f64; 2]> {
    if kind.is_rigid() {
        return None;
    }
    let rows = kind.strains(dimension);
    let mut inertia = Matrix6::zeros();
    inertia.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * section.mass));
    inertia.fixed_view_mut::<3, 3>(3, 3).copy_from(&section.inertia);
    let inertia = inertia.select_rows(rows).select_columns(rows);
    let stiffness = section.stiffness.select_rows(rows).select_columns(rows);
    let root = inertia.cholesky()?.inverse().cholesky()?.l();
    let squares = (root.transpose() * stiffness * root).symmetric_eigenvalues();
    let [low, high] = [squares.min(), squares.max()];
    (low >= 0.0 && high.is_finite()).then(|| [low.sqrt(), high.sqrt()])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nalgebra::Vector3;

    use super::*;
    use crate::geometry::Pose;
    use crate::kernel::Function;
    use crate::material::RodLaw;
    use crate::mechanism::{BodyPart, JointKind, SupportPart};

    /// A tapered rod on a clamp with a body at its end: mass by hand, speeds √(E/ρ), √(κG/ρ).
    #[test]
    fn a_cantilever_with_a_body() {
        let section = |s: f64| Section::principal(9.0, [4.0; 2], [0.9, 0.9], 0.4, 1.0 + s, [0.1, 0.1, 0.1]);
        let rod = RodPart {
            name: "arm".into(),
            kind: RodKind::Cosserat,
            length: 2.0,
            elements: 4,
            mesh: Default::default(),
            order: 3,
            quadrature: Default::default(),
            reference: Arc::new(|s| Pose { position: Vector3::x() * s, ..Pose::IDENTITY }),
            section: Arc::new(section),
            law: RodLaw::default(),
            prestrain: None,
            velocity: None,
        };
        let end = Frame::Section { rod: 0, boundary: 4 };
        let body = |inertia: f64| BodyPart {
            name: "load".into(),
            mass: 5.0,
            inertia: Matrix3::identity() * inertia,
            pose: Pose::IDENTITY,
            velocity: Vector3::zeros(),
            spin: Vector3::zeros(),
        };
        let zero = || std::array::from_fn(|_| Function::constant(0.0));
        let mut mechanism = Mechanism {
            rods: vec![rod],
            bodies: vec![body(1.0)],
            joints: vec![JointPart::at_point("grip", [Frame::Body(0), end], Vector3::x() * 2.0, JointKind::Rigid)],
            supports: vec![SupportPart {
                name: "root".into(),
                at: Frame::Section { rod: 0, boundary: 0 },
                displacement: zero().map(Some),
                rotation: Some(zero()),
            }],
            ..Mechanism::empty(3)
        };
        let found = survey(&mechanism);
        // ∫ (1 + s) ds over [0, 2] = 4; 13 nodes of 6.
        assert!((found.mass - 9.0).abs() < 1e-12);
        assert_eq!((found.unknowns, found.held, found.joined, found.left()), (78 + 6, 6, 6, 72));
        // Slowest at s = 2: √(4/3) for shear; fastest at s = 0: √9 of stretch and √(0.9/0.1) of bending.
        let [low, high] = found.rods[0].waves.unwrap();
        assert!((low - (4.0_f64 / 3.0).sqrt()).abs() < 1e-12 && (high - 3.0).abs() < 1e-12, "{low} {high}");
        mechanism.bodies[0] = body(0.0);
        assert_eq!(survey(&mechanism).left(), 72, "a point mass has three unknowns and three conditions");
        mechanism.joints[0].kind = JointKind::Revolute(Vector3::y());
        mechanism.bodies[0] = body(1.0);
        assert_eq!(survey(&mechanism).left(), 73);
    }
}
