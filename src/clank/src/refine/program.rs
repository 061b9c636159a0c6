//! A whole program: what predicates may name in it, and the walks over its functions.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use super::context::Context;
use super::walk::Walker;
use crate::ast::{Ast, Decl, DeclKind, Field, NodeId};
use crate::beside::both;
use crate::diagnostic::Diagnostic;
use crate::result::{Hole, Obligation};
use crate::types::Typing;

/// What the phase found.
#[derive(Debug, Default)]
pub struct Refinements {
    pub obligations: Vec<Obligation>,
    pub holes: Vec<Hole>,
    /// How many predicates were proved.
    pub discharged: usize,
}

/// From so many declarations on, half of them are looked at beside the others.
const MANY: usize = 200;

pub fn check(ast: &Ast, typing: &Typing, diagnostics: &mut Vec<Diagnostic>) -> Refinements {
    let declared = Declared::of(ast);
    let part = |declarations: &[Decl]| part(ast, typing, &declared, declarations);
    let all = ast.program.declarations.as_slice();
    if all.len() < MANY {
        let (found, mut told) = part(all);
        diagnostics.append(&mut told);
        return found;
    }
    let (first, second) = all.split_at(all.len() / 2);
    let (first, second) = both(|| part(first), &|| part(second));
    let (mut found, mut told) = first;
    diagnostics.append(&mut told);
    let (mut rest, mut told) = second;
    diagnostics.append(&mut told);
    found.obligations.append(&mut rest.obligations);
    found.holes.append(&mut rest.holes);
    found.discharged += rest.discharged;
    found
}

/// What is found in some of the declarations: none of them depends on what is found in another.
fn part(
    ast: &Ast,
    typing: &Typing,
    declared: &Declared<'_>,
    declarations: &[Decl],
) -> (Refinements, Vec<Diagnostic>) {
    let mut walker = Walker {
        ast,
        typing,
        records: &declared.records,
        functions: &declared.functions,
        externals: &declared.externals,
        parts: &declared.parts,
        context: Context::default(),
        unsteady: HashSet::default(),
        handed: HashSet::default(),
        params: Vec::new(),
        returns: None,
        declared_effects: Vec::new(),
        diagnostics: Vec::new(),
        found: Refinements::default(),
    };
    for decl in declarations {
        if let DeclKind::Fn(function) = &decl.kind {
            walker.function(decl, function);
        }
    }
    (walker.found, walker.diagnostics)
}

/// What predicates may name.
#[derive(Default)]
struct Declared<'a> {
    records: HashMap<&'a str, &'a [Field]>,
    functions: HashMap<&'a str, NodeId>,
    externals: HashSet<&'a str>,
    parts: HashMap<&'a str, Vec<NodeId>>,
}

impl<'a> Declared<'a> {
    fn of(ast: &'a Ast) -> Self {
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
                    declared.externals.remove(name);
                }
                DeclKind::ExternalFn(function) => {
                    let name = function.signature.name.text.as_str();
                    declared.functions.insert(name, decl.id);
                    declared.externals.insert(name);
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
