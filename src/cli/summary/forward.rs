//! What a person reads of statics, simulations and modes.

use std::fmt::Write;

use super::carried::sections;
use crate::results::{Report, RunStatus};
use crate::tasks::modes::EXACT;

/// Most lines about frames or modes; the files hold the rest.
const MOST: usize = 12;

/// Nine decimals, or digits that count where those would be zeros.
fn number(value: f64) -> String {
    if value.abs() < 1e-3 { format!("{value:.6e}") } else { format!("{value:.9}") }
}

/// Where frames rest, what supports carry, whether it is stable.
pub fn statics(report: &Report, out: &mut String) {
    if !report.method_reason.is_empty() {
        let _ = writeln!(out, "  {}", report.method_reason);
    }
    let mut told = 0;
    for prefix in ["linear_buckling.", "branch_point.", "limit_point.", "equilibrium.", "reaction."] {
        for (name, value) in report.scalars.iter().filter(|(name, _)| name.starts_with(prefix)) {
            // What is held says nothing, and rotations are in the files.
            let hidden = prefix.ends_with("_point.") && !name.ends_with(".factor");
            if hidden || *value == 0.0 || name.contains(".turn_") {
                continue;
            }
            let unit = report.units.get(name).or_else(|| report.units.get(&name[prefix.len()..]));
            if told < MOST {
                let unit = unit.map_or("", String::as_str);
                let _ = writeln!(out, "{}", format!("  {name:<34} {:>16} {unit}", number(*value)).trim_end());
            }
            told += 1;
        }
    }
    if told > MOST {
        let _ = writeln!(out, "  ... and {} more in result.json", told - MOST);
    }
    sections(report, out);
    match report.scalars.get("stability.unstable_directions") {
        Some(0.0) if report.scalars.get("stability.indifferent_directions").is_none_or(|count| *count == 0.0) => {
            _ = writeln!(out, "  stable: every small motion costs energy");
        }
        Some(count) if *count > 0.0 && report.status != RunStatus::Unstable => {
            _ = writeln!(out, "  unstable directions: {count}")
        }
        _ => {}
    }
    if let Some(left) = report.residuals.get("largest_unbalanced_force") {
        let _ = writeln!(out, "  largest force left unbalanced {left:.1e}");
    }
}

/// Where frames end up, and how well energy and momenta are kept.
pub fn motion(report: &Report, out: &mut String) {
    let mut finals: Vec<_> =
        report.scalars.iter().filter(|(name, _)| name.starts_with("motion.") && name.ends_with(".final")).collect();
    // Places inside rods and velocities come last.
    finals.sort_by_key(|(name, _)| (name.contains('@'), name.ends_with("_dot.final")));
    for (name, value) in finals.iter().take(MOST) {
        let column = name.trim_start_matches("motion.").trim_end_matches(".final");
        let unit = report.units.get(column).map_or("", String::as_str);
        let line = format!("  {column:<24} ends at {:>16} {unit}", number(**value));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if finals.len() > MOST {
        let _ = writeln!(out, "  ... and {} more in motion.csv", finals.len() - MOST);
    }
    sections(report, out);
    if let Some(energy) = &report.energy {
        let _ = writeln!(
            out,
            "  energy changes by {:.4e} J; balance with work and damping missed by at most {:.1e} J",
            energy.energy_change, energy.max_imbalance
        );
    }
    if let (Some(steps), Some(smallest)) = (report.grid.get("adaptive_steps"), report.grid.get("smallest_step")) {
        let rejected = report.grid.get("rejected_steps").copied().unwrap_or(0.0);
        let _ = writeln!(out, "  {steps} adaptive steps, {rejected} rejected, the shortest {smallest:.2e} s");
    }
}

/// The table of modes.
pub fn modes(report: &Report, out: &mut String) {
    let value = |k: usize, what: &str| report.scalars.get(&format!("modes.{k}.{what}")).copied();
    let count = (1..).take_while(|k| value(*k, "omega").is_some()).count();
    let damped = (1..=count).any(|k| value(k, "real").is_some_and(|re| re != 0.0));
    for k in 1..=count.min(MOST) {
        let (Some(omega), Some(hertz)) = (value(k, "omega"), value(k, "frequency")) else { continue };
        let _ = write!(out, "  mode {k:<3} {omega:>16.7} rad/s {hertz:>14.7} Hz");
        if let (true, Some(re), Some(ratio)) = (damped, value(k, "real"), value(k, "damping_ratio")) {
            let _ = write!(out, "   {re:>14.7} 1/s, damping ratio {ratio:.5}");
        }
        let _ = writeln!(out);
    }
    if count > MOST {
        let _ = writeln!(out, "  ... and {} more in modes.csv", count - MOST);
    }
    let told = |name: &str| report.scalars.get(name).copied();
    let loads = (1..).map_while(|k| told(&format!("load.{k}.factor"))).collect::<Vec<_>>();
    if let [_, .., last] = loads.as_slice() {
        let _ = writeln!(out, "  these are the modes at the last of {} load factors, {last}", loads.len());
    }
    if let (Some(factor), Some(omega)) = (told("onset.factor"), told("onset.omega")) {
        let how = if omega > 0.0 { format!("flutter at {} rad/s", number(omega)) } else { "divergence".to_owned() };
        let _ = writeln!(out, "  motions begin to grow at load factor {}: {how}", number(factor));
    }
    if let Some(diagram) = &report.campbell {
        let _ = writeln!(
            out,
            "  these are the modes at the last of {} rates, {} rad/s",
            diagram.rates.len(),
            diagram.rates.last().copied().unwrap_or(0.0)
        );
        for crossing in diagram.crossings.iter().take(MOST) {
            let rpm = crossing.rate * 60.0 / std::f64::consts::TAU;
            let _ = writeln!(
                out,
                "  resonance: branch {} meets {}P at {:.4} rad/s, {rpm:.3} rpm",
                crossing.branch, crossing.order, crossing.rate
            );
        }
    }
    if let Some(zero) = report.scalars.get("modes.zero").filter(|zero| **zero > 0.0) {
        let _ = writeln!(out, "  {zero} of them meet no resistance (frequency zero)");
    }
    if report.method == EXACT && report.status.is_solved() {
        let _ = writeln!(out, "  certified: there are no others below the last");
    }
}
