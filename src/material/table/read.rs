//! From the text of a CSV file to stations.

use super::{
    AXIAL, BENDING, Bound, COLUMNS, ELASTIC_OFFSET, INERTIA, Resists, S, SHEAR, SHEAR_OFFSET, Station, TORSION, TWIST,
    TWIST_DEGREES, TableError,
};
use crate::kernel::delimited::{fields, lines};
use crate::kernel::magnitude::LARGEST;
use crate::kernel::suggest::nearest;

/// How far the last station may be from the end of the rod, relative to its length; it is then moved there.
const END: f64 = 1e-6;

/// Mistakes so far.
#[derive(Default)]
struct Mistakes(Vec<TableError>);

impl Mistakes {
    fn add(&mut self, line: usize, column: Option<&str>, message: String) {
        self.0.push(TableError { line, column: column.map(str::to_owned), message });
    }
}

/// The stations, and whether the angle of the directors is among their columns.
pub(super) fn read(text: &str, length: f64, resists: Resists) -> Result<(Vec<Station>, bool), Vec<TableError>> {
    let mut mistakes = Mistakes::default();
    let mut lines = lines(text);
    let Some((header_line, header)) = lines.next() else {
        mistakes.add(1, None, "the table is empty: expected a line of column names and two stations".to_owned());
        return Err(mistakes.0);
    };
    let columns = columns(header_line, header, &mut mistakes);
    let present = |column: usize| columns.contains(&Some(column));
    for &column in resists.needs().iter().filter(|&&column| !present(column)) {
        mistakes.add(header_line, Some(COLUMNS[column].0), "the column is missing".to_owned());
    }
    if present(TWIST) && present(TWIST_DEGREES) {
        let message = "the twist is given twice, expected `twist` or `twist_degrees`".to_owned();
        mistakes.add(header_line, Some(COLUMNS[TWIST_DEGREES].0), message);
    }
    let mut rows: Vec<(usize, Station)> = Vec::new();
    for (line, row) in lines {
        if let Some(station) = station(line, row, &columns, resists, &mut mistakes) {
            rows.push((line, station));
        }
    }
    if mistakes.0.is_empty() {
        places(&mut rows, header_line, length, &mut mistakes);
    }
    if !mistakes.0.is_empty() {
        return Err(mistakes.0);
    }
    let complete = |(_, station): (usize, Station)| completed(station, &present, resists);
    Ok((rows.into_iter().map(complete).collect(), present(TWIST) || present(TWIST_DEGREES)))
}

/// The column of each field: its place in [`COLUMNS`].
fn columns(line: usize, header: &str, mistakes: &mut Mistakes) -> Vec<Option<usize>> {
    let mut columns: Vec<Option<usize>> = Vec::new();
    for name in fields(header) {
        let column = COLUMNS.iter().position(|(known, _)| *known == name);
        match column {
            None => {
                let known = COLUMNS.map(|(name, _)| name);
                let help = match nearest(name, known) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("columns are {}", known.join(", ")),
                };
                mistakes.add(line, Some(name), format!("unknown column; {help}"));
            }
            Some(_) if columns.contains(&column) => {
                mistakes.add(line, Some(name), "the column occurs twice".to_owned());
            }
            Some(_) => {}
        }
        columns.push(column);
    }
    columns
}

/// The values of one line; columns that are left out are zero. `None` if the line has a mistake.
fn station(
    line: usize,
    row: &str,
    columns: &[Option<usize>],
    resists: Resists,
    mistakes: &mut Mistakes,
) -> Option<Station> {
    let found = fields(row).count();
    if found != columns.len() {
        mistakes.add(line, None, format!("expected {} values as the header has names, found {found}", columns.len()));
        return None;
    }
    let before = mistakes.0.len();
    let mut station = [0.0; COLUMNS.len()];
    for (field, column) in fields(row).zip(columns) {
        let Some(column) = *column else { continue };
        let (name, bound) = COLUMNS[column];
        match field.parse::<f64>() {
            Ok(value) if value.is_finite() && value.abs() > LARGEST => {
                mistakes.add(line, Some(name), format!("{field} is too large, expected at most {LARGEST:e} in size"));
            }
            Ok(value) if value.is_finite() => {
                station[column] = value;
                // A stiffness that the rod does not need may be zero, but not negative.
                let bound = match bound {
                    Bound::Positive if !resists.needs().contains(&column) => Bound::NotNegative,
                    bound => bound,
                };
                if bound == Bound::Positive && value <= 0.0 {
                    mistakes.add(line, Some(name), format!("{field} must be positive"));
                } else if bound == Bound::NotNegative && value < 0.0 {
                    mistakes.add(line, Some(name), format!("{field} must not be negative"));
                }
            }
            Ok(_) => mistakes.add(line, Some(name), format!("{field} is not a finite number")),
            Err(_) => mistakes.add(line, Some(name), format!("expected a number, found `{field}`")),
        }
    }
    (mistakes.0.len() == before).then_some(station)
}

/// Checks that the stations cover the rod and turns fractions into metres.
fn places(rows: &mut [(usize, Station)], header_line: usize, length: f64, mistakes: &mut Mistakes) {
    let name = Some(COLUMNS[S].0);
    let (Some((first_line, first)), Some((last_line, last))) = (rows.first(), rows.last()) else {
        mistakes.add(header_line, None, "expected at least two stations below the header, found none".to_owned());
        return;
    };
    if rows.len() == 1 {
        mistakes.add(*last_line, None, "expected at least two stations, found one".to_owned());
        return;
    }
    for pair in rows.windows(2) {
        let ((_, left), (line, right)) = (&pair[0], &pair[1]);
        if right[S] <= left[S] {
            mistakes.add(*line, name, format!("{} must be larger than {} of the line before", right[S], left[S]));
        }
    }
    let end = last[S];
    let metres = (end - length).abs() <= END * length;
    let unit = if metres { length } else { 1.0 };
    if first[S].abs() > END * unit {
        mistakes.add(*first_line, name, format!("the first station is at {}, but must be at 0", first[S]));
    }
    if (end - unit).abs() > END * unit {
        let message = format!(
            "the last station is at {end}, but must be at the length of the rod, {length} (s in metres), or at 1 (s in fractions of the length)"
        );
        mistakes.add(*last_line, name, message);
    }
    if mistakes.0.is_empty() {
        let factor = length / end;
        for (_, station) in rows.iter_mut() {
            station[S] *= factor;
        }
        if let Some((_, first)) = rows.first_mut() {
            first[S] = 0.0;
        }
    }
}

/// Fills the columns that were left out.
fn completed(mut station: Station, present: &impl Fn(usize) -> bool, resists: Resists) -> Station {
    if matches!(resists, Resists::InPlaneUnsheared | Resists::InSpaceUnsheared) {
        // Nothing shears; any positive stiffness keeps the section positive definite.
        for column in [SHEAR, SHEAR + 1] {
            if station[column] == 0.0 {
                station[column] = station[AXIAL];
            }
        }
    }
    if matches!(resists, Resists::InPlane | Resists::InPlaneUnsheared) {
        // Out of the plane nothing happens; stiffnesses like those in the plane keep the section positive definite.
        for (column, like) in [(SHEAR + 1, SHEAR), (BENDING, BENDING + 1), (TORSION, BENDING + 1)] {
            if !present(column) || station[column] == 0.0 {
                station[column] = station[like];
            }
        }
        if !present(INERTIA) {
            station[INERTIA] = station[INERTIA + 1];
        }
    }
    if !present(INERTIA + 2) {
        station[INERTIA + 2] = station[INERTIA] + station[INERTIA + 1];
    }
    if present(TWIST_DEGREES) {
        station[TWIST] = station[TWIST_DEGREES].to_radians();
    }
    // The shear centre is the elastic centre unless stated.
    for axis in 0..2 {
        if !present(SHEAR_OFFSET + axis) {
            station[SHEAR_OFFSET + axis] = station[ELASTIC_OFFSET + axis];
        }
    }
    station
}
