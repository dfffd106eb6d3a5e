//! The problems by the names of the reference, for programs that go through all of them.

use lariat::discretisation::transcription::ControlProblem;

use crate::problems;

/// The problem of a name.
pub fn problem(name: &str) -> Option<ControlProblem> {
    Some(match name {
        "p01" => problems::double_integrator(),
        "p02a" => problems::pendulum(3.0, 5.0),
        "p02b" => problems::pendulum(4.0, 3.0),
        "p02c" => problems::pendulum(4.0, 4.0),
        "p03" => problems::cart_pole(),
        "p04a" => problems::arm(),
        "p05c" => problems::robot(),
        "p06a" => problems::quaternion(),
        "p06c" => problems::directors(),
        "p07a" => problems::satellite(false),
        "p07b" => problems::satellite(true),
        "p08a" => problems::crane(),
        "p09a_n4" => problems::chain(4),
        "p09a_n10" => problems::chain(10),
        "p09a_n20" => problems::chain(20),
        "p10a" => problems::spherical_pendulum(),
        "p11a" => problems::beam(8),
        _ => return None,
    })
}
