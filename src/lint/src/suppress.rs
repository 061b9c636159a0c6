//! `# buildifier: disable=NAME` (or `buildozer:`): no findings of that rule on the lines of the node
//! that carries the comment.

use fixpoint_starlark::Tree;
use fixpoint_text::LineIndex;

use crate::lint::Found;

/// The parts of a file in which rules are silent.
pub(crate) struct Suppressed<'a> {
    /// First and last line, counted from 1, and the names of the rules.
    areas: Vec<(u32, u32, &'a str)>,
    lines: Option<LineIndex>,
}

impl<'a> Suppressed<'a> {
    pub fn of(tree: &Tree<'a>) -> Self {
        let text = tree.source_text();
        let may_disable = tree
            .comments()
            .any(|span| text[span.range()].contains("disable="));
        if !may_disable {
            return Self {
                areas: Vec::new(),
                lines: None,
            };
        }
        let mut areas = Vec::new();
        for index in 0..tree.len() {
            let node = tree.at(index);
            let mut lines = node.lines();
            let mut names = Vec::new();
            for comment in node.comments() {
                lines = (lines.0.min(comment.line), lines.1.max(comment.line));
                names.extend(disabled(comment.text));
            }
            areas.extend(names.into_iter().map(|names| (lines.0, lines.1, names)));
        }
        Self {
            areas,
            lines: Some(LineIndex::new(text)),
        }
    }

    pub fn covers(&self, found: &Found) -> bool {
        let Some(lines) = &self.lines else {
            return false;
        };
        let line = lines.line_of(found.span.start()) as u32 + 1;
        self.areas.iter().any(|(first, last, names)| {
            (*first..=*last).contains(&line)
                && names.split(',').any(|name| current(name) == found.rule)
        })
    }
}

/// The name a rule has now.
fn current(name: &str) -> &str {
    match name {
        "native-python" => "native-py",
        _ => name,
    }
}

/// The names that a comment disables, as written.
fn disabled(comment: &str) -> Option<&str> {
    let tools = ["buildifier:", "buildozer:"];
    let after = tools
        .iter()
        .find_map(|tool| comment.split_once(tool).map(|(_, after)| after))?;
    let list = after.trim_start().strip_prefix("disable=")?;
    list.split_whitespace().next()
}
