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
