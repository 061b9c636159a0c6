//! Prints declarations.

use super::Printer;
use crate::ast::{
    Decl, DeclKind, ExternalMod, Field, FnDecl, Name, Signature, TypeParam, Use, Variant,
};
use crate::print::string_text;

impl Printer<'_> {
    pub(super) fn program(&mut self, declarations: &[Decl]) {
        let mut before: Option<&Decl> = None;
        for decl in declarations {
            let start = decl.span.start();
            self.trailing_comments(start);
            let alone =
                before.is_some_and(|it| has_blank_lines_around(it) || has_blank_lines_around(decl));
            let blank = self.blank_before(start);
            self.break_and_comments(before.is_none(), start, blank, alone);
            self.decl(decl);
            before = Some(decl);
        }
        self.last_comments(before.is_none(), usize::MAX);
    }

    fn decl(&mut self, decl: &Decl) {
        let end = decl.span.end();
        match &decl.kind {
            DeclKind::Fn(function) => self.function(function),
            DeclKind::ExternalFn(function) => {
                self.doc.text("external fn ");
                self.signature(&function.signature, false);
                self.doc
                    .text(format!(" = {}", string_text(&function.js_name)));
            }
            DeclKind::ExternalMod(module) => self.external_mod(module, end),
            DeclKind::Rec(rec) => {
                self.doc.text(format!("rec {}", rec.name.text));
                self.type_params(&rec.type_params);
                self.braced(&rec.fields, end, |it| it.name.span.start(), Self::field);
            }
            DeclKind::Sum(sum) => {
                self.doc.text(format!("sum {}", sum.name.text));
                self.type_params(&sum.type_params);
                self.braced(&sum.variants, end, |it| it.span.start(), Self::variant);
            }
            DeclKind::TypeAlias(alias) => {
                self.doc.text(format!("type {}", alias.name.text));
                self.type_params(&alias.type_params);
                self.doc.text(" = ");
                self.type_expr(&alias.ty);
            }
            DeclKind::Mod(name) => self.doc.text(format!("mod {}", name.text)),
            DeclKind::Use(it) => self.use_decl(it),
        }
    }

    fn use_decl(&mut self, it: &Use) {
        let path: Vec<&str> = it.path.iter().map(|name| name.text.as_str()).collect();
        if it.is_external {
            let module = string_text(path.first().copied().unwrap_or_default());
            self.doc.text(format!("use external {module}"));
        } else {
            self.doc.text(format!("use {}", path.join(".")));
        }
        if let Some(alias) = &it.alias {
            self.doc.text(format!(" as {}", alias.text));
        }
        if !it.items.is_empty() {
            let items: Vec<&str> = it.items.iter().map(|name| name.text.as_str()).collect();
            self.doc.text(format!(".{{{}}}", items.join(", ")));
        }
    }

    fn external_mod(&mut self, module: &ExternalMod, end: usize) {
        self.doc.text(format!(
            "external mod {} = {} {{",
            module.name.text,
            string_text(&module.module)
        ));
        self.lines(
            &module.functions,
            end,
            // The name comes after the keyword `fn`, whose position is not stored.
            (|function| function.name.span, false),
            |it, function| {
                it.doc.text("fn ");
                it.signature(function, false);
            },
        );
        self.doc.text("}");
    }

    fn function(&mut self, function: &FnDecl) {
        self.doc.text("fn ");
        self.signature(&function.signature, true);
        for (word, condition) in [
            ("pre", &function.precondition),
            ("post", &function.postcondition),
        ] {
            if let Some(condition) = condition {
                self.doc.indent();
                self.doc.hard_line();
                self.doc.text(format!("{word} "));
                self.expr(condition);
                self.doc.dedent();
            }
        }
        let has_conditions = function.precondition.is_some() || function.postcondition.is_some();
        if has_conditions {
            self.doc.hard_line();
        } else {
            self.doc.text(" ");
        }
        self.block_on_lines(&function.body);
    }

    fn signature(&mut self, signature: &Signature, has_body: bool) {
        self.doc.text(signature.name.text.to_string());
        self.type_params(&signature.type_params);
        let end = signature.return_type.span.start();
        self.sequence(
            "(",
            &signature.params,
            ")",
            end,
            |param| param.name.span.start(),
            |it, param| it.typed_name(&param.name, &param.ty),
        );
        self.doc.text(" -> ");
        if has_body {
            self.return_type(&signature.return_type);
        } else {
            self.type_expr(&signature.return_type);
        }
    }

    fn typed_name(&mut self, name: &Name, ty: &crate::ast::TypeExpr) {
        self.inline_comments(name.span);
        self.doc.text(format!("{}: ", name.text));
        self.type_expr(ty);
    }

    fn type_params(&mut self, params: &[TypeParam]) {
        if params.is_empty() {
            return;
        }
        let start = |param: &TypeParam| param.name.span.start();
        self.sequence("[", params, "]", 0, start, |it, param| {
            it.inline_comments(param.name.span);
            it.doc.text(param.name.text.to_string());
            if let Some(constraint) = &param.constraint {
                it.doc.text(": ");
                it.type_expr(constraint);
            }
        });
    }

    /// Prints ` { a, b }` on one line, or each item on its own line with a trailing comma.
    fn braced<T>(
        &mut self,
        items: &[T],
        end: usize,
        start: fn(&T) -> usize,
        item: fn(&mut Self, &T),
    ) {
        self.doc.text(" {");
        if items.is_empty() && !self.has_comment_before(end) {
            self.doc.text("}");
            return;
        }
        self.doc.open();
        self.doc.indent();
        if items.is_empty() {
            // A comment adds the space before it.
            self.doc.soft_line();
        } else {
            self.doc.line();
            self.separated(items, start, item);
            self.doc.if_broken(",");
        }
        self.closing_comments(end);
        self.doc.dedent();
        self.doc.line();
        self.doc.close();
        self.doc.text("}");
    }

    fn field(&mut self, field: &Field) {
        self.typed_name(&field.name, &field.ty);
    }

    fn variant(&mut self, variant: &Variant) {
        self.inline_comments(variant.span);
        self.doc.text(variant.name.text.to_string());
        if !variant.fields.is_empty() {
            let end = variant.span.end();
            self.sequence(
                "(",
                &variant.fields,
                ")",
                end,
                |(name, ty)| name.as_ref().map_or(ty.span, |it| it.span).start(),
                |it, (name, ty)| match name {
                    Some(name) => it.typed_name(name, ty),
                    None => it.type_expr(ty),
                },
            );
        }
    }
}

/// Whether a declaration is separated by empty lines.
fn has_blank_lines_around(decl: &Decl) -> bool {
    matches!(decl.kind, DeclKind::Fn(_) | DeclKind::ExternalMod(_))
}
