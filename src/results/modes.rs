//! Small motions about an equilibrium, and their files `modes.csv` (eigenvalues) and `modes.npz` (shapes).
//!
//! `modes.npz` holds for each rod `<rod>.s` of shape (nodes), `<rod>.rest` of shape (nodes, 3), or (modes, nodes, 3) where modes
//! are about different equilibria, as those at several branch points of statics, and `<rod>.shape`,
//! `<rod>.shape_imaginary`, `<rod>.turn` of shape (modes, nodes, 3); the latter two only where there is something in
//! them.

use std::f64::consts::TAU;
use std::path::Path;

use super::csv::CsvError;
use super::npz::{Archive, Array, NpzError, arrays, shape};
use super::table::{check_increasing, check_values};
use super::{Listing, TableError};

/// Heading of the load factors of branch points in `modes.csv`.
const LOAD_FACTOR: &str = "load_factor";

/// A small motion e^{λt} φ about an equilibrium, or the pair of conjugates with e^{λ̄t} φ̄.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModeShape {
    /// Number, from 1.
    pub number: usize,
    /// Real part of λ, 1/s: negative for a motion that dies away.
    pub real: f64,
    /// Imaginary part of λ, rad/s; the natural frequency if undamped.
    pub imaginary: f64,
    /// Of a branch point of statics: the load factor at which the motion meets no resistance.
    pub load_factor: Option<f64>,
    /// φ, by rod.
    pub rods: Vec<ShapeField>,
}

/// A mode shape on one rod. Vectors are in the fixed frame; the third component is 0 in the plane.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ShapeField {
    /// Name of the rod.
    pub rod: String,
    /// Arc lengths of the nodes, metres.
    pub s: Vec<f64>,
    /// Positions at equilibrium, metres.
    pub rest: Vec<[f64; 3]>,
    /// Real part of the displacement; the largest norm of the mode is 1.
    pub shape: Vec<[f64; 3]>,
    /// Imaginary part of the displacement; empty when it is real.
    pub shape_imaginary: Vec<[f64; 3]>,
    /// Rotation vectors of the cross-sections; may be empty.
    pub turn: Vec<[f64; 3]>,
}

impl ModeShape {
    /// Oscillations per second, |Im λ|/2π.
    pub fn frequency_hz(&self) -> f64 {
        self.imaginary.abs() / TAU
    }

    /// Damping ratio ζ = −Re λ/|λ|: 0 undamped, 1 without oscillation, negative for a motion that grows.
    pub fn damping_ratio(&self) -> f64 {
        let size = self.real.hypot(self.imaginary);
        if size > 0.0 && self.real != 0.0 { -self.real / size } else { 0.0 }
    }

    /// Checks what readers rely on: finite numbers, increasing arc lengths, vectors at all nodes.
    pub fn check(&self) -> Result<(), TableError> {
        check_values("real", &[self.real], 1)?;
        check_values("imaginary", &[self.imaginary], 1)?;
        check_values("load_factor", &[self.load_factor.unwrap_or(0.0)], 1)?;
        for rod in &self.rods {
            check_increasing(&format!("{}.s", rod.rod), &rod.s)?;
            for (name, vectors, optional) in rod.vectors() {
                if !(optional && vectors.is_empty()) {
                    check_values(&format!("{}.{name}", rod.rod), vectors.as_flattened(), 3 * rod.s.len())?;
                }
            }
        }
        Ok(())
    }
}

impl ShapeField {
    /// Name and vectors of every field, and whether it may be empty.
    fn vectors(&self) -> [(&'static str, &[[f64; 3]], bool); 4] {
        [
            ("rest", &self.rest, false),
            ("shape", &self.shape, false),
            ("shape_imaginary", &self.shape_imaginary, true),
            ("turn", &self.turn, true),
        ]
    }
}

/// The content of `modes.csv`.
pub(super) fn listing(modes: &[ModeShape]) -> Result<Listing, TableError> {
    for mode in modes {
        mode.check()?;
    }
    let column =
        |name: &str, of: &dyn Fn(&ModeShape) -> f64| (name.to_owned(), modes.iter().map(of).collect::<Vec<f64>>());
    let buckling = modes.iter().any(|mode| mode.load_factor.is_some());
    let columns = match buckling {
        true => vec![column(LOAD_FACTOR, &|mode| mode.load_factor.unwrap_or_default())],
        false => vec![
            column("real", &|mode| mode.real),
            column("imaginary", &|mode| mode.imaginary),
            column("frequency_hz", &ModeShape::frequency_hz),
            column("damping_ratio", &ModeShape::damping_ratio),
        ],
    };
    let names = modes.iter().map(|mode| mode.number.to_string()).collect();
    Ok(Listing { heading: "number".to_owned(), names, columns })
}

/// Reads the eigenvalues of `modes.csv`; `file` is the name used in messages.
pub(super) fn parse_listing(text: &str, file: &str) -> Result<Vec<ModeShape>, CsvError> {
    let fail = |line: usize, problem: String| CsvError::Syntax { file: file.to_owned(), line, problem };
    let listing = Listing::parse(text, file)?;
    let column = |name: &str| listing.column(name).ok_or_else(|| fail(1, format!("there is no column `{name}`")));
    let factors = listing.column(LOAD_FACTOR);
    let none = vec![0.0; listing.names.len()];
    let (real, imaginary) = match factors {
        Some(_) => (none.as_slice(), none.as_slice()),
        None => (column("real")?, column("imaginary")?),
    };
    let mode = |i: usize, number: &String| {
        let number = number.parse().map_err(|_| fail(i + 2, format!("`{number}` is not the number of a mode")))?;
        let load_factor = factors.map(|factors| factors[i]);
        let mode = ModeShape { number, real: real[i], imaginary: imaginary[i], load_factor, rods: Vec::new() };
        mode.check().map_err(|error| fail(i + 2, error.to_string()))?;
        Ok(mode)
    };
    listing.names.iter().enumerate().map(|(i, number)| mode(i, number)).collect()
}

/// The content of `modes.npz`, or `None` if the modes have no shapes. All modes have the same rods and arc lengths, and those
/// that vibrate are about one equilibrium: they have the same rest positions.
pub(super) fn archive(modes: &[ModeShape]) -> Result<Option<Vec<u8>>, NpzError> {
    let Some(first) = modes.first().filter(|_| modes.iter().any(|mode| !mode.rods.is_empty())) else { return Ok(None) };
    for mode in modes {
        mode.check()?;
        let still = mode.load_factor.is_some();
        let same = |(a, b): (&ShapeField, &ShapeField)| (&a.rod, &a.s) == (&b.rod, &b.s) && (still || a.rest == b.rest);
        if mode.rods.len() != first.rods.len() || !mode.rods.iter().zip(&first.rods).all(same) {
            let problem = format!("modes {} and {} are not about the same equilibrium", first.number, mode.number);
            return Err(shape("rest", &problem));
        }
    }
    let mut archive = Archive::new();
    for (i, rod) in first.rods.iter().enumerate() {
        let nodes = rod.s.len();
        archive.add(format!("{}.s", rod.rod), &[nodes], &rod.s)?;
        if modes.iter().all(|mode| mode.rods[i].rest == rod.rest) {
            archive.add(format!("{}.rest", rod.rod), &[nodes, 3], rod.rest.as_flattened())?;
        } else {
            let all: Vec<[f64; 3]> = modes.iter().flat_map(|mode| mode.rods[i].rest.iter().copied()).collect();
            archive.add(format!("{}.rest", rod.rod), &[modes.len(), nodes, 3], all.as_flattened())?;
        }
        for which in 1..4 {
            let (name, ..) = rod.vectors()[which];
            let of_mode = |mode: &ModeShape| mode.rods[i].vectors()[which].1.to_vec();
            let mut all: Vec<Vec<[f64; 3]>> = modes.iter().map(of_mode).collect();
            if all.iter().all(Vec::is_empty) {
                continue;
            }
            all.iter_mut().for_each(|vectors| vectors.resize(nodes, [0.0; 3]));
            let values = all.concat();
            archive.add(format!("{}.{name}", rod.rod), &[modes.len(), nodes, 3], values.as_flattened())?;
        }
    }
    archive.finish("modes.npz").map(Some)
}

/// Reads the shapes of `modes.npz` into the modes of `modes.csv`. Fields that are 0 all over a mode and may be empty
/// are left empty.
pub(super) fn read_shapes(path: &Path, modes: &mut [ModeShape]) -> Result<(), NpzError> {
    let file = std::fs::File::open(path).map_err(|source| NpzError::Io { path: path.to_owned(), source })?;
    let found = arrays(std::io::BufReader::new(file), &path.display().to_string())?;
    for Array { name, shape: dimensions, values } in &found {
        let Some((rod, field)) = name.rsplit_once('.') else {
            return Err(shape(name, "arrays must be named `<rod>.<field>`"));
        };
        let s_name = format!("{rod}.s");
        let s = found.iter().find(|array| array.name == s_name).ok_or_else(|| shape(&s_name, "missing"))?;
        let nodes = s.values.len();
        let expected = match field {
            "s" => vec![nodes],
            "rest" if dimensions.len() == 2 => vec![nodes, 3],
            "rest" => vec![modes.len(), nodes, 3],
            "shape" | "shape_imaginary" | "turn" => vec![modes.len(), nodes, 3],
            _ => return Err(shape(name, "is none of s, rest, shape, shape_imaginary, turn")),
        };
        if *dimensions != expected {
            return Err(shape(name, &format!("shape {dimensions:?}, expected {expected:?}")));
        }
        let vectors = values.as_chunks::<3>().0;
        for (i, mode) in modes.iter_mut().enumerate() {
            let index = mode.rods.iter().position(|field| field.rod == rod).unwrap_or_else(|| {
                mode.rods.push(ShapeField { rod: rod.to_owned(), s: s.values.clone(), ..ShapeField::default() });
                mode.rods.len() - 1
            });
            let target = &mut mode.rods[index];
            let own = || vectors[i * nodes..(i + 1) * nodes].to_vec();
            let own_if_any = || if own().iter().all(|v| *v == [0.0; 3]) { Vec::new() } else { own() };
            match field {
                "rest" if dimensions.len() == 2 => target.rest = vectors.to_vec(),
                "rest" => target.rest = own(),
                "shape" => target.shape = own(),
                "shape_imaginary" => target.shape_imaginary = own_if_any(),
                "turn" => target.turn = own_if_any(),
                _ => {}
            }
        }
    }
    for mode in modes {
        mode.check()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
