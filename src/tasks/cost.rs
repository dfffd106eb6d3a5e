//! What a problem will take in memory and time, from the sizes in its file, before anything is allocated.

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
    /// How often all of it is done: load factors, starts, rates of rotation.
    pub runs: f64,
    /// Every how many steps the state is stored.
    pub every: f64,
    /// Coordinates of a node: 3 in the plane, 6 in space.
    pub coordinates: f64,
}

/// What a problem is expected to take: rough figures, right to a factor of a few.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Seconds on one core of an ordinary machine.
    pub seconds: f64,
    /// Memory in bytes.
    pub bytes: f64,
}

impl Cost {
    /// Of one way of solving.
    pub fn of(way: Way, sizes: Sizes) -> Self {
        Self { seconds: seconds(way, sizes), bytes: memory(way, sizes) }
    }

    /// A problem that takes longer than this is worth a word before it begins, in seconds.
    pub const LONG: f64 = 60.0;
    /// One that takes longer than this, a hundred years, is never answered.
    pub const NEVER: f64 = 3e9;
}

impl std::fmt::Display for Cost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (time, unit) = match self.seconds {
            s if s < 1.0 => return write!(f, "less than a second, {}", size(self.bytes)),
            s if s < 120.0 => (s, "s"),
            s if s < 7200.0 => (s / 60.0, "min"),
            s if s < 172_800.0 => (s / 3600.0, "h"),
            s if s < 3e7 => (s / 86_400.0, "days"),
            s => (s / 3.156e7, "years"),
        };
        // One digit promises no more than the figure holds.
        let digit = 10f64.powf(time.log10().floor());
        let time = (time / digit).round() * digit;
        let time = if time < 1e6 { format!("{time}") } else { format!("{time:.0e}") };
        write!(f, "about {time} {unit}, {}", size(self.bytes))
    }
}

fn size(bytes: f64) -> String {
    match bytes {
        b if b < 1e8 => "less than 100 MB".to_owned(),
        b if b < 1e9 => format!("about {:.0}00 MB", b / 1e8),
        b => format!("about {:.0} GB", b / 1e9),
    }
}

/// Bytes per node of an assembly with the factors of its matrices: measured at 1e4 to 1e5 nodes.
const NODE: f64 = 7e3;
/// Bytes per node and instant of a motion with its tables.
const INSTANT: f64 = 400.0;
/// Bytes per node and point of a load path.
const POINT: f64 = 100.0;
/// Bytes per instant whatever the mechanism.
const INSTANT_ALONE: f64 = 16.0;
/// Bytes per unknown of a sparse system over space and time with its factors.
const UNKNOWN: f64 = 2e3;
/// Bytes per mode and node: the vectors of the Krylov space and the shape.
const MODE: f64 = 400.0;
/// Bytes per mode whatever the mechanism.
const NAMES: f64 = 500.0;

/// Memory that a way of solving takes, in bytes: a rough figure, right to a factor of a few.
pub fn memory(way: Way, sizes: Sizes) -> f64 {
    let Sizes { nodes, steps, micro, modes, every, .. } = sizes;
    let space = NODE * nodes;
    let motion = INSTANT * nodes * (steps / every) + INSTANT_ALONE * steps;
    match way {
        Way::Statics => space + POINT * nodes * steps,
        Way::Mobility => space,
        Way::Modes | Way::ExactModes => space + modes * (NAMES + MODE * nodes),
        Way::Simulate => space + motion,
        Way::Multirate => space + motion * micro,
        Way::SpaceMarch | Way::Characteristics | Way::Layers => space + motion,
        // Positions, rotations and their momenta at every node.
        Way::Global => space + 12.0 * UNKNOWN * nodes * steps,
        Way::Sequential => space + motion + INSTANT * steps,
        // Five instants are coupled.
        Way::BoundaryValue => space + 5.0 * UNKNOWN * nodes * steps,
        Way::Optimise | Way::OptimalControl | Way::Phases => space + 6.0 * UNKNOWN * nodes * steps,
    }
}

/// Time that a way of solving takes on one core, in seconds, with its verification: figures per node, step and mode of the plane
/// as measured on the gallery. Blocks of nodes cost by the square of their size.
fn seconds(way: Way, sizes: Sizes) -> f64 {
    let Sizes { nodes, steps, micro, modes, runs, coordinates, .. } = sizes;
    let (block, cells) = ((coordinates / 3.0).powi(2), nodes * steps);
    let once = match way {
        Way::Statics => 4e-4 * block * nodes,
        Way::Mobility => 1e-5 * block * nodes,
        Way::Modes => block * nodes * (4e-4 + 2e-5 * modes) + 1e-8 * nodes * modes * modes,
        Way::ExactModes => 1e-4 * block * nodes * modes.max(1.0),
        Way::Simulate => 1e-6 * block * cells,
        Way::Multirate => 5e-6 * block * cells * micro,
        Way::SpaceMarch => 3.4e-6 * block * cells,
        Way::Characteristics => 1e-5 * block * cells,
        Way::Layers => 8e-6 * block * cells,
        Way::Global => 8e-6 * (2.0 * coordinates * cells).powf(1.25),
        Way::Sequential => 2e-5 * block * cells,
        Way::BoundaryValue => 2e-4 * block * cells,
        Way::Optimise | Way::OptimalControl | Way::Phases => 2e-4 * block * cells,
    };
    once * runs.max(1.0)
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
        let small = Sizes { nodes: 10.0, steps: 10.0, micro: 2.0, modes: 3.0, runs: 1.0, every: 1.0, coordinates: 3.0 };
        for way in Way::ALL {
            let more = Sizes { nodes: 20.0, steps: 20.0, micro: 4.0, modes: 6.0, ..small };
            assert!(memory(way, more) > memory(way, small), "{}", way.name());
            assert!(seconds(way, more) > seconds(way, small), "{}", way.name());
            assert!(memory(way, Sizes { nodes: 1e18, ..small }) > 1e20);
        }
        assert!(limit() > 0.0);
    }

    #[test]
    fn costs_are_told_in_units_of_their_size() {
        let told = |seconds: f64, bytes: f64| Cost { seconds, bytes }.to_string();
        assert_eq!(told(0.2, 1e6), "less than a second, less than 100 MB");
        assert_eq!(told(84.0, 3.2e8), "about 80 s, about 300 MB");
        assert_eq!(told(1.1e4, 2.4e9), "about 3 h, about 2 GB");
        assert_eq!(told(4e16, 1e3), "about 1e9 years, less than 100 MB");
    }
}
