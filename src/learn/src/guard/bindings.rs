//! Which names a scope binds other than by imports. When in doubt, an occurrence of a name counts as a binding.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::tree::{Language, NodeId, Tree};

/// The bindings of a text, found name by name.
pub(crate) struct Bindings<'a> {
    tree: &'a Tree,
    /// The scopes that bind a name; none is the file.
    found: RefCell<BTreeMap<String, Rc<[Option<NodeId>]>>>,
}

impl<'a> Bindings<'a> {
    pub fn new(tree: &'a Tree) -> Self {
        Self {
            tree,
            found: RefCell::default(),
        }
    }

    /// Whether a scope around `at` may bind a name; none for a language whose bindings are unknown.
    pub fn is_bound(&self, name: &str, at: NodeId) -> Option<bool> {
        let tree = self.tree;
        let is_known = !matches!(tree.language(), Language::C | Language::Cpp);
        #[cfg(feature = "clank")]
        let is_known = is_known && tree.language() != Language::Clank;
        if !is_known {
            return None;
        }
        let scopes = self.scopes(name);
        let mut scopes = scopes.iter();
        Some(scopes.any(|scope| scope.is_none_or(|scope| tree.contains(scope, at))))
    }

    fn scopes(&self, name: &str) -> Rc<[Option<NodeId>]> {
        if let Some(scopes) = self.found.borrow().get(name) {
            return scopes.clone();
        }
        let tree = self.tree;
        let tokens = tree.all().filter(|node| {
            tree.is_token(*node) && tree.text_of(*node) == name && is_binding(tree, *node)
        });
        let scopes: Rc<[Option<NodeId>]> = tokens.map(|token| scope(tree, token)).collect();
        let mut found = self.found.borrow_mut();
        found.insert(name.to_owned(), scopes.clone());
        scopes
    }
}

/// Whether a node is a function or another scope for its parameters.
pub(crate) fn is_function(tree: &Tree, node: NodeId) -> bool {
    matches!(
        tree.kind_name(node),
        "StmtFunctionDef"
            | "ExprLambda"
            | "ExprListComp"
            | "ExprSetComp"
            | "ExprDictComp"
            | "ExprGenerator"
            | "Function"
            | "ArrowFunctionExpression"
            | "Def"
            | "Lambda"
            | "Comprehension"
            | "function_item"
            | "closure_expression"
            | "function_declaration"
            | "method_declaration"
            | "func_literal"
            | "constructor_declaration"
            | "lambda_expression"
    )
}

/// The function whose scope a binding belongs to; none for the file.
fn scope(tree: &Tree, token: NodeId) -> Option<NodeId> {
    let name = tree.text_of(token);
    let is_global = |node: NodeId| {
        matches!(tree.kind_name(node), "StmtGlobal" | "StmtNonlocal")
            && tree.tokens(node).any(|token| tree.text_of(token) == name)
    };
    // A global name may be bound from any function.
    if tree.language() == Language::Python && tree.all().any(is_global) {
        return None;
    }
    let mut functions = tree
        .ancestors(token)
        .filter(|node| is_function(tree, *node));
    let first = functions.next()?;
    // Python's comprehension is a part of the node that is its scope.
    let clause = tree.kind_name(first) == "Comprehension" && tree.language() == Language::Python;
    // The name of a function belongs to the scope around it.
    let is_name = tree
        .ancestors(token)
        .take(2)
        .any(|node| tree.parent(node) == Some(first))
        && is_declared_name(tree, first, token);
    if is_name || clause {
        return functions.next();
    }
    Some(first)
}

fn is_declared_name(tree: &Tree, function: NodeId, token: NodeId) -> bool {
    let mut names = tree.tokens(function).filter(|token| tree.is_word(*token));
    let is_anonymous = matches!(
        tree.kind_name(function),
        "ExprLambda"
            | "ArrowFunctionExpression"
            | "Lambda"
            | "closure_expression"
            | "func_literal"
            | "lambda_expression"
    );
    !is_anonymous && names.next() == Some(token)
}

fn is_binding(tree: &Tree, token: NodeId) -> bool {
    let is_import = |node: NodeId| {
        matches!(
            tree.kind_name(node),
            "StmtImport"
                | "StmtImportFrom"
                | "ImportDeclaration"
                | "Load"
                | "import_spec"
                | "import_declaration"
                | "use_declaration"
        )
    };
    if let Some(import) = tree.ancestors(token).find(|node| is_import(*node)) {
        // An import inside a function is not among the imports of the file.
        return tree.ancestors(import).any(|node| is_function(tree, node));
    }
    match tree.language() {
        Language::Python => python(tree, token),
        Language::Starlark => starlark(tree, token),
        Language::JavaScript | Language::Jsx | Language::TypeScript | Language::Tsx => {
            script(tree, token)
        }
        _ => other(tree, token),
    }
}

fn python(tree: &Tree, token: NodeId) -> bool {
    let Some(node) = tree.parent(token) else {
        return false;
    };
    if tree.kind_name(node) != "ExprName" {
        let parent = tree
            .parent(node)
            .map_or("", |parent| tree.kind_name(parent));
        let is_name_of_part = matches!(parent, "ExprAttribute" | "Keyword" | "PatternKeyword");
        let is_text =
            tree.kind_name(node).contains("String") || tree.kind_name(node).contains("Literal");
        return !is_name_of_part && !is_text;
    }
    is_target(
        tree,
        node,
        &["ExprTuple", "ExprList", "ExprStarred", "Parenthesized"],
        |parent, node| match tree.kind_name(parent) {
            "StmtAssign" => is_before(tree, parent, node, "="),
            "StmtAugAssign" | "StmtAnnAssign" | "ExprNamed" => {
                tree.children(parent).next() == Some(node)
            }
            "StmtFor" | "Comprehension" => is_before(tree, parent, node, "in"),
            "WithItem" => tree.children(parent).next() != Some(node),
            "StmtDelete" | "StmtTypeAlias" => true,
            _ => false,
        },
    )
}

fn starlark(tree: &Tree, token: NodeId) -> bool {
    let Some(node) = tree.parent(token) else {
        return false;
    };
    match tree.kind_name(node) {
        "Ident" => {}
        // The name after a dot.
        "Dot" => return false,
        "String" => return false,
        _ => return true,
    }
    is_target(
        tree,
        node,
        &["Tuple", "List", "Paren", "Unary", "Typed"],
        |parent, node| match tree.kind_name(parent) {
            "Assign" => {
                let in_call = tree
                    .parent(parent)
                    .is_some_and(|it| tree.kind_name(it) == "Call");
                !in_call && tree.children(parent).next() == Some(node)
            }
            "For" | "ForClause" => is_before(tree, parent, node, "in"),
            "Def" => true,
            "Lambda" => is_before(tree, parent, node, ":"),
            _ => false,
        },
    )
}

fn script(tree: &Tree, token: NodeId) -> bool {
    let Some(node) = tree.parent(token) else {
        return false;
    };
    match tree.kind_name(node) {
        "BindingIdentifier" => {
            // `m = require('m')` is an import.
            let declarator = tree
                .ancestors(node)
                .find(|it| tree.kind_name(*it) == "VariableDeclarator");
            let is_require = declarator.is_some_and(|declarator| {
                let words: Vec<&str> = tree.tokens(declarator).map(|it| tree.text_of(it)).collect();
                matches!(words[..], [.., "=", "require", "(", _, ")"])
            });
            !is_require || tree.ancestors(node).any(|it| is_function(tree, it))
        }
        "IdentifierReference" => tree.parent(node).is_some_and(|parent| {
            let kind = tree.kind_name(parent);
            (kind.contains("Assignment") || kind == "UpdateExpression" || kind.starts_with("For"))
                && tree.children(parent).next() == Some(node)
        }),
        _ => false,
    }
}

/// Rust, Go and Java: an occurrence is a use only in a place that is known to be one.
fn other(tree: &Tree, token: NodeId) -> bool {
    let Some(parent) = tree.parent(token) else {
        return false;
    };
    let kind = tree.kind_name(token);
    if !kind.contains("identifier") || kind == "field_identifier" {
        return false;
    }
    let field = tree.field(token);
    let is_use = match tree.kind_name(parent) {
        "call_expression" => field == Some("function"),
        "selector_expression" => field == Some("operand"),
        "method_invocation" => true,
        "field_access" | "field_expression" => field != Some("field"),
        "scoped_identifier"
        | "scoped_type_identifier"
        | "qualified_type"
        | "arguments"
        | "argument_list"
        | "binary_expression"
        | "unary_expression"
        | "return_statement"
        | "return_expression"
        | "generic_type"
        | "type_arguments"
        | "object_creation_expression"
        | "reference_expression"
        | "expression_statement"
        | "token_tree"
        | "macro_invocation" => true,
        "formal_parameter" | "local_variable_declaration" | "field_declaration" => {
            field == Some("type")
        }
        "variable_declarator" => field == Some("value"),
        _ => kind == "type_identifier" && field == Some("type"),
    };
    !is_use
}

/// Climbs through the parts of a target, and asks whether what contains it binds it.
fn is_target(
    tree: &Tree,
    node: NodeId,
    parts: &[&str],
    binds: impl Fn(NodeId, NodeId) -> bool,
) -> bool {
    let mut node = node;
    while let Some(parent) = tree.parent(node) {
        if binds(parent, node) {
            return true;
        }
        if !parts.contains(&tree.kind_name(parent)) {
            return false;
        }
        node = parent;
    }
    false
}

/// Whether a child is before the last token with this text.
fn is_before(tree: &Tree, parent: NodeId, node: NodeId, mark: &str) -> bool {
    let mut marks = tree
        .children(parent)
        .filter(|child| tree.text_of(*child) == mark);
    marks.any(|mark| mark > node)
}
