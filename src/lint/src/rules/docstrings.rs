//! Missing and incomplete docstrings.

use fixpoint_engine::Rule;
use fixpoint_starlark::{FileKind, Function, Kind, NodeRef, Nodes, Op, Shape};
use fixpoint_text::Span;

use super::docstring_text::Docstring;
use super::skylark::docstring;
use crate::file::File;
use crate::lint::{Lint, LintFinding, everywhere, report_only};
use crate::names::FILE;

pub(super) const LINT: Lint = Lint {
    rules: &[FUNCTION, ARGS, HEADER, RETURN, MODULE],
    applies: everywhere,
    check,
};

const FUNCTION: Rule = report_only(
    "function-docstring",
    "Reports public functions with five or more statements and no docstring.",
    "A function that other files load is read more often than it is written.",
);

const ARGS: Rule = report_only(
    "function-docstring-args",
    "Reports parameters that a docstring does not document, and documented parameters that do not exist.",
    "Readers expect a docstring that documents some parameters to document all of them.",
);

const HEADER: Rule = report_only(
    "function-docstring-header",
    "Reports docstrings that do not start with a one-line summary and a blank line.",
    "Lists of functions show only this line.",
);

const RETURN: Rule = report_only(
    "function-docstring-return",
    "Reports docstrings without a `Returns:` section in functions that return a value.",
    "Callers need to know what a function returns.",
);

const MODULE: Rule = report_only(
    "module-docstring",
    "Reports .bzl files without a docstring.",
    "The docstring describes the purpose of the file, and generated documentation starts with it.",
);

/// A public function with at least this many statements needs a docstring.
const MIN_STATEMENTS: usize = 5;

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let statements = file.tree.statements();
    let first = statements.iter().find(|it| it.kind() != Kind::CommentBlock);
    let is_module = matches!(file.kind, FileKind::Bzl | FileKind::Default);
    if let Some(first) = first.filter(|_| is_module && docstring(statements).is_none()) {
        let at = Span::at(first.start());
        found.push(LintFinding::advice(
            &MODULE,
            "the file has no docstring",
            at,
        ));
    }
    for node in file.all(Kind::Def) {
        if let Shape::Def(def) = node.shape() {
            function(file, node, def, found);
        }
    }
}

fn function<'t, 'a>(
    file: &File<'t, 'a>,
    node: NodeRef<'t, 'a>,
    def: Function<'t, 'a>,
    found: &mut Vec<LintFinding>,
) {
    let is_public = file.scope(node) == FILE && !def.name.starts_with('_');
    let required = is_public && has_statements(def.body, MIN_STATEMENTS);
    let Some(doc) = docstring(def.body) else {
        if required {
            let message = format!("`{}` has no docstring", def.name);
            let at = Span::from(node.start()..def.name_span.end());
            found.push(LintFinding::advice(&FUNCTION, message, at));
        }
        return;
    };
    let text = Docstring::of(doc.text());
    if !text.has_summary {
        let message = format!("the docstring of `{}` has no summary of one line", def.name);
        found.push(LintFinding::advice(&HEADER, message, doc.span()));
    }
    arguments(def, doc, &text, required, found);
    if required && !text.describes_result && returns_value(file, node) {
        let message = format!(
            "the docstring of `{}` does not say what it returns",
            def.name
        );
        found.push(LintFinding::advice(&RETURN, message, doc.span()));
    }
}

fn arguments(
    def: Function<'_, '_>,
    doc: NodeRef<'_, '_>,
    text: &Docstring<'_>,
    required: bool,
    found: &mut Vec<LintFinding>,
) {
    let at =
        |offset: usize, len: usize| Span::from(doc.start() + offset..doc.start() + offset + len);
    if let Some(offset) = text.arguments_header {
        let message = "`Args:` is the usual word for `Arguments:`";
        found.push(LintFinding::advice(
            &ARGS,
            message,
            at(offset, "Arguments:".len()),
        ));
    }
    let parameters: Vec<String> = def.parameters.iter().filter_map(parameter).collect();
    if text.arguments.is_empty() && !required {
        return;
    }
    let is_documented = |name: &String| {
        text.arguments
            .iter()
            .any(|(documented, _)| documented == name)
    };
    let missing: Vec<&str> = parameters
        .iter()
        .filter(|name| !is_documented(name))
        .map(String::as_str)
        .collect();
    if !missing.is_empty() {
        let message = format!("the docstring leaves out {}", missing.join(", "));
        found.push(LintFinding::advice(&ARGS, message, doc.span()));
    }
    for (name, offset) in &text.arguments {
        if !parameters.iter().any(|it| it == name) {
            let message = format!("there is no parameter `{name}`");
            found.push(LintFinding::advice(&ARGS, message, at(*offset, name.len())));
        }
    }
}

/// The name of a parameter as a docstring writes it, including stars.
fn parameter(node: NodeRef<'_, '_>) -> Option<String> {
    match node.shape() {
        Shape::Ident(name) | Shape::Typed { name, .. } => Some(name.to_owned()),
        Shape::Assign { target, .. } => parameter(target),
        Shape::Unary { op, operand } => {
            let stars = if op == Op::StarStar { "**" } else { "*" };
            Some(format!("{stars}{}", parameter(operand?)?))
        }
        _ => None,
    }
}

/// Whether a block contains at least `least` statements, including nested ones.
fn has_statements(body: Nodes<'_, '_>, least: usize) -> bool {
    let mut count = 0;
    let mut open = vec![body];
    while let Some(block) = open.pop() {
        for statement in block.iter().filter(|it| it.kind() != Kind::CommentBlock) {
            count += 1;
            if count >= least {
                return true;
            }
            match statement.shape() {
                Shape::Def(def) => open.push(def.body),
                Shape::For { body, .. } => open.push(body),
                Shape::If {
                    body, otherwise, ..
                } => {
                    open.push(body);
                    open.extend(otherwise);
                }
                _ => {}
            }
        }
    }
    false
}

fn returns_value<'t, 'a>(file: &File<'t, 'a>, function: NodeRef<'t, 'a>) -> bool {
    let mut returns = file.all(Kind::Return);
    returns.any(|it| {
        let inside = it.start() >= function.start() && it.end() <= function.end();
        inside
            && matches!(it.shape(), Shape::Return(Some(_)))
            && file.ancestors(it).find(|it| it.kind() == Kind::Def) == Some(function)
    })
}
