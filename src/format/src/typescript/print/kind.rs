//! Converts every type of node to [`AstKind`], so that a rule can handle nodes of several types.

use oxc_ast::AstKind;
use oxc_ast::ast::*;

/// A node or an enum of nodes.
pub(super) trait ToKind<'a> {
    fn kind(&'a self) -> AstKind<'a>;
}

macro_rules! nodes {
    ($($node:ident $(<$lifetime:lifetime>)?),* $(,)?) => {
        $(impl<'a> ToKind<'a> for $node $(<$lifetime>)? {
            fn kind(&'a self) -> AstKind<'a> {
                AstKind::$node(self)
            }
        })*
    };
}

nodes!(
    IdentifierName<'a>,
    IdentifierReference<'a>,
    BindingIdentifier<'a>,
    LabelIdentifier<'a>,
    StringLiteral<'a>,
    TemplateLiteral<'a>,
    TemplateElement<'a>,
    PrivateIdentifier<'a>,
    BlockStatement<'a>,
    CatchClause<'a>,
    CatchParameter<'a>,
    VariableDeclaration<'a>,
    VariableDeclarator<'a>,
    Directive<'a>,
    SwitchCase<'a>,
    BindingProperty<'a>,
    BindingRestElement<'a>,
    AssignmentTargetRest<'a>,
    Function<'a>,
    FormalParameter<'a>,
    FormalParameterRest<'a>,
    TSThisParameter<'a>,
    FunctionBody<'a>,
    Class<'a>,
    ClassBody<'a>,
    Decorator<'a>,
    ImportAttribute<'a>,
    ExportSpecifier<'a>,
    ObjectExpression<'a>,
    ObjectProperty<'a>,
    TSEnumBody<'a>,
    TSEnumMember<'a>,
    TSTypeAnnotation<'a>,
    TSTypeParameterInstantiation<'a>,
    TSTypeParameterDeclaration<'a>,
    TSTypeParameter<'a>,
    TSClassImplements<'a>,
    TSInterfaceHeritage<'a>,
    TSInterfaceBody<'a>,
    TSModuleBlock<'a>,
    TSNamespaceDeclaration<'a>,
    TSIndexSignatureName<'a>,
    TSExternalModuleReference<'a>,
    JSXOpeningElement<'a>,
    JSXClosingElement<'a>,
    JSXOpeningFragment,
    JSXClosingFragment,
    JSXIdentifier<'a>,
);

macro_rules! enums {
    ($($name:ident { $($variant:ident => $node:ident),* $(,)? $(; $to:ident)? })*) => {
        $(impl<'a> ToKind<'a> for $name<'a> {
            fn kind(&'a self) -> AstKind<'a> {
                match self {
                    $($name::$variant(node) => AstKind::$node(node),)*
                    $(_ => self.$to().kind(),)?
                }
            }
        })*
    };
}

impl<'a> ToKind<'a> for Expression<'a> {
    fn kind(&'a self) -> AstKind<'a> {
        AstKind::from_expression(self)
    }
}

enums! {
    Argument { SpreadElement => SpreadElement; to_expression }
    ArrayExpressionElement {
        SpreadElement => SpreadElement, Elision => Elision; to_expression
    }
    PropertyKey {
        StaticIdentifier => IdentifierName, PrivateIdentifier => PrivateIdentifier; to_expression
    }
    ObjectPropertyKind { ObjectProperty => ObjectProperty, SpreadProperty => SpreadElement }
    ArrowFunctionBody { FunctionBody => FunctionBody; to_expression }
    MemberExpression {
        ComputedMemberExpression => ComputedMemberExpression,
        StaticMemberExpression => StaticMemberExpression,
        PrivateFieldExpression => PrivateFieldExpression,
    }
    ChainElement {
        CallExpression => CallExpression, TSNonNullExpression => TSNonNullExpression;
        to_member_expression
    }
    SimpleAssignmentTarget {
        AssignmentTargetIdentifier => IdentifierReference,
        TSAsExpression => TSAsExpression,
        TSSatisfiesExpression => TSSatisfiesExpression,
        TSNonNullExpression => TSNonNullExpression,
        TSTypeAssertion => TSTypeAssertion;
        to_member_expression
    }
    AssignmentTarget {
        AssignmentTargetIdentifier => IdentifierReference,
        TSAsExpression => TSAsExpression,
        TSSatisfiesExpression => TSSatisfiesExpression,
        TSNonNullExpression => TSNonNullExpression,
        TSTypeAssertion => TSTypeAssertion,
        ComputedMemberExpression => ComputedMemberExpression,
        StaticMemberExpression => StaticMemberExpression,
        PrivateFieldExpression => PrivateFieldExpression,
        ArrayAssignmentTarget => ArrayAssignmentTarget,
        ObjectAssignmentTarget => ObjectAssignmentTarget,
    }
    AssignmentTargetMaybeDefault {
        AssignmentTargetWithDefault => AssignmentTargetWithDefault; to_assignment_target
    }
    AssignmentTargetProperty {
        AssignmentTargetPropertyIdentifier => AssignmentTargetPropertyIdentifier,
        AssignmentTargetPropertyProperty => AssignmentTargetPropertyProperty,
    }
    BindingPattern {
        BindingIdentifier => BindingIdentifier,
        ObjectPattern => ObjectPattern,
        ArrayPattern => ArrayPattern,
        AssignmentPattern => AssignmentPattern,
    }
    ForStatementInit { VariableDeclaration => VariableDeclaration; to_expression }
    ForStatementLeft { VariableDeclaration => VariableDeclaration; to_assignment_target }
    Statement {
        BlockStatement => BlockStatement,
        BreakStatement => BreakStatement,
        ContinueStatement => ContinueStatement,
        DebuggerStatement => DebuggerStatement,
        DoWhileStatement => DoWhileStatement,
        EmptyStatement => EmptyStatement,
        ExpressionStatement => ExpressionStatement,
        ForInStatement => ForInStatement,
        ForOfStatement => ForOfStatement,
        ForStatement => ForStatement,
        IfStatement => IfStatement,
        LabeledStatement => LabeledStatement,
        ReturnStatement => ReturnStatement,
        SwitchStatement => SwitchStatement,
        ThrowStatement => ThrowStatement,
        TryStatement => TryStatement,
        WhileStatement => WhileStatement,
        WithStatement => WithStatement,
        VariableDeclaration => VariableDeclaration,
        FunctionDeclaration => Function,
        ClassDeclaration => Class,
        TSTypeAliasDeclaration => TSTypeAliasDeclaration,
        TSInterfaceDeclaration => TSInterfaceDeclaration,
        TSEnumDeclaration => TSEnumDeclaration,
        TSExternalModuleDeclaration => TSExternalModuleDeclaration,
        TSNamespaceDeclaration => TSNamespaceDeclaration,
        TSGlobalDeclaration => TSGlobalDeclaration,
        TSImportEqualsDeclaration => TSImportEqualsDeclaration,
        ImportDeclaration => ImportDeclaration,
        ExportAllDeclaration => ExportAllDeclaration,
        ExportDefaultDeclaration => ExportDefaultDeclaration,
        ExportDeclaration => ExportDeclaration,
        ExportNamedDeclaration => ExportNamedDeclaration,
        ExportFromDeclaration => ExportFromDeclaration,
        TSExportAssignment => TSExportAssignment,
        TSNamespaceExportDeclaration => TSNamespaceExportDeclaration,
    }
    Declaration {
        VariableDeclaration => VariableDeclaration,
        FunctionDeclaration => Function,
        ClassDeclaration => Class,
        TSTypeAliasDeclaration => TSTypeAliasDeclaration,
        TSInterfaceDeclaration => TSInterfaceDeclaration,
        TSEnumDeclaration => TSEnumDeclaration,
        TSExternalModuleDeclaration => TSExternalModuleDeclaration,
        TSNamespaceDeclaration => TSNamespaceDeclaration,
        TSGlobalDeclaration => TSGlobalDeclaration,
        TSImportEqualsDeclaration => TSImportEqualsDeclaration,
    }
    ExportDefaultDeclarationKind {
        FunctionDeclaration => Function,
        ClassDeclaration => Class,
        TSInterfaceDeclaration => TSInterfaceDeclaration;
        to_expression
    }
    ModuleExportName {
        IdentifierName => IdentifierName,
        IdentifierReference => IdentifierReference,
        StringLiteral => StringLiteral,
    }
    ImportDeclarationSpecifier {
        ImportSpecifier => ImportSpecifier,
        ImportDefaultSpecifier => ImportDefaultSpecifier,
        ImportNamespaceSpecifier => ImportNamespaceSpecifier,
    }
    ImportAttributeKey { Identifier => IdentifierName, StringLiteral => StringLiteral }
    ClassElement {
        StaticBlock => StaticBlock,
        MethodDefinition => MethodDefinition,
        PropertyDefinition => PropertyDefinition,
        AccessorProperty => AccessorProperty,
        TSIndexSignature => TSIndexSignature,
    }
    TSEnumMemberName {
        Identifier => IdentifierName,
        String => StringLiteral,
        ComputedString => StringLiteral,
        ComputedTemplateString => TemplateLiteral,
    }
    TSLiteral {
        BooleanLiteral => BooleanLiteral,
        NumericLiteral => NumericLiteral,
        BigIntLiteral => BigIntLiteral,
        StringLiteral => StringLiteral,
        TemplateLiteral => TemplateLiteral,
        UnaryExpression => UnaryExpression,
    }
    TSType {
        TSAnyKeyword => TSAnyKeyword,
        TSBigIntKeyword => TSBigIntKeyword,
        TSBooleanKeyword => TSBooleanKeyword,
        TSIntrinsicKeyword => TSIntrinsicKeyword,
        TSNeverKeyword => TSNeverKeyword,
        TSNullKeyword => TSNullKeyword,
        TSNumberKeyword => TSNumberKeyword,
        TSObjectKeyword => TSObjectKeyword,
        TSStringKeyword => TSStringKeyword,
        TSSymbolKeyword => TSSymbolKeyword,
        TSUndefinedKeyword => TSUndefinedKeyword,
        TSUnknownKeyword => TSUnknownKeyword,
        TSVoidKeyword => TSVoidKeyword,
        TSArrayType => TSArrayType,
        TSConditionalType => TSConditionalType,
        TSConstructorType => TSConstructorType,
        TSFunctionType => TSFunctionType,
        TSImportType => TSImportType,
        TSIndexedAccessType => TSIndexedAccessType,
        TSInferType => TSInferType,
        TSIntersectionType => TSIntersectionType,
        TSLiteralType => TSLiteralType,
        TSMappedType => TSMappedType,
        TSNamedTupleMember => TSNamedTupleMember,
        TSTemplateLiteralType => TSTemplateLiteralType,
        TSThisType => TSThisType,
        TSTupleType => TSTupleType,
        TSTypeLiteral => TSTypeLiteral,
        TSTypeOperatorType => TSTypeOperator,
        TSTypePredicate => TSTypePredicate,
        TSTypeQuery => TSTypeQuery,
        TSTypeReference => TSTypeReference,
        TSUnionType => TSUnionType,
        TSParenthesizedType => TSParenthesizedType,
        JSDocNullableType => JSDocNullableType,
        JSDocNonNullableType => JSDocNonNullableType,
        JSDocUnknownType => JSDocUnknownType,
    }
    TSTupleElement { TSOptionalType => TSOptionalType, TSRestType => TSRestType; to_ts_type }
    TSTypeName {
        IdentifierReference => IdentifierReference,
        QualifiedName => TSQualifiedName,
        ThisExpression => ThisExpression,
    }
    TSTypeQueryExprName { TSImportType => TSImportType; to_ts_type_name }
    TSTypePredicateName { Identifier => IdentifierName, This => TSThisType }
    TSSignature {
        TSIndexSignature => TSIndexSignature,
        TSPropertySignature => TSPropertySignature,
        TSCallSignatureDeclaration => TSCallSignatureDeclaration,
        TSConstructSignatureDeclaration => TSConstructSignatureDeclaration,
        TSMethodSignature => TSMethodSignature,
    }
    TSNamespaceDeclarationBody {
        TSNamespaceDeclaration => TSNamespaceDeclaration, TSModuleBlock => TSModuleBlock,
    }
    TSModuleReference {
        ExternalModuleReference => TSExternalModuleReference,
        IdentifierReference => IdentifierReference,
        QualifiedName => TSQualifiedName,
    }
    TSImportTypeQualifier {
        Identifier => IdentifierName, QualifiedName => TSImportTypeQualifiedName,
    }
    JSXElementName {
        Identifier => JSXIdentifier,
        IdentifierReference => IdentifierReference,
        NamespacedName => JSXNamespacedName,
        MemberExpression => JSXMemberExpression,
        ThisExpression => ThisExpression,
    }
    JSXMemberExpressionObject {
        IdentifierReference => IdentifierReference,
        MemberExpression => JSXMemberExpression,
        ThisExpression => ThisExpression,
    }
    JSXExpression { EmptyExpression => JSXEmptyExpression; to_expression }
    JSXAttributeItem { Attribute => JSXAttribute, SpreadAttribute => JSXSpreadAttribute }
    JSXAttributeName { Identifier => JSXIdentifier, NamespacedName => JSXNamespacedName }
    JSXAttributeValue {
        StringLiteral => StringLiteral,
        ExpressionContainer => JSXExpressionContainer,
        Element => JSXElement,
        Fragment => JSXFragment,
    }
    JSXChild {
        Text => JSXText,
        Element => JSXElement,
        Fragment => JSXFragment,
        ExpressionContainer => JSXExpressionContainer,
        Spread => JSXSpreadChild,
    }
}
