//! The program itself on mutants, with limits of memory and time: it ends by itself, with one of its exit codes.
#![cfg(unix)]

use std::path::Path;
use std::process::{Command, Stdio};

use super::mutate::{self, Dice};
use super::trial::{Mutant, all};

/// Kilobytes of address space: far more than what `--memory` allows, far less than what would hurt.
const ADDRESSES: u64 = 4_000_000;

fn run(folder: &Path, arguments: &str) -> Result<&'static str, String> {
    let program = env!("CARGO_BIN_EXE_lariat");
    let script = format!("ulimit -v {ADDRESSES}; exec '{program}' {arguments}");
    let ended = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    match ended.status.code() {
        Some(0) => Ok("exit 0"),
        Some(1) => Ok("exit 1"),
        Some(2) => Ok("exit 2"),
        code => {
            let said = String::from_utf8_lossy(&ended.stderr).into_owned();
            let line = said.lines().find(|line| line.contains("panicked") || line.contains("memory"));
            Err(format!("{code:?} {:?}: {}", ended.status, line.unwrap_or_default()))
        }
    }
}

#[test]
fn the_program_ends_by_itself() {
    let gallery = lariat::problem::gallery();
    let home = tempfile::tempdir().unwrap();
    all("program", 40, |dice: &mut Dice| {
        let (name, text) = gallery[dice.below(gallery.len())];
        let text = mutate::problem(text, dice);
        std::fs::write(home.path().join("mutant.toml"), &text).unwrap();
        let folder = home.path();
        let arguments = "solve mutant.toml --no-plots --quiet --threads 2 --memory 500M --time-limit 0.3";
        Mutant { origin: name.to_owned(), content: text.into_bytes(), run: Box::new(move || run(folder, arguments)) }
    });
}
