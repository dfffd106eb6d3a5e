//! The ten lines every `.nl` file starts with.

use super::NlError;
use super::lines::{Line, Lines};

/// The sizes of the program, and the options that its `.sol` file must repeat.
#[derive(Debug, Clone)]
pub(super) struct Header {
    pub(super) options: Vec<i64>,
    pub(super) variables: usize,
    pub(super) rows: usize,
    pub(super) objectives: usize,
}

impl Header {
    /// Reads the header of a file of `size` bytes.
    pub(super) fn read(lines: &mut Lines<'_>, size: usize) -> Result<Self, NlError> {
        let mut line = lines.lettered()?.ok_or_else(|| lines.ended("`g`, the mark of a .nl file in text form"))?;
        match line.letter {
            'g' => {}
            'b' => return Err(NlError::Binary),
            other => return Err(line.wrong(format!("`{other}`"), "`g`, the mark of a .nl file in text form")),
        }
        let count: usize = line.optional("the number of options")?;
        let options = (0..count.min(9)).map(|_| line.optional("an option")).collect::<Result<_, _>>()?;

        let mut line = lines.numbers("the numbers of variables, rows and objectives")?;
        let variables = sized(&mut line, size, "the number of variables")?;
        let rows = sized(&mut line, size, "the number of rows")?;
        let objectives = sized(&mut line, size, "the number of objectives")?;
        let _: [usize; 2] = rest(&mut line)?;
        let logical: usize = line.optional("the number of logical rows")?;
        if logical > 0 {
            return Err(line.unsupported(format!("the program has {logical} logical constraints")));
        }

        let mut line = lines.numbers("the numbers of nonlinear rows and objectives")?;
        let [_, _, linear, nonlinear] = rest(&mut line)?;
        if linear + nonlinear > 0 {
            let count = linear + nonlinear;
            return Err(line.unsupported(format!("the program has {count} complementarity constraints")));
        }
        let _: [usize; 2] = rest(&mut lines.numbers("the numbers of network rows")?)?;
        let _: [usize; 3] = rest(&mut lines.numbers("the numbers of nonlinear variables")?)?;

        let mut line = lines.numbers("the numbers of network variables and functions")?;
        let [_, functions] = rest(&mut line)?;
        if functions > 0 {
            return Err(line.unsupported(format!("the program uses {functions} imported functions")));
        }
        let mut line = lines.numbers("the numbers of discrete variables")?;
        let [binary, integer, both, rows_only, objective_only] = rest(&mut line)?;
        let discrete = [binary, integer, both, rows_only, objective_only].into_iter().fold(0, usize::saturating_add);
        if discrete > 0 {
            return Err(line.unsupported(format!("{discrete} variables are integer; only continuous ones are solved")));
        }
        for what in ["the numbers of derivatives", "the lengths of names", "the numbers of defined variables"] {
            let _: [usize; 2] = rest(&mut lines.numbers(what)?)?;
        }
        Ok(Self { options, variables, rows, objectives })
    }
}

/// A number of things that each take a line: more than the file has bytes cannot be.
fn sized(line: &mut Line<'_>, size: usize, what: &str) -> Result<usize, NlError> {
    let count: usize = line.field(what)?;
    if count <= size {
        return Ok(count);
    }
    Err(line.wrong(format!("{count}"), &format!("{what} in a file of {size} bytes")))
}

/// The next fields of a line; those left out are zero and none may be huge.
fn rest<const N: usize>(line: &mut Line<'_>) -> Result<[usize; N], NlError> {
    let mut all = [0; N];
    for value in &mut all {
        *value = line.optional::<u32>("a whole number")? as usize;
    }
    Ok(all)
}
