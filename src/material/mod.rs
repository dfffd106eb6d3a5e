//! Materials and cross-sections: axial laws, stiffnesses and inertia per length.

mod check;
mod damping;
mod drag;
mod elasticity;
mod law;
mod logarithmic;
mod quadratic;
mod section;
mod shapes;
mod spec;
mod spring;
mod table;

pub use check::SectionError;
pub use drag::DragLaw;
pub use elasticity::{RodLaw, Section, Stresses};
pub use law::{AxialLaw, Law};
pub use logarithmic::Logarithmic;
pub use quadratic::Quadratic;
pub use section::SectionConstants;
pub use shapes::{Shape, ShapeError};
pub use spec::{DampingSpec, InertiaSpec, LawSpec, MaterialSpec, OffsetSpec, SectionSpec, StiffnessSpec, TableSpec};
pub use spring::SpringLaw;
pub use table::{Resists, SectionTable, TableError};
