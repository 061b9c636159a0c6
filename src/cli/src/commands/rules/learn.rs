//! `fixpoint rules learn`: stores rules that explain changes made by hand.

use fixpoint_learn::{Abstention, Reason, learn_from_pairs, short_id};
use fixpoint_prove::clock::{Clock as _, SystemClock, rfc3339};
use fixpoint_workspace::RulesFolder;

use super::args::LearnOptions;
use super::sources::Material;
use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::{count, shown};
use crate::rule_store::{Inserted, RuleStore};
use crate::session::Session;

pub(super) fn run(
    session: &Session,
    store: RuleStore,
    options: &LearnOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let mut store = match &options.output {
        Some(folder) => RuleStore::open(RulesFolder::with_root(folder.clone()))?,
        None => store,
    };
    let material = Material::collect(session, options)?;
    let learned = learn_from_pairs(&material.pairs, &material.negatives);
    let created = rfc3339(SystemClock.now());
    let mut new = 0;
    for rule in learned.rules {
        let rule = rule.created_at(&created);
        let line = format!("{}: {}", short_id(&rule.id), rule.summary());
        match store.insert(rule)? {
            Inserted::New => {
                new += 1;
                output.line(&shown(&format!("Learned {line}")))?;
            }
            Inserted::Known => output.line(&shown(&format!("Known {line}")))?,
        }
    }
    for abstention in &learned.abstained {
        let pairs = abstention.pairs.join(", ");
        let line = format!("No rule for {pairs}: {}", abstention.reason);
        output.line(&shown(&line))?;
    }
    let is_limited = |abstention: &Abstention| {
        let name = match &abstention.reason {
            Reason::CounterExample(name) => name,
            _ => return false,
        };
        material.negatives.iter().any(|it| it.path == *name)
    };
    if learned.abstained.iter().any(is_limited) {
        output.line(
            "If your change missed that code, learn with --allow-unchanged; `fixpoint rules try` then shows it",
        )?;
    }
    let summary = format!(
        "Learned {} from {}; {} without a rule. New rules are not pinned: review them with `fixpoint rules try`",
        count(new, "rule"),
        count(material.pairs.len(), "changed file"),
        count(learned.abstained.len(), "change"),
    );
    output.line(&summary)?;
    Ok(match store.rules().count() {
        0 => Verdict::Findings,
        _ => Verdict::Done,
    })
}
