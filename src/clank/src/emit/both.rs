//! Emits JavaScript and TypeScript in one pass over the functions. A large program uses two
//! threads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::output::Output;
use super::scope::Globals;
use super::template::{Templates, templates};
use super::{EmitError, Emitted, Emitter, Module, Target};
use crate::ast::{Ast, Decl, DeclKind, Program};
use crate::parallel::{both, with_room};
use crate::types::Typing;

/// From this number of declarations on, two threads are faster than one.
const MANY: usize = 200;
/// The number of declarations a thread takes at a time.
const SHARE: usize = 32;

/// Emits JavaScript and TypeScript.
pub fn emit_both(
    program: &Program,
    ast: &Ast,
    typing: &Typing,
    module: Option<Module<'_>>,
) -> Result<[Emitted; 2], EmitError> {
    if program.declarations.len() >= MANY {
        return emit_both_beside(program, ast, typing, module, || ()).1;
    }
    let (templates, globals) = (templates(program, ast), Globals::of(program));
    let mut both = Both::new(ast, typing, module, (&templates, &globals));
    both.make_room(ast.source.text().len());
    both.begin(program);
    both.functions(&both.ts.own(program));
    both.finished()
}

/// Emits both on another thread while `work` runs on this one. Afterwards this thread helps with
/// the remaining declarations.
pub fn emit_both_beside<T>(
    program: &Program,
    ast: &Ast,
    typing: &Typing,
    module: Option<Module<'_>>,
    work: impl FnOnce() -> T,
) -> (T, Result<[Emitted; 2], EmitError>) {
    let (templates, globals) = (templates(program, ast), Globals::of(program));
    let new = || Both::new(ast, typing, module, (&templates, &globals));
    let own = new().ts.own(program);
    let left = WorkQueue(Mutex::new(0..own.len()));
    let from_the_back = || {
        let mut both = new();
        let mut parts = Vec::new();
        while let Some(share) = left.last() {
            both.make_room(ast.source.text().len() * share.len() / own.len().max(1));
            both.functions(own.get(share).unwrap_or_default());
            parts.push([&mut both.js, &mut both.ts].map(|it| std::mem::take(&mut it.output)));
        }
        (parts, both.js.error.or(both.ts.error))
    };
    let from_the_front = || {
        let mut both = new();
        both.make_room(ast.source.text().len());
        both.begin(program);
        while let Some(share) = left.first() {
            both.functions(own.get(share).unwrap_or_default());
        }
        both
    };
    let then_from_the_back = || (work(), with_room(from_the_back));
    let ((done, (parts, error)), mut both) = both(then_from_the_back, from_the_front);
    for [js, ts] in parts.into_iter().rev() {
        both.js.output.append(js);
        both.ts.output.append(ts);
    }
    if let Some(error) = error {
        both.ts.fail(error);
    }
    (done, both.finished())
}

/// The declarations that no thread has taken yet.
struct WorkQueue(Mutex<Range<usize>>);

impl WorkQueue {
    fn first(&self) -> Option<Range<usize>> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let end = (left.start + SHARE).min(left.end);
        let share = std::mem::replace(&mut left.start, end)..end;
        (!share.is_empty()).then_some(share)
    }

    fn last(&self) -> Option<Range<usize>> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let start = left.end.saturating_sub(SHARE).max(left.start);
        let share = start..std::mem::replace(&mut left.end, start);
        (!share.is_empty()).then_some(share)
    }
}

struct Both<'a> {
    js: Emitter<'a>,
    ts: Emitter<'a>,
}

impl<'a> Both<'a> {
    fn new(
        ast: &'a Ast,
        typing: &'a Typing,
        module: Option<Module<'a>>,
        known: (&'a Templates, &'a Globals<'a>),
    ) -> Self {
        Self {
            js: Emitter::new(ast, typing, Target::JavaScript, module, known),
            ts: Emitter::new(ast, typing, Target::TypeScript, module, known),
        }
    }

    /// Reserves room for the code of a text of that many bytes.
    fn make_room(&mut self, bytes: usize) {
        self.js.output = Output::with_room(bytes);
        self.ts.output = Output::with_room(bytes);
    }

    fn begin(&mut self, program: &'a Program) {
        self.js.begin(program);
        self.ts.begin(program);
    }

    fn functions(&mut self, declarations: &[&'a Decl]) {
        let Self { js, ts } = self;
        for declaration in declarations {
            ts.function_declaration(declaration);
            if let DeclKind::Fn(_) = &declaration.kind {
                let outputs = [&mut js.output, &mut ts.output];
                Output::lines_of_both(outputs, &ts.lines, ts.ast);
                ts.lines.clear();
            } else {
                js.function_declaration(declaration);
                js.write_lines();
                ts.write_lines();
            }
        }
    }

    fn finished(self) -> Result<[Emitted; 2], EmitError> {
        let ts = self.ts.finished()?;
        Ok([self.js.finished()?, ts])
    }
}
