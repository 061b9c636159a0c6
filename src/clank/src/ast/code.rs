//! A walk over the code of a body. It skips patterns, and visits types only for their predicates,
//! so it is much cheaper than a walk over the whole tree.

use super::{Block, Expr, ExprKind, NodeRef, Stmt, StmtKind, TypeExpr, TypeKind};

impl<'a> NodeRef<'a> {
    /// Calls `visit` on this node's blocks, statements and expressions, parents first.
    pub fn each_code(self, visit: &mut impl FnMut(NodeRef<'a>)) {
        self.any_code(&mut |node| {
            visit(node);
            false
        });
    }

    /// Whether `is_one` accepts one of this node's blocks, statements or expressions. Stops at the
    /// first match.
    pub fn any_code(self, is_one: &mut impl FnMut(NodeRef<'a>) -> bool) -> bool {
        match self {
            Self::Block(it) => is_one(self) || block(&it.kind, is_one),
            Self::Stmt(it) => stmt(it, is_one),
            Self::Expr(it) => expr(it, is_one),
            Self::Type(it) => predicates(it, is_one),
            _ => {
                let mut found = false;
                self.children(&mut |_, child| found = found || child.any_code(&mut *is_one));
                found
            }
        }
    }
}

fn block<'a>(it: &'a Block, is_one: &mut impl FnMut(NodeRef<'a>) -> bool) -> bool {
    it.statements.iter().any(|it| stmt(it, is_one))
        || it.tail.as_ref().is_some_and(|it| expr(it, is_one))
}

fn stmt<'a>(it: &'a Stmt, is_one: &mut impl FnMut(NodeRef<'a>) -> bool) -> bool {
    if is_one(NodeRef::Stmt(it)) {
        return true;
    }
    match &it.kind {
        StmtKind::Let { ty, init, .. } => {
            ty.as_ref().is_some_and(|ty| predicates(ty, is_one)) || expr(init, is_one)
        }
        StmtKind::Assign { target, value } => expr(target, is_one) || expr(value, is_one),
        StmtKind::For { iterable, body, .. } => {
            expr(iterable, is_one) || NodeRef::Block(body).any_code(is_one)
        }
        StmtKind::While { condition, body } => {
            expr(condition, is_one) || NodeRef::Block(body).any_code(is_one)
        }
        StmtKind::Loop(body) => NodeRef::Block(body).any_code(is_one),
        StmtKind::Expr(it)
        | StmtKind::Return(Some(it))
        | StmtKind::Assert { condition: it, .. } => expr(it, is_one),
        StmtKind::Return(None) | StmtKind::Break | StmtKind::Continue => false,
    }
}

fn expr<'a>(it: &'a Expr, is_one: &mut impl FnMut(NodeRef<'a>) -> bool) -> bool {
    if is_one(NodeRef::Expr(it)) {
        return true;
    }
    match &it.kind {
        ExprKind::Literal(_) | ExprKind::Ident(_) | ExprKind::Hole(_) => false,
        ExprKind::Unary { operand: it, .. }
        | ExprKind::Field { object: it, .. }
        | ExprKind::Propagate(it) => expr(it, is_one),
        ExprKind::Binary { left, right, .. } => expr(left, is_one) || expr(right, is_one),
        ExprKind::Call { callee, args } => {
            expr(callee, is_one) || args.iter().any(|it| expr(it, is_one))
        }
        ExprKind::Index { object, index } => expr(object, is_one) || expr(index, is_one),
        ExprKind::Lambda { params, body } => {
            let mut types = params.iter().filter_map(|it| it.ty.as_ref());
            types.any(|ty| predicates(ty, is_one)) || expr(body, is_one)
        }
        ExprKind::If {
            condition,
            then_branch,
            else_branch,
        } => {
            expr(condition, is_one)
                || NodeRef::Block(then_branch).any_code(is_one)
                || else_branch.as_ref().is_some_and(|it| expr(it, is_one))
        }
        ExprKind::Match { scrutinee, arms } => {
            expr(scrutinee, is_one)
                || arms.iter().any(|arm| {
                    arm.guard.as_ref().is_some_and(|it| expr(it, is_one)) || expr(&arm.body, is_one)
                })
        }
        ExprKind::Block(it) => block(it, is_one),
        ExprKind::Array(parts) | ExprKind::Tuple(parts) => parts.iter().any(|it| expr(it, is_one)),
        ExprKind::Record(fields) => fields.iter().any(|it| expr(&it.value, is_one)),
        ExprKind::Range { start, end, .. } => expr(start, is_one) || expr(end, is_one),
    }
}

fn predicates<'a>(it: &'a TypeExpr, is_one: &mut impl FnMut(NodeRef<'a>) -> bool) -> bool {
    if matches!(&it.kind, TypeKind::Named { args, .. } if args.is_empty()) {
        return false;
    }
    let mut found = false;
    NodeRef::Type(it).each(&mut |node| {
        found = found || matches!(node, NodeRef::Expr(_)) && is_one(node);
    });
    found
}

#[cfg(test)]
mod tests {
    use crate::ast::NodeRef;
    use crate::parse::parse;

    #[test]
    fn the_code_walk_has_the_order_of_the_full_walk() {
        let text = "fn f(xs: [Int], t: (Int, Bool)) -> Int {\n\
            let y: Int{v | v > 0 && g(v)} = 1 |> g;\n\
            let mut z: [Int{w | w > -1}] = [1, 2];\n\
            for (a, b) in [t] { z[0] = a; };\n\
            while !t[1] { break; };\n\
            loop { if y > 0 { return y } else if z[0] == 1 { continue } else { {}; } };\n\
            assert y > 0;\n\
            let h = \\(q: Int{q > 0}, r) -> { r(q)? };\n\
            match t { (0, true) if y > 1 -> t.x, (n, _) -> (n, \"a\")[0] }\n}";
        let parsed = parse("a.clank", text);
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        let program = NodeRef::Program(&parsed.ast.program);
        let mut all = Vec::new();
        program.each(&mut |node| {
            if matches!(
                node,
                NodeRef::Block(_) | NodeRef::Stmt(_) | NodeRef::Expr(_)
            ) {
                all.push(node.id());
            }
        });
        let mut code = Vec::new();
        program.each_code(&mut |node| code.push(node.id()));
        assert_eq!(code, all);
        assert!(code.len() > 60, "{}", code.len());
        for (at, id) in all.iter().enumerate() {
            let mut asked = 0;
            let is_found = program.any_code(&mut |node| {
                asked += 1;
                node.id() == *id
            });
            assert!(is_found && asked == at + 1);
        }
    }
}
