//! Applies candidate rules to a text, to try them before they become rules.

use super::Learned;
use super::case::File;
use super::names::is_import;
use crate::NodeId;

const MAX_ROUNDS: usize = 8;

impl Learned {
    /// The text after all rules, without changes of imports; none if no rule applies.
    pub fn rewrite(&self, path: &str, text: &str) -> Option<String> {
        let mut text = text.to_owned();
        let mut changed = false;
        for _ in 0..MAX_ROUNDS {
            let Some(next) = self.round(path, &text) else { break };
            changed = true;
            text = next;
        }
        changed.then_some(text)
    }

    fn round(&self, path: &str, text: &str) -> Option<String> {
        let file = File::parse(path, text).ok()?;
        let mut edits = Vec::new();
        for rule in &self.rules {
            for found in rule.matches(&file) {
                let span = file.source.tree.span(found.node);
                if let Some(new) = rule.apply(&file, &found) {
                    edits.push((span.start(), span.end(), new));
                }
            }
        }
        // Inner matches first; an outer one follows in the next round.
        edits.sort_by_key(|(start, end, _)| (end - start, *start));
        let mut taken: Vec<(usize, usize, String)> = Vec::new();
        for (start, end, new) in edits {
            let free = taken.iter().all(|(from, to, _)| end <= *from || *to <= start);
            if free && text[start..end] != new {
                taken.push((start, end, new));
            }
        }
        taken.sort();
        let mut result = text.to_owned();
        for (start, end, new) in taken.iter().rev() {
            result.replace_range(*start..*end, new);
        }
        (!taken.is_empty()).then_some(result)
    }

    /// The rules as text, for people.
    pub fn describe(&self) -> Vec<String> {
        self.rules
            .iter()
            .map(|rule| format!("{} => {}\n      {:?} {:?}", rule.texts.0, rule.texts.1, rule.guards, rule.imports))
            .collect()
    }
}

/// The tokens of a text without its imports, and the text without them.
pub fn code_of(path: &str, text: &str) -> Option<String> {
    let file = File::parse(path, text).ok()?;
    let tree = &file.source.tree;
    let mut result = text.to_owned();
    let skip = |node: &NodeId| is_import(tree, *node) || tree.kind_name(*node) == "import_declaration" && !tree.is_token(*node);
    let mut nodes: Vec<NodeId> = tree.all().filter(skip).collect();
    nodes.reverse();
    let mut start = usize::MAX;
    for node in nodes {
        if tree.end(node) <= start {
            result.replace_range(tree.start(node)..tree.end(node), "");
            start = tree.start(node);
        }
    }
    Some(result)
}
