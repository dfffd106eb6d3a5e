//! The task: mobility of a mechanism of rods, bodies, joints and supports.

use std::time::Instant;

use thiserror::Error;

use super::{Mobility, Undefined, analyse};
use crate::discretisation::linkage::Linkage;
use crate::discretisation::linkage::{LinkageError, Rods};
use crate::mechanism::Mechanism;
use crate::results::{self, Outcome, RunStatus, Timing};
use crate::tasks::ForwardSystem;

/// The name of the task.
pub const TASK: &str = "mobility";

/// Scalars of the task.
pub const SCALARS: [&str; 8] = [
    "mobility.count",
    "mobility.infinitesimal",
    "mobility.finite",
    "mobility.redundant",
    "mobility.rigid_motions",
    "mobility.flexes",
    "mobility.finite_flexes",
    "mobility.clusters",
];

/// Why nothing can be told.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MobilityError {
    /// A joint that is none.
    #[error(transparent)]
    Linkage(#[from] LinkageError),
    /// Positions that are not finite.
    #[error(transparent)]
    Undefined(#[from] Undefined),
}

/// A mechanism whose mobility is asked for.
#[derive(Debug, Clone)]
pub struct MobilitySystem {
    /// Title, rods, bodies, joints, supports, known answers.
    pub system: ForwardSystem,
}

/// Runs the task.
pub fn run(system: &MobilitySystem) -> Outcome {
    let clock = Instant::now();
    let mut outcome = system.system.blank_outcome(TASK);
    let report = &mut outcome.report;
    report.method = "singular values".into();
    match survey(&system.system.mechanism) {
        Ok(found) => {
            report.status = RunStatus::Solved;
            let flexes = |motions: usize| motions.saturating_sub(found.rigid_motions) as f64;
            let values = [
                found.count as f64,
                found.infinitesimal as f64,
                found.finite as f64,
                found.redundant as f64,
                found.rigid_motions as f64,
                flexes(found.infinitesimal),
                flexes(found.finite),
                found.clusters.len() as f64,
            ];
            report.scalars.extend(SCALARS.map(str::to_owned).into_iter().zip(values));
            if !found.clear {
                report.warnings.push(doubt(&found));
            }
            report.mobility = Some(found);
        }
        Err(error) => {
            report.status = RunStatus::Undefined;
            report.message = Some(error.to_string());
        }
    }
    report.timings.push(Timing { phase: "solve".into(), seconds: clock.elapsed().as_secs_f64() });
    system.system.judge(&mut outcome);
    outcome
}

/// Mobility of a mechanism, by name: with rods as rigid links, and which conditions repeat each other where they deform.
pub fn survey(mechanism: &Mechanism) -> Result<results::Mobility, MobilityError> {
    let linkage = Linkage::of(mechanism, Rods::Rigid)?;
    let mut told = by_name(&linkage, &analyse(&linkage)?);
    told.rigid_rods = !mechanism.rods.is_empty();
    if told.rigid_rods {
        let elastic = Linkage::of(mechanism, Rods::Elastic)?;
        told.overlaps_with_elastic_rods = by_name(&elastic, &super::at_reference(&elastic)?).overlaps;
    }
    Ok(told)
}

/// What to know where the rank is in doubt.
pub fn doubt(found: &results::Mobility) -> String {
    format!(
        "conditions are nearly redundant: the smallest singular value that counts is {:.1e} of the largest, the first that does not {:.1e}; give positions and axes with more digits",
        found.smallest_singular_value.unwrap_or(0.0),
        found.neglected_singular_value.unwrap_or(0.0)
    )
}

fn by_name(linkage: &Linkage, found: &Mobility) -> results::Mobility {
    let overlaps = found.overlaps.iter().map(|overlap| results::Overlap {
        joints: overlap.joints.clone(),
        times: overlap.times,
        removable: overlap.removable.iter().map(ToString::to_string).collect(),
    });
    let names = |link: &usize| linkage.names(*link).to_vec();
    let mut clusters: Vec<results::Cluster> = found
        .clusters
        .iter()
        .map(|cluster| results::Cluster { fixed: cluster.fixed, parts: cluster.links.iter().flat_map(names).collect() })
        .collect();
    // What is rigidly joined is one link; it is a cluster of its own unless others move with it.
    for link in 0..linkage.links() {
        if linkage.names(link).len() > 1 && !found.clusters.iter().any(|cluster| cluster.links.contains(&link)) {
            clusters.push(results::Cluster { fixed: false, parts: names(&link) });
        }
    }
    if !linkage.grounded().is_empty() {
        match clusters.iter_mut().find(|cluster| cluster.fixed) {
            Some(fixed) => fixed.parts.extend(linkage.grounded().iter().cloned()),
            None => clusters.insert(0, results::Cluster { fixed: true, parts: linkage.grounded().to_vec() }),
        }
    }
    results::Mobility {
        dimension: linkage.dimension(),
        links: linkage.links(),
        joints: linkage.joints(),
        framework: linkage.is_framework(),
        rigid_rods: false,
        freedoms: found.freedoms,
        conditions: found.conditions,
        count: found.count,
        count_in_other_dimension: linkage.count_in_other_dimension(),
        infinitesimal: found.infinitesimal,
        finite: found.finite,
        branches: found.branches.clone(),
        rigid_motions: found.rigid_motions,
        redundant: found.redundant(),
        overlaps: overlaps.collect(),
        overlaps_with_elastic_rods: Vec::new(),
        clusters,
        locked: found.locked.clone(),
        smallest_singular_value: found.gap.smallest,
        neglected_singular_value: found.gap.neglected,
        clear: found.gap.is_clear(),
        configurations: found.reached,
    }
}
