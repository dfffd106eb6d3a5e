//! Mobility of linkages and rigidity of frameworks: what can move, what is held too often, what moves as one.
//!
//! The first derivatives of all conditions in the reference configuration tell which small motions there are and which
//! conditions repeat others. Walks along these motions tell how many of them are finite.
//!
//! ```
//! use lariat::discretisation::linkage::{Link, Linkage};
//! use lariat::mechanism::JointKind;
//! use lariat::tasks::mobility::analyse;
//! use nalgebra::Vector3;
//!
//! // A parallelogram of three bars and the ground: four hinges with parallel axes in space.
//! let mut linkage = Linkage::space();
//! let [crank, coupler, rocker] = ["crank", "coupler", "rocker"].map(|name| linkage.body(name));
//! let hinge = JointKind::Revolute(Vector3::z());
//! linkage.joint("a", [Link::GROUND, crank], hinge, Vector3::new(0.0, 0.0, 0.0))?;
//! linkage.joint("b", [crank, coupler], hinge, Vector3::new(0.0, 1.0, 0.0))?;
//! linkage.joint("c", [coupler, rocker], hinge, Vector3::new(2.0, 1.0, 0.0))?;
//! linkage.joint("d", [rocker, Link::GROUND], hinge, Vector3::new(2.0, 0.0, 0.0))?;
//! let mobility = analyse(&linkage)?;
//! assert_eq!(mobility.count, -2); // 3 · 6 − 4 · 5, Kutzbach
//! assert_eq!((mobility.infinitesimal, mobility.finite), (1, 1));
//! assert_eq!(mobility.redundant(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clusters;
mod overlaps;
mod rank;
mod task;
mod walk;

use nalgebra::DMatrix;

use crate::discretisation::linkage::Linkage;
use crate::discretisation::linkage::{Closure, Posture};
pub use clusters::Cluster;
pub use overlaps::Overlap;
pub use rank::{Gap, Undefined};
use rank::{Rank, orthonormal};
pub use task::{MobilityError, MobilitySystem, SCALARS, TASK, doubt, run, survey};

/// What can move in a linkage.
#[derive(Debug, Clone, PartialEq)]
pub struct Mobility {
    /// Kutzbach's count (plane: Grübler's; frameworks: Maxwell's before the motions as a whole): freedoms less conditions.
    pub count: i64,
    /// Freedoms of all links without conditions.
    pub freedoms: usize,
    /// Number of conditions.
    pub conditions: usize,
    /// Independent small motions in the reference configuration.
    pub infinitesimal: usize,
    /// Independent finite motions: the smallest number on the branches that meet in the reference configuration.
    pub finite: usize,
    /// Numbers of independent motions on these branches, in order; one unless they differ.
    pub branches: Vec<usize>,
    /// How many of these motions move parts that nothing ties to the ground as rigid bodies.
    pub rigid_motions: usize,
    /// Which conditions repeat others.
    pub overlaps: Vec<Overlap>,
    /// Links that move as one in all finite motions found.
    pub clusters: Vec<Cluster>,
    /// Joints that let something free but do not move: both of their links are in one cluster.
    pub locked: Vec<String>,
    /// How clearly all this can be told.
    pub gap: Gap,
    /// Configurations that were looked at besides the reference.
    pub reached: usize,
}

impl Mobility {
    /// Number of conditions that follow from others: of a framework its states of self-stress.
    pub fn redundant(&self) -> usize {
        (self.infinitesimal as i64 - self.count).max(0) as usize
    }

    /// Small motions that change the shape: of a framework its infinitesimal flexes.
    pub fn flexes(&self) -> usize {
        self.infinitesimal - self.rigid_motions
    }

    /// Finite motions that change the shape.
    pub fn finite_flexes(&self) -> usize {
        self.finite.saturating_sub(self.rigid_motions)
    }

    /// Whether more can move at first order than really can: a dead centre, a branch point, or a shaky framework.
    pub fn is_singular(&self) -> bool {
        self.infinitesimal > self.finite
    }
}

/// Finds out what can move.
pub fn analyse(linkage: &Linkage) -> Result<Mobility, Undefined> {
    look(linkage, true)
}

/// As [`analyse`], but small motions and conditions of the reference configuration alone: finite motions count as many.
pub fn at_reference(linkage: &Linkage) -> Result<Mobility, Undefined> {
    look(linkage, false)
}

fn look(linkage: &Linkage, around: bool) -> Result<Mobility, Undefined> {
    let closure = Closure::new(linkage);
    let reference = Rank::of(&closure, closure.reference())?;
    let infinitesimal = reference.nullity();
    let whole = orthonormal(&closure.rigid_motions(closure.reference()));
    let rigid_motions = whole.ncols();
    let (mut branches, mut reached) = (vec![infinitesimal], 0);
    let mut ends: Vec<(Posture, DMatrix<f64>)> = vec![(closure.reference().clone(), reference.motions.clone())];
    // Independent conditions have a smooth set of solutions, and without flexes there is nothing to walk along.
    if around && reference.stresses.ncols() > 0 && infinitesimal > rigid_motions {
        let walked = walk::walk(&closure, &reference)?;
        reached = walked.reached;
        match walked.ends.is_empty() {
            false => (branches, ends) = (walked.branches, walked.ends),
            true => (branches, ends[0].1) = (vec![rigid_motions], whole),
        }
    }
    let mut clusters = clusters::common(&closure, &ends);
    // At a turning point links rest, or move as one, for an instant only.
    if around && reference.stresses.ncols() == 0 && infinitesimal > rigid_motions && !clusters.is_empty() {
        ends.extend(walk::walk(&closure, &reference)?.ends);
        clusters = clusters::common(&closure, &ends);
    }
    Ok(Mobility {
        count: linkage.count(),
        freedoms: closure.columns(),
        conditions: closure.rows(),
        infinitesimal,
        finite: branches.first().copied().unwrap_or(infinitesimal),
        branches,
        rigid_motions,
        overlaps: overlaps::overlaps(linkage, &reference.stresses),
        locked: clusters::locked(linkage, &clusters),
        clusters,
        gap: reference.gap,
        reached,
    })
}
