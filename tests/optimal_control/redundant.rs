//! Systems with constraints, and the beam.

use lariat::discretisation::transcription::{At, Chart, Group, Linear, Manifold, Mechanics};
use lariat::nlp::graph::Expr;

use crate::systems::GRAVITY;

type Vector<'g> = [Expr<'g>; 3];

fn vector<'g>(list: &[Expr<'g>], first: usize) -> Vector<'g> {
    [list[first], list[first + 1], list[first + 2]]
}

fn cross<'g>(a: Vector<'g>, b: Vector<'g>) -> Vector<'g> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot<'g>(a: Vector<'g>, b: Vector<'g>) -> Expr<'g> {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn combine<'g>(a: Vector<'g>, b: Vector<'g>, work: impl Fn(Expr<'g>, Expr<'g>) -> Expr<'g>) -> Vector<'g> {
    [work(a[0], b[0]), work(a[1], b[1]), work(a[2], b[2])]
}

/// Principal moments of inertia of the body to be turned.
const INERTIA: [f64; 3] = [1.0, 2.0, 2.5];

fn torques() -> Vec<String> {
    ["torque 1", "torque 2", "torque 3"].map(str::to_owned).into()
}

/// A rigid body by its quaternion, with torques in the body frame: ω = 2 Im(q̄ q̇), Q · q̇ = u · ω.
pub struct Quaternion;

impl Mechanics for Quaternion {
    fn coordinates(&self) -> Vec<String> {
        (0..4).map(|i| format!("p{i}")).collect()
    }

    fn controls(&self) -> Vec<String> {
        torques()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let (p, v) = (vector(&at.q, 1), vector(&at.v, 1));
        let turned = cross(p, v);
        let rate = |i: usize| 2.0 * (at.q[0] * v[i] - at.v[0] * p[i] - turned[i]);
        at.graph.sum((0..3).map(|i| 0.5 * INERTIA[i] * rate(i).square()))
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        let (p, u) = (vector(&at.q, 1), vector(&at.u, 0));
        let turned = cross(p, u);
        let last = (0..3).map(|i| 2.0 * (at.q[0] * u[i] + turned[i]));
        std::iter::once(-2.0 * dot(p, u)).chain(last).collect()
    }

    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        let square = at.graph.sum(at.q.iter().map(|p| p.square()));
        vec![("norm".to_owned(), 0.5 * (square - 1.0))]
    }

    fn chart(&self) -> Option<Chart> {
        let entries = (0..4).map(Linear::coordinate).collect();
        let group = Group { name: "attitude".to_owned(), manifold: Manifold::Sphere(1.0), entries };
        Chart::new(4, vec![group], vec![0]).ok()
    }
}

/// The same body by its three directors, Euler tensor tr(J)/2 − J; the torque u acts by R(u × eᵢ)/2 on director i.
pub struct Directors;

impl Mechanics for Directors {
    fn coordinates(&self) -> Vec<String> {
        (0..9).map(|i| format!("d{}{}", i / 3 + 1, i % 3 + 1)).collect()
    }

    fn controls(&self) -> Vec<String> {
        torques()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let half_trace = 0.5 * INERTIA.iter().sum::<f64>();
        at.graph.sum((0..9).map(|i| 0.5 * (half_trace - INERTIA[i / 3]) * at.v[i].square()))
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        let d = [0, 3, 6].map(|first| vector(&at.q, first));
        let u = vector(&at.u, 0);
        let pairs = [(1, 2), (2, 0), (0, 1)];
        // u × e₁ = u₃ e₂ − u₂ e₃ and so on in the cycle.
        let force = |(j, k): (usize, usize)| combine(d[j], d[k], |a, b| 0.5 * (u[k] * a - u[j] * b));
        pairs.into_iter().flat_map(force).collect()
    }

    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        let d = [0, 3, 6].map(|first| vector(&at.q, first));
        let length = |i: usize| (format!("length of d{}", i + 1), 0.5 * (dot(d[i], d[i]) - 1.0));
        let angle = |(i, j): (usize, usize)| (format!("angle of d{} and d{}", i + 1, j + 1), dot(d[i], d[j]));
        (0..3).map(length).chain([(0, 1), (1, 2), (2, 0)].map(angle)).collect()
    }

    fn chart(&self) -> Option<Chart> {
        let entries = (0..9).map(Linear::coordinate).collect();
        let group = Group { name: "directors".to_owned(), manifold: Manifold::Rotation, entries };
        Chart::new(9, vec![group], (0..6).collect()).ok()
    }
}

/// Two unit masses on massless rods of unit length in space, torques at the base and between the rods.
pub struct SphericalPendulum;

impl SphericalPendulum {
    fn rods<'g>(at: &At<'g>) -> [Vector<'g>; 2] {
        let (x1, x2) = (vector(&at.q, 0), vector(&at.q, 3));
        [x1, combine(x2, x1, |a, b| a - b)]
    }
}

impl Mechanics for SphericalPendulum {
    fn coordinates(&self) -> Vec<String> {
        (0..6).map(|i| format!("{}{}", ["x", "y", "z"][i % 3], i / 3 + 1)).collect()
    }

    fn controls(&self) -> Vec<String> {
        (0..6).map(|i| format!("{} torque {}", ["base", "joint"][i / 3], i % 3 + 1)).collect()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        0.5 * at.graph.sum(at.v.iter().map(|v| v.square())) - GRAVITY * (at.q[2] + at.q[5])
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        let [first, second] = Self::rods(at);
        let (base, joint) = (vector(&at.u, 0), vector(&at.u, 3));
        let on_second = cross(joint, second);
        let on_first = cross(combine(base, joint, |a, b| a - b), first);
        combine(on_first, on_second, |a, b| a - b).into_iter().chain(on_second).collect()
    }

    fn constraints<'g>(&self, at: &At<'g>) -> Vec<(String, Expr<'g>)> {
        let [first, second] = Self::rods(at).map(|rod| 0.5 * (dot(rod, rod) - 1.0));
        vec![("length of rod 1".to_owned(), first), ("length of rod 2".to_owned(), second)]
    }

    fn chart(&self) -> Option<Chart> {
        let sphere = |name: &str, entries: Vec<Linear>| Group {
            name: name.to_owned(),
            manifold: Manifold::Sphere(1.0),
            entries,
        };
        let first = sphere("rod 1", (0..3).map(Linear::coordinate).collect());
        let second = sphere("rod 2", (0..3).map(|i| Linear::difference(i + 3, i)).collect());
        Chart::new(6, vec![first, second], vec![0, 1]).ok()
    }
}

/// A plane shear-flexible beam of unit length on a hub: one point per element for the strains, masses at the nodes.
pub struct Beam {
    pub elements: usize,
}

impl Mechanics for Beam {
    fn coordinates(&self) -> Vec<String> {
        (0..3 * (self.elements + 1)).map(|i| format!("{} of node {}", ["x", "y", "angle"][i % 3], i / 3)).collect()
    }

    fn controls(&self) -> Vec<String> {
        ["force x", "force y", "moment"].map(str::to_owned).into()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let l = 1.0 / self.elements as f64;
        let mut terms = Vec::new();
        for node in 0..=self.elements {
            let share = if node == 0 || node == self.elements { 0.5 * l } else { l };
            let (hub_mass, hub_inertia) = if node == 0 { (1.0, 0.1) } else { (0.0, 0.0) };
            let [x, y, w] = vector(&at.v, 3 * node);
            terms.push(0.5 * (share + hub_mass) * (x.square() + y.square()));
            terms.push(0.5 * (0.05 * share + hub_inertia) * w.square());
        }
        for element in 0..self.elements {
            let (a, b) = (vector(&at.q, 3 * element), vector(&at.q, 3 * element + 3));
            let [x, y, curvature] = combine(a, b, |a, b| (b - a) / l);
            let angle = 0.5 * (a[2] + b[2]);
            let (sin, cos) = (angle.sin(), angle.cos());
            let (axial, shear) = (x * cos + y * sin - 1.0, y * cos - x * sin);
            terms.push(-0.5 * l * (100.0 * axial.square() + 40.0 * shear.square() + curvature.square()));
        }
        at.graph.sum(terms)
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        let zero = at.graph.constant(0.0);
        (0..at.q.len()).map(|i| at.u.get(i).copied().unwrap_or(zero)).collect()
    }
}
