//! Space-time finite elements, continuous and bilinear, derived from the energy.
//!
//! With hat functions φ_k of the instants 1 … N as tests (those of instant 0 are zero: the initial state is known), the
//! weak form of ẋ = v and ρA v̇ = n' + f at node (i, k) is
//!
//! (D x_i)_k = (M v_i)_k,   Σ_j G_ij ρA (D v_j)_k + ∫ φ_k ∂(Σ ℓ W)/∂x_i dt = ∫ φ_k (ℓ f + end forces) dt
//!
//! with D = ∫φ φ̇, M = ∫φ φ in time and G the consistent mass matrix in s, and likewise for rotations and angular momenta. The
//! first relation is the printed one with the invertible factor G removed. Stored energy is integrated by the midpoint in s (no
//! locking) and two Gauss points in time. Because D x = M v holds layer by layer, the second row of layer i contains one unknown
//! layer when those on one side are known: complete end data make the whole system block triangular in s.

pub mod space;
mod time;

pub use time::{GAUSS, TimeElements};
