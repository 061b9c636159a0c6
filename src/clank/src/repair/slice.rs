//! The part of a program that a repair can make a difference to, so that trying one costs what it
//! touches and not the whole program.
//!
//! Checking a function depends on its body and on what is declared, not on other bodies. A slice
//! holds what is changed, whoever could notice, and the bare declarations these rely on.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

use super::op::PatchOp;
use super::tree::Tree;
use crate::ast::{DeclKind, ExprKind, NodeRef, PatternKind, TypeKind};
use crate::json::node_json;
use crate::lex::{TokenKind, lex};

pub(super) struct Slices<'t, 'a> {
    tree: &'t Tree<'a>,
    /// What each declaration mentions outside and inside its body.
    mentions: Vec<[BTreeSet<&'a str>; 2]>,
    /// The declarations of a name.
    declared: HashMap<&'a str, Vec<usize>>,
    /// The declarations that mention a name outside and inside their bodies.
    mentioned: HashMap<&'a str, [Vec<usize>; 2]>,
    /// A function that writes to fields: that there is one makes a difference to all.
    writer: Option<usize>,
    json: RefCell<HashMap<usize, Value>>,
}

/// The declarations of a slice, each with whether it is there with its body.
pub(super) type Slice = Vec<(usize, bool)>;

impl<'t, 'a> Slices<'t, 'a> {
    pub fn of(tree: &'t Tree<'a>) -> Self {
        let mut slices = Self {
            tree,
            mentions: Vec::new(),
            declared: HashMap::new(),
            mentioned: HashMap::new(),
            writer: None,
            json: RefCell::default(),
        };
        for (at, decl) in tree.ast.program.declarations.iter().enumerate() {
            for name in declared_names(&decl.kind) {
                slices.declared.entry(name).or_default().push(at);
            }
            let mut mentions = [BTreeSet::new(), BTreeSet::new()];
            let mut writes = false;
            NodeRef::Decl(decl).each(&mut |node| {
                let in_body = tree.decl_of(node.id()).is_some_and(|it| it.1);
                mentions[usize::from(in_body)].extend(mentioned_name(node));
                writes |= node.writes_part();
            });
            if writes {
                slices.writer.get_or_insert(at);
            }
            for (part, names) in mentions.iter().enumerate() {
                for name in names {
                    let lists = slices.mentioned.entry(name).or_default();
                    lists[part].push(at);
                }
            }
            slices.mentions.push(mentions);
        }
        slices
    }

    fn names_of(&self, decl: usize) -> Vec<&'a str> {
        let decl = self.tree.ast.program.declarations.get(decl);
        decl.map(|it| declared_names(&it.kind)).unwrap_or_default()
    }

    /// What ops can make a difference to, and what that relies on.
    pub fn slice(&self, ops: &[PatchOp]) -> Slice {
        let mut full: BTreeSet<usize> = BTreeSet::new();
        // Declarations that others may see a change of.
        let mut changed: Vec<usize> = Vec::new();
        for op in ops {
            let node = self.tree.find(op.target());
            let Some((decl, in_body)) = node.ok().and_then(|it| self.tree.decl_of(it.id())) else {
                continue;
            };
            full.insert(decl);
            if !in_body {
                changed.push(decl);
            }
        }
        let mut seen: BTreeSet<usize> = changed.iter().copied().collect();
        while let Some(decl) = changed.pop() {
            for name in self.names_of(decl) {
                let Some([outside, inside]) = self.mentioned.get(name) else {
                    continue;
                };
                full.extend(outside.iter().chain(inside));
                changed.extend(outside.iter().filter(|it| seen.insert(**it)));
            }
        }
        full.extend(self.writer);
        let mut names: Vec<String> = ops.iter().flat_map(names_in_op).collect();
        for decl in &full {
            let mentions = self.mentions.get(*decl).into_iter().flatten().flatten();
            names.extend(mentions.map(|it| (*it).to_owned()));
            names.extend(self.names_of(*decl).into_iter().map(str::to_owned));
        }
        let mut bare: BTreeSet<usize> = BTreeSet::new();
        while let Some(name) = names.pop() {
            for decl in self.declared.get(name.as_str()).into_iter().flatten() {
                if !full.contains(decl) && bare.insert(*decl) {
                    let [outside, _] = &self.mentions[*decl];
                    names.extend(outside.iter().map(|it| (*it).to_owned()));
                    names.extend(self.names_of(*decl).into_iter().map(str::to_owned));
                }
            }
        }
        let mut slice: Slice = full.into_iter().map(|it| (it, true)).collect();
        slice.extend(bare.into_iter().map(|it| (it, false)));
        slice.sort_unstable();
        slice
    }

    /// A slice as a program of its own, over the same ids.
    pub fn program(&self, slice: &Slice) -> Value {
        let declarations = slice.iter().map(|(at, with_body)| {
            let mut decl = self.decl(*at);
            if let Value::Object(members) = &mut decl
                && !with_body
                && members.contains_key("body")
            {
                // It never ends, so nothing is missing from what it gives.
                let empty = json!({"kind": "block", "statements": []});
                let endless = json!({"kind": "loop", "body": empty});
                let stub = json!({"kind": "block", "statements": [endless]});
                members.insert("body".to_owned(), stub);
            }
            decl
        });
        json!({"kind": "program", "declarations": declarations.collect::<Vec<_>>()})
    }

    fn decl(&self, at: usize) -> Value {
        let mut cache = self.json.borrow_mut();
        let json = cache.entry(at).or_insert_with(|| {
            let decl = self.tree.ast.program.declarations.get(at);
            decl.map(|it| node_json(NodeRef::Decl(it), self.tree.ast))
                .unwrap_or_default()
        });
        json.clone()
    }
}

fn declared_names(decl: &DeclKind) -> Vec<&str> {
    match decl {
        DeclKind::Fn(it) => vec![&it.signature.name.text],
        DeclKind::ExternalFn(it) => vec![&it.signature.name.text],
        DeclKind::Rec(it) => vec![&it.name.text],
        DeclKind::TypeAlias(it) => vec![&it.name.text],
        DeclKind::Sum(it) => {
            let variants = it.variants.iter().map(|it| it.name.text.as_str());
            variants.chain([it.name.text.as_str()]).collect()
        }
        DeclKind::ExternalMod(_) | DeclKind::Mod(_) | DeclKind::Use(_) => Vec::new(),
    }
}

fn mentioned_name(node: NodeRef<'_>) -> Option<&str> {
    match node {
        NodeRef::Expr(it) => match &it.kind {
            ExprKind::Ident(name) => Some(name),
            _ => None,
        },
        NodeRef::Type(it) => match &it.kind {
            TypeKind::Named { name, .. } => Some(&name.text),
            _ => None,
        },
        NodeRef::Pattern(it) => match &it.kind {
            PatternKind::Variant { name, .. } => Some(&name.text),
            _ => None,
        },
        _ => None,
    }
}

/// The names that an op brings with it.
fn names_in_op(op: &PatchOp) -> Vec<String> {
    let mut names = Vec::new();
    let value = serde_json::to_value(op).unwrap_or_default();
    gather(&value, &mut names);
    names
}

fn gather(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let tokens = lex(text);
            let words = tokens
                .all
                .iter()
                .filter(|it| matches!(it.kind, TokenKind::Ident | TokenKind::TypeIdent));
            names.extend(words.filter_map(|it| text.get(it.span.range()).map(str::to_owned)));
        }
        Value::Array(items) => items.iter().for_each(|it| gather(it, names)),
        Value::Object(members) => members.values().for_each(|it| gather(it, names)),
        _ => {}
    }
}
