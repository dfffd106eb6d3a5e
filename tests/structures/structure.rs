//! A structure of rods, joints, supports, springs and loads, the ways of stating it differently, and its problem file.

use crate::vector::*;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    Beam,
    Kirchhoff,
    String,
    Rod,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    Straight { from: V, to: V },
    Arc { from: V, tangent: V, centre: V, angle: f64 },
}

impl Shape {
    /// Position and tangent at a share of the length.
    pub fn at(&self, share: f64) -> (V, V) {
        match *self {
            Shape::Straight { from, to } => (add(from, scaled(minus(to, from), share)), unit(minus(to, from))),
            Shape::Arc { from, tangent, centre, angle } => {
                let arm = minus(from, centre);
                let (axis, by) = (cross(arm, tangent), angle * share);
                (add(centre, turned(arm, axis, by)), unit(turned(tangent, axis, by)))
            }
        }
    }

    pub fn length(&self) -> f64 {
        match *self {
            Shape::Straight { from, to } => norm(minus(to, from)),
            Shape::Arc { from, centre, angle, .. } => norm(minus(from, centre)) * angle,
        }
    }

    /// A direction at s = 0 carried along without twist.
    fn carried(&self, direction: V, share: f64) -> V {
        match *self {
            Shape::Straight { .. } => direction,
            Shape::Arc { from, tangent, centre, angle } => {
                turned(direction, cross(minus(from, centre), tangent), angle * share)
            }
        }
    }

    fn mapped(&self, point: &dyn Fn(V) -> V, direction: &dyn Fn(V) -> V) -> Self {
        match *self {
            Shape::Straight { from, to } => Shape::Straight { from: point(from), to: point(to) },
            Shape::Arc { from, tangent, centre, angle } => {
                Shape::Arc { from: point(from), tangent: direction(tangent), centre: point(centre), angle }
            }
        }
    }
}

#[derive(Debug, Clone)]
pub struct Rod {
    pub model: Model,
    pub shape: Shape,
    /// Director d₁ at s = 0; space.
    pub normal: V,
    pub elements: usize,
    pub order: usize,
    pub axial: f64,
    pub shear: [f64; 2],
    pub bending: [f64; 2],
    pub torsion: f64,
    /// Elastic centre along d₁, d₂; plane: the first.
    pub offset: Option<[f64; 2]>,
    /// Shear along d₁, d₂ and stretch; plane: the first and the last.
    pub strain: Option<V>,
    /// Curvature about d₁, d₂ and twist; plane: the first.
    pub curvature: Option<V>,
}

/// 0 for the start of a rod, 1 for its end.
pub type End = (usize, usize);

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    Rigid,
    Spherical,
    Revolute(V),
    Prismatic(V),
    Cylindrical(V),
    Planar(V),
    Universal(V, V),
}

#[derive(Debug, Clone)]
pub struct Joint {
    /// None is the ground.
    pub between: [Option<End>; 2],
    pub at: V,
    pub kind: Kind,
    /// Stiffness of a spring at it.
    pub spring: Option<f64>,
}

#[derive(Debug, Clone)]
pub struct Spring {
    pub at: End,
    /// Points on the ground and on the rod.
    pub points: [V; 2],
    pub stiffness: f64,
}

#[derive(Debug, Clone)]
pub struct Load {
    pub at: End,
    pub force: V,
    pub torque: V,
    pub follows: bool,
}

#[derive(Debug, Clone)]
pub struct Structure {
    pub space: bool,
    pub rods: Vec<Rod>,
    pub joints: Vec<Joint>,
    /// Clamped ends, and such whose position is held.
    pub supports: Vec<(End, bool)>,
    pub springs: Vec<Spring>,
    pub loads: Vec<Load>,
    /// Forces per length.
    pub lines: Vec<(usize, V)>,
    /// Where the two ends of each rod of the first statement are now.
    pub ends: Vec<[End; 2]>,
    /// How they are turned from there.
    pub turn: R,
}

impl Structure {
    pub fn size(&self) -> f64 {
        self.rods.iter().map(|rod| rod.shape.length()).sum()
    }

    /// Turned about an axis and moved.
    pub fn turned(&self, by: &R, move_by: V) -> Self {
        let mut out = self.clone();
        let direction = |a: V| apply(by, a);
        let point = |a: V| add(apply(by, a), move_by);
        for rod in &mut out.rods {
            rod.shape = rod.shape.mapped(&point, &direction);
            rod.normal = direction(rod.normal);
        }
        for joint in &mut out.joints {
            joint.at = point(joint.at);
            joint.kind = match joint.kind {
                Kind::Rigid | Kind::Spherical => joint.kind,
                Kind::Revolute(a) => Kind::Revolute(if self.space { direction(a) } else { a }),
                Kind::Prismatic(a) => Kind::Prismatic(direction(a)),
                Kind::Cylindrical(a) => Kind::Cylindrical(direction(a)),
                Kind::Planar(a) => Kind::Planar(direction(a)),
                Kind::Universal(a, b) => Kind::Universal(direction(a), direction(b)),
            };
        }
        for spring in &mut out.springs {
            spring.points = spring.points.map(point);
        }
        for load in out.loads.iter_mut().filter(|load| !load.follows) {
            load.force = direction(load.force);
            load.torque = direction(load.torque);
        }
        out.lines.iter_mut().for_each(|(_, force)| *force = direction(*force));
        out.turn = *by;
        out
    }

    /// Every second rod, or every one, drawn backwards: d₁ stays (plane: turns about), d₃ turns about.
    pub fn reversed(&self, all: bool) -> Self {
        let mut out = self.clone();
        let chosen = |rod: usize| all || rod.is_multiple_of(2);
        for rod in out.rods.iter_mut().enumerate().filter(|(i, _)| chosen(*i)).map(|(_, rod)| rod) {
            rod.normal = rod.shape.carried(rod.normal, 1.0);
            let (last, tangent) = rod.shape.at(1.0);
            rod.shape = match rod.shape {
                Shape::Straight { from, .. } => Shape::Straight { from: last, to: from },
                Shape::Arc { centre, angle, .. } => {
                    Shape::Arc { from: last, tangent: scaled(tangent, -1.0), centre, angle }
                }
            };
            if self.space {
                rod.offset = rod.offset.map(|[a, b]| [a, -b]);
                rod.strain = rod.strain.map(|[a, b, c]| [-a, b, c]);
                rod.curvature = rod.curvature.map(|[a, b, c]| [-a, b, c]);
            } else {
                rod.offset = rod.offset.map(|[a, b]| [-a, b]);
                rod.curvature = rod.curvature.map(|k| scaled(k, -1.0));
            }
        }
        let end = |(rod, end): End| if chosen(rod) { (rod, 1 - end) } else { (rod, end) };
        for load in out.loads.iter_mut().filter(|load| load.follows && chosen(load.at.0)) {
            let flip = |a: V| if self.space { [a[0], -a[1], -a[2]] } else { [-a[0], -a[1], a[2]] };
            load.force = flip(load.force);
            load.torque = if self.space { flip(load.torque) } else { load.torque };
        }
        out.each_end(&end);
        out
    }

    fn each_end(&mut self, moved: &dyn Fn(End) -> End) {
        self.joints.iter_mut().flat_map(|joint| joint.between.iter_mut().flatten()).for_each(|end| *end = moved(*end));
        self.supports.iter_mut().for_each(|(end, _)| *end = moved(*end));
        self.springs.iter_mut().for_each(|spring| spring.at = moved(spring.at));
        self.loads.iter_mut().for_each(|load| load.at = moved(load.at));
        self.ends.iter_mut().flatten().for_each(|end| *end = moved(*end));
    }

    /// Every rod with an even number of elements cut in two that are joined.
    pub fn split(&self) -> Self {
        let mut out = self.clone();
        for i in 0..self.rods.len() {
            if self.rods[i].elements % 2 == 1 {
                continue;
            }
            let (last, shape) = (out.rods.len(), self.rods[i].shape);
            let (middle, tangent) = shape.at(0.5);
            let mut second = self.rods[i].clone();
            second.elements /= 2;
            second.normal = shape.carried(second.normal, 0.5);
            let first = &mut out.rods[i];
            first.elements /= 2;
            (first.shape, second.shape) = match shape {
                Shape::Straight { from, to } => {
                    (Shape::Straight { from, to: middle }, Shape::Straight { from: middle, to })
                }
                Shape::Arc { from, tangent: start, centre, angle } => (
                    Shape::Arc { from, tangent: start, centre, angle: 0.5 * angle },
                    Shape::Arc { from: middle, tangent, centre, angle: 0.5 * angle },
                ),
            };
            let kind = if second.model == Model::String { Kind::Spherical } else { Kind::Rigid };
            out.rods.push(second);
            out.each_end(&|end| if end == (i, 1) { (last, 1) } else { end });
            out.joints.push(Joint { between: [Some((i, 1)), Some((last, 0))], at: middle, kind, spring: None });
            if let Some((_, force)) = self.lines.iter().find(|(rod, _)| *rod == i) {
                out.lines.push((last, *force));
            }
        }
        out
    }

    pub fn finer(&self, times: usize) -> Self {
        let mut out = self.clone();
        out.rods.iter_mut().for_each(|rod| rod.elements *= times);
        out
    }

    /// All loads times a factor.
    pub fn loaded(&self, factor: f64) -> Self {
        let mut out = self.clone();
        for load in &mut out.loads {
            load.force = scaled(load.force, factor);
            load.torque = scaled(load.torque, factor);
        }
        out.lines.iter_mut().for_each(|(_, force)| *force = scaled(*force, factor));
        out
    }
}
