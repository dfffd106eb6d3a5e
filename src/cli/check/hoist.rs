//! What a winch on a trolley is about: the order of the march, and where the rope is cut.

use super::super::Exit;
use super::Explanation;
use crate::tasks::inverse_dynamics::hoist::{HoistSystem, prospects};

/// Explains the cut at the sheave.
pub fn explain(hoist: &HoistSystem) -> Explanation {
    let (mechanism, winch) = (&hoist.mechanism, hoist.winch());
    let (axis, height) = hoist.rail;
    let mut out = format!(
        "  march: from {} up rod {} as material, {} m of it; cut by winch {} at {} = {height} m, on trolley {}\n",
        mechanism.frame_name(hoist.load),
        mechanism.rods[winch.rope].name,
        hoist.system.chain.length(),
        winch.name,
        ["x", "y", "z"][axis],
        mechanism.bodies[hoist.trolley].name
    );
    match prospects(hoist) {
        Ok([least, most]) => {
            let whole = hoist.system.chain.length();
            out.push_str(&format!(
                "  carried slowly, the load hangs on {:.4} to {:.4} m of rope; {least:.4} to {most:.4} m are on the drum\n",
                whole - most,
                whole - least
            ));
            Explanation::new(Exit::Success, out)
        }
        Err(error) => {
            out.push_str(&format!("  NOT SOLVABLE as it stands: {error}\n"));
            Explanation::new(Exit::Unsolved, out)
        }
    }
}
