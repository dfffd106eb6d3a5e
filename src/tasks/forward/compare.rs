//! A stored outcome against a second run of the same problem.

use std::collections::BTreeMap;

use crate::results::{Outcome, RodField, Table};

/// Largest relative difference between two runs of one problem that counts as agreement: runs on one machine are
/// identical, machines differ in the last digits.
const TOLERANCE: f64 = 1e-9;

/// How two outcomes of one problem agree.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Comparison {
    /// How many numbers were compared.
    pub compared: usize,
    /// Largest difference, relative to the largest number of its kind.
    pub largest: f64,
    /// Everything that differs, one entry per scalar, column or field.
    pub differences: Vec<Difference>,
}

/// Something that differs.
#[derive(Debug, Clone, PartialEq)]
pub enum Difference {
    /// Another status.
    Status {
        /// In the stored outcome.
        stored: String,
        /// In the second run.
        found: String,
    },
    /// A number beyond the tolerance.
    Value {
        /// Name of the scalar, column or field.
        name: String,
        /// In the stored outcome.
        stored: f64,
        /// In the second run.
        found: f64,
    },
    /// Something that only one of the two has, or of another size.
    Shape {
        /// Name of the scalar, column or field.
        name: String,
    },
}

impl Comparison {
    /// Whether the two agree.
    pub fn passed(&self) -> bool {
        self.differences.is_empty()
    }

    /// Compares values by name. Numbers of one kind, such as all positions, share a scale.
    fn values(&mut self, what: &str, stored: &[(String, &[f64])], found: &[(String, &[f64])]) {
        let mut scales: BTreeMap<String, f64> = BTreeMap::new();
        for (name, values) in stored {
            let scale = scales.entry(kind(name)).or_default();
            *scale = values.iter().fold(*scale, |scale, value| scale.max(value.abs()));
        }
        let other = |name: &str| found.iter().find(|(other, _)| other == name).map(|(_, values)| *values);
        for (name, values) in stored {
            let told = format!("{what}{name}");
            let Some(again) = other(name).filter(|again| again.len() == values.len()) else {
                self.differences.push(Difference::Shape { name: told });
                continue;
            };
            let scale = scales.get(&kind(name)).copied().unwrap_or_default();
            let mut worst: Option<(f64, f64, f64)> = None;
            for (&a, &b) in values.iter().zip(again) {
                let relative = if a == b { 0.0 } else { (a - b).abs() / scale };
                // No number differs from every number.
                let difference = if relative.is_nan() { f64::INFINITY } else { relative };
                if worst.is_none_or(|(largest, ..)| difference > largest) {
                    worst = Some((difference, a, b));
                }
            }
            self.compared += values.len();
            let Some((difference, stored, found)) = worst else { continue };
            self.largest = self.largest.max(difference);
            if difference > TOLERANCE {
                self.differences.push(Difference::Value { name: told, stored, found });
            }
        }
        let is_new = |name: &str| !stored.iter().any(|(other, _)| other == name);
        let new = found.iter().filter(|(name, _)| is_new(name));
        self.differences.extend(new.map(|(name, _)| Difference::Shape { name: format!("{what}{name}") }));
    }
}

/// Compares status, scalars, motion and fields.
pub fn compare(stored: &Outcome, found: &Outcome) -> Comparison {
    let mut comparison = Comparison::default();
    let [stored_status, found_status] = [stored.report.status, found.report.status];
    if stored_status != found_status {
        let [stored, found] = [stored_status, found_status].map(|status| status.to_string());
        comparison.differences.push(Difference::Status { stored, found });
    }
    comparison.values("", &scalars(stored), &scalars(found));
    comparison.values("motion.csv: ", &columns(&stored.motion), &columns(&found.motion));
    comparison.values("motion.npz: ", &fields(&stored.rods), &fields(&found.rods));
    comparison
}

/// Scalars that tell what was computed, not how hard it was.
fn scalars(outcome: &Outcome) -> Vec<(String, &[f64])> {
    let effort = ["newton_iterations", "path.points"];
    let told = outcome.report.scalars.iter().filter(|(name, _)| !effort.contains(&name.as_str()));
    told.map(|(name, value)| (name.clone(), std::slice::from_ref(value))).collect()
}

fn columns(table: &Table) -> Vec<(String, &[f64])> {
    let times = [("t".to_owned(), table.t.as_slice())];
    times.into_iter().chain(table.columns.iter().map(|(name, values)| (name.clone(), values.as_slice()))).collect()
}

fn fields(rods: &[RodField]) -> Vec<(String, &[f64])> {
    let mut found = Vec::new();
    for rod in rods {
        found.push((format!("{}.s", rod.rod), rod.s.as_slice()));
        found.push((format!("{}.t", rod.rod), rod.t.as_slice()));
        found.extend(rod.fields.iter().map(|(name, values)| (format!("{}.{name}", rod.rod), values.as_slice())));
    }
    found
}

/// What kind of quantity a name is of: the last word that is not `initial`, `final`, …, without its direction.
fn kind(name: &str) -> String {
    let when = ["initial", "final", "max", "drift"];
    let word = name.rsplit('.').find(|word| !when.contains(word)).unwrap_or(name);
    match word {
        "x" | "y" | "z" => "position".to_owned(),
        _ => word.trim_end_matches(['x', 'y', 'z']).trim_end_matches('_').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::RunStatus;

    fn outcome() -> Outcome {
        let mut outcome = Outcome::default();
        outcome.report.status = RunStatus::Solved;
        outcome.report.scalars.insert("motion.beam.end.x.final".into(), 2.0);
        outcome.report.scalars.insert("motion.beam.end.y.final".into(), 1e-17);
        outcome.motion.t = vec![0.0, 1.0];
        outcome.motion.columns.push(("beam.end.x".into(), vec![1.0, 2.0]));
        let fields = vec![("velocity_x".into(), vec![3.0, 4.0]), ("velocity_y".into(), vec![0.0, 0.0])];
        outcome.rods.push(RodField { rod: "beam".into(), s: vec![0.0, 1.0], t: vec![0.0], fields });
        outcome
    }

    #[test]
    fn last_digits_and_noise_do_not_count_but_changes_do() {
        let stored = outcome();
        let same = compare(&stored, &stored);
        assert!(same.passed() && same.compared == 2 + 4 + 7 && same.largest == 0.0);

        let mut again = outcome();
        again.report.scalars.insert("motion.beam.end.x.final".into(), 2.0 + 1e-12);
        again.report.scalars.insert("motion.beam.end.y.final".into(), -3e-16);
        again.rods[0].fields[1].1[0] = 1e-12;
        let near = compare(&stored, &again);
        assert!(near.passed() && near.largest > 1e-13, "{near:?}");

        again.motion.columns[0].1[1] = 2.0 + 1e-8;
        again.rods[0].fields[0].1[0] = f64::NAN;
        again.report.status = RunStatus::NotConverged;
        again.report.scalars.remove("motion.beam.end.x.final");
        let far = compare(&stored, &again);
        assert_eq!(far.differences.len(), 4, "{far:?}");
        assert!(!compare(&again, &stored).passed());
    }

    #[test]
    fn kinds_join_directions() {
        assert_eq!(kind("motion.beam@0.5.x.final"), kind("body.z"));
        assert_eq!(kind("rod.force_x"), kind("other.force_z"));
        assert_ne!(kind("rod.force_x"), kind("rod.torque_x"));
        assert_eq!(kind("modes.3.omega"), "omega");
    }
}
