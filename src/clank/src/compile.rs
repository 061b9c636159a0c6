//! The compiler: runs all phases in order.

use std::fmt;
use std::sync::Arc;

use fixpoint_report::Severity;

use crate::ast::{Ast, Decl, Middle, NodeRef};
use crate::canonical::canonicalise;
use crate::diagnostic::Diagnostic;
use crate::json::{InputError, read_program};
use crate::modules::{Modules, link, types_in_use};
use crate::names::{Globals, resolve};
use crate::parallel::both;
use crate::parse::parse;
use crate::refine::{self, Declared, Refinements};
use crate::result::{CompileResult, Stats, Status};
use crate::types::Typing;
use crate::{effects, repair, types, unused};

/// The input of a compilation.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// Source text, and the file name for its positions.
    Source { file: &'a str, text: &'a str },
    /// An AST JSON document.
    Ast { json: &'a str },
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The modules that `use` can import from. Without any, `use` imports nothing.
    pub modules: Option<Arc<Modules>>,
    /// Whether remaining obligations make the status [`Status::Incomplete`].
    pub unproved_is_incomplete: bool,
    /// When to stop early. Undecided obligations then stay open and untried repairs are not
    /// proposed. The result says so.
    pub deadline: Deadline,
}

/// Callbacks that report whether there is time left. Without them, there always is.
#[derive(Clone, Default)]
pub struct Deadline {
    repairing: Option<ContinueFn>,
    deciding: Option<ContinueFn>,
}

type ContinueFn = Arc<dyn Fn() -> bool + Send + Sync>;

impl Deadline {
    /// Limits repairing. `has_time` is called once before the first repair is tried, and before each
    /// further check.
    pub fn while_true(has_time: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self {
            repairing: Some(Arc::new(has_time)),
            deciding: None,
        }
    }

    /// Also limits checking. `has_time` is called before each call of the solver.
    #[must_use]
    pub fn deciding_while(self, has_time: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self {
            deciding: Some(Arc::new(has_time)),
            ..self
        }
    }

    pub(crate) fn has_time(&self) -> bool {
        self.repairing.as_ref().is_none_or(|has_time| has_time())
    }

    pub(crate) fn has_time_to_decide(&self) -> bool {
        self.deciding.as_ref().is_none_or(|has_time| has_time())
    }
}

impl fmt::Debug for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_limited = self.repairing.is_some() || self.deciding.is_some();
        f.write_str(if is_limited { "limited" } else { "unlimited" })
    }
}

/// Compiles a program. The only errors here are documents that are not a program. All problems of a
/// program itself are in the result.
pub fn compile(input: Input<'_>, options: &Options) -> Result<CompileResult, Vec<InputError>> {
    let mut result = unrepaired(input, options)?;
    repair::propose(&mut result, &options.deadline);
    Ok(result)
}

fn unrepaired(input: Input<'_>, options: &Options) -> Result<CompileResult, Vec<InputError>> {
    match input {
        Input::Source { file, text } => {
            let parsed = parse(file, text);
            let stats = Stats {
                source_files: 1,
                source_lines: parsed.ast.source.line_count(),
                source_tokens: parsed.token_count,
                ..Stats::default()
            };
            let mut errors = parsed.errors;
            if options.modules.is_none() {
                errors.extend(types_in_use(&parsed.ast));
            }
            let errors = errors.into_iter();
            let errors: Vec<Diagnostic> = errors.map(|it| it.diagnostic()).collect();
            Ok(if errors.is_empty() {
                check(parsed.ast, parsed.middle, stats, options)
            } else {
                finish(
                    parsed.ast,
                    Typing::default(),
                    Found {
                        diagnostics: errors,
                        ..Found::default()
                    },
                    stats,
                    options,
                )
            })
        }
        Input::Ast { json } => {
            let stats = Stats {
                source_files: 1,
                ..Stats::default()
            };
            Ok(check(read_program(json)?, None, stats, options))
        }
    }
}

/// The unsorted problems of a program, without repairs.
pub(crate) fn check_only(ast: &mut Ast) -> Found {
    find(ast, None, &Options::default()).1
}

/// The problems that the phases found, before they are sorted.
#[derive(Default)]
pub(crate) struct Found {
    pub diagnostics: Vec<Diagnostic>,
    pub refinements: Refinements,
}

impl Found {
    fn is_nothing(&self) -> bool {
        let Refinements {
            obligations, holes, ..
        } = &self.refinements;
        self.diagnostics.is_empty() && obligations.is_empty() && holes.is_empty()
    }
}

fn check(mut ast: Ast, middle: Option<Middle>, stats: Stats, options: &Options) -> CompileResult {
    let (typing, found) = find(&mut ast, middle, options);
    finish(ast, typing, found, stats, options)
}

/// Runs all phases. A program with a `middle` is checked in two halves in parallel.
fn find(ast: &mut Ast, mut middle: Option<Middle>, options: &Options) -> (Typing, Found) {
    let mut found = Found::default();
    if let Some(modules) = &options.modules {
        found.diagnostics = link(ast, modules);
        // Linked declarations come before the others but their nodes have higher ids.
        middle = None;
    }
    let globals = Globals::collect(ast, &mut found.diagnostics);
    let names = resolve(ast, &globals, middle, &mut found.diagnostics);
    unused::check(&names, &mut found.diagnostics);
    let mut typing = types::check(ast, &globals, names, middle, &mut found.diagnostics);
    check_bodies(ast, &typing, &options.deadline, &mut found);
    if middle.is_some() && !found.is_nothing() {
        // Repairs compare types with each other, and types of separate halves cannot be compared.
        let names = std::mem::take(&mut typing.names);
        typing = types::check(ast, &globals, names, None, &mut Vec::new());
    }
    ast.links.drop_uncertain(&mut found.diagnostics);
    (typing, found)
}

/// From this number of declarations on, two threads check one half each.
const MANY: usize = 200;

/// Checks effects and refinements in function bodies.
fn check_bodies(ast: &Ast, typing: &Typing, deadline: &Deadline, found: &mut Found) {
    let declared = Declared::of(ast);
    let part = |declarations: &[Decl]| {
        let mut diagnostics = Vec::new();
        effects::check(
            ast,
            typing,
            &declared.records,
            declarations,
            &mut diagnostics,
        );
        let program = refine::Program {
            ast,
            typing,
            declared: &declared,
            deadline,
        };
        let refinements = refine::check(&program, declarations, &mut diagnostics);
        (diagnostics, refinements)
    };
    let mut take = |(diagnostics, refinements)| {
        found.diagnostics.extend::<Vec<_>>(diagnostics);
        found.refinements.append(refinements);
    };
    let all = ast.program.declarations.as_slice();
    if all.len() < MANY {
        return take(part(all));
    }
    let (front, back) = all.split_at(all.len() / 2);
    let (first, second) = both(|| part(front), || part(back));
    take(first);
    take(second);
}

fn finish(
    mut ast: Ast,
    mut typing: Typing,
    mut found: Found,
    mut stats: Stats,
    options: &Options,
) -> CompileResult {
    sort(&ast, &mut found.diagnostics);
    let failed = found
        .diagnostics
        .iter()
        .any(|it| it.severity() == Severity::Error);
    let Refinements {
        obligations,
        holes,
        discharged,
        checks,
    } = found.refinements;
    typing.set_checks(checks);
    stats.obligations_total = obligations.len() + discharged;
    stats.obligations_discharged = discharged;
    let status = if failed {
        Status::Error
    } else if !holes.is_empty() || (options.unproved_is_incomplete && !obligations.is_empty()) {
        Status::Incomplete
    } else {
        Status::Success
    };
    let canonical = canonicalise(&mut ast, &typing.names);
    CompileResult {
        status,
        canonical,
        ast,
        typing,
        diagnostics: found.diagnostics,
        obligations,
        holes,
        repairs: Vec::new(),
        stats,
    }
}

/// Sorts by position in the text, then by position in the tree, then by code.
fn sort(ast: &Ast, diagnostics: &mut [Diagnostic]) {
    if diagnostics.len() < 2 {
        return;
    }
    let mut order = vec![0; ast.ids.len()];
    let mut count = 0_usize;
    NodeRef::Program(&ast.program).each(&mut |node| {
        if let Some(slot) = order.get_mut(node.id().index()) {
            *slot = count;
        }
        count += 1;
    });
    let place = |it: &Diagnostic| it.node.and_then(|id| order.get(id.index()).copied());
    diagnostics.sort_by_key(|it| (it.span.start(), place(it), it.code));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::NodeId;

    /// A program that is large enough to be checked in halves, with `odd` in both halves.
    fn large(odd: &str) -> String {
        let mut text = String::from(
            "rec P { v: Int, w: Str }\nsum S { A, B(Int) }\ntype Pos = Int{n | n > 0}\n",
        );
        for at in 0..500 {
            let last = at.max(1) - 1;
            text += &format!(
                "fn f{at}(p: P, s: S, n: Pos) -> Int {{\n  let m = match s {{ A -> p.v, B(k) -> k }};\n  \
                 let mut t = [n, m] |> fold_{at};\n  if m > 0 {{ t = t + n; }};\n  \
                 t + f{last}(p, B(m), n + 1)\n}}\n\
                 fn fold_{at}[T](xs: [T]) -> Int {{ fold(xs, 0, \\(a, x) -> a + 1) }}\n"
            );
            if at % 100 == 7 {
                text += &odd.replace('#', &at.to_string());
            }
        }
        text
    }

    /// The problems of a text, checked in halves or in one piece.
    fn found(text: &str, taken_apart: bool) -> (Ast, Typing, Found) {
        let parsed = parse("a.clank", text);
        assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
        let middle = parsed.middle.expect("a large program");
        let mut ast = parsed.ast;
        let (typing, mut found) =
            find(&mut ast, taken_apart.then_some(middle), &Options::default());
        sort(&ast, &mut found.diagnostics);
        (ast, typing, found)
    }

    #[test]
    fn a_program_checked_in_halves_has_the_same_types() {
        let text = large("");
        let (ast, typing, result) = found(&text, true);
        let (_, whole, _) = found(&text, false);
        assert!(result.is_nothing(), "{:?}", result.diagnostics.first());
        // Type variables are numbered from the start in each half, so numbers are removed.
        let uncounted = |text: String| text.replace(|it: char| it.is_ascii_digit(), "");
        let shown = |typing: &Typing, id| {
            let ty = typing.of_node(id)?;
            Some(uncounted(typing.show(ty)))
        };
        let named = |typing: &Typing, id: NodeId| {
            let names = &typing.names;
            let name = |binding| names.binding(binding).map(|it| (it.name.clone(), it.reads));
            let used = match names.of_use(id) {
                Some(crate::names::Def::Local(binding)) => (name(binding), None),
                other => (None, other),
            };
            (used, names.of_type(id), names.of_binder(id).and_then(name))
        };
        let mut nodes = 0;
        NodeRef::Program(&ast.program).each(&mut |node| {
            let id = node.id();
            assert_eq!(shown(&typing, id), shown(&whole, id), "{node:?}");
            assert_eq!(named(&typing, id), named(&whole, id), "{node:?}");
            nodes += 1;
        });
        assert!(nodes > 20_000, "{nodes}");
    }

    #[test]
    fn problems_in_either_half_are_reported_once() {
        let odd = "type L# = M#\ntype M# = L#\nfn odd#(x: Nope, y: Option[Int, Int]) -> Int \
                   { let unused = 1; missing + x + \"a\" }\n\
                   fn ask#(n: Int) -> Int { f1(P(1, \"\"), A, n) + fold_400([odd#]) }\n";
        let text = large(odd);
        let [apart, whole] = [true, false].map(|it| {
            let (ast, _, found) = found(&text, it);
            let diagnostics = found.diagnostics.iter();
            let diagnostics: Vec<String> = diagnostics.map(|it| format!("{it:?}")).collect();
            let obligations: Vec<String> = found
                .refinements
                .obligations
                .iter()
                .map(|it| format!("{} at {}", it.goal, ast.ids.name(it.node)))
                .collect();
            (diagnostics, obligations, found.refinements.discharged)
        });
        assert_eq!(apart, whole);
        assert!(apart.0.len() >= 25 && apart.1.len() >= 5, "{apart:?}");
    }

    #[test]
    fn nodes_of_both_halves_are_named_as_in_one_piece() {
        let text = large("");
        let parsed = parse("a.clank", &text);
        assert!(parsed.middle.is_some());
        let mut names: Vec<String> = parsed.ast.ids.iter().map(|it| it.1).collect();
        let document = crate::json::meaning(&parsed.ast);
        let document = String::from_utf8(document).expect("text");
        let mut whole: Vec<String> = read_program(&document)
            .expect("a program")
            .ids
            .iter()
            .map(|it| it.1)
            .collect();
        names.sort();
        whole.sort();
        assert_eq!(names, whole);
    }
}
