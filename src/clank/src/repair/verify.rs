//! Verifies drafts by applying them in memory before they are proposed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use fixpoint_engine::trial::Batches;
use serde_json::{Value, json};

use super::draft::Draft;
use super::lower::{TextEdit, TextLayout, edited, lower};
use super::op::PatchOp;
use super::patch;
use super::problems::{Class, Problem, Problems, ProblemsByDecl, promised_by};
use super::same::same;
use super::slice::Slices;
use super::tree::Tree;
use crate::ast::{Ast, Decl, NodeRef};
use crate::compile::check_only;
use crate::diagnostic::Code;
use crate::json::read_part;
use crate::parallel::both;
use crate::parse::parse;
use crate::result::CompileResult;

/// From this number of parts on, a second thread is used.
const MIN_PARTS_FOR_TWO_THREADS: usize = 32;

/// The maximum number of parts that are checked together. More parts would need memory that is not
/// at hand.
const MAX_PARTS_TOGETHER: usize = 32;

/// The outcome of trying a draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// Resolves everything it promised and adds no problem.
    Clean,
    /// Resolves everything it promised but uncovers problems that were hidden. No class total,
    /// including the classes before it, exceeds the total before. The array contains these
    /// cumulative totals.
    Reveals([usize; 4]),
    Fails,
}

/// Ops, and the declarations that they can affect.
pub(super) struct Part {
    pub full: BTreeSet<usize>,
    pub ops: Vec<PatchOp>,
}

/// The patched declarations of a part, by index, and the same declarations as parsed from the
/// edited text.
struct Patched {
    decls: BTreeMap<usize, Value>,
    written: BTreeMap<usize, Decl>,
}

pub(super) struct Trial<'t, 'a> {
    result: &'a CompileResult,
    pub tree: &'t Tree<'a>,
    slices: &'t Slices<'t, 'a>,
    layout: Option<TextLayout<'a>>,
    problems: ProblemsByDecl,
}

impl<'t, 'a> Trial<'t, 'a> {
    pub fn of(result: &'a CompileResult, tree: &'t Tree<'a>, slices: &'t Slices<'t, 'a>) -> Self {
        let text = tree.ast.source.text();
        Self {
            result,
            tree,
            slices,
            layout: (!text.is_empty()).then(|| TextLayout::of(text)),
            problems: ProblemsByDecl::of(result, tree),
        }
    }

    pub fn reach(&self, ops: &[PatchOp]) -> BTreeSet<usize> {
        self.slices.reach(ops)
    }

    /// The number of diagnostics and of obligations in a declaration.
    pub fn count(&self, decl: usize) -> (usize, usize) {
        self.problems.count(decl)
    }

    /// The outcome of a single draft.
    pub fn outcome(&self, draft: &Draft, full: BTreeSet<usize>) -> Outcome {
        let first = draft.after.concat();
        let all = [first.as_slice(), &draft.edits].concat();
        let before = if first.is_empty() {
            Some(self.problems.of_all(&full))
        } else {
            let full = full.clone();
            let part = Part { full, ops: first };
            self.after(&[part]).pop().flatten()
        };
        let after = self.after(&[Part { full, ops: all }]).pop().flatten();
        match (before, after) {
            (Some(before), Some(after)) => {
                let promised = promised_by(self.result, &draft.delta());
                judge(&before, &after, &promised)
            }
            _ => Outcome::Fails,
        }
    }

    /// The outcome of each list, whose drafts are applied together. Each list has its own
    /// declaration and changes only its body.
    pub fn outcomes(&self, lists: &[(usize, Vec<&Draft>)]) -> Vec<Outcome> {
        let parts = lists.iter().map(|(decl, drafts)| Part {
            full: BTreeSet::from([*decl]),
            ops: drafts.iter().flat_map(|it| it.edits.clone()).collect(),
        });
        let parts: Vec<Part> = parts.collect();
        let judged = lists.iter().zip(&parts).zip(self.after(&parts));
        let judged = judged.map(|(((_, drafts), part), after)| {
            let Some(after) = after else {
                return Outcome::Fails;
            };
            let mut promised = Problems::new();
            for draft in drafts {
                for (problem, count) in promised_by(self.result, &draft.delta()) {
                    *promised.entry(problem).or_default() += count;
                }
            }
            judge(&self.problems.of_all(&part.full), &after, &promised)
        });
        judged.collect()
    }

    /// The problems of each part after its ops. `None` if the ops cannot be applied, or if the
    /// edited text and the patched tree differ.
    fn after(&self, parts: &[Part]) -> Vec<Option<Problems>> {
        if parts.len() >= MIN_PARTS_FOR_TWO_THREADS {
            let (left, right) = parts.split_at(parts.len() / 2);
            let (mut left, right) = both(|| self.some_after(left), || self.some_after(right));
            left.extend(right);
            return left;
        }
        self.some_after(parts)
    }

    fn some_after(&self, parts: &[Part]) -> Vec<Option<Problems>> {
        let few = parts.chunks(MAX_PARTS_TOGETHER).map(|parts| {
            let patched: Vec<Option<Patched>> = parts.iter().map(|it| self.patched(it)).collect();
            let parts = parts.iter().zip(&patched).enumerate();
            let parts = parts.filter_map(|(at, (part, it))| Some((at, part, it.as_ref()?)));
            let mut problems: Vec<Option<Problems>> = patched.iter().map(|_| None).collect();
            // A batch cannot be checked if one of its parts is not a valid program.
            let mut batches = Batches::of(parts.collect());
            while let Some(batch) = batches.take() {
                match self.checked(&batch) {
                    Some(checked) => {
                        for ((at, ..), found) in batch.into_iter().zip(checked) {
                            problems[at] = found;
                        }
                    }
                    None => {
                        batches.halve(batch);
                    }
                }
            }
            problems
        });
        few.flatten().collect()
    }

    /// The problems of each part in one program of all parts. `None` if it is not a valid program.
    fn checked(&self, parts: &[(usize, &Part, &Patched)]) -> Option<Vec<Option<Problems>>> {
        let full = parts.iter().flat_map(|it| it.1.full.iter().copied());
        let ops = parts.iter().flat_map(|it| &it.1.ops);
        let slice = self.slices.slice(full.collect(), ops);
        let new: BTreeMap<usize, &Value> = parts
            .iter()
            .flat_map(|it| it.2.decls.iter().map(|(at, decl)| (*at, decl)))
            .collect();
        let kept: Vec<Arc<Value>> = slice
            .iter()
            .filter(|it| !new.contains_key(&it.0))
            .map(|(at, with_body)| self.slices.decl(*at, *with_body))
            .collect();
        let mut kept_next = kept.iter();
        let decls = slice
            .iter()
            .filter_map(|(at, _)| new.get(at).copied().or_else(|| Some(kept_next.next()?)));
        let mut ast = read_part(decls).ok()?;
        ast.links = self.tree.ast.links.of_part();
        let found = check_only(&mut ast);
        let places: Vec<usize> = slice.iter().map(|it| it.0).collect();
        let problems = ProblemsByDecl::of_part(&ast, &found, &places);
        let checked = parts.iter().map(|(_, part, patched)| {
            says_the_same(&ast, &places, patched).then(|| problems.of_all(&part.full))
        });
        Some(checked.collect())
    }

    fn patched(&self, part: &Part) -> Option<Patched> {
        let decls: Vec<Value> = part.full.iter().map(|it| self.slices.whole(*it)).collect();
        let program = json!({"kind": "program", "declarations": decls});
        let mut program = patch::patched(program, &part.ops).ok()?;
        let decls = program.get_mut("declarations")?.as_array_mut()?;
        if decls.len() != part.full.len() {
            return None;
        }
        let mut written = BTreeMap::new();
        if let Some(layout) = &self.layout {
            let edits = lower(self.tree, layout, &part.ops).ok()?;
            for at in &part.full {
                if let Some(decl) = self.written(*at, &edits)? {
                    written.insert(*at, decl);
                }
            }
        }
        let decls = part.full.iter().copied().zip(std::mem::take(decls));
        Some(Patched {
            decls: decls.collect(),
            written,
        })
    }

    /// The declaration parsed from the edited text. `Some(None)` if no edit touches it, and `None`
    /// if the text is not one declaration.
    fn written(&self, at: usize, edits: &[TextEdit]) -> Option<Option<Decl>> {
        let old = self.tree.ast.program.declarations.get(at)?;
        let first = edits.partition_point(|it| it.span.start() < old.span.start());
        let touched: Vec<_> = edits
            .iter()
            .skip(first)
            .take_while(|it| it.span.start() <= old.span.end())
            .filter(|it| it.span.end() <= old.span.end())
            .map(|it| {
                let start = it.span.start() - old.span.start();
                let mut edit = it.clone();
                edit.span = (start..start + it.span.len()).into();
                edit
            })
            .collect();
        if touched.is_empty() {
            return Some(None);
        }
        let text = edited(self.tree.ast.source.slice(old.span), &touched)?;
        let mut parsed = parse("", &text);
        let decl = parsed.ast.program.declarations.pop()?;
        let is_one = parsed.ast.program.declarations.is_empty() && parsed.errors.is_empty();
        is_one.then_some(Some(decl))
    }
}

fn says_the_same(ast: &Ast, places: &[usize], patched: &Patched) -> bool {
    patched.written.iter().all(|(at, written)| {
        let place = places.binary_search(at).ok();
        let decl = place.and_then(|it| ast.program.declarations.get(it));
        decl.is_some_and(|it| same(NodeRef::Decl(written), NodeRef::Decl(it)))
    })
}

/// Compares problems before and after a repair with what it promised.
fn judge(before: &Problems, after: &Problems, promised: &Problems) -> Outcome {
    let count = |problems: &Problems, it: &Problem| problems.get(it).copied().unwrap_or_default();
    let mut promises = promised.iter();
    if !promises.all(|(it, times)| count(after, it) + times <= count(before, it)) {
        return Outcome::Fails;
    }
    // A repair of an error may leave a variable unread that a broken part was meant to read.
    let repairs_error = promised.keys().any(|it| it.0 == Class::Error);
    let is_unused = |it: &Problem| repairs_error && it.1.starts_with(Code::W0001.text());
    let mut remaining = after.iter();
    if remaining.all(|(it, times)| *times <= count(before, it) || is_unused(it)) {
        return Outcome::Clean;
    }
    let total = |problems: &Problems, class: Class| -> usize {
        let all = problems.iter().filter(|((it, _), _)| *it <= class);
        all.map(|(_, count)| count).sum()
    };
    let classes = [Class::Error, Class::Obligation, Class::Hole, Class::Warning];
    let mut fewer = classes.into_iter();
    if fewer.all(|it| total(after, it) <= total(before, it)) {
        return Outcome::Reveals(classes.map(|it| total(after, it)));
    }
    Outcome::Fails
}
