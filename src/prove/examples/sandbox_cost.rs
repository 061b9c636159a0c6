//! Prints the median cost of the sandbox beside a plain start of the same program:
//! `cargo run --release -p fixpoint-prove --example sandbox_cost`.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a benchmark starts processes, reads the clock and prints"
)]

use std::error::Error;
use std::time::{Duration, Instant};

use fixpoint_prove::runner::{RunRequest, Runner, RunnerConfig};

const RUNS: usize = 200;

fn main() -> Result<(), Box<dyn Error>> {
    fixpoint_prove::sandbox::enter_if_requested();
    let folder = tempfile::tempdir()?;
    let tree = folder.path().join("tree");
    std::fs::create_dir(&tree)?;
    let config = RunnerConfig::new(folder.path().to_owned());
    let runner = Runner::new(config, std::env::vars())?;
    let request = RunRequest::new(
        vec!["true".to_owned()],
        tree.clone(),
        tree,
        Duration::from_secs(60),
    );
    let mut plain = Vec::new();
    let mut sandboxed = Vec::new();
    // The two alternate, so that a change of the machine's load affects both.
    for _ in 0..RUNS {
        let start = Instant::now();
        std::process::Command::new("true").output()?;
        plain.push(start.elapsed());
        let start = Instant::now();
        runner.run(&request)?;
        sandboxed.push(start.elapsed());
    }
    let (plain, sandboxed) = (median(plain), median(sandboxed));
    println!("plain start: {plain:.2} ms");
    println!("sandbox:     {sandboxed:.2} ms");
    println!("cost:        {:.2} ms", sandboxed - plain);
    Ok(())
}

/// In milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times
        .get(times.len() / 2)
        .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}
