//! The parameters of functions and function types.

use oxc_ast::AstKind;
use oxc_ast::ast::{
    ArrowFunctionBody, AssignmentTarget, BindingPattern, Expression, FormalParameter,
    FormalParameterRest, TSThisParameter, VariableDeclarationKind,
};

use super::kind::ToKind;
use super::tree::same;
use super::{Printer, docs, nodes};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints the parameters of a function with their parentheses.
    ///
    /// `expand`: the function is an argument that breaks alone, so its parameters must not break.
    /// If they would, [`Printer::cannot_expand`] is set.
    pub(super) fn print_parameters(
        &self,
        function: AstKind<'a>,
        expand: bool,
        with_type_parameters: bool,
    ) -> Doc<'a> {
        let Some(signature) = nodes::signature(function) else {
            return Doc::NIL;
        };
        let type_parameters = match with_type_parameters {
            true => self.print_option(signature.type_parameters.map(ToKind::kind)),
            false => Doc::NIL,
        };
        let parameters = nodes::parameters(function);
        if parameters.is_empty() {
            let comments = self.dangling_comments_in_list(function);
            return docs!(self, type_parameters, "(", comments, ")");
        }
        let is_test = self.is_test_call(self.parent(function), None);
        let hugs = self.should_hug_the_only_parameter(function);
        let mut printed = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            printed.push(self.print(*parameter));
            if index + 1 == parameters.len() {
                break;
            }
            printed.push(Doc::Text(","));
            if is_test || hugs {
                printed.push(Doc::SPACE);
            } else if self.is_next_line_empty(*parameter) {
                printed.extend([Doc::HARDLINE, Doc::HARDLINE]);
            } else {
                printed.push(Doc::LINE);
            }
        }
        let printed = self.concat(&printed);
        if expand && !self.is_decorated_function(function) {
            if type_parameters.will_break() || printed.will_break() {
                self.cannot_expand.set(true);
            }
            return self.group(docs!(
                self,
                self.remove_lines(type_parameters),
                "(",
                self.remove_lines(printed),
                ")"
            ));
        }
        let has_decorators = parameters.iter().any(|parameter| match parameter {
            AstKind::FormalParameter(it) => !it.decorators.is_empty(),
            AstKind::FormalParameterRest(it) => !it.decorators.is_empty(),
            _ => false,
        });
        if (hugs && !has_decorators) || is_test {
            return docs!(self, type_parameters, "(", printed, ")");
        }
        let comma = match signature.parameters.rest {
            Some(_) => Doc::NIL,
            None => self.trailing_comma_of_call(),
        };
        let contents = self.indent(docs!(self, Doc::SOFTLINE, printed));
        docs!(
            self,
            type_parameters,
            "(",
            contents,
            comma,
            Doc::SOFTLINE,
            ")"
        )
    }

    pub(super) fn print_parameter(&self, parameter: &'a FormalParameter<'a>) -> Doc<'a> {
        let mut parts = Vec::new();
        if let Some(accessibility) = parameter.accessibility {
            parts.extend([Doc::Text(accessibility.as_str()), Doc::SPACE]);
        }
        if parameter.r#override {
            parts.push(Doc::Text("override "));
        }
        if parameter.readonly {
            parts.push(Doc::Text("readonly "));
        }
        let mark = if parameter.optional { "?" } else { "" };
        let annotation = parameter.type_annotation.as_deref();
        parts.push(self.print_typed_pattern(&parameter.pattern, mark, annotation));
        if let Some(initializer) = &parameter.initializer {
            parts.extend([Doc::Text(" = "), self.print(initializer.kind())]);
        }
        self.concat(&parts)
    }

    pub(super) fn print_rest_parameter(&self, parameter: &'a FormalParameterRest<'a>) -> Doc<'a> {
        docs!(
            self,
            self.print(parameter.rest.kind()),
            self.print_type_annotation(parameter.type_annotation.as_deref()),
        )
    }

    pub(super) fn print_this_parameter(&self, parameter: &'a TSThisParameter<'a>) -> Doc<'a> {
        docs!(
            self,
            "this",
            self.print_type_annotation(parameter.type_annotation.as_deref()),
        )
    }

    /// Whether the return type breaks before the parameters.
    pub(super) fn should_group_parameters(
        &self,
        function: AstKind<'a>,
        return_type: Doc<'a>,
    ) -> bool {
        let Some(signature) = nodes::signature(function) else {
            return false;
        };
        let Some(annotation) = signature.return_type else {
            return false;
        };
        let is_plain = match signature.type_parameters.map(|it| it.params.as_slice()) {
            None | Some([]) => true,
            Some([parameter]) => parameter.constraint.is_none() && parameter.default.is_none(),
            Some(_) => false,
        };
        is_plain
            && nodes::parameters(function).len() == 1
            && (nodes::is_object_type(annotation.type_annotation.kind())
                || return_type.will_break())
    }

    /// Whether the only parameter of a function is an object that keeps its braces beside the
    /// parentheses.
    pub(super) fn should_hug_the_only_parameter(&self, function: AstKind<'a>) -> bool {
        let parameters = nodes::parameters(function);
        let [parameter] = parameters.as_slice() else {
            return false;
        };
        if self.comments.has(*parameter) {
            return false;
        }
        let annotation = match parameter {
            AstKind::TSThisParameter(it) => it.type_annotation.as_deref(),
            AstKind::FormalParameter(it) => {
                if nodes::is_parameter_property(it) || self.comments.has(it.pattern.kind()) {
                    return false;
                }
                match (&it.pattern, it.initializer.as_deref()) {
                    (BindingPattern::ObjectPattern(_) | BindingPattern::ArrayPattern(_), None) => {
                        return true;
                    }
                    (
                        BindingPattern::ObjectPattern(_) | BindingPattern::ArrayPattern(_),
                        Some(value),
                    ) => return is_empty_value(value),
                    (BindingPattern::BindingIdentifier(_), None) => it.type_annotation.as_deref(),
                    _ => None,
                }
            }
            _ => None,
        };
        annotation.is_some_and(|it| nodes::is_object_type(it.type_annotation.kind()))
    }

    /// The only argument of a curried decorator, as in `const f = decorate(a)(() => {})`.
    fn is_decorated_function(&self, function: AstKind<'a>) -> bool {
        let AstKind::ArrowFunctionExpression(arrow) = function else {
            return false;
        };
        if !matches!(arrow.body, ArrowFunctionBody::FunctionBody(_)) {
            return false;
        }
        let call_node = self.parent(function);
        let AstKind::CallExpression(call) = call_node else {
            return false;
        };
        let Expression::CallExpression(decorator) = &call.callee else {
            return false;
        };
        if call.arguments.len() != 1 || same(call.callee.kind(), function) {
            return false;
        }
        let is_name = match &decorator.callee {
            Expression::Identifier(_) => true,
            Expression::StaticMemberExpression(member) => {
                matches!(member.object, Expression::Identifier(_))
            }
            _ => false,
        };
        let owner = self.parent(call_node);
        let is_value = match owner {
            AstKind::VariableDeclarator(_) => {
                return is_name
                    && matches!(self.parent(owner), AstKind::VariableDeclaration(declaration)
                        if declaration.kind == VariableDeclarationKind::Const
                            && declaration.declarations.len() == 1);
            }
            AstKind::ExportDefaultDeclaration(_) | AstKind::TSExportAssignment(_) => true,
            AstKind::AssignmentExpression(assignment) => {
                matches!(&assignment.left, AssignmentTarget::StaticMemberExpression(member)
                    if nodes::is_path(AstKind::StaticMemberExpression(member), "module.exports"))
            }
            _ => false,
        };
        is_name && is_value
    }
}

/// A default value that does not make a pattern longer: a name, `{}` or `[]`.
fn is_empty_value(value: &Expression<'_>) -> bool {
    match value {
        Expression::Identifier(_) => true,
        Expression::ObjectExpression(object) => object.properties.is_empty(),
        Expression::ArrayExpression(array) => array.elements.is_empty(),
        _ => false,
    }
}
