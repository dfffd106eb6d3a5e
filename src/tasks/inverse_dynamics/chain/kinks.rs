//! Where the paths of a row of rods have kinks.

use super::coordinate_name;
use crate::discretisation::TimeGrid;
use crate::discretisation::chain::RodChain;
use crate::discretisation::index::kinks;
use crate::kernel::Function;

/// Derivatives that a motion with finite forces needs: those up to the acceleration.
const NEEDED: usize = 2;

/// What jumps where in the servo paths, and what follows; in the order of time for each path.
pub fn told(chain: &RodChain, grid: TimeGrid) -> Vec<String> {
    let times = grid.times();
    let mut told = Vec::new();
    for guide in chain.guides.iter().filter(|guide| !guide.is_support) {
        let turns = guide.path.turns.iter().flatten().enumerate().map(|(c, function)| (3 + c % 3, function));
        let moving: Vec<(usize, &Function)> =
            guide.path.position.iter().enumerate().chain(turns).filter(|(_, f)| !f.is_constant()).collect();
        let functions: Vec<&Function> = moving.iter().map(|(_, function)| *function).collect();
        for found in kinks(&functions, NEEDED, &times) {
            let name = format!("{}.{}", guide.name, coordinate_name(chain.is_plane(), moving[found.output].0));
            let meaning = match found.order {
                0 | 1 => "no finite actuation does that, and what is found depends on the steps",
                _ => "the actuation jumps as well",
            };
            told.push(format!("{}: {meaning}", found.words(&name)));
        }
    }
    told
}
