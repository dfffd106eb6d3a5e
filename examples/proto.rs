use lariat::{problem, tasks::*};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let p = match problem::load(&args[1], &text, &args[3..].to_vec()) { Ok(p) => p, Err(d) => { print!("{}", lariat::error::render(&d, false)); return } };
    let TaskSpec::InverseDynamics(spec) = &p.spec.task;
    let t = std::time::Instant::now();
    let out = inverse_dynamics::run(&p.system, spec, &mut Silent);
    let r = &out.report;
    println!("{} {:?} {} | {:?}", r.status, r.message, r.method, t.elapsed());
    println!("grid {:?}\nres {:?} iters {}", r.grid, r.residuals, r.iterations.len());
    if let Some(v) = &r.verification { println!("verify {:?} halved {} ", v.max_error, v.halved_steps); }
    println!("energy {:?} times {:?}", r.energy, r.timings);
    println!("warn {:?}", r.warnings);
    if args[2] != "-" {
    let text = std::fs::read_to_string(format!("/work/shared/reference/inverse/{}.csv", args[2])).unwrap();
    let dt = p.system.grid.dt;
    let rows: Vec<Vec<f64>> = text.lines().skip(1).map(|l| l.split(',').map(|x| x.parse().unwrap()).collect()).collect();
    let nc = out.actuation.columns.len();
    for c in 0..nc { let mut mx=0f64; let mut er=0f64; let mut n=0; let mut wt=0.;
        for r in &rows { let k = (r[0]/dt).round() as usize; if ((k as f64*dt)-r[0]).abs()>1e-9 {continue} n+=1;
            mx=mx.max(r[1+c].abs()); let e=(out.actuation.columns[c].1[k]-r[1+c]).abs(); if e>er {er=e; wt=r[0]} }
        println!("{} rel err {:.3e} at {} of {}", out.actuation.columns[c].0, er/mx, wt, n);
    }}
}
