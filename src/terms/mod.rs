//! What the parts of a mechanism contribute on its nodes: energies, inertias, works and conditions.
//!
//! Each is written once over any [`Scalar`](crate::scalar::Scalar): strains in [`strain`], the energy of a section in
//! [`RodLaw`](crate::material::RodLaw), a rigid body in [`inertia`], joints and what springs measure in [`Constraint`], loads in
//! [`Load`], the forces of fluids in [`Drag`]. Beside some of them stand derivatives by hand, because they are the hot code of simulation and statics
//! (`hot`, and `derivative` and `curvature` of conditions); tests compare them with automatic ones.

mod attachment;
mod constraint;
mod drag;
mod effect;
mod element;
mod hot;
pub mod inertia;
mod layout;
mod load;
mod local;
mod mass;
mod nodes;
mod reeved;
pub mod shape;
mod spring;
pub mod strain;

pub use attachment::{Attachment, Wrench, node_rotation};
pub use constraint::{Anchor, ConditionRow, Constraint, GroundTravel, RowCurvature, RowDerivative, Turn};
pub use drag::{Axis, Drag, DragSlopes, Resistance, TakeSlopes, write_rates};
pub use effect::{Drive, Effect, History};
pub use element::{Element, Fabric};
pub use hot::plane_rod::PlaneRod;
pub use hot::space_rod::SpaceRod;
pub use hot::string_rod::StringElement;
pub use layout::{Layout, NodeKind, plane_angle, plane_orientation};
pub use load::{Load, LoadSource};
pub use local::{Local, Order};
pub use mass::{MassShares, NodeMass, of_point};
pub use nodes::{ByCoordinate, ByFreedom, MovingNodes, Nodes, Receiver, Works, length};
pub use reeved::{Curvature, Kinetic, Reel, ReevedElement, Slope};
pub use spring::{Pull, SpringElement};
pub use strain::RodPoint;
