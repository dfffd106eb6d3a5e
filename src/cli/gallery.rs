//! `lariat schema`, `lariat new`, `lariat list`: the gallery is compiled in.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use super::{Exit, NewArgs, complain};
use crate::kernel::suggest::nearest;
use crate::problem::{gallery, schema_json};

/// `lariat schema`.
pub fn schema() -> Exit {
    println!("{}", schema_json());
    Exit::Success
}

/// `lariat list`.
pub fn list() -> Exit {
    for (name, text) in gallery() {
        println!("{name:<28} {}", title(text));
    }
    Exit::Success
}

/// `lariat new`.
pub fn new(args: &NewArgs) -> Exit {
    let Some((name, text)) = gallery().iter().find(|(name, _)| *name == args.template) else {
        let names: Vec<&str> = gallery().iter().map(|(name, _)| *name).collect();
        let hint = nearest(&args.template, names.iter().copied())
            .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        complain(&format!("there is no template `{}`{hint} Templates: {}", args.template, names.join(", ")));
        return Exit::BadInput;
    };
    let path = args.file.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.toml")));
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Ok(()) => {
            println!("{}", path.display());
            Exit::Success
        }
        Err(error) => {
            complain(&format!("cannot write {}: {error}", path.display()));
            Exit::BadInput
        }
    }
}

fn title(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("title = ")).map_or("", |title| title.trim_matches('"'))
}
