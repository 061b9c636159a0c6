//! What the names of a file mean. Each is hashed once, while the tree is walked; rules ask by number.

use fixpoint_starlark::NodeRef;
use rustc_hash::FxHashMap;

/// A file, a function or a comprehension.
pub(crate) type ScopeId = u32;

/// The scope of the file.
pub(crate) const FILE: ScopeId = 0;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Parameter,
    /// `x = value`; also one of several targets of one value.
    Assigned,
    /// `x += value`
    Augmented,
    Looped,
    /// By the `for` of a comprehension.
    Comprehended,
    Defined,
    Loaded,
}

/// One place that gives a name a meaning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'t, 'a> {
    pub name: &'a str,
    pub scope: ScopeId,
    pub how: How,
    /// The name, the function or the symbol.
    pub node: NodeRef<'t, 'a>,
    /// What it is bound to, where that is one expression.
    pub value: Option<NodeRef<'t, 'a>>,
}

/// A name in the scope that binds it.
#[derive(Debug)]
pub(crate) struct Meaning<'t, 'a> {
    /// Its place among all meanings of the file.
    pub index: usize,
    pub scope: ScopeId,
    /// Its place among the meanings of its scope.
    pub nth: usize,
    /// In source order, at least one.
    pub bindings: Vec<Binding<'t, 'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    File,
    Function,
    Comprehension,
}

struct Scope<'t, 'a> {
    outer: Option<ScopeId>,
    kind: ScopeKind,
    opener: Option<NodeRef<'t, 'a>>,
    meanings: Vec<u32>,
}

pub(crate) struct Names<'t, 'a> {
    scopes: Vec<Scope<'t, 'a>>,
    /// Each spelling with its number.
    spellings: FxHashMap<&'a str, u32>,
    meanings: Vec<Meaning<'t, 'a>>,
    /// The meaning of a spelling in a scope.
    bound: FxHashMap<(ScopeId, u32), u32>,
    /// For each node the scope it is read in.
    scope_of: Vec<ScopeId>,
    /// For each node that is a name, first its spelling; then, once all is bound, its meaning.
    meaning_of: Vec<u32>,
    /// The names among the nodes.
    named: Vec<NodeRef<'t, 'a>>,
    /// Names that stand for a value, in source order; `x += 1` counts.
    uses: Vec<NodeRef<'t, 'a>>,
}

impl<'t, 'a> Names<'t, 'a> {
    /// Of a tree with so many nodes, before any of them is seen.
    pub fn new(nodes: usize) -> Self {
        Self {
            scopes: vec![Scope {
                outer: None,
                kind: ScopeKind::File,
                opener: None,
                meanings: Vec::new(),
            }],
            spellings: FxHashMap::default(),
            meanings: Vec::new(),
            bound: FxHashMap::default(),
            scope_of: vec![FILE; nodes],
            meaning_of: vec![NONE; nodes],
            named: Vec::new(),
            uses: Vec::new(),
        }
    }

    pub fn open_scope(
        &mut self,
        outer: ScopeId,
        kind: ScopeKind,
        opener: NodeRef<'t, 'a>,
    ) -> ScopeId {
        self.scopes.push(Scope {
            outer: Some(outer),
            kind,
            opener: Some(opener),
            meanings: Vec::new(),
        });
        self.scopes.len() as ScopeId - 1
    }

    pub fn place(&mut self, node: NodeRef<'t, 'a>, scope: ScopeId) {
        self.scope_of[node.index()] = scope;
    }

    /// A node that is a name, read or written.
    pub fn see(&mut self, node: NodeRef<'t, 'a>, name: &'a str, is_use: bool) {
        self.meaning_of[node.index()] = self.spell(name);
        self.named.push(node);
        if is_use {
            self.uses.push(node);
        }
    }

    fn spell(&mut self, name: &'a str) -> u32 {
        let next = self.spellings.len() as u32;
        *self.spellings.entry(name).or_insert(next)
    }

    pub fn bind(&mut self, binding: Binding<'t, 'a>) {
        let spelling = self.spell(binding.name);
        let key = (binding.scope, spelling);
        let index = *self.bound.entry(key).or_insert_with(|| {
            let index = self.meanings.len();
            let scope = &mut self.scopes[binding.scope as usize];
            self.meanings.push(Meaning {
                index,
                scope: binding.scope,
                nth: scope.meanings.len(),
                bindings: Vec::new(),
            });
            scope.meanings.push(index as u32);
            index as u32
        });
        self.meanings[index as usize].bindings.push(binding);
    }

    /// Gives every name its meaning, once all bindings are known.
    pub fn resolve(mut self) -> Self {
        for node in &self.named {
            let at = node.index();
            let meaning = self.search(self.scope_of[at], self.meaning_of[at]);
            self.meaning_of[at] = meaning.unwrap_or(NONE);
        }
        self
    }

    fn search(&self, from: ScopeId, spelling: u32) -> Option<u32> {
        let mut scope = Some(from);
        while let Some(at) = scope {
            if let Some(meaning) = self.bound.get(&(at, spelling)) {
                return Some(*meaning);
            }
            scope = self.scopes[at as usize].outer;
        }
        None
    }

    /// What a name means where it stands; nothing for names the file does not bind.
    pub fn meaning(&self, name: NodeRef<'t, 'a>) -> Option<&Meaning<'t, 'a>> {
        self.meanings.get(self.meaning_of[name.index()] as usize)
    }

    /// What a name would mean if it stood in a scope.
    pub fn lookup(&self, from: ScopeId, name: &str) -> Option<&Meaning<'t, 'a>> {
        let spelling = self.spellings.get(name)?;
        let meaning = self.search(from, *spelling)?;
        self.meanings.get(meaning as usize)
    }

    /// Every name that is bound, with its bindings, in the order of their first ones.
    pub fn all(&self) -> &[Meaning<'t, 'a>] {
        &self.meanings
    }

    /// Every name that one scope binds.
    pub fn all_of(&self, scope: ScopeId) -> impl ExactSizeIterator<Item = &Meaning<'t, 'a>> {
        let meanings = self.scopes[scope as usize].meanings.iter();
        meanings.map(|index| &self.meanings[*index as usize])
    }

    pub fn uses(&self) -> &[NodeRef<'t, 'a>] {
        &self.uses
    }

    pub fn scope_at(&self, node: NodeRef<'t, 'a>) -> ScopeId {
        self.scope_of[node.index()]
    }

    pub fn outer(&self, scope: ScopeId) -> Option<ScopeId> {
        self.scopes[scope as usize].outer
    }

    /// The `def` or lambda whose scope this is, or lies in; nothing at the top of the file.
    pub fn function_of(&self, mut scope: ScopeId) -> Option<NodeRef<'t, 'a>> {
        loop {
            let at = &self.scopes[scope as usize];
            match (at.kind, at.outer) {
                (ScopeKind::Function, _) => return at.opener,
                (ScopeKind::Comprehension, Some(outer)) => scope = outer,
                _ => return None,
            }
        }
    }
}
