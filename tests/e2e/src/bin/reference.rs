//! Regenerates `docs/rules.md`.
#![allow(clippy::disallowed_methods, reason = "this program writes a file")]

fn main() -> std::io::Result<()> {
    let page = fixpoint_e2e::repository().join("docs/rules.md");
    std::fs::write(page, fixpoint_e2e::reference())
}
