//! Emits statements, and expressions as statements.

use super::Emitter;
use super::code::{Code, Level, Value, plain_length};
use super::expr::call;
use super::names::quoted;
use super::pattern::Bound;
use crate::ast::{
    Arm, Block, BlockNode, Expr, ExprKind, Pattern, PatternKind, Stmt, StmtKind, Text, TypeExpr,
};

/// An `if` with a longer value than this is emitted as a statement, because that is easier to read.
const LONGEST_CONDITIONAL: usize = 80;

/// The destination of an expression's value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The value is returned from the function or lambda.
    Return,
    Variable(Text),
    Nothing,
}

impl<'a> Emitter<'a> {
    /// Emits the expression as statements.
    pub(super) fn statements(&mut self, expr: &'a Expr, place: &Place) {
        if self.checks_of(expr.id).is_empty() {
            return self.unchecked_statements(expr, place);
        }
        let value = self.value(expr);
        self.deliver(value, place);
    }

    /// Like `statements`, without the checks of the whole value.
    pub(super) fn unchecked_statements(&mut self, expr: &'a Expr, place: &Place) {
        match &expr.kind {
            ExprKind::If {
                condition,
                then_branch,
                else_branch,
            } => {
                if *place != Place::Nothing
                    && self.is_simple(expr)
                    && let value = self.value(expr)
                    && plain_length(&value.code.text) <= LONGEST_CONDITIONAL
                {
                    return self.deliver(value, place);
                }
                self.if_statement(expr, condition, then_branch, else_branch.as_deref(), place);
            }
            ExprKind::Match { scrutinee, arms } => {
                self.match_statement(expr, scrutinee, arms, place)
            }
            // Braces are not needed, because every variable of a function has its own spelling.
            ExprKind::Block(block) => self.block(block, place),
            _ => {
                let value = self.value(expr);
                self.deliver(value, place);
            }
        }
    }

    fn deliver(&mut self, value: Value, place: &Place) {
        let code = match place {
            Place::Return if value.is_undefined() => Code::from("return"),
            Place::Return => Code::from("return ").then(value.code),
            Place::Variable(name) => Code::from(name.as_str()).then(" = ").then(value.code),
            Place::Nothing if value.is.stable || value.is_undefined() => return,
            Place::Nothing if starts_like_a_statement(&value.code.text) => {
                Code::from("(").then(value.code).then(")")
            }
            Place::Nothing => value.code,
        };
        self.line(code.then(";"));
    }

    /// Emits the statements of a block in a new scope, and its value.
    pub(super) fn block(&mut self, block: &'a Block, place: &Place) {
        self.scopes.enter();
        for statement in &block.statements {
            self.statement(statement);
        }
        match &block.tail {
            Some(tail) => self.statements(tail, place),
            None if *place == Place::Nothing || always_leaves(block) => {}
            None => self.deliver(Value::undefined(), place),
        }
        self.scopes.leave();
    }

    /// Emits the statements of a block and returns its value.
    pub(super) fn block_value(&mut self, block: &'a Block) -> Value {
        self.scopes.enter();
        for statement in &block.statements {
            self.statement(statement);
        }
        let value = match &block.tail {
            Some(tail) => self.value(tail),
            None => Value::undefined(),
        };
        self.scopes.leave();
        value
    }

    fn braced(&mut self, head: impl Into<Code>, block: &'a Block, place: &Place) {
        self.line(head.into().then(" {"));
        self.indented(|it| it.block(block, place));
    }

    fn if_statement(
        &mut self,
        whole: &'a Expr,
        condition: &'a Expr,
        then_branch: &'a BlockNode,
        else_branch: Option<&'a Expr>,
        place: &Place,
    ) {
        let condition = self.value(condition);
        let head = Code::of(whole).then("if (").then(condition.code).then(")");
        self.braced(head, &then_branch.kind, place);
        let Some(else_branch) = else_branch else {
            if *place != Place::Nothing {
                self.line("} else {");
                self.indented(|it| it.deliver(Value::undefined(), place));
            }
            self.line("}");
            return;
        };
        let ((), lines) = self.captured(|it| match &else_branch.kind {
            ExprKind::Block(block) => it.block(block, place),
            _ => it.statements(else_branch, place),
        });
        // A condition that needs statements must have them inside the `else`.
        let is_chain = matches!(&else_branch.kind, ExprKind::If { condition, .. } if self.is_simple(condition))
            && lines
                .first()
                .is_some_and(|line| line.code.text.starts_with("if ("));
        if lines.is_empty() {
            self.line("}");
        } else if is_chain {
            let mut lines = lines;
            if let Some(first) = lines.first_mut() {
                let chained = std::mem::take(&mut first.code);
                first.code = Code::from("} else ").then(chained);
            }
            self.place_lines(lines);
        } else {
            self.line("} else {");
            self.indented(|it| it.place_lines(lines));
            self.line("}");
        }
    }

    /// Emits a chain of tests, each with the variables of its pattern. If there are guards, a taken
    /// arm leaves the match by its label, and a failed guard continues with the next arm.
    fn match_statement(
        &mut self,
        whole: &'a Expr,
        scrutinee: &'a Expr,
        arms: &'a [Arm],
        place: &Place,
    ) {
        let subject = self.value(scrutinee);
        let annotation = self.annotation_for(scrutinee);
        let subject = self.held("matched", &annotation, subject);
        let has_guards = arms.iter().any(|arm| arm.guard.is_some());
        let label = (has_guards && *place != Place::Return).then(|| {
            self.function.labels += 1;
            format!("match{}", self.function.labels)
        });
        if let Some(label) = &label {
            self.line(Code::of(whole).then(format!("{label}: {{")));
            self.indent += 1;
        }
        let mut is_open = true;
        for (position, arm) in arms.iter().enumerate() {
            let Bound { tests, names } = self.pattern(&arm.pattern, &subject);
            let always = tests.is_empty();
            let test = Code::join(tests, " && ");
            let head = match (has_guards, position, always) {
                (false, 0, true) => "{".into(),
                (false, _, true) => "} else {".into(),
                (false, 0, false) | (true, _, false) => Code::from("if (").then(test).then(") {"),
                (false, _, false) => Code::from("} else if (").then(test).then(") {"),
                (true, _, true) => "{".into(),
            };
            self.line(head);
            self.indented(|it| it.arm(arm, names, label.as_deref(), place));
            if has_guards {
                self.line("}");
            }
            if always && arm.guard.is_none() {
                is_open = false;
                break;
            }
        }
        let otherwise = call("__clank.no_match", [Code::from(&*subject)]);
        let otherwise = Code::of(whole).then(otherwise.code).then(";");
        match (has_guards, is_open) {
            (false, true) if arms.is_empty() => self.line(otherwise),
            (false, true) => {
                self.line("} else {");
                self.indented(|it| it.line(otherwise));
                self.line("}");
            }
            (false, false) => self.line("}"),
            (true, true) => self.line(otherwise),
            (true, false) => {}
        }
        if label.is_some() {
            self.indent -= 1;
            self.line("}");
        }
    }

    fn arm(
        &mut self,
        arm: &'a Arm,
        names: Vec<(&'a Pattern, &'a str, Code)>,
        label: Option<&str>,
        place: &Place,
    ) {
        self.scopes.enter();
        self.bind_names(names, false);
        let guard = arm.guard.as_ref().map(|guard| self.value(guard));
        let is_guarded = guard.is_some();
        if let Some(guard) = guard {
            self.line(Code::from("if (").then(guard.code).then(") {"));
            self.indent += 1;
        }
        match &arm.body.kind {
            ExprKind::Block(block) => self.block(block, place),
            _ => self.statements(&arm.body, place),
        }
        if let Some(label) = label {
            self.line(format!("break {label};"));
        }
        if is_guarded {
            self.indent -= 1;
            self.line("}");
        }
        self.scopes.leave();
    }

    /// A name for the value: its own if it is stable, otherwise a new variable.
    fn held(&mut self, name: &str, annotation: &str, value: Value) -> Text {
        if value.is.stable && value.is.level == Level::Call {
            return value.code.text.into();
        }
        let name = self.scopes.fresh(name, self.globals);
        let line = Code::from("const ")
            .then(&*name)
            .then(annotation)
            .then(" = ");
        self.line(line.then(value.code).then(";"));
        name
    }

    fn bind_names(&mut self, names: Vec<(&'a Pattern, &'a str, Code)>, is_mutable: bool) {
        let keyword = if is_mutable { "let " } else { "const " };
        for (pattern, name, path) in names {
            let spelled = self.scopes.fresh(name, self.globals);
            let line = Code::of(pattern).then(keyword).then(&*spelled);
            self.line(line.then(" = ").then(path).then(";"));
            self.scopes.bind(name, spelled, is_mutable);
        }
    }

    fn statement(&mut self, statement: &'a Stmt) {
        let start = self.lines.len();
        match &statement.kind {
            StmtKind::Let {
                pattern,
                ty,
                mutable,
                init,
            } => {
                self.let_statement(pattern, ty.as_deref(), *mutable, init);
            }
            StmtKind::Assign { target, value } => self.assign(target, value),
            StmtKind::Expr(expr) => self.statements(expr, &Place::Nothing),
            StmtKind::For {
                pattern,
                iterable,
                body,
            } => self.for_statement(pattern, iterable, &body.kind),
            StmtKind::While { condition, body } => self.while_statement(condition, &body.kind),
            StmtKind::Loop(body) => {
                self.looping(|it| it.braced("while (true)", &body.kind, &Place::Nothing));
                self.line("}");
            }
            StmtKind::Return(value) => self.return_statement(value.as_ref()),
            StmtKind::Break => self.jump("break"),
            StmtKind::Continue => self.jump("continue"),
            StmtKind::Assert { condition, message } => {
                let value = self.value(condition);
                let words = || format!("assertion failed{}", self.words(condition));
                let message = Code::from(quoted(&message.clone().unwrap_or_else(words)));
                let assert = call("__clank.assert", [value.code, message]);
                self.deliver(assert, &Place::Nothing);
            }
        }
        let has_text = self.has_text();
        if let Some(line) = self.lines.get_mut(start) {
            line.code.mark(Code::default().end(), statement, has_text);
        }
    }

    fn let_statement(
        &mut self,
        pattern: &'a Pattern,
        ty: Option<&TypeExpr>,
        is_mutable: bool,
        init: &'a Expr,
    ) {
        match &pattern.kind {
            PatternKind::Wildcard => self.statements(init, &Place::Nothing),
            PatternKind::Ident(name) => {
                let spelled = self.scopes.fresh(name, self.globals);
                let branches = matches!(init.kind, ExprKind::If { .. } | ExprKind::Match { .. });
                let branches = branches && !self.is_simple(init);
                let annotation = match ty {
                    Some(ty) => self.typed(|it| self.annotation(ty, it)),
                    None if is_mutable => self.annotation_of(init.id),
                    None => self.annotation_for(init),
                };
                let declared = Code::from(&*spelled).then(annotation);
                if branches {
                    self.line(Code::from("let ").then(declared).then(";"));
                    self.statements(init, &Place::Variable(spelled.clone()));
                } else {
                    let value = self.value(init).code;
                    let keyword = if is_mutable { "let " } else { "const " };
                    let line = Code::from(keyword).then(declared).then(" = ");
                    self.line(line.then(value).then(";"));
                }
                self.scopes.bind(name, spelled, is_mutable);
            }
            _ => {
                let value = self.value(init);
                let annotation = self.annotation_for(init);
                let subject = self.held("value", &annotation, value);
                self.destructure(pattern, &subject, is_mutable);
            }
        }
    }

    /// Binds the names of a pattern that is expected to match.
    fn destructure(&mut self, pattern: &'a Pattern, subject: &str, is_mutable: bool) {
        let Bound { tests, names } = self.pattern(pattern, subject);
        if !tests.is_empty() {
            let test = Code::join(tests, " && ");
            let test = Code::from("if (!(").then(test).then(")) ");
            let otherwise = call("__clank.no_match", [Code::from(subject)]);
            self.line(test.then(otherwise.code).then(";"));
        }
        self.bind_names(names, is_mutable);
    }

    fn assign(&mut self, target: &'a Expr, value: &'a Expr) {
        let (place, value) = match &target.kind {
            ExprKind::Index { object, index } => {
                let is_read_only = self.is_tuple_in_typescript(object);
                let mut parts = self.values([&**object, &**index, value]).into_iter();
                let mut next = || parts.next().unwrap_or_else(Value::undefined);
                let (object, index, value) = (next(), next(), next());
                let object = self.held("list", "", object);
                let index = index.code.then(self.bounds_text(target));
                let position = call("__clank.position", [Code::from(&*object), index]);
                let list = if is_read_only {
                    let open = self.typed(|it| *it += "(");
                    let as_any = self.typed(|it| *it += " as any)");
                    format!("{open}{object}{as_any}")
                } else {
                    object.to_string()
                };
                let place = Code::from(list).then("[").then(position.code).then("]");
                (place, value)
            }
            ExprKind::Field {
                object,
                field: name,
            } => {
                let mut parts = self.values([&**object, value]).into_iter();
                let mut next = || parts.next().unwrap_or_else(Value::undefined);
                let (object, value) = (next(), next());
                if self.checks_of(target.id).is_empty() {
                    let place = object.at(Level::Call).then(".").then(&*name.text);
                    (place, value)
                } else {
                    let record = self.held("record", "", object);
                    let place = Code::from(&*record).then(".").then(&*name.text);
                    self.line(place.then(" = ").then(value.code).then(";"));
                    return self.check_fields(target, &record);
                }
            }
            _ => {
                let value = self.value(value);
                (self.value(target).code, value)
            }
        };
        self.line(place.then(" = ").then(value.code).then(";"));
    }

    fn looping(&mut self, write: impl FnOnce(&mut Self)) {
        self.function.loops += 1;
        write(self);
        self.function.loops -= 1;
    }

    fn for_statement(&mut self, pattern: &'a Pattern, iterable: &'a Expr, body: &'a Block) {
        let iterable = self.value(iterable);
        self.scopes.enter();
        let item = match &pattern.kind {
            PatternKind::Ident(name) => {
                let item = self.scopes.fresh(name, self.globals);
                self.scopes.bind(name, item.clone(), false);
                item
            }
            _ => self.scopes.fresh("item", self.globals),
        };
        let head = Code::from("for (const ").then(&*item).then(" of ");
        self.line(head.then(iterable.code).then(") {"));
        self.looping(|it| {
            it.indented(|it| {
                it.destructure_item(pattern, &item);
                it.block(body, &Place::Nothing);
            });
        });
        self.line("}");
        self.scopes.leave();
    }

    fn destructure_item(&mut self, pattern: &'a Pattern, item: &str) {
        if !matches!(pattern.kind, PatternKind::Ident(_)) {
            self.destructure(pattern, item, false);
        }
    }

    /// Emits a `while` loop. Statements that the condition needs are part of the loop.
    fn while_statement(&mut self, condition: &'a Expr, body: &'a Block) {
        let (value, lines) = self.captured(|it| it.value(condition));
        if lines.is_empty() {
            let head = Code::from("while (").then(value.code).then(")");
            self.looping(|it| it.braced(head, body, &Place::Nothing));
        } else {
            self.line("while (true) {");
            self.indented(|it| {
                it.place_lines(lines);
                let test = Code::from("if (!").then(value.at(Level::Unary));
                it.line(test.then(") break;"));
                it.looping(|it| it.block(body, &Place::Nothing));
            });
        }
        self.line("}");
    }

    /// `return` leaves the function even from within a lambda.
    fn return_statement(&mut self, value: Option<&'a Expr>) {
        if self.function.lambdas == 0 {
            match value {
                Some(value) => self.statements(value, &Place::Return),
                None => self.line("return;"),
            }
            return;
        }
        let value = match value {
            Some(value) => self.value(value),
            None => Value::undefined(),
        };
        let frame = match &self.function.frame {
            Some(frame) => frame.clone(),
            None => self.scopes.fresh("frame", self.globals),
        };
        self.function.frame = Some(frame.clone());
        let escape = call("__clank.escape", [Code::from(&*frame), value.code]);
        self.line(Code::from("return ").then(escape.code).then(";"));
    }

    fn jump(&mut self, keyword: &str) {
        if self.function.loops > 0 {
            self.line(format!("{keyword};"));
        } else {
            let message = quoted(&format!("`{keyword}` outside of a loop"));
            self.line(format!("__clank.panic({message});"));
        }
    }
}

/// Whether the last statement always leaves the block.
fn always_leaves(block: &Block) -> bool {
    matches!(
        block.statements.last().map(|it| &it.kind),
        Some(StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue)
    )
}

fn starts_like_a_statement(text: &str) -> bool {
    text.starts_with('{') || text.starts_with("function")
}
