//! Mutants of problem files, models and result folders: none may end in a panic, an abort, a run without end or memory without bound.
//!
//! `cargo test` tries 2000 mutants. `LARIAT_FUZZ=1000000 cargo test --release --test fuzz -- --nocapture` tries as many of each kind
//! as asked (`LARIAT_FUZZ_KIND=check` of one kind alone), `LARIAT_FUZZ_SEED` chooses which, and `LARIAT_FUZZ_KEEP=DIR` keeps those that fail (and, should the process
//! itself be ended, the one it was at).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod models;
mod mutate;
mod problems;
mod program;
mod results;
mod trial;
