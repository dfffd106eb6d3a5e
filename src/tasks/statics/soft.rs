//! The softest motions about an equilibrium, and how well their stiffness is known.

use crate::discretisation::assembly::Assembly;
use crate::discretisation::equilibrium::Equilibrium;
use crate::discretisation::linearised::Linearised;
use crate::nlp::EvalFailure;
use crate::solver::eigen::{EigenError, Modes, Pencil, Still, lowest_modes_beside};

/// Asymmetry of the stiffness of the loads above which they have no potential.
pub const NO_POTENTIAL: f64 = 1e-9;
/// Most soft motions that are looked at one by one.
const MOST: usize = 12;

/// K bordered by G, its symmetric part, with the measure of motions in the place of the masses.
fn with_pencil<T>(linearised: &Linearised, assembly: &Assembly, of: impl FnOnce(Pencil<'_>) -> T) -> T {
    let (stiffness, mass) = (linearised.symmetric(&linearised.stiffness), linearised.measure(assembly));
    of(Pencil {
        pattern: &linearised.pattern,
        stiffness: &stiffness,
        mass: &mass,
        damping: None,
        constraints: linearised.constraints(),
        compliance: Some(&linearised.compliance),
    })
}

/// Up to `count` softest motions φ with their stiffness μ: K φ = μ W φ, where W measures motions
/// ([`Linearised::measure`]), newton per metre.
pub fn softest(linearised: &Linearised, assembly: &Assembly, count: usize) -> Result<Modes, EigenError> {
    with_pencil(linearised, assembly, |pencil| {
        lowest_modes_beside(pencil, count.min(pencil.motions()), Still::Known(0), &mut || false)
    })
}

/// Number of directions in which an equilibrium is unstable, by one factorisation; none where loads have no potential, or where
/// rounding hides it.
pub fn negative(equilibrium: &mut Equilibrium<'_>, x: &[f64]) -> Result<Option<usize>, EvalFailure> {
    let linearised = Linearised::sharp(equilibrium, x)?;
    if linearised.asymmetry > NO_POTENTIAL {
        return Ok(None);
    }
    Ok(with_pencil(&linearised, equilibrium.assembly, |pencil| pencil.negative()))
}

/// Number of unstable directions at a critical point, beside the motion that meets no resistance there: the softest of all, whose
/// stiffness has either sign by rounding. None if there are too many to look at.
pub fn beside_critical(equilibrium: &mut Equilibrium<'_>, x: &[f64]) -> Result<Option<usize>, EvalFailure> {
    let linearised = Linearised::sharp(equilibrium, x)?;
    let Ok(modes) = softest(&linearised, equilibrium.assembly, MOST) else { return Ok(None) };
    let values = &modes.values;
    let critical = (0..values.len()).min_by(|a, b| values[*a].abs().total_cmp(&values[*b].abs()));
    let others = (0..values.len()).filter(|k| Some(*k) != critical);
    let unstable = others.filter(|k| values[*k] < 0.0).count();
    Ok((unstable + 1 < MOST).then_some(unstable))
}

/// Numbers of unstable and of indifferent directions, one motion after the other: what is below its own uncertainty is
/// indifferent. None if there are too many to look at.
pub fn counted(equilibrium: &mut Equilibrium<'_>, x: &[f64]) -> Result<Option<(usize, usize)>, EvalFailure> {
    let linearised = Linearised::sharp(equilibrium, x)?;
    let mut wanted = 4;
    while wanted <= MOST {
        let Ok(modes) = softest(&linearised, equilibrium.assembly, wanted) else { return Ok(None) };
        let doubts = modes.accuracies.iter().map(|accuracy| accuracy.uncertainty);
        let pairs: Vec<(f64, f64)> = modes.values.iter().copied().zip(doubts).collect();
        let unstable = pairs.iter().filter(|(value, doubt)| *value < -doubt).count();
        let indifferent = pairs.iter().filter(|(value, doubt)| value.abs() <= *doubt).count();
        if unstable + indifferent < pairs.len() || pairs.len() < wanted {
            return Ok(Some((unstable, indifferent)));
        }
        wanted += 4;
    }
    Ok(None)
}
