//! Prints types and patterns.

use super::Printer;
use crate::ast::{FieldPattern, Pattern, PatternKind, TypeExpr, TypeKind};

impl Printer<'_> {
    pub(super) fn type_expr(&mut self, ty: &TypeExpr) {
        self.inline_comments(ty.span);
        if ty.parens {
            self.doc.text("(");
            self.bare_type(ty);
            self.doc.text(")");
        } else {
            self.bare_type(ty);
        }
    }

    /// Prints a type after which `{` would begin something else.
    pub(super) fn return_type(&mut self, ty: &TypeExpr) {
        self.type_in_parens_if(ends_refined(ty), ty);
    }

    fn type_in_parens_if(&mut self, needed: bool, ty: &TypeExpr) {
        if needed && !ty.parens {
            self.doc.text("(");
            self.type_expr(ty);
            self.doc.text(")");
        } else {
            self.type_expr(ty);
        }
    }

    fn bare_type(&mut self, ty: &TypeExpr) {
        match &ty.kind {
            TypeKind::Named { name, args } => {
                let spelled = self.source.slice(ty.span);
                match (spelled, args.as_slice()) {
                    (_, []) if name.text == "Unit" && spelled.starts_with('(') => {
                        self.doc.text("()");
                    }
                    ("Int32" | "Int64", []) if name.text == "Int" => {
                        self.doc.text(spelled.to_owned());
                    }
                    (_, [value]) if name.text == "Option" && spelled.ends_with('?') => {
                        self.type_expr(value);
                        self.doc.text("?");
                    }
                    (_, []) => self.doc.text(name.text.to_string()),
                    _ => {
                        self.doc.text(name.text.to_string());
                        self.sequence("[", args, "]", ty.span.end(), type_start, Self::type_expr);
                    }
                }
            }
            TypeKind::Array(element) => {
                self.doc.text("[");
                self.type_expr(element);
                self.doc.text("]");
            }
            TypeKind::Tuple(elements) => {
                self.sequence(
                    "(",
                    elements,
                    ")",
                    ty.span.end(),
                    type_start,
                    Self::type_expr,
                );
            }
            TypeKind::Function { params, result } => {
                let end = result.span.start();
                self.sequence("(", params, ")", end, type_start, Self::type_expr);
                self.doc.text(" -> ");
                self.type_expr(result);
            }
            TypeKind::Refined {
                base,
                var,
                predicate,
            } => {
                self.type_in_parens_if(needs_parens_to_refine(base), base);
                self.doc.text("{");
                if let Some(var) = var {
                    self.doc.text(format!("{} | ", var.text));
                }
                self.expr(predicate);
                self.doc.text("}");
            }
            TypeKind::Effect { effects, result } => {
                for effect in effects {
                    self.type_in_parens_if(needs_parens_as_operand(effect), effect);
                    self.doc.text(" + ");
                }
                self.type_in_parens_if(needs_parens_as_operand(result), result);
            }
            TypeKind::Record { fields, open } => {
                self.doc.text("{");
                for (at, field) in fields.iter().enumerate() {
                    self.doc.text(if at > 0 { ", " } else { "" });
                    self.doc.text(format!("{}: ", field.name.text));
                    self.type_expr(&field.ty);
                }
                self.doc.text(match (open, fields.is_empty()) {
                    (false, _) => "}",
                    (true, true) => "..}",
                    (true, false) => ", ..}",
                });
            }
        }
    }

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        self.inline_comments(pattern.span);
        match &pattern.kind {
            PatternKind::Wildcard => self.doc.text("_"),
            PatternKind::Ident(name) => self.doc.text(name.to_string()),
            PatternKind::Literal(literal) => self.literal(literal, pattern.span),
            PatternKind::Tuple(elements) => {
                self.sequence(
                    "(",
                    elements,
                    ")",
                    pattern.span.end(),
                    pattern_start,
                    Self::pattern,
                );
            }
            PatternKind::Record(fields) => {
                let start = |field: &FieldPattern| field.name.span.start();
                self.sequence("{", fields, "}", pattern.span.end(), start, |it, field| {
                    it.inline_comments(field.name.span);
                    it.doc.text(field.name.text.to_string());
                    if let Some(pattern) = &field.pattern {
                        it.doc.text(": ");
                        it.pattern(pattern);
                    }
                });
            }
            PatternKind::Variant { name, payload } => {
                self.doc.text(name.text.to_string());
                if let Some(parts) = payload {
                    self.sequence(
                        "(",
                        parts,
                        ")",
                        pattern.span.end(),
                        pattern_start,
                        Self::pattern,
                    );
                }
            }
        }
    }
}

fn type_start(ty: &TypeExpr) -> usize {
    ty.span.start()
}

fn pattern_start(pattern: &Pattern) -> usize {
    pattern.span.start()
}

fn needs_parens_to_refine(base: &TypeExpr) -> bool {
    !matches!(
        base.kind,
        TypeKind::Named { .. } | TypeKind::Array(_) | TypeKind::Record { .. }
    )
}

/// Whether a type needs parentheses between the `+` of an effect type.
fn needs_parens_as_operand(ty: &TypeExpr) -> bool {
    matches!(ty.kind, TypeKind::Effect { .. } | TypeKind::Refined { .. })
}

/// Whether the text of a type ends in a refinement.
fn ends_refined(ty: &TypeExpr) -> bool {
    !ty.parens
        && match &ty.kind {
            TypeKind::Refined { .. } => true,
            TypeKind::Function { result, .. } | TypeKind::Effect { result, .. } => {
                ends_refined(result)
            }
            _ => false,
        }
}
