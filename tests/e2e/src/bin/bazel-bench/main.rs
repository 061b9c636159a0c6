//! Measures the cost of Fixpoint in Bazel, as ratios of runs that alternate. `benches/bazel` runs
//! it.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "measures programs on files, and prints its progress"
)]

mod page;
mod plot;
mod ratio;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

use fixpoint_e2e::{Workspace, binary, generate, repository, run};
use serde_json::{Value, json};

const SIZES: [usize; 3] = [100, 1_000, 10_000];
/// The number of runs in a turn, and the number of turns. The median of all runs is reported.
const RUNS: usize = 4;
const TURNS: usize = 3;

fn main() {
    let benches = repository().join("benches");
    let kept = benches.join("bazel.json");
    // `--page` regenerates the page from the last measurements.
    let measured = if env::args().any(|it| it == "--page") {
        let text = fs::read_to_string(&kept).expect("results");
        serde_json::from_str(&text).expect("results")
    } else {
        let sizes = SIZES.map(measure);
        json!({ "sizes": sizes, "executions": executions(1_000) })
    };
    write(&kept, &format!("{measured:#}\n"));
    let ratios = ratio::ratios(&measured);
    write(&benches.join("bazel.svg"), &plot::svg(&ratios));
    write(
        &benches.join("BAZEL.md"),
        &page::markdown(&measured, &ratios),
    );
}

fn write(path: &Path, text: &str) {
    fs::write(path, text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// Seconds of one command that must succeed.
fn seconds(workspace: &Workspace, arguments: &[&str]) -> f64 {
    let start = Instant::now();
    workspace.bazel(arguments).succeeds();
    start.elapsed().as_secs_f64()
}

/// Seconds of a strict build that fails and has failed before.
fn failing_again(workspace: &Workspace) -> f64 {
    workspace.bazel(STRICT).fails();
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        workspace.bazel(STRICT).fails();
        start.elapsed().as_secs_f64()
    });
    median(times.collect())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

const PLAIN: &[&str] = &["build", "//..."];
const FIX: &[&str] = &["build", "--config=fix", "//..."];
const STRICT: &[&str] = &["build", "--config=strict", "//..."];
const TEST: &[&str] = &["test", "//..."];

fn measure(files: usize) -> Value {
    let workspace = Workspace::fresh();
    generate(&workspace, files);
    workspace.write("probe/input.txt", "0\n");
    workspace.write(
        "probe/BUILD.bazel",
        "genrule(\n    name = \"copy\",\n    srcs = [\"input.txt\"],\n    outs = [\"output.txt\"],\n    \
         cmd = \"cp $< $@\",\n    tags = [\"no-fixpoint\"],\n)\n",
    );
    seconds(&workspace, &["info"]);
    let analysis = seconds(&workspace, &["build", "--config=fix", "--nobuild", "//..."]);
    let first = seconds(&workspace, FIX);
    // Both alternate, so that neither has the warmer server or the quieter machine.
    let mut times: [Vec<f64>; 4] = Default::default();
    for _ in 0..TURNS {
        for (command, at, path, text) in [
            (PLAIN, 0, "probe/input.txt", "Change number "),
            (FIX, 1, "part_0/file_4.md", "# File 4\n\nChange number "),
        ] {
            seconds(&workspace, command);
            for _ in 0..RUNS {
                times[at].push(seconds(&workspace, command));
                workspace.write(path, format!("{text}{}\n", times[at].len()));
                times[at + 2].push(seconds(&workspace, command));
            }
        }
    }
    let [plain, fix, copied, analyzed] = times.map(median);
    let failing = failing_again(&workspace);
    let covered = cover(&workspace);
    eprintln!(
        "{files}: analysis {analysis:.2}, first {first:.2}, no-op {plain:.3} and {fix:.3}, one file {copied:.3} and {analyzed:.3}"
    );
    json!({
        "files": files,
        "cold_analysis": analysis,
        "first_build": first,
        "no_op_plain": plain,
        "no_op_fix": fix,
        "one_genrule_plain": copied,
        "one_file_fix": analyzed,
        "failing_strict": failing,
        "workspace_test": covered,
    })
}

/// Measures `fix_workspace_test` beside a build without it, and its first run beside the command line.
fn cover(workspace: &Workspace) -> Value {
    let plain = workspace.read("BUILD.bazel");
    let covered = plain.replacen("\"fix\")", "\"fix\", \"fix_workspace_test\")", 1)
        + "\nfix_workspace_test(name = \"fixpoint_test\")\n";
    // Without this line, the test would know all files from its last run.
    let forget = |number: usize| workspace.write("fixpoint.toml", format!("# {number}\n"));
    workspace.write("BUILD.bazel", &covered);
    seconds(workspace, TEST);
    let mut times: [Vec<f64>; 4] = Default::default();
    for number in 0..TURNS {
        workspace.write("BUILD.bazel", &plain);
        seconds(workspace, PLAIN);
        times[0].extend((0..RUNS).map(|_| seconds(workspace, PLAIN)));
        let start = Instant::now();
        run(Command::new(binary())
            .arg("check")
            .current_dir(workspace.root()))
        .succeeds();
        times[1].push(start.elapsed().as_secs_f64());
        workspace.write("BUILD.bazel", &covered);
        seconds(workspace, TEST);
        times[2].extend((0..RUNS).map(|_| seconds(workspace, TEST)));
        forget(number);
        times[3].push(seconds(workspace, TEST));
    }
    let [plain, check, no_op, first] = times.map(median);
    eprintln!(
        "workspace test: no-op {plain:.3} and {no_op:.3}, first run {check:.3} and {first:.3}"
    );
    json!({ "no_op_plain": plain, "no_op_test": no_op, "check": check, "first_run": first })
}

/// Measures the first build of all reports with different execution strategies.
fn executions(files: usize) -> Value {
    let ways: [(&str, &str, bool); 6] = [
        ("batches in a worker (the default)", "worker", true),
        ("one file an action in the sandbox", "linux-sandbox", false),
        ("batches in the sandbox", "linux-sandbox", true),
        ("one file an action in a worker", "worker", false),
        ("batches without a sandbox", "local", true),
        ("one file an action without a sandbox", "local", false),
    ];
    let times = ways.map(|(way, strategy, batched)| {
        let workspace = Workspace::fresh();
        generate(&workspace, files);
        let mut module = workspace.read("MODULE.bazel");
        if !batched {
            let rules = unbatched(&workspace);
            module = module.replace(&*repository().to_string_lossy(), &rules.to_string_lossy());
        }
        workspace.write("MODULE.bazel", module);
        let flag = format!("--strategy=FixpointAnalyze={strategy}");
        seconds(
            &workspace,
            &["build", "--config=fix", &flag, "--nobuild", "//..."],
        );
        let time = seconds(&workspace, &["build", "--config=fix", &flag, "//..."]);
        eprintln!("{way}: {time:.2}");
        json!({ "way": way, "seconds": time })
    });
    json!(times)
}

/// A copy of the rules in which every batch is one file.
fn unbatched(workspace: &Workspace) -> PathBuf {
    let copy = workspace.root().with_file_name("rules");
    for folder in ["rules", "rules/private", "toolchain", "toolchain/private"] {
        fs::create_dir_all(copy.join(folder)).expect("a folder");
        for entry in fs::read_dir(repository().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.file_name().expect("a name");
                fs::copy(&path, copy.join(folder).join(name)).expect("a copy");
            }
        }
    }
    for file in ["MODULE.bazel", "BUILD.bazel"] {
        fs::copy(repository().join(file), copy.join(file)).expect("a copy");
    }
    let collect = copy.join("rules/private/collect.bzl");
    let text = fs::read_to_string(&collect).expect("the rules");
    let (before, after) = text
        .split_once("_BATCH_SIZE = ")
        .expect("the size of a batch");
    let (_, after) = after.split_once('\n').expect("a line");
    write(&collect, &format!("{before}_BATCH_SIZE = 1\n{after}"));
    copy
}
