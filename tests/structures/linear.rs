//! Small displacements of frames by the classical matrix method: 12 × 12 stiffness of Timoshenko's beam (Przemieniecki, *Theory of
//! Matrix Structural Analysis*, 1968, eq. 5.116), joints by multipliers, a dense elimination with pivots. It shares nothing with the program.

use crate::structure::{Kind, Model, Shape, Structure};
use crate::vector::*;

/// Whether the method knows all that the structure has.
pub fn knows(structure: &Structure) -> bool {
    let rods = structure.rods.iter().all(|rod| {
        matches!(rod.shape, Shape::Straight { .. })
            && rod.model != Model::String
            && rod.offset.is_none()
            && rod.strain.is_none()
            && rod.curvature.is_none()
    });
    rods && structure.loads.iter().all(|load| !load.follows)
}

struct Equations {
    a: Vec<Vec<f64>>,
    b: Vec<f64>,
    scale: f64,
}

impl Equations {
    /// Adds a condition Σ cᵢ xᵢ = 0 by a multiplier.
    fn condition(&mut self, terms: &[(usize, f64)]) {
        let n = self.b.len();
        self.a.iter_mut().for_each(|row| row.push(0.0));
        self.a.push(vec![0.0; n + 1]);
        self.b.push(0.0);
        for (i, c) in terms {
            self.a[n][*i] += c * self.scale;
            self.a[*i][n] += c * self.scale;
        }
    }

    /// Adds k/2 (Σ cᵢ xᵢ)².
    fn spring(&mut self, k: f64, terms: &[(usize, f64)]) {
        for (i, c) in terms {
            terms.iter().for_each(|(j, d)| self.a[*i][*j] += k * c * d);
        }
    }

    fn solve(mut self) -> Vec<f64> {
        let n = self.b.len();
        for column in 0..n {
            let pivot = (column..n).max_by(|i, j| self.a[*i][column].abs().total_cmp(&self.a[*j][column].abs()));
            let pivot = pivot.unwrap_or(column);
            self.a.swap(column, pivot);
            self.b.swap(column, pivot);
            let (row, value) = (self.a[column].clone(), self.b[column]);
            for below in column + 1..n {
                let factor = self.a[below][column] / row[column];
                if factor != 0.0 {
                    self.a[below].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
                    self.b[below] -= factor * value;
                }
            }
        }
        let mut x = vec![0.0; n];
        for i in (0..n).rev() {
            let known: f64 = (i + 1..n).map(|j| self.a[i][j] * x[j]).sum();
            x[i] = (self.b[i] - known) / self.a[i][i];
        }
        x
    }
}

/// Unknowns along a direction at an end: displacement for `part` 0, rotation for 1.
fn along((rod, end): (usize, usize), part: usize, direction: V, sign: f64) -> [(usize, f64); 3] {
    [0, 1, 2].map(|c| (12 * rod + 6 * end + 3 * part + c, sign * direction[c]))
}

/// Displacements and rotations of both ends of all rods under the loads.
pub fn displacements(structure: &Structure) -> Vec<[(V, V); 2]> {
    let n = 12 * structure.rods.len();
    let scale = structure.rods.iter().map(|rod| rod.bending[0]).fold(0.0, f64::max) / structure.size();
    let mut equations = Equations { a: vec![vec![0.0; n]; n], b: vec![0.0; n], scale };
    for (i, rod) in structure.rods.iter().enumerate() {
        let (tangent, l) = (rod.shape.at(0.0).1, rod.shape.length());
        let d1 = match structure.space {
            true => unit(minus(rod.normal, scaled(tangent, dot(rod.normal, tangent)))),
            false => cross([0.0, 0.0, 1.0], tangent),
        };
        let d2 = cross(tangent, d1);
        let axis = |part: usize, d: V| [along((i, 0), part, d, -1.0), along((i, 1), part, d, 1.0)].concat();
        equations.spring(rod.axial / l, &axis(0, tangent));
        // In the plane only the bending about z is stated.
        let (bending, torsion) = match structure.space {
            true => (rod.bending, rod.torsion),
            false => ([rod.bending[0]; 2], rod.bending[0]),
        };
        equations.spring(torsion / l, &axis(1, tangent));
        // Deflection along d with the slope θ about t: chord rotation (w₂ − w₁)/L − (θ₁ + θ₂)/2 carries shear and bending,
        // θ₂ − θ₁ uniform bending.
        for (d, t, ei, ga) in [(d1, d2, bending[1], rod.shear[0]), (d2, scaled(d1, -1.0), bending[0], rod.shear[1])] {
            let shear = if rod.model == Model::Kirchhoff { 0.0 } else { 12.0 * ei / (ga * l * l) };
            let mut chord: Vec<(usize, f64)> = axis(0, d).into_iter().map(|(k, c)| (k, c / l)).collect();
            chord.extend(along((i, 0), 1, t, -0.5));
            chord.extend(along((i, 1), 1, t, -0.5));
            equations.spring(12.0 * ei / (l * (1.0 + shear)), &chord);
            equations.spring(ei / l, &axis(1, t));
        }
    }
    loads(structure, &mut equations);
    for spring in &structure.springs {
        let direction = unit(minus(spring.points[1], spring.points[0]));
        equations.spring(spring.stiffness, &along(spring.at, 0, direction, 1.0));
    }
    joints(structure, &mut equations);
    let x = equations.solve();
    let read = |rod: usize, end: usize, part: usize| [0, 1, 2].map(|c| x[12 * rod + 6 * end + 3 * part + c]);
    (0..structure.rods.len()).map(|rod| [0, 1].map(|end| (read(rod, end, 0), read(rod, end, 1)))).collect()
}

fn loads(structure: &Structure, equations: &mut Equations) {
    let mut put = |end: (usize, usize), force: V, torque: V| {
        let first = 12 * end.0 + 6 * end.1;
        let wrench = force.into_iter().chain(torque);
        equations.b[first..first + 6].iter_mut().zip(wrench).for_each(|(sum, part)| *sum += part);
    };
    structure.loads.iter().for_each(|load| put(load.at, load.force, load.torque));
    for (rod, force) in &structure.lines {
        let shape = &structure.rods[*rod].shape;
        let (half, l) = (scaled(*force, 0.5 * shape.length()), shape.length());
        // Fixed-end moments q L²/12 of opposite sign.
        let moment = scaled(cross(shape.at(0.0).1, *force), l * l / 12.0);
        put((*rod, 0), half, moment);
        put((*rod, 1), half, scaled(moment, -1.0));
    }
}

fn joints(structure: &Structure, equations: &mut Equations) {
    let ground = structure
        .supports
        .iter()
        .map(|(end, clamped)| ([None, Some(*end)], if *clamped { Kind::Rigid } else { Kind::Spherical }, None));
    let between = structure.joints.iter().map(|joint| (joint.between, joint.kind, joint.spring));
    for (between, kind, spring) in ground.chain(between) {
        let difference = |part: usize, d: V| -> Vec<(usize, f64)> {
            let of = |(place, sign): (Option<(usize, usize)>, f64)| place.map(|end| along(end, part, d, sign));
            [(between[0], -1.0), (between[1], 1.0)].into_iter().filter_map(of).flatten().collect()
        };
        let all = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let beside = |axis: V| vec![across(axis), unit(cross(axis, across(axis)))];
        let [moves, turns] = match kind {
            Kind::Rigid => [all.to_vec(), all.to_vec()],
            Kind::Spherical => [all.to_vec(), Vec::new()],
            Kind::Revolute(axis) => [all.to_vec(), beside(axis)],
            Kind::Prismatic(axis) => [beside(axis), all.to_vec()],
            Kind::Cylindrical(axis) => [beside(axis), beside(axis)],
            Kind::Planar(normal) => [vec![unit(normal)], beside(normal)],
            Kind::Universal(a, b) => [all.to_vec(), vec![unit(cross(a, b))]],
        };
        moves.iter().for_each(|d| equations.condition(&difference(0, *d)));
        turns.iter().for_each(|d| equations.condition(&difference(1, *d)));
        match (kind, spring) {
            (Kind::Revolute(axis), Some(k)) => equations.spring(k, &difference(1, unit(axis))),
            (Kind::Prismatic(axis), Some(k)) => equations.spring(k, &difference(0, unit(axis))),
            _ => {}
        }
    }
}
