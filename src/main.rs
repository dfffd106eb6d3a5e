//! Lariat
fn main() {}
