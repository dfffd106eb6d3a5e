//! `lariat schema`, `lariat new`, `lariat list`: the gallery is compiled in.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value as Json, json};

use super::{Exit, ListArgs, NewArgs, complain, say};
use crate::kernel::suggest::nearest;
use crate::problem::{gallery, gallery_data, schema_json};
use crate::tasks::TASKS;

/// `lariat schema`.
pub fn schema() -> Exit {
    say(&format!("{}\n", schema_json()))
}

/// `lariat list`.
pub fn list(args: &ListArgs) -> Exit {
    if let Some(wanted) = args.task.as_deref().filter(|wanted| !TASKS.contains(wanted)) {
        let hint = nearest(wanted, TASKS).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        complain(&format!("there is no task `{wanted}`{hint}\ntasks: {}", TASKS.join(", ")));
        return Exit::BadInput;
    }
    let word = args.word.as_deref().unwrap_or_default().to_lowercase();
    let fits = |name: &str, text: &str| {
        let head = text.split("\n[").next().unwrap_or(text);
        args.task.as_deref().is_none_or(|wanted| task(text) == wanted)
            && (name.contains(&word) || head.to_lowercase().contains(&word))
    };
    let found: Vec<&(&str, &str)> = gallery().iter().filter(|(name, text)| fits(name, text)).collect();
    if args.json {
        let entries =
            found.iter().map(|(name, text)| json!({ "name": name, "task": task(text), "title": title(text) }));
        return say(&format!("{:#}\n", Json::Array(entries.collect())));
    }
    if found.is_empty() {
        complain(&format!("no problem of the gallery is about `{word}`; `lariat list` shows all of them"));
        return Exit::BadInput;
    }
    let mut lines = String::new();
    for wanted in TASKS {
        let mut of_task = found.iter().filter(|(_, text)| task(text) == wanted).peekable();
        if of_task.peek().is_some() {
            lines += &format!("{wanted}\n");
        }
        lines.extend(of_task.map(|(name, text)| format!("  {name:<28} {}\n", title(text))));
    }
    say(&lines)
}

/// `lariat new`.
pub fn new(args: &NewArgs) -> Exit {
    let Some((name, text)) = gallery().iter().find(|(name, _)| *name == args.template) else {
        let names: Vec<&str> = gallery().iter().map(|(name, _)| *name).collect();
        let hint = nearest(&args.template, names.iter().copied())
            .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        complain(&format!("there is no template `{}`{hint}\ntemplates: {}", args.template, names.join(", ")));
        return Exit::BadInput;
    };
    let path = args.file.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.toml")));
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut data = gallery_data().iter().filter(|(file, _)| text.contains(file));
    let written = write(&path, text).and_then(|()| data.try_for_each(|(file, text)| beside(&folder.join(file), text)));
    match written {
        Ok(()) => say(&format!("{}\n", path.display())),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            complain(&format!(
                "{} exists and is not overwritten; give another name: lariat new {name} FILE",
                path.display()
            ));
            Exit::BadInput
        }
        Err(error) => {
            complain(&format!("cannot write {}: {error}", path.display()));
            Exit::Internal
        }
    }
}

/// A new file, whole or not at all.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes()).inspect_err(|_| {
        let _ = std::fs::remove_file(path);
    })
}

/// A file that the problem file refers to, unless it is there already.
fn beside(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    match write(path, text) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        other => other,
    }
}

/// The task that a problem states.
fn task(text: &str) -> &str {
    let headers = text.lines().filter_map(|line| line.trim().trim_start_matches('[').strip_prefix("task."));
    headers.filter_map(|header| header.split(['.', ']']).next()).next().unwrap_or_default()
}

fn title(text: &str) -> &str {
    text.lines().find_map(|line| line.strip_prefix("title = ")).map_or("", |title| title.trim_matches('"'))
}
