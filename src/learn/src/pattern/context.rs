//! The code around a piece of code that makes it a whole text.

use crate::tree::{Language, NodeId, Tree};

/// What a piece of code is, as far as it decides where parentheses are possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Category {
    Expression,
    Other,
}

pub(crate) struct Context {
    pub before: &'static str,
    pub after: &'static str,
    /// None if the tree decides.
    category: Option<Category>,
}

impl Context {
    pub fn category(&self, tree: &Tree, roots: &[NodeId]) -> Category {
        if let Some(category) = self.category {
            return category;
        }
        let [root] = roots else {
            return Category::Other;
        };
        const STATEMENTS: [&str; 10] = [
            "Load",
            "Return",
            "Branch",
            "Def",
            "For",
            "If",
            "Block",
            "Assign",
            "File",
            "ModModule",
        ];
        let kind = tree.kind_name(*root);
        let is_expression = match tree.language() {
            Language::Python => kind.starts_with("Expr") || kind == "Parenthesized",
            _ => !STATEMENTS.contains(&kind),
        };
        if is_expression {
            Category::Expression
        } else {
            Category::Other
        }
    }
}

const fn expression(before: &'static str, after: &'static str) -> Context {
    Context {
        before,
        after,
        category: Some(Category::Expression),
    }
}

const fn other(before: &'static str, after: &'static str) -> Context {
    Context {
        before,
        after,
        category: Some(Category::Other),
    }
}

const WHOLE: Context = Context {
    before: "",
    after: "",
    category: None,
};

/// The contexts of a language. The first in which a text parses counts.
pub(crate) fn contexts(language: Language) -> &'static [Context] {
    match language {
        Language::Python => const { &[WHOLE] },
        Language::Starlark => const { &[WHOLE, other("def f():\n    ", "\n")] },
        Language::JavaScript | Language::Jsx => {
            const {
                &[
                    expression("(", ")"),
                    other("", ""),
                    expression("async function* f() { (", ") }"),
                    other("async function* f() {", "}"),
                    other("class A {", "}"),
                    other("while (true) {", "}"),
                ]
            }
        }
        Language::TypeScript | Language::Tsx => {
            const {
                &[
                    expression("(", ")"),
                    other("", ""),
                    expression("async function* f() { (", ") }"),
                    other("async function* f() {", "}"),
                    other("class A {", "}"),
                    other("while (true) {", "}"),
                    other("type A = ", ";"),
                    other("interface A {", "}"),
                ]
            }
        }
        #[cfg(feature = "clank")]
        Language::Clank => {
            const {
                &[
                    expression("fn f() -> Int { let x = ", "; x }"),
                    other("fn f() -> Int {", "}"),
                    other("", ""),
                ]
            }
        }
        Language::Rust => {
            const {
                &[
                    expression("fn f() { let _ = ", "; }"),
                    other("fn f() {", "}"),
                    other("", ""),
                    other("impl T {", "}"),
                    other("type T = ", ";"),
                ]
            }
        }
        Language::Go => {
            const {
                &[
                    expression("package p\nvar _ = ", "\n"),
                    other("package p\nfunc f() {\n", "\n}\n"),
                    other("package p\n", "\n"),
                    other("package p\ntype T ", "\n"),
                    other("", ""),
                ]
            }
        }
        Language::Java => {
            const {
                &[
                    expression("class C { Object f = ", "; }"),
                    other("class C { void f() {", "} }"),
                    other("class C {", "}"),
                    other("", ""),
                ]
            }
        }
        Language::C => {
            const {
                &[
                    expression("int v = ", ";"),
                    other("void f() {", "}"),
                    other("", ""),
                ]
            }
        }
        Language::Cpp => {
            const {
                &[
                    expression("int v = ", ";"),
                    other("void f() {", "}"),
                    other("", ""),
                    other("class C {", "};"),
                ]
            }
        }
    }
}
