//! Materials and cross-sections: axial laws, stiffnesses and inertia per length.

mod elasticity;
mod law;
mod logarithmic;
mod quadratic;
mod section;
mod spec;

pub use elasticity::{RodLaw, Section, Stresses};
pub use law::{AxialLaw, Law};
pub use logarithmic::Logarithmic;
pub use quadratic::Quadratic;
pub use section::SectionConstants;
pub use spec::{InertiaSpec, LawSpec, MaterialSpec, SectionSpec, StiffnessSpec};
