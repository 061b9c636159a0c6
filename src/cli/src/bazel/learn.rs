//! Learned rules in Bazel: the action that learns candidates, and `bazel run //:fix -- --learn`, which adds them to the
//! workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use fixpoint_learn::{Negative, Rule, learn_from_pairs};
use fixpoint_workspace::{RulesFolder, write_outputs};

use super::analyze::read_text;
use super::args::{LearnOptions, RulePack};
use crate::Verdict;
use crate::commands::rules::pairs_of;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::shown;
use crate::rule_pack::{import, pack_of, read_pack};
use crate::rule_store::RuleStore;
use crate::session::Session;

/// Learns rules and writes them into a pack. What gives no rule is printed.
pub(super) fn run(options: &LearnOptions, output: &mut Output) -> Result<Verdict, Failure> {
    let mut texts = BTreeMap::new();
    for pair in &options.pair {
        texts.insert(pair.path.clone(), read_text(&pair.file)?);
    }
    let mut negatives = Vec::new();
    for negative in &options.negative {
        negatives.push(Negative {
            path: negative.path.clone(),
            text: read_text(&negative.file)?,
        });
    }
    let learned = learn_from_pairs(&pairs_of(&texts)?, &negatives);
    for abstention in &learned.abstained {
        let pairs = abstention.pairs.join(", ");
        output.notice(&shown(&format!(
            "No rule for {pairs}: {}",
            abstention.reason
        )));
    }
    let inputs = options.pair.iter().chain(&options.negative);
    let inputs: Vec<PathBuf> = inputs.map(|it| it.file.clone()).collect();
    let pack = pack_of(&learned.rules)?.into_bytes();
    write_outputs(
        Path::new("."),
        &inputs,
        vec![(options.output.clone(), pack)],
    )?;
    Ok(Verdict::Done)
}

/// The rules of packs, and whether they are pinned.
pub(super) fn read(packs: &[RulePack]) -> Result<Vec<(Vec<Rule>, bool)>, Failure> {
    if packs.is_empty() {
        let message = "this target has no rules to learn; name targets of `rule_candidates` or `rule_pack` in its `learn`";
        return Err(Failure::Usage(message.to_owned()));
    }
    let packs = packs.iter().map(|pack| {
        let rules = read_pack(&pack.file, pack.sha256.as_deref())?;
        Ok((rules, pack.sha256.is_some()))
    });
    packs.collect()
}

/// Adds rules to those of the workspace.
pub(super) fn merge(
    session: &Session,
    packs: Vec<(Vec<Rule>, bool)>,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let mut store = RuleStore::open(RulesFolder::of_project(session.workspace.root()))?;
    for (rules, pinned) in packs {
        import(&mut store, rules, pinned, output)?;
    }
    output.flush()?;
    Ok(Verdict::Done)
}
