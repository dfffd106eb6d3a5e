//! The conditions of a linkage as functions of its configuration, without dimensions: lengths are fractions of its size.

use nalgebra::{DMatrix, DVector, Vector3};

use super::{Hold, Link, Linkage};
use crate::discretisation::assembly::row_of;
use crate::geometry::{Pose, Quaternion};
use crate::terms::{Anchor, Attachment, Constraint, GroundTravel, Layout, NodeKind};

/// Where the links are, by the coordinates of a [`Layout`]: origins as fractions of the size of the linkage, and rotations from
/// the reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Posture(Vec<f64>);

/// The equations g(q) = 0 of a linkage. A motion has for each link the velocity of its origin, and its angular velocity in axes of
/// the link, as far as it has them.
#[derive(Debug)]
pub struct Closure {
    layout: Layout,
    is_plane: bool,
    constraints: Vec<Constraint>,
    reference: Posture,
    /// Links of each connected part that nothing ties to the ground.
    free_parts: Vec<Vec<usize>>,
}

impl Closure {
    /// The equations of a linkage. The origin of a body is the mean of the places of its joints.
    pub fn new(linkage: &Linkage) -> Self {
        let count = linkage.links.len();
        let mut origins: Vec<(Vector3<f64>, f64)> =
            linkage.links.iter().map(|link| link.point.map_or((Vector3::zeros(), 0.0), |at| (at, 1.0))).collect();
        for (link, at) in linkage.joints.iter().flat_map(|joint| joint.sides) {
            if let Some(link) = link.0.filter(|link| linkage.links[*link].point.is_none()) {
                origins[link].0 += at;
                origins[link].1 += 1.0;
            }
        }
        let origins: Vec<Vector3<f64>> = origins.into_iter().map(|(sum, n)| sum / f64::max(n, 1.0)).collect();
        let (centre, size) = extent(linkage, &origins);
        let scaled = |at: Vector3<f64>| (at - centre) / size;
        let mut layout = Layout::new();
        for link in 0..count {
            layout.push(match (linkage.dimension, linkage.is_point(link)) {
                (2, true) => NodeKind::PlanePoint,
                (2, false) => NodeKind::PlaneFrame,
                (_, true) => NodeKind::SpacePoint,
                (_, false) => NodeKind::SpaceFrame,
            });
        }
        let mut reference = vec![0.0; layout.coordinate_count()];
        for (node, origin) in origins.iter().enumerate() {
            // The angle of a plane link is that of its first axis.
            let orientation = match linkage.dimension {
                2 => crate::terms::plane_orientation(0.0),
                _ => Quaternion::IDENTITY,
            };
            layout.set_pose(&mut reference, node, &Pose { position: scaled(*origin), orientation }, 0.0);
        }
        let anchor = |(Link(link), at): (Link, Vector3<f64>)| match link {
            None => Anchor::Ground(scaled(at), [None, None, None]),
            Some(node) => {
                let offset = scaled(at) - scaled(origins[node]);
                Anchor::Node(Attachment { node, offset, turn: Quaternion::IDENTITY, angle: 0.0, plain: false })
            }
        };
        let constraint = |joint: &Hold| {
            let sides = joint.sides.map(anchor);
            let length = (joint.sides[1].1 - joint.sides[0].1).norm() / size;
            let rows = joint.rows.iter().map(|(_, row)| row_of(*row, &sides, length, &layout, &reference)).collect();
            Constraint { name: joint.name.clone(), sides, rows }
        };
        let constraints = linkage.joints.iter().map(constraint).collect();
        let parts = parts(linkage);
        let mut free_parts: Vec<Vec<usize>> = Vec::new();
        for part in 1..=parts.iter().copied().max().unwrap_or(0) {
            free_parts.push((0..count).filter(|link| parts[*link] == part).collect());
        }
        Self { layout, is_plane: linkage.dimension == 2, constraints, reference: Posture(reference), free_parts }
    }

    /// Number of equations.
    pub fn rows(&self) -> usize {
        self.constraints.iter().map(|joint| joint.rows.len()).sum()
    }

    /// Number of components of a motion.
    pub fn columns(&self) -> usize {
        self.layout.freedom_count()
    }

    /// Number of links.
    pub fn links(&self) -> usize {
        self.layout.nodes()
    }

    /// The reference configuration.
    pub fn reference(&self) -> &Posture {
        &self.reference
    }

    /// Links of each connected part that nothing ties to the ground.
    pub fn free_parts(&self) -> &[Vec<usize>] {
        &self.free_parts
    }

    /// Whether it is a linkage of the plane.
    pub fn is_plane(&self) -> bool {
        self.is_plane
    }

    /// Whether a link is a point.
    pub fn is_point(&self, link: usize) -> bool {
        !self.layout.kind(link).turns()
    }

    /// The origin of a link, as a fraction of the size of the linkage.
    pub fn origin(&self, posture: &Posture, link: usize) -> Vector3<f64> {
        self.layout.position(&posture.0, link)
    }

    /// Velocity of the origin and angular velocity of a link in a motion, in axes of space.
    pub fn twist(&self, posture: &Posture, link: usize, motion: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        let (first, kind) = (self.layout.freedom(link), self.layout.kind(link));
        let v = Vector3::from_fn(|c, _| if c < kind.positions() { motion[first + c] } else { 0.0 });
        let turn = match kind {
            NodeKind::PlaneFrame => Vector3::z() * motion[first + 2],
            NodeKind::SpaceFrame => {
                let own = Vector3::from_fn(|c, _| motion[first + 3 + c]);
                self.layout.orientation(&posture.0, link).rotate(own)
            }
            NodeKind::PlanePoint | NodeKind::SpacePoint => Vector3::zeros(),
        };
        (v, turn)
    }

    /// Values and first derivatives of all equations.
    pub fn evaluate(&self, posture: &Posture) -> (DVector<f64>, DMatrix<f64>) {
        let mut values = DVector::zeros(self.rows());
        let mut slopes = DMatrix::zeros(self.rows(), self.columns());
        let still = GroundTravel(Vector3::zeros());
        let equations = self.constraints.iter().flat_map(|joint| (0..joint.rows.len()).map(move |row| (joint, row)));
        for (index, (joint, row)) in equations.enumerate() {
            values[index] = joint.value(&self.layout, &posture.0, &still, row);
            let derivative = joint.derivative(&self.layout, &posture.0, row);
            for (side, by) in joint.sides.iter().zip(derivative) {
                let Some(node) = side.node() else { continue };
                let first = self.layout.freedom(node);
                (0..self.layout.kind(node).freedoms()).for_each(|c| slopes[(index, first + c)] += by[c]);
            }
        }
        (values, slopes)
    }

    /// The configuration reached from another by a motion: origins move straight, links turn about fixed axes.
    pub fn moved(&self, posture: &Posture, motion: &[f64]) -> Posture {
        let mut out = posture.0.clone();
        self.layout.retract(&posture.0, motion, &mut out);
        Posture(out)
    }

    /// Motions of the free parts as rigid bodies, one a column: v = a + b × x, ω = b. They may depend on each other, as those of
    /// points in a line do.
    pub fn rigid_motions(&self, posture: &Posture) -> DMatrix<f64> {
        let components: &[usize] = if self.is_plane { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] };
        let mut motions = DMatrix::zeros(self.columns(), components.len() * self.free_parts.len());
        for (part, links) in self.free_parts.iter().enumerate() {
            let mean = links.iter().map(|link| self.origin(posture, *link)).sum::<Vector3<f64>>();
            let centre = mean / links.len().max(1) as f64;
            for (k, component) in components.iter().enumerate() {
                let column = part * components.len() + k;
                for &link in links {
                    let unit = Vector3::ith(component % 3, 1.0);
                    let (v, w) = match component {
                        0..=2 => (unit, Vector3::zeros()),
                        _ => (unit.cross(&(self.origin(posture, link) - centre)), unit),
                    };
                    let (first, kind) = (self.layout.freedom(link), self.layout.kind(link));
                    (0..kind.positions()).for_each(|c| motions[(first + c, column)] = v[c]);
                    match kind {
                        NodeKind::PlaneFrame => motions[(first + 2, column)] = w[2],
                        NodeKind::SpaceFrame => {
                            let own = self.layout.orientation(&posture.0, link).to_material(w);
                            (0..3).for_each(|c| motions[(first + 3 + c, column)] = own[c]);
                        }
                        NodeKind::PlanePoint | NodeKind::SpacePoint => {}
                    }
                }
            }
        }
        motions
    }
}

/// Middle and size of a linkage: half the extent of the places of joints and links, metre; 1 where they all coincide.
fn extent(linkage: &Linkage, origins: &[Vector3<f64>]) -> (Vector3<f64>, f64) {
    let places = linkage.joints.iter().flat_map(|joint| joint.sides.map(|(_, at)| at)).chain(origins.iter().copied());
    let (mut low, mut high) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    for place in places {
        (low, high) = (low.inf(&place), high.sup(&place));
    }
    let size = 0.5 * (high - low).norm();
    match size.is_finite() && size > 0.0 {
        true => ((low + high) * 0.5, size),
        false => (origins.first().copied().unwrap_or_default(), 1.0),
    }
}

/// The connected part of each link: 0 with the ground, others from 1 on in the order of the links.
fn parts(linkage: &Linkage) -> Vec<usize> {
    let count = linkage.links.len();
    // The ground stands first.
    let mut parent: Vec<usize> = (0..=count).collect();
    let root = |parent: &[usize], mut at: usize| {
        while parent[at] != at {
            at = parent[at];
        }
        at
    };
    for joint in &linkage.joints {
        let [a, b] = joint.sides.map(|(Link(link), _)| link.map_or(0, |link| link + 1));
        let (a, b) = (root(&parent, a), root(&parent, b));
        parent[a.max(b)] = a.min(b);
    }
    let roots: Vec<usize> = (1..=count).map(|link| root(&parent, link)).collect();
    let mut seen: Vec<usize> = Vec::new();
    for root in roots.iter().copied().filter(|root| *root != 0) {
        if !seen.contains(&root) {
            seen.push(root);
        }
    }
    let part = |at: &usize| if *at == 0 { 0 } else { seen.iter().position(|other| other == at).map_or(0, |i| i + 1) };
    roots.iter().map(part).collect()
}
