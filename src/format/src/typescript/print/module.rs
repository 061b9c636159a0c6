//! Imports and exports.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ExportDefaultDeclarationKind, ImportAttribute, ImportAttributeKey, ImportDeclaration,
    ImportDeclarationSpecifier, ImportOrExportKind, StringLiteral, WithClause, WithClauseKeyword,
};
use oxc_span::GetSpan;

use super::comments::Role;
use super::kind::ToKind;
use super::{Printer, docs};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_module(&self, node: AstKind<'a>) -> Doc<'a> {
        match node {
            AstKind::ImportDeclaration(import) => self.print_import(import),
            AstKind::ExportDeclaration(export) => {
                let declaration = self.print(export.declaration.kind());
                docs!(self, self.print_export(node), " ", declaration)
            }
            AstKind::ExportDefaultDeclaration(export) => {
                let semicolon = match export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(_)
                    | ExportDefaultDeclarationKind::ClassDeclaration(_)
                    | ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => "",
                    _ => self.semicolon(),
                };
                docs!(
                    self,
                    self.print_export_default(node),
                    " ",
                    self.print(export.declaration.kind()),
                    semicolon,
                )
            }
            AstKind::ExportNamedDeclaration(export) => {
                let specifiers: Vec<_> = export.specifiers.iter().map(ToKind::kind).collect();
                docs!(
                    self,
                    self.print_export(node),
                    keyword(export.export_kind),
                    " ",
                    self.print_specifiers(&[], &specifiers),
                    self.semicolon(),
                )
            }
            AstKind::ExportFromDeclaration(export) => {
                let specifiers: Vec<_> = export.specifiers.iter().map(ToKind::kind).collect();
                docs!(
                    self,
                    self.print_export(node),
                    keyword(export.export_kind),
                    " ",
                    self.print_specifiers(&[], &specifiers),
                    self.print_source(&export.source, " from "),
                    self.print_attributes(export.with_clause.as_deref()),
                    self.semicolon(),
                )
            }
            AstKind::ExportAllDeclaration(export) => {
                let name = match &export.exported {
                    Some(name) => docs!(self, " as ", self.print(name.kind())),
                    None => Doc::NIL,
                };
                docs!(
                    self,
                    self.print_export(node),
                    keyword(export.export_kind),
                    " *",
                    name,
                    self.print_source(&export.source, " from "),
                    self.print_attributes(export.with_clause.as_deref()),
                    self.semicolon(),
                )
            }
            AstKind::ImportSpecifier(it) => {
                let kind = specifier_keyword(it.import_kind);
                let name = self.print(it.imported.kind());
                if it.imported.span() == it.local.span {
                    return docs!(self, kind, name);
                }
                docs!(self, kind, name, " as ", self.print(it.local.kind()))
            }
            AstKind::ExportSpecifier(it) => {
                let kind = specifier_keyword(it.export_kind);
                let name = self.print(it.local.kind());
                if it.local.span() == it.exported.span() {
                    return docs!(self, kind, name);
                }
                docs!(self, kind, name, " as ", self.print(it.exported.kind()))
            }
            AstKind::ImportDefaultSpecifier(it) => self.print(it.local.kind()),
            AstKind::ImportNamespaceSpecifier(it) => {
                docs!(self, "* as ", self.print(it.local.kind()))
            }
            AstKind::ImportAttribute(it) => {
                let key = self.print_property_key(node, it.key.kind(), false);
                self.print_assignment(node, key, ":", Some(it.value.kind()))
            }
            _ => self.source(node),
        }
    }

    fn print_export_default(&self, node: AstKind<'a>) -> Doc<'a> {
        let decorators = self.decorators_before_export(node);
        docs!(
            self,
            decorators,
            "export default",
            self.comments_after_export(node)
        )
    }

    fn print_export(&self, node: AstKind<'a>) -> Doc<'a> {
        let decorators = self.decorators_before_export(node);
        docs!(self, decorators, "export", self.comments_after_export(node))
    }

    fn comments_after_export(&self, node: AstKind<'a>) -> Doc<'a> {
        let last = self
            .comments
            .of(node)
            .rfind(|comment| comment.role == Role::Dangling);
        let Some(last) = last else { return Doc::NIL };
        let line = match last.is_block {
            true => Doc::NIL,
            false => Doc::HARDLINE,
        };
        docs!(self, " ", self.dangling_comments(node), line)
    }

    fn print_import(&self, import: &'a ImportDeclaration<'a>) -> Doc<'a> {
        let mut parts = vec![Doc::Text("import")];
        if let Some(phase) = import.phase {
            parts.extend([Doc::SPACE, Doc::Text(phase.as_str())]);
        }
        parts.push(Doc::Text(keyword(import.import_kind)));
        let source = match &import.specifiers {
            None => " ",
            Some(specifiers) => {
                let (named, standalone): (Vec<_>, Vec<_>) =
                    specifiers.iter().partition(|specifier| {
                        matches!(specifier, ImportDeclarationSpecifier::ImportSpecifier(_))
                    });
                let kinds = |specifiers: Vec<&'a ImportDeclarationSpecifier<'a>>| -> Vec<_> {
                    specifiers.into_iter().map(ToKind::kind).collect()
                };
                parts.push(Doc::SPACE);
                parts.push(self.print_specifiers(&kinds(standalone), &kinds(named)));
                " from "
            }
        };
        parts.push(self.print_source(&import.source, source));
        parts.push(self.print_attributes(import.with_clause.as_deref()));
        parts.push(Doc::Text(self.semicolon()));
        self.concat(&parts)
    }

    fn print_source(&self, source: &'a StringLiteral<'a>, keyword: &'static str) -> Doc<'a> {
        docs!(self, keyword, self.print(source.kind()))
    }

    fn print_specifiers(&self, standalone: &[AstKind<'a>], named: &[AstKind<'a>]) -> Doc<'a> {
        let print = |specifiers: &[AstKind<'a>]| -> Vec<_> {
            specifiers
                .iter()
                .map(|specifier| self.print(*specifier))
                .collect()
        };
        if standalone.is_empty() && named.is_empty() {
            return Doc::Text("{}");
        }
        let mut parts = vec![self.join(Doc::Text(", "), &print(standalone))];
        if named.is_empty() {
            return self.concat(&parts);
        }
        if !standalone.is_empty() {
            parts.push(Doc::Text(", "));
        }
        let can_break = named.len() > 1
            || !standalone.is_empty()
            || named.iter().any(|specifier| self.comments.has(*specifier));
        let named = print(named);
        if can_break {
            let spacing = match self.options.bracket_spacing {
                true => Doc::LINE,
                false => Doc::SOFTLINE,
            };
            let separator = docs!(self, ",", Doc::LINE);
            let contents = self.indent(docs!(self, spacing, self.join(separator, &named)));
            parts.push(self.group(docs!(
                self,
                "{",
                contents,
                self.trailing_comma(),
                spacing,
                "}"
            )));
        } else {
            let spacing = if self.options.bracket_spacing {
                " "
            } else {
                ""
            };
            parts.push(docs!(self, "{", spacing, self.concat(&named), spacing, "}"));
        }
        self.concat(&parts)
    }

    fn print_attributes(&self, clause: Option<&'a WithClause<'a>>) -> Doc<'a> {
        let Some(clause) = clause else {
            return Doc::NIL;
        };
        let keyword = match clause.keyword {
            WithClauseKeyword::With => " with ",
            WithClauseKeyword::Assert => " assert ",
        };
        let node = AstKind::WithClause(clause);
        let items: Vec<_> = clause.with_entries.iter().map(ToKind::kind).collect();
        let span = node.span();
        let brace = self.code[span.start as usize..span.end as usize]
            .find('{')
            .map_or(span.start as usize, |at| span.start as usize + at);
        let breaks = self.is_object_expanded(brace, &items);
        let mut doc = self.print_object_like(node, &items, breaks);
        if let [only] = clause.with_entries.as_slice()
            && self.is_type_attribute(only)
        {
            doc = self.remove_lines(doc);
        }
        docs!(self, keyword, doc)
    }

    /// `type: "json"` without comments.
    fn is_type_attribute(&self, attribute: &'a ImportAttribute<'a>) -> bool {
        let is_type = match &attribute.key {
            ImportAttributeKey::Identifier(name) => name.name == "type",
            ImportAttributeKey::StringLiteral(name) => name.value == "type",
        };
        is_type
            && !self.comments.has(attribute.kind())
            && !self.comments.has(attribute.key.kind())
            && !self.comments.has(attribute.value.kind())
    }
}

fn keyword(kind: ImportOrExportKind) -> &'static str {
    match kind {
        ImportOrExportKind::Value => "",
        ImportOrExportKind::Type => " type",
    }
}

fn specifier_keyword(kind: ImportOrExportKind) -> &'static str {
    match kind {
        ImportOrExportKind::Value => "",
        ImportOrExportKind::Type => "type ",
    }
}
