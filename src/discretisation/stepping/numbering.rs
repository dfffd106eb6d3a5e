//! Which unknown of a step each degree of freedom is, and where joints enter its equations.

use super::FIXED;
use crate::discretisation::assembly::Assembly;
use crate::discretisation::equilibrium::Entries;

/// The unknown of each degree of freedom, and their number.
pub(super) fn unknowns(assembly: &Assembly) -> (Vec<usize>, usize) {
    let mut free = 0;
    let place = |fixed: &bool| {
        free += usize::from(!fixed);
        if *fixed { FIXED } else { free - 1 }
    };
    let unknown = assembly.fixed.iter().map(place).collect();
    (unknown, free)
}

/// Asks for the rows G and columns Gᵀ of the joints, which begin at `index`.
pub(super) fn border<'u>(
    assembly: &Assembly,
    of: impl Fn(usize) -> &'u [usize],
    mut index: usize,
    entries: &mut Entries,
) {
    for joint in &assembly.constraints {
        for _ in &joint.rows {
            for side in &joint.sides {
                let list: &[usize] = side.node().map_or(&[], &of);
                entries.block(&[index], list);
                entries.block(list, &[index]);
            }
            index += 1;
        }
    }
}
