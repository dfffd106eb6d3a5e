//! The segments of a `.nl` file.

use std::collections::BTreeMap;

use super::NlError;
use super::expression::Scope;
use super::header::Header;
use super::lines::{Line, Lines};
use super::names::Names;
use crate::nlp::graph::{Expr, Graph, Program};

/// A program read from a `.nl` file.
#[derive(Debug, Clone)]
pub struct Model {
    /// The program; a second and further objectives are left out.
    pub program: Program,
    /// Multipliers to start from, in the sign of [`Nlp`](crate::nlp::Nlp); zero where the file gives none.
    pub multipliers: Vec<f64>,
    /// Options of the file's first line, which its `.sol` file repeats.
    pub options: Vec<i64>,
}

/// A row or objective: a nonlinear and a linear part.
#[derive(Debug, Clone, Default)]
struct Body<'g> {
    nonlinear: Option<Expr<'g>>,
    linear: Vec<(usize, f64)>,
}

/// What the segments tell.
struct Reader<'g> {
    scope: Scope<'g>,
    rows: Vec<Body<'g>>,
    objectives: Vec<Body<'g>>,
    maximised: Vec<bool>,
    start: Vec<f64>,
    duals: Vec<f64>,
    variable_bounds: Vec<(f64, f64)>,
    row_bounds: Vec<(f64, f64)>,
}

const FREE: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

/// Reads the program in the contents of a `.nl` file and, if there are any, of its `.col` and `.row` files.
pub fn parse(nl: &[u8], col: Option<&str>, row: Option<&str>) -> Result<Model, NlError> {
    let mut lines = Lines::new(nl);
    let header = Header::read(&mut lines, nl.len())?;
    let graph = Graph::new();
    let mut reader = Reader::new(&graph, &header);
    while let Some(line) = lines.lettered()? {
        reader.segment(line, &mut lines)?;
    }
    Ok(reader.finish(&header, &Names::new(col, 'x'), &Names::new(row, 'c')))
}

impl<'g> Reader<'g> {
    fn new(graph: &'g Graph, header: &Header) -> Self {
        let variables = (0..header.variables).map(|_| graph.variable("", 0.0, FREE.0, FREE.1)).collect();
        Self {
            scope: Scope { graph, variables, defined: BTreeMap::new() },
            rows: vec![Body::default(); header.rows],
            objectives: vec![Body::default(); header.objectives],
            maximised: vec![false; header.objectives],
            start: vec![0.0; header.variables],
            duals: vec![0.0; header.rows],
            variable_bounds: vec![FREE; header.variables],
            row_bounds: vec![FREE; header.rows],
        }
    }

    fn segment(&mut self, mut line: Line<'_>, lines: &mut Lines<'_>) -> Result<(), NlError> {
        let (variables, rows) = (self.start.len(), self.rows.len());
        match line.letter {
            'C' => {
                let row = line.index(rows, "the index of a row")?;
                self.rows[row].nonlinear = Some(self.scope.read(lines)?);
            }
            'O' => {
                let objective = line.index(self.objectives.len(), "the index of an objective")?;
                self.maximised[objective] = line.index(2, "0 (minimise) or 1 (maximise),")? == 1;
                self.objectives[objective].nonlinear = Some(self.scope.read(lines)?);
            }
            'V' => self.defined_variable(&mut line, lines)?,
            'J' => {
                let row = line.index(rows, "the index of a row")?;
                self.rows[row].linear = linear(&mut line, lines, variables)?;
            }
            'G' => {
                let objective = line.index(self.objectives.len(), "the index of an objective")?;
                self.objectives[objective].linear = linear(&mut line, lines, variables)?;
            }
            'x' => guesses(&mut line, lines, &mut self.start)?,
            'd' => guesses(&mut line, lines, &mut self.duals)?,
            'b' => bounds(lines, &mut self.variable_bounds, "variable")?,
            'r' => bounds(lines, &mut self.row_bounds, "row")?,
            'k' | 'K' => {
                for _ in 0..line.count("the number of columns")? {
                    let _: usize = lines.numbers("the length of a column")?.field("the length of a column")?;
                }
            }
            'S' => {
                let _: usize = line.field("the kind of a suffix")?;
                for _ in 0..line.count("the number of suffix values")? {
                    let mut line = lines.numbers("a suffix value")?;
                    let _: usize = line.field("the index of a suffix value")?;
                    line.real("a suffix value")?;
                }
            }
            'L' => return Err(line.unsupported("logical constraints are not supported".to_string())),
            'F' => return Err(line.unsupported("imported functions are not supported".to_string())),
            other => return Err(line.wrong(format!("`{other}`"), "a segment: one of C O V J G x d b r k S")),
        }
        Ok(())
    }

    /// A defined variable: linear terms plus an expression.
    fn defined_variable(&mut self, line: &mut Line<'_>, lines: &mut Lines<'_>) -> Result<(), NlError> {
        let index: usize = line.field("the index of a defined variable")?;
        if index < self.start.len() || self.scope.defined.contains_key(&index) {
            return Err(line.wrong(format!("V{index}"), "the index of a new defined variable"));
        }
        let mut terms = Vec::new();
        for _ in 0..line.count("the number of linear terms")? {
            let mut line = lines.numbers("a linear term")?;
            let variable = self.scope.named(&mut line)?;
            terms.push(line.real("a coefficient")? * variable);
        }
        terms.push(self.scope.read(lines)?);
        self.scope.defined.insert(index, self.scope.graph.sum(terms));
        Ok(())
    }

    /// The expression of a row or objective.
    fn expression(&self, body: &Body<'g>) -> Expr<'g> {
        let linear = body.linear.iter().filter(|&&(_, coefficient)| coefficient != 0.0);
        let linear = linear.map(|&(variable, coefficient)| coefficient * self.scope.variables[variable]);
        self.scope.graph.sum(linear.chain(body.nonlinear))
    }

    fn finish(mut self, header: &Header, variable_names: &Names<'_>, row_names: &Names<'_>) -> Model {
        let graph = self.scope.graph;
        for (variable, (&start, &(lower, upper))) in self.start.iter().zip(&self.variable_bounds).enumerate() {
            graph.revise(variable, variable_names.get(variable), start, lower, upper);
        }
        for (row, (body, &(lower, upper))) in self.rows.iter().zip(&self.row_bounds).enumerate() {
            graph.subject_to(row_names.get(row), self.expression(body), lower, upper);
        }
        let maximised = self.maximised.first() == Some(&true);
        if let Some(body) = self.objectives.first() {
            let expression = self.expression(body);
            if maximised { graph.maximise(expression) } else { graph.minimise(expression) }
        }
        if !maximised {
            // The format's duals are the rates of the objective with the bounds of the rows.
            self.duals.iter_mut().for_each(|dual| *dual = 0.0 - *dual);
        }
        Model { program: graph.build(), multipliers: self.duals, options: header.options.clone() }
    }
}

/// Linear terms `variable coefficient`, as many as the segment says.
fn linear(line: &mut Line<'_>, lines: &mut Lines<'_>, variables: usize) -> Result<Vec<(usize, f64)>, NlError> {
    let mut terms = Vec::new();
    for _ in 0..line.count("the number of linear terms")? {
        let mut line = lines.numbers("a linear term")?;
        terms.push((line.index(variables, "the index of a variable")?, line.real("a coefficient")?));
    }
    Ok(terms)
}

/// Lines `index value`, as many as the segment says.
fn guesses(line: &mut Line<'_>, lines: &mut Lines<'_>, out: &mut [f64]) -> Result<(), NlError> {
    for _ in 0..line.count("the number of values")? {
        let mut line = lines.numbers("a value")?;
        let index = line.index(out.len(), "an index")?;
        out[index] = line.real("a value")?;
    }
    Ok(())
}

/// One line per variable or row.
fn bounds(lines: &mut Lines<'_>, out: &mut [(f64, f64)], what: &str) -> Result<(), NlError> {
    for bound in out {
        let mut line = lines.numbers(&format!("the bounds of a {what}"))?;
        let code = line.index(6, "the kind of bounds")?;
        *bound = match code {
            0 => (line.real("the lower bound")?, line.real("the upper bound")?),
            1 => (f64::NEG_INFINITY, line.real("the upper bound")?),
            2 => (line.real("the lower bound")?, f64::INFINITY),
            3 => FREE,
            4 => {
                let value = line.real("the value of both bounds")?;
                (value, value)
            }
            _ => return Err(line.unsupported(format!("a complementarity condition on a {what} is not supported"))),
        };
    }
    Ok(())
}
