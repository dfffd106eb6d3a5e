//! Frequencies over the rate of rotation, and the file `campbell.csv`.

use serde::{Deserialize, Serialize};

use super::{Listing, number};

/// A Campbell diagram.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Campbell {
    /// Rates of rotation, rad/s, increasing.
    #[serde(with = "number::list")]
    pub rates: Vec<f64>,
    /// Multiples of the rate whose lines are drawn.
    #[serde(with = "number::list")]
    pub orders: Vec<f64>,
    /// Modes followed over the rates.
    pub branches: Vec<Branch>,
    /// Where branches meet multiples of the rate.
    pub crossings: Vec<Crossing>,
}

/// A mode over consecutive rates.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Branch {
    /// Place of its first rate.
    pub first: usize,
    /// Imaginary parts of λ from there on, rad/s.
    #[serde(with = "number::list")]
    pub omega: Vec<f64>,
    /// Real parts, 1/s.
    #[serde(with = "number::list")]
    pub real: Vec<f64>,
}

/// A resonance: the frequency of a branch is a multiple of the rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// Number of the branch, from 1.
    pub branch: usize,
    /// The multiple.
    #[serde(with = "number::scalar")]
    pub order: f64,
    /// The rate, rad/s, by linear interpolation between rates.
    #[serde(with = "number::scalar")]
    pub rate: f64,
}

impl Campbell {
    /// Finds where branches meet multiples of the rate, by order and rate.
    pub fn find_crossings(&mut self) {
        self.crossings.clear();
        for &order in &self.orders {
            for (index, branch) in self.branches.iter().enumerate() {
                for k in 1..branch.omega.len() {
                    let [a, b] = [k - 1, k].map(|k| (self.rates[branch.first + k], branch.omega[k]));
                    let [below, above] = [a, b].map(|(rate, omega)| omega - order * rate.abs());
                    // Branches that begin or end on the line are told once.
                    if a.1 > 0.0 && b.1 > 0.0 && (below > 0.0) != (above > 0.0) {
                        let rate = a.0 + (b.0 - a.0) * below / (below - above);
                        self.crossings.push(Crossing { branch: index + 1, order, rate });
                    }
                }
            }
        }
    }

    /// The content of `campbell.csv`: a line for each rate, ω and real part of each branch; empty where it is not known.
    pub(super) fn listing(&self) -> Listing {
        let mut columns = Vec::new();
        for (index, branch) in self.branches.iter().enumerate() {
            let column = |values: &[f64]| -> Vec<f64> {
                let before = std::iter::repeat_n(f64::NAN, branch.first);
                let after = self.rates.len().saturating_sub(branch.first + values.len());
                before.chain(values.iter().copied()).chain(std::iter::repeat_n(f64::NAN, after)).collect()
            };
            columns.push((format!("mode_{}.omega", index + 1), column(&branch.omega)));
            columns.push((format!("mode_{}.real", index + 1), column(&branch.real)));
        }
        Listing {
            heading: "rate".to_owned(),
            names: self.rates.iter().map(|rate| format!("{rate:?}")).collect(),
            columns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ω = √(4 + 0.5 Ω²) meets 3 Ω at Ω² = 4/8.5 and never Ω; with rates 0.1 apart linear interpolation is good to 1e-2.
    #[test]
    fn crossings_are_resonances() {
        let rates: Vec<f64> = (0..=20).map(|k| 0.1 * f64::from(k)).collect();
        let omega: Vec<f64> = rates.iter().map(|rate| (4.0 + 0.5 * rate * rate).sqrt()).collect();
        let branch = Branch { first: 0, real: vec![0.0; omega.len()], omega };
        let mut diagram = Campbell { rates, orders: vec![1.0, 3.0], branches: vec![branch], crossings: Vec::new() };
        diagram.find_crossings();
        assert_eq!(diagram.crossings.len(), 1);
        let Crossing { branch, order, rate } = diagram.crossings[0];
        assert_eq!((branch, order), (1, 3.0));
        assert!((rate - (4.0_f64 / 8.5).sqrt()).abs() < 1e-3, "{rate}");
    }

    #[test]
    fn branches_have_their_place_in_the_file() {
        let branch = Branch { first: 1, omega: vec![2.5], real: vec![0.0] };
        let diagram = Campbell { rates: vec![0.0, 1.0, 2.0], branches: vec![branch], ..Campbell::default() };
        assert_eq!(diagram.listing().format(), "rate,mode_1.omega,mode_1.real\n0.0,,\n1.0,2.5,0.0\n2.0,,\n");
    }
}
