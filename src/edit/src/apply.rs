//! Applies edits to a text.

use fixpoint_report::Edit;
use fixpoint_text::{Snapshot, Span};

use crate::check::{EditError, EditProblem, check_edit};
use crate::source_map::SourceMap;

/// A text with edits applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    pub text: String,
    pub source_map: SourceMap,
}

/// Applies edits to the text they were made for. The edits must be in apply order, as in a report's
/// `canonical.edits`. If one of them does not fit, nothing is applied.
pub fn apply(snapshot: &Snapshot, edits: &[Edit]) -> Result<Applied, EditError> {
    let fail = |edit: &Edit, problem| EditError::new("", &edit.path, problem);
    let mut placed: Vec<(Span, &str)> = Vec::with_capacity(edits.len());
    for edit in edits {
        if edit.path != snapshot.path() {
            return Err(fail(edit, EditProblem::NoSnapshot));
        }
        let span = check_edit(edit, snapshot.text()).map_err(|problem| fail(edit, problem))?;
        if placed
            .last()
            .is_some_and(|(last, _)| span.start() < last.end())
        {
            return Err(fail(edit, EditProblem::SelfOverlap { offset: edit.start }));
        }
        placed.push((span, &edit.replacement));
    }
    Ok(splice(snapshot.text(), placed.into_iter()))
}

/// Applies checked edits that are ascending and disjoint. One forward pass gives the same bytes as
/// replacing from the end backwards, without moving the tail for every edit.
pub(crate) fn splice<'a>(
    text: &str,
    edits: impl ExactSizeIterator<Item = (Span, &'a str)> + Clone,
) -> Applied {
    let added: usize = edits.clone().map(|(_, text)| text.len()).sum();
    let mut edited = String::with_capacity(text.len() + added);
    let mut source_map = SourceMap::with_capacity(edits.len() + 1);
    let mut copied = 0;
    for (span, replacement) in edits {
        source_map.push_unchanged((copied..span.start()).into(), edited.len());
        edited.push_str(&text[copied..span.start()]);
        edited.push_str(replacement);
        copied = span.end();
    }
    source_map.push_unchanged((copied..text.len()).into(), edited.len());
    edited.push_str(&text[copied..]);
    Applied {
        text: edited,
        source_map,
    }
}
