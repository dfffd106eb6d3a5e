//! The conditions of a linkage as functions of its configuration, without dimensions: lengths are fractions of its size.

use nalgebra::{DMatrix, DVector, Vector3};

use super::conditions::{Row, Side};
use super::{Link, Linkage};
use crate::geometry::{Pose, Quaternion};

/// Where the links are: their origins, as fractions of the size of the linkage, and their rotations from the reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Posture {
    /// One for each link.
    pub poses: Vec<Pose>,
}

/// The equations g(q) = 0 of a linkage. A motion is a vector of twists, for each link the velocity of its origin and its angular
/// velocity in axes of space, as far as it has them.
#[derive(Debug)]
pub struct Closure {
    dimension: usize,
    points: Vec<bool>,
    /// First column of each link, and behind the last.
    first: Vec<usize>,
    rows: Vec<(Row, [Side; 2], f64)>,
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
        let poses: Vec<Pose> = origins
            .iter()
            .map(|origin| Pose { position: scaled(*origin), orientation: Quaternion::IDENTITY })
            .collect();
        let mut first = vec![0];
        (0..count).for_each(|link| first.push(first[link] + linkage.freedoms(link)));
        let side = |(Link(link), at): (Link, Vector3<f64>)| {
            let origin = link.map_or(Vector3::zeros(), |link| poses[link].position);
            Side { link, arm: scaled(at) - origin }
        };
        let rows = linkage.conditions.iter().map(|condition| {
            let [a, b] = linkage.joints[condition.joint].sides;
            (condition.row, [side(a), side(b)], (b.1 - a.1).norm() / size)
        });
        let rows = rows.collect();
        let parts = parts(linkage);
        let mut free_parts: Vec<Vec<usize>> = Vec::new();
        for part in 1..=parts.iter().copied().max().unwrap_or(0) {
            free_parts.push((0..count).filter(|link| parts[*link] == part).collect());
        }
        let points = linkage.links.iter().map(|link| link.point.is_some()).collect();
        Self { dimension: linkage.dimension, points, first, rows, reference: Posture { poses }, free_parts }
    }

    /// Number of equations.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Number of components of a motion.
    pub fn columns(&self) -> usize {
        self.first.last().copied().unwrap_or(0)
    }

    /// Number of links.
    pub fn links(&self) -> usize {
        self.points.len()
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
        self.dimension == 2
    }

    /// Whether a link is a point.
    pub fn is_point(&self, link: usize) -> bool {
        self.points[link]
    }

    /// Column of a component of the twist of a link: 0 to 2 velocity, 3 to 5 angular velocity.
    fn column(&self, link: usize, component: usize) -> Option<usize> {
        let place = match (self.dimension, component) {
            (3, _) => component,
            (_, 0 | 1) => component,
            (_, 5) => 2,
            _ => return None,
        };
        (self.first[link] + place < self.first[link + 1]).then_some(self.first[link] + place)
    }

    /// Velocity of the origin and angular velocity of a link in a motion.
    pub fn twist(&self, link: usize, motion: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
        let of = |component| self.column(link, component).map_or(0.0, |column| motion[column]);
        (Vector3::new(of(0), of(1), of(2)), Vector3::new(of(3), of(4), of(5)))
    }

    /// Values and first derivatives of all equations.
    pub fn evaluate(&self, posture: &Posture) -> (DVector<f64>, DMatrix<f64>) {
        let mut values = DVector::zeros(self.rows());
        let mut slopes = DMatrix::zeros(self.rows(), self.columns());
        for (index, (row, sides, length)) in self.rows.iter().enumerate() {
            let evaluated = row.evaluate(sides, *length, posture);
            values[index] = evaluated.value;
            for (side, (v, w)) in sides.iter().zip(evaluated.by) {
                let Some(link) = side.link else { continue };
                for component in 0..6 {
                    if let Some(column) = self.column(link, component) {
                        slopes[(index, column)] += if component < 3 { v[component] } else { w[component - 3] };
                    }
                }
            }
        }
        (values, slopes)
    }

    /// The configuration reached from another by a motion: origins move straight, links turn about fixed axes.
    pub fn moved(&self, posture: &Posture, motion: &[f64]) -> Posture {
        let moved = posture.poses.iter().enumerate().map(|(link, pose)| {
            let (v, w) = self.twist(link, motion);
            let orientation = (Quaternion::from_rotation_vector(w) * pose.orientation).normalised();
            Pose { position: pose.position + v, orientation }
        });
        Posture { poses: moved.collect() }
    }

    /// Motions of the free parts as rigid bodies, one a column: v = a + b × x, ω = b. They may depend on each other, as those of
    /// points in a line do.
    pub fn rigid_motions(&self, posture: &Posture) -> DMatrix<f64> {
        let components: &[usize] = if self.dimension == 2 { &[0, 1, 5] } else { &[0, 1, 2, 3, 4, 5] };
        let mut motions = DMatrix::zeros(self.columns(), components.len() * self.free_parts.len());
        for (part, links) in self.free_parts.iter().enumerate() {
            let mean = links.iter().map(|link| posture.poses[*link].position).sum::<Vector3<f64>>();
            let centre = mean / links.len().max(1) as f64;
            for (k, component) in components.iter().enumerate() {
                for link in links {
                    let unit = Vector3::ith(component % 3, 1.0);
                    let (v, w) = match component {
                        0..=2 => (unit, Vector3::zeros()),
                        _ => (unit.cross(&(posture.poses[*link].position - centre)), unit),
                    };
                    for i in 0..6 {
                        if let Some(column) = self.column(*link, i) {
                            motions[(column, part * components.len() + k)] = if i < 3 { v[i] } else { w[i - 3] };
                        }
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
