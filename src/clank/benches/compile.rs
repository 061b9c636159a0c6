//! What a compilation costs in one process: `cargo bench --package fixpoint-clank --bench compile --
//! FILE...`. One JSON line per file: milliseconds for the whole file, the best of several passes.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a benchmark reads files and prints what a clock says"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use fixpoint_clank::{Input, Options, compile};

/// The one that the command line has.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PASSES: usize = 5;

fn main() {
    let files = std::env::args().skip(1).filter(|it| !it.starts_with("--"));
    for file in files {
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        let text = text.as_str();
        let best = best(|| {
            let file = "a.clank";
            black_box(compile(Input::Source { file, text }, &Options::default()))
        });
        let (lines, ms) = (text.lines().count(), 1e3 * best.as_secs_f64());
        println!(r#"{{"file":"{file}","lines":{lines},"ms":{ms:.3}}}"#);
    }
}

fn best<T>(work: impl Fn() -> T) -> Duration {
    let pass = |_| {
        let start = Instant::now();
        let result = work();
        let took = start.elapsed();
        drop(result);
        took
    };
    (0..PASSES).map(pass).min().unwrap_or_default()
}
