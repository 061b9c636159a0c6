//! docs/regression-snapshots.md: runs its commands on its files, as they are written.

use std::path::Path;
use std::process::Command;

use crate::house::read;
use crate::project::{Ended, Project};

/// The fenced blocks of a language on the page.
fn blocks(language: &str) -> Vec<String> {
    let page = read("docs/regression-snapshots.md");
    let fence = format!("```{language}\n");
    let blocks = page.split(&fence).skip(1);
    blocks
        .filter_map(|rest| Some(rest.split_once("```")?.0.to_owned()))
        .collect()
}

fn shell(project: &Project, script: &str) -> Ended {
    let binary = Path::new(env!("CARGO_BIN_EXE_fixpoint"));
    let mut path = binary.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell
        .args(["-e", "-c", script])
        .current_dir(project.root())
        .env("PATH", path);
    Ended::from(shell.output().expect("a shell"))
}

#[test]
fn the_page_on_regression_snapshots_works_as_written() {
    // F-09 F-67
    let only = |language: &str| match blocks(language).as_slice() {
        [block] => block.clone(),
        other => panic!("{language}: {other:?}"),
    };
    let (yaml, json, toml) = (only("yaml"), only("json"), only("toml"));
    let scripts = blocks("sh");
    let [store, compare] = scripts.as_slice() else {
        panic!("{scripts:?}");
    };
    let project = Project::new(&[
        ("fixtures/app.yaml", yaml.as_str()),
        ("fixtures/schema.json", &json),
        ("fixpoint.toml", &toml),
    ]);
    shell(&project, store).exits_with(0);
    let stored = project.tree();
    assert!(
        project
            .read("snapshots/app.json")
            .contains("remove_array_item")
    );
    let diff = project.read("snapshots/app.diff");
    assert!(diff.contains("-port: \"80\"\n"), "{diff}");
    assert!(diff.contains("+port: 80\n"), "{diff}");
    assert!(diff.contains("+tags: [b, a]\n"), "{diff}");
    shell(&project, compare).exits_with(0);
    shell(&project, store).exits_with(0);
    let again = project.tree();
    for (path, bytes) in &stored {
        assert_eq!(again.get(path), Some(bytes), "{}", path.display());
    }
    // A change of the schema is a difference, and one of the fixture is rejected.
    project.write("fixtures/schema.json", json.replace("integer", "string"));
    shell(&project, compare)
        .exits_with(1)
        .prints("-      \"message\": \"expected integer");
    project.write("fixtures/schema.json", &json);
    project.write("fixtures/app.yaml", format!("{yaml}# new\n"));
    shell(&project, compare)
        .exits_with(1)
        .complains("changed_file");
}
