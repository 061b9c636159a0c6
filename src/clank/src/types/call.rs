//! Infers calls and pipes. A pipe is a call of its right side.

use super::check::Checker;
use super::{Effects, Ty, TyKind};
use crate::ast::Expr;
use crate::diagnostic::{Code, Payload};

impl Checker<'_, '_> {
    pub fn call(&mut self, expr: &Expr, callee: &Expr, args: &[Expr], wanted: Option<Ty>) -> Ty {
        let function = self.infer(callee);
        let Some((params, result)) = self.callable(expr, function, args.len()) else {
            args.iter().for_each(|arg| {
                self.infer(arg);
            });
            return self.arena.poison();
        };
        if params.len() != args.len() {
            let (expected, actual) = (params.len(), args.len());
            let message = format!("expected {}, found {actual}", arguments(expected));
            let payload = Payload::ArityMismatch {
                expected: expected.to_string(),
                actual: actual.to_string(),
                param_types: params.iter().map(|ty| self.arena.show(*ty)).collect(),
            };
            self.error(Code::E2002, expr, message, payload);
        }
        self.expect_result(result, wanted, args);
        for (at, arg) in args.iter().enumerate() {
            match params.get(at) {
                Some(param) => {
                    self.check(arg, *param);
                }
                None => {
                    self.infer(arg);
                }
            }
        }
        self.outside(result)
    }

    pub fn pipe(&mut self, expr: &Expr, left: &Expr, right: &Expr) -> Ty {
        let function = self.infer(right);
        let param = self.only_param(function);
        let value = self.infer_toward(left, param);
        let Some((params, result)) = self.callable(expr, function, 1) else {
            return self.arena.poison();
        };
        match params.as_slice() {
            [param] => self.expect_declared(*param, value, left),
            _ => {
                let expected = params.len();
                let message = format!(
                    "a pipe gives one argument, but this function takes {}",
                    arguments(expected)
                );
                let payload = Payload::ArityMismatch {
                    expected: expected.to_string(),
                    actual: "1".to_owned(),
                    param_types: Vec::new(),
                };
                self.error(Code::E2002, expr, message, payload);
            }
        }
        self.outside(result)
    }

    fn only_param(&self, function: Ty) -> Option<Ty> {
        match self.arena.kind(self.arena.base(function)) {
            TyKind::Function { params, .. } => match params.as_slice() {
                [param] => Some(*param),
                _ => None,
            },
            _ => None,
        }
    }

    /// A function's result type for its caller. Refinements over the parameters are removed,
    /// because those names mean nothing there.
    fn outside(&self, result: Ty) -> Ty {
        match self.arena.kind(self.arena.resolve(result)) {
            TyKind::Refined { refinement, .. } if !refinement.is_closed() => {
                self.arena.base(result)
            }
            _ => result,
        }
    }

    /// The parameters and result of a callee. Reports an error and returns `None` if it is not a
    /// function.
    fn callable(&mut self, expr: &Expr, function: Ty, count: usize) -> Option<(Vec<Ty>, Ty)> {
        let base = self.arena.base(function);
        match self.arena.kind(base).clone() {
            TyKind::Function { params, result, .. } => Some((params, result)),
            TyKind::Var(_) => {
                let params: Vec<Ty> = (0..count).map(|_| self.arena.fresh()).collect();
                let poisoned = self.arena.is_poisoned(base);
                let result = if poisoned {
                    self.arena.poison()
                } else {
                    self.arena.fresh()
                };
                let wanted = self.arena.make(TyKind::Function {
                    params: params.clone(),
                    result,
                    effects: Effects::NONE,
                });
                // Unifying a variable with a function always succeeds, unless the variable occurs
                // in itself.
                let _ = self.arena.unify(base, wanted);
                Some((params, result))
            }
            TyKind::Never => Some((Vec::new(), base)).filter(|_| count == 0),
            _ => {
                let actual = self.arena.show(function);
                let message = format!("`{actual}` is not a function and cannot be called");
                self.error(Code::E2005, expr, message, Payload::NotCallable { actual });
                None
            }
        }
    }
}

fn arguments(count: usize) -> String {
    match count {
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
