//! Handles `# buildifier: disable=NAME` and `# buildozer: disable=NAME`, in upper or lower case. On
//! the lines of the node that carries the comment, it suppresses the rule NAME and rules whose name
//! is a prefix of NAME.

use std::collections::BTreeMap;
use std::ops::Bound;

use fixpoint_starlark::Tree;
use fixpoint_text::LineIndex;

use crate::lint::LintFinding;

/// The parts of a file in which rules are disabled.
#[derive(Default)]
pub(crate) struct Suppressed {
    /// For each disabled name, the first and last lines of its areas. Lines start at 1. The areas
    /// are sorted and do not overlap.
    areas: BTreeMap<String, Vec<(u32, u32)>>,
    lines: Option<LineIndex>,
}

impl Suppressed {
    pub fn of(tree: &Tree<'_>) -> Self {
        let text = tree.source_text();
        let may_disable = tree
            .comments()
            .any(|span| disabled(&text[span.range()]).is_some());
        if !may_disable {
            return Self::default();
        }
        let mut areas: BTreeMap<String, Vec<(u32, u32)>> = BTreeMap::new();
        for index in 0..tree.len() {
            let node = tree.at(index);
            let mut lines = node.lines();
            let mut names = Vec::new();
            for comment in node.comments() {
                lines = (lines.0.min(comment.line), lines.1.max(comment.line));
                names.extend(disabled(comment.text));
            }
            for name in names.iter().flat_map(|names| names.split(',')) {
                areas
                    .entry(current(name).to_owned())
                    .or_default()
                    .push(lines);
            }
        }
        for areas in areas.values_mut() {
            areas.sort_unstable();
            areas.dedup_by(|next, last| {
                let touches = next.0 <= last.1;
                if touches {
                    last.1 = last.1.max(next.1);
                }
                touches
            });
        }
        Self {
            areas,
            lines: Some(LineIndex::new(text)),
        }
    }

    pub fn covers(&self, found: &LintFinding) -> bool {
        let Some(lines) = &self.lines else {
            return false;
        };
        let line = lines.line_of(found.span.start()) as u32 + 1;
        let from = (Bound::Included(found.rule), Bound::Unbounded);
        let mut named = self
            .areas
            .range::<str, _>(from)
            .take_while(|(name, _)| name.starts_with(found.rule));
        named.any(|(_, areas)| {
            let next = areas.partition_point(|(first, _)| *first <= line);
            next > 0 && line <= areas[next - 1].1
        })
    }
}

/// The current name of a rule that was renamed.
fn current(name: &str) -> &str {
    match name {
        "native-python" => "native-py",
        _ => name,
    }
}

/// The names that a comment disables, in lower case.
pub(crate) fn disabled(comment: &str) -> Option<String> {
    if !comment.contains('=') {
        return None;
    }
    let comment = comment.to_ascii_lowercase();
    let after = ["buildifier:", "buildozer:"]
        .iter()
        .find_map(|tool| comment.split_once(tool).map(|(_, after)| after))?;
    let list = after.trim_start().strip_prefix("disable=")?;
    list.split_whitespace().next().map(str::to_owned)
}
