//! The fluid: drag of rods and bodies, and the current.

use super::super::Check;
use super::super::functions::Names;
use super::instants::Instants;
use super::rods::places;
use super::scene::Scene;
use crate::kernel::{Function, Profile};
use crate::mechanism::{BodyDrag, BodyDragSpec, Fluid, LineDrag, RodDragSpec};

impl Check<'_> {
    pub fn fluid_of(&mut self, scene: &Scene<'_>, names: &Names, instants: &Instants) -> Fluid {
        let spec = self.spec;
        let mut fluid = Fluid::default();
        for (index, (name, rod)) in spec.rod.iter().enumerate() {
            let Some(drag) = &rod.drag else { continue };
            let part = scene.rods.get(index).and_then(|rod| rod.part.as_ref());
            let places = part.map_or(Vec::new(), |part| places(part.length, part.elements.min(200)));
            fluid.rods.extend(self.drag_along(index, name, drag, names, &places));
        }
        for (index, (name, body)) in spec.body.iter().enumerate() {
            let Some(drag) = &body.drag else { continue };
            fluid.bodies.extend(self.drag_on(index, name, drag));
        }
        if let Some(current) = self.current(names, instants) {
            fluid.current = current;
        }
        let resists = spec.rod.values().any(|rod| rod.drag.is_some()) || spec.body.values().any(|b| b.drag.is_some());
        if spec.current.is_some() && !resists && self.sure(&["rod"]) && self.sure(&["body"]) {
            let message = "[current] has no effect: no rod and no body has `drag`";
            self.warn(&["current"], message, "nothing resists it").help("drag = { normal = 0.5 } in a [rod.*]");
        }
        if resists && spec.spin.is_some() && matches!(self.task_name(), Some("statics" | "modes")) {
            let message =
                "[spin] and `drag` cannot be used together here yet: in a turning frame the fluid would flow past";
            self.error(&["spin"], message, "not with drag").help("simulate takes both");
        }
        fluid
    }

    fn drag_along(
        &mut self,
        rod: usize,
        name: &str,
        spec: &RodDragSpec,
        names: &Names,
        places: &[f64],
    ) -> Option<LineDrag> {
        let stated = spec.coefficients();
        if stated.iter().all(|(_, coefficient)| coefficient.is_none()) && self.sure(&["rod", name, "drag"]) {
            let message = format!(
                "`rod.{name}.drag` is empty, expected `normal`, `tangential`, `normal-quadratic` or `tangential-quadratic`"
            );
            self.error(&["rod", name, "drag"], message, "no drag");
            return None;
        }
        let mut profiles: [Profile; 4] = std::array::from_fn(|_| Profile::constant(0.0));
        let mut right = true;
        for (profile, (key, coefficient)) in profiles.iter_mut().zip(stated) {
            let Some(coefficient) = coefficient else { continue };
            let path = ["rod", name, "drag", key];
            match self.along(&path, coefficient, names).filter(|_| names.whole) {
                Some(found) => {
                    right &= self.evaluate_along(&[(path.map(str::to_owned).into(), found.clone())], places, &[0.0]);
                    right &= self.resisting(&path, &found, places);
                    *profile = found;
                }
                None => right = false,
            }
        }
        let [linear, quadratic, along, along_quadratic] = profiles;
        right.then_some(LineDrag { rod, normal: [linear, quadratic], tangential: [along, along_quadratic] })
    }

    /// Whether a coefficient is nowhere negative.
    fn resisting(&mut self, path: &[&str], profile: &Profile, places: &[f64]) -> bool {
        let at = |s: &f64| profile.value(*s, 0.0).ok().filter(|value| *value < 0.0).map(|value| (*s, value));
        let Some((s, value)) = places.iter().find_map(at) else { return true };
        let here = self.document.path_text(path);
        let message = format!("`{here}` is {value} at s = {s} m, expected zero or a positive number");
        self.error(path, message, "must not be negative");
        false
    }

    fn drag_on(&mut self, body: usize, name: &str, spec: &BodyDragSpec) -> Option<BodyDrag> {
        let stated = [("linear", spec.linear), ("quadratic", spec.quadratic), ("rotary", spec.rotary)];
        if stated.iter().all(|(_, coefficient)| coefficient.is_none()) && self.sure(&["body", name, "drag"]) {
            let message = format!("`body.{name}.drag` is empty, expected `linear`, `quadratic` or `rotary`");
            self.error(&["body", name, "drag"], message, "no drag");
            return None;
        }
        let mut right = true;
        for (key, coefficient) in stated {
            right &= coefficient.is_none_or(|c| self.not_negative(&["body", name, "drag", key], c));
        }
        let of = |coefficient: Option<f64>| coefficient.unwrap_or(0.0);
        let force = [of(spec.linear), of(spec.quadratic)];
        right.then_some(BodyDrag { body, force, rotary: of(spec.rotary) })
    }

    /// Velocity of the current.
    fn current(&mut self, names: &Names, instants: &Instants) -> Option<[Function; 3]> {
        let spec = self.spec.current.as_ref()?;
        if !self.length_of_vector(&["current", "velocity"], spec.velocity.len()) {
            return None;
        }
        let mut current = std::array::from_fn(|_| Function::constant(0.0));
        let mut right = true;
        for (i, (expression, into)) in spec.velocity.iter().zip(&mut current).enumerate() {
            let index = i.to_string();
            let path = ["current", "velocity", index.as_str()];
            match self.function(&path, expression, names).filter(|_| names.whole) {
                Some(function) if self.evaluate_at(&path, &function, instants, false) => *into = function,
                _ => right = false,
            }
        }
        right.then_some(current)
    }
}
