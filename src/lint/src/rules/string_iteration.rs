//! Strings that are used as lists.

use fixpoint_engine::Rule;
use fixpoint_starlark::{Kind, Shape};

use super::keyword_positional::passed_by_position;
use crate::file::{Call, File};
use crate::infer::Type;
use crate::lint::{Lint, LintFinding, everywhere, report_only};

pub(super) const LINT: Lint = Lint {
    rules: &[RULE],
    applies: everywhere,
    check,
};

const RULE: Rule = report_only(
    "string-iteration",
    "Reports iteration over strings.",
    "A string is not a sequence in Starlark. Usually a list of strings was intended. `s.elems()` returns the \
     characters.",
);

/// Built-in functions that iterate their arguments.
const ITERATING: &[&str] = &["all", "any", "max", "min", "reversed", "zip"];

fn check(file: &File<'_, '_>, found: &mut Vec<LintFinding>) {
    let mut iterated = Vec::new();
    for kind in [Kind::For, Kind::ForClause] {
        for node in file.all(kind) {
            if let Shape::For { iterable, .. } | Shape::ForClause { iterable, .. } = node.shape() {
                iterated.push(iterable);
            }
        }
    }
    for &Call {
        callee,
        arguments,
        name,
        ..
    } in file.calls()
    {
        let Some(name) = name.filter(|name| ITERATING.contains(name)) else {
            continue;
        };
        // `max("a", "b")` compares its arguments.
        let alone = arguments.len() == 1 || name == "zip";
        if alone && file.is_builtin(callee) {
            iterated.extend(
                arguments
                    .iter()
                    .filter_map(|it| passed_by_position(name, it)),
            );
        }
    }
    for node in iterated {
        if file.type_of(node) == Type::String {
            found.push(LintFinding::warning(
                &RULE,
                "a string is not iterable",
                node.span(),
            ));
        }
    }
}
