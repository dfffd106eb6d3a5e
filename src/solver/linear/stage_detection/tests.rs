use super::*;
use crate::nlp::PatternBuilder;
use crate::solver::linear::saddle_samples::{Numbers, Saddle};

#[test]
fn groups_hold_multipliers_with_variables_to_act_on() {
    let (states, controls, intervals) = (4, 2, 50);
    let saddle = Saddle::control(states, controls, intervals, &mut Numbers(1));
    let pattern = saddle.assemble_sparse().0;
    let stages = Stages::detect(&pattern).unwrap();
    assert!(stages.check(&pattern).is_ok());
    let end_time = (intervals + 1) * (states + controls);
    assert_eq!(stages.stage_of()[end_time], None);
    assert_eq!(stages.border(), 1);
    for stage in 0..stages.len() {
        let members: Vec<usize> = (0..saddle.size()).filter(|&k| stages.stage_of()[k] == Some(stage)).collect();
        let multipliers = members.iter().filter(|&&member| member >= saddle.primal).count();
        assert!(2 * multipliers <= members.len(), "stage {stage}: {members:?}");
        assert!(members.len() <= 2 * (2 * states + controls), "stage {stage}: {members:?}");
    }
}

/// Equations of second order without velocities: row k couples the positions k − 1, k, k + 1 and the controls k − 1, k.
/// A stage is one time then, not two.
#[test]
fn stages_of_second_order_equations_are_single_times() {
    let nodes = 60;
    let mut builder = PatternBuilder::new(3 * nodes, 3 * nodes);
    (0..3 * nodes).for_each(|unknown| {
        builder.add(&[unknown], &[unknown]).unwrap();
    });
    for k in 0..nodes {
        let (position, control, row) = (|k: usize| 2 * k, |k: usize| 2 * k + 1, 2 * nodes + k);
        for other in k.saturating_sub(1)..(k + 2).min(nodes) {
            builder.add(&[row], &[position(other)]).unwrap();
        }
        for other in k.saturating_sub(1)..=k {
            builder.add(&[row], &[control(other)]).unwrap();
        }
        if k > 0 {
            builder.add(&[position(k)], &[position(k - 1)]).unwrap();
        }
    }
    let pattern = builder.build().0;
    let graph = Graph::new(&pattern);
    let levels = graph.levels(&vec![false; 3 * nodes]).unwrap();
    let even = graph.even_levels(&levels);
    assert!(even.len() > nodes - 5, "{} levels", even.len());
    // At the ends of the chain a level may hold a little more.
    assert!(even[3..even.len() - 3].iter().all(|level| level.len() <= 3), "{even:?}");
    assert_eq!(even.iter().map(Vec::len).sum::<usize>(), 3 * nodes);
    let stages = Stages::detect(&pattern).unwrap();
    assert!(stages.check(&pattern).is_ok());
}

#[test]
fn separate_chains_and_lone_unknowns_are_one_chain_of_stages() {
    let mut builder = PatternBuilder::new(65, 65);
    (0..65).for_each(|unknown| {
        builder.add(&[unknown], &[unknown]).unwrap();
    });
    // Two chains, interleaved; the last five unknowns are coupled with nothing.
    for unknown in 0..58 {
        builder.add(&[unknown + 2], &[unknown]).unwrap();
    }
    let pattern = builder.build().0;
    let stages = Stages::detect(&pattern).unwrap();
    assert!(stages.check(&pattern).is_ok());
    assert_eq!(stages.border(), 0);
    assert!(stages.len() >= 4);
}

#[test]
fn what_is_no_chain_is_refused() {
    // A five-point grid of 120 x 120: levels get too wide.
    let side = 120;
    let mut builder = PatternBuilder::new(side * side, side * side);
    for (row, column) in (0..side).flat_map(|row| (0..side).map(move |column| (row, column))) {
        let here = row * side + column;
        builder.add(&[here], &[here]).unwrap();
        if column + 1 < side {
            builder.add(&[here + 1], &[here]).unwrap();
        }
        if row + 1 < side {
            builder.add(&[here + side], &[here]).unwrap();
        }
    }
    assert_eq!(Stages::detect(&builder.build().0), None);
    // A full matrix, an empty one, and one that is not a lower triangle.
    let mut full = PatternBuilder::new(10, 10);
    (0..10).for_each(|column| {
        full.add(&(column..10).collect::<Vec<_>>(), &[column]).unwrap();
    });
    assert_eq!(Stages::detect(&full.build().0), None);
    assert_eq!(Stages::detect(&PatternBuilder::new(0, 0).build().0), None);
    assert_eq!(Stages::detect(&PatternBuilder::new(3, 2).build().0), None);
}
