//! The loads of one file, looked at once: what they bring, and where one more goes. A file may ask for
//! a load at each of its calls, so none of that may cost a walk over its statements.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_starlark::{NodeRef, Shape, Tree};

use crate::edit::{TextEdit, lines_of};

pub(crate) struct Loads {
    /// By symbol the modules that it is loaded from under its own name.
    brought: BTreeMap<String, BTreeSet<Vec<u8>>>,
    /// Where the line of a new load goes: after the last load, else above the first statement that is
    /// no docstring.
    next: usize,
    /// Whether the text up to there does not end its line.
    is_mid_line: bool,
}

impl Loads {
    pub fn of(tree: &Tree<'_>) -> Self {
        let text = tree.source_text();
        let mut brought: BTreeMap<String, BTreeSet<Vec<u8>>> = BTreeMap::new();
        let mut last: Option<NodeRef<'_, '_>> = None;
        let mut first: Option<NodeRef<'_, '_>> = None;
        for statement in tree.statements().iter() {
            match statement.shape() {
                Shape::Load(load) => {
                    last = Some(statement);
                    let Some(module) = load.module.string() else {
                        continue;
                    };
                    let kept = load
                        .symbols()
                        .filter(|it| it.remote.text() == it.local.text());
                    for symbol in kept {
                        let modules = brought.entry(symbol.local.text().to_owned()).or_default();
                        modules.insert(module.to_vec());
                    }
                }
                Shape::String | Shape::Other => {}
                _ => first = first.or(Some(statement)),
            }
        }
        let line_end = |at: usize| text[at..].find('\n').map(|end| at + end + 1);
        let next = match (last, first) {
            (Some(last), _) => line_end(last.end()),
            (None, Some(first)) => Some(lines_of(tree, first).start()),
            (None, None) => None,
        };
        Self {
            brought,
            next: next.unwrap_or(text.len()),
            is_mid_line: next.is_none(),
        }
    }

    /// Whether a load brings `symbol` from `module` under its own name.
    pub fn bring(&self, module: &str, symbol: &str) -> bool {
        let modules = self.brought.get(symbol);
        modules.is_some_and(|it| it.contains(module.as_bytes()))
    }

    /// An edit that adds `load(module, symbol)`.
    pub fn add(&self, module: &str, symbol: &str) -> TextEdit {
        let open = if self.is_mid_line { "\n" } else { "" };
        TextEdit::insert(
            self.next,
            format!("{open}load(\"{module}\", \"{symbol}\")\n"),
        )
    }
}
