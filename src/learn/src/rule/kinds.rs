//! The node kinds that rules name, and which nodes of each language have them.

use crate::tree::{Language, NodeId, Tree};

/// Declares the kinds, and for each the nodes of Python, JavaScript and TypeScript, Starlark and Clank, Rust, Go, Java, and C.
macro_rules! kinds {
    ($($kind:ident [$($python:ident)*] [$($script:ident)*] [$($own:ident)*] [$($rust:ident)*] [$($go:ident)*] [$($java:ident)*] [$($c:ident)*];)*) => {
        /// What a node is, in the same words for every language.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum NodeKind { $($kind,)* }

        impl NodeKind {
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            pub fn name(self) -> &'static str {
                match self { $(Self::$kind => stringify!($kind),)* }
            }

            /// The kinds of nodes of a language, as its parser names them.
            pub fn node_names(self, language: Language) -> &'static [&'static str] {
                let columns: [&'static [&'static str]; 7] = match self {
                    $(Self::$kind => [
                        &[$(stringify!($python),)*], &[$(stringify!($script),)*], &[$(stringify!($own),)*],
                        &[$(stringify!($rust),)*], &[$(stringify!($go),)*], &[$(stringify!($java),)*], &[$(stringify!($c),)*],
                    ],)*
                };
                columns[column(language)]
            }
        }
    };
}

kinds! {
    Module [ModModule] [Program] [File Program] [source_file] [source_file] [program] [translation_unit];
    ImportDecl [StmtImport StmtImportFrom] [ImportDeclaration] [Load Use] [use_declaration extern_crate_declaration] [import_declaration] [import_declaration] [preproc_include];
    FnDecl [StmtFunctionDef] [Function MethodDefinition] [Def Fn ExternalFn] [function_item] [function_declaration method_declaration] [method_declaration constructor_declaration] [function_definition];
    RecordDecl [] [] [Rec] [struct_item] [type_spec] [record_declaration] [struct_specifier];
    EnumDecl [] [TSEnumDeclaration] [Sum] [enum_item] [] [enum_declaration] [enum_specifier];
    ClassDecl [StmtClassDef] [Class] [] [] [] [class_declaration] [class_specifier];
    TraitDecl [] [TSInterfaceDeclaration] [] [trait_item] [interface_type] [interface_declaration] [];
    ImplBlock [] [] [] [impl_item] [] [] [];
    EffectDecl [] [] [EffectType] [] [] [] [];
    ConstDecl [] [] [] [const_item static_item] [const_declaration] [field_declaration] [];
    TypeAlias [StmtTypeAlias] [TSTypeAliasDeclaration] [TypeAlias] [type_item] [type_alias] [] [type_definition alias_declaration];
    Param [ParameterWithDefault Parameter] [FormalParameter] [Param Typed] [parameter self_parameter] [parameter_declaration] [formal_parameter] [parameter_declaration];
    Block [Block] [BlockStatement FunctionBody] [Block BlockExpr] [block] [block] [block] [compound_statement];
    If [StmtIf ExprIf] [IfStatement ConditionalExpression] [If Conditional] [if_expression] [if_statement] [if_statement ternary_expression] [if_statement conditional_expression];
    For [StmtFor] [ForStatement ForOfStatement ForInStatement] [For] [for_expression] [for_statement] [for_statement enhanced_for_statement] [for_statement for_range_loop];
    While [StmtWhile] [WhileStatement] [While] [while_expression] [] [while_statement] [while_statement];
    Loop [] [DoWhileStatement] [Loop] [loop_expression] [] [do_statement] [do_statement];
    Match [StmtMatch] [SwitchStatement] [Match] [match_expression] [expression_switch_statement type_switch_statement] [switch_expression] [switch_statement];
    MatchArm [MatchCase] [SwitchCase] [Arm] [match_arm] [expression_case type_case] [switch_block_statement_group switch_rule] [case_statement];
    Guard [] [] [IfClause] [let_condition] [] [guard] [];
    HandlingBlock [StmtTry ExceptHandlerExceptHandler] [TryStatement CatchClause] [] [try_block] [] [try_statement catch_clause] [try_statement catch_clause];
    LetBinding [StmtAnnAssign ExprNamed] [VariableDeclaration] [Let] [let_declaration] [short_var_declaration var_declaration] [local_variable_declaration] [declaration];
    Return [StmtReturn] [ReturnStatement] [Return] [return_expression] [return_statement] [return_statement] [return_statement];
    Break [StmtBreak] [BreakStatement] [Break] [break_expression] [break_statement] [break_statement] [break_statement];
    Assign [StmtAssign StmtAugAssign] [AssignmentExpression UpdateExpression] [Assign] [assignment_expression compound_assignment_expr] [assignment_statement inc_statement dec_statement] [assignment_expression update_expression] [assignment_expression update_expression];
    BinaryOp [ExprBinOp ExprBoolOp ExprCompare] [BinaryExpression LogicalExpression] [Binary] [binary_expression] [binary_expression] [binary_expression instanceof_expression] [binary_expression];
    UnaryOp [ExprUnaryOp] [UnaryExpression] [Unary] [unary_expression] [unary_expression] [unary_expression] [unary_expression];
    Call [ExprCall] [CallExpression NewExpression ImportExpression] [Call] [call_expression macro_invocation] [call_expression] [object_creation_expression method_invocation] [call_expression new_expression];
    MethodCall [] [] [] [] [] [] [];
    Lambda [ExprLambda] [ArrowFunctionExpression] [Lambda] [closure_expression] [func_literal] [lambda_expression method_reference] [lambda_expression];
    FieldAccess [ExprAttribute] [StaticMemberExpression PrivateFieldExpression] [Dot Field] [field_expression] [selector_expression] [field_access] [field_expression];
    Index [ExprSubscript] [ComputedMemberExpression] [Index Slice] [index_expression] [index_expression slice_expression] [array_access] [subscript_expression];
    Pipe [] [] [] [] [] [] [];
    Compose [] [] [] [] [] [] [];
    Await [ExprAwait] [AwaitExpression] [] [await_expression] [] [] [co_await_expression];
    Propagate [] [] [Propagate] [try_expression] [] [] [];
    Move [] [] [] [] [] [] [];
    Borrow [] [] [] [reference_expression] [] [] [pointer_expression];
    MutableBorrow [] [] [] [] [] [] [];
    ListLiteral [ExprList ExprListComp] [ArrayExpression] [List Array Comprehension] [array_expression] [composite_literal] [array_initializer] [initializer_list];
    SetLiteral [ExprSet ExprSetComp] [] [Set] [] [] [] [];
    TupleLiteral [ExprTuple] [] [Tuple] [tuple_expression] [] [] [];
    MapLiteral [ExprDict ExprDictComp] [ObjectExpression] [Dict] [] [] [] [];
    RecordConstruct [] [] [Record] [struct_expression] [] [] [];
    Range [ExprSlice] [] [Range] [range_expression] [range_clause] [] [];
    ResultConstruct [] [] [] [] [] [] [];
    TypeNamed [] [TSTypeReference] [NamedType] [generic_type scoped_type_identifier] [qualified_type generic_type] [generic_type scoped_type_identifier] [template_type];
    TypeTuple [] [TSTupleType] [TupleType] [tuple_type] [] [] [];
    TypeFunction [] [TSFunctionType] [FunctionType] [function_type] [function_type] [] [];
    TypeOptional [] [TSOptionalType] [] [] [] [] [];
    ModuleHandle [] [TSExternalModuleDeclaration] [Mod] [mod_item] [package_clause] [package_declaration] [namespace_definition];
    PropertyTest [] [] [] [] [] [] [];
    ConstructorPat [PatternMatchClass] [] [VariantPattern] [tuple_struct_pattern] [] [] [];
    RecordPat [PatternMatchMapping] [ObjectPattern] [RecordPattern] [struct_pattern] [] [record_pattern] [];
    TuplePat [] [] [TuplePattern] [tuple_pattern] [] [] [];
    ListPat [PatternMatchSequence] [ArrayPattern] [] [slice_pattern] [] [] [structured_binding_declarator];
    OrPat [PatternMatchOr] [] [] [or_pattern] [] [] [];
    GuardPat [] [] [] [] [] [] [];
    RangePat [] [] [] [range_pattern] [] [] [];
}

fn column(language: Language) -> usize {
    match language {
        Language::Python => 0,
        Language::JavaScript | Language::Jsx | Language::TypeScript | Language::Tsx => 1,
        Language::Starlark => 2,
        #[cfg(feature = "clank")]
        Language::Clank => 2,
        Language::Rust => 3,
        Language::Go => 4,
        Language::Java => 5,
        Language::C | Language::Cpp => 6,
    }
}

impl NodeKind {
    pub fn with_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The kind of a node; none for nodes that no kind names.
    pub fn of(tree: &Tree, node: NodeId) -> Option<Self> {
        let name = tree.kind_name(node);
        let kind = Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.node_names(tree.language()).contains(&name))?;
        let first = tree.children(node).next();
        let first_is = |kind: Self| first.is_some_and(|first| Self::of(tree, first) == Some(kind));
        Some(match kind {
            Self::Call if first_is(Self::FieldAccess) => Self::MethodCall,
            Self::Call
                if tree
                    .children(node)
                    .any(|child| tree.field(child) == Some("object")) =>
            {
                Self::MethodCall
            }
            Self::Borrow
                if tree
                    .children(node)
                    .any(|child| tree.text_of(child) == "mut") =>
            {
                Self::MutableBorrow
            }
            kind => kind,
        })
    }
}

/// The name of a node's kind; `Other` for nodes that no kind names.
pub fn node_kind_name(tree: &Tree, node: NodeId) -> &'static str {
    NodeKind::of(tree, node).map_or("Other", NodeKind::name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::grammar;

    /// Kinds that no language here has.
    const NOWHERE: [NodeKind; 6] = [
        NodeKind::Pipe,
        NodeKind::Compose,
        NodeKind::Move,
        NodeKind::ResultConstruct,
        NodeKind::PropertyTest,
        NodeKind::GuardPat,
    ];

    #[test]
    fn there_are_59_kinds_and_each_has_nodes() {
        // B-39 B-40
        assert_eq!(NodeKind::ALL.len(), 59);
        for kind in NodeKind::ALL {
            assert_eq!(NodeKind::with_name(kind.name()), Some(*kind));
            let from_parts = [NodeKind::MethodCall, NodeKind::MutableBorrow].contains(kind);
            let has_nodes = Language::ALL
                .iter()
                .any(|language| !kind.node_names(*language).is_empty());
            assert_eq!(
                has_nodes,
                !from_parts && !NOWHERE.contains(kind),
                "{kind:?}"
            );
        }
        assert_eq!(NodeKind::with_name("Other"), None);
    }

    #[test]
    fn every_node_name_is_one_of_its_grammar_and_has_one_kind() {
        for language in Language::ALL {
            let mut seen = std::collections::BTreeSet::new();
            for kind in NodeKind::ALL {
                for name in kind.node_names(*language) {
                    assert!(seen.insert(*name), "{language:?} has {name} twice");
                    if let Some(grammar) = grammar(*language)
                        && !(*language == Language::C && grammar.id_for_node_kind(name, true) == 0)
                    {
                        assert_ne!(
                            grammar.id_for_node_kind(name, true),
                            0,
                            "{language:?} {name}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn node_kind_name_covers_common_variants() {
        // B-05 B-50
        let cases = [
            (Language::Python, "a.b(c)", "MethodCall"),
            (Language::Python, "a(c)", "Call"),
            (Language::Rust, "&mut a", "MutableBorrow"),
            (Language::Rust, "match a { _ => b }", "Match"),
            (Language::Java, "a.b(c)", "MethodCall"),
            (Language::Go, "a[1]", "Index"),
            (Language::TypeScript, "x = 1", "Assign"),
            (Language::Starlark, "[a]", "ListLiteral"),
            (Language::Python, "a", "Other"),
        ];
        for (language, text, kind) in cases {
            let pattern = crate::pattern::Fragment::parse(language, text, Vec::new());
            let fragment = pattern.expect("a fragment");
            assert_eq!(
                node_kind_name(&fragment.tree, fragment.roots[0]),
                kind,
                "{text}"
            );
        }
    }
}
