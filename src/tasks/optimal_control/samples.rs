//! Motions and controls from a table, for guesses.

use std::sync::Arc;

use crate::results::csv;

/// Columns over time.
#[derive(Debug, Clone)]
pub struct SampleTable {
    t: Arc<Vec<f64>>,
    columns: Vec<(String, Vec<f64>)>,
    stepped: bool,
}

/// A column, as a function of the share of the time that its table covers.
#[derive(Debug, Clone)]
pub struct Samples {
    t: Arc<Vec<f64>>,
    values: Vec<f64>,
    stepped: bool,
}

impl SampleTable {
    /// Reads CSV text with a column `t`; `file` is the name used in messages. Values are those of the step that begins in
    /// their row if `stepped`, and else vary linearly between the rows.
    pub fn parse(text: &str, file: &str, stepped: bool) -> Result<Self, String> {
        let table = csv::parse(text, file).map_err(|error| error.to_string())?;
        if table.t.len() < 2 {
            return Err(format!("{file} has one row, expected at least two instants"));
        }
        Ok(Self { t: Arc::new(table.t), columns: table.columns, stepped })
    }

    /// Time from the first row to the last, second.
    pub fn duration(&self) -> f64 {
        self.t[self.t.len() - 1] - self.t[0]
    }

    /// All columns by name.
    pub fn columns(self) -> impl Iterator<Item = (String, Samples)> {
        let (t, stepped) = (self.t, self.stepped);
        self.columns.into_iter().map(move |(name, values)| (name, Samples { t: Arc::clone(&t), values, stepped }))
    }
}

impl Samples {
    /// The value at a share of the time covered, 0 to 1.
    pub fn at(&self, share: f64) -> f64 {
        let last = self.t.len() - 1;
        let t = self.t[0] + share * (self.t[last] - self.t[0]);
        let after = self.t.partition_point(|node| *node <= t).clamp(1, last);
        if self.stepped {
            return self.values[after - 1];
        }
        let part = (t - self.t[after - 1]) / (self.t[after] - self.t[after - 1]);
        self.values[after - 1] + part.clamp(0.0, 1.0) * (self.values[after] - self.values[after - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_interpolated_or_held() {
        let at = |stepped: bool, share: f64| {
            let table = SampleTable::parse("t,x\n1,0\n2,4\n5,1\n", "x.csv", stepped).unwrap();
            assert_eq!(table.duration(), 4.0);
            table.columns().next().unwrap().1.at(share)
        };
        assert_eq!([0.0, 0.125, 0.25, 0.625, 1.0].map(|share| at(false, share)), [0.0, 2.0, 4.0, 2.5, 1.0]);
        assert_eq!([0.0, 0.125, 0.25, 0.625, 1.0].map(|share| at(true, share)), [0.0, 0.0, 4.0, 4.0, 4.0]);
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let told = |text: &str| SampleTable::parse(text, "x.csv", false).unwrap_err();
        assert_eq!(told("t,x\n0,1\n0,2\n"), "x.csv, line 3: times must increase, but t = 0.0 follows 0.0");
        assert_eq!(told("t,x\n0,1\n"), "x.csv has one row, expected at least two instants");
    }
}
