//! Tests that commands repair a `fixpoint.toml` that they cannot use.

use crate::project::Project;
use crate::validate::{SETTINGS, project};

#[test]
fn the_settings_themselves_can_be_repaired() {
    let project = project(&[("conf/a.yaml", "name: a\n")]);
    project.write("fixpoint.toml", SETTINGS.replace("files =", "file ="));
    for command in ["validate", "check"] {
        project
            .run(&[command, "fixpoint.toml"])
            .exits_with(2)
            .prints("Rename `file` to `files`")
            .complains("did you mean `files`?");
    }
    project
        .run(&["fix", "fixpoint.toml"])
        .exits_with(2)
        .complains("did you mean `files`?");
    project
        .run(&["fix", "--safety=likely", "fixpoint.toml"])
        .exits_with(0);
    assert_eq!(project.read("fixpoint.toml"), SETTINGS);
    project.run(&["validate"]).exits_with(0);
}

#[test]
fn settings_that_exclude_themselves_are_not_repaired() {
    let project = Project::new(&[]);
    for (settings, place) in [
        (
            "exclude=[\"fixpoint.toml\"]\nexlude=[]\n",
            "fixpoint.toml:2",
        ),
        (
            "exlude=[]\n[language.toml]\nenabled=false\n",
            "fixpoint.toml:1",
        ),
        ("exclude=\"fixpoint.toml\"\n", "fixpoint.toml:1"),
    ] {
        project.write("fixpoint.toml", settings);
        for command in [
            &["fix", "fixpoint.toml"][..],
            &["fix", "--safety=likely", "fixpoint.toml"],
        ] {
            project.run(command).exits_with(2).complains(place);
            assert_eq!(project.read("fixpoint.toml"), settings);
        }
    }
}
