//! Tuple types.

use oxc_ast::AstKind;
use oxc_ast::ast::{TSNamedTupleMember, TSOptionalType, TSRestType, TSTupleType};

use super::super::Printer;
use super::super::kind::ToKind;
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn tuple_type(&self, node: &'a TSTupleType<'a>) -> Doc<'a> {
        let elements: Vec<_> = node
            .element_types
            .iter()
            .map(|element| Some(element.kind()))
            .collect();
        self.print_array_like(AstKind::TSTupleType(node), &elements)
    }

    pub(in super::super) fn named_tuple_member(&self, node: &'a TSNamedTupleMember<'a>) -> Doc<'a> {
        self.concat(&[
            self.print(node.label.kind()),
            Doc::Text(if node.optional { "?: " } else { ": " }),
            self.print(node.element_type.kind()),
        ])
    }

    pub(in super::super) fn optional_type(&self, node: &'a TSOptionalType<'a>) -> Doc<'a> {
        self.concat(&[self.print(node.type_annotation.kind()), Doc::Text("?")])
    }

    pub(in super::super) fn rest_type(&self, node: &'a TSRestType<'a>) -> Doc<'a> {
        self.concat(&[Doc::Text("..."), self.print(node.type_annotation.kind())])
    }
}
