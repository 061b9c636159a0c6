//! `fixpoint rules import` and `export`: rules of other repositories.

use std::path::Path;

use fixpoint_text::Digest;
use fixpoint_workspace::{RulesFolder, write_outputs};

use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::rule_pack::{self, pack_of, read_pack};
use crate::rule_store::RuleStore;

/// Adds rules that are not pinned, unless the person has named the digest of the file.
pub(super) fn import(
    store: &mut RuleStore,
    source: &Path,
    digest: Option<&str>,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let rules = if source.is_dir() {
        if digest.is_some() {
            let message =
                "--pin needs a file; `fixpoint rules export` writes a folder of rules into one";
            return Err(Failure::Usage(message.to_owned()));
        }
        let other = RuleStore::open(RulesFolder::with_root(source.to_owned()))?;
        for error in other.damaged() {
            output.line(&shown(&format!("Skipped: {error}")))?;
        }
        other.rules().cloned().collect()
    } else {
        read_pack(source, digest)?
    };
    rule_pack::import(store, rules, digest.is_some(), output)?;
    Ok(Verdict::Done)
}

pub(super) fn export(
    store: &RuleStore,
    file: &Path,
    ids: &[String],
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let rules = store.select(ids)?;
    let text = pack_of(rules.iter().copied())?;
    let (Some(name), folder) = (file.file_name(), file.parent()) else {
        return Err(Failure::Usage(format!("{}: name a file", file.display())));
    };
    let folder = folder
        .filter(|it| !it.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let digest = Digest::of(text.as_bytes());
    write_outputs(
        folder,
        &[],
        vec![(name.to_string_lossy().into_owned(), text.into_bytes())],
    )?;
    let rules = count(rules.len(), "rule");
    output.line(&shown(&format!(
        "Wrote {rules} to {}; its SHA-256 is {digest}",
        file.display()
    )))?;
    Ok(Verdict::Done)
}
