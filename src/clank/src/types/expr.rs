//! Infers expressions.

use super::check::Checker;
use super::{Effects, Ty, TyKind};
use crate::ast::{Arm, Block, Expr, ExprKind, IntSuffix, Literal, Name, Text};
use crate::diagnostic::{Code, Payload};
use crate::names::{Def, Primitive, similar_names};

impl Checker<'_, '_> {
    /// Infers the type of an expression and records it for the node.
    pub fn infer(&mut self, expr: &Expr) -> Ty {
        self.infer_toward(expr, None)
    }

    /// The same where the context requires a type. Only record literals depend on it; the caller
    /// unifies the result with it.
    pub fn infer_toward(&mut self, expr: &Expr, wanted: Option<Ty>) -> Ty {
        let ty = self.infer_kind(expr, wanted);
        self.set_type(expr.id, ty);
        ty
    }

    fn infer_kind(&mut self, expr: &Expr, wanted: Option<Ty>) -> Ty {
        match &expr.kind {
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Ident(_) => self.ident(expr),
            ExprKind::Unary { op, operand } => self.unary(*op, operand),
            ExprKind::Binary { op, left, right } => self.binary(expr, *op, (left, right), wanted),
            ExprKind::Call { callee, args } => self.call(expr, callee, args, wanted),
            ExprKind::Index { object, index } => self.index(expr, object, index),
            ExprKind::Field { object, field } => self.field(expr, object, field),
            ExprKind::Lambda { params, body } => {
                let body_wanted = self.wanted_body(wanted, params.len());
                let params = params
                    .iter()
                    .map(|param| {
                        let ty = match &param.ty {
                            Some(ty) => self.annotation(ty, &param.name.text),
                            None => self.arena.fresh(),
                        };
                        self.bind(param.id, ty);
                        ty
                    })
                    .collect();
                let result = self.infer_toward(body, body_wanted);
                self.arena.make(TyKind::Function {
                    params,
                    result,
                    effects: Effects::NONE,
                })
            }
            ExprKind::If {
                condition,
                then_branch,
                else_branch,
            } => {
                let bool = self.prim(Primitive::Bool);
                self.check(condition, bool);
                let then = self.block_toward(&then_branch.kind, wanted);
                self.set_type(then_branch.id, then);
                let wanted = wanted.or(Some(then));
                let other = else_branch.as_ref();
                let other = other.map(|it| (it, self.infer_toward(it, wanted)));
                match other {
                    // The canonical form adds a unit `else` to an `if` without one.
                    Some((branch, other)) if !is_unit_block(branch) => {
                        self.expect_type(then, other, branch);
                        let either = self.either(then, other);
                        self.unrefined(either)
                    }
                    _ => {
                        let unit = self.unit();
                        if let Some(tail) = &then_branch.kind.tail {
                            self.expect_type(unit, then, tail);
                        }
                        unit
                    }
                }
            }
            ExprKind::Match { scrutinee, arms } => self.match_expr(expr, scrutinee, arms, wanted),
            ExprKind::Block(block) => self.block_toward(block, wanted),
            ExprKind::Array(elements) => {
                let wanted = wanted.and_then(|ty| self.wanted_element(ty));
                let mut element = self.arena.fresh();
                for item in elements {
                    let ty = self.infer_toward(item, wanted.or(Some(element)));
                    self.expect_type(element, ty, item);
                    element = self.either(element, ty);
                }
                self.arena.make(TyKind::Array(element))
            }
            ExprKind::Tuple(elements) => {
                let wanted = match wanted.map(|ty| self.arena.kind(self.arena.base(ty))) {
                    Some(TyKind::Tuple(parts)) => parts.clone(),
                    _ => Vec::new(),
                };
                let mut wanted = wanted.into_iter();
                let elements = elements.iter();
                let elements = elements.map(|it| self.infer_toward(it, wanted.next()));
                let elements = elements.collect();
                self.arena.make(TyKind::Tuple(elements))
            }
            ExprKind::Record(fields) => self.record(expr, fields, wanted),
            ExprKind::Range { start, end, .. } => {
                let int = self.prim(Primitive::Int);
                self.check(start, int);
                self.check(end, int);
                self.arena.make(TyKind::Array(int))
            }
            ExprKind::Propagate(inner) => self.propagate(expr, inner),
            ExprKind::Hole(_) => self.arena.fresh(),
        }
    }

    /// The more specific one of two unified types.
    fn either(&self, first: Ty, second: Ty) -> Ty {
        match self.arena.kind(self.arena.resolve(first)) {
            TyKind::Never => second,
            _ => first,
        }
    }

    /// Removes the refinement, because it holds only for one of the branches.
    fn unrefined(&self, ty: Ty) -> Ty {
        match self.arena.kind(self.arena.resolve(ty)) {
            TyKind::Refined { .. } => self.arena.base(ty),
            _ => ty,
        }
    }

    fn literal(&mut self, literal: &Literal) -> Ty {
        self.prim(match literal {
            Literal::Int { suffix, .. } => match suffix {
                None => Primitive::Int,
                Some(IntSuffix::I32) => Primitive::Int32,
                Some(IntSuffix::I64) => Primitive::Int64,
            },
            Literal::Float(_) => Primitive::Float,
            Literal::Str(_) | Literal::Template(_) => Primitive::Str,
            Literal::Bool(_) => Primitive::Bool,
            Literal::Unit => Primitive::Unit,
        })
    }

    fn ident(&mut self, expr: &Expr) -> Ty {
        match self.names.of_use(expr.id) {
            Some(Def::Local(binding)) => self.binding_type(binding),
            Some(Def::Validator) => {
                let value = self.arena.fresh();
                self.arena.make(TyKind::Function {
                    params: vec![value],
                    result: value,
                    effects: Effects::NONE,
                })
            }
            Some(def) => match self.scheme(def) {
                Some(scheme) => {
                    let args: Vec<Ty> = scheme.params.iter().map(|_| self.arena.fresh()).collect();
                    self.arena.instantiate(scheme.ty, &args)
                }
                None => self.arena.poison(),
            },
            None => self.arena.poison(),
        }
    }

    pub fn block(&mut self, block: &Block) -> Ty {
        self.block_toward(block, None)
    }

    pub fn block_toward(&mut self, block: &Block, wanted: Option<Ty>) -> Ty {
        for statement in &block.statements {
            self.statement(statement);
        }
        match &block.tail {
            Some(tail) => self.infer_toward(tail, wanted),
            None => self.unit(),
        }
    }

    fn wanted_element(&self, wanted: Ty) -> Option<Ty> {
        match self.arena.kind(self.arena.base(wanted)) {
            TyKind::Array(element) => Some(*element),
            _ => None,
        }
    }

    fn match_expr(
        &mut self,
        expr: &Expr,
        scrutinee: &Expr,
        arms: &[Arm],
        wanted: Option<Ty>,
    ) -> Ty {
        let subject = self.infer(scrutinee);
        let mut result: Option<Ty> = None;
        for arm in arms {
            self.pattern(&arm.pattern, subject);
            if let Some(guard) = &arm.guard {
                let bool = self.prim(Primitive::Bool);
                self.check(guard, bool);
            }
            let body = self.infer_toward(&arm.body, wanted.or(result));
            result = Some(match result {
                Some(before) => {
                    self.expect_type(before, body, &arm.body);
                    let either = self.either(before, body);
                    self.unrefined(either)
                }
                None => body,
            });
        }
        self.exhaustive(expr, subject, arms);
        match result {
            Some(ty) => ty,
            None => self.arena.poison(),
        }
    }

    fn index(&mut self, expr: &Expr, object: &Expr, index: &Expr) -> Ty {
        let container = self.infer(object);
        let at = self.infer(index);
        let container = self.arena.base(container);
        match self.arena.kind(container).clone() {
            TyKind::Array(element) => {
                self.expect_integer(at, index);
                element
            }
            TyKind::Tuple(elements) => {
                self.expect_integer(at, index);
                match literal_place(index).and_then(|place| elements.get(place)) {
                    Some(element) => *element,
                    None => self.arena.fresh(),
                }
            }
            TyKind::Var(_) => {
                self.expect_integer(at, index);
                let element = self.arena.fresh();
                let array = self.arena.make(TyKind::Array(element));
                self.expect_type(array, container, object);
                element
            }
            _ => {
                let actual = self.arena.show(container);
                let message = format!("`{actual}` cannot be indexed; arrays and tuples can");
                self.error(Code::E2006, expr, message, Payload::NotIndexable { actual });
                self.arena.poison()
            }
        }
    }

    fn field(&mut self, expr: &Expr, object: &Expr, field: &Name) -> Ty {
        let record = self.infer(object);
        let base = self.arena.base(record);
        if let TyKind::Var(_) = self.arena.kind(base) {
            return self.arena.fresh();
        }
        let Some(fields) = self.fields_of(base) else {
            let actual = self.arena.show(record);
            let message = format!(
                "`{actual}` is not a record and has no field `{}`",
                field.text
            );
            self.error(Code::E2011, expr, message, Payload::NotARecord { actual });
            return self.arena.poison();
        };
        match fields.iter().find(|(name, _)| *name == field.text) {
            Some((_, ty)) => *ty,
            None => {
                let payload = self.unknown_field(field, record, &fields);
                let message = unknown_field_message(&payload, field);
                self.error(Code::E2004, expr, message, payload);
                self.arena.poison()
            }
        }
    }

    /// The fields of a structural or a declared record.
    pub fn fields_of(&mut self, base: Ty) -> Option<Vec<(Text, Ty)>> {
        match self.arena.kind(base).clone() {
            TyKind::Record { fields, .. } => {
                let fields = fields.into_iter();
                let fields = fields.map(|(name, ty)| (self.arena.name(name).into(), ty));
                Some(fields.collect())
            }
            TyKind::Named(name, args) => {
                let def = self.globals.type_def(self.arena.name(name))?;
                let rec = self.globals.rec(def)?;
                let scheme = self.scheme(Def::Record(def.at))?;
                let TyKind::Function { params, .. } = self.arena.kind(scheme.ty).clone() else {
                    return None;
                };
                let named = rec.fields.iter().zip(params);
                let fields = named.map(|(field, ty)| {
                    (field.name.text.clone(), self.arena.instantiate(ty, &args))
                });
                Some(fields.collect())
            }
            _ => None,
        }
    }

    pub fn unknown_field(&self, field: &Name, record: Ty, fields: &[(Text, Ty)]) -> Payload {
        let names: Vec<String> = fields.iter().map(|(name, _)| name.to_string()).collect();
        let similar = similar_names(&field.text, names.iter().map(String::as_str));
        Payload::UnknownField {
            field: field.text.to_string(),
            ty: self.arena.show(record),
            similar_fields: similar.into_iter().map(str::to_owned).collect(),
            available_fields: names,
        }
    }

    fn propagate(&mut self, expr: &Expr, inner: &Expr) -> Ty {
        let ty = self.infer(inner);
        let base = self.arena.base(ty);
        match self.arena.kind(base) {
            TyKind::Named(name, args) => match (self.arena.name(*name), args.as_slice()) {
                ("Option", [value]) | ("Result", [value, _]) => return *value,
                _ => {}
            },
            TyKind::Never => return base,
            _ if self.arena.is_poisoned(base) => return base,
            _ => {}
        }
        let actual = self.arena.show(ty);
        let message = format!("`?` needs an `Option` or a `Result`, found `{actual}`");
        self.error(
            Code::E2012,
            expr,
            message,
            Payload::InvalidPropagate { actual },
        );
        self.arena.poison()
    }
}

pub(super) fn unknown_field_message(payload: &Payload, field: &Name) -> String {
    let field = &field.text;
    match payload {
        Payload::UnknownField {
            ty, similar_fields, ..
        } => match similar_fields.first() {
            Some(best) => format!("`{ty}` has no field `{field}`; did you mean `{best}`?"),
            None => format!("`{ty}` has no field `{field}`"),
        },
        _ => format!("there is no field `{field}`"),
    }
}

fn literal_place(index: &Expr) -> Option<usize> {
    match &index.kind {
        ExprKind::Literal(Literal::Int { value, .. }) => value.parse().ok(),
        _ => None,
    }
}

/// Whether a branch is `{ () }`.
fn is_unit_block(branch: &Expr) -> bool {
    let ExprKind::Block(Block { statements, tail }) = &branch.kind else {
        return false;
    };
    let is_unit = |it: &Expr| matches!(it.kind, ExprKind::Literal(Literal::Unit));
    statements.is_empty() && tail.as_deref().is_some_and(is_unit)
}
