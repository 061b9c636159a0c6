//! Converts written types to semantic types, and declarations to schemes.

use std::sync::Arc;

use super::check::{Checker, Scheme};
use super::{Effects, Refinement, Ty, TyKind};
use crate::ast::{Expr, Name, Signature, TypeExpr, TypeKind, TypeParam};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::names::{Def, Primitive, TypeDef, TypeRef, prelude, prelude_names};
use crate::refine::{Pred, Term};

/// The context of a written type.
#[derive(Clone, Copy)]
pub(super) enum Place {
    /// In a declaration of the prelude, over its type parameters.
    Prelude,
    /// In a declaration of the program, over its type parameters.
    Declared,
    /// In a body, where type parameters are variables.
    Body,
}

impl<'a> Checker<'_, 'a> {
    /// The scheme of a declaration, created on first use.
    pub fn scheme(&mut self, def: Def) -> Option<Scheme<'a>> {
        if let Some(scheme) = self.schemes.get(&def) {
            return Some(*scheme);
        }
        let scheme = match def {
            Def::Builtin(at) => self.function_scheme(prelude().function(at)?, Place::Prelude),
            Def::Function(at) => {
                let signature = self.globals.function(at)?;
                let refined = self.globals.refined_signature(at);
                let refined = refined.as_ref().unwrap_or(signature);
                let scheme = self.function_scheme(refined, Place::Declared);
                Scheme {
                    ty: scheme.ty,
                    params: &signature.type_params,
                }
            }
            Def::Record(at) => {
                let in_prelude = false;
                let rec = self.globals.rec(TypeDef { in_prelude, at })?;
                let fields = rec.fields.iter();
                let fields = fields
                    .map(|field| self.convert(&field.ty, Place::Declared, &field.name.text))
                    .collect();
                let result = self.own_type(&rec.name.text, &rec.type_params);
                Scheme {
                    ty: self.function_type(fields, result),
                    params: &rec.type_params,
                }
            }
            Def::Variant(variant) => {
                let sum = self.globals.sum(variant.sum)?;
                let place = if variant.sum.in_prelude {
                    Place::Prelude
                } else {
                    Place::Declared
                };
                let fields = self.globals.variant(variant)?.fields.iter();
                let fields: Vec<Ty> = fields
                    .map(|(name, ty)| self.convert(ty, place, name_text(name.as_ref())))
                    .collect();
                let result = self.own_type(&sum.name.text, &sum.type_params);
                let ty = if fields.is_empty() {
                    result
                } else {
                    self.function_type(fields, result)
                };
                Scheme {
                    ty,
                    params: &sum.type_params,
                }
            }
            Def::Local(_) | Def::Validator => return None,
        };
        self.schemes.insert(def, scheme);
        Some(scheme)
    }

    fn function_scheme<'s>(&mut self, signature: &'s Signature, place: Place) -> Scheme<'s> {
        let params = signature.params.iter();
        let params = params
            .map(|param| self.convert(&param.ty, place, &param.name.text))
            .collect();
        let (result, effects) = self.convert_result(&signature.return_type, place);
        let ty = self.arena.make(TyKind::Function {
            params,
            result,
            effects,
        });
        Scheme {
            ty,
            params: &signature.type_params,
        }
    }

    fn function_type(&mut self, params: Vec<Ty>, result: Ty) -> Ty {
        self.arena.make(TyKind::Function {
            params,
            result,
            effects: Effects::NONE,
        })
    }

    /// A declared type applied to its own parameters.
    fn own_type(&mut self, name: &str, params: &[TypeParam]) -> Ty {
        let args = (0..params.len()).map(|at| self.generic(at)).collect();
        let name = self.arena.sym(name);
        self.arena.make(TyKind::Named(name, args))
    }

    fn generic(&mut self, at: usize) -> Ty {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        self.arena.make(TyKind::Generic(at))
    }

    /// The result type of a function, and its declared effects.
    fn convert_result(&mut self, ty: &TypeExpr, place: Place) -> (Ty, Effects) {
        match &ty.kind {
            TypeKind::Effect { effects, result } => {
                let mut all = Effects::NONE;
                for effect in effects {
                    all = all.with(effect_of(effect));
                }
                let (result, more) = self.convert_result(result, place);
                (result, all.with(more))
            }
            TypeKind::Named { name, args } => match (name.text.as_str(), args.as_slice()) {
                ("IO" | "Async" | "Mut", [result]) | ("Err", [_, result]) => {
                    let (result, more) = self.convert_result(result, place);
                    (result, Effects::of(&name.text).with(more))
                }
                _ => (self.convert(ty, place, "result"), Effects::NONE),
            },
            _ => (self.convert(ty, place, "result"), Effects::NONE),
        }
    }

    /// A type written in a body.
    pub fn annotation(&mut self, ty: &TypeExpr, binder: &str) -> Ty {
        self.convert(ty, Place::Body, binder)
    }

    /// The semantic type. `binder` is the name that has the type; a refinement may use it without
    /// declaring its variable.
    fn convert(&mut self, ty: &TypeExpr, place: Place, binder: &str) -> Ty {
        let semantic = match &ty.kind {
            TypeKind::Named { name, args } => self.convert_named(ty, name, args, place),
            TypeKind::Array(element) => {
                let element = self.convert(element, place, "");
                self.arena.make(TyKind::Array(element))
            }
            TypeKind::Tuple(elements) if elements.is_empty() => self.unit(),
            TypeKind::Tuple(elements) => {
                let elements = self.convert_all(elements, place);
                self.arena.make(TyKind::Tuple(elements))
            }
            TypeKind::Function { params, result } => {
                let params = self.convert_all(params, place);
                let (result, effects) = self.convert_result(result, place);
                self.arena.make(TyKind::Function {
                    params,
                    result,
                    effects,
                })
            }
            TypeKind::Refined {
                base,
                var,
                predicate,
            } => {
                let base = self.convert(base, place, binder);
                let refinement = Arc::new(self.refinement(base, var.as_ref(), predicate, binder));
                self.arena.make(TyKind::Refined { base, refinement })
            }
            TypeKind::Effect { result, .. } => self.convert(result, place, binder),
            TypeKind::Record { fields, open } => {
                let fields = fields.iter();
                let fields = fields
                    .map(|field| {
                        let ty = self.convert(&field.ty, place, &field.name.text);
                        (self.arena.sym(&field.name.text), ty)
                    })
                    .collect();
                let open = *open;
                self.arena.make(TyKind::Record { fields, open })
            }
        };
        if !matches!(place, Place::Prelude) {
            self.set_type(ty.id, semantic);
        }
        semantic
    }

    fn convert_all(&mut self, types: &[TypeExpr], place: Place) -> Vec<Ty> {
        types.iter().map(|ty| self.convert(ty, place, "")).collect()
    }

    fn convert_named(&mut self, ty: &TypeExpr, name: &Name, args: &[TypeExpr], place: Place) -> Ty {
        let meaning = match place {
            Place::Prelude => prelude_names().of_type(ty.id),
            Place::Declared | Place::Body => self.names.of_type(ty.id),
        };
        let converted = self.convert_all(args, place);
        match meaning {
            None if matches!(place, Place::Prelude) => self.arena.make(TyKind::Never),
            None => self.unknown_at(place),
            Some(TypeRef::Param(at)) => {
                self.expect_args(ty, name, 0, args.len());
                match (place, self.type_args.get(at)) {
                    (Place::Body, Some(arg)) => *arg,
                    _ => self.generic(at),
                }
            }
            Some(TypeRef::Primitive(primitive)) => {
                self.expect_args(ty, name, 0, args.len());
                self.prim(primitive)
            }
            Some(TypeRef::WellKnown) => {
                let name = self.arena.sym(&name.text);
                self.arena.make(TyKind::Named(name, converted))
            }
            Some(TypeRef::Declared(def)) => {
                let wanted = self.globals.type_params(def).len();
                if !self.expect_args(ty, name, wanted, args.len()) {
                    return self.unknown_at(place);
                }
                let sym = self.arena.sym(&name.text);
                let is_open = self.opening.contains(&def);
                if is_open && self.is_cyclic_alias(def) {
                    self.recursive_alias(ty, name);
                    return self.unknown_at(place);
                }
                if is_open || self.globals.alias(def).is_none() {
                    return self.arena.make(TyKind::Named(sym, converted));
                }
                let target = self.alias_target(def);
                let target = self.arena.instantiate(target, &converted);
                self.arena.make(TyKind::Alias {
                    name: sym,
                    args: converted,
                    target,
                })
            }
        }
    }

    /// Whether an alias that is being expanded refers only to aliases, in a cycle.
    fn is_cyclic_alias(&self, def: TypeDef) -> bool {
        let mut here = def;
        for _ in &self.opening {
            let Some(alias) = self.globals.alias(here) else {
                return false;
            };
            let mut ty = &alias.ty;
            while let TypeKind::Refined { base, .. } = &ty.kind {
                ty = base;
            }
            match self.names.of_type(ty.id) {
                Some(TypeRef::Declared(next)) if next == def => return true,
                Some(TypeRef::Declared(next)) => here = next,
                _ => return false,
            }
        }
        false
    }

    fn recursive_alias(&mut self, ty: &TypeExpr, name: &Name) {
        let name = &name.text;
        let message = format!("`{name}` is defined as itself here; declare a `rec` or a `sum`");
        let payload = Payload::RecursiveType {
            name: name.to_string(),
        };
        self.report(Diagnostic::new(
            Code::E2008,
            ty.id,
            ty.span,
            message,
            payload,
        ));
    }

    /// The type of something that cannot be known. In a body, inference may still bind it.
    fn unknown_at(&mut self, place: Place) -> Ty {
        match place {
            Place::Body => self.arena.poison(),
            Place::Prelude | Place::Declared => self.arena.unknown(),
        }
    }

    /// The target of an alias, over its type parameters.
    pub fn alias_target(&mut self, def: TypeDef) -> Ty {
        if let Some(target) = self.aliases.get(&def) {
            return *target;
        }
        let target = match self.globals.alias(def) {
            Some(alias) => {
                self.opening.push(def);
                let target = self.convert(&alias.ty, Place::Declared, "");
                self.opening.pop();
                target
            }
            None => self.arena.poison(),
        };
        self.aliases.insert(def, target);
        target
    }

    fn expect_args(&mut self, ty: &TypeExpr, name: &Name, expected: usize, actual: usize) -> bool {
        if expected == actual {
            return true;
        }
        let name = &name.text;
        let message = match expected {
            0 => format!("`{name}` takes no type arguments, found {actual}"),
            _ => format!("`{name}` takes {expected} type arguments, found {actual}"),
        };
        let payload = Payload::TypeParamMismatch {
            name: name.to_string(),
            expected,
            actual,
        };
        self.report(Diagnostic::new(
            Code::E2017,
            ty.id,
            ty.span,
            message,
            payload,
        ));
        false
    }

    /// Builds a refinement. Its variable is, in this order: the declared one, the binder if the
    /// predicate uses it, the first name in the predicate, or a letter for the base type.
    fn refinement(
        &self,
        base: Ty,
        var: Option<&Name>,
        predicate: &Expr,
        binder: &str,
    ) -> Refinement {
        let mut predicate = Pred::of_expr(predicate);
        let var = match var {
            Some(name) => name.text.to_string(),
            None if !binder.is_empty() && predicate.uses(binder) => binder.to_owned(),
            None => match predicate.first_name() {
                Some(name) => name.to_owned(),
                None => self.default_variable(base).to_owned(),
            },
        };
        // A type that is already refined must meet both predicates.
        if let TyKind::Refined { refinement, .. } = self.arena.kind(self.arena.resolve(base)) {
            let also = refinement.predicate.with_names(&|name| {
                let is_own = name == refinement.var;
                is_own.then(|| Term::Name(var.clone().into()))
            });
            predicate = also.and(predicate);
        }
        Refinement { var, predicate }
    }

    fn default_variable(&self, base: Ty) -> &'static str {
        match self.arena.kind(self.arena.base(base)) {
            TyKind::Prim(primitive) if primitive.is_integer() => "n",
            TyKind::Prim(Primitive::Bool) => "b",
            TyKind::Prim(Primitive::Str) => "s",
            TyKind::Array(_) => "arr",
            TyKind::Tuple(_) => "t",
            TyKind::Function { .. } => "f",
            TyKind::Record { .. } => "r",
            _ => "x",
        }
    }
}

fn name_text(name: Option<&Name>) -> &str {
    name.map_or("", |name| &name.text)
}

fn effect_of(effect: &TypeExpr) -> Effects {
    match &effect.kind {
        TypeKind::Named { name, .. } => Effects::of(&name.text),
        _ => Effects::NONE,
    }
}
