//! Tests that the page about the rules is up to date.

use std::fs;

use fixpoint_e2e::{reference, repository};

#[test]
fn the_reference_matches_the_code() {
    let page = fs::read_to_string(repository().join("docs/rules.md")).expect("docs/rules.md");
    assert!(
        page == reference(),
        "docs/rules.md is not what the code says; run `cargo run -p fixpoint-e2e --bin reference`"
    );
    for name in [
        "FixInfo",
        "canonical_sources",
        "document_schema",
        "fix",
        "fix_action.analyze",
        "fix_aspect",
        "fix_test",
        "fix_workspace_test",
        "strict_aspect",
        "view_aspect",
    ] {
        assert!(
            page.contains(&format!("\n## `{name}`\n")),
            "{name} is missing"
        );
    }
}
