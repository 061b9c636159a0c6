//! Devices and pipes are rejected wherever a file is read, because reading one may never end.

use crate::bazel::analyzed_file;
use crate::project::{MESSY_JSON, Project};

fn with_pipe(name: &str) -> Project {
    let project = Project::new(&[("good.json", MESSY_JSON)]);
    let mode = rustix::fs::Mode::from_raw_mode(0o644);
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, project.path(name), kind, mode, 0).expect("a pipe");
    project
}

#[test]
fn a_report_that_is_a_pipe_or_a_device_is_rejected() {
    let project = with_pipe("pipe");
    std::os::unix::fs::symlink("/dev/zero", project.path("link")).expect("linked");
    for name in ["pipe", "/dev/zero", "/dev/stdin", "link"] {
        for command in [
            &["show", name][..],
            &["apply", name],
            &["apply", "--dry-run", name],
        ] {
            project
                .run(command)
                .exits_with(3)
                .complains("not a regular file");
        }
    }
}

#[test]
fn actions_in_a_pipe_are_rejected() {
    for name in ["pipe.json", "pipe.yaml"] {
        with_pipe(name)
            .run(&["apply", "--actions", name])
            .exits_with(3)
            .complains("not a regular file");
    }
}

#[test]
fn a_source_that_is_a_pipe_is_rejected() {
    let project = with_pipe("pipe.clank");
    for command in ["format", "compile", "run", "repair"] {
        project
            .run(&[command, "pipe.clank"])
            .exits_with(3)
            .complains("not a regular file");
    }
    project.write("main.clank", "fn main() -> IO + Unit { }\n");
    project
        .run(&["compile", "main.clank", "--module", "pipe=pipe.clank"])
        .exits_with(3)
        .complains("not a regular file");
}

#[test]
fn settings_schemas_and_rules_in_pipes_are_rejected() {
    with_pipe("schema.json")
        .run(&["check", "good.json"])
        .exits_with(0);
    for settings in [
        "[[validate.schema]]\nfiles = [\"good.json\"]\nschema = \"pipe.json\"\n",
        "[validate]\nrules = [\"pipe.json\"]\n",
    ] {
        let project = with_pipe("pipe.json");
        project.write("fixpoint.toml", settings);
        project
            .run(&["check", "good.json"])
            .exits_with(2)
            .complains("not a regular file");
    }
    let project = with_pipe("pipe");
    std::fs::remove_file(project.path("fixpoint.toml")).expect("removed");
    std::fs::rename(project.path("pipe"), project.path("fixpoint.toml")).expect("renamed");
    project
        .run(&["check", "good.json"])
        .exits_with(3)
        .complains("not a regular file");
}

#[test]
fn a_bazel_action_rejects_pipes() {
    let project = with_pipe("pipe.json");
    project.write("config", "");
    let analyze = |source: &str, config: &str| {
        let (file, config) = (
            analyzed_file(source, "out/r", "out/c"),
            format!("--config={config}"),
        );
        project.run(&["bazel", "analyze", &config, &file])
    };
    analyze("pipe.json", "config")
        .exits_with(3)
        .complains("not a regular file");
    analyze("good.json", "pipe.json")
        .exits_with(3)
        .complains("not a regular file");
    project
        .run(&["bazel", "@pipe.json"])
        .exits_with(3)
        .complains("not a regular file");
}

#[test]
fn messages_that_name_a_pipe_beside_a_map_are_passed_on() {
    with_pipe("a.py.fix-map.json")
        .run_with_input(&["map"], b"a.py:1:1: message\n")
        .exits_with(0)
        .prints("a.py:1:1: message");
}
