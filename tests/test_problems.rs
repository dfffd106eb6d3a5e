//! The test programs themselves, against published numbers and closed solutions; no solver takes part.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod problems;

#[path = "test_problems/closed_solutions.rs"]
mod closed_solutions;
#[path = "test_problems/degenerate.rs"]
mod degenerate;
#[path = "test_problems/first_order.rs"]
mod first_order;
#[path = "test_problems/published.rs"]
mod published;
