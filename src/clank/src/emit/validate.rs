//! Emits checks of values that come in from JavaScript. A declared type becomes a function of a
//! value and its description. It returns the value or panics.

use super::Emitter;
use super::code::{Code, Level, Value};
use super::names::{key, quoted};
use super::pattern::keys;
use crate::ast::{Expr, ExprKind, Field, Name, Rec, Sum, TypeExpr, TypeKind, TypeParam, Variant};

impl<'a> Emitter<'a> {
    /// The check for `ty`. A type parameter is unknown and accepts every value, unless it belongs
    /// to the check of its own type.
    pub(super) fn validator(&mut self, ty: &'a TypeExpr, type_params: &[TypeParam]) -> String {
        match &ty.kind {
            TypeKind::Named { name, args } => self.named_validator(&name.text, args, type_params),
            TypeKind::Array(element) => {
                format!("__clank.is.array({})", self.validator(element, type_params))
            }
            TypeKind::Tuple(elements) if elements.is_empty() => "__clank.is.Unit".to_owned(),
            TypeKind::Tuple(elements) => {
                format!(
                    "__clank.is.tuple({})",
                    self.validators(elements, type_params)
                )
            }
            TypeKind::Function { .. } => "__clank.is.fn".to_owned(),
            TypeKind::Refined {
                base,
                var,
                predicate,
            } => {
                let base = self.validator(base, type_params);
                let var = match var {
                    Some(name) => name.text.as_str(),
                    None => first_name(predicate).unwrap_or("value"),
                };
                self.refinement(&base, var, predicate)
            }
            TypeKind::Effect { result, .. } => self.validator(result, type_params),
            TypeKind::Record { fields, .. } => self.fields_validator(fields, type_params),
        }
    }

    fn validators(&mut self, types: &'a [TypeExpr], type_params: &[TypeParam]) -> String {
        let checks: Vec<String> = types
            .iter()
            .map(|it| self.validator(it, type_params))
            .collect();
        checks.join(", ")
    }

    fn named_validator(
        &mut self,
        name: &str,
        args: &'a [TypeExpr],
        type_params: &[TypeParam],
    ) -> String {
        if type_params.iter().any(|it| it.name.text == name) {
            return check_name(name);
        }
        if self.globals.types.contains(name) {
            let check = check_name(name);
            return if args.is_empty() {
                check
            } else {
                format!("{check}({})", self.validators(args, type_params))
            };
        }
        match (name, args) {
            ("IO" | "Async" | "Mut", [result]) | ("Err", [_, result]) => {
                self.validator(result, type_params)
            }
            ("Int" | "Int32" | "Int64", _) => "__clank.is.Int".to_owned(),
            ("Nat" | "Float" | "Bool" | "Unit", _) => format!("__clank.is.{name}"),
            ("Str" | "String", _) => "__clank.is.Str".to_owned(),
            ("Option", [value]) => {
                let value = self.validator(value, type_params);
                format!("__clank.is.sum({{ Some: {{ value: {value} }}, None: {{}} }})")
            }
            ("Result", [value, error]) => {
                let value = self.validator(value, type_params);
                let error = self.validator(error, type_params);
                format!("__clank.is.sum({{ Ok: {{ value: {value} }}, Err: {{ error: {error} }} }})")
            }
            ("Ordering", _) => "__clank.is.sum({ Less: {}, Equal: {}, Greater: {} })".to_owned(),
            _ => "__clank.is.any".to_owned(),
        }
    }

    fn refinement(&mut self, base: &str, var: &'a str, predicate: &'a Expr) -> String {
        self.scopes.enter();
        let name = self.scopes.fresh(var, self.globals);
        self.scopes.bind(var, name.clone(), false);
        let (value, lines) = self.captured(|it| it.value(predicate));
        self.scopes.leave();
        if !lines.is_empty() {
            return base.to_owned();
        }
        let annotation = self.typed(|it| *it += ": any");
        let text = quoted(&format!("its refinement{}", self.words(predicate)));
        let body = value.at(Level::Conditional).text;
        format!("__clank.is.refined({base}, ({name}{annotation}) => {body}, {text})")
    }

    fn fields_validator(&mut self, fields: &'a [Field], type_params: &[TypeParam]) -> String {
        let fields = fields
            .iter()
            .map(|it| (it.name.text.as_str(), Some(&it.name), &it.ty));
        let checks = self.field_checks(fields.collect(), type_params);
        format!("__clank.is.record({checks})")
    }

    /// The checks of fields. If a field is refined by others, the checks are built for each value,
    /// with those fields in scope.
    fn field_checks(
        &mut self,
        fields: Vec<(&str, Option<&'a Name>, &'a TypeExpr)>,
        type_params: &[TypeParam],
    ) -> String {
        self.scopes.enter();
        for (field, name, ty) in &fields {
            if let Some(name) = name {
                let (ty, field) = (unrefined(ty), quoted(field));
                let part = match &ty.kind {
                    TypeKind::Named { args, .. } if args.is_empty() => {
                        let check = self.validator(ty, type_params);
                        format!("{check}({WHOLE}[{field}], {field})")
                    }
                    // The field has its own check. Another check at each level would add up to too
                    // many.
                    _ => format!("{WHOLE}[{field}]"),
                };
                self.scopes.bind(&name.text, part.into(), false);
            }
        }
        let checks: Vec<String> = fields
            .iter()
            .map(|(field, _, ty)| format!("{}: {}", key(field), self.validator(ty, type_params)))
            .collect();
        self.scopes.leave();
        let checks = format!("{{ {} }}", checks.join(", "));
        if checks.contains(WHOLE) {
            let any = self.typed(|it| *it += ": any");
            format!("({WHOLE}{any}) => ({checks})")
        } else {
            checks
        }
    }

    pub(super) fn rec_check(&mut self, rec: &'a Rec) {
        let check = self.fields_validator(&rec.fields, &rec.type_params);
        self.check(&rec.name.text, &rec.type_params, &check);
    }

    pub(super) fn sum_check(&mut self, sum: &'a Sum) {
        let variants = sum.variants.iter();
        let checks: Vec<String> = variants
            .map(|variant| {
                let fields = self.payload_check(variant, &sum.type_params);
                format!("{}: {fields}", variant.name.text)
            })
            .collect();
        let check = format!("__clank.is.sum({{ {} }})", checks.join(", "));
        self.check(&sum.name.text, &sum.type_params, &check);
    }

    fn payload_check(&mut self, variant: &'a Variant, type_params: &[TypeParam]) -> String {
        let keys = keys(variant);
        let fields = keys.iter().zip(&variant.fields);
        let fields = fields.map(|(field, (name, ty))| (field.as_str(), name.as_ref(), ty));
        self.field_checks(fields.collect(), type_params)
    }

    /// Declares the check of a type, as a function of the checks of its parameters. It is built
    /// when it is used, because types may refer to each other.
    pub(super) fn check(&mut self, name: &str, type_params: &[TypeParam], check: &str) {
        let name = check_name(name);
        let any = self.typed(|it| *it += ": any");
        let params: Vec<String> = type_params
            .iter()
            .map(|it| check_name(&it.name.text) + &any)
            .collect();
        let string = self.typed(|it| *it += ": string");
        let call = format!("(value{any}, at{string}){any} => {check}(value, at)");
        if params.is_empty() {
            self.line(format!("const {name} = {call};"));
        } else {
            let params = params.join(", ");
            self.line(format!("const {name} = ({params}) => {call};"));
        }
    }

    /// `value` checked against the declared result type of `function`.
    pub(super) fn checked(&mut self, value: Code, ty: &'a TypeExpr, function: &str) -> Value {
        let check = self.validator(ty, &[]);
        let at = quoted(&format!("the result of {function}"));
        let code = Code::from(check).then("(").then(value);
        Value::new(code.then(format!(", {at})")), Level::Call)
    }
}

/// The value whose parts are being checked. Names of a program never contain `$`.
const WHOLE: &str = "whole$";

fn unrefined(ty: &TypeExpr) -> &TypeExpr {
    match &ty.kind {
        TypeKind::Refined { base, .. } => unrefined(base),
        _ => ty,
    }
}

fn check_name(name: &str) -> String {
    // Names of a program never contain `$`. A type of another module that has no name in this one
    // has its module's name as a prefix.
    format!("__clank$is${}", name.replace('.', "$"))
}

/// The first name in a predicate, from left to right: the subject of the predicate.
fn first_name(predicate: &Expr) -> Option<&str> {
    match &predicate.kind {
        ExprKind::Ident(name) => Some(name),
        ExprKind::Unary { operand, .. } => first_name(operand),
        ExprKind::Binary { left, right, .. } => first_name(left).or_else(|| first_name(right)),
        ExprKind::Call { args, .. } => args.iter().find_map(first_name),
        ExprKind::Index { object, .. } | ExprKind::Field { object, .. } => first_name(object),
        _ => None,
    }
}
