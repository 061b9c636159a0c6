//! Resolves the names of a file. The walk over the tree hashes each name once. Rules then use
//! indices.

use fixpoint_starlark::NodeRef;
use rustc_hash::FxHashMap;

/// The scope of a file, a function or a comprehension.
pub(crate) type ScopeId = u32;

/// The scope of the file.
pub(crate) const FILE: ScopeId = 0;

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BindingKind {
    Parameter,
    /// `x = value`, or one of several targets such as `x, y = value`.
    Assigned,
    /// `x += value`
    Augmented,
    Looped,
    /// Bound by the `for` of a comprehension.
    Comprehended,
    Defined,
    Loaded,
}

/// One place that binds a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding<'t, 'a> {
    pub name: &'a str,
    pub scope: ScopeId,
    pub kind: BindingKind,
    /// The node of the name, the function or the loaded symbol.
    pub node: NodeRef<'t, 'a>,
    /// The value that is bound, if it is a single expression.
    pub value: Option<NodeRef<'t, 'a>>,
}

/// A name in the scope that binds it.
#[derive(Debug)]
pub(crate) struct Meaning<'t, 'a> {
    /// The index among all meanings of the file.
    pub index: usize,
    pub scope: ScopeId,
    /// The index among the meanings of its scope.
    pub nth: usize,
    /// The bindings in source order. There is at least one.
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
    /// The number of each spelling.
    spellings: FxHashMap<&'a str, u32>,
    meanings: Vec<Meaning<'t, 'a>>,
    /// The meaning of a spelling in a scope.
    bound: FxHashMap<(ScopeId, u32), u32>,
    /// The scope of each node.
    scope_of: Vec<ScopeId>,
    /// For each name node, the number of its spelling. After `resolve`, the index of its meaning.
    meaning_of: Vec<u32>,
    /// All name nodes.
    named: Vec<NodeRef<'t, 'a>>,
    /// Names whose value is read, in source order. This includes `x` in `x += 1`.
    uses: Vec<NodeRef<'t, 'a>>,
}

impl<'t, 'a> Names<'t, 'a> {
    /// Creates an empty table for a tree with `nodes` nodes.
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

    pub fn set_scope(&mut self, node: NodeRef<'t, 'a>, scope: ScopeId) {
        self.scope_of[node.index()] = scope;
    }

    /// Records a name node. `is_use` is false if the name is only written.
    pub fn add_name(&mut self, node: NodeRef<'t, 'a>, name: &'a str, is_use: bool) {
        self.meaning_of[node.index()] = self.intern(name);
        self.named.push(node);
        if is_use {
            self.uses.push(node);
        }
    }

    fn intern(&mut self, name: &'a str) -> u32 {
        let next = self.spellings.len() as u32;
        *self.spellings.entry(name).or_insert(next)
    }

    pub fn bind(&mut self, binding: Binding<'t, 'a>) {
        let spelling = self.intern(binding.name);
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

    /// Determines the meaning of every name. All bindings must be known.
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

    /// The meaning of a name. `None` if the file does not bind it.
    pub fn meaning(&self, name: NodeRef<'t, 'a>) -> Option<&Meaning<'t, 'a>> {
        self.meanings.get(self.meaning_of[name.index()] as usize)
    }

    /// The meaning that a name would have in a scope.
    pub fn lookup(&self, from: ScopeId, name: &str) -> Option<&Meaning<'t, 'a>> {
        let spelling = self.spellings.get(name)?;
        let meaning = self.search(from, *spelling)?;
        self.meanings.get(meaning as usize)
    }

    /// The meanings of all bound names, in the order of their first bindings.
    pub fn all(&self) -> &[Meaning<'t, 'a>] {
        &self.meanings
    }

    /// The meanings of the names that one scope binds.
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

    /// The `def` or lambda that contains a scope. `None` at the top level of the file.
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
