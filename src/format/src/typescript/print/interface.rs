//! Interfaces, type aliases and the members of object types.

use oxc_ast::AstKind;

use super::Printer;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints an interface, a type alias or a member of an interface.
    pub(super) fn print_interface(&self, node: AstKind<'a>) -> Doc<'a> {
        match node {
            AstKind::TSInterfaceDeclaration(it) => self.interface(it),
            AstKind::TSInterfaceBody(it) => self.interface_body(it),
            AstKind::TSTypeAliasDeclaration(it) => self.type_alias(it),
            AstKind::TSInterfaceHeritage(it) => self.heritage(it),
            AstKind::TSPropertySignature(it) => self.property_signature(it),
            AstKind::TSMethodSignature(it) => self.method_signature(it),
            AstKind::TSCallSignatureDeclaration(it) => self.call_signature(it),
            AstKind::TSConstructSignatureDeclaration(it) => self.construct_signature(it),
            AstKind::TSIndexSignature(it) => self.index_signature(it),
            AstKind::TSIndexSignatureName(it) => self.index_signature_name(it),
            _ => self.source(node),
        }
    }
}
