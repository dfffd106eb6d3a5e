//! Sections tabulated along a rod, as the CSV files of blades and towers give them.
//!
//! The first line that is neither blank nor a comment (`#`) names the columns, each further line is one station. Between
//! stations every column is linear in s.

mod read;

use super::Section;
pub use crate::kernel::delimited::LineError as TableError;
use crate::kernel::suggest::nearest;

/// Which strains the rod resists, and so which columns it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resists {
    /// Stretch only: `s`, `axial`, `mass`.
    Stretch,
    /// Stretch, shear and bending in the plane of d₁ and d₃: also `shear_1`, `bending_2`, `inertia_2`.
    InPlane,
    /// Stretch and bending in the plane of d₁ and d₃, no shear: also `bending_2`, `inertia_2`.
    InPlaneUnsheared,
    /// Stretch, bending and torsion, no shear: also `bending_1`, `torsion`, `inertia_1`.
    InSpaceUnsheared,
    /// All strains: also `shear_2`, `bending_1`, `torsion`, `inertia_1`.
    InSpace,
}

/// The columns a table can have, with what their values must be.
const COLUMNS: [(&str, Bound); 20] = [
    ("s", Bound::Finite),
    ("axial", Bound::Positive),
    ("shear_1", Bound::Positive),
    ("shear_2", Bound::Positive),
    ("bending_1", Bound::Positive),
    ("bending_2", Bound::Positive),
    ("torsion", Bound::Positive),
    ("mass", Bound::Positive),
    ("inertia_1", Bound::NotNegative),
    ("inertia_2", Bound::NotNegative),
    ("inertia_3", Bound::NotNegative),
    ("mass_offset_1", Bound::Finite),
    ("mass_offset_2", Bound::Finite),
    ("elastic_offset_1", Bound::Finite),
    ("elastic_offset_2", Bound::Finite),
    ("shear_offset_1", Bound::Finite),
    ("shear_offset_2", Bound::Finite),
    ("twist", Bound::Finite),
    ("twist_degrees", Bound::Finite),
    ("inertia_12", Bound::Finite),
];

// Places in `COLUMNS`.
const S: usize = 0;
const AXIAL: usize = 1;
const SHEAR: usize = 2;
const BENDING: usize = 4;
const TORSION: usize = 6;
const MASS: usize = 7;
const INERTIA: usize = 8;
const MASS_OFFSET: usize = 11;
const ELASTIC_OFFSET: usize = 13;
const SHEAR_OFFSET: usize = 15;
const TWIST: usize = 17;
const TWIST_DEGREES: usize = 18;
const PRODUCT: usize = 19;

/// What the values of a column must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Finite,
    NotNegative,
    Positive,
}

impl Resists {
    /// The columns without which the section is not known.
    fn needs(self) -> &'static [usize] {
        match self {
            Resists::Stretch => &[S, AXIAL, MASS],
            Resists::InPlane => &[S, AXIAL, SHEAR, BENDING + 1, MASS, INERTIA + 1],
            Resists::InPlaneUnsheared => &[S, AXIAL, BENDING + 1, MASS, INERTIA + 1],
            Resists::InSpaceUnsheared => &[S, AXIAL, BENDING, BENDING + 1, TORSION, MASS, INERTIA, INERTIA + 1],
            Resists::InSpace => {
                &[S, AXIAL, SHEAR, SHEAR + 1, BENDING, BENDING + 1, TORSION, MASS, INERTIA, INERTIA + 1]
            }
        }
    }
}

/// A station: the values of all columns at one s.
type Station = [f64; COLUMNS.len()];

/// Sections at stations along a rod of known length, linear between them.
///
/// ```
/// use lariat::material::{Resists, SectionTable};
///
/// let text = "s, axial, shear_1, bending_2, mass, inertia_2\n0, 8, 4, 3, 2, 1\n1, 4, 2, 1, 1, 0.5\n";
/// let table = SectionTable::parse(text, 10.0, Resists::InPlane).unwrap();
/// let middle = table.at(5.0);
/// assert_eq!((middle.stiffness[(2, 2)], middle.mass), (6.0, 1.5));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SectionTable {
    stations: Vec<Station>,
    twisted: bool,
}

impl SectionTable {
    /// Reads the table for a rod of `length` metres; all mistakes are returned.
    ///
    /// `s` must increase from 0 to `length` (metres) or from 0 to 1 (fractions of the length): the last station decides,
    /// and any other end is a mistake. Columns that may be left out: `inertia_3` (then `inertia_1` + `inertia_2`), `inertia_12` (the product of inertia
    /// −∫ρ y₁y₂ dA about the mass centre, then 0), the
    /// offsets of mass, elastic and shear centre (`mass_offset_1`, …, metres from the axis; then 0), and columns of
    /// strains that the rod does not resist. Shear centres are given from the axis of the rod, as the others. `twist`, in
    /// radian, or `twist_degrees` is the angle of the directors about d₃.
    pub fn parse(text: &str, length: f64, resists: Resists) -> Result<Self, Vec<TableError>> {
        read::read(text, length, resists).map(|(stations, twisted)| Self { stations, twisted })
    }

    /// Multiplies a column, such as `mass` where a blade is heavier than its table says; the others are left as they are.
    /// An unknown column is told with those there are, and so is a factor that makes what must be positive negative or zero.
    pub fn scale(&mut self, column: &str, factor: f64) -> Result<(), String> {
        let names = || COLUMNS.iter().map(|(name, _)| *name).filter(|name| *name != COLUMNS[S].0);
        let Some(index) = COLUMNS.iter().position(|(name, _)| *name == column).filter(|index| *index != S) else {
            let help = match nearest(column, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("columns are {}", names().collect::<Vec<_>>().join(", ")),
            };
            return Err(format!("there is no column `{column}`; {help}"));
        };
        match COLUMNS[index].1 {
            Bound::Positive if !(factor > 0.0) => return Err(format!("{factor} is not positive")),
            Bound::NotNegative if !(factor >= 0.0) => return Err(format!("{factor} is negative")),
            _ => {}
        }
        // Degrees are kept as radians.
        let index = if index == TWIST_DEGREES { TWIST } else { index };
        self.stations.iter_mut().for_each(|station| station[index] *= factor);
        Ok(())
    }

    /// The stations before and after s, and how far from the one to the other it is.
    fn between(&self, s: f64) -> (&Station, &Station, f64) {
        let after = self.stations.partition_point(|station| station[S] <= s).clamp(1, self.stations.len() - 1);
        let (left, right) = (&self.stations[after - 1], &self.stations[after]);
        (left, right, ((s - left[S]) / (right[S] - left[S])).clamp(0.0, 1.0))
    }

    /// Whether the table tells the angle of the directors.
    pub fn is_twisted(&self) -> bool {
        self.twisted
    }

    /// Angle of the directors about d₃ at s, radian; 0 unless the table tells it.
    pub fn twist(&self, s: f64) -> f64 {
        let (left, right, fraction) = self.between(s);
        left[TWIST] * (1.0 - fraction) + right[TWIST] * fraction
    }

    /// The section at s, metre; outside the rod that of its end.
    pub fn at(&self, s: f64) -> Section {
        let (left, right, fraction) = self.between(s);
        let value = |column: usize| left[column] * (1.0 - fraction) + right[column] * fraction;
        let pair = |column: usize| [value(column), value(column + 1)];
        let inertia = [INERTIA, INERTIA + 1, INERTIA + 2].map(value);
        let mut section =
            Section::principal(value(AXIAL), pair(SHEAR), pair(BENDING), value(TORSION), value(MASS), inertia);
        (section.inertia[(0, 1)], section.inertia[(1, 0)]) = (value(PRODUCT), value(PRODUCT));
        let (elastic, shear) = (pair(ELASTIC_OFFSET), pair(SHEAR_OFFSET));
        Section { mass_offset: pair(MASS_OFFSET), elastic_offset: elastic, ..section }
            .with_shear_centre([shear[0] - elastic[0], shear[1] - elastic[1]])
    }

    /// Where the stations are, metre.
    pub fn stations(&self) -> impl Iterator<Item = f64> + '_ {
        self.stations.iter().map(|station| station[S])
    }
}

#[cfg(test)]
mod tests;
