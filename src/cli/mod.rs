//! The command line: one file per subcommand. Logs and progress go to stderr, summaries to stdout.

mod ampl;
mod check;
mod gallery;
mod interrupt;
mod mobility;
mod model;
mod plot;
mod progress;
mod solve;
mod summary;
mod verify;

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, IsTerminal, Write};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};

use crate::error::render;
use crate::plots::{Format, Kind};
use crate::problem::{self, Diagnostics, Problem};

pub use check::{Explanation, explain_file};

/// Optimal control and inverse dynamics of ropes, beams, rods and rigid bodies: which forces make a mechanism move as
/// wanted? Also statics, simulation, modes and mobility, and the nonlinear programs of modelling languages
#[derive(Debug, Parser)]
#[command(name = "lariat", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve problem files (.toml; answers are verified by forward simulation) and AMPL models (.nl), write results
    Solve(SolveArgs),
    /// Validate problem files or models and explain them without solving
    Check(CheckArgs),
    /// Draw a saved result again
    Plot(PlotArgs),
    /// Re-simulate a saved result from its actuation file, or evaluate a model again at its solution; exit 1 if it
    /// misses the path or the tolerances, or was changed
    Verify(VerifyArgs),
    /// Print the JSON Schema of problem files
    Schema,
    /// Write a commented problem file to start from
    New(NewArgs),
    /// List the gallery of problem files, by task
    List(ListArgs),
    /// Explain a key of problem files: what it means, what it takes, where the gallery states it
    Explain(ExplainArgs),
    /// Which parts each task and method takes, and why not where it does not
    Capabilities,
    /// Print the completions of a shell
    Completions(CompletionsArgs),
}

/// Arguments of `lariat solve`.
#[derive(Debug, Args)]
pub struct SolveArgs {
    /// Problem files (.toml) and AMPL models (.nl)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Folder for the result (default: results/ and the stem of the file name); several files get a subfolder each
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Override an entry of the problem file, e.g. rod.beam.elements=80, or an option of the solver of models, e.g.
    /// method=sqp
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Leave the known answers of `[expect]` in the files aside
    #[arg(long)]
    no_expect: bool,
    /// Stop after so many seconds and keep what is complete; exit 1
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<f64>,
    /// Print the report as one JSON object on stdout instead of the summary
    #[arg(long)]
    json: bool,
    /// Write no pictures
    #[arg(long)]
    no_plots: bool,
    /// Number of threads (default: one per core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Say nothing but errors
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
    /// Print every iteration
    #[arg(short, long)]
    verbose: bool,
    /// Memory that a problem may take, e.g. 32G (default: what is free)
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    memory: Option<f64>,
}

/// Arguments of `lariat check`.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Problem files (.toml) and AMPL models (.nl)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Override an entry of the problem file or an option of the solver of models
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Folder for pictures of what can be told before solving: bandwidth.png of inverse dynamics along a rod
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Memory that a problem may take, e.g. 32G (default: what is free)
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    memory: Option<f64>,
}

/// Arguments of `lariat plot`.
#[derive(Debug, Args)]
pub struct PlotArgs {
    /// Result folder, or the result.json in it
    #[arg(value_name = "RESULT")]
    result: PathBuf,
    /// What to draw (default: everything the result holds): actuation, motion, phase, energy, momentum, relative,
    /// modes, campbell, path, convergence
    #[arg(long, value_name = "KIND")]
    what: Vec<Kind>,
    /// File format: png, svg or, for motions in time, gif
    #[arg(long, default_value = "png")]
    format: Format,
    /// Folder for the pictures (default: the result folder)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Arguments of `lariat verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Result folder, or the result.json in it
    #[arg(value_name = "RESULT")]
    result: PathBuf,
    /// Say nothing but the outcome
    #[arg(short, long)]
    quiet: bool,
}

/// Arguments of `lariat new`.
#[derive(Debug, Args)]
pub struct NewArgs {
    /// Name of a gallery problem (see `lariat list`)
    template: String,
    /// File to write (default: TEMPLATE.toml); it must not exist yet
    file: Option<PathBuf>,
}

/// Arguments of `lariat list`.
#[derive(Debug, Args)]
pub struct ListArgs {
    /// Only problems whose name, title or introduction has this word
    word: Option<String>,
    /// Only those of a task: inverse-dynamics, optimal-control, statics, simulate, modes or mobility
    #[arg(long, value_name = "TASK")]
    task: Option<String>,
    /// Print a JSON array of names, tasks and titles instead
    #[arg(long)]
    json: bool,
}

/// Arguments of `lariat explain`.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// The key, e.g. rod.stiffness or task.inverse-dynamics.bandwidth; the tables of a problem file unless stated
    #[arg(default_value = "")]
    key: String,
}

/// Arguments of `lariat completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

/// A number of bytes: 500M, 32G, 1.5T, or a plain number.
fn bytes(text: &str) -> Result<f64, String> {
    let (number, factor) = match text.trim_end_matches(['B', 'b']).char_indices().next_back() {
        Some((at, 'k' | 'K')) => (&text[..at], 1e3),
        Some((at, 'm' | 'M')) => (&text[..at], 1e6),
        Some((at, 'g' | 'G')) => (&text[..at], 1e9),
        Some((at, 't' | 'T')) => (&text[..at], 1e12),
        _ => (text, 1.0),
    };
    let value: f64 = number.trim().parse().map_err(|_| format!("`{text}` is no size, expected for example 32G"))?;
    if value > 0.0 && value.is_finite() { Ok(value * factor) } else { Err(format!("`{text}` is not positive")) }
}

/// A number of seconds that a clock can count.
fn seconds(text: &str) -> Result<f64, String> {
    let value: f64 = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
    if (1e-3..=1e9).contains(&value) {
        Ok(value)
    } else {
        Err(format!("`{text}` is not between 0.001 and 1e9 seconds"))
    }
}

/// How a command ended, in the order of severity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Solved and verified, expectations met.
    Success = 0,
    /// Ran, but not solved, not verified, or an expectation was missed.
    Unsolved = 1,
    /// Bad usage, problem file or model.
    BadInput = 2,
    /// The program itself failed.
    Internal = 3,
}

/// Run the program on the arguments of the process.
pub fn run() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if let Some(call) = ampl::call(&arguments) {
        return ExitCode::from(ampl::run(&call) as u8);
    }
    let command = Cli::parse().command;
    // A panic is a mistake of the program; its message is on stderr already.
    let ended = std::panic::catch_unwind(AssertUnwindSafe(|| obey(command)));
    let exit = ended.unwrap_or_else(|_| {
        complain("this is a mistake of the program, not yours: please report it with the file that led to it");
        Exit::Internal
    });
    ExitCode::from(exit as u8)
}

fn obey(command: Command) -> Exit {
    match command {
        Command::Solve(args) => {
            args.memory.into_iter().for_each(crate::tasks::cost::allow);
            solve::run(&args)
        }
        Command::Check(args) => {
            args.memory.into_iter().for_each(crate::tasks::cost::allow);
            check::run(&args)
        }
        Command::Plot(args) => plot::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Schema => gallery::schema(),
        Command::New(args) => gallery::new(&args),
        Command::List(args) => gallery::list(&args),
        Command::Explain(args) => match problem::explain(&args.key) {
            Ok(text) => say(&text),
            Err(reason) => {
                complain(&reason);
                Exit::BadInput
            }
        },
        Command::Completions(args) => {
            let mut script = Vec::new();
            clap_complete::generate(args.shell, &mut Cli::command(), "lariat", &mut script);
            say(&String::from_utf8_lossy(&script))
        }
        Command::Capabilities => say(&crate::tasks::capability::page()),
    }
}

/// Read and build a problem file, or tell all its mistakes.
fn load(path: &Path, overrides: &[String]) -> Result<Problem, Exit> {
    let text = read(path)?;
    match problem::load(&path.display().to_string(), &text, overrides) {
        Ok(problem) => Ok(problem),
        Err(diagnostics) => {
            tell(&diagnostics);
            Err(Exit::BadInput)
        }
    }
}

/// The text of a problem file.
fn read(path: &Path) -> Result<String, Exit> {
    let name = path.display();
    let text = std::fs::read(path).map_err(|error| {
        complain(&format!("cannot read {name}: {error}"));
        Exit::BadInput
    })?;
    String::from_utf8(text).map_err(|error| {
        complain(&format!("{name} is not UTF-8 text (byte {})", error.utf8_error().valid_up_to()));
        Exit::BadInput
    })
}

/// Under which name a file that a problem file refers to is kept in the folder of the result.
fn kept_name(name: &str) -> String {
    format!("input-{}", name.rsplit(['/', '\\']).next().unwrap_or(name))
}

/// Diagnostics on stderr, in colour on a terminal unless `NO_COLOR` is set.
fn tell(diagnostics: &Diagnostics) {
    let _ = write!(std::io::stderr(), "{}", render(diagnostics, colour()));
}

/// One line about what went wrong.
fn complain(message: &str) {
    // Where not even stderr can be written there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "lariat: {message}");
}

/// Text on stdout. A reader that has read enough, such as `head`, is no failure.
fn say(text: &str) -> Exit {
    let mut stdout = std::io::stdout();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&format!("cannot write to stdout: {error}"));
            Exit::Internal
        }
        _ => Exit::Success,
    }
}

fn colour() -> bool {
    is_colour_wanted(std::io::stderr().is_terminal(), std::env::var_os("NO_COLOR").as_deref())
}

/// Colour is for terminals, unless `NO_COLOR` is set to anything but nothing (no-color.org).
fn is_colour_wanted(terminal: bool, no_color: Option<&OsStr>) -> bool {
    terminal && no_color.is_none_or(OsStr::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_only_on_terminals_and_only_if_not_refused() {
        assert!(is_colour_wanted(true, None) && is_colour_wanted(true, Some(OsStr::new(""))));
        assert!(!is_colour_wanted(true, Some(OsStr::new("1"))) && !is_colour_wanted(true, Some(OsStr::new("0"))));
        assert!(!is_colour_wanted(false, None));
    }
}
