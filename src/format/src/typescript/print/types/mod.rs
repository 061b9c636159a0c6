//! Types.

mod cast;
mod function;
mod mapped;
mod object;
mod parameters;
mod tuple;
mod union;

use oxc_ast::AstKind;
use oxc_ast::ast::*;

use super::kind::ToKind;
use super::{Args, Printer, docs, nodes};
use crate::doc::Doc;

/// A type that never breaks: a keyword, a literal or a name without arguments.
pub(super) fn is_simple_type(node: AstKind<'_>) -> bool {
    match node {
        AstKind::TSTypeReference(node) => node.type_arguments.is_none(),
        AstKind::TSThisType(_) | AstKind::TSLiteralType(_) | AstKind::TSTemplateLiteralType(_) => {
            true
        }
        _ => keyword(node).is_some(),
    }
}

pub(super) fn keyword(node: AstKind<'_>) -> Option<&'static str> {
    Some(match node {
        AstKind::TSAnyKeyword(_) => "any",
        AstKind::TSBigIntKeyword(_) => "bigint",
        AstKind::TSBooleanKeyword(_) => "boolean",
        AstKind::TSIntrinsicKeyword(_) => "intrinsic",
        AstKind::TSNeverKeyword(_) => "never",
        AstKind::TSNullKeyword(_) => "null",
        AstKind::TSNumberKeyword(_) => "number",
        AstKind::TSObjectKeyword(_) => "object",
        AstKind::TSStringKeyword(_) => "string",
        AstKind::TSSymbolKeyword(_) => "symbol",
        AstKind::TSUndefinedKeyword(_) => "undefined",
        AstKind::TSUnknownKeyword(_) => "unknown",
        AstKind::TSVoidKeyword(_) => "void",
        _ => return None,
    })
}

impl<'a> Printer<'a> {
    pub(super) fn print_type(&self, node: AstKind<'a>, args: Args) -> Doc<'a> {
        if let Some(keyword) = keyword(node) {
            return Doc::Text(keyword);
        }
        match node {
            AstKind::TSThisType(_) => Doc::Text("this"),
            AstKind::TSTypeAnnotation(it) => self.type_annotation(it),
            AstKind::TSTypeReference(it) => self.type_reference(it),
            AstKind::TSQualifiedName(it) => self.qualified_name(it),
            AstKind::TSImportType(it) => self.import_type(it),
            AstKind::TSImportTypeQualifiedName(it) => self.import_qualified_name(it),
            AstKind::TSLiteralType(it) => self.print(it.literal.kind()),
            AstKind::TSArrayType(it) => self.array_type(it),
            AstKind::TSTupleType(it) => self.tuple_type(it),
            AstKind::TSNamedTupleMember(it) => self.named_tuple_member(it),
            AstKind::TSOptionalType(it) => self.optional_type(it),
            AstKind::TSRestType(it) => self.rest_type(it),
            AstKind::TSIndexedAccessType(it) => self.indexed_access_type(it),
            AstKind::TSTypeOperator(it) => self.type_operator(it),
            AstKind::TSTypeQuery(it) => self.type_query(it),
            AstKind::TSInferType(it) => self.infer_type(it),
            AstKind::TSTypePredicate(it) => self.type_predicate(it),
            AstKind::TSUnionType(it) => self.union_type(it, args),
            AstKind::TSIntersectionType(it) => self.intersection_type(it),
            AstKind::TSMappedType(it) => self.mapped_type(it),
            AstKind::TSFunctionType(it) => self.function_type(it),
            AstKind::TSConstructorType(it) => self.constructor_type(it),
            AstKind::TSTypeLiteral(it) => self.type_literal(it),
            AstKind::TSTypeParameterDeclaration(it) => self.type_parameters(it),
            AstKind::TSTypeParameterInstantiation(it) => self.type_arguments(it),
            AstKind::TSTypeParameter(it) => self.type_parameter(it),
            AstKind::TSInstantiationExpression(it) => self.instantiation(it),
            AstKind::TSNonNullExpression(it) => docs!(self, self.print(it.expression.kind()), "!"),
            AstKind::TSAsExpression(it) => {
                self.cast(node, it.expression.kind(), " as", it.type_annotation.kind())
            }
            AstKind::TSSatisfiesExpression(it) => self.cast(
                node,
                it.expression.kind(),
                " satisfies",
                it.type_annotation.kind(),
            ),
            AstKind::TSTypeAssertion(it) => self.type_assertion(it),
            AstKind::JSDocNullableType(it) => self.nullable_type(it),
            AstKind::JSDocNonNullableType(it) => self.non_nullable_type(it),
            AstKind::JSDocUnknownType(_) => Doc::Text("?"),
            _ => self.source(node),
        }
    }

    /// A type that may follow its bracket or its `=` directly, because it breaks inside.
    pub(super) fn should_hug_type(&self, node: AstKind<'a>) -> bool {
        match node {
            AstKind::TSUnionType(node) => self.should_hug_union(node),
            _ => is_simple_type(node) || nodes::is_object_type(node),
        }
    }

    /// `: type`, `=> type`, or the type alone after `is`.
    fn type_annotation(&self, node: &'a TSTypeAnnotation<'a>) -> Doc<'a> {
        let token = match self.parent(node.kind()) {
            AstKind::TSFunctionType(_) | AstKind::TSConstructorType(_) => "=> ",
            AstKind::TSTypePredicate(_) => "",
            _ => ": ",
        };
        self.concat(&[Doc::Text(token), self.print(node.type_annotation.kind())])
    }

    /// An annotation with the blank before it, if it needs one.
    pub(super) fn annotation(&self, node: Option<&'a TSTypeAnnotation<'a>>) -> Doc<'a> {
        let Some(node) = node else {
            return Doc::NIL;
        };
        let printed = self.print(node.kind());
        match self.parent(node.kind()) {
            AstKind::TSFunctionType(_) | AstKind::TSConstructorType(_) => {}
            AstKind::TSTypePredicate(_) => return printed,
            _ if self.comments.has_leading(node.kind()) => {}
            _ => return printed,
        }
        self.concat(&[Doc::SPACE, printed])
    }

    fn type_reference(&self, node: &'a TSTypeReference<'a>) -> Doc<'a> {
        self.concat(&[
            self.print(node.type_name.kind()),
            self.print_option(node.type_arguments.as_deref().map(ToKind::kind)),
        ])
    }

    fn qualified_name(&self, node: &'a TSQualifiedName<'a>) -> Doc<'a> {
        let kind = AstKind::TSQualifiedName(node);
        let name = docs!(self, ".", self.print(node.right.kind()));
        let is_inner = matches!(self.parent(kind), AstKind::TSQualifiedName(_));
        let is_short = !is_inner && matches!(node.left, TSTypeName::IdentifierReference(_));
        let name = if self.is_in_heritage(kind) && !is_short {
            self.group(self.indent(docs!(self, Doc::SOFTLINE, name)))
        } else {
            name
        };
        docs!(self, self.print(node.left.kind()), name)
    }

    /// Whether the name is an expression: one that a class implements or an interface extends.
    fn is_in_heritage(&self, name: AstKind<'a>) -> bool {
        let mut ancestors = self.ancestors(name);
        let owner = ancestors.find(|node| !matches!(node, AstKind::TSQualifiedName(_)));
        matches!(
            owner,
            Some(AstKind::TSClassImplements(_) | AstKind::TSInterfaceHeritage(_))
        )
    }

    fn import_qualified_name(&self, node: &'a TSImportTypeQualifiedName<'a>) -> Doc<'a> {
        self.concat(&[
            self.print(node.left.kind()),
            Doc::Text("."),
            self.print(node.right.kind()),
        ])
    }

    fn import_type(&self, node: &'a TSImportType<'a>) -> Doc<'a> {
        let call = self.print_call(AstKind::TSImportType(node));
        let mut parts = vec![self.group(call)];
        if let Some(qualifier) = &node.qualifier {
            parts.extend([Doc::Text("."), self.print(qualifier.kind())]);
        }
        parts.push(self.print_option(node.type_arguments.as_deref().map(ToKind::kind)));
        self.concat(&parts)
    }

    fn array_type(&self, node: &'a TSArrayType<'a>) -> Doc<'a> {
        self.concat(&[self.print(node.element_type.kind()), Doc::Text("[]")])
    }

    fn indexed_access_type(&self, node: &'a TSIndexedAccessType<'a>) -> Doc<'a> {
        self.concat(&[
            self.print(node.object_type.kind()),
            Doc::Text("["),
            self.print(node.index_type.kind()),
            Doc::Text("]"),
        ])
    }

    fn type_operator(&self, node: &'a TSTypeOperator<'a>) -> Doc<'a> {
        self.concat(&[
            Doc::Text(match node.operator {
                TSTypeOperatorOperator::Keyof => "keyof ",
                TSTypeOperatorOperator::Unique => "unique ",
                TSTypeOperatorOperator::Readonly => "readonly ",
            }),
            self.print(node.type_annotation.kind()),
        ])
    }

    fn type_query(&self, node: &'a TSTypeQuery<'a>) -> Doc<'a> {
        self.concat(&[
            Doc::Text("typeof "),
            self.print(node.expr_name.kind()),
            self.print_option(node.type_arguments.as_deref().map(ToKind::kind)),
        ])
    }

    fn infer_type(&self, node: &'a TSInferType<'a>) -> Doc<'a> {
        self.concat(&[Doc::Text("infer "), self.print(node.type_parameter.kind())])
    }

    fn type_predicate(&self, node: &'a TSTypePredicate<'a>) -> Doc<'a> {
        let asserts = if node.asserts { "asserts " } else { "" };
        let mut parts = vec![Doc::Text(asserts), self.print(node.parameter_name.kind())];
        if let Some(annotation) = node.type_annotation.as_deref() {
            parts.extend([Doc::Text(" is "), self.annotation(Some(annotation))]);
        }
        self.concat(&parts)
    }

    fn nullable_type(&self, node: &'a JSDocNullableType<'a>) -> Doc<'a> {
        self.jsdoc_type("?", node.postfix, &node.type_annotation)
    }

    fn non_nullable_type(&self, node: &'a JSDocNonNullableType<'a>) -> Doc<'a> {
        self.jsdoc_type("!", node.postfix, &node.type_annotation)
    }

    fn jsdoc_type(&self, token: &'static str, is_postfix: bool, inner: &'a TSType<'a>) -> Doc<'a> {
        let (token, inner) = (Doc::Text(token), self.print(inner.kind()));
        self.concat(&if is_postfix {
            [inner, token]
        } else {
            [token, inner]
        })
    }

    pub(super) fn heritage(&self, node: &'a TSInterfaceHeritage<'a>) -> Doc<'a> {
        self.concat(&[
            self.print(node.type_name.kind()),
            self.print_option(node.type_arguments.as_deref().map(ToKind::kind)),
        ])
    }

    pub(super) fn class_implements(&self, node: &'a TSClassImplements<'a>) -> Doc<'a> {
        self.concat(&[
            self.print(node.expression.kind()),
            self.print_option(node.type_arguments.as_deref().map(ToKind::kind)),
        ])
    }

    fn instantiation(&self, node: &'a TSInstantiationExpression<'a>) -> Doc<'a> {
        self.concat(&[
            self.print(node.expression.kind()),
            self.print(node.type_arguments.kind()),
        ])
    }

    pub(super) fn type_alias(&self, node: &'a TSTypeAliasDeclaration<'a>) -> Doc<'a> {
        let left = self.concat(&[
            Doc::Text(if node.declare { "declare " } else { "" }),
            Doc::Text("type "),
            self.print(node.id.kind()),
            self.print_option(node.type_parameters.as_deref().map(ToKind::kind)),
        ]);
        let assignment = self.print_assignment(
            AstKind::TSTypeAliasDeclaration(node),
            left,
            " =",
            Some(node.type_annotation.kind()),
        );
        self.concat(&[assignment, Doc::Text(self.semicolon())])
    }
}
