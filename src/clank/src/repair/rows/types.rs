//! Type mismatches: E2001.

use fixpoint_report::{Confidence, Safety};
use serde_json::{Value, json};

use super::Rows;
use crate::ast::{
    BinaryOp, Block, BlockNode, Expr, ExprKind, NodeId, NodeRef, PatternKind, StmtKind,
};
use crate::diagnostic::{Code, Diagnostic, Payload};
use crate::json::node_json;
use crate::names::Primitive;
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;

/// How many of the latest drafts to search for one with the same edits.
const NEAR: usize = 16;

impl<'a> Rows<'_, 'a> {
    pub(super) fn type_mismatch(&mut self, at: usize, diagnostic: &'a Diagnostic) {
        let (
            Some(node),
            Payload::TypeMismatch {
                expected, actual, ..
            },
        ) = (diagnostic.node, &diagnostic.payload)
        else {
            return;
        };
        let expr = match self.tree.node(node) {
            Some(NodeRef::Block(body)) => return self.missing_value(at, body, expected),
            Some(NodeRef::Expr(expr)) => expr,
            _ => return,
        };
        if let Some(draft) = self.missing_block_values(at, expr, (actual, expected)) {
            return self.alternatives([draft]);
        }
        let mut drafts = Vec::new();
        drafts.extend(self.conversion(at, &[expr], actual, expected));
        drafts.extend(self.of_elements(at, expr, actual, expected));
        // If two operands do not match, either can be converted.
        if let Some(other) = self.other_operand(expr) {
            drafts.extend(self.conversion(at, &[other], expected, actual));
        }
        drafts.sort_by_key(|it| i32::from(it.confidence));
        let others = self.before_it(expr, expected);
        if let Some(draft) = self.conversion(at, &others, expected, actual) {
            match self.place_of(&draft) {
                Some(place) => self.also_resolves(place, at),
                None => drafts.push(draft),
            }
        }
        self.alternatives(drafts);
    }

    /// A body that ends without a value returns the value of its last statement, if that has the
    /// expected type.
    fn missing_value(&mut self, at: usize, body: &'a BlockNode, expected: &str) {
        let Some(last) = body.kind.statements.last() else {
            return;
        };
        let target = self.tree.name(last.id);
        let returned = |value: Value| json!({"kind": "return", "value": value});
        let (edit, title) = match &last.kind {
            StmtKind::Expr(value) if self.is_of(value, expected) => {
                let edit = PatchOp::ReplaceNode {
                    node_id: target,
                    new_node: returned(self.kept(value)),
                };
                (edit, "Return the value of the last statement".to_owned())
            }
            StmtKind::Let { pattern, init, .. } if self.is_of(init, expected) => {
                let PatternKind::Ident(name) = &pattern.kind else {
                    return;
                };
                let edit = PatchOp::InsertAfter {
                    target_id: target,
                    new_statement: returned(json!({"kind": "ident", "name": name})),
                };
                (edit, format!("Return '{name}'"))
            }
            _ => return,
        };
        let (safety, confidence) = (Safety::BehaviorChanging, Confidence::Medium);
        let why = format!("'{expected}' is expected, but the body ends without a value");
        self.alternatives([Draft::new(title, safety, confidence, vec![edit])
            .resolves(Code::E2001, [at])
            .because(why)]);
    }

    /// Branches, arms and blocks that end without a value get the value of their last statement, if
    /// that has the expected type.
    fn missing_block_values(
        &self,
        at: usize,
        expr: &'a Expr,
        (actual, expected): (&str, &str),
    ) -> Option<Draft> {
        let unit = Primitive::Unit.name();
        // An earlier branch without a value determines the type that is expected of a later one.
        let (root, wanted) = match (actual == unit, expected == unit) {
            (true, false) => (expr, expected),
            (false, true) => (self.branching_above(expr)?, actual),
            _ => return None,
        };
        let mut blocks = Vec::new();
        blocks_without_value(root, &mut blocks);
        let edits = blocks.iter().map(|(id, block)| {
            let (last, others) = block.statements.split_last()?;
            let (others, value) = match &last.kind {
                StmtKind::Expr(value) if self.is_of(value, wanted) => (others, self.kept(value)),
                StmtKind::Let { pattern, init, .. } if self.is_of(init, wanted) => {
                    let PatternKind::Ident(name) = &pattern.kind else {
                        return None;
                    };
                    (
                        &block.statements[..],
                        json!({"kind": "ident", "name": name}),
                    )
                }
                _ => return None,
            };
            let others = others
                .iter()
                .map(|it| node_json(NodeRef::Stmt(it), self.tree.ast));
            let others: Vec<Value> = others.collect();
            Some(PatchOp::ReplaceNode {
                node_id: self.tree.name(*id),
                new_node: json!({"kind": "block", "statements": others, "expr": value}),
            })
        });
        let edits: Vec<PatchOp> = edits.collect::<Option<_>>()?;
        if edits.is_empty() {
            return None;
        }
        let title = "Use the value of the last statement";
        let why = format!("'{wanted}' is expected, but the block ends without a value");
        let (safety, confidence) = (Safety::BehaviorChanging, Confidence::Medium);
        let draft = Draft::new(title.to_owned(), safety, confidence, edits)
            .resolves(Code::E2001, [at])
            .because(why);
        Some(draft)
    }

    /// The outermost `if` or `match` that an expression is the value of.
    fn branching_above(&self, expr: &'a Expr) -> Option<&'a Expr> {
        let mut found = None;
        let mut below = expr.id;
        for above in self.tree.upwards(expr.id).skip(1) {
            match above {
                NodeRef::Arm(arm) if arm.body.id == below => {}
                NodeRef::Block(block) if is_tail(&block.kind, below) => {}
                NodeRef::Expr(it) => match &it.kind {
                    ExprKind::Block(block) if is_tail(block, below) => {}
                    ExprKind::If { condition, .. } if condition.id != below => found = Some(it),
                    ExprKind::Match { scrutinee, .. } if scrutinee.id != below => found = Some(it),
                    _ => break,
                },
                _ => break,
            }
            below = above.id();
        }
        found
    }

    /// Converts the elements of an array that do not have the expected type.
    fn of_elements(&self, at: usize, expr: &'a Expr, from: &str, to: &str) -> Option<Draft> {
        let element = |ty: &'_ str| Some(ty.strip_prefix('[')?.strip_suffix(']')?.to_owned());
        let (from, to) = (element(from)?, element(to)?);
        let ExprKind::Array(elements) = &expr.kind else {
            return None;
        };
        let of_type = elements.iter().filter(|it| self.is_of(it, &from));
        self.conversion(at, &of_type.collect::<Vec<_>>(), &from, &to)
    }

    fn is_of(&self, expr: &Expr, ty: &str) -> bool {
        let typing = &self.result.typing;
        let shown = typing.of_node(expr.id).map(|it| typing.show(it));
        shown.is_some_and(|it| base(&it) == base(ty))
    }

    /// Earlier branches or elements that determined the expected type.
    fn before_it(&self, expr: &Expr, ty: &str) -> Vec<&'a Expr> {
        let mut below = expr.id;
        let mut before: Vec<&'a Expr> = Vec::new();
        for above in self.tree.upwards(expr.id).skip(1) {
            match above {
                NodeRef::Arm(arm) if arm.body.id == below => {}
                NodeRef::Block(_) => {}
                NodeRef::Expr(it) => match &it.kind {
                    ExprKind::Block(_) => {}
                    ExprKind::Match { arms, .. } => {
                        let earlier = arms.iter().take_while(|it| it.id != below);
                        before.extend(earlier.map(|it| &it.body));
                        break;
                    }
                    ExprKind::Array(elements) => {
                        before.extend(elements.iter().take_while(|it| it.id != below));
                        break;
                    }
                    ExprKind::If { then_branch, .. } if then_branch.id != below => {
                        before.extend(then_branch.kind.tail.as_deref());
                        break;
                    }
                    _ => break,
                },
                _ => break,
            }
            below = above.id();
        }
        let mut before: Vec<&Expr> = before.into_iter().map(value_of).collect();
        before.retain(|it| self.is_of(it, ty));
        before
    }

    /// The index of a draft with the same edits. Drafts for neighboring problems are close to each
    /// other.
    fn place_of(&self, draft: &Draft) -> Option<usize> {
        let near = self.drafts.len().saturating_sub(NEAR);
        let mut near = self.drafts.iter().enumerate().skip(near);
        near.find(|it| it.1.edits == draft.edits).map(|it| it.0)
    }

    /// Adds a copy of a draft that resolves one more problem, to be tried before the original.
    fn also_resolves(&mut self, place: usize, at: usize) {
        if let Some(draft) = self.drafts.get(place) {
            let mut draft = draft.clone();
            draft.diagnostics.push(at);
            self.drafts.insert(place, draft);
        }
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

    fn conversion(&self, at: usize, exprs: &[&Expr], from: &str, to: &str) -> Option<Draft> {
        if exprs.is_empty() {
            return None;
        }
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
        let edits = exprs.iter().map(|expr| PatchOp::Wrap {
            node_id: self.tree.name(expr.id),
            wrapper: wrapper.clone(),
            hole_ref: "wrapped".to_owned(),
        });
        let title = format!("Convert {from} to {to} with {convert}()");
        let draft = Draft::new(title, Safety::BehaviorChanging, confidence, edits.collect())
            .resolves(Code::E2001, [at])
            .because(format!("'{to}' is expected here, but this is '{from}'"));
        Some(Draft {
            may_reveal: true,
            is_lossy: convert == "float_to_int",
            ..draft
        })
    }
}

/// A type without its refinement.
fn base(ty: &str) -> &str {
    match ty.split_once('{') {
        Some((base, _)) if !base.is_empty() => base,
        _ => ty,
    }
}

/// The expression that gives a block its value.
fn value_of(mut expr: &Expr) -> &Expr {
    while let ExprKind::Block(block) = &expr.kind
        && let Some(tail) = &block.tail
    {
        expr = tail;
    }
    expr
}

fn is_tail(block: &Block, id: NodeId) -> bool {
    block.tail.as_ref().is_some_and(|tail| tail.id == id)
}

/// The blocks that may give an expression its value, but end without one.
fn blocks_without_value<'a>(expr: &'a Expr, found: &mut Vec<(NodeId, &'a Block)>) {
    let block = |id: NodeId, block: &'a Block, found: &mut Vec<_>| match &block.tail {
        Some(tail) => blocks_without_value(tail, found),
        None => found.push((id, block)),
    };
    match &expr.kind {
        ExprKind::Block(inner) => block(expr.id, inner, found),
        ExprKind::If {
            then_branch,
            else_branch: Some(other),
            ..
        } => {
            block(then_branch.id, &then_branch.kind, found);
            blocks_without_value(other, found);
        }
        ExprKind::Match { arms, .. } => {
            for arm in arms {
                blocks_without_value(&arm.body, found);
            }
        }
        _ => {}
    }
}
