//! Linkages whose mobility is known.

use lariat::discretisation::linkage::{Link, Linkage};
use lariat::mechanism::JointKind;
use nalgebra::{Matrix3, Rotation3, Vector3};

pub fn v(x: f64, y: f64, z: f64) -> Vector3<f64> {
    Vector3::new(x, y, z)
}

/// A linkage as data: bodies, and joints by the places of two of them (`None` is the ground), type and place.
#[derive(Debug, Clone)]
pub struct Case {
    pub bodies: usize,
    pub joints: Vec<([Option<usize>; 2], JointKind, Vector3<f64>)>,
}

impl Case {
    pub fn linkage(&self) -> Linkage {
        self.fill(Linkage::space(), |kind| kind)
    }

    /// The same in the plane, where hinges have no axis.
    pub fn in_plane(&self) -> Linkage {
        self.fill(Linkage::plane(), |kind| {
            if let JointKind::Revolute(_) = kind { JointKind::Revolute(Vector3::z()) } else { kind }
        })
    }

    /// Turned and shifted as a whole: nothing may depend on that.
    pub fn elsewhere(&self) -> Self {
        let turn: Matrix3<f64> = Rotation3::from_scaled_axis(v(0.4, -1.1, 0.7)).into_inner();
        let place = |at: Vector3<f64>| turn * at * 3.7 + v(20.0, -5.0, 11.0);
        let turned = |kind| match kind {
            JointKind::Revolute(axis) => JointKind::Revolute(turn * axis),
            JointKind::Prismatic(axis) => JointKind::Prismatic(turn * axis),
            other => other,
        };
        let joints = self.joints.iter().map(|(between, kind, at)| (*between, turned(*kind), place(*at)));
        Self { bodies: self.bodies, joints: joints.collect() }
    }

    fn fill(&self, mut linkage: Linkage, kind_in: impl Fn(JointKind) -> JointKind) -> Linkage {
        let links: Vec<Link> = (0..self.bodies).map(|k| linkage.body(format!("link{}", k + 1))).collect();
        for (k, (between, kind, at)) in self.joints.iter().enumerate() {
            let between = between.map(|body| body.map_or(Link::GROUND, |body| links[body]));
            linkage.joint(format!("j{}", k + 1), between, kind_in(*kind), *at).unwrap();
        }
        linkage
    }
}

/// A closed loop of links: the ground, the bodies in turn, the ground.
fn ring(joints: Vec<(JointKind, Vector3<f64>)>) -> Case {
    let bodies = joints.len() - 1;
    let body = |k: usize| (k > 0 && k <= bodies).then(|| k - 1);
    let joints = joints.into_iter().enumerate().map(|(k, (kind, at))| ([body(k), body(k + 1)], kind, at)).collect();
    Case { bodies, joints }
}

fn hinges(places: &[(Vector3<f64>, Vector3<f64>)]) -> Case {
    ring(places.iter().map(|(axis, at)| (JointKind::Revolute(*axis), *at)).collect())
}

fn parallel(places: &[Vector3<f64>]) -> Case {
    hinges(&places.iter().map(|at| (Vector3::z(), *at)).collect::<Vec<_>>())
}

/// Bars 2, 4, 3 and the ground 3.5, the crank at 60 degrees.
pub fn four_bar() -> Case {
    let crank = 60.0_f64.to_radians();
    let (b, d) = (v(2.0 * crank.cos(), 2.0 * crank.sin(), 0.0), v(3.5, 0.0, 0.0));
    // The coupler's other end: 4 from b, 3 from d.
    let (between, far) = (d - b, (d - b).norm());
    let along = (16.0 - 9.0 + far * far) / (2.0 * far);
    let (e, height) = (between / far, (16.0 - along * along).sqrt());
    let c = b + e * along + v(-e[1], e[0], 0.0) * height;
    assert!(((c - b).norm() - 4.0).abs() < 1e-12 && ((c - d).norm() - 3.0).abs() < 1e-12);
    parallel(&[v(0.0, 0.0, 0.0), b, c, d])
}

/// A parallelogram 1, 2 with all hinges in a line.
pub fn flattened() -> Case {
    parallel(&[v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(3.0, 0.0, 0.0), v(2.0, 0.0, 0.0)])
}

/// IFToMM: n + 1 cranks side by side, joined by n couplers; all links of length 1. Upright or flat.
pub fn four_bars(n: usize, direction: Vector3<f64>) -> Case {
    let hinge = JointKind::Revolute(Vector3::z());
    let foot = |k: usize| v(k as f64, 0.0, 0.0);
    let mut joints = Vec::new();
    for k in 0..=n {
        joints.push(([None, Some(k)], hinge, foot(k)));
    }
    for k in 0..n {
        joints.push(([Some(k), Some(n + 1 + k)], hinge, foot(k) + direction));
        joints.push(([Some(n + 1 + k), Some(k + 1)], hinge, foot(k + 1) + direction));
    }
    Case { bodies: 2 * n + 1, joints }
}

/// Four hinges whose axes meet in a point.
pub fn spherical() -> Case {
    let axes = [v(0.0, 0.0, 1.0), v(0.6, 0.1, 0.8), v(0.5, 0.9, 0.4), v(-0.3, 0.8, 0.7)];
    hinges(&axes.map(|axis| (axis, axis.normalize())))
}

/// Bennett's linkage: lengths a₁ = 1, a₂ and twists 40°, 65° with a₁ sin α₂ = a₂ sin α₁; opposite links are equal.
pub fn bennett() -> Case {
    let (first, second) = (40.0_f64.to_radians(), 65.0_f64.to_radians());
    let links = [(1.0, first), (second.sin() / first.sin(), second)];
    let turn = 1.1_f64;
    // tan(θ₁/2) tan(θ₂/2) = sin((α₂ + α₁)/2) / sin((α₂ − α₁)/2)
    let ratio = (0.5 * (second + first)).sin() / (0.5 * (second - first)).sin();
    let other = 2.0 * (ratio / (0.5 * turn).tan()).atan();
    let (mut at, mut frame) = (Vector3::zeros(), Matrix3::identity());
    let mut places = Vec::new();
    for (k, angle) in [turn, other, -turn, -other].into_iter().enumerate() {
        places.push((frame.column(2).into_owned(), at));
        // Denavit and Hartenberg: turn about the axis, go along the link, twist about it.
        let (length, twist) = links[k % 2];
        frame *= Rotation3::from_axis_angle(&Vector3::z_axis(), angle).into_inner();
        at += frame.column(0) * length;
        frame *= Rotation3::from_axis_angle(&Vector3::x_axis(), twist).into_inner();
    }
    assert!(at.norm() < 1e-12 && (frame - Matrix3::identity()).norm() < 1e-12, "the loop closes: {at} {frame}");
    hinges(&places)
}

/// Bricard's linkage on six edges of a cube (IFToMM A04): each hinge is perpendicular to both of its links.
pub fn bricard() -> Case {
    let corners =
        [v(0.0, 0.0, 0.0), v(1.0, 0.0, 0.0), v(1.0, -1.0, 0.0), v(1.0, -1.0, 1.0), v(0.0, -1.0, 1.0), v(0.0, 0.0, 1.0)];
    let axis = |k: usize| {
        let (before, here, after) = (corners[(k + 5) % 6], corners[k], corners[(k + 1) % 6]);
        (here - before).cross(&(after - here))
    };
    hinges(&std::array::from_fn::<_, 6, _>(|k| (axis(k), corners[k])))
}

/// Sarrus: two chains of three parallel hinges, along x and along y, carry a plate straight up.
pub fn sarrus() -> Case {
    hinges(&[
        (Vector3::x(), v(0.0, -1.0, 0.0)),
        (Vector3::x(), v(0.0, -1.5, 0.7)),
        (Vector3::x(), v(0.0, -1.0, 1.4)),
        (Vector3::y(), v(1.0, 0.0, 1.4)),
        (Vector3::y(), v(1.6, 0.0, 0.7)),
        (Vector3::y(), v(1.0, 0.0, 0.0)),
    ])
}

/// Hinges anywhere.
pub fn generic(count: usize) -> Case {
    let number = |k: usize| ((k as f64 + 1.0) * 12.9898).sin() * 43_758.545_3 % 1.0;
    let vector = |k: usize| v(number(3 * k), number(3 * k + 1), number(3 * k + 2));
    hinges(&(0..count).map(|k| (vector(2 * k + 1), vector(2 * k + 40))).collect::<Vec<_>>())
}

/// A plate on three legs of two links each.
pub fn three_rrr() -> Case {
    let hinge = JointKind::Revolute(Vector3::z());
    let mut joints = Vec::new();
    for leg in 0..3 {
        let angle = 0.2 + leg as f64 * 2.1;
        let at = |radius: f64, turn: f64| v(radius * (angle + turn).cos(), radius * (angle + turn).sin(), 0.0);
        joints.push(([None, Some(1 + 2 * leg)], hinge, at(3.0, 0.0)));
        joints.push(([Some(1 + 2 * leg), Some(2 + 2 * leg)], hinge, at(2.2, 0.6)));
        joints.push(([Some(2 + 2 * leg), Some(0)], hinge, at(0.8, 0.3)));
    }
    Case { bodies: 7, joints }
}

/// Crank, rod and a slider along x.
pub fn slider_crank() -> Case {
    let hinge = JointKind::Revolute(Vector3::z());
    let knee = v(0.6, 0.8, 0.0);
    let slider = v(2.4, 0.0, 0.0);
    ring(vec![(hinge, v(0.0, 0.0, 0.0)), (hinge, knee), (hinge, slider), (JointKind::Prismatic(Vector3::x()), slider)])
}

/// All of them, named as in `tests/data/mobility.csv`.
pub fn all() -> Vec<(String, Case)> {
    let mut cases = vec![("four-bar".to_owned(), four_bar()), ("flattened parallelogram".to_owned(), flattened())];
    for n in [2, 3, 5] {
        cases.push((format!("{n} four-bars upright"), four_bars(n, Vector3::y())));
        cases.push((format!("{n} four-bars flat"), four_bars(n, Vector3::x())));
    }
    let rest = [
        ("spherical four-bar", spherical()),
        ("Bennett", bennett()),
        ("Bricard", bricard()),
        ("Sarrus", sarrus()),
        ("generic 6R", generic(6)),
        ("generic 7R", generic(7)),
        ("planar 3-RRR", three_rrr()),
        ("slider-crank", slider_crank()),
    ];
    cases.extend(rest.map(|(name, case)| (name.to_owned(), case)));
    cases
}
