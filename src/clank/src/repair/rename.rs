//! Renames a declaration and every reference to it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::error::PatchError;
use crate::ast::{Ast, DeclKind, ExprKind, NodeId, NodeRef, TypeKind};
use crate::json::read_program;
use crate::lex::{Token, TokenKind, lex};
use crate::names::{Def, Globals, Names, TypeDef, TypeRef, VariantDef, resolve};

/// The symbol that a node declares.
#[derive(Clone, Copy, PartialEq)]
enum Symbol {
    Value(Def),
    Type(TypeDef),
}

pub(super) fn rename(program: &mut Value, id: &str, new_name: &str) -> Result<(), PatchError> {
    if !is_name(new_name) {
        return Err(PatchError::NoName {
            name: new_name.to_owned(),
        });
    }
    let ast = read(program)?;
    let (node, uses) = references(&ast, id)?;
    let names: BTreeSet<String> = uses.iter().map(|it| ast.ids.name(*it)).collect();
    let mut renamed = program.clone();
    set_names(&mut renamed, id, &names, new_name);
    // The set of references must stay the same: no new name may be captured and no reference lost.
    let after = read(&renamed)?;
    let uses_after = match references(&after, id) {
        Ok((_, uses)) => uses,
        Err(PatchError::InTemplate { .. }) => {
            return Err(PatchError::Captured {
                name: new_name.to_owned(),
            });
        }
        Err(error) => return Err(error),
    };
    let names_after: BTreeSet<String> = uses_after.iter().map(|it| after.ids.name(*it)).collect();
    // A name that refers to nothing may become a reference.
    let resolved: BTreeSet<String> = {
        let unresolved = unresolved(&ast, new_name);
        names_after.difference(&unresolved).cloned().collect()
    };
    if names != resolved || ast.ids.name(node) != id {
        return Err(PatchError::Captured {
            name: new_name.to_owned(),
        });
    }
    *program = renamed;
    Ok(())
}

fn read(program: &Value) -> Result<Ast, PatchError> {
    read_program(&program.to_string()).map_err(|errors| {
        let first = errors.into_iter().next();
        let (path, message) = first.map_or_else(Default::default, |it| (it.path, it.message));
        PatchError::NoProgram { path, message }
    })
}

/// The node that declares a symbol, and the nodes that refer to it.
pub(super) fn references(ast: &Ast, id: &str) -> Result<(NodeId, Vec<NodeId>), PatchError> {
    let unknown = || PatchError::UnknownNode { id: id.to_owned() };
    let node = ast.ids.find(id).ok_or_else(unknown)?;
    let globals = Globals::collect(ast, &mut Vec::new());
    let names = resolve(ast, &globals, &mut Vec::new());
    let symbols = declared(ast, &names, node);
    let mut is_shorthand = false;
    NodeRef::Program(&ast.program).each(&mut |it| {
        is_shorthand |= it.id() == node && matches!(it, NodeRef::FieldPattern(_));
    });
    // A shorthand field pattern cannot be renamed. The field has to get an explicit pattern
    // instead.
    if symbols.is_empty() || is_shorthand {
        return Err(PatchError::WrongNode {
            op: "rename",
            id: id.to_owned(),
            found: "nothing that declares a name".to_owned(),
            wanted: "what declares a name",
        });
    }
    let in_template = |it: &Def| symbols.contains(&Symbol::Value(*it));
    if names.in_templates.iter().any(in_template) {
        return Err(PatchError::InTemplate { id: id.to_owned() });
    }
    let mut uses = Vec::new();
    NodeRef::Program(&ast.program).each(&mut |it| {
        let means = match it {
            NodeRef::Expr(expr) => names.of_use(expr.id).map(Symbol::Value),
            NodeRef::Pattern(pattern) => names.of_use(pattern.id).map(Symbol::Value),
            NodeRef::Type(ty) => match names.of_type(ty.id) {
                Some(TypeRef::Declared(def)) => Some(Symbol::Type(def)),
                _ => None,
            },
            _ => None,
        };
        if means.is_some_and(|it| symbols.contains(&it)) {
            uses.push(it.id());
        }
    });
    uses.extend(in_predicates(ast, node));
    Ok((node, uses))
}

/// The uses of a name that refer to nothing.
fn unresolved(ast: &Ast, name: &str) -> BTreeSet<String> {
    let globals = Globals::collect(ast, &mut Vec::new());
    let names = resolve(ast, &globals, &mut Vec::new());
    let mut found = BTreeSet::new();
    NodeRef::Program(&ast.program).each(&mut |it| {
        let is_unresolved = match it {
            NodeRef::Expr(expr) => {
                matches!(&expr.kind, ExprKind::Ident(it) if it == name)
                    && names.of_use(expr.id).is_none()
            }
            NodeRef::Type(ty) => {
                matches!(&ty.kind, TypeKind::Named { name: it, .. } if it.text == name)
                    && names.of_type(ty.id).is_none()
            }
            _ => false,
        };
        if is_unresolved {
            found.insert(ast.ids.name(it.id()));
        }
    });
    found
}

fn declared(ast: &Ast, names: &Names, node: NodeId) -> Vec<Symbol> {
    if let Some(binding) = names.of_binder(node) {
        return vec![Symbol::Value(Def::Local(binding))];
    }
    for (at, decl) in ast.program.declarations.iter().enumerate() {
        let def = TypeDef {
            in_prelude: false,
            at,
        };
        match &decl.kind {
            DeclKind::Fn(_) | DeclKind::ExternalFn(_) if decl.id == node => {
                return vec![Symbol::Value(Def::Function(at))];
            }
            DeclKind::Rec(_) if decl.id == node => {
                return vec![Symbol::Type(def), Symbol::Value(Def::Record(at))];
            }
            DeclKind::TypeAlias(_) | DeclKind::Sum(_) if decl.id == node => {
                return vec![Symbol::Type(def)];
            }
            DeclKind::Sum(sum) => {
                let place = sum.variants.iter().position(|it| it.id == node);
                if let Some(at) = place {
                    return vec![Symbol::Value(Def::Variant(VariantDef { sum: def, at }))];
                }
            }
            _ => {}
        }
    }
    Vec::new()
}

/// Uses of a parameter in the predicates of its function's signature.
fn in_predicates(ast: &Ast, param: NodeId) -> Vec<NodeId> {
    let mut uses = Vec::new();
    for decl in &ast.program.declarations {
        let DeclKind::Fn(function) = &decl.kind else {
            continue;
        };
        let params = &function.signature.params;
        let Some(own) = params.iter().find(|it| it.id == param) else {
            continue;
        };
        let mut gather = |predicate: NodeRef<'_>| {
            predicate.each(&mut |it| {
                if let NodeRef::Expr(expr) = it
                    && matches!(&expr.kind, ExprKind::Ident(name) if *name == own.name.text)
                {
                    uses.push(expr.id);
                }
            });
        };
        let types = params.iter().map(|it| &it.ty);
        for ty in types.chain([&function.signature.return_type]) {
            NodeRef::Type(ty).each(&mut |it| {
                if let NodeRef::Type(ty) = it
                    && let TypeKind::Refined { predicate, var, .. } = &ty.kind
                    && var.as_ref().is_none_or(|it| it.text != own.name.text)
                {
                    gather(NodeRef::Expr(predicate));
                }
            });
        }
    }
    uses
}

fn set_names(value: &mut Value, symbol: &str, uses: &BTreeSet<String>, new_name: &str) {
    match value {
        Value::Object(members) => {
            let id = members.get("id").and_then(Value::as_str);
            if id.is_some_and(|id| id == symbol || uses.contains(id)) {
                members.insert("name".to_owned(), Value::from(new_name));
            }
            for member in members.values_mut() {
                set_names(member, symbol, uses, new_name);
            }
        }
        Value::Array(items) => {
            for item in items {
                set_names(item, symbol, uses, new_name);
            }
        }
        _ => {}
    }
}

/// Whether a text is a single value or type name.
fn is_name(text: &str) -> bool {
    let tokens = lex(text);
    let is_word = |it: &Token| matches!(it.kind, TokenKind::Ident | TokenKind::TypeIdent);
    matches!(tokens.all.as_slice(), [word, _] if is_word(word)) && tokens.errors.is_empty()
}
