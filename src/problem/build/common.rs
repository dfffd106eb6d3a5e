//! Checks of rods and supports that every task makes.

use super::Check;
use crate::material::MaterialSpec;
use crate::mechanism::{Coordinate, RodSpec, SupportSpec};

impl Check<'_> {
    /// The ends of a straight rod: there, with as many components as space, and apart.
    pub fn straight_ends(&mut self, name: &str, rod: &RodSpec) {
        let about = [
            ("from", &rod.from, "Reference position of the end s = 0, metre; as many numbers as `dimension`."),
            (
                "to",
                &rod.to,
                "Reference position of the end s = L, metre; the distance between `from` and `to` is the unstretched length.",
            ),
        ];
        for (key, point, about) in about {
            match point {
                Some(point) => {
                    self.length_of_vector(&["rod", name, key], point.len());
                }
                None => self.missing_key(&["rod", name, key], "an array of numbers", about),
            }
        }
        let sure = self.sure(&["rod", name, "from"]) && self.sure(&["rod", name, "to"]);
        if let (Some(from), Some(to)) = (&rod.from, &rod.to)
            && sure
            && from == to
        {
            self.error(
                &["rod", name, "to"],
                format!("rod `{name}` has zero length: `to` is {to:?}, the same as `from`"),
                "must differ from `from`",
            );
        }
    }

    /// Whether there are any elements.
    pub fn elements(&mut self, name: &str, rod: &RodSpec) -> bool {
        if rod.elements == 0 {
            let message = format!("`rod.{name}.elements` is 0, expected at least 1");
            self.error(&["rod", name, "elements"], message, "no elements");
        }
        rod.elements > 0
    }

    /// Moduli and density in their ranges.
    pub fn material(&mut self, name: &str, material: &MaterialSpec) -> bool {
        let before = self.found.errors();
        self.positive(&["rod", name, "material", "youngs"], material.youngs);
        self.positive(&["rod", name, "material", "density"], material.density);
        if !(material.poisson > -1.0 && material.poisson <= 0.5) {
            let message = format!(
                "`rod.{name}.material.poisson` is {}, expected a number above -1 and up to 0.5",
                material.poisson
            );
            self.error(&["rod", name, "material", "poisson"], message, "out of range");
        }
        self.found.errors() == before
    }

    /// The list `fixes` of a support that has neither a `type` nor a prescribed motion instead.
    pub fn fixes(&mut self, name: &str, support: &SupportSpec) -> Vec<Coordinate> {
        let path = ["support", name, "fixes"];
        let moves = [&support.x, &support.y, &support.z, &support.angle].iter().any(|motion| motion.is_some());
        if let (Some(_), Some(_)) = (&support.fixes, support.r#type) {
            let message = format!("support `{name}` has `type` and `fixes`, expected one of them");
            self.error(&path, message, "said already by `type`");
        }
        match &support.fixes {
            Some(fixes) if fixes.is_empty() => {
                let message = format!("support `{name}` holds nothing: `fixes` is empty");
                self.error(&path, message, "expected at least one coordinate");
            }
            Some(fixes) => return fixes.clone(),
            None if support.r#type.is_none() && !moves && support.rotation.is_none() => {
                self.missing_key(&path, "an array of strings", "Coordinates held fixed.");
            }
            None => {}
        }
        Vec::new()
    }
}
