//! Where else to go with what inverse dynamics along rods does not do.

/// Where else to go.
pub const FORWARD_ONLY: &str = "[task.statics], [task.simulate] and [task.modes] can";

/// What takes more than one rod.
pub const NETS: &str = "method = \"sequential\" or \"optimise\" takes nets of rods and bodies";
