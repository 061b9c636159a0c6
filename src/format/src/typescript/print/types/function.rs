//! Function types and signatures.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    TSCallSignatureDeclaration, TSConstructSignatureDeclaration, TSConstructorType, TSFunctionType,
    TSMethodSignature, TSMethodSignatureKind,
};

use super::super::Printer;
use super::super::kind::ToKind;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(in super::super) fn function_type(&self, node: &'a TSFunctionType<'a>) -> Doc<'a> {
        let kind = AstKind::TSFunctionType(node);
        self.group(self.signature(kind, self.annotation(Some(&node.return_type))))
    }

    pub(in super::super) fn constructor_type(&self, node: &'a TSConstructorType<'a>) -> Doc<'a> {
        let kind = AstKind::TSConstructorType(node);
        let keyword = if node.r#abstract {
            "abstract new "
        } else {
            "new "
        };
        self.group(self.concat(&[
            Doc::Text(keyword),
            self.signature(kind, self.annotation(Some(&node.return_type))),
        ]))
    }

    pub(in super::super) fn call_signature(
        &self,
        node: &'a TSCallSignatureDeclaration<'a>,
    ) -> Doc<'a> {
        let kind = AstKind::TSCallSignatureDeclaration(node);
        let signature = self.signature(kind, self.annotation(node.return_type.as_deref()));
        self.concat(&[self.group(signature), self.member_semicolon(kind)])
    }

    pub(in super::super) fn construct_signature(
        &self,
        node: &'a TSConstructSignatureDeclaration<'a>,
    ) -> Doc<'a> {
        let kind = AstKind::TSConstructSignatureDeclaration(node);
        let signature = self.signature(kind, self.annotation(node.return_type.as_deref()));
        let signature = self.concat(&[Doc::Text("new "), signature]);
        self.concat(&[self.group(signature), self.member_semicolon(kind)])
    }

    pub(in super::super) fn method_signature(&self, node: &'a TSMethodSignature<'a>) -> Doc<'a> {
        let kind = AstKind::TSMethodSignature(node);
        let annotation = self.group(self.annotation(node.return_type.as_deref()));
        let head = self.concat(&[
            Doc::Text(match node.kind {
                TSMethodSignatureKind::Method => "",
                TSMethodSignatureKind::Get => "get ",
                TSMethodSignatureKind::Set => "set ",
            }),
            self.print_property_key(kind, node.key.kind(), node.computed),
            Doc::Text(if node.optional { "?" } else { "" }),
        ]);
        self.concat(&[
            self.group(self.concat(&[head, self.signature(kind, annotation)])),
            self.member_semicolon(kind),
        ])
    }

    /// Type parameters, parameters and the return type.
    fn signature(&self, node: AstKind<'a>, return_type: Doc<'a>) -> Doc<'a> {
        let parameters = self.print_parameters(node, false, true);
        let parameters = if self.should_group_parameters(node, return_type) {
            self.group(parameters)
        } else {
            parameters
        };
        self.concat(&[parameters, return_type])
    }
}
