//! The `lariat` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    lariat::cli::run()
}
