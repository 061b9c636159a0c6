//! Calls, `new` and imports.

use oxc_ast::AstKind;

use super::kind::ToKind;
use super::nodes::{self, is_call, is_member};
use super::{Printer, docs};
use crate::doc::Doc;

/// Functions whose only argument stays beside them.
const REQUIRE: [&str; 4] = [
    "require",
    "require.resolve",
    "require.resolve.paths",
    "import.meta.resolve",
];

impl<'a> Printer<'a> {
    pub(super) fn print_call(&self, node: AstKind<'a>) -> Doc<'a> {
        let arguments = nodes::arguments(node);
        let is_new = matches!(node, AstKind::NewExpression(_));
        let is_import = matches!(
            node,
            AstKind::ImportExpression(_) | AstKind::TSExternalModuleReference(_)
        );
        let optional = match node {
            AstKind::CallExpression(call) if call.optional => "?.",
            _ => "",
        };
        let type_arguments = match nodes::type_arguments(node) {
            Some(arguments) => docs!(self, self.print(arguments.kind()), Doc::LineSuffixBoundary),
            None => Doc::NIL,
        };
        let is_template = match arguments.as_slice() {
            [argument] => self.is_template_on_its_own_line(*argument),
            _ => false,
        };
        if is_template
            || self.is_require_of_string(node, &arguments)
            || self.is_module_call(node, &arguments)
            || self.is_test_call(node, Some(self.parent(node)))
        {
            let printed: Vec<_> = arguments
                .into_iter()
                .map(|argument| self.print(argument))
                .collect();
            return docs!(
                self,
                self.print_callee(node),
                optional,
                type_arguments,
                "(",
                self.join(Doc::Text(", "), &printed),
                ")",
            );
        }
        let callee = nodes::callee(node);
        if !is_import
            && !is_new
            && let Some(callee) = callee
        {
            let inner = match callee {
                AstKind::ChainExpression(chain) => chain.expression.kind(),
                _ => callee,
            };
            if is_member(callee) && !self.needs_parens(inner) {
                return self.print_member_chain(node);
            }
        }
        let contents = docs!(
            self,
            self.print_callee(node),
            optional,
            type_arguments,
            self.print_call_arguments(node),
        );
        if is_import || callee.is_some_and(is_call) {
            self.group(contents)
        } else {
            contents
        }
    }

    fn print_callee(&self, node: AstKind<'a>) -> Doc<'a> {
        match node {
            AstKind::ImportExpression(import) => match import.phase {
                Some(phase) => docs!(self, "import.", phase.as_str()),
                None => Doc::Text("import"),
            },
            AstKind::V8IntrinsicExpression(it) => docs!(self, "%", self.print(it.name.kind())),
            AstKind::TSImportType(_) => Doc::Text("import"),
            AstKind::TSExternalModuleReference(_) => Doc::Text("require"),
            AstKind::NewExpression(it) => docs!(
                self,
                "new ",
                self.print(it.callee.kind()),
                Doc::LineSuffixBoundary
            ),
            _ => docs!(
                self,
                self.print_option(nodes::callee(node)),
                Doc::LineSuffixBoundary
            ),
        }
    }

    fn is_require_of_string(&self, node: AstKind<'a>, arguments: &[AstKind<'a>]) -> bool {
        let is_require = match node {
            AstKind::ImportExpression(_)
            | AstKind::TSImportType(_)
            | AstKind::TSExternalModuleReference(_) => true,
            AstKind::CallExpression(call) => {
                !call.optional
                    && REQUIRE
                        .iter()
                        .any(|name| nodes::is_path(call.callee.kind(), name))
            }
            _ => false,
        };
        is_require
            && matches!(arguments, [argument @ AstKind::StringLiteral(_)]
                if !self.comments.has(*argument))
    }

    /// `require` and `define` of CommonJS and AMD.
    fn is_module_call(&self, node: AstKind<'a>, arguments: &[AstKind<'a>]) -> bool {
        let AstKind::CallExpression(call) = node else {
            return false;
        };
        if call.optional {
            return false;
        }
        match (nodes::identifier_name(call.callee.kind()), arguments) {
            (Some("require"), [first, rest @ ..]) => {
                (matches!(first, AstKind::StringLiteral(_)) || !rest.is_empty())
                    && !self.comments.has(*first)
            }
            (Some("define"), _) => {
                matches!(self.parent(node), AstKind::ExpressionStatement(_))
                    && matches!(
                        arguments,
                        [_] | [AstKind::ArrayExpression(_), _]
                            | [AstKind::StringLiteral(_), AstKind::ArrayExpression(_), _]
                    )
            }
            _ => false,
        }
    }
}
