//! What a person reads of actuators and of the sections of rods.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::results::Report;

/// A section load below this part of the largest of its unit, and a twist below this angle, rad, is not worth a line.
const NEGLIGIBLE: f64 = 1e-6;

/// A work, joule, below this part of the largest power, watt, is rounding.
const ROUNDING: f64 = 1e-9;

/// Four decimals, or digits that count where those would be zeros.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-2..1e6).contains(&size) => format!("{value:.4e}"),
        _ => format!("{value:.4}"),
    }
}

/// Peak, root mean square, power and motion of each component of the actuators.
pub fn actuators(report: &Report, out: &mut String) {
    for (name, unit) in &report.units {
        let scalar = |what: &str| report.scalars.get(&format!("actuation.{name}.{what}")).copied();
        let Some(peak) = scalar("max") else { continue };
        let _ = write!(out, "  {name:<24} peak {peak:.6} {unit}");
        if let Some(rms) = scalar("rms") {
            let _ = write!(out, ", rms {rms:.6} {unit}");
        }
        let _ = writeln!(out);
        let motion = [scalar("power"), scalar("work"), scalar("travel"), scalar("speed"), scalar("acceleration")];
        if let [Some(power), Some(work), Some(travel), Some(speed), Some(acceleration)] = motion {
            let along = if unit == "N m" { "rad" } else { "m" };
            let _ = writeln!(
                out,
                "  {:<24} power up to {} W, work {} J; travels {} {along}, up to {} {along}/s and {} {along}/s²",
                "",
                number(power),
                number(if work.abs() > ROUNDING * power { work } else { 0.0 }),
                number(travel),
                number(speed),
                number(acceleration)
            );
        }
    }
}

/// The largest of each section load, and where and when it acts.
pub fn sections(report: &Report, out: &mut String) {
    // By quantity: the largest, its unit and where.
    let mut largest: BTreeMap<&str, (f64, &str, String)> = BTreeMap::new();
    for (name, value) in &report.scalars {
        let Some(place) = name.strip_prefix("section.").and_then(|rest| rest.strip_suffix(".max")) else { continue };
        let Some((rod, quantity)) = place.rsplit_once('.') else { continue };
        let of = |what: &str| report.scalars.get(&format!("section.{place}.{what}"));
        // Frames have no place of their largest load.
        let Some(s) = of("s") else { continue };
        if largest.get(quantity).is_none_or(|(most, ..)| value > most) {
            let when = of("t").map_or_else(String::new, |t| format!(", t = {t:.4} s"));
            let unit = report.units.get(&format!("section.{place}")).map_or("", String::as_str);
            largest.insert(quantity, (*value, unit, format!("in {rod} at s = {s:.4} m{when}")));
        }
    }
    let scale = |unit: &str| {
        let alike = largest.values().filter(|(_, other, _)| *other == unit);
        alike.map(|(value, ..)| *value).fold(0.0, f64::max)
    };
    for (quantity, (value, unit, place)) in &largest {
        if *value > NEGLIGIBLE * scale(unit) && (*unit != "rad" || *value > NEGLIGIBLE) {
            let heading = format!("largest {}", quantity.replace('_', " "));
            let _ = writeln!(out, "  {heading:<24} {value:.6} {unit} {place}");
        }
    }
}
