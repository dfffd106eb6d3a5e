//! The test programs themselves, against published numbers and closed solutions; no solver takes part.

mod closed_solutions;
mod degenerate;
mod first_order;
mod published;
