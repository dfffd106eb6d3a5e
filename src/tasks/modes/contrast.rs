//! Which parts are so much stiffer than others that rounding shows.

use crate::discretisation::assembly::Assembly;
use crate::discretisation::linearised::{Span, span};
use crate::tasks::ForwardSystem;

/// Parts that are stiffer than others by less than this are not named.
const NAMED: f64 = 1e3;
/// Names of the strains (Γ, K).
const STRAINS: [&str; 6] = ["shear", "shear", "axial", "bending", "bending", "torsional"];

/// The force, newton, by which the softest strain resists displacements of the size of the mechanism, or by which weights and
/// centrifugal forces do if that is less; and how many times the stiffest strain exceeds it.
pub fn softest(assembly: &Assembly, q: &[f64]) -> (f64, f64) {
    let Some(all) = span(assembly, q, |_| true) else { return (1.0, 1.0) };
    let mass: f64 = assembly.masses.iter().map(|node| node.mass).sum();
    let turning = assembly.turning.map_or(0.0, |frame| frame.omega.norm());
    let pulls = [mass * assembly.gravity.norm(), mass * turning * turning * assembly.size()];
    let soft = pulls.into_iter().filter(|pull| *pull > 0.0).fold(all.softest, f64::min);
    (soft, all.stiffest / soft)
}

/// Names the stiffest and the softest part, and says what can be done. None if nothing differs much.
pub fn contrast(system: &ForwardSystem, assembly: &Assembly, q: &[f64]) -> Option<String> {
    let rods = system.mechanism.rods.iter().enumerate();
    let spans: Vec<(&str, Span)> = rods
        .filter_map(|(index, rod)| {
            let of = span(assembly, q, |element| element.rod == Some(index))?;
            Some((rod.name.as_str(), of))
        })
        .collect();
    let stiff = spans.iter().max_by(|a, b| a.1.softest.total_cmp(&b.1.softest))?;
    let soft = spans.iter().min_by(|a, b| a.1.softest.total_cmp(&b.1.softest))?;
    let times = stiff.1.softest / soft.1.softest;
    if times > NAMED {
        return Some(format!(
            "rod `{0}` is {times:.0e} times stiffer than rod `{1}`; `rigid = true` for rod `{0}` has no such loss, nor has \
             `method = \"exact\"` where nothing is loaded",
            stiff.0, soft.0
        ));
    }
    let (name, of) =
        spans.iter().max_by(|a, b| (a.1.stiffest / a.1.softest).total_cmp(&(b.1.stiffest / b.1.softest)))?;
    let times = of.stiffest / of.softest;
    (times > NAMED).then(|| {
        let (stiff, soft) = (STRAINS[of.stiff], STRAINS[of.soft]);
        format!(
            "the {stiff} stiffness of rod `{name}` is {times:.0e} times its {soft} stiffness, both over the size of the \
             mechanism; a lower {stiff} stiffness changes little and loses less, and `method = \"exact\"` loses nothing where nothing is loaded"
        )
    })
}
