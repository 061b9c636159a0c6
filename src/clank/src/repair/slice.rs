//! Slices: the parts of a program that a repair can affect, so that verifying it does not check the
//! whole program.
//!
//! Checking a function depends on its body and on the declarations, not on other bodies. A slice
//! contains the changed declarations, those that can observe the change, and the signatures that
//! these depend on.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::{Arc, OnceLock, RwLock};

use rustc_hash::FxHashSet as HashSet;
use serde_json::{Value, json};

use super::op::PatchOp;
use super::tree::Tree;
use crate::ast::{
    Block, BlockNode, Decl, DeclKind, ExprKind, ExternalFn, FnDecl, NodeRef, PatternKind, TypeKind,
};
use crate::json::node_json;
use crate::lex::{TokenKind, lex};
use crate::refine::unrepeatable;

pub(super) struct Slices<'t, 'a> {
    tree: &'t Tree<'a>,
    /// The declarations of each name.
    declared: HashMap<&'a str, Vec<usize>>,
    /// A function that writes to fields, if there is one. Its existence affects all checks, so
    /// every slice contains it.
    writer: Option<usize>,
    /// A cache of the names that declarations mention.
    mentions: Cache<usize, Mentions<'a>>,
    mentioned: OnceLock<Mentioned<'a>>,
    json: Cache<(usize, bool), Value>,
    unrepeatable: OnceLock<HashSet<&'a str>>,
}

/// A cache shared between threads.
struct Cache<K, V> {
    made: RwLock<HashMap<K, Arc<V>>>,
}

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self {
            made: RwLock::default(),
        }
    }
}

impl<K: Eq + Hash, V> Cache<K, V> {
    fn get_or(&self, key: K, make: impl FnOnce() -> V) -> Arc<V> {
        let known = self.made.read().ok();
        if let Some(known) = known.and_then(|it| it.get(&key).map(Arc::clone)) {
            return known;
        }
        let made = Arc::new(make());
        if let Ok(mut known) = self.made.write() {
            known.insert(key, Arc::clone(&made));
        }
        made
    }
}

/// The names that a declaration mentions outside its body and inside it.
type Mentions<'a> = [BTreeSet<&'a str>; 2];

/// The declarations that mention a name outside their bodies and inside them.
type Mentioned<'a> = HashMap<&'a str, [Vec<usize>; 2]>;

/// The indices of a slice's declarations, each with whether its body is included.
pub(super) type Slice = Vec<(usize, bool)>;

impl<'t, 'a> Slices<'t, 'a> {
    pub fn of(tree: &'t Tree<'a>) -> Self {
        let declarations = &tree.ast.program.declarations;
        let mut declared: HashMap<&'a str, Vec<usize>> = HashMap::new();
        for (at, decl) in declarations.iter().enumerate() {
            for name in declared_names(&decl.kind) {
                declared.entry(name).or_default().push(at);
            }
        }
        Self {
            tree,
            declared,
            writer: declarations.iter().position(writes_to_part),
            mentions: Cache::default(),
            mentioned: OnceLock::new(),
            json: Cache::default(),
            unrepeatable: OnceLock::new(),
        }
    }

    fn names_of(&self, decl: usize) -> Vec<&'a str> {
        let decl = self.tree.ast.program.declarations.get(decl);
        decl.map(|it| declared_names(&it.kind)).unwrap_or_default()
    }

    fn mentions(&self, at: usize) -> Arc<Mentions<'a>> {
        self.mentions.get_or(at, || {
            let mut mentions = Mentions::default();
            if let Some(decl) = self.tree.ast.program.declarations.get(at) {
                NodeRef::Decl(decl).each(&mut |node| {
                    if let Some(name) = mentioned_name(node) {
                        let in_body = self.tree.decl_of(node.id()).is_some_and(|it| it.1);
                        mentions[usize::from(in_body)].insert(name);
                    }
                });
            }
            mentions
        })
    }

    fn mentioned(&self) -> &Mentioned<'a> {
        self.mentioned.get_or_init(|| {
            let mut mentioned = Mentioned::default();
            for at in 0..self.tree.ast.program.declarations.len() {
                for (part, names) in self.mentions(at).iter().enumerate() {
                    for name in names {
                        mentioned.entry(name).or_default()[part].push(at);
                    }
                }
            }
            mentioned
        })
    }

    /// The declarations that ops can affect.
    pub fn reach(&self, ops: &[PatchOp]) -> BTreeSet<usize> {
        let mut full: BTreeSet<usize> = BTreeSet::new();
        // Declarations whose change is visible to others.
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
            // Uses of the new name that refer to nothing become references.
            if let PatchOp::Rename { new_name, .. } = op
                && let Some(uses) = self.mentioned().get(new_name.as_str())
            {
                full.extend(uses.iter().flatten());
            }
        }
        let mut seen: BTreeSet<usize> = changed.iter().copied().collect();
        while let Some(decl) = changed.pop() {
            for name in self.names_of(decl) {
                let Some([outside, inside]) = self.mentioned().get(name) else {
                    continue;
                };
                full.extend(outside.iter().chain(inside));
                changed.extend(outside.iter().filter(|it| seen.insert(**it)));
            }
        }
        full
    }

    /// A slice with the bodies of some declarations, and the signatures that these and the ops
    /// depend on.
    pub fn slice<'o>(
        &self,
        mut full: BTreeSet<usize>,
        ops: impl Iterator<Item = &'o PatchOp>,
    ) -> Slice {
        full.extend(self.writer);
        let brought: BTreeSet<String> = ops.flat_map(names_in_op).collect();
        let mut bare: BTreeSet<usize> = BTreeSet::new();
        let mut pending: Vec<usize> = Vec::new();
        let mut relied_on = |name: &str, pending: &mut Vec<usize>| {
            for decl in self.declared.get(name).into_iter().flatten() {
                if !full.contains(decl) && bare.insert(*decl) {
                    pending.push(*decl);
                }
            }
        };
        for name in &brought {
            relied_on(name, &mut pending);
        }
        for decl in &full {
            let mentions = self.mentions(*decl);
            let mentions = mentions.iter().flatten().copied();
            for name in mentions.chain(self.names_of(*decl)) {
                relied_on(name, &mut pending);
            }
        }
        while let Some(decl) = pending.pop() {
            let mentions = self.mentions(decl);
            let outside = mentions[0].iter().copied();
            for name in outside.chain(self.names_of(decl)) {
                relied_on(name, &mut pending);
            }
        }
        let mut slice: Slice = full.iter().map(|it| (*it, true)).collect();
        slice.extend(bare.into_iter().map(|it| (it, false)));
        slice.sort_unstable();
        slice
    }

    /// A declaration as JSON with the same ids.
    pub fn whole(&self, at: usize) -> Value {
        let decl = self.tree.ast.program.declarations.get(at);
        let json = decl.map(|it| node_json(NodeRef::Decl(it), self.tree.ast));
        json.unwrap_or_default()
    }

    /// A cached declaration, with its body or with an empty one.
    pub fn decl(&self, at: usize, with_body: bool) -> Arc<Value> {
        self.json.get_or((at, with_body), || {
            let decl = self.tree.ast.program.declarations.get(at);
            match decl.map(|it| (it, &it.kind)) {
                Some((decl, DeclKind::Fn(it))) if !with_body && self.is_unrepeatable(it) => {
                    let outside = DeclKind::ExternalFn(Box::new(ExternalFn {
                        signature: it.signature.clone(),
                        js_name: String::new(),
                    }));
                    let outside = Decl::new(decl.id, decl.span, outside);
                    node_json(NodeRef::Decl(&outside), self.tree.ast)
                }
                Some((decl, DeclKind::Fn(function))) if !with_body => {
                    let bare = DeclKind::Fn(Arc::new(without_body(function)));
                    let bare = Decl::new(decl.id, decl.span, bare);
                    let mut bare = node_json(NodeRef::Decl(&bare), self.tree.ast);
                    if let Some(body) = bare.get_mut("body") {
                        // The loop never ends, so the missing result is not an error.
                        let empty = json!({"kind": "block", "statements": []});
                        body["statements"] = json!([{"kind": "loop", "body": empty}]);
                    }
                    bare
                }
                _ => self.whole(at),
            }
        })
    }

    /// Whether a function may return a different value on each call. Its signature alone does not
    /// show that.
    fn is_unrepeatable(&self, function: &FnDecl) -> bool {
        let ast = self.tree.ast;
        let others = self.unrepeatable.get_or_init(|| unrepeatable(ast, None));
        others.contains(function.signature.name.text.as_str())
    }
}

fn without_body(function: &FnDecl) -> FnDecl {
    FnDecl {
        signature: function.signature.clone(),
        precondition: function.precondition.clone(),
        postcondition: function.postcondition.clone(),
        body: BlockNode::new(function.body.id, function.body.span, Block::default()),
    }
}

fn writes_to_part(decl: &Decl) -> bool {
    let mut writes = false;
    NodeRef::Decl(decl).each(&mut |node| writes |= node.writes_part());
    writes
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

/// The names that an op mentions.
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
