//! What can move in a mechanism, by name.

use serde::{Deserialize, Serialize};

use super::number;

/// Mobility of a mechanism in its reference configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Mobility {
    /// 2 for the plane, 3 for space.
    pub dimension: usize,
    /// Number of links besides the ground; frames that are rigidly joined are one.
    pub links: usize,
    /// Number of joints, bars and supports.
    pub joints: usize,
    /// Whether it is made of points and bars alone.
    pub framework: bool,
    /// Whether rods count as rigid links; strings hold nothing.
    pub rigid_rods: bool,
    /// Freedoms of all links.
    pub freedoms: usize,
    /// Number of conditions.
    pub conditions: usize,
    /// Freedoms less conditions.
    pub count: i64,
    /// The same count in the other dimension, of a linkage of the plane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count_in_other_dimension: Option<i64>,
    /// Independent small motions.
    pub infinitesimal: usize,
    /// Independent finite motions.
    pub finite: usize,
    /// Numbers of independent motions on the branches that meet in the reference configuration.
    pub branches: Vec<usize>,
    /// Motions of parts that nothing ties to the ground, as rigid bodies.
    pub rigid_motions: usize,
    /// Number of conditions that follow from others.
    pub redundant: usize,
    /// Which ones.
    pub overlaps: Vec<Overlap>,
    /// Those that are left where rods deform, which is what a solver meets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overlaps_with_elastic_rods: Vec<Overlap>,
    /// What moves as one.
    pub clusters: Vec<Cluster>,
    /// Joints that let something free but do not move.
    #[serde(default)]
    pub locked: Vec<String>,
    /// Smallest singular value that counts, as a fraction of the largest.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub smallest_singular_value: Option<f64>,
    /// Largest one that counts as zero.
    #[serde(default, with = "number::option", skip_serializing_if = "Option::is_none")]
    pub neglected_singular_value: Option<f64>,
    /// Whether the two are far apart.
    pub clear: bool,
    /// Configurations that were looked at besides the reference.
    pub configurations: usize,
}

impl Mobility {
    /// Overlaps that a solver meets: those that elastic rods do not take up.
    pub fn solver_overlaps(&self) -> &[Overlap] {
        if self.rigid_rods { &self.overlaps_with_elastic_rods } else { &self.overlaps }
    }
}

/// Joints whose conditions repeat each other.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Overlap {
    /// Names of joints, bars and supports.
    pub joints: Vec<String>,
    /// How many of their conditions are too many.
    pub times: usize,
    /// Conditions without which none is repeated; others would do as well.
    pub removable: Vec<String>,
}

/// Parts that keep their places relative to each other.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// Whether it cannot move at all.
    pub fixed: bool,
    /// Names of bodies and rods.
    pub parts: Vec<String>,
}
