//! The loads of one file: which symbols they load, and where a new load is inserted. They are
//! collected once, because rules may ask at every call of the file.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_starlark::{NodeRef, Shape, Tree};

use crate::edit::{TextEdit, lines_of};

pub(crate) struct Loads {
    /// The modules that each symbol is loaded from under its own name.
    modules_by_symbol: BTreeMap<String, BTreeSet<Vec<u8>>>,
    /// The offset of a new load: after the last load, else above the first statement that is not a
    /// docstring.
    next: usize,
    /// Whether a line break is needed before the new load.
    is_mid_line: bool,
}

impl Loads {
    pub fn of(tree: &Tree<'_>) -> Self {
        let text = tree.source_text();
        let mut modules_by_symbol: BTreeMap<String, BTreeSet<Vec<u8>>> = BTreeMap::new();
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
                        let modules = modules_by_symbol
                            .entry(symbol.local.text().to_owned())
                            .or_default();
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
            modules_by_symbol,
            next: next.unwrap_or(text.len()),
            is_mid_line: next.is_none(),
        }
    }

    /// Whether `symbol` is loaded from `module` under its own name.
    pub fn has_symbol(&self, module: &str, symbol: &str) -> bool {
        let modules = self.modules_by_symbol.get(symbol);
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
