use super::*;
use crate::nlp::Bounds;
use crate::nlp::graph::Graph;

/// x(t) = 2t at nodes, a row per interval and one path row per node, and a global value.
fn layout(intervals: usize) -> MeshLayout {
    let node = |k: usize| k as f64 / intervals as f64;
    let mut variables: Vec<MeshPlace> = (0..=intervals).map(|k| MeshPlace::At { family: 0, time: node(k) }).collect();
    variables.push(MeshPlace::Global { family: 1 });
    let defect = |k: usize| MeshPlace::At { family: 0, time: (k as f64 + 0.5) / intervals as f64 };
    let mut rows: Vec<RowPlace> =
        (0..intervals).map(|k| RowPlace { place: defect(k), weight: Weight::Independent }).collect();
    rows.extend(
        (0..=intervals).map(|k| RowPlace { place: MeshPlace::At { family: 1, time: node(k) }, weight: Weight::Step }),
    );
    MeshLayout { variables, rows }
}

fn sampled(intervals: usize) -> Iterate {
    let MeshLayout { variables, rows } = layout(intervals);
    let x = |place: &MeshPlace| if place.family() == 1 { 7.0 } else { 2.0 * place.time() };
    let h = 1.0 / intervals as f64;
    let z = |place: &MeshPlace| if place.family() == 1 { 3.0 } else { h * (1.0 + place.time()) };
    let lambda = |row: &RowPlace| {
        let density = 1.0 - row.place.time();
        if row.weight == Weight::Step { h * density } else { density }
    };
    Iterate {
        x: variables.iter().map(x).collect(),
        lambda: rows.iter().map(lambda).collect(),
        z_lower: variables.iter().map(z).collect(),
        z_upper: vec![0.0; variables.len()],
    }
}

/// Linear functions and their densities pass from mesh to mesh without error, in the inside of the span.
#[test]
fn linear_functions_are_transferred_exactly() {
    for (coarse, fine) in [(4, 8), (5, 15), (8, 4)] {
        let (old, new) = (layout(coarse), layout(fine));
        let Ok(moved) = transfer(&sampled(coarse), (&old, coarse), (&new, fine)) else { panic!("a family is missing") };
        let expected = sampled(fine);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-14;
        assert!(moved.x.iter().zip(&expected.x).all(|(a, b)| near(*a, *b)));
        assert!(moved.z_lower.iter().zip(&expected.z_lower).all(|(a, b)| near(*a, *b)));
        for ((row, a), b) in new.rows.iter().zip(&moved.lambda).zip(&expected.lambda) {
            let edge = 0.5 / coarse as f64;
            let inside = (edge..=1.0 - edge).contains(&row.place.time());
            // Beyond the outermost samples a function is continued as a constant.
            let held = if row.place.time() < 0.5 { 1.0 - edge } else { edge };
            assert!(near(*a, if inside || row.place.family() == 1 { *b } else { held }), "{row:?}: {a} for {b}");
        }
    }
}

#[test]
fn products_are_raised_to_the_barrier_parameter() {
    let bounds = Bounds {
        x_lower: vec![0.0, 0.0, 0.0, 0.0, f64::NEG_INFINITY, 1.0, 0.0],
        x_upper: vec![f64::INFINITY, f64::INFINITY, f64::INFINITY, 1.0, 2.0, 1.0, 1e-9],
        ..Bounds::default()
    };
    let mut iterate = Iterate {
        // Active, far away, both small, above μ, active at an upper bound, fixed, hardly any room.
        x: vec![0.0, 5.0, 0.0, 0.5, 2.0, 3.0, 0.0],
        lambda: Vec::new(),
        z_lower: vec![4.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0],
        z_upper: vec![0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0],
    };
    let mu = 1e-6;
    centre(&mut iterate, &bounds, mu);
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs();
    assert!(near(iterate.x[0], mu / 4.0) && iterate.z_lower[0] == 4.0);
    assert!(iterate.x[1] == 5.0 && near(iterate.z_lower[1], mu / 5.0));
    assert!(near(iterate.x[2], 1e-3) && near(iterate.z_lower[2], 1e-3));
    assert!(iterate.x[3] == 0.5 && iterate.z_lower[3] == 1.0 && near(iterate.z_upper[3], 2.0 * mu));
    assert!(near(2.0 - iterate.x[4], mu / 2.0) && iterate.z_upper[4] == 2.0 && iterate.z_lower[4] == 0.0);
    assert_eq!(iterate.x[5], 1.0);
    assert!(near(iterate.x[6], 5e-10), "the middle is as far as it goes: {}", iterate.x[6]);
}

#[test]
fn meshes_are_the_finest_divided() {
    let meshes = |finest, coarsest, growth| MeshOptions { coarsest, growth, ..MeshOptions::to(finest) }.meshes();
    assert_eq!(meshes(400, 25, 2), [25, 50, 100, 200, 400]);
    assert_eq!(meshes(100, 10, 3), [12, 34, 100]);
    assert_eq!(meshes(10, 25, 2), [10]);
    assert_eq!(meshes(1, 0, 2), [1]);
}

/// A quadratic on a mesh: x(k) near t(k); the start and the layout can be made wrong.
struct Simple {
    start: usize,
    rows: usize,
    time: f64,
    family: usize,
}

impl OnMesh for Simple {
    fn program(&self, intervals: usize) -> Box<dyn Nlp> {
        let g = Graph::new();
        let x: Vec<_> = (0..=intervals).map(|k| g.variable(format!("x {k}"), 0.0, 0.0, 2.0)).collect();
        g.minimise(g.sum(x.iter().enumerate().map(|(k, x)| (*x - k as f64 / intervals as f64).square())));
        Box::new(g.build())
    }

    fn start(&self, intervals: usize) -> Vec<f64> {
        vec![1.0; intervals + self.start]
    }

    fn layout(&self, intervals: usize) -> MeshLayout {
        let place = |k: usize| MeshPlace::At {
            family: if intervals > 4 { self.family } else { 0 },
            time: self.time * k as f64 / intervals as f64,
        };
        let row = RowPlace { place: place(0), weight: Weight::Independent };
        MeshLayout { variables: (0..=intervals).map(place).collect(), rows: vec![row; self.rows] }
    }
}

#[test]
fn wrong_layouts_and_options_are_explained() {
    let sound = Simple { start: 1, rows: 0, time: 1.0, family: 0 };
    let options = MeshOptions { coarsest: 4, ..MeshOptions::to(8) };
    let run = |problem: &Simple, options: &MeshOptions| solve_on_meshes(problem, options, &mut |_, _| true);
    let message = |problem: &Simple| run(problem, &options).unwrap_err().to_string();
    let done = run(&sound, &options).unwrap();
    assert_eq!((done.status, done.intervals, done.meshes.len()), (Status::Solved, 8, 2));
    assert!(!done.meshes[0].continued && done.meshes[1].continued);
    assert!((done.solution.iterate.x[4] - 0.5).abs() < 1e-6);
    assert_eq!(done.iterations, done.meshes.iter().map(|mesh| mesh.iterations).sum::<usize>());
    assert!(message(&Simple { start: 2, ..sound }).contains("6 starting values but the program has 5"));
    assert!(
        message(&Simple { rows: 3, ..sound }).contains("on 4 intervals the layout has 3 rows but the program has 0")
    );
    assert!(message(&Simple { time: 2.0, ..sound }).contains("the place of x 3 is at 1.5 of the time span"));
    assert!(
        message(&Simple { family: 2, ..sound }).contains("x 0 belongs to family 2, of which the mesh of 4 intervals")
    );
    assert_eq!(run(&sound, &MeshOptions::to(0)), Err(MeshError::NoInterval));
    assert_eq!(run(&sound, &MeshOptions { growth: 1, ..options.clone() }), Err(MeshError::Growth(1)));
    assert!(matches!(run(&sound, &MeshOptions { first_mu: 0.0, ..options.clone() }), Err(MeshError::Barrier(_))));
}

/// The same quadratic by deviations from the mesh that is followed; from there it may have no solution.
struct Moving {
    hopeless: bool,
    followed: std::cell::RefCell<Option<Vec<f64>>>,
}

impl Moving {
    fn reference(&self, intervals: usize, k: usize) -> f64 {
        let place = |x: &Vec<f64>| x[k * (x.len() - 1) / intervals];
        self.followed.borrow().as_ref().map_or(0.0, place)
    }
}

impl OnMesh for Moving {
    fn program(&self, intervals: usize) -> Box<dyn Nlp> {
        let g = Graph::new();
        let x: Vec<_> = (0..=intervals).map(|k| g.variable(format!("x {k}"), 0.0, -2.0, 2.0)).collect();
        let deviation = |k: usize| x[k] + self.reference(intervals, k) - k as f64 / intervals as f64;
        g.minimise(g.sum((0..=intervals).map(|k| deviation(k).square()).collect::<Vec<_>>()));
        let unreachable = self.hopeless && self.followed.borrow().is_some();
        g.subject_to("row", x[0] + x[1], -1.0, if unreachable { -f64::EPSILON } else { 1.0 });
        g.subject_to("other row", x[0] + x[1], if unreachable { 0.5 } else { -1.0 }, 1.0);
        Box::new(g.build())
    }

    fn start(&self, intervals: usize) -> Vec<f64> {
        vec![1.0; intervals + 1]
    }

    fn layout(&self, intervals: usize) -> MeshLayout {
        let place = |k: usize| MeshPlace::At { family: 0, time: k as f64 / intervals as f64 };
        let row = |family: usize| RowPlace { place: MeshPlace::Global { family }, weight: Weight::Independent };
        MeshLayout { variables: (0..=intervals).map(place).collect(), rows: vec![row(1), row(2)] }
    }

    fn follow(&self, coarser: Option<(usize, &Iterate)>) -> bool {
        self.followed.replace(coarser.map(|(_, iterate)| iterate.x.clone()));
        true
    }

    fn settle(&self, _intervals: usize, start: &mut Iterate) {
        start.x.fill(0.0);
    }
}

/// A program may depend on the solution it continues; where that leads nowhere it is stated anew without it.
#[test]
fn programs_follow_coarser_solutions() {
    let options = MeshOptions { coarsest: 4, ..MeshOptions::to(8) };
    let run = |hopeless: bool| {
        let problem = Moving { hopeless, followed: Default::default() };
        let done = solve_on_meshes(&problem, &options, &mut |_, _| true).unwrap();
        assert_eq!((done.status, done.intervals), (Status::Solved, 8));
        // The positions are the deviations from what the last program was stated about.
        let position = |k: usize| done.solution.iterate.x[k] + problem.reference(8, k);
        assert!((0..=8).all(|k| (position(k) - k as f64 / 8.0).abs() < 1e-6), "{:?}", done.solution.iterate.x);
        done.meshes.iter().map(|mesh| (mesh.intervals, mesh.continued)).collect::<Vec<_>>()
    };
    assert_eq!(run(false), [(4, false), (8, true)]);
    assert_eq!(run(true), [(4, false), (8, true), (8, false)]);
}
