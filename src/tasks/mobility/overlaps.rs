//! Conditions that repeat others, by name.

use nalgebra::DMatrix;

use crate::discretisation::linkage::ConditionName;
use crate::discretisation::linkage::Linkage;

/// Entries of orthonormal vectors below this are zero.
const ZERO: f64 = 1e-6;

/// Joints whose conditions repeat each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap {
    /// Names of joints, bars and supports.
    pub joints: Vec<String>,
    /// How many of their conditions are too many.
    pub times: usize,
    /// Conditions without which none is repeated; others would do as well.
    pub removable: Vec<ConditionName>,
}

/// The groups of joints that states of self-stress connect, from these states by orthonormal columns.
pub(super) fn overlaps(linkage: &Linkage, stresses: &DMatrix<f64>) -> Vec<Overlap> {
    let (rows, removable) = (stresses.nrows(), removable(stresses));
    // The projector on the states does not depend on their basis; conditions that it couples belong together.
    let projector = stresses * stresses.transpose();
    let taking_part: Vec<usize> = (0..rows).filter(|row| projector[(*row, *row)] > ZERO * ZERO).collect();
    let mut group: Vec<Option<usize>> = vec![None; rows];
    let mut groups = 0;
    for start in &taking_part {
        if group[*start].is_some() {
            continue;
        }
        let mut waiting = vec![*start];
        group[*start] = Some(groups);
        while let Some(row) = waiting.pop() {
            for other in &taking_part {
                if group[*other].is_none() && projector[(row, *other)].abs() > ZERO {
                    group[*other] = Some(groups);
                    waiting.push(*other);
                }
            }
        }
        groups += 1;
    }
    let mut overlaps: Vec<Overlap> = Vec::new();
    for number in 0..groups {
        let members = || taking_part.iter().copied().filter(|row| group[*row] == Some(number));
        let mut joints: Vec<String> = Vec::new();
        for joint in members().filter_map(|row| linkage.condition_name(row)).map(|name| name.joint) {
            if !joints.contains(&joint) {
                joints.push(joint);
            }
        }
        let mine: Vec<ConditionName> = removable
            .iter()
            .filter(|row| group[**row] == Some(number))
            .filter_map(|row| linkage.condition_name(*row))
            .collect();
        // A joint may hold several independent conditions too often: they are one overlap to the user.
        match overlaps.iter_mut().find(|overlap| overlap.joints.iter().any(|joint| joints.contains(joint))) {
            Some(overlap) => {
                joints.retain(|joint| !overlap.joints.contains(joint));
                overlap.joints.extend(joints);
                overlap.times += mine.len();
                overlap.removable.extend(mine);
            }
            None => overlaps.push(Overlap { joints, times: mine.len(), removable: mine }),
        }
    }
    overlaps
}

/// As many conditions as there are states of self-stress, such that no state is left without them: the last possible ones.
///
/// A set can be left out if its rows of the states are independent; rows are taken from the last to the first and made orthogonal.
fn removable(stresses: &DMatrix<f64>) -> Vec<usize> {
    let mut basis: Vec<nalgebra::DVector<f64>> = Vec::new();
    let mut chosen = Vec::new();
    for row in (0..stresses.nrows()).rev() {
        if basis.len() == stresses.ncols() {
            break;
        }
        let mut rest = stresses.row(row).transpose();
        // Twice is enough (Kahan).
        for _ in 0..2 {
            for taken in &basis {
                rest -= taken * taken.dot(&rest);
            }
        }
        if rest.norm() > 1e-5 {
            basis.push(&rest / rest.norm());
            chosen.push(row);
        }
    }
    chosen.reverse();
    chosen
}
