//! The programs of a macro step and the stamps of all their evaluations.

use super::Multirate;
use super::layout::Layout;
use super::programs::{self, Grids, Places};
use super::stamps::{Part, Stamp, Target};
use crate::nlp::{PatternBuilder, PatternError};

/// Programs with one stamp for each evaluation in a step.
pub(super) struct Stated {
    /// One evaluation for each micro step.
    pub action: (Part, Vec<Stamp>),
    /// Once in a macro step.
    pub whole: Option<(Part, Stamp)>,
    /// One for each micro node, both ends included.
    pub fast_constraints: (Part, Vec<Stamp>),
    /// At the beginning and at the end of the macro step.
    pub slow_constraints: (Part, Vec<Stamp>),
}

type Targets = Vec<Vec<(Target, f64)>>;
type Unknowns = Vec<Option<(usize, f64)>>;

impl Stated {
    pub fn new(
        system: &Multirate,
        places: &Places,
        grids: &Grids,
        separable: bool,
        layout: &Layout,
        builder: &mut PatternBuilder,
    ) -> Result<Self, PatternError> {
        let micro = system.micro;
        let share = |m: usize| m as f64 / micro as f64;
        // Motion of fast coordinates at micro node m, which at the last one is their momentum.
        let fast_motion = |m: usize, factor: f64| -> Targets {
            let at = |(j, &i): (usize, &usize)| match m < micro {
                true => vec![(Target::Equation(layout.fast(m) + j), factor)],
                false => vec![(Target::Momentum(i), factor)],
            };
            places.fast.iter().enumerate().map(at).collect()
        };
        // Motion of slow coordinates at both macro nodes, with a factor each.
        let slow_motion = |before: f64, after: f64| -> Targets {
            let at = |(j, &i): (usize, &usize)| {
                let both = [(Target::Equation(layout.slow() + j), before), (Target::Momentum(i), after)];
                both.into_iter().filter(|(_, factor)| *factor != 0.0).collect()
            };
            places.slow.iter().enumerate().map(at).collect()
        };
        // Slow coordinates at the end of the macro step.
        let slow_unknowns =
            |factor: f64| -> Unknowns { (0..layout.slow_count).map(|j| Some((layout.slow() + j, factor))).collect() };
        // Fast coordinates at micro node m, which are known at the first one.
        let fast_unknowns = |m: usize| -> Unknowns {
            let first = m.checked_sub(1).map(|m| layout.fast(m));
            (0..layout.fast_count).map(|j| first.map(|first| (first + j, 1.0))).collect()
        };

        let action = Part::new(programs::micro(system, places, separable));
        let mut stamps = Vec::with_capacity(micro);
        for m in 0..micro {
            let mut targets = [fast_motion(m, 1.0), fast_motion(m + 1, 1.0)].concat();
            if !separable {
                targets.extend(slow_motion(1.0, 0.0));
                targets.extend(slow_motion(0.0, 1.0));
            }
            let unknowns = [slow_unknowns(1.0), fast_unknowns(m), fast_unknowns(m + 1)].concat();
            stamps.push(action.stamp(&targets, &unknowns, builder)?);
        }
        let action = (action, stamps);

        let mut whole = None;
        if system.slow_potential.is_some() || (separable && layout.slow_count > 0) {
            let part = Part::new(programs::whole(system, places, separable));
            let ends = [slow_motion(1.0, 0.0), slow_motion(0.0, 1.0), fast_motion(0, 1.0), fast_motion(micro, 1.0)];
            let stamp = part.stamp(&ends.concat(), &[slow_unknowns(1.0), fast_unknowns(micro)].concat(), builder)?;
            whole = Some((part, stamp));
        }

        let part = Part::new(programs::constraints(system, places, &grids.fast));
        let mut stamps = Vec::new();
        for m in (0..=micro).filter(|_| layout.fast_rows > 0) {
            let pulls = m < micro;
            let mut targets =
                if pulls { slow_motion(share(m) - 1.0, -share(m)) } else { vec![Vec::new(); layout.slow_count] };
            targets.extend(if pulls { fast_motion(m, -1.0) } else { vec![Vec::new(); layout.fast_count] });
            targets.extend((0..layout.fast_rows).map(|c| {
                let held = m.checked_sub(1).map(|m| (Target::Equation(layout.impulses(m) + c), 1.0));
                held.into_iter().collect::<Vec<_>>()
            }));
            let mut unknowns = [slow_unknowns(share(m)), fast_unknowns(m)].concat();
            unknowns.extend((0..layout.fast_rows).map(|c| pulls.then(|| (layout.impulses(m) + c, 1.0))));
            stamps.push(part.stamp(&targets, &unknowns, builder)?);
        }
        let fast_constraints = (part, stamps);

        let part = Part::new(programs::constraints(system, places, &grids.slow));
        let mut stamps = Vec::new();
        let rows = layout.slow() + layout.slow_count;
        for begins in [true, false].into_iter().filter(|_| layout.slow_rows > 0) {
            let mut targets = if begins { slow_motion(-1.0, 0.0) } else { vec![Vec::new(); layout.slow_count] };
            targets.extend(vec![Vec::new(); layout.fast_count]);
            targets.extend((0..layout.slow_rows).map(|c| match begins {
                true => Vec::new(),
                false => vec![(Target::Equation(rows + c), 1.0)],
            }));
            let slow = if begins { vec![None; layout.slow_count] } else { slow_unknowns(1.0) };
            let mut unknowns = [slow, vec![None; layout.fast_count]].concat();
            unknowns.extend((0..layout.slow_rows).map(|c| begins.then_some((rows + c, 1.0))));
            stamps.push(part.stamp(&targets, &unknowns, builder)?);
        }
        Ok(Self { action, whole, fast_constraints, slow_constraints: (part, stamps) })
    }
}
