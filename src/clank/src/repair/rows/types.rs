//! A value of one type where another one is wanted: E2001.

use fixpoint_report::{Confidence, Safety};
use serde_json::json;

use super::Rows;
use crate::ast::{BinaryOp, Expr, ExprKind, NodeRef};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;

impl<'a> Rows<'_, 'a> {
    pub(super) fn type_mismatch(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let (Some(node), Payload::TypeMismatch { expected, actual }) =
            (diagnostic.node, &diagnostic.payload)
        else {
            return;
        };
        let Some(expr) = self.tree.expr(node) else {
            return;
        };
        let mut drafts = Vec::new();
        drafts.extend(self.conversion(at, expr, actual, expected));
        // Of two operands that do not fit, either can be made to.
        if let Some(other) = self.other_operand(expr) {
            drafts.extend(self.conversion(at, other, expected, actual));
        }
        drafts.sort_by_key(|it| i32::from(it.confidence));
        self.alternatives(drafts);
    }

    fn other_operand(&self, expr: &Expr) -> Option<&'a Expr> {
        let NodeRef::Expr(above) = self.tree.parent(expr.id)? else {
            return None;
        };
        match &above.kind {
            ExprKind::Binary { op, left, right } if *op != BinaryOp::Pipe => {
                Some(if left.id == expr.id { right } else { left })
            }
            _ => None,
        }
    }

    fn conversion(&self, at: usize, expr: &Expr, from: &str, to: &str) -> Option<Draft> {
        let (from, to) = (base(from), base(to));
        let (convert, confidence) = match (from, to) {
            (from, to) if from == to => return None,
            ("Int", "Float") => ("int_to_float", Confidence::High),
            ("Float", "Int") => ("float_to_int", Confidence::Medium),
            (_, "Str") => ("to_string", Confidence::Medium),
            _ => return None,
        };
        let wrapper = json!({
            "kind": "call",
            "callee": {"kind": "ident", "name": convert},
            "args": [{"hole_ref": "wrapped"}],
        });
        let edit = PatchOp::Wrap {
            node_id: self.tree.name(expr.id),
            wrapper,
            hole_ref: "wrapped".to_owned(),
        };
        let title = format!("Convert {from} to {to} with {convert}()");
        let draft = Draft::new(title, Safety::BehaviorChanging, confidence, vec![edit])
            .resolves(Code::E2001, [at])
            .because(format!("'{to}' is expected here, but this is '{from}'"));
        Some(Draft {
            may_reveal: true,
            ..draft
        })
    }
}

/// A type without what it is refined to.
fn base(ty: &str) -> &str {
    match ty.split_once('{') {
        Some((base, _)) if !base.is_empty() => base,
        _ => ty,
    }
}
