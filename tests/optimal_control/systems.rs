//! Mechanical systems in minimal coordinates.

use lariat::discretisation::transcription::{At, Mechanics};
use lariat::nlp::graph::Expr;

pub const GRAVITY: f64 = 9.81;

fn names(list: &[&str]) -> Vec<String> {
    list.iter().map(|name| (*name).to_owned()).collect()
}

/// A unit mass on a line, pushed by the sum of its controls with these factors.
pub struct Point(pub Vec<f64>);

impl Mechanics for Point {
    fn coordinates(&self) -> Vec<String> {
        names(&["x"])
    }

    fn controls(&self) -> Vec<String> {
        (0..self.0.len()).map(|i| format!("u{i}")).collect()
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        0.5 * at.v[0].square()
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.graph.sum(at.u.iter().zip(&self.0).map(|(u, factor)| *factor * *u))]
    }
}

/// A pendulum of unit mass and length, angle from hanging, torque at its joint.
pub struct Pendulum;

impl Mechanics for Pendulum {
    fn coordinates(&self) -> Vec<String> {
        names(&["angle"])
    }

    fn controls(&self) -> Vec<String> {
        names(&["torque"])
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        0.5 * at.v[0].square() + GRAVITY * at.q[0].cos()
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.u[0]]
    }
}

/// A point mass on a massless rod under a cart that a force pushes.
pub struct CartPole {
    pub cart: f64,
    pub mass: f64,
    pub length: f64,
}

impl Mechanics for CartPole {
    fn coordinates(&self) -> Vec<String> {
        names(&["cart", "angle"])
    }

    fn controls(&self) -> Vec<String> {
        names(&["force"])
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let (m, l, [x, w]) = (self.mass, self.length, [at.v[0], at.v[1]]);
        let cos = at.q[1].cos();
        0.5 * (self.cart + m) * x.square() + m * l * x * w * cos + 0.5 * m * l * l * w.square() + m * GRAVITY * l * cos
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.u[0], at.graph.constant(0.0)]
    }
}

/// Two uniform rods of unit mass and length in a plane without gravity, absolute angles, torques at both joints.
pub struct Arm;

impl Mechanics for Arm {
    fn coordinates(&self) -> Vec<String> {
        names(&["upper arm", "forearm"])
    }

    fn controls(&self) -> Vec<String> {
        names(&["shoulder", "elbow"])
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let (w1, w2) = (at.v[0], at.v[1]);
        7.0 / 6.0 * w1.square() + 1.5 * (at.q[1] - at.q[0]).cos() * w1 * w2 + 2.0 / 3.0 * w2.square()
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        vec![at.u[0] - at.u[1], at.u[1]]
    }
}

/// The robot arm of the COPS collection as a Lagrangian system: reach, azimuth, elevation; length 5.
pub struct Robot;

impl Mechanics for Robot {
    fn coordinates(&self) -> Vec<String> {
        names(&["reach", "azimuth", "elevation"])
    }

    fn controls(&self) -> Vec<String> {
        names(&["push", "turn", "lift"])
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let inertia = ((5.0 - at.q[0]).powi(3) + at.q[0].powi(3)) / 3.0;
        let turning = inertia * at.q[2].sin().square();
        0.5 * (5.0 * at.v[0].square() + turning * at.v[1].square() + inertia * at.v[2].square())
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        at.u.clone()
    }
}

/// A satellite of unit mass in polar coordinates, γM = 4π², with circumferential thrust and, if wanted, radial thrust.
pub struct Satellite {
    pub radial: bool,
}

impl Mechanics for Satellite {
    fn coordinates(&self) -> Vec<String> {
        names(&["radius", "angle"])
    }

    fn controls(&self) -> Vec<String> {
        names(if self.radial { &["radial thrust", "thrust"] } else { &["thrust"] })
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let r = at.q[0];
        let gravity = 4.0 * std::f64::consts::PI.powi(2) / r;
        0.5 * (at.v[0].square() + r.square() * at.v[1].square()) + gravity
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        match self.radial {
            true => vec![at.u[0], at.q[0] * at.u[1]],
            false => vec![at.graph.constant(0.0), at.q[0] * at.u[0]],
        }
    }
}

/// Equal uniform rods of total length 1 and mass 1 under a trolley of mass 1 that a force pushes; angles from hanging.
pub struct Chain {
    pub rods: usize,
}

impl Mechanics for Chain {
    fn coordinates(&self) -> Vec<String> {
        let rods = (1..=self.rods).map(|rod| format!("angle {rod}"));
        std::iter::once("trolley".to_owned()).chain(rods).collect()
    }

    fn controls(&self) -> Vec<String> {
        names(&["force"])
    }

    fn lagrangian<'g>(&self, at: &At<'g>) -> Expr<'g> {
        let (l, m) = (1.0 / self.rods as f64, 1.0 / self.rods as f64);
        let mut terms = vec![0.5 * at.v[0].square()];
        // Velocity and height of the upper end of the rod.
        let (mut vx, mut vy, mut y) = (at.v[0], at.graph.constant(0.0), at.graph.constant(0.0));
        for rod in 1..=self.rods {
            let (sin, cos, w) = (at.q[rod].sin(), at.q[rod].cos(), at.v[rod]);
            let (cx, cy) = (vx + 0.5 * l * cos * w, vy + 0.5 * l * sin * w);
            terms.push(0.5 * m * (cx.square() + cy.square()) + m * l * l / 24.0 * w.square());
            terms.push(-m * GRAVITY * (y - 0.5 * l * cos));
            (vx, vy, y) = (vx + l * cos * w, vy + l * sin * w, y - l * cos);
        }
        at.graph.sum(terms)
    }

    fn forces<'g>(&self, at: &At<'g>) -> Vec<Expr<'g>> {
        std::iter::once(at.u[0]).chain((0..self.rods).map(|_| at.graph.constant(0.0))).collect()
    }
}
