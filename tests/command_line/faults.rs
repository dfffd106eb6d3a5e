//! What the machine may do to a run: kill it, take its disk or its folder away, run two at once, give it other numbers of threads.
#![cfg(unix)]

use std::process::{Command as Process, Stdio};
use std::time::Duration;

use super::*;

fn program() -> std::path::PathBuf {
    assert_cmd::cargo::cargo_bin("lariat")
}

/// Runs a shell script that knows the program as `$LARIAT`.
fn shell(dir: &Path, script: &str) -> Run {
    let output = Process::new("sh").args(["-c", script]).env("LARIAT", program()).current_dir(dir).output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The number of steps of a result that is complete: all its files are those it was written with.
fn complete(result: &Path) -> f64 {
    let outcome = lariat::results::store::read(result).unwrap();
    assert_eq!(lariat::results::store::changed_files(result, &outcome.report), Vec::<String>::new());
    assert_eq!(outcome.report.status, "solved");
    outcome.report.grid["time_steps"]
}

#[test]
fn a_killed_run_leaves_the_old_result_or_the_new_one() {
    let folder = solved();
    let result = folder.path().join("results/quick");
    assert_eq!(complete(&result), 60.0);
    let mut steps = [60.0, 64.0];
    // About as long as a whole run takes on a machine at rest, in steps that meet the writing of the files.
    for delay in [5, 20, 35, 50, 65, 80, 100, 120, 150, 200, 300, 450] {
        let setting = format!("time.steps={}", steps[1]);
        let mut child = Process::new(program())
            .args(["solve", "quick.toml", "--no-plots", "--quiet", "--set", &setting])
            .current_dir(folder.path())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        let found = complete(&result);
        assert!(steps.contains(&found), "{found}");
        if found == steps[1] {
            steps.swap(0, 1);
        }
    }
    // The next run clears away what the killed ones left.
    lariat(folder.path(), &["solve", "quick.toml", "--no-plots", "--quiet"]).exits(0);
    assert!(names(&result).iter().all(|name| !name.starts_with('.')), "{:?}", names(&result));
}

#[test]
fn a_full_disk_leaves_the_old_result() {
    let folder = solved();
    let result = folder.path().join("results/quick");
    let before = names(&result);
    // No file may have more than a kilobyte or two; the signal that goes with it is ignored, as no disk sends one.
    let full = "trap '' XFSZ; ulimit -f 2; exec \"$LARIAT\" solve quick.toml --quiet --set time.steps=64";
    let run = shell(folder.path(), full).exits(3);
    assert!(run.err.contains("could not be written"), "{}", run.err);
    assert_eq!(complete(&result), 60.0);
    assert_eq!(names(&result), before);
}

#[test]
fn what_cannot_be_told_is_a_failure_of_its_own() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = solved();
    for command in
        ["list", "schema", "check quick.toml", "verify results/quick", "plot results/quick", "solve quick.toml"]
    {
        shell(folder.path(), &format!("exec \"$LARIAT\" {command} > /dev/full")).exits(3);
    }
    // Nobody hears the progress, but the answer is written.
    shell(folder.path(), "exec \"$LARIAT\" solve quick.toml --verbose 2> /dev/full").exits(0);
}

#[test]
fn folders_that_cannot_be_written_or_are_gone() {
    let folder = folder();
    // Not even an administrator can make folders there.
    if Path::new("/proc/self").exists() {
        let run = lariat(folder.path(), &["solve", "quick.toml", "--quiet", "--out", "/proc/results"]).exits(3);
        assert!(run.err.contains("/proc/results"), "{}", run.err);
    }
    let gone = "mkdir here && cd here && rmdir ../here && exec \"$LARIAT\" solve ../quick.toml --quiet";
    assert!((1..=3).contains(&shell(folder.path(), gone).code));
    let gone = "mkdir there && cd there && cp ../quick.toml . && rm -r ../there && exec \"$LARIAT\" solve quick.toml";
    shell(folder.path(), gone).exits(2);
}

#[test]
fn two_runs_into_one_folder_leave_one_of_the_results() {
    let folder = folder();
    let run = |steps: usize| {
        let setting = format!("time.steps={steps}");
        Process::new(program())
            .args(["solve", "quick.toml", "--quiet", "--no-plots", "--out", "same", "--set", &setting])
            .current_dir(folder.path())
            .spawn()
            .unwrap()
    };
    for _ in 0..3 {
        let children: Vec<_> = [60, 61, 62, 63].map(run).into_iter().collect();
        for mut child in children {
            assert_eq!(child.wait().unwrap().code(), Some(0));
        }
        assert!((60.0..=63.0).contains(&complete(&folder.path().join("same"))));
        assert!(names(&folder.path().join("same")).iter().all(|name| !name.starts_with('.')));
    }
}

/// All files of a result, without the times it took.
fn content(result: &Path) -> Vec<(String, Vec<u8>)> {
    let of = |name: String| {
        let mut bytes = fs::read(result.join(&name)).unwrap();
        if name == "result.json" {
            let mut report = json(&result.join(&name));
            report.as_object_mut().unwrap().remove("timings");
            bytes = report.to_string().into_bytes();
        }
        (name, bytes)
    };
    names(result).into_iter().map(of).collect()
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let folder = folder();
    let gallery = |name: &str| lariat::problem::gallery().iter().find(|(other, _)| *other == name).unwrap().1;
    fs::write(folder.path().join("modes.toml"), gallery("cantilever-modes")).unwrap();
    fs::write(folder.path().join("control.toml"), gallery("pendulum-swing-up")).unwrap();
    fs::write(folder.path().join("frame.toml"), gallery("lee-frame")).unwrap();
    let problems: [(&str, &[&str]); 4] = [
        ("quick", &[]),
        ("modes", &[]),
        ("control", &["--set", "time.steps=20", "--set", "task.optimal-control.starts={ count = 4 }"]),
        ("frame", &["--set", "task.statics.factors=[0.2]"]),
    ];
    for (name, sets) in problems {
        let file = format!("{name}.toml");
        let runs = ["1", "2", "8", "8"].map(|threads| {
            let mut args = vec!["solve", &file, "--no-expect", "--threads", threads, "--quiet"];
            args.extend(sets);
            lariat(folder.path(), &args);
            content(&folder.path().join("results").join(name))
        });
        assert!(runs[0].len() > 1, "{name}");
        for other in &runs[1..] {
            for (a, b) in runs[0].iter().zip(other) {
                assert_eq!(a.0, b.0);
                assert!(a.1 == b.1, "{name}: {} differs", a.0);
            }
        }
    }
}

#[test]
fn a_limit_of_time_ends_a_run_and_says_so() {
    let folder = folder();
    let args = ["solve", "quick.toml", "--time-limit", "0.2", "--no-plots", "--set", "time.steps=4800"];
    let run = lariat(folder.path(), &[&args[..], &["--set", "rod.beam.elements=1600"]].concat()).exits(1);
    assert!(run.out.contains("time limit of 0.2 s"), "{}", run.out);
    let report = json(&folder.path().join("results/quick/result.json"));
    assert_eq!(report["status"], "interrupted");
    for bad in ["0", "-1", "nan", "inf", "soon"] {
        lariat(folder.path(), &["solve", "quick.toml", &format!("--time-limit={bad}")]).exits(2);
    }
}

#[test]
fn expectations_can_be_left_aside() {
    let folder = folder();
    let expecting =
        format!("{QUICK}\n[expect.\"actuation.base.force_y.max\"]\nvalue = 17\nabs = 1e-3\nsource = \"wrong\"\n");
    fs::write(folder.path().join("quick.toml"), expecting).unwrap();
    lariat(folder.path(), &["solve", "quick.toml", "--no-plots", "--quiet"]).exits(1);
    let run = lariat(folder.path(), &["solve", "quick.toml", "--no-plots", "--no-expect"]).exits(0);
    assert!(!run.out.contains("EXPECTED"), "{}", run.out);
}
