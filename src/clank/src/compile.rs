//! All phases in order.

use std::fmt;
use std::sync::Arc;

use crate::ast::{Ast, NodeRef};
use crate::canonical::{canonicalise, effects_by_node};
use crate::diagnostic::{Diagnostic, Severity};
use crate::json::{InputError, read_program};
use crate::modules::{Modules, link, types_in_use};
use crate::names::{Globals, resolve};
use crate::parse::parse;
use crate::refine::{self, Refinements};
use crate::result::{CompileResult, Stats, Status};
use crate::types::Typing;
use crate::{effects, repair, types, unused};

/// What is compiled.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// Text, with the name its positions are told by.
    Source { file: &'a str, text: &'a str },
    /// An AST JSON document.
    Ast { json: &'a str },
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What `use` can bind; without any, it binds nothing.
    pub modules: Option<Arc<Modules>>,
    /// Whether obligations that are left make the status [`Status::Incomplete`].
    pub unproved_is_incomplete: bool,
    /// Whether to go on trying repairs. What was not tried is not proposed, and said so.
    pub patience: Patience,
}

/// A question that is asked once before the first repair is tried, and before each check for more of
/// them. Without one there is all the time in the world.
#[derive(Clone, Default)]
pub struct Patience(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl Patience {
    pub fn while_true(lasts: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(lasts)))
    }

    pub(crate) fn lasts(&self) -> bool {
        self.0.as_ref().is_none_or(|lasts| lasts())
    }
}

impl fmt::Debug for Patience {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "limited"
        } else {
            "unlimited"
        })
    }
}

/// Compiles a program. Only a document that is no program at all is an error here; everything that is
/// wrong with a program is in the result.
pub fn compile(input: Input<'_>, options: &Options) -> Result<CompileResult, Vec<InputError>> {
    let mut result = unrepaired(input, options)?;
    repair::propose(&mut result, &options.patience);
    Ok(result)
}

fn unrepaired(input: Input<'_>, options: &Options) -> Result<CompileResult, Vec<InputError>> {
    match input {
        Input::Source { file, text } => {
            let parsed = parse(file, text);
            let stats = Stats {
                source_files: 1,
                source_lines: parsed.ast.source.line_count(),
                source_tokens: parsed
                    .tokens
                    .all
                    .iter()
                    .filter(|it| !it.kind.is_trivia())
                    .count(),
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
                    options,
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

/// What is wrong with a program, in no order, without a look at what could be done about it.
pub(crate) fn check_only(ast: &mut Ast) -> Found {
    find(ast, &Options::default()).1
}

pub(crate) fn check_with(ast: Ast, options: &Options) -> CompileResult {
    check(ast, Stats::default(), options)
}

/// What the phases found, before it is put in order.
#[derive(Default)]
pub(crate) struct Found {
    pub diagnostics: Vec<Diagnostic>,
    pub refinements: Refinements,
}

fn check(mut ast: Ast, stats: Stats, options: &Options) -> CompileResult {
    let (typing, found) = find(&mut ast, options);
    finish(ast, typing, found, stats, options)
}

fn find(ast: &mut Ast, options: &Options) -> (Typing, Found) {
    let mut found = Found::default();
    if let Some(modules) = &options.modules {
        found.diagnostics = link(ast, modules);
    }
    let globals = Globals::collect(ast, &mut found.diagnostics);
    let names = resolve(ast, &globals, &mut found.diagnostics);
    unused::check(&names, &mut found.diagnostics);
    let typing = types::check(ast, &globals, names, &mut found.diagnostics);
    effects::check(ast, &typing, &mut found.diagnostics);
    found.refinements = refine::check(ast, &typing, &mut found.diagnostics);
    ast.links.hold_back(&mut found.diagnostics);
    (typing, found)
}

fn finish(
    mut ast: Ast,
    typing: Typing,
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
    } = found.refinements;
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
    let effects = effects_by_node(&canonical, ast.ids.len(), &typing);
    CompileResult {
        status,
        canonical,
        effects,
        ast,
        typing,
        diagnostics: found.diagnostics,
        obligations,
        holes,
        repairs: Vec::new(),
        stats,
    }
}

/// By place in the text, then by place in the tree, then by code.
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
