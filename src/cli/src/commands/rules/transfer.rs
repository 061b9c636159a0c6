//! `fixpoint rules import` and `export`: rules of other repositories.

use std::path::Path;

use fixpoint_learn::{CompiledRule, Rule};
use fixpoint_prove::clock::{Clock as _, SystemClock, rfc3339};
use fixpoint_text::Digest;
use fixpoint_workspace::{MAX_FILE_SIZE, RulesFolder, read_text_file, write_outputs};
use serde::{Deserialize, Serialize};

use super::curate::{short_id, summary};
use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::rule_store::{Inserted, RuleStore};

const PACK_VERSION: u32 = 1;

/// Rules in one file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pack {
    rule_pack_version: u32,
    rules: Vec<serde_json::Value>,
}

/// Adds rules that are not pinned, unless the person has named the digest of the file.
pub(super) fn import(
    store: &mut RuleStore,
    source: &Path,
    digest: Option<&str>,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let (rules, found) = if source.is_dir() {
        let other = RuleStore::open(RulesFolder::with_root(source.to_owned()))?;
        for error in other.damaged() {
            output.line(&shown(&format!("Skipped: {error}")))?;
        }
        (other.rules().cloned().collect(), None)
    } else {
        let text = read_text_file(source, MAX_FILE_SIZE).map_err(Failure::Input)?;
        let found = Digest::of(text.as_bytes()).to_string();
        (rules_of(source, &text)?, Some(found))
    };
    if let Some(digest) = digest
        && found.as_deref() != Some(digest)
    {
        let found = found.map_or_else(
            || "a folder".to_owned(),
            |it| format!("a file with the digest {it}"),
        );
        return Err(Failure::Usage(format!(
            "--pin {digest}: {} is {found}; nothing was imported",
            source.display()
        )));
    }
    let mut new = 0;
    for rule in rules {
        // A rule that only describes its pattern is kept for its owner, but cannot be applied.
        let problem = CompiledRule::compile(&rule).err();
        let rule = rule.with_pinned(digest.is_some() && problem.is_none());
        let line = format!("{}: {}", short_id(&rule), summary(&rule));
        let note = problem.map_or_else(String::new, |error| {
            format!(" (cannot be applied: {error})")
        });
        let verb = match store.insert(rule)? {
            Inserted::New => "Imported",
            Inserted::Known => "Known",
        };
        new += usize::from(verb == "Imported");
        output.line(&shown(&format!("{verb} {line}{note}")))?;
    }
    output.line(&format!("Imported {}", count(new, "rule")))?;
    Ok(Verdict::Done)
}

/// The rules of a pack, or the one rule of a rule file.
fn rules_of(source: &Path, text: &str) -> Result<Vec<Rule>, Failure> {
    let failed = |message: String| {
        Failure::Run(format!(
            "{}: {message}; nothing was imported",
            source.display()
        ))
    };
    let now = rfc3339(SystemClock.now());
    let read = |text: &str| Rule::from_json(text, &now).map_err(|error| failed(error.to_string()));
    let Ok(pack) = serde_json::from_str::<Pack>(text) else {
        return Ok(vec![read(text)?]);
    };
    if pack.rule_pack_version != PACK_VERSION {
        return Err(failed(format!(
            "this program reads packs of version {PACK_VERSION}, not {}",
            pack.rule_pack_version
        )));
    }
    pack.rules
        .iter()
        .map(|rule| read(&rule.to_string()))
        .collect()
}

pub(super) fn export(
    store: &RuleStore,
    file: &Path,
    ids: &[String],
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let rules = store.select(ids)?;
    let mut pack = Pack {
        rule_pack_version: PACK_VERSION,
        rules: Vec::new(),
    };
    for rule in &rules {
        // Whoever imports the rule decides about pinning.
        let rule = (*rule).clone().with_pinned(false);
        pack.rules.push(serde_json::to_value(&rule)?);
    }
    let text = serde_json::to_string_pretty(&pack)? + "\n";
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
