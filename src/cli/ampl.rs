//! The calling convention of AMPL and Pyomo: `lariat stub -AMPL [key=value ...]` answers `stub.nl` by `stub.sol`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::progress::{Level, Progress};
use super::{Exit, complain, interrupt, model, say};
use crate::results::store;

/// The mark of the convention.
const MARK: &str = "-AMPL";
/// Options of the solver as the modelling languages pass them, separated by blanks.
const OPTIONS: &str = "lariat_options";

/// What a modelling language asks for.
#[derive(Debug, PartialEq)]
pub enum Call {
    /// To solve a model with options.
    Solve(PathBuf, Vec<String>),
    /// To tell the version.
    Version,
}

/// The call, if the arguments (without the name of the program) are one.
pub fn call(arguments: &[OsString]) -> Option<Call> {
    match arguments {
        [only] if only == "-v" => Some(Call::Version),
        [stub, mark, rest @ ..] if mark == MARK => {
            let options = rest.iter().map(|text| text.to_string_lossy().into_owned());
            Some(Call::Solve(model_path(Path::new(stub)), options.collect()))
        }
        _ => None,
    }
}

/// The file of a stub, which may be given with or without its extension.
fn model_path(stub: &Path) -> PathBuf {
    if model::is_model(stub) {
        return stub.to_owned();
    }
    let mut name = stub.as_os_str().to_owned();
    name.push(".nl");
    name.into()
}

/// Answer the call. The caller reads the status from the `.sol` file, so the exit code is 0 whenever there is one.
pub fn run(call: &Call) -> Exit {
    let (path, given) = match call {
        Call::Version => return say(&format!("lariat {}\n", env!("CARGO_PKG_VERSION"))),
        Call::Solve(path, given) => (path, given),
    };
    interrupt::listen();
    let environment = std::env::var(OPTIONS).unwrap_or_default();
    // What stands on the command line comes last and wins.
    let options: Vec<String> = environment.split_whitespace().map(str::to_owned).chain(given.iter().cloned()).collect();
    let file = match model::load(path, &options) {
        Ok(file) => file,
        Err(exit) => return exit,
    };
    let mut progress = Progress::new(Level::Quiet);
    let (outcome, sol) = file.answer(&mut progress);
    let folder = path.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
    let name = path.with_extension("sol").file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default();
    if let Err(error) = interrupt::shielded(|| store::write_file(folder, &name, sol.as_bytes())) {
        complain(&format!("the solution could not be written: {error}"));
        return Exit::Internal;
    }
    let first = sol.lines().next().unwrap_or_default();
    let message = outcome.report.message.filter(|message| !first.contains(message.as_str()));
    let rest = message.map_or_else(String::new, |message| format!("; {message}"));
    say(&format!("{first}{rest}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Option<Call> {
        call(&arguments.iter().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn only_the_convention_is_taken_for_a_call() {
        let solve = |path: &str, options: &[&str]| {
            Some(Call::Solve(path.into(), options.iter().map(|text| (*text).to_owned()).collect()))
        };
        assert_eq!(parsed(&["a/stub", "-AMPL"]), solve("a/stub.nl", &[]));
        assert_eq!(parsed(&["stub.nl", "-AMPL", "tolerance=1e-6"]), solve("stub.nl", &["tolerance=1e-6"]));
        // A stub may hold a dot.
        assert_eq!(parsed(&["v1.2", "-AMPL"]), solve("v1.2.nl", &[]));
        assert_eq!(parsed(&["-v"]), Some(Call::Version));
        assert_eq!(parsed(&["solve", "stub.nl"]), None);
        assert_eq!(parsed(&["-AMPL"]), None);
        assert_eq!(parsed(&[]), None);
    }
}
