//! Optimal control problems of the COPS collection (E. Dolan, J. Moré, T. Munson, Benchmarking Optimization Software with
//! COPS 3.0, 2004), discretised by the trapezoidal rule on equal steps, with the starts of that collection.

mod chain;
mod glider;
mod robot;
mod rocket;
mod steering;
mod trapezoid;

pub use chain::chain;
pub use glider::glider;
pub use robot::robot;
pub use rocket::rocket;
pub use steering::{steering, steering_with_end_time_at_most};
