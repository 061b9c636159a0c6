//! Repairs that change a signature because all calls agree: `add_param` and `add_refinement`.

use std::collections::{BTreeSet, HashMap, HashSet};

use fixpoint_report::{Confidence, Kind, Safety};
use serde_json::json;

use super::Rows;
use crate::ast::{BinaryOp, DeclKind, Expr, ExprKind, NodeId, NodeRef, Signature, StmtKind};
use crate::diagnostic::{Code, Strategy};
use crate::names::{Def, TypeDef, TypeRef};
use crate::repair::draft::Draft;
use crate::repair::op::{NamedType, PatchOp};
use crate::result::Obligation;
use crate::types::{Ty, TyKind};

/// How the program uses its declarations.
#[derive(Default)]
pub(super) struct Calls<'a> {
    of: HashMap<Def, Vec<&'a Expr>>,
    pub used: HashSet<Def>,
    pub used_types: HashSet<TypeDef>,
    /// Record literals.
    pub literals: Vec<&'a Expr>,
}

impl<'a> Calls<'a> {
    pub fn of(&self, def: Def) -> &[&'a Expr] {
        self.of.get(&def).map(Vec::as_slice).unwrap_or_default()
    }
}

impl<'a> Rows<'_, 'a> {
    pub(super) fn declarations(&mut self) {
        if self.result.diagnostics.is_empty() && self.result.obligations.is_empty() {
            return;
        }
        let calls = self.calls();
        self.renamed_declarations(&calls);
        self.added_params(&calls);
        self.added_fields(&calls);
        self.renamed_fields();
        self.added_refinements(&calls);
    }

    fn calls(&self) -> Calls<'a> {
        let names = &self.result.typing.names;
        let mut calls = Calls::default();
        calls.used.extend(names.in_templates.iter().copied());
        NodeRef::Program(&self.tree.ast.program).each(&mut |node| {
            if let NodeRef::Type(ty) = node
                && let Some(TypeRef::Declared(def)) = names.of_type(ty.id)
            {
                calls.used_types.insert(def);
            }
            if let NodeRef::Pattern(pattern) = node {
                calls.used.extend(names.of_use(pattern.id));
            }
            if let NodeRef::Expr(expr) = node {
                if matches!(expr.kind, ExprKind::Record(_)) {
                    calls.literals.push(expr);
                }
                calls.used.extend(names.of_use(expr.id));
                if let Some(def) = self.called(expr) {
                    calls.of.entry(def).or_default().push(expr);
                }
            }
        });
        calls
    }

    /// A parameter is added if every call of a function passes one argument too many, of one type.
    fn added_params(&mut self, calls: &Calls<'a>) {
        let groups = self.grouped(|it| {
            let call = self
                .tree
                .expr(it.node.filter(|_| it.code == Code::E2002)?)?;
            match self.called(call)? {
                Def::Function(at) => Some(at),
                _ => None,
            }
        });
        let mut drafts = Vec::new();
        for (at, places) in groups {
            drafts.extend(self.added_param(at, &places, calls));
        }
        drafts.into_iter().for_each(|it| self.alternatives([it]));
    }

    fn added_param(&self, at: usize, places: &[usize], calls: &Calls<'a>) -> Option<Draft> {
        let (fn_id, signature) = self.own_function(at)?;
        let calls = calls.of(Def::Function(at));
        let given = signature.params.len();
        let mut types = BTreeSet::new();
        let mut names = BTreeSet::new();
        for call in calls {
            let ExprKind::Call { args, .. } = &call.kind else {
                return None;
            };
            let extra = args.get(given).filter(|_| args.len() == given + 1)?;
            types.insert(self.known_type(extra.id)?);
            names.insert(match &extra.kind {
                ExprKind::Ident(name) => name.to_string(),
                _ => "added".to_owned(),
            });
        }
        let (ty, name) = (types.pop_first()?, names.pop_first()?);
        // A call that is not reported does not pass the argument.
        if !types.is_empty() || calls.len() != places.len() {
            return None;
        }
        let name = if names.is_empty() {
            name
        } else {
            "added".to_owned()
        };
        let uses = self.uses_around(fn_id)?;
        // Nothing reads it yet.
        let name = uses.free(&format!("_{}", name.trim_start_matches('_')));
        let function = &signature.name.text;
        let edit = PatchOp::AddParam {
            fn_id: self.tree.name(fn_id),
            param: NamedType {
                name: name.clone(),
                ty: json!({ "source": ty }),
            },
            position: None,
        };
        let title = format!("Add parameter '{name}' to '{function}'");
        let why = format!("Every call of '{function}' passes one more argument of type '{ty}'");
        let (safety, confidence) = (Safety::BehaviorChanging, Confidence::Medium);
        let draft = Draft::new(title, safety, confidence, vec![edit])
            .resolves(Code::E2002, places.iter().copied())
            .because(why);
        Some(Draft {
            kind: Kind::Refactor,
            ..draft
        })
    }

    /// A parameter is refined by the goal of an obligation, if the function has callers. Verification
    /// drops the repair unless all of them prove the goal.
    fn added_refinements(&mut self, calls: &Calls<'a>) {
        let mut drafts = Vec::new();
        for (at, obligation) in self.result.obligations.iter().enumerate() {
            let is_about_param =
                |it: &&crate::diagnostic::Hint| it.strategy == Strategy::RefineParam;
            let Some(template) = obligation.hints.iter().find(is_about_param) else {
                continue;
            };
            let draft = self.added_refinement(obligation, template.template.as_deref(), calls);
            drafts.extend(draft.map(|it| Draft {
                obligations: vec![at],
                ..it
            }));
        }
        drafts.into_iter().for_each(|it| self.alternatives([it]));
    }

    fn added_refinement(
        &self,
        obligation: &Obligation,
        template: Option<&str>,
        calls: &Calls<'a>,
    ) -> Option<Draft> {
        let (node, goal) = (obligation.node, &obligation.goal);
        let (name, _) = template?.split_once(':')?;
        let (at, _) = self.tree.decl_of(node)?;
        let (_, signature) = self.own_function(at)?;
        let param = signature.params.iter().find(|it| it.name.text == name)?;
        if calls.of(Def::Function(at)).is_empty() {
            return None;
        }
        let edit = PatchOp::AddRefinement {
            type_id: self.tree.name(param.ty.id),
            predicate: json!({ "source": goal }),
        };
        let title = format!("Require {goal} of the callers");
        let why = format!(
            "Every caller of '{}' already proves {goal}",
            signature.name.text
        );
        let (safety, confidence) = (Safety::LikelyPreserving, Confidence::Medium);
        let draft = Draft::new(title, safety, confidence, vec![edit]).because(why);
        Some(Draft {
            kind: Kind::Refactor,
            ..draft
        })
    }

    fn own_function(&self, at: usize) -> Option<(NodeId, &'a Signature)> {
        let ast = self.tree.ast;
        let decl = ast.program.declarations.get(at)?;
        match &decl.kind {
            DeclKind::Fn(function) if at >= ast.links.imported() => {
                Some((decl.id, &function.signature))
            }
            _ => None,
        }
    }

    fn called(&self, call: &Expr) -> Option<Def> {
        match &call.kind {
            ExprKind::Call { callee, .. } => self.result.typing.names.of_use(callee.id),
            _ => None,
        }
    }

    /// The type of a node as text, if it is fully known.
    pub(super) fn known_type(&self, node: NodeId) -> Option<String> {
        let typing = &self.result.typing;
        self.shown(typing.of_node(node)?)
    }

    /// A type as text, if it is fully known.
    pub(super) fn shown(&self, ty: Ty) -> Option<String> {
        let typing = &self.result.typing;
        let text = typing.show(typing.arena.base(ty));
        (!text.contains('?')).then_some(text)
    }

    /// The type that the context of an expression requires.
    pub(super) fn expected_at(&self, expr: &Expr) -> Option<String> {
        let typing = &self.result.typing;
        match self.tree.parent(expr.id)? {
            NodeRef::Expr(above) => match &above.kind {
                ExprKind::Binary { op, left, right } if *op != BinaryOp::Pipe => {
                    let other = if left.id == expr.id { right } else { left };
                    self.known_type(other.id)
                }
                ExprKind::Call { callee, args } => {
                    let at = args.iter().position(|it| it.id == expr.id)?;
                    let function = typing.arena.base(typing.of_node(callee.id)?);
                    match typing.arena.kind(function) {
                        TyKind::Function { params, .. } => self.shown(*params.get(at)?),
                        _ => None,
                    }
                }
                _ => None,
            },
            NodeRef::Stmt(statement) => match &statement.kind {
                StmtKind::Let { ty: Some(ty), .. } => self.known_type(ty.id),
                StmtKind::Return(_) => self.returned_around(expr.id),
                _ => None,
            },
            NodeRef::Block(block) => {
                let is_body = matches!(self.tree.parent(block.id)?, NodeRef::Decl(_));
                is_body.then(|| self.returned_around(expr.id)).flatten()
            }
            _ => None,
        }
    }

    fn returned_around(&self, node: NodeId) -> Option<String> {
        let (at, _) = self.tree.decl_of(node)?;
        let (_, signature) = self.own_function(at)?;
        self.known_type(signature.return_type.id)
    }
}
