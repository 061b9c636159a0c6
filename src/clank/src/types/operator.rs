//! Infers operators.

use super::check::Checker;
use super::record::holds_literal;
use super::{Ty, TyKind};
use crate::ast::{BinaryOp, Expr, UnaryOp};
use crate::diagnostic::{Code, Payload};
use crate::names::Primitive;

impl Checker<'_, '_> {
    pub fn unary(&mut self, op: UnaryOp, operand: &Expr) -> Ty {
        match op {
            UnaryOp::Negate => {
                let ty = self.infer(operand);
                self.expect_numeric(ty, operand);
                ty
            }
            UnaryOp::Not => {
                let bool = self.prim(Primitive::Bool);
                self.check(operand, bool);
                bool
            }
        }
    }

    pub fn binary(
        &mut self,
        expr: &Expr,
        op: BinaryOp,
        (left, right): (&Expr, &Expr),
        wanted: Option<Ty>,
    ) -> Ty {
        match op {
            BinaryOp::Pipe => self.pipe(expr, left, right),
            BinaryOp::Or | BinaryOp::And => {
                let bool = self.prim(Primitive::Bool);
                self.check(left, bool);
                self.check(right, bool);
                bool
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                let (first, second) = self.operands(left, right, None);
                let integers = self.is_integer(first) && self.is_integer(second);
                if !integers {
                    self.expect_type(first, second, right);
                }
                self.prim(Primitive::Bool)
            }
            BinaryOp::Less | BinaryOp::Greater | BinaryOp::LessEqual | BinaryOp::GreaterEqual => {
                self.infer_numeric(left);
                self.infer_numeric(right);
                self.prim(Primitive::Bool)
            }
            BinaryOp::Concat => {
                let (first, second) = self.operands(left, right, wanted);
                if let TyKind::Array(element) = *self.arena.kind(self.arena.base(first)) {
                    // A refinement of one side's elements need not hold for the other side's.
                    let element = self.arena.base(element);
                    let both = self.arena.make(TyKind::Array(element));
                    self.expect_declared(both, second, right);
                    return both;
                }
                let text = self.prim(Primitive::Str);
                self.expect_type(text, first, left);
                self.expect_declared(text, second, right);
                text
            }
            BinaryOp::Divide => {
                self.infer_numeric(left);
                self.infer_numeric(right);
                self.prim(Primitive::Float)
            }
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Remainder
            | BinaryOp::Power => {
                let first = self.infer_numeric(left);
                let second = self.infer_numeric(right);
                // If operands do not match, it is not known which one is wrong, so the result type
                // is unknown. The same applies to operators on such a result.
                let fits = self.fits_type(first, second, right);
                let mut operands = [first, second].into_iter();
                if !fits || operands.any(|it| self.arena.is_unknown_type(it)) {
                    return self.arena.unknown();
                }
                self.arena.base(first)
            }
        }
    }

    /// Infers both operands. The type of one of them is required of record literals in the other.
    fn operands(&mut self, left: &Expr, right: &Expr, wanted: Option<Ty>) -> (Ty, Ty) {
        if wanted.is_none() && holds_literal(left) && !holds_literal(right) {
            let second = self.infer(right);
            return (self.infer_toward(left, Some(second)), second);
        }
        let first = self.infer_toward(left, wanted);
        (first, self.infer_toward(right, Some(first)))
    }

    fn infer_numeric(&mut self, operand: &Expr) -> Ty {
        let ty = self.infer(operand);
        self.expect_numeric(ty, operand);
        ty
    }

    fn expect_numeric(&mut self, ty: Ty, operand: &Expr) {
        self.expect_primitive(ty, operand, "numeric", Primitive::is_numeric);
    }

    pub fn expect_integer(&mut self, ty: Ty, operand: &Expr) {
        self.expect_primitive(ty, operand, "integer", Primitive::is_integer);
    }

    fn is_integer(&self, ty: Ty) -> bool {
        match self.arena.kind(self.arena.base(ty)) {
            TyKind::Prim(primitive) => primitive.is_integer(),
            _ => false,
        }
    }

    /// Accepts type variables: their final type is checked where it becomes known.
    fn expect_primitive(
        &mut self,
        ty: Ty,
        operand: &Expr,
        wanted: &str,
        fits: fn(Primitive) -> bool,
    ) {
        match self.arena.kind(self.arena.base(ty)) {
            TyKind::Prim(primitive) if fits(*primitive) => {}
            TyKind::Var(_) | TyKind::Never => {}
            _ => {
                let actual = self.arena.show(ty);
                let message = format!("expected a value of {wanted} type, found `{actual}`");
                let payload = Payload::TypeMismatch {
                    expected: wanted.to_owned(),
                    actual,
                    of: None,
                };
                self.error(Code::E2016, operand, message, payload);
            }
        }
    }
}
