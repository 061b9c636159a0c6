//! The table of repairs: which drafts to try for each kind of problem. Each file covers related
//! diagnostics.

mod annotations;
mod boundary;
mod calls;
mod declarations;
mod effects;
mod fields;
mod lets;
mod matches;
mod names;
mod obligations;
mod placeholder;
mod records;
mod renames;
mod types;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Value, json};

use super::draft::Draft;
use super::tree::Tree;
use crate::ast::{DeclKind, Expr, ExprKind, NodeRef};
use crate::diagnostic::{Code, Diagnostic};
use crate::json::node_json;
use crate::print::expr_text;
use crate::result::CompileResult;
use lets::Uses;
pub(super) use obligations::filled_with;

/// All drafts, in the order of the problems.
pub(super) fn drafts(result: &CompileResult, tree: &Tree<'_>) -> Vec<Draft> {
    let mut rows = Rows {
        result,
        tree,
        drafts: Vec::new(),
        groups: 0,
        uses: RefCell::default(),
    };
    rows.unresolved_names();
    for (at, diagnostic) in result.diagnostics.iter().enumerate() {
        rows.diagnostic(at, diagnostic);
    }
    rows.immutable_assignments();
    rows.effects();
    rows.obligations();
    rows.boundaries();
    rows.holes();
    rows.declarations();
    rows.drafts
}

pub(super) struct Rows<'r, 'a> {
    result: &'a CompileResult,
    tree: &'r Tree<'a>,
    drafts: Vec<Draft>,
    groups: usize,
    /// A cache of the names used in a declaration, by the declaration's index.
    uses: RefCell<BTreeMap<usize, Rc<Uses<'a>>>>,
}

impl<'a> Rows<'_, 'a> {
    /// Whether the program declares its own `panic`, which may return.
    fn has_own_panic(&self) -> bool {
        let declarations = &self.result.ast.program.declarations;
        declarations.iter().any(|it| match &it.kind {
            DeclKind::Fn(function) => function.signature.name.text == "panic",
            DeclKind::ExternalFn(function) => function.signature.name.text == "panic",
            _ => false,
        })
    }

    fn diagnostic(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        match diagnostic.code {
            Code::E1005 => self.unresolved_type(at, diagnostic),
            Code::E1006 => self.unknown_variant(at, diagnostic),
            Code::E2001 => self.type_mismatch(at, diagnostic),
            Code::E2002 => self.arity_mismatch(at, diagnostic),
            Code::E2003 => self.missing_field(at, diagnostic),
            Code::E2004 => self.unknown_field(at, diagnostic),
            Code::E2010 | Code::E2012 => self.type_known_too_late(at, diagnostic),
            Code::E2015 => self.non_exhaustive(at, diagnostic),
            Code::W0001 => self.unused(at, diagnostic),
            _ => {}
        }
    }

    /// Adds drafts that are alternatives of each other, the best one first.
    fn alternatives(&mut self, drafts: impl IntoIterator<Item = Draft>) {
        self.groups += 1;
        let group = self.groups;
        let drafts = drafts.into_iter().map(|it| Draft { group, ..it });
        self.drafts.extend(drafts);
    }

    /// An expression reused in a new node. It is kept as source where possible. It is a node if a
    /// document gave ids to its nodes, or if it has no text form.
    fn kept(&self, expr: &Expr) -> Value {
        let ast = self.tree.ast;
        let written = ast.source.slice(expr.span);
        if !written.is_empty() {
            return json!({ "source": written });
        }
        let mut needs_node = false;
        NodeRef::Expr(expr).each(&mut |node| {
            needs_node |= ast.ids.is_given(node.id());
            if let NodeRef::Expr(expr) = node {
                needs_node |= matches!(
                    expr.kind,
                    ExprKind::Record(_) | ExprKind::Range { .. } | ExprKind::Hole(_)
                );
            }
        });
        if needs_node {
            return node_json(NodeRef::Expr(expr), ast);
        }
        json!({ "source": expr_text(expr) })
    }

    /// Indices of diagnostics grouped by a key, in the order of each group's first diagnostic.
    fn grouped<K: Ord + Clone>(
        &self,
        key: impl Fn(&'a Diagnostic) -> Option<K>,
    ) -> Vec<(K, Vec<usize>)> {
        let mut order: Vec<K> = Vec::new();
        let mut groups: BTreeMap<K, Vec<usize>> = BTreeMap::new();
        for (at, diagnostic) in self.result.diagnostics.iter().enumerate() {
            let Some(key) = key(diagnostic) else {
                continue;
            };
            let group = groups.entry(key.clone()).or_default();
            if group.is_empty() {
                order.push(key);
            }
            group.push(at);
        }
        let take = |key: K| {
            let group = groups.remove(&key).unwrap_or_default();
            (key, group)
        };
        order.into_iter().map(take).collect()
    }
}
