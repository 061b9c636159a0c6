//! What an edit costs, from a thousand to a million of them in one file. One JSON line per size
//! and case: nanoseconds per edit for a merge and its application, the best of several runs.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints what a clock says"
)]

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use fixpoint_edit::{Snapshots, merge};
use fixpoint_report::{Edit, Fix, Names};
use fixpoint_text::{Snapshot, Span};

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const LINE: &str = "let value = compute(first,second);\n";
const BATCHES: usize = 3;
/// Short runs are repeated until they are long enough for the clock, which may tick in milliseconds.
const BATCH_TIME: Duration = Duration::from_millis(300);

fn main() {
    for size in SIZES {
        let text = Snapshot::new("file.txt", LINE.repeat(size));
        let edits: Vec<Edit> = (0..size).map(|line| edit_on(&text, line)).collect();
        let single = fixes(edits.iter().map(|edit| vec![edit.clone()]));
        report(
            "single_edit_fixes",
            size,
            nanoseconds_per_edit(&text, &single, size),
        );
        report(
            "one_fix",
            size,
            nanoseconds_per_edit(&text, &fixes([edits]), size),
        );
    }
}

/// A space after the comma of a line.
fn edit_on(text: &Snapshot, line: usize) -> Edit {
    let comma = line * LINE.len() + LINE.find(',').unwrap_or_default();
    // The line's number makes each fix another one, so that ids come in no order, as they do in life.
    Edit::replace(
        text,
        Span::from(comma..comma + 1),
        format!(", /* {line} */"),
    )
}

fn fixes(edits: impl IntoIterator<Item = Vec<Edit>>) -> Vec<Fix> {
    let fix = |edits| Fix {
        rule: "comma-space".to_owned(),
        edits,
        ..Fix::default()
    };
    let mut fixes: Vec<Fix> = edits.into_iter().map(fix).collect();
    Names::default().name_fixes(&mut fixes, &|offset| offset);
    fixes
}

fn nanoseconds_per_edit(text: &Snapshot, fixes: &[Fix], edits: usize) -> f64 {
    let snapshots = Snapshots::of(text);
    let run = || {
        let merged = merge(&snapshots, black_box(fixes));
        let applied = black_box(merged.apply(text));
        assert_eq!(merged.accepted().len(), fixes.len());
        assert!(applied.text.len() > text.text().len());
    };
    let batch = |_| {
        let (start, mut runs) = (processor_time(), 0_u32);
        loop {
            run();
            runs += 1;
            let spent = processor_time() - start;
            if spent >= BATCH_TIME {
                return spent / runs;
            }
        }
    };
    let best = (0..BATCHES).map(batch).min().unwrap_or_default();
    best.as_nanos() as f64 / edits as f64
}

/// What this thread has computed so far, so that a busy machine does not count; the time of day
/// where the system does not tell.
fn processor_time() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let computed = || {
        let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        statistics
            .split_whitespace()
            .next()?
            .parse()
            .ok()
            .map(Duration::from_nanos)
    };
    computed().unwrap_or_else(|| START.elapsed())
}

fn report(case: &str, edits: usize, nanoseconds: f64) {
    println!(r#"{{"case":"{case}","edits":{edits},"ns_per_edit":{nanoseconds:.1}}}"#);
}
