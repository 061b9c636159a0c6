//! Reads expressions, statements and blocks.

use fixpoint_text::Span;
use serde_json::Value;

use super::kinds;
use super::read::{NameOf, Object, Reader, sort_of};
use crate::ast::{
    Arm, BinaryOp, Block, BlockNode, Expr, ExprKind, FieldInit, IntSuffix, LambdaParam, Literal,
    Node, Stmt, StmtKind, UnaryOp,
};
use crate::lex::MAX_DIGITS;

impl Reader {
    pub fn expr(&mut self, value: &Value) -> Option<Expr> {
        let object = self.object(value)?;
        if let Some(source) = self.source(object) {
            return self.fragment(source, |it| it.expr());
        }
        let id = self.node_id(object);
        let boxed = |it: &mut Self, value: &Value| it.expr(value).map(Box::new);
        let kind = match object.get("kind").and_then(Value::as_str) {
            Some("literal") => ExprKind::Literal(self.member(object, "value", Self::literal)?),
            Some("ident") => {
                ExprKind::Ident(self.name(object, "name", NameOf::ValueOrConstructor)?.text)
            }
            Some("unary") => {
                let op = self.operator(object, UnaryOp::parse);
                let operand = self.member(object, "operand", boxed);
                ExprKind::Unary {
                    op: op?,
                    operand: operand?,
                }
            }
            Some("binary") => {
                let op = self.operator(object, BinaryOp::parse);
                let left = self.member(object, "left", boxed);
                let right = self.member(object, "right", boxed);
                ExprKind::Binary {
                    op: op?,
                    left: left?,
                    right: right?,
                }
            }
            Some("call") => {
                let callee = self.member(object, "callee", boxed);
                let args = self.list(object, "args", true, Self::expr);
                ExprKind::Call {
                    callee: callee?,
                    args: args?,
                }
            }
            Some("index") => ExprKind::Index {
                object: self.member(object, "object", boxed)?,
                index: self.member(object, "index", boxed)?,
            },
            Some("field") => ExprKind::Field {
                object: self.member(object, "object", boxed)?,
                field: self.name(object, "field", NameOf::Value)?,
            },
            Some("lambda") => ExprKind::Lambda {
                params: self.list(object, "params", true, Self::lambda_param)?,
                body: self.member(object, "body", boxed)?,
            },
            Some("if") => {
                let condition = self.member(object, "condition", boxed);
                let then_branch = self.member(object, "thenBranch", Self::block);
                let else_branch = self.optional(object, "elseBranch", Self::else_branch);
                ExprKind::If {
                    condition: condition?,
                    then_branch: Box::new(then_branch?),
                    else_branch: else_branch?.map(Box::new),
                }
            }
            Some("match") => ExprKind::Match {
                scrutinee: self.member(object, "scrutinee", boxed)?,
                arms: self.list(object, "arms", true, Self::arm)?,
            },
            Some("block") => ExprKind::Block(self.block_items(object)?),
            Some("array") => ExprKind::Array(self.list(object, "elements", true, Self::expr)?),
            Some("tuple") => ExprKind::Tuple(self.list(object, "elements", true, Self::expr)?),
            Some("record") => {
                ExprKind::Record(self.list(object, "fields", true, Self::field_init)?)
            }
            Some("range") => ExprKind::Range {
                start: self.member(object, "start", boxed)?,
                end: self.member(object, "end", boxed)?,
                inclusive: self.flag(object, "inclusive")?,
            },
            Some("propagate") => ExprKind::Propagate(self.member(object, "expr", boxed)?),
            Some("hole") => ExprKind::Hole(self.text(object, "ref")?.into()),
            None if object.contains_key("hole_ref") => {
                ExprKind::Hole(self.text(object, "hole_ref")?.into())
            }
            None if object.contains_key("$hole") => {
                ExprKind::Hole(self.text(object, "$hole")?.into())
            }
            _ => return self.unknown_kind(object, &kinds::EXPRESSION),
        };
        Some(Node::new(id, Span::at(0), kind))
    }

    fn operator<T>(&mut self, object: &Object, parse: fn(&str) -> Option<T>) -> Option<T> {
        let text = self.text(object, "op")?;
        match parse(&text) {
            Some(op) => Some(op),
            None => self.fail(format!("there is no operator `{text}`")),
        }
    }

    pub fn literal(&mut self, value: &Value) -> Option<Literal> {
        let object = self.object(value)?;
        let text = |it: &mut Self| it.text(object, "value");
        Some(match object.get("kind").and_then(Value::as_str) {
            Some("int") => Literal::Int {
                value: self.integer(object)?.into(),
                suffix: match object.get("suffix").and_then(Value::as_str) {
                    Some("i32") => Some(IntSuffix::I32),
                    Some("i64") => Some(IntSuffix::I64),
                    Some(other) => return self.fail(format!("there is no suffix `{other}`")),
                    None => None,
                },
            },
            Some("float") => match object.get("value").and_then(Value::as_f64) {
                Some(value) => Literal::Float(value),
                None => return self.fail("`value` of a float is to be a number"),
            },
            Some("string") => Literal::Str(text(self)?.into()),
            Some("template") => Literal::Template(text(self)?.into()),
            Some("bool") => match object.get("value").and_then(Value::as_bool) {
                Some(value) => Literal::Bool(value),
                None => return self.fail("`value` of a bool is to be true or false"),
            },
            Some("unit") => Literal::Unit,
            _ => return self.unknown_kind(object, &kinds::LITERAL),
        })
    }

    /// Reads an integer: a string of decimal digits, or a JSON number without a fraction.
    fn integer(&mut self, object: &Object) -> Option<String> {
        let text = match object.get("value") {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) if !number.is_f64() => number.to_string(),
            _ => return self.fail("`value` of an int is to be a string of decimal digits"),
        };
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", text.as_str()),
        };
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.fail(format!("`{text}` is not a decimal integer"));
        }
        if digits.len() > MAX_DIGITS {
            return self.fail(format!("a number has at most {MAX_DIGITS} digits"));
        }
        match digits.trim_start_matches('0') {
            "" => Some("0".to_owned()),
            digits => Some(format!("{sign}{digits}")),
        }
    }

    fn lambda_param(&mut self, value: &Value) -> Option<LambdaParam> {
        let object = self.object(value)?;
        Some(LambdaParam {
            id: self.node_id(object),
            name: self.name(object, "name", NameOf::Value)?,
            ty: self.optional(object, "type", Self::type_expr)?,
        })
    }

    fn field_init(&mut self, value: &Value) -> Option<FieldInit> {
        let object = self.object(value)?;
        Some(FieldInit {
            id: self.node_id(object),
            name: self.name(object, "name", NameOf::Value)?,
            value: self.member(object, "value", Self::expr)?,
        })
    }

    fn arm(&mut self, value: &Value) -> Option<Arm> {
        let object = self.object(value)?;
        if let Some(source) = self.source(object) {
            return self.fragment(source, |it| it.arm());
        }
        let id = self.node_id(object);
        let pattern = self.member(object, "pattern", Self::pattern);
        let guard = self.optional(object, "guard", Self::expr);
        let body = self.member(object, "body", Self::expr);
        Some(Arm {
            id,
            span: Span::at(0),
            pattern: pattern?,
            guard: guard?.map(Box::new),
            body: body?,
        })
    }

    /// Reads a block or another `if`. Any other expression is wrapped in a block.
    fn else_branch(&mut self, value: &Value) -> Option<Expr> {
        let is_if = |tail: &Expr| matches!(tail.kind, ExprKind::If { .. });
        let branch = match value.as_object().and_then(|object| self.source(object)) {
            Some(source) => {
                let mut block = self.fragment(source, |it| it.bare_block())?;
                if block.kind.statements.is_empty()
                    && block.kind.tail.as_deref().is_some_and(is_if)
                    && let Some(tail) = block.kind.tail.take()
                {
                    return Some(*tail);
                }
                block
            }
            None => match self.expr(value)? {
                branch @ Expr {
                    kind: ExprKind::Block(_) | ExprKind::If { .. },
                    ..
                } => return Some(branch),
                other => {
                    let block = Block {
                        statements: Vec::new(),
                        tail: Some(Box::new(other)),
                    };
                    Node::new(self.ids.fresh(), Span::at(0), block)
                }
            },
        };
        let kind = ExprKind::Block(branch.kind);
        Some(Node::new(branch.id, branch.span, kind))
    }

    pub fn block(&mut self, value: &Value) -> Option<BlockNode> {
        let object = self.object(value)?;
        if let Some(source) = self.source(object) {
            return self.fragment(source, |it| it.bare_block());
        }
        if object.get("kind").and_then(Value::as_str) != Some("block") {
            return self.unknown_kind(object, &kinds::BLOCK);
        }
        let id = self.node_id(object);
        let block = self.block_items(object)?;
        Some(Node::new(id, Span::at(0), block))
    }

    fn block_items(&mut self, object: &Object) -> Option<Block> {
        let statements = self.list(object, "statements", false, Self::statement);
        let tail = self.optional(object, "expr", Self::expr);
        Some(Block {
            statements: statements?,
            tail: tail?.map(Box::new),
        })
    }

    pub fn statement(&mut self, value: &Value) -> Option<Stmt> {
        let object = self.object(value)?;
        if let Some(source) = self.source(object) {
            return self.fragment(source, |it| it.one_statement());
        }
        let id = self.node_id(object);
        let kind = match object.get("kind").and_then(Value::as_str) {
            Some("let") => {
                let pattern = self.member(object, "pattern", Self::pattern);
                let ty = self.optional(object, "type", Self::type_expr);
                let mutable = self.flag(object, "mutable");
                let init = self.member_of(object, ["init", "value"], Self::expr);
                StmtKind::Let {
                    pattern: pattern?,
                    ty: ty?.map(Box::new),
                    mutable: mutable?,
                    init: init?,
                }
            }
            Some("assign") => StmtKind::Assign {
                target: self.member(object, "target", Self::expr)?,
                value: self.member(object, "value", Self::expr)?,
            },
            Some("expr") => StmtKind::Expr(self.member(object, "expr", Self::expr)?),
            Some("for") => StmtKind::For {
                pattern: self.member(object, "pattern", Self::pattern)?,
                iterable: self.member(object, "iterable", Self::expr)?,
                body: Box::new(self.member(object, "body", Self::block)?),
            },
            Some("while") => StmtKind::While {
                condition: self.member(object, "condition", Self::expr)?,
                body: Box::new(self.member(object, "body", Self::block)?),
            },
            Some("loop") => StmtKind::Loop(self.member(object, "body", Self::block)?),
            Some("return") => StmtKind::Return(self.optional(object, "value", Self::expr)?),
            Some("break") => StmtKind::Break,
            Some("continue") => StmtKind::Continue,
            Some("assert") => StmtKind::Assert {
                condition: self.member(object, "condition", Self::expr)?,
                message: self.optional(object, "message", |it, value| match value.as_str() {
                    Some(text) => Some(text.to_owned()),
                    None => it.fail(format!("expected a string, found {}", sort_of(value))),
                })?,
            },
            _ => return self.unknown_kind(object, &kinds::STATEMENT),
        };
        Some(Node::new(id, Span::at(0), kind))
    }
}
