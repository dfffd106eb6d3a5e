//! Exact dynamic stiffness of nets of straight, uniform, unstressed members.
//!
//! A member under harmonic motion obeys linear equations with constant coefficients, which have exact solutions: forces at
//! its ends are D(ω²) times the motions of its ends, without any discretisation. A net of such members has the matrix
//! function D(λ), λ = ω², whose singular points are all its natural frequencies. W. H. Wittrick and F. W. Williams, "A
//! general algorithm for computing natural frequencies of elastic structures", Q. J. Mech. Appl. Math. 24 (1971): the number
//! of frequencies below ω is the number of negative eigenvalues of D(ω²) plus the number of frequencies below ω of all
//! members with held ends.
//!
//! Here members are divided into parts that have no such frequencies in the range of interest. That spares the poles of D
//! and the modes in which all nodes rest, and makes the solutions short power series about the middles of the parts.

mod attached;
mod bar;
mod bending;
mod elimination;
mod motion;
mod net;
mod obstacle;
mod piece;
mod series;
mod split;
mod still;
#[cfg(test)]
mod tests;

pub use net::{Crowded, Net, SectionMotion};
pub use obstacle::{Circumstances, Culprit, Obstacle, Trouble, obstacles};
