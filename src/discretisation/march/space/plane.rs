//! The fast path of motions in a plane: an angle instead of a quaternion, one moment, no iterations.
//!
//! With d₃ = (cos θ, sin θ), d₁ = (−sin θ, cos θ) and forces f, l per length,
//!
//! n' = ρA (r̈ − g) − f, θ' = κ⁰ + m/EI;  r' = γ₃ d₃ + γ₁ d₁, m' = ρI θ̈ − (γ₃ N₁ − γ₁ N₃) − l,
//!
//! with the drag of a fluid by the velocity ṙ among the forces, of sections whose force and moment each have their own strains and whose centres lie on the axis. Of damped sections the
//! strains are those of the elastic parts of the stresses (see [`super::relaxation`]).

use std::sync::Arc;

use nalgebra::Vector3;

use super::leapfrog::{Leapfrog, leap};
use super::section::rest_curvature;
use super::sections::Sections;
use super::{Loading, Lowpass, Piece, SpaceError, SpaceLayer, SpaceSection, SpaceState, TimeDerivative, Unfit};
use crate::discretisation::march::SidewaysError;
use crate::geometry::{Pose, Quaternion};
use crate::mechanism::{RodLoads, RodPart, StrainError};
use crate::terms::{plane_angle, plane_orientation};

/// All of time at one section of a plane rod.
struct PlaneLayer {
    r: [Vec<f64>; 2],
    theta: Vec<f64>,
    n: [Vec<f64>; 2],
    m: Vec<f64>,
}

impl PlaneLayer {
    fn new(states: &[SpaceState]) -> Self {
        let mut theta = Vec::with_capacity(states.len());
        let mut near = 0.0;
        for state in states {
            near = plane_angle(state.pose.orientation, near);
            theta.push(near);
        }
        let collect = |of: &dyn Fn(&SpaceState) -> f64| states.iter().map(of).collect();
        Self {
            r: [collect(&|state| state.pose.position[0]), collect(&|state| state.pose.position[1])],
            theta,
            n: [collect(&|state| state.n[0]), collect(&|state| state.n[1])],
            m: collect(&|state| state.m[2]),
        }
    }

    fn len(&self) -> usize {
        self.theta.len()
    }

    fn state(&self, k: usize) -> SpaceState {
        let position = Vector3::new(self.r[0][k], self.r[1][k], 0.0);
        SpaceState {
            pose: Pose { position, orientation: plane_orientation(self.theta[k]) },
            n: Vector3::new(self.n[0][k], self.n[1][k], 0.0),
            m: Vector3::new(0.0, 0.0, self.m[k]),
        }
    }

    fn first_not_finite(&self) -> usize {
        let parts = || self.r.iter().chain(&self.n).chain([&self.theta, &self.m]);
        (0..self.len()).find(|k| parts().any(|component| !component[*k].is_finite())).unwrap_or(0)
    }
}

/// A march along rods in the plane.
pub struct PlaneMarch<'a> {
    layer: PlaneLayer,
    dt: f64,
    time: TimeDerivative,
    gravity: Vector3<f64>,
    instant: &'a dyn Fn(usize) -> f64,
    loading: Loading,
    sections: Sections,
}

/// Whether the rods of a march in the plane are such as this one can treat.
pub fn is_simple(rod: &RodPart, loads: &RodLoads<'_>) -> bool {
    let simple = |s: f64| SpaceSection::at(rod, s, true).is_ok_and(|section| is_simple_section(&section));
    let places = (0..=2 * rod.elements).map(|half| match half % 2 {
        0 => rod.boundary(half / 2),
        _ => 0.5 * (rod.boundary(half / 2) + rod.boundary(half / 2 + 1)),
    });
    !rod.kind.is_limp() && !loads.follow() && places.into_iter().all(simple)
}

/// Whether force and moment each have their own strains, of shear and stretch apart, about an axis with the mass centre on it.
pub(super) fn is_simple_section(section: &SpaceSection) -> bool {
    section.apart && !section.is_eccentric() && section.compliance[(0, 2)] == 0.0
}

impl<'a> PlaneMarch<'a> {
    /// From the states of a section at instants `dt` apart; `instant` tells the time of each.
    pub fn new(
        states: &[SpaceState],
        dt: f64,
        gravity: Vector3<f64>,
        lowpass: Option<Lowpass>,
        instant: &'a dyn Fn(usize) -> f64,
    ) -> Self {
        let time = TimeDerivative::new(dt, states.len(), lowpass);
        let (layer, loading, sections) = (PlaneLayer::new(states), Loading::default(), Sections::default());
        Self { layer, dt, time, gravity, instant, loading, sections }
    }

    /// The section that was reached.
    pub fn reached(&self) -> SpaceLayer {
        let states: Vec<SpaceState> = (0..self.layer.len()).map(|k| self.layer.state(k)).collect();
        SpaceLayer::new(&states)
    }

    /// Goes on from another section.
    pub fn restart(&mut self, layer: &SpaceLayer) {
        let states: Vec<SpaceState> = (0..layer.len()).map(|k| layer.state(k)).collect();
        self.layer = PlaneLayer::new(&states);
    }

    /// Goes over a piece of a rod under loads along it. Returns the slowest wave met.
    pub fn advance(&mut self, rod: &RodPart, loads: &RodLoads<'_>, piece: Piece) -> Result<f64, SpaceError> {
        leap(self, rod, loads, piece)
    }

    fn section(&mut self, rod: &RodPart, s: f64) -> Result<Arc<SpaceSection>, Unfit> {
        let section = self.sections.at(rod, s, true)?;
        if is_simple_section(&section) { Ok(section) } else { Err(Unfit::Uneven) }
    }

    /// Advances θ.
    fn turn(&mut self, step: f64, section: &SpaceSection, rest: f64) {
        let (bent, compliance) = (step * rest, step * section.bending[(1, 1)]);
        let layer = &mut self.layer;
        match section.relaxation(self.dt) {
            None => {
                for (theta, m) in layer.theta.iter_mut().zip(&layer.m) {
                    *theta += bent + compliance * m;
                }
            }
            Some(rule) => {
                let mut elastic = rule.component(4);
                for (theta, m) in layer.theta.iter_mut().zip(&layer.m) {
                    *theta += bent + compliance * elastic.next(*m);
                }
            }
        }
    }

    /// Takes the drag off n.
    fn resist(&mut self, step: f64) {
        let layer = &mut self.layer;
        self.loading.find_velocities(&layer.r, &self.time);
        for k in 0..layer.len() {
            let (sin, cos) = layer.theta[k].sin_cos();
            let force = self.loading.drag(k, Vector3::new(cos, sin, 0.0));
            layer.n[0][k] -= step * force[0];
            layer.n[1][k] -= step * force[1];
        }
    }

    fn load(&mut self, loads: &RodLoads<'_>, s: f64) -> Result<(), SpaceError> {
        self.loading.evaluate(loads, s, self.layer.len(), self.instant).map_err(SpaceError::Load)
    }
}

impl Leapfrog for PlaneMarch<'_> {
    /// Advances n and θ.
    fn kick(
        &mut self,
        rod: &RodPart,
        loads: &RodLoads<'_>,
        s: f64,
        step: f64,
        [back, front]: [f64; 2],
    ) -> Result<(), SpaceError> {
        self.load(loads, s)?;
        let section = self.section(rod, s)?;
        let mass = step * section.mass;
        let layer = &mut self.layer;
        for axis in 0..2 {
            let gravity = self.gravity[axis];
            let acceleration = self.time.second(&layer.r[axis]);
            for (n, a) in layer.n[axis].iter_mut().zip(acceleration) {
                *n += mass * (a - gravity);
            }
        }
        if self.loading.is_there() {
            for k in 0..layer.len() {
                let force = self.loading.force(k, Quaternion::IDENTITY);
                layer.n[0][k] -= step * force[0];
                layer.n[1][k] -= step * force[1];
            }
        }
        let rest = rest_curvature(rod, back, front)[1];
        if !self.loading.resists() {
            self.turn(step, &section, rest);
            return Ok(());
        }
        // Drag needs the angle of the section itself, half way.
        self.turn(0.5 * step, &section, rest);
        self.resist(step);
        self.turn(0.5 * step, &section, rest);
        Ok(())
    }

    /// Advances r and m; the slowest wave met.
    fn drift(
        &mut self,
        rod: &RodPart,
        loads: &RodLoads<'_>,
        middle: f64,
        step: f64,
        end: f64,
    ) -> Result<f64, SpaceError> {
        self.load(loads, middle)?;
        let section = self.section(rod, middle)?;
        let (rotary, per_shear, across) = (section.inertia[(1, 1)], section.compliance[(0, 0)], section.rest[0]);
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        let layer = &mut self.layer;
        let spin = self.time.second(&layer.theta);
        let ([x, y], [nx, ny]) = (&mut layer.r, &layer.n);
        let count = spin.len();
        let (x, y, theta) = (&mut x[..count], &mut y[..count], &layer.theta[..count]);
        let (nx, ny, m) = (&nx[..count], &ny[..count], &mut layer.m[..count]);
        let mut elastic = section.relaxation(self.dt).map(|rule| [2, 0].map(|c| rule.component(c)));
        for k in 0..count {
            let (sin, cos) = theta[k].sin_cos();
            let n3 = cos * nx[k] + sin * ny[k];
            let n1 = cos * ny[k] - sin * nx[k];
            let [e3, e1] = match &mut elastic {
                Some([along, across]) => [along.next(n3), across.next(n1)],
                None => [n3, n1],
            };
            let g3 = section.stretch(e3);
            let g1 = e1 * per_shear + across;
            least = least.min(g3);
            most = most.max(g3);
            x[k] += step * (g3 * cos - g1 * sin);
            y[k] += step * (g3 * sin + g1 * cos);
            m[k] += step * (rotary * spin[k] - (g3 * n1 - g1 * n3));
        }
        if self.loading.is_there() {
            for (k, m) in m.iter_mut().enumerate() {
                *m -= step * self.loading.torque(k, Quaternion::IDENTITY)[2];
            }
        }
        if !(most.is_finite() && layer.m.iter().all(|m| m.is_finite())) {
            return Ok(f64::NAN);
        }
        if !(least > 0.0) {
            let stretch = |k: usize| {
                let (sin, cos) = layer.theta[k].sin_cos();
                section.stretch(cos * layer.n[0][k] + sin * layer.n[1][k])
            };
            let index = (0..layer.len()).min_by(|a, b| stretch(*a).total_cmp(&stretch(*b))).unwrap_or(0);
            let cause = StrainError::Collapsed { stretch: least };
            return Err(SidewaysError::Breakdown { s: end, index, cause }.into());
        }
        Ok(section.waves(least, most)[0])
    }

    fn dt(&self) -> f64 {
        self.dt
    }

    fn first_not_finite(&self) -> usize {
        self.layer.first_not_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::super::SpaceMarch;
    use super::*;
    use crate::kernel::{Expression, Profile, Scope};
    use crate::material::{Law, LawSpec, RodLaw, Section};
    use crate::mechanism::{LineLoad, Quadrature, RodKind};

    /// A tapered, curved, prestrained rod under gravity and a load along it: the same as the march in space, to rounding.
    #[test]
    fn plane_motions_are_those_of_the_march_in_space() {
        let bend = 0.4;
        let rod = RodPart {
            name: "rod".into(),
            kind: RodKind::Cosserat,
            length: 1.0,
            elements: 8,
            mesh: Default::default(),
            order: 1,
            quadrature: Quadrature::Midpoint,
            reference: Arc::new(move |s| Pose {
                position: Vector3::new((bend * s).sin() / bend, (1.0 - (bend * s).cos()) / bend, 0.0),
                orientation: plane_orientation(bend * s),
            }),
            section: Arc::new(|s| {
                let k = 1.0 + 0.3 * s;
                Section::principal(2.0 * k, [k, k], [k, k], k, k, [k, k, k])
            }),
            law: RodLaw { axial: Law::build(LawSpec::Logarithmic), stiffening: 0.0 },
            prestrain: Some(Arc::new(|s| nalgebra::Vector6::new(0.01, 0.0, 0.02 * s, 0.0, 0.1, 0.0))),
            velocity: None,
        };
        let profile = |text: &str| Profile::compile(&Expression::Text(text.into()), &Scope::empty()).unwrap();
        let zero = || profile("0");
        let load = LineLoad {
            name: "wind".into(),
            rod: 0,
            force: [profile("0.1*s"), profile("0.2*sin(t)"), zero()],
            torque: [zero(), zero(), profile("0.05*cos(t)")],
            follows: false,
        };
        let loads = RodLoads::new([&load]);
        assert!(is_simple(&rod, &loads));
        let (dt, gravity) = (0.1, Vector3::new(0.1, -0.3, 0.0));
        let instant = |k: usize| dt * k as f64;
        let states: Vec<SpaceState> = (0..60)
            .map(|k| {
                let angle = 0.3 * (0.1 * k as f64).sin();
                let pose =
                    Pose { position: Vector3::new(1.0, angle, 0.0), orientation: plane_orientation(bend + angle) };
                SpaceState { pose, n: Vector3::new(0.1, angle, 0.0), m: Vector3::new(0.0, 0.0, 0.2 * angle) }
            })
            .collect();
        let piece = Piece { span: [1.0, 0.0], substeps: 20 };
        let mut plane = PlaneMarch::new(&states, dt, gravity, None, &instant);
        let mut space = SpaceMarch::new(&states, true, dt, gravity, None, &instant);
        let slowest = [plane.advance(&rod, &loads, piece), space.advance(&rod, &loads, piece)].map(Result::unwrap);
        assert!((slowest[0] - slowest[1]).abs() < 1e-12);
        let reached = plane.reached();
        for k in 0..states.len() {
            let (a, b) = (reached.state(k), space.layer.state(k));
            let turn = (a.pose.orientation * b.pose.orientation.conjugate()).rotation_vector();
            let off = [a.pose.position - b.pose.position, turn, a.n - b.n, a.m - b.m];
            assert!(off.iter().all(|off| off.amax() < 1e-11), "instant {k}: {off:?}");
        }
    }
}
