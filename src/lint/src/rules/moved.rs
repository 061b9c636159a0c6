//! What the rules on symbols with a new home share: a load for it, and no `native.` before it.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{NodeRef, Shape};
use fixpoint_text::Span;

use crate::edit::TextEdit;
use crate::file::{Call, File};
use crate::lint::Found;
use crate::names::{FILE, How, Meaning};

/// A symbol that was Bazel's, and the file that has it now.
pub(super) struct Moved {
    pub symbol: &'static str,
    pub module: &'static str,
    /// Whether it is a function, which only counts where it is called.
    pub is_called: bool,
}

/// The name of the function that `name(...)` or `native.name(...)` calls; whether it is Bazel's is for
/// [`tell`] to say.
pub(super) fn called<'a>(call: &Call<'_, 'a>) -> Option<&'a str> {
    match call.callee.shape() {
        Shape::Dot { object, name, .. } if object.is_name("native") => Some(name),
        _ => call.name,
    }
}

/// `node` is `symbol` or `native.symbol`.
pub(super) fn tell<'t, 'a>(
    file: &File<'t, 'a>,
    rule: &Rule,
    moved: &Moved,
    node: NodeRef<'t, 'a>,
    safety: Safety,
) -> Option<Found> {
    let Moved { symbol, module, .. } = *moved;
    let prefix = match node.shape() {
        Shape::Dot {
            object, name_span, ..
        } if file.is_builtin(object) => Some(Span::from(node.start()..name_span.start())),
        Shape::Ident(_) if file.is_builtin(node) => None,
        _ => return None,
    };
    let found = Found::advice(
        rule,
        format!("`{symbol}` now lives in `{module}`"),
        node.span(),
    );
    let is_plain = |span: &Span| file.tree.source_text()[span.range()] == *"native.";
    if prefix.is_some_and(|span| !is_plain(&span)) {
        return Some(found);
    }
    let mut edits: Vec<TextEdit> = prefix.map(TextEdit::delete).into_iter().collect();
    match file.names().lookup(file.scope(node), symbol) {
        None => edits.push(file.loads().add(module, symbol)),
        Some(it) if is_loaded(file, it, symbol, module) => {}
        // The bare name means something else here.
        Some(_) => edits.clear(),
    }
    Some(found.with_fix(safety, format!("Load `{symbol}`"), edits))
}

fn is_loaded(file: &File<'_, '_>, meaning: &Meaning<'_, '_>, symbol: &str, module: &str) -> bool {
    meaning.scope == FILE
        && meaning.bindings.iter().all(|it| it.how == How::Loaded)
        && file.loads().bring(module, symbol)
}
