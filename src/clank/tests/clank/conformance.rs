//! Compares external programs with the verdicts of the original compiler, if the fixtures are
//! available.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use fixpoint_clank::result::Status;
use fixpoint_clank::{Input, Options, compile};
use serde_json::Value;

/// The minimum number of programs with the same status and codes, by folder, as of writing this
/// test.
const FLOOR: &[(&str, usize)] = &[
    ("docs-examples", 8),
    ("e2e", 6),
    ("extra", 20),
    ("golden", 6),
    ("perf", 2),
];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures/clank")
}

fn expectations(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<_> = entries.map(|it| it.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            expectations(&path, found);
        } else if path.to_string_lossy().ends_with(".expect.json") {
            found.push(path);
        }
    }
}

/// The expected status and codes, without W0001. The original compiler never emits it, so only a
/// `seed` part asks for it.
fn expected(verdict: &Value) -> (String, BTreeSet<String>) {
    let seed = verdict.get("seed").and_then(|it| it.get("codes"));
    let codes = seed.or_else(|| verdict.get("codes"));
    let codes = codes.and_then(Value::as_array).into_iter().flatten();
    let codes = codes.filter_map(Value::as_str).map(str::to_owned).collect();
    let status = verdict["status"].as_str().unwrap_or_default().to_owned();
    (status, codes)
}

fn actual(path: &Path, text: &str) -> (String, BTreeSet<String>) {
    let input = if path.extension().is_some_and(|it| it == "json") {
        Input::Ast { json: text }
    } else {
        Input::Source {
            file: "main.clank",
            text,
        }
    };
    match compile(input, &Options::default()) {
        Err(_) => ("input_error".to_owned(), BTreeSet::new()),
        Ok(result) => {
            let status = match result.status {
                Status::Success => "success",
                Status::Error => "error",
                Status::Incomplete => "incomplete",
            };
            let codes = result.diagnostics.iter().map(|it| it.code.to_string());
            (status.to_owned(), codes.collect())
        }
    }
}

#[test]
fn verdicts_agree_with_the_original() {
    let root = fixtures();
    if !root.exists() {
        println!("skipped: no fixtures at {}", root.display());
        return;
    }
    let mut paths = Vec::new();
    expectations(&root, &mut paths);
    let mut score: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for expectation in paths {
        let program = expectation.to_string_lossy().replace(".expect.json", "");
        let program = PathBuf::from(program);
        let verdict = fs::read_to_string(&expectation).expect("readable");
        let verdict: Value = serde_json::from_str(&verdict).expect("JSON");
        let text = fs::read_to_string(&program).expect("readable");
        let wanted = expected(&verdict);
        let mut got = actual(&program, &text);
        if !wanted.1.contains("W0001") {
            got.1.remove("W0001");
        }
        let relative = program.strip_prefix(&root).expect("below the root");
        let folder = relative.iter().next().expect("a folder").to_string_lossy();
        let (agree, all) = score.entry(folder.into_owned()).or_default();
        *all += 1;
        if wanted == got {
            *agree += 1;
        } else {
            println!("{}: expected {wanted:?}, got {got:?}", relative.display());
        }
    }
    for (folder, (agree, all)) in &score {
        println!("{folder}: {agree} of {all}");
    }
    let total = score
        .values()
        .fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    println!("{} of {}", total.0, total.1);
    for (folder, floor) in FLOOR {
        let reached = score.get(*folder).map_or(0, |it| it.0);
        assert!(reached >= *floor, "{folder}: {reached} of at least {floor}");
    }
}
