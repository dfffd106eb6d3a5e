//! Rigid clusters: links that keep their places relative to each other in every motion.

use nalgebra::{DMatrix, DVector, Vector3};

use super::walk::Random;
use crate::discretisation::linkage::Linkage;
use crate::discretisation::linkage::{Closure, Posture};

/// Velocities that differ by less, where the largest is 1, are the same.
const SAME: f64 = 1e-6;
/// Motions that are compared; as many combinations by random weights where there are more.
const MOTIONS: usize = 12;

/// Links that move as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// Whether it does not move at all.
    pub fixed: bool,
    /// The links, by their places in the linkage.
    pub links: Vec<usize>,
}

/// Velocity of the place at the origin of space and angular velocity, in each of the motions.
type Twists = Vec<(Vector3<f64>, Vector3<f64>)>;

/// The links in a configuration, with motions that tell which of them keep together.
struct Moving<'a> {
    closure: &'a Closure,
    posture: &'a Posture,
    motions: Vec<DVector<f64>>,
}

/// Clusters that keep together in all of these configurations with their motions.
pub(super) fn common(closure: &Closure, ends: &[(Posture, DMatrix<f64>)]) -> Vec<Cluster> {
    let mut each = ends.iter().map(|(posture, motions)| clusters(closure, posture, motions));
    let first = each.next().unwrap_or_default();
    let mut found = each.fold(first, |kept, other| if kept == other { kept } else { meet(closure, &kept, &other) });
    // What is fixed first, then the largest.
    found.sort_by_key(|cluster| (!cluster.fixed, std::cmp::Reverse(cluster.links.len())));
    found
}

/// Joints whose links are in one cluster.
pub(super) fn locked(linkage: &Linkage, clusters: &[Cluster]) -> Vec<String> {
    let in_cluster = |link: Option<usize>, cluster: &Cluster| match link {
        Some(link) => cluster.links.contains(&link),
        None => cluster.fixed,
    };
    let still = |links: [Option<usize>; 2]| {
        links[0] == links[1] || clusters.iter().any(|cluster| links.iter().all(|link| in_cluster(*link, cluster)))
    };
    linkage.moving_joints().filter(|(_, links)| still(*links)).map(|(name, _)| name.to_owned()).collect()
}

/// What belongs together in both.
fn meet(closure: &Closure, first: &[Cluster], second: &[Cluster]) -> Vec<Cluster> {
    let mut met: Vec<Cluster> = Vec::new();
    for (a, b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
        let links: Vec<usize> = a.links.iter().copied().filter(|link| b.links.contains(link)).collect();
        let fixed = a.fixed && b.fixed;
        // Two points alone are no more than a bar.
        let least = match (fixed, links.iter().all(|link| closure.is_point(*link))) {
            (true, _) => 1,
            (false, true) => 3,
            (false, false) => 2,
        };
        let inside = |other: &Cluster| links.iter().all(|link| other.links.contains(link));
        if links.len() >= least && !met.iter().any(inside) {
            met.retain(|other| !other.links.iter().all(|link| links.contains(link)));
            met.push(Cluster { fixed, links });
        }
    }
    met
}

/// All clusters of more than one link, and that of the ground if there is any other link in it. Bodies belong to one cluster,
/// points may belong to several; a bar between two points alone is none.
fn clusters(closure: &Closure, posture: &Posture, motions: &DMatrix<f64>) -> Vec<Cluster> {
    let moving = Moving { closure, posture, motions: samples(motions) };
    let mut found = moving.bodies();
    let points: Vec<usize> = (0..closure.links()).filter(|link| closure.is_point(*link)).collect();
    moving.points(&points, &mut found);
    found.retain(|cluster| cluster.links.len() > 1 || (cluster.fixed && !cluster.links.is_empty()));
    found
}

fn samples(motions: &DMatrix<f64>) -> Vec<DVector<f64>> {
    let mut random = Random(2);
    let count = motions.ncols();
    let chosen = (0..count.min(MOTIONS)).map(|k| match count <= MOTIONS {
        true => motions.column(k).into_owned(),
        false => motions * DVector::from_fn(count, |_, _| random.even()),
    });
    chosen.map(|motion| &motion / motion.amax().max(f64::MIN_POSITIVE)).collect()
}

impl Moving<'_> {
    fn velocity(&self, point: usize, motion: usize) -> Vector3<f64> {
        self.closure.twist(self.posture, point, self.motions[motion].as_slice()).0
    }

    /// Twists of a body; those of the ground are zero.
    fn twists(&self, body: usize) -> Twists {
        let at = self.closure.origin(self.posture, body);
        let twist = |motion: &DVector<f64>| {
            let (v, w) = self.closure.twist(self.posture, body, motion.as_slice());
            (v - w.cross(&at), w)
        };
        self.motions.iter().map(twist).collect()
    }

    /// Whether a point moves as if it were fixed to something with these twists.
    fn follows(&self, point: usize, twists: &Twists) -> bool {
        let at = self.closure.origin(self.posture, point);
        twists.iter().enumerate().all(|(k, (v, w))| (self.velocity(point, k) - v - w.cross(&at)).amax() < SAME)
    }

    /// The ground and the bodies by their twists, with the points that are fixed to them.
    fn bodies(&self) -> Vec<Cluster> {
        let still: Twists = vec![(Vector3::zeros(), Vector3::zeros()); self.motions.len()];
        let mut classes: Vec<(Twists, Cluster)> = vec![(still, Cluster { fixed: true, links: Vec::new() })];
        for body in (0..self.closure.links()).filter(|link| !self.closure.is_point(*link)) {
            let twists = self.twists(body);
            let same = |class: &&mut (Twists, Cluster)| {
                let mut pairs = class.0.iter().zip(&twists);
                pairs.all(|(a, b)| (a.0 - b.0).amax() < SAME && (a.1 - b.1).amax() < SAME)
            };
            match classes.iter_mut().find(same) {
                Some((_, class)) => class.links.push(body),
                None => classes.push((twists, Cluster { fixed: false, links: vec![body] })),
            }
        }
        for (twists, class) in &mut classes {
            let points = (0..self.closure.links()).filter(|link| self.closure.is_point(*link));
            class.links.extend(points.filter(|point| self.follows(*point, twists)));
        }
        classes.into_iter().map(|(_, class)| class).collect()
    }

    /// Clusters of points that are in no other one: two points of the plane, or three of space that are not in a line, tell how
    /// the whole cluster moves.
    fn points(&self, points: &[usize], found: &mut Vec<Cluster>) {
        let plane = self.closure.is_plane();
        for (k, first) in points.iter().enumerate() {
            for (l, second) in points.iter().enumerate().skip(k + 1) {
                if !self.keep_distance(*first, *second) {
                    continue;
                }
                if plane {
                    if !together(found, &[*first, *second]) {
                        self.gather(points, &[*first, *second], found);
                    }
                    continue;
                }
                for third in &points[l + 1..] {
                    let triple = [*first, *second, *third];
                    let rigid = self.keep_distance(*first, *third) && self.keep_distance(*second, *third);
                    if rigid && !together(found, &triple) {
                        self.gather(points, &triple, found);
                    }
                }
            }
        }
    }

    fn keep_distance(&self, a: usize, b: usize) -> bool {
        let between = self.closure.origin(self.posture, b) - self.closure.origin(self.posture, a);
        let apart = |k| (self.velocity(b, k) - self.velocity(a, k)).dot(&between);
        (0..self.motions.len()).all(|k| apart(k).abs() < SAME * between.norm())
    }

    /// Adds the cluster of all points that move with two or three of them, if it is more than a bar.
    fn gather(&self, points: &[usize], few: &[usize], found: &mut Vec<Cluster>) {
        let twists: Option<Twists> = (0..self.motions.len()).map(|k| self.twist_of(few, k)).collect();
        let Some(twists) = twists else { return };
        let links: Vec<usize> = points.iter().copied().filter(|point| self.follows(*point, &twists)).collect();
        let fixed = twists.iter().all(|(v, w)| v.amax() < SAME && w.amax() < SAME);
        if links.len() > 2 {
            found.push(Cluster { fixed, links });
        }
    }

    /// The twist that gives two points of the plane, or three of space, their velocities; none if they are in a line.
    fn twist_of(&self, few: &[usize], motion: usize) -> Option<(Vector3<f64>, Vector3<f64>)> {
        let at = |k: usize| self.closure.origin(self.posture, few[k]);
        let velocity = |k: usize| self.velocity(few[k], motion);
        let (d, w) = (at(1) - at(0), velocity(1) - velocity(0));
        // ω × d = w leaves the rotation about d open.
        let mut turn = d.cross(&w) / d.norm_squared();
        if few.len() > 2 {
            let (other, rest) = (at(2) - at(0), velocity(2) - velocity(0));
            let normal = d.cross(&other);
            if normal.norm() < 1e-4 * d.norm() * other.norm() {
                return None;
            }
            turn += d * ((rest - turn.cross(&other)).dot(&normal) / normal.norm_squared());
        }
        Some((velocity(0) - turn.cross(&at(0)), turn))
    }
}

/// Whether a cluster holds all of these.
fn together(found: &[Cluster], few: &[usize]) -> bool {
    found.iter().any(|cluster| few.iter().all(|link| cluster.links.contains(link)))
}
