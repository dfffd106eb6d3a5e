//! From good steps near a solution to convergence from afar: filter, line search, second-order corrections.

pub mod filter;
pub mod line_search;
