//! Load factor over displacements along a load path of statics, with limit points and other special points marked. One
//! panel per unit.

use plotters::backend::DrawingBackend;

use super::PlotError;
use super::axes::{Axes, BELOW, Legend, Mark, Quantity, Rect};
use super::canvas::{Canvas, Point, thinned};
use super::panels::{LEGEND_GAP, LEGEND_LIMIT, draw_title, title_room};
use super::picture::Drawing;
use super::style::{HEIGHT, MARGIN, Stroke, WIDTH};
use super::ticks::Range;
use crate::results::{Outcome, PathTable};

/// Least distance of ticks across and up, in pixels.
const SPACING: [f64; 2] = [80.0, 42.0];
/// Kinds of points without a mark.
const ORDINARY: [&str; 2] = ["step", "start"];

/// Columns that count and show no displacement.
const COUNTS: [&str; 2] = [PathTable::UNSTABLE, "stage"];

/// Columns of one unit.
#[derive(Debug, Clone)]
struct Panel {
    quantity: Quantity,
    /// Number among all columns, name, values.
    curves: Vec<(usize, String, Vec<f64>)>,
}

/// The drawing of a load path.
#[derive(Debug, Clone)]
pub(super) struct LoadPathDrawing {
    title: String,
    load: (Quantity, Vec<f64>),
    panels: Vec<Panel>,
    marks: Vec<(usize, Mark)>,
    legend: Legend,
}

/// Whether there is a path to be drawn.
pub(super) fn applicable(outcome: &Outcome) -> bool {
    outcome.path.kinds.len() > 1 && outcome.path.columns.len() > 1
}

/// The drawing of the load path of a result.
pub(super) fn drawing(outcome: &Outcome) -> Result<LoadPathDrawing, PlotError> {
    let PathTable { kinds, columns } = &outcome.path;
    outcome.path.check()?;
    let Some(((load, factors), others)) = columns.split_first() else {
        return Err(PlotError::NotApplicable(super::Kind::Path));
    };
    let unit = |column: &str| outcome.report.units.get(column).map_or_else(|| usual_unit(column), String::as_str);
    let mut panels: Vec<Panel> = Vec::new();
    let mut legend = Legend::default();
    let told = |(name, _): &&(String, Vec<f64>)| !COUNTS.contains(&name.as_str());
    let others: Vec<(String, Vec<f64>)> = others.iter().filter(told).cloned().collect();
    for (i, (name, values)) in telling(&others, &unit).into_iter().enumerate() {
        legend.line(Stroke::curve(i), name);
        let unit = unit(name);
        let curve = (i, name.clone(), change(values));
        match panels.iter_mut().find(|panel| panel.quantity.unit == unit) {
            Some(panel) => {
                panel.quantity.name = common_name(unit).to_owned();
                panel.curves.push(curve);
            }
            None => {
                let quantity = Quantity { name: name.clone(), unit: unit.to_owned() };
                panels.push(Panel { quantity, curves: vec![curve] });
            }
        }
    }
    let mut special: Vec<&str> = Vec::new();
    let mut marks = Vec::new();
    for (row, kind) in kinds.iter().enumerate().filter(|(_, kind)| !ORDINARY.contains(&kind.as_str())) {
        let mark = match kind.as_str() {
            "limit-point" => Mark::Ring,
            "target" => Mark::Square,
            _ => Mark::Disc,
        };
        if !special.contains(&kind.as_str()) {
            special.push(kind);
            legend.mark(mark, kind.replace(['-', '_'], " "));
        }
        marks.push((row, mark));
    }
    let load =
        Quantity { name: load.replace('_', " "), unit: outcome.report.units.get(load).cloned().unwrap_or_default() };
    Ok(LoadPathDrawing { title: outcome.report.title.clone(), load: (load, factors.clone()), panels, marks, legend })
}

/// Most curves of one unit.
const MOST: usize = 4;

/// Values from the first one on: displacements instead of positions.
fn change(values: &[f64]) -> Vec<f64> {
    let first = values.first().copied().unwrap_or(0.0);
    values.iter().map(|value| value - first).collect()
}

/// Changes below this part of the values, or of a radian, are rounding.
const ROUNDING: f64 = 1e-11;

/// The columns that move most, at most [`MOST`] of each unit, in their order; equal ones once. All are in `path.csv`.
fn telling<'a, 'b>(columns: &'a [(String, Vec<f64>)], unit: &impl Fn(&str) -> &'b str) -> Vec<&'a (String, Vec<f64>)> {
    let reach = |values: &[f64]| change(values).iter().fold(0.0_f64, |m, value| m.max(value.abs()));
    let mut chosen: Vec<&(String, Vec<f64>)> = Vec::new();
    let mut order: Vec<&(String, Vec<f64>)> = columns.iter().collect();
    order.sort_by(|a, b| reach(&b.1).total_cmp(&reach(&a.1)));
    for column in order {
        let alike = columns.iter().filter(|other| unit(&other.0) == unit(&column.0));
        let least = if unit(&column.0) == "rad" { 1.0 } else { 0.0 };
        let scale = alike.flat_map(|other| &other.1).fold(least, |m: f64, value| m.max(value.abs()));
        if reach(&column.1) <= ROUNDING * scale {
            continue;
        }
        let same_unit = || chosen.iter().filter(|other| unit(&other.0) == unit(&column.0));
        let largest = same_unit().map(|other| reach(&other.1)).fold(0.0, f64::max);
        let repeated = |other: &&&(String, Vec<f64>)| {
            let off = change(&other.1).iter().zip(change(&column.1)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            off <= 1e-9 * largest
        };
        if same_unit().count() < MOST && reach(&column.1) > 1e-9 * largest && !same_unit().any(|o| repeated(&o)) {
            chosen.push(column);
        }
    }
    columns.iter().filter(|column| chosen.iter().any(|other| other.0 == column.0)).collect()
}

/// Unit of a column whose unit is not given: `crown.y` is a length, `tip.angle` an angle.
fn usual_unit(column: &str) -> &'static str {
    let component = column.rsplit_once('.').map_or(column, |(_, component)| component);
    match component.split('_').next() {
        Some("x" | "y" | "z" | "displacement") => "m",
        Some("angle" | "turn" | "rotation") => "rad",
        _ => "",
    }
}

/// Name of several columns of one unit.
fn common_name(unit: &str) -> &'static str {
    match unit {
        "m" => "displacement",
        "rad" => "angle",
        _ => "value",
    }
}

impl Drawing for LoadPathDrawing {
    fn size(&self) -> (f64, f64) {
        let column = title_room(&self.title) + self.legend.height() + MARGIN;
        (WIDTH, HEIGHT.max(column))
    }

    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<(), PlotError> {
        let (load, factors) = &self.load;
        let top = title_room(&self.title);
        let bottom = self.size().1 - BELOW - MARGIN;
        let beside = self.legend.width(LEGEND_LIMIT)?;
        let range = |values: &mut dyn Iterator<Item = f64>| {
            Range::of(values).unwrap_or(Range { low: 0.0, high: 0.0 }).padded(0.05)
        };
        let up = range(&mut factors.iter().copied());
        let axes = |panel: &Panel, left: f64, right: f64, room: f64| {
            let across = range(&mut panel.curves.iter().flat_map(|(_, _, values)| values.iter().copied()));
            Axes::new(Rect { left, top, right, bottom }, room, [across, up], SPACING, (Some(&panel.quantity), load))
        };
        let mut room = 0.0f64;
        for panel in &self.panels {
            room = room.max(axes(panel, 0.0, WIDTH, 0.0).needed_room()?);
        }
        let count = self.panels.len() as f64;
        let width = (WIDTH - 2.0 * MARGIN - LEGEND_GAP - beside - count * room - (count - 1.0) * LEGEND_GAP) / count;
        draw_title(canvas, &self.title, MARGIN + room, WIDTH)?;
        let mut left = MARGIN + room;
        for panel in &self.panels {
            let axes = axes(panel, left, left + width, room);
            axes.grid(canvas)?;
            let points =
                |values: &[f64]| values.iter().zip(factors).map(|(x, y)| axes.at(*x, *y)).collect::<Vec<Point>>();
            for (i, _, values) in &panel.curves {
                canvas.line(&thinned(&points(values), 1.0), &Stroke::curve(*i))?;
            }
            for (i, _, values) in &panel.curves {
                let points = points(values);
                for (row, mark) in &self.marks {
                    mark.draw(canvas, points[*row], &Stroke::curve(*i))?;
                }
            }
            axes.frame(canvas)?;
            left += width + LEGEND_GAP + room;
        }
        self.legend.draw(canvas, (WIDTH - MARGIN - beside, top), beside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::forward_sample;

    #[test]
    fn columns_share_a_panel_if_they_share_a_unit() {
        let mut outcome = forward_sample::snap_through();
        let shown = |outcome: &Outcome| -> Vec<(String, String, usize)> {
            let drawing = drawing(outcome).unwrap();
            let panel = |p: &Panel| (p.quantity.name.clone(), p.quantity.unit.clone(), p.curves.len());
            drawing.panels.iter().map(panel).collect()
        };
        assert_eq!(shown(&outcome), [("crown.y".into(), "m".into(), 1), ("quarter.angle".into(), "rad".into(), 1)]);
        outcome.path.columns[2].0 = "quarter.y".into();
        assert_eq!(shown(&outcome), [("displacement".into(), "m".into(), 2)]);
    }

    #[test]
    fn special_points_are_marked_where_they_are() {
        let outcome = forward_sample::snap_through();
        let drawing = drawing(&outcome).unwrap();
        assert_eq!(drawing.marks.iter().filter(|(_, mark)| *mark == Mark::Ring).count(), 2);
        assert!(drawing.marks.iter().all(|(row, _)| outcome.path.kinds[*row] != "step"));
        let words: Vec<&str> = drawing.legend.entries.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(words, ["crown.y", "quarter.angle", "limit point", "target"]);
        assert_eq!(drawing.load.0.name, "load factor");
    }
}
