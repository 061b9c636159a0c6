use super::super::comments::Role;
use super::super::{Printer, nodes, scan};
use oxc_ast::AstKind;
impl<'a> Printer<'a> {
    pub(in super::super) fn has_leading_own_line_comment(&self, node: AstKind<'a>) -> bool {
        if nodes::is_jsx(node) {
            return self.comments.is_ignored(node);
        }
        self.comments.any(node, |comment| {
            comment.role == Role::Leading && scan::has_newline(self.text, comment.end)
        })
    }
    pub(super) fn is_test_call(&self, _: AstKind<'a>) -> bool {
        false
    }
}
