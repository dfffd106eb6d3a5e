//! What a problem will take, from the sizes in its file, before anything is allocated.

use std::sync::OnceLock;

use super::capability::Way;

/// Sizes that decide memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sizes {
    /// Nodes of all rods and bodies; coordinates of a system count as nodes.
    pub nodes: f64,
    /// Steps in time; 1 without.
    pub steps: f64,
    /// Micro steps in each of them; 1 without.
    pub micro: f64,
    /// Modes wanted; 0 without.
    pub modes: f64,
}

/// Bytes per node of an assembly with the factors of its matrices: measured at 1e4 to 1e5 nodes.
const NODE: f64 = 7e3;
/// Bytes per node and instant of a motion with its tables.
const INSTANT: f64 = 400.0;
/// Bytes per unknown of a sparse system over space and time with its factors.
const UNKNOWN: f64 = 2e3;
/// Bytes per mode and node: the vectors of the Krylov space and the shape.
const MODE: f64 = 400.0;
/// Bytes per mode whatever the mechanism.
const NAMES: f64 = 500.0;

/// Memory that a way of solving takes, in bytes: a rough figure, right to a factor of a few.
pub fn memory(way: Way, sizes: Sizes) -> f64 {
    let Sizes { nodes, steps, micro, modes } = sizes;
    let space = NODE * nodes;
    let motion = INSTANT * nodes * steps;
    match way {
        Way::Statics | Way::Mobility => space,
        Way::Modes | Way::ExactModes => space + modes * (NAMES + MODE * nodes),
        Way::Simulate => space + motion,
        Way::Multirate => space + motion * micro,
        Way::SpaceMarch | Way::Characteristics | Way::Layers => space + motion,
        // Positions, rotations and their momenta at every node.
        Way::Global => space + 12.0 * UNKNOWN * nodes * steps,
        Way::Sequential => space + motion + INSTANT * steps,
        Way::Optimise | Way::OptimalControl | Way::Phases => space + 6.0 * UNKNOWN * nodes * steps,
    }
}

static LIMIT: OnceLock<f64> = OnceLock::new();

/// Lets problems take this much memory, in bytes, where nothing else was set before.
pub fn allow(bytes: f64) {
    // A second limit is the mistake of a caller, who sees that the first stays.
    let _ = LIMIT.set(bytes);
}

/// Memory that a problem may take, in bytes: what is free, unless something else is allowed.
pub fn limit() -> f64 {
    *LIMIT.get_or_init(|| free().unwrap_or(UNKNOWN_MACHINE))
}

/// Memory of a machine that does not say how much it has.
const UNKNOWN_MACHINE: f64 = 8e9;

/// Free memory as the system tells it.
fn free() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(1024.0 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_grows_with_every_size() {
        let small = Sizes { nodes: 10.0, steps: 10.0, micro: 2.0, modes: 3.0 };
        for way in Way::ALL {
            let more = Sizes { nodes: 20.0, steps: 20.0, micro: 4.0, modes: 6.0 };
            assert!(memory(way, more) > memory(way, small), "{}", way.name());
            assert!(memory(way, Sizes { nodes: 1e18, ..small }) > 1e20);
        }
        assert!(limit() > 0.0);
    }
}
