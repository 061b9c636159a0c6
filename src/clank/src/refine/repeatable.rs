//! Functions that may return a different value on each call. External functions may, and so may all
//! functions that call them directly or indirectly. Only calls of repeatable functions have a
//! single value.

use std::borrow::Cow;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::ast::{Ast, DeclKind, ExprKind, FnDecl, Literal, NodeRef, Signature, TypeKind, Use};
use crate::names::{Def, EFFECTS, Names};
use crate::template::{changes_in, names_in};

/// The names of the functions that are not repeatable, including external ones. Functions with
/// effects do not propagate it: functions without effects cannot call them. With `names`, a
/// variable is not confused with a function of the same name.
pub(crate) fn unrepeatable<'a>(ast: &'a Ast, names: Option<&Names>) -> HashSet<&'a str> {
    let declarations = &ast.program.declarations;
    let mut found: HashSet<&str> = HashSet::default();
    let mut pending: Vec<&str> = Vec::new();
    for decl in declarations {
        match &decl.kind {
            DeclKind::ExternalFn(it) => {
                let name = it.signature.name.text.as_str();
                if found.insert(name) && !has_effects(&it.signature) {
                    pending.push(name);
                }
            }
            // Imported names may not be linked.
            DeclKind::Use(it) if names.is_none() && !is_own_library(it) => {
                let bound = it.items.iter().map(|it| it.text.as_str());
                pending.extend(bound.filter(|it| found.insert(it)));
            }
            _ => {}
        }
    }
    // External values only come from external functions, unknown imports and JavaScript in
    // templates.
    if found.is_empty() && !ast.links.may_be_unknown() && !names.is_some_and(|it| it.writes_fields)
    {
        return found;
    }
    let mut callers: HashMap<Cow<'_, str>, Vec<&str>> = HashMap::default();
    for decl in declarations {
        if let DeclKind::Fn(function) = &decl.kind
            && !has_effects(&function.signature)
        {
            let caller = function.signature.name.text.as_str();
            let mut mention = |callee| callers.entry(callee).or_default().push(caller);
            if mentions(function, names, &mut mention) && found.insert(caller) {
                pending.push(caller);
            }
        }
    }
    while let Some(callee) = pending.pop() {
        for caller in callers.remove(callee).unwrap_or_default() {
            if found.insert(caller) {
                pending.push(caller);
            }
        }
    }
    found
}

/// Calls `mention` with each name in a body that may refer to a function. Returns whether the body
/// contains anything else that is external.
fn mentions<'a>(
    function: &'a FnDecl,
    names: Option<&Names>,
    mention: &mut impl FnMut(Cow<'a, str>),
) -> bool {
    let mut is_outside = false;
    NodeRef::Block(&function.body).each_code(&mut |node| {
        let NodeRef::Expr(expr) = node else { return };
        match &expr.kind {
            ExprKind::Ident(name) => match names.map(|it| it.of_use(expr.id)) {
                None | Some(Some(Def::Function(_))) => mention(Cow::Borrowed(name.as_str())),
                Some(None) => is_outside = true,
                Some(Some(_)) => {}
            },
            ExprKind::Literal(Literal::Template(text)) => {
                is_outside |= changes_in(text);
                let read = names_in(text).into_iter();
                read.for_each(|it| mention(Cow::Owned(it.name)));
            }
            _ => {}
        }
    });
    is_outside
}

fn is_own_library(used: &Use) -> bool {
    used.path.first().is_some_and(|it| it.text == "std")
}

fn has_effects(signature: &Signature) -> bool {
    let is_effect = |name: &str| EFFECTS.contains(&name);
    match &signature.return_type.kind {
        TypeKind::Effect { effects, .. } => effects
            .iter()
            .any(|it| matches!(&it.kind, TypeKind::Named { name, .. } if is_effect(&name.text))),
        TypeKind::Named { name, args } => !args.is_empty() && is_effect(&name.text),
        _ => false,
    }
}
