//! Adds and removes import statements.

use fixpoint_text::Span;

use crate::apply::TextEdit;
use crate::compiled::Change;
use crate::guard::imports::{Imported, imports, statement_span};
use crate::pattern::Expected;
use crate::rule::Imports;
use crate::tree::{Language, NodeId, Tree};

/// What an import statement of a rule binds; none if it is not one import statement.
pub(crate) fn parse(language: Language, statement: &str) -> Option<Vec<Imported>> {
    let text = match language {
        Language::Go => format!(
            "package p\nimport {}\n",
            statement.trim_start_matches("import ")
        ),
        _ => statement.to_owned(),
    };
    let tree = Tree::parse(language, &text).ok()?;
    let found = imports(&tree);
    let first = found.first()?.statement;
    let is_one = found
        .iter()
        .all(|import| import.statement == first && !import.is_star());
    is_one.then_some(found)
}

/// The changes of a text's imports that rules need. `new` is the text with the other changes of the rules. None if an import
/// cannot be added.
pub(crate) fn changes(old: &Tree, new: &Tree, needed: &[&Imports]) -> Option<Vec<Change>> {
    let language = old.language();
    let present = imports(old);
    let mut inserted: Vec<String> = Vec::new();
    let mut added: Vec<Imported> = Vec::new();
    for statement in needed.iter().flat_map(|imports| &imports.add) {
        let statement = statement.trim();
        let wanted = parse(language, statement)?;
        let same = |one: &Imported, other: &Imported| {
            (&one.local, &one.module, &one.symbol) == (&other.local, &other.module, &other.symbol)
        };
        let is_present =
            |import: &Imported| present.iter().chain(&added).any(|it| same(it, import));
        if wanted.iter().all(is_present) {
            continue;
        }
        // The name already means something else.
        let is_taken = |import: &Imported| {
            !import.local.is_empty()
                && (present
                    .iter()
                    .any(|it| it.local == import.local && !same(it, import))
                    || crate::guard::is_bound_in_file(old, &import.local))
        };
        if wanted.iter().any(is_taken) {
            return None;
        }
        added.extend(wanted);
        inserted.push(statement.to_owned());
    }
    let mut changes: Vec<Change> = Vec::new();
    let mut removed: Vec<Imported> = Vec::new();
    for statement in needed.iter().flat_map(|imports| &imports.remove) {
        for wanted in parse(language, statement)? {
            // Under another name, only if the rules changed its last use.
            let unused = |import: &&Imported| {
                import.module == wanted.module
                    && import.symbol == wanted.symbol
                    && (import.local == wanted.local || is_used(old, import))
                    && !is_used(new, import)
            };
            if let Some(import) = present.iter().find(unused) {
                if !removed.contains(import) {
                    removed.push(import.clone());
                }
                changes.extend(removal(old, import, &present));
            }
        }
    }
    changes.sort_by_key(|change| change.place.start());
    changes.dedup_by_key(|change| change.place);
    if let ([statement], [gone]) = (inserted.as_slice(), removed.as_slice())
        && let Some(replaced) = replacement(old, gone, &present, statement)
    {
        return Some(vec![replaced]);
    }
    if inserted.len() == 1
        && changes.is_empty()
        && let Some(extended) = extension(old, &added, &present)
    {
        return Some(vec![extended]);
    }
    if !inserted.is_empty() {
        let (at, text) = insertion(old, &present, &inserted)?;
        // Beside a removed statement, the new one takes its place.
        match changes
            .iter_mut()
            .find(|change| change.place.start() <= at && at <= change.place.end())
        {
            Some(change) => {
                let removed = &mut change.edits[0];
                let text = text.trim_matches('\n');
                removed.replacement = format!("{text}{}", newline_at_end(old, change.place));
                change.length = removed.replacement.len();
                change.inner = Span::from(0..change.length);
            }
            None => changes.push(change(Span::at(at), text)),
        }
    }
    changes.sort_by_key(|change| change.place.start());
    Some(changes)
}

/// One statement in the place of another that imports nothing else.
fn replacement(tree: &Tree, gone: &Imported, all: &[Imported], statement: &str) -> Option<Change> {
    let count = all.iter().filter(|other| other.statement == gone.statement);
    let place = statement_span(tree, gone);
    if count.count() > 1 || !tree.comments_in(place).is_empty() {
        return None;
    }
    let statement = match tree.language() {
        Language::Go => statement.trim_start_matches("import ").trim(),
        _ => statement,
    };
    let had_end = tree.text()[place.range()].ends_with(';');
    let statement = if had_end {
        statement
    } else {
        statement.trim_end_matches(';')
    };
    Some(change(place, statement.to_owned()))
}

/// Adds names to a statement on one line that imports others from the same module.
fn extension(tree: &Tree, added: &[Imported], all: &[Imported]) -> Option<Change> {
    let [name] = added else { return None };
    let symbol = name
        .symbol
        .as_deref()
        .filter(|symbol| *symbol == name.local)?;
    let beside = all
        .iter()
        .rfind(|import| import.module == name.module && import.symbol.is_some())?;
    let place = statement_span(tree, beside);
    let text = &tree.text()[place.range()];
    if tree.language() != Language::Python || text.contains(['\n', '(']) {
        return None;
    }
    let end = Span::at(place.end());
    Some(change(end, format!(", {symbol}")))
}

fn newline_at_end(tree: &Tree, place: Span) -> &'static str {
    if tree.text()[place.range()].ends_with('\n') {
        "\n"
    } else {
        ""
    }
}

fn change(place: Span, replacement: String) -> Change {
    Change {
        rule: None,
        place,
        mark: place,
        length: replacement.len(),
        inner: Span::from(0..replacement.len()),
        edits: vec![TextEdit {
            span: place,
            replacement,
        }],
        slots: Expected::new(),
    }
}

/// Whether a name of an import occurs outside of import statements.
fn is_used(tree: &Tree, import: &Imported) -> bool {
    let local = match import.local.as_str() {
        "" => import.module.rsplit('/').next().unwrap_or_default(),
        local => local,
    };
    let statements: Vec<NodeId> = imports(tree)
        .iter()
        .map(|import| import.statement)
        .collect();
    tree.all().any(|node| {
        tree.is_token(node)
            // A name in a string may be an annotation or a list of exports.
            && tree.text_of(node).split(|char: char| !char.is_alphanumeric() && char != '_').any(|word| word == local)
            && !statements.iter().any(|statement| tree.contains(*statement, node))
    })
}

/// Removes one name of an import, or the whole statement if it is the only one.
fn removal(tree: &Tree, import: &Imported, all: &[Imported]) -> Option<Change> {
    let place = statement_span(tree, import);
    // A comment in a statement, or beside it, may be about it.
    let end_of_line = tree.text()[place.end()..]
        .find('\n')
        .map_or(tree.text().len(), |at| place.end() + at);
    if !tree
        .comments_in(Span::from(place.start()..end_of_line))
        .is_empty()
    {
        return None;
    }
    let count = all
        .iter()
        .filter(|other| other.statement == import.statement)
        .count();
    if count == 1 {
        let rest = &tree.text()[place.end()..end_of_line];
        let start_of_line = tree.text()[..place.start()]
            .rfind('\n')
            .map_or(0, |at| at + 1);
        let before = &tree.text()[start_of_line..place.start()];
        if !rest.trim().is_empty() || !before.trim().is_empty() {
            return None;
        }
        let end = (end_of_line + 1).min(tree.text().len());
        return Some(change(Span::from(start_of_line..end), String::new()));
    }
    // One of several names: remove it with its comma.
    let names: Vec<NodeId> = tree
        .subtree(import.statement)
        .filter(|node| {
            matches!(tree.kind_name(*node), "Alias" | "ImportSpecifier")
                && tree
                    .tokens(*node)
                    .last()
                    .is_some_and(|last| tree.text_of(last) == import.local)
        })
        .collect();
    let [name] = names[..] else { return None };
    let siblings: Vec<NodeId> = tree.children(tree.parent(name)?).collect();
    let at = siblings.iter().position(|node| *node == name)?;
    let is_comma = |node: &&NodeId| tree.text_of(**node) == ",";
    let text = tree.text()[place.range()].to_owned();
    let cut = match (
        siblings.get(at + 1).filter(is_comma),
        at.checked_sub(1)
            .and_then(|at| siblings.get(at))
            .filter(is_comma),
    ) {
        (Some(_), _) if siblings.len() > at + 2 => tree.start(name)..tree.start(siblings[at + 2]),
        (_, Some(comma)) => tree.start(*comma)..tree.end(name),
        _ => return None,
    };
    let (start, end) = (cut.start - place.start(), cut.end - place.start());
    let replaced = format!("{}{}", &text[..start], &text[end..]);
    Some(change(place, replaced))
}

/// Where new import statements go, and their text: after the last import, or after what must be first in a file.
fn insertion(tree: &Tree, present: &[Imported], statements: &[String]) -> Option<(usize, String)> {
    let text = tree.text();
    let line_after = |at: usize| text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
    let is_go = tree.language() == Language::Go;
    let top = |import: &&Imported| {
        tree.kind_name(import.statement) != "VariableDeclarator" && {
            let column = tree.start(import.statement)
                - text[..tree.start(import.statement)]
                    .rfind('\n')
                    .map_or(0, |at| at + 1);
            column == 0 || is_go
        }
    };
    if let Some(last) = present.iter().rfind(top) {
        let place = statement_span(tree, last);
        let in_group = tree
            .parent(last.statement)
            .is_some_and(|it| tree.kind_name(it) == "import_spec_list");
        let at = line_after(place.end());
        let start = if text[..at].ends_with('\n') { "" } else { "\n" };
        let lines = statements.iter().map(|statement| {
            let path = statement.trim_start_matches("import ").trim();
            match (is_go, in_group) {
                (true, true) => format!("\t{path}\n"),
                (true, false) => format!("import {path}\n"),
                _ => format!("{statement}\n"),
            }
        });
        return Some((at, format!("{start}{}", lines.collect::<String>())));
    }
    let lines: String = statements
        .iter()
        .map(|statement| match is_go {
            true => format!(
                "import {}\n",
                statement.trim_start_matches("import ").trim()
            ),
            false => format!("{statement}\n"),
        })
        .collect();
    // After the line `#!` and comments at the top, a documentation string, `from __future__`, or the package.
    let mut at = 0;
    for comment in tree.comments() {
        if text[at..comment.start()].trim().is_empty() {
            at = line_after(comment.end());
        }
    }
    if text[..at].is_empty() && text.starts_with('\u{feff}') {
        return None;
    }
    let first = tree.children(tree.root()).next();
    let is_head = |node: NodeId| {
        matches!(
            tree.kind_name(node),
            "package_clause" | "package_declaration" | "Directive"
        ) || tree.language() == Language::Python
            && tree.kind_name(node) == "StmtExpr"
            && tree.subtree(node).any(|it| {
                tree.kind_name(it) == "ExprStringLiteral" && tree.span(it) == tree.span(node)
            })
            || tree.language() == Language::Rust && tree.kind_name(node) == "inner_attribute_item"
    };
    let head = tree
        .children(tree.root())
        .take_while(|node| is_head(*node))
        .last();
    Some(match head {
        Some(head) => (line_after(tree.end(head)), format!("\n{lines}")),
        None => {
            let start = first.map_or(at, |first| at.min(tree.start(first)));
            let gap = if text[start..].trim().is_empty() {
                ""
            } else {
                "\n"
            };
            (start, format!("{lines}{gap}"))
        }
    })
}
