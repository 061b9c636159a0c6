//! Prints expressions.
//!
//! Chains such as `a + b + c` and `a.b().c()` are left-recursive and as deep as they are long.
//! Their left sides are printed in a loop, so that only brackets use stack.

use super::Printer;
use super::sequence::Mode;
use crate::literal;
use crate::tree::{Flags, Kind, NONE, NodeId, Op};

/// The context of an expression, which determines whether it needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Context {
    /// An element, a condition or a statement: nothing needs parentheses.
    Nothing,
    /// A side of `=`: `is` needs parentheses.
    Assignment,
    /// An operand of an operator or conditional: `is` and lambdas need parentheses.
    Operator,
}

/// A node whose left side is being printed.
pub(super) struct Frame {
    id: NodeId,
    margin: usize,
    paren: bool,
}

impl Printer<'_, '_> {
    pub(super) fn expression(&mut self, id: NodeId) {
        self.operand(id, Context::Nothing);
    }

    fn operand(&mut self, id: NodeId, context: Context) {
        let tree = self.tree;
        let base = self.spine.len();
        let (mut id, mut context) = (id, context);
        loop {
            let node = tree.node(id);
            self.lead(id);
            let paren = match node.kind {
                Kind::Binary => node.op == Op::Is && context > Context::Nothing,
                Kind::Lambda => context > Context::Assignment,
                _ => false,
            };
            if paren {
                self.put("(");
                self.depth += 1;
            }
            let margin = self.margin;
            let left = match node.kind {
                Kind::Binary => {
                    context = if node.op == Op::Is {
                        Context::Nothing
                    } else {
                        Context::Operator
                    };
                    node.a
                }
                Kind::Call => node.c,
                Kind::Dot | Kind::Index => node.a,
                Kind::Slice => tree.extra[node.a as usize],
                _ => {
                    self.closed(id);
                    if paren {
                        self.depth -= 1;
                        self.put(")");
                    }
                    self.trail(id);
                    break;
                }
            };
            if node.kind == Kind::Binary && node.flags.has(Flags::BREAK) {
                self.margin = self.column();
            }
            self.spine.push(Frame { id, margin, paren });
            id = left;
        }
        while self.spine.len() > base
            && let Some(frame) = self.spine.pop()
        {
            self.after_left(frame.id);
            self.margin = frame.margin;
            if frame.paren {
                self.depth -= 1;
                self.put(")");
            }
            self.trail(frame.id);
        }
    }

    /// Prints the part of a node after its left side.
    fn after_left(&mut self, id: NodeId) {
        let tree = self.tree;
        let node = tree.node(id);
        match node.kind {
            Kind::Binary => {
                self.operator(node.op, node.flags.has(Flags::BREAK));
                let is = node.op == Op::Is;
                self.operand(
                    node.b,
                    if is {
                        Context::Assignment
                    } else {
                        Context::Operator
                    },
                );
            }
            Kind::Call => self.sequence(id, ["(", ")"], Mode::Call),
            Kind::Dot => {
                if node.flags.has(Flags::BREAK) {
                    self.margin += 4;
                    self.break_line();
                }
                self.put(".");
                self.put(tree.slice(node.b, node.c));
            }
            Kind::Index => {
                // Line breaks in an index need a backslash, as outside of brackets, except in and
                // around a tuple.
                let tuple = u32::from(tree.kind(node.b) == Kind::Tuple || self.bare > 0);
                self.put("[");
                self.depth += tuple;
                self.expression(node.b);
                self.depth -= tuple;
                self.put("]");
            }
            _ => {
                let tuple = u32::from(self.bare > 0);
                self.depth += tuple;
                self.slice(id);
                self.depth -= tuple;
            }
        }
    }

    fn slice(&mut self, id: NodeId) {
        let tree = self.tree;
        let node = tree.node(id);
        let parts = &tree.extra[node.a as usize + 1..node.a as usize + 4];
        self.put("[");
        for (at, part) in parts.iter().enumerate() {
            if at == 1 || (at == 2 && node.flags.has(Flags::SECOND_COLON)) {
                self.put(":");
            }
            if *part != NONE {
                self.expression(*part);
            }
        }
        self.put("]");
    }

    fn operator(&mut self, op: Op, broken: bool) {
        self.put(" ");
        self.put(op.text());
        if broken {
            self.break_line();
        } else {
            self.put(" ");
        }
    }

    /// Prints a node without a left side.
    fn closed(&mut self, id: NodeId) {
        let tree = self.tree;
        let node = tree.node(id);
        match node.kind {
            Kind::Ident | Kind::Branch | Kind::LoadName => self.put(tree.source(id)),
            Kind::Number => self.number(id),
            Kind::String => self.string(id),
            Kind::List => self.sequence(id, ["[", "]"], Mode::Plain),
            Kind::Set | Kind::Dict => self.sequence(id, ["{", "}"], Mode::Plain),
            Kind::Tuple if node.flags.has(Flags::BARE) => self.sequence(id, ["", ""], Mode::Bare),
            Kind::Tuple => self.sequence(id, ["(", ")"], Mode::Tuple),
            Kind::Paren => self.sequence(id, ["(", ")"], Mode::Paren),
            Kind::Comprehension => self.comprehension(id),
            Kind::Unary => self.unary(id),
            Kind::Assign => {
                let margin = self.margin;
                let broken = node.flags.has(Flags::BREAK);
                if broken {
                    self.margin = self.column() + 4;
                }
                self.operand(node.a, Context::Assignment);
                self.operator(node.op, broken);
                self.operand(node.b, Context::Assignment);
                self.margin = margin;
            }
            Kind::Conditional => {
                self.operand(node.a, Context::Operator);
                self.put(" if ");
                self.operand(node.b, Context::Operator);
                self.put(" else ");
                self.operand(node.c, Context::Operator);
            }
            Kind::Lambda => {
                self.put("lambda");
                for (at, parameter) in tree.list(id).iter().enumerate() {
                    self.put(if at > 0 { ", " } else { " " });
                    self.expression(*parameter);
                }
                self.put(": ");
                self.expression(node.c);
            }
            Kind::Entry => {
                self.expression(node.a);
                self.put(": ");
                self.expression(node.b);
            }
            Kind::ForClause => {
                self.put("for ");
                self.expression(node.a);
                self.put(" in ");
                self.expression(node.b);
            }
            Kind::IfClause => {
                self.put("if ");
                self.expression(node.a);
            }
            Kind::Typed => {
                self.put(tree.slice(node.start, node.b));
                self.put(": ");
                self.expression(node.a);
            }
            Kind::Return => {
                self.put("return");
                if node.a != NONE {
                    self.put(" ");
                    self.expression(node.a);
                }
            }
            Kind::Load => self.load(id),
            // Nothing to print: compound statements, operators and suffixes, and closing brackets
            // are printed elsewhere. A tree with errors is never printed.
            _ => {}
        }
    }

    fn unary(&mut self, id: NodeId) {
        let tree = self.tree;
        let node = tree.node(id);
        self.put(node.op.text());
        if node.a == NONE {
            return;
        }
        if node.op == Op::Not {
            self.put(" ");
        }
        let paren = matches!(tree.kind(node.a), Kind::Unary | Kind::Binary | Kind::Lambda);
        if paren {
            self.put("(");
            self.depth += 1;
        }
        self.expression(node.a);
        if paren {
            self.depth -= 1;
            self.put(")");
        }
    }

    fn number(&mut self, id: NodeId) {
        let tree = self.tree;
        let node = tree.node(id);
        if node.flags.has(Flags::REPLACED) {
            self.put(&String::from_utf8_lossy(&tree.texts[node.a as usize]));
        } else {
            self.put(tree.source(id));
        }
    }

    fn string(&mut self, id: NodeId) {
        let tree = self.tree;
        let node = tree.node(id);
        if node.flags.has(Flags::REPLACED) {
            let text = &tree.texts[node.a as usize];
            if node.flags.has(Flags::TOKEN) {
                literal::print(&String::from_utf8_lossy(text), &mut self.out);
            } else {
                let triple = literal::parts(tree.source(id)).triple;
                literal::quote(text, triple, &mut self.out);
            }
            return;
        }
        let token = tree.source(id);
        if token.starts_with('"') && !node.flags.has(Flags::ESCAPES) {
            self.put(token);
        } else {
            literal::print(token, &mut self.out);
        }
    }
}
