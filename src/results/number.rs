//! Numbers of `result.json`. JSON has no NaN and no infinity; a diverged run has both. Finite values are written as
//! JSON numbers, the others as the strings `"NaN"`, `"inf"`, `"-inf"`, and both forms are read back. What does not exist is
//! left out.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

struct Number(f64);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() { serializer.serialize_f64(self.0) } else { serializer.collect_str(&self.0) }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a number, \"NaN\", \"inf\" or \"-inf\"")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
        match text {
            "NaN" => Ok(Number(f64::NAN)),
            "inf" => Ok(Number(f64::INFINITY)),
            "-inf" => Ok(Number(f64::NEG_INFINITY)),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }
}

/// One number: `#[serde(with = "number::scalar")]`.
pub(super) mod scalar {
    use super::*;

    pub fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Number(*value).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Number::deserialize(deserializer).map(|n| n.0)
    }
}

/// A number that may be missing.
pub(super) mod option {
    use super::*;

    pub fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(Number).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        Ok(Option::<Number>::deserialize(deserializer)?.map(|n| n.0))
    }
}

/// Two numbers that may be missing.
pub(super) mod option_pair {
    use super::*;

    pub fn serialize<S: Serializer>(value: &Option<[f64; 2]>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(|pair| pair.map(Number)).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[f64; 2]>, D::Error> {
        Ok(Option::<[Number; 2]>::deserialize(deserializer)?.map(|pair| pair.map(|n| n.0)))
    }
}

/// Numbers in a row.
pub(super) mod list {
    use super::*;

    pub fn serialize<S: Serializer>(list: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(list.iter().copied().map(Number))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        Ok(Vec::<Number>::deserialize(deserializer)?.into_iter().map(|number| number.0).collect())
    }
}

/// Numbers by name.
pub(super) mod map {
    use super::*;
    use std::collections::BTreeMap;

    pub fn serialize<S: Serializer>(map: &BTreeMap<String, f64>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(map.iter().map(|(name, value)| (name, Number(*value))))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, f64>, D::Error> {
        let map = BTreeMap::<String, Number>::deserialize(deserializer)?;
        Ok(map.into_iter().map(|(name, value)| (name, value.0)).collect())
    }
}

#[cfg(test)]
mod tests {
    use crate::results::{Expectation, Iteration, Report};

    #[test]
    fn non_finite_numbers_survive_json() {
        let mut report = Report { servo_interval: Some([0.5, f64::INFINITY]), ..Report::default() };
        report.residuals.insert("inf_pr".into(), f64::NAN);
        report.residuals.insert("low".into(), f64::NEG_INFINITY);
        report.residuals.insert("small".into(), 1.25e-30);
        report.iterations.push(Iteration {
            objective: f64::NAN,
            step: f64::INFINITY,
            alpha: 2.0,
            ..Default::default()
        });
        report.expectations.push(Expectation { found: Some(f64::NAN), expected: 3.0, ..Default::default() });
        report.expectations.push(Expectation { found: None, ..Default::default() });
        let text = serde_json::to_string_pretty(&report).unwrap();
        let back: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(format!("{back:?}"), format!("{report:?}"));
        assert!(text.contains("\"inf_pr\": \"NaN\"") && text.contains("\"-inf\""));
    }

    #[test]
    fn other_words_are_refused() {
        let text = serde_json::to_string(&Iteration::default()).unwrap();
        let bad = text.replace("\"alpha\":0.0", "\"alpha\":\"fast\"");
        assert_ne!(text, bad);
        let error = serde_json::from_str::<Iteration>(&bad).unwrap_err().to_string();
        assert!(error.contains("fast") && error.contains("a number"), "{error}");
    }

    #[test]
    fn integers_are_numbers_too() {
        let text = serde_json::to_string(&Iteration::default()).unwrap().replace("\"alpha\":0.0", "\"alpha\":-3");
        assert_eq!(serde_json::from_str::<Iteration>(&text).unwrap().alpha, -3.0);
    }
}
