//! Effects that a function has but does not declare: E4001, E4002.

use std::collections::{BTreeMap, BTreeSet};

use fixpoint_report::{Confidence, Kind, Safety};
use rustc_hash::FxHashMap as HashMap;

use super::Rows;
use crate::ast::{DeclKind, NodeId, NodeRef, Stmt, StmtKind};
use crate::diagnostic::{Code, Payload};
use crate::json::node_json;
use crate::names::Def;
use crate::repair::draft::Draft;
use crate::repair::op::PatchOp;
use crate::repair::precondition::{Expectation, Precondition, node_digest};
use crate::types::Effects;

/// The maximum number of required repairs. Beyond it, a repair includes their changes itself.
const MAX_REQUIRED: usize = 16;

/// A function that has an effect and does not declare it.
struct MissingEffect<'a> {
    effect: &'a str,
    function: usize,
    /// Indices of the diagnostics that report it.
    places: Vec<usize>,
    /// The function and its transitive callers that do not declare the effect.
    widened: BTreeSet<usize>,
}

impl MissingEffect<'_> {
    fn reaches(&self, other: &Self) -> bool {
        self.effect == other.effect && self.widened.contains(&other.function)
    }
}

/// All missing effects, in the order of their diagnostics.
#[derive(Default)]
struct MissingEffects<'a> {
    all: Vec<MissingEffect<'a>>,
    places: HashMap<(&'a str, usize), usize>,
}

impl<'a> MissingEffects<'a> {
    fn push(&mut self, missing: MissingEffect<'a>) {
        let place = (missing.effect, missing.function);
        self.places.insert(place, self.all.len());
        self.all.push(missing);
    }

    /// Ascending indices of the entries that one entry reaches, which may include itself.
    fn reached_by(&self, missing: &MissingEffect<'a>) -> Vec<usize> {
        let functions = missing.widened.iter();
        let places = functions.filter_map(|it| self.places.get(&(missing.effect, *it)).copied());
        let mut places: Vec<usize> = places.collect();
        places.sort_unstable();
        places
    }

    /// The entries whose repairs an entry requires, in the order they must be applied.
    fn required(&self, at: usize) -> Vec<usize> {
        let mut required = self.reached_by(&self.all[at]);
        required.retain(|it| *it != at);
        if required.len() > MAX_REQUIRED {
            return Vec::new();
        }
        // An entry that requires another one reaches more functions than that one does.
        required.sort_by_key(|it| self.all[*it].widened.len());
        required
    }
}

impl<'a> Rows<'_, 'a> {
    /// Proposes to declare missing effects. Declaring an effect makes the callers lack it.
    ///
    /// A caller with a diagnostic of its own has its own repair, which becomes a requirement. The
    /// other callers are widened by this repair, so that it does not replace one error with
    /// another.
    pub(super) fn effects(&mut self) {
        let missing_effects = self.missing_effects();
        for (at, missing) in missing_effects.all.iter().enumerate() {
            let mut widening = self.widening(missing, self.widenings(&missing_effects, at));
            for other in missing_effects.required(at) {
                let edits = self.widenings(&missing_effects, other);
                widening
                    .preconditions
                    .push(declared(missing.effect, &edits));
                widening.after.push(edits);
            }
            let removal = self.removal(missing);
            self.alternatives([widening].into_iter().chain(removal));
        }
    }

    fn missing_effects(&self) -> MissingEffects<'a> {
        let groups = self.grouped(|it| match &it.payload {
            Payload::EffectNotAllowed {
                effect,
                function_node_id,
                ..
            }
            | Payload::UnhandledEffect {
                effect,
                function_node_id,
                ..
            } => Some((function_node_id.as_str(), effect.as_str())),
            _ => None,
        });
        let mut missing_effects = MissingEffects::default();
        if groups.is_empty() {
            return missing_effects;
        }
        let callers = self.callers();
        for ((id, effect), places) in groups {
            let node = self.tree.find(id).ok();
            let Some((function, _)) = node.and_then(|it| self.tree.decl_of(it.id())) else {
                continue;
            };
            let missing = MissingEffect {
                effect,
                function,
                places,
                widened: self.lacking(function, effect, &callers),
            };
            // Mutually recursive functions can only be widened together.
            let mut reached = missing_effects.reached_by(&missing).into_iter();
            match reached.find(|it| missing_effects.all[*it].reaches(&missing)) {
                Some(known) => missing_effects.all[known].places.extend(missing.places),
                None => missing_effects.push(missing),
            }
        }
        missing_effects
    }

    /// The changes that a repair makes in addition to the repairs it requires.
    fn widenings(&self, missing_effects: &MissingEffects<'_>, at: usize) -> Vec<PatchOp> {
        let required = missing_effects.required(at);
        let missing = &missing_effects.all[at];
        let is_in = |at: &usize, it: &usize| missing_effects.all[*at].widened.contains(it);
        let by_others = |it: &usize| required.iter().any(|at| is_in(at, it));
        let rest = missing.widened.iter().copied();
        let rest = rest.filter(|it| *it != missing.function && !by_others(it));
        let declarations = &self.tree.ast.program.declarations;
        [missing.function]
            .into_iter()
            .chain(rest)
            .filter_map(|it| declarations.get(it))
            .map(|it| PatchOp::WidenEffect {
                fn_id: self.tree.name(it.id),
                add_effects: vec![missing.effect.to_owned()],
            })
            .collect()
    }

    fn widening(&self, missing: &MissingEffect<'_>, edits: Vec<PatchOp>) -> Draft {
        let effect = missing.effect;
        let title = match edits.len() {
            1 => format!("Add {effect} effect to function"),
            2 => format!("Add {effect} effect to function and 1 caller"),
            count => format!("Add {effect} effect to function and {} callers", count - 1),
        };
        let reasons = self.reasons(missing);
        let which = if reasons.len() == 1 {
            "requires"
        } else {
            "require"
        };
        let reasons = reasons.join(" and ");
        let (safety, confidence) = (Safety::LikelyPreserving, Confidence::Medium);
        let draft = Draft::new(title, safety, confidence, edits);
        self.about(
            missing,
            draft.because(format!("Function {reasons} which {which} {effect} effect")),
        )
    }

    /// Proposes to delete the statements that only have this effect, so that the function need not
    /// declare it.
    fn removal(&self, missing: &MissingEffect<'_>) -> Option<Draft> {
        let mut statements: Vec<&Stmt> = Vec::new();
        for at in &missing.places {
            let node = self.result.diagnostics.get(*at)?.node?;
            match self.tree.parent(node)? {
                NodeRef::Stmt(it) if matches!(&it.kind, StmtKind::Expr(it) if it.id == node) => {
                    statements.push(it);
                }
                _ => return None,
            }
        }
        let edits = statements.iter().map(|it| PatchOp::DeleteNode {
            node_id: self.tree.name(it.id),
        });
        let effect = missing.effect;
        let title = match statements.len() {
            1 => format!("Remove the call that has {effect} effect"),
            count => format!("Remove {count} calls that have {effect} effect"),
        };
        let reasons = self.reasons(missing).join(" and ");
        let why = format!("Function {reasons} for {effect} effect only, which it does not declare");
        let (safety, confidence) = (Safety::BehaviorChanging, Confidence::Low);
        let draft = Draft::new(title, safety, confidence, edits.collect()).because(why);
        let ids: Vec<NodeId> = statements.iter().map(|it| it.id).collect();
        let draft = Draft {
            kind: Kind::SemanticsChange,
            preconditions: vec![self.unchanged("The removed nodes are unchanged", &ids)],
            ..draft
        };
        Some(self.about(missing, draft))
    }

    fn about(&self, missing: &MissingEffect<'_>, draft: Draft) -> Draft {
        let found = missing.places.iter();
        let found = found.filter_map(|at| self.result.diagnostics.get(*at));
        let codes: BTreeSet<Code> = found.map(|it| it.code).collect();
        Draft {
            diagnostics: missing.places.clone(),
            codes: codes.into_iter().collect(),
            ..draft
        }
    }

    /// The distinct reasons why the function has the effect.
    fn reasons(&self, missing: &MissingEffect<'_>) -> Vec<String> {
        let mut reasons: Vec<String> = Vec::new();
        for at in &missing.places {
            let payload = self.result.diagnostics.get(*at).map(|it| &it.payload);
            let reason = match payload {
                Some(Payload::EffectNotAllowed {
                    callee: Some(callee),
                    ..
                }) => format!("calls {callee}()"),
                Some(Payload::EffectNotAllowed { .. }) => "calls a function".to_owned(),
                _ => "uses '?'".to_owned(),
            };
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons
    }

    /// A precondition that nodes of the canonical program are unchanged.
    fn unchanged(&self, description: &str, nodes: &[NodeId]) -> Precondition {
        let mut expects = Vec::new();
        let decls = nodes.iter().filter_map(|it| self.tree.decl_of(*it));
        let decls: BTreeSet<usize> = decls.map(|it| it.0).collect();
        let canonical = &self.result.canonical.declarations;
        for decl in decls.into_iter().filter_map(|it| canonical.get(it)) {
            NodeRef::Decl(decl).each(&mut |node| {
                if nodes.contains(&node.id()) {
                    let digest = node_digest(&node_json(node, self.tree.ast));
                    expects.push(Expectation::Unchanged {
                        node_id: self.tree.name(node.id()),
                        sha256: digest.to_string(),
                    });
                }
            });
        }
        Precondition {
            description: description.to_owned(),
            depends_on: Vec::new(),
            expects,
        }
    }

    /// The functions that call each function or pass it as a value.
    fn callers(&self) -> BTreeMap<usize, BTreeSet<usize>> {
        let mut callers: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        let names = &self.result.typing.names;
        for (caller, decl) in self.tree.ast.program.declarations.iter().enumerate() {
            NodeRef::Decl(decl).each(&mut |node| {
                if let NodeRef::Expr(expr) = node
                    && let Some(Def::Function(at)) = names.of_use(expr.id)
                {
                    callers.entry(at).or_default().insert(caller);
                }
            });
        }
        callers
    }

    /// The function and its transitive callers that do not declare the effect.
    fn lacking(
        &self,
        function: usize,
        effect: &str,
        callers: &BTreeMap<usize, BTreeSet<usize>>,
    ) -> BTreeSet<usize> {
        let declarations = &self.tree.ast.program.declarations;
        let typing = &self.result.typing;
        let mut found = BTreeSet::from([function]);
        let mut waiting = vec![function];
        while let Some(here) = waiting.pop() {
            for caller in callers.get(&here).into_iter().flatten() {
                let Some(decl) = declarations.get(*caller) else {
                    continue;
                };
                let declared = typing.of_node(decl.id).map(|it| typing.effects_of(it));
                let lacks = !declared.unwrap_or_default().contains(Effects::of(effect));
                let is_function = matches!(decl.kind, DeclKind::Fn(_));
                if lacks && is_function && found.insert(*caller) {
                    waiting.push(*caller);
                }
            }
        }
        found
    }
}

/// A precondition that functions declare an effect.
fn declared(effect: &str, edits: &[PatchOp]) -> Precondition {
    let functions: Vec<String> = edits.iter().map(|it| it.target().to_owned()).collect();
    let expects = functions.iter().map(|it| Expectation::Declares {
        node_id: it.clone(),
        effects: vec![effect.to_owned()],
    });
    Precondition {
        description: format!("Callers declare {effect} effect"),
        expects: expects.collect(),
        depends_on: functions,
    }
}
