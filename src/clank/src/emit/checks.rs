//! Emits the checks of obligations that are not proved.

use super::code::{Code, Level, Start, Written};
use super::names::{key, quoted};
use super::{EmitError, Emitter};
use crate::ast::{Expr, NodeId, Text};
use crate::refine::{Contract, Predicate, RunTimeCheck, TypeNames};

/// A contract that accepts every value.
const ANY: &str = "__clank.meets.any";

impl<'a> Emitter<'a> {
    pub(super) fn checks_of(&self, node: NodeId) -> &'a [RunTimeCheck] {
        let typing = self.typing;
        typing.checks_of(node)
    }

    /// Wraps the value written since `start` in the checks of its node.
    pub(super) fn check_value(
        &mut self,
        expr: &'a Expr,
        start: Start,
        mut written: Written,
        to: &mut Code,
    ) -> Written {
        for check in self.checks_of(expr.id) {
            match check {
                RunTimeCheck::Value(Contract::Refined(base, predicate)) if base.is_any() => {
                    let test = self.predicate(predicate);
                    to.insert(start, "__clank.check(");
                    to.push(&format!(", {test}, {})", quoted(&predicate.text)));
                }
                RunTimeCheck::Value(contract) => {
                    let contract = self.contract(contract);
                    to.insert(start, &format!("{contract}("));
                    to.push(")");
                }
                RunTimeCheck::Impossible(text) => {
                    self.fail(EmitError::Unchecked {
                        node: expr.id,
                        text: text.clone(),
                    });
                    continue;
                }
                RunTimeCheck::Arguments(_) | RunTimeCheck::Bounds(_) | RunTimeCheck::Fields(_) => {
                    continue;
                }
            }
            written = Written::at(Level::Call);
        }
        written
    }

    /// Wraps the function written since `start`, so that it checks its arguments.
    pub(super) fn check_arguments(&mut self, call: &'a Expr, start: Start, to: &mut Code) {
        for check in self.checks_of(call.id) {
            if let RunTimeCheck::Arguments(predicate) = check {
                let test = self.predicate(predicate);
                to.insert(start, "__clank.guarded(");
                to.push(&format!(", {test}, {})", quoted(&predicate.text)));
            }
        }
    }

    /// The text of the obligation that an index is in range, as a further argument.
    pub(super) fn bounds_text(&self, index: &Expr) -> String {
        let checks = self.checks_of(index.id).iter();
        let mut texts = checks.filter_map(|it| match it {
            RunTimeCheck::Bounds(text) => Some(format!(", {}", quoted(text))),
            _ => None,
        });
        texts.next().unwrap_or_default()
    }

    /// Emits the checks of a record after a write to one of its fields.
    pub(super) fn check_fields(&mut self, target: &'a Expr, record: &str) {
        for check in self.checks_of(target.id) {
            if let RunTimeCheck::Fields(predicate) = check {
                let test = self.predicate(predicate);
                let fields = predicate.params().map(|it| format!("{record}.{it}"));
                let fields: Vec<String> = fields.collect();
                let text = quoted(&predicate.text);
                let args = fields.join(", ");
                self.line(format!("__clank.held(({test})({args}), {text});"));
            }
        }
    }

    /// The predicate as a function. Only its text is used, because its nodes have no positions.
    fn predicate(&mut self, predicate: &'a Predicate) -> String {
        let mut code = Code::default();
        let outside = match predicate.names {
            TypeNames::Nothing => Some(self.scopes.hide()),
            TypeNames::Params | TypeNames::InScope => None,
        };
        self.scopes.enter();
        if predicate.names == TypeNames::Params {
            for (name, spelled) in self.function.params.clone() {
                self.scopes.bind(name, spelled, false);
            }
        }
        self.write(&predicate.lambda, &mut code);
        self.scopes.leave();
        if let Some(outside) = outside {
            self.scopes.show(outside);
        }
        code.text
    }

    fn contract(&mut self, contract: &'a Contract) -> String {
        match contract {
            Contract::Any => ANY.to_owned(),
            Contract::Refined(base, predicate) => {
                let (base, test) = (self.contract(base), self.predicate(predicate));
                let text = quoted(&predicate.text);
                format!("__clank.meets.refined({base}, {test}, {text})")
            }
            Contract::Array(element) => format!("__clank.meets.array({})", self.contract(element)),
            Contract::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(at, it)| format!("{at}: {}", self.contract(it)));
                let parts: Vec<String> = parts.collect();
                format!("__clank.meets.parts({{ {} }})", parts.join(", "))
            }
            Contract::Record(fields) => {
                let fields = fields.iter();
                let fields =
                    fields.map(|(name, it)| format!("{}: {}", key(name), self.contract(it)));
                let fields: Vec<String> = fields.collect();
                format!("__clank.meets.parts({{ {} }})", fields.join(", "))
            }
            Contract::Function { params, result } => {
                let params = params.iter().map(|it| self.contract(it));
                let params: Vec<String> = params.collect();
                let result = self.contract(result);
                format!("__clank.meets.fn([{}], {result})", params.join(", "))
            }
        }
    }
}

impl Predicate {
    fn params(&self) -> impl Iterator<Item = &Text> {
        let params = match &self.lambda.kind {
            crate::ast::ExprKind::Lambda { params, .. } => params.as_slice(),
            _ => &[],
        };
        params.iter().map(|it| &it.name.text)
    }
}
