//! Measures compilation in one process: `cargo bench --package fixpoint-clank --bench compile --
//! FILE...`.
//!
//! Prints one JSON line per file with milliseconds of processor time, the best of several passes.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a benchmark reads files and prints what a clock says"
)]

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use fixpoint_clank::{Input, Options, compile};

/// The allocator of the command line tool.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PASSES: usize = 5;
/// The operating system reports processor time in steps of a few milliseconds, so a pass must take
/// much longer.
const ENOUGH: Duration = Duration::from_millis(60);

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
        let start = processor_time();
        // Results are kept, so that dropping them is not measured.
        let mut results = Vec::new();
        loop {
            results.push(work());
            let took = processor_time() - start;
            if took >= ENOUGH {
                return took / u32::try_from(results.len()).unwrap_or(u32::MAX);
            }
        }
    };
    (0..PASSES).map(pass).min().unwrap_or_default()
}

/// The processor time of this thread, so that a busy machine does not affect it. Falls back to
/// wall-clock time if the system does not report it.
fn processor_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let computed = || {
        let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        let nanoseconds = statistics.split_whitespace().next()?;
        nanoseconds.parse().ok().map(Duration::from_nanos)
    };
    computed().unwrap_or_else(|| START.elapsed())
}
