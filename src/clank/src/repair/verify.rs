//! Trying a repair before anyone hears of it.

use std::collections::BTreeSet;

use super::draft::Draft;
use super::lower::{TextLayout, edited, lower};
use super::op::PatchOp;
use super::patch::patch;
use super::problems::{
    Class, Problem, Problems, ProblemsByDecl, decl_by_node, problems, promised_by,
};
use super::same::same;
use super::slice::{Slice, Slices};
use super::tree::Tree;
use crate::ast::NodeRef;
use crate::compile::check_only;
use crate::json::read_part;
use crate::parse::parse;
use crate::result::CompileResult;

/// What came of trying a repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// It resolves what it promised and nothing else changed for the worse.
    Clean,
    /// It resolves what it promised, and shows problems that could not be seen before; there are no
    /// more of them than it resolves. How many there are then, of each class and those before it.
    Reveals([usize; 4]),
    Fails,
}

pub(super) struct Trial<'t, 'a> {
    result: &'a CompileResult,
    tree: &'t Tree<'a>,
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
            problems: ProblemsByDecl::of(result, &decl_by_node(tree.ast)),
        }
    }

    pub fn outcome(&self, draft: &Draft) -> Outcome {
        let first = draft.after.concat();
        let all = [first.as_slice(), &draft.edits].concat();
        let slice = self.slices.slice(&all);
        let full: BTreeSet<usize> = slice.iter().filter(|it| it.1).map(|it| it.0).collect();
        let before = if first.is_empty() {
            Some(self.problems.of_all(&full))
        } else {
            self.after(&slice, &first)
        };
        let (Some(before), Some(after)) = (before, self.after(&slice, &all)) else {
            return Outcome::Fails;
        };
        let promised = promised_by(self.result, &draft.delta());
        let holds = promised.iter().all(|(problem, count)| {
            let before = before.get(problem).copied().unwrap_or_default();
            let after = after.get(problem).copied().unwrap_or_default();
            after + count <= before
        });
        if !holds {
            return Outcome::Fails;
        }
        let is_new = |(problem, count): (&Problem, &usize)| {
            before.get(problem).copied().unwrap_or_default() < *count
        };
        if !after.iter().any(is_new) {
            return Outcome::Clean;
        }
        let total = |problems: &Problems, class: Class| -> usize {
            let all = problems.iter().filter(|((it, _), _)| *it <= class);
            all.map(|(_, count)| count).sum()
        };
        let classes = [Class::Error, Class::Obligation, Class::Hole, Class::Warning];
        if classes
            .into_iter()
            .all(|it| total(&after, it) <= total(&before, it))
        {
            return Outcome::Reveals(classes.map(|it| total(&after, it)));
        }
        Outcome::Fails
    }

    /// The problems of a slice once ops are applied to it; nothing if they cannot be, or if the text
    /// would come to say something else than the tree.
    fn after(&self, slice: &Slice, ops: &[PatchOp]) -> Option<Problems> {
        let patched = patch(&self.slices.program(slice), ops).ok()?;
        let mut ast = read_part(&patched.to_string()).ok()?;
        ast.links = self.tree.ast.links.of_part();
        if let Some(layout) = &self.layout {
            let edits = lower(self.tree, layout, ops).ok()?;
            for (place, (at, with_body)) in slice.iter().enumerate() {
                let old = self.tree.ast.program.declarations.get(*at)?;
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
                if touched.is_empty() || !with_body {
                    continue;
                }
                let text = edited(self.tree.ast.source.slice(old.span), &touched)?;
                let parsed = parse("", &text);
                let [read] = parsed.ast.program.declarations.as_slice() else {
                    return None;
                };
                let wanted = ast.program.declarations.get(place)?;
                if !parsed.errors.is_empty() || !same(NodeRef::Decl(read), NodeRef::Decl(wanted)) {
                    return None;
                }
            }
        }
        let result = check_only(ast);
        let decls = decl_by_node(&result.ast);
        let after = problems(&result, |node| {
            let place = decls.get(node.index()).copied().unwrap_or(usize::MAX);
            slice.get(place).is_none_or(|it| it.1)
        });
        Some(after)
    }
}
