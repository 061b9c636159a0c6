//! `fixpoint rules why`: which rules match at a line, and why others do not.

use std::path::Path;

use fixpoint_learn::{Language, Tree, short_id};
use fixpoint_text::LineIndex;

use super::curate::compiled;
use crate::Verdict;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::words::shown;
use crate::rule_store::RuleStore;
use crate::session::Session;

pub(super) fn run(
    session: &Session,
    store: &RuleStore,
    place: &str,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    let parsed = place
        .rsplit_once(':')
        .and_then(|(file, line)| Some((file, line.parse::<usize>().ok()?)));
    let Some((file, line)) = parsed else {
        let message = format!("{place}: write a file and a line, such as src/app.py:12");
        return Err(Failure::Usage(message));
    };
    let path = session.workspace.relative(Path::new(file))?;
    let source = session.workspace.read(&path)?;
    let Some(language) = Language::of_path(&path) else {
        output.line(&shown(&format!(
            "{path}: there are no rules for its language"
        )))?;
        return Ok(Verdict::Done);
    };
    let tree = Tree::parse(language, source.text())
        .map_err(|error| Failure::Run(format!("{path}: {error}; rules do not change it")))?;
    let lines = LineIndex::new(source.text());
    let mut found = false;
    for rule in compiled(store.select(&[])?, output) {
        if rule.language().name() != language.name() {
            continue;
        }
        for matched in rule.matches(&tree, &path) {
            let span = matched.found.span;
            let covered =
                lines.line_of(span.start()) + 1..=lines.line_of(span.end().saturating_sub(1)) + 1;
            if !covered.contains(&line) {
                continue;
            }
            found = true;
            let verdict = match &matched.edits {
                Ok(_) => "applies".to_owned(),
                Err(reason) => format!("does not apply: {reason}"),
            };
            let (id, what) = (short_id(&rule.rule().id), rule.rule().summary());
            output.line(&shown(&format!("{id} ({what}) {verdict}")))?;
        }
    }
    if !found {
        output.line(&shown(&format!("no pattern matches at {path}:{line}")))?;
    }
    Ok(Verdict::Done)
}
