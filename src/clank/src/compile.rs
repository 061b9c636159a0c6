//! The compiler: runs all phases in order.

use std::fmt;
use std::sync::Arc;

use fixpoint_report::Severity;

use crate::ast::{Ast, Decl, NodeRef};
use crate::canonical::canonicalize;
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
                check(parsed.ast, stats, options)
            } else {
                finish(
                    parsed.ast,
                    Typing::default(),
                    Found {
                        diagnostics: errors,
                        ..Found::default()
                    },
                    stats,
                )
            })
        }
        Input::Ast { json } => {
            let stats = Stats {
                source_files: 1,
                ..Stats::default()
            };
            Ok(check(read_program(json)?, stats, options))
        }
    }
}

/// The unsorted problems of a program, without repairs.
pub(crate) fn check_only(ast: &mut Ast) -> Found {
    find(ast, &Options::default()).1
}

/// The problems that the phases found, before they are sorted.
#[derive(Default)]
pub(crate) struct Found {
    pub diagnostics: Vec<Diagnostic>,
    pub refinements: Refinements,
}

fn check(mut ast: Ast, stats: Stats, options: &Options) -> CompileResult {
    let (typing, found) = find(&mut ast, options);
    finish(ast, typing, found, stats)
}

/// Runs all phases.
fn find(ast: &mut Ast, options: &Options) -> (Typing, Found) {
    let mut found = Found::default();
    if let Some(modules) = &options.modules {
        found.diagnostics = link(ast, modules);
    }
    let globals = Globals::collect(ast, &mut found.diagnostics);
    let names = resolve(ast, &globals, &mut found.diagnostics);
    unused::check(&names, &mut found.diagnostics);
    let typing = types::check(ast, &globals, names, &mut found.diagnostics);
    check_bodies(ast, &typing, &options.deadline, &mut found);
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

fn finish(mut ast: Ast, mut typing: Typing, mut found: Found, mut stats: Stats) -> CompileResult {
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
    } else if !holes.is_empty() {
        Status::Incomplete
    } else {
        Status::Success
    };
    let canonical = canonicalize(&mut ast, &typing.names);
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

    /// Twice as many functions as `count`, with `odd` after every hundredth pair.
    fn program(count: usize, odd: &str) -> String {
        let mut text = String::from(
            "rec P { v: Int, w: Str }\nsum S { A, B(Int) }\ntype Pos = Int{n | n > 0}\n",
        );
        for at in 0..count {
            let last = at.max(1) - 1;
            text += &format!(
                "fn f{at}(p: P, s: S, n: Pos) -> Int {{\n  let m = match s {{ A -> p.v, B(k) -> k }};\n  \
                 let mut t = [n, m] |> fold_{at};\n  if m > 0 {{ t = t + n; }};\n  \
                 t + f{last}(p, B(m), n + 1)\n}}\n\
                 fn fold_{at}[T](xs: [T]) -> Int {{ fold(xs, 0, \\(a, _x) -> a + 1) }}\n"
            );
            if at % 100 == 7 {
                text += &odd.replace('#', &at.to_string());
            }
        }
        text
    }

    #[test]
    fn bodies_checked_by_two_threads_have_each_problem_once() {
        let odd = "type L# = M#\ntype M# = L#\nfn odd#(x: Nope, y: Option[Int, Int]) -> Int \
                   { let unused = 1; missing + x + \"a\" }\n\
                   fn ask#(n: Int) -> Int { f1(P(1, \"\"), A, n) + fold_1([odd#]) }\n";
        let found = |count: usize| {
            let parsed = parse("a.clank", &program(count, odd));
            assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
            let mut ast = parsed.ast;
            let (_, found) = find(&mut ast, &Options::default());
            let mut codes: Vec<&str> = found.diagnostics.iter().map(|it| it.code.text()).collect();
            codes.sort_unstable();
            (codes, found.refinements.obligations.len())
        };
        let (few, obligations) = found(10);
        assert!(few.len() >= 5 && obligations >= 1, "{few:?} {obligations}");
        let five_times = few.iter().flat_map(|code| [*code; 5]).collect();
        assert_eq!(found(500), (five_times, 5 * obligations));
    }
}
