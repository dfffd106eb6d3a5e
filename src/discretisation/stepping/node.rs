//! The share of one node in a step: its rigid body, and the change from half steps to momenta.

use nalgebra::{Matrix3, Matrix6, SMatrix, Vector3, Vector6};

use super::State;
use crate::discretisation::assembly::{Layout, NodeKind, NodeMass, node_rotation};
use crate::geometry::{Quaternion, cross_matrix};

/// What a half step means for one node.
#[derive(Debug, Clone, Copy)]
pub struct NodeStep {
    /// η in space; (0, 0, half angle) in the plane.
    eta: Vector3<f64>,
    /// |η|, or the angle of the step over π in the plane: 1 is half a turn.
    pub turn: f64,
    /// Cay(η) and its square.
    cayley: Quaternion,
    whole: Quaternion,
    /// Rotations at both ends, where the mass centre is not the node.
    rotations: [Matrix3<f64>; 2],
    /// m (y₁ − y₀)/h.
    linear: Vector3<f64>,
    /// J Ω.
    angular: Vector3<f64>,
    mass: NodeMass,
    /// Whether the mass centre is the node itself.
    centred: bool,
}

/// The half step that leads from one configuration of a node to another.
pub fn half_step(layout: &Layout, node: usize, from: &[f64], to: &[f64]) -> Vector6<f64> {
    let mut half = Vector6::zeros();
    let at = layout.coordinate(node);
    let kind = layout.kind(node);
    for c in 0..kind.coordinates().min(3) {
        half[c] = 0.5 * (to[at + c] - from[at + c]);
    }
    if kind == NodeKind::SpaceFrame {
        let f = layout.orientation(from, node).conjugate() * layout.orientation(to, node);
        // Of the two quaternions of an orientation the nearer one.
        let f = if f.re < 0.0 { f * -1.0 } else { f };
        let eta = f.im / (1.0 + f.re);
        half.fixed_rows_mut::<3>(3).copy_from(&eta);
    }
    half
}

/// Makes quaternions of unit length again after rounding.
pub fn normalise(layout: &Layout, q: &mut [f64]) {
    for node in (0..layout.nodes()).filter(|&node| layout.kind(node) == NodeKind::SpaceFrame) {
        let at = layout.coordinate(node) + 3;
        let unit = layout.orientation(q, node).normalised();
        q[at..at + 4].copy_from_slice(&unit.to_array());
    }
}

/// Velocity of a node, (ẋ, Ω or θ̇), from its momenta.
pub fn velocity(layout: &Layout, node: usize, state: &State, mass: &NodeMass) -> Vector6<f64> {
    velocity_of(layout, node, &state.q, &state.momentum, mass)
}

/// Ω of the momentum JΩ; no rotation about axes without inertia, such as those of a point mass or of a thin link.
fn spin_of_momentum(inertia: &Matrix3<f64>, momentum: Vector3<f64>) -> Vector3<f64> {
    let size = inertia.trace();
    if inertia.determinant() > 1e-9 * size.powi(3) {
        return inertia.try_inverse().map_or_else(Vector3::zeros, |inverse| inverse * momentum);
    }
    let principal = inertia.symmetric_eigen();
    let along = principal.eigenvectors.tr_mul(&momentum);
    let rates = along.zip_map(&principal.eigenvalues, |p, j| if j > 1e-14 * size { p / j } else { 0.0 });
    principal.eigenvectors * rates
}

/// Velocity of a node, (ẋ, Ω or θ̇), from momenta.
pub fn velocity_of(layout: &Layout, node: usize, q: &[f64], momentum: &[f64], mass: &NodeMass) -> Vector6<f64> {
    let mut v = Vector6::zeros();
    if !(mass.mass > 0.0) {
        return v;
    }
    let dof = layout.freedom(node);
    let kind = layout.kind(node);
    let linear = Vector3::from_fn(|c, _| if c < kind.positions() { momentum[dof + c] } else { 0.0 });
    let rotation = node_rotation(layout, q, node);
    let of_centre = linear / mass.mass;
    let spin = match kind {
        NodeKind::SpaceFrame => {
            let angular = Vector3::from_column_slice(&momentum[dof + 3..dof + 6]);
            let about_centre = angular - mass.centre.cross(&rotation.tr_mul(&linear));
            spin_of_momentum(&mass.inertia, about_centre)
        }
        NodeKind::PlaneFrame => {
            let arm = rotation * mass.centre;
            let about_centre = momentum[dof + 2] - (arm[0] * linear[1] - arm[1] * linear[0]);
            let inertia = mass.inertia[(2, 2)];
            Vector3::new(0.0, 0.0, if inertia > 0.0 { about_centre / inertia } else { 0.0 })
        }
        NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
    };
    let of_node = of_centre - rotation * spin.cross(&mass.centre);
    for c in 0..kind.positions() {
        v[c] = of_node[c];
    }
    match kind {
        NodeKind::SpaceFrame => v.fixed_rows_mut::<3>(3).copy_from(&spin),
        NodeKind::PlaneFrame => v[2] = spin[2],
        NodeKind::PlanePoint | NodeKind::SpacePoint => {}
    }
    v
}

/// Momenta of a node that moves with the velocity v = (ẋ, Ω or θ̇).
pub fn momentum_of_velocity(
    layout: &Layout,
    node: usize,
    q: &[f64],
    v: &Vector6<f64>,
    mass: &NodeMass,
) -> Vector6<f64> {
    let kind = layout.kind(node);
    let rotation = node_rotation(layout, q, node);
    let spin = match kind {
        NodeKind::SpaceFrame => v.fixed_rows::<3>(3).into_owned(),
        NodeKind::PlaneFrame => Vector3::new(0.0, 0.0, v[2]),
        NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
    };
    let of_node = Vector3::from_fn(|c, _| if c < kind.positions() { v[c] } else { 0.0 });
    let linear = (of_node + rotation * spin.cross(&mass.centre)) * mass.mass;
    let mut out = Vector6::zeros();
    for c in 0..kind.positions() {
        out[c] = linear[c];
    }
    match kind {
        NodeKind::SpaceFrame => {
            let angular = mass.inertia * spin + mass.centre.cross(&rotation.tr_mul(&linear));
            out.fixed_rows_mut::<3>(3).copy_from(&angular);
        }
        NodeKind::PlaneFrame => {
            let arm = rotation * mass.centre;
            out[2] = mass.inertia[(2, 2)] * spin[2] + arm[0] * linear[1] - arm[1] * linear[0];
        }
        NodeKind::PlanePoint | NodeKind::SpacePoint => {}
    }
    out
}

/// Kinetic energy of a node with these momenta.
pub fn energy_of_momentum(layout: &Layout, node: usize, q: &[f64], momentum: &[f64], mass: &NodeMass) -> f64 {
    let v = velocity_of(layout, node, q, momentum, mass);
    let dof = layout.freedom(node);
    0.5 * (0..layout.kind(node).freedoms()).map(|c| v[c] * momentum[dof + c]).sum::<f64>()
}

impl NodeStep {
    /// The steps of a node.
    pub fn new(mass: &NodeMass) -> Self {
        Self {
            eta: Vector3::zeros(),
            turn: 0.0,
            cayley: Quaternion::IDENTITY,
            whole: Quaternion::IDENTITY,
            rotations: [Matrix3::identity(); 2],
            linear: Vector3::zeros(),
            angular: Vector3::zeros(),
            mass: *mass,
            centred: mass.centre == Vector3::zeros(),
        }
    }

    /// A step from this configuration follows.
    pub fn begin(&mut self, layout: &Layout, node: usize, from: &[f64]) {
        if !self.centred {
            self.rotations[0] = node_rotation(layout, from, node);
        }
    }

    /// Takes the half step for granted.
    #[inline]
    pub fn place(&mut self, kind: NodeKind, half: &[f64], h: f64) {
        match kind {
            NodeKind::SpaceFrame => {
                self.eta = Vector3::new(half[3], half[4], half[5]);
                self.turn = self.eta.norm();
                self.cayley = Quaternion::cayley(self.eta);
                self.whole = self.cayley * self.cayley;
                self.angular = self.mass.inertia * (self.whole.im * (2.0 / h));
            }
            NodeKind::PlaneFrame => {
                self.eta = Vector3::new(0.0, 0.0, half[2]);
                self.turn = 2.0 * half[2].abs() / std::f64::consts::PI;
                self.angular = Vector3::new(0.0, 0.0, self.mass.inertia[(2, 2)] * 2.0 * half[2] / h);
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
        let mut moved = if self.centred { Vector3::zeros() } else { self.arm_moved(kind) };
        for c in 0..kind.positions() {
            moved[c] += 2.0 * half[c];
        }
        self.linear = moved * (self.mass.mass / h);
    }

    /// Turns the rotation at the end, and tells how the mass centre moves by it.
    fn arm_moved(&mut self, kind: NodeKind) -> Vector3<f64> {
        let early = self.rotations[0];
        self.rotations[1] = match kind {
            NodeKind::SpaceFrame => early * self.whole.matrix(),
            NodeKind::PlaneFrame => {
                let (sin, cos) = (2.0 * self.eta[2]).sin_cos();
                early * Matrix3::new(cos, -sin, 0.0, sin, cos, 0.0, 0.0, 0.0, 1.0)
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => early,
        };
        (self.rotations[1] - early) * self.mass.centre
    }

    /// Writes the middle and the end of the step.
    pub fn write(&self, layout: &Layout, node: usize, from: &[f64], half: &[f64], middle: &mut [f64], to: &mut [f64]) {
        let at = layout.coordinate(node);
        let kind = layout.kind(node);
        for c in 0..kind.coordinates().min(3) {
            middle[at + c] = from[at + c] + half[c];
            to[at + c] = from[at + c] + 2.0 * half[c];
        }
        if kind == NodeKind::SpaceFrame {
            let p = layout.orientation(from, node) * self.cayley;
            middle[at + 3..at + 7].copy_from_slice(&p.to_array());
            to[at + 3..at + 7].copy_from_slice(&(p * self.cayley).to_array());
        }
    }

    /// −D₁L_d for the forces g = ∂V at the middle.
    pub fn start_momentum(&self, kind: NodeKind, g: &Vector6<f64>, h: f64) -> Vector6<f64> {
        self.momentum(kind, g, h, 0)
    }

    /// D₂L_d.
    pub fn end_momentum(&self, kind: NodeKind, g: &Vector6<f64>, h: f64) -> Vector6<f64> {
        self.momentum(kind, g, h, 1)
    }

    #[inline]
    fn momentum(&self, kind: NodeKind, g: &Vector6<f64>, h: f64, end: usize) -> Vector6<f64> {
        let sign = if end == 0 { 1.0 } else { -1.0 };
        let mut out = Vector6::zeros();
        for c in 0..kind.positions() {
            out[c] = self.linear[c] + sign * 0.5 * h * g[c];
        }
        match kind {
            NodeKind::SpaceFrame => {
                let f = self.whole;
                let moment = g.fixed_rows::<3>(3).into_owned();
                let mut angular = self.angular * f.re + f.im.cross(&self.angular) * sign;
                if !self.centred {
                    angular += self.mass.centre.cross(&self.rotations[end].tr_mul(&self.linear));
                }
                angular += (moment * sign + self.eta.cross(&moment)) * (0.5 * h);
                out.fixed_rows_mut::<3>(3).copy_from(&angular);
            }
            NodeKind::PlaneFrame => {
                let arm = self.rotations[end] * self.mass.centre;
                let about = arm[0] * self.linear[1] - arm[1] * self.linear[0];
                out[2] = self.angular[2] + about + sign * 0.5 * h * g[2];
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
        out
    }

    /// The same impulse and moment of impulse r of the beginning, about a fixed point, at the end of the step.
    ///
    /// Moments are in the frame of the node; `to` is the configuration at the end.
    pub fn carried(&self, layout: &Layout, node: usize, half: &[f64], to: &[f64], r: &Vector6<f64>) -> Vector6<f64> {
        let mut out = *r;
        match layout.kind(node) {
            NodeKind::SpaceFrame => {
                let end = layout.orientation(to, node).normalised();
                let force = r.fixed_rows::<3>(0).into_owned();
                let way = Vector3::new(half[0], half[1], half[2]) * 2.0;
                let turned = self.whole.to_material(r.fixed_rows::<3>(3).into_owned());
                out.fixed_rows_mut::<3>(3).copy_from(&(turned - end.to_material(way.cross(&force))));
            }
            NodeKind::PlaneFrame => out[2] -= 2.0 * (half[0] * r[1] - half[1] * r[0]),
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
        out
    }

    /// ∂θ_m/∂η.
    fn middle_turn(&self) -> Matrix3<f64> {
        (Matrix3::identity() - cross_matrix(self.eta)) * (2.0 / (1.0 + self.eta.norm_squared()))
    }

    /// The rotation at the end by that at the middle: I + R(Cay η)ᵀ.
    fn end_turn(&self) -> Matrix3<f64> {
        Matrix3::identity() + self.cayley.matrix().transpose()
    }

    /// Velocity of the node in the step, (ẋ, Ω or θ̇) with Ω = 2 Im(p̄₀p₁)/h.
    pub fn velocity(&self, kind: NodeKind, half: &[f64], h: f64) -> Vector6<f64> {
        let mut out = Vector6::zeros();
        for c in 0..kind.coordinates().min(3) {
            out[c] = 2.0 * half[c] / h;
        }
        if kind == NodeKind::SpaceFrame {
            out.fixed_rows_mut::<3>(3).copy_from(&(self.whole.im * (2.0 / h)));
        }
        out
    }

    /// Its derivative by the degrees of freedom at the middle: p₁ turned by ξ has Im(p̄₀p₁) changed by ½ (f₀ ξ + f × ξ).
    pub fn velocity_of_middle(&self, kind: NodeKind, h: f64) -> Matrix6<f64> {
        let mut out = Matrix6::from_diagonal_element(2.0 / h);
        if kind == NodeKind::SpaceFrame {
            let by_end = Matrix3::from_diagonal_element(self.whole.re) + cross_matrix(self.whole.im);
            out.fixed_view_mut::<3, 3>(3, 3).copy_from(&(by_end * self.end_turn() / h));
        }
        out
    }

    /// ∂(end)/∂(middle) of the degrees of freedom.
    pub fn end_of_middle(&self, kind: NodeKind) -> Matrix6<f64> {
        let mut out = Matrix6::identity() * 2.0;
        if kind == NodeKind::SpaceFrame {
            out.fixed_view_mut::<3, 3>(3, 3).copy_from(&self.end_turn());
        }
        out
    }

    /// Derivative by the half step of something whose derivative at the end is given.
    pub fn end_derivative(&self, kind: NodeKind, at_end: &SMatrix<f64, 1, 6>) -> SMatrix<f64, 1, 6> {
        let mut out = at_end * 2.0;
        if kind == NodeKind::SpaceFrame {
            let turned = at_end.fixed_view::<1, 3>(0, 3) * self.end_turn() * self.middle_turn();
            out.fixed_view_mut::<1, 3>(0, 3).copy_from(&turned);
        }
        out
    }

    /// ∂(−D₁L_d)/∂(half step) without forces.
    fn inertia(&self, kind: NodeKind, h: f64) -> Matrix6<f64> {
        let mut out = Matrix6::zeros();
        let m = self.mass.mass / h;
        for c in 0..kind.positions() {
            out[(c, c)] = 2.0 * m;
        }
        match kind {
            NodeKind::SpaceFrame => {
                let s = self.eta.norm_squared();
                let f = self.whole;
                // df = F dη, df₀ = −4 η·dη/(1 + s)².
                let big_f =
                    (Matrix3::identity() - self.eta * self.eta.transpose() * (2.0 / (1.0 + s))) * (2.0 / (1.0 + s));
                let mut turn = self.angular * self.eta.transpose() * (-4.0 / (1.0 + s).powi(2));
                turn +=
                    (Matrix3::from_diagonal_element(f.re) + cross_matrix(f.im)) * self.mass.inertia * big_f * (2.0 / h);
                turn -= cross_matrix(self.angular) * big_f;
                if !self.centred {
                    let c = cross_matrix(self.mass.centre);
                    let late = -(self.rotations[1] * c) * self.end_turn() * self.middle_turn() * m;
                    out.fixed_view_mut::<3, 3>(0, 3).copy_from(&late);
                    let arm = c * self.rotations[0].transpose();
                    out.fixed_view_mut::<3, 3>(3, 0).copy_from(&(arm * (2.0 * m)));
                    turn += arm * late;
                }
                out.fixed_view_mut::<3, 3>(3, 3).copy_from(&turn);
            }
            NodeKind::PlaneFrame => {
                let [early, late] = [0, 1].map(|end| self.rotations[end] * self.mass.centre);
                // d(linear) = m/h (2 du + 2 dθ e_z × R₁c), moment e_z·(R₀c × linear).
                let by_turn = [-late[1] * 2.0 * m, late[0] * 2.0 * m];
                (out[(0, 2)], out[(1, 2)]) = (by_turn[0], by_turn[1]);
                (out[(2, 0)], out[(2, 1)]) = (-early[1] * 2.0 * m, early[0] * 2.0 * m);
                out[(2, 2)] = 2.0 * self.mass.inertia[(2, 2)] / h + early[0] * by_turn[1] - early[1] * by_turn[0];
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => {}
        }
        out
    }
}

/// From the stiffness between two nodes at the middle to the derivative of −D₁L_d of the one by the half step of the
/// other. On the diagonal `forces` holds all forces of the node and those with a potential.
pub fn transform(
    row: &NodeStep,
    col: &NodeStep,
    rows: NodeKind,
    cols: NodeKind,
    block: &mut Matrix6<f64>,
    forces: Option<(Vector6<f64>, Vector6<f64>)>,
    h: f64,
) {
    if let (Some((_, potential)), NodeKind::SpaceFrame) = (&forces, rows) {
        let moment = potential.fixed_rows::<3>(3).into_owned();
        let mut turn = block.fixed_view_mut::<3, 3>(3, 3);
        turn += cross_matrix(moment * 0.5);
    }
    *block *= 0.5 * h;
    if rows == NodeKind::SpaceFrame {
        let turned = (Matrix3::identity() + cross_matrix(row.eta)) * block.fixed_view::<3, 6>(3, 0);
        block.fixed_view_mut::<3, 6>(3, 0).copy_from(&turned);
    }
    if cols == NodeKind::SpaceFrame {
        let turned = block.fixed_view::<6, 3>(0, 3) * col.middle_turn();
        block.fixed_view_mut::<6, 3>(0, 3).copy_from(&turned);
    }
    if let Some((all, _)) = forces {
        *block += row.inertia(rows, h);
        if rows == NodeKind::SpaceFrame {
            // d(η × G) at fixed G.
            let moment = all.fixed_rows::<3>(3).into_owned();
            let mut turn = block.fixed_view_mut::<3, 3>(3, 3);
            turn -= cross_matrix(moment) * (0.5 * h);
        }
    }
}
