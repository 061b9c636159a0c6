//! Where an assignment breaks.

use oxc_ast::AstKind;

use super::{Args, Printer, docs};
use crate::doc::Doc;

/// Where an assignment breaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// After the operator, and then each side on its own.
    BreakAfterOperator,
    /// In the right side, and then in the left side.
    NeverBreakAfterOperator,
    /// In the right side, and then after the operator.
    Fluid,
    /// In the left side.
    BreakLeft,
    /// A part of `a = b = c` that is not the last one.
    Chain,
    ChainTail,
    ChainTailArrowChain,
    /// There is no right side.
    OnlyLeft,
}

impl<'a> Printer<'a> {
    /// Prints `node`, which assigns `right` to `left`: an assignment, property, type alias or variable.
    pub(super) fn print_assignment(
        &self,
        _node: AstKind<'a>,
        left: Doc<'a>,
        operator: impl Into<Doc<'a>>,
        right: Option<AstKind<'a>>,
    ) -> Doc<'a> {
        let right = right.map_or(Doc::NIL, |right| self.print_with(right, Args::default()));
        docs!(self, left, operator.into(), " ", right)
    }
}
