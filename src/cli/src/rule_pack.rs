//! Packs: rules in one file, for other repositories and for Bazel.

use std::path::Path;

use fixpoint_learn::{CompiledRule, Matching, NO_TIME, Rule, short_id};
use fixpoint_prove::clock::{Clock as _, SystemClock, rfc3339};
use fixpoint_text::Digest;
use fixpoint_workspace::{MAX_FILE_SIZE, read_text_file};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::rule_store::{Inserted, RuleStore, RuleStoreError};

const PACK_VERSION: u32 = 1;

/// Rules in one file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pack {
    rule_pack_version: u32,
    rules: Vec<serde_json::Value>,
}

/// The text of a pack. Whoever imports the rules decides about pinning.
pub(crate) fn pack_of<'a>(rules: impl IntoIterator<Item = &'a Rule>) -> Result<String, Failure> {
    let rules = rules.into_iter();
    let rules = rules.map(|rule| serde_json::to_value(rule.clone().with_pinned(false)));
    let pack = Pack {
        rule_pack_version: PACK_VERSION,
        rules: rules.collect::<Result<_, _>>()?,
    };
    Ok(serde_json::to_string_pretty(&pack)? + "\n")
}

/// The rules of a pack, or the one rule of a rule file. With a digest, the file must have it.
pub(crate) fn read_pack(file: &Path, digest: Option<&str>) -> Result<Vec<Rule>, Failure> {
    let text = read_text_file(file, MAX_FILE_SIZE).map_err(Failure::Input)?;
    let found = Digest::of(text.as_bytes()).to_string();
    if digest.is_some_and(|digest| digest != found) {
        return Err(Failure::Usage(format!(
            "{} has the SHA-256 digest {found}, which is not the one that you pinned; nothing was imported",
            file.display()
        )));
    }
    let failed = |message: String| {
        Failure::Run(format!(
            "{}: {message}; nothing was imported",
            file.display()
        ))
    };
    let read =
        |text: &str| Rule::from_json(text, NO_TIME).map_err(|error| failed(error.to_string()));
    let Ok(pack) = serde_json::from_str::<Pack>(&text) else {
        return Ok(vec![read(&text)?]);
    };
    if pack.rule_pack_version != PACK_VERSION {
        return Err(failed(format!(
            "this program reads packs of version {PACK_VERSION}, not {}",
            pack.rule_pack_version
        )));
    }
    let rules = pack.rules.iter();
    rules.map(|rule| read(&rule.to_string())).collect()
}

/// Adds rules to a store and prints what became of each. Returns how many are new.
pub(crate) fn import(
    store: &mut RuleStore,
    rules: Vec<Rule>,
    pinned: bool,
    output: &mut Output,
) -> Result<usize, Failure> {
    let now = rfc3339(SystemClock.now());
    let mut new = 0;
    for mut rule in rules {
        // A rule that cannot be applied is stored, but not pinned. One that matches by kind alone is stored unchanged.
        let problem = CompiledRule::compile(&rule).err();
        if rule.matching != Matching::Kind {
            rule.pinned = pinned && problem.is_none();
        }
        if rule.created == NO_TIME {
            rule.created.clone_from(&now);
        }
        let line = format!("{}: {}", short_id(&rule.id), rule.summary());
        let note = problem.map_or_else(String::new, |error| {
            format!(" (cannot be applied: {error})")
        });
        let verb = match store.insert(rule.clone())? {
            Inserted::New => "Imported",
            Inserted::Known if pinned && pin_known(store, rule)? => "Pinned",
            Inserted::Known => "Known",
        };
        new += usize::from(verb == "Imported");
        output.line(&shown(&format!("{verb} {line}{note}")))?;
    }
    output.line(&format!("Imported {}", count(new, "rule")))?;
    Ok(new)
}

/// Pins a stored rule if it is the same as a rule of a pack that was pinned by its digest. Returns whether it did.
fn pin_known(store: &mut RuleStore, rule: Rule) -> Result<bool, RuleStoreError> {
    let known = store.one(&rule.id)?.clone();
    let id = rule.id.clone();
    let is_same = known.clone().with_computed_id().id == rule.clone().with_computed_id().id;
    let is_pinned_now = rule.pinned && is_same && !known.pinned;
    if is_pinned_now {
        store.set_pinned(&id, true)?;
    }
    Ok(is_pinned_now)
}
