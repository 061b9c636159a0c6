//! Functions.

use oxc_ast::AstKind;
use oxc_ast::ast::{Function, TSTypeAnnotation};

use super::comments::Role;
use super::kind::ToKind;
use super::{Args, Printer, docs, nodes};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    pub(super) fn print_function(&self, function: &'a Function<'a>, args: Args) -> Doc<'a> {
        let node = function.kind();
        let parent = self.parent(node);
        let is_method = match parent {
            AstKind::MethodDefinition(_) => true,
            AstKind::ObjectProperty(property) => nodes::is_method(property),
            _ => false,
        };
        if is_method {
            return self.print_method_value(node);
        }
        let expand = args.expand_last
            && nodes::is_call(parent)
            && (nodes::arguments(parent).len() > 1
                || nodes::parameters(node).into_iter().all(is_untyped_name));
        let parameters = self.print_parameters(node, expand, false);
        let return_type = self.print_return_type(node);
        let parameters = match self.should_group_parameters(node, return_type) {
            true => self.group(parameters),
            false => parameters,
        };
        let mut parts = Vec::new();
        if function.declare {
            parts.push(Doc::Text("declare "));
        }
        if function.r#async {
            parts.push(Doc::Text("async "));
        }
        parts.push(Doc::Text(if function.generator {
            "function* "
        } else {
            "function "
        }));
        parts.push(self.print_option(function.id.as_ref().map(ToKind::kind)));
        parts.push(self.print_option(function.type_parameters.as_ref().map(|it| it.kind())));
        parts.push(self.group(docs!(self, parameters, return_type)));
        match &function.body {
            Some(body) => parts.extend([Doc::SPACE, self.print(body.kind())]),
            None => parts.push(Doc::Text(self.semicolon())),
        }
        self.concat(&parts)
    }

    /// The parameters, return type and body of a method.
    pub(super) fn print_method_value(&self, node: AstKind<'a>) -> Doc<'a> {
        let AstKind::Function(function) = node else {
            return self.source(node);
        };
        let parameters = self.print_parameters(node, false, false);
        let return_type = self.print_return_type(node);
        let parameters = if should_break_parameters(node) {
            self.broken_group(parameters)
        } else if self.should_group_parameters(node, return_type) {
            self.group(parameters)
        } else {
            parameters
        };
        let type_parameters =
            self.print_option(function.type_parameters.as_ref().map(|it| it.kind()));
        let head = self.group(docs!(self, parameters, return_type));
        match &function.body {
            Some(body) => docs!(self, type_parameters, head, " ", self.print(body.kind())),
            None => docs!(self, type_parameters, head, self.semicolon()),
        }
    }

    /// The return type with its colon.
    pub(super) fn print_return_type(&self, function: AstKind<'a>) -> Doc<'a> {
        self.print_type_annotation(nodes::signature(function).and_then(|it| it.return_type))
    }

    /// A type annotation. It prints its own colon, or arrow in a function type.
    pub(super) fn print_type_annotation(
        &self,
        annotation: Option<&'a TSTypeAnnotation<'a>>,
    ) -> Doc<'a> {
        let Some(annotation) = annotation else {
            return Doc::NIL;
        };
        let node = annotation.kind();
        let is_arrow = matches!(
            self.parent(node),
            AstKind::TSFunctionType(_) | AstKind::TSConstructorType(_)
        );
        let has_leading = self
            .comments
            .any(node, |comment| comment.role == Role::Leading);
        if is_arrow || has_leading {
            docs!(self, " ", self.print(node))
        } else {
            self.print(node)
        }
    }
}

fn is_untyped_name(parameter: AstKind<'_>) -> bool {
    nodes::is_plain_name(parameter)
        && matches!(parameter, AstKind::FormalParameter(it) if it.type_annotation.is_none())
}

/// Whether a constructor declares properties in its parameters, which are on lines of their own.
fn should_break_parameters(function: AstKind<'_>) -> bool {
    let parameters = nodes::parameters(function);
    parameters.len() > 1
        && parameters.iter().any(|parameter| {
            matches!(parameter, AstKind::FormalParameter(it) if nodes::is_parameter_property(it))
        })
}
