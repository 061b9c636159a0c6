//! Computes what builds of large workspaces send to and get from a remote executor, from a build of a small one.
//! `benches/remote` runs it.
#![allow(
    clippy::disallowed_methods,
    clippy::cast_precision_loss,
    reason = "measures programs on files, and prints estimates"
)]

mod page;
mod simulation;
mod spawns;

use std::{env, fs};

use fixpoint_e2e::{Workspace, generate, repository};
use serde_json::{Value, json};

use crate::simulation::Costs;

/// The workspace whose actions are measured, and a larger one, with which the formula is checked.
const MEASURED: usize = 1_000;
const CHECKED: usize = 4_000;

fn main() {
    let benches = repository().join("benches");
    let kept = benches.join("remote.json");
    // `--page` regenerates the page from the last measurements.
    let results = if env::args().any(|it| it == "--page") {
        let text = fs::read_to_string(&kept).expect("results");
        serde_json::from_str(&text).expect("results")
    } else {
        let (small, large) = (measure(MEASURED), measure(CHECKED));
        json!({ "measured": small.to_json(), "checked": large.to_json() })
    };
    fs::write(&kept, format!("{results:#}\n")).expect("written");
    let page = page::markdown(&costs(&results["measured"]), &costs(&results["checked"]));
    fs::write(benches.join("REMOTE.md"), page).expect("written");
}

fn costs(value: &Value) -> Costs {
    Costs::from_json(value).expect("results")
}

/// Builds all reports of a workspace, and adds up what its actions read and write.
fn measure(files: usize) -> Costs {
    let workspace = Workspace::fresh();
    generate(&workspace, files);
    let log = workspace.root().with_file_name("spawns.json");
    let flag = format!("--execution_log_json_file={}", log.display());
    workspace
        .bazel(["build", "--config=fix", &flag, "//..."])
        .succeeds();
    let text = fs::read_to_string(log).expect("the log");
    let spawns = spawns::analyses(&text);
    Costs::of(files, &spawns)
}
