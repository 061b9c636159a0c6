//! What a name means in a file: imported, bound by the file, or neither.

use std::collections::BTreeMap;

use super::source::is_name;
use crate::guard::imports::imports;
use crate::{Language, NodeId, Tree};

/// Where an imported name comes from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Origin {
    pub module: String,
    /// None if the name is the module.
    pub symbol: Option<String>,
}

/// How a name is bound where it is used.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Meaning {
    Imported(Origin),
    /// Bound at the top level of the file.
    TopLevel,
    /// A parameter or a local variable.
    Local,
    /// Not bound in the file, as names of the language are.
    Free,
    /// A star import may bind the name.
    Unknown,
}

/// The imports and bindings of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub imports: BTreeMap<String, Origin>,
    /// For each bound name, the nodes in which it is visible.
    bound: BTreeMap<String, Vec<NodeId>>,
    /// Whether the file imports everything of a module.
    has_star: bool,
}

impl Names {
    pub fn of(tree: &Tree) -> Self {
        let mut names = Self::default();
        for import in imports(tree) {
            names.has_star |= import.is_star();
            // Go's imports have the last part of their path as their name.
            let last = import.module.rsplit('/').next().unwrap_or("").to_owned();
            let local = if import.local.is_empty() {
                last
            } else {
                import.local
            };
            names.imports.insert(
                local,
                Origin {
                    module: import.module,
                    symbol: import.symbol,
                },
            );
        }
        let mut skip_until = 0;
        for node in tree.all() {
            if tree.start(node) < skip_until && node != tree.root() {
                continue;
            }
            if is_import(tree, node) {
                skip_until = tree.end(node);
            } else if is_name(tree, node)
                && let Some(scope) = binding_scope(tree, node)
            {
                let name = tree.text_of(node).to_owned();
                names.bound.entry(name).or_default().push(scope);
            }
        }
        names
    }

    pub fn meaning(&self, tree: &Tree, name: &str, at: NodeId) -> Meaning {
        let scopes = self.bound.get(name).map_or(&[][..], Vec::as_slice);
        let is_local = |scope: &NodeId| *scope != tree.root() && tree.contains(*scope, at);
        if self.has_star {
            Meaning::Unknown
        } else if scopes.iter().any(is_local) {
            Meaning::Local
        } else if scopes.contains(&tree.root()) {
            Meaning::TopLevel
        } else if let Some(path) = self.imports.get(name) {
            Meaning::Imported(path.clone())
        } else {
            Meaning::Free
        }
    }
}

pub(super) fn is_import(tree: &Tree, node: NodeId) -> bool {
    matches!(
        tree.kind_name(node),
        "StmtImport"
            | "StmtImportFrom"
            | "ImportDeclaration"
            | "use_declaration"
            | "import_spec"
            | "Load"
    ) || tree.language() == Language::Java
        && tree.kind_name(node) == "import_declaration"
        && !tree.is_token(node)
}

/// The node in which a name that is bound here is visible; none if the name is only used.
fn binding_scope(tree: &Tree, token: NodeId) -> Option<NodeId> {
    let defines = |node: NodeId| {
        let kind = tree.kind_name(node);
        [
            "function_item",
            "mod_item",
            "macro_definition",
            "struct_item",
            "enum_item",
            "type_item",
            "static_item",
            "const_item",
            "function_declaration",
            "type_spec",
            "class_declaration",
            "interface_declaration",
            "enum_declaration",
            "record_declaration",
            "StmtFunctionDef",
            "StmtClassDef",
            "Def",
            "Function",
            "Class",
            "trait_item",
            "method_declaration",
        ]
        .contains(&kind)
    };
    let is_function = |node: NodeId| {
        let kind = tree.kind_name(node).to_ascii_lowercase();
        [
            "function",
            "def",
            "lambda",
            "method",
            "closure",
            "func_literal",
            "constructor",
            "comprehension",
            "listcomp",
            "generator",
            "arrow",
        ]
        .iter()
        .any(|word| kind.contains(word))
            && kind != "functionbody"
            && !tree.is_token(node)
    };
    let function = |node: NodeId| {
        std::iter::once(node)
            .chain(tree.ancestors(node))
            .find(|node| is_function(*node))
            .unwrap_or(tree.root())
    };
    // The token may be the only child of a node.
    let mut node = token;
    while let Some(parent) = tree.parent(node)
        && tree.span(parent) == tree.span(token)
    {
        node = parent;
    }
    let parent = tree.parent(node)?;
    let kind = tree.kind_name(parent);
    let field = tree.field(token).unwrap_or("");
    let after = |text: &str| {
        let mut rest = tree
            .children(parent)
            .skip_while(|child| *child != node)
            .skip(1);
        rest.next().is_some_and(|next| tree.text_of(next) == text)
    };
    let before = |text: &str| {
        let children = tree.children(parent);
        let earlier: Vec<_> = children.take_while(|child| *child != node).collect();
        earlier.iter().any(|child| tree.text_of(*child) == text)
    };
    let own = |node: NodeId| Some(tree.parent(node).map_or(tree.root(), function));
    match tree.language() {
        Language::Python => {
            let inner = tree.parent(token).map_or("", |node| tree.kind_name(node));
            match kind {
                "StmtFunctionDef" | "StmtClassDef" if inner == "Identifier" => own(parent),
                "Parameter" | "ParameterWithDefault" => Some(function(parent)),
                "Parameters" => Some(function(parent)),
                "StmtAssign" | "StmtAnnAssign" | "ExprNamed"
                    if inner == "ExprName" && (after("=") || after(":") || after(":=")) =>
                {
                    Some(function(parent))
                }
                "StmtFor" | "Comprehension" if inner == "ExprName" && !before("in") => {
                    Some(function(parent))
                }
                "WithItem" if before("as") => Some(function(parent)),
                _ => None,
            }
        }
        Language::Starlark => match kind {
            "Def" if before("def") && !before("(") => own(parent),
            "Def" if !before(":") => Some(parent),
            "Assign" if after("=") => {
                let outer = tree.parent(parent)?;
                let is_argument = matches!(tree.kind_name(outer), "Call" | "DotCall");
                (!is_argument).then(|| function(parent))
            }
            "For" | "ForClause" if !before("in") => Some(function(parent)),
            _ => None,
        },
        Language::JavaScript | Language::Jsx | Language::TypeScript | Language::Tsx => {
            let binds = tree.ancestors(token).take(2).chain([node]).any(|node| {
                tree.kind_name(node) == "BindingIdentifier" && tree.span(node) == tree.span(token)
            });
            binds.then(|| {
                if defines(parent) {
                    own(parent)
                } else {
                    Some(function(parent))
                }
            })?
        }
        _ => {
            if defines(parent) {
                return (field == "name").then(|| own(parent))?;
            }
            let declares = [
                "parameter",
                "let_declaration",
                "closure_parameters",
                "parameter_declaration",
                "var_spec",
                "const_spec",
                "formal_parameter",
                "variable_declarator",
                "inferred_parameters",
                "variadic_parameter_declaration",
                "init_declarator",
                "for_expression",
            ];
            let is_left = kind == "expression_list"
                && tree.field(parent) == Some("left")
                && tree.parent(parent).is_some_and(|outer| {
                    tree.children(outer)
                        .any(|child| tree.text_of(child) == ":=")
                });
            let is_declared =
                declares.contains(&kind) && matches!(field, "name" | "pattern" | "" | "declarator");
            (is_declared || is_left).then(|| function(parent))
        }
    }
}
