//! Structures by chance: trees and nets of rods from a clamp, in the plane and in space, of any size and stiffness.

use crate::random::Random;
use crate::structure::{End, Joint, Kind, Load, Model, Rod, Shape, Spring, Structure};
use crate::vector::*;

struct Maker {
    random: Random,
    space: bool,
    /// Straight uniform members only, as linear frame codes know them.
    plain: bool,
    /// Axis-aligned, with equal members.
    regular: bool,
    length: f64,
    /// EI of all members but for a factor.
    bending: f64,
    order: usize,
    /// Points with the first rod end there.
    nodes: Vec<(V, End)>,
}

impl Maker {
    /// Evenly from a to b.
    fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * 0.5 * (self.random.next() + 1.0)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.between(0.0, count as f64) as usize).min(count - 1)
    }

    fn chance(&mut self, share: f64) -> bool {
        self.between(0.0, 1.0) < share
    }

    fn any(&mut self) -> V {
        loop {
            let z = if self.space { self.random.next() } else { 0.0 };
            let a = [self.random.next(), self.random.next(), z];
            if (0.2..1.0).contains(&norm(a)) {
                return unit(a);
            }
        }
    }

    fn direction(&mut self) -> V {
        if !self.regular {
            return self.any();
        }
        let axes =
            [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
        let count = if self.space { 6 } else { 4 };
        axes[self.below(count)]
    }

    fn kind(&mut self) -> Kind {
        let axis = self.direction();
        let count = if self.space { 7 } else { 3 };
        match self.below(count) {
            0 => Kind::Rigid,
            1 => Kind::Revolute(if self.space { axis } else { [0.0, 0.0, 1.0] }),
            2 => Kind::Prismatic(axis),
            3 => Kind::Spherical,
            4 => Kind::Cylindrical(axis),
            5 => Kind::Planar(axis),
            _ => Kind::Universal(axis, across(axis)),
        }
    }

    /// A member of a shape; prestrain is kept far below what buckles it.
    fn rod(&mut self, shape: Shape, total: f64) -> Rod {
        let model = match (self.space, self.chance(0.3)) {
            (true, _) => Model::Rod,
            (false, true) => Model::Kirchhoff,
            (false, false) => Model::Beam,
        };
        let order = if self.regular { self.order } else { 1 + self.below(6) };
        // From order 3 on elements meet the linear theory of straight members exactly.
        let order = if self.plain { order.max(3) } else { order };
        let order = if model == Model::Kirchhoff { 1 } else { order };
        let elements = match order {
            1 => [4, 6, 8][self.below(3)],
            2 => [2, 4][self.below(2)],
            _ => [1, 2, 2, 4][self.below(4)],
        };
        let vary = |maker: &mut Self| if maker.regular { 1.0 } else { maker.between(0.5, 2.0) };
        let bending = [self.bending * vary(self), self.bending * vary(self)];
        let power = if self.regular { 4.0 } else { self.between(2.0, 4.5) };
        let axial = self.bending / self.length.powi(2) * 10f64.powf(power);
        let shear = [0.5 * axial * vary(self), 0.5 * axial * vary(self)];
        let normal = {
            let tangent = shape.at(0.0).1;
            let angle = if self.regular { 0.0 } else { self.between(0.0, 6.0) };
            turned(across(tangent), tangent, angle)
        };
        let sheared = !matches!(model, Model::Kirchhoff);
        let offset = (!self.plain && sheared && self.chance(0.2))
            .then(|| [self.random.next(), self.random.next()].map(|x| 0.05 * x * self.length));
        let stress = 0.1 * self.bending / (axial * total * total);
        let strain = (!self.plain && self.chance(0.2)).then(|| {
            let [a, b, c] = [self.random.next(), self.random.next(), self.random.next()];
            if sheared { scaled([a, b, c], stress) } else { [0.0, 0.0, c * stress] }
        });
        let curvature = (!self.plain && self.chance(0.2)).then(|| {
            let a = [self.random.next(), self.random.next(), self.random.next()];
            scaled(a, 0.05 / total)
        });
        let torsion = bending[0] * vary(self);
        Rod { model, shape, normal, elements, order, axial, shear, bending, torsion, offset, strain, curvature }
    }
}

pub fn structure(seed: u64) -> Structure {
    let mut maker = Maker {
        random: Random(seed.wrapping_mul(0x1234_5678_9abc_def1) ^ seed),
        space: seed % 5 > 1,
        plain: seed.is_multiple_of(3),
        regular: seed.is_multiple_of(2),
        length: 1.0,
        bending: 1.0,
        order: 1 + (seed as usize / 7) % 6,
        nodes: Vec::new(),
    };
    maker.length = 10f64.powf(maker.between(-2.0, 2.0));
    maker.bending = maker.length.powi(2) * 10f64.powf(maker.between(-3.0, 5.0));
    let count = 1 + maker.below(6);
    let total = count as f64 * maker.length;
    let mut out = Structure {
        space: maker.space,
        rods: Vec::new(),
        joints: Vec::new(),
        supports: vec![((0, 0), true)],
        springs: Vec::new(),
        loads: Vec::new(),
        lines: Vec::new(),
        ends: Vec::new(),
        turn: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    };
    maker.nodes.push(([0.0; 3], (0, 0)));
    let star = maker.regular && seed.is_multiple_of(8);
    for i in 0..count {
        grow(&mut maker, &mut out, i, star, total);
    }
    if !maker.plain && maker.chance(0.2) {
        tie(&mut maker, &mut out);
    }
    hold(&mut maker, &mut out);
    burden(&mut maker, &mut out, total);
    out.ends = (0..out.rods.len()).map(|rod| [(rod, 0), (rod, 1)]).collect();
    out
}

/// One more rod from a point that is there, to a new one or another that is there.
fn grow(maker: &mut Maker, out: &mut Structure, i: usize, star: bool, total: f64) {
    let at = if star { 1.min(maker.nodes.len() - 1) } else { maker.below(maker.nodes.len()) };
    let (from, end) = maker.nodes[at];
    let free =
        |to: V, nodes: &[(V, End)], length: f64| nodes.iter().all(|(node, _)| norm(minus(*node, to)) > 0.1 * length);
    let other = maker.below(maker.nodes.len());
    let apart = norm(minus(maker.nodes[other].0, from));
    let taken = out.rods.iter().any(|rod| {
        let ends = [rod.shape.at(0.0).0, rod.shape.at(1.0).0];
        let same = |a: V, b: V| norm(minus(a, b)) < 1e-9 * maker.length;
        let to = maker.nodes[other].0;
        same(ends[0], from) && same(ends[1], to) || same(ends[0], to) && same(ends[1], from)
    });
    let closes = i > 1 && !star && !taken && apart > 0.1 * maker.length && maker.chance(0.5);
    let shape = if closes {
        Shape::Straight { from, to: maker.nodes[other].0 }
    } else {
        loop {
            let direction = maker.direction();
            let length = if maker.regular { maker.length } else { maker.length * maker.between(0.5, 1.5) };
            let shape = match !maker.plain && maker.chance(0.25) {
                false => Shape::Straight { from, to: add(from, scaled(direction, length)) },
                true => {
                    let side = if maker.space { across(direction) } else { [-direction[1], direction[0], 0.0] };
                    let angle = maker.between(0.3, 2.0);
                    Shape::Arc { from, tangent: direction, centre: add(from, scaled(side, length / angle)), angle }
                }
            };
            if free(shape.at(1.0).0, &maker.nodes, maker.length) {
                break shape;
            }
            // A full place: anywhere else.
            maker.regular = maker.regular && maker.chance(0.9);
        }
    };
    let rod = maker.rod(shape, total);
    let spring = maker.bending / maker.length;
    if i > 0 {
        let sprung = maker.chance(0.15);
        let axis = if maker.space { maker.direction() } else { [0.0, 0.0, 1.0] };
        let (kind, spring) = if sprung { (Kind::Revolute(axis), Some(spring)) } else { (Kind::Rigid, None) };
        out.joints.push(Joint { between: [Some(end), Some((i, 0))], at: from, kind, spring });
    }
    if closes {
        let (at, end) = maker.nodes[other];
        let kind = maker.kind();
        let spring = match kind {
            Kind::Revolute(_) => maker.chance(0.5).then_some(spring),
            Kind::Prismatic(_) => maker.chance(0.5).then_some(spring / maker.length.powi(2)),
            _ => None,
        };
        out.joints.push(Joint { between: [Some(end), Some((i, 1))], at, kind, spring });
    } else {
        maker.nodes.push((shape.at(1.0).0, (i, 1)));
    }
    out.rods.push(rod);
}

/// A string under tension from a point to the ground.
fn tie(maker: &mut Maker, out: &mut Structure) {
    let at = maker.below(maker.nodes.len() - 1) + 1;
    let (from, end) = maker.nodes[at];
    let (rod, direction) = (out.rods.len(), maker.any());
    let shape = Shape::Straight { from, to: add(from, scaled(direction, maker.length)) };
    let mut string = maker.rod(shape, maker.length);
    string.model = Model::String;
    (string.order, string.elements) = (1, [1, 2, 4][maker.below(3)]);
    // Stretched so far that loads do not let it go slack.
    string.axial = 0.2 * maker.bending / maker.length.powi(2);
    (string.offset, string.curvature, string.strain) = (None, None, Some([0.0, 0.0, -0.2]));
    out.rods.push(string);
    out.joints.push(Joint { between: [Some(end), Some((rod, 0))], at: from, kind: Kind::Spherical, spring: None });
    out.supports.push(((rod, 1), false));
}

/// More supports, by their names or as joints with the ground, and springs.
fn hold(maker: &mut Maker, out: &mut Structure) {
    let Some((at, end)) = maker.nodes.get(2).copied() else { return };
    if maker.chance(0.3) {
        out.supports.push((end, maker.chance(0.5)));
    } else if maker.chance(0.5) {
        let kind = maker.kind();
        out.joints.push(Joint { between: [None, Some(end)], at, kind, spring: None });
    }
    if maker.chance(0.4) {
        let (at, end) = maker.nodes[maker.nodes.len() - 1];
        let ground = add(at, scaled(maker.direction(), maker.length));
        let stiffness = maker.bending / maker.length.powi(3) * 10f64.powf(maker.between(-1.0, 1.0));
        out.springs.push(Spring { at: end, points: [ground, at], stiffness });
    }
}

/// Loads that bend by some hundredths of the length.
fn burden(maker: &mut Maker, out: &mut Structure, total: f64) {
    let force = 0.4 * maker.bending / (total * total);
    for i in 1..maker.nodes.len() {
        let at = maker.nodes[i].1;
        let push = scaled(maker.any(), force);
        let turn = if maker.space { maker.any() } else { [0.0, 0.0, maker.random.next()] };
        let torque = scaled(turn, 0.2 * force * total);
        let follows = !maker.plain && maker.chance(0.1);
        out.loads.push(Load { at, force: push, torque, follows });
    }
    let rods: Vec<usize> = (0..out.rods.len()).filter(|rod| out.rods[*rod].model != Model::String).collect();
    if maker.chance(0.3) {
        let rod = rods[maker.below(rods.len())];
        out.lines.push((rod, scaled(maker.any(), force / total)));
    }
}
