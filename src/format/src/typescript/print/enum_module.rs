//! Enums, namespaces, modules, and the imports and exports that only TypeScript has.

use oxc_ast::AstKind;
use oxc_ast::ast::*;

use super::Printer;
use super::kind::ToKind;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_enum_or_module(&self, node: AstKind<'a>) -> Doc<'a> {
        match node {
            AstKind::TSEnumDeclaration(it) => self.enum_declaration(it),
            AstKind::TSEnumBody(it) => self.enum_body(it),
            AstKind::TSEnumMember(it) => self.enum_member(it),
            AstKind::TSExternalModuleDeclaration(it) => self.external_module(it),
            AstKind::TSNamespaceDeclaration(it) => self.namespace(it),
            AstKind::TSGlobalDeclaration(it) => self.global_declaration(it),
            AstKind::TSModuleBlock(it) => self.print_block(node, &it.directives, &it.body),
            AstKind::TSImportEqualsDeclaration(it) => self.import_equals(it),
            AstKind::TSExternalModuleReference(_) => self.group(self.print_call(node)),
            AstKind::TSExportAssignment(it) => self.export_assignment(it),
            AstKind::TSNamespaceExportDeclaration(it) => self.namespace_export(it),
            _ => self.source(node),
        }
    }

    fn enum_declaration(&self, node: &'a TSEnumDeclaration<'a>) -> Doc<'a> {
        self.concat(&[
            declare(node.declare),
            Doc::Text(if node.r#const { "const " } else { "" }),
            Doc::Text("enum "),
            self.print(node.id.kind()),
            Doc::SPACE,
            self.print(node.body.kind()),
        ])
    }

    fn enum_body(&self, node: &'a TSEnumBody<'a>) -> Doc<'a> {
        let members: Vec<_> = node.members.iter().map(ToKind::kind).collect();
        self.print_object_like(AstKind::TSEnumBody(node), &members, true)
    }

    fn enum_member(&self, node: &'a TSEnumMember<'a>) -> Doc<'a> {
        let is_computed = matches!(
            node.id,
            TSEnumMemberName::ComputedString(_) | TSEnumMemberName::ComputedTemplateString(_)
        );
        let key = self.print_property_key(AstKind::TSEnumMember(node), node.id.kind(), is_computed);
        match &node.initializer {
            Some(initializer) => {
                self.concat(&[key, Doc::Text(" = "), self.print(initializer.kind())])
            }
            None => key,
        }
    }

    fn external_module(&self, node: &'a TSExternalModuleDeclaration<'a>) -> Doc<'a> {
        let body = match node.body.as_deref() {
            Some(body) => self.module_body(body),
            None => Doc::Text(self.semicolon()),
        };
        self.concat(&[
            declare(node.declare),
            Doc::Text("module "),
            self.print(node.id.kind()),
            body,
        ])
    }

    fn namespace(&self, node: &'a TSNamespaceDeclaration<'a>) -> Doc<'a> {
        let is_nested = matches!(
            self.parent(AstKind::TSNamespaceDeclaration(node)),
            AstKind::TSNamespaceDeclaration(_)
        );
        let mut parts = Vec::new();
        if is_nested {
            parts.push(Doc::Text("."));
        } else {
            parts.push(declare(node.declare));
            parts.push(Doc::Text(match node.kind {
                TSNamespaceDeclarationKind::Module => "module ",
                TSNamespaceDeclarationKind::Namespace => "namespace ",
            }));
        }
        parts.push(self.print(node.id.kind()));
        parts.push(match &node.body {
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => self.print(inner.kind()),
            TSNamespaceDeclarationBody::TSModuleBlock(block) => self.module_body(block),
        });
        self.concat(&parts)
    }

    fn global_declaration(&self, node: &'a TSGlobalDeclaration<'a>) -> Doc<'a> {
        self.concat(&[
            declare(node.declare),
            Doc::Text("global"),
            self.module_body(&node.body),
        ])
    }

    fn module_body(&self, body: &'a TSModuleBlock<'a>) -> Doc<'a> {
        self.concat(&[Doc::SPACE, self.group(self.print(body.kind()))])
    }

    fn import_equals(&self, node: &'a TSImportEqualsDeclaration<'a>) -> Doc<'a> {
        self.concat(&[
            Doc::Text("import "),
            Doc::Text(match node.import_kind {
                ImportOrExportKind::Type => "type ",
                ImportOrExportKind::Value => "",
            }),
            self.print(node.id.kind()),
            Doc::Text(" = "),
            self.print(node.module_reference.kind()),
            Doc::Text(self.semicolon()),
        ])
    }

    fn export_assignment(&self, node: &'a TSExportAssignment<'a>) -> Doc<'a> {
        self.concat(&[
            Doc::Text("export = "),
            self.print(node.expression.kind()),
            Doc::Text(self.semicolon()),
        ])
    }

    fn namespace_export(&self, node: &'a TSNamespaceExportDeclaration<'a>) -> Doc<'a> {
        self.concat(&[
            Doc::Text("export as namespace "),
            self.print(node.id.kind()),
            Doc::Text(self.semicolon()),
        ])
    }
}

fn declare<'a>(is_declared: bool) -> Doc<'a> {
    Doc::Text(if is_declared { "declare " } else { "" })
}
