//! Checks a whole program: collects the names that predicates may use, and walks the functions.

use std::rc::Rc;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::context::Context;
use super::run_time::RunTimeCheck;
use super::walk::{TypeNames, Walker};
use crate::ast::{Ast, Decl, DeclKind, Field, NodeId};
use crate::compile::Deadline;
use crate::diagnostic::Diagnostic;
use crate::result::{Hole, Obligation};
use crate::types::{Effects, Typing};

/// The results of the phase.
#[derive(Debug, Default)]
pub struct Refinements {
    pub obligations: Vec<Obligation>,
    pub holes: Vec<Hole>,
    /// The number of proved predicates.
    pub discharged: usize,
    /// What the emitted code checks when it runs, by node.
    pub checks: Vec<(NodeId, RunTimeCheck)>,
}

impl Refinements {
    /// Appends the results of later declarations.
    pub fn append(&mut self, mut rest: Self) {
        self.obligations.append(&mut rest.obligations);
        self.holes.append(&mut rest.holes);
        self.discharged += rest.discharged;
        self.checks.append(&mut rest.checks);
    }
}

/// The input of the phase.
pub struct Program<'a> {
    pub ast: &'a Ast,
    pub typing: &'a Typing,
    pub declared: &'a Declared<'a>,
    pub deadline: &'a Deadline,
}

/// Checks some of the declarations. The results for different declarations are independent.
pub fn check<'a>(
    program: &Program<'a>,
    declarations: &'a [Decl],
    diagnostics: &mut Vec<Diagnostic>,
) -> Refinements {
    let declared = program.declared;
    let mut walker = Walker {
        ast: program.ast,
        typing: program.typing,
        deadline: program.deadline,
        records: &declared.records,
        functions: &declared.functions,
        unrepeatable: &declared.unrepeatable,
        parts: &declared.parts,
        context: Context::default(),
        unsteady: HashSet::default(),
        raised: HashMap::default(),
        params: Rc::default(),
        returns: None,
        meant: TypeNames::Nothing,
        declared_effects: Effects::NONE,
        diagnostics: Vec::new(),
        found: Refinements::default(),
    };
    for decl in declarations {
        if let DeclKind::Fn(function) = &decl.kind {
            walker.function(decl, function);
        }
    }
    diagnostics.append(&mut walker.diagnostics);
    walker.found
}

/// The declarations that predicates may refer to.
#[derive(Default)]
pub struct Declared<'a> {
    pub(crate) records: HashMap<&'a str, &'a [Field]>,
    functions: HashMap<&'a str, NodeId>,
    unrepeatable: OnceLock<HashSet<String>>,
    parts: HashMap<&'a str, Vec<NodeId>>,
}

impl<'a> Declared<'a> {
    pub fn of(ast: &'a Ast) -> Self {
        let mut declared = Self::default();
        for decl in &ast.program.declarations {
            match &decl.kind {
                DeclKind::Rec(rec) => {
                    let name = rec.name.text.as_str();
                    declared.records.insert(name, rec.fields.as_slice());
                    let parts = rec.fields.iter().map(|it| it.ty.id);
                    declared.parts.insert(name, parts.collect());
                }
                DeclKind::Fn(function) => {
                    let name = function.signature.name.text.as_str();
                    declared.functions.insert(name, decl.id);
                }
                DeclKind::ExternalFn(function) => {
                    let name = function.signature.name.text.as_str();
                    declared.functions.insert(name, decl.id);
                }
                DeclKind::Sum(sum) => {
                    let fields = sum.variants.iter().flat_map(|it| &it.fields);
                    let parts = fields.map(|(_, ty)| ty.id);
                    declared.parts.insert(&sum.name.text, parts.collect());
                }
                _ => {}
            }
        }
        declared
    }
}
