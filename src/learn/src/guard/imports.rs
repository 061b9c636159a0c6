//! What the import statements of a file bind.

use fixpoint_text::Span;

use super::ImportGuard;
use crate::tree::{Language, NodeId, Tree};

/// A name that an import binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Imported {
    /// The name in the file; `*` if any names may be bound.
    pub local: String,
    pub module: String,
    /// None if the name is the module.
    pub symbol: Option<String>,
    /// The import statement.
    pub statement: NodeId,
}

impl Imported {
    pub fn is_star(&self) -> bool {
        self.local == "*"
    }
}

/// All imports of a file outside of functions.
pub(crate) fn imports(tree: &Tree) -> Vec<Imported> {
    let mut all = Vec::new();
    for node in tree.all() {
        let words = || -> Vec<&str> { tree.tokens(node).map(|it| tree.text_of(it)).collect() };
        match (tree.language(), tree.kind_name(node)) {
            (Language::Python, "StmtImport") => python(&words(), node, &mut all),
            (Language::Python, "StmtImportFrom") => python_from(&words(), node, &mut all),
            (Language::Starlark, "Load") => starlark(&words(), node, &mut all),
            (Language::Go, "import_spec") => go(&words(), node, &mut all),
            (Language::Java, "import_declaration") => java(&words(), node, &mut all),
            (Language::Rust, "use_declaration") => rust(&words(), node, &mut all),
            (_, "ImportDeclaration") => script(&words(), node, &mut all),
            (_, "VariableDeclarator") => require(&words(), node, &mut all),
            _ => continue,
        }
    }
    all.retain(|import| {
        !tree
            .ancestors(import.statement)
            .any(|it| super::bindings::is_function(tree, it))
    });
    all
}

fn push(
    all: &mut Vec<Imported>,
    local: &str,
    module: &str,
    symbol: Option<&str>,
    statement: NodeId,
) {
    all.push(Imported {
        local: local.to_owned(),
        module: module.to_owned(),
        symbol: symbol.map(str::to_owned),
        statement,
    });
}

/// `import a.b, c as d`
fn python(words: &[&str], node: NodeId, all: &mut Vec<Imported>) {
    for part in words
        .get(1..)
        .unwrap_or_default()
        .split(|word| *word == ",")
    {
        let at = part.iter().position(|word| *word == "as");
        let module = part[..at.unwrap_or(part.len())].concat();
        match at.and_then(|at| part.get(at + 1)) {
            Some(alias) => push(all, alias, &module, None, node),
            None => {
                let root = module.split('.').next().unwrap_or_default().to_owned();
                push(all, &root, &root, None, node);
            }
        }
    }
}

/// `from a.b import (c, d as e)`
fn python_from(words: &[&str], node: NodeId, all: &mut Vec<Imported>) {
    let Some(at) = words.iter().position(|word| *word == "import") else {
        return;
    };
    let module = words[1..at].concat();
    let names = words[at + 1..]
        .iter()
        .filter(|word| !matches!(**word, "(" | ")"));
    let names: Vec<&str> = names.copied().collect();
    for part in names.split(|word| *word == ",") {
        match part {
            ["*"] => push(all, "*", &module, None, node),
            [name] => push(all, name, &module, Some(name), node),
            [name, "as", alias] => push(all, alias, &module, Some(name), node),
            _ => {}
        }
    }
}

/// `load("m", "a", b = "c")`
fn starlark(words: &[&str], node: NodeId, all: &mut Vec<Imported>) {
    let inner = words
        .get(2..words.len().saturating_sub(1))
        .unwrap_or_default();
    let mut parts = inner.split(|word| *word == ",");
    let Some([module]) = parts.next() else { return };
    let unquoted = |word: &str| word.trim_matches(['"', '\'']).to_owned();
    for part in parts {
        match part {
            [name] => push(
                all,
                &unquoted(name),
                &unquoted(module),
                Some(&unquoted(name)),
                node,
            ),
            [alias, "=", name] => {
                push(all, alias, &unquoted(module), Some(&unquoted(name)), node);
            }
            _ => {}
        }
    }
}

/// `e "errors"`; without a name, the one that the guard's code has.
fn go(words: &[&str], node: NodeId, all: &mut Vec<Imported>) {
    let unquoted = |word: &str| word.trim_matches(['"', '`']).to_owned();
    match words {
        [path] => push(all, "", &unquoted(path), None, node),
        [".", path] => push(all, "*", &unquoted(path), None, node),
        [name, path] => push(all, name, &unquoted(path), None, node),
        _ => {}
    }
}

/// `import a.b.C;` and `import static a.b.C.d;`
fn java(words: &[&str], node: NodeId, all: &mut Vec<Imported>) {
    let words = words.strip_prefix(&["import"]).unwrap_or(words);
    let words = words.strip_prefix(&["static"]).unwrap_or(words);
    let words = words.strip_suffix(&[";"]).unwrap_or(words);
    if let Some(last) = words.last() {
        push(all, last, &words.concat(), None, node);
    }
}

/// `use a::{b, c as d, e::{self, f}, g::*};`
fn rust(words: &[&str], node: NodeId, all: &mut Vec<Imported>) {
    let start = words
        .iter()
        .position(|word| *word == "use")
        .map_or(0, |at| at + 1);
    let mut prefixes: Vec<Vec<&str>> = vec![Vec::new()];
    let mut path: Vec<&str> = Vec::new();
    let mut alias: Option<&str> = None;
    let mut rest = words[start..].iter().peekable();
    while let Some(word) = rest.next() {
        match *word {
            "::" => {}
            "as" => alias = rest.next().copied(),
            "{" => prefixes.push(std::mem::take(&mut path)),
            "," | "}" | ";" => {
                if !path.is_empty() {
                    if path.last() == Some(&"self") {
                        path.pop();
                    }
                    let full: Vec<&str> = prefixes.iter().flatten().chain(&path).copied().collect();
                    let local = alias.or(full.last().copied()).unwrap_or_default();
                    push(all, local, &full.join("::"), None, node);
                }
                path.clear();
                alias = None;
                if *word == "}" {
                    prefixes.pop();
                }
            }
            word => path.push(word),
        }
    }
}

/// `import d, { a as b }, * as n from 'm'`
fn script(words: &[&str], node: NodeId, all: &mut Vec<Imported>) {
    let Some(from) = words.iter().rposition(|word| *word == "from") else {
        return;
    };
    let Some(module) = words.get(from + 1) else {
        return;
    };
    let module = module.trim_matches(['"', '\'']);
    let names = words[1..from]
        .iter()
        .filter(|word| !matches!(**word, "{" | "}" | "type"));
    let names: Vec<&str> = names.copied().collect();
    let has_default = !matches!(words.get(1), Some(&("{" | "*")))
        && !matches!(words.get(1..3), Some(&["type", "{" | "*"]));
    for (index, part) in names.split(|word| *word == ",").enumerate() {
        match part {
            [name] if index == 0 && has_default => push(all, name, module, Some("default"), node),
            [name] => push(all, name, module, Some(name), node),
            ["*", "as", name] => push(all, name, module, None, node),
            [name, "as", alias] => push(all, alias, module, Some(name), node),
            _ => {}
        }
    }
}

/// `m = require('m')` and `{ a, b: c } = require('m')`
fn require(words: &[&str], node: NodeId, all: &mut Vec<Imported>) {
    let [target @ .., "=", "require", "(", module, ")"] = words else {
        return;
    };
    let module = module.trim_matches(['"', '\'']);
    match target {
        [name] => push(all, name, module, None, node),
        ["{", names @ .., "}"] => {
            for part in names.split(|word| *word == ",") {
                match part {
                    [name] => push(all, name, module, Some(name), node),
                    [name, ":", alias] => push(all, alias, module, Some(name), node),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Whether a node is a name, or a path of names, that refers to something.
pub(crate) fn is_reference(tree: &Tree, node: NodeId) -> bool {
    match tree.kind_name(node) {
        "ExprName"
        | "ExprAttribute"
        | "IdentifierReference"
        | "StaticMemberExpression"
        | "Ident"
        | "Dot"
        | "scoped_identifier"
        | "scoped_type_identifier"
        | "selector_expression"
        | "qualified_type"
        | "field_access" => true,
        "identifier" | "type_identifier" | "package_identifier" => {
            !matches!(tree.field(node), Some("field" | "name"))
                || tree.kind_name(node) == "type_identifier"
        }
        _ => false,
    }
}

/// The first name of a path of names.
pub(crate) fn root_token(tree: &Tree, node: NodeId) -> Option<NodeId> {
    tree.tokens(node).next()
}

/// Whether a path of names means the symbol of a guard, as far as imports say.
pub(crate) fn resolves(
    tree: &Tree,
    imports: &[Imported],
    node: NodeId,
    guard: &ImportGuard,
) -> bool {
    if !is_reference(tree, node) || imports.iter().any(Imported::is_star) {
        return false;
    }
    let mut words: Vec<&str> = Vec::new();
    for (index, token) in tree.tokens(node).enumerate() {
        let text = tree.text_of(token);
        match index % 2 {
            0 => words.push(text),
            _ if matches!(text, "." | "::") => {}
            _ => return false,
        }
    }
    let Some((root, rest)) = words.split_first() else {
        return false;
    };
    let separator = match tree.language() {
        Language::Rust => "::",
        Language::Python | Language::Java => ".",
        // The path of a module is one word.
        _ => "\0",
    };
    let wanted = [Some(guard.module.as_str()), guard.symbol.as_deref()];
    let wanted = wanted
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(separator);
    let mut full = imports.iter().filter(|import| {
        import.local == *root
            || import.local.is_empty() && import.module == guard.module && guard.root() == *root
    });
    let means = |import: &Imported| {
        let parts = [Some(import.module.as_str()), import.symbol.as_deref()];
        let parts = parts.into_iter().flatten().chain(rest.iter().copied());
        parts
            .collect::<Vec<_>>()
            .join(separator)
            .replace('.', if separator == "\0" { "\0" } else { "." })
    };
    let wanted = wanted.replace('.', if separator == "\0" { "\0" } else { "." });
    match full.next() {
        Some(first) => means(first) == wanted && full.all(|other| means(other) == wanted),
        // A full path needs no import.
        None => {
            tree.language() == Language::Rust
                && rest.len() > 1
                && matches!(*root, "std" | "core" | "alloc")
                && words.join("::") == wanted
        }
    }
}

/// The place of the whole statement of an import; in Go, of the line in its group.
pub(crate) fn statement_span(tree: &Tree, import: &Imported) -> Span {
    let mut node = import.statement;
    if tree.kind_name(node) == "VariableDeclarator" {
        node = tree.parent(node).unwrap_or(node);
    }
    tree.span(node)
}
