//! Usage, colours, closed pipes.

use std::fs;
use std::process::{Command as Process, Stdio};

use super::*;

#[test]
fn bad_usage_exits_2_and_shows_the_way() {
    let folder = folder();
    let run = lariat(folder.path(), &[]).exits(2);
    assert!(run.err.contains("Usage: lariat <COMMAND>") && run.err.contains("solve"), "{}", run.err);
    let run = lariat(folder.path(), &["solv", "quick.toml"]).exits(2);
    assert!(run.err.contains("'solve'"), "{}", run.err);
    let run = lariat(folder.path(), &["solve"]).exits(2);
    assert!(run.err.contains("<FILE>..."), "{}", run.err);
    let run = lariat(folder.path(), &["solve", "quick.toml", "--theads", "2"]).exits(2);
    assert!(run.err.contains("'--threads'"), "{}", run.err);
    lariat(folder.path(), &["solve", "quick.toml", "--threads", "0"]).exits(2);
    assert_eq!(names(folder.path()), ["quick.toml"]);
}

#[test]
fn help_and_version_exit_0() {
    let folder = tempfile::tempdir().unwrap();
    let run = lariat(folder.path(), &["--help"]).exits(0);
    for command in
        ["solve", "check", "plot", "verify", "schema", "new", "list", "explain", "capabilities", "completions"]
    {
        assert!(run.out.contains(&format!("\n  {command} ")), "{command} is not in {}", run.out);
        lariat(folder.path(), &[command, "--help"]).exits(0);
    }
    let run = lariat(folder.path(), &["--version"]).exits(0);
    assert_eq!(run.out, format!("lariat {}\n", env!("CARGO_PKG_VERSION")));
}

/// What a terminal would show; `script` gives the program one.
#[cfg(target_os = "linux")]
#[test]
fn no_color_is_honoured_on_a_terminal() {
    let folder = folder();
    fs::write(folder.path().join("bad.toml"), QUICK.replace("elements", "elemnts")).unwrap();
    let program = assert_cmd::cargo::cargo_bin("lariat");
    let shown = |no_color: Option<&str>| {
        let mut process = Process::new("script");
        process.args(["-qec", &format!("'{}' check bad.toml", program.display()), "/dev/null"]);
        process.current_dir(folder.path()).stdin(Stdio::null()).env_remove("NO_COLOR");
        if let Some(value) = no_color {
            process.env("NO_COLOR", value);
        }
        String::from_utf8(process.output().ok()?.stdout).ok()
    };
    let Some(coloured) = shown(None) else {
        eprintln!("not tested: the program `script` of util-linux is not there to give a terminal");
        return;
    };
    assert!(coloured.contains("elemnts") && coloured.contains("\u{1b}[31m"), "{coloured:?}");
    let plain = shown(Some("1")).unwrap();
    assert!(plain.contains("elemnts") && !plain.contains('\u{1b}'), "{plain:?}");
}

#[test]
fn there_are_no_colours_in_a_file() {
    let folder = folder();
    fs::write(folder.path().join("bad.toml"), QUICK.replace("elements", "elemnts")).unwrap();
    let run = lariat(folder.path(), &["check", "bad.toml"]).exits(2);
    assert!(run.err.contains("elemnts") && !run.err.contains('\u{1b}'), "{:?}", run.err);
}

/// `lariat schema | head -1`: the reader leaves, and that is no failure.
#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = folder();
    for args in [&["schema"][..], &["list"], &["check", "quick.toml"], &["solve", "quick.toml", "--json"]] {
        let mut child = Process::new(assert_cmd::cargo::cargo_bin("lariat"))
            .args(args)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.as_str()), (Some(0), ""), "{args:?}");
    }
}

/// The path (1 − cos, sin) begins at the origin, the end of the rod lies at (1, 0): told, and solved all the same.
#[test]
fn a_path_that_starts_off_the_rod_is_pointed_out() {
    let folder = folder();
    fs::write(folder.path().join("off.toml"), QUICK.replace("x = 1\n", "x = \"0\"\n")).unwrap();
    let run = lariat(folder.path(), &["check", "off.toml"]).exits(0);
    assert!(
        run.err.contains("servo `tip` starts 1.000000 m") && run.err.contains("off.toml: 1 warning"),
        "{}",
        run.err
    );
    assert!(lariat(folder.path(), &["check", "quick.toml"]).exits(0).err.is_empty());
}
