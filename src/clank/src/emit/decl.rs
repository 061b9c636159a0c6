//! Emits declarations in the order that the code needs: types, functions, then the code that runs.

use std::collections::BTreeSet;

use super::code::Code;
use super::names::{TAG, key, quoted, spelled};
use super::pattern::keys;
use super::stmt::Place;
use super::{Emitter, Function, runtime};
use crate::ast::{
    Decl, DeclKind, ExternalFn, ExternalMod, FnDecl, Program, Rec, Signature, Sum, Text, TypeExpr,
    TypeKind, Variant,
};
use crate::host;

impl<'a> Emitter<'a> {
    /// The declarations of the program itself, without imports. Of each name, only the last one.
    pub(super) fn own(&self, program: &'a Program) -> Vec<&'a Decl> {
        let own = program.declarations.get(self.ast.links.imported()..);
        last_of_each_name(own.unwrap_or_default())
    }

    /// Emits everything before the functions.
    pub(super) fn begin(&mut self, program: &'a Program) {
        if !self.is_typescript() && self.module.is_none() {
            self.line("\"use strict\";");
        }
        self.imports(program);
        self.line(runtime(self.target).trim_end().to_owned());
        let all = last_of_each_name(&program.declarations);
        let declarations = self.own(program);
        for declaration in &declarations {
            self.type_declaration(declaration);
        }
        if declarations.iter().any(|it| is_external(it)) {
            self.type_checks(&all);
        }
        self.write_lines();
    }

    /// Emits everything after the functions.
    pub(super) fn end(&mut self) {
        match self.module {
            Some(module) if module.runs_main => {
                self.blank();
                self.line("main();");
            }
            None if !self.is_typescript() => self.ending(),
            _ => {}
        }
    }

    fn type_declaration(&mut self, declaration: &'a Decl) {
        match &declaration.kind {
            DeclKind::Rec(rec) => self.rec(declaration, rec),
            DeclKind::Sum(sum) => self.sum(declaration, sum),
            DeclKind::TypeAlias(alias) if self.is_typescript() => {
                let params = self.type_params(&alias.type_params);
                let ty = self.type_text(&alias.ty);
                let name = spelled(&alias.name.text);
                self.blank();
                self.line(format!("export type {name}{params} = {ty};"));
            }
            _ => {}
        }
    }

    /// Emits the checks of all declared types, which the results of external functions may need.
    fn type_checks(&mut self, declarations: &[&'a Decl]) {
        self.blank();
        for declaration in declarations {
            match &declaration.kind {
                DeclKind::Rec(rec) => self.rec_check(rec),
                DeclKind::Sum(sum) => self.sum_check(sum),
                DeclKind::TypeAlias(alias) => {
                    let check = self.validator(&alias.ty, &alias.type_params);
                    self.check(&alias.name.text, &alias.type_params, &check);
                }
                _ => {}
            }
        }
    }

    fn export(&self) -> String {
        match self.module {
            Some(_) => "export ".to_owned(),
            None => self.typed(|it| *it += "export "),
        }
    }

    fn rec(&mut self, declaration: &'a Decl, rec: &'a Rec) {
        let name = spelled(&rec.name.text);
        let type_params = self.type_params(&rec.type_params);
        self.blank();
        if self.is_typescript() {
            self.line(format!("export interface {name}{type_params} {{"));
            for it in &rec.fields {
                let ty = self.type_text(&it.ty);
                self.indented(|emitter| {
                    emitter.line(format!("{}: {ty};", it.name.text));
                });
            }
            self.line("}");
            self.blank();
        }
        let mut params = Vec::new();
        let mut entries = Vec::new();
        for it in &rec.fields {
            let (key, param) = (&it.name.text, spelled(&it.name.text));
            entries.push(entry(key, &param));
            let annotation = self.typed(|to| self.annotation(&it.ty, to));
            params.push(format!("{param}{annotation}"));
        }
        let result = self.typed(|it| {
            *it += &format!(": {name}");
            self.write_type_params(&rec.type_params, it);
        });
        let head = format!(
            "function {name}{type_params}({}){result} {{",
            params.join(", ")
        );
        self.line(Code::of(declaration).then(self.export()).then(head));
        let made = format!("{{ {} }}", entries.join(", "));
        let made = if rec.fields.iter().any(|it| it.name.text == TAG) {
            format!("__clank.record({made})")
        } else {
            made
        };
        self.indented(|it| it.line(format!("return {made};")));
        self.line("}");
    }

    fn sum(&mut self, declaration: &'a Decl, sum: &'a Sum) {
        let name = spelled(&sum.name.text);
        let type_params = self.type_params(&sum.type_params);
        self.blank();
        if self.is_typescript() {
            self.line(format!("export type {name}{type_params} ="));
            self.indented(|it| {
                for variant in &sum.variants {
                    let shape = it.variant_type(variant);
                    it.line(format!("| {shape}"));
                }
                if sum.variants.is_empty() {
                    it.line("never");
                }
            });
            if let Some(last) = self.lines.last_mut() {
                last.code = std::mem::take(&mut last.code).then(";");
            }
            self.blank();
        }
        for (at, variant) in sum.variants.iter().enumerate() {
            let is_replaced = self
                .globals
                .variants
                .get(variant.name.text.as_str())
                .is_none_or(|owner| !std::ptr::eq(*owner, sum))
                || sum
                    .variants
                    .iter()
                    .skip(at + 1)
                    .any(|it| it.name.text == variant.name.text);
            if !is_replaced {
                self.constructor(declaration, sum, variant);
            }
        }
    }

    fn variant_type(&self, variant: &Variant) -> String {
        let mut entries = vec![format!("readonly tag: {}", quoted(&variant.name.text))];
        for (key, (_, ty)) in keys(variant).iter().zip(&variant.fields) {
            entries.push(format!("readonly {key}: {}", self.type_text(ty)));
        }
        format!("{{ {} }}", entries.join("; "))
    }

    fn constructor(&mut self, declaration: &'a Decl, sum: &'a Sum, variant: &'a Variant) {
        let name = spelled(&variant.name.text);
        let tag = quoted(&variant.name.text);
        let type_name = spelled(&sum.name.text);
        let export = self.export();
        if variant.fields.is_empty() {
            let never = vec!["never"; sum.type_params.len()].join(", ");
            let args = if never.is_empty() {
                never
            } else {
                format!("<{never}>")
            };
            let annotation = self.typed(|it| *it += &format!(": {type_name}{args}"));
            let constant = format!("const {name}{annotation} = Object.freeze({{ tag: {tag} }});");
            self.line(Code::of(declaration).then(export).then(constant));
            return;
        }
        let type_params = self.type_params(&sum.type_params);
        let mut params = Vec::new();
        let mut entries = vec![format!("tag: {tag}")];
        for (key, (_, ty)) in keys(variant).iter().zip(&variant.fields) {
            let param = spelled(key);
            entries.push(entry(key, &param));
            let annotation = self.typed(|it| self.annotation(ty, it));
            params.push(format!("{param}{annotation}"));
        }
        let result = self.typed(|it| {
            *it += &format!(": {type_name}");
            self.write_type_params(&sum.type_params, it);
        });
        let head = format!(
            "function {name}{type_params}({}){result} {{",
            params.join(", ")
        );
        self.line(Code::of(declaration).then(export).then(head));
        self.indented(|it| it.line(format!("return {{ {} }};", entries.join(", "))));
        self.line("}");
    }

    pub(super) fn function_declaration(&mut self, declaration: &'a Decl) {
        match &declaration.kind {
            DeclKind::Fn(function) => self.function(declaration, function),
            DeclKind::ExternalFn(function) => self.external(declaration, function),
            DeclKind::ExternalMod(module) => self.external_module(declaration, module),
            _ => {}
        }
    }

    fn function(&mut self, declaration: &'a Decl, function: &'a FnDecl) {
        let type_params = function.signature.type_params.iter();
        self.function = Function {
            type_params: type_params.map(|it| it.name.text.to_string()).collect(),
            ..Function::default()
        };
        self.scopes.enter();
        let head = self.head(declaration, &function.signature);
        let return_type = &function.signature.return_type;
        let place = if is_unit(return_type) || function.body.kind.tail.is_none() {
            Place::Nothing
        } else {
            Place::Return
        };
        let body = &function.body.kind;
        let ((), lines) = self.captured(|it| {
            it.indented(|it| {
                it.block(body, &place);
                // Clank needs no value at the end of a block of statements, but TypeScript does.
                if it.is_typescript() && body.tail.is_none() && !is_unit(return_type) {
                    let never = it.typed(|it| *it += "return undefined as never;");
                    it.line(never);
                }
            });
        });
        self.blank();
        self.line(head);
        self.indented(|it| match it.function.frame.take() {
            None => it.place_lines(lines),
            Some(frame) => {
                it.line(format!("const {frame} = {{}};"));
                it.line("try {");
                it.indented(|it| it.place_lines(lines));
                it.line("} catch (thrown) {");
                it.indented(|it| it.line(format!("return __clank.landed(thrown, {frame});")));
                it.line("}");
            }
        });
        self.line("}");
        self.scopes.leave();
    }

    /// Emits `function name(a, b) {` and binds the parameters.
    fn head(&mut self, declaration: &'a Decl, signature: &'a Signature) -> Code {
        let mut head = Code::of(declaration);
        head.push(&self.export());
        head.push("function ");
        head.push(&spelled(&signature.name.text));
        head.push(&self.type_params(&signature.type_params));
        head.push("(");
        for (at, param) in signature.params.iter().enumerate() {
            if at > 0 {
                head.push(", ");
            }
            let name = self.scopes.fresh(&param.name.text, self.globals);
            head.push(&name);
            self.function.params.push((&param.name.text, name.clone()));
            self.scopes.bind(&param.name.text, name, false);
            head.push(&self.typed(|it| self.annotation(&param.ty, it)));
        }
        head.push(")");
        head.push(&self.typed(|it| self.annotation(&signature.return_type, it)));
        head.push(" {");
        head
    }

    fn external(&mut self, declaration: &'a Decl, function: &'a ExternalFn) {
        if !host::is_path(&function.js_name) {
            let host = self.host_expression(&function.js_name);
            return self.wrapper(declaration, &function.signature, &host);
        }
        let first = function.js_name.split('.').next().unwrap_or_default();
        // If the program declares the same name, the plain name would refer to that declaration.
        let is_ours = self.globals.spellings.contains(first);
        let host = match (self.is_typescript(), is_ours) {
            (true, _) => format!("(globalThis as any).{}", function.js_name),
            (false, true) => format!("globalThis.{}", function.js_name),
            (false, false) => function.js_name.clone(),
        };
        self.wrapper(declaration, &function.signature, &host);
    }

    /// A JavaScript expression in which no name refers to a declaration of the program. It is
    /// evaluated at each call.
    fn host_expression(&mut self, expression: &str) -> String {
        let words: BTreeSet<&str> = host::words(expression).collect();
        // The parameters of the wrapper must have other names.
        words.iter().for_each(|word| self.scopes.reserve(word));
        let shadowed = words
            .iter()
            .filter(|it| self.globals.spellings.contains(**it));
        let shadowed: Vec<&str> = shadowed.copied().collect();
        let (any, global) = match self.is_typescript() {
            true => (" as (...args: any[]) => any", "(globalThis as any)"),
            false => ("", "globalThis"),
        };
        if shadowed.is_empty() {
            return format!("(({expression}){any})");
        }
        let types = if self.is_typescript() { ": any" } else { "" };
        let params: Vec<String> = shadowed.iter().map(|it| format!("{it}{types}")).collect();
        let values: Vec<String> = shadowed.iter().map(|it| format!("{global}.{it}")).collect();
        let (params, values) = (params.join(", "), values.join(", "));
        format!("(({params}) => (({expression}){any}))({values})")
    }

    /// A module is loaded on the first call of one of its functions. Programs that call none then
    /// run where there are no modules.
    fn external_module(&mut self, declaration: &'a Decl, module: &'a ExternalMod) {
        let path = quoted(&module.module);
        for signature in &module.functions {
            let name = &signature.name.text;
            let load = if self.is_typescript() {
                format!("(globalThis as any).require({path}).{name}")
            } else {
                format!("require({path}).{name}")
            };
            self.wrapper(declaration, signature, &load);
        }
    }

    fn wrapper(&mut self, declaration: &'a Decl, signature: &'a Signature, host: &str) {
        self.scopes.enter();
        let head = self.head(declaration, signature);
        let args: Vec<Code> = signature
            .params
            .iter()
            .filter_map(|it| self.scopes.find(&it.name.text))
            .map(|it| Code::from(it.spelled.as_str()))
            .collect();
        let value = Code::from(host)
            .then("(")
            .then(Code::join(args, ", "))
            .then(")");
        let value = self.checked(value, &signature.return_type, &signature.name.text);
        self.scopes.leave();
        self.blank();
        self.line(head);
        self.indented(|it| it.line(Code::from("return ").then(value.code).then(";")));
        self.line("}");
    }

    /// A script exports its declarations if it is required, and runs `main` if it is executed.
    fn ending(&mut self) {
        let mut names: Vec<&str> = self.globals.spellings.iter().map(Text::as_str).collect();
        names.sort_unstable();
        let exports = format!("module.exports = {{ {} }};", names.join(", "));
        self.blank();
        self.line(format!("if (typeof module !== \"undefined\") {exports}"));
        if self.globals.values.contains("main") {
            self.line("if (typeof require === \"undefined\" || require.main === module) main();");
        }
    }
}

/// Drops declarations that a later declaration of the same name replaces.
fn last_of_each_name(declarations: &[Decl]) -> Vec<&Decl> {
    let mut seen = BTreeSet::new();
    let mut kept: Vec<&Decl> = declarations
        .iter()
        .rev()
        .filter(|declaration| match &declaration.kind {
            DeclKind::Fn(it) => seen.insert(it.signature.name.text.as_str()),
            DeclKind::ExternalFn(it) => seen.insert(it.signature.name.text.as_str()),
            DeclKind::Rec(it) => seen.insert(it.name.text.as_str()),
            DeclKind::Sum(it) => seen.insert(it.name.text.as_str()),
            DeclKind::TypeAlias(it) => seen.insert(it.name.text.as_str()),
            DeclKind::ExternalMod(_) | DeclKind::Mod(_) | DeclKind::Use(_) => true,
        })
        .collect();
    kept.reverse();
    kept
}

fn is_external(declaration: &Decl) -> bool {
    matches!(
        declaration.kind,
        DeclKind::ExternalFn(_) | DeclKind::ExternalMod(_)
    )
}

fn is_unit(ty: &TypeExpr) -> bool {
    match &ty.kind {
        TypeKind::Named { name, args } => name.text == "Unit" && args.is_empty(),
        TypeKind::Tuple(elements) => elements.is_empty(),
        TypeKind::Effect { result, .. } => is_unit(result),
        _ => false,
    }
}

fn entry(field: &str, value: &str) -> String {
    match key(field) {
        key if key == value => key.to_owned(),
        key => format!("{key}: {value}"),
    }
}
