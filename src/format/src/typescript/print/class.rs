//! Classes, interfaces and their members.

use oxc_ast::AstKind;
use oxc_ast::ast::*;

use super::comments::Marker;
use super::kind::ToKind;
use super::{Printer, nodes};
use crate::doc::Doc;

/// What is between the keyword and the body of a class or an interface.
struct Head<'a> {
    node: AstKind<'a>,
    id: Option<AstKind<'a>>,
    type_parameters: Option<AstKind<'a>>,
    superclass: Option<&'a ClassHeritage<'a>>,
    /// The keyword and its names, for an interface `extends`, for a class `implements`.
    keyword: &'static str,
    marker: Marker,
    names: Vec<AstKind<'a>>,
}

impl Head<'_> {
    fn has_multiple_names(&self) -> bool {
        self.names.len() + usize::from(self.superclass.is_some()) > 1
    }
}

impl<'a> Printer<'a> {
    /// Prints a class, its body or one of its members.
    pub(super) fn print_class(&self, node: AstKind<'a>) -> Doc<'a> {
        match node {
            AstKind::Class(it) => self.class(it),
            AstKind::ClassBody(it) => self.class_body(it),
            AstKind::MethodDefinition(it) => self.method_definition(it),
            AstKind::PropertyDefinition(it) => self.property_definition(it),
            AstKind::AccessorProperty(it) => self.accessor_property(it),
            AstKind::StaticBlock(it) => self.print_block(node, &[], &it.body),
            AstKind::TSClassImplements(it) => self.class_implements(it),
            _ => self.source(node),
        }
    }

    fn class(&self, node: &'a Class<'a>) -> Doc<'a> {
        let kind = AstKind::Class(node);
        let head = Head {
            node: kind,
            id: node.id.as_ref().map(ToKind::kind),
            type_parameters: node.type_parameters.as_deref().map(ToKind::kind),
            superclass: node.heritage.as_ref(),
            keyword: "implements",
            marker: Marker::Implements,
            names: node.implements.iter().map(ToKind::kind).collect(),
        };
        let keywords = self.concat(&[
            Doc::Text(if node.declare { "declare " } else { "" }),
            Doc::Text(if node.r#abstract { "abstract " } else { "" }),
            Doc::Text("class"),
        ]);
        let printed = self.class_like(
            &head,
            keywords,
            node.body.kind(),
            !node.body.body.is_empty(),
        );
        if node.r#type == ClassType::ClassDeclaration || node.decorators.is_empty() {
            return printed;
        }
        let printed = self.concat(&[self.decorators_before(kind), printed]);
        if self.needs_parens(kind) {
            self.concat(&[
                self.indent(self.concat(&[Doc::SOFTLINE, printed])),
                Doc::SOFTLINE,
            ])
        } else {
            printed
        }
    }

    pub(super) fn interface(&self, node: &'a TSInterfaceDeclaration<'a>) -> Doc<'a> {
        let head = Head {
            node: AstKind::TSInterfaceDeclaration(node),
            id: Some(node.id.kind()),
            type_parameters: node.type_parameters.as_deref().map(ToKind::kind),
            superclass: None,
            keyword: "extends",
            marker: Marker::Extends,
            names: node.extends.iter().map(ToKind::kind).collect(),
        };
        let keywords = self.concat(&[
            Doc::Text(if node.declare { "declare " } else { "" }),
            Doc::Text("interface"),
        ]);
        self.class_like(&head, keywords, node.body.kind(), false)
    }

    /// `separate_body`: a broken head is separated from the body by an empty line.
    fn class_like(
        &self,
        head: &Head<'a>,
        keywords: Doc<'a>,
        body: AstKind<'a>,
        separate_body: bool,
    ) -> Doc<'a> {
        let mut names = Vec::new();
        if head.id.is_some() {
            names.push(Doc::SPACE);
        }
        for part in [head.id, head.type_parameters].into_iter().flatten() {
            names.extend([
                self.leading_comments(part),
                self.print(part),
                self.indent(self.trailing_comments(part)),
            ]);
        }
        let is_grouped = self.is_grouped_head(head);
        let clauses = self.concat(&[
            self.superclass(head, is_grouped),
            self.heritage_clause(head, is_grouped),
        ]);
        let mut parts = vec![keywords];
        if is_grouped {
            let group = self.group_id();
            names.push(self.indent(clauses));
            parts.push(self.group_with(self.concat(&names), Some(group), false));
            parts.push(if separate_body {
                self.if_group_breaks(group, Doc::HARDLINE, Doc::SPACE)
            } else {
                Doc::SPACE
            });
        } else {
            parts.extend(names);
            parts.extend([clauses, Doc::SPACE]);
        }
        parts.push(self.print(body));
        self.concat(&parts)
    }

    /// Whether the clauses of the head may be on lines of their own.
    fn is_grouped_head(&self, head: &Head<'a>) -> bool {
        let has_trailing =
            |part: Option<AstKind<'a>>| part.is_some_and(|part| self.comments.has_trailing(part));
        if has_trailing(head.id) || has_trailing(head.type_parameters) || head.has_multiple_names()
        {
            return true;
        }
        if let Some(superclass) = head.superclass {
            return self.comments.has(superclass.expression.kind())
                || !matches!(self.parent(head.node), AstKind::AssignmentExpression(_))
                    && superclass.type_arguments.is_none()
                    && nodes::is_member(nodes::strip_chain_wrappers(superclass.expression.kind()));
        }
        match head.names.first() {
            Some(AstKind::TSClassImplements(name)) => {
                name.type_arguments.is_none()
                    && matches!(name.expression, TSTypeName::QualifiedName(_))
            }
            Some(AstKind::TSInterfaceHeritage(name)) => {
                name.type_arguments.is_none()
                    && matches!(name.type_name, TSTypeName::QualifiedName(_))
            }
            _ => false,
        }
    }

    fn superclass(&self, head: &Head<'a>, is_grouped: bool) -> Doc<'a> {
        let Some(superclass) = head.superclass else {
            return Doc::NIL;
        };
        let kind = superclass.expression.kind();
        let mut printed = self.print(kind);
        if matches!(self.parent(head.node), AstKind::AssignmentExpression(_)) {
            let broken = self.concat(&[
                Doc::Text("("),
                self.indent(self.concat(&[Doc::SOFTLINE, printed])),
                Doc::SOFTLINE,
                Doc::Text(")"),
            ]);
            printed = self.group(self.if_break(broken, printed));
        }
        let printed = self.concat(&[
            printed,
            self.print_option(superclass.type_arguments.as_deref().map(ToKind::kind)),
        ]);
        let printed = self.concat(&[Doc::Text("extends "), self.with_comments(kind, printed)]);
        self.concat(&if is_grouped {
            [Doc::LINE, self.group(printed)]
        } else {
            [Doc::SPACE, printed]
        })
    }

    fn heritage_clause(&self, head: &Head<'a>, is_grouped: bool) -> Doc<'a> {
        if head.names.is_empty() {
            return Doc::NIL;
        }
        let comments = self.marked_comments(head.node, head.marker);
        let names: Vec<_> = head.names.iter().map(|name| self.print(*name)).collect();
        let names = self.join(self.concat(&[Doc::Text(","), Doc::LINE]), &names);
        if !head.has_multiple_names() {
            let clause = self.concat(&[Doc::Text(head.keyword), Doc::SPACE, comments, names]);
            return self.concat(&if is_grouped {
                [Doc::LINE, self.group(clause)]
            } else {
                [Doc::SPACE, clause]
            });
        }
        self.concat(&[
            Doc::LINE,
            comments,
            if comments.is_nil() {
                Doc::NIL
            } else {
                Doc::HARDLINE
            },
            Doc::Text(head.keyword),
            self.group(self.indent(self.concat(&[Doc::LINE, names]))),
        ])
    }

    fn class_body(&self, node: &'a ClassBody<'a>) -> Doc<'a> {
        let members: Vec<_> = node.body.iter().map(ToKind::kind).collect();
        self.class_like_body(AstKind::ClassBody(node), &members)
    }

    fn method_definition(&self, node: &'a MethodDefinition<'a>) -> Doc<'a> {
        let kind = AstKind::MethodDefinition(node);
        let is_abstract = node.r#type == MethodDefinitionType::TSAbstractMethodDefinition;
        let function = &node.value;
        self.concat(&[
            self.member_decorators(&node.decorators),
            Doc::Text(accessibility(node.accessibility)),
            Doc::Text(if node.r#static { "static " } else { "" }),
            Doc::Text(if is_abstract { "abstract " } else { "" }),
            Doc::Text(if node.r#override { "override " } else { "" }),
            Doc::Text(match node.kind {
                MethodDefinitionKind::Get => "get ",
                MethodDefinitionKind::Set => "set ",
                _ if function.r#async => "async ",
                _ => "",
            }),
            Doc::Text(if function.generator { "*" } else { "" }),
            self.print_property_key(kind, node.key.kind(), node.computed),
            Doc::Text(if node.optional { "?" } else { "" }),
            self.print(function.kind()),
        ])
    }

    fn property_definition(&self, node: &'a PropertyDefinition<'a>) -> Doc<'a> {
        let kind = AstKind::PropertyDefinition(node);
        let is_abstract = node.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition;
        let left = self.concat(&[
            self.member_decorators(&node.decorators),
            Doc::Text(if node.declare { "declare " } else { "" }),
            Doc::Text(accessibility(node.accessibility)),
            Doc::Text(if node.r#static { "static " } else { "" }),
            Doc::Text(if is_abstract { "abstract " } else { "" }),
            Doc::Text(if node.r#override { "override " } else { "" }),
            Doc::Text(if node.readonly { "readonly " } else { "" }),
            self.print_property_key(kind, node.key.kind(), node.computed),
            Doc::Text(if node.optional { "?" } else { "" }),
            Doc::Text(if node.definite { "!" } else { "" }),
            self.annotation(node.type_annotation.as_deref()),
        ]);
        let value = node.value.as_ref().filter(|_| !is_abstract);
        self.property_value(kind, left, value)
    }

    fn accessor_property(&self, node: &'a AccessorProperty<'a>) -> Doc<'a> {
        let kind = AstKind::AccessorProperty(node);
        let is_abstract = node.r#type == AccessorPropertyType::TSAbstractAccessorProperty;
        let left = self.concat(&[
            self.member_decorators(&node.decorators),
            Doc::Text(accessibility(node.accessibility)),
            Doc::Text(if node.r#static { "static " } else { "" }),
            Doc::Text(if is_abstract { "abstract " } else { "" }),
            Doc::Text(if node.r#override { "override " } else { "" }),
            Doc::Text("accessor "),
            self.print_property_key(kind, node.key.kind(), node.computed),
            Doc::Text(if node.definite { "!" } else { "" }),
            self.annotation(node.type_annotation.as_deref()),
        ]);
        let value = node.value.as_ref().filter(|_| !is_abstract);
        self.property_value(kind, left, value)
    }

    fn property_value(
        &self,
        node: AstKind<'a>,
        left: Doc<'a>,
        value: Option<&'a Expression<'a>>,
    ) -> Doc<'a> {
        let value = value.map(ToKind::kind);
        let assignment = self.print_assignment(node, left, " =", value);
        self.concat(&[assignment, Doc::Text(self.semicolon())])
    }
}

/// The modifier with the blank after it.
pub(super) fn accessibility(modifier: Option<TSAccessibility>) -> &'static str {
    match modifier {
        Some(TSAccessibility::Private) => "private ",
        Some(TSAccessibility::Protected) => "protected ",
        Some(TSAccessibility::Public) => "public ",
        None => "",
    }
}
