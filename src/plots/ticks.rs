//! Ranges and ticks of axes: steps of 1, 2, 2.5 or 5 times a power of ten, and labels with a common factor.

/// A range of values shown by an axis, `low < high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    pub low: f64,
    pub high: f64,
}

impl Range {
    /// The range of finite values; `None` if there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        values.into_iter().filter(|v| v.is_finite()).fold(None, |range: Option<Self>, v| match range {
            None => Some(Self { low: v, high: v }),
            Some(r) => Some(Self { low: r.low.min(v), high: r.high.max(v) }),
        })
    }

    /// Length of the range.
    pub fn length(self) -> f64 {
        self.high - self.low
    }

    /// Centre of the range.
    pub fn centre(self) -> f64 {
        0.5 * self.low + 0.5 * self.high
    }

    /// Widened by `share` of its length at each end; a range without length (to rounding) gets one that suits its
    /// magnitude.
    pub fn padded(self, share: f64) -> Self {
        let magnitude = self.low.abs().max(self.high.abs());
        let half = if self.length() <= 1e-12 * magnitude || self.length() < f64::MIN_POSITIVE {
            if magnitude < f64::MIN_POSITIVE { 1.0 } else { 0.5 * magnitude }
        } else {
            share * self.length()
        };
        Self { low: self.low - half, high: self.high + half }
    }

    /// A range of length `length` about the same centre.
    pub fn with_length(self, length: f64) -> Self {
        Self { low: self.centre() - 0.5 * length, high: self.centre() + 0.5 * length }
    }
}

/// Ticks of an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ticks {
    /// Values of the ticks, within the range.
    pub values: Vec<f64>,
    /// Labels, to be multiplied by 10^`exponent`.
    pub labels: Vec<String>,
    /// Common power of ten of the labels, 0 or a multiple of 3.
    pub exponent: i32,
}

impl Ticks {
    /// Ticks for a range: at most `count + 1`, unless that gives only one, which makes no scale: then a few more.
    pub fn new(range: Range, count: usize) -> Self {
        // A step is less than twice the wanted one, so with four wanted there are two ticks, wherever the range lies.
        let fitting = |count: usize| {
            let step = nice_step(range.length() / count as f64);
            let (first, last) = ((range.low / step - 1e-9).ceil(), (range.high / step + 1e-9).floor());
            (step, first, last)
        };
        let count = count.max(1);
        let enough = (count..count + 5).map(fitting).find(|(_, first, last)| last > first);
        let (step, first, last) = enough.unwrap_or_else(|| fitting(count + 5));
        let numbers: Vec<f64> = (0..=(last - first).max(0.0) as usize).map(|i| first + i as f64).collect();
        let magnitude = range.low.abs().max(range.high.abs());
        let power = magnitude.log10().floor() as i32;
        let exponent = if (-2..5).contains(&power) { 0 } else { power.div_euclid(3) * 3 };
        // The step, as written, has two significant digits at most (2.5).
        let unit = 10f64.powi(exponent);
        let decimals = (0..12).find(|d| is_whole(step / unit * 10f64.powi(*d))).unwrap_or(12) as usize;
        Self {
            values: numbers.iter().map(|n| n * step).collect(),
            labels: numbers.iter().map(|n| label(n * (step / unit), decimals)).collect(),
            exponent,
        }
    }

    /// The axis label `quantity / unit` with the common power of ten.
    pub fn axis_label(&self, quantity: &str, unit: &str) -> String {
        match (self.exponent, unit) {
            (0, "") => quantity.to_owned(),
            (0, unit) => format!("{quantity} / {unit}"),
            (exponent, unit) => format!("{quantity} / 10{} {unit}", superscript(exponent)).trim_end().to_owned(),
        }
    }
}

fn is_whole(x: f64) -> bool {
    (x - x.round()).abs() < 1e-6 * x.abs().max(1.0) && x.round() >= 1.0
}

/// The least of 1, 2, 2.5 and 5 times a power of ten that is not below `raw`.
pub(super) fn nice_step(raw: f64) -> f64 {
    let decade = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|m| m * decade >= raw * (1.0 - 1e-9)).unwrap_or(10.0);
    step * decade
}

/// A number with a true minus sign, and no minus sign on zero.
fn label(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| matches!(c, '0' | '.')) => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

/// A number with the given count of significant digits, as a decimal or, far from 1, with a power of ten.
pub(super) fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return label(value, 0);
    }
    let scientific = format!("{value:.*e}", digits.saturating_sub(1));
    let Some((mantissa, power)) = scientific.split_once('e') else { return scientific };
    let power: i32 = power.parse().unwrap_or(0);
    if (-4..6).contains(&power) {
        label(value, (digits as i32 - 1 - power).max(0) as usize)
    } else {
        format!("{}·10{}", mantissa.replace('-', "−"), superscript(power))
    }
}

/// As [`significant`], without zeros at the end of a decimal.
pub(super) fn shortened(value: f64, digits: usize) -> String {
    let text = significant(value, digits);
    match text.contains('.') && !text.contains('·') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

fn superscript(exponent: i32) -> String {
    let raise = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32(0x2070 + u32::from(c) - u32::from('0')).unwrap_or(c),
        other => other,
    };
    exponent.to_string().chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(low: f64, high: f64, count: usize) -> Vec<String> {
        Ticks::new(Range { low, high }, count).labels
    }

    #[test]
    fn labels_are_short_and_have_proper_minus_signs() {
        assert_eq!(labels(0.0, 6.0, 6), ["0", "1", "2", "3", "4", "5", "6"]);
        assert_eq!(labels(-1.1, 1.1, 5), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(-0.3, 0.25, 5), ["−0.2", "0.0", "0.2"]);
        assert_eq!(labels(0.0, 10.0, 4), ["0.0", "2.5", "5.0", "7.5", "10.0"]);
    }

    #[test]
    fn extreme_magnitudes_share_a_power_of_ten() {
        let small = Ticks::new(Range { low: -2.1e-9, high: 2.1e-9 }, 5);
        assert_eq!((small.exponent, small.axis_label("force", "N")), (-9, "force / 10⁻⁹ N".to_owned()));
        assert_eq!(small.labels, ["−2", "−1", "0", "1", "2"]);
        let large = Ticks::new(Range { low: 0.0, high: 3.2e6 }, 4);
        assert_eq!((large.exponent, large.labels.last().unwrap().as_str()), (6, "3"));
        assert_eq!(Ticks::new(Range { low: 0.0, high: 1.0 }, 4).axis_label("energy", "J"), "energy / J");
        assert_eq!(superscript(-1234567890), "⁻¹²³⁴⁵⁶⁷⁸⁹⁰");
    }

    #[test]
    fn numbers_have_the_digits_wanted() {
        for (value, digits, wanted) in [
            (8.5578, 4, "8.558"),
            (-0.73, 3, "−0.730"),
            (9.99996, 4, "10.00"),
            (22033.456, 4, "22033"),
            (-1.25e-7, 3, "−1.25·10⁻⁷"),
            (4.0e9, 2, "4.0·10⁹"),
            (0.0, 4, "0"),
        ] {
            assert_eq!(significant(value, digits), wanted);
        }
        for (value, wanted) in [(2.5, "2.5"), (1.0, "1"), (100.0, "100"), (-0.25, "−0.25"), (1e-9, "1.000·10⁻⁹")]
        {
            assert_eq!(shortened(value, 4), wanted);
        }
    }

    #[test]
    fn flat_ranges_get_a_height() {
        assert_eq!(Range { low: 0.0, high: 0.0 }.padded(0.05), Range { low: -1.0, high: 1.0 });
        assert_eq!(Range { low: 4.0, high: 4.0 }.padded(0.05), Range { low: 2.0, high: 6.0 });
        assert_eq!(Range { low: 0.0, high: 10.0 }.padded(0.1), Range { low: -1.0, high: 11.0 });
        assert_eq!(Range::of([f64::NAN, 2.0, -1.0]), Some(Range { low: -1.0, high: 2.0 }));
        assert_eq!(Range::of([]), None);
    }

    proptest! {
        #[test]
        fn ticks_lie_inside_are_unique_and_true(
            low in -1e3f64..1e3, length in 1e-4f64..1e4, scale in -12i32..12, count in 2usize..12,
        ) {
            let unit = 10f64.powi(scale);
            let range = Range { low: low * unit, high: (low + length) * unit };
            let ticks = Ticks::new(range, count);
            prop_assert!(ticks.values.len() >= 2 && ticks.values.len() <= (count + 1).max(5));
            // The step is at most twice the wanted one.
            prop_assert!(ticks.values.len() >= count / 2);
            let unique: std::collections::BTreeSet<_> = ticks.labels.iter().collect();
            prop_assert_eq!(unique.len(), ticks.labels.len());
            for (value, label) in ticks.values.iter().zip(&ticks.labels) {
                let slack = 1e-6 * range.length();
                prop_assert!(*value >= range.low - slack && *value <= range.high + slack);
                let written: f64 = label.replace('−', "-").parse().unwrap();
                let error = (written * 10f64.powi(ticks.exponent) - value).abs();
                prop_assert!(error <= 1e-6 * range.length(), "{} is not {}", label, value);
            }
        }
    }
}
