//! Tests the folders of `examples`, exactly as their READMEs describe.

use std::fs;

use fixpoint_e2e::{Tree, Workspace, repository};

/// A command of the README, its expected output and its exit status.
#[derive(Debug, Default)]
struct Step {
    arguments: Vec<String>,
    says: Vec<String>,
    exits: i32,
}

/// The steps in the console blocks of an example's README.
fn steps(example: &str) -> Vec<Step> {
    let readme = repository()
        .join("examples")
        .join(example)
        .join("README.md");
    let readme = fs::read_to_string(readme).expect("README");
    let blocks = readme.split("```console\n").skip(1);
    let lines = blocks
        .filter_map(|rest| rest.split("```").next())
        .flat_map(str::lines);
    let mut steps: Vec<Step> = Vec::new();
    for line in lines {
        if let Some(command) = line.strip_prefix("$ bazel ") {
            let arguments = command.split(' ').map(str::to_owned).collect();
            steps.push(Step {
                arguments,
                ..Step::default()
            });
            continue;
        }
        let step = steps.last_mut().expect("a command comes first");
        match line
            .strip_prefix("[exits with ")
            .and_then(|rest| rest.strip_suffix(']'))
        {
            Some(code) => step.exits = code.parse().expect("an exit status"),
            None => step.says.push(line.to_owned()),
        }
    }
    steps
}

/// A copy of an example after the commands of its README succeeded as described.
fn followed(example: &str, count: usize) -> Workspace {
    let workspace = Workspace::new();
    workspace.copy(&repository().join("examples").join(example));
    let module = workspace.read("MODULE.bazel");
    let beside = "path = \"../fixpoint\"";
    assert!(module.contains(beside), "{module}");
    let here = format!("path = \"{}\"", repository().display());
    let module = module.replace(beside, &here) + &workspace.toolchain();
    workspace.write("MODULE.bazel", module);

    let steps = steps(example);
    assert_eq!(steps.len(), count, "{steps:?}");
    for Step {
        arguments,
        says,
        exits,
    } in &steps
    {
        let is_writer = arguments.contains(&"//:fix".to_owned());
        let before = Tree::of(workspace.root());
        let mut outcome = workspace.bazel(arguments).exits(*exits);
        for line in says {
            outcome = outcome.says(line);
        }
        assert_eq!(before.changed().is_empty(), !is_writer, "{arguments:?}");
    }
    workspace
}

#[test]
fn the_commands_of_the_clank_readme_do_what_it_says() {
    followed("clank", 5);
}

#[test]
fn the_commands_of_the_readme_of_a_rule_do_what_it_says() {
    followed("own_rule", 3);
}

#[test]
fn the_five_commands_of_the_readme_do_what_it_says() {
    // C-56 C-57 C-60 C-65 C-66
    let workspace = followed("polyglot", 5);
    workspace
        .bazel(["run", "//greet:hello"])
        .succeeds()
        .says("Hello, world!");
    workspace
        .bazel(["run", "//greet:greeting", "--", "de"])
        .succeeds()
        .says("Hallo, world!");
}
