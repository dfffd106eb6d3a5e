//! Guesses from a table and from an earlier result.

use std::fs;

use lariat::problem::{Question, load, load_with};
use lariat::results::{Outcome, Table, csv, store};
use lariat::tasks::Silent;
use lariat::tasks::optimal_control::run;

use crate::{gallery, solved};

const END: &str = "end = { x = 1.0, theta = \"pi\" }";

fn cart_pole(entry: &str, steps: usize) -> String {
    gallery("cart-pole", &[(END, &format!("{END}\n{entry}")), ("steps = 200", &format!("steps = {steps}"))])
}

/// The better of the two optima, on 50 steps.
fn better() -> Outcome {
    solved(&cart_pole("starts = { count = 10 }", 50))
}

/// What a text leads to whose files lie in a folder of a name.
fn answer(text: &str, read: &dyn Fn(&str) -> std::io::Result<Vec<u8>>) -> Outcome {
    let problem = load_with("x.toml", text, &[], read).unwrap_or_else(|found| panic!("{found}"));
    let Question::OptimalControl(system) = problem.question else { panic!("another question") };
    run(&system, &mut Silent)
}

/// A table with coordinates and control leads to its own optimum on a finer mesh: 29.07689647 on 100 steps (CasADi and IPOPT),
/// where a straight line leads to 29.49493722. Functions take the place of its columns.
#[test]
fn a_table_leads_to_its_optimum() {
    let known = better();
    let columns = known.motion.columns.iter().take(2).chain(&known.actuation.columns).cloned().collect();
    let table = csv::format(&Table { t: known.motion.t.clone(), columns }).unwrap();
    let read = |name: &str| {
        assert_eq!(name, "data/swing.csv");
        Ok(table.clone().into_bytes())
    };
    let text = cart_pole("guess = { file = \"data/swing.csv\" }\nmesh = { continue = false }", 100);
    let found = answer(&text, &read);
    assert_eq!(found.report.status, "solved", "{:?}", found.report.message);
    assert!((found.report.scalars["objective"] / 29.07689647 - 1.0).abs() < 1e-7, "{:?}", found.report.scalars);
    // The columns are coordinates at the nodes and controls in between, as they are read at any instant.
    let problem = load_with("x.toml", &text, &[], &read).unwrap();
    let Question::OptimalControl(system) = problem.question else { panic!("another question") };
    let guess = (system.problem.guess.position)(0.5);
    assert_eq!(guess, [known.motion.columns[0].1[25], known.motion.columns[1].1[25]]);
    assert_eq!(problem.attachments.len(), 1);
    let mixed = cart_pole("guess = { file = \"data/swing.csv\", x = \"7*t\" }", 100);
    let Question::OptimalControl(system) = load_with("x.toml", &mixed, &[], &read).unwrap().question else { panic!() };
    assert_eq!((system.problem.guess.position)(0.5), [7.0, guess[1]]);
}

/// A result on 50 steps is the start on 100; its controls hold in their steps.
#[test]
fn a_result_leads_to_its_optimum() {
    let folder = tempfile::tempdir().unwrap();
    let mut known = better();
    store::write(&folder.path().join("old"), &mut known, &[]).unwrap();
    let text = cart_pole("guess = { result = \"old\" }\nmesh = { continue = false }", 100);
    let file = folder.path().join("new.toml");
    fs::write(&file, &text).unwrap();
    let problem = load(file.to_str().unwrap(), &text, &[]).unwrap_or_else(|found| panic!("{found}"));
    let Question::OptimalControl(system) = problem.question else { panic!("another question") };
    let force = known.controls.column("force").unwrap();
    for k in 0..50 {
        assert_eq!((system.problem.guess.control)((k as f64 + 0.3) / 50.0), [force[k]]);
    }
    let found = run(&system, &mut Silent);
    assert!((found.report.scalars["objective"] / 29.07689647 - 1.0).abs() < 1e-7, "{:?}", found.report.scalars);
}

/// A free end time begins with that of the table.
#[test]
fn a_table_tells_the_duration() {
    let text = "[time]\nend = 3\nsteps = 10\n[system]\ncoordinates = ['x']\ncontrols = ['u']\nlagrangian = 'x_dot^2/2'\nforces = { x = 'u' }\n\
        [task.optimal-control]\nobjective = { time = 1 }\nfree-end-time = [0.1, 9]\nstart = { x = 0 }\nend = { x = 1 }\nbounds = { u = [-1, 1] }\nguess = { file = 'a.csv' }\n";
    let problem = load_with("x.toml", text, &[], &|_| Ok(b"t,x\n1,0\n3.5,1\n".to_vec())).unwrap();
    let Question::OptimalControl(system) = problem.question else { panic!("another question") };
    assert_eq!(system.problem.guess.duration, 2.5);
    let found = run(&system, &mut Silent);
    assert!((found.report.scalars["duration"] - 2.0).abs() < 1e-3);
}

#[test]
fn a_column_that_is_nearly_named_is_told() {
    let text = cart_pole("guess = { file = \"a.csv\" }", 100);
    let problem = load_with("x.toml", &text, &[], &|_| Ok(b"t,x,tetha,x_dot\n0,0,0,1\n2,1,3,0\n".to_vec())).unwrap();
    let [told] = &problem.warnings.list[..] else { panic!("{}", problem.warnings) };
    assert_eq!(told.message, "a.csv: the column `tetha` is not used");
    assert_eq!(told.help.as_deref(), Some("did you mean `theta`?"));
}
