//! Chooses the function that prints a node.

use oxc_ast::AstKind;

use super::{Args, Printer};
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
            | AstKind::TSExternalModuleReference(_)
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
            _ => self.source(node),
        }
    }
}
