//! `[joint.NAME]`: what connects two frames.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// `[joint.NAME]`: connects two frames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JointSpec {
    /// The two frames, e.g. `["payload", "beam.end"]`.
    pub between: [String; 2],
    /// Kind of joint.
    pub r#type: JointType,
    /// Reference position of the joint, metre; that of the rod end among the two frames, else of the body, unless
    /// stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Vec<f64>>,
    /// Reference position of the point on the second frame, metre, of a joint of type distance; that of the frame unless
    /// stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Vec<f64>>,
}

/// How a joint connects its two frames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum JointType {
    /// A kind without values of its own.
    Word(JointWord),
    /// A hinge about an axis.
    Table(JointTable),
}

/// Kinds of joints written as a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JointWord {
    /// The two frames move as one.
    Rigid,
    /// All rotations are free.
    Spherical,
    /// The rotation in the plane is free.
    Revolute,
    /// Everything but the distance of two points is free.
    Distance,
}

/// Kinds of joints with values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum JointTable {
    /// The rotation about an axis is free; space.
    Revolute {
        /// Direction of the axis in the reference configuration, along x, y, z of the file whatever the orientation of the
        /// frames, of any length; it turns with the first frame.
        axis: Vec<f64>,
    },
    /// The translation along an axis is free.
    Prismatic {
        /// Direction of the axis in the reference configuration, along x, y, z of the file whatever the orientation of the
        /// frames, of any length; it turns with the first frame.
        axis: Vec<f64>,
    },
    /// Translation along and rotation about an axis are free; space.
    Cylindrical {
        /// Direction of the axis in the reference configuration, along x, y, z of the file whatever the orientation of the
        /// frames, of any length; it turns with the first frame.
        axis: Vec<f64>,
    },
    /// Translations in a plane and the rotation about its normal are free; space.
    Planar {
        /// Direction of the normal in the reference configuration, along x, y, z of the file, of any length; it turns with
        /// the first frame.
        normal: Vec<f64>,
    },
    /// Rotations about an axis of either frame are free; space.
    Universal {
        /// Directions of the axes in the reference configuration, along x, y, z of the file, perpendicular to each other;
        /// the first turns with the first frame, the second with the second.
        axes: [Vec<f64>; 2],
    },
}

impl JointType {
    /// Whether the two frames move as one.
    pub fn is_rigid(&self) -> bool {
        *self == JointType::Word(JointWord::Rigid)
    }
}

impl JsonSchema for JointType {
    fn schema_name() -> Cow<'static, str> {
        "JointType".into()
    }

    /// One choice, of which `revolute` can be written both ways.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let variants = [JointWord::json_schema(generator), JointTable::json_schema(generator)];
        let variants = variants.iter().filter_map(|schema| schema.get("oneOf")?.as_array()).flatten();
        json_schema!({
            "description": "How a joint connects its two frames.",
            "oneOf": variants.cloned().collect::<Vec<_>>()
        })
    }
}
