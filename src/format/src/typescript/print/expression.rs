//! Dispatches each node to the function that prints it.

use oxc_ast::AstKind;
use oxc_ast::ast::{AwaitExpression, ParenthesizedExpression, SequenceExpression};

use super::kind::ToKind;
use super::nodes::{self, starts_with};
use super::parens::{is_callee, is_object};
use super::tree::same;
use super::{Args, Printer, docs};
use crate::doc::Doc;

impl<'a> Printer<'a> {
    /// Prints a node without its comments and parentheses.
    pub(super) fn print_node(&self, node: AstKind<'a>, args: Args) -> Doc<'a> {
        match node {
            AstKind::TemplateLiteral(_)
            | AstKind::TaggedTemplateExpression(_)
            | AstKind::TSTemplateLiteralType(_) => self.print_template(node),
            AstKind::Class(_)
            | AstKind::ClassBody(_)
            | AstKind::MethodDefinition(_)
            | AstKind::PropertyDefinition(_)
            | AstKind::AccessorProperty(_)
            | AstKind::StaticBlock(_)
            | AstKind::TSClassImplements(_) => self.print_class(node),
            AstKind::Decorator(_) => self.print_decorator(node),
            AstKind::TSInterfaceDeclaration(_)
            | AstKind::TSInterfaceBody(_)
            | AstKind::TSInterfaceHeritage(_)
            | AstKind::TSTypeAliasDeclaration(_)
            | AstKind::TSPropertySignature(_)
            | AstKind::TSIndexSignature(_)
            | AstKind::TSIndexSignatureName(_)
            | AstKind::TSCallSignatureDeclaration(_)
            | AstKind::TSMethodSignature(_)
            | AstKind::TSConstructSignatureDeclaration(_) => self.print_interface(node),
            AstKind::TSEnumDeclaration(_)
            | AstKind::TSEnumBody(_)
            | AstKind::TSEnumMember(_)
            | AstKind::TSExternalModuleDeclaration(_)
            | AstKind::TSNamespaceDeclaration(_)
            | AstKind::TSGlobalDeclaration(_)
            | AstKind::TSModuleBlock(_)
            | AstKind::TSImportEqualsDeclaration(_)
            | AstKind::TSExportAssignment(_)
            | AstKind::TSNamespaceExportDeclaration(_) => self.print_enum_or_module(node),
            AstKind::JSXElement(_)
            | AstKind::JSXOpeningElement(_)
            | AstKind::JSXClosingElement(_)
            | AstKind::JSXFragment(_)
            | AstKind::JSXOpeningFragment(_)
            | AstKind::JSXClosingFragment(_)
            | AstKind::JSXNamespacedName(_)
            | AstKind::JSXMemberExpression(_)
            | AstKind::JSXExpressionContainer(_)
            | AstKind::JSXEmptyExpression(_)
            | AstKind::JSXAttribute(_)
            | AstKind::JSXSpreadAttribute(_)
            | AstKind::JSXIdentifier(_)
            | AstKind::JSXSpreadChild(_)
            | AstKind::JSXText(_) => self.print_jsx(node),
            AstKind::TSTypeAnnotation(_)
            | AstKind::TSLiteralType(_)
            | AstKind::TSUnionType(_)
            | AstKind::TSIntersectionType(_)
            | AstKind::TSParenthesizedType(_)
            | AstKind::TSTypeOperator(_)
            | AstKind::TSArrayType(_)
            | AstKind::TSIndexedAccessType(_)
            | AstKind::TSTupleType(_)
            | AstKind::TSNamedTupleMember(_)
            | AstKind::TSOptionalType(_)
            | AstKind::TSRestType(_)
            | AstKind::TSAnyKeyword(_)
            | AstKind::TSStringKeyword(_)
            | AstKind::TSBooleanKeyword(_)
            | AstKind::TSNumberKeyword(_)
            | AstKind::TSNeverKeyword(_)
            | AstKind::TSIntrinsicKeyword(_)
            | AstKind::TSUnknownKeyword(_)
            | AstKind::TSNullKeyword(_)
            | AstKind::TSUndefinedKeyword(_)
            | AstKind::TSVoidKeyword(_)
            | AstKind::TSSymbolKeyword(_)
            | AstKind::TSThisType(_)
            | AstKind::TSObjectKeyword(_)
            | AstKind::TSBigIntKeyword(_)
            | AstKind::TSTypeReference(_)
            | AstKind::TSQualifiedName(_)
            | AstKind::TSTypeParameterInstantiation(_)
            | AstKind::TSTypeParameter(_)
            | AstKind::TSTypeParameterDeclaration(_)
            | AstKind::TSTypePredicate(_)
            | AstKind::TSTypeLiteral(_)
            | AstKind::TSInferType(_)
            | AstKind::TSTypeQuery(_)
            | AstKind::TSImportType(_)
            | AstKind::TSImportTypeQualifiedName(_)
            | AstKind::TSFunctionType(_)
            | AstKind::TSConstructorType(_)
            | AstKind::TSMappedType(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_)
            | AstKind::TSTypeAssertion(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::TSInstantiationExpression(_)
            | AstKind::JSDocNullableType(_)
            | AstKind::JSDocNonNullableType(_)
            | AstKind::JSDocUnknownType(_) => self.print_type(node, args),
            _ if nodes::is_literal(node) => self.print_literal(node),
            _ => match nodes::member(node) {
                Some(member) => self.print_member(node, member),
                None => self.print_expression(node, args),
            },
        }
    }

    fn print_expression(&self, node: AstKind<'a>, args: Args) -> Doc<'a> {
        match node {
            AstKind::IdentifierReference(_)
            | AstKind::IdentifierName(_)
            | AstKind::BindingIdentifier(_)
            | AstKind::LabelIdentifier(_)
            | AstKind::PrivateIdentifier(_)
            | AstKind::ThisExpression(_)
            | AstKind::Super(_) => Doc::Text(self.raw(node)),
            AstKind::ImportMeta(_) => Doc::Text("import.meta"),
            AstKind::NewTarget(_) => Doc::Text("new.target"),
            AstKind::ChainExpression(it) => self.print(it.expression.kind()),
            AstKind::ParenthesizedExpression(it) => self.print_parenthesized(it),
            AstKind::ArrayExpression(_)
            | AstKind::ArrayPattern(_)
            | AstKind::ArrayAssignmentTarget(_) => self.print_array(node),
            AstKind::ObjectExpression(_)
            | AstKind::ObjectPattern(_)
            | AstKind::ObjectAssignmentTarget(_) => self.print_object(node),
            AstKind::ObjectProperty(it) => self.print_property(it),
            AstKind::BindingProperty(it) => {
                if it.shorthand {
                    return self.print(it.value.kind());
                }
                let key = self.print_property_key(node, it.key.kind(), it.computed);
                self.print_assignment(node, key, ":", Some(it.value.kind()))
            }
            AstKind::AssignmentTargetPropertyIdentifier(it) => {
                let name = self.print(it.binding.kind());
                match &it.init {
                    Some(init) => docs!(self, name, " = ", self.print(init.kind())),
                    None => name,
                }
            }
            AstKind::AssignmentTargetPropertyProperty(it) => {
                let key = self.print_property_key(node, it.name.kind(), it.computed);
                self.print_assignment(node, key, ":", Some(it.binding.kind()))
            }
            AstKind::SpreadElement(it) => docs!(self, "...", self.print(it.argument.kind())),
            AstKind::BindingRestElement(it) => docs!(self, "...", self.print(it.argument.kind())),
            AstKind::AssignmentTargetRest(it) => docs!(self, "...", self.print(it.target.kind())),
            AstKind::AssignmentPattern(it) => docs!(
                self,
                self.print(it.left.kind()),
                " = ",
                self.print(it.right.kind())
            ),
            AstKind::AssignmentTargetWithDefault(it) => docs!(
                self,
                self.print(it.binding.kind()),
                " = ",
                self.print(it.init.kind())
            ),
            AstKind::Function(it) => self.print_function(it, args),
            AstKind::ArrowFunctionExpression(it) => self.print_arrow(it, args),
            AstKind::FormalParameter(it) => self.print_parameter(it),
            AstKind::FormalParameterRest(it) => self.print_rest_parameter(it),
            AstKind::TSThisParameter(it) => self.print_this_parameter(it),
            AstKind::CallExpression(_)
            | AstKind::NewExpression(_)
            | AstKind::ImportExpression(_)
            | AstKind::TSExternalModuleReference(_)
            | AstKind::V8IntrinsicExpression(_) => self.print_call(node),
            AstKind::AssignmentExpression(it) => {
                let operator = docs!(self, " ", it.operator.as_str());
                let left = self.print(it.left.kind());
                self.print_assignment(node, left, operator, Some(it.right.kind()))
            }
            AstKind::BinaryExpression(_)
            | AstKind::LogicalExpression(_)
            | AstKind::PrivateInExpression(_) => self.print_binary(node),
            AstKind::ConditionalExpression(_) | AstKind::TSConditionalType(_) => {
                self.print_conditional(node)
            }
            AstKind::UnaryExpression(it) => {
                let argument = self.print(it.argument.kind());
                let operator = match it.operator.is_keyword() {
                    true => docs!(self, it.operator.as_str(), " "),
                    false => Doc::Text(it.operator.as_str()),
                };
                if !self.comments.has(it.argument.kind()) {
                    return docs!(self, operator, argument);
                }
                let contents = self.indent(docs!(self, Doc::SOFTLINE, argument));
                let group = self.group(docs!(self, "(", contents, Doc::SOFTLINE, ")"));
                docs!(self, operator, group)
            }
            AstKind::UpdateExpression(it) => {
                let argument = self.print(it.argument.kind());
                match it.prefix {
                    true => docs!(self, it.operator.as_str(), argument),
                    false => docs!(self, argument, it.operator.as_str()),
                }
            }
            AstKind::AwaitExpression(it) => self.print_await(it),
            AstKind::YieldExpression(it) => docs!(
                self,
                if it.delegate { "yield*" } else { "yield" },
                self.print_argument(it.argument.as_ref().map(ToKind::kind)),
            ),
            AstKind::SequenceExpression(it) => self.print_sequence(it),
            AstKind::ImportDeclaration(_)
            | AstKind::ExportDeclaration(_)
            | AstKind::ExportDefaultDeclaration(_)
            | AstKind::ExportNamedDeclaration(_)
            | AstKind::ExportFromDeclaration(_)
            | AstKind::ExportAllDeclaration(_)
            | AstKind::ImportSpecifier(_)
            | AstKind::ImportDefaultSpecifier(_)
            | AstKind::ImportNamespaceSpecifier(_)
            | AstKind::ExportSpecifier(_)
            | AstKind::ImportAttribute(_) => self.print_module(node),
            _ => self.print_statement(node),
        }
    }

    /// The parentheses of a JSDoc type cast.
    fn print_parenthesized(&self, node: &'a ParenthesizedExpression<'a>) -> Doc<'a> {
        let inner = node.expression.kind();
        let doc = self.print(inner);
        let is_beside = !self.comments.has(inner)
            && matches!(
                inner,
                AstKind::ObjectExpression(_) | AstKind::ArrayExpression(_)
            );
        if is_beside {
            return docs!(self, "(", doc, ")");
        }
        let contents = self.indent(docs!(self, Doc::SOFTLINE, doc));
        self.group(docs!(self, "(", contents, Doc::SOFTLINE, ")"))
    }

    fn print_await(&self, expression: &'a AwaitExpression<'a>) -> Doc<'a> {
        let node = AstKind::AwaitExpression(expression);
        let doc = docs!(self, "await ", self.print(expression.argument.kind()));
        let parent = self.parent(node);
        let is_start =
            (nodes::is_call(parent) && is_callee(parent, node)) || is_object(parent, node);
        if !is_start {
            return doc;
        }
        let contents = self.indent(docs!(self, Doc::SOFTLINE, doc));
        let doc = docs!(self, contents, Doc::SOFTLINE);
        let outer = self.ancestors(node).find(|ancestor| {
            matches!(ancestor, AstKind::AwaitExpression(_)) || nodes::is_block(*ancestor)
        });
        match outer {
            Some(AstKind::AwaitExpression(outer))
                if starts_with(outer.argument.kind(), &|left| same(left, node)) =>
            {
                doc
            }
            _ => self.group(doc),
        }
    }

    fn print_sequence(&self, sequence: &'a SequenceExpression<'a>) -> Doc<'a> {
        let node = AstKind::SequenceExpression(sequence);
        let parent = self.parent(node);
        let printed: Vec<_> = sequence
            .expressions
            .iter()
            .map(|expression| self.print(expression.kind()))
            .collect();
        if matches!(
            parent,
            AstKind::ExpressionStatement(_) | AstKind::ForStatement(_)
        ) {
            let mut parts = Vec::new();
            for (index, doc) in printed.iter().enumerate() {
                if index == 0 {
                    parts.push(*doc);
                } else {
                    let indented = self.indent(docs!(self, Doc::LINE, *doc));
                    parts.extend([Doc::Text(","), indented]);
                }
            }
            return self.group(self.concat(&parts));
        }
        let separator = docs!(self, ",", Doc::LINE);
        let doc = self.join(separator, &printed);
        let breaks_parentheses = match parent {
            AstKind::ReturnStatement(_)
            | AstKind::ThrowStatement(_)
            | AstKind::YieldExpression(_)
            | AstKind::UnaryExpression(_) => self.needs_parens(node),
            AstKind::ArrowFunctionExpression(arrow) => same(arrow.body.kind(), node),
            _ => false,
        };
        if !breaks_parentheses {
            return self.group(doc);
        }
        let contents = self.indent(docs!(self, Doc::SOFTLINE, doc));
        let broken = docs!(self, contents, Doc::SOFTLINE);
        self.group(self.if_break(broken, doc))
    }
}
