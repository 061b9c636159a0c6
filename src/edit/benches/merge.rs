//! Measures merging and applying edits, for a thousand to a million edits in one file. Prints one
//! JSON line per case and size: nanoseconds per edit, the best of several passes.
//!
//! Every pass covers a million edits, in one file or in a thousand. Otherwise a small file would
//! look cheap only because it is still cached from the previous pass.

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

/// The same allocator that the command line uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const EDITS: usize = 1_000_000;
const EDITS_PER_FILE: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
const LINE: &str = "let value = compute(first,second);\n";
const PASSES: usize = 5;

fn main() {
    for size in EDITS_PER_FILE {
        report("single_edit_fixes", size, |text| {
            fixes(text, (0..size).map(|line| vec![edit_on(text, line)]))
        });
        report("one_fix", size, |text| {
            fixes(text, [(0..size).map(|line| edit_on(text, line)).collect()])
        });
    }
}

fn report(case: &str, size: usize, fixes_on: impl Fn(&Snapshot) -> Vec<Fix>) {
    let text = Snapshot::new("file.txt", LINE.repeat(size));
    let fixes = fixes_on(&text);
    let files: Vec<(Snapshot, Vec<Fix>)> = (0..EDITS / size)
        .map(|_| (Snapshot::new("file.txt", text.text()), fixes.clone()))
        .collect();
    let pass = |_| {
        let start = processor_time();
        for (text, fixes) in &files {
            let merged = merge(&Snapshots::of(text), fixes);
            assert_eq!(merged.accepted().len(), fixes.len());
            black_box(merged.apply(text));
        }
        processor_time() - start
    };
    let best = (0..PASSES).map(pass).min().unwrap_or_default();
    let per_edit = best.as_nanos() as f64 / EDITS as f64;
    println!(r#"{{"case":"{case}","edits":{size},"ns_per_edit":{per_edit:.1}}}"#);
}

/// Inserts a space after the comma of a line. The line number in the text makes every fix unique,
/// so that the ids are in no particular order, as in practice.
fn edit_on(text: &Snapshot, line: usize) -> Edit {
    let comma = line * LINE.len() + LINE.find(',').unwrap_or_default();
    Edit::replace(
        text,
        Span::from(comma..comma + 1),
        format!(", /* {line} */"),
    )
}

fn fixes(source: &Snapshot, edits: impl IntoIterator<Item = Vec<Edit>>) -> Vec<Fix> {
    let fix = |edits| Fix {
        rule: "comma-space".to_owned(),
        edits,
        ..Fix::default()
    };
    let mut fixes: Vec<Fix> = edits.into_iter().map(fix).collect();
    Names::default().name_fixes(source, &mut fixes, &|offset| offset);
    fixes
}

/// The CPU time of this thread, which does not depend on the load of the machine. Falls back to
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
