//! Joints and supports as linear conditions on small motions, eliminated: every degree of freedom as a combination of
//! independent ones.

use crate::discretisation::assembly::Assembly;

/// Conditions smaller than this after those before them are subtracted repeat them.
const REPEATED: f64 = 1e-9;

/// Degrees of freedom as combinations of independent unknowns.
#[derive(Debug, Clone)]
pub(super) struct Elimination {
    /// Combination of each degree of freedom: unknowns and factors.
    pub of_freedom: Vec<Vec<(usize, f64)>>,
    /// Degree of freedom that each unknown is.
    pub unknowns: Vec<usize>,
}

impl Elimination {
    /// By elimination of the conditions with pivoting, in which rotations count times the size of the mechanism.
    /// Conditions that repeat others, as those of closed loops of parallel hinges, fall out.
    pub fn new(assembly: &Assembly, size: f64) -> Self {
        let layout = &assembly.layout;
        let count = layout.freedom_count();
        let q = &assembly.reference;
        let scale = |dof: usize| {
            let (node, which) = layout.node_of_freedom(dof);
            if which < layout.kind(node).positions() { 1.0 } else { 1.0 / size }
        };
        // In scaled unknowns, and each row divided by its largest term: where terms cancel because both sides belong to one
        // node, nothing but rounding is left of them.
        let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
        let mut involved = vec![false; count];
        for joint in &assembly.constraints {
            for row in 0..joint.rows.len() {
                let derivative = joint.derivative(layout, q, row);
                let mut terms = Vec::new();
                for (side, derivative) in joint.sides.iter().zip(&derivative) {
                    let Some(node) = side.node() else { continue };
                    let first = layout.freedom(node);
                    let free = (0..layout.kind(node).freedoms()).filter(|c| !assembly.fixed[first + c]);
                    terms.extend(free.map(|c| (first + c, derivative[c] * scale(first + c))));
                }
                let largest = terms.iter().fold(0.0_f64, |m, (_, g)| m.max(g.abs()));
                if largest > 0.0 {
                    terms.iter_mut().for_each(|(_, g)| *g /= largest);
                    terms.iter().for_each(|(dof, _)| involved[*dof] = true);
                    rows.push(terms);
                }
            }
        }
        let columns: Vec<usize> = (0..count).filter(|&dof| involved[dof]).collect();
        let dense = |terms: &Vec<(usize, f64)>| {
            let mut row = vec![0.0; columns.len()];
            for (dof, g) in terms {
                row[columns.partition_point(|column| column < dof)] += g;
            }
            row
        };
        let mut rows: Vec<Vec<f64>> = rows.iter().map(dense).collect();
        let pivots = reduce(&mut rows);

        let mut dependent = vec![None; count];
        pivots.iter().enumerate().for_each(|(row, &column)| dependent[columns[column]] = Some(row));
        let unknowns: Vec<usize> = (0..count).filter(|&dof| !assembly.fixed[dof] && dependent[dof].is_none()).collect();
        let mut place = vec![usize::MAX; count];
        unknowns.iter().enumerate().for_each(|(unknown, &dof)| place[dof] = unknown);
        let of_freedom = (0..count)
            .map(|dof| match dependent[dof] {
                _ if assembly.fixed[dof] => Vec::new(),
                None => vec![(place[dof], 1.0)],
                Some(row) => {
                    let others = (0..columns.len()).filter(|&c| rows[row][c] != 0.0 && columns[c] != dof);
                    others.map(|c| (place[columns[c]], -rows[row][c] * scale(dof) / scale(columns[c]))).collect()
                }
            })
            .collect();
        Self { of_freedom, unknowns }
    }
}

/// Brings independent rows first and into reduced form, each with a 1 in its own pivot column that is 0 in all others.
/// Returns the pivot columns.
pub(super) fn reduce(rows: &mut [Vec<f64>]) -> Vec<usize> {
    // Largest entry of each row and where it is.
    let largest = |row: &[f64]| {
        let entries = row.iter().enumerate().map(|(column, g)| (g.abs(), column));
        entries.fold((0.0_f64, 0), |best, entry| if entry.0 > best.0 { entry } else { best })
    };
    let mut maxima: Vec<(f64, usize)> = rows.iter().map(|row| largest(row)).collect();
    let mut pivots = Vec::new();
    for done in 0..rows.len() {
        let best = (done..rows.len()).max_by(|a, b| maxima[*a].0.total_cmp(&maxima[*b].0)).unwrap_or(done);
        let (size, column) = maxima[best];
        if !(size > REPEATED) {
            break;
        }
        rows.swap(done, best);
        maxima.swap(done, best);
        let pivot = rows[done][column];
        rows[done].iter_mut().for_each(|g| *g /= pivot);
        rows[done][column] = 1.0;
        let own = rows[done].clone();
        for (other, row) in rows.iter_mut().enumerate().filter(|(other, row)| *other != done && row[column] != 0.0) {
            let factor = row[column];
            for (g, own) in row.iter_mut().zip(&own) {
                *g -= factor * own;
                // What cancels to rounding is zero, so that combinations stay short.
                if g.abs() < 1e-14 {
                    *g = 0.0;
                }
            }
            row[column] = 0.0;
            maxima[other] = largest(row);
        }
        pivots.push(column);
    }
    pivots
}

#[cfg(test)]
mod tests {
    use super::reduce;

    /// Three conditions of which the third is the sum of the others leave two pivots; solutions of the reduced rows fulfil
    /// the given ones.
    #[test]
    fn repeated_conditions_fall_out() {
        let given = [vec![1.0, -1.0, 0.0, 2.0], vec![0.0, 3.0, 1.0, -1.0], vec![1.0, 2.0, 1.0, 1.0]];
        let mut rows = given.to_vec();
        let pivots = reduce(&mut rows);
        assert_eq!(pivots.len(), 2);
        let free: Vec<usize> = (0..4).filter(|column| !pivots.contains(column)).collect();
        for chosen in free {
            let mut x = [0.0; 4];
            x[chosen] = 1.0;
            for (row, &pivot) in rows.iter().zip(&pivots) {
                x[pivot] = -row[chosen];
            }
            for row in &given {
                assert!(row.iter().zip(&x).map(|(g, x)| g * x).sum::<f64>().abs() < 1e-14);
            }
        }
    }
}
