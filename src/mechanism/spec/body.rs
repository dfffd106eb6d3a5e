//! `[body.NAME]`: rigid bodies and point masses.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

use super::BodyDragSpec;
use crate::kernel::OneOrSeveral;

/// `[body.NAME]`: a rigid body or point mass.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// Mass, kg.
    pub mass: f64,
    /// Rotary inertia about the mass centre, kg m²: one number in the plane; three on the principal axes or a 3×3
    /// matrix, both in the body frame, in space. 0 unless stated: a point mass.
    #[serde(default)]
    pub inertia: Tensor,
    /// Reference position of the mass centre, metre; that of the rod end it is rigidly joined to unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<Vec<f64>>,
    /// Reference orientation: an angle in the plane; a unit quaternion (four numbers) or a rotation vector (three) in
    /// space; along the axes unless stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<OneOrSeveral<f64>>,
    /// Initial velocity of the mass centre, m/s; simulations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Vec<f64>>,
    /// Initial angular velocity in the body frame, rad/s; one number in the plane, three in space; simulations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin: Option<OneOrSeveral<f64>>,
    /// Forces of the fluid around the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drag: Option<BodyDragSpec>,
}

/// A number, a list of numbers, or a list of lists.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Tensor {
    /// One number.
    Number(f64),
    /// Numbers or lists of numbers.
    List(Vec<Tensor>),
}

impl Default for Tensor {
    fn default() -> Self {
        Tensor::Number(0.0)
    }
}

impl Tensor {
    /// The numbers of a list of numbers.
    pub fn row(&self) -> Option<Vec<f64>> {
        let Tensor::List(entries) = self else { return None };
        let number = |entry: &Tensor| match entry {
            Tensor::Number(value) => Some(*value),
            Tensor::List(_) => None,
        };
        entries.iter().map(number).collect()
    }

    /// The rows of a list of lists of numbers.
    pub fn rows(&self) -> Option<Vec<Vec<f64>>> {
        match self {
            Tensor::Number(_) => None,
            Tensor::List(entries) => entries.iter().map(Tensor::row).collect(),
        }
    }
}

impl JsonSchema for Tensor {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Tensor".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let row = serde_json::json!({ "type": ["number", "array"], "items": { "type": "number" } });
        json_schema!({ "type": ["number", "array"], "items": row })
    }
}

#[cfg(test)]
mod tests {
    use super::Tensor::{self, *};

    #[test]
    fn rows_and_matrices_are_told_apart() {
        let row = List(vec![Number(1.0), Number(2.0)]);
        assert_eq!((row.row(), row.rows()), (Some(vec![1.0, 2.0]), None));
        let matrix = List(vec![row.clone(), row.clone()]);
        assert_eq!((matrix.row(), matrix.rows()), (None, Some(vec![vec![1.0, 2.0]; 2])));
        let ragged = List(vec![row, Number(3.0)]);
        assert_eq!((ragged.row(), ragged.rows()), (None, None));
        assert_eq!((Tensor::default().row(), Tensor::default().rows()), (None, None));
    }
}
