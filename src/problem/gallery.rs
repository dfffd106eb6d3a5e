//! The gallery: problem files compiled into the program.

/// Files that gallery problems refer to, by the name they use, with their content.
pub fn gallery_data() -> &'static [(&'static str, &'static str)] {
    &[("data/nrel-5mw-blade.csv", include_str!("../../problems/data/nrel-5mw-blade.csv"))]
}

/// Name and text of every gallery problem.
pub fn gallery() -> &'static [(&'static str, &'static str)] {
    macro_rules! problems {
        ($($name:literal),* $(,)?) => {
            &[$(($name, include_str!(concat!("../../problems/", $name, ".toml")))),*]
        };
    }
    problems![
        "beam-quarter-turn",
        "beam-quarter-turn-quadratic",
        "beam-tip-mass",
        "beam-stiff",
        "beam-hinged-tip",
        "string-2d",
        "string-3d",
        "crane-servo",
        "mass-spring-chain",
        "flexible-joint",
        "crane-elastic-rope",
        "flexible-arm",
        "rod-space-turn",
        "rod-payload-space",
        "two-segment-arm",
        "bend-45",
        "roll-up",
        "lee-frame",
        "rubber-own-weight",
        "helical-spring",
        "euler-column",
        "right-angle-frame",
        "lateral-torsional",
        "swinging-rod",
        "swinging-rod-space",
        "right-angle-cantilever",
        "flying-spaghetti",
        "heavy-top",
        "four-bars",
        "slider-crank",
        "fpu-chain",
        "triple-pendulum",
        "rope-load",
        "cantilever-modes",
        "bridge-modes",
        "star-modes",
        "bennett-linkage",
        "double-banana",
        "nrel-blade-tip-force",
        "nrel-blade-uniform-load",
        "nrel-blade-modes",
        "nrel-blade-campbell",
        "turbine-run-up",
        "double-integrator",
        "pendulum-swing-up",
        "pendulum-bang-bang",
        "pendulum-detour",
        "cart-pole",
        "two-link-arm",
        "robot-arm",
        "low-thrust-transfer",
        "low-thrust-circumferential",
        "overhead-crane",
        "hanging-chain",
        "fuel-double-integrator",
        "hybrid-oscillator",
        "hybrid-oscillator-right",
        "reorientation",
        "spherical-double-pendulum",
        "hub-beam",
        "hinged-arm",
        "spatial-arm",
        "soft-arm",
        "rope-crane",
    ]
}
