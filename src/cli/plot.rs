//! `lariat plot`.

use super::{Exit, PlotArgs, complain, say};
use crate::plots::{Kind, draw};
use crate::results::store;

/// Run.
pub fn run(args: &PlotArgs) -> Exit {
    let outcome = match store::read(&args.result) {
        Ok(outcome) => outcome,
        Err(error) => {
            complain(&error.to_string());
            return Exit::BadInput;
        }
    };
    let folder = args.out.clone().unwrap_or_else(|| store::folder(&args.result).to_owned());
    let kinds: Vec<Kind> = match args.what.is_empty() {
        true => Kind::all().into_iter().filter(|kind| kind.available(args.format, &outcome)).collect(),
        false => args.what.clone(),
    };
    if kinds.is_empty() {
        let (format, status) = (args.format.extension(), &outcome.report.status);
        complain(&format!("the result holds nothing to draw as {format} (status: {status})"));
        return Exit::Unsolved;
    }
    let mut exit = Exit::Success;
    for kind in kinds {
        let bytes = match draw(kind, args.format, &outcome) {
            Ok(bytes) => bytes,
            Err(error) => {
                complain(&error.to_string());
                return Exit::Unsolved;
            }
        };
        let name = format!("{kind}.{}", args.format.extension());
        let path = folder.join(&name);
        let written = store::write_file(&folder, &name, &bytes);
        match written {
            Ok(()) => exit = exit.max(say(&format!("{}\n", path.display()))),
            Err(error) => {
                complain(&format!("cannot write {}: {error}", path.display()));
                return Exit::Internal;
            }
        }
    }
    exit
}
