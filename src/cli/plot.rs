//! `lariat plot`.

use std::fs;

use super::{Exit, PlotArgs, complain};
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
        true => Kind::all().into_iter().filter(|kind| kind.applicable(&outcome)).collect(),
        false => args.what.clone(),
    };
    if kinds.is_empty() {
        complain(&format!("the result holds nothing to draw (status: {})", outcome.report.status));
        return Exit::Unsolved;
    }
    for kind in kinds {
        let bytes = match draw(kind, args.format, &outcome) {
            Ok(bytes) => bytes,
            Err(error) => {
                complain(&error.to_string());
                return Exit::Unsolved;
            }
        };
        let path = folder.join(format!("{kind}.{}", args.format.extension()));
        let written = fs::create_dir_all(&folder).map_err(|e| e.to_string()).and_then(|()| {
            store::write_file(&path, &bytes).map_err(|error| error.to_string())
        });
        match written {
            Ok(()) => println!("{}", path.display()),
            Err(error) => {
                complain(&format!("cannot write {}: {error}", path.display()));
                return Exit::Internal;
            }
        }
    }
    Exit::Success
}
