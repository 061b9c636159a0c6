//! Shared by the rules about symbols that moved out of Bazel: adds a load and removes `native.`.

use fixpoint_engine::Rule;
use fixpoint_report::Safety;
use fixpoint_starlark::{NodeRef, Shape};
use fixpoint_text::Span;

use crate::edit::TextEdit;
use crate::file::{Call, File};
use crate::lint::LintFinding;
use crate::names::{BindingKind, FILE, Meaning};

/// A symbol that was built into Bazel, and the module that defines it now.
pub(super) struct Moved {
    pub symbol: &'static str,
    pub module: &'static str,
    /// Whether the symbol is a function. Then only its calls are reported.
    pub is_called: bool,
}

/// The name of the function that `name(...)` or `native.name(...)` calls. [`report_moved`] checks
/// whether it is Bazel's.
pub(super) fn called<'a>(call: &Call<'_, 'a>) -> Option<&'a str> {
    match call.callee.shape() {
        Shape::Dot { object, name, .. } if object.is_name("native") => Some(name),
        _ => call.name,
    }
}

/// Reports `node`, which is `symbol` or `native.symbol`.
pub(super) fn report_moved<'t, 'a>(
    file: &File<'t, 'a>,
    rule: &Rule,
    moved: &Moved,
    node: NodeRef<'t, 'a>,
    safety: Safety,
) -> Option<LintFinding> {
    let Moved { symbol, module, .. } = *moved;
    let prefix = match node.shape() {
        Shape::Dot {
            object, name_span, ..
        } if file.is_builtin(object) => Some(Span::from(node.start()..name_span.start())),
        Shape::Ident(_) if file.is_builtin(node) => None,
        _ => return None,
    };
    let found = LintFinding::advice(
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
        // The bare name refers to something else in this scope.
        Some(_) => edits.clear(),
    }
    Some(found.with_fix(safety, format!("Load `{symbol}`"), edits))
}

fn is_loaded(file: &File<'_, '_>, meaning: &Meaning<'_, '_>, symbol: &str, module: &str) -> bool {
    meaning.scope == FILE
        && meaning
            .bindings
            .iter()
            .all(|it| it.kind == BindingKind::Loaded)
        && file.loads().has_symbol(module, symbol)
}
