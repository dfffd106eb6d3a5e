//! A program as a `.nl` file.

use std::fmt::Write;

use super::WriteError;
use super::emit::Emitter;
use super::split::{Split, Splitter};
use crate::nlp::graph::{Op, Program, Tape, shown};
use crate::nlp::{Bounds, Nlp};

/// The files of a program. The format wants nonlinear variables and rows first, so their order may differ from that
/// of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Contents of the `.nl` file.
    pub nl: String,
    /// Contents of the `.col` file: the names of the variables in the order of the file.
    pub col: String,
    /// Contents of the `.row` file: the names of the rows in the order of the file, then that of the objective.
    pub row: String,
    /// For each variable of the file, its number in the program.
    pub variables: Vec<usize>,
    /// For each row of the file, its number in the program.
    pub rows: Vec<usize>,
}

/// Writes the program in the text form of the `.nl` format.
pub fn write(program: &Program) -> Result<Written, WriteError> {
    let (tape, roots) = program.tape();
    let rows = program.bounds().rows();
    let mut splitter = Splitter::new(tape);
    let sign = |root: usize| if root == rows && program.is_maximised() { -1.0 } else { 1.0 };
    let splits: Vec<Split> = roots.iter().enumerate().map(|(root, &node)| splitter.split(node, sign(root))).collect();
    check(program, tape, &splits)?;
    Ok(Layout::new(program, tape, &splits).write(program, &splits))
}

/// Refuses what the format has no word for.
fn check(program: &Program, tape: &Tape, splits: &[Split]) -> Result<(), WriteError> {
    let bounds = program.bounds();
    let refuse = |place: String, reason: &str| Err(WriteError { place, reason: reason.to_string() });
    for variable in 0..bounds.variables() {
        let numbers = [program.start()[variable], bounds.x_lower[variable], bounds.x_upper[variable]];
        if numbers.iter().any(|number| number.is_nan()) {
            return refuse(program.variable_name(variable), "its start or a bound is not a number");
        }
    }
    for row in 0..bounds.rows() {
        if bounds.c_lower[row].is_nan() || bounds.c_upper[row].is_nan() {
            return refuse(program.row_name(row), "a bound is not a number");
        }
    }
    let mut bad = vec![false; tape.len()];
    for node in 0..tape.len() {
        let number = tape.number(node).is_some_and(|number| !number.is_finite());
        bad[node] = number || matches!(tape.op(node), Op::Foreign | Op::AtanRoot(_) | Op::Erf(_) | Op::Table(..));
        let mut inherited = false;
        tape.operands(node, |operand| inherited |= bad[operand as usize]);
        bad[node] |= inherited;
    }
    for (root, split) in splits.iter().enumerate() {
        let broken = |&(node, weight): &(u32, f64)| bad[node as usize] || !weight.is_finite();
        if !split.constant.is_finite() || split.linear.iter().chain(&split.nonlinear).any(broken) {
            let place = if root < bounds.rows() { program.row_name(root) } else { "the objective".to_string() };
            return refuse(
                place,
                "it holds a number that is not finite, an expression of another graph, a function from a table, erf, or the curvature of a rod in space, for which the format has no operator",
            );
        }
    }
    Ok(())
}

/// Order and indices of everything in the file.
struct Layout<'a> {
    emitter: Emitter<'a>,
    variables: Vec<usize>,
    /// For each variable of the program, its place in the file.
    place: Vec<usize>,
    rows: Vec<usize>,
    /// Numbers of variables that are nonlinear in rows and objective, only in rows, only in the objective.
    nonlinear: [usize; 3],
    /// Defined variables used in rows and objective, only in rows, only in the objective.
    defined: [Vec<u32>; 3],
}

impl<'a> Layout<'a> {
    fn new(program: &Program, tape: &'a Tape, splits: &[Split]) -> Self {
        let bounds = program.bounds();
        // Bit 0: used nonlinearly in a row; bit 1: in the objective.
        let mut used = vec![0u8; tape.len()];
        let mut uses = vec![0u32; tape.len()];
        for (root, split) in splits.iter().enumerate() {
            for &(node, _) in &split.nonlinear {
                used[node as usize] |= if root < bounds.rows() { 1 } else { 2 };
                uses[node as usize] += 1;
            }
        }
        for node in (0..tape.len()).rev().filter(|&node| node >= tape.variables()) {
            let by = used[node];
            if by != 0 {
                tape.operands(node, |operand| {
                    used[operand as usize] |= by;
                    uses[operand as usize] += 1;
                });
            }
        }

        // 0: in rows and objective, 1: in rows, 2: in the objective, 3: nowhere.
        let kind = |node: usize| [3, 1, 2, 0][usize::from(used[node])];
        let mut variables: Vec<usize> = (0..bounds.variables()).collect();
        variables.sort_by_key(|&variable| kind(variable));
        let nonlinear = [0, 1, 2].map(|wanted| variables.iter().filter(|&&variable| kind(variable) == wanted).count());
        let mut rows: Vec<usize> = (0..bounds.rows()).collect();
        rows.sort_by_key(|&row| splits[row].nonlinear.is_empty());

        let mut index = vec![None; tape.len()];
        let mut place = vec![0; variables.len()];
        for (at, &variable) in variables.iter().enumerate() {
            place[variable] = at;
            index[variable] = Some(at);
        }
        let shared = |&node: &u32| uses[node as usize] > 1 && tape.op(node as usize) != Op::Constant;
        let mut next = variables.len();
        let defined = [0, 1, 2].map(|wanted| {
            let nodes = (tape.variables() as u32..tape.len() as u32).filter(shared);
            let nodes: Vec<u32> = nodes.filter(|&node| kind(node as usize) == wanted).collect();
            for &node in &nodes {
                index[node as usize] = Some(next);
                next += 1;
            }
            nodes
        });
        Self { emitter: Emitter { tape, index }, variables, place, rows, nonlinear, defined }
    }

    fn write(self, program: &Program, splits: &[Split]) -> Written {
        let mut nl = String::new();
        let objective = splits.len() - 1;
        self.header(program, splits, &mut nl);
        for node in self.defined.iter().flatten() {
            let _ = writeln!(nl, "V{} 0 0", self.emitter.index[*node as usize].unwrap_or_default());
            self.emitter.definition(*node, &mut nl);
        }
        for (at, &row) in self.rows.iter().enumerate() {
            let _ = writeln!(nl, "C{at}");
            if splits[row].nonlinear.is_empty() {
                // The constant of a linear row is moved into its bounds.
                nl.push_str("n0\n");
            } else {
                self.emitter.split(&splits[row], &mut nl);
            }
        }
        let _ = writeln!(nl, "O0 {}", u8::from(program.is_maximised()));
        self.emitter.split(&splits[objective], &mut nl);
        self.start_and_bounds(program, splits, &mut nl);
        self.derivatives(program, splits, &mut nl);

        let line = |name: String| name.replace(['\n', '\r'], " ") + "\n";
        let col = self.variables.iter().map(|&variable| line(program.variable_name(variable))).collect();
        let row = self.rows.iter().map(|&row| line(program.row_name(row))).chain(["objective\n".to_string()]);
        Written { nl, col, row: row.collect(), variables: self.variables, rows: self.rows }
    }

    fn header(&self, program: &Program, splits: &[Split], nl: &mut String) {
        let Bounds { c_lower, c_upper, .. } = program.bounds();
        let equations = c_lower.iter().zip(c_upper).filter(|(lower, upper)| lower == upper).count();
        let ranges = c_lower.iter().zip(c_upper).filter(|(l, u)| l != u && l.is_finite() && u.is_finite()).count();
        let nonlinear = splits.iter().take(self.rows.len()).filter(|split| !split.nonlinear.is_empty()).count();
        let curved = u8::from(splits.last().is_some_and(|split| !split.nonlinear.is_empty()));
        let [both, rows_only, objective_only] = self.nonlinear;
        // The third kind is counted from the end of the second.
        let in_objective = if objective_only > 0 { both + rows_only + objective_only } else { both };
        let longest = |names: usize, name: &dyn Fn(usize) -> String| (0..names).map(|at| name(at).len()).max();
        let row_length = longest(self.rows.len(), &|row| program.row_name(row)).unwrap_or(0);
        let variable_length = longest(self.variables.len(), &|variable| program.variable_name(variable)).unwrap_or(0);
        let [in_both, in_rows, in_one] = [0, 1, 2].map(|kind| self.defined[kind].len());
        let lines = [
            "g3 1 1 0\t# problem".to_string(),
            format!(
                " {} {} 1 {ranges} {equations}\t# vars, constraints, objectives, ranges, eqns",
                self.variables.len(),
                self.rows.len()
            ),
            format!(" {nonlinear} {curved}\t# nonlinear constraints, objectives"),
            " 0 0\t# network constraints: nonlinear, linear".to_string(),
            format!(" {} {in_objective} {both}\t# nonlinear vars in constraints, objectives, both", both + rows_only),
            " 0 0 0 1\t# linear network variables; functions; arith, flags".to_string(),
            " 0 0 0 0 0\t# discrete variables: binary, integer, nonlinear (b,c,o)".to_string(),
            format!(
                " {} {}\t# nonzeros in Jacobian, gradients",
                program.jacobian_pattern().nnz(),
                program.gradient_variables().count()
            ),
            format!(" {row_length} {variable_length}\t# max name lengths: constraints, variables"),
            format!(" {in_both} {in_rows} {in_one} 0 0\t# common exprs: b,c,o,c1,o1"),
        ];
        lines.iter().for_each(|line| {
            nl.push_str(line);
            nl.push('\n');
        });
    }

    fn start_and_bounds(&self, program: &Program, splits: &[Split], nl: &mut String) {
        let start = program.start();
        let set: Vec<usize> = (0..start.len()).filter(|&at| start[self.variables[at]] != 0.0).collect();
        let _ = writeln!(nl, "x{}", set.len());
        for at in set {
            let _ = writeln!(nl, "{at} {}", shown(start[self.variables[at]]));
        }
        let bounds = program.bounds();
        nl.push_str("r\n");
        for &row in &self.rows {
            let shift = if splits[row].nonlinear.is_empty() { splits[row].constant } else { 0.0 };
            bound(bounds.c_lower[row] - shift, bounds.c_upper[row] - shift, nl);
        }
        nl.push_str("b\n");
        for &variable in &self.variables {
            bound(bounds.x_lower[variable], bounds.x_upper[variable], nl);
        }
    }

    /// Column lengths of the Jacobian, and the linear coefficients of all rows and of the objective. A variable that
    /// enters only nonlinearly is listed with the coefficient 0.
    fn derivatives(&self, program: &Program, splits: &[Split], nl: &mut String) {
        let pattern = program.jacobian_pattern();
        let counted = self.variables.len().saturating_sub(1);
        let _ = writeln!(nl, "k{counted}");
        let mut total = 0;
        for &variable in self.variables.iter().take(counted) {
            total += pattern.column(variable).len();
            let _ = writeln!(nl, "{total}");
        }
        let (by_row, _) = pattern.transpose();
        let mut coefficients = vec![0.0; self.variables.len()];
        let mut list = |header: String, used: &[usize], split: &Split| {
            if used.is_empty() {
                return;
            }
            split.linear.iter().for_each(|&(variable, coefficient)| coefficients[variable as usize] = coefficient);
            let mut used: Vec<usize> = used.to_vec();
            used.sort_by_key(|&variable| self.place[variable]);
            let _ = writeln!(nl, "{header} {}", used.len());
            for variable in used {
                let _ = writeln!(nl, "{} {}", self.place[variable], shown(coefficients[variable]));
            }
            split.linear.iter().for_each(|&(variable, _)| coefficients[variable as usize] = 0.0);
        };
        for (at, &row) in self.rows.iter().enumerate() {
            list(format!("J{at}"), &by_row.row_idx()[by_row.column(row)], &splits[row]);
        }
        let used: Vec<usize> = program.gradient_variables().collect();
        if let Some(objective) = splits.last() {
            list("G0".to_string(), &used, objective);
        }
    }
}

/// The line that tells the bounds of a variable or row.
fn bound(lower: f64, upper: f64, nl: &mut String) {
    let _ = match (lower, upper) {
        (f64::NEG_INFINITY, f64::INFINITY) => writeln!(nl, "3"),
        _ if lower == upper => writeln!(nl, "4 {}", shown(lower)),
        (f64::NEG_INFINITY, _) => writeln!(nl, "1 {}", shown(upper)),
        (_, f64::INFINITY) => writeln!(nl, "2 {}", shown(lower)),
        _ => writeln!(nl, "0 {} {}", shown(lower), shown(upper)),
    };
}
